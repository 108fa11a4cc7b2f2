/* SPDX-License-Identifier: Apache-2.0 */
/* What the requests of a log need: collected, made into rules for paths, and written. */
#ifndef CLI_POLICY_LEARNED_H
#define CLI_POLICY_LEARNED_H

#include "cli/commands/options.h"
#include "cli/records/census.h"

/* The maximum number of different targets that are refused, and of prefixes with a client. */
#define LEARNED_MOST (1u << 18)

/* The octets of a scheme. */
#define SCHEME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-."

/* What some of the requests below a prefix have in common. */
struct support {
	uint64_t requests;
	uint64_t clients; /* that have a name */
	uint64_t targets;
	uint64_t rules;   /* ... for the finding at hand */
	uint64_t attacks; /* targets that are not learned from, and would be accepted */
};

/* A finding that is not learned. */
struct refused_finding {
	uint64_t count;
	char *example;
};

struct learned {
	int base;
	unsigned clients;           /* the least number that a rule needs */
	unsigned share, root_share; /* ... and the least part of all requests, of 10000 */
	struct urivet_policy policy;
	struct urivet_policy open;  /* allows all that can be learned */
	struct urivet_policy inner; /* for URLs in paths */
	uint16_t finding[64];       /* the finding of each bit of a set of needs; 0: none */
	uint8_t bit[URIVET_FINDING_LIMIT];
	uint64_t seed[2];
	uint8_t *room;             /* for a target and what is appended to it */
	struct census targets;     /* that the base refuses, with what they need */
	struct census uses;        /* of prefixes by clients, with what they need */
	struct learned_item *item; /* both of them, in the order of their prefixes */
	size_t items;
	struct learned_rule *rule;
	size_t rules, capacity;
	struct support all; /* requests that are learned from or accepted */
	size_t known;       /* clients */
	uint32_t *seen;     /* ... when each was counted last */
	uint32_t now;
	uint64_t judged;    /* requests */
	uint64_t accepted;  /* ... that the base accepts */
	uint64_t by_policy; /* ... and those that only the learned policy accepts */
	uint64_t failed; /* requests that were not judged, as the server answered with an error */
	uint64_t broken; /* records that are no requests */
	uint64_t first_broken; /* the number of the first one in its file */
	const char *broken_in; /* ... which has this name */
	uint64_t nameless;     /* needs of records that name no client */
	uint64_t distrusted;   /* clients that are not learned from */
	struct refused_finding refused[URIVET_FINDING_LIMIT];
};

/* Returns true if a finding may be allowed below a prefix because requests need it. */
bool can_learn(unsigned id);

/* Returns true if the path has a URL that the policy refuses, raw or percent-encoded once: a server may
 * fetch it. `text` has room for the path. */
bool has_refused_url(const struct urivet_policy *public, uint8_t *text, struct octets path);

/* Prepares to learn for the base. Returns false after reporting an error. */
bool learned_open(struct learned *learned);
void learned_close(struct learned *learned);

/* Judges a target or URL and remembers what it needs, and the client, whose name may be empty.
 * Returns false if memory is short. */
bool learned_add(struct learned *learned, struct octets text, struct octets client);

/* Returns the length of the longest valid prefix of the path that ends before the offset; 1: none. */
uint32_t prefix_before(const char *path, uint32_t end);

/* Writes the policy. Returns false after reporting an error. */
bool learned_write(struct learned *learned, const struct options *options);

#endif
