/* test_expression_derivatives.c - torques of potentials that are made up at random, and their
 * derivatives, against differences of the potential over 2^-600 in arithmetic of many
 * bits (Arb). The arguments are steep, and functions are far in their saturation.
 *
 * A number counts as wrong where it is beyond what rounding every operation makes of the
 * right one, or not finite where that is. With a seed and a
 * count as arguments it searches on: build/tests/test_expression_derivatives 7 100000
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <arb.h>

#include "base/random.h"
#include "integrators/expression/expression.h"
#include "integrators/field.h"
#include "polhode/expression.h"
#include "polhode/system.h"
#include "support/random_text.h"

enum { LONGEST = 399, MOST_TRIED = 500, LEAST_BITS = 1600, MOST_BITS = 13000, DIFFERENCE = 600 };

/* ---- texts ------------------------------------------------------------------------- */

static const char *const NAMES[] = {"t",   "R11", "R12", "R13", "R21", "R22",
                                    "R23", "R31", "R32", "R33", NULL};
static const char *const NUMBERS[] = {"1",  "2",   "3",   "0.5", "1e-3", "7",    "0.1", "20",
                                      "50", "100", "400", "1e3", "1e5",  "1e-8", NULL};
static const char *const BETWEEN[] = {" + ", " - ", "*", "*", "/", "^", NULL};
static const random_words WORDS = {NAMES, NUMBERS, BETWEEN, .steep = true};

/* ---- many digits ------------------------------------------------------------------- */

typedef struct place {
    arb_t t, R[3][3];
} place;

typedef void one_operand(arb_t y, const arb_t x, slong bits);

/* y = f(a, b); false where it jumps, or has no derivative. */
static bool operate(operation code, arb_t y, const arb_t a, const arb_t b, slong bits)
{
    static one_operand *const functions[OPERATION_COUNT] = {
        [SIN] = arb_sin,   [COS] = arb_cos,   [TAN] = arb_tan,   [ASIN] = arb_asin,
        [ACOS] = arb_acos, [ATAN] = arb_atan, [SINH] = arb_sinh, [COSH] = arb_cosh,
        [TANH] = arb_tanh, [EXP] = arb_exp,   [LOG] = arb_log,   [SQRT] = arb_sqrt};
    switch (code) {
    case NEGATE:
        arb_neg(y, a);
        return true;
    case ADD:
        arb_add(y, a, b, bits);
        return true;
    case SUBTRACT:
        arb_sub(y, a, b, bits);
        return true;
    case MULTIPLY:
        arb_mul(y, a, b, bits);
        return true;
    case DIVIDE:
        arb_div(y, a, b, bits);
        return true;
    case POWER:
        if (!arb_is_positive(a) && !arb_is_int(b))
            return false;
        arb_pow(y, a, b, bits);
        return true;
    case ATAN2:
        arb_atan2(y, a, b, bits);
        return true;
    case ABS:
        arb_abs(y, a);
        return !arb_contains_zero(a);
    case MIN:
    case MAX:
        if (arb_overlaps(a, b))
            return false;
        arb_set(y, arb_lt(a, b) == (code == MIN) ? a : b);
        return true;
    default:
        if (functions[code] == NULL)
            return false;
        functions[code](y, a, bits);
        return true;
    }
}

/* Rounds the result of an operation, by the same part whatever it is; a seed of 0: not. */
static void round_node(arb_t x, uint64_t *seed, slong bits)
{
    arb_t factor;
    if (*seed == 0)
        return;
    arb_init(factor);
    arb_set_d(factor, between(seed, -1.0, 1.0) < 0.0 ? 1.0 - 0x1p-51 : 1.0 + 0x1p-51);
    arb_mul(x, x, factor, bits);
    arb_clear(factor);
}

static bool value_of(const graph *g, int of, const place *at, uint64_t seed, arb_t value,
                     slong bits)
{
    arb_ptr x = _arb_vec_init(of + 1);
    bool known = true;
    for (int i = 0; i <= of && known; i++) {
        const node *n = &g->nodes[i];
        if (n->code == CONSTANT)
            arb_set_d(x + i, n->value);
        else if (n->code == VARIABLE && n->a == VARIABLE_T)
            arb_set(x + i, at->t);
        else if (n->code == VARIABLE)
            arb_set(x + i, at->R[(n->a - VARIABLE_R) / 3][(n->a - VARIABLE_R) % 3]);
        else
            known =
                operate(n->code, x + i, x + n->a, x + n->b, bits) &&
                (n->code != POWER || arb_is_positive(x + n->a) || g->nodes[n->b].code == CONSTANT);
        if (known && operation_operands(n->code) > 0)
            round_node(x + i, &seed, bits);
    }
    known = known && arb_is_finite(x + of);
    arb_set(value, x + of);
    _arb_vec_clear(x, of + 1);
    return known;
}

/* R = R exp(s hat(e_axis)) */
static void turn(place *at, int axis, const arb_t s, slong bits)
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    arb_t sine, cosine, x, y;
    arb_init(sine);
    arb_init(cosine);
    arb_init(x);
    arb_init(y);
    arb_sin_cos(sine, cosine, s, bits);
    for (int i = 0; i < 3; i++) {
        arb_mul(x, at->R[i][a], cosine, bits);
        arb_addmul(x, at->R[i][b], sine, bits);
        arb_mul(y, at->R[i][b], cosine, bits);
        arb_submul(y, at->R[i][a], sine, bits);
        arb_set(at->R[i][a], x);
        arb_set(at->R[i][b], y);
    }
    arb_clear(sine);
    arb_clear(cosine);
    arb_clear(x);
    arb_clear(y);
}

/* -d/ds_i U, and with j >= 0 the derivative of that along axis j; false: not known to
 * sixty bits. */
static bool right_number(const graph *g, int of, const ph_instant *now, uint64_t seed, int i, int j,
                         double *out, slong bits)
{
    place at;
    arb_t sum, value, s;
    bool known = true;
    arb_init(sum);
    arb_init(value);
    arb_init(s);
    arb_init(at.t);
    for (int k = 0; k < 9; k++)
        arb_init(at.R[k / 3][k % 3]);
    for (int corner = 0; corner < (j < 0 ? 2 : 4) && known; corner++) {
        arb_set_d(at.t, now->t);
        for (int k = 0; k < 9; k++)
            arb_set_d(at.R[k / 3][k % 3], now->R.a[k / 3][k % 3]);
        const int along = corner % 2 ? 1 : -1, first = corner / 2 ? 1 : -1;
        arb_set_si(s, first);
        arb_mul_2exp_si(s, s, -DIFFERENCE);
        if (j >= 0)
            turn(&at, j, s, bits);
        arb_set_si(s, along);
        arb_mul_2exp_si(s, s, -DIFFERENCE);
        turn(&at, i, s, bits);
        known = value_of(g, of, &at, seed, value, bits);
        if ((j < 0 ? along : along * first) > 0)
            arb_sub(sum, sum, value, bits);
        else
            arb_add(sum, sum, value, bits);
    }
    arb_mul_2exp_si(sum, sum, j < 0 ? DIFFERENCE - 1 : 2 * DIFFERENCE - 2);
    /* a number next to zero is known where its error is below all doubles */
    known =
        known && (arb_rel_accuracy_bits(sum) > 60 || mag_cmp_2exp_si(arb_radref(sum), -1080) < 0);
    *out = known ? arf_get_d(arb_midref(sum), ARF_RND_NEAR) : NAN;
    arb_clear(sum);
    arb_clear(value);
    arb_clear(s);
    arb_clear(at.t);
    for (int k = 0; k < 9; k++)
        arb_clear(at.R[k / 3][k % 3]);
    return known;
}

static bool right_to_many_bits(const graph *g, int of, const ph_instant *now, uint64_t seed, int i,
                               int j, double *out)
{
    for (slong bits = LEAST_BITS; bits <= MOST_BITS; bits *= 2) {
        if (right_number(g, of, now, seed, i, j, out, bits))
            return isfinite(*out);
    }
    return false;
}

/* ---- the search -------------------------------------------------------------------- */

static ph_instant somewhere(uint64_t *seed)
{
    double x[5];
    for (int k = 0; k < 5; k++)
        x[k] = between(seed, -1.0, 1.0);
    return instant_at(x[0], ph_quat_unit((ph_quat){x[1], x[2], x[3], x[4]}));
}

typedef struct search {
    long compared, wrong;
} search;

/* The torque, and the derivative by rows. */
enum { TORQUE = 3, ALL = TORQUE + 9 };

/* All right numbers; NaN where one is not known, or too large. Returns the largest, of the
 * torque and of the derivative. */
static void right_numbers(const graph *g, int of, const ph_instant *now, uint64_t seed,
                          double right[ALL], double size[2])
{
    static const double LARGEST = 1e290;
    size[0] = size[1] = 0.0;
    for (int k = 0; k < ALL; k++) {
        const int i = k < TORQUE ? k : (k - TORQUE) / 3, j = k < TORQUE ? -1 : (k - TORQUE) % 3;
        if (!right_to_many_bits(g, of, now, seed, i, j, &right[k]) || fabs(right[k]) > LARGEST)
            right[k] = NAN;
        if (fabs(right[k]) > size[k >= TORQUE]) /* which a NaN is not */
            size[k >= TORQUE] = fabs(right[k]);
    }
}

/* Whether these numbers are right, up to what rounding the attitude makes of them. */
static bool are_right(search *s, const graph *g, int of, const ph_instant *now, double U,
                      const double got[ALL], int *which, double *instead)
{
    enum { NEIGHBOURS = 4 };
    static const double ENOUGH = 1e-9, MUCH = 1e5, LEAST = 1e-150;
    const double least = LEAST + ENOUGH * fabs(U); /* may vanish on the way */
    double right[ALL], size[2], unseen[2], moved[ALL] = {0};
    bool doubtful = false;
    right_numbers(g, of, now, 0, right, size);
    for (int k = 0; k < ALL; k++) {
        s->compared += !isnan(right[k]);
        doubtful = doubtful || !(isnan(right[k]) ||
                                 fabs(got[k] - right[k]) <= ENOUGH * size[k >= TORQUE] + least);
    }
    for (int n = 0; n < NEIGHBOURS && doubtful; n++) {
        double other[ALL];
        right_numbers(g, of, now, (uint64_t)n + 1, other, unseen);
        for (int k = 0; k < ALL; k++) /* not known: next to where there is none */
            moved[k] =
                isnan(other[k]) ? INFINITY : larger_or_nan(moved[k], fabs(other[k] - right[k]));
    }
    for (int k = 0; k < ALL && doubtful; k++) {
        *which = k;
        *instead = right[k];
        if (!isnan(right[k]) &&
            !(fabs(got[k] - right[k]) <= ENOUGH * size[k >= TORQUE] + MUCH * moved[k] + least))
            return false;
    }
    return true;
}

/* Whether no operation gives a number whose square is out of the range of doubles. */
static bool is_ordinary(const graph *g, int of, const ph_instant *now)
{
    static const double LARGEST = 1e150, NEAR_END = 1e-8;
    double x[MOST_TRIED];
    bool ordinary = of < MOST_TRIED;
    for (int i = 0; i <= of && ordinary; i++) {
        const node *n = &g->nodes[i];
        x[i] = n->code == CONSTANT   ? n->value
               : n->code == VARIABLE ? ((const double *)now)[n->a]
                                     : operation_value(n->code, x[n->a], x[n->b]);
        ordinary = fabs(x[i]) < LARGEST && (n->code == CONSTANT || fabs(x[i]) > 1.0 / LARGEST);
        if (n->code == ASIN || n->code == ACOS) /* the end of the domain, by rounding */
            ordinary = ordinary && fabs(x[n->a]) < 1.0 - NEAR_END;
    }
    return ordinary;
}

static void check_text(search *s, const char *words, uint64_t seed, bool any)
{
    const ph_expressions from = {.potential = words};
    const parse_names names = {.use = PH_EXPRESSION_POTENTIAL};
    ph_expression_error why;
    ph_problem p;
    graph g;
    if (ph_problem_from_expressions(&from, &p, NULL) != PH_OK)
        return;
    assert_true(ph_graph_begin(&g));
    const int of = ph_parse(&g, words, &names, &why).node;
    assert_true(of != NO_NODE);
    const uint64_t begun = seed;
    const ph_instant now = somewhere(&seed);
    if (isfinite(p.potential(&p, &now)) && (any || is_ordinary(&g, of, &now))) {
        double got[ALL], right;
        int which;
        const ph_vec3 torque = p.torque(&p, &now);
        const ph_mat3 D = p.derivative(&p, &now);
        memcpy(got, &torque, sizeof torque);
        memcpy(got + TORQUE, &D, sizeof D);
        if (!are_right(s, &g, of, &now, p.potential(&p, &now), got, &which, &right)) {
            s->wrong++;
            print_message("%s, seed %llu: number %d of torque and derivative is "
                          "%.17g, not %.17g\n",
                          words, (unsigned long long)begun, which, got[which], right);
        }
    }
    ph_graph_free(&g);
    ph_problem_release(&p);
}

static search search_for(uint64_t seed, long count)
{
    search s = {0};
    random_text t = {.seed = seed};
    for (long n = 0; n < count; n++) {
        t.of[0] = '\0';
        append_expression(&t, &WORDS, 1 + choice(&t, 4));
        if (strlen(t.of) < LONGEST)
            check_text(&s, t.of, random_bits(&t.seed), false);
    }
    print_message("%ld numbers, %ld expressions wrong\n", s.compared, s.wrong);
    return s;
}

/* Functions in their saturation, whose derivatives are infinite on the way, and next to the
 * end of their domain. */
static void test_saturated(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "tanh(1e3*R11)",           "R33*tanh(1e4*R11)",      "1/(1 + exp(2e3*R11))",
        "1/(1 + exp(-2e3*R11))",   "R33/cosh(3e3*R12)",      "exp(-exp(9 + R11))",
        "atan(cosh(1e3*R13))",     "tanh(sinh(800*R21))",    "R33*exp(-1e6*R11^2)",
        "asin(1 - 1e-12*R11)",     "acos(1 - 1e-14*R11)",    "acos(1e-13*R12 - 1)^2",
        "1/(2 + sinh(1e3*R11)^2)", "(2 + R11)^(-1e4*R33^2)", "exp(R11)*tanh(1e3 + R33)"};
    search s = {0};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        for (uint64_t seed = 1; seed <= 20; seed++)
            check_text(&s, texts[k], seed, true);
    }
    assert_true(s.compared > 2000);
    assert_int_equal(0, s.wrong);
}

static void test_random(void **state)
{
    (void)state;
    const search s = search_for(3, 1000);
    assert_true(s.compared > 500);
    assert_int_equal(0, s.wrong);
}

int main(int count, char **arguments)
{
    if (count == 3)
        return search_for(strtoull(arguments[1], NULL, 10), strtol(arguments[2], NULL, 10)).wrong !=
               0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saturated),
        cmocka_unit_test(test_random),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
