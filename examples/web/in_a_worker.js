// in_a_worker.js - asks a worker for a free motion at a hundred thousand times. The arrays are transferred,
// not copied. Bundle both scripts, and put the module and the page beside them:
//
//     npx esbuild in_a_worker.js worker.js --bundle --format=esm --outdir=out
//     cp in_a_worker.html node_modules/polhode/motion.wasm out

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const times = Float64Array.from({ length: 100000 }, (_, i) => 0.01 * i);

worker.onmessage = ({ data: { attitude, velocity } }) => {
  const last = attitude.length / 4 - 1;
  document.getElementById('out').textContent = `${attitude.length / 4} attitudes; the last is ${attitude.slice(4 * last)}, `
    + `the velocity is ${velocity.slice(3 * last)}`;
};
worker.onerror = ({ message }) => { document.getElementById('out').textContent = message; };
worker.postMessage({ inertia: [1, 2, 3], velocity: [0, 2, 1e-8], times }, [times.buffer]);
