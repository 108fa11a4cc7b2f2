/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that all gateways share, independent of how requests arrive: the target with its Host
 * field, query parameters, and header fields that contain URLs. Nothing allocates memory. Nothing
 * fails open: a request that cannot be judged is refused. */
#ifndef URIVET_GATEWAY_GATE_H
#define URIVET_GATEWAY_GATE_H

#include <urivet/policy.h>
#include <urivet/parameters.h>

/* A loaded policy, and its settings that the core library does not know. */
struct gate_policy {
	const struct urivet_policy *policy;
	const struct urivet_loaded *loaded;
	bool observes;       /* `mode: observe`: refusals are reported, not enforced */
};

/* Returns the policy for the gateway. `loaded` must outlive it. */
struct gate_policy gate_policy_from(const struct urivet_loaded *loaded);

/* Returns true if values of parameters and fields can be judged by the policy. Otherwise it has
 * rules for parameters, which only a request's own policy can have. */
bool gate_takes_values(const struct urivet_loaded *loaded);

/* The place in the request that caused a refusal. */
struct gate_place {
	const char *component;   /* "path", "host", ..., "parameter", "field"; NULL: unknown */
	struct urivet_text text; /* the octets at fault in a host, port or path; the name of a
				  * parameter or field; otherwise empty, as other components may
				  * contain secrets */
};

/* The outcome of one request. Start with a zeroed struct; each check adds to it. */
struct gate_outcome {
	bool judged;   /* something was judged */
	bool refused;  /* by an enforced policy */
	bool observed; /* refused by a policy that only observes */
	bool secret;   /* not only the spelling was refused: say URIVET_REASON_NOT_ALLOWED */
	bool unexplained; /* no finding says why a parameter is refused */
	struct urivet_finding_set findings; /* findings that cause the refusal */
	struct urivet_finding_set later;    /* ... and of the target once a policy allows those */
	struct gate_place place;            /* of the first refusal; its text points into the
					     * request */
};

/* Returns the reason that may be shown to the client. */
enum urivet_reason gate_reason(const struct gate_outcome *outcome);

/* Buffer size that suffices for the names of all findings. */
#define GATE_FINDINGS_CAPACITY 8192

/* Writes the names of the findings that refuse, in order of their numbers and separated by commas,
 * or "-" if there are none. Returns the length, as snprintf does. The text has only lower-case
 * letters, digits, hyphens and commas. */
size_t gate_format_findings(char *out, size_t capacity, const struct gate_outcome *outcome);

/* Buffer size for the place of a refusal and the descriptions of a few findings. */
#define GATE_EXPLAINED 1024

/* Writes the explanation that follows the findings in a log line: `; in the path "%2F"; accepted
 * where its policy says "allow: [escaped-slash]", which opens: ...`, or which findings no policy
 * allows. It lists all findings that refuse, and those that refuse once these are allowed, so the
 * waiver shown is sufficient, if the request had `explains` set. Returns the length, as snprintf
 * does; what does not fit ends with "...", and the length is then at least the capacity. Octets of
 * the request appear as visible ASCII only. */
size_t gate_explain(char *out, size_t capacity, const struct gate_outcome *outcome);

/* Adds finding `id` as a refusal of its own, for requests that a gateway cannot submit for
 * judging. */
void gate_refuse(struct gate_outcome *outcome, unsigned id, bool observes);

/* Merges `more` into `outcome`. */
void gate_add(struct gate_outcome *outcome, const struct gate_outcome *more);

/* A request, and the policy for its target and Host field. */
struct gate_request {
	struct urivet_text target;
	struct urivet_request request;
	const struct gate_policy *policy;
	bool explains; /* gate_explain() will be called if the target is refused */
	/* What was read of the target, by which policy and origin; judging sets and reuses it. */
	struct urivet_report report;
	const struct gate_policy *read_by;
	const void *read_from;
	uint32_t read_scheme, read_port;
};

void gate_judge_target(struct gate_outcome *outcome, struct gate_request *request);

/* Query parameters that are judged by a policy of their own. */
struct gate_parameters {
	struct urivet_parameter_rules rules;
	const struct gate_policy *policy; /* rules.policy points to the policy in it */
};

/* Judges the parameters of the target that the rules select. A target that cannot be parsed is
 * refused, as its parameters are unknown. The buffer should have gate_buffer_capacity() octets;
 * parameters that do not fit are refused. */
void gate_judge_parameters(struct gate_outcome *outcome, struct gate_request *request,
			   const struct gate_parameters *asked, char *buffer, size_t capacity);

/* Returns the buffer capacity that suffices for any parameter of the request. */
static inline size_t gate_buffer_capacity(const struct gate_request *request)
{
	return URIVET_PARAMETERS_CAPACITY(request->target.length + request->request.host.length);
}

/* Judges the value of a header field. It must be an absolute URL. */
void gate_judge_field(struct gate_outcome *outcome, struct urivet_text value,
		      const struct gate_policy *policy);

/* Judges the value of a header field like a parameter value that is not form-encoded, so it may
 * also be a path. The rules need no names, as the value is judged as a parameter `v`; they must
 * decode once. The buffer must have gate_field_capacity() octets, or the value is refused. */
void gate_judge_reference(struct gate_outcome *outcome, const struct gate_request *request,
			  struct urivet_text value, const struct gate_parameters *asked,
			  char *buffer, size_t capacity);

/* Returns the buffer capacity that suffices for the value of a header field. */
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

/* Returns the buffer capacity that suffices for the request as a URL and for the other spelling. */
static inline size_t gate_suggest_capacity(const struct gate_request *request)
{
	return 4 * (sizeof "https://" + request->request.host.length + request->target.length) + 3;
}

/* Reads scheme and port from the origin under which clients know a server, such as
 * https://shop.example:8443: a scheme, a host and an optional port. Returns false and changes
 * nothing for any other text. */
bool gate_read_origin(uint32_t *scheme, uint32_t *port, struct urivet_text url);

/* Returns the target of a request line as received, `METHOD SP TARGET [SP HTTP/1.1]`: the text
 * after the first run of spaces, up to the next space. Data is NULL if there is none. */
struct urivet_text gate_target_of_line(struct urivet_text line);

/* Returns true if the field has this name. Case is ignored, and `_` equals `-`, as in CGI. */
bool gate_is_field(struct urivet_text field, struct urivet_text name);

#endif
