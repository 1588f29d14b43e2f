/* batch.c - many free bodies at once against one body's steps, in one thread and in two,
 * and the cost of a body against their number.
 *
 * The bodies are drawn at random, physical ones of all shapes that turn by up to half a
 * radian in a step, so that no flow is out of its depth. The scalar contestants are the
 * dependent steps of the group `steps`.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "polhode/batch.h"

#include "base/extremes.h"
#include "own_splitting.h"
#include "stepping.h"
#include "system/find.h"

#define BODIES    16384
#define MOST      4194304L /* bodies */
#define STEPS     1000     /* of the scalar contestants in a pass */
#define COLUMNS   10       /* q, m and J */
#define MOST_BUSY 256      /* other programs */

/* Steps of a batch in a pass, one after the other as a run takes them: the first ones find
 * cold caches and sleeping threads. */
#define ROW 16

static const double STEP = 0.1;

/* After CHECKED steps: distance from one body's steps, and what the flow keeps. */
#define CHECKED 100
static const double APART = 1e-12, KEPT = 2e-13;

typedef struct herd {
    const ph_flow *flow;
    ph_batch batch;
    double *columns[COLUMNS];
    double *times; /* one each, or NULL: STEP */
    int threads;
    int steps; /* in a pass */
} herd;

/* ---- the bodies ------------------------------------------------------------------ */

/* Uniform shapes of matter: moments a + b, b + c, c + a, the largest 1. */
static void draw(const herd *h, size_t i)
{
    const double a = bench_random(0.1, 1.0), b = bench_random(0.1, 1.0), c = bench_random(0.1, 1.0),
                 largest = a + b + c - smaller_or_nan(a, smaller_or_nan(b, c));
    const double J[3] = {(a + b) / largest, (b + c) / largest, (c + a) / largest};
    double q[4], m[3];
    for (int k = 0; k < 4; k++)
        q[k] = bench_random(-1.0, 1.0);
    for (int k = 0; k < 3; k++)
        m[k] = bench_random(-1.0, 1.0);
    const ph_quat unit = ph_quat_unit((ph_quat){q[0], q[1], q[2], q[3]});
    const double length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    h->columns[0][i] = unit.w;
    h->columns[1][i] = unit.x;
    h->columns[2][i] = unit.y;
    h->columns[3][i] = unit.z;
    for (int k = 0; k < 3; k++) {
        h->columns[4 + k][i] = m[k] / length;
        h->columns[7 + k][i] = J[k];
    }
}

static void release(herd *h)
{
    free(h->times);
    for (int k = 0; k < COLUMNS; k++)
        free(h->columns[k]);
}

/* False if there is no memory. */
static bool gather(herd *h, const char *flow, size_t n, int threads, int steps)
{
    *h = (herd){.flow = find_flow(flow), .threads = threads, .steps = steps};
    for (int k = 0; k < COLUMNS; k++)
        h->columns[k] = malloc(n * sizeof(double));
    for (int k = 0; k < COLUMNS; k++) {
        if (h->columns[k] == NULL) {
            release(h);
            return false;
        }
    }
    h->batch = (ph_batch){
        n,
        {h->columns[0], h->columns[1], h->columns[2], h->columns[3]},
        {h->columns[4], h->columns[5], h->columns[6]},
        {h->columns[7], h->columns[8], h->columns[9]},
    };
    bench_random_again();
    for (size_t i = 0; i < n; i++)
        draw(h, i);
    return true;
}

static ph_state state_of(const herd *h, size_t i)
{
    double *const *c = h->columns;
    return (ph_state){{c[0][i], c[1][i], c[2][i], c[3][i]}, {c[4][i], c[5][i], c[6][i]}};
}

static ph_vec3 moments_of(const herd *h, size_t i)
{
    return (ph_vec3){h->columns[7][i], h->columns[8][i], h->columns[9][i]};
}

static ph_status step(const herd *h)
{
    if (h->times != NULL)
        return ph_batch_step_each(h->flow, &h->batch, h->times, NULL);
    return ph_batch_step(h->flow, &h->batch, STEP, NULL);
}

static double pass(void *work)
{
    const herd *h = work;
    ph_set_threads(h->threads);
    for (int i = 0; i < h->steps; i++)
        (void)step(h);
    return h->columns[0][0];
}

/* ---- the checks ------------------------------------------------------------------ */

static void check(bench *b, bench_contestant *c, herd *h)
{
    herd before;
    double apart = 0.0, momentum = 0.0, energy = 0.0;
    ph_status status = PH_OK;
    if (!gather(&before, h->flow->name, h->batch.n, 1, 1)) {
        bench_check(b, c, "memory for the check", NAN, 0.0);
        return;
    }
    ph_set_threads(h->threads);
    for (int i = 0; i < CHECKED && status == PH_OK; i++)
        status = ph_batch_step(h->flow, &h->batch, STEP, NULL);
    for (size_t i = 0; i < h->batch.n; i += 16) {
        const ph_vec3 J = moments_of(h, i);
        const ph_body body = {J, {1.0, 0.0, 0.0, 0.0}, true};
        const ph_state start = state_of(&before, i), end = state_of(h, i);
        const stepping one = {h->flow, J, start, STEP, 1};
        const ph_state right = stepping_end(&one, CHECKED);
        const double m = hypot(hypot(end.m.x - right.m.x, end.m.y - right.m.y),
                               end.m.z - right.m.z),
                     q = attitude_error(end.q, right.q),
                     length = hypot(hypot(end.m.x, end.m.y), end.m.z);
        apart = larger_or_nan(apart, isnan(m + q) ? INFINITY : larger_or_nan(m, q));
        momentum = larger_or_nan(momentum, fabs(length - 1.0));
        energy = larger_or_nan(
            energy, fabs(ph_body_energy(&body, &end) / ph_body_energy(&body, &start) - 1.0));
    }
    release(&before);
    bench_check(b, c, "status of a step", status, PH_OK);
    bench_check(b, c, "distance from one body's steps", apart, APART);
    bench_check(b, c, "drift of |m|", momentum, KEPT);
    if ((h->flow->keeps & PH_ENERGY) != 0)
        bench_check(b, c, "drift of the energy", energy, KEPT);
}

/* ---- the races ------------------------------------------------------------------- */

enum { EXACT, MR, DMV2, DMV8, DMV10, SR2, GAUSS10, FLOWS };
static const char *const flows[FLOWS] = {"exact", "mr", "dmv2", "dmv8", "dmv10", "sr2", "gauss10"};

static void race_flows(bench *b)
{
    static herd herds[FLOWS];
    static stepping single[FLOWS];
    static char names[2 * FLOWS][BENCH_NAME];
    static bench_contestant field[2 * FLOWS];
    for (int i = 0; i < FLOWS; i++) {
        bench_contestant *scalar = &field[i], *batch = &field[FLOWS + i];
        single[i] = stepping_hairer_vilmart(flows[i], STEP, STEPS);
        snprintf(names[i], BENCH_NAME, "scalar_%s", flows[i]);
        snprintf(names[FLOWS + i], BENCH_NAME, "batch_%s", flows[i]);
        *scalar = (bench_contestant){
            .name = names[i], .run = stepping_pass, .work = &single[i], .units = STEPS};
        *batch = (bench_contestant){.name = names[FLOWS + i],
                                    .run = pass,
                                    .work = &herds[i],
                                    .units = (double)BODIES * ROW};
        if (!gather(&herds[i], flows[i], BODIES, 1, ROW))
            bench_check(b, batch, "memory", NAN, 0.0);
        else
            check(b, batch, &herds[i]);
    }
    bench_race(b, "step of a body", field, 2 * FLOWS);
    for (int i = 0; i < FLOWS; i++) {
        char ratio[BENCH_NAME];
        snprintf(ratio, sizeof ratio, "scalar_over_batch_%s", flows[i]);
        bench_ratio(b, ratio, &field[i], &field[FLOWS + i]);
        release(&herds[i]);
    }
    bench_ratio(b, "batch_exact_over_batch_mr", &field[FLOWS + EXACT], &field[FLOWS + MR]);
}

static double own_pass(void *work)
{
    const herd *h = work;
    for (int i = 0; i < h->steps; i++)
        own_splitting_step(&h->batch, STEP);
    return h->columns[0][0];
}

/* The loop that a user would write; checked against the flow `mr`, which has the same formulas. */
static void race_own(bench *b)
{
    enum { OWN, OURS_MR, OURS_EXACT, COUNT };
    static herd herds[COUNT];
    const double units = (double)BODIES * ROW;
    bench_contestant field[COUNT] = {
        {.name = "own_splitting", .run = own_pass, .work = &herds[OWN], .units = units},
        {.name = "batch_mr_beside_own", .run = pass, .work = &herds[OURS_MR], .units = units},
        {.name = "batch_exact_beside_own", .run = pass, .work = &herds[OURS_EXACT], .units = units},
    };
    field[OWN].peer = true;
    for (int i = 0; i < COUNT; i++) {
        if (!gather(&herds[i], i == OURS_EXACT ? "exact" : "mr", BODIES, 1, ROW))
            return;
    }
    check(b, &field[OURS_MR], &herds[OURS_MR]);
    check(b, &field[OURS_EXACT], &herds[OURS_EXACT]);
    for (int i = 0; i < CHECKED; i++)
        own_splitting_step(&herds[OWN].batch, STEP);
    double apart = 0.0;
    for (size_t i = 0; i < BODIES; i++) {
        const ph_state own = state_of(&herds[OWN], i), ours = state_of(&herds[OURS_MR], i);
        apart = larger_or_nan(apart, attitude_error(own.q, ours.q));
    }
    bench_check(b, &field[OWN], "distance from mr", apart, APART);
    bench_race(b, "step of a body", field, COUNT);
    bench_ratio(b, "own_splitting_over_batch_mr", &field[OWN], &field[OURS_MR]);
    bench_ratio(b, "own_splitting_over_batch_exact", &field[OWN], &field[OURS_EXACT]);
    for (int i = 0; i < COUNT; i++)
        release(&herds[i]);
}

/* The same bodies in floats. */
typedef struct herd_floats {
    const ph_flow *flow;
    float column[COLUMNS][BODIES];
    ph_batchf batch;
} herd_floats;

static double floats_pass(void *work)
{
    const herd_floats *f = work;
    ph_set_threads(1);
    for (int i = 0; i < ROW; i++)
        (void)ph_batch_stepf(f->flow, &f->batch, (float)STEP, NULL);
    return f->column[0][0];
}

/* Steps in doubles over steps in floats; the error is that of one step. */
static void race_floats(bench *b, const char *flow, const char *names[2], const char *ratio)
{
    static herd h;
    static herd_floats f;
    const double units = (double)BODIES * ROW, allowed = 1e-6;
    bench_contestant field[] = {
        {.name = names[0], .run = pass, .work = &h, .units = units},
        {.name = names[1], .run = floats_pass, .work = &f, .units = units},
    };
    if (!gather(&h, flow, BODIES, 1, ROW))
        return;
    f.flow = h.flow;
    f.batch = (ph_batchf){BODIES,
                          {f.column[0], f.column[1], f.column[2], f.column[3]},
                          {f.column[4], f.column[5], f.column[6]},
                          {f.column[7], f.column[8], f.column[9]}};
    for (int k = 0; k < COLUMNS; k++) {
        for (size_t i = 0; i < BODIES; i++)
            f.column[k][i] = (float)h.columns[k][i];
    }
    double worst = 0.0;
    bench_check(b, &field[0], "status of a step", step(&h), PH_OK);
    bench_check(b, &field[1], "status of a step",
                ph_batch_stepf(f.flow, &f.batch, (float)STEP, NULL), PH_OK);
    for (int k = 0; k < 7; k++) {
        for (size_t i = 0; i < BODIES; i++)
            worst = larger_or_nan(worst, fabs(f.column[k][i] - h.columns[k][i]));
    }
    bench_check(b, &field[1], "distance from doubles", worst, allowed);
    bench_race(b, "step of a body", field, 2);
    bench_ratio(b, ratio, &field[0], &field[1]);
    release(&h);
}

/* One thread over two. */
static void race_two(bench *b, const char *ratio, const char *names[2])
{
    const double units = (double)BODIES * ROW;
    static herd one, two;
    bench_contestant field[] = {
        {.name = names[0], .run = pass, .work = &one, .units = units},
        {.name = names[1], .run = pass, .work = &two, .units = units},
    };
    field[0].parallel = field[1].parallel = true;
    if (!gather(&one, "exact", BODIES, 1, ROW) || !gather(&two, "exact", BODIES, 2, ROW))
        return;
    check(b, &field[0], &one);
    check(b, &field[1], &two);
    bench_race(b, "step of a body", field, 2);
    bench_ratio(b, ratio, &field[0], &field[1]);
    release(&one);
    release(&two);
}

/* On idle processors, and beside programs that keep all but one of them busy. */
static void race_threads(bench *b)
{
    const char *names[2] = {"batch_exact_1thread", "batch_exact_2threads"},
               *busy[2] = {"batch_exact_1thread_busy", "batch_exact_2threads_busy"};
    ph_set_threads(0);
    const int processors = ph_threads();
    if (processors < 2) {
        bench_note(b, "threads2_batch: one processor only, or built without threads");
        return;
    }
    race_two(b, "threads2_batch", names);
    pid_t others[MOST_BUSY];
    const int count = processors - 1 < MOST_BUSY ? processors - 1 : MOST_BUSY;
    for (int i = 0; i < count; i++) {
        others[i] = fork();
        while (others[i] == 0)
            continue; /* until it is killed */
    }
    race_two(b, "threads2_batch_busy", busy);
    for (int i = 0; i < count; i++) {
        if (others[i] > 0 && kill(others[i], SIGKILL) == 0)
            (void)waitpid(others[i], NULL, 0);
    }
}

/* Steps of each body's own length, below 1000 and below 3; checked against the motion by
 * its uniform solution. */
static void race_lengths(bench *b)
{
    enum { LONG, SHORT, COUNT };
    static const double most[COUNT] = {1000.0, 3.0};
    static herd herds[COUNT];
    const double allowed = 1e-12;
    bench_contestant field[COUNT] = {
        {.name = "batch_exact_long", .run = pass, .work = &herds[LONG]},
        {.name = "batch_exact_short", .run = pass, .work = &herds[SHORT]},
    };
    for (int i = 0; i < COUNT; i++) {
        herd *h = &herds[i], before;
        double worst = 0.0;
        field[i].units = (double)BODIES * ROW;
        if (!gather(h, "exact", BODIES, 1, ROW) ||
            (h->times = malloc(BODIES * sizeof(double))) == NULL ||
            !gather(&before, "exact", BODIES, 1, 1)) {
            bench_check(b, &field[i], "memory", NAN, 0.0);
            continue;
        }
        for (int k = 0; k < BODIES; k++)
            h->times[k] = bench_random(0.0, most[i]);
        bench_check(b, &field[i], "status of a step", step(h), PH_OK);
        for (size_t k = 0; k < BODIES; k += 16) {
            const ph_body body = {moments_of(h, k), {1.0, 0.0, 0.0, 0.0}, true};
            const ph_state start = state_of(&before, k);
            ph_motion motion;
            const bool known = ph_motion_prepare(&motion, &body, &start) == PH_OK;
            const double error =
                known ? attitude_error(ph_motion_at(&motion, h->times[k]).q, state_of(h, k).q)
                      : NAN;
            worst = larger_or_nan(worst, isnan(error) ? INFINITY : error / most[i]);
        }
        bench_check(b, &field[i], "attitude error, relative", worst, allowed);
        release(&before);
    }
    bench_race(b, "step of a body", field, COUNT);
    bench_ratio(b, "batch_long_over_short", &field[LONG], &field[SHORT]);
    for (int i = 0; i < COUNT; i++)
        release(&herds[i]);
}

/* Numbers from 16 on, each 16 times the last but for the largest. */
static void race_numbers(bench *b)
{
    static const long numbers[] = {16, 256, 4096, 65536, 1048576, MOST};
    enum { COUNT = sizeof numbers / sizeof numbers[0] };
    static herd herds[COUNT];
    static bench_contestant field[COUNT];
    static char names[COUNT][BENCH_NAME];
    for (int i = 0; i < COUNT; i++) {
        const int steps = (int)larger_or_nan(1.0, (double)BODIES / (double)numbers[i]);
        snprintf(names[i], BENCH_NAME, "batch_exact_of_%ld", numbers[i]);
        field[i] = (bench_contestant){
            .name = names[i], .run = pass, .work = &herds[i], .units = (double)numbers[i] * steps};
        if (!gather(&herds[i], "exact", (size_t)numbers[i], 1, steps))
            bench_check(b, &field[i], "memory", NAN, 0.0);
    }
    bench_race(b, "step of a body", field, COUNT);
    bench_ratio(b, "batch_exact_4million_over_4096", &field[COUNT - 1], &field[2]);
    for (int i = 0; i < COUNT; i++)
        release(&herds[i]);
}

static void run(bench *b)
{
    race_flows(b);
    race_own(b);
    race_floats(b, "mr", (const char *[2]){"batch_mr_beside_floats", "batch_mr_floats"},
                "batch_mr_over_floats");
    race_floats(b, "sr2", (const char *[2]){"batch_sr2_beside_floats", "batch_sr2_floats"},
                "batch_sr2_over_floats");
    race_lengths(b);
    race_threads(b);
    ph_set_threads(1);
    race_numbers(b);
}

const bench_group bench_group_batch = {
    .name = "batch",
    .title = "many free bodies at once",
    .run = run,
};
