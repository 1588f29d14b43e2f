// Pages that `polhode view` writes.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { advance, byTool, message, settled, state } from '../testing.mjs';

const write = (tool, folder, name, words) => {
  mkdirSync(join(folder, 'web'), { recursive: true });
  const page = join('web', name);
  execFileSync(tool, ['view', ...words, '--out', join(folder, page)], { stdio: ['ignore', 'ignore', 'pipe'] });
  return page;
};

export async function page_goes_on_from_the_start_of_a_run({ open, tool, folder }) {
  const scenario = join(folder, 'web', 'top.yaml');
  mkdirSync(join(folder, 'web'), { recursive: true });
  writeFileSync(scenario, 'problem: heavy_top\nparameters: {strength: 12}\ninertia: [5, 5, 1]\nrotvec: [0.1, 0.05, 0]\n' +
    'velocity: [0, 0, 4]\nmethod: srkn6_14a+exact\nstep: 0.01\ntime: 8\n');
  const pages = [
    [['--problem', 'slow_top', '--method', 's6_10+exact', '--step', '0.01', '--time', '40'], { problem: 'slow_top', method: 's6_10+exact', step: 0.01 }],
    [['--problem', 'magnets', '--method', 's6_10+circle', '--step', '0.001'], { problem: 'magnets', method: 's6_10+circle', step: 0.001 }],
    [['--problem', 'free', '--tensor', '3,2,1,0.1,0.2,0.3', '--method', 'exact', '--step', '0.1'],
      { problem: 'free', method: 'exact', step: 0.1, tensor: [3, 2, 1, 0.1, 0.2, 0.3] }],
    [['--problem', 'heavy_top', '--method', 'gbs', '--step', '0.01', '--tolerance', '1e-8'],
      { problem: 'heavy_top', method: 'gbs', step: 0.01, tolerance: 1e-8 }],
  ];
  for (const [i, [words, run]] of pages.entries()) {
    const page = await open({ drawn: false, page: write(tool, folder, `run${i}.html`, words) });
    assert.equal(await message(page), '');
    await advance(page, 1000);
    const { time, ...shown } = await state(page);
    assert.ok(time > 0);
    const wanted = byTool(tool, run, 1000);
    for (const key of Object.keys(wanted)) assert.deepEqual(shown[key], wanted[key], `${run.problem}: ${key}`);
    await page.done();
  }
  const page = await open({ page: write(tool, folder, 'scenario.html', [scenario]) });
  assert.equal(await page.evaluate(() => document.getElementById('time').max), '8');
  await page.done();
}

export async function rows_and_snapshots_are_played({ open, tool, folder }) {
  const at = (name) => join(folder, 'web', name);
  mkdirSync(join(folder, 'web'), { recursive: true });
  execFileSync(tool, ['run', '--problem', 'free', '--method', 'dmv6', '--step', '0.1', '--time', '20', '--out', at('free.csv'),
    '--checkpoint', at('free.snapshot')], { stdio: 'ignore' });
  execFileSync(tool, ['run', '--problem', 'double_pendulum', '--method', 'rattle', '--step', '0.01', '--time', '2', '--out', at('rods.csv')], { stdio: 'ignore' });
  execFileSync(tool, ['run', '--problem', 'dipolar_spheres', '--method', 'verlet+exact', '--step', '0.01', '--time', '0.1', '--out', at('fluid.csv')], { stdio: 'ignore' });
  const last = readFileSync(at('free.csv'), 'utf8').trim().split('\n').at(-1).split(',').map(Number);
  for (const name of ['free', 'rods', 'fluid']) {
    const page = await open({ page: write(tool, folder, `${name}.html`, [at(`${name}.csv`)]) });
    assert.equal(await message(page), '');
    await page.focus('#play');
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('End');
    await settled(page);
    const { time, attitude } = await state(page);
    assert.ok(time > 0, name);
    if (name === 'free') assert.deepEqual([time, attitude], [20, last.slice(1, 5)]);
    await page.done();
  }
  const page = await open({ page: write(tool, folder, 'snapshot.html', [at('free.snapshot')]) });
  assert.equal((await state(page)).time, 20);
  assert.deepEqual((await state(page)).attitude, last.slice(1, 5));
  await advance(page, 10);
  assert.ok(Math.abs((await state(page)).time - 21) < 1e-9);
  await page.done();
}

export async function names_in_a_run_are_text_only({ open, tool, folder }) {
  const name = join(folder, 'web', '<img src=x onerror=alert(1)>.csv');
  mkdirSync(join(folder, 'web'), { recursive: true });
  writeFileSync(name, 't,q0,q1,q2,q3\n0,1,0,0,0\n1,0,1,0,0\n');
  const page = await open({ page: write(tool, folder, 'hostile.html', [name]) });
  assert.equal(await page.evaluate(() => document.querySelectorAll('img').length), 0);
  await page.done();
}

export async function view_without_the_page_says_how_to_build_it({ tool, folder }) {
  const alone = join(folder, 'web', 'alone');
  rmSync(alone, { recursive: true, force: true });
  mkdirSync(alone, { recursive: true });
  copyFileSync(tool, join(alone, 'polhode'));
  const { status, stderr } = spawnSync(join(alone, 'polhode'), ['view', '--problem', 'free'], { encoding: 'utf8', cwd: alone });
  assert.equal(status, 2);
  assert.match(stderr, /^polhode: [^\n]*`make web`\n$/);
  rmSync(alone, { recursive: true });
}

export async function view_refuses_what_it_cannot_show({ tool, folder }) {
  const refused = (words) => {
    const { status, stderr } = spawnSync(tool, ['view', ...words, '--out', join(folder, 'web', 'none.html')], { encoding: 'utf8' });
    assert.equal(status, 2, words.join(' '));
    assert.match(stderr, /^polhode: [^\n]*\n$/);
  };
  mkdirSync(join(folder, 'web'), { recursive: true });
  const bad = join(folder, 'web', 'bad.csv');
  writeFileSync(bad, 'a,b\n1,2\n');
  refused([bad]);
  refused([join(folder, 'web', 'nothing.yaml')]);
  refused(['--problem', 'nothing']);
  refused([]);
  refused(['--problem', 'free', '--inertia', '0,1,1']);
  const altered = join(folder, 'web', 'altered.snapshot');
  writeFileSync(altered, Buffer.concat([Buffer.from('POLHODE\0'), Buffer.alloc(100)]));
  refused([altered]);
}
