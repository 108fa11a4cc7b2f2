/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a policy: collected, sorted by its place, and told. */
#ifndef LOADER_PROBLEMS_H
#define LOADER_PROBLEMS_H

#include "loader/loaded.h"

/* The most problems that are told; how many more there are is said. */
#define PROBLEMS_TOLD 100u
/* The most problems that are kept for sorting. */
#define PROBLEMS_KEPT 10000u

struct problem {
	struct place at;
	uint32_t rank; /* the order of problems of one place */
	char *message;
};

struct problems {
	struct problem *problem;
	size_t kept;
	size_t capacity;
	size_t count;
	bool no_memory;
};

/* A place with line 0 is none. */
void urivet_loader_problem(struct problems *problems, struct place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* `file`: the names of the files, `files` of them; `name` stands for a place that is none. `tell`
 * may be NULL. */
void urivet_loader_tell(struct problems *problems, const char *const *file, const char *name,
			urivet_tell *tell, void *context);
void urivet_loader_free_problems(struct problems *problems);

/* Tells one thing that has no place. */
void urivet_loader_tell_one(const char *name, const char *text, urivet_tell *tell, void *context);

#endif
