#include "support/step_energy.h"

#include <math.h>

#include "polhode_step.h"

static const struct body {
    float J[3], w[3];
} bodies[] = {
    {{1.0F, 2.0F, 3.0F}, {0.4F, 0.2F, 2.0F}},   /* a brick about its last axis */
    {{1.0F, 2.0F, 3.0F}, {0.01F, 3.0F, 0.02F}}, /* about the unstable one */
    {{1.0F, 1.0F, 1.9F}, {1.0F, 0.5F, 4.0F}},   /* a symmetric disc */
};
const size_t step_energy_bodies = sizeof bodies / sizeof *bodies;

double step_energy(const double J[3], const double w[3])
{
    return 0.5 * (J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]);
}

static double energy_now(const struct body *b, const float q[4], const float w[3], int world)
{
    double p[4] = {q[0], q[1], q[2], q[3]}, v[3] = {w[0], w[1], w[2]};
    const double J[3] = {b->J[0], b->J[1], b->J[2]};
    if (world) {
        polhode_unit(p);
        polhode_rotate(p, -1, v);
    }
    return step_energy(J, v);
}

double step_energy_float_error(size_t body, int world, uint64_t steps)
{
    const struct body *b = &bodies[body];
    const float dt = 1.0F / 60.0F;
    float q[4] = {1.0F, 0.0F, 0.0F, 0.0F}, w[3] = {b->w[0], b->w[1], b->w[2]};
    const double before = energy_now(b, q, w, world);
    for (uint64_t i = 0; i < steps; i++) {
        if (world)
            polhode_stepf_world(q, w, b->J, dt);
        else
            polhode_stepf(q, w, b->J, dt);
    }
    return fabs(energy_now(b, q, w, world) / before - 1.0);
}
