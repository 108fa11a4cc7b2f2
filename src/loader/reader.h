/* SPDX-License-Identifier: Apache-2.0 */
/* A policy that is being read from files. */
#ifndef LOADER_READER_H
#define LOADER_READER_H

#include "loader/yaml.h"

#define READER_FILES_MOST 1000u /* with those that are included */
#define READER_DEEP_MOST  10u   /* files that include one another */

/* The keys of a policy file, and groups of them. */
enum key_id {
	KEY_BASE = 0,
	KEY_NAME,
	KEY_MODE,
	KEY_INCLUDE,
	KEY_SCHEMES,
	KEY_PORTS,
	KEY_PORTS_HTTP,
	KEY_PORTS_HTTPS,
	KEY_PORTS_WS,
	KEY_PORTS_WSS,
	KEY_PORTS_FTP,
	KEY_HOSTS,
	KEY_HOSTS_ALLOW,
	KEY_HOSTS_DENY,
	KEY_URLS,
	KEY_URLS_ALLOW,
	KEY_ADDRESSES,
	KEY_ADDRESSES_ALLOW,
	KEY_ADDRESSES_DENY,
	KEY_ADDRESSES_NAT64,
	KEY_ALLOW,
	KEY_REFUSE,
	KEY_LIMITS,
	KEY_LIMITS_LENGTH,
	KEY_LIMITS_HOST,
	KEY_LIMITS_LABEL,
	KEY_OPAQUE_QUERY,
	KEY_PROTECT,
	KEYS
};

/* A file to include, and where that is said. */
struct inclusion {
	const char *path;
	struct place at;
};

struct reader {
	struct urivet_loaded *loaded;
	struct problems *problems;
	struct yaml *yaml; /* of the file that is being read */
	uint32_t file;     /* its number */
	bool no_suffixes;  /* there is no list of them */
	size_t values;     /* read so far, in all files */
	const struct key *key;

	/* what is set, to change the base with in the end, wherever that is named */
	struct place seen[KEYS]; /* where each key stood last; line 0: nowhere */
	uint32_t schemes;
	char scheme_names[URIVET_SCHEME_NAMES];
	uint32_t limits[3]; /* length, host, label; 0: not set */
	bool opaque_query;
	struct urivet_finding_set allowed;
	struct urivet_finding_set refused;

	struct inclusion *inclusion; /* of the file that is being read */
	size_t inclusions;
	bool in_memory; /* there are no files to include */
};

/* Reads the keys of a file. False if the rest of it was not read; problems were reported then. */
bool urivet_loader_read_keys(struct reader *reader);

/* Changes the base by what was set, and puts the lists in order. */
void urivet_loader_settle(struct reader *reader);

/* A copy that lives as long as the policy; NULL: no memory, which is reported. */
const char *urivet_loader_keep_text(struct reader *reader, const char *text);

/* May it be the name of a policy, which reports show? Text without controls. */
bool urivet_loader_is_text(const char *string);

/* An array with room for one element more than `count`: it has room for a power of two of them.
 * NULL: no memory, which is reported; the array is as it was. */
void *urivet_loader_room(struct reader *reader, void *array, size_t count, size_t size);

#endif
