/* SPDX-License-Identifier: Apache-2.0 */
/* A name as readers have it that decode its triplets and drop its empty labels. */
#include "uri/decoded.h"

#include "uri/uri.h"

/* Appends an octet, after a dot if one is due. False if there is no room. */
/*@ requires \valid(name) && name->length <= DECODED_MOST && value <= 255;
    assigns name->octets[0 .. DECODED_MOST - 1], name->length;
    ensures name->length <= DECODED_MOST;
    ensures \result ==> name->length > 0; */
static bool append(struct decoded_name *name, bool dot, unsigned value)
{
	if (name->length + (dot ? 1u : 0u) >= DECODED_MOST)
		return false;
	if (dot)
		name->octets[name->length++] = '.';
	name->octets[name->length++] = (uint8_t)value;
	return true;
}

bool urivet_decode_name(struct text t, uint32_t at, struct decoded_name *name)
{
	bool dot = false;
	name->length = 0;
	/*@ loop invariant name->length <= DECODED_MOST && at <= t.end;
	    loop assigns at, dot, *name;
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct unit u = decode(t, at);
		if (u.value == '.') {
			dot = name->length > 0;
		} else if ((urivet_kinds[u.value] & (ALNUM | HYPHEN | UNDERSCORE)) == 0 ||
			   !append(name, dot, lower(u.value))) {
			return false;
		} else {
			dot = false;
		}
		at = u.next;
	}
	return name->length > 0;
}

/* Is the unit an octet of a name other than a dot? */
/*@ assigns \nothing;
    ensures \result ==> u.value < AT_END; */
static bool is_of_label(struct unit u)
{
	return u.value < AT_END &&
	       (urivet_kinds[u.value] & (ALNUM | HYPHEN | UNDERSCORE | HIGH)) != 0;
}

struct urivet_span urivet_name_run(struct text t, uint32_t at)
{
	struct unit u = decode(t, at);
	uint32_t start;
	/*@ loop invariant \at(at, Pre) <= at <= t.end && decoded(t, at, u);
	    loop invariant u.value <= AT_END;
	    loop assigns at, u;
	    loop variant t.end - at; */
	while (at < t.end && !is_of_label(u)) {
		at = u.next;
		u = decode(t, at);
	}
	start = at;
	/*@ loop invariant start <= at <= t.end && decoded(t, at, u) && u.value <= AT_END;
	    loop assigns at, u;
	    loop variant t.end - at; */
	while (at < t.end && (is_of_label(u) || u.value == '.')) {
		at = u.next;
		u = decode(t, at);
	}
	return span(start, at);
}
