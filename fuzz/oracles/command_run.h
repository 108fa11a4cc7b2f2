/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the command in this process. Its files are in memory, and a run leaves no state behind. */
#ifndef COMMAND_RUN_H
#define COMMAND_RUN_H

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text/octets.h"

#include "oracles.h"

/* The command itself, as a function. */
#define main urivet_main
int urivet_main(int argc, char **argv);
#include "cli/main.c"
#undef main

/* Descriptors of files in memory. The command opens each by its number. */
enum {
	FILE_IN = 60, /* also standard input */
	FILE_OUT,
	FILE_ERR,
	FILE_REJECTS,
	FILE_ASIDE, /* policy, redirects, HTML */
	FILE_AFTER,
	KEPT_IN = FILE_AFTER, /* saved copies of descriptors 0, 1 and 2 */
	KEPT_OUT,
	KEPT_ERR
};

#define NAME_IN      "/dev/fd/60"
#define NAME_REJECTS "/dev/fd/63"
#define NAME_ASIDE   "/dev/fd/64"

/* The most octets that a run writes: the mapping of a file shows what is written to it. */
#define WRITTEN_MOST ((size_t)1 << 26)

struct run {
	int status;
	struct octets out, err, rejects;
};

static uint8_t *mapped[FILE_AFTER - FILE_IN];

static void set_up(bool holds)
{
	if (holds)
		return;
	perror("the harness cannot be set up");
	_exit(2);
}

/* Sanitizer reports must not go to the descriptor of the command's messages. */
#if defined(__GNUC__)
extern void __sanitizer_set_report_fd(void *fd) __attribute__((weak));
static void report_to(int fd)
{
	if (__sanitizer_set_report_fd != NULL)
		__sanitizer_set_report_fd((void *)(intptr_t)fd);
}
#endif

static void open_file(int number)
{
	const int fd = memfd_create("fuzz_command", MFD_CLOEXEC);
	set_up(fd >= 0 && dup2(fd, number) == number && close(fd) == 0);
	set_up(ftruncate(number, (off_t)WRITTEN_MOST) == 0);
	mapped[number - FILE_IN] =
	    mmap(NULL, WRITTEN_MOST, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
	set_up(mapped[number - FILE_IN] != MAP_FAILED);
}

static void open_files(void)
{
	static bool opened;
	if (opened)
		return;
	for (int number = FILE_IN; number < FILE_AFTER; number++)
		open_file(number);
	for (int fd = 0; fd <= 2; fd++)
		set_up(dup2(fd, KEPT_IN + fd) >= 0 || fd == 0);
	report_to(KEPT_ERR);
	opened = true;
}

/* Fills a file that the command reads. */
static void fill_file(int number, struct octets content)
{
	set_up(ftruncate(number, (off_t)content.length) == 0);
	if (content.length > 0)
		memcpy(mapped[number - FILE_IN], content.data, content.length);
}

static struct octets written(int number, off_t length)
{
	set_up(length >= 0 && (size_t)length <= WRITTEN_MOST);
	return (struct octets){mapped[number - FILE_IN], (size_t)length};
}

/* Returns the lowest unused descriptor. */
static int lowest_free(void)
{
	const int fd = dup(FILE_IN);
	set_up(fd >= 0 && close(fd) == 0);
	return fd;
}

static void give_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		set_up(lseek(FILE_IN + fd, 0, SEEK_SET) == 0);
		set_up(dup2(FILE_IN + fd, fd) == fd);
	}
}

static void take_standard_streams(void)
{
	(void)fflush(NULL);
	for (int fd = 0; fd <= 2; fd++)
		if (dup2(KEPT_IN + fd, fd) != fd) /* it was not open */
			(void)close(fd);
}

/* Closes the files that the command leaves open when it ends. */
static void close_what_is_left(int least)
{
	for (int fd = lowest_free(); fd > least;)
		(void)close(--fd);
}

/* Runs the command. Its standard input is the content of FILE_IN. Its output is valid until the
 * next run. */
static void run_command(struct run *run, int argc, char **argv)
{
	struct stat rejects;
	int least;
	open_files();
	least = lowest_free();
	set_up(ftruncate(FILE_REJECTS, 0) == 0);
	give_standard_streams();
	run->status = urivet_main(argc, argv);
	take_standard_streams();
	close_what_is_left(least);
	run->out = written(FILE_OUT, lseek(FILE_OUT, 0, SEEK_CUR));
	run->err = written(FILE_ERR, lseek(FILE_ERR, 0, SEEK_CUR));
	set_up(fstat(FILE_REJECTS, &rejects) == 0);
	run->rejects = written(FILE_REJECTS, rejects.st_size);
}

#endif
