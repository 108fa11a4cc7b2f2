/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameters of an input, judged by the rules of the options. Results are not stored: to show
 * them, the parameters are judged again, one by one, in the same memory.
 */
#ifndef CLI_PARAMETERS_H
#define CLI_PARAMETERS_H

#include "common/text/octets.h"
#include <urivet/parameters.h>
#include <urivet/policy.h>

/* ---- Which are judged: --params and related options ------------------------------------- */

/* If zeroed, no parameter is judged. */
struct parameter_options {
	const char *list;   /* names of judged parameters with commas between, or "*"; NULL: none */
	const char *policy; /* ... by this policy: a built-in name or a file; NULL: public */
	uint32_t decode;    /* ... decoded this many times; 0: not given */
	bool same_origin;   /* ... and must stay on the origin */
	/* The result of the options above. */
	struct urivet_parameter_rules rules; /* size 0: no parameter is judged */
	struct urivet_text *names;    /* the names in `rules`; NULL: all that look like a URI */
	struct urivet_loaded *loaded; /* the policy of `rules`; NULL: not loaded */
};

static inline bool parameters_asked(const struct parameter_options *options)
{
	return options->rules.size != 0;
}

/* Sets the names from the list. Returns false after reporting an error; `command` is used in the
 * message. */
bool parameters_name(struct parameter_options *options, const char *command);

/* Loads a built-in policy, or that of a file. Returns NULL after reporting an error. */
struct urivet_loaded *load_named(const char *policy, urivet_on_message *on_message);

/* Loads the policy for values. Returns false after reporting an error. */
bool parameters_load(struct parameter_options *options, urivet_on_message *on_message);

/* Frees what these two functions allocated, even if they failed. */
void parameters_free(struct parameter_options *options);

/* ---- The parameters of an input --------------------------------------------------------- */

/* Growing memory for judging parameters. */
struct parameter_room {
	char *data;
	size_t size;
};

/* An input with its finished report, and the rules for its parameters. */
struct parameters {
	const struct urivet_parameter_rules *rules;
	const struct urivet_loaded *loaded;     /* the policy of `rules` */
	struct urivet_text text;                /* the URI or request target */
	struct urivet_request request;          /* ... of this request; size 0: a URI */
	const struct urivet_report *report;     /* of the text */
	const struct parameter_room *room;
	struct octets masked; /* the text with masked secrets; data is NULL if nothing is masked */
};

/* Returns the octets of memory needed to judge the parameters of an input. */
size_t parameters_need(const struct parameters *parameters);

/* Judges all parameters, and adds `param-refused` to the report of the input by the policy of the
 * input. If the memory is too small, all selected parameters are refused. */
void parameters_judge(const struct parameters *parameters, struct urivet_report *report,
		      const struct urivet_policy *policy);

/* A name of judged parameters, and how many have it. */
struct parameter_name {
	struct urivet_span span; /* position of the first one in the query */
	uint64_t hash;           /* of the decoded name, to find equal names */
	uint32_t count;
};

/* An iteration over the judged parameters, at most 256. */
struct parameter_walk {
	const struct parameters *of;
	struct octets query;
	struct urivet_parameter_scan scan;
	unsigned judged;
	unsigned names; /* number of different names so far */
	struct parameter_name name[URIVET_MAX_PARAMETERS];
};

/* A judged parameter. Its texts are valid until the next call. */
struct judged_parameter {
	struct octets name;         /* decoded; as written if it cannot be decoded */
	uint64_t occurrence;        /* among those with its name, from 1 */
	struct urivet_parameter at; /* position in the query */
	bool accepted;
	bool was_judged; /* false: no report, since it cannot be decoded or there is no memory */
	bool secret;     /* the whole value is masked */
	struct octets value;  /* decoded; data is NULL if it cannot be decoded */
	struct octets judged; /* the text of the report */
	struct urivet_report report;
};

struct parameter_walk parameters_walk(const struct parameters *parameters);

/* Moves to the next parameter. Returns false at the end. */
bool parameters_next(struct parameter_walk *walk, struct judged_parameter *parameter);

/* Returns true if the iteration ended because there are too many parameters. */
bool parameters_too_many(const struct parameter_walk *walk);

/* Returns why the value has no report, for human output. */
const char *parameters_fault(const struct parameter_walk *walk,
			     const struct judged_parameter *parameter);

#endif
