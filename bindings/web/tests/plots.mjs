// Pictures of the tool, measured in a browser: no text over another, none cut off, at every size.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const quiet = { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' };
const SIZES = [[], ['--paper', 'single'], ['--paper', 'double'], ['--paper', 'slide']];

// What is wrong with the texts of an SVG.
const badTexts = (page, svg) => page.evaluate((text) => {
  const holder = document.createElement('div');
  holder.innerHTML = text.slice(text.indexOf('<svg'));
  document.body.replaceChildren(holder);
  const paper = holder.querySelector('svg').getBoundingClientRect();
  const boxes = [...holder.querySelectorAll('text')].filter((one) => one.textContent.trim() !== '').map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return { left, top: top + 0.15 * (bottom - top), right, bottom: bottom - 0.2 * (bottom - top), text: one.textContent.trim() };
  });
  const bad = boxes.filter((box) => box.left < paper.left || box.right > paper.right || box.top < paper.top || box.bottom > paper.bottom)
    .map((box) => `${box.text} is cut off`);
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
    const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    if (x > 0.5 && y > 0.5) bad.push(`${a.text} over ${b.text}`);
  }));
  return { bad, count: boxes.length };
}, svg);

export async function texts_of_pictures_are_apart({ open, folder, tool }) {
  const page = await open({ drawn: false });
  await page.goto('about:blank');
  mkdirSync(join(folder, 'web'), { recursive: true });
  const at = (name) => join(folder, 'web', name);
  execFileSync(tool, ['run', '--problem', 'spacecraft', '--step', '60', '--time', '2d', '--out', at('orbit.csv')], quiet);
  const problems = JSON.parse(execFileSync(tool, ['list', 'problems', '--json'], { encoding: 'utf8' })).map(({ name }) => name);
  const pictures = [
    ...problems.map((problem) => ['run', '--problem', problem, '--step', problem === 'spacecraft' ? '30' : '0.001', '--time', problem === 'spacecraft' ? '10d' : '0.5', '--plot']),
    ['run', '--problem', 'spacecraft', '--step', '1', '--time', '40min', '--plot'],
    ['run', '--problem', 'free', '--method', 'exact', '--step', '0.1', '--time', '123456', '--every', '1000', '--plot'],
    ['run', '--problem', 'heavy_top', '--step', '0.01', '--time', '100', '--show', 'euler_zyx,euler_zxz,q,R,w_space,energy_error', '--plot'],
    ['plot', at('orbit.csv'), '--show', 'euler_zyx,w,energy_error,q,m,rotvec', '--degrees', '--seconds', '--out'],
  ];
  const wrong = [];
  for (const [i, words] of pictures.entries()) {
    for (const size of i < problems.length ? [SIZES[i % 4]] : SIZES) {
      const path = at('picture.svg');
      execFileSync(tool, [...words, path, ...size], quiet);
      const { bad, count } = await badTexts(page, readFileSync(path, 'utf8'));
      assert.ok(count > 5, `${words.join(' ')}: ${count} texts`);
      if (bad.length > 0) wrong.push(`${words.slice(1).join(' ')} ${size.join(' ')}: ${bad.slice(0, 4).join('; ')}`);
    }
  }
  assert.deepEqual(wrong, []);
  await page.done();
}
