/* steps.c - one step of the free body after the other: exact, the splitting into three
 * rotations, discrete Moser-Veselov of several orders, and the forms of Celledoni et al.
 *
 * The step is the one a splitting calls, the flow's own, in principal axes; each begins
 * where the last one ended, so that the time is the whole way through. The body is that of
 * Hairer and Vilmart, |w| about 3: h = 0.1 turns it by 17 degrees, h = 5 more than twice
 * round.
 */
#include <stdio.h>

#include "stepping.h"

#define STEPS 1000 /* in a pass */

/* What a step may not lose: over DRIFT_STEPS steps of exact, attitude, energy, |m|^2 and
 * |q|. The others keep the last two; their attitude error over [0, 10] is below a bound
 * that only a method of its order meets at this step. */
#define DRIFT_STEPS 2000
static const double EXACT_ATTITUDE = 1e-12, INVARIANT = 3e-14, UNIT = 1e-15;
static const double SOLVED_INVARIANT = 1e-12, SOLVED_UNIT = 1e-14;

enum {
    EXACT,
    MR,
    EXACT_H5,
    MR_H5,
    DMV2,
    DMV4,
    DMV6,
    DMV8,
    DMV10,
    SR2,
    GAUSS10,
    ROTATION,
    QUATERNION,
    KOSENKO,
    ZON,
    ROWS
};

static const struct row {
    const char *name, *flow;
    double h;
    double attitude; /* allowed at t = 10; 0: exact */
} rows[ROWS] = {
    [EXACT] = {"exact", "exact", 0.1, 0.0},
    [MR] = {"mr", "mr", 0.1, 0.01},
    [EXACT_H5] = {"exact_h5", "exact", 5.0, 0.0},
    [MR_H5] = {"mr_h5", "mr", 5.0, 2.0},
    [DMV2] = {"dmv2", "dmv2", 0.1, 0.4},
    [DMV4] = {"dmv4", "dmv4", 0.1, 2e-3},
    [DMV6] = {"dmv6", "dmv6", 0.1, 5e-6},
    [DMV8] = {"dmv8", "dmv8", 0.1, 1e-8},
    [DMV10] = {"dmv10", "dmv10", 0.1, 1e-11},
    [SR2] = {"sr2", "sr2", 0.1, 5e-4},
    [GAUSS10] = {"gauss10", "gauss10", 0.1, 1e-13},
    [ROTATION] = {"rotation", "rotation", 0.1, 1e-13},
    [QUATERNION] = {"quaternion", "quaternion", 0.1, 1e-13},
    [KOSENKO] = {"kosenko", "kosenko", 0.1, 1e-13},
    [ZON] = {"zon", "zon", 0.1, 1e-13},
};

static void check(bench *b, bench_contestant *c, const struct row *row, const stepping *s)
{
    const bool exact = row->attitude == 0.0;
    const double end = 10.0;
    const stepping_drift drift = stepping_drift_over(s, DRIFT_STEPS);
    if (exact) {
        const int steps = (int)(0.1 * DRIFT_STEPS / s->h); /* the same time */
        bench_check(b, c, "attitude error", stepping_attitude_error(s, steps), EXACT_ATTITUDE);
        bench_check(b, c, "energy drift", drift.energy, INVARIANT);
    } else {
        bench_check(b, c, "attitude error at t = 10",
                    stepping_attitude_error(s, (int)(end / s->h + 0.5)), row->attitude);
    }
    bench_check(b, c, "drift of |m|^2", drift.momentum, exact ? INVARIANT : SOLVED_INVARIANT);
    bench_check(b, c, "drift of |q|", drift.unit, exact ? UNIT : SOLVED_UNIT);
}

static void run(bench *b)
{
    static bench_contestant field[ROWS];
    static stepping work[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        work[i] = stepping_hairer_vilmart(rows[i].flow, rows[i].h, STEPS);
        field[i] = (bench_contestant){
            .name = rows[i].name, .run = stepping_pass, .work = &work[i], .units = STEPS};
        check(b, &field[i], &rows[i], &work[i]);
    }
    bench_race(b, "step", field, ROWS);
    bench_ratio(b, "exact_over_mr", &field[EXACT], &field[MR]);
    bench_ratio(b, "exact_over_mr_h5", &field[EXACT_H5], &field[MR_H5]);
    bench_ratio(b, "dmv8_over_dmv2", &field[DMV8], &field[DMV2]);
    bench_ratio(b, "dmv10_over_dmv2", &field[DMV10], &field[DMV2]);
    for (int i = GAUSS10; i < ROWS; i++) {
        char ratio[BENCH_NAME];
        snprintf(ratio, sizeof ratio, "%s_over_exact", rows[i].name);
        bench_ratio(b, ratio, &field[i], &field[EXACT]);
    }
}

const bench_group bench_group_steps = {
    .name = "steps",
    .title = "dependent steps of one free body",
    .run = run,
};
