/* md_loop.c - your own molecular dynamics, with the rotation by the library: docs/md_loop.md.
 *
 * A drop of 27 rigid molecules, three Lennard-Jones sites each, moves by Verlet's splitting: half a
 * kick, a drift, the forces, half a kick. First the bodies are arrays of components, then records
 * with the angular momentum in space. examples/md_loop.f90 is the same program in Fortran and prints
 * the same digits.
 *
 * Compiled with OpenMP, its threads share the drift of the arrays. The bits do not change. */
#include <math.h>
#include <stdio.h>

#include <polhode/batch.h>

enum { SIDE = 3, N = SIDE * SIDE * SIDE, SITES = 3, PARTS = 4 };

/* Sites in the principal axes of a molecule, about its centre of mass; each has the mass 1/3. */
static const double SITE[SITES][3] = {{0.4, 0, -0.2}, {-0.4, 0, -0.2}, {0, 0, 0.4}};
static const double MOMENTS[3] = {0.08, 0.56 / 3, 0.32 / 3};

/* The bodies: an array for each component. The mass of a molecule is 1. */
static double x[3][N], p[3][N], q[4][N], m[3][N], force[3][N], torque[3][N];

/* One inertia for all: J[0] points to three moments, J[1] and J[2] are NULL. */
static ph_batch bodies(int first, int count)
{
    ph_batch b = {.n = (size_t)count, .J = {MOMENTS}};
    for (int k = 0; k < 4; k++)
        b.q[k] = q[k] + first;
    for (int k = 0; k < 3; k++)
        b.m[k] = m[k] + first;
    return b;
}

/* Sets forces in space and torques in the bodies, and returns the potential. */
static double forces(void)
{
    static double at[N][SITES][3], on[N][SITES][3];
    double potential = 0;
    for (int i = 0; i < N; i++) {
        const ph_quat turn = {q[0][i], q[1][i], q[2][i], q[3][i]};
        for (int a = 0; a < SITES; a++) {
            const ph_vec3 arm = ph_quat_rotate(turn, (ph_vec3){SITE[a][0], SITE[a][1], SITE[a][2]});
            const double from[3] = {arm.x, arm.y, arm.z};
            for (int k = 0; k < 3; k++) {
                at[i][a][k] = x[k][i] + from[k];
                on[i][a][k] = 0;
            }
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = i + 1; j < N; j++) {
            for (int pair = 0; pair < SITES * SITES; pair++) {
                const int a = pair / SITES, b = pair % SITES;
                double d[3], r2 = 0;
                for (int k = 0; k < 3; k++) {
                    d[k] = at[i][a][k] - at[j][b][k];
                    r2 += d[k] * d[k];
                }
                const double s6 = 1 / (r2 * r2 * r2), f = 24 * s6 * (2 * s6 - 1) / r2;
                potential += 4 * s6 * (s6 - 1);
                for (int k = 0; k < 3; k++) {
                    on[i][a][k] += f * d[k];
                    on[j][b][k] -= f * d[k];
                }
            }
        }
    }
    for (int i = 0; i < N; i++) {
        const ph_quat turn = {q[0][i], q[1][i], q[2][i], q[3][i]};
        double total[3] = {0, 0, 0}, about[3] = {0, 0, 0};
        for (int a = 0; a < SITES; a++) {
            const double *g = on[i][a];
            const ph_vec3 f = ph_quat_unrotate(turn, (ph_vec3){g[0], g[1], g[2]});
            for (int k = 0; k < 3; k++)
                total[k] += g[k];
            about[0] += SITE[a][1] * f.z - SITE[a][2] * f.y;
            about[1] += SITE[a][2] * f.x - SITE[a][0] * f.z;
            about[2] += SITE[a][0] * f.y - SITE[a][1] * f.x;
        }
        for (int k = 0; k < 3; k++) {
            force[k][i] = total[k];
            torque[k][i] = about[k];
        }
    }
    return potential;
}

static double kinetic(void)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            sum += p[k][i] * p[k][i] + m[k][i] * m[k][i] / MOMENTS[k];
    }
    return sum / 2;
}

static void start(void)
{
    for (int i = 0; i < N; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        const ph_quat turn = ph_quat_unit((ph_quat){1, at[0] - 1, 0.5 * at[1], 0.25 * at[2]});
        q[0][i] = turn.w, q[1][i] = turn.x, q[2][i] = turn.y, q[3][i] = turn.z;
        for (int k = 0; k < 3; k++) {
            x[k][i] = 1.9 * at[k];
            p[k][i] = 0.1 * (at[(k + 1) % 3] - 1);
            m[k][i] = 0.05 * (at[k] - 1);
        }
    }
}

/* ---- arrays of components ---------------------------------------------------------- */

static void kick(double h)
{
    const ph_batch all = bodies(0, N);
    ph_batch_kick(&all, torque[0], torque[1], torque[2], h); /* m += h torque, in the bodies */
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < N; i++)
            p[k][i] += h * force[k][i]; /* in space */
    }
}

static ph_status drift(const ph_flow *flow, double h)
{
    ph_status status[PARTS];
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int part = 0; part < PARTS; part++) {
        const int first = N * part / PARTS, end = N * (part + 1) / PARTS;
        const ph_batch mine = bodies(first, end - first);
        status[part] = ph_batch_step(flow, &mine, h, NULL);
        for (int k = 0; k < 3; k++) {
            for (int i = first; i < end; i++)
                x[k][i] += h * p[k][i];
        }
    }
    for (int part = 0; part < PARTS; part++) {
        if (status[part] != PH_OK)
            return status[part];
    }
    return PH_OK;
}

/* Runs to the time 2 and returns the largest error of the energy, or NaN. */
static double run(const ph_flow *flow, int steps)
{
    const double h = 2.0 / steps;
    start();
    double potential = forces(), worst = 0;
    const double energy = kinetic() + potential;
    for (int step = 0; step < steps; step++) {
        kick(0.5 * h);
        if (drift(flow, h) != PH_OK)
            return NAN;
        potential = forces();
        kick(0.5 * h);
        const double error = fabs(kinetic() + potential - energy);
        worst = error <= worst ? worst : error;
    }
    return worst;
}

/* ---- records, with the angular momentum in space ------------------------------------ */

typedef struct record {
    double q[4], momentum[3], dipole[3]; /* all but q in space */
} record;

static record list[N];

/* L += h torque, both in space. */
static void kick_records(double h)
{
    for (int i = 0; i < N; i++) {
        const ph_quat turn = {list[i].q[0], list[i].q[1], list[i].q[2], list[i].q[3]};
        const ph_vec3 t = ph_quat_rotate(turn, (ph_vec3){torque[0][i], torque[1][i], torque[2][i]});
        list[i].momentum[0] += h * t.x;
        list[i].momentum[1] += h * t.y;
        list[i].momentum[2] += h * t.z;
    }
}

static double farther(double apart, double a, double b)
{
    return fabs(a - b) <= apart ? apart : fabs(a - b);
}

/* Moves records as run() moves arrays, which give them their torques. Returns the largest distance
 * of their attitudes and dipoles from those of the arrays. */
static double run_records(const ph_flow *flow, int steps, double h)
{
    const size_t stride = sizeof(record) / sizeof(double);
    const ph_batch_strided records = {N,       list->q, stride,       list->momentum, stride,
                                      MOMENTS, 0,       list->dipole, stride};
    start();
    for (int i = 0; i < N; i++) {
        const ph_quat turn = {q[0][i], q[1][i], q[2][i], q[3][i]};
        const ph_vec3 L = ph_quat_rotate(turn, (ph_vec3){m[0][i], m[1][i], m[2][i]}),
                      d = ph_quat_rotate(turn, (ph_vec3){0, 0, 1});
        list[i] = (record){{turn.w, turn.x, turn.y, turn.z}, {L.x, L.y, L.z}, {d.x, d.y, d.z}};
    }
    (void)forces();
    for (int step = 0; step < steps; step++) {
        kick_records(0.5 * h);
        kick(0.5 * h);
        if (ph_batch_strided_step(flow, &records, h, NULL) != PH_OK || drift(flow, h) != PH_OK)
            return NAN;
        (void)forces();
        kick_records(0.5 * h);
        kick(0.5 * h);
    }
    double apart = 0;
    for (int i = 0; i < N; i++) {
        const ph_quat turn = {q[0][i], q[1][i], q[2][i], q[3][i]};
        const ph_vec3 d = ph_quat_rotate(turn, (ph_vec3){0, 0, 1});
        apart = farther(apart, list[i].dipole[0], d.x);
        apart = farther(apart, list[i].dipole[1], d.y);
        apart = farther(apart, list[i].dipole[2], d.z);
        for (int k = 0; k < 4; k++)
            apart = farther(apart, list[i].q[k], q[k][i]);
    }
    return apart;
}

int main(void)
{
    const ph_flow *exact;
    if (ph_flow_named("exact", &exact) != PH_OK)
        return 1;
    ph_set_threads(1); /* the threads are those of OpenMP */
    const double coarse = run(exact, 400), fine = run(exact, 800);
    double P[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < N; i++)
            P[k] += p[k][i];
    }
    const double apart = run_records(exact, 100, 0.005);
    printf("energy %.16e\nenergy %.16e\nattitude %.16e\n", coarse, fine, q[0][N / 2]);
    const int good = fabs(coarse / fine - 4) < 0.5 && apart < 1e-11 &&
                     fabs(P[0]) + fabs(P[1]) + fabs(P[2]) < 1e-12;
    if (!good)
        printf("ratio %g, records %g apart, momentum %g %g %g\n", coarse / fine, apart, P[0], P[1],
               P[2]);
    return good ? 0 : 1;
}
