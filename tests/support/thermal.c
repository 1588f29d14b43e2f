/* thermal.c - systems at a temperature, and their densities. */
#include "tests/support/thermal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "system/find.h"

ph_system *warm(const char *problem, const char *method, double temperature, double friction,
                double seed, double step)
{
    ph_system *s = NULL;
    ph_message why = {0};
    const ph_setting set[] = {
        {"temperature", &temperature, 1}, {"friction", &friction, 1}, {"seed", &seed, 1}};
    const ph_system_settings with = {problem,         .integrator = method, .step = step,
                                     .settings = set, .setting_count = 3,   .message = &why};
    if (ph_system_create(&with, &s) != PH_OK)
        fail_msg("%s on %s: %s", method, problem, why.text);
    return s;
}

enum { CLASSES = 20, HALF_PERIOD = 50 };

typedef struct density {
    double strength, J[3];
    double count[CLASSES], second[3], fourth[3];
    size_t samples;
} density;

static bool collect(void *context, ph_system *s)
{
    density *d = context;
    const ph_state now = ph_system_state(s);
    const double m[3] = {now.m.x, now.m.y, now.m.z};
    double kinetic = 0.0;
    for (int k = 0; k < 3; k++) {
        const double x = m[k] * m[k] / d->J[k];
        kinetic += 0.5 * x;
        d->second[k] += x;
        d->fourth[k] += x * x;
    }
    const double u = (ph_system_energy(s) - kinetic) / d->strength;
    const int class = (int)floor(0.5 * CLASSES * (u + 1.0));
    assert_true(class >= 0 && class < CLASSES);
    d->count[class]++;
    d->samples++;
    return true;
}

void check_density(const char *method, size_t samples)
{
    const ph_problem *p = find_problem("heavy_top");
    const double strength = p->value[ph_problem_parameter(p, "strength")->first], T = 0.5,
                 rate = sqrt(strength / p->body.J.z), h = 0.01 * 2.0 * PH_PI / rate;
    density d = {.strength = strength, .J = {p->body.J.x, p->body.J.y, p->body.J.z}};
    ph_system *s = warm("heavy_top", method, T, rate, 5, h);
    assert_int_equal(ph_system_run(s, 100 * HALF_PERIOD, NULL), PH_OK);
    assert_int_equal(
        ph_system_run(s, samples * HALF_PERIOD, &(ph_observer){collect, &d, .every = HALF_PERIOD}),
        PH_OK);
    ph_system_destroy(s);
    const double n = (double)d.samples, whole = 2.0 * sinh(strength / T) * T / strength;
    double chi2 = 0.0;
    for (int c = 0; c < CLASSES; c++) {
        const double low = -1.0 + 2.0 * c / CLASSES, high = low + 2.0 / CLASSES,
                     right = n * T / strength *
                             (exp(-strength * low / T) - exp(-strength * high / T)) / whole;
        chi2 += (d.count[c] - right) * (d.count[c] - right) / right;
    }
    /* samples half a period apart are not independent: chi2 of 19 has the deviation 6.2 */
    assert_true(chi2 < 70.0);
    for (int k = 0; k < 3; k++) {
        const double two = d.second[k] / n / T, four = d.fourth[k] / n / (T * T);
        assert_true(fabs(two - 1.0) < 5.0 * sqrt(2.0 / n) + 2e-3);
        assert_true(fabs(four - 3.0) < 5.0 * sqrt(96.0 / n) + 1e-2);
    }
    print_message("%s: chi2 %.1f of %d, temperatures %.4f %.4f %.4f\n", method, chi2, CLASSES - 1,
                  d.second[0] / n / T, d.second[1] / n / T, d.second[2] / n / T);
}
