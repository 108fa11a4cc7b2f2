/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses one JSON object on a line (RFC 8259) and finds a member's string or number in it, and
 * where to insert members. The octets of the line are kept. JSON libraries decode values and write
 * them again, which changes 1.10, large integers and escapes. The parser is strict: extensions of
 * the grammar are faults, and so is whatever parsers read differently.
 */
#ifndef CLI_JSON_ROW_H
#define CLI_JSON_ROW_H

#include "common/text/octets.h"
#include <stdbool.h>

/* The maximum number of nested member names on the path to the string. */
#define JSON_PATH_MOST 8u

/* The maximum nesting depth of objects and arrays. Some parsers accept no more. */
#define JSON_DEPTH_MOST 256u

struct json_path {
	struct octets name[JSON_PATH_MOST];
	size_t names;
};

/* Parses names separated by dots. Returns false if a name is empty or there are too many. */
bool json_path_read(struct json_path *path, const char *words);

struct json_row {
	struct octets field;  /* content of the string, as written; data is NULL if there is none */
	bool escaped;         /* ... it contains escapes */
	struct octets number; /* the number, as written; data is NULL if it is not a number */
	bool ambiguous;       /* a name on the path occurs twice, or for lenient parsers does */
	size_t close;         /* offset of the object's closing brace */
	bool members;         /* the object has members */
	const char *fault;    /* NULL: the line is a JSON object */
	size_t fault_at;      /* offset of the fault */
};

void json_row_read(struct json_row *row, const struct json_path *path, struct octets text);

/* Decodes the content of a string to `to`, which has room for as many octets as the content. Stores
 * the length. Returns false if parsers would read it differently: NUL, or an unpaired surrogate. */
bool json_decode(uint8_t *to, size_t *length, struct octets inside);

#endif
