/* free_body.c - the free body over [0, 10]: one exact step against the solvers of other
 * libraries at the cheapest tolerance that reaches an attitude error; the same from five
 * starts, one tolerance for all; and with a hundred points on the way.
 */
#include <math.h>
#include <stdio.h>

#include "base/extremes.h"
#include "solving.h"
#include "stepping.h"
#include "system/find.h"

static const double END = 10.0;
static const double EXACT_ERROR = 5e-14; /* so that it reaches all targets */

static const struct target {
    double error;
    const char *name;
} targets[] = {{1e-6, "1e6"}, {1e-10, "1e10"}, {1e-13, "1e13"}};

/* ---- exact ----------------------------------------------------------------------- */

/* From each start a step to each point. */
static double by_steps(void *work)
{
    const solving *s = work;
    const ph_flow *exact = find_flow("exact");
    const double h = s->end / s->points;
    double sum = 0.0;
    for (int i = 0; i < s->starts; i++) {
        ph_state state = s->start[i];
        for (int k = 0; k < s->points; k++) {
            (void)exact->step(exact, &state, s->problem.body.J, h);
            sum += state.q.w;
        }
    }
    return sum;
}

/* By the motion prepared once and asked for at each point, another algorithm than the
 * step's. */
static void fill_in(solving *s)
{
    const ph_body body = s->problem.body;
    for (int i = 0; i < s->starts; i++) {
        ph_motion motion;
        (void)ph_motion_prepare(&motion, &body, &s->start[i]);
        for (int k = 0; k < s->points; k++)
            s->right[i][k] = ph_motion_at(&motion, s->end * (k + 1) / s->points).q;
    }
}

/* The largest error of the steps at a point. */
static double exact_error(const solving *s)
{
    const ph_flow *exact = find_flow("exact");
    double worst = 0.0;
    for (int i = 0; i < s->starts; i++) {
        ph_state state = s->start[i];
        for (int k = 0; k < s->points; k++) {
            if (exact->step(exact, &state, s->problem.body.J, s->end / s->points) != PH_OK)
                return INFINITY;
            const double error = attitude_error(state.q, s->right[i][k]);
            if (isnan(error))
                worst = INFINITY;
            else
                worst = larger_or_nan(worst, error);
        }
    }
    return worst;
}

/* ---- the races ------------------------------------------------------------------- */

static void race(bench *b, solving *s, const struct target *target, const char *suffix)
{
    static solving_entry entries[SOLVING_SOLVERS];
    static bench_contestant field[SOLVING_SOLVERS + 1];
    static char names[SOLVING_SOLVERS + 1][BENCH_NAME];
    const int count = solving_search(b, s, target->error, entries);
    solving_tell(b, entries, count, target->error);
    for (int i = 0; i <= count; i++) {
        const char *solver = i < count ? entries[i].solver->name : "exact";
        snprintf(names[i], BENCH_NAME, "%s_to_10%s_%s", solver, suffix, target->name);
        field[i] =
            (bench_contestant){.name = names[i], .run = by_steps, .work = s, .units = s->starts};
        if (i < count) {
            field[i].run = solving_pass;
            field[i].work = &entries[i];
            field[i].peer = true;
            field[i].refused = entries[i].handle == NULL;
        }
    }
    bench_check(b, &field[count], "attitude error", exact_error(s), EXACT_ERROR);
    bench_race(b, "motion over [0, 10]", field, count + 1);
    char ratio[BENCH_NAME];
    snprintf(ratio, sizeof ratio, "best_ode_over_exact%s_%s", suffix, target->name);
    const bench_contestant *best = bench_fastest(field, count);
    if (best == NULL)
        bench_value(b, ratio, NAN);
    else
        bench_ratio(b, ratio, best, &field[count]);
    solving_close(entries, count);
}

static void run(bench *b)
{
    static const struct {
        int starts, points;
        const char *suffix;
    } rows[] = {{1, 1, ""}, {SOLVING_STARTS, 1, "_5starts"}, {1, SOLVING_POINTS, "_100points"}};
    static solving all, s;
    const stepping body = stepping_hairer_vilmart("exact", END, 1);
    const ph_vec3 m = body.start.m, J = body.J;
    const ph_problem problem = {.body = PH_MOMENTS(J.x, J.y, J.z),
                                .q = body.start.q,
                                .w = {m.x / J.x, m.y / J.y, m.z / J.z}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        all = solving_new(&problem, END, rows[i].points);
        fill_in(&all);
        if (rows[i].starts == 1)
            s = solving_from(&all, 0);
        else
            s = all;
        for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++)
            race(b, &s, &targets[k], rows[i].suffix);
    }
}

const bench_group bench_group_free_body = {
    .name = "free_body",
    .title = "one exact step against solvers of differential equations",
    .run = run,
};
