/* modified_sheet.c - how well modified Hamiltonians and modified equations say what an
 * integrator does. */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "measure/backward.h"
#include "measure/modified.h"
#include "measure/structure.h"
#include "system/find.h"
#include "system/run_body.h"

static const double TIME = 8.0, LARGEST_STEP = 0.4, RESOLVED = 2e-12;
enum { SAMPLES = 10 }; /* energies of a run, from its start to its end */

/* The body and the start of HV section 3, for what moves a free body. */
static ph_problem free_problem(void)
{
    ph_problem p = *find_problem("free");
    p.body = (ph_body)PH_MOMENTS(0.6, 0.8, 1.0);
    p.q = (ph_quat){1, 0, 0, 0};
    p.w = (ph_vec3){1.8 / 0.6, 0.4 / 0.8, -0.9 / 1.0};
    return p;
}

/* The slope between the finest two steps whose errors are above round-off. */
static double slope_of(const double *h, const double *error)
{
    double found = NAN;
    for (int k = 1; k < PH_MODIFIED_STEPS && error[k] > RESOLVED; k++)
        found = ph_real_log(error[k - 1] / error[k]) / ph_real_log(h[k - 1] / h[k]);
    return found;
}

/* ---- energies along a run of a splitting ----------------------------------------- */

static ph_status kept(double error[PH_TRUNCATIONS], const ph_integrator *i,
                      const ph_problem *p, double h)
{
    const uint64_t steps = (uint64_t)lround(TIME / h),
                   every = steps / SAMPLES > 0 ? steps / SAMPLES : 1;
    double first[PH_TRUNCATIONS], now[PH_TRUNCATIONS];
    ph_state s = ph_problem_start(p);
    memset(error, 0, PH_TRUNCATIONS * sizeof *error);
    ph_status status = ph_modified_energies(first, i, p, &s, h);
    for (uint64_t n = 0; n + every <= steps && status == PH_OK; n += every) {
        status = ph_run_body(i, p, &s, h, every, PH_PLAIN, NULL, NULL);
        if (status == PH_OK)
            status = ph_modified_energies(now, i, p, &s, h);
        for (int k = 0; k < PH_TRUNCATIONS && status == PH_OK; k++)
            error[k] = larger_or_nan(error[k], fabs(now[k] - first[k]));
    }
    return status;
}

/* ---- the motion of a modified equation ------------------------------------------- */

static ph_status followed(double error[PH_TRUNCATIONS], const ph_integrator *i,
                          const ph_problem *p, double h)
{
    ph_state s = ph_problem_start(p);
    const ph_status status =
        ph_run_body(i, p, &s, h, (uint64_t)lround(TIME / h), PH_PLAIN, NULL, NULL);
    for (int k = 0; k < PH_TRUNCATIONS && status == PH_OK; k++) {
        const modified_motion e = {ph_modified_equation_of(i), p->body.J, h, k};
        ph_state modified = ph_problem_start(p);
        ph_modified_run(&e, &modified, TIME);
        error[k] = ph_state_distance(&s, &modified);
    }
    return status;
}

/* How well a step keeps the bracket of g hat(y). */
static double bracket_scale(const void *context, ph_vec3 m)
{
    const modified_motion *e = context;
    return ph_modified_terms(e->equation, e->J, m, e->powers, e->h).s;
}

static ph_status bracket_defects(double defect[PH_TRUNCATIONS], const ph_integrator *i,
                                 const ph_problem *p, double h)
{
    const ph_state s = ph_problem_start(p);
    ph_status status = PH_OK;
    for (int k = 0; k < PH_TRUNCATIONS && status == PH_OK; k++) {
        const modified_motion e = {MODIFIED_IMR, p->body.J, h, k};
        status = ph_scaled_poisson_defect(&defect[k], i, p, &s, h, bracket_scale, &e);
    }
    return status;
}

/* ---- all of it ------------------------------------------------------------------- */

ph_status ph_measure_modified(ph_modified_sheet *out, const ph_integrator *i)
{
    if (ANY_NULL(out, i))
        return PH_NULL_ARGUMENT;
    const ph_problem of_free = free_problem(),
                     *p = i->scheme ? find_problem("generic") : &of_free;
    const modified_equation equation = ph_modified_equation_of(i);
    if (equation == MODIFIED_UNKNOWN && !ph_is_splitting(i))
        return PH_NOT_APPLICABLE;
    *out = (ph_modified_sheet){.motion = equation != MODIFIED_UNKNOWN,
                               .bracket = equation == MODIFIED_IMR,
                               .time = TIME};
    ph_status status = PH_OK;
    for (int n = 0; n < PH_MODIFIED_STEPS && status == PH_OK; n++) {
        const double h = ldexp(LARGEST_STEP, -n);
        double error[PH_TRUNCATIONS] = {0}, defect[PH_TRUNCATIONS] = {0};
        out->h[n] = h;
        status = out->motion ? followed(error, i, p, h) : kept(error, i, p, h);
        if (status == PH_OK && out->bracket)
            status = bracket_defects(defect, i, p, h);
        for (int k = 0; k < PH_TRUNCATIONS; k++) {
            out->error[k][n] = error[k];
            out->bracket_defect[k][n] = defect[k];
        }
    }
    for (int k = 0; k < PH_TRUNCATIONS; k++) {
        out->slope[k] = slope_of(out->h, out->error[k]);
        out->bracket_slope[k] =
            out->bracket ? slope_of(out->h, out->bracket_defect[k]) : NAN;
    }
    return status;
}
