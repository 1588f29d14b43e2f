// ammo.mjs [gyroscopic] - ammo.js, Bullet 2.82 by Emscripten, in float; with the word, with its
// explicit gyroscopic term (BT_ENABLE_GYROPSCOPIC_FORCE), which is off by default.
import { createRequire } from 'node:module';
import { run } from './harness.mjs';

const Ammo = await createRequire(import.meta.url)('ammojs-typed').call({}, {});
const configuration = new Ammo.btDefaultCollisionConfiguration();
const world = new Ammo.btDiscreteDynamicsWorld(new Ammo.btCollisionDispatcher(configuration), new Ammo.btDbvtBroadphase(),
  new Ammo.btSequentialImpulseConstraintSolver(), configuration);
world.setGravity(new Ammo.btVector3(0, 0, 0));
run(({ J, q, w, h }) => {
  const start = new Ammo.btTransform();
  start.setIdentity();
  start.setRotation(new Ammo.btQuaternion(q[1], q[2], q[3], q[0]));
  const body = new Ammo.btRigidBody(new Ammo.btRigidBodyConstructionInfo(1, new Ammo.btDefaultMotionState(start),
    new Ammo.btSphereShape(1), new Ammo.btVector3(...J)));
  if (process.argv[2] === 'gyroscopic') body.setFlags(2);
  body.setDamping(0, 0);
  body.setActivationState(4); // DISABLE_DEACTIVATION
  body.setAngularVelocity(new Ammo.btVector3(...w));
  world.addRigidBody(body);
  return {
    step: () => world.stepSimulation(h, 0),
    state: () => {
      const a = body.getWorldTransform().getRotation(), v = body.getAngularVelocity();
      return { q: [a.w(), a.x(), a.y(), a.z()], w: [v.x(), v.y(), v.z()] };
    },
    free: () => world.removeRigidBody(body),
  };
});
