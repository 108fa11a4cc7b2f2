/* SPDX-License-Identifier: Apache-2.0 */
/* Which parameters of queries are judged, and by what: --params and the options beside it. */
#ifndef CLI_OPTIONS_PARAMETERS_H
#define CLI_OPTIONS_PARAMETERS_H

#include <stdbool.h>
#include <urivet/policy.h>

/* Zeroed: no parameter is judged. */
struct parameter_options {
	struct urivet_parameter_rules rules; /* a size of 0: none is judged */
	struct urivet_text *names;    /* that the rules point to; NULL: all that look like it */
	struct urivet_loaded *loaded; /* the policy of the rules; NULL: none was loaded */
	bool judges_suffixes;         /* it needs the list of public suffixes */
};

static inline bool parameters_asked(const struct parameter_options *options)
{
	return options->rules.size != 0;
}

/* Makes rules that ask for the names of a list with commas between, or for "*". The list is not
 * copied. False after saying what is wrong with it; `command` is who says so. */
bool parameters_name(struct parameter_options *options, const char *command, const char *list);

/* Loads the policy of the values: the name of a built-in one, a file, or NULL for "public". False
 * after telling what is wrong. */
bool parameters_load(struct parameter_options *options, const char *policy, urivet_tell *tell);

/* Releases what these two allocated, whatever they returned. */
void parameters_free(struct parameter_options *options);

#endif
