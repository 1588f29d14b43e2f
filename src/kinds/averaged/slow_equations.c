/* slow_equations.c - the equations of the slow variables, solved by dop853.
 *
 * HNW   as in dop853.c, whose steps the slow variables take.
 *
 * Friction inside the body takes energy and leaves H. With the quality factor Q the energy above that
 * of flat spin, H^2/(2 I3), decays by the part 2 pi/Q in a period of the polhode. That energy is
 * proportional to s, so s' has the term -(2 pi/(Q period)) s. docs/averaged.md has the source.
 */
#include <math.h>
#include <string.h>

#include "base/extremes.h"
#include "integrators/lane_kernels.h"
#include "kinds/averaged/averaged.h"

static averaged *averaged_of(const ph_adaptive_run *r)
{
    return r->problem->context;
}

/* The larger counts of two. */
static node_counts most_nodes(const node_counts *a, const node_counts *b)
{
    return (node_counts){larger_or_nan(a->along, b->along), larger_or_nan(a->about, b->about),
                         larger_or_nan(a->over_time, b->over_time)};
}

double ph_averaged_loss(const averaged *a, const spin *s)
{
    return a->quality == 0.0 || is_sphere(a)
               ? 0.0
               : -2.0 * PH_PI * s->level /
                     (a->quality * ph_spin_curve(&a->of.body, s, is_above(a)).period);
}

static void rate(ph_adaptive_run *r, double t, const double y[PH_UNKNOWNS],
                 double slope[PH_UNKNOWNS])
{
    averaged *a = averaged_of(r);
    const spin s = spin_of(a, y);
    const bool check = a->stage == 0 || a->stage == DOP853_STAGES - 1;
    const averages v = ph_averages(&a->of, &s, is_above(a), t, check, &a->now.nodes);
    if (a->stage++ == 0)
        a->now.nodes = a->least = most_nodes(&a->now.nodes, &a->least);
    const double length = norm(s.H), level = v.level + ph_averaged_loss(a, &s);
    const ph_vec3 b = s.direction,
                  turned = scale(1.0 / length, sub(v.in_body, scale(dot(b, v.in_body), b)));
    const double all[PH_UNKNOWNS] = {is_sphere(a) ? 0.0 : -y[1] * level,
                                     is_sphere(a) ? turned.x : y[0] * level,
                                     is_sphere(a) ? turned.y : 0.0,
                                     is_sphere(a) ? turned.z : 0.0,
                                     v.H.x,
                                     v.H.y,
                                     v.H.z};
    memcpy(slope, all, sizeof all);
    r->now.evaluations += v.evaluations;
    a->now.torque = v.torque;
    a->now.slow = v.slow;
    if (!(v.error <= a->of.tolerance))
        a->noise = larger_or_nan(a->noise, v.error * v.torque / length);
}

static double prepare(ph_adaptive_run *r)
{
    return ph_adaptive_dop853.prepare(r);
}

/* The nodes are checked at the first stage and at the last. If the last one needs more, the attempt
 * is repeated with as many.
 *
 * Averages that did not converge, as those of torques with kinks, differ from stage to stage: an
 * error of that size is allowed. */
static void attempt(ph_adaptive_run *r, double h, ph_trial_step *out)
{
    averaged *a = averaged_of(r);
    node_counts enough;
    a->least = (node_counts){0};
    do {
        a->stage = 0;
        a->noise = 0.0;
        ph_adaptive_dop853.attempt(r, h, out);
        enough = a->least;
        a->least = most_nodes(&a->now.nodes, &enough);
    } while (a->least.along != enough.along || a->least.about != enough.about ||
             a->least.over_time != enough.over_time);
    if (a->noise > 0.0) {
        out->error /= 1.0 + fabs(h) * a->noise / r->tolerance;
        out->factor = step_factor(DOP853_ACCEPTED * out->error, DOP853_ORDER);
    }
}

/* The polynomial of a step costs more averages than the step. It is computed once and then copied,
 * although the run forgets it after each row within the step. */
static void at(ph_adaptive_run *r, double t, double y[PH_UNKNOWNS])
{
    averaged *a = averaged_of(r);
    ph_adaptive_numbers *n = &r->now;
    bool same = n->memory[0] == 0.0 && a->known.from == n->from && a->known.t == n->t;
    for (size_t k = 0; k < sizeof n->start / sizeof n->start[0]; k++)
        same = same && a->known.start[k] == n->start[k];
    if (same)
        memcpy(n->memory, a->known.memory, sizeof n->memory);
    const slow_state now = a->now;
    a->stage = 1;
    ph_adaptive_dop853.at(r, t, y);
    a->now = now; /* whether it was known or not */
    a->known = *n;
}

const ph_adaptive ph_averaged_method = {
    .name = "averaged",
    .title = "Weak torque averaged over the free motion",
    .cite = "HNW II.5",
    .order = 1,
    .prepare = prepare,
    .attempt = attempt,
    .at = at,
    .rate = rate,
};

void ph_averaged_begin(averaged *a, double t, double tolerance, double longest_step)
{
    const ph_adaptive_numbers before = a->run.now;
    a->run = (ph_adaptive_run){.method = &ph_averaged_method,
                               .problem = &a->slow,
                               .tolerance = tolerance,
                               .longest_step = longest_step};
    ph_adaptive_numbers *n = &a->run.now;
    double slope[PH_UNKNOWNS], largest = 0.0;
    const double length = norm(vec3(a->now.y[4], a->now.y[5], a->now.y[6])), most = 1e300;
    memcpy(n->y, a->now.y, sizeof n->y);
    memcpy(n->start, a->now.y, sizeof n->start);
    n->t = n->from = n->begun = t;
    a->stage = 0;
    rate(&a->run, t, n->y, slope);
    for (int k = 0; k < PH_UNKNOWNS; k++)
        largest = larger_or_nan(largest, fabs(slope[k]) / (k < 4 ? 1.0 : length));
    n->scale = largest * most > 1.0 ? 1.0 / largest : most;
    n->next = largest > 0.0 ? n->scale * prepare(&a->run) : most;
    n->steps = before.steps;
    n->rejected = before.rejected;
    n->evaluations += before.evaluations;
}
