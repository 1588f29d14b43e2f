// grade.js - the results of any program on the cases of conformance/, graded by the library
// (lab/measure/grade.c has the definitions), and shown beside the certified motion.

import { PolhodeError as LibraryError } from '../npm/core.js'; // all that is needed of it outside of the worker
import { numberIn, shown } from './settings.js';

const COLUMNS = ['t', 'q0', 'q1', 'q2', 'q3', 'w1', 'w2', 'w3'];
const TRAIL = 150;        // points of a path
const TRAIL_ANGLE = 0.1;  // radians from one to the next
const SHOWN_RATE = 2;     // radians in a second of the film
const SMALLEST = 1e-17;   // error that a logarithm is taken of
const FASTEST = 1e100;    // angular velocity of a body that is shown

const wrong = (text) => { throw new LibraryError(text); };

// ---- vectors and quaternions, scalar first

const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
const norm = (a) => Math.hypot(...a);
const add = (a, b) => a.map((x, k) => x + b[k]);
const scale = (s, a) => a.map((x) => s * x);
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
const unit = (q) => scale(1 / norm(q), q);
const inverse = ([s, x, y, z]) => [s, -x, -y, -z];
const mul = ([s, ...v], [t, ...u]) => [s * t - dot(v, u), ...add(add(scale(s, u), scale(t, v)), cross(v, u))];
const rotate = (q, v) => mul(mul(q, [0, ...v]), inverse(q)).slice(1);

// ---- the cases

// A free body from a state, at any time: { motion, moments, axes }.
function freeMotion(library, { inertia, tensor }, attitude, velocity) {
  const system = library.create({ problem: 'free', parameters: {}, inertia, tensor, attitude, velocity }, 'exact', 1);
  const motion = system.motion();
  const value = (name) => system.facts.fields.find((field) => field.name === name).values;
  const [moments, axes] = [value('moments'), value('axes')];
  system.free();
  return { motion, moments, axes };
}

// The cases as the page was built with, and what follows from them when one is looked at.
export class Cases {
  constructor(library, list) {
    this.library = library;
    this.list = list;
    this.complete = new Map();
  }

  find(name) {
    if (!this.list.some((one) => one.name === name)) wrong(`there is no case ${shown(name)}`);
    if (!this.complete.has(name)) this.complete.set(name, this.completed(this.list.find((one) => one.name === name)));
    return this.complete.get(name);
  }

  // States at its times, in the axes of the case; of a free body by its exact motion.
  completed(given) {
    const one = { ...given, start: unit(given.attitude) };
    one.free = freeMotion(this.library, one, one.start, one.velocity);
    if (one.torque) return one;
    const { motion, moments, axes } = one.free;
    const { attitude: q, momentum: m } = motion.at(Float64Array.from(one.times));
    one.states = one.times.map((_, i) => {
      const L = rotate(inverse(axes), Array.from(m.subarray(3 * i, 3 * i + 3))); // in principal axes
      const w = L.map((x, k) => x / moments[k]);
      const a = cross(L, w).map((x, k) => x / moments[k]);
      return { attitude: Array.from(q.subarray(4 * i, 4 * i + 4)), velocity: rotate(axes, w), acceleration: rotate(axes, a) };
    });
    return one;
  }
}

// ---- results

// The number of a program: NaN for what is not finite, too large or left out, as of one that diverged;
// undefined for what is no number.
function numberOf(word) {
  if (word === '' || /^[-+]?\.?(nan|inf)/i.test(word)) return NaN;
  const x = numberIn(word);
  if (Number.isNaN(x)) return undefined;
  return Number.isFinite(x) ? x : NaN;
}

// The rows of a CSV text: case, t, q, w and h, which may be missing.
export function resultsFrom(name, text) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/).map((line, i) => [line, i + 1])
    .filter(([line]) => line.trim() !== '' && !line.startsWith('#'));
  const head = (lines.shift()?.[0] ?? '').split(',').map((word) => word.trim());
  const at = COLUMNS.map((column) => head.indexOf(column));
  if (at.includes(-1)) wrong(`${name} has no column ${COLUMNS[at.indexOf(-1)]}: write case,${COLUMNS.join(',')}`);
  const rows = lines.map(([line, number]) => {
    const words = line.split(',').map((word) => word.trim());
    if (words.length !== head.length) wrong(`${name}, line ${number}: ${head.length} values are expected`);
    const x = [...at, head.indexOf('h')].map((column) => (column < 0 ? 0 : numberOf(words[column])));
    if (x.includes(undefined)) wrong(`${name}, line ${number}: ${shown(words[[...at, head.indexOf('h')][x.indexOf(undefined)]])} is not a number`);
    const h = x.at(-1);
    if (Number.isNaN(h)) wrong(`${name}, line ${number}: the step h is not finite`);
    return { of: words[head.indexOf('case')], number, h, t: x[0], q: x.slice(1, 5), w: x.slice(5, 8) };
  });
  if (rows.length === 0) wrong(`${name} has no rows`);
  return { name, rows };
}

export const areResults = (text) => /^\uFEFF?(#.*\n|[ \t\r]*\n)*[^#\n]*\bcase\b/.test(text);

// The grades of all cases that have rows; `missing` counts the others.
export class Grades {
  constructor(cases, { name, rows }) {
    this.cases = cases;
    this.name = name;
    this.rows = new Map();
    for (const row of rows) {
      if (!this.rows.has(row.of) && !cases.list.some((one) => one.name === row.of)) wrong(`${name}, line ${row.number}: there is no case ${shown(row.of)}`);
      if (!this.rows.has(row.of)) this.rows.set(row.of, []);
      this.rows.get(row.of).push(row);
    }
    this.graded = new Map(cases.list.filter((one) => this.rows.has(one.name))
      .map((one) => [one.name, cases.library.grade(cases.find(one.name), this.rows.get(one.name))]));
    this.list = Array.from(this.graded, ([of, { counted, ...grade }]) => {
      const { title, bound, times } = cases.find(of);
      return { ...grade, name: of, title, bound, missing: times.length - grade.matched, passed: grade.verdict === 'passed' };
    });
    this.passed = this.list.filter(({ passed }) => passed).length;
    this.missing = cases.list.length - this.list.length;
  }

  // What a case is shown by: the rows that count, and all of the same step, as far as a body can have them.
  shownBy(name) {
    const { h, counted } = this.graded.get(name);
    const possible = ({ t, q, w }) => [t, ...q, ...w].every(Number.isFinite) && norm(q) > 0 && norm(w) < FASTEST;
    const own = this.rows.get(name).filter((row) => row.h === h && possible(row)).map((row) => ({ ...row, q: unit(row.q) }));
    return { counted: counted.filter(possible), own: own.toSorted((a, b) => a.t - b.t) };
  }
}

// ---- a case on the stage

const FIELDS = [['attitude', 1, 4], ['momentum', 5, 3], ['velocity', 8, 3]];
const ENERGY = 11;

// A run for the stage: the program's body, where there are results, and the certified one. A free body
// goes on exactly after each row of a program; others stand still from one time of the case to the next.
export class Contest {
  constructor(cases, name, grades, view) {
    this.cases = cases;
    this.one = cases.find(name);
    const rows = grades?.rows.get(name);
    this.program = rows ? grades.shownBy(name) : null;
    this.motions = new Map();
    const { one } = this;
    const rate = norm(one.velocity);
    const length = one.times.at(-1);
    this.settings = { ...view, problem: name, methods: [...(rows ? [grades.name] : []), 'certified motion'], parameters: {}, bodies: 0,
      fixed: true, step: one.times[0], length, speed: one.torque || rate === 0 ? length / 20 : Math.min(length / 20, SHOWN_RATE / rate), time: 0 };
    const parameters = one.torque?.parameters ?? {};
    this.shown = 0;
    this.facts = { single: true, case: name, problem: name, kind: 'body', directions: false, entries: 1, moments: one.free.moments,
      parameters: parameters.centre ? [{ name: 'centre', default: parameters.centre }] : [],
      about: { free: one.torque === null, title: one.title, cite: one.torque?.words ?? '' },
      layout: { fields: FIELDS.map(([field, first, width]) => ({ name: field, first, width, size: width, count: 1, list: false })), energy: ENERGY, observables: [] },
      start: this.row(0, { q: one.start, w: one.velocity }), comparison: rows ? 'the certified states' : null,
      period: one.torque ? null : one.free.motion.period, plots: rows ? ['energy', 'momentum'] : [] };
  }

  free() {
    for (const { motion } of this.motions.values()) motion.free();
  }

  // A state as the stage takes it, in principal axes.
  row(time, { q, w }) {
    const { axes, moments } = this.one.free;
    const W = rotate(inverse(axes), w);
    return Float64Array.from([time, ...mul(q, axes), ...W.map((x, k) => x * moments[k]), ...W, 0]);
  }

  // A free body a time after a state.
  after(key, state, time) {
    if (!this.motions.has(key)) this.motions.set(key, freeMotion(this.cases.library, this.one, state.q, state.w));
    const { motion, moments, axes } = this.motions.get(key);
    const { attitude: q, momentum: m } = motion.at(new Float64Array([time]));
    const L = rotate(inverse(axes), Array.from(m));
    return { q: Array.from(q), w: rotate(axes, L.map((x, k) => x / moments[k])) };
  }

  certified(time) {
    const { one } = this;
    const start = { q: one.start, w: one.velocity };
    if (!one.torque) return this.after('start', start, time);
    const i = one.times.findLastIndex((t) => t <= time * (1 + 1e-9));
    return i < 0 ? start : { q: unit(one.states[i].attitude), w: one.states[i].velocity };
  }

  byProgram(time) {
    const { one, program } = this;
    const rows = one.torque ? program.counted : program.own;
    const i = rows.findLastIndex(({ t }) => t <= time * (1 + 1e-9) && t > 0);
    const row = i < 0 ? { q: one.start, w: one.velocity, t: 0 } : rows[i];
    return one.torque ? row : this.after(i, row, time - row.t);
  }

  frame(time) {
    this.shown = time;
    const rate = norm(this.one.velocity);
    const dt = this.one.torque || rate === 0 ? 0 : TRAIL_ANGLE / rate;
    const times = Array.from({ length: dt > 0 ? Math.min(TRAIL, Math.floor(time / dt)) + 1 : 1 }, (_, i) => time - i * dt).reverse();
    const seen = (look) => {
      const rows = times.map((t) => this.row(t, look(t)));
      const trail = new Float32Array(rows.length * (ENERGY - 1));
      rows.forEach((row, i) => trail.set(row.subarray(1, ENERGY), i * (ENERGY - 1)));
      return { row: rows.at(-1), trail, failure: null };
    };
    const exact = seen((t) => this.certified(t));
    const views = this.program ? [seen((t) => this.byProgram(t)), exact] : [exact];
    const exactTrail = new Float32Array(7 * times.length);
    times.forEach((_, i) => exactTrail.set(exact.trail.subarray(i * (ENERGY - 1), i * (ENERGY - 1) + 7), 7 * i));
    const [{ row }] = views;
    const part = (from, count) => Array.from(row.subarray(from, from + count));
    return { time, after: time, views, exact: exact.row, exactTrail, arrived: true,
      state: { time, attitude: part(1, 4), momentum: part(5, 3), velocity: part(8, 3) } };
  }

  seek(time) {
    return this.frame(time);
  }

  plots() {
    const errors = this.program?.counted ?? [];
    const none = errors.map(() => null);
    const curve = (key) => [errors.map((row) => Math.max(Math.abs(row[key]), SMALLEST)), none];
    return { times: Float64Array.from(errors, ({ t }) => t), errors: this.program ? ['energy', 'momentum', 'attitude'].map(curve) : [] };
  }

  track(frames) {
    const { length } = this.settings;
    return Array.from({ length: frames }, (_, i) => this.frame(length * i / (frames - 1)).views[0].row);
  }

  advance() {
    return wrong('a case cannot be advanced: move its time line');
  }

  csv() {
    return wrong('the states of all cases are in conformance/cases.csv');
  }
}
