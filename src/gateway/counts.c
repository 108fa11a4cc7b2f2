/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of requests, findings and durations, written in the Prometheus text format. URLs are
 * never used as labels. */
#include "gateway/counts.h"

#include "common/finding_set.h"
#include "gateway/line.h"

/* Upper bounds of the histogram buckets, in nanoseconds: digits of one figure, as they are written.
 * The last has no bound. */
static const uint64_t bounds[COUNT_BUCKETS] = {200,   500,   1000,   2000,    5000,     10000,
					       20000, 50000, 100000, 1000000, 10000000, UINT64_MAX};

static void add(atomic_ullong *count, unsigned long long more)
{
	(void)atomic_fetch_add_explicit(count, more, memory_order_relaxed);
}

static unsigned long long read_count(atomic_ullong *count)
{
	return atomic_load_explicit(count, memory_order_relaxed);
}

void counts_add(struct counts *counts, size_t server, const struct gate_outcome *outcome)
{
	struct requests *const requests = &counts->requests[server];
	add(outcome->refused    ? &requests->rejected
	    : outcome->observed ? &requests->observed
				: &requests->accepted,
	    1);
	if (!outcome->refused && !outcome->observed)
		return;
	for (EACH_IN_SET(id, &outcome->findings))
		add(&counts->findings[id], 1);
}

void counts_add_connection(struct counts *counts, enum connection_count which)
{
	add(&counts->connections[which], 1);
}

void counts_add_time(struct counts *counts, uint64_t nanoseconds)
{
	unsigned bucket = 0;
	while (nanoseconds > bounds[bucket])
		bucket++;
	add(&counts->within[bucket], 1);
	add(&counts->nanoseconds, nanoseconds);
}

static void put_requests(struct line *page, struct requests *requests, const char *label)
{
	put(page,
	    "urivet_requests_total{verdict=\"accept\"%s} %llu\n"
	    "urivet_requests_total{verdict=\"reject\"%s} %llu\n"
	    "urivet_requests_total{verdict=\"observed\"%s} %llu\n",
	    label, read_count(&requests->accepted), label, read_count(&requests->rejected), label,
	    read_count(&requests->observed));
}

static void put_findings(struct line *page, struct counts *counts)
{
	put(page, "# HELP urivet_findings_total Requests in which the finding refused.\n"
		  "# TYPE urivet_findings_total counter\n");
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		const unsigned long long count = read_count(&counts->findings[id]);
		if (row != NULL && count > 0)
			put(page, "urivet_findings_total{finding=\"%s\"} %llu\n", row->name, count);
	}
}

static void put_durations(struct line *page, struct counts *counts)
{
	unsigned long long nanoseconds, sum = 0;
	put(page, "# HELP urivet_judging_seconds How long judging a request took.\n"
		  "# TYPE urivet_judging_seconds histogram\n");
	for (unsigned i = 0; i < COUNT_BUCKETS; i++) {
		sum += read_count(&counts->within[i]);
		if (bounds[i] < UINT64_MAX)
			put(page, "urivet_judging_seconds_bucket{le=\"%.0e\"} %llu\n",
			    (double)bounds[i] / 1e9, sum);
	}
	put(page, "urivet_judging_seconds_bucket{le=\"+Inf\"} %llu\n", sum);
	nanoseconds = read_count(&counts->nanoseconds);
	put(page,
	    "urivet_judging_seconds_sum %llu.%09llu\nurivet_judging_seconds_count %llu\n"
	    "# HELP urivet_log_lines_lost_total Lines that --log could not write.\n"
	    "# TYPE urivet_log_lines_lost_total counter\nurivet_log_lines_lost_total %llu\n",
	    nanoseconds / 1000000000, nanoseconds % 1000000000, sum, read_count(&counts->lost));
}

static void put_connections(struct line *page, struct counts *counts)
{
	static const char *const names[CONNECTION_COUNTS] = {
	    [CONNECTION_LIMIT] = "limit",
	    [CONNECTION_TLS] = "tls",
	    [CONNECTION_MALFORMED] = "malformed",
	    [CONNECTION_SLOW] = "slow",
	};
	put(page,
	    "# HELP urivet_connections_total Connections that were accepted.\n"
	    "# TYPE urivet_connections_total counter\nurivet_connections_total %llu\n"
	    "# HELP urivet_connections_closed_total Connections closed without an answer.\n"
	    "# TYPE urivet_connections_closed_total counter\n",
	    read_count(&counts->connections[CONNECTION_ACCEPTED]));
	for (unsigned i = 0; i < CONNECTION_COUNTS; i++)
		if (names[i] != NULL)
			put(page, "urivet_connections_closed_total{why=\"%s\"} %llu\n", names[i],
			    read_count(&counts->connections[i]));
	put(page,
	    "# HELP urivet_requests_limited_total Requests refused as their client asks too "
	    "often.\n"
	    "# TYPE urivet_requests_limited_total counter\nurivet_requests_limited_total %llu\n"
	    "# HELP urivet_stale The files loaded last are faulty, and those before in force.\n"
	    "# TYPE urivet_stale gauge\nurivet_stale %d\n",
	    read_count(&counts->connections[CONNECTION_RATE]), atomic_load(&counts->stale));
}

size_t counts_format(char *out, size_t capacity, struct counts *counts, const char *const *labels,
		     size_t servers)
{
	struct line page = {out, capacity, 0};
	put(&page,
	    "# HELP urivet_build_info The version of urivet.\n# TYPE urivet_build_info gauge\n"
	    "urivet_build_info{version=\"%s\"} 1\n"
	    "# HELP urivet_requests_total Requests that were judged; observed: refused, and let go "
	    "on.\n"
	    "# TYPE urivet_requests_total counter\n",
	    urivet_version());
	for (size_t i = 0; i < servers; i++)
		put_requests(&page, &counts->requests[i], labels != NULL ? labels[i] : "");
	put_findings(&page, counts);
	if (labels == NULL) {
		put_durations(&page, counts);
		put_connections(&page, counts);
	}
	return page.length;
}
