/* SPDX-License-Identifier: Apache-2.0 */
/* The urivet program: runs the command that the first argument names. */
#include "cli/commands/hints.h"
#include "cli/commands/options.h"
#include "cli/text/paint.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Makes sure that later files do not get the descriptor of a closed standard stream. Opens a closed
 * stream as /dev/null, in a mode in which its use still fails. */
static bool ensure_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		if (fcntl(fd, F_GETFD) == -1 && errno == EBADF && open("/dev/null", mode) != fd)
			return false;
	}
	return true;
}

static enum status write_version(void)
{
	char version[64];

	(void)snprintf(version, sizeof version, "urivet %s\n", urivet_version());
	return paint_text(text_of(version)) ? STATUS_ACCEPTED : STATUS_TROUBLE;
}

static enum status run(const struct command *command, int argc, char **argv)
{
	struct options options;
	enum status status = STATUS_TROUBLE;

	if (!options_read(&options, command, argc, argv)) {
		if (!options.is_well_formed)
			complain("see: urivet help %s", command->name);
	} else if (options.version)
		status = write_version();
	else
		status = options.help ? help_write(command) : command->run(&options);
	options_free(&options);
	return status;
}

static enum status dispatch(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2)
		return trouble("no command; see: urivet help");
	if (strcmp(argv[1], "--version") == 0)
		return write_version();
	if (strcmp(argv[1], "--help") == 0)
		return help_write(NULL);
	if (argv[1][0] == '-')
		return trouble("a command comes before options such as '%s'; see: urivet help",
			       argv[1]);
	command = command_named(argv[1]);
	if (command == NULL) {
		hint_at_command(argv[1]);
		return trouble("see: urivet help");
	}
	return run(command, argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
	enum status status;

	if (!ensure_standard_streams())
		return STATUS_TROUBLE;
	/* If the output is a closed pipe, the write fails with an error that is reported. */
	(void)signal(SIGPIPE, SIG_IGN);
	status = dispatch(argc, argv);
	/* Some file systems report a write error only when the file is closed. */
	if (close(STDOUT_FILENO) != 0)
		return trouble("cannot write standard output: %s", strerror(errno));
	return (int)status;
}
