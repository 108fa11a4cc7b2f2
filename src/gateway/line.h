/* SPDX-License-Identifier: Apache-2.0 */
/* A text that is written piece by piece to a buffer. */
#ifndef URIVET_GATEWAY_LINE_H
#define URIVET_GATEWAY_LINE_H

#include <stdarg.h>
#include <stdio.h>

/* Octets that do not fit are counted in `length` but not stored. */
struct line {
	char *out;
	size_t capacity;
	size_t length;
};

/* Appends text as printf(3) formats it. What is stored ends with NUL, if there is a buffer. */
__attribute__((format(printf, 2, 3))) static inline void put(struct line *line, const char *format,
							     ...)
{
	const size_t left = line->length < line->capacity ? line->capacity - line->length : 0;
	va_list arguments;
	int more;
	va_start(arguments, format);
	more = vsnprintf(left > 0 ? line->out + line->length : NULL, left, format, arguments);
	va_end(arguments);
	line->length += more > 0 ? (size_t)more : 0;
}

#endif
