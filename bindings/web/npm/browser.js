// browser.js - the package in bundles for browsers: polhode.js, and where its module lies.

import { beside } from './core.js';
import { init as load } from './polhode.js';

export * from './polhode.js';

/** Loads the module that lies beside this script or the bundle of it, or the given one. */
export const init = async (source) => load(source ?? fetch(beside(() => new URL('./polhode.wasm', import.meta.url))));
