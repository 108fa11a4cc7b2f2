/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the readers without a fuzzer. Records, each ended by NUL, come from standard input.
 *
 *     readings --version    prints a line for each reader: its name and its version
 *     readings read         prints a line for each record and reader: the ten columns of fuzz/lab/zoo;
 *                           column 2 is "over-read" or "abort" if the call was abandoned
 *     readings minimise     prints each record, shorter and plainer, while the same readers differ in
 *                           the same way and strict has no new finding
 */
#include "outcome.h"
#include <stdlib.h>

static int versions(void)
{
	size_t count;
	const struct reader *reader = readers(&count);

	for (size_t i = 0; i < count; i++)
		printf("%s\t%s\n", reader[i].name, reader[i].version());
	return 0;
}

/* ---- Reading ---------------------------------------------------------------------------------- */

static void write_line(const struct reading *reading, void *context)
{
	FILE *line = context;

	write_reading(line, reading);
}

#define NO_COLUMNS "\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N"

static const char *const unread[] = {[FATE_REFUSED] = REFUSAL,
				     [FATE_OVER_READ] = "reject\tover-read\t" NO_COLUMNS,
				     [FATE_ABORT] = "reject\tabort\t" NO_COLUMNS};

/* Writes the line to memory first, because a call may be abandoned in the middle. */
static void read_record(const char *data, size_t length)
{
	size_t count;
	const struct reader *reader = readers(&count);

	for (size_t i = 0; i < count; i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *line = open_memstream(&text, &size);
		enum fate fate;

		if (line == NULL)
			abort();
		fate = read_by(&reader[i], data, length, write_line, line);
		fclose(line);
		puts(fate == FATE_READ ? text : unread[fate]);
		free(text);
	}
}

/* ---- Minimising -------------------------------------------------------------------------------- */

struct candidate {
	char data[LONGEST_RECORD];
	size_t length;
};

static bool takes(struct candidate *best, const struct candidate *tried,
		  const struct outcome *wanted)
{
	struct outcome outcome;

	outcome_of(&outcome, tried->data, tried->length);
	if (!outcome_holds(wanted, &outcome))
		return false;
	*best = *tried;
	return true;
}

static bool without(struct candidate *best, size_t size, const struct outcome *wanted)
{
	bool shorter = false;

	for (size_t at = 0; at + size <= best->length;) {
		struct candidate tried = *best;

		tried.length -= size;
		memmove(tried.data + at, best->data + at + size, best->length - at - size);
		if (takes(best, &tried, wanted))
			shorter = true;
		else
			at++;
	}
	return shorter;
}

/* Replaces letters by a, digits by 1, and other octets by either, if the outcome stays the same. */
static bool plainer(struct candidate *best, const struct outcome *wanted)
{
	bool changed = false;

	for (size_t at = 0; at < best->length; at++) {
		const char octet = best->data[at];
		struct candidate tried = *best;

		if (octet == 'a' || octet == '1' || octet == '/' || octet == ':')
			continue;
		tried.data[at] = octet >= '0' && octet <= '9' ? '1' : 'a';
		changed |= takes(best, &tried, wanted);
	}
	return changed;
}

static void minimise(struct candidate *best)
{
	struct outcome wanted;
	bool changed = true;

	outcome_of(&wanted, best->data, best->length);
	for (int round = 0; changed && round < 8; round++) {
		changed = false;
		for (size_t size = 64; size >= 1; size /= 2)
			changed |= without(best, size, &wanted);
		changed |= plainer(best, &wanted);
	}
}

static void minimise_record(const char *data, size_t length)
{
	static struct candidate best;

	memcpy(best.data, data, length);
	best.length = length;
	minimise(&best);
	fwrite(best.data, 1, best.length, stdout);
	putchar('\0');
}

/* ---- The program ------------------------------------------------------------------------------ */

/* Answers each record before reading the next, so that the caller knows which record ended the
 * process. */
static int for_each(void (*answer)(const char *data, size_t length))
{
	char *text = NULL;
	size_t size = 0;
	ssize_t got;

	while ((got = getdelim(&text, &size, '\0', stdin)) >= 0) {
		size_t length = (size_t)got;

		if (length > 0 && text[length - 1] == '\0')
			length--;
		if (length > LONGEST_RECORD) {
			fputs("differential: a record is too long\n", stderr);
			return 2;
		}
		answer(text, length);
		fflush(stdout);
	}
	free(text);
	return ferror(stdout) ? 2 : 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		return versions();
	if (argc == 2 && strcmp(argv[1], "read") == 0)
		return for_each(read_record);
	if (argc == 2 && strcmp(argv[1], "minimise") == 0)
		return for_each(minimise_record);
	fputs("usage: readings --version|read|minimise\n", stderr);
	return 2;
}
