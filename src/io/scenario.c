/* scenario.c - what a run is told: by a scenario file, by options, or both. */
#include "io/scenario.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/nearest.h"
#include "io/number.h"

#define WORDS      "%.60s" /* the user's own, cut to a readable length */
#define MOST_KEYS  1000    /* of a mapping */
#define MOST_ITEMS 100000  /* of a list */

/* ---- the keys -------------------------------------------------------------------- */

#define TREE NULL /* the form of what only its space can read */

static const struct key {
    const char *name, *form;
    size_t numbers;
    scenario_key other;
} keys[SAY_COUNT] = {
    [SAY_INERTIA] = {"inertia", "[a, b, c]", 3, SAY_TENSOR},
    [SAY_TENSOR] = {"tensor", "[xx, yy, zz, xy, xz, yz]", 6, SAY_INERTIA},
    [SAY_MOMENTUM] = {"momentum", "[x, y, z]", 3, SAY_VELOCITY},
    [SAY_VELOCITY] = {"velocity", "[x, y, z]", 3, SAY_MOMENTUM},
    [SAY_ATTITUDE] = {"attitude", "[w, x, y, z]", 4, SAY_ROTVEC},
    [SAY_ROTVEC] = {"rotvec", "[x, y, z]", 3, SAY_ATTITUDE},
    [SAY_PROBLEM] = {"problem", "NAME", 0, SAY_PROBLEM},
    [SAY_METHOD] = {"method", "NAME", 0, SAY_METHOD},
    [SAY_STEP] = {"step", "NUMBER", 1, SAY_STEP},
    [SAY_TIME] = {"time", "NUMBER", 1, SAY_TIME},
    [SAY_FILE] = {"file", "NAME", 0, SAY_FILE},
    [SAY_EVERY] = {"every", "NUMBER", 1, SAY_EVERY},
    [SAY_Q] = {"q", TREE, 0, SAY_Q},
    [SAY_W] = {"w", TREE, 0, SAY_W},
    [SAY_BODIES] = {"bodies", TREE, 0, SAY_BODIES},
    [SAY_LATTICE] = {"lattice", "NUMBER", 1, SAY_LATTICE},
    [SAY_SPACING] = {"spacing", "NUMBER", 1, SAY_SPACING},
    [SAY_NOISE] = {"noise", "NUMBER", 1, SAY_NOISE},
    [SAY_SEED] = {"seed", "NUMBER", 1, SAY_SEED},
    [SAY_BOX] = {"box", "[x, y, z]", 3, SAY_BOX},
    [SAY_CUTOFF] = {"cutoff", "NUMBER", 1, SAY_CUTOFF},
    [SAY_DIELECTRIC] = {"dielectric", "NUMBER", 1, SAY_DIELECTRIC},
};

const char *scenario_key_name(scenario_key key)
{
    return keys[key].name;
}

size_t scenario_key_numbers(scenario_key key)
{
    return keys[key].numbers;
}

scenario_key scenario_key_other(scenario_key key)
{
    return keys[key].other;
}

/* ---- what is wrong --------------------------------------------------------------- */

typedef struct reader {
    scenario *s;
    const char *path;
    char *message;
    scenario_visitor *each; /* of a mapping that is the caller's to read */
    void *context;
} reader;

__attribute__((format(printf, 3, 4))) static bool wrong(reader *r, int line,
                                                        const char *format, ...)
{
    const int used = snprintf(r->message, YAML_MESSAGE, "%.100s:%d: ", r->path, line);
    va_list arguments;
    va_start(arguments, format);
    if (used > 0 && used < YAML_MESSAGE)
        (void)vsnprintf(r->message + used, (size_t)(YAML_MESSAGE - used), format,
                        arguments);
    va_end(arguments);
    return false;
}

/* No such key: the nearest one, if it is near, or all of them. */
static bool unknown(reader *r, int line, const char *key, const char *const *names,
                    size_t count)
{
    const char *nearest[NEAREST_MOST];
    size_t distance;
    (void)nearest_names(key, names, count, nearest, &distance);
    if (2 * distance <= strlen(key) + 1)
        return wrong(r, line, "unknown key \"" WORDS "\": did you mean \"%s\"?", key,
                     nearest[0]);
    char all[YAML_MESSAGE] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                 i == 0 ? "" : ", ", names[i]);
    return wrong(r, line, "unknown key \"" WORDS "\": the keys are %s", key, all);
}

/* ---- values ---------------------------------------------------------------------- */

/* A scalar as text; NULL after saying what is wrong. */
static const char *read_scalar(reader *r, int line, const char *name,
                               struct fy_node *node)
{
    if (node == NULL || !fy_node_is_scalar(node) || fy_node_is_alias(node)) {
        (void)wrong(r, line, "%s: %s is not a single value: write it out", name,
                    node == NULL               ? "nothing"
                    : !fy_node_is_scalar(node) ? "a list or a mapping"
                                               : "an alias");
        return NULL;
    }
    size_t length = 0;
    (void)fy_node_get_scalar(node, &length);
    const char *text = fy_node_get_scalar0(node);
    if (text == NULL || length == 0)
        (void)wrong(r, line, "%s has no value: write one, or leave it out", name);
    else if (strlen(text) != length)
        (void)wrong(r, line, "%s: a NUL is no part of a name: leave it out", name);
    else
        return text;
    return NULL;
}

static bool read_number(reader *r, int line, const char *name, struct fy_node *node,
                        double *x)
{
    const char *text = read_scalar(r, line, name, node);
    if (text == NULL)
        return false;
    if (fy_node_get_style(node) != FYNS_PLAIN)
        return wrong(r, line,
                     "%s: \"" WORDS "\" is a text, not a number: write it without quotes",
                     name, text);
    const char *end = text;
    const number_status status = number_read(&end, x);
    if (status != NUMBER_OK || *end != '\0')
        return wrong(r, line, "%s: \"" WORDS "\" %s: write a finite number", name, text,
                     number_problem(status));
    return true;
}

/* A number, or a list of at most SAY_NUMBERS. */
static bool read_numbers(reader *r, int line, const char *name, struct fy_node *node,
                         setting *value)
{
    if (node == NULL || !fy_node_is_sequence(node)) {
        value->count = 1;
        return read_number(r, line, name, node, &value->x[0]);
    }
    void *at = NULL;
    struct fy_node *item;
    value->count = 0;
    while ((item = fy_node_sequence_iterate(node, &at)) != NULL) {
        if (value->count == SAY_NUMBERS)
            return wrong(r, line, "%s has more than %d numbers: write fewer", name,
                         SAY_NUMBERS);
        if (!read_number(r, yaml_line(item, line), name, item, &value->x[value->count++]))
            return false;
    }
    return true;
}

static bool read_value(reader *r, scenario_key key, int line, struct fy_node *node)
{
    const struct key *k = &keys[key];
    const setting *other = &r->s->value[k->other];
    setting *value = &r->s->value[key];
    if (k->other != key && other->said)
        return wrong(r, line, "%s and %s (line %d) exclude each other: leave one out",
                     k->name, keys[k->other].name, other->line);
    *value = (setting){.said = true, .line = line, .tree = node};
    if (k->form == TREE)
        return true;
    if (k->numbers == 0) {
        value->text = read_scalar(r, line, k->name, node);
        return value->text != NULL;
    }
    const bool list = node != NULL && fy_node_is_sequence(node);
    if (list != (k->numbers > 1))
        return wrong(r, line, "%s takes %s: write %s: %s", k->name,
                     list ? "one number, not a list" : "a list of numbers", k->name,
                     k->form);
    if (!read_numbers(r, line, k->name, node, value))
        return false;
    if (value->count != k->numbers)
        return wrong(r, line, "%s takes %zu numbers, not %zu: write %s: %s", k->name,
                     k->numbers, value->count, k->name, k->form);
    return true;
}

/* One vector of a list. */
static bool read_vector(reader *r, int line, const char *name, struct fy_node *node,
                        size_t width, double *x)
{
    size_t count = 0;
    void *at = NULL;
    struct fy_node *item;
    if (width == 1 && !fy_node_is_sequence(node))
        return read_number(r, yaml_line(node, line), name, node, x);
    if (!fy_node_is_sequence(node))
        return wrong(r, line, "%s takes a list of vectors: write %s: [[x, y, z], ...]",
                     name, name);
    while ((item = fy_node_sequence_iterate(node, &at)) != NULL) {
        line = yaml_line(item, line);
        if (count == width)
            return wrong(r, line, "%s: a vector has more than %zu numbers: write fewer",
                         name, width);
        if (!read_number(r, line, name, item, &x[count++]))
            return false;
    }
    return count == width ||
           wrong(r, line, "%s: a vector has %zu numbers instead of %zu: write all", name,
                 count, width);
}

bool scenario_number(const scenario *s, const char *name, int line, struct fy_node *node,
                     double *x, char message[YAML_MESSAGE])
{
    reader r = {.path = s->path, .message = message};
    return read_number(&r, line, name, node, x);
}

bool scenario_vectors(const scenario *s, const char *name, int line, struct fy_node *list,
                      size_t width, double **x, size_t *count, char message[YAML_MESSAGE])
{
    reader r = {.path = s->path, .message = message};
    if (list == NULL || !fy_node_is_sequence(list))
        return wrong(&r, line, "%s takes a list of vectors: write %s: [[x, y, z], ...]",
                     name, name);
    const size_t n = (size_t)fy_node_sequence_item_count(list);
    if (n > MOST_ITEMS)
        return wrong(&r, line,
                     "%s has more than %d vectors: write fewer, or bodies into a table, "
                     "bodies: FILE.csv",
                     name, MOST_ITEMS);
    double *all = calloc(n * width + 1, sizeof *all);
    if (all == NULL)
        return wrong(&r, line, "%s: no memory left: write fewer", name);
    void *at = NULL;
    struct fy_node *item;
    for (size_t i = 0; i < n && (item = fy_node_sequence_iterate(list, &at)) != NULL;
         i++) {
        if (!read_vector(&r, line, name, item, width, &all[i * width])) {
            free(all);
            return false;
        }
    }
    *x = all;
    *count = n;
    return true;
}

/* ---- mappings -------------------------------------------------------------------- */

/* What is done with a key of a mapping, and its value. */
typedef bool visitor(reader *r, const char *key, int line, struct fy_node *value);

/* The keys of a mapping that were met: an open hash table. */
typedef struct key_set {
    size_t count;
    struct {
        const char *name;
        int line;
    } at[2 * MOST_KEYS];
} key_set;

/* Adds a key; returns the line of the same key before it, or 0. */
static int key_add(key_set *set, const char *name, int line)
{
    const size_t room = sizeof set->at / sizeof set->at[0];
    size_t i = 0;
    for (const char *c = name; *c != '\0'; c++)
        i = (i * 31 + (unsigned char)*c) % room;
    for (; set->at[i].name != NULL; i = (i + 1) % room) {
        if (strcmp(set->at[i].name, name) == 0)
            return set->at[i].line;
    }
    set->at[i].name = name;
    set->at[i].line = line;
    set->count++;
    return 0;
}

/* All keys of a mapping, none of which may stand twice. */
static bool visit(reader *r, int line, const char *what, struct fy_node *mapping,
                  visitor *each)
{
    if (mapping == NULL || !fy_node_is_mapping(mapping))
        return wrong(r, line, "%s is no mapping: write key: value", what);
    key_set keys_met = {0};
    void *at = NULL;
    struct fy_node_pair *pair;
    while ((pair = fy_node_mapping_iterate(mapping, &at)) != NULL) {
        struct fy_node *key = fy_node_pair_key(pair);
        line = key == NULL ? line : yaml_line(key, line);
        const char *name = read_scalar(r, line, "a key", key);
        if (name == NULL)
            return false;
        const int first = key_add(&keys_met, name, line);
        if (first != 0)
            return wrong(r, line,
                         "key \"" WORDS "\" stands twice, first in line %d: leave one "
                         "out",
                         name, first);
        if (keys_met.count > MOST_KEYS)
            return wrong(r, line, "%s has more than %d keys: write fewer", what,
                         MOST_KEYS);
        if (!each(r, name, line, fy_node_pair_value(pair)))
            return false;
    }
    return true;
}

static bool visit_for_caller(reader *r, const char *key, int line, struct fy_node *value)
{
    return r->each(r->context, key, line, value);
}

bool scenario_mapping(const scenario *s, const char *name, int line,
                      struct fy_node *mapping, scenario_visitor *each, void *context,
                      char message[YAML_MESSAGE])
{
    reader r = {.path = s->path, .message = message, .each = each, .context = context};
    return visit(&r, line, name, mapping, visit_for_caller);
}

bool scenario_unknown(const scenario *s, int line, const char *key,
                      const char *const *names, size_t count, char message[YAML_MESSAGE])
{
    reader r = {.path = s->path, .message = message};
    return unknown(&r, line, key, names, count);
}

bool scenario_wrong(const scenario *s, int line, char message[YAML_MESSAGE],
                    const char *format, ...)
{
    char what[YAML_MESSAGE];
    reader r = {.path = s->path, .message = message};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return wrong(&r, line, "%s", what);
}

static bool visit_parameter(reader *r, const char *key, int line, struct fy_node *value)
{
    setting *added = scenario_add_parameter(r->s, key, strlen(key));
    if (added == NULL)
        return wrong(r, line, "no room for the parameter \"" WORDS "\": leave it out",
                     key);
    *added = (setting){.said = true, .line = line};
    return read_numbers(r, line, key, value, added);
}

/* The keys of `output`. */
static bool visit_output(reader *r, const char *key, int line, struct fy_node *value)
{
    static const scenario_key of_output[] = {SAY_FILE, SAY_EVERY};
    const char *names[sizeof of_output / sizeof of_output[0]];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        names[i] = keys[of_output[i]].name;
        if (strcmp(key, names[i]) == 0)
            return read_value(r, of_output[i], line, value);
    }
    return unknown(r, line, key, names, sizeof names / sizeof names[0]);
}

static bool visit_top(reader *r, const char *key, int line, struct fy_node *value)
{
    const char *names[SAY_COUNT + 2];
    size_t count = 0;
    for (scenario_key k = 0; k < SAY_COUNT; k++) {
        if (k == SAY_FILE || k == SAY_EVERY)
            continue;
        if (strcmp(key, keys[k].name) == 0)
            return read_value(r, k, line, value);
        names[count++] = keys[k].name;
    }
    if (strcmp(key, "parameters") == 0)
        return visit(r, line, key, value, visit_parameter);
    if (strcmp(key, "output") == 0)
        return visit(r, line, key, value, visit_output);
    names[count++] = "parameters";
    names[count++] = "output";
    return unknown(r, line, key, names, count);
}

/* ---- the file -------------------------------------------------------------------- */

bool scenario_read(scenario *s, const char *path, char message[YAML_MESSAGE])
{
    s->path = strcmp(path, "-") == 0 ? "standard input" : path;
    reader r = {.s = s, .path = s->path, .message = message};
    char what[YAML_MESSAGE];
    int line;
    if (!yaml_read(&s->document, path, what, &line)) {
        if (line > 0)
            return wrong(&r, line, "%s", what);
        (void)snprintf(message, YAML_MESSAGE, "%.100s %.190s", s->path, what);
        return false;
    }
    if (s->document.root == NULL)
        return wrong(&r, 1, "the scenario is empty: write key: value");
    return visit(&r, 1, "the scenario", s->document.root, visit_top);
}

setting *scenario_add_parameter(scenario *s, const char *name, size_t length)
{
    if (length >= PARAMETER_NAME)
        return NULL;
    parameter *more = realloc(s->parameter, (s->parameters + 1) * sizeof *more);
    if (more == NULL)
        return NULL;
    s->parameter = more;
    parameter *p = &more[s->parameters++];
    memcpy(p->name, name, length);
    p->name[length] = '\0';
    return &p->value;
}

void scenario_free(scenario *s)
{
    yaml_free(&s->document);
    free(s->parameter);
}
