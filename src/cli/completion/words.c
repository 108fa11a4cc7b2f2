/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the words that shells complete. */
#include "cli/completion/completion.h"
#include "cli/show/emit.h"

/* Returns true if a finding is a valid value: the policy strict can waive or raise it. */
static bool is_offered(enum value_kind kind, unsigned id)
{
	struct urivet_policy policy;

	(void)urivet_policy_init(&policy, sizeof policy, URIVET_STRICT);
	if (kind == VALUE_WAIVED)
		return urivet_policy_waive(&policy, id);
	return kind == VALUE_FINDING || urivet_policy_raise(&policy, id);
}

void completion_word(struct output *out, const char *word)
{
	emit(out, " ", word);
}

static void write_findings(struct output *out, enum value_kind kind)
{
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *info = urivet_finding_info(id);

		if (info != NULL && is_offered(kind, id))
			completion_word(out, info->name);
	}
}

static void write_readers(struct output *out, const struct command *command)
{
	for (unsigned i = 0; i < URIVET_READERS; i++) {
		if (command_reads_by(command, (enum urivet_reader)i))
			completion_word(out, urivet_reader_name((enum urivet_reader)i));
	}
}

void completion_commands(struct output *out)
{
	for (size_t i = 0; i < COMMANDS; i++)
		completion_word(out, commands[i].name);
}

void completion_words(struct output *out, struct values values, const struct command *command)
{
	for (size_t i = 0; values.words != NULL && values.words[i] != NULL; i++)
		completion_word(out, values.words[i]);
	if (values.kind == VALUE_READER)
		write_readers(out, command);
	else if (values.kind == VALUE_COMMAND)
		completion_commands(out);
	else if (values.kind == VALUE_FINDING || values_are_list(values))
		write_findings(out, values.kind);
}

void completion_quoted(struct output *out, const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			output_string(out, "'\\'");
		else if (strchr(special, *text) != NULL)
			output_octet(out, '\\');
		output_octet(out, *text);
	}
}
