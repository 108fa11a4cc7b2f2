/* SPDX-License-Identifier: Apache-2.0 */
/* One line on standard error, redrawn twice a second. */
#include "cli/records/progress.h"
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define INTERVAL 0.5

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

void progress_start(struct progress *progress, const struct options *options, int input)
{
	struct stat file;
	bool regular = fstat(input, &file) == 0 && S_ISREG(file.st_mode);
	off_t at = regular ? lseek(input, 0, SEEK_CUR) : 0;

	*progress = (struct progress){0};
	progress->on = options->progress == PROGRESS_ON || (options->progress == PROGRESS_UNSAID &&
							    regular && isatty(STDERR_FILENO) == 1);
	progress->shares_terminal =
	    isatty(STDOUT_FILENO) == 1 ||
	    (options->rejects != NULL && strcmp(options->rejects, "-") == 0);
	if (regular && at >= 0 && file.st_size > at)
		progress->size = (uint64_t)(file.st_size - at);
	(void)clock_gettime(CLOCK_MONOTONIC, &progress->start);
	progress->last = progress->start;
}

static void draw(struct progress *progress, const char *line, size_t length)
{
	char drawn[256];
	size_t columns = length > progress->shown ? length : progress->shown;
	int size =
	    snprintf(drawn, sizeof drawn, "\r%-*s%s", (int)columns, line, length == 0 ? "\r" : "");

	/* A failure to show the counts is ignored. */
	if (size > 0 && output_now(STDERR_FILENO, drawn, (size_t)size) == 0)
		progress->shown = length;
}

/* "2000000 records, 812000/s, 1990000 accepted, 10000 refused" */
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
