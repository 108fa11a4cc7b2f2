/* SPDX-License-Identifier: Apache-2.0 */
/* Counters in memory shared by all processes of a gateway, and their Prometheus text. */
#ifndef URIVET_GATEWAY_COUNTS_H
#define URIVET_GATEWAY_COUNTS_H

#include "gateway/gate.h"

#include <stdatomic.h>

#define COUNT_BUCKETS 12

/* What happens to the connections of a helper. */
enum connection_count {
	CONNECTION_ACCEPTED = 0,
	CONNECTION_LIMIT,     /* closed: its client has too many */
	CONNECTION_TLS,       /* closed: no agreement on TLS */
	CONNECTION_MALFORMED, /* closed: no request that is read */
	CONNECTION_SLOW,      /* closed in the middle of a request or answer */
	CONNECTION_RATE,      /* refused: a request of a client that asks too often */
	CONNECTION_COUNTS
};

struct requests {
	atomic_ullong accepted;
	atomic_ullong rejected;
	atomic_ullong observed;
};

struct counts {
	atomic_ullong findings[URIVET_FINDING_LIMIT];
	atomic_ullong within[COUNT_BUCKETS]; /* number of durations per bucket; see counts.c */
	atomic_ullong nanoseconds;
	atomic_ullong lost;    /* lines of the log */
	atomic_uint answering; /* number of processes that serve requests */
	atomic_bool stale;     /* the files loaded last are faulty, and those before in force */
	atomic_bool ending;
	atomic_ullong connections[CONNECTION_COUNTS];
	struct requests requests[]; /* of each server; a helper has one */
};

#define COUNTS_SIZE(servers) (sizeof(struct counts) + (servers) * sizeof(struct requests))

/* Counts one request to a server and the findings that refused it. */
void counts_add(struct counts *counts, size_t server, const struct gate_outcome *outcome);

/* Counts a connection of a helper. */
void counts_add_connection(struct counts *counts, enum connection_count which);

/* Counts the time that judging one request took. */
void counts_add_time(struct counts *counts, uint64_t nanoseconds);

/* Buffer size that suffices for the text of a helper. */
#define COUNTS_CAPACITY 65536

/* Writes the counters in the Prometheus text format and returns the length, as snprintf does. The
 * requests of each of `servers` have a label. Without labels it is a helper: with durations. */
size_t counts_format(char *out, size_t capacity, struct counts *counts, const char *const *labels,
		     size_t servers);

#endif
