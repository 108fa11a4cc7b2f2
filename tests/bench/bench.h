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
	/* Is url[0..length) accepted? A NUL stands after it. */
	bool (*judge)(const char *url, size_t length);
};

/* Every shared object has this: rows, the last without a name. */
__attribute__((visibility("default"))) extern const struct contestant contestants[];

/* One that judges many at once. */
struct batch {
	const char *name;
	/* How many of the rows are accepted, that lie in data as in a column of Apache Arrow, row k
	 * from offsets[k] up to offsets[k + 1]? */
	size_t (*judge)(const char *data, size_t length, const int32_t *offsets, size_t rows);
};

/* Some have this as well. */
__attribute__((visibility("default"))) extern const struct batch batches[];

#ifdef __cplusplus
}
#endif

#endif
