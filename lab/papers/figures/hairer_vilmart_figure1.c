/* hairer_vilmart_figure1.c - Hairer and Vilmart 2006, figure 1: work and precision of
 * integrators of the free body, an asymmetric one and a water molecule.
 *
 * HV  Hairer, Vilmart, Preprocessed discrete Moser-Veselov algorithm, J. Phys. A 39
 *     (2006), section 3.
 */
#include <stdio.h>
#include <string.h>

#include "base/choice.h"
#include "lab/papers/experiments.h"

static const struct {
    const char *name;
    int order;
    bool exact_momentum;
} METHODS[] = {
    {"dmv2", 2, false}, {"dmv4", 4, false}, {"dmv6", 6, false}, {"dmv8", 8, false},
    {"imr2", 2, false}, {"imr4", 4, false}, {"imr6", 6, false}, {"jem2", 2, true},
    {"jem4", 4, true},  {"sr2", 2, false},  {"sr4", 4, false},  {"sr6", 6, false},
};

static const struct {
    const char *name;
    ph_vec3 J;
} BODIES[] = {{"asymmetric", {0.6, 0.8, 1.0}}, {"water", {0.345, 0.653, 1.0}}};

/* Steps in the time 10. */
static const double STEPS[] = {10, 16, 25, 40, 64, 100, 160, 250, 400, 640, 1000, 1600, 2500, 4000};
static const double STEP_COUNTS[] = {6, 11, 14};

static const double TIME = 10.0;
static const ph_state START = {{1, 0, 0, 0}, {1.8, 0.4, -0.9}};
static const double ROUND_OFF = 1e-12;
static const char LARGE_STEP[] = "0.25"; /* in which the body turns by some 0.6 rad */

static bool compute(figure_work *work, table *t)
{
    const size_t steps = smaller_size((size_t)AT_EFFORT(work, STEP_COUNTS), COUNT(STEPS));
    const size_t all = COUNT(BODIES) * COUNT(METHODS) * steps;
    table_begin(t, "body,method,h,error_momentum,error_attitude,seconds");
    for (size_t i = 0; i < all; i++) {
        const size_t b = i / steps / COUNT(METHODS), m = i / steps % COUNT(METHODS);
        const double n = STEPS[i % steps];
        char method[32];
        ph_state right;
        if (!report_progress(work, (double)i / (double)all))
            return false;
        (void)snprintf(method, sizeof method, "%s by Newton", METHODS[m].name);
        timed_run r = {method, BODIES[b].J, START, TIME / n, (uint64_t)n, START, false};
        const double seconds = best_seconds(work, free_timed_run, &r);
        double error[2] = {NAN, NAN};
        if (r.good && free_exact(r.J, &START, TIME, &right)) {
            const ph_quat a = r.end.q, e = right.q,
                          d = {a.w - e.w, a.x - e.x, a.y - e.y, a.z - e.z};
            error[0] = norm(sub(r.end.m, right.m));
            error[1] = sqrt(dot4(d, d));
        }
        ROW(t, (BODIES[b].name, METHODS[m].name), r.h, error[0], error[1], r.good ? seconds : NAN);
    }
    return true;
}

/* The error of the attitude with large steps, that of one method over another's. */
static double large_ratio(const table *t, const char *a, const char *b)
{
    const table of_a = table_part(t, "method", a), of_b = table_part(t, "method", b);
    return table_first(&of_a, "h", LARGE_STEP, "error_attitude") /
           table_first(&of_b, "h", LARGE_STEP, "error_attitude");
}

/* The time of a step, of those that turn the body little. */
static double step_seconds(const table *t, const char *method)
{
    const double small = 0.11; /* up to 0.1, of 100 steps */
    double steps = 0.0, seconds = 0.0;
    for (size_t i = 0; next_row(t, &i, "method", method); i++) {
        const double h = table_number(t, i, "h");
        if (h > small)
            continue;
        steps += TIME / h;
        seconds += table_number(t, i, "seconds");
    }
    return seconds / steps;
}

/* The least time in which the methods whose names begin so, or all others, have an attitude
 * that is right to 1e-6. */
static double least_seconds(const table *t, const char *begin, bool others)
{
    const double target = 1e-6;
    double least = INFINITY;
    for (size_t i = 0; i < t->rows; i++) {
        const cell *method = table_cell(t, i, "method");
        const double seconds = table_number(t, i, "seconds");
        const bool begins = method != NULL && method->word != NULL &&
                            strncmp(method->word, begin, strlen(begin)) == 0;
        if (begins != others && table_number(t, i, "error_attitude") <= target && seconds < least)
            least = seconds;
    }
    return finite_or_nan(least);
}

/* The largest deviation of a measured order from that of the method. */
static double worst_order(const table *t, const char *column)
{
    const bool momentum = strcmp(column, "error_momentum") == 0;
    double worst = 0.0;
    for (size_t i = 0; i < COUNT(BODIES) * COUNT(METHODS); i++) {
        const table part = table_part(t, "body", BODIES[i / COUNT(METHODS)].name);
        const size_t m = i % COUNT(METHODS);
        const double order = table_order(&part, "method", METHODS[m].name, "h", column, ROUND_OFF);
        if (!momentum || !METHODS[m].exact_momentum)
            worst = larger_or_nan(worst, fabs(order - METHODS[m].order));
    }
    return worst;
}

static void judge(const table *t, claims *out)
{
    /* "Significantly" is two orders of magnitude from order 2 to 8, one from 2 to 6. */
    const double off = 0.35; /* a line of slope 4 is told from one of 3 or 5 */
    quote(out, "3", "all methods show the correct order (lines of slope 2, 4, 6, and 8)");
    static const char *const quantities[] = {"momentum", "attitude"}, *const errors[] = {
                                                                          "error_momentum",
                                                                          "error_attitude"};
    for (int k = 0; k < 2; k++)
        claim(out, worst_order(t, errors[k]), 0.0, off,
              "all methods show the correct order in the %s: largest deviation of a "
              "slope from 2, 4, 6, 8",
              quantities[k]);
    for (size_t b = 0; b < COUNT(BODIES); b++) {
        const char *body = BODIES[b].name;
        const table part = table_part(t, "body", body);
        quote(out, "3",
              "significantly improve the accuracy with increasing order, even if we use "
              "very large step sizes");
        claim(out, large_ratio(&part, "dmv8", "dmv2"), 0.0, 0.01,
              "%s body: DMV significantly improves with the order, even with very large "
              "steps: errors of DMV8 over DMV at h = 0.25",
              body);
        claim(out, large_ratio(&part, "imr6", "imr2"), 0.0, 0.1,
              "%s body: IMR significantly improves with the order, even with very large "
              "steps: errors of IMR6 over IMR2 at h = 0.25",
              body);
        quote(out, "3", "one step of DMV8 costs only about 50% more cpu time than DMV");
        claim(out, step_seconds(&part, "dmv8") / step_seconds(&part, "dmv2"), 0.0, 1.75,
              "%s body: a step of DMV8 over one of DMV: ratio of their times", body);
        quote(out, "3",
              "the higher order versions have only very little overhead with respect to "
              "the basic methods");
        claim(out, step_seconds(&part, "imr6") / step_seconds(&part, "imr2"), 0.0, 1.75,
              "%s body: a step of IMR6 over one of IMR2: ratio of their times", body);
        ours(out); /* the figure shows it */
        claim(out, least_seconds(&part, "dmv", false) / least_seconds(&part, "dmv", true), 0.0, 1.0,
              "%s body: DMV is the fastest to an attitude error of 1e-6: its time over "
              "the least of the others",
              body);
    }
}

static const figure_number USED[] = {{"inertia", &BODIES[0].J.x, 3},
                                     {"inertia of water", &BODIES[1].J.x, 3},
                                     {"momentum", &START.m.x, 3},
                                     NUMBER("time", TIME),
                                     NUMBERS("steps", STEPS),
                                     NUMBERS("how many of these", STEP_COUNTS),
                                     {0}};

const ph_figure ph_figure_hairer_vilmart_figure1[1] = {
    FIGURE_OF("hairer_vilmart_figure1", 15, 20, compute, judge, "hairer_vilmart_figure1", NULL,
              NULL, USED),
};
