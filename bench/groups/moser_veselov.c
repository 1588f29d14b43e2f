/* moser_veselov.c - discrete Moser-Veselov steps as their authors state them, against
 * Polhode's.
 *
 * HV  Hairer, Vilmart, J. Phys. A 39 (2006), Algorithm 2.2 and section 5: the modified
 *     moments anew in every step, e = (h/2) I^-1 Y of (18) by fixed-point iteration to
 *     round-off, y and q by (16) and (17).
 *
 * The moments are the polynomials of src/motion/dmv_moments.h, which are Table 1 and the
 * next row by Horner's rule: the paper's as printed would take longer.
 */
#include <math.h>
#include <stdio.h>

#include "motion/dmv_moments.h"
#include "motion/vec.h"
#include "stepping.h"

#define STEPS       1000 /* in a pass */
#define CHECKED     2000 /* steps */
#define MOST_ROUNDS 100

static const double STEP = 0.1, END = 10.0;
static const double ROUND_OFF = 0x1p-51; /* of e, below which the iteration ends */
static const double KEPT = 1e-12;

/* The inverses of the modified moments, HV (6). */
static ph_vec3 modified(int order, ph_vec3 J, ph_vec3 y, double h)
{
    const ph_vec3 j = {1.0 / J.x, 1.0 / J.y, 1.0 / J.z};
    const double p1 = j.x + j.y + j.z;
    if (order == 2)
        return j;
    const double H = 0.5 * (j.x * y.x * y.x + j.y * y.y * y.y + j.z * y.z * y.z),
                 C = 0.5 * dot(y, y), h2 = h * h * p1;
    const dmv_moments c =
        dmv_moments_of(order, h2 * H, h2 * p1 * C, (j.x * j.y + j.y * j.z + j.z * j.x) / (p1 * p1),
                       j.x * j.y * j.z / (p1 * p1 * p1));
    return (ph_vec3){c.s * j.x + c.d * p1, c.s * j.y + c.d * p1, c.s * j.z + c.d * p1};
}

static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    const ph_vec3 j = modified(flow->order, J, s->m, h);
    const ph_vec3 I = {1.0 / j.x, 1.0 / j.y, 1.0 / j.z}, b = scale(0.5 * h, s->m);
    ph_vec3 e = times(j, b);
    double change = INFINITY;
    for (int i = 0; i < MOST_ROUNDS && change > ROUND_OFF * norm_max(e); i++) {
        const ph_vec3 next = times(j, sub(scale(1.0 + dot(e, e), b), cross(e, times(I, e))));
        change = norm_max(sub(next, e));
        e = next;
    }
    const double alpha = 1.0 + dot(e, e), w = 1.0 / sqrt(alpha);
    s->m = add(s->m, scale(4.0 / (h * alpha), cross(times(I, e), e)));
    s->q = mul(s->q, (ph_quat){w, w * e.x, w * e.y, w * e.z});
    return PH_OK;
}

static const struct row {
    int order;
    const char *ours;
    double attitude; /* allowed at t = 10 */
} orders[] = {{2, "dmv2", 0.4}, {8, "dmv8", 1e-8}, {10, "dmv10", 1e-11}};

#define ROWS (sizeof orders / sizeof orders[0])

static void check(bench *b, bench_contestant *c, const struct row *row, const stepping *s)
{
    const stepping_drift drift = stepping_drift_over(s, CHECKED);
    bench_check(b, c, "attitude error at t = 10",
                stepping_attitude_error(s, (int)(END / s->h + 0.5)), row->attitude);
    bench_check(b, c, "energy drift", drift.energy, KEPT);
    bench_check(b, c, "drift of |m|^2", drift.momentum, KEPT);
    bench_check(b, c, "drift of |q|", drift.unit, KEPT);
}

static void run(bench *b)
{
    static ph_flow authors[ROWS];
    static stepping work[2 * ROWS];
    static bench_contestant field[2 * ROWS];
    static char names[2 * ROWS][BENCH_NAME];
    for (size_t i = 0; i < ROWS; i++) {
        bench_contestant *theirs = &field[i], *ours = &field[ROWS + i];
        authors[i] = (ph_flow){.order = orders[i].order, .step = step};
        work[i] = work[ROWS + i] = stepping_hairer_vilmart(orders[i].ours, STEP, STEPS);
        work[i].flow = &authors[i];
        snprintf(names[i], BENCH_NAME, "authors_%s", orders[i].ours);
        snprintf(names[ROWS + i], BENCH_NAME, "beside_authors_%s", orders[i].ours);
        *theirs = (bench_contestant){.name = names[i], .peer = true};
        *ours = (bench_contestant){.name = names[ROWS + i]};
        for (size_t k = i; k < 2 * ROWS; k += ROWS) {
            field[k].run = stepping_pass;
            field[k].work = &work[k];
            field[k].units = STEPS;
            check(b, &field[k], &orders[i], &work[k]);
        }
    }
    bench_race(b, "step", field, 2 * ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        char ratio[BENCH_NAME];
        snprintf(ratio, sizeof ratio, "dmv_authors_over_%s", orders[i].ours);
        bench_ratio(b, ratio, &field[i], &field[ROWS + i]);
    }
}

const bench_group bench_group_moser_veselov = {
    .name = "moser_veselov",
    .title = "discrete Moser-Veselov steps as their authors state them",
    .run = run,
};
