/* ensemble.c - spacecraft with uncertain starts, gravity gradient, damping and a dipole, over 20
 * orbits to a tolerance of 1e-9: an ensemble beside the same bodies one after another by gbs, and
 * by the solvers of other libraries, those with the field inlined that can be. The slower ones take
 * fewer of the bodies; times are for one. All run on one thread, but for threads2_ensemble. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "polhode/batch.h"
#include "polhode/ensemble.h"

#include "base/counter_random.h"
#include "base/extremes.h"
#include "bench.h"
#include "ode.h"
#include "solvers.h"

enum { BODIES = 512, FEW = 8, OWN = 8, MOST_SOLVERS = 24 };

static const double TOLERANCE = 1e-9;

/* Velocity, moments, damping, anomaly of each. */
static double own[BODIES][OWN];
static const double DIPOLE[] = {1.0, -0.5, 0.3}, AXIS[] = {7.2e6}, E[] = {0.02};

static void draw_bodies(void)
{
    for (uint64_t i = 0; i < BODIES; i++) {
        double z[OWN];
        for (uint64_t k = 0; k < OWN; k += 2)
            normal_pair(1, (const uint64_t[]){i, k}, z + k);
        for (int k = 0; k < 3; k++) {
            own[i][k] = 1.5e-3 * z[k];
            own[i][3 + k] = 100.0 + 4.0 * z[3 + k];
        }
        own[i][6] = 1e-3 * (0.1 + fabs(z[6]));
        own[i][7] = z[7];
    }
}

static double end_time(void)
{
    const double pi = 3.14159265358979323846, mu = 3.986004418e14, orbits = 20.0;
    return orbits * 2.0 * pi * sqrt(AXIS[0] * AXIS[0] * AXIS[0] / mu);
}

static ph_ensemble *make(const char *method, double step, double tolerance, size_t count,
                         double damping)
{
    const ph_setting same[] = {{"dipole", DIPOLE, 3},
                               {"semi_major_axis", AXIS, 1},
                               {"eccentricity", E, 1},
                               {"damping", &damping, 1}};
    const ph_system_settings all = {"spacecraft",     .integrator = method,
                                    .step = step,     .tolerance = tolerance,
                                    .settings = same, .setting_count = 4};
    const ph_each each[] = {{"velocity", own[0], 3, OWN, 1},
                            {"inertia", own[0] + 3, 3, OWN, 1},
                            {"anomaly", own[0] + 7, 1, OWN, 1},
                            {"damping", own[0] + 6, 1, OWN, 1}};
    ph_ensemble *e = NULL;
    if (ph_ensemble_create(&all, each, damping < 0.0 ? 4 : 3, count, NULL, &e) == PH_OK)
        return e;
    return NULL;
}

/* A pass: the first bodies by a method, all of it or one after the other. */
typedef struct ours {
    const char *method;
    double step, tolerance;
    size_t count;
    int threads;
    bool alone;
    double damping; /* negative: their own */
} ours;

static double run_ours(void *work)
{
    const ours *w = work;
    double sum = 0.0;
    ph_set_threads(w->threads);
    ph_ensemble *e = make(w->method, w->step, w->tolerance, w->count, w->damping);
    if (e == NULL)
        return NAN;
    const double step = w->step > 0.0 ? w->step : 1.0, end = step * floor(end_time() / step);
    if (!w->alone)
        (void)ph_ensemble_run(e, end, NULL);
    for (size_t i = 0; i < w->count; i++) {
        ph_system *s = ph_ensemble_system(e, i);
        if (w->alone)
            (void)ph_system_run_until(s, end, NULL);
        if (ph_system_time(s) == end)
            sum += ph_system_state(s).q.w;
        else
            sum += NAN;
    }
    ph_ensemble_destroy(e);
    ph_set_threads(0);
    return sum;
}

/* ---- theirs --------------------------------------------------------------------------- */

typedef struct theirs {
    const bench_solver *solver;
    ph_problem problem[FEW];
    bench_ode ode[FEW];
    void *handle[FEW];
    char name[BENCH_NAME];
} theirs;

/* The end of body i; NaN if it fails. */
static ph_quat solve(theirs *t, int i)
{
    const ph_problem *p = &t->problem[i];
    const ph_state s = ph_problem_start(p);
    const double u = t->ode[i].unit;
    const double y[ODE_SIZE] = {s.q.w, s.q.x, s.q.y, s.q.z, s.m.x * u, s.m.y * u, s.m.z * u};
    double end[1][ODE_SIZE];
    if (t->handle[i] == NULL || !t->solver->solve(t->handle[i], y, floor(end_time()), 1, end))
        return (ph_quat){NAN, NAN, NAN, NAN};
    return ph_quat_unit((ph_quat){end[0][0], end[0][1], end[0][2], end[0][3]});
}

static double run_theirs(void *work)
{
    double sum = 0.0;
    for (int i = 0; i < FEW; i++)
        sum += solve(work, i).w;
    return sum;
}

static void open_theirs(theirs *t, const bench_solver *solver, const char *after)
{
    const ph_problem *from = NULL;
    (void)ph_problem_named("spacecraft", &from);
    t->solver = solver;
    (void)snprintf(t->name, sizeof t->name, "%s%s", solver->name, after);
    for (int i = 0; i < FEW; i++) {
        ph_problem *p = &t->problem[i];
        *p = *from;
        (void)ph_body_from_moments(&p->body, (ph_vec3){own[i][3], own[i][4], own[i][5]});
        p->w = (ph_vec3){own[i][0], own[i][1], own[i][2]};
        p->value[ph_problem_parameter(p, "semi_major_axis")->first] = AXIS[0];
        p->value[ph_problem_parameter(p, "eccentricity")->first] = E[0];
        p->value[ph_problem_parameter(p, "anomaly")->first] = own[i][7];
        p->value[ph_problem_parameter(p, "damping")->first] = own[i][6];
        for (int k = 0; k < 3; k++)
            p->value[ph_problem_parameter(p, "dipole")->first + k] = DIPOLE[k];
        p->prepare(p);
        const ph_vec3 m = ph_problem_start(p).m, J = p->body.J;
        const double unit = sqrt(m.x * m.x + m.y * m.y + m.z * m.z);
        t->ode[i] = (bench_ode){.inverse = {unit / J.x, unit / J.y, unit / J.z},
                                .first = 10.0,
                                .problem = p,
                                .unit = 1.0 / unit};
        ode_prepare_inlined(&t->ode[i]);
        t->handle[i] = solver->open(solver, &t->ode[i], TOLERANCE);
    }
}

extern const bench_solver bench_inlined_gsl_rk8pd[];
#ifdef BENCH_BOOST
extern const bench_solver bench_inlined_odeint[];
#endif

static int open_all(theirs *all)
{
    static const bench_solver *const inlined[] = {
        bench_inlined_gsl_rk8pd,
#ifdef BENCH_BOOST
        bench_inlined_odeint,
#endif
    };
    int count = 0;
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        for (const bench_solver *s = solvers[i]; s->name != NULL && count < MOST_SOLVERS; s++)
            open_theirs(&all[count++], s, "");
    }
    for (size_t i = 0; i < sizeof inlined / sizeof inlined[0]; i++) {
        for (const bench_solver *s = inlined[i]; s->name != NULL && count < MOST_SOLVERS; s++)
            open_theirs(&all[count++], s, "_inlined");
    }
    return count;
}

/* The largest angle from the right attitudes of the first bodies. */
static double error_of(theirs *t, ph_ensemble *right)
{
    double largest = 0.0;
    for (int i = 0; i < FEW; i++) {
        const ph_quat a = solve(t, i), b = ph_system_state(ph_ensemble_system(right, (size_t)i)).q;
        const double cosine = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
        largest = larger_or_nan(largest, 2.0 * acos(smaller_or_nan(cosine, 1.0)));
    }
    return largest;
}

/* ---- all of it -------------------------------------------------------------------------- */

static void race_fixed_steps(bench *b)
{
    static ours together = {"srkn6_14a+exact", 60.0, 0.0, 64, 1, false, 0.0},
                alone = {"srkn6_14a+exact", 60.0, 0.0, 8, 1, true, 0.0};
    bench_contestant field[] = {
        {.name = "fixed_ensemble", .run = run_ours, .work = &together, .units = 64},
        {.name = "fixed_single", .run = run_ours, .work = &alone, .units = 8}};
    bench_race(b, "body", field, 2);
    bench_ratio(b, "fixed_single_over_ensemble", &field[1], &field[0]);
}

static void run(bench *b)
{
    static ours together = {"dop853", 0.0, 1e-9, BODIES, 1, false, -1.0},
                two = {"dop853", 0.0, 1e-9, BODIES, 2, false, -1.0},
                alone = {"gbs", 0.0, 1e-9, FEW, 1, true, -1.0};
    bench_contestant field[2 + MOST_SOLVERS] = {
        {.name = "ensemble", .run = run_ours, .work = &together, .units = BODIES},
        {.name = "single_gbs", .run = run_ours, .work = &alone, .units = FEW}};
    theirs *all = calloc(MOST_SOLVERS, sizeof *all);
    draw_bodies();
    ph_ensemble *right = make("gauss16", 0.0, 1e-14, FEW, -1.0);
    if (all == NULL || right == NULL) {
        free(all);
        return;
    }
    (void)ph_ensemble_run(right, floor(end_time()), NULL);
    const int count = open_all(all);
    for (int i = 0; i < count; i++) {
        bench_contestant *c = &field[2 + i];
        *c = (bench_contestant){
            .name = all[i].name, .run = run_theirs, .work = &all[i], .units = FEW, .peer = true};
        bench_check(b, c, "attitude after 20 orbits", error_of(&all[i], right), 1e-2);
    }
    bench_race(b, "body", field, 2 + count);
    const bench_contestant *best = bench_fastest(field + 2, count);
    bench_ratio(b, "single_over_ensemble", &field[1], &field[0]);
    if (best != NULL)
        bench_ratio(b, "best_ode_over_ensemble", best, &field[0]);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < FEW; k++) {
            if (all[i].handle[k] != NULL)
                all[i].solver->close(all[i].handle[k]);
        }
    }
    bench_contestant threads[] = {{.name = "ensemble_1_thread",
                                   .run = run_ours,
                                   .work = &together,
                                   .units = BODIES,
                                   .parallel = true},
                                  {.name = "ensemble_2_threads",
                                   .run = run_ours,
                                   .work = &two,
                                   .units = BODIES,
                                   .parallel = true}};
    bench_race(b, "body", threads, 2);
    bench_ratio(b, "threads2_ensemble", &threads[0], &threads[1]);
    race_fixed_steps(b);
    ph_ensemble_destroy(right);
    free(all);
}

const bench_group bench_group_ensemble = {
    .name = "ensemble",
    .title = "Ten thousand spacecraft: an ensemble beside one body after another",
    .run = run,
};
