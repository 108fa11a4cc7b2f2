/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files as a whole, up to a limit. */
#include "cli/records/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 65536u

/* A file that is being read, up to one octet more than `most`: then it is too long. */
struct load {
	int fd;
	uint8_t *data;
	size_t length;
	size_t capacity;
	size_t most;
};

/* Makes room for all of a regular file, else for twice as much as before. */
static bool make_room(struct load *load)
{
	struct stat state;
	size_t wanted = load->capacity > 0 ? 2 * load->capacity : BLOCK;
	uint8_t *grown;

	if (load->capacity == 0 && fstat(load->fd, &state) == 0 && S_ISREG(state.st_mode) &&
	    state.st_size > 0)
		wanted = (uintmax_t)state.st_size < load->most ? (size_t)state.st_size + 1
							       : load->most + 1;
	if (wanted > load->most + 1)
		wanted = load->most + 1;
	grown = realloc(load->data, wanted);
	if (grown == NULL) {
		errno = ENOMEM;
		return false;
	}
	load->data = grown;
	load->capacity = wanted;
	return true;
}

/* False, with errno set, on an error. */
static bool read_all(struct load *load)
{
	while (load->length <= load->most) {
		ssize_t got;

		if (load->length == load->capacity && !make_room(load))
			return false;
		got = read(load->fd, load->data + load->length, load->capacity - load->length);
		if (got == 0)
			return true;
		if (got > 0)
			load->length += (size_t)got;
		else if (errno != EINTR)
			return false;
	}
	return true;
}

bool file_load(struct text *content, const char *name, size_t most, char *why, size_t size)
{
	bool standard = strcmp(name, "-") == 0;
	struct load load = {.most = most};
	bool good = false;

	load.fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	if (load.fd < 0)
		(void)snprintf(why, size, "cannot open '%s': %s", name, strerror(errno));
	else if (!read_all(&load))
		(void)snprintf(why, size, "cannot read '%s': %s", name, strerror(errno));
	else
		good = load.length <= most;
	if (load.fd >= 0 && !standard)
		(void)close(load.fd);
	if (!good && load.length > most) {
		(void)snprintf(why, size, "'%s' is longer than %lu octets", name,
			       (unsigned long)most);
		errno = EFBIG;
	}
	if (!good) {
		free(load.data);
		return false;
	}
	*content = (struct text){load.data, load.length};
	return true;
}
