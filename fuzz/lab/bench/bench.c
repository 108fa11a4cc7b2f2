/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the cost of judging URLs. All contestants run in one process, one after another in every
 * pass, on one processor.
 *
 *   bench [--null] [--csv=FILE] FILE contestants.so...
 *   bench --lengths contestants.so...       one URL of each length, ns
 *   bench --shapes=LENGTH contestants.so... one URL of each odd shape, ns an octet
 *   --passes=N before the rest: that many of each, instead of 25
 *
 * The figure is the floor: the URLs are cut into chunks, and the floor is the sum over the
 * chunks of the least time that any pass took for it. It is stable to a few percent where
 * others use the machine too; the minimum and the median of whole passes are not.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define MAX_CONTESTANTS 64

/* a chunk ends after so many URLs, or octets: long enough for the clock, short enough to be
 * judged undisturbed */
enum { CHUNK = 2048, CHUNK_OCTETS = 1 << 17 };

struct url {
	const char *text; /* a NUL after it */
	size_t length;
};

struct set {
	struct url *url;
	size_t count, octets;
	size_t *chunk; /* the first URL of each, and `count` after the last */
	size_t chunks;
	char *column; /* all of them, one after the other */
	int32_t *offsets;
};

struct result {
	const char *name;
	double floor, least, median; /* nanoseconds for each URL */
	double accepted;             /* share of accepted URLs */
};

/* one of the two judges */
static struct {
	const char *name;
	bool (*judge)(const char *url, size_t length);
	size_t (*many)(const char *data, size_t length, const int32_t *offsets, size_t rows);
} all[MAX_CONTESTANTS];
static unsigned count;
static unsigned passes = 25;
static volatile size_t sink; /* keeps the compiler from removing the count */

__attribute__((noreturn)) static void fail(const char *what, const char *of)
{
	fprintf(stderr, "bench: %s: %s\n", of, what);
	exit(2);
}

static void *room(size_t size)
{
	void *p = malloc(size);
	if (p == NULL)
		fail("no memory", "malloc");
	return p;
}

static void load_contestants(const char *path)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const struct contestant *c = object != NULL ? dlsym(object, "contestants") : NULL;
	const struct batch *b = object != NULL ? dlsym(object, "batches") : NULL;
	if (c == NULL)
		fail(dlerror(), path);
	for (; c->name != NULL && count < MAX_CONTESTANTS; c++, count++) {
		all[count].name = c->name;
		all[count].judge = c->judge;
	}
	for (; b != NULL && b->name != NULL && count < MAX_CONTESTANTS; b++, count++) {
		all[count].name = b->name;
		all[count].many = b->judge;
	}
}

/* Repeats short texts, so that a chunk takes long enough for the clock. */
static void repeat(struct set *s)
{
	const size_t by_count = (CHUNK + s->count - 1) / s->count;
	const size_t by_octets = CHUNK_OCTETS / (s->octets + 1) + 1;
	const size_t times = by_count < by_octets ? by_count : by_octets;
	struct url *url = room((times * s->count + 1) * sizeof *url);
	for (size_t k = 0; k < times * s->count; k++)
		url[k] = s->url[k % s->count];
	free(s->url);
	s->url = url;
	s->octets *= times;
	s->count *= times;
}

static void cut(struct set *s)
{
	size_t octets = 0;
	s->chunk = room((s->count + 1) * sizeof *s->chunk);
	s->chunks = 0;
	for (size_t k = 0, first = 0; k < s->count; k++) {
		if (k == 0 || k - first == CHUNK || octets >= CHUNK_OCTETS) {
			s->chunk[s->chunks++] = first = k;
			octets = 0;
		}
		octets += s->url[k].length;
	}
	s->chunk[s->chunks] = s->count;
}

/* Lays the URLs out as a column, for contestants that judge many at once. */
static void lay_out(struct set *s)
{
	size_t at = 0;
	if (s->octets > INT32_MAX)
		fail("more than offsets of 32 bits reach", "the set");
	s->column = room(s->octets + 1);
	s->offsets = room((s->count + 1) * sizeof *s->offsets);
	for (size_t k = 0; k < s->count; k++) {
		s->offsets[k] = (int32_t)at;
		memcpy(s->column + at, s->url[k].text, s->url[k].length);
		at += s->url[k].length;
	}
	s->offsets[s->count] = (int32_t)at;
}

/* Loads texts that end in `end`, which becomes a NUL. */
static struct set load_urls(const char *path, char end)
{
	struct set s = {.url = NULL};
	FILE *f = fopen(path, "rb");
	long size;
	char *text;
	if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0)
		fail("cannot be read", path);
	rewind(f);
	text = room((size_t)size + 1);
	if (fread(text, 1, (size_t)size, f) != (size_t)size)
		fail("cannot be read", path);
	fclose(f);
	text[size] = '\0';
	s.url = room(((size_t)size + 1) * sizeof *s.url);
	for (char *at = text, *stop; at < text + size; at = stop + 1) {
		stop = memchr(at, end, (size_t)(text + size - at));
		if (stop == NULL)
			stop = text + size;
		*stop = '\0';
		s.url[s.count++] = (struct url){at, (size_t)(stop - at)};
		s.octets += (size_t)(stop - at);
	}
	if (s.count == 0)
		fail("no URLs", path);
	repeat(&s);
	cut(&s);
	lay_out(&s);
	return s;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns how many of the URLs from `first` up to `end` are accepted. */
static size_t run(unsigned c, const struct set *s, size_t first, size_t end)
{
	bool (*const judge)(const char *, size_t) = all[c].judge;
	size_t accepted = 0;
	if (judge == NULL)
		return all[c].many(s->column, s->octets, s->offsets + first, end - first);
	for (size_t k = first; k < end; k++)
		accepted += judge(s->url[k].text, s->url[k].length);
	return accepted;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void measure(const struct set *s, struct result *results)
{
	double *floors = room(count * s->chunks * sizeof *floors);
	double *taken = room(count * passes * sizeof *taken);
	for (unsigned c = 0; c < count; c++) {
		results[c].name = all[c].name;
		results[c].accepted = (double)run(c, s, 0, s->count) / (double)s->count;
	}
	for (unsigned pass = 0; pass < passes; pass++)
		for (unsigned c = 0; c < count; c++) {
			double sum = 0;
			for (size_t k = 0; k < s->chunks; k++) {
				double *least = &floors[c * s->chunks + k];
				double time = now();
				sink = run(c, s, s->chunk[k], s->chunk[k + 1]);
				time = now() - time;
				sum += time;
				if (pass == 0 || time < *least)
					*least = time;
			}
			taken[c * passes + pass] = sum;
		}
	for (unsigned c = 0; c < count; c++) {
		const double n = (double)s->count;
		double floor = 0;
		for (size_t k = 0; k < s->chunks; k++)
			floor += floors[c * s->chunks + k];
		qsort(taken + c * passes, passes, sizeof *taken, ascending);
		results[c].floor = floor / n;
		results[c].least = taken[c * passes] / n;
		results[c].median = taken[c * passes + passes / 2] / n;
	}
	free(floors);
	free(taken);
}

/* ---- Tables ------------------------------------------------------------------------ */

/* Returns the result that others are compared with: the first that judges by strict and reports. */
static const struct result *yardstick(const struct result *r)
{
	for (unsigned c = 0; c < count; c++)
		if (strstr(r[c].name, "check strict") != NULL)
			return &r[c];
	return &r[0];
}

static void print_table(const struct set *s, const struct result *r)
{
	const double mean = (double)s->octets / (double)s->count;
	const double one = yardstick(r)->floor;
	printf("%zu URLs, %zu octets, %.1f on average; ns/URL: floor, minimum, median of %u "
	       "passes\n\n",
	       s->count, s->octets, mean, passes);
	printf("| %-34s | floor | minimum | median | MB/s | ratio | accepted |\n", "contestant");
	printf("|---|--:|--:|--:|--:|--:|--:|\n");
	for (unsigned c = 0; c < count; c++)
		printf("| %-34s | %.1f | %.1f | %.1f | %.0f | %.2f | %.2f %% |\n", r[c].name,
		       r[c].floor, r[c].least, r[c].median, mean * 1e3 / r[c].floor,
		       r[c].floor / one, r[c].accepted * 100);
}

static void write_csv(const char *path, const struct set *s, const struct result *r)
{
	const double mean = (double)s->octets / (double)s->count;
	FILE *f = fopen(path, "w");
	if (f == NULL)
		fail("cannot be written", path);
	fprintf(f,
		"contestant,floor_ns,ns_per_octet,minimum_ns,median_ns,mb_per_s,ratio,accepted\n");
	for (unsigned c = 0; c < count; c++)
		fprintf(f, "\"%s\",%.2f,%.4f,%.2f,%.2f,%.0f,%.3f,%.5f\n", r[c].name, r[c].floor,
			r[c].floor / mean, r[c].least, r[c].median, mean * 1e3 / r[c].floor,
			r[c].floor / yardstick(r)->floor, r[c].accepted);
	if (fclose(f) != 0)
		fail("cannot be written", path);
}

/* ---- Generated URLs ---------------------------------------------------------------- */

/* Returns a URL of `length` octets: head, then unit repeated, then end. */
static struct url made(size_t length, const char *head, const char *unit, const char *end)
{
	char *text = room(length + 1);
	const size_t h = strlen(head), u = strlen(unit), e = strlen(end);
	for (size_t k = 0; k < length; k++)
		text[k] = k < h ? head[k] : unit[(k - h) % u];
	for (size_t k = 0; k < e && e <= length; k++)
		text[length - e + k] = end[k];
	text[length] = '\0';
	return (struct url){text, length};
}

/* Returns the time for one URL, judged often enough for the clock. */
static double time_of(unsigned c, struct url u)
{
	const int32_t offsets[] = {0, (int32_t)u.length};
	const unsigned times = (unsigned)(1 + 100000 / (u.length + 100));
	double least = 0;
	for (unsigned pass = 0; pass < passes; pass++) {
		double time = now();
		for (unsigned k = 0; k < times; k++)
			sink = all[c].judge != NULL ? all[c].judge(u.text, u.length)
						    : all[c].many(u.text, u.length, offsets, 1);
		time = (now() - time) / times;
		if (pass == 0 || time < least)
			least = time;
	}
	return least;
}

/* 300 octets, so that the longest path has no more segments than a plain one may have */
#define WORDS   "words_of-a-path.with-fifty-octets.all-in-one-line_"
#define SEGMENT WORDS WORDS WORDS WORDS WORDS WORDS "/"

static void print_lengths(void)
{
	printf("ns by length of a URL with a long path (GB/s)\n\n| contestant |");
	for (size_t n = 16; n <= 65536; n *= 4)
		printf(" %zu |", n);
	printf("\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
	for (unsigned c = 0; c < count; c++) {
		printf("| %-34s |", all[c].name);
		for (size_t n = 16; n <= 65536; n *= 4) {
			const struct url u =
			    made(n, n == 16 ? "http://" : "https://www.example.org/",
				 n == 16 ? "abc.org/x" : SEGMENT, "");
			const double ns = time_of(c, u);
			printf(" %.1f (%.1f) |", ns, (double)n / ns);
			free((void *)(uintptr_t)u.text);
		}
		printf("\n");
	}
}

static const struct {
	const char *name, *head, *unit, *end;
} shapes[] = {
    {"path", "http://h.org/", "abcdefgh/", ""},
    {"space at the end", "http://h.org/", "abcdefgh/", " "},
    {"dots", "http://h.org/", "../", ""},
    {"a/..", "http://h.org/", "a/../", ""},
    {"slashes", "http://h.org/", "/", ""},
    {"labels", "http://", "a.", ""},
    {"host", "http://", "a", ""},
    {"@", "http://", "@", ""},
    {"userinfo", "http://", "user:", "@h.org/"},
    {"query", "http://h.org/?", "a=b&", ""},
    {"fragment", "http://h.org/#", "?", ""},
    {"colons", "http://h.org/", ":", ""},
    {"colon digits", "http://h.org/", ":80/", ""},
    {"apostrophes", "http://h.org/", "'", ""},
    {"port", "http://h.org:", "0", ""},
    {"[", "http://[", "1:", "]/"},
    {"capitals", "http://", "A.", ""},
    {"digits", "http://", "1.", ""},
    {"scheme", "", "a", "://h.org/"},
    {"spaces", "http://h.org/", " ", ""},
    {"tabs", "http://h.org/", "\t", ""},
    {"backslashes", "http://h.org/", "\\", ""},
    {"octets above 0x7F", "http://h.org/", "\xc3\xa4", ""},
    {"%41", "http://h.org/", "%41", ""},
    {"%2F", "http://h.org/", "%2F", ""},
    {"%C3%A9", "http://h.org/", "%C3%A9", ""},
    {"%25", "http://h.org/", "%25", ""},
    {"%2e%2e/", "http://h.org/", "%2e%2e/", ""},
    {"% in the host", "http://", "%61", ""},
    {"xn--", "http://", "xn--a.", ""},
};

static void print_shapes(size_t length)
{
	printf("ns per octet of %zu octets\n\n| shape |", length);
	for (unsigned c = 0; c < count; c++)
		printf(" %s |", all[c].name);
	printf("\n|---|");
	for (unsigned c = 0; c < count; c++)
		printf("--:|");
	printf("\n");
	for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
		const struct url u = made(length, shapes[k].head, shapes[k].unit, shapes[k].end);
		printf("| %-18s |", shapes[k].name);
		for (unsigned c = 0; c < count; c++)
			printf(" %.2f |", time_of(c, u) / (double)length);
		printf("\n");
		free((void *)(uintptr_t)u.text);
	}
}

static void pin(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET((unsigned)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
}

int main(int argc, char **argv)
{
	const char *csv = NULL, *data = NULL;
	static struct result results[MAX_CONTESTANTS];
	size_t shape_length = 0;
	bool lengths = false;
	char end = '\n';
	for (int k = 1; k < argc; k++) {
		if (strncmp(argv[k], "--csv=", 6) == 0)
			csv = argv[k] + 6;
		else if (strncmp(argv[k], "--passes=", 9) == 0)
			passes = (unsigned)strtoul(argv[k] + 9, NULL, 10);
		else if (strcmp(argv[k], "--null") == 0)
			end = '\0';
		else if (strcmp(argv[k], "--lengths") == 0)
			lengths = true;
		else if (strncmp(argv[k], "--shapes=", 9) == 0)
			shape_length = strtoul(argv[k] + 9, NULL, 10);
		else if (data == NULL && !lengths && shape_length == 0)
			data = argv[k];
		else
			load_contestants(argv[k]);
	}
	if (count == 0 || passes == 0)
		fail("nothing to measure", "arguments");
	pin();
	if (lengths) {
		print_lengths();
	} else if (shape_length > 0) {
		print_shapes(shape_length);
	} else {
		const struct set s = load_urls(data, end);
		measure(&s, results);
		print_table(&s, results);
		if (csv != NULL)
			write_csv(csv, &s, results);
	}
	return 0;
}
