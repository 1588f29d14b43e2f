// bullet.cpp [MODE] - Bullet. MODE: none, explicit, implicit (in the body; the default of Bullet), or
// polhode: without Bullet's gyroscopic term, the attitude and velocity of each tick are those of
// polhode_step.h, from where the tick began, after all impulses.
#include <btBulletDynamicsCommon.h>
#include <cstring>

#include "harness.hpp"
#include "polhode_step.h"

static void copy(const btQuaternion &a, const btVector3 &v, double q[4], double w[3])
{
    q[0] = a.w(), q[1] = a.x(), q[2] = a.y(), q[3] = a.z();
    w[0] = v.x(), w[1] = v.y(), w[2] = v.z();
}

// ---- the patch: two callbacks of a world, 20 lines -------------------------------------------

static btQuaternion began; // of the only body here; an engine keeps it in the body's user pointer

static void before_tick(btDynamicsWorld *world, btScalar)
{
    began = world->getCollisionObjectArray()[0]->getWorldTransform().getRotation();
}

static void after_tick(btDynamicsWorld *world, btScalar dt)
{
    btRigidBody *body = btRigidBody::upcast(world->getCollisionObjectArray()[0]);
    const btVector3 inverse = body->getInvInertiaDiagLocal();
    const double J[3] = {1 / inverse.x(), 1 / inverse.y(), 1 / inverse.z()};
    double q[4], w[3];
    copy(began, body->getAngularVelocity(), q, w);
    polhode_step_world(q, w, J, dt);
    btTransform now = body->getWorldTransform();
    now.setRotation(btQuaternion(q[1], q[2], q[3], q[0]));
    body->setWorldTransform(now);
    body->setInterpolationWorldTransform(now);
    body->setAngularVelocity(btVector3(w[0], w[1], w[2]));
}

// ---- the engine ------------------------------------------------------------------------------

struct Bullet : Engine {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btSphereShape shape{1};
    btRigidBody body;
    btScalar h;

    Bullet(const Start &s, const char *mode)
        : body(btRigidBody::btRigidBodyConstructionInfo(1, nullptr, &shape,
                                                        btVector3(s.J[0], s.J[1], s.J[2]))),
          h(s.h)
    {
        world.setGravity(btVector3(0, 0, 0));
        body.setWorldTransform(btTransform(btQuaternion(s.q[1], s.q[2], s.q[3], s.q[0])));
        body.setAngularVelocity(btVector3(s.w[0], s.w[1], s.w[2]));
        body.setDamping(0, 0);
        body.setActivationState(DISABLE_DEACTIVATION);
        if (std::strcmp(mode, "none") == 0)
            body.setFlags(0);
        if (std::strcmp(mode, "explicit") == 0)
            body.setFlags(BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT);
        if (std::strcmp(mode, "polhode") == 0) {
            body.setFlags(0);
            world.setInternalTickCallback(before_tick, nullptr, true);
            world.setInternalTickCallback(after_tick, nullptr, false);
        }
        world.addRigidBody(&body);
    }
    ~Bullet() override
    {
        world.removeRigidBody(&body);
    }
    void step() override
    {
        world.stepSimulation(h, 0);
    }
    void state(double q[4], double w[3]) override
    {
        copy(body.getWorldTransform().getRotation(), body.getAngularVelocity(), q, w);
    }
};

int main(int argc, char **argv)
{
    return run([&](const Start &s) { return new Bullet(s, argc > 1 ? argv[1] : "implicit"); });
}
