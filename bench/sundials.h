/* sundials.h - what the solvers of SUNDIALS share: the equation and the state in its
 * types. They keep quiet: a tolerance that cannot be reached is a result, not an
 * accident. */
#ifndef POLHODE_BENCH_SUNDIALS_H
#define POLHODE_BENCH_SUNDIALS_H

#include <string.h>

#include <nvector/nvector_serial.h>

#include "ode.h"

typedef struct sundials {
    bench_ode *ode;
    SUNContext context;
    N_Vector y;
} sundials;

static inline void sundials_open(sundials *s, bench_ode *ode)
{
    s->ode = ode;
    SUNContext_Create(NULL, &s->context);
    s->y = N_VNew_Serial(ODE_SIZE, s->context);
    N_VConst(1.0, s->y);
}

static inline void sundials_close(sundials *s)
{
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
}

/* The state at the start of a run, and no right-hand sides so far. */
static inline void sundials_start(sundials *s, const double *start)
{
    memcpy(NV_DATA_S(s->y), start, ODE_SIZE * sizeof *start);
    s->ode->evaluations = 0;
}

static inline int sundials_rhs(realtype t, N_Vector y, N_Vector f, void *ode)
{
    ode_rhs(ode, t, NV_DATA_S(y), NV_DATA_S(f));
    return 0;
}

static inline void sundials_quiet(int code, const char *module, const char *function, char *message,
                                  void *data)
{
    (void)code;
    (void)module;
    (void)function;
    (void)message;
    (void)data;
}

#endif
