/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy test: judges the cases of a file, and shows those that end otherwise than they
 * must. */
#include "cli/commands/policy_actions.h"
#include "cli/judge/judge.h"
#include "cli/show/writers.h"
#include "cli/text/emit.h"
#include "common/cases.h"
#include "common/finding_set.h"
#include "common/grow.h"
#include "common/parameter_rule.h"
#include <errno.h>
#include <stdlib.h>

/* A file of cases with its policy, while it is tested. */
struct testing {
	const struct options *options;
	const struct policy_cases *cases;
	struct urivet_loaded *loaded;
	struct output out;
	struct urivet_report report; /* of the current case */
	size_t failed;
	struct urivet_message *used; /* places of the rules that decided a case */
	size_t used_count;
	size_t used_capacity;
};

static const char *file_of(const struct testing *testing)
{
	const char *name = testing->options->reading.operand[1];

	return strcmp(name, "-") == 0 ? "<stdin>" : name;
}

/* ---- One case ------------------------------------------------------------------------- */

static void judge(struct testing *testing, const struct policy_case *one)
{
	const struct urivet_policy *policy = urivet_loaded_policy(testing->loaded);

	if (one->request.size != 0)
		(void)urivet_check_request(&testing->report, one->text, one->length, &one->request,
					   policy, NULL);
	else
		(void)urivet_check(&testing->report, one->text, one->length, policy);
}

static bool is_as_expected(const struct testing *testing, const struct policy_case *one)
{
	if (one->finding == 0)
		return testing->report.verdict == URIVET_ACCEPT;
	return testing->report.verdict == URIVET_REJECT &&
	       judge_refusal(&testing->report, urivet_loaded_policy(testing->loaded),
			     one->finding) != NULL;
}

/* ---- Rules that decided ------------------------------------------------------------------ */

static void use(struct testing *testing, uint32_t tag)
{
	struct urivet_message place;

	if (!urivet_loaded_place(testing->loaded, tag, &place))
		return;
	if (grow(&testing->used, &testing->used_capacity, testing->used_count + 1, sizeof place))
		testing->used[testing->used_count++] = place;
	else
		testing->out.error = ENOMEM;
}

/* Records the rules for parameters that refuse, or that allow what the input would be refused for. */
static void use_parameters(struct testing *testing, const struct policy_case *one)
{
	const struct urivet_text text = {one->text, one->length};
	const struct urivet_policy *policy = urivet_loaded_policy(testing->loaded);
	const struct urivet_report *report = &testing->report;

	if (report->parameter_rule != NULL)
		use(testing, report->parameter_rule->tag);
	for (uint32_t i = 0; i < policy->parameter_count; i++)
		if (report->parameter_allowed && report->verdict == URIVET_ACCEPT &&
		    !is_empty_set(&policy->parameters[i].allowed) &&
		    urivet_loader_parameter_is_about(&policy->parameters[i], report, text))
			use(testing, policy->parameters[i].tag);
}

static void use_rules(struct testing *testing, const struct policy_case *one)
{
	const struct urivet_report *report = &testing->report;

	use_parameters(testing, one);

	if (report->host_rule != NULL)
		use(testing, report->host_rule->tag);
	if (report->address_rule != NULL)
		use(testing, report->address_rule->tag);
	if (report->port_rule != NULL)
		use(testing, report->port_rule->tag);
	if (report->url_rule != NULL)
		use(testing, report->url_rule->tag);
	if (report->path_rule != NULL)
		use(testing, report->path_rule->tag);
}

static bool is_used(const struct testing *testing, const struct urivet_message *rule)
{
	for (size_t i = 0; i < testing->used_count; i++) {
		const struct urivet_message *place = &testing->used[i];

		if (place->line == rule->line && place->column == rule->column &&
		    strcmp(place->file, rule->file) == 0)
			return true;
	}
	return false;
}

/* Writes a rule of the policy that decided no case. Prefixes of NAT64 and of paths that a
 * server strips decide nothing themselves, nor do exceptions. */
static void write_untested(void *context, const struct urivet_message *rule)
{
	static const char nat64[] = "addresses.nat64: ", strip[] = "strip_prefix: ",
			  except[] = "hosts.deny.except: ";
	struct testing *testing = context;

	if (rule->line == 0 || strncmp(rule->text + 2, nat64, strlen(nat64)) == 0 ||
	    strncmp(rule->text + 2, strip, strlen(strip)) == 0 ||
	    strncmp(rule->text + 2, except, strlen(except)) == 0 || is_used(testing, rule))
		return;
	emit(&testing->out, "not tested: ", prose(rule->text + 2), " (", prose(rule->file), ":",
	     rule->line, ")\n");
	/* other lines about the same rule are left out */
	if (grow(&testing->used, &testing->used_capacity, testing->used_count + 1, sizeof *rule))
		testing->used[testing->used_count++] = *rule;
}

/* ---- Output ----------------------------------------------------------------------------- */

static const char *expected_name(const struct policy_case *one)
{
	return one->finding > 0 ? urivet_finding_info(one->finding)->name : "accept";
}

/* Writes "    webhooks.yaml:12:9: https://a.example/: expected url-not-allowed, but it is
 * accepted". */
static void write_failure(struct testing *testing, const struct policy_case *one)
{
	struct output *out = &testing->out;
	const bool accepted = testing->report.verdict == URIVET_ACCEPT;

	emit(out, "    ", prose(file_of(testing)), ":", one->line, ":", one->column, ": ",
	     text_at(one->text, one->length), ": expected ", expected_name(one), ", but it is ",
	     accepted ? "accepted" : "refused for ");
	if (!accepted)
		output_findings(out, &testing->report);
	output_octet(out, '\n');
}

/* Writes ok or failed, what is expected, verdict, findings, group, file, line, input. */
static void write_tsv(struct testing *testing, const struct policy_case *one, bool good)
{
	struct output *out = &testing->out;

	emit(out, good ? "ok\t" : "failed\t", expected_name(one),
	     testing->report.verdict == URIVET_ACCEPT ? "\taccept\t" : "\treject\t");
	output_findings(out, &testing->report);
	emit(out, "\t", one->group != NULL ? text_of(one->group) : text_of("-"), "\t",
	     text_of(file_of(testing)), "\t", one->line, "\t", text_at(one->text, one->length),
	     "\n");
}

static void write_json(struct testing *testing, const struct policy_case *one, bool good)
{
	const struct urivet_report *report = &testing->report;
	struct output *out = &testing->out;

	emit(out, good ? "{\"ok\":true,\"uri\":" : "{\"ok\":false,\"uri\":",
	     json_text(text_at(one->text, one->length), false), ",\"expected\":\"",
	     expected_name(one), "\",\"verdict\":\"",
	     report->verdict == URIVET_ACCEPT ? "accept" : "reject", "\",\"findings\":[");
	output_json_findings(out, report);
	emit(out, "],\"group\":", json_text(text_or_none(one->group), false),
	     ",\"file\":", json_text(text_of(file_of(testing)), false), ",\"line\":", one->line,
	     ",\"column\":", one->column, "}\n");
}

/* What the cases of a group came to. */
struct sum {
	size_t accepted;
	size_t refused;
	size_t failed;
};

/* Writes "ok          2 accepted     1 refused  a port of its own". */
static void write_sum(struct output *out, const struct sum *sum, const char *group)
{
	emit(out,
	     sum->failed == 0 ? painted(STYLE_ACCEPT, "ok    ") : painted(STYLE_REJECT, "failed"));
	emit(out, " ", in_columns(sum->accepted, 5), " accepted ", in_columns(sum->refused, 5),
	     " refused  ", prose(group != NULL ? group : "(no name)"), "\n");
}

/* Judges the cases from `at` to the end of their group. Returns its end. */
static size_t test_group(struct testing *testing, size_t at)
{
	const struct policy_cases *cases = testing->cases;
	const bool human =
	    testing->options->showing.format == FORMAT_HUMAN && !testing->options->showing.quiet;
	const char *group = cases->list[at].group;
	const size_t first = at;
	struct sum sum = {0};

	for (; at < cases->count && cases->list[at].group == group; at++) {
		const struct policy_case *one = &cases->list[at];

		judge(testing, one);
		use_rules(testing, one);
		sum.failed += !is_as_expected(testing, one);
		sum.accepted += testing->report.verdict == URIVET_ACCEPT;
		sum.refused += testing->report.verdict == URIVET_REJECT;
		if (testing->options->showing.quiet || human)
			continue;
		if (testing->options->showing.format == FORMAT_JSON)
			write_json(testing, one, is_as_expected(testing, one));
		else
			write_tsv(testing, one, is_as_expected(testing, one));
	}
	testing->failed += sum.failed;
	if (!human)
		return at;
	write_sum(&testing->out, &sum, group);
	for (size_t i = first; i < at && sum.failed > 0; i++) {
		judge(testing, &cases->list[i]);
		if (!is_as_expected(testing, &cases->list[i]))
			write_failure(testing, &cases->list[i]);
	}
	return at;
}

/* Writes the rules that no case needs, and the number of cases. */
static void write_end(struct testing *testing)
{
	const size_t count = testing->cases->count;
	struct urivet_loaded *base = urivet_load_built_in(urivet_loaded_base(testing->loaded));

	if (base == NULL ||
	    urivet_loaded_differences(base, testing->loaded, write_untested, testing) == SIZE_MAX)
		testing->out.error = ENOMEM;
	urivet_loaded_release(base);
	emit(&testing->out, prose(file_of(testing)), ": ", count, count == 1 ? " case" : " cases",
	     ", ");
	if (testing->failed == 0)
		output_string(&testing->out, "all as expected\n");
	else
		emit(&testing->out, testing->failed, " not as expected\n");
}

/* Judges all cases. Returns false after reporting an error. */
static bool test_all(struct testing *testing)
{
	const struct options *options = testing->options;

	if (!paint_open(&testing->out, options->showing.format == FORMAT_HUMAN
					   ? options->showing.colour
					   : COLOUR_NEVER))
		return false;
	for (size_t at = 0; at < testing->cases->count;)
		at = test_group(testing, at);
	if (options->showing.format == FORMAT_HUMAN && !options->showing.quiet)
		write_end(testing);
	return output_finish(&testing->out);
}

enum status policy_test(const struct options *options)
{
	struct policy_cases cases;
	struct testing testing = {.options = options, .cases = &cases};
	bool good =
	    urivet_loader_cases(&cases, options->reading.operand[1], complain_of_policy, NULL);

	if (good)
		testing.loaded = policy_open(cases.policy);
	good = testing.loaded != NULL && test_all(&testing);
	urivet_loaded_release(testing.loaded);
	free(testing.used);
	urivet_loader_free_cases(&cases);
	return !good ? STATUS_TROUBLE : testing.failed > 0 ? STATUS_REFUSED : STATUS_ACCEPTED;
}
