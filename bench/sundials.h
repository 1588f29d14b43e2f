/* sundials.h - what the two SUNDIALS solvers share: they keep quiet. A tolerance that
 * cannot be reached is a result, not an accident. */
#ifndef POLHODE_BENCH_SUNDIALS_H
#define POLHODE_BENCH_SUNDIALS_H

static inline void sundials_quiet(int code, const char *module, const char *function,
                                  char *message, void *data)
{
    (void)code;
    (void)module;
    (void)function;
    (void)message;
    (void)data;
}

#endif
