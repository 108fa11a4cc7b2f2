/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the C and C++ readers of the zoo share. A reader defines reader_version() and
 * read_record(). The latter calls tell() once if it reads the record, and does not if it
 * refuses it. Records end in NUL, so each is a C string as well.
 *
 * What runs it is chosen by whoever compiles it: run.h is a program, records in and one line
 * of columns out; with -DREADER=NAME it is a part of another program, which calls read_NAME().
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

/* For a reader that gives the port as a number; below zero there is none. */
static inline void set_port(struct reading *reading, long number)
{
	if (number < 0)
		return;
	snprintf(reading->digits, sizeof reading->digits, "%ld", number);
	reading->part[PORT] = slice(reading->digits);
}

/* Cuts a request target into path, query and fragment, for a reader that leaves it whole. */
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
