/* goals.c - the ratios that Polhode is to reach, and how a report compares with them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

#define NOISY    0.05 /* spread of a ratio from which it is marked */
#define PER_LANE 0.25 /* two doubles instead of eight */

/* Reached from the goal on: upward if aim > goal, else downward. With vectors of eight doubles,
 * where their width counts. */
static const struct goal {
    const char *name;
    double goal, aim;
    const char *meaning;
} goals[] = {
    {"exact_over_mr", 1.3, 1.0, "exact step over three-rotation step, h = 0.1"},
    {"exact_over_mr_h5", 1.9, 1.5, "the same, h = 5"},
    {"gsl_over_exact", 8, 11, "the papers' formulas on GSL functions over exact"},
    {"dmv8_over_dmv2", 1.4, 1.25, "order 8 over order 2, same solver tolerance"},
    {"dmv10_over_dmv2", 1.45, 1.3, "order 10 over order 2"},
    {"dmv_authors_over_dmv2", 1.3, 2, "the authors' step of order 2 over dmv2"},
    {"dmv_authors_over_dmv8", 1.3, 2, "the same of order 8"},
    {"dmv_authors_over_dmv10", 1.3, 2, "the same of order 10"},
    {"fortran_over_dmv2", 1.1, 1.3, "the authors' Fortran over dmv2"},
    {"fortran_over_dmv8", 1.1, 1.3, "the same of order 8"},
    {"fortran_over_dmv10", 1.1, 1.3, "the same of order 10"},
    {"toms903_over_exact", 12, 15, "TOMS Algorithm 903 over exact, h = 0.1"},
    {"toms903_over_exact_h5", 7, 9.5, "the same, h = 5"},
    {"toms903_over_gauss10", 4, 5, "the same with quadrature over gauss10, h = 0.1"},
    {"gauss10_over_exact", 1.5, 1, "quadrature of order 10 over exact, one step"},
    {"rotation_over_exact", 3, 2, "another form of the exact motion over exact"},
    {"quaternion_over_exact", 3, 2, "the same"},
    {"kosenko_over_exact", 3, 2, "the same"},
    {"zon_over_exact", 3, 2, "the same"},
    {"derivative_by_start_over_step", 1.9, 1.6, "step with derivatives by the start"},
    {"derivative_over_step", 2.3, 2, "the same by start and inertia"},
    {"derivative_by_start_over_step_h5", 1.9, 1.6, "by the start, h = 5"},
    {"derivative_over_step_h5", 2.3, 2, "by start and inertia, h = 5"},
    {"batch_derivative_by_m_over_step", 2, 1.6, "by momentum, both in a batch"},
    {"scalar_over_batch_mr", 3.5, 4.5, "one body's step over a body's in a batch"},
    {"scalar_over_batch_dmv8", 2.5, 3.5, "the same for dmv8"},
    {"scalar_over_batch_exact", 2.5, 3.5, "the same for exact"},
    {"batch_exact_over_batch_mr", 1.8, 1.4, "exact over mr, both in a batch"},
    {"batch_long_over_short", 3.5, 2, "exact in a batch, times below 1000 over below 3"},
    {"bodies_worst_over_book", 1.5, 1.2, "slowest class of bodies over the book"},
    {"bodies_worst_batch_over_book", 1.5, 1.2, "the same in a batch"},
    {"bodies_longer_way", 1e-3, 0, "largest share of a class off the fast formulas"},
    {"bodies_middle_over_book", 2, 1.5, "within 1e-4 of the middle axis over the book"},
    {"bodies_middle_batch_over_book", 2, 1.5, "the same in a batch"},
    {"threads2_batch", 1.85, 2.0, "one thread over two, batch of exact"},
    {"threads2_batch_busy", 0.95, 1.3, "the same, all processors but one busy elsewhere"},
    {"best_ode_over_exact_1e6", 30, 40, "best solver at error 1e-6 over exact"},
    {"best_ode_over_exact_1e10", 60, 80, "best solver at error 1e-10 over exact"},
    {"best_ode_over_exact_1e13", 90, 120, "best solver at error 1e-13 over exact"},
    {"best_pointer_ode_over_gbs_strong_1e6", 7, 9, "solver as called over gbs, strong top"},
    {"best_pointer_ode_over_gbs_strong_1e10", 9, 11, "the same at error 1e-10"},
    {"best_pointer_ode_over_gbs_strong_1e13", 10, 14, "the same at error 1e-13"},
    {"best_ode_over_gbs_strong_1e6", 4, 6, "the same with inlined solvers"},
    {"best_ode_over_gbs_strong_1e10", 4.5, 7, "the same at error 1e-10"},
    {"best_ode_over_gbs_strong_1e13", 6, 9, "the same at error 1e-13"},
    {"best_ode_over_gbs_callback_1e6", 1.5, 2.5, "torque asked for one by one"},
    {"best_ode_over_gbs_callback_1e10", 1.9, 3.5, "the same at error 1e-10"},
    {"best_ode_over_gbs_callback_1e13", 3, 5, "the same at error 1e-13"},
    {"best_ode_over_gbs_weak_1e6", 5, 6, "best solver over gbs, weak top; AVX-512"},
    {"best_ode_over_gbs_weak_1e10", 7, 9, "the same at error 1e-10"},
    {"best_ode_over_gbs_weak_1e13", 8, 10, "the same at error 1e-13"},
    {"best_ode_over_gbs_wall_1e10", 4, 6, "best solver over gbs, soft wall; AVX-512"},
    {"fused_over_batch_exact", 0.9, 1, "products fused over rounded, in a batch"},
    {"fused_over_batch_dmv8", 0.9, 1, "the same for dmv8"},
    {"fused_over_batch_mr", 0.85, 1, "the same for mr"},
    {"fused_over_exact", 0.95, 1, "the same for a step of exact"},
    {"pair_peak_share", 0.40, 0.45, "pair kernel's share of FMA peak"},
    {"scalar_over_simd_pair", 4, 5.5, "plain loop over pair kernel"},
    {"single_over_ensemble", 5, 7, "gbs one by one over an ensemble; AVX-512"},
    {"best_ode_over_ensemble", 8, 10, "best solver over an ensemble; AVX-512"},
    {"threads2_ensemble", 1.9, 2, "one thread over two, ensemble"},
    {"fixed_single_over_ensemble", 4, 5, "fixed steps one by one over an ensemble"},
    {"direct_over_averaged", 1e4, 2e4, "gbs over averaged, weak torque over 1/eps, eps = 1e-6"},
    {"best_ode_kicks_over_weak_1e6", 5, 5, "solver's right-hand sides over our kicks"},
    {"best_ode_kicks_over_weak_1e10", 4, 4, "the same at error 1e-10"},
    {"step_over_engine_0.1", 4.5, 3.5, "polhode_step over an engine's step, 0.1 rad"},
    {"step_over_engine_1", 6, 5, "the same, 1 rad"},
    {"stepf_over_engine_0.1", 5, 4, "polhode_stepf over an engine's float step, 0.1 rad"},
    {"stepf_over_engine_1", 7, 6, "the same, 1 rad"},
    {"engine_error_over_step_0.1", 1e6, 1e9, "error of an engine's step over polhode_step's"},
};

#define GOALS (sizeof goals / sizeof goals[0])

/* What vectors of two doubles are to reach of a goal and an aim. */
static const struct share {
    const char *name;
    double share;
} narrow[] = {
    {"scalar_over_batch_mr", PER_LANE},         {"scalar_over_batch_dmv8", PER_LANE},
    {"scalar_over_batch_exact", PER_LANE},      {"scalar_over_simd_pair", PER_LANE},
    {"best_ode_over_gbs_strong_1e6", 2.5 / 4},  {"best_ode_over_gbs_strong_1e10", 2.8 / 4.5},
    {"best_ode_over_gbs_strong_1e13", 3.5 / 6},
};

static bool downward(const struct goal *g)
{
    return g->aim < g->goal;
}

/* The goal for the vectors of the machine of a report: eight doubles, four or two. */
static struct goal goal_on(const json_t *json, const struct goal *g)
{
    const char *set =
        json_string_value(json_object_get(json_object_get(json, "machine"), "instructions"));
    struct goal here = *g;
    for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++) {
        if (set == NULL || strcmp(set, "avx512") == 0 || strcmp(narrow[i].name, g->name) != 0)
            continue;
        const double share = strcmp(set, "avx2") == 0 ? sqrt(narrow[i].share) : narrow[i].share;
        here.goal *= share;
        here.aim *= share;
    }
    return here;
}

static const char *verdict(const struct goal *g, double value)
{
    const double sign = downward(g) ? -1.0 : 1.0;
    if (!isfinite(value))
        return "not measured";
    if (sign * (value - g->aim) >= 0.0)
        return "aim";
    return sign * (value - g->goal) >= 0.0 ? "goal" : "missed";
}

static double number(const json_t *json, const char *part, const char *name)
{
    const json_t *value = json_object_get(json_object_get(json, part), name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool noisy(const json_t *json, const char *name)
{
    return number(json, "ratio_spreads", name) > NOISY;
}

void report_print_goals(const json_t *json)
{
    printf("\n%-38s %9s %9s %9s  %s\n", "ratio", "value", "goal", "aim", "reached");
    for (size_t i = 0; i < GOALS; i++) {
        const struct goal here = goal_on(json, &goals[i]), *g = &here;
        const double value = number(json, "ratios", g->name);
        if (json_object_get(json_object_get(json, "ratios"), g->name) == NULL)
            continue;
        printf("%-38s %9.3g %s %6.4g %9.4g  %s%s\n", g->name, value,
               downward(g) ? "<=" : ">=", g->goal, g->aim, verdict(g, value),
               noisy(json, g->name) ? ", noisy" : "");
    }
}

static const struct goal *goal_of(const char *name)
{
    for (size_t i = 0; i < GOALS; i++) {
        if (strcmp(goals[i].name, name) == 0)
            return &goals[i];
    }
    return NULL;
}

void report_print_markdown(const json_t *json)
{
    printf("| ratio | value | goal | aim | reached | what |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < GOALS; i++) {
        const struct goal here = goal_on(json, &goals[i]), *g = &here;
        const double value = number(json, "ratios", g->name);
        printf("| `%s` | ", g->name);
        if (isfinite(value))
            printf("%.3g", value);
        printf(" | %s %g | %g | %s%s | %s |\n", downward(g) ? "<=" : ">=", g->goal, g->aim,
               verdict(g, value), noisy(json, g->name) ? ", noisy" : "", g->meaning);
    }
    printf("\n| other ratio | value |\n|---|---|\n");
    json_t *ratios = json_object_get(json, "ratios"), *value;
    const char *name;
    json_object_foreach(ratios, name, value)
    {
        if (goal_of(name) == NULL && json_is_number(value))
            printf("| `%s` | %.3g |\n", name, json_number_value(value));
    }
}
