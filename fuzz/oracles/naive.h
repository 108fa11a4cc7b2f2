/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of RFC 3986 as its text describes them, on string buffers and independently of the
 * library. */
#ifndef NAIVE_H
#define NAIVE_H

#include "oracles.h"

static inline void cut(struct builder *b, size_t from, size_t length)
{
	memmove(b->text + from, b->text + from + length, b->length - from - length);
	b->length -= length;
}

static inline bool begins(const struct builder *b, size_t at, const char *word)
{
	return b->length - at >= strlen(word) && memcmp(b->text + at, word, strlen(word)) == 0;
}

static inline bool is_all(const struct builder *b, const char *word)
{
	return same(b->text, b->length, word, strlen(word));
}

/* Applies RFC 3986, 5.2.4: consumes the input buffer from its start. */
static inline void remove_dot_segments(struct builder *in, struct builder *out)
{
	while (in->length > 0) {
		if (begins(in, 0, "../")) {
			cut(in, 0, 3);
		} else if (begins(in, 0, "./") || begins(in, 0, "/./")) {
			cut(in, 0, 2);
		} else if (is_all(in, "/.")) {
			in->length = 1;
		} else if (begins(in, 0, "/../") || is_all(in, "/..")) {
			if (in->length > 3)
				cut(in, 0, 3);
			else
				in->length = 1;
			while (out->length > 0 && out->text[out->length - 1] != '/')
				out->length--;
			out->length -= out->length > 0;
		} else if (is_all(in, ".") || is_all(in, "..")) {
			in->length = 0;
		} else {
			size_t n = 1;
			while (n < in->length && in->text[n] != '/')
				n++;
			add(out, in->text, n);
			cut(in, 0, n);
		}
	}
}

#endif
