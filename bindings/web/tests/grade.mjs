// The results of programs on the cases of conformance/, graded and shown.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { smallCases } from '../cases.mjs';
import { Cases, Grades, resultsFrom } from '../page/grade.js';
import { load } from '../page/library.js';
import { message, pixels, scrub, settled } from '../testing.mjs';

const certified = () => readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../../conformance/cases.csv'), 'utf8')
  .trim().split('\n').map((line) => line.split(','));

// What a program may do to a row: a word, t, q0..q3, w1..w3.
const rotate = ([s, x, y, z], [a, b, c]) => {
  const [d, e, f] = [y * c - z * b + s * a, z * a - x * c + s * b, x * b - y * a + s * c];
  return [a + 2 * (y * f - z * e), b + 2 * (z * d - x * f), c + 2 * (x * e - y * d)];
};
const ERRORS = [
  (q, w) => [q, w],
  ([s, ...v], w) => [[s, ...v.map((x) => -x)], w],
  ([s, ...v], w) => [[...v, s], w],
  (q, w) => [q, rotate(q, w)],
  ([s, x, y, z], [a, b, c]) => [[s, -x, y, -z], [-a, b, -c]],
  ([s, x, y, z], w) => [[s, x + 0.01, y, z], w.map((u) => 1.003 * u)],
];
const withErrors = () => {
  const [head, ...rows] = certified();
  const names = [...new Set(rows.map(([name]) => name))];
  const written = rows.map(([name, t, ...x]) => {
    const [q, w] = ERRORS[names.indexOf(name) % ERRORS.length](x.slice(0, 4).map(Number), x.slice(4).map(Number));
    return [name, t, ...q, ...w].join();
  });
  return `# a program\n${[head.join(), ...written.filter((_, i) => i !== 20)].join('\n')}\n`; // a row is missing
};

const write = (folder, name, text) => {
  mkdirSync(join(folder, 'web'), { recursive: true });
  const path = join(folder, 'web', name);
  writeFileSync(path, text);
  return path;
};

// What programs write that diverged, cheat, or leave cases out.
const changed = (change, head = '') => {
  const [names, ...rows] = certified();
  return [names.join() + head, ...rows.flatMap((row, i) => change(row, i)).map((row) => row.join())].join('\r\n');
};
const DIVERGED = [
  ...['1e200', '1e-200', '0'].map((x) => changed(([name, t, , , , , ...w]) => [[name, t, x, 0, 0, 0, ...w]])),
  changed(([name, t, ...x], i) => [[name, t, ...x.slice(0, 4), ...(i % 2 ? x.slice(4) : ['1e308', '1e308', 0])]]),
  changed(([name, t, ...x], i) => [[name, t, ...x.map((y, k) => (i % 10 === 7 && k === i % 7 ? ['nan', '-inf', 'Infinity', '1e999', ''][i % 5] : y))]]),
  changed((row, i) => (i < 400 ? [row] : [])),
  changed(([name, t, ...x]) => [[name, t, ...x], [name, t, 1, 0, 0, 0, ...x.slice(4)]]),
  changed(([name, t, ...x], i) => Array.from({ length: i < 20 ? 40 : 1 }, (_, k) => [name, t, ...(k === 39 ? [1, 0, 0, 0] : x.slice(0, 4)), ...x.slice(4), 1 / (k + 1)]), ',h'),
];

export async function grades_are_those_of_the_tool({ folder, tool }) {
  const library = await load(gzipSync(readFileSync(join(folder, 'wasm/polhode.wasm'))));
  const cases = new Cases(library, smallCases());
  const verdict = ({ passed, reason }, page) => {
    if (passed) return 'passed';
    if (reason.startsWith('diverged')) return 'diverged';
    if (reason.includes('no row')) return 'times missing';
    return reason.startsWith('looks like') ? page : { 'the length': 'wrong length', 'the angula': 'wrong velocity' }[reason.slice(0, 10)] ?? 'wrong attitude';
  };
  for (const text of [certified().map((row) => row.join()).join('\n'), withErrors(), ...DIVERGED]) {
    const path = write(folder, 'results.csv', text);
    const wanted = JSON.parse(spawnSync(tool, ['grade', path, '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout);
    const grades = new Grades(cases, resultsFrom('results.csv', text));
    assert.equal(grades.passed, wanted.passed);
    assert.equal(grades.missing, wanted.missing);
    assert.deepEqual(grades.list.map(({ name }) => name), Object.keys(wanted.cases));
    for (const grade of grades.list) {
      const one = wanted.cases[grade.name];
      assert.equal(grade.looksLike, one.looks_like, grade.name);
      assert.equal(grade.verdict, verdict(one, grade.verdict), grade.name);
      assert.equal(grade.matched, one.rows, grade.name);
      assert.equal(Number.isFinite(grade.diverged) ? grade.diverged : null, one.diverged, grade.name);
      for (const key of ['attitude', 'energy', 'momentum', 'length', 'speed', 'velocity']) {
        const [x, y] = [grade[key], one[`${key}_error`]];
        assert.ok(y === null ? !Number.isFinite(x) : Math.abs(x - y) <= 1e-6 * y + 1e-8, `${grade.name}: ${key} ${x} instead of ${y}`);
      }
    }
  }
  const named = new Set(new Grades(cases, resultsFrom('results.csv', withErrors())).list.map(({ looksLike }) => looksLike));
  for (const mistake of ['transposed attitude', 'scalar last', 'space velocity', 'left handed', null]) assert.ok(named.has(mistake), mistake);
  assert.equal(new Grades(cases, resultsFrom('results.csv', DIVERGED[0])).passed, 0);
}

export async function a_program_is_shown_beside_the_certified_motion({ open, folder, tool, pictures }) {
  const page = await open({ width: 1280, height: 800 });
  const text = execFileSync(tool, ['grade', '--case', 'brick', '--json'], { encoding: 'utf8' });
  const { times, attitude: [s, x, y, z], velocity: [a, b, c] } = JSON.parse(text);
  const rate = Math.hypot(a, b, c);
  const constant = times.map((t) => { // as without the gyroscopic term
    const [p, ...u] = [Math.cos(rate * t / 2), ...[a, b, c].map((w) => Math.sin(rate * t / 2) * w / rate)];
    return ['brick', t, s * p - x * u[0] - y * u[1] - z * u[2], s * u[0] + x * p + y * u[2] - z * u[1],
      s * u[1] - x * u[2] + y * p + z * u[0], s * u[2] + x * u[1] - y * u[0] + z * p, a, b, c].join();
  });
  const path = write(folder, 'engine.csv', ['case,t,q0,q1,q2,q3,w1,w2,w3', ...constant].join('\n'));
  await page.setInputFiles('#file', path);
  await page.waitForFunction(() => document.getElementById('graded'));
  await settled(page);
  assert.equal(await message(page), '');
  assert.equal(await page.evaluate(() => document.getElementById('graded').textContent), 'engine.csv: 1 of 70 cases, 69 missing; 0 passed, 1 failed');
  assert.match(await page.evaluate(() => document.getElementById('note').textContent), /^Not passed: the attitude is up to \d+.*It looks like: no gyroscopic term\.$/);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.pane h3')].slice(0, 2).map((h) => h.textContent)),
    ['engine.csv', 'certified motion']);
  await scrub(page, 0.75);
  await page.screenshot({ path: join(pictures, 'grade.png') });
  for (const part of (await pixels(page)).panes) assert.ok(part > 0.004);
  for (const name of ['dzhanibekov', 'heavy_top', 'tensor', 'at_rest']) { // without rows of it
    await page.selectOption('#problem', `case ${name}`);
    await page.waitForFunction((text) => document.getElementById('canvas').getAttribute('aria-label').endsWith('by certified motion'), name);
    await scrub(page, 0.5);
    assert.equal(await message(page), '');
    assert.ok((await pixels(page)).panes[0] > 0.004, name);
  }
  await page.selectOption('#case', 'brick');
  await page.waitForFunction(() => document.querySelectorAll('.pane').length === 4);
  for (const bad of ['case,t\nbrick,1\n', 'case,t,q0,q1,q2,q3,w1,w2,w3\nnothing,1,1,0,0,0,0,0,0\n',
    'case,t,q0,q1,q2,q3,w1,w2,w3\nbrick,1,0,0,a,0,0,0,0\n', 'case,t,q0,q1,q2,q3,w1,w2,w3\n']) {
    await page.setInputFiles('#file', write(folder, 'bad.csv', bad));
    await page.waitForFunction(() => !document.getElementById('message').hidden);
    assert.match(await message(page), /^bad.csv/);
    await page.evaluate(() => { document.getElementById('message').hidden = true; });
  }
  const rows = times.slice(0, 5).map((t) => ['brick', t, 1, 0, 0, 0, t > 12 ? '1e308' : 1, 0, t > 20 ? 'nan' : 0].join());
  await page.setInputFiles('#file', write(folder, 'diverged.csv', ['case,t,q0,q1,q2,q3,w1,w2,w3', ...rows].join('\n')));
  await page.waitForFunction(() => document.getElementById('graded').textContent.startsWith('diverged.csv'));
  await settled(page);
  assert.equal(await message(page), '');
  assert.equal(await page.evaluate(() => document.getElementById('note').textContent), 'Not passed: diverged at t = 24.');
  await scrub(page, 0.9);
  assert.equal(await message(page), '');
  await page.done();
}
