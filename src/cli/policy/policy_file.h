/* SPDX-License-Identifier: Apache-2.0 */
/* A policy as a file has it, and where each of its rules stands. */
#ifndef CLI_POLICY_FILE_H
#define CLI_POLICY_FILE_H

#include "cli/records/octets.h"
#include "cli/policy/problems.h"

/* Owns all that the policy points to. The rules are sorted; their tags are indices of
 * `source`, which has the order of the file. */
struct policy_file {
	struct urivet_policy policy;
	struct urivet_policy base;
	struct urivet_host_rule *host;
	struct urivet_address_rule *address;
	struct urivet_port_rule *port;
	struct urivet_network *nat64;
	struct policy_source *nat64_source; /* of each, in its order */
	struct policy_source *source;
	uint32_t sources;
	struct policy_source only; /* where hosts.allow stands */
	char **file;               /* the names of the files */
	size_t files;
	char *strings; /* names that the rules and the policy point into */
};

/* False after saying that the build reads no policy files. */
bool policy_file_is_built(void);

/* Reads and checks a file ("-": standard input). False after saying what is wrong with
 * it; there is nothing to free then. */
bool policy_file_load(struct policy_file *file, const char *path);

/* The same for a text in memory that includes nothing, without saying anything. */
bool policy_file_take(struct policy_file *file, struct text content, const char *name);

void policy_file_free(struct policy_file *file);

/* Room for the place of a rule, with its NUL. */
#define POLICY_PLACE_TEXT 512u

/* "proxy.conf:14". */
void policy_file_place(char text[POLICY_PLACE_TEXT], const struct policy_file *file,
		       struct policy_source at);

/* Finds rules that say nothing that others do not say, or that nothing ever reaches. Takes
 * time in O(n log n) comparisons of names, or of addresses, for n rules. */
void policy_check_rules(const struct policy_file *file, struct problems *problems);

#endif
