// worker.js - computes free motions for in_a_worker.js, beside the page.

import { Body, init } from 'polhode/motion';

const ready = init();

addEventListener('message', async ({ data: { inertia, velocity, times } }) => {
  await ready;
  const { attitude, velocity: w } = new Body({ inertia }).motion({ velocity }).at(times);
  postMessage({ attitude, velocity: w }, [attitude.buffer, w.buffer]);
});
