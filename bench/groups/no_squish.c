/* no_squish.c - NO_SQUISH, the rotation of molecular dynamics, against exact steps: of Polhode, and
 * by the form of van Zon and Schofield; and how far each comes for the same processor time.
 *
 * MEH   Miller, Eleftheriou, Pattnaik, Ndirango, Newns, Martyna, Symplectic quaternion scheme for
 *       biophysical molecular dynamics, J. Chem. Phys. 116, 2002: the Hamiltonian of quaternion q
 *       and conjugate momentum p is split into three rotations,
 *
 *         zeta_k = p . P_k q/(4 I_k),   q' = cos(zeta_k t) q + sin(zeta_k t) P_k q,  p likewise
 *         P_1 q = (-q1, q0, q3, -q2),  P_2 q = (-q2, -q3, q0, q1),  P_3 q = (-q3, q2, -q1, q0)
 *
 *       in the order 3, 2, 1, 2, 3, the middle one over the whole step. The angular momentum in the
 *       body is m_k = p . P_k q/2.
 * ZS    van Zon, Schofield, Numerical implementation of the exact dynamics of free rigid bodies,
 *       J. Comput. Phys. 225, 2007: the flow `zon`, as CFSZ 2.4 (c) has it.
 *
 * A race alone would compare a method of order 2 with exact ones. So NO_SQUISH also gets as many
 * steps as fit into the time of an exact step, and its error is stated: what it has not gained by
 * being cheaper.
 */
#include <math.h>

#include "base/extremes.h"
#include "stepping.h"

#define STEPS 1000 /* in a pass */

enum { ROTATIONS = 5 };

/* P_k q, k from 0. */
static void permuted(int k, const double q[4], double out[4])
{
    static const int place[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    static const double sign[3][4] = {{-1, 1, 1, -1}, {-1, -1, 1, 1}, {-1, 1, -1, 1}};
    for (int i = 0; i < 4; i++)
        out[i] = sign[k][i] * q[place[k][i]];
}

static void no_squish_step(double q[4], double p[4], const double J[3], double h)
{
    static const int axis[ROTATIONS] = {2, 1, 0, 1, 2};
    static const double share[ROTATIONS] = {0.5, 0.5, 1.0, 0.5, 0.5};
    for (int r = 0; r < ROTATIONS; r++) {
        double Pq[4], Pp[4], sum = 0.0;
        permuted(axis[r], q, Pq);
        permuted(axis[r], p, Pp);
        for (int i = 0; i < 4; i++)
            sum += p[i] * Pq[i];
        const double angle = share[r] * h * sum / (4.0 * J[axis[r]]), c = cos(angle),
                     s = sin(angle);
        for (int i = 0; i < 4; i++) {
            q[i] = c * q[i] + s * Pq[i];
            p[i] = c * p[i] + s * Pp[i];
        }
    }
}

/* The attitude after so many steps of h. */
static ph_quat no_squish_end(const stepping *f, double h, int steps)
{
    const double J[3] = {f->J.x, f->J.y, f->J.z}, m[3] = {f->start.m.x, f->start.m.y, f->start.m.z};
    double q[4] = {f->start.q.w, f->start.q.x, f->start.q.y, f->start.q.z}, p[4] = {0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        double Pq[4];
        permuted(k, q, Pq);
        for (int i = 0; i < 4; i++)
            p[i] += 2.0 * m[k] * Pq[i];
    }
    for (int i = 0; i < steps; i++)
        no_squish_step(q, p, J, h);
    return (ph_quat){q[0], q[1], q[2], q[3]};
}

static double no_squish_pass(void *work)
{
    const stepping *f = work;
    return no_squish_end(f, f->h, f->steps).w;
}

static double no_squish_error(const stepping *f, double time, int steps)
{
    stepping exact = *f;
    exact.h = time;
    return attitude_error(no_squish_end(f, time / steps, steps), stepping_end(&exact, 1).q);
}

static void run(bench *b)
{
    static stepping exact, zon;
    const double time = 10.0, order_2 = 0.05; /* its error at h = 0.1 is 0.016 */
    exact = stepping_hairer_vilmart("exact", 0.1, STEPS);
    zon = stepping_hairer_vilmart("zon", 0.1, STEPS);
    bench_contestant field[] = {
        {.name = "exact_step", .run = stepping_pass, .work = &exact, .units = STEPS},
        {.name = "zon_step", .run = stepping_pass, .work = &zon, .units = STEPS},
        {.name = "no_squish_step", .run = no_squish_pass, .work = &exact, .units = STEPS},
    };
    const int steps = (int)lround(time / exact.h);
    const double error = no_squish_error(&exact, time, steps);
    bench_check(b, &field[0], "attitude error", stepping_attitude_error(&exact, steps), 1e-12);
    bench_check(b, &field[1], "attitude error", stepping_attitude_error(&zon, steps), 1e-12);
    bench_check(b, &field[2], "attitude error", error, order_2);
    /* half the step, a fourth of the error */
    bench_check(b, &field[2], "deviation of the order from 2",
                fabs(log2(error / no_squish_error(&exact, time, 2 * steps)) - 2.0), 0.1);
    bench_race(b, "step", field, 3);
    bench_ratio(b, "exact_over_no_squish", &field[0], &field[2]);
    bench_ratio(b, "zon_over_no_squish", &field[1], &field[2]);
    bench_ratio(b, "zon_over_exact", &field[1], &field[0]);
    const double fit = field[0].median / field[2].median;
    const int equal = (int)lround(larger_or_nan(1.0, fit) * steps);
    bench_value(b, "no_squish_error_at_equal_cost", no_squish_error(&exact, time, equal));
    bench_note(b, "NO_SQUISH in the time of %d exact steps of 0.1: %d steps", steps, equal);
}

const bench_group bench_group_no_squish = {
    .name = "no_squish",
    .title = "NO_SQUISH and van Zon and Schofield's exact rotation",
    .run = run,
};
