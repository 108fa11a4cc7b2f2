/* SPDX-License-Identifier: Apache-2.0 */
/* Host names as read by readers that decode triplets and drop empty labels. */
#ifndef URIVET_DECODED_H
#define URIVET_DECODED_H

#include "text/text.h"

/* The length of the longest name that can be resolved: RFC 1035, 2.3.4, as text without a final
 * dot. */
#define DECODED_MOST 253

/* Decodes the name from `at` to the end of t once: in lower case, without empty labels and final
 * dot. Returns its length. Returns 0 if the result is empty, too long for a name, or contains
 * octets other than letters, digits, - and _ : readers truncate, map or reject these, each
 * differently. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(name + (0 .. DECODED_MOST - 1));
    assigns name[0 .. DECODED_MOST - 1];
    ensures \result <= DECODED_MOST; */
uint32_t urivet_decode_name(struct text t, uint32_t at, uint8_t name[DECODED_MOST]);

/* Returns the first run of name octets in t from `at` on, raw or percent-encoded, including all
 * above ASCII. It does not begin with a dot. If there is none, it is empty, at the end of t. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures at <= \result.offset;
    ensures \result.offset + \result.length <= \max(at, t.end); */
struct urivet_span urivet_name_run(struct text t, uint32_t at);

#endif
