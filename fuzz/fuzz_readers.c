/* SPDX-License-Identifier: Apache-2.0 */
/* Readers: spans lie in their text, and none disagrees on what strict accepts. */
#include "oracles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	const size_t room = URIVET_READING_CAPACITY(length);
	char *out = malloc(2 * room);
	for (unsigned k = 0; k < URIVET_READERS; k++) {
		struct urivet_reading r;
		if (!urivet_read_as(&r, k, data, length, out, room))
			continue;
		for (unsigned c = 0; c < URIVET_COMPONENTS; c++)
			oracle(within(r.uri.part[c], r.written > 0 ? r.written : length),
			       "a component lies in the text that was read");
	}
	oracle(!(urivet_ok(data, length) &&
		 urivet_readers_disagree(data, length, out, 2 * room, NULL)),
	       "readers agree on what strict accepts");
	free(out);
	return 0;
}
