/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a policy file: collected, sorted, and reported. */
#ifndef CLI_PROBLEMS_H
#define CLI_PROBLEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line of a policy file or of one that it includes: files by their number in the
 * order of opening, lines from 1; 0: no line. */
struct policy_source {
	uint32_t file;
	uint32_t line;
};

/* The most problems that are reported; how many more there are is said. */
#define PROBLEMS_TOLD 100u
/* The most problems that are kept for sorting. */
#define PROBLEMS_KEPT 10000u

struct problem {
	struct policy_source at;
	uint32_t rank; /* the order of problems of one line */
	char *message;
};

struct problems {
	struct problem *problem;
	size_t kept;
	size_t capacity;
	size_t count;
	bool no_memory;
};

void problem_add(struct problems *problems, struct policy_source at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Complains by file and line. `file`: the names of the files. */
void problems_tell(struct problems *problems, char *const *file);
void problems_free(struct problems *problems);

#endif
