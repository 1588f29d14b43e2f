// lecture.js - the views of a lecture: one body as it looks, with its arrows; and many bodies on the
// sphere of momenta.

import * as THREE from 'three';
import { Arrow, body, label, orbit, Path, quaternion, segments, separatrix, smooth, vector } from './draw.js';
import { ARROW, Pane, setArrow } from './pane.js';
import { inertiaOf, SHAPES, topOf, unstableAxis } from './shapes.js';

const RADIUS = 1.3;        // of a body in its view
const STANDING = 1.5;      // and of one that turns about its end
const TO_WALL = 1.25;      // from the middle of a body to the tip that meets a wall
const PATH_ANGLE = 25;     // radians of the turning of a free body that stay drawn
const PATH_PART = 1 / 6;   // and of the time line of another body
const PATH_CHORD = 0.02;   // of a smooth path: some pixels

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

// The largest distance of the corners of a geometry from the origin, and along each axis.
function reachOf(geometry) {
  const position = geometry.getAttribute('position');
  const corner = new THREE.Vector3();
  const reach = [0, 0, 0, 0];
  for (let i = 0; i < position.count; i++) {
    corner.fromBufferAttribute(position, i);
    [...corner.toArray(), corner.length()].forEach((x, k) => { reach[k] = Math.max(reach[k], Math.abs(x)); });
  }
  return reach;
}

// { spinning, still, tip, middle, reach }: the groups of a shape about the point it turns about, and how far they
// reach along each axis and at all.
function drawnShape(shape, theme) {
  const colors = { red: theme.faces[0], blue: theme.faces[4], yellow: theme.momentum, pale: theme.pale, dark: theme.dark, stone: theme.stone };
  const { centre } = inertiaOf(shape);
  const about = shape.pivot ? [0, 0, 0] : centre;
  const groups = { spinning: new THREE.Group(), still: new THREE.Group() };
  let reach = [0, 0, 0, 0];
  for (const part of shape.parts) {
    const geometry = geometryOf(part).translate(...about.map((x) => -x));
    const own = reachOf(geometry);
    reach = reach.map((x, k) => (part.still && k < 3 ? x : Math.max(x, own[k])));
    groups[part.still ? 'still' : 'spinning'].add(new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({
      color: colors[part.color], roughness: 0.55, transparent: part.see !== undefined, opacity: part.see ?? 1 })));
  }
  const scale = (shape.pivot ? STANDING : RADIUS) / reach[3];
  groups.spinning.scale.setScalar(scale);
  groups.still.scale.setScalar(scale);
  return { ...groups, reach: reach.map((x) => x * scale), tip: new THREE.Vector3(...shape.tip.map((x, k) => (x - about[k]) * scale)), middle: centre[2] * scale };
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

// Where the planet of a preset is, and how large: below, or about the body once in each orbit. Not to scale.
const PLANETS = { frame: { at: 2.6, radius: 0.85 }, below: { at: 2.6, radius: 0.85 }, space: { at: 1.75, radius: 0.2, ring: true } };

// ---- one body
export class LecturePane extends Pane {
  constructor(facts, settings, view, theme, index = 0) {
    const preset = view.preset ?? {};
    const centre = facts.parameters.find(({ name }) => name === 'centre')?.default;
    const standing = centre !== undefined && Math.hypot(...centre) > 0;
    const upright = standing && centre[0] === 0 && centre[1] === 0 && centre[2] > 0; // along the third axis
    const own = view.mesh || (view.shape === 'ellipsoid' && !standing) ? null : SHAPES[preset.shape];
    const shape = view.mesh ? null : own ?? (upright ? topOf(facts.moments) : null);
    super(facts.case ? settings.methods[index] : preset.title ?? facts.problem, preset.camera ?? (standing ? { from: [3.4, -2.4, 1.9] }
      : preset.orbit === 'frame' || preset.orbit === 'below' ? { from: [1.6, -6.4, 1.7], target: [0, 0, -0.95] }
        : preset.wall ? { from: [3.1, -3.6, 0.9], target: [0, 0, -0.15] } : { from: [3.3, -2, 2.3] }));
    if (!facts.case) this.heading.remove(); // the caption says it
    Object.assign(this, { facts, index, orbit: preset.orbit, riding: view.camera === 'body', isFree: facts.period !== null });
    this.isExact = this.isFree && !facts.case && settings.methods[index] === 'exact';
    const at = (name) => facts.layout.fields.find((field) => field.name === name).first;
    this.at = { q: at('attitude'), m: at('momentum'), w: at('velocity'), trail: facts.layout.energy - 1 };
    this.world = new THREE.Group();  // in space
    this.around = new THREE.Group(); // and in the frame of the orbit, if there is one
    this.scene.add(this.world, this.around);
    this.turning = new THREE.Group();
    this.still = new THREE.Group();
    this.world.add(this.turning, this.still);
    this.makeBody(facts, view, theme, { shape, centre: standing ? new THREE.Vector3(...centre) : null, wall: preset.wall });
    this.momentum = new Arrow(this.world, theme.momentum, 0.026);
    this.velocity = new Arrow(this.world, theme.velocity, 0.026);
    this.gravity = standing || this.orbit ? new Arrow(this.around, theme.gravity, 0.026) : null;
    this.startMomentum = vector(facts.start, this.at.m).length() || 1;
    this.startVelocity = 1.15 * vector(facts.start, this.at.w).length() || 1;
    this.path = new Path(this.orbit === 'frame' ? this.around : this.world, theme.methods[0], 2.4, { opacity: 0.9, fade: theme.paper });
    this.pathTime = this.isFree ? PATH_ANGLE / this.startVelocity : PATH_PART * settings.length;
    const ball = new THREE.Mesh(new THREE.SphereGeometry(0.08, 24, 16), new THREE.MeshBasicMaterial({ color: theme.methods[0] }));
    ball.position.copy(this.tip);
    this.turning.add(ball);
    const shown = settings.axes === 'on' || (settings.axes !== 'off' && !standing);
    const unstable = this.isFree ? unstableAxis(facts.moments) : -1;
    if (shown) this.makeAxes(theme, unstable);
    this.extent = [[0, 0, 0, Math.max(ARROW, this.reach[3] + 0.09, ...(shown ? this.reach.slice(0, 3).map((x) => this.middle.length() + x + 0.3) : []))]];
    if (standing) this.makeStand(theme, 0.45);
    if (this.orbit) this.makePlanet(theme);
    if (preset.wall) this.makeWall(theme, facts.parameters.find(({ name }) => name === 'offset').default[0]);
    if (this.riding) this.extent = [[0, 0, 0, Math.max(...this.extent.map(([x, y, z, r]) => Math.hypot(x, y, z) + r))]];
    this.legend([['angular momentum', theme.momentum], ['angular velocity', theme.velocity],
      ...(this.gravity ? [[this.orbit ? 'towards the planet' : 'gravity', theme.gravity]] : []), ...(preset.wall ? [['wall', theme.glass]] : []),
      ['path of the dot', theme.methods[0]], ...(shown && unstable >= 0 ? [[`axis ${unstable + 1}, unstable`, theme.methods[3]]] : [])]);
  }

  // The body, its tip, the middle of it, and how far it reaches.
  makeBody(facts, view, theme, { shape, centre, wall }) {
    if (shape) {
      const drawn = drawnShape(shape, theme);
      this.turning.add(drawn.spinning);
      this.still.add(drawn.still);
      this.middle = new THREE.Vector3(0, 0, shape.pivot ? drawn.middle : 0);
      this.solid = drawn.spinning.children[0].geometry;
      this.tip = drawn.tip;
      this.reach = drawn.reach;
      this.reach[3] = Math.max(this.reach[3], this.tip.length());
      return;
    }
    const drawn = body(facts.moments, view.shape, view.mesh, theme, centre ? 1.3 : 2.1);
    const lift = new THREE.Vector3();
    if (centre) lift.copy(centre).multiplyScalar(Math.hypot(...centre.toArray().map((c, k) => c * drawn.sizes[k] / 2)) / centre.lengthSq());
    drawn.group.position.copy(lift);
    this.turning.add(drawn.group);
    this.middle = lift;
    this.solid = view.mesh ?? new THREE.BoxGeometry(...drawn.sizes).translate(...lift.toArray());
    const half = drawn.sizes.map((x) => x / 2);
    const long = centre || wall ? 2 : half.indexOf(Math.max(...half));
    this.tip = lift.clone().setComponent(long, wall ? TO_WALL : lift.length() + half[long]);
    this.reach = [...half, Math.max(this.tip.length(), lift.length() + Math.hypot(...half))];
    if (wall) {
      const pin = new THREE.Mesh(new THREE.CylinderGeometry(0.025, 0.025, TO_WALL, 16), new THREE.MeshStandardMaterial({ color: theme.muted }));
      pin.rotation.x = Math.PI / 2;
      pin.position.z = TO_WALL / 2;
      this.turning.add(pin);
    }
  }

  // The principal axes, numbered.
  makeAxes(theme, unstable) {
    this.reach.slice(0, 3).forEach((reach, k) => {
      const color = k === unstable ? theme.methods[3] : theme.ink;
      const [from, tip, text] = [0, reach + 0.12, reach + 0.21].map((x) => this.middle.clone().setComponent(k, this.middle.getComponent(k) + x));
      segments(this.turning, [...from.toArray(), ...tip.toArray()], color, k === unstable ? 3.4 : 1.6, 0.85);
      const number = label(String(k + 1), color, k === unstable ? 0.22 : 0.16);
      number.position.copy(text);
      this.turning.add(number);
    });
  }

  makeStand(theme, height) {
    const metal = new THREE.MeshStandardMaterial({ color: theme.muted, roughness: 0.6 });
    const foot = new THREE.Mesh(new THREE.ConeGeometry(0.12, height, 28), metal);
    foot.rotation.x = Math.PI / 2;
    foot.position.z = -height / 2;
    const floor = new THREE.Mesh(new THREE.CylinderGeometry(0.75, 0.75, 0.03, 60), new THREE.MeshStandardMaterial({ color: theme.plane }));
    floor.rotation.x = Math.PI / 2;
    floor.position.z = -height - 0.015;
    this.around.add(foot, floor);
  }

  makePlanet(theme) {
    const { at, radius, ring } = PLANETS[this.orbit];
    this.planet = new THREE.Group();
    this.planet.position.z = -at;
    this.planet.add(new THREE.Mesh(new THREE.SphereGeometry(radius, 64, 48), new THREE.MeshStandardMaterial({
      color: ring ? theme.momentum : theme.faces[4], roughness: 0.9 })));
    if (ring) this.planet.add(new THREE.Mesh(new THREE.RingGeometry(1.25 * radius, 1.9 * radius, 64), new THREE.MeshStandardMaterial({ color: theme.stone, side: THREE.DoubleSide })));
    this.around.add(this.planet);
    if (ring) this.extent = [[0, 0, 0, at + 1.9 * radius]];
    else this.extent.push([0, 0, -at, radius]);
  }

  // The wall, as far from the point that the body turns about as the tip is in units of its own distance.
  makeWall(theme, offset) {
    const wall = new THREE.Mesh(new THREE.CylinderGeometry(1.1, 1.1, 0.06, 72), new THREE.MeshStandardMaterial({
      color: theme.glass, transparent: true, opacity: 0.75 }));
    wall.rotation.x = Math.PI / 2;
    wall.position.z = -offset * TO_WALL - 0.03;
    this.around.add(wall);
    for (let n = 0; n < 12; n++) this.extent.push([1.1 * Math.cos(n * Math.PI / 6), 1.1 * Math.sin(n * Math.PI / 6), wall.position.z, 0.04]);
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

  // Attitudes up to a time, oldest first, and when they were: of the exact motion, or of the method in its steps.
  past(frame, q) {
    const { trail, trailTimes: [from, to] = [0, 0] } = frame.views[this.index];
    const [values, width, first] = this.isExact ? [frame.exactTrail, 7, 0] : [trail, this.at.trail, this.at.q - 1];
    const all = values.length / width;
    const begin = this.isExact ? frame.exactTrailTime : from;
    const end = this.isExact ? frame.time : to;
    const timed = end !== begin; // else the rows of a table
    const past = [];
    for (let k = 0; k < all; k++) {
      const time = timed ? begin + (end - begin) * k / Math.max(1, all - 1) : k;
      if (!timed || Math.abs(frame.time - time) <= this.pathTime) past.push({ time, q: quaternion(values, k * width + first) });
    }
    if (timed && Math.abs(frame.time - end) > 1e-9 * Math.abs(end - begin)) past.push({ time: frame.time, q });
    return past;
  }

  show(frame) {
    const { row: own, failure } = frame.views[this.index];
    const row = this.isExact ? frame.exact : own;
    const q = quaternion(row, this.at.q);
    const m = vector(row, this.at.m);
    const w = this.isExact ? new THREE.Vector3(...this.facts.moments.map((I, k) => m.getComponent(k) / I)) : vector(row, this.at.w);
    this.turning.quaternion.copy(q);
    const axis = new THREE.Vector3(0, 0, 1).applyQuaternion(q);
    this.still.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
    setArrow(this.momentum, m, this.startMomentum, q);
    setArrow(this.velocity, w, this.startVelocity, q);
    const inFrame = this.orbit === 'frame';
    const toFrame = inFrame ? this.orbitFrame(frame.time) : new THREE.Quaternion();
    this.world.quaternion.copy(this.riding ? q.clone().invert() : toFrame);
    this.around.quaternion.copy(this.world.quaternion).multiply(toFrame.invert());
    const down = new THREE.Vector3(0, 0, -0.7);
    if (this.orbit === 'space') {
      const angle = orbitAngle(this.facts.parameters, frame.time);
      down.set(-Math.cos(angle), -Math.sin(angle), 0);
      this.planet.position.copy(down).multiplyScalar(PLANETS.space.at);
    }
    if (this.orbit) down.setLength(ARROW);
    this.gravity?.set(down, this.middle.clone().applyQuaternion(q));
    const past = this.past(frame, q);
    this.path.set(smooth(past.map((one) => {
      const tip = this.tip.clone().applyQuaternion(one.q);
      return inFrame ? tip.applyQuaternion(this.orbitFrame(one.time)) : tip;
    }), past.map(({ time }) => time), PATH_CHORD));
    this.failed(failure);
  }
}

// ---- many bodies: their momenta as directions in the body, and the mean of them
export class MomentumPane extends Pane {
  constructor(facts, theme) {
    super('momenta', { from: [2.6, 2.9, 1.7], extent: [[0, 0, 0, 1.62]] });
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
    this.mean.set(sum.multiplyScalar(3 * 1.6 / momenta.length));
  }
}
