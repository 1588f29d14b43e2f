/* middle.cpp - calls MathExtra::richardson() of LAMMPS and that of a preload library, for
 * bodies about which nothing is special: middle LIBRARY. Prints the largest difference of
 * attitude and of the velocity in mid-step. */
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstring>

typedef void step_function(double *q, double *m, double *w, double *moments, double half);

namespace MathExtra
{
step_function richardson;
void mq_to_omega(double *m, double *q, double *moments, double *w);
} // namespace MathExtra

/* Bodies turn by a milliradian: both steps are right to its square. */
static const double HALF_STEP = 0.5e-3;

static double difference(const double *a, const double *b, int n, double most)
{
    for (int k = 0; k < n; k++)
        most = std::fabs(a[k] - b[k]) <= most ? most : std::fabs(a[k] - b[k]);
    return most;
}

int main(int, char **argv)
{
    step_function *ours;
    void *handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void *symbol =
        handle != nullptr ? dlsym(handle, "_ZN9MathExtra10richardsonEPdS0_S0_S0_d") : nullptr;
    if (symbol == nullptr) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    memcpy(&ours, &symbol, sizeof ours);
    double q_off = 0.0, w_off = 0.0;
    for (int i = 0; i < 100; i++) {
        const double x = 0.1 * i, r = std::sqrt(0.5);
        double q[2][4], w[2][3], m[3] = {std::sin(3 * x), std::cos(2 * x), 1 - 0.2 * x},
                                 moments[3] = {1.0 + 0.05 * x, 1.5, 2.2 - 0.04 * x};
        step_function *const step[2] = {MathExtra::richardson, ours};
        for (int k = 0; k < 2; k++) {
            const double start[4] = {r * std::cos(x), r * std::sin(x), r * std::cos(5 * x),
                                     r * std::sin(5 * x)};
            memcpy(q[k], start, sizeof start);
            MathExtra::mq_to_omega(m, q[k], moments, w[k]);
            step[k](q[k], m, w[k], moments, HALF_STEP);
        }
        q_off = difference(q[0], q[1], 4, q_off);
        w_off = difference(w[0], w[1], 3, w_off);
    }
    printf("%.3g %.3g\n", q_off, w_off);
    return 0;
}
