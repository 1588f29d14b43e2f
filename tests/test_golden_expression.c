/* test_golden_expression.c - expressions made up at random, right and wrong ones, against the
 * bits of their values and derivatives, and the words about what is wrong with them, that
 * there were before. Written anew by
 *
 *     build/tests/test_golden_expression write >tests/vectors/golden_expression.txt
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "integrators/expression/expression.h"
#include "integrators/field.h"
#include "motion/vec.h"
#include "polhode/expression.h"
#include "polhode/system.h"
#include "support/golden.h"
#include "support/random_text.h"

enum { BATCH = 150 };

static const ph_parameter PARAMETERS[] = {{"k", 0, 1, "1", "", PH_RANGE_ANY},
                                          {"up", 1, 3, "1", "", PH_RANGE_ANY}};
static const double VALUES[] = {2.5, 0.3, -0.4, 0.7};
enum { PARAMETER_COUNT = sizeof PARAMETERS / sizeof PARAMETERS[0] };

/* ---- texts ------------------------------------------------------------------------- */

static const char *const NAMES[] = {"t",   "q0",  "q1",  "q2",  "q3",  "R11", "R12",
                                    "R13", "R21", "R22", "R23", "R31", "R32", "R33",
                                    "k",   "up1", "up2", "up3", "pi",  NULL};
static const char *const MOVING[] = {"w1", "w2", "w3", "m1", "m2", "m3", NULL};
static const char *const NUMBERS[] = {"0",  "1",    "2",       "3",    "0.5", "-1", "7",
                                      ".5", "1e-3", "0x1.8p1", "2.25", "10",  NULL};
static const char *const BETWEEN[] = {" + ", " - ", "*", "/", "^", "-", "+", NULL};

static void expression(random_text *t, int depth, bool moving)
{
    const random_words words = {NAMES, NUMBERS, BETWEEN, .other_names = moving ? MOVING : NULL};
    append_expression(t, &words, depth);
}

/* Breaks a text in one place: a letter left out, doubled, or another one. */
static void spoil(random_text *t)
{
    static const char others[] = "()+*^,<>=.eRqx9 $\x01";
    const size_t length = strlen(t->of);
    char *at = t->of + choice(t, (int)length + 1);
    const int kind = choice(t, 3);
    if (kind == 0 && *at != '\0')
        memmove(at, at + 1, strlen(at));
    else if (length + 2 < RANDOM_TEXT) {
        memmove(at + 1, at, strlen(at) + 1);
        at[0] = kind == 1 && at[1] != '\0' ? at[1] : others[choice(t, (int)sizeof others - 1)];
    }
}

/* ---- what they give ---------------------------------------------------------------- */

static ph_instant somewhere(uint64_t *seed)
{
    double x[11];
    for (int k = 0; k < 11; k++)
        x[k] = between(seed, -2.0, 2.0);
    ph_instant now = instant_at(x[0], ph_quat_unit((ph_quat){x[1], x[2], x[3], x[4]}));
    now.m = vec3(x[5], x[6], x[7]);
    now.w = vec3(x[8], x[9], x[10]);
    return now;
}

static void take_expression(checksum *c, const char *words, ph_expression_use use)
{
    ph_expression *e = NULL;
    ph_expression_error why = {0};
    uint64_t seed = 5;
    const ph_status status =
        ph_expression_create(words, use, PARAMETERS, PARAMETER_COUNT, &e, &why);
    take(c, status);
    take(c, why.column);
    take_text(c, why.text);
    for (int k = 0; status == PH_OK && k < 4; k++) {
        const ph_instant now = somewhere(&seed);
        take(c, ph_expression_value(e, &now, VALUES));
    }
    ph_expression_destroy(e);
}

/* How large the graph and the program are: what is written twice is computed once. */
static void take_sizes(checksum *c, const char *words)
{
    const parse_names names = {
        .use = PH_EXPRESSION_POTENTIAL, .parameters = PARAMETERS, .count = PARAMETER_COUNT};
    ph_expression_error why = {0};
    graph g;
    program p = {0};
    int of[1 + AXES];
    assert_true(ph_graph_begin(&g));
    of[0] = ph_parse(&g, words, &names, &why).node;
    assert_true(of[0] != NO_NODE);
    take(c, g.count);
    assert_true(ph_graph_gradient(&g, of[0], of + 1));
    take(c, g.count);
    take(c, ph_program_make(&p, &g, 4, of));
    int loads[CONSTANT + 1] = {0};
    for (int i = 0; i < p.loads; i++)
        loads[p.load[i].code]++;
    take_vector(c, vec3(loads[VARIABLE], loads[PARAMETER], loads[CONSTANT]));
    take_vector(c, vec3(p.instructions, p.outputs, p.slots));
    ph_program_free(&p);
    ph_graph_free(&g);
}

static void take_problem(checksum *c, const char *potential, const char *torque)
{
    const ph_expressions from = {.potential = potential,
                                 .torque = {torque, torque, torque != NULL ? "k*R12" : NULL},
                                 .parameters = PARAMETERS,
                                 .parameter_count = PARAMETER_COUNT,
                                 .value = VALUES};
    ph_expressions_error why = {0};
    ph_problem p = {0};
    uint64_t seed = 6;
    const ph_status status = ph_problem_from_expressions(&from, &p, &why);
    take(c, status);
    take_text(c, why.where != NULL ? why.where : "");
    take(c, why.error.column);
    take_text(c, why.error.text);
    if (status != PH_OK)
        return;
    take(c, p.velocity_dependent + 2 * (p.derivative != NULL) + 4 * (p.potential != NULL) +
                8 * p.nonconservative + 16 * (p.torque_lanes != NULL));
    for (int k = 0; k < 3; k++) {
        const ph_instant now = somewhere(&seed);
        if (p.potential != NULL)
            take(c, p.potential(&p, &now));
        take_vector(c, p.torque(&p, &now));
        if (p.derivative != NULL)
            take_matrix(c, p.derivative(&p, &now));
    }
    ph_problem_release(&p);
}

static void test_right(void **state)
{
    (void)state;
    for (int n = 0; n < 8; n++) {
        checksum c = {0};
        for (int k = 0; k < BATCH; k++) {
            random_text t = {"", (uint64_t)(n * BATCH + k)}, u = {"", ~t.seed};
            expression(&t, 1 + k % 5, false);
            expression(&u, 1 + k % 3, k % 2);
            take_expression(&c, t.of, PH_EXPRESSION_POTENTIAL);
            take_sizes(&c, t.of);
            take_expression(&c, u.of, PH_EXPRESSION_TORQUE);
            take_problem(&c, t.of, NULL);
            take_problem(&c, k % 3 ? NULL : t.of, u.of);
            append(&t, k % 2 ? " < " : ">");
            expression(&t, 2, true);
            take_expression(&c, t.of, PH_EXPRESSION_CONDITION);
        }
        golden(&c, "expressions %d", n);
    }
}

static void test_wrong(void **state)
{
    (void)state;
    for (int n = 0; n < 8; n++) {
        checksum c = {0};
        for (int k = 0; k < BATCH; k++) {
            random_text t = {"", (uint64_t)(2 * n * BATCH + k)};
            expression(&t, 1 + k % 4, k % 2);
            spoil(&t);
            take_expression(&c, t.of, (ph_expression_use)(k % 3));
            take_problem(&c, t.of, k % 2 ? NULL : "1");
        }
        golden(&c, "wrong expressions %d", n);
    }
}

/* More and more terms, up to the longest text. */
static void test_large(void **state)
{
    (void)state;
    static char sum[PH_EXPRESSION_LENGTH], nested[PH_EXPRESSION_LENGTH];
    for (int terms = 25; terms <= 200; terms *= 2) {
        checksum c = {0};
        size_t at = 0, in = 0;
        for (int k = 0; k < terms && at + 60 < sizeof sum && in + 40 < sizeof nested; k++) {
            at += (size_t)snprintf(sum + at, sizeof sum - at, "%sR%d%d^%d*R%d1", k ? "+" : "",
                                   1 + k % 3, 1 + k / 3 % 3, 2 + k % 29, 1 + k / 5 % 3);
            in += (size_t)snprintf(nested + in, sizeof nested - in, "R%d%d-%d/(", 1 + k % 3,
                                   1 + k / 3 % 3, k);
        }
        (void)snprintf(nested + in, sizeof nested - in, "t");
        take_expression(&c, sum, PH_EXPRESSION_POTENTIAL);
        take_expression(&c, nested, PH_EXPRESSION_POTENTIAL);
        take_problem(&c, sum, NULL);
        take_problem(&c, NULL, sum);
        golden(&c, "expressions of %d terms", terms);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_large),
    };
    return golden_main(argc, argv, "golden_expression.txt", tests, sizeof tests / sizeof tests[0]);
}
