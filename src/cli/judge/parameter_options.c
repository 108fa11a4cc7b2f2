/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the rules for parameters from --params and related options. */
#include "cli/judge/parameter_options.h"
#include "common/finding_set.h"
#include "common/text/output.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char octet)
{
	return octet == ' ' || octet == '\t';
}

/* Returns true for a valid name. "*" in a list would judge less than "*" alone, and " b" in "a, b"
 * would not match parameter b, so both are errors. */
static bool is_name(const char *command, const char *name, size_t length)
{
	if (length == 0 || (length == 1 && name[0] == '*'))
		complain("%s: --params takes names with commas between, or *", command);
	else if (is_blank(name[0]) || is_blank(name[length - 1]))
		complain("%s: --params: '%.*s' begins or ends with a blank", command, (int)length,
			 name);
	else
		return true;
	return false;
}

/* Splits the list at commas. Returns the number of names, 0 after reporting an error. */
static uint32_t split_names(struct urivet_text *names, const char *command, const char *list)
{
	uint32_t count = 0;

	for (;;) {
		const size_t length = strcspn(list, ",");

		if (!is_name(command, list, length))
			return 0;
		names[count++] = urivet_text_of(list, length);
		if (list[length] == '\0')
			return count;
		list += length + 1;
	}
}

bool parameters_name(struct parameter_options *options, const char *command)
{
	const char *list = options->list;

	(void)urivet_parameter_rules_init(&options->rules, sizeof options->rules);
	if (strcmp(list, "*") == 0)
		return true;
	options->names = calloc(strlen(list) + 1, sizeof *options->names); /* more than enough */
	if (options->names == NULL)
		return complain("%s", strerror(ENOMEM));
	options->rules.names = options->names;
	options->rules.count = split_names(options->names, command, list);
	return options->rules.count > 0;
}

static struct urivet_loaded *load(const char *policy, urivet_on_message *on_message)
{
	const int base = urivet_policy_named(policy, strlen(policy));
	struct urivet_loaded *loaded;

	if (base >= 0) {
		loaded = urivet_load_built_in(base);
		if (loaded == NULL)
			complain("%s", strerror(ENOMEM));
		return loaded;
	}
	if (strcmp(policy, "-") != 0)
		return urivet_load(policy, on_message, NULL);
	complain("--params-policy takes a name or a file, not standard input");
	return NULL;
}

bool parameters_load(struct parameter_options *options, urivet_on_message *on_message)
{
	options->loaded = load(options->policy != NULL ? options->policy : "public", on_message);
	if (options->loaded == NULL)
		return false;
	if (urivet_loaded_parameter(options->loaded, 0) != NULL)
		return complain(
		    "--params-policy: '%s' has \"parameters\", which a policy for values "
		    "of parameters cannot have: remove them, or judge by it with "
		    "--policy-file",
		    options->policy);
	options->rules.policy = urivet_loaded_policy(options->loaded);
	return true;
}

void parameters_free(struct parameter_options *options)
{
	free(options->names);
	urivet_loaded_release(options->loaded);
	options->names = NULL;
	options->loaded = NULL;
}
