/* SPDX-License-Identifier: Apache-2.0 */
/* A name as readers have it that decode its triplets and drop its empty labels. */
#ifndef URIVET_DECODED_H
#define URIVET_DECODED_H

#include "text/text.h"

/* The longest name that can be looked up: RFC 1035, 2.3.4, as text without a final dot. */
#define DECODED_MOST 253

/* Decodes the name that fills t from `at` on, once: in lower case, without empty labels and final
 * dot. Its length, or 0 if nothing is left of it, if that is too long for a name, or if it holds
 * octets other than letters, digits, - and _ : readers cut it there, map it or refuse it, each in
 * their way. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(name + (0 .. DECODED_MOST - 1));
    assigns name[0 .. DECODED_MOST - 1];
    ensures \result <= DECODED_MOST; */
uint32_t urivet_decode_name(struct text t, uint32_t at, uint8_t name[DECODED_MOST]);

/* The first run of octets in t from `at` on that names hold, raw or percent-encoded, all above
 * ASCII among them. It begins with no dot; if there is none, it is empty, at the end of t. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures at <= \result.offset;
    ensures \result.offset + \result.length <= \max(at, t.end); */
struct urivet_span urivet_name_run(struct text t, uint32_t at);

#endif
