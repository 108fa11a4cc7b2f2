/* SPDX-License-Identifier: Apache-2.0 */
/* Host names as read by readers that decode triplets and drop empty labels. */
#include "uri/decoded.h"

#include "uri/uri.h"

/* Appends an octet to a name of `length` octets, after a dot if `dot` is set. Returns the new
 * length, or 0 if there is no room. */
/*@ requires \valid(name + (0 .. DECODED_MOST - 1)) && length <= DECODED_MOST && value <= 255;
    assigns name[0 .. DECODED_MOST - 1];
    ensures \result <= DECODED_MOST; */
static uint32_t append(uint8_t name[DECODED_MOST], uint32_t length, bool dot, unsigned value)
{
	if (length + (dot ? 1u : 0u) >= DECODED_MOST)
		return 0;
	if (dot)
		name[length++] = '.';
	name[length++] = (uint8_t)value;
	return length;
}

uint32_t urivet_decode_name(struct text t, uint32_t at, uint8_t name[DECODED_MOST])
{
	uint32_t length = 0;
	bool dot = false;
	/*@ loop invariant length <= DECODED_MOST;
	    loop assigns at, dot, length, name[0 .. DECODED_MOST - 1];
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct unit u = decode(t, at);
		if (u.value == '.') {
			dot = length > 0;
		} else {
			if ((urivet_kinds[u.value] & (ALNUM | HYPHEN | UNDERSCORE)) == 0)
				return 0;
			length = append(name, length, dot, lower(u.value));
			if (length == 0)
				return 0;
			dot = false;
		}
		at = u.next;
	}
	return length;
}

/* Returns true if the unit is an octet that a label may contain. */
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
	/*@ loop invariant \at(at, Pre) <= at <= \max(\at(at, Pre), t.end) && decoded(t, at, u);
	    loop invariant u.value <= AT_END;
	    loop assigns at, u;
	    loop variant t.end - at; */
	while (at < t.end && !is_of_label(u)) {
		at = u.next;
		u = decode(t, at);
	}
	start = at;
	/*@ loop invariant start <= at <= \max(start, t.end) && decoded(t, at, u);
	    loop invariant u.value <= AT_END;
	    loop assigns at, u;
	    loop variant t.end - at; */
	while (at < t.end && (is_of_label(u) || u.value == '.')) {
		at = u.next;
		u = decode(t, at);
	}
	return span(start, at);
}
