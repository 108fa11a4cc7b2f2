/* SPDX-License-Identifier: Apache-2.0 */
/* Checks other than that of a URI: references, request targets, addresses, parameters, IRIs. */
#include "common/exact.h"
#include "extension.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <urivet/parameters.h>
#include <urivet/reference.h>
#include <urivet/spelling.h>

/* ---- Numbers ------------------------------------------------------------------------------- */

/* Converter "O&" for a port. Invalid ports become 65536, which the library refuses; no number is
 * truncated to a valid port. */
static int port_from(PyObject *object, void *port)
{
	const long number = PyLong_AsLong(object);
	if (number == -1 && PyErr_Occurred()) {
		if (!PyErr_ExceptionMatches(PyExc_OverflowError))
			return 0;
		PyErr_Clear();
	}
	*(uint32_t *)port = number >= 0 && number <= 65535 ? (uint32_t)number : 65536;
	return 1;
}

/* ---- References -------------------------------------------------------------------------- */

static size_t append(char *out, size_t at, const void *data, size_t length)
{
	memcpy(out + at, data, length);
	return at + length;
}

/* Writes the reference after the scheme of the base, or after its origin for a path. Returns the
 * length, or 0 if the base has no authority. */
static size_t write_after_origin(char *out, struct urivet_text base, struct urivet_text reference)
{
	const char *text = reference.data;
	const bool has_authority = reference.length > 1 && text[0] == '/' && text[1] == '/';
	const struct urivet_text none = {NULL, 0};
	struct urivet_text scheme, authority;
	struct urivet_uri uri;
	size_t length;
	if (!urivet_parse(&uri, base.data, base.length, NULL))
		return 0;
	scheme = urivet_part(&uri, URIVET_SCHEME, base, none);
	authority = urivet_part(&uri, URIVET_AUTHORITY, base, none);
	if (scheme.data == NULL || authority.data == NULL)
		return 0;
	length = append(out, 0, scheme.data, scheme.length);
	length = append(out, length, "://", has_authority ? 1 : 3);
	if (!has_authority) {
		length = append(out, length, authority.data, authority.length);
		if (text[0] != '/')
			length = append(out, length, "/", 1);
	}
	return append(out, length, text, reference.length);
}

/* Judges a reference that cannot be resolved: as it is if it has a scheme, else after the origin of
 * the base. Writes the text of the report and returns its length. 0 if the reference is not at
 * fault; the report is as before then. */
static size_t judge_unresolved(struct report *report, char *out, struct urivet_text base,
			       struct urivet_text reference)
{
	const struct urivet_policy *rules = report->policy->rules;
	struct urivet_report found;
	bool has_scheme = true;
	size_t length = reference.length;
	if (length == 0 || urivet_check(&found, reference.data, length, rules) == URIVET_ACCEPT)
		return 0;
	for (uint32_t k = 0; k < found.count; k++)
		has_scheme &= found.finding[k].id != URIVET_F_NOT_ABSOLUTE;
	if (has_scheme) {
		memcpy(out, reference.data, length);
	} else {
		length = write_after_origin(out, base, reference);
		if (length == 0 || urivet_check(&found, out, length, rules) == URIVET_ACCEPT)
			return 0;
	}
	report_take(report, &found);
	return length;
}

/* Judges the target of a reference, which becomes the text of the report. Returns false with an
 * exception. */
static bool judge_reference(struct report *report, const struct octets *base,
			    const struct octets *reference, uint32_t options)
{
	struct urivet_report found;
	const size_t capacity = base->text.length + reference->text.length + 8;
	size_t length;
	char *out = PyMem_Malloc(capacity);
	if (out == NULL) {
		PyErr_NoMemory();
		return false;
	}
	out[0] = '\0';
	urivet_check_reference(&found, out, capacity, base->text, reference->text, options,
			       report->policy->rules);
	report_take(report, &found);
	length = strlen(out);
	if (length == 0)
		length = judge_unresolved(report, out, base->text, reference->text);
	report->input = PyBytes_FromStringAndSize(out, (Py_ssize_t)length);
	PyMem_Free(out);
	if (report->input == NULL)
		return false;
	report->text =
	    urivet_text_of(PyBytes_AsString(report->input), (size_t)PyBytes_Size(report->input));
	if (base->no_text || reference->no_text)
		report_no_text(report);
	return true;
}

PyObject *policy_check_redirect(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"location", "base", "same_origin", NULL};
	struct octets location, base;
	struct report *report;
	int same_origin = 0;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&O&|p:check_redirect", names,
					 octets_converter, &location, octets_converter, &base,
					 &same_origin))
		return NULL;
	report = report_new((struct policy *)self);
	if (report != NULL && !judge_reference(report, &base, &location,
					       same_origin ? URIVET_REFERENCE_SAME_ORIGIN : 0)) {
		Py_DECREF((PyObject *)report);
		report = NULL;
	}
	octets_release(&location);
	octets_release(&base);
	return report_made_by(report, "check_redirect", args, kwargs);
}

/* ---- Request targets ------------------------------------------------------------------------ */

/* A request as described by the caller, and the octets it refers to. */
struct asked_request {
	const char *scheme;
	uint32_t port; /* 0: unknown */
	int host_unknown;
	struct octets method, host;
	struct urivet_request request;
};

static bool scheme_into(struct asked_request *asked)
{
	static const char *const schemes[] = {"http", "https"};
	int k;
	if (asked->scheme == NULL)
		return true;
	k = word_among(asked->scheme, "scheme of a listener", schemes, 2);
	if (k < 0)
		return false;
	asked->request.scheme = k == 0 ? URIVET_SCHEME_HTTP : URIVET_SCHEME_HTTPS;
	return true;
}

static bool request_into(struct asked_request *asked)
{
	urivet_request_init(&asked->request, sizeof asked->request);
	if (!scheme_into(asked))
		return false;
	asked->request.method = asked->method.text;
	asked->request.host = asked->host.text;
	asked->request.host_unknown = asked->host_unknown != 0;
	if (asked->port != 0)
		asked->request.port = asked->port;
	return true;
}

static void request_release(struct asked_request *asked)
{
	octets_release(&asked->method);
	octets_release(&asked->host);
}

static struct report *judge_target(struct policy *policy, const struct octets *target,
				   const struct asked_request *asked)
{
	struct urivet_report found;
	struct report *report = report_new(policy);
	void *held = NULL;
	if (report == NULL)
		return NULL;
	report_about(report, target);
	report->host = asked->host.owner != NULL ? Py_NewRef(asked->host.owner) : NULL;
	report->host_text = asked->host.text;
	urivet_check_request(&found,
			     exact_copy(&held, target->text.data, target->text.length, "python"),
			     target->text.length, &asked->request, policy->rules, &report->form);
	free(held);
	report_take(report, &found);
	if (target->no_text || asked->host.no_text || asked->method.no_text)
		report_no_text(report);
	return report;
}

PyObject *policy_check_target(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"target", "method", "host", "scheme", "port", "host_unknown", NULL};
	struct octets target;
	struct asked_request asked = {0};
	struct report *report = NULL;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|O&O&zO&p:check_target", names,
					 octets_converter, &target, octets_or_none, &asked.method,
					 octets_or_none, &asked.host, &asked.scheme, port_from,
					 &asked.port, &asked.host_unknown))
		return NULL;
	if (request_into(&asked))
		report = judge_target((struct policy *)self, &target, &asked);
	octets_release(&target);
	request_release(&asked);
	return report_made_by(report, "check_target", args, kwargs);
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* Stores the 4 or 16 octets of an address given as text or octets, and returns their number; 0 for
 * other input, which is refused. */
static size_t address_from(uint8_t *address, const struct octets *octets, bool is_text)
{
	char text[INET6_ADDRSTRLEN] = "";
	if (!is_text) {
		if (octets->text.length != 4 && octets->text.length != 16)
			return 0;
		memcpy(address, octets->text.data, octets->text.length);
		return octets->text.length;
	}
	if (octets->no_text || octets->text.length >= sizeof text)
		return 0;
	memcpy(text, octets->text.data, octets->text.length);
	if (strlen(text) != octets->text.length)
		return 0;
	if (inet_pton(AF_INET, text, address) == 1)
		return 4;
	return inet_pton(AF_INET6, text, address) == 1 ? 16 : 0;
}

/* Judges an address with a scope. Its value does not matter, as every scope is refused. */
static void judge_scoped(struct report *report, const uint8_t *address, uint32_t port)
{
	struct sockaddr_in6 peer = {
	    .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port), .sin6_scope_id = 1};
	memcpy(&peer.sin6_addr, address, 16);
	urivet_check_peer_sized(&report->report, URIVET_REPORT_OCTETS, (struct sockaddr *)&peer,
				sizeof peer, report->policy->rules);
}

PyObject *policy_check_address(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"address", "port", "scope", NULL};
	PyObject *object;
	struct octets octets = {0};
	struct report *report;
	uint32_t port = 0;
	int scoped = 0;
	uint8_t address[16] = {0};
	size_t length;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O&p:check_address", names, &object,
					 port_from, &port, &scoped) ||
	    !octets_from(&octets, object))
		return NULL;
	length = address_from(address, &octets, PyUnicode_Check(object));
	octets_release(&octets);
	report = report_new((struct policy *)self);
	if (report == NULL)
		return NULL;
	if (scoped && length == 16 && port <= 65535)
		judge_scoped(report, address, port);
	else
		urivet_check_address_sized(&report->report, URIVET_REPORT_OCTETS, address, length,
					   port, report->policy->rules);
	return report_made_by(report, "check_address", args, kwargs);
}

/* ---- Parameters ------------------------------------------------------------------------------ */

/* The names of the parameters to check, and a list of what owns their octets. */
struct names {
	PyObject *list;
	struct urivet_text *texts;
	size_t count;
};

static void names_release(struct names *names)
{
	Py_XDECREF(names->list);
	PyMem_Free(names->texts);
}

static bool names_from(struct names *names, PyObject *object)
{
	if (object == NULL || object == Py_None)
		return true;
	names->list = PyUnicode_Check(object) || PyObject_CheckBuffer(object)
			  ? Py_BuildValue("[O]", object)
			  : PySequence_List(object);
	names->texts = names->list != NULL ? texts_of_list(names->list) : NULL;
	names->count = names->texts != NULL ? (size_t)PyList_Size(names->list) : 0;
	for (size_t k = 0; k < names->count; k++) {
		if (names->texts[k].data != NULL)
			continue;
		PyErr_SetString(PyExc_ValueError, "a name with surrogates is no text");
		return false;
	}
	return names->texts != NULL;
}

static PyObject *parameter_from(const struct state *state, const struct urivet_parameter *pair,
				const char *query, enum urivet_parameter_result result,
				const struct urivet_parameter_texts *texts,
				const struct urivet_report *inner)
{
	static const char *const results[] = {"refused", "undecoded", "no-room", "accepted",
					      "not-asked"};
	PyObject *values[] = {
	    str_from(urivet_text_of(query + pair->name.offset, pair->name.length)),
	    str_from(urivet_text_of(query + pair->value.offset, pair->value.length)),
	    PyUnicode_FromString(results[result]),
	    PyBool_FromLong(result == URIVET_PARAMETER_ACCEPTED ||
			    result == URIVET_PARAMETER_NOT_ASKED),
	    str_from(texts->value),
	    str_from(texts->judged),
	    names_of(inner),
	};
	return row_from(state->parameter, values, URIVET_LENGTH_OF(values));
}

/* Returns a tuple of all parameters of the query, in order. */
static PyObject *parameters_of(const struct report *report,
			       const struct urivet_parameter_input *input,
			       const struct urivet_parameter_rules *rules)
{
	const struct urivet_text query =
	    urivet_part(&report->report.uri, URIVET_QUERY, report->text, report->host_text);
	struct urivet_parameter_scan scan = {.data = query.data, .length = query.length};
	struct urivet_parameter pair;
	struct urivet_parameter_texts texts;
	struct urivet_report inner;
	PyObject *list = PyList_New(0);
	while (list != NULL && urivet_parameter_next(&scan, &pair)) {
		const enum urivet_parameter_result result =
		    urivet_check_parameter(&inner, &texts, &pair, &report->report, input, rules);
		append_to(&list,
			  parameter_from(report->state, &pair, query.data, result, &texts, &inner));
	}
	return tuple_from(list);
}

static bool judge_parameters(struct report *report, struct urivet_parameter_rules *rules,
			     const struct urivet_request *request)
{
	struct urivet_report inner;
	struct urivet_parameter_input input = {.text = report->text, .request = request};
	bool done;
	/* a text above the limit is not parsed */
	input.capacity =
	    report->text.length <= report->policy->rules->max_length
		? URIVET_PARAMETERS_CAPACITY(report->text.length + report->host_text.length)
		: 64;
	input.buffer = PyMem_Malloc(input.capacity);
	if (input.buffer == NULL) {
		PyErr_NoMemory();
		return false;
	}
	report->parameters = parameters_of(report, &input, rules);
	done = report->parameters != NULL;
	if (done)
		urivet_check_parameters(&report->report, &inner, &input, rules,
					report->policy->rules);
	PyMem_Free(input.buffer);
	return done;
}

/* The arguments of parameters(). */
struct asked_parameters {
	PyObject *names_object, *policy_object;
	int times;
	int same_origin, absolute, target;
	struct octets octets;
	struct names names;
	struct asked_request request;
	struct urivet_parameter_rules rules;
};

static bool parameters_into(struct asked_parameters *asked, const struct policy *policy)
{
	const struct policy *inner = policy_from(policy->state, asked->policy_object,
						 policy->state->built_in[URIVET_PUBLIC]);
	if (inner == NULL || !names_from(&asked->names, asked->names_object) ||
	    !request_into(&asked->request))
		return false;
	urivet_parameter_rules_init(&asked->rules, sizeof asked->rules);
	asked->rules.names = asked->names.texts;
	asked->rules.count = (uint32_t)asked->names.count;
	asked->rules.times = asked->times == 1 || asked->times == 2 ? (uint32_t)asked->times : 0;
	asked->rules.same_origin = asked->same_origin != 0;
	asked->rules.absolute = asked->absolute != 0;
	asked->rules.policy = inner->rules;
	if (inner->rules->parameter_count > 0)
		PyErr_SetString(PyExc_ValueError,
				"parameters are not judged by a policy that has parameters itself");
	else if (asked->names.count <= UINT32_MAX && urivet_parameter_rules_valid(&asked->rules))
		return true;
	else
		PyErr_SetString(PyExc_ValueError, "decode is 1 or 2");
	return false;
}

static struct report *report_with_parameters(struct policy *policy, struct asked_parameters *asked)
{
	struct report *report =
	    asked->target ? judge_target(policy, &asked->octets, &asked->request)
			  : (struct report *)policy_judge((PyObject *)policy, &asked->octets);
	if (report != NULL && !judge_parameters(report, &asked->rules,
						asked->target ? &asked->request.request : NULL)) {
		Py_DECREF((PyObject *)report);
		return NULL;
	}
	return report;
}

PyObject *policy_parameters(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"uri",    "names",  "policy", "decode", "same_origin", "absolute",
				"target", "method", "host",   "scheme", "port",        NULL};
	struct asked_parameters asked = {.times = 1};
	struct report *report = NULL;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|O$OipppO&O&zO&:parameters", names,
					 octets_converter, &asked.octets, &asked.names_object,
					 &asked.policy_object, &asked.times, &asked.same_origin,
					 &asked.absolute, &asked.target, octets_or_none,
					 &asked.request.method, octets_or_none, &asked.request.host,
					 &asked.request.scheme, port_from, &asked.request.port))
		return NULL;
	if (parameters_into(&asked, (struct policy *)self))
		report = report_with_parameters((struct policy *)self, &asked);
	octets_release(&asked.octets);
	names_release(&asked.names);
	request_release(&asked.request);
	return report_made_by(report, "parameters", args, kwargs);
}

/* ---- IRIs ------------------------------------------------------------------------------------ */

static PyObject *iri_from(const struct state *state, const struct urivet_iri *iri,
			  struct urivet_text result)
{
	static const char *const outcomes[] = {"unmappable", "offered", "ascii", "disagree"};
	const char *finding = iri->id != 0 ? urivet_finding_info(iri->id)->name : NULL;
	PyObject *values[] = {
	    PyUnicode_FromString(outcomes[iri->outcome]),
	    str_from(result),
	    Py_BuildValue("z", finding),
	    PyLong_FromUnsignedLong(iri->code_point),
	    PyLong_FromUnsignedLong(iri->span.offset),
	    PyLong_FromUnsignedLong((unsigned long)iri->span.offset + iri->span.length),
	};
	return row_from(state->iri, values, URIVET_LENGTH_OF(values));
}

static PyObject *iri_of(PyObject *self, const struct octets *octets)
{
	const struct policy *policy = (const struct policy *)self;
	const size_t capacity = octets->text.length <= policy->rules->max_length
				    ? urivet_size_of(URIVET_CAPACITY_IRI, octets->text.length)
				    : 64;
	struct urivet_iri iri = {0};
	char *out = PyMem_Malloc(capacity);
	size_t length = 0;
	PyObject *row;
	if (out == NULL)
		return PyErr_NoMemory();
	if (!octets->no_text)
		length = urivet_suggest_iri(&iri, out, capacity, octets->text.data,
					    octets->text.length, policy->rules);
	if (length >= capacity || !policy_accepts(policy, urivet_text_of(out, length)))
		length = 0;
	row = iri_from(policy->state, &iri, urivet_text_of(length > 0 ? out : NULL, length));
	PyMem_Free(out);
	return row;
}

PyObject *policy_suggest_iri(PyObject *self, PyObject *object)
{
	return with_octets(self, object, iri_of);
}
