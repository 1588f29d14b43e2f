/* arkode.c - the explicit Runge-Kutta methods of ARKODE of SUNDIALS, of several orders;
 * the state between its steps by Hermite interpolation. */
#include <stdlib.h>
#include <string.h>

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include "ode.h"
#include "sundials.h"

typedef struct handle {
    bench_ode *ode;
    SUNContext context;
    N_Vector y;
    void *arkode;
} handle;

static int rhs(realtype t, N_Vector y, N_Vector f, void *ode)
{
    ode_rhs(ode, t, NV_DATA_S(y), NV_DATA_S(f));
    return 0;
}

static void *open(const bench_solver *solver, bench_ode *ode, double tolerance)
{
    handle *h = calloc(1, sizeof *h);
    if (h == NULL)
        return NULL;
    h->ode = ode;
    SUNContext_Create(NULL, &h->context);
    h->y = N_VNew_Serial(ODE_SIZE, h->context);
    N_VConst(1.0, h->y);
    h->arkode = ERKStepCreate(rhs, 0.0, h->y, h->context);
    ERKStepSetErrHandlerFn(h->arkode, sundials_quiet, NULL);
    ERKStepSetOrder(h->arkode, solver->variant);
    ERKStepSStolerances(h->arkode, tolerance, tolerance);
    ERKStepSetUserData(h->arkode, ode);
    ERKStepSetMaxNumSteps(h->arkode, ODE_MOST_EVALUATIONS);
    return h;
}

static bool solve(void *work, const double *start, double end, int count,
                  double (*points)[ODE_SIZE])
{
    handle *h = work;
    double t = 0.0;
    memcpy(NV_DATA_S(h->y), start, ODE_SIZE * sizeof *start);
    h->ode->evaluations = 0;
    if (ERKStepReInit(h->arkode, rhs, 0.0, h->y) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        const double next = end * (i + 1) / count;
        if ((i == count - 1 && ERKStepSetStopTime(h->arkode, end) < 0) ||
            ERKStepEvolve(h->arkode, next, h->y, &t, ARK_NORMAL) < 0)
            return false;
        memcpy(points[i], NV_DATA_S(h->y), sizeof points[i]);
    }
    return true;
}

static void close(void *work)
{
    handle *h = work;
    ERKStepFree(&h->arkode);
    N_VDestroy(h->y);
    SUNContext_Free(&h->context);
    free(h);
}

#define LIBRARY "SUNDIALS " SUNDIALS_VERSION

const bench_solver bench_solver_arkode[] = {
    {"arkode_5", LIBRARY, 5, open, solve, close},
    {"arkode_8", LIBRARY, 8, open, solve, close},
    {0},
};
