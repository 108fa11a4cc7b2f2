/* SPDX-License-Identifier: Apache-2.0 */
/* A policy's list of names that others imitate. */
#ifndef URIVET_PROTECTED_H
#define URIVET_PROTECTED_H

#include "names/looks.h"
#include "policy/lists.h"

/* First labels of fewer letters are imitated by none, and those of fewer than many are looked at
 * more narrowly: words of few letters look like one another by chance. */
#define PROTECTED_LETTERS 4u
#define PROTECTED_MANY    6u

/* Does the policy have such names? A program of before there were any has none. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_protected(const struct urivet_policy *policy)
{
	return policy->size > offsetof(struct urivet_policy, protect_count) &&
	       policy->protect_count > 0;
}

/*@ requires \valid_read(policy) && k < policy->protect_count;
    assigns \nothing;
    ensures \valid_read(\result); */
static inline const struct urivet_protected *protected_name(const struct urivet_policy *policy,
							    uint32_t k)
{
	return &policy->protect[k];
}

/* A label of a name that goes on after it. */
struct looked {
	struct text name; /* up to its end, without a final dot */
	uint32_t at, end; /* the label */
};

/*@ predicate looked_at(struct looked *l) =
      \valid_read(l) && readable(l->name) && l->at <= l->end <= l->name.end; */

/* What the list says of it. */
struct likely {
	const struct urivet_protected *imitated; /* the name that it looks like; NULL: none */
	bool named; /* the label is the first label of a protected name */
	bool own; /* the host is a protected name from here on: nothing in it imitates */
};

/* Looks up what the label, or a piece of it, looks like. O(log count), and the names that look like
 * it. */
/*@ requires \valid_read(policy) && looked_at(l) && \valid_read(sums);
    assigns \nothing;
    ensures \result.imitated == \null || \valid_read(\result.imitated); */
struct likely urivet_protected_like(const struct urivet_policy *policy, const struct looked *l,
				    bool ascii, const struct look_sums *sums);

/* The name that the first piece between hyphens imitates which does, of a label with characters
 * beyond ASCII; NULL: none. */
/*@ requires \valid_read(policy) && looked_at(l);
    requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_protected *urivet_protected_piece(const struct urivet_policy *policy,
						      const struct looked *l,
						      const struct code_points *points);

/* Looks the label up, of which these are the characters, as a whole and by pieces. `ascii`: they
 * are of ASCII. What looks like nothing of ASCII is found by the A-label alone. (Here, since one
 * frame less is on the stack so.) */
/*@ requires \valid_read(policy) && looked_at(l);
    requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing;
    ensures \result.imitated == \null || \valid_read(\result.imitated); */
static inline struct likely protected_label(const struct urivet_policy *policy,
					    const struct looked *l, bool ascii,
					    const struct code_points *points)
{
	struct look_sums sums;
	struct likely found = {NULL, false, false};
	if (!ascii && urivet_look_sums(points, 0, points->count, &sums))
		found = urivet_protected_like(policy, l, false, &sums);
	else if (urivet_look_sums_of_ascii(until(l->name, l->end), l->at, &sums))
		found = urivet_protected_like(policy, l, true, &sums);
	if (!ascii && found.imitated == NULL && !found.own)
		found.imitated = urivet_protected_piece(policy, l, points);
	if (found.own)
		found.imitated = NULL;
	return found;
}

/* Returns true if the label that fills t from `at` on, or up to BRAND_PIECES parts of it between
 * hyphens, is the first label of a protected name, letter case aside. Takes
 * O(octets * BRAND_PIECES + parts * log count), and the names that look like a part. */
#define BRAND_PIECES 3u
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
bool urivet_has_brand(const struct urivet_policy *policy, struct text t, uint32_t at);

/* May a label of the plain name that fills t from `at` on, without A-labels, look like a protected
 * one, or have one between hyphens? False only if surely none does. */
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
bool urivet_may_imitate(const struct urivet_policy *policy, struct text t, uint32_t at);

/* Is the list in its order? */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_protected_in_order(const struct urivet_policy *policy);

/* Does each name mean something? `compiled`: the list lies in a compiled policy. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_protected_mean(const struct urivet_policy *policy, bool compiled);

#endif
