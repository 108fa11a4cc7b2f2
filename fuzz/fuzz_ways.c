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
static void expect_brief(uint32_t path, struct text t)
{
	struct plain plain;
	const bool whole = urivet_plain_by_octet(t, &plain);
	oracle(path == 0 || (whole && plain.path == path && plain.tail.path_end == t.end),
	       "a brief answer is that of the octets");
}

#if URIVET_VECTORS >= 1
#include "../tests/same_parts.h"

/* Compares the tail that begins with the first slash. */
static void compare_tail(struct text t, struct tail (*by_vector)(struct text t, uint32_t at))
{
	const uint32_t at = find(t, 0, SLASH);
	if (at < t.end)
		oracle(same_tail(t, at, by_vector(t, at), urivet_tail_by_octet(t, at)),
		       "vectors find the same tail");
}

static void compare(struct text t)
{
	oracle(same_parts(t, BASELINE(urivet_plain_by)),
	       "every machine's vectors find what the octets are");
	compare_tail(t, BASELINE(urivet_tail_by));
	if (t.end < VECTOR_BRIEF)
		expect_brief(BASELINE(urivet_brief_by)(t), t);
#if URIVET_VECTORS >= 2
	if (!urivet_has_avx2())
		return;
	oracle(same_parts(t, urivet_plain_by_avx2), "newer vectors find what the octets are");
	compare_tail(t, urivet_tail_by_avx2);
	if (t.end < VECTOR_BRIEF)
		oracle(urivet_brief_by_avx2(t) == BASELINE(urivet_brief_by)(t),
		       "brief answers are those of older vectors");
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
	oracle(urivet_verdict_of(data, length, policy, NULL) == full.verdict,
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
	struct plain plain;
	struct urivet_report r;
	oracle(!urivet_plain_by_octet(t, &plain) || length > 8192 ||
		   urivet_check(&r, data, length, NULL) == URIVET_ACCEPT,
	       "what is plain is accepted");
#if URIVET_VECTORS >= 1
	if (length >= VECTOR_LEAST)
		compare(t);
#else
	expect_brief(0, t);
#endif
	expect_all_rules(room, length, NULL);
	expect_all_rules(room, length, BY_PUBLIC);
	expect_all_rules(room, length, BY_ANY);
	expect_all_rules(room, length, BY_GATEWAY);
	expect_all_rules(room, length, raising());
	free(room);
	return 0;
}
