/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plain URLs, a short way to accept most URLs: those of a lower-case scheme, a name, and
 * a path in which no octet means anything to any rule. One pass recognises them. It
 * only saves time: the full check accepts all that is plain, with the same report.
 *
 *   plain   = ( "http" / "https" ) "://" name [ path [ "?" query ] [ "#" fragment ] ]
 *   name    = label *( "." label )        ; the last label begins with a letter, and nowhere
 *                                         ; do digits surround a dot or hyphen: no address
 *   label   = 1*lowdigit *( "-" 1*lowdigit )
 *   path    = 1*( "/" [ segment ] )       ; at most 256 slashes; only the last segment is
 *   segment = 1*( ALNUM / "-" / "." / "_" / "~" / "!" / "$" / "(" / ")" / "*" / "," / "&" /
 *                 "+" / "=" / "@" )       ; empty; none begins or ends with a dot
 *   query   = *( as in segment, "/" / "?" / ";" )
 *   fragment = *( as in segment, ";" )    ; it does not begin with "." or "!"
 *
 * The octets "%", ":" and "'" are not plain after the name, because some rules look at
 * them. An empty path, a query and a fragment still go through their rules, which can
 * find notes and matters of policy there, but nothing else.
 */
#ifndef URIVET_PLAIN_H
#define URIVET_PLAIN_H

#include "text/text.h"

/*
 *   https://www.example.org/a/b?x=1#top
 *           |              |   |   |
 *           host           path   fragment: the "#", or the end
 *                              tail: the "?" or "#", or the end
 */
struct plain {
	uint16_t host; /* 7 or 8; 0: not plain, and the rest means nothing */
	uint16_t path;
	uint32_t tail;
	uint32_t fragment;
	uint32_t query; /* those of TELLING_IN_QUERY that the query holds */
};

/* What the rules about queries look at first, as far as a plain query may hold it. */
#define TELLING_IN_QUERY (EQUALS | AMPERSAND | PLUS | SEMICOLON | SLASH)

/*@ predicate plain_in(struct plain p, integer end) =
      p.host == 0 || ((p.host == 7 || p.host == 8) &&
                      p.host < p.path <= p.tail <= p.fragment <= end); */

/* Limits of plain names, which are those of the DNS, and of plain paths. */
#define PLAIN_LABEL    63
#define PLAIN_NAME     253
#define PLAIN_SEGMENTS 256

/* Octet by octet: the reference that the other ways are tested against. */
/*@ requires readable(t);
    assigns \nothing;
    ensures plain_in(\result, t.end); */
struct plain urivet_plain_by_octet(struct text t);

/* The first octet that no URI holds anywhere, or the end. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result <= t.end; */
uint32_t urivet_uri_end_by_octet(struct text t);

#endif
