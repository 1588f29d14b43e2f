// testing.mjs - what tests of the page share. They wait for what is to happen, never for a time.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const message = (page) => page.evaluate(() => document.getElementById('message').textContent);
export const state = (page) => page.evaluate(() => window.polhode.state());
export const fragment = (page) => page.evaluate(() => location.hash);
export const clock = (page) => page.evaluate(() => Number(document.getElementById('clock').textContent.slice(4)));
export const set = (page, settings) => page.evaluate((given) => window.polhode.set(given), settings);
export const advance = (page, steps) => page.evaluate((count) => window.polhode.advance(count), steps);

// Waits until all that was asked for is shown.
export const settled = (page) => page.waitForFunction(() => document.querySelector('main').getAttribute('aria-busy') !== 'true');

// Lets some pictures of the animation pass.
export const frames = (page, count) => page.evaluate((n) => new Promise((done) => {
  const next = (left) => (left === 0 ? done() : requestAnimationFrame(() => next(left - 1)));
  next(n);
}), count);

export const presets = (page) => page.evaluate(() => (
  [...document.querySelectorAll('#preset option')].map(({ value }) => value).filter(Boolean)));

export async function choose(page, name) {
  await page.selectOption('#preset', name);
  await settled(page);
}

// Drags the time line to a part of it.
export async function scrub(page, part) {
  await page.evaluate((at) => {
    const line = document.getElementById('time');
    line.value = String(at * Number(line.max));
    line.dispatchEvent(new Event('input'));
  }, part);
  await settled(page);
}

// What part of each pane differs clearly from the paper, how many pixels of the border of the picture are not the paper,
// and a checksum of all pixels.
export const pixels = (page) => page.evaluate(async () => {
  const bitmap = await createImageBitmap(await window.polhode.picture());
  const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  pen.drawImage(bitmap, 0, 0);
  const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
  const paper = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
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
  let border = 0;
  const { width, height } = bitmap;
  const drawn = (x, y) => paper.some((value, k) => Math.abs(data[4 * (y * width + x) + k] - value) > 3);
  for (let x = 0; x < width; x++) border += drawn(x, 0) + drawn(x, height - 1);
  for (let y = 0; y < height; y++) border += drawn(0, y) + drawn(width - 1, y);
  return { sum, panes, border };
});

// Types or drags a number of the form; `input` is 'number' or 'range'.
export async function enter(page, label, value, input = 'number') {
  await page.evaluate(([text, x, type]) => {
    const row = [...document.querySelectorAll('.row')].find((one) => one.querySelector('span').textContent === text);
    const box = row.querySelector(`input[type=${type}]`);
    box.value = String(x);
    box.dispatchEvent(new Event(type === 'range' ? 'input' : 'change', { bubbles: true }));
  }, [label, value, input]);
  await settled(page);
}

// The file of a button.
export async function save(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return readFileSync(await download.path());
}

// Opens a file by the button, or drops it on the page, or on the element that a selector names.
export async function openFile(page, name, content, dropped = false) {
  await page.evaluate(() => { document.getElementById('message').textContent = ''; });
  if (dropped) {
    await page.evaluate(([file, bytes, onto]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], file));
      document.querySelector(onto).dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [name, [...Buffer.from(content)], dropped === true ? 'body' : dropped]);
  } else await page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  await settled(page);
  return message(page);
}

// ---- the tool ------------------------------------------------------------------------------

// The words of `polhode run` for settings of the page.
const words = ({ problem, method, step, parameters = {}, tolerance, ...start }, steps) => [
  'run', '--problem', problem, '--method', method, '--step', String(step),
  '--time', String(Number((step * steps).toPrecision(12))),
  ...(tolerance ? ['--tolerance', String(tolerance)] : []),
  ...Object.entries(start).flatMap(([name, value]) => [`--${name}`, value.join(',')]),
  ...Object.entries(parameters).flatMap(([name, value]) => ['--set', `${name}=${[value].flat().join(',')}`]),
];
const quiet = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 };

// A run by the tool: its final state and energy.
export function byTool(tool, run, steps) {
  const { final, energy } = JSON.parse(execFileSync(tool, [...words(run, steps), '--json'], quiet));
  return { ...final, energy: energy.final };
}

// Its rows.
export const rowsByTool = (tool, run, steps) => execFileSync(tool, [...words(run, steps), '--out', '-'], quiet);
