/* systems.c - a ph_system as an object: made of a problem and an integrator, run, seen by
 * its tables, saved and restored.
 *
 * One thread at a time may use it, and no function of the user that a run of it calls: the
 * others are told so (RuntimeError). Runs go in parts of some 20 ms, between which Ctrl-C is
 * looked for; parts change no bit.
 */
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct system {
    PyObject_HEAD ph_system *s;
    ph_problem problem; /* of one body */
    field *field;       /* of the user, or NULL */
    own_scheme *own;    /* of the user, or NULL */
    bool busy;
} system_object;

static PyTypeObject *system_type;

static const ph_field *field_named(ph_system *s, const char *name)
{
    const ph_field *f = NULL;
    if (ph_system_field_named(s, name, &f) != PH_OK)
        PyErr_Format(PyExc_ValueError, "there is no field %s", name);
    return f;
}

/* ---- the lock of the interpreter -------------------------------------------------- */

/* Releases it around what may take long: all of spheres and molecules, and snapshots; not
 * where a function of Python is called. */
static PyThreadState *release(const system_object *y, const char *kind)
{
    const bool long_work = kind == NULL || strcmp(kind, "body") != 0;
    return long_work && !field_calls_python(y->field) ? PyEval_SaveThread() : NULL;
}

static void take_back(PyThreadState *thread)
{
    if (thread != NULL)
        PyEval_RestoreThread(thread);
}

/* ---- making and freeing ---------------------------------------------------------- */

static int clear(PyObject *self)
{
    system_object *y = (system_object *)self;
    ph_system_free(y->s);
    field_free(y->field);
    free(y->own);
    y->s = NULL;
    y->field = NULL;
    y->own = NULL;
    return 0;
}

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return field_visit(((system_object *)self)->field, visit, arg);
}

static void dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    (void)clear(self);
    object_free(self);
}

static bool make_body(system_object *y, PyObject *problem, PyObject *method, double h,
                      PyObject *parameters, PyObject *start, unsigned options,
                      double tolerance, double longest_step)
{
    ph_integrator i;
    body_start from;
    if (!integrator_of(method, &i, &y->own) ||
        !body_start_of(&from, problem, parameters, start))
        return false;
    if (i.adaptive != NULL && tolerance > 0.0)
        i.tolerance = tolerance;
    i.longest_step = longest_step;
    y->field = from.field;
    y->problem = from.problem;
    const double energy = ph_problem_energy(&from.problem, 0.0, &from.start);
    if (field_raised(y->field))
        return false;
    const ph_status status =
        ph_system_of_body(&y->s, &from.problem, &i, &from.start, h, options);
    if (status != PH_OK)
        return fail(status, NULL) != NULL;
    if (!isfinite(energy))
        PyErr_SetString(PyExc_ValueError,
                        "the start is outside the domain of the potential, or its "
                        "energy overflows: choose another attitude or other parameters");
    return isfinite(energy);
}

/* The start of spheres, as given or the problem's own, brought onto the spheres. */
static ph_status spheres_start(const ph_spheres_problem *p, PyObject *start, ph_vec3 **q,
                               int *n)
{
    ph_spheres *asked;
    ph_status status = ph_spheres_create(&asked, p, NULL);
    if (status != PH_OK)
        return status;
    *n = ph_spheres_count(asked);
    *q = calloc(2 * (size_t)*n, sizeof **q);
    if (*q != NULL) {
        PyObject *of_q = start == Py_None ? NULL : PyDict_GetItemString(start, "q"),
                 *of_w = start == Py_None ? NULL : PyDict_GetItemString(start, "w");
        ph_vec3 *w = *q + *n;
        ph_spheres_start(asked, *q, w);
        if ((of_q == NULL || numbers(of_q, 3 * (Py_ssize_t)*n, &(*q)->x, "q")) &&
            (of_w == NULL || numbers(of_w, 3 * (Py_ssize_t)*n, &w->x, "w"))) {
            if (p->angular_velocity != NULL)
                memset(w, 0, (size_t)*n * sizeof *w);
            status = ph_spheres_project(*n, *q, w, NULL);
        }
    } else {
        status = PH_NO_MEMORY;
    }
    ph_spheres_free(asked);
    return status;
}

static bool make_spheres(system_object *y, const ph_spheres_problem *named,
                         PyObject *method, double h, PyObject *parameters,
                         PyObject *start)
{
    ph_spheres_problem p = *named;
    ph_spheres_integrator i;
    if (PyTuple_Check(method)) {
        PyErr_SetString(PyExc_ValueError,
                        "a Scheme of your own moves one body or molecules: name a "
                        "method on spheres");
        return false;
    }
    const char *name = PyUnicode_AsUTF8AndSize(method, NULL);
    ph_status status = name ? ph_spheres_integrator_named(name, &i) : PH_OK;
    if (status != PH_OK)
        return fail(status, name) != NULL;
    if (name == NULL ||
        !take_parameters(parameters, p.name, p.parameters, p.parameter_count, p.value))
        return false;
    ph_vec3 *q = NULL;
    int n = 0;
    status = spheres_start(&p, start, &q, &n);
    if (status == PH_OK && !PyErr_Occurred()) {
        PyThreadState *thread = release(y, NULL);
        status = ph_system_of_spheres(&y->s, &p, &i, q, q + n, h);
        take_back(thread);
    }
    free(q);
    if (status != PH_OK && !PyErr_Occurred())
        (void)fail(status, NULL);
    return !PyErr_Occurred();
}

static bool make_molecules(system_object *y, const ph_molecules_problem *named,
                           PyObject *method, double h, PyObject *parameters,
                           PyObject *start)
{
    ph_molecules_problem p = *named;
    ph_integrator i;
    ph_molecules *m = NULL;
    if (!integrator_of(method, &i, &y->own) ||
        !take_parameters(parameters, p.name, p.parameters, p.parameter_count, p.value))
        return false;
    PyObject *positions =
        start == Py_None ? NULL : PyDict_GetItemString(start, "positions");
    ph_status status = PH_OK;
    if (positions != NULL) {
        Py_buffer b;
        if (!doubles(positions, &b, false, -1, "positions"))
            return false;
        const size_t n = (size_t)b.len / (3 * sizeof(double));
        const double *x = b.buf;
        m = ph_molecules_create(n);
        for (size_t k = 0; m != NULL && k < 3 * n; k++)
            m->x[k % 3][k / 3] = x[k];
        PyBuffer_Release(&b);
        status = m ? PH_OK : n > 0 ? PH_NO_MEMORY : PH_BAD_PARAMETER;
        if (m != NULL)
            ph_molecules_set_problem(m, &p);
    } else {
        status = ph_molecules_of_problem(&m, &p);
        if (status == PH_OK)
            ph_molecules_set_problem(m, &p);
    }
    if (status == PH_OK) {
        PyThreadState *thread = release(y, NULL);
        status = ph_system_of_molecules(&y->s, m, &i, h);
        take_back(thread);
    }
    if (status == PH_OK)
        return true;
    ph_molecules_free(m);
    return fail(status, NULL) != NULL;
}

/* System(problem, method, step, parameters, start, options, tolerance, longest_step): names,
 * or what own.c takes; a tolerance or longest step of 0 is the library's. */
static PyObject *new (PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)kwargs;
    PyObject *problem, *method, *parameters, *start;
    double h, tolerance = 0.0, longest_step = 0.0;
    unsigned options;
    if (!PyArg_ParseTuple(args, "OOdOOI|dd", &problem, &method, &h, &parameters, &start,
                          &options, &tolerance, &longest_step))
        return NULL;
    system_object *y = object_new(type);
    if (y == NULL)
        return NULL;
    const char *name =
        PyTuple_Check(problem) ? "" : PyUnicode_AsUTF8AndSize(problem, NULL);
    const ph_spheres_problem *spheres;
    const ph_molecules_problem *molecules;
    const bool made = name == NULL ? false
                      : ph_spheres_problem_named(name, &spheres) == PH_OK
                          ? make_spheres(y, spheres, method, h, parameters, start)
                      : ph_molecules_problem_named(name, &molecules) == PH_OK
                          ? make_molecules(y, molecules, method, h, parameters, start)
                          : make_body(y, problem, method, h, parameters, start, options,
                                      tolerance, longest_step);
    if (!made)
        Py_CLEAR(y);
    return (PyObject *)y;
}

/* The problem of a system of one body that was opened, from its name and tables. */
static void recall_problem(system_object *y)
{
    const ph_problem *named;
    size_t count;
    const double *values;
    ph_problem *p = &y->problem;
    if (strcmp(ph_system_kind(y->s), "body") != 0)
        return;
    if (ph_problem_named(ph_system_problem_name(y->s), &named) == PH_OK) {
        *p = *named; /* else it is of texts, which have no internal momentum */
        (void)ph_system_parameters(y->s, &count, &values);
        memcpy(p->value, values, sizeof p->value);
        if (p->prepare != NULL)
            p->prepare(p);
    }
    const ph_field *J = field_named(y->s, "moments"), *axes = field_named(y->s, "axes");
    if (J == NULL || axes == NULL)
        return;
    p->body.J = (ph_vec3){*J->data[0], *J->data[1], *J->data[2]};
    p->body.axes =
        (ph_quat){*axes->data[0], *axes->data[1], *axes->data[2], *axes->data[3]};
    p->body.principal = p->body.axes.w == 1.0;
}

/* open(snapshot) */
static PyObject *system_open(PyObject *type, PyObject *from)
{
    Py_buffer b;
    if (PyObject_GetBuffer(from, &b, PyBUF_SIMPLE) < 0)
        return NULL;
    ph_system *s = NULL;
    ph_status status;
    Py_BEGIN_ALLOW_THREADS status = ph_system_open(&s, b.buf, (size_t)b.len);
    Py_END_ALLOW_THREADS PyBuffer_Release(&b);
    if (status != PH_OK)
        return fail(status, NULL);
    system_object *y = object_new((PyTypeObject *)type);
    if (y == NULL) {
        ph_system_free(s);
        return NULL;
    }
    y->s = s;
    recall_problem(y);
    return (PyObject *)y;
}

/* ---- one at a time --------------------------------------------------------------- */

/* The system, marked as in use; or NULL with an exception. */
static ph_system *begin(PyObject *self)
{
    system_object *y = (system_object *)self;
    if (y->busy || y->s == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the system is in use: by a run in another "
                                            "thread, or by the one that calls this");
        return NULL;
    }
    y->busy = true;
    return y->s;
}

/* The result, unless a function of the user raised. */
static PyObject *end(PyObject *self, PyObject *result)
{
    system_object *y = (system_object *)self;
    y->busy = false;
    if (field_raised(y->field))
        Py_CLEAR(result);
    return result;
}

/* ---- numbers and tables ---------------------------------------------------------- */

enum number { TIME, STEP, ENERGY };
static enum number number_time = TIME, number_step = STEP, number_energy = ENERGY;

static PyObject *number_of(PyObject *self, void *which)
{
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    const enum number w = *(enum number *)which;
    PyThreadState *thread =
        w == ENERGY ? release((system_object *)self, ph_system_kind(s)) : NULL;
    const double x = w == TIME   ? ph_system_time(s)
                     : w == STEP ? ph_system_step(s)
                                 : ph_system_energy(s);
    take_back(thread);
    return end(self, PyFloat_FromDouble(x));
}

static PyObject *steps_of(PyObject *self, void *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    return s ? end(self, PyLong_FromUnsignedLongLong(ph_system_steps(s))) : NULL;
}

static PyObject *evaluations_of(PyObject *self, void *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    return s ? end(self, PyLong_FromUnsignedLongLong(ph_system_evaluations(s))) : NULL;
}

typedef const char *text_of(const ph_system *s);
static text_of *const text_kind = ph_system_kind,
                      *const text_problem = ph_system_problem_name,
                      *const text_method = ph_system_integrator_name;

static PyObject *text(PyObject *self, void *which)
{
    ph_system *s = begin(self);
    return s ? end(self, PyUnicode_FromString((*(text_of *const *)which)(s))) : NULL;
}

static PyObject *bit(unsigned use, unsigned which)
{
    return PyBool_FromLong((use & which) != 0);
}

/* fields(): a list of dictionaries. */
static PyObject *fields(PyObject *self, PyObject *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    size_t count;
    const ph_field *f = ph_system_fields(s, &count);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++, f++) {
        PyObject *row = Py_BuildValue(
            "{ss ss ss ss sN sN sN sN sN si sn}", "name", f->name, "unit", f->unit,
            "text", f->text, "columns", f->columns, "shown", bit(f->use, PH_FIELD_SHOWN),
            "place", bit(f->use, PH_FIELD_PLACE), "derived",
            bit(f->use, PH_FIELD_DERIVED), "constant", bit(f->use, PH_FIELD_CONSTANT),
            "list", PyBool_FromLong(f->count > 1 || (f->use & PH_FIELD_LIST)), "width",
            f->width, "count", (Py_ssize_t)f->count);
        if (row == NULL || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return end(self, list);
}

/* view(name): an array in the memory of the system. */
static PyObject *view(PyObject *self, PyObject *args)
{
    const char *name;
    ph_system *s = PyArg_ParseTuple(args, "s", &name) ? begin(self) : NULL;
    if (s == NULL)
        return NULL;
    const ph_field *f = field_named(s, name);
    if (f == NULL)
        return end(self, NULL);
    const Py_ssize_t across = f->width > 1 ? f->data[1] - f->data[0] : 1;
    for (int k = 2; k < f->width; k++) {
        if (f->data[k] - f->data[k - 1] != across) {
            PyErr_Format(PyExc_ValueError, "the components of %s are not evenly spaced",
                         name);
            return end(self, NULL);
        }
    }
    return end(self,
               view_of(self, f->data[0], f->width, across, (Py_ssize_t)f->count,
                       (Py_ssize_t)f->stride, f->count > 1 || (f->use & PH_FIELD_LIST)));
}

/* write(name, array): into a field; then changed(). */
static PyObject *write_field(PyObject *self, PyObject *args)
{
    const char *name;
    PyObject *from;
    Py_buffer b;
    ph_system *s = PyArg_ParseTuple(args, "sO", &name, &from) ? begin(self) : NULL;
    if (s == NULL)
        return NULL;
    const ph_field *f = field_named(s, name);
    if (f == NULL || !doubles(from, &b, false, (Py_ssize_t)f->count * f->width, name))
        return end(self, NULL);
    const double *x = b.buf;
    for (size_t i = 0; i < f->count; i++) {
        for (int k = 0; k < f->width; k++)
            f->data[k][i * f->stride] = *x++;
    }
    PyBuffer_Release(&b);
    return end(self, Py_NewRef(Py_None));
}

static PyObject *changed(PyObject *self, PyObject *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    PyThreadState *thread = release((system_object *)self, ph_system_kind(s));
    const ph_status status = ph_system_changed(s);
    take_back(thread);
    return end(self, status == PH_OK ? Py_NewRef(Py_None) : fail(status, NULL));
}

/* momentum_of(velocity): of one body, now. */
static PyObject *momentum_of(PyObject *self, PyObject *velocity)
{
    ph_system *s = begin(self);
    ph_vec3 w;
    if (s == NULL)
        return NULL;
    if (!numbers(velocity, 3, &w.x, "velocity"))
        return end(self, NULL);
    const ph_vec3 m =
        ph_problem_momentum(&((system_object *)self)->problem, ph_system_time(s), w);
    return end(self, tuple_of(&m.x, 3));
}

/* observables(): a list of dictionaries. */
static PyObject *observables(PyObject *self, PyObject *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    size_t count;
    PyThreadState *thread = release((system_object *)self, ph_system_kind(s));
    const ph_observable *o = ph_system_observables(s, &count);
    take_back(thread);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++, o++) {
        PyObject *row = Py_BuildValue(
            "{ss ss ss sO sO sN sN sd}", "name", o->name, "unit", o->unit, "text",
            o->text, "watched", o->watched ? Py_True : Py_False, "conserved",
            o->conserved ? Py_True : Py_False, "value", tuple_of(o->now, o->width),
            "start", tuple_of(o->start, o->width), "error", o->error);
        if (row == NULL || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return end(self, list);
}

/* parameters(): a dictionary of names and tuples. */
static PyObject *parameters(PyObject *self, PyObject *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    size_t count;
    const double *values;
    const ph_parameter *p = ph_system_parameters(s, &count, &values);
    PyObject *all = PyDict_New();
    for (size_t i = 0; all != NULL && i < count; i++) {
        PyObject *x = p[i].count == 1 ? PyFloat_FromDouble(values[p[i].first])
                                      : tuple_of(&values[p[i].first], p[i].count);
        if (x == NULL || PyDict_SetItemString(all, p[i].name, x) < 0)
            Py_CLEAR(all);
        Py_XDECREF(x);
    }
    return end(self, all);
}

static PyObject *watch(PyObject *self, PyObject *on)
{
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    ph_system_watch(s, PyObject_IsTrue(on) == 1);
    return end(self, Py_NewRef(Py_None));
}

/* energy_record(): (first, last, largest error, slope). */
static PyObject *energy_record(PyObject *self, PyObject *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    const ph_energy_record e = ph_system_energy_record(s);
    return end(self, Py_BuildValue("dddd", e.first, e.last, e.largest_error, e.slope));
}

static PyObject *set_step(PyObject *self, PyObject *o)
{
    const double h = PyFloat_AsDouble(o);
    ph_system *s = h == -1.0 && PyErr_Occurred() ? NULL : begin(self);
    if (s == NULL)
        return NULL;
    const ph_status status = ph_system_set_step(s, h);
    return end(self, status == PH_OK ? Py_NewRef(Py_None) : fail(status, NULL));
}

/* ---- running --------------------------------------------------------------------- */

static PyObject *fail_step(ph_system *s, ph_status status)
{
    char about[120];
    (void)snprintf(about, sizeof about, "step %llu, from t = %.10g, failed",
                   (unsigned long long)ph_system_steps(s) + 1, ph_system_time(s));
    return fail(status, about);
}

/* Where a run wants to see the system: at these times, into these rows. */
typedef struct sampling {
    const double *times;
    size_t count, seen;
    double *rows;
    work *w;
    field *f;
} sampling;

/* The numbers of a row: time, the fields that are shown, energy. */
static Py_ssize_t row_length(const ph_system *s)
{
    size_t count;
    const ph_field *f = ph_system_fields(s, &count);
    Py_ssize_t sum = 2;
    for (; count > 0; count--, f++)
        sum += f->use & PH_FIELD_SHOWN ? (Py_ssize_t)f->count * f->width : 0;
    return sum;
}

static bool see(void *context, ph_system *s)
{
    sampling *a = context;
    size_t count;
    const ph_field *f = ph_system_fields(s, &count);
    double *to = a->rows;
    *to++ = a->times[a->seen++];
    for (; count > 0; count--, f++) {
        for (size_t i = 0; (f->use & PH_FIELD_SHOWN) && i < f->count; i++) {
            for (int k = 0; k < f->width; k++)
                *to++ = f->data[k][i * f->stride];
        }
    }
    *to++ = ph_system_energy(s);
    a->rows = to;
    return work_goes_on(a->w, (double)a->seen);
}

/* Parts of a run grow until one takes this long, in seconds. */
static const double PART = 0.01;

static ph_status run_parts(ph_system *s, uint64_t steps, sampling *a, work *w)
{
    ph_status status = PH_OK;
    uint64_t part = 1, done = 0;
    while (status == PH_OK && done < steps && work_goes_on(w, (double)done)) {
        const uint64_t now = part < steps - done ? part : steps - done;
        const double before = seconds_now();
        if (a != NULL) {
            const ph_observer o = {.see = see,
                                   .context = a,
                                   .times = a->times + a->seen,
                                   .count = a->count - a->seen};
            status = ph_system_run(s, now, &o);
        } else {
            status = ph_system_run(s, now, NULL);
        }
        done += now;
        if (seconds_now() - before < PART)
            part *= 2;
    }
    return status;
}

/* A number of steps, for PyArg_ParseTuple: 1, or 0 with an exception. */
static int read_steps(PyObject *o, void *steps)
{
    const Py_ssize_t n = PyNumber_AsSsize_t(o, PyExc_OverflowError);
    if (n < 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "steps must not be negative");
    *(uint64_t *)steps = (uint64_t)n;
    return n >= 0;
}

/* run(steps, hears): takes steps. */
static PyObject *run(PyObject *self, PyObject *args)
{
    uint64_t steps;
    PyObject *hears;
    system_object *y = (system_object *)self;
    ph_system *s =
        PyArg_ParseTuple(args, "O&O", read_steps, &steps, &hears) ? begin(self) : NULL;
    if (s == NULL)
        return NULL;
    work w;
    work_begin(&w, field_calls_python(y->field), hears);
    const ph_status status = run_parts(s, steps, NULL, &w);
    const bool whole = work_end(&w);
    if (field_raised(y->field))
        return end(self, NULL);
    if (whole && status != PH_OK)
        return end(self, fail_step(s, status));
    return end(self, whole ? Py_NewRef(Py_None) : NULL);
}

/* ---- running to a time, and to an event ------------------------------------------- */

/* What ends a run: a condition as text, or a function of Python of time, attitude and
 * momentum. */
typedef struct ending {
    ph_expression *condition;
    PyObject *function;
    double begun;
    work *w;
} ending;

static double value_of(void *context, ph_system *s)
{
    const ending *e = context;
    const ph_state now = ph_system_state(s);
    if (e->condition != NULL) {
        size_t count;
        const double *values;
        const ph_field *w = NULL;
        (void)ph_system_parameters(s, &count, &values);
        (void)ph_system_field_named(s, "velocity", &w);
        const ph_instant here = {.t = ph_system_time(s),
                                 .q = now.q,
                                 .R = ph_quat_matrix(now.q),
                                 .m = now.m,
                                 .w = {*w->data[0], *w->data[1], *w->data[2]}};
        return ph_expression_value(e->condition, &here, values);
    }
    if (PyErr_Occurred())
        return NAN;
    PyObject *result =
        PyObject_CallFunction(e->function, "d(dddd)(ddd)", ph_system_time(s), now.q.w,
                              now.q.x, now.q.y, now.q.z, now.m.x, now.m.y, now.m.z);
    const double value = result ? PyFloat_AsDouble(result) : NAN;
    Py_XDECREF(result);
    return value;
}

static bool goes_on(void *context, ph_system *s)
{
    const ending *e = context;
    return work_goes_on(e->w, fabs(ph_system_time(s) - e->begun)) &&
           (e->function == NULL || !PyErr_Occurred());
}

/* run_to(time, event, hears): steps up to a time, or to where the event becomes true; whether
 * it did. */
static PyObject *run_to(PyObject *self, PyObject *args)
{
    double time;
    PyObject *event, *hears;
    system_object *y = (system_object *)self;
    ph_system *s =
        PyArg_ParseTuple(args, "dOO", &time, &event, &hears) ? begin(self) : NULL;
    if (s == NULL)
        return NULL;
    work w;
    ending e = {.begun = ph_system_time(s), .w = &w};
    if (PyUnicode_Check(event)) {
        size_t count;
        const double *values;
        const ph_parameter *parameters = ph_system_parameters(s, &count, &values);
        ph_expression_error why;
        const char *text = PyUnicode_AsUTF8AndSize(event, NULL);
        if (text == NULL)
            return end(self, NULL);
        if (ph_expression_parse(&e.condition, text, PH_CONDITION, parameters, (int)count,
                                &why) != PH_OK) {
            PyErr_Format(PyExc_ValueError, "event, column %d: %s", why.column, why.text);
            return end(self, NULL);
        }
    } else if (event != Py_None) {
        e.function = event;
    }
    work_begin(&w, field_calls_python(y->field) || e.function != NULL, hears);
    ph_event of = {value_of, &e, false};
    const ph_observer o = {.see = goes_on, .context = &e, .every = 1};
    const ph_status status = event == Py_None ? ph_system_run_until(s, time, &o)
                                              : ph_system_run_event(s, time, &o, &of);
    const bool whole = work_end(&w);
    ph_expression_free(e.condition);
    if (field_raised(y->field) || PyErr_Occurred())
        return end(self, NULL);
    if (whole && status != PH_OK)
        return end(self, fail_step(s, status));
    return end(self, whole ? PyBool_FromLong(of.met) : NULL);
}

/* sample(times, rows, steps, hears): the rows at times in the order of the run; takes so
 * many steps, all times lying before one step more; or goes to the last of the times, if the
 * system chooses its steps. */
static PyObject *sample(PyObject *self, PyObject *args)
{
    PyObject *of_times, *of_rows, *hears;
    uint64_t steps;
    Py_buffer t, rows;
    system_object *y = (system_object *)self;
    if (!PyArg_ParseTuple(args, "OOO&O", &of_times, &of_rows, read_steps, &steps,
                          &hears) ||
        !doubles(of_times, &t, false, -1, "the times"))
        return NULL;
    if (!doubles(of_rows, &rows, true, -1, "the rows")) {
        PyBuffer_Release(&t);
        return NULL;
    }
    ph_system *s = begin(self);
    PyObject *result = NULL;
    if (s != NULL && t.len / (Py_ssize_t)sizeof(double) * row_length(s) !=
                         rows.len / (Py_ssize_t)sizeof(double)) {
        PyErr_SetString(PyExc_ValueError, "the rows do not fit the times");
        (void)end(self, NULL);
        s = NULL;
    }
    if (s != NULL) {
        work w;
        work_begin(&w, field_calls_python(y->field), hears);
        sampling a = {.times = t.buf,
                      .count = (size_t)t.len / sizeof(double),
                      .rows = rows.buf,
                      .w = &w,
                      .f = y->field};
        const ph_observer o = {
            .see = see, .context = &a, .times = a.times, .count = a.count};
        ph_status status = PH_OK;
        if (ph_system_adaptive(s) == NULL)
            status = run_parts(s, steps, &a, &w);
        else if (a.count > 0)
            status = ph_system_run_until(s, a.times[a.count - 1], &o);
        while (status == PH_OK && a.seen < a.count && !w.stopped)
            status = ph_system_look(s, a.times[a.seen], see, &a);
        const bool whole = work_end(&w);
        if (!field_raised(y->field)) {
            if (whole && status != PH_OK)
                result = fail_step(s, status);
            else if (whole)
                result = Py_NewRef(Py_None);
        }
        result = end(self, result);
    }
    PyBuffer_Release(&t);
    PyBuffer_Release(&rows);
    return result;
}

/* ---- snapshots ------------------------------------------------------------------- */

/* save(note): bytes; the note is a text or None. */
static PyObject *save(PyObject *self, PyObject *args)
{
    const char *note;
    ph_system *s = PyArg_ParseTuple(args, "z", &note) ? begin(self) : NULL;
    if (s == NULL)
        return NULL;
    ph_system_set_note(s, note);
    const size_t size = ph_system_save(s, NULL, 0);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (bytes != NULL) {
        char *to = PyBytes_AsString(bytes);
        PyThreadState *thread = release((system_object *)self, NULL);
        (void)ph_system_save(s, to, size);
        take_back(thread);
    }
    ph_system_set_note(s, NULL);
    return end(self, bytes);
}

static PyObject *restore(PyObject *self, PyObject *from)
{
    Py_buffer b;
    if (PyObject_GetBuffer(from, &b, PyBUF_SIMPLE) < 0)
        return NULL;
    ph_system *s = begin(self);
    if (s == NULL) {
        PyBuffer_Release(&b);
        return NULL;
    }
    PyThreadState *thread = release((system_object *)self, NULL);
    const ph_status status = ph_system_restore(s, b.buf, (size_t)b.len);
    take_back(thread);
    PyBuffer_Release(&b);
    return end(self, status == PH_OK ? Py_NewRef(Py_None) : fail(status, NULL));
}

/* note(snapshot): its note, or None. */
PyObject *core_note(PyObject *self, PyObject *args)
{
    (void)self;
    Py_buffer b;
    if (!PyArg_ParseTuple(args, "y*", &b))
        return NULL;
    size_t length;
    const char *text = ph_snapshot_note(b.buf, (size_t)b.len, &length);
    PyObject *note = text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace")
                          : Py_NewRef(Py_None);
    PyBuffer_Release(&b);
    return note;
}

/* ---- the type -------------------------------------------------------------------- */

static PyGetSetDef attributes[] = {
    {"time", number_of, NULL, NULL, &number_time},
    {"step", number_of, NULL, NULL, &number_step},
    {"energy", number_of, NULL, NULL, &number_energy},
    {"steps", steps_of, NULL, NULL, NULL},
    {"evaluations", evaluations_of, NULL, NULL, NULL},
    {"kind", text, NULL, NULL, (void *)&text_kind},
    {"problem", text, NULL, NULL, (void *)&text_problem},
    {"method", text, NULL, NULL, (void *)&text_method},
    {0},
};

static PyMethodDef methods[] = {
    {"open", system_open, METH_O | METH_CLASS, NULL},
    {"run", run, METH_VARARGS, NULL},
    {"run_to", run_to, METH_VARARGS, NULL},
    {"sample", sample, METH_VARARGS, NULL},
    {"fields", fields, METH_NOARGS, NULL},
    {"view", view, METH_VARARGS, NULL},
    {"write", write_field, METH_VARARGS, NULL},
    {"changed", changed, METH_NOARGS, NULL},
    {"momentum_of", momentum_of, METH_O, NULL},
    {"observables", observables, METH_NOARGS, NULL},
    {"parameters", parameters, METH_NOARGS, NULL},
    {"watch", watch, METH_O, NULL},
    {"energy_record", energy_record, METH_NOARGS, NULL},
    {"set_step", set_step, METH_O, NULL},
    {"save", save, METH_VARARGS, NULL},
    {"restore", restore, METH_O, NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_new, new},
    {Py_tp_dealloc, dealloc},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {"polhode._core.System", sizeof(system_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

int add_systems(PyObject *module)
{
    system_type = add_type(module, &spec);
    return system_type ? 0 : -1;
}
