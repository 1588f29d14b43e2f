/* order.c - errors of an integrator on a problem, and the order they show. */
#include "base/arguments.h"
#include "base/extremes.h"
#include "polhode/measure.h"
#include "rotation/vec.h"
#include "system/find.h"
#include "system/run_body.h"

static const double RESOLVED = 1e-12; /* errors below are round-off */

double ph_state_distance(const ph_state *a, const ph_state *b)
{
    const ph_mat3 Ra = ph_quat_matrix(a->q), Rb = ph_quat_matrix(b->q);
    const ph_vec3 dm = sub(a->m, b->m);
    double worst = larger_or_nan(fabs(dm.x), larger_or_nan(fabs(dm.y), fabs(dm.z)));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            worst = larger_or_nan(worst, fabs(Ra.a[i][j] - Rb.a[i][j]));
    }
    return worst;
}

const char *ph_converged_by(const ph_problem *p)
{
    if (p->internal != NULL || (p->torque != NULL && p->velocity_dependent))
        return "mkrk_gl6";
    return p->torque != NULL ? "s6_10+exact" : "exact";
}

ph_status ph_converged(ph_state *s, const ph_problem *p, double T)
{
    if (ANY_NULL(s, p))
        return PH_NULL_ARGUMENT;
    static const double STEPS_PER_TIME = 64, LONGEST = 1e12;
    if (!(fabs(T) <= LONGEST))
        return PH_BAD_STEP;
    const char *name = ph_converged_by(p);
    ph_integrator i;
    (void)ph_integrator_named(name, &i);
    const bool exact = i.scheme == NULL && i.method == NULL;
    const long steps = exact ? 1 : (long)ceil(STEPS_PER_TIME * fabs(T));
    return ph_run_body(&i, p, s, T / (double)steps, (uint64_t)steps, PH_PLAIN, NULL,
                       NULL);
}

/* The distance from `right`. */
static ph_status error_from(double *error, const ph_state *right, const ph_integrator *i,
                            const ph_problem *p, double T, long steps)
{
    ph_state s = ph_problem_start(p);
    const ph_status status =
        ph_run_body(i, p, &s, T / (double)steps, (uint64_t)steps, PH_PLAIN, NULL, NULL);
    if (status == PH_OK)
        *error = ph_state_distance(&s, right);
    return status;
}

ph_status ph_error_after(double *error, const ph_integrator *i, const ph_problem *p,
                         double T, long steps)
{
    if (ANY_NULL(error, i, p))
        return PH_NULL_ARGUMENT;
    if (steps < 1)
        return PH_BAD_STEP;
    ph_state right = ph_problem_start(p);
    const ph_status status = ph_converged(&right, p, T);
    return status == PH_OK ? error_from(error, &right, i, p, T, steps) : status;
}

ph_status ph_order_slope(double *slope, double *coarsest, const ph_integrator *i,
                         const ph_problem *p, double T)
{
    if (ANY_NULL(slope, i, p))
        return PH_NULL_ARGUMENT;
    enum { FINEST = 256 };
    static const long COUNTS[] = {4, 5, 6}; /* and all of them times 2, 4 ... */
    ph_state right = ph_problem_start(p);
    ph_status status = ph_converged(&right, p, T);
    double found = NAN, coarse = NAN, first = NAN;
    long before = 0;
    for (int n = 0; status == PH_OK; n++) {
        const long steps = COUNTS[n % 3] << n / 3;
        double fine = NAN;
        if (steps > FINEST)
            break;
        status = error_from(&fine, &right, i, p, T, steps);
        first = before == 0 ? fine : first;
        if (!(fine > RESOLVED))
            break;
        if (before > 0)
            found =
                ph_real_log(coarse / fine) / ph_real_log((double)steps / (double)before);
        before = steps;
        coarse = fine;
    }
    if (status != PH_OK)
        return status;
    *slope = found;
    if (coarsest != NULL)
        *coarsest = first;
    return PH_OK;
}
