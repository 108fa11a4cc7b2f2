/* SPDX-License-Identifier: Apache-2.0 */
/* A policy's list of protected names, which other names may imitate. */
#ifndef URIVET_PROTECTED_H
#define URIVET_PROTECTED_H

#include "names/looks.h"
#include "policy/lists.h"

/* First labels of fewer letters than PROTECTED_LETTERS are never treated as imitated. Below
 * PROTECTED_MANY the comparison is stricter, since short words look alike by chance. */
#define PROTECTED_LETTERS 4u
#define PROTECTED_MANY    6u

/* Returns true if the policy has protected names. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_protected(const struct urivet_policy *policy)
{
	return policy->protect_count > 0;
}

/*@ requires \valid_read(policy) && k < policy->protect_count;
    assigns \nothing;
    ensures \valid_read(\result); */
static inline const struct urivet_protected *protected_name(const struct urivet_policy *policy,
							    uint32_t k)
{
	return &policy->protect[k];
}

/* The order of sorted lists of names, for urivet_order(). */
int urivet_order_protected(const void *a, const void *b);

/* A label of a host and the name that contains it. */
struct looked {
	struct text name; /* the name, without a final dot */
	uint32_t at, end; /* the range of the label */
};

/*@ predicate looked_at(struct looked *l) =
      \valid_read(l) && readable(l->name) && l->at <= l->end <= l->name.end; */

/* The result of a lookup in the list. */
struct likely {
	const struct urivet_protected *imitated; /* the name that it looks like, or NULL */
	bool named; /* the label is the first label of a protected name */
	bool own; /* the host is a protected name from this label on, so no label in it imitates */
};

/* Looks up names by the hashes of the label or a part of it. Takes O(log count), plus the number of
 * names with the same look. */
/*@ requires \valid_read(policy) && looked_at(l) && \valid_read(sums);
    assigns \nothing;
    ensures \result.imitated == \null || \valid_read(\result.imitated); */
struct likely urivet_protected_like(const struct urivet_policy *policy, const struct looked *l,
				    bool ascii, const struct look_sums *sums);

/* Returns the name imitated by the first part between hyphens that imitates one, or NULL. For
 * labels with characters beyond ASCII. */
/*@ requires \valid_read(policy) && looked_at(l);
    requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_protected *urivet_protected_piece(const struct urivet_policy *policy,
						      const struct looked *l,
						      const struct code_points *points);

/* Looks up the label with these characters, whole and by parts. `ascii`: all are ASCII. An A-label
 * that does not look like ASCII is looked up as written. Inline to save a stack frame. */
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

/* Returns true if up to BRAND_PIECES parts between hyphens of the label that fills t from `at` on
 * are the first label of a protected name, ignoring letter case: protected_label() finds whole
 * labels. Takes O(octets * BRAND_PIECES + parts * log count), plus names that look like a part. */
#define BRAND_PIECES 3u
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
bool urivet_has_brand(const struct urivet_policy *policy, struct text t, uint32_t at);

/* Returns false only if no label of the plain name that fills t from `at` on looks like a protected
 * one or contains one between hyphens. The name must have no A-labels. */
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
bool urivet_may_imitate(const struct urivet_policy *policy, struct text t, uint32_t at);

/* Returns true if the list is in order. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_protected_in_order(const struct urivet_policy *policy);

/* Returns true if each name is valid. `compiled`: the list belongs to a compiled policy. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_protected_mean(const struct urivet_policy *policy, bool compiled);

#endif
