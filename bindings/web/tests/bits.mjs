// The numbers of the page have the bits of the tool.

import assert from 'node:assert/strict';
import { advance, byTool, rowsByTool, set, state } from '../testing.mjs';

const STEPS = 1000;

// Beside every problem with its own method: others, and other starts.
const RUNS = [
  { problem: 'free', method: 'dmv6', step: 0.1 },
  { problem: 'free', method: 'sr2', step: 0.1, inertia: [1, 2, 3], velocity: [0.1, 2, 0.3] },
  { problem: 'free', method: 'mr', step: 0.05, inertia: [0.376, 0.627, 1], momentum: [0, 0.6, -0.8], attitude: [1, 2, 3, 4] },
  { problem: 'heavy_top', method: 'srkn6_14a+exact', step: 0.01, parameters: { strength: 12, up: [0, 0.6, 0.8] } },
  { problem: 'heavy_top', method: 'vlv', step: 0.01 },
  { problem: 'satellite', method: 'verlet+mr', step: 0.01 },
  { problem: 'soft_wall', method: 'imidm', step: 0.01 },
  { problem: 'double_pendulum', method: 'rattle', step: 0.01 },
  { problem: 'magnets', method: 's6_10+circle', step: 0.001 },
  { problem: 'vortices', method: 'spherical_midpoint', step: 0.01 },
];

// What the page has after some steps against what the tool has, one line for each difference.
async function compare(page, tool, run, steps) {
  await set(page, run);
  await advance(page, steps);
  const { time, ...shown } = await state(page);
  const wanted = byTool(tool, run, steps);
  const keys = Object.keys(wanted).filter((key) => key in shown); // of molecules the tool prints sums
  assert.ok(keys.includes('energy'));
  assert.ok(Math.abs(time - steps * run.step) < 1e-9 * Math.abs(time));
  return keys.filter((key) => JSON.stringify(shown[key]) !== JSON.stringify(wanted[key]))
    .map((key) => `${run.method} on ${run.problem}: ${key} ${shown[key]}, by the tool ${wanted[key]}`);
}

export async function numbers_have_the_bits_of_the_tool({ open, tool }) {
  const page = await open({ drawn: false });
  const { problems } = await page.evaluate(() => window.polhode.catalog());
  const own = problems.map(({ name, integrators }) => ({ problem: name, method: integrators[0].name, step: 0.001 }));
  assert.ok(own.length >= 15);
  const differing = [];
  for (const run of RUNS) differing.push(...await compare(page, tool, run, STEPS));
  for (const run of own) differing.push(...await compare(page, tool, run, STEPS / 10)); // some have many bodies
  assert.deepEqual(differing, []);
  await page.done();
}

// The numbers that can be read in the page are those of its state, digit by digit.
export async function numbers_are_shown_in_full({ open }) {
  const page = await open({ drawn: false });
  await set(page, { problem: 'heavy_top', method: 'vlv', step: 0.01 });
  await advance(page, STEPS);
  const read = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('#state dt')].map((dt) => (
    [dt.textContent, dt.nextElementSibling.textContent.split('\n').map(Number)]))));
  const { attitude, momentum, velocity, energy } = await state(page);
  for (const [name, value] of Object.entries({ attitude, momentum, velocity, energy })) assert.deepEqual(read[name], [value].flat());
  await page.done();
}

// Methods that choose their steps: after so many rows the state of a run to that time; and all rows
// of a run that goes on further.
export async function methods_that_choose_their_steps_have_the_bits_of_the_tool({ open, tool }) {
  const page = await open({ drawn: false });
  const { methods } = await page.evaluate(() => window.polhode.catalog());
  const adaptive = methods.filter((method) => method.adaptive && method.kind === 'body');
  assert.ok(adaptive.length >= 3);
  const differing = [];
  for (const [i, { name }] of adaptive.entries()) {
    for (const problem of ['heavy_top', 'free', 'gyrostat']) {
      differing.push(...await compare(page, tool, { problem, method: name, step: i === 0 ? -0.1 : 0.1, tolerance: 10 ** (-12 + i) }, 100));
    }
  }
  assert.deepEqual(differing, []);
  const run = { problem: 'heavy_top', method: adaptive.at(-1).name, step: 0.1, tolerance: 1e-9 };
  await set(page, { ...run, length: 20 });
  await page.evaluate(() => {
    const line = document.getElementById('time');
    line.value = '7';
    line.dispatchEvent(new Event('input'));
  });
  await page.waitForFunction(() => window.polhode.state().time > 6.95);
  const rows = rowsByTool(tool, run, 200).trim().split('\n').slice(1).map((line) => line.split(',').map(Number));
  const { time, attitude, momentum, energy } = await state(page);
  const row = rows.find(([t]) => t === time);
  assert.deepEqual([attitude, momentum, energy], [row.slice(1, 5), row.slice(5, 8), row.at(-1)]);
  await page.done();
}
