// test.mjs TARBALL BITS [FEW] - tests the packed package in a fresh folder, under node and in Chromium: the
// README's lines, errors, snapshots, and the checksum BITS of `polhode bits` (with FEW: that of 100 steps).
// In Chromium the folder is served over HTTP; without Chromium that part is skipped.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';

const [tarball, wanted, few] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'polhode-npm-'));

// Runs in both places: returns what is compared.
const program = (place, steps) => `
import { init, Body, System, Batch, PolhodeError, bits, flows, problems } from '${place}';
let early = '';
try { new Body({ inertia: [1, 2, 3] }); } catch (error) { early = error.message; }
await init();
const body = new Body({ inertia: [1, 2, 3] });
const state = body.motion({ velocity: [0, 2, 1e-8] }).at(5);
const turned = new Body({ tensor: [[1, 0, 0], [0, 2, 0], [0, 0, 3]] }).motion({ velocity: [0, 2, 1e-8] }).at([5, 6]);
const top = new System('heavy_top', 's6_10+exact', { step: 0.01, parameters: { strength: 2 } });
top.run({ until: 1 });
const again = System.load(top.save()).run({ steps: 3 });
const chosen = new System('heavy_top', 'gbs', { tolerance: 1e-12 }).run({ until: 3.3 });
const batch = new Batch([1, 1, 2, 2, 3, 3], [1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 4, 4, 3e-8, 3e-8]);
batch.step('exact', 5);
const refused = [() => new Body({ inertia: [1, -2, 3] }), () => new System('nothing', 'vlv', { step: 1 }), () => top.run({ until: 1.005 }),
  () => body.motion({ velocity: [1, 2] }), () => batch.step('nothing', 1)].map((wrong) => {
  try { return wrong(), 'accepted'; } catch (error) { return error instanceof PolhodeError ? error.message : String(error); }
});
for (let i = 0; i < 2000; i++) new System('free', 'exact', { step: 0.1 }).free();
const result = { early, state, turned: Array.from(turned.attitude), time: top.time, again: again.attitude, same: top.run({ steps: 3 }).attitude,
  chosen: chosen.time, batch: Array.from(batch.attitude), refused, bits: bits(${steps}), lists: [flows().length, problems().length] };
`;
const steps = few ? 100 : 10000;

function check({ early, state, turned, time, again, same, chosen, batch, refused, bits, lists }, place) {
  assert.match(early, /await init/);
  assert.equal(state.attitude.length, 4);
  assert.ok(Math.abs(Math.hypot(...state.attitude) - 1) < 1e-15);
  assert.deepEqual(turned.slice(0, 4), state.attitude);
  assert.deepEqual(state.velocity, state.momentum.map((m, k) => m / (k + 1)));
  for (let k = 0; k < 4; k++) assert.ok(Math.abs(batch[2 * k] - state.attitude[k]) < 1e-14);
  assert.equal(time, 1);
  assert.deepEqual(again, same);
  assert.equal(chosen, 3.3);
  for (const words of refused) assert.ok(!/accepted|Error/.test(words) && words.length > 10, words);
  assert.ok(lists[0] > 10 && lists[1] > 10);
  assert.equal(bits, wanted);
  console.log(`npm package under ${place}: bits ${bits}`);
}

async function inChromium() {
  const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(chromium)) return console.log('SKIPPED: Chromium is not installed');
  const types = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
  const page = `<pre id=out>working</pre><script type=module>${program('./node_modules/polhode/index.js', steps)}
    document.getElementById('out').textContent = 'RESULT' + JSON.stringify(result) + 'END';</script>`;
  writeFileSync(join(folder, 'page.html'), page);
  const server = createServer(({ url }, reply) => {
    const path = join(folder, url.split('?')[0]);
    if (!existsSync(path) || !types[extname(path)]) return reply.writeHead(204).end();
    reply.writeHead(200, { 'Content-Type': types[extname(path)] }).end(readFileSync(path));
  });
  await new Promise((ready) => { server.listen(0, '127.0.0.1', ready); });
  const browser = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', `--user-data-dir=${join(folder, 'profile')}`, '--virtual-time-budget=1000000',
    '--dump-dom', `http://127.0.0.1:${server.address().port}/page.html`], { stdio: ['ignore', 'pipe', 'ignore'] });
  let dom = '';
  browser.stdout.on('data', (bytes) => { dom += bytes; });
  await new Promise((ready) => { browser.on('close', ready); });
  server.close();
  const [, json] = dom.match(/<pre id="out">RESULT(.*?)END<\/pre>/s) ?? assert.fail(`the page said: ${dom.slice(0, 500)}`);
  check(JSON.parse(json.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')), 'Chromium');
}

try {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', resolve(tarball)], { cwd: folder, stdio: 'inherit' });
  const node = (name, text) => {
    writeFileSync(join(folder, name), text);
    return execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' });
  };
  const examples = [...readFileSync(join(folder, 'node_modules/polhode/README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text);
  assert.equal(examples.length, 2);
  assert.match(node('readme.mjs', examples[0]), /attitude/);
  assert.match(node('step.mjs', `${examples[1]} console.log(Math.hypot(...q).toFixed(9));`), /^1\.0{9}$/m);
  assert.match(node('motion.mjs', `import { Body, init } from 'polhode/motion';
    await init();
    console.log(new Body({ inertia: [1, 2, 3] }).motion({ velocity: [0, 2, 1e-8] }).at(5).attitude.length);`), /^4$/m);
  check(JSON.parse(node('all.mjs', `${program('polhode', steps)} console.log(JSON.stringify(result));`)), `node ${process.version}`);
  await inChromium();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
