/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Iterates over the records of a block. Most records are so short that a memchr(3) call for each
 * would cost more than the search itself. With SSE2, 64 octets are searched at once from the start
 * of the record. Its end is nearly always among them, so the branch is well predicted.
 */
#ifndef CLI_CURSOR_H
#define CLI_CURSOR_H

#include "common/text/octets.h"
#include <stdbool.h>

struct cursor {
	const uint8_t *at;   /* start of the next record */
	const uint8_t *stop; /* end of the block */
	uint8_t terminator;
	bool crlf; /* a CR before the terminator belongs to the line end */
};

static inline struct cursor cursor_over(struct octets block, uint8_t terminator, bool crlf)
{
	return (struct cursor){.at = block.data,
			       .stop = block.data + block.length,
			       .terminator = terminator,
			       .crlf = crlf};
}

#if OCTETS_BY_16
#define CURSOR_WINDOW 64

static inline uint64_t cursor_ends_16(const uint8_t *from, __m128i terminator)
{
	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(octets_16(from), terminator));
}

/* Returns a bit mask of the terminators in the 64 octets at `from`. */
static inline uint64_t cursor_ends_64(const uint8_t *from, uint8_t terminator)
{
	__m128i wanted = _mm_set1_epi8((char)terminator);

	return cursor_ends_16(from, wanted) | cursor_ends_16(from + 16, wanted) << 16 |
	       cursor_ends_16(from + 32, wanted) << 32 | cursor_ends_16(from + 48, wanted) << 48;
}

#endif

/* Returns the terminator of the next record, or NULL if no terminator is left. */
static inline const uint8_t *cursor_find(const struct cursor *cursor)
{
	const uint8_t *at = cursor->at;

#if OCTETS_BY_16
	for (; cursor->stop - at >= CURSOR_WINDOW; at += CURSOR_WINDOW) {
		uint64_t ends = cursor_ends_64(at, cursor->terminator);

		if (ends != 0)
			return at + __builtin_ctzll(ends);
	}
#endif
	return memchr(at, cursor->terminator, (size_t)(cursor->stop - at));
}

/* Moves to the next record and stores it without its line end. Returns false if none is left. */
static inline bool cursor_next(struct cursor *cursor, struct octets *record)
{
	const uint8_t *start = cursor->at;
	const uint8_t *end = cursor_find(cursor);

	if (end == NULL) {
		/* The last record may lack its terminator. A CR at its end is then part of the
		 * record. */
		cursor->at = cursor->stop;
		*record = text_at(start, (size_t)(cursor->stop - start));
		return record->length > 0;
	}
	cursor->at = end + 1;
	if (cursor->crlf && end > start && end[-1] == '\r')
		end--;
	*record = text_at(start, (size_t)(end - start));
	return true;
}

#endif
