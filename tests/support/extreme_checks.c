#include "support/extreme_checks.h"
#include "base/extremes.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "motion/batch/part.h"
#include "motion/vec.h"
#include "polhode/batch.h"
#include "support/chosen_isa.h"
#include "support/extreme_motions.h"
#include "system/find.h"
#include "system/run_body.h"

static const long double U = 0x1p-53L, TINY = DBL_TRUE_MIN;

enum { RUN_STEPS = 100, RUNS_ONE_IN = 10, BLOCK = 256, CASE_WORDS = 13 };

/* How a flow is used: one step; ph_run, and step after step; from BATCH on the kernel, an
 * instruction set each. */
enum way { STEP, RUN, STEPS, BATCH };

/* What is checked: a flow, or a method without torque. */
typedef struct subject {
    const char *name;
    const ph_flow *flow;
    const ph_method *method;
    unsigned keeps;
    bool exact;   /* the flow of that name */
    bool divided; /* or solved for one angle: errors in proportion to it */
} subject;

static bool begins_with(const char *name, const char *beginning)
{
    return strncmp(name, beginning, strlen(beginning)) == 0;
}

static subject of_flow(const ph_flow *flow)
{
    return (subject){.name = flow->name,
                     .flow = flow,
                     .keeps = flow->keeps,
                     .exact = strcmp(flow->name, "exact") == 0,
                     .divided = begins_with(flow->name, "dmv") || begins_with(flow->name, "imr")};
}

static subject of_method(const ph_method *method)
{
    return (subject){
        .name = method->name, .method = method, .keeps = method->keeps_free, .divided = true};
}

/* ---- what is measured ------------------------------------------------------------ */

/* In units of u and of what is measured, rounding in the subnormal range included. */
#define MEASURES(X)                                                                                \
    X(UNIT, "unit")     /* |q| - 1 */                                                              \
    X(LENGTH, "length") /* of m */                                                                 \
    X(ENERGY, "energy")                                                                            \
    X(MOMENTUM, "momentum") /* in space */                                                         \
    X(AWAY_M, "m")          /* from the reference, in u (1 + condition) */                         \
    X(AWAY_Q, "q")                                                                                 \
    X(NOT_FINITE, "not_finite") /* with PH_OK */                                                   \
    X(REFUSED, "refused")       /* what can be done */                                             \
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
    const long3 t = {2 * (y * m.z - z * m.y), 2 * (z * m.x - x * m.z), 2 * (x * m.y - y * m.x)};
    return (long3){m.x + w * t.x + y * t.z - z * t.y, m.y + w * t.y + z * t.x - x * t.z,
                   m.z + w * t.z + x * t.y - y * t.x};
}

static long3 velocity(ph_vec3 J, ph_vec3 m)
{
    return (long3){(long double)m.x / J.x, (long double)m.y / J.y, (long double)m.z / J.z};
}

/* 2 T */
static long double vis_viva(ph_vec3 J, ph_vec3 m)
{
    const long3 w = velocity(J, m);
    return w.x * m.x + w.y * m.y + w.z * m.z;
}

static long double smallest(ph_vec3 J)
{
    return smaller_or_nan(J.x, smaller_or_nan(J.y, J.z));
}

static long double largest(ph_vec3 J)
{
    return larger_or_nan(J.x, larger_or_nan(J.y, J.z));
}

/* How far apart the moments are. */
static long double spread(const oracle_case *c)
{
    return largest(c->J) / smallest(c->J);
}

/* Methods have the units of their problem: products of small numbers vanish in them. */
static bool of_ordinary_size(const oracle_case *c)
{
    const double size = 0x1p100, J = norm_max(c->J), m = norm_max(c->start.m);
    return J < size && J > 1.0 / size && m < size && m > 1.0 / size && spread(c) < 0x1p26L &&
           extreme_angle(c) < 0x1p26L;
}

static void measure_invariants(measured *e, const subject *f, int way, const oracle_case *c,
                               const ph_state *s)
{
    const long3 m0 = long_vector(c->start.m), m1 = long_vector(s->m);
    const long double size = U * long_norm(m0) + TINY;
    e->of[UNIT] = (double)(fabsl(length_of(s->q) - 1.0L) / U);
    if (f->method != NULL && !of_ordinary_size(c))
        return;
    if (f->keeps & PH_CASIMIR)
        e->of[LENGTH] = (double)(fabsl(long_norm(m1) - long_norm(m0)) / size);
    if (f->keeps & PH_MOMENTUM) {
        const long3 lost = long_minus(in_space(s), in_space(&c->start));
        e->of[MOMENTUM] = (double)(long_norm(lost) / size);
    }
    if (f->keeps & PH_ENERGY) {
        /* m turned by a rounded turn is off by e = n u |m|, and 2 T by up to 2 e |w| +
         * e^2/J; of the exact step each component is off by u of its amplitude, and 2 T
         * by u of itself */
        const long double low = smallest(c->J);
        const long double T0 = vis_viva(c->J, c->start.m), T1 = vis_viva(c->J, s->m),
                          on_the_way = way == RUN || way == STEPS ? sqrtl(T0 / low) : 0,
                          w = fmaxl(on_the_way, fmaxl(long_norm(velocity(c->J, c->start.m)),
                                                      long_norm(velocity(c->J, s->m))));
        const long double subnormal = 2 * TINY * w + TINY * (TINY / low);
        const long double lost = fabsl(T1 - T0);
        const bool by_component = f->exact && way != RUN;
        const long double scale =
            subnormal +
            (by_component ? U * T0 : U * long_norm(m0) * (w + sqrtl(w * w + lost / low)));
        e->of[ENERGY] = T0 == T1 ? 0.0 : (double)(lost / scale);
    }
}

/* ---- how well a step is determined ----------------------------------------------- */

typedef struct gap {
    double m, q;
} gap;

static gap gap_of(const ph_state *a, const ph_state *b)
{
    const long double size = long_norm(long_vector(a->m)), dw = (long double)a->q.w - b->q.w,
                      dx = (long double)a->q.x - b->q.x, dy = (long double)a->q.y - b->q.y,
                      dz = (long double)a->q.z - b->q.z;
    const long double dm = long_norm(long_minus(long_vector(a->m), long_vector(b->m)));
    /* what rounding in the subnormal range makes of m is not the step's */
    return (gap){size > 0.0L ? (double)(fmaxl(dm - 4 * TINY, 0.0L) / size) : 0.0,
                 (double)sqrtl(dw * dw + dx * dx + dy * dy + dz * dz)};
}

/* Evaluates a motion; false where it is refused. */
typedef bool evaluation(const subject *f, const oracle_case *c, ph_state *s);

static bool by_step(const subject *f, const oracle_case *c, ph_state *s)
{
    ph_body b;
    *s = c->start;
    return ph_body_from_moments(&b, c->J) == PH_OK && ph_flow_step(f->flow, &b, s, c->t) == PH_OK;
}

static bool by_motion(const subject *f, const oracle_case *c, ph_state *s)
{
    ph_body b;
    ph_motion motion;
    (void)f;
    if (ph_body_from_moments(&b, c->J) != PH_OK ||
        ph_motion_prepare(&motion, &b, &c->start) != PH_OK)
        return false;
    *s = ph_motion_at(&motion, c->t);
    return finite4(s->q) && finite3(s->m);
}

/* The summed response to changes of moments, momentum and time by 2^-46 of each, or by one
 * unit in the last place where there are no smaller ones; infinite where it is above 2^-6,
 * or where such a change turns the body by more than a radian, whatever is left then of the
 * whole turns: the result has fewer than four digits. A step that turns m as a whole rounds each
 * component by u |m|: its momentum is changed by as much. */
static gap condition_of(evaluation *evaluate, const subject *f, const oracle_case *c,
                        const ph_state *s)
{
    const double by = 0x1p-46, most = 0x1p-6;
    if (extreme_angle(c) * (long double)by > 1.0L)
        return (gap){INFINITY, INFINITY};
    const double inputs[7] = {c->J.x,       c->J.y,       c->J.z, c->start.m.x,
                              c->start.m.y, c->start.m.z, c->t};
    gap sum = {0, 0};
    for (int k = 0; k < 7; k++) {
        double x[7];
        memcpy(x, inputs, sizeof x);
        const bool whole = !f->exact && k >= 3 && k < 6;
        if (x[k] == 0.0 && !whole)
            continue;
        const double size = whole ? norm_max(c->start.m) : fabs(x[k]);
        x[k] += by * size;
        if (x[k] == inputs[k] || !isfinite(x[k]))
            x[k] = nextafter(inputs[k], 0.0);
        const oracle_case near = {
            .J = {x[0], x[1], x[2]}, .start = {c->start.q, {x[3], x[4], x[5]}}, .t = x[6]};
        const double change = fabs(x[k] - inputs[k]) / size;
        ph_state moved;
        if (!evaluate(f, &near, &moved))
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
static void measure_distance(measured *e, evaluation *evaluate, const subject *f,
                             const oracle_case *c, const ph_state *right, const ph_state *s)
{
    const double u = (double)U, few = 4.0 * u;
    const gap d = gap_of(right, s);
    gap condition = {0, 0};
    if (!(d.m <= few && d.q <= few))
        condition = condition_of(evaluate, f, c, right);
    e->of[AWAY_M] = d.m / (u * (1.0 + condition.m));
    e->of[AWAY_Q] = d.q / (u * (1.0 + condition.q));
}

/* ---- what may be refused --------------------------------------------------------- */

/* Every flow may refuse a momentum whose length, a step whose angle, or moments whose ratio
 * to the middle one is beyond double; all but `exact` go by angles h |m|/J, each of which may
 * be. And some refuse steps above an angle of their own, by the beginnings of their names.
 * Methods work in the units of their problem, and may refuse what these do not suit. */
static const struct limit {
    const char *flows;
    ph_status status;
    long double angle;
} LIMITS[] = {
    /* more than 2^16 parts of 0.8 to 1.2 radians */
    {"dmv", PH_NO_CONVERGENCE, 0x1p16L * 0.8L},
    /* one equation for the whole step, with a polynomial in its angle */
    {"imr", PH_NO_CONVERGENCE, 2.0L},
    /* the angle is squared */
    {"jem4", PH_NOT_FINITE, 0x1p500L},
};

/* The larger ratio of the middle moment and another. */
static long double middle_ratio(ph_vec3 J)
{
    const long double low = smallest(J), high = largest(J),
                      middle = larger_or_nan(smaller_or_nan(J.x, J.y),
                                             smaller_or_nan(larger_or_nan(J.x, J.y), J.z));
    return fmaxl(middle / low, high / middle);
}

static bool may_be_refused(const subject *f, const oracle_case *c, ph_status status)
{
    const long double margin = 16.0L, most = DBL_MAX, angle = extreme_angle(c);
    const long double length = long_norm(long_vector(c->start.m)),
                      own = f->exact ? angle : fabsl(c->t) * length / smallest(c->J);
    if (f->method != NULL || length > most || own > most / margin ||
        middle_ratio(c->J) > most / margin)
        return status == PH_NOT_FINITE || status == PH_NO_CONVERGENCE;
    for (size_t i = 0; i < sizeof LIMITS / sizeof LIMITS[0]; i++) {
        if (begins_with(f->name, LIMITS[i].flows))
            return status == LIMITS[i].status && angle > LIMITS[i].angle;
    }
    return false;
}

bool extreme_beyond_double(const oracle_case *c)
{
    const subject exact = of_flow(find_flow("exact"));
    return may_be_refused(&exact, c, PH_NOT_FINITE);
}

/* ---- the ways -------------------------------------------------------------------- */

static const char *way_name(int way)
{
    static const char *const names[] = {"step", "run", "steps"};
    return way < BATCH ? names[way] : isa_name(way - BATCH);
}

static ph_status go(const subject *f, int way, const oracle_case *c, ph_state *s)
{
    const ph_integrator i = {.flow = f->flow, .method = f->method};
    ph_problem p = *find_problem("free");
    *s = c->start;
    ph_status status = ph_body_from_moments(&p.body, c->J);
    if (status != PH_OK)
        return status;
    if (f->method != NULL)
        return ph_integrator_step(&i, &p, s, 0.0, c->t);
    if (way == RUN)
        return ph_run_body(&i, &p, s, c->t, RUN_STEPS, 0, NULL, NULL);
    if (way == STEP)
        return ph_flow_step(f->flow, &p.body, s, c->t);
    for (int k = 0; k < RUN_STEPS && status == PH_OK; k++)
        status = ph_flow_step(f->flow, &p.body, s, c->t);
    return status;
}

static bool same_bits(const ph_state *a, const ph_state *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static measured measure(const subject *f, int way, const oracle_case *c, const ph_state *s,
                        ph_status status)
{
    measured e;
    for (int k = 0; k < MEASURE_COUNT; k++)
        e.of[k] = NAN;
    e.refused = false;
    if (status != PH_OK) {
        if ((way == STEP || way >= BATCH) && !same_bits(s, &c->start))
            e.of[TOUCHED] = INFINITY;
        const bool endless = RUN_STEPS * fabsl(c->t) > DBL_MAX; /* no time is so late */
        e.refused =
            (way == RUN && endless && status == PH_BAD_TIME) || may_be_refused(f, c, status);
        if (!e.refused)
            e.of[REFUSED] = INFINITY;
        return e;
    }
    if (!finite4(s->q) || !finite3(s->m)) {
        e.of[NOT_FINITE] = INFINITY;
        return e;
    }
    measure_invariants(&e, f, way, c, s);
    ph_state right;
    if (way >= BATCH && by_step(f, c, &right))
        measure_distance(&e, by_step, f, c, &right, s);
    if (way == STEP && f->flow != NULL && f->flow->order == PH_ORDER_EXACT &&
        by_motion(f, c, &right))
        measure_distance(&e, by_motion, f, c, &right, s);
    return e;
}

/* ---- tolerances ------------------------------------------------------------------ */

/* Multiples of u. The exact motion keeps to 2e-15 = 18 u. A step that turns m, a product of
 * up to 45 quaternions each good to some u, keeps to 64 u; one that is divided has as many
 * turns as parts, and the equation of one that is not has terms of the size of its angle.
 * The papers' forms of the exact motion are defined to a distance of 2^-26 from their
 * singular places, and lose as much there. Errors of 100 steps may add up; those of a run,
 * which carries low-order parts, as a random walk. */
static double tolerance(const subject *f, int way, int measure, const oracle_case *c)
{
    const double angle = f->divided ? (double)extreme_angle(c) : 0.0,
                 steps = way == STEPS ? RUN_STEPS
                         : way == RUN ? sqrt(RUN_STEPS)
                                      : 1.0;
    switch (measure) {
    case UNIT:
        return way == RUN ? 8.0 : 4.0;
    case AWAY_M:
    case AWAY_Q:
        return (way == STEP && !f->exact ? 8.0 * 0x1p26 : 8.0) * (1.0 + angle);
    default:
        return (f->exact && way != RUN ? 18.0 : 64.0) * (1.0 + angle) * steps;
    }
}

/* ---- tallies --------------------------------------------------------------------- */

typedef struct tally {
    uint64_t motions, refused, failed[MEASURE_COUNT];
    double worst[MEASURE_COUNT];
    oracle_case example[MEASURE_COUNT]; /* of those that failed, the least extreme */
} tally;

static void keep_example(tally *t, int k, const oracle_case *c)
{
    if (t->failed[k] == 0 || spread(c) < spread(&t->example[k]))
        t->example[k] = *c;
}

static void count(tally *t, const subject *f, int way, const oracle_case *c, const measured *e)
{
    t->motions++;
    t->refused += e->refused;
    for (int k = 0; k < MEASURE_COUNT; k++) {
        const double x = e->of[k];
        if (isnan(x))
            continue;
        t->worst[k] = larger_or_nan(t->worst[k], x);
        if (x > tolerance(f, way, k, c)) {
            keep_example(t, k, c);
            t->failed[k]++;
        }
    }
}

static void merge(tally *all, const tally *t)
{
    all->motions += t->motions;
    all->refused += t->refused;
    for (int k = 0; k < MEASURE_COUNT; k++) {
        if (t->failed[k] > 0)
            keep_example(all, k, &t->example[k]);
        all->failed[k] += t->failed[k];
        all->worst[k] = larger_or_nan(all->worst[k], t->worst[k]);
    }
}

void extreme_print(const char *name, const char *way, const oracle_case *c)
{
    const ph_vec3 J = c->J, m = c->start.m;
    const ph_quat q = c->start.q;
    printf("%s %s %a %a %a %a %a %a %a %a %a %a %a\n", name, way, J.x, J.y, J.z, q.w, q.x, q.y, q.z,
           m.x, m.y, m.z, c->t);
}

static uint64_t report(const subject *f, int way, const tally *t, bool details)
{
    uint64_t failed = 0;
    if (details) {
        printf("%-16s %-8s %8llu motions, %llu refused;", f->name, way_name(way),
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
               (unsigned long long)t->failed[k], (unsigned long long)t->motions, t->worst[k]);
        extreme_print(f->name, way_name(way), &t->example[k]);
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
static void batch_block(tally *t, const subject *f, int way, const oracle_case *c, size_t n)
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
    (void)ph_batch_step_each(f->flow, &b, h, NULL);
    for (size_t i = 0; i < n; i++) {
        const ph_state s = {{column[0][i], column[1][i], column[2][i], column[3][i]},
                            {column[4][i], column[5][i], column[6][i]}};
        ph_state stepped;
        const ph_status alone = go(f, STEP, &c[i], &stepped);
        const bool left = alone != PH_OK && same_bits(&s, &c[i].start);
        const measured e = measure(f, way, &c[i], &s, left ? alone : PH_OK);
        count(t, f, way, &c[i], &e);
    }
}

static void block_of(tally *t, const subject *f, int way, uint64_t seed, uint64_t first, uint64_t n)
{
    oracle_case c[BLOCK];
    const bool runs = way == RUN || way == STEPS;
    for (uint64_t i = 0; i < n; i++)
        c[i] = extreme_motion(seed, first + i, runs);
    if (way >= BATCH) {
        batch_block(t, f, way, c, n);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        ph_state s;
        const ph_status status = go(f, way, &c[i], &s);
        const measured e = measure(f, way, &c[i], &s, status);
        count(t, f, way, &c[i], &e);
    }
}

typedef struct way_run {
    const subject *f;
    const extreme_search *search;
    int way;
    uint64_t motions;
    tally all;
} way_run;

static void check_block(void *context, size_t block)
{
    way_run *r = context;
    tally t = {.motions = 0};
    const uint64_t first = (block * r->search->parts + r->search->part) * BLOCK,
                   n = r->motions - first < BLOCK ? r->motions - first : BLOCK;
    block_of(&t, r->f, r->way, r->search->seed, first, n);
    ph_parallel_lock();
    merge(&r->all, &t);
    ph_parallel_unlock();
}

static uint64_t check_way(const subject *f, int way, uint64_t motions, const extreme_search *search)
{
    way_run r = {f, search, way, motions, {.motions = 0}};
    const uint64_t blocks = (motions + BLOCK - 1) / BLOCK;
    ph_parallel_for(extreme_share(search, blocks), true, check_block, &r);
    return report(f, way, &r.all, search->details);
}

uint64_t extreme_flow(const ph_flow *flow, const extreme_search *search)
{
    const subject f = of_flow(flow);
    const uint64_t motions = f.exact ? search->exact : search->others;
    uint64_t failed = check_way(&f, STEP, motions, search);
    failed += check_way(&f, RUN, motions / RUNS_ONE_IN, search);
    failed += check_way(&f, STEPS, motions / RUNS_ONE_IN, search);
    for (int set = 0; ph_flow_kernel(flow) != NULL && set < isa_count(flow); set++) {
        choose_isa(set);
        failed += check_way(&f, BATCH + set, search->others, search);
    }
    return failed;
}

uint64_t extreme_method(const ph_method *method, const extreme_search *search)
{
    const subject f = of_method(method);
    return check_way(&f, STEP, search->others, search);
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

/* The motion of such words; false if they cannot be read. */
static bool read_case(const char *const *word, subject *f, int *way, oracle_case *c)
{
    const ph_flow *flow;
    const ph_method *method;
    double x[11];
    *way = way_named(word[1]);
    if (ph_flow_named(word[0], &flow) == PH_OK)
        *f = of_flow(flow);
    else if (ph_method_named(word[0], &method) == PH_OK)
        *f = of_method(method);
    else
        return false;
    for (int k = 0; k < 11; k++) {
        char *end;
        x[k] = strtod(word[2 + k], &end);
        if (*end != '\0')
            return false;
    }
    *c = (oracle_case){
        .J = {x[0], x[1], x[2]},
        .start = {{x[3], x[4], x[5], x[6]}, {x[7], x[8], x[9]}},
        .t = x[10],
    };
    return *way >= 0;
}

static uint64_t check_case(const subject *f, int way, const oracle_case *c, bool details)
{
    tally t = {.motions = 0};
    if (way >= BATCH) {
        choose_isa(way - BATCH);
        batch_block(&t, f, way, c, 1);
        return report(f, way, &t, details);
    }
    ph_state s;
    const ph_status status = go(f, way, c, &s);
    const measured e = measure(f, way, c, &s, status);
    count(&t, f, way, c, &e);
    if (details)
        printf("%s; angle %Lg\nq %.17g %.17g %.17g %.17g\nm %.17g %.17g %.17g\n",
               ph_status_text(status), extreme_angle(c), s.q.w, s.q.x, s.q.y, s.q.z, s.m.x, s.m.y,
               s.m.z);
    uint64_t failed = report(f, way, &t, details);
    if (f->exact && way == STEP)
        failed += !extreme_near_series(c, details);
    return failed;
}

bool extreme_case(int words, char **word, uint64_t *failed)
{
    subject f;
    int way;
    oracle_case c;
    if (words != CASE_WORDS || !read_case((const char *const *)word, &f, &way, &c))
        return false;
    *failed = check_case(&f, way, &c, true);
    return true;
}

bool extreme_line(const char *line, uint64_t *failed)
{
    char copy[1024];
    const char *word[CASE_WORDS];
    subject f;
    int way, words = 0;
    oracle_case c;
    if (strlen(line) >= sizeof copy)
        return false;
    memcpy(copy, line, strlen(line) + 1);
    for (char *at = strtok(copy, " "); at != NULL; at = strtok(NULL, " ")) {
        if (words < CASE_WORDS)
            word[words] = at;
        words++;
    }
    if (words != CASE_WORDS || !read_case(word, &f, &way, &c))
        return false;
    *failed = check_case(&f, way, &c, false);
    return true;
}
