// bullet.cpp [MODE] - Bullet. MODE: none, explicit, implicit (in the body; the default of Bullet), or
// polhode: without Bullet's gyroscopic term, the attitude and velocity of each tick are those of
// polhode_step.h, from where the tick began, after all impulses.
#include <cstring>

#include "bullet_step.hpp"
#include "harness.hpp"

struct Bullet : Engine {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btSphereShape shape{1};
    btRigidBody body;
    polhode_attitudes began;
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
            polhode_exact(body);
            polhode_attach(world, began);
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
        const btQuaternion a = body.getWorldTransform().getRotation();
        const btVector3 v = body.getAngularVelocity();
        q[0] = a.w(), q[1] = a.x(), q[2] = a.y(), q[3] = a.z();
        w[0] = v.x(), w[1] = v.y(), w[2] = v.z();
    }
};

int main(int argc, char **argv)
{
    return run([&](const Start &s) { return new Bullet(s, argc > 1 ? argv[1] : "implicit"); });
}
