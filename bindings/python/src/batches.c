/* batches.c - many free bodies: the columns of NumPy arrays as a ph_batch, or as a ph_batchf. */
#include "core.h"

#include <stdlib.h>

#include <polhode/batch.h>

/* The buffers of q, m and J, each (rows, n) with contiguous rows: all of float64, or all of
 * float32. */
typedef struct columns {
    Py_buffer memory[3];
    int held;
    bool floats;
    ph_batch batch;
    ph_batchf single; /* of floats */
} columns;

static void columns_free(columns *c)
{
    while (c->held > 0)
        PyBuffer_Release(&c->memory[--c->held]);
}

/* Those of one array from `first` to `last`; false with an exception. The first array decides whether
 * all are of floats. */
static bool take(columns *c, PyObject *o, const char *name, Py_ssize_t rows, bool writable,
                 Py_ssize_t first, Py_ssize_t last, double **to, float **single)
{
    Py_buffer *b = &c->memory[c->held];
    int flags = PyBUF_STRIDES | PyBUF_FORMAT;
    if (writable)
        flags |= PyBUF_WRITABLE;
    if (PyObject_GetBuffer(o, b, flags) < 0)
        return false;
    if (c->held++ == 0)
        c->floats = b->format != NULL && b->format[0] == 'f';
    const Py_ssize_t size = (Py_ssize_t)(c->floats ? sizeof(float) : sizeof(double));
    if (b->ndim != 2 || b->shape[0] != rows || b->shape[1] < last || first < 0 || last < first ||
        b->itemsize != size || b->format == NULL || b->format[0] != (c->floats ? 'f' : 'd') ||
        b->format[1] != '\0' || (b->shape[1] > 1 && b->strides[1] != b->itemsize)) {
        PyErr_Format(PyExc_ValueError, "%s must be %s of the shape (%zd, n) with contiguous rows",
                     name, c->floats ? "float32" : "float64", rows);
        return false;
    }
    for (Py_ssize_t k = 0; k < rows; k++) {
        char *row = (char *)b->buf + k * b->strides[0];
        if (c->floats)
            single[k] = (float *)row + first;
        else
            to[k] = (double *)row + first;
    }
    return true;
}

static bool columns_of(columns *c, PyObject *q, PyObject *m, PyObject *J, Py_ssize_t first,
                       Py_ssize_t last)
{
    c->held = 0;
    c->batch.n = c->single.n = (size_t)(last - first);
    if (take(c, q, "q", 4, true, first, last, c->batch.q, c->single.q) &&
        take(c, m, "m", 3, true, first, last, c->batch.m, c->single.m) &&
        take(c, J, "J", 3, false, first, last, (double **)c->batch.J, (float **)c->single.J))
        return true;
    columns_free(c);
    return false;
}

/* Steps of floats, one after the other. A body that fails stays, and the others go on. */
static ph_batch_result run_floats(const ph_flow *flow, const ph_batchf *b, float h, uint64_t steps,
                                  work *w)
{
    ph_batch_result r = {.status = PH_OK};
    for (uint64_t n = 0; n < steps && work_goes_on(w, (double)n); n++) {
        size_t failed = 0;
        const ph_status status = ph_batch_stepf(flow, b, h, &failed);
        if (status != PH_OK && (r.status == PH_OK || failed < r.failed))
            r = (ph_batch_result){.status = status, .failed = failed};
    }
    return r;
}

static bool go_on(void *context, double done)
{
    return work_goes_on(context, done);
}

static PyObject *fail_body(ph_status status, size_t body)
{
    char about[60];
    (void)snprintf(about, sizeof about, "body %zu", body);
    return fail(status, about);
}

/* batch_step(q, m, J, flow, h, steps, first, last): h a number, or an array of a time for
 * each body and one step. Arrays of float32 take a number and a plain flow. */
PyObject *core_batch_step(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *q, *m, *J, *name, *time;
    uint64_t steps;
    Py_ssize_t first, last;
    columns c;
    ph_integrator i;
    own_scheme *own;
    if (!PyArg_ParseTuple(args, "OOOOOO&nn", &q, &m, &J, &name, &time, read_steps, &steps, &first,
                          &last) ||
        !integrator_of(name, &i, &own))
        return NULL;
    if (!columns_of(&c, q, m, J, first, last)) {
        free(own);
        return NULL;
    }
    PyObject *result = NULL;
    Py_buffer each;
    size_t failed = 0;
    const bool plain = i.composition == NULL && i.whole == NULL && i.flow != NULL;
    if (c.floats && !(plain && PyFloat_Check(time))) {
        PyErr_SetString(PyExc_ValueError, "float32 goes with a plain flow and one time for all");
    } else if (PyFloat_Check(time)) {
        const double h = PyFloat_AsDouble(time);
        work w;
        work_begin(&w, false, NULL);
        ph_batch_result r;
        if (c.floats)
            r = run_floats(i.flow, &c.single, (float)h, steps, &w);
        else
            r = ph_batch_run(&i, &c.batch, h, steps, go_on, &w);
        if (work_end(&w)) {
            if (r.status == PH_OK)
                result = Py_NewRef(Py_None);
            else
                result = fail_body(r.status, (size_t)first + r.failed);
        }
    } else if (!plain) {
        PyErr_SetString(PyExc_ValueError,
                        "a time for each body can be used only with a plain flow: give one time");
    } else if (doubles(time, &each, false, c.memory[0].shape[1], "the times")) {
        ph_status status;
        Py_BEGIN_ALLOW_THREADS status =
            ph_batch_step_each(i.flow, &c.batch, (double *)each.buf + first, &failed);
        Py_END_ALLOW_THREADS PyBuffer_Release(&each);
        if (status == PH_OK)
            result = Py_NewRef(Py_None);
        else
            result = fail_body(status, (size_t)first + failed);
    }
    columns_free(&c);
    free(own);
    return result;
}

/* batch_kick(q, m, J, torque, h): m += h torque, an array (3, n). */
PyObject *core_batch_kick(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *q, *m, *J, *of_torque;
    double h;
    Py_ssize_t n;
    columns c;
    Py_buffer torque;
    if (!PyArg_ParseTuple(args, "OOOOdn", &q, &m, &J, &of_torque, &h, &n) ||
        !columns_of(&c, q, m, J, 0, n))
        return NULL;
    const bool good = !c.floats && doubles(of_torque, &torque, false, 3 * n, "the torque");
    if (c.floats)
        PyErr_SetString(PyExc_ValueError, "a torque goes with float64 alone");
    if (good) {
        const double *x = torque.buf;
        Py_BEGIN_ALLOW_THREADS ph_batch_kick(&c.batch, x, x + n, x + 2 * n, h);
        Py_END_ALLOW_THREADS PyBuffer_Release(&torque);
    }
    columns_free(&c);
    if (good)
        return Py_NewRef(Py_None);
    return NULL;
}
