// physx.mjs [gyroscopic] - PhysX 5 by Emscripten; with the word, with the gyroscopic term. The build is
// for browsers: it looks for their objects.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { run } from './harness.mjs';

globalThis.window = globalThis;
const { default: loadPhysX } = await import('physx-js-webidl');
const binary = createRequire(import.meta.url).resolve('physx-js-webidl').replace(/mjs$/, 'wasm');
const P = await loadPhysX({ wasmBinary: readFileSync(binary) });
const foundation = P.CreateFoundation(P.PHYSICS_VERSION, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback());
const tolerances = new P.PxTolerancesScale(), physics = P.CreatePhysics(P.PHYSICS_VERSION, foundation, tolerances);
run(({ J, q, w, h }) => {
  const about = new P.PxSceneDesc(tolerances);
  about.set_gravity(new P.PxVec3(0, 0, 0));
  about.set_cpuDispatcher(P.DefaultCpuDispatcherCreate(0));
  about.set_filterShader(P.DefaultFilterShader());
  const scene = physics.createScene(about);
  const body = physics.createRigidDynamic(new P.PxTransform(new P.PxVec3(0, 0, 0),
    new P.PxQuat(q[1], q[2], q[3], q[0])));
  body.setMass(1);
  body.setMassSpaceInertiaTensor(new P.PxVec3(...J));
  body.setAngularDamping(0);
  body.setMaxAngularVelocity(1e6);
  body.setSleepThreshold(0);
  if (process.argv[2] === 'gyroscopic')
    body.setRigidBodyFlag(P.PxRigidBodyFlagEnum.eENABLE_GYROSCOPIC_FORCES, true);
  scene.addActor(body);
  body.setAngularVelocity(new P.PxVec3(...w));
  return {
    step: () => { scene.simulate(h); scene.fetchResults(true); },
    state: () => {
      const a = body.getGlobalPose().q, v = body.getAngularVelocity();
      return { q: [a.w, a.x, a.y, a.z], w: [v.x, v.y, v.z] };
    },
    free: () => scene.release(),
  };
});
