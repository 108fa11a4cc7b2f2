/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison: reflexive, symmetric, transitive, and consistent with normal forms. */
#include <urivet/reference.h>

#include "../tests/built_in.h"
#include "oracles.h"

static enum urivet_rung rung(const uint8_t *const at[3], const size_t length[3], unsigned a,
			     unsigned b)
{
	return urivet_compare(urivet_text_of(at[a], length[a]), urivet_text_of(at[b], length[b]),
			      false, NULL, 0);
}

/* Splits the input at spaces into three. If there are fewer, the first one is used again. */
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

/* Checks that URLs redirecting to each other are equal at the protocol rung at least, and that
 * unrelated redirects change nothing. */
static void by_redirects(const uint8_t *const at[3], const size_t length[3], enum urivet_rung found)
{
	const struct urivet_text a = urivet_text_of(at[0], length[0]),
				 b = urivet_text_of(at[1], length[1]);
	const struct urivet_text c = urivet_text_of(at[2], length[2]),
				 other = urivet_text_of("http://other.invalid/x", 22);
	const struct urivet_redirect there = {a, b}, elsewhere = {other, b},
				     chain[2] = {{other, b}, {a, other}};
	const bool readable =
	    urivet_parse(&(struct urivet_uri){.port = 0}, a.data, a.length, NULL) &&
	    urivet_parse(&(struct urivet_uri){.port = 0}, b.data, b.length, NULL);
	const enum urivet_rung known =
	    found > URIVET_EQUAL_BY_PROTOCOL ? found : URIVET_EQUAL_BY_PROTOCOL;
	const bool apart = !same(c.data, c.length, other.data, other.length);
	if (readable) {
		oracle(urivet_compare(a, b, false, &there, 1) == known,
		       "what redirects to the other is equal by protocol");
		oracle(urivet_compare(b, a, false, &there, 1) == known,
		       "redirects are followed in both directions");
		oracle(urivet_compare(a, b, false, chain, 2) == known, "redirects lead on");
	}
	oracle(!apart || urivet_compare(a, b, false, &elsewhere, 1) >= found,
	       "a redirect sets nothing apart");
	if (readable && found == URIVET_DIFFERENT &&
	    urivet_compare(a, other, false, NULL, 0) == URIVET_DIFFERENT &&
	    urivet_compare(b, other, false, NULL, 0) == URIVET_DIFFERENT)
		oracle(urivet_compare(a, b, false, &elsewhere, 1) == URIVET_DIFFERENT,
		       "redirects of others change nothing");
}

/* Checks that ignoring fragments gives the same as cutting them off. */
static void without_fragments(const uint8_t *const at[3], const size_t length[3])
{
	struct urivet_text a = urivet_text_of(at[0], length[0]),
			   b = urivet_text_of(at[1], length[1]);
	struct urivet_text whole_a = a, whole_b = b;
	const struct urivet_text x = up_to(&whole_a, '#'), y = up_to(&whole_b, '#');
	struct urivet_uri uri;
	if (urivet_parse(&uri, a.data, a.length, NULL) &&
	    urivet_parse(&uri, b.data, b.length, NULL) && !same(a.data, a.length, b.data, b.length))
		oracle((urivet_compare(a, b, true, NULL, 0) > URIVET_DIFFERENT) ==
			   (urivet_compare(x, y, false, NULL, 0) > URIVET_DIFFERENT),
		       "fragments left out are fragments cut off");
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
	by_redirects(at, lengths, ab);
	without_fragments(at, lengths);
	return 0;
}
