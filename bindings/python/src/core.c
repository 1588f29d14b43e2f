/* core.c - the module: its types and functions, exceptions, long work, and what the library
 * has to offer, as its tables tell it. */
#include "core.h"

#include <time.h>

static PyObject *run_error, *snapshot_error;

PyObject *fail(ph_status status, const char *about)
{
    PyObject *type = PyExc_ValueError;
    switch (status) {
    case PH_NO_MEMORY:
        return PyErr_NoMemory();
    case PH_NO_CONVERGENCE:
    case PH_NOT_FINITE:
    case PH_NO_ROOT:
    case PH_EXPLODED:
    case PH_AT_SEPARATRIX:
    case PH_LAW_REMEMBERS:
        type = run_error;
        break;
    case PH_BAD_SNAPSHOT:
    case PH_NEWER_SNAPSHOT:
    case PH_OTHER_SNAPSHOT:
        type = snapshot_error;
        break;
    default:
        break;
    }
    if (about)
        return PyErr_Format(type, "%s: %s", about, ph_status_text(status));
    return PyErr_Format(type, "%s", ph_status_text(status));
}

/* ---- objects --------------------------------------------------------------------- */

PyTypeObject *add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);
    if (type == NULL || PyModule_AddType(module, (PyTypeObject *)type) < 0)
        return NULL;
    return (PyTypeObject *)type; /* the reference of the static variable */
}

void *object_new(PyTypeObject *type)
{
    const allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return alloc(type, 0);
}

void object_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* ---- long work ------------------------------------------------------------------- */

static const double LOOK = 0.02, TELL = 0.1; /* seconds */

double seconds_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void work_begin(work *w, bool keeps_lock, PyObject *progress)
{
    *w = (work){.keeps_lock = keeps_lock, .last = seconds_now(), .progress = unless_none(progress)};
    w->told = w->last;
    if (!keeps_lock)
        w->thread = PyEval_SaveThread();
}

static bool look(work *w, double now, double done)
{
    if (PyErr_CheckSignals() < 0)
        return false;
    if (w->progress == NULL || now - w->told < TELL)
        return true;
    w->told = now;
    PyObject *result = PyObject_CallFunction(w->progress, "d", done);
    Py_XDECREF(result);
    return result != NULL;
}

bool work_goes_on(work *w, double done)
{
    const double now = seconds_now();
    if (w->stopped || now - w->last < LOOK)
        return !w->stopped;
    w->last = now;
    if (!w->keeps_lock)
        PyEval_RestoreThread(w->thread);
    w->stopped = !look(w, now, done);
    if (!w->keeps_lock)
        w->thread = PyEval_SaveThread();
    return !w->stopped;
}

bool work_end(work *w)
{
    if (!w->keeps_lock)
        PyEval_RestoreThread(w->thread);
    return !w->stopped;
}

/* ---- the catalog ----------------------------------------------------------------- */

/* Adds a dictionary to a list; both are given up with an exception. */
static bool add_row(PyObject *list, PyObject *row)
{
    const bool good = row != NULL && PyList_Append(list, row) == 0;
    Py_XDECREF(row);
    return good;
}

static PyObject *keeps_tuple(unsigned keeps)
{
    static const char *const names[] = {
#define NAME(code, text) text,
        PH_KEEPS_LIST(NAME)
#undef NAME
    };
    Py_ssize_t count = 0, at = 0;
    for (int i = 0; i < PH_KEEPS_COUNT; i++)
        count += (keeps >> i) & 1;
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple != NULL && i < PH_KEEPS_COUNT; i++) {
        if ((keeps >> i) & 1)
            (void)PyTuple_SetItem(tuple, at++, PyUnicode_FromString(names[i]));
    }
    return tuple;
}

static PyObject *parameter_list(const ph_parameter *parameters, int count, const double *value)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < count; i++) {
        const ph_parameter *p = &parameters[i];
        PyObject *values = values_of(&value[p->first], p->count);
        if (values == NULL ||
            !add_row(list,
                     Py_BuildValue("{ss ss sN ss ss}", "name", p->name, "unit", p->unit, "default",
                                   values, "range", ph_range_text(p->range), "text", p->text)))
            Py_CLEAR(list);
    }
    return list;
}

#define FACTS(kind, d) "name", (d)->name, "kind", kind, "title", (d)->title, "cite", (d)->cite
#define FACTS_FORMAT   "ss ss ss ss"

static bool add_flows(PyObject *list)
{
    const ph_flow *f;
    for (size_t i = 0; ph_flow_at(i, &f); i++) {
        if (!add_row(list, Py_BuildValue("{" FACTS_FORMAT " si sN}", FACTS("flow", f), "order",
                                         f->order, "keeps", keeps_tuple(f->keeps))))
            return false;
    }
    return true;
}

static bool add_schemes(PyObject *list)
{
    const ph_scheme *s;
    for (size_t i = 0; ph_scheme_at(i, &s); i++) {
        if (!add_row(list, Py_BuildValue("{" FACTS_FORMAT " si sN sO sN sO}", FACTS("scheme", s),
                                         "order", s->order, "keeps", PyTuple_New(0), "kick_first",
                                         truth(s->kick_first), "half",
                                         tuple_of(s->half, (s->stages + 1) / 2), "gradient",
                                         truth(s->gradient))))
            return false;
    }
    return true;
}

static bool add_methods(PyObject *list)
{
    ph_method_facts m;
    for (size_t i = 0; ph_method_at(i, &m); i++) {
        if (!add_row(list, Py_BuildValue("{" FACTS_FORMAT " ss si sN sN sO}", FACTS("method", &m),
                                         "space", m.kind, "order", m.order, "keeps",
                                         keeps_tuple(m.keeps), "keeps_free",
                                         keeps_tuple(m.keeps_free), "adaptive", truth(m.adaptive))))
            return false;
    }
    return true;
}

static bool add_compositions(PyObject *list)
{
    const ph_composition *c;
    for (size_t i = 0; ph_composition_at(i, &c); i++) {
        if (!add_row(list, Py_BuildValue("{" FACTS_FORMAT " si si}", FACTS("composition", c),
                                         "order", c->order, "stages", c->stages)))
            return false;
    }
    return true;
}

/* The parts of a start that a problem takes: (name, numbers of an entry, whether a list). */
static PyObject *start_list(const ph_problem_facts *p)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < p->start_count; i++) {
        const ph_start_array *f = &p->start[i];
        if (!add_row(list, Py_BuildValue("siO", f->name, f->width, truth(f->list))))
            Py_CLEAR(list);
    }
    return list;
}

/* The tables over time that a problem takes: (name, unit, text). */
static PyObject *table_list(const ph_problem_facts *p)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < p->table_count; i++) {
        const ph_parameter *t = &p->tables[i];
        if (!add_row(list, Py_BuildValue("sss", t->name, t->unit, t->text)))
            Py_CLEAR(list);
    }
    return list;
}

static bool add_problems(PyObject *list)
{
    ph_problem_facts p;
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        if (!add_row(list,
                     Py_BuildValue("{" FACTS_FORMAT " ss ss sO sd sN sN sN}", FACTS("problem", &p),
                                   "space", p.kind, "method", p.integrator, "torque",
                                   truth(!p.is_free), "time_unit", p.time_unit, "start",
                                   start_list(&p), "tables", table_list(&p), "parameters",
                                   parameter_list(p.parameters, p.parameter_count, p.value))))
            return false;
    }
    return true;
}

/* catalog(kind): a list of dictionaries. */
PyObject *core_catalog(PyObject *self, PyObject *args)
{
    static const struct {
        const char *kind;
        bool (*add)(PyObject *list);
    } kinds[] = {{"flow", add_flows},
                 {"scheme", add_schemes},
                 {"method", add_methods},
                 {"composition", add_compositions},
                 {"problem", add_problems}};
    (void)self;
    PyObject *kind;
    if (!PyArg_ParseTuple(args, "U", &kind))
        return NULL;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (PyUnicode_CompareWithASCIIString(kind, kinds[i].kind) == 0 && !kinds[i].add(list))
            Py_CLEAR(list);
    }
    return list;
}

/* units(): (name, quantity, factor) of each unit that may stand after a number. */
PyObject *core_units(PyObject *self, PyObject *args)
{
    (void)self, (void)args;
    const ph_unit *u;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && (u = ph_unit_at(i)) != NULL; i++) {
        if (!add_row(list, Py_BuildValue("(ssd)", u->name, u->of, u->factor)))
            Py_CLEAR(list);
    }
    return list;
}

/* ---- the module ------------------------------------------------------------------ */

static PyMethodDef functions[] = {
    {"catalog", core_catalog, METH_VARARGS, NULL},
    {"batch_step", core_batch_step, METH_VARARGS, NULL},
    {"batch_kick", core_batch_kick, METH_VARARGS, NULL},
    {"sheet", core_sheet, METH_VARARGS, NULL},
    {"bits", core_bits, METH_VARARGS, NULL},
    {"units", core_units, METH_NOARGS, NULL},
    {"fit", core_fit, METH_VARARGS, NULL},
    {"draw", core_draw, METH_VARARGS, NULL},
    {"note", core_note, METH_VARARGS, NULL},
    {"texts", core_texts, METH_VARARGS, NULL},
    {0},
};

static PyObject *add_exception(PyObject *module, const char *name, const char *whole,
                               const char *text, PyObject *base)
{
    PyObject *type = PyErr_NewExceptionWithDoc(whole, text, base, NULL);
    if (type != NULL && PyModule_AddObjectRef(module, name, type) == 0)
        return type;
    return NULL;
}

static int execute(PyObject *module)
{
    run_error =
        add_exception(module, "RunError", "polhode.RunError",
                      "A run failed; the system is at its last good state.", PyExc_ArithmeticError);
    snapshot_error =
        add_exception(module, "SnapshotError", "polhode.SnapshotError",
                      "A snapshot is damaged, newer, or of another system.", PyExc_ValueError);
    if (run_error == NULL || snapshot_error == NULL || add_arrays(module) < 0 ||
        add_bodies(module) < 0 || add_systems(module) < 0 || add_ensembles(module) < 0)
        return -1;
    if (PyModule_AddIntConstant(module, "PLAIN", PH_SYSTEM_UNCOMPENSATED) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "version", ph_version());
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "polhode._core",
                                        .m_methods = functions,
                                        .m_slots = slots};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
