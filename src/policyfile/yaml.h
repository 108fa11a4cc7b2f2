/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the YAML of policy files, one node at a time: texts, lists and groups. Other features of
 * YAML (anchors, aliases, tags, several documents) are errors, and depth, values and keys are
 * limited. Error messages use the terms of policy files, not those of the parser. */
#ifndef LOADER_YAML_H
#define LOADER_YAML_H

#include "policyfile/source.h"

#define YAML_DEPTH_MOST  16u
#define YAML_KEYS_MOST   20000u
#define YAML_VALUES_MOST 1048576u
#define YAML_TEXT_MOST   4094u

enum node_kind {
	NODE_TEXT = 0,
	NODE_LIST,
	NODE_GROUP,
	NODE_END /* end of a list or group */
};

struct node {
	enum node_kind kind;
	struct place at;
	const char *text; /* NODE_TEXT: NUL-terminated, without other NULs; valid until the next
			   * node */
	size_t length;
	bool plain; /* without quotes */
};

struct yaml;

#ifdef HAVE_LIBYAML
#define YAML_IS_READ true

/* Begins to read a text that was checked. `values` counts the values read in all files. Returns
 * NULL if memory is short. */
struct yaml *urivet_loader_yaml_open(const struct source *source, struct problems *problems,
				     size_t *values);
void urivet_loader_yaml_close(struct yaml *yaml);

/* Reads up to the start of the outermost group. Returns false after reporting a problem. */
bool urivet_loader_yaml_begin(struct yaml *yaml);
/* Reads the next node; keys are nodes, too. Returns false after reporting a problem; stop reading
 * then. */
bool urivet_loader_yaml_next(struct yaml *yaml, struct node *node);
/* Reads the next node, which must be a key or the end of the group. */
bool urivet_loader_yaml_key(struct yaml *yaml, struct node *node);
/* Skips to the end of the list or group that the node begins. */
bool urivet_loader_yaml_skip(struct yaml *yaml, const struct node *node);
/* Checks that nothing follows the outermost group. */
bool urivet_loader_yaml_end(struct yaml *yaml);
#else
/* A build without libyaml reads no YAML, so nothing of this is called. */
#define YAML_IS_READ                                      false
#define urivet_loader_yaml_open(source, problems, values) ((void)(source), (struct yaml *)NULL)
#define urivet_loader_yaml_close(yaml)                    ((void)(yaml))
#define urivet_loader_yaml_begin(yaml)                    ((void)(yaml), false)
#define urivet_loader_yaml_next(yaml, node)               ((void)(yaml), (void)(node), false)
#define urivet_loader_yaml_key(yaml, node)                ((void)(yaml), (void)(node), false)
#define urivet_loader_yaml_skip(yaml, node)               ((void)(yaml), (void)(node), false)
#define urivet_loader_yaml_end(yaml)                      ((void)(yaml), false)
#endif

#endif
