/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of a report: how many records were accepted and refused, by finding, class, host, scheme,
 * port, length and time. Each worker fills some of its own and adds them to those of all, block by
 * block in the order of the input, so that the sums and the examples are the same for any number of
 * workers. Memory is bounded whatever the input is: see census.h.
 */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "cli/records/census.h"

#define FIGURES_CLASSES 5u    /* enum urivet_class */
#define FIGURES_LENGTHS 32u   /* classes of length: see figures_length_class() */
#define FIGURES_SCHEMES 4096u /* distinct schemes at most; hardly any input has ten */
#define FIGURES_MINUTE  60    /* seconds: as finely as times are counted */

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

/* A record with a finding, secrets masked, cut to what stands around the fault. */
struct figures_example {
	struct figures_example *next;
	uint64_t
	    hash; /* of the record, by which it is known when it comes again; two that collide lose
			     * an example */
	const char *source; /* name of the input; NULL: it has none */
	uint64_t number;    /* of the record, from 1 */
	bool in_host;       /* what is shown is the Host field beside a request target */
	bool refused;
	bool cut_before; /* there is more before and after */
	bool cut_after;
	uint32_t length; /* of what is shown */
	uint32_t fault;  /* in it: offset and length of the octets at fault */
	uint32_t fault_length;
	uint32_t suggestion; /* length of the spelling to write instead, which follows; 0: none */
	uint8_t octets[];
};

struct figures_finding {
	uint64_t records;     /* that have it */
	uint64_t refusing;    /* ... and are refused for it, perhaps beside others */
	uint64_t occurrences; /* in all of them */
	uint32_t examples;
	struct figures_example *first;
	struct figures_example *last;
};

struct figures {
	uint32_t samples; /* examples of each finding, all different */
	struct split records;
	uint64_t noted;  /* accepted, and something is worth knowing about them */
	uint64_t octets; /* of all records, and of the longest */
	uint64_t longest;
	uint64_t dropped;  /* occurrences of findings that a report has no room for */
	uint64_t timeless; /* records without a time stamp, where there should be one */
	uint64_t refused_by[FIGURES_CLASSES]; /* once each: by the first class that refuses */
	struct split lengths[FIGURES_LENGTHS];
	struct figures_finding *finding; /* URIVET_FINDING_LIMIT of them, by number */
	struct census hosts;             /* in lower case; the empty key: none, or an empty one */
	struct census schemes;
	struct census ports;   /* decimal; the empty key: none */
	struct census minutes; /* int64_t: minutes since 1970; what is before rounds down */
};

/* Octets of a length: 0 to 15, then 16 to 31, 32 to 63 and so on. */
static inline unsigned figures_length_class(uint64_t length)
{
	unsigned class_ = 0;

	for (length >>= 4; length > 0 && class_ < FIGURES_LENGTHS - 1; length >>= 1)
		class_++;
	return class_;
}

/* The least length of a class. */
static inline uint64_t figures_length_from(unsigned class_)
{
	return class_ == 0 ? 0 : UINT64_C(16) << (class_ - 1);
}

/* False if there is no memory; figures_close() is to be called all the same. */
bool figures_open(struct figures *figures, uint32_t samples);

/* Those of a block, which will be merged into all; false if there is no memory, and nothing to close. */
bool figures_open_for(struct figures *block, const struct figures *all);
void figures_close(struct figures *figures);

/* Is there room for one more example of a finding, and is that of this hash not there? */
bool figures_wants(const struct figures_finding *finding, uint32_t samples, uint64_t hash);

/* Adds an example, which is of malloc() and belongs to the figures from now on. */
void figures_keep(struct figures_finding *finding, struct figures_example *example);

/* Counts the keys that wait, before anybody looks at them; false if there is no memory. */
bool figures_settle(struct figures *figures);

/* Adds those of a block to those of all, and empties them; false if there is no memory. */
bool figures_merge(struct figures *all, struct figures *block);

#endif
