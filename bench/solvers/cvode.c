/* cvode.c - CVODE of SUNDIALS: Adams-Moulton of variable order up to 12, fixed-point
 * iteration; the state between its steps by interpolation of its own order. */
#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "ode.h"
#include "sundials.h"

typedef struct handle {
    bench_ode *ode;
    SUNContext context;
    N_Vector y;
    SUNNonlinearSolver iteration;
    void *cvode;
} handle;

static int rhs(realtype t, N_Vector y, N_Vector f, void *ode)
{
    ode_rhs(ode, t, NV_DATA_S(y), NV_DATA_S(f));
    return 0;
}

static void *open(const bench_solver *solver, bench_ode *ode, double tolerance)
{
    (void)solver;
    handle *h = calloc(1, sizeof *h);
    if (h == NULL)
        return NULL;
    h->ode = ode;
    SUNContext_Create(NULL, &h->context);
    h->y = N_VNew_Serial(ODE_SIZE, h->context);
    N_VConst(1.0, h->y);
    h->cvode = CVodeCreate(CV_ADAMS, h->context);
    CVodeInit(h->cvode, rhs, 0.0, h->y);
    CVodeSetErrHandlerFn(h->cvode, sundials_quiet, NULL);
    CVodeSStolerances(h->cvode, tolerance, tolerance);
    CVodeSetUserData(h->cvode, ode);
    CVodeSetMaxNumSteps(h->cvode, ODE_MOST_EVALUATIONS);
    h->iteration = SUNNonlinSol_FixedPoint(h->y, 0, h->context);
    CVodeSetNonlinearSolver(h->cvode, h->iteration);
    return h;
}

static bool solve(void *work, const double *start, double end, int count,
                  double (*points)[ODE_SIZE])
{
    handle *h = work;
    double t = 0.0;
    memcpy(NV_DATA_S(h->y), start, ODE_SIZE * sizeof *start);
    h->ode->evaluations = 0;
    if (CVodeReInit(h->cvode, 0.0, h->y) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        const double next = end * (i + 1) / count;
        if (CVode(h->cvode, next, h->y, &t, CV_NORMAL) < 0)
            return false;
        memcpy(points[i], NV_DATA_S(h->y), sizeof points[i]);
    }
    return true;
}

static void close(void *work)
{
    handle *h = work;
    CVodeFree(&h->cvode);
    SUNNonlinSolFree(h->iteration);
    N_VDestroy(h->y);
    SUNContext_Free(&h->context);
    free(h);
}

const bench_solver bench_solver_cvode[] = {
    {"cvode_adams", "SUNDIALS " SUNDIALS_VERSION, 0, open, solve, close},
    {0},
};
