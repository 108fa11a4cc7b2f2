/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the file that is scanned, decompressed in the same way as --input. */
#include "cli/records/file.h"
#include "cli/scan/scan.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define BLOCK 65536u

static void close_file(int fd)
{
	if (fd != STDIN_FILENO)
		(void)close(fd);
}

int scan_open(struct scanner *scanner, const char *name)
{
	int fd = is_standard_input(name) ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		scanner->trouble = !complain("cannot open '%s': %s", name, strerror(errno));
		return -1;
	}
	if (!scanner->worker.showing->quiet && is_same_file(fd, STDOUT_FILENO)) {
		scanner->trouble = !complain("'%s' is both input and output", name);
		close_file(fd);
		return -1;
	}
	scanner->source.fd = fd;
	scanner->firsts = 0;
	scanner->html_budget = (struct html_budget){0};
	return fd;
}

/* ---- Reading in parts ------------------------------------------------------------------- */

/* Keeps the first octets of standard input that is not decompressed, for a hint about its
 * format. */
static void keep_first(struct scanner *scanner, const uint8_t *octets, size_t length)
{
	const size_t room = sizeof scanner->first - scanner->firsts;

	if (scanner->source.fd != STDIN_FILENO || scanner->source.looks)
		return;
	if (length > room)
		length = room;
	memcpy(scanner->first + scanner->firsts, octets, length);
	scanner->firsts += length;
}

bool scan_is_text(struct scanner *scanner, int fd)
{
	uint8_t start[PACKING_MOST];
	const ssize_t got = pread(fd, start, sizeof start, 0);
	const size_t length = got > 0 ? (size_t)got : 0;

	keep_first(scanner, start, length);
	return (fd == STDIN_FILENO && !scanner->source.looks) ||
	       packing_of_file((struct octets){start, length}, false) == NULL;
}

void scan_begin(struct scanner *scanner, int fd, const char *name)
{
	source_take(&scanner->source, fd, name);
}

ssize_t scan_read(void *context, uint8_t *to, size_t size)
{
	struct scanner *scanner = context;
	const size_t got = source_read(&scanner->source, to, size);

	keep_first(scanner, to, got);
	return (ssize_t)got;
}

void scan_end(struct scanner *scanner)
{
	hint_at_packing("<stdin>", (struct octets){scanner->first, scanner->firsts});
	scanner->trouble = scanner->trouble || scanner->source.failed;
	source_close(&scanner->source);
}

/* ---- Reading a whole file --------------------------------------------------------------- */

bool scan_load(struct scanner *scanner, struct octets *content, size_t most)
{
	if (load_all(content, scan_read, scanner, BLOCK, most))
		return true;
	return complain("%s", strerror(errno));
}
