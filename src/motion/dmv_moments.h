/* dmv_moments.h - the modified moments of dmv4 to dmv10, written out.
 *
 * The first four rows of series.c (a test compares), for one body or for many: inside
 * a splitting they are new at every step, and as polynomials by Horner's rule they cost a
 * fraction of it. In units of p1 = j1 + j2 + j3, so that p1 = 1:
 *
 *   1/I~_i = s j_i + d p1,   H = h^2 p1 sum j_i y_i^2/2,  C = h^2 p1^2 |y|^2/2
 *   p = p2/p1^2,  t = p3/p1^3
 */
#pragma once

#include "base/simd.h"

enum { DMV_MOMENTS_ORDER = 10 };

/* The largest angle by which one Moser-Veselov step is to turn. */
#define DMV_LARGEST_ANGLE(order) ((order) == 2 ? 0.9 : 1.2)

typedef struct dmv_moments {
    vdouble s, d;
} dmv_moments;

/* Of dmv2 to dmv10 by their order. */
PART dmv_moments dmv_moments_of(int order, vdouble H, vdouble C, vdouble p, vdouble t)
{
    dmv_moments x = {vsplat(1.0), vsplat(0.0)};
    const vdouble p2 = p * p, pt = p * t, t2 = t * t, HC = H * C, H2 = H * H, C2 = C * C;
    if (order >= 10) {
        const vdouble p3 = p2 * p, p2t = p2 * t, pt2 = p * t2;
        const vdouble s =
            H2 * H2 * (2.0 - 3.0 * p + 153.0 * p2 - 486.0 * t) +
            H2 * HC * (4.0 * (276.0 * t - p - 66.0 * p2 - 207.0 * pt)) +
            HC * HC * (6.0 * (26.0 * p2 + 3.0 * p3 - 102.0 * t + 30.0 * pt + 318.0 * t2)) +
            HC * C2 * (2.0 * (306.0 * pt - 77.0 * p3 + 141.0 * p2t - 1128.0 * t2)) +
            C2 * C2 * (62.0 * p2 * p2 - 342.0 * p2t + 378.0 * t2 + 291.0 * pt2);
        const vdouble d =
            H2 * H2 * (459.0 * pt - p - 6.0 * p2 - 126.0 * t) +
            H2 * HC * (2.0 * (97.0 * p3 - 15.0 * p2 + 64.0 * t - 276.0 * pt - 648.0 * t2)) +
            HC * HC * (6.0 * (19.0 * pt - 5.0 * p3 - 133.0 * p2t + 356.0 * t2)) +
            HC * C2 * (222.0 * p2t - p2 * p2 - 864.0 * t2 + 684.0 * pt2) +
            C2 * C2 * (243.0 * pt2 - 61.0 * p2 * pt - 610.0 * t * t2);
        x.s += s * (1.0 / 45360.0);
        x.d += d * (1.0 / 45360.0);
    }
    if (order >= 8) {
        const vdouble s = H2 * H * (4.0 * p - 4.0 + 72.0 * t) +
                          H * HC * (6.0 * p + 41.0 * p2 - 212.0 * t) +
                          C * HC * (132.0 * t - 36.0 * p2 - 30.0 * pt) +
                          C2 * C * (17.0 * p2 * p - 66.0 * pt + 100.0 * t2);
        const vdouble d = H2 * H * (2.0 * p - 26.0 * p2 + 60.0 * t) +
                          H * HC * (13.0 * p2 - 64.0 * t + 110.0 * pt) +
                          C * HC * (2.0 * p2 * p - 2.0 * pt - 176.0 * t2) +
                          C2 * C * (72.0 * t2 - 19.0 * p * pt);
        x.s += s * (1.0 / 2520.0);
        x.d += d * (1.0 / 2520.0);
    }
    if (order >= 6) {
        const vdouble s = H2 * (2.0 - p) + HC * (8.0 * t - 2.0 * p) + C2 * (2.0 * p2 - 6.0 * t);
        const vdouble d = HC * (8.0 * t - p2) - H2 * (p + 6.0 * t) - C2 * pt;
        x.s += s * (1.0 / 60.0);
        x.d += d * (1.0 / 60.0);
    }
    if (order >= 4) {
        x.s += (1.0 / 6.0) * (p * C - 2.0 * H);
        x.d += (1.0 / 6.0) * (p * H - 2.0 * (t * C));
    }
    return x;
}
