// dart.cpp - DART, a free joint under its semi-implicit Euler step.
#include <dart/dart.hpp>

#include "harness.hpp"

struct Dart : Engine {
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    dart::dynamics::BodyNode *body;

    explicit Dart(const Start &s)
    {
        auto skeleton = dart::dynamics::Skeleton::create();
        auto made = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
        body = made.second;
        body->setInertia(dart::dynamics::Inertia(
            1, Eigen::Vector3d::Zero(),
            Eigen::Vector3d(s.J[0], s.J[1], s.J[2]).asDiagonal().toDenseMatrix()));
        Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
        at.linear() = Eigen::Quaterniond(s.q[0], s.q[1], s.q[2], s.q[3]).toRotationMatrix();
        made.first->setTransform(at);
        made.first->setAngularVelocity(Eigen::Vector3d(s.w[0], s.w[1], s.w[2]));
        world->setGravity(Eigen::Vector3d::Zero());
        world->setTimeStep(s.h);
        world->addSkeleton(skeleton);
    }
    void step() override
    {
        world->step();
    }
    void state(double q[4], double w[3]) override
    {
        const Eigen::Quaterniond a(body->getWorldTransform().linear());
        const Eigen::Vector3d v = body->getAngularVelocity();
        q[0] = a.w(), q[1] = a.x(), q[2] = a.y(), q[3] = a.z();
        w[0] = v[0], w[1] = v[1], w[2] = v[2];
    }
};

int main()
{
    return run([](const Start &s) { return new Dart(s); });
}
