/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Harness for libFuzzer and AFL++ that rewards new ways in which readers differ. The feedback is
 * the hash of which readers accept and which agree on scheme, host and port. libFuzzer gets it as
 * an extra counter; AFL++ has no such counters and gets a branch for each hash. A record with an
 * outcome that no process of this run has seen is appended to DIFFERENTIAL_OUT/found.
 */
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

/* ---- Memory shared by the processes of a run ---------------------------------------------- */

#define SEEN_MOST (1u << 19)

struct shared {
	atomic_ulong executions, apart, accepted, accepted_apart, given_up, kept;
	atomic_ulong seen[SEEN_MOST]; /* keys of outcomes, 0: free */
};

static struct shared *shared;

static void share(void)
{
	const char *folder = getenv("DIFFERENTIAL_OUT");
	char path[PATH_MAX + 64];
	int file;

	snprintf(path, sizeof path, "%s/shared", folder != NULL ? folder : ".");
	file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (folder != NULL && file >= 0 && ftruncate(file, sizeof *shared) == 0)
		shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (shared == NULL || shared == MAP_FAILED) {
		perror("differential: DIFFERENTIAL_OUT");
		exit(2);
	}
	close(file);
}

/* Returns true for the first caller among all processes only. If the table is full, nothing is
 * new. */
static bool first_seen(uint64_t key)
{
	for (unsigned probe = 0; probe < 64; probe++) {
		atomic_ulong *slot = &shared->seen[(key + probe) % SEEN_MOST];
		unsigned long held = 0;

		if (atomic_compare_exchange_strong(slot, &held, key))
			return true;
		if (held == key)
			return false;
	}
	return false;
}

/* ---- Feedback ------------------------------------------------------------------------------- */

#ifdef __AFL_COMPILER

/* One edge for each of 1024 hashes; the operand keeps the compiler from merging the branches. */
#define EDGE(n)                                                                                    \
	case n:                                                                                    \
		__asm__ volatile("" ::"i"(n));                                                     \
		break;
#define EDGES_4(n)   EDGE(n) EDGE((n) + 1) EDGE((n) + 2) EDGE((n) + 3)
#define EDGES_16(n)  EDGES_4(n) EDGES_4((n) + 4) EDGES_4((n) + 8) EDGES_4((n) + 12)
#define EDGES_64(n)  EDGES_16(n) EDGES_16((n) + 16) EDGES_16((n) + 32) EDGES_16((n) + 48)
#define EDGES_256(n) EDGES_64(n) EDGES_64((n) + 64) EDGES_64((n) + 128) EDGES_64((n) + 192)

static void feed_back(uint64_t partition)
{
	switch (partition % 1024) {
		EDGES_256(0) EDGES_256(256) EDGES_256(512) EDGES_256(768)
	}
}

#else

#define COUNTERS (1u << 14)

__attribute__((used, section("__libfuzzer_extra_counters"))) static uint8_t counters[COUNTERS];

static void feed_back(uint64_t partition)
{
	counters[partition % COUNTERS] = 1;
}

#endif

/* ---- The harness ---------------------------------------------------------------------------- */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	size_t count;

	(void)argc;
	(void)argv;
	readers(&count);
	share();
	return 0;
}

static void count_outcome(const struct outcome *outcome)
{
	shared->executions++;
	shared->apart += outcome->apart;
	shared->accepted += outcome->accepted;
	shared->accepted_apart += outcome->accepted && outcome->apart;
	shared->given_up += outcome->given_up;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct outcome outcome;

	if (length > LONGEST_RECORD || (length > 0 && memchr(data, '\0', length) != NULL))
		return -1;
	outcome_of(&outcome, (const char *)data, length);
	count_outcome(&outcome);
	feed_back(outcome.partition);
	if (first_seen(outcome_key(&outcome))) {
		shared->kept++;
		append_record("found", (const char *)data, length);
	}
	return 0;
}
