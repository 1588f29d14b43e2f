/* test_system_derivatives.c - derivatives of runs in a field: against differences of whole
 * runs, for every problem and every kind of integrator that has them; and identities. */
/* Needs kinds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "integrators/tangent.h"
#include "lab/measure/properties.h"
#include "motion/vec.h"
#include "polhode/system.h"
#include "support/quick.h"
#include "support/skip.h"
#include "support/stepping.h"
#include "system/find.h"
#include "system/run_body.h"

enum {
    ALL = PH_DERIVATIVES_START | PH_DERIVATIVES_INERTIA | PH_DERIVATIVES_PARAMETERS,
    SETTINGS = 40
};

/* A run as numbers that can be changed one by one, in the order of the columns. */
typedef struct study {
    const char *problem, *integrator;
    const ph_problem *own; /* instead of the name */
    double h, tolerance;
    uint64_t steps;
    double q[4], m[3], J[6];
    const ph_parameter *parameters;
    size_t parameter_count;
    double value[PH_PARAMETER_VALUES];
} study;

static ph_system *system_of(const study *x, unsigned derivatives)
{
    ph_setting set[SETTINGS] = {{"attitude", x->q, 4}, {"momentum", x->m, 3}, {"tensor", x->J, 6}};
    size_t count = 3;
    for (size_t i = 0; i < x->parameter_count; i++)
        set[count++] = (ph_setting){x->parameters[i].name, x->value + x->parameters[i].first,
                                    (size_t)x->parameters[i].count};
    ph_message why = {.text = ""};
    const ph_system_settings with = {.problem = x->own ? NULL : x->problem,
                                     .own_problem = x->own,
                                     .integrator = x->integrator,
                                     .step = x->h,
                                     .tolerance = x->tolerance,
                                     .settings = set,
                                     .setting_count = count,
                                     .derivatives = derivatives,
                                     .message = &why};
    ph_system *s;
    if (ph_system_create(&with, &s) != PH_OK)
        fail_msg("%s %s: %s", x->problem, x->integrator, why.text);
    return s;
}

static void run(ph_system *s, const study *x)
{
    const ph_status status = x->tolerance > 0.0
                                 ? ph_system_run_until(s, x->h * (double)x->steps, NULL)
                                 : ph_system_run(s, x->steps, NULL);
    assert_int_equal(PH_OK, status);
}

static ph_state end_of(const study *x)
{
    ph_system *s = system_of(x, 0);
    run(s, x);
    const ph_state end = ph_system_state(s);
    ph_system_destroy(s);
    return end;
}

/* A study of the catalog's problem, in axes that are not principal. */
static study study_of(const char *problem, const char *integrator, double radians, double tolerance)
{
    const ph_problem *p = find_problem(problem);
    const ph_state start = ph_problem_start(p);
    const double rate = larger_or_nan(norm_max(p->w), 1e-3);
    study x = {.problem = problem,
               .integrator = integrator,
               .steps = 12,
               .tolerance = tolerance,
               .h = radians / rate / 12};
    memcpy(x.q, &start.q, sizeof x.q);
    memcpy(x.m, &start.m, sizeof x.m);
    memcpy(x.J, &p->body.J, 3 * sizeof(double));
    for (int k = 0; k < 3; k++)
        x.J[3 + k] = (0.03 + 0.02 * k) * x.J[k];
    x.parameters = p->parameters;
    x.parameter_count = (size_t)p->parameter_count;
    memcpy(x.value, p->value, sizeof x.value);
    return x;
}

/* The number of a study that a column is by, moved by d. */
static study moved(const study *x, int by, double d)
{
    study y = *x;
    if (by < BY_MOMENTUM) {
        const ph_vec3 turn = {d * (by == 0), d * (by == 1), d * (by == 2)};
        const ph_quat q = mul((ph_quat){x->q[0], x->q[1], x->q[2], x->q[3]}, ph_rotation_exp(turn));
        memcpy(y.q, &q, sizeof y.q);
    } else if (by < BY_INERTIA) {
        y.m[by - BY_MOMENTUM] += d;
    } else if (by < BY_PARAMETERS) {
        y.J[by - BY_INERTIA] += d;
    } else {
        y.value[by - BY_PARAMETERS] += d;
    }
    return y;
}

static double size_of(const study *x, int by)
{
    double size = 1.0;
    if (by >= BY_PARAMETERS)
        size = fabs(x->value[by - BY_PARAMETERS]) > 0 ? fabs(x->value[by - BY_PARAMETERS]) : 1.0;
    else if (by >= BY_INERTIA)
        size = x->J[0];
    else if (by >= BY_MOMENTUM)
        size = larger_or_nan(fabs(x->m[0]), larger_or_nan(fabs(x->m[1]), fabs(x->m[2])));
    return size;
}

/* The derivative of the end by differences of order 6, as a rotation and a change of m. */
static void difference(const study *x, int by, double d, ph_vec3 out[2])
{
    static const double WEIGHT[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const ph_state end = end_of(x);
    out[0] = out[1] = vec3(0, 0, 0);
    for (int k = 1; k <= 3; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            const study y = moved(x, by, sign * k * d);
            const ph_state there = end_of(&y);
            const double w = sign * WEIGHT[k - 1] / d;
            out[0] = add(out[0], scale(w, ph_rotation_log(mul(inverse(end.q), there.q))));
            out[1] = add(out[1], scale(w, sub(there.m, end.m)));
        }
    }
}

/* How far the columns are from differences of runs as `reference` has them, over the size of what
 * they are by. */
static void compare_with(const study *x, const study *reference, double allowed)
{
    ph_system *s = system_of(x, ALL);
    run(s, x);
    const double momentum = size_of(x, BY_MOMENTUM);
    size_t count = 0;
    int what[TANGENT_COLUMNS];
    for (; count < BY_PARAMETERS; count++)
        what[count] = (int)count;
    for (size_t i = 0; i < x->parameter_count; i++) {
        for (int k = 0; k < x->parameters[i].count; k++)
            what[count++] = BY_PARAMETERS + x->parameters[i].first + k;
    }
    assert_int_equal(count, ph_system_derivative_count(s));
    for (size_t c = 0; c < count; c++) {
        ph_system_column column;
        ph_vec3 by_differences[2];
        assert_int_equal(PH_OK, ph_system_derivative(s, c, &column));
        const int by = what[c];
        /* a parameter at the end of its range, and one that is whole */
        if (strcmp(column.name, "seed") == 0 || strcmp(column.name, "energy") == 0 ||
            (by >= BY_PARAMETERS && x->value[by - BY_PARAMETERS] == 0.0 &&
             (strcmp(column.name, "eccentricity") == 0 || strcmp(column.name, "damping") == 0 ||
              strncmp(column.name, "wheels", 6) == 0)))
            continue;
        const double size = size_of(x, by), large = size * (norm_max(column.attitude) +
                                                            norm_max(column.momentum) / momentum);
        difference(reference, by, 1e-3 * size / (1.0 + large), by_differences);
        const double e = size * norm_max(sub(column.attitude, by_differences[0])),
                     f = size / momentum * norm_max(sub(column.momentum, by_differences[1]));
        if (!(larger_or_nan(e, f) <= allowed * (1.0 + large)))
            fail_msg("%s, %s by %s: %g, %g of %g", x->problem, x->integrator, column.name, e, f,
                     large);
    }
    ph_system_destroy(s);
}

static void compare_with_differences(const study *x, double allowed)
{
    compare_with(x, x, allowed);
}

/* Every problem, by a splitting of each kind and by every method that chooses its steps. */
static void test_differences(void **state)
{
    (void)state;
    size_t problems, adaptives;
    const ph_problem *const *all = ph_problems(&problems);
    const ph_adaptive *const *chosen = ph_adaptives(&adaptives);
    for (size_t i = 0; i < problems; i += is_emulated() ? 4 : 1) {
        const bool free_body = all[i]->torque == NULL && all[i]->internal == NULL;
        const char *const splittings[] = {"srkn6_14a+exact", "nystrom4+exact",
                                          free_body ? "exact" : "verlet+exact@yoshida4"};
        for (int k = 0; k < 3 && all[i]->internal == NULL; k++) {
            const study x = study_of(all[i]->name, splittings[k], 1.5, 0.0);
            compare_with_differences(&x, 1e-8);
        }
        for (size_t k = 0; k < adaptives; k++) {
            const study x = study_of(all[i]->name, chosen[k]->name, 1.5, 1e-13);
            compare_with_differences(&x, 1e-8);
        }
    }
}

/* The error of a column is at most 100 tolerances, against runs at 1e-14. */
static void compare_with_tolerance(study x)
{
    static const double TOLERANCE = 1e-10;
    size_t adaptives;
    const ph_adaptive *const *chosen = ph_adaptives(&adaptives);
    study reference = x;
    reference.integrator = "gbs";
    reference.tolerance = 1e-14;
    for (size_t k = 0; k < adaptives; k++) {
        x.integrator = chosen[k]->name;
        x.tolerance = TOLERANCE;
        compare_with(&x, &reference, 100.0 * TOLERANCE);
    }
}

static void test_tolerance(void **state)
{
    (void)state;
    size_t problems;
    const ph_problem *const *all = ph_problems(&problems);
    for (size_t i = 0; i < problems; i += is_emulated() ? 4 : 1)
        compare_with_tolerance(study_of(all[i]->name, NULL, 4.0, 0.0));
}

/* Puts the numbers of a parameter into a study. */
static void set_parameter(study *x, const char *name, double a, double b, double c)
{
    const double number[3] = {a, b, c};
    for (size_t i = 0; i < x->parameter_count; i++) {
        const ph_parameter *p = &x->parameters[i];
        if (strcmp(p->name, name) == 0) {
            memcpy(x->value + p->first, number, (size_t)p->count * sizeof(double));
            return;
        }
    }
    fail_msg("%s", name);
}

/* A spacecraft on an orbit that is no circle, in which every parameter counts; with wheels and
 * damping, and without these by splittings too. */
static void test_spacecraft(void **state)
{
    (void)state;
    study x = study_of("spacecraft", "srkn6_14a+exact", 6.0, 0.0);
    set_parameter(&x, "eccentricity", 0.2, 0, 0);
    set_parameter(&x, "inclination", 0.9, 0, 0);
    set_parameter(&x, "node", 0.4, 0, 0);
    set_parameter(&x, "perigee", -1.1, 0, 0);
    set_parameter(&x, "anomaly", 2.3, 0, 0);
    set_parameter(&x, "dipole", 3.0, -5.0, 2.0);
    set_parameter(&x, "earth_dipole", 1e22, -2e22, -7e22);
    set_parameter(&x, "earth_rate", 3e-4, 0, 0);
    set_parameter(&x, "torque", 1e-5, 2e-5, -1e-5);
    set_parameter(&x, "torque_space", -2e-5, 1e-5, 3e-5);
    compare_with_differences(&x, 1e-8);
    x.integrator = "verlet+exact";
    compare_with_differences(&x, 1e-8);
    compare_with_tolerance(x);
    set_parameter(&x, "damping", 0.02, 0, 0);
    set_parameter(&x, "wheels", 0.03, -0.02, 0.05);
    compare_with_tolerance(x);
}

/* Vectors that have no zeros, unlike those of the catalog. */
static void test_vectors(void **state)
{
    (void)state;
    study top = study_of("heavy_top", NULL, 4.0, 0.0), well = study_of("well", NULL, 4.0, 0.0);
    set_parameter(&top, "centre", 0.4, -0.5, 0.7);
    set_parameter(&top, "up", 0.3, -0.2, 1.1);
    compare_with_tolerance(top);
    set_parameter(&well, "target", 1.1, -0.6, 1.3);
    compare_with_tolerance(well);
}

/* The torque of a top about a tilted axis, and its damping: a torque of the caller's own. */
static ph_vec3 own_torque(const ph_problem *p, const ph_instant *now)
{
    const ph_vec3 g = apply(transpose(now->R), vec3(0.6, 0.0, 0.8)),
                  top = scale(p->value[0], cross(g, vec3(p->value[4], p->value[5], p->value[6])));
    return p->velocity_dependent ? sub(top, scale(0.1, now->w)) : top;
}

/* A problem of the catalog whose torque was replaced has the derivatives of the new torque, by
 * differences: those of the catalog do not belong to it. */
static void test_own_torque(void **state)
{
    (void)state;
    if (is_emulated())
        skip_because("too slow under emulation");
    for (int damped = 0; damped < 2; damped++) {
        study x = study_of("heavy_top", NULL, 3.0, 0.0);
        ph_problem own = *find_problem("heavy_top");
        own.torque = own_torque;
        own.derivative = NULL;
        own.potential = NULL;
        own.nonconservative = true;
        own.velocity_dependent = damped;
        x.own = &own;
        compare_with_tolerance(x);
    }
}

/* A top that stands upright at rest: its state takes any step, and its derivatives grow like cosh.
 * An error test of their own finds the steps for them. */
static void test_equilibrium(void **state)
{
    (void)state;
    size_t adaptives;
    const ph_adaptive *const *chosen = ph_adaptives(&adaptives);
    for (size_t k = 0; k < adaptives; k++) {
        static const double rest[3] = {0}, upright[4] = {1};
        const ph_setting set[] = {{"attitude", upright, 4}, {"momentum", rest, 3}};
        const ph_system_settings with = {"heavy_top",        .integrator = chosen[k]->name,
                                         .tolerance = 1e-11, .settings = set,
                                         .setting_count = 2, .derivatives = PH_DERIVATIVES_START};
        ph_system *s;
        ph_system_column d;
        const double J = find_problem("heavy_top")->body.J.x, t = 8.0, rate = 1.0 / sqrt(J);
        assert_int_equal(PH_OK, ph_system_create(&with, &s));
        assert_int_equal(PH_OK, ph_system_run_until(s, t, NULL));
        assert_int_equal(PH_OK, ph_system_derivative(s, 0, &d));
        const double off = fabs(d.attitude.x / cosh(rate * t) - 1.0);
        if (!(off <= 1e-9))
            fail_msg("%s: %g", chosen[k]->name, off);
        ph_system_destroy(s);
    }
}

/* ---- expressions ------------------------------------------------------------------- */

/* heavy_top as an expression has its exact derivatives, the problem of the catalog by the
 * parameters those of differences: both are the same. */
static void test_expression(void **state)
{
    (void)state;
    static const ph_parameter parameters[] = {{.name = "strength", .first = 0, .count = 1},
                                              {.name = "up", .first = 1, .count = 3},
                                              {.name = "centre", .first = 4, .count = 3}};
    const ph_expressions text = {.potential =
                                     "strength*(up1*(R11*centre1 + R12*centre2 + R13*centre3)"
                                     "+ up2*(R21*centre1 + R22*centre2 + R23*centre3)"
                                     "+ up3*(R31*centre1 + R32*centre2 + R33*centre3))",
                                 .parameters = parameters,
                                 .parameter_count = 3,
                                 .value = find_problem("heavy_top")->value};
    static const char *const integrators[] = {"srkn6_14a+exact", "nystrom4+exact", "gbs"};
    ph_problem own;
    assert_int_equal(PH_OK, ph_problem_from_expressions(&text, &own, NULL));
    assert_non_null(own.derivatives);
    for (int k = 0; k < 3; k++) {
        const study x = study_of("heavy_top", integrators[k], 3.0, k == 2 ? 1e-13 : 0.0);
        study y = x;
        y.own = &own;
        ph_system *a = system_of(&x, ALL), *b = system_of(&y, ALL);
        run(a, &x);
        run(b, &y);
        for (size_t c = 0; c < ph_system_derivative_count(a); c++) {
            ph_system_column one, other;
            assert_int_equal(PH_OK, ph_system_derivative(a, c, &one));
            assert_int_equal(PH_OK, ph_system_derivative(b, c, &other));
            assert_string_equal(one.name, other.name);
            const double off = norm_max(sub(one.attitude, other.attitude)) +
                               norm_max(sub(one.momentum, other.momentum)) +
                               norm_max(sub(one.velocity, other.velocity));
            if (!(off <= 1e-12 * (1.0 + norm_max(one.attitude) + norm_max(one.momentum))))
                fail_msg("%s by %s: %g", x.integrator, one.name, off);
        }
        ph_system_destroy(a);
        ph_system_destroy(b);
    }
    ph_problem_release(&own);
}

/* A torque of velocity and time, and one that has to be differenced. */
static void test_velocity(void **state)
{
    (void)state;
    static const ph_parameter parameters[] = {{.name = "c", .first = 0, .count = 1},
                                              {.name = "k", .first = 1, .count = 2}};
    static const double value[] = {0.3, 0.7, -0.4};
    const ph_expressions text = {.potential = "k1*R13 + k2*R22^2",
                                 .torque = {"-c*w1^3 + sin(t)", "-c*m2 + k1*w3", "-c*w3*R11"},
                                 .parameters = parameters,
                                 .parameter_count = 2,
                                 .value = value};
    ph_problem own;
    assert_int_equal(PH_OK, ph_problem_from_expressions(&text, &own, NULL));
    study x = study_of("heavy_top", "gbs", 2.0, 1e-13);
    x.own = &own;
    x.parameters = parameters;
    x.parameter_count = 2;
    memcpy(x.value, value, sizeof value);
    compare_with_differences(&x, 1e-8);
    own.derivatives = NULL; /* a system loads them again: this leaves them to differences */
    own.load = NULL;
    own.data_count = 0;
    compare_with_differences(&x, 1e-8);
    ph_problem_release(&own);
}

/* A torque that is added to the one of spacecraft: a law of control with gains of its own, and the
 * field of the Earth. The columns are by the parameters of both. */
static void test_extended(void **state)
{
    (void)state;
    if (is_emulated())
        skip_because("too slow under emulation");
    static const ph_parameter gains[] = {{.name = "kp", .first = 0, .count = 3},
                                         {.name = "kd", .first = 3, .count = 3},
                                         {.name = "pull", .first = 6, .count = 9}};
    static const double value[] = {2e-4, 1e-4, 3e-4, 0.02, 0.03, 0.01, 20,  1e-5,
                                   2e-5, 1e-6, 1e-5, 3e-6, 1e-5, 1e-5, 1e-5};
    const ph_expressions text = {
        .torque = {"-kp1*q0*q1 - kd1*w1 + pull1*B2 + pull2*u1", "-kp2*q0*q2 - kd2*w2 + pull3*u2",
                   "-kp3*q0*q3 - kd3*w3 + pull9*R11*u3 + pull4*sin(t/100)"},
        .parameters = gains,
        .parameter_count = 3,
        .value = value,
        .extends = find_problem("spacecraft")};
    ph_problem own;
    assert_int_equal(PH_OK, ph_problem_from_expressions(&text, &own, NULL));
    study x = study_of("spacecraft", "gbs", 1.0, 1e-13);
    x.own = &own;
    x.parameters = own.parameters;
    x.parameter_count = (size_t)own.parameter_count;
    memcpy(x.value, own.value, sizeof x.value);
    set_parameter(&x, "eccentricity", 0.1, 0, 0);
    set_parameter(&x, "inclination", 1.2, 0, 0);
    set_parameter(&x, "dipole", 3.0, -5.0, 2.0);
    set_parameter(&x, "damping", 0.02, 0, 0);
    set_parameter(&x, "wheels", 0.03, -0.02, 0.05);
    compare_with_differences(&x, 1e-7);
    ph_problem_release(&own);
}

/* ---- identities ---------------------------------------------------------------------- */

/* Columns of the start as a matrix; rows theta, then m. */
static void matrix_of(const ph_system *s, double D[6][6])
{
    for (size_t c = 0; c < 6; c++) {
        ph_system_column d;
        assert_int_equal(PH_OK, ph_system_derivative(s, c, &d));
        for (int k = 0; k < 3; k++) {
            D[k][c] = (&d.attitude.x)[k];
            D[3 + k][c] = (&d.momentum.x)[k];
        }
    }
}

/* The canonical form, x^T W(m) y. */
static double form(ph_vec3 m, double D[6][6], int a, int b)
{
    const ph_vec3 x = {D[0][a], D[1][a], D[2][a]}, y = {D[0][b], D[1][b], D[2][b]},
                  u = {D[3][a], D[4][a], D[5][a]}, v = {D[3][b], D[4][b], D[5][b]};
    return dot(x, v) - dot(u, y) - dot(x, cross(m, y));
}

/* Tangents of splittings are symplectic to round-off: every scheme, after many steps; and the
 * motion is to the tolerance. */
static void test_symplectic(void **state)
{
    (void)state;
    static double one[6][6] = {{1},          {0, 1},          {0, 0, 1},
                               {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
    size_t schemes, adaptives;
    const ph_scheme *const *all = ph_schemes(&schemes);
    const ph_adaptive *const *chosen = ph_adaptives(&adaptives);
    for (size_t i = 0; i < schemes + adaptives; i++) {
        char name[PH_INTEGRATOR_NAME];
        const bool splitting = i < schemes;
        (void)snprintf(name, sizeof name, splitting ? "%s+exact" : "%s",
                       splitting ? all[i]->name : chosen[i - schemes]->name);
        const study x = study_of("generic", name, 4.0, splitting ? 0.0 : 1e-13);
        ph_system *s = system_of(&x, PH_DERIVATIVES_START);
        double D[6][6], worst = 0.0, large = 1.0;
        run(s, &x);
        matrix_of(s, D);
        for (int a = 0; a < 36; a++)
            large = larger_or_nan(large, fabs(D[a / 6][a % 6]));
        for (int a = 0; a < 36; a++)
            worst =
                larger_or_nan(worst, fabs(form(ph_system_state(s).m, D, a / 6, a % 6) -
                                          form(vec3(x.m[0], x.m[1], x.m[2]), one, a / 6, a % 6)));
        /* a force gradient has its second derivatives by differences */
        const double allowed = !splitting ? 1e-11 : all[i]->gradient != NULL ? 1e-12 : 2e-14;
        if (!(worst <= allowed * large * large))
            fail_msg("%s: %g of %g", name, worst, large * large);
        ph_system_destroy(s);
    }
}

/* The derivative over two parts of a run is the product of theirs. */
static void test_product(void **state)
{
    (void)state;
    static const char *const integrators[] = {"s6_10+exact", "gbs", "dop853", "gauss16"};
    for (int n = 0; n < 4; n++) {
        study x = study_of("vertical", integrators[n], 2.0, n == 0 ? 0.0 : 1e-13);
        ph_system *whole = system_of(&x, PH_DERIVATIVES_START),
                  *parts = system_of(&x, PH_DERIVATIVES_START);
        double D[6][6], A[6][6], B[6][6];
        run(parts, &x);
        matrix_of(parts, A);
        assert_int_equal(PH_OK, ph_system_changed(parts)); /* begins anew */
        x.steps *= 2;
        run(whole, &x);
        matrix_of(whole, D);
        if (n == 0)
            x.steps /= 2;
        run(parts, &x);
        matrix_of(parts, B);
        for (int a = 0; a < 36; a++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++)
                sum += B[a / 6][k] * A[k][a % 6];
            if (!(fabs(sum - D[a / 6][a % 6]) <= 1e-11 * (1.0 + fabs(sum))))
                fail_msg("%s: %g, not %g", integrators[n], sum, D[a / 6][a % 6]);
        }
        ph_system_destroy(whole);
        ph_system_destroy(parts);
    }
}

/* ---- systems ------------------------------------------------------------------------- */

static bool look(void *context, ph_system *s)
{
    double D[6][6];
    matrix_of(s, D);
    *(double *)context += D[0][0];
    return true;
}

/* With derivatives a run has the bits that it has without; looks between steps change nothing,
 * and a snapshot goes on. */
static void test_same_bits(void **state)
{
    (void)state;
    static const char *const integrators[] = {"srkn6_14a+exact", "exact", "gbs", "dop853",
                                              "gauss16"};
    for (int n = 0; n < 5; n++) {
        const study x =
            study_of(n == 1 ? "free" : "heavy_top", integrators[n], 3.0, n < 2 ? 0.0 : 1e-12);
        const double times[] = {0.1, 0.25, 0.7}, end = x.h * (double)x.steps;
        ph_system *s = system_of(&x, ALL), *looked = system_of(&x, ALL), *again;
        const ph_state plain = end_of(&x);
        double sum = 0.0, D[6][6], E[6][6];
        run(s, &x);
        const ph_state with = ph_system_state(s);
        assert_memory_equal(&plain, &with, sizeof plain);
        matrix_of(s, D);
        assert_int_equal(PH_OK,
                         ph_system_run_until(looked, end, &(ph_observer){look, &sum, 0, times, 3}));
        matrix_of(looked, E);
        assert_memory_equal(D, E, sizeof D);
        assert_true(sum != 0.0);
        const size_t size = ph_system_save(s, NULL, 0);
        unsigned char *bytes = malloc(size);
        assert_int_equal(size, ph_system_save(s, bytes, size));
        assert_int_equal(PH_OK, ph_system_from_snapshot(bytes, size, &again));
        assert_int_equal(PH_OK, ph_system_run_until(s, 2 * end, NULL));
        assert_int_equal(PH_OK, ph_system_run_until(again, 2 * end, NULL));
        matrix_of(s, D);
        matrix_of(again, E);
        assert_memory_equal(D, E, sizeof D);
        free(bytes);
        ph_system_destroy(s);
        ph_system_destroy(looked);
        ph_system_destroy(again);
    }
}

/* The same for every problem of the catalog. */
static void test_same_bits_everywhere(void **state)
{
    (void)state;
    static const char *const integrators[] = {"gbs", "dop853", "gauss16", "srkn6_14a+exact",
                                              "verlet+exact"};
    size_t problems;
    const ph_problem *const *all = ph_problems(&problems);
    for (size_t i = 0; i < problems; i += is_emulated() ? 4 : 1) {
        for (int n = 0; n < (all[i]->internal == NULL ? 5 : 3); n++) {
            const study x = study_of(all[i]->name, integrators[n], 3.0, n < 3 ? 1e-9 : 0.0);
            ph_system *s = system_of(&x, ALL);
            const ph_state plain = end_of(&x);
            run(s, &x);
            const ph_state with = ph_system_state(s);
            assert_memory_equal(&plain, &with, sizeof plain);
            ph_system_destroy(s);
        }
    }
}

/* A vector alone, as for Lyapunov exponents, is the first of the columns by the start. */
static void test_vector_alone(void **state)
{
    (void)state;
    static const char *const runs[][2] = {
        {"heavy_top", "s6_10+exact"}, {"well", "srkn6_14a+exact"}, {"free", "exact"}};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        const ph_problem *p = find_problem(runs[k][0]);
        const ph_integrator i = integrator_of(runs[k][1]);
        const double h = 0.1 / larger_or_nan(norm_max(p->w), 1e-3);
        const ph_system_settings with = {runs[k][0], .integrator = runs[k][1], .step = h,
                                         .derivatives = PH_DERIVATIVES_START};
        ph_system *one = NULL, *all = NULL;
        assert_int_equal(PH_OK, ph_system_from_problem(p, &i, NULL, h, OPTION_VECTOR, &one));
        assert_int_equal(PH_OK, ph_system_create(&with, &all));
        assert_int_equal(1, ph_system_derivative_count(one));
        assert_int_equal(6, ph_system_derivative_count(all));
        for (int n = 0; n < 5; n++) {
            ph_system_column a, b;
            assert_int_equal(PH_OK, ph_system_run(one, 7, NULL));
            assert_int_equal(PH_OK, ph_system_run(all, 7, NULL));
            assert_int_equal(PH_OK, ph_system_derivative(one, 0, &a));
            assert_int_equal(PH_OK, ph_system_derivative(all, 0, &b));
            const double size = norm_max(b.attitude) + norm_max(b.momentum),
                         off = norm_max(sub(a.attitude, b.attitude)) +
                               norm_max(sub(a.momentum, b.momentum));
            if (!(size > 0.1 && off <= 1e-11 * size))
                fail_msg("%s by %s: off by %g of %g", runs[k][0], runs[k][1], off, size);
        }
        ph_system_destroy(one);
        ph_system_destroy(all);
    }
}

/* ---- the times of events ---------------------------------------------------------------- */

/* An event: a function of attitude and momentum passes a level, upwards or downwards. */
typedef struct crossing {
    double level, sign;
} crossing;

static double height(const ph_system *s)
{
    const ph_state now = ph_system_state(s);
    return 1.0 - 2.0 * (now.q.x * now.q.x + now.q.y * now.q.y) +
           (now.m.x - 0.5 * now.m.z) / norm(now.m);
}

static double past_level(void *context, ph_system *s)
{
    const crossing *c = context;
    return c->sign * (height(s) - c->level);
}

static bool see_height(void *context, ph_system *s)
{
    *(double *)context = height(s);
    return true;
}

/* The time of the event after half of the steps; with its derivatives if `by` is given. */
static double time_of(const study *x, crossing *c, double *by)
{
    ph_event event = {.value = past_level, .context = c};
    ph_system *s = system_of(x, by != NULL ? ALL : 0);
    const double from = x->h * (double)(x->steps / 2), to = x->h * (double)x->steps;
    assert_int_equal(PH_OK, ph_system_run_until(s, from, NULL));
    assert_int_equal(PH_OK, ph_system_run_event(s, to, NULL, &event));
    assert_true(event.met);
    const double time = ph_system_time(s);
    const ph_state now = ph_system_state(s);
    if (by != NULL) {
        assert_int_equal(PH_NULL_ARGUMENT, ph_system_event_derivative(NULL, &event, by));
        assert_int_equal(PH_NULL_ARGUMENT, ph_system_event_derivative(s, NULL, by));
        assert_int_equal(PH_NULL_ARGUMENT, ph_system_event_derivative(s, &event, NULL));
        assert_int_equal(PH_NULL_ARGUMENT, ph_system_event_derivative(s, &(ph_event){0}, by));
        assert_int_equal(PH_OK, ph_system_event_derivative(s, &event, by));
    } else {
        double none;
        assert_int_equal(PH_NOT_APPLICABLE, ph_system_event_derivative(s, &event, &none));
    }
    const ph_state after = ph_system_state(s);
    assert_memory_equal(&now, &after, sizeof now);
    assert_true(ph_system_time(s) == time);
    ph_system_destroy(s);
    return time;
}

/* Against differences of order 6 of the times of runs that begin elsewhere. */
static void check_event(const study *x)
{
    static const double WEIGHT[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    double by[TANGENT_COLUMNS] = {0}, before = NAN;
    crossing c = {NAN, 1.0};
    ph_system *s = system_of(x, 0);
    const double half = x->h * (double)(x->steps / 2);
    assert_int_equal(PH_OK, ph_system_run_until(s, half, NULL));
    assert_int_equal(PH_OK, ph_system_observe_at(s, half + 0.3 * x->h, see_height, &before));
    assert_int_equal(PH_OK, ph_system_observe_at(s, half + 0.4 * x->h, see_height, &c.level));
    c.sign = c.level > before ? 1.0 : -1.0;
    ph_system_destroy(s);
    assert_true(fabs(time_of(x, &c, by) / (half + 0.4 * x->h) - 1.0) < 1e-9);
    for (int k = 0; k < BY_PARAMETERS; k++) {
        const double size = size_of(x, k), d = 1e-3 * size;
        double sum = 0.0;
        for (int n = 1; n <= 3; n++) {
            const study more = moved(x, k, n * d), less = moved(x, k, -n * d);
            const double after = time_of(&more, &c, NULL);
            sum += WEIGHT[n - 1] * (after - time_of(&less, &c, NULL)) / d;
        }
        const double unit = size / x->h; /* in steps */
        if (!(unit * fabs(sum - by[k]) <= 1e-6 * (1.0 + unit * fabs(by[k]))))
            fail_msg("%s, %s, column %d: %g, not %g", x->problem, x->integrator, k, unit * by[k],
                     unit * sum);
    }
}

static void test_events(void **state)
{
    (void)state;
    const study studies[] = {study_of("heavy_top", "srkn6_14a+exact", 2.0, 0.0),
                             study_of("heavy_top", "gbs", 2.0, 1e-13),
                             study_of("free", "exact", 2.0, 0.0)};
    for (size_t k = 0; k < sizeof studies / sizeof studies[0]; k++)
        check_event(&studies[k]);
}

/* Methods without derivatives, other kinds and unknown bits are refused in words; a system
 * without derivatives has none. */
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *integrator;
        unsigned derivatives;
        ph_status status;
    } cases[] = {{"heavy_top", "vlv", 1, PH_NOT_APPLICABLE},
                 {"heavy_top", "verlet+mr", 1, PH_NOT_APPLICABLE},
                 {"orbiter", NULL, 1, PH_NOT_APPLICABLE},
                 {"heavy_top", "gbs", 8, PH_BAD_PARAMETER}};
    for (int k = 0; k < 4; k++) {
        ph_message why = {.text = ""};
        ph_system *s;
        const ph_system_settings with = {cases[k].problem, .integrator = cases[k].integrator,
                                         .step = 0.1, .derivatives = cases[k].derivatives,
                                         .message = &why};
        assert_int_equal(cases[k].status, ph_system_create(&with, &s));
        assert_true(why.text[0] != '\0');
    }
    const study x = study_of("well", "gbs", 1.0, 1e-10);
    ph_system *s = system_of(&x, 0);
    ph_system_column d;
    assert_int_equal(0, ph_system_derivative_count(s));
    assert_int_equal(PH_NOT_APPLICABLE, ph_system_derivative(s, 0, &d));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_derivative(s, 0, NULL));
    ph_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_spacecraft),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_own_torque),
        cmocka_unit_test(test_equilibrium),
        cmocka_unit_test(test_expression),
        cmocka_unit_test(test_velocity),
        cmocka_unit_test(test_extended),
        cmocka_unit_test(test_symplectic),
        cmocka_unit_test(test_product),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_same_bits_everywhere),
        cmocka_unit_test(test_vector_alone),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
