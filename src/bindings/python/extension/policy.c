/* SPDX-License-Identifier: Apache-2.0 */
/* Policies: creation, checks and output. */
#include "common/exact.h"
#include "extension.h"

#include <string.h>
#include <urivet/compiled.h>

const char *const base_names[URIVET_BASES] = {"strict", "public", "any", "gateway"};

/* ---- Creation -------------------------------------------------------------------------- */

/* What is wrong with a policy. */
struct problems {
	PyObject *list;
	char first[1200];
};

static void add_problem(void *context, const struct urivet_message *message)
{
	struct problems *problems = context;
	PyObject *problem;
	if (problems->first[0] == '\0')
		urivet_format_message(problems->first, sizeof problems->first, message);
	problem = Py_BuildValue("(Nkks)",
				message->file != NULL ? PyUnicode_DecodeFSDefault(message->file)
						      : Py_BuildValue(""),
				(unsigned long)message->line, (unsigned long)message->column, message->text);
	if (problem != NULL)
		append_to(&problems->list, problem);
	else
		PyErr_Clear(); /* the problem is lost, but the policy is refused anyway */
}

/* Raises PolicyError with the first problem as message and all of them in `problems`. */
static PyObject *raise_problems(const struct state *state, const struct problems *problems)
{
	const char *first =
	    problems->first[0] != '\0' ? problems->first : "the policy cannot be loaded";
	PyObject *message = PyUnicode_DecodeUTF8(first, (Py_ssize_t)strlen(first), "replace");
	PyObject *all = problems->list != NULL ? PyList_AsTuple(problems->list) : NULL;
	PyObject *error = message != NULL && all != NULL
			      ? PyObject_CallFunctionObjArgs(state->policy_error, message, NULL)
			      : NULL;
	if (error != NULL && PyObject_SetAttrString(error, "problems", all) == 0)
		PyErr_SetObject(state->policy_error, error);
	Py_XDECREF(error);
	Py_XDECREF(all);
	Py_XDECREF(message);
	return NULL;
}

static struct policy *policy_new(struct state *state)
{
	struct policy *policy = (struct policy *)PyType_GenericAlloc(state->policy, 0);
	if (policy != NULL) {
		policy->state = state;
		policy->rules = &policy->opened; /* all zero: refuses everything */
	}
	return policy;
}

/* Returns a policy that takes over `loaded`. If it is NULL, raises the problems, whose list is
 * released in any case. */
static PyObject *policy_of(struct state *state, struct urivet_loaded *loaded,
			   struct problems *problems)
{
	struct policy *policy = loaded != NULL ? policy_new(state) : NULL;
	if (loaded == NULL) {
		(void)raise_problems(state, problems);
	} else if (policy == NULL) {
		urivet_loaded_release(loaded);
	} else {
		policy->loaded = loaded;
		policy->rules = urivet_loaded_policy(loaded);
	}
	Py_CLEAR(problems->list);
	return (PyObject *)policy;
}

PyObject *policy_built_in(struct state *state, int base)
{
	struct problems problems = {.list = NULL};
	PyObject *policy = policy_of(state, urivet_load_built_in(base), &problems);
	if (policy != NULL)
		((struct policy *)policy)->is_strict = base == URIVET_STRICT;
	return policy;
}

static void policy_dealloc(PyObject *self)
{
	struct policy *policy = (struct policy *)self;
	PyTypeObject *type = Py_TYPE(self);
	urivet_loaded_release(policy->loaded);
	PyMem_Free(policy->blob);
	PyObject_Free(self);
	Py_DECREF((PyObject *)type);
}

struct policy *policy_from(const struct state *state, PyObject *object, PyObject *otherwise)
{
	if (object == NULL || object == Py_None)
		object = otherwise;
	if (Py_TYPE(object) == state->policy)
		return (struct policy *)object;
	if (PyUnicode_Check(object)) {
		for (int base = 0; base < URIVET_BASES; base++)
			if (PyUnicode_CompareWithASCIIString(object, base_names[base]) == 0)
				return (struct policy *)state->built_in[base];
		PyErr_Format(PyExc_ValueError, "no such built-in policy: %R", object);
		return NULL;
	}
	PyErr_Format(PyExc_TypeError,
		     "a urivet.Policy or the name of a built-in one is needed, not %R",
		     (PyObject *)Py_TYPE(object));
	return NULL;
}

static struct state *state_of(PyObject *type)
{
	return PyType_GetModuleState((PyTypeObject *)type);
}

#define BUILT_IN(name, base)                                                                       \
	static PyObject *make_##name(PyObject *type, PyObject *unused)                             \
	{                                                                                          \
		(void)unused;                                                                      \
		return policy_built_in(state_of(type), base);                                      \
	}
BUILT_IN(strict, URIVET_STRICT)
BUILT_IN(public, URIVET_PUBLIC)
BUILT_IN(any, URIVET_ANY)
BUILT_IN(gateway, URIVET_GATEWAY)

static PyObject *make_loaded(PyObject *type, PyObject *path)
{
	struct problems problems = {.list = PyList_New(0)};
	PyObject *octets, *policy;
	if (!PyUnicode_FSConverter(path, &octets)) {
		Py_XDECREF(problems.list);
		return NULL;
	}
	policy =
	    policy_of(state_of(type), urivet_load(PyBytes_AsString(octets), add_problem, &problems),
		      &problems);
	Py_DECREF(octets);
	return policy;
}

static PyObject *loaded_from_text(struct state *state, const struct octets *octets)
{
	struct problems problems = {.list = PyList_New(0)};
	return policy_of(state,
			 urivet_load_text(octets->text.data, octets->text.length, "policy",
					  add_problem, &problems),
			 &problems);
}

/* Opens a copy of the octets as *policy, and returns the fault, or any with MemoryError set. */
static enum urivet_compiled_fault open_compiled(struct policy *policy, const struct octets *octets,
						struct urivet_text *extra)
{
	if (octets->text.length > URIVET_MAX_LENGTH)
		return URIVET_COMPILED_LENGTH;
	policy->blob = PyMem_Malloc(octets->text.length + 1);
	if (policy->blob == NULL) {
		PyErr_NoMemory();
		return URIVET_COMPILED_TOO_SHORT;
	}
	memcpy(policy->blob, octets->text.data, octets->text.length);
	policy->blob_length = octets->text.length;
	return urivet_compiled_open(&policy->opened, sizeof policy->opened, policy->blob,
				    policy->blob_length, extra);
}

/* Returns a policy from compiled octets. Those written by the core alone have no extra data, so the
 * core reads them; others go to the loader. */
static PyObject *of_blob(PyObject *type, const struct octets *octets)
{
	struct state *state = state_of(type);
	struct urivet_text extra = {0};
	struct policy *policy = policy_new(state);
	PyObject *made = NULL;
	enum urivet_compiled_fault fault;
	if (policy == NULL)
		return NULL;
	fault = open_compiled(policy, octets, &extra);
	if (PyErr_Occurred() != NULL)
		made = NULL;
	else if (fault != URIVET_COMPILED_GOOD)
		PyErr_SetString(state->policy_error, urivet_compiled_fault_text(fault));
	else if (extra.length > 0)
		made = loaded_from_text(state, octets);
	else
		made = Py_NewRef((PyObject *)policy);
	Py_DECREF((PyObject *)policy);
	return made;
}

static bool begins_compiled(const struct octets *octets)
{
	struct policy probe = {0};
	const enum urivet_compiled_fault fault = open_compiled(&probe, octets, NULL);
	PyMem_Free(probe.blob);
	return fault != URIVET_COMPILED_MAGIC && fault != URIVET_COMPILED_TOO_SHORT;
}

static PyObject *of_yaml(PyObject *type, const struct octets *octets)
{
	if (octets->no_text)
		PyErr_SetString(state_of(type)->policy_error, "a str with surrogates is no YAML");
	else if (begins_compiled(octets))
		PyErr_SetString(state_of(type)->policy_error,
				"a compiled policy is no YAML: Policy.compiled() takes it");
	else if (PyErr_Occurred() == NULL)
		return loaded_from_text(state_of(type), octets);
	return NULL;
}

static PyObject *make_from_yaml(PyObject *type, PyObject *object)
{
	return with_octets(type, object, of_yaml);
}

/* Returns a policy from keyword arguments, which urivet._policies writes as a policy file. */
static PyObject *make_built(PyObject *type, PyObject *args, PyObject *kwargs)
{
	PyObject *settings = kwargs != NULL ? Py_NewRef(kwargs) : PyDict_New();
	PyObject *module = PyImport_ImportModule("urivet._policies"), *text = NULL, *policy = NULL;
	if (PyTuple_Size(args) > 0)
		PyErr_SetString(PyExc_TypeError,
				"settings have names: Policy.build(base=\"public\", ...)");
	else if (module != NULL && settings != NULL)
		text = PyObject_CallMethod(module, "written", "O", settings);
	if (text != NULL)
		policy = make_from_yaml(type, text);
	Py_XDECREF(text);
	Py_XDECREF(module);
	Py_XDECREF(settings);
	return policy;
}

static PyObject *make_compiled(PyObject *type, PyObject *object)
{
	if (!PyUnicode_Check(object))
		return with_octets(type, object, of_blob);
	PyErr_SetString(PyExc_TypeError, "a compiled policy is octets, not str");
	return NULL;
}

/* ---- Checks ----------------------------------------------------------------------------- */

bool policy_accepts(const struct policy *policy, struct urivet_text text)
{
	struct urivet_report work;
	void *held = NULL;
	const void *data = exact_copy(&held, text.data, text.length, "python");
	const bool accepts = policy->is_strict ? urivet_ok(data, text.length)
					       : urivet_verdict_of(data, text.length, policy->rules,
								   &work) == URIVET_ACCEPT;
	free(held);
	return accepts;
}

PyObject *policy_judge(PyObject *self, const struct octets *octets)
{
	struct policy *policy = (struct policy *)self;
	struct urivet_report found;
	struct report *report = report_new(policy);
	void *held = NULL;
	if (report == NULL)
		return NULL;
	report_about(report, octets);
	urivet_check(&found, exact_copy(&held, octets->text.data, octets->text.length, "python"),
		     octets->text.length, policy->rules);
	free(held);
	report_take(report, &found);
	if (octets->no_text)
		report_no_text(report);
	return (PyObject *)report;
}

static PyObject *is_accepted(PyObject *self, const struct octets *octets)
{
	return PyBool_FromLong(!octets->no_text &&
			       policy_accepts((struct policy *)self, octets->text));
}

static PyObject *policy_ok(PyObject *self, PyObject *object)
{
	return with_octets(self, object, is_accepted);
}

static PyObject *policy_check(PyObject *self, PyObject *object)
{
	return with_octets(self, object, policy_judge);
}

/* ---- Output ------------------------------------------------------------------------------- */

static PyObject *policy_compile(PyObject *self, PyObject *unused)
{
	const struct policy *policy = (struct policy *)self;
	const size_t length =
	    policy->loaded != NULL ? urivet_loaded_compile(NULL, 0, policy->loaded) : 0;
	void *out = length > 0 ? PyMem_Malloc(length) : NULL;
	PyObject *octets;
	(void)unused;
	if (policy->loaded == NULL)
		return PyBytes_FromStringAndSize(policy->blob, (Py_ssize_t)policy->blob_length);
	if (out == NULL || urivet_loaded_compile(out, length, policy->loaded) != length) {
		PyMem_Free(out);
		return PyErr_NoMemory();
	}
	octets = PyBytes_FromStringAndSize(out, (Py_ssize_t)length);
	PyMem_Free(out);
	return octets;
}

static size_t write_yaml(char *out, size_t capacity, const void *context)
{
	return urivet_loaded_format(out, capacity, ((const struct policy *)context)->loaded);
}

static PyObject *policy_to_yaml(PyObject *self, PyObject *unused)
{
	(void)unused;
	if (((struct policy *)self)->loaded == NULL) {
		PyErr_SetString(((struct policy *)self)->state->policy_error,
				"it was not compiled by `urivet policy compile`: it has no names");
		return NULL;
	}
	return str_written(write_yaml, self);
}

/* Pickles the compiled policy, so that unpickling verifies it. */
static PyObject *policy_reduce(PyObject *self, PyObject *unused)
{
	PyObject *make = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "compiled");
	PyObject *octets = policy_compile(self, unused);
	PyObject *reduced =
	    make != NULL && octets != NULL ? Py_BuildValue("(O(O))", make, octets) : NULL;
	Py_XDECREF(make);
	Py_XDECREF(octets);
	return reduced;
}

static PyObject *get_base(PyObject *self, void *unused)
{
	const struct policy *policy = (struct policy *)self;
	(void)unused;
	if (policy->loaded == NULL)
		return Py_NewRef(Py_None);
	return PyUnicode_FromString(base_names[urivet_loaded_base(policy->loaded)]);
}

static PyObject *get_name(PyObject *self, void *unused)
{
	const char *name = ((struct policy *)self)->rules->name;
	if (name != NULL)
		return PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace");
	return get_base(self, unused);
}

bool policy_observes(const struct policy *policy)
{
	return policy->loaded != NULL && urivet_loaded_observes(policy->loaded);
}

GETTER(observes, policy, PyBool_FromLong(policy_observes(self)))

static PyObject *policy_repr(PyObject *self)
{
	PyObject *name = get_name(self, NULL), *repr;
	if (name == NULL)
		return NULL;
	repr = PyUnicode_FromFormat("<urivet.Policy: %S>", name);
	Py_DECREF(name);
	return repr;
}

/* ---- The type ------------------------------------------------------------------------------- */

#define MAKES METH_CLASS
#define NAMED (METH_VARARGS | METH_KEYWORDS)
static PyMethodDef policy_methods[] = {
    {"strict", make_strict, MAKES | METH_NOARGS, "What readers read alike; any host and address."},
    {"public", make_public, MAKES | METH_NOARGS,
     "strict, and the host is a public name or address: for whatever fetches."},
    {"any", make_any, MAKES | METH_NOARGS, "Other schemes than http and https, too."},
    {"gateway", make_gateway, MAKES | METH_NOARGS,
     "For request targets and URLs about to be routed."},
    {"load", make_loaded, MAKES | METH_O,
     "load(path): a policy file, YAML or compiled. PolicyError if anything is wrong with it."},
    {"from_yaml", make_from_yaml, MAKES | METH_O,
     "from_yaml(text): a policy of YAML, which includes no files."},
    {"build", CALL(make_built), MAKES | NAMED,
     "build(base='public', hosts={'deny': [...]}, ...): a policy of settings."},
    {"compiled", make_compiled, MAKES | METH_O,
     "compiled(octets): a policy that was compiled, by compile() or the command."},
    {"ok", policy_ok, METH_O, "ok(uri): is it accepted?"},
    {"check", policy_check, METH_O,
     "check(uri): judges it; a Report, which is true if it is accepted."},
    {"check_redirect", CALL(policy_check_redirect), NAMED,
     "check_redirect(location, base, same_origin=False): judges what a reference resolves to."},
    {"check_target", CALL(policy_check_target), NAMED,
     "check_target(target, method=None, host=None, scheme=None, port=0, host_unknown=False): "
     "the target of a request, with its Host field and what is known of the listener."},
    {"check_address", CALL(policy_check_address), NAMED,
     "check_address(address, port=0, scope=0): an address to connect to, text or octets."},
    {"check_many", CALL(policy_check_many), NAMED,
     "check_many(data, offsets=None, *, large=False, separator=b'\\n'): many at once; Verdicts."},
    {"parameters", CALL(policy_parameters), NAMED,
     "parameters(uri, names=(), *, policy=None, decode=1, same_origin=False, absolute=False, "
     "method=None, host=None, scheme=None, port=0, target=False): judges a URL and the URLs in "
     "its query; the Report has `parameters`."},
    {"suggest_iri", policy_suggest_iri, METH_O,
     "suggest_iri(text): the one ASCII spelling of a text with characters beyond, an Iri."},
    {"compile", policy_compile, METH_NOARGS, "The policy as octets, which compiled() takes."},
    {"to_yaml", policy_to_yaml, METH_NOARGS, "The policy as a policy file."},
    {"__reduce__", policy_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef policy_fields[] = {
    FIELD(name, "Its name."),
    FIELD(base, "The built-in policy that it begins with; None if its octets do not say."),
    FIELD(observes, "Whether refusals are to be logged, not enforced."),
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot policy_slots[] = {
    {Py_tp_doc, "What a deployment accepts. It never changes, and threads may share it."},
    {Py_tp_dealloc, policy_dealloc},
    {Py_tp_repr, policy_repr},
    {Py_tp_methods, policy_methods},
    {Py_tp_getset, policy_fields},
    {0, NULL}};
PyType_Spec policy_spec = {"urivet.Policy", sizeof(struct policy), 0,
			   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE |
			       Py_TPFLAGS_DISALLOW_INSTANTIATION,
			   policy_slots};
