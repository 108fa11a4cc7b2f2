/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the policies of a helper, and judges requests by them. */
#include "gateway/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rules {
	struct wanted wanted;
	struct urivet_loaded *loaded;
	struct urivet_loaded *parameters_loaded;
	struct gate_policy policy;
	struct gate_policy parameter_policy;
	struct gate_parameters parameters;
};

static struct urivet_loaded *load(const char *name, urivet_on_message *on_message, void *context)
{
	const int base = urivet_policy_named(name, strlen(name));
	return base >= 0 ? urivet_load_built_in(base) : urivet_load(name, on_message, context);
}

static bool set_parameters(struct rules *rules)
{
	struct urivet_parameter_rules *const asked = &rules->parameters.rules;
	(void)urivet_parameter_rules_init(asked, sizeof *asked);
	asked->names = rules->wanted.names;
	asked->count = rules->wanted.name_count;
	asked->times = rules->wanted.times;
	asked->same_origin = rules->wanted.same_origin;
	asked->policy = rules->parameter_policy.policy;
	rules->parameters.policy = &rules->parameter_policy;
	return urivet_parameter_rules_valid(asked);
}

/* Where messages go. */
struct messages {
	urivet_on_message *take;
	void *context;
};

static void report(const struct messages *to, const char *name, const char *text)
{
	char line[1024];
	const struct urivet_message message = {NULL, 0, 0, line};
	(void)snprintf(line, sizeof line, "the policy \"%s\" %s", name, text);
	if (to->take != NULL)
		to->take(to->context, &message);
}

/* Warns of a policy that does not refuse what its user expects. */
static void warn_of(const struct messages *to, const char *name, const struct gate_policy *policy,
		    const struct wanted *wanted, bool is_target)
{
	const int base = urivet_policy_named(name, strlen(name));
	if (policy->observes && !wanted->observes)
		report(to, name,
		       "refuses nothing, as it has \"mode: observe\": say --observe, or remove "
		       "the mode");
	if (is_target && !wanted->urls && base >= 0 && base != URIVET_GATEWAY)
		report(to, name,
		       "is for whole URLs and not stricter: it accepts /;x/admin; use gateway, or "
		       "a file based on it");
}

static bool load_all(struct rules *rules, const struct messages *to)
{
	const struct wanted *const wanted = &rules->wanted;
	rules->loaded = load(wanted->policy, to->take, to->context);
	rules->parameters_loaded = load(wanted->parameter_policy, to->take, to->context);
	if (rules->loaded == NULL || rules->parameters_loaded == NULL)
		return false;
	if (!gate_takes_values(rules->parameters_loaded)) {
		report(to, wanted->parameter_policy,
		       "of --params-policy has \"parameters\", which a policy for values of "
		       "parameters cannot have");
		return false;
	}
	rules->policy = gate_policy_from(rules->loaded);
	rules->parameter_policy = gate_policy_from(rules->parameters_loaded);
	warn_of(to, wanted->policy, &rules->policy, wanted, true);
	warn_of(to, wanted->parameter_policy, &rules->parameter_policy, wanted, false);
	return set_parameters(rules);
}

struct rules *rules_load(const struct wanted *wanted, urivet_on_message *on_message, void *context)
{
	struct rules *const rules = calloc(1, sizeof *rules);
	if (rules == NULL)
		return NULL;
	rules->wanted = *wanted;
	if (load_all(rules, &(struct messages){on_message, context})) {
		rules->policy.observes |= wanted->observes;
		rules->parameter_policy.observes |= wanted->observes;
		return rules;
	}
	rules_free(rules);
	return NULL;
}

void rules_free(struct rules *rules)
{
	if (rules == NULL)
		return;
	urivet_loaded_release(rules->loaded);
	urivet_loaded_release(rules->parameters_loaded);
	free(rules);
}

struct gate_request rules_request(const struct rules *rules)
{
	struct gate_request request = {.policy = &rules->policy,
				       .explains = rules->wanted.explains};
	(void)urivet_request_init(&request.request, sizeof request.request);
	request.request.scheme = rules->wanted.scheme;
	request.request.port = rules->wanted.port;
	return request;
}

struct gate_outcome rules_refuse(void)
{
	struct gate_outcome outcome = {.judged = true};
	gate_refuse(&outcome, URIVET_F_FIELD_UNREADABLE, false);
	return outcome;
}

struct gate_outcome rules_judge(const struct rules *rules, struct gate_request *request)
{
	struct gate_outcome outcome = {.judged = true};
	const size_t capacity = gate_buffer_capacity(request);
	char *buffer;
	if (!urivet_request_valid(&request->request))
		return rules_refuse();
	gate_judge_target(&outcome, request);
	if (!rules->wanted.parameters)
		return outcome;
	buffer = malloc(capacity);
	gate_judge_parameters(&outcome, request, &rules->parameters, buffer,
			      buffer != NULL ? capacity : 0);
	free(buffer);
	return outcome;
}

struct gate_outcome rules_answer(const struct rules *rules, enum front front,
				 const struct question *question, struct gate_request *request,
				 struct why *why)
{
	*request = rules_request(rules);
	if (!front_read(request, front, question, why))
		return rules_refuse();
	why->what = NULL;
	return rules_judge(rules, request);
}
