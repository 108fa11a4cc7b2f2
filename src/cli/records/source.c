/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files, detects their format, and reads them. */
#include "cli/records/source.h"
#include "cli/records/packing.h"
#include "common/text/output.h"
#include "common/load.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

bool is_standard_input(const char *name)
{
	return strcmp(name, "-") == 0;
}

bool is_name_of(const char *name, const struct stat *file)
{
	struct stat named;

	return (is_standard_input(name) ? fstat(STDIN_FILENO, &named) : stat(name, &named)) == 0 &&
	       S_ISREG(file->st_mode) && named.st_dev == file->st_dev &&
	       named.st_ino == file->st_ino;
}

static bool check_file(const char *name)
{
	struct stat state;

	if (is_standard_input(name))
		return true;
	if (stat(name, &state) != 0)
		complain("cannot open '%s': %s", name, strerror(errno));
	else if (S_ISDIR(state.st_mode))
		complain("cannot read '%s': it is a directory", name);
	else
		return true;
	return false;
}

bool source_check(const struct source *source)
{
	bool good = true;

	for (size_t i = 0; i < source->files; i++)
		good = check_file(source->file[i]) && good;
	return good;
}

/* Stops reading this file, after an error that was reported. */
static void leave(struct source *source)
{
	source->ended = true;
	source->torn = true;
	source->failed = true;
	source->left.length = 0;
}

static void give_up(struct source *source, const char *why)
{
	complain("cannot read '%s': %s", source->name, why);
	leave(source);
}

/* ---- Reading octets -------------------------------------------------------------------- */

/* Reads once. Returns the number of octets, 0 at the end or after an error. */
static size_t read_once(struct source *source, uint8_t *to, size_t room)
{
	const ssize_t got = urivet_loader_descriptor(&source->fd, to, room);

	if (got < 0) {
		give_up(source, strerror(errno));
		return 0;
	}
	source->octets += (size_t)got;
	source->ended = got == 0;
	return (size_t)got;
}

bool source_is_ready(const struct source *source)
{
	struct pollfd state = {.fd = source->fd, .events = POLLIN};

	if (source->ended || source->left.length > 0 || (source->packed && source->unpacker.holds))
		return true;
	return poll(&state, 1, 0) > 0;
}

/* Reads compressed octets if none are left. */
static void refill(struct source *source)
{
	if (source->left.length > 0 || source->ended)
		return;
	source->left = text_at(source->raw, read_once(source, source->raw, sizeof source->raw));
}

/* ---- What it is --------------------------------------------------------------------------- */

/* Reads as many octets as are needed to detect the format. Does not wait for more than that, since
 * the writer of a pipe may wait for a reply. */
static void read_start(struct source *source)
{
	size_t held = 0;
	size_t got;

	do {
		got = read_once(source, source->raw + held, sizeof source->raw - held);
		held += got;
		source->left = text_at(source->raw, held);
	} while (got > 0 && packing_is_open(source->left));
}

static void unpack(struct source *source, const struct packing *packing)
{
	static bool (*const open_as[])(struct unpacker *) = {
	    [PACKED_GZIP] = unpack_gzip, [PACKED_ZSTD] = unpack_zstd};

	if (packing->kind == PACKED_OTHERWISE) {
		(void)is_unpacked(source->name, packing);
		leave(source);
		return;
	}
	source->packed = open_as[packing->kind](&source->unpacker);
	if (!source->packed)
		give_up(source, source->unpacker.why);
}

static void look_at_start(struct source *source)
{
	const struct packing *packing;

	read_start(source);
	packing = packing_of_file(source->left, source->nul_ends);
	if (source->torn)
		return;
	if (packing != NULL)
		unpack(source, packing);
}

/* ---- One after another -------------------------------------------------------------------- */

void source_close(struct source *source)
{
	if (source->packed)
		source->unpacker.close(&source->unpacker);
	if (source->fd > STDIN_FILENO)
		(void)close(source->fd);
	source->packed = false;
	source->fd = -1;
	source->left.length = 0;
}

void source_take(struct source *source, int fd, const char *name)
{
	source->name = name;
	source->ended = false;
	source->torn = false;
	source->fd = fd;
	if (fd < 0) {
		complain("cannot open '%s': %s", name, strerror(errno));
		leave(source);
	} else if (fd != STDIN_FILENO || source->looks) {
		look_at_start(source);
	}
}

bool source_next(struct source *source)
{
	const char *name;

	source_close(source);
	if (!source_has_next(source))
		return false;
	name = source->file[source->at++];
	if (is_standard_input(name))
		source_take(source, STDIN_FILENO, "<stdin>");
	else
		source_take(source, open(name, O_RDONLY | O_CLOEXEC), name);
	return true;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static size_t take_left(struct source *source, uint8_t *to, size_t room)
{
	const size_t taken = source->left.length < room ? source->left.length : room;

	memcpy(to, source->left.data, taken);
	source->left = text_after(source->left, taken);
	return taken;
}

/* Reads decompressed octets. `ended` refers to the compressed file, whose last octets are read
 * before they are decompressed. */
static size_t read_packed(struct source *source, uint8_t *to, size_t room)
{
	struct unpacker *unpacker = &source->unpacker;
	size_t got = 0;

	while (got == 0 && !source->torn) {
		refill(source);
		if (source->left.length == 0 && !unpacker->holds && source->ended)
			break;
		got = unpacker->run(unpacker, &source->left, to, room);
		if (unpacker->why != NULL)
			give_up(source, unpacker->why);
	}
	if (got == 0 && !source->torn && !unpacker->complete)
		give_up(source, "it is cut off: what it holds has no end");
	return got;
}

size_t source_read(struct source *source, uint8_t *to, size_t room)
{
	if (source->packed)
		return read_packed(source, to, room);
	if (source->left.length > 0)
		return take_left(source, to, room);
	return source->ended ? 0 : read_once(source, to, room);
}
