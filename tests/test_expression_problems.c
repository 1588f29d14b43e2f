/* test_expression_problems.c - problems given by expressions: forces and torques of one potential
 * where the centre moves, by differences; lanes where numbers overflow; sources that were altered;
 * what cannot be written; and every allocation that fails. */
/* Needs kinds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "integrators/expression/compiled.h"
#include "integrators/expression/expression.h"
#include "integrators/field.h"
#include "integrators/lanes.h"
#include "integrators/orbit.h"
#include "polhode/expression.h"
#include "system/find.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- memory ---------------------------------------------------------------------- */

/* The compiler believes that malloc leaves them alone. */
static volatile long calls, fail_at; /* 0: never */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    return ++calls == fail_at ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return ++calls == fail_at ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return ++calls == fail_at ? NULL : __real_realloc(old, size);
}

/* ---- forces and torques ---------------------------------------------------------------- */

static const ph_parameter PARAMETERS[] = {{"Az_9", 0, 1, "1", "", PH_RANGE_ANY},
                                          {"zaZ", 1, 3, "1", "", PH_RANGE_ANY}};
static const double GIVEN[] = {2.5, 0.3, -0.4, 0.7};

static ph_problem made(const ph_expressions *from)
{
    ph_problem p;
    ph_expressions_error why;
    ph_expressions with = *from;
    if (with.parameters == NULL) {
        with.parameters = PARAMETERS;
        with.parameter_count = COUNT(PARAMETERS);
        with.value = GIVEN;
    }
    if (ph_problem_from_expressions(&with, &p, &why) != PH_OK)
        fail_msg("%s: %s", why.where, why.error.text);
    return p;
}

static ph_instant somewhere(uint64_t *seed)
{
    double x[8];
    for (int k = 0; k < 8; k++)
        x[k] = between(seed, -1.0, 1.0);
    ph_instant now = instant_at(x[0], ph_quat_unit((ph_quat){x[1], x[2], x[3], x[4]}));
    now.x = vec3(x[5], x[6], x[7]);
    now.v = vec3(x[1], x[5], x[3]);
    now.m = vec3(x[2], x[6], x[4]);
    now.w = vec3(x[3], x[7], x[1]);
    return now;
}

/* The instant a little along axis k of the attitude, or of the place. */
static ph_instant moved(const ph_instant *now, int k, double by)
{
    const ph_vec3 e = vec3(k % 3 == 0 ? by : 0, k % 3 == 1 ? by : 0, k % 3 == 2 ? by : 0);
    ph_instant out = instant_at(now->t, k < 3 ? mul(now->q, ph_rotation_exp(e)) : now->q);
    out.x = k < 3 ? now->x : add(now->x, e);
    return out;
}

static const char *const POTENTIALS[] = {
    "x1*R11 - 2*x2*R23 + x3^3*R33",
    "Az_9*(x1 + 2*x2 - 3*x3)^2 + zaZ1*R12*x1 + zaZ2*R21*x2 + zaZ3*R32*x3",
    "q0^2*x1 + q1*q2*x2 - q3*q0*x3 + q1^2 - q2^2 + q3^2",
    "sin(x1 + R13)*cos(x2*R22) + tan(x3/2)",
    "asin(x1/2)*acos(x2/2) + atan(x3) + atan2(x1, 3 + x2) + atan2(R31, 2 + x3)",
    "sinh(x1)*cosh(x2) + tanh(x3*R11) + exp(-x1*x2) + log(4 + x3) + sqrt(3 + x1*R22)",
    "abs(x1 + 5) + min(x1, x2 + 4) + max(x2, x3 - 4) + (3 + x1)^x2 + (2 + R33)^2.5",
    "x1/(4 + x2) - 1/(5 + x3 + R12) + -(-x1) + x2*1 + 1*x3 + 0 + x1 - 0 + 0 - x2",
    "(x1 - x2)^7 + (2 + x3)^-3 + x1^1 + x2^0 + (3 + R11)^0.5 + x3^16/99",
};

/* -dU along every axis is the torque and the force, which expressions of their own add to. */
static void test_gradients(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(POTENTIALS); i++) {
        for (int with = 0; with < 2; with++) {
            ph_problem p = made(&(ph_expressions){
                .potential = POTENTIALS[i],
                .torque = {with ? "w1*t" : NULL, with ? "m2" : NULL, with ? "1" : NULL},
                .force = {with ? "-v1" : NULL, with ? "x2*v2" : NULL, with ? "v3" : NULL},
                .moving_centre = true});
            uint64_t seed = 5;
            assert_int_equal(with, p.velocity_dependent);
            assert_int_equal(with, p.nonconservative);
            for (int n = 0; n < 20; n++) {
                const ph_instant now = somewhere(&seed);
                const ph_vec3 tau = p.torque(&p, &now), F = p.force(&p, &now);
                const double found[6] = {tau.x, tau.y, tau.z, F.x, F.y, F.z},
                             more[6] = {now.w.x * now.t, now.m.y,           1.0,
                                        -now.v.x,        now.x.y * now.v.y, now.v.z},
                             h = 1e-3;
                for (int k = 0; k < 6; k++) {
                    double U[4];
                    for (int d = 0; d < 4; d++) {
                        const ph_instant there =
                            moved(&now, k, (double[]){-2 * h, -h, h, 2 * h}[d]);
                        U[d] = p.potential(&p, &there);
                    }
                    const double slope = (8.0 * (U[2] - U[1]) - (U[3] - U[0])) / (12.0 * h);
                    if (!(fabs(found[k] - ((with ? more[k] : 0.0) - slope)) <
                          1e-8 * (1.0 + fabs(slope))))
                        fail_msg("%s along %d: %.12g, not %.12g", POTENTIALS[i], k, found[k],
                                 -slope);
                }
            }
            ph_problem_release(&p);
        }
    }
}

/* Body and start are those of the orbiter, or of the free body. */
static void test_start(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; moves++) {
        ph_problem p = made(&(ph_expressions){.potential = "R33", .moving_centre = moves != 0});
        ph_system *s;
        assert_int_equal(PH_OK, system_by_names(&s, moves ? "orbiter" : "free",
                                                moves ? "verlet+exact" : "exact", 0.1));
        const ph_array *w = find_field(s, "velocity"), *J = find_field(s, "moments");
        assert_true(fabs(p.w.x - w->data[0][0]) + fabs(p.w.y - w->data[1][0]) +
                        fabs(p.w.z - w->data[2][0]) <
                    1e-15); /* it is made of the momentum */
        assert_true(p.body.J.x == J->data[0][0] && p.body.J.y == J->data[1][0] &&
                    p.body.J.z == J->data[2][0]);
        assert_true((p.force != NULL) == (moves != 0));
        ph_system_destroy(s);
        ph_problem_release(&p);
    }
}

/* ---- lanes ----------------------------------------------------------------------- */

/* Where products overflow, are of 0 and infinity, or are no numbers, lanes have the bits of one
 * torque after the other. */
static void test_lanes(void **state)
{
    (void)state;
    static const char *const potentials[] = {
        "1/(1 + exp(1000*R33))",
        "1/(1 + exp(1e300*R33))*exp(500*R11)",
        "exp(400*R11)*exp(400*R22)*cosh(R33*300)",
        "tanh(1e5*R12) + sinh(600*R13)*exp(-600*R13)",
        "(2 + R11)^(900*R22)",
        "sqrt(R11)*log(R22)",
        "1/R11 + 1/(R12 - R12)",
        "sin(R21)*(R22*exp(sqrt(R11)))",
        "log(exp(-1e5*R11))*R33",
        "sqrt(exp(-1e5*R22)*cosh(800*R12))",
        "atan(sinh(900*R11))/exp(900*R12)",
    };
    for (size_t i = 0; i < COUNT(potentials); i++) {
        ph_problem p = made(&(ph_expressions){.potential = potentials[i]});
        torque_lanes_kernel *lanes = ph_lanes_of(&p);
        uint64_t seed = 9;
        assert_non_null(lanes);
        for (int n = 0; n < 200; n++) {
            double t[PH_LANES], q[4][PH_LANES], torque[3][PH_LANES];
            ph_vec3 right[PH_LANES];
            for (int k = 0; k < PH_LANES; k++) {
                ph_instant now = somewhere(&seed);
                if (n % 4 == 1) /* numbers that are exact, and what is none */
                    now.q = (ph_quat[]){
                        {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {NAN, 0, 0, 0}}[(k + n) % 4];
                const ph_instant again = instant_at(now.t, now.q);
                t[k] = now.t;
                q[0][k] = now.q.w, q[1][k] = now.q.x;
                q[2][k] = now.q.y, q[3][k] = now.q.z;
                right[k] = p.torque(&p, &again);
            }
            lanes(&p, 0, PH_LANES, t, (const double(*)[PH_LANES])q, torque);
            for (int k = 0; k < PH_LANES; k++) {
                const double one[3] = {right[k].x, right[k].y, right[k].z};
                for (int j = 0; j < 3; j++) {
                    if (isnan(one[j]) ? !isnan(torque[j][k]) : one[j] != torque[j][k])
                        fail_msg("%s: %a in lanes, %a alone", potentials[i], torque[j][k], one[j]);
                }
            }
        }
        ph_problem_release(&p);
    }
}

/* ---- sources -------------------------------------------------------------------------- */

/* The status of a problem whose source is this text, or these characters of it. */
static ph_status loaded(const char *text, size_t at, double other)
{
    ph_problem p = made(&(ph_expressions){.potential = "R33"});
    ph_problem q = p;
    const size_t length = strlen(text);
    double *data = calloc(length + 1, sizeof *data);
    assert_non_null(data);
    for (size_t i = 0; i < length; i++)
        data[i] = i == at ? other : (unsigned char)text[i];
    q.data = data;
    q.data_count = length;
    q.context = NULL;
    const ph_status status = q.load(&q);
    if (status == PH_OK)
        q.unload(&q);
    free(data);
    ph_problem_release(&p);
    return status;
}

static void test_sources(void **state)
{
    (void)state;
    static const char *const good[] = {
        "potential R33\n",
        "parameter a 1\npotential a*R33\n",
        "parameter a 9\nparameter b 9\nparameter c 9\nparameter d 5\npotential a9*d5\n",
        "torque 1\ntorque 2\ntorque 3\n",
        "centre moves\npotential x1\n",
        "potential x1\ncentre moves\n",
        "force x1\nforce v2\nforce 3\ncentre moves\ntorque 1\ntorque 2\ntorque 3\n",
    };
    static const char *const bad[] = {
        "potential R33",
        "potential R34\n",
        "potential x1\n",
        "nothing R33\n",
        "potential R33\n\n",
        "potential R33\n\xe4\n",
        "potential R33\n\xe4potential\n",
        "parameter a\npotential R33\n",
        "parameter a 0\npotential R33\n",
        "parameter a 10\npotential R33\n",
        "parameter a -1\npotential R33\n",
        "parameter  1\npotential R33\n",
        "parameter t 1\npotential R33\n",
        "parameter a 1\nparameter a 1\npotential R33\n",
        "parameter a 9\nparameter b 9\nparameter c 9\nparameter d 9\nparameter e 9\nparameter f 4\n"
        "potential a9\n",
        "torque 1\n",
        "torque 1\ntorque 2\n",
        "torque 1\ntorque 2\ntorque 3\ntorque 4\n",
        "torque 1\ntorque 2\ntorque 3\ntorque 4\ntorque 5\ntorque 6\n",
        "torque 1\ntorque 2\ntorque x1\n",
        "centre moves\nforce 1\n",
        "centre moves\nforce 1\nforce 2\n",
        "centre moves\nforce 1\nforce 2\nforce 3\nforce 4\n",
        "centre moves\nforce 1\nforce 2\nforce +\n",
        "centre move\npotential R33\n",
        "potential \n",
    };
    const size_t nowhere = (size_t)-1;
    for (size_t i = 0; i < COUNT(good); i++) {
        if (loaded(good[i], nowhere, 0.0) != PH_OK)
            fail_msg("refused: %s", good[i]);
        /* no character may be another number */
        static const double others[] = {0.0, -1.0, 0.5, 256.0, 1e300, NAN, INFINITY};
        for (size_t at = 0; at < strlen(good[i]); at++) {
            for (size_t k = 0; k < COUNT(others); k++)
                assert_int_not_equal(PH_OK, loaded(good[i], at, others[k]));
        }
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        if (loaded(bad[i], nowhere, 0.0) != PH_BAD_EXPRESSION)
            fail_msg("taken: %s", bad[i]);
    }
}

/* ---- what cannot be written --------------------------------------------------------------- */

static void test_forms(void **state)
{
    (void)state;
    char longest[80] = "a", digits[200] = "0.";
    memset(longest, 'b', 63);
    memset(digits + 2, '1', 60);
    const ph_parameter nameless = {NULL, 0, 1, "1", "", PH_RANGE_ANY},
                       empty = {"", 0, 1, "1", "", PH_RANGE_ANY},
                       below = {"a", -1, 1, "1", "", PH_RANGE_ANY},
                       none = {"a", 0, 0, "1", "", PH_RANGE_ANY},
                       nine = {"a", 0, 9, "1", "", PH_RANGE_ANY},
                       most = {longest, 0, 1, "1", "", PH_RANGE_ANY},
                       six[6] = {{"a", 0, 9, "1", "", PH_RANGE_ANY},
                                 {"b", 9, 9, "1", "", PH_RANGE_ANY},
                                 {"c", 18, 9, "1", "", PH_RANGE_ANY},
                                 {"d", 27, 9, "1", "", PH_RANGE_ANY},
                                 {"e", 36, 9, "1", "", PH_RANGE_ANY},
                                 {"f", 45, 3, "1", "", PH_RANGE_ANY}},
                       more[6] = {six[0], six[1], six[2],
                                  six[3], six[4], {"f", 45, 4, "1", "", PH_RANGE_ANY}};
    static const double values[50], not_finite[] = {NAN, INFINITY}, one = 1;
    const ph_problem *top = find_problem("heavy_top"), *craft = find_problem("spacecraft");
    ph_problem unlisted = *top, nobody = *top;
    unlisted.torque = craft->torque;
    nobody.name = NULL;
#define CONTROL(a, b, c) .control = {(a), (b), (c) }
#define WITH(p, n)       .parameters = (p), .parameter_count = (n), .value = values
    const struct {
        ph_expressions from;
        const char *where, *says; /* NULL: it is right */
    } cases[] = {
        {{.moving_centre = true}, "problem", "no potential, force or torque"},
        {{.potential = NULL}, "problem", "no potential or torque"},
        {{.torque = {"1"}}, "problem", "a torque needs three"},
        {{.torque = {"1", "2"}}, "problem", "a torque needs three"},
        {{.torque = {"1", NULL, "3"}}, "problem", "a torque needs three"},
        {{.potential = "1", .torque = {NULL, "2", NULL}}, "problem", "a torque needs three"},
        {{.potential = "1", .torque = {NULL, NULL, "2"}}, "problem", "a torque needs three"},
        {{.force = {"1"}, .moving_centre = true}, "problem", "a force needs three"},
        {{.force = {"1", "2"}, .moving_centre = true}, "problem", "a force needs three"},
        {{.force = {"1", NULL, "3"}, .moving_centre = true}, "problem", "a force needs"},
        {{.potential = "1", .force = {NULL, "2", NULL}, .moving_centre = true},
         "problem",
         "a force needs three"},
        {{.potential = "1", .force = {NULL, NULL, "2"}, .moving_centre = true},
         "problem",
         "a force needs three"},
        {{.force = {"1", "2", "3"}}, "force 1", "a moving centre"},
        {{.force = {"1", "2", "3"}, .moving_centre = true}, NULL, NULL},
        {{.force = {"1", "+", "3"}, .moving_centre = true}, "force 2", "the expression ends here"},
        {{.force = {"v1", "x2", "v4"}, .moving_centre = true}, "force 3", "unknown name"},
        {{.potential = "v1", .moving_centre = true}, "potential", "cannot depend on v1"},
        {{.potential = "w1"}, "potential", "cannot depend on w1"},
        {{.potential = "x1"}, "potential", "unknown name"},
        {{.potential = "1", WITH(PARAMETERS, -1)},
         "parameter",
         "parameters or their values are missing"},
        {{.potential = "1", .parameters = PARAMETERS, .parameter_count = 1},
         "parameter",
         "parameters or their values are missing"},
        {{.potential = "1", WITH(NULL, 1)}, "parameter", "parameters or their values are missing"},
        {{.potential = "1", WITH(&nameless, 1)}, "parameter", "\"\" is not a name"},
        {{.potential = "1", WITH(&below, 1)}, "parameter", "negative index"},
        {{.potential = "1", WITH(&none, 1)}, "parameter", "no number"},
        {{.potential = "a1 + a9", WITH(&nine, 1)}, NULL, NULL},
        {{.potential = "a10", WITH(&nine, 1)}, "potential", "unknown name"},
        {{.potential = "a0", WITH(&nine, 1)}, "potential", "a1 to a9"},
        {{.potential = "a", WITH(&nine, 1)}, "potential", "unknown name"},
        {{.potential = longest, WITH(&most, 1)}, NULL, NULL},
        {{.potential = "a9 + f3", WITH(six, 6)}, NULL, NULL},
        {{.potential = "1", WITH(more, 6)}, "parameter", "more than 48"},
        {{.potential = "q0^2\n+\nq1^2"}, NULL, NULL},
        {{.potential = digits}, NULL, NULL},
        {{.potential = "1e400"}, "potential", "too large"},
        {{.potential = "1..2"}, "potential", "operator"},
        {{.potential = "R33 \x01"}, "potential", "is not allowed"},
        {{.potential = "R33 + \xc3"}, "potential", "is not allowed"},
        {{.potential = "R33 $"}, "potential", "\"$\" is unexpected"},
        {{.potential = "sin R33"}, "potential", "( after the name"},
        {{.potential = "sin(R33, 1)"}, "potential", "needs only 1 argument:"},
        {{.potential = "min(R33)"}, "potential", "needs 2 arguments"},
        {{.potential = "min(R33, 1, 2)"}, "potential", "remove the others"},
        {{.potential = "(R33"}, "potential", "an operator or )"},
        {{.potential = "R33 < 1"}, "potential", "an operator, or nothing"},
        {{.potential = "0x1p4*R33 + 0X1.8P+1"}, NULL, NULL},
        {{.potential = "0x"}, "potential", "an operator after a number"},
        {{.potential = "."}, "potential", "a number, a name or ("},
        {{.extends = top, .moving_centre = true}, "extends", "one body in the catalog"},
        {{.extends = &unlisted}, "extends", "one body in the catalog"},
        {{.extends = &nobody}, "extends", "one body in the catalog"},
        {{.potential = "1", .epoch = &not_finite[0]}, "epoch", "not finite"},
        {{.potential = "1", .epoch = &not_finite[1]}, "epoch", "not finite"},
        {{.potential = "1", .epoch = &one}, NULL, NULL},
        {{.control_period = 1}, NULL, NULL},
        {{CONTROL("1", "2", "3"), .control_period = 1}, NULL, NULL},
        {{CONTROL("1", "2", "3"), .control_period = 1, .moving_centre = true},
         "control 1",
         "a fixed centre"},
        {{CONTROL("1", "2", "3")}, "control 1", "a period and three"},
        {{CONTROL("1", "2", "3"), .control_period = -1}, "control 1", "not positive"},
        {{CONTROL("1", "2", "3"), .control_period = NAN}, "control 1", "not positive"},
        {{CONTROL("1", "2", "3"), .control_period = INFINITY}, "control 1", "not positive"},
        {{CONTROL("1", NULL, NULL), .control_period = 1}, "control 1", "a period and three"},
        {{CONTROL(NULL, "2", NULL), .control_period = 1}, "control 1", "a period and three"},
        {{CONTROL(NULL, NULL, "3"), .control_period = 1}, "control 1", "a period and three"},
        {{CONTROL("1", "2", NULL), .control_period = 1}, "control 1", "a period and three"},
        {{CONTROL("1", NULL, "3"), .control_period = 1}, "control 1", "a period and three"},
        {{CONTROL(NULL, "2", "3"), .control_period = 1}, "control 1", "a period and three"},
        {{CONTROL("1", "2", "+"), .control_period = 1}, "control 3", "the expression ends here"},
        {{.control_period = 1, .control_dipole = true}, "control 1", "a magnetic field"},
        {{.extends = craft, .control_period = 1, .control_dipole = true}, NULL, NULL},
        {{.extends = craft, .tilted_dipole = true}, "problem", "spacecraft and an epoch"},
        {{.extends = top, .tilted_dipole = true, .epoch = &one}, "problem", "spacecraft and an"},
        {{.potential = "1", .tilted_dipole = true, .epoch = &one}, "problem", "spacecraft and an"},
        {{.extends = craft, .tilted_dipole = true, .epoch = &one}, NULL, NULL},
        {{.extends = craft}, NULL, NULL},
        {{.extends = craft, WITH(six, 2)}, NULL, NULL},
        {{.extends = craft, WITH(six, 3)}, "parameter", "too many beside the parameters of space"},
    };
#undef WITH
#undef CONTROL
    for (size_t i = 0; i < COUNT(cases); i++) {
        ph_problem p;
        ph_expressions_error why;
        const ph_status status = ph_problem_from_expressions(&cases[i].from, &p, &why);
        assert_int_equal(cases[i].says == NULL ? PH_OK : PH_BAD_EXPRESSION, status);
        if (status == PH_OK)
            ph_problem_release(&p);
        assert_int_equal(status, ph_problem_from_expressions(&cases[i].from, &p, NULL));
        if (status == PH_OK) {
            ph_problem_release(&p);
        } else if (strcmp(why.where, cases[i].where) != 0 ||
                   strstr(why.error.text, cases[i].says) == NULL) {
            fail_msg("case %zu: %s: %s", i, why.where, why.error.text);
        }
    }
    memset(longest, 'b', 64);
    ph_problem p;
    assert_int_equal(PH_BAD_EXPRESSION,
                     ph_problem_from_expressions(&(ph_expressions){.potential = "1",
                                                                   .parameters = &most,
                                                                   .parameter_count = 1,
                                                                   .value = values},
                                                 &p, NULL));
    assert_int_equal(PH_BAD_EXPRESSION,
                     ph_problem_from_expressions(&(ph_expressions){.potential = "1",
                                                                   .parameters = &empty,
                                                                   .parameter_count = 1,
                                                                   .value = values},
                                                 &p, NULL));
    /* numbers have at most 62 characters */
    ph_expression *e;
    ph_expression_error why;
    assert_int_equal(PH_OK, ph_expression_create(digits, PH_EXPRESSION_TORQUE, NULL, 0, &e, &why));
    ph_expression_destroy(e);
    strcat(digits, "1");
    assert_int_equal(PH_BAD_EXPRESSION,
                     ph_expression_create(digits, PH_EXPRESSION_TORQUE, NULL, 0, &e, &why));
    assert_string_equal(why.text, "this number has more than 62 digits: write fewer");
    assert_int_equal(why.column, 1);
}

/* ---- graphs ------------------------------------------------------------------------- */

/* Operations that are the same node: commutative ones whichever operand comes first, those with 0, 1
 * and signs as the shorter one, and powers as products. */
static void test_graph(void **state)
{
    (void)state;
    graph g;
    assert_true(ph_graph_begin(&g));
    const int zero = ph_graph_constant(&g, 0.0), one = ph_graph_constant(&g, 1.0),
              two = ph_graph_constant(&g, 2.0), a = ph_graph_leaf(&g, VARIABLE, VARIABLE_R),
              b = ph_graph_leaf(&g, PARAMETER, 0), c = ph_graph_leaf(&g, VARIABLE, VARIABLE_R + 1);
#define MAKE(code, x, y) ph_graph_make(&g, code, x, y)
#define MINUS(x)         ph_graph_make(&g, NEGATE, x, 0)
    const int minus_a = MINUS(a), minus_b = MINUS(b), sum = MAKE(ADD, a, b),
              product = MAKE(MULTIPLY, a, b), limited = MAKE(LIMITED, a, b),
              difference = MAKE(SUBTRACT, a, b), quotient = MAKE(DIVIDE, a, b),
              square = MAKE(MULTIPLY, a, a), cube = MAKE(MULTIPLY, a, square);
    const int three = ph_graph_constant(&g, 3.0), minus_3 = ph_graph_constant(&g, -3.0),
              half = ph_graph_constant(&g, 0.5), two_and_a_half = ph_graph_constant(&g, 2.5),
              seventeen = ph_graph_constant(&g, 17.0), minus_17 = ph_graph_constant(&g, -17.0);
    /* one after the other: each adds a node where there is none yet */
#define SAME(x, y)                                                                                 \
    do {                                                                                           \
        const int first = (x);                                                                     \
        const int second = (y);                                                                    \
        if (first != second)                                                                       \
            fail_msg("%s and %s are the nodes %d and %d", #x, #y, first, second);                  \
    } while (0)
    SAME(ph_graph_constant(&g, 2.0), two);
    SAME(ph_graph_leaf(&g, VARIABLE, VARIABLE_R), a);
    SAME(MAKE(ADD, b, a), sum);
    SAME(MAKE(MULTIPLY, b, a), product);
    SAME(MAKE(LIMITED, b, a), limited);
    SAME(MAKE(SIN, a, b), MAKE(SIN, a, c));
    SAME(MAKE(ADD, one, one), two);
    SAME(MAKE(SUBTRACT, two, one), one);
    SAME(MINUS(minus_a), a);
    SAME(MAKE(ADD, zero, b), b);
    SAME(MAKE(ADD, b, zero), b);
    SAME(MAKE(ADD, a, minus_b), difference);
    SAME(MAKE(ADD, minus_b, a), difference);
    SAME(MAKE(SUBTRACT, a, zero), a);
    SAME(MAKE(SUBTRACT, zero, a), minus_a);
    SAME(MAKE(SUBTRACT, a, minus_b), sum);
    SAME(MAKE(MULTIPLY, one, b), b);
    SAME(MAKE(MULTIPLY, b, one), b);
    SAME(MAKE(LIMITED, one, b), b);
    SAME(MAKE(LIMITED, b, one), b);
    SAME(MAKE(MULTIPLY, minus_a, b), MINUS(product));
    SAME(MAKE(MULTIPLY, a, minus_b), MINUS(product));
    SAME(MAKE(MULTIPLY, minus_a, minus_b), product);
    SAME(MAKE(LIMITED, minus_a, b), MINUS(limited));
    SAME(MAKE(LIMITED, a, minus_b), MINUS(limited));
    SAME(MAKE(DIVIDE, a, one), a);
    SAME(MAKE(DIVIDE, minus_a, b), MINUS(quotient));
    SAME(ph_graph_power(&g, a, zero), one);
    SAME(ph_graph_power(&g, a, one), a);
    SAME(ph_graph_power(&g, a, two), square);
    SAME(ph_graph_power(&g, a, three), cube);
    SAME(ph_graph_power(&g, a, minus_3), MAKE(DIVIDE, one, cube));
    SAME(ph_graph_power(&g, a, half), MAKE(SQRT, a, 0));
    SAME(ph_graph_power(&g, a, two_and_a_half), MAKE(POWER, a, two_and_a_half));
    SAME(ph_graph_power(&g, a, seventeen), MAKE(POWER, a, seventeen));
    SAME(ph_graph_power(&g, a, minus_17), MAKE(POWER, a, minus_17));
    SAME(ph_graph_power(&g, a, b), MAKE(POWER, a, b));
    SAME(ph_graph_power(&g, two, two), ph_graph_constant(&g, 4.0));
#undef SAME
    int other[28] = {zero,    one,      two,    a,    b,          c,       sum,    product,
                     limited, quotient, square, cube, difference, minus_a, minus_b};
    size_t others = 15;
    other[others++] = MAKE(SUBTRACT, b, a);
    other[others++] = MAKE(DIVIDE, b, a);
    other[others++] = MAKE(POWER, a, b);
    other[others++] = MAKE(POWER, b, a);
    other[others++] = MAKE(ATAN2, a, b);
    other[others++] = MAKE(ATAN2, b, a);
    other[others++] = MAKE(DIVIDE, a, minus_b);
    other[others++] = ph_graph_constant(&g, -0.0);
    other[others++] = ph_graph_leaf(&g, PARAMETER, VARIABLE_R);
    other[others++] = MAKE(ADD, b, c);
    other[others++] = MAKE(ADD, a, c);
    other[others++] = MAKE(SIN, a, 0);
    other[others++] = MAKE(COS, a, 0);
#undef MAKE
#undef MINUS
    for (size_t i = 0; i < COUNT(other); i++) {
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(other[i], other[k]);
    }
    /* the sixteenth power is a product of squares, with its own operations alone */
    const int sixteen = ph_graph_constant(&g, 16.0), before = g.count;
    (void)ph_graph_power(&g, c, sixteen);
    assert_int_equal(before + 4, g.count); /* four squares */
    ph_graph_free(&g);
}

/* Parameters of its own have the room that the values of the problem leave which is extended, and change
 * none of these. */
static void test_room(void **state)
{
    (void)state;
    static char names[PH_PARAMETER_VALUES + 1][20];
    ph_parameter own[PH_PARAMETER_VALUES + 1];
    double values[PH_PARAMETER_VALUES + 1];
    for (int i = 0; i <= PH_PARAMETER_VALUES; i++) {
        (void)snprintf(names[i], sizeof names[i], "own_%d", i);
        own[i] = (ph_parameter){names[i], i, 1, "1", "", PH_RANGE_ANY};
        values[i] = 100.0 + i;
    }
    const struct {
        const ph_problem *base;
        int room;
    } cases[] = {{find_problem("heavy_top"), PH_PARAMETER_VALUES - 7},
                 {find_problem("spacecraft"), PH_PARAMETER_VALUES - SPACECRAFT_VALUES},
                 {find_problem("free"), PH_PARAMETER_VALUES}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        const ph_problem *base = cases[k].base;
        ph_expressions from = {.torque = {names[cases[k].room - 1], "own_0", "0"},
                               .parameters = own,
                               .parameter_count = cases[k].room,
                               .value = values,
                               .extends = base};
        ph_problem p = made(&from);
        uint64_t seed = 3;
        const ph_instant now = somewhere(&seed);
        const ph_vec3 none = {0, 0, 0},
                      before = base->torque != NULL ? base->torque(base, &now) : none,
                      tau = p.torque(&p, &now);
        assert_true(tau.x == before.x + (100.0 + (cases[k].room - 1)) &&
                    tau.y == before.y + 100.0 && tau.z == before.z);
        ph_problem_release(&p);
        from.parameter_count++;
        assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&from, &p, NULL));
    }
}

/* ---- facets ------------------------------------------------------------------------- */

/* Facets that cannot be, and those that just can. */
static void test_facets(void **state)
{
    (void)state;
    const double epoch = 9131.5;
    const ph_facet right = {
        .area = 2, .normal = {0, 0, 3}, .centre = {0.5, 0, 0}, .specular = 0.4, .diffuse = 0.3};
    static ph_facet many[PH_EXPRESSION_FACETS + 1];
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = right;
    ph_expressions from = {
        .extends = find_problem("spacecraft"), .epoch = &epoch, .facets = many, .facet_count = 1};
    ph_problem p = made(&from);
    assert_true(ph_expression_has_facets(&p));
    assert_true(*ph_expression_epoch(&p) == epoch);
    assert_true(p.nonconservative);
    ph_problem_release(&p);
    const struct {
        double *number;
        double x;
        bool good;
    } cases[] = {
        {&many[0].area, 1e-9, true},      {&many[0].area, 0, false},
        {&many[0].area, -1, false},       {&many[0].area, INFINITY, false},
        {&many[0].area, NAN, false},      {&many[0].normal.z, 0, false},
        {&many[0].normal.z, -1e-3, true}, {&many[0].normal.x, INFINITY, false},
        {&many[0].normal.y, NAN, false},  {&many[0].centre.x, NAN, false},
        {&many[0].centre.z, -9, true},    {&many[0].centre.y, INFINITY, false},
        {&many[0].specular, 0, true},     {&many[0].specular, 0.7, true},
        {&many[0].specular, 0.71, false}, {&many[0].specular, -0.01, false},
        {&many[0].specular, NAN, false},  {&many[0].diffuse, 0, true},
        {&many[0].diffuse, 0.6, true},    {&many[0].diffuse, 0.61, false},
        {&many[0].diffuse, -0.01, false}, {&many[0].diffuse, NAN, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ph_expressions_error why;
        many[0] = right;
        *cases[i].number = cases[i].x;
        for (from.facet_count = 1; from.facet_count <= 2; from.facet_count++) {
            const ph_status status = ph_problem_from_expressions(&from, &p, &why);
            if ((status == PH_OK) != cases[i].good)
                fail_msg("facet case %zu: %s", i, ph_status_text(status));
            if (status == PH_OK)
                ph_problem_release(&p);
            else
                assert_string_equal("facets", why.where);
        }
    }
    many[0] = right;
    for (int count = PH_EXPRESSION_FACETS; count <= PH_EXPRESSION_FACETS + 1; count++) {
        from.facet_count = count;
        const ph_status status = ph_problem_from_expressions(&from, &p, NULL);
        assert_int_equal(count > PH_EXPRESSION_FACETS, status != PH_OK);
        if (status == PH_OK)
            ph_problem_release(&p);
    }
    from.facet_count = -1;
    assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&from, &p, NULL));
    from.facet_count = 1;
    from.facets = NULL;
    assert_int_equal(PH_BAD_EXPRESSION, ph_problem_from_expressions(&from, &p, NULL));
    p = made(&(ph_expressions){.potential = "R33"});
    assert_false(ph_expression_has_facets(&p));
    assert_null(ph_expression_epoch(&p));
    ph_problem_release(&p);
}

/* ---- the torque as a source for devices ------------------------------------------------- */

/* The value of an operation whose text a source has. */
static double operated(const char *text, double a, double b)
{
#define OPERATED(code, operands, name, value)                                                      \
    if (strcmp(text, #value) == 0)                                                                 \
        return operation_value(code, a, b);
    OPERATIONS(OPERATED)
#undef OPERATED
    fail_msg("%s is no operation", text);
    return NAN;
}

enum { SLOTS = 300 };

/* Runs the lines of a function after its brace, up to the first that is no assignment to a slot. A
 * slot that was not set is NaN. */
static const char *run_lines(const char *at, const ph_instant *now, const double *values,
                             double slot[SLOTS])
{
    static const char declares[] = "    const double *x = (const double *)now;\n    double s[";
    char *end;
    assert_true(strncmp(at, declares, sizeof declares - 1) == 0);
    const long slots = strtol(at + sizeof declares - 1, &end, 10);
    assert_true(slots > 0 && slots <= SLOTS);
    at = end + strlen("];\n");
    for (int i = 0; i < SLOTS; i++)
        slot[i] = NAN;
    for (bool goes_on = true; goes_on;) {
        int out = 0, a = 0, b = 0, length = 0;
        char text[100];
        double x = NAN;
        goes_on = true;
        if (sscanf(at, " s[%d] = x[%d];%n", &out, &a, &length) == 2 && length > 0)
            x = ((const double *)now)[a];
        else if (sscanf(at, " s[%d] = p->value[%d];%n", &out, &a, &length) == 2 && length > 0)
            x = values[a];
        else if (sscanf(at, " s[%d] = %99[^;];%n", &out, text, &length) == 2 && length > 0)
            x = strtod(text, NULL);
        else if (sscanf(at, " {const double a = s[%d], b = s[%d]; s[%d] = %99[^;];}%n", &a, &b,
                        &out, text, &length) == 4 &&
                 length > 0)
            x = operated(text, slot[a], slot[b]);
        else
            goes_on = false;
        assert_true(out >= 0 && out < slots && a >= 0 && b >= 0 && b < slots);
        if (goes_on) {
            slot[out] = x;
            at += length;
            assert_true(*at++ == '\n');
        }
    }
    return at;
}

static void assert_same(double right, double found)
{
    if (isnan(right) ? !isnan(found) : right != found)
        fail_msg("the source gives %a, not %a", found, right);
}

/* The source, executed line by line, has the torque and all nine derivatives or none. */
static void test_torque_source(void **state)
{
    (void)state;
    static const char *const texts[][3] = {
        {"sin(q1)*R33", "t - q2", "0.5*R12"},
        {"w1", "2*m2", "3"},
        {"Az_9*R11/zaZ1 - zaZ2", "max(R22, -1e308*10) + abs(R13)", "min(zaZ3*R12, 1e308*10)^3"},
        {"exp(-R33^2)*atan2(R12, R21)", "sqrt(2 + R11)*0.1", "(0*(1e308*10))*R11"}};
    static const char function[] = "#include \"integrators/expression/operations.h\"\n"
                                   "static ph_vec3 torque(const ph_problem *p, const ph_instant "
                                   "*now)\n{\n",
                      gradient[] = "#ifdef WITH_GRADIENT\nstatic ph_mat3 derivative(const "
                                   "ph_problem *p, const ph_instant *now)\n{\n";
    for (size_t k = 0; k < COUNT(texts); k++) {
        ph_problem p = made(&(ph_expressions){.torque = {texts[k][0], texts[k][1], texts[k][2]}});
        char *text = ph_expression_torque(&p);
        uint64_t seed = 7;
        assert_non_null(text);
        assert_true(strncmp(text, function, sizeof function - 1) == 0);
        for (int n = 0; n < 10; n++) {
            const ph_instant now = somewhere(&seed);
            const ph_vec3 tau = p.torque(&p, &now);
            double slot[SLOTS];
            int x, y, z, length = 0;
            const char *at = run_lines(text + sizeof function - 1, &now, p.value, slot);
            assert_int_equal(
                3, sscanf(at, " return (ph_vec3){s[%d], s[%d], s[%d]};%n", &x, &y, &z, &length));
            at += length;
            assert_same(tau.x, slot[x]);
            assert_same(tau.y, slot[y]);
            assert_same(tau.z, slot[z]);
            assert_true(strncmp(at, "\n}\n", 3) == 0);
            at += 3;
            assert_int_equal(k != 1, p.derivative != NULL);
            if (p.derivative != NULL) {
                const ph_mat3 D = p.derivative(&p, &now);
                assert_true(strncmp(at, gradient, sizeof gradient - 1) == 0);
                at = run_lines(at + sizeof gradient - 1, &now, p.value, slot);
                assert_true(strncmp(at, "    ph_mat3 D;\n", 15) == 0);
                at += 15;
                for (int i = 0; i < 9; i++) {
                    assert_int_equal(3,
                                     sscanf(at, " D.a[%d][%d] = s[%d];\n%n", &x, &y, &z, &length));
                    assert_true(x == i / 3 && y == i % 3);
                    assert_same(D.a[x][y], slot[z]);
                    at = strchr(at, '\n') + 1;
                }
                assert_string_equal("    return D;\n}\n#endif\n", at);
            } else {
                assert_string_equal("", at);
            }
        }
        free(text);
        ph_problem_release(&p);
    }
    assert_null(ph_expression_torque(find_problem("heavy_top")));
}

/* Names of parameters: letters, digits and _, no digit first. */
static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool good;
    } all[] = {{"a", true},   {"a9", true},  {"_k", true},   {"K_0", true}, {"0a", false},
               {"5a", false}, {"9a", false}, {"a-b", false}, {"", false},   {"a b", false}};
    for (size_t k = 0; k < COUNT(all); k++) {
        const double value = 1.0;
        const ph_parameter own = {all[k].name, 0, 1, "1", "", PH_RANGE_ANY};
        const ph_expressions from = {
            .potential = "R33", .parameters = &own, .parameter_count = 1, .value = &value};
        ph_problem p;
        const ph_status status = ph_problem_from_expressions(&from, &p, NULL);
        if ((status == PH_OK) != all[k].good)
            fail_msg("%s: %s", all[k].name, ph_status_text(status));
        if (status == PH_OK)
            ph_problem_release(&p);
    }
}

/* Parameters that are none. */
static void test_parameters(void **state)
{
    (void)state;
    static const ph_parameter bad[] = {{NULL, 0, 1, "1", "", PH_RANGE_ANY},
                                       {"a", -1, 1, "1", "", PH_RANGE_ANY},
                                       {"a", 0, 0, "1", "", PH_RANGE_ANY}};
    ph_expression *e = NULL;
    for (size_t i = 0; i < COUNT(bad); i++) {
        const ph_parameter two[] = {{"b", 0, 1, "1", "", PH_RANGE_ANY}, bad[i]};
        const ph_status expected = i == 0 ? PH_NULL_ARGUMENT : PH_BAD_PARAMETER;
        assert_int_equal(expected,
                         ph_expression_create("1", PH_EXPRESSION_TORQUE, &bad[i], 1, &e, NULL));
        assert_int_equal(expected,
                         ph_expression_create("1", PH_EXPRESSION_TORQUE, two, 2, &e, NULL));
    }
    assert_int_equal(PH_BAD_PARAMETER,
                     ph_expression_create("1", PH_EXPRESSION_TORQUE, bad, -1, &e, NULL));
    assert_int_equal(PH_BAD_PARAMETER,
                     ph_expression_create("1", PH_EXPRESSION_TORQUE, NULL, -1, &e, NULL));
    assert_int_equal(PH_NULL_ARGUMENT,
                     ph_expression_create("1", PH_EXPRESSION_TORQUE, NULL, 1, &e, NULL));
    assert_int_equal(PH_NULL_ARGUMENT,
                     ph_expression_create(NULL, PH_EXPRESSION_TORQUE, NULL, 0, &e, NULL));
    assert_int_equal(PH_NULL_ARGUMENT,
                     ph_expression_create("1", PH_EXPRESSION_TORQUE, NULL, 0, NULL, NULL));
    assert_null(e);
}

/* ---- no memory ------------------------------------------------------------------- */

static void test_no_memory(void **state)
{
    (void)state;
    char many[PH_EXPRESSION_LENGTH] = "x1";
    for (int k = 0; k < 100; k++)
        (void)snprintf(many + strlen(many), sizeof many - strlen(many), "+sin(%d*R%d%d)*x2", k,
                       1 + k % 3, 1 + k / 3 % 3);
    const ph_expressions all[] = {
        {.potential = "R33*q0^2 + exp(R11)"},
        {.potential = many, .force = {"v1", "v2", "v3"}, .moving_centre = true}};
    for (size_t i = 0; i < COUNT(all); i++) {
        ph_status status = PH_NO_MEMORY;
        for (long spared = 1; status != PH_OK; spared++) {
            ph_problem p;
            fail_at = calls + spared;
            status = ph_problem_from_expressions(&all[i], &p, NULL);
            fail_at = 0;
            assert_true(status == PH_OK || status == PH_NO_MEMORY || status == PH_BAD_EXPRESSION);
            if (status == PH_OK)
                ph_problem_release(&p);
            assert_true(spared > 10 || status != PH_OK);
        }
    }
    ph_status status = PH_NO_MEMORY;
    for (long spared = 1; status != PH_OK; spared++) {
        ph_expression *e = NULL;
        fail_at = calls + spared;
        status = ph_expression_create("1 + R33", PH_EXPRESSION_TORQUE, NULL, 0, &e, NULL);
        fail_at = 0;
        assert_true((e != NULL) == (status == PH_OK));
        assert_true(spared > 6 || status != PH_OK);
        ph_expression_destroy(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients),     cmocka_unit_test(test_start),
        cmocka_unit_test(test_lanes),         cmocka_unit_test(test_sources),
        cmocka_unit_test(test_forms),         cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_torque_source), cmocka_unit_test(test_names),
        cmocka_unit_test(test_facets),        cmocka_unit_test(test_graph),
        cmocka_unit_test(test_room),          cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("problems of expressions", tests, NULL, NULL);
}
