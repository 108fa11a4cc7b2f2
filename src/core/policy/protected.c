/* SPDX-License-Identifier: Apache-2.0 */
/* Protected names: making rules, ordering them, and looking up names by their appearance. */
#include "policy/protected.h"

#include "names/label.h"
#include "text/words.h"
#include "uri/host.h"

/* ---- Making rules ----------------------------------------------------------------------- */

/*@ requires readable(t) && at <= t.end;
    requires \valid(sums) && \separated(sums, t.data + (0 .. t.end - 1));
    assigns *sums; */
static COLD bool sums_of_alabel(struct text t, uint32_t at, struct look_sums *sums)
{
	struct code_points points;
	return urivet_alabel_points(t, at, &points) &&
	       urivet_look_sums(&points, 0, points.count, sums);
}

/* Returns the hashes of the first label of a name. An A-label that does not look like ASCII is
 * hashed as written, so that it can still be found. */
/*@ requires readable(name);
    assigns \nothing; */
static struct look_sums sums_of_name(struct text name)
{
	const struct text label = until(name, label_end(name, 0));
	struct look_sums sums = {0, 0};
	if (!sums_of_alabel(label, 0, &sums) && !urivet_look_sums_of_ascii(label, 0, &sums))
		sums.look = sums.letters = 0;
	return sums;
}

/*@ requires \valid(name);
    assigns *name; */
bool urivet_protected_from(struct urivet_protected *name, const char *text, size_t length)
{
	struct urivet_host_rule rule;
	struct look_sums sums;
	if (!urivet_host_rule_from(&rule, text, length, URIVET_DENY) ||
	    rule.scope != URIVET_SCOPE_HOST)
		return false;
	sums = sums_of_name(rule_name(&rule));
	name->name = rule;
	name->look = sums.look;
	name->letters = sums.letters;
	return true;
}

/* ---- Order ------------------------------------------------------------------------------ */

/*@ requires \valid_read(a) && \valid_read(b);
    assigns \nothing; */
static int order_protected(const struct urivet_protected *a, const struct urivet_protected *b)
{
	if (a->look != b->look)
		return a->look < b->look ? -1 : 1;
	return urivet_order_names(rule_name(&a->name), rule_name(&b->name));
}

int urivet_order_protected(const void *a, const void *b)
{
	return order_protected(a, b);
}

bool urivet_protected_in_order(const struct urivet_policy *policy)
{
	if (!has_protected(policy))
		return true;
	/*@ loop invariant 1 <= k;
	    loop assigns k;
	    loop variant policy->protect_count - k; */
	for (uint32_t k = 1; k < policy->protect_count; k++)
		if (order_protected(protected_name(policy, k - 1), protected_name(policy, k)) > 0)
			return false;
	return true;
}

/* Returns true if urivet_protected_from() can produce this name. */
/*@ requires \valid_read(p);
    assigns \nothing; */
static bool is_protected_name(const struct urivet_protected *p, bool compiled)
{
	const struct text name = rule_name(&p->name);
	const struct look_sums sums = sums_of_name(name);
	return is_text_known(p->name.scope, compiled) &&
	       (p->name.scope & ~URIVET_SCOPE_RELATIVE) == URIVET_SCOPE_HOST &&
	       p->name.action == URIVET_DENY && p->name.above == 0 && urivet_is_domain(name, 0) &&
	       p->look == sums.look && p->letters == sums.letters;
}

bool urivet_protected_mean(const struct urivet_policy *policy, bool compiled)
{
	if (!has_protected(policy))
		return true;
	/*@ loop invariant 0 <= k;
	    loop assigns k;
	    loop variant policy->protect_count - k; */
	for (uint32_t k = 0; k < policy->protect_count; k++)
		if (!is_protected_name(protected_name(policy, k), compiled))
			return false;
	return true;
}

/* ---- Lookup ----------------------------------------------------------------------------- */

/* Returns the index of the first name whose look hash is not below `look`. */
/*@ requires \valid_read(policy);
    assigns \nothing;
    ensures \result <= policy->protect_count; */
static uint32_t first_protected(const struct urivet_policy *policy, uint64_t look)
{
	uint32_t low = 0, high = policy->protect_count;
	/*@ loop invariant low <= high <= policy->protect_count;
	    loop assigns low, high;
	    loop variant high - low; */
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (protected_name(policy, middle)->look < look)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns true if the octets of t from `at` on equal those of `other` from `from` on, ignoring
 * letter case. */
/*@ requires readable(t) && readable(other) && at <= t.end && from <= other.end;
    assigns \nothing; */
static inline bool ends_as(struct text t, uint32_t at, struct text other, uint32_t from)
{
	if (t.end - at != other.end - from)
		return false;
	/*@ loop invariant at <= t.end && from <= other.end && t.end - at == other.end - from;
	    loop assigns at, from;
	    loop variant t.end - at; */
	for (; at < t.end; at++, from++)
		if (lower(octet(t, at)) != lower(octet(other, from)))
			return false;
	return true;
}

/* Returns true if t from `at` on is the first label of the name, and long enough to be a brand. */
/*@ requires \valid_read(p) && readable(t) && at <= t.end;
    assigns \nothing; */
static bool is_first_label(struct text t, uint32_t at, const struct urivet_protected *p)
{
	const struct text name = rule_name(&p->name);
	const uint32_t end = label_end(name, 0);
	return end >= PROTECTED_LETTERS && ends_as(t, at, until(name, end), 0);
}

/* Returns true if the label imitates the name, given that both look alike. It must differ from the
 * name's first label. A label beyond ASCII is always an imitation. An ASCII label needs the same
 * letters or many of them: either one before the same domain, both before another. */
/*@ requires \valid_read(p) && looked_at(l);
    assigns \nothing; */
static bool is_imitation(const struct looked *l, bool ascii, const struct urivet_protected *p,
			 uint64_t letters)
{
	const struct text name = rule_name(&p->name);
	const uint32_t end = label_end(name, 0);
	const bool many = end >= PROTECTED_MANY, exact = p->letters == letters;
	if (end < PROTECTED_LETTERS || ends_as(until(l->name, l->end), l->at, until(name, end), 0))
		return false;
	if (!ascii)
		return true;
	return ends_as(l->name, l->end, name, end) ? exact || many : exact && many;
}

struct likely urivet_protected_like(const struct urivet_policy *policy, const struct looked *l,
				    bool ascii, const struct look_sums *sums)
{
	struct likely found = {NULL, false, false};
	/*@ loop invariant k <= policy->protect_count;
	    loop invariant found.imitated == \null || \valid_read(found.imitated);
	    loop assigns k, found;
	    loop variant policy->protect_count - k; */
	for (uint32_t k = first_protected(policy, sums->look); k < policy->protect_count; k++) {
		const struct urivet_protected *const p = protected_name(policy, k);
		if (p->look != sums->look)
			break;
		if (ends_as(l->name, l->at, rule_name(&p->name), 0))
			found.own = true;
		if (is_first_label(until(l->name, l->end), l->at, p))
			found.named = true;
		if (found.imitated == NULL && is_imitation(l, ascii, p, sums->letters))
			found.imitated = p;
	}
	return found;
}

/* Returns the end of the part between hyphens that begins with character number `from`. */
/*@ requires \valid_read(points) && from <= points->count <= PUNYCODE_POINTS;
    assigns \nothing;
    ensures from <= \result <= points->count; */
static uint32_t hyphen_or_end(const struct code_points *points, uint32_t from)
{
	/*@ loop invariant \at(from, Pre) <= from <= points->count;
	    loop assigns from;
	    loop variant points->count - from; */
	while (from < points->count && points->point[from] != '-')
		from++;
	return from;
}

const struct urivet_protected *urivet_protected_piece(const struct urivet_policy *policy,
						      const struct looked *l,
						      const struct code_points *points)
{
	const struct urivet_protected *imitated = NULL;
	uint32_t from = 0;
	/*@ loop invariant from <= points->count + 1;
	    loop invariant imitated == \null || \valid_read(imitated);
	    loop assigns from, imitated;
	    loop variant points->count + 1 - from; */
	while (from < points->count && imitated == NULL) {
		const uint32_t to = hyphen_or_end(points, from);
		struct look_sums sums;
		if (has_beyond_ascii(points, from, to) && urivet_look_sums(points, from, to, &sums))
			imitated = urivet_protected_like(policy, l, false, &sums).imitated;
		from = to + 1;
	}
	return imitated;
}

/* Returns true if the list has a name whose first label looks like the one that fills t from `at`
 * on. */
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
static bool may_be_like(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	struct look_sums sums = {0, 0};
	uint32_t first;
	(void)urivet_look_sums_of_ascii(t, at, &sums); /* plain names have no other octets */
	first = first_protected(policy, sums.look);
	return first < policy->protect_count && protected_name(policy, first)->look == sums.look;
}

/* Returns true if t from `at` on is the first label of a protected name. */
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
static bool is_brand(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	struct look_sums sums;
	if (t.end - at < PROTECTED_LETTERS || !urivet_look_sums_of_ascii(t, at, &sums))
		return false;
	/*@ loop invariant k <= policy->protect_count;
	    loop assigns k;
	    loop variant policy->protect_count - k; */
	for (uint32_t k = first_protected(policy, sums.look); k < policy->protect_count; k++) {
		if (protected_name(policy, k)->look != sums.look)
			return false;
		if (is_first_label(t, at, protected_name(policy, k)))
			return true;
	}
	return false;
}

/* Returns the offset of the next hyphen from `at` on, or the end. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
static uint32_t next_hyphen(struct text t, uint32_t at)
{
	/*@ loop invariant \at(at, Pre) <= at <= t.end;
	    loop assigns at;
	    loop variant t.end - at; */
	while (at < t.end && octet(t, at) != '-')
		at++;
	return at;
}

/* Returns true if a brand begins at `at`, and ends at one of the next hyphens or at the end. */
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
static bool begins_with_brand(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	uint32_t end = at;
	/*@ loop invariant pieces <= BRAND_PIECES && at <= end <= t.end + 1;
	    loop assigns pieces, end;
	    loop variant BRAND_PIECES - pieces; */
	for (uint32_t pieces = 0; pieces < BRAND_PIECES && end <= t.end; pieces++) {
		end = next_hyphen(t, end);
		if (is_brand(policy, until(t, end), at))
			return true;
		end++;
	}
	return false;
}

bool urivet_has_brand(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	/*@ loop invariant at <= t.end + 1;
	    loop assigns at;
	    loop variant t.end + 1 - at; */
	while (at < t.end) {
		if (begins_with_brand(policy, t, at))
			return true;
		at = next_hyphen(t, at) + 1;
	}
	return false;
}

bool urivet_may_imitate(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	/*@ loop invariant at <= t.end + 1;
	    loop assigns at;
	    loop variant t.end + 1 - at; */
	while (at < t.end) {
		const uint32_t end = label_end(t, at);
		if (may_be_like(policy, until(t, end), at) ||
		    urivet_has_brand(policy, until(t, end), at))
			return true;
		at = end + 1;
	}
	return false;
}
