/* test_system_derivatives.c - derivatives of runs in a field: against differences of whole
 * runs, for every problem and every kind of integrator that has them; and identities. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "integrators/tangent.h"
#include "polhode/measure.h"
#include "polhode/system.h"
#include "rotation/vec.h"
#include "system/find.h"

enum { ALL = PH_BY_START | PH_BY_INERTIA | PH_BY_PARAMETERS, SETTINGS = 40 };

/* A run as numbers that can be changed one by one, in the order of the columns. */
typedef struct study {
    const char *problem, *integrator;
    const ph_problem *own; /* instead of the name */
    double h, tolerance;
    uint64_t steps;
    double q[4], m[3], J[6];
    const ph_parameter *parameters;
    size_t parameter_count;
    double value[PH_PARAMETER_VALUES];
} study;

static ph_system *system_of(const study *x, unsigned derivatives)
{
    ph_setting set[SETTINGS] = {
        {"attitude", x->q, 4}, {"momentum", x->m, 3}, {"tensor", x->J, 6}};
    size_t count = 3;
    for (size_t i = 0; i < x->parameter_count; i++)
        set[count++] =
            (ph_setting){x->parameters[i].name, x->value + x->parameters[i].first,
                         (size_t)x->parameters[i].count};
    ph_message why = {.text = ""};
    const ph_system_settings with = {.problem = x->own ? NULL : x->problem,
                                     .own_problem = x->own,
                                     .integrator = x->integrator,
                                     .step = x->h,
                                     .tolerance = x->tolerance,
                                     .settings = set,
                                     .setting_count = count,
                                     .derivatives = derivatives,
                                     .message = &why};
    ph_system *s;
    if (ph_system_create(&with, &s) != PH_OK)
        fail_msg("%s %s: %s", x->problem, x->integrator, why.text);
    return s;
}

static void run(ph_system *s, const study *x)
{
    const ph_status status = x->tolerance > 0.0
                                 ? ph_system_run_until(s, x->h * (double)x->steps, NULL)
                                 : ph_system_run(s, x->steps, NULL);
    assert_int_equal(PH_OK, status);
}

static ph_state end_of(const study *x)
{
    ph_system *s = system_of(x, 0);
    run(s, x);
    const ph_state end = ph_system_state(s);
    ph_system_destroy(s);
    return end;
}

/* A study of the catalog's problem, in axes that are not principal. */
static study study_of(const char *problem, const char *integrator, double radians,
                      double tolerance)
{
    const ph_problem *p = find_problem(problem);
    const ph_state start = ph_problem_start(p);
    const double rate = larger_or_nan(norm_max(p->w), 1e-3);
    study x = {.problem = problem,
               .integrator = integrator,
               .steps = 12,
               .tolerance = tolerance,
               .h = radians / rate / 12};
    memcpy(x.q, &start.q, sizeof x.q);
    memcpy(x.m, &start.m, sizeof x.m);
    memcpy(x.J, &p->body.J, 3 * sizeof(double));
    for (int k = 0; k < 3; k++)
        x.J[3 + k] = (0.03 + 0.02 * k) * x.J[k];
    x.parameters = p->parameters;
    x.parameter_count = (size_t)p->parameter_count;
    memcpy(x.value, p->value, sizeof x.value);
    return x;
}

/* The number of a study that a column is by, moved by d. */
static study moved(const study *x, int by, double d)
{
    study y = *x;
    if (by < BY_MOMENTUM) {
        const ph_vec3 turn = {d * (by == 0), d * (by == 1), d * (by == 2)};
        const ph_quat q =
            mul((ph_quat){x->q[0], x->q[1], x->q[2], x->q[3]}, ph_exp(turn));
        memcpy(y.q, &q, sizeof y.q);
    } else if (by < BY_INERTIA) {
        y.m[by - BY_MOMENTUM] += d;
    } else if (by < BY_PARAMETERS) {
        y.J[by - BY_INERTIA] += d;
    } else {
        y.value[by - BY_PARAMETERS] += d;
    }
    return y;
}

static double size_of(const study *x, int by)
{
    double size = 1.0;
    if (by >= BY_PARAMETERS)
        size = fabs(x->value[by - BY_PARAMETERS]) > 0 ? fabs(x->value[by - BY_PARAMETERS])
                                                      : 1.0;
    else if (by >= BY_INERTIA)
        size = x->J[0];
    else if (by >= BY_MOMENTUM)
        size = larger_or_nan(fabs(x->m[0]), larger_or_nan(fabs(x->m[1]), fabs(x->m[2])));
    return size;
}

/* The derivative of the end by differences of order 6, as a rotation and a change of m. */
static void difference(const study *x, int by, double d, ph_vec3 out[2])
{
    static const double WEIGHT[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const ph_state end = end_of(x);
    out[0] = out[1] = vec3(0, 0, 0);
    for (int k = 1; k <= 3; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            const study y = moved(x, by, sign * k * d);
            const ph_state there = end_of(&y);
            const double w = sign * WEIGHT[k - 1] / d;
            out[0] = add(out[0], scale(w, ph_log(mul(inverse(end.q), there.q))));
            out[1] = add(out[1], scale(w, sub(there.m, end.m)));
        }
    }
}

/* How far the columns are from differences, over the size of what they are by. */
static void compare_with_differences(const study *x, double allowed)
{
    ph_system *s = system_of(x, ALL);
    run(s, x);
    const double momentum = size_of(x, BY_MOMENTUM);
    size_t count = 0;
    int what[TANGENT_COLUMNS];
    for (; count < BY_PARAMETERS; count++)
        what[count] = (int)count;
    for (size_t i = 0; i < x->parameter_count; i++) {
        for (int k = 0; k < x->parameters[i].count; k++)
            what[count++] = BY_PARAMETERS + x->parameters[i].first + k;
    }
    assert_int_equal(count, ph_system_derivative_count(s));
    for (size_t c = 0; c < count; c++) {
        ph_derivative_column column;
        ph_vec3 by_differences[2];
        assert_int_equal(PH_OK, ph_system_derivative(s, c, &column));
        /* a parameter at the end of its range, and one that is whole */
        if (strcmp(column.name, "eccentricity") == 0 ||
            strcmp(column.name, "seed") == 0 || strcmp(column.name, "damping") == 0 ||
            strncmp(column.name, "wheels", 6) == 0 || strcmp(column.name, "energy") == 0)
            continue;
        const int by = what[c];
        const double size = size_of(x, by),
                     large = size * (norm_max(column.attitude) +
                                     norm_max(column.momentum) / momentum);
        difference(x, by, 1e-3 * size / (1.0 + large), by_differences);
        const double e = size * norm_max(sub(column.attitude, by_differences[0])),
                     f = size / momentum *
                         norm_max(sub(column.momentum, by_differences[1]));
        if (!(larger_or_nan(e, f) <= allowed * (1.0 + large)))
            fail_msg("%s, %s by %s: %g, %g of %g", x->problem, x->integrator, column.name,
                     e, f, large);
    }
    ph_system_destroy(s);
}

/* Every problem, by a splitting of each kind and by every method that chooses its steps. */
static void test_differences(void **state)
{
    (void)state;
    size_t problems, adaptives;
    const ph_problem *const *all = ph_problems(&problems);
    const ph_adaptive *const *chosen = ph_adaptives(&adaptives);
    for (size_t i = 0; i < problems; i++) {
        const bool free_body = all[i]->torque == NULL && all[i]->internal == NULL;
        const char *const splittings[] = {"srkn6_14a+exact", "nystrom4+exact",
                                          free_body ? "exact" : "verlet+exact@yoshida4"};
        for (int k = 0; k < 3 && all[i]->internal == NULL; k++) {
            const study x = study_of(all[i]->name, splittings[k], 1.5, 0.0);
            compare_with_differences(&x, 1e-8);
        }
        for (size_t k = 0; k < adaptives; k++) {
            const study x = study_of(all[i]->name, chosen[k]->name, 1.5, 1e-13);
            compare_with_differences(&x, 1e-8);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
