/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a URL in plain text ends if no angle brackets or double quotes enclose it. */
#ifndef URIVET_TEXT_END_H
#define URIVET_TEXT_END_H

#include <urivet/scan.h>

#include "text/text.h"

#define LABEL (ALNUM | HYPHEN | UNDERSCORE)
/* Octets that end an undelimited run. */
#define OUTSIDE (BLANK | MARKUP)
/* Number of octets before a URL that can change where it ends. */
#define TEXT_BEFORE URIVET_SCAN_BEFORE

struct text_url {
	uint32_t begin;
	uint32_t body;  /* after scheme and slashes */
	bool authority; /* slashes follow the scheme, or the scheme is a guess */
	bool guessed;
	uint32_t end;  /* result: the end of the URL */
	uint32_t next; /* result: where the search continues */
	uint32_t stop; /* result: where reading stopped; no octet after the mark there decided */
};

/* Finds the end of an undelimited URL. Includes everything that some reader takes for part of the
 * host. Returns false if there is no URL. */
bool urivet_text_url_end(struct text t, struct text_url *url);

/* Returns true if the octet is in the set. */
static inline bool one_of(unsigned c, const char *set)
{
	while (*set != '\0' && c != (unsigned char)*set)
		set++;
	return *set != '\0';
}

/* Returns true if the octet belongs to an undelimited run: not white space, an angle bracket or a
 * double quote. */
static inline bool in_run(struct text t, uint32_t at)
{
	return at < t.end && !is(t, at, OUTSIDE);
}

#endif
