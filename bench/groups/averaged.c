/* averaged.c - a weak torque over the time in which it changes the motion: the average over the free
 * motion beside direct integration by gbs. Light on a plate with a lever and a little damping, 1e-6
 * of the size of the rotation, over a time of 1e6. gbs takes a thousandth of that in a pass.
 *
 * And a century of a rocket stage that turns once a minute: in light on its side, by a smooth function
 * and on two facets, whose torque has kinks. */
#include <math.h>

#include "polhode/expression.h"
#include "polhode/system.h"

#include "bench.h"
#include "motion/vec.h"

static const double EPS = 1e-6, END = 1e6, SHARE = 1e-3;

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    const ph_vec3 sun = {now->R.a[0][0], now->R.a[0][1], now->R.a[0][2]}, lever = {0.3, -0.2, 0.5};
    return scale(EPS,
                 sub(scale(sun.y * sun.y * (1.0 + sun.y), cross(lever, sun)), scale(0.3, now->w)));
}

typedef struct work {
    const char *method;
    double tolerance, end;
} work;

static double run_one(void *context)
{
    const work *w = context;
    ph_problem p = {.torque = torque,
                    .nonconservative = true,
                    .velocity_dependent = true,
                    .q = {0.9, 0.1, 0.3, -0.3},
                    .w = {0.35, 0.2 / 1.7, 1.5 / 2.2}};
    ph_system *s = NULL;
    double energy = NAN;
    (void)ph_body_from_moments(&p.body, (ph_vec3){1.0, 1.7, 2.2});
    const ph_system_settings with = {
        .own_problem = &p, .integrator = w->method, .tolerance = w->tolerance};
    if (ph_system_create(&with, &s) == PH_OK && ph_system_run_until(s, w->end, NULL) == PH_OK)
        energy = ph_system_energy(s);
    ph_system_destroy(s);
    return energy;
}

/* ---- a century of a stage --------------------------------------------------------------------- */

static const double CENTURY = 100 * 365.25 * 86400, TURN_A_MINUTE = 2.0 * PH_PI / 60.0;

/* Light from the direction 1 of space, with the lever c. */
#define SMOOTH "e*R12^2*(1+R12)"
#define FACETS "e*(0.6*max(0, R12+0.3*R13)+0.4*max(0, R13-0.5*R11))"
#define LEVER(light)                                                                               \
    {                                                                                              \
        light "*(c2*R13-c3*R12)", light "*(c3*R11-c1*R13)", light "*(c1*R12-c2*R11)"               \
    }

static double run_century(void *context)
{
    static const ph_parameter names[] = {{"e", 0, 1, "N m", "size of the torque", PH_RANGE_ANY},
                                         {"c", 1, 3, "1", "lever", PH_RANGE_ANY}};
    const double values[] = {1e-7, 0.3, -0.2, 0.5},
                 w[] = {0.1 * TURN_A_MINUTE, 0.2 * TURN_A_MINUTE, TURN_A_MINUTE};
    const ph_setting start = {"velocity", w, 3};
    ph_expressions from[] = {{.torque = LEVER(SMOOTH)}, {.torque = LEVER(FACETS)}};
    ph_expressions *e = &from[*(const int *)context];
    ph_problem p;
    ph_system *s = NULL;
    double energy = NAN;
    e->parameters = names;
    e->parameter_count = 2;
    e->value = values;
    if (ph_problem_from_expressions(e, &p, NULL) != PH_OK)
        return NAN;
    (void)ph_body_from_moments(&p.body, (ph_vec3){4000, 40000, 41000});
    const ph_system_settings with = {
        .own_problem = &p, .integrator = "averaged", .settings = &start, .setting_count = 1};
    if (ph_system_create(&with, &s) == PH_OK && ph_system_run_until(s, CENTURY, NULL) == PH_OK)
        energy = ph_system_energy(s);
    ph_system_destroy(s);
    ph_problem_release(&p);
    return energy;
}

static void run(bench *b)
{
    work slowly = {"averaged", 1e-10, END}, directly = {"gbs", 1e-12, SHARE * END};
    bench_contestant field[] = {
        {.name = "averaged", .run = run_one, .work = &slowly, .units = 1},
        {.name = "averaged_direct", .run = run_one, .work = &directly, .units = SHARE}};
    work check = {"averaged", 1e-10, SHARE * END};
    bench_check(b, &field[0], "energy beside gbs", fabs(run_one(&check) - run_one(&directly)),
                1e-5);
    bench_race(b, "run", field, 2);
    bench_ratio(b, "direct_over_averaged", &field[1], &field[0]);
    int which[] = {0, 1};
    bench_contestant century[] = {
        {.name = "averaged_century", .run = run_century, .work = &which[0], .units = 1},
        {.name = "averaged_century_facets", .run = run_century, .work = &which[1], .units = 1}};
    for (int k = 0; k < 2; k++) {
        const double energy = run_century(&which[k]);
        bench_check(b, &century[k], "the energy is a number", isfinite(energy) ? 0.0 : 1.0, 0.5);
    }
    bench_race(b, "century", century, 2);
}

const bench_group bench_group_averaged = {
    .name = "averaged", .title = "Weak torque, eps = 1e-6, over 1/eps", .run = run};
