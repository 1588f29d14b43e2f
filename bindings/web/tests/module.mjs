// The module and the page as files.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { load, Spread } from '../page/library.js';

export async function module_has_no_imports({ folder }) {
  const module = new WebAssembly.Module(readFileSync(join(folder, 'wasm/polhode.wasm')));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
}

// The module has the library's checks of settings, with their messages, the grader of results, the search for events,
// whose conditions have programs for what is proved of them and for the times at which torques change, and averaged motions.
export async function module_and_page_are_small({ folder }) {
  const module = gzipSync(readFileSync(join(folder, 'wasm/polhode.wasm')), { level: 9 }).length;
  const page = readFileSync(join(folder, 'polhode.html')).length;
  assert.ok(module < 310e3, `the module has ${module} bytes`);
  assert.ok(page < 1.29e6, `the page has ${page} bytes`);
}

// The derivative of the exact motion has the bits of the tool's, and carries a small ball of
// starts to where they really come.
export async function starts_nearby_follow_the_derivative({ folder, tool }) {
  const library = await load(gzipSync(readFileSync(join(folder, 'wasm/polhode.wasm'))));
  const bodies = [[[1, 2, 2.9], [0.4, 2.4, 3.8]], [[1, 2, 2.9], [0.02, 4, 0.06]], [[2, 2, 1], [1, 0.5, 2]], [[1, 1, 1], [1, 2, 3]]];
  for (const [inertia, momentum] of bodies) {
    const system = library.create({ problem: 'free', parameters: {}, inertia, momentum }, 'exact', 0.1);
    const motion = system.motion();
    const radius = 1e-7 * Math.hypot(...momentum);
    const spread = new Spread(motion, inertia, { q: [1, 0, 0, 0], m: momentum }, radius);
    for (const time of [0, 0.7, 25]) {
      const { states: [{ derivatives }] } = JSON.parse(execFileSync(tool, ['exact', '--inertia', inertia.join(), '--momentum', momentum.join(),
        '--time', String(time), '--derivatives', '--json']));
      const wanted = derivatives.velocity.flatMap((row) => row.slice(3, 6));
      assert.deepEqual(Array.from(motion.velocityByMomentum(time)), wanted);
      const { points, matrix } = spread.at(time);
      const D = inverse(Array.from(matrix));
      const { momentum: m } = motion.at(time);
      const farthest = spread.momenta().map((other) => other.map((x, k) => (x - m[k]) / inertia[k]))
        .reduce((most, d) => Math.max(most, Math.hypot(...[0, 1, 2].map((i) => D[3 * i] * d[0] + D[3 * i + 1] * d[1] + D[3 * i + 2] * d[2]))), 0);
      assert.ok(farthest > 0.8 && farthest < 1.001, `${inertia}, t = ${time}: the starts reach to ${farthest} of the ellipsoid`);
      assert.equal(points.length, 1200);
    }
    spread.free();
    motion.free();
    system.free();
  }
}

const inverse = ([a, b, c, d, e, f, g, h, i]) => {
  const det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return [e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g, c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d]
    .map((x) => x / det);
};

// What a page could be made to do by what is put into it: none of it happens.
export async function nothing_leaves_the_page({ open }) {
  const page = await open({ drawn: false });
  const blocked = [];
  page.on('requestfailed', (request) => { if (/csp|blocked|NS_BINDING_ABORTED/i.test(request.failure().errorText)) blocked.push(`request: ${request.url()}`); });
  const refused = await page.evaluate(async () => {
    const directives = new Set();
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => directives.add(effectiveDirective));
    await fetch('https://example.org/').then(() => directives.add('fetched'), () => {});
    try { new WebSocket('wss://example.org/').close(); } catch { /* refused at once */ }
    document.body.append(Object.assign(document.createElement('img'), { src: 'https://example.org/x.png' }));
    document.body.append(Object.assign(document.createElement('iframe'), { src: 'https://example.org/' }));
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }));
    setTimeout(() => { window.ran ||= eval('true'); }); // not in here, where a debugger may
    for (const needed of ['connect-src', 'img-src', 'frame-src', 'script-src-elem', 'script-src']) {
      while (!directives.has(needed)) await new Promise(requestAnimationFrame);
    }
    return { ran: window.ran === true, fetched: directives.has('fetched') };
  });
  assert.deepEqual(refused, { ran: false, fetched: false });
  await page.done().catch(() => {}); // closed, for what is said may come late
  const other = page.wrong.filter((line) => !/Content.Security.Policy|unsafe-eval|blocked by CSP|settings blocked/i.test(line) && !blocked.includes(line));
  assert.deepEqual(other, []);
}

export async function page_has_a_policy({ folder }) {
  const page = readFileSync(join(folder, 'polhode.html'), 'utf8');
  const [, policy] = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/);
  for (const part of ["default-src 'none'", "connect-src 'none'", "base-uri 'none'"]) assert.ok(policy.includes(part), part);
  assert.ok(!policy.includes('unsafe-inline') && !policy.includes("'unsafe-eval'"));
}
