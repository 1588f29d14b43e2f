/* rounding.c - what it costs that every product is rounded (docs/bits.md): kernels for many
 * bodies and one body's step of `exact`, against the same sources compiled with products
 * fused into sums (bench/kernels/fused_*.c, bench/fused_step.c).
 *
 * The ratios are the speed of ours in units of that of the fused.
 */
#include <math.h>
#include <stdio.h>

#include "polhode/batch.h"

#include "base/extremes.h"
#include "base/isa.h"
#include "motion/batch/part.h"
#include "motion/motion.h"
#include "stepping.h"
#include "system/find.h"

#define BODIES 4096
#define STEPS  1000 /* of one body in a pass */
#define ROW    16   /* of many */

static const double STEP = 0.1, APART = 1e-12;

KERNEL_DECLARE(batch_kernel, batch_fused_exact);
KERNEL_DECLARE(batch_kernel, batch_fused_dmv);
KERNEL_DECLARE(batch_kernel, batch_fused_mr);

ph_status bench_fused_step(ph_state *s, ph_vec3 J, double h);

static ph_status fused_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    (void)flow;
    return bench_fused_step(s, J, h);
}

/* ---- many bodies ----------------------------------------------------------------- */

enum { COLUMNS = 10 };

typedef struct herd {
    ph_flow flow;
    double column[COLUMNS][BODIES]; /* q, m, J */
} herd;

static ph_batch batch_of(herd *h)
{
    ph_batch b = {.n = BODIES};
    for (int k = 0; k < 4; k++)
        b.q[k] = h->column[k];
    for (int k = 0; k < 3; k++) {
        b.m[k] = h->column[4 + k];
        b.J[k] = h->column[7 + k];
    }
    return b;
}

/* Physical bodies of all shapes that turn by up to half a radian in a step. */
static void draw(herd *h)
{
    bench_random_again();
    for (size_t i = 0; i < BODIES; i++) {
        const double a = bench_random(0.1, 1.0), b = bench_random(0.1, 1.0),
                     c = bench_random(0.1, 1.0), largest = a + b + c - 0.1;
        h->column[0][i] = 1.0;
        h->column[1][i] = h->column[2][i] = h->column[3][i] = 0.0;
        for (int k = 0; k < 3; k++)
            h->column[4 + k][i] = bench_random(-0.5, 0.5);
        h->column[7][i] = (a + b) / largest;
        h->column[8][i] = (b + c) / largest;
        h->column[9][i] = (c + a) / largest;
    }
}

static double pass(void *work)
{
    herd *h = work;
    const ph_batch b = batch_of(h);
    for (int i = 0; i < ROW; i++)
        (void)ph_batch_step(&h->flow, &b, STEP, NULL);
    return h->column[0][0];
}

static double distance(const herd *a, const herd *b)
{
    double worst = 0.0;
    for (int k = 0; k < 7; k++) {
        for (size_t i = 0; i < BODIES; i++)
            worst = larger_or_nan(worst, fabs(a->column[k][i] - b->column[k][i]));
    }
    return worst;
}

static void race_kernels(bench *b)
{
    static batch_kernel *const exact[ISA_COUNT] = KERNEL_TABLE(batch_fused_exact),
                               *const dmv[ISA_COUNT] = KERNEL_TABLE(batch_fused_dmv),
                               *const mr[ISA_COUNT] = KERNEL_TABLE(batch_fused_mr);
    const struct {
        const char *flow;
        batch_kernel *fused;
    } kernels[] = {{"exact", exact[ph_isa()]}, {"dmv8", dmv[ph_isa()]}, {"mr", mr[ph_isa()]}};
    static herd ours, theirs;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        char names[3][BENCH_NAME];
        const char *flow = kernels[i].flow;
        snprintf(names[0], BENCH_NAME, "batch_%s_rounded", flow);
        snprintf(names[1], BENCH_NAME, "batch_%s_fused", flow);
        snprintf(names[2], BENCH_NAME, "fused_over_batch_%s", flow);
        bench_contestant field[] = {
            {.name = names[0], .run = pass, .work = &ours, .units = BODIES * ROW},
            {.name = names[1], .run = pass, .work = &theirs, .units = BODIES * ROW},
        };
        ours.flow = theirs.flow = *find_flow(flow);
        theirs.flow.batch = kernels[i].fused;
        draw(&ours);
        draw(&theirs);
        (void)pass(&ours);
        (void)pass(&theirs);
        bench_check(b, &field[1], "distance from ours", distance(&ours, &theirs), APART);
        bench_race(b, "step of a body", field, 2);
        bench_ratio(b, names[2], &field[1], &field[0]);
    }
}

/* ---- one body -------------------------------------------------------------------- */

static void race_step(bench *b)
{
    static ph_flow flow;
    static stepping ours, theirs;
    flow = (ph_flow){.name = "exact", .step = fused_step};
    ours = theirs = stepping_hairer_vilmart("exact", STEP, STEPS);
    theirs.flow = &flow;
    bench_contestant field[] = {
        {.name = "exact_rounded", .run = stepping_pass, .work = &ours, .units = STEPS},
        {.name = "exact_fused", .run = stepping_pass, .work = &theirs, .units = STEPS},
    };
    bench_check(b, &field[1], "attitude error", stepping_attitude_error(&theirs, 100), APART);
    bench_race(b, "step", field, 2);
    bench_ratio(b, "fused_over_exact", &field[1], &field[0]);
}

static void run(bench *b)
{
    ph_set_threads(1);
    race_kernels(b);
    race_step(b);
}

const bench_group bench_group_rounding = {
    .name = "rounding",
    .title = "products rounded, and fused into sums",
    .run = run,
};
