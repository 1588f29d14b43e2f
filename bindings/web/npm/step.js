// step.js - the free rotation of one rigid body over a time dt, exactly, in plain JavaScript.
//
//     import { step } from 'polhode/step';
//     ({ q, w } = step(q, w, J, 1 / 60));
//
// The formulas, their order, their derivation and the promises for extreme input are those of
// polhode_step.h, and the bits are the same. step.d.ts documents the functions.
//
// Copyright (c) 2026 The Polhode authors. SPDX-License-Identifier: MIT

const SERIES = 0.0157; // |P|, |Q|, |N|: the series are good to round-off;
const ORBIT = 1; // S is doubled up to there,
const ANGLE = 1.5; // and ka |m| up to which a step is one part;
const PARTS = 1000; // parts after which a step ends early
const HALVINGS = 1000; // more than any of its parts takes
const NEEDLE = 2e-14; // smallest moment over the largest
const FASTEST = 1e300; // component of w, at most
const LONGEST = 1e30; // angle of a step in the units of extreme(), at most
const { abs, sqrt } = Math;

const larger = (a, b) => (a > b ? a : b); // Math.max has another result for NaN
const largest = (v) => larger(abs(v[0]), larger(abs(v[1]), abs(v[2])));

// S, c, d and I at t = 1; Z is the angle that doubling adds to that of I, as a complex number. `most` is
// the largest of |P|, |Q|, |N|; R = D |m| N.
function jacobi(P, Q, N, R, most) {
  let doublings = 0;
  let t = 1;
  for (; doublings < HALVINGS && most > SERIES; doublings++) {
    most *= 0.25;
    t *= 0.5;
  }
  const tt = t * t, p = P * tt, q = Q * tt, s = N * tt;
  const T = p + q, T2 = T * T, K = p * q, K2 = K * K;
  const f1 = 0.5 * T - s;
  const f2 = 0.375 * T2 - 0.5 * K - s * f1;
  const f3 = T * (0.3125 * T2 - 0.75 * K) - s * f2;
  const f4 = T2 * (0.2734375 * T2 - 0.9375 * K) + 0.375 * K2 - s * f3;
  const f5 = T * (T2 * (0.24609375 * T2 - 1.09375 * K) + 0.9375 * K2) - s * f4;
  const first = (1 - T * (1 / 6) + (T2 + 12 * K) * (1 / 120)) - T * (T2 + 132 * K) * (1 / 5040)
    + ((T2 * (T2 + 1224 * K) + 3024 * K2) * (1 / 362880)
      - T * (T2 * (T2 + 11064 * K) + 132624 * K2) * (1 / 39916800)
      + (T2 * (T2 * (T2 + 99636 * K) + 4095792 * K2) + 4390848 * (K * K2)) * (1 / 6227020800));
  const z = first * first, zz = z * z;
  const I = first * z * tt * ((1 / 3 + z * (1 / 5 * f1))
    + zz * ((1 / 7 * f2 + z * (1 / 9 * f3)) + zz * (1 / 11 * f4 + z * (1 / 13 * f5))));
  let S = first * t, Zr = 1, Zi = 0;
  let S2 = S * S, c2 = 1 - P * S2, d2 = 1 - Q * S2;
  let c = sqrt(c2), d = sqrt(d2);
  const PQ = P * Q;
  for (let i = 0; i < doublings; i++) {
    const over = 1 / (1 - PQ * (S2 * S2)), before = S2;
    S *= 2 * c * d * over;
    c = (c2 - P * S2 * d2) * over;
    d = (d2 - Q * S2 * c2) * over;
    S2 = S * S;
    c2 = 1 - P * S2;
    d2 = 1 - Q * S2;
    const Ur = 1 + N * (S2 - before * (c * d)), Ui = -R * before * S;
    const Vr = Zr * Zr - Zi * Zi, Vi = 2 * Zr * Zi;
    Zr = Vr * Ur - Vi * Ui;
    Zi = Vr * Ui + Vi * Ur;
  }
  if (doublings > 0) { // less rounded
    c = sqrt(c2);
    d = sqrt(d2);
  }
  return { S, c, d, I, Zr, Zi };
}

// Sets q to q v, of unit length.
function turn(q, v0, v) {
  const q0 = q[0] * v0 - q[1] * v[0] - q[2] * v[1] - q[3] * v[2];
  const q1 = q[0] * v[0] + q[1] * v0 + q[2] * v[2] - q[3] * v[1];
  const q2 = q[0] * v[1] + q[2] * v0 + q[3] * v[0] - q[1] * v[2];
  const q3 = q[0] * v[2] + q[3] * v0 + q[1] * v[1] - q[2] * v[0];
  const unit = 1 / sqrt(q0 * q0 + q1 * q1 + q2 * q2 + q3 * q3);
  q[0] = unit * q0;
  q[1] = unit * q1;
  q[2] = unit * q2;
  q[3] = unit * q3;
}

// Moves q and m by dt, or by dt/2^n if that is too far for one part; returns how far. j = 1/J.
function part(q, m, J, j, dt) {
  const m0 = abs(m[0]), m1 = abs(m[1]), m2 = abs(m[2]);
  const first = m1 > m0 ? 1 : 0, above = m2 > (first ? m1 : m0), below = m2 <= (first ? m0 : m1);
  const a = above ? 2 : first, c = below && !above ? 2 : 1 - first, b = 3 - a - c;
  const side = b - a === 1 || b - a === -2 ? 1 : -1; // -1: left-handed

  // constants of the orbit, still for a time of 1; differences of 1/J without cancellation
  const ma = m[a], mb = m[b], mc = m[c], ja = j[a], jb = j[b], jc = j[c];
  const aa = ma * ma, bb = mb * mb, cc = mc * mc, G2 = aa + bb + cc, G = sqrt(G2);
  const A1 = (J[b] - J[a]) * (ja * jb), C1 = (J[c] - J[b]) * (jb * jc);
  const D1 = (J[c] - J[a]) * (ja * jc), E1 = A1 * bb + D1 * cc;
  const P1 = A1 * (D1 * aa + C1 * bb), Q1 = C1 * E1, N1 = A1 * E1;
  const most = largest([P1, Q1, N1]);
  let h = side * dt, hh = h * h;
  for (let i = 0; i < HALVINGS && (abs(h * ja) * G > ANGLE || most * hh > ORBIT); i++) {
    dt *= 0.5;
    h *= 0.5;
    hh *= 0.25;
  }
  const A = A1 * h, C = C1 * h, D = D1 * h, N = N1 * hh, R = D * G * N;
  const f = jacobi(P1 * hh, Q1 * hh, N, R, most * hh);

  // the momentum afterwards
  const { S } = f, over = 1 / (1 - A * C * bb * (S * S));
  const na = over * (ma * f.d - C * S * f.c * (mb * mc));
  const nb = over * (mb * (f.c * f.d) + D * S * (ma * mc));
  const nc = over * (mc * f.c - A * S * f.d * (ma * mb));

  // 2 x = arg W + 2 y: half of arg W by a square root, tan y by Pade; U and V are multiplied by powers of |m|
  const mn = ma * na + mb * nb + mc * nc, sum = G2 + mn, AS = A * S * mb;
  const Ur = G2 - nc * nc - AS * nc * na, Ui = -G * AS * nb;
  const Vr = G2 * (sum - cc - nc * nc) - mc * nc * (G2 - mn);
  const Vi = G * (mb * na - ma * nb) * (mc + nc);
  const Xr = Ur * Vr - Ui * Vi, Xi = Ur * Vi + Ui * Vr;
  const Wr = f.Zr * Xr - f.Zi * Xi, Wi = f.Zr * Xi + f.Zi * Xr;
  const half = Wr + sqrt(Wr * Wr + Wi * Wi);
  const y = 0.5 * (ja * G * h - R * f.I), yy = y * y;
  const co = 34459425 - yy * (16216200 - yy * (945945 - yy * (13860 - yy * 45)));
  const si = y * (34459425 - yy * (4729725 - yy * (135135 - yy * (990 - yy))));
  const cx = co * half - si * Wi, sx = side * G * (co * Wi + si * half), cs = side * cx;
  const v = [0, 0, 0];
  v[a] = cs * (nb * mc - nc * mb) + sx * (ma + na);
  v[b] = cs * (nc * ma - na * mc) + sx * (mb + nb);
  v[c] = cs * (na * mb - nb * ma) + sx * (mc + nc);
  turn(q, cx * sum, v);
  m[a] = na;
  m[b] = nb;
  m[c] = nc;
  return dt;
}

// Whether q, w and dt are finite, q is not zero and no moment is NaN.
const valid = (q, w, J, dt) => [...q, ...w, dt].every(Number.isFinite) && q.some((x) => x !== 0)
  && !(Number.isNaN(J[0]) || Number.isNaN(J[1]) || Number.isNaN(J[2]));

// Scales a quaternion that is not zero to unit length.
function normalise(q) {
  const most = larger(larger(abs(q[0]), abs(q[1])), larger(abs(q[2]), abs(q[3])));
  let sum = 0;
  for (let i = 0; i < 4; i++) {
    q[i] /= most;
    sum += q[i] * q[i];
  }
  for (let i = 0; i < 4; i++) q[i] /= sqrt(sum);
}

// Limits each component of a vector that is finite.
function limit(v, most) {
  for (let i = 0; i < 3; i++) if (abs(v[i]) > most && abs(v[i]) < Infinity) v[i] = v[i] > 0 ? most : -most;
}

// The step in ordinary units, where nothing overflows. Returns false and changes nothing in others, as
// comparisons with NaN are false.
function ordinary(q, w, J, dt) {
  const J01 = J[0] * J[1], over = 1 / (J01 * J[2]);
  const j = [over * (J[1] * J[2]), over * (J[2] * J[0]), over * J01];
  const m0 = [J[0] * w[0], J[1] * w[1], J[2] * w[2]];
  const G2 = m0[0] * m0[0] + m0[1] * m0[1] + m0[2] * m0[2];
  const qq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  const most = larger(J[0], larger(J[1], J[2]));
  const least = 0.5 * NEEDLE * most; // below what is raised
  if (!(G2 > 1e-30 && G2 < 1e30 && most > 1e-40 && most < 1e40 && abs(dt) > 0 && abs(dt) < 1e40 && qq > 0.1 && qq < 10
    && J[0] >= least && J[1] >= least && J[2] >= least)) return false;
  const m = [m0[0], m0[1], m0[2]];
  for (let i = 0; i < PARTS && dt !== 0; i++) dt -= part(q, m, J, j, dt);
  for (let i = 0; i < 3; i++) w[i] += j[i] * (m[i] - m0[i]); // the change alone is rounded; J w/J has a bias
  return true;
}

// Rest and extreme values: in units of the largest of w and of J. Returns false and changes nothing if
// that is no motion.
function extreme(q, w, J, dt) {
  if (!valid(q, w, J, dt)) return false;
  const fastest = largest(w);
  const most = larger(J[0], larger(J[1], J[2]));
  const moments = most > 0 && largest(J) < Infinity;
  let angle = fastest * dt;
  normalise(q);
  if (!(abs(angle) > 0)) return true;
  const v = [w[0] / fastest, w[1] / fastest, w[2] / fastest];
  const K = [0, 1, 2].map((i) => (moments ? larger(J[i] / most, NEEDLE) : 1));
  if (abs(angle) > LONGEST) angle = angle > 0 ? LONGEST : -LONGEST;
  ordinary(q, v, K, angle);
  limit(v, FASTEST / fastest); // so that nothing overflows
  for (let i = 0; i < 3; i++) w[i] = v[i] * fastest;
  return true;
}

// Moves q and w; returns false if they stay as they are, because that is no motion.
const moves = (q, w, J, dt) => ordinary(q, w, J, dt) || extreme(q, w, J, dt);

// Turns v from the body to space (sign 1) or back (-1), q of unit length.
function rotate(q, sign, v) {
  const s = 2 * sign * q[0];
  const x = q[2] * v[2] - q[3] * v[1], y = q[3] * v[0] - q[1] * v[2], z = q[1] * v[1] - q[2] * v[0];
  v[0] += s * x + 2 * (q[2] * z - q[3] * y);
  v[1] += s * y + 2 * (q[3] * x - q[1] * z);
  v[2] += s * z + 2 * (q[1] * y - q[2] * x);
}

// Copies of q and w, after a check of what would otherwise become NaN.
function copied(q, w, J, dt) {
  if (q?.length !== 4 || w?.length !== 3 || J?.length !== 3 || typeof dt !== 'number') {
    throw new TypeError('step(q, w, J, dt) takes arrays of 4, 3 and 3 numbers, and a number');
  }
  return { q: Array.from(q), w: Array.from(w) };
}

export function step(q, w, J, dt) {
  const to = copied(q, w, J, dt);
  moves(to.q, to.w, J, dt);
  return to;
}

export function stepWorld(q, w, J, dt) {
  const to = copied(q, w, J, dt);
  normalise(to.q); // what is not finite stays so; zero becomes NaN
  limit(to.w, FASTEST);
  rotate(to.q, -1, to.w);
  if (!moves(to.q, to.w, J, dt)) return copied(q, w, J, dt);
  rotate(to.q, 1, to.w);
  return to;
}
