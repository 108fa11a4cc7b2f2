/* SPDX-License-Identifier: Apache-2.0 */
/* Reads policy files and checks their octets, before YAML is parsed. */
#ifndef LOADER_SOURCE_H
#define LOADER_SOURCE_H

#include "policyfile/problems.h"

/* Maximum octets of a policy file with all included files. */
#define SOURCE_MOST (64u << 20)
/* Maximum octets of a compiled policy. It is larger than its text, but never larger than this. */
#define COMPILED_MOST (256u << 20)
/* Maximum run of white space. When libyaml folds white space inside a text, it clears as much
 * memory as the longest run had, each time. This limit bounds the product. */
#define BLANK_MOST 4096u

struct source {
	const uint8_t *data;
	size_t length;
	uint32_t file;
	bool ascii; /* true up to the offset that was checked */
	struct place end; /* after the last octet, once they were checked */
};

/* Identifies a file, whatever its path. */
struct identity {
	uint64_t device;
	uint64_t number;
	bool known;
};

enum source_kind {
	SOURCE_FIRST = 0, /* the policy file: may be a pipe or a device */
	SOURCE_INCLUDED,  /* a regular file */
	SOURCE_OF_VALUES, /* a regular file: a policy for values of parameters */
};

/* Reads a file ("-": standard input) of at most `most` octets into memory that the caller must
 * free. If a file that is not included is a compiled policy, the limit is COMPILED_MOST. Returns false with an
 * error message in `why`; errno is EFBIG if the file is too long. */
bool urivet_loader_read(uint8_t **data, size_t *length, const char *path, enum source_kind kind,
			size_t most, char *why, size_t size);

/* Returns a path that is relative to the file that names it. The caller frees it. Returns NULL if
 * memory is short. */
const char *urivet_loader_path(struct strings **strings, const char *including, const char *path);

/* Returns the identity of the file; unknown if it does not exist. */
struct identity urivet_loader_identity(const char *path);

/* Returns true for UTF-8 without control characters and without line breaks that only YAML
 * recognises. Otherwise reports the first place and returns false. */
bool urivet_loader_check_octets(struct source *source, struct problems *problems);

#endif
