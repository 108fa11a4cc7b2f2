/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of Criterion that tests/core/unit uses, for where Criterion is not: under
 * MemorySanitizer, for other machines, in a program that mutates the core. All
 * tests run in one process. What Criterion has beyond this does not compile.
 */
#ifndef STANDALONE_CRITERION_H
#define STANDALONE_CRITERION_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The options of TestSuite() and Test() that are there. */
struct standalone_options {
	unsigned timeout; /* seconds; a test that takes longer ends the run */
};

struct standalone_test {
	const char *suite, *name;
	void (*run)(void);
	struct standalone_options options;
	const struct standalone_options *of_suite;
	struct standalone_test *next;
};

/* Called before main(), by each test. */
void standalone_add(struct standalone_test *test);

/* For programs with a main() of their own: all tests, and one run of one, which
 * returns how many assertions failed. A run that stops leaves at the first. */
extern struct standalone_test *standalone_tests;
extern bool standalone_stops, standalone_quiet;
unsigned long standalone_run(const struct standalone_test *test);

/* How the macros count and fail. */
extern unsigned long standalone_assertions;
__attribute__((format(printf, 5, 6))) void
standalone_fail(bool leave, const char *file, int line, const char *text, const char *format, ...);

#define TestSuite(suite_, ...)                                                                     \
	static const struct standalone_options suite_##_options = {__VA_ARGS__}

#define Test(suite_, name_, ...)                                                                   \
	static void suite_##_##name_##_run(void);                                                  \
	__attribute__((constructor)) static void suite_##_##name_##_add(void)                      \
	{                                                                                          \
		static struct standalone_test test = {                                             \
		    #suite_,           #name_, suite_##_##name_##_run, {__VA_ARGS__},              \
		    &suite_##_options, NULL};                                                      \
		standalone_add(&test);                                                             \
	}                                                                                          \
	static void suite_##_##name_##_run(void)

/* A message may follow: its format is a literal, "" before it stands for none. */
#define STANDALONE_CHECK(leave, ok, text, ...)                                                     \
	do {                                                                                       \
		standalone_assertions++;                                                           \
		if (!(ok))                                                                         \
			standalone_fail(leave, __FILE__, __LINE__, text, "" __VA_ARGS__);          \
	} while (0)

#define cr_expect(ok, ...)      STANDALONE_CHECK(false, ok, #ok, __VA_ARGS__)
#define cr_assert(ok, ...)      STANDALONE_CHECK(true, ok, #ok, __VA_ARGS__)
#define cr_assert_fail(...)     STANDALONE_CHECK(true, false, "fail", __VA_ARGS__)
#define cr_expect_eq(a, b, ...) STANDALONE_CHECK(false, (a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_assert_eq(a, b, ...) STANDALONE_CHECK(true, (a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)                                                                \
	STANDALONE_CHECK(false, strcmp(a, b) == 0, #a " is " #b, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...)                                                                \
	STANDALONE_CHECK(true, strcmp(a, b) == 0, #a " is " #b, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...)                                                          \
	STANDALONE_CHECK(false, memcmp(a, b, size) == 0, #a " is " #b, __VA_ARGS__)

#endif
