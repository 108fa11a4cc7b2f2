/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a temporary file, syncs it to the disk, and renames it. */
/* realpath(3) */
#define _XOPEN_SOURCE 700

#include "cli/records/replacement.h"
#include "common/text/output.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool failed(const char *path, int error)
{
	return complain("%s: %s", path, strerror(error));
}

static bool drop(struct replacement *made, int error)
{
	free(made->beside);
	free(made->target);
	made->beside = made->target = NULL;
	return failed(made->path, error);
}

/* Returns the permissions of a new file. */
static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	return 0666 & ~mask;
}

/* Opens a temporary file next to the target, with these permissions. */
static bool open_beside(struct replacement *made, mode_t mode)
{
	const size_t size = made->target != NULL ? strlen(made->target) + sizeof ".XXXXXX" : 0;
	int error;

	made->beside = size > 0 ? malloc(size) : NULL;
	if (made->beside == NULL)
		return drop(made, ENOMEM);
	(void)snprintf(made->beside, size, "%s.XXXXXX", made->target);
	made->fd = mkstemp(made->beside);
	if (made->fd < 0)
		return drop(made, errno);
	if (fchmod(made->fd, mode) == 0)
		return true;
	error = errno;
	(void)close(made->fd);
	(void)unlink(made->beside);
	return drop(made, error);
}

bool replacement_open(struct replacement *made, const char *path)
{
	struct stat there;

	*made = (struct replacement){.fd = -1, .path = path};
	if (stat(path, &there) != 0) {
		made->target = strdup(path);
		return open_beside(made, usual_mode());
	}
	if (S_ISREG(there.st_mode)) {
		made->target = realpath(path, NULL);
		return made->target != NULL ? open_beside(made, there.st_mode & 0777)
					    : failed(path, errno);
	}
	made->fd = open(path, O_WRONLY | O_CLOEXEC);
	return made->fd >= 0 || failed(path, errno);
}

bool replacement_close(struct replacement *made, int error)
{
	if (error == 0 && made->beside != NULL && fsync(made->fd) != 0)
		error = errno;
	if (close(made->fd) != 0 && error == 0)
		error = errno;
	if (error == 0 && made->beside != NULL && rename(made->beside, made->target) != 0)
		error = errno;
	if (error != 0 && made->beside != NULL)
		(void)unlink(made->beside);
	if (error != 0)
		return drop(made, error);
	free(made->beside);
	free(made->target);
	return true;
}
