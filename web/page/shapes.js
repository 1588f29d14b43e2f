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

const [X, Y, Z] = [0, 1, 2];

// A book with the moments that a paper gives, of mass 1: edges by the box that has them.
const bookEdges = [0.376, 0.627, 1].map((_, i, J) => Math.sqrt(6 * (J[(i + 1) % 3] + J[(i + 2) % 3] - J[i])));

// Of each its parts, colours by their numbers in the theme; `tip`: the point whose path is drawn.
export const SHAPES = {
  racket: { tip: [-0.36, 0, 0], parts: [
    { solid: 'ring', axis: Z, R: 0.125, r: 0.009, mass: 0.15, at: [0.19, 0, 0], color: 'red' },
    { solid: 'tube', axis: Z, r: 0.12, h: 0.002, mass: 0.015, at: [0.19, 0, 0], color: 'pale', see: 0.45 },
    { solid: 'box', size: [0.16, 0.022, 0.018], mass: 0.05, at: [-0.01, 0, 0], color: 'red' },
    { solid: 'box', size: [0.2, 0.032, 0.028], mass: 0.11, at: [-0.19, 0, 0], color: 'dark' }] },
  t_handle: { tip: [0.1, 0, 0], parts: [
    { solid: 'tube', axis: Y, r: 0.008, h: 0.14, mass: 0.22, color: 'blue' },
    { solid: 'tube', axis: X, r: 0.007, h: 0.07, mass: 0.085, at: [0.042, 0, 0], color: 'pale' },
    { solid: 'ring', axis: X, R: 0.0095, r: 0.0025, mass: 0, at: [0.07, 0, 0], color: 'red' }] },
  book: { tip: [0, 0, 1.6], parts: [
    { solid: 'box', size: bookEdges, mass: 1, color: 'pale' },
    ...[-1, 1].map((side) => ({ solid: 'box', size: [bookEdges[0] * 1.03, bookEdges[1] * 1.03, bookEdges[2] * 0.16], mass: 0,
      at: [0, 0, side * bookEdges[2] * 0.55], color: side > 0 ? 'red' : 'blue' })),
    { solid: 'box', size: [bookEdges[0] * 0.6, bookEdges[1] * 0.12, bookEdges[2] * 0.02], mass: 0, at: [0, bookEdges[1] * 0.2, bookEdges[2] * 0.65], color: 'pale' }] },
  phone: { tip: [0, 0, 0.09], parts: [
    { solid: 'box', size: [0.1475, 0.0715, 0.0078], mass: 0.187, color: 'dark' },
    { solid: 'box', size: [0.138, 0.065, 0.0004], mass: 0, at: [0, 0, 0.004], color: 'blue' },
    { solid: 'tube', axis: Z, r: 0.008, h: 0.002, mass: 0, at: [0.058, 0.02, -0.0045], color: 'pale' }] },
  top: { pivot: true, tip: [0, 0, 0.1], parts: [
    { solid: 'tube', axis: Z, r: 0.05, h: 0.012, mass: 0.16, at: [0, 0, 0.045], color: 'red' },
    { solid: 'tube', axis: Z, r: 0.0035, h: 0.085, mass: 0.02, at: [0, 0, 0.0475], color: 'pale' },
    { solid: 'box', size: [0.085, 0.008, 0.0125], mass: 0, at: [0, 0, 0.0451], color: 'pale' },
    { solid: 'cone', axis: Z, r: 0.0035, h: -0.006, mass: 0, at: [0, 0, 0.003], color: 'pale' }] },
  gyroscope: { pivot: true, tip: [0, 0, 0.125], parts: [
    { solid: 'tube', axis: Z, r: 0.036, inner: 0.024, h: 0.012, mass: 0.12, at: [0, 0, 0.06], color: 'yellow' },
    { solid: 'tube', axis: Z, r: 0.024, h: 0.003, mass: 0.02, at: [0, 0, 0.06], color: 'dark' },
    { solid: 'box', size: [0.06, 0.006, 0.0126], mass: 0, at: [0, 0, 0.06], color: 'dark' },
    { solid: 'tube', axis: Z, r: 0.002, h: 0.1, mass: 0.01, at: [0, 0, 0.06], color: 'pale' },
    { solid: 'ring', axis: X, R: 0.05, r: 0.0022, mass: 0, at: [0, 0, 0.06], color: 'blue', still: true },
    { solid: 'ring', axis: Y, R: 0.05, r: 0.0022, mass: 0, at: [0, 0, 0.06], color: 'blue', still: true },
    { solid: 'ring', axis: Z, R: 0.05, r: 0.0022, mass: 0, at: [0, 0, 0.06], color: 'blue', still: true },
    { solid: 'tube', axis: Z, r: 0.003, h: 0.012, mass: 0, at: [0, 0, 0.005], color: 'blue', still: true },
    { solid: 'tube', axis: Z, r: 0.003, h: 0.012, mass: 0, at: [0, 0, 0.115], color: 'blue', still: true }] },
  satellite: { tip: [2.3, 0, 0], parts: [
    { solid: 'box', size: [1, 0.8, 0.8], mass: 90, color: 'yellow' },
    ...[-1, 1].map((side) => ({ solid: 'box', size: [0.7, 1.5, 0.03], mass: 7, at: [0, side * 1.2, 0], color: 'blue' })),
    { solid: 'tube', axis: X, r: 0.03, h: 1.5, mass: 2, at: [1.25, 0, 0], color: 'pale' },
    { solid: 'ellipsoid', semi: [0.13, 0.13, 0.13], mass: 12, at: [2.05, 0, 0], color: 'red' },
    { solid: 'cone', axis: X, r: 0.25, h: 0.22, mass: 0, at: [-0.6, 0, 0], color: 'pale' }] },
  asteroid: { tip: [2900, 0, 0], parts: [ // two lobes, as Toutatis has
    { solid: 'ellipsoid', semi: [1500, 1150, 1000], mass: 1.4e13, at: [-700, 0, 0], color: 'pale' },
    { solid: 'ellipsoid', semi: [900, 750, 700], mass: 5e12, at: [1350, 0, 0], color: 'pale' },
    ...[[-1500, 500, 600, 260], [-500, -700, 700, 330], [-900, 900, 300, 300], [1500, 400, 520, 200], [-1100, -300, -850, 300]].map(([x, y, z, r]) => (
      { solid: 'ellipsoid', semi: [r, r, r], mass: 0, at: [x, y, z], color: 'stone' }))] },
  moon: { tip: [220e3, 0, 0], parts: [ // Hyperion
    { solid: 'ellipsoid', semi: [180e3, 133e3, 103e3], mass: 5.6e18, color: 'pale' },
    ...[[60, 40, 85, 38], [-70, -50, 66, 30], [-20, 100, 55, 30], [110, -40, 55, 28], [-110, 40, 60, 26], [20, -90, 62, 26]].map(([x, y, z, r]) => (
      { solid: 'ellipsoid', semi: [r * 1e3, r * 1e3, r * 0.35e3], mass: 0, at: [x * 1e3, y * 1e3, z * 1e3], color: 'stone' }))] },
  water: { tip: [0, 1.3e-10, 0], parts: [ // atoms as small balls, in nuclear masses
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
