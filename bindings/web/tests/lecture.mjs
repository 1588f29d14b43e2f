// The lecture: one body, its caption and slider, on screens of all sizes; and the shapes.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { inertiaOf, SHAPES, topOf } from '../page/shapes.js';
import { fragment, message, pixels, scrub, set, settled, state } from '../testing.mjs';

const view = (page) => page.evaluate(() => window.polhode.view());
const presets = (page) => page.evaluate(() => window.polhode.presets());
const preset = (page, name) => page.evaluate((one) => window.polhode.preset(one), name);
const text = (page, id) => page.evaluate((one) => document.getElementById(one).textContent, id);

// Boxes of the texts that are seen; and what is wrong with them: cut off, or one over another.
const badTexts = (page) => page.evaluate(() => {
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (node.textContent.trim() === '' || parent.closest('option, dialog, template, script, style') || !parent.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, right, bottom, width } of range.getClientRects()) {
      if (width > 0) boxes.push({ left, top, right, bottom, text: node.textContent.trim().slice(0, 30) });
    }
  }
  const bad = boxes.filter(({ left, right, top, bottom }) => left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
    .map((box) => `${box.text} is cut off`);
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
    const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    if (x > 1 && y > 3) bad.push(`${a.text} over ${b.text}`);
  }));
  return bad;
});

const overflow = (page) => page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);

export async function page_opens_as_a_lecture({ open }) {
  const page = await open({ view: 'lecture', width: 1280, height: 720 });
  assert.equal(await view(page), 'lecture');
  assert.equal(await text(page, 'name'), 'Tennis racket');
  assert.match(await text(page, 'fact'), /flips every \d/);
  assert.equal(await page.evaluate(() => document.querySelectorAll('.pane').length), 1);
  assert.ok(!await page.isVisible('aside') && !await page.isVisible('#plots'));
  await page.click('#switch');
  assert.equal(await view(page), 'laboratory');
  assert.ok(await page.isVisible('aside') && await page.isVisible('#plots') && !await page.isVisible('#caption'));
  assert.ok(await page.evaluate(() => document.querySelectorAll('.pane').length) > 3);
  await page.evaluate(() => window.polhode.show('lecture'));
  assert.equal(await view(page), 'lecture');
  assert.match(await page.evaluate(() => window.polhode.show('cinema').catch((error) => error.message)), /no view cinema/);
  assert.match(await page.evaluate(() => window.polhode.preset('nothing').catch((error) => error.message)), /no preset nothing/);
  await set(page, { problem: 'heavy_top' });
  assert.equal(await view(page), 'lecture');
  await page.done();
}

// Every preset: no scroll, no text over another, the body and Play on the first screen, all that is drawn inside the
// picture; and of some the same with their reason beside them.
async function each(open, pictures, { width, height, dark, large = false, every = 1, reasons = 3 }) {
  const page = await open({ view: 'lecture', width, height, dark });
  if (large) await page.keyboard.press('t');
  for (const [i, name] of (await presets(page)).entries()) {
    if (i % every > 0) continue;
    await preset(page, name);
    await scrub(page, 0.71);
    assert.equal((await pixels(page)).border, 0, `${name} is cut off`);
    const whole = async (what, least) => {
      assert.equal(await message(page), '', what);
      assert.deepEqual((await overflow(page)).filter((x) => x > 0), [], `${what} scrolls`);
      assert.deepEqual(await badTexts(page), [], what);
      const boxes = await page.evaluate(() => ['stage', 'play'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
      assert.ok(boxes[0].height > least * height && boxes[0].bottom <= height && boxes[1].bottom <= height, `${what}: ${boxes[0].height}`);
      const { panes, border } = await pixels(page);
      assert.equal(border, 0, `${what} is cut off`);
      const parts = panes.filter((part) => !Number.isNaN(part));
      for (const part of parts) assert.ok(part > 0.004, `${what}: drawn to ${parts}`);
      await page.screenshot({ path: join(pictures, `lecture-${what}-${width}${dark ? '' : '-light'}${large ? '-large' : ''}.png`) });
    };
    await scrub(page, 0.13);
    await whole(name, large ? 0.25 : 0.35);
    assert.ok(await text(page, 'see'), `${name} has no sentence`);
    assert.ok(await page.isVisible('#knob'), `${name} has no slider`);
    if (i % reasons > 0) continue;
    await page.click('#why');
    await whole(`${name}-why`, 0.16);
    await page.click('#why');
  }
  await page.done();
}

export const every_preset_fits_a_laptop = ({ open, pictures }) => each(open, pictures, { width: 1400, height: 900, dark: true });
export const every_preset_fits_a_phone = ({ open, pictures }) => each(open, pictures, { width: 390, height: 844, dark: false });
export const every_preset_fits_a_small_laptop = ({ open, pictures }) => each(open, pictures, { width: 1024, height: 768, dark: true, reasons: Infinity });
export const presets_fit_a_phone_with_large_letters = ({ open, pictures }) => each(open, pictures, { width: 390, height: 844, dark: true, large: true, every: 4, reasons: Infinity });
export const presets_fit_a_projector = ({ open, pictures }) => each(open, pictures, { width: 1280, height: 800, dark: false, large: true, every: 3, reasons: Infinity });

export async function play_and_bodies_are_on_the_first_screen_of_a_phone({ open }) {
  const page = await open({ width: 390, height: 844 });
  for (const methods of [['exact'], ['exact', 'mr', 'dmv2', 'sr2']]) {
    await set(page, { problem: 'free', methods });
    const [play, pane] = await page.evaluate(() => [document.getElementById('play'), document.querySelector('.pane')].map((one) => one.getBoundingClientRect().toJSON()));
    assert.ok(play.top >= 0 && play.bottom <= 844, `${methods}: Play is at ${play.top}`);
    assert.ok(pane.top < 600, `${methods}: the body is at ${pane.top}`);
  }
  await page.done();
}

export async function links_restore_either_view({ open }) {
  const page = await open({ view: 'lecture' });
  for (const [name, kind] of [['top', 'lecture'], ['top', 'laboratory'], ['cloud', 'lecture']]) {
    await page.evaluate((one) => window.polhode.show(one), kind);
    await preset(page, name);
    await scrub(page, 0.1);
    const [link, first, drawn] = [await fragment(page), await state(page), await pixels(page)];
    assert.match(link, new RegExp(`preset=${name}&.*view=${kind}`));
    const again = await open({ fragment: link });
    await settled(again);
    assert.equal(await view(again), kind);
    assert.equal(await text(again, 'title'), await text(page, 'title'));
    assert.deepEqual(await state(again), first);
    assert.equal((await pixels(again)).sum, drawn.sum);
    assert.equal(await fragment(again), link);
    await again.done();
  }
  await page.done();
}

export async function slider_changes_the_number_that_matters({ open }) {
  const page = await open({ view: 'lecture' });
  const turn = async (value) => {
    await page.evaluate((x) => {
      const slider = document.querySelector('#knob input');
      slider.value = String(x);
      slider.dispatchEvent(new Event('input'));
    }, value);
    await settled(page);
  };
  const period = async () => Number((await text(page, 'fact')).match(/every ([\d.]+) s/)[1]);
  const before = await period();
  await turn(0.2);
  assert.ok(await period() > before, 'closer to the middle axis it waits longer');
  assert.equal(await text(page, 'name'), 'Tennis racket');
  for (const name of await presets(page)) { // from one end to the other
    await preset(page, name);
    const [least, most] = await page.evaluate(() => { const { min, max } = document.querySelector('#knob input'); return [Number(min), Number(max)]; });
    const seen = new Set();
    for (const value of [least, most]) {
      await turn(value);
      assert.equal(await message(page), '', `${name} at ${value}`);
      seen.add(await fragment(page));
      assert.equal(await page.evaluate(() => Number(document.querySelector('#knob input').value)), value);
    }
    assert.equal(seen.size, 2, name);
  }
  await page.done();
}

export async function bodies_are_turned_and_keys_work({ open }) {
  const page = await open({ view: 'lecture' });
  const first = (await pixels(page)).sum;
  const box = await page.evaluate(() => document.querySelector('.pane').getBoundingClientRect().toJSON());
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.pane')).touchAction), 'none');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 30);
  await page.mouse.up();
  assert.notEqual((await pixels(page)).sum, first);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('m');
  assert.equal(await view(page), 'laboratory');
  await page.keyboard.press('m');
  const size = () => page.evaluate(() => parseFloat(getComputedStyle(document.getElementById('see')).fontSize));
  const small = await size();
  await page.keyboard.press('t');
  assert.ok(await size() > 1.3 * small);
  await scrub(page, 0.5);
  await page.click('#restart');
  await settled(page);
  assert.ok((await state(page)).time < 1);
  await page.done();
}

// How many frames a second the lecture has here: printed, for it is the machine's more than the page's.
export async function frames_of_a_lecture_are_counted({ open }) {
  const page = await open({ view: 'lecture', width: 1280, height: 720 });
  for (const name of ['racket', 'top', 'spacecraft', 'cloud']) {
    await preset(page, name);
    const { shown, intervals, seconds } = await page.evaluate(() => new Promise((done) => {
      const intervals = [];
      const clock = document.getElementById('clock');
      let [shown, before, seen] = [0, performance.now(), clock.textContent];
      const start = before;
      document.getElementById('play').click();
      const next = (now) => {
        intervals.push(now - before);
        before = now;
        if (clock.textContent !== seen) shown += 1;
        seen = clock.textContent;
        if (now < start + 5000 || shown < 5) requestAnimationFrame(next); // longer on a busy machine
        else done({ shown, intervals: intervals.slice(1).sort((a, b) => a - b), seconds: (now - start) / 1000 });
      };
      requestAnimationFrame(next);
    }));
    const at = (part) => intervals[Math.floor(part * (intervals.length - 1))].toFixed(1);
    console.log(`  ${name}, 1280 x 720: ${(intervals.length / seconds).toFixed(1)} frames a second, ${(shown / seconds).toFixed(1)} of them moved; ` +
      `from one to the next ${at(0.5)} ms (median), ${at(0.95)} ms (95 %)`);
  }
  await page.done();
}

// ---- shapes --------------------------------------------------------------------------------------

const INSIDE = {
  box: ({ size }, p) => p.every((x, k) => Math.abs(x) <= size[k] / 2),
  ellipsoid: ({ semi }, p) => p.reduce((sum, x, k) => sum + (x / semi[k]) ** 2, 0) <= 1,
  tube: ({ axis, r, inner = 0, h }, p) => {
    const across = Math.hypot(...p.filter((_, k) => k !== axis));
    return Math.abs(p[axis]) <= h / 2 && across <= r && across >= inner;
  },
  ring: ({ axis, R, r }, p) => Math.hypot(Math.hypot(...p.filter((_, k) => k !== axis)) - R, p[axis]) <= r,
};
const reach = ({ size, semi, axis, r, h, R }) => size?.map((x) => x / 2) ?? semi ?? [0, 1, 2].map((k) => (
  k === axis ? (R ? r : h / 2) : (R ?? 0) + r));

// The mean of squares over points of a grid inside a solid.
function byPoints(part, n = 70) {
  const sizes = reach(part);
  const sums = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < n ** 3; i++) {
    const p = [i % n, Math.floor(i / n) % n, Math.floor(i / n / n)].map((j, k) => sizes[k] * ((2 * j + 1) / n - 1));
    if (!INSIDE[part.solid](part, p)) continue;
    count += 1;
    p.forEach((x, k) => { sums[k] += x * x; });
  }
  return [0, 1, 2].map((k) => (sums[(k + 1) % 3] + sums[(k + 2) % 3]) / count);
}

export async function shapes_have_the_inertia_of_their_solids() {
  for (const [name, shape] of Object.entries(SHAPES)) {
    const whole = inertiaOf(shape);
    assert.ok(whole.products.every((x) => Math.abs(x) < 1e-9 * Math.max(...whole.moments)), `${name}: its axes are not the principal ones`);
    for (const part of shape.parts.filter(({ mass }) => mass > 0)) {
      const alone = inertiaOf({ parts: [{ ...part, mass: 1, at: undefined }] }).moments;
      byPoints(part).forEach((x, k) => assert.ok(Math.abs(x - alone[k]) < 0.02 * Math.max(...alone), `${name}: ${part.solid}: ${x}, ${alone[k]}`));
    }
  }
  for (const J of [[5, 5, 1], [1, 1.6, 2.2], [3, 2, 1.5]]) { // a thin disc with the drawn axes, at the drawn height
    const { parts: [{ r, across, at: [, , l] }] } = topOf(J);
    const [a, b] = [Math.min(1, 1 / across) * r, Math.min(1, across) * r].map((x) => x * x / 4);
    [b + l * l, a + l * l, a + b].forEach((x, k) => assert.ok(Math.abs(x - J[k]) < 1e-12, `${J}: ${x}`));
  }
  assert.equal(topOf([1, 1, 2]), null);
  const two = inertiaOf({ parts: [-1, 1].map((side) => ({ solid: 'box', size: [1, 2, 3], mass: 3, at: [side / 2, 0, 0] })) });
  const one = inertiaOf({ parts: [{ solid: 'box', size: [2, 2, 3], mass: 6, at: [7, 8, 9] }] }); // the two of them
  two.moments.forEach((x, k) => assert.ok(Math.abs(x - one.moments[k]) < 1e-12));
}
