/* SPDX-License-Identifier: Apache-2.0 */
/* urivet completion: writes a shell script that completes the command line. */
#include "cli/completion/completion.h"
#include "cli/show/paint.h"

const char *const completion_shells[] = {"bash", "zsh", "fish", NULL};

enum status run_completion(const struct options *options)
{
	static void (*const write[])(struct output *) = {bash_write, zsh_write, fish_write};
	const char *shell = options->operand[0];
	struct output out;

	for (size_t i = 0; completion_shells[i] != NULL; i++) {
		if (strcmp(completion_shells[i], shell) != 0)
			continue;
		if (options->quiet)
			return STATUS_ACCEPTED;
		if (!paint_open(&out, COLOUR_NEVER))
			return STATUS_TROUBLE;
		write[i](&out);
		return output_finish(&out) ? STATUS_ACCEPTED : STATUS_TROUBLE;
	}
	complain("completion: no such shell: '%s'; there are bash, zsh and fish", shell);
	return STATUS_TROUBLE;
}
