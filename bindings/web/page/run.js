// run.js - several integrators side by side from the same start, what they have done so far, and
// the exact motion, or a finer one, to compare them with.

import { LibraryError, Spread, uniform } from './library.js';
import { MOST_STEPS } from './settings.js';

const MOST_ROWS = 16384;      // kept of each system, before every other one is dropped
const MOST_NUMBERS = 4e6;     // of these rows together
const FINER = 4;              // steps of the reference to one of a method,
const REFERENCE = 1e-13;      // or its tolerance
const CHUNK = 32;             // steps between two looks at the clock
const TRAIL = 1000;           // points of a path
const TRAIL_TURN = 60;        // of them in a turn of the exact motion
const TRAIL_COARSEST = 0.25;  // radians from one to the next
const SMALLEST = 1e-17;       // error that a logarithm is taken of

// Rows of a system after every `every` steps, and the last.
class History {
  constructor(width) {
    this.width = width;
    this.most = Math.max(256, Math.min(MOST_ROWS, Math.floor(MOST_NUMBERS / width)));
    this.rows = [];
    this.errors = [];
    this.every = 1;
    this.last = null;
  }

  add(step, row, error) {
    this.last = row;
    if (step % this.every !== 0) return;
    this.rows.push(row);
    this.errors.push(error);
    if (this.rows.length <= this.most) return;
    this.rows = this.rows.filter((_, i) => i % 2 === 0);
    this.errors = this.errors.filter((_, i) => i % 2 === 0);
    this.every *= 2;
  }

  // The rows before and after a number of steps, and how far between them it is.
  around(steps, head) {
    const at = Math.max(0, Math.min(steps, head));
    const i = Math.min(Math.floor(at / this.every), this.rows.length - 1);
    const end = i + 1 < this.rows.length ? (i + 1) * this.every : head;
    const after = i + 1 < this.rows.length ? this.rows[i + 1] : this.last;
    const part = end > i * this.every ? (at - i * this.every) / (end - i * this.every) : 0;
    return { before: this.rows[i], after, part };
  }
}

const slice = (row, layout) => row.subarray(layout.first, layout.first + layout.size);

// Between two rows: positions and velocities linearly, attitudes on the sphere.
function between({ before, after, part }, layout) {
  if (part <= 0) return before;
  if (part >= 1) return after;
  const row = before.map((x, i) => x + part * (after[i] - x));
  for (const field of layout.fields) {
    if (field.width !== 4) continue;
    for (let i = field.first; i < field.first + field.size; i += 4) {
      let dot = 0;
      for (let k = 0; k < 4; k++) dot += before[i + k] * after[i + k];
      const angle = Math.acos(Math.min(1, Math.abs(dot)));
      const [a, b] = angle < 1e-6 ? [1 - part, part]
        : [Math.sin((1 - part) * angle) / Math.sin(angle), Math.sin(part * angle) / Math.sin(angle)];
      let length = 0;
      for (let k = 0; k < 4; k++) {
        row[i + k] = a * before[i + k] + (dot < 0 ? -b : b) * after[i + k];
        length += row[i + k] ** 2;
      }
      for (let k = 0; k < 4; k++) row[i + k] /= Math.sqrt(length);
    }
  }
  return row;
}

// Where the fields stand in a row.
function layoutOf(facts) {
  const fields = [];
  let first = 1;
  for (const field of facts.fields.filter(({ shown }) => shown)) {
    fields.push({ ...field, first, size: field.width * field.count });
    first += field.width * field.count;
  }
  const observables = [];
  let column = first + 1;
  for (const observable of facts.observables) {
    observables.push({ ...observable, column });
    column += observable.width;
  }
  return { fields, energy: first, observables };
}

// The largest angle between attitudes, or between unit vectors, of two rows.
function angleBetween(layout, a, b) {
  const field = layout.fields.find(({ name }) => name === 'attitude' || name === 'q');
  if (!field) return NaN;
  const { width } = field;
  let largest = 0;
  for (let i = field.first; i < field.first + field.size; i += width) {
    let less = 0;
    let more = 0;
    for (let k = 0; k < width; k++) {
      less += (a[i + k] - b[i + k]) ** 2;
      more += (a[i + k] + b[i + k]) ** 2;
    }
    const chord = Math.sqrt(width === 4 ? Math.min(less, more) : less);
    const angle = (width === 4 ? 4 : 2) * Math.asin(Math.min(1, chord / 2));
    if (!(angle <= largest)) largest = angle;
  }
  return largest;
}

// How far an observable of a row is from that of another, over its size if it is relative.
function deviation({ column, width, relative }, start, row) {
  let off = 0;
  let size = 0;
  for (let k = column; k < column + width; k++) {
    off = Math.hypot(off, row[k] - start[k]);
    size = Math.hypot(size, start[k]);
  }
  return relative && size > 0 ? off / size : off;
}

// The time after n steps, by the rule of the library (src/base/even_times.h): decimal steps lead to decimal times, three of 0.1 to 0.3.
function evenTime(start, n, step) {
  const digits = 15, sum = start + n * step;
  const decimal = (x) => Number(x.toPrecision(digits));
  return decimal(start) === start && decimal(step) === step ? decimal(sum) : sum;
}

export class Run {
  // ---- making one

  static ofSettings(library, settings, referenceOf) {
    const systems = [];
    try {
      for (const method of settings.methods) {
        try {
          systems.push(library.create(settings, method, settings.step));
        } catch (error) {
          throw error instanceof LibraryError ? new LibraryError(`${method} on ${settings.problem}: ` +
            `${error.message}`) : error;
        }
      }
      return new Run(library, settings, systems, referenceOf);
    } catch (error) {
      for (const system of systems) system.free();
      throw error;
    }
  }

  // The run of a snapshot; where its start can be given by settings too, it is.
  static ofSnapshot(library, snapshot, view, referenceOf) {
    const system = library.open(snapshot);
    const { facts } = system;
    const field = (name) => facts.fields.find((one) => one.name === name)?.values;
    const axes = field('axes');
    const editable = axes?.[0] === 1 && facts.time === 0;
    const start = editable ? system.row() : null;
    const settings = { ...view, problem: facts.problem, methods: [facts.method], step: facts.step,
      tolerance: field('tolerance')?.[0],
      parameters: Object.fromEntries(facts.parameters.map((p) => [p.name, p.default])), bodies: 0,
      length: view.length > 0 ? view.length : 1000 * Math.abs(facts.step), fixed: !editable };
    if (editable) {
      settings.inertia = field('moments');
      const part = layoutOf(facts).fields;
      for (const { name } of library.catalog.problems.find(({ name: one }) => one === facts.problem)?.start ?? []) {
        const at = part.find((one) => one.name === name && !one.list && name !== 'velocity');
        if (at) settings[name] = Array.from(slice(start, at));
      }
    }
    return new Run(library, settings, [system], referenceOf, { snapshot });
  }

  // A run that was computed elsewhere, by its rows.
  static ofRecording(library, facts, rows, view) {
    return new Run(library, { ...view, problem: facts.problem, methods: [facts.method], parameters: {},
      bodies: 0, step: facts.step, fixed: true }, [], null, { recording: { facts, rows } });
  }

  static ofCloud(library, settings, Cloud) {
    return new Run(library, settings, [], null, { Cloud });
  }

  constructor(library, settings, systems, referenceOf, { Cloud, snapshot, recording } = {}) {
    this.library = library;
    this.settings = settings;
    this.problem = library.catalog.problems.find(({ name }) => name === settings.problem);
    this.systems = systems;
    this.step = settings.step;
    this.head = 0;
    this.shown = 0;
    this.snapshot = snapshot ?? null;
    if (Cloud) this.makeCloud(Cloud);
    else if (recording) this.play(recording);
    else this.begin(referenceOf);
  }

  begin(referenceOf) {
    const [first] = this.systems;
    this.layout = layoutOf(first.facts);
    this.start = first.facts.time;
    this.motion = first.motion();
    this.reference = null;
    const compared = first.facts.fields.some(({ name }) => name === 'attitude' || name === 'q');
    if (!this.motion && compared && !this.settings.fixed) {
      try {
        this.reference = this.referenceBy(referenceOf(this.problem));
      } catch {
        this.reference = null; // nothing to compare with
      }
    }
    this.restart();
    this.describe(first.facts);
    this.spreadBy(this.settings.uncertainty ?? 0);
  }

  // Other starts to be shown, whose momenta differ by up to a part of the momentum.
  spreadBy(part) {
    this.spread?.free();
    this.spread = null;
    this.settings.uncertainty = part;
    if (!this.motion || this.settings.fixed || !(part > 0)) return;
    const { attitude: q, momentum: m } = this.motion.at(new Float64Array([0]));
    this.spread = new Spread(this.motion, this.facts.moments, { q, m }, part * Math.hypot(...m));
  }

  referenceBy(method) {
    return this.library.create(this.settings, method, this.step / FINER, REFERENCE);
  }

  // What the page is told of the run.
  describe({ kind, problem, parameters, fields }) {
    const plots = this.layout.observables.filter(({ conserved, defect }) => conserved && !defect);
    this.plotted = plots.length > 2 ? [plots[0], plots.at(-1)] : plots;
    this.facts = {
      kind,
      single: !this.layout.fields[0].list,
      directions: this.layout.fields[0].name === 'q',
      problem,
      parameters,
      entries: Math.max(...this.layout.fields.map(({ count }) => count)),
      layout: this.layout,
      start: this.histories[0].rows[0],
      moments: fields.find(({ name }) => name === 'moments')?.values ?? [1, 1, 1], // of a ball
      comparison: this.motion ? 'exact motion' : this.reference ? `${this.reference.facts.method}, ` +
        `${this.reference.facts.adaptive ? `tolerance ${REFERENCE}` : `steps of h/${FINER}`}` : null,
      period: this.motion ? this.motion.period : null,
      plots: this.plotted.map(({ label }) => label),
    };
  }

  // A recording: rows at the times they have.
  play({ facts, rows }) {
    this.layout = layoutOf(facts);
    const width = Math.max(this.layout.energy + 1, ...this.layout.observables.map(({ column, width: w }) => column + w));
    this.recorded = new History(width);
    this.recorded.most = Infinity;
    this.histories = [this.recorded];
    this.start = 0;
    this.motion = null;
    this.reference = null;
    this.systems = [{ failure: null }];
    this.append(rows, width);
    if (this.recorded.rows.length === 0) throw new LibraryError('the recording has no rows');
    this.describe(facts);
    const last = this.recorded.last[0];
    const span = last - this.recorded.rows[0][0];
    this.settings.length ||= Math.abs(span) || 1;
    this.settings.step ||= span / Math.max(1, this.recorded.rows.length - 1) || 1;
    this.settings.speed ||= this.settings.length / 20;
  }

  // More rows of a recording that grows.
  append(rows, width = this.recorded.width) {
    for (const row of rows) {
      if (!Array.isArray(row) || row.length !== width || !row.every((x) => x === null || Number.isFinite(x))) {
        throw new LibraryError('the recording has a row that is none');
      }
      this.recorded.add(0, Float64Array.from(row, (x) => x ?? NaN), NaN);
    }
    this.head = this.recorded.rows.length - 1;
  }

  // How many rows of a recording are before a time, with a fraction.
  place(time) {
    const { rows } = this.recorded;
    const sign = rows.at(-1)[0] < rows[0][0] ? -1 : 1;
    let low = 0;
    let high = rows.length - 1;
    if (sign * time >= sign * rows[high][0]) return high;
    if (sign * time <= sign * rows[0][0]) return 0;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (sign * rows[middle][0] <= sign * time) low = middle;
      else high = middle;
    }
    return low + (time - rows[low][0]) / (rows[high][0] - rows[low][0]);
  }

  // The systems at their start, and nothing recorded.
  restart() {
    if (this.head > 0) {
      for (const [i, system] of this.systems.entries()) {
        const { method } = system.facts;
        system.free();
        this.systems[i] = this.snapshot ? this.library.open(this.snapshot)
          : this.library.create(this.settings, method, this.step);
      }
      if (this.reference) {
        const { method } = this.reference.facts;
        this.reference.free();
        this.reference = this.referenceBy(method);
      }
    }
    this.head = 0;
    this.histories = this.systems.map((system) => new History(system.width));
    this.comparison = this.reference ? new History(this.reference.width) : null;
    this.comparison?.add(0, this.reference.row(), 0);
    for (const [i, system] of this.systems.entries()) this.histories[i].add(0, system.row(), 0);
  }

  makeCloud(Cloud) {
    const { settings, problem } = this;
    const { bodies: n, spread } = settings;
    const J = settings.inertia ?? problem.inertia;
    const w = settings.velocity ?? settings.momentum?.map((m, k) => m / J[k]) ?? problem.velocity;
    if (J.some((x) => !(x > 0))) {
      throw new LibraryError('moments of inertia must be positive and finite');
    }
    const q = settings.attitude ?? problem.attitude;
    const length = Math.hypot(...q);
    const speed = Math.hypot(...w);
    const random = uniform(1);
    const normal = () => { // sum of twelve uniform numbers
      let sum = -6;
      for (let i = 0; i < 12; i++) sum += random();
      return sum;
    };
    const columns = new Float64Array(10 * n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < 4; k++) columns[k * n + i] = q[k] / length;
      for (let k = 0; k < 3; k++) {
        columns[(4 + k) * n + i] = J[k] * (w[k] + (i === 0 ? 0 : spread * speed * normal()));
        columns[(7 + k) * n + i] = J[k];
      }
    }
    this.cloud = new Cloud(columns);
    this.facts = { cloud: true, problem: problem.name, parameters: [], entries: n, moments: J,
      comparison: null, plots: [], period: null };
  }

  free() {
    if (!this.recorded) for (const system of this.systems) system.free();
    this.reference?.free();
    this.spread?.free();
    this.motion?.free();
    this.cloud?.free();
  }

  // ---- going on

  // Takes every system that has not failed to a number of steps; the reference before them. The
  // run is to end after `last` of them, which is for methods that choose their own.
  stepTo(goal, last) {
    const end = goal <= last ? evenTime(this.start, last, this.step) : this.start + Infinity * this.step;
    while (this.head < goal) {
      const step = this.head + 1;
      const time = evenTime(this.start, step, this.step);
      let exact = null;
      if (this.motion) exact = this.exactRow(step * this.step);
      if (this.reference && !this.reference.failure) {
        if (this.reference.advance(FINER, time, end)) {
          exact = this.reference.row(time);
          this.comparison.add(step, exact, 0);
        }
      }
      let alive = false;
      for (const [i, system] of this.systems.entries()) {
        if (system.failure || !system.advance(1, time, end)) continue;
        alive = true;
        const row = system.row(time);
        this.histories[i].add(step, row, exact ? angleBetween(this.layout, row, exact) : NaN);
      }
      if (!alive) return false;
      this.head = step;
    }
    return true;
  }

  // The exact motion as a row: attitude, momentum, velocity.
  exactRow(time) {
    const { attitude, momentum } = this.motion.at(time);
    const row = new Float64Array(this.layout.energy + 1);
    row.set([time, ...attitude, ...momentum]);
    return row;
  }

  // Exactly so many steps from where the view stands.
  advance(steps) {
    if (!Number.isInteger(steps) || steps < 0 || steps > MOST_STEPS) {
      throw new LibraryError(`cannot take ${steps} steps: write a whole number up to ${MOST_STEPS}`);
    }
    if (this.cloud) return this.frame((Math.round(this.shown / this.step) + steps) * this.step);
    const from = Math.floor(this.shown / this.step + 1e-9);
    if (this.recorded) throw new LibraryError('a recording cannot be advanced');
    if (from < this.head) this.restart();
    const arrived = this.stepTo(from + steps, from + steps);
    const frame = this.frame(this.head * this.step);
    if (!arrived) throw new LibraryError(this.systems.find(({ failure }) => failure).failure);
    return frame;
  }

  // Looks at a time from the start of the run; computes up to it, for so long. The frame tells
  // whether it arrived, or can come no further.
  seek(time, milliseconds) {
    let reached = time;
    let arrived = true;
    if (!this.cloud && !this.recorded) {
      const goal = Math.ceil(time / this.step - 1e-9);
      const all = Math.round(this.settings.length / Math.abs(this.step));
      const end = performance.now() + milliseconds;
      let alive = true;
      while (alive && this.head < goal && performance.now() < end) {
        alive = this.stepTo(Math.min(goal, this.head + CHUNK), all);
      }
      arrived = !alive || this.head >= goal;
      const last = this.head * this.step;
      if (Math.abs(reached) > Math.abs(last)) reached = last;
    }
    return { ...this.frame(reached), arrived };
  }

  // ---- looking

  frame(time) {
    this.shown = time;
    if (this.cloud) {
      const attitudes = this.cloud.at(time);
      const [w, x, y, z, ...momentum] = this.cloud.body(0);
      return { time, after: time, attitudes, momenta: this.cloud.directions(), state: { time, attitude: [w, x, y, z], momentum } };
    }
    const at = this.recorded ? this.place(time) : time / this.step;
    const views = this.systems.map((system, i) => {
      const row = between(this.histories[i].around(at, this.head),
        this.layout);
      const trail = this.trail(this.histories[i], at);
      return { row, failure: system.failure ?? null, trail, trailTimes: this.trailTimes };
    });
    const result = { time: this.start + time, after: time, views };
    if (this.motion) {
      result.exact = this.exactRow(time);
      result.exactTrail = this.exactTrail(time);
      result.exactTrailTime = this.start + time - this.trailWindow(time);
      result.spread = this.spread?.at(time) ?? null;
    } else if (this.comparison) {
      result.exact = between(this.comparison.around(at, this.head), this.layout);
      result.exactTrail = this.trail(this.comparison, at);
    }
    result.state = this.state();
    return result;
  }

  // The first system at the end of its last step at or before the time shown.
  state() {
    const history = this.histories[0];
    const steps = Math.floor(this.recorded ? this.place(this.shown) : this.shown / this.step + 1e-9);
    const row = steps >= this.head ? history.last : history.rows[Math.floor(steps / history.every)];
    const state = { time: row[0] };
    for (const field of this.layout.fields) {
      const values = Array.from(slice(row, field));
      state[field.name] = !field.list ? values : Array.from({ length: field.count },
        (_, i) => values.slice(i * field.width, (i + 1) * field.width));
    }
    state.energy = row[this.layout.energy];
    return state;
  }

  // The last rows up to a time, thinned out: the fields alone.
  trail(history, at) {
    const last = Math.min(history.rows.length - 1, Math.floor(Math.abs(at) / history.every));
    const most = Math.max(2, Math.floor(TRAIL / Math.max(1, this.layout.fields[0].count / 4)));
    const velocity = this.layout.fields.find(({ name }) => name === 'velocity');
    const angle = velocity ? Math.hypot(...slice(history.rows[0], velocity)) * Math.abs(this.step) * history.every : Infinity;
    const thin = Math.max(1, Math.min(Math.ceil(last / most), Math.floor(TRAIL_COARSEST / angle)));
    const first = Math.max(0, last - most * thin);
    const size = this.layout.energy - 1;
    const picked = [];
    for (let i = last; i >= first; i -= thin) picked.push(history.rows[i]);
    picked.reverse();
    this.trailTimes = [picked[0][0], picked.at(-1)[0]];
    const out = new Float32Array(picked.length * size);
    picked.forEach((row, i) => out.set(row.subarray(1, 1 + size), i * size));
    return out;
  }

  // For how long before a time the exact motion is drawn.
  trailWindow(time) {
    const velocity = this.layout.fields.find(({ name }) => name === 'velocity');
    const rate = Math.hypot(...slice(this.histories[0].rows[0], velocity));
    this.longestWindow = rate > 0 ? (TRAIL / TRAIL_TURN) * 2 * Math.PI / rate : 0;
    return Math.min(Math.abs(time), this.longestWindow) * Math.sign(time);
  }

  // The exact motion before a time: attitude and momentum, seven numbers for each point.
  exactTrail(time) {
    const duration = this.trailWindow(time);
    const n = Math.max(2, Math.ceil(TRAIL * Math.abs(duration) / (this.longestWindow || 1)));
    const times = Float64Array.from({ length: n }, (_, i) => time - duration * (1 - i / (n - 1)));
    const { attitude: q, momentum: m } = this.motion.at(times);
    const out = new Float32Array(7 * n);
    for (let i = 0; i < n; i++) {
      out.set(q.subarray(4 * i, 4 * i + 4), 7 * i);
      out.set(m.subarray(3 * i, 3 * i + 3), 7 * i + 4);
    }
    return out;
  }

  // For each plot the times and, for each system, the largest error around them.
  plots(points) {
    if (this.cloud) return { times: new Float64Array(0), errors: [] };
    const histories = this.histories;
    const count = Math.max(...histories.map(({ rows }) => rows.length));
    const bucket = Math.max(1, Math.ceil(count / points));
    const n = Math.ceil(count / bucket);
    const { rows } = histories.reduce((a, b) => (b.rows.length > a.rows.length ? b : a));
    const times = Float64Array.from({ length: n }, (_, i) => rows[Math.min(i * bucket, count - 1)][0]);
    const largest = (history, value) => Array.from({ length: n }, (_, i) => {
      let most = null;
      const end = Math.min((i + 1) * bucket, history.rows.length);
      for (let k = i * bucket; k < end; k++) {
        const x = value(history, k);
        if (Number.isFinite(x) && (most === null || x > most)) most = x;
      }
      return most === null ? null : Math.max(most, SMALLEST);
    });
    const errors = this.plotted.map((observable) => histories.map((history) => (
      largest(history, (h, k) => deviation(observable, h.rows[0], h.rows[k])))));
    if (this.facts.comparison) {
      errors.push(histories.map((history) => largest(history, (h, k) => h.errors[k])));
    }
    return { times, errors };
  }

  // The rows of the first system, as the tool writes them.
  csv() {
    if (this.cloud) throw new LibraryError('many bodies are not written as rows');
    const { layout } = this;
    const history = this.histories[0];
    const columns = layout.energy + 1;
    const names = ['t'];
    for (const field of layout.fields) {
      const each = field.columns.split(',');
      for (let i = 0; i < field.count; i++) {
        names.push(...each.map((name) => (field.list ? `${field.name}${i + 1}${name}` : name)));
      }
    }
    names.push('energy');
    const numbers = new Float64Array(history.rows.length * columns);
    history.rows.forEach((row, i) => numbers.set(row.subarray(0, columns), i * columns));
    return `${names.join(',')}\n${this.library.csv(numbers, columns)}`;
  }

  // The fields of the first system over the time computed so far, for an animation.
  track(frames) {
    if (this.cloud) throw new LibraryError('many bodies are not written as a scene');
    const { rows } = this.histories[0];
    const thin = Math.max(1, Math.ceil(rows.length / frames));
    return rows.filter((_, i) => i % thin === 0);
  }
}
