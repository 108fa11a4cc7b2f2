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
 *   segment = 1*( ALNUM / "-" / "." / "_" / "~" / "!" / "$" / "(" / ")" / "*" / "," / "&" /
 *                 "+" / "=" / "@" )       ; empty; none begins or ends with a dot
 *   query   = *( as in segment, "/" / "?" / ";" )
 *   fragment = *( as in segment, ";" )    ; it does not begin with "." or "!"
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
 *           host           path   fragment: the "#", or the end
 *                              tail: the "?" or "#", or the end
 */
struct plain {
	uint16_t host; /* 7 or 8; 0: scheme or name are not plain; ignore the other members */
	uint16_t path;
	uint32_t tail; /* 0: only scheme and name are plain, and the path begins with "/" */
	uint32_t fragment;
	uint32_t query; /* the kinds of TELLING_IN_QUERY in the query */
};

/* The octets of plain paths (beside "/"), queries and fragments. If a rule checks one of them, take
 * its kind out here. */
#define SEGMENT        (UNRESERVED | PLAINSUB | AMPERSAND | PLUS | EQUALS | AT)
#define PLAIN_QUERY    (SEGMENT | SLASH | QUESTION | SEMICOLON)
#define PLAIN_FRAGMENT (SEGMENT | SEMICOLON)

/* The kinds of octets that struct tail always contains if they occur in the path or query. */
#define ODD_IN_PATH    (~(uint32_t)(SEGMENT | SLASH))
#define KINDS_IN_PATH  (ODD_IN_PATH | DOT)
#define KINDS_IN_QUERY (~(uint32_t)(UNRESERVED | PLAINSUB | AT | HASH))

/* The kinds of octets in a plain query that the query rules check first. */
#define TELLING_IN_QUERY (EQUALS | AMPERSAND | PLUS | SEMICOLON | SLASH | COLON)

/*@ predicate plain_in(struct plain p, integer end) =
      (p.host == 0 && p.tail == 0) ||
      ((p.host == 7 || p.host == 8) && p.host < p.path <= end &&
       (p.tail == 0 || p.path <= p.tail <= p.fragment <= end)); */

/* Returns true if the whole URL is plain. */
/*@ assigns \nothing;
    ensures \result <==> p.tail > 0; */
static inline bool is_wholly_plain(struct plain p)
{
	return p.tail > 0;
}

/* Limits of plain names, as in the DNS, and of plain paths. */
#define PLAIN_LABEL 63
#define PLAIN_NAME  253
#define PLAIN_PATH  255

/* Recognises a plain URL octet by octet. The vector versions are tested against this reference. */
/*@ requires readable(t);
    assigns \nothing;
    ensures plain_in(\result, t.end); */
struct plain urivet_plain_by_octet(struct text t);

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
