/* SPDX-License-Identifier: Apache-2.0 */
/* Iterates over the records of a block. */
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

/* Moves to the next record and stores it without its line end. Returns false if none is left. */
static inline bool cursor_next(struct cursor *cursor, struct octets *record)
{
	const uint8_t *start = cursor->at;
	const uint8_t *end = memchr(start, cursor->terminator, (size_t)(cursor->stop - start));

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
