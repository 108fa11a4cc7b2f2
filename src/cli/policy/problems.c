/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of a policy file, by file and line. */
#include "cli/policy/problems.h"
#include "cli/show/output.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((format(printf, 1, 0))) static char *formatted(const char *format, va_list arguments)
{
	char message[1024];
	size_t length;
	char *copy;

	(void)vsnprintf(message, sizeof message, format, arguments);
	length = strlen(message) + 1;
	copy = malloc(length);
	if (copy != NULL)
		memcpy(copy, message, length);
	return copy;
}

static bool make_room(struct problems *problems)
{
	size_t capacity = problems->capacity * 2 + 16;
	struct problem *grown;

	if (problems->kept < problems->capacity)
		return true;
	grown = realloc(problems->problem, capacity * sizeof *grown);
	if (grown == NULL)
		return false;
	problems->problem = grown;
	problems->capacity = capacity;
	return true;
}

void problem_add(struct problems *problems, struct policy_source at, const char *format, ...)
{
	struct problem problem = {.at = at, .rank = (uint32_t)problems->kept};
	va_list arguments;

	problems->count++;
	if (problems->kept == PROBLEMS_KEPT)
		return;
	va_start(arguments, format);
	problem.message = formatted(format, arguments);
	va_end(arguments);
	if (problem.message == NULL || !make_room(problems)) {
		free(problem.message);
		problems->no_memory = true;
		return;
	}
	problems->problem[problems->kept++] = problem;
}

static int order(const void *a, const void *b)
{
	const struct problem *x = a;
	const struct problem *y = b;

	if (x->at.file != y->at.file)
		return x->at.file < y->at.file ? -1 : 1;
	if (x->at.line != y->at.line)
		return x->at.line < y->at.line ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

void problems_tell(struct problems *problems, char *const *file)
{
	size_t told = problems->kept < PROBLEMS_TOLD ? problems->kept : PROBLEMS_TOLD;

	if (problems->kept > 1)
		qsort(problems->problem, problems->kept, sizeof problems->problem[0], order);
	for (size_t i = 0; i < told; i++) {
		const struct problem *problem = &problems->problem[i];

		if (problem->at.line == 0)
			complain("%s", problem->message);
		else
			complain("%s:%lu: %s", file[problem->at.file],
				 (unsigned long)problem->at.line, problem->message);
	}
	if (problems->no_memory)
		complain("%s", strerror(ENOMEM));
	else if (problems->count > told)
		complain("and %lu more problems", (unsigned long)(problems->count - told));
}

void problems_free(struct problems *problems)
{
	for (size_t i = 0; i < problems->kept; i++)
		free(problems->problem[i].message);
	free(problems->problem);
	*problems = (struct problems){0};
}
