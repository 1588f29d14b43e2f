/* test_batchf.c - many bodies in floats: errors against doubles, the same bits in any company and on
 * every instruction set, bodies that are computed in doubles, and bodies that fail. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "base/isa.h"
#include "motion/vec.h"
#include "polhode/batch.h"
#include "support/bodies.h"
#include "support/chosen_isa.h"
#include "system/find.h"

enum { MANY = 700, STATE = 7, COLUMNS = 10, M = 4, J = 7 };

typedef struct floats {
    float x[COLUMNS][MANY];
} floats;

typedef struct doubles {
    double x[COLUMNS][MANY];
} doubles;

static ph_batchf batch_of(floats *f, size_t first, size_t n)
{
    ph_batchf b = {.n = n};
    for (int k = 0; k < 4; k++)
        b.q[k] = f->x[k] + first;
    for (int k = 0; k < 3; k++) {
        b.m[k] = f->x[M + k] + first;
        b.J[k] = f->x[J + k] + first;
    }
    return b;
}

/* Bodies of every shape with momenta of about 1, of which the fastest turns by `angle` in a time of 1. */
static void draw(floats *f, double angle)
{
    uint64_t seed = 21;
    for (size_t i = 0; i < MANY; i++) {
        const oracle_case c = random_motion(
            (enum body_kind)(i % 2 == 0 ? BODY_TRIAXIAL : BODY_SYMMETRIC), &seed, 1.0);
        const double smallest = smaller_or_nan(c.J.x, smaller_or_nan(c.J.y, c.J.z)),
                     size = norm(c.start.m), unit = angle / (size / smallest);
        const ph_vec3 m = scale(1.0 / size, c.start.m), moments = scale(1.0 / (unit * size), c.J);
        const double x[COLUMNS] = {c.start.q.w, c.start.q.x, c.start.q.y, c.start.q.z, m.x,
                                   m.y,         m.z,         moments.x,   moments.y,   moments.z};
        for (int k = 0; k < COLUMNS; k++)
            f->x[k][i] = (float)x[k];
    }
}

/* What the flow gives in doubles, from attitudes of unit length. */
static void step_doubles(const ph_flow *flow, const floats *f, double h, doubles *to)
{
    for (int k = 0; k < COLUMNS; k++) {
        for (size_t i = 0; i < MANY; i++)
            to->x[k][i] = f->x[k][i];
    }
    for (size_t i = 0; i < MANY; i++) {
        const ph_quat q =
            ph_quat_unit((ph_quat){to->x[0][i], to->x[1][i], to->x[2][i], to->x[3][i]});
        to->x[0][i] = q.w, to->x[1][i] = q.x, to->x[2][i] = q.y, to->x[3][i] = q.z;
    }
    const ph_batch b = {MANY,
                        {to->x[0], to->x[1], to->x[2], to->x[3]},
                        {to->x[4], to->x[5], to->x[6]},
                        {to->x[7], to->x[8], to->x[9]}};
    assert_int_equal(PH_OK, ph_batch_step(flow, &b, h, NULL));
}

static bool in_floats(const ph_flow *flow)
{
    return strcmp(flow->name, "mr") == 0 || strcmp(flow->name, "sr2") == 0;
}

/* Whether the flow has no equations to solve that limit its steps. */
static bool any_turn(const ph_flow *flow)
{
    return in_floats(flow) || strcmp(flow->name, "exact") == 0;
}

static void each_flow(void (*test)(const ph_flow *flow))
{
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++) {
        for (int set = 0; set < isa_all(); set++) {
            choose_isa(set);
            test(flows[i]);
        }
    }
    choose_isa(0);
}

/* The error of a step is below 1e-6 where the kernel computes in floats, and that of rounding
 * elsewhere; a kernel is used up to 1.56 radians and not from 1.57 on. */
static void check_errors(const ph_flow *flow)
{
    static const double angles[] = {0.01, 0.3, 1.55, 1.57, 5.0};
    for (size_t a = 0; a < sizeof angles / sizeof angles[0]; a++) {
        static floats f;
        static doubles right;
        const double sign = a % 2 == 0 ? 1.0 : -1.0;
        size_t rounded = 0;
        if (angles[a] > 1.0 && !any_turn(flow))
            continue;
        draw(&f, angles[a]);
        step_doubles(flow, &f, sign, &right);
        const ph_batchf b = batch_of(&f, 0, MANY);
        assert_int_equal(PH_OK, ph_batch_stepf(flow, &b, (float)sign, NULL));
        double worst = 0.0;
        for (size_t i = 0; i < MANY; i++) {
            bool same = true;
            for (int k = 0; k < STATE; k++) {
                worst = larger_or_nan(worst, fabs(f.x[k][i] - right.x[k][i]));
                same = same && f.x[k][i] == (float)right.x[k][i];
            }
            rounded += same;
        }
        const bool lanes = in_floats(flow) && angles[a] < 1.56;
        if (!(lanes ? worst <= 1e-6 && rounded < MANY / 2
                    : worst <= 1.01 * 0x1p-25 && rounded >= MANY - 2))
            fail_msg("%s, %g rad: off by %g, %zu bodies are rounded doubles", flow->name, angles[a],
                     worst, rounded);
    }
}

static void test_errors(void **state)
{
    (void)state;
    each_flow(check_errors);
}

/* The same bits in any place, in any company, with moments that are shared, with every instruction set
 * and number of threads. */
static void check_bits(const ph_flow *flow)
{
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 255, 257};
    static floats start, all, some;
    draw(&start, 1.0);
    for (size_t i = 0; i < MANY; i += 3) {
        for (int k = 0; k < 3; k++) /* in doubles */
            start.x[J + k][i] *= 0.2f;
    }
    all = start;
    const ph_batchf b = batch_of(&all, 0, MANY);
    assert_int_equal(PH_OK, ph_batch_stepf(flow, &b, 0.9f, NULL));
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (size_t first = k; first + sizes[k] <= MANY; first += 97) {
            some = start;
            const ph_batchf few = batch_of(&some, first, sizes[k]);
            assert_int_equal(PH_OK, ph_batch_stepf(flow, &few, 0.9f, NULL));
            for (int c = 0; c < STATE; c++)
                assert_memory_equal(&all.x[c][first], &some.x[c][first], sizes[k] * sizeof(float));
        }
    }
    const float moments[3] = {0.5f, 0.875f, 1.25f};
    for (size_t i = 0; i < MANY; i++) {
        for (int k = 0; k < 3; k++)
            start.x[J + k][i] = moments[k];
    }
    all = some = start;
    ph_batchf shared = batch_of(&some, 0, MANY);
    shared.J[0] = moments, shared.J[1] = shared.J[2] = NULL;
    assert_int_equal(PH_OK, ph_batch_stepf(flow, &b, 0.5f, NULL));
    assert_int_equal(PH_OK, ph_batch_stepf(flow, &shared, 0.5f, NULL));
    assert_memory_equal(&all, &some, sizeof all);
}

static void test_bits(void **state)
{
    (void)state;
    each_flow(check_bits);
    const ph_flow *mr = find_flow("mr");
    static floats first, now;
    for (int set = 0; set < isa_all(); set++) {
        choose_isa(set);
        draw(&now, 1.4);
        const ph_batchf b = batch_of(&now, 0, MANY);
        for (int k = 0; k < 20; k++)
            assert_int_equal(PH_OK, ph_batch_stepf(mr, &b, 1.0f, NULL));
        if (set == 0)
            first = now;
        assert_memory_equal(&first, &now, sizeof now);
    }
    choose_isa(0);
}

static void test_threads(void **state)
{
    (void)state;
    enum { BODIES = 6000 };
    static float x[2][COLUMNS][BODIES];
    static floats f;
    draw(&f, 1.8);
    for (int threads = 1; threads <= 2; threads++) {
        float(*y)[BODIES] = x[threads - 1];
        for (int k = 0; k < COLUMNS; k++) {
            for (size_t i = 0; i < BODIES; i++)
                y[k][i] = f.x[k][i % MANY];
        }
        const ph_batchf b = {
            BODIES, {y[0], y[1], y[2], y[3]}, {y[4], y[5], y[6]}, {y[7], y[8], y[9]}};
        ph_set_threads(threads);
        assert_int_equal(PH_OK, ph_batch_stepf(find_flow("sr2"), &b, 1.0f, NULL));
    }
    ph_set_threads(0);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

/* Bodies that fail are reported and stay; linear bodies, bodies at rest and extreme units are done. */
static void check_failures(const ph_flow *flow)
{
    static const struct {
        int column;
        float value;
        ph_status status;
    } bad[] = {
        {M, NAN, PH_BAD_STATE},       {2, INFINITY, PH_BAD_STATE},       {J, -1.0f, PH_BAD_INERTIA},
        {J + 1, NAN, PH_BAD_INERTIA}, {J + 2, INFINITY, PH_BAD_INERTIA},
    };
    static floats start, good, now;
    draw(&start, 0.5);
    for (size_t i = 0; i < MANY; i++) {
        for (int k = 0; k < M; k++) /* lengths that are not 1 as floats: who stays has them, too */
            start.x[k][i] *= 1.000002f;
    }
    good = start;
    ph_batchf b = batch_of(&good, 0, MANY);
    assert_int_equal(PH_OK, ph_batch_stepf(flow, &b, 1.0f, NULL));
    b = batch_of(&now, 0, MANY);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        for (size_t place = k; place < MANY; place += 131) {
            size_t failed = MANY;
            now = start;
            now.x[bad[k].column][place] = bad[k].value;
            now.x[bad[k].column][MANY - 1] = bad[k].value;
            floats before = now;
            assert_int_equal(bad[k].status, ph_batch_stepf(flow, &b, 1.0f, &failed));
            assert_int_equal(place, failed);
            for (size_t i = 0; i < MANY; i++) {
                const bool fails = i == place || i == MANY - 1;
                for (int c = 0; c < STATE; c++)
                    assert_memory_equal(fails ? &before.x[c][i] : &good.x[c][i], &now.x[c][i],
                                        sizeof(float));
            }
        }
    }
    size_t failed = MANY;
    now = start;
    assert_int_equal(PH_BAD_STEP, ph_batch_stepf(flow, &b, INFINITY, &failed));
    assert_int_equal(0, failed);
    assert_memory_equal(&start, &now, sizeof now);

    /* momenta next to the largest float leave the range in any turn */
    now.x[M][9] = FLT_MAX, now.x[M + 1][9] = FLT_MAX, now.x[M + 2][9] = 0.0f;
    for (int k = 0; k < 3; k++)
        now.x[J + k][9] = 1e38f * (float)(1 + k);
    for (int k = 0; k < 3; k++) {
        now.x[M + k][7] = 0.0f;       /* rest */
        now.x[M + k][8] *= 0x1p-100f; /* units */
        now.x[J + k][8] *= 0x1p-100f;
        now.x[J + k][6] = k == 1 ? 0.0f : 3.0f; /* linear */
    }
    const ph_status status = ph_batch_stepf(flow, &b, 1.0f, &failed);
    if (any_turn(flow))
        assert_true(status == PH_OK || (status == PH_NOT_FINITE && failed == 9));
    for (size_t i = 0; i < MANY; i++) {
        for (int c = 0; c < STATE; c++)
            assert_true(isfinite(now.x[c][i]));
    }
    for (int c = 0; c < STATE; c++)
        assert_true(fabsf(now.x[c][7] - start.x[c][7] * (c < M ? 1.0f : 0.0f)) == 0.0f);
}

/* Momenta that leave the range of float: the first of them is reported, in whichever block it is, and these
 * bodies stay. */
static void test_out_of_range(void **state)
{
    (void)state;
    static const size_t places[] = {3, 255, 256, 300, 511, 650, MANY - 1};
    static floats start, now;
    const size_t count = sizeof places / sizeof places[0];
    for (size_t first = 0; first < count; first++) {
        draw(&start, 0.5);
        for (size_t k = first; k < count; k++) {
            for (int a = 0; a < 3; a++) {
                start.x[M + a][places[k]] = a < 2 ? FLT_MAX : 0.0f;
                start.x[J + a][places[k]] = 1e38f * (float)(1 + a);
            }
        }
        now = start;
        size_t failed = MANY;
        const ph_batchf b = batch_of(&now, 0, MANY);
        assert_int_equal(PH_NOT_FINITE, ph_batch_stepf(find_flow("exact"), &b, 0.1f, &failed));
        assert_int_equal(failed, places[first]);
        for (size_t k = 0; k < count; k++) {
            bool same = true;
            for (int c = 0; c < STATE; c++)
                same = same && now.x[c][places[k]] == start.x[c][places[k]];
            assert_int_equal(same, k >= first);
        }
    }
}

static void test_failures(void **state)
{
    (void)state;
    each_flow(check_failures);
    static floats f;
    const ph_flow *mr = find_flow("mr");
    const ph_batchf none = {.n = 0};
    assert_int_equal(PH_OK, ph_batch_stepf(mr, &none, 1.0f, NULL));
    assert_int_equal(PH_NULL_ARGUMENT, ph_batch_stepf(NULL, &none, 1.0f, NULL));
    assert_int_equal(PH_NULL_ARGUMENT, ph_batch_stepf(mr, NULL, 1.0f, NULL));
    for (int n = 0; n < 2 * COLUMNS; n++) {
        const int k = n / 2;
        ph_batchf part = batch_of(&f, 0, n % 2 == 0 ? 1 : 3);
        if (k < M)
            part.q[k] = NULL;
        else if (k < J)
            part.m[k - M] = NULL;
        else
            part.J[k - J] = NULL;
        assert_int_equal(PH_NULL_ARGUMENT, ph_batch_stepf(mr, &part, 1.0f, NULL));
    }
    const ph_batchf many = {.n = (size_t)-1 / 2,
                            .q = {f.x[0], f.x[1], f.x[2], f.x[3]},
                            .m = {f.x[4], f.x[5], f.x[6]},
                            .J = {f.x[7], f.x[8], f.x[9]}};
    assert_int_equal(PH_NO_MEMORY, ph_batch_stepf(mr, &many, 1.0f, NULL));
}

/* Over many steps the length of the momentum walks at random, by at most 40 roundings times the root of
 * their number, and on average it stays; attitudes keep unit length. */
static void check_kept(const ph_flow *flow)
{
    enum { STEPS = 2000 };
    static floats start, now;
    if (!in_floats(flow))
        return;
    draw(&start, 0.5);
    now = start;
    const ph_batchf b = batch_of(&now, 0, MANY);
    for (int k = 0; k < STEPS; k++)
        assert_int_equal(PH_OK, ph_batch_stepf(flow, &b, 1.0f, NULL));
    double mean = 0.0;
    for (size_t i = 0; i < MANY; i++) {
        double m = 0.0, m0 = 0.0, q = 0.0;
        for (int k = 0; k < 4; k++)
            q += (double)now.x[k][i] * now.x[k][i];
        for (int k = M; k < J; k++) {
            m += (double)now.x[k][i] * now.x[k][i];
            m0 += (double)start.x[k][i] * start.x[k][i];
        }
        const double off = sqrt(m / m0) - 1.0;
        mean += off / MANY;
        assert_true(fabs(off) <= 40.0 * sqrt(STEPS) * 0x1p-24 &&
                    fabs(sqrt(q) - 1.0) <= 4 * 0x1p-24);
    }
    assert_true(fabs(mean) <= 4.0 * sqrt(STEPS) * 0x1p-24);
}

static void test_kept(void **state)
{
    (void)state;
    each_flow(check_kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),       cmocka_unit_test(test_bits),
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_failures),
        cmocka_unit_test(test_out_of_range), cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
