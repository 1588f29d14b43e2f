/* molecules.c - systems of molecules, and sums in long double to hold them against. */
#include "support/molecules.h"
#include "base/extremes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/random.h"
#include "kinds/molecules/system.h"
#include "motion/vec.h"
#include "support/stepping.h"

/* ---- systems ------------------------------------------------------------------------ */

ph_molecules *unequal_molecules(double edge)
{
    ph_molecules *m = ph_molecules_lattice(4, 1.5, 0.01, 1);
    if (m == NULL)
        return NULL;
    for (size_t i = 0; i < m->n; i++)
        m->mass[i] = 1.0 + 0.1 * (double)i;
    m->box = vec3(edge, edge, edge);
    m->cutoff = 3.0;
    return m;
}

ph_status system_from_molecules(const ph_molecules *m, const ph_integrator *i, double h,
                                ph_system **out)
{
    enum { LISTS = 7, WIDEST = 4 };
    const struct {
        const char *name;
        double *const *from;
        size_t width;
    } lists[LISTS] = {{"positions", m->x, 3},       {"momenta", m->p, 3},    {"attitudes", m->q, 4},
                      {"angular_momenta", m->m, 3}, {"masses", &m->mass, 1}, {"inertias", m->J, 3},
                      {"dipoles", m->dipole, 3}};
    const double box[3] = {m->box.x, m->box.y, m->box.z};
    ph_setting settings[LISTS + 5] = {[LISTS] = {"sigma", &m->constant[0], 1},
                                      {"epsilon", &m->constant[1], 1},
                                      {"box", box, 3},
                                      {"cutoff", &m->cutoff, 1},
                                      {"dielectric", &m->dielectric, 1}};
    double *memory = calloc(LISTS * WIDEST * m->n, sizeof *memory);
    assert_non_null(memory);
    for (size_t k = 0; k < LISTS; k++) {
        double *to = memory + k * WIDEST * m->n;
        settings[k] = (ph_setting){lists[k].name, to, lists[k].width * m->n};
        for (size_t n = 0; n < settings[k].count; n++)
            to[n] = lists[k].from[n % lists[k].width][n / lists[k].width];
    }
    const ph_status status =
        ph_system_create(&(ph_system_settings){"dipolar_spheres", .own_integrator = i, .step = h,
                                               .settings = settings,
                                               .setting_count = LISTS + (box[0] == 0.0 ? 2 : 5)},
                         out);
    free(memory);
    return status;
}

static ph_status make_unequal(const any_system *a, ph_system **out, double h)
{
    ph_molecules *m = unequal_molecules(*(const double *)a->problem);
    const ph_status status = m ? system_from_molecules(m, a->integrator, h, out) : PH_NO_MEMORY;
    ph_molecules_destroy(m);
    return status;
}

void unequal_systems(void (*test)(const any_system *a), const char *integrator)
{
    static const double edges[] = {0.0, 9.0, 6.0};
    static const char *const names[] = {"molecules", "molecules in cells of a box",
                                        "molecules and images in a box"};
    const ph_integrator i = integrator_of(integrator);
    for (size_t k = 0; k < sizeof edges / sizeof edges[0]; k++) {
        any_system a = {
            .make = make_unequal, .problem = &edges[k], .integrator = &i, .named = true, .h = 0.01};
        (void)snprintf(a.name, sizeof a.name, "%s by %s", names[k], integrator);
        test(&a);
    }
}

ph_system *system_of_molecules(double edge, double h)
{
    const ph_integrator verlet = integrator_of("verlet+exact");
    ph_molecules *m = unequal_molecules(edge);
    ph_system *s = NULL;
    assert_non_null(m);
    assert_int_equal(PH_OK, system_from_molecules(m, &verlet, h, &s));
    ph_molecules_destroy(m);
    return s;
}

static void prepare(ph_molecules *s)
{
    assert_non_null(s);
    assert_int_equal(PH_OK, ph_molecules_prepare(s, NULL));
}

ph_molecules *lattice_of(size_t side, double spacing, double noise)
{
    ph_molecules *s = ph_molecules_lattice(side, spacing, noise, 1);
    prepare(s);
    return s;
}

void mix_bodies(ph_molecules *s, uint64_t seed)
{
    for (size_t i = 0; i < s->n; i++) {
        s->mass[i] = between(&seed, 0.5, 3.0);
        for (int k = 0; k < 3; k++) {
            s->J[k][i] = between(&seed, 0.5, 2.0);
            s->dipole[k][i] = between(&seed, -1.0, 1.0);
            s->p[k][i] = between(&seed, -0.5, 0.5);
            s->m[k][i] = between(&seed, -0.5, 0.5);
        }
    }
    prepare(s);
}

void put_in_box(ph_molecules *s, ph_vec3 box, double cutoff, double dielectric)
{
    s->box = box;
    s->cutoff = cutoff;
    s->dielectric = dielectric;
    prepare(s);
}

const place places[PLACE_COUNT] = {
    {10, 3.0, 0.01, 0.0, 0.0, 0.0, PAIRS_OPEN},    {10, 1.3, 0.04, 0.0, 0.0, 0.0, PAIRS_OPEN},
    {1, 1.0, 0.0, 0.0, 0.0, 0.0, PAIRS_OPEN},      {3, 1.2, 0.05, 0.0, 0.0, 0.0, PAIRS_OPEN},
    {10, 1.3, 0.04, 13.0, 3.1, 0.0, PAIRS_CUT},  /* 4 cells along an edge */
    {10, 1.3, 0.04, 13.0, 2.5, 78.0, PAIRS_CUT}, /* 5 */
    {9, 1.3, 0.04, 11.7, 3.9, 1.0, PAIRS_CUT},   /* 3 */
    {5, 3.0, 0.02, 15.0, 1.5, 4.0, PAIRS_CUT},   /* 1000 cells would be too many */
    {10, 1.3, 0.04, 13.0, 6.5, 0.0, PAIRS_IMAGES}, {4, 1.3, 0.04, 5.2, 2.6, 10.0, PAIRS_IMAGES},
};

ph_molecules *system_of(const place *p)
{
    ph_molecules *s = lattice_of(p->side, p->spacing, p->noise);
    mix_bodies(s, 7);
    if (p->box != 0.0)
        put_in_box(s, vec3(p->box, 1.01 * p->box, 1.02 * p->box), p->cutoff, p->dielectric);
    return s;
}

/* ---- sums --------------------------------------------------------------------------- */

static const long double FADES_FROM = 0.9L; /* of the cut-off */

static long double twelfth_power(long double x)
{
    const long double x3 = x * x * x;
    return x3 * x3 * x3 * x3;
}

/* Energy 4 epsilon (sigma/r)^12 and its derivative by r; shifted in a box. */
static void soft(const ph_molecules *s, long double r, long double *V, long double *slope)
{
    const long double e = 4 * (long double)s->constant[1], sigma = s->constant[0], rc = s->cutoff;
    *V = e * twelfth_power(sigma / r);
    *slope = -12 * *V / r;
    if (s->box.x != 0.0) {
        const long double V_end = e * twelfth_power(sigma / rc), slope_end = -12 * V_end / rc;
        *V -= V_end + (r - rc) * slope_end;
        *slope -= slope_end;
    }
}

/* S(r) and its derivative. */
static void fading(const ph_molecules *s, long double r, long double *S, long double *slope)
{
    const long double rc = s->cutoff, r0 = FADES_FROM * rc;
    *S = 1;
    *slope = 0;
    if (s->box.x == 0.0 || r < r0)
        return;
    const long double y = (r * r - r0 * r0) / (rc * rc - r0 * r0);
    *S = 1 - 10 * powl(y, 3) + 15 * powl(y, 4) - 6 * powl(y, 5);
    *slope = (-30 * y * y + 60 * powl(y, 3) - 30 * powl(y, 4)) * 2 * r / (rc * rc - r0 * r0);
}

static long double reaction(const ph_molecules *s)
{
    const long double e = s->dielectric, rc = s->cutoff;
    if (s->box.x == 0.0)
        return 0;
    return (s->dielectric == 0.0 ? 1 : (2 * e - 2) / (2 * e + 1)) / (rc * rc * rc);
}

static long double dotl3(const long double *a, const long double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The dipole in space, by the rotation matrix. */
static void dipole_of(const ph_molecules *s, size_t i, long double R[3][3], long double mu[3])
{
    const long double w = s->q[0][i], x = s->q[1][i], y = s->q[2][i], z = s->q[3][i];
    const long double turned[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int k = 0; k < 3; k++) {
        mu[k] = 0;
        for (int l = 0; l < 3; l++) {
            R[k][l] = turned[k][l];
            mu[k] += turned[k][l] * (long double)s->dipole[l][i];
        }
    }
}

static bool between_them(const ph_molecules *s, size_t i, size_t j, long double d[3])
{
    const double box[3] = {s->box.x, s->box.y, s->box.z};
    for (int k = 0; k < 3; k++) {
        d[k] = (long double)s->x[k][i] - (long double)s->x[k][j];
        if (box[k] != 0.0)
            d[k] -= box[k] * roundl(d[k] / box[k]);
    }
    return box[0] == 0.0 || sqrtl(dotl3(d, d)) < (long double)s->cutoff;
}

pull pull_on(const ph_molecules *s, size_t i)
{
    pull all = {0};
    long double R[3][3], other[3][3], mi[3], mj[3], d[3], field[3] = {0};
    dipole_of(s, i, R, mi);
    for (size_t j = 0; j < s->n; j++) {
        if (j == i || !between_them(s, i, j, d))
            continue;
        dipole_of(s, j, other, mj);
        const long double r = sqrtl(dotl3(d, d)), r3 = 1 / (r * r * r), r5 = r3 / (r * r);
        const long double a = dotl3(mi, d), b = dotl3(mj, d), c = dotl3(mi, mj);
        long double w, w1, S, S1;
        soft(s, r, &w, &w1);
        fading(s, r, &S, &S1);
        const long double A = r3 - reaction(s), D = A * c - 3 * r5 * a * b;
        all.V += w + S * D;
        all.of_V += fabsl(w) + fabsl(S * D);
        long double E[3], F2 = 0, T2 = 0;
        for (int k = 0; k < 3; k++) {
            const long double dD = -3 * r5 * d[k] * c + 15 * r5 / (r * r) * d[k] * a * b -
                                   3 * r5 * (mi[k] * b + mj[k] * a);
            const long double F = -(w1 + S1 * D) * d[k] / r - S * dD;
            E[k] = S * (3 * r5 * b * d[k] - A * mj[k]);
            all.F[k] += F;
            field[k] += E[k];
            F2 += F * F;
            T2 += E[k] * E[k];
        }
        all.of_F += sqrtl(F2);
        all.of_T += sqrtl(T2 * dotl3(mi, mi));
    }
    const long double t[3] = {mi[1] * field[2] - mi[2] * field[1],
                              mi[2] * field[0] - mi[0] * field[2],
                              mi[0] * field[1] - mi[1] * field[0]};
    for (int k = 0; k < 3; k++)
        all.T[k] = R[0][k] * t[0] + R[1][k] * t[1] + R[2][k] * t[2];
    return all;
}

/* An error relative to a size; of nothing there is none. */
static double share(long double error, long double size)
{
    return (double)(error == 0 ? 0 : error / size);
}

double pull_error(const ph_molecules *s, size_t stride)
{
    double worst = 0;
    for (size_t i = 0; i < s->n; i += stride) {
        const pull p = pull_on(s, i);
        for (int k = 0; k < 3; k++) {
            const long double F = fabsl(p.F[k] - (long double)s->force[k][i]),
                              T = fabsl(p.T[k] - (long double)s->torque[k][i]);
            worst = larger_or_nan(worst, share(F, p.of_F));
            worst = larger_or_nan(worst, share(T, p.of_T));
        }
    }
    return worst;
}

/* ---- the reference ------------------------------------------------------------------ */

static json_t *record_of(const char *id, json_t **file)
{
    *file = json_load_file(TEST_DATA "/references.json", 0, NULL);
    assert_non_null(*file);
    size_t i;
    json_t *record;
    json_array_foreach(json_object_get(*file, "records"), i, record)
    {
        if (strcmp(json_string_value(json_object_get(record, "id")), id) == 0)
            return record;
    }
    fail_msg("there is no reference %s", id);
    return NULL;
}

/* Number k of entry i of an array of arrays of decimal strings. */
static double at(const json_t *record, const char *key, size_t i, size_t k)
{
    const json_t *row = json_array_get(json_object_get(record, key), i);
    const char *text = json_string_value(json_array_get(row, k));
    assert_non_null(text);
    return strtod(text, NULL);
}

ph_molecules *reference_start(const char *id)
{
    json_t *file;
    const json_t *r = record_of(id, &file);
    ph_molecules *s = ph_molecules_create(json_array_size(json_object_get(r, "q0")));
    assert_non_null(s);
    for (size_t i = 0; i < s->n; i++) {
        ph_vec3 turn = {at(r, "rotvec0", i, 0), at(r, "rotvec0", i, 1), at(r, "rotvec0", i, 2)};
        const ph_quat q = ph_rotation_exp(turn);
        const double components[4] = {q.w, q.x, q.y, q.z};
        for (size_t k = 0; k < 4; k++)
            s->q[k][i] = components[k];
        for (size_t k = 0; k < 3; k++) {
            s->x[k][i] = at(r, "q0", i, k);
            s->p[k][i] = at(r, "p0", i, k);
            s->m[k][i] = at(r, "m0", i, k);
        }
    }
    json_decref(file);
    prepare(s);
    return s;
}

double reference_end_error(const char *id, const ph_molecules *s)
{
    json_t *file;
    const json_t *r = record_of(id, &file);
    double worst = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const ph_mat3 R = ph_quat_matrix((ph_quat){s->q[0][i], s->q[1][i], s->q[2][i], s->q[3][i]});
        for (size_t k = 0; k < 9; k++)
            worst = larger_or_nan(worst, fabs(R.a[k / 3][k % 3] - at(r, "Q", i, k)));
        for (size_t k = 0; k < 3; k++) {
            worst = larger_or_nan(worst, fabs(s->x[k][i] - at(r, "q", i, k)));
            worst = larger_or_nan(worst, fabs(s->p[k][i] - at(r, "p", i, k)));
            worst = larger_or_nan(worst, fabs(s->m[k][i] - at(r, "m", i, k)));
        }
    }
    json_decref(file);
    return worst;
}

/* ---- runs --------------------------------------------------------------------------- */

ph_molecules_pair nearest_of_all(const ph_molecules *s)
{
    ph_molecules_pair best = {.distance = INFINITY};
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = i + 1; j < s->n; j++) {
            double square = 0.0;
            const double box[3] = {s->box.x, s->box.y, s->box.z};
            for (int k = 0; k < 3; k++) {
                const double d = s->x[k][i] - s->x[k][j];
                const double nearest = box[k] > 0.0 ? d - box[k] * rint(d / box[k]) : d;
                square += nearest * nearest;
            }
            if (sqrt(square) < best.distance)
                best = (ph_molecules_pair){i, j, sqrt(square)};
        }
    }
    return best;
}

void run_steps(ph_molecules *s, const char *integrator, double T, uint64_t steps)
{
    const ph_integrator i = integrator_of(integrator);
    for (uint64_t k = 0; k < steps; k++)
        assert_int_equal(PH_OK, ph_molecules_step(s, &i, T / (double)steps));
}

double lattice_energy_error(const char *integrator, uint64_t steps)
{
    ph_molecules *s = lattice_of(5, 3.0, 0.01);
    const double start = ph_molecules_energies(s).total;
    run_steps(s, integrator, 1.0, steps);
    const double error = fabs(ph_molecules_energies(s).total - start);
    ph_molecules_destroy(s);
    return error;
}

double molecules_potential(ph_molecules *s)
{
    assert_int_equal(ph_molecules_prepare(s, NULL), PH_OK);
    return ph_molecules_energies(s).potential;
}

void assert_forces(ph_molecules *s, size_t stride)
{
    const double d = 1e-6, most = 1e-4;
    for (size_t i = 0; i < s->n; i += stride) {
        for (int k = 0; k < 3; k++) {
            (void)molecules_potential(s);
            const double x = s->x[k][i], F = s->force[k][i], T = s->torque[k][i];
            s->x[k][i] = x + d;
            const double ahead = molecules_potential(s);
            s->x[k][i] = x - d;
            const double behind = molecules_potential(s);
            s->x[k][i] = x;
            assert_true(fabs(F + (ahead - behind) / (2 * d)) < most);
            const ph_quat q = quat_at(s->q, i),
                          turn = ph_rotation_exp(scale(d, vec3(k == 0, k == 1, k == 2)));
            set_quat(s->q, i, mul(q, turn));
            const double on = molecules_potential(s);
            set_quat(s->q, i, mul(q, inverse(turn)));
            const double back = molecules_potential(s);
            set_quat(s->q, i, q);
            assert_true(fabs(T + (on - back) / (2 * d)) < most);
        }
    }
}
