// free.js - Body and Motion over the small module, bindings/web/motion.c: what motion.js and motion.browser.js load.

import { core, PolhodeError } from './core.js';

const { init, Body, Motion } = core('web_body', () => {});

export { Body, init, Motion, PolhodeError };
