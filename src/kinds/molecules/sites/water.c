/* water.c - rigid water: molecules of three or four sites in a periodic box.
 *
 * BGS   Berendsen, Grigera, Straatsma, The missing term in effective pair potentials, J. Phys.
 *       Chem. 91, 1987: SPC/E.
 * JCMIK Jorgensen, Chandrasekhar, Madura, Impey, Klein, Comparison of simple potential functions
 *       for simulating liquid water, J. Chem. Phys. 79, 1983: TIP3P and TIP4P.
 * TSSB  Tironi, Sperb, Smith, van Gunsteren, A generalized reaction field method for molecular
 *       dynamics simulations, J. Chem. Phys. 102, 1995.
 *
 * Lengths are in nm, times in ps, masses in u, energies in kJ/mol, temperatures in kelvin. The energy
 * of two molecules is a sum over their sites, r apart, of charges with a reaction field, and of
 * oxygens by Lennard-Jones:
 *
 *   TSSB  U = sum q_a q_b/(4 pi e0) (1/r + k r^2) + 4 epsilon ((sigma/r)^12 - (sigma/r)^6)
 *         k rc^3 = (e - 1)/(2 e + 1),   e the dielectric constant beyond the cut-off rc
 *
 * The cut-off is one of whole molecules, which are neutral, by the distance R of the nearest images
 * of their centres of mass: their energy is S(R^2) U (pair_lanes.h), S falling from 1 to 0 over the
 * last tenth of the way. Forces and torques are the derivatives of just that, hence conserve it. A
 * constant in the law of charges, as the usual -1/rc - k rc^2, would not change U.
 *
 * The axes of a molecule are z along its symmetry, x from hydrogen to hydrogen, the centre of mass its
 * origin. A site at (x, 0, z) on which f acts adds f to the force F, z f to the field E of the
 * axis z, and x f to that of the axis x. The start is a cubic lattice, each molecule opposite to
 * its neighbours, with noise.
 */
#include "kinds/molecules/laws.h"

/* The law's numbers. */
enum {
    HYDROGEN_X, /* where the sites are */
    HYDROGEN_Z,
    CHARGE_Z,
    OXYGEN_Z,
    CHARGES,  /* product of those of two hydrogens, in kJ nm/mol */
    REACTION, /* k */
    SIGMA6,
    EPSILON4,
    TAPER2, /* where molecules fade: from this R^2 to cutoff2 */
    PER_TAPER,
};

KERNEL_DECLARE(pairs_kernel, pairs_water);

#ifdef SIMD_VECTORS /* the kernel, once for each instruction set */

/* A molecule's sites, those with charges first. */
enum { PLUS, PLUS_TOO, MINUS, OXYGENS, SITES };
enum { AXES = OF_PLANAR / 3 };

#include "kinds/molecules/site_kernel.h"

static inline sites sites_of(const pair_numbers *law, const vdouble3 axis[AXES])
{
    const double *c = law->c;
    const vdouble3 z = axis[0], x = axis[1], H = scale(vsplat(c[HYDROGEN_Z]), z);
    const vdouble across = vsplat(c[HYDROGEN_X]);
    return (sites){{added(across, x, H), taken(across, x, H), scale(vsplat(c[CHARGE_Z]), z),
                    scale(vsplat(c[OXYGEN_Z]), z)}};
}

static inline pulls pulls_of(const double *c, const sites *on)
{
    const vdouble3 *f = on->at, H = add(f[PLUS], f[PLUS_TOO]), ends = add(f[MINUS], f[OXYGENS]),
                   along =
                       added(vsplat(c[CHARGE_Z]), f[MINUS], scale(vsplat(c[OXYGEN_Z]), f[OXYGENS]));
    return (pulls){.F = add(H, ends),
                   .E = {added(vsplat(c[HYDROGEN_Z]), H, along),
                         scale(vsplat(c[HYDROGEN_X]), sub(f[PLUS], f[PLUS_TOO]))}};
}

static inline vdouble act(const pair_numbers *law, const sites *i, const sites *other, vdouble3 d,
                          pulls *here, pulls *there)
{
    static const double charge[SITES] = {1.0, 1.0, -2.0, 0.0};
    const double *c = law->c;
    const vdouble3 none = {0};
    sites on = {{none, none, none, none}}, back = on;
    vdouble V = vsplat(0.0);
#pragma GCC unroll 16
    for (int n = 0; n < SITES * SITES; n++) {
        const int a = n / SITES, b = n % SITES;
        if ((a == OXYGENS) != (b == OXYGENS))
            continue;
        const vdouble3 s = sub(add(d, i->at[a]), other->at[b]);
        const vdouble r2 = dot(s, s),
                      f = a == OXYGENS
                              ? lennard_jones(c[SIGMA6], c[EPSILON4], r2, &V)
                              : charged(charge[a] * charge[b] * c[CHARGES], c[REACTION], r2, &V);
        on.at[a] = added(f, s, on.at[a]);
        back.at[b] = taken(f, s, back.at[b]);
    }
    *here = pulls_of(c, &on);
    *there = pulls_of(c, &back);
    return V;
}

SITE_KERNEL(water, TAPER2, PER_TAPER)

#else

#include <math.h>
#include <string.h>

#include "kinds/molecules/rigid.h"
#include "motion/vec.h"

/* The law's constants. */
enum { MODEL, DENSITY };

/* A water molecule: distance O-H, angle H-O-H, distance of the negative charge from O, charge of
 * H, and of O Lennard-Jones. */
typedef struct water_model {
    double bond, angle, shift, charge, sigma, epsilon;
} water_model;

/* BGS give sigma and epsilon by (B/r)^12 - (A/r)^6 with A = 0.37122, B = 0.3428. JCMIK table I has
 * A and C of A/r^12 - C/r^6, here as the packages of molecular dynamics round them. */
static const water_model MODELS[] = {
    {0.1, 109.47, 0.0, 0.4238, 0.316555789, 0.65016958},
    {0.09572, 104.52, 0.0, 0.417, 0.315061, 0.636386},
    {0.09572, 104.52, 0.015, 0.52, 0.315365, 0.64852},
};
enum { MODEL_COUNT = sizeof MODELS / sizeof MODELS[0] };

static const double OXYGEN = 15.9994, HYDROGEN = 1.008;

/* Where the sites of a molecule are, in its axes, and its moments of inertia. */
typedef struct water_shape {
    double x, H, O, minus; /* x and z of a hydrogen, z of the others */
    ph_vec3 J;
} water_shape;

static water_shape shape_of(const water_model *m)
{
    const double half = m->angle * PH_PI / 360.0, mass = OXYGEN + 2.0 * HYDROGEN,
                 x = m->bond * ph_sin(half), along = m->bond * ph_cos(half),
                 O = -2.0 * HYDROGEN / mass * along, H = O + along,
                 Jx = OXYGEN * O * O + 2.0 * HYDROGEN * H * H, Jz = 2.0 * HYDROGEN * x * x;
    return (water_shape){x, H, O, O + m->shift, vec3(Jx, Jx + Jz, Jz)};
}

static ph_status check(const ph_molecules *s)
{
    const double *constant = s->constant, model = constant[MODEL];
    if (model >= 0.0 && model < MODEL_COUNT && model == floor(model) && constant[DENSITY] > 0.0 &&
        isfinite(constant[DENSITY]))
        return PH_OK;
    return PH_BAD_LAW;
}

static double energy(const ph_molecules *s)
{
    (void)s;
    return 50.0; /* about that of a molecule in the liquid */
}

static void set(ph_molecules *s)
{
    if (check(s) != PH_OK)
        return;
    const water_model *m = &MODELS[(size_t)s->constant[MODEL]];
    const water_shape shape = shape_of(m);
    const ph_vec3 dipole = vec3(0, 0, 2.0 * m->charge * (shape.H - shape.minus));
    ph_molecules_set_alike(s, OXYGEN + 2.0 * HYDROGEN, shape.J, dipole, s->constant[DENSITY]);
}

static void prepare_law(pair_numbers *law, const ph_molecules *s)
{
    const water_model *m = &MODELS[(size_t)s->constant[MODEL]];
    const water_shape shape = shape_of(m);
    const double sigma3 = m->sigma * m->sigma * m->sigma;
    double *c = law->c;
    c[HYDROGEN_X] = shape.x;
    c[HYDROGEN_Z] = shape.H;
    c[CHARGE_Z] = shape.minus;
    c[OXYGEN_Z] = shape.O;
    c[CHARGES] = COULOMB * m->charge * m->charge;
    c[REACTION] = reaction_field(law, s->dielectric);
    c[SIGMA6] = sigma3 * sigma3;
    c[EPSILON4] = 4.0 * m->epsilon;
    c[TAPER2] = molecules_fade(law);
    c[PER_TAPER] = 1.0 / (law->cutoff2 - c[TAPER2]);
}

static size_t atoms(const ph_molecules *s, molecule_atom atom[PH_SITES_MOST])
{
    const water_model *m = &MODELS[(size_t)s->constant[MODEL]];
    const water_shape shape = shape_of(m);
    const molecule_atom all[] = {{8.0, OXYGEN, {0.0, 0.0, shape.O}},
                                 {1.0, HYDROGEN, {shape.x, 0.0, shape.H}},
                                 {1.0, HYDROGEN, {-shape.x, 0.0, shape.H}},
                                 {0.0, 0.0, {0.0, 0.0, shape.minus}}};
    const size_t count = m->shift == 0.0 ? 3 : 4;
    memcpy(atom, all, count * sizeof *atom);
    return count;
}

/* Far below the nearest neighbours in the liquid, 0.24 nm apart. */
static double overlap(const ph_molecules *s)
{
    (void)s;
    return 0.15;
}

static const ph_pair_law LAW = {
    .name = "water",
    .components = OF_PLANAR,
    .check = check,
    .overlap = overlap,
    .energy = energy,
    .set = set,
    .place = ph_molecules_place,
    .atoms = atoms,
    .wrong = "model must be 0, 1 or 2, density positive and finite",
    .prepare = prepare_law,
    .kernels = KERNEL_TABLE(pairs_water),
    MOLECULAR_UNITS,
};

static const ph_parameter PARAMETERS[] = {
    {"molecules", LATTICE, 1, "1", "number of molecules", PH_RANGE_WHOLE},
    {"model", CONSTANTS + MODEL, 1, "spce|tip3p|tip4p", "model of the molecule",
     PH_RANGE_NOT_NEGATIVE},
    LIQUID_PARAMETERS(CONSTANTS + DENSITY),
};

const ph_molecules_problem ph_molecules_problem_water = {
    .name = "water",
    .title = "Rigid water in a periodic box: nm, ps, u, kJ/mol, kelvin",
    .cite = "BGS, JCMIK",
    .equations = "Sites of two molecules act by charges, with a reaction field, and oxygens by\n"
                 "Lennard-Jones; a pair of molecules fades before the cut-off of its centres.",
    .parameters = PARAMETERS,
    .parameter_count = sizeof PARAMETERS / sizeof PARAMETERS[0],
    .value = {[LATTICE] = 216, [NOISE] = 0.02, [SEED] = 1, [CONSTANTS + DENSITY] = 997},
    .law = &LAW,
};

#endif
