/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted, in memory that the processes of a front share, and its text for Prometheus. */
#ifndef URIVET_GATEWAY_COUNTS_H
#define URIVET_GATEWAY_COUNTS_H

#include "gateway/gate.h"

#include <stdatomic.h>

#define COUNT_BUCKETS 12

struct counts {
	atomic_ullong accepted;
	atomic_ullong rejected;
	atomic_ullong observed;
	atomic_ullong findings[URIVET_FINDING_LIMIT];
	atomic_ullong within[COUNT_BUCKETS]; /* how long judging took; see counts.c */
	atomic_ullong nanoseconds;
	atomic_uint answering; /* processes */
};

/* Counts a request. */
void counts_add(struct counts *counts, const struct gate_outcome *outcome);

/* Counts how long one was judged. */
void counts_add_time(struct counts *counts, uint64_t nanoseconds);

/* Room for the text. */
#define COUNTS_CAPACITY 65536

/* Writes the text, by snprintf's contract; `timed`: with how long judging took. */
size_t counts_format(char *out, size_t capacity, struct counts *counts, bool timed);

#endif
