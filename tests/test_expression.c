/* test_expression.c - expressions: their values, their derivatives, what is wrong with them,
 * and problems made of them, against those of the catalog. */
#include <float.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "integrators/expression/compiled.h"
#include "integrators/expression/expression.h"
#include "integrators/field.h"
#include "integrators/lanes.h"
#include "polhode/expression.h"
#include "polhode/system.h"
#include "support/random.h"
#include "support/skip.h"
#include "system/find.h"
#include "system/run_body.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const ph_parameter PARAMETERS[] = {{"k", 0, 1, "1", "", PH_RANGE_ANY},
                                          {"up", 1, 3, "1", "", PH_RANGE_ANY}};
static const double VALUES[] = {2.5, 0.3, -0.4, 0.7};

/* Some instant. */
static ph_instant somewhere(uint64_t *seed)
{
    ph_quat q;
    q.w = between(seed, -1, 1);
    q.x = between(seed, -1, 1);
    q.y = between(seed, -1, 1);
    q.z = between(seed, -1, 1);
    ph_instant now = instant_at(between(seed, 0, 3), ph_quat_unit(q));
    now.m = random_vector(seed, -2, 2);
    now.w = random_vector(seed, -2, 2);
    return now;
}

static double value_of(const char *text, ph_expression_use use, const ph_instant *now)
{
    ph_expression *e = NULL;
    ph_expression_error why;
    const ph_status status =
        ph_expression_create(text, use, PARAMETERS, COUNT(PARAMETERS), &e, &why);
    if (status != PH_OK)
        fail_msg("%s: column %d: %s", text, why.column, why.text);
    const double value = ph_expression_value(e, now, VALUES);
    ph_expression_destroy(e);
    return value;
}

/* ---- values ---------------------------------------------------------------------- */

static void test_grammar(void **state)
{
    (void)state;
    uint64_t seed = 7;
    const ph_instant now = somewhere(&seed);
    const struct {
        const char *text;
        double right;
    } cases[] = {
        {"1 + 2*3", 7},
        {"(1 + 2)*3", 9},
        {"7 - 2 - 1", 4},
        {"24/4/2", 3},
        {"-2^2", -4},
        {"2^3^2", 512},
        {"2^-2", 0.25},
        {"2*-3", -6},
        {"--3", 3},
        {"+3", 3},
        {"2^-1^2", 0.5},
        {"0x10", 16},
        {"0x1.8p1", 3},
        {"1e3 + 1.5E-1 + .5", 1000.65},
        {"1-1", 0},
        {"3e0-1", 2},
        {"\t1\n+ 1", 2},
        {"pi", 3.14159265358979323846},
        {"atan2(1, -1)", 3 * 3.14159265358979323846 / 4},
        {"min(3, 2) + max(3, 2)*10", 32},
        {"abs(-3)", 3},
        {"k", 2.5},
        {"up1 + 10*up2 + 100*up3", 0.3 - 4 + 70},
        {"t", now.t},
        {"q0 + 2*q1 + 3*q2 + 4*q3", now.q.w + 2 * now.q.x + 3 * now.q.y + 4 * now.q.z},
        {"w1 + 2*w2 + 3*w3", now.w.x + 2 * now.w.y + 3 * now.w.z},
        {"m1 + 2*m2 + 3*m3", now.m.x + 2 * now.m.y + 3 * now.m.z},
        {"R11 + 2*R12 + 3*R13", now.R.a[0][0] + 2 * now.R.a[0][1] + 3 * now.R.a[0][2]},
        {"R21 + 2*R22 + 3*R23", now.R.a[1][0] + 2 * now.R.a[1][1] + 3 * now.R.a[1][2]},
        {"R31 + 2*R32 + 3*R33", now.R.a[2][0] + 2 * now.R.a[2][1] + 3 * now.R.a[2][2]},
        {"R33^7", pow(now.R.a[2][2], 7)},
        {"k^-3", pow(2.5, -3)},
        {"k^1.5", pow(2.5, 1.5)},
        {"k^k", pow(2.5, 2.5)},
        {"k^0.5", sqrt(2.5)},
        {"k - -t - (-t) + -t", 2.5 + now.t},
        {"sin(t)*cos(t) + tan(t) + asin(t/9) + acos(t/9) + atan(t)",
         sin(now.t) * cos(now.t) + tan(now.t) + asin(now.t / 9) + acos(now.t / 9) + atan(now.t)},
        {"sinh(t) + cosh(t) + tanh(t) + exp(t) + log(t) + sqrt(t)",
         sinh(now.t) + cosh(now.t) + tanh(now.t) + exp(now.t) + log(now.t) + sqrt(now.t)},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double x = value_of(cases[i].text, PH_EXPRESSION_TORQUE, &now);
        if (!(fabs(x - cases[i].right) <= 8 * DBL_EPSILON * (1 + fabs(cases[i].right))))
            fail_msg("%s is %.17g, not %.17g", cases[i].text, x, cases[i].right);
    }
}

static void test_conditions(void **state)
{
    (void)state;
    uint64_t seed = 8;
    const ph_instant now = somewhere(&seed);
    assert_true(value_of("k > 2", PH_EXPRESSION_CONDITION, &now) == 0.5);
    assert_true(value_of("k < 2", PH_EXPRESSION_CONDITION, &now) == -0.5);
    assert_true(value_of("2 < k", PH_EXPRESSION_CONDITION, &now) == 0.5);
    assert_true(value_of("t - 1 < w1*2", PH_EXPRESSION_CONDITION, &now) ==
                now.w.x * 2 - (now.t - 1));
}

/* Numbers with units, and the angle between a vector of the body and one of space. */
static void test_units(void **state)
{
    (void)state;
    static const double pi = 3.14159265358979323846;
    uint64_t seed = 9;
    const ph_instant now = somewhere(&seed);
    const struct {
        const char *text;
        double right;
    } cases[] = {
        {"0 < 90deg", pi / 2},   {"0 < 2rad", 2.0},           {"0 < 30rpm", pi},
        {"0 < 4s", 4.0},         {"0 < 1.5min", 90.0},        {"0 < 2h", 7200.0},
        {"0 < 0.5d", 43200.0},   {"1deg < 3deg", pi / 90},    {"3deg < 1deg", -pi / 90},
        {"0 < 6deg/s", pi / 30}, {"0 < 6deg/min", pi / 1800}, {"0 < 30rad/h", 1.0 / 120},
        {"0 < 6deg/2", pi / 60}, {"0 < 2yr", 730.5 * 86400},  {"0 < 6deg/k", pi / 75},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double x = value_of(cases[i].text, PH_EXPRESSION_CONDITION, &now);
        if (!(fabs(x - cases[i].right) <= 1e-14 * fabs(cases[i].right)))
            fail_msg("%s is %.17g, not %.17g", cases[i].text, x, cases[i].right);
    }
    const ph_vec3 up = {VALUES[1], VALUES[2], VALUES[3]};
    const ph_vec3 in_space = ph_quat_rotate(now.q, vec3(0.5, 2.0, -1.0)),
                  turned = ph_quat_rotate(now.q, up);
    const double one = ph_acos(dot(in_space, up) / (norm(in_space) * norm(up))),
                 two = ph_acos(turned.z / norm(turned));
    const double x = value_of("0 < angle([0.5, 2, -1], up)", PH_EXPRESSION_CONDITION, &now),
                 y = value_of("0 < angle(up, [0, 0, 4])", PH_EXPRESSION_CONDITION, &now);
    assert_true(fabs(x - one) < 1e-14 && fabs(y - two) < 1e-14);
}

/* A point is a point in every locale. */
static void test_locale(void **state)
{
    (void)state;
    uint64_t seed = 9;
    const ph_instant now = somewhere(&seed);
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL)
        skip_because("the locale de_DE is not installed");
    const double sum = value_of("1.5 + atan2(0,2.5)", PH_EXPRESSION_TORQUE, &now);
    (void)setlocale(LC_NUMERIC, "C");
    assert_true(sum == 1.5);
}

static void test_state(void **state)
{
    (void)state;
    ph_expression *e;
    const ph_problem *top;
    assert_int_equal(PH_OK, ph_problem_named("heavy_top", &top));
    const ph_state s = ph_problem_start(top);
    assert_int_equal(PH_OK, ph_expression_create("strength*10 + up3 + w1 + m2*100 + t",
                                                 PH_EXPRESSION_TORQUE, top->parameters,
                                                 top->parameter_count, &e, NULL));
    assert_true(fabs(ph_expression_at(e, top, 3.0, &s) - (11 + top->w.x + 100 * s.m.y + 3)) <
                1e-12);
    ph_expression_destroy(e);
}

/* ---- what is wrong --------------------------------------------------------------- */

static void test_errors(void **state)
{
    (void)state;
    const struct {
        const char *text;
        ph_expression_use use;
        int column;
        const char *says;
    } cases[] = {
        {"", PH_EXPRESSION_TORQUE, 1, "ends here"},
        {"1 +", PH_EXPRESSION_TORQUE, 4, "ends here"},
        {"1 + * 2", PH_EXPRESSION_TORQUE, 5, "\"*\" is unexpected"},
        {"(1 + 2", PH_EXPRESSION_TORQUE, 7, "ends here"},
        {"1)", PH_EXPRESSION_TORQUE, 2, "\")\" is unexpected"},
        {"2 k", PH_EXPRESSION_TORQUE, 3, "\"k\" is unexpected"},
        {"2k", PH_EXPRESSION_TORQUE, 2, "operator after a number"},
        {"1.2.3", PH_EXPRESSION_TORQUE, 4, "operator after a number"},
        {".", PH_EXPRESSION_TORQUE, 1, "\".\" is unexpected"},
        {"1e999", PH_EXPRESSION_TORQUE, 1, "too large"},
        {"R34", PH_EXPRESSION_TORQUE, 1, "unknown name \"R34\""},
        {"k + q4", PH_EXPRESSION_TORQUE, 5, "unknown name \"q4\""},
        {"up", PH_EXPRESSION_TORQUE, 1, "unknown name \"up\""},
        {"up4", PH_EXPRESSION_TORQUE, 1, "unknown name \"up4\""},
        {"2*w1", PH_EXPRESSION_POTENTIAL, 3, "cannot depend on w1"},
        {"m3", PH_EXPRESSION_POTENTIAL, 1, "cannot depend on m3"},
        {"sin", PH_EXPRESSION_TORQUE, 4, "( after the name"},
        {"sin(1, 2)", PH_EXPRESSION_TORQUE, 6, "needs only 1 argument:"},
        {"atan2(1)", PH_EXPRESSION_TORQUE, 8, "needs 2 arguments"},
        {"sin(1", PH_EXPRESSION_TORQUE, 6, "ends here"},
        {"k < 2", PH_EXPRESSION_TORQUE, 3, "\"<\" is unexpected"},
        {"k", PH_EXPRESSION_CONDITION, 2, "< or >"},
        {"k < 2 < 3", PH_EXPRESSION_CONDITION, 7, "\"<\" is unexpected"},
        {"k <= 2", PH_EXPRESSION_CONDITION, 4, "\"=\" is unexpected"},
        {"k \x01", PH_EXPRESSION_TORQUE, 3, "is not allowed"},
        {"1\xc3\xa9", PH_EXPRESSION_TORQUE, 2, "is not allowed"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ph_expression *e = NULL;
        ph_expression_error why = {0};
        assert_int_equal(PH_BAD_EXPRESSION,
                         ph_expression_create(cases[i].text, cases[i].use, PARAMETERS,
                                              COUNT(PARAMETERS), &e, &why));
        assert_null(e);
        if (why.column != cases[i].column || strstr(why.text, cases[i].says) == NULL)
            fail_msg("%s: column %d: %s", cases[i].text, why.column, why.text);
        assert_int_equal(PH_BAD_EXPRESSION,
                         ph_expression_create(cases[i].text, cases[i].use, PARAMETERS,
                                              COUNT(PARAMETERS), &e, NULL));
    }
}

/* `count` times a text, then another. */
static char *repeated(const char *text, int count, const char *end)
{
    char *all = calloc(strlen(text) * (size_t)count + strlen(end) + 1, 1);
    assert_non_null(all);
    for (int i = 0; i < count; i++)
        strcat(all, text);
    return strcat(all, end);
}

static ph_status status_of(char *text, ph_expression_error *why)
{
    ph_expression *e = NULL;
    const ph_status status = ph_expression_create(text, PH_EXPRESSION_TORQUE, NULL, 0, &e, why);
    ph_expression_destroy(e);
    free(text);
    return status;
}

static void test_limits(void **state)
{
    (void)state;
    ph_expression_error why;
    assert_int_equal(PH_OK, status_of(repeated(" ", PH_EXPRESSION_LENGTH - 1, "t"), &why));
    assert_int_equal(PH_BAD_EXPRESSION, status_of(repeated(" ", PH_EXPRESSION_LENGTH, "t"), &why));
    assert_int_equal(PH_EXPRESSION_LENGTH + 1, why.column);
    assert_int_equal(PH_OK, status_of(repeated("-", PH_EXPRESSION_DEPTH - 1, "t"), &why));
    assert_int_equal(PH_BAD_EXPRESSION, status_of(repeated("-", PH_EXPRESSION_DEPTH, "t"), &why));
    assert_int_equal(PH_EXPRESSION_DEPTH + 1, why.column);
    assert_int_equal(PH_BAD_EXPRESSION, status_of(repeated("(", 1900, "t"), &why));
    assert_int_equal(PH_BAD_EXPRESSION, status_of(repeated("t^", 900, "t"), &why));
    assert_int_equal(PH_BAD_EXPRESSION, status_of(repeated("9", 70, ""), &why));
    assert_int_equal(PH_OK, status_of(repeated("t*t+", 400, "t"), &why));
}

/* ---- problems -------------------------------------------------------------------- */

static ph_problem problem_of(const char *potential, const char *const torque[3])
{
    ph_problem p;
    ph_expressions_error why;
    ph_expressions from = {.potential = potential,
                           .parameters = PARAMETERS,
                           .parameter_count = COUNT(PARAMETERS),
                           .value = VALUES};
    for (int k = 0; k < 3 && torque != NULL; k++)
        from.torque[k] = torque[k];
    if (ph_problem_from_expressions(&from, &p, &why) != PH_OK)
        fail_msg("%s: %s, column %d: %s", potential ? potential : torque[0], why.where,
                 why.error.column, why.error.text);
    return p;
}

static ph_instant turned(const ph_instant *now, int axis_number, double angle)
{
    ph_instant there =
        instant_at(now->t, mul(now->q, ph_rotation_exp(scale(angle, axis(axis_number)))));
    there.m = now->m;
    there.w = now->w;
    return there;
}

/* The derivative of a function of the attitude along an axis, by central differences of two
 * lengths (Richardson): to about 1e-10. */
static double quotient(const ph_problem *p, const ph_instant *now, int along, int component)
{
    double d[2];
    for (int i = 0; i < 2; i++) {
        const double angle = 2e-3 / (1 + i);
        const ph_instant ahead = turned(now, along, angle), behind = turned(now, along, -angle);
        double f[2];
        for (int k = 0; k < 2; k++) {
            const ph_instant *at = k == 0 ? &ahead : &behind;
            if (component < 0) {
                f[k] = p->potential(p, at);
            } else {
                const ph_vec3 tau = p->torque(p, at);
                f[k] = component == 0 ? tau.x : component == 1 ? tau.y : tau.z;
            }
        }
        d[i] = (f[0] - f[1]) / (2 * angle);
    }
    return (4 * d[1] - d[0]) / 3;
}

static void check_derivatives(const ph_problem *p, const char *text)
{
    uint64_t seed = 3;
    for (int n = 0; n < 20; n++) {
        const ph_instant now = somewhere(&seed);
        const ph_vec3 tau = p->torque(p, &now);
        const ph_mat3 D = p->derivative(p, &now);
        const double torque[3] = {tau.x, tau.y, tau.z};
        for (int k = 0; k < 3; k++) {
            const double right = p->potential ? -quotient(p, &now, k, -1) : torque[k];
            if (!(fabs(torque[k] - right) <= 1e-8 * (1 + fabs(right))))
                fail_msg("%s: torque %d is %.17g, not %.17g", text, k, torque[k], right);
            for (int i = 0; i < 3; i++) {
                const double change = quotient(p, &now, k, i);
                if (!(fabs(D.a[i][k] - change) <= 1e-7 * (1 + fabs(change))))
                    fail_msg("%s: derivative %d %d is %.17g, not %.17g", text, i, k, D.a[i][k],
                             change);
            }
        }
    }
}

/* Every operator and function, of operands that turn with the body. */
static void test_derivatives(void **state)
{
    (void)state;
    static const char *const potentials[] = {
        "R11",
        "R12 + R21",
        "R13 - R31",
        "R22*R33",
        "R23/(2 + R32)",
        "-R33",
        "R11^2",
        "R12^3",
        "R13^-2*R13^4",
        "(2 + R21)^1.7",
        "(2 + R22)^(1 + R33)",
        "(2 + R23)^k",
        "k^R31",
        "sin(3*R11)",
        "cos(3*R12 + t)",
        "tan(R13/2)",
        "asin(R21/2)",
        "acos(R22/2)",
        "atan(2*R23)",
        "atan2(2 + R31, 3 + R32)",
        "sinh(R33)",
        "cosh(R11)",
        "tanh(2*R12)",
        "exp(R13)",
        "log(2 + R21)",
        "sqrt(2 + R22)",
        "abs(R23)*R23",
        "min(R31, 3)*max(R32, 2)",
        "max(-2, R33)",
        "q0^2",
        "q1*q2 + q3*q0",
        "(q0*q0 + 2*q1*q1)*q2*q3",
        "q2^2*q3^2",
        "q1^4",
        "k*(1 - R33) + up1*R13^2",
        "exp(sin(R11)*R22)/(3 + cos(R33*R12))",
        "up1*R31 + up2*R32 + up3*R33",
    };
    for (size_t i = 0; i < COUNT(potentials); i++) {
        ph_problem p = problem_of(potentials[i], NULL);
        check_derivatives(&p, potentials[i]);
        ph_problem_release(&p);
    }
    static const char *const torque[3] = {"R12*R21 + sin(t)", "q0*q1 - min(R33, 0.1)^3", "0"};
    ph_problem p = problem_of(NULL, torque);
    assert_null(p.potential);
    check_derivatives(&p, "torque");
    ph_problem_release(&p);
}

/* The problems of the catalog, written as expressions. */
static void test_catalog(void **state)
{
    (void)state;
    static const char *const none[3] = {NULL, NULL, NULL};
    static const struct {
        const char *name, *potential;
    } cases[] = {
        {"heavy_top", "strength*((up1*R11 + up2*R21 + up3*R31)*centre1 + (up1*R12 + "
                      "up2*R22 + up3*R32)*centre2 + (up1*R13 + up2*R23 + up3*R33)*centre3)"},
        {"soft_wall", "1/(offset + R33) - wall*(offset + R33)^-10"},
        {"satellite", "3*mu/(2*radius^3)*(17000*R31^2 + 37000*R32^2 + 54000*R33^2)"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const ph_problem *right;
        ph_problem p;
        assert_int_equal(PH_OK, ph_problem_named(cases[i].name, &right));
        const ph_expressions from = {.potential = cases[i].potential,
                                     .torque = {none[0], none[1], none[2]},
                                     .parameters = right->parameters,
                                     .parameter_count = right->parameter_count,
                                     .value = right->value};
        assert_int_equal(PH_OK, ph_problem_from_expressions(&from, &p, NULL));
        uint64_t seed = 11;
        for (int n = 0; n < 50; n++) {
            const ph_instant now = somewhere(&seed);
            const double U = right->potential(right, &now), V = p.potential(&p, &now);
            const ph_vec3 a = right->torque(right, &now), b = p.torque(&p, &now);
            const ph_mat3 A = right->derivative(right, &now), B = p.derivative(&p, &now);
            const double size = 1 + fabs(U) + norm(a);
            assert_true(fabs(U - V) <= 1e-13 * size);
            assert_true(norm(sub(a, b)) <= 1e-12 * size);
            for (int k = 0; k < 9; k++)
                assert_true(fabs(A.a[k / 3][k % 3] - B.a[k / 3][k % 3]) <= 1e-10 * size);
        }
        ph_problem_release(&p);
    }
}

/* The torque in lanes has the bits of that of one attitude: every operation, arguments of sin
 * and cos that are too large for vectors, as many slots as there can be, and more. */
static void test_lanes(void **state)
{
    (void)state;
    static const char *const potentials[] = {
        "k*R33 + R13^2/(2 + R11) - abs(R12)",
        "sin(R11) + cos(2*R12) + sin(1e9*R33) + cos(t*1e5)*R13",
        "tan(R11) + asin(R12/2) + acos(R13/2) + atan(R21) + atan2(R22, 3 + R23)",
        "sinh(R11) + cosh(R12) + tanh(R13) + exp(R21) + log(3 + R22) + sqrt(2 + R23)",
        "min(R11, R12) + max(R13, R21) + (2 + R22)^R23 + q0^2*q1^2 + q2*q3",
    };
    for (size_t i = 0; i <= COUNT(potentials); i++) {
        char many[PH_EXPRESSION_LENGTH] = "R11";
        for (int k = 0; k < 150; k++)
            (void)snprintf(many + strlen(many), sizeof many - strlen(many), "+R%d%d^%d", 1 + k % 3,
                           1 + k / 3 % 3, 2 + k % 13);
        ph_problem p = problem_of(i < COUNT(potentials) ? potentials[i] : many, NULL);
        assert_non_null(ph_lanes_of(&p));
        uint64_t seed = 3;
        for (int n = 0; n < 60; n++) {
            const int first = n % PH_LANES, last = first + 1 + (n / PH_LANES) % (PH_LANES - first);
            double t[PH_LANES], q[4][PH_LANES], torque[3][PH_LANES];
            ph_vec3 right[PH_LANES];
            for (int k = 0; k < PH_LANES; k++) {
                const ph_instant now = somewhere(&seed);
                t[k] = now.t;
                q[0][k] = now.q.w;
                q[1][k] = now.q.x;
                q[2][k] = now.q.y;
                q[3][k] = now.q.z;
                const ph_instant again = instant_at(now.t, now.q);
                right[k] = p.torque(&p, &again);
            }
            ph_lanes_of (&p)(&p, first, last, t, (const double(*)[PH_LANES])q, torque);
            for (int k = first; k < last; k++) {
                const ph_vec3 lane = {torque[0][k], torque[1][k], torque[2][k]};
                assert_memory_equal(&right[k], &lane, sizeof lane);
            }
        }
        ph_problem_release(&p);
    }
    static const char *const moving[3] = {"w1", "0", "0"};
    ph_problem p = problem_of("R33", moving);
    assert_null(ph_lanes_of(&p)); /* lanes have no velocity */
    ph_problem_release(&p);
}

/* Whether a system says that its energy is conserved. */
static bool is_conserved(const ph_problem *p)
{
    ph_integrator method;
    ph_system *s;
    const ph_observable *energy;
    assert_int_equal(PH_OK, ph_integrator_named("mkrk_rk4", &method));
    assert_int_equal(PH_OK, ph_system_from_problem(p, &method, NULL, 0.1, 0, &s));
    assert_int_equal(PH_OK, ph_system_observable_named(s, "energy", &energy));
    const bool conserved = energy->conserved;
    ph_system_destroy(s);
    return conserved;
}

/* Potential and torque add up; a torque of the velocity has no derivative. */
static void test_both(void **state)
{
    (void)state;
    static const char *const torque[3] = {"-k*w1", "m1*m2", "t"};
    ph_problem both = problem_of("R13", torque), field = problem_of("R13", NULL);
    uint64_t seed = 5;
    const ph_instant now = somewhere(&seed);
    const ph_vec3 a = field.torque(&field, &now), b = both.torque(&both, &now);
    assert_true(both.velocity_dependent && !field.velocity_dependent);
    assert_true(both.derivative == NULL && field.derivative != NULL);
    const ph_vec3 more = vec3(-2.5 * now.w.x, now.m.x * now.m.y, now.t);
    assert_true(norm(sub(b, add(a, more))) < 1e-14);
    assert_true(both.potential(&both, &now) == now.R.a[0][2]);
    assert_true(is_conserved(&field) && !is_conserved(&both));
    ph_problem_release(&both);
    ph_problem_release(&field);
    ph_problem_release(&field);
}

static void test_bad_problems(void **state)
{
    (void)state;
    ph_problem none;
    assert_int_equal(PH_NULL_ARGUMENT, ph_problem_from_expressions(NULL, &none, NULL));
    assert_int_equal(PH_NULL_ARGUMENT,
                     ph_problem_from_expressions(&(ph_expressions){.potential = "1"}, NULL, NULL));
    static const ph_parameter word = {"pi", 0, 1, "1", "", PH_RANGE_ANY},
                              time = {"t", 0, 1, "1", "", PH_RANGE_ANY},
                              vector = {"q", 0, 3, "1", "", PH_RANGE_ANY},
                              digit = {"2a", 0, 1, "1", "", PH_RANGE_ANY},
                              space = {"a b", 0, 1, "1", "", PH_RANGE_ANY},
                              empty = {"", 0, 1, "1", "", PH_RANGE_ANY},
                              many = {"a", 0, 10, "1", "", PH_RANGE_ANY};
    static const ph_parameter twice[2] = {{"a", 0, 1, "1", "", PH_RANGE_ANY},
                                          {"a", 1, 1, "1", "", PH_RANGE_ANY}},
                              mixed[2] = {{"a", 0, 2, "1", "", PH_RANGE_ANY},
                                          {"a2", 2, 1, "1", "", PH_RANGE_ANY}};
    static const double values[32] = {0};
    const struct {
        ph_expressions from;
        const char *where, *says;
    } cases[] = {
        {{.potential = NULL}, "problem", "no potential or torque"},
        {{.potential = "q0"}, "potential", "an even function of q"},
        {{.potential = "q0*q1*q2"}, "potential", "an even function of q"},
        {{.potential = "R14"}, "potential", "unknown name"},
        {{.potential = "R41"}, "potential", "unknown name"},
        {{.potential = "R01"}, "potential", "unknown name"},
        {{.potential = "q4"}, "potential", "unknown name"},
        {{.torque = {"m4", "1", "1"}}, "torque 1", "unknown name"},
        {{.torque = {"1", "m0", "1"}}, "torque 2", "unknown name"},
        {{.torque = {"1", "1", "w4"}}, "torque 3", "unknown name"},
        {{.torque = {"1", "x", "1"}}, "torque 2", "unknown name"},
        {{.potential = "1", .parameters = &word, .parameter_count = 1}, "parameter", "\"pi\""},
        {{.potential = "1", .parameters = &time, .parameter_count = 1}, "parameter", "\"t\""},
        {{.potential = "1", .parameters = &vector, .parameter_count = 1}, "parameter", "\"q1\""},
        {{.potential = "1", .parameters = &digit, .parameter_count = 1}, "parameter", "not a name"},
        {{.potential = "1", .parameters = &space, .parameter_count = 1}, "parameter", "not a name"},
        {{.potential = "1", .parameters = &empty, .parameter_count = 1}, "parameter", "not a name"},
        {{.potential = "1", .parameters = &many, .parameter_count = 1}, "parameter", "nine"},
        {{.potential = "1", .parameters = twice, .parameter_count = 2}, "parameter", "\"a\""},
        {{.potential = "1", .parameters = mixed, .parameter_count = 2}, "parameter", "\"a2\""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ph_problem p;
        ph_expressions_error why;
        ph_expressions from = cases[i].from;
        from.value = values;
        assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&from, &p, &why));
        if (strcmp(why.where, cases[i].where) != 0 || strstr(why.error.text, cases[i].says) == NULL)
            fail_msg("case %zu: %s: %s", i, why.where, why.error.text);
    }
    ph_problem even = problem_of("q0^2 + cos(q0 + 1) + cos(q0 - 1)", NULL);
    ph_problem_release(&even);
}

/* ---- ranges ---------------------------------------------------------------------- */

enum { GRID = 20, SPECIAL = 3, SAMPLES = GRID + 1 + SPECIAL };

/* Numbers of an interval, both ends and those of -1, 0 and 1 that are in it. */
static int samples_of(interval a, double x[SAMPLES])
{
    int count = 0;
    for (int i = 0; i <= GRID; i++)
        x[count++] = i == GRID ? a.high : a.low + (a.high - a.low) * i / GRID;
    for (int i = -1; i <= 1; i++) {
        if (a.low <= i && i <= a.high)
            x[count++] = i;
    }
    return count;
}

/* Whether an operation that stands alone has a range as wide as its values: not where it says that
 * there is a pole or a jump. */
static bool is_sharp(operation code, interval found)
{
    return isfinite(found.low) && isfinite(found.high) && code != ATAN2;
}

/* What a function does for arguments in two intervals, in which it has several values or one. */
static range_kind kind_of(operation code, interval a, interval b, bool varies)
{
    switch (code) {
    case SIGN:
    case LESS:
    case AT_MOST:
        return varies ? RANGE_KINK : RANGE_SMOOTH;
    case ATAN2:
        return a.low < 0.0 && a.high >= 0.0 && b.low < 0.0 ? RANGE_JUMP : RANGE_SMOOTH;
    case ASIN: /* outside of their domains these are undefined */
    case ACOS:
        return a.low < -1.0 || a.high > 1.0 ? RANGE_JUMP : RANGE_SMOOTH;
    case LOG:
    case SQRT:
        return a.low < 0.0 ? RANGE_JUMP : RANGE_SMOOTH;
    case POWER:
        return a.low > 0.0 ? RANGE_SMOOTH : RANGE_JUMP;
    default:
        return RANGE_SMOOTH;
    }
}

static void check_range(operation code, interval a, interval b)
{
    graph g;
    program p = {0};
    double x[SAMPLES], y[SAMPLES], numbers[ALL_VARIABLES] = {0};
    interval box[ALL_VARIABLES] = {{0}}, found, seen = {INFINITY, -INFINITY};
    box[VARIABLE_T] = a;
    box[VARIABLE_M] = b;
    assert_true(ph_graph_begin(&g));
    const int first = ph_graph_leaf(&g, VARIABLE, VARIABLE_T),
              second = ph_graph_leaf(&g, VARIABLE, VARIABLE_M),
              both = ph_graph_make(&g, code, first, second);
    assert_int_equal(PH_OK, ph_program_make(&p, &g, 1, &both));
    const range_kind kind = ph_program_bounds(&p, box, NULL, &found);
    const int rows = samples_of(a, x), columns = samples_of(b, y);
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < columns; k++) {
            double value;
            numbers[VARIABLE_T] = x[i];
            numbers[VARIABLE_M] = y[k];
            ph_program_run(&p, numbers, NULL, &value);
            if (isnan(value))
                continue;
            const double round_off = isinf(value) ? 0.0 : 1e-14 * (1.0 + fabs(value));
            if (!(value >= found.low - round_off && value <= found.high + round_off))
                fail_msg("operation %d at %g, %g: %g is not in [%g, %g]", code, x[i], y[k], value,
                         found.low, found.high);
            seen.low = smaller_or_nan(seen.low, value);
            seen.high = larger_or_nan(seen.high, value);
        }
    }
    const double slack = 0.02 * (seen.high - seen.low) + 1e-14;
    if (is_sharp(code, found) && (found.low < seen.low - slack || found.high > seen.high + slack))
        fail_msg("operation %d: [%g, %g] for [%g, %g]", code, found.low, found.high, seen.low,
                 seen.high);
    if (code == TAN) /* unless there is a pole, half a turn from the last */
        assert_int_equal(floor(a.low / PH_PI + 0.5) == floor(a.high / PH_PI + 0.5),
                         isfinite(found.low) && isfinite(found.high));
    assert_int_equal(kind_of(code, a, b, seen.low < seen.high), kind);
    ph_program_free(&p);
    ph_graph_free(&g);
}

/* The range of an operation has all its values in a box, and, where there is no pole, hardly more. */
static void test_ranges(void **state)
{
    (void)state;
    static const interval boxes[] = {{0.2, 0.9},   {-0.9, -0.2}, {-0.5, 0.7},  {-2.0, 1.0},
                                     {1.0, 3.0},   {0.0, 0.8},   {-3.0, 0.0},  {2.5, 5.5},
                                     {-5.5, -2.5}, {-4.0, 7.0},  {13.0, 15.5}, {0.5, 0.5}};
    for (int code = 0; code < OPERATION_COUNT; code++) {
        const size_t others = operation_operands((operation)code) == 2 ? COUNT(boxes) : 1;
        for (size_t i = 0; i < COUNT(boxes); i++) {
            for (size_t k = 0; k < others; k++) {
                if (code != KEPLER || (boxes[k].low >= 0.0 && boxes[k].high < 1.0))
                    check_range((operation)code, boxes[i], boxes[k]);
            }
        }
    }
    /* a square is not negative, and products do not overflow to something that is no number */
    graph g;
    program p = {0};
    interval box[ALL_VARIABLES] = {[VARIABLE_T] = {-2.0, 1.0}, [VARIABLE_M] = {0.0, INFINITY}},
             found[2];
    assert_true(ph_graph_begin(&g));
    const int t = ph_graph_leaf(&g, VARIABLE, VARIABLE_T),
              m = ph_graph_leaf(&g, VARIABLE, VARIABLE_M);
    int nodes[2];
    nodes[0] = ph_graph_make(&g, MULTIPLY, t, t);
    nodes[1] = ph_graph_make(&g, MULTIPLY, t, m);
    assert_int_equal(PH_OK, ph_program_make(&p, &g, 2, nodes));
    assert_int_equal(RANGE_SMOOTH, ph_program_bounds(&p, box, NULL, found));
    assert_true(found[0].low == 0.0 && found[0].high == 4.0);
    assert_true(found[1].low == -INFINITY && found[1].high == INFINITY);
    box[VARIABLE_T] = (interval){0.0, 1.0};
    box[VARIABLE_M] = (interval){INFINITY, INFINITY};
    assert_int_equal(RANGE_SMOOTH, ph_program_bounds(&p, box, NULL, found));
    assert_true(found[1].low == 0.0 && found[1].high == INFINITY);
    ph_program_free(&p);
    ph_graph_free(&g);
}

/* A system has the expressions for itself, and its snapshot has them. */
static void test_snapshot(void **state)
{
    (void)state;
    static const char *const torque[3] = {"-0.1*w1", "up2*sin(t)", "k*R31"};
    ph_problem p = problem_of("k*(1 - R33)", torque);
    ph_integrator method;
    ph_system *s, *again;
    assert_int_equal(PH_OK, ph_integrator_named("mkrk_rk4", &method));
    assert_int_equal(PH_OK, ph_system_from_problem(&p, &method, NULL, 0.1, 0, &s));
    ph_problem_release(&p);
    assert_int_equal(PH_OK, ph_system_run(s, 10, NULL));
    const size_t size = ph_system_save(s, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(size, ph_system_save(s, bytes, size));
    assert_int_equal(PH_OK, ph_system_from_snapshot(bytes, size, &again));
    assert_string_equal("expression", ph_system_problem_name(again));
    assert_int_equal(PH_OK, ph_system_run(s, 10, NULL));
    assert_int_equal(PH_OK, ph_system_run(again, 10, NULL));
    const ph_state a = ph_system_state(s), b = ph_system_state(again);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(PH_UNKNOWN_NAME, system_by_names(&again, "expression", "mkrk_rk4", 0.1));
    ph_system_destroy(again);
    ph_system_destroy(s);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes),       cmocka_unit_test(test_grammar),
        cmocka_unit_test(test_conditions),  cmocka_unit_test(test_locale),
        cmocka_unit_test(test_units),       cmocka_unit_test(test_state),
        cmocka_unit_test(test_errors),      cmocka_unit_test(test_limits),
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_catalog),
        cmocka_unit_test(test_both),        cmocka_unit_test(test_bad_problems),
        cmocka_unit_test(test_snapshot),    cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
