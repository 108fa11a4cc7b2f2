/* SPDX-License-Identifier: Apache-2.0 */
/* The module with its types and constants. */
#include "extension.h"

#include <stddef.h>

/* The fields of structure sequences; urivet/__init__.pyi has their types. */
static const char *const finding_fields[] = {
    "id",     "number", "class_",  "component", "source", "start", "end",
    "octets", "count",  "refuses", "reference", "text",   NULL};
static const char *const components_fields[] = {"scheme", "authority", "userinfo", "host", "port",
						"path",   "query",     "fragment", NULL};
static const char *const endpoint_fields[] = {"scheme",     "host",     "port",   "tls", "address",
					      "host_field", "tls_name", "target", "url", NULL};
static const char *const parameter_fields[] = {"name",  "raw",    "result", "ok",
					       "value", "judged", "ids",    NULL};
static const char *const found_fields[] = {"start", "end", "kind", "uri", "report", NULL};
static const char *const iri_fields[] = {"outcome", "result", "finding", "code_point",
					 "start",   "end",    NULL};

/* A type of the module, and its offset in the state. */
struct type_row {
	const char *name;
	size_t place;
	PyType_Spec *spec;         /* either this ... */
	const char *const *fields; /* ... or those of a structure sequence */
	const char *doc;
};
static const struct type_row types[] = {
    {"urivet.Policy", offsetof(struct state, policy), &policy_spec, NULL, NULL},
    {"urivet.Report", offsetof(struct state, report), &report_spec, NULL, NULL},
    {"urivet.Verdicts", offsetof(struct state, verdicts), &verdicts_spec, NULL, NULL},
    {"urivet.Finding", offsetof(struct state, finding), NULL, finding_fields,
     "One thing that was found."},
    {"urivet.Components", offsetof(struct state, components), NULL, components_fields,
     "The pieces of a URI (RFC 3986, 3)."},
    {"urivet.Endpoint", offsetof(struct state, endpoint), NULL, endpoint_fields,
     "Where to connect to, and what to ask for."},
    {"urivet.Parameter", offsetof(struct state, parameter), NULL, parameter_fields,
     "A parameter of a query."},
    {"urivet.Found", offsetof(struct state, found), NULL, found_fields,
     "A URI that was found in a text."},
    {"urivet.Iri", offsetof(struct state, iri), NULL, iri_fields,
     "What becomes of a text beyond ASCII."},
};

/* Returns the type of a structure sequence. */
static PyObject *sequence_type(const struct type_row *row)
{
	PyStructSequence_Field fields[16] = {{NULL, NULL}};
	PyStructSequence_Desc desc = {row->name, row->doc, fields, 0};
	for (; row->fields[desc.n_in_sequence] != NULL; desc.n_in_sequence++)
		fields[desc.n_in_sequence].name = row->fields[desc.n_in_sequence];
	return (PyObject *)PyStructSequence_NewType(&desc);
}

static PyTypeObject **place_of(struct state *state, const struct type_row *row)
{
	void *const place = (char *)state + row->place;
	return place;
}

static bool add_types(PyObject *module, struct state *state)
{
	for (size_t k = 0; k < URIVET_LENGTH_OF(types); k++) {
		PyTypeObject **place = place_of(state, &types[k]);
		*place =
		    (PyTypeObject *)(types[k].spec != NULL
					 ? PyType_FromModuleAndSpec(module, types[k].spec, NULL)
					 : sequence_type(&types[k]));
		if (*place == NULL || PyModule_AddType(module, *place) != 0)
			return false;
	}
	return true;
}

static bool add_policies(PyObject *module, struct state *state)
{
	static const char *const names[URIVET_BASES] = {
	    [URIVET_STRICT] = "STRICT",
	    [URIVET_PUBLIC] = "PUBLIC",
	    [URIVET_ANY] = "ANY",
	    [URIVET_GATEWAY] = "GATEWAY",
	};
	for (int base = 0; base < URIVET_BASES; base++) {
		state->built_in[base] = policy_built_in(state, base);
		if (PyModule_AddObjectRef(module, names[base], state->built_in[base]) != 0)
			return false;
	}
	return true;
}

static int module_exec(PyObject *module)
{
	struct state *state = PyModule_GetState(module);
	PyObject *members = Py_BuildValue("{s()}", "problems");
	state->policy_error =
	    members == NULL
		? NULL
		: PyErr_NewExceptionWithDoc(
		      "urivet.PolicyError",
		      "A policy that cannot be loaded. `problems` has all that is wrong with it, "
		      "each as (file, line, column, text).",
		      PyExc_ValueError, members);
	Py_XDECREF(members);
	if (state->policy_error == NULL ||
	    PyModule_AddObjectRef(module, "PolicyError", state->policy_error) != 0 ||
	    PyModule_AddStringConstant(module, "version", urivet_version()) != 0)
		return -1;
	return add_types(module, state) && add_policies(module, state) ? 0 : -1;
}

static int visit_types(struct state *state, visitproc visit, void *arg)
{
	for (size_t k = 0; k < URIVET_LENGTH_OF(types); k++)
		Py_VISIT((PyObject *)*place_of(state, &types[k]));
	return 0;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
	struct state *state = PyModule_GetState(module);
	const int stopped = visit_types(state, visit, arg);
	if (stopped != 0)
		return stopped;
	Py_VISIT(state->policy_error);
	for (int base = 0; base < URIVET_BASES; base++)
		Py_VISIT(state->built_in[base]);
	return 0;
}

static int module_clear(PyObject *module)
{
	struct state *state = PyModule_GetState(module);
	for (int base = 0; base < URIVET_BASES; base++)
		Py_CLEAR(state->built_in[base]);
	for (size_t k = 0; k < URIVET_LENGTH_OF(types); k++)
		Py_CLEAR(*place_of(state, &types[k]));
	Py_CLEAR(state->policy_error);
	return 0;
}

static void module_free(void *module)
{
	module_clear(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};
static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "urivet._urivet",
    .m_doc = "The library, see urivet.",
    .m_size = sizeof(struct state),
    .m_methods = module_functions,
    .m_slots = slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__urivet(void);
PyMODINIT_FUNC PyInit__urivet(void)
{
	return PyModuleDef_Init(&definition);
}
