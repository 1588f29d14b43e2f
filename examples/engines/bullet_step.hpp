// bullet_step.hpp - the exact rotation step for all bodies of a Bullet world, as two callbacks.
//
//     polhode_attitudes began;            // lives as long as the world
//     polhode_attach(world, began);       // once; the world's user pointer becomes &began
//     polhode_exact(body);                // for each body that is to turn exactly
//
// Bullet solves contacts and joints as before, with the velocities and the attitudes at the beginning of
// a tick. Then it moves the attitudes; after_tick() puts the exact ones in their place.
#pragma once
#include <btBulletDynamicsCommon.h>
#include <vector>

#include "polhode_step.h"

// The attitude of each object of the world at the beginning of the tick.
typedef std::vector<btQuaternion> polhode_attitudes;

// Switches off Bullet's gyroscopic term, which the step contains.
inline void polhode_exact(btRigidBody &body)
{
    body.setFlags(body.getFlags() & ~(BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT |
                                      BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD |
                                      BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY));
}

// Whether the step moves it: not what is static, kinematic or asleep, nor a body with Bullet's own
// gyroscopic term. A body that is locked about an axis of space keeps Bullet's rotation.
inline bool polhode_moves(const btRigidBody *body)
{
    const int gyroscopic = BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT |
                           BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD |
                           BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY;
    return body != nullptr && !body->isStaticOrKinematicObject() && body->isActive() &&
           (body->getFlags() & gyroscopic) == 0 && body->getAngularFactor() == btVector3(1, 1, 1);
}

inline void polhode_before_tick(btDynamicsWorld *world, btScalar)
{
    polhode_attitudes &began = *static_cast<polhode_attitudes *>(world->getWorldUserInfo());
    const btCollisionObjectArray &objects = world->getCollisionObjectArray();
    began.resize(static_cast<size_t>(objects.size()));
    for (int i = 0; i < objects.size(); i++)
        began[static_cast<size_t>(i)] = objects[i]->getWorldTransform().getRotation();
}

inline void polhode_after_tick(btDynamicsWorld *world, btScalar dt)
{
    const polhode_attitudes &began = *static_cast<polhode_attitudes *>(world->getWorldUserInfo());
    const btCollisionObjectArray &objects = world->getCollisionObjectArray();
    for (int i = 0; i < objects.size(); i++) {
        btRigidBody *body = btRigidBody::upcast(objects[i]);
        if (!polhode_moves(body))
            continue;
        const btVector3 inverse = body->getInvInertiaDiagLocal(), v = body->getAngularVelocity();
        const btQuaternion &a = began[static_cast<size_t>(i)];
        const double J[3] = {1.0 / inverse.x(), 1.0 / inverse.y(), 1.0 / inverse.z()};
        double q[4] = {a.w(), a.x(), a.y(), a.z()}, w[3] = {v.x(), v.y(), v.z()};
        polhode_step_world(q, w, J, dt);
        btTransform now = body->getWorldTransform();
        now.setRotation(
            btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])));
        body->setAngularVelocity(btVector3(btScalar(w[0]), btScalar(w[1]), btScalar(w[2])));
        // Not setWorldTransform(): that would leave the inverse inertia of the old attitude to the contacts.
        body->setCenterOfMassTransform(now);
    }
}

inline void polhode_attach(btDynamicsWorld &world, polhode_attitudes &began)
{
    world.setInternalTickCallback(polhode_before_tick, &began, true);
    world.setInternalTickCallback(polhode_after_tick, &began, false);
}
