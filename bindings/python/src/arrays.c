/* arrays.c - numbers in and out: buffers of doubles, sequences, and views of the library's
 * memory. */
#include "core.h"

#include <string.h>

static bool is_double(const char *format)
{
    if (format == NULL)
        return false;
    if (*format == '@' || *format == '=')
        format++;
    return strcmp(format, "d") == 0;
}

bool doubles(PyObject *o, Py_buffer *b, bool writable, Py_ssize_t count, const char *name)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT;
    if (writable)
        flags |= PyBUF_WRITABLE;
    if (PyObject_GetBuffer(o, b, flags) < 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s must be a contiguous%s array of float64", name,
                     writable ? ", writable" : "");
        return false;
    }
    const Py_ssize_t there = b->len / (Py_ssize_t)sizeof(double);
    const bool good = is_double(b->format);
    if (good && (count < 0 || there == count))
        return true;
    if (good)
        PyErr_Format(PyExc_ValueError, "%s must have %zd numbers, not %zd", name, count, there);
    else
        PyErr_Format(PyExc_TypeError, "%s must be an array of float64", name);
    PyBuffer_Release(b);
    return false;
}

static bool numbers_of_sequence(PyObject *o, Py_ssize_t count, double *to, const char *name)
{
    Py_ssize_t there = -1;
    if (PySequence_Check(o))
        there = PySequence_Size(o);
    if (there != count) {
        PyErr_Clear();
        PyErr_Format(there < 0 ? PyExc_TypeError : PyExc_ValueError, "%s must be %zd numbers", name,
                     count);
        return false;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *item = PySequence_GetItem(o, k);
        if (item)
            to[k] = PyFloat_AsDouble(item);
        else
            to[k] = -1.0;
        Py_XDECREF(item);
        if (PyErr_Occurred())
            return false;
    }
    return true;
}

bool numbers(PyObject *o, Py_ssize_t count, double *to, const char *name)
{
    Py_buffer b;
    if (!PyTuple_Check(o) && !PyList_Check(o) && PyObject_CheckBuffer(o)) {
        if (PyObject_GetBuffer(o, &b, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0) {
            const bool good = is_double(b.format) && b.len == count * (Py_ssize_t)sizeof(double);
            if (good)
                memcpy(to, b.buf, (size_t)b.len);
            PyBuffer_Release(&b);
            if (good)
                return true;
        }
        PyErr_Clear();
    }
    return numbers_of_sequence(o, count, to, name);
}

int read_steps(PyObject *o, void *steps)
{
    const Py_ssize_t n = PyNumber_AsSsize_t(o, PyExc_OverflowError);
    if (n < 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "steps must not be negative");
    *(uint64_t *)steps = (uint64_t)n;
    return n >= 0;
}

PyObject *tuple_of(const double *from, Py_ssize_t count)
{
    PyObject *tuple = PyTuple_New(count);
    for (Py_ssize_t k = 0; tuple != NULL && k < count; k++) {
        PyObject *x = PyFloat_FromDouble(from[k]);
        if (x == NULL || PyTuple_SetItem(tuple, k, x) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

PyObject *values_of(const double *from, Py_ssize_t count)
{
    if (count == 1)
        return PyFloat_FromDouble(*from);
    return tuple_of(from, count);
}

/* ---- views ----------------------------------------------------------------------- */

typedef struct view {
    PyObject_HEAD PyObject *owner;
    double *from;
    int dimensions;
    Py_ssize_t shape[2], strides[2];
} view;

static PyTypeObject *view_type;

PyObject *view_of(PyObject *owner, double *from, int width, Py_ssize_t across, Py_ssize_t count,
                  Py_ssize_t along, bool list)
{
    view *v = object_new(view_type);
    if (v == NULL)
        return NULL;
    const Py_ssize_t size = (Py_ssize_t)sizeof(double);
    v->owner = Py_NewRef(owner);
    v->from = from;
    v->dimensions = 1;
    v->shape[0] = width;
    v->shape[1] = 1;
    v->strides[0] = v->strides[1] = size * across;
    if (list) {
        v->dimensions = 2;
        v->shape[0] = count;
        v->shape[1] = width;
        v->strides[0] = size * along;
    }
    return (PyObject *)v;
}

static int view_get(PyObject *self, Py_buffer *b, int flags)
{
    view *v = (view *)self;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a view of a field is read-only");
        return -1;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError,
                        "a view of a field has strides, which the caller must accept");
        return -1;
    }
    *b = (Py_buffer){
        .buf = v->from,
        .obj = Py_NewRef(self),
        .len = v->shape[0] * v->shape[1] * (Py_ssize_t)sizeof(double),
        .itemsize = (Py_ssize_t)sizeof(double),
        .readonly = 1,
        .ndim = v->dimensions,
        .format = flags & PyBUF_FORMAT ? (char *)"d" : NULL,
        .shape = v->shape,
        .strides = v->strides,
    };
    return 0;
}

static int view_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((view *)self)->owner);
    return 0;
}

static int view_clear(PyObject *self)
{
    (void)self; /* the memory is the owner's: it stays as long as the view */
    return 0;
}

static void view_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(((view *)self)->owner);
    object_free(self);
}

static PyType_Slot view_slots[] = {
    {Py_tp_dealloc, view_dealloc},
    {Py_tp_traverse, view_traverse},
    {Py_tp_clear, view_clear},
    {Py_bf_getbuffer, view_get},
    {0, NULL},
};

static PyType_Spec view_spec = {
    "polhode._core.View", sizeof(view), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, view_slots};

int add_arrays(PyObject *module)
{
    view_type = add_type(module, &view_spec);
    return added(view_type);
}
