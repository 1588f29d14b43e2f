/* bodies.c - exact steps of bodies as they are met: rocket stages, cubesats, books, asteroids,
 * molecules, bodies next to symmetry and next to the middle axis. No class is to be much slower
 * than the book of the papers.
 *
 * Each class is CASES random bodies, each with a start and a step by which it turns 0.01 to 10
 * radians. The times are those of one step and of a body in a batch, over those of the book at
 * h = 0.1; beside them the share of the bodies that leave the fast formulas (addition.h).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "polhode/batch.h"

#include "base/extremes.h"
#include "bench.h"
#include "motion/exact.h"

#define CASES 512

typedef struct range {
    double low, high;
} range;

typedef struct body_class {
    const char *name;
    enum {
        BOX,      /* edges from the three ranges */
        CYLINDER, /* length over radius from the first, asymmetry from the second */
        MOMENTS,  /* from the three */
        PROLATE,  /* 1, x, x (1 + e): x from the first range, e from the second */
        OBLATE,   /* 1, 1 + e, x */
    } shape;
    enum {
        ANY,     /* every direction of m alike */
        THERMAL, /* every mode has the same energy */
        LARGEST, /* about that axis, the rest of m this small part */
        MIDDLE,
        FLAT, /* as any, but along the axis of the smallest moment this part */
    } spin;
    range size[3];
    range part;
} body_class;

/* clang-format off */
static const body_class classes[] = {
    {"book at h = 0.1",       MOMENTS, ANY, {{0.376, 0.376}, {0.627, 0.627}, {1, 1}}, {0, 0}},
    {"book",                  MOMENTS, ANY, {{0.376, 0.376}, {0.627, 0.627}, {1, 1}}, {0, 0}},
    {"book, largest axis",    MOMENTS, LARGEST, {{0.376, 0.376}, {0.627, 0.627}, {1, 1}}, {0.1, 0.1}},
    {"book, middle axis",     MOMENTS, MIDDLE, {{0.376, 0.376}, {0.627, 0.627}, {1, 1}}, {0.02, 0.02}},
    {"phone",                 BOX, ANY, {{71, 71.2}, {147, 147.2}, {8, 8}}, {0, 0}},
    {"phone, largest axis",   BOX, LARGEST, {{71, 71.2}, {147, 147.2}, {8, 8}}, {0.1, 0.1}},
    {"brick",                 BOX, ANY, {{6, 8}, {11, 13}, {22, 26}}, {0, 0}},
    {"stage, tumbling",       CYLINDER, ANY, {{6, 14}, {1e-4, 1e-2}}, {0, 0}},
    {"stage, flat spin",      CYLINDER, FLAT, {{6, 14}, {1e-4, 1e-2}}, {0.05, 0.05}},
    {"cubesat 1U",            BOX, ANY, {{0.99, 1.01}, {0.99, 1.01}, {1.12, 1.14}}, {0, 0}},
    {"cubesat 3U",            BOX, ANY, {{0.99, 1.01}, {0.99, 1.01}, {3.37, 3.44}}, {0, 0}},
    {"cubesat 3U, flat spin", BOX, FLAT, {{0.99, 1.01}, {0.99, 1.01}, {3.37, 3.44}}, {0.03, 0.03}},
    {"cubesat 6U",            BOX, ANY, {{0.99, 1.01}, {1.98, 2.02}, {3.37, 3.44}}, {0, 0}},
    {"cubesat 12U",           BOX, ANY, {{1.98, 2.02}, {1.98, 2.02}, {3.37, 3.44}}, {0, 0}},
    {"panels",                MOMENTS, ANY, {{3, 6}, {0.4, 0.7}, {3.2, 6.4}}, {0, 0}},
    {"panels, largest axis",  MOMENTS, LARGEST, {{3, 6}, {0.4, 0.7}, {3.2, 6.4}}, {0.1, 0.1}},
    {"disc",                  CYLINDER, ANY, {{0.02, 0.2}, {1e-4, 1e-2}}, {0, 0}},
    {"disc, wobbling",        CYLINDER, LARGEST, {{0.02, 0.2}, {1e-4, 1e-2}}, {0.3, 0.3}},
    {"rod",                   CYLINDER, ANY, {{20, 200}, {1e-4, 1e-2}}, {0, 0}},
    {"rod, flat spin",        CYLINDER, FLAT, {{20, 200}, {1e-4, 1e-2}}, {0.003, 0.003}},
    {"Toutatis",              MOMENTS, ANY, {{3.19, 3.25}, {3.06, 3.12}, {1, 1}}, {0, 0}},
    {"Apophis",               MOMENTS, ANY, {{0.60, 0.62}, {0.955, 0.975}, {1, 1.004}}, {0, 0}},
    {"asteroid 6:1:1",        BOX, ANY, {{5, 8}, {1, 1.5}, {1, 1}}, {0, 0}},
    {"water",                 MOMENTS, THERMAL, {{0.615, 0.615}, {1.155, 1.155}, {1.77, 1.77}}, {0, 0}},
    {"benzene",               MOMENTS, THERMAL, {{1, 1}, {1, 1.000001}, {2, 2}}, {0, 0}},
    {"CO2",                   MOMENTS, THERMAL, {{1e-7, 1e-4}, {1, 1}, {1, 1.00001}}, {0, 0}},
    {"prolate to 1e-9..1e-3", PROLATE, ANY, {{1.2, 8}, {1e-9, 1e-3}}, {0, 0}},
    {"the same, flat spin",   PROLATE, FLAT, {{1.2, 8}, {1e-9, 1e-3}}, {1e-4, 0.1}},
    {"oblate to 1e-9..1e-3",  OBLATE, ANY, {{1.1, 2}, {1e-9, 1e-3}}, {0, 0}},
    {"sphere",                MOMENTS, ANY, {{1, 1}, {1, 1}, {1, 1}}, {0, 0}},
    {"random boxes",          BOX, ANY, {{1, 10}, {1, 10}, {1, 10}}, {0, 0}},
    {"spin about the largest", BOX, LARGEST, {{1, 10}, {1, 10}, {1, 10}}, {0, 0}},
    {"1e-4 from the middle",  BOX, MIDDLE, {{1, 10}, {1, 10}, {1, 10}}, {1e-4, 1e-2}},
    {"at the middle axis",    BOX, MIDDLE, {{1, 10}, {1, 10}, {1, 10}}, {1e-8, 1e-4}},
};
/* clang-format on */
enum { CLASSES = sizeof classes / sizeof classes[0] };

/* Evenly in the logarithm, if that exists. */
static double draw(range r)
{
    if (r.low > 0.0)
        return r.low * pow(r.high / r.low, bench_random(0.0, 1.0));
    return r.low;
}

static double normal(void)
{
    const double pi = 3.14159265358979323846;
    return sqrt(-2.0 * log(bench_random(1e-16, 1.0))) * cos(bench_random(0.0, 2.0 * pi));
}

static void draw_moments(const body_class *c, double J[3])
{
    const double x = draw(c->size[0]), y = draw(c->size[1]), z = draw(c->size[2]);
    J[0] = x, J[1] = y, J[2] = z;
    if (c->shape == BOX) {
        J[0] = y * y + z * z, J[1] = x * x + z * z, J[2] = x * x + y * y;
    } else if (c->shape == CYLINDER) {
        J[0] = 0.5 * (1.0 + 0.1 * y * normal());
        J[1] = (0.25 + x * x / 12.0) * (1.0 + y * normal());
        J[2] = (0.25 + x * x / 12.0) * (1.0 + y * normal());
    } else if (c->shape == PROLATE) {
        J[0] = 1.0, J[1] = x, J[2] = x * (1.0 + y);
    } else if (c->shape == OBLATE) {
        J[0] = 1.0, J[1] = 1.0 + y, J[2] = x;
    }
}

static void draw_momentum(const body_class *c, const double J[3], double m[3])
{
    int least = 0, most = 2;
    for (int k = 0; k < 3; k++) {
        if (J[k] < J[least])
            least = k;
        if (J[k] > J[most])
            most = k;
        m[k] = normal() * (c->spin == THERMAL ? sqrt(J[k]) : 1.0);
    }
    int axis = -1;
    if (c->spin == LARGEST)
        axis = most;
    else if (c->spin == MIDDLE)
        axis = 3 - least - most;
    const double part = draw(c->part);
    if (c->spin == FLAT)
        m[least] *= part;
    for (int k = 0; k < 3 && axis >= 0; k++) {
        if (k == axis)
            m[k] = 1.0;
        else
            m[k] = part * m[k];
    }
}

/* ---- the work -------------------------------------------------------------------- */

typedef struct bodies_of_class {
    ph_state state[CASES];
    ph_vec3 J[CASES];
    double h[CASES];
    double columns[10][CASES]; /* q, m, J of a batch */
} bodies_of_class;

static void draw_bodies(const body_class *c, bool book, bodies_of_class *w)
{
    for (int i = 0; i < CASES; i++) {
        double J[3], m[3], q[4], rate2 = 0.0;
        draw_moments(c, J);
        draw_momentum(c, J, m);
        for (int k = 0; k < 4; k++)
            q[k] = normal();
        for (int k = 0; k < 3; k++)
            rate2 += m[k] / J[k] * (m[k] / J[k]);
        const double scale = book ? 1.0 / sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) : 1.0;
        w->J[i] = (ph_vec3){J[0], J[1], J[2]};
        w->state[i] = (ph_state){ph_quat_unit((ph_quat){q[0], q[1], q[2], q[3]}),
                                 {scale * m[0], scale * m[1], scale * m[2]}};
        if (book)
            w->h[i] = 0.1;
        else
            w->h[i] = draw((range){0.01, 10.0}) / sqrt(rate2);
    }
}

static double one_by_one(void *work)
{
    const bodies_of_class *w = work;
    double sum = 0.0;
    for (int i = 0; i < CASES; i++) {
        const ph_body body = PH_MOMENTS(w->J[i].x, w->J[i].y, w->J[i].z);
        ph_state s = w->state[i];
        (void)ph_flow_step(&ph_flow_exact, &body, &s, w->h[i]);
        sum += s.q.w;
    }
    return sum;
}

/* With the same starts in every pass. */
static double in_batch(void *work)
{
    bodies_of_class *w = work;
    double(*x)[CASES] = w->columns;
    const ph_batch b = {CASES, {x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6]}, {x[7], x[8], x[9]}};
    for (int i = 0; i < CASES; i++) {
        const ph_state *s = &w->state[i];
        const double row[10] = {s->q.w, s->q.x, s->q.y,    s->q.z,    s->m.x,
                                s->m.y, s->m.z, w->J[i].x, w->J[i].y, w->J[i].z};
        for (int k = 0; k < 10; k++)
            x[k][i] = row[k];
    }
    ph_set_threads(1);
    (void)ph_batch_step_each(&ph_flow_exact, &b, w->h, NULL);
    return x[0][0];
}

/* The share of the bodies for which the fast formulas do not hold. */
static double longer_way(const bodies_of_class *w)
{
    int longer = 0;
    for (int i = 0; i < CASES; i++) {
        exact_bodies one[VECTORS];
        one[0].s = one_body(&w->state[i], w->J[i], w->h[i]);
        exact_move(one, NULL);
        longer += !one[0].out.good;
    }
    return (double)longer / CASES;
}

static void run(bench *b)
{
    static bodies_of_class work[CLASSES];
    static bench_contestant one[CLASSES], batch[CLASSES];
    static char names[CLASSES][BENCH_NAME];
    double worst = 0.0, worst_batch = 0.0, share = 0.0, middle = 0.0, middle_batch = 0.0;
    bench_random_again();
    for (int i = 0; i < CLASSES; i++) {
        draw_bodies(&classes[i], i == 0, &work[i]);
        (void)snprintf(names[i], BENCH_NAME, "%s, in a batch", classes[i].name);
        one[i] = (bench_contestant){
            .name = classes[i].name, .run = one_by_one, .work = &work[i], .units = CASES};
        batch[i] =
            (bench_contestant){.name = names[i], .run = in_batch, .work = &work[i], .units = CASES};
    }
    bench_race(b, "step", one, CLASSES);
    bench_race(b, "body", batch, CLASSES);
    for (int i = 1; i < CLASSES; i++) {
        const double over = one[i].median / one[0].median,
                     over_batch = batch[i].median / batch[0].median, longer = longer_way(&work[i]);
        bench_note(b, "%-24s one step %.2f, in a batch %.2f of the book; longer way %.2f %%",
                   classes[i].name, over, over_batch, 100.0 * longer);
        if (i == CLASSES - 1) {
            middle = over;
            middle_batch = over_batch;
            continue;
        }
        worst = larger_or_nan(worst, over);
        worst_batch = larger_or_nan(worst_batch, over_batch);
        share = larger_or_nan(share, longer);
    }
    bench_value(b, "bodies_worst_over_book", worst);
    bench_value(b, "bodies_worst_batch_over_book", worst_batch);
    bench_value(b, "bodies_longer_way", share);
    bench_value(b, "bodies_middle_over_book", middle);
    bench_value(b, "bodies_middle_batch_over_book", middle_batch);
}

const bench_group bench_group_bodies = {
    .name = "bodies",
    .title = "bodies of all shapes",
    .run = run,
};
