/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parsing of URI references in two steps. First the text is split into components, which
 * always succeeds (RFC 3986, appendix B). Then each component is matched with the grammar
 * (appendix A). If all of them match, the components are those that a parser of the grammar
 * finds.
 */
#ifndef URIVET_URI_H
#define URIVET_URI_H

#include "text/utf8.h"

/* The kinds of octets in each component. A rule can skip a component that lacks the kinds it looks
 * for. */
struct kinds_seen {
	uint32_t in[URIVET_COMPONENTS]; /* in[URIVET_WHOLE] is the union */
	uint32_t beside_slash; /* DOT and SLASH, if such an octet of the path is next to a slash
	                        * or, as a dot, at its end */
	uint32_t escaped;      /* what triplets encode, as urivet_escape() returns it */
	uint32_t escaped_path; /* those of the path */
	struct windows loud; /* in which a "%" begins what a rule may report */
};

/*@ predicate inside(struct urivet_span s, integer end) = s.offset + s.length <= end;
    predicate parts_in(struct urivet_uri *uri, integer end) =
      end <= URIVET_MAX_LENGTH &&
      inside(uri->part[URIVET_WHOLE], end) && inside(uri->part[URIVET_SCHEME], end) &&
      inside(uri->part[URIVET_AUTHORITY], end) && inside(uri->part[URIVET_USERINFO], end) &&
      inside(uri->part[URIVET_HOST], end) && inside(uri->part[URIVET_PORT], end) &&
      inside(uri->part[URIVET_PATH], end) && inside(uri->part[URIVET_QUERY], end) &&
      inside(uri->part[URIVET_FRAGMENT], end);
    predicate splitting(struct text t, struct urivet_uri *uri, struct kinds_seen *seen) =
      readable(t) && \valid(uri) && \valid(seen) && \separated(uri, seen); */

/*@ requires \valid_read(uri) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing; */
static inline bool urivet_has(const struct urivet_uri *uri, enum urivet_component c);

/* Clears every field: no component, no scheme, no port. */
/*@ requires \valid(uri);
    assigns *uri;
    ensures \forall integer c; 0 <= c < URIVET_COMPONENTS ==>
      uri->part[c].offset == 0 && uri->part[c].length == 0; */
void urivet_clear_uri(struct urivet_uri *uri);

/* The end of a URI, which begins with the path: where path and query end, and the kinds of octets
 * in them, as in struct kinds_seen. */
struct tail {
	uint32_t path_end;
	uint32_t query_end; /* = path_end if there is no query */
	uint32_t path, query, beside_slash;
	uint32_t escaped, escaped_path; /* in both, and in the path */
	struct windows loud; /* in which escapes are not quiet */
};

/* Adds what the escapes of path and query encode to a tail that begins at `at`, of which the rest
 * is known. */
/*@ requires readable(t) && \valid(tail) && at <= tail->path_end <= tail->query_end <= t.end;
    assigns tail->escaped, tail->escaped_path, tail->loud; */
void urivet_add_escapes(struct text t, uint32_t at, struct tail *tail);

/* Does the same for a tail that may have none. */
/*@ requires readable(t) && \valid(tail) && at <= tail->path_end <= tail->query_end <= t.end;
    assigns tail->escaped, tail->escaped_path, tail->loud; */
static inline void urivet_see_escapes(struct text t, uint32_t at, struct tail *tail)
{
	tail->escaped = tail->escaped_path = 0;
	tail->loud.half[0] = tail->loud.half[1] = 0;
	if ((tail->path | tail->query) & PERCENT)
		urivet_add_escapes(t, at, tail);
}

/* Splits path and query off: ([^?#]*)(\?([^#]*))? */
/*@ predicate tail_in(struct tail tail, struct text t, integer at) =
      at <= tail.path_end <= tail.query_end <= t.end; */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures tail_in(\result, t, at); */
struct tail urivet_tail_by_octet(struct text t, uint32_t at);

/* The component that a text begins with. */
enum split_from {
	SPLIT_REFERENCE, /* a URI or relative reference */
	SPLIT_AUTHORITY, /* an authority, as in a Host field */
	SPLIT_PATH       /* a path without an authority before it, even if it begins with "//" */
};

/*
 * Splits t at the delimiters of appendix B, and the authority into userinfo up to the last
 * "@", host, and port after the last ":" outside brackets. Sets every field of *uri, but host
 * kind and address remain unset, and the host span includes the brackets of a literal.
 */
/*@ requires splitting(t, uri, seen);
    assigns *uri, *seen;
    ensures parts_in(uri, t.end); */
void urivet_split(struct text t, enum split_from from, struct urivet_uri *uri,
		  struct kinds_seen *seen);

/* Splits off scheme and authority, and clears the other components. Returns the offset of the
 * path. */
/*@ requires splitting(t, uri, seen);
    assigns *uri, *seen;
    ensures parts_in(uri, t.end) && \result <= t.end; */
uint32_t urivet_split_front(struct text t, enum split_from from, struct urivet_uri *uri,
			    struct kinds_seen *seen);

/*@ requires \valid(uri) && 0 <= c < URIVET_COMPONENTS && offset <= end;
    assigns uri->part[c].offset, uri->part[c].length, uri->present;
    ensures uri->part[c].offset == offset && uri->part[c].length == end - offset; */
static inline void set_component(struct urivet_uri *uri, enum urivet_component c, uint32_t offset,
				 uint32_t end)
{
	uri->part[c].offset = offset;
	uri->part[c].length = end - offset;
	uri->present |= bit(c);
}

/* Sets query and fragment, where there is one, of a URI with this tail and end. */
/*@ requires \valid(uri) && parts_in(uri, end);
    requires tail.path_end <= tail.query_end <= end;
    assigns uri->part[URIVET_QUERY .. URIVET_FRAGMENT], uri->present;
    ensures parts_in(uri, end); */
static inline void set_query_and_fragment(struct urivet_uri *uri, struct tail tail, uint32_t end)
{
	if (tail.path_end < tail.query_end)
		set_component(uri, URIVET_QUERY, tail.path_end + 1, tail.query_end);
	if (tail.query_end < end)
		set_component(uri, URIVET_FRAGMENT, tail.query_end + 1, end);
}

/* Returns the kinds of the octets from `at` on. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
uint32_t urivet_kinds_from(struct text t, uint32_t at);

/* Combines the kinds of octets in path, query and fragment with those seen before them. */
/*@ requires readable(t) && \valid(seen) && \valid_read(tail) && \separated(tail, seen);
    requires tail->query_end <= t.end;
    assigns *seen; */
static inline void urivet_see_tail(struct text t, const struct tail *tail, struct kinds_seen *seen)
{
	uint32_t others;
	seen->in[URIVET_PATH] = tail->path;
	seen->beside_slash = tail->beside_slash;
	seen->in[URIVET_QUERY] = tail->query;
	if (tail->query_end < t.end)
		seen->in[URIVET_FRAGMENT] = urivet_kinds_from(t, tail->query_end + 1);
	others = seen->in[URIVET_SCHEME] | seen->in[URIVET_AUTHORITY] | seen->in[URIVET_FRAGMENT];
	seen->in[URIVET_WHOLE] = others | tail->path | tail->query;
	seen->escaped_path = tail->escaped_path;
	seen->escaped = tail->escaped;
	seen->loud = tail->loud;
	if (others & PERCENT)
		seen->escaped = urivet_escaped_kinds(t, 0, &seen->loud);
}

/* Sets path, query and fragment, which begin at `at`, and the kinds seen in all components. */
/*@ requires splitting(t, uri, seen) && parts_in(uri, t.end);
    requires \valid_read(tail) && tail_in(*tail, t, at) && \separated(tail, uri, seen);
    assigns uri->part[URIVET_PATH .. URIVET_FRAGMENT], uri->present, *seen;
    ensures parts_in(uri, t.end); */
static inline void urivet_set_tail(struct text t, uint32_t at, const struct tail *tail,
				   struct urivet_uri *uri, struct kinds_seen *seen)
{
	set_component(uri, URIVET_PATH, at, tail->path_end);
	//@ assert parts_in(uri, t.end);
	set_query_and_fragment(uri, *tail, t.end);
	urivet_see_tail(t, tail, seen);
}

/* Octets that a policy makes legal beyond the grammar, by component. */
struct leniency {
	uint32_t tail;     /* kinds legal in path, query and fragment */
	uint32_t query;    /* and in the query only */
	bool lone_percent; /* a % that does not begin a triplet, in path, query and fragment */
	bool query_percent; /* and in the query only */
};

/*
 * Matches the components with RFC 3986, appendix A. Returns true if it is a URI reference;
 * then host kind and address are set, and the host's span excludes the brackets. Otherwise
 * *misfit is the offset of the first octet that does not match.
 */
/*@ requires readable(t) && \valid(uri) && parts_in(uri, t.end) && \valid_read(seen);
    requires \valid_read(lenient) && \valid(misfit);
    requires \separated(uri, seen, lenient, misfit);
    assigns uri->part[URIVET_HOST], uri->host_kind, uri->has_ipv4, uri->address[0 .. 15], *misfit;
    ensures parts_in(uri, t.end); */
bool urivet_match(struct text t, struct urivet_uri *uri, const struct kinds_seen *seen,
		  const struct leniency *lenient, uint32_t *misfit);

/* Returns true if the grammar accepts path, query and fragment because of the kinds of octets in
 * them alone. A path contains no "?". */
/*@ requires \valid_read(seen);
    assigns \nothing; */
static inline bool is_legal_tail(const struct kinds_seen *seen)
{
	const uint32_t tail =
	    seen->in[URIVET_PATH] | seen->in[URIVET_QUERY] | seen->in[URIVET_FRAGMENT];
	const uint32_t triplets = seen->escaped & PERCENT ? 0 : PERCENT;
	return (tail & ~(QUERYCHAR | triplets)) == 0;
}

/* Matches the span with *( kinds / pct-encoded ). Returns its end, or the first octet that does not
 * match. */
/*@ requires readable(t) && inside(s, t.end);
    assigns \nothing;
    ensures s.offset <= \result <= s.offset + s.length; */
uint32_t urivet_match_kinds(struct text t, struct urivet_span s, uint32_t kinds, bool lone_percent);

/* Returns the number (enum urivet_scheme) of the scheme whose name is t up to `end`. */
/*@ requires readable(t);
    assigns \nothing;
    ensures URIVET_SCHEME_OTHER <= \result <= URIVET_SCHEME_FTP; */
uint8_t urivet_scheme_number(struct text t, uint32_t end);

/*@ logic integer span_last(struct urivet_span s) = s.offset + s.length;
    // port = *DIGIT (RFC 3986, 3.2.3), of which 65535 is the greatest
    predicate port_is(uint8_t *data, integer first, integer end, integer port) =
      ((\forall integer k; first <= k < end ==> is_digit(data, k)) &&
       (\forall integer k; first <= k <= end ==> decimal(data, first, k) <= 65535) ==>
       port == decimal(data, first, end)) &&
      ((\exists integer k; first <= k < end && !is_digit(data, k)) ||
       (\exists integer k; first <= k <= end && decimal(data, first, k) > 65535) ==>
       port == URIVET_NO_PORT); */
/* Returns the port that is written, else the default of the scheme. Returns URIVET_NO_PORT if what
 * is written is not a number up to 65535, or if there is neither. */
/*@ requires readable(t) && \valid_read(uri) && inside(uri->part[URIVET_PORT], t.end);
    assigns \nothing;
    ensures \result <= 65535 || \result == URIVET_NO_PORT;
    ensures digits_stand && uri->part[URIVET_PORT].length > 0 ==>
      port_is(t.data, uri->part[URIVET_PORT].offset, span_last(uri->part[URIVET_PORT]), \result); */
uint32_t urivet_effective_port(struct text t, const struct urivet_uri *uri);

/* Returns true if t from `at` on is IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":"
 * ). */
/*@ requires readable(t);
    assigns \nothing; */
bool urivet_is_ipvfuture(struct text t, uint32_t at);

/* Returns the component, `first` or a later one, that contains the octet at `offset` or ends there.
 * When scanning forward, pass the previous result as `first`; otherwise URIVET_SCHEME. */
/*@ requires \valid_read(uri) && parts_in(uri, URIVET_MAX_LENGTH);
    requires URIVET_SCHEME <= first <= URIVET_FRAGMENT;
    assigns \nothing;
    ensures URIVET_SCHEME <= \result <= URIVET_FRAGMENT; */
enum urivet_component urivet_component_from(const struct urivet_uri *uri,
					    enum urivet_component first, uint32_t offset);

/* Returns the default port of a known scheme (enum urivet_scheme), or URIVET_NO_PORT. */
/*@ assigns \nothing;
    ensures \result <= 65535 || \result == URIVET_NO_PORT; */
uint32_t urivet_default_port(unsigned scheme);

/* Returns the span from one offset to another; empty if `end` is before `offset`. */
/*@ assigns \nothing;
    ensures \result.offset == offset && \result.length == \max(offset, end) - offset; */
static inline struct urivet_span span(uint32_t offset, uint32_t end)
{
	struct urivet_span s = {offset, end > offset ? end - offset : 0};
	return s;
}

/*@ requires s.offset + s.length <= UINT32_MAX;
    assigns \nothing;
    ensures \result == s.offset + s.length; */
static inline uint32_t span_end(struct urivet_span s)
{
	return s.offset + s.length;
}

/* Returns the text that contains the span of a component: enum urivet_source. */
/*@ requires \valid_read(uri);
    assigns \nothing; */
uint8_t urivet_source_of(const struct urivet_uri *uri, unsigned component);

/* Stores the IPv4 address of the host, whatever its spelling. */
/*@ requires \valid(uri);
    assigns uri->address[0 .. 3], uri->has_ipv4; */
static inline void urivet_set_ipv4(struct urivet_uri *uri, uint32_t value)
{
	/*@ loop invariant 0 <= k <= 4;
	    loop assigns k, uri->address[0 .. 3];
	    loop variant 4 - k; */
	for (unsigned k = 0; k < 4; k++)
		uri->address[k] = (uint8_t)(value >> (24 - 8 * k) & 255);
	uri->has_ipv4 = 1;
}

#endif
