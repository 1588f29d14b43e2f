/* averaged_system.c - a weak torque averaged over the free motion, as a system.
 *
 * What is shown is one of the motions that the average stands for: its phase on the polhode, as a
 * part of the period, and its angle about H are those of the start.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/extremes.h"
#include "integrators/expression/expression.h"
#include "integrators/integrator.h"
#include "kinds/averaged/averaged.h"
#include "motion/state.h"

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

/* ---- slow variables ---------------------------------------------------------------- */

static void set_unknowns(const averaged *a, const spin *s, double y[PH_UNKNOWNS])
{
    const ph_vec3 b = s->direction;
    double sine, cosine;
    ph_sincos(s->level, &sine, &cosine);
    const double all[PH_UNKNOWNS] = {cosine, sine, 0.0, 0.0, s->H.x, s->H.y, s->H.z};
    memcpy(y, all, sizeof all);
    if (is_sphere(a))
        memcpy(y, (const double[]){0.0, b.x, b.y, b.z}, 4 * sizeof *y);
}

/* The level of a momentum in principal axes: x1^2 + c x2^2 of m/|m| in ascending axes. */
static double level_of(const spin_body *b, ph_vec3 m)
{
    const double x[3] = {m.x, m.y, m.z}, m1 = x[b->axis[0]], m2 = x[b->axis[1]];
    if (b->range == 0.0)
        return 0.0;
    return (m1 * m1 + b->divides * (m2 * m2)) / dot(m, m);
}

static double kinetic_energy(const averaged *a, const spin *s)
{
    const double level = within_range(s->level, 0.0, 1.0);
    return 0.5 * dot(s->H, s->H) * (1.0 / a->of.body.I[2] + a->of.body.range * level);
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
static void take_state(averaged *a, double t, const ph_state *at)
{
    const spin_body *b = &a->of.body;
    const double x[3] = {at->m.x, at->m.y, at->m.z}, length = norm(at->m);
    spin s = {.H = rotate(at->q, at->m),
              .level = level_of(b, at->m),
              .direction = scale(1.0 / length, at->m)};
    const bool above = b->divides == 0.0 || (b->divides < 1.0 && s.level > b->divides);
    if (x[b->axis[above ? 0 : 2]] < 0.0)
        s.side = -1.0;
    else
        s.side = 1.0;
    a->now = (slow_state){.side = s.side, .above = above};
    polhode_curve c = ph_spin_curve(b, &s, above);
    a->now.phase = ph_spin_phase(b, &c, at->m);
    if (a->mean_start != 0.0) {
        const averages v = ph_averages(&a->of, &s, above, t, true, &a->now.nodes);
        s = ph_spin_mean(&a->of, &s, above, t, at, &v);
        c = ph_spin_curve(b, &s, above);
    }
    set_unknowns(a, &s, a->now.y);
    /* the angle about H from the rotation that show() begins with to the attitude */
    const double now = norm(s.H);
    const ph_vec3 m = ph_spin_momentum(b, &s, &c, a->now.phase), h = scale(1.0 / now, s.H);
    const ph_quat turn = mul(at->q, inverse(ph_turn_to(scale(1.0 / now, m), h)));
    a->now.angle = 2.0 * ph_atan2(dot(vec(turn), h), turn.w);
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
    take_state(a, t, &s);
    ph_averaged_begin(a, t, a->run.tolerance, a->run.longest_step);
    ph_averaged_follow_resonance(a, &a->now, t, t);
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
        status = ph_averaged_stop(a);
    if (status != PH_OK) {
        a->now = before;
        return status;
    }
    take_unknowns(a);
    if (a->run.now.t != *t)
        ph_averaged_follow_resonance(a, &before, *t, a->run.now.t);
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
    const frequencies f = ph_averaged_frequencies(a);
    out[ENERGY] = (reading){{a->kinetic}, 0.0};
    out[LENGTH] = (reading){{length}, 0.0};
    out[DYNAMIC_INERTIA] = (reading){{0.5 * length * (length / a->kinetic)}, 0.0};
    out[OBLIQUITY] = (reading){{ph_atan2(ph_hypot(a->H.x, a->H.y), a->H.z)}, 0.0};
    out[MEAN_SPIN] = (reading){{2.0 * a->kinetic / length}, 0.0};
    out[POLHODE_PERIOD] = (reading){{2.0 * PH_PI / f.polhode}, 0.0};
    out[PRECESSION_PERIOD] = (reading){{2.0 * PH_PI / f.precession}, 0.0};
    out[ERROR_ESTIMATE] = (reading){{ph_averaged_estimate(a, &f)}, 0.0};
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
        (void)snprintf(text, PH_MESSAGE,
                       "the averaged motion reaches the separatrix at t = %.10g, where averages "
                       "are not valid: to continue beyond it, start a run there with the momentum "
                       "%.10g,%.10g,%.10g or its mirror image; to continue on this side, start "
                       "with the momentum of the last row",
                       t, m.x, m.y, m.z);
    } else if (held > SHORT * fabs(t)) {
        (void)snprintf(text, PH_MESSAGE,
                       "the frequencies of polhode and precession are close to the resonance %g:%g "
                       "for a time of %.4g, where averages may not be valid: compare with gbs",
                       n->longest_p, n->longest_q, held);
    } else if (n->p != 0.0 && n->since != a->run.now.begun) {
        (void)snprintf(text, PH_MESSAGE,
                       "the motion is in the resonance %g:%g of polhode and precession since t = "
                       "%.4g, where averages may not be valid: compare with gbs",
                       n->p, n->q, n->since);
    } else if (n->passed > 0.0 && fabs(n->passed_at) <= fabs(t)) {
        const frequencies f = ph_averaged_frequencies(a);
        const double small = ph_averaged_smallness(a, &f);
        const char *how = n->passed_at == a->run.now.begun ? "starts next to" : "passes";
        if (n->passed > small)
            (void)snprintf(
                text, PH_MESSAGE,
                "the motion %s the resonance %g:%g of polhode and precession at t = %.4g: the "
                "error of the averages may be %.1g instead of %.1g: compare with gbs",
                how, n->passed_p, n->passed_q, n->passed_at, ph_averaged_estimate(a, &f),
                ph_averaged_estimate(a, &f) - n->passed);
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
        {"mean_start", "1", "1: the short-period part is subtracted from the start", "mean_start",
         PH_ARRAY_CONSTANT, 1, a->mean_start != 0.0, 1, FIELD(a->mean_start)},
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
                            "the slowest frequency, and resonances passed",
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
    {"period", NULL, "t", "With averaged: the period of a torque that depends on time", "period", 1,
     false, "period"},
    {"quality", NULL, "1", "With averaged: the quality factor of friction inside the body", "Q", 1,
     false, "quality"},
    {"mean_start", NULL, "1", "With averaged: 1 removes short-period terms from the initial state",
     "1", 1, false, "mean-start"},
};

static ph_status step_named(custom_parts *own, const char *name, ph_integrator *out)
{
    (void)own;
    if (strcmp(name, ph_averaged_method.name) != 0)
        return PH_UNKNOWN_NAME;
    out->adaptive = &ph_averaged_method;
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

/* With a small number above these the average is doubtful, or has no meaning. */
static const double NOT_WEAK = 0.1, STRONG = 10.0;

static ph_status create(const ph_system_settings *s, ph_system *system)
{
    averaged *a = system->self;
    const ph_problem *p = &a->r.problem;
    const double *period = ph_settings_values(s, "period", NULL),
                 *quality = ph_settings_values(s, "quality", NULL),
                 *mean_start = ph_settings_values(s, "mean_start", NULL);
    const bool snapshot = (s->options & OPTION_OF_SNAPSHOT) != 0;
    ph_status status = ph_settings_problem(s, system->kind, &a->r.problem, &a->r.shown, &a->r.data);
    if (status == PH_OK)
        status = ph_settings_integrator(s, system, ph_averaged_method.name);
    if (status != PH_OK)
        return status;
    const char *name = p->name != NULL && *p->name != '\0' ? p->name : "the problem", *rough = NULL;
    if (p->control_period != 0.0)
        rough = "a discrete control";
    else if (ph_expression_has_facets(p))
        rough = "facets that are not always lit";
    if (p->internal != NULL)
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                  "`averaged` averages over the motion of a free rigid body, but "
                                  "%s has wheels or another internal momentum: use gbs",
                                  name);
    if (rough != NULL)
        return ph_settings_refuse(
            s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
            "`averaged` needs a torque that is smooth along the motion, but %s has %s: use gbs",
            name, rough);
    if (p->force != NULL)
        return ph_settings_refuse(
            s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
            "`averaged` needs a body whose centre of mass is fixed: use another method");
    if (period != NULL && !(*period > 0.0))
        return ph_settings_refuse_value(s, PH_BAD_PARAMETER, ph_settings_find(s, "period"),
                                        "write a positive time");
    if (quality != NULL && !(*quality > 0.0))
        return ph_settings_refuse_value(s, PH_BAD_PARAMETER, ph_settings_find(s, "quality"),
                                        "write a positive number, such as 100");
    if (mean_start != NULL && *mean_start != 0.0 && *mean_start != 1.0)
        return ph_settings_refuse_value(s, PH_BAD_PARAMETER, ph_settings_find(s, "mean_start"),
                                        "write 1 or 0");
    a->period = given_or(period, p->period);
    a->quality = given_or(quality, 0.0);
    a->mean_start = given_or(mean_start, 0.0);
    if (!snapshot && norm_max(a->r.shown.m) == 0.0)
        return ph_settings_refuse(
            s, PH_BAD_STATE, PH_SETTING_NONE,
            "`averaged` needs a body that rotates: give a momentum, or use gbs");
    if (!snapshot && a->period == 0.0 && p->torque != NULL && depends_on_time(p, &a->r.shown))
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                  "the torque of %s depends on time: give its period, for example "
                                  "the period of the orbit, with --period T, or use gbs",
                                  name);
    status = finish(system);
    if (status != PH_OK || snapshot)
        return status;
    const frequencies f = ph_averaged_frequencies(a);
    const double small = ph_averaged_smallness(a, &f);
    if (!(small < STRONG))
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                  "the torque is not weak compared with the rotation, so an "
                                  "average over the free motion is not valid: use gbs");
    if (small > NOT_WEAK)
        ph_settings_warn(s, PH_SETTING_INTEGRATOR,
                         "the torque is not weak compared with the rotation: the error of "
                         "`averaged` may be %.1g: compare with gbs",
                         ph_averaged_estimate(a, &f));
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
        *out = (ph_method_facts){METHOD_FACTS(&ph_averaged_method), .adaptive = true};
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
