/* SPDX-License-Identifier: Apache-2.0 */
/* What bench.c loads: each contestant, or each build of one, is a shared object of its own. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

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

#ifdef __cplusplus
}
#endif

#endif
