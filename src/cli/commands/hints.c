/* SPDX-License-Identifier: Apache-2.0 */
/* Prints hints about probable mistakes on the command line. */
#include "cli/commands/hints.h"
#include <stdio.h>
#include <sys/stat.h>

static bool is_file(const char *name)
{
	struct stat found;

	return stat(name, &found) == 0 && !S_ISDIR(found.st_mode);
}

/* Returns true if the word has a scheme. Then it is not a file name. */
static bool is_absolute(const char *word)
{
	struct urivet_uri uri;

	return urivet_parse(&uri, word, strlen(word), NULL) && urivet_has(&uri, URIVET_SCHEME);
}

void hint_at_command(const char *word)
{
	if (is_file(word))
		complain("hint: urivet check --input='%s' judges the lines of that file", word);
	else if (is_absolute(word) || strstr(word, "://") != NULL)
		complain("hint: urivet check '%s' judges it, urivet explain '%s' says everything "
			 "about it",
			 word, word);
}

/* Returns true if the operands of the command are URIs. */
static bool takes_uris(const struct command *command)
{
	return strncmp(command->arguments, "URI", 3) == 0 ||
	       strncmp(command->arguments, "[URI", 4) == 0;
}

/* Prints a hint about an operand. Returns true if there was one. */
static bool hint_at_operand(const struct options *options, const char *word)
{
	const bool reads = options->command->reads_input;

	if (strcmp(word, "-") == 0 && reads)
		complain("hint: '-' was taken for a URI; without arguments standard input is read");
	else if (is_absolute(word) || !is_file(word))
		return false;
	else if (reads)
		complain("hint: '%s' is a file here, and its name was taken for a URI; its lines "
			 "are read by --input='%s'",
			 word, word);
	else
		complain("hint: '%s' is a file here, and its name was taken for a URI", word);
	return true;
}

void hint_at_operands(const struct options *options)
{
	if (!takes_uris(options->command) || judges_targets(&options->judging))
		return;
	for (size_t i = 0; i < options->unguarded; i++) {
		if (hint_at_operand(options, options->reading.operand[i]))
			return;
	}
}

void hint_at_policy(const char *value)
{
	if (strpbrk(value, "./") != NULL || is_file(value))
		complain("hint: --policy-file=%s judges by the policy in a file", value);
}

void hint_at_findings(const char *prefix)
{
	const size_t length = strlen(prefix);
	char list[2000] = "";
	size_t used = 0;

	for (unsigned id = 1; length > 0 && id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *info = urivet_finding_info(id);

		if (info == NULL || strncmp(info->name, prefix, length) != 0 ||
		    used + strlen(info->name) + 3 > sizeof list)
			continue;
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
					 used > 0 ? ", " : "", info->name);
	}
	if (used > 0)
		complain("hint: these begin so: %s", list);
}
