/* SPDX-License-Identifier: Apache-2.0 */
/* What the library does for an input, and the shapes of inputs that are measured. */
#ifndef TESTS_OPERATIONS_H
#define TESTS_OPERATIONS_H

#include <stddef.h>

#include <urivet.h>

struct input {
	char *data;
	size_t length;
	char *other; /* the same but for one octet */
	char *out;
	size_t capacity;
	struct urivet_policy policy;
};

struct operation {
	const char *name;
	void (*run)(struct input *);
};

/* The last is the control, which is quadratic. */
extern const struct operation operations[];
extern const size_t operation_count;

/* The most octets of a head, so that it has room for the longest name; of a unit and a tail. */
#define HEAD 320
#define PART 64

/* A head, a unit that is repeated, a tail. */
struct shape {
	char head[HEAD], unit[PART], tail[PART];
	size_t head_length, unit_length, tail_length;
};

/* The unit as often as fits between head and tail; every rule is on. */
struct input made(const struct shape *s, size_t length);
void unmade(struct input *in);

#endif
