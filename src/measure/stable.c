/* stable.c - the largest step at which the energy stays near where it was. */
#include "polhode/measure.h"
#include "rotation/vec.h"
#include "system/run_body.h"

/* The steps tried: 2^(k/4). */
enum { SMALLEST = -20, LARGEST = 12, PER_OCTAVE = 4 };
static const double NEAR = 0.1; /* of the energy at the start */

typedef struct bound {
    double energy;
    bool held;
} bound;

static bool watch(void *context, ph_system *s)
{
    bound *b = context;
    b->held = fabs(ph_system_energy(s) - b->energy) < NEAR * fabs(b->energy);
    return b->held;
}

static bool stable(const ph_integrator *i, const ph_problem *p, double h, long steps)
{
    ph_state s = ph_problem_start(p);
    bound b = {ph_problem_energy(p, 0.0, &s), true};
    const ph_observer o = {watch, &b, 1, NULL, 0};
    return ph_run_body(i, p, &s, h, (uint64_t)steps, PH_PLAIN, &o, NULL) == PH_OK &&
           b.held;
}

static double step_of(int k)
{
    return ph_pow(2.0, (double)k / PER_OCTAVE);
}

double ph_stable_step(const ph_integrator *i, const ph_problem *p, long steps)
{
    if (!stable(i, p, step_of(SMALLEST), steps))
        return 0;
    int held = SMALLEST, lost = LARGEST + 1;
    while (lost - held > 1) {
        const int middle = (held + lost) / 2;
        *(stable(i, p, step_of(middle), steps) ? &held : &lost) = middle;
    }
    return step_of(held);
}
