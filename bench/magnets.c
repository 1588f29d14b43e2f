/* magnets.c - the forces among magnetic needles on a lattice: by the library's kernel, and
 * by the sum over pairs as one would write it down.
 *
 * One call is one row of needles of a 64 x 64 lattice, so that 64 calls are all of them;
 * NEEDLES^2 pairs are in 64 calls, hence ns per call over 64 * 4096 is the cost of a pair.
 */
#include "polhode/spheres.h"

#include <math.h>

#include "bench.h"

enum { SIDE = 64, NEEDLES = SIDE * SIDE };

static ph_vec3 q[NEEDLES], w[NEEDLES], force[NEEDLES];
static ph_sphere_problem problem;
static ph_spheres *spheres;

static void prepare(void)
{
    if (spheres != NULL)
        return;
    problem = *ph_sphere_problem_named("magnets");
    problem.value[0] = problem.value[1] = SIDE;
    if (ph_spheres_new(&spheres, &problem, NULL) != PH_OK)
        return;
    for (int i = 0; i < NEEDLES; i++) {
        const double z = bench_random(-1, 1), a = bench_random(0, 6.28);
        q[i] = (ph_vec3){sqrt(1 - z * z) * cos(a), sqrt(1 - z * z) * sin(a), z};
    }
}
