/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data that this library stores in the `extra` of compiled policies: mode, base, places of rules
 * and rules for parameters. The format, in little-endian numbers of 4 octets:
 *
 *   version, base, flags, number of places, number of nat64 prefixes, number of files, octets of
 *   strings, and in version 2 octets of rules for parameters,
 *   then places (file, line, column): of hosts.allow, of urls.allow, of each tag, of each prefix,
 *   then strings, each followed by a NUL: the names of the files,
 *   then rules for parameters: flags, tag, what judges the value (0: nothing, from 1: a built-in
 *   policy, from POLICY_OF: the policy of an earlier rule, POLICY_HERE: one that follows), the
 *   findings that are allowed, the name and the policy's name as strings, and if it follows, the
 *   number of its octets and the compiled policy.
 *
 * With rules for parameters the version is 2, and a mark in the core's header makes the core refuse
 * the policy, which would ignore them: see MARK_AT.
 */
#ifndef LOADER_COMPILED_FORMAT_H
#define LOADER_COMPILED_FORMAT_H

#include "common/parameter_rule.h"

#include <string.h>

#define EXTRA_VERSION 1u
#define EXTRA_RULES   2u /* the version with rules for parameters */
#define HEAD_NUMBERS  7u
#define HEAD_OCTETS   (4u * HEAD_NUMBERS)
#define PLACE_OCTETS  12u
#define FLAG_OBSERVES 1u
#define PLACE_SHARED  UINT32_C(0x80000000) /* beside the number of a file */
#define LISTS         2u /* hosts.allow and urls.allow, whose places come first */

/* The mark: this bit of the core's version, a number of 4 octets in this machine's byte order. */
#define MARK_AT 12u
#define MARK    UINT32_C(0x10000)

/* The bits of a rule for a parameter after its flags, and what judges its value. */
#define RULE_JUDGES (1u << PARAMETER_FLAGS)
#define RULE_TWICE  (2u << PARAMETER_FLAGS)
#define POLICY_OF   0x100u
#define POLICY_HERE 0x200u
#define RULE_OCTETS (4u * (3 + URIVET_FINDING_LIMIT / 32))

/* The numbers of the header, in order; the last is missing in version 1. */
struct head {
	uint32_t version;
	uint32_t base;
	uint32_t flags;
	uint32_t places;
	uint32_t nat64s;
	uint32_t files;
	uint32_t strings;
	uint32_t rules; /* octets of rules for parameters */
};

/* Sets or removes the mark for which the core refuses a policy. */
static inline void mark_octets(void *octets, bool marked)
{
	uint8_t *at = (uint8_t *)octets + MARK_AT;
	uint32_t version;

	memcpy(&version, at, sizeof version);
	version = marked ? version | MARK : version & ~MARK;
	memcpy(at, &version, sizeof version);
}

#endif
