// What the page shows and does.

import assert from 'node:assert/strict';
import { join } from 'node:path';

const clock = (page) => page.evaluate(() => Number(document.getElementById('clock').textContent.slice(4)));
const message = (page) => page.evaluate(() => document.getElementById('message').textContent);
const state = (page) => page.evaluate(() => window.polhode.state());

// Chooses a preset and waits until it is shown.
async function choose(page, name) {
  await page.evaluate(() => { document.getElementById('title').textContent = ''; });
  await page.selectOption('#preset', name);
  await page.waitForFunction(() => document.getElementById('title').textContent !== '');
}

// Goes to a part of the time line, and waits until the frame is drawn.
async function scrub(page, part) {
  const goal = await page.evaluate((at) => {
    const line = document.getElementById('time');
    line.value = String(at * Number(line.max));
    line.dispatchEvent(new Event('input'));
    return Number(line.value);
  }, part);
  await page.waitForFunction((time) => (
    Math.abs(Number(document.getElementById('clock').textContent.slice(4)) - time) <= 1e-3 * Math.abs(time)), goal, { timeout: 60000 });
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
}

// How many pixels of each pane differ clearly from the paper, and a checksum of all.
const pixels = (page) => page.evaluate(async () => {
  const blob = await window.polhode.picture();
  const bitmap = await createImageBitmap(blob);
  const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  pen.drawImage(bitmap, 0, 0);
  const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
  const paper = data.slice(0, 3);
  const stage = document.getElementById('stage').getBoundingClientRect();
  const scale = bitmap.width / stage.width;
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum = (Math.imul(sum, 31) + data[i]) | 0;
  const panes = [...document.querySelectorAll('.pane')].map((pane) => {
    const box = pane.getBoundingClientRect();
    let drawn = 0;
    for (let y = Math.ceil((box.top - stage.top) * scale); y < Math.floor((box.bottom - stage.top) * scale); y++) {
      for (let x = Math.ceil((box.left - stage.left) * scale); x < Math.floor((box.right - stage.left) * scale); x++) {
        const i = 4 * (y * bitmap.width + x);
        if (Math.abs(data[i] - paper[0]) + Math.abs(data[i + 1] - paper[1]) + Math.abs(data[i + 2] - paper[2]) > 90) drawn += 1;
      }
    }
    return drawn / (box.width * box.height * scale * scale);
  });
  return { sum, panes };
});

export async function every_preset_is_drawn_twice_alike({ open, pictures }) {
  const page = await open();
  const names = await page.evaluate(() => [...document.querySelectorAll('#preset option')].map(({ value }) => value).filter(Boolean));
  assert.ok(names.length >= 11);
  for (const name of names) {
    const seen = [];
    for (let times = 0; times < 2; times++) {
      await choose(page, name);
      await scrub(page, 0.1);
      seen.push(await pixels(page));
    }
    assert.equal(await message(page), '');
    await page.screenshot({ path: join(pictures, `${name}.png`) });
    for (const part of seen[0].panes) assert.ok(part > 0.004, `${name}: panes drawn to ${seen[0].panes}`);
    assert.equal(seen[0].sum, seen[1].sum, `${name} is drawn differently the second time`);
  }
  await page.done();
}

export async function narrow_and_light({ open, pictures }) {
  const page = await open({ width: 360, height: 740, dark: false });
  for (const name of ['racket', 'magnets']) {
    await choose(page, name);
    await scrub(page, 0.1);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360, 'it is wider than 360 pixels');
    await page.screenshot({ path: join(pictures, `${name}-narrow.png`), fullPage: true });
  }
  await page.done();
}

export async function time_line_goes_forward_and_back({ open }) {
  const page = await open();
  for (const name of ['racket', 'slow_top', 'double_pendulum', 'cloud']) {
    await choose(page, name);
    await scrub(page, 0.2);
    const [first, drawn] = [await state(page), await pixels(page)];
    await scrub(page, 0.05);
    assert.notDeepEqual(await state(page), first);
    await scrub(page, 0.2);
    assert.deepEqual(await state(page), first, name);
    assert.equal((await pixels(page)).sum, drawn.sum, name);
  }
  await page.done();
}

export async function animation_moves_and_stops({ open }) {
  const page = await open();
  await page.click('#play');
  await page.waitForFunction(() => Number(document.getElementById('clock').textContent.slice(4)) > 0.5);
  await page.keyboard.press('Escape');
  await page.click('#play');
  const stopped = await clock(page);
  await page.waitForTimeout(300);
  assert.ok(Math.abs(await clock(page) - stopped) < 0.2);
  await page.done();
}

// Moves the slider of a label and waits for the run.
async function slide(page, label, value) {
  await page.evaluate(([text, x]) => {
    const row = [...document.querySelectorAll('.row')].find((one) => one.querySelector('span').textContent === text);
    const slider = row.querySelector('input[type=range]');
    slider.value = String(x);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, [label, value]);
  await page.waitForTimeout(300);
}

async function type(page, label, value) {
  await page.evaluate(([text, x]) => {
    const row = [...document.querySelectorAll('.row')].find((one) => one.querySelector('span').textContent === text);
    const box = row.querySelector('input[type=number]');
    box.value = String(x);
    box.dispatchEvent(new Event('change', { bubbles: true }));
  }, [label, value]);
  await page.waitForTimeout(300);
}

export async function every_parameter_has_a_slider({ open }) {
  const page = await open();
  const problems = await page.evaluate(() => [...document.querySelectorAll('#problem option')].map(({ value }) => value));
  assert.ok(problems.length >= 15);
  for (const problem of problems) {
    await page.evaluate((name) => window.polhode.set({ problem: name }), problem);
    const [wanted, shown] = await page.evaluate((name) => [
      window.polhode.catalog().problems.find((one) => one.name === name).parameters.flatMap((p) => (
        p.default.map((_, k) => (p.default.length > 1 ? `${p.name} ${'xyz'[k]}` : p.name)))),
      [...document.querySelectorAll('.row > span')].map((span) => span.textContent),
    ], problem);
    for (const label of wanted) assert.ok(shown.includes(label), `${problem}: no slider ${label}`);
  }
  await page.done();
}

export async function sliders_change_the_run_and_bad_values_are_explained({ open }) {
  const page = await open();
  await page.evaluate(() => window.polhode.set({ problem: 'heavy_top', method: 's6_10+exact', step: 0.05 }));
  const before = await state(page);
  await slide(page, 'strength', 3);
  assert.match(await page.evaluate(() => location.hash), /set\.strength=3/);
  assert.notEqual((await state(page)).energy, before.energy);
  const good = await state(page);
  await type(page, 'I1', -1);
  assert.match(await page.evaluate(() => document.querySelector('.why')?.textContent ?? ''), /moments of inertia must be positive/);
  assert.deepEqual(await state(page), good);
  assert.equal(await page.evaluate(() => document.querySelectorAll('[aria-invalid=true]').length), 1);
  await type(page, 'I1', 1.5);
  assert.equal(await page.evaluate(() => document.querySelector('.why')), null);
  await page.done();
}

export async function link_shows_the_same({ open }) {
  const page = await open();
  await choose(page, 'book');
  await scrub(page, 0.1);
  await page.waitForTimeout(300);
  const [first, drawn, fragment] = [await state(page), await pixels(page), await page.evaluate(() => location.hash)];
  assert.match(fragment, /time=/);
  const again = await open({ fragment });
  await again.waitForFunction((time) => Math.abs(window.polhode.state().time - time) < 1e-9, first.time);
  assert.deepEqual(await state(again), first);
  await again.waitForTimeout(300);
  assert.equal((await pixels(again)).sum, drawn.sum);
  await page.done();
  await again.done();
}

const HOSTILE = [
  '#problem=%3Cimg%20src=x%20onerror=alert(1)%3E', '#problem=__proto__', '#methods=constructor', '#step=NaN',
  '#step=0', '#step=1e999', '#inertia=1,2', '#inertia=0,0,0', '#attitude=0,0,0,0', '#set.__proto__=1',
  '#set.strength=1', '#problem=vortices&set.count=60000', '#problem=dipolar_spheres&set.lattice=1000',
  '#bodies=1e9', '#camera=%22%3E%3Cscript%3Ealert(1)%3C/script%3E', `#problem=${'a'.repeat(100000)}`,
  '#x=y', '#%', '#velocity=1e308,1e308,1e308', '#methods=exact%20exact%20exact%20exact%20exact', '#length=-1',
  '#problem=free&methods=verlet%2B', '#time=1e400', '#problem=magnets&set.rows=2.5',
];

export async function hostile_links_show_a_message_only({ open }) {
  const page = await open();
  const elements = await page.evaluate(() => document.querySelectorAll('img, script, iframe').length);
  for (const fragment of HOSTILE) {
    await page.evaluate(() => { document.getElementById('message').textContent = ''; });
    await page.evaluate((text) => { location.hash = text; }, fragment);
    await page.waitForFunction(() => document.getElementById('message').textContent !== '', null, { timeout: 5000 })
      .catch(() => { throw new Error(`no message for ${fragment.slice(0, 60)}`); });
    const text = await message(page);
    assert.ok(text.length < 400 && !text.includes('computation stopped'), text);
    assert.equal(await page.evaluate(() => document.querySelectorAll('img, script, iframe').length), elements);
  }
  await page.evaluate(() => window.polhode.set({ problem: 'free', method: 'exact', step: 0.1 }));
  await page.evaluate(() => window.polhode.advance(10));
  assert.equal((await state(page)).time, 1);
  await page.done();
}

export async function programs_are_refused_what_is_invalid({ open }) {
  const page = await open();
  await page.evaluate(() => window.polhode.set({ problem: 'free', method: 'dmv2', step: 0.1 }));
  await page.evaluate(() => window.polhode.advance(5));
  const before = await state(page);
  const bad = [{ problem: 'nothing' }, { problem: 'free', method: 'nothing' }, { problem: 'heavy_top', method: 'exact' },
    { problem: 'free', step: 0 }, { problem: 'free', step: 'x' }, { problem: 'free', inertia: [1, 2, -3] }, { colour: 1 },
    { problem: 'free', parameters: { strength: 1 } }, { problem: 'free', velocity: [1, 2, NaN] }, { problem: 'magnets', inertia: [1, 2, 3] }];
  for (const settings of bad) {
    await assert.rejects(page.evaluate((given) => window.polhode.set(given), settings), JSON.stringify(settings));
    assert.deepEqual(await state(page), before);
  }
  await assert.rejects(page.evaluate(() => window.polhode.advance(-1)));
  await assert.rejects(page.evaluate(() => window.polhode.advance(0.5)));
  await page.evaluate(() => window.polhode.advance(5));
  assert.equal((await state(page)).time, 1);
  await page.done();
}

export async function page_is_labelled({ open }) {
  const page = await open();
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas, .pane')].filter((one) => (
    !(one.getAttribute('aria-label') || one.labels?.length > 0 || one.textContent.trim() !== ''))).map((one) => one.outerHTML));
  assert.deepEqual(nameless, []);
  const text = await page.evaluate(() => document.getElementById('sentences').textContent);
  assert.equal(text.split(/\.(?: |$)/).filter(Boolean).length, 5, 'five sentences');
  assert.ok(await page.evaluate(() => document.querySelector('#equation math') !== null));
  await page.evaluate(() => document.body.focus());
  await page.keyboard.press('b');
  await page.keyboard.press('e');
  assert.match(await page.evaluate(() => location.hash), /camera=body&shape=ellipsoid/);
  await page.keyboard.press('7');
  await page.waitForFunction(() => document.getElementById('title').textContent === 'Double pendulum');
  await page.done();
}
