/* cvode.c - CVODE of SUNDIALS: Adams-Moulton of variable order up to 12, fixed-point
 * iteration; the state between its steps by interpolation of its own order. */
#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "sundials.h"

typedef struct handle {
    sundials s;
    SUNNonlinearSolver iteration;
    void *cvode;
} handle;

static void *open(const bench_solver *solver, bench_ode *ode, double tolerance)
{
    (void)solver;
    handle *h = calloc(1, sizeof *h);
    if (h == NULL)
        return NULL;
    sundials_open(&h->s, ode);
    h->cvode = CVodeCreate(CV_ADAMS, h->s.context);
    CVodeInit(h->cvode, sundials_rhs, 0.0, h->s.y);
    CVodeSetErrHandlerFn(h->cvode, sundials_quiet, NULL);
    CVodeSStolerances(h->cvode, tolerance, tolerance);
    CVodeSetUserData(h->cvode, ode);
    CVodeSetMaxNumSteps(h->cvode, ODE_MOST_EVALUATIONS);
    h->iteration = SUNNonlinSol_FixedPoint(h->s.y, 0, h->s.context);
    CVodeSetNonlinearSolver(h->cvode, h->iteration);
    return h;
}

static bool solve(void *work, const double *start, double end, int count,
                  double (*points)[ODE_SIZE])
{
    handle *h = work;
    double t = 0.0;
    sundials_start(&h->s, start);
    if (CVodeReInit(h->cvode, 0.0, h->s.y) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        const double next = end * (i + 1) / count;
        if (CVode(h->cvode, next, h->s.y, &t, CV_NORMAL) < 0)
            return false;
        memcpy(points[i], NV_DATA_S(h->s.y), sizeof points[i]);
    }
    return true;
}

static void close(void *work)
{
    handle *h = work;
    CVodeFree(&h->cvode);
    SUNNonlinSolFree(h->iteration);
    sundials_close(&h->s);
    free(h);
}

const bench_solver bench_solver_cvode[] = {
    {"cvode_adams", "SUNDIALS " SUNDIALS_VERSION, 0, open, solve, close},
    {0},
};
