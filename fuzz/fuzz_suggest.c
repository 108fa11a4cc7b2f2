/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions: accepted, final, short, and of the same meaning. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	suggest(data, length, BY_STRICT);
	suggest(data, length, BY_PUBLIC);
	suggest(data, length, BY_ANY);
	suggest(data, length, BY_GATEWAY);
	return 0;
}
