/* averaged.c - a weak torque over the time in which it changes the motion: the average over the free
 * motion beside direct integration by gbs. Light on a plate with a lever and a little damping, 1e-6
 * of the size of the rotation, over a time of 1e6. gbs takes a thousandth of that in a pass. */
#include <math.h>

#include "polhode/system.h"

#include "bench.h"
#include "rotation/vec.h"

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
}

const bench_group bench_group_averaged = {
    .name = "averaged", .title = "Weak torque, eps = 1e-6, over 1/eps", .run = run};
