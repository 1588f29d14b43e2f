/* tangent.c - a step differenced in six directions and held against the structures. */
#include "support/tangent.h"

#include <string.h>

#include "core/vec.h"

static void derivative(tangent_map *map, const void *context, ph_state s, double D[6][6])
{
    const double delta = 1e-3;
    const ph_state centre = map(context, s);
    for (int column = 0; column < 6; column++) {
        double out[4][6];
        for (int point = 0; point < 4; point++) {
            static const double offset[4] = {-2, -1, 1, 2};
            double x[6] = {0};
            x[column] = offset[point] * delta;
            const ph_state moved = {mul(s.q, ph_exp(vec3(x[0], x[1], x[2]))),
                                    add(s.m, vec3(x[3], x[4], x[5]))};
            const ph_state image = map(context, moved);
            const ph_vec3 xi = ph_log(mul(inverse(centre.q), image.q)),
                          eta = sub(image.m, centre.m);
            memcpy(out[point], (double[6]){xi.x, xi.y, xi.z, eta.x, eta.y, eta.z},
                   sizeof x);
        }
        for (int row = 0; row < 6; row++)
            D[row][column] =
                (out[0][row] - 8 * out[1][row] + 8 * out[2][row] - out[3][row]) /
                (12 * delta);
    }
}

/* The canonical form at momentum m: [[-hat(m), 1], [-1, 0]]. */
static void canonical_form(ph_vec3 m, double W[6][6])
{
    const ph_mat3 hat = ph_hat(m);
    memset(W, 0, 36 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        W[i][i + 3] = 1;
        W[i + 3][i] = -1;
        for (int j = 0; j < 3; j++)
            W[i][j] = -hat.a[i][j];
    }
}

static double symplectic_defect(double D[6][6], ph_vec3 m0, ph_vec3 m1)
{
    double W0[6][6], W1[6][6], worst = 0;
    canonical_form(m0, W0);
    canonical_form(m1, W1);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double sum = -W0[i][j];
            for (int k = 0; k < 6; k++) {
                for (int l = 0; l < 6; l++)
                    sum += D[k][i] * W1[k][l] * D[l][j];
            }
            worst = fmax(worst, fabs(sum));
        }
    }
    return worst;
}

static double poisson_defect(double D[6][6], ph_vec3 m0, ph_vec3 m1)
{
    const ph_mat3 h0 = ph_hat(m0), h1 = ph_hat(m1);
    ph_mat3 d;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            d.a[i][j] = D[i + 3][j + 3];
    }
    const ph_mat3 image = matmul(matmul(d, h0), transpose(d));
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(image.a[i][j] - h1.a[i][j]));
    }
    return worst;
}

tangent_defects tangent_defects_of(tangent_map *map, const void *context, ph_state s)
{
    double D[6][6];
    derivative(map, context, s, D);
    const ph_vec3 after = map(context, s).m;
    return (tangent_defects){symplectic_defect(D, s.m, after),
                             poisson_defect(D, s.m, after)};
}
