// library.js - what the page takes from the package `polhode` (bindings/web/npm/polhode.js), on which it is built:
// systems of checked settings (settings.js), and many bodies as graphics hardware takes them.

import { applies, Batch, catalog, csv, grade, init, PolhodeError, System } from '../npm/polhode.js';

const STARTS = 400; // of a spread

export { PolhodeError as LibraryError };

// Bytes that were compressed by gzip.
export const unpacked = (bytes) => (
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());

// Loads the module, compressed by gzip.
export async function load(compressed) {
  await init(await unpacked(compressed));
  return { catalog: catalog(), applies, create, csv, grade, open: System.load };
}

// A system in steps of `step`, or in those that a method chooses to keep to a tolerance.
function create(settings, method, step, tolerance = settings.tolerance) {
  const { problems, methods } = catalog();
  const start = problems.find(({ name }) => name === settings.problem)?.start ?? [];
  const adaptive = methods.some((row) => row.name === method && row.adaptive);
  return new System(settings.problem, method, { step, tolerance: adaptive ? tolerance ?? 0 : 0, parameters: settings.parameters,
    ...Object.fromEntries(start.map(({ name }) => [name, settings[name]])) });
}

// Starts about that of a motion, with momenta that differ by at most `radius`: exactly moved, and
// the ellipsoid that the ball of all of them becomes for a small radius.
export class Spread {
  constructor(motion, moments, start, radius) {
    this.motion = motion;
    this.moments = moments;
    this.radius = radius;
    const columns = new Float64Array(10 * STARTS);
    const random = uniform(1);
    for (let i = 0; i < STARTS; i++) {
      let x;
      do x = [0, 1, 2].map(() => 2 * random() - 1); while (Math.hypot(...x) > 1);
      start.q.forEach((q, k) => { columns[k * STARTS + i] = q; });
      x.forEach((part, k) => {
        columns[(4 + k) * STARTS + i] = start.m[k] + radius * part;
        columns[(7 + k) * STARTS + i] = moments[k];
      });
    }
    this.cloud = new Cloud(columns);
  }

  free() {
    this.cloud.free();
  }

  // The momenta of the starts at the time last asked for.
  momenta() {
    return Array.from({ length: STARTS }, (_, i) => this.cloud.body(i).slice(4));
  }

  // Angular velocities of the starts at a time; and the matrix that makes the ellipsoid of a
  // sphere of radius 1, row by row, or null where it is beyond double.
  at(time) {
    this.cloud.at(time);
    const points = Float32Array.from(this.momenta().flat(), (m, i) => m / this.moments[i % 3]);
    return { points, radius: this.radius, matrix: this.motion.velocityByMomentum(time)?.map((x) => this.radius * x) ?? null };
  }
}

// Uniform numbers from a linear congruence, the same for each seed.
export function uniform(seed) {
  let now = seed;
  return () => {
    now = (Math.imul(now, 1664525) + 1013904223) >>> 0;
    return now / 2 ** 32;
  };
}

// Many free bodies in columns q0 q1 q2 q3 m1 m2 m3 J1 J2 J3, seen at any time.
export class Cloud {
  constructor(start) {
    this.n = start.length / 10;
    this.start = start;
    this.batch = new Batch(start.subarray(7 * this.n), start.subarray(0, 4 * this.n), start.subarray(4 * this.n, 7 * this.n));
  }

  free() {
    this.batch.free();
  }

  // The attitudes at a time, (x, y, z, w) of each.
  at(time) {
    const { n, batch, start } = this;
    batch.attitude.set(start.subarray(0, 4 * n));
    batch.momentum.set(start.subarray(4 * n, 7 * n));
    batch.step('exact', time);
    const attitudes = new Float32Array(4 * n);
    for (let i = 0; i < n; i++) for (let k = 0; k < 4; k++) attitudes[4 * i + k] = batch.attitude[((k + 1) % 4) * n + i];
    return attitudes;
  }

  // The directions of the momenta, in the bodies, at the time last asked for.
  directions() {
    const { n, batch: { momentum } } = this;
    const out = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) {
      const m = [momentum[i], momentum[n + i], momentum[2 * n + i]];
      const size = Math.hypot(...m) || 1;
      for (let k = 0; k < 3; k++) out[3 * i + k] = m[k] / size;
    }
    return out;
  }

  // The state of a body at the time last asked for.
  body(i) {
    const { attitude, momentum } = this.batch;
    return [...Array.from({ length: 4 }, (_, k) => attitude[k * this.n + i]),
      ...Array.from({ length: 3 }, (_, k) => momentum[k * this.n + i])];
  }
}
