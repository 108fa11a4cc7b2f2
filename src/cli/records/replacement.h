/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces a file atomically: readers see either the old content or all of the new content. */
#ifndef CLI_REPLACEMENT_H
#define CLI_REPLACEMENT_H

#include <stdbool.h>

/* A file that is being replaced. */
struct replacement {
	int fd;       /* to write to */
	char *beside; /* the temporary file; NULL: the target is written directly */
	char *target;
	const char *path; /* as given by the user, for messages */
};

/* Opens `path` for writing. Writes to a temporary file in the same folder if the path is a regular
 * file or does not exist, and directly to a device or a pipe. A symbolic link is followed. Returns
 * false after reporting the error. */
bool replacement_open(struct replacement *made, const char *path);

/* Moves the temporary file to its target. If `error`, an errno, is not 0, removes the temporary
 * file and leaves the target unchanged. Returns false after reporting the error. */
bool replacement_close(struct replacement *made, int error);

#endif
