/* test_events.c - the windows in which conditions hold: against those of exact states at many times,
 * for all integrators; the derivatives and bounds that the search uses; bits of ensembles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "integrators/expression/graph.h"
#include "integrators/field.h"
#include "motion/vec.h"
#include "polhode/polhode.h"
#include "support/random.h"
#include "system/events.h"
#include "system/find.h"
#include "system/run_body.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const double PI = 3.14159265358979323846;

/* ---- systems ------------------------------------------------------------------------- */

static ph_system *made(const char *problem, const char *integrator, double step, double tolerance,
                       const ph_setting *settings, size_t count)
{
    ph_system *s;
    ph_message why = {0};
    const ph_system_settings with = {problem,
                                     .integrator = integrator,
                                     .step = step,
                                     .tolerance = tolerance,
                                     .settings = settings,
                                     .setting_count = count,
                                     .message = &why};
    if (ph_system_create(&with, &s) != PH_OK)
        fail_msg("%s by %s: %s", problem, integrator, why.text);
    return s;
}

/* A tumbling stage. */
static const double TENSOR[6] = {12000, 60000, 61000, 300, -500, 200};
static const double DEGREE = 3.14159265358979323846 / 180.0;

static ph_system *stage(const char *integrator, double step, double tolerance)
{
    const double spin[3] = {2 * DEGREE, 0.5 * DEGREE, -DEGREE};
    const ph_setting settings[] = {{"tensor", TENSOR, 6}, {"velocity", spin, 3}};
    return made("free", integrator, step, tolerance, settings, 2);
}

static ph_expression *condition_of(const ph_system *s, const char *text)
{
    ph_expression *c;
    ph_expression_error why;
    if (ph_system_expression(s, text, PH_EXPRESSION_CONDITION, &c, &why) != PH_OK)
        fail_msg("%s, column %d: %s", text, why.column, why.text);
    return c;
}

static ph_window_list windows_of(ph_system *s, double end, const char *text)
{
    ph_window_list list = {0};
    ph_expression *c = condition_of(s, text);
    ph_event event = {.condition = c};
    assert_int_equal(ph_system_events(s, end, NULL, &event, 1, &list), PH_OK);
    assert_int_equal(event.met, list.count > 0);
    ph_expression_destroy(c);
    return list;
}

/* ---- windows of exact states at many times -------------------------------------------- */

typedef struct exact_value {
    ph_motion motion;
    ph_body body;
    ph_expression *c;
} exact_value;

static double value_at(const exact_value *v, double t)
{
    ph_problem p = {.body = v->body};
    const ph_state s = ph_motion_at(&v->motion, t);
    return ph_expression_at(v->c, &p, t, &s);
}

static exact_value exact_of(const ph_system *s, const char *text)
{
    exact_value v = {.c = condition_of(s, text)};
    const ph_array *J, *axes;
    const ph_state start = ph_system_state(s);
    assert_int_equal(ph_system_array_named(s, "moments", &J), PH_OK);
    assert_int_equal(ph_system_array_named(s, "axes", &axes), PH_OK);
    v.body.J = (ph_vec3){*J->data[0], *J->data[1], *J->data[2]};
    v.body.axes = (ph_quat){*axes->data[0], *axes->data[1], *axes->data[2], *axes->data[3]};
    v.body.principal = axes->data[0][0] == 1.0;
    assert_int_equal(ph_motion_prepare(&v.motion, &v.body, &start), PH_OK);
    return v;
}

static double crossing(const exact_value *v, double from, double to)
{
    const bool was = value_at(v, from) > 0.0;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (from + to);
        *((value_at(v, middle) > 0.0) == was ? &from : &to) = middle;
    }
    return to;
}

/* All windows that n even times see are in the list. */
static void check_changes(const exact_value *v, const ph_window_list *list, double end, int n,
                          double tolerance, const char *name)
{
    size_t next = 0;
    bool was = value_at(v, 0.0) > 0.0;
    for (int i = 1; i <= n; i++) {
        const double before = end * (i - 1) / n, t = end * i / n;
        const bool is = value_at(v, t) > 0.0;
        if (is != was) {
            const double exactly = crossing(v, before, t);
            while (next < list->count && list->windows[next].leave < exactly - tolerance)
                next++; /* a narrow one, which is checked below */
            if (next >= list->count)
                fail_msg("%s: the change at %.9g is not found", name, exactly);
            const double found = is ? list->windows[next].enter : list->windows[next].leave;
            if (!(fabs(found - exactly) <= tolerance))
                fail_msg("%s: a change at %.9g, found at %.9g", name, exactly, found);
        }
        was = is;
    }
}

/* And each window of the list is one. */
static void check_windows(const exact_value *v, const ph_window_list *list, double end, int n,
                          double tolerance, const char *name)
{
    check_changes(v, list, end, n, tolerance, name);
    for (size_t i = 0; i < list->count; i++) {
        const ph_window *w = &list->windows[i];
        const double middle = w->extremum_time, margin = 1e-3 * (w->leave - w->enter),
                     sign = value_at(v, middle) > 0.0 ? 1.0 : -1.0;
        if (sign < 0.0 || !(w->enter <= middle && middle <= w->leave))
            fail_msg("%s: window %zu from %.12g to %.12g has its extremum at %.12g", name, i,
                     w->enter, w->leave, middle);
        for (int k = 0; k <= 20; k++) {
            const double t = w->enter + margin + (w->leave - w->enter - 2.0 * margin) * k / 20.0;
            assert_true(value_at(v, t) > 0.0 || w->leave - w->enter < 1e-5);
            assert_true(value_at(v, t) <= fabs(w->extremum) + 1e-9);
        }
        assert_true(fabs(fabs(w->extremum) - value_at(v, middle)) < 1e-9);
    }
}

static const char *const CONE =
    "angle([1,0,0], [-0.52052622892433398,-0.38158833040976015,-0.76383426939153765]) < ";

/* Cones of a sensor that the stage sweeps over in a part of a step. */
static void narrow_cones(void **state)
{
    (void)state;
    static const struct {
        const char *integrator;
        double step, tolerance;
    } by[] = {{"exact", 60.0, 0.0}, {"exact", 3600.0, 0.0}, {"exact", 1.0, 0.0},
              {"gbs", 0.0, 1e-12},  {"dop853", 0.0, 1e-12}, {"gauss16", 0.0, 1e-12}};
    static const struct {
        const char *angle;
        double first;
    } cones[] = {{"5deg", 106.6340368063}, {"2deg", 109.2010124046}, {"1deg", 110.0588311010}};
    for (size_t k = 0; k < COUNT(by); k++) {
        for (size_t i = 0; i < COUNT(cones); i++) {
            char text[200];
            (void)snprintf(text, sizeof text, "%s%s", CONE, cones[i].angle);
            ph_system *s = stage(by[k].integrator, by[k].step, by[k].tolerance);
            exact_value v = exact_of(s, text);
            ph_window_list list = windows_of(s, 3600.0, text);
            assert_true(list.count >= 8);
            assert_true(fabs(list.windows[0].enter - cones[i].first) < 1e-6);
            check_windows(&v, &list, 3600.0, 36000, 1e-6, by[k].integrator);
            ph_system_destroy(s);

            s = stage(by[k].integrator, by[k].step, by[k].tolerance);
            ph_event event = {.condition = v.c};
            assert_int_equal(ph_system_run_event(s, 3600.0, NULL, &event), PH_OK);
            assert_true(event.met && ph_system_time(s) == list.windows[0].enter);
            ph_system_destroy(s);
            ph_expression_destroy(v.c);
            ph_window_list_free(&list);
            assert_null(list.windows);
        }
    }
}

/* Conditions of bodies drawn at random, by exact motion in one step of many turns. */
static void random_conditions(void **state)
{
    (void)state;
    enum { BODIES = 40, TIMES = 20000 };
    static const char *const forms[] = {
        "%g*R11 + %g*R22 + %g*R33 > 1.2",    "%g*w1 + %g*w2*w3 + %g*w1^2 > 0.3",
        "%g*R13*R23 + %g*R31*w2 > 0.2*%g",   "abs(%g*R33 + %g*R12) < 0.01*%g",
        "max(%g*R13, %g*R21) > 0.98*%g",     "%g*sin(3*t)*R11 + %g*cos(t)*R32 > %g",
        "%g/(2 + R33) + %g*exp(R12) > 2*%g", "acos(R33) + 0*(%g + %g + %g) < 3deg"};
    uint64_t seed = 5;
    size_t windows = 0;
    for (int i = 0; i < BODIES; i++) {
        const ph_vec3 J = random_vector(&seed, 1.0, 1.9), w = random_vector(&seed, -1.0, 1.0);
        const double moments[3] = {J.x, J.y, J.z}, spin[3] = {w.x, w.y, w.z};
        const ph_setting settings[] = {{"inertia", moments, 3}, {"velocity", spin, 3}};
        char text[200];
        const ph_vec3 x = random_vector(&seed, 0.3, 1.0);
        (void)snprintf(text, sizeof text, forms[(size_t)i % COUNT(forms)], x.x, x.y, x.z);
        ph_system *s = made("free", "exact", 200.0, 0.0, settings, 2);
        exact_value v = exact_of(s, text);
        ph_window_list list = windows_of(s, 200.0, text);
        check_windows(&v, &list, 200.0, TIMES, 1e-8, text);
        windows += list.count;
        ph_window_list_free(&list);
        ph_expression_destroy(v.c);
        ph_system_destroy(s);
    }
    assert_true(windows > 10 * BODIES);
}

/* A condition that only just becomes true, or only just does not. The greatest height of an axis is
 * known from its extremum. */
static void touching(void **state)
{
    (void)state;
    const double parts[] = {1e-3, 1e-6, 1e-9, 1e-12, -1e-12, -1e-9, -1e-6};
    ph_system *s = stage("exact", 600.0, 0.0);
    ph_window_list all = windows_of(s, 600.0, "R13 > 0");
    double best = 0.0;
    for (size_t i = 0; i < all.count; i++)
        best = larger_or_nan(best, all.windows[i].extremum);
    assert_true(best > 0.5 && best < 1.0);
    ph_system_destroy(s);
    ph_window_list_free(&all);
    for (size_t k = 0; k < COUNT(parts); k++) {
        char text[80];
        (void)snprintf(text, sizeof text, "R13 > %.17g", best - parts[k]);
        for (int steps = 1; steps <= 100; steps *= 10) {
            s = stage("exact", 600.0 / steps, 0.0);
            ph_window_list list = windows_of(s, 600.0, text);
            assert_int_equal(list.count > 0, parts[k] > 0.0);
            ph_window_list_free(&list);
            ph_system_destroy(s);
        }
    }
}

/* ---- the intervals that the search takes for granted -------------------------------------- */

/* The motion whose intervals are looked at, how many there were, and the longest. */
static struct watched {
    const exact_value *v; /* a free motion, or NULL */
    bool in_field;        /* a rotation about axis 3 by a torque A + B t */
    long intervals;
    double longest;
    double direction;
} watched;

void __real_ph_condition_bounds(const ph_expression *c, const interval *numbers,
                                const double *values, double *first, double *second);
void __wrap_ph_condition_bounds(const ph_expression *c, const interval *numbers,
                                const double *values, double *first, double *second);

/* The numbers of a free motion in principal axes at a time: those of the instant, m', w', m'' and w''. */
static void numbers_at(const exact_value *v, double t, double x[MOTION_VARIABLES])
{
    const ph_state s = ph_motion_at(&v->motion, t);
    const ph_vec3 J = v->body.J, w = over(s.m, J), m1 = cross(s.m, w), w1 = over(m1, J),
                  m2 = add(cross(m1, w), cross(s.m, w1)), w2 = over(m2, J),
                  rates[4] = {m1, w1, m2, w2};
    ph_instant now = instant_at(t, s.q);
    now.m = s.m;
    now.w = w;
    memcpy(x, &now, sizeof now);
    memcpy(x + VARIABLE_RATE, rates, sizeof rates);
}

/* The largest |w|, and the largest |m'|, |w'|, |m''| and |w''|, which follow from |m| and the energy. */
static double largest(const exact_value *v, double most[12])
{
    const ph_vec3 m = ph_motion_at(&v->motion, 0.0).m, moments = v->body.J;
    const double J[3] = {moments.x, moments.y, moments.z}, size = norm(m),
                 energy = dot(m, over(m, moments));
    double W[3], A[3], speed = 0.0;
    for (int k = 0; k < 3; k++) {
        W[k] = smaller_or_nan(size / J[k], sqrt(energy / J[k]));
        speed = larger_or_nan(speed, W[k]);
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        A[k] = fabs(J[i] - J[j]) / J[k] * W[i] * W[j];
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        most[3 + k] = A[k];
        most[9 + k] = fabs(J[i] - J[j]) / J[k] * (A[i] * W[j] + W[i] * A[j]);
        most[k] = J[k] * most[3 + k];
        most[6 + k] = J[k] * most[9 + k];
    }
    return speed;
}

/* A body with the moment J about axis 3, which turns about it from rate W on. */
static const double FIELD_J = 1.5, FIELD_W = 0.7, FIELD_A = 0.3, FIELD_B = -0.2;

static ph_vec3 torque_about_3(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    return vec3(0, 0, FIELD_A + FIELD_B * now->t);
}

static void numbers_in_field(double t, double x[MOTION_VARIABLES])
{
    const double m1 = FIELD_A + FIELD_B * t,
                 m = FIELD_J * FIELD_W + (FIELD_A + 0.5 * FIELD_B * t) * t,
                 angle = (FIELD_W + (FIELD_A / 2 + FIELD_B / 6 * t) * t / FIELD_J) * t;
    const ph_vec3 rates[4] = {
        {0, 0, m1}, {0, 0, m1 / FIELD_J}, {0, 0, FIELD_B}, {0, 0, FIELD_B / FIELD_J}};
    ph_instant now = instant_at(t, (ph_quat){cos(0.5 * angle), 0, 0, sin(0.5 * angle)});
    now.m = vec3(0, 0, m);
    now.w = vec3(0, 0, m / FIELD_J);
    memcpy(x, &now, sizeof now);
    memcpy(x + VARIABLE_RATE, rates, sizeof rates);
}

/* Bounds that are estimated: twice the larger rate at both ends; the mean second derivative, and the
 * rate that turns with the body, also twice. */
static double largest_in_field(double from, double to, double most[12])
{
    double a[MOTION_VARIABLES], b[MOTION_VARIABLES];
    numbers_in_field(from, a);
    numbers_in_field(to, b);
    const int w = VARIABLE_W + 2;
    const double speed = larger_or_nan(fabs(a[w]), fabs(b[w]));
    for (int k = 0; k < 6; k++) {
        const int rate = VARIABLE_RATE + (k < 3 ? 2 : 5);
        const double first = larger_or_nan(fabs(a[rate]), fabs(b[rate]));
        most[k] = 2.0 * first;
        most[6 + k] = 2.0 * (fabs(b[rate] - a[rate]) / (to - from) + speed * first);
    }
    return speed + most[5] * (to - from);
}

/* Each number stays within its interval, which is as wide as the largest rates allow and no wider. */
void __wrap_ph_condition_bounds(const ph_expression *c, const interval *numbers,
                                const double *values, double *first, double *second)
{
    const exact_value *v = watched.v;
    const double from = numbers[VARIABLE_T].low, to = numbers[VARIABLE_T].high, length = to - from;
    __real_ph_condition_bounds(c, numbers, values, first, second);
    if (v == NULL && !watched.in_field)
        return;
    double most[12], now[MOTION_VARIABLES];
    const double begin = watched.direction > 0.0 ? from : to,
                 speed = v ? largest(v, most) : largest_in_field(from, to, most);
    if (v != NULL)
        numbers_at(v, begin, now);
    else
        numbers_in_field(begin, now);
    watched.intervals++;
    watched.longest = larger_or_nan(watched.longest, length);
    for (int k = VARIABLE_Q; k < MOTION_VARIABLES; k++) {
        const bool is_second = k >= VARIABLE_SECOND;
        double change = speed * length, limit = 1.0;
        if (k >= VARIABLE_X && k < VARIABLE_RATE)
            continue; /* the place of a body that does not move */
        if (k < VARIABLE_R)
            change *= 0.5;
        else if (k >= VARIABLE_M && k < VARIABLE_X)
            change = most[k - VARIABLE_M] * length, limit = INFINITY;
        else if (k >= VARIABLE_RATE)
            change = is_second ? INFINITY : most[k - VARIABLE_RATE + 6] * length,
            limit = most[k - VARIABLE_RATE];
        const double low = larger_or_nan(now[k] - change, -limit),
                     high = smaller_or_nan(now[k] + change, limit),
                     round = 1e-8 * (1.0 + high - low);
        if (!(fabs(numbers[k].low - low) <= round && fabs(numbers[k].high - high) <= round))
            fail_msg("number %d from %.12g to %.12g: %.12g to %.12g, not %.12g to %.12g", k, from,
                     to, numbers[k].low, numbers[k].high, low, high);
    }
    for (int n = 0; n <= 4; n++) {
        if (v != NULL)
            numbers_at(v, from + 0.25 * n * length, now);
        else
            numbers_in_field(from + 0.25 * n * length, now);
        for (int k = VARIABLE_Q; k < MOTION_VARIABLES; k++) {
            const double round = 1e-9 * (1.0 + fabs(now[k]));
            if ((k < VARIABLE_X || k >= VARIABLE_RATE) &&
                !(now[k] >= numbers[k].low - round && now[k] <= numbers[k].high + round))
                fail_msg("number %d at %.12g: %.12g is not from %.12g to %.12g", k,
                         from + 0.25 * n * length, now[k], numbers[k].low, numbers[k].high);
        }
    }
}

/* In a field the bounds are estimated from both ends. */
static void intervals_in_field(void **state)
{
    (void)state;
    const ph_problem p = {.name = "turning",
                          .body = PH_MOMENTS(1.0, 1.2, 1.5),
                          .q = {1, 0, 0, 0},
                          .w = {0, 0, 0.7},
                          .torque = torque_about_3};
    static const char *const methods[] = {"dop853", "s6_10+exact"};
    for (int k = 0; k < 4; k++) {
        const double end = k % 2 == 0 ? 8.0 : -8.0;
        const ph_system_settings with = {.own_problem = &p,
                                         .integrator = methods[k / 2],
                                         .step = k < 2 ? 0.0 : end / 400.0,
                                         .tolerance = k < 2 ? 1e-13 : 0.0};
        ph_system *s;
        assert_int_equal(ph_system_create(&with, &s), PH_OK);
        watched = (struct watched){.in_field = true, .direction = end};
        ph_window_list list = windows_of(s, end, "R21 > 0.3 + 0.01*w3 + 0.001*m3^2");
        watched.in_field = false;
        assert_true(list.count == 2 && watched.intervals > 20 && watched.intervals < 700);
        ph_window_list_free(&list);
        ph_system_destroy(s);
    }
}

/* In free motion, forward and back. The body turns by at most a quarter of a radian in an interval, and
 * next to an extremum the intervals are divided as often as the bounds of the condition make it
 * necessary. */
static void intervals(void **state)
{
    (void)state;
    static const double moments[3] = {1.0, 1.4, 1.9}, spin[3] = {0.6, -0.8, 0.5};
    static const struct {
        const char *form;
        double above; /* the largest R13, by this much */
        long most;    /* intervals */
    } runs[] = {{"R13 > 0*%.17g", 0.0, 130},
                {"w1*R21 + 0.2*w2 > 0.1 + 0*%.17g", 0.0, 142},
                {"q1*q2 + 0.1*m3*sin(t) > 0.05 + 0*%.17g", 0.0, 130},
                {"R33 > 2 + 0*%.17g", 0.0, 130},
                {"R13 > %.17g", 1e-5, 150},
                {"R13 > %.17g", 1e-9, 170},
                {"R13 > %.17g", -1e-5, 150},
                {"R13 < %.17g", -1e-9, 170}};
    const double end = 20.0;
    double best[2] = {0.0, 0.0}, most[12];
    for (size_t k = 0; k < 2 * COUNT(runs); k++) {
        char text[100];
        const double to = k % 2 == 0 ? end : -end;
        const ph_setting settings[] = {{"inertia", moments, 3}, {"velocity", spin, 3}};
        ph_system *s = made("free", "exact", to / 4.0, 0.0, settings, 2);
        (void)snprintf(text, sizeof text, runs[k / 2].form, best[k % 2] + runs[k / 2].above);
        const exact_value v = exact_of(s, text);
        watched = (struct watched){.v = &v, .direction = to};
        ph_window_list list = windows_of(s, to, text);
        watched.v = NULL;
        for (size_t i = 0; i < list.count && k < 2; i++)
            best[k] = larger_or_nan(best[k], list.windows[i].extremum);
        const double turn = watched.longest * largest(&v, most);
        assert_true(turn <= 0.25 && turn > 0.125);
        if (!(watched.intervals <= runs[k / 2].most))
            fail_msg("%s: %ld intervals", text, watched.intervals);
        ph_window_list_free(&list);
        ph_expression_destroy(v.c);
        ph_system_destroy(s);
    }
}

/* ---- in a field ------------------------------------------------------------------------- */

/* Windows by one integrator are those by another, whatever the steps. */
static void windows_in_fields(void **state)
{
    (void)state;
    static const double wheels[3] = {0.1, 0.05, 0.02}, damping = 1e-4, dipole[3] = {0.5, 0.1, -0.3},
                        spin[3] = {0.02, -0.01, 0.03}, top[3] = {0.4, 0.9, 1.2};
    const ph_setting craft[] = {{"wheels", wheels, 3},
                                {"damping", &damping, 1},
                                {"dipole", dipole, 3},
                                {"velocity", spin, 3}},
                     heavy[] = {{"velocity", top, 3}};
    static const struct {
        const char *problem, *text;
        double end, tolerance;
    } runs[] = {{"spacecraft", "angle([0.1,0.2,1], [0.6,0.3,-0.8]) < 20deg", 7200.0, 1e-5},
                {"spacecraft", "w1 > 0.019", 7200.0, 1e-5},
                {"heavy_top", "angle([0,0,1], up) > 60deg", 40.0, 1e-7},
                {"heavy_top", "R13*R21 - 0.3*w2 > 0.4", 40.0, 1e-7}};
    for (size_t k = 0; k < COUNT(runs); k++) {
        const bool of_craft = strcmp(runs[k].problem, "spacecraft") == 0;
        const char *const by[] = {"gbs", "dop853", "gauss16", of_craft ? NULL : "s6_10+exact"};
        ph_window_list right = {0};
        for (size_t i = 0; i < COUNT(by) && by[i] != NULL; i++) {
            ph_system *s = made(runs[k].problem, by[i], i == 3 ? 0.02 : 0.0, i == 3 ? 0.0 : 1e-12,
                                of_craft ? craft : heavy, of_craft ? 4 : 1);
            ph_window_list list = windows_of(s, runs[k].end, runs[k].text);
            assert_true(list.count > 0);
            if (i == 0) {
                right = list;
            } else {
                assert_int_equal(list.count, right.count);
                for (size_t n = 0; n < list.count; n++) {
                    const ph_window *a = &list.windows[n], *b = &right.windows[n];
                    if (!(fabs(a->enter - b->enter) < runs[k].tolerance &&
                          fabs(a->leave - b->leave) < runs[k].tolerance &&
                          fabs(a->extremum - b->extremum) < runs[k].tolerance))
                        fail_msg("%s by %s: %.12g to %.12g, not %.12g to %.12g", runs[k].text,
                                 by[i], a->enter, a->leave, b->enter, b->leave);
                }
                ph_window_list_free(&list);
            }
            ph_system_destroy(s);
        }
        ph_window_list_free(&right);
    }
}

/* ---- what has no bounds ------------------------------------------------------------------ */

/* Conditions that are undefined on both sides of a window, also of a narrow one, and such with poles:
 * no window is missing, and the search says that it knows. */
static void undefined_conditions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool smooth; /* its extremum is not at an end of a window */
    } forms[] = {{"sqrt(R13 - %.9g) > 0", true},
                 {"log(R13 - %.9g) > -20", true},
                 {"(R13 - %.9g)^1.5 > 0", true},
                 {"sqrt(0.9 - R13)*sqrt(R13 - %.9g) > 1e-4", true},
                 {"acos(R13 + %.9g) < 0.3", false},
                 {"asin(2*R13*R21 + %.9g) > 1.2", false},
                 {"min(sqrt(R13 - %.9g), -0.5) > -2", false},
                 {"1/(R13 - %.9g) > 30", false},
                 {"atan2(R21, R13 - %.9g) > 3", false}};
    static const double moments[3] = {1.0, 1.4, 1.9};
    uint64_t seed = 17;
    size_t windows = 0;
    for (size_t i = 0; i < 4 * COUNT(forms); i++) {
        const ph_vec3 w = random_vector(&seed, -1.0, 1.0);
        const double spin[3] = {w.x, w.y, w.z}, end = 60.0;
        const ph_setting settings[] = {{"inertia", moments, 3}, {"velocity", spin, 3}};
        char text[200];
        ph_system *s = made("free", "exact", i % 2 == 0 ? end : 4.0, 0.0, settings, 2);
        ph_window_list all = windows_of(s, end, "R13 > 0.2");
        double best = -1.0; /* below the highest place, by 1e-4 in every other case */
        for (size_t n = 0; n < all.count; n++)
            best = larger_or_nan(best, 0.2 + all.windows[n].extremum);
        ph_window_list_free(&all);
        ph_system_destroy(s);
        if (best < 0.0)
            continue;
        (void)snprintf(text, sizeof text, forms[i / 4].text, best - (i / 2 % 2 == 0 ? 1e-4 : 0.2));
        s = made("free", "exact", i % 2 == 0 ? end : 4.0, 0.0, settings, 2);
        exact_value v = exact_of(s, text);
        ph_event event = {.condition = v.c};
        ph_window_list list = {0};
        assert_int_equal(ph_system_events(s, end, NULL, &event, 1, &list), PH_OK);
        assert_int_equal(event.proof, PH_EVENT_PROVED);
        (forms[i / 4].smooth ? check_windows : check_changes)(&v, &list, end, 60000, 1e-8, text);
        windows += list.count;
        ph_window_list_free(&list);
        ph_expression_destroy(v.c);
        ph_system_destroy(s);
    }
    assert_true(windows > 40);
}

/* A condition of nearly 2,000 characters has derivatives: its windows are those of the short one. */
static void long_conditions(void **state)
{
    (void)state;
    char text[2001] = "R13 + 0*(1";
    for (int i = 0; strlen(text) < 1950; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s(w%d*R%d%d-%d.%d)",
                       i % 3 == 2 ? "/" : "*", i % 3 + 1, i / 3 % 3 + 1, i % 3 + 1, 3 + i % 7, i);
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), ") > 0.30000001");
    const char *const texts[] = {"R13 > 0.30000001", text};
    ph_window_list list[2] = {{0}};
    for (int k = 0; k < 2; k++) {
        ph_system *s = stage("exact", 600.0, 0.0);
        ph_event event = {.condition = condition_of(s, texts[k])};
        char why[PH_MESSAGE];
        assert_int_equal(ph_system_events(s, 600.0, NULL, &event, 1, &list[k]), PH_OK);
        assert_int_equal(event.proof, PH_EVENT_PROVED);
        assert_false(ph_event_warning(&event, why));
        ph_expression_destroy((ph_expression *)event.condition);
        ph_system_destroy(s);
    }
    assert_true(list[0].count > 0 && list[1].count == list[0].count);
    for (size_t n = 0; n < list[0].count; n++) {
        assert_true(fabs(list[0].windows[n].enter - list[1].windows[n].enter) < 1e-8);
        assert_true(fabs(list[0].windows[n].leave - list[1].windows[n].leave) < 1e-8);
    }
    ph_window_list_free(&list[0]);
    ph_window_list_free(&list[1]);
}

/* What the search says of itself. */
static void proofs(void **state)
{
    (void)state;
    static const double moments[3] = {1.0, 1.4, 1.9}, about_3[3] = {0.0, 0.0, 1.0};
    const ph_setting settings[] = {{"inertia", moments, 3}, {"velocity", about_3, 3}};
    static const struct {
        const char *problem, *by, *text, *warning; /* a part of it, or NULL */
        ph_event_proof proof;
    } runs[] = {
        {"free", "exact", "R11 > 0.3", NULL, PH_EVENT_PROVED},
        {"heavy_top", "exact", "R11 > 0.3", NULL, PH_EVENT_ESTIMATED},
        {"heavy_top", "exact", "sin(t) > 0.3", NULL, PH_EVENT_PROVED},
        /* never defined for sure, as R33 is 1 to round-off */
        {"free", "exact", "acos(R33) + acos(R33 + 1e-17*w3)*R11 > 0.5",
         "largest number of evaluations", PH_EVENT_UNFINISHED},
        {"free", "exact", "angle([0,0,1], [1,0,0]) < 20", "20 rad, which is more than a turn",
         PH_EVENT_PROVED},
        {"free", "exact", "-7 < atan2(R21, 2 + R11)", "-7 rad, which", PH_EVENT_PROVED},
        {"free", "exact", "angle([0,0,1], [1,0,0]) < 6.28", NULL, PH_EVENT_PROVED},
    };
    for (size_t k = 0; k < COUNT(runs); k++) {
        const bool is_free = strcmp(runs[k].problem, "free") == 0;
        ph_system *s = made(runs[k].problem, is_free ? runs[k].by : "verlet+exact", 0.5, 0.0,
                            settings, is_free ? 2 : 0);
        ph_event event = {.condition = condition_of(s, runs[k].text)};
        ph_window_list list = {0};
        char why[PH_MESSAGE] = "";
        assert_int_equal(ph_system_events(s, 20.0, NULL, &event, 1, &list), PH_OK);
        const bool warned = ph_event_warning(&event, why);
        if (event.proof != runs[k].proof)
            fail_msg("%s: %d", runs[k].text, event.proof);
        assert_true(warned == (runs[k].warning != NULL));
        if (warned && strstr(why, runs[k].warning) == NULL)
            fail_msg("%s: %s", runs[k].text, why);
        ph_expression_destroy((ph_expression *)event.condition);
        ph_window_list_free(&list);
        ph_system_destroy(s);
    }
    assert_false(ph_event_warning(NULL, NULL));
}

/* A body at rest, or nearly, without a torque that turns it takes long steps by every method, and what
 * depends on the orbit is found in them. */
static void slow_bodies(void **state)
{
    (void)state;
    static const double small[3] = {0.1, 0.1, 0.1}, equal[3] = {10, 10, 10}, still[3] = {0, 0, 0},
                        slow[3] = {1e-9, 0, -2e-9}, tilt = 0.9, week = 604800.0;
    static const char *const by[] = {"gbs", "dop853", "gauss16", "srkn6_14a+exact"},
                             *const texts[] = {"angle([1,0,0], nadir) < 20deg", "eclipse > 0.5",
                                               "sqrt(B1^2 + B2^2 + B3^2) > 3e-5", "B2 < -1e-5"};
    for (int body = 0; body < 2; body++) {
        const ph_setting settings[] = {{"inertia", body ? equal : small, 3},
                                       {"velocity", body ? slow : still, 3},
                                       {"inclination", &tilt, 1}};
        ph_window_list list[COUNT(by)][COUNT(texts)] = {{{0}}};
        for (size_t k = 0; k < COUNT(by) * COUNT(texts); k++) {
            const size_t m = k / COUNT(texts), c = k % COUNT(texts);
            ph_system *s = made("spacecraft", by[m], 0.0, 1e-9, settings, 3);
            assert_int_equal(ph_system_set_epoch(s, 9647.0), PH_OK);
            list[m][c] = windows_of(s, week, texts[c]);
            assert_true(ph_system_steps(s) < 200);
            if (list[m][c].count < 20 || list[m][c].count != list[0][c].count)
                fail_msg("%s by %s: %zu windows, not %zu", texts[c], by[m], list[m][c].count,
                         list[0][c].count);
            for (size_t n = 0; n < list[m][c].count; n++) {
                const ph_window *a = &list[m][c].windows[n], *b = &list[0][c].windows[n];
                assert_true(fabs(a->enter - b->enter) < 1e-4 && fabs(a->leave - b->leave) < 1e-4);
            }
            ph_system_destroy(s);
        }
        for (size_t k = 0; k < COUNT(by) * COUNT(texts); k++)
            ph_window_list_free(&list[k / COUNT(texts)][k % COUNT(texts)]);
    }
}

/* ---- functions of the caller ------------------------------------------------------------- */

static double height(void *context, ph_system *s)
{
    return ph_system_evaluate(s, context);
}

/* The same condition as a function: sought without its derivatives. Both ways in time. */
static void functions(void **state)
{
    (void)state;
    static const char *const by[] = {"exact", "gbs"};
    for (size_t k = 0; k < COUNT(by); k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            ph_window_list list[2] = {{0}};
            for (int i = 0; i < 2; i++) {
                ph_system *s = stage(by[k], sign * 60.0, k == 0 ? 0.0 : 1e-12);
                ph_expression *c = condition_of(s, "-0.5205*R11 - 0.3816*R21 - 0.7638*R31 > 0.99");
                ph_event event = {.condition = i == 0 ? c : NULL, .value = height, .context = c};
                assert_int_equal(ph_system_events(s, sign * 3600.0, NULL, &event, 1, &list[i]),
                                 PH_OK);
                ph_expression_destroy(c);
                ph_system_destroy(s);
            }
            assert_true(list[0].count > 10 && list[1].count == list[0].count);
            for (size_t n = 0; n < list[0].count; n++) {
                const ph_window *a = &list[0].windows[n], *b = &list[1].windows[n];
                assert_true(fabs(a->enter - b->enter) < 1e-8);
                assert_true(fabs(a->leave - b->leave) < 1e-8);
                assert_true(fabs(a->extremum - b->extremum) < 1e-12);
                assert_true(fabs(a->extremum_time - b->extremum_time) < 1e-4);
                assert_true((a->leave - a->enter) * sign > 0.0);
            }
            ph_window_list_free(&list[0]);
            ph_window_list_free(&list[1]);
        }
    }
}

/* ---- runs with events and without ---------------------------------------------------------- */

/* A run with events has the bits of one without. What holds at the start begins there, what holds at
 * the end ends there. */
static void nothing_else_changes(void **state)
{
    (void)state;
    static const char *const by[] = {"verlet+exact", "gbs", "dop853", "rk4"};
    for (size_t k = 0; k < COUNT(by); k++) {
        ph_system *s[2];
        for (int i = 0; i < 2; i++)
            s[i] = made("heavy_top", by[k], 0.05, k == 1 || k == 2 ? 1e-9 : 0.0, NULL, 0);
        ph_expression *c[3] = {condition_of(s[0], "t > -1"), condition_of(s[0], "R33 < 0"),
                               condition_of(s[0], "t > 1e9")};
        ph_event events[3] = {{.condition = c[0]}, {.condition = c[1]}, {.condition = c[2]}};
        ph_window_list list = {0};
        assert_int_equal(ph_system_events(s[0], 20.0, NULL, events, 3, &list), PH_OK);
        assert_int_equal(ph_system_run_until(s[1], 20.0, NULL), PH_OK);
        const ph_state a = ph_system_state(s[0]), b = ph_system_state(s[1]);
        assert_memory_equal(&a, &b, sizeof a);
        assert_int_equal(ph_system_steps(s[0]), ph_system_steps(s[1]));
        assert_true(events[0].met && events[1].met && !events[2].met);
        size_t whole = 0, others = 0;
        for (size_t i = 0; i < list.count; i++) {
            const ph_window *w = &list.windows[i];
            assert_true(w->event < 2 && w->enter < w->leave);
            others += w->event == 1;
            if (w->event == 0) {
                whole++;
                assert_true(w->enter == 0.0 && fabs(w->leave - 20.0) < 1e-12);
                assert_true(w->extremum_time == w->leave && fabs(w->extremum - 21.0) < 1e-12);
            }
        }
        assert_true(whole == 1 && others >= 2);
        for (int i = 0; i < 3; i++)
            ph_expression_destroy(c[i]);
        for (int i = 0; i < 2; i++)
            ph_system_destroy(s[i]);
        ph_window_list_free(&list);
    }
}

/* The windows of an ensemble have the bits of single runs. */
static void ensembles(void **state)
{
    (void)state;
    enum { BODIES = 24 };
    static const char *const by[] = {"exact", "dop853", "gbs"};
    double spin[BODIES][3], first[BODIES];
    uint64_t count[BODIES], seed = 3;
    for (int i = 0; i < BODIES; i++) {
        const ph_vec3 w = random_vector(&seed, -2 * DEGREE, 2 * DEGREE);
        memcpy(spin[i], (const double[]){w.x, w.y, w.z}, sizeof spin[i]);
    }
    for (size_t k = 0; k < COUNT(by); k++) {
        const ph_setting tensor = {"tensor", TENSOR, 6};
        const ph_system_settings all = {"free",
                                        .integrator = by[k],
                                        .step = 60.0,
                                        .tolerance = k == 0 ? 0.0 : 1e-11,
                                        .settings = &tensor,
                                        .setting_count = 1};
        const ph_each each = {"velocity", spin[0], 3, 3, 1};
        ph_window_list lists[BODIES] = {{0}};
        size_t windows = 0;
        ph_ensemble *e;
        for (int twice = 0; twice < 2; twice++) {
            assert_int_equal(ph_ensemble_create(&all, &each, 1, BODIES, NULL, &e), PH_OK);
            assert_int_equal(
                twice ? ph_ensemble_windows(e, 7200.0, "R31 > cos(15deg)", NULL, lists, NULL)
                      : ph_ensemble_events(e, 7200.0, "R31 > cos(15deg)", NULL, first, count, NULL),
                PH_OK);
            ph_ensemble_destroy(e);
        }
        for (int i = 0; i < BODIES; i++) {
            const ph_setting settings[] = {tensor, {"velocity", spin[i], 3}};
            ph_system *s = made("free", by[k], 60.0, all.tolerance, settings, 2);
            ph_window_list list = windows_of(s, 7200.0, "R31 > cos(15deg)");
            assert_int_equal(list.count, lists[i].count);
            assert_int_equal(list.count, count[i]);
            for (size_t n = 0; n < list.count; n++) {
                list.windows[n].event = lists[i].windows[n].event;
                assert_memory_equal(&list.windows[n], &lists[i].windows[n], sizeof(ph_window));
            }
            assert_true(list.count > 0 ? first[i] == list.windows[0].enter : isnan(first[i]));
            windows += list.count;
            ph_window_list_free(&list);
            ph_window_list_free(&lists[i]);
            ph_system_destroy(s);
        }
        assert_true(windows > 20);
    }
}

/* ---- derivatives and bounds ------------------------------------------------------------------ */

static const char *const SMOOTH[] = {
    "R11*w2 - R23 > 0.1",
    "q0*q1 + 2*q2*q3 + m1*w3 > t",
    "angle([1,-2,0.5], [0.3,0.2,-1]) + 0.1*w1 < 20deg",
    "sin(3*t)*R33 + exp(0.3*m2) > 2",
    "sqrt(2 + R12) / (1.5 + R31) > 1",
    "atan2(R21, 2 + R11) + tanh(w1) > 0.2",
    "log(3 + R22) + cosh(0.5*w2) + (2 + R13)^1.7 > 2",
    "acos(0.5*R33) + asin(0.4*R12) + tan(0.5*R13) + atan(w3) + sinh(0.2*m3) > 1",
};

/* The derivative by the time is that of the values, in a field with wheels and damping too. */
static void derivatives(void **state)
{
    (void)state;
    static const double wheels[3] = {0.1, 0.05, 0.02}, damping = 0.3, spin[3] = {0.5, -0.4, 0.3},
                        moments[3] = {1.0, 1.4, 2.0};
    const ph_setting settings[] = {{"velocity", spin, 3},
                                   {"inertia", moments, 3},
                                   {"wheels", wheels, 3},
                                   {"damping", &damping, 1}};
    static const char *const problems[] = {"free", "heavy_top", "spacecraft"};
    for (size_t k = 0; k < COUNT(problems); k++) {
        for (size_t i = 0; i < COUNT(SMOOTH); i++) {
            const double d = 1e-4;
            double g[3], slope = 0.0;
            ph_system *s = made(problems[k], "gbs", 0.0, 1e-14, settings, k == 2 ? 4 : 2);
            ph_expression *c = condition_of(s, SMOOTH[i]);
            assert_true(ph_condition_moves(c));
            for (int n = 0; n < 3; n++) {
                motion_rates now;
                double rate;
                assert_int_equal(ph_system_run_until(s, 1.0 + (n - 1) * d, NULL), PH_OK);
                s->kind->rates(s->self, ph_system_time(s), &now);
                ph_condition_rate(c, now.numbers, s->values, &g[n], &rate);
                slope = n == 1 ? rate : slope;
            }
            const double difference = (g[2] - g[0]) / (2.0 * d);
            if (!(fabs(slope - difference) < 1e-6))
                fail_msg("%s in %s: %.12g, by differences %.12g", SMOOTH[i], problems[k], slope,
                         difference);
            ph_expression_destroy(c);
            ph_system_destroy(s);
        }
    }
}

/* No rate of a free motion is above its bound, and the bounds are not far from the largest. */
static void bounds_of_rates(void **state)
{
    (void)state;
    enum { BODIES = 50, TIMES = 400, RATES = VARIABLE_SECOND - VARIABLE_RATE };
    uint64_t seed = 8;
    for (int i = 0; i < BODIES; i++) {
        const ph_vec3 J = random_vector(&seed, 1.0, 1.9), w = random_vector(&seed, -1.0, 1.0),
                      x = random_vector(&seed, -0.2, 0.2);
        const double tensor[6] = {J.x, J.y, J.z, x.x, x.y, x.z}, spin[3] = {w.x, w.y, w.z},
                     d = 1e-3;
        const ph_setting settings[] = {{i % 2 ? "tensor" : "inertia", tensor, i % 2 ? 6U : 3U},
                                       {"velocity", spin, 3}};
        ph_system *s = made("free", "exact", d, 0.0, settings, 2);
        motion_rates first, now, before;
        double largest[2 * RATES] = {0.0}, speed = 0.0;
        s->kind->rates(s->self, 0.0, &first);
        assert_true(first.is_free);
        for (int n = 0; n < TIMES; n++) {
            assert_int_equal(ph_system_run(s, 97, NULL), PH_OK);
            s->kind->rates(s->self, ph_system_time(s), &before);
            assert_int_equal(ph_system_run(s, 1, NULL), PH_OK);
            s->kind->rates(s->self, ph_system_time(s), &now);
            speed = larger_or_nan(speed, now.speed);
            for (int k = 0; k < RATES; k++) {
                const double *a = before.numbers + VARIABLE_RATE, *b = now.numbers + VARIABLE_RATE;
                largest[k] = larger_or_nan(largest[k], fabs(b[k]));
                largest[RATES + k] = larger_or_nan(largest[RATES + k], fabs(b[k] - a[k]) / d);
            }
        }
        for (int k = 0; k < 2 * RATES; k++) {
            if (!(largest[k] <= first.most[k] * (1.0 + 1e-6)))
                fail_msg("body %d: rate %d is %.9g, bound %.9g", i, k, largest[k], first.most[k]);
            assert_true(first.most[k] <= 40.0 * largest[k] + 1e-9 || i % 2 || largest[k] < 0.01);
        }
        assert_true(speed <= first.most_speed && first.most_speed <= 2.0 * speed);
        ph_system_destroy(s);
    }
}

/* Derivatives at points of a box are in their ranges. */
static void ranges(void **state)
{
    (void)state;
    enum { BOXES = 300, POINTS = 30 };
    static const char *const more[] = {"abs(R33) < 0.2",
                                       "max(R11, w2) - min(R21, 0.3*m1) > 0.5",
                                       "R33^3 > 0.1",
                                       "(1.5 + R11)^t > 2",
                                       "atan2(R21, R11) > 0.3",
                                       "sin(40*t) + cos(7*w1) > 0.4",
                                       "1/R33 > 3",
                                       "tan(2*R11) > 1",
                                       "sqrt(R12) > 0.3",
                                       "log(R13) > -1",
                                       "exp(10*w1) > 3",
                                       "acos(R22) > 0.4"};
    uint64_t seed = 11;
    for (size_t k = 0; k < COUNT(SMOOTH) + COUNT(more); k++) {
        const char *text = k < COUNT(SMOOTH) ? SMOOTH[k] : more[k - COUNT(SMOOTH)];
        ph_expression *c;
        int bounded = 0;
        assert_int_equal(ph_expression_create(text, PH_EXPRESSION_CONDITION, NULL, 0, &c, NULL),
                         PH_OK);
        for (int i = 0; i < BOXES; i++) {
            interval box[MOTION_VARIABLES];
            double first, second, half = pow(10.0, between(&seed, -4.0, -0.3));
            for (int v = 0; v < MOTION_VARIABLES; v++) {
                const double middle = between(&seed, -1.0, 1.0);
                box[v] = (interval){middle - half, middle + half};
            }
            ph_condition_bounds(c, box, NULL, &first, &second);
            bounded += second < INFINITY;
            for (int n = 0; n < POINTS; n++) {
                double x[MOTION_VARIABLES], g[3], rate[3];
                const double d = 1e-7;
                for (int v = 0; v < MOTION_VARIABLES; v++)
                    x[v] = between(&seed, box[v].low, box[v].high);
                ph_condition_rate(c, x, NULL, &g[1], &rate[1]);
                if (isfinite(rate[1]) && !(fabs(rate[1]) <= first * (1.0 + 1e-12)))
                    fail_msg("%s: the derivative %.9g is beyond %.9g", text, rate[1], first);
                /* g'' by differences of g' along the motion, whose rates are the numbers */
                for (int side = 0; side < 3; side += 2) {
                    double y[MOTION_VARIABLES];
                    const double h = (side - 1) * d;
                    memcpy(y, x, sizeof y);
                    y[VARIABLE_T] += h;
                    for (int v = 0; v < 6; v++) {
                        y[VARIABLE_M + v] += h * x[VARIABLE_RATE + v];
                        y[VARIABLE_RATE + v] += h * x[VARIABLE_SECOND + v];
                    }
                    const double *w = x + VARIABLE_W, *R = x + VARIABLE_R, *q = x + VARIABLE_Q;
                    for (int r = 0; r < 3; r++) {
                        const double *row = R + 3 * r;
                        y[VARIABLE_R + 3 * r] += h * (row[1] * w[2] - row[2] * w[1]);
                        y[VARIABLE_R + 3 * r + 1] += h * (row[2] * w[0] - row[0] * w[2]);
                        y[VARIABLE_R + 3 * r + 2] += h * (row[0] * w[1] - row[1] * w[0]);
                    }
                    y[VARIABLE_Q] -= 0.5 * h * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
                    y[VARIABLE_Q + 1] += 0.5 * h * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
                    y[VARIABLE_Q + 2] += 0.5 * h * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
                    y[VARIABLE_Q + 3] += 0.5 * h * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
                    ph_condition_rate(c, y, NULL, &g[side], &rate[side]);
                }
                const double curve = (rate[2] - rate[0]) / (2.0 * d),
                             noise = 1e-6 * (1.0 + fabs(curve) + fabs(rate[1]) / half);
                if (isfinite(curve) && !(fabs(curve) <= second + noise))
                    fail_msg("%s: the second derivative %.9g is beyond %.9g", text, curve, second);
            }
        }
        assert_true(bounded > BOXES / 10);
        ph_expression_destroy(c);
    }
}

/* ---- words ------------------------------------------------------------------------------ */

static const ph_parameter WORDS[] = {{"s", 0, 1, "1", "", PH_RANGE_ANY},
                                     {"up", 1, 3, "1", "", PH_RANGE_ANY}};

static double value_of(const char *text, ph_expression_use use)
{
    ph_expression *e;
    ph_expression_error why;
    const ph_quat q = ph_rotation_exp((ph_vec3){0.0, 0.0, 0.5}); /* about the third axis */
    ph_instant now = {.t = 2.0, .q = q, .R = ph_quat_matrix(q)};
    static const double values[] = {2.0, 0.0, 0.0, 3.0};
    if (ph_expression_create(text, use, WORDS, 2, &e, &why) != PH_OK)
        fail_msg("%s: %s", text, why.text);
    const double value = ph_expression_value(e, &now, values);
    ph_expression_destroy(e);
    return value;
}

static void words(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double value;
    } right[] = {{"5deg", 5 * DEGREE},
                 {"3rpm", PI / 10.0},
                 {"2*30deg + 1rad", PI / 3.0 + 1.0},
                 {"6deg/min", 0.1 * DEGREE},
                 {"6deg/s", 3 * DEGREE}, /* s is a parameter */
                 {"1.5h + 2min + 1d", 91920.0},
                 {"1e1deg^2", 10 * DEGREE * 10 * DEGREE},
                 {"angle([1,0,0], [1,0,0])", 0.5},
                 {"angle([2,0,0], [0,3,0])", PI / 2.0 - 0.5},
                 {"angle([0,0,-1], up)", PI},
                 {"angle([0,0,1], [0,0,t])", 0.0}};
    for (size_t k = 0; k < COUNT(right); k++) {
        const double value = value_of(right[k].text, PH_EXPRESSION_TORQUE);
        if (!(fabs(value - right[k].value) < 1e-15 * (1.0 + right[k].value)))
            fail_msg("%s is %.17g, not %.17g", right[k].text, value, right[k].value);
    }
    assert_true(value_of("angle([1,0,0], [1,0,0]) < 29deg", PH_EXPRESSION_CONDITION) > 0.0);
    assert_true(value_of("angle([1,0,0], [1,0,0]) > 29deg", PH_EXPRESSION_CONDITION) < 0.0);
    static const struct {
        const char *text, *says;
        int column;
    } wrong[] = {
        {"5degree", "\"degree\" is not a unit", 2},
        {"angle([1,0], up)", "\"]\" is unexpected: write [x, y, z] for a vector", 11},
        {"angle([1,0,0])", "\")\" is unexpected: write , and the vector in space", 14},
        {"angle([1,0,0] up)", "\"u\" is unexpected: write , and the vector in space", 15},
        {"angle([0,0,0], up)", "a vector of an angle has length 0", 6},
        {"angle(up, [0,0,0])", "a vector of an angle has length 0", 6},
        {"angle(s, up)", "not a vector", 7},
        {"angle(up, s)", "not a vector", 11},
        {"angle(up, up", "the expression ends here: write ) after the vector in space", 13},
        {"angle(up, [1,0,0)", "\")\" is unexpected: write an operator or ]", 17},
        {"angle([1,0,0,4], up)", "\",\" is unexpected: write an operator or ]", 13},
        {"angle([1,+,0], up)", "\",\" is unexpected: write a number, a name or (", 11},
        {"angle([1,0,0], sun)", "the Sun needs the date of t = 0: give the epoch", 16},
        {"angle([1,0,0], nadir)", "nadir needs a body on an orbit: use or extend spacecraft", 16},
        {"angle[1,0,0]", "unknown name \"angle\"", 1},
        {"angle + 1", "unknown name \"angle\"", 1},
        {"[1,0,0]", "\"[\" is unexpected: write a number, a name or (", 1}};
    for (size_t k = 0; k < COUNT(wrong); k++) {
        ph_expression *e;
        ph_expression_error why = {0, ""};
        assert_int_equal(
            PH_BAD_EXPRESSION,
            ph_expression_create(wrong[k].text, PH_EXPRESSION_TORQUE, WORDS, 2, &e, &why));
        if (why.column != wrong[k].column || strstr(why.text, wrong[k].says) == NULL)
            fail_msg("%s: %d: %s", wrong[k].text, why.column, why.text);
    }
}

/* The value whose sign and rate the search for an event follows, at an instant. */
static double followed(const char *text, const parse_names *names, const double *numbers,
                       const double *values)
{
    ph_expression *e;
    ph_expression_error why;
    double value, rate;
    if (ph_expression_create_named(text, names, &e, &why) != PH_OK)
        fail_msg("%s: %s", text, why.text);
    ph_condition_rate(e, numbers, values, &value, &rate);
    ph_expression_destroy(e);
    return value;
}

/* Between an angle and a constant the search follows the difference of their cosines; of an eclipse
 * the part that is covered, which is negative in sunlight. */
static void smooth(void **state)
{
    (void)state;
    static const struct {
        const char *condition, *value;
    } angles[] = {{"acos(R22) > 0.4", "cos(0.4) - R22"},
                  {"acos(R22) < 0.4", "R22 - cos(0.4)"},
                  {"0.4 > acos(R22)", "R22 - cos(0.4)"},
                  {"0.4 < acos(R22)", "cos(0.4) - R22"},
                  {"acos(R22) < 3.1", "R22 - cos(3.1)"},
                  {"acos(R22) > 3.2", "acos(R22) - 3.2"},
                  {"acos(R22) > 0", "acos(R22)"},
                  {"acos(R22) > -0.1", "acos(R22) + 0.1"},
                  {"acos(R22) > R11", "acos(R22) - R11"},
                  {"asin(R22) > 0.4", "asin(R22) - 0.4"},
                  {"angle([2,0,0], [0,0,3]) < 20deg", "R31 - cos(20deg)"},
                  {"20deg < angle([2,0,0], [0,0,3])", "cos(20deg) - R31"},
                  {"2*angle([1,0,0], [0,0,1]) < 1", "1 - 2*acos(R31)"},
                  {"angle([1,0,0], [0,0,1]) < acos(R11)", "acos(R11) - acos(R31)"},
                  {"R11 > 0.3", "R11 - 0.3"}};
    static const struct {
        const char *condition;
        double constant, covered;
    } eclipses[] = {{"eclipse > 0", 0, 1},      {"eclipse > 0.5", -0.5, 1},
                    {"eclipse < 0.5", 0.5, -1}, {"0.5 > eclipse", 0.5, -1},
                    {"0.5 < eclipse", -0.5, 1}, {"eclipse < 1", 1, -1},
                    {"eclipse > 1", -1, 0},     {"eclipse < 0", 0, 0},
                    {"eclipse > -0.1", 0.1, 0}, {"eclipse < 1.1", 1.1, 0}};
    const double epoch = 9131.5;
    const ph_problem *p = find_problem("spacecraft");
    const parse_names names = {.use = PH_EXPRESSION_CONDITION,
                               .parameters = p->parameters,
                               .count = p->parameter_count,
                               .epoch = &epoch,
                               .orbit = true};
    const ph_quat q = ph_quat_unit((ph_quat){0.7, -0.3, 0.4, 0.5});
    const ph_instant now = {.t = 2.0, .q = q, .R = ph_quat_matrix(q)};
    double numbers[MOTION_VARIABLES] = {0};
    memcpy(numbers, &now, sizeof now);
    for (size_t k = 0; k < COUNT(angles); k++) {
        ph_expression *e;
        assert_int_equal(
            PH_OK, ph_expression_create(angles[k].value, PH_EXPRESSION_TORQUE, NULL, 0, &e, NULL));
        const double value = followed(angles[k].condition, &names, numbers, p->value),
                     right = ph_expression_value(e, &now, NULL);
        if (!(fabs(value - right) < 1e-14))
            fail_msg("%s: %.17g, not %.17g", angles[k].condition, value, right);
        ph_expression_destroy(e);
    }
    const double covered = followed("eclipse", &names, numbers, p->value);
    assert_true(covered < -1.0);
    for (size_t k = 0; k < COUNT(eclipses); k++) {
        const double value = followed(eclipses[k].condition, &names, numbers, p->value),
                     right = eclipses[k].constant + eclipses[k].covered * covered;
        if (!(fabs(value - right) < 1e-12))
            fail_msg("%s: %.17g, not %.17g", eclipses[k].condition, value, right);
    }
}

/* A run that ends a little before the largest value of all has its largest value at that very end; both ways
 * in time, for conditions and functions. */
static void extremum_at_the_end(void **state)
{
    (void)state;
    static const char *const texts[] = {"R13 > -2", "R12 - 0.5*R13 > -3", "R21*R13 > -2"};
    for (int n = 0; n < 3 * 2 * 2; n++) {
        double end = n % 2 == 0 ? 200.0 : -200.0;
        for (int k = 0; k < 8; k++) {
            ph_system *s = stage("exact", k % 2 == 0 ? end : end / 20.0, 0.0);
            ph_expression *c = condition_of(s, texts[n / 4]);
            ph_window_list list = {0};
            ph_event event = {
                .condition = n / 2 % 2 == 0 ? c : NULL, .value = height, .context = c};
            assert_int_equal(ph_system_events(s, end, NULL, &event, 1, &list), PH_OK);
            assert_int_equal(list.count, 1);
            const double at = list.windows[0].extremum_time;
            if (k == 0)
                assert_true(fabs(at) > 10.0 && fabs(at) < 190.0);
            else if (at != ph_system_time(s))
                fail_msg("%s to %.17g: largest at %.17g", texts[n / 4], end, at);
            end = k == 0 ? at - copysign(0.02, at) : end - copysign(0.02 * (1 << k), end);
            ph_window_list_free(&list);
            ph_expression_destroy(c);
            ph_system_destroy(s);
        }
    }
}

/* Windows of several events that are open at the end of a run end there, each of them. */
static void open_at_the_end(void **state)
{
    (void)state;
    static const char *const texts[] = {"t > 10", "t > 25", "t > 40"};
    ph_system *s = stage("exact", 60.0, 0.0);
    ph_event events[COUNT(texts)] = {{.met = false}};
    ph_expression *c[COUNT(texts)];
    ph_window_list list = {0};
    for (size_t k = 0; k < COUNT(texts); k++)
        events[k].condition = c[k] = condition_of(s, texts[k]);
    assert_int_equal(ph_system_events(s, 60.0, NULL, events, COUNT(texts), &list), PH_OK);
    assert_int_equal(list.count, COUNT(texts));
    for (size_t k = 0; k < list.count; k++) {
        const ph_window *w = &list.windows[k];
        assert_true(w->event == k && fabs(w->enter - (10.0 + 15.0 * (double)k)) < 1e-6);
        assert_true(fabs(w->leave - 60.0) < 1e-9);
    }
    for (size_t k = 0; k < COUNT(texts); k++)
        ph_expression_destroy(c[k]);
    ph_window_list_free(&list);
    ph_system_destroy(s);
}

static void refused(void **state)
{
    (void)state;
    ph_window_list list = {0};
    ph_event none = {.met = false};
    ph_system *s = stage("exact", 60.0, 0.0);
    assert_int_equal(ph_system_events(NULL, 60.0, NULL, NULL, 0, &list), PH_NULL_ARGUMENT);
    assert_int_equal(ph_system_events(s, 60.0, NULL, NULL, 1, &list), PH_NULL_ARGUMENT);
    assert_int_equal(ph_system_events(s, 60.0, NULL, NULL, 0, NULL), PH_NULL_ARGUMENT);
    assert_int_equal(ph_system_events(s, 60.0, NULL, &none, 1, &list), PH_NULL_ARGUMENT);
    assert_int_equal(ph_system_run_event(s, 60.0, NULL, &none), PH_NULL_ARGUMENT);
    assert_int_equal(ph_system_events(s, 61.0, NULL, NULL, 0, &list), PH_NOT_WHOLE_STEPS);
    assert_int_equal(ph_system_steps(s), 0);
    assert_int_equal(ph_system_events(s, 60.0, NULL, NULL, 0, &list), PH_OK);
    assert_int_equal(list.count, 0);
    ph_window_list_free(NULL);
    ph_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals),
        cmocka_unit_test(intervals_in_field),
        cmocka_unit_test(narrow_cones),
        cmocka_unit_test(random_conditions),
        cmocka_unit_test(touching),
        cmocka_unit_test(undefined_conditions),
        cmocka_unit_test(long_conditions),
        cmocka_unit_test(proofs),
        cmocka_unit_test(slow_bodies),
        cmocka_unit_test(windows_in_fields),
        cmocka_unit_test(functions),
        cmocka_unit_test(nothing_else_changes),
        cmocka_unit_test(ensembles),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(bounds_of_rates),
        cmocka_unit_test(ranges),
        cmocka_unit_test(words),
        cmocka_unit_test(smooth),
        cmocka_unit_test(refused),
        cmocka_unit_test(open_at_the_end),
        cmocka_unit_test(extremum_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
