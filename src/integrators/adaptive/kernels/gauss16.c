/* gauss16.c - the nodes of a Gauss method in lanes. Sums have an order of their own in each
 * lane: the bits are the same with every instruction set. */
#include "base/simd.h"
#include "integrators/adaptive/collocation.h"

void KERNEL(collocation_sum)(const double (*matrix)[PH_LANES],
                             const double (*x)[PH_LANES], double (*sum)[PH_LANES])
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble column[PH_LANES];
        for (int j = 0; j < PH_LANES; j++)
            column[j] = vload(&matrix[j][r]);
        for (int i = 0; i < PH_UNKNOWNS; i++) {
            vdouble even = column[0] * x[i][0], odd = column[1] * x[i][1];
            for (int j = 2; j < PH_LANES; j += 2) {
                even += column[j] * x[i][j];
                odd += column[j + 1] * x[i][j + 1];
            }
            vstore(&sum[i][r], even + odd);
        }
    }
}

void KERNEL(collocation_rate)(const free_body *b, const double (*y)[PH_LANES],
                              const double (*torque)[PH_LANES], double (*rate)[PH_LANES])
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble z[PH_UNKNOWNS];
        for (int i = 0; i < PH_UNKNOWNS; i++)
            z[i] = vload(&y[i][r]);
        const vdouble f = b->half[0] * z[4], g = b->half[1] * z[5], h = b->half[2] * z[6];
        vstore(&rate[0][r], -((z[1] * f + z[2] * g) + z[3] * h));
        vstore(&rate[1][r], (z[0] * f + z[2] * h) - z[3] * g);
        vstore(&rate[2][r], (z[0] * g + z[3] * f) - z[1] * h);
        vstore(&rate[3][r], (z[0] * h + z[1] * g) - z[2] * f);
        vstore(&rate[4][r], b->euler[0] * (z[5] * z[6]) + vload(&torque[0][r]));
        vstore(&rate[5][r], b->euler[1] * (z[6] * z[4]) + vload(&torque[1][r]));
        vstore(&rate[6][r], b->euler[2] * (z[4] * z[5]) + vload(&torque[2][r]));
    }
}

void KERNEL(collocation_product)(double h, const double (*matrix)[PH_LANES],
                                 const double (*rest)[PH_LANES],
                                 double (*product)[PH_LANES])
{
    const double split = 0x1p27 + 1.0, a = split * h, h1 = a - (a - h), h2 = h - h1;
    for (int j = 0; j < PH_LANES; j++) {
        for (int r = 0; r < PH_LANES; r += LANES) {
            const vdouble x = vload(&matrix[j][r]), b = split * x, x1 = b - (b - x),
                          x2 = x - x1, p = h * x; /* Dekker: p less its error */
            const vdouble error = ((h1 * x1 - p) + h1 * x2 + h2 * x1) + h2 * x2;
            vstore(&product[j][r], p + (error + h * vload(&rest[j][r])));
        }
    }
}
