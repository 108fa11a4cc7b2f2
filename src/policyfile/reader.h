/* SPDX-License-Identifier: Apache-2.0 */
/* State of reading a policy from files. */
#ifndef LOADER_READER_H
#define LOADER_READER_H

#include "policyfile/yaml.h"

#define READER_FILES_MOST 1000u /* including the main policy file */
#define READER_DEEP_MOST  10u   /* nested inclusions */

/* The type of a key's value. */
enum shape {
	SHAPE_TEXT = 0,
	SHAPE_NUMBER,
	SHAPE_FLAG,
	SHAPE_TEXTS, /* a list of texts, or of texts and groups */
	SHAPE_PORTS, /* a list of numbers and texts */
	SHAPE_GROUPS, /* a list of groups */
	SHAPE_GROUP,
	SHAPE_NAMES /* a group with names as keys */
};

/* How often a key may occur. */
enum often {
	ONCE_IN_ALL = 0, /* once in all files together */
	ONCE_IN_FIRST,   /* once, in the main policy file only */
	ONCE_IN_EACH,    /* once per file; the values are combined */
	ONCE_IN_GROUP    /* once in each group of a list or below a name */
};

struct reader;
struct node;

struct key {
	const char *name;
	const char *path; /* the name with its groups */
	enum shape shape;
	enum often often;
	const struct key *members; /* of a group; terminated by a row without name */
	/* Reads the value, or one element of a list. The type was checked before. */
	void (*read)(struct reader *reader, const struct node *node);
	/* Reads the keys of a group that begins at this place: the value, if not by `members`, or an
	 * element of a list.
	 * Returns false if the rest cannot be read. */
	bool (*read_group)(struct reader *reader, struct place at);
	uint32_t index; /* of a number or option among those of its group */
	uint32_t most;  /* ... which is at least 1 */
	const char *takes; /* how messages call the type; NULL: by its shape */
	bool may_be_empty; /* a list */
};

/* The maximum number of keys of a group, and of all that may not stand in each group. */
#define GROUP_KEYS_MOST 40u

/* A text of the policy file, such as the path of a file to include, and its place. */
struct named {
	const char *text;
	struct place at;
};

struct reader {
	struct urivet_loaded *loaded; /* NULL for a file of cases */
	struct strings **strings;     /* memory of all names */
	struct problems *problems;
	struct yaml *yaml; /* of the current file */
	uint32_t file;     /* number of the current file */
	bool no_suffixes;  /* the list of public suffixes is not available */
	size_t values;     /* number of values read, in all files */
	const struct key *key;
	void *group; /* what the keys set of the group that is read, in a list or below a name */

	/* settings that are applied to the base at the end, as `base` may come later */
	struct named seen[GROUP_KEYS_MOST]; /* the paths of keys, and the last place of each */
	uint32_t schemes;
	char scheme_names[URIVET_SCHEME_NAMES];
	char forbidden[URIVET_FORBIDDEN_PARAMETERS]; /* names of parameters */
	bool shared; /* the host rule that is read may be wider than a public suffix */
	uint32_t limits[3]; /* length, host, label; 0: not set */
	bool opaque_query;
	struct urivet_finding_set allowed;
	struct urivet_finding_set refused;
	uint32_t finding_tag[URIVET_FINDING_LIMIT]; /* places of both */

	struct named *inclusion; /* of the current file */
	size_t inclusions;
	struct named host;  /* name in a group of hosts that is read */
	struct named *text; /* of the list in a group that is read: exceptions, values */
	size_t texts;
	struct named *value_policy; /* for each rule of parameters: the file of its policy, or
				     * text NULL */
	bool in_memory; /* no files can be included */
	bool many_paths; /* that was reported */
	bool for_values; /* the policy judges values of parameters */
};

/* Returns the last place of the key with this path; line 0: none. */
struct place *urivet_loader_seen(struct reader *reader, const char *path);

/* Returns true if the value that is read is that of the key with this path, or a part of it. */
bool urivet_loader_reads(const struct reader *reader, const char *path);

/* Begins to read a text, up to its first key. Returns false after reporting a problem. */
bool urivet_loader_open(struct reader *reader, struct source *source);

/* Ends reading a text. Returns true if `good`, and nothing follows its outermost group. */
bool urivet_loader_close(struct reader *reader, bool good);

/* Reads the keys of a policy file. Returns false if the rest was not read; a problem was reported
 * then. */
bool urivet_loader_read_keys(struct reader *reader, struct source *source);

/* Applies the settings to the base, and sorts the lists. */
void urivet_loader_settle(struct reader *reader);

/* Reports settings that change no verdict on the base. */
void urivet_loader_check_effects(struct reader *reader);

/* Returns a copy with the lifetime of the policy, or NULL if memory is short, which is recorded as
 * a problem. */
const char *urivet_loader_keep_text(struct reader *reader, const char *text);

/* Returns true if the string can be the name of a policy: non-empty text without control
 * characters. */
bool urivet_loader_is_text(const char *string);

/* Adds the text of a node to the list that is read. */
void urivet_loader_add_text(struct reader *reader, const struct node *node);

/* Adds a word to names that are each followed by a space, in a buffer of `size` octets. `what` names
 * one of them in messages. */
void urivet_loader_add_name(struct reader *reader, const struct node *node, char *names, size_t size,
			    const char *what);

/* Reads true or false. */
void urivet_loader_read_flag(struct reader *reader, const struct node *node, bool *flag);

/* Reads the keys of a group, or of the whole file with path "", up to its end. Returns false if the
 * rest cannot be read. */
bool urivet_loader_read_group(struct reader *reader, const struct key *keys, const char *path,
			      struct place at);

/* Reads the value of the key at this place, or skips a value. Return false if the rest cannot be
 * read. */
bool urivet_loader_skip_value(struct reader *reader);
bool urivet_loader_read_key(struct reader *reader, const struct key *key, struct place at);

/* Makes room for one more element in an array with `count` of them; `array` is the address of the
 * pointer to it. The capacity doubles each time. Returns false if memory is short, which is recorded
 * as a problem. */
bool urivet_loader_room(struct reader *reader, void *array, size_t count, size_t size);

/* Reports a problem at the place of a node. */
#define PROBLEM(reader, node, ...)                                                                 \
	urivet_loader_problem((reader)->problems, (node)->at, __VA_ARGS__)

/* Read an element of a list of rules. */
void urivet_loader_key_host(struct reader *reader, const struct node *node);
void urivet_loader_key_url(struct reader *reader, const struct node *node);
void urivet_loader_key_address(struct reader *reader, const struct node *node);
void urivet_loader_key_nat64(struct reader *reader, const struct node *node);
void urivet_loader_key_port(struct reader *reader, const struct node *node);
void urivet_loader_key_protected(struct reader *reader, const struct node *node);
void urivet_loader_key_strip(struct reader *reader, const struct node *node);

/* Reads a group of `hosts.allow`, a name that is shared on purpose, or of `hosts.deny`, a name and
 * the exceptions from it. */
bool urivet_loader_read_host_group(struct reader *reader, struct place at);

bool urivet_loader_read_path_group(struct reader *reader, struct place at);
bool urivet_loader_read_parameters(struct reader *reader, struct place at);

/* Returns the finding with that name, or NULL after reporting that there is none, or that the set
 * has it already. */
const struct urivet_finding_row *urivet_loader_finding(struct reader *reader,
						       const struct node *node,
						       const struct urivet_finding_set *set);

/* Records the place of a rule and returns its index as tag. Returns false if memory is short. */
bool urivet_loader_place(struct reader *reader, const struct node *node, uint32_t *tag);

#endif
