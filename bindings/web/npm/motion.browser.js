// motion.browser.js - `polhode/motion` in bundles for browsers.

import { beside } from './core.js';
import { init as load } from './free.js';

export * from './free.js';

/** Loads the module that lies beside this script or the bundle of it, or the given one. */
export const init = async (source) => load(source ?? fetch(beside(() => new URL('./motion.wasm', import.meta.url))));
