/* SPDX-License-Identifier: Apache-2.0 */
/* Reports: attributes are computed when they are read. */
#include <urivet/json.h>
#include <urivet/spelling.h>

#include "extension.h"

#include <stdio.h>
#include <string.h>

struct report *report_new(struct policy *policy)
{
	struct report *report = (struct report *)PyType_GenericAlloc(policy->state->report, 0);
	if (report == NULL)
		return NULL;
	report->state = policy->state;
	report->policy = (struct policy *)Py_NewRef((PyObject *)policy);
	return report;
}

void report_about(struct report *report, const struct octets *octets)
{
	report->input = Py_NewRef(octets->owner);
	report->text = octets->text;
}

void report_no_text(struct report *report)
{
	const struct urivet_span nothing = {0, 0};
	report->no_text = true;
	urivet_add_finding(&report->report, URIVET_F_FIELD_UNREADABLE, URIVET_WHOLE, nothing,
			   report->policy->rules);
}

void report_take(struct report *report, const struct urivet_report *found)
{
	memcpy(&report->report, found, URIVET_REPORT_OCTETS);
	report->report.size = URIVET_REPORT_OCTETS;
}

static void report_dealloc(PyObject *self)
{
	struct report *report = (struct report *)self;
	PyTypeObject *type = Py_TYPE(self);
	Py_XDECREF(report->input);
	Py_XDECREF(report->host);
	Py_XDECREF(report->parameters);
	Py_XDECREF(report->made_by);
	Py_XDECREF((PyObject *)report->policy);
	PyObject_Free(self);
	Py_DECREF((PyObject *)type);
}

/* ---- The verdict ------------------------------------------------------------------------ */

static bool accepts(const struct report *report)
{
	return report->report.verdict == URIVET_ACCEPT;
}

GETTER(ok, report, PyBool_FromLong(accepts(self)))

static int is_true(PyObject *self)
{
	return accepts((struct report *)self);
}

GETTER(verdict, report, PyUnicode_FromString(accepts(self) ? "accept" : "reject"))
GETTER(enforced, report, PyBool_FromLong(!policy_observes(self->policy)))
GETTER(public_reason, report,
       PyUnicode_FromString(urivet_reason_name(urivet_reason(&self->report, self->policy->rules))))
GETTER(parsed, report, PyBool_FromLong(self->report.parsed))
GETTER(policy, report, Py_NewRef((PyObject *)self->policy))
GETTER(dropped, report, PyLong_FromUnsignedLong(self->report.dropped))
static const char *const forms[] = {"none", "origin", "absolute", "authority", "asterisk"};
GETTER(form, report, PyUnicode_FromString(forms[self->form]))
GETTER(uri, report, str_from(self->text))
GETTER(octets, report, bytes_from(self->text))
GETTER(parameters, report, Py_NewRef(self->parameters != NULL ? self->parameters : Py_None))

/* ---- Findings --------------------------------------------------------------------------- */

static PyObject *finding_from(const struct report *report, const struct urivet_finding *finding)
{
	const struct urivet_finding_row *row = urivet_finding_info(finding->id);
	PyObject *values[] = {
	    PyUnicode_FromString(row->name),
	    PyLong_FromUnsignedLong(finding->id),
	    PyUnicode_FromString(urivet_class_name(finding->class_)),
	    PyUnicode_FromString(urivet_component_name(finding->component)),
	    PyUnicode_FromString(finding->in == URIVET_IN_HOST_FIELD ? "host" : "input"),
	    PyLong_FromUnsignedLong(finding->span.offset),
	    PyLong_FromUnsignedLong((unsigned long)finding->span.offset + finding->span.length),
	    bytes_from(urivet_fault(finding, report->text, report->host_text)),
	    PyLong_FromUnsignedLong(finding->count),
	    PyBool_FromLong(
		urivet_finding_refuses(&report->report, finding, report->policy->rules)),
	    PyUnicode_FromString(row->reference),
	    PyUnicode_FromString(row->text),
	};
	return row_from(report->state->finding, values, URIVET_LENGTH_OF(values));
}

static PyObject *findings_of(const struct report *report)
{
	PyObject *list = PyList_New(0);
	for (uint32_t k = 0; list != NULL && k < report->report.count; k++)
		append_to(&list, finding_from(report, &report->report.finding[k]));
	return tuple_from(list);
}

PyObject *names_of(const struct urivet_report *report)
{
	PyObject *list = PyList_New(0);
	for (uint32_t k = 0; list != NULL && k < report->count; k++)
		append_to(&list, PyUnicode_FromString(urivet_finding_name(report->finding[k].id)));
	return tuple_from(list);
}

GETTER(findings, report, findings_of(self))
GETTER(ids, report, names_of(&self->report))

static PyObject *report_repr(PyObject *self)
{
	PyObject *ids = get_ids(self, NULL), *repr;
	if (ids == NULL)
		return NULL;
	repr = PyUnicode_FromFormat("<urivet.Report: %s %S>", is_true(self) ? "accept" : "reject",
				    ids);
	Py_DECREF(ids);
	return repr;
}

/* ---- Components -------------------------------------------------------------------------- */

static PyObject *components_of(const struct report *report)
{
	PyObject *values[URIVET_COMPONENTS - 1];
	if (!report->report.parsed || report->text.data == NULL)
		return Py_NewRef(Py_None);
	for (unsigned c = URIVET_SCHEME; c < URIVET_COMPONENTS; c++)
		values[c - 1] = str_from(urivet_part(&report->report.uri, (enum urivet_component)c,
						     report->text, report->host_text));
	return row_from(report->state->components, values, URIVET_COMPONENTS - 1);
}

static bool has_port(const struct report *report)
{
	return report->report.parsed && report->report.uri.port != URIVET_NO_PORT;
}

GETTER(components, report, components_of(self))
GETTER(port, report,
       has_port(self) ? PyLong_FromUnsignedLong(self->report.uri.port) : Py_NewRef(Py_None))

static PyObject *suggestion_of(const struct report *report)
{
	const struct policy *policy = report->policy;
	const size_t capacity = urivet_size_of(URIVET_CAPACITY_IRI, report->text.length);
	struct urivet_iri iri;
	size_t length;
	char *out;
	PyObject *text;
	if (report->text.data == NULL || report->text.length > policy->rules->max_length)
		return Py_NewRef(Py_None);
	out = PyMem_Malloc(capacity);
	if (out == NULL)
		return PyErr_NoMemory();
	length =
	    urivet_suggest(out, capacity, report->text.data, report->text.length, policy->rules);
	if (length == 0) /* a text that is not ASCII may have an ASCII spelling */
		length = urivet_suggest_iri(&iri, out, capacity, report->text.data,
					    report->text.length, policy->rules);
	if (length == 0 || length >= capacity ||
	    !policy_accepts(policy, urivet_text_of(out, length)))
		text = Py_NewRef(Py_None);
	else
		text = str_from(urivet_text_of(out, length));
	PyMem_Free(out);
	return text;
}

static PyObject *endpoint_from(const struct state *state, const struct urivet_endpoint *endpoint)
{
	PyObject *values[] = {
	    PyUnicode_FromString(endpoint->scheme_name),
	    PyUnicode_FromString(endpoint->host),
	    PyLong_FromUnsignedLong(endpoint->port),
	    PyBool_FromLong(endpoint->tls),
	    bytes_from(
		urivet_text_of(endpoint->octets > 0 ? endpoint->address : NULL, endpoint->octets)),
	    PyUnicode_FromString(endpoint->host_field),
	    PyUnicode_FromString(endpoint->tls_name),
	    PyUnicode_FromString(endpoint->target),
	    PyUnicode_FromString(endpoint->url),
	};
	return row_from(state->endpoint, values, URIVET_LENGTH_OF(values));
}

static PyObject *endpoint_of(const struct report *report)
{
	struct urivet_endpoint endpoint;
	size_t capacity;
	char *out;
	PyObject *row;
	if (!accepts(report) || report->text.data == NULL)
		return Py_NewRef(Py_None);
	capacity = URIVET_ENDPOINT_CAPACITY(report->text.length);
	out = PyMem_Malloc(capacity);
	if (out == NULL)
		return PyErr_NoMemory();
	if (urivet_endpoint(&endpoint, out, capacity, &report->report, report->text.data,
			    report->text.length) == 0 ||
	    endpoint.url == NULL)
		row = Py_NewRef(Py_None);
	else
		row = endpoint_from(report->state, &endpoint);
	PyMem_Free(out);
	return row;
}

GETTER(suggestion, report, suggestion_of(self))
GETTER(endpoint, report, endpoint_of(self))

/* ---- As JSON -------------------------------------------------------------------------------- */

static size_t write_json(char *out, size_t capacity, const void *context)
{
	const struct report *report = context;
	return urivet_format_report(out, capacity, &report->report, report->text.data,
				    report->text.length, &report->host_text, report->policy->rules);
}

static PyObject *report_to_json(PyObject *self, PyObject *unused)
{
	(void)unused;
	return str_written(write_json, self);
}

/* ---- Pickling -------------------------------------------------------------------------------- */

static PyObject *frozen_list(const struct state *state, PyObject *list);

/* Returns an immutable argument itself, or a copy of a mutable one. Returns NULL with TypeError for
 * an object that can be read only once. */
static PyObject *frozen(const struct state *state, PyObject *object)
{
	if (PyList_Check(object) || PyTuple_Check(object))
		return frozen_list(state, object);
	if (PyUnicode_Check(object) || PyBytes_Check(object) || PyLong_Check(object) ||
	    object == Py_None || Py_TYPE(object) == state->policy)
		return Py_NewRef(object);
	if (PyObject_CheckBuffer(object))
		return PyBytes_FromObject(object);
	PyErr_SetNone(PyExc_TypeError);
	return NULL;
}

static PyObject *frozen_list(const struct state *state, PyObject *list)
{
	const Py_ssize_t count = PySequence_Size(list);
	PyObject *copies = count >= 0 ? PyList_New(0) : NULL;
	for (Py_ssize_t k = 0; copies != NULL && k < count; k++) {
		PyObject *item = PySequence_GetItem(list, k);
		append_to(&copies, item != NULL ? frozen(state, item) : NULL);
		Py_XDECREF(item);
	}
	return tuple_from(copies);
}

PyObject *report_made_by(struct report *report, const char *method, PyObject *args,
			 PyObject *kwargs)
{
	PyObject *call;
	if (report == NULL)
		return NULL;
	call = kwargs == NULL ? Py_BuildValue("(sO(()()))", method, args)
			      : Py_BuildValue("(sO(NN))", method, args, PyDict_Keys(kwargs),
					      PyDict_Values(kwargs));
	report->made_by = call != NULL ? frozen_list(report->state, call) : NULL;
	Py_XDECREF(call);
	if (report->made_by == NULL) { /* the report is valid, but cannot be pickled */
		PyErr_Clear();
		report->made_by = Py_NewRef(Py_None);
	}
	return (PyObject *)report;
}

/* Pickles the policy and the call, which unpickling repeats. */
static PyObject *report_reduce(PyObject *self, PyObject *unused)
{
	const struct report *report = (struct report *)self;
	PyObject *module = PyImport_ImportModule("urivet._refused"), *reduced;
	(void)unused;
	reduced = module == NULL
		      ? NULL
		      : PyObject_CallMethod(module, "reduced", "OOOi", (PyObject *)report->policy,
					    report->made_by != NULL ? report->made_by : Py_False,
					    report->input != NULL ? report->input : Py_None,
					    report->no_text);
	Py_XDECREF(module);
	return reduced;
}

/* ---- The type -------------------------------------------------------------------------------- */

static PyGetSetDef report_fields[] = {
    FIELD(ok, "Whether it is accepted."),
    FIELD(verdict, "'accept' or 'reject'."),
    FIELD(enforced, "False if the policy only observes."),
    FIELD(public_reason, "What the client may learn: 'accepted', 'unclear' or 'not-allowed'."),
    FIELD(findings, "A tuple of Finding, by offset."),
    FIELD(ids, "The names of the findings, a tuple."),
    FIELD(dropped, "How many further findings were not kept; they count."),
    FIELD(parsed, "Whether it is a URI reference by RFC 3986."),
    FIELD(components, "Its Components; None if it is not parsed."),
    FIELD(port, "The port written, else the scheme's default, else None."),
    FIELD(suggestion, "An accepted spelling of the same resource; None if there is none."),
    FIELD(endpoint, "Where it leads to, an Endpoint; None if refused."),
    FIELD(form, "The form of a request target, 'none' of anything else."),
    FIELD(parameters,
	  "What parameters() found, a tuple of Parameter; None if they were not asked for."),
    FIELD(uri, "What was judged; octets that are no UTF-8 as surrogates."),
    FIELD(octets, "What was judged, as bytes."),
    FIELD(policy, "The policy that it was judged by."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef report_methods[] = {
    {"to_json", report_to_json, METH_NOARGS, "The report as one object of JSON, in ASCII."},
    {"__reduce__", report_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyType_Slot report_slots[] = {
    {Py_tp_doc, "What was found out about one input. True if it is accepted."},
    {Py_tp_dealloc, report_dealloc},
    {Py_tp_repr, report_repr},
    {Py_nb_bool, is_true},
    {Py_tp_getset, report_fields},
    {Py_tp_methods, report_methods},
    {0, NULL}};
PyType_Spec report_spec = {
    "urivet.Report", offsetof(struct report, report) + URIVET_REPORT_OCTETS, 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    report_slots};
