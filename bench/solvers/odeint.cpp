/* odeint.cpp - two steppers of Boost.odeint: Bulirsch and Stoer, and the Runge-Kutta pair
 * of Fehlberg of orders 7 and 8. Points between are reached by steps that end there, or,
 * for Bulirsch and Stoer, by its dense output. */
#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include <boost/numeric/odeint.hpp>
#include <boost/version.hpp>

#include "ode.h"

namespace odeint = boost::numeric::odeint;

namespace
{

/* An array that begins as zeros: the steppers copy what they have not set yet. */
struct state : std::array<double, ODE_SIZE> {
    state() : std::array<double, ODE_SIZE>{}
    {
    }
};

using fehlberg78 = odeint::controlled_runge_kutta<
    odeint::runge_kutta_fehlberg78<state, double, state, double, odeint::array_algebra>>;
using bulirsch_stoer = odeint::bulirsch_stoer<state, double, state, double, odeint::array_algebra>;
using bulirsch_stoer_dense =
    odeint::bulirsch_stoer_dense_out<state, double, state, double, odeint::array_algebra>;

fehlberg78 make(double e, const fehlberg78 *)
{
    return fehlberg78(fehlberg78::error_checker_type(e, e));
}

template <class Stepper> Stepper make(double e, const Stepper *)
{
    return Stepper(e, e);
}

void reset(fehlberg78 &)
{
}

template <class Stepper> void reset(Stepper &stepper)
{
    stepper.reset();
}

struct too_long {
};

struct system {
    bench_ode *ode;
    void operator()(const state &y, state &f, double t) const
    {
        if (ode->evaluations > ODE_MOST_EVALUATIONS)
            throw too_long();
        ode_rhs(ode, t, y.data(), f.data());
    }
};

template <class Stepper> struct handle {
    bench_ode *ode;
    Stepper stepper;
};

template <class Stepper> void *open(const bench_solver *, bench_ode *ode, double e)
{
    return new handle<Stepper>{ode, make(e, static_cast<Stepper *>(nullptr))};
}

template <class Stepper> void close(void *work)
{
    delete static_cast<handle<Stepper> *>(work);
}

/* The states at the points, one after the other; the start is not one of them. */
template <class Stepper>
void visit(handle<Stepper> *h, state &y, double end, int count, double (*points)[ODE_SIZE])
{
    std::vector<double> times;
    for (int k = 0; k <= count; k++)
        times.push_back(end * k / count);
    int next = -1;
    odeint::integrate_times(std::ref(h->stepper), system{h->ode}, y, times.begin(), times.end(),
                            h->ode->first, [&](const state &now, double) {
                                if (next >= 0)
                                    std::copy(now.begin(), now.end(), points[next]);
                                next++;
                            });
}

template <class Stepper>
bool solve(void *work, const double *start, double end, int count, double (*points)[ODE_SIZE])
{
    auto *h = static_cast<handle<Stepper> *>(work);
    state y;
    std::copy(start, start + ODE_SIZE, y.begin());
    h->ode->evaluations = 0;
    reset(h->stepper);
    try {
        if (count > 1) {
            visit(h, y, end, count, points);
        } else {
            odeint::integrate_adaptive(std::ref(h->stepper), system{h->ode}, y, 0.0, end,
                                       h->ode->first);
            std::copy(y.begin(), y.end(), points[0]);
        }
    } catch (...) {
        return false;
    }
    return true;
}

} // namespace

#define ROW(name, stepper)                                                                         \
    {                                                                                              \
        (name), "Boost " BOOST_LIB_VERSION, 0, open<stepper>, solve<stepper>, close<stepper>       \
    }

extern "C" const bench_solver bench_solver_odeint[] = {
    ROW("boost_fehlberg78", fehlberg78),
    ROW("boost_bulirsch_stoer", bulirsch_stoer),
    ROW("boost_bulirsch_stoer_dense", bulirsch_stoer_dense),
    {},
};
