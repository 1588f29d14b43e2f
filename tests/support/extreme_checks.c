#include "support/extreme_checks.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/find.h"
#include "core/parallel.h"
#include "core/vec.h"
#include "polhode/batch.h"
#include "support/chosen_isa.h"
#include "support/extreme_motions.h"

static const uint64_t SEED = 13;
static const long double U = 0x1p-53L, TINY = DBL_TRUE_MIN;

enum { RUN_STEPS = 100, RUNS_ONE_IN = 10, BLOCK = 256 };

/* ---- what is measured ------------------------------------------------------------ */

/* In units of u and of what is measured, rounding in the subnormal range included. */
#define MEASURES(X)                                                                      \
    X(UNIT, "unit")     /* |q| - 1 */                                                    \
    X(LENGTH, "length") /* of m */                                                       \
    X(ENERGY, "energy")                                                                  \
    X(MOMENTUM, "momentum") /* in space */                                               \
    X(AWAY_M, "m")          /* from the reference, u (1 + condition) */                  \
    X(AWAY_Q, "q")                                                                       \
    X(NOT_FINITE, "not_finite") /* with PH_OK */                                         \
    X(REFUSED, "refused")       /* what can be done */                                   \
    X(TOUCHED, "touched")       /* the state after a refusal */

enum measure {
#define CODE(code, text) code,
    MEASURES(CODE)
#undef CODE
        MEASURE_COUNT
};

static const char *const MEASURE_NAMES[] = {
#define NAME(code, text) text,
    MEASURES(NAME)
#undef NAME
};

typedef struct measured {
    double of[MEASURE_COUNT]; /* NaN: not measured */
    bool refused;             /* and rightly so */
} measured;

typedef struct long3 {
    long double x, y, z;
} long3;

static long3 long_vector(ph_vec3 v)
{
    return (long3){v.x, v.y, v.z};
}

static long double long_norm(long3 v)
{
    return sqrtl(v.x * v.x + v.y * v.y + v.z * v.z);
}

static long3 long_minus(long3 a, long3 b)
{
    return (long3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static long double length_of(ph_quat q)
{
    const long double w = q.w, x = q.x, y = q.y, z = q.z;
    return sqrtl(w * w + x * x + y * y + z * z);
}

/* q m q^-1, q of any length. */
static long3 in_space(const ph_state *s)
{
    const long double n = length_of(s->q), w = s->q.w / n, x = s->q.x / n, y = s->q.y / n,
                      z = s->q.z / n;
    const long3 m = long_vector(s->m);
    const long3 t = {2 * (y * m.z - z * m.y), 2 * (z * m.x - x * m.z),
                     2 * (x * m.y - y * m.x)};
    return (long3){m.x + w * t.x + y * t.z - z * t.y, m.y + w * t.y + z * t.x - x * t.z,
                   m.z + w * t.z + x * t.y - y * t.x};
}

static long3 velocity(ph_vec3 J, ph_vec3 m)
{
    return (long3){(long double)m.x / J.x, (long double)m.y / J.y,
                   (long double)m.z / J.z};
}

/* 2 T */
static long double vis_viva(ph_vec3 J, ph_vec3 m)
{
    const long3 w = velocity(J, m);
    return w.x * m.x + w.y * m.y + w.z * m.z;
}

static void measure_invariants(measured *e, const ph_flow *flow, const oracle_case *c,
                               const ph_state *s)
{
    const long3 m0 = long_vector(c->start.m), m1 = long_vector(s->m);
    const long double size = U * long_norm(m0) + TINY;
    e->of[UNIT] = (double)(fabsl(length_of(s->q) - 1.0L) / U);
    if (flow->keeps & PH_CASIMIR)
        e->of[LENGTH] = (double)(fabsl(long_norm(m1) - long_norm(m0)) / size);
    if (flow->keeps & PH_MOMENTUM) {
        const long3 lost = long_minus(in_space(s), in_space(&c->start));
        e->of[MOMENTUM] = (double)(long_norm(lost) / size);
    }
    if (flow->keeps & PH_ENERGY) {
        /* m turned by a rounded turn is off by u |m|, and 2 T by 2 u |m| |w| */
        const long double T0 = vis_viva(c->J, c->start.m), T1 = vis_viva(c->J, s->m),
                          w = fmaxl(long_norm(velocity(c->J, c->start.m)),
                                    long_norm(velocity(c->J, s->m)));
        const long double scale =
            strcmp(flow->name, "exact") == 0 ? U * T0 + 2 * TINY * w : 2 * size * w;
        e->of[ENERGY] = T0 == T1 ? 0.0 : (double)(fabsl(T1 - T0) / scale);
    }
}

/* ---- how well a step is determined ----------------------------------------------- */

typedef struct gap {
    double m, q;
} gap;

static gap gap_of(const ph_state *a, const ph_state *b)
{
    const long double size = long_norm(long_vector(a->m)),
                      dw = (long double)a->q.w - b->q.w,
                      dx = (long double)a->q.x - b->q.x,
                      dy = (long double)a->q.y - b->q.y,
                      dz = (long double)a->q.z - b->q.z;
    const long double dm = long_norm(long_minus(long_vector(a->m), long_vector(b->m)));
    /* what rounding in the subnormal range makes of m is not the step's */
    return (gap){size > 0.0L ? (double)(fmaxl(dm - 4 * TINY, 0.0L) / size) : 0.0,
                 (double)sqrtl(dw * dw + dx * dx + dy * dy + dz * dz)};
}

/* Evaluates a motion; false where it is refused. */
typedef bool evaluation(const ph_flow *flow, const oracle_case *c, ph_state *s);

static bool by_step(const ph_flow *flow, const oracle_case *c, ph_state *s)
{
    ph_body b;
    *s = c->start;
    return ph_body_from_moments(&b, c->J) == PH_OK &&
           ph_flow_step(flow, &b, s, c->t) == PH_OK;
}

static bool by_motion(const ph_flow *flow, const oracle_case *c, ph_state *s)
{
    ph_body b;
    ph_motion motion;
    (void)flow;
    if (ph_body_from_moments(&b, c->J) != PH_OK ||
        ph_motion_prepare(&motion, &b, &c->start) != PH_OK)
        return false;
    *s = ph_motion_at(&motion, c->t);
    return finite4(s->q) && finite3(s->m);
}

/* The summed response to relative changes of moments, momentum and time, by differences of
 * 2^-46, or of one unit in the last place where there are no smaller ones; infinite where a
 * difference is above 2^-6: the result has fewer than four digits then. */
static gap condition_of(evaluation *evaluate, const ph_flow *flow, const oracle_case *c,
                        const ph_state *s)
{
    const double by = 0x1p-46, most = 0x1p-6;
    const double inputs[7] = {c->J.x,       c->J.y,       c->J.z, c->start.m.x,
                              c->start.m.y, c->start.m.z, c->t};
    gap sum = {0, 0};
    for (int k = 0; k < 7; k++) {
        double x[7];
        memcpy(x, inputs, sizeof x);
        if (x[k] == 0.0)
            continue;
        x[k] *= 1.0 + by;
        if (x[k] == inputs[k] || !isfinite(x[k]))
            x[k] = nextafter(inputs[k], 0.0);
        const oracle_case near = {.J = {x[0], x[1], x[2]},
                                  .start = {c->start.q, {x[3], x[4], x[5]}},
                                  .t = x[6]};
        const double change = fabs(x[k] / inputs[k] - 1.0);
        ph_state moved;
        if (!evaluate(flow, &near, &moved))
            return (gap){INFINITY, INFINITY};
        const gap d = gap_of(s, &moved);
        if (!(d.m <= most && d.q <= most))
            return (gap){INFINITY, INFINITY};
        sum.m += d.m / change;
        sum.q += d.q / change;
    }
    return sum;
}

/* Where the difference is above a few u the condition decides. */
static void measure_distance(measured *e, evaluation *evaluate, const ph_flow *flow,
                             const oracle_case *c, const ph_state *right,
                             const ph_state *s)
{
    const double u = (double)U, few = 4.0 * u;
    const gap d = gap_of(right, s);
    gap condition = {0, 0};
    if (!(d.m <= few && d.q <= few))
        condition = condition_of(evaluate, flow, c, right);
    e->of[AWAY_M] = d.m / (u * (1.0 + condition.m));
    e->of[AWAY_Q] = d.q / (u * (1.0 + condition.q));
}

/* ---- what may be refused --------------------------------------------------------- */

/* An angle that is not a number of double, or a momentum whose length is not. */
static bool may_be_refused(const ph_flow *flow, const oracle_case *c, ph_status status)
{
    const long double margin = 16.0L, most = DBL_MAX;
    const long double length = long_norm(long_vector(c->start.m));
    if (length > most || extreme_angle(c) > most / margin)
        return status == PH_NOT_FINITE;
    (void)flow;
    return false;
}

/* ---- the ways -------------------------------------------------------------------- */

enum way { STEP, RUN, STEPS, BATCH };

static const char *way_name(int way)
{
    static const char *const names[] = {"step", "run", "steps"};
    return way < BATCH ? names[way] : isa_name(way - BATCH);
}

static ph_status go(const ph_flow *flow, int way, const oracle_case *c, ph_state *s)
{
    const ph_integrator i = {.flow = flow};
    ph_body b;
    *s = c->start;
    ph_status status = ph_body_from_moments(&b, c->J);
    if (status != PH_OK)
        return status;
    if (way == RUN)
        return ph_run(&i, &b, s, c->t, RUN_STEPS, NULL, NULL, NULL);
    if (way == STEP)
        return ph_flow_step(flow, &b, s, c->t);
    for (int k = 0; k < RUN_STEPS && status == PH_OK; k++)
        status = ph_flow_step(flow, &b, s, c->t);
    return status;
}

static bool same_bits(const ph_state *a, const ph_state *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static measured measure(const ph_flow *flow, int way, const oracle_case *c,
                        const ph_state *s, ph_status status)
{
    measured e;
    for (int k = 0; k < MEASURE_COUNT; k++)
        e.of[k] = NAN;
    e.refused = false;
    if (status != PH_OK) {
        if ((way == STEP || way >= BATCH) && !same_bits(s, &c->start))
            e.of[TOUCHED] = INFINITY;
        e.refused = may_be_refused(flow, c, status);
        if (!e.refused)
            e.of[REFUSED] = INFINITY;
        return e;
    }
    if (!finite4(s->q) || !finite3(s->m)) {
        e.of[NOT_FINITE] = INFINITY;
        return e;
    }
    measure_invariants(&e, flow, c, s);
    ph_state right;
    if (way >= BATCH && by_step(flow, c, &right))
        measure_distance(&e, by_step, flow, c, &right, s);
    if (way == STEP && flow->order == PH_EXACT && by_motion(flow, c, &right))
        measure_distance(&e, by_motion, flow, c, &right, s);
    return e;
}

/* ---- tolerances ------------------------------------------------------------------ */

static double tolerance(const ph_flow *flow, int way, int measure)
{
    (void)flow;
    const double steps = way == RUN || way == STEPS ? RUN_STEPS : 1.0;
    switch (measure) {
    case UNIT:
        return 4.0;
    case AWAY_M:
    case AWAY_Q:
        return 8.0;
    default:
        return 16.0 * steps;
    }
}

/* ---- tallies --------------------------------------------------------------------- */

typedef struct tally {
    uint64_t motions, refused, failed[MEASURE_COUNT];
    double worst[MEASURE_COUNT];
    oracle_case first[MEASURE_COUNT]; /* the worst that failed */
} tally;

static void count(tally *t, const ph_flow *flow, int way, const oracle_case *c,
                  const measured *e)
{
    t->motions++;
    t->refused += e->refused;
    for (int k = 0; k < MEASURE_COUNT; k++) {
        const double x = e->of[k];
        if (isnan(x))
            continue;
        const bool worse = x > t->worst[k];
        if (worse)
            t->worst[k] = x;
        if (x > tolerance(flow, way, k)) {
            if (t->failed[k] == 0 || worse)
                t->first[k] = *c;
            t->failed[k]++;
        }
    }
}

static void merge(tally *all, const tally *t)
{
    all->motions += t->motions;
    all->refused += t->refused;
    for (int k = 0; k < MEASURE_COUNT; k++) {
        if (t->failed[k] > 0 && (all->failed[k] == 0 || t->worst[k] > all->worst[k]))
            all->first[k] = t->first[k];
        all->failed[k] += t->failed[k];
        all->worst[k] = fmax(all->worst[k], t->worst[k]);
    }
}

static void print_case(const ph_flow *flow, int way, const oracle_case *c)
{
    const ph_vec3 J = c->J, m = c->start.m;
    const ph_quat q = c->start.q;
    printf("%s %s %a %a %a %a %a %a %a %a %a %a %a\n", flow->name, way_name(way), J.x,
           J.y, J.z, q.w, q.x, q.y, q.z, m.x, m.y, m.z, c->t);
}

static uint64_t report(const ph_flow *flow, int way, const tally *t, bool details)
{
    uint64_t failed = 0;
    if (details) {
        printf("%-16s %-8s %8llu motions, %llu refused;", flow->name, way_name(way),
               (unsigned long long)t->motions, (unsigned long long)t->refused);
        for (int k = 0; k <= AWAY_Q; k++)
            printf(" %s %.3g", MEASURE_NAMES[k], t->worst[k]);
        printf("\n");
    }
    for (int k = 0; k < MEASURE_COUNT; k++) {
        if (t->failed[k] == 0)
            continue;
        failed += t->failed[k];
        printf("FAILED %s: %llu of %llu, worst %g: ", MEASURE_NAMES[k],
               (unsigned long long)t->failed[k], (unsigned long long)t->motions,
               t->worst[k]);
        print_case(flow, way, &t->first[k]);
    }
    fflush(stdout);
    return failed;
}

/* ---- many motions ---------------------------------------------------------------- */

static ph_batch batch_of(double column[10][BLOCK], size_t n)
{
    return (ph_batch){n,
                      {column[0], column[1], column[2], column[3]},
                      {column[4], column[5], column[6]},
                      {column[7], column[8], column[9]}};
}

/* A block of motions by the kernel; what the step refuses must stay as it was. */
static void batch_block(tally *t, const ph_flow *flow, int way, const oracle_case *c,
                        size_t n)
{
    double column[10][BLOCK], h[BLOCK] = {0};
    for (size_t i = 0; i < n; i++) {
        const ph_state *s = &c[i].start;
        const double x[10] = {s->q.w, s->q.x, s->q.y,   s->q.z,   s->m.x,
                              s->m.y, s->m.z, c[i].J.x, c[i].J.y, c[i].J.z};
        for (int k = 0; k < 10; k++)
            column[k][i] = x[k];
        h[i] = c[i].t;
    }
    const ph_batch b = batch_of(column, n);
    (void)ph_batch_step_each(flow, &b, h, NULL);
    for (size_t i = 0; i < n; i++) {
        const ph_state s = {{column[0][i], column[1][i], column[2][i], column[3][i]},
                            {column[4][i], column[5][i], column[6][i]}};
        ph_state stepped;
        const ph_status alone = go(flow, STEP, &c[i], &stepped);
        const bool left = alone != PH_OK && same_bits(&s, &c[i].start);
        const measured e = measure(flow, way, &c[i], &s, left ? alone : PH_OK);
        count(t, flow, way, &c[i], &e);
    }
}

static void block_of(tally *t, const ph_flow *flow, int way, uint64_t first, uint64_t n)
{
    oracle_case c[BLOCK];
    const bool runs = way == RUN || way == STEPS;
    for (uint64_t i = 0; i < n; i++)
        c[i] = extreme_motion(SEED, first + i, runs);
    if (way >= BATCH) {
        batch_block(t, flow, way, c, n);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        ph_state s;
        const ph_status status = go(flow, way, &c[i], &s);
        const measured e = measure(flow, way, &c[i], &s, status);
        count(t, flow, way, &c[i], &e);
    }
}

static uint64_t check_way(const ph_flow *flow, int way, uint64_t motions, bool details)
{
    tally all = {.motions = 0};
    const uint64_t blocks = (motions + BLOCK - 1) / BLOCK;
    PARALLEL_FOR
    for (uint64_t block = 0; block < blocks; block++) {
        tally t = {.motions = 0};
        const uint64_t first = block * BLOCK,
                       n = motions - first < BLOCK ? motions - first : BLOCK;
        block_of(&t, flow, way, first, n);
        PARALLEL_ALONE
        merge(&all, &t);
    }
    return report(flow, way, &all, details);
}

uint64_t extreme_flow(const ph_flow *flow, const extreme_sizes *sizes)
{
    const bool exact = strcmp(flow->name, "exact") == 0;
    const uint64_t motions = exact ? sizes->exact : sizes->others;
    uint64_t failed = check_way(flow, STEP, motions, sizes->details);
    failed += check_way(flow, RUN, motions / RUNS_ONE_IN, sizes->details);
    failed += check_way(flow, STEPS, motions / RUNS_ONE_IN, sizes->details);
    for (int set = 0; flow->batch != NULL && set < isa_count(flow); set++) {
        choose_isa(set);
        failed += check_way(flow, BATCH + set, sizes->others, sizes->details);
    }
    return failed;
}

/* ---- one motion again ------------------------------------------------------------ */

static int way_named(const char *name)
{
    for (int way = 0; way < BATCH + 3; way++) {
        if (strcmp(way_name(way), name) == 0)
            return way;
    }
    return -1;
}

bool extreme_case(int words, char **word)
{
    double x[11];
    const ph_flow *flow = words == 13 ? find_flow(word[0]) : NULL;
    const int way = flow != NULL ? way_named(word[1]) : -1;
    if (way < 0)
        return false;
    for (int k = 0; k < 11; k++) {
        char *end;
        x[k] = strtod(word[2 + k], &end);
        if (*end != '\0')
            return false;
    }
    const oracle_case c = {
        .J = {x[0], x[1], x[2]},
        .start = {{x[3], x[4], x[5], x[6]}, {x[7], x[8], x[9]}},
        .t = x[10],
    };
    ph_state s;
    if (way >= BATCH) {
        tally t = {.motions = 0};
        choose_isa(way - BATCH);
        batch_block(&t, flow, way, &c, 1);
        report(flow, way, &t, true);
        return true;
    }
    const ph_status status = go(flow, way, &c, &s);
    const measured e = measure(flow, way, &c, &s, status);
    printf("%s; angle %Lg; q %.17g %.17g %.17g %.17g m %.17g %.17g %.17g\n",
           ph_status_text(status), extreme_angle(&c), s.q.w, s.q.x, s.q.y, s.q.z, s.m.x,
           s.m.y, s.m.z);
    for (int k = 0; k < MEASURE_COUNT; k++)
        printf("%s %g\n", MEASURE_NAMES[k], e.of[k]);
    return true;
}
