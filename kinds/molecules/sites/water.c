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

#include "kinds/molecules/pair_lanes.h"
#include "rotation/algebra.h"

/* Those of a tile that are near to one molecule, side by side: how far from them it is, their
 * axes, and what they get. */
typedef struct near_by {
    _Alignas(CACHE_LINE) double d[3][TILE];
    double mu[OF_PLANAR][TILE], F[3][TILE], E[OF_PLANAR][TILE], r2[TILE];
    size_t from[TILE], n;
} near_by;

/* Finds them among the tile bodies from `start` on; up to whole columns, some that do nothing. */
static inline void find(const pair_numbers *law, vdouble3 x, pair_tile *tile, size_t start,
                        near_by *out)
{
    const double far_away = 0x1p40;
    for (size_t j = start / COLUMNS * COLUMNS; j < tile->n; j += LANES) {
        const vdouble3 d = apart(law, law->kind, x, tile, j);
        store3(out->d, j, d);
        vstore(&out->r2[j], dot(d, d));
    }
    size_t n = 0;
    for (size_t j = start; j < tile->n; j++) {
        out->from[n] = j;
        n += out->r2[j] < law->cutoff2;
    }
    for (size_t m = 0; m < n; m++) {
        const size_t j = out->from[m];
        for (int k = 0; k < 3; k++)
            out->d[k][m] = out->d[k][j];
        for (int k = 0; k < OF_PLANAR; k++)
            out->mu[k][m] = tile->mu[k][j];
    }
    for (size_t m = n; m % COLUMNS != 0; m++) {
        for (int k = 0; k < 3; k++) {
            out->d[k][m] = far_away;
            out->mu[k][m] = out->mu[3 + k][m] = 0.0;
        }
    }
    out->n = n;
}

/* A molecule's sites from its centre, those with charges first; or the forces on them. */
enum { PLUS, PLUS_TOO, MINUS, OXYGENS, SITES };
typedef struct sites {
    vdouble3 at[SITES];
} sites;

static inline sites sites_of(const double *c, vdouble3 z, vdouble3 x)
{
    const vdouble3 H = scale(vsplat(c[HYDROGEN_Z]), z);
    const vdouble across = vsplat(c[HYDROGEN_X]);
    return (sites){{added(across, x, H), taken(across, x, H), scale(vsplat(c[CHARGE_Z]), z),
                    scale(vsplat(c[OXYGEN_Z]), z)}};
}

/* Force and fields of a molecule by the forces on its sites. */
typedef struct pulls {
    vdouble3 F, E, G;
} pulls;

static inline pulls pulls_of(const double *c, const sites *on)
{
    const vdouble3 *f = on->at, H = add(f[PLUS], f[PLUS_TOO]), ends = add(f[MINUS], f[OXYGENS]),
                   along =
                       added(vsplat(c[CHARGE_Z]), f[MINUS], scale(vsplat(c[OXYGEN_Z]), f[OXYGENS]));
    return (pulls){.F = add(H, ends),
                   .E = added(vsplat(c[HYDROGEN_Z]), H, along),
                   .G = scale(vsplat(c[HYDROGEN_X]), sub(f[PLUS], f[PLUS_TOO]))};
}

/* Two sites r apart: the energy, and f with the force f r, by charges and by Lennard-Jones. */
static inline vdouble charged(const double *c, double product, vdouble r2, vdouble *V)
{
    const double q = product * c[CHARGES], k = q * c[REACTION];
    const vdouble u = 1.0 / vsqrt(r2), qu = q * u;
    *V += qu + k * r2;
    return qu * (u * u) - 2.0 * k;
}

static inline vdouble lennard_jones(const double *c, vdouble r2, vdouble *V)
{
    const vdouble u2 = 1.0 / r2, s6 = c[SIGMA6] * (u2 * u2 * u2), e = c[EPSILON4] * s6;
    *V += e * (s6 - 1.0);
    return (e * (12.0 * s6 - 6.0)) * u2;
}

/* One molecule, and the sums that belong to it. */
typedef struct center {
    sites sites;
    pulls sum;
    vdouble V;
} center;

static inline void act(const double *c, center *i, near_by *r, size_t j)
{
    static const double charge[SITES] = {1.0, 1.0, -2.0, 0.0};
    const vdouble3 d = load3(r->d, j), none = {0};
    const sites other = sites_of(c, load3(r->mu, j), load3(r->mu + 3, j));
    sites on = {{none, none, none, none}}, back = on;
    vdouble V = vsplat(0.0), fade;
#pragma GCC unroll 16
    for (int n = 0; n < SITES * SITES; n++) {
        const int a = n / SITES, b = n % SITES;
        if ((a == OXYGENS) != (b == OXYGENS))
            continue;
        const vdouble3 s = sub(add(d, i->sites.at[a]), other.at[b]);
        const vdouble r2 = dot(s, s), f = a == OXYGENS ? lennard_jones(c, r2, &V)
                                                       : charged(c, charge[a] * charge[b], r2, &V);
        on.at[a] = added(f, s, on.at[a]);
        back.at[b] = taken(f, s, back.at[b]);
    }
    const vdouble S = fading(c[TAPER2], c[PER_TAPER], dot(d, d), &fade);
    const pulls here = pulls_of(c, &on), there = pulls_of(c, &back);
    const vdouble3 F = added(fade * V, d, scale(S, here.F));
    i->V += S * V;
    i->sum.F = add(i->sum.F, F);
    i->sum.E = added(S, here.E, i->sum.E);
    i->sum.G = added(S, here.G, i->sum.G);
    store3(r->F, j, F);
    store3(r->E, j, scale(S, there.E));
    store3(r->E + 3, j, scale(S, there.G));
}

/* The columns of what one molecule gets. */
typedef struct row_sums {
    double F[3][COLUMNS], E[OF_PLANAR][COLUMNS];
} row_sums;

double KERNEL(pairs_water)(const pair_numbers *law, const pair_bodies *b, size_t first, size_t end,
                           pair_tile *tile, bool triangle)
{
    near_by r;
    row_sums sums;
    double energy[COLUMNS] = {0};
    for (size_t i = first; i < end; i++) {
        find(law, splat3(b->x, i), tile, triangle ? i - first + 1 : 0, &r);
        for (size_t set = 0; set < SETS; set++) {
            center one = {.sites = sites_of(law->c, splat3(b->mu, i), splat3(b->mu + 3, i))};
            for (size_t j = set * LANES; j < r.n; j += COLUMNS)
                act(law->c, &one, &r, j);
            put_columns(sums.F, set, one.sum.F);
            put_columns(sums.E, set, one.sum.E);
            put_columns(sums.E + 3, set, one.sum.G);
            vstore(&energy[set * LANES], vload(&energy[set * LANES]) + one.V);
        }
        add_columns(b->F, i, sums.F);
        add_columns(b->E, i, sums.E);
        add_columns(b->E + 3, i, sums.E + 3);
        for (size_t m = 0; m < r.n; m++) {
            const size_t j = r.from[m];
            for (int k = 0; k < 3; k++)
                tile->F[k][j] -= r.F[k][m];
            for (int k = 0; k < OF_PLANAR; k++)
                tile->E[k][j] += r.E[k][m];
        }
    }
    return sum_of_columns(energy);
}

#else

#include <math.h>

#include "base/counter_random.h"
#include "kinds/molecules/system.h"
#include "rotation/vec.h"

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

static const double OXYGEN = 15.9994, HYDROGEN = 1.008, COULOMB = 138.93545764, /* kJ nm/mol */
    UNIT_OF_MASS = 1.6605390666;                                                /* kg nm^3/m^3 */

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

static ph_status check(const double *constant)
{
    const double model = constant[MODEL];
    return model >= 0.0 && model < MODEL_COUNT && model == floor(model) &&
                   constant[DENSITY] > 0.0 && isfinite(constant[DENSITY])
               ? PH_OK
               : PH_BAD_LAW;
}

static double energy(const double *constant)
{
    (void)constant;
    return 50.0; /* about that of a molecule in the liquid */
}

static void set(ph_molecules *s)
{
    if (check(s->constant) != PH_OK)
        return;
    const water_model *m = &MODELS[(size_t)s->constant[MODEL]];
    const water_shape shape = shape_of(m);
    const double mass = OXYGEN + 2.0 * HYDROGEN, most = 0.9,
                 volume = (double)s->n * mass * UNIT_OF_MASS / s->constant[DENSITY],
                 edge = ph_pow(volume, 1.0 / 3.0);
    s->box = vec3(edge, edge, edge);
    if (!(s->cutoff > 0.0))
        s->cutoff = 0.5 * edge < most ? 0.5 * edge : most;
    for (size_t i = 0; i < s->n; i++) {
        s->mass[i] = mass;
        set_vec3(s->J, i, shape.J);
        set_vec3(s->dipole, i, vec3(0, 0, 2.0 * m->charge * (shape.H - shape.minus)));
    }
}

static void place(ph_molecules *s, double noise, double seed)
{
    size_t side = 1;
    while (side * side * side < s->n)
        side++;
    const double spacing = s->box.x / (double)side;
    for (size_t i = 0; i < s->n; i++) {
        const size_t at[3] = {i % side, i / side % side, i / side / side};
        double xi[6];
        for (uint64_t k = 0; k < 3; k++)
            normal_pair_of((const uint64_t[]){(uint64_t)seed, 2}, (const uint64_t[]){i, k},
                           xi + 2 * k);
        for (int k = 0; k < 3; k++)
            s->x[k][i] = spacing * ((double)at[k] + noise * xi[k]);
        const ph_quat turned = ph_rotation_exp(scale(noise, vec3(xi[3], xi[4], xi[5]))),
                      over = {0, 1, 0, 0};
        set_quat(s->q, i, (at[0] + at[1] + at[2]) % 2 ? mul(turned, over) : turned);
    }
}

static void prepare(pair_numbers *law, const double *constant, double dielectric)
{
    const water_model *m = &MODELS[(size_t)constant[MODEL]];
    const water_shape shape = shape_of(m);
    const double rc = law->cutoff, sigma3 = m->sigma * m->sigma * m->sigma, taper = 0.9,
                 e = dielectric;
    double *c = law->c;
    c[HYDROGEN_X] = shape.x;
    c[HYDROGEN_Z] = shape.H;
    c[CHARGE_Z] = shape.minus;
    c[OXYGEN_Z] = shape.O;
    c[CHARGES] = COULOMB * m->charge * m->charge;
    c[REACTION] = (e == 0.0 ? 0.5 : (e - 1.0) / (2.0 * e + 1.0)) / (rc * rc * rc);
    c[SIGMA6] = sigma3 * sigma3;
    c[EPSILON4] = 4.0 * m->epsilon;
    c[TAPER2] = taper * taper * law->cutoff2;
    c[PER_TAPER] = 1.0 / (law->cutoff2 - c[TAPER2]);
}

/* Far below the nearest neighbours in the liquid, 0.24 nm apart. */
static double overlap(const double *constant)
{
    (void)constant;
    return 0.15;
}

static const ph_pair_law LAW = {
    .name = "water",
    .check = check,
    .overlap = overlap,
    .energy = energy,
    .set = set,
    .place = place,
    .wrong = "model must be 0, 1 or 2, density positive and finite",
    .prepare = prepare,
    .kernels = KERNEL_TABLE(pairs_water),
    .boltzmann = 0.00831446261815324,
    .time_unit = 1e-12,
};

static const ph_parameter PARAMETERS[] = {
    {"molecules", LATTICE, 1, "1", "number of molecules", PH_RANGE_WHOLE},
    {"model", CONSTANTS + MODEL, 1, "spce|tip3p|tip4p", "model of the molecule",
     PH_RANGE_NOT_NEGATIVE},
    {"density", CONSTANTS + DENSITY, 1, "kg/m^3", "density, which makes the box",
     PH_RANGE_POSITIVE},
    {"noise", NOISE, 1, "1", "standard deviation of positions over their distance",
     PH_RANGE_NOT_NEGATIVE},
    {"seed", SEED, 1, "1", "seed of the noise", PH_RANGE_NOT_NEGATIVE},
    {"cutoff", CUTOFF, 1, "nm", "cut-off distance; 0: 0.9, or half the box", PH_RANGE_NOT_NEGATIVE},
    {"dielectric", DIELECTRIC, 1, "1", "constant beyond the cut-off; 0: a conductor",
     PH_RANGE_NOT_NEGATIVE},
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
