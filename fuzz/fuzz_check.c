/* SPDX-License-Identifier: Apache-2.0 */
/* Judging: reports are sound, parsing agrees, suggestions are accepted and final. */
#include "oracles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static void suggest(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	const size_t room = length + 3;
	char *first = malloc(room), *second = malloc(room + 1);
	struct urivet_report r;
	const size_t n = urivet_suggest(first, room, data, length, policy);
	oracle(n <= length + 2, "no spelling is longer than the input and two octets");
	if (n > 0) {
		oracle(urivet_check(&r, first, n, policy) == URIVET_ACCEPT,
		       "a suggestion is accepted");
		oracle(urivet_suggest(second, room + 1, first, n, policy) == n &&
			   memcmp(first, second, n) == 0,
		       "a suggestion suggests itself");
	}
	free(first);
	free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	const struct urivet_policy *const policies[] = {&urivet_policy_strict, &urivet_policy_any};
	struct urivet_report r;
	struct urivet_uri uri;
	const bool parsed = urivet_parse(&uri, data, length, NULL);
	for (unsigned k = 0; k < 2; k++) {
		urivet_check(&r, data, length, policies[k]);
		expect_sound(&r, length);
		oracle(length > policies[k]->max_length || r.parsed == parsed,
		       "check and parse agree on the grammar");
		suggest(data, length, policies[k]);
	}
	oracle(urivet_ok(data, length) == (urivet_check(&r, data, length, NULL) == URIVET_ACCEPT),
	       "urivet_ok is the verdict of strict");
	/* the first half as a target, the second as its Host field */
	urivet_check_target(&r, data, length / 2, data + length / 2, length - length / 2, NULL,
			    NULL);
	expect_sound(&r, length);
	urivet_check_target(&r, data, length, NULL, 0, NULL, NULL);
	expect_sound(&r, length);
	return 0;
}
