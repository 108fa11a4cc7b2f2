/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports as JSON. An object is a sequence of steps; each writes some punctuation with a key,
 * then a value. A writer that runs out of room stores the step and the offset in its text, and
 * continues there. So no buffer for the whole object is needed.
 */
#include <urivet/json.h>

#include "report/report.h"
#include "text/names.h"
#include "text/out.h"
#include "text/sized.h"
#include "text/utf8.h"
#include "text/words.h"
#include "uri/ip.h"

/* ---- Keys ------------------------------------------------------------------------ */

/* The octets before a value, followed by "null", which may be the value. Copies use the whole
 * fixed-size buffer, so no loop is needed. */
struct json_key {
	char octets[32];
	uint32_t length; /* without "null" */
};

/* clang-format off */
#define KEY(string) {string "null", sizeof(string) - 1}
/* clang-format on */

/* The steps up to the findings, each also the index of its key, and the indexes of the other
 * keys. */
enum {
	AT_INPUT = 0,
	AT_LENGTH,
	AT_RAW,
	AT_VERDICT,
	AT_POLICY,
	AT_COMPONENTS, /* seven of them */
	AT_HOST_KIND = AT_COMPONENTS + 7,
	AT_ADDRESS,
	AT_PORT,
	AT_FINDINGS, /* from here on MEMBERS steps each, and one final step */
	KEY_ACCEPT = AT_FINDINGS,
	KEY_REJECT,
	KEY_NO_COMPONENTS,
	KEY_HOST_OF_NOTHING,
	KEY_HOST, /* one key for each enum urivet_host_kind */
	KEY_HOST_LAST = KEY_HOST + 5,
	KEY_PORT_80,
	KEY_PORT_443,
	KEY_NO_FINDINGS,
	KEY_LAST_FINDING,
	KEY_FIRST_FINDING,
	KEY_FINDING /* followed by the keys of its other members */
};

static const struct json_key json_keys[] = {
    [AT_INPUT] = KEY("{\"uri\":"),
    [AT_LENGTH] = KEY(",\"length\":"),
    [AT_RAW] = KEY(",\"raw\":"),
    [AT_POLICY] = KEY(",\"policy\":"),
    [AT_COMPONENTS] = KEY(",\"components\":{\"scheme\":"),
    KEY(",\"userinfo\":"),
    KEY(",\"host\":"),
    KEY(",\"port\":"),
    KEY(",\"path\":"),
    KEY(",\"query\":"),
    KEY(",\"fragment\":"),
    [AT_HOST_KIND] = KEY("},\"host\":{\"kind\":"),
    [AT_ADDRESS] = KEY(",\"address\":"),
    [AT_PORT] = KEY("},\"port\":"),
    [KEY_ACCEPT] = KEY(",\"verdict\":\"accept\""),
    [KEY_REJECT] = KEY(",\"verdict\":\"reject\""),
    [KEY_NO_COMPONENTS] = KEY(",\"components\":"),
    [KEY_HOST_OF_NOTHING] = KEY(",\"host\":{\"kind\":\"none\""),
    [KEY_HOST] = KEY("},\"host\":{\"kind\":\"none\""),
    KEY("},\"host\":{\"kind\":\"name\""),
    KEY("},\"host\":{\"kind\":\"ipv4\""),
    KEY("},\"host\":{\"kind\":\"ipv6\""),
    KEY("},\"host\":{\"kind\":\"ipvfuture\""),
    KEY("},\"host\":{\"kind\":\"registry\""),
    [KEY_PORT_80] = KEY("},\"port\":80"),
    [KEY_PORT_443] = KEY("},\"port\":443"),
    [KEY_NO_FINDINGS] = KEY(",\"findings\":[]"),
    [KEY_LAST_FINDING] = KEY("}]"),
    [KEY_FIRST_FINDING] = KEY(",\"findings\":[{\"id\":"),
    [KEY_FINDING] = KEY("},{\"id\":"),
    KEY(",\"number\":"),
    KEY(",\"class\":"),
    KEY(",\"component\":"),
    KEY(",\"offset\":"),
    KEY(",\"length\":"),
    KEY(",\"count\":"),
    KEY(",\"reference\":"),
    KEY(",\"text\":"),
    KEY(",\"refuses\":"),
};

#define MEMBERS 10u

/* ---- Strings --------------------------------------------------------------------- */

/* The length of the longest escape, a pair of surrogates, plus a quote. */
#define ESCAPE_MOST 13

/* Writes \uXXXX, which is a character or half of a surrogate pair. */
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

/* Reads the UTF-8 character at `at`. Returns the offset after it, or `at` if the octets are
 * invalid. Percent-encoded octets are not decoded. */
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

/* Returns true if an octet is written unescaped. */
static inline bool is_as_it_is(unsigned c)
{
	return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

/* Returns true if eight octets are all written unescaped. If all octets are below 0x80, each term
 * sets the highest bit of the octets it looks for. Borrows may make the bits above the lowest set
 * one wrong, which does not change the result. */
static inline bool are_as_they_are(uint64_t octets)
{
	const uint64_t below_space = octets - EACH_OCTET(0x20);
	const uint64_t quote = (octets ^ EACH_OCTET('"')) - EACH_OCTET(1);
	const uint64_t backslash = (octets ^ EACH_OCTET('\\')) - EACH_OCTET(1);
	const uint64_t delete = octets + EACH_OCTET(1);
	return ((octets | below_space | quote | backslash | delete) & EACH_OCTET(0x80)) == 0;
}

/* Returns the end of the octets from `at` on that are written unescaped. */
static uint32_t literal_end(struct text t, uint32_t at)
{
	uint64_t octets;
	while (load_8(t, at, &octets) && are_as_they_are(octets))
		at += 8;
	while (at < t.end && is_as_it_is(octet(t, at)))
		at++;
	return at;
}

/* Writes a text from `at` on, while there is room. Returns the offset of the first unwritten
 * octet. */
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
		if (end == at) { /* not a character: write the octet */
			character = octet(t, at);
			end++;
		}
		put_character(o, character);
		at = end;
	}
	return at;
}

/* copy_literal() for texts shorter than eight octets. */
static bool copy_brief(char *to, struct text t)
{
	uint32_t at = 0, first, last;
	if (t.end >= sizeof first) {
		memcpy(&first, t.data, sizeof first);
		memcpy(&last, t.data + t.end - sizeof last, sizeof last);
		memcpy(to, &first, sizeof first);
		memcpy(to + t.end - sizeof last, &last, sizeof last);
		return are_as_they_are((uint64_t)first << 32 | last);
	}
	for (; at < t.end && is_as_it_is(octet(t, at)); at++)
		to[at] = (char)octet(t, at);
	return at == t.end;
}

/* Copies a text that needs no escapes. Returns false if it needs some; what was written is then
 * invalid. The last word may overlap the one before. */
static bool copy_literal(char *to, struct text t)
{
	uint64_t octets;
	uint32_t at = 0;
	if (t.end < sizeof octets)
		return copy_brief(to, t);
	while (load_8(t, at, &octets) && are_as_they_are(octets)) {
		memcpy(to + at, &octets, sizeof octets);
		at += 8;
	}
	if (at + 8 <= t.end)
		return false;
	(void)load_8(t, t.end - 8, &octets);
	memcpy(to + t.end - 8, &octets, sizeof octets);
	return are_as_they_are(octets);
}

/* ---- Members --------------------------------------------------------------------- */

/* The state of a writer, which writes at most `most` octets. A member that starts before `roomy` is
 * sure to have room. */
struct writer {
	struct urivet_json *json;
	struct out o;
	size_t most, roomy;
};

/* The room that a member needs to start: its key, and a number or a quote. */
#define MEMBER_MOST (sizeof json_keys[0].octets + 20)

static struct writer writer_to(char *out, size_t capacity, size_t most, struct urivet_json *json)
{
	const size_t room = most < capacity ? most : capacity;
	const struct writer w = {json, {out, capacity, 0}, most,
				 room > MEMBER_MOST ? room - MEMBER_MOST : 0};
	return w;
}

/* Writes a key and the first `more` octets of the "null" after it. Returns false if there is no
 * room for a member. */
static inline bool put_key_and(struct writer *w, uint32_t key, size_t more)
{
	struct out *const o = &w->o;
	const size_t length = json_keys[key].length + more;
	if (o->length < w->roomy) {
		memcpy(o->data + o->length, json_keys[key].octets, sizeof json_keys[key].octets);
		o->length += length;
		return true;
	}
	if (w->most - o->length < MEMBER_MOST)
		return false;
	put_copy(o, (const uint8_t *)json_keys[key].octets, length);
	return true;
}

static inline bool put_key(struct writer *w, uint32_t key)
{
	return put_key_and(w, key, 0);
}

static inline bool put_null(struct writer *w, uint32_t key)
{
	return put_key_and(w, key, 4);
}

static bool put_truth(struct writer *w, uint32_t key, bool value)
{
	if (!put_key(w, key))
		return false;
	put_copy(&w->o, (const uint8_t *)(value ? "true" : "false"), value ? 4 : 5);
	return true;
}

static bool put_number(struct writer *w, uint32_t key, uint64_t number)
{
	struct out *const o = &w->o;
	size_t digits = 1, at;
	if (!put_key(w, key))
		return false;
	for (uint64_t rest = number; rest > 9; rest /= 10)
		digits++;
	for (at = o->length + digits; at > o->length; number /= 10)
		put_at(o, --at, '0' + (unsigned)(number % 10));
	o->length += digits;
	return true;
}

/* Writes a string, if necessary in several calls: json->offset counts its quote, and then its
 * octets. Returns true once all of it is written. */
static COLD bool put_pieces(struct writer *w, struct text t)
{
	struct urivet_json *const json = w->json;
	if (json->offset == 0) {
		put(&w->o, '"');
		json->offset = 1;
	}
	json->offset = 1 + put_escaped(&w->o, w->most, t, json->offset - 1, json->raw);
	if (json->offset <= t.end || w->o.length == w->most)
		return false;
	put(&w->o, '"');
	json->offset = 0;
	return true;
}

/* Writes a string without escapes at once. Returns false if it needs escapes, or there may not be
 * enough room. */
static inline bool put_literal(struct writer *w, struct text t)
{
	struct out *const o = &w->o;
	const size_t end = o->length + t.end + 2;
	if (end >= w->roomy)
		return false;
	char *const to = o->data + o->length; /* data may be NULL if there is no room */
	if (!copy_literal(to + 1, t))
		return false;
	to[0] = '"';
	to[t.end + 1] = '"';
	o->length = end;
	return true;
}

/* Writes a text of the caller, or null if there is none. */
static bool put_member(struct writer *w, uint32_t key, struct urivet_text text)
{
	struct text t;
	if (text.data == NULL || text.length > URIVET_MAX_LENGTH)
		return put_null(w, key);
	t = text_of(text.data, (uint32_t)text.length);
	if (w->json->offset > 0)
		return put_pieces(w, t);
	return put_key(w, key) && (put_literal(w, t) || put_pieces(w, t));
}

/* Writes a NUL-terminated string, or null if there is none. */
static bool put_name(struct writer *w, uint32_t key, const char *string)
{
	return put_member(w, key, urivet_text_of(string, string != NULL ? length_of(string) : 0));
}

/* ---- Steps ----------------------------------------------------------------------- */

static bool put_whole_input(struct writer *w)
{
	const struct urivet_text nothing = {"", 0};
	const struct urivet_json *const json = w->json;
	if (json->unread)
		return put_null(w, AT_INPUT);
	return put_member(w, AT_INPUT, json->input.data != NULL ? json->input : nothing);
}

static bool put_component(struct writer *w, uint32_t at)
{
	static const uint8_t component[] = {
	    URIVET_SCHEME, URIVET_USERINFO, URIVET_HOST,     URIVET_PORT,
	    URIVET_PATH,   URIVET_QUERY,    URIVET_FRAGMENT,
	};
	const struct urivet_json *const json = w->json;
	const uint8_t which = component[at - AT_COMPONENTS];
	if (json->uri == NULL)
		return at > AT_COMPONENTS || put_null(w, KEY_NO_COMPONENTS);
	if (!urivet_has(json->uri, which))
		return put_null(w, at);
	return put_member(w, at, urivet_part(json->uri, which, json->read, json->host));
}

static bool put_host_kind(struct writer *w)
{
	const struct urivet_uri *const uri = w->json->uri;
	if (uri == NULL)
		return put_key(w, KEY_HOST_OF_NOTHING);
	if (uri->host_kind > KEY_HOST_LAST - KEY_HOST)
		return put_null(w, AT_HOST_KIND);
	return put_key(w, KEY_HOST + (uint32_t)uri->host_kind);
}

/* Writes the text of the address, or null if the host is not an address. */
static bool put_address(struct writer *w)
{
	const struct urivet_uri *const uri = w->json->uri;
	const unsigned kind = uri != NULL ? uri->host_kind : URIVET_HOST_NONE;
	char room[48];
	struct out o = {room, sizeof room, 0};
	if (kind == URIVET_HOST_IPV6)
		urivet_put_ipv6(&o, uri->address);
	else if (kind == URIVET_HOST_IPV4 && uri->has_ipv4) /* some editions do not parse
	                                                     * addresses */
		urivet_put_ipv4(&o, uri->address);
	else
		return put_null(w, AT_ADDRESS);
	return put_member(w, AT_ADDRESS, urivet_text_of(room, o.length));
}

static bool put_port_number(struct writer *w)
{
	const struct urivet_uri *const uri = w->json->uri;
	if (uri == NULL || uri->port == URIVET_NO_PORT)
		return put_null(w, AT_PORT);
	if (uri->port == 80 || uri->port == 443)
		return put_key(w, uri->port == 80 ? KEY_PORT_80 : KEY_PORT_443);
	return put_number(w, AT_PORT, uri->port);
}

/* Writes member m of finding k. A finding that this version does not know has no name and no
 * text. */
static bool put_of_finding(struct writer *w, const struct urivet_finding *f, uint32_t k, uint32_t m)
{
	const struct urivet_finding_row *row = urivet_finding_info(f->id);
	const uint32_t key = KEY_FINDING + m;
	switch (m) {
	case 0:
		return put_name(w, k == 0 ? KEY_FIRST_FINDING : key,
				row != NULL ? row->name : NULL);
	case 1:
		return put_number(w, key, f->id);
	case 2:
		return put_name(w, key, urivet_class_name(f->class_));
	case 3:
		return put_name(w, key, urivet_component_name(f->component));
	case 4:
		return put_number(w, key, f->span.offset);
	case 5:
		return put_number(w, key, f->span.length);
	case 6:
		return put_number(w, key, f->count);
	case 7:
		return put_name(w, key, row != NULL ? row->reference : NULL);
	case 8:
		return put_name(w, key, row != NULL ? row->text : NULL);
	default:
		return put_truth(w, key, urivet_finding_refuses(w->json->report, f, w->json->rules));
	}
}

/* Writes a step of the findings, or the final one. Returns false after that. */
static bool put_finding(struct writer *w, uint32_t at)
{
	const struct urivet_report *const report = w->json->report;
	const uint32_t k = at / MEMBERS;
	uint32_t count;
	if (report == NULL)
		return false;
	count = report->count < URIVET_MAX_FINDINGS ? report->count : URIVET_MAX_FINDINGS;
	if (k < count)
		return put_of_finding(w, &report->finding[k], k, at % MEMBERS);
	return at == count * MEMBERS && put_key(w, k == 0 ? KEY_NO_FINDINGS : KEY_LAST_FINDING);
}

/* Writes one step. Returns false if there was not enough room, or at the end. */
static inline bool put_step(struct writer *w, uint32_t at)
{
	const struct urivet_json *const json = w->json;
	switch (at) {
	case AT_INPUT:
		return put_whole_input(w);
	case AT_LENGTH:
		return !json->unread || put_number(w, at, json->input.length);
	case AT_RAW:
		return !json->raw || put_truth(w, at, true);
	case AT_VERDICT:
		return put_key(w, json->report->verdict == URIVET_ACCEPT ? KEY_ACCEPT : KEY_REJECT);
	case AT_POLICY:
		return put_name(w, at, json->policy);
	case AT_HOST_KIND:
		return put_host_kind(w);
	case AT_ADDRESS:
		return put_address(w);
	case AT_PORT:
		return put_port_number(w);
	default:
		return at < AT_HOST_KIND ? put_component(w, at) : put_finding(w, at - AT_FINDINGS);
	}
}

/* Writes steps until there is no more room. */
static void put_json(struct writer *w)
{
	struct urivet_json *const json = w->json;
	uint32_t at;
	if (json->report == NULL && json->position < AT_COMPONENTS)
		json->position = AT_COMPONENTS;
	at = json->position;
	while (put_step(w, at))
		at++;
	json->position = at;
}

size_t urivet_json_next(struct urivet_json *json, char *out, size_t capacity)
{
	struct writer w;
	if (capacity < URIVET_JSON_CAPACITY)
		return 0;
	w = writer_to(out, capacity, capacity - 1, json); /* put() and the like keep room for a
	                                                   * NUL */
	put_json(&w);
	return w.o.length;
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

/* Returns true if the input was too long to be read. That is then the first finding. */
static bool is_unread(const struct urivet_report *report, struct urivet_text input)
{
	if (input.length > URIVET_MAX_LENGTH)
		return true;
	return !report->parsed && report->count > 0 &&
	       report->finding[0].id == URIVET_F_URL_TOO_LONG &&
	       report->finding[0].in == URIVET_IN_INPUT;
}

/* Returns true if the report was filled. Same as urivet_is_filled(), which belongs to a higher
 * layer. */
static bool is_report(const struct urivet_report *report)
{
	return report != NULL && is_known_size(report->size, REPORT_LEAST) &&
	       report->count <= URIVET_MAX_FINDINGS;
}

/* Returns true if all texts that are written are UTF-8. */
static bool is_utf8(const struct urivet_json *json)
{
	const char *const name = json->policy != NULL ? json->policy : "";
	return (json->unread || is_utf8_text(json->input)) &&
	       (json->report->uri.authority_in == URIVET_IN_INPUT || is_utf8_text(json->host)) &&
	       is_utf8_text(urivet_text_of(name, length_of(name)));
}

size_t urivet_format_report(char *out, size_t capacity, const struct urivet_report *report,
			    const void *data, size_t length, const struct urivet_text *host,
			    const struct urivet_policy *policy)
{
	const struct urivet_text input = {data, data != NULL ? length : 0};
	static const struct urivet_report nothing;
	struct urivet_json json = {.report = is_report(report) ? report : &nothing};
	struct writer w = writer_to(out, capacity, SIZE_MAX, &json);
	json.uri = json.report->parsed ? &json.report->uri : NULL;
	json.input = json.read = input;
	if (host != NULL)
		json.host = *host;
	json.policy = policy != NULL ? policy->name : urivet_strict.name;
	json.rules = policy;
	json.unread = is_unread(json.report, input);
	json.raw = !is_utf8(&json);
	put_json(&w);
	put(&w.o, '}');
	return put_end(&w.o);
}
