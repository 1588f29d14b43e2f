// simbody.cpp ACCURACY - Simbody's Runge-Kutta-Merson; its default accuracy is 1e-3.
#include <Simbody.h>
#include <cstdlib>

#include "harness.hpp"

using namespace SimTK;

struct Simbody : Engine {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    MobilizedBody::Ball body;
    RungeKuttaMersonIntegrator integrator;
    double t = 0, h;

    Simbody(const Start &s, double accuracy)
        : body(matter.Ground(), Transform(),
               Body::Rigid(MassProperties(1, Vec3(0), Inertia(s.J[0], s.J[1], s.J[2]))),
               Transform()),
          integrator(system), h(s.h)
    {
        State state = system.realizeTopology();
        body.setQToFitRotation(state, Rotation(Quaternion(Vec4(s.q[0], s.q[1], s.q[2], s.q[3]))));
        body.setUToFitAngularVelocity(state, Vec3(s.w[0], s.w[1], s.w[2]));
        integrator.setAccuracy(accuracy);
        integrator.initialize(state);
    }
    void step() override
    {
        integrator.stepTo(t += h);
    }
    void state(double q[4], double w[3]) override
    {
        const State &now = integrator.getState();
        system.realize(now, Stage::Velocity);
        const Quaternion a = body.getBodyRotation(now).convertRotationToQuaternion();
        const Vec3 v = body.getBodyAngularVelocity(now);
        for (int i = 0; i < 4; i++)
            q[i] = a[i];
        for (int i = 0; i < 3; i++)
            w[i] = v[i];
    }
};

int main(int argc, char **argv)
{
    return run(
        [&](const Start &s) { return new Simbody(s, argc > 1 ? std::atof(argv[1]) : 1e-3); });
}
