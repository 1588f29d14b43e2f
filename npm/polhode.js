// polhode.js - the library (a WebAssembly module, web/module.c) as classes: Body, Motion, System,
// Batch, named as in Python. Attitudes are quaternions, scalar first, from body to space; momenta
// and velocities are in the body. polhode.d.ts documents every name. Memory may move when it
// grows, so every view of it is made where it is used.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What the library refuses, in its words. */
export class PolhodeError extends Error {}

let wasm = null; // the exports of the module
let facts = null;

// ---- loading --------------------------------------------------------------------------------

/** Loads the module: bytes, a compiled module, or a response of fetch(); once for all. */
export async function init(source) {
  if (wasm) return;
  let loaded;
  if (source instanceof WebAssembly.Module) loaded = await WebAssembly.instantiate(source, {});
  else {
    const bytes = typeof Response === 'function' && source instanceof Response ? await source.arrayBuffer() : source;
    loaded = (await WebAssembly.instantiate(bytes, {})).instance;
  }
  loaded.exports._initialize();
  wasm ??= loaded.exports;
}

function exports() {
  if (!wasm) throw new PolhodeError('the module is not loaded: await init() first');
  return wasm;
}

// ---- memory, texts, numbers -----------------------------------------------------------------

const doubles = (at, count) => new Float64Array(wasm.memory.buffer, at, count);

function allocate(bytes) {
  const at = exports().web_allocate(bytes);
  if (at === 0) throw new PolhodeError('there is not enough memory');
  return at;
}

function text(at) {
  const bytes = new Uint8Array(wasm.memory.buffer, at);
  return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
}

// A text that the module hands over.
function taken(at) {
  if (at === 0) throw new PolhodeError('there is not enough memory');
  const said = text(at);
  wasm.web_release(at);
  return said;
}

// Calls `use` with the addresses of copies of texts and arrays, which last until it returns.
function passing(values, use) {
  const addresses = [];
  try {
    for (const value of values) {
      const bytes = typeof value === 'string' ? encoder.encode(`${value}\0`)
        : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      const at = allocate(Math.max(bytes.length, 1));
      addresses.push(at);
      new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    }
    return use(...addresses);
  } finally {
    for (const at of addresses) wasm.web_release(at);
  }
}

function check(status, about = '') {
  if (status !== 0) throw new PolhodeError(about + text(wasm.web_status_text(status)));
}

const pointer = (at) => new Uint32Array(wasm.memory.buffer, at, 1)[0];

// A copy of a number, or of numbers in an array of any kind; of `count` of them unless that is null.
function numbers(value, count, name) {
  const list = typeof value === 'number' ? [value] : value;
  if (typeof list !== 'object' || list === null || !Number.isInteger(list.length)) throw new PolhodeError(`${name} must be ${count ?? 'an array of'} numbers`);
  if (count !== null && list.length !== count) throw new PolhodeError(`${name} must be ${count} numbers, not ${list.length}`);
  return Float64Array.from(list, (x) => {
    if (!Number.isFinite(x)) throw new PolhodeError(`${name} must be finite numbers`);
    return x;
  });
}

function number(value, name) {
  if (typeof value !== 'number') throw new PolhodeError(`${name} must be a number`);
  return numbers(value, 1, name)[0];
}

function whole(value, name) {
  if (!Number.isSafeInteger(value) || value < 0) throw new PolhodeError(`${name} must be a whole number`);
  return value;
}

function word(value, name) {
  if (typeof value !== 'string' || value.includes('\0')) throw new PolhodeError(`${name} must be a text`);
  return value;
}

// The options of a call, an object with some of these names.
function options(given, names, call) {
  if (typeof given !== 'object' || given === null) throw new PolhodeError(`${call} takes an object with ${names.join(', ')}`);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new PolhodeError(`${call} has no option ${unknown}: it has ${names.join(', ')}`);
  return given;
}

// What is no longer used is released by and by; free() does it at once.
const unused = new FinalizationRegistry((release) => release());
class Handle {
  #name;
  #address;
  #release;

  constructor(name, address, release) {
    this.#name = name;
    this.#address = address;
    this.#release = release;
    unused.register(this, release, this);
  }

  // The address in the module, while there is something.
  get handle() {
    if (!this.#release) throw new PolhodeError(`this ${this.#name} was released by free(): make another`);
    return this.#address;
  }

  free() {
    if (!this.#release) return;
    unused.unregister(this);
    this.#release();
    this.#release = null;
  }
}

// ---- what there is --------------------------------------------------------------------------

export function catalog() {
  facts ??= JSON.parse(taken(exports().web_catalog()));
  return facts;
}

export const flows = () => catalog().flows;
export const schemes = () => catalog().schemes;
export const methods = () => catalog().methods;
export const problems = () => catalog().problems;
export const version = () => catalog().version;

export const applies = (problem, method) => (exports(),
  passing([word(problem, 'problem'), word(method, 'method')], (p, m) => wasm.web_applies(p, m) === 0));

export const bits = (steps = 10000) => (
  BigInt.asUintN(64, exports().web_bits(whole(steps, 'steps'))).toString(16).padStart(16, '0'));

export function csv(values, columns) {
  exports();
  if (whole(columns, 'columns') === 0) throw new PolhodeError('columns must be positive');
  return passing([Float64Array.from(values)], (at) => taken(wasm.web_csv(at, Math.floor(values.length / columns), columns)));
}

// ---- grades of programs ---------------------------------------------------------------------

const ROW = 15; // numbers of a row: grade_row of lab/measure/grade.h
const GRADE = ['attitude', 'energy', 'momentum', 'length', 'speed', 'energyDrift', 'attitudeDrift', 'order', 'h', 'diverged',
  'counted', 'matched', 'looksLike', 'verdict'];
const VERDICTS = ['passed', 'diverged', 'times missing', 'wrong length', 'wrong attitude', 'wrong speed'];

export function grade({ inertia, tensor = [...inertia, 0, 0, 0], attitude, torque, bound, times, states, mistakes = [] }, rows) {
  exports();
  const wheels = torque?.parameters.wheels ?? [0, 0, 0];
  const one = Float64Array.from([...tensor, ...attitude, ...wheels, bound, times.length, mistakes.length, ...times,
    ...states.flatMap(({ attitude: q, velocity: w, acceleration: a }) => [...q, ...w, ...a]),
    ...mistakes.flatMap(({ attitudes }) => attitudes.flat())]);
  const given = new Float64Array(ROW * rows.length);
  rows.forEach(({ t, q, w, h = 0 }, i) => given.set([t, ...q, ...w, h], ROW * i));
  return passing([one, mistakes.map(({ name }) => `${name}\0`).join(''), given, new Float64Array(GRADE.length)], (c, names, at, out) => {
    check(wasm.web_grade(c, names, rows.length, at, out));
    const graded = Object.fromEntries(Array.from(doubles(out, GRADE.length), (x, i) => [GRADE[i], x]));
    const mistake = wasm.web_mistake(graded.looksLike);
    const counted = Array.from({ length: graded.counted }, (_, i) => {
      const [t, q0, q1, q2, q3, w1, w2, w3, h, index, ...errors] = doubles(at + 8 * ROW * i, ROW);
      return { t, q: [q0, q1, q2, q3], w: [w1, w2, w3], h, index, attitude: errors[0], energy: errors[1], momentum: errors[2] };
    });
    return { ...graded, counted, looksLike: mistake === 0 ? null : text(mistake), verdict: VERDICTS[graded.verdict] };
  });
}

// ---- one free body --------------------------------------------------------------------------

export class Body extends Handle {
  constructor(given) {
    const { inertia, tensor } = options(given, ['inertia', 'tensor'], 'Body');
    if ((inertia === undefined) === (tensor === undefined)) throw new PolhodeError('give inertia, three moments, or tensor, one of them');
    let x;
    if (inertia === undefined) {
      const J = numbers(Array.isArray(tensor) ? tensor.flat() : tensor, 9, 'tensor');
      const largest = Math.max(...J.map(Math.abs));
      if ([[1, 3], [2, 6], [5, 7]].some(([a, b]) => Math.abs(J[a] - J[b]) > 1e-12 * largest)) throw new PolhodeError('tensor must be symmetric');
      x = new Float64Array([J[0], J[4], J[8], J[1], J[2], J[5]]);
    } else x = numbers(inertia, 3, 'inertia');
    exports();
    const at = passing([x, new Uint32Array(1)], (from, out) => {
      const status = wasm.web_body(out, from, inertia === undefined ? 1 : 0);
      if (status !== 0) wasm.web_release(pointer(out));
      check(status);
      return pointer(out);
    });
    super('Body', at, () => wasm.web_release(at));
    [this.moments, this.physical] = passing([new Float64Array(3)], (to) => {
      const physical = wasm.web_body_moments(at, to) !== 0;
      return [Array.from(doubles(to, 3)), physical];
    });
  }

  #converted(x, toVelocity) {
    return passing([x], (at) => {
      wasm.web_body_convert(this.handle, x.length / 3, at, toVelocity ? 1 : 0);
      return Array.from(doubles(at, x.length));
    });
  }

  velocity(momentum) {
    return this.#converted(numbers(momentum, 3, 'momentum'), true);
  }

  momentum(velocity) {
    return this.#converted(numbers(velocity, 3, 'velocity'), false);
  }

  motion(start) {
    const { attitude = [1, 0, 0, 0], velocity, momentum } = options(start, ['attitude', 'velocity', 'momentum'], 'motion');
    if ((velocity === undefined) === (momentum === undefined)) throw new PolhodeError('give velocity or momentum, one of them');
    const m = momentum === undefined ? this.momentum(velocity) : numbers(momentum, 3, 'momentum');
    const state = new Float64Array([...numbers(attitude, 4, 'attitude'), ...m]);
    return new Motion(passing([state, new Uint32Array(1)], (from, out) => {
      const status = wasm.web_motion_of(out, this.handle, from);
      if (status !== 0) wasm.web_release(pointer(out));
      check(status);
      return pointer(out);
    }));
  }
}

export class Motion extends Handle {
  constructor(at) {
    if (!Number.isInteger(at) || !wasm) throw new PolhodeError('a Motion is made by motion() of a Body or a System');
    super('Motion', at, () => wasm.web_release(at));
    this.period = wasm.web_motion_period(at);
    this.precession = wasm.web_motion_precession(at);
  }

  at(time) {
    const single = typeof time === 'number';
    const times = numbers(time, null, 'time');
    const n = times.length;
    return passing([times, new Float64Array(10 * n)], (t, out) => {
      wasm.web_motion_fill(this.handle, t, n, out, out + 32 * n, out + 56 * n);
      const all = doubles(out, 10 * n).slice();
      const part = (from, to) => (single ? Array.from(all.subarray(from, to)) : all.subarray(from * n, to * n));
      return { attitude: part(0, 4), momentum: part(4, 7), velocity: part(7, 10) };
    });
  }

  velocityByMomentum(time) {
    return passing([new Float64Array(9)], (out) => (
      wasm.web_motion_spread(this.handle, number(time, 'time'), out) === 0 ? doubles(out, 9).slice() : null));
  }
}

// ---- systems --------------------------------------------------------------------------------

export class System extends Handle {
  constructor(problem, method = '', given = {}) {
    const held = { system: 0, row: 0 };
    const release = () => {
      wasm.web_release(held.row);
      wasm.web_free(held.system);
    };
    if (problem instanceof Snapshot) {
      held.system = problem.at;
      super('System', held.system, release);
      this.#begin(held);
      return;
    }
    if (typeof given !== 'object' || given === null) throw new PolhodeError('the options of a System are an object, such as { step: 0.01 }');
    const { step, tolerance, parameters = {}, ...start } = given;
    const h = step === undefined ? 0 : number(step, 'step');
    if (typeof parameters !== 'object' || parameters === null) throw new PolhodeError('parameters must be an object of numbers by name');
    const settings = [...Object.entries(parameters), ...Object.entries(start)]
      .filter(([, values]) => values !== undefined && values !== null)
      .map(([name, values]) => [word(name, 'the name of a parameter'), numbers(values, null, name)]);
    const all = Float64Array.from(settings.flatMap(([, values]) => [values.length, ...values]));
    const names = settings.map(([name]) => `${name}\0`).join('');
    const error = tolerance === undefined ? 0 : number(tolerance, 'tolerance');
    exports();
    held.system = passing([word(problem, 'problem'), word(method, 'method'), names, all, new Uint32Array(1)], (p, m, n, x, out) => {
      if (wasm.web_create(out, p, m, h, error, settings.length, n, x) !== 0) throw new PolhodeError(text(wasm.web_message()));
      return pointer(out);
    });
    super('System', held.system, release);
    this.#begin(held);
    if (h !== 0 || error !== 0 || this.facts.adaptive) return;
    this.free();
    throw new PolhodeError(`${this.facts.method} needs a step: give { step: ... } as the third argument`);
  }

  #row; // the memory of a row
  #parts = new Map(); // where in a row a field lies

  #begin(held) {
    this.facts = JSON.parse(taken(wasm.web_describe(held.system)));
    this.width = wasm.web_row_doubles(held.system);
    this.#row = held.row = allocate(8 * this.width);
    let first = 1;
    for (const { name, shown, width, count } of this.facts.fields) {
      if (!shown) continue;
      this.#parts.set(name, { first, size: width * count });
      first += width * count;
    }
    this.#parts.set('energy', { first, size: 1 });
  }

  static load(snapshot) {
    exports();
    if (!(snapshot instanceof Uint8Array)) throw new PolhodeError('a snapshot is a Uint8Array');
    return new System(new Snapshot(passing([snapshot, new Uint32Array(1)], (bytes, out) => {
      check(wasm.web_open(out, bytes, snapshot.length));
      return pointer(out);
    })));
  }

  save() {
    const size = wasm.web_save(this.handle, 0, 0);
    return passing([new Uint8Array(size)], (at) => {
      wasm.web_save(this.handle, at, size);
      return new Uint8Array(wasm.memory.buffer, at, size).slice();
    });
  }

  run(how) {
    const { steps, until } = options(how, ['steps', 'until'], 'run');
    if ((steps === undefined) === (until === undefined)) throw new PolhodeError('give steps or until, one of them');
    if (until !== undefined) check(wasm.web_run_until(this.handle, number(until, 'until')), 'until: ');
    else check(wasm.web_take(this.handle, whole(steps, 'steps')));
    return this;
  }

  advance(steps, time, end) {
    const status = wasm.web_run(this.handle, steps, time, end);
    if (status === 0) return true;
    const why = status < 0 ? 'it needs too many steps of its own for one of the page' : text(wasm.web_status_text(status));
    this.failure = `${why}, after step ${this.steps}`;
    return false;
  }

  row(time) {
    const at = this.handle;
    wasm.web_look(at, time === undefined ? wasm.web_time(at) : number(time, 'time'), this.#row);
    return doubles(this.#row, this.width).slice();
  }

  get(name) {
    const part = this.#parts.get(name);
    if (!part) throw new PolhodeError(`this system has no ${name}`);
    return Array.from(this.row().subarray(part.first, part.first + part.size));
  }

  get time() { return wasm.web_time(this.handle); }
  get steps() { return wasm.web_steps(this.handle); }
  get energy() { return this.get('energy')[0]; }
  get attitude() { return this.get('attitude'); }
  get momentum() { return this.get('momentum'); }
  get velocity() { return this.get('velocity'); }

  motion() {
    const at = wasm.web_motion_from(this.handle);
    return at === 0 ? null : new Motion(at);
  }
}

class Snapshot {
  constructor(at) {
    this.at = at;
  }
}

// ---- many free bodies -----------------------------------------------------------------------

export class Batch extends Handle {
  constructor(inertia, attitude, momentum) {
    const J = numbers(inertia, null, 'inertia');
    const n = J.length / 3;
    if (!Number.isInteger(n)) throw new PolhodeError('inertia must be three columns of the same length');
    exports();
    const q = numbers(attitude, 4 * n, 'attitude');
    const m = numbers(momentum, 3 * n, 'momentum');
    const at = allocate(Math.max(80 * n, 1));
    super('Batch', at, () => wasm.web_release(at));
    this.#columns = { inertia: J, attitude: q, momentum: m };
  }

  #columns; // their numbers may be written, but there are always as many

  get count() { return this.#columns.inertia.length / 3; }
  get inertia() { return this.#columns.inertia; }
  get attitude() { return this.#columns.attitude; }
  get momentum() { return this.#columns.momentum; }

  step(flow, h) {
    const { count: n, handle: at } = this;
    const time = number(h, 'h');
    const failed = passing([word(flow, 'flow'), new Uint32Array(1)], (name, out) => {
      const all = doubles(at, 10 * n);
      all.set(this.attitude);
      all.set(this.momentum, 4 * n);
      all.set(this.inertia, 7 * n);
      const status = wasm.web_batch(name, n, at, time, out);
      return status === 0 ? null : `${text(wasm.web_status_text(status))}, body ${pointer(out)}`;
    });
    const all = doubles(at, 10 * n);
    this.attitude.set(all.subarray(0, 4 * n));
    this.momentum.set(all.subarray(4 * n, 7 * n));
    if (failed) throw new PolhodeError(failed);
    return this;
  }
}
