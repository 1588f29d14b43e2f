/* test_strided.c - bodies of another program, momentum in space: many of them in records, and
 * one with its velocity in mid-step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "polhode/batch.h"
#include "support/chosen_isa.h"
#include "support/random.h"
#include "system/find.h"

static const double U = 0x1p-53;

/* ---- records --------------------------------------------------------------------- */

/* What a body has in memory, with something of others in between. */
typedef struct record {
    double flag, J[3], q[4], before, m[3], between, along[3], after;
} record;

enum { STRIDE = sizeof(record) / sizeof(double) };

static ph_batch_strided strided(record *r, size_t n)
{
    return (ph_batch_strided){n, r->q, STRIDE, r->m, STRIDE, r->J, STRIDE, r->along, STRIDE};
}

static ph_quat attitude(const record *r)
{
    return (ph_quat){r->q[0], r->q[1], r->q[2], r->q[3]};
}

static ph_vec3 vector(const double *v)
{
    return vec3(v[0], v[1], v[2]);
}

/* Triaxial bodies, every fifth symmetric, every seventh a sphere, every eleventh at rest. */
static record *random_records(size_t n)
{
    record *all = malloc((n + 1) * sizeof *all);
    uint64_t seed = 21;
    assert_non_null(all);
    for (size_t i = 0; i < n; i++) {
        record *r = &all[i];
        double *x = &r->flag;
        for (size_t k = 0; k < STRIDE; k++)
            x[k] = between(&seed, -1.0, 1.0);
        const ph_quat q = ph_quat_unit(attitude(r));
        r->q[0] = q.w, r->q[1] = q.x, r->q[2] = q.y, r->q[3] = q.z;
        for (int k = 0; k < 3; k++)
            r->J[k] = between(&seed, 0.5, 1.0);
        if (i % 5 == 0)
            r->J[1] = r->J[2];
        if (i % 7 == 0)
            r->J[0] = r->J[1] = r->J[2];
        if (i % 11 == 0)
            r->m[0] = r->m[1] = r->m[2] = 0.0;
    }
    return all;
}

static record *copy_of(const record *from, size_t n)
{
    record *to = malloc((n + 1) * sizeof *to);
    assert_non_null(to);
    memcpy(to, from, n * sizeof *to);
    return to;
}

/* A body by ph_flow_step, the momentum turned into its frame. */
static ph_quat stepped(const ph_flow *flow, const record *r, double h)
{
    ph_body body;
    ph_state s = {attitude(r), ph_quat_unrotate(attitude(r), vector(r->m))};
    assert_int_equal(PH_OK, ph_body_from_moments(&body, vector(r->J)));
    assert_int_equal(PH_OK, ph_flow_step(flow, &body, &s, h));
    return s.q;
}

static double distance4(ph_quat a, ph_quat b)
{
    const ph_quat d = {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
    return sqrt(dot4(d, d));
}

/* ---- many bodies ----------------------------------------------------------------- */

/* Moments of 0.5 to 1 and |m| < 2 over this time: the response to round-off of what goes in
 * is a few units, and so is what the turns to the body frame and back add. */
static const double H = 0.4;
static const double ROUND_OFF = 64 * 0x1p-53;

static void check_against_step(const ph_flow *flow)
{
    const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 31, 255, 256, 257, 1000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const size_t n = sizes[k];
        record *before = random_records(n), *after = copy_of(before, n);
        const ph_batch_strided b = strided(after, n);
        size_t failed = n + 7;
        if ((flow->keeps & PH_MOMENTUM) == 0) {
            assert_int_equal(PH_NOT_APPLICABLE, ph_batch_strided_step(flow, &b, H, &failed));
            assert_int_equal(0, failed);
            assert_memory_equal(before, after, n * sizeof *after);
            free(before);
            free(after);
            continue;
        }
        assert_int_equal(PH_OK, ph_batch_strided_step(flow, &b, H, &failed));
        assert_int_equal(n + 7, failed);
        for (size_t i = 0; i < n; i++) {
            record *r = &before[i];
            const ph_quat q0 = attitude(r), q1 = attitude(&after[i]),
                          expected = stepped(flow, r, H);
            const ph_vec3 along = ph_quat_rotate(q1, ph_quat_unrotate(q0, vector(r->along)));
            const double q_off = distance4(q1, expected),
                         along_off = norm(sub(vector(after[i].along), along));
            if (!(q_off <= ROUND_OFF && along_off <= ROUND_OFF))
                fail_msg("%s, %zu of %zu: q off by %g u, its vector by %g u", flow->name, i, n,
                         q_off / U, along_off / U);
            memcpy(r->q, after[i].q, sizeof r->q);
            memcpy(r->along, after[i].along, sizeof r->along);
        }
        assert_memory_equal(before, after, n * sizeof *after); /* and nothing else */
        free(before);
        free(after);
    }
}

/* The same bits without the vectors, in any company, with any number of threads, and where
 * bodies share moments and momentum. */
static void check_bits(const ph_flow *flow)
{
    enum { MANY = 5000, FIRST = 777, FEW = 5 };
    if ((flow->keeps & PH_MOMENTUM) == 0)
        return;
    record *start = random_records(MANY), *all = copy_of(start, MANY),
           *other = copy_of(start, MANY);
    ph_batch_strided b = strided(all, MANY);
    (void)ph_batch_strided_step(flow, &b, H, NULL);

    const ph_batch_strided few = strided(other + FIRST, FEW);
    (void)ph_batch_strided_step(flow, &few, H, NULL);
    assert_memory_equal(all + FIRST, other + FIRST, FEW * sizeof *all);

    memcpy(other, start, MANY * sizeof *start);
    b = strided(other, MANY);
    b.along = NULL;
    ph_set_threads(ph_threads() == 1 ? 2 : 1);
    (void)ph_batch_strided_step(flow, &b, H, NULL);
    ph_set_threads(0);
    for (size_t i = 0; i < MANY; i++) {
        assert_memory_equal(all[i].q, other[i].q, sizeof all[i].q);
        assert_memory_equal(start[i].along, other[i].along, sizeof all[i].along);
        memcpy(other[i].q, start[1].q, sizeof other[i].q);
    }
    b = strided(other, MANY);
    b.J = start[1].J, b.m = start[1].m;
    b.J_stride = b.m_stride = 0;
    (void)ph_batch_strided_step(flow, &b, H, NULL);
    for (size_t i = 0; i < MANY; i++)
        assert_memory_equal(all[1].q, other[i].q, sizeof other[i].q);
    free(start);
    free(all);
    free(other);
}

/* Bad bodies are reported and as they were, their neighbours as without them. */
static void check_failures(const ph_flow *flow)
{
    enum { MANY = 600 };
    static const struct {
        size_t offset;
        double value;
        ph_status status;
    } bad[] = {
        {offsetof(record, m), NAN, PH_BAD_STATE},
        {offsetof(record, q), INFINITY, PH_BAD_STATE},
        {offsetof(record, J), 0.0, PH_BAD_INERTIA},
        {offsetof(record, J) + sizeof(double), -1.0, PH_BAD_INERTIA},
    };
    if ((flow->keeps & PH_MOMENTUM) == 0)
        return;
    record *start = random_records(MANY), *good = copy_of(start, MANY);
    const ph_batch_strided b = strided(good, MANY);
    assert_int_equal(PH_OK, ph_batch_strided_step(flow, &b, H, NULL));
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        for (size_t place = k; place < MANY; place += 73) {
            record *some = copy_of(start, MANY);
            memcpy((char *)&some[place] + bad[k].offset, &bad[k].value, sizeof(double));
            if (bad[k].value == 0.0) /* and not linear */
                some[place].J[1] = 2.0 * some[place].J[2];
            const record before = some[place];
            const ph_batch_strided c = strided(some, MANY);
            size_t failed = MANY;
            assert_int_equal(bad[k].status, ph_batch_strided_step(flow, &c, H, &failed));
            assert_int_equal(place, failed);
            for (size_t i = 0; i < MANY; i++)
                assert_memory_equal(i == place ? &before : &good[i], &some[i], sizeof before);
            free(some);
        }
    }
    size_t failed = MANY;
    memcpy(good, start, MANY * sizeof *start);
    assert_int_equal(PH_BAD_STEP, ph_batch_strided_step(flow, &b, NAN, &failed));
    assert_int_equal(0, failed);
    assert_memory_equal(start, good, MANY * sizeof *start);
    free(start);
    free(good);
}

static void each_kernel(void (*check)(const ph_flow *flow))
{
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++) {
        for (int set = 0; set < isa_count(flows[i]); set++) {
            choose_isa(set);
            check(flows[i]);
        }
    }
}

static void test_against_step(void **state)
{
    (void)state;
    each_kernel(check_against_step);
}

static void test_bits(void **state)
{
    (void)state;
    each_kernel(check_bits);
}

static void test_failures(void **state)
{
    (void)state;
    each_kernel(check_failures);
}

/* ---- one body -------------------------------------------------------------------- */

static void test_turn(void **state)
{
    (void)state;
    enum { MANY = 200 };
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    record *all = random_records(MANY);
    for (size_t f = 0; f < count; f++) {
        for (size_t i = 0; i < MANY; i++) {
            const record *r = &all[i];
            ph_quat q = attitude(r), same = q;
            ph_vec3 w = {7, 7, 7};
            if ((flows[f]->keeps & PH_MOMENTUM) == 0) {
                assert_int_equal(PH_NOT_APPLICABLE,
                                 ph_flow_turn(flows[f], vector(r->J), &q, vector(r->m), H, &w));
                assert_true(distance4(q, same) == 0.0 && w.x == 7.0);
                continue;
            }
            assert_int_equal(PH_OK, ph_flow_turn(flows[f], vector(r->J), &q, vector(r->m), H, &w));
            assert_true(distance4(q, stepped(flows[f], r, H)) <= ROUND_OFF);
            assert_int_equal(PH_OK,
                             ph_flow_turn(flows[f], vector(r->J), &same, vector(r->m), H, NULL));
            assert_memory_equal(&q, &same, sizeof q);
        }
    }
    free(all);
}

/* The velocity in space where a body is after the time h. */
static ph_vec3 velocity_after(const ph_flow *flow, const record *r, double h)
{
    const ph_quat q = stepped(flow, r, h);
    return ph_quat_rotate(q, over(ph_quat_unrotate(q, vector(r->m)), vector(r->J)));
}

/* The velocity in mid-step is that of the middle of the time up to h^2: a quarter of the
 * distance for half of the step. Beyond half a turn it is that of the middle itself. */
static void test_mid_step(void **state)
{
    (void)state;
    const ph_flow *exact = find_flow("exact");
    record r = {.J = {0.5, 0.8, 1.1}, .q = {0.5, -0.5, 0.5, 0.5}, .m = {0.9, -0.6, 0.7}};
    double off[3];
    for (int k = 0; k < 3; k++) {
        const double h = ldexp(0.2, -k);
        ph_quat q = attitude(&r);
        ph_vec3 w;
        assert_int_equal(PH_OK, ph_flow_turn(exact, vector(r.J), &q, vector(r.m), h, &w));
        off[k] = norm(sub(w, velocity_after(exact, &r, 0.5 * h)));
    }
    assert_true(off[0] < 0.01 && off[0] > 1e-6);
    for (int k = 0; k < 2; k++)
        assert_true(fabs(off[k] / off[k + 1] - 4.0) < 0.2);

    for (double h = 3.2; h < 3.8; h += 0.1) { /* next to a whole turn too */
        ph_quat q = attitude(&r);
        ph_vec3 w;
        assert_int_equal(PH_OK, ph_flow_turn(exact, vector(r.J), &q, vector(r.m), h, &w));
        assert_true(dot4(q, attitude(&r)) < 0.0);
        assert_true(norm(sub(w, velocity_after(exact, &r, 0.5 * h))) <= ROUND_OFF);
    }
}

/* A linear body turns evenly about an axis across its own: that of a thin rod whose thickness
 * goes to nothing, and which has no momentum along. One without inertia stays. */
static void test_linear(void **state)
{
    (void)state;
    const ph_flow *exact = find_flow("exact");
    const double thin = 1e-3;
    for (int axis = 0; axis < 3; axis++) {
        double J[3] = {2.0, 2.0, 2.0}, body[3] = {0.3, -0.4, 0.6};
        J[axis] = body[axis] = 0.0;
        const ph_quat start = ph_quat_unit((ph_quat){0.3, 0.5, -0.7, 0.2});
        const ph_vec3 m = ph_quat_rotate(start, vector(body));
        ph_quat q = start, rod = start;
        ph_vec3 w;
        assert_int_equal(PH_OK, ph_flow_turn(exact, vector(J), &q, m, 1.5, &w));
        J[axis] = thin;
        assert_int_equal(PH_OK, ph_flow_turn(exact, vector(J), &rod, m, 1.5, NULL));
        assert_true(distance4(q, rod) < 1e-12); /* round-off of m along, over `thin` */
        J[axis] = 0.0;
        rod = start;
        const ph_batch_strided one = {.n = 1, .q = &rod.w, .m = &m.x, .J = J};
        assert_int_equal(PH_OK, ph_batch_strided_step(exact, &one, 1.5, NULL));
        assert_true(distance4(q, rod) < ROUND_OFF);
        assert_true(norm(sub(w, scale(0.5, m))) < ROUND_OFF);
    }
    ph_quat q = {0, 1, 0, 0};
    ph_vec3 w = {7, 7, 7};
    assert_int_equal(PH_OK, ph_flow_turn(exact, vec3(0, 0, 0), &q, vec3(1, 2, 3), 1.0, &w));
    assert_true(q.x == 1.0 && norm(w) == 0.0);
}

static void test_turn_failures(void **state)
{
    (void)state;
    const ph_flow *exact = find_flow("exact");
    const struct {
        ph_vec3 J, m;
        ph_quat q;
        double h;
        ph_status status;
    } bad[] = {
        {{1, 2, -3}, {1, 1, 1}, {1, 0, 0, 0}, 1, PH_BAD_INERTIA},
        {{1, 2, NAN}, {1, 1, 1}, {1, 0, 0, 0}, 1, PH_BAD_INERTIA},
        {{0, 2, INFINITY}, {1, 1, 1}, {1, 0, 0, 0}, 1, PH_BAD_INERTIA},
        {{1, 2, 3}, {1, NAN, 1}, {1, 0, 0, 0}, 1, PH_BAD_STATE},
        {{1, 2, 0}, {1, NAN, 1}, {1, 0, 0, 0}, 1, PH_BAD_STATE},
        {{1, 2, 3}, {1, 1, 1}, {1, 0, INFINITY, 0}, 1, PH_BAD_STATE},
        {{1, 0, 3}, {1, 1, 1}, {1, 0, INFINITY, 0}, 1, PH_BAD_STATE},
        {{1, 2, 3}, {1, 1, 1}, {1, 0, 0, 0}, INFINITY, PH_BAD_STEP},
        {{0, 2, 3}, {1, 1, 1}, {1, 0, 0, 0}, NAN, PH_BAD_STEP},
        {{0, 1e-300, 1}, {1, 1e300, 1}, {1, 0, 0, 0}, 1, PH_NOT_FINITE},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        ph_quat q = bad[k].q;
        ph_vec3 w = {7, 7, 7};
        assert_int_equal(bad[k].status, ph_flow_turn(exact, bad[k].J, &q, bad[k].m, bad[k].h, &w));
        assert_memory_equal(&bad[k].q, &q, sizeof q);
        assert_true(w.x == 7.0 && w.y == 7.0 && w.z == 7.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_step),  cmocka_unit_test(test_bits),
        cmocka_unit_test(test_failures),      cmocka_unit_test(test_turn),
        cmocka_unit_test(test_mid_step),      cmocka_unit_test(test_linear),
        cmocka_unit_test(test_turn_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
