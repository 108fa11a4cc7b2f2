/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML as policy files have it, one node after another: texts, lists and groups. What YAML can do
 * beside that (anchors, aliases, tags, several documents) is an error here, and depth, values and
 * keys are bounded. What is wrong is told in words of the file, not of the parser.
 */
#ifndef LOADER_YAML_H
#define LOADER_YAML_H

#include "loader/source.h"

#define YAML_DEPTH_MOST  16u
#define YAML_KEYS_MOST   1000u
#define YAML_VALUES_MOST 1048576u
#define YAML_TEXT_MOST   4094u

enum node_kind {
	NODE_TEXT = 0,
	NODE_LIST,
	NODE_GROUP,
	NODE_END /* of a list or group */
};

struct node {
	enum node_kind kind;
	struct place at;
	const char *text; /* NODE_TEXT: ends in NUL and has no other; until the next node */
	size_t length;
	bool plain; /* without quotes */
};

struct yaml;

/* Can this build read YAML? */
bool urivet_loader_has_yaml(void);

/* Begins to read a text that was checked. `values`: how many were read so far, in all files. NULL:
 * no memory. */
struct yaml *urivet_loader_yaml_open(const struct source *source, struct problems *problems,
				     size_t *values);
void urivet_loader_yaml_close(struct yaml *yaml);

/* Reads up to the beginning of the outermost group. False after reporting why not. */
bool urivet_loader_yaml_begin(struct yaml *yaml);
/* The next node; a key is one, too. False after reporting an error: it is the last one. */
bool urivet_loader_yaml_next(struct yaml *yaml, struct node *node);
/* The same where a key is due, or the end of the group. */
bool urivet_loader_yaml_key(struct yaml *yaml, struct node *node);
/* Reads up to the end of what the node begins. */
bool urivet_loader_yaml_skip(struct yaml *yaml, const struct node *node);
/* Reads what follows the outermost group: nothing may. */
bool urivet_loader_yaml_end(struct yaml *yaml);

#endif
