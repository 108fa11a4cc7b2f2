/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The short way: most URLs are a lower-case scheme, a name, and a path in which no
 * octet means anything to any rule. They are found out in one pass, and can be left
 * out: what is plain is a part of what the long way accepts, with the same report.
 *
 *   plain   = ( "http" / "https" ) "://" name [ path [ "?" *tail ] [ "#" *tail ] ]
 *   name    = label *( "." label )        ; the last label begins with a letter; no digit,
 *   label   = 1*lowdigit *( "-" 1*lowdigit )    ; dot or hyphen, digit: that is no address
 *   path    = 1*( "/" [ segment ] )       ; at most 256 slashes; only the last segment is
 *   segment = 1*( ALNUM / "-" / "." / "_" / "~" / "!" / "$" / "(" / ")" / "*" / "," / "&" /
 *                 "+" / "=" / "@" )       ; empty; none begins or ends with a dot
 *   tail    = as in segment, "/" / "?" / ";"
 *
 * Left out are octets of which some rule has a word to say: "%", ":" and "'". What the
 * rules say of an empty path, a query and a fragment, they have to be asked: notes
 * and matters of policy, no more.
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
	uint32_t host; /* 7 or 8; 0: not plain, and the rest means nothing */
	uint32_t path;
	uint32_t tail;
	uint32_t fragment;
};

/*@ predicate plain_in(struct plain p, integer end) =
      p.host == 0 || ((p.host == 7 || p.host == 8) &&
                      p.host < p.path <= p.tail <= p.fragment <= end); */

/* Limits of plain names, those of the DNS, and of paths. */
#define PLAIN_LABEL    63
#define PLAIN_NAME     253
#define PLAIN_SEGMENTS 256

/* Octet by octet: the reference for all others. */
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
