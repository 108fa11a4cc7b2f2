/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the tests of tests/core/unit in one process, without Criterion:
 * standalone [SUITE | SUITE/TEST]...
 *
 * Exits 1 when an assertion failed, when an argument names no test, and when
 * fewer than STANDALONE_LEAST tests ran, all of them being asked for. A hang
 * ends it by a signal; STANDALONE_SLOW multiplies the time that a test has.
 */
#include <criterion/criterion.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef STANDALONE_LEAST
#define STANDALONE_LEAST 1
#endif

struct standalone_test *standalone_tests;
unsigned long standalone_assertions;
bool standalone_stops, standalone_quiet;

static const struct standalone_test *running;
static unsigned long failures;
static jmp_buf left;

void standalone_add(struct standalone_test *test)
{
	struct standalone_test **at = &standalone_tests;
	while (*at != NULL)
		at = &(*at)->next;
	*at = test;
}

void standalone_fail(bool leave, const char *file, int line, const char *text, const char *format,
		     ...)
{
	failures++;
	if (!standalone_quiet) {
		va_list list;
		printf("%s:%d: %s/%s: %s: ", file, line, running->suite, running->name, text);
		va_start(list, format);
		vprintf(format, list);
		va_end(list);
		putchar('\n');
	}
	if (leave || standalone_stops)
		longjmp(left, 1);
}

unsigned long standalone_run(const struct standalone_test *test)
{
	failures = 0;
	running = test;
	if (setjmp(left) == 0)
		test->run();
	return failures;
}

#ifndef STANDALONE_NO_MAIN

static void too_long(int number)
{
	static const char text[] = "standalone: a test does not end\n";
	(void)number;
	(void)!write(STDERR_FILENO, text, sizeof text - 1);
	_exit(1);
}

static bool asked_for(const struct standalone_test *test, const char *filter)
{
	const size_t length = strlen(test->suite);
	return strncmp(filter, test->suite, length) == 0 &&
	       (filter[length] == '\0' ||
		(filter[length] == '/' && strcmp(filter + length + 1, test->name) == 0));
}

/* Runs what the filter asks for, everything if it is NULL; how many ran. */
static unsigned run(const char *filter, unsigned slow, unsigned long *failed)
{
	unsigned ran = 0;
	for (const struct standalone_test *t = standalone_tests; t != NULL; t = t->next) {
		if (filter != NULL && !asked_for(t, filter))
			continue;
		const unsigned timeout =
		    t->options.timeout > 0 ? t->options.timeout : t->of_suite->timeout;
		fflush(stdout);
		alarm(timeout * slow);
		*failed += standalone_run(t) > 0;
		alarm(0);
		ran++;
	}
	return ran;
}

int main(int argc, char **argv)
{
	const char *slow = getenv("STANDALONE_SLOW");
	const unsigned times = slow != NULL ? (unsigned)strtoul(slow, NULL, 10) : 1;
	unsigned long failed = 0;
	unsigned ran = 0;
	bool enough = true;
	signal(SIGALRM, too_long);
	for (int k = 1; k < argc; k++) {
		const unsigned more = run(argv[k], times, &failed);
		if (more == 0)
			printf("standalone: there is no test %s\n", argv[k]);
		enough = enough && more > 0;
		ran += more;
	}
	if (argc < 2) {
		ran = run(NULL, times, &failed);
		enough = ran >= STANDALONE_LEAST;
		if (!enough)
			printf("standalone: fewer than %d tests\n", STANDALONE_LEAST);
	}
	printf("standalone: %u tests, %lu assertions, %lu failed\n", ran, standalone_assertions,
	       failed);
	return failed == 0 && enough ? 0 : 1;
}

#endif
