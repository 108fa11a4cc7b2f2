/* SPDX-License-Identifier: Apache-2.0 */
/* Judging: reports are sound, policies stand to each other as they should. */
#include "oracles.h"
#include "../tests/built_in.h"

/* Everything that can be waived, waived. */
static struct urivet_policy lenient(void)
{
	struct urivet_policy policy = built_in(URIVET_ANY);
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		(void)urivet_policy_waive(&policy, id);
	return policy;
}

/* The first half as a target, the second as its Host field. */
static void target(const uint8_t *data, size_t length)
{
	struct urivet_report r;
	urivet_check_target(&r, urivet_text_of(data, length / 2), urivet_text_of(data + length / 2, length - length / 2), NULL, NULL);
	expect_sound(&r, length);
	urivet_check_target(&r, urivet_text_of(data, length), urivet_text_of(NULL, 0), NULL, NULL);
	expect_sound(&r, length);
}

static bool accepts(const struct urivet_policy *policy, const uint8_t *data, size_t length)
{
	struct urivet_report r;
	return urivet_check(&r, data, length, policy) == URIVET_ACCEPT;
}

/* A report, octet by octet of what it means. */
static bool same_report(const struct urivet_report *a, const struct urivet_report *b)
{
	return a->verdict == b->verdict && a->parsed == b->parsed && a->count == b->count &&
	       a->dropped == b->dropped &&
	       (!a->parsed || memcmp(&a->uri, &b->uri, sizeof a->uri) == 0) &&
	       memcmp(a->finding, b->finding, a->count * sizeof a->finding[0]) == 0;
}

/* A plain URL takes a short way, unless the policy allows shorter names than DNS does: with
 * such a policy all rules are asked. Both ways say the same, but of a name too long. */
static void both_ways(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	struct urivet_policy shorter = *policy;
	struct urivet_report quick, full;
	memset(&quick, 0, sizeof quick); /* nobody writes what lies between two fields */
	memset(&full, 0, sizeof full);
	shorter.max_host = 252;
	urivet_check(&quick, data, length, policy);
	urivet_check(&full, data, length, &shorter);
	for (uint32_t k = 0; k < full.count; k++)
		if (full.finding[k].id == URIVET_F_HOST_TOO_LONG)
			return;
	oracle(full.dropped > 0 || same_report(&quick, &full),
	       "the short way for plain URLs says what the rules say");
}

static void judge(const uint8_t *data, size_t length, const struct urivet_policy *policy)
{
	struct urivet_report r;
	struct urivet_uri uri;
	const bool accepted = urivet_check(&r, data, length, policy) == URIVET_ACCEPT;
	expect_sound(&r, length);
	both_ways(data, length, policy);
	if (policy == BY_STRICT) {
		oracle(length > policy->max_length ||
			   r.parsed == urivet_parse(&uri, data, length, NULL),
		       "check and parse agree on the grammar");
		oracle(urivet_ok(data, length) == accepted, "urivet_ok is the verdict of strict");
	}
	if (!accepted)
		return;
	oracle(policy != BY_PUBLIC || accepts(BY_STRICT, data, length),
	       "public accepts nothing that strict refuses");
	oracle(policy != BY_STRICT || accepts(BY_ANY, data, length),
	       "any accepts what strict accepts");
}

/* One judgement an execution, to be quick: the octets choose which, so that every
 * mutant may meet another policy. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct urivet_policy all_waived;
	const struct urivet_policy *const policies[] = {
	    BY_STRICT, BY_STRICT, BY_PUBLIC, BY_ANY,
	    &all_waived};
	unsigned sum = 0;
	if (all_waived.size == 0)
		all_waived = lenient();
	for (size_t k = 0; k < length; k++)
		sum += data[k];
	if (sum % 6 == 5)
		target(data, length);
	else
		judge(data, length, policies[sum % 6]);
	return 0;
}
