/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy compile: writes a policy as octets that are read without its text. */
/* realpath(3) */
#define _XOPEN_SOURCE 700

#include "cli/commands/policy_actions.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is written, and where. */
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

static bool write_failed(const char *path, int error)
{
	complain("%s: %s", path, strerror(error));
	return false;
}

/* Writes to what is open: 0 or errno. */
static int write_out(int fd, const struct compiled *made, bool to_disk)
{
	int error = output_now(fd, made->data, made->length);

	if (error == 0 && to_disk && fsync(fd) != 0)
		error = errno;
	if (close(fd) != 0 && error == 0)
		error = errno;
	return error;
}

/* A device or a pipe is written to as it is. */
static bool write_there(const char *path, const struct compiled *made)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int error = fd >= 0 ? write_out(fd, made, false) : errno;

	return error == 0 || write_failed(path, error);
}

/* The rights of a file that is made anew. */
static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	return 0666 & ~mask;
}

/* Writes a file beside, which takes the place of the other when it is whole: who loads the policy
 * meanwhile has the old one or the new one. */
static bool replace(const char *path, mode_t mode, const struct compiled *made)
{
	const size_t size = strlen(path) + sizeof ".XXXXXX";
	char *beside = malloc(size);
	int fd, error = 0;

	if (beside == NULL)
		return write_failed(path, ENOMEM);
	(void)snprintf(beside, size, "%s.XXXXXX", path);
	fd = mkstemp(beside);
	if (fd < 0) {
		error = errno;
		free(beside);
		return write_failed(path, error);
	}
	if (fchmod(fd, mode) != 0)
		error = errno;
	if (error == 0)
		error = write_out(fd, made, true);
	else
		(void)close(fd);
	if (error == 0 && rename(beside, path) != 0)
		error = errno;
	if (error != 0)
		(void)unlink(beside);
	free(beside);
	return error == 0 || write_failed(path, error);
}

static bool write_file(const char *path, const struct compiled *made)
{
	struct stat there;
	char *real;
	bool good;

	if (stat(path, &there) != 0)
		return replace(path, usual_mode(), made);
	if (!S_ISREG(there.st_mode))
		return write_there(path, made);
	/* what a link leads to is replaced, not the link */
	real = realpath(path, NULL);
	if (real == NULL)
		return write_failed(path, errno);
	good = replace(real, there.st_mode & 0777, made);
	free(real);
	return good;
}

static bool write_standard_output(const struct compiled *made)
{
	struct output out;

	if (!paint_open(&out, COLOUR_NEVER))
		return false;
	output_text(&out, (struct text){made->data, made->length});
	return output_finish(&out);
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
	loaded = policy_open(options->operand[1]);
	if (loaded == NULL)
		return STATUS_TROUBLE;
	good = compile(&made, loaded);
	urivet_loaded_release(loaded);
	if (!good)
		return STATUS_TROUBLE;
	good = strcmp(options->output, "-") == 0 ? write_standard_output(&made)
						 : write_file(options->output, &made);
	free(made.data);
	return good ? STATUS_ACCEPTED : STATUS_TROUBLE;
}
