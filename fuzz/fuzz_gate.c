/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of a request line, its Host field and one other field, as gateways use it, says what
 * the library says. Parameters are refused if any one of them is, unreadable requests do not pass,
 * and the text about a refusal is safe in any output.
 */
#include "gateway/gate.h"
#include "oracles.h"

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

/* Judges the parameters, using the report of the target. */
static void judge_parameters(const struct urivet_report *report, struct gate_request *r,
			     const struct gate_policy *policy)
{
	static const struct urivet_text names[] = {{"u", 1}, {"url", 3}, {"a_b", 3}};
	const size_t capacity = gate_buffer_capacity(r);
	char *const buffer = room_for(capacity);
	const struct urivet_parameter_input input = {r->target, &r->request, buffer, capacity};
	for (unsigned options = 0; options < 8; options++) {
		struct gate_parameters asked = {.policy = policy};
		struct gate_outcome outcome = {0};
		struct urivet_report all = *report, inner;
		bool refused;
		if (!urivet_parameter_rules_init(&asked.rules, sizeof asked.rules))
			abort();
		asked.rules.names = names;
		asked.rules.count = (options & 1) != 0 ? 0 : 3;
		asked.rules.same_origin = (options & 2) != 0;
		asked.rules.absolute = (options & 4) != 0;
		asked.rules.policy = policy->policy;
		gate_judge_parameters(&outcome, r, &asked, buffer, capacity);
		all.verdict = URIVET_ACCEPT;
		all.count = all.dropped = 0;
		refused = !report->parsed ||
			  urivet_check_parameters(&all, &inner, &input, &asked.rules, NULL) != URIVET_ACCEPT;
		oracle(refuses(&outcome) == refused,
		       "parameters are refused where one is, or where none can be read");
		tell(&outcome);
	}
	free(buffer);
}

static void judge(struct gate_request *r, const struct gate_policy *inner)
{
	struct gate_outcome outcome = {0};
	struct urivet_report report;
	urivet_check_request(&report, r->target, &r->request, r->policy->policy, NULL);
	gate_judge_target(&outcome, r);
	oracle(refuses(&outcome) == (report.verdict != URIVET_ACCEPT), "the target is judged as the library does");
	oracle(outcome.observed == (refuses(&outcome) && r->policy->observes), "what observes lets go on");
	tell(&outcome);
	judge_parameters(&report, r, inner);
}

/* Returns the octet that a field name's octet becomes in a variable name (RFC 3875, 4.1.18). */
static int in_variable(uint8_t c)
{
	return c >= 'a' && c <= 'z' ? c - 32 : c == '-' ? '_' : c;
}

static bool have_one_variable(struct urivet_text a, struct urivet_text b)
{
	const uint8_t *x = a.data, *y = b.data;
	bool same = a.length == b.length;
	for (size_t k = 0; k < a.length && same; k++)
		same = in_variable(x[k]) == in_variable(y[k]);
	return same;
}

/* Compares a name with another name, with its own alternative spelling, and with one octet
 * changed. */
static void judge_names(struct urivet_text name, struct urivet_text other)
{
	uint8_t *const spelled = room_for(name.length);
	const struct urivet_text twin = {spelled, name.length};
	oracle(gate_is_field(name, other) == have_one_variable(name, other),
	       "fields are one where programs cannot tell them apart");
	for (size_t k = 0; k < name.length; k++) {
		const uint8_t c = ((const uint8_t *)name.data)[k];
		spelled[k] = c == '-' ? '_'
			     : c == '_'
				 ? '-'
				 : (uint8_t)((c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? c ^ 0x20 : c);
	}
	oracle(gate_is_field(name, twin), "fields are one where programs cannot tell them apart");
	if (name.length > 0) {
		spelled[name.length - 1] ^= 0x08;
		oracle(gate_is_field(name, twin) == have_one_variable(name, twin),
		       "fields are one where programs cannot tell them apart");
	}
	free(spelled);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct gate_policy policies[URIVET_BASES];
	struct urivet_text rest = urivet_text_of(data, length);
	const struct urivet_text line = up_to(&rest, '\n'), host = up_to(&rest, '\n'), field = up_to(&rest, '\n');
	struct gate_request r = {.target = gate_target_of_line(line)};
	const char *const space = line.length > 0 ? memchr(line.data, ' ', line.length) : NULL;
	struct gate_outcome outcome = {0};
	struct urivet_report report;
	if (policies[0].policy == NULL)
		for (int base = 0; base < URIVET_BASES; base++) {
			struct urivet_loaded *const loaded = urivet_load_built_in(base); /* kept to the end */
			if (loaded == NULL)
				abort();
			policies[base] = gate_policy_from(loaded);
			policies[base].observes = base == URIVET_ANY;
		}
	oracle(r.target.data == NULL || (r.target.length > 0 && memchr(r.target.data, ' ', r.target.length) == NULL &&
					 space != NULL && (const char *)r.target.data > space),
	       "a target stands after a space, and has none");
	if (!urivet_request_init(&r.request, sizeof r.request))
		abort();
	r.request.method = urivet_text_of(line.data, space != NULL ? (size_t)(space - (const char *)line.data) : 0);
	r.request.host = host.length > 0 ? host : urivet_text_of(NULL, 0);
	for (int base = 0; base < URIVET_BASES; base++) {
		r.request.scheme = base % 2 == 0 ? URIVET_SCHEME_HTTP : URIVET_SCHEME_HTTPS;
		r.request.port = length % 3 == 0 ? URIVET_NO_PORT : length % 3 == 1 ? 80 : 8443;
		r.policy = &policies[base];
		judge(&r, &policies[length % 2 == 0 ? URIVET_PUBLIC : URIVET_STRICT]);
	}
	judge_names(line, host);
	gate_judge_field(&outcome, field, &policies[URIVET_PUBLIC]);
	oracle(refuses(&outcome) == (urivet_check(&report, field.data, field.length, policies[URIVET_PUBLIC].policy) !=
				     URIVET_ACCEPT),
	       "a field is judged as the library does");
	tell(&outcome);
	return 0;
}
