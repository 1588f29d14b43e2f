/* body.c - one body, free or in a field. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "cli/files/csv.h"
#include "cli/files/posix.h"
#include "cli/input/kind.h"
#include "cli/input/problem_file.h"
#include "cli/tool.h"
#include "polhode/expression.h"
#include "polhode/measure.h"
#include "rotation/vec.h"
#include "system/find.h"

/* The method for people who name none: docs/which_method.md. */
static const char *recommended_for(const ph_problem *p)
{
    if (p->internal != NULL || (p->torque != NULL && p->velocity_dependent))
        return "mkrk_gl6";
    return p->torque != NULL ? "srkn6_14a+exact" : "exact";
}

ENTRY_LIST(problem_entry, ph_problem, ph_problems, ENTRY_PROBLEM(d), .tables = d->tables,
           .table_count = d->table_count, .method = recommended_for(d))
ENTRY_LIST(fixed_entry, ph_method, ph_methods,
           ENTRY_INTEGRATOR(d, d->keeps, d->keeps_free))
ENTRY_LIST(adaptive_entry, ph_adaptive, ph_adaptives,
           ENTRY_INTEGRATOR(d, d->keeps, d->keeps_free), .adaptive = true)

static entry method_entry(size_t i)
{
    size_t fixed;
    (void)ph_methods(&fixed);
    return i < fixed ? fixed_entry(i) : adaptive_entry(i - fixed);
}

typedef struct body_model {
    ph_problem problem; /* a copy, with the parameters and the body that are set */
    ph_state start;
} body_model;

static bool accepts_key(scenario_key key)
{
    return key < KEY_START_COUNT;
}

/* ---- a problem of expressions ------------------------------------------------------ */

static bool visit_expression(void *context, scenario *s, const char *key, int line,
                             struct fy_node *value)
{
    static const char *const names[] = {"potential", "torque"};
    ph_expressions *to = context;
    if (strcmp(key, names[0]) == 0) {
        to->potential = scenario_text(s, line, key, value);
        return to->potential != NULL;
    }
    if (strcmp(key, names[1]) != 0)
        return scenario_unknown(s, line, key, names, sizeof names / sizeof names[0]);
    if (value == NULL || !fy_node_is_sequence(value) ||
        fy_node_sequence_item_count(value) != 3)
        return scenario_wrong(s, line,
                              "torque takes three expressions: write torque: "
                              "[\"E1\", \"E2\", \"E3\"]");
    for (int k = 0; k < 3; k++) {
        to->torque[k] =
            scenario_text(s, line, key, fy_node_sequence_get_by_index(value, k));
        if (to->torque[k] == NULL)
            return false;
    }
    return true;
}

/* The parameters that the scenario has; --set changes them. */
static int declare_parameters(const scenario *input, ph_parameter *parameters, int *count)
{
    int values = 0;
    for (size_t i = 0; i < input->parameters; i++) {
        const parameter *given = &input->parameter[i];
        if (given->value.line == 0)
            continue;
        if (values + (int)given->value.count > PH_PARAMETER_VALUES ||
            *count == PH_PARAMETER_VALUES)
            return fail_usage("%sthe parameters are more than %d numbers: write fewer",
                              input_line(input, &given->value), PH_PARAMETER_VALUES);
        parameters[(*count)++] =
            (ph_parameter){given->name, values, (int)given->value.count, "1", "", PH_ANY};
        values += (int)given->value.count;
    }
    return 0;
}

static int read_expressions(scenario *input, ph_problem *p)
{
    const setting *given = &input->value[KEY_PROBLEM];
    ph_parameter parameters[PH_PARAMETER_VALUES];
    double value[PH_PARAMETER_VALUES];
    ph_expressions from = {.parameters = parameters, .value = value};
    ph_expressions_error why;
    if (!scenario_mapping(input, given->line, "problem", given->tree, visit_expression,
                          &from))
        return fail_usage("%s", input->message);
    TRY(declare_parameters(input, parameters, &from.parameter_count));
    const kind_parameter_rows rows = {parameters, from.parameter_count, NULL, 0};
    TRY(kind_parameters(input, given->text, &rows, value));
    const ph_status status = ph_problem_of_expressions(p, &from, &why);
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status != PH_OK, "%s%s, column %d: %s", input_line(input, given), why.where,
              why.error.column, why.error.text);
    return 0;
}

/* ---- tables over time, CSV files t,x,y,z ------------------------------------------- */

/* The rows t, x, y, z of a file, to be freed in any case. */
static int read_rows(csv *file, const char *name, double **rows, size_t *count)
{
    static const char *const columns[] = {"t", "x", "y", "z"};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    size_t at[COLUMNS] = {0};
    double *all = NULL;
    csv_status status = csv_header(file);
    for (size_t k = 0; k < COLUMNS && status == CSV_OK; k++) {
        at[k] = file->unnamed ? k : csv_column(file, columns[k]);
        if (file->columns != COLUMNS || at[k] == file->columns)
            status = csv_wrong(file,
                               "%s takes the columns t,x,y,z: name them in the "
                               "first line",
                               name);
    }
    const bool named = status == CSV_OK;
    if (named)
        status = csv_rows(file, &all, count);
    const bool whole = named && status == CSV_END;
    *rows = all && whole ? malloc((*count * COLUMNS + 1) * sizeof **rows) : NULL;
    for (size_t i = 0; *rows != NULL && i < *count * COLUMNS; i++)
        (*rows)[i] = all[i - i % COLUMNS + at[i % COLUMNS]];
    free(all);
    if (status == CSV_STOPPED)
        return EXIT_INTERRUPTED;
    REFUSE_IF(status == CSV_END && (!whole || *count == 0),
              WORDS " has no rows: write a line t,x,y,z and below it numbers",
              file->name);
    REFUSE_IF(!whole, "%s", file->message);
    return *rows == NULL ? fail_memory() : 0;
}

static int read_table(const char *path, const char *name, ph_problem *p)
{
    char message[CSV_MESSAGE];
    double *rows = NULL;
    size_t count = 0;
    csv *file = csv_open(path, &interrupted, message);
    REFUSE_IF(file == NULL, "%s", message);
    file_read(path);
    int status = read_rows(file, name, &rows, &count);
    if (status == 0) {
        const ph_status set = ph_problem_set_table(p, name, rows, count);
        if (set != PH_OK)
            status = set == PH_NO_MEMORY
                         ? fail_memory()
                         : fail_usage(WORDS ": the times of %s do not increase: put the "
                                            "rows in order, each time once",
                                      path, name);
    }
    free(rows);
    csv_close(file);
    return status;
}

static int read_tables(const scenario *input, ph_problem *p)
{
    for (size_t i = 0; i < input->parameters; i++) {
        const parameter *given = &input->parameter[i];
        for (int k = 0; k < p->table_count; k++) {
            if (strcmp(given->name, p->tables[k].name) == 0)
                TRY(read_table(given->value.text, given->name, p));
        }
    }
    return 0;
}

/* ---- any problem --------------------------------------------------------------------- */

static int read_problem(scenario *input, ph_problem *p)
{
    if (input->value[KEY_PROBLEM].tree != NULL)
        return read_expressions(input, p);
    const char *name = input->value[KEY_PROBLEM].text;
    if (problem_file_is(name))
        TRY(problem_file_load(name, false, p));
    else
        *p = *find_problem(name);
    const kind_parameter_rows rows = {p->parameters, p->parameter_count, p->tables,
                                      p->table_count};
    TRY(kind_parameters(input, p->name, &rows, p->value));
    return read_tables(input, p);
}

static int read_into(scenario *input, body_model *model)
{
    ph_problem *p = &model->problem;
    TRY(read_problem(input, p));
    if (p->prepare != NULL)
        p->prepare(p);
    TRY(body_read(input, &p->body));
    REFUSE_IF(p->body.J.x == 0.0 || p->body.J.y == 0.0 || p->body.J.z == 0.0,
              "problem %s has no body: give one by --inertia a,b,c", p->name);
    const setting *v = input->value;
    if (p->caution != NULL && input->parameters == 0 &&
        (v[KEY_INERTIA].is_set || v[KEY_TENSOR].is_set || v[KEY_VELOCITY].is_set ||
         v[KEY_MOMENTUM].is_set))
        warn("%s: %s", p->name, p->caution);
    model->start = ph_problem_start(p);
    TRY(body_read_state(input, p, &model->start));
    REFUSE_IF(!isfinite(ph_problem_energy(p, 0.0, &model->start)),
              "the start is outside the domain of the potential of %s, or its "
              "energy overflows: choose another attitude or other parameters",
              p->name);
    return 0;
}

static void free_model(void *model)
{
    body_model *m = model;
    if (m != NULL)
        ph_problem_release(&m->problem);
    free(m);
}

static int read_model(scenario *input, void **out)
{
    body_model *model = calloc(1, sizeof *model);
    const int status = model == NULL ? fail_memory() : read_into(input, model);
    if (status == 0)
        *out = model;
    else
        free_model(model);
    return status;
}

static int choose(const void *model, const char *place, const char *name,
                  custom_parts *own, void **out, int *order)
{
    const ph_problem *p = &((const body_model *)model)->problem;
    ph_integrator found;
    TRY(method_find(place, name, own, &found));
    *order = ph_integrator_order(&found);
    if (ph_integrator_applies(&found, p) == PH_OK)
        return kind_copy(&found, sizeof found, out);
    if (p->internal != NULL || p->velocity_dependent)
        return fail_usage("%s`" WORDS "` needs a torque of time and attitude alone, and "
                          "that of %s depends on the velocity: take gbs, mkrk_rk4, or "
                          "another method of Munthe-Kaas",
                          place, name, p->name);
    REFUSE_IF(found.scheme == NULL,
              "%s`" WORDS "` is a flow, for a free body, and %s has a torque: "
              "write verlet+%s, or another scheme",
              place, name, p->name, name);
    return fail_usage("%s%s needs the derivative of the torque, and %s has none: take "
                      "another scheme",
                      place, found.scheme->name, p->name);
}

static bool chooses_steps(void *integrator, double tolerance, double longest_step)
{
    ph_integrator *i = integrator;
    if (i->adaptive != NULL && tolerance != 0.0)
        i->tolerance = tolerance;
    if (i->adaptive != NULL && longest_step != 0.0)
        i->longest_step = longest_step;
    return i->adaptive != NULL;
}

static ph_status make(const void *model, const void *integrator, double h,
                      ph_system **out)
{
    const body_model *from = model;
    return ph_system_of_body(out, &from->problem, integrator, &from->start, h, 0);
}

static const char *recommended(const void *model)
{
    return recommended_for(&((const body_model *)model)->problem);
}

static const char *reference_integrator(const void *model)
{
    const char *name = ph_reference_integrator(&((const body_model *)model)->problem);
    return strcmp(name, "exact") == 0 ? "s6_10+exact" : name;
}

/* The state at a time where the motion is known: of a free body, and of some problems. */
static bool known_state(const body_model *from, double t, ph_state *end)
{
    const ph_problem *p = &from->problem;
    ph_motion motion;
    if (p->exact != NULL)
        return p->exact(p, &from->start, t, end) == PH_OK;
    if (p->torque != NULL || p->internal != NULL ||
        ph_motion_prepare(&motion, &p->body, &from->start) != PH_OK)
        return false;
    *end = ph_motion_at(&motion, t);
    return true;
}

static ph_system *exact(const void *model, double t)
{
    const body_model *from = model;
    const char *name = reference_integrator(model);
    ph_integrator by;
    ph_system *s = NULL;
    ph_state end;
    if (!known_state(from, t, &end) || ph_integrator_named(name, &by) != PH_OK ||
        ph_system_of_body(&s, &from->problem, &by, &end, t, 0) != PH_OK)
        return NULL;
    const double q[] = {end.q.w, end.q.x, end.q.y, end.q.z}; /* not normalised again */
    for (int k = 0; k < 4; k++)
        *find_field(s, "attitude")->data[k] = q[k];
    return s;
}

/* What rounding leaves of a motion that turns this far. */
static double round_off(const void *model, const ph_system *end, double t)
{
    (void)end;
    const body_model *from = model;
    const ph_vec3 w = ph_problem_velocity(&from->problem, 0.0, from->start.m);
    const double floor = 1e-13, per_radian = 8.0 * 0x1p-53; /* of run and reference */
    return larger_or_nan(floor, per_radian * (1.0 + norm(w) * fabs(t)));
}

static void describe(const void *model, char *text, size_t size)
{
    const body_model *from = model;
    const ph_vec3 J = from->problem.body.J, m = from->start.m;
    (void)snprintf(text, size, "moments %.5g, %.5g, %.5g, momentum %.5g, %.5g, %.5g", J.x,
                   J.y, J.z, m.x, m.y, m.z);
}

/* ---- what a splitting spends its time on ------------------------------------------- */

enum { COST_CALLS = 512, COST_TURNS = 15 };

static bool costs(const void *model, const void *integrator, double h, double *motion,
                  double *torque)
{
    const body_model *from = model;
    const ph_integrator *i = integrator, drift = {i->flow, .composition = i->composition};
    ph_problem in_field = from->problem, alone = from->problem;
    if (i->scheme == NULL || in_field.torque == NULL)
        return false;
    in_field.evaluations = NULL;
    alone.torque = NULL;
    *motion = *torque = INFINITY;
    for (int turn = 0; turn < COST_TURNS; turn++) {
        ph_state s = from->start;
        const double begun = clock_thread();
        for (int k = 0; k < COST_CALLS; k++)
            (void)ph_integrator_step(&drift, &alone, &s, 0.0, h);
        const double between = clock_thread();
        for (int k = 0; k < COST_CALLS; k++) { /* each waits for the last one */
            const ph_instant now = {0.0, s.q, ph_quat_matrix(s.q), s.m, s.m};
            s.q.w += 0.0 * in_field.torque(&in_field, &now).x;
        }
        const double done = clock_thread();
        *motion = smaller_or_nan(*motion, (between - begun) / COST_CALLS);
        *torque = smaller_or_nan(*torque, (done - between) / COST_CALLS);
    }
    return *torque > 0.0;
}

const system_kind kind_body = {
    .name = "body",
    .what = "one body",
    .problem = problem_entry,
    .method = method_entry,
    .read = read_model,
    .accepts_key = accepts_key,
    .free = free_model,
    .choose = choose,
    .chooses_steps = chooses_steps,
    .make = make,
    .entries = {"The body"},
    .state_note = ", momentum and velocity in its frame",
    .error_names = {"momentum", "attitude"},
    .error_text = "|m - m*|/|m*| and |q - q*|",
    .absolute_places = true,
    .recommended = recommended,
    .reference_integrator = reference_integrator,
    .exact = exact,
    .round_off = round_off,
    .describe = describe,
    .costs = costs,
};
