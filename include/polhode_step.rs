//! polhode_step.rs - the free rotation of one rigid body over a time dt, exactly.
//!
//! The formulas, their derivation and the promises are those of polhode_step.h, and the bits are
//! the same. No allocation, no dependency, no_std: put the file beside yours as a module. The only
//! function called is the C library's sqrt, which IEEE 754 rounds in one way.
//!
//! Copyright (c) 2026 The Polhode authors. SPDX-License-Identifier: MIT
#![allow(non_snake_case)]

const SERIES: f64 = 0.0157; // |P|, |Q|, |N|: the series are good to round-off;
const ORBIT: f64 = 1.0; // S is doubled up to there,
const ANGLE: f64 = 1.5; // and ka |m| up to which a step is one part;
const PARTS: u32 = 1000; // parts after which a step ends early
const HALVINGS: u32 = 1000; // more than any of its parts takes
const NEEDLE: f64 = 2e-14; // smallest moment over the largest
const FASTEST: f64 = 1e300; // component of w, at most

mod c {
    extern "C" {
        pub fn sqrt(x: f64) -> f64;
    }
}

#[inline]
fn sqrt(x: f64) -> f64 {
    unsafe { c::sqrt(x) }
}

#[inline]
fn abs(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (!0 >> 1))
}

#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if a > b {
        a
    } else {
        b
    }
}

/// S, c, d and I at t = 1; Z is the angle that doubling adds to that of I, as a complex number.
struct Jacobi {
    S: f64,
    c: f64,
    d: f64,
    I: f64,
    Zr: f64,
    Zi: f64,
}

/// `largest` is that of |P|, |Q|, |N|; R = D |m| N.
#[inline]
fn jacobi(P: f64, Q: f64, N: f64, R: f64, mut largest: f64) -> Jacobi {
    let PQ = P * Q;
    let mut doublings = 0;
    let mut t = 1.0;
    while doublings < HALVINGS && largest > SERIES {
        t *= 0.5;
        doublings += 1;
        largest *= 0.25;
    }
    // p = P t^2 and so on; the integrand is expanded in S, dt = dS/(c d)
    let tt = t * t;
    let (p, q, s) = (P * tt, Q * tt, N * tt);
    let (T, K) = (p + q, p * q);
    let (T2, K2) = (T * T, K * K);
    let f1 = 0.5 * T - s;
    let f2 = 0.375 * T2 - 0.5 * K - s * f1;
    let f3 = T * (0.3125 * T2 - 0.75 * K) - s * f2;
    let f4 = T2 * (0.2734375 * T2 - 0.9375 * K) + 0.375 * K2 - s * f3;
    let f5 = T * (T2 * (0.24609375 * T2 - 1.09375 * K) + 0.9375 * K2) - s * f4;
    let start = (1.0 - T * (1. / 6.) + (T2 + 12.0 * K) * (1. / 120.))
        - T * (T2 + 132.0 * K) * (1. / 5040.)
        + ((T2 * (T2 + 1224.0 * K) + 3024.0 * K2) * (1. / 362880.)
            - T * (T2 * (T2 + 11064.0 * K) + 132624.0 * K2) * (1. / 39916800.)
            + (T2 * (T2 * (T2 + 99636.0 * K) + 4095792.0 * K2) + 4390848.0 * (K * K2))
                * (1. / 6227020800.));
    let z = start * start;
    let zz = z * z;
    let I = start * z * tt
        * ((1. / 3. + z * (1. / 5. * f1))
            + zz * ((1. / 7. * f2 + z * (1. / 9. * f3)) + zz * (1. / 11. * f4 + z * (1. / 13. * f5))));
    let mut S = start * t;
    let (mut Zr, mut Zi) = (1.0, 0.0);
    let mut S2 = S * S;
    let (mut c2, mut d2) = (1.0 - P * S2, 1.0 - Q * S2);
    let (mut c, mut d) = (sqrt(c2), sqrt(d2));
    for _ in 0..doublings {
        let over = 1.0 / (1.0 - PQ * (S2 * S2));
        let before = S2;
        S *= 2.0 * c * d * over;
        c = (c2 - P * S2 * d2) * over;
        d = (d2 - Q * S2 * c2) * over;
        S2 = S * S;
        c2 = 1.0 - P * S2;
        d2 = 1.0 - Q * S2;
        let (Ur, Ui) = (1.0 + N * (S2 - before * (c * d)), -R * before * S);
        let (Vr, Vi) = (Zr * Zr - Zi * Zi, 2.0 * Zr * Zi);
        Zr = Vr * Ur - Vi * Ui;
        Zi = Vr * Ui + Vi * Ur;
    }
    if doublings > 0 {
        c = sqrt(c2); // less rounded
        d = sqrt(d2);
    }
    Jacobi { S, c, d, I, Zr, Zi }
}

/// Sets q to q v, of unit length.
#[inline]
fn turn(q: &mut [f64; 4], v0: f64, v: &[f64; 3]) {
    let n = [
        q[0] * v0 - q[1] * v[0] - q[2] * v[1] - q[3] * v[2],
        q[0] * v[0] + q[1] * v0 + q[2] * v[2] - q[3] * v[1],
        q[0] * v[1] + q[2] * v0 + q[3] * v[0] - q[1] * v[2],
        q[0] * v[2] + q[3] * v0 + q[1] * v[1] - q[2] * v[0],
    ];
    let unit = 1.0 / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]);
    for i in 0..4 {
        q[i] = unit * n[i];
    }
}

/// Moves q and m by dt, or by dt/2^n if that is too far for one part; returns how far. j = 1/J.
#[inline]
fn part(q: &mut [f64; 4], m: &mut [f64; 3], J: &[f64; 3], j: &[f64; 3], mut dt: f64) -> f64 {
    let (m0, m1, m2) = (abs(m[0]), abs(m[1]), abs(m[2]));
    let first = (m1 > m0) as usize;
    let a = if m2 > larger(m1, m0) { 2 } else { first };
    let c = if m2 > if m1 > m0 { m0 } else { m1 } { 1 - first } else { 2 };
    let b = 3 - a - c;
    let side = if (a + 1) % 3 == b { 1.0 } else { -1.0 }; // -1: left-handed

    // constants of the orbit, still for a time of 1; differences of 1/J without cancellation
    let (ma, mb, mc, ja, jb, jc) = (m[a], m[b], m[c], j[a], j[b], j[c]);
    let (aa, bb, cc) = (ma * ma, mb * mb, mc * mc);
    let G2 = aa + bb + cc;
    let G = sqrt(G2);
    let A1 = (J[b] - J[a]) * (ja * jb);
    let C1 = (J[c] - J[b]) * (jb * jc);
    let D1 = (J[c] - J[a]) * (ja * jc);
    let E1 = A1 * bb + D1 * cc;
    let (P1, Q1, N1) = (A1 * (D1 * aa + C1 * bb), C1 * E1, A1 * E1);
    let largest = larger(abs(P1), larger(abs(Q1), abs(N1)));
    let mut h = side * dt;
    let mut hh = h * h;
    for _ in 0..HALVINGS {
        if !(abs(h * ja) * G > ANGLE || largest * hh > ORBIT) {
            break;
        }
        dt *= 0.5;
        h *= 0.5;
        hh *= 0.25;
    }
    let (A, C, D, N) = (A1 * h, C1 * h, D1 * h, N1 * hh);
    let R = D * G * N;
    let f = jacobi(P1 * hh, Q1 * hh, N, R, largest * hh);

    // the momentum afterwards
    let S = f.S;
    let over = 1.0 / (1.0 - A * C * bb * (S * S));
    let na = over * (ma * f.d - C * S * f.c * (mb * mc));
    let nb = over * (mb * (f.c * f.d) + D * S * (ma * mc));
    let nc = over * (mc * f.c - A * S * f.d * (ma * mb));

    // 2 x = arg W + 2 y: half of arg W by a square root, tan y by Pade
    let mn = ma * na + mb * nb + mc * nc;
    let sum = G2 + mn;
    let AS = A * S * mb;
    let (Ur, Ui) = (G2 - nc * nc - AS * nc * na, -G * AS * nb);
    let Vr = G2 * (sum - cc - nc * nc) - mc * nc * (G2 - mn);
    let Vi = G * (mb * na - ma * nb) * (mc + nc);
    let (Xr, Xi) = (Ur * Vr - Ui * Vi, Ur * Vi + Ui * Vr);
    let (Wr, Wi) = (f.Zr * Xr - f.Zi * Xi, f.Zr * Xi + f.Zi * Xr);
    let half = Wr + sqrt(Wr * Wr + Wi * Wi);
    let y = 0.5 * (ja * G * h - R * f.I);
    let yy = y * y;
    let co = 34459425.0 - yy * (16216200.0 - yy * (945945.0 - yy * (13860.0 - yy * 45.0)));
    let si = y * (34459425.0 - yy * (4729725.0 - yy * (135135.0 - yy * (990.0 - yy))));
    let cx = co * half - si * Wi;
    let sx = side * G * (co * Wi + si * half);
    let cs = side * cx;
    let mut v = [0.0; 3];
    v[a] = cs * (nb * mc - nc * mb) + sx * (ma + na);
    v[b] = cs * (nc * ma - na * mc) + sx * (mb + nb);
    v[c] = cs * (na * mb - nb * ma) + sx * (mc + nc);
    turn(q, cx * sum, &v);
    m[a] = na;
    m[b] = nb;
    m[c] = nc;
    dt
}

/// Whether q, w and dt are finite, q is not zero and no moment is NaN.
fn valid(q: &[f64; 4], w: &[f64; 3], J: &[f64; 3], dt: f64) -> bool {
    q.iter().chain(w).all(|x| x.is_finite())
        && dt.is_finite()
        && q.iter().any(|&x| x != 0.0)
        && !J.iter().any(|x| x.is_nan())
}

/// Scales a quaternion that is not zero to unit length.
fn unit(q: &mut [f64; 4]) {
    let most = larger(larger(abs(q[0]), abs(q[1])), larger(abs(q[2]), abs(q[3])));
    let mut sum = 0.0;
    for x in q.iter_mut() {
        *x /= most;
        sum += *x * *x;
    }
    for x in q.iter_mut() {
        *x /= sqrt(sum);
    }
}

/// Limits each component of a vector that is finite.
fn limit(v: &mut [f64; 3], most: f64) {
    for x in v.iter_mut() {
        if abs(*x) > most && x.is_finite() {
            *x = if *x > 0.0 { most } else { -most };
        }
    }
}

/// The step in ordinary units, where nothing overflows. Returns false and changes nothing in others, as
/// comparisons with NaN are false.
fn ordinary(q: &mut [f64; 4], w: &mut [f64; 3], J: &[f64; 3], mut dt: f64) -> bool {
    let J01 = J[0] * J[1];
    let over = 1.0 / (J01 * J[2]);
    let j = [over * (J[1] * J[2]), over * (J[2] * J[0]), over * J01];
    let m0 = [J[0] * w[0], J[1] * w[1], J[2] * w[2]];
    let G2 = m0[0] * m0[0] + m0[1] * m0[1] + m0[2] * m0[2];
    let qq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let most = larger(J[0], larger(J[1], J[2]));
    let least = 0.5 * NEEDLE * most; // below what is raised
    let usual = |x: f64, low: f64, high: f64| x > low && x < high;
    if !(usual(G2, 1e-30, 1e30)
        && usual(most, 1e-40, 1e40)
        && usual(abs(dt), 0.0, 1e40)
        && usual(qq, 0.1, 10.0)
        && J.iter().all(|&x| x >= least))
    {
        return false;
    }
    let mut m = m0;
    for _ in 0..PARTS {
        if dt == 0.0 {
            break;
        }
        dt -= part(q, &mut m, J, &j, dt);
    }
    for i in 0..3 {
        w[i] += j[i] * (m[i] - m0[i]); // the change alone is rounded; J w/J has a bias
    }
    true
}

/// Rest and extreme values: in units of the largest of w and of J. Returns false and changes nothing if
/// that is no motion.
fn extreme(q: &mut [f64; 4], w: &mut [f64; 3], J: &[f64; 3], dt: f64) -> bool {
    let fastest = larger(abs(w[0]), larger(abs(w[1]), abs(w[2])));
    let most = larger(J[0], larger(J[1], J[2]));
    let longest = 1e30;
    let mut turn = fastest * dt;
    if !valid(q, w, J, dt) {
        return false;
    }
    unit(q);
    if !(abs(turn) > 0.0) {
        return true;
    }
    let (mut v, mut K) = ([0.0; 3], [1.0; 3]);
    for i in 0..3 {
        v[i] = w[i] / fastest;
        if most > 0.0 && J.iter().all(|x| x.is_finite()) {
            K[i] = larger(J[i] / most, NEEDLE);
        }
    }
    if abs(turn) > longest {
        turn = if turn > 0.0 { longest } else { -longest };
    }
    ordinary(q, &mut v, &K, turn);
    limit(&mut v, FASTEST / fastest); // so that nothing overflows
    for i in 0..3 {
        w[i] = v[i] * fastest;
    }
    true
}

/// Moves q and w; returns false if they stay as they are, because that is no motion.
fn moves(q: &mut [f64; 4], w: &mut [f64; 3], J: &[f64; 3], dt: f64) -> bool {
    ordinary(q, w, J, dt) || extreme(q, w, J, dt)
}

/// Moves the attitude q (body to space, scalar first) and the angular velocity w (principal axes
/// of the body) by dt; J are the principal moments. Every input returns: if q, w or dt is not finite, q
/// is zero or a moment is NaN, then q and w stay as they are.
pub fn step(q: &mut [f64; 4], w: &mut [f64; 3], J: &[f64; 3], dt: f64) {
    moves(q, w, J, dt);
}

/// Turns v from the body to space (sign 1) or back (-1), q of unit length.
fn rotate(q: &[f64; 4], sign: f64, v: &mut [f64; 3]) {
    let s = 2.0 * sign * q[0];
    let x = q[2] * v[2] - q[3] * v[1];
    let y = q[3] * v[0] - q[1] * v[2];
    let z = q[1] * v[1] - q[2] * v[0];
    v[0] += s * x + 2.0 * (q[2] * z - q[3] * y);
    v[1] += s * y + 2.0 * (q[3] * x - q[1] * z);
    v[2] += s * z + 2.0 * (q[1] * y - q[2] * x);
}

/// The same as `step`, with w in space.
pub fn step_world(q: &mut [f64; 4], w: &mut [f64; 3], J: &[f64; 3], dt: f64) {
    let (mut p, mut v) = (*q, *w);
    unit(&mut p); // what is not finite stays so; zero becomes NaN
    limit(&mut v, FASTEST);
    rotate(&p, -1.0, &mut v);
    if moves(&mut p, &mut v, J, dt) {
        rotate(&p, 1.0, &mut v);
        (*q, *w) = (p, v);
    }
}

/// In double and rounded: arithmetic in f32 has a bias that loses energy.
fn by_double(
    step: fn(&mut [f64; 4], &mut [f64; 3], &[f64; 3], f64),
    q: &mut [f32; 4],
    w: &mut [f32; 3],
    J: &[f32; 3],
    dt: f32,
) {
    let mut p = [q[0] as f64, q[1] as f64, q[2] as f64, q[3] as f64];
    let mut v = [w[0] as f64, w[1] as f64, w[2] as f64];
    step(&mut p, &mut v, &[J[0] as f64, J[1] as f64, J[2] as f64], dt as f64);
    limit(&mut v, f32::MAX as f64);
    for i in 0..4 {
        q[i] = p[i] as f32;
    }
    for i in 0..3 {
        w[i] = v[i] as f32;
    }
}

/// `step` for f32.
pub fn stepf(q: &mut [f32; 4], w: &mut [f32; 3], J: &[f32; 3], dt: f32) {
    by_double(step, q, w, J, dt)
}

/// `step_world` for f32.
pub fn stepf_world(q: &mut [f32; 4], w: &mut [f32; 3], J: &[f32; 3], dt: f32) {
    by_double(step_world, q, w, J, dt)
}
