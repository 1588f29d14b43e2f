/* goals.c - the ratios that Polhode is to reach, and how a report compares with them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

#define NOISY 0.05 /* spread of a ratio from which it is marked */

/* Central differences over a run with derivatives, by the start, by start and inertia, by all. */
#define TANGENT_GOALS(row, words)                                                                  \
    {"central_differences_over_tangents_" row "_by_start", 2, 4, "by differences" words, 0, 0},    \
        {"central_differences_over_tangents_" row "_by_start_and_inertia",                         \
         2,                                                                                        \
         5,                                                                                        \
         "and inertia" words,                                                                      \
         0,                                                                                        \
         0},                                                                                       \
    {                                                                                              \
        "central_differences_over_tangents_" row "_by_all", 2, 6, "and parameters" words, 0, 0     \
    }

/* Reached from the goal on: upward if aim > goal, else downward. Where the width of vectors counts, these
 * are for vectors of eight doubles (AVX-512), and `narrow` and `narrow_aim` for those of two (NEON,
 * SSE2). With four doubles (AVX2) it is their geometric mean. */
static const struct goal {
    const char *name;
    double goal, aim;
    const char *meaning;
    double narrow, narrow_aim; /* 0: the same for every width */
} goals[] = {
    {"exact_over_mr", 1.3, 1.0, "exact step over three-rotation step, h = 0.1", 1.2, 1.0},
    {"exact_over_mr_h5", 1.9, 1.5, "the same, h = 5", 0, 0},
    {"gsl_over_exact", 8, 11, "the papers' formulas on GSL functions over exact", 0, 0},
    {"dmv8_over_dmv2", 1.4, 1.25, "order 8 over order 2, same solver tolerance", 0, 0},
    {"dmv10_over_dmv2", 1.45, 1.3, "order 10 over order 2", 0, 0},
    {"dmv_authors_over_dmv2", 1.3, 2, "the authors' step of order 2 over dmv2", 0, 0},
    {"dmv_authors_over_dmv8", 1.3, 2, "the same of order 8", 0, 0},
    {"dmv_authors_over_dmv10", 1.3, 2, "the same of order 10", 0, 0},
    {"fortran_over_dmv2", 1.1, 1.3, "the authors' Fortran over dmv2", 0, 0},
    {"fortran_over_dmv8", 1.1, 1.3, "the same of order 8", 0, 0},
    {"fortran_over_dmv10", 1.1, 1.3, "the same of order 10", 0, 0},
    {"toms903_over_exact", 12, 15, "TOMS Algorithm 903 over exact, h = 0.1", 0, 0},
    {"toms903_over_exact_h5", 7, 9.5, "the same, h = 5", 0, 0},
    {"toms903_over_gauss10", 4, 5, "the same with quadrature over gauss10, h = 0.1", 0, 0},
    {"gauss10_over_exact", 1.5, 1, "quadrature of order 10 over exact, one step", 0, 0},
    {"rotation_over_exact", 3, 2, "another form of the exact motion over exact", 0, 0},
    {"quaternion_over_exact", 3, 2, "the same", 0, 0},
    {"kosenko_over_exact", 3, 2, "the same", 0, 0},
    {"zon_over_exact", 3, 2, "the same", 0, 0},
    {"derivative_by_start_over_step", 1.9, 1.6, "step with derivatives by the start", 0, 0},
    {"derivative_over_step", 2.3, 2, "the same by start and inertia", 0, 0},
    {"derivative_by_start_over_step_h5", 1.9, 1.6, "by the start, h = 5", 0, 0},
    {"derivative_over_step_h5", 2.3, 2, "by start and inertia, h = 5", 0, 0},
    {"batch_derivative_by_m_over_step", 1.65, 1.5, "by momentum, both in a batch", 0, 0},
    TANGENT_GOALS("spacecraft_dop853", ", spacecraft by dop853"),
    TANGENT_GOALS("spacecraft_gbs", ", spacecraft by gbs"),
    TANGENT_GOALS("spacecraft_srkn6", ", spacecraft by srkn6_14a+exact"),
    TANGENT_GOALS("heavy_top_dop853", ", heavy_top by dop853"),
    TANGENT_GOALS("heavy_top_gbs", ", heavy_top by gbs"),
    TANGENT_GOALS("heavy_top_srkn6", ", heavy_top by srkn6_14a+exact"),
    {"scalar_over_batch_mr", 3.5, 4.5, "one body's step over a body's in a batch", 2.2, 2.5},
    {"scalar_over_batch_dmv8", 2.5, 3.5, "the same for dmv8", 2, 2.3},
    {"scalar_over_batch_exact", 2.5, 3.5, "the same for exact", 1.9, 2.2},
    {"batch_exact_over_batch_mr", 1.8, 1.4, "exact over mr, both in a batch", 0, 0},
    {"own_splitting_over_batch_mr", 1, 1.3, "a user's own splitting over mr in a batch", 0, 0},
    {"own_splitting_over_batch_exact", 0.8, 0.9, "the same over exact in a batch", 0, 0},
    {"batch_mr_over_floats", 1.7, 2.2, "mr in a batch of doubles over one of floats", 0, 0},
    {"batch_sr2_over_floats", 1.7, 2.2, "the same for sr2", 0, 0},
    {"batch_long_over_short", 3.5, 2, "exact in a batch, times below 1000 over below 3", 0, 0},
    {"bodies_worst_over_book", 1.5, 1.2, "slowest class of bodies over the book", 0, 0},
    {"bodies_worst_batch_over_book", 1.5, 1.2, "the same in a batch", 0, 0},
    {"bodies_longer_way", 1e-3, 0, "largest share of a class off the fast formulas", 0, 0},
    {"bodies_middle_over_book", 2, 1.5, "within 1e-4 of the middle axis over the book", 0, 0},
    {"bodies_middle_batch_over_book", 2, 1.5, "the same in a batch", 0, 0},
    {"threads2_batch", 1.85, 2.0, "one thread over two, batch of exact", 0, 0},
    {"threads2_batch_busy", 0.95, 1.3, "the same, all processors but one busy elsewhere", 0, 0},
    {"best_ode_over_exact_1e6", 30, 40, "best solver at error 1e-6 over exact", 0, 0},
    {"best_ode_over_exact_1e10", 60, 80, "best solver at error 1e-10 over exact", 0, 0},
    {"best_ode_over_exact_1e13", 90, 120, "best solver at error 1e-13 over exact", 0, 0},
    {"best_pointer_ode_over_gbs_strong_1e6", 7, 9, "solver as called over gbs, strong top", 3.5,
     4.5},
    {"best_pointer_ode_over_gbs_strong_1e10", 9, 11, "the same at error 1e-10", 4, 5.5},
    {"best_pointer_ode_over_gbs_strong_1e13", 10, 14, "the same at error 1e-13", 6.5, 8},
    {"best_ode_over_gbs_strong_1e6", 4, 6, "the same with inlined solvers", 2.5, 3.5},
    {"best_ode_over_gbs_strong_1e10", 4.5, 7, "the same at error 1e-10", 2.8, 4},
    {"best_ode_over_gbs_strong_1e13", 6, 9, "the same at error 1e-13", 4.5, 5.5},
    {"best_ode_over_gbs_callback_1e6", 1.5, 2.5, "torque asked for one by one", 0, 0},
    {"best_ode_over_gbs_callback_1e10", 1.9, 3.5, "the same at error 1e-10", 0, 0},
    {"best_ode_over_gbs_callback_1e13", 3, 5, "the same at error 1e-13", 0, 0},
    {"best_ode_over_gbs_weak_1e6", 2, 5, "best solver over gbs, weak top", 1.8, 2.4},
    {"best_ode_over_gbs_weak_1e10", 3, 7, "the same at error 1e-10", 2.2, 3},
    {"best_ode_over_gbs_weak_1e13", 3.8, 8, "the same at error 1e-13", 2.6, 3.5},
    {"best_ode_over_gbs_wall_1e10", 2, 4, "best solver over gbs, soft wall", 1.7, 2.4},
    {"fused_over_batch_exact", 0.9, 1, "products fused over rounded, in a batch", 0, 0},
    {"fused_over_batch_dmv8", 0.9, 1, "the same for dmv8", 0, 0},
    {"fused_over_batch_mr", 0.85, 1, "the same for mr", 0, 0},
    {"fused_over_exact", 0.95, 1, "the same for a step of exact", 0, 0},
    {"pair_peak_share", 0.40, 0.45, "pair kernel's share of FMA peak", 0, 0},
    {"scalar_over_simd_pair", 4, 5.5, "plain loop over pair kernel", 1, 1.4},
    {"single_over_ensemble", 3.5, 5, "gbs one by one over an ensemble", 1.7, 2},
    {"best_ode_over_ensemble", 7, 9, "best solver over an ensemble", 2.6, 3},
    {"threads2_ensemble", 1.9, 2, "one thread over two, ensemble", 0, 0},
    {"fixed_single_over_ensemble", 4, 5, "fixed steps one by one over an ensemble", 2.4, 3},
    {"direct_over_averaged", 1e4, 2e4, "gbs over averaged, weak torque over 1/eps, eps = 1e-6", 0,
     0},
    {"best_ode_kicks_over_weak_1e6", 5, 5, "solver's right-hand sides over our kicks", 0, 0},
    {"best_ode_kicks_over_weak_1e10", 4, 4, "the same at error 1e-10", 0, 0},
    {"step_over_engine_0.1", 4.5, 3.5, "polhode_step over an engine's step, 0.1 rad", 0, 0},
    {"step_over_engine_1", 6, 5, "the same, 1 rad", 0, 0},
    {"stepf_over_engine_0.1", 5, 4, "polhode_stepf over an engine's float step, 0.1 rad", 0, 0},
    {"stepf_over_engine_1", 7, 6, "the same, 1 rad", 0, 0},
    {"engine_error_over_step_0.1", 1e6, 1e9, "error of an engine's step over polhode_step's", 0, 0},
};

#define GOALS (sizeof goals / sizeof goals[0])

static bool downward(const struct goal *g)
{
    return g->aim < g->goal;
}

/* The doubles in a vector of the machine of a report: eight, four or two. */
static int width_of(const json_t *json)
{
    const char *set =
        json_string_value(json_object_get(json_object_get(json, "machine"), "instructions"));
    if (set == NULL || strcmp(set, "avx512") == 0)
        return 8;
    return strcmp(set, "avx2") == 0 ? 4 : 2;
}

/* The goal for that width. */
static struct goal goal_on(const json_t *json, const struct goal *g)
{
    const int width = width_of(json);
    struct goal here = *g;
    if (g->narrow == 0.0 || width == 8)
        return here;
    if (width == 2)
        here.goal = g->narrow;
    else
        here.goal = sqrt(g->goal * g->narrow);
    if (width == 2)
        here.aim = g->narrow_aim;
    else
        here.aim = sqrt(g->aim * g->narrow_aim);
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
    if (json_is_number(value))
        return json_number_value(value);
    return NAN;
}

/* What follows a verdict. */
static const char *noise(const json_t *json, const char *name)
{
    return number(json, "ratio_spreads", name) > NOISY ? ", noisy" : "";
}

static const char *relation(const struct goal *g)
{
    return downward(g) ? "<=" : ">=";
}

void report_print_goals(const json_t *json)
{
    printf("\nThe goals are those for vectors of %d doubles, where their width counts (w).\n",
           width_of(json));
    printf("%-38s %9s %9s %9s    %s\n", "ratio", "value", "goal", "aim", "reached");
    for (size_t i = 0; i < GOALS; i++) {
        const struct goal here = goal_on(json, &goals[i]), *g = &here;
        const double value = number(json, "ratios", g->name);
        if (json_object_get(json_object_get(json, "ratios"), g->name) == NULL)
            continue;
        printf("%-38s %9.3g %s %6.4g %9.4g %c  %s%s\n", g->name, value, relation(g), g->goal,
               g->aim, g->narrow == 0.0 ? ' ' : 'w', verdict(g, value), noise(json, g->name));
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
        printf(" | %s %g | %g | %s%s | %s |\n", relation(g), g->goal, g->aim, verdict(g, value),
               noise(json, g->name), g->meaning);
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
