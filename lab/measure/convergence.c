/* convergence.c - the error of an integrator against a reference solution, and the order that errors show. */
#include "lab/measure/convergence.h"

#include <math.h>

#include "base/arguments.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "integrators/field.h"
#include "motion/vec.h"
#include "system/find.h"
#include "system/run_body.h"

static const double RESOLVED = 1e-12; /* errors below are round-off */

double ph_power_of(double errors, double steps)
{
    return ph_real_log(errors) / ph_real_log(steps);
}

bool ph_order_add(order_shown *o, double finer, double error)
{
    if (!(error > o->floor))
        return false;
    if (isfinite(o->error))
        o->order = ph_power_of(o->error / error, finer);
    o->error = error;
    return true;
}

double ph_state_distance(const ph_state *a, const ph_state *b)
{
    const ph_vec3 dm = sub(a->m, b->m);
    const double m = larger_or_nan(fabs(dm.x), larger_or_nan(fabs(dm.y), fabs(dm.z)));
    return larger_or_nan(m, mat3_distance(ph_quat_matrix(a->q), ph_quat_matrix(b->q)));
}

const char *ph_reference_integrator(const ph_problem *p)
{
    if (!is_field(p))
        return "mkrk_gl6";
    return p->torque != NULL ? "s6_10+exact" : "exact";
}

ph_status ph_reference_solution(const ph_problem *p, double T, ph_state *s)
{
    if (ANY_NULL(s, p))
        return PH_NULL_ARGUMENT;
    static const double STEPS_PER_TIME = 64, LONGEST = 1e12;
    if (!(fabs(T) <= LONGEST))
        return PH_BAD_TIME;
    ph_integrator i;
    (void)ph_integrator_named(ph_reference_integrator(p), &i);
    const bool exact = i.scheme == NULL && i.method == NULL;
    const uint64_t steps = exact ? 1 : (uint64_t)ceil(STEPS_PER_TIME * fabs(T));
    return ph_run_body(&i, p, s, T / (double)steps, steps, PH_SYSTEM_UNCOMPENSATED, NULL, NULL);
}

/* The distance from `right`. */
static ph_status error_from(double *error, const ph_state *right, const ph_integrator *i,
                            const ph_problem *p, double T, uint64_t steps)
{
    ph_state s = ph_problem_start(p);
    const ph_status status =
        ph_run_body(i, p, &s, T / (double)steps, steps, PH_SYSTEM_UNCOMPENSATED, NULL, NULL);
    if (status == PH_OK)
        *error = ph_state_distance(&s, right);
    return status;
}

ph_status ph_error_after(const ph_integrator *i, const ph_problem *p, double T, uint64_t steps,
                         double *error)
{
    if (ANY_NULL(error, i, p))
        return PH_NULL_ARGUMENT;
    if (steps < 1)
        return PH_TOO_FEW_STEPS;
    ph_state right = ph_problem_start(p);
    const ph_status status = ph_reference_solution(p, T, &right);
    if (status == PH_OK)
        return error_from(error, &right, i, p, T, steps);
    return status;
}

ph_status ph_order_slope(const ph_integrator *i, const ph_problem *p, double T, double *slope,
                         double *coarsest)
{
    if (ANY_NULL(slope, i, p))
        return PH_NULL_ARGUMENT;
    enum { FINEST = 256 };
    static const uint64_t COUNTS[] = {4, 5, 6}; /* and all of them times 2, 4 ... */
    ph_state right = ph_problem_start(p);
    ph_status status = ph_reference_solution(p, T, &right);
    order_shown shown = {RESOLVED, NAN, NAN};
    double first = NAN, before = NAN;
    bool above = true;
    for (int n = 0; status == PH_OK && above; n++) {
        const uint64_t steps = COUNTS[n % 3] << n / 3;
        double error = NAN;
        if (steps > FINEST)
            break;
        status = error_from(&error, &right, i, p, T, steps);
        const bool failed = status != PH_OK || isnan(error);
        if (failed && isnan(before) && 2 * steps <= FINEST) {
            status = PH_OK; /* the step is too long for this integrator: a shorter one may do */
            continue;
        }
        if (isnan(before))
            first = error;
        above = ph_order_add(&shown, (double)steps / before, error);
        before = (double)steps;
    }
    if (status != PH_OK)
        return status;
    *slope = shown.order;
    if (coarsest != NULL)
        *coarsest = first;
    return PH_OK;
}
