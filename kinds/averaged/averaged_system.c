/* averaged_system.c - a weak torque averaged over the free motion, as a system.
 *
 * HNW   as in dop853.c, whose steps the slow variables take.
 * SD81  Smith, Dahlen, The period and Q of the Chandler wobble, Geophys. J. R. astr. Soc. 64, 1981:
 *       the quality factor of a free wobble.
 *
 * The unknowns of the adaptive method, four numbers of unit length and three others, are
 *
 *   (cos s, sin s, 0, 0), H     s the level of averages.h
 *   (0, b), H                   of a sphere: b the direction of m in the body
 *
 * What is shown is one of the motions that the average stands for: its phase on the polhode, as a
 * part of the period, and its angle about H are those of the start.
 *
 * Friction inside the body takes energy and leaves H. With the quality factor Q the energy above that
 * of flat spin, H^2/(2 I3), decays by the part 2 pi/Q in a period of the polhode [SD81]. That energy
 * is proportional to s, so s' has the term -(2 pi/(Q period)) s.
 *
 * The averages have a logarithmic singularity at the separatrix. A run ends before it, where the
 * level would come to it within a period of the polhode.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/extremes.h"
#include "integrators/adaptive.h"
#include "integrators/integrator.h"
#include "integrators/lane_kernels.h"
#include "kinds/averaged/averages.h"
#include "motion/state.h"
#include "system/body_start.h"

/* Everything that a run depends on beside the numbers of its method. */
typedef struct slow_state {
    double y[PH_UNKNOWNS];
    double side, above;  /* which axis m encircles: see averages.h */
    double phase, angle; /* of the motion that is shown */
    double stopped;      /* at the separatrix */
    node_counts nodes;   /* of the next average */
    double torque;       /* mean size of the torque in the last average */
    /* The resonance p, q of the frequencies that the run is in, since when, and the longest so far;
     * 0: none. */
    double p, q, since, longest_p, longest_q, longest;
} slow_state;

typedef struct averaged {
    rigid_body r;
    ph_problem principal; /* the problem in principal axes, if those are others */
    averaging of;
    ph_problem slow; /* what the method sees: a body in no torque */
    ph_adaptive_run run;
    slow_state now;
    ph_vec3 H; /* what is shown of it */
    double kinetic;
    double period;             /* of the torque; 0: none */
    double quality;            /* of friction inside; 0: there is none */
    ph_adaptive_numbers known; /* the step whose polynomial was computed last */
    int stage;                 /* of the attempt */
    node_counts least;         /* nodes of the stages after the first, at least */
    double noise; /* of averages that did not converge, in the last attempt: relative to |H| */
} averaged;

enum {
    ENERGY,
    LENGTH,
    DYNAMIC_INERTIA,
    OBLIQUITY,
    MEAN_SPIN,
    POLHODE_PERIOD,
    PRECESSION_PERIOD,
    ERROR_ESTIMATE,
    RESONANCE,
    OBSERVABLES
};

static bool is_sphere(const averaged *a)
{
    return a->of.body.range == 0.0;
}

static bool has_separatrix(const averaged *a)
{
    return a->of.body.divides > 0.0 && a->of.body.divides < 1.0;
}

/* ---- slow variables ---------------------------------------------------------------- */

static spin spin_of(const averaged *a, const double y[PH_UNKNOWNS])
{
    return (spin){.H = {y[4], y[5], y[6]},
                  .level = is_sphere(a) ? 0.0 : ph_atan2(y[1], y[0]),
                  .side = a->now.side,
                  .direction = {y[1], y[2], y[3]}};
}

static bool is_above(const averaged *a)
{
    return a->now.above != 0.0;
}

static void set_unknowns(const averaged *a, const spin *s, double y[PH_UNKNOWNS])
{
    const ph_vec3 b = s->direction;
    double sine, cosine;
    ph_sincos(s->level, &sine, &cosine);
    const double all[PH_UNKNOWNS] = {is_sphere(a) ? 0.0 : cosine,
                                     is_sphere(a) ? b.x : sine,
                                     is_sphere(a) ? b.y : 0.0,
                                     is_sphere(a) ? b.z : 0.0,
                                     s->H.x,
                                     s->H.y,
                                     s->H.z};
    memcpy(y, all, sizeof all);
}

/* The level of a momentum in principal axes: x1^2 + c x2^2 of m/|m| in ascending axes. */
static double level_of(const spin_body *b, ph_vec3 m)
{
    const double x[3] = {m.x, m.y, m.z}, m1 = x[b->axis[0]], m2 = x[b->axis[1]];
    return b->range == 0.0 ? 0.0 : (m1 * m1 + b->divides * (m2 * m2)) / dot(m, m);
}

static double kinetic_energy(const averaged *a, const spin *s)
{
    const double level = s->level < 0.0 ? 0.0 : s->level > 1.0 ? 1.0 : s->level;
    return 0.5 * dot(s->H, s->H) * (1.0 / a->of.body.I[2] + a->of.body.range * level);
}

/* ---- the adaptive method -------------------------------------------------------------- */

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

/* The rate of the level by friction inside. */
static double loss(const averaged *a, const spin *s)
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
    const double length = norm(s.H), level = v.level + loss(a, &s);
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

static const ph_adaptive method = {
    .name = "averaged",
    .title = "Weak torque averaged over the free motion",
    .cite = "HNW II.5",
    .order = 1,
    .prepare = prepare,
    .attempt = attempt,
    .at = at,
    .rate = rate,
};

/* ---- runs ------------------------------------------------------------------------- */

/* Begins the run of the method at the present unknowns. */
static void begin(averaged *a, double t, double tolerance, double longest_step)
{
    const ph_adaptive_numbers before = a->run.now;
    a->run = (ph_adaptive_run){.method = &method,
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
    const double level = v.level + loss(a, &s), towards = is_above(a) ? -level : level;
    a->run.now.evaluations += v.evaluations;
    return towards * ph_spin_curve(b, &s, is_above(a)).period > left;
}

/* Ends the last step where the separatrix is near, if it is at its end. */
static ph_status stop_at_separatrix(averaged *a)
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

/* ---- the state that is shown ------------------------------------------------------------ */

static void show(void *self, double t)
{
    averaged *a = self;
    const spin s = spin_of(a, a->now.y);
    const polhode_curve c = ph_spin_curve(&a->of.body, &s, is_above(a));
    const ph_vec3 m = ph_spin_momentum(&a->of.body, &s, &c, a->now.phase);
    const double length = norm(s.H);
    const ph_vec3 h = scale(1.0 / length, s.H);
    const ph_quat q = mul(turn_about(h, 0.5 * a->now.angle), ph_turn_to(scale(1.0 / length, m), h));
    ph_rigid_show(&a->r, t, (ph_state){of_unit_length(q), m});
    a->H = s.H;
    a->kinetic = kinetic_energy(a, &s);
}

static void take_unknowns(averaged *a)
{
    memcpy(a->now.y, a->run.now.y, sizeof a->now.y);
}

/* The slow variables of a state in principal axes. */
static void take_state(averaged *a, const ph_state *at)
{
    const spin_body *b = &a->of.body;
    const double x[3] = {at->m.x, at->m.y, at->m.z}, length = norm(at->m);
    spin s = {.H = rotate(at->q, at->m),
              .level = level_of(b, at->m),
              .direction = scale(1.0 / length, at->m)};
    const bool above = b->divides == 0.0 || (b->divides < 1.0 && s.level > b->divides);
    s.side = x[b->axis[above ? 0 : 2]] < 0.0 ? -1.0 : 1.0;
    a->now = (slow_state){.side = s.side, .above = above};
    const polhode_curve c = ph_spin_curve(b, &s, above);
    a->now.phase = ph_spin_phase(b, &c, at->m);
    set_unknowns(a, &s, a->now.y);
    /* the angle about H from the rotation that show() begins with to the attitude */
    const ph_vec3 m = ph_spin_momentum(b, &s, &c, a->now.phase), h = scale(1.0 / length, s.H);
    const ph_quat turn = mul(at->q, inverse(ph_turn_to(scale(1.0 / length, m), h)));
    a->now.angle = 2.0 * ph_atan2(dot(vec(turn), h), turn.w);
}

/* ---- frequencies and resonances ---------------------------------------------------------- */

static frequencies frequencies_of(const averaged *a, const double y[PH_UNKNOWNS])
{
    const spin s = spin_of(a, y);
    return ph_spin_frequencies(&a->of.body, &s, is_above(a));
}

/* The torque relative to |H| and to the slower frequency: the small number of the average. */
static double smallness(const averaged *a, const frequencies *f)
{
    const spin s = spin_of(a, a->now.y);
    double slowest = fabs(f->precession);
    if (!is_sphere(a))
        slowest = smaller_or_nan(slowest, f->polhode);
    if (a->period != 0.0)
        slowest = smaller_or_nan(slowest, 2.0 * PH_PI / a->period);
    return (a->now.torque == 0.0 ? 0.0 : a->now.torque / (norm(s.H) * slowest)) +
           (a->quality == 0.0 ? 0.0 : 1.0 / a->quality);
}

/* Whether the frequencies are in the resonance p polhode = q precession: they differ by less than the
 * root of the small number, with the part of the torque that goes with p and q. */
static bool is_resonant(const averaged *a, double t, const frequencies *f, double small, int p,
                        int q)
{
    const spin s = spin_of(a, a->now.y);
    const double precession = fabs(f->precession), off = fabs(p * f->polhode - q * precession);
    if (!(off < (p + q) * sqrt(small) * precession))
        return false;
    const double torque = ph_resonant_torque(&a->of, &s, is_above(a), t, p, q, &a->now.nodes);
    return off < (p + q) * sqrt(torque / (norm(s.H) * precession)) * precession;
}

/* Follows resonances of low order from step to step. */
static void follow_resonance(averaged *a, double t)
{
    enum { ORDER = 7 };
    slow_state *n = &a->now;
    const frequencies f = frequencies_of(a, n->y);
    const double small = f.polhode > 0.0 ? smallness(a, &f) : 0.0;
    int p = 0, q = 0;
    for (int order = 2; order <= ORDER && p == 0 && small > 0.0; order++) {
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
    if (p != 0 && fabs(t - n->since) > fabs(n->longest)) {
        n->longest = t - n->since;
        n->longest_p = p;
        n->longest_q = q;
    }
}

static ph_status accept(void *self, double t)
{
    averaged *a = self;
    ph_state s;
    const ph_status status = ph_rigid_accept(&a->r, &s);
    if (status != PH_OK)
        return status;
    if (!(norm(s.m) > 0.0))
        return PH_BAD_STATE;
    take_state(a, &s);
    begin(a, t, a->run.tolerance, a->run.longest_step);
    follow_resonance(a, t);
    show(a, t);
    return PH_OK;
}

/* ---- steps ------------------------------------------------------------------------- */

static ph_status advance(void *self, double *t, double end)
{
    averaged *a = self;
    const slow_state before = a->now;
    if (a->now.stopped != 0.0 && *t != end)
        return PH_AT_SEPARATRIX;
    ph_status status = ph_adaptive_step(&a->run, end);
    if (status == PH_OK && a->run.now.t != *t)
        status = stop_at_separatrix(a);
    if (status != PH_OK) {
        a->now = before;
        return status;
    }
    take_unknowns(a);
    if (a->run.now.t != *t)
        follow_resonance(a, a->run.now.t);
    *t = a->run.now.t;
    return PH_OK;
}

static ph_status within(void *self, double t, bool stay)
{
    averaged *a = self;
    ph_state s;
    const ph_status status = ph_adaptive_at(&a->run, t, &s);
    if (status != PH_OK)
        return status;
    const double y[PH_UNKNOWNS] = {s.q.w, s.q.x, s.q.y, s.q.z, s.m.x, s.m.y, s.m.z};
    memcpy(a->now.y, y, sizeof y);
    if (stay) {
        ph_adaptive_cut(&a->run, t, &s);
        a->now.stopped = 0.0;
    }
    return PH_OK;
}

/* ---- as a system ------------------------------------------------------------------- */

static void observe(void *self, double t, reading *out)
{
    averaged *a = self;
    show(a, t);
    const double length = norm(a->H);
    const frequencies f = frequencies_of(a, a->now.y);
    out[ENERGY] = (reading){{a->kinetic}, 0.0};
    out[LENGTH] = (reading){{length}, 0.0};
    out[DYNAMIC_INERTIA] = (reading){{0.5 * length * (length / a->kinetic)}, 0.0};
    out[OBLIQUITY] = (reading){{ph_atan2(ph_hypot(a->H.x, a->H.y), a->H.z)}, 0.0};
    out[MEAN_SPIN] = (reading){{2.0 * a->kinetic / length}, 0.0};
    out[POLHODE_PERIOD] = (reading){{2.0 * PH_PI / f.polhode}, 0.0};
    out[PRECESSION_PERIOD] = (reading){{2.0 * PH_PI / fabs(f.precession)}, 0.0};
    out[ERROR_ESTIMATE] = (reading){{smallness(a, &f)}, 0.0};
    out[RESONANCE] = (reading){{a->now.longest_p, a->now.longest_q, a->now.longest}, 0.0};
}

/* m in the caller's frame on the other side of the separatrix, as far from it as the present spin. */
static ph_vec3 momentum_beyond(const averaged *a)
{
    const spin_body *b = &a->of.body;
    spin s = spin_of(a, a->now.y);
    s.level = 2.0 * b->divides - s.level;
    const polhode_curve c = ph_spin_curve(b, &s, !is_above(a));
    const ph_state other = {{1, 0, 0, 0}, ph_spin_momentum(b, &s, &c, 0.0)};
    return from_principal(&a->r.problem.body, other).m;
}

static void caution(const void *self, double t, char text[PH_MESSAGE])
{
    const averaged *a = self;
    const slow_state *n = &a->now;
    const double held = fabs(n->longest), SHORT = 0.1;
    if (n->stopped != 0.0) {
        const ph_vec3 m = momentum_beyond(a);
        (void)snprintf(
            text, PH_MESSAGE,
            "the averaged motion comes to the separatrix at t = %.10g, where averages are "
            "not valid: to continue beyond it, start there with the momentum %.10g,%.10g,%.10g "
            "or its mirror image, and on this side with that of the last row",
            t, m.x, m.y, m.z);
    } else if (held > SHORT * fabs(t)) {
        (void)snprintf(
            text, PH_MESSAGE,
            "the frequencies of polhode and precession are next to the resonance %g:%g for a "
            "time of %.4g, and averages may not be valid there: compare with gbs",
            n->longest_p, n->longest_q, held);
    }
}

/* The system of a problem and its start, which is shown. */
static ph_status finish(ph_system *system)
{
    averaged *a = system->self;
    const ph_problem *p = &a->r.problem;
    const ph_integrator *i = &system->by;
    if (!(i->longest_step >= 0.0))
        return PH_BAD_STEP;
    if (p->evaluations == NULL)
        a->r.problem.evaluations = &system->counted;
    system->evaluations = p->evaluations;
    a->of = (averaging){.p = ph_problem_principal(p, &a->principal),
                        .body = ph_spin_body(p->body.J),
                        .period = a->period,
                        .tolerance = i->tolerance};
    a->slow = (ph_problem){.body = {.J = {1, 1, 1}, .axes = {1, 0, 0, 0}, .principal = true},
                           .context = a};
    a->run.tolerance = i->tolerance;
    a->run.longest_step = i->longest_step;
    const ph_status status = accept(a, 0.0);
    if (status != PH_OK)
        return status;
    const unsigned derived = PH_ARRAY_SHOWN | PH_ARRAY_DERIVED;
    const ph_array fields[] = {
        {"momentum_space", "I/t", "Angular momentum in space", "H1,H2,H3", derived, 3, 1, 1,
         FIELD(a->H.x)},
        {"kinetic_energy", "I/t^2", "Kinetic energy", "T", derived, 1, 1, 1, FIELD(a->kinetic)},
        {"attitude", "1", "Attitude of one of the motions, body to space, scalar first",
         "q0,q1,q2,q3", PH_ARRAY_SHOWN | PH_ARRAY_PLACE, 4, 1, 1, FIELD(a->r.shown.q.w)},
        {"momentum", "I/t", "Angular momentum of that motion in the body frame", "m1,m2,m3",
         PH_ARRAY_SHOWN, 3, 1, 1, FIELD(a->r.shown.m.x)},
        {"velocity", "rad/t", "Angular velocity of that motion in the body frame", "w1,w2,w3",
         derived, 3, 1, 1, FIELD(a->r.velocity.x)},
        {"state", "mixed", "Slow variables, nodes and resonances", "value", PH_ARRAY_STATE, 1,
         sizeof a->now / sizeof(double), 1, FIELD(a->now.y[0])},
        {"moments", "I", "Principal moments of inertia", "I1,I2,I3", PH_ARRAY_CONSTANT, 3, 1, 1,
         FIELD(a->r.problem.body.J.x)},
        {"axes", "1", "Principal axes to body frame", "a0,a1,a2,a3", PH_ARRAY_CONSTANT, 4, 1, 1,
         FIELD(a->r.problem.body.axes.w)},
        {"period", "t", "Period of the torque in time", "period", PH_ARRAY_CONSTANT, 1,
         a->period != 0.0, 1, FIELD(a->period)},
        {"quality", "1", "Quality factor of friction inside the body", "Q", PH_ARRAY_CONSTANT, 1,
         a->quality != 0.0, 1, FIELD(a->quality)},
        {"tolerance", "1", "Error allowed in a step", "tolerance", PH_ARRAY_CONSTANT, 1, 1, 1,
         FIELD(system->by.tolerance)},
        {"longest_step", "t", "Longest step", "longest_step", PH_ARRAY_CONSTANT, 1,
         i->longest_step != 0.0, 1, FIELD(system->by.longest_step)},
        {"step_control", "mixed", "What the choice of the next step depends on", "value",
         PH_ARRAY_STATE, 1, sizeof a->run.now / sizeof(double), 1, FIELD(a->run.now.t)},
        {"data", "mixed", "Numbers of the problem beside its parameters", "value",
         PH_ARRAY_CONSTANT | PH_ARRAY_LIST, 1, p->data_count, 1, FIELD(*a->r.data)},
    };
    const bool is_free = p->torque == NULL && a->quality == 0.0;
    const ph_observable observables[OBSERVABLES] = {
        [ENERGY] = {"energy", "I/t^2", "Kinetic energy", "energy", 1, .watched = true,
                    .conserved = is_free, .relative = true},
        [LENGTH] = {"momentum", "I/t", "Length of the angular momentum", "|momentum|", 1,
                    .watched = true, .conserved = p->torque == NULL, .relative = true},
        [DYNAMIC_INERTIA] = {"dynamic_inertia", "I", "Dynamic moment of inertia, H^2/(2T)",
                             "H^2/(2T)", 1, .watched = false},
        [OBLIQUITY] = {"obliquity", "rad", "Angle from the axis 3 of space to the momentum",
                       "obliquity", 1, .watched = false},
        [MEAN_SPIN] = {"mean_spin", "rad/t", "Mean angular velocity about the momentum, 2T/H",
                       "mean spin", 1, .watched = false},
        [POLHODE_PERIOD] = {"polhode_period", "t", "Period of the momentum in the body",
                            "polhode period", 1, .watched = false},
        [PRECESSION_PERIOD] = {"precession_period", "t",
                               "Mean period in which the encircled axis turns about the momentum",
                               "precession", 1, .watched = false},
        [ERROR_ESTIMATE] = {"error_estimate", "1",
                            "Estimate of the error of the average, relative: torque over |H| and "
                            "the slowest frequency",
                            "error estimate", 1, .watched = false},
        [RESONANCE] = {"resonance", "mixed",
                       "Longest resonance p:q of polhode and precession: p, q, time", "resonance",
                       3, .watched = false},
    };
    system->adaptive = &a->run.now;
    return ph_system_describe(system, &(ph_problem_facts){PROBLEM_FACTS(p)}, fields,
                              sizeof fields / sizeof fields[0], observables, OBSERVABLES);
}

/* ---- from settings ----------------------------------------------------------------- */

static const ph_start_array START[] = {
    BODY_START_FIELDS,
    {"period", NULL, "t", "Period of a torque over time, of the method averaged", "period", 1,
     false, "period"},
    {"quality", NULL, "1", "Quality factor of friction inside the body, of the same", "Q", 1, false,
     "quality"},
};

static ph_status step_named(custom_parts *own, const char *name, ph_integrator *out)
{
    (void)own;
    if (strcmp(name, method.name) != 0)
        return PH_UNKNOWN_NAME;
    out->adaptive = &method;
    out->tolerance = PH_TOLERANCE_DEFAULT;
    return PH_OK;
}

/* Whether the torque differs between the start and some other times. */
static bool depends_on_time(const ph_problem *p, const ph_state *start)
{
    enum { TIMES = 16 };
    const double turn = 1.0 / larger_or_nan(norm_max(ph_body_velocity(&p->body, start->m)), 1e-300);
    const ph_vec3 first = ph_problem_torque(p, 0.0, start);
    double largest = 0.0;
    for (int k = 0; k < TIMES; k++) {
        const ph_vec3 then = ph_problem_torque(p, ldexp(turn, 2 * k) * 1.1, start);
        largest = larger_or_nan(largest, norm_max(sub(then, first)));
    }
    return !(largest == 0.0);
}

/* With an estimate of the error above these the average is doubtful, or has no meaning. */
static const double NOT_WEAK = 0.1, STRONG = 10.0;

static ph_status create(const ph_system_settings *s, ph_system *system)
{
    averaged *a = system->self;
    const ph_problem *p = &a->r.problem;
    const double *period = ph_settings_values(s, "period", NULL),
                 *quality = ph_settings_values(s, "quality", NULL);
    const bool snapshot = (s->options & OPTION_OF_SNAPSHOT) != 0;
    ph_status status = ph_settings_problem(s, system->kind, &a->r.problem, &a->r.shown, &a->r.data);
    if (status == PH_OK)
        status = ph_settings_integrator(s, system, method.name);
    if (status != PH_OK)
        return status;
    if (p->internal != NULL)
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                  "`averaged` takes the free rigid body as the fast motion, and %s "
                                  "has wheels or another momentum inside: take gbs",
                                  p->name && *p->name ? p->name : "the problem");
    if (p->force != NULL)
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                  "`averaged` moves a body whose centre stands still: take another "
                                  "method");
    if (period != NULL && !(*period > 0.0))
        return ph_settings_refuse_value(s, PH_BAD_PARAMETER, ph_settings_find(s, "period"),
                                        "write a positive time");
    if (quality != NULL && !(*quality > 0.0))
        return ph_settings_refuse_value(s, PH_BAD_PARAMETER, ph_settings_find(s, "quality"),
                                        "write a positive number, such as 100");
    a->period = period ? *period : p->period;
    a->quality = quality ? *quality : 0.0;
    if (!snapshot && norm_max(a->r.shown.m) == 0.0)
        return ph_settings_refuse(s, PH_BAD_STATE, PH_SETTING_NONE,
                                  "`averaged` needs a body that rotates: give a momentum, or take "
                                  "gbs");
    if (!snapshot && a->period == 0.0 && p->torque != NULL && depends_on_time(p, &a->r.shown))
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                  "the torque of %s depends on time: give its period, such as that "
                                  "of the orbit, as --period T, or take gbs",
                                  p->name && *p->name ? p->name : "the problem");
    status = finish(system);
    if (status != PH_OK || snapshot)
        return status;
    const frequencies f = frequencies_of(a, a->now.y);
    const double small = smallness(a, &f);
    if (!(small < STRONG))
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                  "the torque is not weak beside the rotation, and an average over "
                                  "the free motion has no meaning: take gbs");
    if (small > NOT_WEAK)
        ph_settings_warn(
            s, PH_SETTING_INTEGRATOR,
            "the torque is not weak beside the rotation: the error of `averaged` may be "
            "%.1g: compare with gbs",
            small);
    return PH_OK;
}

/* Its problems are those of one body. */
static bool problem_at(size_t i, ph_problem_facts *out)
{
    (void)i;
    (void)out;
    return false;
}

static bool method_at(size_t i, ph_method_facts *out)
{
    if (i == 0)
        *out = (ph_method_facts){METHOD_FACTS(&method), .adaptive = true};
    return i == 0;
}

static void describe(const ph_system *s, char *text, size_t size)
{
    const averaged *a = s->self;
    const ph_vec3 J = a->r.problem.body.J, H = a->H;
    (void)snprintf(text, size, "moments %.5g, %.5g, %.5g, momentum in space %.5g, %.5g, %.5g", J.x,
                   J.y, J.z, H.x, H.y, H.z);
}

const ph_kind ph_kind_averaged = {
    .name = "averaged",
    .what = "one body, averaged over its free motion",
    .entries = {"The body"},
    .state_note = ", averaged; attitude, momentum and velocity of one of its motions",
    .one_of_many = true,
    .drift = "exact",
    .start = START,
    .start_count = sizeof START / sizeof START[0],
    .problem = problem_at,
    .method = method_at,
    .step_named = step_named,
    .method_of_bodies = "averaged",
    .create = create,
    .size = sizeof(averaged),
    .advance = advance,
    .within = within,
    .show = show,
    .accept = accept,
    .observe = observe,
    .caution = caution,
    .free = ph_rigid_release,
    .momentum = ph_rigid_momentum,
    .error_names = {"momentum", "attitude"},
    .error_text = "|m - m*|/|m*| and |q - q*|",
    .absolute_places = true,
    .reference = ph_rigid_reference,
    .describe = describe,
};
