/* SPDX-License-Identifier: Apache-2.0 */
/* What bench.c loads: each contestant, or each build of one, is a shared object of its own. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct contestant {
	const char *name;
	/* Returns true if url[0..length) is accepted. A NUL follows it. */
	bool (*judge)(const char *url, size_t length);
};

/* Every shared object has this: rows, the last without a name. */
__attribute__((visibility("default"))) extern const struct contestant contestants[];

/* A contestant that judges many URLs at once. */
struct batch {
	const char *name;
	/* Returns how many rows are accepted; they lie in data like a column of Apache Arrow,
	 * row k from offsets[k] up to offsets[k + 1]. */
	size_t (*judge)(const char *data, size_t length, const int32_t *offsets, size_t rows);
};

/* Some shared objects have this as well. */
__attribute__((visibility("default"))) extern const struct batch batches[];

#ifdef __cplusplus
}
#endif

#endif
