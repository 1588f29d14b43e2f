// stage.js - the views: one canvas, a scene for each pane laid over it.

import * as THREE from 'three';
import { Arrow, body, ghost, label, orbit, Path, quaternion, segments, separatrix, vector } from './draw.js';
import { LecturePane, MomentumPane } from './lecture.js';
import { ARROW, Pane, setArrow } from './pane.js';
import { unstableAxis } from './shapes.js';

const MOST_PIXELS = 2; // of the device to one of the page
const NEIGHBOURS = 4;  // orbits drawn on either side of the separatrix
const ELLIPSOID = 1.1; // its longest semi-axis
const PATH_ANGLE = 10; // radians of the turning of a body that stay drawn

// Where the fields of the body that is shown stand in rows, and how long a row of a trail is,
// which has no time before them.
let BODY = { q: 1, m: 5, w: 8, trail: 10 };

function bodyIn({ fields, energy }) {
  const first = (name) => fields.find((field) => field.name === name).first;
  return { q: first('attitude'), m: first('momentum'), w: first('velocity'), trail: energy - 1 };
}

// A geometry with a colour at each vertex, by its place and normal.
function painted(geometry, paint) {
  const position = geometry.getAttribute('position');
  const normal = geometry.getAttribute('normal');
  const colors = new Float32Array(3 * position.count);
  const color = new THREE.Color();
  for (let i = 0; i < position.count; i++) {
    color.set(paint(new THREE.Vector3().fromBufferAttribute(position, i), new THREE.Vector3().fromBufferAttribute(normal, i)));
    color.toArray(colors, 3 * i);
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
  return geometry;
}

// The colour of the side that a vector points to.
const faceOf = (v, theme) => {
  const axis = [0, 1, 2].reduce((a, b) => (Math.abs(v.getComponent(b)) > Math.abs(v.getComponent(a)) ? b : a));
  return theme.faces[2 * axis + (v.getComponent(axis) < 0 ? 1 : 0)];
};

// ---- one body in space, with its arrows, and the exact motion as an outline -----------------
class BodyPane extends Pane {
  constructor(title, index, facts, view, theme) {
    const centre = facts.parameters.find(({ name }) => name === 'centre')?.default;
    const standing = centre !== undefined && Math.hypot(...centre) > 0; // about a point below its centre of mass
    super(title, { color: theme.methods[index], ...(standing ? { from: [3.6, -1.7, 1.9] } : {}) });
    this.index = index;
    this.view = view;
    this.world = new THREE.Group();
    this.scene.add(this.world);
    const drawn = body(facts.moments, view.shape, view.mesh, theme, standing ? 1.15 : 1.9);
    this.body = new THREE.Group();
    const lift = new THREE.Vector3();
    if (standing) {
      const [x, y, z] = centre.map((c, k) => Math.abs(c) * drawn.sizes[k] / 2);
      lift.set(...centre).multiplyScalar(Math.hypot(x, y, z) / Math.hypot(...centre) ** 2);
      drawn.group.position.copy(lift);
      const foot = new THREE.Mesh(new THREE.ConeGeometry(0.1, 0.35, 24), new THREE.MeshStandardMaterial({ color: theme.muted }));
      foot.rotation.x = Math.PI / 2;
      foot.position.z = -0.175;
      this.scene.add(foot);
    }
    this.body.add(drawn.group);
    this.extent = [[0, 0, 0, Math.max(ARROW, lift.length() + Math.hypot(...drawn.sizes) / 2, lift.length() + 1.1 * Math.max(...drawn.sizes) / 2 + 0.43)]];
    this.solid = view.mesh ?? painted(new THREE.BoxGeometry(...drawn.sizes), (_, normal) => faceOf(normal, theme));
    if (lift.length() > 0) this.solid = this.solid.clone().translate(...lift.toArray());
    this.world.add(this.body);
    this.ghost = facts.comparison ? ghost(drawn.sizes, view.mesh ? 'box' : view.shape, theme) : null;
    if (this.ghost) {
      this.ghost.children[0].position.copy(lift);
      this.world.add(this.ghost);
    }
    const axes = [];
    drawn.sizes.forEach((size, k) => {
      const tip = [0, 0, 0];
      tip[k] = size / 2 + 0.3;
      axes.push(...lift.toArray(), ...new THREE.Vector3(...tip).add(lift).toArray());
      const text = label(String(k + 1), theme.ink);
      text.position.set(...tip.map((x) => x * 1.1)).add(lift);
      this.body.add(text);
    });
    segments(this.body, axes, theme.ink, 1.2, 0.7);
    this.momentum = new Arrow(this.world, theme.momentum);
    this.velocity = new Arrow(this.world, theme.velocity);
    this.startMomentum = vector(facts.start, BODY.m).length() || 1;
    this.startVelocity = 1.15 * vector(facts.start, BODY.w).length() || 1;
    this.path = new Path(this.world, theme.methods[index], 2, { opacity: 0.8 });
    this.pathPoints = Math.round(Math.min(150, Math.max(12, PATH_ANGLE / (this.startVelocity * Math.abs(view.step)))));
    if (index === 0) {
      this.legend([['momentum', theme.momentum], ['angular velocity', theme.velocity],
        ...(facts.comparison ? [[facts.period === null ? 'reference' : 'exact motion', theme.ink]] : [])]);
    }
  }

  // The body over the rows of its motion, for a scene in a file.
  nodes(rows) {
    const rotations = new Float32Array(4 * rows.length);
    rows.forEach((row, i) => rotations.set(quaternion(row, BODY.q).toArray(), 4 * i));
    return [{ name: 'body', geometry: this.solid, rotations }];
  }

  show(frame) {
    const { row, trail, failure } = frame.views[this.index];
    const q = quaternion(row, BODY.q);
    this.body.quaternion.copy(q);
    if (this.ghost && frame.exact) this.ghost.quaternion.copy(quaternion(frame.exact, BODY.q));
    setArrow(this.momentum, vector(row, BODY.m), this.startMomentum, q);
    setArrow(this.velocity, vector(row, BODY.w), this.startVelocity, q);
    this.world.quaternion.identity();
    if (this.view.camera === 'body') this.world.quaternion.copy(q).invert();
    const points = [];
    const axis = new THREE.Vector3();
    for (let i = Math.max(0, trail.length - this.pathPoints * BODY.trail); i < trail.length; i += BODY.trail) {
      axis.set(0, 0, 1.35).applyQuaternion(quaternion(trail, i + BODY.q - 1));
      points.push(axis.x, axis.y, axis.z);
    }
    this.path.set(points);
    this.failed(failure);
  }
}

// ---- the angular velocity in the body, on the energy ellipsoid ------------------------------
class PolhodePane extends Pane {
  constructor(facts, methods, theme, lecture = false) {
    const isFree = facts.period !== null;
    const J = facts.moments;
    const unstable = isFree ? unstableAxis(J) : -1;
    const from = [1.6, 1.8, 1.5]; // towards the crossing of a lecture
    if (unstable >= 0) from[unstable] = 4;
    super(isFree ? 'Polhode: the angular velocity, seen from the body' : 'The angular velocity, seen from the body',
      { from: lecture && unstable >= 0 ? from : [3.0, 2.6, 2.3], extent: [[0, 0, 0, ELLIPSOID + 0.34]] });
    this.isExact = lecture && methods[0] === 'exact' && !facts.case;
    this.J = J;
    const w = vector(facts.start, BODY.w);
    const twiceT = J[0] * w.x ** 2 + J[1] * w.y ** 2 + J[2] * w.z ** 2 || 1;
    const axes = J.map((I) => Math.sqrt(twiceT / I));
    this.longest = Math.max(...axes);
    this.scale = ELLIPSOID / this.longest;
    this.around = this.extent;
    this.ellipsoid = ellipsoidPoints(axes.map((x) => x * this.scale));
    this.lift = lecture ? 1.006 : 1; // of the curve above others
    const root = new THREE.Group();
    this.root = root;
    root.scale.setScalar(this.scale);
    this.scene.add(root);
    const glass = new THREE.Mesh(new THREE.SphereGeometry(1, 64, 40), new THREE.MeshStandardMaterial({
      color: theme.glass, transparent: true, opacity: theme.glassOpacity, depthWrite: false, roughness: 0.4 }));
    glass.scale.set(...axes);
    root.add(glass);
    const curve = (points, color, width, opacity) => {
      new Path(root, color, width, { opacity }).set(points);
    };
    if (isFree) {
      const sorted = [...J].sort((a, b) => a - b);
      for (let n = 1; n <= NEIGHBOURS; n++) {
        for (const [from, to] of [[sorted[0], sorted[1]], [sorted[2], sorted[1]]]) {
          if (from === to) continue;
          const part = (n / (NEIGHBOURS + 0.6)) ** 2;
          for (const points of orbit(J, twiceT, from + (to - from) * part)) curve(points, theme.muted, 1.1, 0.75);
        }
      }
      for (const points of separatrix(J, twiceT)) curve(points, theme.ink, 1.8, 0.9);
    }
    axes.forEach((length, k) => {
      const tip = [0, 0, 0];
      tip[k] = length + 0.18 / this.scale;
      const marked = lecture && k === unstable;
      segments(root, [0, 0, 0, ...tip], marked ? theme.methods[3] : theme.muted, marked ? 3 : 1.1, 0.8);
      const text = label(String(k + 1), marked ? theme.methods[3] : theme.ink, (lecture ? 0.22 : 0.16) / this.scale);
      text.position.set(...tip.map((x) => x * 1.06));
      root.add(text);
    });
    this.paths = methods.map((_, i) => new Path(root, theme.methods[i], 2.6));
    this.dots = methods.map((_, i) => {
      const dot = new THREE.Mesh(new THREE.SphereGeometry(0.045 / this.scale, 20, 14),
        new THREE.MeshBasicMaterial({ color: theme.methods[i] }));
      root.add(dot);
      return dot;
    });
    this.cloud = isFree ? new SpreadCloud(root, theme) : null;
    this.legend(lecture && isFree ? [['polhode', theme.methods[0]], ...(unstable < 0 ? [] : [['curves that cross', theme.ink], [`axis ${unstable + 1}, unstable`, theme.methods[3]]])]
      : [...(isFree ? [['separatrix', theme.ink], ['other orbits', theme.muted]] : []), ...methods.map((name, i) => [name, theme.methods[i]])]);
  }

  show(frame) {
    let { longest } = this;
    frame.views.forEach(({ row, trail }, i) => {
      const points = [];
      const exact = (values, at) => new THREE.Vector3(...this.J.map((I, n) => values[at + n] / I));
      const [values, size] = this.isExact ? [frame.exactTrail, 7] : [trail, BODY.trail];
      for (let k = 0; k < values.length; k += size) {
        const w = this.isExact ? exact(values, k + 4) : vector(values, k + BODY.w - 1);
        points.push(...w.clone().multiplyScalar(this.lift).toArray());
        longest = Math.max(longest, w.length());
      }
      this.paths[i].set(points);
      this.dots[i].position.copy(this.isExact ? exact(frame.exact, BODY.m) : vector(row, BODY.w));
    });
    this.root.scale.setScalar(ELLIPSOID / longest);
    this.extent = longest > 1.001 * this.longest ? this.around : this.ellipsoid;
    if (!this.cloud) return;
    this.cloud.show(frame.spread, frame.exact, this.J, longest);
    this.failed(this.cloud.words, 'said');
  }
}

// Points on an ellipsoid and the numbers at the ends of its axes, as spheres.
function ellipsoidPoints(axes) {
  const points = [0, 1, 2].map((k) => [0, 1, 2].map((i) => (i === k ? axes[k] + 0.22 : 0)).concat(0.12));
  for (let n = 0; n < 96; n++) {
    const [polar, turn] = [Math.PI * (Math.floor(n / 12) + 0.5) / 8, 2 * Math.PI * (n % 12) / 12];
    points.push([Math.sin(polar) * Math.cos(turn), Math.sin(polar) * Math.sin(turn), Math.cos(polar)].map((x, k) => 1.06 * x * axes[k]).concat(0.02));
  }
  return points;
}

// Starts about one, as dots; and the ellipsoid that a small ball of them becomes, by the derivative
// of the motion. Where it is longer than the picture it says nothing more, and is not drawn.
class SpreadCloud {
  constructor(parent, theme) {
    this.dots = new THREE.Points(new THREE.BufferGeometry(),
      new THREE.PointsMaterial({ color: theme.velocity, size: 2.2, sizeAttenuation: false }));
    this.glass = new THREE.Mesh(new THREE.SphereGeometry(1, 40, 28), new THREE.MeshBasicMaterial({
      color: theme.momentum, transparent: true, opacity: 0.4, depthWrite: false, side: THREE.DoubleSide }));
    for (const thing of [this.dots, this.glass]) {
      thing.frustumCulled = false;
      thing.matrixAutoUpdate = false;
      parent.add(thing);
    }
    this.show(null);
  }

  show(spread, exact, J, longest) {
    this.dots.visible = spread?.points.every((x) => Math.abs(x) < 1e15) ?? false;
    this.glass.visible = false;
    this.words = null;
    if (!this.dots.visible) return;
    this.dots.geometry.setAttribute('position', new THREE.BufferAttribute(spread.points, 3));
    if (!spread.matrix) return;
    const [a, b, c, d, e, f, g, h, i] = spread.matrix;
    const longer = largestStretch(spread.matrix);
    const times = longer * Math.min(...J) / spread.radius;
    this.words = `starts nearby, and their ellipsoid by the derivative: ${Number(times.toPrecision(2))} times as long as at first`;
    this.glass.visible = longer < 2 * longest;
    const [x, y, z] = J.map((I, k) => exact[BODY.m + k] / I);
    this.glass.matrix.set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1);
    this.glass.matrixWorldNeedsUpdate = true;
  }
}

// The largest |M x| of unit vectors x, by powers of M^T M.
function largestStretch(matrix) {
  const M = new THREE.Matrix3().fromArray(matrix).transpose();
  const square = M.clone().transpose().multiply(M);
  const x = new THREE.Vector3(0.6, 0.5, 0.62);
  for (let i = 0; i < 30; i++) x.applyMatrix3(square).normalize();
  return x.applyMatrix3(M).length();
}

// ---- the ellipsoid rolling on the invariable plane ------------------------------------------
class PoinsotPane extends Pane {
  constructor(facts, theme) {
    super('Herpolhode: the ellipsoid rolls on a plane', { from: [0.7, -4.7, 2.2], target: [0, 0, -0.22] });
    const J = facts.moments;
    this.J = J;
    const w = vector(facts.start, BODY.w);
    const m = vector(facts.start, BODY.m);
    const twiceT = J[0] * w.x ** 2 + J[1] * w.y ** 2 + J[2] * w.z ** 2 || 1;
    const axes = J.map((I) => Math.sqrt(twiceT / I));
    this.scale = 1.15 / Math.max(...axes);
    this.world = new THREE.Group();
    const space = m.clone().applyQuaternion(quaternion(facts.start, BODY.q));
    this.world.quaternion.setFromUnitVectors(space.clone().normalize(), new THREE.Vector3(0, 0, -1));
    this.scene.add(this.world);
    this.body = new THREE.Group();
    this.world.add(this.body);
    this.body.scale.setScalar(this.scale);
    const glass = new THREE.Mesh(new THREE.SphereGeometry(1, 48, 32), new THREE.MeshStandardMaterial({
      color: theme.glass, transparent: true, opacity: theme.glassOpacity + 0.12, depthWrite: false, roughness: 0.4 }));
    glass.scale.set(...axes);
    this.body.add(glass);
    for (const [k, length] of axes.entries()) { // its three principal ellipses
      const ring = [];
      for (let n = 0; n <= 96; n++) {
        const p = [0, 0, 0];
        p[(k + 1) % 3] = axes[(k + 1) % 3] * Math.cos(2 * Math.PI * n / 96);
        p[(k + 2) % 3] = axes[(k + 2) % 3] * Math.sin(2 * Math.PI * n / 96);
        ring.push(...p);
      }
      new Path(this.body, theme.faces[2 * k], 1.6, { opacity: length > 0 ? 0.9 : 0 }).set(ring);
    }
    const height = -this.scale * twiceT / (m.length() || 1) - 0.004;
    const radius = 0.2 + Math.sqrt(Math.max(0, 1.15 ** 2 - height * height)); // about all of the herpolhode
    const plane = new THREE.Mesh(new THREE.CircleGeometry(radius, 72), new THREE.MeshStandardMaterial({
      color: theme.plane, transparent: true, opacity: 0.6, side: THREE.DoubleSide }));
    plane.position.z = height;
    this.extent = [[0, 0, 0, 1.18], ...Array.from({ length: 16 }, (_, n) => [radius * Math.cos(n * Math.PI / 8), radius * Math.sin(n * Math.PI / 8), height, 0.02])];
    this.scene.add(plane);
    this.polhode = new Path(this.body, theme.methods[0], 2.2);
    this.herpolhode = new Path(this.world, theme.velocity, 2.2);
    this.velocity = new Arrow(this.world, theme.velocity, 0.018);
    this.legend([['polhode', theme.methods[0]], ['herpolhode', theme.velocity]]);
  }

  // The path in the body over one turn of it, in space over the last ones.
  show(frame) {
    const { exact, exactTrail } = frame;
    if (!exact) return;
    const q = quaternion(exact, BODY.q);
    this.body.quaternion.copy(q);
    const inBody = [];
    const inSpace = [];
    const w = new THREE.Vector3();
    for (let i = 0; i < exactTrail.length; i += 7) {
      w.set(...this.J.map((I, k) => exactTrail[i + 4 + k] / I));
      inBody.push(w.x, w.y, w.z);
      w.applyQuaternion(quaternion(exactTrail, i)).multiplyScalar(this.scale);
      inSpace.push(w.x, w.y, w.z);
    }
    this.polhode.set(inBody);
    this.herpolhode.set(inSpace);
    w.set(...this.J.map((I, k) => exact[BODY.m + k] / I)).applyQuaternion(q);
    this.velocity.set(w.multiplyScalar(this.scale));
  }
}

// A sphere of directions with its equator and the vertical, and what it takes of a view.
const SPHERE = [[0, 0, 0, 1.05], [0, 0, 1.32, 0.1], [0, 0, -1.2, 0.02]];
function directions(parent, theme) {
  parent.add(new THREE.Mesh(new THREE.SphereGeometry(0.99, 64, 40), new THREE.MeshStandardMaterial({
    color: theme.glass, transparent: true, opacity: theme.glassOpacity, depthWrite: false })));
  for (const height of [-0.6, 0, 0.6]) {
    const r = Math.sqrt(1 - height * height);
    const ring = [];
    for (let n = 0; n <= 96; n++) ring.push(r * Math.cos(2 * Math.PI * n / 96), r * Math.sin(2 * Math.PI * n / 96), height);
    new Path(parent, theme.muted, 1, { opacity: 0.6 }).set(ring);
  }
  segments(parent, [0, 0, -1.2, 0, 0, 1.2], theme.muted, 1.2);
  const up = label('z', theme.ink);
  up.position.set(0, 0, 1.32);
  parent.add(up);
}

// ---- where the third axis of the body points ------------------------------------------------
class AxisPane extends Pane {
  constructor(methods, theme) {
    super('Where axis 3 points, seen from space', { from: [2.9, -3.5, 2.5], target: [0, 0, 0.1], extent: SPHERE });
    directions(this.scene, theme);
    this.paths = methods.map((_, i) => new Path(this.scene, theme.methods[i], 2.4));
    this.dots = methods.map((_, i) => {
      const dot = new THREE.Mesh(new THREE.SphereGeometry(0.04, 20, 14), new THREE.MeshBasicMaterial({ color: theme.methods[i] }));
      this.scene.add(dot);
      return dot;
    });
  }

  show(frame) {
    const axis = new THREE.Vector3();
    frame.views.forEach(({ row, trail }, i) => {
      const points = [];
      for (let k = 0; k < trail.length; k += BODY.trail) {
        axis.set(0, 0, 1).applyQuaternion(quaternion(trail, k + BODY.q - 1));
        points.push(axis.x, axis.y, axis.z);
      }
      this.paths[i].set(points);
      this.dots[i].position.set(0, 0, 1).applyQuaternion(quaternion(row, BODY.q));
    });
  }
}

// ---- unit vectors: rods of a chain, needles on a grid, or points of a sphere ----------------
const LINKS = { pendulum: ['length'], double_pendulum: ['length1', 'length2'], chain: ['length'] };
const DOWN = ['double_pendulum', 'chain']; // the vertical k points down in them
const GRIDS = { magnets: 'columns', spins: null };

class SpheresPane extends Pane {
  constructor(title, index, facts, theme) {
    const links = LINKS[facts.problem];
    const grid = Object.hasOwn(GRIDS, facts.problem);
    super(title, { color: theme.methods[index], from: links ? [0.5, -4.8, 0.5] : grid ? [0.4, -3.7, 3.8] : [2.5, -3.4, 1.9],
      extent: links ? [[0, 0, 0, 1.66]] : [...SPHERE, [0, 0, 0, 1.22]] });
    const n = facts.entries;
    this.n = n;
    this.index = index;
    this.theme = theme;
    this.root = new THREE.Group();
    this.scene.add(this.root);
    const parameter = (name) => facts.parameters.find((p) => p.name === name)?.default[0] ?? 1;
    if (links) {
      const lengths = Array.from({ length: n }, (_, i) => parameter(links[Math.min(i, links.length - 1)]));
      const whole = lengths.reduce((a, b) => a + b, 0);
      this.lengths = lengths.map((x) => 1.55 * x / whole);
      if (DOWN.includes(facts.problem)) this.root.rotation.x = Math.PI; // k down
      this.rods = lengths.map(() => new Path(this.root, theme.ink, 3));
      this.balls = lengths.map(() => this.ball(theme.methods[index], 0.09));
      this.root.add(new THREE.Mesh(new THREE.SphereGeometry(0.05, 16, 12), new THREE.MeshStandardMaterial({ color: theme.muted })));
      this.places = () => [];
    } else if (grid) {
      const columns = GRIDS[facts.problem] ? Math.round(parameter(GRIDS[facts.problem])) : n;
      const rows = Math.ceil(n / columns);
      const size = 2.8 / Math.max(columns, rows, 2);
      this.origins = Array.from({ length: n }, (_, i) => new THREE.Vector3(
        (i % columns - (columns - 1) / 2) * size, (Math.floor(i / columns) - (rows - 1) / 2) * size, 0));
      this.size = size;
      this.extent = [-1, 1].flatMap((x) => [-1, 1].map((y) => [x * (columns - 1) / 2 * size, y * (rows - 1) / 2 * size, 0, 0.72 * size]));
      this.needles = this.origins.map(() => [new Arrow(this.root, theme.faces[0], 0.055 * size), new Arrow(this.root, theme.faces[4], 0.055 * size)]);
      const dots = new THREE.Mesh(new THREE.PlaneGeometry(columns * size, rows * size), new THREE.MeshStandardMaterial({
        color: theme.plane, transparent: true, opacity: 0.35, side: THREE.DoubleSide }));
      dots.position.z = -0.5 * size;
      this.root.add(dots);
    } else {
      directions(this.root, theme);
      this.balls = Array.from({ length: n }, (_, i) => this.ball(theme.methods[i % 4], 0.06));
      this.moment = new Arrow(this.root, theme.momentum);
    }
    if (facts.comparison && !grid) {
      this.ghosts = Array.from({ length: n }, () => this.ball(theme.ink, links ? 0.045 : 0.03));
      this.ghostRods = links ? Array.from({ length: n }, () => new Path(this.root, theme.ink, 1.4, { opacity: 0.5 })) : [];
    }
    if (!grid) this.paths = Array.from({ length: n }, (_, i) => new Path(this.root, theme.methods[links ? index : i % 4], 1.8, { opacity: 0.7 }));
    if (grid) this.legend([['north', theme.faces[0]], ['south', theme.faces[4]]]);
    else this.legend([...(links ? [] : [['moment', theme.momentum]]), ...(this.ghosts ? [['reference', theme.ink]] : [])]);
  }

  ball(color, radius) {
    const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 28, 20), new THREE.MeshStandardMaterial({ color, roughness: 0.5 }));
    this.root.add(mesh);
    return mesh;
  }

  // Balls in their places, and the rods between them.
  put(balls, rods, places) {
    balls.forEach((ball, i) => ball.position.copy(places[i]));
    rods.forEach((rod, i) => {
      const from = i === 0 ? new THREE.Vector3() : places[i - 1];
      rod.set([from.x, from.y, from.z, places[i].x, places[i].y, places[i].z]);
    });
  }

  // The places of the entries, from their unit vectors.
  chain(values, at) {
    const places = [];
    const place = new THREE.Vector3();
    for (let i = 0; i < this.n; i++) {
      if (this.lengths) place.addScaledVector(vector(values, at + 3 * i), this.lengths[i]);
      else place.copy(vector(values, at + 3 * i));
      places.push(place.clone());
    }
    return places;
  }

  // The balls, or the needles, over the rows of their motion.
  nodes(rows) {
    const geometry = this.needles ? painted(new THREE.ConeGeometry(0.09 * this.size, 0.84 * this.size, 24), () => this.theme.faces[0])
      : painted(new THREE.SphereGeometry(0.08, 24, 16), () => this.theme.methods[this.index]);
    const nodes = Array.from({ length: this.n }, (_, i) => ({ name: `q${i + 1}`, geometry,
      translations: new Float32Array(3 * rows.length), rotations: this.needles ? new Float32Array(4 * rows.length) : null }));
    const turn = new THREE.Quaternion();
    rows.forEach((row, k) => {
      const places = this.needles ? this.origins : this.chain(row, 1);
      nodes.forEach((node, i) => {
        node.translations.set(places[i].clone().applyEuler(this.root.rotation).toArray(), 3 * k);
        node.rotations?.set(turn.setFromUnitVectors(new THREE.Vector3(0, 1, 0), vector(row, 1 + 3 * i).normalize()).toArray(), 4 * k);
      });
    });
    return nodes;
  }

  show(frame) {
    const { row, trail, failure } = frame.views[this.index];
    this.failed(failure);
    if (this.needles) {
      this.needles.forEach(([north, south], i) => {
        const half = vector(row, 1 + 3 * i).multiplyScalar(0.42 * this.size);
        north.set(half, this.origins[i]);
        south.set(half.clone().negate(), this.origins[i]);
      });
      return;
    }
    const places = this.chain(row, 1);
    this.put(this.balls, this.rods ?? [], places);
    if (this.ghosts && frame.exact) this.put(this.ghosts, this.ghostRods, this.chain(frame.exact, 1));
    if (this.moment) {
      const sum = new THREE.Vector3();
      for (const place of places) sum.add(place);
      this.moment.set(sum.multiplyScalar(1.2 / Math.max(1, sum.length())));
    }
    const size = 6 * this.n;
    const last = Math.max(0, trail.length - 120 * size);
    const points = this.paths.map(() => []);
    for (let k = last; k < trail.length; k += size) {
      this.chain(trail, k).forEach((place, i) => points[i].push(place.x, place.y, place.z));
    }
    this.paths.forEach((path, i) => path.set(points[i]));
  }
}

// ---- many small bodies: instances whose attitudes the graphics processor applies ------------
const TURN = 'vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }';

class Instances {
  constructor(parent, geometry, n, size) {
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.index = geometry.index;
    for (const key of ['position', 'normal', 'color']) {
      if (geometry.getAttribute(key)) this.geometry.setAttribute(key, geometry.getAttribute(key));
    }
    this.geometry.instanceCount = n;
    this.attitudes = new THREE.InstancedBufferAttribute(new Float32Array(4 * n), 4).setUsage(THREE.DynamicDrawUsage);
    this.places = new THREE.InstancedBufferAttribute(new Float32Array(3 * n), 3).setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute('attitude', this.attitudes);
    this.geometry.setAttribute('place', this.places);
    const material = new THREE.ShaderMaterial({
      uniforms: { size: { value: size } },
      vertexShader: `attribute vec4 attitude; attribute vec3 place; attribute vec3 color; uniform float size;
        varying vec3 facing; varying vec3 paint; ${TURN}
        void main() {
          facing = turn(attitude, normal); paint = color;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(place + size * turn(attitude, position), 1.0);
        }`,
      fragmentShader: `varying vec3 facing; varying vec3 paint;
        void main() {
          float light = 0.62 + 0.5 * max(0.0, dot(normalize(facing), normalize(vec3(0.5, -0.6, 0.9))));
          gl_FragColor = vec4(light * paint, 1.0);
          #include <colorspace_fragment>
        }`,
    });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    parent.add(this.mesh);
  }
}

class MoleculesPane extends Pane {
  constructor(title, index, facts, theme) {
    super(title, { color: theme.methods[index], from: [3.7, -4.9, 2.8] });
    const { fields } = facts.layout;
    const find = (name) => fields.find((field) => field.name === name);
    this.index = index;
    this.n = facts.entries;
    this.x = find('positions').first;
    this.q = find('attitudes').first;
    const bounds = new THREE.Box3();
    for (let i = 0; i < this.n; i++) bounds.expandByPoint(vector(facts.start, this.x + 3 * i));
    this.centre = bounds.getCenter(new THREE.Vector3());
    this.scale = 2.7 / Math.max(1e-9, ...bounds.getSize(new THREE.Vector3()).toArray());
    const sigma = facts.parameters.find(({ name }) => name === 'sigma')?.default[0] ?? 1;
    const dipole = new THREE.Vector3(...(facts.parameters.find(({ name }) => name === 'dipole')?.default ?? [0, 0, 1]));
    if (dipole.length() === 0) dipole.z = 1;
    dipole.normalize();
    const ball = painted(new THREE.SphereGeometry(0.5, 20, 14), (place) => (
      place.dot(dipole) > 0 ? theme.faces[0] : theme.faces[4]));
    this.ball = ball;
    this.size = sigma * this.scale;
    this.instances = new Instances(this.scene, ball, this.n, this.size);
    this.legend([['positive end of the dipole', theme.faces[0]], ['negative end', theme.faces[4]]]);
  }

  // The balls over the rows of their motion.
  nodes(rows) {
    const geometry = this.ball.clone().scale(...Array(3).fill(this.size));
    return Array.from({ length: this.n }, (_, i) => {
      const translations = new Float32Array(3 * rows.length);
      const rotations = new Float32Array(4 * rows.length);
      rows.forEach((row, k) => {
        translations.set(vector(row, this.x + 3 * i).sub(this.centre).multiplyScalar(this.scale).toArray(), 3 * k);
        rotations.set(quaternion(row, this.q + 4 * i).toArray(), 4 * k);
      });
      return { name: `body${i + 1}`, geometry, translations, rotations };
    });
  }

  show(frame) {
    const { row, failure } = frame.views[this.index];
    this.failed(failure);
    const { attitudes, places } = this.instances;
    for (let i = 0; i < this.n; i++) {
      const at = this.q + 4 * i;
      attitudes.setXYZW(i, row[at + 1], row[at + 2], row[at + 3], row[at]);
      const place = vector(row, this.x + 3 * i).sub(this.centre).multiplyScalar(this.scale);
      places.setXYZ(i, place.x, place.y, place.z);
    }
    attitudes.needsUpdate = true;
    places.needsUpdate = true;
    const farthest = Array.from({ length: this.n }, (_, i) => Math.hypot(places.getX(i), places.getY(i), places.getZ(i)));
    this.extent = [[0, 0, 0, Math.min(4.5, Math.max(...farthest) + this.size / 2)]]; // those that fly away, for a while
  }
}

class CloudPane extends Pane {
  constructor(facts, view, theme) {
    super(`${facts.entries} free bodies`, { from: [3.2, -3.7, 4.1], extent: [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([x, y]) => [1.5 * x, 1.5 * y, 0, 0.1]) });
    const n = facts.entries;
    const columns = Math.ceil(Math.sqrt(n));
    const size = 3 / columns;
    const { sizes } = body(facts.moments, 'box', null, theme);
    const box = painted(new THREE.BoxGeometry(...sizes.map((x) => x / 1.9)), (_, normal) => faceOf(normal, theme));
    this.instances = new Instances(this.scene, box, n, 0.95 * size);
    for (let i = 0; i < n; i++) {
      this.instances.places.setXYZ(i, (i % columns - (columns - 1) / 2) * size, (Math.floor(i / columns) - (columns - 1) / 2) * size, 0);
    }
    this.legend([1, 2, 3].map((k) => [`axis ${k}`, theme.faces[2 * (k - 1)]]));
  }

  show(frame) {
    this.instances.attitudes.array.set(frame.attitudes);
    this.instances.attitudes.needsUpdate = true;
  }
}

// ---- all of them ----------------------------------------------------------------------------
export class Stage {
  constructor(container, canvas, panes) {
    this.container = container;
    this.canvas = canvas;
    this.layer = panes;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: false });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MOST_PIXELS));
    this.renderer.setScissorTest(true);
    this.panes = [];
    this.programs = new Set();
    this.frame = null;
    this.dirty = true;
    new ResizeObserver(() => { this.dirty = true; }).observe(container);
    layerKeys(this);
  }

  // A material that is not needed any more; but the first one of each shader program is kept,
  // and with it the program, for compiling takes longer than all the rest of another run.
  disposeMaterial(material) {
    material.map?.dispose();
    const program = this.renderer.properties.get(material).currentProgram?.cacheKey;
    if (program === undefined || this.programs.has(program)) material.dispose();
    else this.programs.add(program);
  }

  // Other panes for another run.
  build(facts, settings, view, theme) {
    const cameras = new Map(this.panes.map((pane) => [pane.constructor.name + (pane.index ?? ''), pane.camera.position.clone()]));
    for (const pane of this.panes) pane.dispose((material) => this.disposeMaterial(material));
    const { methods } = settings;
    this.theme = theme;
    this.lecture = settings.view === 'lecture';
    this.bodies = facts.case ? methods.length : 1; // of a lecture
    if (facts.single) BODY = bodyIn(facts.layout);
    if (this.lecture && facts.cloud) this.panes = [new MomentumPane(facts, theme)];
    else if (this.lecture && facts.single) {
      this.panes = methods.slice(0, this.bodies).map((_, i) => new LecturePane(facts, settings, view, theme, i));
      const why = settings.why === 'on' && !facts.case && facts.period !== null;
      if (why || view.preset?.panes?.includes('polhode')) this.panes.push(new PolhodePane(facts, methods.slice(0, 1), theme, true));
      if (view.preset?.panes?.includes('rolling') && facts.period !== null) this.panes.push(new PoinsotPane(facts, theme));
    } else if (facts.cloud) this.panes = [new CloudPane(facts, view, theme)];
    else if (facts.directions) this.panes = methods.map((name, i) => new SpheresPane(name, i, this.lecture ? { ...facts, comparison: null } : facts, theme));
    else if (!facts.single) this.panes = methods.map((name, i) => new MoleculesPane(name, i, facts, theme));
    else {
      this.panes = methods.map((name, i) => new BodyPane(name, i, facts, view, theme));
      this.panes.push(new PolhodePane(facts, methods, theme));
      this.panes.push(facts.period === null ? new AxisPane(methods, theme) : new PoinsotPane(facts, theme));
    }
    if (this.lecture && !facts.single) this.panes.splice(1);
    const beside = this.panes.filter((pane) => !(pane instanceof LecturePane)).length;
    const moving = !facts.single || (this.lecture && beside === 0) ? 0 : this.lecture ? 1 : methods.length;
    for (const [i, pane] of this.panes.entries()) {
      pane.element.classList.add(moving > 0 ? (i < moving ? `of${moving}` : 'beside') : `alone${this.panes.length}`);
      if (moving === 1 && i > 0) pane.element.classList.add('small');
      pane.element.classList.toggle('whole', this.panes.length === 2 && moving === 1);
      this.layer.append(pane.element);
      const old = cameras.get(pane.constructor.name + (pane.index ?? ''));
      if (old && this.shown === facts.problem + (view.preset?.name ?? '')) pane.camera.position.copy(old);
      pane.attach(() => { this.dirty = true; });
    }
    this.shown = facts.problem + (view.preset?.name ?? '');
    this.dirty = true;
  }

  show(frame) {
    this.frame = this.lecture && frame.views ? { ...frame, views: frame.views.slice(0, this.bodies) } : frame;
    for (const pane of this.panes) pane.show(this.frame);
    this.dirty = true;
  }

  render() {
    if (!this.dirty) return;
    this.dirty = false;
    const { renderer, canvas, container } = this;
    const { width, height, left, top } = container.getBoundingClientRect();
    const ratio = renderer.getPixelRatio();
    if (canvas.width !== Math.floor(width * ratio) || canvas.height !== Math.floor(height * ratio)) {
      renderer.setSize(width, height, false);
    }
    renderer.setClearColor(this.theme.paper);
    renderer.setScissor(0, 0, width, height);
    renderer.clear();
    for (const pane of this.panes) {
      const { box, top: above, bottom: below } = pane.place();
      if (box.width < 2 || box.height < 2) continue;
      const x = box.left - left;
      const y = height - (box.bottom - top);
      renderer.setViewport(x, y + below, box.width, box.height - above - below);
      renderer.setScissor(x, y, box.width, box.height);
      pane.fit(box.width / (box.height - above - below));
      pane.scene.background = new THREE.Color(this.theme.paper);
      renderer.render(pane.scene, pane.camera);
    }
  }
}

function layerKeys(stage) {
  stage.layer.addEventListener('keydown', (event) => {
    const pane = stage.panes.find(({ element }) => element === event.target);
    if (pane?.turn(event.key)) {
      event.preventDefault();
      event.stopPropagation();
      stage.dirty = true;
    }
  });
}
