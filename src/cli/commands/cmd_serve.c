/* SPDX-License-Identifier: Apache-2.0 */
/* urivet serve: a helper that other gateways ask before they hand requests on. */
#include "cli/options/nearest.h"
#include "cli/options/options.h"
#include "gateway/serve/lines.h"
#include "gateway/serve/serve.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define CONNECTIONS 1024u
#define SECONDS     10u

/* What is judged by, with the names of parameters in `named`, which has to be freed. False after
 * saying what is wrong. */
static bool settle_wanted(struct wanted *wanted, struct parameter_options *named,
			  const struct options *options)
{
	wanted->policy = options->policy_path != NULL   ? options->policy_path
			 : options->policy_name != NULL ? options->policy_name
							: "gateway";
	wanted->parameter_policy =
	    options->params_policy != NULL ? options->params_policy : "public";
	wanted->parameters = options->params != NULL;
	wanted->same_origin = options->same_origin;
	wanted->observes = options->observe;
	wanted->scheme = options->origin_scheme;
	wanted->port =
	    options->origin_scheme != URIVET_SCHEME_NONE ? options->origin_port : URIVET_NO_PORT;
	wanted->times = options->params_decode == 2 ? 2 : 1;
	if (options->params == NULL)
		return true;
	if (!parameters_name(named, "serve", options->params))
		return false;
	wanted->names = named->rules.names;
	wanted->name_count = named->rules.count;
	return true;
}

static enum status answer_lines(const struct wanted *wanted, enum speaker speaker)
{
	struct rules *rules = rules_load(wanted, complain_of_policy, NULL);
	enum status status = STATUS_TROUBLE;

	if (rules != NULL && lines_run(STDIN_FILENO, STDOUT_FILENO, speaker, rules))
		status = STATUS_ACCEPTED;
	rules_free(rules);
	return status;
}

static bool open_log(struct serve *serve, const char *path)
{
	serve->log = -1;
	if (path == NULL)
		return true;
	serve->log = strcmp(path, "-") == 0
			 ? STDOUT_FILENO
			 : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
	if (serve->log >= 0)
		return true;
	complain("%s: %s", path, strerror(errno));
	return false;
}

static uint32_t processors(void)
{
	const long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count < 1 ? 1 : count > (long)JOBS_MOST ? JOBS_MOST : (uint32_t)count;
}

static enum status answer_http(const struct options *options, const struct wanted *wanted)
{
	struct serve serve = {.front = (enum front)options->from,
			      .listen = options->listen,
			      .metrics = options->metrics,
			      .wanted = *wanted,
			      .jobs = options->jobs > 0 ? options->jobs : processors(),
			      .connections =
				  options->connections > 0 ? options->connections : CONNECTIONS,
			      .seconds = options->timeout > 0 ? options->timeout : SECONDS,
			      .tells_findings = options->tell_findings};
	bool good;

	if (!serve_is_built() || !open_log(&serve, options->log))
		return STATUS_TROUBLE;
	good = serve_run(&serve);
	if (serve.log > STDERR_FILENO)
		(void)close(serve.log);
	return good ? STATUS_ACCEPTED : STATUS_TROUBLE;
}

enum status run_serve(const struct options *options)
{
	struct wanted wanted = {.policy = NULL};
	struct parameter_options named = {0};
	enum status status = STATUS_TROUBLE;

	if (!settle_wanted(&wanted, &named, options))
		; /* it was said */
	else if (options->policy_path != NULL && strcmp(options->policy_path, "-") == 0)
		complain("serve: the policy has to be in a file, which SIGHUP loads again");
	else if (options->speaker >= 0 && (options->from >= 0 || options->listen != NULL || options->metrics != NULL))
		complain("serve: --squid and --apache read standard input: --from, --listen and --metrics are not for them");
	else if (options->speaker >= 0)
		status = answer_lines(&wanted, (enum speaker)options->speaker);
	else if (options->from < 0 || options->listen == NULL)
		complain("serve: needs --from and --listen, or --squid, or --apache");
	else
		status = answer_http(options, &wanted);
	parameters_free(&named);
	return status;
}
