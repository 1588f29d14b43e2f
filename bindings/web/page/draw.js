// draw.js - the things that are drawn: arrows, bodies, paths, labels.

import * as THREE from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

// Colours that people with any colour vision tell apart (Okabe and Ito), on dark and on light.
export const THEMES = {
  dark: {
    paper: '#12161d', ink: '#e8edf4', muted: '#76849a', grid: '#2a3340', glass: '#8fa9cc', plane: '#33445f',
    momentum: '#f0b429', velocity: '#56c7f2', methods: ['#f0763a', '#4fa3e3', '#37c391', '#e08fc0'],
    faces: ['#e8694a', '#8f3523', '#57b894', '#26624b', '#5f9be0', '#2a4f85'], glassOpacity: 0.2,
    pale: '#cfd6df', stone: '#b9bfc9', dark: '#4a5568', gravity: '#37c391', sphere: '#1f2733',
  },
  light: {
    paper: '#fbfaf7', ink: '#1d232b', muted: '#8a8f98', grid: '#dedad1', glass: '#6d86a8', plane: '#c9d3df',
    momentum: '#b07a00', velocity: '#0a7fb5', methods: ['#cc5200', '#0068b3', '#00805a', '#b04a86'],
    faces: ['#e07b5d', '#a34a35', '#67b898', '#2f7a5d', '#6fa3dd', '#35639f'], glassOpacity: 0.22,
    pale: '#cfc8b8', stone: '#bab3a3', dark: '#414b59', gravity: '#00805a', sphere: '#ece8de',
  },
};

export const quaternion = (row, at) => new THREE.Quaternion(row[at + 1], row[at + 2], row[at + 3], row[at]);
export const vector = (row, at) => new THREE.Vector3(row[at], row[at + 1], row[at + 2]);

// Whether points can be drawn: of a run with extreme numbers they overflow, and then they are not.
const FARTHEST = 1e15;
const drawable = (points) => points.length >= 6 && points.every((x) => Math.abs(x) < FARTHEST);

// A path that is given anew at every frame. It begins in the colour `fade`, if there is one, and ends in its own.
export class Path {
  constructor(parent, color, width, { dashed = false, opacity = 1, fade = null } = {}) {
    this.colors = fade ? [fade, color].map((one) => new THREE.Color(one)) : null;
    this.material = new LineMaterial({ color: fade ? '#ffffff' : color, linewidth: width, transparent: opacity < 1, opacity,
      dashed, dashSize: 0.04, gapSize: 0.035, vertexColors: fade !== null });
    this.line = new Line2(new LineGeometry(), this.material);
    this.line.frustumCulled = false;
    this.line.visible = false;
    this.dashed = dashed;
    parent.add(this.line);
  }

  // Points as [x, y, z, x, y, z, ...].
  set(points) {
    this.line.visible = drawable(points);
    if (!this.line.visible) return;
    this.line.geometry.dispose();
    this.line.geometry = new LineGeometry();
    this.line.geometry.setPositions(points);
    if (this.colors) {
      const last = points.length / 3 - 1;
      const now = new THREE.Color();
      this.line.geometry.setColors(Array.from({ length: last + 1 }, (_, i) => (
        now.lerpColors(...this.colors, Math.min(1, 0.12 + 1.3 * i / last)).toArray())).flat());
    }
    if (this.dashed) this.line.computeLineDistances();
  }
}

// A smooth curve through points at times that grow: cubic between them, in chords no longer than `chord`.
export function smooth(points, times, chord) {
  const last = points.length - 1;
  if (last < 2) return points.flatMap((point) => point.toArray());
  const rise = (i) => points[i + 1].clone().sub(points[i]).divideScalar(times[i + 1] - times[i]);
  const slopes = points.map((_, i) => { // of the parabola through three of them
    const k = Math.min(Math.max(i, 1), last - 1);
    const [before, after] = [rise(k - 1), rise(k)];
    const bend = after.clone().sub(before).divideScalar(times[k + 1] - times[k - 1]);
    return before.addScaledVector(bend, 2 * times[i] - times[k - 1] - times[k]);
  });
  const out = points[0].toArray();
  for (let i = 0; i < last; i++) {
    const dt = times[i + 1] - times[i];
    const parts = Math.min(50, Math.max(1, Math.ceil(points[i].distanceTo(points[i + 1]) / chord)));
    for (let n = 1; n <= parts; n++) {
      const u = n / parts;
      const v = 1 - u;
      out.push(...points[i].clone().multiplyScalar(v * v * (1 + 2 * u)).addScaledVector(points[i + 1], u * u * (1 + 2 * v))
        .addScaledVector(slopes[i], u * v * v * dt).addScaledVector(slopes[i + 1], -u * u * v * dt).toArray());
    }
  }
  return out;
}

// Separate segments, [x, y, z, x, y, z] each.
export function segments(parent, points, color, width, opacity = 1) {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(drawable(points) ? points : [0, 0, 0, 0, 0, 0]);
  const line = new LineSegments2(geometry,
    new LineMaterial({ color, linewidth: width, transparent: opacity < 1, opacity }));
  line.frustumCulled = false;
  parent.add(line);
  return line;
}

export class Arrow {
  constructor(parent, color, radius = 0.022) {
    const material = new THREE.MeshStandardMaterial({ color, roughness: 0.6, emissive: color, emissiveIntensity: 0.25 });
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 1, 16), material);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(3 * radius, 8 * radius, 20), material);
    this.headLength = 8 * radius;
    this.group = new THREE.Group();
    this.group.add(this.shaft, this.head);
    parent.add(this.group);
  }

  set(to, from = null) {
    const length = to.length();
    this.group.visible = length > 1e-6 && length < FARTHEST;
    if (!this.group.visible) return;
    const thickness = Math.min(1, length / (2 * this.headLength)); // of a short one
    const head = thickness * this.headLength;
    const shaft = length - head;
    this.shaft.scale.set(thickness, shaft, thickness);
    this.shaft.position.y = shaft / 2;
    this.head.scale.setScalar(thickness);
    this.head.position.y = shaft + head / 2;
    this.group.position.copy(from ?? new THREE.Vector3());
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.clone().divideScalar(length));
  }
}

// A short text that faces the viewer.
export function label(text, color, size = 0.16) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d');
  pen.font = '600 46px system-ui, "DejaVu Sans", sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = color;
  pen.fillText(text, 32, 34);
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false }));
  sprite.scale.set(size, size, size);
  return sprite;
}

export const BODY_SIZE = 1.9; // in its view, and of a mesh of the user's

// Edges of a box, or semi-axes of an ellipsoid, of even density that has these moments; the
// longest is `most` long. A moment that no matter has makes it as thin as paper.
export function extents(J, most) {
  const I = J.map((x) => x / Math.max(...J)); // whose sums do not overflow
  const squares = I.map((_, i) => Math.max((I[(i + 1) % 3] + I[(i + 2) % 3] - I[i]) / 2, 0));
  const lengths = squares.map(Math.sqrt);
  const scale = most / Math.max(...lengths);
  return lengths.map((x) => Math.max(x * scale, 0.02 * most));
}

// The body: a box with six colours, or an ellipsoid with eight octants, or a mesh of the user's.
export function body(J, shape, mesh, theme, most = BODY_SIZE) {
  const group = new THREE.Group();
  const sizes = extents(J, most);
  if (mesh) {
    group.add(new THREE.Mesh(mesh, new THREE.MeshStandardMaterial({ color: theme.faces[4], roughness: 0.6, side: THREE.DoubleSide })));
    group.scale.setScalar(most / BODY_SIZE);
  } else if (shape === 'ellipsoid') {
    const geometry = new THREE.SphereGeometry(1, 64, 32);
    const position = geometry.getAttribute('position');
    const colors = new Float32Array(3 * position.count);
    const color = new THREE.Color();
    for (let i = 0; i < position.count; i++) {
      const axis = [0, 1, 2].reduce((a, b) => (Math.abs(position.getComponent(i, b)) >
        Math.abs(position.getComponent(i, a)) ? b : a));
      color.set(theme.faces[2 * axis + (position.getComponent(i, axis) < 0 ? 1 : 0)]);
      color.toArray(colors, 3 * i);
    }
    geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    const solid = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.55 }));
    solid.scale.set(...sizes.map((x) => x / 2 * 1.05));
    group.add(solid);
  } else {
    const geometry = new THREE.BoxGeometry(...sizes);
    group.add(new THREE.Mesh(geometry, theme.faces.map((color) => (
      new THREE.MeshStandardMaterial({ color, roughness: 0.6 })))));
    segments(group, new THREE.EdgesGeometry(geometry).getAttribute('position').array, theme.paper, 1.2, 0.8);
  }
  return { group, sizes };
}

// Only the outline of a body, for the exact motion.
export function ghost(sizes, shape, theme) {
  const group = new THREE.Group();
  const geometry = shape === 'ellipsoid'
    ? new THREE.SphereGeometry(0.53, 12, 8).scale(...sizes) : new THREE.BoxGeometry(...sizes.map((x) => 1.02 * x));
  segments(group, new THREE.EdgesGeometry(geometry, 1).getAttribute('position').array, theme.ink, 1.4, 0.75);
  return group;
}

export function lights(scene) {
  scene.add(new THREE.HemisphereLight('#ffffff', '#556070', 1.9));
  const sun = new THREE.DirectionalLight('#ffffff', 1.7);
  sun.position.set(3, -4, 6);
  scene.add(sun);
}

// Orbits of the angular velocity on the energy ellipsoid J w.w = 2 T: where J^2 w.w = 2 T D, for
// a D between the moments; two curves for each.
export function orbit(J, twiceT, D, points = 160) {
  const order = [0, 1, 2].sort((a, b) => J[a] - J[b]);
  const [low, middle, high] = order.map((i) => J[i]);
  const about = D > middle ? high : low; // the axis that the orbit goes round
  const axis = D > middle ? order[2] : order[0];
  const others = order.filter((i) => i !== axis);
  const radius = (I) => Math.sqrt(Math.max(0, twiceT * (about - D) / (I * (about - I))));
  const curves = [[], []];
  for (let n = 0; n <= points; n++) {
    const angle = 2 * Math.PI * n / points;
    const w = [0, 0, 0];
    w[others[0]] = radius(J[others[0]]) * Math.cos(angle);
    w[others[1]] = radius(J[others[1]]) * Math.sin(angle);
    const rest = twiceT - J[others[0]] * w[others[0]] ** 2 - J[others[1]] * w[others[1]] ** 2;
    for (const sign of [1, -1]) {
      w[axis] = sign * Math.sqrt(Math.max(0, rest / about));
      curves[sign > 0 ? 0 : 1].push(...w);
    }
  }
  return curves;
}

// The two ellipses that separate orbits about one axis from those about the other.
export function separatrix(J, twiceT, points = 160) {
  const [low, middle, high] = [0, 1, 2].sort((a, b) => J[a] - J[b]);
  if (!(J[middle] > J[low] && J[high] > J[middle])) return [];
  const curves = [[], []];
  const D = J[middle];
  const amplitude = (I, other) => Math.sqrt(twiceT * Math.abs(other - D) / (I * Math.abs(other - I)));
  for (let n = 0; n <= points; n++) {
    const angle = 2 * Math.PI * n / points;
    for (const sign of [1, -1]) {
      const w = [0, 0, 0];
      w[middle] = Math.sqrt(twiceT / D) * Math.cos(angle);
      w[low] = amplitude(J[low], J[high]) * Math.sin(angle);
      w[high] = sign * amplitude(J[high], J[low]) * Math.sin(angle);
      curves[sign > 0 ? 0 : 1].push(...w);
    }
  }
  return curves;
}
