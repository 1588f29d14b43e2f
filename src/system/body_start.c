/* body_start.c - bodies and their starts from settings. */
#include "system/body_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "integrators/expression/problem.h"
#include "rotation/vec.h"
#include "system/find.h"

static ph_vec3 vec3_of(const double *x)
{
    return vec3(x[0], x[1], x[2]);
}

ph_status ph_settings_body(const ph_system_settings *s, const char *problem,
                           ph_body *body)
{
    const double *J = ph_settings_values(s, "inertia", NULL),
                 *x = ph_settings_values(s, "tensor", NULL);
    ph_status made = PH_OK;
    if (J != NULL)
        made = ph_body_from_moments(body, vec3_of(J));
    else if (x != NULL)
        made =
            ph_body_from_tensor(body, rows(vec3(x[0], x[3], x[4]), vec3(x[3], x[1], x[5]),
                                           vec3(x[4], x[5], x[2])));
    if (made != PH_OK)
        return ph_settings_refuse_value(
            s, made, ph_settings_find(s, J ? "inertia" : "tensor"), ph_status_text(made));
    if (body->J.x == 0.0 || body->J.y == 0.0 || body->J.z == 0.0)
        return ph_settings_refuse(s, PH_BAD_INERTIA, PH_SETTING_NONE,
                                  "problem %s has no body: give one by --inertia a,b,c",
                                  problem);
    if (!ph_body_physical(body))
        ph_settings_warn(s, PH_SETTING_NONE,
                         "no rigid body has the moments of inertia %g, %g, %g, as one "
                         "exceeds the sum of the others: check them",
                         body->J.x, body->J.y, body->J.z);
    return PH_OK;
}

ph_status ph_settings_attitude(const ph_system_settings *s, ph_quat *q)
{
    const double *x = ph_settings_values(s, "attitude", NULL),
                 *r = ph_settings_values(s, "rotvec", NULL);
    if (x != NULL)
        *q = (ph_quat){x[0], x[1], x[2], x[3]};
    else if (r != NULL)
        *q = ph_exp(vec3_of(r));
    if (x != NULL && q->w == 0.0 && norm_max(vec(*q)) == 0.0)
        return ph_settings_refuse_value(
            s, PH_BAD_STATE, ph_settings_find(s, "attitude"),
            "this is the zero quaternion, no attitude: write 1,0,0,0 for the identity");
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
            double *copy = malloc(p->data_count * sizeof *copy);
            if (copy == NULL)
                return PH_NO_MEMORY;
            memcpy(copy, p->data, p->data_count * sizeof *copy);
            p->data = *memory = copy;
        }
        const ph_status set =
            given->count % ROW != 0
                ? PH_BAD_PARAMETER
                : ph_problem_set_table(p, given->name, given->values, given->count / ROW);
        if (set == PH_OK)
            *memory = (double *)p->data;
        else
            return set == PH_NO_MEMORY
                       ? set
                       : ph_settings_refuse(s, set, i,
                                            "the times of %s do not increase: put the "
                                            "rows in order, each time once",
                                            given->name);
    }
    return PH_OK;
}

/* What to know before other bodies move in a problem, if it is asked for with its own
 * parameters. */
static void warn_caution(const ph_system_settings *s, const ph_problem *p)
{
    bool parameters = false;
    for (size_t i = 0; i < s->setting_count; i++)
        parameters = parameters || ph_problem_parameter(p, s->settings[i].name) != NULL;
    if (p->caution != NULL && !parameters &&
        (ph_settings_find(s, "inertia") >= 0 || ph_settings_find(s, "tensor") >= 0 ||
         ph_settings_find(s, "velocity") >= 0 || ph_settings_find(s, "momentum") >= 0))
        ph_settings_warn(s, PH_SETTING_PROBLEM, "%s: %s", p->name, p->caution);
}

static ph_status take_start(const ph_system_settings *s, const ph_problem *p,
                            ph_state *start)
{
    const double *m = ph_settings_values(s, "momentum", NULL),
                 *w = ph_settings_values(s, "velocity", NULL);
    *start = ph_problem_start(p);
    const ph_status status = ph_settings_attitude(s, &start->q);
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
                                  "the start overflows (attitude, momentum, velocity or "
                                  "kinetic energy): use other units");
    if (p->force == NULL && !isfinite(ph_problem_energy(p, 0.0, &unit)))
        return ph_settings_refuse(
            s, PH_BAD_STATE, PH_SETTING_NONE,
            "the start is outside the domain of the potential of %s, or its energy "
            "overflows: choose another attitude or other parameters",
            p->name ? p->name : "the problem");
    return PH_OK;
}

ph_status ph_settings_problem(const ph_system_settings *s, const ph_kind *kind,
                              ph_problem *p, ph_state *start, double **tables)
{
    *p = s->own_problem ? *(const ph_problem *)s->own_problem : *find_problem(s->problem);
    *tables = NULL;
    const ph_problem_facts facts = ph_body_problem_facts(p);
    ph_status status = ph_settings_take(s, kind, &facts, p->value);
    if (status == PH_OK)
        status = take_tables(s, p, tables);
    if (status == PH_OK && p->prepare != NULL)
        p->prepare(p);
    if (status == PH_OK)
        status = ph_settings_body(s, facts.name, &p->body);
    if (status != PH_OK)
        return status;
    warn_caution(s, p);
    return take_start(s, p, start);
}

/* ---- data of a problem ------------------------------------------------------------- */

ph_status ph_problem_own(ph_problem *p, double **memory)
{
    *memory = NULL;
    if (p->data_count == 0)
        return PH_OK;
    if (p->load != NULL && p->unload != NULL)
        p->context = NULL; /* it is the caller's */
    double *copy = malloc(p->data_count * sizeof *copy);
    if (copy == NULL)
        return PH_NO_MEMORY;
    memcpy(copy, p->data, p->data_count * sizeof *copy);
    p->data = *memory = copy;
    return p->load != NULL ? p->load(p) : PH_OK;
}

void ph_problem_let_go(ph_problem *p, double *memory)
{
    if (memory != NULL && p->unload != NULL && p->context != NULL)
        p->unload(p);
    free(memory);
}

/* The numbers of a snapshot, in *memory. */
static ph_status read_data(const system_source *from, ph_problem *p, double **memory)
{
    const size_t count = ph_snapshot_count(from, "data");
    if (count == 0)
        return PH_OK;
    *memory = count <= from->size ? malloc(count * sizeof **memory) : NULL;
    if (*memory == NULL)
        return PH_NO_MEMORY;
    if (!ph_snapshot_field(from, "data", 1, count, memory))
        return PH_OTHER_SNAPSHOT;
    p->data = *memory;
    p->data_count = count;
    if (p->load == NULL)
        return PH_OTHER_SNAPSHOT;
    if (p->unload != NULL)
        p->context = NULL; /* it is the caller's */
    const ph_status status = p->load(p);
    return status == PH_OK || status == PH_NO_MEMORY ? status : PH_OTHER_SNAPSHOT;
}

ph_status ph_snapshot_problem(const system_source *from, const ph_problem *named,
                              ph_problem *p, double **memory)
{
    const ph_problem *own = from->own;
    ph_vec3 J;
    ph_quat axes;
    *memory = NULL;
    *p = (ph_problem){0};
    if (ph_snapshot_count(from, "data") > 0 &&
        strcmp(from->problem, ph_expression_problem.name) == 0)
        named = &ph_expression_problem;
    if (own != NULL && own->name != NULL && strcmp(own->name, from->problem) == 0)
        named = own;
    if (named == NULL)
        return PH_UNKNOWN_NAME;
    *p = *named;
    const ph_status status = read_data(from, p, memory);
    if (status != PH_OK)
        return status;
    if (!ph_snapshot_parameters(from, p->parameters, p->parameter_count, p->value) ||
        !ph_snapshot_field(from, "moments", 3, 1, (double *const[])FIELD3(J)) ||
        !ph_snapshot_field(from, "axes", 4, 1, (double *const[])FIELD4(axes)))
        return PH_OTHER_SNAPSHOT;
    if (p->prepare != NULL)
        p->prepare(p);
    p->body = (ph_body){J, axes, axes.w == 1.0 && norm_max(vec(axes)) == 0.0};
    return PH_OK;
}

/* The method for people who name none: docs/which_method.md. */
static const char *recommended(const ph_problem *p)
{
    if (p->internal != NULL || (p->torque != NULL && p->velocity_dependent))
        return "mkrk_gl6";
    return p->torque != NULL ? "srkn6_14a+exact" : "exact";
}

ph_problem_facts ph_body_problem_facts(const ph_problem *p)
{
    return (ph_problem_facts){.name = p->name ? p->name : "",
                              .title = p->title,
                              .cite = p->cite,
                              .equations = p->equations,
                              .parameters = p->parameters,
                              .parameter_count = p->parameter_count,
                              .tables = p->tables,
                              .table_count = p->table_count,
                              .value = p->value,
                              .integrator = recommended(p),
                              .is_free = p->torque == NULL && p->internal == NULL};
}
