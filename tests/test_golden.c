/* test_golden.c - everything in the catalog, against the bits it gave before.
 *
 * Other tests say what is right; here nothing may change unseen: the states of every
 * integrator after a step and after ten, the fields of every problem for every value of a
 * parameter, spheres, molecules, and what is measured. The numbers in
 * tests/vectors/golden.txt are written by
 *
 *     build/tests/test_golden write >tests/vectors/golden.txt
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "integrators/adaptive_run.h"
#include "kinds/molecules/system.h"
#include "kinds/spheres/spheres_list.h"
#include "lab/measure/properties.h"
#include "motion/batch/part.h"
#include "motion/vec.h"
#include "polhode/batch.h"
#include "support/batch_tests.h"
#include "support/bodies.h"
#include "support/generic.h"
#include "support/golden.h"
#include "support/molecules.h"
#include "support/sphere_runs.h"
#include "support/stepping.h"
#include "support/systems.h"
#include "system/find.h"
#include "system/run_body.h"

/* ---- bodies ---------------------------------------------------------------------- */

/* A step of h from the time t, and ten steps from 0. */
static void check_integrator(const char *name, const ph_problem *p, double t, double h)
{
    const ph_integrator i = integrator_of(name);
    const ph_state start = ph_problem_start(p);
    checksum c = {0};
    ph_state s = start;
    take(&c, ph_integrator_step(&i, p, &s, t, h) == PH_OK);
    take_state(&c, &s);
    s = start;
    uint64_t taken = 0;
    take(&c, ph_run_body(&i, p, &s, -0.8 * h, 10, 0, NULL, &taken) == PH_OK);
    take(&c, (double)taken);
    take_state(&c, &s);
    golden(&c, "%s, %g, %s", name, h, p->name);
}

/* A body in other than its principal axes, with damping and a wheel whose speed changes. */
static ph_vec3 damped_torque(const ph_problem *p, const ph_instant *now)
{
    return add(ph_problem_generic.torque(p, now), add(scale(-0.2, now->w), scale(0.1, now->m)));
}

static ph_vec3 wheel(const ph_problem *p, double t)
{
    (void)p;
    return vec3(0.3, 0.2 * ph_cos(t), -0.1 * t);
}

static ph_problem tilted(ph_problem p)
{
    static const ph_mat3 tensor = {{{2.0, 0.3, -0.2}, {0.3, 2.5, 0.1}, {-0.2, 0.1, 1.7}}};
    assert_int_equal(PH_OK, ph_body_from_tensor(&p.body, tensor));
    return p;
}

/* On the fields without symmetry: one at rest, one that changes with time; in a tilted
 * body; and with torques of velocity where the integrator takes them. */
static void check_in_field(const char *name)
{
    check_integrator(name, &ph_problem_generic, 0.0, 0.1);
    check_integrator(name, &timed_problem, 0.4, 0.1);
    check_integrator(name, &free_problem, 0.0, 0.3);
    ph_problem p = tilted(timed_problem);
    p.name = "tilted";
    check_integrator(name, &p, 0.4, 0.1);
    p = tilted(ph_problem_generic);
    p.name = "damped";
    p.torque = damped_torque;
    p.velocity_dependent = true;
    p.internal = wheel;
    check_integrator(name, &p, 0.4, 0.1);
    check_integrator(name, &p, 0.4, 0.0);
}

static void test_methods(void **state)
{
    (void)state;
    size_t count;
    const ph_method *const *methods = ph_methods(&count);
    for (size_t k = 0; k < count; k++)
        check_in_field(methods[k]->name);
    const ph_adaptive *const *adaptives = ph_adaptives(&count);
    for (size_t k = 0; k < count; k++)
        check_in_field(adaptives[k]->name);
}

static void test_schemes(void **state)
{
    (void)state;
    size_t count;
    const ph_scheme *const *schemes = ph_schemes(&count);
    for (size_t k = 0; k < count; k++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s+exact", schemes[k]->name);
        check_in_field(name);
    }
}

/* The composition of a flow alone and in a scheme. */
static void test_compositions(void **state)
{
    (void)state;
    size_t count;
    const ph_composition *compositions = ph_compositions(&count);
    for (size_t k = 0; k < count; k++) {
        char name[64];
        (void)snprintf(name, sizeof name, "sr2:%s", compositions[k].name);
        check_integrator(name, &free_problem, 0.0, 0.3);
        (void)snprintf(name, sizeof name, "verlet+mr:%s", compositions[k].name);
        check_integrator(name, &ph_problem_generic, 0.0, 0.1);
        (void)snprintf(name, sizeof name, "imr2:%s", compositions[k].name);
        check_integrator(name, &free_problem, 0.0, 7.0); /* of which parts fail */
    }
}

/* Free bodies of the ordinary kinds, by the step, and by the kernel if there is one. */
static void test_flows(void **state)
{
    (void)state;
    enum { BODIES = 6 };
    static const enum body_kind kinds[] = {BODY_TRIAXIAL, BODY_WIDE, BODY_SYMMETRIC};
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t k = 0; k < count; k++) {
        const ph_flow *flow = flows[k];
        check_integrator(flow->name, &free_problem, 0.0, 0.3);
        uint64_t seed = 11;
        for (int i = 0; i < BODIES; i++) {
            oracle_case b = random_motion(kinds[i % 3], &seed, i < 3 ? 0.7 : 2.0);
            checksum one = {0};
            ph_state s = b.start;
            const ph_status status = flow->step(flow, &s, b.J, b.t);
            take(&one, status == PH_OK);
            take_state(&one, &s);
            golden(&one, "%s, body %d", flow->name, i);
        }
        for (double angle = 0.5; ph_flow_kernel(flow) != NULL && angle < 40.0; angle *= 2) {
            checksum left = {0};
            take(&left, 1.0 + batch_share_left(flow, angle));
            golden(&left, "%s, left at %g", flow->name, angle);
        }
    }
}

/* The exact motion of every kind of body; and next to the unstable axis, by as little as the
 * numbers allow, over several of the flips that are hundreds of turns apart. */
static void test_motions(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int kind = 0; kind < BODY_KIND_COUNT; kind++) {
        const oracle_case b = random_motion((enum body_kind)kind, &seed, 50.0);
        const ph_body body = {b.J, {1, 0, 0, 0}, true};
        ph_motion motion;
        checksum c = {0};
        take(&c, ph_motion_prepare(&motion, &body, &b.start) == PH_OK);
        for (int k = -2; k <= 3; k++) {
            const ph_state s = ph_motion_at(&motion, 0.5 * k * b.t);
            take_state(&c, &s);
        }
        golden(&c, "motion of a body %s", body_kind_text((enum body_kind)kind));
    }
    for (double small = 1e-80; small > 0.0; small *= 1e-60) {
        const ph_body body = PH_MOMENTS(1, 2, 3);
        const ph_state start = {{1, 0, 0, 0}, {0, 4, small}};
        ph_motion motion;
        checksum c = {0};
        take(&c, ph_motion_prepare(&motion, &body, &start) == PH_OK);
        for (double t = 0.0; t < 5000.0; t += 50.0) {
            const ph_state s = ph_motion_at(&motion, t);
            take_state(&c, &s);
        }
        golden(&c, "motion %g from the unstable axis", small);
    }
}

/* ---- systems --------------------------------------------------------------------- */

/* The tables of a system after some steps: what each field is for and holds, what is
 * observed and how, the parameters. */
static void check_tables(const any_system *a)
{
    size_t fields, observables, parameters;
    const double *value;
    checksum c = {0};
    ph_system *s = system_made(a);
    ph_system_watch(s, true);
    run_system(a, s, 3, NULL);
    const ph_array *f = ph_system_arrays(s, &fields);
    for (size_t k = 0; k < fields; k++) {
        take(&c, f[k].use);
        take(&c, f[k].width);
        take(&c, (double)f[k].count);
        for (int j = 0; j < f[k].width; j++)
            take(&c, f[k].data[j][(f[k].count - 1) * f[k].stride]);
    }
    const ph_observable *o = ph_system_observables(s, &observables);
    for (size_t k = 0; k < observables; k++) {
        take(&c, o[k].watched + 2 * o[k].conserved + 4 * o[k].relative + 8 * o[k].defect);
        for (int j = 0; j < o[k].width; j++) {
            take(&c, o[k].start[j]);
            take(&c, o[k].now[j]);
        }
    }
    const ph_parameter *p = ph_system_parameters(s, &parameters, &value);
    for (size_t k = 0; k < parameters; k++)
        take(&c, value[p[k].first] + p[k].count);
    ph_system_destroy(s);
    golden(&c, "tables of %s", a->name);
}

static void test_systems(void **state)
{
    (void)state;
    (void)some_systems(check_tables);
    unequal_systems(check_tables, "verlet+exact");
    unequal_systems(check_tables, "verlet+mr@yoshida4");
}

/* ---- problems -------------------------------------------------------------------- */

/* Potential, torque and derivative at some attitudes, and the start. */
static void take_field(checksum *c, const ph_problem *p)
{
    const ph_state start = ph_problem_start(p);
    take_state(c, &start);
    take_vector(c, p->body.J);
    for (int k = 0; k < 3; k++) {
        const ph_vec3 turn = {0.1 + 0.2 * k, -0.3, 0.25 - 0.15 * k};
        const ph_state s = {mul(start.q, ph_rotation_exp(turn)), add(start.m, turn)};
        take(c, ph_problem_energy(p, 0.7, &s));
        take_vector(c, ph_problem_torque(p, 0.7, &s));
        take_vector(c, ph_problem_velocity(p, 0.7, s.m));
        take_vector(c, ph_problem_momentum(p, 0.7, s.m));
        if (p->derivative != NULL)
            take_matrix(c, p->derivative(p, AT(0.7, ph_quat_matrix(s.q))));
    }
}

/* The i-th change of the parameters of a problem: which value, -1 after the last, and what
 * it becomes. Each has some other values: whole numbers stay whole; the last is small. */
enum { OTHER_VALUES = 5 };

static int place_of(const ph_parameter *parameters, int count, int i)
{
    int n = i / OTHER_VALUES;
    for (int k = 0; k < count; n -= parameters[k++].count) {
        if (n < parameters[k].count)
            return parameters[k].first + n;
    }
    return -1;
}

static double another(double x, int i)
{
    const int n = 1 + i % OTHER_VALUES;
    if (n == OTHER_VALUES)
        return 0.5;
    if (x == 0.0)
        return n;
    return x == rint(x) ? x + n : (1.0 + 0.25 * n) * x;
}

static void take_parameters(checksum *c, const ph_parameter *of, int count)
{
    for (int k = 0; k < count; k++) {
        take_text(c, of[k].name);
        take_text(c, of[k].unit);
        take_text(c, of[k].text);
        take_vector(c, vec3(of[k].first, of[k].count, of[k].range));
    }
}

static void test_problems(void **state)
{
    (void)state;
    size_t count;
    const ph_problem *const *problems = ph_problems(&count);
    for (size_t k = 0; k < count; k++) {
        checksum c = {0};
        take_field(&c, problems[k]);
        golden(&c, "field of %s", problems[k]->name);
        const ph_parameter *parameters = problems[k]->parameters;
        const int parameter_count = problems[k]->parameter_count;
        take_parameters(&c, parameters, parameter_count);
        take_parameters(&c, problems[k]->tables, problems[k]->table_count);
        for (int i = 0, at; (at = place_of(parameters, parameter_count, i)) >= 0; i++) {
            ph_problem p = *problems[k];
            p.value[at] = another(p.value[at], i);
            if (p.prepare != NULL)
                p.prepare(&p);
            take_field(&c, &p);
        }
        golden(&c, "field of %s by its values", problems[k]->name);
        if (problems[k]->internal != NULL) {
            check_integrator("mkrk_gl4", problems[k], 0.0, 0.02);
            continue;
        }
        check_integrator("srkn4_6b+exact", problems[k], 0.0, 0.02);
        check_integrator("imid", problems[k], 0.0, 0.02);
    }
}

/* ---- spheres --------------------------------------------------------------------- */

static void check_spheres(const char *name, const ph_integrator *i, const ph_spheres_problem *p)
{
    (void)i;
    const double h = 0.05 * sphere_moment(p);
    sphere_run r = sphere_run_new(name, p);
    checksum c = {0};
    ph_quat turn[SPHERE_RUN_MOST];
    assert_int_equal(PH_OK, ph_spheres_step(r.s, r.q, r.w, h));
    take_vectors(&c, r.n, r.q);
    take_vectors(&c, r.n, r.w);
    ph_spheres_turns(r.s, turn);
    for (int k = 0; k < r.n; k++) {
        take(&c, turn[k].w);
        take_vector(&c, vec(turn[k]));
    }
    const sphere_run first = r;
    ph_spheres_start(r.s, r.q, r.w);
    for (int k = 0; k < 10; k++)
        (void)ph_spheres_step(r.s, r.q, r.w, -1.3 * h);
    take_vectors(&c, r.n, r.q);
    take_vectors(&c, r.n, r.w);
    golden(&c, "%s, spheres of %s", name, p->name);
    checksum evaluations = {0};
    take(&evaluations, (double)ph_spheres_evaluations(r.s));
    golden(&evaluations, "%s, evaluations for spheres of %s", name, p->name);
    /* no step remembers those before, or looks beyond the arrays */
    const size_t size = (size_t)r.n * sizeof(ph_vec3);
    ph_vec3 *q = malloc(size), *w = malloc(size);
    assert_true(q != NULL && w != NULL);
    ph_spheres_start(r.s, q, w);
    assert_int_equal(PH_OK, ph_spheres_step(r.s, q, w, h));
    assert_memory_equal(q, first.q, size);
    assert_memory_equal(w, first.w, size);
    free(q);
    free(w);
    sphere_run_free(&r);
}

/* Everything that can be asked of a problem at its start, or why not. */
static void take_sphere_problem(checksum *c, const ph_spheres_problem *p)
{
    static ph_vec3 q[SPHERE_RUN_MOST], w[SPHERE_RUN_MOST], a[SPHERE_RUN_MOST];
    ph_spheres *s = NULL;
    const ph_status status = ph_spheres_create(p, NULL, &s);
    take(c, status == PH_OK);
    if (status != PH_OK)
        return;
    const int n = ph_spheres_count(s);
    assert_true(n <= SPHERE_RUN_MOST);
    ph_spheres_start(s, q, w);
    take(c, n);
    take_vectors(c, n, q);
    take_vectors(c, n, w);
    for (int k = 0; k < n; k++) { /* away from what the start may have in common */
        const ph_quat turn = ph_rotation_exp(vec3(0.1 + 0.01 * k, 0.05 * k, -0.07));
        q[k] = rotate(turn, q[k]);
        w[k] = rotate(turn, w[k]);
    }
    take(c, ph_spheres_energy(s, q, w));
    for (int k = 0; k < p->invariant_count; k++)
        take(c, ph_spheres_invariant_value(s, k, q, w));
    take(c, ph_spheres_accelerations(s, q, w, a) == PH_OK);
    take_vectors(c, n, a);
    ph_spheres_destroy(s);
}

static void test_spheres(void **state)
{
    (void)state;
    assert_true(sphere_each(sphere_trials(), check_spheres) > 25);
    const ph_spheres_problem *const pendulum[] = {find_spheres_problem("pendulum"), NULL};
    assert_true(sphere_each(pendulum, check_spheres) > 10);
    check_spheres("rattle@suzuki4", NULL, find_spheres_problem("double_pendulum"));
    check_spheres("verlet+circle@yoshida4", NULL, find_spheres_problem("magnets"));
    size_t count;
    const ph_spheres_problem *const *problems = ph_spheres_problems(&count);
    for (size_t k = 0; k < count; k++) {
        checksum c = {0};
        take_sphere_problem(&c, problems[k]);
        golden(&c, "spheres of %s", problems[k]->name);
        const ph_parameter *parameters = problems[k]->parameters;
        const int parameter_count = problems[k]->parameter_count;
        take_parameters(&c, parameters, parameter_count);
        for (int i = 0, at; (at = place_of(parameters, parameter_count, i)) >= 0; i++) {
            ph_spheres_problem p = *problems[k];
            p.value[at] = another(p.value[at], i);
            take_sphere_problem(&c, &p);
        }
        golden(&c, "spheres of %s by their values", problems[k]->name);
    }
}

/* ---- elliptic functions ---------------------------------------------------------- */

static void test_elliptic(void **state)
{
    (void)state;
    static const double m[] = {0.0, 1e-6, 0.03, 0.4, 0.7, 0.93, 0.999, 1 - 1e-9};
    for (size_t k = 0; k < sizeof m / sizeof m[0]; k++) {
        checksum c = {0};
        const ph_jacobi j = ph_jacobi_prepare(m[k]);
        take(&c, j.levels);
        take(&c, j.quarter);
        for (double u = -3.1; u < 9.0; u += 1.7) {
            const ph_sncndn x = ph_jacobi_at(&j, u);
            take_vector(&c, vec3(x.sn, x.cn, x.dn));
            take(&c, ph_jacobi_am(&j, u));
            take(&c, ph_elliptic_f_inc(0.4 * u, m[k]));
            take(&c, ph_elliptic_e_inc(0.4 * u, m[k]));
            take(&c, ph_elliptic_pi_inc(0.3, 0.4 * u, m[k]));
            take(&c, ph_rf(1.3 + u / 9, m[k], 2.0));
            take(&c, ph_rd(1.3 + u / 9, m[k], 2.0));
            take(&c, ph_rg(1.3 + u / 9, m[k], 2.0));
            take(&c, ph_rc(m[k], 2.0 + u / 9));
            take(&c, ph_rj(1.3 + u / 9, m[k], 2.0, 0.7));
        }
        take(&c, ph_elliptic_k(m[k]));
        take(&c, ph_elliptic_e(m[k]));
        take(&c, ph_elliptic_pi(-0.6, m[k]));
        golden(&c, "elliptic functions, m = %.10g", m[k]);
    }
}

/* ---- molecules ------------------------------------------------------------------- */

static void take_columns(checksum *c, const ph_molecules *s, double *const *column, int n)
{
    for (int k = 0; k < n; k++) {
        for (size_t i = 0; i < s->n; i += 1 + s->n / 30)
            take(c, column[k][i]);
    }
}

static void take_molecules(checksum *c, ph_molecules *s)
{
    const ph_molecules_energy e = ph_molecules_energies(s);
    take(c, e.translation);
    take(c, e.rotation);
    take(c, e.potential);
    take(c, e.total);
    take(c, ph_molecules_temperature(s));
    take_vector(c, ph_molecules_momentum(s));
    take_vector(c, ph_molecules_angular_momentum(s));
    take_columns(c, s, s->x, 3);
    take_columns(c, s, s->p, 3);
    take_columns(c, s, s->q, 4);
    take_columns(c, s, s->m, 3);
    take_columns(c, s, s->force, 3);
    take_columns(c, s, s->torque, 3);
}

static void test_molecules(void **state)
{
    (void)state;
    static const char *const integrators[] = {"verlet+exact", "srkn4_6b+mr", "s6_10+sr2"};
    for (int k = 0; k < PLACE_COUNT; k++) {
        ph_molecules *s = system_of(&places[k]);
        checksum c = {0};
        take_molecules(&c, s);
        if (s->n <= 125)
            run_steps(s, integrators[k % 3], 0.003, 3);
        take_molecules(&c, s);
        golden(&c, "molecules %d", k);
        ph_molecules_destroy(s);
    }
    size_t count;
    const ph_molecules_problem *const *problems = ph_molecules_problems(&count);
    for (size_t k = 0; k < count; k++) {
        checksum c = {0};
        const ph_parameter *of = problems[k]->parameters;
        const int parameter_count = problems[k]->parameter_count;
        take_parameters(&c, of, parameter_count);
        for (int i = 0, at; (at = place_of(of, parameter_count, i)) >= 0; i++) {
            ph_molecules_problem p = *problems[k];
            const ph_parameter *side = ph_molecules_problem_parameter(&p, "lattice");
            if (side == NULL)
                side = ph_molecules_problem_parameter(&p, "molecules");
            p.value[side->first] = 2;
            p.value[at] = another(p.value[at], i);
            ph_molecules *s = NULL;
            const ph_status made = ph_molecules_from_problem(&p, &s);
            take(&c, made);
            if (made != PH_OK)
                continue;
            ph_molecules_set_problem(s, &p);
            take(&c, ph_molecules_prepare(s, NULL));
            take_columns(&c, s, s->dipole, 3);
            take_molecules(&c, s);
            ph_molecules_destroy(s);
        }
        golden(&c, "molecules of %s by its values", problems[k]->name);
    }
}

/* Boxes with other numbers of cells along each edge; one that explodes. */
static void test_boxes(void **state)
{
    (void)state;
    static const ph_vec3 boxes[] = {{0, 0, 0}, {9, 12, 20}, {20, 9, 12}, {12, 20, 9}};
    const ph_integrator verlet = integrator_of("verlet+exact");
    for (size_t k = 0; k < sizeof boxes / sizeof boxes[0]; k++) {
        ph_molecules *s = lattice_of(6, 1.4, 0.05);
        checksum c = {0};
        mix_bodies(s, 8 + k);
        for (size_t i = 0; k == 0 && i < s->n; i++) /* a slab, in open space */
            s->x[2][i] *= 3.0;
        put_in_box(s, boxes[k], k == 0 ? 0.0 : 2.4, 0.0);
        const ph_molecules_pair right = nearest_of_all(s);
        ph_molecules_pair found = {0};
        assert_true(ph_molecules_nearest(s, 1.4, &found));
        assert_true(found.a == right.a && found.b == right.b);
        assert_true(fabs(found.distance - right.distance) < 1e-14);
        assert_false(ph_molecules_nearest(s, 0.9 * right.distance, &found));
        take_molecules(&c, s);
        take(&c, ph_molecules_step(s, &verlet, NAN));
        take(&c, ph_molecules_step(s, &verlet, INFINITY));
        for (double h = 0.002; h < 3.0; h *= 1.5) {
            take(&c, ph_molecules_step(s, &verlet, h));
            take_molecules(&c, s);
        }
        golden(&c, "molecules in the box %zu", k);
        ph_molecules_destroy(s);
    }
}

/* ---- what is measured ------------------------------------------------------------ */

static void take_properties(checksum *c, const ph_properties *d)
{
    take(c, d->applies);
    if (!d->applies)
        return;
    take(c, ph_properties_keep(d));
    take(c, d->symmetric + 3 * d->reversible + 9 * d->symplectic + 27 * d->momentum);
    take(c, (int)d->poisson + 3 * (int)d->casimir + 9 * (int)d->energy);
    take(c, d->symmetry_defect);
    take(c, d->reversal_defect);
    take(c, d->symplectic_defect);
    take(c, d->poisson_defect);
    take(c, d->step_error);
    take(c, d->energy_error[0]);
    take(c, d->energy_error[1]);
    take(c, d->momentum_error);
    take(c, d->casimir_error);
}

static void take_trend(checksum *c, const ph_trend *t)
{
    take(c, t->h);
    take(c, t->initial);
    take(c, t->max_error);
    take(c, t->slope);
    take(c, t->standard_error);
    take(c, (double)t->taken);
    take(c, t->drifts + 2 * t->exceeds_tenth);
}

static void test_measure(void **state)
{
    (void)state;
    static const char *const names[] = {"vlv",  "imid", "lie_euler_forward", "verlet+mr",
                                        "jem2", "dmv4", "nystrom4+exact"};
    const ph_measure_settings little = {.states = 3,
                                        .steps = 200,
                                        .drift_time = 100.0,
                                        .drift_torques = 30000,
                                        .stable_steps = 200};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const ph_integrator i = integrator_of(names[k]);
        ph_measurement sheet;
        checksum c = {0};
        assert_true(ph_measure(&i, &little, &sheet));
        take(&c, sheet.order);
        take(&c, sheet.exact + 2 * sheet.candidate);
        take_properties(&c, &sheet.free);
        take_properties(&c, &sheet.field);
        take(&c, sheet.unit_error);
        if (sheet.field.applies) {
            take_trend(&c, &sheet.drift[0]);
            take_trend(&c, &sheet.drift[1]);
            const ph_energy_kind verdict = sheet.test.verdict;
            take(&c, verdict == PH_ENERGY_UNDECIDED ? 2 : verdict); /* 2 in the file */
            take(&c, sheet.test.slope);
            take(&c, sheet.test.horizon);
            take(&c, sheet.stable_step);
            take(&c, sheet.torques);
        }
        take(&c, ph_measurement_mismatches(&sheet, true, PH_KEEPS_ALL));
        take(&c, ph_measurement_mismatches(&sheet, false, 0));
        golden(&c, "sheet of %s", names[k]);
    }
}

/* ---- what `polhode bits` prints ---------------------------------------------------- */

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),      cmocka_unit_test(test_schemes),
        cmocka_unit_test(test_compositions), cmocka_unit_test(test_flows),
        cmocka_unit_test(test_motions),      cmocka_unit_test(test_systems),
        cmocka_unit_test(test_problems),     cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_molecules),    cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_measure),      cmocka_unit_test(test_elliptic),
    };
    return golden_main(argc, argv, "golden.txt", tests, sizeof tests / sizeof tests[0]);
}
