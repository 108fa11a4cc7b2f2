/* SPDX-License-Identifier: Apache-2.0 */
/* The representation of a loaded policy. */
#ifndef LOADER_LOADED_H
#define LOADER_LOADED_H

#include "common/parameter_rule.h"

#include <stdatomic.h>

/* A place in a policy file or an included file. Files are numbered in the order of opening. Lines
 * and columns start at 1; 0: unknown. */
struct place {
	uint32_t file;
	uint32_t line;
	uint32_t column;
	bool shared;  /* a host rule that others may register below, on purpose */
	bool excepts; /* a denial with exceptions */
};

/* The policy that judges values of a parameter. */
struct value_policy {
	const char *name;         /* as in the file: a built-in name or a path; NULL: none */
	struct urivet_loaded *by; /* NULL: none */
};

/* Rules of hosts and addresses and protected names are sorted; other rules are in file order. Tags
 * of rules are indices into `place`, which is in file order. Each pointer owns its memory or is
 * NULL, except those into `strings` or `compiled`. */
struct urivet_loaded {
	atomic_size_t references;
	struct urivet_policy policy;
	int base;                         /* enum urivet_base */
	bool observes;                    /* mode: observe */
	struct urivet_suffixes *suffixes; /* NULL: the policy does not need them */

	struct urivet_host_rule *host;
	struct urivet_address_rule *address;
	struct urivet_port_rule *port;
	struct urivet_url_rule *url;
	struct urivet_path_rule *path;
	struct urivet_parameter_rule *parameter; /* NULL for a compiled policy */
	struct value_policy *value;              /* for each rule of parameters */
	uint32_t parameters;
	struct urivet_network *nat64;
	struct place *nat64_place; /* places of the prefixes, in the same order */

	struct place *place;
	uint32_t places;
	struct place only;                     /* first place of hosts.allow; line 0: none */
	struct place only_urls;                /* first place of urls.allow; line 0: none */
	struct urivet_protected *protect;      /* sorted */
	const struct urivet_protected **shown; /* the same in file order */
	const char **file;                     /* file names, the main policy file first */
	uint32_t files;

	struct strings *strings; /* memory of all names */
	void *compiled;          /* the octets of a compiled policy, or NULL */
	uint64_t *index;         /* of the lists; NULL if they have no rules */
};

/* ---- Strings with the lifetime of a policy ----------------------------------------- */

/* A memory block in which strings are stored one after another. */
struct strings {
	struct strings *before;
	size_t used;
	size_t capacity;
	char data[];
};

/* Copies the octets, or leaves room for them if they are NULL, and adds a NUL, in the last block of
 * *strings or in a new one. Returns NULL if
 * memory is short. */
char *urivet_loader_keep(struct strings **strings, const char *octets, size_t length);
void urivet_loader_free_strings(struct strings *strings);

/* Finishes the policy, with an index of its lists. Returns false if memory is short, or with
 * *valid false if the policy is not valid. */
bool urivet_loader_finish(struct urivet_loaded *loaded, bool *valid);

/* Returns an array of pointers to `count` rules of `size` octets, sorted; `order` compares the
 * pointers. The caller frees it. Returns NULL if memory is short. */
void *urivet_loader_sorted(const void *rules, size_t count, size_t size,
			   int (*order)(const void *a, const void *b));

/* Does the same with the tags of the rules, each `tag` octets after the beginning of its rule. */
void *urivet_loader_by_tag(const void *rules, size_t count, size_t size, size_t tag);

/* Sets `shown`, the protected names in file order. Returns false if memory is short. */
bool urivet_loader_show_protected(struct urivet_loaded *loaded);

#endif
