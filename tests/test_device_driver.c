/* test_device_driver.c - the host's side of bodies on a device, with a driver made for the test:
 * which devices there are, what programs, launches and memory are asked for, and that every call
 * that fails is reported and leaves nothing behind. What compilers of OpenCL make of the programs is
 * seen by test_device.c. */
/* Needs lab. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "support/bodies.h"
#include "support/fake_opencl.h"
#include "system/find.h"

/* ---- the clock and memory --------------------------------------------------------- */

static double seconds_a_look = 0.0, now_seconds = 1e9;
int __wrap_timespec_get(struct timespec *t, int base);

int __wrap_timespec_get(struct timespec *t, int base)
{
    now_seconds += seconds_a_look;
    t->tv_sec = (time_t)now_seconds;
    t->tv_nsec = (long)(1e9 * (now_seconds - (double)t->tv_sec));
    return base;
}

static long allocations, no_memory_at; /* 0: always */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

/* The driver itself has memory. */
static bool none_left(void)
{
    return !fake.inside && ++allocations == no_memory_at;
}

void *__wrap_malloc(size_t size)
{
    return none_left() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return none_left() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return none_left() ? NULL : __real_realloc(old, size);
}

/* ---- devices --------------------------------------------------------------------- */

enum { CPU = 2, GPU = 4, ACCELERATOR = 8 };
static const fake_device plain_cpu = {"cpu", CPU, 1 << 30, 1 << 28, 63, 3, 1, 1, 1},
                         plain_gpu = {"gpu", GPU, 1 << 30, 1 << 28, 63, 80, 1, 1, 0};

static void set_up(const fake_device *devices, size_t count)
{
    fake = (fake_driver){.count = (uint32_t)count};
    for (size_t i = 0; i < count; i++)
        fake.devices[i] = devices[i];
    seconds_a_look = 0.0;
}

static void assert_all_released(void)
{
    if (fake.wrong != NULL)
        fail_msg("the driver was asked for what it must not be: %s", fake.wrong);
    assert_int_equal(fake.live, 0);
    assert_int_equal(fake.libraries, 0);
}

static void test_list(void **state)
{
    (void)state;
    fake_device all[] = {plain_cpu, plain_gpu, plain_gpu, plain_gpu, plain_gpu, plain_gpu};
    all[1].name = "single";
    all[1].double_config = 0;
    all[2].name = "away";
    all[2].available = 0;
    all[3].name = "no compiler";
    all[3].compiler = 0;
    all[5].name = "gpu 2";
    all[5].memory = (uint64_t)5 << 33;
    all[5].largest = (uint64_t)3 << 33;
    set_up(all, 6);
    ph_device_info info[5] = {{.units = -1}, {.units = -1}, {.units = -1}, {.units = -1}};
    assert_int_equal(ph_devices(info, 2), 4);
    assert_int_equal(info[2].units, -1);
    assert_int_equal(ph_devices(info, 5), 4);
    static const size_t listed[] = {0, 1, 4, 5};
    for (size_t i = 0; i < 4; i++) {
        const fake_device *d = &all[listed[i]];
        assert_string_equal(info[i].name, d->name);
        assert_string_equal(info[i].platform, "made for a test");
        assert_int_equal(info[i].memory, d->memory);
        assert_int_equal(info[i].largest, d->largest);
        assert_int_equal(info[i].units, d->units);
        assert_int_equal(info[i].gpu, d->type == GPU);
        assert_int_equal(info[i].shares_memory, d->shares);
        assert_int_equal(info[i].double_precision, d->double_config != 0);
    }
    assert_all_released();

    /* by name, and which is "any" */
    static const struct {
        const char *name, *found;
    } asked[] = {{"any", "gpu"}, {"cpu", "cpu"},        {"gpu 2", "gpu 2"}, {"single", NULL},
                 {"away", NULL}, {"no compiler", NULL}, {"gpu 3", NULL},    {"", NULL}};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        ph_device *d = NULL;
        const ph_status status = ph_device_create(asked[i].name, &d);
        assert_int_equal(status, asked[i].found == NULL ? PH_NO_DEVICE : PH_OK);
        if (d != NULL)
            assert_string_equal(ph_device_about(d)->name, asked[i].found);
        ph_device_destroy(d);
        assert_all_released();
    }
    ph_device *d = NULL;
    all[4].double_config = all[5].double_config = 0;
    all[3] = (fake_device){"accelerator", ACCELERATOR, 1, 1, 63, 1, 1, 1, 0};
    set_up(all, 6);
    assert_int_equal(ph_device_create("any", &d), PH_OK); /* no GPU: the first */
    assert_string_equal(ph_device_about(d)->name, "cpu");
    ph_device_destroy(d);
    assert_int_equal(ph_device_create(NULL, &d), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_create("any", NULL), PH_NULL_ARGUMENT);

    fake.lacking = "clFinish";
    assert_int_equal(ph_devices(info, 5), 0);
    assert_int_equal(ph_device_create("any", &d), PH_NO_DEVICE);
    fake.lacking = NULL;
    fake.absent = true;
    assert_int_equal(ph_devices(info, 5), 0);
    assert_int_equal(ph_device_create("any", &d), PH_NO_DEVICE);
    assert_all_released();
}

/* By the memory of all arrays, by one array, by what 32 bits can count. */
static void test_most_bodies(void **state)
{
    (void)state;
    static const uint64_t memory[][3] = {{96000, 1 << 20, 800},
                                         {1 << 30, 8000, 1000},
                                         {(uint64_t)1 << 50, (uint64_t)1 << 50, 0xffffff7f}};
    for (size_t i = 0; i < 3; i++) {
        fake_device one = plain_cpu;
        ph_device *d;
        one.memory = memory[i][0];
        one.largest = memory[i][1];
        set_up(&one, 1);
        assert_int_equal(ph_device_create("any", &d), PH_OK);
        assert_int_equal(ph_device_most_bodies(d), memory[i][2]);
        ph_device_bodies *b = NULL;
        assert_int_equal(ph_device_bodies_create(d, 0xffffff80, NULL, &b), PH_NO_MEMORY);
        assert_null(b);
        ph_device_destroy(d);
        assert_all_released();
    }
}

/* ---- bodies ---------------------------------------------------------------------- */

enum { BODIES = 300, COLUMNS = 10 };

typedef struct memory {
    double column[COLUMNS][BODIES];
} memory;

static memory start, end;
static double own_times[BODIES];

static ph_batch batch_of(memory *a, size_t n)
{
    double(*c)[BODIES] = a->column;
    return (ph_batch){n, {c[0], c[1], c[2], c[3]}, {c[4], c[5], c[6]}, {c[7], c[8], c[9]}};
}

static ph_state state_at(const memory *a, size_t i)
{
    const double(*c)[BODIES] = a->column;
    return (ph_state){{c[0][i], c[1][i], c[2][i], c[3][i]}, {c[4][i], c[5][i], c[6][i]}};
}

static ph_body body_at(const memory *a, size_t i)
{
    return (ph_body){{a->column[7][i], a->column[8][i], a->column[9][i]}, {1, 0, 0, 0}, true};
}

static void generate(uint64_t i, ph_state *s, ph_vec3 *J, double *time)
{
    uint64_t seed = i + 1;
    double x[7];
    for (int k = 0; k < 7; k++)
        x[k] = between(&seed, -1.0, 1.0);
    s->q = ph_rotation_exp(vec3(x[0], x[1], x[2]));
    s->m = vec3(x[3], x[4], x[5]);
    *J = vec3(1.0, 1.5 + 0.25 * x[6], 2.0);
    *time = 0.5 + x[6];
}

static double half_m1_by_J2(uint64_t i, ph_quat q, ph_vec3 m, ph_vec3 J)
{
    return i % 10 == 3 ? NAN : i % 10 == 4 ? INFINITY : q.x + 0.5 * m.x / J.y;
}

static void draw(void)
{
    for (size_t i = 0; i < BODIES; i++) {
        ph_state s;
        ph_vec3 J;
        generate(i, &s, &J, &own_times[i]);
        const double x[COLUMNS] = {s.q.w, s.q.x, s.q.y, s.q.z, s.m.x, s.m.y, s.m.z, J.x, J.y, J.z};
        for (int k = 0; k < COLUMNS; k++)
            start.column[k][i] = x[k];
    }
}

static ph_device *device;
static ph_device_bodies *there;

static void open_device(const fake_device *one)
{
    set_up(one, 1);
    fake.value = half_m1_by_J2;
    fake.generate = generate;
    assert_int_equal(ph_device_create("any", &device), PH_OK);
    assert_int_equal(ph_device_bodies_create(device, BODIES, NULL, &there), PH_OK);
}

static void close_device(void)
{
    ph_device_bodies_destroy(there);
    ph_device_destroy(device);
    assert_all_released();
}

static ph_batch_result advance(const ph_device_run *run)
{
    const ph_batch from = batch_of(&start, BODIES), to = batch_of(&end, BODIES);
    end = start;
    fake.run = run;
    fake.launch_count = 0;
    assert_int_equal(ph_device_upload(there, &from), PH_OK);
    const ph_batch_result result = ph_device_advance(there, run);
    if (fake.wrong != NULL || result.status == PH_DEVICE_FAILED)
        fail_msg("%s: %s", fake.wrong, ph_device_log(device));
    assert_int_equal(ph_device_download(there, &to), PH_OK);
    return result;
}

/* The program has the text of these files, and no line that a compiler could not read. */
static void check_text(const char *flow, const char *field)
{
    char begin[PH_INTEGRATOR_NAME + 10];
    int depth = 0;
    (void)snprintf(begin, sizeof begin, "/* %.*s.c - ", (int)strcspn(flow, "0123456789"), flow);
    assert_non_null(strstr(fake.text, begin));
    if (field != NULL) {
        (void)snprintf(begin, sizeof begin, "/* %s.c - ", field);
        assert_non_null(strstr(fake.text, begin));
    }
    assert_non_null(strstr(fake.text, "/* library.cl - "));
    for (const char *line = fake.text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        depth += (strncmp(line, "#if", 3) == 0) - (strncmp(line, "#endif", 6) == 0);
        assert_true(depth >= 0 && strncmp(line, "#include <", 10) != 0 &&
                    strncmp(line, "#pragma once", 12) != 0);
    }
    assert_int_equal(depth, 0);
    /* what stands behind no condition is there once */
    const char *once = strstr(fake.text, "/* prelude.cl - ");
    assert_non_null(once);
    assert_null(strstr(once + 1, "/* prelude.cl - "));
}

/* The same bits as by steps on the CPU, whichever bodies are left by the first program. */
static void check_run(const char *integrator, const ph_problem *p, uint64_t per_launch, int leave,
                      const double *const *each)
{
    const uint64_t steps = 7;
    ph_device_run run = {.start = 0.5,
                         .step = 0.05,
                         .steps = steps,
                         .steps_per_launch = per_launch,
                         .field = p,
                         .each = each};
    assert_int_equal(ph_integrator_named(integrator, &run.integrator), PH_OK);
    assert_int_equal(ph_device_applies(&run), PH_OK);
    fake.leave = leave;
    const ph_batch_result result = advance(&run);
    assert_int_equal(result.status, PH_OK);
    assert_int_equal(result.failed, BODIES);
    assert_false(result.stopped);
    assert_int_equal(ph_device_fallbacks(there), leave > 0 ? (BODIES + leave - 1) / leave : 0);
    if (leave > 0)
        check_text(run.integrator.flow->name, p == NULL ? NULL : p->name);
    for (size_t i = 0; i < BODIES; i++) {
        ph_problem own = p == NULL ? *find_problem("free") : *p;
        ph_state s = state_at(&start, i);
        const ph_state got = state_at(&end, i);
        own.body = body_at(&start, i);
        for (int k = 0; each != NULL && k < PH_PARAMETER_VALUES; k++)
            own.value[k] = each[k] == NULL ? own.value[k] : each[k][i];
        for (uint64_t k = 0; k < steps; k++)
            assert_int_equal(
                ph_integrator_step(&run.integrator, &own, &s, 0.5 + (double)k * 0.05, 0.05), PH_OK);
        if (memcmp(&s, &got, sizeof s) != 0)
            fail_msg("%s, body %zu: %a is %a", integrator, i, s.m.x, got.m.x);
    }
}

static void test_runs(void **state)
{
    (void)state;
    static const char *const names[] = {"exact", "mr@suzuki4", "mr", "gauss6"};
    static const uint64_t per_launch[] = {0, 1, 2, 3, 7, 100};
    open_device(&plain_gpu);
    draw();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (size_t k = 0; k < sizeof per_launch / sizeof per_launch[0]; k++) {
            check_run(names[i], NULL, per_launch[k], 0, NULL);
            check_run(names[i], NULL, per_launch[k], (int)k + 1, NULL);
        }
    }
    close_device();
}

/* Whether the torque of a problem depends on time. */
static bool own_time(const ph_problem *p)
{
    ph_problem own = *p;
    ph_state s[2] = {state_at(&start, 0), state_at(&start, 0)};
    ph_integrator by;
    own.body = body_at(&start, 0);
    assert_int_equal(ph_integrator_named("verlet+exact", &by), PH_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(ph_integrator_step(&by, &own, &s[k], 0.25 * k, 0.05), PH_OK);
    return memcmp(&s[0], &s[1], sizeof s[0]) != 0;
}

static void test_fields(void **state)
{
    (void)state;
    size_t count;
    const ph_scheme *const *schemes = ph_schemes(&count);
    ph_problem top = *find_problem("heavy_top");
    double strength[BODIES], third[BODIES];
    const double *each[PH_PARAMETER_VALUES] = {strength, [6] = third};
    open_device(&plain_gpu);
    draw();
    for (size_t i = 0; i < BODIES; i++) {
        strength[i] = 0.5 + 0.01 * (double)i;
        third[i] = 1.0 / (double)(i + 1);
    }
    for (size_t i = 0; i < count; i++) {
        char name[PH_INTEGRATOR_NAME];
        (void)snprintf(name, sizeof name, "%s+exact", schemes[i]->name);
        check_run(name, &top, 2, 3, NULL);
        check_run(name, &top, 0, 5, each);
        (void)snprintf(name, sizeof name, "%s+exact@suzuki4", schemes[i]->name);
        ph_integrator composed;
        if (ph_integrator_named(name, &composed) == PH_OK)
            check_run(name, &top, 2, 3, each);
    }
    check_run("verlet+mr:suzuki4", &top, 2, 3, NULL);
    size_t problems, changes = 0;
    const ph_problem *const *all = ph_problems(&problems);
    for (size_t i = 0; i < problems; i++) {
        ph_device_run run = {.field = all[i]};
        ph_problem mine = *all[i];
        assert_int_equal(ph_integrator_named("verlet+exact", &run.integrator), PH_OK);
        if (all[i]->torque == NULL || ph_device_applies(&run) != PH_OK)
            continue;
        mine.name = NULL; /* of the file that has the torque */
        for (size_t k = 0; k < problems && mine.name == NULL; k++)
            mine.name = all[k]->torque == mine.torque ? all[k]->name : NULL;
        check_run("verlet+exact", &mine, 2, 3, NULL);
        /* the kicks of a composition are at times within the step, the last one is at its end */
        check_run("verlet+exact@suzuki4", &mine, 2, 3, NULL);
        changes += own_time(&mine);
    }
    assert_true(changes > 0);
    close_device();
}

/* What devices do not do. */
static void test_applies(void **state)
{
    (void)state;
    static const struct {
        const char *integrator, *problem;
        bool timed;
        ph_status status;
    } rows[] = {
        {"exact", NULL, false, PH_OK},
        {"exact", NULL, true, PH_OK},
        {"exact", "free", false, PH_OK},
        {"exact", "heavy_top", false, PH_NOT_APPLICABLE},
        {"zon", NULL, false, PH_NOT_APPLICABLE},
        {"mr@suzuki4", NULL, true, PH_NOT_APPLICABLE},
        {"mr@suzuki4", NULL, false, PH_OK},
        {"verlet+exact", NULL, false, PH_OK},
        {"verlet+exact", NULL, true, PH_NOT_APPLICABLE},
        {"verlet+exact", "heavy_top", false, PH_OK},
        {"verlet+zon", "heavy_top", false, PH_NOT_APPLICABLE},
        {"rk4", "heavy_top", false, PH_NOT_APPLICABLE},
        {"gbs", "heavy_top", false, PH_NOT_APPLICABLE},
        {"verlet+exact", "gyrostat", false, PH_NOT_APPLICABLE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ph_device_run run = {.timed = rows[i].timed,
                             .field =
                                 rows[i].problem == NULL ? NULL : find_problem(rows[i].problem)};
        if (ph_integrator_named(rows[i].integrator, &run.integrator) != PH_OK)
            fail_msg("there is no %s", rows[i].integrator);
        if (ph_device_applies(&run) != rows[i].status)
            fail_msg("%s, %s", rows[i].integrator, rows[i].problem);
    }
    ph_problem own = *find_problem("heavy_top");
    own.velocity_dependent = true;
    ph_device_run run = {.field = &own};
    assert_int_equal(ph_integrator_named("verlet+exact", &run.integrator), PH_OK);
    assert_int_equal(ph_device_applies(&run), PH_NOT_APPLICABLE);
    run.torque = "";
    assert_int_equal(ph_device_applies(&run), PH_NOT_APPLICABLE);
    run.field = NULL;
    assert_int_equal(ph_device_applies(&run), PH_OK);
    /* numbers of a problem that are no table do not matter, rows of a table do */
    double data[] = {2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    own = *find_problem("heavy_top");
    own.data = data;
    own.data_count = sizeof data / sizeof data[0];
    run.field = &own;
    assert_int_equal(ph_device_applies(&run), PH_OK);
    run.torque = NULL;
    assert_int_equal(ph_device_applies(&run), PH_OK);
    const ph_parameter table = {.name = "rows"};
    own.tables = &table;
    own.table_count = 1;
    assert_int_equal(ph_device_applies(&run), PH_NOT_APPLICABLE);
    data[0] = 0.0;
    assert_int_equal(ph_device_applies(&run), PH_OK);
    const ph_parameter two[] = {table, table}; /* the first one is empty */
    data[1] = 1.0;
    own.tables = two;
    own.table_count = 2;
    assert_int_equal(ph_device_applies(&run), PH_NOT_APPLICABLE);
    assert_int_equal(ph_device_applies(NULL), PH_NULL_ARGUMENT);
}

/* A time for each body: the caller's, or those that they were generated with. */
static void test_times(void **state)
{
    (void)state;
    const ph_flow *exact = find_flow("exact");
    double other[BODIES];
    open_device(&plain_gpu);
    draw();
    for (size_t i = 0; i < BODIES; i++)
        other[i] = 0.01 * (double)i;
    for (int given = 0; given < 2; given++) {
        const ph_device_run run = {.integrator = {.flow = exact},
                                   .timed = true,
                                   .times = given ? other : NULL,
                                   .steps = 5};
        const ph_batch to = batch_of(&end, BODIES);
        fake.run = &run;
        fake.leave = 4;
        assert_int_equal(ph_device_generate(there, "", 0, BODIES), PH_OK);
        assert_int_equal(ph_device_advance(there, &run).status, PH_OK);
        assert_int_equal(ph_device_download(there, &to), PH_OK);
        for (size_t i = 0; i < BODIES; i++) {
            const ph_body body = body_at(&start, i);
            ph_state s = state_at(&start, i);
            const ph_state got = state_at(&end, i);
            assert_int_equal(ph_flow_step(exact, &body, &s, given ? other[i] : own_times[i]),
                             PH_OK);
            assert_memory_equal(&s, &got, sizeof s);
        }
    }
    close_device();
}

/* ---- launches -------------------------------------------------------------------- */

static bool never_stop(void *context, double done)
{
    *(double *)context = done;
    return true;
}

static bool stop_at_half(void *context, double done)
{
    *(double *)context = done;
    return done < 0.5;
}

/* How long launches are, and how many are queued: `rounds` is the numbers of launches or, with no
 * length given, of steps. */
static void check_launches(uint64_t per_launch, uint64_t steps, double seconds, bool watched,
                           const long *expected, size_t count)
{
    double done = 0.0;
    const ph_device_run run = {.integrator = {.flow = find_flow("exact")},
                               .step = 0.1,
                               .steps = steps,
                               .steps_per_launch = per_launch,
                               .observer = watched ? never_stop : NULL,
                               .context = &done};
    fake.idle = true;
    fake.leave = 0;
    seconds_a_look = seconds;
    assert_int_equal(advance(&run).status, PH_OK);
    assert_true(!watched || done == 1.0);
    uint64_t at = 0;
    size_t rounds = 0;
    for (size_t k = 0; k < fake.launch_count; rounds++) {
        size_t launches = 0;
        const size_t begin = k;
        do {
            assert_int_equal(fake.launches[k].first + fake.launches[begin].first * 0, at);
            assert_int_equal(fake.launches[k].number, launches);
            assert_int_equal(fake.launches[k].items, (BODIES + 63) / 64 * 64);
            at += fake.launches[k].steps;
            launches++;
            k++;
        } while (k < fake.launch_count && fake.launches[k].number > 0);
        assert_true(rounds < count);
        assert_int_equal(expected[rounds],
                         per_launch > 0 ? (long)launches : (long)fake.launches[begin].steps);
    }
    assert_int_equal(rounds, count);
    assert_int_equal(at, steps);
}

static void test_launches(void **state)
{
    (void)state;
    open_device(&plain_gpu);
    draw();
    check_launches(0, 100, 0.0, false, (long[]){1, 2, 4, 8, 16, 32, 37}, 7);
    check_launches(0, 100, 0.09, true, (long[]){1, 2, 4, 8, 16, 32, 37}, 7);
    check_launches(0, 4, 0.11, false, (long[]){1, 1, 1, 1}, 4);
    check_launches(0, 0, 0.0, false, NULL, 0);
    check_launches(2, 100, 0.0, false, (long[]){1, 4, 16, 29}, 4);
    check_launches(2, 101, 0.0, false, (long[]){1, 4, 16, 29, 1}, 5);
    check_launches(1, 3, 0.11, false, (long[]){1, 1, 1}, 3);
    check_launches(1, 4, 0.0, true, (long[]){1, 1, 1, 1}, 4);
    /* launches of 2^20 steps at most */
    check_launches(3 << 20, 5 << 19, 0.0, true, (long[]){1, 1, 1}, 3);
    assert_int_equal(fake.launches[0].steps, 1 << 20);
    check_launches(0, (1 << 22) - 1 + (1 << 19), 0.0, true,
                   (long[]){1,       2,       4,       8,       16,      32,      64,      128,
                            256,     512,     1024,    2048,    4096,    8192,    1 << 14, 1 << 15,
                            1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 20, 1 << 20, 1 << 19},
                   24);
    fake.idle = false;
    double done = 0.0;
    ph_device_run run = {.integrator = {.flow = find_flow("exact")},
                         .step = 0.1,
                         .steps = 6,
                         .steps_per_launch = 1,
                         .observer = stop_at_half,
                         .context = &done};
    assert_true(advance(&run).stopped);
    assert_true(done == 0.5);
    assert_int_equal(fake.launch_count, 3);
    close_device();
}

/* Work-items of the second program: no more than 65536, of whatever number of bodies. */
static void test_many_bodies(void **state)
{
    (void)state;
    static const size_t numbers[] = {65536, 65537, 70000, 1, 64, 65, 0};
    const ph_device_run run = {.integrator = {.flow = find_flow("mr")}, .step = 0.1, .steps = 1};
    set_up(&plain_gpu, 1);
    fake.run = &run;
    fake.generate = generate;
    fake.leave = 1000;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const size_t n = numbers[i];
        fake.launch_count = 0;
        assert_int_equal(ph_device_create("any", &device), PH_OK);
        assert_int_equal(ph_device_bodies_create(device, n, NULL, &there), PH_OK);
        assert_int_equal(ph_device_generate(there, "", 7, n), PH_OK);
        assert_int_equal(ph_device_generate(there, "", 7, n + 2), PH_NO_MEMORY);
        const ph_batch_result result = ph_device_advance(there, &run);
        assert_int_equal(result.status, PH_OK);
        assert_int_equal(result.failed, n);
        assert_int_equal(fake.launch_count, n == 0 ? 0 : 2);
        if (n > 0) {
            assert_true(fake.launches[1].finish && !fake.launches[0].finish);
            assert_int_equal(fake.launches[0].items, (n + 63) / 64 * 64);
            assert_int_equal(fake.launches[1].items, n > 65536 ? 65536 : (n + 63) / 64 * 64);
        }
        assert_int_equal(ph_device_fallbacks(there), (n + 999) / 1000);
        close_device();
    }
}

/* ---- failures of bodies ------------------------------------------------------------- */

static ph_vec3 fails_once(const ph_problem *p, const ph_instant *now)
{
    const bool bad = p->value[0] == 1.0 && fabs(now->t - (9 * 0.25 + 0.125)) < 0.01;
    return vec3(bad ? NAN : 0.5 * now->R.a[2][0], now->R.a[2][1], 0.25);
}

static void test_failures(void **state)
{
    (void)state;
    ph_problem own = {.torque = fails_once};
    double marks[BODIES] = {0};
    const double *each[PH_PARAMETER_VALUES] = {marks};
    open_device(&plain_gpu);
    draw();
    for (uint64_t per_launch = 0; per_launch < 30; per_launch = 2 * per_launch + 1) {
        for (int leave = 0; leave < 5; leave += 2) {
            ph_device_run run = {.torque = "static ph_vec3 torque()",
                                 .field = &own,
                                 .step = 0.25,
                                 .steps = 9,
                                 .each = each,
                                 .steps_per_launch = per_launch};
            assert_int_equal(ph_integrator_named("verlet_drift+exact", &run.integrator), PH_OK);
            fake.leave = leave;
            marks[77] = marks[120] = marks[299] = 0.0;
            assert_int_equal(advance(&run).status, PH_OK);
            const memory before = end;
            run.steps = 23;
            assert_int_equal(advance(&run).status, PH_OK);
            const memory after = end;
            marks[77] = marks[120] = marks[299] = 1.0;
            const ph_batch_result bad = advance(&run);
            assert_int_equal(bad.status, PH_NOT_FINITE);
            assert_int_equal(bad.failed, 77);
            assert_int_equal(bad.step, 9);
            assert_non_null(strstr(fake.text, "static ph_vec3 torque()"));
            for (size_t i = 0; i < BODIES; i++) {
                const ph_state expected = state_at(marks[i] == 1.0 ? &before : &after, i),
                               got = state_at(&end, i);
                assert_memory_equal(&expected, &got, sizeof got);
            }
        }
    }
    close_device();
}

/* A torque of the caller's own without a problem: its parameters are 0. */
static void test_own_torque(void **state)
{
    (void)state;
    ph_device_run run = {.torque = "static ph_vec3 torque()", .step = 0.1, .steps = 2};
    assert_int_equal(PH_OK, ph_integrator_named("verlet+exact", &run.integrator));
    open_device(&plain_gpu);
    draw();
    fake.idle = true;
    assert_int_equal(advance(&run).status, PH_OK);
    assert_memory_equal(&start, &end, sizeof end);
    close_device();
}

static void test_bad_arguments(void **state)
{
    (void)state;
    ph_device_run good = {.integrator = {.flow = find_flow("exact")}, .step = 1, .steps = 1};
    open_device(&plain_gpu);
    draw();
    fake.run = &good;
    const ph_batch some = batch_of(&start, BODIES), none = batch_of(&start, 0);
    ph_batch more = some;
    assert_int_equal(ph_device_upload(there, &some), PH_OK);
    for (int k = 0; k < 6; k++) {
        ph_device_run run = good;
        *(k < 3 ? &run.step : &run.start) = (double[]){NAN, INFINITY, -INFINITY}[k % 3];
        assert_int_equal(ph_device_advance(there, &run).status, k < 3 ? PH_BAD_STEP : PH_BAD_TIME);
    }
    ph_device_run run = good;
    run.integrator.flow = find_flow("zon");
    assert_int_equal(ph_device_advance(there, &run).status, PH_NOT_APPLICABLE);
    assert_int_equal(ph_device_advance(NULL, &good).status, PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_advance(there, NULL).status, PH_NULL_ARGUMENT);
    more.n = BODIES + 1;
    assert_int_equal(ph_device_upload(there, &more), PH_NO_MEMORY);
    assert_int_equal(ph_device_download(there, &more), PH_NO_MEMORY);
    assert_int_equal(ph_device_upload(NULL, &some), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_upload(there, NULL), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_download(NULL, &some), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_download(there, NULL), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_generate(there, NULL, 0, 1), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_generate(NULL, "", 0, 1), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_bodies_create(NULL, 1, NULL, &there), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_bodies_create(device, 1, NULL, NULL), PH_NULL_ARGUMENT);
    const double *const x = start.column[4];
    for (int k = 0; k < 4; k++)
        assert_int_equal(ph_device_kick(k == 0 ? NULL : there, k == 1 ? NULL : x, k == 2 ? NULL : x,
                                        k == 3 ? NULL : x, 1.0),
                         PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_kick(there, x, x, x, NAN), PH_BAD_STEP);

    ph_device_reduction asked = {"x", NULL, 0.0, 1.0, 3};
    ph_device_statistics out;
    uint64_t counts[3] = {0};
    assert_int_equal(ph_device_reduce(NULL, &asked, &out, counts), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_reduce(there, NULL, &out, counts), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_reduce(there, &asked, NULL, counts), PH_NULL_ARGUMENT);
    assert_int_equal(ph_device_reduce(there, &asked, &out, NULL), PH_NULL_ARGUMENT);
    asked.expression = NULL;
    assert_int_equal(ph_device_reduce(there, &asked, &out, counts), PH_NULL_ARGUMENT);
    static const double ranges[][2] = {{NAN, 1}, {0, NAN},       {0, INFINITY},  {1, 1},
                                       {2, 1},   {-INFINITY, 0}, {-1e308, 1e308}};
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        asked = (ph_device_reduction){"x", NULL, ranges[k][0], ranges[k][1], 1};
        assert_int_equal(ph_device_reduce(there, &asked, &out, counts), PH_BAD_PARAMETER);
        asked.bins = 0; /* then they do not count */
        assert_int_equal(ph_device_reduce(there, &asked, &out, NULL), PH_OK);
    }
    asked = (ph_device_reduction){"x", NULL, 0, 1, UINT32_MAX};
    assert_int_equal(ph_device_reduce(there, &asked, &out, counts), PH_NO_MEMORY);

    /* no bodies at all */
    assert_int_equal(ph_device_upload(there, &none), PH_OK);
    assert_int_equal(ph_device_kick(there, x, x, x, 1.0), PH_OK);
    assert_int_equal(ph_device_advance(there, &good).status, PH_OK);
    out = (ph_device_statistics){1, 1, 1, 1, 1};
    asked = (ph_device_reduction){"x", NULL, 0, 1, 3};
    assert_int_equal(ph_device_reduce(there, &asked, &out, counts), PH_OK);
    assert_true(out.n == 0 && out.not_finite == 0 && out.sum == 0.0);
    assert_int_equal(ph_device_download(there, &some), PH_NO_MEMORY);
    close_device();
}

/* ---- kicks and reductions ------------------------------------------------------------ */

static void test_kick_and_in_place(void **state)
{
    (void)state;
    double torque[3][BODIES];
    for (int shares = 0; shares < 2; shares++) {
        fake_device one = plain_cpu;
        one.shares = (uint32_t)shares;
        open_device(&one);
        ph_device_bodies_destroy(there);
        draw();
        end = start;
        for (size_t i = 0; i < BODIES; i++) {
            for (int k = 0; k < 3; k++)
                torque[k][i] = sin((double)(3 * i) + k);
        }
        const ph_batch mine = batch_of(&end, BODIES), expected = batch_of(&start, BODIES);
        assert_int_equal(ph_device_bodies_create(device, BODIES, &mine, &there), PH_OK);
        assert_int_equal(ph_device_upload(there, &mine), PH_OK);
        assert_int_equal(ph_device_kick(there, torque[0], torque[1], torque[2], 0.3), PH_OK);
        const memory untouched = start;
        ph_batch_kick(&expected, torque[0], torque[1], torque[2], 0.3);
        assert_int_equal(fake.finishes, 1);
        /* in shared memory it is there already */
        assert_memory_equal(shares ? &start : &untouched, &end, sizeof end);
        assert_int_equal(ph_device_download(there, &mine), PH_OK);
        assert_memory_equal(&start, &end, sizeof end);
        close_device();
    }
}

static void check_reduction(size_t n, size_t bins)
{
    const uint64_t first = 11;
    uint64_t counts[9], expected[9];
    double sums[BODIES * 20], least = INFINITY, most = -INFINITY;
    size_t not_finite = 0;
    const ph_device_reduction asked = {"x of mine", "functions of mine", -0.5, 0.6, bins};
    ph_device_statistics out;
    assert_true(n <= sizeof sums / sizeof sums[0]);
    for (size_t k = 0; k < 9; k++)
        counts[k] = expected[k] = 100 + k; /* which is added to */
    for (size_t i = 0; i < n; i++) {
        ph_state s;
        ph_vec3 J;
        double time;
        generate(first + i, &s, &J, &time);
        const double x = half_m1_by_J2(first + i, s.q, s.m, J);
        sums[i] = isfinite(x) ? x : 0.0;
        not_finite += isfinite(x) ? 0 : 1;
        if (!isfinite(x))
            continue;
        least = x < least ? x : least;
        most = x > most ? x : most;
        const double place = floor((x + 0.5) / (0.6 + 0.5) * (double)bins);
        if (bins > 0)
            expected[place < 0 ? 0 : place < (double)bins ? (size_t)place : bins - 1]++;
    }
    for (size_t left = n; left > 1; left = (left + 63) / 64) {
        for (size_t g = 0; g * 64 < left; g++) {
            double part[64] = {0};
            for (size_t k = 0; k < 64 && g * 64 + k < left; k++)
                part[k] = sums[g * 64 + k];
            for (size_t width = 32; width > 0; width /= 2) {
                for (size_t k = 0; k < width; k++)
                    part[k] += part[k + width];
            }
            sums[g] = part[0];
        }
    }
    assert_int_equal(ph_device_bodies_create(device, n, NULL, &there), PH_OK);
    assert_int_equal(ph_device_generate(there, "", first, n), PH_OK);
    const ph_status status = ph_device_reduce(there, &asked, &out, counts);
    if (status != PH_OK)
        fail_msg("%zu: %s: %s", n, fake.wrong, ph_device_log(device));
    assert_true(out.n == n && out.not_finite == not_finite && out.least == least &&
                out.most == most && out.sum == sums[0]);
    assert_memory_equal(counts, expected, sizeof counts);
    assert_non_null(strstr(fake.text, "functions of mine\n"));
    assert_non_null(strstr(fake.text, "return \nx of mine\n;\n}"));
    ph_device_bodies_destroy(there);
    there = NULL;
}

static void test_reductions(void **state)
{
    (void)state;
    static const size_t numbers[] = {1, 2, 63, 64, 65, 128, 129, 4096, 4097, 5000};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        for (size_t bins = 0; bins <= 9; bins += 3) {
            open_device(&plain_gpu);
            ph_device_bodies_destroy(there);
            check_reduction(numbers[i], bins);
            close_device();
        }
    }
}

/* ---- failures of the driver --------------------------------------------------------------- */

/* All that can be asked of a device, until something fails. */
static ph_status do_all(void)
{
    const ph_device_run run = {.integrator = {.flow = find_flow("exact")},
                               .timed = true,
                               .times = own_times,
                               .step = 0.1,
                               .steps = 3};
    const ph_problem *top = find_problem("heavy_top");
    ph_device_run field = {.step = 0.1,
                           .steps = 3,
                           .field = top,
                           .each = (const double *[PH_PARAMETER_VALUES]){own_times}};
    const ph_device_reduction asked = {"x", NULL, 0.0, 1.0, 3};
    const ph_batch mine = batch_of(&start, BODIES);
    const double *const x = start.column[4];
    ph_device_statistics out;
    uint64_t counts[3];
    fake.run = &run;
    fake.leave = 10;
    device = NULL;
    there = NULL;
    ph_status status = ph_integrator_named("verlet+exact", &field.integrator);
    if (status == PH_OK)
        status = ph_device_create("any", &device);
    if (status == PH_OK)
        status = ph_device_bodies_create(device, BODIES, NULL, &there);
    if (status == PH_OK)
        status = ph_device_upload(there, &mine);
    if (status == PH_OK)
        status = ph_device_advance(there, &run).status;
    fake.run = &field;
    if (status == PH_OK)
        status = ph_device_advance(there, &field).status;
    if (status == PH_OK)
        status = ph_device_kick(there, x, x, x, 0.5);
    if (status == PH_OK)
        status = ph_device_generate(there, "", 0, BODIES);
    if (status == PH_OK)
        status = ph_device_reduce(there, &asked, &out, counts);
    if (status == PH_OK)
        status = ph_device_download(there, &mine);
    return status;
}

static void test_driver_fails(void **state)
{
    (void)state;
    static const struct {
        int32_t error;
        const char *name;
        ph_status status;
    } errors[] = {
        {-2, "CL_DEVICE_NOT_AVAILABLE", PH_DEVICE_FAILED},
        {-3, "CL_COMPILER_NOT_AVAILABLE", PH_DEVICE_FAILED},
        {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE", PH_NO_MEMORY},
        {-5, "CL_OUT_OF_RESOURCES", PH_DEVICE_FAILED},
        {-6, "CL_OUT_OF_HOST_MEMORY", PH_NO_MEMORY},
        {-11, "CL_BUILD_PROGRAM_FAILURE", PH_DEVICE_FAILED},
        {-36, "CL_INVALID_COMMAND_QUEUE", PH_DEVICE_FAILED},
        {-46, "CL_INVALID_KERNEL_NAME", PH_DEVICE_FAILED},
        {-48, "CL_INVALID_KERNEL", PH_DEVICE_FAILED},
        {-52, "CL_INVALID_KERNEL_ARGS", PH_DEVICE_FAILED},
        {-54, "CL_INVALID_WORK_GROUP_SIZE", PH_DEVICE_FAILED},
        {-61, "CL_INVALID_BUFFER_SIZE", PH_NO_MEMORY},
        {-7, "error", PH_DEVICE_FAILED},
    };
    enum { KINDS = sizeof errors / sizeof errors[0] };
    long last = 0;
    draw();
    for (long k = 1; last == 0; k++) {
        const size_t e = (size_t)k % KINDS;
        char said[100];
        set_up(&plain_gpu, 1);
        fake.value = half_m1_by_J2;
        fake.generate = generate;
        fake.fail_at = k;
        fake.error = errors[e].error;
        const ph_status status = do_all();
        if (fake.failed == NULL) {
            assert_int_equal(status, PH_OK);
            last = k - 1;
        } else if (device == NULL) {
            assert_true(status == PH_NO_DEVICE || status == PH_DEVICE_FAILED ||
                        strcmp(fake.failed, "clGetDeviceInfo") == 0 ||
                        strcmp(fake.failed, "clGetPlatformInfo") == 0);
            assert_true(status != PH_OK);
        } else if (status != PH_OK) {
            const bool build = strcmp(fake.failed, "clBuildProgram") == 0;
            (void)snprintf(said, sizeof said, "%s: %s (%d)", fake.failed, errors[e].name,
                           (int)errors[e].error);
            assert_string_equal(ph_device_log(device), said);
            assert_int_equal(status, build ? PH_DEVICE_BUILD : errors[e].status);
        } else { /* what only tells something */
            assert_true(strcmp(fake.failed, "clGetPlatformInfo") == 0 ||
                        strcmp(fake.failed, "clGetDeviceInfo") == 0 ||
                        strcmp(fake.failed, "clGetDeviceIDs") == 0);
        }
        close_device();
    }
    assert_true(last > 200);
}

static void test_no_memory(void **state)
{
    (void)state;
    bool all = false;
    draw();
    for (long spared = 1; !all; spared++) {
        set_up(&plain_gpu, 1);
        fake.value = half_m1_by_J2;
        fake.generate = generate;
        assert_int_equal(ph_device_create("any", &device), PH_OK);
        ph_device_destroy(device);
        allocations = 0;
        no_memory_at = spared;
        const ph_status status = do_all();
        no_memory_at = 0;
        all = allocations < spared;
        assert_int_equal(status, all ? PH_OK : PH_NO_MEMORY);
        close_device();
        assert_true(!all || spared > 20);
    }
}

static void test_build_log(void **state)
{
    (void)state;
    open_device(&plain_gpu);
    draw();
    const ph_device_run run = {.integrator = {.flow = find_flow("exact")}, .step = 0.1, .steps = 1};
    const ph_batch from = batch_of(&start, BODIES);
    assert_int_equal(ph_device_upload(there, &from), PH_OK);
    assert_string_equal(ph_device_log(device), "");
    fake.build_log = "line 1: no";
    for (int k = 0; k < 2; k++) {
        assert_int_equal(ph_device_advance(there, &run).status, PH_DEVICE_BUILD);
        assert_string_equal(ph_device_log(device),
                            "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)\nline 1: no");
    }
    fake.build_log = NULL; /* nothing of the program that was not built is left */
    fake.run = &run;
    assert_int_equal(ph_device_advance(there, &run).status, PH_OK);
    const long objects = fake.live; /* a program that is there is not built again */
    assert_int_equal(ph_device_advance(there, &run).status, PH_OK);
    assert_int_equal(fake.live, objects);
    close_device();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),          cmocka_unit_test(test_most_bodies),
        cmocka_unit_test(test_runs),          cmocka_unit_test(test_fields),
        cmocka_unit_test(test_applies),       cmocka_unit_test(test_times),
        cmocka_unit_test(test_launches),      cmocka_unit_test(test_many_bodies),
        cmocka_unit_test(test_failures),      cmocka_unit_test(test_own_torque),
        cmocka_unit_test(test_bad_arguments), cmocka_unit_test(test_kick_and_in_place),
        cmocka_unit_test(test_reductions),    cmocka_unit_test(test_driver_fails),
        cmocka_unit_test(test_no_memory),     cmocka_unit_test(test_build_log),
    };
    return cmocka_run_group_tests_name("device driver", tests, NULL, NULL);
}
