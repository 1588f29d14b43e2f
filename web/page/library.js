// library.js - what the page takes from the package `polhode` (npm/polhode.js), on which it is built:
// systems of checked settings (settings.js), and many bodies as graphics hardware takes them.

import { applies, Batch, catalog, csv, init, PolhodeError, System } from '../../npm/polhode.js';

export { PolhodeError as LibraryError };

// Loads the module, compressed by gzip.
export async function load(compressed) {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
  await init(await new Response(stream).arrayBuffer());
  return { catalog: catalog(), applies, create, csv, open: System.load };
}

// A system in steps of `step`, or in those that a method chooses to keep to a tolerance.
function create(settings, method, step, tolerance = settings.tolerance) {
  const { problems, methods } = catalog();
  const start = problems.find(({ name }) => name === settings.problem)?.start ?? [];
  const adaptive = methods.some((row) => row.name === method && row.adaptive);
  return new System(settings.problem, method, { step, tolerance: adaptive ? tolerance ?? 0 : 0, parameters: settings.parameters,
    ...Object.fromEntries(start.map(({ name }) => [name, settings[name]])) });
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

  // The state of a body at the time last asked for.
  body(i) {
    const { attitude, momentum } = this.batch;
    return [...Array.from({ length: 4 }, (_, k) => attitude[k * this.n + i]),
      ...Array.from({ length: 3 }, (_, k) => momentum[k * this.n + i])];
  }
}
