// harness.hpp - what the runners of C and C++ engines share, as harness.mjs does for JavaScript: reads
// cases from standard input, `name J1 J2 J3 q0 q1 q2 q3 w1 w2 w3 h rows steps`, and prints the rows that
// `polhode grade` reads. A runner supplies an Engine; velocities are in space between the two.
#pragma once
#include <cmath>
#include <cstdio>
#include <memory>

struct Start {
    double J[3], q[4], w[3], h; // w in space
};

struct Engine {
    virtual ~Engine()
    {
    }
    virtual void step() = 0;
    virtual void state(double q[4], double w[3]) = 0;
};

// Turns v from the body to space (sign 1) or back (-1).
inline void turn(const double q[4], double sign, double v[3])
{
    const double x = q[2] * v[2] - q[3] * v[1], y = q[3] * v[0] - q[1] * v[2],
                 z = q[1] * v[1] - q[2] * v[0];
    const double s = 2 * sign * q[0];
    v[0] += s * x + 2 * (q[2] * z - q[3] * y);
    v[1] += s * y + 2 * (q[3] * x - q[1] * z);
    v[2] += s * z + 2 * (q[1] * y - q[2] * x);
}

template <class Make> int run(Make make)
{
    char name[100];
    Start s;
    int rows, steps;
    std::setvbuf(stdout, nullptr, _IOLBF,
                 1 << 12); // rows before an engine aborts are kept
    std::puts("case,t,q0,q1,q2,q3,w1,w2,w3,h");
    while (std::scanf("%99s %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %d %d", name, s.J,
                      s.J + 1, s.J + 2, s.q, s.q + 1, s.q + 2, s.q + 3, s.w, s.w + 1,
                      s.w + 2, &s.h, &rows, &steps) == 14) {
        const double unit = std::sqrt(s.q[0] * s.q[0] + s.q[1] * s.q[1] +
                                      s.q[2] * s.q[2] + s.q[3] * s.q[3]);
        for (double &x : s.q)
            x /= unit;
        turn(s.q, 1, s.w);
        std::unique_ptr<Engine> engine(make(s));
        for (int row = 1; row <= rows; row++) {
            double q[4], w[3];
            for (int i = 0; i < steps; i++)
                engine->step();
            engine->state(q, w);
            turn(q, -1, w);
            if (!std::isfinite(q[0] + q[1] + q[2] + q[3] + w[0] + w[1] + w[2]))
                break;
            std::printf("%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
                        name, (double)row * steps * s.h, q[0], q[1], q[2], q[3], w[0],
                        w[1], w[2], s.h);
        }
    }
    return 0;
}
