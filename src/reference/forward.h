/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Normal forms and targets by RFC 3986 that are copies of runs of the input: the short way of
 * plain URLs. It only saves time: what compose.c makes of the same input is the same text. False
 * says nothing, and nothing is put then.
 */
#ifndef URIVET_FORWARD_H
#define URIVET_FORWARD_H

#include "text/out.h"

/*@ predicate apart(struct out *o, struct text t) =
      \separated(o, t.data + (0 .. t.end - 1), o->data + (0 .. o->capacity - 1)); */

/* Puts the normal form of a plain URL, which is the URL itself, but for the slash of an empty path
 * at the level of the scheme. */
/*@ requires readable(t) && writable(o) && o->length == 0 && apart(o, t);
    assigns WRITTEN(o);
    ensures writable(o);
    ensures !\result ==> o->length == 0; */
bool urivet_put_plain_form(struct out *o, struct text t, enum urivet_level level);

/* Puts the target of a reference against a base that is a plain URL. The reference is itself
 * plain, or has neither scheme nor authority, and dot segments only at its beginning. */
/*@ requires readable(base) && readable(r) && writable(o) && o->length == 0;
    requires apart(o, base) && apart(o, r);
    assigns WRITTEN(o);
    ensures writable(o);
    ensures !\result ==> o->length == 0; */
bool urivet_put_plain_target(struct out *o, struct text base, struct text r);

#endif
