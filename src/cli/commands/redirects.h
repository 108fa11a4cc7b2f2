/* SPDX-License-Identifier: Apache-2.0 */
/* Known redirects, from a file with two URIs on each line. */
#ifndef CLI_REDIRECTS_H
#define CLI_REDIRECTS_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* The texts lie in `content`. */
struct redirects {
	struct urivet_redirect pair[URIVET_MAX_REDIRECTS];
	size_t count;
	uint8_t *content;
};

/* Reads a file ("-": standard input): two URIs on each line, separated by white space. A "#" at
 * the beginning of a word starts a comment, and lines may be empty. More redirects than can be
 * followed are an error. False after saying what is wrong. */
bool redirects_read(struct redirects *redirects, const char *name);

void redirects_free(struct redirects *redirects);

#endif
