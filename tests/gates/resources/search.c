/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks for the shapes of inputs that cost the most an octet, by hill climbing: it changes a shape and
 * keeps what costs more, until nothing has helped for a while; then it starts from another shape.
 *
 *   search SEED SECONDS OPERATION...   by the clock: the least of several runs
 *   search SEED TRIALS OPERATION...    (built with -DEDGES) by edges of the control flow graph
 *
 * It prints, for each operation, rows of shapes.tsv with their cost. What the clock says
 * depends on the machine and on what else it does: beside it stands how many times as long as a
 * chain of multiplications an octet takes, measured in turns.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "operations.h"

static unsigned long state;
static unsigned below(size_t limit)
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (unsigned)((state >> 33) % limit);
}

/* ---- Cost ------------------------------------------------------------------------- */

#ifdef EDGES

/* The compiler calls this at every edge of the library. */
static unsigned long edges;
void __sanitizer_cov_trace_pc_guard(unsigned *guard);
void __sanitizer_cov_trace_pc_guard_init(unsigned *start, unsigned *stop);
__attribute__((no_sanitize("coverage"))) void __sanitizer_cov_trace_pc_guard(unsigned *guard)
{
	(void)guard;
	edges++;
}
void __sanitizer_cov_trace_pc_guard_init(unsigned *start, unsigned *stop)
{
	(void)start;
	(void)stop;
}

#define PATIENCE 2000
#define CLIMBS   8

static double once(const struct operation *o, struct input *in)
{
	const unsigned long before = edges;
	o->run(in);
	return (double)(edges - before);
}

static double reference(const struct input *in)
{
	return (double)in->length;
}

/* How much of the budget is gone: trials. */
static double spent(unsigned long trials)
{
	return (double)trials;
}

#else

#define PATIENCE 3000
#define CLIMBS   1000000

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double once(const struct operation *o, struct input *in)
{
	const double before = now();
	o->run(in);
	return now() - before;
}

/* So that no compiler leaves the multiplications out. */
extern unsigned long search_product;
unsigned long search_product;

/* Something that takes as long on every octet, whatever the library does. */
static double reference(const struct input *in)
{
	const double before = now();
	unsigned long product = 1;
	for (size_t k = 0; k < in->length; k++)
		product = product * 31 + (unsigned char)in->data[k];
	search_product = product;
	return now() - before;
}

/* How much of the budget is gone: seconds. */
static double spent(unsigned long trials)
{
	(void)trials;
	return now() / 1e9;
}

#endif

struct cost {
	double own, other; /* an octet: of the operation, and of the reference */
};

/* The least of so many runs. */
static struct cost cost(const struct operation *o, const struct shape *s, size_t length,
			unsigned times)
{
	struct input in = made(s, length);
	struct cost least = {1e18, 1e18};
	for (unsigned k = 0; k < times; k++) {
		const double own = once(o, &in), other = reference(&in);
		least.own = own < least.own ? own : least.own;
		least.other = other < least.other ? other : least.other;
	}
	least.own /= (double)in.length;
	least.other /= (double)in.length;
	if (in.length < length / 2)
		least.own = 0; /* there is no unit */
	unmade(&in);
	return least;
}

/* ---- Shapes ------------------------------------------------------------------------- */

static const char *const heads[] = {
    "",           "http://",  "http://h/", "http://h/?", "http://h/#",
    "http://u@",  "http://[", "x:",        "http://h:",  "http://xn--",
    "http://h/%", "//",       "ftp://h/",  "http://h?",  "http:\\\\"};
static const char *const words[] = {"a",       "/",        ".",
				    "..",      "%",        "25",
				    "%25",     "%2e",      "%C3%A9",
				    "%2F",     "@",        ":",
				    "1",       "0x",       "-",
				    "&",       "=",        "?",
				    "#",       ";",        " ",
				    "\t",      "\\",       "[",
				    "]",       "(",        ")",
				    "<",       ">",        "\"",
				    "xn--",    "\xc3\xa9", "\xf0\x9f\x92\xa9",
				    "http://", "www.",     "~",
				    "_",       "+",        "%41",
				    "%00",     "A",        "URL:",
				    "\x80",    "'",        "|",
				    "{",       "}",         "%0a",
				    "%5c",     "%f0",       "%3b",
				    "%c4%8a",  "%F0%9F%92%A9", "\xf0\x9f\x98",
				    "\xe2\x80\xae", "\xef\xbc\x8e", "//",
				    "/../",    ":1",        "a."};

#define ANY(list) list[below(sizeof list / sizeof list[0])]

/* Puts octets at a random place, if there is room: the new length. */
static size_t put(char *part, size_t length, size_t most, const char *octets, size_t count)
{
	const size_t at = below(length + 1);
	if (length + count > most)
		return length;
	memmove(part + at + count, part + at, length - at);
	memcpy(part + at, octets, count);
	return length + count;
}

/* Changes a part in one place: the new length. */
static size_t changed(char *part, size_t length, size_t most)
{
	const char *word = ANY(words), octet = (char)below(256);
	char copy[HEAD];
	const size_t at = length > 0 ? below(length) : 0;
	switch (below(6)) {
	case 0:
		if (length == 0)
			return 0;
		memmove(part + at, part + at + 1, length - at - 1);
		return length - 1;
	case 1:
		return put(part, length, most, &octet, 1);
	case 2:
		if (length > 0)
			part[at] = octet;
		return length;
	case 3:
		memcpy(copy, part, length);
		return length == 0 ? 0 : put(part, length, most, copy + at, 1 + below(length - at));
	default:
		return put(part, length, most, word, strlen(word));
	}
}

static void mutate(struct shape *s)
{
	const char *head = ANY(heads);
	switch (below(10)) {
	case 0:
		s->head_length = strlen(head);
		memcpy(s->head, head, s->head_length);
		break;
	case 1:
	case 2:
		s->head_length = changed(s->head, s->head_length, sizeof s->head);
		break;
	case 3:
		s->tail_length = changed(s->tail, s->tail_length, 24);
		break;
	case 4:
		s->unit_length = changed(s->unit, 0, sizeof s->unit);
		break;
	default:
		s->unit_length = changed(s->unit, s->unit_length, sizeof s->unit);
	}
}

static const struct shape simplest = {"http://h/", "a", "", 9, 1, 0};

static void print(const char *octets, size_t length)
{
	for (size_t k = 0; k < length; k++) {
		const unsigned c = (unsigned char)octets[k];
		printf(c > 0x20 && c < 0x7f && c != '\\' ? "%c" : "\\x%02X", c);
	}
	putchar('\t');
}

/* ---- Climbing ----------------------------------------------------------------------- */

/* Climbs until nothing was better for a while, or the budget is gone. */
static struct shape climb(const struct operation *o, size_t length, double until,
			  unsigned long *trials)
{
	struct shape at = simplest;
	double here = 0;
	for (unsigned idle = 0; idle < PATIENCE && spent(*trials) < until; idle++) {
		struct shape next = at;
		double there;
		for (unsigned m = below(3) + 1; m > 0; m--)
			mutate(&next);
		++*trials;
		there = cost(o, &next, length, 3).own;
		if (there > here * 1.005) /* that may have been chance */
			there = cost(o, &next, length, 12).own;
		if (there > here * 1.005) {
			at = next;
			here = there;
			idle = 0;
		}
	}
	return at;
}

/* The worst of all hills. */
static void search(const struct operation *o, double budget)
{
	struct shape worst = simplest;
	struct cost most = {0, 1};
	unsigned long trials = 0;
	const double until = spent(0) + budget;
	for (unsigned k = 0; k < CLIMBS && spent(trials) < until; k++) {
		const size_t length = below(2) == 0 ? 1024 : 4096;
		const struct shape top = climb(o, length, until, &trials);
		const struct cost c = cost(o, &top, length, 100);
		if (c.own > most.own) {
			most = c;
			worst = top;
		}
	}
	printf("worst-%s\t", o->name);
	print(worst.head, worst.head_length);
	print(worst.unit, worst.unit_length);
	print(worst.tail, worst.tail_length);
	printf("%.2f\t%.2f\n", most.own, most.own / most.other);
	fflush(stdout);
}

static const struct operation *named(const char *name)
{
	for (size_t k = 0; k < operation_count; k++)
		if (strcmp(operations[k].name, name) == 0)
			return &operations[k];
	fprintf(stderr, "search: there is no operation %s\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: search SEED BUDGET OPERATION...\n");
		return 2;
	}
	for (int k = 3; k < argc; k++) {
		state = strtoul(argv[1], NULL, 10) + (unsigned long)k;
		search(named(argv[k]), strtod(argv[2], NULL) / (argc - 3));
	}
	return 0;
}
