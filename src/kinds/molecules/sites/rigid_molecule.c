/* rigid_molecule.c - rigid molecules of your own: up to eight sites with masses, charges and
 * Lennard-Jones, in a periodic box.
 *
 * MJ    Mahoney, Jorgensen, A five-site model for liquid water and the reproduction of the density
 *       anomaly by rigid, nonpolarizable potential functions, J. Chem. Phys. 112, 2000: TIP5P.
 *
 * Units, the energy of two sites, the cut-off and the reaction field are those of water.c. All pairs of
 * sites act by charges and by Lennard-Jones, with sigma = (sigma_a + sigma_b)/2 and epsilon^2 =
 * epsilon_a epsilon_b (Lorentz, Berthelot). A site at (x, y, z) in the principal axes, on which f acts, adds f to the force F,
 * and z f, x f, y f to the fields of the axes z, x, y. Molecules must be neutral, since the cut-off is one
 * of whole molecules. The default is TIP5P.
 */
#include "kinds/molecules/laws.h"

/* The law's numbers. */
enum { REACTION, TAPER2, PER_TAPER };

KERNEL_DECLARE(pairs_kernel, pairs_rigid_molecule);

#ifdef SIMD_VECTORS /* the kernel, once for each instruction set */

enum { SITES = PH_SITES_MOST, AXES = OF_SOLID / 3 };

#include "kinds/molecules/site_kernel.h"

static inline sites sites_of(const pair_numbers *law, const vdouble3 axis[AXES])
{
    const site_numbers *t = &law->sites;
    sites out = {0};
    for (size_t a = 0; a < t->n; a++)
        out.at[a] = added(vsplat(t->at[a][0]), axis[1],
                          added(vsplat(t->at[a][1]), axis[2], scale(vsplat(t->at[a][2]), axis[0])));
    return out;
}

static inline pulls pulls_of(const site_numbers *t, const sites *on)
{
    pulls out = {0};
    for (size_t a = 0; a < t->n; a++) {
        const vdouble3 f = on->at[a];
        out.F = add(out.F, f);
        out.E[0] = added(vsplat(t->at[a][2]), f, out.E[0]);
        out.E[1] = added(vsplat(t->at[a][0]), f, out.E[1]);
        out.E[2] = added(vsplat(t->at[a][1]), f, out.E[2]);
    }
    return out;
}

static inline vdouble act(const pair_numbers *law, const sites *i, const sites *other, vdouble3 d,
                          pulls *here, pulls *there)
{
    const site_numbers *t = &law->sites;
    sites on = {0}, back = {0};
    vdouble V = vsplat(0.0);
    for (size_t a = 0; a < t->n; a++) {
        for (size_t b = 0; b < t->n; b++) {
            const double q = t->charges[a][b], e = t->epsilon4[a][b];
            if (q == 0.0 && e == 0.0)
                continue;
            const vdouble3 s = sub(add(d, i->at[a]), other->at[b]);
            const vdouble r2 = dot(s, s);
            vdouble f = vsplat(0.0);
            if (q != 0.0)
                f += charged(q, law->c[REACTION], r2, &V);
            if (e != 0.0)
                f += lennard_jones(t->sigma6[a][b], e, r2, &V);
            on.at[a] = added(f, s, on.at[a]);
            back.at[b] = taken(f, s, back.at[b]);
        }
    }
    *here = pulls_of(t, &on);
    *there = pulls_of(t, &back);
    return V;
}

SITE_KERNEL(rigid_molecule, TAPER2, PER_TAPER)

#else

#include <math.h>

#include "base/extremes.h"
#include "kinds/molecules/rigid.h"
#include "motion/vec.h"

/* The law's constant. */
enum { DENSITY };

static ph_status check(const ph_molecules *s)
{
    rigid_shape shape;
    if (s->sites == 0 || ph_sites_shape(s->site, s->sites, &shape) != PH_OK)
        return PH_BAD_LAW;
    if (s->constant[DENSITY] > 0.0 && isfinite(s->constant[DENSITY]))
        return PH_OK;
    return PH_BAD_LAW;
}

static double energy(const ph_molecules *s)
{
    (void)s;
    return 50.0; /* about that of a molecule in a liquid */
}

/* Half the smallest sigma. */
static double overlap(const ph_molecules *s)
{
    double least = INFINITY;
    for (size_t a = 0; a < s->sites; a++) {
        if (s->site[a].epsilon > 0.0)
            least = smaller_or_nan(least, 0.5 * s->site[a].sigma);
    }
    return least;
}

static void set(ph_molecules *s)
{
    rigid_shape shape;
    if (check(s) == PH_OK && ph_sites_shape(s->site, s->sites, &shape) == PH_OK)
        ph_molecules_set_alike(s, shape.mass, shape.J, shape.dipole, s->constant[DENSITY]);
}

static void prepare_law(pair_numbers *law, const ph_molecules *s)
{
    rigid_shape shape;
    site_numbers *t = &law->sites;
    if (ph_sites_shape(s->site, s->sites, &shape) != PH_OK)
        return; /* check() has refused it */
    law->c[REACTION] = reaction_field(law, s->dielectric);
    law->c[TAPER2] = molecules_fade(law);
    law->c[PER_TAPER] = 1.0 / (law->cutoff2 - law->c[TAPER2]);
    t->n = s->sites;
    for (size_t a = 0; a < t->n; a++) {
        const double at[3] = {shape.at[a].x, shape.at[a].y, shape.at[a].z};
        for (int k = 0; k < 3; k++)
            t->at[a][k] = at[k];
        for (size_t b = 0; b < t->n; b++) {
            const ph_site *A = &s->site[a], *B = &s->site[b];
            const double sigma = 0.5 * (A->sigma + B->sigma), sigma3 = sigma * sigma * sigma;
            t->charges[a][b] = COULOMB * A->charge * B->charge;
            t->sigma6[a][b] = sigma3 * sigma3;
            t->epsilon4[a][b] = 4.0 * sqrt(A->epsilon * B->epsilon);
        }
    }
}

/* Elements by their masses. */
static double number_of(double mass)
{
    static const double known[][2] = {{1, 1.008},  {2, 4.0026}, {6, 12.011},  {7, 14.007},
                                      {8, 15.999}, {9, 18.998}, {14, 28.086}, {15, 30.974},
                                      {16, 32.06}, {17, 35.45}, {35, 79.904}, {53, 126.904}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (fabs(mass - known[i][1]) < 0.05)
            return known[i][0];
    }
    return 0.0;
}

static size_t atoms(const ph_molecules *s, molecule_atom atom[PH_SITES_MOST])
{
    rigid_shape shape;
    if (ph_sites_shape(s->site, s->sites, &shape) != PH_OK)
        return 0;
    for (size_t a = 0; a < s->sites; a++)
        atom[a] = (molecule_atom){number_of(s->site[a].mass), s->site[a].mass, shape.at[a]};
    return s->sites;
}

static const ph_pair_law LAW = {
    .name = "rigid_molecule",
    .components = OF_SOLID,
    .check = check,
    .overlap = overlap,
    .energy = energy,
    .set = set,
    .place = ph_molecules_place,
    .atoms = atoms,
    .wrong = "density must be positive and finite, and the sites must make a rigid body",
    .prepare = prepare_law,
    .kernels = KERNEL_TABLE(pairs_rigid_molecule),
    MOLECULAR_UNITS,
};

static const ph_parameter PARAMETERS[] = {
    {"molecules", LATTICE, 1, "1", "number of molecules", PH_RANGE_WHOLE},
    LIQUID_PARAMETERS(CONSTANTS + DENSITY),
};

const ph_molecules_problem ph_molecules_problem_rigid_molecule = {
    .name = "rigid_molecule",
    .title = "Rigid molecules of your own in a box: nm, ps, u, kJ/mol, kelvin",
    .cite = "MJ",
    .equations = "Sites of two molecules act by charges, with a reaction field, and by\n"
                 "Lennard-Jones; a pair of molecules fades before the cut-off of its centres.",
    .parameters = PARAMETERS,
    .parameter_count = sizeof PARAMETERS / sizeof PARAMETERS[0],
    .value = {[LATTICE] = 216, [NOISE] = 0.02, [SEED] = 1, [CONSTANTS + DENSITY] = 997},
    .law = &LAW,
    .sites = 5,
    /* O-H 0.09572 nm, H-O-H 104.52 degrees, O-L 0.07 nm, L-O-L 109.47 degrees */
    .site = {{{0, 0, 0}, 15.9994, 0, 0.312, 0.66944},
             {{0.07569503272636612, 0, 0.058588227661829494}, 1.008, 0.241, 0, 0},
             {{-0.07569503272636612, 0, 0.058588227661829494}, 1.008, 0.241, 0, 0},
             {{0, 0.05715433016440821, -0.04041512765608713}, 0, -0.241, 0, 0},
             {{0, -0.05715433016440821, -0.04041512765608713}, 0, -0.241, 0, 0}},
};

#endif
