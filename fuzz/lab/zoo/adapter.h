/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common code of the C and C++ readers. A reader defines reader_version() and read_record(), which
 * calls tell() once if it reads the record, and not if it refuses it. Records end in NUL, so each
 * is a C string as well.
 *
 * By default, run.h makes it a program: records in, one line of columns out. With -DREADER=NAME it
 * is a part of another program, which calls read_NAME().
 */
#ifndef ZOO_ADAPTER_H
#define ZOO_ADAPTER_H

#include "reading.h"
#include <stdlib.h>

#ifdef READER
#include "../differential/reader.h"
#else
#include "run.h"
#endif

/* Sets the port of a reader that gives it as a number; a negative number means no port. */
static inline void set_port(struct reading *reading, long number)
{
	if (number < 0)
		return;
	snprintf(reading->digits, sizeof reading->digits, "%ld", number);
	reading->part[PORT] = slice(reading->digits);
}

/* Splits a request target into path, query and fragment, for a reader that leaves it whole. */
static inline void set_target(struct reading *reading, const char *target)
{
	size_t path = strcspn(target, "?#");
	size_t hash = strcspn(target, "#");

	reading->part[PATH] = slice_between(target, target + path);
	if (target[path] == '?')
		reading->part[QUERY] = slice_between(target + path + 1, target + hash);
	if (target[hash] == '#')
		reading->part[FRAGMENT] = slice(target + hash + 1);
}

#endif
