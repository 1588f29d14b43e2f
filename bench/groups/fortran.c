/* fortran.c - the authors' own programs, against Polhode's steps.
 *
 * Hairer and Vilmart's DMV10.f (2006) has their steps of order 2 to 10: loops over a number of
 * steps, coefficients of the modified moments once for the body, fixed-point iteration. TOMS
 * Algorithm 903 of Celledoni, Fasso, Saefstroem and Zanna has FRB_STEP, one exact step or one
 * by Gauss quadrature, for a momentum of length 1. Neither is part of Polhode; the build takes
 * them from the folder POLHODE_BENCH_FORTRAN and compiles them for this machine.
 */
#include <math.h>
#include <stdio.h>

#include "stepping.h"
#include "system/find.h"

#ifdef BENCH_FORTRAN

static const ph_vec3 BOOK = {0.376, 0.627, 1.0}; /* moments */
enum { STEPS = 2000, CHECKED = 100 };

/* ---- DMV10.f --------------------------------------------------------------------- */

typedef void potential_torque(const double *q, double *torque, double *numbers, int *whole);
typedef void dmv_loop(double *m, double *q, potential_torque *torque, const double *h,
                      const int *steps, double *numbers, int *whole);
extern dmv_loop dmv2_, dmv8_, dmv10_;

static void no_torque(const double *q, double *torque, double *numbers, int *whole)
{
    (void)q;
    (void)numbers;
    (void)whole;
    torque[0] = torque[1] = torque[2] = 0.0;
}

typedef struct contest {
    dmv_loop *loop; /* NULL: FRB_STEP */
    int points;     /* of FRB_STEP's quadrature; 0: exact */
    stepping ours;
} contest;

static ph_state dmv_end(const contest *c, int steps)
{
    double m[] = {c->ours.start.m.x, c->ours.start.m.y, c->ours.start.m.z},
           q[] = {1.0, 0.0, 0.0, 0.0}, numbers[20] = {0};
    int whole[20] = {0};
    numbers[10] = c->ours.J.x;
    numbers[11] = c->ours.J.y;
    numbers[12] = c->ours.J.z;
    c->loop(m, q, no_torque, &c->ours.h, &steps, numbers, whole);
    return (ph_state){{q[0], q[1], q[2], q[3]}, {m[0], m[1], m[2]}};
}

/* ---- Algorithm 903 --------------------------------------------------------------- */

extern void frb_step_(double *m1, double *R1, const double *h, const double *J, const double *m,
                      const double *R, const int *points);

static ph_state toms_end(const contest *c, int steps)
{
    enum { SIZE = 9 };
    const double J[] = {c->ours.J.x, c->ours.J.y, c->ours.J.z};
    double m[2][3] = {{c->ours.start.m.x, c->ours.start.m.y, c->ours.start.m.z}},
           R[2][SIZE] = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    for (int i = 0; i < steps; i++) {
        const int from = i % 2, to = 1 - from;
        frb_step_(m[to], R[to], &c->ours.h, J, m[from], R[from], &c->points);
    }
    const double *r = R[steps % 2], *p = m[steps % 2];
    const ph_mat3 matrix = {{{r[0], r[3], r[6]}, {r[1], r[4], r[7]}, {r[2], r[5], r[8]}}};
    return (ph_state){ph_quat_from_matrix(matrix), {p[0], p[1], p[2]}};
}

static ph_state end_of(const contest *c, int steps)
{
    if (c->loop != NULL)
        return dmv_end(c, steps);
    return toms_end(c, steps);
}

static double pass(void *work)
{
    return end_of(work, STEPS).m.x;
}

/* ---- the races ------------------------------------------------------------------- */

static const struct row {
    const char *ratio, *ours;
    dmv_loop *loop;
    int points;
    double h;
    double attitude; /* largest difference of the two ends after CHECKED steps */
} rows[] = {
    {"fortran_over_dmv2", "dmv2", dmv2_, 0, 0.1, 1e-9},
    {"fortran_over_dmv8", "dmv8", dmv8_, 0, 0.1, 1e-9},
    {"fortran_over_dmv10", "dmv10", dmv10_, 0, 0.1, 1e-9},
    {"toms903_over_exact", "exact", NULL, 0, 0.1, 1e-9},
    {"toms903_over_exact_h5", "exact", NULL, 0, 5.0, 1e-9},
    {"toms903_over_gauss10", "gauss10", NULL, 5, 0.1, 1e-9},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static void run(bench *b)
{
    static contest work[ROWS];
    static char names[2 * ROWS][BENCH_NAME];
    for (size_t i = 0; i < ROWS; i++) {
        const double length = rows[i].loop != NULL ? 2.0 : 1.0;
        const ph_vec3 m = {0.2, 0.3, sqrt(0.87)}; /* about the largest moment */
        contest *c = &work[i];
        *c = (contest){rows[i].loop, rows[i].points,
                       stepping_hairer_vilmart(rows[i].ours, rows[i].h, STEPS)};
        c->ours.J = BOOK;
        c->ours.start.m = (ph_vec3){length * m.x, length * m.y, length * m.z};
        (void)snprintf(names[2 * i], BENCH_NAME, "%s_theirs", rows[i].ratio);
        (void)snprintf(names[2 * i + 1], BENCH_NAME, "%s_ours", rows[i].ratio);
        bench_contestant field[] = {
            {.name = names[2 * i], .run = pass, .work = c, .units = STEPS, .peer = true},
            {.name = names[2 * i + 1], .run = stepping_pass, .work = &c->ours, .units = STEPS},
        };
        const double apart =
            attitude_error(end_of(c, CHECKED).q, stepping_end(&c->ours, CHECKED).q);
        (void)bench_check(b, &field[0], "attitude against ours", apart, rows[i].attitude);
        bench_race(b, "step", field, 2);
        bench_ratio(b, rows[i].ratio, &field[0], &field[1]);
    }
}

#else

static void run(bench *b)
{
    bench_note(b, "the authors' programs in Fortran are absent: configure with "
                  "-DPOLHODE_BENCH_FORTRAN=FOLDER, see docs/performance.md");
}

#endif

const bench_group bench_group_fortran = {
    .name = "fortran",
    .title = "the authors' programs in Fortran",
    .run = run,
};
