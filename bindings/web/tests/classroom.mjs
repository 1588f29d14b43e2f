// What a class sees and does: the path, the faces and the axes of a body, keys, reasons, Back and Forward, results that are
// dropped, sliders, the laboratory on a small screen.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as THREE from 'three';
import { smooth } from '../page/draw.js';
import { PRESETS } from '../page/presets.js';
import { SHAPES } from '../page/shapes.js';
import { advance, choose, fragment, message, openFile, pixels, scrub, set, settled, state } from '../testing.mjs';

const text = (page, id) => page.evaluate((one) => document.getElementById(one).textContent, id);
const view = (page) => page.evaluate(() => window.polhode.view());
const preset = (page, name) => page.evaluate((one) => window.polhode.preset(one), name);
const large = (page) => page.evaluate(() => document.documentElement.hasAttribute('data-large'));

// ---- the path

export async function paths_are_smooth() {
  const times = Array.from({ length: 30 }, (_, i) => 0.2 * i).concat(5.83); // the last one closer, as the time that is shown
  const circle = (t) => new THREE.Vector3(Math.cos(t), Math.sin(t), 0.3 * Math.sin(2 * t));
  const points = smooth(times.map(circle), times, 0.02);
  let before = null;
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = points.slice(i, i + 3);
    const t = Math.atan2(y, x);
    const inside = i > 60 && i < points.length - 60 ? 3e-4 : 1e-3; // at the ends a parabola
    assert.ok(circle(t).distanceTo(new THREE.Vector3(x, y, z)) < inside, `point ${i / 3}: ${x}, ${y}, ${z}`);
    if (before) assert.ok(Math.hypot(x - before[0], y - before[1], z - before[2]) < 0.025);
    before = [x, y, z];
  }
  assert.deepEqual(smooth([new THREE.Vector3(1, 2, 3), new THREE.Vector3(4, 5, 6)], [0, 1], 0.1), [1, 2, 3, 4, 5, 6]);
}

// A lecture shows the exact motion: the step that nobody sees changes nothing.
export async function lectures_do_not_depend_on_the_step({ open }) {
  const page = await open({ view: 'lecture' });
  const { settings } = PRESETS[0];
  const drawn = [];
  for (const step of [0.02, 0.25]) {
    await set(page, { problem: 'free', inertia: settings.inertia, velocity: settings.velocity, methods: ['exact'], step });
    await scrub(page, 0.9 / (1000 * step)); // to the same time: lines have a thousand steps
    drawn.push((await pixels(page)).sum);
  }
  assert.equal(drawn[0], drawn[1]);
  await page.done();
}

// ---- the body

// How many pixels of the picture are clearly red, and clearly blue.
const redAndBlue = (page) => page.evaluate(async () => {
  const bitmap = await createImageBitmap(await window.polhode.picture());
  const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  pen.drawImage(bitmap, 0, 0);
  const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
  let [red, blue] = [0, 0];
  for (let i = 0; i < data.length; i += 4) {
    red += data[i] - data[i + 2] > 50;
    blue += data[i + 2] - data[i] > 50;
  }
  return [red, blue];
});

export async function faces_of_flat_bodies_have_two_colours({ open }) {
  const page = await open({ view: 'lecture', dark: false });
  for (const name of ['racket', 'book', 'phone']) {
    await preset(page, name);
    const [red, blue] = await redAndBlue(page);
    await page.evaluate((link) => { location.hash = link; }, (await fragment(page)).replace(/&?attitude=[^&]*/, '').concat('&attitude=0,1,0,0'));
    await page.waitForFunction(() => window.polhode.state().attitude[1] === 1);
    await settled(page);
    const [less, more] = await redAndBlue(page);
    assert.ok(red > 3 * less && more > 3 * blue, `${name}: red ${red}, ${less}; blue ${blue}, ${more}`);
  }
  await page.done();
}

export async function axes_are_numbered_and_the_unstable_one_is_marked({ open }) {
  const page = await open({ view: 'lecture' });
  const legend = () => page.evaluate(() => document.querySelector('.pane > p').textContent);
  for (const [name, axis] of [['racket', 2], ['t_handle', 1], ['water', 2]]) {
    await preset(page, name);
    assert.match(await legend(), new RegExp(`axis ${axis}, unstable`), name);
    const shown = (await pixels(page)).sum;
    await page.click('#axes');
    assert.ok(!(await legend()).includes('unstable'), name);
    assert.notEqual((await pixels(page)).sum, shown);
    await page.keyboard.press('a');
    assert.equal((await pixels(page)).sum, shown, name);
  }
  await preset(page, 'top'); // which spins too fast to read numbers, unless they are asked for
  const before = (await pixels(page)).sum;
  assert.ok(!(await legend()).includes('unstable'));
  await page.keyboard.press('a');
  assert.notEqual((await pixels(page)).sum, before, 'chosen before: off, now on');
  await page.done();
}

// Tips are where the body ends, and lobes are two.
export async function tips_are_on_their_bodies() {
  for (const [name, { tip, parts }] of Object.entries(SHAPES)) {
    const ends = parts.map(({ solid, size, semi, drawn, axis, r, R, h, at = [0, 0, 0] }) => tip.map((x, k) => {
      const half = size ? size[k] / 2 : semi ? (drawn ?? semi[k]) : k === axis ? (R ? r : Math.abs(h) / 2) : (R ?? 0) + r;
      return Math.max(0, Math.abs(x - at[k]) - half);
    }));
    const off = Math.min(...ends.map((gap) => Math.hypot(...gap)));
    assert.ok(off < 0.05 * Math.hypot(...tip), `${name}: the tip is ${off} beside the body`);
  }
  const [large, small] = SHAPES.asteroid.parts;
  const right = large.at[0] + large.semi[0];
  const left = small.at[0] - small.semi[0];
  assert.ok(right > left && right - left < 0.25 * small.semi[0], 'two lobes that touch');
}

// ---- keys

export async function keys_act_wherever_one_has_clicked({ open }) {
  const page = await open({ view: 'lecture', width: 1280, height: 800 });
  const places = {
    list: async () => { await choose(page, 'phone'); await page.focus('#preset'); },
    slider: () => page.click('#knob input'),
    time: () => page.click('#time'),
    button: () => page.click('#large').then(() => page.click('#large')),
    body: () => page.evaluate(() => document.activeElement.blur()),
  };
  for (const [place, go] of Object.entries(places)) {
    await preset(page, 'racket');
    await go();
    await settled(page);
    const name = await text(page, 'name');
    const press = async (key) => { await page.keyboard.press(key); await settled(page); };
    await press('b');
    assert.match(await fragment(page), /camera=body/, place);
    await press('b');
    await press('e');
    assert.match(await fragment(page), /camera=space&shape=ellipsoid/, place);
    await press('e');
    await press('l');
    assert.match(await fragment(page), /scale=linear/, place);
    await press('l');
    await press('t');
    assert.ok(await large(page), place);
    await press('t');
    await press('a');
    assert.match(await fragment(page), /axes=off/, place);
    await press('a');
    await press('w');
    assert.ok(await page.isVisible('#because'), place);
    await press('w');
    assert.ok(!await page.isVisible('#because'), place);
    await press('m');
    assert.equal(await view(page), 'laboratory', place);
    await press('M');
    assert.equal(await view(page), 'lecture', place);
    const speed = Number(await page.inputValue('#speed'));
    await press('+');
    assert.ok(Number(await page.inputValue('#speed')) > speed, place);
    await press('-');
    assert.equal(Number(await page.inputValue('#speed')), speed, place);
    await press('?');
    assert.ok(await page.isVisible('#keys'), place);
    await press('Escape');
    assert.equal(await text(page, 'name'), name, `${place}: the preset has changed`);
    await press('r');
    assert.ok((await state(page)).time < 1, place);
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.fullscreenElement !== null);
    await page.evaluate(() => document.exitFullscreen());
    await press('2');
    await page.waitForFunction(() => document.getElementById('name').textContent === 'T-handle in space');
  }
  await page.done();
}

export async function space_and_arrows_stay_with_what_they_move({ open }) {
  const page = await open({ view: 'lecture' });
  const playing = () => page.evaluate(() => document.getElementById('play').textContent === 'Stop');
  await page.focus('#knob input');
  const link = await fragment(page);
  await page.keyboard.press('ArrowRight');
  await settled(page);
  assert.notEqual(await fragment(page), link, 'the slider moves');
  assert.equal((await state(page)).time, 0);
  await page.focus('#large');
  await page.keyboard.press(' ');
  assert.ok(await large(page) && !await playing(), 'the button is pressed');
  await page.keyboard.press('ArrowRight'); // has no meaning on a button, so it is the page's
  await settled(page);
  assert.ok((await state(page)).time > 0);
  await page.focus('#preset');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.getElementById('name').textContent === 'T-handle in space');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press(' ');
  assert.ok(await playing());
  await page.keyboard.press(' ');
  assert.ok(!await playing());
  await page.focus('#speed'); // where text is written letters are text
  for (const key of ['m', 'w', 't', '2']) await page.keyboard.press(key);
  assert.equal(await view(page), 'lecture');
  assert.ok(!await page.isVisible('#because') && await text(page, 'name') === 'T-handle in space');
  await page.done();
}

// ---- why

export async function every_preset_has_its_reason({ open, pictures }) {
  const page = await open({ view: 'lecture', width: 1280, height: 800 });
  const panes = () => page.evaluate(() => document.querySelectorAll('.pane').length);
  for (const { name, settings: { problem, bodies = 0 }, panes: own = [] } of PRESETS) {
    await preset(page, name);
    const [alone, said] = [await panes(), await text(page, 'see')];
    await page.click('#why');
    assert.equal(await page.getAttribute('#why', 'aria-pressed'), 'true');
    const reason = await text(page, 'reason');
    const sentences = reason.split(/\.(?: |$)/).filter(Boolean).length;
    assert.ok(sentences >= 2 && sentences <= 3 && reason !== said, `${name}: ${reason}`);
    assert.ok(!/elliptic integral|separatrix|eigen/i.test(reason), name);
    const free = problem === 'free' && bodies === 0;
    assert.equal(await panes(), free && own.length === 0 ? 2 : alone, name);
    if (free) {
      assert.match(await text(page, 'moments'), /^Moments of inertia: J₁ = .*the \w+.*; J₂ = .*the \w+.*; J₃ = .*the \w+/, name);
      assert.match(reason, /At axis [12], the middle one, two curves cross/, name);
    }
    assert.ok(!/elliptic integral/.test(await text(page, 'fact')), name);
    if (name === 'racket') await page.screenshot({ path: join(pictures, 'why.png') });
    await page.keyboard.press('w');
    assert.ok(!await page.isVisible('#because') && await panes() === alone);
  }
  await set(page, { problem: 'free', inertia: [1, 1, 2], velocity: [1, 0, 1] });
  await page.keyboard.press('w');
  assert.match(await text(page, 'reason'), /never flips/);
  await page.keyboard.press('m');
  assert.ok(!await page.isVisible('#because'));
  await page.keyboard.press('w');
  assert.ok(await view(page) === 'lecture' && await page.isVisible('#because'), 'from the laboratory it opens');
  await page.done();
}

// The dot of the polhode waits at the crossing: it is there for most of a period.
export async function polhode_lingers_at_the_crossing({ open }) {
  const page = await open({ view: 'lecture', drawn: false });
  let near = 0;
  for (let i = 0; i < 40; i++) {
    await scrub(page, i * 2.44 / 40 / 15);
    const { velocity: w } = await state(page);
    near += Math.abs(w[1]) > 0.9 * Math.hypot(...w);
  }
  assert.ok(near > 20, `${near} of 40`);
  await page.done();
}

// ---- Back and Forward, links

export async function back_and_forward_go_through_presets_and_views({ open }) {
  const page = await open({ view: 'lecture', drawn: false });
  const shows = (name, kind) => page.waitForFunction(([one, other]) => document.getElementById('preset').value === one && window.polhode.view() === other, [name, kind]);
  await choose(page, 'top');
  await scrub(page, 0.2);
  const { time } = await state(page);
  await preset(page, 'phone');
  await page.click('#switch');
  assert.equal(await view(page), 'laboratory');
  for (const [go, name, kind] of [['goBack', 'phone', 'lecture'], ['goBack', 'top', 'lecture'], ['goBack', 'racket', 'lecture'],
    ['goForward', 'top', 'lecture'], ['goForward', 'phone', 'lecture'], ['goForward', 'phone', 'laboratory']]) {
    await page[go]();
    await shows(name, kind);
    await settled(page);
    assert.equal(await message(page), '');
    if (name === 'top') assert.equal((await state(page)).time, time, 'where it stood');
  }
  await page.done();
}

export async function lectures_have_a_link_to_copy({ open }) {
  const page = await open({ view: 'lecture', drawn: false });
  assert.ok(await page.isVisible('#link'));
  await page.click('#link');
  await page.waitForFunction(() => /^(Copied|In the address bar)$/.test(document.getElementById('link').textContent));
  await page.done();
}

// ---- results, numbers, small screens

export async function results_on_the_stage_show_their_grade({ open }) {
  const rows = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../../conformance/cases.csv'), 'utf8').split('\n');
  const wrong = rows.map((row, i) => (i === 0 || row === '' ? row : row.split(',').map((x, k) => (k === 2 ? String(Number(x) + 0.01) : x)).join())).join('\n');
  const page = await open({ view: 'lecture' });
  assert.equal(await openFile(page, 'mine.csv', wrong, '#stage'), '');
  assert.equal(await view(page), 'lecture');
  assert.match(await text(page, 'see'), /^Not passed: the attitude is up to [\d.]+° off/);
  assert.match(await text(page, 'fact'), /^mine\.csv: \d+ of \d+ passed$/);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.pane h3')].map((one) => one.textContent)), ['mine.csv', 'certified motion']);
  assert.ok(await page.isVisible('#see') && await page.isVisible('#fact'));
  assert.equal(await openFile(page, 'good.csv', rows.join('\n'), '#see'), '');
  assert.match(await text(page, 'see'), /^Passed/);
  await page.done();
}

export async function sliders_follow_the_preset({ open }) {
  const page = await open({ drawn: false });
  for (const { name, settings: { inertia } } of PRESETS.filter((one) => one.settings.inertia)) {
    await choose(page, name);
    const sliders = await page.evaluate(() => [1, 2, 3].map((k) => {
      const { min, max, step, value } = document.querySelector(`[aria-label="I${k}, slider"]`);
      return [min, max, step, value].map(Number);
    }));
    sliders.forEach(([min, max, step, value], k) => {
      assert.ok(min <= inertia[k] && inertia[k] < max && max <= 20 * Math.max(...inertia), `${name}: I${k + 1} from ${min} to ${max}`);
      assert.ok(step < 0.15 * inertia[k] && Math.abs(value - inertia[k]) <= step, `${name}: I${k + 1} in steps of ${step}`);
    });
  }
  await choose(page, 'racket');
  await page.focus('[aria-label="I1, slider"]');
  await page.keyboard.press('ArrowRight');
  await settled(page);
  const [first] = (await fragment(page)).match(/inertia=([^&]*)/)[1].split('%2C').map(Number);
  const [was] = PRESETS[0].settings.inertia;
  assert.ok(first > was && first < 1.3 * was, `${was} became ${first}`);
  await page.done();
}

export async function numbers_are_rounded_for_people({ open }) {
  const page = await open({ view: 'lecture', drawn: false });
  for (const { name } of PRESETS) {
    await preset(page, name);
    const numbers = [await page.inputValue('#speed'), await text(page, 'fact'), await text(page, 'moments'), await page.evaluate(() => document.querySelector('#knob output').textContent)].join(' ');
    for (const [number] of numbers.matchAll(/\d[\d.]*\d|\d/g)) {
      assert.ok(number.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length <= 4, `${name}: ${number} in ${numbers}`);
    }
  }
  await preset(page, 'spacecraft');
  assert.equal(await page.inputValue('#speed'), '6.7');
  await page.done();
}

export async function laboratory_is_readable_on_a_small_screen({ open, pictures }) {
  const page = await open({ width: 1024, height: 768, dark: false });
  for (const name of ['racket', 'book', 'slow_top']) {
    await choose(page, name);
    await scrub(page, 0.1);
    const boxes = await page.evaluate(() => [...document.querySelectorAll('.pane')].map((pane) => pane.getBoundingClientRect().toJSON()));
    for (const { width, height, bottom } of boxes) assert.ok(width > 220 && height > 220 && bottom < 640, `${name}: ${width} x ${height}`);
    assert.ok(await page.evaluate(() => document.getElementById('charts').getBoundingClientRect().bottom) <= 768, name);
    await page.screenshot({ path: join(pictures, `laboratory-${name}-1024.png`) });
  }
  await advance(page, 1);
  await page.done();
}
