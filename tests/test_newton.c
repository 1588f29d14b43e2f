/* test_newton.c - Newton's iteration for any number of unknowns: roots, and equations that
 * have none, are singular or not finite. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "motion/newton.h"
#include "support/random.h"

enum { N = 5 };

/* x_i^3 + sum of others = right_i, with an order of the equations that needs pivots; and how
 * it is spoiled. */
typedef struct equations {
    double right[N];
    bool singular;
    int calls, not_finite_after;
} equations;

static void cubes(void *context, const double *x, double *F, double *dF)
{
    equations *e = context;
    e->calls++;
    for (int i = 0; i < N; i++) {
        const int k = (i + 1) % N;
        F[i] = x[k] * x[k] * x[k] - e->right[i];
        for (int j = 0; j < N; j++) {
            F[i] += j == k ? 0.0 : 0.1 * x[j];
            dF[i * N + j] = j == k ? 3.0 * x[k] * x[k] : 0.1;
            if (e->singular)
                dF[i * N + j] = 1.0;
        }
    }
    if (e->calls > e->not_finite_after)
        F[N - 1] = INFINITY;
}

static ph_status solve(equations *e, double *x)
{
    double memory[N * N + 2 * N];
    return ph_newton_n(cubes, e, N, x, memory);
}

static void test_roots(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 100; trial++) {
        equations e = {.not_finite_after = 1000};
        double root[N], x[N], F[N], dF[N * N];
        for (int i = 0; i < N; i++) {
            root[i] = between(&seed, 1.0, 2.0);
            x[i] = root[i] + between(&seed, -0.2, 0.2);
        }
        cubes(&e, root, F, dF);
        memcpy(e.right, F, sizeof F);
        e.calls = 0;
        assert_int_equal(PH_OK, solve(&e, x));
        for (int i = 0; i < N; i++)
            assert_true(fabs(x[i] - root[i]) < 1e-14);
        assert_true(e.calls < 8);
    }
}

/* What fails leaves the unknowns as they were. */
static void test_failures(void **state)
{
    (void)state;
    const double start[N] = {1.1, 1.2, 1.3, 1.4, 1.5};
    const struct {
        equations of;
        ph_status status;
    } cases[] = {
        {{.not_finite_after = 0}, PH_NOT_FINITE},
        {{.right = {5, 5, 5, 5, 5}, .not_finite_after = 1}, PH_NOT_FINITE},
        {{.right = {5, 5, 5, 5, 5}, .not_finite_after = 1000, .singular = true}, PH_NO_CONVERGENCE},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        equations e = cases[k].of;
        double x[N];
        memcpy(x, start, sizeof x);
        assert_int_equal(cases[k].status, solve(&e, x));
        assert_memory_equal(x, start, sizeof x);
        assert_true(e.calls <= NEWTON_ITERATIONS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
