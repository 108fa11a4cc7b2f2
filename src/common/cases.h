/* SPDX-License-Identifier: Apache-2.0 */
/* Files of cases: inputs that a policy must accept or refuse. */
#ifndef COMMON_CASES_H
#define COMMON_CASES_H

#include <urivet/policy.h>

/* An input and what the policy must say about it. */
struct policy_case {
	const char *group; /* the name of its group; NULL: none */
	const char *text;
	size_t length;
	unsigned finding; /* must be among those that refuse it; 0: it must be accepted */
	uint32_t line;
	uint32_t column;
	struct urivet_request request; /* if the text is a request target; size 0: it is a URL */
};

struct policy_cases {
	struct policy_case *list;
	size_t count;
	size_t capacity;
	size_t octets;      /* of all texts */
	const char *policy; /* the file beside this one, or the name of a built-in policy */
	struct strings *strings;
};

/* Reads a file of cases; "-" is standard input. Returns false after reporting errors by their
 * places. The caller frees the cases in both situations. It is part of liburivet-policy, which
 * reads YAML. */
bool urivet_loader_cases(struct policy_cases *cases, const char *path,
			 urivet_on_message *on_message, void *context);
void urivet_loader_free_cases(struct policy_cases *cases);

#endif
