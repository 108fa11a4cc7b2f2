/* SPDX-License-Identifier: Apache-2.0 */
/* The readers: editions as rows of data, and the few that need code. */
#ifndef URIVET_READER_H
#define URIVET_READER_H

#include "out.h"
#include "uri.h"

/* What distinguishes one text of the standard from another. A new edition is a
 * new row of the table in reader.c. */
struct edition {
	uint8_t reader; /* enum urivet_reader */
	/* cutting */
	bool any_first;              /* a scheme may begin with any of its characters */
	bool slash_ends_location;    /* the authority runs to the next "/": a "?" belongs to it */
	bool opaque;                 /* behind "scheme:" without "/" there is no query */
	bool empty_is_undefined;     /* an empty component is none */
	bool colon_in_first_segment; /* of a relative path */
	/* classes, beside triplets */
	uint32_t userinfo, registry, path, query, opaque_path;
	/* hosts */
	bool ipv6;
	bool digits_ipv4;  /* IPv4address = 1*digit "." ...: no range */
	bool numeric_top;  /* the last label may begin with a digit */
	uint8_t final_dot; /* labels that a name with a final dot needs; 0: none may end so */
	uint8_t max_label; /* octets; 0: no limit */
	bool port_digits;  /* a colon needs a port behind it */
	bool one_colon;    /* user [ ":" password ]: one colon in the userinfo at most */
};

/* The row of an edition; NULL for rfc3986 and for what is no edition. */
const struct edition *urivet_edition(unsigned reader);

/* Reads by an edition: true, and every field of *uri; or false. */
bool urivet_read_edition(struct text t, const struct edition *e, struct urivet_uri *uri);

/* Reads by rfc3986 or an edition. */
bool urivet_read_standard(struct text t, unsigned reader, struct urivet_uri *uri);

#endif
