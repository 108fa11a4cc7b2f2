/* SPDX-License-Identifier: Apache-2.0 */
/* What a policy that was loaded is made of. */
#ifndef LOADER_LOADED_H
#define LOADER_LOADED_H

#include <stdatomic.h>
#include <urivet/policy.h>

/* A place in a policy file or in one that it includes: files by their number in the order of
 * opening; lines and columns from 1, 0: none. */
struct place {
	uint32_t file;
	uint32_t line;
	uint32_t column;
};

/* Rules of hosts and addresses and protected names are sorted; the others are in the order of the files. Tags of rules
 * are indices into `place`, which is in the order of the files. Every pointer is to memory
 * of its own or NULL, but for those into `strings` (or into `compiled`). */
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
	struct urivet_network *nat64;
	struct place *nat64_place; /* of the prefixes, in their order */

	struct place *place;
	uint32_t places;
	struct place only;      /* of hosts.allow, where it first stands; line 0: nowhere */
	struct place only_urls; /* ... of urls.allow */
	struct urivet_protected *protect;       /* in order */
	const struct urivet_protected **shown; /* the same in the order of the files */
	const char **file; /* the names of the files, the policy file first */
	uint32_t files;

	struct strings *strings; /* all names */
	void *compiled;          /* the octets of a compiled policy; NULL: it was no such */
	uint64_t *index;         /* of the lists; NULL: there are no rules in them */
};

/* ---- Strings that live as long as a policy ---------------------------------------- */

/* Strings are put one after another into large pieces of memory. */
struct strings {
	struct strings *before;
	size_t used;
	size_t capacity;
	char data[];
};

/* A copy of the octets with a NUL after them, in the last piece of *strings or in a new one.
 * NULL: no memory. */
char *urivet_loader_keep(struct strings **strings, const char *octets, size_t length);

/* Gives a policy that is sealed an index of its lists: false for want of memory. */
bool urivet_loader_index(struct urivet_loaded *loaded);

/* Notes the protected names in the order of the files: false for want of memory. */
bool urivet_loader_show_protected(struct urivet_loaded *loaded);

#endif
