/* SPDX-License-Identifier: Apache-2.0 */
/* The policies of a helper, which are loaded and replaced together. */
#ifndef URIVET_GATEWAY_RULES_H
#define URIVET_GATEWAY_RULES_H

#include "gateway/fronts.h"

/* Settings of the helper. The caller owns the strings. */
struct wanted {
	const char *policy;           /* name of a built-in policy, or a file */
	const char *parameter_policy; /* the same for parameters */
	const struct urivet_text *names;
	uint32_t name_count; /* parameters; 0 with `parameters` set: all that look like a URL or
			      * path */
	bool parameters;     /* parameters are judged */
	uint32_t times;      /* ... decoded this many times: 1 or 2 */
	bool same_origin;    /* ... and must stay on the request's origin */
	bool observes;       /* nothing is enforced */
	bool any_method;     /* methods of questions need not be registered */
	bool urls;           /* whole URLs are judged, as a forward proxy gets them */
	bool explains;       /* gate_explain() will be called for refusals */
	uint32_t scheme;     /* of the server as seen by clients; URIVET_SCHEME_NONE: unknown */
	uint32_t port;       /* URIVET_NO_PORT: unknown */
};

/* Loaded policies. */
struct rules;

/* Loads all policies. Returns NULL after reporting errors to `on_message`. Release the result with
 * rules_free(). */
struct rules *rules_load(const struct wanted *wanted, urivet_on_message *on_message, void *context);
void rules_free(struct rules *rules);

/* Returns an empty request with the policy, scheme and port of the settings. */
struct gate_request rules_request(const struct rules *rules);

/* Judges a request and its parameters. */
struct gate_outcome rules_judge(const struct rules *rules, struct gate_request *request);

/* Returns the outcome of an unreadable auth request: always an enforced refusal, as it is unknown
 * what would be forwarded. */
struct gate_outcome rules_refuse(void);

/* Reads the question of a gateway into *request and judges that. why->what is NULL if it could be
 * read; if not, the outcome is that of rules_refuse(). */
struct gate_outcome rules_answer(const struct rules *rules, enum front front,
				 const struct question *question, struct gate_request *request,
				 struct why *why);

#endif
