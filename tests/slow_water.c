/* slow_water.c - liquid water: its energy against published ones, and what is conserved.
 *
 * WAFB  Wang, Abel, Friesner, Berne, Thermodynamic properties of liquid water, J. Chem. Theory Comput. 5,
 *       2009, table 3.
 *
 * `slow_water STEPS` runs the chains of Nose and Hoover for so many steps.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "polhode/system.h"
#include "tests/support/thermal.h"

enum { MOLECULES = 216 };
static const double BOLTZMANN = 0.00831446261815324;
static uint64_t chain_steps = 20000;

/* Means of an observable over the first and the second half of a run, and its extremes. */
typedef struct halves {
    const char *name;
    double sum[2], low, high;
    uint64_t steps, taken;
} halves;

static bool collect(void *context, ph_system *s)
{
    halves *h = context;
    const ph_observable *o;
    assert_int_equal(ph_system_observable_named(s, h->name, &o), PH_OK);
    const double x = o->now[0];
    h->low = smaller_or_nan(h->low, x);
    h->high = larger_or_nan(h->high, x);
    h->sum[2 * h->taken >= h->steps] += x;
    h->taken++;
    return true;
}

static halves run_halves(ph_system *s, const char *observable, uint64_t steps)
{
    halves h = {observable, {0, 0}, INFINITY, -INFINITY, steps, 0};
    assert_int_equal(ph_system_run(s, steps, &(ph_observer){collect, &h, .every = 1}), PH_OK);
    assert_true(h.taken >= steps);
    h.sum[0] /= 0.5 * (double)steps;
    h.sum[1] /= (double)h.taken - 0.5 * (double)steps;
    return h;
}

static ph_system *water(const char *method, double model, double step)
{
    ph_system *s = NULL;
    ph_message why = {0};
    const double T = 300.0, seed = 3, molecules = MOLECULES;
    const ph_setting set[] = {{"molecules", &molecules, 1},
                              {"model", &model, 1},
                              {"seed", &seed, 1},
                              {"temperature", &T, 1}};
    const bool warm = strncmp(method, "verlet", 6) != 0;
    if (ph_system_create(&(ph_system_settings){"water", .integrator = method, .step = step,
                                               .settings = set, .setting_count = warm ? 4 : 3,
                                               .message = &why},
                         &s) != PH_OK)
        fail_msg("%s", why.text);
    return s;
}

/* The places and momenta of another system. */
static void put_state(ph_system *s, const ph_system *from)
{
    static const char *const names[] = {"positions", "momenta", "attitudes", "angular_momenta"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        const ph_array *a, *b;
        assert_int_equal(ph_system_array_named(s, names[n], &a), PH_OK);
        assert_int_equal(ph_system_array_named(from, names[n], &b), PH_OK);
        for (int k = 0; k < a->width; k++)
            memcpy(a->data[k], b->data[k], a->count * sizeof(double));
    }
    assert_int_equal(ph_system_changed(s), PH_OK);
}

/* The liquid after some time. */
static ph_system *liquid(double model)
{
    ph_system *s = water("baoab+exact", model, 0.004);
    assert_int_equal(ph_system_run(s, 5000, NULL), PH_OK);
    return s;
}

/* WAFB, at 298 K and their densities, by Ewald's sums, without corrections for polarisation. The
 * cut-off, without what is beyond it of Lennard-Jones, changes some tenths. */
static void test_liquid(void **state)
{
    (void)state;
    static const double kcal[] = {-11.08, -9.49, -9.85};
    for (int model = 0; model < 3; model++) {
        ph_system *s = liquid(model);
        const halves U = run_halves(s, "potential", 8000);
        const double mean = 0.5 * (U.sum[0] + U.sum[1]) / MOLECULES;
        print_message("model %d: %.2f kJ/mol, published %.2f\n", model, mean, 4.184 * kcal[model]);
        assert_true(fabs(mean - 4.184 * kcal[model]) < 0.8);
        ph_system_destroy(s);
    }
}

static void drift(const char *method, const char *observable, double step, uint64_t steps,
                  double most, double widest)
{
    ph_system *from = liquid(0), *s = water(method, 0, step);
    put_state(s, from);
    ph_system_destroy(from);
    const halves E = run_halves(s, observable, steps);
    ph_system_destroy(s);
    const double unit = MOLECULES * BOLTZMANN * 300.0, ns = 0.5 * 1e-3 * step * (double)steps,
                 slope = (E.sum[1] - E.sum[0]) / unit / ns;
    print_message("%s at %g fs, %llu steps: drift %.3g kT per molecule and ns, within %.2g\n",
                  method, 1e3 * step, (unsigned long long)steps, slope, (E.high - E.low) / unit);
    assert_true(fabs(slope) < most);
    assert_true((E.high - E.low) / unit < widest);
}

static void test_energy(void **state)
{
    (void)state;
    drift("verlet+exact", "energy", 0.001, 20000, 0.02, 0.01);
}

static void test_chain(void **state)
{
    (void)state;
    drift("nose_hoover+exact", "conserved_energy", 0.004, chain_steps, 0.1, 0.2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_liquid), cmocka_unit_test(test_energy),
                                       cmocka_unit_test(test_chain)};
    if (argc > 1)
        chain_steps = strtoull(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
