/* polhode_step.h - computes the exact free rotation of one rigid body over a time dt. This is one
 * file for physics engines, in C99 or C++, without dependencies.
 *
 *     polhode_step(q, w, J, dt)          double; w is in the principal axes of the body
 *     polhode_step_world(q, w, J, dt)    the same; w is in space
 *     polhode_stepf, polhode_stepf_world the same for float arrays, computed in double
 *
 * q is the attitude: a quaternion, scalar part first, that rotates body to space coordinates. w is
 * the angular velocity. J has the principal moments of inertia, positive and in any order. The
 * functions replace q and w by their values after the time dt. The caller applies torques as
 * impulses on w between two steps.
 *
 * The step is not an approximation of Euler's equations but their solution, within 1e-13 for
 * rotations up to 1 rad. It conserves energy and angular momentum to round-off for any dt. Spheres,
 * symmetric bodies, a spin about an axis, the separatrix and rest are not special cases. q need not
 * have unit length before the step; it has unit length afterwards. A step that turns by more than
 * about 1000 rad ends early, on the orbit. The only function called is sqrt: with -ffp-contract=off
 * the bits are the same on every platform.
 *
 * The functions return for every input, after at most 1000 parts of a step:
 * - If q, w or dt is not finite, q is zero or a moment is NaN, then q and w do not change.
 * - For all other input, w is finite and q has unit length afterwards.
 * - Moments below 2e-14 of the largest one are raised to this value, also if they are zero or
 *   negative.
 * - If a moment is infinite, or no moment is positive, w does not change and the body turns about
 *   w. The inverse inertia of an engine gives such moments as 1/0 or 1/-0: no torque turns the body
 *   about these axes. If w has no component along these axes, this is the motion of a body which a
 *   bearing holds there.
 * - Components of w are limited to 1e300, for float arrays to the largest float.
 *
 * Derivation. Let m = J w and k = dt/J, and let the unit of time be dt. The axes are named a, b, c
 * such that |ma| >= |mb| >= |mc|. If they are not right-handed, time and rotations change sign.
 * With A = ka - kb, C = kb - kc and D = ka - kc, Euler's equations m' = m x w are
 *
 *     ma' = -C mb mc,   mb' = D ma mc,   mc' = -A ma mb
 *
 * and E = A mb^2 + D mc^2, P = A (D ma^2 + C mb^2), Q = C E, N = A E are constants. Let S be
 * Jacobi's function sn, scaled: S' = c d, S(0) = 0, c^2 = 1 - P S^2, d^2 = 1 - Q S^2. The addition
 * theorem of sn, cn and dn gives the momentum n at t = 1:
 *
 *     na = (ma d - C S c mb mc)/e,   nb = (mb c d + D S ma mc)/e,
 *     nc = (mc c - A S d ma mb)/e,   e = 1 - A C mb^2 S^2
 *
 * n is on the orbit for any S: an error of S is an error of time. No divisor vanishes, because
 * |ma| is the largest. From here on m and n have unit length, and A, C, D, k are multiplied
 * by |m|. In space, axis c has turned about the momentum by
 *
 *     psi = ka - D N I + arg U,   I = integral of S^2/(1 + N S^2) from 0 to 1,
 *     U = 1 - nc^2 - A S mb (nc na + i nb)
 *
 * psi is Euler's angle about the axis of the smallest |m|, so it is never 0/0. The attitude
 * becomes q (cos x, m sin x)(1 + m.n, n x m) with 2 x = psi + arg V and
 *
 *     V = 1 + m.n - mc^2 - nc^2 - mc nc (1 - m.n) + i (mb na - ma nb)(mc + nc)
 *
 * because V is the rotation of the direction of c by the smallest rotation from n to m. S and I are
 * power series at t = 2^-n; then the time is doubled n times.
 *
 * Copyright (c) 2026 The Polhode authors. SPDX-License-Identifier: MIT
 */
#ifndef POLHODE_STEP_H
#define POLHODE_STEP_H

#include <math.h>

#define POLHODE_SERIES        0.0157 /* largest |P|, |Q|, |N| with series exact to round-off */
#define POLHODE_ORBIT         1.0    /* largest |P|, |Q|, |N| up to which S is doubled */
#define POLHODE_ANGLE         1.5    /* largest ka |m| for which a step is one part */
#define POLHODE_PARTS         1000   /* number of parts after which a step ends early */
#define POLHODE_HALVINGS      1000   /* more halvings than any part needs */
#define POLHODE_NEEDLE        2e-14  /* smallest moment divided by the largest one */
#define POLHODE_FASTEST       1e300  /* largest component of w */
#define POLHODE_FASTEST_FLOAT 3.4028234663852886e38 /* largest component of w in float arrays */

static inline double polhode_larger(double a, double b)
{
    return a > b ? a : b;
}

/* S, c, d and I at t = 1. Z is a complex number; its argument is the angle that the doublings add
 * to I. */
typedef struct polhode_jacobi {
    double S, c, d, I, Zr, Zi;
} polhode_jacobi;

/* Returns these functions. `largest` is the largest of |P|, |Q|, |N|, and R = D |m| N. */
static inline polhode_jacobi polhode_functions(double P, double Q, double N, double R,
                                               double largest)
{
    polhode_jacobi j;
    const double PQ = P * Q;
    int doublings = 0, i;
    double t = 1;
    for (; doublings < POLHODE_HALVINGS && largest > POLHODE_SERIES; doublings++) {
        largest *= 0.25;
        t *= 0.5;
    }
    {
        /* p = P t^2 and so on; the integrand is expanded in S, dt = dS/(c d) */
        const double tt = t * t, p = P * tt, q = Q * tt, s = N * tt;
        const double T = p + q, T2 = T * T, K = p * q, K2 = K * K;
        const double f1 = 0.5 * T - s, f2 = 0.375 * T2 - 0.5 * K - s * f1,
                     f3 = T * (0.3125 * T2 - 0.75 * K) - s * f2,
                     f4 = T2 * (0.2734375 * T2 - 0.9375 * K) + 0.375 * K2 - s * f3;
        const double f5 = T * (T2 * (0.24609375 * T2 - 1.09375 * K) + 0.9375 * K2) - s * f4;
        const double S = (1 - T * (1. / 6) + (T2 + 12 * K) * (1. / 120)) -
                         T * (T2 + 132 * K) * (1. / 5040) +
                         ((T2 * (T2 + 1224 * K) + 3024 * K2) * (1. / 362880) -
                          T * (T2 * (T2 + 11064 * K) + 132624 * K2) * (1. / 39916800) +
                          (T2 * (T2 * (T2 + 99636 * K) + 4095792 * K2) + 4390848 * (K * K2)) *
                              (1. / 6227020800.));
        const double z = S * S, zz = z * z;
        j.I = S * z * tt *
              ((1. / 3 + z * (1. / 5 * f1)) +
               zz * ((1. / 7 * f2 + z * (1. / 9 * f3)) + zz * (1. / 11 * f4 + z * (1. / 13 * f5))));
        j.S = S * t;
    }
    j.Zr = 1;
    j.Zi = 0;
    double S2 = j.S * j.S, c2 = 1 - P * S2, d2 = 1 - Q * S2;
    j.c = sqrt(c2);
    j.d = sqrt(d2);
    for (i = 0; i < doublings; i++) {
        const double over = 1 / (1 - PQ * (S2 * S2)), before = S2;
        j.S *= 2 * j.c * j.d * over;
        j.c = (c2 - P * S2 * d2) * over;
        j.d = (d2 - Q * S2 * c2) * over;
        S2 = j.S * j.S;
        c2 = 1 - P * S2;
        d2 = 1 - Q * S2;
        {
            const double Ur = 1 + N * (S2 - before * (j.c * j.d)), Ui = -R * before * j.S;
            const double Vr = j.Zr * j.Zr - j.Zi * j.Zi, Vi = 2 * j.Zr * j.Zi;
            j.Zr = Vr * Ur - Vi * Ui;
            j.Zi = Vr * Ui + Vi * Ur;
        }
    }
    if (doublings > 0) { /* less rounded */
        j.c = sqrt(c2);
        j.d = sqrt(d2);
    }
    return j;
}

/* Sets q to q v, of unit length. */
static inline void polhode_turn(double q[4], double v0, const double v[3])
{
    const double q0 = q[0] * v0 - q[1] * v[0] - q[2] * v[1] - q[3] * v[2];
    const double q1 = q[0] * v[0] + q[1] * v0 + q[2] * v[2] - q[3] * v[1];
    const double q2 = q[0] * v[1] + q[2] * v0 + q[3] * v[0] - q[1] * v[2];
    const double q3 = q[0] * v[2] + q[3] * v0 + q[1] * v[1] - q[2] * v[0];
    const double unit = 1 / sqrt(q0 * q0 + q1 * q1 + q2 * q2 + q3 * q3);
    q[0] = unit * q0;
    q[1] = unit * q1;
    q[2] = unit * q2;
    q[3] = unit * q3;
}

/* Moves q and m by dt, or by dt/2^n if dt is too long for one part. Returns the time of this part.
 * j = 1/J. */
static inline double polhode_part(double q[4], double m[3], const double J[3], const double j[3],
                                  double dt)
{
    /* a, b, c without branches, which would be mispredicted */
    const double m0 = fabs(m[0]), m1 = fabs(m[1]), m2 = fabs(m[2]);
    const int first = m1 > m0 ? 1 : 0, above = m2 > (first ? m1 : m0),
              below = m2 <= (first ? m0 : m1);
    const int a = above ? 2 : first, c = below && !above ? 2 : 1 - first, b = 3 - a - c;
    const double side = b - a == 1 || b - a == -2 ? 1 : -1; /* -1: left-handed */

    /* constants of the orbit, still for a time of 1; differences of 1/J without cancellation */
    const double ma = m[a], mb = m[b], mc = m[c], ja = j[a], jb = j[b], jc = j[c];
    const double aa = ma * ma, bb = mb * mb, cc = mc * mc, G2 = aa + bb + cc, G = sqrt(G2);
    const double A1 = (J[b] - J[a]) * (ja * jb), C1 = (J[c] - J[b]) * (jb * jc),
                 D1 = (J[c] - J[a]) * (ja * jc), E1 = A1 * bb + D1 * cc;
    const double P1 = A1 * (D1 * aa + C1 * bb), Q1 = C1 * E1, N1 = A1 * E1;
    const double largest = polhode_larger(fabs(P1), polhode_larger(fabs(Q1), fabs(N1)));
    double h = side * dt, hh = h * h;
    int i;
    for (i = 0;
         i < POLHODE_HALVINGS && (fabs(h * ja) * G > POLHODE_ANGLE || largest * hh > POLHODE_ORBIT);
         i++) {
        dt *= 0.5;
        h *= 0.5;
        hh *= 0.25;
    }
    {
        const double A = A1 * h, C = C1 * h, D = D1 * h, N = N1 * hh, R = D * G * N;
        const polhode_jacobi f = polhode_functions(P1 * hh, Q1 * hh, N, R, largest * hh);

        /* the momentum afterwards */
        const double S = f.S, over = 1 / (1 - A * C * bb * (S * S));
        const double na = over * (ma * f.d - C * S * f.c * (mb * mc));
        const double nb = over * (mb * (f.c * f.d) + D * S * (ma * mc));
        const double nc = over * (mc * f.c - A * S * f.d * (ma * mb));

        /* 2 x = arg W + 2 y: half of arg W by a square root, tan y by Pade; U and V are
         * multiplied by powers of |m| */
        const double mn = ma * na + mb * nb + mc * nc, sum = G2 + mn, AS = A * S * mb;
        const double Ur = G2 - nc * nc - AS * nc * na, Ui = -G * AS * nb;
        const double Vr = G2 * (sum - cc - nc * nc) - mc * nc * (G2 - mn);
        const double Vi = G * (mb * na - ma * nb) * (mc + nc);
        const double Xr = Ur * Vr - Ui * Vi, Xi = Ur * Vi + Ui * Vr;
        const double Wr = f.Zr * Xr - f.Zi * Xi, Wi = f.Zr * Xi + f.Zi * Xr;
        const double half = Wr + sqrt(Wr * Wr + Wi * Wi);
        const double y = 0.5 * (ja * G * h - R * f.I), yy = y * y;
        const double co = 34459425 - yy * (16216200 - yy * (945945 - yy * (13860 - yy * 45)));
        const double si = y * (34459425 - yy * (4729725 - yy * (135135 - yy * (990 - yy))));
        const double cx = co * half - si * Wi, sx = side * G * (co * Wi + si * half);
        const double cs = side * cx;
        double v[3];
        v[a] = cs * (nb * mc - nc * mb) + sx * (ma + na);
        v[b] = cs * (nc * ma - na * mc) + sx * (mb + nb);
        v[c] = cs * (na * mb - nb * ma) + sx * (mc + nc);
        polhode_turn(q, cx * sum, v);
        m[a] = na;
        m[b] = nb;
        m[c] = nc;
    }
    return dt;
}

/* Whether q, w and dt are finite, q is not zero and no moment is NaN. */
static inline int polhode_valid(const double q[4], const double w[3], const double J[3], double dt)
{
    const double zero =
        (0 * q[0] + 0 * q[1]) + (0 * q[2] + 0 * q[3]) + (0 * w[0] + 0 * w[1]) + (0 * w[2] + 0 * dt);
    return zero == 0 && (q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0) && J[0] == J[0] &&
           J[1] == J[1] && J[2] == J[2];
}

/* Scales a quaternion that is not zero to unit length. */
static inline void polhode_unit(double q[4])
{
    const double most = polhode_larger(polhode_larger(fabs(q[0]), fabs(q[1])),
                                       polhode_larger(fabs(q[2]), fabs(q[3])));
    double sum = 0;
    int i;
    for (i = 0; i < 4; i++) {
        q[i] /= most;
        sum += q[i] * q[i];
    }
    for (i = 0; i < 4; i++)
        q[i] /= sqrt(sum);
}

/* The largest modulus of a component. */
static inline double polhode_largest(const double v[3])
{
    return polhode_larger(fabs(v[0]), polhode_larger(fabs(v[1]), fabs(v[2])));
}

/* Limits each component of a vector that is finite. */
static inline void polhode_limit(double v[3], double most)
{
    int i;
    if (!(polhode_largest(v) > most))
        return;
    for (i = 0; i < 3; i++)
        if (fabs(v[i]) > most && fabs(v[i]) < INFINITY)
            v[i] = v[i] > 0 ? most : -most;
}

/* The step for ordinary numbers, with which nothing overflows. For others it returns 0 and changes
 * nothing; this includes NaN, with which comparisons are false. */
static inline int polhode_ordinary(double q[4], double w[3], const double J[3], double dt)
{
    const double J01 = J[0] * J[1], over = 1 / (J01 * J[2]);
    const double j[3] = {over * (J[1] * J[2]), over * (J[2] * J[0]), over * J01};
    const double m0[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
    const double G2 = m0[0] * m0[0] + m0[1] * m0[1] + m0[2] * m0[2];
    const double qq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double most = polhode_larger(J[0], polhode_larger(J[1], J[2]));
    const double least = 0.5 * POLHODE_NEEDLE * most; /* below what is raised */
    double m[3] = {m0[0], m0[1], m0[2]};
    int i;
    if (!(G2 > 1e-30 && G2 < 1e30 && most > 1e-40 && most < 1e40 && fabs(dt) > 0 &&
          fabs(dt) < 1e40 && qq > 0.1 && qq < 10 && J[0] >= least && J[1] >= least &&
          J[2] >= least))
        return 0;
    for (i = 0; i < POLHODE_PARTS && dt != 0; i++)
        dt -= polhode_part(q, m, J, j, dt);
    for (i = 0; i < 3; i++) /* the change alone is rounded; J w/J has a bias */
        w[i] += j[i] * (m[i] - m0[i]);
    return 1;
}

/* The step for a body at rest and for extreme numbers, in units of the largest component of w and
 * of J. Returns 0 and changes nothing if the input describes no motion. */
static inline int polhode_extreme(double q[4], double w[3], const double J[3], double dt)
{
    const double fastest = polhode_largest(w);
    const double most = polhode_larger(J[0], polhode_larger(J[1], J[2])), limit = 1e30;
    double v[3], K[3], turn = fastest * dt;
    int i;
    if (!polhode_valid(q, w, J, dt))
        return 0;
    polhode_unit(q);
    if (!(fabs(turn) > 0))
        return 1;
    for (i = 0; i < 3; i++) {
        v[i] = w[i] / fastest;
        K[i] = most > 0 && polhode_largest(J) < INFINITY
                   ? polhode_larger(J[i] / most, POLHODE_NEEDLE)
                   : 1;
    }
    if (fabs(turn) > limit)
        turn = turn > 0 ? limit : -limit;
    polhode_ordinary(q, v, K, turn);
    polhode_limit(v, POLHODE_FASTEST / fastest); /* so that nothing overflows */
    for (i = 0; i < 3; i++)
        w[i] = v[i] * fastest;
    return 1;
}

/* Moves q and w. Returns 0 if it does not change them, because the input describes no motion. */
static inline int polhode_moves(double q[4], double w[3], const double J[3], double dt)
{
    return polhode_ordinary(q, w, J, dt) || polhode_extreme(q, w, J, dt);
}

/* Rotates the body by its free motion over the time dt. w is in the principal axes of the body. */
static inline void polhode_step(double q[4], double w[3], const double J[3], double dt)
{
    (void)polhode_moves(q, w, J, dt);
}

/* Rotates v from body to space coordinates (sign 1) or back (sign -1). q has unit length. */
static inline void polhode_rotate(const double q[4], double sign, double v[3])
{
    const double s = 2 * sign * q[0];
    const double x = q[2] * v[2] - q[3] * v[1], y = q[3] * v[0] - q[1] * v[2],
                 z = q[1] * v[1] - q[2] * v[0];
    v[0] += s * x + 2 * (q[2] * z - q[3] * y);
    v[1] += s * y + 2 * (q[3] * x - q[1] * z);
    v[2] += s * z + 2 * (q[1] * y - q[2] * x);
}

/* Rotates the body by its free motion over the time dt. w is in space coordinates. */
static inline void polhode_step_world(double q[4], double w[3], const double J[3], double dt)
{
    double p[4] = {q[0], q[1], q[2], q[3]}, v[3] = {w[0], w[1], w[2]};
    int i;
    polhode_unit(p); /* what is not finite stays so; zero becomes NaN */
    polhode_limit(v, POLHODE_FASTEST);
    polhode_rotate(p, -1, v);
    if (!polhode_moves(p, v, J, dt))
        return;
    polhode_rotate(p, 1, v);
    for (i = 0; i < 4; i++)
        q[i] = p[i];
    for (i = 0; i < 3; i++)
        w[i] = v[i];
}

/* A step of float arrays by a function for double arrays. Arithmetic in float would have a bias
 * that loses energy. */
static inline void polhode_stepf_by(void (*step)(double *, double *, const double *, double),
                                    float q[4], float w[3], const float J[3], float dt)
{
    double p[4] = {q[0], q[1], q[2], q[3]}, v[3] = {w[0], w[1], w[2]};
    const double K[3] = {J[0], J[1], J[2]};
    int i;
    step(p, v, K, dt);
    polhode_limit(v, POLHODE_FASTEST_FLOAT);
    for (i = 0; i < 4; i++)
        q[i] = (float)p[i];
    for (i = 0; i < 3; i++)
        w[i] = (float)v[i];
}

/* Does what polhode_step() does, for float arrays. */
static inline void polhode_stepf(float q[4], float w[3], const float J[3], float dt)
{
    polhode_stepf_by(polhode_step, q, w, J, dt);
}

/* Does what polhode_step_world() does, for float arrays. */
static inline void polhode_stepf_world(float q[4], float w[3], const float J[3], float dt)
{
    polhode_stepf_by(polhode_step_world, q, w, J, dt);
}

#endif
