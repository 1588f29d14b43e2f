/* double_pendulum.c - two pendulums, one hanging on the other, on a product of spheres.
 *
 * The mass matrix couples them; RATTLE keeps the momentum about the vertical to round-off
 * and the energy near its value, a Munthe-Kaas method of order 4 is more accurate and
 * lets both drift. What a run needs is allocated once, by ph_spheres_create. */
#include <math.h>
#include <stdio.h>

#include <polhode/spheres.h>

/* The larger one, or NaN, which fmax would lose. */
static double larger(double a, double b)
{
    return b <= a || isnan(a) ? a : b;
}

/* The largest errors of energy and momentum over 20 seconds; false if a step fails. */
static bool swing(const char *method, double *energy, double *momentum)
{
    const ph_sphere_problem *p;
    ph_sphere_integrator i;
    ph_spheres *s;
    ph_vec3 q[2], w[2];
    if (ph_sphere_problem_named("double_pendulum", &p) != PH_OK ||
        ph_sphere_integrator_named(method, &i) != PH_OK ||
        ph_spheres_create(&s, p, &i) != PH_OK)
        return false;
    ph_spheres_start(s, q, w);
    const double E = ph_spheres_energy(s, q, w), L = ph_spheres_invariant(s, 0, q, w);
    ph_status status = PH_OK;
    *energy = *momentum = 0.0;
    for (int n = 0; n < 2000 && status == PH_OK; n++) {
        status = ph_spheres_step(s, q, w, 0.01);
        *energy = larger(*energy, fabs(ph_spheres_energy(s, q, w) - E));
        *momentum = larger(*momentum, fabs(ph_spheres_invariant(s, 0, q, w) - L));
    }
    ph_spheres_free(s);
    return status == PH_OK;
}

int main(void)
{
    double energy[2], momentum[2];
    if (!swing("rattle", &energy[0], &momentum[0]) ||
        !swing("rkmk4", &energy[1], &momentum[1]))
        return 1;
    printf("rattle: energy to %.1e, momentum to %.1e\n", energy[0], momentum[0]);
    printf("rkmk4:  energy to %.1e, momentum to %.1e\n", energy[1], momentum[1]);
    return momentum[0] < 1e-12 && momentum[1] > 1e-7 && energy[1] < energy[0] ? 0 : 1;
}
