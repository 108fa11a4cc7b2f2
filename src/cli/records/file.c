/* SPDX-License-Identifier: Apache-2.0 */
/* Reads whole files, up to a limit. */
#include "cli/records/file.h"
#include "common/text/output.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 65536u

bool load_all(struct octets *content, load_reader *reader, void *context, size_t room, size_t most)
{
	struct load load = {.most = most};
	if (!urivet_loader_resize(&load, room) ||
	    !urivet_loader_fill(&load, reader, context, most + 1)) {
		free(load.data);
		return false;
	}
	*content = text_at(load.data, load.length);
	return true;
}

/* Returns the initial buffer size: enough for all of a regular file, up to the limit. */
static size_t room_for(int fd, size_t most)
{
	struct stat state;
	if (fstat(fd, &state) != 0 || !S_ISREG(state.st_mode) || state.st_size <= 0)
		return BLOCK;
	return (uintmax_t)state.st_size < most ? (size_t)state.st_size + 1 : most + 1;
}

bool file_load(struct octets *content, const char *name, size_t most)
{
	bool standard = strcmp(name, "-") == 0;
	int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	bool good = false;

	*content = (struct octets){0};
	if (fd < 0)
		complain("cannot open '%s': %s", name, strerror(errno));
	else if (!load_all(content, urivet_loader_descriptor, &fd, room_for(fd, most), most))
		complain("cannot read '%s': %s", name, strerror(errno));
	else if (content->length > most)
		complain("'%s' is longer than %lu octets", name, (unsigned long)most);
	else
		good = true;
	if (fd >= 0 && !standard)
		(void)close(fd);
	if (!good) {
		free((void *)(uintptr_t)content->data);
		*content = (struct octets){0};
	}
	return good;
}
