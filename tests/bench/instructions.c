/* SPDX-License-Identifier: Apache-2.0 */
/* Judges one URL a thousand times: instructions WHAT URL. What it costs beyond a run
 * with WHAT "none" is what guard.sh records. */
#include <string.h>

#include <urivet.h>

#include "../built_in.h"

#define TIMES 1000

static struct urivet_report report;

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
} all[] = {
    {"ok", ok}, {"check", check}, {"public", check_public}, {"parse", parse}, {"none", none}};

int main(int argc, char **argv)
{
	volatile unsigned accepted = 0;
	for (unsigned k = 0; argc == 3 && k < sizeof all / sizeof all[0]; k++) {
		const size_t length = strlen(argv[2]);
		if (strcmp(argv[1], all[k].name) != 0)
			continue;
		for (unsigned n = 0; n < TIMES; n++)
			accepted += all[k].judge(argv[2], length);
		return 0;
	}
	return 2;
}
