/* slow_methods.c - the long runs of the papers: energy drift in O11's well (figure 4.1),
 * and the energy in Krysl's soft wall (figures 4 and 5).
 *
 * The numbers were measured with other programs. Where a motion is chaotic, so that its
 * digits depend on round-off, only bounds and signs are compared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "lab/measure/properties.h"
#include "motion/vec.h"
#include "support/stepping.h"
#include "system/find.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const double LENGTH = 10000, LONG_STEP = 0.25, SHORT_STEP = 0.125;

static ph_trend trend_of(const char *name, const ph_problem *p, double h)
{
    const ph_integrator i = integrator_of(name);
    ph_trend trend;
    if (ph_energy_trend(&i, p, h, (uint64_t)round(LENGTH / h), &trend) != PH_OK)
        fail_msg("%s: the run with h = %g failed", name, h);
    return trend;
}

/* ---- O11 figure 4.1 -------------------------------------------------------------- */

static const double SLOPE_TOLERANCE = 0.02, DEVIATION_TOLERANCE = 0.1;

typedef struct drift {
    const char *name;
    double slope, largest; /* and the largest deviation of the energy */
} drift;

static void check_drifts(double h, const drift *rows, size_t count)
{
    const ph_problem *p = find_problem("well");
    assert_non_null(p);
    const ph_state s = ph_problem_start(p);
    const double start = ph_problem_energy(p, 0.0, &s);
    assert_true(fabs(start - 0.670245380281135) < 1e-14);
    for (size_t i = 0; i < count; i++) {
        const ph_trend e = trend_of(rows[i].name, p, h);
        const bool right = fabs(e.slope / rows[i].slope - 1) < SLOPE_TOLERANCE &&
                           fabs(e.max_error / rows[i].largest - 1) < DEVIATION_TOLERANCE;
        if (!right || !e.drifts)
            fail_msg("%s, h = %g: slope %.4g, deviation %.3g, not %.4g, %.3g", rows[i].name, h,
                     e.slope, e.max_error, rows[i].slope, rows[i].largest);
    }
}

static void energy_drifts_with_the_short_step(void **state)
{
    (void)state;
    static const drift ROWS[] = {
        {"eln", -1.055e-6, 1.22e-2},  {"tln", -1.590e-6, 1.80e-2},    {"prk", -1.697e-6, 1.84e-2},
        {"mcg", 5.688e-7, 6.65e-3},   {"new3", 5.686e-7, 6.34e-3},    {"liemid", 1.423e-7, 2.35e-3},
        {"trap", 3.54e-7, 3.9e-3},    {"imid", 3.59e-7, 4.5e-3},      {"trapm", -7.35e-7, 8.9e-3},
        {"imidm", -7.37e-7, 7.5e-3},  {"swc1", 3.68e-7, 4.6e-3},      {"akw", -1.31e-6, 1.5e-2},
        {"bbtrap", -4.42e-7, 6.0e-3}, {"bbtrapwd", -4.09e-6, 4.2e-2},
    };
    check_drifts(SHORT_STEP, ROWS, COUNT(ROWS));
}

/* imid, tln and akw are chaotic with this step. */
static void energy_drifts_with_the_long_step(void **state)
{
    (void)state;
    static const drift ROWS[] = {
        {"eln", -4.040e-6, 4.77e-2},  {"prk", -6.496e-6, 7.09e-2},    {"mcg", 2.291e-6, 2.77e-2},
        {"new3", 2.288e-6, 2.58e-2},  {"liemid", 5.739e-7, 9.63e-3},  {"trap", 2.84e-6, 3.1e-2},
        {"trapm", -1.27e-6, 2.1e-2},  {"imidm", -1.28e-6, 1.4e-2},    {"swc1", 2.21e-6, 2.7e-2},
        {"bbtrap", -7.18e-7, 1.4e-2}, {"bbtrapwd", -2.23e-5, 2.3e-1},
    };
    check_drifts(LONG_STEP, ROWS, COUNT(ROWS));
}

static void chaotic_with_the_long_step(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"tln", "imid", "akw"};
    const ph_problem *p = find_problem("well");
    assert_non_null(p);
    for (size_t i = 0; i < COUNT(NAMES); i++) {
        const ph_trend e = trend_of(NAMES[i], p, LONG_STEP);
        assert_true(e.max_error < 0.2 * e.initial && fabs(e.slope) < 2e-5);
    }
}

/* The symplectic ones do not drift. */
static void no_drift(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double slope[2], largest[2]; /* bounds, with the short and the long step */
    } ROWS[] = {
        {"vlv", {1.5e-10, 8e-10}, {1.4e-3, 5.6e-3}},
        {"vlv_exp", {5e-11, 2e-10}, {1.6e-3, 6.2e-3}},
        {"saccon", {5e-11, 2e-10}, {1.6e-3, 6.2e-3}},
        {"rattle", {5e-11, 2e-10}, {1.6e-3, 6.2e-3}},
        {"verlet+mr", {5e-11, 2e-10}, {1.6e-3, 6.2e-3}},
        {"verlet+exact", {5e-11, 2e-10}, {1.6e-3, 6.2e-3}},
    };
    const ph_problem *p = find_problem("well");
    assert_non_null(p);
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        for (int k = 0; k < 2; k++) {
            const double h = k == 0 ? SHORT_STEP : LONG_STEP;
            const ph_trend e = trend_of(ROWS[i].name, p, h);
            if (!(!e.drifts && fabs(e.slope) < ROWS[i].slope[k] &&
                  e.max_error < ROWS[i].largest[k]))
                fail_msg("%s, h = %g: slope %.3g, deviation %.3g", ROWS[i].name, h, e.slope,
                         e.max_error);
        }
    }
}

/* ---- Krysl's figures 4 and 5 ----------------------------------------------------- */

static const double WALL_STEP = 0.5;
enum { WALL_STEPS = 40000 };
#define IRREGULAR 3e-2

/* Of the energy, relative to that at the start. */
typedef struct range {
    double start, least, largest;
    uint64_t steps; /* made */
} range;

static bool watch(void *context, ph_system *s)
{
    range *r = context;
    const double energy = ph_system_energy(s) / r->start;
    r->least = smaller_or_nan(r->least, energy);
    r->largest = larger_or_nan(r->largest, energy);
    return true;
}

static range range_of(const char *name, const ph_problem *p, double h, uint64_t steps)
{
    const ph_integrator i = integrator_of(name);
    ph_state s = ph_problem_start(p);
    range r = {ph_problem_energy(p, 0.0, &s), 1, 1, 0};
    const ph_observer o = {.observe = watch, .context = &r, .every = 1};
    (void)ph_run_body(&i, p, &s, h, steps, 0, &o, &r.steps);
    return r;
}

/* How far the energy goes in irregular motions depends on round-off; in the others it is
 * the same to three digits. */
static void energy_at_the_soft_wall(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double least, largest, tolerance;
    } ROWS[] = {
        {"trap", 0.9909, 1.0064, 2e-4},         {"imid", 0.9991, 1.0069, 2e-4},
        {"trapm", 0.9877, 1.0059, 2e-4},        {"imidm", 0.9969, 1.0052, 2e-4},
        {"swc1", 0.997, 1.05, IRREGULAR},       {"vlv", 0.972, 1.005, 2e-3},
        {"saccon", 0.9973, 1.0058, 5e-4},       {"rattle", 0.996, 1.044, IRREGULAR},
        {"verlet+mr", 0.984, 1.038, IRREGULAR}, {"new3", 0.986, 1.011, 2e-3},
        {"liemid", 0.984, 1.043, IRREGULAR},    {"mcg", 0.989, 1.044, IRREGULAR},
    };
    const ph_problem *p = find_problem("soft_wall");
    assert_non_null(p);
    const ph_state s = ph_problem_start(p);
    assert_true(fabs(ph_problem_energy(p, 0.0, &s) - 2.58730098778) < 1e-11);
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        const range e = range_of(ROWS[i].name, p, WALL_STEP, WALL_STEPS);
        if (!(e.steps == WALL_STEPS && fabs(e.least - ROWS[i].least) < ROWS[i].tolerance &&
              fabs(e.largest - ROWS[i].largest) < ROWS[i].tolerance))
            fail_msg("%s: [%.4f, %.4f] after %ld steps, not [%.4f, %.4f]", ROWS[i].name, e.least,
                     e.largest, e.steps, ROWS[i].least, ROWS[i].largest);
    }
}

/* akw and bbtrap leave the energy surface and fall into the core, where the paper has
 * them irregular and bounded. */
static void two_fall_into_the_core(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"akw", "bbtrap"};
    const ph_problem *p = find_problem("soft_wall");
    assert_non_null(p);
    for (size_t i = 0; i < COUNT(NAMES); i++) {
        const range e = range_of(NAMES[i], p, WALL_STEP, WALL_STEPS);
        assert_true(e.least < 0.8 || e.largest > 1.2 || e.steps < WALL_STEPS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_drifts_with_the_short_step),
        cmocka_unit_test(energy_drifts_with_the_long_step),
        cmocka_unit_test(chaotic_with_the_long_step),
        cmocka_unit_test(no_drift),
        cmocka_unit_test(energy_at_the_soft_wall),
        cmocka_unit_test(two_fall_into_the_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
