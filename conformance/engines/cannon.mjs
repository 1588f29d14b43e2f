// cannon.mjs - cannon-es.
import * as CANNON from 'cannon-es';
import { run } from './harness.mjs';

run(({ J, q, w, h }) => {
  const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) });
  const body = new CANNON.Body({ mass: 1, angularDamping: 0, linearDamping: 0, allowSleep: false });
  world.addBody(body);
  body.inertia.set(...J);
  body.invInertia.set(...J.map((x) => 1 / x));
  body.quaternion.set(q[1], q[2], q[3], q[0]);
  body.angularVelocity.set(...w);
  body.updateInertiaWorld(true);
  return {
    step: () => world.step(h),
    state: () => {
      const a = body.quaternion, v = body.angularVelocity;
      return { q: [a.w, a.x, a.y, a.z], w: [v.x, v.y, v.z] };
    },
  };
});
