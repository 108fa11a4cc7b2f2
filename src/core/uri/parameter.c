/* SPDX-License-Identifier: Apache-2.0 */
/* Query parameters, and how other programs may read their names and values. */
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
	const uint32_t between = scan->semicolons ? AMPERSAND | SEMICOLON : AMPERSAND;
	const bool none = scan->data == NULL || scan->length > URIVET_MAX_LENGTH;
	const struct text t = text_of(scan->data, none ? 0 : (uint32_t)scan->length);
	uint32_t at, end, equals;
	if (scan->position >= t.end)
		return false;
	at = skip(t, (uint32_t)scan->position, between);
	scan->position = at;
	if (at >= t.end)
		return false;
	end = find(t, at, between);
	equals = find(until(t, end), at, EQUALS);
	parameter->has_value = equals < end;
	parameter->name = span(at, equals);
	parameter->value = span(equals < end ? equals + 1 : end, end);
	scan->position = end;
	return true;
}

/* Returns the offset of the first unit from `at` on that is not a space, or the end. */
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

/* Returns true if the octet matches `wanted`, or PHP replaces it by `wanted`. */
/*@ assigns \nothing;
    ensures \result && value < AT_END ==> wanted < AT_END; */
static bool is_named_so(unsigned value, unsigned wanted, bool any_case)
{
	return value == wanted || (any_case && lower(value) == lower(wanted)) ||
	       (wanted == '_' && (value == '.' || value == ' ' || value == '['));
}

/* Returns the number of octets of the wanted name to compare. In name[*] these are the ones up to
 * the bracket, so that it matches name[], name[0] and name[a][b]; otherwise all. */
/*@ requires readable(wanted);
    assigns \nothing;
    ensures \result <= wanted.end; */
static uint32_t member_prefix(struct text wanted)
{
	if (wanted.end < 4 || octet(wanted, wanted.end - 3) != '[' ||
	    octet(wanted, wanted.end - 2) != '*' || octet(wanted, wanted.end - 1) != ']')
		return wanted.end;
	return wanted.end - 2;
}

bool urivet_may_be_named(struct text t, uint32_t at, struct text wanted, bool any_case)
{
	const uint32_t most = member_prefix(wanted);
	uint32_t k = 0;
	if (is(t, at, ALNUM) && lower(octet(t, at)) != lower(octet(wanted, 0)))
		return false;
	if (octet(wanted, 0) != ' ')
		at = skip_spaces(t, at);
	/*@ loop invariant at <= t.end && k <= most;
	    loop assigns at, k;
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct character c = urivet_character_at(t, at);
		if (c.how != URIVET_DECODED)
			return true;
		/*@ loop invariant at <= t.end && k <= most;
		    loop invariant \at(at, LoopEntry) <= at;
		    loop invariant at < c.next || \at(at, LoopEntry) < at;
		    loop assigns at, k;
		    loop variant t.end - at; */
		while (at < c.next) {
			const struct unit u = form_unit(t, at);
			if (k == most)
				return most < wanted.end;
			if (!is_named_so(u.value, octet(wanted, k), any_case))
				return false;
			at = u.next;
			k++;
		}
	}
	return k == most;
}

/* Returns the unit at `at` decoded as a form, once or twice. What cannot be decoded is left
 * unchanged. */
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

/* Returns the offset of the first unit from `at` on that is not in the kinds, or the end. */
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

/* Returns the kinds of the unit `count` units after `at`, not counting units of the kinds
 * `left_out`. Returns 0 at the end. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static uint32_t kinds_after(struct text t, uint32_t at, bool twice, uint32_t left_out,
			    uint32_t count)
{
	/*@ loop invariant at <= t.end;
	    loop assigns at, count;
	    loop variant count; */
	for (; count > 0; count--) {
		at = skip_units(t, at, twice, left_out);
		at = value_unit(t, at, twice).next;
	}
	at = skip_units(t, at, twice, left_out);
	return urivet_kinds[value_unit(t, at, twice).value];
}

/* Returns true if the value begins with two dots and a slash or backslash. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static bool is_climbing(struct text t, uint32_t at, bool twice, uint32_t left_out)
{
	return (kinds_after(t, at, twice, left_out, 0) & DOT) &&
	       (kinds_after(t, at, twice, left_out, 1) & DOT) &&
	       (kinds_after(t, at, twice, left_out, 2) & (SLASH | BACKSLASH));
}

enum value_start urivet_value_start(struct text t, uint32_t at, bool twice, bool guessed,
				    uint8_t scheme[VALUE_SCHEME_MOST], uint32_t *length)
{
	const uint32_t left_out = TAB | CRLF | (guessed ? HIGH | PERCENT | CONTROL : 0);
	struct unit u;
	uint32_t kinds;
	*length = 0;
	at = skip_units(t, at, twice, BLANK | left_out);
	u = value_unit(t, at, twice);
	if ((urivet_kinds[u.value] & (SLASH | BACKSLASH)) || is_climbing(t, at, twice, left_out))
		return VALUE_IS_PATH;
	if ((urivet_kinds[u.value] & ALPHA) == 0)
		return VALUE_IS_TEXT;
	/*@ loop invariant at <= t.end && *length <= VALUE_SCHEME_MOST && u.value <= AT_END;
	    loop invariant at < t.end ==> at < u.next <= t.end;
	    loop assigns at, u, *length, scheme[0 .. VALUE_SCHEME_MOST - 1];
	    loop variant t.end - at; */
	while (at < t.end && (urivet_kinds[u.value] & (SCHEMECHAR | left_out)) != 0) {
		if ((urivet_kinds[u.value] & SCHEMECHAR) && *length < VALUE_SCHEME_MOST)
			scheme[(*length)++] = (uint8_t)lower(u.value);
		at = u.next;
		u = value_unit(t, at, twice);
	}
	if (u.value != ':')
		return VALUE_IS_TEXT;
	kinds = kinds_after(t, at, twice, left_out, 1);
	if ((kinds & (SLASH | BACKSLASH)) && *length == 1)
		return VALUE_IS_PATH;
	if ((kinds & (SLASH | BACKSLASH)) &&
	    (kinds_after(t, at, twice, left_out, 2) & (SLASH | BACKSLASH)))
		return VALUE_HAS_SLASHES;
	return kinds & SPACE ? VALUE_HAS_SPACE : VALUE_HAS_SCHEME;
}
