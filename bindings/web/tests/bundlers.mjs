// The npm package in bundles: by esbuild, and by Vite and TypeScript where npm can install them, with the
// examples of examples/web. The bundles run in the browser.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

// Lays out the package as npm would install it, beside three.js, in a new folder.
function project(folder) {
  const place = mkdtempSync(join(tmpdir(), 'polhode-bundle-'));
  const at = join(place, 'node_modules/polhode');
  mkdirSync(at, { recursive: true });
  for (const name of readdirSync(join(root, 'bindings/web/npm'))) if (/\.js$|\.d\.ts$|^package/.test(name)) cpSync(join(root, 'bindings/web/npm', name), join(at, name));
  cpSync(join(folder, 'wasm/polhode.wasm'), join(at, 'polhode.wasm'));
  cpSync(join(folder, 'wasm/polhode_motion.wasm'), join(at, 'motion.wasm'));
  symlinkSync(join(root, 'bindings/web/node_modules/three'), join(place, 'node_modules/three'));
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  return place;
}

// Serves a folder, and calls `use` with its address.
async function served(place, use) {
  const server = createServer(({ url }, reply) => {
    const path = join(place, new URL(url, 'http://x').pathname);
    if (!existsSync(path) || !TYPES[extname(path)]) return reply.writeHead(404).end();
    return reply.writeHead(200, { 'Content-Type': TYPES[extname(path)] }).end(readFileSync(path));
  });
  await new Promise((ready) => { server.listen(0, '127.0.0.1', ready); });
  try {
    return await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

// Opens an address, and returns the text of #out once it is not empty.
async function output({ browser }, address) {
  const context = await browser.newContext();
  context.setDefaultTimeout(120000);
  const tab = await context.newPage();
  const wrong = [];
  tab.on('pageerror', (error) => wrong.push(error.message));
  await tab.goto(address);
  const text = await tab.waitForFunction(() => document.getElementById('out')?.textContent || null).then((handle) => handle.jsonValue());
  await context.close();
  assert.deepEqual(wrong, []);
  return text;
}

const PAGE = (script) => `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><pre id="out"></pre>${script}</html>`;
const MODULE = PAGE('<script type="module" src="app.js"></script>');

// What every bundle computes; `open` and `openMotion` are what init() is given.
const app = (open = '', openMotion = '') => `
import { Body, init, System } from 'polhode';
import { Body as FreeBody, init as initMotion } from 'polhode/motion';
import { step } from 'polhode/step';
const say = (x) => { document.getElementById('out').textContent = JSON.stringify(x); };
try {
  await Promise.all([init(${open}), initMotion(${openMotion})]);
  const start = { velocity: [0.3, 2, 0.1] };
  const [a, b] = [Body, FreeBody].map((Kind) => new Kind({ inertia: [1, 2, 3] }).motion(start).at(0.25).attitude);
  const system = new System('free', 'exact', { step: 0.25, inertia: [1, 2, 3], attitude: [1, 0, 0, 0], ...start }).run({ steps: 1 });
  say([a, b, system.attitude, step([1, 0, 0, 0], start.velocity, [1, 2, 3], 0.25).q]);
} catch (error) { say(error.message); }`;

function check(text) {
  const [a, b, c, d] = JSON.parse(text);
  assert.ok(Array.isArray(a), text);
  assert.deepEqual(b, a);
  for (const q of [c, d]) for (let k = 0; k < 4; k++) assert.ok(Math.abs(q[k] - a[k]) < 1e-14, text);
}

const bundled = (place, options) => build({ absWorkingDir: place, entryPoints: ['app.js'], bundle: true, format: 'esm', outdir: 'out', logLevel: 'silent',
  target: 'es2022', supported: { 'top-level-await': true }, ...options });

export async function esbuild_bundles_find_their_modules(tools) {
  const place = project(tools.folder);
  const out = join(place, 'out');
  const write = (text) => writeFileSync(join(place, 'app.js'), text);
  try {
    write(app());
    const { errors, warnings } = await bundled(place);
    assert.deepEqual([errors, warnings], [[], []]);
    writeFileSync(join(out, 'index.html'), MODULE);
    await served(out, async (address) => {
      assert.match(await output(tools, `${address}/index.html`), /polhode\.wasm was not found \(status 404\): put .* init\(fetch\(address\)\)/);
      for (const name of ['polhode.wasm', 'motion.wasm']) cpSync(join(place, 'node_modules/polhode', name), join(out, name));
      check(await output(tools, `${address}/index.html`));

      // a response, a promise of one, another address; the wrong file
      mkdirSync(join(out, 'elsewhere'));
      for (const name of ['polhode.wasm', 'motion.wasm']) cpSync(join(out, name), join(out, 'elsewhere', name));
      write(app("await fetch('elsewhere/polhode.wasm')", "fetch('elsewhere/motion.wasm')"));
      await bundled(place);
      check(await output(tools, `${address}/index.html`));
      write(app("fetch('index.html')"));
      await bundled(place);
      assert.match(await output(tools, `${address}/index.html`), /index\.html is not a WebAssembly module/);
      write(app("fetch('motion.wasm')"));
      await bundled(place);
      assert.match(await output(tools, `${address}/index.html`), /another module/);

      // a script that is no module does not know its address, but can be given the file
      const script = (text) => text.replace(/(import.*;\n)+/, (imports) => `${imports}(async () => {`).concat('})();');
      writeFileSync(join(out, 'index.html'), PAGE('<script defer src="app.js"></script>'));
      write(script(app()));
      await bundled(place, { format: 'iife' });
      assert.match(await output(tools, `${address}/index.html`), /does not know its address: call init\(fetch\(address\)\)/);
      write(script(app("fetch('polhode.wasm')", "fetch('motion.wasm')")));
      await bundled(place, { format: 'iife' });
      check(await output(tools, `${address}/index.html`));
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

export async function examples_of_the_package_run(tools) {
  const place = project(tools.folder);
  const out = join(place, 'out');
  try {
    for (const name of readdirSync(join(root, 'examples/web'))) cpSync(join(root, 'examples/web', name), join(place, name));
    const entryPoints = readdirSync(place).filter((name) => name.endsWith('.js'));
    await bundled(place, { entryPoints });
    for (const name of readdirSync(place).filter((each) => each.endsWith('.html'))) cpSync(join(place, name), join(out, name));
    cpSync(join(place, 'node_modules/polhode/motion.wasm'), join(out, 'motion.wasm'));
    await served(out, async (address) => {
      const context = await tools.browser.newContext();
      context.setDefaultTimeout(300000);
      const tab = await context.newPage();
      await tab.goto(`${address}/in_a_worker.html`);
      await tab.waitForFunction(() => document.getElementById('out').textContent !== 'computing');
      assert.match(await tab.textContent('#out'), /^100000 attitudes; the last is (-?[\d.e-]+,){3}-?[\d.e-]+, the velocity/);
      await tab.goto(`${address}/racket.html`);
      await tab.waitForFunction(() => Number(document.getElementById('flips').textContent) >= 2);
      await tab.screenshot({ path: join(tools.pictures, 'three_racket.png') });
      await context.close();
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

// Vite and TypeScript, installed once; null where npm cannot.
function installed({ pictures }) {
  const place = join(pictures, 'npm');
  const modules = join(place, 'node_modules');
  if (!existsSync(join(modules, 'vite'))) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{}');
    try {
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', 'vite@8', 'typescript@5'], { cwd: place, stdio: 'pipe', timeout: 120000 });
    } catch {
      console.log('  left out: npm could not install Vite and TypeScript');
      return null;
    }
  }
  return modules;
}

export async function vite_bundles_find_their_modules(tools) {
  const modules = installed(tools);
  if (!modules) return;
  const vite = await import(pathToFileURL(join(modules, 'vite/dist/node/index.js')));
  const place = project(tools.folder);
  const common = { root: place, configFile: false, logLevel: 'error', build: { target: 'esnext' } };
  const byAddress = app('fetch(whole)', 'fetch(small)').replace('import', "import whole from 'polhode/polhode.wasm?url';\nimport small from 'polhode/motion.wasm?url';\nimport");
  try {
    writeFileSync(join(place, 'index.html'), MODULE.replace('src="', 'src="/'));
    for (const text of [app(), byAddress]) {
      writeFileSync(join(place, 'app.js'), text);
      await vite.build(common);
      await served(join(place, 'dist'), async (address) => check(await output(tools, `${address}/index.html`)));
      const server = await vite.createServer({ ...common, server: { port: 0, host: '127.0.0.1' },
        optimizeDeps: { exclude: text === byAddress ? [] : ['polhode'] } });
      await server.listen();
      check(await output(tools, server.resolvedUrls.local[0]));
      await server.close();
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

export async function types_name_what_is_misspelt(tools) {
  const modules = installed(tools);
  if (!modules) return;
  const place = project(tools.folder);
  const compile = (text) => {
    writeFileSync(join(place, 'app.ts'), text);
    try {
      execFileSync(process.execPath, [join(modules, 'typescript/bin/tsc'), '--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom',
        'app.ts'], { cwd: place, encoding: 'utf8', stdio: 'pipe' });
      return '';
    } catch (error) {
      return error.stdout;
    }
  };
  const imports = `import { Body, Motion, System, init } from 'polhode';
import { Body as FreeBody, init as initMotion } from 'polhode/motion';
import { step, stepWorld } from 'polhode/step';\n`;
  const good = `${imports}await init(fetch('polhode.wasm')); await initMotion(new Uint8Array(3));
const motion: Motion = new Body({ inertia: [1, 2, 3] }).motion({ velocity: [1, 2, 3] });
const row: Float64Array | null = motion.velocityByMomentum(1), all: Float64Array = motion.at([1, 2]).attitude;
const q: number[] = new FreeBody({ tensor: [[1, 0, 0], [0, 2, 0], [0, 0, 3]] }).motion({ momentum: [1, 2, 3] }).at(1).attitude;
const next = step(q, new Float32Array(3), [1, 2, 3], 0.1); stepWorld(next.q, next.w, [1, 2, 3], 0.1);
new System('heavy_top', 'vlv', { step: 0.1, parameters: { strength: 2 }, velocity: [1, 2, 3] }).run({ steps: 3 });\n`;
  try {
    assert.equal(compile(good), '');
    const wrong = ["new System('heavy_top', 'vlv', { stepp: 0.1 });", "new System('heavy_top', 'vlv', { step: '1' });",
      'new FreeBody({ inertia: [1, 2, 3] }).motion({ velocity: [1, 2, 3] }).velocityByMomentum(1);', 'step([1], 2, [3]);', 'new Motion();'];
    const said = compile(imports + wrong.join('\n'));
    for (const line of wrong.keys()) assert.match(said, new RegExp(`app\\.ts\\(${4 + line},`), said);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
