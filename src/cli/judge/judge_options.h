/* SPDX-License-Identifier: Apache-2.0 */
/* The policy of a run, and what its inputs are. */
#ifndef CLI_JUDGE_OPTIONS_H
#define CLI_JUDGE_OPTIONS_H

#include "cli/judge/parameters.h"
#include "cli/judge/protect.h"
#include "cli/records/source.h"

/* Exit statuses. Trouble takes precedence over a refusal, since some input was not judged. */
enum status { STATUS_ACCEPTED = 0, STATUS_REFUSED = 1, STATUS_TROUBLE = 2 };

/* HTTP request targets as inputs. */
struct target_options {
	bool given;
	const char *host;   /* ... with this Host field; NULL: unknown */
	bool records;       /* each input is a method, a Host field and a target */
	const char *method; /* of the requests; NULL: unknown */
	uint32_t scheme;    /* of the listener: enum urivet_scheme, or URIVET_SCHEME_NONE */
	uint32_t port;      /* ... and its port; 0: unknown */
	struct urivet_request request; /* the request as described by the options above */
};

struct judge_options {
	const char *policy_name;  /* NULL: strict, or the policy of the file */
	const char *policy_path;  /* a policy file; NULL: none */
	const char *protect_path; /* a file of protected names; NULL: only those of the policy */
	struct urivet_finding_set allowed;
	struct urivet_finding_set refused;
	uint32_t max_length; /* UINT32_MAX: that of the policy applies */
	bool observe;        /* refusals are reported, not enforced */
	struct target_options target;
	struct parameter_options parameters;

	/* The result of the options above. */
	struct urivet_policy policy;
	struct urivet_policy spelling;    /* ... without rules for parameters, for suggestions */
	struct urivet_loaded *loaded;     /* the policy of the file; NULL: no file */
	struct urivet_suffixes *suffixes; /* NULL: not needed, or not available */
	bool judges_links;                /* ... about the text of links in HTML */
	bool shows_registrable;           /* output shows registrable domains, by suffixes */
	struct protect protect;           /* from --protect */
	bool plain_strict;                /* the policy is strict, so urivet_ok() alone decides */
	bool judges;                      /* one of the options above was given */
};

/* Returns true if the inputs are request targets. */
static inline bool judges_targets(const struct judge_options *options)
{
	return options->target.given || options->target.records;
}

/* Returns true if refusals are reported but not enforced. */
static inline bool options_observe(const struct judge_options *options)
{
	return options->observe ||
	       (options->loaded != NULL && urivet_loaded_observes(options->loaded));
}

/* Returns the exit status for at least one refused input. */
static inline enum status refused_status(const struct judge_options *options)
{
	return options_observe(options) ? STATUS_ACCEPTED : STATUS_REFUSED;
}

/* Returns the name of the file to judge by that is this one, or NULL: nothing is written to it. */
static inline const char *judged_by_file(const struct judge_options *options,
					 const struct stat *file)
{
	const char *const named[] = {options->policy_path, options->protect_path,
				     options->parameters.policy};

	for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
		if (named[i] != NULL && is_name_of(named[i], file))
			return named[i];
	}
	return NULL;
}

#endif
