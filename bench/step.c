/* step.c - one step of the free body after the other, each from where the last one ended;
 * the right results are the exact motion's, asked for at each time.
 */
#include "polhode/polhode.h"

#include "bench.h"

static const double STEP = 0.1;
static const ph_body BODY = {{0.376, 0.627, 1.0}, {1.0, 0.0, 0.0, 0.0}, true};
static const ph_state START = {{1.0, 0.0, 0.0, 0.0}, {0.1, 0.6, -0.8}};

static void look(const ph_state *s, double *r)
{
    r[0] = s->m.x;
    r[1] = s->m.y;
    r[2] = s->m.z;
    r[3] = s->q.w;
}

static void draw_step(size_t i, bench_row *a, bench_row *r)
{
    (void)a;
    ph_motion motion;
    if (ph_motion_prepare(&motion, &BODY, &START) != PH_OK)
        return;
    const ph_state s = ph_motion_at(&motion, STEP * (double)(i + 1));
    look(&s, r->v);
}

static const bench_race races[] = {
    {"step_exact", "a step of the free body, exact", 1e-11, draw_step},
    {0},
};

static void step_exact(const bench_row *arguments, bench_row *results)
{
    (void)arguments;
    const ph_flow *flow = ph_flow_named("exact");
    ph_state s = START;
    for (size_t i = 0; i < BENCH_CALLS; i++) {
        if (ph_flow_step(flow, &BODY, &s, STEP) != PH_OK)
            return;
        look(&s, results[i].v);
    }
}

static const bench_contestant contestants[] = {
    {"step_exact", "ph", step_exact},
    {0},
};

const bench_file bench_step = {.races = races, .contestants = contestants};
