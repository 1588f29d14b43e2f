// index.js - the package: polhode.js, and where its module lies. Bundles for browsers take browser.js.

import { init as load } from './polhode.js';

export * from './polhode.js';

/** Loads the module that lies beside this file, or the given one. */
export async function init(source) {
  const place = new URL('./polhode.wasm', import.meta.url);
  if (source !== undefined) return load(source);
  if (place.protocol !== 'file:') return load(fetch(place));
  const { readFile } = await import('node:fs/promises');
  return load(readFile(place));
}
