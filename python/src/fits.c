/* fits.c - a motion from observations: fit.h. */
#include "core.h"

#include <stdlib.h>

#include <polhode/fit.h>

/* Arrays of the caller, held while the fit reads them. */
enum { TIMES, SUN = 1 + 2 * PH_SEEN_KINDS, OBSERVER, RESIDUALS, ARRAYS };

typedef struct fitting {
    work work;
    unsigned long owner; /* the thread that may ask the interpreter */
} fitting;

static bool go_on(void *context)
{
    fitting *f = context;
    return PyThread_get_thread_ident() == f->owner ? work_goes_on(&f->work, 0.0) : !f->work.stopped;
}

/* The result as a dictionary. */
static PyObject *result(const ph_fit *f)
{
    PyObject *columns = PyTuple_New((Py_ssize_t)f->columns),
             *unseen = PyTuple_New((Py_ssize_t)f->unseen);
    for (size_t k = 0; columns != NULL && k < f->columns; k++)
        (void)PyTuple_SetItem(columns, (Py_ssize_t)k, PyUnicode_FromString(f->column[k]));
    for (size_t k = 0; unseen != NULL && k < f->unseen; k++)
        (void)PyTuple_SetItem(unseen, (Py_ssize_t)k, PyUnicode_FromString(f->unseen_text[k]));
    return Py_BuildValue(
        "{sN sN sN sN sN sd sN sn sN sN sO sO sd sn}", "tensor", tuple_of(f->tensor, 6), "inertia",
        tuple_of(&f->body.J.x, 3), "inertia_sigma", tuple_of(f->moment_sigma, 3), "attitude",
        tuple_of(&f->attitude.w, 4), "velocity", tuple_of(&f->velocity.x, 3), "brightness",
        f->factor, "parameter", tuple_of(f->parameter, (Py_ssize_t)f->parameters), "parameters",
        (Py_ssize_t)f->parameters, "columns", columns, "unobservable", unseen, "scale_unobservable",
        f->scale_unseen ? Py_True : Py_False, "covariance_scaled", f->scaled ? Py_True : Py_False,
        "chi2", f->chi2, "degrees_of_freedom", (Py_ssize_t)f->degrees_of_freedom);
}

/* fit(arrays, axis, sought, names, problem, parameters, start, loss, law, covariance): arrays are
 * times, what is seen of each kind, sigma of each, sun, observer and residuals, or None; the last two
 * are filled. */
PyObject *core_fit(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *arrays, *axis, *names, *parameters, *start, *covariance;
    const char *problem, *name[PH_PARAMETER_VALUES];
    unsigned loss, law;
    ph_message why = {0};
    ph_system_settings system = {0};
    ph_fit_settings with = {.system = &system, .message = &why, .parameters = name};
    if (!PyArg_ParseTuple(args, "O!OIO!sOOIIO", &PyTuple_Type, &arrays, &axis, &with.sought,
                          &PyTuple_Type, &names, &problem, &parameters, &start, &loss, &law,
                          &covariance))
        return NULL;
    Py_buffer held[ARRAYS] = {{.buf = NULL}};
    double *x[ARRAYS] = {NULL};
    settings list = {0};
    ph_observations o = {0};
    PyObject *out = NULL;
    ph_fit *found = calloc(1, sizeof *found);
    bool good = found != NULL && settings_add(&list, parameters) && settings_add(&list, start) &&
                numbers(axis, 3, &o.axis.x, "axis");
    if (found == NULL)
        PyErr_NoMemory();
    for (int k = 0; k < ARRAYS && good; k++) {
        PyObject *array = PyTuple_GetItem(arrays, k);
        good = array != NULL &&
               (array == Py_None || doubles(array, &held[k], k == RESIDUALS, -1, "array"));
        x[k] = good && array != Py_None ? held[k].buf : NULL;
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
        o.t = x[TIMES], o.sun = x[SUN], o.observer = x[OBSERVER];
        for (int k = 0; k < PH_SEEN_KINDS; k++)
            o.seen[k] = x[1 + k], o.sigma[k] = x[1 + PH_SEEN_KINDS + k];
        system.problem = problem;
        system.settings = list.list, system.setting_count = list.count;
        with.loss = (ph_fit_loss)loss, with.law = (ph_scattering)law;
        fitting f = {.owner = PyThread_get_thread_ident()};
        with.go_on = go_on, with.context = &f;
        work_begin(&f.work, false, NULL);
        const ph_status status = ph_fit_motion(&o, &with, x[RESIDUALS], found);
        const bool whole = work_end(&f.work);
        Py_buffer to;
        const Py_ssize_t size = (Py_ssize_t)(found->columns * found->columns);
        if (!whole)
            out = NULL;
        else if (status != PH_OK && why.text[0] != '\0' && status != PH_NO_CONVERGENCE)
            PyErr_SetString(PyExc_ValueError, why.text);
        else if (status != PH_OK)
            (void)fail(status, why.text[0] != '\0' ? why.text : NULL);
        else if (doubles(covariance, &to, true, -1, "covariance")) {
            for (Py_ssize_t k = 0; k < size && k < to.len / (Py_ssize_t)sizeof(double); k++)
                ((double *)to.buf)[k] = found->covariance[k];
            PyBuffer_Release(&to);
            out = result(found);
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
