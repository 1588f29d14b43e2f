/* strided.c - bodies in the records of another program, with the momentum in space, against
 * the same bodies in columns: what the layout costs. */
#include <math.h>

#include "polhode/batch.h"

#include "base/extremes.h"
#include "bench.h"
#include "stepping.h"
#include "system/find.h"

#define BODIES 4096
#define ROW    16 /* steps in a pass */

static const double STEP = 0.1, APART = 1e-14;

/* As LAMMPS packs an ellipsoid; its momentum and its dipole are elsewhere. */
typedef struct record {
    double flag, J[3], q[4];
} record;

static struct {
    record body[BODIES];
    double m[BODIES][3], dipole[BODIES][4];
    double columns[10][BODIES];
} all;

static ph_batch_strided records(bool along)
{
    enum { STRIDE = sizeof(record) / sizeof(double) };
    return (ph_batch_strided){BODIES, all.body->q, STRIDE, all.m[0],
                              3,      all.body->J, STRIDE, along ? all.dipole[0] : NULL,
                              4};
}

static void draw(void)
{
    bench_random_again();
    for (int i = 0; i < BODIES; i++) {
        record *r = &all.body[i];
        double q[4];
        for (int k = 0; k < 4; k++)
            q[k] = bench_random(-1.0, 1.0);
        const ph_quat unit = ph_quat_unit((ph_quat){q[0], q[1], q[2], q[3]});
        r->q[0] = unit.w, r->q[1] = unit.x, r->q[2] = unit.y, r->q[3] = unit.z;
        for (int k = 0; k < 3; k++) {
            r->J[k] = bench_random(0.5, 1.0);
            all.m[i][k] = bench_random(-1.0, 1.0);
            all.dipole[i][k] = bench_random(-1.0, 1.0);
            all.columns[4 + k][i] = all.m[i][k];
            all.columns[7 + k][i] = r->J[k];
        }
        for (int k = 0; k < 4; k++)
            all.columns[k][i] = r->q[k];
    }
}

static double in_columns(void *work)
{
    double(*c)[BODIES] = all.columns;
    const ph_batch b = {BODIES, {c[0], c[1], c[2], c[3]}, {c[4], c[5], c[6]}, {c[7], c[8], c[9]}};
    for (int i = 0; i < ROW; i++)
        (void)ph_batch_step(work, &b, STEP, NULL);
    return c[0][0];
}

static double in_records(void *work)
{
    const ph_batch_strided b = records(false);
    for (int i = 0; i < ROW; i++)
        (void)ph_batch_strided_step(work, &b, STEP, NULL);
    return all.body->q[0];
}

static double with_dipoles(void *work)
{
    const ph_batch_strided b = records(true);
    for (int i = 0; i < ROW; i++)
        (void)ph_batch_strided_step(work, &b, STEP, NULL);
    return all.body->q[0];
}

/* The distance of one step from that of one body. */
static double apart(const ph_flow *flow)
{
    double worst = 0.0;
    draw();
    const ph_batch_strided b = records(true);
    ph_quat right[BODIES / 16];
    for (int i = 0; i < BODIES; i += 16) {
        const double *q = all.body[i].q, *J = all.body[i].J, *m = all.m[i];
        ph_quat *one = &right[i / 16];
        *one = (ph_quat){q[0], q[1], q[2], q[3]};
        if (ph_flow_turn(flow, (ph_vec3){J[0], J[1], J[2]}, one, (ph_vec3){m[0], m[1], m[2]}, STEP,
                         NULL) != PH_OK)
            return NAN;
    }
    if (ph_batch_strided_step(flow, &b, STEP, NULL) != PH_OK)
        return NAN;
    for (int i = 0; i < BODIES; i += 16) {
        const double *q = all.body[i].q;
        worst =
            larger_or_nan(worst, attitude_error((ph_quat){q[0], q[1], q[2], q[3]}, right[i / 16]));
    }
    return worst;
}

static void run(bench *b)
{
    enum { COLUMNS, RECORDS, DIPOLES, COUNT };
    ph_flow exact = *find_flow("exact");
    const double units = (double)BODIES * ROW, error = apart(&exact);
    bench_contestant field[COUNT] = {
        {.name = "columns_exact", .run = in_columns, .work = &exact, .units = units},
        {.name = "strided_exact", .run = in_records, .work = &exact, .units = units},
        {.name = "strided_exact_along", .run = with_dipoles, .work = &exact, .units = units},
    };
    ph_set_threads(1);
    for (int i = RECORDS; i < COUNT; i++)
        bench_check(b, &field[i], "distance from one body's step", error, APART);
    draw();
    bench_race(b, "step of a body", field, COUNT);
    bench_ratio(b, "strided_over_columns", &field[RECORDS], &field[COLUMNS]);
    bench_ratio(b, "strided_along_over_columns", &field[DIPOLES], &field[COLUMNS]);
}

const bench_group bench_group_strided = {
    .name = "strided",
    .title = "bodies in the records of another program",
    .run = run,
};
