// library.js - the WebAssembly module (web/module.c) as JavaScript values. Memory may move when
// it grows, so every view of it is made where it is used.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const STARTS = 400; // of a spread

export class LibraryError extends Error {}

// Bytes that were compressed by gzip.
export const unpacked = (bytes) => (
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());

export class Library {
  // Loads the module, compressed by gzip.
  static async load(compressed) {
    const bytes = await unpacked(compressed);
    const { instance } = await WebAssembly.instantiate(bytes, {});
    instance.exports._initialize();
    return new Library(instance.exports);
  }

  constructor(exports) {
    this.exports = exports;
    this.catalog = JSON.parse(this.taken(exports.web_catalog()));
  }

  doubles(at, count) {
    return new Float64Array(this.exports.memory.buffer, at, count);
  }

  allocate(bytes) {
    const at = this.exports.web_allocate(bytes);
    if (at === 0) throw new LibraryError('there is not enough memory');
    return at;
  }

  release(at) {
    this.exports.web_release(at);
  }

  text(at) {
    const bytes = new Uint8Array(this.exports.memory.buffer, at);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  // A text that the module hands over.
  taken(at) {
    if (at === 0) throw new LibraryError('there is not enough memory');
    const text = this.text(at);
    this.release(at);
    return text;
  }

  // Calls `use` with the addresses of copies of texts and arrays, which last until it returns.
  with(values, use) {
    const addresses = [];
    try {
      for (const value of values) {
        const bytes = typeof value === 'string' ? encoder.encode(value + '\0')
          : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
        const at = this.allocate(Math.max(bytes.length, 1));
        addresses.push(at);
        new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
      }
      return use(...addresses);
    } finally {
      for (const at of addresses) this.release(at);
    }
  }

  check(status) {
    if (status !== 0) throw new LibraryError(this.text(this.exports.web_status_text(status)));
  }

  applies(problem, method) {
    return this.with([problem, method], (p, m) => this.exports.web_applies(p, m) === 0);
  }

  // A system from settings that were checked (settings.js), in steps of `step`, or in those
  // that a method chooses to keep to a tolerance.
  create(settings, method, step, tolerance = settings.tolerance) {
    const problem = this.catalog.problems.find(({ name }) => name === settings.problem);
    const given = [...Object.entries(settings.parameters),
      ...(problem?.start ?? []).map(({ name }) => [name, settings[name]])].filter(([, values]) => values);
    const numbers = new Float64Array(given.flatMap(([, values]) => [values.length, ...values]));
    const names = given.map(([name]) => `${name}\0`).join('');
    return this.with([settings.problem, method, names, numbers, new Uint32Array(1)], (p, m, n, x, out) => {
      const adaptive = this.catalog.methods.some((row) => row.name === method && row.adaptive);
      const status = this.exports.web_create(out, p, m, step, adaptive ? tolerance ?? 0 : 0, given.length, n, x);
      if (status !== 0) throw new LibraryError(this.text(this.exports.web_message()));
      return new System(this, new Uint32Array(this.exports.memory.buffer, out, 1)[0]);
    });
  }

  open(snapshot) {
    return this.with([snapshot, new Uint32Array(1)], (bytes, out) => {
      this.check(this.exports.web_open(out, bytes, snapshot.length));
      return new System(this, new Uint32Array(this.exports.memory.buffer, out, 1)[0]);
    });
  }

  // Rows of numbers as CSV, with the digits of the tool.
  csv(numbers, columns) {
    return this.with([numbers], (at) =>
      this.taken(this.exports.web_csv(at, numbers.length / columns, columns)));
  }
}

class System {
  constructor(library, handle) {
    this.library = library;
    this.handle = handle;
    this.facts = JSON.parse(library.taken(library.exports.web_describe(handle)));
    this.width = library.exports.web_row_doubles(handle);
    this.row = library.allocate(8 * this.width);
  }

  free() {
    this.library.release(this.row);
    this.library.exports.web_free(this.handle);
    this.handle = 0;
  }

  // Takes steps, which come to a time; those of a method that chooses them are cut at a time
  // `end`, and may go beyond the time. False where one failed, with `failure` saying why and when.
  run(steps, time, end) {
    const status = this.library.exports.web_run(this.handle, steps, time, end);
    if (status === 0) return true;
    const text = status < 0 ? 'it needs too many steps of its own for one of the page'
      : this.library.text(this.library.exports.web_status_text(status));
    this.failure = `${text}, after step ${this.steps}`;
    return false;
  }

  get steps() {
    return this.library.exports.web_steps(this.handle);
  }

  // The row now, or of a method that chooses its steps at a time within the last one.
  look(time) {
    this.library.exports.web_look(this.handle, time ?? this.facts.time, this.row);
    return this.library.doubles(this.row, this.width).slice();
  }

  // The exact motion from the present state, or null.
  motion() {
    const handle = this.library.exports.web_motion(this.handle);
    return handle === 0 ? null : new Motion(this.library, handle);
  }
}

class Motion {
  constructor(library, handle) {
    this.library = library;
    this.handle = handle;
    this.period = library.exports.web_motion_period(handle);
  }

  free() {
    this.library.release(this.handle);
  }

  // { q, m }: four and three numbers for each time.
  at(times) {
    const n = times.length;
    return this.library.with([times, new Float64Array(7 * n)], (t, out) => {
      this.library.exports.web_motion_fill(this.handle, t, n, out, out + 32 * n);
      const all = this.library.doubles(out, 7 * n).slice();
      return { q: all.subarray(0, 4 * n), m: all.subarray(4 * n) };
    });
  }

  // How the angular velocity at a time changes with the initial momentum, row by row; or null.
  spread(time) {
    return this.library.with([new Float64Array(9)], (out) => (
      this.library.exports.web_motion_spread(this.handle, time, out) === 0 ? this.library.doubles(out, 9).slice() : null));
  }
}

// Starts about that of a motion, with momenta that differ by at most `radius`: exactly moved, and
// the ellipsoid that the ball of all of them becomes for a small radius.
export class Spread {
  constructor(library, motion, moments, start, radius) {
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
    this.cloud = new Cloud(library, columns);
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
    return { points, radius: this.radius, matrix: this.motion.spread(time)?.map((x) => this.radius * x) ?? null };
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
  constructor(library, start) {
    this.library = library;
    this.n = start.length / 10;
    this.start = start;
    this.columns = library.allocate(8 * start.length);
    this.attitudes = library.allocate(16 * this.n);
  }

  free() {
    this.library.release(this.columns);
    this.library.release(this.attitudes);
  }

  // The attitudes at a time, (x, y, z, w) of each.
  at(time) {
    const { exports } = this.library;
    this.library.doubles(this.columns, this.start.length).set(this.start);
    this.library.check(exports.web_batch(this.n, this.columns, time, this.attitudes));
    return new Float32Array(exports.memory.buffer, this.attitudes, 4 * this.n).slice();
  }

  // The directions of the momenta, in the bodies, at the time last asked for.
  directions() {
    const { n } = this;
    const columns = this.library.doubles(this.columns, this.start.length);
    const out = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) {
      const m = [columns[4 * n + i], columns[5 * n + i], columns[6 * n + i]];
      const size = Math.hypot(...m) || 1;
      for (let k = 0; k < 3; k++) out[3 * i + k] = m[k] / size;
    }
    return out;
  }

  // The state of a body at the time last asked for.
  body(i) {
    const columns = this.library.doubles(this.columns, this.start.length);
    return Array.from({ length: 7 }, (_, k) => columns[k * this.n + i]);
  }
}
