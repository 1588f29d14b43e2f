/* dipolar_spheres.c - soft spheres with dipoles, in open space or in a periodic box.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.4.
 *
 * With d = x_i - x_j, u = 1/|d|, a = mu_i.d, b = mu_j.d, c = mu_i.mu_j and
 *
 *   w = soft u^12,   soft = 4 epsilon sigma^12,   e = 3 u^5,   t = e a b
 *
 *   CFSZ 3.4   V   = w + u^3 c - t
 *              F_i = ( u^2 (12 w - 5 t) + e c ) d + e b mu_i + e a mu_j = -F_j
 *              E_i = e b d - u^3 mu_j,   E_j = e a d - u^3 mu_i
 *
 * Up to a cut-off rc the soft part is shifted, in energy and force, to nothing at rc; the
 * dipoles get the reaction field of what lies beyond, and fade by S (pair_lanes.h):
 *
 *   w  becomes  w - w(rc) - (r - rc) w'(rc)
 *   the dipoles' part D = u^3 c - t  becomes  S ( D - reaction c )
 *
 * and forces and fields are the derivatives of just that, hence conserve it.
 */
#include <math.h>

#include "kinds/molecules/laws.h"

/* The law's numbers. */
enum {
    SOFT,       /* 4 epsilon sigma^12 */
    SOFT_END,   /* the soft part at the cut-off, */
    SOFT_SLOPE, /* and its derivative */
    REACTION,   /* field of the surroundings by the dipole in the sphere */
    TAPER2,     /* where the dipoles fade: from this r^2 to cutoff2 */
    PER_TAPER,
};

KERNEL_DECLARE(pairs_kernel, pairs_dipolar_spheres);

#ifdef SIMD_VECTORS /* the kernel, once for each instruction set */
#include "kinds/molecules/pair_kernel.h"

static inline parts open_parts(const pair_numbers *law, vdouble u, vdouble a, vdouble b, vdouble c)
{
    const vdouble u2 = u * u, u3 = u2 * u, e = (3.0 * u2) * u3, u6 = u3 * u3;
    const vdouble w = (law->c[SOFT] * u6) * u6, t = (e * a) * b;
    return (parts){
        .w = w, .u3 = u3, .e = e, .D = u3 * c - t, .f = e * c + u2 * (12.0 * w - 5.0 * t)};
}

static inline parts cut_parts(const pair_numbers *law, vdouble u, vdouble r2, vdouble a, vdouble b,
                              vdouble c)
{
    const vmask inside = r2 < vsplat(law->cutoff2);
    const vdouble none = vsplat(0.0);
    const vdouble u2 = u * u, u3 = u2 * u, e = (3.0 * u2) * u3, u6 = u3 * u3;
    const vdouble w = (law->c[SOFT] * u6) * u6, t = (e * a) * b;
    const vdouble slope = vsplat(law->c[SOFT_SLOPE]), A = u3 - law->c[REACTION];
    const vdouble beyond = r2 * u - law->cutoff; /* r - rc */
    const vdouble shifted = (w - law->c[SOFT_END]) - beyond * slope;
    const vdouble push = (12.0 * w) * u2 + slope * u;

    vdouble fade;
    const vdouble S = fading(law->c[TAPER2], law->c[PER_TAPER], r2, &fade);
    const vdouble D = A * c - t, f = e * c - 5.0 * (u2 * t);
    return (parts){.w = vselect(inside, shifted, none),
                   .u3 = S * A,
                   .e = S * e,
                   .D = S * D,
                   .f = S * f + (fade * D + vselect(inside, push, none))};
}

PAIR_KERNEL(dipolar_spheres)

#else

/* The law's constants. */
enum { SIGMA, EPSILON };

static ph_status check(const ph_molecules *s)
{
    const double sigma = s->constant[SIGMA], epsilon = s->constant[EPSILON];
    if (sigma > 0.0 && isfinite(sigma) && epsilon >= 0.0 && isfinite(epsilon))
        return PH_OK;
    return PH_BAD_LAW;
}

/* Nearer than half of sigma the energy is 2^14 epsilon or more. */
static double overlap(const ph_molecules *s)
{
    return 0.5 * s->constant[SIGMA];
}

static double energy(const ph_molecules *s)
{
    return s->constant[EPSILON];
}

/* The dipoles fade over the last tenth of the cut-off. */
static const double TAPER = 0.9;

/* Field in a sphere per dipole in it, times its radius cubed: 2 (e - 1)/(2 e + 1), and 1
 * in a conductor. */
static double reaction(double dielectric)
{
    if (dielectric == 0.0)
        return 1.0;
    return 2.0 * (dielectric - 1.0) / (2.0 * dielectric + 1.0);
}

static void prepare_law(pair_numbers *law, const ph_molecules *s)
{
    const double *constant = s->constant, sigma = constant[SIGMA], sigma3 = sigma * sigma * sigma,
                 sigma6 = sigma3 * sigma3, rc = law->cutoff, rc3 = rc * rc * rc, rc6 = rc3 * rc3;
    double *c = law->c;
    c[SOFT] = 4.0 * constant[EPSILON] * (sigma6 * sigma6);
    if (law->kind == PAIRS_OPEN)
        return;
    c[SOFT_END] = c[SOFT] / (rc6 * rc6);
    c[SOFT_SLOPE] = -12.0 * c[SOFT_END] / rc;
    c[REACTION] = reaction(s->dielectric) / rc3;
    c[TAPER2] = TAPER * TAPER * law->cutoff2;
    c[PER_TAPER] = 1.0 / (law->cutoff2 - c[TAPER2]);
}

static const ph_pair_law LAW = {
    .name = "dipolar_spheres",
    .components = OF_DIPOLE,
    .check = check,
    .overlap = overlap,
    .energy = energy,
    .prepare = prepare_law,
    .kernels = KERNEL_TABLE(pairs_dipolar_spheres),
};

static const ph_parameter PARAMETERS[] = {
    {"sigma", CONSTANTS + SIGMA, 1, "length", "diameter of a sphere", PH_RANGE_POSITIVE},
    {"epsilon", CONSTANTS + EPSILON, 1, "energy", "strength of the repulsion",
     PH_RANGE_NOT_NEGATIVE},
    COMMON_PARAMETERS,
};

const ph_molecules_problem ph_molecules_problem_dipolar_spheres = {
    .name = "dipolar_spheres",
    .title = "Soft spheres with dipoles, open or in a periodic box",
    .cite = "CFSZ section 3.4",
    .equations = "V_ij = 4 epsilon (sigma/r)^12 + mu_i.mu_j/r^3 - 3 (mu_i.d)(mu_j.d)/r^5,\n"
                 "d = x_i - x_j; in a box up to a cut-off, with a reaction field.",
    .parameters = PARAMETERS,
    .parameter_count = sizeof PARAMETERS / sizeof PARAMETERS[0],
    .value = {COMMON_VALUES, [CONSTANTS + SIGMA] = 1, [CONSTANTS + EPSILON] = 1},
    .law = &LAW,
};

#endif
