/* model.c - what a run moves: settings of a system, from options and scenarios. */
#include "model.h"

#include <math.h>
#include <string.h>

#include "base/named.h"
#include "input.h"
#include "motion/vec.h"
#include "own_field.h"
#include "polhode/expression.h"
#include "system/body_start.h"
#include "tool/base/tool.h"
#include "tool/files/columns.h"
#include "tool/files/csv.h"
#include "tool/files/memory.h"
#include "tool/input/body_columns.h"

const char *model_problem(const model *m)
{
    if (m->own != NULL)
        return m->own->name;
    return m->settings.problem;
}

const char *model_title(const model *m)
{
    return text_or(m->formula, m->input->value[KEY_PROBLEM].text);
}

static const ph_quat no_rotation = {1.0, 0.0, 0.0, 0.0};

/* ---- what is wrong ----------------------------------------------------------------- */

/* Returns what stands before a message about a setting that begins with its name. */
static const char *place_of(const model *m, int number)
{
    const setting *v = m->input->value, *given = NULL;
    const char *dashes = ""; /* of an option with this name */
    if (number >= 0 && (size_t)number < m->settings.setting_count)
        given = m->given[number];
    else if (number == PH_SETTING_PROBLEM)
        given = &v[KEY_PROBLEM];
    else if (number == PH_SETTING_STEP || number == PH_SETTING_TOLERANCE) {
        given = &v[number == PH_SETTING_STEP ? KEY_STEP : KEY_TOLERANCE];
        dashes = "--";
    }
    if (given == NULL)
        return "";
    if (given->line > 0)
        return input_line(m->input, given);
    if (given->of_start)
        return "--";
    return dashes;
}

/* The first unit of a setting, or NULL. */
static const char *unit_of(const setting *given)
{
    for (size_t i = 0; i < given->count; i++)
        if (given->unit[i] != NULL)
            return given->unit[i];
    return NULL;
}

int model_report(const model *m, const ph_message *why, ph_status status,
                 const char *integrator_place)
{
    if (status == PH_OK) {
        REFUSE_IF(m->unread != NULL, "%s%s %s", input_line(m->input, m->unread), m->unread->name,
                  unit_problem("1", unit_of(m->unread)));
        return 0;
    }
    if (status == PH_NO_MEMORY)
        return fail_memory();
    if (why->setting == PH_SETTING_LONGEST_STEP) /* the option is written in another way */
        return fail_usage("%s%s", input_place(m->input, KEY_LONGEST_STEP),
                          why->text + strlen("longest_step"));
    if (why->setting != PH_SETTING_INTEGRATOR)
        integrator_place = place_of(m, why->setting);
    return fail_usage("%s%s", integrator_place, why->text);
}

/* Keeps a warning for the end. The readers of the tool know the units of angles and warn of large
 * ones themselves, except in lists. */
static void keep_warning(void *context, const ph_message *w)
{
    const model *m = context;
    const bool known = w->setting >= 0 && (size_t)w->setting < m->settings.setting_count,
               list = known && m->given[w->setting] != NULL && m->given[w->setting]->tree != NULL;
    if (m->any_step && w->setting == PH_SETTING_STEP)
        return;
    const char *place = "";
    if (known)
        place = place_of(m, w->setting);
    if (list || strstr(w->text, ANGLE_WARNING) == NULL)
        warn("%s%s", place, w->text);
}

/* ---- adding settings --------------------------------------------------------------- */

/* Adds a setting in place of one of the same name. The numbers have to last. */
static void add_setting(model *m, const char *name, const setting *given, const double *values,
                        size_t count)
{
    const int old = ph_settings_find(&m->settings, name);
    const size_t at = old >= 0 ? (size_t)old : m->settings.setting_count++,
                 n = m->settings.setting_count;
    m->settings.settings = m->setting = memory_more(m->setting, n, sizeof *m->setting);
    m->given = memory_more(m->given, n, sizeof *m->given);
    m->setting[at] = (ph_setting){name, values, count};
    m->given[at] = given;
}

static void add_numbers(model *m, const setting *given, const double *x, size_t count)
{
    double *values = memory_new(count, sizeof *values);
    memcpy(values, x, count * sizeof *x);
    add_setting(m, given->name, given, values, count);
}

/* Converts the numbers of a setting to a unit. A unit stands after each of them, or after none. */
static int convert_setting(const model *m, const char *to, const setting *given,
                           double x[KEY_NUMBERS])
{
    const char *line = input_line(m->input, given), *what = "parameter ";
    size_t bare = 0, units = 0;
    double large = 0.0; /* an angle */
    if (given->of_start)
        what = text_if(given->line == 0, "--");
    memcpy(x, given->x, sizeof given->x);
    for (size_t i = 0; i < given->count; i++) {
        bare += given->unit[i] == NULL && x[i] != 0.0;
        units += given->unit[i] != NULL;
        if (given->unit[i] == NULL && !m->input->degrees && strcmp(to, "rad") == 0 &&
            fabs(x[i]) > 2.0 * PH_PI)
            large = x[i];
        REFUSE_IF(!quantity_convert(to, m->input->degrees, given->unit[i], &x[i]), "%s%s%s %s",
                  line, what, given->name, unit_problem(to, given->unit[i]));
    }
    REFUSE_IF(bare > 0 && units > 0,
              "%s%s%s has numbers with and without a unit: write the unit after each number", line,
              what, given->name);
    if (large != 0.0)
        warn("%s%s%s: %g " ANGLE_WARNING ": if it is in degrees, write %gdeg", line, what,
             given->name, large, large);
    if (bare > 0 && m->input->degrees && strcmp(to, "rad/t") == 0)
        warn("%s%s%s is in rad per time even with --degrees: write a unit, as in 2deg/s,0,0", line,
             what, given->name);
    return 0;
}

/* ---- a problem of expressions ------------------------------------------------------ */

/* Returns the kind of a problem of expressions, or NULL after it reported an error. */
static const ph_kind *text_kind(const char *place, const own_field *texts)
{
    const char *able = "";
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    const ph_kind *kind = ph_kind_named(text_or(texts->kind, "body"));
    if (kind != NULL && kind->own_problems)
        return kind;
    for (size_t i = 0; i < count; i++) {
        if (kinds[i]->own_problems)
            able = memory_list(able, kinds[i]->name);
    }
    (void)fail_usage("%skind: `" WORDS "` cannot be defined by expressions: write one of %s", place,
                     text_or(texts->kind, ""), able);
    return NULL;
}

/* Whether a text has the name of a parameter, perhaps with a digit after it. */
static bool text_uses(const char *text, const char *name)
{
    const size_t length = strlen(name);
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (const char *at = text; at != NULL && (at = strstr(at, name)) != NULL; at++) {
        const char *end = at + length;
        end += *end >= '1' && *end <= '9';
        if ((at == text || strchr(letters, at[-1]) == NULL) &&
            (*end == '\0' || strchr(letters, *end) == NULL))
            return true;
    }
    return false;
}

static bool field_uses(const ph_expressions *f, const char *name)
{
    bool uses = text_uses(f->potential, name);
    for (int k = 0; k < 3; k++)
        uses = uses || text_uses(f->torque[k], name) || text_uses(f->control[k], name);
    return uses;
}

/* Declares the parameters that the scenario has, except those of the problem that it extends. --set
 * changes their values later. */
static int declare_parameters(const scenario *input, const ph_expressions *field,
                              ph_parameter *parameters, int *count, double *value)
{
    int values = 0;
    const ph_problem *base = field->extends;
    for (size_t i = 0; i < input->named_count; i++) {
        const setting *given = &input->named[i];
        if (given->of_start || given->line == 0)
            continue;
        if (base != NULL && (ph_problem_parameter(base, given->name) != NULL ||
                             ROW_NAMED(base->tables, base->table_count, given->name) != NULL))
            continue;
        REFUSE_IF(base != NULL && !field_uses(field, given->name),
                  "%sparameter %s does not occur in an expression, and %s has no parameter of this "
                  "name: correct it, or remove it",
                  input_line(input, given), given->name, base->name);
        REFUSE_IF(values + (int)given->count > PH_PARAMETER_VALUES || *count == PH_PARAMETER_VALUES,
                  "%sthe parameters have more than %d numbers: write fewer",
                  input_line(input, given), PH_PARAMETER_VALUES);
        parameters[(*count)++] =
            (ph_parameter){given->name, values, (int)given->count, "1", "", PH_RANGE_ANY};
        memcpy(value + values, given->x, given->count * sizeof *value);
        values += (int)given->count;
    }
    return 0;
}

/* Returns "U = k*R33, torque (0, 0, a)", cut to fit into a title. */
static const char *formula_of(const ph_expressions *e)
{
    const char *const *const vectors[] = {e->torque, e->force};
    static const char *const names[] = {"torque", "force"};
    const char *text = "";
    if (e->extends != NULL)
        text = e->extends->name;
    if (e->potential != NULL)
        text = memory_list(text, memory_text("U = %s", e->potential));
    for (int k = 0; k < 2; k++) {
        const char *const *v = vectors[k];
        if (v[0] != NULL)
            text = memory_list(text, memory_text("%s (%s, %s, %s)", names[k], v[0], v[1], v[2]));
    }
    return memory_text("%.*s", text_cut(text, MODEL_FORMULA - 1), text);
}

static int read_expressions(scenario *input, model *m)
{
    const ph_kind **kind = &m->kind;
    const setting *given = &input->value[KEY_PROBLEM];
    ph_parameter parameters[PH_PARAMETER_VALUES];
    double value[PH_PARAMETER_VALUES];
    own_field texts = {.of = {.parameters = parameters, .value = value}};
    ph_expressions *from = &texts.of;
    ph_expressions_error why;
    TRY(own_field_read(input, given, &texts));
    TRY(declare_parameters(input, from, parameters, &from->parameter_count, value));
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

/* ---- the start, parameters, and tables over time: CSV files t,x,y,z -------------------- */

/* Reads the rows t, x, y, z of a file. */
static int add_time_table(model *m, const setting *given)
{
    static const char names[] = "t,x,y,z";
    const setting_key row = {.name = given->name, .unit = "1", .columns = names};
    double *x = NULL;
    size_t rows = 0;
    body_columns c;
    TRY(body_columns_open(&c, given->text,
                          &(wanted_columns){.keys = &row, .count = 1, .unnamed = names}));
    REFUSE_IF(c.parts == 0 || c.copied.count > 0,
              WORDS " line 1: %s needs the columns t,x,y,z: name them in the first line",
              given->text, given->name);
    TRY(body_columns_rows(&c, no_rotation, &x, NULL, &rows));
    REFUSE_IF(rows == 0, WORDS " has no rows: write numbers below the line t,x,y,z", given->text);
    add_setting(m, given->name, given, x, rows * c.width);
    return 0;
}

/* Adds the quaternion of an attitude in any form. */
static int add_attitude(model *m, const setting *given)
{
    const bool euler = given->form[0] != '\0' && given->count == 3;
    double x[KEY_NUMBERS];
    TRY(convert_setting(m, euler ? "rad" : "1", given, x));
    ph_quat q = {x[0], x[1], x[2], x[3]};
    if (euler)
        q = euler_attitude(given->form + ATTITUDE_AXES, x);
    else if (given->form[0] != '\0')
        q = (ph_quat){x[3], x[0], x[1], x[2]};
    add_numbers(m, given, &q.w, 4);
    return 0;
}

/* Adds a list of vectors. */
static int add_list(model *m, scenario *input, const ph_start_array *f, const setting *given)
{
    double *x = NULL;
    size_t count = 0;
    REFUSE_IF(!scenario_vectors(input, given->line, f->name, given->tree, f->unit, (size_t)f->width,
                                &x, &count),
              "%s", input->message);
    add_setting(m, f->name, given, x, count * (size_t)f->width);
    return 0;
}

/* Adds a part of the start or a parameter. One that belongs to another kind of system or to another
 * problem is refused later. */
static int add_named(model *m, scenario *input, const ph_problem_facts *p, const setting *given)
{
    const ph_start_array *start = ROW_NAMED(m->kind->start, m->kind->start_count, given->name);
    const ph_parameter *parameter = ROW_NAMED(p->parameters, p->parameter_count, given->name);
    const char *unit = NULL;
    double x[KEY_NUMBERS];
    if (!given->of_start && ROW_NAMED(p->tables, p->table_count, given->name) != NULL)
        return add_time_table(m, given);
    if (given->of_start && strcmp(given->name, "attitude") == 0)
        return add_attitude(m, given);
    if (given->of_start && start != NULL && start->list)
        return add_list(m, input, start, given);
    if (given->of_start && start != NULL)
        unit = start->unit;
    if (!given->of_start && parameter != NULL)
        unit = parameter->unit;
    if (unit == NULL && unit_of(given) != NULL) {
        m->unread = given;
        add_numbers(m, given, given->x, given->count);
        return 0;
    }
    TRY(convert_setting(m, text_or(unit, "1"), given, x));
    add_numbers(m, given, x, given->count);
    return 0;
}

/* Adds the momentum of wheels to the parameter `wheels`. */
static int add_wheels(model *m, scenario *input, const ph_problem_facts *p)
{
    const setting *given = &input->value[KEY_WHEEL];
    const ph_parameter *wheels = ROW_NAMED(p->parameters, p->parameter_count, "wheels");
    const int old = ph_settings_find(&m->settings, "wheels");
    double *sum = memory_new(3, sizeof *sum);
    REFUSE_IF(wheels == NULL || wheels->count != 3,
              "%swheel cannot be used with %s, which has no parameter wheels: remove it",
              input_line(input, given), model_problem(m));
    TRY(wheels_read(input, sum));
    for (int k = 0; k < 3 && old >= 0; k++)
        sum[k] += m->setting[old].values[k];
    add_setting(m, "wheels", given, sum, 3);
    return 0;
}

static int read_named(model *m, scenario *input, const ph_problem_facts *p)
{
    for (size_t i = 0; i < input->named_count; i++)
        if (input->named[i].is_set)
            TRY(add_named(m, input, p, &input->named[i]));
    if (input->value[KEY_WHEEL].is_set)
        return add_wheels(m, input, p);
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
    setting *given = memory_new(1, sizeof *given);
    *given = (setting){.name = key, .of_start = true, .line = line, .tree = value};
    if (f != NULL && f->list)
        return add_list(m, input, f, given) == 0;
    if (f != NULL && f->width == 1) {
        const bool good = scenario_number(input, line, key, value, f->unit, given->x);
        if (good)
            add_setting(m, f->name, given, given->x, 1);
        return good;
    }
    for (size_t i = 0; i < kind->start_count; i++) {
        if (kind->start[i].list || kind->start[i].width == 1)
            names[count++] = kind->start[i].name;
    }
    return scenario_unknown(input, line, key, names, count);
}

/* Returns the columns that a table of bodies may have beside the first ones, in words. */
static const char *say_columns(const ph_kind *kind)
{
    const char *text = "";
    for (size_t i = 1; i < kind->start_count; i++) {
        if (kind->start[i].list && kind->start[i].field != NULL)
            text = memory_list(text, kind->start[i].columns);
    }
    return text;
}

/* Adds the rows of a table; where it has times, those of the last. */
static int read_table(model *m, const char *path)
{
    const ph_kind *kind = m->kind;
    setting_key *keys = memory_new(kind->start_count, sizeof *keys);
    wanted_columns wanted = {.keys = keys, .degrees = m->input->degrees};
    body_columns c;
    double *x = NULL, *t = NULL;
    size_t rows = 0;
    for (size_t i = 0; i < kind->start_count; i++)
        if (kind->start[i].list && kind->start[i].field != NULL)
            keys[wanted.count++] = key_of_start(&kind->start[i]);
    TRY(body_columns_open(&c, path, &wanted));
    REFUSE_IF(body_columns_part(&c, keys[0].name) == NULL,
              WORDS " line 1: the columns %s are missing: write these columns, and optionally %s",
              path, keys[0].columns, say_columns(kind));
    TRY(body_columns_rows(&c, no_rotation, &x, &t, &rows));
    REFUSE_IF(rows == 0, WORDS ": the table has no rows: write one row for each body", path);
    const bool timed = c.time < c.in->columns;
    size_t first = timed ? rows - 1 : 0;
    while (first > 0 && t[first - 1] == t[first])
        first--;
    for (size_t k = 0; k < c.parts; k++) {
        const body_part *p = &c.part[k];
        const size_t numbers = (rows - first) * p->count;
        double *values = memory_new(numbers, sizeof *values);
        for (size_t i = 0; i < numbers; i++)
            values[i] = x[(first + i / p->count) * c.width + p->at + i % p->count];
        add_setting(m, p->key->name, NULL, values, numbers);
    }
    if (timed && body_columns_part(&c, "masses") == NULL) /* rows that `run` wrote */
        warn(WORDS " has no masses, moments and dipoles: the bodies get the values of the problem; "
                   "to keep the values of a run, use a snapshot of `run --checkpoint`",
             path);
    return 0;
}

static int read_bodies(model *m, scenario *input)
{
    const setting *bodies = &input->value[KEY_BODIES];
    if (!bodies->is_set)
        return 0;
    const char *place = input_line(input, bodies);
    REFUSE_IF(!m->kind->rows_of_each, "%sbodies cannot be used with %s, a problem of %s: remove it",
              place, model_problem(m), m->kind->what);
    REFUSE_IF(ph_settings_find(&m->settings, "lattice") >= 0,
              "%sbodies cannot be used with lattice: remove one", place);
    if (bodies->tree == NULL || !fy_node_is_scalar(bodies->tree)) {
        if (scenario_mapping(input, bodies->line, "bodies", bodies->tree, visit_bodies, m))
            return 0;
        return fail_usage("%s", input->message);
    }
    const char *path = fy_node_get_scalar0(bodies->tree);
    REFUSE_IF(path == NULL || path[0] == '\0',
              "%sbodies has no value: write lists, or the name of a file", place);
    return read_table(m, path);
}

/* ---- all of it --------------------------------------------------------------------- */

static void release_problem(void *own)
{
    ph_problem_release(own);
}

/* Finds the problem: one of the user's own, or one of the catalog. */
static int find_problem_of(model *m, scenario *input, ph_problem_facts *facts)
{
    const setting *given = &input->value[KEY_PROBLEM];
    ph_message why;
    const bool file = given->tree == NULL && problem_file_is(given->text);
    REFUSE_IF(file && own_field_is(input),
              "%scontrol cannot be used with a problem in a C file, which contains its own code: "
              "remove it",
              input_line(input, &input->value[KEY_CONTROL]));
    if (given->tree != NULL || file || own_field_is(input)) {
        ph_problem *own = m->own = memory_new(1, sizeof *own);
        if (file)
            TRY(problem_file_load(given->text, false, &m->code_sum, own));
        else
            TRY(read_expressions(input, m));
        memory_at_end(release_problem, own);
        m->settings.own_problem = own;
        if (file)
            m->kind = ph_kind_of_problem(own);
        *facts = (ph_problem_facts){.parameters = own->parameters,
                                    .parameter_count = own->parameter_count,
                                    .tables = own->tables,
                                    .table_count = own->table_count};
        if (m->kind)
            return 0;
        return fail_usage("there are no problems of one body");
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
    m->kind = ph_kind_for(m->kind, input->value[KEY_METHOD].text);
    TRY(read_named(m, input, &facts));
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
    REFUSE_IF(strcmp(problem->text, "free") != 0, "%s%s, but the problem is %s: write free, or %s",
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
    if (ph_integrator_find(ph_kind_named("body"), name, own, out, text) == PH_OK)
        return 0;
    return fail_usage("%s%s", place, text);
}
