/* own_splitting.c - the loop that the author of a program for molecular dynamics would write instead
 * of calling a library: a splitting into three rotations, R1(h/2) R2(h/2) R3(h) R2(h/2) R1(h/2),
 * one array for each component. Sine and cosine of half the angles are polynomials for angles up to
 * 1.2, with an error below 3e-17, and are not reduced. The build compiles it for this machine, without
 * fused products.
 */
#include "own_splitting.h"

/* Taylor series in z = x^2; the first terms left out are x^21/21! and x^20/20!. */
static inline double sine(double x, double z)
{
    double p = -1.0 / 121645100408832000.0;
    p = p * z + 1.0 / 355687428096000.0;
    p = p * z - 1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return x + x * z * p;
}

static inline double cosine(double z)
{
    double p = -1.0 / 6402373705728000.0;
    p = p * z + 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    p = p * z - 0.5;
    return 1.0 + z * p;
}

/* Turns about the axis of q1 by the angle 2 x: q1, q2, q3 and the momenta m2, m3 across it are in
 * right-handed order. */
// NOLINTBEGIN(bugprone-macro-parentheses): names of variables
#define TURN(x, q1, q2, q3, m2, m3)                                                                \
    do {                                                                                           \
        const double z = (x) * (x), s = sine(x, z), c = cosine(z);                                 \
        const double S = 2.0 * s * c, C = 1.0 - 2.0 * s * s, w = q0, a = q1, b = q2, m = m2;       \
        q0 = w * c - a * s;                                                                        \
        q1 = a * c + w * s;                                                                        \
        q2 = b * c + q3 * s;                                                                       \
        q3 = q3 * c - b * s;                                                                       \
        m2 = C * m + S * m3;                                                                       \
        m3 = C * m3 - S * m;                                                                       \
    } while (0)
// NOLINTEND(bugprone-macro-parentheses)

static void step(size_t n, double h, double *restrict qw, double *restrict qx, double *restrict qy,
                 double *restrict qz, double *restrict mx, double *restrict my, double *restrict mz,
                 const double *restrict J1, const double *restrict J2, const double *restrict J3)
{
    for (size_t i = 0; i < n; i++) {
        const double j1 = 0.25 * h / J1[i], j2 = 0.25 * h / J2[i], j3 = 0.5 * h / J3[i];
        double q0 = qw[i], q1 = qx[i], q2 = qy[i], q3 = qz[i], m1 = mx[i], m2 = my[i], m3 = mz[i];
        TURN(j1 * m1, q1, q2, q3, m2, m3);
        TURN(j2 * m2, q2, q3, q1, m3, m1);
        TURN(j3 * m3, q3, q1, q2, m1, m2);
        TURN(j2 * m2, q2, q3, q1, m3, m1);
        TURN(j1 * m1, q1, q2, q3, m2, m3);
        qw[i] = q0, qx[i] = q1, qy[i] = q2, qz[i] = q3;
        mx[i] = m1, my[i] = m2, mz[i] = m3;
    }
}

void own_splitting_step(const ph_batch *b, double h)
{
    step(b->n, h, b->q[0], b->q[1], b->q[2], b->q[3], b->m[0], b->m[1], b->m[2], b->J[0], b->J[1],
         b->J[2]);
}
