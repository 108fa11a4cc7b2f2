/* SPDX-License-Identifier: Apache-2.0 */
/* Module functions, which are no methods of a policy. Checks by strict are those of STRICT. */
#include "extension.h"

#include <string.h>
#include <urivet/reference.h>
#include <urivet/scan.h>
#include <urivet/spelling.h>

/* ---- References, normal forms, comparison ---------------------------------------------------- */

static PyObject *resolved(const struct octets *base, const struct octets *reference)
{
	const size_t capacity = base->text.length + reference->text.length + 8;
	char *out = PyMem_Malloc(capacity);
	enum urivet_resolved how = URIVET_UNRESOLVED;
	size_t length = 0;
	PyObject *text;
	if (out == NULL)
		return PyErr_NoMemory();
	if (!base->no_text && !reference->no_text)
		length = urivet_resolve(out, capacity, URIVET_READER_RFC3986, base->text,
					reference->text, true, &how);
	text = str_from(
	    urivet_text_of(how != URIVET_UNRESOLVED && length < capacity ? out : NULL, length));
	PyMem_Free(out);
	return text;
}

static PyObject *module_resolve(PyObject *module, PyObject *args)
{
	struct octets base, reference;
	PyObject *text;
	(void)module;
	if (!PyArg_ParseTuple(args, "O&O&:resolve", octets_converter, &base, octets_converter,
			      &reference))
		return NULL;
	text = resolved(&base, &reference);
	octets_release(&base);
	octets_release(&reference);
	return text;
}

static PyObject *normalised(const struct octets *octets, enum urivet_level level)
{
	bool readable = false;
	const size_t length = urivet_normalise(NULL, 0, octets->text.data, octets->text.length,
					       level, URIVET_READER_RFC3986, &readable);
	char *out = readable && !octets->no_text ? PyMem_Malloc(length + 1) : NULL;
	PyObject *text;
	if (!readable || octets->no_text)
		return Py_NewRef(Py_None);
	if (out == NULL)
		return PyErr_NoMemory();
	urivet_normalise(out, length + 1, octets->text.data, octets->text.length, level,
			 URIVET_READER_RFC3986, &readable);
	text = str_from(urivet_text_of(out, length));
	PyMem_Free(out);
	return text;
}

static PyObject *module_normalise(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"uri", "level", NULL};
	static const char *const levels[] = {"syntax", "scheme"};
	PyObject *text = NULL;
	const char *word = "syntax";
	struct octets octets;
	int level;
	(void)module;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|s:normalise", names, octets_converter,
					 &octets, &word))
		return NULL;
	level = word_among(word, "level", levels, 2);
	if (level >= 0)
		text = normalised(&octets, level == 0 ? URIVET_LEVEL_SYNTAX : URIVET_LEVEL_SCHEME);
	octets_release(&octets);
	return text;
}

static PyObject *module_compare(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"a", "b", "no_fragment", NULL};
	static const char *const rungs[] = {"different", "protocol", "scheme", "syntax",
					    "identical"};
	struct octets a, b;
	PyObject *rung;
	int no_fragment = 0;
	(void)module;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&O&|p:compare", names, octets_converter,
					 &a, octets_converter, &b, &no_fragment))
		return NULL;
	rung =
	    PyUnicode_FromString(rungs[urivet_compare(a.text, b.text, no_fragment != 0, NULL, 0)]);
	octets_release(&a);
	octets_release(&b);
	return rung;
}

/* ---- URIs in text ---------------------------------------------------------------------------- */

/* The input of a scan: a whole text, or the part of a stream that is in memory. */
struct part {
	struct urivet_scan scan;
	struct policy *policy; /* NULL: finds are not judged */
	size_t before;         /* octets of the stream before this part */
	size_t most;           /* octets that may be held back */
	bool last;             /* nothing follows */
};

/* Returns the report about a URI that was found, or None without a policy. */
static PyObject *found_report(struct policy *policy, struct urivet_text text)
{
	struct octets octets = {.owner = bytes_from(text)};
	PyObject *report;
	if (policy == NULL || octets.owner == NULL) {
		Py_XDECREF(octets.owner);
		return policy == NULL ? Py_NewRef(Py_None) : NULL;
	}
	octets.text = urivet_text_of(PyBytes_AsString(octets.owner), text.length);
	report = policy_judge((PyObject *)policy, &octets);
	octets_release(&octets);
	return report;
}

static PyObject *found_from(const struct state *state, const struct urivet_found *found,
			    struct urivet_text text, const struct part *part)
{
	const size_t start = part->before + found->offset;
	PyObject *values[] = {
	    PyLong_FromSize_t(start),
	    PyLong_FromSize_t(start + found->length),
	    PyUnicode_FromString(found->kind == URIVET_FOUND_URI ? "uri" : "abbreviated"),
	    str_from(text),
	    found_report(part->policy, text),
	};
	return row_from(state->found, values, URIVET_LENGTH_OF(values));
}

/* Finds the next URI. */
static bool scan_one(struct part *part, struct urivet_found *found, char *out, size_t capacity,
		     size_t *length)
{
	return urivet_scan_next(&part->scan, part->last ? SIZE_MAX : part->most, found, out,
				capacity, length);
}

static PyObject *scanned(const struct state *state, struct part *part)
{
	const size_t capacity = part->scan.length + 64;
	struct urivet_found found;
	size_t length;
	PyObject *list = PyList_New(0);
	char *out = PyMem_Malloc(capacity);
	if (out == NULL) {
		PyErr_NoMemory();
		Py_CLEAR(list);
	}
	while (list != NULL && scan_one(part, &found, out, capacity, &length)) {
		const struct urivet_text text =
		    urivet_text_of(out, length < capacity ? length : capacity - 1);
		append_to(&list, found_from(state, &found, text, part));
	}
	PyMem_Free(out);
	return list;
}

static PyObject *module_scan(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"text", "policy", NULL};
	struct state *state = PyModule_GetState(module);
	PyObject *policy_object = Py_None, *list = NULL;
	struct part part = {.last = true};
	struct octets octets;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|O:scan", names, octets_converter,
					 &octets, &policy_object))
		return NULL;
	part.scan = (struct urivet_scan){octets.text.data, octets.text.length, 0};
	if (policy_object != Py_None)
		part.policy = policy_from(state, policy_object, policy_object);
	if (policy_object == Py_None || part.policy != NULL)
		list = scanned(state, &part);
	octets_release(&octets);
	return list;
}

/* Returns the finds and what _scan_part() needs to continue. Keeps the octets that a later find
 * depends on. */
static PyObject *part_result(PyObject *list, const struct part *part)
{
	const struct urivet_scan *scan = &part->scan;
	const size_t gone =
	    scan->position > URIVET_SCAN_BEFORE ? scan->position - URIVET_SCAN_BEFORE : 0;
	if (list == NULL)
		return NULL;
	return Py_BuildValue("N(y#nn)", list, (const char *)scan->data + gone,
			     (Py_ssize_t)(scan->length - gone), (Py_ssize_t)(scan->position - gone),
			     (Py_ssize_t)(part->before + gone));
}

/* Searches the octets that were kept, and a piece after them. */
static PyObject *module_scan_part(PyObject *module, PyObject *args)
{
	struct state *state = PyModule_GetState(module);
	PyObject *policy_object, *result = NULL;
	struct octets piece;
	struct part part = {.most = 0};
	const char *kept;
	Py_ssize_t length, position, before;
	int last;
	char *all;
	if (!PyArg_ParseTuple(args, "(y#nn)O&pO:_scan_part", &kept, &length, &position, &before,
			      octets_converter, &piece, &last, &policy_object))
		return NULL;
	part.policy = policy_from(state, policy_object, state->built_in[URIVET_STRICT]);
	part.scan.length = (size_t)length + piece.text.length;
	all = part.policy != NULL ? PyMem_Malloc(part.scan.length + 1) : NULL;
	if (position < 0 || before < 0 || (size_t)position > part.scan.length) {
		PyErr_SetString(PyExc_ValueError, "the position is not in the text");
	} else if (all != NULL) {
		memcpy(all, kept, (size_t)length);
		memcpy(all + length, piece.text.data, piece.text.length);
		part.scan = (struct urivet_scan){all, part.scan.length, (size_t)position};
		part.before = (size_t)before;
		part.most = part.policy->rules->max_length;
		part.last = last != 0;
		if (policy_object == Py_None)
			part.policy = NULL;
		result = part_result(scanned(state, &part), &part);
	} else if (part.policy != NULL) {
		PyErr_NoMemory();
	}
	octets_release(&piece);
	PyMem_Free(all);
	return result;
}

/* ---- Display --------------------------------------------------------------------------------- */

struct shown {
	struct urivet_text text;
	const struct urivet_policy *rules;
	unsigned flags;
};

static size_t write_shown(char *out, size_t capacity, const void *context)
{
	const struct shown *shown = context;
	return urivet_display(out, capacity, shown->text.data, shown->text.length, shown->rules,
			      shown->flags);
}

static PyObject *module_display(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"uri", "html", "policy", NULL};
	PyObject *policy_object = Py_None, *text = NULL;
	const struct policy *policy = NULL;
	struct octets octets;
	int html = 0;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|pO:display", names, octets_converter,
					 &octets, &html, &policy_object))
		return NULL;
	if (policy_object != Py_None)
		policy = policy_from(PyModule_GetState(module), policy_object, policy_object);
	if (policy_object == Py_None || policy != NULL) {
		const struct shown shown = {octets.text, policy != NULL ? policy->rules : NULL,
					    html ? URIVET_DISPLAY_HTML : 0};
		text = str_written(write_shown, &shown);
	}
	octets_release(&octets);
	return text;
}

/* ---- The catalogue --------------------------------------------------------------------------- */

static PyObject *module_catalogue(PyObject *module, PyObject *unused)
{
	PyObject *findings = PyDict_New();
	(void)module;
	(void)unused;
	for (unsigned id = 0; findings != NULL && id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		PyObject *value;
		if (row == NULL)
			continue;
		value = Py_BuildValue("(Isss)", id, urivet_class_name(row->class_), row->reference,
				      row->text);
		if (value == NULL || PyDict_SetItemString(findings, row->name, value) != 0)
			Py_CLEAR(findings);
		Py_XDECREF(value);
	}
	return findings;
}

#define NAMED (METH_VARARGS | METH_KEYWORDS)
PyMethodDef module_functions[] = {
    {"resolve", module_resolve, METH_VARARGS,
     "resolve(base, reference): the target by RFC 3986, 5.2; None if one cannot be read."},
    {"normalise", CALL(module_normalise), NAMED,
     "normalise(uri, level='syntax'): the normal form; None if it cannot be read."},
    {"compare", CALL(module_compare), NAMED,
     "compare(a, b, no_fragment=False): 'identical', 'syntax', 'scheme', ... or 'different'."},
    {"scan", CALL(module_scan), NAMED,
     "scan(text, policy=None): the URIs in a text, a list of Found, each with its report."},
    {"_scan_part", module_scan_part, METH_VARARGS, "For ScanStream."},
    {"display", CALL(module_display), NAMED,
     "display(uri, html=False, policy=None): as it may be shown to people; never a link."},
    {"catalogue", module_catalogue, METH_NOARGS,
     "catalogue(): (number, class, reference, text) of every finding, by its name."},
    {NULL, NULL, 0, NULL}};
