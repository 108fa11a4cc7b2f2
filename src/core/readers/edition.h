/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The editions of the standard as table rows: what each says about references and normal forms.
 * Comments name them by year:
 *   2003  draft-fielding-uri-rfc2396bis-01
 *   1997  draft-fielding-uri-syntax-01 (uri-1997), draft-fielding-url-syntax-09 (url-1997)
 *   1996  "Uniform Resource Locators (URL)", 02 November 1996
 */
#ifndef URIVET_EDITION_H
#define URIVET_EDITION_H

#include "uri/compose.h"

struct edition {
	bool appendix_a; /* RFC 3986: parsed by its grammar, not by the classes below */
	/* splitting */
	bool any_first;              /* a scheme may begin with any scheme character */
	bool slash_ends_location;    /* the authority ends only at "/", so it may contain "?" */
	bool opaque;                 /* "scheme:" not followed by "/": no query */
	bool empty_is_undefined;     /* an empty component is absent; "" inherits all of the base */
	bool colon_in_first_segment; /* allowed in the first segment of a relative path */
	bool full_first_segment;     /* without a scheme, a path does not begin with "//" */
	bool params;                 /* ";" ends the path and begins a separate component */
	/* octet classes; percent-encoded triplets are always allowed */
	uint32_t userinfo, registry, path, query, opaque_path;
	/* hosts */
	bool ipv6;
	bool digits_ipv4;  /* IPv4address = 1*digit "." ...: no range */
	bool numeric_top;  /* the last label may begin with a digit */
	uint8_t final_dot; /* labels required before a final dot; 0: no final dot */
	uint8_t max_label; /* octets; 0: no limit */
	bool port_digits;  /* a colon needs a port after it */
	bool one_colon;    /* user [ ":" password ]: at most one colon in the userinfo */
	/* resolving */
	bool same_document;      /* "" and "#s" refer to the current document */
	bool empty_path_is_base; /* "?y" keeps the path of the base */
	bool empty_is_root;      /* a base without path has the path "/" */
	uint8_t reference_dots;  /* enum dots, for references with a scheme or authority, or a path
				  * from the root */
	uint8_t merged_dots;
	/* normal forms */
	uint32_t undone;      /* octets whose triplets are decoded ... */
	uint32_t undone_http; /* ... and at level scheme in http and https URLs */
	uint8_t rooted_dots;
	bool escaped_dots; /* "%2E" is a dot */
	bool final_slash;  /* ".." and "../" are the same */
	uint8_t guard;
};

/* Returns the row of a reader, or NULL if it is not an edition. */
const struct edition *urivet_edition(unsigned reader);

#endif
