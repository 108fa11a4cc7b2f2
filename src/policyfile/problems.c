/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of policy files, by file, line and column. */
#include "policyfile/problems.h"
#include "common/grow.h"
#include "common/order.h"
#include "common/utf8.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MOST 1024u

/* Copies the message as printable UTF-8 without control characters. Other octets become \xHH, so
 * the result is at most four times as long. */
static void make_clean(char *clean, const char *message)
{
	const uint8_t *at = (const uint8_t *)message;
	size_t left = strlen(message);

	while (left > 0) {
		uint32_t character;
		size_t length = urivet_loader_utf8(at, left, &character);

		if (length > 0 && character >= 0x20 && (character < 0x7F || character > 0x9F)) {
			memcpy(clean, at, length);
			clean += length;
		} else {
			length = 1;
			clean += sprintf(clean, "\\x%02X", *at);
		}
		at += length;
		left -= length;
	}
	*clean = '\0';
}

__attribute__((format(printf, 1, 0))) static char *formatted(const char *format, va_list arguments)
{
	char message[MESSAGE_MOST], clean[4 * MESSAGE_MOST];

	(void)vsnprintf(message, sizeof message, format, arguments);
	make_clean(clean, message);
	return strdup(clean);
}

bool urivet_loader_problem(struct problems *problems, struct place at, const char *format, ...)
{
	struct problem problem = {.at = at, .rank = (uint32_t)problems->kept};
	va_list arguments;

	problems->count++;
	if (problems->kept == PROBLEMS_KEPT && !problems->all)
		return false;
	va_start(arguments, format);
	problem.message = formatted(format, arguments);
	va_end(arguments);
	if (problem.message != NULL && grow(&problems->problem, &problems->capacity,
					    problems->kept + 1, sizeof problem)) {
		problems->problem[problems->kept++] = problem;
		return false;
	}
	free(problem.message);
	problems->no_memory = true;
	return false;
}

static int order(const void *a, const void *b)
{
	const struct problem *x = a, *y = b;
	const uint64_t one[] = {x->at.file, x->at.line, x->at.column, x->rank};
	const uint64_t other[] = {y->at.file, y->at.line, y->at.column, y->rank};

	return order_lists(one, other, 4);
}

size_t urivet_format_message(char *out, size_t capacity, const struct urivet_message *message)
{
	const char *const text = message->text != NULL ? message->text : "";
	const char *const colon = message->text != NULL ? ": " : "";
	const unsigned long line = message->line, column = message->column;
	int length;

	if (line == 0)
		length = snprintf(out, capacity, "%s",
				  message->text != NULL ? message->text : message->file);
	else if (column == 0)
		length = snprintf(out, capacity, "%s:%lu%s%s", message->file, line, colon, text);
	else
		length = snprintf(out, capacity, "%s:%lu:%lu%s%s", message->file, line, column,
				  colon, text);
	return length > 0 ? (size_t)length : 0;
}

void urivet_loader_report_one(const char *name, const char *text, urivet_on_message *on_message,
			      void *context)
{
	const struct urivet_message message = {.file = name, .text = text};

	if (on_message != NULL)
		on_message(context, &message);
}

void urivet_loader_report_all(struct problems *problems, const char *const *file, const char *name,
			      urivet_on_message *on_message, void *context)
{
	size_t shown =
	    problems->kept < PROBLEMS_SHOWN || problems->all ? problems->kept : PROBLEMS_SHOWN;
	char more[64];

	if (on_message == NULL)
		return;
	if (problems->kept > 1)
		qsort(problems->problem, problems->kept, sizeof problems->problem[0], order);
	for (size_t i = 0; i < shown; i++) {
		const struct problem *problem = &problems->problem[i];
		const struct place *at = &problem->at;
		const struct urivet_message message = {at->line != 0 ? file[at->file] : name,
						       at->line, at->column, problem->message};

		on_message(context, &message);
	}
	(void)snprintf(more, sizeof more, "and %lu more problems",
		       (unsigned long)(problems->count - shown));
	if (problems->no_memory)
		urivet_loader_report_one(name, strerror(ENOMEM), on_message, context);
	else if (problems->count > shown)
		urivet_loader_report_one(name, more, on_message, context);
}

void urivet_loader_free_problems(struct problems *problems)
{
	for (size_t i = 0; i < problems->kept; i++)
		free(problems->problem[i].message);
	free(problems->problem);
	*problems = (struct problems){0};
}
