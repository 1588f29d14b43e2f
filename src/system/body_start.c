/* body_start.c - what kinds of one rigid body share: bodies and their starts from settings, and
 * what is shown of them. */
#include "system/body_start.h"
#include "integrators/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/elementary.h"
#include "base/text.h"
#include "integrators/field.h"
#include "motion/state.h"
#include "system/find.h"

static ph_vec3 vec3_of(const double *x)
{
    return vec3(x[0], x[1], x[2]);
}

/* The body of the settings, if they have one, with a warning if no matter has its moments;
 * `problem` is a name for messages. */
static ph_status take_body(const ph_system_settings *s, const char *problem, ph_body *body)
{
    const double *J = ph_settings_values(s, "inertia", NULL),
                 *x = ph_settings_values(s, "tensor", NULL),
                 *moments = ph_settings_field(s, FIELD_MARK "moments", 3),
                 *axes = ph_settings_field(s, FIELD_MARK "axes", 4);
    ph_status made = PH_OK;
    if (moments != NULL && axes != NULL) {
        const ph_quat q = {axes[0], axes[1], axes[2], axes[3]};
        *body = (ph_body){vec3_of(moments), q, q.w == 1.0 && norm_max(vec(q)) == 0.0};
        return PH_OK;
    }
    if (J != NULL)
        made = ph_body_from_moments(body, vec3_of(J));
    else if (x != NULL)
        made = ph_body_from_tensor(body, symmetric(x));
    if (made != PH_OK)
        return ph_settings_refuse_value(s, made, ph_settings_find(s, J ? "inertia" : "tensor"),
                                        ph_status_text(made));
    if (body->J.x == 0.0 || body->J.y == 0.0 || body->J.z == 0.0)
        return ph_settings_refuse(s, PH_BAD_INERTIA, PH_SETTING_NONE,
                                  "problem %s has no body: give one with --inertia a,b,c", problem);
    (void)ph_settings_physical(s, body);
    return PH_OK;
}

/* The attitude of the settings, if they have one, of any length but 0. */
static ph_status take_attitude(const ph_system_settings *s, ph_quat *q)
{
    const double *x = ph_settings_values(s, "attitude", NULL),
                 *r = ph_settings_values(s, "rotvec", NULL);
    if (x != NULL)
        *q = (ph_quat){x[0], x[1], x[2], x[3]};
    else if (r != NULL)
        *q = ph_rotation_exp(vec3_of(r));
    if (x != NULL && q->w == 0.0 && norm_max(vec(*q)) == 0.0)
        return ph_settings_refuse_value(
            s, PH_BAD_STATE, ph_settings_find(s, "attitude"),
            "the zero quaternion is not an attitude: write 1,0,0,0 for the identity");
    return PH_OK;
}

/* Tables over time, in memory of their own. */
static ph_status take_tables(const ph_system_settings *s, ph_problem *p, double **memory)
{
    enum { ROW = 4 };
    for (int k = 0; k < p->table_count; k++) {
        const int i = ph_settings_find(s, p->tables[k].name);
        if (i < 0)
            continue;
        const ph_setting *given = &s->settings[i];
        if (*memory == NULL && p->data != NULL) { /* the caller's stay as they are */
            double *copy = array_create(p->data_count, sizeof *copy);
            if (copy == NULL)
                return PH_NO_MEMORY;
            memcpy(copy, p->data, p->data_count * sizeof *copy);
            p->data = *memory = copy;
        }
        ph_status set = PH_BAD_PARAMETER;
        if (given->count % ROW == 0)
            set = ph_problem_set_table(p, given->name, given->values, given->count / ROW);
        if (set == PH_OK)
            *memory = (double *)p->data;
        else {
            if (set == PH_NO_MEMORY)
                return set;
            return ph_settings_refuse(s, set, i,
                                      "the times of %s do not increase: sort "
                                      "the rows, and give each time once",
                                      given->name);
        }
    }
    return PH_OK;
}

/* What its parameters surely do not mean; what to know before other bodies move in a problem, if
 * it is asked for with its own parameters. */
static void warn_of_problem(const ph_system_settings *s, const ph_problem *p)
{
    bool parameters = false;
    if (p->warning != NULL)
        ph_settings_warn(s, PH_SETTING_PROBLEM, "%s: %s", p->name, p->warning);
    for (size_t i = 0; i < s->setting_count; i++)
        parameters = parameters || ph_problem_parameter(p, s->settings[i].name) != NULL;
    if (p->caution != NULL && !parameters &&
        (ph_settings_find(s, "inertia") >= 0 || ph_settings_find(s, "tensor") >= 0 ||
         ph_settings_find(s, "velocity") >= 0 || ph_settings_find(s, "momentum") >= 0))
        ph_settings_warn(s, PH_SETTING_PROBLEM, "%s: %s", p->name, p->caution);
}

static ph_status take_start(const ph_system_settings *s, const ph_problem *p, ph_state *start)
{
    const double *m = ph_settings_values(s, "momentum", NULL),
                 *w = ph_settings_values(s, "velocity", NULL);
    *start = ph_problem_start(p);
    if (s->options & OPTION_OF_SNAPSHOT)
        return PH_OK;
    const ph_status status = take_attitude(s, &start->q);
    if (status != PH_OK)
        return status;
    if (m != NULL)
        start->m = vec3_of(m);
    else if (w != NULL)
        start->m = ph_problem_momentum(p, 0.0, vec3_of(w));
    const ph_vec3 velocity = ph_problem_velocity(p, 0.0, start->m);
    const ph_state unit = {ph_quat_unit(start->q), start->m};
    const double length = ph_hypot(start->m.x, ph_hypot(start->m.y, start->m.z));
    if (!isfinite(unit.q.w) || !finite3(vec(unit.q)) || !finite3(velocity) ||
        !isfinite(ph_body_energy(&p->body, &unit)) || !isfinite(length) ||
        !finite3(ph_state_space_momentum(&unit)))
        return ph_settings_refuse(s, PH_BAD_STATE, PH_SETTING_NONE,
                                  "the initial state overflows (attitude, momentum, velocity or "
                                  "kinetic energy): use other units");
    if (p->force == NULL && !isfinite(ph_problem_energy(p, 0.0, &unit)))
        return ph_settings_refuse(
            s, PH_BAD_STATE, PH_SETTING_NONE,
            "the initial state is outside the domain of the potential of %s, or its energy "
            "overflows: choose another attitude or other parameters",
            text_or(p->name, "the problem"));
    return PH_OK;
}

/* ---- data of a problem ------------------------------------------------------------- */

ph_status ph_problem_own(ph_problem *p, double **memory)
{
    *memory = NULL;
    if (p->data_count == 0)
        return PH_OK;
    if (p->load != NULL && p->unload != NULL)
        p->context = NULL; /* it is the caller's */
    double *copy = array_create(p->data_count, sizeof *copy);
    if (copy == NULL)
        return PH_NO_MEMORY;
    memcpy(copy, p->data, p->data_count * sizeof *copy);
    p->data = *memory = copy;
    if (p->load != NULL)
        return p->load(p);
    return PH_OK;
}

void ph_problem_let_go(ph_problem *p, double *memory)
{
    if (memory != NULL && p->unload != NULL && p->context != NULL)
        p->unload(p);
    free(memory);
}

ph_status ph_settings_problem(const ph_system_settings *s, const ph_kind *kind, ph_problem *p,
                              ph_state *start, double **memory)
{
    ph_status status = PH_OK;
    double *tables = NULL;
    const int data =
        s->options & OPTION_OF_SNAPSHOT ? ph_settings_find(s, FIELD_MARK "data") : PH_SETTING_NONE;
    if (s->own_problem)
        *p = *s->own_problem;
    else
        *p = *find_problem(s->problem);
    if (data >= 0) {
        p->data = s->settings[data].values;
        p->data_count = s->settings[data].count;
        if (p->load != NULL)
            status = ph_problem_own(p, memory);
        else
            status = PH_OTHER_SNAPSHOT;
        if (status != PH_OK && status != PH_NO_MEMORY)
            status = PH_OTHER_SNAPSHOT;
    }
    const ph_problem_facts facts = ph_body_problem_facts(p);
    if (status == PH_OK)
        status = ph_settings_take(s, kind, &facts, p->value);
    if (status == PH_OK)
        status = take_tables(s, p, &tables);
    if (status == PH_OK && p->prepare != NULL)
        p->prepare(p);
    if (status == PH_OK)
        status = take_body(s, facts.name, &p->body);
    if (status == PH_OK) {
        warn_of_problem(s, p);
        status = take_start(s, p, start);
    }
    if (status == PH_OK && memory != NULL && *memory == NULL)
        status = ph_problem_own(p, memory);
    free(tables);
    return status;
}

/* ---- a rigid body -------------------------------------------------------------------- */

void ph_rigid_release(void *self)
{
    rigid_body *r = self;
    ph_problem_let_go(&r->problem, r->data);
}

ph_status ph_rigid_accept(const rigid_body *r, ph_state *principal)
{
    const ph_status status = ph_check(&r->problem.body, &r->shown);
    if (status == PH_OK)
        *principal =
            to_principal(&r->problem.body, (ph_state){ph_quat_unit(r->shown.q), r->shown.m});
    return status;
}

void ph_rigid_show(rigid_body *r, double t, ph_state principal)
{
    r->shown = from_principal(&r->problem.body, principal);
    r->velocity = ph_problem_velocity(&r->problem, t, r->shown.m);
}

const ph_problem *ph_rigid_problem(const void *self)
{
    const rigid_body *r = self;
    return &r->problem;
}

ph_vec3 ph_rigid_momentum(const void *self, double t, ph_vec3 velocity)
{
    const rigid_body *r = self;
    return ph_problem_momentum(&r->problem, t, velocity);
}

const char *ph_rigid_reference(const ph_system *s)
{
    const rigid_body *r = s->self;
    return is_field(&r->problem) ? "s6_10+exact" : "mkrk_gl6";
}

/* ---- facts ------------------------------------------------------------------------- */

/* Whether the torque is small beside the kinetic energy, in any of some attitudes. */
static bool is_weak(const ph_problem *p, const ph_state *start)
{
    enum { ATTITUDES = 8 };
    double largest = 0.0;
    ph_problem uncounted = *p;
    uncounted.evaluations = NULL;
    for (int k = 0; k < ATTITUDES; k++) { /* turned by k radians about no special axis */
        const ph_state there = {mul(start->q, ph_rotation_exp(scale(k, vec3(0.5, -0.7, 0.5)))),
                                start->m};
        const ph_vec3 torque = ph_problem_torque(&uncounted, 0.0, &there);
        largest = larger_or_nan(largest, norm_max(torque));
    }
    return largest <= PH_BODY_WEAK * ph_body_energy(&p->body, start);
}

const char *ph_body_recommended_weak(const ph_problem *p)
{
    if (is_field(p) && p->torque != NULL && p->force == NULL)
        return "aba10_6_4+exact";
    return NULL;
}

const char *ph_body_recommended(const ph_problem *p, const ph_state *start)
{
    const char *weak = ph_body_recommended_weak(p);
    if (!is_field(p))
        return p->force != NULL ? "mkrk_gl6" : "gbs";
    if (p->torque == NULL)
        return "exact";
    if (weak != NULL && start != NULL && is_weak(p, start))
        return weak;
    return "srkn6_14a+exact";
}

ph_problem_facts ph_body_problem_facts(const ph_problem *p)
{
    return (ph_problem_facts){PROBLEM_FACTS(p), .tables = p->tables, .table_count = p->table_count,
                              .is_free = p->torque == NULL && p->internal == NULL};
}
