/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the library does for an input of a given shape and length, to be counted.
 *
 *   work                 reads lines "OPERATION HEAD UNIT TAIL LENGTH" (tabs between, \xHH for
 *                        octets) and leaves a dump of callgrind's for each
 *   work SEED TRIALS     (built with -DSEARCH) looks for shapes that take many edges an octet
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urivet.h>

#include "../built_in.h"

struct input {
	char *data;
	size_t length;
	char *other; /* the same but for one octet */
	char *out;
	size_t capacity;
	struct urivet_policy policy;
};

static void check(struct input *in)
{
	struct urivet_report report;
	urivet_check(&report, in->data, in->length, &in->policy);
}

static void ok(struct input *in)
{
	urivet_ok(in->data, in->length);
}

static void parse(struct input *in)
{
	struct urivet_uri uri;
	urivet_parse(&uri, in->data, in->length, NULL);
}

static void normalise(struct input *in)
{
	urivet_normalise(in->out, in->capacity, in->data, in->length, URIVET_LEVEL_SCHEME,
			 URIVET_READER_RFC3986, NULL);
}

static void resolve(struct input *in)
{
	urivet_resolve(in->out, in->capacity, URIVET_READER_RFC3986, urivet_text_of(in->data, in->length), urivet_text_of("../x/./y?z", 10), false, NULL);
	urivet_resolve(in->out, in->capacity, URIVET_READER_RFC3986, urivet_text_of("http://h/a/b/c", 14), urivet_text_of(in->data, in->length), false, NULL);
}

static void compare(struct input *in)
{
	urivet_compare(urivet_text_of(in->data, in->length), urivet_text_of(in->other, in->length), false, NULL, 0);
}

static void scan(struct input *in)
{
	struct urivet_scan s = {in->data, in->length, 0};
	struct urivet_found found;
	size_t length;
	while (urivet_scan_next(&s, &found, in->out, in->capacity, &length))
		continue;
}

static void browser(struct input *in)
{
	struct urivet_reading reading;
	urivet_read_as(&reading, URIVET_READER_BROWSER, in->data, in->length, in->out,
		       in->capacity);
}

static void resolver(struct input *in)
{
	struct urivet_reading reading;
	urivet_read_as(&reading, URIVET_READER_RESOLVER, in->data, in->length, in->out,
		       in->capacity);
}

static void suggest(struct input *in)
{
	urivet_suggest(in->out, in->capacity, in->data, in->length, &in->policy);
}

/* Each pair, decoded; and all parameters that look like a URL, twice decoded. */
static void parameters(struct input *in)
{
	struct urivet_parameter_scan s = {in->data, in->length, 0};
	struct urivet_parameter p;
	struct urivet_parameter_rules rules;
	struct urivet_report r, inner;
	const struct urivet_parameter_input input = {urivet_text_of(in->data, in->length), NULL, in->out, in->capacity};
	while (urivet_parameter_next(&s, &p))
		urivet_decode(in->out, in->capacity, urivet_text_of(in->data + p.value.offset, p.value.length),
			      URIVET_CODING_FORM, NULL, NULL);
	urivet_check(&r, in->data, in->length, &in->policy);
	urivet_parameter_rules_init(&rules, sizeof rules);
	rules.times = 2;
	rules.same_origin = true;
	rules.policy = &in->policy;
	urivet_check_parameters(&r, &inner, &input, &rules, &in->policy);
}

/* The control: looks at every octet again for every 64 of them. */
static void quadratic(struct input *in)
{
	volatile size_t equal = 0;
	for (size_t end = 0; end < in->length; end += 64)
		for (size_t k = 0; k < end; k++)
			equal += in->data[k] == in->data[end];
}

static const struct {
	const char *name;
	void (*run)(struct input *);
} operations[] = {
    {"check", check},       {"ok", ok},           {"parse", parse},        {"normalise", normalise},
    {"resolve", resolve},   {"compare", compare}, {"scan", scan},          {"browser", browser},
    {"resolver", resolver}, {"suggest", suggest}, {"parameters", parameters},
    {"quadratic", quadratic}};
#define OPERATIONS (sizeof operations / sizeof operations[0])

struct shape {
	char head[64], unit[64], tail[64];
	size_t head_length, unit_length, tail_length;
};

static void *room(size_t size)
{
	void *p = malloc(size);
	if (p == NULL) {
		perror("work");
		exit(2);
	}
	return p;
}

/* The unit as often as fits between head and tail; every rule is on. */
static struct input made(const struct shape *s, size_t length)
{
	struct input in = {.capacity = URIVET_READING_CAPACITY(length)};
	size_t at = s->head_length;
	in.data = room(length);
	in.other = room(length);
	in.out = room(in.capacity);
	memcpy(in.data, s->head, s->head_length);
	for (; s->unit_length > 0 && at + s->unit_length + s->tail_length <= length;
	     at += s->unit_length)
		memcpy(in.data + at, s->unit, s->unit_length);
	memcpy(in.data + at, s->tail, s->tail_length);
	in.length = at + s->tail_length;
	memcpy(in.other, in.data, in.length);
	/* another case of the scheme compares equal, and so to the end */
	if (in.length > 0 && in.other[0] >= 'a' && in.other[0] <= 'z')
		in.other[0] = (char)(in.other[0] - 'a' + 'A');
	else if (in.length > 0)
		in.other[0] = in.other[0] == '!' ? '$' : '!';
	in.policy = built_in(URIVET_ANY);
	in.policy.max_length = URIVET_MAX_LENGTH;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
		urivet_policy_raise(&in.policy, id);
	return in;
}

static void unmade(struct input *in)
{
	free(in->data);
	free(in->other);
	free(in->out);
}

#ifndef SEARCH
#include <valgrind/callgrind.h>

static size_t unescaped(char to[64], const char *from)
{
	size_t length = 0;
	while (*from != '\0' && length < 64) {
		char digits[3] = {0};
		if (from[0] == '\\' && from[1] == 'x' && from[2] != '\0' && from[3] != '\0') {
			memcpy(digits, from + 2, 2);
			to[length++] = (char)strtoul(digits, NULL, 16);
			from += 4;
		} else {
			to[length++] = *from++;
		}
	}
	return length;
}

int main(void)
{
	char line[1024];
	while (fgets(line, sizeof line, stdin) != NULL) {
		struct shape s;
		struct input in;
		char *field[5];
		char label[64];
		size_t k = 0;
		char *rest = line;
		for (size_t n = 0; n < 5; n++) {
			field[n] = rest;
			rest += strcspn(rest, "\t\n");
			*rest++ = '\0';
		}
		s.head_length = unescaped(s.head, field[1]);
		s.unit_length = unescaped(s.unit, field[2]);
		s.tail_length = unescaped(s.tail, field[3]);
		in = made(&s, strtoul(field[4], NULL, 10));
		while (k < OPERATIONS && strcmp(operations[k].name, field[0]) != 0)
			k++;
		if (k == OPERATIONS)
			return 2;
		snprintf(label, sizeof label, "%zu", in.length);
		CALLGRIND_ZERO_STATS;
		operations[k].run(&in);
		CALLGRIND_DUMP_STATS_AT(label);
		unmade(&in);
	}
	return 0;
}

#else

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

static unsigned long state;
static unsigned below(unsigned limit)
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (unsigned)(state >> 33) % limit;
}

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
				    "{",       "}"};

static void mutate(struct shape *s)
{
	const char *w = words[below(sizeof words / sizeof words[0])];
	const size_t n = strlen(w);
	if (below(8) == 0) {
		const char *h = heads[below(sizeof heads / sizeof heads[0])];
		s->head_length = strlen(h);
		memcpy(s->head, h, s->head_length);
	} else if (below(3) == 0 && s->unit_length > 1) {
		const size_t at = below((unsigned)s->unit_length);
		memmove(s->unit + at, s->unit + at + 1, s->unit_length - at - 1);
		s->unit_length--;
	} else if (s->unit_length + n <= 16) {
		const size_t at = below((unsigned)s->unit_length + 1);
		memmove(s->unit + at + n, s->unit + at, s->unit_length - at);
		memcpy(s->unit + at, w, n);
		s->unit_length += n;
	} else {
		s->unit_length = n;
		memcpy(s->unit, w, n);
	}
	if (below(16) == 0) {
		s->tail_length = below(2) == 0 ? 0 : n;
		memcpy(s->tail, w, s->tail_length);
	}
}

static double cost(size_t k, const struct shape *s)
{
	struct input in = made(s, 2048);
	unsigned long before = edges;
	operations[k].run(&in);
	before = edges - before;
	unmade(&in);
	return in.length > 0 ? (double)before / (double)in.length : 0;
}

static void print(const char *octets, size_t length)
{
	for (size_t k = 0; k < length; k++) {
		const unsigned c = (unsigned char)octets[k];
		printf(c > 0x20 && c < 0x7f && c != '\\' ? "%c" : "\\x%02X", c);
	}
	putchar('\t');
}

int main(int argc, char **argv)
{
	const unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	const unsigned long trials = argc > 2 ? strtoul(argv[2], NULL, 10) : 20000;
	for (size_t k = 0; k + 1 < OPERATIONS; k++) { /* but the control */
		struct shape best = {"http://h/", "a", "", 9, 1, 0};
		double most = 0;
		state = seed + k;
		/* begun again now and then: a hill is not the mountain */
		for (unsigned climb = 0; climb < 8; climb++) {
			struct shape at = {"http://h/", "a", "", 9, 1, 0};
			double here = 0;
			for (unsigned long t = 0; t < trials / 8; t++) {
				struct shape next = at;
				double there;
				for (unsigned m = below(3) + 1; m > 0; m--)
					mutate(&next);
				there = cost(k, &next);
				if (there >= here) {
					at = next;
					here = there;
				}
			}
			if (here > most) {
				most = here;
				best = at;
			}
		}
		printf("worst-%s\t", operations[k].name);
		print(best.head, best.head_length);
		print(best.unit, best.unit_length);
		print(best.tail, best.tail_length);
		printf("%.2f\n", most);
	}
	return 0;
}
#endif
