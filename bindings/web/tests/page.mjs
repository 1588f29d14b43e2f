// What the page shows and does.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { advance, choose, clock, enter, fragment, frames, message, pixels, presets, scrub, set, settled, state } from '../testing.mjs';

// Twice in one page, with the others in between, so that nothing of another run is left.
export async function every_preset_is_drawn_twice_alike({ open, pictures }) {
  const page = await open({ width: 1200, height: 800 });
  const names = await presets(page);
  assert.ok(names.length >= 11);
  const first = new Map();
  for (const again of [false, true]) {
    for (const name of names) {
      await choose(page, name);
      assert.equal(await page.evaluate(() => document.getElementById('preset').value), name);
      await scrub(page, 0.1);
      assert.equal(await message(page), '');
      const { sum, panes } = await pixels(page);
      if (again) assert.equal(sum, first.get(name), `${name} is drawn differently the second time`);
      else {
        await page.screenshot({ path: join(pictures, `${name}.png`) });
        for (const part of panes) assert.ok(part > 0.004, `${name}: panes drawn to ${panes}`);
        first.set(name, sum);
      }
    }
  }
  assert.equal(new Set(first.values()).size, names.length, 'two presets look alike');
  await page.done();
}

export async function narrow_and_light({ open, pictures }) {
  const page = await open({ width: 360, height: 740, dark: false });
  for (const name of await presets(page)) {
    await choose(page, name);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360, `${name} is wider than 360 pixels`);
    if (!['racket', 'magnets'].includes(name)) continue;
    await scrub(page, 0.1);
    await page.screenshot({ path: join(pictures, `${name}-narrow.png`), fullPage: true });
  }
  const light = await pixels(page);
  await page.click('#theme');
  assert.notEqual((await pixels(page)).sum, light.sum);
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
  await page.click('#play');
  let stopped = await clock(page); // a picture may be on its way
  for (let again = true; again;) {
    await frames(page, 20);
    const now = await clock(page);
    again = now !== stopped;
    assert.ok(now - stopped < 1, 'it goes on');
    stopped = now;
  }
  assert.equal(await page.evaluate(() => document.getElementById('play').textContent), 'Play');
  await page.done();
}

export async function every_parameter_has_a_slider({ open }) {
  const page = await open({ drawn: false });
  const problems = await page.evaluate(() => [...document.querySelectorAll('#problem option')].map(({ value }) => value).filter((value) => !value.startsWith('case ')));
  assert.ok(problems.length >= 15);
  for (const problem of problems) {
    await set(page, { problem });
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
  const page = await open({ drawn: false });
  await set(page, { problem: 'heavy_top', method: 's6_10+exact', step: 0.05 });
  const before = await state(page);
  await enter(page, 'strength', 3, 'range');
  assert.match(await fragment(page), /set\.strength=3/);
  assert.notEqual((await state(page)).energy, before.energy);
  const good = await state(page);
  await enter(page, 'I1', -1);
  assert.match(await page.evaluate(() => document.querySelector('.why')?.textContent ?? ''), /moments of inertia must be positive/);
  assert.deepEqual(await state(page), good);
  assert.equal(await page.evaluate(() => document.querySelectorAll('[aria-invalid=true]').length), 1);
  await enter(page, 'I1', 1.5);
  assert.equal(await page.evaluate(() => document.querySelector('.why')), null);
  await page.done();
}

// Settings and time, and the views: whatever the methods, and for many bodies.
export async function link_shows_the_same({ open }) {
  const page = await open();
  for (const name of ['book', 'cloud']) {
    await choose(page, name);
    await scrub(page, 0.1);
    await page.evaluate(() => document.body.focus());
    await page.keyboard.press('e');
    const [first, drawn, link] = [await state(page), await pixels(page), await fragment(page)];
    assert.match(link, /time=\d/);
    const again = await open({ fragment: link });
    await settled(again);
    assert.equal(await message(again), '');
    assert.deepEqual(await state(again), first);
    assert.equal(await fragment(again), link);
    assert.equal((await pixels(again)).sum, drawn.sum);
    await again.done();
  }
  await page.done();
}

export async function tolerance_stands_in_place_of_the_step({ open }) {
  const page = await open({ drawn: false });
  const labels = () => page.evaluate(() => [...document.querySelectorAll('.row > span')].map((span) => span.textContent));
  const shown = async (...names) => (await labels()).filter((label) => names.includes(label));
  await set(page, { problem: 'heavy_top', methods: ['verlet+exact', 'gbs'], step: 0.1 });
  assert.deepEqual(await shown('h', 'tolerance'), ['h', 'tolerance']);
  await set(page, { problem: 'heavy_top', methods: ['dop853', 'gbs', 'gauss16'], step: 0.1 });
  assert.deepEqual(await shown('h', 'tolerance'), ['tolerance']);
  assert.equal(await page.evaluate(() => document.querySelectorAll('.pane').length), 5);
  await advance(page, 50);
  const before = await state(page);
  await enter(page, 'tolerance', -4, 'range');
  assert.match(await fragment(page), /tolerance=0.0001&/);
  await advance(page, 50);
  assert.notDeepEqual(await state(page), before);
  await enter(page, 'tolerance', 2);
  assert.match(await page.evaluate(() => document.querySelector('.why').textContent), /from 1e-15 to 0.1/);
  await set(page, { problem: 'heavy_top', method: 'vlv' });
  assert.deepEqual(await shown('h', 'tolerance'), ['h']);
  assert.ok(!(await fragment(page)).includes('tolerance'));
  await page.done();
}

export async function uncertainty_is_switched_on_and_off({ open, pictures }) {
  const page = await open({ fragment: '#problem=free&inertia=1,2,2.9&velocity=0.4,1.2,1.3&methods=exact&step=0.1&time=10' });
  const words = () => page.evaluate(() => document.querySelector('.pane .said')?.textContent ?? '');
  const without = await pixels(page);
  assert.equal(await words(), '');
  await page.click('#uncertain');
  await page.waitForFunction(() => document.querySelector('.pane .said'));
  assert.match(await words(), /: 3\.9 times as long as at first$/);
  assert.notEqual((await pixels(page)).sum, without.sum);
  await page.screenshot({ path: join(pictures, 'uncertainty.png') });
  const link = await fragment(page);
  assert.match(link, /uncertainty=0\.04&/);
  const again = await open({ fragment: link });
  await settled(again);
  assert.equal((await pixels(again)).sum, (await pixels(page)).sum);
  await again.done();
  await page.click('#uncertain');
  await page.waitForFunction(() => !document.querySelector('.pane .said'));
  assert.equal((await pixels(page)).sum, without.sum);
  await assert.rejects(set(page, { problem: 'heavy_top', uncertainty: 0.1 }));
  await assert.rejects(set(page, { problem: 'free', uncertainty: 3 }));
  await page.done();
}

const HOSTILE = [
  '#problem=%3Cimg%20src=x%20onerror=alert(1)%3E', '#problem=__proto__', '#methods=constructor', '#step=NaN',
  '#step=0', '#step=1e999', '#inertia=1,2', '#inertia=0,0,0', '#attitude=0,0,0,0', '#set.__proto__=1',
  '#set.strength=1', '#problem=vortices&set.count=60000', '#problem=dipolar_spheres&set.lattice=1000',
  '#bodies=1e9', '#camera=%22%3E%3Cscript%3Ealert(1)%3C/script%3E', `#problem=${'a'.repeat(100000)}`,
  '#x=y', '#%', '#velocity=1e308,1e308,1e308', '#methods=exact%20exact%20exact%20exact%20exact', '#length=-1',
  '#problem=free&methods=verlet%2B', '#time=1e400', '#methods=gbs&tolerance=0', '#tolerance=1e999', '#problem=magnets&set.rows=2.5',
];

export async function hostile_links_show_a_message_only({ open }) {
  const page = await open({ drawn: false });
  const elements = await page.evaluate(() => document.querySelectorAll('img, script, iframe').length);
  for (const fragment of HOSTILE) {
    await page.evaluate(() => { document.getElementById('message').textContent = ''; });
    await page.evaluate((text) => { location.hash = text; }, fragment);
    await page.waitForFunction(() => document.getElementById('message').textContent !== '', null, { timeout: 120000 })
      .catch(() => { throw new Error(`no message for ${fragment.slice(0, 60)}`); });
    const text = await message(page);
    assert.ok(text.length < 400 && !text.includes('computation stopped'), text);
    assert.equal(await page.evaluate(() => document.querySelectorAll('img, script, iframe').length), elements);
  }
  await set(page, { problem: 'free', method: 'exact', step: 0.1 });
  await advance(page, 10);
  assert.equal((await state(page)).time, 1);
  await page.done();
}

export async function programs_are_refused_what_is_invalid({ open }) {
  const page = await open({ drawn: false });
  await set(page, { problem: 'free', method: 'dmv2', step: 0.1 });
  await advance(page, 5);
  const before = await state(page);
  const bad = [{ problem: 'nothing' }, { problem: 'free', method: 'nothing' }, { problem: 'heavy_top', method: 'exact' },
    { problem: 'free', step: 0 }, { problem: 'free', step: 'x' }, { problem: 'free', inertia: [1, 2, -3] }, { colour: 1 },
    { problem: 'free', parameters: { strength: 1 } }, { problem: 'free', velocity: [1, 2, NaN] }, { problem: 'magnets', inertia: [1, 2, 3] },
    { problem: 'free', method: 'gbs', tolerance: 1 }, { problem: 'magnets', method: 'gbs' }];
  for (const settings of bad) {
    await assert.rejects(set(page, settings), JSON.stringify(settings));
    assert.deepEqual(await state(page), before);
  }
  await assert.rejects(advance(page, -1));
  await assert.rejects(advance(page, 0.5));
  await advance(page, 5);
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
  assert.match(await fragment(page), /camera=body&shape=ellipsoid/);
  await page.keyboard.press('2');
  await page.waitForFunction(() => document.getElementById('title').textContent === 'T-handle in space');
  await page.done();
}
