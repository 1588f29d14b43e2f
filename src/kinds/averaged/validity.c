/* validity.c - where averages are valid: the size of their error, the separatrix, resonances.
 *
 * The averages have a logarithmic singularity at the separatrix. A run ends before it, where the
 * level would come to it within a period of the polhode.
 */
#include <math.h>

#include "base/extremes.h"
#include "integrators/field.h"
#include "kinds/averaged/averaged.h"

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
    const double left = is_above(a) ? s.level - b->divides : b->divides - s.level;
    if (!has_separatrix(a) || left > FAR * (is_above(a) ? 1.0 - b->divides : b->divides))
        return false;
    if (left <= 0.0)
        return true;
    const averages v = ph_averages(&a->of, &s, is_above(a), t, true, &(node_counts){0});
    const double level = v.level + ph_averaged_loss(a, &s), towards = is_above(a) ? -level : level;
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
        if (status == PH_OK)
            *(is_at_separatrix(a, middle, y) ? &after : &before) = middle;
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
    if (was_in && before->since == begun)
        return is_in ? 0.0 : 0.5 * whole;
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
