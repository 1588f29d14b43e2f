// polhode_step.wgsl - the free rotation of one rigid body over a time dt, for shaders of WebGPU.
//
//     polhode_step(&q, &w, J, dt)
//
// q is the attitude, body to space, vec4(scalar, x, y, z); w the angular velocity in the body's
// principal axes; J the principal moments. The formulas, in their order, and the derivation are those
// of polhode_step.h. WGSL has no double, so a step has an error of some 1e-6, and in millions of steps
// the energy drifts; polhode_stepf on the processor has no such drift.
//
// Every input returns, after at most 200 parts of a step:
// - If q, w or dt is not finite, q is zero or a moment is NaN, then q and w stay as they are.
// - Other input gives a finite w and a q of unit length.
// - Moments below 1e-5 of the largest are raised to that, also those that are zero or negative.
// - If a moment is infinite, or none is positive, w stays and the body turns about it.
// - Components of w are at most 3.4e38. Numbers below 1.2e-38 count as zero, as shaders may do.
//
// Copyright (c) 2026 The Polhode authors. SPDX-License-Identifier: MIT

const POLHODE_SERIES = 0.05; // |P|, |Q|, |N|: the series are good to round-off of float
const POLHODE_ORBIT = 1.0;
const POLHODE_ANGLE = 1.5;
const POLHODE_PARTS = 200;
const POLHODE_HALVINGS = 200; // more than any part of a step takes
const POLHODE_NEEDLE = 1e-5;
const POLHODE_LEAST = 1.2e-38; // smaller ones may be flushed to zero
const POLHODE_FAST = 1e30; // component of w beyond which changes may overflow,
const POLHODE_FASTEST = 3.4e38; // and its limit
const POLHODE_LONGEST = 1e20; // angle of a step, at most

fn polhode_multiply(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.x * b.x - dot(a.yzw, b.yzw), a.x * b.yzw + b.x * a.yzw + cross(a.yzw, b.yzw));
}

// Moves q and m, of unit length, by dt, or by dt/2^n if that is too far for one part; returns how far.
fn polhode_part(q: ptr<function, vec4<f32>>, m: ptr<function, vec3<f32>>, J: vec3<f32>, given: f32) -> f32 {
    let size = abs(*m);
    let first = select(0, 1, size.y > size.x);
    let above = size.z > max(size.x, size.y);
    let below = size.z <= min(size.x, size.y) && !above;
    let a = select(first, 2, above);
    let c = select(1 - first, 2, below);
    let b = 3 - a - c;
    let side = select(-1.0, 1.0, (a + 1) % 3 == b);
    let ma = (*m)[a];
    let mb = (*m)[b];
    let mc = (*m)[c];
    let ja = 1.0 / J[a];
    let A1 = (J[b] - J[a]) / (J[a] * J[b]);
    let C1 = (J[c] - J[b]) / (J[b] * J[c]);
    let D1 = (J[c] - J[a]) / (J[a] * J[c]);
    let E1 = A1 * mb * mb + D1 * mc * mc;
    let P1 = A1 * (D1 * ma * ma + C1 * mb * mb);
    let Q1 = C1 * E1;
    let N1 = A1 * E1;
    let largest = max(abs(P1), max(abs(Q1), abs(N1)));
    var dt = given;
    for (var i = 0; i < POLHODE_HALVINGS && (abs(dt) * ja > POLHODE_ANGLE || largest * dt * dt > POLHODE_ORBIT); i++) {
        dt *= 0.5;
    }
    let h = side * dt;
    let A = A1 * h;
    let C = C1 * h;
    let D = D1 * h;
    let P = P1 * h * h;
    let Q = Q1 * h * h;
    let N = N1 * h * h;
    let R = D * N;

    // S, c, d, I and Z
    var doublings = 0;
    var t = 1.0;
    var left = largest * h * h;
    for (; doublings < POLHODE_HALVINGS && left > POLHODE_SERIES; doublings++) {
        left *= 0.25;
        t *= 0.5;
    }
    let s = N * t * t;
    let T = (P + Q) * t * t;
    let K = P * Q * t * t * t * t;
    let f1 = 0.5 * T - s;
    let f2 = 0.375 * T * T - 0.5 * K - s * f1;
    let f3 = T * (0.3125 * T * T - 0.75 * K) - s * f2;
    var S = 1.0 - T / 6.0 + (T * T + 12.0 * K) / 120.0 - T * (T * T + 132.0 * K) / 5040.0
        + (T * T * (T * T + 1224.0 * K) + 3024.0 * K * K) / 362880.0;
    let z = S * S;
    let I = S * z * t * t * (1.0 / 3.0 + z * (f1 / 5.0 + z * (f2 / 7.0 + z * f3 / 9.0)));
    S *= t;
    var Z = vec2<f32>(1.0, 0.0);
    var S2 = S * S;
    var cn = sqrt(1.0 - P * S2);
    var dn = sqrt(1.0 - Q * S2);
    for (var i = 0; i < doublings; i++) {
        let c2 = 1.0 - P * S2;
        let d2 = 1.0 - Q * S2;
        let over = 1.0 / (1.0 - P * Q * S2 * S2);
        let before = S2;
        S *= 2.0 * cn * dn * over;
        cn = (c2 - P * S2 * d2) * over;
        dn = (d2 - Q * S2 * c2) * over;
        S2 = S * S;
        let U = vec2<f32>(1.0 + N * (S2 - before * cn * dn), -R * before * S);
        let V = vec2<f32>(Z.x * Z.x - Z.y * Z.y, 2.0 * Z.x * Z.y);
        Z = vec2<f32>(V.x * U.x - V.y * U.y, V.x * U.y + V.y * U.x);
    }

    // the momentum afterwards, and the turn
    let over = 1.0 / (1.0 - A * C * mb * mb * S2);
    let na = over * (ma * dn - C * S * cn * mb * mc);
    let nb = over * (mb * cn * dn + D * S * ma * mc);
    let nc = over * (mc * cn - A * S * dn * ma * mb);
    let mn = ma * na + mb * nb + mc * nc;
    let U = vec2<f32>(1.0 - nc * nc - A * S * mb * nc * na, -A * S * mb * nb);
    let V = vec2<f32>(1.0 + mn - mc * mc - nc * nc - mc * nc * (1.0 - mn), (mb * na - ma * nb) * (mc + nc));
    let X = vec2<f32>(U.x * V.x - U.y * V.y, U.x * V.y + U.y * V.x);
    let W = vec2<f32>(Z.x * X.x - Z.y * X.y, Z.x * X.y + Z.y * X.x);
    let half = W.x + length(W);
    let y = 0.5 * (ja * h - R * I);
    let yy = y * y; // Pade: WGSL allows sin and cos an error of 5e-4
    let co = 1.0 - yy * (0.4705882353 - yy * (0.0274509804 - yy * (4.022121669e-4 - yy * 1.305883659e-6)));
    let si = y * (1.0 - yy * (0.1372549020 - yy * (3.921568627e-3 - yy * (2.872944049e-5 - yy * 2.901963686e-8))));
    let turn = vec2<f32>(co * half - si * W.y, side * (co * W.y + si * half));
    var n = vec3<f32>();
    n[a] = na;
    n[b] = nb;
    n[c] = nc;
    *q = normalize(polhode_multiply(*q, vec4<f32>(turn.x * (1.0 + mn), turn.x * cross(n, *m) + turn.y * (*m + n))));
    *m = normalize(n);
    return dt;
}

// By its bits, as compilers of shaders may assume that no number is infinite or NaN.
fn polhode_finite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

fn polhode_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn polhode_valid(q: vec4<f32>, w: vec3<f32>, J: vec3<f32>, dt: f32) -> bool {
    return polhode_finite(q.x) && polhode_finite(q.y) && polhode_finite(q.z) && polhode_finite(q.w)
        && polhode_finite(w.x) && polhode_finite(w.y) && polhode_finite(w.z) && polhode_finite(dt)
        && !(polhode_nan(J.x) || polhode_nan(J.y) || polhode_nan(J.z));
}

fn polhode_step(q: ptr<function, vec4<f32>>, w: ptr<function, vec3<f32>>, J: vec3<f32>, dt: f32) {
    let largest = max(max(abs((*q).x), abs((*q).y)), max(abs((*q).z), abs((*q).w)));
    if (!polhode_valid(*q, *w, J, dt) || !(largest >= POLHODE_LEAST)) {
        return;
    }
    let fastest = max(abs((*w).x), max(abs((*w).y), abs((*w).z)));
    *q = normalize(*q / largest);
    if (!(fastest >= POLHODE_LEAST)) {
        return;
    }
    let most = max(J.x, max(J.y, J.z));
    var K = vec3<f32>(1.0);
    if (most >= POLHODE_LEAST && polhode_finite(J.x) && polhode_finite(J.y) && polhode_finite(J.z)) {
        K = max(J / most, vec3<f32>(POLHODE_NEEDLE));
    }
    let v = *w / fastest;
    let start = K * v;
    let size = length(start);
    var m = start / size;
    let longest = POLHODE_LONGEST / max(fastest, 1.0); // so that the angle does not overflow
    let time = select(dt, clamp(dt, -longest, longest), fastest > 1.0);
    var left = clamp(fastest * time, -POLHODE_LONGEST, POLHODE_LONGEST) * size;
    for (var i = 0; i < POLHODE_PARTS && left != 0.0; i++) {
        left -= polhode_part(q, &m, K, left);
    }
    let change = (size * m - start) / K;
    if (fastest < POLHODE_FAST) {
        *w += fastest * change; // the change alone is rounded
    } else {
        let room = vec3<f32>(POLHODE_FASTEST / fastest);
        *w = fastest * clamp(v + change, -room, room);
    }
}
