/* SPDX-License-Identifier: Apache-2.0 */
/* Implementations of the fast path for plain URLs: octet by octet, baseline vectors, newer
 * vectors. All that this machine can run must give the same result, whichever the library would
 * select. Rules skipped for plain URLs must have no findings in them. */
#include "../tests/built_in.h"
#include "oracles.h"

/* an internal header has a function of the same name */
#define within text_within
#include "../tests/all_rules.h"
#include "plain/vector.h"
#undef within

/* Makes a text in a block of its exact size, so that a vector load beyond it is detected. */
static struct text text_at(const uint8_t *data, size_t length)
{
	return (struct text){data, (uint32_t)length};
}

/* Checks that a brief result is given only for a plain URL that ends with its path. */
static void expect_brief(uint32_t path, struct text t, struct plain plain)
{
	oracle(path == 0 || (plain.host > 0 && plain.path == path && plain.tail == t.end),
	       "a brief answer is that of the octets");
}

#if URIVET_VECTORS >= 1
static bool same_parts(struct plain a, struct plain b)
{
	return a.host == b.host &&
	       (a.host == 0 || (a.path == b.path && a.tail == b.tail && a.fragment == b.fragment &&
				a.query == b.query));
}

static void compare(struct text t, struct plain plain)
{
	const uint32_t end = urivet_uri_end_by_octet(t);
	oracle(same_parts(plain, BASELINE(urivet_plain_by)(t)),
	       "every machine's vectors find what the octets are");
	oracle(BASELINE(urivet_uri_end_by)(t) == end, "every machine's vectors find the end");
	if (t.end < VECTOR_BRIEF)
		expect_brief(BASELINE(urivet_brief_by)(t), t, plain);
#if URIVET_VECTORS >= 2
	if (!urivet_has_avx2())
		return;
	oracle(same_parts(plain, urivet_plain_by_avx2(t)),
	       "newer vectors find what the octets are");
	oracle(urivet_uri_end_by_avx2(t) == end, "newer vectors find the end");
	if (t.end < VECTOR_BRIEF)
		oracle(urivet_brief_by_avx2(t) == BASELINE(urivet_brief_by)(t),
		       "brief answers are those of older vectors");
#endif
}

enum { ROWS = 32 };

/* Compares rows between any offsets. The bit of a row is set only if it is plain and inside the
 * text. */
static void compare_rows(struct text t)
{
	int32_t offsets[ROWS + 1];
	uint64_t bits;
	for (unsigned k = 0; k <= ROWS; k++)
		offsets[k] = (int32_t)(t.data[k % t.end] + t.end * k / ROWS) -
			     (t.data[0] % 2 ? 100 : (int32_t)t.data[k % t.end]);
	bits = BASELINE(urivet_brief_rows_by)(t, offsets, ROWS);
	for (unsigned k = 0; k < ROWS; k++) {
		const int32_t from = offsets[k], to = offsets[k + 1];
		if ((bits >> k & 1) == 0)
			continue;
		oracle(from >= 0 && from < to && to <= (int32_t)t.end,
		       "a row that is plain lies in the column");
		const struct text row = text_at(t.data + from, (size_t)(to - from));
		const struct plain plain = urivet_plain_by_octet(row);
		oracle(plain.host > 0 && plain.tail == row.end,
		       "a row that is told to be plain is");
	}
#if URIVET_VECTORS >= 2
	oracle(!urivet_has_avx2() || urivet_brief_rows_by_avx2(t, offsets, ROWS) == bits,
	       "rows are told of as by older vectors");
#endif
}
#endif

/* ---- Fast paths ------------------------------------------------------------------------------ */

/* Returns `strict` with every note raised, so that a finding missing in the report shows in the
 * verdict. */
static const struct urivet_policy *raising(void)
{
	static struct urivet_policy policy;
	if (policy.size == 0) {
		policy = built_in(URIVET_STRICT);
		for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
			const struct urivet_finding_row *row = urivet_finding_info(id);
			if (row != NULL && row->class_ == URIVET_NOTE)
				(void)urivet_policy_raise(&policy, id);
		}
	}
	return &policy;
}

/* Checks that report and verdict of the fast path are octet for octet those of all rules. */
static void expect_all_rules(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	static struct urivet_report quick, full;
	report_both_ways(&quick, &full, data, length, policy);
	oracle(memcmp(&quick, &full, offsetof(struct urivet_report, url_rule)) == 0,
	       "a short way finds what all rules find");
	oracle(urivet_verdict_of(data, length, policy) == full.verdict,
	       "a verdict alone is that of all rules");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	uint8_t *room;
	struct text t;
	if (length == 0 || length > 1u << 20)
		return 0;
	room = room_for(length);
	memcpy(room, data, length);
	t = text_at(room, length);
	const struct plain plain = urivet_plain_by_octet(t);
	struct urivet_report r;
	oracle(plain.host == 0 || length > 8192 ||
		   urivet_check(&r, data, length, NULL) == URIVET_ACCEPT,
	       "what is plain is accepted");
#if URIVET_VECTORS >= 1
	if (length >= VECTOR_LEAST) {
		compare(t, plain);
		compare_rows(t);
	}
#else
	expect_brief(0, t, plain);
#endif
	expect_all_rules(room, length, NULL);
	expect_all_rules(room, length, BY_PUBLIC);
	expect_all_rules(room, length, BY_ANY);
	expect_all_rules(room, length, BY_GATEWAY);
	expect_all_rules(room, length, raising());
	free(room);
	return 0;
}
