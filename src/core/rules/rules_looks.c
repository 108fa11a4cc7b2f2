/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about names that people may mistake for other names. */
#include "names/label.h"
#include "policy/protected.h"
#include "policy/tlds.h"
#include "rules/rules.h"
#include "uri/host.h"

/* ---- A label by itself ---------------------------------------------------------- */

/* Maps the ways a label may deceive to findings. */
static const struct {
	uint32_t looks;
	uint16_t id; /* enum urivet_id */
} found_of_looks[] = {
    {LOOK_MIXED, URIVET_F_IDN_MIXED_SCRIPT},
    {LOOK_WHOLE, URIVET_F_IDN_WHOLE_SCRIPT_CONFUSABLE},
    {LOOK_DIGITS, URIVET_F_IDN_DIGIT_LOOKALIKE},
    {LOOK_PATTERN, URIVET_F_IDN_DANGEROUS_PATTERN},
};

#define LOOKS_FOUND (sizeof(found_of_looks) / sizeof(found_of_looks[0]))

/*@ ADDS_HOST_FINDINGS(s); */
static void add_looks(struct subject *s, uint32_t looks, uint32_t at, uint32_t end)
{
	/*@ loop invariant k <= LOOKS_FOUND && judging_host(s);
	    loop assigns k, FOUND(s);
	    loop variant LOOKS_FOUND - k; */
	for (unsigned k = 0; k < LOOKS_FOUND; k++) {
		const unsigned id = found_of_looks[k].id % URIVET_FINDING_LIMIT;
		if ((looks & found_of_looks[k].looks) != 0 && is_on(s->policy, id))
			add_in_host(s, (enum urivet_id)id, at, end);
	}
	if ((looks & LOOK_SPECIFIC) != 0)
		add_in_host(s, URIVET_F_IDN_TLD_SPECIFIC, at, end);
}

/* ---- Label by label ------------------------------------------------------------- */

/* Checks one label of the host. Returns true if the host is one of the protected names from this
 * label on. `last`: the label is the top-level domain, which registrants cannot choose. */
/*@ requires looked_at(l) && \separated(l, s, s->report, s->policy);
    JUDGES_HOST(s); */
static COLD bool judge_look(struct subject *s, const struct looked *l, struct home home, bool last)
{
	struct code_points points;
	struct likely found = {NULL, false, false};
	bool ascii;
	if (!urivet_alabel_points(until(l->name, l->end), l->at, &points))
		urivet_label_points(l->name, l->at, l->end, &points);
	ascii = !has_beyond_ascii(&points, 0, points.count);
	if (!ascii && !last)
		add_looks(s, urivet_label_looks(&points, home), l->at, l->end);
	//@ assert judging_host(s) && looked_at(l);
	if (has_protected(s->policy))
		found = protected_label(s->policy, l, ascii, &points);
	if (found.imitated != NULL && !last) {
		add_in_host(s, URIVET_F_IDN_BRAND_CONFUSABLE, l->at, l->end);
		//@ assert looked_at(l);
		if (s->report->host_rule == NULL)
			s->report->host_rule = &found.imitated->name;
	}
	//@ assert judging_host(s);
	//@ assert looked_at(l);
	if (!last && !found.own && has_protected(s->policy) &&
	    (found.named || urivet_has_brand(s->policy, until(l->name, l->end), l->at)))
		add_in_host(s, URIVET_F_BRAND_AS_LABEL, l->at, l->end);
	return found.own;
}

/* Checks labels from last to first. Stops at a protected name: labels before it belong to it. */
/*@ requires readable(t) && at < t.end; JUDGES_HOST(s); */
static void judge_looks(struct subject *s, struct text t, uint32_t at)
{
	const struct home home = urivet_home_of(t, urivet_last_label(t, at));
	struct looked l = {t, at, t.end};
	/*@ loop invariant judging_host(s) && at <= l.end <= t.end;
	    loop invariant readable(l.name) && l.name.end == t.end;
	    loop invariant s->report == \at(s->report, Pre);
	    loop assigns l.at, l.end, FOUND_IN(s, \at(s->report, Pre));
	    loop variant l.end; */
	while (l.end > at) {
		bool last;
		l.at = urivet_last_label(until(t, l.end), at);
		last = l.end == t.end && l.at > at;
		if (judge_look(s, &l, home, last) || l.at == at)
			return;
		l.end = l.at - 1;
	}
}

void urivet_rules_looks(struct subject *s, struct text t, uint32_t at, uint32_t seen)
{
	const bool beyond_ascii =
	    (seen & (HIGH | PERCENT)) != 0 || ((seen & HYPHEN) != 0 && has_alabel(t, at));
	if (at < t.end && (beyond_ascii || has_protected(s->policy)))
		judge_looks(s, t, at);
}
