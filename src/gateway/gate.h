/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every front of a gateway asks of a request, apart from how requests reach it: the target with
 * its Host field, parameters of the query, fields whose value is a URL. Nothing here allocates, and
 * nothing fails open: what cannot be judged is refused.
 */
#ifndef URIVET_GATEWAY_GATE_H
#define URIVET_GATEWAY_GATE_H

#include <urivet/policy.h>

/* A policy that was loaded, and what the core does not know of it. */
struct gate_policy {
	const struct urivet_policy *policy;
	const struct urivet_suffixes *suffixes; /* NULL: the policy does not ask for them */
	bool observes;       /* `mode: observe`: refusals are told, not enforced */
	bool leaves_queries; /* it refuses nothing in a query of octets that are plain */
};

/* The policy of `loaded`. The suffixes are used only if it asks for them; false if it does and there
 * are none. Both have to outlive it. */
bool gate_policy_from(struct gate_policy *policy, const struct urivet_loaded *loaded,
		      const struct urivet_suffixes *suffixes);

/* Does the policy ask for a list of public suffixes? */
bool gate_wants_suffixes(const struct urivet_loaded *loaded);

/* Where a refusal lies. */
struct gate_place {
	const char *component;   /* "path", "host", ..., "parameter", "field"; NULL: not known */
	struct urivet_text text; /* the octets at fault, of a host, port or path alone: elsewhere secrets
				  * may lie among them; of a parameter or field its name */
};

/* What came of one request: begun zeroed, then added to by each thing that is judged. */
struct gate_outcome {
	bool judged;   /* something was */
	bool refused;  /* by a policy that is enforced */
	bool observed; /* by one that is not */
	bool secret;   /* not by its spelling alone: URIVET_REASON_NOT_ALLOWED is said */
	struct urivet_finding_set findings; /* those that refuse */
	struct gate_place place;            /* of the first; its text lies in the request */
};

/* What may be told to the client. */
enum urivet_reason gate_reason(const struct gate_outcome *outcome);

/* The least number of a finding in the set that is not below `from`; URIVET_FINDING_LIMIT: there is none. */
unsigned gate_next(const struct urivet_finding_set *set, unsigned from);

/* Room for the names of all findings. */
#define GATE_FINDINGS_CAPACITY 8192

/* The names of the findings that refuse, by their number, with commas between; "-" for none. By
 * snprintf's contract. They are lower-case letters, digits, hyphens and commas. */
size_t gate_format_findings(char *out, size_t capacity, const struct gate_outcome *outcome);

/* Room for the place of a refusal, and for what the catalogue says of a few findings. */
#define GATE_EXPLAINED 1024

/* What to say after the findings: "; in the path "%2F"; accepted where its policy says "allow:
 * [escaped-slash]", which opens: ..."; or which of them no policy allows. All of them are named that refuse,
 * so that nothing remains after a waiver. Returns the length, as snprintf does, at least that of what
 * fits; no octet of a request but visible ASCII. */
size_t gate_explain(char *out, size_t capacity, const struct gate_outcome *outcome);

/* Adds finding `id` as a refusal of its own, of what a front cannot even hand on to be judged. */
void gate_refuse(struct gate_outcome *outcome, unsigned id, bool observes);

/* Puts `more` into `outcome`. */
void gate_add(struct gate_outcome *outcome, const struct gate_outcome *more);

/* A request, and the policy that its target and Host field are judged by. */
struct gate_request {
	struct urivet_text target;
	struct urivet_request request;
	const struct gate_policy *policy;
};

void gate_judge_target(struct gate_outcome *outcome, const struct gate_request *request);

/* Parameters that are judged by a policy of their own. */
struct gate_parameters {
	struct urivet_parameter_rules rules;
	const struct gate_policy *policy; /* rules.policy is its policy */
};

/*
 * The parameters of the target: all that the rules ask for. Of a target that is not read nobody knows
 * them, and it is refused. The buffer has to hold gate_buffer_capacity() octets: with less, what does
 * not fit is refused.
 */
void gate_judge_parameters(struct gate_outcome *outcome, const struct gate_request *request,
			   const struct gate_parameters *asked, char *buffer, size_t capacity);

/* The capacity that always suffices for a request. */
static inline size_t gate_buffer_capacity(const struct gate_request *request)
{
	return URIVET_PARAMETERS_CAPACITY(request->target.length + request->request.host.length);
}

/* A field's value, which has to be a URL as it stands. */
void gate_judge_field(struct gate_outcome *outcome, struct urivet_text value,
		      const struct gate_policy *policy);

/* Judges a field's value as the value of a parameter that no form encoding has touched: by these rules
 * it may be a path as well. The rules need a name, which is `name`, and decode once. The buffer has to hold
 * gate_field_capacity() octets: with less, the value is refused. */
void gate_judge_reference(struct gate_outcome *outcome, const struct gate_request *request,
			  struct urivet_text value, const struct gate_parameters *asked,
			  char *buffer, size_t capacity);

/* The capacity that always suffices for a field's value of a request. */
static inline size_t gate_field_capacity(const struct gate_request *request,
					 struct urivet_text value)
{
	const size_t query = 3 * value.length + 4;
	return query + URIVET_PARAMETERS_CAPACITY(query + request->request.host.length);
}

/* The one other spelling of a target in origin form that its policy accepts (urivet_suggest()), judged
 * with the Host field as it came; it lies in the buffer. Data NULL: there is none, or the buffer holds less than
 * gate_suggest_capacity() octets. It never begins with two
 * slashes, which a client would take for an authority. */
struct urivet_text gate_suggest(const struct gate_request *request, char *buffer, size_t capacity);

/* The capacity that always suffices: for the request as a URL, and for the spelling. */
static inline size_t gate_suggest_capacity(const struct gate_request *request)
{
	return 4 * (sizeof "https://" + request->request.host.length + request->target.length) + 3;
}

/* The Host field without the port, if that is the listener's own. */
struct urivet_text gate_without_own_port(struct urivet_text host, uint32_t port);

/* Scheme and port of what clients know a server by: a scheme, a host and perhaps a port, nothing else, as in
 * https://shop.example:8443. False, and nothing changes, for anything else. */
bool gate_read_origin(uint32_t *scheme, uint32_t *port, struct urivet_text url);

/* The target of a request line as it was received, `METHOD SP TARGET [SP HTTP/1.1]`: what stands
 * between its first spaces and the next ones. Data NULL: there is none, or more than that. */
struct urivet_text gate_target_of_line(struct urivet_text line);

/* Does a field have this name? Letter case does not count, nor do `_` and `-`, which CGI makes
 * alike. */
bool gate_is_field(struct urivet_text field, struct urivet_text name);

#endif
