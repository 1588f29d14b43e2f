/* test_device.c - bodies on a device: every flow and every field have the bits of a step on
 * the CPU; generated bodies, reductions and kicks; what fails, and what the device says about it. Skipped
 * where there is no device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion/vec.h"
#include "polhode/device.h"
#include "support/bodies.h"
#include "support/skip.h"
#include "system/find.h"

enum { BODIES = 1500, COLUMNS = 10, Q = 0, M = 4, J = 7 };

static ph_device *device;
static ph_device_bodies *there; /* room for BODIES */

/* ---- bodies on the host ---------------------------------------------------------- */

typedef struct memory {
    double column[COLUMNS][BODIES];
} memory;

static memory start, end;

static ph_batch batch_of(memory *a)
{
    double(*c)[BODIES] = a->column;
    return (ph_batch){BODIES, {c[0], c[1], c[2], c[3]}, {c[4], c[5], c[6]}, {c[7], c[8], c[9]}};
}

static ph_state state_at(const memory *a, size_t i)
{
    const double(*c)[BODIES] = a->column;
    return (ph_state){{c[Q][i], c[Q + 1][i], c[Q + 2][i], c[Q + 3][i]},
                      {c[M][i], c[M + 1][i], c[M + 2][i]}};
}

static ph_vec3 moments_at(const memory *a, size_t i)
{
    return vec3(a->column[J][i], a->column[J + 1][i], a->column[J + 2][i]);
}

static void put(memory *a, size_t i, const ph_state *s, ph_vec3 moments)
{
    const double x[COLUMNS] = {s->q.w, s->q.x, s->q.y,    s->q.z,    s->m.x,
                               s->m.y, s->m.z, moments.x, moments.y, moments.z};
    for (int k = 0; k < COLUMNS; k++)
        a->column[k][i] = x[k];
}

/* Of every kind, also such as a kernel leaves; their times turn them by `angle` at most. */
static double own_times[BODIES];

static void draw_bodies(double angle)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < BODIES; i++) {
        oracle_case c = random_motion((enum body_kind)(i % BODY_KIND_COUNT), &seed, angle);
        /* at rest, and in units in which formulas would overflow */
        c.start.m = scale(i % 50 == 7 ? 0.0 : i % 50 == 11 ? 0x1p-300 : 1.0, c.start.m);
        put(&start, i, &c.start, c.J);
        own_times[i] = c.t;
    }
}

/* Ordinary bodies, for fields of order 1. */
static void draw_ordinary_bodies(void)
{
    uint64_t seed = 3;
    for (size_t i = 0; i < BODIES; i++) {
        double x[6];
        for (int k = 0; k < 6; k++)
            x[k] = between(&seed, -1.0, 1.0);
        const ph_state s = {ph_rotation_exp(vec3(x[0], x[1], x[2])), vec3(x[3], x[4], x[5])};
        double moments[3];
        for (int k = 0; k < 3; k++)
            moments[k] = between(&seed, 0.5, 1.0);
        put(&start, i, &s, vec3(moments[0], moments[1], moments[2]));
    }
}

static void assert_status(ph_status status)
{
    if (status != PH_OK)
        fail_msg("%s: %s", ph_status_text(status), ph_device_log(device));
}

/* The bodies of `start` over a run, into `end`. */
static ph_batch_result advance(const ph_device_run *run)
{
    const ph_batch from = batch_of(&start), to = batch_of(&end);
    end = start;
    assert_status(ph_device_upload(there, &from));
    const ph_batch_result result = ph_device_advance(there, run);
    if (result.status == PH_DEVICE_BUILD || result.status == PH_DEVICE_FAILED)
        assert_status(result.status);
    assert_status(ph_device_download(there, &to));
    return result;
}

static void assert_same_bits(const ph_state *a, const ph_state *b, const char *name, size_t i)
{
    if (memcmp(a, b, sizeof *a) != 0)
        fail_msg("%s: body %zu: q.w %a on the device, %a on the CPU; m.x %a, %a", name, i, a->q.w,
                 b->q.w, a->m.x, b->m.x);
}

/* ---- flows ----------------------------------------------------------------------- */

/* Every body of a device has the bits that the step of the CPU gives it; and fails as it
 * does. */
static void check_flow(const ph_flow *flow, double h, uint64_t steps)
{
    const ph_device_run run = {
        .integrator = {.flow = flow}, .step = h, .steps = steps, .steps_per_launch = 2};
    const ph_batch_result result = advance(&run);
    size_t failed = BODIES;
    for (size_t i = BODIES; i-- > 0;) {
        const ph_body body = {moments_at(&start, i), {1, 0, 0, 0}, true};
        ph_state s = state_at(&start, i);
        const ph_state got = state_at(&end, i);
        for (uint64_t k = 0; k < steps; k++) {
            const ph_status status = ph_flow_step(flow, &body, &s, h);
            if (status != PH_OK)
                failed = i;
        }
        assert_same_bits(&got, &s, flow->name, i);
    }
    assert_int_equal(result.failed, failed);
    assert_int_equal(result.status == PH_OK, failed == BODIES);
}

static void test_flows(void **state)
{
    (void)state;
    size_t count, on_device = 0;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++) {
        const ph_device_run run = {.integrator = {.flow = flows[i]}};
        /* of a family, whose members differ in a number, the last */
        const size_t letters = strcspn(flows[i]->name, "0123456789");
        const ph_device_run next = {.integrator = {.flow = flows[i + 1 < count ? i + 1 : i]}};
        const bool last = i + 1 == count || ph_device_applies(&next) != PH_OK ||
                          strncmp(flows[i]->name, flows[i + 1]->name, letters) != 0;
        if (!last || ph_device_applies(&run) != PH_OK)
            continue;
        on_device++;
        draw_bodies(0.5);
        check_flow(flows[i], 0.25, 3);
        draw_bodies(4.0);
        check_flow(flows[i], 4.0, 1);
    }
    assert_true(on_device >= 6);
}

/* A time for each body, in one launch; and the same bits for steps in any launches. */
static void test_times(void **state)
{
    (void)state;
    draw_bodies(30.0);
    const ph_flow *exact = find_flow("exact");
    ph_device_run run = {.integrator = {.flow = exact}, .timed = true, .times = own_times};
    assert_int_equal(advance(&run).status, PH_OK);
    for (size_t i = 0; i < BODIES; i++) {
        const ph_body body = {moments_at(&start, i), {1, 0, 0, 0}, true};
        ph_state s = state_at(&start, i);
        const ph_state got = state_at(&end, i);
        assert_int_equal(ph_flow_step(exact, &body, &s, own_times[i]), PH_OK);
        assert_same_bits(&got, &s, "times", i);
    }

    run = (ph_device_run){
        .integrator = {.flow = exact}, .step = 0.5, .steps = 7, .steps_per_launch = 7};
    assert_int_equal(advance(&run).status, PH_OK);
    const memory in_one = end;
    run.steps_per_launch = 3;
    assert_int_equal(advance(&run).status, PH_OK);
    assert_memory_equal(&in_one, &end, sizeof end);
    run.steps_per_launch = 0;
    assert_int_equal(advance(&run).status, PH_OK);
    assert_memory_equal(&in_one, &end, sizeof end);
    run.steps = 0;
    assert_int_equal(advance(&run).failed, BODIES);
    assert_memory_equal(&start, &end, sizeof end);
}

/* ---- fields ---------------------------------------------------------------------- */

static void check_field(const char *integrator, const ph_problem *p, const ph_device_run *given,
                        const double *const *each)
{
    const double h = 0.05, t0 = 0.5;
    const uint64_t steps = 2;
    ph_device_run run = *given;
    assert_int_equal(ph_integrator_named(integrator, &run.integrator), PH_OK);
    run.start = t0;
    run.step = h;
    run.steps = steps;
    run.each = each;
    const ph_batch_result result = advance(&run);
    size_t failed = BODIES;
    for (size_t i = BODIES; i-- > 0;) {
        ph_problem own = *p;
        own.body = (ph_body){moments_at(&start, i), {1, 0, 0, 0}, true};
        for (int k = 0; each != NULL && k < PH_PARAMETER_VALUES; k++) {
            if (each[k] != NULL)
                own.value[k] = each[k][i];
        }
        ph_state s = state_at(&start, i);
        const ph_state got = state_at(&end, i);
        for (uint64_t k = 0; k < steps; k++) {
            if (ph_integrator_step(&run.integrator, &own, &s, t0 + (double)k * h, h) != PH_OK)
                failed = i;
        }
        assert_same_bits(&got, &s, integrator, i);
    }
    assert_int_equal(result.failed, failed);
}

static void test_fields(void **state)
{
    (void)state;
    size_t count, on_device = 0;
    const ph_problem *const *problems = ph_problems(&count);
    draw_ordinary_bodies();
    for (size_t i = 0; i < count; i++) {
        ph_device_run run = {.field = problems[i]};
        assert_int_equal(ph_integrator_named("verlet+exact", &run.integrator), PH_OK);
        if (problems[i]->torque == NULL || ph_device_applies(&run) != PH_OK)
            continue;
        on_device++;
        check_field("verlet+exact", problems[i], &run, NULL);
    }
    assert_true(on_device >= 4);
}

static void test_schemes(void **state)
{
    (void)state;
    size_t count;
    const ph_scheme *const *schemes = ph_schemes(&count);
    const ph_problem *top = find_problem("heavy_top");
    const ph_device_run run = {.field = top};
    draw_ordinary_bodies();
    for (size_t i = 0; i < count; i++) {
        char name[PH_INTEGRATOR_NAME];
        (void)snprintf(name, sizeof name, "%s+exact", schemes[i]->name);
        check_field(name, top, &run, NULL);
    }
    check_field("verlet+exact@suzuki4", top, &run, NULL);
}

/* Parameters of each body, and a torque in C that is that of the heavy top. */
static void test_parameters(void **state)
{
    (void)state;
    static const char torque[] =
        "static ph_vec3 torque(const ph_problem *p, const ph_instant *now)\n"
        "{\n"
        "    const ph_vec3 g = {now->R.a[2][0], now->R.a[2][1], now->R.a[2][2]};\n"
        "    return scale(p->value[0], cross(g, vec3(p->value[4], p->value[5], "
        "p->value[6])));\n"
        "}\n";
    double strength[BODIES];
    const double *each[PH_PARAMETER_VALUES] = {strength};
    uint64_t seed = 9;
    ph_problem top = *find_problem("heavy_top");
    draw_ordinary_bodies();
    for (size_t i = 0; i < BODIES; i++)
        strength[i] = between(&seed, -1.0, 1.0);
    top.value[5] = 0.25; /* of the centre */
    check_field("verlet+exact", &top, &(ph_device_run){.field = &top}, each);
    check_field("verlet+exact", &top, &(ph_device_run){.field = &top, .torque = torque}, each);
}

static void test_kick(void **state)
{
    (void)state;
    double torque[3][BODIES];
    uint64_t seed = 2;
    draw_ordinary_bodies();
    for (size_t i = 0; i < BODIES; i++) {
        for (int k = 0; k < 3; k++)
            torque[k][i] = between(&seed, -1.0, 1.0);
    }
    end = start;
    const ph_batch from = batch_of(&start), to = batch_of(&end);
    assert_status(ph_device_upload(there, &from));
    assert_status(ph_device_kick(there, torque[0], torque[1], torque[2], 0.3));
    assert_status(ph_device_download(there, &to));
    ph_batch_kick(&from, torque[0], torque[1], torque[2], 0.3);
    assert_memory_equal(&start, &end, sizeof end);
}

/* ---- generated bodies, and reductions --------------------------------------------------------- */

static const char DRAW[] =
    "static void generate(ulong i, ph_state *s, ph_vec3 *J, double *time)\n"
    "{\n"
    "    s->q = (ph_quat){1, 0, 0, 0};\n"
    "    s->m = vec3(random_number(i, 0), random_number(i, 1), random_number(i, 2));\n"
    "    *J = vec3(1, 2, 2.5 + random_number(i, 3));\n"
    "    *time = 3.0 * random_number(i, 15);\n"
    "}\n";

/* Member 16 i + k of splitmix64 begun at 0. */
static double number_of(uint64_t i, unsigned k)
{
    uint64_t seed = (16 * i + k) * 0x9e3779b97f4a7c15U;
    return uniform(&seed);
}

/* x_0 + x_(n/2), x_1 + x_(n/2 + 1) and so on, of 64 at a time, then of these sums. */
static double sum_in_order(double *x, size_t n)
{
    enum { GROUP = 64 };
    while (n > 1) {
        const size_t groups = (n + GROUP - 1) / GROUP;
        for (size_t g = 0; g < groups; g++) {
            double part[GROUP] = {0};
            for (size_t k = 0; k < GROUP && g * GROUP + k < n; k++)
                part[k] = x[g * GROUP + k];
            for (size_t width = GROUP / 2; width > 0; width /= 2) {
                for (size_t k = 0; k < width; k++)
                    part[k] += part[k + width];
            }
            x[g] = part[0];
        }
        n = groups;
    }
    return x[0];
}

static void test_reductions(void **state)
{
    (void)state;
    enum { BINS = 7 };
    const uint64_t first = (uint64_t)1 << 40;
    const ph_flow *exact = find_flow("exact");
    const ph_device_run run = {.integrator = {.flow = exact}, .timed = true};
    double energy[BODIES], least = INFINITY, most = -INFINITY;
    uint64_t expected[BINS] = {0}, counts[BINS] = {0};
    ph_device_reduction reduction = {PH_DEVICE_ENERGY, NULL, 0.1, 0.4, BINS};
    ph_device_statistics result;
    assert_status(ph_device_generate(there, DRAW, first, BODIES));
    const ph_batch to = batch_of(&end);
    assert_status(ph_device_advance(there, &run).status);
    assert_status(ph_device_download(there, &to));
    for (size_t i = 0; i < BODIES; i++) {
        const uint64_t n = first + i;
        const ph_body body = {vec3(1, 2, 2.5 + number_of(n, 3)), {1, 0, 0, 0}, true};
        ph_state s = {{1, 0, 0, 0}, vec3(number_of(n, 0), number_of(n, 1), number_of(n, 2))};
        const ph_state got = state_at(&end, i);
        assert_int_equal(ph_flow_step(exact, &body, &s, 3.0 * number_of(n, 15)), PH_OK);
        assert_same_bits(&got, &s, "draw", i);
        energy[i] = ph_body_energy(&body, &s);
        least = energy[i] < least ? energy[i] : least;
        most = energy[i] > most ? energy[i] : most;
        const double place = floor((energy[i] - 0.1) / (0.4 - 0.1) * BINS);
        expected[place < 0 ? 0 : place < BINS ? (size_t)place : BINS - 1]++;
    }
    assert_status(ph_device_reduce(there, &reduction, &result, counts));
    assert_int_equal(result.n, BODIES);
    assert_int_equal(result.not_finite, 0);
    assert_true(result.least == least && result.most == most);
    assert_true(result.sum == sum_in_order(energy, BODIES));
    assert_memory_equal(counts, expected, sizeof counts);
    /* what is not finite is left out; a reduction with functions of its own and the number */
    reduction = (ph_device_reduction){"odd(i)",
                                      "static double odd(ulong i)\n"
                                      "{\n    return i % 2 == 0 ? NAN : (double)(i % 4);\n}\n",
                                      0.0, 0.0, 0};
    assert_status(ph_device_reduce(there, &reduction, &result, NULL));
    assert_int_equal(result.not_finite, BODIES / 2);
    assert_true(result.sum == 2.0 * (BODIES / 2) && result.least == 1 && result.most == 3);
}

/* ---- failures -------------------------------------------------------------------- */

static void test_failures(void **state)
{
    (void)state;
    const ph_flow *exact = find_flow("exact");
    ph_device_run run = {.integrator = {.flow = exact}, .step = 0.5, .steps = 3};
    draw_ordinary_bodies();
    const double good = start.column[M][40];
    start.column[M][1000] = NAN;
    start.column[J][41] = -1.0;
    start.column[M][40] = INFINITY;
    const ph_batch_result bad = advance(&run);
    assert_int_equal(bad.status, PH_BAD_STATE);
    assert_int_equal(bad.failed, 40);
    assert_int_equal(bad.step, 0);
    assert_memory_equal(&end.column[M][41], &start.column[M][41], sizeof(double));
    start.column[M][40] = good;
    assert_int_equal(advance(&run).status, PH_BAD_INERTIA);
    for (size_t i = 0; i < BODIES; i++) { /* the others are there */
        const ph_body body = {moments_at(&start, i), {1, 0, 0, 0}, true};
        ph_state s = state_at(&start, i);
        const ph_state got = state_at(&end, i);
        for (int k = 0; k < 3 && i != 1000; k++)
            (void)ph_flow_step(exact, &body, &s, 0.5);
        if (i != 1000)
            assert_same_bits(&got, &s, "after failures", i);
    }

    run.step = NAN;
    assert_int_equal(ph_device_advance(there, &run).status, PH_BAD_STEP);
    assert_int_equal(ph_device_kick(there, start.column[M], start.column[M], start.column[M], NAN),
                     PH_BAD_STEP);
    static const double ranges[][2] = {{NAN, 1},       {0, NAN}, {0, INFINITY},
                                       {-INFINITY, 0}, {1, 1},   {2, 1}};
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        const ph_device_reduction asked = {PH_DEVICE_ENERGY, NULL, ranges[k][0], ranges[k][1], 1};
        uint64_t one = 0;
        ph_device_statistics answer;
        assert_int_equal(ph_device_reduce(there, &asked, &answer, &one), PH_BAD_PARAMETER);
        assert_int_equal(ph_device_reduce(there, &asked, &answer, NULL), PH_NULL_ARGUMENT);
    }
    run = (ph_device_run){.integrator = {.flow = find_flow("zon")}, .step = 1, .steps = 1};
    assert_int_equal(ph_device_advance(there, &run).status, PH_NOT_APPLICABLE);
    run = (ph_device_run){.integrator = {.flow = exact}, .field = find_problem("well")};
    assert_int_equal(ph_device_applies(&run), PH_NOT_APPLICABLE);
    assert_int_equal(ph_device_create("no such device", &(ph_device *){NULL}), PH_NO_DEVICE);
    assert_int_equal(ph_device_create(NULL, NULL), PH_NULL_ARGUMENT);
    ph_device_bodies *none = NULL;
    assert_int_equal(ph_device_bodies_create(device, (size_t)-1, NULL, &none), PH_NO_MEMORY);
    assert_null(none);
    const ph_batch more = {.n = BODIES + 1};
    assert_int_equal(ph_device_upload(there, &more), PH_NO_MEMORY);
}

/* A body that fails in the middle of a run stays where it was before that step, though it
 * could go on later; the others go on. Launches are queued, and none is lost or done twice. */
static void test_failures_on_the_way(void **state)
{
    (void)state;
    const double h = 0.25;
    const uint64_t steps = 23, bad_step = 9;
    ph_device_run run = {
        .torque = "static ph_vec3 torque(const ph_problem *p, const ph_instant *now)\n{\n"
                  "    const bool bad = now->t == 2.25 + 0.125 && p->value[0] == 1.0;\n"
                  "    return vec3(bad ? NAN : 0.5 * now->R.a[2][0], now->R.a[2][1], 0.25);\n"
                  "}\n",
        .step = h,
        .steps_per_launch = 1};
    assert_status(ph_integrator_named("verlet_drift+exact", &run.integrator));
    draw_ordinary_bodies();
    double marks[BODIES] = {0};
    const double *each[PH_PARAMETER_VALUES] = {marks};
    run.each = each;
    run.steps = bad_step;
    assert_status(advance(&run).status);
    const memory before = end;
    run.steps = steps;
    assert_status(advance(&run).status);
    const memory after = end;
    marks[77] = marks[1400] = 1.0;
    const ph_batch_result bad = advance(&run);
    assert_int_equal(bad.status, PH_NOT_FINITE);
    assert_int_equal(bad.failed, 77);
    assert_int_equal(bad.step, bad_step);
    for (size_t i = 0; i < BODIES; i++) {
        const ph_state expected = state_at(marks[i] == 1.0 ? &before : &after, i),
                       got = state_at(&end, i);
        assert_same_bits(&got, &expected, "failures on the way", i);
    }
}

/* What the compiler says is kept, and the bodies are as they were. */
static void test_build_log(void **state)
{
    (void)state;
    draw_ordinary_bodies();
    ph_device_run run = {.torque =
                             "static ph_vec3 torque(const ph_problem *p, const ph_instant *now)\n"
                             "{\n    return no_such_name;\n}\n",
                         .step = 0.1,
                         .steps = 1};
    assert_int_equal(ph_integrator_named("verlet+exact", &run.integrator), PH_OK);
    const ph_batch from = batch_of(&start), to = batch_of(&end);
    memset(&end, 0, sizeof end);
    assert_status(ph_device_upload(there, &from));
    assert_int_equal(ph_device_advance(there, &run).status, PH_DEVICE_BUILD);
    assert_non_null(strstr(ph_device_log(device), "no_such_name"));
    assert_status(ph_device_download(there, &to));
    assert_memory_equal(&start, &end, M * sizeof end.column[0]);
}

/* ---- in place, and stopped ------------------------------------------------------- */

static bool stop_at_half(void *context, double done)
{
    *(double *)context = done;
    return done < 0.5;
}

static void test_in_place(void **state)
{
    (void)state;
    const ph_flow *exact = find_flow("exact");
    double done = 0.0;
    ph_device_run run = {.integrator = {.flow = exact},
                         .step = 0.25,
                         .steps = 6,
                         .steps_per_launch = 1,
                         .observer = stop_at_half,
                         .context = &done};
    draw_ordinary_bodies();
    end = start;
    const ph_batch mine = batch_of(&end);
    ph_device_bodies *here;
    assert_status(ph_device_bodies_create(device, BODIES, &mine, &here));
    assert_status(ph_device_upload(here, &mine));
    assert_true(ph_device_advance(here, &run).stopped);
    assert_true(done == 0.5);
    run.observer = NULL;
    run.steps = 3;
    assert_status(ph_device_advance(here, &run).status);
    assert_status(ph_device_download(here, &mine));
    ph_device_bodies_destroy(here);
    for (size_t i = 0; i < BODIES; i++) {
        const ph_body body = {moments_at(&start, i), {1, 0, 0, 0}, true};
        ph_state s = state_at(&start, i);
        const ph_state got = state_at(&end, i);
        for (int k = 0; k < 6; k++)
            assert_int_equal(ph_flow_step(exact, &body, &s, 0.25), PH_OK);
        assert_same_bits(&got, &s, "in place", i);
    }
}

static void test_info(void **state)
{
    (void)state;
    ph_device_info info[8];
    const size_t n = ph_devices(info, 8);
    const ph_device_info *mine = ph_device_about(device);
    assert_true(n >= 1 && mine->double_precision && mine->memory > 0 && mine->units > 0);
    assert_true(ph_device_most_bodies(device) > BODIES);
    ph_device *same;
    assert_status(ph_device_create(mine->name, &same));
    assert_string_equal(ph_device_about(same)->platform, mine->platform);
    assert_string_equal(ph_device_log(same), "");
    ph_device_destroy(same);
    ph_device_destroy(NULL);
    ph_device_bodies_destroy(NULL);
}

int main(void)
{
    const ph_status opened = ph_device_create("any", &device);
    if (opened == PH_NO_DEVICE)
        return skip_all("a driver of OpenCL is not installed");
    if (opened != PH_OK || ph_device_bodies_create(device, BODIES, NULL, &there) != PH_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info),      cmocka_unit_test(test_flows),
        cmocka_unit_test(test_times),     cmocka_unit_test(test_fields),
        cmocka_unit_test(test_schemes),   cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_kick),      cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_failures),  cmocka_unit_test(test_failures_on_the_way),
        cmocka_unit_test(test_build_log), cmocka_unit_test(test_in_place),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ph_device_bodies_destroy(there);
    ph_device_destroy(device);
    return failed;
}
