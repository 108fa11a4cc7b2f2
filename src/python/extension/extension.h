/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module urivet._urivet: what <urivet.h> and <urivet/policy.h> offer, as objects. It judges nothing
 * itself.
 *
 * Nothing is global: each interpreter has its own module, with its own types. Whatever cannot be said
 * raises an exception of the language, and no object stands for a judgement that was not made: a
 * report is made before it is filled, and refuses until it is.
 */
#ifndef URIVET_EXTENSION_H
#define URIVET_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000 /* from Python 3.11 on */
#include <Python.h>
#include <urivet.h>
#include <urivet/policy.h>

#define URIVET_LENGTH_OF(array) (sizeof(array) / sizeof *(array))

/* What a module holds. */
struct state {
	PyTypeObject *policy;
	PyTypeObject *report;
	PyTypeObject *verdicts;
	PyTypeObject *finding;
	PyTypeObject *components;
	PyTypeObject *endpoint;
	PyTypeObject *parameter;
	PyTypeObject *found;
	PyTypeObject *iri;
	PyObject *policy_error; /* urivet.PolicyError */
	PyObject *built_in[URIVET_BASES]; /* policies, by enum urivet_base */
};

/* ---- Texts (text.c) ---------------------------------------------------------------- */

/* Octets of an object, which keeps them as long as `owner` is held. */
struct octets {
	PyObject *owner; /* str or bytes, which never change */
	struct urivet_text text;
	bool no_text; /* a str with surrogates, which stand for nothing: never accepted */
};

/* Takes the octets of a str, or of an object of octets, of which those that can change are copied. False
 * with an exception: TypeError for anything else, and for items of other sizes than 1. */
bool octets_from(struct octets *octets, PyObject *object);
void octets_release(struct octets *octets);

/* The same, but that None is a text that is not there. */
bool octets_or_none(struct octets *octets, PyObject *object);

/* A str of octets; those that are no UTF-8 as surrogates (PEP 383). None for a text that is not there. */
PyObject *str_from(struct urivet_text text);
PyObject *bytes_from(struct urivet_text text);

/* A str of the text that `write` writes by snprintf's contract. */
typedef size_t write_text(char *out, size_t capacity, const void *context);
PyObject *str_written(write_text *write, const void *context);

/* A row of a structure's fields: `values` are taken, one that is NULL is an exception. */
PyObject *row_from(PyTypeObject *type, PyObject **values, Py_ssize_t count);

/* Does a word of the caller's stand in a list? Its index, or -1 with ValueError. */
int word_among(const char *word, const char *what, const char *const *words, int count);

/* ---- Policies (policy.c) ------------------------------------------------------------- */

struct policy {
	PyObject_HEAD struct state *state;
	struct urivet_loaded
	    *loaded; /* NULL: a compiled one of the core's own, which is in `opened` */
	const struct urivet_policy *rules;
	struct urivet_suffixes *suffixes; /* where public suffixes are asked for, else NULL */
	struct urivet_policy opened;
	bool is_strict; /* the one that is built in, which urivet_ok() judges by */
	void *blob;
	size_t blob_length;
};

extern PyType_Spec policy_spec;
extern const char *const base_names[URIVET_BASES];

/* A policy that is built in. */
PyObject *policy_built_in(struct state *state, int base);
/* `mode: observe` */
bool policy_observes(const struct policy *policy);
/* The verdict alone, as policy_judge() would have it. */
bool policy_accepts(const struct policy *policy, struct urivet_text text);
/* A new report of what the octets are judged as. */
PyObject *policy_judge(struct policy *policy, const struct octets *octets);
/* A policy, the built-in one of a name, or with None `otherwise`: borrowed; NULL with TypeError or
 * ValueError. */
struct policy *policy_from(const struct state *state, PyObject *object, PyObject *otherwise);

/* ---- Reports (report.c) --------------------------------------------------------------- */

struct report {
	PyObject_HEAD struct state *state;
	struct policy *policy;
	PyObject *input;      /* str or bytes that `text` lies in */
	PyObject *host;       /* the Host field, likewise, or NULL */
	PyObject *parameters; /* a tuple, or NULL: not asked */
	PyObject *made_by;    /* see report_made_by(); NULL: by Policy.check() */
	bool no_text;         /* the input was a str with surrogates */
	struct urivet_text text;
	struct urivet_text host_text;
	enum urivet_target_form form;
	struct urivet_report report;
};

extern PyType_Spec report_spec;
extern PyStructSequence_Desc finding_desc, components_desc, endpoint_desc, parameter_desc;

/* A report that refuses, of nothing yet. */
struct report *report_new(struct policy *policy);
/* Makes the octets those that were judged. */
void report_about(struct report *report, const struct octets *octets);
/* Notes the call that made a report, which pickling repeats: the arguments that cannot change, or
 * copies. Takes the report, which may be NULL, and returns it. */
PyObject *report_made_by(struct report *report, const char *method, PyObject *args,
			 PyObject *kwargs);
/* The names of the findings of a report of the library, a tuple. */
PyObject *names_of(const struct urivet_report *report);
/* Adds that a text is none. */
void report_no_text(struct report *report);
/* Adds what the core does not know: public suffixes. */
void report_suffixes(struct report *report);

/* ---- Many (verdicts.c) ----------------------------------------------------------------- */

extern PyType_Spec verdicts_spec;
/* Policy.check_many() */
PyObject *policy_check_many(PyObject *self, PyObject *args, PyObject *kwargs);

/* ---- More of a policy (questions.c) -------------------------------------------------------- */

PyObject *policy_check_redirect(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *policy_check_target(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *policy_check_address(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *policy_parameters(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *policy_suggest_iri(PyObject *self, PyObject *object);

/* ---- Functions of the module (functions.c) --------------------------------------------------- */

extern PyMethodDef module_functions[];
extern PyStructSequence_Desc found_desc, iri_desc;

/* PyMethodDef has one type for all calls. */
#define CALL(function) ((PyCFunction)(void (*)(void))(function))

#endif
