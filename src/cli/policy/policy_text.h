/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a policy file with all that it includes, split into tokens and written
 * anew for libconfig. So libconfig opens no files, and sees nothing that it misreads, reads
 * slowly, or leaks memory for: numbers that wrap around, NUL, comments and strings
 * without an end, strings that are joined because a comma is missing, deep nesting, very
 * many keys, very long tokens, and tokens where none of their kind may be. Arrays
 * become lists, so that one may hold numbers and strings, and a comma after the last
 * element is dropped.
 */
#ifndef CLI_POLICY_TEXT_H
#define CLI_POLICY_TEXT_H

#include "cli/policy/problems.h"
#include "cli/records/octets.h"

/* The most octets of a policy file with all that it includes, and other limits. */
#define POLICY_OCTETS_MOST   (64u << 20)
#define POLICY_FILES_MOST    1000u
#define POLICY_INCLUDES_DEEP 10u
#define POLICY_NESTING_MOST  16u
#define POLICY_KEYS_MOST     1000u
#define POLICY_VALUES_MOST   1048576u
#define POLICY_TOKEN_MOST    4096u

/* A growing list of places. */
struct policy_sources {
	struct policy_source *at;
	size_t count;
	size_t capacity;
};

/* From this line of the text on, lines come from this place. */
struct policy_piece {
	uint32_t line;
	struct policy_source at;
};

struct policy_text {
	char *data; /* for libconfig; ends in NUL */
	size_t length;
	size_t capacity;
	uint32_t lines; /* so far */
	char **file;    /* the names of the files, the policy file first */
	size_t files;
	struct policy_piece *piece;
	size_t pieces;
	size_t piece_capacity;
	struct policy_sources keys;   /* the places of keys, in the order of the text */
	struct policy_sources values; /* the places of strings, numbers and booleans, likewise */
};

/* Reads a file ("-": standard input) and what it includes. False, after reporting a problem,
 * if that fails. The text must be freed in any case. */
bool policy_text_load(struct policy_text *text, const char *path, struct problems *problems);

/* The same for a text in memory, which must not include anything. */
bool policy_text_take(struct policy_text *text, struct text content, const char *name,
		      struct problems *problems);

void policy_text_free(struct policy_text *text);

/* Where a line of the text, from 1, comes from. */
struct policy_source policy_text_source(const struct policy_text *text, uint32_t line);

#endif
