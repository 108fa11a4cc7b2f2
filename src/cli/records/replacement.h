/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a file as a whole: who reads it meanwhile has what was there before, or all of the new. */
#ifndef CLI_REPLACEMENT_H
#define CLI_REPLACEMENT_H

#include <stdbool.h>
#include <sys/types.h>

/* A file that is being written. */
struct replacement {
	int fd;       /* to write to */
	char *beside; /* the file that takes the place of the other; NULL: it is written as it is */
	char *target;
	const char *path; /* as it was given, for messages */
};

/* Begins to write to `path`: to a file beside it if it is a regular file, or not there; to itself if
 * it is a device or a pipe. What a link leads to is replaced, not the link. False after saying what
 * failed. */
bool replacement_open(struct replacement *made, const char *path);

/* Puts what was written in its place; if `error`, an errno, is not 0, the file beside is removed and
 * everything is as it was. False after saying what failed. */
bool replacement_close(struct replacement *made, int error);

#endif
