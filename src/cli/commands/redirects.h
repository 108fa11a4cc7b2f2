/* SPDX-License-Identifier: Apache-2.0 */
/* Redirects that are known, from a file of two URIs a line. */
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

/* Reads a file ("-": standard input): two URIs a line with white space between; what
 * begins with # is a comment, lines may be empty, and there are no more than can be
 * followed. False after saying what is wrong. */
bool redirects_read(struct redirects *redirects, const char *name);

void redirects_free(struct redirects *redirects);

#endif
