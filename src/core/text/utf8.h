/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 (RFC 3629) in percent-encoded text. */
#ifndef URIVET_UTF8_H
#define URIVET_UTF8_H

#include "text/text.h"

enum utf8_form { UTF8_VALID = 0, UTF8_OVERLONG, UTF8_INVALID };

struct utf8 {
	uint32_t code_point; /* if valid */
	uint32_t next;       /* offset after the sequence; after its first octet if not valid */
	uint8_t octets;      /* of the sequence, 1-4 */
	uint8_t form;        /* enum utf8_form */
};

/* What the first octet of a sequence determines: how many octets follow, which of its own bits
 * belong to the code point, and the range of the second octet. */
struct utf8_lead {
	uint8_t more, bits, low, high;
};

/* Returns the row of an octet, or NULL if it does not start a sequence of two octets or more. */
/*@ assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct utf8_lead *urivet_utf8_lead(unsigned octet);

/* Sets *u to the sequence at `at`. With `escaped` all its octets must be percent-encoded; otherwise
 * each may be raw or percent-encoded. The result is not returned by value: that is slower, because
 * the struct would be stored and at once loaded again. */
/*@ requires readable(t) && \valid(u) && \separated(u, t.data + (0 .. t.end - 1));
    assigns *u;
    ensures at < t.end ==> at < u->next <= t.end;
    ensures at >= t.end ==> u->next == at && u->form != UTF8_VALID;
    ensures u->form <= UTF8_INVALID; */
void urivet_utf8(struct text t, uint32_t at, bool escaped, struct utf8 *u);

/* What a "%" begins: a quiet character above 0x7F with all its triplets, another triplet, or
 * nothing, which counts as a "%". A character is quiet if no rule reports it wherever it stands;
 * those of four octets never are. */
struct escape {
	uint32_t kinds; /* of what is encoded; see LOUD and SPACE_END */
	uint32_t next;  /* the offset after it */
};

/* Returns what the "%" at `at` begins. */
/*@ requires readable(t) && at < t.end;
    assigns \nothing;
    ensures at < \result.next <= t.end; */
struct escape urivet_escape(struct text t, uint32_t at);

/* The octets that are looked through for "%" at once end at a multiple of this. */
enum { WINDOW = 64 };

/* A bit for each of 64 windows, in turn. */
struct windows {
	uint32_t half[2];
};

/* The octets of escapes that no rule reports in any component. Their kinds are left out. */
#define QUIET_OCTETS  (BRACE | MARKUP | OTHERASCII | LBRACKET | RBRACKET | AT)
/* What is said of escapes that no rule reports. */
#define QUIET_ESCAPES (SPACE | SPACE_END | HIGH)

/* Returns true if the bit of the window that contains an offset is set. */
/*@ requires \valid_read(w);
    assigns \nothing; */
static inline bool has_window(const struct windows *w, uint32_t at)
{
	return (w->half[at / WINDOW / 32 % 2] & bit(at / WINDOW)) != 0;
}

/* Sets the bit of the window that contains an offset, if a rule may report these kinds of
 * escapes. */
/*@ requires \valid(loud);
    assigns loud->half[0 .. 1]; */
static inline void see_window(struct windows *loud, uint32_t at, uint32_t kinds)
{
	if ((kinds & ~(uint32_t)QUIET_ESCAPES) != 0)
		loud->half[at / WINDOW / 32 % 2] |= bit(at / WINDOW);
}

/* Returns the kinds of what the "%" in the window of `base` begin, from the later of `base` and *at
 * on. Sets *at to the end of the last one, if there is one. */
/*@ requires readable(t) && base < t.end && *at <= t.end + WINDOW + 9 && \valid(at);
    assigns *at;
    ensures *at <= t.end + WINDOW + 9; */
uint32_t urivet_window_kinds(struct text t, uint32_t base, uint32_t *at);

/* Returns the kinds of what all "%" from `at` on begin, as urivet_escape(). Adds the bits of
 * windows in which some are not quiet. */
/*@ requires readable(t) && at <= t.end && \valid(loud);
    assigns loud->half[0 .. 1]; */
uint32_t urivet_escaped_kinds(struct text t, uint32_t at, struct windows *loud);

/* Returns the end of the escape that is not LOUD and lies on both sides of `at`; `at` if there is
 * none. */
/*@ requires readable(t) && 8 <= at < t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
uint32_t urivet_after_character(struct text t, uint32_t at);

#endif
