// shapes.js - bodies made of simple solids, each of even density, and their inertia: the body that is
// seen is the body that is computed. Lengths in metres, masses in kilograms. A part without mass is
// paint; a `still` part does not spin with the body, as the frame of a gyroscope.

// The tensor of a solid of mass 1 about its centre: its diagonal, the axis of round ones along `axis`.
const round = (axis, along, across) => [0, 1, 2].map((k) => (k === axis ? along : across));
const SOLIDS = {
  box: ({ size: [a, b, c] }) => [(b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12],
  ellipsoid: ({ semi: [a, b, c] }) => [(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5],
  tube: ({ axis, r, inner = 0, h }) => {
    const square = r * r + inner * inner;
    return round(axis, square / 2, (3 * square + h * h) / 12);
  },
  cone: ({ axis, r, h }) => round(axis, 0.3 * r * r, 0.15 * r * r + 3 * h * h / 80),
  ring: ({ axis, R, r }) => round(axis, R * R + 0.75 * r * r, R * R / 2 + 0.625 * r * r),
};

// { mass, centre, moments, products }: the tensor about the centre of mass, or about the origin of a
// shape that turns about a point of it.
export function inertiaOf({ parts, pivot = false }) {
  const solid = parts.filter(({ mass }) => mass > 0);
  const mass = solid.reduce((sum, part) => sum + part.mass, 0);
  const centre = [0, 1, 2].map((k) => solid.reduce((sum, part) => sum + part.mass * (part.at?.[k] ?? 0), 0) / mass);
  const moments = [0, 0, 0];
  const products = [0, 0, 0];
  for (const part of solid) {
    const d = [0, 1, 2].map((k) => (part.at?.[k] ?? 0) - (pivot ? 0 : centre[k]));
    const own = SOLIDS[part.solid](part);
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      moments[k] += part.mass * (own[k] + d[i] * d[i] + d[j] * d[j]);
      products[k] -= part.mass * d[i] * d[j];
    }
  }
  return { mass, centre, moments, products };
}

// The axis of the middle moment, about which no spin is steady; -1 where two moments are alike.
export function unstableAxis(J) {
  const [low, middle, high] = [0, 1, 2].sort((a, b) => J[a] - J[b]);
  const apart = (a, b) => J[b] - J[a] > 1e-6 * J[b];
  return apart(low, middle) && apart(middle, high) ? middle : -1;
}

const [X, Y, Z] = [0, 1, 2];

// A book with the moments that a paper gives, of mass 1: edges by the box that has them.
const bookEdges = [0.376, 0.627, 1].map((_, i, J) => Math.sqrt(6 * (J[(i + 1) % 3] + J[(i + 2) % 3] - J[i])));

// Low hills on an ellipsoid, in other directions and of other widths.
const craters = (centre, semi, list, color) => list.map(([x, y, z, r]) => ({ solid: 'ellipsoid', semi: [r, r, r], mass: 0, color,
  at: [x, y, z].map((c, k) => centre[k] + c / Math.hypot(x, y, z) * semi[k] * (1 - 0.8 * r / Math.max(...semi))) }));

// The two faces of a flat thing, in two colours: paint above and below it.
const faces = (part, height) => [-1, 1].map((side) => ({ ...part, mass: 0, at: [part.at?.[X] ?? 0, part.at?.[Y] ?? 0, side * height], color: side > 0 ? 'red' : 'blue' }));

// Of each its parts, colours by their names in the theme; `tip`: the point whose path is drawn; `axes`: what the three
// principal axes are, in words.
export const SHAPES = {
  racket: { tip: [-0.29, 0, 0], axes: ['along the handle', 'across the handle, in the plane of the strings', 'at right angles to the strings'], parts: [
    { solid: 'ring', axis: Z, R: 0.125, r: 0.009, mass: 0.15, at: [0.19, 0, 0], color: 'pale' },
    { solid: 'tube', axis: Z, r: 0.12, h: 0.002, mass: 0.015, at: [0.19, 0, 0], color: 'pale' },
    ...faces({ solid: 'tube', axis: Z, r: 0.12, h: 0.001, at: [0.19, 0, 0] }, 0.0015),
    { solid: 'box', size: [0.16, 0.022, 0.018], mass: 0.05, at: [-0.01, 0, 0], color: 'pale' },
    { solid: 'box', size: [0.2, 0.032, 0.028], mass: 0.11, at: [-0.19, 0, 0], color: 'dark' }] },
  t_handle: { tip: [0.077, 0, 0], axes: ['along the stem', 'along the bar', 'at right angles to both'], parts: [
    { solid: 'tube', axis: Y, r: 0.008, h: 0.14, mass: 0.22, color: 'blue' },
    { solid: 'tube', axis: X, r: 0.007, h: 0.07, mass: 0.085, at: [0.042, 0, 0], color: 'pale' },
    { solid: 'ring', axis: X, R: 0.0095, r: 0.0025, mass: 0, at: [0.07, 0, 0], color: 'red' }] },
  book: { tip: [bookEdges[0] / 2, 0, 0], axes: ['along the long edge', 'along the short edge', 'at right angles to the cover'], parts: [
    { solid: 'box', size: bookEdges, mass: 1, color: 'pale' },
    ...faces({ solid: 'box', size: [bookEdges[0] * 1.03, bookEdges[1] * 1.03, bookEdges[2] * 0.16] }, bookEdges[2] * 0.55),
    { solid: 'box', size: [bookEdges[0] * 0.6, bookEdges[1] * 0.12, bookEdges[2] * 0.02], mass: 0, at: [0, bookEdges[1] * 0.2, bookEdges[2] * 0.65], color: 'pale' }] },
  phone: { tip: [0.07375, 0, 0], axes: ['along the phone', 'across it', 'at right angles to the screen'], parts: [
    { solid: 'box', size: [0.1475, 0.0715, 0.0078], mass: 0.187, color: 'dark' },
    ...faces({ solid: 'box', size: [0.138, 0.065, 0.0004] }, 0.004), // the screen is red
    { solid: 'tube', axis: Z, r: 0.008, h: 0.002, mass: 0, at: [0.058, 0.02, -0.0045], color: 'pale' }] },
  top: { pivot: true, tip: [0, 0, 0.09], axes: ['across', 'across', 'along the axle'], parts: [
    { solid: 'tube', axis: Z, r: 0.05, h: 0.012, mass: 0.16, at: [0, 0, 0.045], color: 'red' },
    { solid: 'tube', axis: Z, r: 0.0035, h: 0.085, mass: 0.02, at: [0, 0, 0.0475], color: 'pale' },
    { solid: 'box', size: [0.085, 0.008, 0.0125], mass: 0, at: [0, 0, 0.0451], color: 'pale' },
    { solid: 'cone', axis: Z, r: 0.0035, h: -0.006, mass: 0, at: [0, 0, 0.003], color: 'pale' }] },
  gyroscope: { pivot: true, tip: [0, 0, 0.121], axes: ['across', 'across', 'along the axle'], parts: [
    { solid: 'tube', axis: Z, r: 0.036, inner: 0.024, h: 0.012, mass: 0.12, at: [0, 0, 0.06], color: 'yellow' },
    { solid: 'tube', axis: Z, r: 0.024, h: 0.003, mass: 0.02, at: [0, 0, 0.06], color: 'dark' },
    { solid: 'box', size: [0.06, 0.006, 0.0126], mass: 0, at: [0, 0, 0.06], color: 'dark' },
    { solid: 'tube', axis: Z, r: 0.002, h: 0.1, mass: 0.01, at: [0, 0, 0.06], color: 'pale' },
    { solid: 'ring', axis: X, R: 0.05, r: 0.0022, mass: 0, at: [0, 0, 0.06], color: 'blue', still: true },
    { solid: 'ring', axis: Y, R: 0.05, r: 0.0022, mass: 0, at: [0, 0, 0.06], color: 'blue', still: true },
    { solid: 'ring', axis: Z, R: 0.05, r: 0.0022, mass: 0, at: [0, 0, 0.06], color: 'blue', still: true },
    { solid: 'tube', axis: Z, r: 0.003, h: 0.012, mass: 0, at: [0, 0, 0.005], color: 'blue', still: true },
    { solid: 'tube', axis: Z, r: 0.003, h: 0.012, mass: 0, at: [0, 0, 0.115], color: 'blue', still: true }] },
  satellite: { tip: [2.18, 0, 0], axes: ['along the boom', 'along the panels', 'at right angles to both'], parts: [
    { solid: 'box', size: [1, 0.8, 0.8], mass: 90, color: 'yellow' },
    ...[-1, 1].map((side) => ({ solid: 'box', size: [0.7, 1.5, 0.03], mass: 7, at: [0, side * 1.2, 0], color: 'blue' })),
    { solid: 'tube', axis: X, r: 0.03, h: 1.5, mass: 2, at: [1.25, 0, 0], color: 'pale' },
    { solid: 'ellipsoid', semi: [0.13, 0.13, 0.13], mass: 12, at: [2.05, 0, 0], color: 'red' },
    { solid: 'cone', axis: X, r: 0.25, h: 0.22, mass: 0, at: [-0.6, 0, 0], color: 'pale' }] },
  asteroid: { tip: [2320, 0, 0], axes: ['along the asteroid', 'across it', 'across it'], parts: [ // two lobes, as Toutatis has
    { solid: 'ellipsoid', semi: [1300, 1150, 1000], mass: 1.4e13, at: [-850, 0, 0], color: 'pale' },
    { solid: 'ellipsoid', semi: [950, 780, 700], mass: 5e12, at: [1370, 0, 0], color: 'stone' },
    ...craters([-850, 0, 0], [1300, 1150, 1000], [[-1, 1, 2, 300], [1, -2, 2, 260], [-2, -1, 1, 320], [0, 2, -1, 280], [-1, -1, -2, 330], [1, 3, 2, 180]], 'stone'),
    ...craters([1370, 0, 0], [950, 780, 700], [[1, 1, 2, 200], [1, -2, 0, 220], [2, 0, -2, 190]], 'pale')] },
  moon: { tip: [180e3, 0, 0], axes: ['along the moon', 'across it', 'across it'], parts: [ // Hyperion
    { solid: 'ellipsoid', semi: [180e3, 133e3, 103e3], mass: 5.6e18, color: 'pale' },
    ...craters([0, 0, 0], [180e3, 133e3, 103e3], [[1, 1, 2, 38e3], [-1, -1, 2, 34e3], [0, 2, 1, 30e3], [2, -1, 1, 28e3], [-2, 1, 1, 30e3], [0, -2, 1, 26e3],
      [1, 1, -2, 36e3], [-1, -1, -2, 32e3], [-2, 1, -1, 26e3], [2, -1, -1, 28e3]], 'stone')] },
  water: { tip: [1.0893e-10, 0.8437e-10, 0], axes: ['from one hydrogen atom to the other', 'the axis of symmetry', 'at right angles to the plane'], parts: [ // atoms as small balls, in nuclear masses
    { solid: 'ellipsoid', semi: [1e-15, 1e-15, 1e-15], mass: 2.6567e-26, at: [0, 0, 0], color: 'red', drawn: 0.6e-10 },
    ...[-1, 1].map((side) => ({ solid: 'ellipsoid', semi: [1e-15, 1e-15, 1e-15], mass: 1.6736e-27,
      at: [side * 0.7572e-10, 0.5865e-10, 0], color: 'pale', drawn: 0.42e-10 }))] },
};

// A top on its point that has these moments, the third along its axle: a thin elliptic disc of mass 1 at the
// height l on an axle without mass. With x = (J1 + J2 + J3)/2 - J, l is the root of x3, and half its axes those of
// x1 and x2. Null where l is none.
export function topOf(J) {
  const [a, b, l] = J.map((x) => Math.sqrt(Math.max(0, (J[0] + J[1] + J[2]) / 2 - x))).map((x, k) => (k < 2 ? 2 * x : x));
  const r = Math.max(a, b);
  if (!(l > 0.02 * r)) return null;
  return { pivot: true, tip: [0, 0, l + 0.35 * r], parts: [
    { solid: 'tube', axis: Z, r, across: b / a, h: 0.12 * r, mass: 1, at: [0, 0, l], color: 'red' },
    { solid: 'tube', axis: Z, r: 0.04 * r, h: l + 0.35 * r, mass: 0, at: [0, 0, (l + 0.35 * r) / 2], color: 'pale' },
    { solid: 'box', size: [1.6 * a, 0.16 * b, 0.125 * r], mass: 0, at: [0, 0, l], color: 'pale' }] };
}
