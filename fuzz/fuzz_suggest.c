/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions: accepted, final, short, and of the same meaning. Also checks translations of text
 * that is not ASCII. */
#include <urivet/reference.h>
#include <urivet/spelling.h>

#include "oracles.h"
#include "../tests/built_in.h"

/* Returns true if a finding passes only because the policy waives it. No suggestion is made from
 * such a report. */
static bool is_let_through(const struct urivet_report *r, const struct urivet_policy *policy)
{
	for (uint32_t k = 0; k < r->count; k++)
		if ((policy->waived.bits[r->finding[k].id / 64] >> r->finding[k].id % 64 & 1) != 0)
			return true;
	return r->dropped > 0;
}

/* Checks that a suggestion has no further suggestion. */
static void expect_normal(const char *text, size_t length, const struct urivet_policy *policy)
{
	const size_t room = length + 3; /* enough for a text that already is a URI */
	char *normal = room_for(room);
	const size_t n = urivet_normalise(normal, room, text, length, URIVET_LEVEL_SCHEME,
					  URIVET_READER_RFC3986, NULL);
	struct urivet_report r, s;
	urivet_check(&r, text, length, policy);
	if (n > 0 && n < room && urivet_check(&s, normal, n, policy) == URIVET_ACCEPT &&
	    s.count == 0 && s.dropped == 0 &&
	    urivet_has(&r.uri, URIVET_AUTHORITY) == urivet_has(&s.uri, URIVET_AUTHORITY))
		oracle(n == length && memcmp(normal, text, n) == 0,
		       "a suggestion is the normal form, where nothing is found in that");
	free(normal);
}

static void suggest(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	const size_t room = 3 * length + 3;
	char *first = room_for(room), *second = room_for(room + 1);
	const size_t n = urivet_suggest(first, room, data, length, policy);
	struct urivet_report r;
	struct urivet_uri uri;
	oracle(n <= 3 * length + 2, "no spelling is longer than three times the input and two octets");
	if (n > 0) {
		oracle(urivet_check(&r, first, n, policy) == URIVET_ACCEPT,
		       "a suggestion is accepted");
		oracle(urivet_suggest(second, room + 1, first, n, policy) == n &&
			   memcmp(first, second, n) == 0,
		       "a suggestion suggests itself");
		/* text that only an opaque query allows is not a URI, and is equal only to
		 * itself */
		oracle(!urivet_parse(&uri, first, n, NULL) || !urivet_parse(&uri, data, length, NULL) ||
			   urivet_compare(urivet_text_of(data, length), urivet_text_of(first, n), false, NULL, 0) >=
			       URIVET_EQUAL_BY_SCHEME,
		       "a suggestion is equivalent");
	}
	if (n > 0)
		expect_normal(first, n, policy);
	oracle(n > 0 || urivet_check(&r, data, length, policy) == URIVET_REJECT || is_let_through(&r, policy),
	       "what is accepted has a canonical spelling");
	free(first);
	free(second);
}

static bool is_ascii(const char *text, size_t length)
{
	for (size_t k = 0; k < length; k++)
		if ((unsigned char)text[k] >= 0x80)
			return false;
	return true;
}

/* Returns the host and port after "://" at the start of a text, or an empty text. */
static struct urivet_text host_of(const uint8_t *data, size_t length)
{
	const uint8_t *const colon = length > 0 ? memchr(data, ':', length) : NULL;
	size_t begin = colon != NULL ? (size_t)(colon - data) + 3 : length, end;
	if (begin >= length || memcmp(colon, "://", 3) != 0)
		return urivet_text_of(NULL, 0);
	for (end = begin; end < length && strchr("/?#@", data[end]) == NULL; end++)
		;
	return end < length && data[end] == '@' ? urivet_text_of(NULL, 0)
						: urivet_text_of(data + begin, end - begin);
}

/* Returns true if a label of the host has a Hebrew letter and ends with a digit. */
static bool has_digit_at_left(struct urivet_text host)
{
	const uint8_t *const data = host.data;
	bool hebrew = false, digit = false;
	for (size_t at = 0; at < host.length && data[at] != ':'; at++) {
		if (data[at] == '.' && hebrew && digit)
			return true;
		hebrew =
		    data[at] != '.' && (hebrew || (data[at] == 0xd7 && at + 1 < host.length &&
						   data[at + 1] >= 0x90 && data[at + 1] <= 0xaa));
		digit = data[at] >= '0' && data[at] <= '9';
	}
	return hebrew && digit;
}

/* Checks a translation: it is ASCII, accepted and final. */
static void translate(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	const size_t room = urivet_size_of(URIVET_CAPACITY_IRI, length);
	char *out = room_for(room);
	struct urivet_iri iri;
	struct urivet_report r;
	const size_t n = urivet_suggest_iri(&iri, out, room, data, length, policy);
	oracle(n < room / 2, "a translation is shorter than half its room");
	oracle((iri.outcome == URIVET_IRI_ASCII) == is_ascii((const char *)data, length), "ASCII is reported");
	oracle(iri.outcome == URIVET_IRI_ASCII || (iri.outcome == URIVET_IRI_OFFERED) == (n > 0),
	       "what is offered is written, and nothing else");
	oracle(iri.span.offset <= length && iri.span.length <= length - iri.span.offset, "the place lies inside");
	oracle((iri.outcome == URIVET_IRI_DISAGREE) <= (iri.span.length > 0 && iri.id != 0), "who disagrees says where");
	oracle(n == 0 || !has_digit_at_left(host_of(data, length)),
	       "what runs from right to left ends with a letter (RFC 3454, 6)");
	if (n > 0) {
		oracle(is_ascii(out, n) && urivet_check(&r, out, n, policy) == URIVET_ACCEPT,
		       "what is offered is ASCII and accepted");
		char *again = room_for(urivet_size_of(URIVET_CAPACITY_IRI, n));
		oracle(urivet_suggest_iri(&iri, again, urivet_size_of(URIVET_CAPACITY_IRI, n), out, n, policy) == n &&
			   memcmp(out, again, n) == 0,
		       "what is offered is final");
		free(again);
	}
	oracle(urivet_suggest_iri(&iri, out, room - 1, data, length, policy) == room, "with less room the room is reported");
	free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	suggest(data, length, BY_STRICT);
	suggest(data, length, BY_PUBLIC);
	suggest(data, length, BY_ANY);
	suggest(data, length, BY_GATEWAY);
	translate(data, length, NULL); /* which is strict */
	translate(data, length, BY_ANY);
	return 0;
}
