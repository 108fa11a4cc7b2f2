/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One JSON object on a line (RFC 8259), of which the octets are kept: where a member's string or number
 * stands in it, and where others can be inserted. Libraries for JSON make values of it and write them anew,
 * which changes 1.10, large integers and escapes. It is strict: what some readers take beyond the
 * grammar is a fault, and so is what readers take differently.
 */
#ifndef CLI_JSON_ROW_H
#define CLI_JSON_ROW_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Names of members that lead to the string, one within the other. */
#define JSON_PATH_MOST 8u

/* Objects and arrays within one another: some readers take no more. */
#define JSON_DEPTH_MOST 256u

struct json_path {
	struct text name[JSON_PATH_MOST];
	size_t names;
};

/* Names with dots between. False: one of them is empty, or there are too many. */
bool json_path_read(struct json_path *path, const char *words);

struct json_row {
	struct text field;  /* the inside of the string, as written; no data: there is none */
	bool escaped;       /* ... with escapes in it */
	struct text number; /* the number that stands there, as written; no data: there is none */
	bool ambiguous;     /* a name on the way, or what some readers take for one, occurs twice */
	size_t close;       /* the offset of the object's last brace */
	bool members;       /* it has some */
	const char *fault;  /* NULL: it is a JSON object */
	size_t fault_at;    /* offset */
};

void json_row_read(struct json_row *row, const struct json_path *path, struct text text);

/* Writes what the inside of a string stands for, at most as many octets as it has: how many. False
 * where that is no text that all readers would read: half a pair of surrogates, or NUL. */
bool json_decode(uint8_t *to, size_t *length, struct text inside);

#endif
