/* SPDX-License-Identifier: Apache-2.0 */
/* Validity of labels: UTS 46, section 4.1, and RFC 5893, section 2. */
#include "readers/ulabel_valid.h"

static const struct uts46_class *class_at(const struct ulabel *l, uint32_t i)
{
	return urivet_uts46_class(ulabel_point(l, i));
}

/* ---- CheckJoiners: RFC 5892, appendix A.1 and A.2 ---------------------------------- */

#define ZWNJ 0x200cu
#define ZWJ  0x200du
enum { CCC_VIRAMA = 9 };

#define BACKWARD UINT32_MAX

/* Returns true if (Joining_Type:T)*(Joining_Type:{one,D}) follows position i in direction `step`.
 * BACKWARD wraps around below 0, which ends the loop. */
static bool joins_to(const struct ulabel *l, uint32_t i, uint32_t step, unsigned one)
{
	while ((i += step) < l->count) {
		const unsigned joining = class_at(l, i)->joining;
		if (joining != JT_T)
			return joining == one || joining == JT_D;
	}
	return false;
}

bool urivet_ulabel_is_valid(const struct ulabel *l)
{
	const struct uts46_class *before = class_at(l, 0);
	if (before->mark)
		return false;
	for (uint32_t i = 0; i < l->count; i++) {
		const uint32_t c = ulabel_point(l, i);
		const bool is_placed =
		    before->ccc == CCC_VIRAMA ||
		    (c == ZWNJ && joins_to(l, i, BACKWARD, JT_L) && joins_to(l, i, 1, JT_R));
		before = class_at(l, i);
		if (before->status != UTS46_VALID || ((c == ZWNJ || c == ZWJ) && !is_placed))
			return false;
	}
	return true;
}

/* ---- CheckBidi: RFC 5893, section 2 -------------------------------------------------- */

#define BC(class)     (1u << BC_##class)
#define ANY_DIRECTION (BC(EN) | BC(ES) | BC(CS) | BC(ET) | BC(ON) | BC(BN) | BC(NSM))
#define TO_THE_LEFT   (BC(R) | BC(AL) | BC(AN))

struct bidi urivet_ulabel_bidi(const struct ulabel *l)
{
	const unsigned first = 1u << class_at(l, 0)->bidi;
	unsigned seen = 0, last = first;
	struct bidi b;
	for (uint32_t i = 0; i < l->count; i++) {
		const unsigned one = 1u << class_at(l, i)->bidi;
		seen |= one;
		if (one != BC(NSM))
			last = one;
	}
	b.right_to_left = (seen & TO_THE_LEFT) != 0;
	if (first == BC(L)) /* conditions 1, 5 and 6 */
		b.obeys = (seen & ~(BC(L) | ANY_DIRECTION)) == 0 && (last & (BC(L) | BC(EN))) != 0;
	else /* conditions 1 to 4 */
		b.obeys = (first & (BC(R) | BC(AL))) != 0 &&
			  (seen & ~(TO_THE_LEFT | ANY_DIRECTION)) == 0 &&
			  (last & (TO_THE_LEFT | BC(EN))) != 0 &&
			  (seen & (BC(EN) | BC(AN))) != (BC(EN) | BC(AN));
	return b;
}
