// build.mjs WASM OUT - bundles the page into one HTML file that opens from a disk: its script, the
// worker and the module inside, and a policy that lets nothing else run and nothing out.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { smallCases } from './cases.mjs';

const [wasm, out] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const page = (name) => join(here, 'page', name);

const common = { bundle: true, minify: true, format: 'iife', target: 'es2022', write: false, legalComments: 'none',
  charset: 'utf8', absWorkingDir: here };
const replace = (name, contents, loader) => ({ name, setup: (on) => {
  on.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }));
  on.onLoad({ filter: /.*/, namespace: name }, () => ({ contents, loader }));
} });
// Shaders of three.js, which are texts of several lines, without the blanks that their language does not need.
const smaller = (text) => text.replace(/\\n(\\t)+/g, '\\n').replace(/ (=|\*|\/|<|>|<=|>=|==|&&|\|\|) /g, '$1').replace(/, /g, ',').replace(/\( | \)/g, (x) => x.trim());
const shaders = { name: 'shaders', setup: (on) => {
  on.onLoad({ filter: /three\.module\.js$/ }, ({ path }) => ({ loader: 'js',
    contents: readFileSync(path, 'utf8').replace(/^(?:var|const) \w+ = "(?:[^"\\]|\\.)*\\n(?:[^"\\]|\\.)*";$/gm, smaller) }));
} };
const bundle = async (file, ...plugins) => (
  (await build({ ...common, entryPoints: [page(file)], plugins })).outputFiles[0].text.trim());

const packed = (bytes) => gzipSync(bytes, { level: 9 });
const worker = await bundle('worker.js', replace('polhode.wasm', packed(readFileSync(wasm)), 'binary'),
  replace('cases', packed(Buffer.from(JSON.stringify(smallCases()))), 'binary'));
const script = (await bundle('main.js', replace('worker', worker, 'text'), shaders)).replaceAll('</script', '<\\/script')
  .replaceAll('<!--', '<\\!--');
const style = (await transform(readFileSync(join(here, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8') + readFileSync(page('style.css'), 'utf8'),
  { loader: 'css', minify: true, target: 'es2022' })).code;

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'", `script-src ${hash(script)} 'wasm-unsafe-eval'`, `style-src ${hash(style)}`,
  'worker-src blob:', 'img-src data: blob:', 'media-src blob:', "connect-src 'none'", "form-action 'none'",
  "base-uri 'none'",
].join('; ');
const notice = `<!-- Polhode, MIT licence; with three.js (MIT) and uPlot (MIT). -->`;
const parts = { policy, style, script, run: '<!--run-->' }; // where `polhode view` puts a run
const html = readFileSync(page('index.html'), 'utf8').replace('<html', `${notice}\n<html`)
  .replace(/\{\{(\w+)\}\}/g, (_, key) => parts[key]);
writeFileSync(out, html);
