/* SPDX-License-Identifier: Apache-2.0 */
/* Judges what the core does not: public suffixes, and parameters by rules of their own. */
#include "policyfile/parameters.h"
#include "common/finding_set.h"
#include "policyfile/reader.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rules ------------------------------------------------------------------------ */

const char *const urivet_loader_parameter_flags[PARAMETER_FLAGS] = {
    "same_origin", "rooted", "absolute", "any_case", "semicolons"};

bool *urivet_loader_parameter_flag(struct parameter_rule *rule, unsigned flag)
{
	bool *const flags[PARAMETER_FLAGS] = {&rule->rules.same_origin, &rule->rooted,
					      &rule->rules.absolute, &rule->rules.any_case,
					      &rule->rules.semicolons};

	return flags[flag];
}

bool urivet_loader_parameter_may_allow(unsigned id)
{
	return id != URIVET_F_HOST_MISSING && can_waive_by_path_rule(id);
}

bool urivet_loader_parameter_is_plain(const char *name)
{
	static const char octets[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_.~!$'()*,:@/-[]";

	return strcmp(name, "*") != 0 && name[strspn(name, octets)] == '\0';
}

static bool is_empty(const struct urivet_finding_set *set)
{
	static const struct urivet_finding_set empty;

	return memcmp(set, &empty, sizeof empty) == 0;
}

/* Sets the policy of a rule. Returns false if it cannot judge values. */
static bool settle_policy(struct parameter_rule *rule)
{
	struct urivet_policy *policy = &rule->policy_with_waivers;

	if (!rule->judges)
		return rule->by == NULL;
	if (rule->by == NULL || rule->by->parameters > 0 || rule->by->observes)
		return false;
	*policy = rule->by->policy;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
		if (in_set(&rule->allowed, id) && !urivet_policy_waive(policy, id))
			return false;
	rule->rules.policy = policy;
	return true;
}

static bool settle(struct parameter_rule *rule)
{
	const bool all = strcmp(rule->name, "*") == 0;

	rule->rules.size = sizeof rule->rules;
	rule->text = urivet_text_of(rule->name, strlen(rule->name));
	rule->rules.names = all ? NULL : &rule->text;
	rule->rules.count = !all;
	rule->allows = !is_empty(&rule->allowed);
	if (rule->allows && !urivet_loader_parameter_is_plain(rule->name))
		return false;
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		if (in_set(&rule->allowed, id) && !urivet_loader_parameter_may_allow(id))
			return false;
	return urivet_loader_is_text(rule->name) &&
	       (!rule->judges || urivet_loader_is_text(rule->policy)) && (rule->judges || rule->allows) &&
	       !(rule->rooted && rule->rules.absolute) && settle_policy(rule) &&
	       urivet_parameter_rules_valid(&rule->rules);
}

bool urivet_loader_settle_parameters(struct urivet_loaded *loaded)
{
	for (uint32_t i = 0; i < loaded->parameters; i++)
		if (!settle(&loaded->parameter[i]))
			return false;
	return true;
}

const struct parameter_rule *urivet_loader_parameter(const struct urivet_loaded *loaded,
						     size_t index)
{
	return index < loaded->parameters ? &loaded->parameter[index] : NULL;
}

const char *urivet_loaded_parameter(const struct urivet_loaded *loaded, size_t index)
{
	return index < loaded->parameters ? loaded->parameter[index].name : NULL;
}

bool urivet_loader_parameter_is_about(const struct parameter_rule *rule,
				      const struct urivet_report *report, struct urivet_text text)
{
	const struct urivet_parameter_input input = {.text = text}; /* without room for a value */
	struct urivet_text query = {NULL, 0};
	struct urivet_parameter_scan scan = {.semicolons = rule->rules.semicolons};
	struct urivet_parameter parameter;
	struct urivet_report inner;

	if (report->parsed)
		query = urivet_part(&report->uri, URIVET_QUERY, text, query);
	scan.data = query.data;
	scan.length = query.length;
	while (urivet_parameter_next(&scan, &parameter))
		if (urivet_check_parameter(&inner, NULL, &parameter, report, &input,
					   &rule->rules) != URIVET_PARAMETER_NOT_ASKED)
			return true;
	return false;
}

/* ---- The input ---------------------------------------------------------------------- */

/* An input with its finished report. */
struct judged {
	const struct urivet_loaded *loaded;
	struct urivet_report *report;
	const struct urivet_policy *policy; /* by which the report was made */
	struct urivet_parameter_input input;
	uint32_t tag; /* of the first rule found that refuses a value */
};

/* Returns the octets after the first "?", up to a "#". Data is NULL if there is no "?". */
static struct urivet_text query_of(struct urivet_text text)
{
	const char *at = text.data;
	const char *end = text.length > 0 ? memchr(at, '#', text.length) : NULL;
	const size_t length = end != NULL ? (size_t)(end - at) : text.length;
	const char *mark = length > 0 ? memchr(at, '?', length) : NULL;

	if (mark == NULL)
		return urivet_text_of(NULL, 0);
	return urivet_text_of(mark + 1, (size_t)(at + length - mark) - 1);
}

/* ---- Findings that values may have ------------------------------------------------------ */

/* Returns the length of a bracket, raw or percent-encoded, at the beginning of the text; 0 if
 * there is none. */
static size_t bracket_length(const char *text, size_t length, char bracket)
{
	const char last = bracket == '[' ? 'b' : 'd';

	if (length > 0 && text[0] == bracket)
		return 1;
	return length > 2 && text[0] == '%' && text[1] == '5' && (text[2] | 0x20) == last ? 3 : 0;
}

/* Returns true if the octets of a name in a query are those of the rule, before any decoding.
 * Brackets may be percent-encoded, as browsers do. */
static bool is_written(const char *name, const char *text, size_t length)
{
	const bool members = strlen(name) > 3 && strcmp(name + strlen(name) - 3, "[*]") == 0;
	const char *const end = name + strlen(name) - (members ? 2 : 0);
	size_t last;

	for (; name < end; name++) {
		const size_t taken = *name == '[' || *name == ']'
					 ? bracket_length(text, length, *name)
					 : length > 0 && *text == *name;

		if (taken == 0)
			return false;
		text += taken;
		length -= taken;
	}
	if (!members || length == 0)
		return !members && length == 0;
	last = text[length - 1] == ']' || length < 3 ? 1 : 3;
	return bracket_length(text + length - last, last, ']') == last;
}

/* Returns true if the rule allows findings in the value of this parameter. A value with a ";" has
 * two readings: where it separates parameters, the rest is another one. */
static bool allows_in(const struct parameter_rule *rule, const struct urivet_parameter *parameter,
		      const char *query)
{
	const char *name = query + parameter->name.offset;

	if (!rule->allows || parameter->value.length == 0 || parameter->name.length == 0 ||
	    (name[0] != rule->name[0] && rule->name[0] != '[' && rule->name[0] != ']'))
		return false;
	return is_written(rule->name, name, parameter->name.length) &&
	       memchr(query + parameter->value.offset, ';', parameter->value.length) == NULL;
}

static bool allows_the_same(const struct parameter_rule *a, const struct parameter_rule *b)
{
	return a->allows && b->allows && memcmp(&a->allowed, &b->allowed, sizeof a->allowed) == 0;
}

/* Replaces values in which rules allow findings by letters, except where one allows the same as the
 * rule `shown`. Returns true if there are such values, or any values to mask if it is NULL. */
static bool mask_values(const struct judged *j, const struct parameter_rule *shown, char *copy)
{
	const struct urivet_text query = query_of(j->input.text);
	const char *at = query.data;
	struct urivet_parameter_scan scan = {query.data, query.length, 0, false};
	struct urivet_parameter parameter;
	bool any = false;

	memcpy(copy, j->input.text.data, j->input.text.length);
	if (at == NULL)
		return false;
	copy += at - (const char *)j->input.text.data;
	while (urivet_parameter_next(&scan, &parameter)) {
		bool allowed = false, shows = false;

		for (uint32_t i = 0; i < j->loaded->parameters && !shows; i++) {
			const struct parameter_rule *rule = &j->loaded->parameter[i];

			if (!allows_in(rule, &parameter, at))
				continue;
			allowed = true;
			shows = shown != NULL && allows_the_same(rule, shown);
		}
		any = any || (shown != NULL ? shows : allowed);
		if (allowed && !shows)
			memset(copy + parameter.value.offset, 'a', parameter.value.length);
	}
	return any;
}

/* Judges a copy of the input, with the findings waived that the rule allows. */
static enum urivet_verdict judge_copy(const struct judged *j, const struct parameter_rule *rule,
				      const char *copy, struct urivet_report *report)
{
	const struct urivet_text text = urivet_text_of(copy, j->input.text.length);
	struct urivet_policy policy = {0};

	memcpy(&policy, j->policy,
	       j->policy->size < sizeof policy ? j->policy->size : sizeof policy);
	for (unsigned id = 1; rule != NULL && id < URIVET_FINDING_LIMIT; id++)
		if (in_set(&rule->allowed, id))
			(void)urivet_policy_waive(&policy, id);
	return j->input.request != NULL
		   ? urivet_check_request(report, text, j->input.request, &policy, NULL)
		   : urivet_check(report, text.data, text.length, &policy);
}

/* Returns true if rules could allow every finding that refuses. Others, such as cross-origin, may be
 * of functions that judge more than a copy of the input shows. */
static bool refuses_what_can_be_allowed(const struct judged *j)
{
	const struct urivet_report *report = j->report;

	for (uint32_t i = 0; i < report->count; i++)
		if (urivet_finding_refuses(report, &report->finding[i], j->policy) &&
		    !urivet_loader_parameter_may_allow(report->finding[i].id))
			return false;
	return report->dropped == 0;
}

/* Returns true if an earlier rule allows the same as rule `i`. */
static bool is_repeated(const struct urivet_loaded *loaded, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (allows_the_same(&loaded->parameter[k], &loaded->parameter[i]))
			return true;
	return false;
}

/* Accepts an input that is refused only for what rules allow in values. It has to be accepted with
 * these values masked, and for each set of findings that rules allow, with their values shown and
 * these findings waived. The report is then that of the masked input. */
static void judge_values(const struct judged *j)
{
	struct urivet_report *report = j->report, masked, shown;
	const uint32_t size = report->size;

	if (!refuses_what_can_be_allowed(j) || j->input.capacity < j->input.text.length + 1 ||
	    !mask_values(j, NULL, j->input.buffer) ||
	    judge_copy(j, NULL, j->input.buffer, &masked) != URIVET_ACCEPT)
		return;
	for (uint32_t i = 0; i < j->loaded->parameters; i++) {
		const struct parameter_rule *rule = &j->loaded->parameter[i];

		if (rule->allows && !is_repeated(j->loaded, i) &&
		    mask_values(j, rule, j->input.buffer) &&
		    judge_copy(j, rule, j->input.buffer, &shown) != URIVET_ACCEPT)
			return;
	}
	memcpy(report, &masked, size < sizeof masked ? size : sizeof masked);
	report->size = size;
}

/* ---- Values that are URLs or paths ------------------------------------------------------ */

/* Returns true if every reader takes the value as a path from the root: a second slash or a
 * backslash would begin an authority, and some readers delete blanks and octets above 0x7F. */
static bool is_rooted(struct urivet_text value)
{
	const unsigned char *at = value.data;

	return value.length > 0 && at[0] == '/' &&
	       (value.length == 1 ||
		(at[1] != '/' && at[1] != '\\' && at[1] > ' ' && at[1] < 0x7F));
}

/* Returns true if the rule accepts the parameter or does not select it; *selected says which.
 * Without `room` for its value, a selected parameter is refused. */
static bool accepts(const struct judged *j, const struct parameter_rule *rule,
		    const struct urivet_parameter *parameter, bool room, bool *selected)
{
	struct urivet_report inner;
	struct urivet_parameter_texts texts;
	struct urivet_parameter_input input = j->input;
	enum urivet_parameter_result result;

	input.capacity = room ? input.capacity : 0;
	result = urivet_check_parameter(&inner, &texts, parameter, j->report, &input, &rule->rules);

	*selected = result != URIVET_PARAMETER_NOT_ASKED;
	if (!*selected)
		return true;
	return result == URIVET_PARAMETER_ACCEPTED && (!rule->rooted || is_rooted(texts.value)) &&
	       urivet_suffixes_judge(rule->by->suffixes, &inner, texts.judged,
				     urivet_text_of(NULL, 0),
				     rule->rules.policy) == URIVET_ACCEPT;
}

static bool is_word(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const char lower = (char)(text[i] | 0x20);

		if ((lower < 'a' || lower > 'z') && (text[i] < '0' || text[i] > '9'))
			return false;
	}
	return true;
}

/* Returns true if the parameter certainly has another name than the rule: both are of letters and
 * digits, which every reader takes as they are. */
static bool has_another_name(const struct parameter_rule *rule, const char *name, size_t length)
{
	return rule->rules.count > 0 && length > 0 &&
	       (length != rule->text.length || (name[0] | 0x20) != (rule->name[0] | 0x20)) &&
	       is_word(name, length) && is_word(rule->name, rule->text.length);
}

/* Returns the first rule that refuses the parameter, or NULL. Counts what each rule judges. */
static const struct parameter_rule *refusing_rule(const struct judged *j, const char *name,
						  const struct urivet_parameter *parameter,
						  bool semicolons,
						  uint32_t counts[PARAMETER_RULES_MOST])
{
	for (uint32_t i = 0; i < j->loaded->parameters; i++) {
		const struct parameter_rule *rule = &j->loaded->parameter[i];
		bool selected = false, good;

		if (!rule->judges || rule->rules.semicolons != semicolons ||
		    has_another_name(rule, name, parameter->name.length))
			continue;
		good = accepts(j, rule, parameter, counts[i] < URIVET_MAX_PARAMETERS, &selected);
		counts[i] += selected;
		if (!good)
			return rule;
	}
	return NULL;
}

/* Judges the values that rules select, each as a URL or a path. Parameters are separated by ";" as
 * well for some rules. */
static void judge_references(struct judged *j, bool semicolons)
{
	const struct urivet_span whole = j->report->uri.part[URIVET_QUERY];
	const struct urivet_text query = urivet_part(&j->report->uri, URIVET_QUERY, j->input.text,
						     urivet_text_of(NULL, 0));
	struct urivet_parameter_scan scan = {query.data, query.length, 0, semicolons};
	uint32_t counts[PARAMETER_RULES_MOST] = {0};
	struct urivet_parameter parameter;

	while (urivet_parameter_next(&scan, &parameter)) {
		const char *name = (const char *)query.data + parameter.name.offset;
		const struct parameter_rule *rule =
		    refusing_rule(j, name, &parameter, semicolons, counts);
		struct urivet_span value = parameter.value;

		if (rule == NULL)
			continue;
		value.offset += whole.offset;
		(void)urivet_add_finding(j->report, URIVET_F_PARAM_REFUSED, URIVET_QUERY, value,
					 j->policy);
		j->tag = j->tag == URIVET_TAG_NONE ? rule->tag : j->tag;
	}
}

static void judge_parameters(struct judged *j)
{
	const struct urivet_loaded *loaded = j->loaded;
	bool allows = false, judges[2] = {false, false}; /* without and with semicolons */

	for (uint32_t i = 0; i < loaded->parameters; i++) {
		const struct parameter_rule *rule = &loaded->parameter[i];

		allows = allows || rule->allows;
		judges[rule->rules.semicolons] |= rule->judges;
	}
	if (allows && j->report->verdict == URIVET_REJECT)
		judge_values(j);
	for (unsigned semicolons = 0; j->report->parsed && semicolons < 2; semicolons++)
		if (judges[semicolons])
			judge_references(j, semicolons != 0);
}

/* ---- The whole -------------------------------------------------------------------------- */

/* Size of a buffer on the stack, which suffices for most inputs. */
#define BUFFER_USUAL 4096u

/* Returns true if an input has a query that can be judged. */
static bool has_query(const struct judged *j)
{
	return j->input.text.length <= j->policy->max_length &&
	       query_of(j->input.text).data != NULL;
}

/* Judges parameters with memory for any value. Without memory, all values are refused. */
static void judge_with_buffer(struct judged *j)
{
	const struct urivet_request *request = j->input.request;
	const size_t host = request != NULL ? request->host.length : 0;
	const size_t capacity = URIVET_PARAMETERS_CAPACITY(j->input.text.length + host);
	char usual[BUFFER_USUAL], *more = capacity > sizeof usual ? malloc(capacity) : NULL;

	j->input.buffer = capacity > sizeof usual ? more : usual;
	j->input.capacity = j->input.buffer != NULL ? capacity : 0;
	judge_parameters(j);
	j->input.buffer = NULL;
	free(more);
}

enum urivet_verdict urivet_loaded_judge(struct urivet_report *report, struct urivet_text input,
					const struct urivet_request *request,
					const struct urivet_loaded *loaded,
					const struct urivet_policy *policy, uint32_t *tag)
{
	struct judged j = {loaded, report, policy, {input, request, NULL, 0}, URIVET_TAG_NONE};

	if (tag != NULL)
		*tag = URIVET_TAG_NONE;
	/* the smallest report that the core fills */
	if (report == NULL || report->size < offsetof(struct urivet_report, url_rule))
		return URIVET_REJECT;
	if (loaded == NULL)
		return urivet_add_finding(report, URIVET_F_POLICY_INVALID, URIVET_WHOLE,
					  (struct urivet_span){0, 0}, policy);
	if (policy == NULL)
		j.policy = &loaded->policy;
	if (loaded->parameters > 0 && has_query(&j))
		judge_with_buffer(&j);
	if (loaded->suffixes != NULL && has_rule(j.policy, URIVET_F_HOST_PUBLIC_SUFFIX))
		(void)urivet_suffixes_judge(
		    loaded->suffixes, report, input,
		    request != NULL ? request->host : urivet_text_of(NULL, 0), j.policy);
	if (tag != NULL)
		*tag = j.tag;
	return report->verdict;
}
