/* SPDX-License-Identifier: Apache-2.0 */
/* What a helper judges by: policies that are loaded together, and replaced together. */
#ifndef URIVET_GATEWAY_RULES_H
#define URIVET_GATEWAY_RULES_H

#include "gateway/gate.h"

/* What is asked for; the strings are the caller's. */
struct wanted {
	const char *policy;           /* a built-in one's name or a file */
	const char *parameter_policy; /* the same for parameters */
	const struct urivet_text *names;
	uint32_t name_count; /* parameters; 0 and `parameters`: all that look like a URL or path */
	bool parameters;     /* some are judged */
	uint32_t times;      /* ... decoded so many times: 1 or 2 */
	bool same_origin;    /* ... and have to stay on the request's origin */
	bool observes;       /* nothing is enforced */
	uint32_t scheme;     /* of the server to its clients; URIVET_SCHEME_NONE: not told */
	uint32_t port;       /* URIVET_NO_PORT: not told */
};

/* Policies in memory. */
struct rules;

/* Loads all of them; NULL after telling what is wrong. */
struct rules *rules_load(const struct wanted *wanted, urivet_tell *tell, void *context);
void rules_free(struct rules *rules);

/* A request of which nothing is known but what the rules say of the server. */
struct gate_request rules_request(const struct rules *rules);

/* Judges a request and its parameters. */
struct gate_outcome rules_judge(const struct rules *rules, const struct gate_request *request);

/* What came of a question that cannot be read: a refusal, which is never only observed, as nobody knows
 * what would go on. */
struct gate_outcome rules_refuse(void);

#endif
