/* SPDX-License-Identifier: Apache-2.0 */
/* A name as readers have it that decode its triplets and drop its empty labels. */
#ifndef URIVET_DECODED_H
#define URIVET_DECODED_H

#include "text/text.h"

/* The longest name that can be looked up: RFC 1035, 2.3.4, as text without a final dot. */
#define DECODED_MOST 253

struct decoded_name {
	uint8_t octets[DECODED_MOST]; /* lower case, no empty labels, no final dot */
	uint32_t length;
};

/* Decodes the name that fills t from `at` on, once. False if nothing is left of it, if that is too
 * long for a name, or if it holds octets other than letters, digits, - and _ : readers cut it
 * there, map it or refuse it, each in their way. */
/*@ requires readable(t) && at <= t.end && \valid(name);
    assigns *name;
    ensures name->length <= DECODED_MOST;
    ensures \result ==> name->length > 0; */
bool urivet_decode_name(struct text t, uint32_t at, struct decoded_name *name);

/* The first run of octets in t from `at` on that names hold, raw or percent-encoded, all above
 * ASCII among them. It begins with no dot; if there is none, it is empty, at the end of t. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result.offset && \result.offset + \result.length <= t.end; */
struct urivet_span urivet_name_run(struct text t, uint32_t at);

#endif
