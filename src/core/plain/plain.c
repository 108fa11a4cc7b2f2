/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises plain URLs octet by octet. */
#include "plain/plain.h"

uint32_t urivet_plain_scheme(struct text t)
{
	const uint32_t colon = octet(t, 4) == 's' ? 5 : 4;
	const uint8_t *const c = t.data;
	unsigned wrong; /* one branch instead of seven: hostile texts differ at any octet */
	if (t.end < colon + 3)
		return 0;
	wrong = (c[0] ^ 'h') | (c[1] ^ 't') | (c[2] ^ 't') | (c[3] ^ 'p') | (c[colon] ^ ':') |
		(c[colon + 1] ^ '/') | (c[colon + 2] ^ '/');
	return wrong == 0 ? colon + 3 : 0;
}

/* Returns true if this dot or hyphen is between two digits, as in an address. */
/*@ requires readable(t) && 0 < separator <= t.end;
    assigns \nothing; */
static bool joins_digits(struct text t, uint32_t separator)
{
	return is(t, separator - 1, DIGIT) && is(t, separator + 1, DIGIT);
}

uint32_t urivet_plain_name(struct text t, uint32_t at)
{
	const uint32_t start = at;
	uint32_t label = at, end;
	/*@ loop invariant start <= label <= at && (at <= t.end || at == t.end + 1);
	    loop assigns at, label, end;
	    loop variant t.end + 1 - at; */
	while ((end = skip(t, at, LOWER | DIGIT)) > at) {
		const unsigned c = octet(t, end);
		if (end - start > PLAIN_NAME || end - label > PLAIN_LABEL)
			return 0;
		if (c != '-' && c != '.')
			return is(t, label, LOWER) ? end : 0;
		if (joins_digits(t, end))
			return 0;
		at = end + 1;
		label = c == '.' ? at : label;
	}
	return 0;
}

bool urivet_plain_by_octet(struct text t, struct plain *p)
{
	const uint32_t host = urivet_plain_scheme(t),
		       path = host > 0 ? urivet_plain_name(t, host) : 0;
	p->host = 0;
	if (path == 0 || (path < t.end && octet(t, path) != '/'))
		return false;
	p->tail = urivet_tail_by_octet(t, path);
	return set_plain(p, host, path) && is_plain_fragment(t, p->tail.query_end);
}
