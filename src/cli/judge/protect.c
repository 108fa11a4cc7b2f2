/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files of protected names. */
#include "cli/judge/protect.h"
#include "cli/records/file.h"
#include "common/rules.h"
#include "common/text/output.h"
#include <stdlib.h>

/* The tag of a name that is not from a policy file. */
#define NO_PLACE (UINT32_MAX - 9)

/* The maximum number of errors reported for a file. */
#define FAULTS_MOST 100u

/* The state of reading a file. */
struct reading {
	struct protect *protect;
	const char *path;
	size_t line;
	size_t faults;
};

static bool is_blank(char octet)
{
	return octet == ' ' || octet == '\t' || octet == '\r';
}

/* Returns the word on a line, without blanks around it and without a comment. Puts a NUL after
 * it. */
static char *word_of(char *line)
{
	char *end = line + strcspn(line, "#");

	while (is_blank(*line))
		line++;
	while (end > line && is_blank(end[-1]))
		end--;
	*end = '\0';
	return line;
}

static void complain_of_line(struct reading *reading, size_t column, const char *text)
{
	if (reading->faults++ < FAULTS_MOST)
		complain("%s:%zu:%zu: %s", reading->path, reading->line, column, text);
}

static void take_line(struct reading *reading, char *line)
{
	struct protect *protect = reading->protect;
	char *word = word_of(line);
	struct urivet_host_rule rule;
	struct why why;

	if (*word == '\0')
		return;
	if (!urivet_loader_read_host(&rule, word, URIVET_DENY, &why))
		complain_of_line(reading, (size_t)(word - line) + 1, why.text);
	else if (!urivet_protected_from(&protect->name[protect->count], word, strlen(word)))
		complain_of_line(reading, (size_t)(word - line) + 1,
				 "only names can be protected: write it without \".\" or \"*.\"");
	else
		protect->name[protect->count++].name.tag = NO_PLACE;
}

/* Reads all lines. Replaces each line end by NUL. */
static void take_lines(struct reading *reading, char *text)
{
	while (*text != '\0') {
		char *end = text + strcspn(text, "\n");
		const bool last = *end == '\0';

		*end = '\0';
		reading->line++;
		take_line(reading, text);
		text = end + !last;
	}
}

/* Reads the file as a string. Rejects NULs, which would end it. */
static bool load_text(struct protect *protect, const char *path)
{
	struct octets content;

	if (!file_load(&content, path, PROTECT_MOST))
		return false;
	protect->text = malloc(content.length + 1);
	if (protect->text == NULL) {
		complain("out of memory");
	} else if (content.length > 0 && memchr(content.data, 0, content.length) != NULL) {
		complain("%s: it holds NUL octets, and is no text", path);
		protect_free(protect);
	} else {
		if (content.length > 0)
			memcpy(protect->text, content.data, content.length);
		protect->text[content.length] = '\0';
	}
	free((void *)(uintptr_t)content.data);
	return protect->text != NULL;
}

static size_t count_lines(const char *text)
{
	size_t lines = 1;

	for (; *text != '\0'; text++)
		lines += *text == '\n';
	return lines;
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
	struct reading reading = {.protect = protect, .path = path};
	const size_t before = policy->protect_count;

	*protect = (struct protect){0};
	if (!load_text(protect, path))
		return false;
	protect->name = calloc(before + count_lines(protect->text), sizeof *protect->name);
	if (protect->name == NULL)
		return complain("out of memory");
	for (size_t i = 0; i < before; i++)
		copy_name(protect, &policy->protect[i]);
	take_lines(&reading, protect->text);
	if (reading.faults > FAULTS_MOST)
		complain("%s: %zu more lines are at fault", path, reading.faults - FAULTS_MOST);
	return reading.faults == 0 && settle(protect, policy);
}

void protect_free(struct protect *protect)
{
	free(protect->name);
	free(protect->text);
	*protect = (struct protect){0};
}
