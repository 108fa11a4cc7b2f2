/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of URIs: concatenated texts with offsets, records with a separator, or a list. */
#include "extension.h"

#include <string.h>

/* ---- The type Verdicts ----------------------------------------------------------------- */

struct verdicts {
	/* bytes as in Arrow: row k is bit k % 8, counted from the lowest, of octet k / 8 */
	PyObject_HEAD PyObject *bitmap;
	Py_ssize_t rows;
	Py_ssize_t accepted;
};

static void verdicts_dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	Py_XDECREF(((struct verdicts *)self)->bitmap);
	PyObject_Free(self);
	Py_DECREF((PyObject *)type);
}

static Py_ssize_t verdicts_length(PyObject *self)
{
	return ((struct verdicts *)self)->rows;
}

static bool row_is_accepted(const struct verdicts *verdicts, Py_ssize_t row)
{
	const char *bitmap = PyBytes_AsString(verdicts->bitmap);
	return ((unsigned char)bitmap[row / 8] >> row % 8 & 1) != 0;
}

static PyObject *verdicts_item(PyObject *self, Py_ssize_t row)
{
	const struct verdicts *verdicts = (struct verdicts *)self;
	if (row < 0 || row >= verdicts->rows) {
		PyErr_SetString(PyExc_IndexError, "there is no such row");
		return NULL;
	}
	return PyBool_FromLong(row_is_accepted(verdicts, row));
}

static PyObject *verdicts_tolist(PyObject *self, PyObject *unused)
{
	const struct verdicts *verdicts = (struct verdicts *)self;
	PyObject *list = PyList_New(verdicts->rows);
	(void)unused;
	for (Py_ssize_t row = 0; list != NULL && row < verdicts->rows; row++)
		PyList_SetItem(list, row, PyBool_FromLong(row_is_accepted(verdicts, row)));
	return list;
}

GETTER(bitmap, verdicts, Py_NewRef(self->bitmap))
GETTER(accepted, verdicts, PyLong_FromSsize_t(self->accepted))
GETTER(all, verdicts, PyBool_FromLong(self->accepted == self->rows))

static PyObject *verdicts_repr(PyObject *self)
{
	const struct verdicts *verdicts = (struct verdicts *)self;
	return PyUnicode_FromFormat("<urivet.Verdicts: %zd of %zd accepted>", verdicts->accepted,
				    verdicts->rows);
}

/* Raises TypeError, as `if verdicts:` could mean all or any. */
static int verdicts_bool(PyObject *self)
{
	(void)self;
	PyErr_SetString(PyExc_TypeError, "ask for .all_accepted or .accepted of many verdicts");
	return -1;
}

static PyGetSetDef verdicts_fields[] = {
    FIELD(accepted, "How many rows are accepted."),
    {"all_accepted", get_all, NULL, "Whether every row is.", NULL},
    FIELD(bitmap, "A bit a row, from the lowest, as Arrow has them."),
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef verdicts_methods[] = {
    {"tolist", verdicts_tolist, METH_NOARGS, "A list of bool."}, {NULL, NULL, 0, NULL}};
static PyType_Slot verdicts_slots[] = {{Py_tp_doc, "The verdicts of many: a sequence of bool."},
				       {Py_tp_dealloc, verdicts_dealloc},
				       {Py_tp_repr, verdicts_repr},
				       {Py_nb_bool, verdicts_bool},
				       {Py_sq_length, verdicts_length},
				       {Py_sq_item, verdicts_item},
				       {Py_tp_getset, verdicts_fields},
				       {Py_tp_methods, verdicts_methods},
				       {0, NULL}};
PyType_Spec verdicts_spec = {"urivet.Verdicts", sizeof(struct verdicts), 0,
			     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE |
				 Py_TPFLAGS_DISALLOW_INSTANTIATION,
			     verdicts_slots};

/* Returns verdicts that refuse all rows until they are judged. */
static struct verdicts *verdicts_new(const struct state *state, size_t rows)
{
	struct verdicts *verdicts = (struct verdicts *)PyType_GenericAlloc(state->verdicts, 0);
	if (verdicts == NULL)
		return NULL;
	verdicts->rows = (Py_ssize_t)rows;
	verdicts->bitmap = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((rows + 7) / 8));
	if (verdicts->bitmap == NULL) {
		Py_DECREF((PyObject *)verdicts);
		return NULL;
	}
	memset(PyBytes_AsString(verdicts->bitmap), 0, (rows + 7) / 8);
	return verdicts;
}

/* ---- Judging without the global interpreter lock -------------------------------------------- */

/* Aligned offsets of 32 or 64 bits. */
struct offsets {
	const void *data;
	size_t count;
	size_t octets; /* of one offset */
};

struct batch {
	struct policy *policy;
	uint8_t *bitmap;
	size_t accepted;
	size_t rows;
	/* where the rows are: in a list of texts, or in data with offsets, or with a separator */
	const struct urivet_text *texts;
	const struct offsets *offsets;
	struct urivet_text data;
	int separator;
};

static void judge_row(struct batch *batch, size_t row, struct urivet_text text)
{
	if (!policy_accepts(batch->policy, text))
		return;
	batch->bitmap[row / 8] |= (uint8_t)(1u << row % 8);
	batch->accepted++;
}

/* Reads the record at *position, without its separator. Returns false at the end. */
static bool next_record(struct urivet_text *record, struct urivet_text data, int separator,
			size_t *position)
{
	const char *at = (const char *)data.data + *position, *end;
	if (*position >= data.length)
		return false;
	end = memchr(at, separator, data.length - *position);
	*record = urivet_text_of(at, end != NULL ? (size_t)(end - at) : data.length - *position);
	*position += record->length + 1;
	return true;
}

static size_t count_records(struct urivet_text data, int separator)
{
	struct urivet_text record;
	size_t rows = 0, position = 0;
	while (next_record(&record, data, separator, &position))
		rows++;
	return rows;
}

static void judge_offsets(struct batch *batch)
{
	const bool large = batch->offsets->octets != 4;
	struct urivet_report work;
	batch->accepted = urivet_check_batch(batch->data.data, batch->data.length,
					     large ? NULL : batch->offsets->data,
					     large ? batch->offsets->data : NULL, batch->rows,
					     batch->policy->rules, batch->bitmap, &work);
}

static PyObject *judged(struct batch *batch)
{
	struct verdicts *verdicts = verdicts_new(batch->policy->state, batch->rows);
	struct urivet_text record;
	size_t position = 0;
	PyThreadState *thread;
	if (verdicts == NULL)
		return NULL;
	batch->bitmap = (uint8_t *)PyBytes_AsString(verdicts->bitmap);
	thread = PyEval_SaveThread();
	if (batch->offsets != NULL)
		judge_offsets(batch);
	for (size_t row = 0; batch->texts != NULL && row < batch->rows; row++)
		judge_row(batch, row, batch->texts[row]);
	/* another thread may change the data meanwhile, so the number of rows is limited */
	for (size_t row = 0; batch->texts == NULL && batch->offsets == NULL && row < batch->rows &&
			     next_record(&record, batch->data, batch->separator, &position);
	     row++)
		judge_row(batch, row, record);
	PyEval_RestoreThread(thread);
	verdicts->accepted = (Py_ssize_t)batch->accepted;
	return (PyObject *)verdicts;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static PyObject *check_list(struct policy *policy, PyObject *items)
{
	PyObject *list = PySequence_List(items); /* our own copy, which no other code can change */
	struct urivet_text *texts = NULL;
	PyObject *verdicts = NULL;
	if (list == NULL)
		return NULL;
	texts = texts_of_list(list);
	if (texts != NULL) {
		struct batch batch = {policy, .rows = (size_t)PyList_Size(list), .texts = texts};
		verdicts = judged(&batch);
	}
	PyMem_Free(texts);
	Py_DECREF(list);
	return verdicts;
}

/* ---- Offsets as in Arrow --------------------------------------------------------------------- */

static bool offsets_of_view(struct offsets *offsets, const Py_buffer *view, bool large)
{
	const size_t octets = large ? 8 : 4;
	const char *format = view->format != NULL ? view->format : "B";
	const bool plain = view->itemsize == 1, signed_ = strpbrk(format, "ilqn") != NULL;
	offsets->octets = plain ? octets : (size_t)view->itemsize;
	offsets->data = view->buf;
	offsets->count = (size_t)view->len / offsets->octets;
	if (view->ndim > 1 || (!plain && (!signed_ || strpbrk(format, "<>!=") != NULL)) ||
	    (offsets->octets != 4 && offsets->octets != 8))
		PyErr_SetString(PyExc_TypeError,
				"offsets are signed numbers of 32 or 64 bits of this machine");
	else if ((size_t)view->len % offsets->octets != 0 ||
		 (uintptr_t)view->buf % offsets->octets != 0)
		PyErr_SetString(PyExc_ValueError, "offsets are cut, or not aligned");
	else
		return true;
	return false;
}

static PyObject *check_buffer(struct batch *batch, PyObject *data, PyObject *object, bool large)
{
	Py_buffer view, second;
	struct offsets offsets;
	PyObject *verdicts = NULL;
	if (PyObject_GetBuffer(data, &view, PyBUF_ND | PyBUF_FORMAT) != 0)
		return NULL;
	batch->data = urivet_text_of(view.buf, (size_t)view.len);
	if (view.itemsize != 1 || view.ndim > 1) {
		PyErr_SetString(PyExc_TypeError, "data is a buffer of octets");
	} else if (object == Py_None) {
		Py_BEGIN_ALLOW_THREADS batch->rows = count_records(batch->data, batch->separator);
		Py_END_ALLOW_THREADS verdicts = judged(batch);
	} else if (PyObject_GetBuffer(object, &second, PyBUF_ND | PyBUF_FORMAT) == 0) {
		if (offsets_of_view(&offsets, &second, large)) {
			batch->offsets = &offsets;
			batch->rows = offsets.count > 0 ? offsets.count - 1 : 0;
			verdicts = judged(batch);
			batch->offsets = NULL;
		}
		PyBuffer_Release(&second);
	}
	PyBuffer_Release(&view);
	return verdicts;
}

PyObject *policy_check_many(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"data", "offsets", "large", "separator", NULL};
	struct batch batch = {(struct policy *)self, .rows = 0};
	PyObject *data, *offsets = Py_None;
	int large = 0;
	char separator = '\n';
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O$pc:check_many", names, &data, &offsets,
					 &large, &separator))
		return NULL;
	if (PyUnicode_Check(data)) {
		PyErr_SetString(PyExc_TypeError, "many URIs are a list or octets, not one str");
		return NULL;
	}
	batch.separator = (unsigned char)separator;
	if (PyObject_CheckBuffer(data))
		return check_buffer(&batch, data, offsets, large != 0);
	if (offsets != Py_None) {
		PyErr_SetString(PyExc_TypeError, "offsets go with a buffer of octets");
		return NULL;
	}
	return check_list(batch.policy, data);
}
