/* SPDX-License-Identifier: Apache-2.0 */
/* Finds mail files: messages, mailboxes and Maildir folders. */
#include "cli/scan/scan.h"

#ifndef HAVE_GMIME

bool scan_mail_is_built(void)
{
	return complain(
	    "this build reads no mail: install the Debian package libgmime-3.0-dev and build "
	    "again");
}

void scan_mail_file(struct scanner *scanner, const char *name)
{
	(void)name;
	scanner->trouble = !scan_mail_is_built();
}

#else
#include "cli/scan/mailbox.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool scan_mail_is_built(void)
{
	return mail_library_open();
}

/* ---- Files ------------------------------------------------------------------------------- */

/* Maximum octets of a copy: the temporary folder is shared, and compressed mail may be a bomb. */
#define COPY_MOST  ((uint64_t)4 << 30)
#define COPY_FREE  ((uint64_t)16 << 20) /* beyond these, at most COPY_RATIO for each octet read */
#define COPY_RATIO 100u

/* Returns true if so many octets are more than a copy of the input may have. */
static bool is_too_long(const struct scanner *scanner, uint64_t octets)
{
	return octets > COPY_MOST || octets > COPY_FREE + COPY_RATIO * scanner->source.octets;
}

/* Reports why a file or folder cannot be read. */
static void fail(struct scanner *scanner, const char *name)
{
	scanner->trouble = !complain("cannot read '%s': %s", name, strerror(errno));
}

/* Copies an input that cannot be read twice to a temporary file. Reports errors, and then returns
 * NULL. */
static FILE *copy_of(struct scanner *scanner, const char *name)
{
	uint8_t block[65536];
	FILE *copy = tmpfile();
	bool is_long = false, is_written = copy != NULL;
	uint64_t octets = 0;
	ssize_t got;

	while (is_written && !is_long && (got = scan_read(scanner, block, sizeof block)) != 0) {
		octets += (uint64_t)got;
		is_long = is_too_long(scanner, octets);
		is_written = fwrite(block, 1, (size_t)got, copy) == (size_t)got;
	}
	if (is_written && !is_long && fflush(copy) == 0)
		return copy;
	if (is_long)
		scanner->trouble = !complain("'%s' is longer than 4 GiB, or compressed more than "
					     "a hundredfold",
					     name);
	else
		fail(scanner, name);
	if (copy != NULL)
		(void)fclose(copy);
	return NULL;
}

static void read_copy(struct scanner *scanner, const char *name)
{
	FILE *copy = copy_of(scanner, name);

	if (copy == NULL)
		return;
	mail_read(scanner, fileno(copy), name);
	(void)fclose(copy);
}

/* ---- Maildir ------------------------------------------------------------------------------- */

static int is_message(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Scans a message of a Maildir, which is a regular file: reading a pipe would wait for a writer. */
static void read_message(struct scanner *scanner, const char *path)
{
	struct stat state;

	if (stat(path, &state) == 0 && !S_ISREG(state.st_mode))
		scanner->trouble = !complain("'%s' is no regular file", path);
	else
		scan_mail_file(scanner, path);
}

/* Reads the messages in new/ or cur/, sorted by name. Returns false if there is no such folder. */
static bool read_folder(struct scanner *scanner, const char *name, const char *below)
{
	char path[4096];
	struct dirent **entry;
	int entries;
	int length = snprintf(path, sizeof path, "%s/%s", name, below);

	if (length < 0 || (size_t)length >= sizeof path)
		return false;
	entries = scandir(path, &entry, is_message, alphasort);
	if (entries < 0 && (errno == ENOENT || errno == ENOTDIR))
		return false;
	if (entries < 0) {
		fail(scanner, path);
		return true;
	}
	for (int i = 0; i < entries; i++) {
		(void)snprintf(path + length, sizeof path - (size_t)length, "/%s",
			       entry[i]->d_name);
		free(entry[i]);
		if (scanner->worker.out.error == 0)
			read_message(scanner, path);
	}
	free(entry);
	return true;
}

static void read_maildir(struct scanner *scanner, const char *name)
{
	bool has_current = read_folder(scanner, name, "cur");

	if (!read_folder(scanner, name, "new") && !has_current)
		scanner->trouble = !complain(
		    "'%s' is a directory and no Maildir: it has neither cur nor new", name);
}

static bool is_folder(const char *name)
{
	struct stat state;

	return !is_standard_input(name) && stat(name, &state) == 0 && S_ISDIR(state.st_mode);
}

/* Returns true if the descriptor is a regular file at its start. */
static bool is_seekable(int fd)
{
	struct stat state;

	return fstat(fd, &state) == 0 && S_ISREG(state.st_mode) && lseek(fd, 0, SEEK_CUR) == 0;
}

/* Reads a file. Compressed input, or input that cannot be read twice, is copied first. */
static void read_file(struct scanner *scanner, int fd, const char *name)
{
	if (is_seekable(fd) && scan_is_text(scanner, fd)) {
		mail_read(scanner, fd, name);
		return;
	}
	scan_begin(scanner, fd, name);
	if (!scanner->source.torn)
		read_copy(scanner, name);
}

void scan_mail_file(struct scanner *scanner, const char *name)
{
	int fd;

	if (is_folder(name)) {
		read_maildir(scanner, name);
		return;
	}
	fd = scan_open(scanner, name);
	if (fd < 0)
		return;
	read_file(scanner, fd, name);
	scan_end(scanner);
}

#endif
