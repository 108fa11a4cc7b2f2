/* SPDX-License-Identifier: Apache-2.0 */
/* Reads known redirects from a file with two URIs on each line. */
#ifndef CLI_REDIRECTS_H
#define CLI_REDIRECTS_H

#include "common/text/octets.h"

/* The options of urivet compare. */
struct compare_options {
	const char *redirects; /* file of known redirects; NULL: none */
	bool no_fragment;      /* ignore fragments in comparisons */
};
#include <stdbool.h>
#include <urivet/reference.h>

/* The texts of `pair` point into `content`. */
struct redirects {
	struct urivet_redirect pair[URIVET_MAX_REDIRECTS];
	size_t count;
	uint8_t *content;
};

/* Reads a file ("-": standard input) with two URIs on each line, separated by white space. A word
 * that starts with "#" starts a comment; empty lines are ignored. More than URIVET_MAX_REDIRECTS
 * redirects are an error. Returns false after reporting an error. */
bool redirects_read(struct redirects *redirects, const char *name);

void redirects_free(struct redirects *redirects);

#endif
