/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader of fuzz/lab/zoo as a shared object with one function,
 *
 *     bool read_NAME(const char *data, size_t length, struct reading *reading);
 *
 * compiled from its adapter by -DREADER=NAME. data[0..length) is the record, any octets but NUL,
 * and data[length] is NUL. Returns true if it reads the record; then *reading has the components.
 * They belong to the reader and are valid until the next call. Returns false if it refuses the
 * record.
 */
#ifndef DIFFERENTIAL_READER_H
#define DIFFERENTIAL_READER_H

#include "../zoo/reading.h"
#include <stdlib.h>

#define READER_JOINED(a, b) a##b
#define READER_NAMED(a, b)  READER_JOINED(a, b)

#ifdef __cplusplus
extern "C" {
#endif
const char *reader_version(void);
bool READER_NAMED(read_, READER)(const char *data, size_t length, struct reading *reading);
#ifdef __cplusplus
}
#endif
void read_record(const char *text, size_t length);

static struct reading *wanted;
static bool told;

/* Keeps the components after the library has freed its own. */
static char *kept_text(size_t size)
{
	static char *room;
	static size_t capacity;

	if (size > capacity) {
		char *larger = (char *)realloc(room, size);

		if (larger == NULL)
			abort();
		room = larger;
		capacity = size;
	}
	return room;
}

static inline void tell(const struct reading *reading)
{
	size_t size = 1;
	char *end;

	if (told)
		return;
	told = true;
	for (int i = 0; i < PARTS; i++)
		size += reading->part[i].data != NULL ? reading->part[i].length : 0;
	end = kept_text(size);
	for (int i = 0; i < PARTS; i++) {
		struct slice part = reading->part[i];

		wanted->part[i] = slice(NULL);
		if (part.data == NULL)
			continue;
		memcpy(end, part.data, part.length);
		wanted->part[i] = slice_between(end, end + part.length);
		end += part.length;
	}
}

bool READER_NAMED(read_, READER)(const char *data, size_t length, struct reading *reading)
{
	wanted = reading;
	told = false;
	read_record(data, length);
	return told;
}

#endif
