#include "support/batch_tests.h"
#include "base/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion/batch/part.h"
#include "motion/vec.h"
#include "polhode/batch.h"
#include "support/bodies.h"
#include "support/chosen_isa.h"
#include "system/find.h"

static const double U = 0x1p-53;

static size_t bodies;

/* ---- every flow and instruction set ---------------------------------------------- */

/* Calls a test for every flow with every instruction set. */
static void each_kernel(void (*test)(const ph_flow *flow))
{
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++) {
        for (int set = 0; set < isa_count(flows[i]); set++) {
            choose_isa(set);
            test(flows[i]);
        }
    }
}

/* ---- batches --------------------------------------------------------------------- */

enum { COLUMNS = 10, Q = 0, M = 4, J = 7 };

/* A batch in memory of its own; columns that begin at odd places, one after the other. */
typedef struct memory {
    size_t n;
    double *all;
} memory;

static memory memory_of(size_t n)
{
    const memory a = {n, malloc((COLUMNS * (n + 1) + 1) * sizeof(double))};
    assert_non_null(a.all);
    return a;
}

static memory copy_of(const memory *a)
{
    const memory c = memory_of(a->n);
    memcpy(c.all, a->all, (COLUMNS * (a->n + 1) + 1) * sizeof(double));
    return c;
}

static double *column(const memory *a, int k)
{
    return a->all + 1 + (size_t)k * (a->n + 1);
}

static ph_batch batch_of(const memory *a)
{
    return (ph_batch){
        a->n,
        {column(a, Q), column(a, Q + 1), column(a, Q + 2), column(a, Q + 3)},
        {column(a, M), column(a, M + 1), column(a, M + 2)},
        {column(a, J), column(a, J + 1), column(a, J + 2)},
    };
}

static void put(const memory *a, size_t i, const ph_state *s, ph_vec3 moments)
{
    const double x[COLUMNS] = {s->q.w, s->q.x, s->q.y,    s->q.z,    s->m.x,
                               s->m.y, s->m.z, moments.x, moments.y, moments.z};
    for (int k = 0; k < COLUMNS; k++)
        column(a, k)[i] = x[k];
}

static ph_state state_at(const memory *a, size_t i)
{
    return (ph_state){
        {column(a, Q)[i], column(a, Q + 1)[i], column(a, Q + 2)[i], column(a, Q + 3)[i]},
        {column(a, M)[i], column(a, M + 1)[i], column(a, M + 2)[i]}};
}

static ph_vec3 moments_at(const memory *a, size_t i)
{
    return vec3(column(a, J)[i], column(a, J + 1)[i], column(a, J + 2)[i]);
}

/* Bodies of every kind by turns, half of them triaxial, with times that turn them by at
 * most `angle`. */
static memory random_batch(size_t n, double angle, double *h)
{
    const memory a = memory_of(n);
    uint64_t seed = 4;
    for (size_t i = 0; i < n; i++) {
        const int kind = uniform(&seed) < 0.5 ? BODY_TRIAXIAL : (int)(i % BODY_KIND_COUNT);
        const oracle_case c = random_motion((enum body_kind)kind, &seed, angle);
        put(&a, i, &c.start, c.J);
        h[i] = c.t;
    }
    return a;
}

/* ---- kernel against step --------------------------------------------------------- */

/* All bodies of a batch: they have the bits of the step, or fail as it does. */
static void compare(const ph_flow *flow, const memory *before, const double *h)
{
    const memory after = copy_of(before);
    const ph_batch b = batch_of(&after);
    size_t failed = before->n;
    const ph_status status = ph_batch_step_each(flow, &b, h, &failed);
    for (size_t i = 0; i < before->n; i++) {
        const ph_state start = state_at(before, i), got = state_at(&after, i);
        const ph_vec3 moments = moments_at(before, i);
        ph_state expected = start;
        const bool done = flow->step(flow, &expected, moments, h[i]) == PH_OK;
        assert_true(done ? failed != i : status != PH_OK && failed <= i);
        if (memcmp(&expected, &got, sizeof got) != 0)
            fail_msg("%s, %s: other bits than the step: J %a %a %a  m %a %a %a  h %a: %a %a "
                     "%a %a, not %a %a %a %a",
                     flow->name, isa_name((int)ph_isa()), moments.x, moments.y, moments.z,
                     start.m.x, start.m.y, start.m.z, h[i], got.q.w, got.q.x, got.q.y, got.q.z,
                     expected.q.w, expected.q.x, expected.q.y, expected.q.z);
    }
    free(after.all);
}

/* Bodies over steps of at most `angle`, with every instruction set. */
static void check_steps(const ph_flow *flow, size_t n, double angle)
{
    double *h = malloc(n * sizeof *h);
    assert_non_null(h);
    const memory before = random_batch(n, angle, h);
    for (int set = 0; set < isa_count(flow); set++) {
        choose_isa(set);
        compare(flow, &before, h);
    }
    free(before.all);
    free(h);
}

/* Small steps, large ones, and some that no kernel should try by itself; very large ones are
 * not divided by flows without data. */
static void test_against_step(void **state)
{
    (void)state;
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++) {
        const ph_flow *flow = flows[i];
        const size_t n =
            ph_flow_kernel(flow) != NULL ? bodies : bodies / 10; /* no kernel: a loop */
        check_steps(flow, n, 0.8);
        check_steps(flow, n, 14.0);
        if (ph_flow_kernel(flow) != NULL && flow->data == NULL)
            check_steps(flow, 2000, 1e8);
    }
}

/* Angles next to those from which a splitting reduces them, the same in whole vectors, and momenta and
 * attitudes with zeros of both signs. */
static void test_little_turns(void **state)
{
    static const double angles[] = {1e-200, 1e-9,   0.5, 1.5599999, 1.5600001,
                                    1.5707, 1.5709, 2.4, 4.8},
                        parts[] = {0.0, -0.0, 0.6, -0.8};
    enum { ANGLES = sizeof angles / sizeof angles[0], PARTS = 4, EACH = PARTS * PARTS * PARTS * 2 };
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    (void)state;
    double h[ANGLES * EACH];
    const memory before = memory_of((size_t)ANGLES * EACH);
    for (size_t i = 0; i < before.n; i++) {
        const double x = parts[i % PARTS], y = parts[i / PARTS % PARTS],
                     z = parts[i / PARTS / PARTS % PARTS], sign = i % 3 == 0 ? -1.0 : 1.0;
        const ph_vec3 m = vec3(x, y, z);
        const ph_state s = {i % EACH < EACH / 2 ? (ph_quat){1.0, -0.0, 0.0, -0.0}
                                                : (ph_quat){-0.0, 0.6, -0.8, 0.0},
                            m};
        put(&before, i, &s, vec3(0.5, 1.1, 1.3));
        h[i] = sign * angles[i / EACH] * 0.5 / (norm(m) > 0.0 ? norm(m) : 1.0);
    }
    for (size_t i = 0; i < count; i++) {
        for (int set = 0; set < isa_count(flows[i]); set++) {
            choose_isa(set);
            compare(flows[i], &before, h);
        }
    }
    free(before.all);
}

/* ---- one inertia for all bodies --------------------------------------------------- */

/* A kernel of the caller's, which knows arrays of moments alone: leaves everything. */
static void leave_all(const ph_flow *flow, const ph_batch *b, const double *h, bool h_each,
                      unsigned char *not_done)
{
    (void)flow, (void)h, (void)h_each;
    for (size_t i = 0; i < b->n; i++) {
        assert_true(b->J[0][i] == 0.5 && b->J[1][i] == 1.3 && b->J[2][i] == 1.1);
        not_done[i] = 1;
    }
}

/* Moments that all bodies share have the bits of the same moments in arrays: in blocks, groups and the
 * bodies that fill no group; and they are checked as others. */
static void check_shared(const ph_flow *flow)
{
    enum { MANY = 1000 };
    static const double shared[3] = {0.5, 1.3, 1.1}, bad[3] = {0.5, -1.3, 1.1};
    const size_t sizes[] = {1, 31, 64, 256, MANY};
    double h[MANY];
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const memory one = random_batch(sizes[k], 3.0, h);
        for (size_t i = 0; i < sizes[k]; i++) {
            for (int c = 0; c < 3; c++)
                column(&one, J + c)[i] = shared[c];
        }
        const memory two = copy_of(&one);
        const ph_batch each = batch_of(&one);
        ph_batch all = batch_of(&two);
        all.J[0] = shared, all.J[1] = all.J[2] = NULL;
        size_t failed_each = MANY, failed_all = MANY;
        const ph_status status = ph_batch_step_each(flow, &each, h, &failed_each);
        assert_int_equal(status, ph_batch_step_each(flow, &all, h, &failed_all));
        assert_int_equal(failed_each, failed_all);
        assert_int_equal(ph_batch_step(flow, &each, 0.1, NULL),
                         ph_batch_step(flow, &all, 0.1, NULL));
        const ph_integrator i = {.flow = flow};
        assert_int_equal(ph_batch_run(&i, &each, 0.05, 3, NULL, NULL).status,
                         ph_batch_run(&i, &all, 0.05, 3, NULL, NULL).status);
        ph_flow callers = *flow;
        callers.batch = leave_all;
        assert_int_equal(ph_batch_step(&callers, &each, 0.2, NULL),
                         ph_batch_step(&callers, &all, 0.2, NULL));
        for (int c = 0; c < J; c++)
            assert_memory_equal(column(&one, c), column(&two, c), sizes[k] * sizeof(double));
        all.J[0] = bad;
        assert_int_equal(PH_BAD_INERTIA, ph_batch_step(flow, &all, 0.1, &failed_all));
        assert_int_equal(0, failed_all);
        all.J[0] = shared, all.J[1] = shared;
        assert_int_equal(PH_NULL_ARGUMENT, ph_batch_step(flow, &all, 0.1, NULL));
        free(one.all);
        free(two.all);
    }
}

static void test_shared(void **state)
{
    (void)state;
    each_kernel(check_shared);
}

/* ---- linear bodies ---------------------------------------------------------------- */

/* A linear body turns about its momentum by h |m|/I. */
static ph_state linear_after(ph_state s, double I, double h)
{
    const double half = 0.5 * h * norm(s.m) / I, c = norm(s.m) > 0.0 ? sin(half) / norm(s.m) : 0.0;
    return (ph_state){mul(s.q, quat(cos(half), scale(c, s.m))), s.m};
}

/* Batches of them, with each axis in turn, among other bodies or alone, with moments of their own or the
 * same: the motion in closed form, the same bits everywhere, and other bodies as without them. */
static void check_linear(const ph_flow *flow)
{
    enum { MANY = 300 };
    double h[MANY];
    for (int mixed = 0; mixed < 3; mixed++) { /* none other; some; all but some */
        const memory start = random_batch(MANY, 0.5, h);
        const double I = 1.7e-46;
        size_t bad = MANY;
        for (size_t i = 0; i < MANY; i++) {
            if (mixed == 0 ? false : mixed == 1 ? i % 7 == 5 : i % 7 != 5)
                continue;
            const int axis = mixed == 0 ? 1 : (int)(i % 3);
            for (int c = 0; c < 3; c++) {
                column(&start, M + c)[i] = c == axis || i == 100 ? 0.0 : 1e-34 * (1.0 + c);
                column(&start, J + c)[i] = c == axis ? 0.0 : I;
            }
            h[i] = 1e-13 * (double)i;
        }
        const memory after = copy_of(&start), same = copy_of(&start);
        const ph_batch b = batch_of(&after);
        assert_int_equal(PH_OK, ph_batch_step_each(flow, &b, h, NULL));
        for (size_t i = 0; i < MANY; i++) {
            const ph_state got = state_at(&after, i), from = state_at(&start, i);
            const ph_vec3 moments = moments_at(&start, i);
            const bool linear = moments.x * moments.y * moments.z == 0.0;
            ph_state expected = linear ? linear_after(from, I, h[i]) : from;
            if (!linear) {
                assert_int_equal(PH_OK, flow->step(flow, &expected, moments, h[i]));
                assert_memory_equal(&expected, &got, sizeof got);
                continue;
            }
            assert_memory_equal(&from.m, &got.m, sizeof got.m);
            assert_true(norm_max(sub(vec(got.q), vec(expected.q))) <= 1e-15 * (double)(10 + i));
            assert_true(fabs(got.q.w - expected.q.w) <= 1e-15 * (double)(10 + i));
            const ph_batch others = batch_of(&same), alone = batch_part(&others, i, 1);
            assert_int_equal(PH_OK, ph_batch_step(flow, &alone, h[i], NULL));
            const ph_state one = state_at(&same, i);
            assert_memory_equal(&one, &got, sizeof got);
            bad = i;
        }
        /* what fails */
        const ph_batch again = batch_of(&after);
        size_t failed = MANY;
        column(&after, Q)[bad] = NAN;
        assert_int_equal(PH_BAD_STATE, ph_batch_step(flow, &again, 1e-14, &failed));
        assert_int_equal(bad, failed);
        column(&after, Q)[bad] = 1.0;
        for (int c = 0; c < 3; c++)
            column(&after, J + c)[bad] = c == 0 ? 0.0 : 1.0 + 2e-8 * c;
        assert_int_equal(PH_BAD_INERTIA, ph_batch_step(flow, &again, 1e-14, &failed));
        assert_int_equal(bad, failed);
        for (int c = 0; c < 3; c++)
            column(&after, J + c)[bad] = c == 0 ? 1.0 : 0.0;
        assert_int_equal(PH_BAD_INERTIA, ph_batch_step(flow, &again, 1e-14, &failed));
        assert_int_equal(bad, failed);
        free(start.all);
        free(after.all);
        free(same.all);
    }
    /* the same moments for all */
    static const double shared[3] = {2.0, 2.0, 0.0};
    const memory all = random_batch(MANY, 0.5, h), start = copy_of(&all);
    ph_batch b = batch_of(&all);
    b.J[0] = shared, b.J[1] = b.J[2] = NULL;
    assert_int_equal(PH_OK, ph_batch_step(flow, &b, 0.25, NULL));
    for (size_t i = 0; i < MANY; i++) { /* a momentum along the axis does not count */
        ph_state from = state_at(&start, i);
        const ph_state got = state_at(&all, i);
        assert_memory_equal(&from.m, &got.m, sizeof got.m);
        from.m.z = 0.0;
        const ph_state expected = linear_after(from, 2.0, 0.25);
        assert_true(norm_max(sub(vec(got.q), vec(expected.q))) <= 1e-14);
    }
    free(all.all);
    free(start.all);
}

static void test_linear(void **state)
{
    (void)state;
    each_kernel(check_linear);
}

/* ---- what a kernel leaves to the step -------------------------------------------- */

double batch_share_left(const ph_flow *flow, double angle)
{
    enum { MANY = 64 * PH_BATCH_GROUP };
    static double h[MANY];
    static unsigned char left[MANY];
    const memory a = memory_of(MANY);
    uint64_t seed = 9;
    for (size_t i = 0; i < MANY; i++) {
        const oracle_case c = random_motion(BODY_TRIAXIAL, &seed, angle);
        put(&a, i, &c.start, c.J);
        h[i] = c.t;
    }
    const ph_batch b = batch_of(&a);
    ph_flow_kernel(flow)(flow, &b, h, true, left);
    double count = 0.0;
    for (size_t i = 0; i < MANY; i++)
        count += left[i];
    free(a.all);
    return count / MANY;
}

/* A kernel that leaves everything would pass all the other tests. `gauss` leaves a
 * twentieth, next to what its formulas cannot do; long steps are divided by the step. */
static void check_left(const ph_flow *flow)
{
    static const double bounds[][2] = {{0.6, 0.06}, {1.5, 0.5}, {3.0, 0.76}};
    for (size_t k = 0; ph_flow_kernel(flow) != NULL && k < sizeof bounds / sizeof bounds[0]; k++) {
        const double share = batch_share_left(flow, bounds[k][0]);
        if (!(share < bounds[k][1]))
            fail_msg("%s: the kernel leaves %g of the bodies, turned by %g at most", flow->name,
                     share, bounds[k][0]);
    }
}

static void test_left(void **state)
{
    (void)state;
    each_kernel(check_left);
}

/* ---- the same bits anywhere ------------------------------------------------------ */

/* A body gives the same bits alone, in any place of a group, in any company, and with any
 * number of threads; with one time for all or one each. */
static void check_bits(const ph_flow *flow)
{
    enum { MANY = 1100 };
    double h[MANY];
    const memory start = random_batch(MANY, 1.0, h), all = copy_of(&start);
    const ph_batch b = batch_of(&all);
    (void)ph_batch_step_each(flow, &b, h, NULL);
    const size_t sizes[] = {1, 2, 3, 7, 8, 31, 32, 33, 65, 300};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (size_t first = k; first + sizes[k] <= MANY; first += 97) {
            const memory some = memory_of(sizes[k]);
            for (size_t i = 0; i < sizes[k]; i++) {
                const ph_state s = state_at(&start, first + i);
                put(&some, i, &s, moments_at(&start, first + i));
            }
            const ph_batch few = batch_of(&some);
            if (sizes[k] == 1)
                (void)ph_batch_step(flow, &few, h[first], NULL);
            else
                (void)ph_batch_step_each(flow, &few, h + first, NULL);
            for (size_t i = 0; i < sizes[k]; i++) {
                const ph_state s = state_at(&some, i), same = state_at(&all, first + i);
                assert_memory_equal(&same, &s, sizeof s);
            }
            free(some.all);
        }
    }
    free(start.all);
    free(all.all);
}

static void test_bits(void **state)
{
    (void)state;
    each_kernel(check_bits);
}

static void check_threads(const ph_flow *flow)
{
    enum { MANY = 5000 }; /* enough for two threads */
    double h[MANY];
    const memory one = random_batch(MANY, 1.0, h), two = copy_of(&one);
    const ph_batch b1 = batch_of(&one), b2 = batch_of(&two);
    ph_set_threads(1);
    (void)ph_batch_step_each(flow, &b1, h, NULL);
    ph_batch_kick(&b1, h, h, h, 0.5);
    ph_set_threads(2);
    (void)ph_batch_step_each(flow, &b2, h, NULL);
    ph_batch_kick(&b2, h, h, h, 0.5);
    ph_set_threads(0);
    for (int k = 0; k < COLUMNS; k++)
        assert_memory_equal(column(&one, k), column(&two, k), MANY * sizeof(double));
    free(one.all);
    free(two.all);
}

static void test_threads(void **state)
{
    (void)state;
    each_kernel(check_threads);
}

/* ---- bodies that fail, and edges ------------------------------------------------- */

/* Bad bodies, each in every place of a group in turn: they are reported and untouched, and
 * their neighbours are as without them. */
static void check_failures(const ph_flow *flow)
{
    enum { MANY = 40 };
    static const struct {
        int column;
        double value;
        ph_status status;
    } bad[] = {
        {M, NAN, PH_BAD_STATE},
        {M + 2, INFINITY, PH_BAD_STATE},
        {Q, NAN, PH_BAD_STATE},
        {Q + 3, -INFINITY, PH_BAD_STATE},
        {J, 0.0, PH_BAD_INERTIA},
        {J + 1, -1.0, PH_BAD_INERTIA},
        {J + 2, INFINITY, PH_BAD_INERTIA},
        {J, NAN, PH_BAD_INERTIA},
    };
    double h[MANY];
    const memory start = random_batch(MANY, 0.5, h), good = copy_of(&start);
    const ph_batch all = batch_of(&good);
    assert_int_equal(PH_OK, ph_batch_step_each(flow, &all, h, NULL));
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        for (size_t place = k; place < MANY; place += 5) {
            const memory a = copy_of(&start);
            column(&a, bad[k].column)[place] = bad[k].value;
            if (bad[k].value == 0.0) /* and not linear */
                column(&a, J + 1)[place] = 2.0 * column(&a, J + 2)[place];
            const ph_state before = state_at(&a, place);
            const ph_batch b = batch_of(&a);
            size_t failed = MANY;
            assert_int_equal(bad[k].status, ph_batch_step_each(flow, &b, h, &failed));
            assert_int_equal(place, failed);
            for (size_t i = 0; i < MANY; i++) {
                const ph_state s = state_at(&a, i), same = i == place ? before : state_at(&good, i);
                assert_memory_equal(&same, &s, sizeof s);
            }
            free(a.all);
        }
    }
    h[3] = h[7] = NAN;
    const memory a = copy_of(&start);
    const ph_batch b = batch_of(&a);
    size_t failed = MANY;
    assert_int_equal(PH_BAD_STEP, ph_batch_step_each(flow, &b, h, &failed));
    assert_int_equal(3, failed);
    assert_memory_equal(&start.all[1 + 3], &a.all[1 + 3], sizeof(double));
    free(a.all);
    free(start.all);
    free(good.all);
}

static void test_failures(void **state)
{
    (void)state;
    each_kernel(check_failures);
    const memory a = memory_of(1);
    const ph_state rest = {{1, 0, 0, 0}, {0, 0, 0}};
    put(&a, 0, &rest, vec3(1, 2, 3));
    const ph_batch b = batch_of(&a), none = {0, {NULL}, {NULL}, {NULL}};
    size_t failed = 7;
    assert_int_equal(PH_OK, ph_batch_step(find_flow("exact"), &none, 1.0, &failed));
    assert_int_equal(7, failed);
    assert_int_equal(PH_BAD_STEP, ph_batch_step(find_flow("exact"), &b, INFINITY, &failed));
    assert_int_equal(0, failed);
    free(a.all);
}

/* m += h torque, bit for bit; no body, and numbers of bodies next to a block. */
static void test_kick(void **state)
{
    (void)state;
    const size_t sizes[] = {0, 1, 255, 256, 257, 1000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        double *h = malloc((sizes[k] + 1) * sizeof *h);
        assert_non_null(h);
        const memory before = random_batch(sizes[k], 1.0, h), after = copy_of(&before);
        const ph_batch b = batch_of(&after);
        const double *const torque[3] = {column(&before, Q), column(&before, Q + 1),
                                         column(&before, Q + 2)};
        ph_batch_kick(&b, torque[0], torque[1], torque[2], 0.3);
        for (size_t i = 0; i < sizes[k]; i++) {
            for (int c = 0; c < 3; c++)
                assert_true(column(&after, M + c)[i] ==
                            column(&before, M + c)[i] + 0.3 * torque[c][i]);
        }
        free(before.all);
        free(after.all);
        free(h);
    }
}

/* What every flow with a kernel keeps, over many steps: unit quaternions, and the momentum in
 * space, whose round-off is a random walk. */
static void check_kept(const ph_flow *flow)
{
    enum { MANY = 2 * PH_BATCH_GROUP, STEPS = 2000 };
    if (ph_flow_kernel(flow) == NULL)
        return;
    double h[MANY];
    const memory a = random_batch(MANY, 0.5, h), start = copy_of(&a);
    const ph_batch b = batch_of(&a);
    for (int k = 0; k < STEPS; k++)
        (void)ph_batch_step_each(flow, &b, h, NULL);
    for (size_t i = 0; i < MANY; i++) {
        const ph_state s = state_at(&a, i), first = state_at(&start, i);
        const double unit = fabs(sqrt(dot4(s.q, s.q)) - 1.0) / U, size = norm_max(first.m),
                     off = norm_max(
                         sub(ph_state_space_momentum(&s), ph_state_space_momentum(&first)));
        if (!(unit <= 4.0 && off <= 40.0 * sqrt(STEPS) * U * size))
            fail_msg("%s: body %zu: |q| is off by %g u, the momentum by %g u", flow->name, i, unit,
                     off / (U * size));
    }
    free(a.all);
    free(start.all);
}

static void test_kept(void **state)
{
    (void)state;
    each_kernel(check_kept);
}

static bool stop_halfway(void *context, double done)
{
    ++*(int *)context;
    return done < 0.5;
}

static bool to_the_end(void *context, double done)
{
    double *last = context;
    assert_true(done > *last && done <= 1.0);
    *last = done;
    return true;
}

/* A flow that counts its steps in m1 and refuses the fourth. */
static ph_status three_steps(const ph_flow *flow, ph_state *s, ph_vec3 moments, double h)
{
    (void)flow;
    (void)moments;
    if (s->m.x + h > 3.5)
        return PH_NO_CONVERGENCE;
    s->m.x += h;
    return PH_OK;
}

static void test_failing_step(void **state)
{
    (void)state;
    const ph_flow flow = {.name = "three_steps", .order = 1, .step = three_steps};
    const ph_integrator i = {.flow = &flow};
    const memory a = memory_of(1);
    const ph_state rest = {{1, 0, 0, 0}, {0, 0, 0}};
    put(&a, 0, &rest, vec3(1, 2, 3));
    const ph_batch b = batch_of(&a);
    const ph_batch_result r = ph_batch_run(&i, &b, 1.0, 9, NULL, NULL);
    assert_int_equal(PH_NO_CONVERGENCE, r.status);
    assert_int_equal(0, r.failed);
    assert_int_equal(3, r.step);
    assert_true(state_at(&a, 0).m.x == 3.0);
    free(a.all);
}

/* Many steps of many bodies: the bits of one step after the other, up to a body that
 * fails; and an observer that ends them. */
static void test_many_steps(void **state)
{
    (void)state;
    enum { MANY = 1000, STEPS = 7, BAD = 700 };
    double h[MANY];
    const memory before = random_batch(MANY, 1.0, h), one = copy_of(&before),
                 all = copy_of(&before);
    const ph_batch b1 = batch_of(&one), b2 = batch_of(&all);
    const ph_integrator i = {.flow = find_flow("exact")};
    column(&one, J)[BAD] = column(&all, J)[BAD] = -1.0;
    for (int k = 0; k < STEPS; k++)
        (void)ph_batch_step(i.flow, &b1, 0.1, NULL);
    const ph_batch_result r = ph_batch_run(&i, &b2, 0.1, STEPS, NULL, NULL);
    assert_int_equal(r.status, PH_BAD_INERTIA);
    assert_int_equal(r.failed, BAD);
    assert_int_equal(r.step, 0);
    assert_false(r.stopped);
    for (int k = 0; k < COLUMNS; k++)
        assert_memory_equal(column(&one, k), column(&all, k), BAD * sizeof(double));

    int calls = 0;
    assert_true(ph_batch_run(&i, &b2, 0.1, STEPS, stop_halfway, &calls).stopped);
    assert_true(calls > 0 && calls < 4 * STEPS);
    double done = 0.0;
    assert_false(ph_batch_run(&i, &b2, 0.1, STEPS, to_the_end, &done).stopped);
    assert_true(done == 1.0);
    const ph_integrator wrong[] = {{0}, {.flow = i.flow, .scheme = find_scheme("verlet")}};
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(ph_batch_run(&wrong[k], &b2, 0.1, 1, NULL, NULL).status,
                         PH_NOT_APPLICABLE);
    free(before.all);
    free(one.all);
    free(all.all);
}

/* The step and the batch in any units: moments and momenta times powers of two, which
 * change no attitude. Out of its range the kernel leaves a body to the step. */
static void check_units(const ph_flow *flow)
{
    const ph_vec3 moments = {0.6, 0.8, 1.0}, m = {1.8, 0.4, -0.9};
    const ph_state start = {{1, 0, 0, 0}, m};
    ph_state right = start;
    assert_int_equal(PH_OK, flow->step(flow, &right, moments, 0.1));
    for (int e = -1020; e <= 1020; e += 30) {
        for (int of_m = e - 510; of_m <= e + 510; of_m += 255) {
            const double unit = ldexp(1.0, of_m), h = ldexp(0.1, e - of_m);
            if (of_m < -1010 || of_m > 1022)
                continue;
            ph_vec3 I = scale(ldexp(1.0, e), moments);
            ph_state one = {start.q, scale(unit, m)}, many = one;
            const ph_batch b = {1,
                                {&many.q.w, &many.q.x, &many.q.y, &many.q.z},
                                {&many.m.x, &many.m.y, &many.m.z},
                                {&I.x, &I.y, &I.z}};
            assert_int_equal(PH_OK, flow->step(flow, &one, I, h));
            assert_int_equal(PH_OK, ph_batch_step(flow, &b, h, NULL));
            const ph_state *const both[] = {&one, &many};
            for (int i = 0; i < 2; i++) {
                const ph_quat q = both[i]->q;
                if (!(fabs(dot4(q, right.q) - 1.0) < 1e-14 &&
                      norm(sub(vec(q), vec(right.q))) < 1e-14 &&
                      norm(sub(scale(1.0 / unit, both[i]->m), right.m)) < 1e-14))
                    fail_msg("%s %s: moments 2^%d, momenta 2^%d", flow->name,
                             i == 0 ? "step" : "batch", e, of_m);
            }
        }
    }
}

static void test_units(void **state)
{
    (void)state;
    each_kernel(check_units);
}

/* Moments as far apart as those of no body: the kernel leaves what it would get wrong. */
static void check_wide(const ph_flow *flow)
{
    enum { MANY = 200 };
    double h[MANY];
    const memory before = memory_of(MANY);
    for (size_t i = 0; i < MANY; i++) {
        const double ratio = ldexp(1.0, 4 * (int)(i / 2));
        const ph_vec3 moments =
            i % 2 ? vec3(1.0 / ratio, 1.0, 1.0 + 0.5 / ratio) : vec3(1.0 / ratio, 0.7 / ratio, 1.0);
        const ph_state s = {{1, 0, 0, 0}, {0.6 / ratio, 0.5 / ratio, -0.9}};
        put(&before, i, &s, moments);
        h[i] = (i % 2 ? 0.01 : 0.01 / ratio);
    }
    compare(flow, &before, h);
    free(before.all);
}

static void test_wide(void **state)
{
    (void)state;
    each_kernel(check_wide);
}

int batch_tests(size_t number)
{
    bodies = number;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left),       cmocka_unit_test(test_against_step),
        cmocka_unit_test(test_bits),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_failures),   cmocka_unit_test(test_kick),
        cmocka_unit_test(test_many_steps), cmocka_unit_test(test_failing_step),
        cmocka_unit_test(test_kept),       cmocka_unit_test(test_units),
        cmocka_unit_test(test_wide),       cmocka_unit_test(test_little_turns),
        cmocka_unit_test(test_shared),     cmocka_unit_test(test_linear),
    };
    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
