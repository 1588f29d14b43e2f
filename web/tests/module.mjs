// The module and the page as files.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export async function module_has_no_imports({ folder }) {
  const module = new WebAssembly.Module(readFileSync(join(folder, 'wasm/polhode.wasm')));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
}

export async function module_and_page_are_small({ folder }) {
  const module = gzipSync(readFileSync(join(folder, 'wasm/polhode.wasm')), { level: 9 }).length;
  const page = readFileSync(join(folder, 'polhode.html')).length;
  assert.ok(module < 200e3, `the module has ${module} bytes`);
  assert.ok(page < 1.5e6, `the page has ${page} bytes`);
}

export async function page_has_a_policy({ folder }) {
  const page = readFileSync(join(folder, 'polhode.html'), 'utf8');
  const [, policy] = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/);
  for (const part of ["default-src 'none'", "connect-src 'none'", "base-uri 'none'"]) assert.ok(policy.includes(part), part);
  assert.ok(!policy.includes('unsafe-inline') && !policy.includes("'unsafe-eval'"));
}
