/* test_averaged.c - weak torques averaged over the free motion, against direct integration and
 * solutions that are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "integrators/field.h"
#include "kinds/averaged/averages.h"
#include "system/find.h"
#include "system/kind.h"

/* ---- torques ---------------------------------------------------------------------------- */

enum { EPS, LIGHT, DAMPING, FRICTION, EDDY, GRAVITY, TERMS };

/* Light on a plate with a lever, -w, friction inside that keeps |m|, eddy currents and the gradient
 * of gravity in fields at rest, each with a factor. */
static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    const double *k = p->value;
    const ph_vec3 sun = apply(transpose(now->R), vec3(1, 0, 0)),
                  B = apply(transpose(now->R), vec3(0.6, 0, 0.8)),
                  u = apply(transpose(now->R), vec3(0, 0, 1)), lever = {0.3, -0.2, 0.5};
    ph_vec3 sum = scale(k[LIGHT] * sun.y * sun.y * (1.0 + sun.y), cross(lever, sun));
    sum = sub(sum, scale(k[DAMPING], now->w));
    sum = add(sum, scale(k[FRICTION], cross(now->m, cross(now->m, now->w))));
    sum = add(sum, scale(k[EDDY], cross(cross(now->w, B), B)));
    sum = add(sum, scale(3.0 * k[GRAVITY], cross(u, times(p->body.J, u))));
    return scale(k[EPS], sum);
}

static ph_problem weak(ph_vec3 J, double eps, const double factors[TERMS - 1])
{
    ph_problem p = {.name = "weak",
                    .torque = torque,
                    .nonconservative = true,
                    .velocity_dependent = true,
                    .q = {0.9, 0.1, 0.3, -0.3},
                    .w = {0, 0, 1}};
    assert_int_equal(PH_OK, ph_body_from_moments(&p.body, J));
    p.value[EPS] = eps;
    memcpy(&p.value[LIGHT], factors, (TERMS - 1) * sizeof *factors);
    return p;
}

static ph_system *made(const ph_problem *p, const char *method, ph_vec3 m)
{
    ph_system *s = NULL;
    const ph_setting start = {"momentum", &m.x, 3};
    ph_message why = {0};
    const ph_system_settings with = {.own_problem = p,
                                     .integrator = method,
                                     .tolerance = strcmp(method, "gbs") == 0 ? 1e-12 : 1e-10,
                                     .settings = &start,
                                     .setting_count = 1,
                                     .message = &why};
    if (ph_system_create(&with, &s) != PH_OK)
        fail_msg("%s", why.text);
    return s;
}

static double observed(ph_system *s, const char *name)
{
    const ph_observable *o = NULL;
    assert_int_equal(PH_OK, ph_system_observable_named(s, name, &o));
    return o->now[0];
}

/* H in space and T of any system of one body. */
typedef struct slow {
    ph_vec3 H;
    double T;
} slow;

static slow slow_of(const ph_system *s)
{
    const ph_state now = ph_system_state(s);
    const double *w = find_field(s, "velocity")->data[0];
    return (slow){rotate(now.q, now.m), 0.5 * dot(now.m, vec3(w[0], w[1], w[2]))};
}

/* ---- against direct integration ------------------------------------------------------------ */

enum { TIMES = 12 };

typedef struct record {
    slow at[TIMES];
    int count;
} record;

static bool note(void *context, ph_system *s)
{
    record *r = context;
    r->at[r->count++] = slow_of(s);
    return true;
}

static record recorded(const ph_problem *p, const char *method, ph_vec3 m, double end)
{
    double times[TIMES];
    record r = {.count = 0};
    for (int k = 0; k < TIMES; k++)
        times[k] = end * (0.5 + 0.5 * (k + 1) / TIMES);
    ph_system *s = made(p, method, m);
    const ph_observer o = {.observe = note, .context = &r, .times = times, .count = TIMES};
    assert_int_equal(PH_OK, ph_system_run_until(s, end, &o));
    assert_int_equal(TIMES, r.count);
    ph_system_destroy(s);
    return r;
}

/* The largest difference in the second half of a time 1/eps, relative to the start. */
static double difference(ph_vec3 J, ph_vec3 m, const double factors[TERMS - 1], double eps)
{
    const ph_problem p = weak(J, eps, factors);
    const record slowly = recorded(&p, "averaged", m, 1.0 / eps),
                 directly = recorded(&p, "gbs", m, 1.0 / eps);
    const double T = 0.5 * dot(m, over(m, J));
    double largest = 0.0;
    for (int k = 0; k < TIMES; k++) {
        const slow *a = &slowly.at[k], *d = &directly.at[k];
        largest = larger_or_nan(largest, norm(sub(a->H, d->H)) / norm(m));
        largest = larger_or_nan(largest, fabs(a->T - d->T) / T);
    }
    return largest;
}

/* The error is of first order, with a small factor: ten problems, in both modes, next to principal
 * axes, of symmetric bodies and a sphere. */
static void test_first_order(void **state)
{
    (void)state;
    static const struct {
        ph_vec3 J, m;
        double factors[TERMS - 1];
    } cases[] = {
        {{1.0, 1.7, 2.2}, {0.35, 0.2, 1.5}, {1, 0.3, 0, 0, 0}},
        {{1.0, 1.7, 2.2}, {1.5, 0.3, -0.2}, {1, 0.3, 0, 0, 0}},
        {{2.1, 1.2, 1.6}, {-1.1, 0.4, 0.3}, {0, 1, 0, 0, 0}},
        {{1.0, 1.7, 2.2}, {0.4, 0.3, 1.4}, {0, 0, 1, 0, 0}},
        {{1.3, 1.9, 1.0}, {0.5, 0.2, 1.3}, {0, 0, 0.4, 0, 0}},
        {{1.0, 1.7, 2.2}, {0.3, -0.4, 1.2}, {0, 0, 0, 1, 0}},
        {{1.0, 1.7, 2.2}, {0.3, 0.2, -1.4}, {0, 0, 0, 0, 1}},
        {{2.2, 1.0, 1.8}, {0.01, -1.2, 0.02}, {0, 0, 0, 0.5, 0.5}},
        {{1.0, 2.0, 2.0}, {1.2, 0.6, 0.2}, {1, 0.1, 0.1, 0.1, 0}},
        {{2.0, 2.0, 2.0}, {0.7, 0.5, 1.0}, {1, 0.2, 0, 0.3, 0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double large = difference(cases[k].J, cases[k].m, cases[k].factors, 4e-4),
                     small = difference(cases[k].J, cases[k].m, cases[k].factors, 4e-5),
                     order = log10(large / small);
        if (!(small < 10.0 * 4e-5 && order > 0.8 && order < 1.2))
            fail_msg("case %zu: errors %g, %g, order %g", k, large, small, order);
    }
}

/* ---- known solutions ------------------------------------------------------------------------ */

/* -w on a symmetric body: m along the axis and across it decay each at its rate, and their mean
 * direction in space stays. */
static void test_damped_symmetric(void **state)
{
    (void)state;
    static const double damping[TERMS - 1] = {0, 1, 0, 0, 0};
    const ph_vec3 bodies[] = {{1.0, 2.0, 2.0}, {2.5, 1.5, 1.5}, {3, 3, 3}}, m = {0.9, 0.5, 0.4};
    for (int k = 0; k < 3; k++) {
        const ph_problem p = weak(bodies[k], 1e-6, damping);
        const double t = 1e6, along = exp(-t * 1e-6 / bodies[k].x),
                     across = exp(-t * 1e-6 / bodies[k].y);
        ph_system *s = made(&p, "averaged", m);
        const slow start = slow_of(s);
        assert_int_equal(PH_OK, ph_system_run_until(s, t, NULL));
        const ph_vec3 left = {m.x * along, m.y * across, m.z * across};
        const slow end = slow_of(s);
        const double T = 0.5 * dot(left, over(left, bodies[k]));
        assert_true(norm(sub(end.H, scale(norm(left) / norm(m), start.H))) < 1e-8);
        assert_true(fabs(end.T - T) < 1e-8 * T);
        ph_system_destroy(s);
    }
}

/* Without a torque everything stays, and the start is shown as it is given. */
static void test_no_torque(void **state)
{
    (void)state;
    static const double none[TERMS - 1] = {0};
    const ph_problem p = weak(vec3(2.2, 1.0, 1.7), 1.0, none);
    const ph_vec3 starts[] = {{0.3, 1.2, -0.4}, {-1.1, 0.2, 0.5}, {0.2, 0, 0}, {0, 0.4, 0}};
    for (int k = 0; k < 4; k++) {
        ph_system *s = made(&p, "averaged", starts[k]);
        const ph_state before = ph_system_state(s);
        assert_true(norm(sub(before.m, starts[k])) < 1e-14);
        assert_true(fabs(fabs(dot4(before.q, p.q)) - 1.0) < 1e-14);
        assert_int_equal(PH_OK, ph_system_run_until(s, 1e9, NULL));
        const ph_state after = ph_system_state(s);
        assert_true(norm(sub(after.m, before.m)) == 0.0);
        assert_int_equal(1, ph_system_steps(s));
        assert_true(fabs(observed(s, "energy") - 0.5 * dot(starts[k], over(starts[k], p.body.J))) <
                    1e-14);
        ph_system_destroy(s);
    }
}

/* On a principal axis the motion stays there, and next to it comes to it or leaves it as exp(c t). */
static void test_principal_axis(void **state)
{
    (void)state;
    static const double friction[TERMS - 1] = {0, 0, 1, 0, 0};
    const ph_problem p = weak(vec3(1.0, 1.7, 2.2), 1e-6, friction);
    ph_system *s = made(&p, "averaged", vec3(0, 0, -1.1));
    assert_int_equal(PH_OK, ph_system_run_until(s, 1e7, NULL));
    assert_true(fabs(observed(s, "dynamic_inertia") - 2.2) < 1e-14);
    ph_system_destroy(s);
    s = made(&p, "averaged", vec3(0.4, 0.5, 1.1));
    double excess[3];
    for (int k = 0; k < 3; k++) {
        assert_int_equal(PH_OK, ph_system_run_until(s, 5e6 + 1e6 * k, NULL));
        excess[k] = 1.0 / observed(s, "dynamic_inertia") - 1.0 / 2.2;
    }
    assert_true(excess[0] > 0.0 && excess[0] < 1e-3);
    assert_true(fabs(excess[1] / excess[0] - excess[2] / excess[1]) < 1e-3 * excess[1] / excess[0]);
    ph_system_destroy(s);
}

/* Friction by a quality factor on an oblate body: its polhode has the frequency
 * C |H| (1/I1 - 1/I3), C^2 = 1 - s, so that s' = -(|H| (1/I1 - 1/I3)/Q) s sqrt(1 - s), and with
 * x = sqrt(1 - s), atanh(x) grows by half that rate. */
static void test_quality(void **state)
{
    (void)state;
    const double Q = 1e4, t = 5e4, m[3] = {0.8, 0.3, 0.9}, J[3] = {1.0, 1.0, 1.9};
    const ph_setting settings[] = {{"inertia", J, 3}, {"momentum", m, 3}, {"quality", &Q, 1}};
    ph_system *s = NULL;
    const ph_system_settings with = {"free", .integrator = "averaged", .settings = settings,
                                     .setting_count = 3};
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    const double H2 = m[0] * m[0] + m[1] * m[1] + m[2] * m[2], range = 1.0 / J[0] - 1.0 / J[2],
                 x = tanh(atanh(m[2] / sqrt(H2)) + 0.5 * t * sqrt(H2) * range / Q),
                 T = 0.5 * H2 * (1.0 / J[2] + range * (1.0 - x * x));
    const slow before = slow_of(s);
    assert_int_equal(PH_OK, ph_system_run_until(s, t, NULL));
    assert_true(fabs(slow_of(s).T - T) < 1e-9 * T && before.T > 1.1 * T);
    assert_true(norm(sub(slow_of(s).H, before.H)) < 1e-14);
    ph_system_destroy(s);
}

/* ---- averages ------------------------------------------------------------------------------- */

/* The nodes that the tolerance asks for give the average of many more. */
static void test_nodes(void **state)
{
    (void)state;
    static const double all[TERMS - 1] = {1, 0.3, 0.2, 0.4, 0.5};
    const ph_problem p = weak(vec3(1.0, 1.7, 2.2), 1.0, all);
    const double levels[] = {0.0, 1e-9, 0.2, 0.38, 0.45, 0.9, 1.0};
    for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++) {
        const spin s = {.H = {0.3, -1.2, 0.4}, .level = levels[k], .side = 1.0};
        averaging a = {.p = &p, .body = ph_spin_body(p.body.J), .tolerance = 1e-10};
        const bool above = levels[k] > a.body.divides;
        node_counts few = {0}, many = {128, 64, 1};
        const averages x = ph_averages(&a, &s, above, 0.0, true, &few);
        a.tolerance = 0.0; /* all nodes */
        const averages y = ph_averages(&a, &s, above, 0.0, true, &many);
        assert_true(x.evaluations < 0.2 * y.evaluations);
        assert_true(norm(sub(x.H, y.H)) < 1e-10 * y.torque);
        assert_true(fabs(x.level - y.level) < 1e-9 * y.torque);
        assert_true(x.error < 1e-9);
    }
}

/* The period and the precession are those of the free motion. */
static void test_periods(void **state)
{
    (void)state;
    static const double none[TERMS - 1] = {0};
    const ph_problem p = weak(vec3(2.2, 1.0, 1.7), 1.0, none);
    const ph_vec3 starts[] = {{0.3, 1.2, -0.4}, {-1.1, 0.2, 0.5}};
    for (int k = 0; k < 2; k++) {
        ph_system *s = made(&p, "averaged", starts[k]);
        const ph_state start = ph_system_state(s);
        ph_motion free;
        assert_int_equal(PH_OK, ph_motion_prepare(&free, &p.body, &start));
        const double period = ph_motion_period(&free),
                     precession = 2.0 * PH_PI / fabs(ph_motion_precession(&free));
        assert_true(fabs(observed(s, "polhode_period") - period) < 1e-12 * period);
        assert_true(fabs(observed(s, "precession_period") - precession) < 1e-12 * precession);
        ph_system_destroy(s);
    }
}

/* ---- the separatrix -------------------------------------------------------------------------- */

/* Friction leads to the separatrix. The run ends before it, and can be continued on either side. */
static void test_separatrix(void **state)
{
    (void)state;
    static const double friction[TERMS - 1] = {0, 0, 1, 0, 0};
    const ph_problem p = weak(vec3(1.0, 1.7, 2.2), 1e-5, friction);
    ph_system *s = made(&p, "averaged", vec3(1.1, 0.8, 0.2));
    assert_int_equal(PH_AT_SEPARATRIX, ph_system_run_until(s, 1e6, NULL));
    const double t = ph_system_time(s), inertia = observed(s, "dynamic_inertia");
    assert_true(t > 1.4e5 && t < 1.6e5); /* direct integration crosses it at 1.52e5 */
    assert_true(inertia < 1.7 - 1e-6 && inertia > 1.6995); /* before it */
    assert_int_equal(PH_AT_SEPARATRIX, ph_system_run_until(s, 1e6, NULL));
    assert_true(ph_system_time(s) == t);
    char text[PH_MESSAGE];
    ph_kind_of(s)->caution(s->self, t, text);
    assert_non_null(strstr(text, "separatrix"));
    /* the momentum that the message gives, about the other axis */
    const slow before = slow_of(s);
    const char *numbers = strstr(text, "the momentum ") + strlen("the momentum ");
    char *rest;
    double *m = find_field(s, "momentum")->data[0], *q = find_field(s, "attitude")->data[0];
    ph_vec3 beyond;
    beyond.x = strtod(numbers, &rest);
    beyond.y = strtod(rest + 1, &rest);
    beyond.z = strtod(rest + 1, &rest);
    const ph_quat turned =
        ph_turn_to(scale(1.0 / norm(beyond), beyond), scale(1.0 / norm(before.H), before.H));
    memcpy(m, &beyond, sizeof beyond);
    memcpy(q, &turned, sizeof turned);
    assert_int_equal(PH_OK, ph_system_changed(s));
    assert_true(norm(sub(slow_of(s).H, before.H)) < 1e-9);
    assert_true(fabs(slow_of(s).T - before.T) < 1e-4);
    assert_int_equal(PH_OK, ph_system_run_until(s, 5e6, NULL));
    assert_true(observed(s, "dynamic_inertia") > 2.19);
    ph_system_destroy(s);
}

/* ---- resonance ---------------------------------------------------------------------------------- */

/* A body whose frequencies are 2:1 for long, as the torque is weak; and one whose are not. */
static void test_resonance(void **state)
{
    (void)state;
    static const double light[TERMS - 1] = {1, 0, 0, 0, 0};
    const ph_vec3 J = {1.0, 1.7, 2.2};
    const spin_body b = ph_spin_body(J);
    spin s = {.H = {0, 0, 1.3}, .side = 1.0};
    double low = b.divides + 1e-6, high = 1.0 - 1e-6;
    for (int k = 0; k < 60; k++) { /* bisection */
        s.level = 0.5 * (low + high);
        const frequencies f = ph_spin_frequencies(&b, &s, true);
        *(2.0 * f.polhode < fabs(f.precession) ? &low : &high) = s.level;
    }
    for (int k = 0; k < 2; k++, s.level += 0.05) {
        const polhode_curve c = ph_spin_curve(&b, &s, true);
        const ph_problem p = weak(J, 1e-4, light);
        ph_system *system = made(&p, "averaged", ph_spin_momentum(&b, &s, &c, 0.1));
        char text[PH_MESSAGE] = "";
        assert_int_equal(PH_OK, ph_system_run_until(system, 50.0, NULL));
        ph_kind_of(system)->caution(system->self, ph_system_time(system), text);
        const ph_observable *o = NULL;
        assert_int_equal(PH_OK, ph_system_observable_named(system, "resonance", &o));
        const double expected[2][3] = {{2, 1, 50}, {0, 0, 0}};
        assert_memory_equal(expected[k], o->now, sizeof o->now);
        assert_true((strstr(text, "resonance 2:1") != NULL) == (k == 0));
        ph_system_destroy(system);
    }
}

/* ---- settings, snapshots, rows ------------------------------------------------------------------ */

static void refused(const ph_system_settings *with, ph_status status, const char *why)
{
    ph_system *s = NULL;
    ph_message message = {0};
    ph_system_settings settings = *with;
    settings.message = &message;
    settings.integrator = "averaged";
    assert_int_equal(status, ph_system_create(&settings, &s));
    assert_null(s);
    if (strstr(message.text, why) == NULL)
        fail_msg("%s: %s", why, message.text);
}

static ph_vec3 pulse(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    return vec3(0, 0, now->t < 5.0 ? 0.0 : 1e-3);
}

static void test_refusals(void **state)
{
    (void)state;
    static const double zero[3] = {0}, wheel[3] = {0, 0, 1}, negative = -1.0;
    const ph_setting rest = {"momentum", zero, 3}, wheels = {"wheels", wheel, 3},
                     period = {"period", &negative, 1};
    ph_problem late = *find_problem("free");
    late.torque = pulse;
    refused(&(ph_system_settings){"free", .settings = &rest, .setting_count = 1}, PH_BAD_STATE,
            "rotates");
    refused(&(ph_system_settings){"spacecraft", .settings = &wheels, .setting_count = 1},
            PH_NOT_APPLICABLE, "wheels");
    refused(&(ph_system_settings){"gyrostat", .step = 0.0}, PH_NOT_APPLICABLE, "wheels");
    refused(&(ph_system_settings){"free", .settings = &period, .setting_count = 1},
            PH_BAD_PARAMETER, "positive");
    refused(&(ph_system_settings){.own_problem = &late}, PH_NOT_APPLICABLE, "depends on time");
    refused(&(ph_system_settings){"no_such_problem", .step = 0.0}, PH_UNKNOWN_NAME, "");
}

/* A snapshot continues with the same bits, and rows and events change nothing. */
static void test_snapshot(void **state)
{
    (void)state;
    static const double factors[TERMS - 1] = {1, 0.3, 0.2, 0, 0.5};
    const ph_problem p = weak(vec3(1.0, 1.7, 2.2), 1e-5, factors);
    const ph_vec3 m = {0.4, 0.3, 1.2};
    ph_system *a = made(&p, "averaged", m), *b = made(&p, "averaged", m), *c = NULL;
    double times[TIMES];
    record r = {.count = 0};
    for (int k = 0; k < TIMES; k++)
        times[k] = 1e4 * k + 1.0;
    const ph_observer o = {.observe = note, .context = &r, .times = times, .count = TIMES};
    assert_int_equal(PH_OK, ph_system_run(a, 3, NULL));
    assert_int_equal(PH_OK, ph_system_run(b, 3, NULL));
    const size_t size = ph_system_save(a, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(size, ph_system_save(a, bytes, size));
    assert_int_equal(PH_OK, ph_system_from_snapshot_of(&p, bytes, size, &c));
    assert_string_equal("averaged", ph_system_kind(c));
    assert_int_equal(PH_OK, ph_system_run_until(a, 2e5, NULL));
    assert_int_equal(PH_OK, ph_system_run_until(b, 2e5, &o));
    assert_int_equal(PH_OK, ph_system_run_until(c, 2e5, NULL));
    const ph_state x = ph_system_state(a), y = ph_system_state(b), z = ph_system_state(c);
    assert_memory_equal(&x, &y, sizeof x);
    assert_memory_equal(&x, &z, sizeof x);
    free(bytes);
    ph_system_destroy(a);
    ph_system_destroy(b);
    ph_system_destroy(c);
}

/* A body in other axes than the principal ones moves as the same body in those. */
static void test_axes(void **state)
{
    (void)state;
    static const double friction[TERMS - 1] = {0, 0, 1, 0, 0};
    ph_problem p = weak(vec3(1.0, 1.7, 2.2), 1e-5, friction), turned = p;
    const ph_quat axes = ph_quat_unit((ph_quat){0.8, 0.3, -0.4, 0.2});
    turned.body.axes = axes;
    turned.body.principal = false;
    turned.q = mul(ph_quat_unit(p.q), inverse(axes));
    const ph_vec3 m = {0.4, 0.3, 1.2};
    ph_system *a = made(&p, "averaged", m), *b = made(&turned, "averaged", rotate(axes, m));
    assert_int_equal(PH_OK, ph_system_run_until(a, 1e5, NULL));
    assert_int_equal(PH_OK, ph_system_run_until(b, 1e5, NULL));
    const slow x = slow_of(a), y = slow_of(b);
    assert_true(norm(sub(x.H, y.H)) < 1e-8 && fabs(x.T - y.T) < 1e-8);
    const ph_state s = ph_system_state(a), other = ph_system_state(b);
    assert_true(norm(sub(rotate(axes, s.m), other.m)) < 1e-8);
    ph_system_destroy(a);
    ph_system_destroy(b);
}

/* ---- a torque with a period ------------------------------------------------------------------ */

/* The gradient of gravity over orbit and rotation: the error is that of the slower angle, the orbit. */
static void test_orbit(void **state)
{
    (void)state;
    const double w[3] = {0.2, 0.03, 0.02}, inclination = 0.9, eccentricity = 0.1, T = 4e5;
    const ph_setting settings[] = {
        {"velocity", w, 3}, {"inclination", &inclination, 1}, {"eccentricity", &eccentricity, 1}};
    ph_system *both[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        const ph_system_settings with = {"spacecraft", .integrator = k == 0 ? "averaged" : "gbs",
                                         .tolerance = 1e-11, .settings = settings,
                                         .setting_count = 3};
        assert_int_equal(PH_OK, ph_system_create(&with, &both[k]));
    }
    const slow start = slow_of(both[1]);
    for (int k = 0; k < 2; k++)
        assert_int_equal(PH_OK, ph_system_run_until(both[k], T, NULL));
    const slow a = slow_of(both[0]), d = slow_of(both[1]);
    const double length = norm(start.H), moved = norm(sub(d.H, start.H)) / length,
                 estimate = observed(both[0], "error_estimate");
    assert_true(moved > 0.03 && estimate < 0.01);
    assert_true(ph_system_steps(both[0]) < 10); /* which do not follow the orbits */
    assert_true(norm(sub(a.H, d.H)) / length < estimate);
    assert_true(fabs(a.T - d.T) / start.T < estimate);
    ph_system_destroy(both[0]);
    ph_system_destroy(both[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_order), cmocka_unit_test(test_damped_symmetric),
        cmocka_unit_test(test_no_torque),   cmocka_unit_test(test_principal_axis),
        cmocka_unit_test(test_quality),     cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_periods),     cmocka_unit_test(test_separatrix),
        cmocka_unit_test(test_resonance),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_snapshot),    cmocka_unit_test(test_axes),
        cmocka_unit_test(test_orbit),
    };
    return cmocka_run_group_tests_name("averaged", tests, NULL, NULL);
}
