/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about a registered name: labels, lengths, hyphens, A-labels. */
#ifndef URIVET_HOST_H
#define URIVET_HOST_H

#include "text/text.h"

/* The results of one pass over a name. */
struct name_facts {
	uint32_t length; /* octets without the final dot */
	uint32_t labels;
	struct urivet_span last; /* the last label that is not empty; empty if there is none */
	bool final_dot;
	bool empty_label, long_label, bad_hyphen; /* true if this holds for some label; a bad
	                                           * hyphen is at its beginning or end */
	bool alabel;                              /* some label begins with "xn--" */
};

/* Collects the facts about the name from `at` to the end of t, in one pass. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(facts);
    assigns *facts;
    ensures at + facts->length <= \max(at, t.end);
    ensures facts->final_dot ==> at < t.end;
    ensures at <= facts->last.offset <= URIVET_MAX_LENGTH;
    ensures facts->last.offset + facts->last.length <= at + facts->length; */
void urivet_name_facts(struct text t, uint32_t at, uint32_t max_label, struct name_facts *facts);

/*@ requires readable(t);
    assigns \nothing; */
static inline bool label_has_bad_hyphen(struct text t, uint32_t at, uint32_t end)
{
	return end > at && (octet(t, at) == '-' || octet(t, end - 1) == '-');
}

/* Returns the end of the label that begins at `at`: a dot or the end of t. */
/*@ requires readable(t);
    assigns \nothing;
    ensures at <= \result <= \max(at, t.end); */
static inline uint32_t label_end(struct text t, uint32_t at)
{
	return find(t, at, DOT);
}

/* Returns true if a label of the name from `at` to the end of t begins with "xn--". */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static inline bool has_alabel(struct text t, uint32_t at)
{
	/*@ loop invariant at <= t.end + 1;
	    loop assigns at;
	    loop variant t.end + 1 - at; */
	while (at < t.end) {
		if (has_word(t, at, "xn--"))
			return true;
		at = label_end(t, at) + 1;
	}
	return false;
}

#endif
