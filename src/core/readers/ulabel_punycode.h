/* SPDX-License-Identifier: Apache-2.0 */
/* Punycode (RFC 3492) for labels as long as browsers accept. ICU and the idna crate, which most
 * browsers use, encode up to 1000 UTF-16 units and decode up to 2000 octets. */
#ifndef URIVET_ULABEL_PUNYCODE_H
#define URIVET_ULABEL_PUNYCODE_H

#include "readers/ulabel.h"

#define PUNYCODE_ENCODED_MOST 1000u /* UTF-16 units */
#define PUNYCODE_DECODED_MOST 2000u /* octets, without "xn--" */

/* Writes the encoded label without "xn--"; it must have a code point that is not ASCII. Overwrites
 * the label. Returns false if it is too long. Takes time O(n log n) for n code points. */
bool urivet_ulabel_encode(struct ulabel *l, struct out *o);

/* Decodes the text from `at` to the end of t into the label, which must be empty. Returns false if
 * it is not Punycode or too long. Takes time O(n log n) for n octets. */
bool urivet_ulabel_decode(struct ulabel *l, struct text t, uint32_t at);

#endif
