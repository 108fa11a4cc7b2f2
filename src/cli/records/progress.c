/* SPDX-License-Identifier: Apache-2.0 */
/* One line on standard error, redrawn twice a second. */
#include "cli/records/progress.h"
#include "common/text/output.h"
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define INTERVAL 0.5

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

/* Returns the octets of a regular file that are left to read; 0 if it is empty or not regular. */
static uint64_t octets_of(const char *name)
{
	const bool standard = is_standard_input(name);
	struct stat file;
	off_t at;

	if ((standard ? fstat(STDIN_FILENO, &file) : stat(name, &file)) != 0 ||
	    !S_ISREG(file.st_mode))
		return 0;
	at = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
	return at >= 0 && file.st_size > at ? (uint64_t)(file.st_size - at) : 0;
}

void progress_start(struct progress *progress, const struct read_options *options,
		    const struct source *source)
{
	bool known = true;

	*progress = (struct progress){0};
	for (size_t i = 0; i < source->files; i++) {
		const uint64_t octets = octets_of(source->file[i]);

		known = known && octets > 0;
		progress->size += octets;
	}
	if (!known)
		progress->size = 0;
	progress->on = options->progress == PROGRESS_ON || (options->progress == PROGRESS_DEFAULT &&
							    known && isatty(STDERR_FILENO) == 1);
	progress->shares_terminal =
	    isatty(STDOUT_FILENO) == 1 ||
	    (options->rejects != NULL && strcmp(options->rejects, "-") == 0);
	(void)clock_gettime(CLOCK_MONOTONIC, &progress->start);
	progress->last = progress->start;
}

static void draw(struct progress *progress, const char *line, size_t length)
{
	char drawn[256];
	size_t columns = length > progress->shown ? length : progress->shown;
	int size =
	    snprintf(drawn, sizeof drawn, "\r%-*s%s", (int)columns, line, length == 0 ? "\r" : "");

	/* Write errors are ignored: the counts are not essential. */
	if (size > 0 && output_now(STDERR_FILENO, drawn, (size_t)size) == 0)
		progress->shown = length;
}

/* Writes "2000000 records, 812000/s, 1990000 accepted, 10000 refused". */
static int describe(char *line, size_t size, const struct tally *tally, double seconds)
{
	return snprintf(line, size, "%llu records, %.0f/s, %llu accepted, %llu refused",
			(unsigned long long)tally->records,
			seconds > 0 ? (double)tally->records / seconds : 0.0,
			(unsigned long long)tally->accepted,
			(unsigned long long)(tally->records - tally->accepted));
}

void progress_tick(struct progress *progress, const struct tally *tally, uint64_t octets)
{
	struct timespec now;
	char line[200];
	int length;

	if (!progress->on || clock_gettime(CLOCK_MONOTONIC, &now) != 0 ||
	    seconds_between(&progress->last, &now) < INTERVAL)
		return;
	progress->last = now;
	length = describe(line, sizeof line, tally, seconds_between(&progress->start, &now));
	if (progress->size > 0 && length > 0)
		length += snprintf(line + length, sizeof line - (size_t)length, ", %d %%",
				   (int)(100.0 * (double)octets / (double)progress->size));
	draw(progress, line, length > 0 ? (size_t)length : 0);
}

void progress_clear(struct progress *progress)
{
	if (progress->shown > 0)
		draw(progress, "", 0);
}

void progress_make_way(struct progress *progress)
{
	if (progress->shares_terminal)
		progress_clear(progress);
}

void progress_end(struct progress *progress, const struct tally *tally)
{
	struct timespec now;
	char line[200];

	progress_clear(progress);
	if (!progress->on || clock_gettime(CLOCK_MONOTONIC, &now) != 0 ||
	    describe(line, sizeof line, tally, seconds_between(&progress->start, &now)) < 0)
		return;
	complain("%s", line);
}
