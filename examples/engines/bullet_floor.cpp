// bullet_floor.cpp - many bodies that turn exactly in Bullet: bricks that fall on a floor, and one that
// tumbles above them. The program checks its own result.
//
//     g++ -std=c++17 -Iinclude examples/engines/bullet_floor.cpp -o floor $(pkg-config --cflags --libs bullet)
#include <cmath>
#include <cstdio>
#include <memory>

#include "bullet_step.hpp"

static int failures;

// The larger of two numbers, or NaN if one is NaN.
static double larger(double a, double b)
{
    return b > a || b != b ? b : a;
}

static void check(bool good, const char *what, double value)
{
    std::printf("%-64s %.2e%s\n", what, value, good ? "" : "  WRONG");
    failures += !good;
}

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btBoxShape ground{btVector3(50, 1, 50)}, box{btVector3(0.1f, 0.2f, 0.4f)};
    polhode_attitudes began;
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    World()
    {
        world.setGravity(btVector3(0, btScalar(-9.81), 0));
        polhode_attach(world, began);
    }
    ~World()
    {
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }
    btRigidBody &add(btScalar mass, btCollisionShape &shape, const btVector3 &place,
                     const btVector3 &spin)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
            shape.calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
        info.m_startWorldTransform = btTransform(btQuaternion(0, 0, 0, 1), place);
        info.m_restitution = btScalar(0.3);
        info.m_friction = btScalar(0.5);
        bodies.emplace_back(new btRigidBody(info));
        btRigidBody &body = *bodies.back();
        body.setAngularVelocity(spin);
        body.setDamping(0, 0);
        polhode_exact(body);
        world.addRigidBody(&body);
        return body;
    }
};

// The largest element of R diag(1/J) R^T minus what contacts use for it.
static double inertia_error(const btRigidBody &body)
{
    const btMatrix3x3 R = body.getWorldTransform().getBasis();
    const btMatrix3x3 right = R.scaled(body.getInvInertiaDiagLocal()) * R.transpose();
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            worst = larger(worst, std::fabs(right[i][k] - body.getInvInertiaTensorWorld()[i][k]));
    return worst / body.getInvInertiaDiagLocal().length();
}

static double energy(const btRigidBody &body)
{
    const btVector3 w = body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity();
    const btVector3 J(1 / body.getInvInertiaDiagLocal().x(), 1 / body.getInvInertiaDiagLocal().y(),
                      1 / body.getInvInertiaDiagLocal().z());
    return 0.5 * (w * w).dot(J) + 0.5 * body.getLinearVelocity().length2() / body.getInvMass() +
           9.81 * body.getCenterOfMassPosition().y() / body.getInvMass();
}

int main()
{
    const btScalar dt = btScalar(1) / 60;
    World w;
    w.add(0, w.ground, btVector3(0, -1, 0), btVector3(0, 0, 0)); // static
    for (int i = 0; i < 40; i++)
        w.add(1, w.box, btVector3(btScalar(1.5 * (i % 8)), btScalar(1 + 0.9 * (i / 8)), 0),
              btVector3(btScalar(0.1 * i), 6, btScalar(0.01 * i)));
    btRigidBody &flying =
        w.add(1, w.box, btVector3(0, 400, 20), btVector3(btScalar(0.1), 9, btScalar(0.2)));
    const btVector3 inverse = flying.getInvInertiaDiagLocal();
    const double J[3] = {1.0 / inverse.x(), 1.0 / inverse.y(), 1.0 / inverse.z()};
    double q[4] = {1, 0, 0, 0}, v[3] = {btScalar(0.1), 9, btScalar(0.2)};
    double inertia = 0, gained = 0, deepest = 0, before = 0;
    for (const auto &body : w.bodies)
        before += body->isStaticObject() ? 0 : energy(*body);
    for (int step = 0; step < 480; step++) {
        w.world.stepSimulation(dt, 0);
        polhode_step_world(q, v, J, dt);
        double now = 0;
        for (const auto &body : w.bodies) {
            if (body->isStaticObject())
                continue;
            now += energy(*body);
            inertia = larger(inertia, inertia_error(*body));
        }
        gained = larger(gained, now / before - 1);
    }
    const btQuaternion a = flying.getWorldTransform().getRotation();
    const double d[4] = {a.w(), a.x(), a.y(), a.z()},
                 along = q[0] * d[0] + q[1] * d[1] + q[2] * d[2] + q[3] * d[3];
    const double angle = 2 * std::acos(std::fabs(along) < 1 ? std::fabs(along) : 1);
    check(angle < 0.01, "attitude of the free brick after 8 s, error (rad)", angle);
    check(inertia < 1e-5, "inverse inertia that contacts use, error", inertia);
    check(gained < 1e-3, "energy gained, relative", gained);
    double fastest = 0;
    int asleep = 0;
    for (const auto &body : w.bodies)
        if (!body->isStaticObject() && body.get() != &flying) {
            fastest = larger(fastest, body->getAngularVelocity().length());
            deepest = larger(deepest, 0.1 - body->getCenterOfMassPosition().y());
            asleep += !body->isActive();
        }
    check(deepest < 0.02, "depth of the bricks in the floor", deepest);
    check(fastest < 0.5, "angular velocity of the bricks on the floor", fastest);
    check(asleep > 20, "bricks that sleep, of 40", asleep);
    return failures > 0;
}
