/* bodies.c - bodies and their exact free motion. */
#include "core.h"

#include <math.h>
#include <string.h>

#include <polhode/batch.h>

/* ---- the body -------------------------------------------------------------------- */

typedef struct body {
    PyObject_HEAD ph_body b;
} body;

static PyTypeObject *body_type, *motion_type;

const ph_body *body_in(PyObject *o)
{
    if (PyObject_TypeCheck(o, body_type))
        return &((body *)o)->b;
    PyErr_SetString(PyExc_TypeError, "the argument must be a Body");
    return NULL;
}

/* Body(numbers): three moments, or nine elements of a tensor. */
static PyObject *body_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)kwargs;
    PyObject *o;
    ph_body b;
    ph_mat3 tensor;
    ph_vec3 moments;
    if (!PyArg_ParseTuple(args, "O", &o))
        return NULL;
    ph_status status;
    if (PySequence_Size(o) == 3) {
        if (!numbers(o, 3, &moments.x, "inertia"))
            return NULL;
        status = ph_body_from_moments(&b, moments);
    } else {
        if (!numbers(o, 9, &tensor.a[0][0], "inertia"))
            return NULL;
        status = ph_body_from_tensor(&b, tensor);
    }
    if (status != PH_OK)
        return fail(status, NULL);
    body *self = object_new(type);
    if (self != NULL)
        self->b = b;
    return (PyObject *)self;
}

static PyObject *body_moments(PyObject *self, void *unused)
{
    (void)unused;
    return tuple_of(&((body *)self)->b.J.x, 3);
}

static PyObject *body_axes(PyObject *self, void *unused)
{
    (void)unused;
    return tuple_of(&((body *)self)->b.axes.w, 4);
}

static PyObject *body_physical(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(ph_body_physical(&((body *)self)->b));
}

/* Velocities of momenta, or the reverse: arrays of n vectors. */
static PyObject *body_convert(PyObject *self, PyObject *args)
{
    PyObject *from, *to;
    int to_velocity;
    Py_buffer a, b;
    if (!PyArg_ParseTuple(args, "OOp", &from, &to, &to_velocity) ||
        !doubles(from, &a, false, -1, "the vectors"))
        return NULL;
    const Py_ssize_t count = a.len / (Py_ssize_t)sizeof(double);
    if (!doubles(to, &b, true, count, "the result")) {
        PyBuffer_Release(&a);
        return NULL;
    }
    const ph_body *one = &((body *)self)->b;
    const double *x = a.buf;
    double *y = b.buf;
    Py_BEGIN_ALLOW_THREADS for (Py_ssize_t i = 0; i + 2 < count; i += 3)
    {
        const ph_vec3 v = {x[i], x[i + 1], x[i + 2]},
                      u = to_velocity ? ph_body_velocity(one, v) : ph_body_momentum(one, v);
        memcpy(y + i, &u, sizeof u);
    }
    Py_END_ALLOW_THREADS PyBuffer_Release(&a);
    PyBuffer_Release(&b);
    Py_RETURN_NONE;
}

static PyGetSetDef body_attributes[] = {
    {"moments", body_moments, NULL, NULL, NULL},
    {"axes", body_axes, NULL, NULL, NULL},
    {"physical", body_physical, NULL, NULL, NULL},
    {0},
};

static PyMethodDef body_methods[] = {
    {"convert", body_convert, METH_VARARGS, NULL},
    {0},
};

static PyType_Slot body_slots[] = {
    {Py_tp_new, body_new},
    {Py_tp_dealloc, object_free},
    {Py_tp_getset, body_attributes},
    {Py_tp_methods, body_methods},
    {0, NULL},
};

static PyType_Spec body_spec = {"polhode._core.Body", sizeof(body), 0, Py_TPFLAGS_DEFAULT,
                                body_slots};

/* ---- the motion ------------------------------------------------------------------ */

typedef struct motion {
    PyObject_HEAD ph_motion f;
    double energy;
} motion;

/* Motion(Body, attitude, momentum) */
static PyObject *motion_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)kwargs;
    PyObject *of, *attitude, *momentum;
    ph_state start;
    ph_motion f;
    if (!PyArg_ParseTuple(args, "OOO", &of, &attitude, &momentum))
        return NULL;
    const ph_body *b = body_in(of);
    if (b == NULL || !numbers(attitude, 4, &start.q.w, "attitude") ||
        !numbers(momentum, 3, &start.m.x, "momentum"))
        return NULL;
    const ph_status status = ph_motion_prepare(&f, b, &start);
    if (status != PH_OK)
        return fail(status, NULL);
    motion *self = object_new(type);
    if (self == NULL)
        return NULL;
    self->f = f;
    self->energy = ph_body_energy(b, &start);
    return (PyObject *)self;
}

/* Attitude and momentum at one time: the bytes of seven doubles. */
static PyObject *motion_at(PyObject *self, PyObject *time)
{
    const double t = PyFloat_AsDouble(time);
    if (t == -1.0 && PyErr_Occurred())
        return NULL;
    const ph_state s = ph_motion_at(&((motion *)self)->f, t);
    return PyBytes_FromStringAndSize((const char *)&s, sizeof s);
}

_Static_assert(sizeof(ph_state) == 7 * sizeof(double), "a state is seven doubles");

/* fill(times, attitudes, momenta, fast): in vector lanes, or with the bits of at(). */
static PyObject *motion_fill(PyObject *self, PyObject *args)
{
    PyObject *of[3];
    Py_buffer t, q, m;
    int fast;
    if (!PyArg_ParseTuple(args, "OOOp", &of[0], &of[1], &of[2], &fast) ||
        !doubles(of[0], &t, false, -1, "the times"))
        return NULL;
    const Py_ssize_t n = t.len / (Py_ssize_t)sizeof(double);
    PyObject *result = NULL;
    if (doubles(of[1], &q, true, 4 * n, "the attitudes")) {
        if (doubles(of[2], &m, true, 3 * n, "the momenta")) {
            const ph_motion *f = &((motion *)self)->f;
            const double *times = t.buf;
            double *to_q = q.buf, *to_m = m.buf;
            work w;
            work_begin(&w, false, NULL);
            const Py_ssize_t part = 1 << 14; /* times from one look at the clock to the next */
            for (Py_ssize_t i = 0; i < n && work_goes_on(&w, 0.0); i += part) {
                const Py_ssize_t end = n - i < part ? n : i + part;
                (fast ? ph_motion_fill_fast : ph_motion_fill)(f, times + i, (size_t)(end - i),
                                                              to_q + 4 * i, to_m + 3 * i);
            }
            if (work_end(&w))
                result = Py_NewRef(Py_None);
            else
                result = NULL;
            PyBuffer_Release(&m);
        }
        PyBuffer_Release(&q);
    }
    PyBuffer_Release(&t);
    return result;
}

/* derivatives(times, attitude, momentum, velocity): matrices of 3 rows; NaN where there are none. */
static PyObject *motion_derivatives(PyObject *self, PyObject *args)
{
    enum { SIZE = 3 * PH_DERIVATIVE_COLUMNS };
    static const char *const what[] = {"the times", "the attitudes", "the momenta",
                                       "the velocities"};
    PyObject *of[4];
    Py_buffer b[4];
    int held = 0;
    if (!PyArg_ParseTuple(args, "OOOO", &of[0], &of[1], &of[2], &of[3]))
        return NULL;
    Py_ssize_t n = -1;
    while (held < 4 &&
           doubles(of[held], &b[held], held > 0, held > 0 ? SIZE * n : -1, what[held])) {
        if (held == 0)
            n = b[0].len / (Py_ssize_t)sizeof(double);
        held++;
    }
    PyObject *result = NULL;
    if (held == 4) {
        const double *t = b[0].buf;
        work w;
        work_begin(&w, false, NULL);
        for (Py_ssize_t i = 0; i < n && (i % 1024 != 0 || work_goes_on(&w, 0.0)); i++) {
            ph_derivative d;
            double *x = &d.attitude[0][0];
            if (ph_motion_derivative_at(&((motion *)self)->f, t[i], NULL, &d) != PH_OK) {
                for (int k = 0; k < 3 * SIZE; k++)
                    x[k] = NAN;
            }
            for (int k = 0; k < 3; k++)
                memcpy((double *)b[k + 1].buf + SIZE * i, x + (ptrdiff_t)SIZE * k,
                       SIZE * sizeof *x);
        }
        if (work_end(&w))
            result = Py_NewRef(Py_None);
        else
            result = NULL;
    }
    while (held > 0)
        PyBuffer_Release(&b[--held]);
    return result;
}

_Static_assert(sizeof(ph_derivative) == 9 * sizeof(double[PH_DERIVATIVE_COLUMNS]),
               "three matrices, one after the other");

static PyObject *motion_phase_digits(PyObject *self, PyObject *time)
{
    const double t = PyFloat_AsDouble(time);
    if (t == -1.0 && PyErr_Occurred())
        return NULL;
    return PyFloat_FromDouble(ph_motion_phase_digits(&((motion *)self)->f, t));
}

static PyObject *motion_energy(PyObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(((motion *)self)->energy);
}

static PyObject *motion_period(PyObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(ph_motion_period(&((motion *)self)->f));
}

static PyObject *motion_precession(PyObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(ph_motion_precession(&((motion *)self)->f));
}

static PyGetSetDef motion_attributes[] = {
    {"energy", motion_energy, NULL, NULL, NULL},
    {"period", motion_period, NULL, NULL, NULL},
    {"precession", motion_precession, NULL, NULL, NULL},
    {0},
};

static PyMethodDef motion_methods[] = {
    {"at", motion_at, METH_O, NULL},
    {"fill", motion_fill, METH_VARARGS, NULL},
    {"derivatives", motion_derivatives, METH_VARARGS, NULL},
    {"phase_digits", motion_phase_digits, METH_O, NULL},
    {0},
};

static PyType_Slot motion_slots[] = {
    {Py_tp_new, motion_new},
    {Py_tp_dealloc, object_free},
    {Py_tp_getset, motion_attributes},
    {Py_tp_methods, motion_methods},
    {0, NULL},
};

static PyType_Spec motion_spec = {"polhode._core.Motion", sizeof(motion), 0, Py_TPFLAGS_DEFAULT,
                                  motion_slots};

int add_bodies(PyObject *module)
{
    body_type = add_type(module, &body_spec);
    motion_type = add_type(module, &motion_spec);
    PyObject *columns = PyTuple_New(PH_DERIVATIVE_COLUMNS);
    for (int k = 0; columns != NULL && k < PH_DERIVATIVE_COLUMNS; k++)
        (void)PyTuple_SetItem(columns, k, PyUnicode_FromString(ph_derivative_column(k)));
    const bool added =
        columns != NULL && PyModule_AddObjectRef(module, "derivative_columns", columns) == 0;
    Py_XDECREF(columns);
    if (body_type && motion_type && added)
        return 0;
    return -1;
}
