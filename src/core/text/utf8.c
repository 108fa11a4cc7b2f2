/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 (RFC 3629) in percent-encoded text. */
#include "text/utf8.h"

#define LEADS 8

static const struct utf8_lead leads[LEADS] = {
    {0xc2, 0xdf, 1, 0x1f, 0x80, 0xbf}, {0xe0, 0xe0, 2, 0x0f, 0xa0, 0xbf},
    {0xe1, 0xec, 2, 0x0f, 0x80, 0xbf}, {0xed, 0xed, 2, 0x0f, 0x80, 0x9f},
    {0xee, 0xef, 2, 0x0f, 0x80, 0xbf}, {0xf0, 0xf0, 3, 0x07, 0x90, 0xbf},
    {0xf1, 0xf3, 3, 0x07, 0x80, 0xbf}, {0xf4, 0xf4, 3, 0x07, 0x80, 0x8f},
};

/* The row in `leads` of each octet from 0xE0 on. */
static const uint8_t lead_row[] = {1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 4, 4, 5, 6, 6, 6, 7};

const struct utf8_lead *urivet_utf8_lead(unsigned octet)
{
	if (octet < 0xc2 || octet > 0xf4)
		return NULL;
	return &leads[octet < 0xe0 ? 0 : lead_row[octet - 0xe0] % LEADS];
}

/* Returns true for overlong sequences, which use more octets than needed: C0 and C1, E0 80-9F, F0
 * 80-8F. */
/*@ assigns \nothing; */
static bool is_overlong(unsigned first, unsigned second)
{
	return (second & 0xc0) == 0x80 &&
	       (first == 0xc0 || first == 0xc1 || (first == 0xe0 && second < 0xa0) ||
		(first == 0xf0 && second < 0x90));
}

/* Sets *u to an invalid sequence of one octet. */
/*@ requires \valid(u);
    assigns *u;
    ensures u->next == next && u->form == UTF8_INVALID; */
static inline void set_invalid(struct utf8 *u, uint32_t next)
{
	u->code_point = 0;
	u->next = next;
	u->octets = 1;
	u->form = UTF8_INVALID;
}

void urivet_utf8(struct text t, uint32_t at, bool escaped, struct utf8 *u)
{
	const struct unit first = decode(t, at);
	const struct utf8_lead *const lead = urivet_utf8_lead(first.value);
	struct unit next;
	uint32_t code_point;
	set_invalid(u, first.next);
	if (lead == NULL && (first.value & ~1u) != 0xc0)
		return;
	next = decode(t, first.next);
	if (lead == NULL || next.value < lead->low || next.value > lead->high ||
	    (escaped && !next.escaped)) {
		if (next.value < AT_END && is_overlong(first.value, next.value))
			u->form = UTF8_OVERLONG;
		return;
	}
	code_point = (uint8_t)(first.value & lead->bits) * 64u + next.value % 64;
	/*@ loop invariant more <= 3 && first.next <= next.next <= t.end;
	    loop invariant more == 3 ==> code_point <= 0x3fff;
	    loop invariant more == 2 ==> code_point <= 0xfffff;
	    loop invariant more == 1 ==> code_point <= 0x3ffffff;
	    loop assigns more, code_point, next;
	    loop variant more; */
	for (unsigned more = (lead->more + 3u) % 4; more > 0; more--) {
		next = decode(t, next.next);
		if (next.value > 0xbf || next.value < 0x80 || (escaped && !next.escaped))
			return;
		code_point = code_point * 64 + next.value % 64;
	}
	u->code_point = code_point;
	u->next = next.next;
	u->octets = (uint8_t)(lead->more + 1);
	u->form = UTF8_VALID;
}
