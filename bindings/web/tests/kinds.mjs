// Every kind of system runs in the page and is drawn, also a kind that only the tests have.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { advance, byTool, enter, message, pixels, scrub, set, settled, state } from '../testing.mjs';

const STEPS = 50;

// The first problem of each kind.
const firstOfEach = (problems) => problems.filter(({ kind }, i) => problems.findIndex((other) => other.kind === kind) === i);

async function runs(page, tool, { name, integrators }) {
  const run = { problem: name, method: integrators[0].name, step: 0.001 };
  await set(page, run);
  assert.equal(await message(page), '');
  await advance(page, STEPS);
  const [shown, wanted] = [await state(page), byTool(tool, run, STEPS)];
  const keys = Object.keys(wanted).filter((key) => key in shown);
  assert.ok(keys.includes('energy'), name);
  for (const key of keys) assert.deepEqual(shown[key], wanted[key], `${name}: ${key}`);
  await scrub(page, 0.1);
  const [early, drawn] = [await state(page), await pixels(page)];
  for (const part of drawn.panes) assert.ok(part > 0.002, `${name}: panes drawn to ${drawn.panes}`);
  await scrub(page, 0.3);
  const late = await state(page);
  assert.notDeepEqual(late, early, `${name} stands still`);
  assert.ok(Math.abs(late.energy - early.energy) < 1e-6 * (1 + Math.abs(early.energy)), `${name}: ${early.energy}, ${late.energy}`);
  assert.equal(await message(page), '');
}

export async function every_kind_runs_and_is_drawn({ open, folder, tool, pictures }) {
  for (const [file, by] of [['polhode.html', tool], ['polhode_kinds.html', join(folder, 'tests/polhode_kinds')]]) {
    const page = await open({ page: file, width: 640, height: 480 });
    const kinds = firstOfEach(await page.evaluate(() => window.polhode.catalog().problems));
    assert.ok(kinds.length >= 4);
    for (const problem of kinds) await runs(page, by, problem);
    await page.screenshot({ path: join(pictures, `${file}.png`) });
    await page.done();
  }
}

// What an orbiter begins with can be set, and is in the link.
export async function orbiter_begins_where_it_is_told({ open }) {
  const page = await open({ drawn: false });
  await set(page, { problem: 'orbiter' });
  const { position } = await state(page);
  assert.deepEqual(position, [1, 0, 0]);
  await enter(page, 'position x', 2);
  await settled(page);
  assert.deepEqual((await state(page)).position, [2, 0, 0]);
  await page.done();
}
