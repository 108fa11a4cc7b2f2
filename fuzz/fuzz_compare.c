/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison: reflexive, symmetric, transitive, and what normal forms say. */
#include "oracles.h"
#include "../tests/built_in.h"

static enum urivet_rung rung(const uint8_t *const at[3], const size_t length[3], unsigned a,
			     unsigned b)
{
	return urivet_compare(urivet_text_of(at[a], length[a]), urivet_text_of(at[b], length[b]), false, NULL, 0);
}

/* Three inputs with spaces between; where there are fewer, the last ones are the first. */
static void split(const uint8_t *data, size_t length, const uint8_t *at[3], size_t lengths[3])
{
	for (unsigned k = 0; k < 3; k++) {
		const uint8_t *space = length > 0 ? memchr(data, ' ', length) : NULL;
		at[k] = data;
		lengths[k] = space != NULL ? (size_t)(space - data) : length;
		if (space == NULL)
			continue;
		data += lengths[k] + 1;
		length -= lengths[k] + 1;
	}
}

static void by_normal_forms(const uint8_t *const at[3], const size_t length[3],
			    enum urivet_rung found)
{
	char *a = room_for(length[0] + 16), *b = room_for(length[1] + 16);
	bool a_reads, b_reads;
	const size_t n = urivet_normalise(a, length[0] + 16, at[0], length[0], URIVET_LEVEL_SYNTAX,
					  URIVET_READER_RFC3986, &a_reads);
	const size_t m = urivet_normalise(b, length[1] + 16, at[1], length[1], URIVET_LEVEL_SYNTAX,
					  URIVET_READER_RFC3986, &b_reads);
	if (a_reads && b_reads)
		oracle((found >= URIVET_EQUAL_BY_SYNTAX) == same(a, n, b, m),
		       "equal by syntax is equal normal forms");
	free(a);
	free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	const uint8_t *at[3];
	size_t lengths[3];
	enum urivet_rung ab, bc, ac;
	split(data, length, at, lengths);
	ab = rung(at, lengths, 0, 1);
	bc = rung(at, lengths, 1, 2);
	ac = rung(at, lengths, 0, 2);
	oracle(rung(at, lengths, 0, 0) == URIVET_IDENTICAL, "an input is identical to itself");
	oracle(rung(at, lengths, 1, 0) == ab, "comparison is symmetric");
	oracle(ac >= (ab < bc ? ab : bc), "comparison is transitive");
	oracle((ab == URIVET_IDENTICAL) == same(at[0], lengths[0], at[1], lengths[1]),
	       "identical is the same octets");
	by_normal_forms(at, lengths, ab);
	return 0;
}
