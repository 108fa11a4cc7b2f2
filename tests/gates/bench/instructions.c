/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges what guard.sh counts the instructions of: instructions [--slower] <FILE. A line is NAME,
 * WHAT and URL, with tabs between; lines of the same NAME and WHAT, one after another, are a
 * group, which is judged a thousand times in all. Each group calls mark() three times: before
 * judging nothing, between that and judging, and after it, so that callgrind, which is asked to write its
 * counts after mark(), writes what the loops cost without and with judging. --slower is the
 * control: what is judged is judged an eighth oftener.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urivet.h>

#include "../../built_in.h"

enum { TIMES = 1000, MOST = 2000 };

struct line {
	const char *name, *what, *url;
	size_t length;
};

static struct urivet_report report;
static struct line lines[MOST];
static size_t count;

static bool ok(const char *url, size_t length)
{
	return urivet_ok(url, length);
}

static bool check(const char *url, size_t length)
{
	return urivet_check(&report, url, length, NULL) == URIVET_ACCEPT;
}

static bool check_public(const char *url, size_t length)
{
	return urivet_check(&report, url, length, BY_PUBLIC) == URIVET_ACCEPT;
}

static bool parse(const char *url, size_t length)
{
	return urivet_parse(&report.uri, url, length, NULL);
}

static bool none(const char *url, size_t length)
{
	return url[length] != '\0';
}

static const struct {
	const char *name;
	bool (*judge)(const char *url, size_t length);
} all[] = {{"ok", ok}, {"check", check}, {"public", check_public}, {"parse", parse}};

static bool (*called(const char *what))(const char *, size_t)
{
	for (unsigned k = 0; k < sizeof all / sizeof all[0]; k++)
		if (strcmp(what, all[k].name) == 0)
			return all[k].judge;
	fprintf(stderr, "instructions: there is no %s\n", what);
	exit(2);
}

__attribute__((noinline)) void mark(void);
void mark(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) static unsigned judge(bool (*by)(const char *, size_t), size_t first,
						size_t end, size_t rounds)
{
	volatile unsigned accepted = 0;
	for (size_t n = 0; n < rounds; n++)
		for (size_t k = first; k < end; k++)
			accepted += by(lines[k].url, lines[k].length);
	return accepted;
}

static bool read_lines(void)
{
	static char text[1 << 20];
	char *at = text, *end = text + fread(text, 1, sizeof text - 1, stdin);
	for (char *stop; at < end && count < MOST; at = stop + 1) {
		char *what = strchr(at, '\t'), *url = what != NULL ? strchr(what + 1, '\t') : NULL;
		if (url == NULL || (stop = strchr(url, '\n')) == NULL)
			return false;
		*what = *url = *stop = '\0';
		lines[count++] = (struct line){at, what + 1, url + 1, (size_t)(stop - url - 1)};
	}
	return count > 0 && at == end;
}

int main(int argc, char **argv)
{
	const bool slower = argc == 2 && strcmp(argv[1], "--slower") == 0;
	if (!read_lines()) {
		fprintf(stderr, "instructions: the lines cannot be read\n");
		return 2;
	}
	for (size_t first = 0, end; first < count; first = end) {
		bool (*const by)(const char *, size_t) = called(lines[first].what);
		for (end = first + 1; end < count; end++)
			if (strcmp(lines[end].name, lines[first].name) != 0 ||
			    strcmp(lines[end].what, lines[first].what) != 0)
				break;
		const size_t rounds = TIMES / (end - first);
		judge(by, first, end, 1); /* looks the processor up */
		mark();
		judge(none, first, end, rounds);
		mark();
		judge(by, first, end, slower ? rounds + rounds / 8 : rounds);
		mark();
	}
	return 0;
}
