/* arguments.h - valid arguments of the public functions, and the calls that tests/arguments.py
 * writes: each in a process of its own, with values of its own. */
#pragma once

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "polhode/catalog.h"
#include "polhode/device.h"
#include "polhode/fit.h"
#include "polhode/grade.h"
#include "polhode/measure.h"
#include "polhode/spheres.h"

enum { NUMBERS = 64, BODIES_IN_BATCH = 2, ROWS_SEEN = 8, BYTES = 1 << 16 };

static struct {
    double numbers[NUMBERS];
    uint64_t whole[NUMBERS];
    ph_vec3 vectors[4];
    ph_quat quat;
    size_t size;
    unsigned char bytes[BYTES]; /* a snapshot of `system`, `size` bytes */
    char text[PH_MESSAGE];
    double result[BYTES]; /* room for any result */
    ph_parameter parameter;
    ph_problem problem;
    ph_spheres_problem pendulum;
    ph_system *system, *adaptive, *derivatives;
    ph_ensemble *ensemble, *followed; /* the second chooses its steps */
    ph_motion motion;
    ph_integrator integrator, flow;
    ph_message message;
    ph_system_settings system_settings, on_spheres;
    ph_fit_settings fit_settings;
    ph_observations observations;
    ph_each each;
    ph_reduction reduction;
    ph_ensemble_observer ensemble_observer;
    ph_observer observer;
    ph_event event;
    ph_window_list window_lists[2];
    float floats[NUMBERS];
    ph_instant instant;
    ph_batch batch;
    ph_batchf batchf;
    ph_batch_strided batch_strided;
    ph_batch_derivative batch_derivative;
    ph_expressions expressions;
    ph_device_run device_run;
    ph_device_reduction device_reduction;
    ph_body body;
    ph_state state;
    ph_tangent tangent;
    ph_digits digits;
    ph_grade_case grade_case;
} value;

static inline bool see_system(void *context, ph_system *s)
{
    (void)context;
    return ph_system_time(s) >= 0.0;
}

static inline bool see_body(void *context, size_t body, size_t row, ph_system *s)
{
    (void)body;
    (void)row;
    return see_system(context, s);
}

static inline void see_end(void *context, size_t body, ph_status status)
{
    (void)context;
    (void)body;
    (void)status;
}

static inline bool go_on(void *context, double done)
{
    (void)context;
    return done >= 0.0;
}

static inline bool goes_on(void *context)
{
    (void)context;
    return true;
}

static inline double height(void *context, ph_system *s)
{
    (void)context;
    return ph_system_time(s) - 0.15;
}

static inline void warn_nothing(void *context, const ph_message *w)
{
    (void)context;
    (void)w;
}

/* A problem of our own on a sphere. */
static inline int one_sphere(const ph_spheres_problem *p)
{
    (void)p;
    return 1;
}

static inline void start_on_sphere(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w)
{
    (void)p;
    *q = (ph_vec3){1, 0, 0};
    *w = (ph_vec3){0, 1, 0};
}

static inline double height_on_sphere(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                                      ph_vec3 *gradient)
{
    (void)p;
    (void)memory;
    if (gradient != NULL)
        *gradient = (ph_vec3){0, 0, 1};
    return q->z;
}

static inline double unit_mass(const ph_spheres_problem *p, int i, int j)
{
    (void)p;
    return i == j ? 1.0 : 0.0;
}

static inline void require(bool good, const char *what)
{
    if (!good) {
        (void)fprintf(stderr, "arguments.h: the valid value is not: %s\n", what);
        _exit(3);
    }
}
#define REQUIRE(call) require((call) == PH_OK, #call)

/* A motion that is observed: a body that turns about its first axis. */
static inline void set_observations(void)
{
    static double t[ROWS_SEEN], q[ROWS_SEEN][4], w[ROWS_SEEN][3], sigma[ROWS_SEEN];
    static const char *const sought[] = {"strength"};
    for (int i = 0; i < ROWS_SEEN; i++) {
        t[i] = 0.1 * i;
        q[i][0] = cos(0.5 * t[i]);
        q[i][1] = sin(0.5 * t[i]);
        w[i][0] = 1.0;
        sigma[i] = 0.01;
    }
    value.observations = (ph_observations){.count = ROWS_SEEN,
                                           .t = t,
                                           .seen = {q[0], w[0]},
                                           .sigma = {sigma, sigma},
                                           .sun = w[0],
                                           .observer = w[0],
                                           .axis = {1, 0, 0}};
    value.fit_settings = (ph_fit_settings){.sought = PH_FIT_VELOCITY,
                                           .system = &value.system_settings,
                                           .parameters = sought,
                                           .parameter_count = 1,
                                           .go_on = goes_on,
                                           .context = &value,
                                           .message = &value.message};
}

static inline void set_batches(void)
{
    static double x[2 * 3 * PH_BATCH_DERIVATIVE_COLUMNS][BODIES_IN_BATCH];
    static double q[4][BODIES_IN_BATCH] = {{1, 1}}, m[3][BODIES_IN_BATCH] = {{1, 2}, {1}},
                  J[3][BODIES_IN_BATCH] = {{1, 2}, {2, 3}, {2.5, 4}};
    static double records[BODIES_IN_BATCH][16] = {{1, 0, 0, 0, 1, 2, 3, 1, 2, 3},
                                                  {1, 0, 0, 0, 1, 2, 3, 1, 2, 3}};
    value.batch = (ph_batch){
        BODIES_IN_BATCH, {q[0], q[1], q[2], q[3]}, {m[0], m[1], m[2]}, {J[0], J[1], J[2]}};
    for (size_t i = 0; i < NUMBERS; i++)
        value.floats[i] = 1.0F;
    float *f = value.floats;
    value.batchf = (ph_batchf){BODIES_IN_BATCH,
                               {f, f + 2, f + 4, f + 6},
                               {f + 8, f + 10, f + 12},
                               {f + 14, f + 16, f + 18}};
    value.instant = (ph_instant){.q = {1, 0, 0, 0}, .R = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    value.batch_strided =
        (ph_batch_strided){BODIES_IN_BATCH, records[0], 16, records[0] + 4, 16, records[0] + 7, 16,
                           records[0] + 10, 16};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < PH_BATCH_DERIVATIVE_COLUMNS; k++) {
            value.batch_derivative.attitude[i][k] = x[2 * (k * 3 + i)];
            value.batch_derivative.momentum[i][k] = x[2 * (k * 3 + i) + 1];
        }
    }
}

static inline void set_ensemble(void)
{
    static const char *const of[] = {"w1", "R33"};
    static const double times[] = {0.0, 0.1, 0.2}, low[] = {-1, -1}, high[] = {1, 1},
                        w[] = {1, 2, 3, 1, 2, 4};
    static double mean[6], covariance[12];
    static uint64_t bodies[3], histogram[12];
    value.each = (ph_each){"velocity", w, 3, 3, 1};
    value.ensemble_observer =
        (ph_ensemble_observer){see_body, go_on, see_end, &value, times, 3, false};
    value.reduction =
        (ph_reduction){of, 2, times, 3, bodies, mean, covariance, histogram, 2, low, high};
    value.observer = (ph_observer){see_system, &value, 1, times, 3};
    REQUIRE(ph_ensemble_create(&value.system_settings, &value.each, 1, 2, NULL, &value.ensemble));
    ph_system_settings with = value.system_settings;
    with.integrator = "gbs";
    with.tolerance = 1e-9;
    REQUIRE(ph_ensemble_create(&with, &value.each, 1, 2, NULL, &value.followed));
}

static inline void set_values(void)
{
    static const double strength = 2.0;
    static const ph_setting given[] = {{"strength", &strength, 1}};
    for (int i = 0; i < NUMBERS; i++)
        value.numbers[i] = i % 4 == 0 ? 1.0 + i : 0.25; /* rows of a table, too */
    value.vectors[0] = (ph_vec3){0, 0, 1};              /* the next is 0, a velocity */
    value.quat = (ph_quat){1, 0, 0, 0};
    value.parameter = (ph_parameter){.name = "k", .first = 0, .count = 1};
    value.problem = ph_problem_heavy_top[0];
    value.event = (ph_event){.value = height, .context = &value};
    value.system_settings = (ph_system_settings){
        "heavy_top",        .integrator = "vlv",       .step = 0.1,         .settings = given,
        .setting_count = 1, .message = &value.message, .warn = warn_nothing};
    value.on_spheres = (ph_system_settings){.integrator = "eln", .step = 0.1};
    value.pendulum = (ph_spheres_problem){.name = "own_pendulum",
                                          .count = one_sphere,
                                          .start = start_on_sphere,
                                          .potential = height_on_sphere,
                                          .mass = unit_mass};
    ph_system_settings with = value.system_settings;
    REQUIRE(ph_system_create(&with, &value.system));
    with.integrator = "gbs";
    with.tolerance = 1e-9;
    REQUIRE(ph_system_create(&with, &value.adaptive));
    with.derivatives = PH_DERIVATIVES_START;
    REQUIRE(ph_system_create(&with, &value.derivatives));
    value.size = ph_system_save(value.system, value.bytes, BYTES);
    require(value.size > 0 && value.size <= BYTES, "the snapshot");
    REQUIRE(ph_integrator_named("vlv", &value.integrator));
    REQUIRE(ph_integrator_named("exact", &value.flow));
    REQUIRE(ph_body_from_moments(&value.body, (ph_vec3){1, 2, 2.5}));
    value.state = (ph_state){{1, 0, 0, 0}, {1, 2, 3}};
    value.tangent = (ph_tangent){.attitude = {1, 0, 0}};
    REQUIRE(ph_motion_prepare(&value.motion, &value.body, &value.state));
    REQUIRE(ph_digits_begin(&value.digits, value.adaptive, 1.0));
    value.expressions = (ph_expressions){.potential = "k*R33",
                                         .parameters = &value.parameter,
                                         .parameter_count = 1,
                                         .value = value.numbers};
    value.device_run = (ph_device_run){.integrator = value.flow, .step = 0.1, .steps = 2};
    value.device_reduction = (ph_device_reduction){"m.x", "", 0.0, 1.0, 3};
    static const ph_grade_state at_the_end = {{1, 0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    value.grade_case = (ph_grade_case){.tensor = {1, 2, 2.5},
                                       .attitude = {1, 0, 0, 0},
                                       .bound = 1,
                                       .velocity_bound = 1,
                                       .times = 1,
                                       .time = value.numbers,
                                       .state = &at_the_end};
    set_batches();
    set_ensemble();
    set_observations();
}

typedef struct argument_call {
    const char *name;
    ph_status (*call)(void);
    bool must_fail; /* a pointer is NULL that no comment allows to be */
} argument_call;

/* What a call ends with: a status, or one of these. */
enum { RUNS_ON = 200, ACCEPTED = 201, MICROSECONDS = 100000 };

/* A call that runs on is stopped: it has not crashed. */
static inline void run_on(int signal_number)
{
    (void)signal_number;
    _exit(RUNS_ON);
}

static inline int call_alone(const argument_call *c)
{
    struct sigaction by_alarm = {.sa_handler = run_on};
    const struct itimerval soon = {.it_value = {0, MICROSECONDS}};
    (void)sigaction(SIGALRM, &by_alarm, NULL);
    (void)setitimer(ITIMER_REAL, &soon, NULL);
    const ph_status status = c->call();
    return status == PH_OK && c->must_fail ? ACCEPTED : (int)status;
}

/* Makes all calls, or those whose name has a text in it; returns 1 if one fails. */
static inline int make_calls(const argument_call *calls, size_t count)
{
    size_t failed = 0, long_ones = 0;
    const char *only = getenv("ONLY");
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    ph_set_threads(1); /* none is there to be lost by a fork */
    set_values();
    for (size_t i = 0; i < count; i++) {
        if (only != NULL && strstr(calls[i].name, only) == NULL)
            continue;
        int how = 0;
        const pid_t child = fork();
        if (child == 0)
            _exit(call_alone(&calls[i]));
        if (child < 0 || waitpid(child, &how, 0) != child)
            return 1;
        const int ended = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
        const bool valid = strstr(calls[i].name, ": valid") != NULL,
                   known = ended == RUNS_ON ||
                           strcmp(ph_status_text((ph_status)ended), "unknown status") != 0;
        long_ones += ended == RUNS_ON;
        if (!known || ended == ACCEPTED)
            printf("%s: %s\n", calls[i].name,
                   ended == ACCEPTED ? "succeeds, and no comment says that it may be NULL"
                                     : "crashes");
        else if (valid && ended != PH_OK && ended != RUNS_ON && ended != PH_NO_DEVICE &&
                 strncmp(calls[i].name, "ph_device", 9) != 0)
            printf("%s: %s\n", calls[i].name, ph_status_text((ph_status)ended));
        else
            continue;
        failed++;
    }
    printf("%zu calls, of which %zu failed; %zu ran for more than %g s\n", count, failed, long_ones,
           1e-6 * MICROSECONDS);
    return failed > 0 || count == 0;
}
