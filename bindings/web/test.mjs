// test.mjs BUILD [--firefox] [NAME...] - tests the page BUILD/polhode.html in Chromium, or in Firefox by
// WebDriver BiDi, with software graphics: all tests of bindings/web/tests, or those whose names contain one
// of the words. Pictures are left in BUILD/web, and where TEST_RESULTS names a folder, page.xml there (JUnit).

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, firefox } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const [build = 'build', ...rest] = process.argv.slice(2);
const inFirefox = rest[0] === '--firefox';
const words = inFirefox ? rest.slice(1) : rest;
const folder = resolve(build);
const pictures = join(folder, 'web');
mkdirSync(pictures, { recursive: true });

const browser = inFirefox
  ? await firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: false, firefoxUserPrefs: { 'webgl.force-enabled': true, 'gfx.webrender.software': true, 'ui.prefersReducedMotion': 1 } })
  : await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
      '--disable-gpu-rasterization'] }); // which software does more slowly than the processor itself
const PATIENCE = 300000; // milliseconds to wait for what is to happen, on a machine with other work

// A page of its own for each test: what goes wrong in it is a failure, and so is every request
// but that of the page itself and of the worker inside it. Tests of numbers need not be drawn, which
// takes longest.
async function open({ fragment = '', width = 920, height = 600, dark = true, drawn = true, page = 'polhode.html', view = 'laboratory' } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce', acceptDownloads: true });
  context.setDefaultTimeout(PATIENCE);
  const tab = await context.newPage();
  const wrong = [];
  tab.on('console', (line) => {
    if (['error', 'warning'].includes(line.type()) && !/GPU stall|swiftshader/i.test(line.text())) wrong.push(`console: ${line.text()}`);
  });
  tab.on('pageerror', (error) => { // the driver takes a screenshot in Firefox with a style, which the policy refuses
    if (!(inFirefox && error.message.includes('inline style (style-src-elem)'))) wrong.push(`error: ${error.message}`);
  });
  const url = page.includes('://') ? page : pathToFileURL(join(folder, page)).href;
  tab.on('request', (request) => {
    if (!request.url().startsWith(new URL('.', url).href) && !request.url().startsWith('blob:')) wrong.push(`request: ${request.url()}`);
  });
  if (!drawn) await tab.addInitScript(() => addEventListener('DOMContentLoaded', () => document.getElementById('stage')?.setAttribute('hidden', '')));
  await tab.goto(url + fragment);
  await tab.evaluate(() => window.polhode.ready);
  if (fragment === '' && view === 'laboratory') await tab.evaluate(() => window.polhode.show('laboratory'));
  return Object.assign(tab, { wrong, done: async () => {
    await context.close();
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  } });
}

const tools = { open, browser, folder, pictures, tool: join(folder, 'polhode') };
let failures = 0;
let count = 0;
const results = []; // lines of JUnit
const note = (name, inner = '') => results.push(`<testcase name="${name}">${inner}</testcase>`);
const begin = Date.now();
for (const file of readdirSync(join(here, 'tests')).filter((name) => name.endsWith('.mjs')).sort()) {
  const tests = await import(pathToFileURL(join(here, 'tests', file)).href);
  for (const [name, test] of Object.entries(tests)) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    if (inFirefox && test.downloads) { // which WebDriver BiDi does not hand over
      console.log(`${name}: left out in Firefox`);
      note(name, '<skipped/><system-out>SKIPPED: WebDriver BiDi hands over no downloads</system-out>');
      continue;
    }
    count += 1;
    const from = Date.now();
    try {
      await test(tools);
      console.log(`${name}: ${((Date.now() - from) / 1000).toFixed(1)} s`);
      note(name);
    } catch (error) {
      failures += 1;
      note(name, '<failure/>');
      for (const context of browser.contexts()) await context.close();
      console.log(`${name}: FAILED: ${error.message.split('\n').slice(0, 12).join('\n  ')}`);
    }
  }
}
await browser.close();
if (process.env.TEST_RESULTS) writeFileSync(join(process.env.TEST_RESULTS, 'page.xml'), `<testsuite>${results.join('\n')}</testsuite>\n`);
console.log(`${count - failures} of ${count} tests of the page passed in ${((Date.now() - begin) / 1000).toFixed(0)} s`);
process.exit(failures > 0 || count === 0 ? 1 : 0);
