/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data that this library stores in the `extra` of compiled policies: mode, base, places of
 * rules, and the names of policies of values. The format, in little-endian numbers of 4 octets:
 *
 *   version, base, flags, number of places, number of nat64 prefixes, number of files, octets of
 *   what follows the places,
 *   then places (file, line, column): of hosts.allow, of urls.allow, of each tag, of each prefix,
 *   then strings, each followed by a NUL: the names of the files,
 *   then for each rule for parameters that judges values the base of their policy and its name as
 *   in the file, with a NUL.
 */
#ifndef LOADER_COMPILED_FORMAT_H
#define LOADER_COMPILED_FORMAT_H

#include "common/parameter_rule.h"

#include <string.h>

#define EXTRA_VERSION 2u
#define HEAD_NUMBERS  7u
#define HEAD_OCTETS   (4u * HEAD_NUMBERS)
#define PLACE_OCTETS  12u
#define FLAG_OBSERVES 1u
#define PLACE_SHARED  UINT32_C(0x80000000) /* beside the number of a file */
#define LISTS         2u /* hosts.allow and urls.allow, whose places come first */

/* Where the core stores the length of a compiled policy, in this machine's byte order. */
#define LENGTH_AT 16u

/* The numbers of the header, in order. */
struct head {
	uint32_t version;
	uint32_t base;
	uint32_t flags;
	uint32_t places;
	uint32_t nat64s;
	uint32_t files;
	uint32_t strings;
};

#endif
