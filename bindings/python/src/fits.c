/* fits.c - a motion from observations: fit.h. */
#include "core.h"

#include <stdlib.h>

#include <polhode/fit.h>

/* Arrays of the caller, held while the fit reads them. */
enum { TIMES, SUN = 1 + 2 * PH_SEEN_KINDS, OBSERVER, SPACE, RESIDUALS, ARRAYS };

typedef struct fitting {
    work work;
    unsigned long owner; /* the thread that may ask the interpreter */
} fitting;

static bool go_on(void *context)
{
    fitting *f = context;
    if (PyThread_get_thread_ident() == f->owner)
        return work_goes_on(&f->work, 0.0);
    return !f->work.stopped;
}

/* A dictionary of a solution. Quantities are tuples of name, determined, sigma and both intervals. */
static PyObject *solution(const ph_fit *f)
{
    PyObject *columns = PyTuple_New((Py_ssize_t)f->columns),
             *unseen = PyTuple_New((Py_ssize_t)f->unseen),
             *quantities = PyTuple_New((Py_ssize_t)f->quantities);
    for (size_t k = 0; columns != NULL && k < f->columns; k++)
        (void)PyTuple_SetItem(columns, (Py_ssize_t)k, PyUnicode_FromString(f->column[k]));
    for (size_t k = 0; unseen != NULL && k < f->unseen; k++)
        (void)PyTuple_SetItem(unseen, (Py_ssize_t)k, PyUnicode_FromString(f->unseen_text[k]));
    for (size_t k = 0; quantities != NULL && k < f->quantities; k++) {
        const ph_fit_quantity *q = &f->quantity[k];
        (void)PyTuple_SetItem(quantities, (Py_ssize_t)k,
                              Py_BuildValue("(sOdNN)", q->name, truth(q->determined), q->sigma,
                                            tuple_of(q->interval[0], 2),
                                            tuple_of(q->interval[1], 2)));
    }
    return Py_BuildValue(
        "{sN sN sN sN sN sN sN sN sd sN sn sN sN sN sO sO sd sn sN}", "tensor",
        tuple_of(f->tensor, 6), "inertia", tuple_of(&f->body.J.x, 3), "inertia_sigma",
        tuple_of(f->moment_sigma, 3), "inertia_over_trace", tuple_of(f->over_trace, 3),
        "inertia_over_trace_covariance", tuple_of(f->over_trace_covariance, 9), "attitude",
        tuple_of(&f->attitude.w, 4), "velocity", tuple_of(&f->velocity.x, 3), "bias",
        tuple_of(&f->bias.x, 3), "brightness", f->factor, "parameter",
        tuple_of(f->parameter, (Py_ssize_t)f->parameters), "minima", (Py_ssize_t)f->minima,
        "columns", columns, "unobservable", unseen, "quantities", quantities, "scale_unobservable",
        truth(f->scale_unseen), "covariance_scaled", truth(f->scaled), "chi2", f->chi2,
        "degrees_of_freedom", (Py_ssize_t)f->degrees_of_freedom, "covariance",
        tuple_of(f->covariance, (Py_ssize_t)(f->columns * f->columns)));
}

/* fit(arrays, axis, sought, names, problem, parameters, start, loss, law, principal, undirected): arrays are
 * times, what is seen of each kind, sigma of each, sun, observer, directions in space and residuals, or
 * None; the last is filled. Returns the solutions, the best first. */
PyObject *core_fit(PyObject *self, PyObject *args)
{
    (void)self;
    enum { SOLUTIONS = 41 };
    PyObject *arrays, *axis, *names, *parameters, *start;
    const char *problem, *name[PH_PARAMETER_VALUES];
    unsigned loss, law;
    int principal, undirected;
    ph_message why = {0};
    ph_system_settings system = {0};
    ph_fit_settings with = {.system = &system, .message = &why, .parameters = name};
    if (!PyArg_ParseTuple(args, "O!OIO!sOOIIpp", &PyTuple_Type, &arrays, &axis, &with.sought,
                          &PyTuple_Type, &names, &problem, &parameters, &start, &loss, &law,
                          &principal, &undirected))
        return NULL;
    Py_buffer held[ARRAYS] = {{.buf = NULL}};
    double *x[ARRAYS] = {NULL};
    settings list = {0};
    ph_observations o = {0};
    PyObject *out = NULL;
    ph_fit *found = calloc(SOLUTIONS, sizeof *found);
    bool good = found != NULL && settings_add(&list, parameters) && settings_add(&list, start) &&
                numbers(axis, 3, &o.axis.x, "axis");
    if (found == NULL)
        PyErr_NoMemory();
    for (int k = 0; k < ARRAYS && good; k++) {
        PyObject *array = PyTuple_GetItem(arrays, k);
        good = array != NULL &&
               (array == Py_None || doubles(array, &held[k], k == RESIDUALS, -1, "array"));
        if (good && array != Py_None)
            x[k] = held[k].buf;
        else
            x[k] = NULL;
    }
    const Py_ssize_t count = PyTuple_Size(names);
    for (;
         good && with.parameter_count < (size_t)count && with.parameter_count < PH_PARAMETER_VALUES;
         with.parameter_count++) {
        name[with.parameter_count] =
            PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, (Py_ssize_t)with.parameter_count), NULL);
        good = name[with.parameter_count] != NULL;
    }
    if (good) {
        o.count = (size_t)held[TIMES].len / sizeof(double);
        o.t = x[TIMES], o.sun = x[SUN], o.observer = x[OBSERVER], o.space = x[SPACE];
        for (int k = 0; k < PH_SEEN_KINDS; k++)
            o.seen[k] = x[1 + k], o.sigma[k] = x[1 + PH_SEEN_KINDS + k];
        system.problem = problem;
        system.settings = list.list, system.setting_count = list.count;
        with.loss = (ph_fit_loss)loss, with.law = (ph_scattering)law;
        with.principal = principal != 0;
        o.undirected = undirected != 0;
        with.rivals = found + 1, with.rival_room = SOLUTIONS - 1;
        fitting f = {.owner = PyThread_get_thread_ident()};
        with.go_on = go_on, with.context = &f;
        work_begin(&f.work, false, NULL);
        const ph_status status = ph_fit_motion(&o, &with, x[RESIDUALS], found);
        const bool whole = work_end(&f.work);
        if (!whole)
            out = NULL;
        else if (status != PH_OK && why.text[0] != '\0' && status != PH_NO_CONVERGENCE)
            PyErr_SetString(PyExc_ValueError, why.text);
        else if (status != PH_OK)
            (void)fail(status, why.text[0] != '\0' ? why.text : NULL);
        else {
            const size_t rivals = found->rivals < SOLUTIONS - 1 ? found->rivals : SOLUTIONS - 1;
            out = PyList_New((Py_ssize_t)rivals + 1);
            for (size_t k = 0; out != NULL && k <= rivals; k++)
                (void)PyList_SetItem(out, (Py_ssize_t)k, solution(&found[k]));
        }
    }
    for (int k = 0; k < ARRAYS; k++) {
        if (x[k] != NULL)
            PyBuffer_Release(&held[k]);
    }
    settings_free(&list);
    free(found);
    return out;
}
