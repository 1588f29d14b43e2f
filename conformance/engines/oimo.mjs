// oimo.mjs - Oimo.js.
import OIMO from 'oimo';
import { run } from './harness.mjs';

run(({ J, q, w, h }) => {
  const world = new OIMO.World({ timestep: h, gravity: [0, 0, 0], random: false });
  const body = world.add({ type: 'box', size: [1, 1, 1], pos: [0, 0, 0], move: true, neverSleep: true });
  body.localInertia.set(J[0], 0, 0, 0, J[1], 0, 0, 0, J[2]);
  body.inverseLocalInertia.set(1 / J[0], 0, 0, 0, 1 / J[1], 0, 0, 0, 1 / J[2]);
  body.orientation.set(q[1], q[2], q[3], q[0]);
  body.angularVelocity.set(...w);
  return {
    step: () => world.step(),
    state: () => {
      const a = body.orientation, v = body.angularVelocity;
      return { q: [a.w, a.x, a.y, a.z], w: [v.x, v.y, v.z] };
    },
  };
});
