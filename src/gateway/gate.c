/* SPDX-License-Identifier: Apache-2.0 */
/* Judging a request piece by piece, and what came of it. */
#include "gateway/gate.h"

#include <string.h>

/* ---- Policies ------------------------------------------------------------------ */

bool gate_wants_suffixes(const struct urivet_loaded *loaded)
{
	const struct urivet_policy *policy = urivet_loaded_policy(loaded);
	const unsigned id = URIVET_F_HOST_PUBLIC_SUFFIX;
	return policy != NULL && (policy->raised.bits[id / 64] >> id % 64 & 1) != 0;
}

bool gate_policy_from(struct gate_policy *policy, const struct urivet_loaded *loaded,
		      const struct urivet_suffixes *suffixes)
{
	policy->policy = urivet_loaded_policy(loaded);
	policy->suffixes = gate_wants_suffixes(loaded) ? suffixes : NULL;
	policy->observes = urivet_loaded_observes(loaded);
	return policy->policy != NULL && (suffixes != NULL || !gate_wants_suffixes(loaded));
}

/* ---- What came of it ----------------------------------------------------------- */

enum urivet_reason gate_reason(const struct gate_outcome *outcome)
{
	if (!outcome->refused && !outcome->observed)
		return outcome->judged ? URIVET_REASON_ACCEPTED : URIVET_REASON_NOT_ALLOWED;
	return outcome->secret ? URIVET_REASON_NOT_ALLOWED : URIVET_REASON_UNCLEAR;
}

size_t gate_format_findings(char *out, size_t capacity, const struct gate_outcome *outcome)
{
	size_t length = 0;
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		if (row == NULL || (outcome->findings[id / 64] >> id % 64 & 1) == 0)
			continue;
		if (length != 0 && length++ < capacity)
			out[length - 1] = ',';
		for (const char *c = row->name; *c != '\0'; c++)
			if (length++ < capacity)
				out[length - 1] = *c;
	}
	if (length == 0 && length++ < capacity)
		out[0] = '-';
	if (capacity > 0)
		out[length < capacity ? length : capacity - 1] = '\0';
	return length;
}

/* Something was refused. */
static void note_refusal(struct gate_outcome *outcome, bool observes)
{
	outcome->judged = true;
	if (observes)
		outcome->observed = true;
	else
		outcome->refused = true;
}

static void note_finding(struct gate_outcome *outcome, unsigned id)
{
	if (id < URIVET_FINDING_LIMIT)
		outcome->findings[id / 64] |= (uint64_t)1 << id % 64;
}

void gate_refuse(struct gate_outcome *outcome, unsigned id, bool observes)
{
	note_refusal(outcome, observes);
	note_finding(outcome, id);
}

void gate_add(struct gate_outcome *outcome, const struct gate_outcome *more)
{
	outcome->judged |= more->judged;
	if (!more->refused && !more->observed)
		return;
	outcome->refused |= more->refused;
	outcome->observed |= more->observed;
	outcome->secret |= more->secret;
	for (size_t i = 0; i < GATE_WORDS; i++)
		outcome->findings[i] |= more->findings[i];
}

/* Adds what a report says; the verdict is that of the report. */
static void add_report(struct gate_outcome *outcome, const struct urivet_report *report,
		       const struct gate_policy *by)
{
	outcome->judged = true;
	if (report->verdict == URIVET_ACCEPT)
		return;
	note_refusal(outcome, by->observes);
	outcome->secret |= urivet_reason(report, by->policy) != URIVET_REASON_UNCLEAR;
	for (uint32_t i = 0; i < report->count; i++)
		if (urivet_finding_refuses(report, &report->finding[i], by->policy))
			note_finding(outcome, report->finding[i].id);
}

/* ---- Judging ---------------------------------------------------------------------- */

/* Room for the URL of most requests. */
#define PLAIN_CAPACITY 1024

/* The Host field without the listener's own port. */
static struct urivet_text without_own_port(struct urivet_text host, uint32_t port)
{
	const char *const from = host.data;
	size_t at = host.length;
	uint32_t value = port;
	while (value != 0 && at > 0 && from[at - 1] == (char)('0' + value % 10)) {
		value /= 10;
		at--;
	}
	return value == 0 && at > 1 && at < host.length && from[at - 1] == ':'
		   ? urivet_text_of(from, at - 1)
		   : host;
}

/* Octets that end no host and begin nothing else: those of names in lower case. */
static bool is_plain_host(struct urivet_text host)
{
	static const bool plain[256] = {
#define X(c) [c] = true
	    X('a'), X('b'), X('c'), X('d'), X('e'), X('f'), X('g'), X('h'), X('i'), X('j'),
	    X('k'), X('l'), X('m'), X('n'), X('o'), X('p'), X('q'), X('r'), X('s'), X('t'),
	    X('u'), X('v'), X('w'), X('x'), X('y'), X('z'), X('0'), X('1'), X('2'), X('3'),
	    X('4'), X('5'), X('6'), X('7'), X('8'), X('9'), X('.'), X('-'),
#undef X
	};
	const unsigned char *const from = host.data;
	for (size_t i = 0; i < host.length; i++)
		if (!plain[from[i]])
			return false;
	return host.length > 0;
}

/* Can the request be judged as the URL of its parts? A port that is left out would count for rules
 * about URLs; CONNECT has another form of target. */
static bool is_plain(struct urivet_text target, struct urivet_text host,
		     const struct urivet_request *request, const struct gate_policy *policy)
{
	const char *const from = target.data;
	return policy->suffixes == NULL && policy->policy->url_count == 0 && is_plain_host(host) &&
	       request->method.length == 3 && memcmp(request->method.data, "GET", 3) == 0 &&
	       target.length > 0 && from[0] == '/' && memchr(from, '#', target.length) == NULL &&
	       host.length + target.length <= PLAIN_CAPACITY - 8;
}

/* Is the URL that the parts of the request make accepted? Then the request is; else nothing is said. */
static bool passes_as_url(struct urivet_text target, const struct urivet_request *request,
			  const struct gate_policy *policy)
{
	const bool tls = request->scheme == URIVET_SCHEME_HTTPS;
	const size_t begin = tls ? 8 : 7;
	const struct urivet_text host = without_own_port(request->host, request->port);
	char url[PLAIN_CAPACITY];
	if ((!tls && request->scheme != URIVET_SCHEME_HTTP) ||
	    !is_plain(target, host, request, policy))
		return false;
	memcpy(url, tls ? "https://" : "http://", begin);
	memcpy(url + begin, host.data, host.length);
	memcpy(url + begin + host.length, target.data, target.length);
	return urivet_verdict_of(url, begin + host.length + target.length, policy->policy) ==
	       URIVET_ACCEPT;
}

void gate_judge_target(struct gate_outcome *outcome, struct urivet_report *report,
		       struct urivet_text target, const struct urivet_request *request,
		       const struct gate_policy *policy)
{
	struct urivet_report own;
	if (report == NULL && passes_as_url(target, request, policy)) {
		outcome->judged = true;
		return;
	}
	if (report == NULL)
		report = &own;
	urivet_check_request(report, target, request, policy->policy, NULL);
	urivet_suffixes_judge(policy->suffixes, report, target, request->host, policy->policy);
	add_report(outcome, report, policy);
}

/* Adds what came of one parameter. */
static void add_parameter(struct gate_outcome *outcome, enum urivet_parameter_result result,
			  struct urivet_report *inner, struct urivet_text judged,
			  const struct gate_policy *by)
{
	const bool was_judged =
	    result == URIVET_PARAMETER_ACCEPTED || result == URIVET_PARAMETER_REFUSED;
	if (was_judged) {
		urivet_suffixes_judge(by->suffixes, inner, judged, urivet_text_of(NULL, 0),
				      by->policy);
		add_report(outcome, inner, by);
	}
	if (!was_judged || inner->verdict != URIVET_ACCEPT)
		gate_refuse(outcome, URIVET_F_PARAM_REFUSED, by->observes);
}

/* Judges each parameter by itself, to tell all that is found in them. */
static void judge_each(struct gate_outcome *outcome, const struct urivet_report *report,
		       const struct urivet_parameter_input *input,
		       const struct gate_parameters *asked)
{
	const struct urivet_text query =
	    urivet_part(&report->uri, URIVET_QUERY, input->text, urivet_text_of(NULL, 0));
	struct urivet_parameter_scan scan = {query.data, query.length, 0};
	struct urivet_parameter parameter;
	unsigned judged = 0;
	while (judged < URIVET_MAX_PARAMETERS && urivet_parameter_next(&scan, &parameter)) {
		struct urivet_report inner;
		struct urivet_parameter_texts texts;
		const enum urivet_parameter_result result = urivet_check_parameter(
		    &inner, &texts, &parameter, report, input, &asked->rules);
		if (result == URIVET_PARAMETER_NOT_ASKED)
			continue;
		judged++;
		add_parameter(outcome, result, &inner, texts.judged, asked->policy);
	}
}

void gate_judge_parameters(struct gate_outcome *outcome, const struct urivet_report *report,
			   const struct urivet_parameter_input *input,
			   const struct gate_parameters *asked)
{
	struct gate_outcome found = {.judged = true};
	struct urivet_report all = *report;
	struct urivet_report inner;
	if (!report->parsed) { /* nobody knows what it holds */
		gate_refuse(outcome, URIVET_F_PARAM_REFUSED, asked->policy->observes);
		return;
	}
	all.verdict = URIVET_ACCEPT;
	all.count = all.dropped = 0;
	(void)urivet_check_parameters(&all, &inner, input, &asked->rules, NULL);
	if (all.verdict != URIVET_ACCEPT || asked->policy->suffixes != NULL)
		judge_each(&found, report, input, asked);
	if (all.verdict != URIVET_ACCEPT && !found.refused && !found.observed)
		gate_refuse(&found, URIVET_F_PARAM_REFUSED, asked->policy->observes);
	gate_add(outcome, &found);
}

void gate_judge_field(struct gate_outcome *outcome, struct urivet_text value,
		      const struct gate_policy *policy)
{
	struct urivet_report report;
	urivet_check(&report, value.data, value.length, policy->policy);
	urivet_suffixes_judge(policy->suffixes, &report, value, urivet_text_of(NULL, 0),
			      policy->policy);
	add_report(outcome, &report, policy);
}

/* ---- As they came -------------------------------------------------------------------- */

struct urivet_text gate_target_of_line(struct urivet_text line)
{
	const char *const from = line.data;
	size_t begin = 0;
	size_t end;
	while (begin < line.length && from[begin] != ' ')
		begin++;
	while (begin < line.length && from[begin] == ' ')
		begin++;
	for (end = begin; end < line.length && from[end] != ' ';)
		end++;
	return end > begin ? urivet_text_of(from + begin, end - begin) : urivet_text_of(NULL, 0);
}

static unsigned char as_in_cgi(unsigned char c)
{
	if (c == '_')
		return '-';
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c + ('a' - 'A')) : c;
}

bool gate_is_field(struct urivet_text field, struct urivet_text name)
{
	const unsigned char *const a = field.data;
	const unsigned char *const b = name.data;
	if (field.length != name.length)
		return false;
	for (size_t i = 0; i < field.length; i++)
		if (as_in_cgi(a[i]) != as_in_cgi(b[i]))
			return false;
	return true;
}
