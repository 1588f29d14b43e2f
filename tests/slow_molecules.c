/* slow_molecules.c - long runs of molecules, many molecules, and what a cut-off costs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "base/random.h"
#include "kinds/molecules/system.h"
#include "motion/vec.h"
#include "polhode/system.h"
#include "support/ewald.h"
#include "support/molecules.h"
#include "support/stepping.h"

/* A fluid: 64 bodies in a box or in open space, different or alike, moving. */
static ph_molecules *fluid(bool alike, double edge)
{
    ph_molecules *s = lattice_of(4, 1.5, 0.02);
    if (!alike)
        mix_bodies(s, 11);
    uint64_t seed = 5;
    for (size_t i = 0; i < s->n; i++) {
        for (int k = 0; k < 3; k++) {
            s->p[k][i] = between(&seed, -1.0, 1.0);
            s->m[k][i] = between(&seed, -1.0, 1.0);
        }
    }
    if (edge > 0.0)
        put_in_box(s, vec3(edge, edge, edge), 0.5 * edge, 10.0);
    else
        assert_int_equal(PH_OK, ph_molecules_prepare(s, NULL));
    return s;
}

/* The fluid as a system that verlet moves. */
static ph_system *moving(ph_molecules *m, double h)
{
    const ph_integrator verlet = integrator_of("verlet+exact");
    ph_system *s = NULL;
    assert_int_equal(PH_OK, system_from_molecules(m, &verlet, h, &s));
    return s;
}

static const ph_observable *observable(ph_system *s, const char *name)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    while (count > 0 && strcmp(o->name, name) != 0)
        o++, count--;
    assert_true(count > 0);
    return o;
}

static void test_momentum(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        ph_system *s = moving(fluid(i % 2 == 0, i < 2 ? 0.0 : 6.0), 0.002);
        ph_system_watch(s, true);
        assert_int_equal(PH_OK, ph_system_run(s, 10000, NULL));
        const double worst = observable(s, "momentum")->error;
        print_message("momentum, %s: %.1e of the sum of |p|\n", i < 2 ? "open" : "in a box", worst);
        assert_true(worst < 1e-13);
        ph_system_destroy(s);
    }
}

/* Energy of 20 blocks of steps, one after the other. */
enum { BLOCKS = 20 };
typedef struct energy_watch {
    uint64_t steps;
    double start, worst, mean[BLOCKS];
} energy_watch;

static bool watch_energy(void *context, ph_system *s)
{
    energy_watch *w = context;
    const uint64_t step = ph_system_steps(s);
    const double e = ph_system_energy(s);
    if (step == 0) {
        w->start = e;
        return true;
    }
    const uint64_t block = (step - 1) * BLOCKS / w->steps;
    w->mean[block] += (e - w->start) * BLOCKS / (double)w->steps;
    w->worst = larger_or_nan(w->worst, fabs(e - w->start));
    return true;
}

/* No drift: the slope through the block means is within six of its standard errors, or
 * moves the energy by less than 2 % of its largest error. */
static void test_energy(void **state)
{
    (void)state;
    ph_system *s = moving(fluid(true, 6.0), 0.001);
    energy_watch w = {.steps = 100000};
    const ph_observer o = {.observe = watch_energy, .context = &w, .every = 1};
    assert_int_equal(PH_OK, ph_system_run(s, w.steps, &o));
    double mean = 0.0, slope = 0.0, spread = 0.0, left = 0.0;
    for (int i = 0; i < BLOCKS; i++)
        mean += w.mean[i] / BLOCKS;
    for (int i = 0; i < BLOCKS; i++) {
        const double x = i - 0.5 * (BLOCKS - 1);
        slope += x * (w.mean[i] - mean);
        spread += x * x;
    }
    slope /= spread;
    for (int i = 0; i < BLOCKS; i++) {
        const double x = i - 0.5 * (BLOCKS - 1), off = w.mean[i] - mean - slope * x;
        left += off * off;
    }
    const double error = sqrt(left / (BLOCKS - 2) / spread);
    print_message("energy %.6g: error at most %.1e, from the first block to the last "
                  "%.1e, standard error %.1e; temperature %.3g\n",
                  w.start, w.worst, slope * BLOCKS, error * BLOCKS,
                  observable(s, "temperature")->now[0]);
    assert_true(fabs(slope) < 6.0 * error || fabs(slope) * BLOCKS < 0.02 * w.worst);
    ph_system_destroy(s);
}

/* 10^5 bodies by cells: some of them against the sum over all. */
static void test_many(void **state)
{
    (void)state;
    ph_molecules *s = lattice_of(46, 1.3, 0.03);
    put_in_box(s, vec3(59.8, 59.8, 59.8), 3.0, 0.0);
    assert_int_equal(PAIRS_CUT, work_of(s)->law.kind);
    assert_true(pull_error(s, s->n / 50) < 1e-13);
    ph_molecules_destroy(s);
}

/* The reaction field against the sum over all images, in conducting surroundings: what a
 * cut-off costs, relative to the root mean square of forces and fields. */
static void test_reaction_field(void **state)
{
    (void)state;
    static const double cutoffs[] = {2.0, 3.0, 4.0, 5.0, 6.0};
    double before = INFINITY;
    print_message("cut-off   forces   torques   energy\n");
    for (size_t i = 0; i < sizeof cutoffs / sizeof cutoffs[0]; i++) {
        ph_molecules *s = lattice_of(10, 1.25, 0.05);
        s->constant[1] = 0.0; /* the dipoles alone */
        put_in_box(s, vec3(12.5, 12.5, 12.5), cutoffs[i], 0.0);
        const ewald_errors e = ewald_errors_of(s);
        print_message("%7.1f  %7.4f  %8.4f  %7.4f\n", cutoffs[i], e.force, e.torque, e.energy);
        assert_true(e.force < before);
        before = e.force;
        ph_molecules_destroy(s);
    }
    assert_true(before < 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_reaction_field),
    };
    return cmocka_run_group_tests_name("slow_molecules", tests, NULL, NULL);
}
