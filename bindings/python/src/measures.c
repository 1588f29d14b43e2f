/* measures.c - what an integrator keeps: measure.h; and the checksums of `polhode bits`. */
#include "core.h"

#include <math.h>
#include <stdlib.h>

#include <polhode/measure.h>

static bool see_bits(void *context, const char *name, uint64_t sum)
{
    (void)context, (void)name, (void)sum;
    return PyErr_CheckSignals() == 0;
}

/* bits(steps): the checksum over all. */
PyObject *core_bits(PyObject *self, PyObject *args)
{
    (void)self;
    unsigned long long steps;
    if (!PyArg_ParseTuple(args, "K", &steps))
        return NULL;
    const uint64_t all = ph_bits(steps, see_bits, NULL);
    if (PyErr_Occurred())
        return NULL;
    return PyLong_FromUnsignedLongLong(all);
}

static PyObject *answer(ph_answer a)
{
    if (a == PH_ANSWER_YES)
        return Py_NewRef(Py_True);
    if (a == PH_ANSWER_NO)
        return Py_NewRef(Py_False);
    return Py_NewRef(Py_None);
}

static PyObject *properties(const ph_properties *c)
{
    static const char *const energy[] = {[PH_ENERGY_DRIFTS] = "drift",
                                         [PH_ENERGY_BOUNDED] = "bounded",
                                         [PH_ENERGY_EXACT] = "exact",
                                         [PH_ENERGY_UNDECIDED] = NULL};
    if (!c->applies)
        Py_RETURN_NONE;
    return Py_BuildValue("{sz sN sN sN sN sN sN sd sd sd sd sd}", "energy", energy[c->energy],
                         "symmetric", answer(c->symmetric), "reversible", answer(c->reversible),
                         "symplectic", answer(c->symplectic), "momentum", answer(c->momentum),
                         "poisson", answer(c->poisson), "casimir", answer(c->casimir),
                         "symmetry_defect", c->symmetry_defect, "symplectic_defect",
                         c->symplectic_defect, "energy_error", c->energy_error[0], "momentum_error",
                         c->momentum_error, "step_error", c->step_error);
}

static bool go_on(void *context)
{
    return work_goes_on(context, 0.0);
}

/* sheet(method, quick): a dictionary; quick, a hundredth of the work, for a first look. */
PyObject *core_sheet(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *method;
    int quick;
    ph_integrator i;
    own_scheme *own;
    if (!PyArg_ParseTuple(args, "Op", &method, &quick) || !integrator_of(method, &i, &own))
        return NULL;
    ph_measurement s;
    work w;
    ph_measure_settings how = {.go_on = go_on, .context = &w};
    if (quick) {
        how.states = 5;
        how.steps = how.stable_steps = 200;
        how.drift_time = 200.0;
        how.drift_torques = 400000;
    }
    work_begin(&w, false, NULL);
    (void)ph_measure(&i, &how, &s);
    const bool whole = work_end(&w);
    free(own);
    if (!whole)
        return NULL;
    PyObject *order;
    if (isnan(s.order))
        order = Py_NewRef(Py_None);
    else
        order = PyFloat_FromDouble(s.order);
    return Py_BuildValue("{sN sO sN sN sd sd sd}", "order", order, "exact", truth(s.exact), "free",
                         properties(&s.free), "field", properties(&s.field), "drift",
                         s.drift[0].slope, "stable_step", s.stable_step, "torques", s.torques);
}
