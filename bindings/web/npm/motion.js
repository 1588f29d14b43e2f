// motion.js - `polhode/motion`: the exact free motion alone. Bundles for browsers take motion.browser.js.

import { init as load } from './free.js';

export * from './free.js';

/** Loads the module that lies beside this file, or the given one. */
export async function init(source) {
  const place = new URL('./motion.wasm', import.meta.url);
  if (source !== undefined) return load(source);
  if (place.protocol !== 'file:') return load(fetch(place));
  const { readFile } = await import('node:fs/promises');
  return load(readFile(place));
}
