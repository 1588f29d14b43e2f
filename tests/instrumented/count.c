/* count.c - the numbers of Newton iterations and of solves that this thread has made, and the error of
 * the derivatives that Newton's iteration was given. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "motion/newton.h"

_Thread_local long newton_iterations, newton_solves;
_Thread_local bool newton_differences;
_Thread_local double newton_slope_error;

/* The values of the equations at x; n is 0 for three of them in vectors. */
static void values_at(void (*equations)(void), void *context, int n, const double *x, double *F,
                      double *unused)
{
    if (n > 0) {
        ((newton_system_n *)equations)(context, x, F, unused);
        return;
    }
    ph_vec3 value;
    ph_mat3 slope;
    ((newton_system *)equations)(context, (ph_vec3){x[0], x[1], x[2]}, &value, &slope);
    F[0] = value.x;
    F[1] = value.y;
    F[2] = value.z;
}

void newton_see(void (*equations)(void), void *context, int n, const double *x, const double *dF)
{
    const size_t count = n > 0 ? (size_t)n : 3;
    const double part =
        1e-5; /* the error of a central difference is its square, or round-off over it */
    double size = 0.0, largest = 0.0, error = 0.0;
    if (!newton_differences)
        return;
    newton_differences = false; /* not within one */
    double *memory = calloc(count * (count + 3), sizeof *memory), *y = memory, *after = y + count,
           *before = after + count, *unused = before + count;
    if (memory == NULL)
        abort();
    for (size_t k = 0; k < count; k++)
        size = larger_or_nan(size, fabs(x[k]));
    for (size_t k = 0; k < count * count; k++)
        largest = larger_or_nan(largest, fabs(dF[k]));
    const double d = part * (size > 0.0 ? size : 1.0);
    memcpy(y, x, count * sizeof *y);
    for (size_t j = 0; j < count; j++) {
        y[j] = x[j] + d;
        values_at(equations, context, n, y, after, unused);
        y[j] = x[j] - d;
        values_at(equations, context, n, y, before, unused);
        y[j] = x[j];
        for (size_t i = 0; i < count; i++)
            error =
                larger_or_nan(error, fabs((after[i] - before[i]) / (2.0 * d) - dF[i * count + j]));
    }
    values_at(equations, context, n, x, after, unused); /* what it left behind is of x again */
    newton_slope_error = larger_or_nan(newton_slope_error, error / largest);
    newton_differences = true;
    free(memory);
}
