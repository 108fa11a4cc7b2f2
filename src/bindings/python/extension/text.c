/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion between Python objects and octets. */
#include "extension.h"

#include <string.h>

/* A str with lone surrogates is not text (Unicode 15.0, 3.9). Its octets are kept for display, but
 * it is never accepted. */
static bool octets_of_surrogates(struct octets *octets, PyObject *object)
{
	if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
		return false;
	PyErr_Clear();
	octets->owner = PyUnicode_AsEncodedString(object, "utf-8", "surrogatepass");
	if (octets->owner == NULL)
		return false;
	octets->no_text = true;
	octets->text =
	    urivet_text_of(PyBytes_AsString(octets->owner), (size_t)PyBytes_Size(octets->owner));
	return true;
}

static bool octets_of_str(struct octets *octets, PyObject *object)
{
	Py_ssize_t length;
	const char *data = PyUnicode_AsUTF8AndSize(object, &length);
	if (data == NULL)
		return octets_of_surrogates(octets, object);
	octets->owner = Py_NewRef(object);
	octets->text = urivet_text_of(data, (size_t)length);
	return true;
}

static void octets_of_bytes(struct octets *octets, PyObject *bytes)
{
	octets->owner = bytes;
	octets->text = urivet_text_of(PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
}

/* Copies the octets of a buffer, as its owner could change them later. */
static bool octets_of_buffer(struct octets *octets, PyObject *object)
{
	Py_buffer view;
	PyObject *copy = NULL;
	if (PyObject_GetBuffer(object, &view, PyBUF_ND | PyBUF_FORMAT) != 0)
		return false;
	if (view.itemsize != 1 || view.ndim > 1)
		PyErr_SetString(PyExc_TypeError,
				"a buffer of octets is needed, one after the other");
	else
		copy = PyBytes_FromStringAndSize(view.buf, view.len);
	PyBuffer_Release(&view);
	if (copy != NULL)
		octets_of_bytes(octets, copy);
	return copy != NULL;
}

bool octets_from(struct octets *octets, PyObject *object)
{
	*octets = (struct octets){0};
	if (PyUnicode_Check(object))
		return octets_of_str(octets, object);
	if (PyBytes_Check(object)) {
		octets_of_bytes(octets, Py_NewRef(object));
		return true;
	}
	if (PyObject_CheckBuffer(object))
		return octets_of_buffer(octets, object);
	PyErr_Format(PyExc_TypeError, "str or an object of octets is needed, not %R",
		     (PyObject *)Py_TYPE(object));
	return false;
}

int octets_converter(PyObject *object, void *octets)
{
	if (object != NULL)
		return octets_from(octets, object) ? Py_CLEANUP_SUPPORTED : 0;
	octets_release(octets);
	return 1;
}

int octets_or_none(PyObject *object, void *octets)
{
	return object == Py_None ? 1 : octets_converter(object, octets);
}

void octets_release(struct octets *octets)
{
	Py_CLEAR(octets->owner);
}

struct urivet_text *texts_of_list(PyObject *list)
{
	const Py_ssize_t count = PyList_Size(list);
	struct urivet_text *texts = PyMem_Calloc((size_t)count + 1, sizeof *texts);
	if (texts == NULL)
		PyErr_NoMemory();
	for (Py_ssize_t k = 0; texts != NULL && k < count; k++) {
		struct octets octets;
		if (octets_from(&octets, PyList_GetItem(list, k))) {
			texts[k] = octets.no_text ? urivet_text_of(NULL, 0) : octets.text;
			PyList_SetItem(list, k, octets.owner);
		} else {
			PyMem_Free(texts);
			texts = NULL;
		}
	}
	return texts;
}

PyObject *with_octets(PyObject *self, PyObject *object, make_of_octets *make)
{
	struct octets octets;
	PyObject *made;
	if (!octets_from(&octets, object))
		return NULL;
	made = make(self, &octets);
	octets_release(&octets);
	return made;
}

PyObject *str_from(struct urivet_text text)
{
	if (text.data == NULL)
		return Py_NewRef(Py_None);
	return PyUnicode_DecodeUTF8(text.data, (Py_ssize_t)text.length, "surrogateescape");
}

PyObject *bytes_from(struct urivet_text text)
{
	if (text.data == NULL)
		return Py_NewRef(Py_None);
	return PyBytes_FromStringAndSize(text.data, (Py_ssize_t)text.length);
}

PyObject *str_written(write_text *write, const void *context)
{
	char brief[2048], *out;
	PyObject *text;
	const size_t length = write(brief, sizeof brief, context);
	if (length < sizeof brief)
		return PyUnicode_DecodeUTF8(brief, (Py_ssize_t)length, "surrogateescape");
	out = PyMem_Malloc(length + 1);
	if (out == NULL)
		return PyErr_NoMemory();
	write(out, length + 1, context);
	text = PyUnicode_DecodeUTF8(out, (Py_ssize_t)length, "surrogateescape");
	PyMem_Free(out);
	return text;
}

PyObject *row_from(PyTypeObject *type, PyObject **values, Py_ssize_t count)
{
	PyObject *row = PyStructSequence_New(type);
	bool whole = row != NULL;
	for (Py_ssize_t k = 0; k < count; k++) {
		whole = whole && values[k] != NULL;
		if (row != NULL)
			PyStructSequence_SetItem(row, k, values[k]);
		else
			Py_XDECREF(values[k]);
	}
	if (!whole)
		Py_CLEAR(row);
	return row;
}

void append_to(PyObject **list, PyObject *item)
{
	if (*list != NULL && (item == NULL || PyList_Append(*list, item) != 0))
		Py_CLEAR(*list);
	Py_XDECREF(item);
}

PyObject *tuple_from(PyObject *list)
{
	PyObject *tuple = list != NULL ? PyList_AsTuple(list) : NULL;
	Py_XDECREF(list);
	return tuple;
}

int word_among(const char *word, const char *what, const char *const *words, int count)
{
	for (int k = 0; k < count; k++)
		if (words[k] != NULL && strcmp(word, words[k]) == 0)
			return k;
	PyErr_Format(PyExc_ValueError, "no such %s: '%s'", what, word);
	return -1;
}
