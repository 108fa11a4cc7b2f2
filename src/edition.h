/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The editions of the standard as rows of data: what each says of references
 * and normal forms. They are named here by
 *   2003  draft-fielding-uri-rfc2396bis-01
 *   1997  draft-fielding-uri-syntax-01 (uri-1997), draft-fielding-url-syntax-09 (url-1997)
 *   1996  "Uniform Resource Locators (URL)", 02 November 1996
 */
#ifndef URIVET_EDITION_H
#define URIVET_EDITION_H

#include "compose.h"

struct edition {
	/* reading */
	bool digit_scheme;    /* a scheme may begin with a digit, "+", "-" or "." */
	bool ipv6, ipvfuture; /* literals of the host */
	bool registry;        /* an authority that is no server is a registry's */
	bool params;          /* are a component behind the path, cut last */
	/* resolving */
	bool same_document;      /* "" and "#s" are references to the current document */
	bool empty_path_is_base; /* "?y" keeps the path of the base */
	bool empty_is_root;      /* a base without path has the path "/" */
	bool empty_is_undefined; /* "g?" is "g", and "" inherits all of the base */
	uint8_t reference_dots;  /* enum dots, of a reference that is absolute or rooted */
	uint8_t merged_dots;
	/* normal forms */
	uint32_t undone;      /* octets whose triplets are undone, */
	uint32_t undone_http; /* and where http or https are known to allow it */
	uint8_t rooted_dots;
	bool escaped_dots; /* "%2E" is a dot */
	bool final_slash;  /* ".." and "../" are the same */
	uint8_t guard;
};

/* The row of a reader, or NULL if it is no edition. */
const struct edition *urivet_edition(unsigned reader);

/* A reference cut by an edition. Where the edition has parameters they are a
 * span of their own and no part of the path. */
struct reference {
	struct text text;
	struct urivet_uri uri;
	struct urivet_span params; /* from the semicolon on; length 0: none */
};

/* Cuts data[0..length); false if the edition cannot read it. */
bool urivet_read_reference(struct reference *r, const struct edition *e, const void *data,
			   size_t length);

#endif
