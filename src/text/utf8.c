/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 (RFC 3629) in percent-encoded text. */
#include "text/utf8.h"

static const struct utf8_lead leads[] = {
    {0xc2, 0xdf, 1, 0x1f, 0x80, 0xbf}, {0xe0, 0xe0, 2, 0x0f, 0xa0, 0xbf},
    {0xe1, 0xec, 2, 0x0f, 0x80, 0xbf}, {0xed, 0xed, 2, 0x0f, 0x80, 0x9f},
    {0xee, 0xef, 2, 0x0f, 0x80, 0xbf}, {0xf0, 0xf0, 3, 0x07, 0x90, 0xbf},
    {0xf1, 0xf3, 3, 0x07, 0x80, 0xbf}, {0xf4, 0xf4, 3, 0x07, 0x80, 0x8f},
};

#define LEADS (sizeof(leads) / sizeof(leads[0]))

const struct utf8_lead *urivet_utf8_lead(unsigned octet)
{
	/*@ loop invariant 0 <= k <= LEADS;
	    loop assigns k;
	    loop variant LEADS - k; */
	for (unsigned k = 0; k < LEADS; k++)
		if (octet >= leads[k].first && octet <= leads[k].last)
			return &leads[k];
	return NULL;
}

/* More octets than needed: C0 and C1, E0 80-9F, F0 80-8F. */
/*@ assigns \nothing; */
static bool is_overlong(unsigned first, unsigned second)
{
	return (second & 0xc0) == 0x80 &&
	       (first == 0xc0 || first == 0xc1 || (first == 0xe0 && second < 0xa0) ||
		(first == 0xf0 && second < 0x90));
}

/*@ assigns \nothing;
    ensures \result.next == next && UTF8_VALID < \result.form <= UTF8_INVALID; */
static struct utf8 invalid(uint32_t next, bool overlong)
{
	const struct utf8 u = {0, next, 1, overlong ? UTF8_OVERLONG : UTF8_INVALID};
	return u;
}

struct utf8 urivet_utf8(struct text t, uint32_t at, bool escaped)
{
	const struct unit first = decode(t, at);
	const struct unit second = decode(t, first.next);
	struct utf8 u = {0, first.next, 1, UTF8_VALID};
	const struct utf8_lead *const lead = urivet_utf8_lead(first.value);
	if (lead == NULL || second.value < lead->low || second.value > lead->high ||
	    (escaped && !second.escaped))
		return invalid(first.next,
			       second.value < AT_END && is_overlong(first.value, second.value));
	u.code_point = (uint8_t)(first.value & lead->bits);
	/*@ loop invariant more <= 3 && u.form == UTF8_VALID;
	    loop invariant first.next <= u.next <= t.end;
	    loop invariant u.code_point <= 0x3ffffff;
	    loop invariant more == 3 ==> u.code_point <= 0xff;
	    loop invariant more == 2 ==> u.code_point <= 0x3fff;
	    loop invariant more == 1 ==> u.code_point <= 0xfffff;
	    loop assigns more, u.code_point, u.next, u.octets;
	    loop variant more; */
	for (unsigned more = lead->more % 4; more > 0; more--) {
		const struct unit next = decode(t, u.next);
		if (next.value > 0xbf || next.value < 0x80 || (escaped && !next.escaped))
			return invalid(first.next, false);
		u.code_point = u.code_point * 64 + next.value % 64;
		u.next = next.next;
		u.octets++;
	}
	return u;
}
