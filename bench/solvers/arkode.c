/* arkode.c - the explicit Runge-Kutta methods of ARKODE of SUNDIALS, of several orders;
 * the state between its steps by Hermite interpolation. */
#include <stdlib.h>
#include <string.h>

#include <arkode/arkode_erkstep.h>

#include "sundials.h"

typedef struct handle {
    sundials s;
    void *arkode;
} handle;

static void *open(const bench_solver *solver, bench_ode *ode, double tolerance)
{
    handle *h = calloc(1, sizeof *h);
    if (h == NULL)
        return NULL;
    sundials_open(&h->s, ode);
    h->arkode = ERKStepCreate(sundials_rhs, 0.0, h->s.y, h->s.context);
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
    sundials_start(&h->s, start);
    if (ERKStepReInit(h->arkode, sundials_rhs, 0.0, h->s.y) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        const double next = end * (i + 1) / count;
        if ((i == count - 1 && ERKStepSetStopTime(h->arkode, end) < 0) ||
            ERKStepEvolve(h->arkode, next, h->s.y, &t, ARK_NORMAL) < 0)
            return false;
        memcpy(points[i], NV_DATA_S(h->s.y), sizeof points[i]);
    }
    return true;
}

static void close(void *work)
{
    handle *h = work;
    ERKStepFree(&h->arkode);
    sundials_close(&h->s);
    free(h);
}

#define LIBRARY "SUNDIALS " SUNDIALS_VERSION

const bench_solver bench_solver_arkode[] = {
    {"arkode_5", LIBRARY, 5, open, solve, close},
    {"arkode_8", LIBRARY, 8, open, solve, close},
    {0},
};
