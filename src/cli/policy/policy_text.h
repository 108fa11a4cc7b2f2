/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a policy file with all that it includes, cut into tokens and put
 * together anew for libconfig, which thus opens no files and meets nothing that it
 * reads wrongly or slowly, or loses memory over: numbers that wrap around, NUL, comments
 * and strings without an end, strings that grow together because a comma is missing,
 * deep nesting, very many keys, very long tokens, and tokens where none of their kind is
 * due. Arrays become lists, so that numbers
 * and strings may stand in one, and a comma behind the last element is dropped.
 */
#ifndef CLI_POLICY_TEXT_H
#define CLI_POLICY_TEXT_H

#include "cli/records/octets.h"
#include "cli/policy/problems.h"

/* Octets of a policy file and all that it includes, and other limits. */
#define POLICY_OCTETS_MOST   (64u << 20)
#define POLICY_FILES_MOST    1000u
#define POLICY_INCLUDES_DEEP 10u
#define POLICY_NESTING_MOST  16u
#define POLICY_KEYS_MOST     1000u
#define POLICY_VALUES_MOST   1048576u
#define POLICY_TOKEN_MOST    4096u

/* A list of places that grows. */
struct policy_sources {
	struct policy_source *at;
	size_t count;
	size_t capacity;
};

/* From this line of the text on, lines come from that place. */
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
	struct policy_sources keys;   /* of each key, in their order in the text */
	struct policy_sources values; /* of each string, number and boolean */
};

/* Reads a file ("-": standard input) and what it includes. False, and a problem,
 * if that cannot be; what was read so far is to be freed in any case. */
bool policy_text_load(struct policy_text *text, const char *path, struct problems *problems);

/* The same for a text in memory, which must not include anything. */
bool policy_text_take(struct policy_text *text, struct text content, const char *name,
		      struct problems *problems);

void policy_text_free(struct policy_text *text);

/* Where a line of the text, from 1, comes from. */
struct policy_source policy_text_source(const struct policy_text *text, uint32_t line);

#endif
