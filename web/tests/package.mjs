// The npm package under node, without a browser: wrong arguments are refused in words, and what was
// released is not used. By itself: node web/tests/package.mjs BUILD

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as polhode from '../../npm/polhode.js';

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
  refused(() => new System('heavy_top', 'vlv', { step: 0.1, strength: 1, parameters: { strength: 2 } }), /strength stands twice/);
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

// The file itself is complete only after this line, so that nothing waits for it here.
if (process.argv[1] === fileURLToPath(import.meta.url)) import(import.meta.url).then(async (tests) => {
  for (const [name, test] of Object.entries(tests)) {
    await test({ folder: process.argv[2] ?? 'build' });
    console.log(name.replaceAll('_', ' '));
  }
});
