/* step.c - steps of a system: a scheme over free flight and forces.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.4.
 *
 *   CFSZ (47)  drift:  x += h p/mass,   q and m by the free motion over h
 *   CFSZ (48)  kick:   p += h force,    m += h torque
 */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "integrators/splitting.h"
#include "molecules/system.h"
#include "motion/batch/part.h"
#include "rotation/vec.h"

typedef struct moving {
    ph_molecules *s;
    const ph_integrator *i;
} moving;

static ph_status turn(const ph_molecules *s, const ph_integrator *i, double h)
{
    const ph_batch bodies = {s->n,
                             {s->q[0], s->q[1], s->q[2], s->q[3]},
                             {s->m[0], s->m[1], s->m[2]},
                             {s->J[0], s->J[1], s->J[2]}};
    return ph_batch_drift(i, &bodies, h, NULL);
}

static ph_status drift(void *system, double h)
{
    const moving *m = system;
    ph_molecules *s = m->s;
    work_of(s)->fresh = false;
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < s->n; i++)
            s->x[k][i] += h * (s->p[k][i] / s->mass[i]);
    }
    return turn(s, m->i, h);
}

static ph_status kick(void *system, double t, double h, double h3)
{
    (void)t;
    (void)h3;
    ph_molecules *s = ((const moving *)system)->s;
    if (!work_of(s)->fresh)
        ph_molecules_forces(s);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < s->n; i++) {
            s->p[k][i] += h * s->force[k][i];
            s->m[k][i] += h * s->torque[k][i];
        }
    }
    return isfinite(s->potential) ? PH_OK : PH_NOT_FINITE;
}

bool ph_molecules_applicable(const ph_integrator *i)
{
    return i->method == NULL && i->flow != NULL && i->scheme != NULL &&
           i->scheme->gradient == NULL;
}

/* The potential is that of the last kick, which in a scheme that ends with a drift was a
 * little earlier: near enough to tell an explosion. */
static ph_status check_energy(const ph_molecules *s)
{
    const molecules_work *w = work_of(s);
    const double change = ph_molecules_kinetic(s) + s->potential - w->energy;
    if (!isfinite(change))
        return PH_NOT_FINITE;
    return fabs(change) <= w->tolerance ? PH_OK : PH_EXPLODED;
}

ph_status ph_molecules_step(ph_molecules *s, const ph_integrator *i, double h)
{
    if (ANY_NULL(s, i))
        return PH_NULL_ARGUMENT;
    static const splitting parts = {drift, kick};
    molecules_work *w = work_of(s);
    if (!ph_molecules_applicable(i))
        return PH_NOT_APPLICABLE;
    if (!w->prepared)
        return PH_BAD_STATE;
    if (!isfinite(h))
        return PH_BAD_STEP;
    double *state[STATE_ARRAYS];
    state_arrays(s, state);
    for (int k = 0; k < STATE_ARRAYS; k++)
        memcpy(w->before[k], state[k], s->n * sizeof(double));
    moving system = {s, i};
    ph_status status = ph_splitting_run(i, &parts, &system, 0.0, h, h);
    if (status == PH_OK)
        status = check_energy(s);
    if (status != PH_OK) {
        w->fresh = false;
        for (int k = 0; k < STATE_ARRAYS; k++)
            memcpy(state[k], w->before[k], s->n * sizeof(double));
    }
    return status;
}
