// jolt.mjs [gyroscopic] - Jolt; with the word, with the gyroscopic term, which is off by default.
import initJolt from 'jolt-physics';
import { run } from './harness.mjs';

const Jolt = await initJolt();
const gyroscopic = process.argv[2] === 'gyroscopic';
const settings = new Jolt.JoltSettings();
const objects = new Jolt.ObjectLayerPairFilterTable(1);
const layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
const layer = new Jolt.BroadPhaseLayer(0);
layers.MapObjectToBroadPhaseLayer(0, layer);
settings.mObjectLayerPairFilter = objects;
settings.mBroadPhaseLayerInterface = layers;
settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, objects, 1);
const jolt = new Jolt.JoltInterface(settings), system = jolt.GetPhysicsSystem(), bodies = system.GetBodyInterface();
system.SetGravity(new Jolt.Vec3(0, 0, 0));
const shape = new Jolt.SphereShape(1);

run(({ J, q, w, h }) => {
  const made = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(0, 0, 0), new Jolt.Quat(q[1], q[2], q[3], q[0]),
    Jolt.EMotionType_Dynamic, 0);
  made.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
  made.mMassPropertiesOverride.mMass = 1;
  made.mMassPropertiesOverride.mInertia = Jolt.Mat44.prototype.sScaleVec3(new Jolt.Vec3(...J));
  made.mApplyGyroscopicForce = gyroscopic;
  made.mAngularDamping = 0;
  made.mMaxAngularVelocity = 1e6;
  made.mAllowSleeping = false;
  made.mAngularVelocity = new Jolt.Vec3(...w);
  const body = bodies.CreateBody(made), id = body.GetID();
  bodies.AddBody(id, Jolt.EActivation_Activate);
  return {
    step: () => jolt.Step(h, 1),
    state: () => {
      const a = body.GetRotation(), v = body.GetAngularVelocity();
      return { q: [a.GetW(), a.GetX(), a.GetY(), a.GetZ()], w: [v.GetX(), v.GetY(), v.GetZ()] };
    },
    free: () => { bodies.RemoveBody(id); bodies.DestroyBody(id); },
  };
});
