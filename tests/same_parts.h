/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what recognises plain URLs by vectors with the functions that go octet by octet. */
#ifndef URIVET_SAME_PARTS_H
#define URIVET_SAME_PARTS_H

#include "plain/vector.h"

/* Returns true if both tails are the same, once the escapes of the one by vectors are read. The kinds of
 * plain octets do not matter. */
static bool same_tail(struct text t, uint32_t at, struct tail a, struct tail b)
{
	urivet_see_escapes(t, at, &a);
	return a.path_end == b.path_end && a.query_end == b.query_end &&
	       (a.path & KINDS_IN_PATH) == (b.path & KINDS_IN_PATH) &&
	       (a.query & KINDS_IN_QUERY) == (b.query & KINDS_IN_QUERY) &&
	       a.beside_slash == b.beside_slash && a.escaped_path == b.escaped_path &&
	       a.escaped == b.escaped && memcmp(&a.loud, &b.loud, sizeof a.loud) == 0;
}

/* Returns true if the function finds the parts that urivet_plain_by_octet() finds. In a plain path the kinds do
 * not matter at all. */
static bool same_parts(struct text t, bool (*recognise)(struct text t, struct plain *p))
{
	struct plain a, b;
	const bool whole = urivet_plain_by_octet(t, &a);
	if (recognise(t, &b) != whole || a.host != b.host)
		return false;
	if (whole)
		a.tail.path = b.tail.path;
	return a.host == 0 || (a.path == b.path && same_tail(t, b.path, b.tail, a.tail));
}

#endif
