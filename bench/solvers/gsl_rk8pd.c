/* gsl_rk8pd.c - Runge-Kutta of Prince and Dormand, order 8, of the GNU Scientific
 * Library. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_version.h>

#include "ode.h"

typedef struct handle {
    bench_ode *ode;
    gsl_odeiv2_system system;
    gsl_odeiv2_step *step;
    gsl_odeiv2_control *control;
    gsl_odeiv2_evolve *evolve;
} handle;

static int rhs(double t, const double y[], double f[], void *ode)
{
    ode_rhs(ode, t, y, f);
    return GSL_SUCCESS;
}

static void *open(const bench_solver *solver, bench_ode *ode, double tolerance)
{
    (void)solver;
    handle *h = calloc(1, sizeof *h);
    if (h == NULL)
        return NULL;
    h->ode = ode;
    h->system = (gsl_odeiv2_system){rhs, NULL, ODE_SIZE, ode};
    h->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, ODE_SIZE);
    h->control = gsl_odeiv2_control_y_new(tolerance, tolerance);
    h->evolve = gsl_odeiv2_evolve_alloc(ODE_SIZE);
    return h;
}

static bool solve(void *work, const double *start, double end, int count,
                  double (*points)[ODE_SIZE])
{
    handle *h = work;
    double y[ODE_SIZE], t = 0.0, step = h->ode->first;
    memcpy(y, start, sizeof y);
    gsl_odeiv2_step_reset(h->step);
    gsl_odeiv2_evolve_reset(h->evolve);
    h->ode->evaluations = 0;
    for (int i = 0; i < count; i++) {
        const double next = end * (i + 1) / count;
        while (t < next) {
            if (gsl_odeiv2_evolve_apply(h->evolve, h->control, h->step, &h->system, &t, next, &step,
                                        y) != GSL_SUCCESS ||
                h->ode->evaluations > ODE_MOST_EVALUATIONS)
                return false;
        }
        memcpy(points[i], y, sizeof y);
    }
    return true;
}

static void close(void *work)
{
    handle *h = work;
    gsl_odeiv2_evolve_free(h->evolve);
    gsl_odeiv2_control_free(h->control);
    gsl_odeiv2_step_free(h->step);
    free(h);
}

const bench_solver bench_solver_gsl_rk8pd[] = {
    {"gsl_rk8pd", "GSL " GSL_VERSION, 0, open, solve, close},
    {0},
};
