/* SPDX-License-Identifier: Apache-2.0 */
/* Fast path: normal forms and targets that are copied from plain URLs. */
#include "reference/forward.h"

#include "plain/vector.h"
#include "uri/uri.h"

/* Writes the octets between two offsets. */
/*@ requires readable(t) && writable(o) && apart(o, t) && at <= end <= t.end;
    requires o->length + end <= MAX_PUT;
    assigns WRITTEN(o);
    ensures writable(o) && o->length == \old(o->length) + end - at; */
static void put_run(struct out *o, struct text t, uint32_t at, uint32_t end)
{
	if (at < end)
		put_copy(o, t.data + at, end - at);
}

/* ---- Normal forms ------------------------------------------------------------------ */

bool urivet_put_plain_form(struct out *o, struct text t, enum urivet_level level)
{
	struct plain p;
	if (!urivet_plain_or_brief(t, &p))
		return false;
	if (p.path == p.tail.path_end && level == URIVET_LEVEL_SCHEME) {
		put_run(o, t, 0, p.path);
		put(o, '/');
		put_run(o, t, p.path, t.end);
	} else {
		put_run(o, t, 0, t.end);
	}
	return true;
}

/* ---- Targets ----------------------------------------------------------------------- */

/* Returns the offset of the first octet from `at` that is neither of `kinds` nor in a triplet, or
 * the end. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
static uint32_t match_from(struct text t, uint32_t at, uint32_t kinds)
{
	return urivet_match_kinds(t, span(at, t.end), kinds, false);
}

/* Returns 1 if the segment at..end is ".", 2 if it is "..", else 0. */
/*@ requires readable(t) && at <= end <= t.end;
    assigns \nothing;
    ensures \result <= 2 && \result <= end - at; */
static uint32_t plain_dots(struct text t, uint32_t at, uint32_t end)
{
	if (octet(t, at) != '.' || (end - at == 2 && octet(t, at + 1) != '.'))
		return 0;
	return end - at <= 2 ? end - at : 0;
}

/* Returns true if the rest is segments without dot segments, and an optional query and fragment. */
/*@ requires readable(r) && at <= r.end;
    assigns \nothing; */
static bool is_copied(struct text r, uint32_t at)
{
	uint32_t end = match_from(r, at, PCHAR);
	/*@ loop invariant at <= end <= r.end;
	    loop assigns at, end;
	    loop variant r.end - at; */
	while (octet(r, end) == '/') {
		if (plain_dots(r, at, end) > 0)
			return false;
		at = end + 1;
		end = match_from(r, at, PCHAR);
	}
	if (plain_dots(r, at, end) > 0)
		return false;
	if (octet(r, end) == '?')
		end = match_from(r, end + 1, QUERYCHAR);
	if (octet(r, end) == '#')
		end = match_from(r, end + 1, QUERYCHAR);
	return end == r.end;
}

/* Returns the start of the segment that ends at `end`: the offset after a slash, or `start`. */
/*@ requires readable(t) && start <= end <= t.end;
    assigns \nothing;
    ensures start <= \result <= end; */
static uint32_t segment_start(struct text t, uint32_t start, uint32_t end)
{
	/*@ loop invariant start <= end <= \at(end, Pre);
	    loop assigns end;
	    loop variant end; */
	while (end > start && octet(t, end - 1) != '/')
		end--;
	return end;
}

/* 5.2.3: "the reference's path component appended to all but the last segment of the base URI's
 * path". Leading dot segments of the reference are applied to the base; at its root, ".." removes
 * nothing. */
/*@ requires readable(base) && readable(r) && writable(o) && o->length == 0;
    requires apart(o, base) && apart(o, r);
    requires plain_in(p, base) && p->host > 0;
    assigns WRITTEN(o);
    ensures writable(o);
    ensures !\result ==> o->length == 0; */
static bool put_merged(struct out *o, struct text base, const struct plain *p, struct text r)
{
	const bool has_path = p->path < p->tail.path_end;
	const uint32_t root = p->path + (has_path ? 1u : 0u);
	uint32_t kept = segment_start(base, root, p->tail.path_end), at = 0;
	uint32_t end = find(r, at, SLASH | QUESTION | HASH), dots = plain_dots(r, at, end);
	/*@ loop invariant root <= kept <= p->tail.path_end && at <= end <= r.end && dots <= end - at;
	    loop assigns kept, at, dots, end;
	    loop variant r.end - at; */
	while (dots > 0) {
		if (dots == 2 && kept > root)
			kept = segment_start(base, root, kept - 1);
		at = octet(r, end) == '/' ? end + 1 : end;
		end = find(r, at, SLASH | QUESTION | HASH);
		dots = plain_dots(r, at, end);
	}
	if (!is_copied(r, at))
		return false;
	put_run(o, base, 0, kept);
	if (!has_path)
		put(o, '/');
	put_run(o, r, at, r.end);
	return true;
}

/* Returns the length of the plain base that precedes an appended reference (5.2.2). `first` is "/",
 * "?", "#" or AT_END. */
/*@ requires \valid_read(p);
    assigns \nothing;
    ensures \result == p->path || \result == p->tail.path_end || \result == p->tail.query_end; */
static uint32_t kept_before(const struct plain *p, unsigned first)
{
	switch (first) {
	case '/':
		return p->path;
	case '?':
		return p->tail.path_end;
	default:
		return p->tail.query_end;
	}
}

bool urivet_put_plain_target(struct out *o, struct text base, struct text r)
{
	const unsigned first = octet(r, 0);
	struct plain p, other;
	if (!urivet_plain_or_brief(base, &p))
		return false;
	if (octet(r, find(r, 0, COLON | SLASH | QUESTION | HASH)) == ':') {
		if (!urivet_plain_or_brief(r, &other))
			return false;
		put_run(o, r, 0, r.end);
		return true;
	}
	if (first != AT_END && !is(r, 0, SLASH | QUESTION | HASH))
		return put_merged(o, base, &p, r);
	if ((first == '/' && octet(r, 1) == '/') || !is_copied(r, 0))
		return false;
	put_run(o, base, 0, kept_before(&p, first));
	put_run(o, r, 0, r.end);
	return true;
}
