/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters: pairs joined again are the query, decoded text is decoded once, an accepted value of
 * the same origin is so for browsers, and judging all parameters equals judging each one.
 */
#include <urivet/parameters.h>
#include <urivet/reference.h>

#include "../tests/built_in.h"
#include "oracles.h"

static const char home[] = "http://example.com/a/b";

/* ---- Pairs and decoding -------------------------------------------------------------- */

static size_t ampersands(const uint8_t *data, size_t from, size_t to)
{
	while (from < to && data[from] == '&')
		from++;
	return from;
}

static void walk(const uint8_t *data, size_t length)
{
	struct urivet_parameter_scan scan = {.data = data, .length = length};
	struct urivet_parameter p;
	size_t at = 0;
	while (urivet_parameter_next(&scan, &p)) {
		const size_t start = ampersands(data, at, length);
		const size_t equals = (size_t)p.name.offset + p.name.length;
		oracle(within(p.name, length) && within(p.value, length),
		       "names and values lie in the query");
		oracle(p.name.offset == start && (at == 0 || start > at),
		       "pairs stand between ampersands");
		oracle(p.value.offset == equals + p.has_value &&
			   (!p.has_value || data[equals] == '='),
		       "a value begins after the equals sign");
		at = (size_t)p.value.offset + p.value.length;
		oracle(at > start && (at == length || data[at] == '&'),
		       "a pair ends at an ampersand");
		oracle(memchr(data + start, '&', at - start) == NULL &&
			   memchr(data + start, '=', p.name.length) == NULL,
		       "no ampersand in a pair, no equals sign in a name");
	}
	oracle(ampersands(data, at, length) == length, "no octet is lost after the last pair");
}

static void decode(const uint8_t *data, size_t length, enum urivet_coding coding)
{
	enum urivet_decoded how, again;
	size_t fault = length,
	       n = urivet_decode(NULL, 0, urivet_text_of(data, length), coding, &how, &fault);
	char *const out = room_for(n + 1), *const escaped = room_for(3 * n + 1),
		    *const back = room_for(n + 1);
	oracle(n <= length, "decoding makes no text longer");
	oracle((how == URIVET_DECODED) == (fault == length), "a fault has an offset in the text");
	oracle(urivet_decode(out, n + 1, urivet_text_of(data, length), coding, NULL, NULL) == n &&
		   strlen(out) == n,
	       "what is decoded has no NUL");
	for (size_t k = 0; k < n; k++)
		sprintf(escaped + 3 * k, "%%%02x", (unsigned char)out[k]);
	oracle(urivet_decode(back, n + 1, urivet_text_of(escaped, 3 * n), coding, &again, NULL) ==
		       n &&
		   again == URIVET_DECODED && memcmp(out, back, n) == 0,
	       "what was decoded and is escaped decodes to the same");
	free(out);
	free(escaped);
	free(back);
}

/* ---- Origins ------------------------------------------------------------------------- */

/* Returns true if browsers read the same host in both URLs. */
static bool browser_stays(const char *base, size_t base_length, const char *target, size_t length)
{
	const size_t one = URIVET_READING_CAPACITY(base_length),
		     other = URIVET_READING_CAPACITY(length);
	char *const a = room_for(one), *const b = room_for(other);
	struct urivet_reading x, y;
	const bool reads = urivet_read_as(&x, URIVET_READER_BROWSER, base, base_length, a, one) &&
			   urivet_read_as(&y, URIVET_READER_BROWSER, target, length, b, other);
	const struct urivet_span h = x.uri.part[URIVET_HOST], i = y.uri.part[URIVET_HOST];
	const bool stays = reads && x.uri.scheme == y.uri.scheme && x.uri.port == y.uri.port &&
			   same(a + h.offset, h.length, b + i.offset, i.length);
	free(a);
	free(b);
	return stays;
}

static void keep_origin(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	const size_t capacity = sizeof home + length + 9;
	char *const out = room_for(capacity);
	struct urivet_report r;
	if (urivet_check_reference(&r, out, capacity, urivet_text_of(home, sizeof home - 1),
					urivet_text_of(data, length), URIVET_REFERENCE_SAME_ORIGIN,
					policy) == URIVET_ACCEPT) {
		oracle(browser_stays(home, sizeof home - 1, out, strlen(out)),
		       "an accepted reference stays on the origin for browsers");
		oracle(urivet_check(&r, out, strlen(out), policy) == URIVET_ACCEPT,
		       "its target is accepted");
	}
	free(out);
}

/* ---- Parameters ---------------------------------------------------------------------- */

/* Returns the number of refused parameters, judged one after the other. */
static uint32_t refused(const struct urivet_report *r, const struct urivet_parameter_input *in,
			const struct urivet_parameter_rules *rules)
{
	const struct urivet_text query =
	    urivet_part(&r->uri, URIVET_QUERY, in->text, urivet_text_of(NULL, 0));
	struct urivet_parameter_scan scan = {.data = query.data, .length = query.length};
	struct urivet_parameter p;
	uint32_t count = 0, judged = 0;
	while (urivet_parameter_next(&scan, &p)) {
		struct urivet_report inner;
		struct urivet_parameter_texts texts;
		const enum urivet_parameter_result result =
		    urivet_check_parameter(&inner, &texts, &p, r, in, rules);
		oracle((inner.verdict == URIVET_ACCEPT) == (result == URIVET_PARAMETER_ACCEPTED),
		       "a parameter is accepted as its report says");
		for (uint32_t k = 0; k < inner.count; k++)
			oracle(inner.finding[k].id == URIVET_F_URL_TOO_LONG ||
				   within(inner.finding[k].span, texts.judged.length),
			       "spans lie in the text that was judged");
		judged += result != URIVET_PARAMETER_NOT_ASKED;
		count += judged > URIVET_MAX_PARAMETERS || (result != URIVET_PARAMETER_ACCEPTED &&
							    result != URIVET_PARAMETER_NOT_ASKED);
	}
	return judged > URIVET_MAX_PARAMETERS ? UINT32_MAX : count;
}

static void judge(const uint8_t *data, size_t length, const struct urivet_parameter_rules *rules)
{
	const size_t capacity = URIVET_PARAMETERS_CAPACITY(length);
	char *const buffer = room_for(capacity);
	const struct urivet_parameter_input in = {urivet_text_of(data, length), NULL, buffer,
						  capacity};
	struct urivet_report r, before, spare;
	uint32_t count;
	urivet_check(&r, data, length, BY_ANY);
	before = r;
	count = r.parsed ? refused(&r, &in, rules) : 0;
	urivet_check_parameters(&r, &spare, &in, rules, BY_ANY);
	oracle(r.verdict == (count > 0 ? URIVET_REJECT : before.verdict),
	       "a refused parameter refuses the input");
	for (uint32_t k = 0; k < r.count; k++)
		if (r.finding[k].id == URIVET_F_PARAM_REFUSED)
			oracle((count == UINT32_MAX || r.finding[k].count == count) &&
				   within(r.finding[k].span, length),
			       "each refused parameter is counted, and lies in the input");
	free(buffer);
}

/* Judges the octets as a value that must stay on its origin. */
static void judge_value(const uint8_t *data, size_t length, struct urivet_parameter_rules rules)
{
	static const char front[] = "http://example.com/a/b?v=";
	const size_t head = sizeof front - 1, whole = head + 3 * length,
		     capacity = URIVET_PARAMETERS_CAPACITY(whole);
	char *const input = room_for(whole + 1), *const buffer = room_for(capacity);
	const struct urivet_parameter_input in = {urivet_text_of(input, whole), NULL, buffer,
						  capacity};
	const struct urivet_parameter p = {{0, 1}, {2, (uint32_t)(3 * length)}, true};
	struct urivet_parameter_texts texts;
	struct urivet_report r, inner;
	memcpy(input, front, head);
	for (size_t k = 0; k < length; k++)
		sprintf(input + head + 3 * k, "%%%02X", data[k]);
	rules.same_origin = true;
	urivet_check(&r, input, whole, BY_ANY);
	if (r.parsed && urivet_check_parameter(&inner, &texts, &p, &r, &in, &rules) ==
			    URIVET_PARAMETER_ACCEPTED) {
		const bool path = !urivet_has(&inner.uri, URIVET_SCHEME);
		struct builder b = {room_for(sizeof home + texts.judged.length), 0};
		oracle(same(texts.value.data, texts.value.length, data, length),
		       "a value is decoded once");
		oracle(!rules.absolute ||
			   (!path && same(texts.judged.data, texts.judged.length, data, length)),
		       "a value that has to be absolute is one, and is judged as it is");
		add(&b, home, path ? sizeof "http://example.com" - 1 : 0);
		add(&b, path && texts.judged.length == 0 ? "/" : "",
		    path && texts.judged.length == 0);
		add(&b, texts.judged.data, texts.judged.length);
		oracle(browser_stays(home, sizeof home - 1, b.text, b.length),
		       "an accepted value stays on the origin for browsers");
		free(b.text);
	}
	free(input);
	free(buffer);
}

/* Judges the octets as a value that is decoded twice: the result is the octets decoded once
 * more. */
static void judge_twice(const uint8_t *data, size_t length, struct urivet_parameter_rules rules)
{
	static const char front[] = "http://example.com/a/b?v=";
	const size_t head = sizeof front - 1, whole = head + 3 * length,
		     capacity = URIVET_PARAMETERS_CAPACITY(whole);
	char *const input = room_for(whole + 1), *const buffer = room_for(capacity),
		    *const wanted = room_for(length + 1);
	const struct urivet_parameter_input in = {urivet_text_of(input, whole), NULL, buffer,
						  capacity};
	const struct urivet_parameter p = {{0, 1}, {2, (uint32_t)(3 * length)}, true};
	struct urivet_parameter_texts texts;
	struct urivet_report r, inner;
	enum urivet_decoded how;
	const size_t n = urivet_decode(wanted, length + 1, urivet_text_of(data, length),
				       URIVET_CODING_FORM, &how, NULL);
	memcpy(input, front, head);
	for (size_t k = 0; k < length; k++)
		sprintf(input + head + 3 * k, "%%%02X", data[k]);
	rules.times = 2;
	urivet_check(&r, input, whole, BY_ANY);
	if (r.parsed && urivet_check_parameter(&inner, &texts, &p, &r, &in, &rules) ==
			    URIVET_PARAMETER_ACCEPTED)
		oracle(how == URIVET_DECODED &&
			   same(texts.value.data, texts.value.length, wanted, n),
		       "a value that is decoded twice is");
	free(input);
	free(buffer);
	free(wanted);
}

/* As many parameters as are judged are accepted, and one more is not. The value is accepted alone. */
static void expect_most(const uint8_t *data, size_t length, const struct urivet_parameter_rules *rules)
{
	static const char front[] = "http://example.com/a/b?";
	const size_t pair = length + 3, whole = sizeof front - 1 + (URIVET_MAX_PARAMETERS + 1) * pair,
		     capacity = URIVET_PARAMETERS_CAPACITY(whole);
	char *const buffer = room_for(capacity);
	struct builder b = {room_for(whole), 0};
	struct urivet_policy roomy = built_in(URIVET_ANY);
	enum urivet_verdict verdict[3];
	roomy.max_length = URIVET_MAX_LENGTH;
	add_word(&b, front);
	for (uint32_t k = 0, judged = 0; k <= URIVET_MAX_PARAMETERS; k++) {
		struct urivet_report r, spare;
		struct urivet_parameter_input in = {.buffer = buffer, .capacity = capacity};
		add_word(&b, "u=");
		add(&b, data, length);
		add_word(&b, "&");
		if (k != 0 && k + 2 <= URIVET_MAX_PARAMETERS)
			continue;
		in.text = urivet_text_of(b.text, b.length);
		urivet_check(&r, b.text, b.length, &roomy);
		if (r.verdict == URIVET_REJECT)
			break;
		verdict[judged++] = urivet_check_parameters(&r, &spare, &in, rules, &roomy);
		oracle(judged < 2 || verdict[0] == URIVET_REJECT || verdict[judged - 1] == (judged == 2 ? URIVET_ACCEPT : URIVET_REJECT),
		       "so many parameters are judged, and no more are accepted");
	}
	free(buffer);
	free(b.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static const struct urivet_text names[] = {{"u", 1}, {"url", 3}, {"v", 1}};
	struct urivet_policy waived = built_in(URIVET_ANY);
	struct urivet_parameter_rules rules;
	struct builder b = {room_for(length + 32), 0};
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
		if (id != URIVET_F_CROSS_ORIGIN)
			urivet_policy_waive(&waived, id);
	walk(data, length);
	decode(data, length, URIVET_CODING_FORM);
	decode(data, length, URIVET_CODING_PERCENT);
	keep_origin(data, length, BY_STRICT);
	keep_origin(data, length, BY_ANY);
	keep_origin(data, length, &waived);
	if (!urivet_parameter_rules_init(&rules, sizeof rules))
		abort();
	rules.policy = BY_PUBLIC;
	add_word(&b, "http://example.com/a/b?v=");
	add(&b, data, length);
	for (uint32_t how = 0; how < 4; how++) {
		rules.times = how == 1 ? 2 : 1;
		rules.same_origin = how == 2;
		rules.absolute = how == 3;
		rules.count = 0;
		judge(data, length, &rules);
		rules.names = names;
		rules.count = 3;
		judge(data, length, &rules);
		judge((const uint8_t *)b.text, b.length, &rules);
	}
	free(b.text);
	rules.times = 1;
	rules.same_origin = rules.absolute = false;
	if (length % 16 == 0 && length < 64 && memchr(data, '&', length) == NULL && memchr(data, '#', length) == NULL)
		expect_most(data, length, &rules);
	if (length < 4096) {
		judge_value(data, length, rules);
		judge_twice(data, length, rules);
		rules.policy = &waived;
		judge_value(data, length, rules);
		rules.absolute = true;
		judge_value(data, length, rules);
		rules.policy = BY_PUBLIC;
		judge_value(data, length, rules);
	}
	return 0;
}
