/* extrapolation.h - one step of Gragg's midpoint rule, extrapolated, its columns in lanes.
 *
 * HNW   Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.9.
 *
 * The column of n substeps (n even, k = h/n), HNW (9.13) without the smoothing step; u is
 * the state at even, v at odd points:
 *
 *   v_1 = u_0 + k f(u_0),   u_2 = u_0 + 2k f(v_1),   v_3 = v_1 + 2k f(u_2) ...
 *
 * The error of u at the end is a series in k^2. Where the torque is costly it is taken at
 * even points alone, n/2 + 1 times: the momentum of an even point is
 *
 *   m(u_(i+1)) = m(u_(i-1)) + 2k ( m x w at v_i + (torque(u_(i-1)) + torque(u_(i+1)))/2 )
 *
 * which can be had since the attitude of u_(i+1) needs no torque. The map from (u_i, v_i -
 * k f(u_i)) two points on is symmetric, so that the error remains a series in k^2.
 *
 * Columns n_1 < ... < n_c give order 2c, HNW (9.9) at zero in the form of Lagrange, and the
 * difference to the same without n_1 has order 2c - 1:
 *
 *   u = sum w_j u_j,   w_j = prod_(i != j) n_j^2/(n_j^2 - n_i^2)
 *
 * Every lane has a column; a lane that is done has k = 0 from there on. Lanes hold
 * differences to u_0, and the sum is taken over differences to the last column: its
 * round-off is less. There are PH_LANES lanes, whatever the width of a vector, and the sum
 * over them has a fixed order: the bits are the same with every instruction set.
 */
#pragma once

#include "base/simd.h"
#include "integrators/lane_kernels.h"

/* ---- tables ---------------------------------------------------------------------- */

/* Substeps of column j. */
static const int SUBSTEPS[SEQUENCES][PH_LANES] = {
    {2, 4, 6, 8, 10, 12, 14, 16},
    {2, 4, 6, 8, 10, 12, 16, 16},
};

/* Substep s of a column of n, over h; the first is half as long as the others. */
#define SUBSTEP(s, n) ((s) < (n) ? (1.0 + ((s) > 0)) / (n) : 0.0)
#define SUBSTEP_ROW(s, last)                                                                       \
    {                                                                                              \
        SUBSTEP(s, 2), SUBSTEP(s, 4), SUBSTEP(s, 6), SUBSTEP(s, 8), SUBSTEP(s, 10),                \
            SUBSTEP(s, 12), SUBSTEP(s, last), SUBSTEP(s, 16)                                       \
    }
#define SUBSTEP_ROWS(last)                                                                         \
    {                                                                                              \
        SUBSTEP_ROW(0, last), SUBSTEP_ROW(1, last), SUBSTEP_ROW(2, last), SUBSTEP_ROW(3, last),    \
            SUBSTEP_ROW(4, last), SUBSTEP_ROW(5, last), SUBSTEP_ROW(6, last),                      \
            SUBSTEP_ROW(7, last), SUBSTEP_ROW(8, last), SUBSTEP_ROW(9, last),                      \
            SUBSTEP_ROW(10, last), SUBSTEP_ROW(11, last), SUBSTEP_ROW(12, last),                   \
            SUBSTEP_ROW(13, last), SUBSTEP_ROW(14, last), SUBSTEP_ROW(15, last)                    \
    }
static const VECTOR_ALIGNED double SUBSTEP_LENGTH[SEQUENCES][MOST_SUBSTEPS][PH_LANES] = {
    SUBSTEP_ROWS(14),
    SUBSTEP_ROWS(16),
};

/* w_j and w_j less those without n_1, for the first 3 ... 8 columns; the last row is that of
 * the calm sequence. */
enum { CALM_ROW = PH_LANES - FEWEST_COLUMNS + 1, WEIGHTS = CALM_ROW + 1 };
static const VECTOR_ALIGNED double WEIGHT[WEIGHTS][PH_LANES] = {
    {1.0 / 24, -16.0 / 15, 81.0 / 40},
    {-1.0 / 360, 16.0 / 45, -729.0 / 280, 1024.0 / 315},
    {1.0 / 8640, -64.0 / 945, 6561.0 / 4480, -16384.0 / 2835, 390625.0 / 72576},
    {-1.0 / 302400, 8.0 / 945, -2187.0 / 4480, 65536.0 / 14175, -9765625.0 / 798336,
     17496.0 / 1925},
    {1.0 / 14515200, -32.0 / 42525, 19683.0 / 179200, -1048576.0 / 467775, 244140625.0 / 19160064,
     -629856.0 / 25025, 13841287201.0 / 889574400},
    {-1.0 / 914457600, 32.0 / 637875, -177147.0 / 9856000, 1048576.0 / 1403325,
     -6103515625.0 / 747242496, 5668704.0 / 175175, -678223072849.0 / 13343616000,
     17179869184.0 / 638512875},
    {1.0 / 19051200, -8.0 / 14175, 19683.0 / 246400, -65536.0 / 42525, 244140625.0 / 31135104,
     -157464.0 / 13475, 268435456.0 / 42567525},
};
static const VECTOR_ALIGNED double WEIGHT_OF_ERROR[WEIGHTS][PH_LANES] = {
    {1.0 / 24, -4.0 / 15, 9.0 / 40},
    {-1.0 / 360, 4.0 / 45, -81.0 / 280, 64.0 / 315},
    {1.0 / 8640, -16.0 / 945, 729.0 / 4480, -1024.0 / 2835, 15625.0 / 72576},
    {-1.0 / 302400, 2.0 / 945, -243.0 / 4480, 4096.0 / 14175, -390625.0 / 798336, 486.0 / 1925},
    {1.0 / 14515200, -8.0 / 42525, 2187.0 / 179200, -65536.0 / 467775, 9765625.0 / 19160064,
     -17496.0 / 25025, 282475249.0 / 889574400},
    {-1.0 / 914457600, 8.0 / 637875, -19683.0 / 9856000, 65536.0 / 1403325,
     -244140625.0 / 747242496, 157464.0 / 175175, -13841287201.0 / 13343616000,
     268435456.0 / 638512875},
    {1.0 / 19051200, -2.0 / 14175, 2187.0 / 246400, -4096.0 / 42525, 9765625.0 / 31135104,
     -4374.0 / 13475, 4194304.0 / 42567525},
};

static inline int columns_in(columns_sequence s)
{
    if (s == SEQUENCE_LONG)
        return PH_LANES;
    return PH_LANES - 1;
}

static inline int weight_row(columns_sequence s, int columns)
{
    if (s == SEQUENCE_CALM && columns == PH_LANES - 1)
        return (int)CALM_ROW;
    return columns - FEWEST_COLUMNS;
}

/* ---- the rule -------------------------------------------------------------------- */

enum { VECTORS = PH_LANES / LANES };

/* to += q (0, f, g, h), q the attitude of the point z. */
PART void turn_quaternion(const vdouble *z, vdouble f, vdouble g, vdouble h, vdouble *to)
{
    to[0] = to[0] - ((z[1] * f + z[2] * g) + z[3] * h);
    to[1] = to[1] + ((z[0] * f + z[2] * h) - z[3] * g);
    to[2] = to[2] + ((z[0] * g + z[3] * f) - z[1] * h);
    to[3] = to[3] + ((z[0] * h + z[1] * g) - z[2] * f);
}

/* to += k y' without torque, at the point z. */
PART void turn_freely(const extrapolation *x, const vdouble *z, vdouble k, vdouble *to)
{
    const vdouble f = (k * x->body.half[0]) * z[4], g = (k * x->body.half[1]) * z[5],
                  h = (k * x->body.half[2]) * z[6];
    turn_quaternion(z, f, g, h, to);
    to[4] = to[4] + (k * x->body.euler[0]) * (z[5] * z[6]);
    to[5] = to[5] + (k * x->body.euler[1]) * (z[6] * z[4]);
    to[6] = to[6] + (k * x->body.euler[2]) * (z[4] * z[5]);
}

/* The sum of the lanes, in one order for every width. */
PART double sum_lanes(const double x[PH_LANES])
{
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

/* The result, from what the lanes have at the end, differences to the start. */
PART void extrapolate(extrapolation *x, double (*u)[PH_LANES])
{
    const int row = weight_row(x->sequence, x->columns), last = x->columns - 1;
    for (int i = 0; i < PH_UNKNOWNS; i++) {
        VECTOR_ALIGNED double sum[PH_LANES];
        VECTOR_ALIGNED double error[PH_LANES];
        for (int r = 0; r < PH_LANES; r += LANES) {
            const vdouble d = vload(&u[i][r]) - u[i][last];
            vstore(&sum[r], vload(&WEIGHT[row][r]) * d);
            vstore(&error[r], vload(&WEIGHT_OF_ERROR[row][r]) * d);
        }
        x->change[i] = u[i][last] + sum_lanes(sum);
        x->estimate[i] = sum_lanes(error);
    }
}

/* Stores the point s of the columns from r on, if it is wanted. */
PART void keep_point(const extrapolation *x, int s, int r, const vdouble *z)
{
    for (int i = 0; i < PH_UNKNOWNS && x->points != NULL; i++)
        vstore(&x->points->y[s][i][r], z[i]);
}

/* The torque of a problem in vectors: m += k torque in the attitude q, which is next to unit
 * length; coarse columns leave the sphere by some per cent. */
typedef void torque_kick(const double *constants, const vdouble *q, vdouble k, vdouble *m);

/* All columns, with a torque that is cheap: at every point. Vectors of lanes one after the
 * other, each until its last lane is done. */
PART void columns_at_every_point(extrapolation *x, torque_kick *add_torque, const double *constants)
{
    VECTOR_ALIGNED double end[PH_UNKNOWNS][PH_LANES] = {{0}};
    for (int r = 0; r < x->columns; r += LANES) {
        const int last = r + LANES < x->columns ? r + LANES - 1 : x->columns - 1,
                  substeps = SUBSTEPS[x->sequence][last];
        vdouble u[PH_UNKNOWNS], v[PH_UNKNOWNS], z[PH_UNKNOWNS];
        for (int i = 0; i < PH_UNKNOWNS; i++) {
            u[i] = v[i] = vsplat(0.0);
            z[i] = vsplat(x->y[i]);
        }
        for (int s = 0; s < substeps; s += 2) {
            const double(*length)[PH_LANES] = &SUBSTEP_LENGTH[x->sequence][s];
            vdouble k = x->h * vload(&length[0][r]);
            keep_point(x, s, r, z);
            turn_freely(x, z, k, v);
            add_torque(constants, z, k, v + 4);
            for (int i = 0; i < PH_UNKNOWNS; i++)
                z[i] = v[i] + x->y[i];
            keep_point(x, s + 1, r, z);
            k = x->h * vload(&length[1][r]);
            turn_freely(x, z, k, u);
            add_torque(constants, z, k, u + 4);
            for (int i = 0; i < PH_UNKNOWNS; i++)
                z[i] = u[i] + x->y[i];
        }
        for (int i = 0; i < PH_UNKNOWNS; i++)
            vstore(&end[i][r], u[i]);
    }
    extrapolate(x, end);
}

/* A problem's file of kernels has add_torque(), which takes constants from set_constants(), and
 * then LANE_KERNELS(NAME); a constant lasts for a step. */
enum { LANE_CONSTANTS = 8 };
#define LANE_KERNELS(name)                                                                         \
    extrapolation_kernel KERNEL(columns_##name);                                                   \
    void KERNEL(columns_##name)(extrapolation * x)                                                 \
    {                                                                                              \
        double constants[LANE_CONSTANTS];                                                          \
        set_constants(x->p, constants);                                                            \
        columns_at_every_point(x, add_torque, constants);                                          \
    }                                                                                              \
    TORQUE_KERNEL(name)                                                                            \
    {                                                                                              \
        (void)t;                                                                                   \
        double constants[LANE_CONSTANTS];                                                          \
        set_constants(p, constants);                                                               \
        for (int r = first / LANES * LANES; r < last; r += LANES) {                                \
            const vdouble at[4] = {vload(&q[0][r]), vload(&q[1][r]), vload(&q[2][r]),              \
                                   vload(&q[3][r])};                                               \
            vdouble m[3] = {vsplat(0.0), vsplat(0.0), vsplat(0.0)};                                \
            add_torque(constants, at, vsplat(1.0), m);                                             \
            for (int i = 0; i < 3; i++)                                                            \
                vstore(&torque[i][r], m[i]);                                                       \
        }                                                                                          \
    }
