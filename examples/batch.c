/* batch.c - ten thousand bodies of all shapes, drifting and kicked by turns.
 *
 * Structure of arrays, one call for all bodies; the memory is the caller's. Each body is a
 * top in a weak uniform field: Verlet's splitting with the exact motion as its drift. The
 * energy of every one of them stays where it was, as one step of a body alone would have
 * it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <polhode/batch.h>

enum { N = 10000, STEPS = 200 };
static const double STRENGTH = 1e-3, H = 0.05; /* U = STRENGTH cos(tilt) */

/* The vertical in the body, the third row of R; the torque is -dU. */
static void torques(const ph_batch *b, double *torque[3])
{
    for (size_t i = 0; i < b->n; i++) {
        const ph_quat q = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        const ph_vec3 g = ph_quat_unrotate(q, (ph_vec3){0, 0, 1});
        torque[0][i] = STRENGTH * g.y;
        torque[1][i] = -STRENGTH * g.x;
        torque[2][i] = 0.0;
    }
}

static double energy(const ph_batch *b, size_t i)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += 0.5 * b->m[k][i] * b->m[k][i] / b->J[k][i];
    const ph_quat q = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
    return sum + STRENGTH * ph_quat_unrotate(q, (ph_vec3){0, 0, 1}).z;
}

/* Whether all went well with the memory of fourteen columns. */
static bool run(const ph_flow *drift, double (*column)[N])
{
    const ph_batch b = {N,
                        {column[0], column[1], column[2], column[3]},
                        {column[4], column[5], column[6]},
                        {column[7], column[8], column[9]}};
    double *torque[3] = {column[10], column[11], column[12]}, *start = column[13];
    for (size_t i = 0; i < N; i++) { /* from needles to plates, spheres among them */
        const double x = (double)i / N;
        column[0][i] = 1.0;
        column[4][i] = cos(9.0 * x), column[5][i] = sin(9.0 * x), column[6][i] = 1.0 - x;
        column[7][i] = 0.5 + x, column[8][i] = 1.0, column[9][i] = 1.5 - x;
        start[i] = energy(&b, i);
    }
    for (int step = 0; step < STEPS; step++) {
        torques(&b, torque);
        ph_batch_kick(&b, torque[0], torque[1], torque[2], 0.5 * H);
        if (ph_batch_step(drift, &b, H, NULL) != PH_OK)
            return false;
        torques(&b, torque);
        ph_batch_kick(&b, torque[0], torque[1], torque[2], 0.5 * H);
    }
    double worst = 0.0;
    for (size_t i = 0; i < N; i++) {
        const double error = fabs(energy(&b, i) / start[i] - 1.0);
        worst = error <= worst || isnan(worst) ? worst : error; /* fmax loses NaN */
    }
    printf("%d bodies, %d steps: energy to %.1e\n", N, STEPS, worst);
    return worst < 1e-5;
}

int main(void)
{
    const ph_flow *drift;
    double(*column)[N] = calloc(14, sizeof *column);
    const bool well =
        ph_flow_named("exact", &drift) == PH_OK && column != NULL && run(drift, column);
    free(column);
    return well ? 0 : 1;
}
