// rapier.mjs - Rapier. Moments are "additional mass properties" of a body without shapes.
import RAPIER from '@dimforge/rapier3d-compat';
import { run } from './harness.mjs';

await RAPIER.init();
const none = { x: 0, y: 0, z: 0 };
const vector = ([x, y, z]) => ({ x, y, z });
run(({ J, q, w, h }) => {
  const world = new RAPIER.World(none);
  world.timestep = h;
  const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setCanSleep(false)
    .setAdditionalMassProperties(1, none, vector(J), { x: 0, y: 0, z: 0, w: 1 })
    .setRotation({ x: q[1], y: q[2], z: q[3], w: q[0] }).setAngvel(vector(w)));
  return {
    step: () => world.step(),
    state: () => {
      const a = body.rotation(), v = body.angvel();
      return { q: [a.w, a.x, a.y, a.z], w: [v.x, v.y, v.z] };
    },
    free: () => world.free(),
  };
});
