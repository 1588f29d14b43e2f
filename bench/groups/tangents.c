/* tangents.c - runs in a field with derivatives by the start, by start and inertia and by all,
 * beside the plain run and beside central differences, which take two plain runs a column. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "polhode/system.h"

#include "bench.h"
#include "motion/vec.h"

enum { RUNS = 4 };

/* The tolerance, and the part of a run over which derivatives are checked. */
static const double TOLERANCE = 1e-10, CHECKED = 0.1;

/* What is run, and with what: none, by the start, by start and inertia, by all. */
typedef struct row {
    const char *problem, *integrator, *name;
    double step, end;
} row;

static const unsigned WITH[RUNS] = {
    0, PH_DERIVATIVES_START, PH_DERIVATIVES_START | PH_DERIVATIVES_INERTIA,
    PH_DERIVATIVES_START | PH_DERIVATIVES_INERTIA | PH_DERIVATIVES_PARAMETERS};
static const char *const BY[RUNS] = {"", "_by_start", "_by_start_and_inertia", "_by_all"};

typedef struct work {
    const row *of;
    unsigned derivatives;
} work;

/* The system, whose m1 at the start is larger by `more`; NULL if it cannot be made. */
static ph_system *make(const row *r, unsigned derivatives, double more)
{
    static const double DIPOLE[] = {1.5, -2.0, 0.7};
    const ph_setting set[] = {{"dipole", DIPOLE, 3}};
    const ph_system_settings with = {r->problem,
                                     .integrator = r->integrator,
                                     .step = r->step,
                                     .tolerance = r->step > 0.0 ? 0.0 : TOLERANCE,
                                     .settings = set,
                                     .setting_count = strcmp(r->problem, "spacecraft") == 0,
                                     .derivatives = derivatives};
    ph_system *s = NULL;
    const ph_array *m;
    if (ph_system_create(&with, &s) != PH_OK)
        return NULL;
    if (more != 0.0 && ph_system_array_named(s, "momentum", &m) == PH_OK) {
        *m->data[0] += more;
        (void)ph_system_changed(s);
    }
    return s;
}

static double run_one(void *context)
{
    const work *w = context;
    ph_system *s = make(w->of, w->derivatives, 0.0);
    const bool ran = s != NULL && ph_system_run_until(s, w->of->end, NULL) == PH_OK;
    const double sum = ran ? ph_system_state(s).q.w : NAN;
    ph_system_destroy(s);
    return sum;
}

/* How far the momentum by m1 is from its difference, relative to the larger one of these and 1. */
static double error_of(const row *r, unsigned derivatives)
{
    ph_system *s = make(r, derivatives, 0.0);
    ph_system_column d;
    if (s == NULL || ph_system_run_until(s, CHECKED * r->end, NULL) != PH_OK ||
        ph_system_derivative(s, 3, &d) != PH_OK)
        return NAN;
    const double more = 1e-4 * norm(ph_system_state(s).m) / (1.0 + norm(d.momentum));
    ph_system_destroy(s);
    ph_vec3 sum = {0, 0, 0};
    static const double WEIGHT[] = {2.0 / 3, -1.0 / 12};
    for (int k = 1; k <= 2; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            s = make(r, 0, sign * k * more);
            if (s == NULL || ph_system_run_until(s, CHECKED * r->end, NULL) != PH_OK)
                return NAN;
            sum = add(sum, scale(sign * WEIGHT[k - 1] / more, ph_system_state(s).m));
            ph_system_destroy(s);
        }
    }
    return norm(sub(sum, d.momentum)) / (1.0 + norm(sum));
}

static double columns_of(const row *r, unsigned derivatives)
{
    ph_system *s = make(r, derivatives, 0.0);
    const double count = s != NULL ? (double)ph_system_derivative_count(s) : NAN;
    ph_system_destroy(s);
    return count;
}

static void race_row(bench *b, const row *r)
{
    static const double ALLOWED = 1e-5; /* of the differences, by runs at the tolerance */
    static char name[RUNS][BENCH_NAME];
    work w[RUNS];
    bench_contestant field[RUNS];
    for (int i = 0; i < RUNS; i++) {
        (void)snprintf(name[i], BENCH_NAME, "%s%s", r->name, BY[i]);
        w[i] = (work){r, WITH[i]};
        field[i] = (bench_contestant){.name = name[i], .run = run_one, .work = &w[i], .units = 1.0};
        if (i > 0)
            bench_check(b, &field[i], "derivative by m1 against differences", error_of(r, WITH[i]),
                        ALLOWED);
    }
    bench_race(b, "run", field, RUNS);
    for (int i = 1; i < RUNS; i++) {
        char ratio[BENCH_NAME];
        bench_contestant differences = field[0];
        for (int k = 0; k < BENCH_REPEATS; k++)
            differences.ns[k] *= 2.0 * columns_of(r, WITH[i]);
        (void)snprintf(ratio, sizeof ratio, "central_differences_over_tangents_%s", name[i]);
        bench_ratio(b, ratio, &differences, &field[i]);
        (void)snprintf(ratio, sizeof ratio, "tangents_over_run_%s", name[i]);
        bench_ratio(b, ratio, &field[i], &field[0]);
    }
}

static void run(bench *b)
{
    static const row rows[] = {
        {"spacecraft", "dop853", "spacecraft_dop853", 0.0, 2e4},
        {"spacecraft", "gbs", "spacecraft_gbs", 0.0, 2e4},
        {"spacecraft", "srkn6_14a+exact", "spacecraft_srkn6", 20.0, 2e4},
        {"heavy_top", "dop853", "heavy_top_dop853", 0.0, 100.0},
        {"heavy_top", "gbs", "heavy_top_gbs", 0.0, 100.0},
        {"heavy_top", "srkn6_14a+exact", "heavy_top_srkn6", 0.05, 100.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        race_row(b, &rows[i]);
}

const bench_group bench_group_tangents = {
    .name = "tangents",
    .title = "runs in a field with derivatives over the run alone",
    .run = run,
};
