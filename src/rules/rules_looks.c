/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about what people take a name for. */
#include "names/label.h"
#include "policy/protected.h"
#include "rules/rules.h"
#include "text/words.h"
#include "uri/host.h"

/* ---- A label by itself ---------------------------------------------------------- */

/* What is found of a label that may deceive. */
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

/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing; */
static bool are_ascii(const struct code_points *points)
{
	/*@ loop invariant k <= points->count;
	    loop assigns k;
	    loop variant points->count - k; */
	for (uint32_t k = 0; k < points->count; k++)
		if (points->point[k] >= 0x80)
			return false;
	return true;
}

/* Is the host one of the names that are protected from this label on? `last`: the label is the
 * top-level domain, which is nobody's to choose. */
/*@ requires looked_at(l) && \separated(l, s, s->report, s->policy);
    JUDGES_HOST(s); */
static COLD bool judge_look(struct subject *s, const struct looked *l, struct home home, bool last)
{
	struct code_points points;
	struct likely found = {NULL, false};
	bool ascii;
	if (!urivet_alabel_points(until(l->name, l->end), l->at, &points))
		urivet_label_points(l->name, l->at, l->end, &points);
	ascii = are_ascii(&points);
	if (!ascii && !last)
		add_looks(s, urivet_label_looks(&points, home), l->at, l->end);
	if (has_protected(s->policy))
		found = protected_label(s->policy, l, ascii, &points);
	if (found.imitated != NULL && !last) {
		add_in_host(s, URIVET_F_IDN_BRAND_CONFUSABLE, l->at, l->end);
		if (s->report->host_rule == NULL)
			s->report->host_rule = &found.imitated->name;
	}
	return found.own;
}

/* Where the label begins that ends at `end`. */
/*@ requires readable(t) && at <= end <= t.end;
    assigns \nothing;
    ensures at <= \result <= end; */
static uint32_t label_begin(struct text t, uint32_t at, uint32_t end)
{
	/*@ loop invariant at <= end <= \at(end, Pre);
	    loop assigns end;
	    loop variant end; */
	while (end > at && octet(t, end - 1) != '.')
		end--;
	return end;
}

/* From the last label to the first: what stands before a name that is protected belongs to it. */
/*@ requires readable(t) && at < t.end; JUDGES_HOST(s); */
static void judge_looks(struct subject *s, struct text t, uint32_t at)
{
	uint32_t end = t.end;
	const struct home home = urivet_home_of(t, label_begin(t, at, end));
	bool own = false;
	/*@ loop invariant judging_host(s) && at <= end <= t.end;
	    loop invariant s->report == \at(s->report, Pre);
	    loop assigns end, own, FOUND_IN(s, \at(s->report, Pre));
	    loop variant end; */
	while (end > at && !own) {
		const uint32_t begin = label_begin(t, at, end);
		const struct looked l = {t, begin, end};
		own = judge_look(s, &l, home, end == t.end && begin > at);
		if (begin == at)
			break;
		end = begin - 1;
	}
}

/* Is there an A-label? */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static bool has_alabel(struct text t, uint32_t at)
{
	/*@ loop invariant at <= t.end + 1;
	    loop assigns at;
	    loop variant t.end + 1 - at; */
	while (at < t.end) {
		if (has_word(t, at, "xn--"))
			return true;
		at = find_octet(t, at, '.') + 1;
	}
	return false;
}

void urivet_rules_looks(struct subject *s, struct text t, uint32_t at, uint32_t seen)
{
	const bool beyond_ascii =
	    (seen & (HIGH | PERCENT)) != 0 || ((seen & HYPHEN) != 0 && has_alabel(t, at));
	if (at < t.end && (beyond_ascii || has_protected(s->policy)))
		judge_looks(s, t, at);
}
