/* slow_spheres.c - the long runs of O11, Figures 7.1, 7.2, 7.4, 7.5, 7.7, 7.8: h = 0.01
 * to T = 200.
 *
 * Known from runs in binary128. On the pendulum the numbers are met within a fifth; the
 * double pendulum and the needles are chaotic, where the energy error is met within a
 * factor of three and q.w within four. A slope is "none" below its noise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kinds/spheres/spheres_list.h"
#include "motion/vec.h"
#include "support/sphere_runs.h"
#include "system/find.h"

static const struct {
    const char *problem, *method;
    double factor, E0, energy; /* max |E - E0|, met within the factor */
    double lost;               /* max |L - L0|, likewise; below 1e-11: at most 1e-12 */
    double orthogonality;      /* max |q.w|, met within four; below 1e-12: at most that */
} KNOWN[] = {
    {"pendulum", "eln", 1.2, 1.34477543699909, 1.06e-4, 4e-13, 1e-13},
    {"pendulum", "rkmk4", 1.2, 1.34477543699909, 1.29e-6, 4.5e-7, 9.7e-8},
    {"pendulum", "rkmkgl4", 1.2, 1.34477543699909, 1.75e-8, 6e-9, 1.4e-9},
    {"pendulum", "rattle", 1.2, 1.34477543699909, 1.94e-4, 3e-13, 1e-14},
    {"pendulum", "llm", 1.2, 1.34477543699909, 1.94e-4, 3e-13, 1e-14},
    {"double_pendulum", "eln", 3, -3.28043923777948, 7.7e-2, 7.5e-3, 1e-12},
    {"double_pendulum", "rkmk4", 3, -3.28043923777948, 1.6e-3, 6.3e-4, 4.5e-5},
    {"double_pendulum", "rkmkgl4", 3, -3.28043923777948, 1.5e-5, 6.9e-6, 1.2e-6},
    {"double_pendulum", "rattle", 3, -3.28043923777948, 6.5e-2, 4e-13, 1e-14},
    {"double_pendulum", "llm", 3, -3.28043923777948, 6.5e-2, 4e-13, 1e-14},
    {"magnets", "eln", 3, -1.24596636448313e-3, 3.2e-6, 0, 1e-12},
    {"magnets", "rkmk4", 3, -1.24596636448313e-3, 2.5e-6, 0, 7.2e-4},
    {"magnets", "rkmkgl4", 3, -1.24596636448313e-3, 2.0e-9, 0, 6.5e-5},
    {"magnets", "rattle", 3, -1.24596636448313e-3, 4.0e-6, 0, 1e-14},
    {"magnets", "llm", 3, -1.24596636448313e-3, 4.0e-6, 0, 1e-14},
};

static bool near(double value, double known, double factor)
{
    return value < known * factor && value > known / factor;
}

static void test_long_runs(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof KNOWN / sizeof KNOWN[0]; k++) {
        const ph_spheres_problem *p = find_spheres_problem(KNOWN[k].problem);
        sphere_run r = sphere_run_new(KNOWN[k].method, p);
        ph_system *s = sphere_system(&r, 0.01);
        ph_system_watch(s, true);
        assert_int_equal(PH_OK, ph_system_run(s, 20000, NULL));
        const ph_energy_record energy = ph_system_energy_record(s);
        size_t count; /* energy, invariants, |q|, q.w */
        const ph_observable *o = ph_system_observables(s, &count);
        const double lost = p->invariant_count > 0 ? o[1].error : 0.0, length = o[count - 2].error,
                     across = o[count - 1].error;
        print_message("%-16s %-8s dE %.3g, at the end %+.3g; dL %.2g; |q| %.1g; q.w %.2g\n",
                      p->name, KNOWN[k].method, energy.largest_error, energy.last - energy.first,
                      lost, length, across);
        assert_true(fabs(energy.first / KNOWN[k].E0 - 1) < 1e-13);
        assert_true(length < 3e-14);
        assert_true(near(energy.largest_error, KNOWN[k].energy, KNOWN[k].factor));
        if (KNOWN[k].lost > 1e-11)
            assert_true(near(lost, KNOWN[k].lost, KNOWN[k].factor));
        else
            assert_true(lost < 1e-12);
        if (KNOWN[k].orthogonality > 1e-11)
            assert_true(near(across, KNOWN[k].orthogonality, 4));
        else
            assert_true(across < KNOWN[k].orthogonality);
        ph_system_destroy(s);
        sphere_run_free(&r);
    }
}

/* The slopes of the energy on the pendulum: none for eln and rattle, -6.45e-9 for rkmk4,
 * -8.7e-11 for rkmkgl4. */
static void test_pendulum_drift(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double slope;
    } known[] = {{"rkmk4", -6.45e-9}, {"rkmkgl4", -8.7e-11}};
    for (size_t k = 0; k < 2; k++) {
        sphere_run r = sphere_run_new(known[k].method, find_spheres_problem("pendulum"));
        const double before = ph_spheres_energy(r.s, r.q, r.w);
        sphere_run_steps(&r, 0.01, 20000);
        const double slope = (ph_spheres_energy(r.s, r.q, r.w) - before) / 200;
        assert_true(near(-slope, -known[k].slope, 1.1));
        sphere_run_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_runs),
        cmocka_unit_test(test_pendulum_drift),
    };
    return cmocka_run_group_tests_name("long runs on spheres", tests, NULL, NULL);
}
