/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What gateways ask of a request line, its Host field and one other field: the short way accepts only
 * what the long one accepts, parameters are refused where one of them is, nothing that cannot be read
 * passes, and what is told of a refusal is safe to write anywhere.
 */
#include "oracles.h"
#include "gateway/gate.h"

/* The text up to a line's end, and what follows it. */
static struct urivet_text line_of(struct urivet_text *rest)
{
	const uint8_t *const data = rest->data;
	const uint8_t *const end = rest->length > 0 ? memchr(data, '\n', rest->length) : NULL;
	const size_t length = end != NULL ? (size_t)(end - data) : rest->length;
	const size_t step = end != NULL ? length + 1 : length;
	*rest = urivet_text_of(data + step, rest->length - step);
	return urivet_text_of(data, length);
}

static void tell(const struct gate_outcome *outcome)
{
	char names[GATE_FINDINGS_CAPACITY];
	const size_t length = gate_format_findings(names, sizeof names, outcome);
	const bool rejects = outcome->refused || outcome->observed;
	oracle(length < sizeof names && strlen(names) == length, "the names of all findings have room");
	for (size_t i = 0; i < length; i++)
		oracle(memchr("abcdefghijklmnopqrstuvwxyz0123456789-,", names[i], 38) != NULL, "names are safe");
	oracle(outcome->judged, "something was judged");
	oracle((strcmp(names, "-") != 0) == rejects, "a refusal has a finding, and nothing else has");
	oracle((gate_reason(outcome) == URIVET_REASON_ACCEPTED) == !rejects, "the reason is that of the verdict");
}

static bool refuses(const struct gate_outcome *outcome)
{
	return outcome->refused || outcome->observed;
}

/* The parameters, by the report of the target. */
static void judge_parameters(const struct urivet_report *report, struct urivet_text target,
			     const struct urivet_request *request, const struct gate_policy *policy)
{
	static const struct urivet_text names[] = {{"u", 1}, {"url", 3}};
	const size_t capacity = URIVET_PARAMETERS_CAPACITY(target.length + request->host.length);
	char *const buffer = room_for(capacity);
	const struct urivet_parameter_input input = {target, request, buffer, capacity};
	struct gate_parameters asked = {.policy = policy};
	struct gate_outcome outcome = {0};
	struct urivet_report all = *report, inner;
	if (!urivet_parameter_rules_init(&asked.rules, sizeof asked.rules))
		abort();
	asked.rules.names = names;
	asked.rules.count = 2;
	asked.rules.policy = policy->policy;
	gate_judge_parameters(&outcome, report, &input, &asked);
	all.verdict = URIVET_ACCEPT;
	all.count = all.dropped = 0;
	oracle(refuses(&outcome) == (!report->parsed || urivet_check_parameters(&all, &inner, &input, &asked.rules,
										 NULL) != URIVET_ACCEPT),
	       "parameters are refused where one is, or where none can be read");
	tell(&outcome);
	free(buffer);
}

static void judge(struct urivet_text target, const struct urivet_request *request, const struct gate_policy *policy,
		  const struct gate_policy *inner)
{
	struct gate_outcome quickly = {0}, at_length = {0};
	struct urivet_report report;
	gate_judge_target(&quickly, NULL, target, request, policy);
	gate_judge_target(&at_length, &report, target, request, policy);
	oracle(memcmp(&quickly, &at_length, sizeof quickly) == 0, "the short way is the long one");
	oracle(refuses(&at_length) == (report.verdict != URIVET_ACCEPT), "what is refused is");
	oracle(at_length.observed == (refuses(&at_length) && policy->observes), "what observes lets go on");
	tell(&at_length);
	judge_parameters(&report, target, request, inner);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct gate_policy policies[URIVET_BASES];
	struct urivet_text rest = urivet_text_of(data, length);
	const struct urivet_text line = line_of(&rest), host = line_of(&rest), field = line_of(&rest);
	const struct urivet_text target = gate_target_of_line(line);
	const char *const space = line.length > 0 ? memchr(line.data, ' ', line.length) : NULL;
	struct urivet_request request;
	struct gate_outcome outcome = {0};
	if (policies[0].policy == NULL)
		for (int base = 0; base < URIVET_BASES; base++) {
			struct urivet_loaded *const loaded = urivet_load_built_in(base); /* kept to the end */
			if (loaded == NULL || !gate_policy_from(&policies[base], loaded, NULL))
				abort();
			policies[base].observes = base == URIVET_ANY;
		}
	oracle(target.data == NULL || (target.length > 0 && memchr(target.data, ' ', target.length) == NULL &&
				       space != NULL && (const char *)target.data > space),
	       "a target stands after a space, and has none");
	if (!urivet_request_init(&request, sizeof request))
		abort();
	request.method = urivet_text_of(line.data, space != NULL ? (size_t)(space - (const char *)line.data) : 0);
	request.host = host.length > 0 ? host : urivet_text_of(NULL, 0);
	for (int base = 0; base < URIVET_BASES; base++) {
		request.scheme = base % 2 == 0 ? URIVET_SCHEME_HTTP : URIVET_SCHEME_HTTPS;
		request.port = length % 3 == 0 ? URIVET_NO_PORT : length % 3 == 1 ? 80 : 8443;
		judge(target, &request, &policies[base], &policies[URIVET_PUBLIC]);
	}
	gate_judge_field(&outcome, field, &policies[URIVET_PUBLIC]);
	tell(&outcome);
	return 0;
}
