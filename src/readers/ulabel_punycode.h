/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Punycode (RFC 3492) for labels of any length that browsers take: ICU and the idna crate,
 * which most browsers use, encode 1000 units of UTF-16 at most and decode 2000 octets.
 */
#ifndef URIVET_ULABEL_PUNYCODE_H
#define URIVET_ULABEL_PUNYCODE_H

#include "readers/ulabel.h"

#define PUNYCODE_ENCODED_MOST 1000u /* units of UTF-16 */
#define PUNYCODE_DECODED_MOST 2000u /* octets, without "xn--" */

/* Writes the label, in which something is not ASCII, encoded, without "xn--"; false if it is
 * too long. Uses up the label. Of n points it takes time n log n. */
bool urivet_ulabel_encode(struct ulabel *l, struct out *o);

/* Reads what stands from `at` to the end of t into the label, which must be empty: false if it
 * is no Punycode or too long. Of n octets it takes time n log n. */
bool urivet_ulabel_decode(struct ulabel *l, struct text t, uint32_t at);

#endif
