/* SPDX-License-Identifier: Apache-2.0 */
/* The pairs of a query, and what names and values of them may be to others. */
#include "uri/parameter.h"

#include "uri/unescape.h"
#include "uri/uri.h"

/*@ requires \valid(scan) && \valid(parameter) && \separated(scan, parameter);
    assigns scan->position, *parameter;
    ensures \result ==> \old(scan->position) < scan->position <= scan->length;
    ensures \result ==> inside(parameter->name, scan->length);
    ensures \result ==> inside(parameter->value, scan->length); */
bool urivet_parameter_next(struct urivet_parameter_scan *scan, struct urivet_parameter *parameter)
{
	const bool none = scan->data == NULL || scan->length > URIVET_MAX_LENGTH;
	const struct text t = text_of(scan->data, none ? 0 : (uint32_t)scan->length);
	uint32_t at, end, equals;
	if (scan->position >= t.end)
		return false;
	at = skip(t, (uint32_t)scan->position, AMPERSAND);
	scan->position = at;
	if (at >= t.end)
		return false;
	end = find(t, at, AMPERSAND);
	equals = find(until(t, end), at, EQUALS);
	parameter->has_value = equals < end;
	parameter->name = span(at, equals);
	parameter->value = span(equals < end ? equals + 1 : end, end);
	scan->position = end;
	return true;
}

/* The offset of the first unit from `at` on that is no space; the end if all are. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
static uint32_t skip_spaces(struct text t, uint32_t at)
{
	struct unit u = form_unit(t, at);
	/*@ loop invariant \at(at, Pre) <= at <= t.end;
	    loop invariant at < t.end ==> at < u.next <= t.end;
	    loop assigns at, u;
	    loop variant t.end - at; */
	while (at < t.end && u.value == ' ') {
		at = u.next;
		u = form_unit(t, at);
	}
	return at;
}

/* Is it the wanted octet of a name, or one that PHP replaces by that? */
/*@ assigns \nothing;
    ensures \result && value < AT_END ==> wanted < AT_END; */
static bool is_named_so(unsigned value, unsigned wanted)
{
	return value == wanted ||
	       (wanted == '_' && (value == '.' || value == ' ' || value == '['));
}

bool urivet_may_be_named(struct text t, uint32_t at, struct text wanted)
{
	uint32_t k = 0;
	if (octet(wanted, 0) != ' ')
		at = skip_spaces(t, at);
	/*@ loop invariant at <= t.end && k <= wanted.end;
	    loop assigns at, k;
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct character c = urivet_character_at(t, at);
		if (c.how != URIVET_DECODED)
			return true;
		/*@ loop invariant at <= t.end && k <= wanted.end;
		    loop invariant \at(at, LoopEntry) <= at;
		    loop invariant at < c.next || \at(at, LoopEntry) < at;
		    loop assigns at, k;
		    loop variant t.end - at; */
		while (at < c.next) {
			const struct unit u = form_unit(t, at);
			if (!is_named_so(u.value, octet(wanted, k)))
				return false;
			at = u.next;
			k++;
		}
	}
	return k == wanted.end;
}

/* The unit at `at` after decoding as a form, where what cannot be decoded stays as it is. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result.value <= AT_END;
    ensures at < t.end ==> at < \result.next <= t.end && \result.value < AT_END;
    ensures at >= t.end ==> \result.next == at && \result.value == AT_END; */
static struct unit value_unit(struct text t, uint32_t at, bool twice)
{
	struct unit u = form_unit(t, at), high, low;
	if (!twice)
		return u;
	if (u.value == '+')
		u.value = ' ';
	if (u.value != '%')
		return u;
	high = form_unit(t, u.next);
	low = form_unit(t, high.next);
	if ((urivet_kinds[high.value] & HEXDIG) == 0 || (urivet_kinds[low.value] & HEXDIG) == 0)
		return u;
	u.value = hex_value(high.value) * 16 + hex_value(low.value);
	u.next = low.next;
	return u;
}

/* The offset of the first unit from `at` on that is in none of the kinds; the end if all are. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
static uint32_t skip_units(struct text t, uint32_t at, bool twice, uint32_t kinds)
{
	struct unit u = value_unit(t, at, twice);
	/*@ loop invariant \at(at, Pre) <= at <= t.end && u.value <= AT_END;
	    loop invariant at < t.end ==> at < u.next <= t.end;
	    loop assigns at, u;
	    loop variant t.end - at; */
	while (at < t.end && (urivet_kinds[u.value] & kinds) != 0) {
		at = u.next;
		u = value_unit(t, at, twice);
	}
	return at;
}

bool urivet_looks_like_reference(struct text t, uint32_t at, bool twice, bool guessed)
{
	const uint32_t left_out = guessed ? HIGH | PERCENT | CONTROL : 0;
	uint32_t kinds;
	at = skip_units(t, at, twice, BLANK | left_out);
	kinds = urivet_kinds[value_unit(t, at, twice).value];
	if (kinds & (SLASH | BACKSLASH))
		return true;
	if ((kinds & ALPHA) == 0)
		return false;
	at = skip_units(t, at, twice, SCHEMECHAR | TAB | CRLF | left_out);
	return value_unit(t, at, twice).value == ':';
}
