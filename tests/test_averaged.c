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
#include "kinds/averaged/averaged.h"
#include "polhode/expression.h"
#include "support/page.h"
#include "support/weak_torques.h"
#include "system/find.h"
#include "system/kind.h"

static double observed(ph_system *s, const char *name)
{
    const ph_observable *o = NULL;
    assert_int_equal(PH_OK, ph_system_observable_named(s, name, &o));
    return o->now[0];
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
        const double large = weak_difference(cases[k].J, cases[k].m, cases[k].factors, 4e-4),
                     small = weak_difference(cases[k].J, cases[k].m, cases[k].factors, 4e-5),
                     order = log10(large / small);
        if (!(small < 10.0 * 4e-5 && order > 0.8 && order < 1.2))
            fail_msg("case %zu: errors %g, %g, order %g", k, large, small, order);
    }
}

/* The mean difference of H and T over the second half of a run, in which what oscillates is gone. */
static double mean_difference(const slow_record *x, const slow_record *y, const slow *start)
{
    ph_vec3 H = {0, 0, 0};
    double T = 0.0;
    for (int k = 0; k < SLOW_TIMES; k++) {
        H = add(H, scale(1.0 / SLOW_TIMES, sub(x->at[k].H, y->at[k].H)));
        T += (x->at[k].T - y->at[k].T) / SLOW_TIMES;
    }
    return larger_or_nan(norm(H) / norm(start->H), fabs(T) / start->T);
}

/* Without the short-period part of the start the average follows the middle of the motion. */
static void test_mean_start(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        ph_vec3 J, m;
        double factors[TERMS - 1];
    } cases[] = {
        {"light, short-axis mode", {1.1, 1.5, 2.3}, {-0.5, 0.3, 1.3}, {1}},
        {"light and damping, long-axis mode", {2.0, 1.4, 0.9}, {0.2, -0.5, 1.2}, {1, 0.4}},
        {"gravity, long-axis mode", {1.0, 1.7, 2.2}, {-1.4, 0.4, 0.2}, {0, 0, 0, 0, 1}},
        {"light and damping, symmetric body", {1.0, 2.0, 2.0}, {1.2, 0.6, 0.2}, {1, 0.1}},
        {"light, sphere", {2.0, 2.0, 2.0}, {0.7, 0.5, 1.0}, {1}},
        {"gravity over an orbit", {1.4, 2.2, 1.8}, {0.3, 1.3, 0.4}, {0, 0, 0, 0, 1, 0.05}},
    };
    const double eps = 1e-4;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        static const char *const methods[] = {"gbs", "averaged", "mean start"};
        const ph_problem p = weak_problem(cases[k].J, eps, cases[k].factors);
        slow start = {.T = 0.0};
        slow_record r[3];
        for (int i = 0; i < 3; i++) {
            ph_system *s = weak_system(&p, methods[i], cases[k].m);
            if (i == 0)
                start = slow_of(s);
            r[i] = slow_run(s, 1.0 / eps);
            ph_system_destroy(s);
        }
        const double without = mean_difference(&r[1], &r[0], &start),
                     with = mean_difference(&r[2], &r[0], &start);
        if (!(without > 0.1 * eps && with < 0.55 * without))
            fail_msg("case %zu: %g eps, with the option %g eps", k, without / eps, with / eps);
        const double most_without = slow_difference(&r[1], &r[0], &start),
                     most_with = slow_difference(&r[2], &r[0], &start);
        assert_true(most_with < 0.9 * most_without);
        page_says("averaged.md", "| %s | %.2f (%.2f) | %.2f (%.2f) |", cases[k].name, without / eps,
                  most_without / eps, with / eps, most_with / eps);
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
        const ph_problem p = weak_problem(bodies[k], 1e-6, damping);
        const double t = 1e6, along = exp(-t * 1e-6 / bodies[k].x),
                     across = exp(-t * 1e-6 / bodies[k].y);
        ph_system *s = weak_system(&p, "averaged", m);
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
    const ph_problem p = weak_problem(vec3(2.2, 1.0, 1.7), 1.0, none);
    const ph_vec3 starts[] = {{0.3, 1.2, -0.4}, {-1.1, 0.2, 0.5}, {0.2, 0, 0}, {0, 0.4, 0}};
    for (int k = 0; k < 4; k++) {
        ph_system *s = weak_system(&p, "averaged", starts[k]);
        const ph_state before = ph_system_state(s);
        assert_true(norm(sub(before.m, starts[k])) < 1e-14);
        assert_true(fabs(fabs(dot4(before.q, p.q)) - 1.0) < 1e-14);
        assert_int_equal(PH_OK, ph_system_run_until(s, 1e9, NULL));
        const ph_state after = ph_system_state(s);
        assert_true(norm(sub(after.m, before.m)) == 0.0);
        assert_int_equal(1, ph_system_steps(s));
        size_t count;
        const ph_observable *o = ph_system_observables(s, &count);
        for (size_t i = 0; i < count; i++) { /* what a run says at its end */
            const bool kept =
                strcmp(o[i].name, "energy") == 0 || strcmp(o[i].name, "momentum") == 0;
            assert_int_equal(kept, o[i].watched);
        }
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
    const ph_problem p = weak_problem(vec3(1.0, 1.7, 2.2), 1e-6, friction);
    ph_system *s = weak_system(&p, "averaged", vec3(0, 0, -1.1));
    assert_int_equal(PH_OK, ph_system_run_until(s, 1e7, NULL));
    assert_true(fabs(observed(s, "dynamic_inertia") - 2.2) < 1e-14);
    ph_system_destroy(s);
    s = weak_system(&p, "averaged", vec3(0.4, 0.5, 1.1));
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
    const ph_problem p = weak_problem(vec3(1.0, 1.7, 2.2), 1.0, all);
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

/* Light on a few facets, each with a kink where it turns away. To be freed by ph_problem_release(). */
static ph_problem facets(ph_vec3 J, double eps)
{
    static const ph_parameter names[] = {{"e", 0, 1, "1", "", PH_RANGE_ANY},
                                         {"c", 1, 3, "1", "", PH_RANGE_ANY}};
    const double values[] = {eps, 0.3, -0.2, 0.5};
    const ph_expressions from = {
        .parameters = names,
        .parameter_count = 2,
        .value = values,
        .torque = {"e*(max(0, R12+0.3*R13)*(c2*R13-c3*R12)+max(0, -R11)^2*R13)",
                   "e*(max(0, R12+0.3*R13)*(c3*R11-c1*R13)-max(R11-0.2, 0)*R13)",
                   "e*(max(0, R12+0.3*R13)*(c1*R12-c2*R11)+abs(0.6*R11-0.8*R13)*R12-0.2*R13)"}};
    ph_problem p;
    assert_int_equal(PH_OK, ph_problem_from_expressions(&from, &p, NULL));
    assert_int_equal(PH_OK, ph_body_from_moments(&p.body, J));
    return p;
}

/* With kinks the average is divided at these, and converges with few nodes; nodes at equal distances
 * come to the same value, with many more. */
static void test_kinks(void **state)
{
    (void)state;
    ph_problem p = facets(vec3(1.0, 1.7, 2.2), 1.0), smooth = p;
    const double levels[] = {0.0, 0.2, 0.3, 0.7, 0.97};
    smooth.load = NULL; /* as a problem whose kinks are not known */
    for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++) {
        const spin s = {.H = {0.3, -1.2, 0.4}, .level = levels[k], .side = 1.0};
        averaging a = {.p = &p, .body = ph_spin_body(p.body.J), .tolerance = 1e-8};
        const bool above = levels[k] > a.body.divides;
        node_counts n = {0}, most = {256, 256, 1};
        const averages x = ph_averages(&a, &s, above, 0.0, true, &n),
                       all = ph_averages(&a, &s, above, 0.0, false, &most);
        a.p = &smooth;
        most = (node_counts){256, 256, 1};
        const averages equal = ph_averages(&a, &s, above, 0.0, false, &most);
        assert_true(x.error < 1e-8 && x.evaluations < 0.8 * equal.evaluations);
        assert_true(norm(sub(x.H, all.H)) < 1e-8 * all.torque);
        assert_true(fabs(x.level - all.level) < 1e-8 * all.torque);
        const double far = k == 0 ? 3e-5 : 5e-6; /* on an axis one angle is left: 1/256^2 */
        assert_true(norm(sub(equal.H, all.H)) < far * all.torque);
        assert_true(fabs(equal.level - all.level) < far * all.torque);
    }
    ph_problem_release(&p);
}

/* Kinks of a function that is not linear in R, and those of a torque with a period in time, are not divided:
 * the average is that of equal distances. */
static void test_kinks_not_divided(void **state)
{
    (void)state;
    const ph_expressions from = {.torque = {"max(0,R11^2-0.3)", "R13", "abs(R21*R32)"}};
    const spin s = {.H = {0.3, -1.2, 0.4}, .level = 0.2, .side = 1.0};
    for (int periodic = 0; periodic < 2; periodic++) {
        ph_problem p;
        if (periodic) {
            p = facets(vec3(1.0, 1.7, 2.2), 1.0);
        } else {
            assert_int_equal(PH_OK, ph_problem_from_expressions(&from, &p, NULL));
            assert_int_equal(PH_OK, ph_body_from_moments(&p.body, vec3(1.0, 1.7, 2.2)));
        }
        ph_problem smooth = p;
        smooth.load = NULL;
        averaging a = {.p = &p,
                       .body = ph_spin_body(p.body.J),
                       .tolerance = 1e-3,
                       .period = periodic ? 50.0 : 0.0};
        const averages x = ph_averages(&a, &s, false, 0.0, true, &(node_counts){0});
        a.p = &smooth;
        const averages y = ph_averages(&a, &s, false, 0.0, true, &(node_counts){0});
        assert_true(norm(sub(x.H, y.H)) == 0.0 && x.level == y.level && y.torque > 0.1);
        assert_true(x.evaluations == y.evaluations && x.error == y.error);
        ph_problem_release(&p);
    }
}

/* The tables of nodes and errors, of one facet. */
static void test_kinks_documented(void **state)
{
    (void)state;
    static const ph_parameter name = {"c", 0, 3, "1", "", PH_RANGE_ANY};
    const double lever[] = {0.3, -0.2, 0.5};
    const ph_expressions from = {.parameters = &name,
                                 .parameter_count = 1,
                                 .value = lever,
                                 .torque = {"max(0,R12+0.3*R13)*(c2*R13-c3*R12)",
                                            "max(0,R12+0.3*R13)*(c3*R11-c1*R13)",
                                            "max(0,R12+0.3*R13)*(c1*R12-c2*R11)"}};
    ph_problem p, smooth;
    assert_int_equal(PH_OK, ph_problem_from_expressions(&from, &p, NULL));
    assert_int_equal(PH_OK, ph_body_from_moments(&p.body, vec3(1.0, 1.7, 2.2)));
    smooth = p;
    smooth.load = NULL;
    averaging a = {.p = &p, .body = ph_spin_body(p.body.J)};
    const spin s[2] = {{.H = {0.3, -1.2, 0.4}, .level = 0.2, .side = 1.0},
                       {.H = {0.3, -1.2, 0.4}, .level = 0.7, .side = 1.0}};
    averages all[2];
    for (int k = 0; k < 2; k++)
        all[k] = ph_averages(&a, &s[k], k == 1, 0.0, false, &(node_counts){256, 256, 1});
    static const double counts[2][4] = {{16, 32, 64, 128}, {32, 64, 128, 256}};
    for (int equal = 0; equal < 2; equal++) {
        a.p = equal ? &smooth : &p;
        for (int i = 0; i < 4; i++) {
            double error[2], nodes[2];
            for (int k = 0; k < 2; k++) {
                node_counts n = {counts[equal][i], counts[equal][i], 1};
                const averages x = ph_averages(&a, &s[k], k == 1, 0.0, false, &n);
                error[k] = norm(sub(x.H, all[k].H)) / all[k].torque;
                nodes[k] = x.evaluations;
            }
            if (equal)
                page_says("averaged.md", "| equal distances | %.0f | %.1e | %.0f | %.1e |",
                          nodes[0], error[0], nodes[1], error[1]);
            else if (error[1] > 1e-14)
                page_says("averaged.md", "| between kinks | %.0f | %.1e | %.0f | %.1e |", nodes[0],
                          error[0], nodes[1], error[1]);
            else
                page_says("averaged.md", "| between kinks | %.0f | %.1e | %.0f | round-off |",
                          nodes[0], error[0], nodes[1]);
        }
    }
    ph_problem_release(&p);
}

/* Two jumps of the torque, where R1.n passes -d, and a third component that is always 1. To be freed by
 * ph_problem_release(). */
static ph_problem jumps(ph_vec3 J, const ph_vec3 n[2], const double d[2])
{
    static const ph_parameter names[] = {{"n", 0, 3, "1", "", PH_RANGE_ANY},
                                         {"k", 3, 3, "1", "", PH_RANGE_ANY},
                                         {"d", 6, 2, "1", "", PH_RANGE_ANY}};
    const double values[] = {n[0].x, n[0].y, n[0].z, n[1].x, n[1].y, n[1].z, d[0], d[1]};
    const ph_expressions from = {
        .parameters = names,
        .parameter_count = 3,
        .value = values,
        .torque = {"abs(n1*R11+n2*R12+n3*R13+d1)/(n1*R11+n2*R12+n3*R13+d1)",
                   "abs(k1*R11+k2*R12+k3*R13+d2)/(k1*R11+k2*R12+k3*R13+d2)", "1"}};
    ph_problem p;
    assert_int_equal(PH_OK, ph_problem_from_expressions(&from, &p, NULL));
    assert_int_equal(PH_OK, ph_body_from_moments(&p.body, J));
    return p;
}

/* The direction of m at a phase. */
static ph_vec3 direction_at(const spin_body *b, const spin *s, bool above, double phase)
{
    const polhode_curve c = ph_spin_curve(b, s, above);
    return scale(1.0 / norm(s->H), ph_spin_momentum(b, s, &c, phase));
}

/* The d for which R1.n + d has a double zero on the turn about H at a phase: the angle between n and
 * the first axis in space is at most the sum of those between n and m, m and that axis. */
static double touches_at(const spin_body *b, const spin *s, bool above, ph_vec3 n, double phase)
{
    const ph_vec3 m = direction_at(b, s, above, phase);
    return -cos(acos(dot(n, m)) + acos(s->H.x / norm(s->H)));
}

/* Both zeros of a jump are there, or not, only between two phases that are near each other: these are
 * found, too, so that few nodes give what many do. All parts of the period together are the period. */
static void test_narrow_cuts(void **state)
{
    (void)state;
    const ph_vec3 J = {1.0, 1.7, 2.2}, v[] = {{0.3, 0.5, -0.8}, {0.9, -0.1, 0.2}, {-0.2, 0.7, 0.6}};
    const double levels[] = {0.2, 0.7}, middle[] = {0.005, 0.1307, 0.406, 0.8445},
                 widths[] = {0.006, 0.01};
    const spin_body b = ph_spin_body(J);
    for (int k = 0; k < 2 * 3 * 4 * 2; k++) {
        const spin s = {.H = {0.3, -1.2, 0.4}, .level = levels[k % 2], .side = 1.0};
        const bool above = k % 2 == 1;
        const double u = middle[k / 2 % 4], w = widths[k / 8 % 2], small = 1e-4;
        /* n.m has an extremum at u: the window is about it; the other jump begins before it */
        const ph_vec3 turning = sub(direction_at(&b, &s, above, u + small),
                                    direction_at(&b, &s, above, u - small)),
                      across = cross(turning, v[k / 16]),
                      n[2] = {scale(1.0 / norm(across), across), v[(k / 16 + 1) % 3]},
                      other = scale(1.0 / norm(n[1]), n[1]);
        const double d[2] = {touches_at(&b, &s, above, n[0], u + 0.5 * w),
                             norm(n[1]) * touches_at(&b, &s, above, other, u - 0.5 * w - 0.0007)};
        ph_problem p = jumps(J, n, d);
        const averaging a = {.p = &p, .body = b, .tolerance = 1e-8};
        node_counts few = {128, 16, 1}, many = {256, 16, 1};
        const averages x = ph_averages(&a, &s, above, 0.0, false, &few),
                       y = ph_averages(&a, &s, above, 0.0, false, &many);
        if (!(fabs(x.in_body.z - 1.0) < 1e-13 && norm(sub(x.in_body, y.in_body)) < 5e-7 &&
              norm(sub(x.H, y.H)) < 5e-7))
            fail_msg("case %d: 1%+g, off by %g, %g", k, x.in_body.z - 1.0,
                     norm(sub(x.in_body, y.in_body)), norm(sub(x.H, y.H)));
        ph_problem_release(&p);
    }
}

/* Facets against direct integration; also in other axes than the principal ones. */
static void test_facets(void **state)
{
    (void)state;
    const double eps = 1e-4;
    ph_problem p = facets(vec3(1.0, 1.7, 2.2), eps);
    p.body.axes = ph_quat_unit((ph_quat){0.8, 0.3, -0.4, 0.2});
    p.body.principal = false;
    const ph_vec3 m = {0.5, 0.3, 1.3};
    ph_system *mean = weak_system(&p, "averaged", m), *direct = weak_system(&p, "dop853", m);
    const slow start = slow_of(direct);
    const slow_record slowly = slow_run(mean, 0.5 / eps), directly = slow_run(direct, 0.5 / eps);
    assert_true(slow_difference(&slowly, &directly, &start) < 10.0 * eps);
    assert_true(norm(sub(slow_of(mean).H, start.H)) > 0.05);
    assert_true(ph_system_evaluations(mean) < 1000000);
    ph_system_destroy(mean);
    ph_system_destroy(direct);
    ph_problem_release(&p);
}

/* The period and the precession are those of the free motion. */
static void test_periods(void **state)
{
    (void)state;
    static const double none[TERMS - 1] = {0};
    const ph_problem p = weak_problem(vec3(2.2, 1.0, 1.7), 1.0, none);
    const ph_vec3 starts[] = {{0.3, 1.2, -0.4}, {-1.1, 0.2, 0.5}};
    for (int k = 0; k < 2; k++) {
        ph_system *s = weak_system(&p, "averaged", starts[k]);
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
    const ph_problem p = weak_problem(vec3(1.0, 1.7, 2.2), 1e-5, friction);
    ph_system *s = weak_system(&p, "averaged", vec3(1.1, 0.8, 0.2));
    assert_int_equal(PH_AT_SEPARATRIX, ph_system_run_until(s, 1e6, NULL));
    const double t = ph_system_time(s), inertia = observed(s, "dynamic_inertia");
    assert_true(t > 1.4e5 && t < 1.6e5); /* direct integration crosses it at 1.52e5 */
    assert_true(inertia < 1.7 - 1e-6 && inertia > 1.6995); /* before it */
    assert_int_equal(PH_AT_SEPARATRIX, ph_system_run_until(s, 1e6, NULL));
    assert_true(ph_system_time(s) == t);
    ph_system *other = weak_system(&p, "averaged", vec3(1.1, 0.8, 0.2)); /* by other steps */
    assert_int_equal(PH_OK, ph_system_run_until(other, 0.999 * t, NULL));
    assert_int_equal(PH_AT_SEPARATRIX, ph_system_run_until(other, 1e6, NULL));
    assert_true(fabs(ph_system_time(other) - t) < 1e-7 * t);
    ph_system_destroy(other);
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
    for (int k = 0; k < 2; k++) {
        const polhode_curve c = ph_spin_curve(&b, &s, true);
        const ph_problem p = weak_problem(J, 1e-4, light);
        ph_system *system = weak_system(&p, "averaged", ph_spin_momentum(&b, &s, &c, 0.1));
        char text[PH_MESSAGE] = "";
        assert_int_equal(PH_OK, ph_system_run_until(system, 50.0, NULL));
        ph_kind_of(system)->caution(system->self, ph_system_time(system), text);
        const ph_observable *o = NULL;
        assert_int_equal(PH_OK, ph_system_observable_named(system, "resonance", &o));
        const double expected[2][3] = {{2, 1, 50}, {0, 0, 0}};
        assert_memory_equal(expected[k], o->now, sizeof o->now);
        assert_true((strstr(text, "resonance 2:1") != NULL) == (k == 0));
        ph_system_destroy(system);
        s.level += 0.05;
    }
}

/* The level between two at which p times the frequency of the polhode is q times that of the
 * precession. */
static double resonant_level(const spin_body *b, spin s, bool above, double low, double high, int p,
                             int q)
{
    for (int k = 0; k < 60; k++) { /* bisection; the polhode is slow next to the separatrix */
        s.level = 0.5 * (low + high);
        const frequencies f = ph_spin_frequencies(b, &s, above);
        const bool below = p * f.polhode < q * fabs(f.precession);
        *(below == above ? &low : &high) = s.level;
    }
    return s.level;
}

/* In a resonance the free motion is periodic. The mean of R torque and of the power over it depends on
 * the angle about H at the start: its harmonic q is the part that goes with p and q. */
static void test_resonant_torque(void **state)
{
    (void)state;
    enum { PARTS = 4, ANGLES = 32, NODES = 64 };
    static const double all[TERMS - 1] = {1, 0.3, 0, 0.4, 0.5};
    static const struct {
        ph_vec3 J;
        bool above;
        int p, q;
    } cases[] = {{{1.0, 1.7, 2.2}, true, 2, 1},
                 {{1.0, 1.7, 2.2}, true, 3, 2},
                 {{1.0, 1.9, 2.2}, false, 4, 1},
                 {{2.2, 1.7, 1.0}, false, 3, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const int p = cases[c].p, q = cases[c].q;
        const ph_problem problem = weak_problem(cases[c].J, 1.0, all);
        const averaging a = {.p = &problem, .body = ph_spin_body(cases[c].J)};
        const double divides = a.body.divides;
        spin s = {.H = {0.4, 0.3, 1.3}, .side = 1.0};
        const bool above = cases[c].above;
        s.level = resonant_level(&a.body, s, above, above ? divides + 1e-6 : 1e-6,
                                 above ? 1.0 - 1e-6 : divides - 1e-6, p, q);
        const frequencies f = ph_spin_frequencies(&a.body, &s, above);
        assert_true(fabs(p * f.polhode - q * fabs(f.precession)) < 1e-9);
        const polhode_curve curve = ph_spin_curve(&a.body, &s, above);
        const ph_vec3 m = ph_spin_momentum(&a.body, &s, &curve, 0.0),
                      h = scale(1.0 / norm(s.H), s.H);
        const double T = 0.5 * dot(m, over(m, cases[c].J));
        double cosine[PARTS] = {0}, sine[PARTS] = {0}, square = 0.0;
        for (int i = 0; i < ANGLES; i++) {
            const double angle = 2.0 * PH_PI * i / ANGLES;
            const ph_state start = {
                mul(turn_about(h, 0.5 * angle), ph_turn_to(scale(1.0 / norm(m), m), h)), m};
            ph_motion motion;
            assert_int_equal(PH_OK, ph_motion_prepare(&motion, &problem.body, &start));
            for (int k = 0; k < NODES * q; k++) {
                const ph_state at = ph_motion_at(&motion, curve.period * k / NODES);
                const ph_vec3 w = over(at.m, cases[c].J),
                              torque = torque_moving(&problem, 0.0, at.q, at.m, w),
                              R_torque = rotate(at.q, torque);
                const double part[PARTS] = {R_torque.x, R_torque.y, R_torque.z,
                                            dot(torque, w) * norm(m) / T};
                for (int n = 0; n < PARTS; n++) {
                    cosine[n] += cos(q * angle) * part[n];
                    sine[n] += sin(q * angle) * part[n];
                }
            }
        }
        for (int n = 0; n < PARTS; n++)
            square += cosine[n] * cosine[n] + sine[n] * sine[n];
        const double expected = sqrt(2.0 * square) / (ANGLES * NODES * q),
                     found = ph_resonant_torque(&a, &s, above, 0.0, p, q,
                                                &(node_counts){.along = 32, .about = 32});
        if (!(expected > 1e-4 && fabs(found - expected) < 1e-3 * expected))
            fail_msg("%d:%d: %g, not %g", p, q, found, expected);
    }
}

/* A motion that passes a resonance has an error of the size of the root of eps: it is reported. */
static void test_passage(void **state)
{
    (void)state;
    static const double damping[TERMS - 1] = {0, 1};
    const double eps = 1e-5;
    const ph_vec3 J = {1.2, 1.9, 2.4}, m = {0.6, -0.2, 1.1};
    const ph_problem p = weak_problem(J, eps, damping);
    ph_system *s = weak_system(&p, "averaged", m);
    char text[PH_MESSAGE] = "";
    assert_int_equal(PH_OK, ph_system_run_until(s, 1.0 / eps, NULL));
    ph_kind_of(s)->caution(s->self, ph_system_time(s), text);
    assert_non_null(strstr(text, "passes the resonance 4:1"));
    const double error = weak_difference(J, m, damping, eps),
                 estimate = observed(s, "error_estimate");
    assert_true(error > 4.0 * eps && error < estimate && estimate < 5.0 * error);
    ph_system_destroy(s);
}

/* So has one that starts in a resonance and leaves it, whatever its steps. */
static void test_start_in_resonance(void **state)
{
    (void)state;
    static const char torque[3][20] = {"e*R13*R23", "e*(R33^2-R11)", "e*R12*R31"};
    static const double eps = 1e-5, start[3] = {0.7813327571621043, 0.2, 1.3},
                        moments[3] = {1.0, 1.6, 2.2}, longest[] = {0.0, 2e3};
    const ph_parameter e = {"e", 0, 1, "1", "size", PH_RANGE_ANY};
    const ph_expressions field = {.torque = {torque[0], torque[1], torque[2]},
                                  .parameters = &e,
                                  .parameter_count = 1,
                                  .value = &eps};
    const ph_setting settings[] = {{"inertia", moments, 3}, {"momentum", start, 3}};
    ph_problem p;
    ph_system *s;
    double right[3], energy = 0.0;
    assert_int_equal(ph_problem_from_expressions(&field, &p, NULL), PH_OK);
    for (int k = -1; k < 2; k++) {
        const ph_system_settings with = {.own_problem = &p,
                                         .integrator = k < 0 ? "gbs" : "averaged",
                                         .tolerance = 1e-11,
                                         .longest_step = k < 0 ? 0.0 : longest[k],
                                         .settings = settings,
                                         .setting_count = 2};
        assert_int_equal(ph_system_create(&with, &s), PH_OK);
        assert_int_equal(ph_system_run_until(s, 1.0 / eps, NULL), PH_OK);
        if (k < 0) {
            const ph_observable *o;
            assert_int_equal(ph_system_observable_named(s, "space_momentum", &o), PH_OK);
            memcpy(right, o->now, sizeof right);
            energy = observed(s, "energy");
        } else {
            char text[PH_MESSAGE] = "";
            const ph_array *H;
            double square = 0.0, size = 0.0;
            assert_int_equal(ph_system_array_named(s, "momentum_space", &H), PH_OK);
            for (int i = 0; i < 3; i++) {
                square += (*H->data[i] - right[i]) * (*H->data[i] - right[i]);
                size += right[i] * right[i];
            }
            const double estimate = observed(s, "error_estimate"),
                         of_energy = fabs(observed(s, "energy") / energy - 1.0),
                         error = larger_or_nan(sqrt(square / size), of_energy);
            ph_kind_of(s)->caution(s->self, ph_system_time(s), text);
            assert_non_null(strstr(text, "starts next to the resonance 4:1"));
            assert_true(error > 50.0 * eps && error < estimate && estimate < 20.0 * error);
        }
        ph_system_destroy(s);
    }
    ph_problem_release(&p);
}

/* ---- what is computed how often ------------------------------------------------------------------ */

/* The times at which the torque was computed, one after the other, and how often at each. */
static struct {
    size_t count;
    struct {
        double t;
        uint64_t calls;
    } at[64];
} called;

static ph_vec3 (*counted)(const ph_problem *p, const ph_instant *now);

static ph_vec3 counting(const ph_problem *p, const ph_instant *now)
{
    if (called.count == 0 || called.at[called.count - 1].t != now->t) {
        if (called.count < sizeof called.at / sizeof called.at[0])
            called.at[called.count++].calls = 0;
        called.at[called.count - 1].t = now->t;
    }
    called.at[called.count - 1].calls++;
    return counted(p, now);
}

/* A problem whose torque is counted. */
static ph_problem counting_problem(ph_vec3 J, double eps)
{
    static const double light[TERMS - 1] = {1, 0, 0, 0, 0};
    ph_problem p = weak_problem(J, eps, light);
    counted = p.torque;
    p.torque = counting;
    called.count = 0;
    return p;
}

/* The nodes of an average are checked at the first stage of a step and at the last, and at no other. */
static void test_checked_stages(void **state)
{
    (void)state;
    const ph_problem p = counting_problem(vec3(1.0, 1.7, 2.2), 1e-4);
    ph_system *s = weak_system(&p, "averaged", vec3(0.4, 0.3, 1.4));
    assert_int_equal(PH_OK, ph_system_run(s, 1, NULL));
    averaged *a = s->self;
    const double t = a->run.now.t, h = 20.0;
    ph_trial_step out;
    called.count = 0;
    ph_averaged_method.attempt(&a->run, h, &out);
    assert_int_equal(called.count, 12);
    assert_true(called.at[0].t == t && called.at[11].t == t + h);
    for (int i = 1; i < 11; i++) {
        assert_int_equal(called.at[i].calls, a->now.nodes.along * a->now.nodes.about);
        assert_true(called.at[i].t > t && called.at[i].t < t + h);
    }
    assert_true(called.at[0].calls > called.at[1].calls);
    assert_true(called.at[11].calls > called.at[1].calls);
    ph_system_destroy(s);
}

/* Averages of a torque with kinks that are not divided do not converge. Their noise is the largest error of the
 * stages relative to |H|, and an attempt allows an error of that size. */
static void test_noise(void **state)
{
    (void)state;
    const double lengths[] = {0.5, 3.0}, h = 1000.0;
    const ph_expressions with_kinks = {
        .torque = {"1e-4*max(0,R11^2-0.3)", "1e-4*R13", "1e-4*abs(R21*R32)"}};
    for (int k = 0; k < 2; k++) {
        ph_problem p;
        assert_int_equal(PH_OK, ph_problem_from_expressions(&with_kinks, &p, NULL));
        assert_int_equal(PH_OK, ph_body_from_moments(&p.body, vec3(1.0, 1.7, 2.2)));
        ph_system *s = weak_system(&p, "averaged", scale(lengths[k], vec3(0.48, 0.36, 0.8)));
        averaged *a = s->self;
        const spin from = spin_of(a, a->now.y);
        assert_true(fabs(norm(from.H) - lengths[k]) < 1e-12);
        double slope[PH_UNKNOWNS];
        node_counts nodes = a->now.nodes;
        a->stage = 0;
        a->noise = 0.0;
        ph_averaged_method.rate(&a->run, 0.0, a->now.y, slope);
        const averages v = ph_averages(&a->of, &from, is_above(a), 0.0, true, &nodes);
        const double noise = v.error * v.torque / lengths[k];
        assert_true(v.error > a->of.tolerance && fabs(a->noise - noise) < 1e-9 * noise);
        a->stage = 0;
        a->noise = 2.0 * noise; /* that of a stage before */
        ph_averaged_method.rate(&a->run, 0.0, a->now.y, slope);
        assert_true(a->noise == 2.0 * noise);

        ph_trial_step out, plain;
        const slow_state start = a->now;
        const ph_adaptive_run run = a->run;
        ph_averaged_method.attempt(&a->run, h, &out);
        const double all = a->noise;
        assert_true(all > 0.1 * noise && all < 10.0 * noise);
        a->now = start; /* once more, with the nodes that were enough */
        a->run = run;
        a->stage = 0;
        ph_adaptive_dop853.attempt(&a->run, h, &plain);
        const double allowed = 1.0 + h * all / a->run.tolerance;
        assert_true(allowed > 2.0 && fabs(out.error * allowed / plain.error - 1.0) < 1e-12);
        assert_true(out.factor > plain.factor);
        ph_system_destroy(s);
        ph_problem_release(&p);
    }
}

/* If the last stage of a step needs more nodes than the first, all stages have as many. */
static void test_nodes_of_last_stage(void **state)
{
    (void)state;
    const double h = 40.0;
    const ph_expressions growing = {.torque = {"1e-6*R12", "1e-6*t*R13^12", "1e-6*R11"}};
    ph_problem p;
    assert_int_equal(PH_OK, ph_problem_from_expressions(&growing, &p, NULL));
    assert_int_equal(PH_OK, ph_body_from_moments(&p.body, vec3(1.0, 1.7, 2.2)));
    ph_system *s = weak_system(&p, "averaged", vec3(0.48, 0.36, 0.8));
    averaged *a = s->self;
    const slow_state start = a->now;
    const ph_adaptive_run run = a->run;
    ph_trial_step out, plain;
    ph_averaged_method.attempt(&a->run, h, &out);
    assert_true(a->least.along > start.nodes.along && a->least.about > start.nodes.about);
    assert_true(a->noise == 0.0);
    a->now = start; /* once more, with as many from the first on */
    a->now.nodes = a->least;
    a->run = run;
    a->stage = 0;
    ph_adaptive_dop853.attempt(&a->run, h, &plain);
    assert_true(out.error == plain.error && out.factor == plain.factor && out.error > 0.0);
    ph_system_destroy(s);
    ph_problem_release(&p);
}

/* The part of the torque that goes with a resonance is computed only next to that resonance. */
static void test_far_from_resonances(void **state)
{
    (void)state;
    const ph_vec3 J = {1.0, 1.7, 2.2};
    const spin_body b = ph_spin_body(J);
    spin level = {.H = {0, 0, 1.3}, .side = 1.0};
    const double at = resonant_level(&b, level, true, b.divides + 1e-6, 1.0 - 1e-6, 2, 1);
    for (int near = 0; near < 2; near++) {
        level.level = near ? at : at + 0.011;
        const polhode_curve c = ph_spin_curve(&b, &level, true);
        const ph_problem p = counting_problem(J, 1e-8);
        ph_system *s = weak_system(&p, "averaged", ph_spin_momentum(&b, &level, &c, 0.1));
        averaged *a = s->self;
        const slow_state before = a->now;
        called.count = 0;
        ph_averaged_follow_resonance(a, &before, 0.0, 0.0);
        assert_int_equal(called.count, near);
        assert_int_equal(a->now.p, near ? 2 : 0);
        /* since when: from 5 on without an end; it was left and begins again at 12 */
        static const double times[] = {5.0, 9.0, 12.0, 15.0}, longest[] = {0.0, 4.0, 4.0, 4.0},
                            since[] = {5.0, 5.0, 12.0, 12.0};
        a->now = before;
        a->now.p = a->now.q = a->now.longest = 0.0;
        for (int k = 0; k < 4 && near; k++) {
            if (k == 2)
                a->now.p = a->now.q = 0.0;
            ph_averaged_follow_resonance(a, &before, times[k], times[k]);
            assert_true(a->now.p == 2.0 && a->now.q == 1.0);
            assert_true(a->now.since == since[k] && a->now.longest == longest[k]);
        }
        ph_system_destroy(s);
    }
}

/* The short-period part has 32 nodes in a period of the fastest angle, along 64 of the slowest; a period
 * of the torque in time counts as one. */
static void test_nodes_of_mean_start(void **state)
{
    (void)state;
    static const struct {
        ph_vec3 J;
        double level, period;
    } cases[] = {{{1.0, 1.7, 2.2}, 0.2, 0.0},  {{1.0, 1.7, 2.2}, 0.7, 0.0},
                 {{2, 2, 2}, 0.0, 0.0},        {{1.0, 1.7, 2.2}, 0.2, 1e-3},
                 {{1.0, 1.7, 2.2}, 0.7, 70.0}, {{2, 2, 2}, 0.0, 55.0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const ph_problem p = counting_problem(cases[k].J, 1e-6);
        const averaging a = {.p = &p, .body = ph_spin_body(cases[k].J), .period = cases[k].period};
        const spin s = {.H = {0.3, -1.2, 0.4},
                        .level = cases[k].level,
                        .side = 1.0,
                        .direction = {0.6, 0.0, 0.8}};
        const bool sphere = a.body.range == 0.0, above = !sphere && s.level > a.body.divides;
        const frequencies f = ph_spin_frequencies(&a.body, &s, above);
        const polhode_curve c = ph_spin_curve(&a.body, &s, above);
        const ph_vec3 m =
            sphere ? scale(norm(s.H), s.direction) : ph_spin_momentum(&a.body, &s, &c, 0.1);
        const ph_state start = {ph_turn_to(scale(1.0 / norm(m), m), scale(1.0 / norm(s.H), s.H)),
                                m};
        double slowest = f.precession, fastest = f.precession;
        if (!sphere) {
            slowest = smaller_or_nan(slowest, f.polhode);
            fastest = larger_or_nan(fastest, f.polhode);
        }
        if (cases[k].period > 0.0)
            slowest = smaller_or_nan(slowest, 2.0 * PH_PI / cases[k].period);
        const averages mean = {.H = {0, 0, 0}};
        (void)ph_spin_mean(&a, &s, above, 0.0, &start, &mean);
        uint64_t calls = 0;
        for (size_t i = 0; i < called.count; i++)
            calls += called.at[i].calls;
        assert_int_equal(calls, ceil(64 * 32 * fastest / slowest));
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
    static const double zero[3] = {0}, wheel[3] = {0, 0, 1}, negative = -1.0, two = 2.0;
    const ph_setting rest = {"momentum", zero, 3}, wheels = {"wheels", wheel, 3},
                     period = {"period", &negative, 1}, quality = {"quality", &negative, 1},
                     mean_start = {"mean_start", &two, 1};
    ph_problem late = *find_problem("free");
    late.torque = pulse;
    refused(&(ph_system_settings){"free", .settings = &rest, .setting_count = 1}, PH_BAD_STATE,
            "rotates");
    refused(&(ph_system_settings){"spacecraft", .settings = &wheels, .setting_count = 1},
            PH_NOT_APPLICABLE, "wheels");
    refused(&(ph_system_settings){"gyrostat", .step = 0.0}, PH_NOT_APPLICABLE, "wheels");
    refused(&(ph_system_settings){"free", .settings = &period, .setting_count = 1},
            PH_BAD_PARAMETER, "a positive time");
    refused(&(ph_system_settings){"free", .settings = &quality, .setting_count = 1},
            PH_BAD_PARAMETER, "a positive number, such as 100");
    refused(&(ph_system_settings){"free", .settings = &mean_start, .setting_count = 1},
            PH_BAD_PARAMETER, "write 1 or 0");
    refused(&(ph_system_settings){.own_problem = &late}, PH_NOT_APPLICABLE, "depends on time");
    refused(&(ph_system_settings){"no_such_problem", .step = 0.0}, PH_UNKNOWN_NAME, "");
}

/* A snapshot continues with the same bits, and rows and events change nothing. */
static void test_snapshot(void **state)
{
    (void)state;
    static const double factors[TERMS - 1] = {1, 0.3, 0.2, 0, 0.5};
    const ph_problem p = weak_problem(vec3(1.0, 1.7, 2.2), 1e-5, factors);
    const ph_vec3 m = {0.4, 0.3, 1.2};
    ph_system *a = weak_system(&p, "averaged", m), *b = weak_system(&p, "averaged", m), *c = NULL;
    double times[SLOW_TIMES];
    slow_record r = {.count = 0};
    for (int k = 0; k < SLOW_TIMES; k++)
        times[k] = 1e4 * k + 1.0;
    const ph_observer o = {
        .observe = slow_note, .context = &r, .times = times, .count = SLOW_TIMES};
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
    /* all rows within a step share its polynomial */
    assert_true(ph_system_evaluations(b) < 2 * ph_system_evaluations(a));
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
    ph_problem p = weak_problem(vec3(1.0, 1.7, 2.2), 1e-5, friction), turned = p;
    const ph_quat axes = ph_quat_unit((ph_quat){0.8, 0.3, -0.4, 0.2});
    turned.body.axes = axes;
    turned.body.principal = false;
    turned.q = mul(ph_quat_unit(p.q), inverse(axes));
    const ph_vec3 m = {0.4, 0.3, 1.2};
    ph_system *a = weak_system(&p, "averaged", m),
              *b = weak_system(&turned, "averaged", rotate(axes, m));
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
    const double w[3] = {0.2, 0.03, 0.02}, inclination = 0.9, eccentricity = 0.3, T = 4e5;
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
    assert_true(moved > 0.02 && estimate < 0.015);
    assert_true(ph_system_steps(both[0]) < 10); /* which do not follow the orbits */
    assert_true(norm(sub(a.H, d.H)) / length < estimate);
    assert_true(fabs(a.T - d.T) / start.T < estimate);
    ph_system_destroy(both[0]);
    ph_system_destroy(both[1]);
}

/* The mean of m.Jm/|m|^2 over the polhode. */
static double mean_along(const ph_body *body, ph_vec3 m)
{
    enum { NODES = 256 };
    const ph_state start = {{1, 0, 0, 0}, m};
    ph_motion motion;
    double sum = 0.0;
    assert_int_equal(PH_OK, ph_motion_prepare(&motion, body, &start));
    for (int k = 0; k < NODES; k++) {
        const ph_vec3 at = ph_motion_at(&motion, ph_motion_period(&motion) * k / NODES).m;
        sum += dot(at, times(body->J, at)) / (NODES * dot(at, at));
    }
    return sum;
}

/* The gradient of gravity over orbit and rotation leaves |H| and T, and H precesses about the normal n
 * of the orbit. With the mean inertia along H, I, and across it, (tr J - I)/2, the rate is
 * -(3/2) (mu/a^3) (1 - e^2)^(-3/2) (I - (tr J - I)/2) cos(n, H)/|H|. */
static void test_gravity_precession(void **state)
{
    (void)state;
    const double w[3] = {0.2, 0.03, 0.06}, inclination = 0.9, e = 0.2, a = 9e6, T = 2e7,
                 mu = 3.986004418e14;
    const ph_setting settings[] = {{"velocity", w, 3},
                                   {"inclination", &inclination, 1},
                                   {"eccentricity", &e, 1},
                                   {"semi_major_axis", &a, 1}};
    const ph_system_settings with = {"spacecraft", .integrator = "averaged", .settings = settings,
                                     .setting_count = 4};
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    const ph_body body = find_problem("spacecraft")->body;
    const slow start = slow_of(s);
    const ph_vec3 n = {0, -sin(inclination), cos(inclination)};
    const double length = norm(start.H), along = mean_along(&body, ph_system_state(s).m),
                 across = 0.5 * (body.J.x + body.J.y + body.J.z - along),
                 rate = -1.5 * mu / (a * a * a) * pow(1.0 - e * e, -1.5) * (along - across) *
                        dot(n, start.H) / (length * length);
    assert_int_equal(PH_OK, ph_system_run_until(s, T, NULL));
    const slow end = slow_of(s);
    const ph_vec3 expected = rotate(turn_about(n, 0.5 * rate * T), start.H);
    assert_true(fabs(rate * T) > 0.1);
    assert_true(norm(sub(end.H, expected)) < 1e-7 * length);
    assert_true(fabs(end.T - start.T) < 1e-8 * start.T);
    ph_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_order),
        cmocka_unit_test(test_damped_symmetric),
        cmocka_unit_test(test_no_torque),
        cmocka_unit_test(test_principal_axis),
        cmocka_unit_test(test_quality),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_separatrix),
        cmocka_unit_test(test_resonance),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_orbit),
        cmocka_unit_test(test_resonant_torque),
        cmocka_unit_test(test_passage),
        cmocka_unit_test(test_start_in_resonance),
        cmocka_unit_test(test_gravity_precession),
        cmocka_unit_test(test_mean_start),
        cmocka_unit_test(test_kinks),
        cmocka_unit_test(test_kinks_not_divided),
        cmocka_unit_test(test_kinks_documented),
        cmocka_unit_test(test_narrow_cuts),
        cmocka_unit_test(test_checked_stages),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_nodes_of_last_stage),
        cmocka_unit_test(test_far_from_resonances),
        cmocka_unit_test(test_nodes_of_mean_start),
        cmocka_unit_test(test_facets),
    };
    return cmocka_run_group_tests_name("averaged", tests, NULL, NULL);
}
