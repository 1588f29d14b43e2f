// gsl.cpp TOLERANCE [rkf45|rk8pd] - the GNU Scientific Library: Euler's equations and the
// quaternion, steps chosen by the tolerance.
#include <cstdlib>
#include <cstring>
#include <gsl/gsl_odeiv2.h>

#include "harness.hpp"

static int slope(double, const double y[], double d[], void *moments)
{
    const double *J = static_cast<const double *>(moments), *w = y + 4;
    d[0] = -0.5 * (y[1] * w[0] + y[2] * w[1] + y[3] * w[2]);
    d[1] = 0.5 * (y[0] * w[0] + y[2] * w[2] - y[3] * w[1]);
    d[2] = 0.5 * (y[0] * w[1] + y[3] * w[0] - y[1] * w[2]);
    d[3] = 0.5 * (y[0] * w[2] + y[1] * w[1] - y[2] * w[0]);
    for (int i = 0; i < 3; i++)
        d[4 + i] = (J[(i + 1) % 3] - J[(i + 2) % 3]) / J[i] * w[(i + 1) % 3] * w[(i + 2) % 3];
    return 0;
}

struct Gsl : Engine {
    Start s;
    gsl_odeiv2_system system = {slope, nullptr, 7, s.J};
    gsl_odeiv2_driver *driver;
    double y[7], t = 0;
    int steps = 0;

    Gsl(const Start &start, double tolerance, const char *method) : s(start)
    {
        driver = gsl_odeiv2_driver_alloc_y_new(
            &system,
            std::strcmp(method, "rkf45") == 0 ? gsl_odeiv2_step_rkf45 : gsl_odeiv2_step_rk8pd, s.h,
            tolerance, tolerance);
        turn(s.q, -1, s.w);
        std::memcpy(y, s.q, sizeof s.q);
        std::memcpy(y + 4, s.w, sizeof s.w);
    }
    ~Gsl() override
    {
        gsl_odeiv2_driver_free(driver);
    }
    void step() override
    {
        steps++;
    }
    void state(double q[4], double w[3]) override
    {
        gsl_odeiv2_driver_apply(driver, &t, steps * s.h, y);
        const double unit = std::sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
        for (int i = 0; i < 4; i++)
            q[i] = y[i] / unit;
        std::memcpy(w, y + 4, 3 * sizeof *w);
        turn(q, 1, w);
    }
};

int main(int argc, char **argv)
{
    return run([&](const Start &s) {
        return new Gsl(s, argc > 1 ? std::atof(argv[1]) : 1e-6, argc > 2 ? argv[2] : "rk8pd");
    });
}
