/* averaged.c - the slow variables of a weak torque that is averaged over the free motion: their equations,
 * solved by dop853; where averages are valid, at the separatrix and in resonances; and the short-period
 * part of a motion at its start.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/extremes.h"
#include "integrators/field.h"
#include "integrators/lane_kernels.h"
#include "kinds/averaged/averaged.h"

/* ---- the slow equations ---------------------------------------------------------------------- */

/* HNW   as in dop853.c, whose steps the slow variables take.
 *
 * Friction inside the body takes energy and leaves H. With the quality factor Q the energy above that
 * of flat spin, H^2/(2 I3), decays by the part 2 pi/Q in a period of the polhode. That energy is
 * proportional to s, so s' has the term -(2 pi/(Q period)) s. docs/averaged.md has the source.
 */

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

/* Returns the rate of the level by friction inside the body. */
static double loss_inside(const averaged *a, const spin *s)
{
    if (a->quality == 0.0 || is_sphere(a))
        return 0.0;
    return -2.0 * PH_PI * s->level /
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
    const double length = norm(s.H), level = v.level + loss_inside(a, &s);
    const ph_vec3 b = s.direction,
                  turned = scale(1.0 / length, sub(v.in_body, scale(dot(b, v.in_body), b)));
    const double all[PH_UNKNOWNS] = {-y[1] * level, y[0] * level, 0.0, 0.0, v.H.x, v.H.y, v.H.z};
    memcpy(slope, all, sizeof all);
    if (is_sphere(a))
        memcpy(slope, (const double[]){0.0, turned.x, turned.y, turned.z}, 4 * sizeof *slope);
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
    if (largest * most > 1.0)
        n->scale = 1.0 / largest;
    else
        n->scale = most;
    if (largest > 0.0)
        n->next = n->scale * prepare(&a->run);
    else
        n->next = most;
    n->steps = before.steps;
    n->rejected = before.rejected;
    n->evaluations += before.evaluations;
}

/* ---- where averages are valid ---------------------------------------------------------------- */

/* The averages have a logarithmic singularity at the separatrix. A run ends before it, where the
 * level would come to it within a period of the polhode.
 */

static frequencies frequencies_at(const averaged *a, const double y[PH_UNKNOWNS])
{
    const spin s = spin_of(a, y);
    return ph_spin_frequencies(&a->of.body, &s, is_above(a));
}

frequencies ph_averaged_frequencies(const averaged *a)
{
    return frequencies_at(a, a->now.y);
}

double ph_averaged_smallness(const averaged *a, const frequencies *f)
{
    const spin s = spin_of(a, a->now.y);
    double slowest = f->precession;
    if (!is_sphere(a))
        slowest = smaller_or_nan(slowest, f->polhode);
    const double by_turns = a->now.torque == 0.0 ? 0.0 : a->now.torque / slowest,
                 over_time = a->now.slow * a->period / (2.0 * PH_PI);
    return (by_turns + over_time) / norm(s.H) + (a->quality == 0.0 ? 0.0 : 1.0 / a->quality);
}

/* Along the free motion the torque's part that has no average, of frequency n and root mean square r,
 * moves H by at most (pi/sqrt(3)) r/n from its mean: a function without mean over the period P is at most
 * sqrt(P/12) times the root of the integral of its squared derivative. That happens at the start and at the end. */
double ph_averaged_estimate(const averaged *a, const frequencies *f)
{
    static const double SHORT_PERIOD = 3.6275987284684357; /* 2 pi/sqrt(3) */
    return SHORT_PERIOD * ph_averaged_smallness(a, f) + a->now.passed;
}

/* ---- separatrix ------------------------------------------------------------------------- */

static bool has_separatrix(const averaged *a)
{
    return a->of.body.divides > 0.0 && a->of.body.divides < 1.0;
}

/* Whether the level would come to the separatrix within a period of the polhode, at the unknowns y. */
static bool is_at_separatrix(averaged *a, double t, const double y[PH_UNKNOWNS])
{
    static const double FAR = 0.1;
    const spin_body *b = &a->of.body;
    const spin s = spin_of(a, y);
    const double away = is_above(a) ? 1.0 : -1.0, left = away * (s.level - b->divides);
    if (!has_separatrix(a) || left > FAR * ph_spin_room(b, is_above(a)))
        return false;
    if (left <= 0.0)
        return true;
    const averages v = ph_averages(&a->of, &s, is_above(a), t, true, &(node_counts){0});
    const double towards = -away * (v.level + loss_inside(a, &s));
    a->run.now.evaluations += v.evaluations;
    return towards * ph_spin_curve(b, &s, is_above(a)).period > left;
}

ph_status ph_averaged_stop(averaged *a)
{
    enum { HALVINGS = 40 };
    ph_adaptive_numbers *n = &a->run.now;
    double before = n->from, after = n->t;
    ph_state s;
    if (!is_at_separatrix(a, n->t, n->y))
        return PH_OK;
    ph_status status = PH_OK;
    for (int i = 0; i < HALVINGS && status == PH_OK; i++) {
        const double middle = before + 0.5 * (after - before);
        status = ph_adaptive_at(&a->run, middle, &s);
        const double y[PH_UNKNOWNS] = {s.q.w, s.q.x, s.q.y, s.q.z, s.m.x, s.m.y, s.m.z};
        if (status != PH_OK)
            break;
        if (is_at_separatrix(a, middle, y))
            after = middle;
        else
            before = middle;
    }
    if (status == PH_OK)
        status = ph_adaptive_at(&a->run, before, &s);
    if (status == PH_OK)
        ph_adaptive_cut(&a->run, before, &s);
    a->now.stopped = 1.0;
    return status;
}

/* ---- resonance --------------------------------------------------------------------------- */

enum { RESONANT_NODES = 32 }; /* the most for an estimate */

double ph_resonant_torque(const averaging *a, const spin *s, bool above, double t, int p, int q,
                          const node_counts *n)
{
    enum { PARTS = 4 }; /* R torque, and the power with the factor |H|/T */
    const double length = norm(s->H);
    const int along = nodes_from(within_range(n->along, 4.0 * p, RESONANT_NODES)),
              about = nodes_from(within_range(n->about, 4.0 * q, RESONANT_NODES));
    const polhode_curve c = ph_spin_curve(&a->body, s, above);
    const ph_body body = {.J = a->body.J, .axes = {1, 0, 0, 0}, .principal = true};
    const ph_vec3 m = ph_spin_momentum(&a->body, s, &c, 0.0), h = scale(1.0 / length, s->H);
    const ph_state start = {ph_turn_to(scale(1.0 / length, m), h), m};
    ph_motion motion;
    if (a->p->torque == NULL)
        return 0.0;
    if (ph_motion_prepare(&motion, &body, &start) != PH_OK)
        return NAN;
    const double precession = ph_motion_precession(&motion),
                 per_power = 2.0 * length / dot(m, over(m, a->body.J));
    double cosine[PARTS] = {0}, sine[PARTS] = {0}, square = 0.0;
    for (int k = 0; k < along; k++) {
        const double passed = c.period * k / along;
        const ph_state free = ph_motion_at(&motion, passed);
        const ph_quat first = mul(turn_about(h, -0.5 * precession * passed), free.q);
        const ph_vec3 w = over(free.m, a->body.J);
        for (int f = 0; f < about; f++) {
            const ph_quat at = mul(turn_about(h, PH_PI * f / about), first);
            const ph_vec3 torque = torque_moving(a->p, t, at, free.m, w),
                          space = rotate(at, torque);
            const double part[PARTS] = {space.x, space.y, space.z, per_power * dot(torque, w)};
            double x, y;
            ph_sincos(2.0 * PH_PI * (p * (double)k / along - q * (double)f / about), &y, &x);
            for (int i = 0; i < PARTS; i++) {
                cosine[i] += x * part[i];
                sine[i] += y * part[i];
            }
        }
    }
    for (int i = 0; i < PARTS; i++)
        square += cosine[i] * cosine[i] + sine[i] * sine[i];
    return sqrt(2.0 * square) / ((double)along * about);
}

/* How far the frequencies are from the resonance p polhode = q precession. */
static double detuning(const frequencies *f, int p, int q)
{
    return p * f->polhode - q * f->precession;
}

/* The detuning up to which a run is in a resonance, with the part of the torque that goes with it. */
static double resonance_width(const frequencies *f, double torque, double length, int p, int q)
{
    return (p + q) * sqrt(torque / (length * f->precession)) * f->precession;
}

/* Whether the frequencies are in a resonance: they differ by less than the root of the small number,
 * with the part of the torque that goes with p and q. */
static bool is_resonant(const averaged *a, double t, const frequencies *f, double small, int p,
                        int q)
{
    const spin s = spin_of(a, a->now.y);
    const double precession = f->precession, off = fabs(detuning(f, p, q));
    if (!(off < (p + q) * sqrt(small) * precession))
        return false;
    const double torque = ph_resonant_torque(&a->of, &s, is_above(a), t, p, q, &a->now.nodes);
    return off < resonance_width(f, torque, norm(s.H), p, q);
}

/* A step of a run, and the frequencies at both ends. */
typedef struct followed {
    const slow_state *before;
    frequencies both[2];
    double since, t;
} followed;

/* A run that passes a resonance is changed by the integral of the part of the torque that goes with it,
 * A cos(phase). The second derivative of the phase is the rate r of the detuning d. So the integral is at
 * most A sqrt(2 pi/r), by the method of stationary phase. A run that starts in a resonance and leaves it
 * sees half of that. If it starts next to one, the integral is about A/d there, as long as that is less.
 *
 * Returns the integral of cos(phase) that belongs to a step; 0: nothing. */
static double passage(const averaged *a, const followed *f, int p, int q)
{
    static const double NEAR = 0.1;
    const slow_state *before = f->before, *n = &a->now;
    const double from = detuning(&f->both[0], p, q), to = detuning(&f->both[1], p, q),
                 whole = sqrt(2.0 * PH_PI * fabs((f->t - f->since) / (to - from))),
                 begun = a->run.now.begun, precession = f->both[0].precession,
                 slowest = smaller_or_nan(precession, f->both[0].polhode);
    const bool was_in = before->p == p && before->q == q, is_in = n->p == p && n->q == q;
    if (f->t == f->since)
        return 0.0;
    if (from * to < 0.0)
        return whole;
    if (was_in && before->since == begun) {
        if (is_in)
            return 0.0;
        return 0.5 * whole;
    }
    if (f->since == begun && fabs(from) < NEAR * slowest)
        return smaller_or_nan(0.5 * whole, 1.0 / fabs(from));
    return 0.0;
}

static void note_passage(averaged *a, const followed *f, int p, int q)
{
    static const double BESIDE =
        10.0; /* widths of the resonance: there A/d is as small as the rest */
    slow_state *n = &a->now;
    const double from = detuning(&f->both[0], p, q), to = detuning(&f->both[1], p, q),
                 integral = passage(a, f, p, q);
    if (!(integral > 0.0))
        return;
    const bool crosses = from * to < 0.0;
    const double part = crosses ? from / (from - to) : 0.0;
    double y[PH_UNKNOWNS];
    for (int k = 0; k < PH_UNKNOWNS; k++)
        y[k] = f->before->y[k] + part * (n->y[k] - f->before->y[k]);
    const spin s = spin_of(a, y);
    const double at = f->since + part * (f->t - f->since),
                 torque = ph_resonant_torque(&a->of, &s, is_above(a), at, p, q, &n->nodes),
                 change = sqrt(2.0) * torque * integral / norm(s.H),
                 width = resonance_width(&f->both[0], torque, norm(s.H), p, q);
    if (!crosses && fabs(from) > BESIDE * width)
        return;
    n->passed += change;
    if (change > n->largest) {
        n->largest = change;
        n->passed_p = p;
        n->passed_q = q;
        n->passed_at = crosses ? at : a->run.now.begun;
    }
}

void ph_averaged_follow_resonance(averaged *a, const slow_state *before, double since, double t)
{
    enum { ORDER = 7 };
    slow_state *n = &a->now;
    const followed step = {
        before, {frequencies_at(a, before->y), frequencies_at(a, n->y)}, since, t};
    const frequencies f = step.both[1];
    const double small = f.polhode > 0.0 ? ph_averaged_smallness(a, &f) : 0.0;
    int p = 0, q = 0;
    for (int order = 2; order <= ORDER && small > 0.0; order++) {
        for (int k = 1; k < order && p == 0; k++) {
            if (is_resonant(a, t, &f, small, k, order - k)) {
                p = k;
                q = order - k;
            }
        }
    }
    if (p != (int)n->p || q != (int)n->q)
        n->since = t;
    n->p = p;
    n->q = q;
    for (int order = 2; order <= ORDER && small > 0.0; order++) {
        for (int k = 1; k < order; k++)
            note_passage(a, &step, k, order - k);
    }
    if (p != 0 && fabs(t - n->since) > fabs(n->longest)) {
        n->longest = t - n->since;
        n->longest_p = p;
        n->longest_q = q;
    }
}

/* ---- the short-period part ------------------------------------------------------------------- */

/* The motion differs from its average by a part u of first order that oscillates with all angles. With
 * g the effect of the torque less its average, along the free motion from the start,
 *
 *   u = -int_0^T g W dt,   W = 1 - x + sin(2 pi x)/(2 pi),   x = t/T
 *
 * up to terms of size 1/T^3: -W' = (1 - cos(2 pi x))/T is a weight, by which the average of u over T
 * vanishes. T is 64 periods of the slowest angle. With more than a million nodes, as next to the
 * separatrix, it is shorter, and the part that goes with that angle alone remains.
 */

spin ph_spin_mean(const averaging *a, const spin *s, bool above, double t, const ph_state *start,
                  const averages *mean)
{
    enum { PERIODS = 64, NODES = 32, MOST_NODES = 1 << 20 }; /* of the slowest, of the fastest */
    const spin_body *b = &a->body;
    const frequencies f = ph_spin_frequencies(b, s, above);
    const ph_body body = {.J = b->J, .axes = {1, 0, 0, 0}, .principal = true};
    const double length = norm(s->H);
    double slowest = f.precession, fastest = slowest;
    ph_motion motion;
    spin out = *s;
    if (a->p->torque == NULL || ph_motion_prepare(&motion, &body, start) != PH_OK)
        return out;
    if (b->range > 0.0) {
        slowest = smaller_or_nan(slowest, f.polhode);
        fastest = larger_or_nan(fastest, f.polhode);
    }
    if (a->period > 0.0)
        slowest = smaller_or_nan(slowest, 2.0 * PH_PI / a->period);
    const double h = 2.0 * PH_PI / (NODES * fastest),
                 count = smaller_or_nan(ceil(PERIODS * NODES * fastest / slowest), MOST_NODES),
                 per_inertia = 1.0 / b->I[2] + b->range * within_range(s->level, 0.0, 1.0);
    const uint64_t nodes = count > 0.0 ? (uint64_t)count : 0; /* 0 if a frequency is no number */
    ph_vec3 turned = {0, 0, 0};
    for (uint64_t i = 0; i < nodes; i++) {
        const double at_node = (double)i, x = at_node / count,
                     weight = (i == 0 ? 0.5 : 1.0) * h *
                              (1.0 - x + ph_sin(2.0 * PH_PI * x) / (2.0 * PH_PI));
        const ph_state at = ph_motion_at(&motion, h * at_node);
        const ph_vec3 w = over(at.m, b->J),
                      torque = torque_moving(a->p, t + h * at_node, at.q, at.m, w);
        out.H = add(out.H, scale(weight, sub(rotate(at.q, torque), mean->H)));
        turned = add(turned, scale(weight, sub(torque, mean->in_body)));
        if (b->range > 0.0)
            out.level += weight * (2.0 * dot(torque, sub(w, scale(per_inertia, at.m))) /
                                       (length * length * b->range) -
                                   mean->level);
    }
    if (b->range == 0.0) { /* a sphere: m in the body, whose direction is slow */
        const ph_vec3 m = add(scale(length, s->direction), turned);
        out.direction = scale(1.0 / norm(m), m);
    }
    out.level = within_range(out.level, 0.0, 1.0);
    return out;
}
