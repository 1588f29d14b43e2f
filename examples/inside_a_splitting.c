/* inside_a_splitting.c - the library inside somebody else's integrator: a heavy top.
 *
 * Verlet's splitting: half a kick by the torque, a drift by the exact free motion, half a
 * kick, as a molecular-dynamics program does for every molecule. The state is the
 * caller's; a step allocates nothing and knows no globals. The error of the energy is the
 * splitting's: bounded, and a quarter for half the step. */
#include <math.h>
#include <stdio.h>

#include <polhode/polhode.h>

static const ph_vec3 J = {2.0, 3.0, 1.0};        /* moments about the support */
static const double STRENGTH = 20.0, TIME = 1e2; /* U = STRENGTH cos(tilt), m g l */

/* The vertical in the body: the third row of R. */
static ph_vec3 vertical(const ph_state *s)
{
    return ph_quat_unrotate(s->q, (ph_vec3){0, 0, 1});
}

static double energy(const ph_body *top, const ph_state *s)
{
    return ph_body_energy(top, s) + STRENGTH * vertical(s).z;
}

/* The torque on the body, -dU, acting for a time h. */
static void kick(ph_state *s, double h)
{
    const ph_vec3 g = vertical(s);
    s->m.x += h * STRENGTH * g.y;
    s->m.y -= h * STRENGTH * g.x;
}

int main(void)
{
    ph_body top;
    const ph_flow *drift;
    if (ph_flow_named("exact", &drift) != PH_OK || ph_body_from_moments(&top, J) != PH_OK)
        return 1;
    double worst[2] = {0, 0};
    for (int run = 0; run < 2; run++) {
        const int steps = run == 0 ? 10000 : 20000;
        const double h = TIME / steps;
        ph_state s = {ph_rotation_exp((ph_vec3){0.3, 0, 0}), {0.0, 1.0, 10.0}};
        const double E = energy(&top, &s), m = ph_state_space_momentum(&s).z;
        for (int i = 0; i < steps; i++) {
            kick(&s, 0.5 * h);
            if (drift->step(drift, &s, J, h) != PH_OK)
                return 1;
            kick(&s, 0.5 * h);
            const double error = fabs(energy(&top, &s) / E - 1.0);
            if (!(error <= worst[run]))
                worst[run] = error;
            if (isnan(error))
                return 1;
        }
        const double lost = fabs(ph_state_space_momentum(&s).z / m - 1.0);
        printf("%d steps: energy to %.1e, momentum to %.1e\n", steps, worst[run], lost);
        if (lost > 1e-11)
            return 1;
    }
    return fabs(worst[0] / worst[1] - 4.0) < 0.1 ? 0 : 1;
}
