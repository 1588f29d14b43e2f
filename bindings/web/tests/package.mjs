// The npm package under node, without a browser: wrong arguments are refused in words, and what was
// released is not used. By itself: node bindings/web/tests/package.mjs BUILD

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import * as small from '../npm/free.js';
import * as polhode from '../npm/polhode.js';
import { step, stepWorld } from '../npm/step.js';

const { Batch, Body, Motion, PolhodeError, System, applies, bits, csv, init } = polhode;

const loaded = ({ folder }) => init(readFileSync(join(folder, 'wasm/polhode.wasm')));

// One line that is written by the package or the library, with these words in it.
function refused(call, words) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof PolhodeError, `${call}: ${error}`);
    assert.match(error.message, words, String(call));
    assert.ok(!error.message.includes('\n'));
    return true;
  });
}

export async function a_step_is_needed(tools) {
  await loaded(tools);
  for (const method of ['vlv', 's6_10+exact', 'rattle']) refused(() => new System('heavy_top', method), /needs a step/);
  refused(() => new System('heavy_top', 'vlv', {}), /needs a step/);
  refused(() => new System('heavy_top', 'vlv', { step: 0 }), /needs a step/);
  refused(() => new System('heavy_top'), /needs a step/);
  refused(() => new System('pendulum', 'eln'), /needs a step/);
  assert.equal(new System('heavy_top', 'vlv', { step: 0.1 }).run({ steps: 3 }).time, 0.3);
  assert.equal(new System('heavy_top', 'gbs').run({ until: 1 }).time, 1);
  assert.equal(new System('heavy_top', 'gbs', { tolerance: 1e-9 }).run({ until: 1 }).time, 1);
  assert.equal(new System('heavy_top', 's6_10+exact', { tolerance: 1e-9 }).run({ until: 1 }).time, 1);
}

// Without a method it is the one that is recommended, as in the tool and in Python.
export async function the_method_has_a_default(tools) {
  await loaded(tools);
  assert.match(new System('heavy_top', undefined, { step: 0.01 }).facts.method, /\+exact$/);
  assert.equal(new System('free', undefined, { step: 0.01 }).facts.method, 'exact');
}

export async function what_was_released_is_not_used(tools) {
  await loaded(tools);
  const body = new Body({ inertia: [1, 2, 3] });
  const motion = body.motion({ velocity: [0, 2, 1e-8] });
  const system = new System('free', 'exact', { step: 0.1 });
  const batch = new Batch([1, 2, 3], [1, 0, 0, 0], [0, 1, 2]);
  const before = motion.at(5);
  for (const one of [body, system, batch]) {
    one.free();
    one.free();
  }
  assert.deepEqual(motion.at(5), before); // it does not need its body
  motion.free();
  const uses = [() => body.velocity([1, 2, 3]), () => body.momentum([1, 2, 3]), () => body.motion({ velocity: [1, 2, 3] }),
    () => body.motion({ momentum: [1, 2, 3] }), () => motion.at(1), () => motion.at([1, 2]), () => motion.velocityByMomentum(1),
    () => system.run({ steps: 1 }), () => system.run({ until: 1 }), () => system.save(), () => system.row(), () => system.get('attitude'),
    () => system.time, () => system.steps, () => system.energy, () => system.attitude, () => system.motion(),
    () => system.advance(1, 1, 1), () => batch.step('exact', 1)];
  for (const use of uses) refused(use, /^this (Body|Motion|System|Batch) was released by free\(\)/);
  const again = new System('free', 'exact', { step: 0.1 }); // the memory is that of another now
  assert.equal(again.run({ steps: 2 }).time, 0.2);
  for (const use of uses) refused(use, /released/);
  assert.equal(again.time, 0.2);
}

const NOT_NUMBERS = [undefined, null, '123', 'x', true, {}, () => 1, [1, 2], [1, 2, 3, 4], [1, 2, NaN], [1, 2, Infinity], ['1', '2', '3'],
  [1, 2, '3'], [[1, 2, 3]], [1, 2, null], [1, 2, undefined], new BigInt64Array(3), new Map(), [1, , 3]]; // eslint-disable-line no-sparse-arrays

export async function wrong_numbers_are_refused(tools) {
  await loaded(tools);
  const body = new Body({ inertia: [1, 2, 3] });
  const motion = body.motion({ velocity: [1, 2, 3] });
  const make = (more) => new System('free', 'exact', { step: 0.1, ...more });
  for (const x of NOT_NUMBERS) {
    refused(() => new Body({ inertia: x }), /inertia/);
    refused(() => new Body({ tensor: x }), /tensor|inertia/);
    refused(() => body.velocity(x), /momentum/);
    refused(() => body.momentum(x), /velocity/);
    refused(() => body.motion({ velocity: x }), /velocity/);
    refused(() => body.motion({ momentum: x }), /momentum/);
    refused(() => new Batch(x, [1, 0, 0, 0], [1, 2, 3]), /inertia|attitude|numbers/);
    refused(() => new Batch([1, 2, 3], [1, 0, 0, 0], x), /momentum/);
    if (x === undefined || x === null) continue; // not given
    refused(() => make({ velocity: x }), /velocity/);
    refused(() => make({ inertia: x }), /inertia/);
  }
  for (const x of [undefined, null, '1', true, {}, [1], NaN, Infinity, 1n]) {
    if (x !== undefined) refused(() => make({ step: x }), /step/);
    if (x !== undefined) refused(() => new System('heavy_top', 'gbs', { tolerance: x }), /tolerance/);
    if (x !== undefined) refused(() => make().run({ until: x }), /until/);
    if (x !== undefined) refused(() => make().run({ steps: x }), /steps/);
    if (x !== undefined) refused(() => make().row(x), /time/);
    if (!Array.isArray(x)) refused(() => motion.at(x), /time/);
    refused(() => motion.velocityByMomentum(x), /time/);
    refused(() => new Batch([1, 2, 3], [1, 0, 0, 0], [1, 2, 3]).step('exact', x), /h must/);
    if (x !== undefined) refused(() => bits(x), /steps/);
  }
  for (const steps of [-1, 0.5, 2 ** 53]) refused(() => make().run({ steps }), /whole/);
  refused(() => make().run({ until: 0.123 }), /until: the time must be a whole number of steps ahead/);
  refused(() => make().run({ until: -0.1 }), /whole number of steps ahead/);
  refused(() => make().run({ until: 1e300 }), /within its range/);
  refused(() => csv([1, 2], 0), /columns/);
  refused(() => csv([1, 2], NaN), /columns/);
}

export async function wrong_words_are_refused(tools) {
  await loaded(tools);
  for (const x of [null, 5, {}, [], 'heavy_top\0x', Symbol.iterator]) {
    refused(() => new System(x, 'vlv', { step: 0.1 }), /problem/);
    refused(() => new System('heavy_top', x, { step: 0.1 }), /method/);
    refused(() => applies(x, 'vlv'), /problem/);
    refused(() => new Batch([1, 2, 3], [1, 0, 0, 0], [1, 2, 3]).step(x, 1), /flow/);
  }
  refused(() => new System(undefined, 'vlv', { step: 0.1 }), /problem/);
  refused(() => applies('heavy_top'), /method/);
  refused(() => new System('heavy_top', 'vlv', { stp: 0.1 }), /stp/);
  refused(() => new System('heavy_top', 'vlv', { step: 0.1, parameters: { strenth: 2 } }), /strenth/);
  refused(() => new System('heavy_top', 'vlv', { step: 0.1, parameters: { 'strength\0x': 2 } }), /name/);
  refused(() => new System('heavy_top', 'vlv', { step: 0.1, parameters: 5 }), /parameters/);
  refused(() => new System('heavy_top', 'vlv', { step: 0.1, strength: 1, parameters: { strength: 2 } }), /strength is given twice/);
  refused(() => new System('heavy_top', 'vlv', 0.1), /options/);
  refused(() => new System('heavy_top', 'vlv', null), /options/);
  refused(() => new Body(), /inertia, tensor/);
  refused(() => new Body({ moments: [1, 2, 3] }), /no option moments/);
  refused(() => new Body({ inertia: [1, 2, 3], tensor: [] }), /one of them/);
  const body = new Body({ inertia: [1, 2, 3] });
  refused(() => body.motion(), /velocity/);
  refused(() => body.motion({ velocty: [1, 2, 3] }), /no option velocty/);
  refused(() => body.motion({ velocity: [1, 2, 3], attitude: [0, 0, 0, 0] }), /attitude/);
  const system = new System('free', 'exact', { step: 0.1 });
  refused(() => system.run(), /steps, until/);
  refused(() => system.run({}), /steps or until/);
  refused(() => system.run({ step: 3 }), /no option step/);
  refused(() => system.run({ steps: 3, until: 1 }), /one of them/);
  refused(() => system.get('nothing'), /nothing/);
  for (const bytes of [undefined, null, 'x', [1, 2], new ArrayBuffer(8), new Float64Array(9)]) refused(() => System.load(bytes), /Uint8Array/);
  refused(() => System.load(new Uint8Array(0)), /snapshot/);
  refused(() => System.load(system.save().slice(0, -1)), /snapshot/);
  refused(() => new Motion(), /made by/);
  refused(() => new Motion('x'), /made by/);
  const batch = new Batch([1, 2, 3], [1, 0, 0, 0], [1, 2, 3]);
  assert.throws(() => { batch.attitude = [1]; }, TypeError);
  batch.attitude[0] = NaN;
  refused(() => batch.step('exact', 1), /body 0/);
}

const source = (name) => join(dirname(fileURLToPath(import.meta.url)), '../npm', name);

// The types name every part of a start that a problem has, and nothing else.
export async function types_name_every_option(tools) {
  await loaded(tools);
  const declared = readFileSync(source('polhode.d.ts'), 'utf8').match(/interface SystemOptions \{(.*?)\n\}/s)[1];
  const names = [...declared.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name);
  const wanted = new Set(['step', 'tolerance', 'parameters', ...polhode.problems().flatMap(({ start }) => start.map(({ name }) => name))]);
  assert.deepEqual(names.sort(), [...wanted].sort());
  assert.ok(!declared.includes('['), 'an index signature would hide misspelt names');
}

export async function arrays_of_states_can_be_transferred(tools) {
  await loaded(tools);
  const states = new Body({ inertia: [1, 2, 3] }).motion({ velocity: [0, 2, 1] }).at([1, 2, 3]);
  const before = structuredClone(states);
  const moved = structuredClone(states, { transfer: Object.values(states).map(({ buffer }) => buffer) });
  assert.deepEqual(moved, before);
  assert.deepEqual([moved.attitude.buffer.byteLength, moved.momentum.buffer.byteLength, moved.velocity.buffer.byteLength], [96, 72, 72]);
}

// The small module computes the same bits, and refuses the same; it has a memory of its own.
export async function the_free_motion_alone_is_small(tools) {
  await loaded(tools);
  const bytes = readFileSync(join(tools.folder, 'wasm/polhode_motion.wasm'));
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
  await small.init(bytes);
  const { outputFiles: [script] } = await build({ entryPoints: [source('motion.browser.js')], bundle: true, minify: true, format: 'esm', write: false });
  const size = bytes.length + script.contents.length;
  assert.ok(size < 60e3, `polhode/motion has ${size} bytes`);
  const times = [0, 0.3, -7, 1e4];
  for (const given of [{ inertia: [1, 2, 3] }, { inertia: [2, 2, 1] }, { inertia: [5, 5, 5] }, { tensor: [[3, 1, 0], [1, 2, 0.5], [0, 0.5, 4]] }]) {
    for (const velocity of [[0, 2, 1e-8], [0.3, -1, 2], [0, 0, 0]]) {
      const start = { attitude: [0.5, 0.5, -0.5, 0.5], velocity };
      const [a, b] = [polhode, small].map(({ Body: Kind }) => new Kind(given).motion(start));
      assert.deepEqual(b.at(times), a.at(times));
      assert.deepEqual([b.period, b.precession], [a.period, a.precession]);
    }
  }
  refused(() => new small.Body({ inertia: [1, -2, 3] }), /moment/);
  refused(() => new small.Motion(), /made by/);
  assert.equal(small.PolhodeError, PolhodeError);
}

export async function what_is_no_module_is_refused() {
  const { core } = await import('../npm/core.js');
  const loading = (given) => core('web_create', () => {}).init(given);
  const page = new Response('<html>', { status: 200 });
  for (const given of [undefined, null, 'polhode.wasm', new Uint8Array(8), page, new Response('', { status: 404 }), Promise.resolve(new Uint8Array(0))]) {
    await assert.rejects(loading(given), (error) => error instanceof PolhodeError && /\.wasm/.test(error.message) && !error.message.includes('\n'));
  }
}

// The step in JavaScript: tests/step.sh compares its bits with those of polhode_step.h; here it is compared
// with the exact motion of the library.
export async function the_step_is_exact_and_small(tools) {
  await loaded(tools);
  let state = 1;
  const random = (low, high) => {
    state = (state * 48271) % 2147483647;
    return low + (high - low) * (state / 2147483647);
  };
  let worst = 0;
  for (let n = 0; n < 1000; n++) {
    const J = [0, 1, 2].map(() => 10 ** random(-0.5, 0.5));
    const q = [0, 1, 2, 3].map(() => random(-1, 1));
    const w = [0, 1, 2].map(() => random(-1, 1) * 10 ** random(-3, 1));
    const dt = random(-1, 1) * Math.min(...J) / Math.hypot(...J.map((x, k) => x * w[k])); // at most 1 rad, also where w grows
    const body = new Body({ inertia: J });
    const exact = body.motion({ attitude: q, velocity: w }).at(dt);
    const inputs = structuredClone([q, w, J]);
    const next = step(q, w, J, dt);
    assert.deepEqual([q, w, J], inputs);
    const sign = Math.sign(next.q.reduce((sum, x, k) => sum + x * exact.attitude[k], 0));
    for (let k = 0; k < 4; k++) worst = Math.max(worst, Math.abs(next.q[k] - sign * exact.attitude[k]));
    for (let k = 0; k < 3; k++) worst = Math.max(worst, Math.abs(next.w[k] - exact.velocity[k]) / Math.hypot(...exact.velocity));
    body.free();
  }
  assert.ok(worst < 1e-14, `a step differs by ${worst}`);
  assert.ok(gzipSync(readFileSync(source('step.js')), { level: 9 }).length < 6e3);
  for (const wrong of [[[1, 0, 0], [1, 2, 3], [1, 2, 3], 0.1], [[1, 0, 0, 0], [1, 2], [1, 2, 3], 0.1], [[1, 0, 0, 0], [1, 2, 3], 5, 0.1], [[1, 0, 0, 0], [1, 2, 3], [1, 2, 3]],
    [null, [1, 2, 3], [1, 2, 3], 0.1]]) for (const by of [step, stepWorld]) assert.throws(() => by(...wrong), /arrays of 4, 3 and 3 numbers/);
}

// The file itself is complete only after this line, so that nothing waits for it here.
if (process.argv[1] === fileURLToPath(import.meta.url)) import(import.meta.url).then(async (tests) => {
  for (const [name, test] of Object.entries(tests)) {
    await test({ folder: process.argv[2] ?? 'build' });
    console.log(name.replaceAll('_', ' '));
  }
});
