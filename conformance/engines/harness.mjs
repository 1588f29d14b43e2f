// harness.mjs - what the runners of JavaScript engines share. It reads cases from standard input, a
// line each, `name J1 J2 J3 q0 q1 q2 q3 w1 w2 w3 h rows steps` (principal moments; attitude from the
// body to space, scalar first; angular velocity in the body; step; rows, and steps for a row), and
// prints the rows that `polhode grade` reads. A runner supplies make({J, q, w, h}), w in space,
// which returns step(), state() -> {q, w} with w in space, and perhaps free().
import { readFileSync } from 'node:fs';

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

function rotate(q, v, sign) {
  const u = q.slice(1).map((x) => sign * x), t = cross(u, v).map((x) => 2 * x), s = cross(u, t);
  return v.map((x, i) => x + q[0] * t[i] + s[i]);
}

export function run(make) {
  const out = ['case,t,q0,q1,q2,q3,w1,w2,w3,h'];
  for (const line of readFileSync(0, 'utf8').split('\n').filter((text) => text !== '')) {
    const [name, ...n] = line.split(' ');
    const x = n.map(Number), unit = Math.hypot(...x.slice(3, 7)), h = x[10], rows = x[11], steps = x[12];
    const q = x.slice(3, 7).map((c) => c / unit);
    const body = make({ J: x.slice(0, 3), q, w: rotate(q, x.slice(7, 10), 1), h });
    for (let row = 1; row <= rows; row++) {
      for (let i = 0; i < steps; i++) body.step();
      const s = body.state(), w = rotate(s.q, s.w, -1), all = [...s.q, ...w];
      if (!all.every(Number.isFinite)) break;
      out.push([name, row * steps * h, ...all, h].join(','));
    }
    body.free?.();
  }
  console.log(out.join('\n'));
}
