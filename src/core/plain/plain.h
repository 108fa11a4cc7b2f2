/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plain URLs: the fast path that accepts most URLs. A plain URL has a lower-case scheme, a
 * name, and a path without octets that any rule checks. One pass recognises it. This only
 * saves time: the full check accepts every plain URL too, with the same report.
 *
 *   plain   = ( "http" / "https" ) "://" name [ path [ "?" query ] [ "#" fragment ] ]
 *   name    = label *( "." label )        ; the last label begins with a letter; no dot or
 *                                         ; hyphen is between digits, so it is no address
 *   label   = 1*lowdigit *( "-" 1*lowdigit )
 *   path    = 1*( "/" [ segment ] )       ; at most 255 octets; only the last segment is
 *   segment = 1*( ALNUM / "-" / "." / "_" / "~" / "!" / "$" / ")" / "*" / "," / "&" /
 *                 "+" / "=" / "@" )       ; empty; none begins or ends with a dot
 *   query   = *( as in segment, "(" / "/" / "?" / ";" )
 *   fragment = *( as in segment, "(" / ";" ) ; it does not begin with "." or "!"
 *
 * The octets "%", ":" and "'" are not plain after the name, because some rules check
 * them. An empty path, a query and a fragment still go through their rules. These can only
 * add notes and findings of class policy.
 */
#ifndef URIVET_PLAIN_H
#define URIVET_PLAIN_H

#include "uri/uri.h"

/*
 *   https://www.example.org/a/b?x=1#top
 *           |              |   |   |
 *           host           path   tail.query_end: the "#", or the end
 *                              tail.path_end: the "?" or "#", or the end
 */
struct plain {
	uint16_t host; /* 7 or 8; 0: scheme or name are not plain; ignore the other members */
	uint16_t path;
	struct tail tail; /* path and query, plain or not, as by urivet_tail() */
};

/*
 * The kinds of octets for which each group of rules is evaluated: the octets of a plain path
 * (beside "/"), query and fragment are all others. A rule about a further octet names its kind
 * here, in the group that it belongs to.
 */
#define WAKES_OCTETS  (BLANK | HIGH | FORBIDDEN | LBRACKET | RBRACKET | HASH) /* anywhere */
#define WAKES_ESCAPES (PERCENT | HIGH)                                        /* anywhere */
#define WAKES_TAIL    (COLON | APOSTROPHE)                       /* path, query, fragment */
#define WAKES_PATH    (SEMICOLON | COLON | BACKSLASH | LPAREN)
#define WAKES_PATH_ESCAPED (WAKES_PATH | PERCENT | SLASH | DOT | SPACE_END) /* by escapes */
#define WAKES_QUERY   (EQUALS | AMPERSAND | PLUS | SEMICOLON | SLASH | COLON)
#define WAKES_URLS    COLON /* raw or escaped: URLs in the path, which rules about queries find */

/* A path of as many octets may have too many segments. */
#define MANY_SEGMENTS  256

#define ODD_IN_TAIL    (WAKES_OCTETS | WAKES_ESCAPES | WAKES_TAIL)
#define ODD_IN_PATH    (ODD_IN_TAIL | WAKES_PATH | WAKES_URLS | QUESTION)
#define PLAIN_FRAGMENT (~(uint32_t)(ODD_IN_TAIL | SLASH | QUESTION))

/* The kinds of octets that struct tail always contains if they occur in the path or query. */
#define KINDS_IN_PATH  (ODD_IN_PATH | DOT)
#define KINDS_IN_QUERY ((ODD_IN_TAIL & ~(uint32_t)HASH) | WAKES_QUERY | QUESTION)

/*@ predicate plain_in(struct plain *p, struct text t) =
      \valid_read(p) &&
      (p->host == 0 || ((p->host == 7 || p->host == 8) && p->host < p->path &&
                        tail_in(p->tail, t, p->path))); */

/* Limits of plain names, as in the DNS, and of plain paths. */
#define PLAIN_LABEL 63
#define PLAIN_NAME  253
#define PLAIN_PATH  (MANY_SEGMENTS - 1)

/* Returns true if there is no fragment at `at`, where the query ends, or a plain one. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static inline bool is_plain_fragment(struct text t, uint32_t at)
{
	if (at == t.end)
		return true;
	return octet(t, at + 1) != '.' && octet(t, at + 1) != '!' &&
	       skip(t, at + 1, PLAIN_FRAGMENT) == t.end;
}

/* Sets host and path of a URL whose scheme and name are plain, with the name between these offsets.
 * Its tail is set already. Returns true if path and query are plain. */
/*@ requires \valid(p) && (host == 7 || host == 8) && host < path <= UINT16_MAX;
    requires path <= p->tail.path_end;
    assigns p->host, p->path;
    ensures p->host == host && p->path == path; */
static inline bool set_plain(struct plain *p, uint32_t host, uint32_t path)
{
	const uint32_t odd = (p->tail.path & ODD_IN_PATH) | p->tail.beside_slash |
			     (p->tail.query & ODD_IN_TAIL);
	p->host = (uint16_t)host;
	p->path = (uint16_t)path;
	return odd == 0 && p->tail.path_end - path <= PLAIN_PATH;
}

/* Sets the parts of a plain URL that ends with the path at this offset. */
/*@ requires readable(t) && 8 < path <= t.end && path <= UINT16_MAX && \valid(p);
    assigns *p;
    ensures plain_in(p, t) && p->host > 0; */
static inline void set_plain_path(struct plain *p, struct text t, uint32_t path)
{
	const struct tail tail = {.path_end = t.end, .query_end = t.end};
	p->host = octet(t, 4) == 's' ? 8 : 7;
	p->path = (uint16_t)path;
	p->tail = tail;
}

/* Recognises a plain URL octet by octet and sets its parts. Returns true if the whole URL is plain.
 * The vector versions are tested against this reference. */
/*@ requires readable(t) && \valid(p);
    assigns *p;
    ensures plain_in(p, t);
    ensures \result ==> p->host > 0; */
bool urivet_plain_by_octet(struct text t, struct plain *p);

/* Returns the offset of the host after "http://" or "https://", or 0. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result == 0 || \result == 7 || \result == 8;
    ensures \result <= t.end; */
uint32_t urivet_plain_scheme(struct text t);

/* Parses a plain name: labels separated by single dots, with single hyphens inside (two might begin
 * an A-label). Returns its end, or 0 if it is not plain. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures \result == 0 || at < \result <= t.end;
    ensures \result <= at + PLAIN_NAME; */
uint32_t urivet_plain_name(struct text t, uint32_t at);

#endif
