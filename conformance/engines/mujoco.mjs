// mujoco.mjs INTEGRATOR - MuJoCo's own build: Euler (its default), implicitfast, implicit, RK4. The
// velocity of a free joint is in the body.
import loadMujoco from '@mujoco/mujoco';
import { run } from './harness.mjs';

const mujoco = await loadMujoco();
const integrator = process.argv[2] ?? 'Euler';
const rotate = (q, v, sign) => { // as in the harness: states go there in space
  const [x, y, z] = q.slice(1).map((c) => sign * c), t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + q[0] * t[0] + y * t[2] - z * t[1], v[1] + q[0] * t[1] + z * t[0] - x * t[2], v[2] + q[0] * t[2] + x * t[1] - y * t[0]];
};
run(({ J, q, w, h }) => {
  const model = mujoco.MjModel.from_xml_string(`<mujoco><compiler balanceinertia="false" boundinertia="0"/>
    <option gravity="0 0 0" timestep="${h}" integrator="${integrator}"><flag contact="disable"/></option>
    <worldbody><body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="${J.join(' ')}"/>
    </body></worldbody></mujoco>`);
  const data = new mujoco.MjData(model);
  data.qpos.set([0, 0, 0, ...q]);
  data.qvel.set([0, 0, 0, ...rotate(q, w, -1)]);
  return {
    step: () => mujoco.mj_step(model, data),
    state: () => {
      const a = [...data.qpos.slice(3, 7)];
      return { q: a, w: rotate(a, [...data.qvel.slice(3, 6)], 1) };
    },
    free: () => { data.delete(); model.delete(); },
  };
});
