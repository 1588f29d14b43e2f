// ode.cpp [MODE] - Open Dynamics Engine, in double. MODE: none, gyroscopic (the default of ODE), or
// polhode: without ODE's gyroscopic term, each step's rotation is that of polhode_step.h.
#include <cstring>
#include <ode/ode.h>

#include "harness.hpp"
#include "polhode_step.h"

// ---- the patch: a body's callback, 15 lines ---------------------------------------------------

struct Moved {
    double q[4], J[3], h; // where the step began
};

static void moved(dBodyID body)
{
    Moved *m = static_cast<Moved *>(dBodyGetData(body));
    const dReal *v = dBodyGetAngularVel(body);
    double w[3] = {v[0], v[1], v[2]};
    polhode_step_world(m->q, w, m->J, m->h);
    const dQuaternion q = {m->q[0], m->q[1], m->q[2], m->q[3]};
    dBodySetQuaternion(body, q);
    dBodySetAngularVel(body, w[0], w[1], w[2]);
}

// ---- the engine -------------------------------------------------------------------------------

struct Ode : Engine {
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    Moved data;

    Ode(const Start &s, const char *mode)
    {
        dMass mass;
        dMassSetParameters(&mass, 1, 0, 0, 0, s.J[0], s.J[1], s.J[2], 0, 0, 0);
        dBodySetMass(body, &mass);
        const dQuaternion q = {s.q[0], s.q[1], s.q[2], s.q[3]};
        dBodySetQuaternion(body, q);
        dBodySetAngularVel(body, s.w[0], s.w[1], s.w[2]);
        dBodySetGyroscopicMode(body, std::strcmp(mode, "gyroscopic") == 0);
        std::memcpy(data.q, s.q, sizeof data.q);
        std::memcpy(data.J, s.J, sizeof data.J);
        data.h = s.h;
        if (std::strcmp(mode, "polhode") == 0) {
            dBodySetData(body, &data);
            dBodySetMovedCallback(body, moved);
        }
    }
    ~Ode() override
    {
        dWorldDestroy(world);
    }
    void step() override
    {
        dWorldStep(world, data.h);
    }
    void state(double q[4], double w[3]) override
    {
        const dReal *a = dBodyGetQuaternion(body), *v = dBodyGetAngularVel(body);
        for (int i = 0; i < 4; i++)
            q[i] = a[i];
        for (int i = 0; i < 3; i++)
            w[i] = v[i];
    }
};

int main(int argc, char **argv)
{
    dInitODE();
    const int status =
        run([&](const Start &s) { return new Ode(s, argc > 1 ? argv[1] : "gyroscopic"); });
    dCloseODE();
    return status;
}
