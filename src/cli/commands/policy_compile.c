/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy compile: writes a policy in a binary form that loads without parsing. */
#include "cli/commands/policy_actions.h"
#include "cli/records/replacement.h"
#include "cli/text/paint.h"
#include <errno.h>
#include <stdlib.h>

/* A compiled policy in memory. */
struct compiled {
	void *data;
	size_t length;
};

static bool compile(struct compiled *made, const struct urivet_loaded *loaded)
{
	made->length = urivet_loaded_compile(NULL, 0, loaded);
	made->data = made->length > 0 ? malloc(made->length) : NULL;
	if (made->data != NULL &&
	    urivet_loaded_compile(made->data, made->length, loaded) == made->length)
		return true;
	free(made->data);
	complain("%s", strerror(ENOMEM));
	return false;
}

/* Replaces the file atomically: programs load the old policy or the new one. */
static bool write_file(const char *path, const struct compiled *made)
{
	struct replacement file;

	return replacement_open(&file, path) &&
	       replacement_close(&file, output_now(file.fd, made->data, made->length));
}

enum status policy_compile(const struct options *options)
{
	struct urivet_loaded *loaded;
	struct compiled made;
	bool good;

	if (options->output == NULL) {
		complain(
		    "policy compile: say where to write: -o FILE, or -o - for standard output");
		return STATUS_TROUBLE;
	}
	loaded = policy_open(options->reading.operand[1]);
	if (loaded == NULL)
		return STATUS_TROUBLE;
	good = compile(&made, loaded);
	urivet_loaded_release(loaded);
	if (!good)
		return STATUS_TROUBLE;
	good = strcmp(options->output, "-") == 0 ? paint_text(text_at(made.data, made.length))
						 : write_file(options->output, &made);
	free(made.data);
	return good ? STATUS_ACCEPTED : STATUS_TROUBLE;
}
