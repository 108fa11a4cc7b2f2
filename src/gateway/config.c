/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the options of `urivet serve` from a file, by the reader of policy files. */
#include "gateway/serve.h"

#include "policyfile/reader.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

_Static_assert(CONFIG_OPTIONS_MOST <= GROUP_KEYS_MOST, "each option is a key");

static void read_option(struct reader *reader, const struct node *node)
{
	const struct config *const config = reader->group;
	const struct config_option *const option = &config->options[reader->key->index];
	const char *const text =
	    option->is_flag ? NULL : urivet_loader_keep_text(reader, node->text);
	bool is_set = text != NULL && node->length > 0 && /* what YAML takes for none is no name */
		      !(node->plain && (strcmp(text, "~") == 0 || strcasecmp(text, "null") == 0));
	if (!option->is_flag && !is_set)
		PROBLEM(reader, node, "\"%s\" has no value", option->name);
	if (option->is_given)
		PROBLEM(reader, node, "\"%s\" is given as --%s already: say it once", option->name,
			option->name);
	if (option->is_flag)
		urivet_loader_read_flag(reader, node, &is_set);
	/* the first value that cannot be is reported in the words of its option, with its place */
	if (is_set && reader->problems->count == 0 &&
	    !config->set(config->context, option->row, text))
		PROBLEM(reader, node, "\"%s\" cannot be \"%.100s\"", option->name, node->text);
}

static bool read_options(struct reader *reader, const struct config *config)
{
	struct key keys[CONFIG_OPTIONS_MOST + 1] = {{0}};
	for (uint32_t i = 0; i < config->count; i++)
		keys[i] = (struct key){config->options[i].name,
				       config->options[i].name,
				       config->options[i].is_flag ? SHAPE_FLAG : SHAPE_TEXT,
				       ONCE_IN_GROUP,
				       .read = read_option,
				       .index = i};
	return urivet_loader_read_group(reader, keys, "", (struct place){.line = 1});
}

bool config_read(struct config *config, const char *path, urivet_on_message *on_message)
{
	static struct strings *strings; /* the values, as long as the process runs */
	struct problems problems = {0};
	struct reader reader = {.problems = &problems, .strings = &strings, .group = config};
	struct source source = {0};
	uint8_t *data = NULL;
	char why[1024];
	bool good = urivet_loader_read(&data, &source.length, path, SOURCE_INCLUDED, SOURCE_MOST,
				       why, sizeof why);
	source.data = data;
	if (!good)
		urivet_loader_problem(&problems, (struct place){.line = 0}, "%s", why);
	good = good && urivet_loader_open(&reader, &source) && read_options(&reader, config);
	good = urivet_loader_close(&reader, good) && problems.count == 0 && !problems.no_memory;
	urivet_loader_report_all(&problems, &path, path, on_message, NULL);
	urivet_loader_free_problems(&problems);
	free(data);
	return good;
}
