/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of a policy file that keep its comments and its order. They know the usual layouts of YAML
 * only, so the caller loads the result, which shows whether an edit does what it should. */
#ifndef CLI_POLICY_EDIT_H
#define CLI_POLICY_EDIT_H

#include "cli/show/output.h"

struct edit_line {
	char *text;      /* without its line end */
	uint32_t number; /* in the file before the edit, from 1; 0: a new line */
	bool dropped;
};

struct edit {
	const char *file; /* for the head of the diff */
	struct edit_line *line;
	size_t count;
	size_t capacity;
	char **text; /* memory of all lines */
	size_t texts;
	size_t text_capacity;
	bool no_memory;
};

/* Begins to edit a text. Returns false if memory is short. */
bool edit_open(struct edit *edit, const char *file, const char *text, size_t length);
void edit_close(struct edit *edit);

/* Returns a copy of the lines, by which edit_restore() undoes later edits; NULL if memory is
 * short. */
struct edit_line *edit_save(const struct edit *edit);
void edit_restore(struct edit *edit, const struct edit_line *saved, size_t count);

/* Returns true if the file has the key. */
bool edit_has(const struct edit *edit, const char *key);

/* Adds an element to the list GROUP.KEY (group "": KEY), and the list if it is absent. */
bool edit_add(struct edit *edit, const char *group, const char *key, const char *value);

/* Adds a finding that does not refuse below a prefix of the path. */
bool edit_add_path(struct edit *edit, const char *prefix, const char *finding);

/* Adds a finding that does not refuse in the values of a parameter without a rule. */
bool edit_add_parameter(struct edit *edit, const char *name, const char *finding);

/* Sets the number GROUP.KEY. */
bool edit_set(struct edit *edit, const char *group, const char *key, const char *value);

/* Removes the list element at the place, given by line and column before the edit, and keys that
 * have no value then. */
bool edit_drop(struct edit *edit, uint32_t line, uint32_t column);

/* Removes the key at the place, which stands in a line of its own, with its value, and keys that have
 * no value then. */
bool edit_drop_key(struct edit *edit, uint32_t line, uint32_t column);

/* Removes an element from the list KEY by its text. */
bool edit_drop_word(struct edit *edit, const char *key, const char *word);

/* Returns the text after the edits, which the caller must free; NULL if memory is short. */
char *edit_text(const struct edit *edit, size_t *length);

/* Writes the edits as a unified diff. */
void edit_write(struct output *out, const struct edit *edit);

#endif
