/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files and streams into memory, up to a limit. */
#ifndef COMMON_LOAD_H
#define COMMON_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A file being read. One octet more than `most` is read, to detect that it is too long. */
struct load {
	uint8_t *data; /* the caller frees it */
	size_t length;
	size_t capacity;
	size_t most;
};

/* A function like read(2). */
typedef ssize_t load_reader(void *context, uint8_t *to, size_t size);

/* Reads from the descriptor at *context, an int. Waits for input if there is none yet. */
ssize_t urivet_loader_descriptor(void *context, uint8_t *to, size_t size);

/* Changes the capacity to `wanted` octets, or to what the limit requires. Returns false with errno
 * if memory is short. */
bool urivet_loader_resize(struct load *load, size_t wanted);

/* Reads until `wanted` octets or the end. The buffer must have some capacity, which doubles as
 * needed; at the end it has just the size of its octets. Returns false with errno on errors. */
bool urivet_loader_fill(struct load *load, load_reader *reader, void *context, size_t wanted);

#endif
