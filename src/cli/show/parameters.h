/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameters of an input, judged by the rules of the options. Nothing is kept of them: where they are
 * shown they are judged again, one after the other, in the same memory.
 */
#ifndef CLI_SHOW_PARAMETERS_H
#define CLI_SHOW_PARAMETERS_H

#include "cli/options/parameters.h"
#include "cli/records/octets.h"

/* Memory in which parameters are judged, which grows. */
struct parameter_room {
	char *data;
	size_t size;
};

/* An input, its finished report, and by what its parameters are judged. */
struct parameters {
	const struct urivet_parameter_rules *rules;
	const struct urivet_loaded *loaded;     /* the policy of the rules */
	const struct urivet_suffixes *suffixes; /* NULL: that policy needs none */
	struct urivet_text text;                /* the URI or request target */
	struct urivet_request request;          /* ... of this request; of size 0: a URI */
	const struct urivet_report *report;     /* of the text */
	const struct parameter_room *room;
	struct text
	    masked; /* the text without its secrets, which are not to be shown; no data: all is */
};

/* Octets of room that the parameters of an input are judged in. */
size_t parameters_need(const struct parameters *parameters);

/* Judges all of them, and adds `param-refused` to the report of the input by the policy that it was
 * judged by. With too little room each that is asked for is refused. */
void parameters_judge(const struct parameters *parameters, struct urivet_report *report,
		      const struct urivet_policy *policy);

/* A name of those that were judged, and how many of them have it. */
struct parameter_name {
	struct urivet_span span; /* of the first, in the query */
	uint64_t hash;           /* of the name as decoded: equal ones are compared */
	uint32_t count;
};

/* A walk through those that are judged, 256 at most. */
struct parameter_walk {
	const struct parameters *of;
	struct text query;
	struct urivet_parameter_scan scan;
	unsigned judged;
	unsigned names; /* different ones so far */
	struct parameter_name name[URIVET_MAX_PARAMETERS];
};

/* One of them. The texts stay until the next is judged. */
struct judged_parameter {
	struct text name;           /* as decoded; as it is written where it cannot be */
	uint64_t occurrence;        /* of that name in the query, from 1 */
	struct urivet_parameter at; /* in the query */
	bool accepted;
	bool
	    was_judged; /* else its value has no report: it is not decoded, or there is no memory */
	bool is_suffix; /* nothing but the list of public suffixes refuses it */
	bool secret;    /* it is masked whole */
	struct text value;  /* as decoded; no data: it cannot be */
	struct text judged; /* what the report is about */
	struct urivet_report report;
};

struct parameter_walk parameters_walk(const struct parameters *parameters);

/* The next one; false at the end. */
bool parameters_next(struct parameter_walk *walk, struct judged_parameter *parameter);

/* Is the walk at its end because there are too many? */
bool parameters_too_many(const struct parameter_walk *walk);

/* Why the value has no report, for people. */
const char *parameters_fault(const struct parameter_walk *walk,
			     const struct judged_parameter *parameter);

#endif
