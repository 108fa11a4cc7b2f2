/* SPDX-License-Identifier: Apache-2.0 */
/* The options of urivet base: the layers that may have a base URI. */
#ifndef CLI_CMD_BASE_H
#define CLI_CMD_BASE_H

/* The header fields that give a base URI. */
enum base_header { HEADER_CONTENT_BASE = 0, HEADER_CONTENT_LOCATION };

struct base_layers {
	const char *content;   /* an HTML file */
	const char *header[2]; /* values of enum base_header */
	const char *enclosing; /* URI of the enclosing entity */
	const char *retrieved; /* ... the URI of the retrieval */
	const char *otherwise; /* ... the default base */
};

#endif
