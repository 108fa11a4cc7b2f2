/* SPDX-License-Identifier: Apache-2.0 */
/* The module urivet._urivet: <urivet.h> and <urivet/policy.h> as Python objects. All checks are
 * made by the library.
 *
 * There are no global variables: each interpreter has its own module with its own types. Errors
 * raise Python exceptions. A new report refuses until it is filled, so no object can stand for a
 * check that was not made. */
#ifndef URIVET_EXTENSION_H
#define URIVET_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000 /* Python 3.11 and later */
#include <Python.h>
#include <urivet.h>
#include <urivet/policy.h>

#define URIVET_LENGTH_OF(array) (sizeof(array) / sizeof *(array))

/* The state of a module. */
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
	PyObject *policy_error;           /* urivet.PolicyError */
	PyObject *built_in[URIVET_BASES]; /* built-in policies, by enum urivet_base */
};

/* ---- Texts (text.c) ---------------------------------------------------------------- */

/* The octets of an object, valid until octets_release(). */
struct octets {
	PyObject *owner; /* str or bytes, which are immutable */
	struct urivet_text text;
	bool no_text; /* a str with lone surrogates, which is never accepted */
};

/* Gets the octets of a str or of a buffer; mutable buffers are copied. Returns false with TypeError
 * for other objects, and for buffers with items larger than one octet. */
bool octets_from(struct octets *octets, PyObject *object);
void octets_release(struct octets *octets);

/* Converters "O&" for octets_from(); nothing is left to release after a failure. None gives a text
 * with NULL data to the second. */
int octets_converter(PyObject *object, void *octets);
int octets_or_none(PyObject *object, void *octets);

/* Replaces each item of a list by the owner of its octets, and returns the texts, for PyMem_Free();
 * that of a str with lone surrogates has NULL data. */
struct urivet_text *texts_of_list(PyObject *list);

/* Returns what `make` makes of the octets of an object, or NULL with an exception. */
typedef PyObject *make_of_octets(PyObject *self, const struct octets *octets);
PyObject *with_octets(PyObject *self, PyObject *object, make_of_octets *make);

/* Returns a str; invalid UTF-8 becomes surrogates (PEP 383). Returns None if data is NULL. */
PyObject *str_from(struct urivet_text text);
PyObject *bytes_from(struct urivet_text text);

/* Returns a str of the text that `write` writes; `write` returns the length as snprintf does. */
typedef size_t write_text(char *out, size_t capacity, const void *context);
PyObject *str_written(write_text *write, const void *context);

/* Returns a structure sequence of `values`, which it takes over. Returns NULL with an exception if
 * a value is NULL. */
PyObject *row_from(PyTypeObject *type, PyObject **values, Py_ssize_t count);

/* Appends an item to a list, and takes it over. Clears the list if either is NULL or memory is
 * short. */
void append_to(PyObject **list, PyObject *item);

/* Returns a tuple of the items of a list, which it takes over and which may be NULL. */
PyObject *tuple_from(PyObject *list);

/* Returns the index of the word in the list, or -1 with ValueError. */
int word_among(const char *word, const char *what, const char *const *words, int count);

/* ---- Policies (policy.c) ------------------------------------------------------------- */

struct policy {
	PyObject_HEAD struct state *state;
	struct urivet_loaded *loaded; /* NULL: compiled by the core only, stored in `opened` */
	const struct urivet_policy *rules;
	struct urivet_policy opened;
	bool is_strict; /* the built-in policy, which urivet_ok() uses */
	void *blob;
	size_t blob_length;
};

extern PyType_Spec policy_spec;
extern const char *const base_names[URIVET_BASES];

/* Returns a new built-in policy. */
PyObject *policy_built_in(struct state *state, int base);
/* Returns true if the policy has `mode: observe`. */
bool policy_observes(const struct policy *policy);
/* Returns true if policy_judge() would accept the text, without making a report. */
bool policy_accepts(const struct policy *policy, struct urivet_text text);
/* Returns a new report about the octets. */
PyObject *policy_judge(PyObject *self, const struct octets *octets);
/* Returns a borrowed reference: to a policy, to the built-in policy of a name, or to `otherwise`
 * for None. Returns NULL with TypeError or ValueError. */
struct policy *policy_from(const struct state *state, PyObject *object, PyObject *otherwise);

/* ---- Reports (report.c) --------------------------------------------------------------- */

struct report {
	PyObject_HEAD struct state *state;
	struct policy *policy;
	PyObject *input;      /* str or bytes that contains `text` */
	PyObject *host;       /* the Host field, likewise, or NULL */
	PyObject *parameters; /* a tuple, or NULL if parameters were not checked */
	PyObject *made_by;    /* see report_made_by(); NULL: by Policy.check() */
	bool no_text;         /* the input was a str with lone surrogates */
	struct urivet_text text;
	struct urivet_text host_text;
	enum urivet_target_form form;
	struct urivet_report report; /* without its room: URIVET_REPORT_OCTETS */
};

extern PyType_Spec report_spec;

/* Returns an empty report, which refuses. */
struct report *report_new(struct policy *policy);
/* Sets the input of the report. */
void report_about(struct report *report, const struct octets *octets);
/* Records the call that made a report, so that pickling can repeat it. Mutable arguments are
 * copied. Takes over the report, which may be NULL, and returns it. */
PyObject *report_made_by(struct report *report, const char *method, PyObject *args,
			 PyObject *kwargs);
/* Returns a tuple with the names of the findings in a report of the library. */
PyObject *names_of(const struct urivet_report *report);
/* Adds the finding that the input is not text. */
void report_no_text(struct report *report);
/* Copies what was found, without its room. */
void report_take(struct report *report, const struct urivet_report *found);

/* ---- Batches (verdicts.c) --------------------------------------------------------------- */

extern PyType_Spec verdicts_spec;
/* Policy.check_many() */
PyObject *policy_check_many(PyObject *self, PyObject *args, PyObject *kwargs);

/* ---- Other checks of a policy (questions.c) ------------------------------------------------ */

PyObject *policy_check_redirect(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *policy_check_target(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *policy_check_address(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *policy_parameters(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *policy_suggest_iri(PyObject *self, PyObject *object);

/* ---- Functions of the module (functions.c) --------------------------------------------------- */

extern PyMethodDef module_functions[];

/* Defines a getter. `value` is computed from `self`, the object as struct `kind`. */
#define GETTER(attribute, kind, value)                                                             \
	static PyObject *get_##attribute(PyObject *object, void *unused)                           \
	{                                                                                          \
		const struct kind *const self = (const struct kind *)object;                       \
		(void)unused;                                                                      \
		return value;                                                                      \
	}

#define FIELD(attribute, text)                                                                     \
	{                                                                                          \
#attribute, get_##attribute, NULL, text, NULL                                      \
	}

/* Casts any function to the type that PyMethodDef needs. */
#define CALL(function) ((PyCFunction)(void (*)(void))(function))

#endif
