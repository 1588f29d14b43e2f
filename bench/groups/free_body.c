/* free_body.c - the free body over [0, 10]: one exact step against the solvers of other
 * libraries at the cheapest tolerance that reaches an attitude error; and the same with a
 * hundred points in between.
 */
#include <math.h>
#include <stdio.h>

#include "solving.h"
#include "stepping.h"

static const double END = 10.0;
static const double EXACT_ERROR = 5e-14; /* so that it reaches all targets */

static const struct target {
    double error;
    const char *name;
} targets[] = {{1e-6, "1e6"}, {1e-10, "1e10"}, {1e-13, "1e13"}};

/* ---- exact ----------------------------------------------------------------------- */

static ph_body body_of(const solving *s)
{
    return (ph_body){s->problem.J, {1.0, 0.0, 0.0, 0.0}, true};
}

/* One step from each start to the end. */
static double one_step(void *work)
{
    const solving *s = work;
    const ph_flow *exact = ph_flow_named("exact");
    double sum = 0.0;
    for (int i = 0; i < SOLVING_STARTS; i++) {
        ph_state state = s->start[i];
        (void)exact->step(exact, &state, s->problem.J, s->end);
        sum += state.q.w;
    }
    return sum;
}

/* The motion prepared once, then asked for at each point. */
static double all_points(void *work)
{
    const solving *s = work;
    const ph_body body = body_of(s);
    double sum = 0.0;
    for (int i = 0; i < SOLVING_STARTS; i++) {
        ph_motion motion;
        (void)ph_motion_prepare(&motion, &body, &s->start[i]);
        for (int k = 1; k <= s->points; k++)
            sum += ph_motion_at(&motion, s->end * k / s->points).q.w;
    }
    return sum;
}

static void fill_in(solving *s)
{
    const ph_body body = body_of(s);
    for (int i = 0; i < SOLVING_STARTS; i++) {
        ph_motion motion;
        (void)ph_motion_prepare(&motion, &body, &s->start[i]);
        for (int k = 0; k < s->points; k++)
            s->right[i][k] = ph_motion_at(&motion, s->end * (k + 1) / s->points).q;
    }
}

/* The largest error of the exact step, against many small ones of the same time: another
 * reduction of the elliptic functions altogether. */
static double exact_error(const solving *s)
{
    const ph_flow *exact = ph_flow_named("exact");
    const int pieces = 64;
    double worst = 0.0;
    for (int i = 0; i < SOLVING_STARTS; i++) {
        stepping steps = {exact, s->problem.J, s->start[i], s->end / pieces, pieces};
        const ph_quat q = stepping_end(&steps, pieces).q;
        steps.h = s->end;
        const double error = attitude_error(stepping_end(&steps, 1).q, q);
        worst = isnan(error) ? INFINITY : fmax(worst, error);
        worst = fmax(worst, attitude_error(s->right[i][s->points - 1], q));
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
        const bool exact = i == count;
        snprintf(names[i], BENCH_NAME, "%s_to_10%s_%s",
                 exact ? "exact" : entries[i].solver->name, suffix, target->name);
        field[i] = (bench_contestant){.name = names[i],
                                      .run = exact ? s->points > 1 ? all_points : one_step
                                                   : solving_pass,
                                      .work = exact ? (void *)s : &entries[i],
                                      .units = SOLVING_STARTS,
                                      .peer = !exact,
                                      .refused = !exact && entries[i].handle == NULL};
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
        int points;
        const char *suffix;
    } outputs[] = {{1, ""}, {SOLVING_POINTS, "_100points"}};
    static solving s;
    const stepping body = stepping_hairer_vilmart("exact", END, 1);
    const ph_vec3 m = body.start.m, J = body.J;
    const ph_problem problem = {
        .J = J, .q = body.start.q, .w = {m.x / J.x, m.y / J.y, m.z / J.z}};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        s = solving_new(&problem, END, outputs[i].points);
        fill_in(&s);
        for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++)
            race(b, &s, &targets[k], outputs[i].suffix);
    }
}

const bench_group bench_group_free_body = {
    .name = "free_body",
    .title = "one exact step against solvers of differential equations",
    .run = run,
};
