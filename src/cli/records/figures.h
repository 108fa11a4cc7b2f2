/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The statistics of a report: accepted and refused records by finding, class, host, scheme, port,
 * length and time. Each worker fills its own figures, which are added to the total block by block
 * in input order. So sums and examples are the same for any number of workers. Memory is bounded
 * for any input: see census.h.
 */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "cli/records/census.h"

#define FIGURES_CLASSES 5u    /* enum urivet_class */
#define FIGURES_LENGTHS 32u   /* length classes: see figures_length_class() */
#define FIGURES_SCHEMES 4096u /* maximum distinct schemes; most inputs have fewer than ten */
#define FIGURES_MINUTE  60    /* seconds: the resolution of times */

struct split {
	uint64_t accepted;
	uint64_t refused;
};

static inline void split_add(struct split *split, bool refused)
{
	split->accepted += !refused;
	split->refused += refused;
}

static inline void split_sum(struct split *split, struct split other)
{
	split->accepted += other.accepted;
	split->refused += other.refused;
}

static inline uint64_t split_total(struct split split)
{
	return split.accepted + split.refused;
}

/* A record with a finding. Secrets are masked, and it is cut to the part around the fault. */
struct figures_example {
	struct figures_example *next;
	uint64_t hash;      /* of the record, to skip duplicates; a collision loses an example */
	const char *source; /* name of the input; NULL: none */
	uint64_t number;    /* of the record, from 1 */
	bool in_host;       /* the octets are those of the Host field of a request */
	bool refused;
	bool cut_before; /* there is more text before and after */
	bool cut_after;
	uint32_t length; /* of the octets shown */
	uint32_t fault;  /* offset and length of the octets at fault */
	uint32_t fault_length;
	uint32_t suggestion; /* length of the suggested spelling, which follows; 0: none */
	uint8_t octets[];
};

struct figures_finding {
	uint64_t records;     /* number of records with it */
	uint64_t refusing;    /* ... that are refused for it, perhaps among others */
	uint64_t occurrences; /* total in these records */
	uint64_t hash;        /* of these records, in any order: the sum of their hashes */
	uint32_t examples;
	struct figures_example *first;
	struct figures_example *last;
};

#define FIGURES_CENSUSES 4u

struct figures {
	uint32_t samples; /* maximum examples of each finding, all different */
	struct split records;
	uint64_t noted;  /* accepted records with notes */
	uint64_t octets; /* of all records, and of the longest */
	uint64_t longest;
	uint64_t dropped;                     /* findings that did not fit into reports */
	uint64_t timeless;                    /* records without the expected time stamp */
	uint64_t refused_by[FIGURES_CLASSES]; /* each record once: its first refusing class */
	struct split lengths[FIGURES_LENGTHS];
	struct figures_finding *finding; /* URIVET_FINDING_LIMIT of them, by finding number */
	union {
		struct {
			struct census hosts; /* in lower case; the empty key: no or empty host */
			struct census schemes;
			struct census ports;   /* decimal; the empty key: none */
			struct census minutes; /* keys are int64_t: minutes since 1970, rounded
						* down */
		};
		struct census census[FIGURES_CENSUSES];
	};
};

/* Returns the class of a length: 0 to 15, 16 to 31, 32 to 63 and so on. */
static inline unsigned figures_length_class(uint64_t length)
{
	unsigned class_ = 0;

	for (length >>= 4; length > 0 && class_ < FIGURES_LENGTHS - 1; length >>= 1)
		class_++;
	return class_;
}

/* Returns the minimum length of a class. */
static inline uint64_t figures_length_from(unsigned class_)
{
	return class_ == 0 ? 0 : UINT64_C(16) << (class_ - 1);
}

/* Returns false if there is no memory; figures_close() must be called in any case. */
bool figures_open(struct figures *figures, uint32_t samples);

/* The functions of struct sums, for which the pointers are to figures. */

/* Initializes the figures of a block, which will be merged into the total. Returns false if there is
 * no memory; then figures_close() is not needed. */
bool figures_open_for(void *made, const void *total);
void figures_close(void *made);

/* Adds the figures of a block to the total and clears them. Returns false if there is no memory. */
bool figures_merge(void *total, void *made);

/* Returns true if a finding has room for an example and none with this hash. */
bool figures_wants(const struct figures_finding *finding, uint32_t samples, uint64_t hash);

/* Adds an example from malloc(), and takes ownership of it. */
void figures_keep(struct figures_finding *finding, struct figures_example *example);

#endif
