/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions: accepted, final, short, and of the same meaning; translations of what is not ASCII. */
#include "oracles.h"
#include "../tests/built_in.h"

/* Is there a finding that stands only because the policy waives it? No spelling is made with one. */
static bool is_let_through(const struct urivet_report *r, const struct urivet_policy *policy)
{
	for (uint32_t k = 0; k < r->count; k++)
		if ((policy->waived.bits[r->finding[k].id / 64] >> r->finding[k].id % 64 & 1) != 0)
			return true;
	return r->dropped > 0;
}

static void suggest(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	const size_t room = length + 3;
	char *first = room_for(room), *second = room_for(room + 1);
	const size_t n = urivet_suggest(first, room, data, length, policy);
	struct urivet_report r;
	struct urivet_uri uri;
	oracle(n <= length + 2, "no spelling is longer than the input and two octets");
	if (n > 0) {
		oracle(urivet_check(&r, first, n, policy) == URIVET_ACCEPT,
		       "a suggestion is accepted");
		oracle(urivet_suggest(second, room + 1, first, n, policy) == n &&
			   memcmp(first, second, n) == 0,
		       "a suggestion suggests itself");
		/* what an opaque query may hold is no URI, and equal to itself alone */
		oracle(!urivet_parse(&uri, first, n, NULL) ||
			   urivet_compare(urivet_text_of(data, length), urivet_text_of(first, n), false, NULL, 0) >=
			       URIVET_EQUAL_BY_SCHEME,
		       "a suggestion is equivalent");
	}
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

/* What is said of a translation: what is offered is ASCII, accepted and final. */
static void translate(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	const size_t room = urivet_iri_capacity(length);
	char *out = room_for(room);
	struct urivet_iri iri;
	struct urivet_report r;
	const size_t n = urivet_suggest_iri(&iri, out, room, data, length, policy);
	oracle(n < room / 2, "a translation is shorter than half its room");
	oracle((iri.outcome == URIVET_IRI_ASCII) == is_ascii((const char *)data, length), "ASCII is told");
	oracle(iri.outcome == URIVET_IRI_ASCII || (iri.outcome == URIVET_IRI_OFFERED) == (n > 0),
	       "what is offered is written, and nothing else");
	oracle(iri.span.offset <= length && iri.span.length <= length - iri.span.offset, "the place lies inside");
	oracle((iri.outcome == URIVET_IRI_DISAGREE) <= (iri.span.length > 0 && iri.id != 0), "who disagrees says where");
	if (n > 0) {
		oracle(is_ascii(out, n) && urivet_check(&r, out, n, policy) == URIVET_ACCEPT,
		       "what is offered is ASCII and accepted");
		char *again = room_for(urivet_iri_capacity(n));
		oracle(urivet_suggest_iri(&iri, again, urivet_iri_capacity(n), out, n, policy) == n &&
			   memcmp(out, again, n) == 0,
		       "what is offered is final");
		free(again);
	}
	oracle(urivet_suggest_iri(&iri, out, room - 1, data, length, policy) == room, "with less room the room is told");
	free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	suggest(data, length, BY_STRICT);
	suggest(data, length, BY_PUBLIC);
	suggest(data, length, BY_ANY);
	suggest(data, length, BY_GATEWAY);
	translate(data, length, BY_STRICT);
	translate(data, length, BY_ANY);
	return 0;
}
