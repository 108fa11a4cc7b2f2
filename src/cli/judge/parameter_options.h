/* SPDX-License-Identifier: Apache-2.0 */
/* Which query parameters are judged, and by which rules: --params and related options. */
#ifndef CLI_PARAMETER_OPTIONS_H
#define CLI_PARAMETER_OPTIONS_H

#include <stdbool.h>
#include <urivet/policy.h>
#include <urivet/parameters.h>

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

/* Loads the policy for values. Returns false after reporting an error. */
bool parameters_load(struct parameter_options *options, urivet_on_message *on_message);

/* Frees what these two functions allocated, even if they failed. */
void parameters_free(struct parameter_options *options);

#endif
