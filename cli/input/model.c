/* model.c - what a run moves: settings of a system, from options and scenarios. */
#include "model.h"

#include <string.h>

#include "base/named.h"
#include "cli/files/columns.h"
#include "cli/files/csv.h"
#include "cli/files/memory.h"
#include "cli/tool/tool.h"
#include "input.h"
#include "polhode/expression.h"
#include "rotation/vec.h"
#include "system/body_start.h"

const char *model_problem(const model *m)
{
    return m->own ? m->own->name : m->settings.problem;
}

const char *model_title(const model *m)
{
    return m->formula != NULL ? m->formula : m->input->value[KEY_PROBLEM].text;
}

/* ---- what is wrong ----------------------------------------------------------------- */

/* What stands before a message about a setting that begins with its name. */
static const char *place_of(const model *m, int number)
{
    const setting *v = m->input->value;
    const model_place p = number >= 0 && m->place != NULL ? m->place[number]
                          : number == PH_SETTING_PROBLEM ? (model_place){v[KEY_PROBLEM].line, false}
                          : number == PH_SETTING_STEP    ? (model_place){v[KEY_STEP].line, true}
                          : number == PH_SETTING_TOLERANCE
                              ? (model_place){v[KEY_TOLERANCE].line, true}
                              : (model_place){0, false};
    return p.line > 0 ? memory_text(WORDS ":%d: ", m->input->path, p.line) : p.of_start ? "--" : "";
}

int model_report(const model *m, const ph_message *why, ph_status status,
                 const char *integrator_place)
{
    if (status == PH_OK)
        return 0;
    if (status == PH_NO_MEMORY)
        return fail_memory();
    if (why->setting == PH_SETTING_LONGEST_STEP) /* the option is written in another way */
        return fail_usage("%s%s", input_place(m->input, KEY_LONGEST_STEP),
                          why->text + strlen("longest_step"));
    return fail_usage("%s%s",
                      why->setting == PH_SETTING_INTEGRATOR ? integrator_place
                                                            : place_of(m, why->setting),
                      why->text);
}

static void keep_warning(void *context, const ph_message *w)
{
    warn("%s%s", w->setting >= 0 ? place_of(context, w->setting) : "", w->text);
}

/* ---- adding settings --------------------------------------------------------------- */

/* Numbers, which are kept, in place of what has this name. */
static void add_setting(model *m, const char *name, model_place place, const double *values,
                        size_t count)
{
    const int old = ph_settings_find(&m->settings, name);
    const size_t at = old >= 0 ? (size_t)old : m->settings.setting_count++,
                 n = m->settings.setting_count;
    m->settings.settings = m->setting = memory_more(m->setting, n, sizeof *m->setting);
    m->place = memory_more(m->place, n, sizeof *m->place);
    m->setting[at] = (ph_setting){name, values, count};
    m->place[at] = place;
}

static void add_numbers(model *m, const char *name, model_place place, const double *x,
                        size_t count)
{
    double *values = memory_new(count, sizeof *values);
    memcpy(values, x, count * sizeof *x);
    add_setting(m, name, place, values, count);
}

/* The numbers of a setting, of a quantity. A unit stands after each, or after none. */
static int convert(const model *m, const char *name, model_place place, const char *of,
                   const setting *given, double x[KEY_NUMBERS])
{
    const char *line = input_line(m->input, given), *what = !place.of_start   ? "parameter "
                                                            : place.line == 0 ? "--"
                                                                              : "";
    size_t bare = 0, units = 0;
    memcpy(x, given->x, sizeof given->x);
    for (size_t i = 0; i < given->count; i++) {
        bare += given->unit[i] == NULL && x[i] != 0.0;
        units += given->unit[i] != NULL;
        REFUSE_IF(!quantity_convert(of, m->input->degrees, given->unit[i], &x[i]), "%s%s%s %s",
                  line, what, name, unit_problem(of, given->unit[i]));
    }
    REFUSE_IF(bare > 0 && units > 0,
              "%s%s%s has numbers with and without a unit: write it after each", line, what, name);
    if (bare > 0 && m->input->degrees && strcmp(of, "rad/t") == 0)
        warn("%s%s%s is in rad per time, also with --degrees: write units, as in "
             "2deg/s,0,0",
             line, what, name);
    return 0;
}

static int add_quantity(model *m, const char *name, model_place place, const char *of,
                        const setting *given)
{
    double x[KEY_NUMBERS];
    TRY(convert(m, name, place, of, given, x));
    add_numbers(m, name, place, x, given->count);
    return 0;
}

/* ---- a problem of expressions ------------------------------------------------------ */

/* The kind of a problem of the user's own; NULL: there is none. */
static const ph_kind *own_kind(bool moving_centre)
{
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        if (kinds[i]->own_problems && kinds[i]->moving_centre == moving_centre)
            return kinds[i];
    }
    return NULL;
}

/* The texts of a problem. */
typedef struct problem_texts {
    const char *kind;
    ph_expressions of;
} problem_texts;

static bool visit_expression(void *context, scenario *s, const char *key, int line,
                             struct fy_node *value)
{
    static const char *const names[] = {"kind", "potential", "torque", "force"};
    problem_texts *to = context;
    const char **const texts_of[] = {&to->kind, &to->of.potential, to->of.torque, to->of.force};
    size_t k = 0;
    while (k < COUNT(names) && strcmp(key, names[k]) != 0)
        k++;
    if (k == COUNT(names))
        return scenario_unknown(s, line, key, names, COUNT(names));
    const char **texts = texts_of[k];
    if (k < 2)
        return (*texts = scenario_text(s, line, key, value)) != NULL;
    if (value == NULL || !fy_node_is_sequence(value) || fy_node_sequence_item_count(value) != 3)
        return scenario_wrong(s, line,
                              "%s takes three expressions: write %s: "
                              "[\"E1\", \"E2\", \"E3\"]",
                              key, key);
    for (int i = 0; i < 3; i++) {
        texts[i] = scenario_text(s, line, key, fy_node_sequence_get_by_index(value, i));
        if (texts[i] == NULL)
            return false;
    }
    return true;
}

/* The kind that a problem of texts is of; NULL: an error was reported. */
static const ph_kind *text_kind(const char *place, const problem_texts *texts)
{
    const char *name = texts->kind;
    const char *able = "";
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    const ph_kind *kind = name ? ph_kind_named(name) : own_kind(false);
    if (kind != NULL && kind->own_problems)
        return kind;
    for (size_t i = 0; i < count; i++) {
        if (kinds[i]->own_problems)
            able = memory_list(able, kinds[i]->name);
    }
    (void)fail_usage("%skind: `" WORDS "` takes no expressions: write one of %s", place,
                     name ? name : "", able);
    return NULL;
}

/* The parameters that the scenario has; --set changes them. */
static int declare_parameters(const scenario *input, ph_parameter *parameters, int *count,
                              double *value)
{
    int values = 0;
    for (size_t i = 0; i < input->parameters; i++) {
        const parameter *given = &input->parameter[i];
        if (given->value.line == 0)
            continue;
        REFUSE_IF(values + (int)given->value.count > PH_PARAMETER_VALUES ||
                      *count == PH_PARAMETER_VALUES,
                  "%sthe parameters are more than %d numbers: write fewer",
                  input_line(input, &given->value), PH_PARAMETER_VALUES);
        parameters[(*count)++] =
            (ph_parameter){given->name, values, (int)given->value.count, "1", "", PH_RANGE_ANY};
        memcpy(value + values, given->value.x, given->value.count * sizeof *value);
        values += (int)given->value.count;
    }
    return 0;
}

/* "U = k*R33, torque (0, 0, a)"; it stands in titles, cut to fit. */
static const char *formula_of(const ph_expressions *e)
{
    const char *const *const vectors[] = {e->torque, e->force};
    static const char *const names[] = {"torque", "force"};
    const char *text = e->potential ? memory_text("U = %s", e->potential) : "";
    for (int k = 0; k < 2; k++) {
        const char *const *v = vectors[k];
        if (v[0] != NULL)
            text = memory_text("%s%s%s (%s, %s, %s)", text, *text == '\0' ? "" : ", ", names[k],
                               v[0], v[1], v[2]);
    }
    return memory_text("%.*s", text_cut(text, MODEL_FORMULA - 1), text);
}

static int read_expressions(scenario *input, model *m)
{
    const ph_kind **kind = &m->kind;
    const setting *given = &input->value[KEY_PROBLEM];
    ph_parameter parameters[PH_PARAMETER_VALUES];
    double value[PH_PARAMETER_VALUES];
    problem_texts texts = {.of = {.parameters = parameters, .value = value}};
    ph_expressions *from = &texts.of;
    ph_expressions_error why;
    REFUSE_IF(
        !scenario_mapping(input, given->line, "problem", given->tree, visit_expression, &texts),
        "%s", input->message);
    TRY(declare_parameters(input, parameters, &from->parameter_count, value));
    *kind = text_kind(input_line(input, given), &texts);
    if (*kind == NULL)
        return EXIT_USAGE;
    from->moving_centre = (*kind)->moving_centre;
    m->formula = formula_of(from);
    const ph_status status = ph_problem_from_expressions(from, m->own, &why);
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status != PH_OK, "%s%s, column %d: %s", input_line(input, given), why.where,
              why.error.column, why.error.text);
    return 0;
}

/* ---- parameters, and tables over time: CSV files t,x,y,z ----------------------------- */

/* The rows t, x, y, z of a file. */
static int read_time_table(model *m, const parameter *given, model_place place)
{
    enum { COLUMNS = 4 };
    csv *file;
    double *all = NULL;
    size_t rows = 0, at[COLUMNS];
    const char *missing;
    TRY(file_table(given->value.text, &file, &all, &rows));
    if (file->unnamed && file->columns == COLUMNS)
        csv_name_columns(file, "t,x,y,z");
    REFUSE_IF(file->columns != 0 && (file->columns != COLUMNS ||
                                     csv_find(file, "t,x,y,z", COLUMNS, at, &missing) < COLUMNS),
              WORDS " line 1: %s takes the columns t,x,y,z: name them in the first line",
              given->value.text, given->name);
    REFUSE_IF(rows == 0, WORDS " has no rows: write a line t,x,y,z and below it numbers",
              given->value.text);
    double *ordered = memory_new(rows * COLUMNS, sizeof *ordered);
    for (size_t i = 0; i < rows * COLUMNS; i++)
        ordered[i] = all[i - i % COLUMNS + at[i % COLUMNS]];
    add_setting(m, given->name, place, ordered, rows * COLUMNS);
    return 0;
}

static int read_parameters(model *m, const ph_problem_facts *p)
{
    for (size_t i = 0; i < m->input->parameters; i++) {
        const parameter *given = &m->input->parameter[i];
        const model_place place = {given->value.line, false};
        const ph_parameter *of = ROW_NAMED(p->parameters, p->parameter_count, given->name);
        if (ROW_NAMED(p->tables, p->table_count, given->name) != NULL)
            TRY(read_time_table(m, given, place));
        else
            TRY(add_quantity(m, given->name, place, of ? of->unit : "1", &given->value));
    }
    return 0;
}

/* ---- the start --------------------------------------------------------------------- */

/* The quaternion of an attitude in any form. */
static int add_attitude(model *m, model_place place, const setting *given)
{
    const bool euler = given->form[0] != '\0' && given->count == 3;
    double x[KEY_NUMBERS];
    TRY(convert(m, "attitude", place, euler ? "rad" : "1", given, x));
    const ph_quat q = euler                    ? euler_attitude(given->form + ATTITUDE_AXES, x)
                      : given->form[0] == '\0' ? (ph_quat){x[0], x[1], x[2], x[3]}
                                               : (ph_quat){x[3], x[0], x[1], x[2]};
    add_numbers(m, "attitude", place, &q.w, 4);
    return 0;
}

/* A list of vectors, or what belongs to another kind and is refused later. */
static int add_list(model *m, scenario *input, const ph_start_array *f, int line,
                    struct fy_node *node)
{
    double *x = NULL;
    size_t count = 0;
    REFUSE_IF(!scenario_vectors(input, line, f->name, node, f->unit, (size_t)f->width, &x, &count),
              "%s", input->message);
    add_setting(m, f->name, (model_place){line, false}, x, count * (size_t)f->width);
    return 0;
}

static int read_start(model *m, scenario *input)
{
    for (scenario_key key = 0; key < KEY_START_COUNT; key++) {
        const setting *given = &input->value[key];
        const model_place place = {given->line, true};
        const scenario_key_form *k = &scenario_keys[key];
        if (given->is_set)
            TRY(key == KEY_ATTITUDE ? add_attitude(m, place, given)
                                    : add_quantity(m, k->name, place, k->of, given));
    }
    for (size_t i = 0; i < input->starts; i++) {
        const parameter *given = &input->start[i];
        const ph_start_array *f = ROW_NAMED(m->kind->start, m->kind->start_count, given->name);
        if (f != NULL && f->list)
            TRY(add_list(m, input, f, given->value.line, given->value.tree));
        else
            TRY(add_quantity(m, given->name, (model_place){given->value.line, true},
                             f ? f->unit : "1", &given->value));
    }
    return 0;
}

/* ---- many entries: lists of a scenario, columns of a table ----------------------------- */

static bool visit_bodies(void *context, scenario *input, const char *key, int line,
                         struct fy_node *value)
{
    model *m = context;
    const ph_kind *kind = m->kind;
    const char **names = memory_new(kind->start_count, sizeof *names);
    size_t count = 0;
    const ph_start_array *f = ROW_NAMED(kind->start, kind->start_count, key);
    double x;
    if (f != NULL && f->list)
        return add_list(m, input, f, line, value) == 0;
    if (f != NULL && f->width == 1) {
        const bool good = scenario_number(input, line, key, value, f->unit, &x);
        if (good)
            add_numbers(m, f->name, (model_place){line, true}, &x, 1);
        return good;
    }
    for (size_t i = 0; i < kind->start_count; i++) {
        if (kind->start[i].list || kind->start[i].width == 1)
            names[count++] = kind->start[i].name;
    }
    return scenario_unknown(input, line, key, names, count);
}

/* The columns of a table that all kinds of list have, in words. */
static const char *say_columns(const ph_kind *kind)
{
    const char *text = "";
    for (size_t i = 1; i < kind->start_count; i++) {
        if (kind->start[i].list && kind->start[i].field != NULL)
            text = memory_list(text, kind->start[i].columns);
    }
    return text;
}

/* The rows of a table; where it has times, those of the last. */
static int take_table(model *m, const csv *table, const double *x, size_t rows)
{
    const size_t t = csv_column(table, "t"), columns = table->columns;
    const ph_kind *kind = m->kind;
    size_t first = t < columns ? rows - 1 : 0;
    bool constants = false;
    while (first > 0 && x[(first - 1) * columns + t] == x[first * columns + t])
        first--;
    for (size_t g = 0; g < kind->start_count; g++) {
        const ph_start_array *f = &kind->start[g];
        const size_t width = (size_t)f->width, numbers = (rows - first) * width;
        const char *missing;
        size_t *at = memory_new(width, sizeof *at);
        if (!f->list || f->field == NULL)
            continue;
        const size_t found = csv_find(table, f->columns, width, at, &missing);
        if (found == width) {
            double *values = memory_new(numbers, sizeof *values);
            for (size_t i = 0; i < numbers; i++)
                values[i] = x[(first + i / width) * columns + at[i % width]];
            constants = constants || strcmp(f->name, "masses") == 0;
            add_setting(m, f->name, (model_place){0, false}, values, numbers);
            continue;
        }
        REFUSE_IF(found > 0 || g == 0,
                  WORDS " line 1: column %s is missing: a table of bodies has %s and may "
                        "have %s",
                  table->name, missing, kind->start[0].columns, say_columns(kind));
    }
    if (t < columns && !constants) /* rows that `run` wrote */
        warn(WORDS " has no masses, moments and dipoles: bodies have those of the "
                   "problem; a snapshot of `run --checkpoint` has its own",
             table->name);
    return 0;
}

static int read_table(model *m, const char *path)
{
    csv *table;
    size_t rows = 0;
    double *x = NULL;
    TRY(file_table(path, &table, &x, &rows));
    REFUSE_IF(rows == 0, WORDS ": there are no rows: write one for each body", path);
    return take_table(m, table, x, rows);
}

static int read_bodies(model *m, scenario *input)
{
    const setting *bodies = &input->value[KEY_BODIES];
    if (!bodies->is_set)
        return 0;
    const char *place = input_line(input, bodies);
    REFUSE_IF(!m->kind->rows_of_each,
              "%sbodies does not belong to %s, a problem of %s: leave it out", place,
              model_problem(m), m->kind->what);
    REFUSE_IF(ph_settings_find(&m->settings, "lattice") >= 0,
              "%sbodies and lattice exclude each other: leave one out", place);
    if (bodies->tree == NULL || !fy_node_is_scalar(bodies->tree))
        return scenario_mapping(input, bodies->line, "bodies", bodies->tree, visit_bodies, m)
                   ? 0
                   : fail_usage("%s", input->message);
    const char *path = fy_node_get_scalar0(bodies->tree);
    REFUSE_IF(path == NULL || path[0] == '\0',
              "%sbodies has no value: write lists, or the name of a table", place);
    return read_table(m, path);
}

/* ---- all of it --------------------------------------------------------------------- */

static void release_problem(void *own)
{
    ph_problem_release(own);
}

/* The problem: the user's own, or one of the catalog. */
static int find_problem_of(model *m, scenario *input, ph_problem_facts *facts)
{
    const setting *given = &input->value[KEY_PROBLEM];
    ph_message why;
    if (given->tree != NULL || problem_file_is(given->text)) {
        ph_problem *own = m->own = memory_new(1, sizeof *own);
        TRY(given->tree != NULL ? read_expressions(input, m)
                                : problem_file_load(given->text, false, &m->code_sum, own));
        memory_at_end(release_problem, own);
        m->settings.own_problem = own;
        if (given->tree == NULL)
            m->kind = own_kind(own->force != NULL);
        m->settings.own_kind = m->kind ? m->kind->name : NULL;
        *facts = (ph_problem_facts){.parameters = own->parameters,
                                    .parameter_count = own->parameter_count,
                                    .tables = own->tables,
                                    .table_count = own->table_count};
        return m->kind ? 0 : fail_usage("there are no problems of one body");
    }
    m->settings.problem = given->text;
    for (size_t i = 0; ph_problem_at(i, facts); i++) {
        if (strcmp(facts->name, given->text) == 0) {
            m->kind = ph_kind_named(facts->kind);
            return 0;
        }
    }
    ph_system *none = NULL;
    const ph_system_settings unknown = {given->text, .message = &why};
    return model_report(m, &why, ph_system_create(&unknown, &none), "");
}

int model_read(scenario *input, model *m)
{
    ph_problem_facts facts;
    *m = (model){.input = input, .settings = {.warn = keep_warning}};
    TRY(find_problem_of(m, input, &facts));
    TRY(read_start(m, input));
    TRY(read_parameters(m, &facts));
    return read_bodies(m, input);
}

ph_system_settings model_settings(const model *m, const model_integrator *by, double step,
                                  ph_message *why)
{
    ph_system_settings s = m->settings;
    s.integrator = by->name;
    s.own_integrator = by->own;
    s.step = step;
    s.tolerance = by->tolerance;
    s.longest_step = by->longest_step;
    s.message = why;
    s.context = (void *)m;
    return s;
}

static void destroy_system(void *s)
{
    ph_system_destroy(s);
}

void system_keep(ph_system *s)
{
    memory_at_end(destroy_system, s);
}

int model_make(const model *m, const model_integrator *by, double step, ph_system **out)
{
    ph_message why;
    const ph_system_settings s = model_settings(m, by, step, &why);
    TRY(model_report(m, &why, ph_system_create(&s, out), by->place));
    system_keep(*out);
    return 0;
}

int model_free_body(scenario *input, const char *who, const char *instead, ph_body *body,
                    ph_state *start)
{
    setting *problem = &input->value[KEY_PROBLEM];
    model m;
    if (!problem->is_set)
        *problem = (setting){.is_set = true, .text = "free"};
    TRY(model_read(input, &m));
    REFUSE_IF(strcmp(problem->text, "free") != 0, "%s%s, and the problem is %s: write free, or %s",
              input_line(input, problem), who, problem->text, instead);
    ph_problem p = {0};
    ph_message why;
    m.settings.message = &why;
    m.settings.context = &m;
    TRY(model_report(&m, &why, ph_settings_problem(&m.settings, m.kind, &p, start, NULL), ""));
    *body = p.body;
    return 0;
}

ph_status model_make_quietly(const model *m, const model_integrator *by, double step,
                             ph_system **out)
{
    ph_system_settings s = model_settings(m, by, step, NULL);
    s.warn = NULL;
    return ph_system_create(&s, out);
}

int method_find(const char *place, const char *name, custom_parts *own, ph_integrator *out)
{
    char text[PH_MESSAGE];
    return ph_integrator_find(own_kind(false), name, own, out, text) == PH_OK
               ? 0
               : fail_usage("%s%s", place, text);
}
