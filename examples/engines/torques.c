/* torques.c - polhode_step() with a torque: an impulse before each step, or half of one before and half
 * after it. The program prints the errors of both after 5 s, and checks them.
 *
 *     cc -Iinclude examples/engines/torques.c -o torques -lm && ./torques
 *
 * The body is a top: gravity pulls at its centre of mass, which lies beside the point that holds it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "polhode_step.h"

static const double J[3] = {1.0, 1.6, 2.2}, centre[3] = {0.3, -0.2, 0.9};
static const double weight = 5.0, end = 5.0;

typedef struct body {
    double q[4], w[3];
} body;

/* The direction up, in the body. */
static void up_in_body(const body *b, double up[3])
{
    up[0] = up[1] = 0.0;
    up[2] = 1.0;
    polhode_rotate(b->q, -1, up);
}

/* Adds dt times the angular acceleration of the torque, which depends on the attitude. */
static void kick(body *b, double dt)
{
    double up[3];
    up_in_body(b, up);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        b->w[i] += dt * weight * (up[j] * centre[k] - up[k] * centre[j]) / J[i];
    }
}

static double energy(const body *b)
{
    double up[3], sum = 0.0;
    up_in_body(b, up);
    for (int i = 0; i < 3; i++)
        sum += 0.5 * J[i] * b->w[i] * b->w[i] + weight * up[i] * centre[i];
    return sum;
}

/* Runs to the end, and returns the largest change of the energy on the way. */
static double run(body *b, int steps, int halves)
{
    const double dt = end / steps, start = energy(b);
    double worst = 0.0;
    for (int n = 0; n < steps; n++) {
        if (halves) {
            kick(b, 0.5 * dt);
            polhode_step(b->q, b->w, J, dt);
            kick(b, 0.5 * dt);
        } else {
            kick(b, dt);
            polhode_step(b->q, b->w, J, dt);
        }
        worst = fabs(energy(b) - start) > worst ? fabs(energy(b) - start) : worst;
    }
    return worst;
}

static double angle(const body *a, const body *b)
{
    double along = 0.0;
    for (int i = 0; i < 4; i++)
        along += a->q[i] * b->q[i];
    return 2.0 * acos(fabs(along) < 1.0 ? fabs(along) : 1.0);
}

int main(void)
{
    const body start = {{6.0 / 9, -2.0 / 9, 5.0 / 9, 4.0 / 9}, {0.5, -0.5, 4.0}};
    body exact = start;
    double error[2][3], change[2][3];
    (void)run(&exact, 1 << 18, 1);
    printf("| steps | impulse, step: attitude | energy | kick, step, kick: attitude | energy |\n"
           "|---|---|---|---|---|\n");
    for (int i = 0; i < 3; i++) {
        const int steps = 150 << i;
        for (int halves = 0; halves < 2; halves++) {
            body b = start;
            change[halves][i] = run(&b, steps, halves);
            error[halves][i] = angle(&b, &exact);
        }
        printf("| %d | %.1e | %.2g | %.1e | %.2g |\n", steps, error[0][i], change[0][i],
               error[1][i], change[1][i]);
    }
    /* orders 1 and 2: the error falls to a half and to a quarter */
    const double first = error[0][1] / error[0][2], second = error[1][1] / error[1][2];
    return first > 1.7 && first < 2.3 && second > 3.7 && second < 4.3 ? 0 : 1;
}
