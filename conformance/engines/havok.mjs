// havok.mjs - Havok, as Babylon.js ships it (MIT licence). The moments given are for a mass of 1.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import HavokPhysics from '@babylonjs/havok';
import { run } from './harness.mjs';

const folder = createRequire(import.meta.url).resolve('@babylonjs/havok').replace(/lib\/.*/, 'lib/esm/');
const hk = await HavokPhysics({ wasmBinary: readFileSync(folder + 'HavokPhysics.wasm') });
run(({ J, q, w, h }) => {
  const world = hk.HP_World_Create()[1], body = hk.HP_Body_Create()[1];
  hk.HP_World_SetGravity(world, [0, 0, 0]);
  hk.HP_World_SetIdealStepTime(world, h);
  hk.HP_World_SetSpeedLimit(world, 1e6, 1e6);
  hk.HP_Body_SetMotionType(body, hk.MotionType.DYNAMIC);
  hk.HP_Body_SetMassProperties(body, [[0, 0, 0], 1, J, [0, 0, 0, 1]]);
  hk.HP_Body_SetAngularDamping(body, 0);
  hk.HP_Body_SetQTransform(body, [[0, 0, 0], [q[1], q[2], q[3], q[0]]]);
  hk.HP_World_AddBody(world, body, false);
  hk.HP_Body_SetActivationControl(body, hk.ActivationControl.ALWAYS_ACTIVE);
  hk.HP_Body_SetAngularVelocity(body, w);
  return {
    step: () => hk.HP_World_Step(world, h),
    state: () => {
      const a = hk.HP_Body_GetOrientation(body)[1];
      return { q: [a[3], a[0], a[1], a[2]], w: hk.HP_Body_GetAngularVelocity(body)[1] };
    },
    free: () => { hk.HP_World_RemoveBody(world, body); hk.HP_Body_Release(body); hk.HP_World_Release(world); },
  };
});
