/* SPDX-License-Identifier: Apache-2.0 */
/* The octets of policy files, as far as they are no matter of YAML. */
#ifndef LOADER_SOURCE_H
#define LOADER_SOURCE_H

#include "loader/problems.h"

/* The most octets of a policy file with all that it includes. */
#define SOURCE_MOST (64u << 20)
/* The most octets of a compiled policy: rows of rules are longer than their texts, and what is
 * compiled of the longest text has less than this. */
#define COMPILED_MOST (256u << 20)
/* The most white space in a row. Where white space inside of a text is folded, libyaml clears
 * as much memory as the longest run had, each time: the product is bounded by this. */
#define BLANK_MOST 4096u

struct source {
	const uint8_t *data;
	size_t length;
	uint32_t file;
	bool ascii; /* as far as it was checked */
};

/* Which file, under whatever name. */
struct identity {
	uint64_t device;
	uint64_t number;
	bool known;
};

enum source_kind {
	SOURCE_FIRST = 0, /* the policy file: may be a pipe or a device */
	SOURCE_INCLUDED,  /* a regular file */
};

/* Reads a file ("-": standard input) of at most `most` octets into memory that the caller must
 * free; of the first file COMPILED_MOST, if it is a compiled policy. False, with the reason in
 * `why`, if that fails; errno is EFBIG if it is longer. */
bool urivet_loader_read(uint8_t **data, size_t *length, const char *path, enum source_kind kind,
			size_t most, char *why, size_t size);

/* The file of that name; not known if there is none. */
struct identity urivet_loader_identity(const char *path);

/* Is it UTF-8 without controls and line breaks that only YAML takes for such? False after
 * reporting the first place where it is not. */
bool urivet_loader_check_octets(struct source *source, struct problems *problems);

/* Finds the place of the first setting if it is a policy file as earlier versions read them.
 * `surely`: if it could not be YAML of a policy; else what is no YAML is looked at. */
bool urivet_loader_is_old(const struct source *source, bool surely, struct place *at);

#endif
