/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the components of a request and collects the outcome. */
#include "gateway/gate.h"

#include "common/finding_set.h"
#include "common/hex.h"
#include "common/lower.h"

#include <string.h>
#include <urivet/spelling.h>

/* ---- Policies ------------------------------------------------------------------ */

struct gate_policy gate_policy_from(const struct urivet_loaded *loaded)
{
	return (struct gate_policy){urivet_loaded_policy(loaded), loaded,
				    urivet_loaded_observes(loaded)};
}

bool gate_takes_values(const struct urivet_loaded *loaded)
{
	return urivet_loaded_parameter(loaded, 0) == NULL;
}

/* ---- Outcome ------------------------------------------------------------------- */

enum urivet_reason gate_reason(const struct gate_outcome *outcome)
{
	if (!outcome->refused && !outcome->observed)
		return outcome->judged ? URIVET_REASON_ACCEPTED : URIVET_REASON_NOT_ALLOWED;
	return outcome->secret ? URIVET_REASON_NOT_ALLOWED : URIVET_REASON_UNCLEAR;
}

/* Records a refusal. */
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
		put_in_set(&outcome->findings, id);
	outcome->unexplained |= id == URIVET_F_PARAM_REFUSED;
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
	if (outcome->place.component == NULL)
		outcome->place = more->place;
	outcome->refused |= more->refused;
	outcome->observed |= more->observed;
	outcome->secret |= more->secret;
	outcome->unexplained |= more->unexplained;
	for (size_t i = 0; i < URIVET_FINDING_LIMIT / 64; i++) {
		outcome->findings.bits[i] |= more->findings.bits[i];
		outcome->later.bits[i] |= more->later.bits[i];
	}
}

/* Adds the refusal in `report`, if there is one. */
static void add_report(struct gate_outcome *outcome, const struct urivet_report *report,
		       const struct gate_policy *by)
{
	if (report->verdict == URIVET_ACCEPT)
		return;
	note_refusal(outcome, by->observes);
	outcome->secret |= urivet_reason(report, by->policy) != URIVET_REASON_UNCLEAR;
	for (uint32_t i = 0; i < report->count; i++)
		if (urivet_finding_refuses(report, &report->finding[i], by->policy))
			note_finding(outcome, report->finding[i].id);
}

/* Returns the name of the parameter whose value begins at the offset. */
static struct urivet_text name_of_value(struct urivet_text target, uint32_t value)
{
	const char *const text = target.data;
	size_t end = value < target.length ? value : target.length, from;
	end -= end > 0 && text[end - 1] == '=';
	for (from = end; from > 0 && text[from - 1] != '&' && text[from - 1] != '?';)
		from--;
	return urivet_text_of(text + from, end - from);
}

/* Records the place of the first finding that refuses. */
static void note_place(struct gate_outcome *outcome, const struct urivet_report *report,
		       const struct gate_request *r)
{
	for (uint32_t i = 0; i < report->count && outcome->place.component == NULL; i++) {
		const struct urivet_finding *const f = &report->finding[i];
		if (!urivet_finding_refuses(report, f, r->policy->policy))
			continue;
		outcome->place.component = urivet_component_name(f->component);
		if (f->component == URIVET_HOST || f->component == URIVET_PORT ||
		    f->component == URIVET_PATH)
			outcome->place.text = urivet_fault(f, r->target, r->request.host);
		if (f->id != URIVET_F_PARAM_REFUSED)
			continue;
		outcome->place.component = "parameter";
		outcome->place.text = name_of_value(r->target, f->span.offset);
	}
}

/* ---- Judging ---------------------------------------------------------------------- */

/* Checks the target once for each policy and origin, without changing the outcome. */
static const struct urivet_report *read_target(struct gate_request *r)
{
	if (r->read_by != r->policy || r->read_from != r->target.data ||
	    r->read_scheme != r->request.scheme || r->read_port != r->request.port) {
		urivet_check_request(&r->report, r->target.data, r->target.length, &r->request,
				     r->policy->policy, NULL);
		r->read_by = r->policy;
		r->read_from = r->target.data;
		r->read_scheme = r->request.scheme;
		r->read_port = r->request.port;
	}
	return &r->report;
}

/* Waives the findings of the report that refuse. Returns false if none is waived anew. */
static bool waive_all(struct urivet_policy *policy, const struct urivet_report *report)
{
	bool waived = false;
	for (uint32_t i = 0; i < report->count; i++) {
		const struct urivet_finding *const f = &report->finding[i];
		waived |= urivet_finding_refuses(report, f, policy) &&
			  !in_set(&policy->waived, f->id) && urivet_policy_waive(policy, f->id);
	}
	return waived;
}

/* Adds the findings that refuse a target once a policy allows those of the report: a path is read
 * in further ways if "%2F" may stand for "/". Each round waives
 * findings, so there are few. */
static void note_later(struct gate_outcome *outcome, const struct gate_request *r)
{
	struct urivet_policy waiving = *r->policy->policy;
	struct urivet_report later;
	memcpy(&later, &r->report, URIVET_REPORT_OCTETS);
	while (later.verdict != URIVET_ACCEPT && waive_all(&waiving, &later)) {
		urivet_check_request(&later, r->target.data, r->target.length, &r->request,
				     &waiving, NULL);
		for (uint32_t i = 0; i < later.count; i++)
			if (urivet_finding_refuses(&later, &later.finding[i], &waiving))
				put_in_set(&outcome->later, later.finding[i].id);
	}
}

void gate_judge_target(struct gate_outcome *outcome, struct gate_request *r)
{
	const struct urivet_report *const report = read_target(r);
	outcome->judged = true;
	add_report(outcome, report, r->policy);
	note_place(outcome, report, r);
	if (r->explains && report->verdict != URIVET_ACCEPT && r->policy->policy != NULL)
		note_later(outcome, r);
}

/* Adds the result of one parameter. The findings of a value say why it is refused. */
static void add_parameter(struct gate_outcome *outcome, enum urivet_parameter_result result,
			  const struct urivet_report *inner, const struct gate_policy *by)
{
	if (result != URIVET_PARAMETER_ACCEPTED && result != URIVET_PARAMETER_REFUSED) {
		gate_refuse(outcome, URIVET_F_PARAM_REFUSED, by->observes);
		return;
	}
	add_report(outcome, inner, by);
	if (inner->verdict != URIVET_ACCEPT)
		put_in_set(&outcome->findings, URIVET_F_PARAM_REFUSED);
}

/* Judges each parameter separately, to collect all findings. */
static void judge_each(struct gate_outcome *outcome, const struct urivet_report *report,
		       const struct urivet_parameter_input *input,
		       const struct gate_parameters *asked)
{
	const struct urivet_text query =
	    urivet_part(&report->uri, URIVET_QUERY, input->text, urivet_text_of(NULL, 0));
	struct urivet_parameter_scan scan = {query.data, query.length, 0, asked->rules.semicolons};
	struct urivet_parameter parameter;
	unsigned judged = 0;
	while (judged < URIVET_MAX_PARAMETERS && urivet_parameter_next(&scan, &parameter)) {
		struct urivet_report inner;
		const enum urivet_parameter_result result = urivet_check_parameter(
		    &inner, NULL, &parameter, report, input, &asked->rules);
		if (result == URIVET_PARAMETER_NOT_ASKED)
			continue;
		judged++;
		add_parameter(outcome, result, &inner, asked->policy);
		if ((outcome->refused || outcome->observed) && outcome->place.component == NULL) {
			const char *const name = (const char *)query.data + parameter.name.offset;
			outcome->place.component = "parameter";
			outcome->place.text = urivet_text_of(name, parameter.name.length);
		}
	}
}

/* Judges the parameters of a target that was parsed. */
static void judge_all(struct gate_outcome *outcome, const struct urivet_report *report,
		      const struct urivet_parameter_input *input,
		      const struct gate_parameters *asked)
{
	struct urivet_report all, inner;
	memcpy(&all, report, URIVET_REPORT_OCTETS);
	all.verdict = URIVET_ACCEPT;
	all.count = all.dropped = 0;
	(void)urivet_check_parameters(&all, &inner, input, &asked->rules, NULL);
	if (all.verdict != URIVET_ACCEPT)
		judge_each(outcome, report, input, asked);
	if (all.verdict != URIVET_ACCEPT && !outcome->refused && !outcome->observed)
		gate_refuse(outcome, URIVET_F_PARAM_REFUSED, asked->policy->observes);
}

void gate_judge_parameters(struct gate_outcome *outcome, struct gate_request *r,
			   const struct gate_parameters *asked, char *buffer, size_t capacity)
{
	const struct urivet_parameter_input input = {r->target, &r->request, buffer, capacity};
	const struct urivet_report *const report = read_target(r);
	struct gate_outcome found = {.judged = false};
	outcome->judged = true;
	if (report->parsed)
		judge_all(&found, report, &input, asked);
	else /* its parameters are unknown */
		gate_refuse(&found, URIVET_F_PARAM_REFUSED, asked->policy->observes);
	gate_add(outcome, &found);
}

void gate_judge_field(struct gate_outcome *outcome, struct urivet_text value,
		      const struct gate_policy *policy)
{
	struct urivet_report report;
	outcome->judged = true;
	urivet_check(&report, value.data, value.length, policy->policy);
	add_report(outcome, &report, policy);
}

/* Writes "/?v=" and the value, with each octet percent-encoded, to the buffer. Form decoding
 * restores the value. */
static struct urivet_text encode_as_query(char *buffer, struct urivet_text value)
{
	const unsigned char *const from = value.data;
	size_t at = 4;
	memcpy(buffer, "/?v=", at);
	for (size_t i = 0; i < value.length; i++)
		at += hex_escape(buffer + at, "%", from[i], false);
	return urivet_text_of(buffer, at);
}

void gate_judge_reference(struct gate_outcome *outcome, const struct gate_request *r,
			  struct urivet_text value, const struct gate_parameters *asked,
			  char *buffer, size_t capacity)
{
	static const struct urivet_text name = {"v", 1};
	struct gate_parameters rules = *asked;
	struct gate_request field = *r;
	struct urivet_policy roomy = *r->policy->policy; /* encoded, the value is three times as long */
	struct gate_policy by = *r->policy;
	const size_t query = 3 * value.length + 4;
	if (buffer == NULL || capacity < gate_field_capacity(r, value)) {
		gate_refuse(outcome, URIVET_F_PARAM_REFUSED, asked->policy->observes);
		return;
	}
	rules.rules.names = &name;
	rules.rules.count = 1;
	roomy.max_length = URIVET_MAX_LENGTH;
	by.policy = &roomy;
	field.policy = &by;
	field.read_by = NULL;
	field.target = encode_as_query(buffer, value);
	gate_judge_parameters(outcome, &field, &rules, buffer + query, capacity - query);
}

/* ---- Other spellings ------------------------------------------------------------------- */

/* Returns the Host field without its port if this is the listener's own port. */
static struct urivet_text without_own_port(struct urivet_text host, uint32_t port)
{
	const char *const from = host.data;
	size_t at = host.length;
	uint32_t value = port != URIVET_NO_PORT ? port : 0;
	while (value != 0 && at > 0 && from[at - 1] == (char)('0' + value % 10)) {
		value /= 10;
		at--;
	}
	return value == 0 && at > 1 && at < host.length && from[at - 1] == ':'
		   ? urivet_text_of(from, at - 1)
		   : host;
}

/* Writes the URL of a scheme (https, else http), a host and a path with its query. `out` needs
 * 8 octets more than both have. Returns the text in it. */
static struct urivet_text write_url(char *out, uint32_t scheme, struct urivet_text host,
				    struct urivet_text path)
{
	const struct urivet_text front = scheme == URIVET_SCHEME_HTTPS
					     ? urivet_text_of("https://", 8)
					     : urivet_text_of("http://", 7);
	memcpy(out, front.data, front.length);
	memcpy(out + front.length, host.data, host.length);
	memcpy(out + front.length + host.length, path.data, path.length);
	return urivet_text_of(out, front.length + host.length + path.length);
}

/* Returns true if the target is a path with one slash in front, which no client takes for a host. */
static bool is_rooted(struct urivet_text target)
{
	const char *const path = target.data;
	return target.length > 0 && path[0] == '/' && (target.length == 1 || path[1] != '/');
}

struct urivet_text gate_suggest(const struct gate_request *r, char *buffer, size_t capacity)
{
	const struct urivet_text none = {NULL, 0};
	const struct urivet_text host = without_own_port(r->request.host, r->request.port);
	struct gate_request anew = *r;
	struct gate_outcome outcome = {.judged = false};
	struct urivet_uri uri;
	struct urivet_text url;
	size_t length, path;
	char *out;
	if (capacity < gate_suggest_capacity(r) || host.length == 0 || r->target.length == 0 ||
	    *(const char *)r->target.data != '/')
		return none;
	url = write_url(buffer, r->request.scheme, host, r->target);
	out = buffer + url.length;
	length =
	    urivet_suggest(out, capacity - url.length, url.data, url.length, r->policy->policy);
	if (length == 0 || !urivet_parse(&uri, out, length, NULL))
		return none;
	path = uri.part[URIVET_PATH].offset;
	anew.target = urivet_text_of(out + path, length - path);
	anew.explains = false;
	if (!is_rooted(anew.target))
		return none;
	gate_judge_target(&outcome, &anew);
	return outcome.refused || outcome.observed ? none : anew.target;
}

/* ---- Request lines, origins and field names ----------------------------------------- */

bool gate_read_origin(uint32_t *scheme, uint32_t *port, struct urivet_text url)
{
	struct urivet_uri uri;
	if (!urivet_parse(&uri, url.data, url.length, NULL) ||
	    (uri.scheme != URIVET_SCHEME_HTTP && uri.scheme != URIVET_SCHEME_HTTPS) ||
	    uri.host_kind == URIVET_HOST_NONE || uri.part[URIVET_PATH].length > 0)
		return false;
	if (urivet_has(&uri, URIVET_USERINFO) || urivet_has(&uri, URIVET_QUERY) ||
	    urivet_has(&uri, URIVET_FRAGMENT) || uri.port == 0 || uri.port == URIVET_NO_PORT)
		return false;
	*scheme = uri.scheme;
	*port = uri.port;
	return true;
}

struct urivet_text gate_target_of_line(struct urivet_text line)
{
	const char *const from = line.data;
	const char *const space = line.length > 0 ? memchr(from, ' ', line.length) : NULL;
	size_t begin = space != NULL ? (size_t)(space - from) : line.length;
	const char *end;
	while (begin < line.length && from[begin] == ' ')
		begin++;
	if (begin == line.length)
		return urivet_text_of(NULL, 0);
	end = memchr(from + begin, ' ', line.length - begin);
	return urivet_text_of(from + begin,
			      (end != NULL ? (size_t)(end - from) : line.length) - begin);
}

static unsigned char as_in_cgi(unsigned char c)
{
	return c == '_' ? '-' : lower_case(c);
}

bool gate_is_field(struct urivet_text field, struct urivet_text name)
{
	const unsigned char *const a = field.data;
	const unsigned char *const b = name.data;
	if (field.length != name.length)
		return false;
	for (size_t i = 0; i < field.length; i++)
		if (a[i] != b[i] && as_in_cgi(a[i]) != as_in_cgi(b[i]))
			return false;
	return true;
}
