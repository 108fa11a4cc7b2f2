/* SPDX-License-Identifier: Apache-2.0 */
/* References: targets are URIs, normal forms are normal, comparison is symmetric. */
#include "oracles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static void resolve(const uint8_t *base, size_t base_length, const uint8_t *reference,
		    size_t length, char *out, size_t room)
{
	for (unsigned k = URIVET_READER_RFC3986; k <= URIVET_READER_URL_1996; k++) {
		enum urivet_resolved how;
		struct urivet_uri uri;
		const size_t n =
		    urivet_resolve(out, room, k, base, base_length, reference, length, false, &how);
		oracle(how != URIVET_UNRESOLVED || n == 0, "nothing comes of what is not resolved");
		if (k == URIVET_READER_RFC3986 && how == URIVET_RESOLVED)
			oracle(n < room && urivet_parse(&uri, out, n, NULL) &&
				   urivet_has(&uri, URIVET_SCHEME),
			       "a target is a URI");
	}
}

static void normalise(const uint8_t *data, size_t length, char *out, size_t room)
{
	char *again = malloc(room);
	for (unsigned level = 0; level < 2; level++) {
		bool readable;
		const size_t n = urivet_normalise(out, room, data, length, level,
						  URIVET_READER_RFC3986, &readable);
		oracle(n < room, "a normal form is hardly longer than the input");
		oracle(!readable || (urivet_normalise(again, room, out, n, level,
						      URIVET_READER_RFC3986, NULL) == n &&
				     memcmp(again, out, n) == 0),
		       "a normal form is its own normal form");
	}
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	const size_t half = length / 2, room = length + 16;
	char *out = malloc(room);
	resolve(data, half, data + half, length - half, out, room);
	resolve((const uint8_t *)"http://a/b/c/d", 14, data, length, out, room);
	normalise(data, length, out, room);
	oracle(urivet_compare(data, half, data + half, length - half, false, NULL, 0) ==
		   urivet_compare(data + half, length - half, data, half, false, NULL, 0),
	       "comparison is symmetric");
	oracle(urivet_compare(data, length, data, length, true, NULL, 0) == URIVET_IDENTICAL,
	       "an input is identical to itself");
	free(out);
	return 0;
}
