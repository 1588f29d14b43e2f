/* adaptive.c - one trajectory to a tolerance: gbs and the solvers of other libraries.
 *
 * Each contestant with the cheapest tolerance that reaches an attitude error at the end, from
 * the problem's own start. Ours once with the torque in lanes, once with the torque asked for
 * one by one, as theirs is. Of theirs those whose right-hand side can be inlined take part once
 * more so, compiled for this machine; the torque in lanes races with both, and the ratio with
 * those called as users call them has `pointer` in its name. The right result is that of
 * gauss16, which gbs confirms.
 */
#include <math.h>
#include <stdio.h>

#include "integrators/adaptive_run.h"
#include "solving.h"
#include "stepping.h"
#include "system/find.h"

static const struct target {
    double error;
    const char *name;
} targets[] = {{1e-6, "1e6"}, {1e-10, "1e10"}, {1e-13, "1e13"}};

#define TARGETS (sizeof targets / sizeof targets[0])

static const struct race_case {
    const char *name; /* in names of ratios */
    const char *problem;
    double strength; /* of the heavy top; 0: the problem's own */
    double end;
} cases[] = {
    {"strong", "heavy_top", 1.0, 10.0},
    {"weak", "heavy_top", 1e-3, 10.0},
    {"wall", "soft_wall", 0.0, 10.0},
};

#define CASES (sizeof cases / sizeof cases[0])

/* ---- ours as solvers ---------------------------------------------------------------- */

enum { IN_LANES, ONE_BY_ONE, VARIANTS, MOST = 2 * SOLVING_SOLVERS + VARIANTS };

typedef struct handle {
    bench_ode *ode;
    ph_problem problem;
    const ph_adaptive *method;
    double tolerance;
} handle;

/* A torque by another function, for which there are no kernels. */
static const ph_problem *replaced;

static ph_vec3 one_by_one(const ph_problem *p, const ph_instant *now)
{
    return replaced->torque(p, now);
}

static void *open(const bench_solver *solver, bench_ode *ode, double tolerance)
{
    static handle all[VARIANTS][2]; /* one to search with, one that races */
    static int next;
    if (tolerance < PH_TOLERANCE_LEAST)
        return NULL;
    handle *h = &all[solver->variant][next++ % 2];
    *h = (handle){.ode = ode, .problem = *ode->problem, .tolerance = tolerance};
    if (ph_adaptive_named("gbs", &h->method) != PH_OK)
        return NULL;
    if (solver->variant == ONE_BY_ONE) {
        replaced = ode->problem;
        h->problem.torque = one_by_one;
    }
    return h;
}

static bool solve(void *work, const double *y, double end, int count, double (*points)[ODE_SIZE])
{
    handle *h = work;
    const double u = 1.0 / h->ode->unit;
    const ph_state start = {{y[0], y[1], y[2], y[3]}, {u * y[4], u * y[5], u * y[6]}};
    ph_adaptive_run r;
    if (ph_adaptive_prepare(&r, h->method, &h->problem, &start, 0.0, h->tolerance) != PH_OK)
        return false;
    for (int i = 0; i < count; i++) {
        if (ph_adaptive_advance(&r, end * (i + 1) / count) != PH_OK)
            return false;
        for (int k = 0; k < ODE_SIZE; k++) {
            if (k < 4)
                points[i][k] = r.now.y[k];
            else
                points[i][k] = r.now.y[k] * h->ode->unit;
        }
    }
    h->ode->evaluations = (long)r.now.evaluations;
    return true;
}

static void close(void *work)
{
    (void)work;
}

static const bench_solver ours[VARIANTS] = {
    {"gbs", "Polhode", IN_LANES, open, solve, close},
    {"gbs_callback", "Polhode", ONE_BY_ONE, open, solve, close},
};

/* ---- the right result ---------------------------------------------------------------- */

static ph_quat end_of(const solving *on, const char *name)
{
    const ph_adaptive *method = NULL;
    ph_adaptive_run r;
    if (ph_adaptive_named(name, &method) != PH_OK ||
        ph_adaptive_prepare(&r, method, &on->problem, &on->start[0], 0.0, PH_TOLERANCE_LEAST) !=
            PH_OK ||
        ph_adaptive_advance(&r, on->end) != PH_OK)
        return (ph_quat){NAN, NAN, NAN, NAN};
    return ph_adaptive_state(&r).q;
}

/* ---- theirs once more, inlined --------------------------------------------------------- */

extern const bench_solver bench_inlined_gsl_rk8pd[];
#ifdef BENCH_BOOST
extern const bench_solver bench_inlined_odeint[];
#endif

static const bench_solver *const inlined[] = {
    bench_inlined_gsl_rk8pd,
#ifdef BENCH_BOOST
    bench_inlined_odeint,
#endif
};

/* All solvers, then these. */
static int search_peers(bench *b, const solving *on, double target, solving_entry *entries,
                        int *plain)
{
    int count = *plain = solving_search(b, on, target, entries);
    for (size_t i = 0; i < sizeof inlined / sizeof inlined[0]; i++) {
        for (const bench_solver *s = inlined[i]; s->name != NULL; s++)
            solving_search_one(s, on, target, &entries[count++]);
    }
    return count;
}

/* ---- a race --------------------------------------------------------------------------- */

static void race(bench *b, const struct race_case *on_case, const solving *on,
                 const struct target *target, double doubt)
{
    static solving_entry entries[MOST];
    static bench_contestant contestants[MOST];
    static char names[MOST][BENCH_NAME];
    int plain;
    const int peers = search_peers(b, on, target->error, entries, &plain);
    solving_tell(b, entries, peers, target->error);
    for (int v = 0; v < VARIANTS; v++)
        solving_search_one(&ours[v], on, target->error, &entries[peers + v]);
    solving_tell(b, entries + peers, VARIANTS, target->error);
    for (int i = 0; i < peers + VARIANTS; i++) {
        const bool again = i >= plain && i < peers;
        (void)snprintf(names[i], BENCH_NAME, "%s%s_%s_%s", entries[i].solver->name,
                       again ? "_inlined" : "", on_case->name, target->name);
        contestants[i] = (bench_contestant){.name = names[i],
                                            .run = solving_pass,
                                            .work = &entries[i],
                                            .units = 1,
                                            .peer = i < peers,
                                            .refused = entries[i].handle == NULL};
        if (i >= peers) {
            (void)bench_check(b, &contestants[i], "attitude error", entries[i].error,
                              target->error);
            (void)bench_check(b, &contestants[i], "doubt of the reference", doubt,
                              0.5 * target->error);
        }
    }
    bench_race(b, "motion", contestants, peers + VARIANTS);
    const bool strong = on_case == &cases[0]; /* of which callback alone is short for */
    const char *callback = strong ? "_callback" : "_callback_";
    const struct {
        const char *among, *variant, *of_case;
        int count, ours;
    } ratios[] = {{"", "_", on_case->name, peers, IN_LANES},
                  {"_pointer", "_", on_case->name, plain, IN_LANES},
                  {"", callback, strong ? "" : on_case->name, plain, ONE_BY_ONE}};
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        const bench_contestant *best = bench_fastest(contestants, ratios[i].count);
        char name[BENCH_NAME];
        (void)snprintf(name, sizeof name, "best%s_ode_over_gbs%s%s_%s", ratios[i].among,
                       ratios[i].variant, ratios[i].of_case, target->name);
        if (best != NULL)
            bench_ratio(b, name, best, &contestants[peers + ratios[i].ours]);
    }
    solving_close(entries, peers + VARIANTS);
}

static void run(bench *b)
{
    static solving all, on;
    for (size_t i = 0; i < CASES; i++) {
        ph_problem p = *find_problem(cases[i].problem);
        const ph_parameter *strength = ph_problem_parameter(&p, "strength");
        if (strength != NULL && cases[i].strength > 0.0)
            p.value[strength->first] = cases[i].strength;
        all = solving_new(&p, cases[i].end, 1);
        on = solving_from(&all, 0);
        on.right[0][0] = end_of(&on, "gauss16");
        const double doubt = attitude_error(end_of(&on, "gbs"), on.right[0][0]);
        bench_note(b, "%s over [0, %g]: the reference is sure to %.1e", cases[i].name, cases[i].end,
                   doubt);
        for (size_t k = 0; k < TARGETS; k++)
            race(b, &cases[i], &on, &targets[k], doubt);
    }
}

const bench_group bench_group_adaptive = {
    .name = "adaptive",
    .title = "one trajectory to a tolerance: gbs and solvers of other libraries",
    .run = run,
};
