/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files of protected names. */
#include "cli/judge/protect.h"
#include "cli/records/cursor.h"
#include "cli/records/file.h"
#include "common/rules.h"
#include "common/text/output.h"
#include <stdio.h>
#include <stdlib.h>

/* The tag of a name that is not from a policy file. */
#define NO_PLACE (UINT32_MAX - 9)

/* The maximum number of errors reported for a file. */
#define FAULTS_MOST 100u

#define BLANKS " \t\r"
/* Octets of a word that are read: more than a host can have. */
#define WORD_SHOWN 1024u

/* The state of reading a file. */
struct reading {
	struct protect *protect;
	const char *path;
	size_t line;
	size_t faults;
};

static void complain_of_line(struct reading *reading, size_t column, const char *text)
{
	if (reading->faults++ < FAULTS_MOST)
		complain("%s:%zu:%zu: %s", reading->path, reading->line, column, text);
}

/* Adds the word on a line, without blanks around it and without a comment. */
static void take_line(struct reading *reading, struct octets line)
{
	const uint8_t *comment = line.length > 0 ? memchr(line.data, '#', line.length) : NULL;
	const size_t length = comment != NULL ? (size_t)(comment - line.data) : line.length;
	const struct octets word = text_trim(text_at(line.data, length), BLANKS, BLANKS);
	const size_t column = (size_t)(word.data - line.data) + 1;
	struct protect *protect = reading->protect;
	struct urivet_host_rule rule;
	char host[WORD_SHOWN];
	struct why why;

	if (word.length == 0)
		return;
	(void)snprintf(host, sizeof host, "%.*s", (int)word.length, (const char *)word.data);
	if (!urivet_loader_read_host(&rule, host, URIVET_DENY, &why))
		complain_of_line(reading, column, why.text);
	else if (!urivet_protected_from(&protect->name[protect->count], (const char *)word.data,
					word.length))
		complain_of_line(reading, column,
				 "only names can be protected: write it without \".\" or \"*.\"");
	else
		protect->name[protect->count++].name.tag = NO_PLACE;
}

/* Copies a name of the policy. A name in a compiled policy has no pointers and is valid only in
 * place. */
static void copy_name(struct protect *protect, const struct urivet_protected *name)
{
	const struct urivet_text text = urivet_host_rule_name(&name->name);
	struct urivet_protected *copy = &protect->name[protect->count++];

	(void)urivet_protected_from(copy, text.data, text.length);
	copy->name.tag = name->name.tag;
}

/* Sorts the names and gives them to the policy. */
static bool settle(struct protect *protect, struct urivet_policy *policy)
{
	qsort(protect->name, protect->count, sizeof *protect->name, urivet_order(URIVET_LIST_PROTECTED));
	return urivet_policy_protect(policy, protect->name, (uint32_t)protect->count) &&
	       urivet_policy_finish(policy, NULL, 0); /* otherwise each check would verify the order again */
}

bool protect_load(struct protect *protect, struct urivet_policy *policy, const char *path)
{
	struct reading reading = {.protect = protect, .path = path, .line = 1};
	const size_t before = policy->protect_count;
	struct cursor cursor;
	struct octets line;

	*protect = (struct protect){0};
	if (!file_load(&protect->content, path, PROTECT_MOST))
		return false;
	if (count_octets(protect->content, '\0') > 0)
		return complain("%s: it holds NUL octets, and is no text", path);
	protect->name =
	    calloc(before + (size_t)count_octets(protect->content, '\n') + 1, sizeof *protect->name);
	if (protect->name == NULL)
		return complain("out of memory");
	for (size_t i = 0; i < before; i++)
		copy_name(protect, &policy->protect[i]);
	cursor = cursor_over(protect->content, '\n', false);
	for (; cursor_next(&cursor, &line); reading.line++)
		take_line(&reading, line);
	if (reading.faults > FAULTS_MOST)
		complain("%s: %zu more lines are at fault", path, reading.faults - FAULTS_MOST);
	return reading.faults == 0 && settle(protect, policy);
}

void protect_free(struct protect *protect)
{
	free(protect->name);
	free((void *)(uintptr_t)protect->content.data);
	*protect = (struct protect){0};
}
