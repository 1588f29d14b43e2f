/* molecules.c - systems of molecules: problems by name, made from numbers or from a problem,
 * checked, observed, and moved; molecules/molecules.h has the formulas of the lattice. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/arguments.h"
#include "base/extremes.h"
#include "base/named.h"
#include "base/random.h"
#include "integrators/integrator.h"
#include "integrators/thermostat.h"
#include "kinds/molecules/laws.h"
#include "kinds/molecules/system.h"
#include "motion/batch/part.h"
#include "motion/state.h"
#include "motion/vec.h"
#include "system/system_list.h"

#include "catalog_molecules_problem.h"

/* ---- problems ------------------------------------------------------------------------ */

LISTED(molecules_problem, molecules_problem_rows)

const ph_parameter *ph_molecules_problem_parameter(const ph_molecules_problem *p, const char *name)
{
    return ROW_NAMED(p->parameters, p->parameter_count, name);
}

void ph_molecules_set_problem(ph_molecules *s, const ph_molecules_problem *p)
{
    const double *x = p->value, *box = x + BOX;
    s->law = p->law;
    memcpy(s->constant, x + CONSTANTS, sizeof s->constant);
    memcpy(s->site, p->site, sizeof s->site);
    s->sites = p->sites;
    s->box = vec3(box[0], box[1], box[2]);
    if (x[CUTOFF] == 0.0)
        s->cutoff = 0.5 * smaller_or_nan(box[0], smaller_or_nan(box[1], box[2]));
    else
        s->cutoff = x[CUTOFF];
    s->dielectric = x[DIELECTRIC];
    for (size_t i = 0; i < s->n; i++) {
        s->mass[i] = x[MASS];
        for (int k = 0; k < 3; k++)
            s->dipole[k][i] = x[DIPOLE + k];
    }
    if (s->law->set != NULL)
        s->law->set(s);
}

/* ---- memory -------------------------------------------------------------------------- */

static void take_doubles(arena *a, double *array[], int arrays, size_t n)
{
    for (int k = 0; k < arrays; k++)
        array[k] = arena_take(a, n, sizeof(double));
}

static void lay_out(arena *a, void *owner)
{
    ph_molecules *s = owner;
    molecules_work *w = work_of(s);
    const size_t n = s->n;
    take_doubles(a, s->x, 3, n);
    take_doubles(a, s->p, 3, n);
    take_doubles(a, s->q, 4, n);
    take_doubles(a, s->m, 3, n);
    take_doubles(a, &s->mass, 1, n);
    take_doubles(a, s->J, 3, n);
    take_doubles(a, s->dipole, 3, n);
    take_doubles(a, s->force, 3, n);
    take_doubles(a, s->torque, 3, n);
    take_doubles(a, w->before, STATE_ARRAYS, n);
    take_doubles(a, w->kept, KEPT_ARRAYS, n);
    take_doubles(a, w->bodies.mu, OF_SOLID, n);
    take_doubles(a, w->bodies.E, OF_SOLID, n);
    take_doubles(a, w->sorted.x, 3, n);
    take_doubles(a, w->sorted.mu, OF_SOLID, n);
    take_doubles(a, w->sorted.F, 3, n);
    take_doubles(a, w->sorted.E, OF_SOLID, n);
    w->sums = arena_take(a, cells_most(n), sizeof *w->sums);
    w->grid.first = arena_take(a, cells_most(n) + 1, sizeof(size_t));
    w->grid.order = arena_take(a, n, sizeof(size_t));
    w->grid.home = arena_take(a, n, sizeof(size_t));
    for (int k = 0; k < 3; k++) {
        w->bodies.x[k] = s->x[k];
        w->bodies.F[k] = s->force[k];
    }
}

/* Bodies whose arrays could not be counted in bytes. */
static const size_t MOST = SIZE_MAX / 1024;

static void fill(ph_molecules *s)
{
    for (size_t i = 0; i < s->n; i++) {
        s->q[0][i] = 1.0;
        s->J[0][i] = 1.0;
        s->J[1][i] = 1.88;
        s->J[2][i] = 2.88;
    }
    ph_molecules_set_problem(s, &ph_molecules_problem_dipolar_spheres);
}

ph_molecules *ph_molecules_create(size_t n)
{
    if (n == 0 || n > MOST)
        return NULL;
    molecules_work *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->molecules.n = n;
    w->memory = arena_block(lay_out, &w->molecules);
    if (w->memory == NULL) {
        free(w);
        return NULL;
    }
    fill(&w->molecules);
    return &w->molecules;
}

void ph_molecules_destroy(ph_molecules *s)
{
    if (s == NULL)
        return;
    free(work_of(s)->memory);
    free(work_of(s));
}

/* ---- a noisy cubic lattice with random attitudes ------------------------------------- */

static double normal(uint64_t *seed)
{
    const double u1 = uniform(seed), u2 = uniform(seed);
    return sqrt(-2.0 * ph_real_log(u1)) * ph_cos(2.0 * PH_PI * u2);
}

ph_molecules *ph_molecules_lattice(size_t side, double spacing, double noise, uint64_t seed)
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
        set_quat(s->q, i, ph_quat_unit(q));
    }
    return s;
}

static bool whole(double x, double least, double most)
{
    return x >= least && x <= most && x == floor(x);
}

ph_status ph_molecules_from_problem(const ph_molecules_problem *p, ph_molecules **out)
{
    if (ANY_NULL(out, p))
        return PH_NULL_ARGUMENT;
    const double *x = p->value, most_side = PH_LATTICE_MOST, most_seed = 0x1p53 - 1.0;
    if (!whole(x[LATTICE], 1.0, p->law->place ? 0x1p24 : most_side) ||
        !whole(x[SEED], 0.0, most_seed) || !(x[SPACING] > 0.0 || p->law->place) ||
        !(x[NOISE] >= 0.0))
        return PH_BAD_PARAMETER;
    ph_molecules *s;
    if (p->law->place)
        s = ph_molecules_create((size_t)x[LATTICE]);
    else
        s = ph_molecules_lattice((size_t)x[LATTICE], x[SPACING], x[NOISE], (uint64_t)x[SEED]);
    if (s == NULL)
        return PH_NO_MEMORY;
    ph_molecules_set_problem(s, p);
    if (p->law->place != NULL)
        p->law->place(s, x[NOISE], x[SEED]);
    *out = s;
    return PH_OK;
}

/* ---- checks ------------------------------------------------------------------------- */

static bool positive(double x)
{
    return x > 0.0 && isfinite(x);
}

static ph_status check_box(const ph_molecules *s)
{
    if (!in_a_box(s))
        return PH_OK;
    const double edge = smaller_or_nan(s->box.x, smaller_or_nan(s->box.y, s->box.z));
    const bool edges = positive(s->box.x) && positive(s->box.y) && positive(s->box.z);
    const bool outside = s->dielectric == 0.0 || (s->dielectric >= 1.0 && isfinite(s->dielectric));
    if (edges && positive(s->cutoff) && s->cutoff <= 0.5 * edge && outside)
        return PH_OK;
    return PH_BAD_BOX;
}

static ph_status check_body(const ph_molecules *s, size_t i)
{
    const ph_body body = {.J = vec3_at(s->J, i), .principal = true};
    const ph_state state = {quat_at(s->q, i), vec3_at(s->m, i)};
    const ph_status status = ph_check(&body, &state);
    if (status != PH_OK)
        return status;
    if (!positive(s->mass[i]))
        return PH_BAD_INERTIA;
    if (finite3(vec3_at(s->x, i)) && finite3(vec3_at(s->p, i)) && finite3(vec3_at(s->dipole, i)))
        return PH_OK;
    return PH_BAD_STATE;
}

static ph_status check(const ph_molecules *s)
{
    ph_status status = s->law->check(s);
    if (status == PH_OK)
        status = check_box(s);
    for (size_t i = 0; i < s->n && status == PH_OK; i++)
        status = check_body(s, i);
    return status;
}

/* Brings attitudes to unit length; those that have it stay as they are, so that what is
 * prepared twice is what is prepared once. */
static void normalise(const ph_molecules *s)
{
    const double unit = 8.0 * DBL_EPSILON;
    for (size_t i = 0; i < s->n; i++) {
        const ph_quat q = quat_at(s->q, i);
        if (fabs(unit_defect(q)) > unit)
            set_quat(s->q, i, ph_quat_unit(q));
    }
}

/* The numbers of the law. */
static pair_numbers numbers_of(const ph_molecules *s)
{
    pair_numbers law = {.kind = PAIRS_OPEN};
    if (in_a_box(s)) {
        const double box[3] = {s->box.x, s->box.y, s->box.z};
        law.kind = PAIRS_CUT;
        for (int k = 0; k < 3; k++) {
            law.box[k] = box[k];
            law.per_box[k] = 1.0 / box[k];
            if (floor(box[k] / s->cutoff) < 3.0) /* too few cells to tell neighbours */
                law.kind = PAIRS_IMAGES;
        }
        law.cutoff = s->cutoff;
        law.cutoff2 = s->cutoff * s->cutoff;
    }
    s->law->prepare(&law, s);
    return law;
}

ph_status ph_molecules_prepare(ph_molecules *s, ph_molecules_pair *overlap)
{
    if (s == NULL)
        return PH_NULL_ARGUMENT;
    molecules_work *w = work_of(s);
    w->prepared = w->fresh = false;
    const ph_status status = check(s);
    if (status != PH_OK)
        return status;
    normalise(s);
    w->law = numbers_of(s);
    w->kernel = s->law->kernels[ph_isa()];
    w->bodies.components = w->sorted.components = s->law->components;
    ph_molecules_pair nearest;
    if (s->law->overlap != NULL && ph_molecules_nearest(s, s->law->overlap(s), &nearest)) {
        if (overlap != NULL)
            *overlap = nearest;
        return PH_OVERLAP;
    }
    w->prepared = true;
    const ph_molecules_energy e = ph_molecules_energies(s);
    if (!isfinite(e.total)) {
        w->prepared = false;
        return PH_BAD_STATE;
    }
    w->energy = e.total;
    w->tolerance = PH_MOLECULES_EXPLOSION * (e.translation + e.rotation + fabs(e.potential) +
                                             (double)s->n * s->law->energy(s));
    return PH_OK;
}

/* ---- energies, temperature and momenta ----------------------------------------------- */

static double translation(const ph_molecules *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const ph_vec3 p = vec3_at(s->p, i);
        sum += dot(p, p) / s->mass[i];
    }
    return 0.5 * sum;
}

static double rotation(const ph_molecules *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const ph_vec3 m = vec3_at(s->m, i);
        sum += dot(m, over(m, vec3_at(s->J, i)));
    }
    return 0.5 * sum;
}

double ph_molecules_kinetic(const ph_molecules *s)
{
    return translation(s) + rotation(s);
}

ph_molecules_energy ph_molecules_energies(ph_molecules *s)
{
    if (!work_of(s)->prepared)
        s->potential = NAN;
    else if (!work_of(s)->fresh)
        ph_molecules_forces(s);
    ph_molecules_energy e = {translation(s), rotation(s), s->potential, 0.0};
    e.total = e.translation + e.rotation + e.potential;
    return e;
}

double ph_molecules_temperature(const ph_molecules *s)
{
    double mass = 0.0;
    for (size_t i = 0; i < s->n; i++)
        mass += s->mass[i];
    const ph_vec3 P = ph_molecules_momentum(s);
    const double kinetic = ph_molecules_kinetic(s) - 0.5 * dot(P, P) / mass;
    const double k = s->law->boltzmann == 0.0 ? 1.0 : s->law->boltzmann;
    return 2.0 * kinetic / (6.0 * (double)s->n - 3.0) / k;
}

double ph_molecules_pressure(ph_molecules *s)
{
    const ph_molecules_energy e = ph_molecules_energies(s);
    return s->law->bar * (2.0 * e.translation + work_of(s)->virial) /
           (3.0 * s->box.x * s->box.y * s->box.z);
}

ph_vec3 ph_molecules_momentum(const ph_molecules *s)
{
    ph_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < s->n; i++)
        sum = add(sum, vec3_at(s->p, i));
    return sum;
}

ph_vec3 ph_molecules_angular_momentum(const ph_molecules *s)
{
    ph_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < s->n; i++) {
        const ph_vec3 spin = rotate(quat_at(s->q, i), vec3_at(s->m, i));
        sum = add(sum, add(cross(vec3_at(s->x, i), vec3_at(s->p, i)), spin));
    }
    return sum;
}

/* ---- steps: a scheme over free flight and forces -------------------------------------- */

/* CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.4.
 *
 *   CFSZ (47)  drift:  x += h p/mass,   q and m by the free motion over h
 *   CFSZ (48)  kick:   p += h force,    m += h torque
 *
 * A kick with a force gradient needs, with v = force/mass and g = J^-1 torque, the derivatives
 *
 *   D = d/de force(x + e v, q exp(e g)),   E = d/de torque(x + e v, q exp(e g)) - torque x g
 *
 * of the forces on all bodies when all of them move, and adds 2 h3 D and 2 h3 E (integrators/kick.h).
 * It takes them as a difference with one evaluation more, where bodies move by a small part of the
 * way that they are accelerated in a step. */
typedef struct moving {
    ph_molecules *s;
    const ph_integrator *i;
    double h; /* of the step */
} moving;

static ph_status turn(const ph_molecules *s, const ph_integrator *i, double h)
{
    const ph_batch bodies = {s->n,
                             {s->q[0], s->q[1], s->q[2], s->q[3]},
                             {s->m[0], s->m[1], s->m[2]},
                             {s->J[0], s->J[1], s->J[2]}};
    return ph_batch_drift(i, &bodies, h, NULL);
}

static ph_status drift(void *system, double h)
{
    const moving *m = system;
    ph_molecules *s = m->s;
    work_of(s)->fresh = false;
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < s->n; i++)
            s->x[k][i] += h * (s->p[k][i] / s->mass[i]);
    }
    return turn(s, m->i, h);
}

/* Exchanges what a kick keeps with the arrays of the bodies. */
static void exchange(const ph_molecules *s)
{
    double *const now[KEPT_ARRAYS] = {
        s->x[0],     s->x[1],     s->x[2],     s->q[0],      s->q[1],      s->q[2],     s->q[3],
        s->force[0], s->force[1], s->force[2], s->torque[0], s->torque[1], s->torque[2]};
    for (int k = 0; k < KEPT_ARRAYS; k++) {
        double *kept = work_of(s)->kept[k];
        for (size_t i = 0; i < s->n; i++) {
            const double x = now[k][i];
            now[k][i] = kept[i];
            kept[i] = x;
        }
    }
}

/* Moves the bodies by their accelerations times e, from the places that are kept to the others. */
static void displace(const ph_molecules *s, double e)
{
    for (size_t i = 0; i < s->n; i++) {
        const ph_vec3 v = scale(1.0 / s->mass[i], vec3_at(s->force, i)),
                      g = over(vec3_at(s->torque, i), vec3_at(s->J, i));
        double **kept = work_of(s)->kept;
        set_vec3(kept, i, add(vec3_at(s->x, i), scale(e, v)));
        set_quat(kept + 3, i, mul(quat_at(s->q, i), ph_rotation_exp(scale(e, g))));
    }
}

static void kick_by_gradient(ph_molecules *s, double e, double h3)
{
    molecules_work *w = work_of(s);
    const double potential = s->potential, virial = w->virial;
    displace(s, e);
    exchange(s);
    ph_molecules_forces(s);
    exchange(s);
    s->potential = potential;
    w->virial = virial;
    double *const *F = w->kept + 7, *const *T = w->kept + 10;
    for (size_t i = 0; i < s->n; i++) {
        const ph_vec3 torque = vec3_at(s->torque, i), g = over(torque, vec3_at(s->J, i)),
                      D = scale(1.0 / e, sub(vec3_at(F, i), vec3_at(s->force, i))),
                      E = sub(scale(1.0 / e, sub(vec3_at(T, i), torque)), cross(torque, g));
        set_vec3(s->p, i, add(vec3_at(s->p, i), scale(2.0 * h3, D)));
        set_vec3(s->m, i, add(vec3_at(s->m, i), scale(2.0 * h3, E)));
    }
}

static ph_status kick(void *system, double t, double h, double h3)
{
    (void)t;
    const moving *moved = system;
    ph_molecules *s = moved->s;
    const double part = 0x1p-14; /* of h^2, of a step */
    if (!work_of(s)->fresh)
        ph_molecules_forces(s);
    if (h3 != 0.0)
        kick_by_gradient(s, part * moved->h * moved->h, h3);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < s->n; i++) {
            s->p[k][i] += h * s->force[k][i];
            s->m[k][i] += h * s->torque[k][i];
        }
    }
    return ok_if(isfinite(s->potential), PH_NOT_FINITE);
}

bool ph_molecules_momenta(const ph_molecules *s, int kind, momenta *out)
{
    *out = (momenta){.kind = kind, .n = s->n};
    for (int k = 0; k < 3; k++) {
        out->y[k] = s->m[k];
        out->w[k] = s->J[k];
        if (kind == LINEAR) {
            out->y[k] = s->p[k];
            out->w[k] = s->mass;
        }
    }
    return true;
}

static ph_status heat(void *system, char part, int stage, double h)
{
    const ph_molecules *s = ((const moving *)system)->s;
    momenta of;
    ph_status status = PH_OK;
    for (int kind = 0; kind < MOMENTA_KINDS && status == PH_OK; kind++) {
        (void)ph_molecules_momenta(s, kind, &of);
        status = thermostat_act(work_of(s)->bath, part, stage, &of, h);
    }
    return status;
}

bool ph_molecules_applicable(const ph_integrator *i)
{
    return i->method == NULL && i->flow != NULL && i->scheme != NULL;
}

/* The potential is that of the last kick, which in a scheme that ends with a drift was a
 * little earlier: near enough to tell an explosion. */
static ph_status check_energy(const ph_molecules *s)
{
    const molecules_work *w = work_of(s);
    const double change = ph_molecules_kinetic(s) + s->potential - w->energy,
                 heat = w->bath ? 6.0 * (double)s->n * bath_energy(w->bath) : 0.0;
    if (!isfinite(change))
        return PH_NOT_FINITE;
    return ok_if(fabs(change) <= w->tolerance + PH_MOLECULES_EXPLOSION * heat, PH_EXPLODED);
}

ph_status ph_molecules_step(ph_molecules *s, const ph_integrator *i, double h)
{
    if (ANY_NULL(s, i))
        return PH_NULL_ARGUMENT;
    static const splitting parts = {drift, kick, heat};
    molecules_work *w = work_of(s);
    if (!ph_molecules_applicable(i))
        return PH_NOT_APPLICABLE;
    if (!w->prepared)
        return PH_BAD_STATE;
    if (!isfinite(h))
        return PH_BAD_STEP;
    double *state[STATE_ARRAYS];
    state_arrays(s, state);
    for (int k = 0; k < STATE_ARRAYS; k++)
        memcpy(w->before[k], state[k], s->n * sizeof(double));
    moving system = {s, i, h};
    ph_status status = ph_splitting_run(i, &parts, &system, 0.0, h, h);
    if (status == PH_OK)
        status = check_energy(s);
    if (status != PH_OK) {
        w->fresh = false;
        for (int k = 0; k < STATE_ARRAYS; k++)
            memcpy(state[k], w->before[k], s->n * sizeof(double));
    }
    return status;
}
