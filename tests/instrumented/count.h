/* count.h - makes the library's Newton count its iterations and, by the first of them, the
 * equations that it solves, in each thread its own; and compare the derivative of the equations with
 * their differences. Every file of the instrumented library includes it first. */
extern _Thread_local long newton_iterations, newton_solves;
#define NEWTON_OBSERVE (newton_iterations++, newton_solves += i == 0)

/* The derivative of n equations at x is dF, row after row; `equations` calls them with an array of three or of
 * n numbers. Nothing is compared unless newton_differences is set; newton_slope_error is then the largest
 * error of any so far, over the largest number of its derivative. */
extern _Thread_local _Bool newton_differences;
extern _Thread_local double newton_slope_error;
void newton_see(void (*equations)(void), void *context, int n, const double *x, const double *dF);
#define NEWTON_SEE(system, context, v, F, dF)                                                      \
    newton_see((void (*)(void))(system), (void *)(context), 0,                                     \
               (const double[]){(v).x, (v).y, (v).z}, (const double *)&(dF))
#define NEWTON_SEE_N(system, context, n, x, F, dF)                                                 \
    newton_see((void (*)(void))(system), context, n, x, dF)
