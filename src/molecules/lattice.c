/* lattice.c - a noisy cubic lattice with random attitudes, by numbers or by a problem;
 * polhode/molecules.h has the formulas. */
#include <math.h>

#include "base/arguments.h"
#include "base/random.h"
#include "molecules/laws.h"
#include "rotation/vec.h"

static double normal(uint64_t *seed)
{
    const double u1 = uniform(seed), u2 = uniform(seed);
    return sqrt(-2.0 * ph_real_log(u1)) * ph_cos(2.0 * PH_PI * u2);
}

ph_molecules *ph_molecules_lattice(size_t side, double spacing, double noise,
                                   uint64_t seed)
{
    if (side == 0 || side > SIZE_MAX / side / side)
        return NULL;
    ph_molecules *s = ph_molecules_create(side * side * side);
    for (size_t i = 0; s != NULL && i < s->n; i++) {
        const size_t at[3] = {i % side, i / side % side, i / side / side};
        for (int k = 0; k < 3; k++) {
            const double site = spacing * (double)(1 + at[k]);
            s->x[k][i] = site + noise * spacing * normal(&seed);
        }
        ph_quat q;
        q.w = normal(&seed);
        q.x = normal(&seed);
        q.y = normal(&seed);
        q.z = normal(&seed);
        q = ph_quat_unit(q);
        s->q[0][i] = q.w;
        s->q[1][i] = q.x;
        s->q[2][i] = q.y;
        s->q[3][i] = q.z;
    }
    return s;
}

static bool whole(double x, double least, double most)
{
    return x >= least && x <= most && x == floor(x);
}

ph_status ph_molecules_of_problem(ph_molecules **out, const ph_molecules_problem *p)
{
    if (ANY_NULL(out, p))
        return PH_NULL_ARGUMENT;
    const double *x = p->value, most_side = PH_LATTICE_MOST, most_seed = 0x1p53;
    if (!whole(x[LATTICE], 1.0, most_side) || !whole(x[SEED], 0.0, most_seed) ||
        !(x[SPACING] > 0.0) || !(x[NOISE] >= 0.0))
        return PH_BAD_PARAMETER;
    ph_molecules *s =
        ph_molecules_lattice((size_t)x[LATTICE], x[SPACING], x[NOISE], (uint64_t)x[SEED]);
    if (s == NULL)
        return PH_NO_MEMORY;
    ph_molecules_set_problem(s, p);
    *out = s;
    return PH_OK;
}
