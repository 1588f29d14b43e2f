/* derivatives.c - the exact step with its derivatives against the step alone: of one body, as
 * matrices by the start or by the inertia too and as products; and of a batch. */
#include <math.h>
#include <stdio.h>

#include "polhode/batch.h"
#include "stepping.h"
#include "system/find.h"

enum { STEPS = 1000, BODIES = 4096, BY = PH_BATCH_DERIVATIVE_COLUMNS };

enum way { STEP, BY_START, ALL, FORWARD, TRANSPOSED, WAYS };

typedef struct work {
    stepping s;
    enum way way;
} work;

/* The steps of ph_flow_step, each from where the last one ended. */
static double pass(void *context)
{
    const work *w = context;
    const ph_vec3 J = w->s.J;
    const ph_body b = PH_MOMENTS(J.x, J.y, J.z);
    ph_state s = w->s.start;
    ph_derivative d;
    double sum = 0.0;
    for (int i = 0; i < STEPS; i++) {
        ph_tangent v = {{0.1, 0.2, 0.3}, {0.3, 0.2, 0.1}, {0.1, 0.2, 0.3, 0.1, 0.2, 0.3}, 0.1};
        switch (w->way) {
        case STEP:
            (void)ph_flow_step(w->s.flow, &b, &s, w->s.h);
            break;
        case BY_START:
            (void)ph_flow_derivative_by_start(&b, &s, w->s.h, &d);
            sum += d.attitude[2][PH_BY_MOMENTUM];
            break;
        case ALL:
            (void)ph_flow_derivative(&b, &s, w->s.h, &d);
            sum += d.attitude[2][PH_BY_INERTIA];
            break;
        case FORWARD:
            (void)ph_flow_tangent(&b, &s, w->s.h, &v);
            sum += v.attitude.x;
            break;
        default: /* from the start: the state stays */
            (void)ph_flow_cotangent(&b, &s, w->s.h, &v);
            s.m.x += 1e-9 * v.attitude.x;
            break;
        }
    }
    return sum + s.q.w;
}

static void race_steps(bench *b, double h, const char *suffix)
{
    static const char *const names[WAYS] = {"step", "derivative_by_start", "derivative", "tangent",
                                            "cotangent"};
    static char name[WAYS][BENCH_NAME];
    work w[WAYS];
    bench_contestant field[WAYS];
    for (int i = 0; i < WAYS; i++) {
        (void)snprintf(name[i], BENCH_NAME, "%s%s", names[i], suffix);
        w[i] = (work){stepping_hairer_vilmart("exact", h, STEPS), (enum way)i};
        field[i] = (bench_contestant){.name = name[i], .run = pass, .work = &w[i], .units = STEPS};
    }
    bench_check(b, &field[STEP], "attitude after 100 steps",
                stepping_attitude_error(&w[STEP].s, 100), 1e-12);
    bench_race(b, "step", field, WAYS);
    for (int i = 1; i < WAYS; i++) {
        char ratio[BENCH_NAME];
        (void)snprintf(ratio, sizeof ratio, "%s_over_step%s", names[i], suffix);
        bench_ratio(b, ratio, &field[i], &field[STEP]);
    }
}

/* ---- a batch ----------------------------------------------------------------------- */

static double column[10][BODIES], results[2][3][BY][BODIES];

static ph_batch herd(void)
{
    bench_random_again();
    for (size_t i = 0; i < BODIES; i++) {
        column[0][i] = 1.0;
        column[1][i] = column[2][i] = column[3][i] = 0.0;
        for (int k = 4; k < 10; k++)
            column[k][i] = bench_random(0.5, 1.0);
    }
    return (ph_batch){BODIES,
                      {column[0], column[1], column[2], column[3]},
                      {column[4], column[5], column[6]},
                      {column[7], column[8], column[9]}};
}

static double batch_pass(void *context)
{
    const int by = *(const int *)context; /* columns */
    const ph_batch b = herd();
    ph_batch_derivative d = {0};
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < by; c++) {
            d.attitude[k][c] = results[0][k][c];
            d.momentum[k][c] = results[1][k][c];
        }
    }
    for (int i = 0; i < 20; i++) {
        if (by == 0)
            (void)ph_batch_step(find_flow("exact"), &b, 0.1, NULL);
        else
            (void)ph_batch_step_derivative(&b, 0.1, &d, NULL);
    }
    return column[4][7];
}

static void race_batch(bench *b)
{
    static int by[] = {0, 3, BY};
    bench_contestant field[3];
    static const char *const names[] = {"batch_step", "batch_derivative_by_m", "batch_derivative"};
    const int threads = ph_threads();
    for (int i = 0; i < 3; i++)
        field[i] = (bench_contestant){
            .name = names[i], .run = batch_pass, .work = &by[i], .units = 20.0 * BODIES};
    ph_set_threads(1);
    bench_race(b, "body", field, 3);
    ph_set_threads(threads);
    bench_ratio(b, "batch_derivative_by_m_over_step", &field[1], &field[0]);
    bench_ratio(b, "batch_derivative_over_step", &field[2], &field[0]);
}

static void run(bench *b)
{
    race_steps(b, 0.1, "");
    race_steps(b, 5.0, "_h5");
    race_batch(b);
}

const bench_group bench_group_derivatives = {
    .name = "derivatives",
    .title = "the exact step with its derivatives over the step alone",
    .run = run,
};
