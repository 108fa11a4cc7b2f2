/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 (RFC 3629) in percent-encoded text. */
#ifndef URIVET_UTF8_H
#define URIVET_UTF8_H

#include "text/text.h"

enum utf8_form { UTF8_VALID = 0, UTF8_OVERLONG, UTF8_INVALID };

struct utf8 {
	uint32_t code_point; /* if valid */
	uint32_t next;       /* behind the sequence; behind its first octet if not valid */
	uint8_t octets;      /* of the sequence, 1-4 */
	uint8_t form;        /* enum utf8_form */
};

/* What an octet that begins a sequence says of the octets behind it: how many
 * there are, the bits of the code point in itself, the range of the second. */
struct utf8_lead {
	uint8_t first, last; /* the octets that this row is about */
	uint8_t more, bits, low, high;
};

/* The row of an octet, or NULL if no sequence of two octets or more begins so. */
/*@ assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct utf8_lead *urivet_utf8_lead(unsigned octet);

/* The sequence at `at`, of octets above 0x7F that are all triplets if
 * `escaped`, else raw or triplets. */
/*@ requires readable(t);
    assigns \nothing;
    ensures at < t.end ==> at < \result.next <= t.end;
    ensures at >= t.end ==> \result.next == at && \result.form != UTF8_VALID;
    ensures \result.form <= UTF8_INVALID; */
struct utf8 urivet_utf8(struct text t, uint32_t at, bool escaped);

#endif
