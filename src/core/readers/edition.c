/* SPDX-License-Identifier: Apache-2.0 */
/* The table of editions. */
#include <urivet/readers.h>

#include "readers/edition.h"

/* draft-fielding-uri-rfc2396bis-01 (March 2003), 2.2, 2.3, 3.2.1, 3.2.2, 3.3, 5 */
#define PCHAR_2003 (ALNUM | HYPHEN | UNDERSCORE | DOT | TILDE | SUBDELIMS | COLON | AT)
/* draft-fielding-uri-syntax-01 (November 1997), 2.3 and appendix A; the same
 * in draft-fielding-url-syntax-09. ";" delimits parameters, part of the path. */
#define UNRESERVED_1997 (ALNUM | HYPHEN | UNDERSCORE | DOT | TILDE | APOSTROPHE | PLAINSUB)
#define PCHAR_1997      (UNRESERVED_1997 | COLON | AT | AMPERSAND | EQUALS | PLUS)
#define URIC_1997       (PCHAR_1997 | SEMICOLON | SLASH | QUESTION)
/* "Uniform Resource Locators (URL)" (November 1996), 4: "~" is national there */
#define UCHAR_1996 (ALNUM | HYPHEN | UNDERSCORE | DOT | APOSTROPHE | PLAINSUB)
#define PCHAR_1996 (UCHAR_1996 | COLON | AT | AMPERSAND | EQUALS | PLUS)
#define URIC_1996  (PCHAR_1996 | SEMICOLON | SLASH | QUESTION)

/* The grammar of both drafts of 1997 is the same. */
#define READING_1997                                                                               \
	.any_first = true, .colon_in_first_segment = true,                                         \
	.userinfo = UNRESERVED_1997 | SEMICOLON | COLON | AMPERSAND | EQUALS | PLUS,               \
	.registry = PCHAR_1997 | SEMICOLON, .path = PCHAR_1997 | SEMICOLON | SLASH,                \
	.query = URIC_1997, .digits_ipv4 = true, .final_dot = 1

static const struct edition editions[URIVET_READERS] = {
    [URIVET_READER_RFC3986] =
	{
	    .appendix_a = true,
	    .empty_path_is_base = true,
	    .empty_is_root = true,
	    .reference_dots = DOTS_REMOVED,
	    .merged_dots = DOTS_REMOVED,
	    .undone = UNRESERVED,
	    .undone_http = UNRESERVED,
	    .rooted_dots = DOTS_REMOVED,
	    .escaped_dots = true,
	    .final_slash = true,
	    .guard = GUARD_DOUBLE_SLASH,
	},
    [URIVET_READER_URI_2003] =
	{
	    .opaque = true,
	    .userinfo = PCHAR_2003 & ~(uint32_t)AT,
	    .registry = PCHAR_2003,
	    .path = PCHAR_2003 | SLASH,
	    .query = PCHAR_2003 | SLASH | QUESTION,
	    .opaque_path = PCHAR_2003 | SLASH | QUESTION | LBRACKET | RBRACKET,
	    .ipv6 = true,
	    .numeric_top = true,
	    .final_dot = 2,
	    .max_label = 63,
	    .same_document = true,
	    .empty_path_is_base = true,
	    .empty_is_root = true,
	    .merged_dots = DOTS_KEPT_ABOVE,
	    /* 2.3: "URI normalization processes may unescape sequences in the
	     * ranges of ALPHA, DIGIT, underscore or tilde without fear of
	     * creating a conflict, but unescaping the other mark characters is
	     * usually counterproductive." */
	    .undone = ALNUM | UNDERSCORE | TILDE,
	    .undone_http = ALNUM | UNDERSCORE | TILDE,
	    /* 6.2.2.3: "by merging the two in accordance with the relative URI
	     * processing algorithm" */
	    .rooted_dots = DOTS_KEPT_ABOVE,
	},
    [URIVET_READER_URI_1997] =
	{
	    READING_1997,
	    .same_document = true,
	    .merged_dots = DOTS_KEPT_ABOVE,
	    /* 2.4.2: "If the given URI scheme defines a canonicalization algorithm,
	     * then unreserved characters may be unescaped according to that
	     * algorithm. For example, "%7e" is sometimes used instead of "~" in an
	     * http URL path, but the two are equivalent for an http URL." */
	    .undone = ALNUM,
	    .undone_http = UNRESERVED_1997,
	    /* 5: "these path components are only considered special when
	     * resolving a relative-path reference" */
	    .rooted_dots = DOTS_STAY,
	},
    [URIVET_READER_URL_1997] =
	{
	    READING_1997,
	    .same_document = true,
	    .merged_dots = DOTS_KEPT_ABOVE,
	    /* 2.4.2: "some of the unreserved "mark" characters are automatically
	     * escaped by some systems. It is safe to unescape these within the
	     * body of a URL." */
	    .undone = UNRESERVED_1997,
	    .undone_http = UNRESERVED_1997,
	    .rooted_dots = DOTS_STAY,
	},
    [URIVET_READER_URL_1996] =
	{
	    .any_first = true,
	    .slash_ends_location = true,
	    .colon_in_first_segment = true,
	    /* 4: relativeURL = net_path ...; abs_path = "/" rel_path; path = fsegment ...; fsegment
	     * = 1*pchar. If there is a scheme, the second alternative of its grammar matches any
	     * path. */
	    .full_first_segment = true,
	    .userinfo = UCHAR_1996 | SEMICOLON | QUESTION | AMPERSAND | EQUALS | COLON,
	    .registry = PCHAR_1996 | SEMICOLON | QUESTION,
	    .path = PCHAR_1996 | SEMICOLON | SLASH,
	    .query = URIC_1996,
	    .digits_ipv4 = true,
	    .port_digits = true,
	    .one_colon = true,
	    .params = true,
	    .empty_path_is_base = true,
	    .empty_is_root = true,
	    .empty_is_undefined = true,
	    .merged_dots = DOTS_KEPT_ABOVE,
	    /* 3.2.3: "Usually a URL has the same interpretation when an octet is
	     * represented by a character and when it is encoded. However, this is
	     * not true for reserved characters". */
	    .undone = UCHAR_1996,
	    .undone_http = UCHAR_1996,
	    .rooted_dots = DOTS_STAY,
	},
};

static const bool is_edition[URIVET_READERS] = {
#define EDITION(constant, number, ...) [number] = true,
#define READER(...)
#include <urivet/readers.def>
#undef READER
#undef EDITION
};

const struct edition *urivet_edition(unsigned reader)
{
	return reader < URIVET_READERS && is_edition[reader] ? &editions[reader] : NULL;
}
