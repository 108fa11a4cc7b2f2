/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of a policy: collected, sorted by place, and reported. */
#ifndef LOADER_PROBLEMS_H
#define LOADER_PROBLEMS_H

#include "policyfile/loaded.h"

/* Maximum number of problems reported; the number of the others is added. */
#define PROBLEMS_SHOWN 100u
/* Maximum number of problems kept for sorting. */
#define PROBLEMS_KEPT 10000u

struct problem {
	struct place at;
	uint32_t rank; /* order among problems of the same place */
	char *message;
};

struct problems {
	struct problem *problem;
	size_t kept;
	size_t capacity;
	size_t count;
	bool all; /* keep and report all of them */
	bool no_memory;
};

/* Adds a problem. A place with line 0 is unknown. Returns false, so that a function that fails can
 * return the call. */
bool urivet_loader_problem(struct problems *problems, struct place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports the problems. `file` has the file names; `name` is used for unknown places. `on_message`
 * may be NULL. */
void urivet_loader_report_all(struct problems *problems, const char *const *file, const char *name,
			      urivet_on_message *on_message, void *context);
void urivet_loader_free_problems(struct problems *problems);

/* Reports a message without a place. */
void urivet_loader_report_one(const char *name, const char *text, urivet_on_message *on_message,
			      void *context);

#endif
