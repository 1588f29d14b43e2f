// The module and the page as files.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export async function module_has_no_imports({ folder }) {
  const module = new WebAssembly.Module(readFileSync(join(folder, 'wasm/polhode.wasm')));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
}

// The module has the library's checks of settings, with their messages.
export async function module_and_page_are_small({ folder }) {
  const module = gzipSync(readFileSync(join(folder, 'wasm/polhode.wasm')), { level: 9 }).length;
  const page = readFileSync(join(folder, 'polhode.html')).length;
  assert.ok(module < 210e3, `the module has ${module} bytes`);
  assert.ok(page < 1.5e6, `the page has ${page} bytes`);
}

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
  const other = page.wrong.splice(0).filter((line) => !/Content.Security.Policy|unsafe-eval|blocked by CSP|settings blocked/i.test(line) && !blocked.includes(line));
  assert.deepEqual(other, []);
  await page.done();
}

export async function page_has_a_policy({ folder }) {
  const page = readFileSync(join(folder, 'polhode.html'), 'utf8');
  const [, policy] = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/);
  for (const part of ["default-src 'none'", "connect-src 'none'", "base-uri 'none'"]) assert.ok(policy.includes(part), part);
  assert.ok(!policy.includes('unsafe-inline') && !policy.includes("'unsafe-eval'"));
}
