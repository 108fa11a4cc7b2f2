/* SPDX-License-Identifier: Apache-2.0 */
/* Fails one allocation of a program, for LD_PRELOAD: the one with the number in FAILING_ALLOCATION, from
 * 1, and all after it if FAILING_REST is set. The number of allocations is written to the file FAILING_COUNT. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long counted, failing;
static int fails_rest;
static const char *count_to;

/* What dlsym(3) itself allocates, before the functions are known. */
static char early[65536];
static size_t early_used;

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);

static void find(void *to, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(to, &found, sizeof found);
}

__attribute__((constructor)) static void begin(void)
{
	const char *number = getenv("FAILING_ALLOCATION");

	find(&real_calloc, "calloc");
	find(&real_realloc, "realloc");
	find(&real_free, "free");
	find(&real_malloc, "malloc");
	count_to = getenv("FAILING_COUNT");
	fails_rest = getenv("FAILING_REST") != NULL;
	failing = number != NULL ? strtoul(number, NULL, 10) : 0;
	counted = 0;
}

__attribute__((destructor)) static void end(void)
{
	char text[32];
	const int fd = count_to != NULL ? open(count_to, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
	const int length = snprintf(text, sizeof text, "%lu\n", counted);

	if (fd >= 0 && write(fd, text, (size_t)length) == length)
		(void)close(fd);
}

static int is_failing(void)
{
	const unsigned long number = __atomic_add_fetch(&counted, 1, __ATOMIC_RELAXED);

	if (failing == 0 || (fails_rest ? number < failing : number != failing))
		return 0;
	errno = ENOMEM;
	return 1;
}

static void *take_early(size_t size)
{
	void *taken = early + early_used;

	early_used += (size + 15) & ~(size_t)15;
	return early_used <= sizeof early ? taken : NULL;
}

#pragma GCC visibility push(default)

void *malloc(size_t size)
{
	if (real_malloc == NULL)
		return take_early(size);
	return is_failing() ? NULL : real_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	if (real_malloc == NULL)
		return take_early(count * size);
	return is_failing() ? NULL : real_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	if (real_malloc == NULL)
		return take_early(size);
	return is_failing() ? NULL : real_realloc(old, size);
}

void free(void *old)
{
	if ((char *)old < early || (char *)old >= early + sizeof early)
		real_free(old);
}
