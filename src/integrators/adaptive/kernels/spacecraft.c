/* spacecraft.c - the torque of a spacecraft in lanes, with the bits of that of one. */
#define SIMD_VECTORS
#include "integrators/spacecraft.h"

#include "integrators/lane_kernels.h"
#include "integrators/table.h"

torque_lanes_kernel KERNEL(torque_spacecraft);

void KERNEL(torque_spacecraft)(const ph_problem *p, int first, int last, const double *t,
                               const double (*q)[PH_LANES], double (*torque)[PH_LANES])
{
    double M[PH_LANES] = {0}, commanded[3][PH_LANES] = {{0}};
    for (int i = first; i < last; i++) {
        const ph_vec3 v = ph_table_at(p, TORQUE_TABLE, t[i]);
        M[i] = within_a_turn(mean_anomaly(p, t[i]));
        commanded[0][i] = v.x;
        commanded[1][i] = v.y;
        commanded[2][i] = v.z;
    }
    for (int r = first / LANES * LANES; r < last; r += LANES) {
        vdouble3 column[3];
        const vdouble4 attitude = {vload(&q[0][r]), vload(&q[1][r]), vload(&q[2][r]),
                                   vload(&q[3][r])};
        matrix_columns(attitude, column);
        const place at = place_of(p, vload(&M[r]));
        const field f = field_of(p, &at, column);
        const vdouble3 sum =
            torque_of(p, &f, column,
                      vec3(vload(&commanded[0][r]), vload(&commanded[1][r]),
                           vload(&commanded[2][r])));
        vstore(&torque[0][r], sum.x);
        vstore(&torque[1][r], sum.y);
        vstore(&torque[2][r], sum.z);
    }
}
