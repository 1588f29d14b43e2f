// Links and files that mean harm, or nothing: the page says one line and keeps the run it has, or shows
// what there is to show. Nothing of them becomes part of the page but as text.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { advance, fragment, message, set, settled, state } from '../testing.mjs';

const LONGEST_MESSAGE = 400;
const MARKUP = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>';

// A page with a run of some steps, that tells what harm was done to it.
async function withRun(open) {
  const page = await open({ drawn: false });
  page.on('dialog', (dialog) => {
    page.wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const begin = async () => {
    await set(page, { problem: 'free', method: 'dmv2', step: 0.1 });
    await advance(page, 5);
  };
  await begin();
  const look = () => page.evaluate(() => ({
    elements: document.querySelectorAll('img, script, iframe, object, embed, link, [onerror], [onload]').length,
    polluted: Object.keys(Object.prototype).length + ('harmed' in window),
  }));
  const clean = await look();
  const harmless = async (what) => {
    assert.deepEqual(await look(), clean, what);
    assert.deepEqual(page.wrong, [], what);
  };
  return { page, begin, harmless };
}

// One line that can be read, of the page's own words.
function isLine(text, what) {
  assert.ok(text.length > 0 && text.length < LONGEST_MESSAGE, `${what}: a message of ${text.length} characters`);
  assert.doesNotMatch(text, /\p{Cc}/u, `${what}: ${JSON.stringify(text)}`);
  assert.doesNotMatch(text, /computation stopped|undefined|\[object|is not a function|Cannot read|out of bounds|unreachable|call stack/i, what);
}

// ---- links ---------------------------------------------------------------------------------

// Numbers of a linear congruence, the same in every run.
function numbersFrom(seed) {
  let last = seed;
  return (below) => {
    last = (Math.imul(last, 1664525) + 1013904223) >>> 0;
    return Math.floor(last / 2 ** 32 * below);
  };
}

const KEYS = ['problem', 'methods', 'method', 'step', 'tolerance', 'inertia', 'attitude', 'velocity', 'momentum', 'bodies', 'spread',
  'length', 'speed', 'time', 'camera', 'shape', 'scale', 'parameters', 'set.', 'set.strength', 'set.__proto__', 'set.constructor', 'set.up',
  '__proto__', 'constructor', 'toString', 'x', '', '\u0000', MARKUP, 'a'.repeat(3000)];
const VALUES = ['', '0', '-0', '-1', '1', '0.5', '1e308', '-1e308', '1e-308', '5e-324', '1e309', '9'.repeat(400), 'NaN', 'Infinity', '-Infinity', '0x10',
  '1_000', '1,', ',', ',,', '1,2', '1,2,3', '0,0,0', '1,0,0,0', '0,0,0,0', '1e308,1e308,1e308', '5e-324,1,1', '-1,1,1', '1e200,1,1', 'NaN,1,1', 'null', 'true',
  '[]', '{}', '[1,2,3]', '%', '\u0000', '\n', '\u202e', '\ud800', MARKUP, `"><svg onload=window.harmed=1>`, 'javascript:window.harmed=1',
  '../../etc/passwd', "'; DROP TABLE x", '__proto__', 'constructor', 'toString', 'free', 'heavy_top', 'magnets', 'dipolar_spheres', 'double_pendulum',
  'exact', 'gbs', 'verlet+exact', 'verlet+', '+exact', 'exact exact', 'exact:', 'exact@', 'dmv2@suzuki4', 'space', 'ellipsoid', 'linear',
  'a'.repeat(3000)];

// Runs that can be shown, and numbers for them.
const RUNS = [[['problem', 'free'], ['methods', 'dmv2']], [['problem', 'free'], ['methods', 'exact gbs']], [['problem', 'heavy_top'], ['methods', 'verlet+exact']],
  [['problem', 'free'], ['bodies', '100']], [['problem', 'magnets']], []];
const NUMBERS = [['step', 1], ['tolerance', 1], ['inertia', 3], ['attitude', 4], ['velocity', 3], ['momentum', 3], ['spread', 1], ['length', 1], ['speed', 1],
  ['time', 1], ['bodies', 1], ['set.strength', 1], ['set.up', 3]];
const EXTREME = ['0', '-1', '1', '3', '1e9', '-1e9', '1e-9', '1e18', '1e100', '1e200', '1e308', '-1e308', '1e-100', '1e-308', '5e-324'];

const LINKS = 150;

export async function links_at_random_do_no_harm({ open }) {
  const { page, begin, harmless } = await withRun(open);
  const before = await state(page);
  const random = numbersFrom(1);
  let refused = 0;
  for (let i = 0; i < LINKS; i++) {
    const one = (list) => list[random(list.length)];
    const extreme = () => {
      const [key, count] = one(NUMBERS);
      return [key, Array.from({ length: count }, () => one(EXTREME)).join(',')];
    };
    const words = i % 2 === 0 ? Array.from({ length: 1 + random(3) }, () => [one(KEYS), one(VALUES)])
      : [...one(RUNS), ...Array.from({ length: 1 + random(2) }, extreme)];
    const raw = random(8) === 0;
    const link = raw ? words.map((pair) => pair.join('=')).join('&') : new URLSearchParams(words).toString();
    const what = `link ${i}, ${JSON.stringify(link).slice(0, 200)}`;
    const changes = await page.evaluate((text) => new Promise((done) => {
      document.getElementById('message').textContent = '';
      const old = location.href;
      addEventListener('hashchange', () => done(true), { once: true }); // after that of the page
      location.hash = text;
      if (location.href === old) done(false);
    }), link);
    if (!changes) continue;
    await settled(page);
    const text = await message(page);
    await harmless(what);
    if (text === '') { // it could be shown
      const failure = await page.evaluate(() => window.polhode.advance(3).then(() => '', (error) => error.message));
      if (failure !== '') isLine(failure, what);
      await harmless(what);
      await begin();
      continue;
    }
    isLine(text, what);
    refused += 1;
    if (text.startsWith('this link cannot')) assert.deepEqual(await state(page), before, what);
    else await begin(); // a run that fails later
  }
  assert.ok(refused > LINKS / 2);
  await begin();
  assert.deepEqual(await state(page), before);
  await page.done();
}

// ---- files ---------------------------------------------------------------------------------

async function drop(page, name, content) {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content);
  await page.evaluate(() => { document.getElementById('message').textContent = ''; });
  await page.evaluate(([title, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], title));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [name, bytes.toString('base64')]);
  await settled(page);
}

const HEAD = 't,q0,q1,q2,q3';
const table = (...rows) => [HEAD, ...rows, ''].join('\n');
const triangle = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n';
const stl = (count, bytes) => {
  const file = Buffer.alloc(84 + bytes);
  file.writeUInt32LE(count, 80);
  return file;
};
const noise = (length) => {
  const random = numbersFrom(2);
  return Buffer.from(Array.from({ length }, () => random(256)));
};

// What cannot be shown.
const REFUSED = [
  ['a.csv', ''], ['a.csv', '\n\n\n'], ['a.csv', HEAD], ['a.csv', `${HEAD}\n`], ['a.csv', '{"t": [1, 2]}'], ['a.csv', '\u0000'.repeat(1000)],
  ['a.csv', noise(100000)], ['a.csv', 'a,b\n1,2\n'], ['a.csv', 't\n1\n2\n'], ['a.csv', 't,q0,q1,q2\n0,1,0,0\n'],
  ['a.csv', table('0,1,0,0')], ['a.csv', table('0,1,0,0,0,0')], ['a.csv', table('0,1,0,0,x')], ['a.csv', table('0,1,0,0,')],
  ['a.csv', table('NaN,1,0,0,0')], ['a.csv', table('0,Infinity,0,0,0')], ['a.csv', table('0,1e999,0,0,0')], ['a.csv', table('0,0x1,0,0,0')],
  ['a.csv', table('0,0,0,0,0')], ['a.csv', table('-1e308,1,0,0,0', '1e308,0,1,0,0')], ['a.csv', table('0,1e308,1e308,1e308,1e308')], ['a.csv', table('0,1,0,0,0', '2,1,0,0,0', '1,1,0,0,0')],
  ['a.csv', `t,t,q0,q1,q2,q3\n0,1,1,0,0,0\n`], ['a.csv', Buffer.from(`t,\xff,q0,q1,q2,q3\n0,7,1,0,0,0\n`, 'latin1')],
  ['a.csv', `${HEAD}\n0,1,0,0,0${',1'.repeat(300000)}\n`], ['a.csv', `t${',x'.repeat(300000)}\n0${',1'.repeat(300000)}\n`],
  ['a.csv', `${HEAD}\n0,${'1'.repeat(1000000)},0,0,0\n`], ['a.csv', MARKUP.repeat(1000)], ['a.csv', `${MARKUP}\n1\n`],
  ['a.csv', 't,body,x,y,z,q0,q1,q2,q3\n0,1,0,0,0,1,0,0,0\n0,2,1,0,0,1,0,0,0\n1,1,0,0,0,1,0,0,0\n'],
  ['a.csv', `__proto__,${HEAD}\n1,0,1,0,0\n`], [`${MARKUP}.csv`, 'x'], ['a\nb\u0007.csv', 'x'], [`${'a'.repeat(5000)}.csv`, 'x'], ['.csv', ''],
  ['a', table('0,1,0,0,0')], ['a.json', '{}'], ['a.html', MARKUP], ['a.svg', `<svg onload="window.harmed=1"/>`], ['__proto__', ''], ['', ''],
  ['a.obj', ''], ['a.obj', 'f 1 2 3\n'], ['a.obj', `mtllib http://example.org/x\n${MARKUP}`], ['a.obj', 'v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n'],
  ['a.obj', 'v 0 0 0\nv 1 0 0\nv 0 1e999 0\nf 1 2 3\n'], ['a.obj', 'v 0 0 0\nf 1 2 4294967295\n'], ['a.obj', noise(10000)],
  ['a.obj', 'v 1e200 0 0\nv 0 1e200 0\nv 0 0 1e200\nf 1 2 3\n'],
  ['a.stl', ''], ['a.stl', noise(10)], ['a.stl', stl(4294967295, 50)], ['a.stl', stl(1000000, 0)], ['a.stl', stl(0, 0)], ['a.stl', 'solid x\nfacet\n'],
  ['a.stl', stl(1, 50)], // all points are one
  ['a.snapshot', 'POLHODE'], ['a.csv', 'POLHODE\u0000'], ['a', Buffer.concat([Buffer.from('POLHODE\0'), Buffer.alloc(1000, 255)])],
];

// What can, be it odd.
const SHOWN = [
  ['a.csv', table('0,1,0,0,0')], ['a.csv', table('0,2,0,0,0', '1,0,3,0,0')], [`${MARKUP}.csv`, table('0,1,0,0,0', '1,0,1,0,0')],
  ['a.csv', `\ufeff${HEAD.replaceAll(',', '\t,')}\r\n0 , 1,0,0,0\r\n\r\n1,0,1,0,0`], ['a.CSV', `${HEAD},${MARKUP}\n0,1,0,0,0,5\n`],
  ['a.csv', table('1,1,0,0,0', '0,0,1,0,0', '-1,1,0,0,0')], ['a.csv', table('0,1,0,0,0', '0,1,0,0,0')],
  ['a.csv', `${HEAD},energy\n0,1,0,0,0,1e308\n1,1,0,0,0,-1e308\n`], ['a.obj', triangle], [`${MARKUP}.obj`, `o ${MARKUP}\nusemtl ${MARKUP}\n${triangle}`],
];

export async function files_that_cannot_be_shown_are_refused({ open, tool, folder }) {
  const { page, harmless } = await withRun(open);
  const [before, link] = [await state(page), await fragment(page)];
  mkdirSync(join(folder, 'web'), { recursive: true });
  const path = join(folder, 'web', 'good.snapshot');
  execFileSync(tool, ['run', '--problem', 'free', '--method', 'dmv2', '--step', '0.1', '--time', '1', '--checkpoint', path], { stdio: 'ignore' });
  const whole = readFileSync(path);
  const broken = [20, 100, whole.length - 1].flatMap((at) => {
    const other = Buffer.from(whole);
    other[at] ^= 1;
    return [['a.snapshot', whole.subarray(0, at)], ['a.snapshot', other]];
  });
  for (const [i, [name, content]] of [...REFUSED, ...broken].entries()) {
    const what = `file ${i}, ${JSON.stringify(name).slice(0, 40)}: ${JSON.stringify(String(content).slice(0, 80))}`;
    await drop(page, name, content);
    isLine(await message(page), what);
    await harmless(what);
    assert.deepEqual(await state(page), before, what);
    assert.equal(await fragment(page), link, what);
  }
  await advance(page, 5);
  assert.equal((await state(page)).time, 1);
  await page.done();
}

export async function odd_files_are_shown({ open }) {
  const { page, begin, harmless } = await withRun(open);
  for (const [i, [name, content]] of SHOWN.entries()) {
    const what = `file ${i}, ${name}: ${JSON.stringify(content.slice(0, 80))}`;
    await drop(page, name, content);
    assert.match(await message(page), /^$|is drawn, but its inertia is not known/, what); // of an open surface
    if (name.toLowerCase().endsWith('.csv')) {
      await page.evaluate(() => document.activeElement.blur());
      for (const key of ['End', 'ArrowLeft', 'Home']) {
        await page.keyboard.press(key);
        await settled(page);
      }
      assert.ok((await state(page)).attitude.every(Number.isFinite), what);
      assert.equal(await message(page), '', what);
    }
    await harmless(what);
    await begin();
  }
  await page.done();
}
