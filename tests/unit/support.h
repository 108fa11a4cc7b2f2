/* SPDX-License-Identifier: Apache-2.0 */
/* What the suites share: inputs that end at an unreadable page, and shorthands. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <urivet.h>

#include "../built_in.h"

/* A copy of data[0..length) whose last octet touches a page that cannot be
 * read. Valid until the next call; never NULL. */
const void *at_edge(const void *data, size_t length);

/* Expands {text*n} to n times text: the expansion in a buffer of its own,
 * valid until the next call, and its length in *length. */
const void *expand(const char *pattern, size_t pattern_length, size_t *length);

/* Octets as printable text with \xHH; a few results are valid at a time. */
const char *shown(const void *data, size_t length);

/* The finding of that number in the report, or NULL. */
const struct urivet_finding *finding_in(const struct urivet_report *report, unsigned id);

/* The ids of the report's findings, joined by commas, "-" if there are none. */
const char *ids_of(const struct urivet_report *report);

/* The report of a string literal, judged at the edge of a page. By strict, urivet_ok() has
 * to say the same. */
enum urivet_verdict judge(struct urivet_report *report, const char *uri, size_t length,
                          const struct urivet_policy *policy);

/* Is the reader an edition? As readers.def says. */
bool follows_edition(unsigned reader);

/* Returns the divisor of long loops: 1, or the number in the environment variable URIVET_SAMPLE. Sanitizers make
 * loops slow, and find what they look for in fewer rounds. */
unsigned sample(void);

#define LITERAL(s) s, sizeof(s) - 1

/* The same as one text. */
#define TEXT(s) urivet_text_of(LITERAL(s))

static inline struct urivet_text text_of_string(const char *string)
{
	return urivet_text_of(string, strlen(string));
}

/* The inputs that each row of the catalogue carries as its proof. */
struct example {
	const char *policy; /* what they are judged by: see findings.def */
	struct urivet_text fires;
	struct urivet_text misses;
};

struct example example_of(unsigned id);

#endif
