/* water.c - rigid water: molecules of three or four sites in a periodic box.
 *
 * BGS   Berendsen, Grigera, Straatsma, The missing term in effective pair potentials, J. Phys.
 *       Chem. 91, 1987: SPC/E.
 * JCMIK Jorgensen, Chandrasekhar, Madura, Impey, Klein, Comparison of simple potential functions
 *       for simulating liquid water, J. Chem. Phys. 79, 1983: TIP3P and TIP4P.
 * TSSB  Tironi, Sperb, Smith, van Gunsteren, A generalized reaction field method for molecular
 *       dynamics simulations, J. Chem. Phys. 102, 1995.
 *
 * Lengths are in nm, times in ps, masses in u, energies in kJ/mol, temperatures in kelvin. Between
 * sites of two molecules, r apart between nearest images and nearer than the cut-off c, charges act
 * with a reaction field, and oxygens as Lennard and Jones, less what ends at c with its slope:
 *
 *   TSSB (12)  q_i q_j/(4 pi e0) (1/r + k r^2 - 1/c - k c^2),   k c^3 = (e - 1)/(2 e + 1)
 *   L(r) - L(c) - (r - c) L'(c),   L(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6)
 *
 * With a conductor beyond the cut-off (e infinite, dielectric = 0) no force jumps there. The axes of
 * a molecule are z along its symmetry, x from hydrogen to hydrogen, the centre of mass its origin.
 * The start is a cubic lattice, each molecule opposite to its neighbours, with noise.
 */
#include "molecules/laws.h"

#include <math.h>

#include "base/counter_random.h"
#include "base/parallel.h"
#include "molecules/system.h"
#include "rotation/vec.h"

/* The law's constants. */
enum { MODEL, DENSITY };

/* A water molecule: distance O-H, angle H-O-H, distance of the negative charge from O, charge of
 * H, and of O Lennard-Jones. */
typedef struct water_model {
    double bond, angle, shift, charge, sigma, epsilon;
} water_model;

static const water_model MODELS[] = {
    {0.1, 109.47, 0.0, 0.4238, 0.3166, 0.650},         /* BGS table I */
    {0.09572, 104.52, 0.0, 0.417, 0.315061, 0.636386}, /* JCMIK table I */
    {0.09572, 104.52, 0.015, 0.52, 0.315365, 0.6485},  /* JCMIK table I */
};
enum { MODEL_COUNT = sizeof MODELS / sizeof MODELS[0] };

static const double OXYGEN = 15.9994, HYDROGEN = 1.008,
                    COULOMB = 138.93545764, /* kJ nm/mol */
    UNIT_OF_MASS = 1.6605390666;            /* kg nm^3/m^3 */

/* Sites in the body: oxygen, two hydrogens, and the negative charge, which may be the oxygen. */
enum { SITES = 4 };
typedef struct water_shape {
    ph_vec3 site[SITES], J;
    double charge[SITES];
} water_shape;

static water_shape shape_of(const double *constant)
{
    const water_model *m = &MODELS[(size_t)constant[MODEL]];
    const double half = m->angle * PH_PI / 360.0, mass = OXYGEN + 2.0 * HYDROGEN,
                 x = m->bond * ph_sin(half), along = m->bond * ph_cos(half),
                 minus = -2.0 * m->charge, O = -2.0 * HYDROGEN / mass * along,
                 H = O + along, Jx = OXYGEN * O * O + 2.0 * HYDROGEN * H * H,
                 Jz = 2.0 * HYDROGEN * x * x;
    return (water_shape){
        .site = {vec3(0, 0, O), vec3(x, 0, H), vec3(-x, 0, H), vec3(0, 0, O + m->shift)},
        .J = vec3(Jx, Jx + Jz, Jz),
        .charge = {m->shift == 0.0 ? minus : 0.0, m->charge, m->charge,
                   m->shift == 0.0 ? 0.0 : minus}};
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
    const water_shape shape = shape_of(s->constant);
    const double mass = OXYGEN + 2.0 * HYDROGEN, most = 0.9,
                 volume = (double)s->n * mass * UNIT_OF_MASS / s->constant[DENSITY],
                 edge = ph_pow(volume, 1.0 / 3.0);
    s->box = vec3(edge, edge, edge);
    if (!(s->cutoff > 0.0))
        s->cutoff = 0.5 * edge < most ? 0.5 * edge : most;
    for (size_t i = 0; i < s->n; i++) {
        s->mass[i] = mass;
        set_vec3(s->J, i, shape.J);
        set_vec3(s->dipole, i, vec3(0, 0, 0));
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
            normal_pair_of((const uint64_t[]){(uint64_t)seed, 2},
                           (const uint64_t[]){i, k}, xi + 2 * k);
        for (int k = 0; k < 3; k++)
            s->x[k][i] = spacing * ((double)at[k] + noise * xi[k]);
        const ph_quat turned = ph_exp(scale(noise, vec3(xi[3], xi[4], xi[5]))),
                      over = {0, 1, 0, 0};
        set_quat(s->q, i, (at[0] + at[1] + at[2]) % 2 ? mul(turned, over) : turned);
    }
}

/* ---- forces --------------------------------------------------------------------------- */

/* Sites of all molecules in space, and the forces on them by the molecules after each and, in
 * `torque`, their moments in space; a pass takes the pairs of one molecule with all others, so that
 * no two passes write to the same place. */
typedef struct site_sums {
    ph_molecules *s;
    water_shape shape;
    double box, per_box, cutoff2, k, shift, sigma2, epsilon4, end, slope;
    double *const *site[SITES]; /* where they are from the centres, in space */
    double *const *folded;      /* the centres, in the box */
    double *energies;
} site_sums;

/* What a site pair adds: the force over r, and the energy. */
static inline double pair_at(const site_sums *t, double r2, double charges, bool oxygens,
                             double *over_r)
{
    const double per_r = 1.0 / sqrt(r2), per_r2 = per_r * per_r;
    double V = charges * (per_r + t->k * r2 - t->shift);
    *over_r = charges * (per_r * per_r2 - 2.0 * t->k);
    if (oxygens) {
        const double s2 = t->sigma2 * per_r2, s6 = s2 * s2 * s2, c = sqrt(t->cutoff2);
        V += t->epsilon4 * s6 * (s6 - 1.0) - t->end - (r2 * per_r - c) * t->slope;
        *over_r += t->epsilon4 * s6 * (12.0 * s6 - 6.0) * per_r2 + t->slope * per_r;
    }
    return V;
}

/* The nearest image of a difference of places in the box. */
static inline double nearest_image(const site_sums *t, double d)
{
    return d > 0.5 * t->box ? d - t->box : d < -0.5 * t->box ? d + t->box : d;
}

/* All pairs of molecule i; half of the energy of each is its own. */
static void one_molecule(void *context, size_t i)
{
    const site_sums *t = context;
    const ph_molecules *s = t->s;
    const double far = 0.25, reach = sqrt(t->cutoff2) + far, reach2 = reach * reach;
    const ph_quat q = quat_at(s->q, i);
    const ph_vec3 here = vec3_at(t->folded, i);
    ph_vec3 F[SITES] = {{0}};
    double V = 0.0;
    for (size_t j = 0; j < s->n; j++) {
        const ph_vec3 d = sub(here, vec3_at(t->folded, j)),
                      between = vec3(nearest_image(t, d.x), nearest_image(t, d.y),
                                     nearest_image(t, d.z));
        if (j == i || dot(between, between) > reach2)
            continue;
        const bool wraps = norm_max(between) > 0.5 * t->box - far;
        for (int n = 0; n < SITES * SITES; n++) {
            const int a = n / SITES, c = n % SITES;
            const double charges = COULOMB * t->shape.charge[a] * t->shape.charge[c];
            if (charges == 0.0 && n > 0)
                continue;
            ph_vec3 r = add(between, sub(vec3_at(t->site[a], i), vec3_at(t->site[c], j)));
            if (wraps)
                r = vec3(nearest_image(t, r.x), nearest_image(t, r.y),
                         nearest_image(t, r.z));
            const double r2 = dot(r, r);
            double over_r;
            if (r2 >= t->cutoff2)
                continue;
            V += 0.5 * pair_at(t, r2, charges, n == 0, &over_r);
            F[a] = add(F[a], scale(over_r, r));
        }
    }
    ph_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
    for (int a = 0; a < SITES; a++) {
        force = add(force, F[a]);
        moment = add(moment, cross(vec3_at(t->site[a], i), F[a]));
    }
    set_vec3(s->force, i, force);
    set_vec3(s->torque, i, rotate(inverse(q), moment));
    t->energies[i] = V;
}

static void forces(ph_molecules *s)
{
    enum { WORTH_THREADS = 64 };
    molecules_work *w = work_of(s);
    const water_model *m = &MODELS[(size_t)s->constant[MODEL]];
    const double c = s->cutoff, s2 = m->sigma * m->sigma / (c * c), s6 = s2 * s2 * s2,
                 e = s->dielectric,
                 k = (e == 0.0 ? 0.5 : (e - 1.0) / (2.0 * e + 1.0)) / (c * c * c);
    site_sums t = {.s = s,
                   .shape = shape_of(s->constant),
                   .box = s->box.x,
                   .per_box = 1.0 / s->box.x,
                   .cutoff2 = c * c,
                   .k = k,
                   .shift = 1.0 / c + k * c * c,
                   .sigma2 = m->sigma * m->sigma,
                   .epsilon4 = 4.0 * m->epsilon,
                   .end = 4.0 * m->epsilon * s6 * (s6 - 1.0),
                   .slope = -4.0 * m->epsilon * s6 * (12.0 * s6 - 6.0) / c,
                   .site = {w->sorted.x, w->sorted.mu, w->sorted.F, w->sorted.E},
                   .folded = w->bodies.mu,
                   .energies = w->energies};
    for (size_t i = 0; i < s->n; i++) {
        for (int a = 0; a < SITES; a++)
            set_vec3(t.site[a], i, rotate(quat_at(s->q, i), t.shape.site[a]));
        for (int n = 0; n < 3; n++)
            w->bodies.mu[n][i] = s->x[n][i] - t.box * floor(s->x[n][i] * t.per_box);
    }
    ph_parallel_for(s->n, s->n > WORTH_THREADS, one_molecule, &t);
    s->potential = 0.0;
    for (size_t i = 0; i < s->n; i++)
        s->potential += w->energies[i];
}

static const ph_pair_law LAW = {
    .name = "water",
    .check = check,
    .energy = energy,
    .set = set,
    .place = place,
    .forces = forces,
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
    {"cutoff", CUTOFF, 1, "nm", "cut-off distance; 0: 0.9, or half the box",
     PH_RANGE_NOT_NEGATIVE},
    {"dielectric", DIELECTRIC, 1, "1", "constant beyond the cut-off; 0: a conductor",
     PH_RANGE_NOT_NEGATIVE},
};

const ph_molecules_problem ph_molecules_problem_water = {
    .name = "water",
    .title = "Rigid water in a periodic box: nm, ps, u, kJ/mol, kelvin",
    .cite = "BGS, JCMIK",
    .equations =
        "Sites of two molecules act by charges, with a reaction field, and oxygens by\n"
        "Lennard-Jones less its end at the cut-off.",
    .parameters = PARAMETERS,
    .parameter_count = sizeof PARAMETERS / sizeof PARAMETERS[0],
    .value = {[LATTICE] = 216, [NOISE] = 0.02, [SEED] = 1, [CONSTANTS + DENSITY] = 997},
    .law = &LAW,
};
