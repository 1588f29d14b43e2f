/* test_extrapolation.c - the tables of the extrapolated midpoint rule (extrapolation.h) are
 * what its formulas say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SIMD_VECTORS /* of the widest baseline there is */
#include "integrators/extrapolation.h"

/* w_j = prod n_j^2/(n_j^2 - n_i^2), HNW (9.9) at zero; without n_1 each loses the factor
 * n_j^2/(n_j^2 - n_1^2), so that the difference is w_j (n_1/n_j)^2. */
static void test_weights(void **state)
{
    (void)state;
    const double u = 0x1p-52;
    for (int sequence = 0; sequence < SEQUENCES; sequence++) {
        const int *n = SUBSTEPS[sequence];
        for (int columns = FEWEST_COLUMNS; columns <= columns_in((columns_sequence)sequence);
             columns++) {
            const int row = weight_row((columns_sequence)sequence, columns);
            for (int j = 0; j < PH_LANES; j++) {
                double w = j < columns ? 1.0 : 0.0;
                for (int i = 0; i < columns && j < columns; i++)
                    w *= i == j ? 1.0 : (double)(n[j] * n[j]) / (n[j] * n[j] - n[i] * n[i]);
                const double share = (double)(n[0] * n[0]) / (n[j] * n[j]);
                assert_true(fabs(WEIGHT[row][j] - w) <= 8 * u * fabs(w));
                assert_true(fabs(WEIGHT_OF_ERROR[row][j] - share * w) <= 8 * u * fabs(w));
            }
        }
    }
}

/* A column of n substeps: h/n, then twice that up to the end. */
static void test_substeps(void **state)
{
    (void)state;
    for (int sequence = 0; sequence < SEQUENCES; sequence++) {
        for (int j = 0; j < columns_in((columns_sequence)sequence); j++) {
            const int n = SUBSTEPS[sequence][j];
            assert_true(n % 2 == 0 && n <= MOST_SUBSTEPS);
            for (int s = 0; s < MOST_SUBSTEPS; s++) {
                const double length = s >= n ? 0.0 : (s == 0 ? 1.0 : 2.0) / n;
                assert_true(SUBSTEP_LENGTH[sequence][s][j] == length);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_substeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
