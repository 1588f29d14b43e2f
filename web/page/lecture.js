// lecture.js - the views of a lecture: one body as it looks, with its arrows; and many bodies on the
// sphere of momenta.

import * as THREE from 'three';
import { Arrow, body, orbit, Path, quaternion, separatrix, vector } from './draw.js';
import { Pane, setArrow } from './pane.js';
import { inertiaOf, SHAPES, topOf } from './shapes.js';

const RADIUS = 1.25;    // of a body in its view
const STANDING = 1.6;    // and of one that turns about its end
const PATH_POINTS = 400;
const PATH_ANGLE = 25;  // radians of the turning of a body that stay drawn

// ---- shapes

const GEOMETRIES = {
  box: ({ size }) => new THREE.BoxGeometry(...size),
  ellipsoid: ({ semi, drawn }) => new THREE.SphereGeometry(1, 40, 28).scale(...(drawn ? [drawn, drawn, drawn] : semi)),
  tube: ({ r, inner, h }) => {
    if (!inner) return new THREE.CylinderGeometry(r, r, h, 56);
    const half = h / 2;
    return new THREE.LatheGeometry([[inner, -half], [r, -half], [r, half], [inner, half], [inner, -half]].map(([x, y]) => new THREE.Vector2(x, y)), 56);
  },
  cone: ({ r, h }) => (h < 0 ? new THREE.ConeGeometry(r, -h, 32).rotateX(Math.PI) : new THREE.ConeGeometry(r, h, 32)),
  ring: ({ R, r }) => new THREE.TorusGeometry(R, r, 16, 72).rotateX(Math.PI / 2),
};

// A part with its axis, which geometries have along y, in its place.
function geometryOf(part) {
  const geometry = GEOMETRIES[part.solid](part);
  if (part.axis === 0) geometry.rotateZ(-Math.PI / 2);
  if (part.axis === 2) geometry.rotateX(Math.PI / 2);
  if (part.across) geometry.scale(Math.min(1, 1 / part.across), Math.min(1, part.across), 1); // an ellipse
  return geometry.translate(...(part.at ?? [0, 0, 0]));
}

// { spinning, still, scale, centre }: the groups of a shape about the point it turns about.
function drawnShape(shape, theme) {
  const colors = { red: theme.faces[0], blue: theme.faces[4], yellow: theme.momentum, pale: theme.pale, dark: theme.dark, stone: theme.stone };
  const { centre } = inertiaOf(shape);
  const about = shape.pivot ? [0, 0, 0] : centre;
  const groups = { spinning: new THREE.Group(), still: new THREE.Group() };
  let radius = 0;
  for (const part of shape.parts) {
    const geometry = geometryOf(part).translate(...about.map((x) => -x));
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox;
    radius = Math.max(radius, new THREE.Vector3().subVectors(max, min).length() / 2 * 0.75, max.length() * 0.85, min.length() * 0.85);
    groups[part.still ? 'still' : 'spinning'].add(new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({
      color: colors[part.color], roughness: 0.55, transparent: part.see !== undefined, opacity: part.see ?? 1 })));
  }
  const scale = (shape.pivot ? STANDING : RADIUS) / radius;
  groups.spinning.scale.setScalar(scale);
  groups.still.scale.setScalar(scale);
  return { ...groups, scale, tip: new THREE.Vector3(...shape.tip.map((x, k) => (x - about[k]) * scale)), middle: centre[2] * scale };
}

// The true anomaly, and the perigee, at a time.
function orbitAngle(parameters, time) {
  const value = (name) => parameters.find((one) => one.name === name)?.default[0] ?? 0;
  const e = value('eccentricity');
  const M = value('anomaly') + Math.sqrt(value('mu') / value('semi_major_axis') ** 3) * time;
  let E = M;
  for (let i = 0; i < 20; i++) E -= (E - e * Math.sin(E) - M) / (1 - e * Math.cos(E));
  return value('perigee') + value('node') + Math.atan2(Math.sqrt(1 - e * e) * Math.sin(E), Math.cos(E) - e);
}

// ---- one body
export class LecturePane extends Pane {
  constructor(facts, view, theme) {
    const preset = view.preset ?? {};
    const centre = facts.parameters.find(({ name }) => name === 'centre')?.default;
    const standing = centre !== undefined && Math.hypot(...centre) > 0;
    const upright = standing && centre[0] === 0 && centre[1] === 0 && centre[2] > 0; // along the third axis
    const shape = view.mesh ? null : SHAPES[preset.shape] ?? (upright ? topOf(facts.moments) : null);
    const title = preset.title ?? facts.problem;
    super(title, preset.camera ?? (standing ? { from: [3.4, -2.4, 1.9], target: [0, 0, 0.5] }
      : preset.orbit === 'frame' ? { from: [1.6, -5.2, 1.5], target: [0, 0, 0.1] } : { from: [3.1, -2.6, 1.7] }));
    this.heading.remove(); // the caption says it
    this.facts = facts;
    this.orbit = preset.orbit;
    const at = (name) => facts.layout.fields.find((field) => field.name === name).first;
    this.at = { q: at('attitude'), m: at('momentum'), w: at('velocity'), trail: facts.layout.energy - 1 };
    this.world = new THREE.Group();
    this.scene.add(this.world);
    this.turning = new THREE.Group();
    this.still = new THREE.Group();
    this.world.add(this.turning, this.still);
    this.makeBody(facts, view, theme, shape, standing ? new THREE.Vector3(...centre) : null);
    this.momentum = new Arrow(this.world, theme.momentum, 0.026);
    this.velocity = new Arrow(this.world, theme.velocity, 0.026);
    this.gravity = standing || this.orbit ? new Arrow(this.scene, theme.gravity, 0.026) : null;
    this.startMomentum = vector(facts.start, this.at.m).length() || 1;
    this.startVelocity = 1.15 * vector(facts.start, this.at.w).length() || 1;
    this.path = new Path(this.orbit === 'frame' ? this.scene : this.world, theme.methods[0], 2.4, { opacity: 0.85 });
    this.pathPoints = Math.round(Math.min(PATH_POINTS, Math.max(40, PATH_ANGLE / (this.startVelocity * Math.abs(view.step)))));
    if (standing) this.makeStand(theme, 0.45);
    if (this.orbit === 'frame') this.makeEarth(theme);
    this.legend([['angular momentum', theme.momentum], ['angular velocity', theme.velocity], ...(this.gravity ? [[this.orbit ? 'towards the planet' : 'gravity', theme.gravity]] : []),
      ['path of its tip', theme.methods[0]]]);
  }

  makeBody(facts, view, theme, shape, centre) {
    if (shape) {
      const drawn = drawnShape(shape, theme);
      this.turning.add(drawn.spinning);
      this.still.add(drawn.still);
      this.tip = drawn.tip;
      this.middle = new THREE.Vector3(0, 0, shape.pivot ? drawn.middle : 0);
      this.solid = drawn.spinning.children[0].geometry;
      return;
    }
    const drawn = body(facts.moments, view.shape, view.mesh, theme, centre ? 1.3 : 2.1);
    const lift = new THREE.Vector3();
    if (centre) lift.copy(centre).multiplyScalar(Math.hypot(...centre.toArray().map((c, k) => c * drawn.sizes[k] / 2)) / centre.lengthSq());
    drawn.group.position.copy(lift);
    this.turning.add(drawn.group);
    this.tip = new THREE.Vector3(0, 0, 1).multiplyScalar(lift.length() + drawn.sizes[2] / 2 + 0.25);
    this.middle = lift;
    this.solid = view.mesh ?? new THREE.BoxGeometry(...drawn.sizes).translate(...lift.toArray());
  }

  makeStand(theme, height) {
    const metal = new THREE.MeshStandardMaterial({ color: theme.muted, roughness: 0.6 });
    const foot = new THREE.Mesh(new THREE.ConeGeometry(0.12, height, 28), metal);
    foot.rotation.x = Math.PI / 2;
    foot.position.z = -height / 2;
    const floor = new THREE.Mesh(new THREE.CylinderGeometry(0.75, 0.75, 0.03, 60), new THREE.MeshStandardMaterial({ color: theme.plane }));
    floor.rotation.x = Math.PI / 2;
    floor.position.z = -height - 0.015;
    this.scene.add(foot, floor);
  }

  makeEarth(theme) {
    const earth = new THREE.Mesh(new THREE.SphereGeometry(9, 96, 64), new THREE.MeshStandardMaterial({ color: theme.faces[5], roughness: 0.9 }));
    earth.position.z = -10.6;
    this.scene.add(earth);
  }

  // The body over the rows of its motion, for a scene in a file.
  nodes(rows) {
    const rotations = new Float32Array(4 * rows.length);
    rows.forEach((row, i) => rotations.set(quaternion(row, this.at.q).toArray(), 4 * i));
    return [{ name: 'body', geometry: this.solid, rotations }];
  }

  // From space to the frame of the orbit, with the planet below and the flight to the right.
  orbitFrame(time) {
    return new THREE.Quaternion(-0.5, -0.5, -0.5, 0.5) // x, away from the planet, up; y, the flight, to the right
      .multiply(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0, 1), -orbitAngle(this.facts.parameters, time)));
  }

  show(frame) {
    const { row, trail, trailTimes: [from, to] = [0, 0], failure } = frame.views[0];
    const q = quaternion(row, this.at.q);
    this.turning.quaternion.copy(q);
    const axis = new THREE.Vector3(0, 0, 1).applyQuaternion(q);
    this.still.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
    setArrow(this.momentum, vector(row, this.at.m), this.startMomentum, q);
    setArrow(this.velocity, vector(row, this.at.w), this.startVelocity, q);
    this.world.quaternion.identity();
    if (this.orbit === 'frame') this.world.quaternion.copy(this.orbitFrame(frame.time));
    const down = new THREE.Vector3(0, 0, -0.7);
    if (this.orbit === 'space') {
      const angle = orbitAngle(this.facts.parameters, frame.time);
      down.set(-Math.cos(angle), -Math.sin(angle), 0).multiplyScalar(1.6);
    } else if (this.orbit) down.setLength(1.5);
    this.gravity?.set(down, this.middle.clone().applyQuaternion(q));
    const points = [];
    const { at } = this;
    const all = trail.length / at.trail;
    for (let k = Math.max(0, all - this.pathPoints); k < all; k++) {
      const tip = this.tip.clone().applyQuaternion(quaternion(trail, k * at.trail + at.q - 1));
      if (this.orbit === 'frame') tip.applyQuaternion(this.orbitFrame(from + (to - from) * k / Math.max(1, all - 1)));
      points.push(tip.x, tip.y, tip.z);
    }
    this.path.set(points);
    this.failed(failure);
  }
}

// ---- many bodies: their momenta as directions in the body, and the mean of them
export class MomentumPane extends Pane {
  constructor(facts, theme) {
    super('momenta', { from: [2.6, 2.9, 1.7] });
    this.heading.remove();
    const J = facts.moments;
    this.scene.add(new THREE.Mesh(new THREE.SphereGeometry(1.27, 72, 48), new THREE.MeshStandardMaterial({ color: theme.sphere, roughness: 0.9 })));
    const curve = (points, color, width, opacity) => { // of velocities, as directions of momenta
      const place = new THREE.Vector3();
      const on = [];
      for (let i = 0; i < points.length; i += 3) {
        place.set(points[i] * J[0], points[i + 1] * J[1], points[i + 2] * J[2]).setLength(1.28);
        on.push(place.x, place.y, place.z);
      }
      new Path(this.scene, color, width, { opacity }).set(on);
    };
    const sorted = [...J].sort((a, b) => a - b);
    for (const part of [0.15, 0.4, 0.7, 0.9]) {
      for (const from of [sorted[0], sorted[2]]) {
        if (from === sorted[1]) continue;
        for (const points of orbit(J, 1, from + (sorted[1] - from) * part)) curve(points, theme.muted, 1.2, 0.8);
      }
    }
    for (const points of separatrix(J, 1)) curve(points, theme.ink, 1.8, 0.9);
    this.dots = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: theme.methods[0], size: 2.6, sizeAttenuation: false }));
    this.dots.frustumCulled = false;
    this.scene.add(this.dots);
    this.mean = new Arrow(this.scene, theme.momentum, 0.03);
    this.legend([['one body each', theme.methods[0]], ['their mean', theme.momentum], ['separatrix', theme.ink]]);
  }

  show({ momenta }) {
    const points = momenta.map((x) => 1.29 * x);
    const sum = new THREE.Vector3();
    for (let i = 0; i < momenta.length; i += 3) sum.add(vector(momenta, i));
    this.dots.geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
    this.mean.set(sum.multiplyScalar(3 * 1.75 / momenta.length));
  }
}
