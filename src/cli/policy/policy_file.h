/* SPDX-License-Identifier: Apache-2.0 */
/* A policy that was read from a file, with the place of each of its rules. */
#ifndef CLI_POLICY_FILE_H
#define CLI_POLICY_FILE_H

#include "cli/policy/problems.h"
#include "cli/records/octets.h"

/* Owns all that the policy points to. The rules are sorted; their tags are indices into
 * `source`, which is in the order of the file. */
struct policy_file {
	struct urivet_policy policy;
	struct urivet_policy base;
	struct urivet_host_rule *host;
	struct urivet_address_rule *address;
	struct urivet_port_rule *port;
	struct urivet_network *nat64;
	struct policy_source *nat64_source; /* the places of the NAT64 prefixes, in their order */
	struct policy_source *source;
	uint32_t sources;
	struct policy_source only; /* the place of hosts.allow */
	char **file;               /* the names of the files */
	size_t files;
	char *strings; /* the names that the rules and the policy point to */
};

/* Can this build read policy files? If not, it says so. */
bool policy_file_is_built(void);

/* Reads and checks a file ("-": standard input). If something is wrong with it, says what, and
 * returns false; then there is nothing to free. */
bool policy_file_load(struct policy_file *file, const char *path);

/* The same for a text in memory, which must include no files; nothing is said. */
bool policy_file_take(struct policy_file *file, struct text content, const char *name);

void policy_file_free(struct policy_file *file);

/* Room for the place of a rule, with its NUL. */
#define POLICY_PLACE_TEXT 512u

/* "proxy.conf:14". */
void policy_file_place(char text[POLICY_PLACE_TEXT], const struct policy_file *file,
		       struct policy_source at);

/* Finds rules that others make superfluous, or that can never be reached, by O(n log n)
 * comparisons of names and addresses for n rules. */
void policy_check_rules(const struct policy_file *file, struct problems *problems);

#endif
