// step_bits.mjs - what step_bits.c computes and prints, by the step in JavaScript, bindings/web/npm/step.js.

import assert from 'node:assert/strict';
import { step, stepWorld } from '../bindings/web/npm/step.js';

const MASK = (1n << 64n) - 1n;
let state = 1n;
let sum = 14695981039346656037n;

// Uniform between -1 and 1, by xorshift.
function next() {
  state ^= (state << 13n) & MASK;
  state ^= state >> 7n;
  state ^= (state << 17n) & MASK;
  return Number(BigInt.asIntN(64, state >> 11n)) / 4503599627370496 - 1;
}

// Adds the bits of numbers, in an array of double or of float.
function add(numbers) {
  for (const byte of new Uint8Array(numbers.buffer)) sum = ((sum ^ BigInt(byte)) * 1099511628211n) & MASK;
}

const print = () => console.log(sum.toString(16).padStart(16, '0'));

// The steps of float arrays, as polhode_stepf_by() computes them.
const FASTEST = 3.4028234663852886e38;
function stepFloat(by, q, w, J, dt) {
  const to = by(q, w, J, dt);
  q.set(to.q);
  w.set(to.w.map((x) => (Math.abs(x) > FASTEST && Number.isFinite(x) ? Math.sign(x) * FASTEST : x)));
}

const SPECIAL = [0, -0, 1, -1, 2, 1e-5, 4.9e-324, 1e-300, -1e-160, 1e160, -1e300, Number.MAX_VALUE, -Number.MAX_VALUE, Infinity, -Infinity, NaN];
const SPECIAL_FLOAT = [0, -0, 1, -1, 2, 1e-5, 1e-45, 1e-37, -1e-20, 1e20, -1e38, FASTEST, -FASTEST, Infinity, -Infinity, NaN];

// Of a motion w is finite and q has unit length, and its bits are added; other input stays as it was.
function check(before, after, roundOff) {
  const q = before.slice(0, 4);
  const isMotion = before.every((x, i) => Number.isFinite(x) || (i >= 7 && i < 10 && !Number.isNaN(x))) && q.some((x) => x !== 0);
  if (!isMotion) return assert.ok(after.every((x, i) => x === before[i] || (Number.isNaN(x) && Number.isNaN(before[i]))));
  assert.ok(after.every(Number.isFinite) && Math.abs(after.slice(0, 4).reduce((s, x) => s + x * x, 0) - 1) < roundOff);
  return add(Float64Array.from(after));
}

function checkEverySort(by) {
  const few = next() > 0;
  const drawn = Array.from({ length: 11 }, () => {
    const a = next();
    const b = next();
    const i = Math.trunc((b + 1) * 8);
    return a > (few ? 0.8 : 0) ? [SPECIAL[i], Math.fround(SPECIAL_FLOAT[i])] : [b, Math.fround(b)];
  });
  const [x, f] = [0, 1].map((k) => drawn.map((pair) => pair[k]));
  const to = by(x.slice(0, 4), x.slice(4, 7), x.slice(7, 10), x[10]);
  check(x, [...to.q, ...to.w], 1e-14);
  const q = Float32Array.from(f.slice(0, 4));
  const w = Float32Array.from(f.slice(4, 7));
  stepFloat(by, q, w, f.slice(7, 10), f[10]);
  check(f, [...q, ...w], 1e-6);
}

for (let body = 0; body < 2000; body++) {
  const dt = (body % 5 === 4 ? 20 : 1) * next();
  let q = [next(), next(), next(), next()];
  let w = [];
  const J = [];
  for (let i = 0; i < 3; i++) {
    w.push(next());
    J.push(body % 3 === 0 && i > 0 ? J[0] : 1.25 + next());
  }
  const qf = Float32Array.from(q);
  const wf = Float32Array.from(w);
  const Jf = Float32Array.from(J);
  for (let n = 0; n < 20; n++) {
    ({ q, w } = step(q, w, J, dt));
    ({ q, w } = stepWorld(q, w, J, dt));
    stepFloat(step, qf, wf, Jf, Math.fround(dt));
    stepFloat(stepWorld, qf, wf, Jf, Math.fround(dt));
  }
  [Float64Array.from(q), Float64Array.from(w), qf, wf].forEach(add);
}
print();
for (let i = 0; i < 5000; i++) checkEverySort(i % 2 === 0 ? step : stepWorld);
print();
