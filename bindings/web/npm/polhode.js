// polhode.js - the library (a WebAssembly module, bindings/web/module.c) as classes: Body, Motion, System,
// Batch, named as in Python. Attitudes are quaternions, scalar first, from body to space; momenta
// and velocities are in the body. polhode.d.ts documents every name.

import { core, Handle, number, numbers, options, PolhodeError, whole, word } from './core.js';

let wasm = null; // the exports of the module
let facts = null;

const { init, exports, doubles, allocate, text, taken, passing, check, pointer, Body, Motion } = core('web_create', (loaded) => {
  wasm = loaded;
});

export { Body, init, Motion, PolhodeError };

// The small module does not have derivatives.
Motion.prototype.velocityByMomentum = function velocityByMomentum(time) {
  return passing([new Float64Array(9)], (out) => (
    wasm.web_motion_spread(this.handle, number(time, 'time'), out) === 0 ? doubles(out, 9).slice() : null));
};

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

const ROW = 16; // numbers of a row: ph_grade_row of polhode/grade.h
const GRADE = ['attitude', 'energy', 'momentum', 'length', 'speed', 'velocity', 'energyDrift', 'attitudeDrift', 'order', 'h', 'diverged',
  'counted', 'matched', 'looksLike', 'verdict'];
const VERDICTS = ['passed', 'diverged', 'times missing', 'wrong length', 'wrong attitude', 'wrong velocity'];

export function grade({ inertia, tensor = [...inertia, 0, 0, 0], attitude, torque, bound, velocity_bound: velocityBound, times, states, mistakes = [] }, rows) {
  exports();
  const wheels = torque?.parameters.wheels ?? [0, 0, 0];
  const one = Float64Array.from([...tensor, ...attitude, ...wheels, bound, velocityBound, times.length, mistakes.length, ...times,
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
