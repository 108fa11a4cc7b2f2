/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports as text. An object of JSON is a row of steps, each some punctuation with a key and then a
 * value; a writer that runs out of room goes on later from the step, and the octet of its text,
 * that it came to. So nobody needs room for the whole.
 */
#include "report/report.h"
#include "text/names.h"
#include "text/out.h"
#include "text/sized.h"
#include "text/utf8.h"
#include "uri/ip.h"

/* ---- Steps ----------------------------------------------------------------------- */

enum value { VALUE_ABSENT = 0, VALUE_NULL, VALUE_TRUE, VALUE_NUMBER, VALUE_STRING };

/* What one step writes. */
struct step {
	const char *before; /* STEP_BEFORE octets at most */
	enum value value;
	uint64_t number;
	struct text text;
};

#define STEP_BEFORE 24
/* What a step writes at once: what stands before its value, and a number or a quote. */
#define STEP_MOST (STEP_BEFORE + 20)
/* The longest escape is that of a pair of surrogates; a quote may follow. */
#define ESCAPE_MOST 13

static struct step step_only(const char *before, enum value value)
{
	const struct step s = {before, value, 0, {NULL, 0}};
	return s;
}

static struct step step_number(const char *before, uint64_t number)
{
	const struct step s = {before, VALUE_NUMBER, number, {NULL, 0}};
	return s;
}

/* A text of the caller's; null if there is none. */
static struct step step_text(const char *before, struct urivet_text text)
{
	struct step s = {before, VALUE_STRING, 0, {NULL, 0}};
	if (text.data == NULL || text.length > URIVET_MAX_LENGTH)
		return step_only(before, VALUE_NULL);
	s.text = text_of(text.data, (uint32_t)text.length);
	return s;
}

/* A string of the library's, or one that ends with a NUL; null if there is none. */
static struct step step_string(const char *before, const char *string)
{
	if (string == NULL)
		return step_only(before, VALUE_NULL);
	return step_text(before, urivet_text_of(string, length_of(string)));
}

/* ---- What is written ------------------------------------------------------------- */

enum {
	AT_INPUT = 0,
	AT_LENGTH = 1,
	AT_RAW = 2,
	AT_VERDICT = 3,
	AT_POLICY = 4,
	AT_COMPONENTS = 5, /* seven of them */
	AT_HOST_KIND = 12,
	AT_ADDRESS = 13,
	AT_PORT = 14,
	AT_FINDINGS = 15 /* from here on MEMBERS each, and one step that ends them */
};

#define MEMBERS 9u

static struct step member_of_input(const struct urivet_json *json)
{
	const struct urivet_text nothing = {"", 0};
	if (json->unread)
		return step_only("{\"uri\":", VALUE_NULL);
	return step_text("{\"uri\":", json->input.data != NULL ? json->input : nothing);
}

static struct step member_of_report(const struct urivet_json *json, uint32_t at)
{
	const bool accepted = json->report->verdict == URIVET_ACCEPT;
	switch (at) {
	case AT_INPUT:
		return member_of_input(json);
	case AT_LENGTH:
		return json->unread ? step_number(",\"length\":", json->input.length)
				    : step_only("", VALUE_ABSENT);
	case AT_RAW:
		return json->raw ? step_only(",\"raw\":", VALUE_TRUE) : step_only("", VALUE_ABSENT);
	case AT_VERDICT:
		return step_string(",\"verdict\":", accepted ? "accept" : "reject");
	default:
		return step_string(",\"policy\":", json->policy);
	}
}

static struct step member_of_components(const struct urivet_json *json, uint32_t k)
{
	static const char *const before[] = {
	    ",\"components\":{\"scheme\":", ",\"userinfo\":", ",\"host\":",     ",\"port\":",
	    ",\"path\":",                   ",\"query\":",    ",\"fragment\":",
	};
	static const uint8_t component[] = {
	    URIVET_SCHEME, URIVET_USERINFO, URIVET_HOST,     URIVET_PORT,
	    URIVET_PATH,   URIVET_QUERY,    URIVET_FRAGMENT,
	};
	if (json->uri != NULL)
		return step_text(before[k],
				 urivet_part(json->uri, component[k], json->read, json->host));
	return k == 0 ? step_only(",\"components\":", VALUE_NULL) : step_only("", VALUE_ABSENT);
}

/* Writes the text of an address to `room`, if the host is one. */
static struct step member_address(const struct urivet_uri *uri, char room[48])
{
	static const char before[] = ",\"address\":";
	struct out o = {room, 48, 0};
	const unsigned kind = uri != NULL ? uri->host_kind : URIVET_HOST_NONE;
	if (kind == URIVET_HOST_IPV6)
		urivet_put_ipv6(&o, uri->address);
	else if (kind == URIVET_HOST_IPV4 && uri->has_ipv4) /* some editions find no address */
		urivet_put_ipv4(&o, uri->address);
	else
		return step_only(before, VALUE_NULL);
	(void)put_end(&o);
	return step_string(before, room);
}

static struct step member_of_host(const struct urivet_uri *uri, uint32_t at, char room[48])
{
	static const char *const kinds[] = {"none", "name",      "ipv4",
					    "ipv6", "ipvfuture", "registry"};
	const unsigned kind = uri != NULL ? uri->host_kind : URIVET_HOST_NONE;
	const bool known = kind < sizeof kinds / sizeof kinds[0];
	if (at == AT_HOST_KIND)
		return step_string(uri != NULL ? "},\"host\":{\"kind\":" : ",\"host\":{\"kind\":",
				   known ? kinds[kind] : NULL);
	if (at == AT_ADDRESS)
		return member_address(uri, room);
	if (uri == NULL || uri->port == URIVET_NO_PORT)
		return step_only("},\"port\":", VALUE_NULL);
	return step_number("},\"port\":", uri->port);
}

/* Member m of finding k; one that this version does not know has no name and no text. */
static struct step member_of_finding(const struct urivet_finding *f, uint32_t k, uint32_t m)
{
	const struct urivet_finding_row *row = urivet_finding_info(f->id);
	switch (m) {
	case 0:
		return step_string(k == 0 ? ",\"findings\":[{\"id\":" : "},{\"id\":",
				   row != NULL ? row->name : NULL);
	case 1:
		return step_number(",\"number\":", f->id);
	case 2:
		return step_string(",\"class\":", urivet_class_name(f->class_));
	case 3:
		return step_string(",\"component\":", urivet_component_name(f->component));
	case 4:
		return step_number(",\"offset\":", f->span.offset);
	case 5:
		return step_number(",\"length\":", f->span.length);
	case 6:
		return step_number(",\"count\":", f->count);
	case 7:
		return step_string(",\"reference\":", row != NULL ? row->reference : NULL);
	default:
		return step_string(",\"text\":", row != NULL ? row->text : NULL);
	}
}

/* A step of the findings, or the one that ends them; false after it. */
static bool step_of_findings(const struct urivet_report *report, uint32_t at, struct step *s)
{
	const uint32_t k = at / MEMBERS;
	const uint32_t count =
	    report->count < URIVET_MAX_FINDINGS ? report->count : URIVET_MAX_FINDINGS;
	if (k < count)
		*s = member_of_finding(&report->finding[k], k, at % MEMBERS);
	else
		*s = step_only(k == 0 ? ",\"findings\":[]" : "}]", VALUE_ABSENT);
	return at <= count * MEMBERS;
}

/* The step that the writer came to; false at the end. */
static bool step_at(const struct urivet_json *json, char room[48], struct step *s)
{
	const uint32_t at = json->position;
	if (at >= AT_FINDINGS)
		return json->report != NULL && step_of_findings(json->report, at - AT_FINDINGS, s);
	if (at < AT_COMPONENTS)
		*s = member_of_report(json, at);
	else if (at < AT_HOST_KIND)
		*s = member_of_components(json, at - AT_COMPONENTS);
	else
		*s = member_of_host(json->uri, at, room);
	return true;
}

/* ---- Writing --------------------------------------------------------------------- */

static void put_number(struct out *o, uint64_t number)
{
	uint64_t unit = 1;
	while (number / unit > 9)
		unit *= 10;
	for (; unit > 0; unit /= 10)
		put(o, '0' + (unsigned)(number / unit % 10));
}

/* \uXXXX, which is a character or half a pair of surrogates. */
static void put_json_unit(struct out *o, uint32_t value)
{
	static const char digits[] = "0123456789ABCDEF";
	put_string(o, "\\u");
	for (unsigned shift = 16; shift > 0; shift -= 4)
		put(o, (unsigned char)digits[value >> (shift - 4) & 15]);
}

static void put_character(struct out *o, uint32_t character)
{
	if (character == '"' || character == '\\') {
		put(o, '\\');
		put(o, character);
	} else if (character < 0x10000) {
		put_json_unit(o, character);
	} else {
		put_json_unit(o, 0xD800 + ((character - 0x10000) >> 10));
		put_json_unit(o, 0xDC00 + (character & 0x3FF));
	}
}

/* The character of UTF-8 that the octets from `at` on are, and where it ends; `at` if they are
 * none. Nothing is decoded that is percent-encoded. */
static uint32_t utf8_end(struct text t, uint32_t at, uint32_t *character)
{
	const struct utf8_lead *lead = urivet_utf8_lead(octet(t, at));
	*character = octet(t, at);
	if (*character < 0x80)
		return at + 1;
	if (lead == NULL || octet(t, at + 1) < lead->low || octet(t, at + 1) > lead->high)
		return at;
	*character &= lead->bits;
	for (uint32_t k = 1; k <= lead->more; k++) {
		const unsigned c = octet(t, at + k);
		if (c < 0x80 || c > 0xBF)
			return at;
		*character = *character << 6 | (c & 0x3F);
	}
	return at + 1 + lead->more;
}

/* Is an octet written as it is? */
static inline bool is_as_it_is(unsigned c)
{
	return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

#define ONES  UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)

/* Has any of eight octets the value 0? One that has is seen; after one that has, others may be. */
static inline uint64_t has_zero(uint64_t octets)
{
	return (octets - ONES) & ~octets & HIGHS;
}

/* Are eight octets written as they are? */
static inline bool are_as_they_are(uint64_t octets)
{
	const uint64_t below_space = (octets - ONES * 0x20) & ~octets & HIGHS;
	return (below_space | has_zero(octets ^ ONES * '"') | has_zero(octets ^ ONES * '\\') |
		has_zero(octets ^ ONES * 0x7F) | (octets & HIGHS)) == 0;
}

/* The end of the octets from `at` on that are written as they are. */
static uint32_t literal_end(struct text t, uint32_t at)
{
	uint64_t octets;
	while (load_8(t, at, &octets) && are_as_they_are(octets))
		at += 8;
	while (at < t.end && is_as_it_is(octet(t, at)))
		at++;
	return at;
}

/* Writes a text from `at` on, while there is room. Returns where it came to. */
static uint32_t put_escaped(struct out *o, size_t most, struct text t, uint32_t at, bool raw)
{
	while (at < t.end && most - o->length >= ESCAPE_MOST) {
		const size_t room = most - o->length;
		const struct text near = room < t.end - at ? until(t, at + (uint32_t)room) : t;
		const uint32_t literal = literal_end(near, at);
		uint32_t character = octet(t, at), end = at;
		if (literal > at) {
			put_copy(o, t.data + at, literal - at);
			at = literal;
			continue;
		}
		if (!raw)
			end = utf8_end(t, at, &character);
		if (end == at) { /* no character: an octet */
			character = octet(t, at);
			end++;
		}
		put_character(o, character);
		at = end;
	}
	return at;
}

/* The string of a step; `offset` counts its quote, and then its octets. True once all of it is
 * written. */
static bool put_json_string(struct urivet_json *json, struct out *o, size_t most, struct text t)
{
	const bool raw = json->raw;
	if (json->offset == 0) {
		put(o, '"');
		json->offset = 1;
	}
	json->offset = 1 + put_escaped(o, most, t, json->offset - 1, raw);
	if (json->offset <= t.end || o->length == most)
		return false;
	put(o, '"');
	return true;
}

/* One step: false if there was no room for all of it. */
static bool put_step(struct urivet_json *json, struct out *o, size_t most, const struct step *s)
{
	if (json->offset == 0) {
		if (most - o->length < STEP_MOST)
			return false;
		put_copy(o, (const uint8_t *)s->before, length_of(s->before));
	}
	if (s->value == VALUE_NULL)
		put_string(o, "null");
	else if (s->value == VALUE_TRUE)
		put_string(o, "true");
	else if (s->value == VALUE_NUMBER)
		put_number(o, s->number);
	else if (s->value == VALUE_STRING)
		return put_json_string(json, o, most, s->text);
	return true;
}

/* Writes until there is no room for more: `most` octets in all. */
static void put_json(struct urivet_json *json, struct out *o, size_t most)
{
	char room[48];
	struct step s;
	if (json->report == NULL && json->position < AT_COMPONENTS)
		json->position = AT_COMPONENTS;
	while (step_at(json, room, &s) && put_step(json, o, most, &s)) {
		json->position++;
		json->offset = 0;
	}
}

size_t urivet_json_next(struct urivet_json *json, char *out, size_t capacity)
{
	struct out o = {out, capacity, 0};
	if (capacity < URIVET_JSON_CAPACITY)
		return 0;
	put_json(json, &o, capacity - 1); /* what writes leaves room for a NUL */
	return o.length;
}

/* ---- Whole reports --------------------------------------------------------------- */

static bool is_utf8_text(struct urivet_text text)
{
	const bool shown = text.data != NULL && text.length <= URIVET_MAX_LENGTH;
	const struct text t = text_of(text.data, shown ? (uint32_t)text.length : 0);
	uint32_t at = 0, end, character;
	while (at < t.end) {
		end = utf8_end(t, at, &character);
		if (end == at)
			return false;
		at = end;
	}
	return true;
}

/* Was the input too long to be read? Then it is the first thing found. */
static bool is_unread(const struct urivet_report *report, struct urivet_text input)
{
	if (input.length > URIVET_MAX_LENGTH)
		return true;
	return !report->parsed && report->count > 0 &&
	       report->finding[0].id == URIVET_F_URL_TOO_LONG &&
	       report->finding[0].in == URIVET_IN_INPUT;
}

/* Was it filled? As urivet_is_filled(), which is of a floor above. */
static bool is_report(const struct urivet_report *report)
{
	return report != NULL && is_known_size(report->size, REPORT_LEAST) &&
	       report->count <= URIVET_MAX_FINDINGS;
}

/* Are the texts that are shown UTF-8? */
static bool is_utf8(const struct urivet_json *json)
{
	const char *const name = json->policy != NULL ? json->policy : "";
	return (json->unread || is_utf8_text(json->input)) &&
	       (json->report->uri.authority_in == URIVET_IN_INPUT || is_utf8_text(json->host)) &&
	       is_utf8_text(urivet_text_of(name, length_of(name)));
}

size_t urivet_format_report(char *out, size_t capacity, const struct urivet_report *report,
			    struct urivet_text input, struct urivet_text host,
			    const struct urivet_policy *policy)
{
	static const struct urivet_report nothing;
	struct out o = {out, capacity, 0};
	struct urivet_json json = {.report = is_report(report) ? report : &nothing};
	if (input.data == NULL)
		input.length = 0;
	json.uri = json.report->parsed ? &json.report->uri : NULL;
	json.input = json.read = input;
	json.host = host;
	json.policy = policy != NULL ? policy->name : urivet_strict.name;
	json.unread = is_unread(json.report, input);
	json.raw = !is_utf8(&json);
	put_json(&json, &o, SIZE_MAX);
	put(&o, '}');
	return put_end(&o);
}

size_t urivet_format_ids(char *out, size_t capacity, const struct urivet_report *report)
{
	struct out o = {out, capacity, 0};
	for (uint32_t k = 0; is_report(report) && k < report->count; k++) {
		const struct urivet_finding_row *row = urivet_finding_info(report->finding[k].id);
		if (row == NULL)
			continue;
		if (o.length > 0)
			put(&o, ',');
		for (const char *c = row->name; *c != '\0'; c++)
			put(&o, (unsigned char)*c);
	}
	return put_end(&o);
}
