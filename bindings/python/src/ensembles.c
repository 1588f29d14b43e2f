/* ensembles.c - a ph_ensemble as an object. One thread at a time may use it. */
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <polhode/device.h>

typedef struct ensemble {
    PyObject_HEAD ph_ensemble *e;
    field *field;       /* of the user, or NULL */
    own_scheme *own;    /* of the user, or NULL */
    ph_device *device;  /* or NULL */
    PyObject *warnings; /* the warnings of the library, a tuple */
    bool busy;
} ensemble_object;

enum { MOST_EACH = 64, Q = 4, V = 3 };

static int clear(PyObject *self)
{
    ensemble_object *y = (ensemble_object *)self;
    ph_ensemble_destroy(y->e);
    ph_device_destroy(y->device);
    y->device = NULL;
    Py_CLEAR(y->warnings);
    field_free(y->field);
    free(y->own);
    y->e = NULL;
    y->field = NULL;
    y->own = NULL;
    return 0;
}

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return field_visit(((ensemble_object *)self)->field, visit, arg);
}

static void dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    object_free(self);
}

/* What each body has, from a dictionary of arrays (bodies, count); the buffers are held. */
typedef struct own_arrays {
    ph_each each[MOST_EACH];
    Py_buffer held[MOST_EACH];
    size_t count;
} own_arrays;

static bool take_arrays(own_arrays *a, PyObject *from, Py_ssize_t bodies)
{
    PyObject *key, *o;
    for (Py_ssize_t at = 0; PyDict_Next(from, &at, &key, &o);) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        Py_buffer *b = &a->held[a->count];
        if (name == NULL || a->count == MOST_EACH ||
            PyObject_GetBuffer(o, b, PyBUF_STRIDES | PyBUF_FORMAT) < 0)
            return false;
        a->count++;
        const Py_ssize_t size = (Py_ssize_t)sizeof(double);
        if (b->ndim != 2 || b->shape[0] != bodies || b->format == NULL ||
            strcmp(b->format, "d") != 0 || b->strides[0] % size != 0 || b->strides[1] % size != 0 ||
            b->strides[0] < 0 || b->strides[1] < 0) {
            PyErr_Format(PyExc_ValueError, "%s must be float64 of the shape (%zd, n)", name,
                         bodies);
            return false;
        }
        a->each[a->count - 1] =
            (ph_each){name, b->buf, (size_t)b->shape[1], (size_t)(b->strides[0] / size),
                      (size_t)(b->strides[1] / size)};
    }
    return true;
}

static bool create(ensemble_object *y, const ph_system_settings *with, const own_arrays *a,
                   size_t bodies)
{
    size_t wrong = 0;
    PyThreadState *thread = field_release(y->field);
    const ph_status status = ph_ensemble_create(with, a->each, a->count, bodies, &wrong, &y->e);
    if (thread != NULL)
        PyEval_RestoreThread(thread);
    if (field_raised(y->field))
        return false;
    if (status == PH_NO_MEMORY)
        return PyErr_NoMemory() != NULL;
    if (status != PH_OK) {
        PyErr_Format(PyExc_ValueError, "body %zu: %s", wrong, with->message->text);
        return false;
    }
    const ph_array *attitude;
    ph_system *first = ph_ensemble_system(y->e, 0);
    if (ph_system_array_named(first, "attitude", &attitude) == PH_OK && attitude->count == 1)
        return true;
    PyErr_Format(PyExc_ValueError,
                 "%s is a problem of %s, but an ensemble needs a problem of one body: use a System",
                 ph_system_problem_name(first), ph_system_kind(first));
    return false;
}

/* Opens the device that moves the bodies. */
static bool open_device(ensemble_object *y, const char *name)
{
    ph_system *first = ph_ensemble_system(y->e, 0);
    const ph_status opened = ph_device_create(name, &y->device);
    if (opened != PH_OK)
        PyErr_Format(PyExc_ValueError, "device %s: %s", name, ph_status_text(opened));
    else if (first != NULL && ph_device_takes(first) != PH_OK)
        PyErr_Format(PyExc_ValueError,
                     "devices cannot run %s in this problem: use dop853, or a scheme with a step, "
                     "in a problem of the catalog without tables or of expressions",
                     ph_system_integrator_name(first));
    return !PyErr_Occurred();
}

/* Ensemble(problem, method, step, settings, each, bodies, tolerance, longest_step, device): as
 * System, a dictionary of arrays, and the name of a device or None. */
static PyObject *new (PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)kwargs;
    PyObject *problem, *method, *same, *each;
    const char *device;
    Py_ssize_t bodies;
    ph_problem own;
    ph_integrator scheme;
    ph_message why;
    settings list = {0};
    warned told = {.count = 0};
    ph_system_settings with = {.message = &why, .warn = warned_keep, .context = &told};
    if (!PyArg_ParseTuple(args, "OOdO!O!nddz", &problem, &method, &with.step, &PyDict_Type, &same,
                          &PyDict_Type, &each, &bodies, &with.tolerance, &with.longest_step,
                          &device))
        return NULL;
    ensemble_object *y = object_new(type);
    own_arrays *a = calloc(1, sizeof *a);
    if (y == NULL || a == NULL) {
        free(a);
        Py_XDECREF((PyObject *)y);
        if (PyErr_Occurred())
            return NULL;
        return PyErr_NoMemory();
    }
    bool good = settings_add(&list, same) && take_arrays(a, each, bodies);
    if (good && PyTuple_Check(problem)) {
        y->field = field_new(&own, problem);
        if (y->field != NULL)
            with.own_problem = &own;
    } else if (good) {
        with.problem = PyUnicode_AsUTF8AndSize(problem, NULL);
    }
    if (good && PyTuple_Check(method)) {
        good = integrator_of(method, &scheme, &y->own);
        with.own_integrator = &scheme;
    } else if (good && method != Py_None) {
        with.integrator = PyUnicode_AsUTF8AndSize(method, NULL);
    }
    with.settings = list.list;
    with.setting_count = list.count;
    if (good && bodies < 1)
        PyErr_SetString(PyExc_ValueError, "there are no bodies: give at least one");
    if (good && !PyErr_Occurred())
        (void)(create(y, &with, a, (size_t)bodies) && (device == NULL || open_device(y, device)));
    if (!PyErr_Occurred())
        y->warnings = warned_tuple(&told);
    settings_free(&list);
    for (size_t k = 0; k < a->count; k++)
        PyBuffer_Release(&a->held[k]);
    free(a);
    if (PyErr_Occurred())
        Py_CLEAR(y);
    return (PyObject *)y;
}

/* Where rows go: arrays (rows, bodies, 4) and (rows, bodies, 3). */
typedef struct rows {
    double *q, *m, *w;
    size_t bodies;
    work work;
} rows;

static void put(const rows *r, size_t at, const ph_system *s)
{
    const ph_state now = ph_system_state(s);
    const ph_array *w = NULL;
    memcpy(r->q + at * Q, &now.q, Q * sizeof(double));
    memcpy(r->m + at * V, &now.m, V * sizeof(double));
    if (ph_system_array_named(s, "velocity", &w) == PH_OK) {
        for (int k = 0; k < V; k++)
            r->w[at * V + (size_t)k] = *w->data[k];
    }
}

static bool keep_row(void *context, size_t body, size_t row, ph_system *s)
{
    const rows *r = context;
    put(r, row * r->bodies + body, s);
    return true;
}

static bool go_on(void *context, double done)
{
    return work_goes_on(&((rows *)context)->work, done);
}

static ph_ensemble *begin(PyObject *self)
{
    ensemble_object *y = (ensemble_object *)self;
    if (y->busy) {
        PyErr_SetString(PyExc_RuntimeError, "the ensemble is in use by another thread");
        return NULL;
    }
    y->busy = true;
    return y->e;
}

static PyObject *end(PyObject *self, bool good)
{
    ensemble_object *y = (ensemble_object *)self;
    y->busy = false;
    if (field_raised(y->field) || !good || PyErr_Occurred())
        return NULL;
    return Py_NewRef(Py_None);
}

/* Raises what a run was refused for. A body that failed raises nothing: `status` tells of it. But the
 * law of a control is that of all bodies. */
static bool run_is_good(const ph_ensemble *e, ph_status status, const char *about)
{
    bool body_failed = status == PH_OK;
    for (size_t i = 0; i < ph_ensemble_count(e); i++) {
        if (ph_ensemble_status(e)[i] == PH_LAW_REMEMBERS)
            return fail(PH_LAW_REMEMBERS, NULL) != NULL;
        body_failed = body_failed || ph_ensemble_status(e)[i] == status;
    }
    return body_failed || fail(status, about) != NULL;
}

/* The buffers of attitude, momentum and velocity for so many rows. */
static bool take_rows(PyObject *const o[3], Py_buffer held[3], Py_ssize_t count, rows *r)
{
    static const char *const names[] = {"attitude", "momentum", "velocity"};
    double **const to[] = {&r->q, &r->m, &r->w};
    for (int k = 0; k < 3; k++) {
        if (!doubles(o[k], &held[k], true, count * (k == 0 ? Q : V), names[k])) {
            while (k-- > 0)
                PyBuffer_Release(&held[k]);
            return false;
        }
        *to[k] = held[k].buf;
    }
    return true;
}

/* A buffer of float64, if it is not None: its numbers, or NULL. */
static bool optional(PyObject *o, Py_buffer *b, Py_ssize_t count, const char *name, double **out)
{
    const bool good = o == Py_None || doubles(o, b, true, count, name);
    if (good && o != Py_None)
        *out = b->buf;
    else
        *out = NULL;
    return good;
}

/* run(until, times, attitude, momentum, velocity, hears, held): with an array `held`, (bodies), each
 * body has a companion; or None. */
static PyObject *run(PyObject *self, PyObject *args)
{
    PyObject *times, *out[3], *hears, *digits;
    Py_buffer t, held[3], until_when = {0};
    double until, *digits_hold = NULL;
    rows r = {0};
    const bool python = field_calls_python(((ensemble_object *)self)->field);
    if (!PyArg_ParseTuple(args, "dOOOOOO", &until, &times, &out[0], &out[1], &out[2], &hears,
                          &digits) ||
        !doubles(times, &t, false, -1, "times"))
        return NULL;
    ph_ensemble *e = begin(self);
    const Py_ssize_t count = t.len / (Py_ssize_t)sizeof(double);
    bool good = e != NULL;
    if (good)
        r.bodies = ph_ensemble_count(e);
    else
        r.bodies = 0;
    good = good && optional(digits, &until_when, (Py_ssize_t)r.bodies, "held", &digits_hold);
    if (good && take_rows(out, held, count * (Py_ssize_t)r.bodies, &r)) {
        const ph_ensemble_observer o = {keep_row, go_on, NULL, &r, t.buf, (size_t)count, python};
        work_begin(&r.work, python, hears);
        ph_device *d = ((ensemble_object *)self)->device;
        ph_status status;
        if (digits_hold != NULL)
            status = ph_ensemble_follow(e, until, &o, digits_hold);
        else if (d != NULL)
            status = ph_device_run_ensemble(d, e, until, &o);
        else
            status = ph_ensemble_run(e, until, &o);
        good = work_end(&r.work);
        if (good && (status == PH_DEVICE_BUILD || status == PH_DEVICE_FAILED))
            good = fail(status, ph_device_log(d)) != NULL;
        else if (good)
            good = run_is_good(e, status, count > 0 ? "times" : "until");
        for (int k = 0; k < 3; k++)
            PyBuffer_Release(&held[k]);
    }
    PyBuffer_Release(&until_when);
    PyBuffer_Release(&t);
    if (e == NULL)
        return NULL;
    return end(self, good);
}

/* state(attitude, momentum, velocity): as they are now. */
static PyObject *state(PyObject *self, PyObject *args)
{
    PyObject *out[3];
    Py_buffer held[3];
    rows r = {0};
    if (!PyArg_ParseTuple(args, "OOO", &out[0], &out[1], &out[2]))
        return NULL;
    ph_ensemble *e = begin(self);
    if (e == NULL)
        return NULL;
    const size_t bodies = ph_ensemble_count(e);
    const bool good = take_rows(out, held, (Py_ssize_t)bodies, &r);
    for (size_t i = 0; good && i < bodies; i++)
        put(&r, i, ph_ensemble_system(e, i));
    for (int k = 0; good && k < 3; k++)
        PyBuffer_Release(&held[k]);
    return end(self, good);
}

/* Warns of what makes the last search for events doubtful; false with an exception. */
static bool warn_search(const ph_ensemble *e)
{
    const char *why = ph_ensemble_warning(e);
    return why == NULL || PyErr_WarnFormat(PyExc_UserWarning, 2, "event: %s", why) == 0;
}

/* events(until, condition, first, count): arrays of float64. */
static PyObject *events(PyObject *self, PyObject *args)
{
    PyObject *o[2];
    Py_buffer out[2];
    const char *condition;
    double until;
    ph_expression_error why;
    int held = 0;
    if (!PyArg_ParseTuple(args, "dsOO", &until, &condition, &o[0], &o[1]))
        return NULL;
    ph_ensemble *e = begin(self);
    if (e == NULL)
        return NULL;
    const Py_ssize_t bodies = (Py_ssize_t)ph_ensemble_count(e);
    uint64_t *counts = calloc((size_t)bodies + 1, sizeof *counts);
    bool good = counts != NULL;
    if (!good)
        (void)PyErr_NoMemory();
    for (; good && held < 2; held += good)
        good = doubles(o[held], &out[held], true, bodies, "first and count");
    if (good) {
        const bool python = field_calls_python(((ensemble_object *)self)->field);
        rows r = {.bodies = (size_t)bodies};
        const ph_ensemble_observer seen = {.go_on = go_on, .context = &r, .one_thread = python};
        work_begin(&r.work, python, NULL);
        const ph_status status =
            ph_ensemble_events(e, until, condition, &seen, out[0].buf, counts, &why);
        good = work_end(&r.work);
        if (good && status == PH_BAD_EXPRESSION)
            PyErr_Format(PyExc_ValueError, "the condition, column %d: %s", why.column, why.text);
        else if (good)
            good = run_is_good(e, status, status == PH_NOT_APPLICABLE ? "condition" : "until") &&
                   warn_search(e);
        for (Py_ssize_t i = 0; i < bodies; i++)
            ((double *)out[1].buf)[i] = (double)counts[i];
    }
    while (held > 0)
        PyBuffer_Release(&out[--held]);
    free(counts);
    return end(self, good);
}

/* set_epoch(days): the date of t = 0, in days from J2000.0, for conditions. */
static PyObject *set_epoch(PyObject *self, PyObject *days)
{
    const double x = PyFloat_AsDouble(days);
    if (PyErr_Occurred())
        return NULL;
    ph_ensemble *e = begin(self);
    if (e == NULL)
        return NULL;
    const ph_status status = ph_system_set_epoch(ph_ensemble_system(e, 0), x);
    return end(self, status == PH_OK || fail(status, "epoch") != NULL);
}

/* windows(until, condition): the bytes of the windows of all bodies, one body after the other. */
static PyObject *windows(PyObject *self, PyObject *args)
{
    const char *condition;
    double until;
    ph_expression_error why;
    ph_window_list all = {0};
    PyObject *bytes = NULL;
    if (!PyArg_ParseTuple(args, "ds", &until, &condition))
        return NULL;
    ph_ensemble *e = begin(self);
    if (e == NULL)
        return NULL;
    const size_t bodies = ph_ensemble_count(e);
    ph_window_list *lists = calloc(bodies + 1, sizeof *lists);
    bool good = lists != NULL;
    if (!good)
        (void)PyErr_NoMemory();
    if (good) {
        const bool python = field_calls_python(((ensemble_object *)self)->field);
        rows r = {.bodies = bodies};
        const ph_ensemble_observer seen = {.go_on = go_on, .context = &r, .one_thread = python};
        work_begin(&r.work, python, NULL);
        const ph_status status = ph_ensemble_windows(e, until, condition, &seen, lists, &why);
        good = work_end(&r.work);
        if (good && status == PH_BAD_EXPRESSION)
            PyErr_Format(PyExc_ValueError, "the condition, column %d: %s", why.column, why.text);
        good = good && status != PH_BAD_EXPRESSION &&
               run_is_good(e, status, status == PH_NOT_APPLICABLE ? "condition" : "until") &&
               warn_search(e);
    }
    for (size_t i = 0; i < bodies && lists != NULL; i++)
        all.count += lists[i].count;
    all.windows = calloc(all.count + 1, sizeof *all.windows);
    for (size_t i = 0, at = 0; i < bodies && lists != NULL; i++) {
        for (size_t k = 0; k < lists[i].count && all.windows != NULL; k++)
            all.windows[at++] = lists[i].windows[k];
        ph_window_list_free(&lists[i]);
    }
    free(lists);
    if (good) {
        if (all.windows != NULL)
            bytes = window_bytes(&all);
        else
            bytes = PyErr_NoMemory();
    }
    free(all.windows);
    PyObject *none = end(self, bytes != NULL);
    if (none == NULL)
        Py_CLEAR(bytes);
    Py_XDECREF(none);
    return bytes;
}

/* reduce(until, times, of, bodies, mean, covariance, histogram, low, high): arrays of float64; of
 * is a tuple of texts, the last three are None without a histogram. */
static PyObject *reduce(PyObject *self, PyObject *args)
{
    enum { ARRAYS = 7, MOST = 64 };
    static const char *const names[ARRAYS] = {"times",     "bodies", "mean", "covariance",
                                              "histogram", "low",    "high"};
    PyObject *o[ARRAYS], *of;
    Py_buffer held[ARRAYS] = {{0}};
    double until, *x[ARRAYS];
    const char *text[MOST];
    ph_expression_error why;
    size_t wrong = 0;
    if (!PyArg_ParseTuple(args, "dOO!OOOOOO", &until, &o[0], &PyTuple_Type, &of, &o[1], &o[2],
                          &o[3], &o[4], &o[5], &o[6]))
        return NULL;
    const Py_ssize_t columns = PyTuple_Size(of);
    bool good = columns <= MOST;
    if (!good)
        PyErr_SetString(PyExc_ValueError, "of has more than 64 expressions: give fewer");
    for (Py_ssize_t k = 0; good && k < columns; k++)
        good = (text[k] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(of, k), NULL)) != NULL;
    for (int k = 0; good && k < ARRAYS; k++)
        good = optional(o[k], &held[k], -1, names[k], &x[k]);
    ph_ensemble *e = NULL;
    size_t times = 0, cells = 0, in_each = 0; /* cells of the histogram: all, and of each number */
    if (good) {
        e = begin(self);
        times = (size_t)held[0].len / sizeof(double);
    }
    if (good && x[4] != NULL)
        cells = (size_t)held[4].len / sizeof(double);
    if (times * (size_t)columns > 0)
        in_each = cells / (times * (size_t)columns);
    uint64_t *counts = NULL;
    if (e != NULL)
        counts = calloc(times + cells + 1, sizeof *counts);
    if (counts != NULL) {
        const bool python = field_calls_python(((ensemble_object *)self)->field);
        rows seen = {0};
        const ph_ensemble_observer o_seen = {
            .go_on = go_on, .context = &seen, .one_thread = python};
        const ph_reduction r = {text,    (size_t)columns,
                                x[0],    times,
                                counts,  x[2],
                                x[3],    x[4] ? counts + times : NULL,
                                in_each, x[5],
                                x[6]};
        work_begin(&seen.work, python, NULL);
        const ph_status status = ph_ensemble_reduce(e, until, &r, &o_seen, &why, &wrong);
        good = work_end(&seen.work);
        if (good && status == PH_BAD_EXPRESSION)
            PyErr_Format(PyExc_ValueError, "%s, column %d: %s", text[wrong], why.column, why.text);
        else if (good)
            good = run_is_good(e, status, status == PH_BAD_PARAMETER ? "histogram" : "times");
        for (size_t i = 0; i < times; i++)
            x[1][i] = (double)counts[i];
        for (size_t i = 0; i < cells; i++)
            x[4][i] = (double)counts[times + i];
    }
    for (int k = 0; k < ARRAYS; k++)
        PyBuffer_Release(&held[k]);
    free(counts);
    if (e == NULL)
        return NULL;
    return end(self, good);
}

/* draw(covariance, n, seed, attempt, out): numbers of the samples out[][n]. */
PyObject *core_draw(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *o[2];
    Py_buffer C, out;
    Py_ssize_t n;
    unsigned long long seed, attempt;
    if (!PyArg_ParseTuple(args, "OnKKO", &o[0], &n, &seed, &attempt, &o[1]) ||
        !doubles(o[0], &C, false, n * n, "covariance"))
        return NULL;
    ph_status status = PH_OK;
    if (doubles(o[1], &out, true, -1, "out")) {
        double *x = out.buf;
        const Py_ssize_t size = n * (Py_ssize_t)sizeof *x;
        Py_ssize_t samples = 0;
        if (size != 0)
            samples = out.len / size;
        for (Py_ssize_t k = 0; k < samples && status == PH_OK; k++)
            status = ph_draw_normal(C.buf, (size_t)n, seed, (uint64_t)k, attempt, x + k * n);
        PyBuffer_Release(&out);
    }
    PyBuffer_Release(&C);
    if (status != PH_OK)
        return fail(status, "covariance");
    if (PyErr_Occurred())
        return NULL;
    return Py_NewRef(Py_None);
}

/* status(): the status of each body as bytes, a number of eight each. */
static PyObject *status_of(PyObject *self, PyObject *unused)
{
    (void)unused;
    const ph_ensemble *e = ((ensemble_object *)self)->e;
    const size_t count = ph_ensemble_count(e);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(int64_t)));
    if (bytes == NULL)
        return NULL;
    char *at = PyBytes_AsString(bytes);
    for (size_t i = 0; at != NULL && i < count; i++) {
        const int64_t x = ph_ensemble_status(e)[i];
        memcpy(at + i * sizeof x, &x, sizeof x);
    }
    return bytes;
}

static PyObject *method_of(PyObject *self, void *unused)
{
    (void)unused;
    ph_system *s = ph_ensemble_system(((ensemble_object *)self)->e, 0);
    return PyUnicode_FromString(s ? ph_system_integrator_name(s) : "");
}

static PyObject *warnings_of(PyObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef(((ensemble_object *)self)->warnings);
}

static PyMethodDef methods[] = {
    {"run", run, METH_VARARGS, NULL},         {"state", state, METH_VARARGS, NULL},
    {"events", events, METH_VARARGS, NULL},   {"reduce", reduce, METH_VARARGS, NULL},
    {"status", status_of, METH_NOARGS, NULL}, {"windows", windows, METH_VARARGS, NULL},
    {"set_epoch", set_epoch, METH_O, NULL},   {NULL, NULL, 0, NULL}};
static PyGetSetDef members[] = {{"method", method_of, NULL, NULL, NULL},
                                {"warnings", warnings_of, NULL, NULL, NULL},
                                {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, (void *)new},
                              {Py_tp_dealloc, (void *)dealloc},
                              {Py_tp_traverse, (void *)traverse},
                              {Py_tp_clear, (void *)clear},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, members},
                              {0, NULL}};
static PyType_Spec spec = {"polhode._core.Ensemble", sizeof(ensemble_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

int add_ensembles(PyObject *module)
{
    return added(add_type(module, &spec));
}
