// The numbers of the page have the bits of the tool.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const STEPS = 1000;

// A run by the tool, its final state and energy.
export function byTool(tool, { problem, method, step, parameters = {}, ...start }, steps = STEPS) {
  const words = ['run', '--json', '--problem', problem, '--method', method, '--step', String(step),
    '--time', String(Number((step * steps).toPrecision(12)))];
  for (const [name, value] of Object.entries(start)) words.push(`--${name}`, value.join(','));
  for (const [name, value] of Object.entries(parameters)) words.push('--set', `${name}=${[value].flat().join(',')}`);
  const { final, energy } = JSON.parse(execFileSync(tool, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  return { ...final, energy: energy.final };
}

const RUNS = [
  { problem: 'free', method: 'exact', step: 0.1 },
  { problem: 'free', method: 'dmv6', step: 0.1 },
  { problem: 'free', method: 'sr2', step: 0.1, inertia: [1, 2, 3], velocity: [0.1, 2, 0.3] },
  { problem: 'free', method: 'mr', step: 0.05, inertia: [0.376, 0.627, 1], momentum: [0, 0.6, -0.8], attitude: [1, 2, 3, 4] },
  { problem: 'heavy_top', method: 'srkn6_14a+exact', step: 0.01, parameters: { strength: 12, up: [0, 0.6, 0.8] } },
  { problem: 'heavy_top', method: 'vlv', step: 0.01 },
  { problem: 'satellite', method: 'verlet+mr', step: 0.01 },
  { problem: 'soft_wall', method: 'imidm', step: 0.01 },
  { problem: 'well', method: 's6_10+exact', step: 0.01 },
  { problem: 'double_pendulum', method: 'rattle', step: 0.01 },
  { problem: 'magnets', method: 's6_10+circle', step: 0.001 },
  { problem: 'vortices', method: 'spherical_midpoint', step: 0.01 },
];

export async function numbers_have_the_bits_of_the_tool({ open, tool }) {
  const page = await open();
  const differing = [];
  for (const run of RUNS) {
    await page.evaluate((settings) => window.polhode.set(settings), run);
    await page.evaluate((steps) => window.polhode.advance(steps), STEPS);
    const state = await page.evaluate(() => window.polhode.state());
    const { time, ...shown } = state;
    const wanted = byTool(tool, run);
    assert.ok(Math.abs(time - STEPS * run.step) < 1e-9 * time);
    for (const key of Object.keys(wanted)) {
      try {
        assert.deepEqual(shown[key], wanted[key]);
      } catch {
        differing.push(`${run.method} on ${run.problem}: ${key} ${shown[key]}, by the tool ${wanted[key]}`);
      }
    }
  }
  await page.done();
  assert.deepEqual(differing, []);
}
