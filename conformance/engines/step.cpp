// step.cpp [float] - polhode_step.h alone.
#include <cstring>

#include "harness.hpp"
#include "polhode_step.h"

template <class Real> struct Step : Engine {
    Real J[3], q[4], w[3], h;

    explicit Step(const Start &s) : h(Real(s.h))
    {
        for (int i = 0; i < 3; i++)
            J[i] = Real(s.J[i]), w[i] = Real(s.w[i]);
        for (int i = 0; i < 4; i++)
            q[i] = Real(s.q[i]);
    }
    void step() override;
    void state(double a[4], double v[3]) override
    {
        for (int i = 0; i < 4; i++)
            a[i] = q[i];
        for (int i = 0; i < 3; i++)
            v[i] = w[i];
    }
};
template <> void Step<double>::step()
{
    polhode_step_world(q, w, J, h);
}
template <> void Step<float>::step()
{
    polhode_stepf_world(q, w, J, h);
}

int main(int argc, char **argv)
{
    const bool single = argc > 1 && std::strcmp(argv[1], "float") == 0;
    return run([=](const Start &s) {
        return single ? (Engine *)new Step<float>(s) : new Step<double>(s);
    });
}
