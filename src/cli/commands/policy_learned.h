/* SPDX-License-Identifier: Apache-2.0 */
/* What the requests of a log need: collected, made into rules for paths, and written. */
#ifndef CLI_POLICY_LEARNED_H
#define CLI_POLICY_LEARNED_H

#include "cli/commands/options.h"
#include "cli/records/keyed.h"

/* The maximum number of different targets that are remembered. */
#define LEARNED_MOST 100000u
/* The maximum number of findings that a target may need. */
#define NEEDS_MOST 6u
/* The maximum number of different clients that are remembered for a target. */
#define CLIENTS_MOST 16u

/* A target that the base refuses, and the findings that would have to be allowed. */
struct need {
	char *path;      /* without the query, NUL-terminated */
	bool query;      /* a finding is in the query */
	uint64_t count;  /* of requests */
	uint32_t prefix; /* octets of the longest prefix before the first finding */
	uint16_t id[NEEDS_MOST];
	uint16_t rule[NEEDS_MOST]; /* the rule that waives each, or NO_RULE */
	uint32_t ids;
	uint32_t clients;
	uint64_t client[CLIENTS_MOST]; /* hashes of their names */
};

/* A finding that is allowed below a prefix. */
struct learned_rule {
	const char *path; /* begins with the prefix */
	uint32_t length;  /* of the prefix */
	uint16_t id;
	uint16_t merged;  /* into this rule, or NO_RULE */
	uint64_t count;   /* of requests that need it */
	const char *example;
	bool kept;
};

/* A finding that is not learned. */
struct refused_finding {
	uint64_t count;
	char *example;
};

struct learned {
	int base;
	struct urivet_policy policy;
	struct urivet_policy inner; /* for URLs in paths */
	struct need *need;
	size_t needs;
	size_t capacity;
	struct keyed table[2]; /* needs by their paths: of paths, and of queries */
	struct learned_rule *rule;
	size_t rules;
	uint64_t accepted; /* requests that the base accepts */
	uint64_t hostile;  /* ... and those with a finding that is not learned */
	uint64_t forgotten; /* ... and those beyond LEARNED_MOST */
	uint64_t failed;   /* ... and those that the server answered with an error */
	uint64_t broken;   /* records that are no requests */
	uint64_t nameless; /* needs of records that name no client */
	bool starved;      /* memory was short */
	unsigned clients;  /* the least number of clients that a rule needs */
	uint64_t seed[2];
	struct refused_finding refused[URIVET_FINDING_LIMIT];
};

/* Prepares to learn for the base. Returns false after reporting an error. */
bool learned_open(struct learned *learned);
void learned_close(struct learned *learned);

/* Judges a target or URL and remembers what it needs, and the client, whose name may be empty.
 * Returns false if memory is short. */
bool learned_add(struct learned *learned, struct octets text, struct octets client);

/* Returns the length of the longest valid prefix of the path that ends before the offset; 1: none. */
uint32_t prefix_before(const char *path, uint32_t end);

/* Writes the policy. `share`: the requests that it has to accept, in hundredths of a percent.
 * Returns false after reporting an error. */
bool learned_write(struct learned *learned, const struct options *options, unsigned share);

#endif
