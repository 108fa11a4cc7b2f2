/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue proves itself: each row by the input that fires it and the near miss. */
#include "support.h"

TestSuite(findings, .timeout = 60);

static enum urivet_verdict judge_by(struct urivet_report *r, const char *name, unsigned id,
                                    const char *pattern, size_t pattern_length)
{
	static const char host[] = "example.com";
	struct urivet_policy policy = urivet_policy_strict;
	size_t length;
	const void *input = expand(pattern, pattern_length, &length);
	if (strcmp(name, "any") == 0)
		policy = urivet_policy_any;
	if (strcmp(name, "raised") == 0)
		cr_expect(urivet_policy_raise(&policy, id));
	input = at_edge(input, length);
	if (strcmp(name, "target") == 0)
		return urivet_check_target(r, input, length, host, sizeof host - 1, &policy, NULL);
	return urivet_check(r, input, length, &policy);
}

/* What every report promises, whatever the input. */
static void expect_sound(const struct urivet_report *r, size_t length, const char *what)
{
	for (uint32_t k = 0; k < r->count; k++) {
		const struct urivet_finding *f = &r->finding[k];
		cr_expect(f->span.offset <= length && f->span.length <= length - f->span.offset,
		          "%s: span of %s outside", what, urivet_finding_info(f->id)->name);
		cr_expect(f->count > 0 && f->class_ == urivet_finding_info(f->id)->class_);
		if (k > 0)
			cr_expect(f[-1].span.offset < f->span.offset ||
			              (f[-1].span.offset == f->span.offset && f[-1].id < f->id),
			          "%s: order of %s", what, ids_of(r));
	}
}

static bool has_malformed(const struct urivet_report *r)
{
	for (uint32_t k = 0; k < r->count; k++)
		if (r->finding[k].class_ == URIVET_MALFORMED)
			return true;
	return false;
}

Test(findings, each_row_fires_and_misses)
{
	unsigned rows = 0;
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		struct urivet_report r;
		if (row == NULL)
			continue;
		rows++;
		enum urivet_verdict v = judge_by(&r, row->policy, id, row->fires, row->fires_length);
		cr_expect(finding_in(&r, id) != NULL, "%s does not fire on %s: %s", row->name,
		          shown(row->fires, row->fires_length), ids_of(&r));
		cr_expect(v == (row->class_ == URIVET_NOTE ? v : URIVET_REJECT),
		          "%s does not refuse", row->name);
		cr_expect(r.parsed || has_malformed(&r) || finding_in(&r, URIVET_F_URL_TOO_LONG),
		          "%s: not parsed and nothing malformed: %s", row->name, ids_of(&r));
		expect_sound(&r, 9000, row->name);
		judge_by(&r, row->policy, id, row->misses, row->misses_length);
		cr_expect(finding_in(&r, id) == NULL, "%s fires on its near miss %s: %s", row->name,
		          shown(row->misses, row->misses_length), ids_of(&r));
		expect_sound(&r, 9000, row->name);
	}
	cr_expect(rows >= 90, "%u rows", rows);
}

Test(findings, malformed_means_not_parsed)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		struct urivet_report r;
		if (row == NULL || row->class_ != URIVET_MALFORMED ||
		    id == URIVET_F_NOT_ABSOLUTE || id == URIVET_F_FRAGMENT_IN_TARGET)
			continue;
		judge_by(&r, row->policy, id, row->fires, row->fires_length);
		cr_expect(!r.parsed || strcmp(row->policy, "target") == 0, "%s parses", row->name);
	}
}

Test(findings, names_are_unique_and_kebab_case)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		if (row == NULL)
			continue;
		cr_expect(row->id == id);
		cr_expect(urivet_finding_named(row->name, strlen(row->name)) == row, "%s",
		          row->name);
		cr_expect(strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789-") ==
		          strlen(row->name));
		cr_expect(row->name[0] != '-' && strstr(row->name, "--") == NULL);
		cr_expect(strlen(row->text) > 20 && strlen(row->reference) > 5, "%s", row->name);
	}
	cr_expect(urivet_finding_info(0) == NULL);
	cr_expect(urivet_finding_info(URIVET_FINDING_LIMIT) == NULL);
	cr_expect(urivet_finding_info(~0u) == NULL);
	cr_expect(urivet_finding_named("dot-segmen", 10) == NULL);
	cr_expect(urivet_finding_named("", 0) == NULL);
}
