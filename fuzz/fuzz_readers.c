/* SPDX-License-Identifier: Apache-2.0 */
/* Readers: spans lie in their text, and none disagrees on what strict accepts. */
#include "oracles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	const size_t room = URIVET_READING_CAPACITY(length);
	char *out = room_for(2 * room);
	const bool accepted = urivet_ok(data, length);
	for (unsigned k = 0; k < URIVET_READERS; k++) {
		struct urivet_reading r;
		const bool reads = urivet_read_as(&r, k, data, length, out, room);
		oracle(reads || !accepted || k != URIVET_READER_RFC3986,
		       "RFC 3986 reads what strict accepts");
		if (!reads)
			continue;
		for (unsigned c = 0; c < URIVET_COMPONENTS; c++)
			oracle(within(r.uri.part[c], r.written > 0 ? r.written : length),
			       "a component lies in the text that was read");
	}
	oracle(!accepted || !urivet_readers_disagree(urivet_text_of(data, length), out, 2 * room, NULL),
	       "readers agree on what strict accepts");
	free(out);
	return 0;
}
