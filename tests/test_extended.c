/* test_extended.c - problems that extend others: what is added, what surrounds a spacecraft, facets in
 * sunlight, discrete controls; against formulas and a Runge-Kutta method written here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "integrators/field.h"
#include "integrators/lane_kernels.h"
#include "integrators/table.h"
#include "polhode/ensemble.h"
#include "polhode/system.h"
#include "system/events.h"
#include "system/find.h"
#include "system/run_body.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const double DEGREE = PH_PI / 180.0;

static void set(ph_problem *p, const char *name, const double *x)
{
    const ph_parameter *a = ph_problem_parameter(p, name);
    assert_non_null(a);
    memcpy(&p->value[a->first], x, (size_t)a->count * sizeof *x);
    if (p->prepare != NULL)
        p->prepare(p);
}

/* A spacecraft on an inclined, eccentric orbit. */
static ph_problem spacecraft(void)
{
    ph_problem p = *find_problem("spacecraft");
    set(&p, "eccentricity", (double[]){0.05});
    set(&p, "inclination", (double[]){1.2});
    set(&p, "node", (double[]){-0.7});
    set(&p, "perigee", (double[]){0.4});
    set(&p, "anomaly", (double[]){0.3});
    set(&p, "dipole", (double[]){0.5, -0.2, 1.0});
    set(&p, "earth_dipole", (double[]){1e22, 2e22, -7.8e22});
    set(&p, "earth_rate", (double[]){7.292115e-5});
    set(&p, "wheels", (double[]){0.01, -0.03, 0.25});
    assert_int_equal(PH_OK, ph_body_from_moments(&p.body, vec3(12, 10, 8)));
    p.q = ph_quat_unit((ph_quat){0.9, 0.1, -0.3, 0.2});
    p.w = vec3(0.01, -0.02, 0.03);
    return p;
}

static ph_problem extended(const ph_expressions *from)
{
    ph_problem p;
    ph_expressions_error why;
    const ph_status status = ph_problem_from_expressions(from, &p, &why);
    if (status != PH_OK)
        fail_msg("%s, column %d: %s", why.where, why.error.column, why.error.text);
    return p;
}

static ph_instant somewhere(uint64_t *seed)
{
    double x[10];
    for (int k = 0; k < 10; k++)
        x[k] = between(seed, -1, 1);
    ph_instant now =
        instant_at(between(seed, 0, 2e4), ph_quat_unit((ph_quat){x[0], x[1], x[2], x[3]}));
    now.m = vec3(x[4], x[5], x[6]);
    now.w = vec3(x[7], x[8], x[9]);
    return now;
}

static void assert_near3(ph_vec3 a, ph_vec3 b, double tolerance, const char *what)
{
    const double off = norm(sub(a, b)), size = norm(b);
    if (!(off <= tolerance * size))
        fail_msg("%s is (%.17g, %.17g, %.17g), not (%.17g, %.17g, %.17g)", what, a.x, a.y, a.z, b.x,
                 b.y, b.z);
}

/* ---- the orbit, by bisection of Kepler's equation -------------------------------------- */

typedef struct sky {
    ph_vec3 x, v, B; /* in space */
} sky;

static sky sky_at(const ph_problem *p, double t)
{
    const double *value = p->value;
    const double mu = value[0], a = value[1], e = value[2], inclination = value[3],
                 ascending = value[4], perigee = value[5], n = sqrt(mu / (a * a * a)),
                 M = value[6] + n * t, rate = value[ph_problem_parameter(p, "earth_rate")->first];
    double low = M - 1, high = M + 1;
    for (int i = 0; i < 200; i++) {
        const double E = 0.5 * (low + high);
        *(E - e * sin(E) < M ? &low : &high) = E;
    }
    const double E = low, b = sqrt(1 - e * e), co = cos(ascending), so = sin(ascending),
                 ci = cos(inclination), si = sin(inclination), cw = cos(perigee), sw = sin(perigee),
                 r = a * (1 - e * cos(E));
    const ph_vec3 P = {co * cw - so * sw * ci, so * cw + co * sw * ci, sw * si},
                  Q = {-co * sw - so * cw * ci, -so * sw + co * cw * ci, cw * si};
    const double *d = &value[ph_problem_parameter(p, "earth_dipole")->first];
    const double c = cos(rate * t), s = sin(rate * t);
    const ph_vec3 D = {c * d[0] - s * d[1], s * d[0] + c * d[1], d[2]};
    sky out = {.x = add(scale(a * (cos(E) - e), P), scale(a * b * sin(E), Q)),
               .v = scale(a * n * a / r, add(scale(-sin(E), P), scale(b * cos(E), Q)))};
    const ph_vec3 u = scale(1 / r, out.x);
    out.B = scale(1e-7 / (r * r * r), sub(scale(3 * dot(D, u), u), D));
    return out;
}

static ph_vec3 in_body(const ph_mat3 *R, ph_vec3 v)
{
    return apply(transpose(*R), v);
}

/* Each word is what it should be, and stands on top of the torque of spacecraft. */
static void test_words(void **state)
{
    (void)state;
    const ph_problem base = spacecraft();
    const ph_parameter own[] = {{"k", 0, 1, "1", "", PH_RANGE_ANY}};
    const struct {
        const char *torque[3];
        int which;
    } words[] = {{{"k*u1", "k*u2", "k*u3"}, 0},
                 {{"k*B1", "k*B2", "k*B3"}, 1},
                 {{"k*x1", "k*x2", "k*x3"}, 2},
                 {{"k*v1", "k*v2", "k*v3"}, 3},
                 {{"k*Bdot1", "k*Bdot2", "k*Bdot3"}, 4},
                 {{"k*H1", "k*H2", "k*H3"}, 5},
                 {{"k*w1", "k*m2", "k*eccentricity*wheels3"}, 6}};
    uint64_t seed = 5;
    for (size_t i = 0; i < COUNT(words); i++) {
        ph_expressions from = {.parameters = own, .parameter_count = 1, .value = (double[]){2.5}};
        from.extends = &base;
        memcpy(from.torque, words[i].torque, sizeof from.torque);
        ph_problem p = extended(&from);
        assert_int_equal(base.parameter_count + 1, p.parameter_count);
        assert_int_equal(i == 4 || i == 6, p.velocity_dependent);
        for (int n = 0; n < 20; n++) {
            const ph_instant now = somewhere(&seed);
            const sky at = sky_at(&base, now.t), after = sky_at(&base, now.t + 0.5),
                      before = sky_at(&base, now.t - 0.5);
            const ph_vec3 B = in_body(&now.R, at.B), turned = cross(B, now.w),
                          moved = in_body(&now.R, sub(after.B, before.B));
            const ph_vec3 right[] = {in_body(&now.R, scale(1 / norm(at.x), at.x)),
                                     B,
                                     at.x,
                                     at.v,
                                     add(turned, moved),
                                     vec3(0.01, -0.03, 0.25),
                                     vec3(now.w.x, now.m.y, 0.05 * 0.25)};
            const ph_vec3 tau = sub(p.torque(&p, &now), base.torque(&base, &now));
            assert_near3(tau, scale(2.5, right[words[i].which]), words[i].which == 4 ? 1e-6 : 1e-9,
                         words[i].torque[0]);
            ph_surroundings seen;
            assert_int_equal(PH_OK, ph_problem_surroundings(&p, &now, &seen));
            assert_near3(seen.up, right[0], 1e-12, "up");
            assert_near3(seen.field, right[1], 1e-12, "field");
            assert_near3(seen.position, right[2], 1e-12, "position");
            assert_near3(seen.velocity, right[3], 1e-12, "velocity");
            assert_true(isnan(seen.sun.x));
        }
        ph_problem_release(&p);
    }
}

/* The energy is that of both potentials, the derivative that of both torques, and lanes have the bits
 * of one. */
static void test_functions(void **state)
{
    (void)state;
    ph_problem base = spacecraft();
    set(&base, "wheels", (double[]){0, 0, 0});
    const double row[] = {0, 1, 2, 3, 2e4, -3, 1, 2};
    assert_int_equal(PH_OK, ph_problem_set_table(&base, "torque_table", row, 2));
    const double none[] = {0, 0, 0};
    for (int bare = 0; bare < 3; bare++) {
        const ph_problem *of = bare == 2 ? find_problem("heavy_top") : &base;
        const ph_expressions from = {.potential = bare == 2 ? "R31^2" : "20*B1*R33 + u2^2",
                                     .torque = {"0.1*R12", "sin(t)", bare == 2 ? "R11" : "u1*u3"},
                                     .value = none,
                                     .extends = of};
        ph_problem p = extended(&from);
        if (bare == 1)
            assert_int_equal(PH_OK, ph_problem_set_table(&p, "torque_table", NULL, 0));
        const ph_expressions alone = {.potential = "R31^2", .value = none};
        ph_problem own = extended(&alone);
        uint64_t seed = 9;
        double t[PH_LANES], q[4][PH_LANES], tau[3][PH_LANES];
        for (int i = 0; i < PH_LANES; i++) {
            const ph_instant now = somewhere(&seed);
            t[i] = now.t;
            q[0][i] = now.q.w, q[1][i] = now.q.x, q[2][i] = now.q.y, q[3][i] = now.q.z;
            const ph_mat3 D = p.derivative(&p, &now);
            for (int k = 0; k < 3; k++) {
                const double d = 1e-5;
                const ph_quat turn = ph_rotation_exp(scale(d, axis(k)));
                const ph_vec3 slope =
                    difference_quotient(d, torque_at(&p, now.t, mul(now.q, turn)),
                                        torque_at(&p, now.t, mul(now.q, inverse(turn))));
                const ph_vec3 column = {D.a[0][k], D.a[1][k], D.a[2][k]};
                assert_true(norm(sub(column, slope)) < 1e-8 * (1 + norm(slope)));
            }
            if (bare == 2) {
                const double U = own.potential(&own, &now) + of->potential(of, &now);
                assert_true(fabs(p.potential(&p, &now) - U) < 1e-14 * (1 + fabs(U)));
            }
        }
        assert_non_null(p.torque_lanes);
        ph_torque_lanes(&p, 0, PH_LANES, t, (const double(*)[PH_LANES])q, tau);
        for (int i = 0; i < PH_LANES; i++) {
            const ph_quat at = {q[0][i], q[1][i], q[2][i], q[3][i]};
            const ph_vec3 one = torque_at(&p, t[i], at);
            assert_true(one.x == tau[0][i] && one.y == tau[1][i] && one.z == tau[2][i]);
        }
        ph_problem_release(&p);
        ph_problem_release(&own);
    }
    ph_problem_release(&base);
}

/* ---- motions --------------------------------------------------------------------------- */

typedef struct motion {
    ph_quat q;
    ph_vec3 m;
} motion;

/* The torque on a body in a motion at a time, in the body. */
typedef ph_vec3 any_torque(const void *context, double t, const ph_mat3 *R, ph_vec3 w);

static motion rate_of(any_torque *torque, const void *context, const ph_problem *p, double t,
                      motion s)
{
    const ph_mat3 R = ph_quat_matrix(ph_quat_unit(s.q));
    const ph_vec3 H = p->internal != NULL ? p->internal(p, t) : vec3(0, 0, 0),
                  w = over(sub(s.m, H), p->body.J);
    const ph_quat q = s.q;
    return (motion){
        {0.5 * (-q.x * w.x - q.y * w.y - q.z * w.z), 0.5 * (q.w * w.x + q.y * w.z - q.z * w.y),
         0.5 * (q.w * w.y + q.z * w.x - q.x * w.z), 0.5 * (q.w * w.z + q.x * w.y - q.y * w.x)},
        add(cross(s.m, w), torque(context, t, &R, w))};
}

static motion moved(motion s, double h, motion k)
{
    return (motion){{s.q.w + h * k.q.w, s.q.x + h * k.q.x, s.q.y + h * k.q.y, s.q.z + h * k.q.z},
                    add(s.m, scale(h, k.m))};
}

/* The classical Runge-Kutta method. */
static motion runge_kutta(any_torque *torque, const void *context, const ph_problem *p, motion s,
                          double t, double h, int steps)
{
    for (int i = 0; i < steps; i++) {
        const double now = t + i * h;
        const motion a = rate_of(torque, context, p, now, s),
                     b = rate_of(torque, context, p, now + h / 2, moved(s, h / 2, a)),
                     c = rate_of(torque, context, p, now + h / 2, moved(s, h / 2, b)),
                     d = rate_of(torque, context, p, now + h, moved(s, h, c));
        s = moved(moved(moved(moved(s, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
        s.q = ph_quat_unit(s.q);
    }
    return s;
}

static double apart(motion a, ph_state b)
{
    const double along = a.q.w * b.q.w + a.q.x * b.q.x + a.q.y * b.q.y + a.q.z * b.q.z,
                 sign = along < 0 ? -1 : 1;
    const double q[] = {a.q.w - sign * b.q.w, a.q.x - sign * b.q.x, a.q.y - sign * b.q.y,
                        a.q.z - sign * b.q.z};
    double off = norm(sub(a.m, b.m)) / norm(a.m);
    for (int k = 0; k < 4; k++)
        off = larger_or_nan(off, fabs(q[k]));
    return off;
}

/* As spacecraft has it, from the sky above. */
static ph_vec3 base_torque(const ph_problem *p, double t, const ph_mat3 *R, sky *at)
{
    *at = sky_at(p, t);
    const double r = norm(at->x);
    const ph_vec3 u = in_body(R, scale(1 / r, at->x));
    return add(scale(3 * p->value[0] / (r * r * r), cross(u, times(p->body.J, u))),
               cross(vec3(0.5, -0.2, 1.0), in_body(R, at->B)));
}

static ph_vec3 torque_of_run(const void *context, double t, const ph_mat3 *R, ph_vec3 w)
{
    const ph_problem *p = context;
    sky at;
    const ph_vec3 tau = base_torque(p, t, R, &at), B = in_body(R, at.B),
                  u = in_body(R, scale(1 / norm(at.x), at.x));
    return add(tau, vec3(-2e-3 * w.x + 20 * B.y * sin(t / 500), -2e-3 * w.y + 20 * B.z * u.x,
                         -2e-3 * w.z + 1e-10 * at.x.x));
}

static ph_system *system_of(const ph_problem *p, const char *method, double step, double tolerance)
{
    const ph_system_settings with = {
        .own_problem = p, .integrator = method, .step = step, .tolerance = tolerance};
    ph_system *s;
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    return s;
}

static const char *const RUN[] = {"-k*w1 + 20*B2*sin(t/500)", "-k*w2 + 20*B3*u1",
                                  "-k*w3 + 1e-10*x1"};
static const ph_parameter K[] = {{"k", 0, 1, "1", "", PH_RANGE_ANY}};

static ph_problem running(const ph_problem *base)
{
    ph_expressions from = {
        .parameters = K, .parameter_count = 1, .value = (double[]){2e-3}, .extends = base};
    memcpy(from.torque, RUN, sizeof from.torque);
    return extended(&from);
}

static void test_motion(void **state)
{
    (void)state;
    const ph_problem base = spacecraft();
    ph_problem p = running(&base);
    const ph_state start = ph_problem_start(&p);
    const motion right =
        runge_kutta(torque_of_run, &base, &base, (motion){start.q, start.m}, 0, 0.1, 20000);
    static const char *const methods[] = {"gbs", "dop853", "gauss16", "mkrk_gl6"};
    for (size_t i = 0; i < COUNT(methods); i++) {
        const bool fixed = i == 3;
        ph_system *s = system_of(&p, methods[i], fixed ? 2 : 0, fixed ? 0 : 1e-12);
        assert_int_equal(PH_OK, ph_system_run_until(s, 2000, NULL));
        if (!(apart(right, ph_system_state(s)) < 2e-9))
            fail_msg("%s: off by %g", methods[i], apart(right, ph_system_state(s)));
        ph_system_destroy(s);
    }
    ph_problem_release(&p);
}

/* Snapshots, also in another process, go on with the same bits; and ensembles have those of one. */
static void test_snapshots_and_ensembles(void **state)
{
    (void)state;
    ph_problem base = spacecraft();
    const double rows[] = {0, 0.01, 0, 0, 1000, 0, 0.01, 0};
    assert_int_equal(PH_OK, ph_problem_set_table(&base, "wheels_table", rows, 2));
    for (int tables = 1; tables >= 0; tables--) {
        ph_problem p = running(&base);
        if (!tables)
            assert_int_equal(PH_OK, ph_problem_set_table(&p, "wheels_table", NULL, 0));
        ph_system *one = system_of(&p, "dop853", 0, 1e-10), *other;
        assert_int_equal(PH_OK, ph_system_run_until(one, 300, NULL));
        const size_t size = ph_system_save(one, NULL, 0);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        assert_int_equal(size, ph_system_save(one, bytes, size));
        assert_int_equal(PH_OK, ph_system_from_snapshot(bytes, size, &other));
        free(bytes);
        assert_int_equal(PH_OK, ph_system_run_until(one, 700, NULL));
        assert_int_equal(PH_OK, ph_system_run_until(other, 700, NULL));
        const ph_state a = ph_system_state(one), b = ph_system_state(other);
        assert_memory_equal(&a, &b, sizeof a);
        ph_system_destroy(other);
        ph_system_destroy(one);
        enum { BODIES = 11 };
        double k[BODIES];
        for (int i = 0; i < BODIES; i++)
            k[i] = 1e-3 * i;
        const ph_system_settings with = {
            .own_problem = &p, .integrator = "dop853", .tolerance = 1e-10};
        const ph_each each = {"k", k, 1, 1, 1};
        ph_ensemble *all;
        assert_int_equal(PH_OK, ph_ensemble_create(&with, &each, 1, BODIES, NULL, &all));
        assert_int_equal(PH_OK, ph_ensemble_run(all, 500, NULL));
        for (size_t i = 0; i < BODIES; i++) {
            const ph_setting setting = {"k", &k[i], 1};
            ph_system_settings alone = with;
            alone.settings = &setting;
            alone.setting_count = 1;
            assert_int_equal(PH_OK, ph_system_create(&alone, &one));
            assert_int_equal(PH_OK, ph_system_run_until(one, 500, NULL));
            const ph_state single = ph_system_state(one),
                           many = ph_system_state(ph_ensemble_system(all, i));
            assert_memory_equal(&single, &many, sizeof many);
            ph_system_destroy(one);
        }
        ph_ensemble_destroy(all);
        ph_problem_release(&p);
    }
    ph_problem_release(&base);
}

/* ---- controls -------------------------------------------------------------------------- */

typedef struct held_torque {
    const ph_problem *p;
    ph_vec3 held;
    bool dipole;
} held_torque;

static ph_vec3 torque_of_control(const void *context, double t, const ph_mat3 *R, ph_vec3 w)
{
    (void)w;
    const held_torque *c = context;
    sky at;
    const ph_vec3 tau = base_torque(c->p, t, R, &at);
    return add(tau, c->dipole ? cross(c->held, in_body(R, at.B)) : c->held);
}

/* A PD law holds a torque, B-dot a dipole; both against the Runge-Kutta method from one sample to the
 * next, by methods that choose their steps and one that does not. */
static void test_controls(void **state)
{
    (void)state;
    ph_problem base = spacecraft();
    set(&base, "wheels", (double[]){0, 0, 0});
    const double period = 2;
    const int samples = 50, substeps = 100;
    for (int dipole = 0; dipole < 2; dipole++) {
        const ph_expressions from = {.control = {dipole ? "-4e5*Bdot1" : "-0.2*q0*q1 - 0.8*w1",
                                                 dipole ? "-4e5*Bdot2" : "-0.2*q0*q2 - 0.8*w2",
                                                 dipole ? "-4e5*Bdot3" : "-0.2*q0*q3 - 0.8*w3"},
                                     .control_period = period,
                                     .control_dipole = dipole,
                                     .extends = &base};
        ph_problem p = extended(&from);
        const ph_state start = ph_problem_start(&p);
        motion s = {start.q, start.m};
        held_torque c = {.p = &base, .dipole = dipole};
        for (int i = 0; i < samples; i++) {
            const ph_mat3 R = ph_quat_matrix(s.q);
            const ph_vec3 w = over(s.m, base.body.J);
            const sky at = sky_at(&base, i * period), after = sky_at(&base, i * period + 0.5),
                      before = sky_at(&base, i * period - 0.5);
            const ph_vec3 rate =
                add(cross(in_body(&R, at.B), w), in_body(&R, sub(after.B, before.B)));
            c.held = dipole ? scale(-4e5, rate)
                            : sub(scale(-0.2 * s.q.w, vec3(s.q.x, s.q.y, s.q.z)), scale(0.8, w));
            /* the last period is half over */
            const double length = i + 1 < samples ? period : 0.5 * period;
            s = runge_kutta(torque_of_control, &c, &base, s, i * period, length / substeps,
                            substeps);
        }
        static const char *const methods[] = {"gbs", "dop853", "gauss16", "mkrk_gl6",
                                              "s6_10+exact"};
        for (size_t k = 0; k < COUNT(methods); k++) {
            const bool fixed = k >= 3;
            ph_system *system = system_of(&p, methods[k], fixed ? 0.25 : 0, fixed ? 0 : 1e-12);
            assert_int_equal(PH_OK, ph_system_run_until(system, period * (samples - 0.5), NULL));
            const ph_array *control;
            assert_int_equal(PH_OK, ph_system_array_named(system, "control_samples", &control));
            assert_true(*control->data[0] == samples);
            if (!(apart(s, ph_system_state(system)) < 1e-9))
                fail_msg("%s, %s: off by %g", methods[k], from.control[0],
                         apart(s, ph_system_state(system)));
            ph_system_destroy(system);
        }
        ph_problem_release(&p);
    }
}

/* A run that stops within a period goes on with what is held, to the same bits. */
static void test_control_goes_on(void **state)
{
    (void)state;
    const ph_problem base = spacecraft();
    const ph_expressions from = {.control = {"-0.8*w1 + 0.01*sin(t)", "-0.8*w2", "-0.8*w3"},
                                 .control_period = 2,
                                 .extends = &base};
    ph_problem p = extended(&from);
    ph_system *whole = system_of(&p, "mkrk_gl6", 0.5, 0), *part = system_of(&p, "mkrk_gl6", 0.5, 0),
              *again;
    assert_int_equal(PH_OK, ph_system_run(whole, 37, NULL));
    assert_int_equal(PH_OK, ph_system_run(part, 17, NULL));
    const size_t size = ph_system_save(part, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(size, ph_system_save(part, bytes, size));
    assert_int_equal(PH_OK, ph_system_from_snapshot(bytes, size, &again));
    free(bytes);
    assert_int_equal(PH_OK, ph_system_run(again, 20, NULL));
    const ph_state a = ph_system_state(whole), b = ph_system_state(again);
    assert_memory_equal(&a, &b, sizeof a);
    ph_system_destroy(whole);
    ph_system_destroy(part);
    ph_system_destroy(again);
    ph_message why;
    ph_system *s = NULL;
    ph_system_settings with = {
        .own_problem = &p, .integrator = "mkrk_gl6", .step = 0.3, .message = &why};
    assert_int_equal(PH_NOT_WHOLE_STEPS, ph_system_create(&with, &s));
    assert_non_null(strstr(why.text, "does not divide"));
    with.step = -0.5;
    assert_int_equal(PH_BACKWARD, ph_system_create(&with, &s));
    static const struct {
        double step;
        bool divides;
    } steps[] = {{2.0, true},
                 {1.0, true},
                 {2.0 / 3.0, true},
                 {2.0 * (1.0 + 1e-12), true},
                 {2.0 * (1 - 1e-12), true},
                 {2e-5, true},
                 {4.0, false},
                 {2.0 * (1.0 + 1e-6), false},
                 {1.5, false},
                 {1e3, false},
                 {INFINITY, false},
                 {2.0 / 2.000001, false}};
    for (size_t k = 0; k < COUNT(steps); k++) {
        with.step = steps[k].step;
        const ph_status status = ph_system_create(&with, &s);
        if ((status == PH_OK) != steps[k].divides)
            fail_msg("a step of %.15g: %s", steps[k].step, ph_status_text(status));
        if (status == PH_OK)
            ph_system_destroy(s);
    }
    with = (ph_system_settings){.own_problem = &p, .integrator = "gbs", .message = &why};
    with.derivatives = PH_DERIVATIVES_START;
    assert_int_equal(PH_NOT_APPLICABLE, ph_system_create(&with, &s));
    assert_non_null(strstr(why.text, "control"));
    p.control = NULL;
    with.derivatives = 0;
    ph_expressions none = from;
    memset(none.control, 0, sizeof none.control);
    ph_problem bare = extended(&none);
    with.own_problem = &bare;
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_create(&with, &s));
    assert_non_null(strstr(why.text, "no function"));
    ph_problem_release(&bare);
    ph_problem_release(&p);
}

/* ---- the Sun, light and shadow ----------------------------------------------------------- */

/* The Sun as ERFA's eraEpv00 has it, with light time and aberration; days from J2000.0. */
static const struct {
    double days;
    ph_vec3 sun;
} SUN[] = {{0, {0.180039007, -0.902491577, -0.391273445}},
           {9497.25, {0.190245870, -0.900749562, -0.390457087}},
           {10592.5, {0.181232621, -0.902314307, -0.391131216}},
           {5000.75, {-0.976318783, 0.198487295, 0.086048987}},
           {-3652.1, {0.188204545, -0.901077946, -0.390688603}}};

/* The formulas that sky.c cites, with the T of its coefficients at t = 0. */
static ph_vec3 formula_of_the_sun(double epoch, double t)
{
    static const double terms[][4] = {{0.00134, 351.98, 22518.7541, 90},
                                      {0.00154, 254.08, 45037.5082, 90},
                                      {0.00200, 157.05, 32964.3577, 90},
                                      {0.00179, 297.85, 445267.1142, 0},
                                      {0.00178, 251.39, 20.20, 0}};
    const double T0 = epoch / 36525, T = T0 + t / 86400 / 36525,
                 M = (357.52911 + 35999.05029 * T) * DEGREE, tilt = 23.4392794 * DEGREE;
    double lambda = 280.46646 - 0.00569 + (36000.76983 - 1.396971) * T +
                    (1.914602 - 0.004817 * T0) * sin(M) + (0.019993 - 0.000101 * T0) * sin(2 * M) +
                    0.000289 * sin(3 * M);
    for (size_t k = 0; k < COUNT(terms); k++)
        lambda += terms[k][0] * sin((terms[k][1] + terms[k][2] * T + terms[k][3]) * DEGREE);
    const double beta = 0.0130564 * T0 * sin((lambda - 174.876) * DEGREE) * DEGREE,
                 x = cos(lambda * DEGREE), y = sin(lambda * DEGREE);
    return vec3(x, cos(tilt) * y - sin(tilt) * beta, sin(tilt) * y + cos(tilt) * beta);
}

static void test_sun(void **state)
{
    (void)state;
    const ph_problem base = spacecraft();
    for (size_t i = 0; i < COUNT(SUN); i++) {
        for (int later = 0; later < 2; later++) { /* a part of the date in t */
            const double t = later ? 86400 * 400 : 0, epoch = SUN[i].days - t / 86400;
            const ph_expressions from = {
                .torque = {"sun1", "sun2", "sun3"}, .extends = &base, .epoch = &epoch};
            ph_problem p = extended(&from);
            ph_instant now = instant_at(t, (ph_quat){1, 0, 0, 0});
            const ph_vec3 sun = sub(p.torque(&p, &now), base.torque(&base, &now));
            const double off = norm(cross(sun, SUN[i].sun)) / DEGREE;
            if (!(off < 0.004) || !(fabs(norm(sun) - 1) < 1e-8))
                fail_msg("the Sun %g days from J2000.0 is %g degrees off", SUN[i].days, off);
            ph_surroundings seen;
            assert_int_equal(PH_OK, ph_problem_surroundings(&p, &now, &seen));
            assert_near3(seen.sun, sun, 1e-9, "sun");
            assert_near3(sun, formula_of_the_sun(epoch, t), 1e-10, "the formula of the Sun");
            ph_problem_release(&p);
        }
    }
}

/* Where the cones of the umbra and the penumbra are, from radii and distances alone. */
static double inside_cone(const ph_problem *base, ph_vec3 s, double distance, double t, bool umbra)
{
    const double earth = 6378137, sun = 6.957e8;
    const ph_vec3 x = sky_at(base, t).x, across = sub(x, scale(dot(x, s), s));
    const double behind = -dot(x, s), sine = (umbra ? sun - earth : sun + earth) / distance,
                 tangent = sine / sqrt(1 - sine * sine), apex = earth / sine;
    return (umbra ? apex - behind : apex + behind) * tangent - norm(across);
}

/* Windows of the shadow against the cones; the light that presses on a facet is gone in the umbra. */
static void test_shadow(void **state)
{
    (void)state;
    const ph_problem base = spacecraft();
    const double epoch = 9575.0, unit = 149597870700.0;
    const ph_facet facet = {
        .area = 2, .normal = {0, 0, 3}, .centre = {0.5, 0, 0}, .specular = 0.4, .diffuse = 0.3};
    const ph_expressions from = {.extends = &base,
                                 .epoch = &epoch,
                                 .facets = &facet,
                                 .facet_count = 1},
                         word = {
                             .extends = &base, .epoch = &epoch, .torque = {"eclipse", "0", "0"}};
    ph_problem p = extended(&from), by_word = extended(&word);
    ph_system *s = system_of(&p, "gbs", 0, 1e-9);
    ph_expression *penumbra, *umbra;
    ph_expression_error why;
    assert_int_equal(PH_OK,
                     ph_system_expression(s, "eclipse", PH_EXPRESSION_CONDITION, &penumbra, &why));
    assert_int_equal(PH_OK, ph_system_expression(s, "eclipse > 0.999999999",
                                                 PH_EXPRESSION_CONDITION, &umbra, &why));
    ph_event events[] = {{.condition = penumbra}, {.condition = umbra}};
    ph_window_list list = {0};
    assert_int_equal(PH_OK, ph_system_events(s, 9000, NULL, events, 2, &list));
    int found[2] = {0, 0}, lit = 0, dark = 0, half = 0;
    for (size_t i = 0; i < list.count; i++) {
        const double ends[] = {list.windows[i].enter, list.windows[i].leave};
        for (int k = 0; k < 2; k++) {
            if (ends[k] == 0 || ends[k] == 9000)
                continue;
            const ph_instant now = instant_at(ends[k], (ph_quat){1, 0, 0, 0});
            ph_surroundings seen;
            assert_int_equal(PH_OK, ph_problem_surroundings(&p, &now, &seen));
            const double M = (357.52911 + 35999.05029 * (epoch + ends[k] / 86400) / 36525) * DEGREE,
                         far = unit * (1.00014 - 0.01671 * cos(M) - 0.00014 * cos(2 * M));
            /* a millisecond moves the body by 7 metres */
            assert_true(
                fabs(inside_cone(&base, seen.sun, far, ends[k], list.windows[i].event == 1)) < 10);
            found[list.windows[i].event]++;
        }
    }
    assert_true(found[0] >= 2 && found[1] >= 2);
    for (double t = 0; t < 9000; t += 10) {
        const ph_quat half_turn = {0, 1, 0, 0};
        const ph_instant now =
            instant_at(t, mul(ph_quat_unit((ph_quat){1, 0.3, -0.2, 0.5}), half_turn));
        ph_surroundings seen;
        assert_int_equal(PH_OK, ph_problem_surroundings(&p, &now, &seen));
        const double M = (357.52911 + 35999.05029 * (epoch + t / 86400) / 36525) * DEGREE,
                     R = 1.00014 - 0.01671 * cos(M) - 0.00014 * cos(2 * M);
        const ph_vec3 in_space = apply(now.R, seen.sun),
                      tau = sub(p.torque(&p, &now), base.torque(&base, &now));
        const double cosine = larger_or_nan(0, seen.sun.z), pressure = 1361 / 299792458.0 / (R * R);
        const ph_vec3 force =
                          add(scale(-pressure * 2 * cosine * 0.6, seen.sun),
                              scale(-pressure * 4 * cosine * (0.4 * cosine + 0.1), vec3(0, 0, 1))),
                      full = cross(vec3(0.5, 0, 0), force);
        const bool behind = dot(seen.position, in_space) < 0,
                   in_umbra = behind && inside_cone(&base, in_space, R * unit, t, true) > 0,
                   in_light = !behind || inside_cone(&base, in_space, R * unit, t, false) < 0;
        const double eclipse = by_word.torque(&by_word, &now).x - base.torque(&base, &now).x;
        assert_true(fabs(eclipse - (in_umbra   ? 1
                                    : in_light ? 0
                                               : 0.5)) <= (in_light || in_umbra ? 1e-12 : 0.5));
        if (in_light)
            assert_true(norm(sub(tau, full)) <= 1e-9 * norm(full) + 1e-20);
        else if (in_umbra)
            assert_true(norm(tau) < 1e-17);
        else
            assert_true(norm(tau) <= norm(full));
        lit += in_light && norm(full) > 1e-7;
        dark += in_umbra;
        half += !in_light && !in_umbra;
    }
    assert_true(lit > 400 && dark > 150 && half > 0);
    ph_window_list_free(&list);
    ph_expression_destroy(penumbra);
    ph_expression_destroy(umbra);
    ph_system_destroy(s);
    ph_problem_release(&p);
    ph_problem_release(&by_word);
}

/* The part of a disc of radius a that one of radius b covers, with their centres at a distance c: the
 * sum of chords. */
static double covered_part(double a, double b, double c)
{
    enum { CHORDS = 4000 };
    double area = 0;
    for (int i = 0; i < CHORDS; i++) {
        const double x = a * (2 * (i + 0.5) / CHORDS - 1), y2 = a * a - x * x,
                     z2 = b * b - (x - c) * (x - c);
        area += 2 * sqrt(larger_or_nan(0, smaller_or_nan(y2, z2))) * 2 * a / CHORDS;
    }
    return area / (PH_PI * a * a);
}

/* In the penumbra the light is the part of the Sun's disc that the Earth does not cover. */
static void test_penumbra(void **state)
{
    (void)state;
    const ph_problem base = spacecraft();
    const double epoch = 9575.0, unit = 149597870700.0;
    ph_facet facets[6]; /* of a box */
    for (int i = 0; i < 6; i++)
        facets[i] = (ph_facet){.area = 1 + 0.3 * i,
                               .normal = scale(i < 3 ? 2 : -3, axis(i % 3)),
                               .centre = {0.5 - 0.1 * i, 0.2, 0.1 * i},
                               .specular = 0.1 * i,
                               .diffuse = 0.3 - 0.05 * i};
    const ph_expressions from = {
        .extends = &base, .epoch = &epoch, .facets = facets, .facet_count = COUNT(facets)};
    ph_problem p = extended(&from);
    int found = 0;
    for (double t = 0; t < 9000; t += 1) {
        const ph_instant now = instant_at(t, ph_quat_unit((ph_quat){1, 0.3, -0.2, 0.5}));
        ph_surroundings seen;
        assert_int_equal(PH_OK, ph_problem_surroundings(&p, &now, &seen));
        const double M = (357.52911 + 35999.05029 * (epoch + t / 86400) / 36525) * DEGREE,
                     R = 1.00014 - 0.01671 * cos(M) - 0.00014 * cos(2 * M);
        const ph_vec3 sun = apply(now.R, seen.sun), x = seen.position;
        if (!(dot(x, sun) < 0) || inside_cone(&base, sun, R * unit, t, true) > 0 ||
            inside_cone(&base, sun, R * unit, t, false) < 0)
            continue;
        ph_vec3 full = {0, 0, 0};
        for (size_t i = 0; i < COUNT(facets); i++) {
            const ph_facet *f = &facets[i];
            const ph_vec3 n = scale(1 / norm(f->normal), f->normal);
            const double cosine = larger_or_nan(0, dot(n, seen.sun)),
                         size = -1361 / 299792458.0 / (R * R) * f->area * cosine;
            const ph_vec3 force = add(scale(size * (1 - f->specular), seen.sun),
                                      scale(2 * size * (f->specular * cosine + f->diffuse / 3), n));
            full = add(full, cross(f->centre, force));
        }
        const ph_vec3 s = sub(scale(R * unit, sun), x),
                      tau = sub(p.torque(&p, &now), base.torque(&base, &now));
        const double part = covered_part(asin(6.957e8 / norm(s)), asin(6378137 / norm(x)),
                                         atan2(norm(cross(x, s)), -dot(x, s)));
        assert_true(norm(full) > 1e-7);
        assert_true(norm(sub(tau, scale(1 - part, full))) < 1e-3 * norm(full));
        found += part > 0.1 && part < 0.9;
    }
    assert_true(found > 10);
    ph_problem_release(&p);
}

/* The geomagnetic pole of IGRF-14 at 2025.0 is at 80.85 N, 72.76 W (geocentric 80.79), and turns with
 * the Earth: after a sidereal day the field is the same. */
static void test_tilted_dipole(void **state)
{
    (void)state;
    const ph_problem base = *find_problem("spacecraft");
    const double epoch = 9131.5, sidereal = 86164.0905;
    const ph_expressions from = {.extends = &base, .epoch = &epoch, .tilted_dipole = true};
    ph_problem p = extended(&from);
    const double *d = &p.value[ph_problem_parameter(&p, "earth_dipole")->first],
                 rate = p.value[ph_problem_parameter(&p, "earth_rate")->first];
    const double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
                 latitude = asin(-d[2] / size) / DEGREE,
                 /* sidereal time at 0 h on 2025-01-01 is 6 h 43 min 35.9 s */
        longitude =
            remainder(atan2(-d[1], -d[0]) / DEGREE - 15 * (6 + 43.0 / 60 + 35.9 / 3600), 360);
    assert_true(fabs(size / 7.688e22 - 1) < 1e-3);
    assert_true(fabs(latitude - 80.79) < 0.01);
    assert_true(fabs(longitude + 72.76) < 0.02);
    assert_true(fabs(rate * sidereal / (2 * PH_PI) - 1) < 1e-8);
    ph_problem_release(&p);
    /* three and a half years later, from the coefficients and their rates, and sidereal time */
    const double later = epoch + 3.5 * 365.25, unit = 1e-2 * 6371200.0 * 6371200.0 * 6371200.0,
                 g11 = -1410.3 + 3.5 * 10.0, h11 = 4545.5 - 3.5 * 21.5,
                 angle = fmod(280.46061837 + 360.98564736629 * later, 360) * DEGREE,
                 right[] = {unit * (cos(angle) * g11 - sin(angle) * h11),
                            unit * (sin(angle) * g11 + cos(angle) * h11),
                            unit * (-29350.0 + 3.5 * 12.6)};
    const ph_expressions again = {.extends = &base, .epoch = &later, .tilted_dipole = true};
    p = extended(&again);
    d = &p.value[ph_problem_parameter(&p, "earth_dipole")->first];
    for (int k = 0; k < 3; k++)
        assert_true(fabs(d[k] - right[k]) < 1e-9 * size);
    ph_problem_release(&p);
}

/* ---- what is refused --------------------------------------------------------------------- */

static void test_refusals(void **state)
{
    (void)state;
    const ph_problem base = spacecraft(), *top = find_problem("heavy_top");
    ph_problem other = base;
    other.torque = top->torque;
    const ph_parameter up = {"u1", 0, 1, "1", "", PH_RANGE_ANY},
                       taken = {"damping", 0, 1, "1", "", PH_RANGE_ANY};
    const double epoch = 0, one = 1;
    const ph_facet flat = {.area = 1, .normal = {0, 0, 0}},
                   bright = {.area = 1, .normal = {1, 0, 0}, .specular = 0.8, .diffuse = 0.3},
                   good = {.area = 1, .normal = {1, 0, 0}};
#define TORQUE(a) .torque = { a, "0", "0" }
    const struct {
        ph_expressions from;
        const char *where, *text;
    } wrong[] = {
        {{TORQUE("B1"), .extends = top}, "torque 1", "spacecraft"},
        {{TORQUE("u3"), .value = &one}, "torque 1", "spacecraft"},
        {{TORQUE("x1"), .extends = top}, "torque 1", "unknown name"},
        {{TORQUE("sun1"), .extends = &base}, "torque 1", "epoch"},
        {{TORQUE("eclipse"), .extends = &base}, "torque 1", "epoch"},
        {{TORQUE("1"), .extends = &other}, "extends", "catalog"},
        {{TORQUE("1"), .extends = &base, .parameters = &up, .parameter_count = 1, .value = &one},
         "parameter",
         "already has another meaning"},
        {{TORQUE("1"), .extends = &base, .parameters = &taken, .parameter_count = 1, .value = &one},
         "parameter",
         "already has another meaning"},
        {{.potential = "Bdot1", .extends = &base}, "potential", "cannot depend"},
        {{.potential = "H1", .extends = &base}, "potential", "H1"},
        {{.extends = &base, .facets = &good, .facet_count = 1}, "facets", "epoch"},
        {{.extends = top, .epoch = &epoch, .facets = &good, .facet_count = 1},
         "facets",
         "spacecraft"},
        {{.extends = &base, .epoch = &epoch, .facets = &flat, .facet_count = 1},
         "facets",
         "normal"},
        {{.extends = &base, .epoch = &epoch, .facets = &bright, .facet_count = 1}, "facets", "sum"},
        {{.extends = top, .epoch = &epoch, .tilted_dipole = true}, "problem", "spacecraft"},
        {{.extends = top, .control = {"1", "2", "3"}}, "control 1", "period"},
        {{.extends = top, .control = {"1", "2", "3"}, .control_period = 1, .control_dipole = true},
         "control 1",
         "magnetic"},
        {{.extends = top, .control = {"1", "2+", "3"}, .control_period = 1},
         "control 2",
         "the expression ends here"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        ph_problem p;
        ph_expressions_error why;
        assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&wrong[i].from, &p, &why));
        if (strcmp(why.where, wrong[i].where) != 0 || strstr(why.error.text, wrong[i].text) == NULL)
            fail_msg("%zu: %s: %s", i, why.where, why.error.text);
    }
    ph_surroundings seen;
    const ph_instant now = instant_at(0, (ph_quat){1, 0, 0, 0});
    assert_int_equal(PH_NOT_APPLICABLE, ph_problem_surroundings(top, &now, &seen));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),    cmocka_unit_test(test_functions),
        cmocka_unit_test(test_motion),   cmocka_unit_test(test_snapshots_and_ensembles),
        cmocka_unit_test(test_controls), cmocka_unit_test(test_control_goes_on),
        cmocka_unit_test(test_sun),      cmocka_unit_test(test_shadow),
        cmocka_unit_test(test_penumbra), cmocka_unit_test(test_tilted_dipole),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
