/* systems.c - a ph_system as an object: made of a problem and an integrator, run, seen by
 * its tables, saved and restored.
 *
 * While a method runs, calls from other threads and from callbacks of that run raise RuntimeError.
 * Runs go in parts of some 20 ms, between which Ctrl-C is
 * looked for; parts change no bit.
 */
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct system {
    PyObject_HEAD ph_system *s;
    field *field;       /* of the user, or NULL */
    own_scheme *own;    /* of the user, or NULL */
    PyObject *warnings; /* what was allowed and perhaps not meant, a tuple; or NULL */
    bool busy;
} system_object;

static PyTypeObject *system_type;

static const ph_array *field_named(ph_system *s, const char *name)
{
    const ph_array *f = NULL;
    if (ph_system_array_named(s, name, &f) != PH_OK)
        PyErr_Format(PyExc_ValueError, "there is no field %s", name);
    return f;
}

/* ---- the lock of the interpreter -------------------------------------------------- */

/* Releases it around what may take long: snapshots, and what is asked of a system of many
 * entries; not where a function of Python is called. */
static PyThreadState *release(const system_object *y, const ph_system *s)
{
    size_t count;
    const bool long_work = s == NULL || ph_system_arrays(s, &count)->count > 1;
    if (long_work && !field_calls_python(y->field))
        return PyEval_SaveThread();
    return NULL;
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
    ph_system_destroy(y->s);
    field_free(y->field);
    free(y->own);
    Py_CLEAR(y->warnings);
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

void settings_free(settings *s)
{
    for (size_t i = 0; i < s->count; i++)
        free((double *)s->list[i].values);
    free(s->list);
}

/* Numbers of an array or a sequence, in memory of their own; NULL with an exception. */
static double *copied(PyObject *o, const char *name, size_t *count)
{
    Py_buffer b;
    const bool array = PyObject_CheckBuffer(o);
    if (array && !doubles(o, &b, false, -1, name))
        return NULL;
    Py_ssize_t n;
    if (array)
        n = b.len / (Py_ssize_t)sizeof(double);
    else
        n = PySequence_Size(o);
    if (n < 0)
        return NULL;
    double *x = malloc(((size_t)n + 1) * sizeof *x);
    if (x == NULL)
        PyErr_NoMemory();
    if (x != NULL && array)
        memcpy(x, b.buf, (size_t)n * sizeof *x);
    if (array)
        PyBuffer_Release(&b);
    if (x != NULL && !array && !numbers(o, n, x, name)) {
        free(x);
        return NULL;
    }
    *count = (size_t)n;
    return x;
}

bool settings_add(settings *s, PyObject *from)
{
    PyObject *key, *o;
    Py_ssize_t at = 0;
    while (from != Py_None && PyDict_Next(from, &at, &key, &o)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        if (name == NULL)
            return false;
        ph_setting *more = realloc(s->list, (s->count + 1) * sizeof *more);
        if (more == NULL)
            return PyErr_NoMemory() != NULL;
        s->list = more;
        more[s->count].name = name;
        more[s->count].values = copied(o, name, &more[s->count].count);
        if (more[s->count].values == NULL)
            return false;
        s->count++;
    }
    return true;
}

void warned_keep(void *context, const ph_message *w)
{
    warned *to = context;
    if (to->count < MOST_WARNINGS)
        to->all[to->count++] = *w;
}

PyObject *warned_tuple(const warned *from)
{
    PyObject *tuple = PyTuple_New(from->count);
    for (int i = 0; tuple != NULL && i < from->count; i++) {
        PyObject *text = PyUnicode_FromString(from->all[i].text);
        if (text == NULL || PyTuple_SetItem(tuple, i, text) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* System(problem, method, step, parameters, start, options, tolerance, longest_step,
 * derivatives): names, or what own.c takes; a method of None is the recommended one, a tolerance
 * or longest step of 0 the library's. */
static PyObject *new (PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)kwargs;
    PyObject *problem, *method, *parameters, *start;
    ph_problem own;
    ph_integrator scheme;
    ph_message why;
    settings list = {0};
    warned told = {.count = 0};
    ph_system_settings with = {.message = &why, .warn = warned_keep, .context = &told};
    if (!PyArg_ParseTuple(args, "OOdOOI|ddI", &problem, &method, &with.step, &parameters, &start,
                          &with.options, &with.tolerance, &with.longest_step, &with.derivatives))
        return NULL;
    system_object *y = object_new(type);
    if (y == NULL)
        return NULL;
    bool good = settings_add(&list, parameters) && settings_add(&list, start);
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
    if (good && !PyErr_Occurred()) {
        with.settings = list.list;
        with.setting_count = list.count;
        PyThreadState *thread = field_release(y->field);
        const ph_status status = ph_system_create(&with, &y->s);
        take_back(thread);
        if (!field_raised(y->field) && status == PH_NO_MEMORY)
            PyErr_NoMemory();
        else if (!PyErr_Occurred() && status != PH_OK)
            PyErr_SetString(PyExc_ValueError, why.text);
        else if (!PyErr_Occurred())
            y->warnings = warned_tuple(&told);
    }
    settings_free(&list);
    if (PyErr_Occurred())
        Py_CLEAR(y);
    return (PyObject *)y;
}

/* open(snapshot) */
static PyObject *system_open(PyObject *type, PyObject *from)
{
    Py_buffer b;
    if (PyObject_GetBuffer(from, &b, PyBUF_SIMPLE) < 0)
        return NULL;
    ph_system *s = NULL;
    ph_status status;
    Py_BEGIN_ALLOW_THREADS status = ph_system_from_snapshot(b.buf, (size_t)b.len, &s);
    Py_END_ALLOW_THREADS PyBuffer_Release(&b);
    if (status != PH_OK)
        return fail(status, NULL);
    system_object *y = object_new((PyTypeObject *)type);
    if (y == NULL) {
        ph_system_destroy(s);
        return NULL;
    }
    y->s = s;
    return (PyObject *)y;
}

/* ---- one at a time --------------------------------------------------------------- */

/* The system, marked as in use; or NULL with an exception. */
static ph_system *begin(PyObject *self)
{
    system_object *y = (system_object *)self;
    if (y->busy || y->s == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the system is in use by a run, in another thread or "
                                            "in the run that calls this function");
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
    if (w == TIME)
        return end(self, PyFloat_FromDouble(ph_system_time(s)));
    if (w == STEP)
        return end(self, PyFloat_FromDouble(ph_system_step(s)));
    PyThreadState *thread = release((system_object *)self, s);
    const double energy = ph_system_energy(s);
    take_back(thread);
    return end(self, PyFloat_FromDouble(energy));
}

static PyObject *steps_of(PyObject *self, void *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    if (s)
        return end(self, PyLong_FromUnsignedLongLong(ph_system_steps(s)));
    return NULL;
}

static PyObject *evaluations_of(PyObject *self, void *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    if (s)
        return end(self, PyLong_FromUnsignedLongLong(ph_system_evaluations(s)));
    return NULL;
}

typedef const char *text_of(const ph_system *s);
static text_of *const text_kind = ph_system_kind, *const text_problem = ph_system_problem_name,
                      *const text_method = ph_system_integrator_name;

static PyObject *text(PyObject *self, void *which)
{
    ph_system *s = begin(self);
    if (s)
        return end(self, PyUnicode_FromString((*(text_of *const *)which)(s)));
    return NULL;
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
    const ph_array *f = ph_system_arrays(s, &count);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++, f++) {
        PyObject *row = Py_BuildValue(
            "{ss ss ss ss sN sN sN sN sN sN si sn}", "name", f->name, "unit", f->unit, "text",
            f->text, "columns", f->columns, "shown", bit(f->use, PH_ARRAY_SHOWN), "place",
            bit(f->use, PH_ARRAY_PLACE), "derived", bit(f->use, PH_ARRAY_DERIVED), "constant",
            bit(f->use, PH_ARRAY_CONSTANT), "list",
            PyBool_FromLong(f->count > 1 || (f->use & PH_ARRAY_LIST)), "of_each",
            PyBool_FromLong(!(f->use & PH_ARRAY_LIST)), "width", f->width, "count",
            (Py_ssize_t)f->count);
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
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    const ph_array *f = field_named(s, name);
    if (f == NULL)
        return end(self, NULL);
    const Py_ssize_t across = f->width > 1 ? f->data[1] - f->data[0] : 1;
    for (int k = 2; k < f->width; k++) {
        if (f->data[k] - f->data[k - 1] != across) {
            PyErr_Format(PyExc_ValueError, "the components of %s are not evenly spaced", name);
            return end(self, NULL);
        }
    }
    return end(self, view_of(self, f->data[0], f->width, across, (Py_ssize_t)f->count,
                             (Py_ssize_t)f->stride, f->count > 1 || (f->use & PH_ARRAY_LIST)));
}

/* write(name, array): into a field; then changed(). */
static PyObject *write_field(PyObject *self, PyObject *args)
{
    const char *name;
    PyObject *from;
    Py_buffer b;
    if (!PyArg_ParseTuple(args, "sO", &name, &from))
        return NULL;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    const ph_array *f = field_named(s, name);
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
    PyThreadState *thread = release((system_object *)self, s);
    const ph_status status = ph_system_changed(s);
    take_back(thread);
    return end(self, none_if_ok(status, NULL));
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
    ph_vec3 m;
    const ph_status status = ph_system_momentum(s, w, &m);
    if (status != PH_OK)
        return end(self, fail(status, NULL));
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
    PyThreadState *thread = release((system_object *)self, s);
    const ph_observable *o = ph_system_observables(s, &count);
    take_back(thread);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++, o++) {
        PyObject *row = Py_BuildValue("{ss ss ss sO sO sN sN sd}", "name", o->name, "unit", o->unit,
                                      "text", o->text, "watched", truth(o->watched), "conserved",
                                      truth(o->conserved), "value", tuple_of(o->now, o->width),
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
        PyObject *x = values_of(&values[p[i].first], p[i].count);
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

/* derivatives(): for each column (name, attitude, momentum, velocity). */
static PyObject *derivatives(PyObject *self, PyObject *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    ph_system_column c;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && ph_system_derivative(s, i, &c) == PH_OK; i++) {
        PyObject *row = Py_BuildValue("s(ddd)(ddd)(ddd)", c.name, c.attitude.x, c.attitude.y,
                                      c.attitude.z, c.momentum.x, c.momentum.y, c.momentum.z,
                                      c.velocity.x, c.velocity.y, c.velocity.z);
        if (row == NULL || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return end(self, list);
}

/* comparison(): (what errors of speeds are called, and of places, whether these are absolute,
 * the integrator of references). */
static PyObject *comparison(PyObject *self, PyObject *unused)
{
    (void)unused;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    const ph_comparison c = ph_system_comparison(s);
    return end(self, Py_BuildValue("ssNs", c.speed, c.place, PyBool_FromLong(c.absolute_places),
                                   c.integrator));
}

static PyObject *set_step(PyObject *self, PyObject *o)
{
    const double h = PyFloat_AsDouble(o);
    if (h == -1.0 && PyErr_Occurred())
        return NULL;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    const ph_status status = ph_system_set_step(s, h);
    return end(self, none_if_ok(status, NULL));
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
    const ph_array *f = ph_system_arrays(s, &count);
    Py_ssize_t sum = 2;
    for (; count > 0; count--, f++) {
        if (f->use & PH_ARRAY_SHOWN)
            sum += (Py_ssize_t)f->count * f->width;
    }
    return sum;
}

/* Writes a row; where the next one goes. */
static double *write_row(ph_system *s, double time, double *to)
{
    size_t count;
    const ph_array *f = ph_system_arrays(s, &count);
    *to++ = time;
    for (; count > 0; count--, f++) {
        for (size_t i = 0; (f->use & PH_ARRAY_SHOWN) && i < f->count; i++) {
            for (int k = 0; k < f->width; k++)
                *to++ = f->data[k][i * f->stride];
        }
    }
    *to++ = ph_system_energy(s);
    return to;
}

static bool see(void *context, ph_system *s)
{
    sampling *a = context;
    a->rows = write_row(s, a->times[a->seen++], a->rows);
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
            const ph_observer o = {.observe = see,
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

/* run(steps, hears): takes steps. */
static PyObject *run(PyObject *self, PyObject *args)
{
    uint64_t steps;
    PyObject *hears;
    system_object *y = (system_object *)self;
    if (!PyArg_ParseTuple(args, "O&O", read_steps, &steps, &hears))
        return NULL;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    work w;
    work_begin(&w, field_calls_python(y->field), hears);
    const ph_status status = run_parts(s, steps, NULL, &w);
    const bool whole = work_end(&w);
    if (field_raised(y->field))
        return end(self, NULL);
    if (!whole)
        return end(self, NULL);
    if (status != PH_OK)
        return end(self, fail_step(s, status));
    return end(self, Py_NewRef(Py_None));
}

/* ---- running to a time, and to an event ------------------------------------------- */

/* What ends a run: a condition as text, or a function of Python of time, attitude and
 * momentum. */
typedef struct ending {
    ph_expression *condition;
    PyObject *function;
    double begun;
    work *w;
    /* Of rows(): those so far, doubles; and the step after which there are no more. */
    double *rows;
    size_t used, room;
    uint64_t last_step;
    bool no_memory;
    ph_digits *digits; /* of a run with a companion, or NULL */
} ending;

static double value_of(void *context, ph_system *s)
{
    const ending *e = context;
    const ph_state now = ph_system_state(s);
    if (e->condition != NULL)
        return ph_system_evaluate(s, e->condition);
    if (PyErr_Occurred())
        return NAN;
    PyObject *result =
        PyObject_CallFunction(e->function, "d(dddd)(ddd)", ph_system_time(s), now.q.w, now.q.x,
                              now.q.y, now.q.z, now.m.x, now.m.y, now.m.z);
    double value = NAN;
    if (result != NULL)
        value = PyFloat_AsDouble(result);
    Py_XDECREF(result);
    return value;
}

static bool goes_on(void *context, ph_system *s)
{
    ending *e = context;
    if (e->digits != NULL && ph_digits_follow(e->digits, s) != PH_OK)
        e->digits = NULL;
    return work_goes_on(e->w, fabs(ph_system_time(s) - e->begun)) &&
           (e->function == NULL || !PyErr_Occurred());
}

/* Keeps the row of every step. */
static bool keep_row(void *context, ph_system *s)
{
    ending *e = context;
    const size_t length = (size_t)row_length(s);
    if (e->used + length > e->room) {
        const size_t room = 2 * e->room + 64 * length;
        double *more = realloc(e->rows, room * sizeof *more);
        e->no_memory = more == NULL;
        if (e->no_memory)
            return false;
        e->rows = more;
        e->room = room;
    }
    (void)write_row(s, ph_system_time(s), e->rows + e->used);
    e->used += length;
    return goes_on(e, s) && ph_system_steps(s) < e->last_step;
}

/* What an event is: a text, a function, or None. False with an exception. */
static bool event_of(ph_system *s, PyObject *event, ending *e)
{
    if (PyUnicode_Check(event)) {
        ph_expression_error why = {1,
                                   "an event needs a system of one body, which this system is not"};
        const char *text = PyUnicode_AsUTF8AndSize(event, NULL);
        if (text == NULL)
            return false;
        if (ph_system_expression(s, text, PH_EXPRESSION_CONDITION, &e->condition, &why) != PH_OK) {
            PyErr_Format(PyExc_ValueError, "event, column %d: %s", why.column, why.text);
            return false;
        }
    } else if (event != Py_None) {
        e->function = event;
    }
    return true;
}

/* Warns of what makes the search for an event doubtful; false with an exception. */
static bool warn_event(const ph_event *event)
{
    char why[PH_MESSAGE];
    return !ph_event_warning(event, why) ||
           PyErr_WarnFormat(PyExc_UserWarning, 2, "event: %s", why) == 0;
}

/* run_to(time, event, hears, companion): steps up to a time, or to where the event becomes true.
 * Whether it did; and with a companion, a system at the same start to another tolerance, a sentence
 * that says until when the digits hold, or None if they do to the end. */
static PyObject *run_to(PyObject *self, PyObject *args)
{
    double time;
    PyObject *event, *hears, *companion;
    system_object *y = (system_object *)self;
    if (!PyArg_ParseTuple(args, "dOOO", &time, &event, &hears, &companion))
        return NULL;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    work w;
    ph_digits digits = {0};
    ending e = {.begun = ph_system_time(s), .w = &w};
    if (!event_of(s, event, &e))
        return end(self, NULL);
    if (Py_TYPE(companion) == Py_TYPE(self) && companion != self &&
        ph_digits_begin(&digits, ((system_object *)companion)->s, time) == PH_OK)
        e.digits = &digits;
    work_begin(&w, field_calls_python(y->field) || e.function != NULL, hears);
    ph_event of = {.value = value_of, .context = &e, .condition = e.condition};
    const ph_observer o = {.observe = goes_on, .context = &e, .every = 1};
    ph_status status;
    if (event == Py_None)
        status = ph_system_run_until(s, time, &o);
    else
        status = ph_system_run_event(s, time, &o, &of);
    const bool whole = work_end(&w);
    if (!PyErr_Occurred() && status == PH_OK && event != Py_None)
        (void)warn_event(&of);
    ph_expression_destroy(e.condition);
    if (field_raised(y->field) || PyErr_Occurred() || !whole)
        return end(self, NULL);
    if (status != PH_OK)
        return end(self, fail_step(s, status));
    char lost[PH_MESSAGE];
    if (ph_digits_warning(&digits, lost))
        return end(self, Py_BuildValue("(Ns)", PyBool_FromLong(of.met), lost));
    return end(self, Py_BuildValue("(NO)", PyBool_FromLong(of.met), Py_None));
}

/* event_derivatives(event): how its time, which is now, changes with each column of derivatives. */
static PyObject *event_derivatives(PyObject *self, PyObject *event)
{
    system_object *y = (system_object *)self;
    ph_system *s = begin(self);
    work w;
    ending e = {.w = &w};
    if (s == NULL)
        return NULL;
    const size_t count = ph_system_derivative_count(s);
    double *by = PyMem_Calloc(count + 1, sizeof *by);
    if (by == NULL)
        return end(self, PyErr_NoMemory());
    if (!event_of(s, event, &e)) {
        PyMem_Free(by);
        return end(self, NULL);
    }
    e.begun = ph_system_time(s);
    work_begin(&w, field_calls_python(y->field) || e.function != NULL, Py_None);
    const ph_event of = {.value = value_of, .context = &e, .condition = e.condition};
    const ph_status status = ph_system_event_derivative(s, &of, by);
    const bool whole = work_end(&w);
    ph_expression_destroy(e.condition);
    PyObject *list = NULL;
    if (!field_raised(y->field) && !PyErr_Occurred() && whole) {
        if (status == PH_OK)
            list = PyList_New(0);
        else
            list = fail_step(s, status);
    }
    for (size_t c = 0; c < count && list != NULL && status == PH_OK; c++) {
        PyObject *x = PyFloat_FromDouble(by[c]);
        if (x == NULL || PyList_Append(list, x) != 0)
            Py_CLEAR(list);
        Py_XDECREF(x);
    }
    PyMem_Free(by);
    return end(self, list);
}

/* What a run with events keeps. */
typedef struct event_list {
    ph_event *event;
    ending *ending;
    size_t count;
    ph_window_list found;
} event_list;

/* Takes the events of a tuple; false with an exception. */
static bool take_events(ph_system *s, PyObject *from, event_list *to, work *w, bool *calls)
{
    const Py_ssize_t count = PyTuple_Size(from);
    to->event = PyMem_Calloc((size_t)count + 1, sizeof *to->event);
    to->ending = PyMem_Calloc((size_t)count + 1, sizeof *to->ending);
    if (to->event == NULL || to->ending == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        ending *e = &to->ending[to->count++];
        *e = (ending){.begun = ph_system_time(s), .w = w};
        if (!event_of(s, PyTuple_GetItem(from, i), e))
            return false;
        to->event[i] = (ph_event){.value = value_of, .context = e, .condition = e->condition};
        *calls = *calls || e->function != NULL;
    }
    return true;
}

static void free_events(event_list *of)
{
    for (size_t i = 0; i < of->count; i++)
        ph_expression_destroy(of->ending[i].condition);
    PyMem_Free(of->event);
    PyMem_Free(of->ending);
    ph_window_list_free(&of->found);
}

PyObject *window_bytes(const ph_window_list *list)
{
    enum { NUMBERS = 5 };
    PyObject *bytes =
        PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(list->count * NUMBERS * sizeof(double)));
    if (bytes == NULL)
        return NULL;
    char *to = PyBytes_AsString(bytes);
    for (size_t i = 0; to != NULL && i < list->count; i++) {
        const ph_window *w = &list->windows[i];
        const double row[NUMBERS] = {(double)w->event, w->enter, w->leave, w->extremum_time,
                                     w->extremum};
        memcpy(to + i * sizeof row, row, sizeof row);
    }
    return bytes;
}

/* set_epoch(days): the date of t = 0, in days from J2000.0. */
static PyObject *set_epoch(PyObject *self, PyObject *days)
{
    const double x = PyFloat_AsDouble(days);
    if (PyErr_Occurred())
        return NULL;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    const ph_status status = ph_system_set_epoch(s, x);
    return end(self, none_if_ok(status, "epoch"));
}

/* events(time, events, hears): goes to a time; the bytes of the windows of all events, five doubles
 * each. */
static PyObject *events(PyObject *self, PyObject *args)
{
    double time;
    PyObject *of, *hears, *result = NULL;
    system_object *y = (system_object *)self;
    if (!PyArg_ParseTuple(args, "dO!O", &time, &PyTuple_Type, &of, &hears))
        return NULL;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    work w;
    event_list list = {.count = 0};
    bool calls = field_calls_python(y->field);
    if (take_events(s, of, &list, &w, &calls)) {
        ending e = {.begun = ph_system_time(s), .w = &w, .function = calls ? Py_None : NULL};
        const ph_observer o = {.observe = goes_on, .context = &e, .every = 1};
        work_begin(&w, calls, hears);
        const ph_status status = ph_system_events(s, time, &o, list.event, list.count, &list.found);
        const bool whole = work_end(&w);
        bool could_warn = true;
        for (size_t i = 0; i < list.count && status == PH_OK && !PyErr_Occurred(); i++)
            could_warn = warn_event(&list.event[i]) && could_warn;
        if (whole && could_warn && !field_raised(y->field) && !PyErr_Occurred()) {
            if (status == PH_OK)
                result = window_bytes(&list.found);
            else
                result = fail_step(s, status);
        }
    }
    free_events(&list);
    return end(self, result);
}

/* rows(steps, time, event, last_step): takes steps, or goes to a time if that is not NaN, and
 * no further than to a number of steps; the bytes of the rows at the start and after each. */
static PyObject *rows(PyObject *self, PyObject *args)
{
    double time;
    uint64_t steps, last_step;
    PyObject *event, *result = NULL;
    system_object *y = (system_object *)self;
    if (!PyArg_ParseTuple(args, "O&dOO&", read_steps, &steps, &time, &event, read_steps,
                          &last_step))
        return NULL;
    ph_system *s = begin(self);
    if (s == NULL)
        return NULL;
    work w;
    ending e = {.begun = ph_system_time(s), .w = &w, .last_step = last_step};
    if (!event_of(s, event, &e))
        return end(self, NULL);
    work_begin(&w, field_calls_python(y->field) || e.function != NULL, Py_None);
    ph_event of = {.value = value_of, .context = &e, .condition = e.condition};
    const ph_observer o = {.observe = keep_row, .context = &e, .every = 1};
    ph_status status;
    if (isnan(time))
        status = ph_system_run(s, steps, &o);
    else if (event == Py_None)
        status = ph_system_run_until(s, time, &o);
    else
        status = ph_system_run_event(s, time, &o, &of);
    const bool whole = work_end(&w);
    ph_expression_destroy(e.condition);
    if (e.no_memory)
        PyErr_NoMemory();
    else if (whole && !field_raised(y->field) && !PyErr_Occurred()) {
        if (status != PH_OK)
            result = fail_step(s, status);
        else
            result = PyBytes_FromStringAndSize((const char *)e.rows,
                                               (Py_ssize_t)(e.used * sizeof *e.rows));
    }
    free(e.rows);
    return end(self, result);
}

/* Whether a run is divided at the times at which the torque or the wheels change; the last number of
 * the field is 1 if the caller has set a step since then. */
static bool in_parts(const ph_system *s)
{
    enum { GIVEN = 3 };
    const ph_array *parts;
    return ph_system_array_named(s, "parts", &parts) == PH_OK &&
           parts->data[0][GIVEN * parts->stride] == 0.0;
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
    if (!PyArg_ParseTuple(args, "OOO&O", &of_times, &of_rows, read_steps, &steps, &hears) ||
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
        PyErr_SetString(PyExc_ValueError, "the number of rows differs from the number of times");
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
        const ph_observer o = {.observe = see, .context = &a, .times = a.times, .count = a.count};
        ph_status status = PH_OK;
        if (!ph_system_is_adaptive(s) && !in_parts(s))
            status = run_parts(s, steps, &a, &w);
        else if (a.count > 0)
            status = ph_system_run_until(s, a.times[a.count - 1], &o);
        while (status == PH_OK && a.seen < a.count && !w.stopped)
            status = ph_system_observe_at(s, a.times[a.seen], see, &a);
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
    if (!PyArg_ParseTuple(args, "z", &note))
        return NULL;
    ph_system *s = begin(self);
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
    return end(self, none_if_ok(status, NULL));
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
    PyObject *note;
    if (text != NULL)
        note = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    else
        note = Py_NewRef(Py_None);
    PyBuffer_Release(&b);
    return note;
}

static PyObject *warnings_of(PyObject *self, void *unused)
{
    (void)unused;
    PyObject *told = ((system_object *)self)->warnings;
    if (told)
        return Py_NewRef(told);
    return PyTuple_New(0);
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
    {"warnings", warnings_of, NULL, NULL, NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"open", system_open, METH_O | METH_CLASS, NULL},
    {"run", run, METH_VARARGS, NULL},
    {"run_to", run_to, METH_VARARGS, NULL},
    {"rows", rows, METH_VARARGS, NULL},
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
    {"derivatives", derivatives, METH_NOARGS, NULL},
    {"event_derivatives", event_derivatives, METH_O, NULL},
    {"events", events, METH_VARARGS, NULL},
    {"set_epoch", set_epoch, METH_O, NULL},
    {"comparison", comparison, METH_NOARGS, NULL},
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
    return added(system_type);
}
