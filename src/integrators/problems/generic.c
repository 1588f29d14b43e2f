/* generic.c - a triaxial body in a field without any symmetry.
 *
 * What holds here holds for no special reason: orders and structures are measured on it.
 * With constant matrices A and B, b = tr(B^T R), and y(N)_i = tr(N hat(e_i)):
 *
 *   U = tr(A^T R) + b^2/2 + exp(b)/5
 *   torque = -y(A^T R) - f y(B^T R),   f = b + exp(b)/5
 *   derivative_ik = D(A^T R)_ik + f D(B^T R)_ik - (1 + exp(b)/5) y_i y_k,
 *                   y = y(B^T R),  D(N) = tr(N) 1 - N^T
 *
 * At the start R = exp(0.3, -0.8, 0.5) and m = (0.9, -1.4, 1.7).
 */
#include "polhode/body.h"
#ifdef SIMD_VECTORS
#include "base/elementary.h"
#include "integrators/lane_kernels.h"
#else
#include "motion/vec.h"
#endif

FILE_CONSTANT ph_mat3 A = {{{0.31, -0.72, 0.44}, {0.15, 0.63, -0.29}, {-0.53, 0.22, 0.81}}},
                      B = {{{-0.12, 0.45, 0.36}, {0.71, -0.24, 0.18}, {0.27, -0.66, 0.39}}};

#ifdef SIMD_VECTORS /* in lanes, with the bits of one body */

/* Element i k of N = C^T R, from the columns of R. */
PART vdouble element(ph_mat3 C, const vdouble3 *column, int i, int k)
{
    return C.a[0][i] * column[k].x + C.a[1][i] * column[k].y + C.a[2][i] * column[k].z;
}

/* tr(N hat(e_i)) */
PART vdouble3 traces(ph_mat3 C, const vdouble3 *column)
{
    return vec3(element(C, column, 1, 2) - element(C, column, 2, 1),
                element(C, column, 2, 0) - element(C, column, 0, 2),
                element(C, column, 0, 1) - element(C, column, 1, 0));
}

EACH_KERNEL(generic)
{
    (void)p;
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble3 column[3];
        matrix_columns(lane_quaternion(&at->q[0][r]), column);
        const vdouble b =
            element(B, column, 0, 0) + element(B, column, 1, 1) + element(B, column, 2, 2);
        vdouble e = b;
        for (int i = 0; i < LANES; i++)
            e[i] = ph_real_exp(b[i]);
        store_vector(
            &at->torque[0][r],
            scale(vsplat(-1.0), add(traces(A, column), scale(b + e / 5.0, traces(B, column)))));
    }
}

#else /* of one body */

static double trace(ph_mat3 m)
{
    return m.a[0][0] + m.a[1][1] + m.a[2][2];
}

/* tr(N hat(e_i)): how tr(N) grows along N exp(s hat(e_i)) */
static ph_vec3 traces(ph_mat3 N)
{
    return vec3(N.a[1][2] - N.a[2][1], N.a[2][0] - N.a[0][2], N.a[0][1] - N.a[1][0]);
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    const double b = trace(matmul(transpose(B), now->R));
    return trace(matmul(transpose(A), now->R)) + b * b / 2 + ph_real_exp(b) / 5;
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    const ph_mat3 M = matmul(transpose(A), now->R), N = matmul(transpose(B), now->R);
    const double b = trace(N);
    return scale(-1, add(traces(M), scale(b + ph_real_exp(b) / 5, traces(N))));
}

static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    const ph_mat3 M = matmul(transpose(A), now->R), N = matmul(transpose(B), now->R);
    const double b = trace(N), f1 = b + ph_real_exp(b) / 5, f2 = 1 + ph_real_exp(b) / 5;
    const ph_vec3 v = traces(N);
    const double y[] = {v.x, v.y, v.z};
    ph_mat3 D;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const double on_diagonal = i == k ? trace(M) + f1 * trace(N) : 0;
            D.a[i][k] = on_diagonal - M.a[k][i] - f1 * N.a[k][i] - f2 * y[i] * y[k];
        }
    }
    return D;
}

#ifndef __OPENCL_VERSION__
const ph_problem ph_problem_generic = {
    .name = "generic",
    .title = "Triaxial body in a field without symmetry",
    .cite = "ours, to measure on",
    .equations = "U = tr(A^T R) + b^2/2 + exp(b)/5, b = tr(B^T R), A and B constant matrices\n"
                 "without symmetry.",
    .body = PH_MOMENTS(1.3, 2.1, 2.9),
    .q = {0.8799807056103828548, 0.1439495950537319562, -0.3838655868099518832,
          0.239915991756219927},
    .w = {0.9 / 1.3, -1.4 / 2.1, 1.7 / 2.9},
    .potential = potential,
    .torque = torque,
    .derivative = derivative,
};
#endif
#endif
