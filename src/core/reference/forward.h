/* SPDX-License-Identifier: Apache-2.0 */
/* Fast path for plain URLs: normal forms and targets by RFC 3986 that are copied from the input.
 * compose.c produces the same text for the same input. If a function returns false, nothing is
 * written and the slow path must be taken. */
#ifndef URIVET_FORWARD_H
#define URIVET_FORWARD_H

#include <urivet/reference.h>

#include "text/out.h"

/*@ predicate apart(struct out *o, struct text t) =
      \separated(o, t.data + (0 .. t.end - 1), o->data + (0 .. o->capacity - 1)); */

/* Writes the normal form of a plain URL: the URL itself. At scheme level, an empty path becomes
 * "/". */
/*@ requires readable(t) && writable(o) && o->length == 0 && apart(o, t);
    assigns WRITTEN(o);
    ensures writable(o);
    ensures !\result ==> o->length == 0; */
bool urivet_put_plain_form(struct out *o, struct text t, enum urivet_level level);

/* Writes the target of a reference against a plain base URL. The reference must be a plain URL, or
 * have no scheme and authority, and dot segments only at its beginning. */
/*@ requires readable(base) && readable(r) && writable(o) && o->length == 0;
    requires apart(o, base) && apart(o, r);
    assigns WRITTEN(o);
    ensures writable(o);
    ensures !\result ==> o->length == 0; */
bool urivet_put_plain_target(struct out *o, struct text base, struct text r);

#endif
