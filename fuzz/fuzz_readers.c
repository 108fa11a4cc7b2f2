/* SPDX-License-Identifier: Apache-2.0 */
/* Readers: spans lie in their text, no reader disagrees on what `strict` accepts, and readers
 * that connect to different places are reported as disagreeing. */
#include <urivet/readers.h>

#include "oracles.h"

/* Returns true if the reading has an IPv4 address and a port: it needs no name lookup. */
static bool is_place(const struct urivet_reading *r)
{
	return r->reads && r->uri.has_ipv4;
}

static bool is_other_place(const struct urivet_uri *a, const struct urivet_uri *b)
{
	return memcmp(a->address, b->address, 4) != 0 || a->port != b->port;
}

/* Overwrites `out`, because addresses and ports are stored in the readings themselves. */
static void expect_disagreement(const uint8_t *data, size_t length, char *out, size_t room,
				bool disagree)
{
	static const enum urivet_reader readers[] = {URIVET_READER_RFC3986, URIVET_READER_BROWSER,
						     URIVET_READER_RESOLVER};
	struct urivet_reading seen[3];
	for (unsigned k = 0; k < 3; k++)
		urivet_read_as(&seen[k], readers[k], data, length, out, room);
	for (unsigned k = 0; k < 3; k++) {
		const struct urivet_reading *a = &seen[k], *b = &seen[(k + 1) % 3];
		oracle(disagree || !is_place(a) || !is_place(b) ||
			   !is_other_place(&a->uri, &b->uri),
		       "who connects to other places disagrees");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	const size_t room = URIVET_READING_CAPACITY(length);
	char *out = room_for(2 * room);
	const bool accepted = urivet_ok(data, length);
	const bool disagree =
	    urivet_readers_disagree(urivet_text_of(data, length), out, 2 * room, NULL, NULL, NULL);
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
	oracle(!accepted || !disagree, "readers agree on what strict accepts");
	expect_disagreement(data, length, out, room, disagree);
	free(out);
	return 0;
}
