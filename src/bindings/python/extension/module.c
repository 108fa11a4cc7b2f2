/* SPDX-License-Identifier: Apache-2.0 */
/* The module with its types and constants. */
#include "extension.h"

#include <stddef.h>

/* A type of the module, and its offset in the state. */
struct type_row {
	const char *name;
	size_t place;
	PyType_Spec *spec;           /* either this ... */
	PyStructSequence_Desc *desc; /* ... or a structure sequence */
};
static const struct type_row types[] = {
    {"Policy", offsetof(struct state, policy), &policy_spec, NULL},
    {"Report", offsetof(struct state, report), &report_spec, NULL},
    {"Verdicts", offsetof(struct state, verdicts), &verdicts_spec, NULL},
    {"Finding", offsetof(struct state, finding), NULL, &finding_desc},
    {"Components", offsetof(struct state, components), NULL, &components_desc},
    {"Endpoint", offsetof(struct state, endpoint), NULL, &endpoint_desc},
    {"Parameter", offsetof(struct state, parameter), NULL, &parameter_desc},
    {"Found", offsetof(struct state, found), NULL, &found_desc},
    {"Iri", offsetof(struct state, iri), NULL, &iri_desc},
};

static PyTypeObject **place_of(struct state *state, const struct type_row *row)
{
	void *const place = (char *)state + row->place;
	return place;
}

static bool add_types(PyObject *module, struct state *state)
{
	for (size_t k = 0; k < URIVET_LENGTH_OF(types); k++) {
		PyTypeObject **place = place_of(state, &types[k]);
		*place = types[k].spec != NULL
			     ? (PyTypeObject *)PyType_FromModuleAndSpec(module, types[k].spec, NULL)
			     : PyStructSequence_NewType(types[k].desc);
		if (*place == NULL ||
		    PyModule_AddObjectRef(module, types[k].name, (PyObject *)*place) != 0)
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
