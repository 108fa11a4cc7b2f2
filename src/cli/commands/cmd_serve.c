/* SPDX-License-Identifier: Apache-2.0 */
/* urivet serve: answers requests of gateways for a verdict. */
#include "cli/commands/options.h"
#include "cli/text/emit.h"
#include "common/text/output.h"
#include "gateway/serve.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Fills in the settings of the service. `named` owns the names of parameters and must be freed.
 * Returns false after reporting an error. */
static bool settle_wanted(struct wanted *wanted, struct parameter_options *named,
			  const struct options *options)
{
	const struct judge_options *judging = &options->judging;
	const struct serve_options *serve = &options->serve;

	wanted->policy = judging->policy_path != NULL   ? judging->policy_path
			 : judging->policy_name != NULL ? judging->policy_name
							: "gateway";
	wanted->parameter_policy = named->policy != NULL ? named->policy : "public";
	wanted->parameters = named->list != NULL;
	wanted->same_origin = named->same_origin;
	wanted->observes = judging->observe;
	wanted->any_method = serve->methods == 1;
	wanted->urls = serve->speaker == SPEAKER_SQUID;
	wanted->explains = serve->check || serve->log != NULL;
	wanted->scheme = serve->origin_scheme;
	wanted->port =
	    serve->origin_scheme != URIVET_SCHEME_NONE ? serve->origin_port : URIVET_NO_PORT;
	wanted->times = named->decode == 2 ? 2 : 1;
	if (named->list != NULL && !parameters_name(named, "serve"))
		return false;
	if (named->list != NULL && (strpbrk(named->list, " \t") || strstr(named->list, "$arg_")))
		return complain("serve: --params: '%s' judges nothing: names stand with commas between, "
				"without blanks and $arg_", named->list);
	wanted->names = named->rules.names;
	wanted->name_count = named->rules.count;
	return true;
}

static enum status answer_lines(const struct wanted *wanted, enum speaker speaker)
{
	struct rules *rules = rules_load(wanted, complain_of_policy, NULL);
	const bool good = rules != NULL && lines_run(STDIN_FILENO, STDOUT_FILENO, speaker, rules);

	rules_free(rules);
	return good ? STATUS_ACCEPTED : STATUS_TROUBLE;
}

static uint32_t processors(void)
{
	const long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count < 1 ? 1 : count > (long)JOBS_MOST ? JOBS_MOST : (uint32_t)count;
}

static enum status answer_http(const struct options *options, const struct wanted *wanted)
{
	const struct serve_options *asked = &options->serve;
	struct serve serve = {.front = (enum front)asked->from,
			      .listen = asked->listen,
			      .metrics = asked->metrics,
			      .wanted = *wanted,
			      .network = asked->network,
			      .jobs = options->reading.jobs > 0 ? options->reading.jobs : processors(),
			      .connections = asked->connections > 0 ? asked->connections : 1024,
			      .seconds = asked->timeout > 0 ? asked->timeout : 10,
			      .log = asked->log != NULL ? serve_log_open(asked->log) : -1,
			      .on_message = complain_of_policy,
			      .sends_findings = asked->send_findings};

	return (asked->log == NULL || serve.log >= 0) && serve_run(&serve) ? STATUS_ACCEPTED
									   : STATUS_TROUBLE;
}

/* Makes the request that a client would send for a URL; the room is as long. False: after an error. */
static bool read_request(struct gate_request *request, const char *url, char *room)
{
	const char *const host = strstr(url, "://");
	const size_t scheme = host != NULL ? (size_t)(host - url) : 0;
	const size_t length = host != NULL ? strcspn(host + 3, "/?#") : 0;

	if (host == NULL ||
	    !front_read_scheme(&request->request.scheme, urivet_text_of(url, scheme)))
		return complain("serve: --check takes a URL that begins with http:// or https://, not "
				"'%s'", url);
	request->request.method = urivet_text_of("GET", 3);
	request->request.host = urivet_text_of(host + 3, length);
	(void)snprintf(room, strlen(url), "%s%.*s", host[3 + length] == '/' ? "" : "/",
		       (int)strcspn(host + 3 + length, "#"), host + 3 + length);
	request->target = urivet_text_of(room, strlen(room));
	return true;
}

static void show_question(struct output *out, const struct question *question)
{
	emit(out, raw_text(from_library(question->method)), " ", from_library(question->target),
	     " HTTP/1.1\n");
	for (size_t i = 0; i < question->count; i++)
		emit(out, raw_text(from_library(question->fields[i].name)), ": ",
		     from_library(question->fields[i].value), "\n");
}

static void show(struct output *out, const struct question *question,
		 const struct gate_outcome *outcome, const struct why *why)
{
	char findings[GATE_FINDINGS_CAPACITY], more[4 * GATE_EXPLAINED];

	show_question(out, question);
	emit(out, "\n", outcome->refused ? "403" : "200", outcome->observed ? " (observed) " : " ");
	if (outcome->refused || outcome->observed) {
		(void)gate_format_findings(findings, sizeof findings, outcome);
		(void)gate_explain(more, sizeof more, outcome);
		emit(out, findings, more);
	} else {
		output_string(out, "accepted");
	}
	if (why->what != NULL)
		emit(out, ": ", why->field != NULL ? why->field : "the question", " ", why->what);
	output_octet(out, '\n');
}

/* Shows what the gateway would send for a URL, and the answer. */
static enum status check_url(const struct options *options, const struct wanted *wanted)
{
	const enum front front = (enum front)options->serve.from;
	const char *const url = options->reading.operand[0];
	struct rules *const rules = rules_load(wanted, complain_of_policy, NULL);
	char *const server = malloc(2 * strlen(url) + 1);
	struct field fields[FRONT_FIELDS];
	struct gate_request asked = {.policy = NULL}, read;
	struct gate_outcome outcome;
	struct question question;
	struct output out;
	struct why why = {NULL, NULL};
	enum status status = STATUS_TROUBLE;

	if (rules != NULL && server != NULL &&
	    read_request(&asked, url, server + strlen(url) + 1) &&
	    output_open(&out, STDOUT_FILENO, OUTPUT_ROOM)) {
		front_ask(&question, fields, server, front, &asked);
		outcome = rules_answer(rules, front, &question, &read, &why);
		if (!options->showing.quiet)
			show(&out, &question, &outcome, &why);
		if (output_finish(&out))
			status = outcome.refused ? STATUS_REFUSED : STATUS_ACCEPTED;
	}
	rules_free(rules);
	free(server);
	return status;
}

/* Returns an error message if options conflict or one is missing, else NULL. */
static const char *wrong_use(const struct options *options)
{
	const struct serve_options *serve = &options->serve;
	const char *const misuse = network_misuse(&serve->network, serve->listen);

	if (misuse != NULL)
		return misuse;
	if (serve->check != (options->reading.operands > 0))
		return serve->check ? "--check needs a URL" : "a URL needs --check";
	if (serve->check && serve->from < 0)
		return "--check needs --from";
	if (serve->check && serve->config == NULL &&
	    (serve->listen != NULL || serve->metrics != NULL || serve->log != NULL))
		return "--check answers one URL: --listen, --metrics and --log are not for it";
	if (serve->metrics != NULL && strcmp(serve->metrics, SERVE_PASSED) == 0)
		return "the service manager passes one socket, for --listen and not for --metrics";
	if (options->judging.policy_path != NULL && strcmp(options->judging.policy_path, "-") == 0)
		return "the policy has to be in a file, which SIGHUP loads again";
	if (serve->methods != 0 && serve->from != FRONT_ENVOY && serve->from != FRONT_PATH)
		return "--methods is for --from=envoy and --from=path";
	if (serve->speaker == SPEAKER_SQUID && serve->origin_scheme != URIVET_SCHEME_NONE)
		return "--origin is not for --squid, which asks about URLs of any origin";
	if (serve->speaker != SPEAKER_NONE && (serve->from >= 0 || serve->listen != NULL ||
	    serve->metrics != NULL || serve->log != NULL || serve->send_findings ||
	    options->reading.jobs > 0 || serve->connections > 0 || serve->timeout > 0))
		return "--squid and --apache read standard input: --from, --listen, --log and "
		       "others of HTTP are not for them";
	return !serve->check && serve->speaker == SPEAKER_NONE &&
		       (serve->from < 0 || serve->listen == NULL)
		   ? "needs --from and --listen, or --squid, or --apache"
		   : NULL;
}

enum status run_serve(const struct options *options)
{
	struct wanted wanted = {.policy = NULL};
	struct parameter_options named = options->judging.parameters;
	const char *const wrong = wrong_use(options);
	const enum speaker speaker = (enum speaker)options->serve.speaker;
	enum status status = STATUS_TROUBLE;

	if (wrong != NULL)
		complain("serve: %s", wrong);
	else if (settle_wanted(&wanted, &named, options))
		status = options->serve.check      ? check_url(options, &wanted)
			 : speaker != SPEAKER_NONE ? answer_lines(&wanted, speaker)
						   : answer_http(options, &wanted);
	parameters_free(&named);
	return status;
}
