/* own_field.c - what a scenario gives of a field of its own. */
#include "own_field.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "input.h"
#include "tool/base/tool.h"
#include "tool/files/epoch.h"
#include "tool/files/memory.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- values ---------------------------------------------------------------------- */

static bool three_texts(scenario *s, const char *key, int line, struct fy_node *value,
                        const char **texts)
{
    if (value == NULL || !fy_node_is_sequence(value) || fy_node_sequence_item_count(value) != 3)
        return scenario_wrong(
            s, line, "%s needs three expressions: write %s: [\"E1\", \"E2\", \"E3\"]", key, key);
    for (int i = 0; i < 3; i++) {
        texts[i] = scenario_text(s, line, key, fy_node_sequence_get_by_index(value, i));
        if (texts[i] == NULL)
            return false;
    }
    return true;
}

static bool three_numbers(scenario *s, const char *key, int line, struct fy_node *value,
                          const char *unit, ph_vec3 *out)
{
    double *x = NULL;
    size_t count = 0;
    if (!scenario_vectors(s, line, key, value, unit, 1, &x, &count))
        return false;
    if (count != 3)
        return scenario_wrong(s, line, "%s needs three numbers: write %s: [x, y, z]", key, key);
    *out = (ph_vec3){x[0], x[1], x[2]};
    return true;
}

/* Visits the mappings of a list, or one mapping. */
static bool each_mapping(scenario *s, int line, const char *what, struct fy_node *list,
                         scenario_visitor *visit,
                         bool (*begin)(void *context, scenario *s, int line), void *context)
{
    void *at = NULL;
    struct fy_node *item;
    if (list == NULL || !fy_node_is_sequence(list))
        return begin(context, s, line) && scenario_mapping(s, line, what, list, visit, context);
    while ((item = fy_node_sequence_iterate(list, &at)) != NULL) {
        if (!begin(context, s, line) || !scenario_mapping(s, line, what, item, visit, context))
            return false;
    }
    return true;
}

/* The number of a key among names, or -1 after a message. */
static int key_of(scenario *s, int line, const char *key, const char *const *names, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (strcmp(key, names[k]) == 0)
            return (int)k;
    }
    (void)scenario_unknown(s, line, key, names, count);
    return -1;
}

/* ---- facets ------------------------------------------------------------------------- */

typedef struct facet_list {
    ph_facet facet[PH_EXPRESSION_FACETS];
    int count;
} facet_list;

static bool begin_facet(void *context, scenario *s, int line)
{
    facet_list *l = context;
    if (l->count == PH_EXPRESSION_FACETS)
        return scenario_wrong(s, line, "there are more than %d facets: write fewer",
                              PH_EXPRESSION_FACETS);
    l->facet[l->count++] = (ph_facet){.area = 0.0};
    return true;
}

static bool visit_facet(void *context, scenario *s, const char *key, int line,
                        struct fy_node *value)
{
    static const char *const names[] = {"area", "normal", "centre", "specular", "diffuse"};
    facet_list *l = context;
    ph_facet *f = &l->facet[l->count - 1];
    switch (key_of(s, line, key, names, COUNT(names))) {
    case 0:
        return scenario_number(s, line, key, value, "1", &f->area);
    case 1:
        return three_numbers(s, key, line, value, "1", &f->normal);
    case 2:
        return three_numbers(s, key, line, value, "m", &f->centre);
    case 3:
        return scenario_number(s, line, key, value, "1", &f->specular);
    case 4:
        return scenario_number(s, line, key, value, "1", &f->diffuse);
    default:
        return false;
    }
}

/* ---- a control ----------------------------------------------------------------------- */

static bool visit_control(void *context, scenario *s, const char *key, int line,
                          struct fy_node *value)
{
    static const char *const names[] = {"period", "torque", "dipole"};
    own_field *f = context;
    const int k = key_of(s, line, key, names, COUNT(names));
    if (k < 0)
        return false;
    if (k == 0)
        return scenario_number(s, line, key, value, "t", &f->of.control_period) &&
               (f->of.control_period > 0.0 ||
                scenario_wrong(s, line, "the period of a control is %g: write a positive time",
                               f->of.control_period));
    if (f->of.control[0] != NULL)
        return scenario_wrong(s, line, "torque cannot be used with dipole: remove one");
    f->of.control_dipole = k == 2;
    return three_texts(s, key, line, value, f->of.control);
}

static bool read_control(own_field *f, scenario *s, int line, struct fy_node *value)
{
    if (f->of.control_period != 0.0)
        return scenario_wrong(s, line, "control occurs twice: remove one");
    return scenario_mapping(s, line, "control", value, visit_control, f) &&
           ((f->of.control_period != 0.0 && f->of.control[0] != NULL) ||
            scenario_wrong(s, line,
                           "a control needs a period, and a torque or a dipole: write both, as in "
                           "control: {period: 0.5s, torque: [\"E1\", \"E2\", \"E3\"]}"));
}

/* ---- the problem ---------------------------------------------------------------------- */

static bool read_date(own_field *f, scenario *s, int line, const char *text)
{
    static const epoch J2000 = {10957, 43200.0};
    epoch date;
    if (text == NULL || !epoch_read(&date, text))
        return text != NULL &&
               scenario_wrong(s, line,
                              "epoch %.40s is not a date: write for example 2026-01-01T00:00:00",
                              text);
    f->epoch = epoch_between(J2000, date) / 86400.0;
    f->of.epoch = &f->epoch;
    return true;
}

static bool visit_field(void *context, scenario *s, const char *key, int line,
                        struct fy_node *value)
{
    static const char *const names[] = {"kind",  "potential", "torque", "force",  "extends",
                                        "epoch", "facets",    "field",  "control"};
    own_field *f = context;
    facet_list *facets;
    const char *text;
    switch (key_of(s, line, key, names, COUNT(names))) {
    case 0:
        return (f->kind = scenario_text(s, line, key, value)) != NULL;
    case 1:
        return (f->of.potential = scenario_text(s, line, key, value)) != NULL;
    case 2:
        return three_texts(s, key, line, value, f->of.torque);
    case 3:
        return three_texts(s, key, line, value, f->of.force);
    case 4:
        return (f->extends = scenario_text(s, line, key, value)) != NULL;
    case 5:
        return read_date(f, s, line, scenario_text(s, line, key, value));
    case 6:
        facets = memory_new(1, sizeof *facets);
        f->of.facets = facets->facet;
        if (!each_mapping(s, line, key, value, visit_facet, begin_facet, facets))
            return false;
        f->of.facet_count = facets->count;
        return true;
    case 7:
        text = scenario_text(s, line, key, value);
        f->of.tilted_dipole = text != NULL && strcmp(text, "tilted_dipole") == 0;
        return f->of.tilted_dipole ||
               (text != NULL &&
                scenario_wrong(s, line, "field %.40s is unknown: write tilted_dipole", text));
    case 8:
        return read_control(f, s, line, value);
    default:
        return false;
    }
}

bool own_field_is(const scenario *input)
{
    return input->value[KEY_CONTROL].is_set;
}

int own_field_read(scenario *input, const setting *problem, own_field *out)
{
    const setting *control = &input->value[KEY_CONTROL], *date = &input->value[KEY_EPOCH];
    if (problem->tree == NULL)
        out->extends = problem->text;
    else
        REFUSE_IF(
            !scenario_mapping(input, problem->line, "problem", problem->tree, visit_field, out),
            "%s", input->message);
    REFUSE_IF(control->is_set && !read_control(out, input, control->line, control->tree), "%s",
              input->message);
    REFUSE_IF(date->is_set && out->of.epoch == NULL &&
                  !read_date(out, input, date->line, date->text),
              "%s", input->message);
    if (out->extends == NULL)
        return 0;
    const ph_status known = ph_problem_named(out->extends, &out->of.extends);
    const char *all = "";
    for (size_t i = 0; known != PH_OK;) {
        ph_problem_facts p;
        if (!ph_problem_at(i++, &p))
            break;
        if (strcmp(p.kind, "body") == 0)
            all = memory_list(all, p.name);
    }
    REFUSE_IF(known != PH_OK, "%sextends: `" WORDS "` is not a problem of one body: use one of %s",
              input_line(input, problem), out->extends, all);
    REFUSE_IF(out->kind != NULL && strcmp(out->kind, "body") != 0,
              "%sextends cannot be used with kind: remove kind", input_line(input, problem));
    return 0;
}

/* ---- wheels ----------------------------------------------------------------------------- */

typedef struct wheel_list {
    ph_vec3 axis, sum;
    double inertia, speed;
    bool begun, given[3];
} wheel_list;

/* Adds the wheel that was read. */
static bool begin_wheel(void *context, scenario *s, int line)
{
    wheel_list *l = context;
    const ph_vec3 a = l->axis;
    const double size = ph_hypot(a.x, ph_hypot(a.y, a.z)), momentum = l->inertia * l->speed;
    if (l->begun && !(l->given[0] && l->given[1] && l->given[2]))
        return scenario_wrong(s, line,
                              "a wheel needs an axis, an inertia and a speed: write all of them, "
                              "as in {axis: [0, 0, 1], inertia: 0.001, speed: 3000rpm}");
    if (l->begun && !(size > 0.0 && l->inertia > 0.0))
        return scenario_wrong(s, line, "a wheel has an axis of length 0, or no inertia: change it");
    if (l->begun)
        l->sum = (ph_vec3){l->sum.x + momentum * a.x / size, l->sum.y + momentum * a.y / size,
                           l->sum.z + momentum * a.z / size};
    *l = (wheel_list){.sum = l->sum, .begun = true};
    return true;
}

static bool visit_wheel(void *context, scenario *s, const char *key, int line,
                        struct fy_node *value)
{
    static const char *const names[] = {"axis", "inertia", "speed"};
    wheel_list *l = context;
    const int k = key_of(s, line, key, names, COUNT(names));
    if (k < 0)
        return false;
    l->given[k] = true;
    if (k == 0)
        return three_numbers(s, key, line, value, "1", &l->axis);
    if (k == 1)
        return scenario_number(s, line, key, value, "1", &l->inertia);
    return scenario_number(s, line, key, value, "rad/t", &l->speed);
}

int wheels_read(scenario *input, double momentum[3])
{
    const setting *given = &input->value[KEY_WHEEL];
    wheel_list l = {.begun = false};
    REFUSE_IF(
        !each_mapping(input, given->line, "wheel", given->tree, visit_wheel, begin_wheel, &l) ||
            !begin_wheel(&l, input, given->line),
        "%s", input->message);
    momentum[0] = l.sum.x;
    momentum[1] = l.sum.y;
    momentum[2] = l.sum.z;
    return 0;
}
