/* SPDX-License-Identifier: Apache-2.0 */
/* Reads whole files up to a limit, and checks their octets. */
#include "policyfile/source.h"
#include "common/load.h"
#include "common/text/octets.h"
#include "common/utf8.h"
#include "policyfile/compiled.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 65536u

/* ---- Files ---------------------------------------------------------------------- */

/* Number of octets that suffice to recognise a compiled policy. */
#define BEGINNING 256u

static bool read_beginning(struct load *load, int fd, enum source_kind kind)
{
	if (!urivet_loader_resize(load, BLOCK) ||
	    !urivet_loader_fill(load, urivet_loader_descriptor, &fd, BEGINNING))
		return false;
	if (kind != SOURCE_INCLUDED && urivet_loader_is_compiled(load->data, load->length))
		load->most = COMPILED_MOST;
	return true;
}

/* Checks the type and size of an open file, then reads it. Only the beginning of an oversized file
 * is read. */
static bool read_opened(struct load *load, int fd, enum source_kind kind, const char **what)
{
	struct stat state;
	bool regular;

	if (fstat(fd, &state) != 0)
		return false;
	regular = S_ISREG(state.st_mode);
	if (S_ISDIR(state.st_mode)) {
		errno = EISDIR;
		return false;
	}
	if (!regular && kind != SOURCE_FIRST) {
		*what = "is no regular file";
		return false;
	}
	if (!read_beginning(load, fd, kind))
		return false;
	if (regular && state.st_size > 0 && (uintmax_t)state.st_size > load->most) {
		errno = EFBIG;
		return false;
	}
	if (regular && (size_t)state.st_size + 1 > load->capacity &&
	    !urivet_loader_resize(load, (size_t)state.st_size + 1))
		return false;
	if (!urivet_loader_fill(load, urivet_loader_descriptor, &fd, load->most + 1))
		return false;
	if (load->length == 0 && S_ISFIFO(state.st_mode) && fd != STDIN_FILENO)
		*what = "is a pipe that nobody writes to";
	errno = EFBIG;
	return *what == NULL && load->length <= load->most;
}

static void explain(char *why, size_t size, const char *path, int fd, size_t most, const char *what)
{
	if (fd < 0)
		(void)snprintf(why, size, "cannot open '%.900s': %s", path, strerror(errno));
	else if (what != NULL)
		(void)snprintf(why, size, "'%.900s' %s", path, what);
	else if (errno == EFBIG)
		(void)snprintf(why, size, "'%.900s' is longer than %lu octets", path,
			       (unsigned long)most);
	else
		(void)snprintf(why, size, "cannot read '%.900s': %s", path, strerror(errno));
}

bool urivet_loader_read(uint8_t **data, size_t *length, const char *path, enum source_kind kind,
			size_t most, char *why, size_t size)
{
	const bool standard = strcmp(path, "-") == 0;
	/* O_NONBLOCK: opening a pipe does not wait for a writer */
	const int fd =
	    standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct load load = {.most = most};
	const char *what = NULL;
	const bool good = fd >= 0 && read_opened(&load, fd, kind, &what);
	const int error = what != NULL ? 0 : errno;

	if (!good)
		explain(why, size, path, fd, load.most, what);
	if (fd >= 0 && !standard)
		(void)close(fd);
	if (!good) {
		free(load.data);
		errno = error;
		return false;
	}
	*data = load.data;
	*length = load.length;
	return true;
}

struct identity urivet_loader_identity(const char *path)
{
	struct identity self = {0};
	struct stat state;

	if (strcmp(path, "-") != 0 && stat(path, &state) == 0)
		self = (struct identity){(uint64_t)state.st_dev, (uint64_t)state.st_ino, true};
	return self;
}

/* ---- Octets --------------------------------------------------------------------- */

/* State of the check. */
struct look {
	const struct source *source;
	struct problems *problems;
	size_t i;
	size_t line_start;
	uint32_t line;
	size_t blanks; /* length of the current run of white space */
};

static bool fail(const struct look *look, const char *format, unsigned number)
{
	const struct place at = {.file = look->source->file,
				 .line = look->line,
				 .column = (uint32_t)(look->i - look->line_start) + 1};

	/* the formats are literals below */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	return urivet_loader_problem(look->problems, at, format, number);
#pragma GCC diagnostic pop
}

static bool check_control(const struct look *look, uint8_t octet)
{
	const uint8_t *data = look->source->data;

	if (octet == '\0')
		return fail(look, "a NUL: this is no text", 0);
	if (octet == '\t' || octet == '\n' ||
	    (octet == '\r' && look->i + 1 < look->source->length && data[look->i + 1] == '\n'))
		return true;
	if (octet == '\r')
		return fail(look,
			    "a carriage return without a line feed after it, which ends a line for "
			    "YAML and for few editors",
			    0);
	return fail(look, "control 0x%02X: in double quotes YAML writes it \"\\x..\"", octet);
}

static bool check_character(const struct look *look, uint32_t character)
{
	if (character == 0x85 || character == 0x2028 || character == 0x2029)
		return fail(look, "U+%04X, which ends a line for YAML and for few editors",
			    character);
	if (character == 0xFEFF)
		return fail(look, "U+%04X, a byte order mark: save the file without one",
			    character);
	if (character < 0xA0 || character == 0xFFFE || character == 0xFFFF)
		return fail(look, "U+%04X, which is no character of a text", character);
	return true;
}

/* Checks one character and advances. */
static bool check_one(struct look *look, bool *ascii)
{
	const uint8_t *at = look->source->data + look->i;
	uint32_t character = *at;
	size_t length = 1;

	look->blanks = is_one_of(*at, " \t\n\r") ? look->blanks + 1 : 0;
	if (look->blanks > BLANK_MOST)
		return fail(look, "more than %u octets of white space in a row", BLANK_MOST);
	if ((*at < 0x20 || *at == 0x7F) && !check_control(look, *at))
		return false;
	if (*at == '%' && look->i == look->line_start)
		return fail(
		    look,
		    "a line that begins with \"%%\" is a directive to YAML: a policy file has "
		    "none",
		    0);
	if (*at >= 0x80) {
		*ascii = false;
		length = urivet_loader_utf8(at, look->source->length - look->i, &character);
		if (length == 0)
			return fail(look, "octet 0x%02X, which is no UTF-8 here", *at);
		if (!check_character(look, character))
			return false;
	}
	look->i += length;
	if (*at == '\n') {
		look->line++;
		look->line_start = look->i;
	}
	return true;
}

bool urivet_loader_check_octets(struct source *source, struct problems *problems)
{
	struct look look = {.source = source, .problems = problems, .line = 1};
	const uint8_t *data = source->data;

	source->ascii = true;
	if (source->length >= 2 &&
	    ((data[0] == 0xFF && data[1] == 0xFE) || (data[0] == 0xFE && data[1] == 0xFF)))
		return fail(&look, "UTF-%u: save the file as UTF-8",
			    source->length >= 4 && data[2] == 0 && data[3] == 0 ? 32 : 16);
	while (look.i < source->length) {
		if (!check_one(&look, &source->ascii))
			return false;
	}
	source->end = (struct place){.file = source->file, .line = look.line};
	source->end.column = (uint32_t)(look.i - look.line_start) + 1;
	return true;
}
