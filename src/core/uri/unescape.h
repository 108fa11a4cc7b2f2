/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of whole texts. What cannot be decoded is an error; nothing is guessed. */
#ifndef URIVET_UNESCAPE_H
#define URIVET_UNESCAPE_H

#include <urivet/parameters.h>

#include "text/text.h"

/* The result of decoding the character at an offset of a text. */
struct character {
	enum urivet_decoded how;
	uint32_t next; /* the offset after the character, or after its first unit if it cannot be
	                * decoded */
};

/* Returns the character at `at`, which must not be the end. */
/*@ requires readable(t) && at < t.end;
    assigns \nothing;
    ensures at < \result.next <= t.end; */
struct character urivet_character_at(struct text t, uint32_t at);

/* Returns the unit at `at`, decoded as in forms: a raw "+" is a space. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result.value <= AT_END && decoded(t, at, \result); */
static inline struct unit form_unit(struct text t, uint32_t at)
{
	struct unit u = decode(t, at);
	if (u.value == '+' && !u.escaped)
		u.value = ' ';
	return u;
}

#endif
