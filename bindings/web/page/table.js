// table.js - rows of numbers with named columns, as `polhode run --out` writes them, as a recording.

import { numberIn } from './settings.js';

const MOST_NUMBERS = 4e6;
const MOST_BYTES = 6e7;
const SHORTEST = 1e-100; // attitude, of which squares and their sum can be taken

const wrong = (text) => { throw new Error(text); };

// The table of a CSV text.
export function fromCsv(name, text) {
  if (text.length > MOST_BYTES) wrong(`${name} is too large for a page: write fewer rows`);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const columns = (lines.shift() ?? '').split(',').map((word) => word.trim());
  const rows = lines.map((line, i) => {
    const words = line.split(',');
    const row = words.map((word) => numberIn(word.trim()));
    if (row.length !== columns.length || !row.every(Number.isFinite)) wrong(`${name}, line ${i + 2}: ${columns.length} numbers are expected`);
    return row;
  });
  return { name, columns, rows };
}

// A recording: what the rows hold, and the rows as the page has them.
export function fromTable({ name, columns, rows }) {
  const at = (column) => columns.indexOf(column);
  const all = (list) => list.every((column) => at(column) >= 0);
  const vector = (word, ends) => ends.map((end) => `${word}${end}`);
  if (rows.length === 0 || rows.length * columns.length > MOST_NUMBERS) wrong(`${name}: no rows, or too many`);
  if (!all(['t'])) wrong(`${name} has no column t`);
  if (new Set(columns).size < columns.length) wrong(`${name} has two columns of one name`);
  checkTimes(name, rows.map((row) => row[at('t')]));
  const facts = { problem: name, method: 'recorded', step: 0, parameters: [], observables: [] };
  const conserved = at('energy') >= 0 ? [{ name: 'energy', label: 'energy', width: 1, conserved: true, defect: false, relative: true }] : [];
  const field = (label, list, count, extra = {}) => ({ name: label, shown: true, list: false, width: list.length / count, count, columns: '', values: [], ...extra });
  const q = vector('q', [0, 1, 2, 3]);
  const m = vector('m', [1, 2, 3]);
  const w = vector('w', [1, 2, 3]);
  if (all(['body', 'x', 'y', 'z', ...q])) return manyBodies(name, columns, rows, facts);
  const get = (row, list) => list.map((column) => (at(column) >= 0 ? row[at(column)] : 0));
  const energy = (row) => (at('energy') >= 0 ? [row[at('energy')], row[at('energy')]] : [0]);
  if (all(q)) {
    checkLengths(name, rows, [q.map(at)]);
    const moments = momentsOf(rows, get, m, w);
    return {
      facts: { ...facts, observables: conserved, fields: [field('attitude', q, 1), field('momentum', m, 1), field('velocity', w, 1),
        { ...field('moments', m, 1), shown: false, values: moments }] },
      rows: rows.map((row) => [row[at('t')], ...get(row, q), ...(all(m) ? get(row, m) : get(row, w).map((x, k) => x * moments[k])),
        ...(all(w) ? get(row, w) : get(row, m).map((x, k) => x / moments[k])), ...energy(row)]),
    };
  }
  let n = 0;
  while (all(vector(`q${n + 1}`, ['x', 'y', 'z']))) n += 1;
  if (n === 0) wrong(`${name} has no attitudes: columns q0, q1, q2, q3, or q1x, q1y, q1z`);
  const list = (word) => Array.from({ length: n }, (_, i) => vector(`${word}${i + 1}`, ['x', 'y', 'z'])).flat();
  checkLengths(name, rows, Array.from({ length: n }, (_, i) => vector(`q${i + 1}`, ['x', 'y', 'z']).map(at)));
  return {
    facts: { ...facts, observables: conserved, fields: [field('q', list('q'), n, { list: true }), field('w', list('w'), n, { list: true })] },
    rows: rows.map((row) => [row[at('t')], ...get(row, list('q')), ...get(row, list('w')), ...energy(row)]),
  };
}

// Times go one way, and no further than a number can tell.
function checkTimes(name, times) {
  const sign = Math.sign(times.at(-1) - times[0]);
  if (!Number.isFinite(times.at(-1) - times[0])) wrong(`${name}: the times are too far apart`);
  const bad = times.findIndex((t, i) => i > 0 && (sign === 0 ? t !== times[0] : sign * (t - times[i - 1]) < 0));
  if (bad > 0) wrong(`${name}, row ${bad + 1}: the times go forth and back`);
}

// Attitudes and directions, each of some columns, have a length.
function checkLengths(name, rows, groups) {
  const bad = rows.findIndex((row) => groups.some((group) => {
    const length = Math.hypot(...group.map((column) => row[column]));
    return !(length >= SHORTEST && length <= 1 / SHORTEST);
  }));
  if (bad >= 0) wrong(`${name}, row ${bad + 1}: ${groups[0].length} numbers that are no ${groups[0].length === 4 ? 'attitude' : 'direction'}`);
}

// The moments of inertia that momenta and velocities have the ratio of; else those of a ball.
function momentsOf(rows, get, m, w) {
  return [0, 1, 2].map((k) => {
    let best = 0;
    let ratio = 1;
    for (const row of rows) {
      const x = get(row, w)[k];
      if (Math.abs(x) > best && get(row, m)[k] / x > 0) {
        best = Math.abs(x);
        ratio = get(row, m)[k] / x;
      }
    }
    return ratio;
  });
}

// A row for each body: together those of one time.
function manyBodies(name, columns, rows, facts) {
  const at = (column) => columns.indexOf(column);
  const frames = [];
  checkLengths(name, rows, [['q0', 'q1', 'q2', 'q3'].map(at)]);
  for (const row of rows) {
    if (frames.length === 0 || frames.at(-1)[0][at('t')] !== row[at('t')]) frames.push([]);
    frames.at(-1).push(row);
  }
  const n = frames[0].length;
  if (frames.some((frame) => frame.length !== n)) wrong(`${name}: not every time has the same number of bodies`);
  const list = (words) => (frame) => frame.flatMap((row) => words.map((word) => row[at(word)]));
  const places = list(['x', 'y', 'z']);
  const attitudes = list(['q0', 'q1', 'q2', 'q3']);
  const field = (label, width) => ({ name: label, shown: true, list: true, width, count: n, columns: '', values: [] });
  return {
    facts: { ...facts, fields: [field('positions', 3), field('attitudes', 4)] },
    rows: frames.map((frame) => [frame[0][at('t')], ...places(frame), ...attitudes(frame), 0]),
  };
}
