/* molecules.c - makes systems, frees them, and checks them. */
#include <float.h>
#include <math.h>

#include "base/arena.h"
#include "base/extremes.h"
#include "molecules/system.h"
#include "motion/state.h"

/* ---- memory -------------------------------------------------------------------------- */

static void take_doubles(arena *a, double *array[], int arrays, size_t n)
{
    for (int k = 0; k < arrays; k++)
        array[k] = arena_take(a, n, sizeof(double));
}

static void lay_out(arena *a, void *owner)
{
    ph_molecules *s = owner;
    ph_molecules_work *w = s->work;
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
    take_doubles(a, w->bodies.mu, 3, n);
    take_doubles(a, w->bodies.E, 3, n);
    take_doubles(a, w->sorted.x, 3, n);
    take_doubles(a, w->sorted.mu, 3, n);
    take_doubles(a, w->sorted.F, 3, n);
    take_doubles(a, w->sorted.E, 3, n);
    take_doubles(a, &w->energies, 1, cells_most(n));
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

extern const ph_molecules_problem ph_molecules_problem_dipolar_spheres;

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
    ph_molecules *s = calloc(1, sizeof *s);
    ph_molecules_work *w = calloc(1, sizeof *w);
    if (s != NULL && w != NULL) {
        s->n = n;
        s->work = w;
        w->memory = arena_block(lay_out, s);
        if (w->memory != NULL) {
            fill(s);
            return s;
        }
    }
    free(w);
    free(s);
    return NULL;
}

void ph_molecules_free(ph_molecules *s)
{
    if (s == NULL)
        return;
    free(s->work->memory);
    free(s->work);
    free(s);
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
    const bool outside =
        s->dielectric == 0.0 || (s->dielectric >= 1.0 && isfinite(s->dielectric));
    return edges && positive(s->cutoff) && s->cutoff <= 0.5 * edge && outside
               ? PH_OK
               : PH_BAD_BOX;
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
    return finite3(vec3_at(s->x, i)) && finite3(vec3_at(s->p, i)) &&
                   finite3(vec3_at(s->dipole, i))
               ? PH_OK
               : PH_BAD_STATE;
}

static ph_status check(const ph_molecules *s)
{
    ph_status status = s->law->check(s->constant);
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
        ph_quat q = quat_at(s->q, i);
        if (fabs(unit_defect(q)) <= unit)
            continue;
        q = ph_quat_unit(q);
        s->q[0][i] = q.w;
        s->q[1][i] = q.x;
        s->q[2][i] = q.y;
        s->q[3][i] = q.z;
    }
}

ph_status ph_molecules_prepare(ph_molecules *s, ph_molecules_pair *overlap)
{
    if (s == NULL)
        return PH_NULL_ARGUMENT;
    ph_molecules_work *w = s->work;
    w->prepared = w->fresh = false;
    const ph_status status = check(s);
    if (status != PH_OK)
        return status;
    normalise(s);
    w->law = ph_pair_numbers_of(s);
    w->kernel = s->law->kernels[ph_isa()];
    ph_molecules_pair nearest;
    if (ph_molecules_nearest(s, s->law->overlap(s->constant), &nearest)) {
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
    w->tolerance =
        PH_MOLECULES_EXPLOSION * (e.translation + e.rotation + fabs(e.potential) +
                                  (double)s->n * s->law->energy(s->constant));
    return PH_OK;
}
