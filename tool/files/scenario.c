/* scenario.c - the settings of a run: from a scenario file, from options, or from both. */
#define _POSIX_C_SOURCE 200809L
#include "tool/files/scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/choice.h"
#include "base/named.h"
#include "base/nearest.h"
#include "system/kind.h"
#include "tool/files/columns.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"

#define LARGEST    (16UL << 20) /* bytes of a file */
#define MOST_MARKS 100          /* directives, or anchors */
#define KEY_WORDS  "%.60s"      /* the user's own, cut to a readable length */
#define ALIAS_NAME 60           /* letters of the name of an alias that are shown */
#define MOST_KEYS  1000         /* of a mapping */
#define MOST_ITEMS 100000       /* of a list */

bool scenario_wrong(scenario *s, int line, const char *format, ...)
{
    const int used = snprintf(s->message, YAML_MESSAGE, "%.100s:%d: ", s->path, line);
    va_list arguments;
    va_start(arguments, format);
    if (used > 0 && used < YAML_MESSAGE)
        (void)vsnprintf(s->message + used, (size_t)(YAML_MESSAGE - used), format, arguments);
    va_end(arguments);
    return false;
}

/* ---- the document ---------------------------------------------------------------- */

/* Returns true if libfyaml can read the text. Otherwise version 0.7.12 takes bytes that are no
 * text for the end of the file, or reads them for ever. It searches all anchors and directives for
 * each of them. It crashes after a tab behind an indicator, `? a:` TAB `>`; this function replaces
 * such tabs. */
static bool is_readable(scenario *s)
{
    const yaml *y = s->document;
    int line = 1;
    size_t directives = 0, anchors = 0;
    bool line_begins = true, indentation = true;
    for (size_t i = 0, n; i < y->length; i += n) {
        const char c = y->text[i];
        const bool space = c == '\t' || c == '\n' || c == '\r';
        if (space)
            n = 1;
        else
            n = text_character(y->text + i, y->length - i);
        if (n == 0)
            return scenario_wrong(s, line, "a byte is not valid text: save the file as UTF-8");
        indentation =
            line_begins || (indentation && (y->text[i - 1] == ' ' || y->text[i - 1] == '\t'));
        if (c == '\t' && !indentation)
            y->text[i] = ' '; /* the same in YAML */
        directives += line_begins && c == '%';
        anchors += c == '&';
        if (anchors > MOST_MARKS)
            return scenario_wrong(
                s, line, "the file has more than %d anchors (&): write out the values", MOST_MARKS);
        if (directives > MOST_MARKS)
            return scenario_wrong(s, line, "the file has more than %d directives (%%): remove them",
                                  MOST_MARKS);
        line_begins = c == '\n';
        line += c == '\n';
    }
    return true;
}

static void keep_quiet(struct fy_diag *complaints, void *user, const char *text, size_t length)
{
    (void)complaints, (void)user, (void)text, (void)length;
}

/* Returns the line of a scalar, counted from 1, or the line before it if the scalar is empty. */
static int yaml_line(struct fy_node *scalar, int before)
{
    struct fy_token *token = fy_node_get_scalar_token(scalar);
    if (token == NULL)
        return before;
    const struct fy_mark *mark = fy_token_start_mark(token);
    if (mark == NULL)
        return before;
    return mark->line + 1;
}

/* Returns the first alias in a tree, or NULL. The parser bounds the depth. */
static struct fy_node *find_alias(struct fy_node *node)
{
    void *at = NULL;
    struct fy_node *found = NULL, *item;
    struct fy_node_pair *pair;
    if (node == NULL || fy_node_is_alias(node))
        return node;
    if (fy_node_is_sequence(node)) {
        while (found == NULL && (item = fy_node_sequence_iterate(node, &at)) != NULL)
            found = find_alias(item);
    } else if (fy_node_is_mapping(node)) {
        while (found == NULL && (pair = fy_node_mapping_iterate(node, &at)) != NULL) {
            found = find_alias(fy_node_pair_key(pair));
            if (found == NULL)
                found = find_alias(fy_node_pair_value(pair));
        }
    }
    return found;
}

/* Refuses aliases wherever they are: no reader of a value follows them. */
static bool has_no_alias(scenario *s)
{
    struct fy_node *alias = find_alias(((yaml *)s->document)->root);
    size_t length = 0;
    if (alias == NULL)
        return true;
    const char *name = fy_node_get_scalar(alias, &length);
    return scenario_wrong(
        s, yaml_line(alias, 1),
        "*%.*s is an alias, and aliases are not supported: write the value itself",
        (int)smaller_size(length, ALIAS_NAME), text_or(name, ""));
}

/* Reads the one document of the text. Returns false with a message, or without memory. */
static bool parse_document(scenario *s)
{
    yaml *y = s->document;
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.output_fn = keep_quiet;
    quiet.colorize = false;
    y->complaints = fy_diag_create(&quiet);
    if (y->complaints == NULL)
        return false;
    fy_diag_set_collect_errors(y->complaints, true);

    /* Keys that stand twice are for the caller to find, who names them. */
    const struct fy_parse_cfg how = {
        .flags = FYPCF_ALLOW_DUPLICATE_KEYS | FYPCF_JSON_NONE | FYPCF_DEFAULT_VERSION_1_2,
        .diag = y->complaints,
    };
    y->parser = fy_parser_create(&how);
    if (y->parser == NULL || fy_parser_set_string(y->parser, y->text, y->length) != 0)
        return false;
    struct fy_document *more = NULL;
    y->document = fy_parse_load_document(y->parser);
    y->root = NULL;
    if (y->document != NULL) {
        y->root = fy_document_root(y->document);
        more = fy_parse_load_document(y->parser);
    }
    fy_document_destroy(more);
    if (more != NULL)
        return scenario_wrong(
            s, 1, "the file has more than one document (---): write each document to its own file");
    void *at = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(y->complaints, &at);
    if (error != NULL)
        return scenario_wrong(s, error->line, "this is not YAML (%s): correct the syntax",
                              error->msg);
    return has_no_alias(s);
}

/* Writes the message for a file that cannot be read, of which no line is known. */
static bool cannot_read(scenario *s, int error)
{
    (void)snprintf(s->message, YAML_MESSAGE, "%.100s cannot be read (%s): %s", s->path,
                   strerror(error), advice(error, "give a readable file"));
    return false;
}

static void end_document(void *document)
{
    const yaml *y = document;
    fy_document_destroy(y->document);
    fy_parser_destroy(y->parser);
    fy_diag_destroy(y->complaints);
}

static bool read_document(scenario *s, const char *path)
{
    yaml *y = s->document = memory_new(1, sizeof *y);
    memory_at_end(end_document, y);
    const bool standard = strcmp(path, "-") == 0;
    int fd = STDIN_FILENO;
    if (!standard)
        fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool whole = fd >= 0 && file_bytes(fd, LARGEST, &y->text, &y->length);
    const int error = errno;
    if (fd >= 0 && !standard)
        (void)close(fd);
    if (whole) {
        (void)cannot_read(s, ENOMEM); /* unless another message takes its place */
        return is_readable(s) && parse_document(s);
    }
    if (y->length < LARGEST)
        return cannot_read(s, error);
    (void)snprintf(
        s->message, YAML_MESSAGE,
        "%.100s is larger than %lu MiB: write long lists of bodies to a table, bodies: FILE.csv",
        s->path, LARGEST >> 20);
    return false;
}

/* ---- what is wrong --------------------------------------------------------------- */

bool scenario_unknown(scenario *s, int line, const char *key, const char *const *names,
                      size_t count)
{
    nearest near_by = {.wrong = key};
    const char *all = "";
    for (size_t i = 0; i < count; i++) {
        ph_nearest_add(&near_by, "%s", names[i]);
        all = memory_list(all, names[i]);
    }
    if (2 * near_by.distance[0] <= strlen(key) + 1)
        return scenario_wrong(s, line, "unknown key \"" KEY_WORDS "\": did you mean \"%s\"?", key,
                              near_by.name[0]);
    return scenario_wrong(s, line, "unknown key \"" KEY_WORDS "\": the keys are %s", key, all);
}

/* ---- named values ------------------------------------------------------------------ */

static setting *add_named(scenario *s, const char *name, size_t length)
{
    s->named = memory_more(s->named, s->named_count + 1, sizeof *s->named);
    setting *added = &s->named[s->named_count++];
    *added = (setting){.name = memory_text("%.*s", (int)length, name), .is_set = true};
    return added;
}

setting *scenario_start(const scenario *s, const char *name)
{
    for (size_t i = 0; i < s->named_count; i++) {
        setting *x = &s->named[i];
        if (x->is_set && x->of_start && strcmp(x->name, name) == 0)
            return x;
    }
    return NULL;
}

setting *scenario_add_start(scenario *s, const setting_key *k)
{
    const char *const names[] = {k->name, k->other};
    for (size_t i = 0; i < COUNT(names); i++) {
        setting *old = NULL;
        if (names[i] != NULL)
            old = scenario_start(s, names[i]);
        if (old != NULL)
            old->is_set = false;
    }
    setting *added = add_named(s, k->name, strlen(k->name));
    added->of_start = true;
    added->count = k->count;
    return added;
}

setting *scenario_add_parameter(scenario *s, const char *name, size_t length)
{
    if (length < PARAMETER_NAME)
        return add_named(s, name, length);
    return NULL;
}

/* ---- values ---------------------------------------------------------------------- */

const char *scenario_text(scenario *s, int line, const char *name, struct fy_node *node)
{
    if (node == NULL || !fy_node_is_scalar(node)) {
        (void)scenario_wrong(s, line, "%s: %s is not a single value: write one value", name,
                             node == NULL ? "nothing" : "a list or a mapping");
        return NULL;
    }
    size_t length = 0;
    (void)fy_node_get_scalar(node, &length);
    const char *text = fy_node_get_scalar0(node);
    if (text == NULL || length == 0)
        (void)scenario_wrong(s, line, "%s has no value: write one, or remove the key", name);
    else if (strlen(text) != length)
        (void)scenario_wrong(s, line, "%s: a name cannot contain a NUL character: remove it", name);
    else
        return text;
    return NULL;
}

/* Reads a number, and stores where its unit begins. */
static bool read_quantity(scenario *s, int line, const char *name, struct fy_node *node, double *x,
                          const char **unit)
{
    const char *text = scenario_text(s, line, name, node);
    if (text == NULL)
        return false;
    if (fy_node_get_style(node) != FYNS_PLAIN)
        return scenario_wrong(
            s, line, "%s: \"" KEY_WORDS "\" is a text, not a number: write it without quotes", name,
            text);
    const char *end = text;
    const number_status status = quantity_read(&end, x, unit);
    if (status != NUMBER_OK || *end != '\0')
        return scenario_wrong(s, line, "%s: \"" KEY_WORDS "\" %s: write a finite number", name,
                              text, number_problem(status));
    return true;
}

/* Converts a number with a unit to the unit of a quantity. */
static bool convert_number(scenario *s, int line, const char *name, const char *of,
                           const char *unit, double *x)
{
    return quantity_convert(of, s->degrees, unit, x) ||
           scenario_wrong(s, line, "%s %s", name, unit_problem(of, unit));
}

bool scenario_number(scenario *s, int line, const char *name, struct fy_node *node, const char *of,
                     double *x)
{
    const char *unit = NULL;
    return read_quantity(s, line, name, node, x, &unit) &&
           convert_number(s, line, name, of, unit, x);
}

/* Reads a number, or a list of at most `most` numbers. Stores the line of the last one in *line.
 * In the message about too many numbers, `what` follows the name. */
static bool read_list(scenario *s, int *line, const char *name, const char *what,
                      struct fy_node *node, size_t most, double *x, const char **unit,
                      size_t *count)
{
    void *at = NULL;
    struct fy_node *item;
    *count = 1;
    if (node == NULL)
        return read_quantity(s, *line, name, node, x, unit);
    if (!fy_node_is_sequence(node))
        return read_quantity(s, yaml_line(node, *line), name, node, x, unit);
    for (*count = 0; (item = fy_node_sequence_iterate(node, &at)) != NULL; ++*count) {
        *line = yaml_line(item, *line);
        if (*count == most)
            return scenario_wrong(s, *line, "%s%s has more than %zu numbers: write fewer", name,
                                  what, most);
        if (!read_quantity(s, *line, name, item, &x[*count], &unit[*count]))
            return false;
    }
    return true;
}

static bool read_numbers(scenario *s, int line, const char *name, struct fy_node *node,
                         setting *value)
{
    return read_list(s, &line, name, "", node, KEY_NUMBERS, value->x, value->unit, &value->count);
}

bool attitude_form(setting *value, const char *form, size_t length)
{
    static const char euler[] = "euler", euler_[] = "euler_", last[] = "xyzw";
    if (length >= ATTITUDE_FORM)
        return false;
    memcpy(value->form, form, length);
    value->form[length] = '\0';
    const bool quaternion = strcmp(value->form, last) == 0;
    if (strcmp(value->form, euler) == 0)
        memcpy(value->form, "euler_zxz", sizeof "euler_zxz");
    value->count = quaternion ? 4 : 3;
    return quaternion || (strncmp(value->form, euler_, ATTITUDE_AXES) == 0 &&
                          euler_sequence(value->form + ATTITUDE_AXES));
}

/* Reads the one key of an attitude that is a mapping. */
static bool visit_attitude(void *context, scenario *s, const char *key, int line,
                           struct fy_node *value)
{
    setting *attitude = context;
    if (attitude->form[0] != '\0')
        return scenario_wrong(s, line, "attitude is given twice: remove one");
    if (!attitude_form(attitude, key, strlen(key)))
        return scenario_wrong(s, line,
                              "attitude cannot be given as \"" KEY_WORDS
                              "\": write attitude: {euler_zyx: [a, b, c]}, or another sequence, or "
                              "{xyzw: [x, y, z, w]}",
                              key);
    const size_t needed = attitude->count;
    if (!read_numbers(s, line, key, value, attitude))
        return false;
    return attitude->count == needed ||
           scenario_wrong(s, line, "%s needs %zu numbers, not %zu: write all of them", key, needed,
                          attitude->count);
}

/* Reads as many numbers as a key takes. model.c converts those of the start, when the kind is
 * known. */
static bool read_form(scenario *s, int line, const setting_key *k, struct fy_node *node,
                      setting *value)
{
    const bool list = node != NULL && fy_node_is_sequence(node);
    if (list != (k->count > 1))
        return scenario_wrong(s, line, "%s needs %s: write %s: %s", k->name,
                              list ? "one number, not a list" : "a list of numbers", k->name,
                              k->form);
    return read_numbers(s, line, k->name, node, value) &&
           (value->count == k->count ||
            scenario_wrong(s, line, "%s needs %zu numbers, not %zu: write %s: %s", k->name,
                           k->count, value->count, k->name, k->form)) &&
           (value->of_start || convert_number(s, line, k->name, k->unit, value->unit[0], value->x));
}

static bool read_value(scenario *s, scenario_key which, int line, struct fy_node *node)
{
    const setting_key *k = &scenario_keys[which];
    const bool mapping = node != NULL && fy_node_is_mapping(node);
    setting *value = &s->value[which];
    *value = (setting){.name = k->name, .is_set = true, .line = line, .tree = node};
    if (mapping && which == KEY_PROBLEM)
        value->text = SCENARIO_EXPRESSION;
    if (k->form == NULL || (mapping && (which == KEY_PROBLEM || which == KEY_METHOD)))
        return true; /* a method by the user's own coefficients */
    value->tree = NULL;
    if (k->count > 0)
        return read_form(s, line, k, node, value);
    value->text = scenario_text(s, line, k->name, node);
    return value->text != NULL;
}

static bool read_start(scenario *s, const setting_key *k, int line, struct fy_node *node)
{
    const setting *other = NULL;
    if (k->other != NULL)
        other = scenario_start(s, k->other);
    if (other != NULL)
        return scenario_wrong(s, line, "%s cannot be used with %s (line %d): remove one", k->name,
                              k->other, other->line);
    setting *value = scenario_add_start(s, k);
    value->line = line;
    if (k->list) {
        value->tree = node;
        return true;
    }
    if (strcmp(k->name, "attitude") == 0 && node != NULL && fy_node_is_mapping(node))
        return scenario_mapping(s, line, k->name, node, visit_attitude, value) &&
               (value->form[0] != '\0' ||
                scenario_wrong(s, line, "attitude has no value: write %s", k->form));
    return read_form(s, line, k, node, value);
}

bool scenario_vectors(scenario *s, int line, const char *name, struct fy_node *list, const char *of,
                      size_t width, double **x, size_t *count)
{
    static const char no_vectors[] = "%s needs a list of vectors: write %s: [[x, y, z], ...]";
    if (list == NULL || !fy_node_is_sequence(list))
        return scenario_wrong(s, line, no_vectors, name, name);
    const size_t n = (size_t)fy_node_sequence_item_count(list);
    if (n > MOST_ITEMS)
        return scenario_wrong(s, line,
                              "%s has more than %d vectors: write fewer, or write bodies to a "
                              "table, bodies: FILE.csv",
                              name, MOST_ITEMS);
    double *all = *x = memory_new(n * width, sizeof *all);
    void *at = NULL;
    struct fy_node *item;
    bool good = true;
    for (*count = 0; good && (item = fy_node_sequence_iterate(list, &at)) != NULL;
         ++*count, all += width) {
        const char *unit[PH_ARRAY_WIDTH] = {NULL};
        size_t numbers;
        int there = line;
        good = (width == 1 || fy_node_is_sequence(item) ||
                scenario_wrong(s, line, no_vectors, name, name)) &&
               read_list(s, &there, name, ": a vector", item, width, all, unit, &numbers) &&
               (numbers == width ||
                scenario_wrong(s, there, "%s: a vector has %zu numbers instead of %zu: write all",
                               name, numbers, width));
        for (size_t k = 0; good && k < width; k++)
            good = convert_number(s, there, name, of, unit[k], &all[k]);
    }
    return good;
}

/* ---- mappings -------------------------------------------------------------------- */

bool scenario_mapping(scenario *s, int line, const char *what, struct fy_node *mapping,
                      scenario_visitor *each, void *context)
{
    if (mapping == NULL || !fy_node_is_mapping(mapping))
        return scenario_wrong(s, line, "%s is not a mapping: write key: value", what);
    const char *names[MOST_KEYS];
    int lines[MOST_KEYS];
    size_t count = 0;
    void *at = NULL;
    struct fy_node_pair *pair;
    while ((pair = fy_node_mapping_iterate(mapping, &at)) != NULL) {
        struct fy_node *key = fy_node_pair_key(pair);
        if (key != NULL)
            line = yaml_line(key, line);
        const char *name = scenario_text(s, line, "a key", key);
        if (name == NULL)
            return false;
        for (size_t i = 0; i < count; i++) {
            if (strcmp(names[i], name) == 0)
                return scenario_wrong(
                    s, line, "key \"" KEY_WORDS "\" occurs twice, first in line %d: remove one",
                    name, lines[i]);
        }
        if (count == MOST_KEYS)
            return scenario_wrong(s, line, "%s has more than %d keys: write fewer", what,
                                  MOST_KEYS);
        names[count] = name;
        lines[count++] = line;
        if (!each(context, s, name, line, fy_node_pair_value(pair)))
            return false;
    }
    return true;
}

/* Returns the choices of a parameter, which are its unit, "spce|tip3p|tip4p"; or NULL. */
static const char *choices_of(const char *name)
{
    ph_problem_facts p;
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        const ph_parameter *x = ROW_NAMED(p.parameters, p.parameter_count, name);
        if (x != NULL && strchr(x->unit, '|') != NULL)
            return x->unit;
    }
    return NULL;
}

bool scenario_take_word(setting *parameter, const char *text, const char **choices)
{
    static const char table[] = "_table";
    const size_t length = strlen(parameter->name), end = strlen(table);
    const char *all = choices_of(parameter->name);
    parameter->text = text;
    int number = 0;
    for (const char *at = all; at != NULL && *at != '\0'; number++) {
        const size_t of = strcspn(at, "|");
        if (strlen(text) == of && memcmp(at, text, of) == 0) {
            parameter->count = 1;
            parameter->x[0] = number;
            return true;
        }
        at += of + (at[of] == '|');
    }
    parameter->x[0] = 0.0;
    *choices = strspn(text, "+-.0123456789") == 0 ? all : NULL;
    return length > end && strcmp(parameter->name + length - end, table) == 0;
}

static bool visit_parameter(void *context, scenario *s, const char *key, int line,
                            struct fy_node *value)
{
    (void)context;
    setting *added = scenario_add_parameter(s, key, strlen(key));
    if (added == NULL)
        return scenario_wrong(
            s, line, "there are too many parameters for \"" KEY_WORDS "\": remove it", key);
    added->line = line;
    const char *choices = NULL, *word = NULL;
    if (value != NULL && fy_node_is_scalar(value))
        word = fy_node_get_scalar0(value);
    if (scenario_take_word(added, text_or(word, ""), &choices))
        return added->count > 0 || scenario_text(s, line, key, value) != NULL;
    if (choices != NULL && word != NULL)
        return scenario_wrong(s, line, KEY_WORDS ": %s: write one of %s", key, word, choices);
    added->text = NULL;
    return read_numbers(s, line, key, value, added);
}

/* Reads a key at the top of the scenario or, if there is a context, a key of `output`. */
static bool visit_key(void *context, scenario *s, const char *name, int line, struct fy_node *value)
{
    const bool output = context != NULL;
    const char **names = memory_new(KEY_COUNT + 2, sizeof *names);
    size_t count = 0, kinds;
    setting_key start;
    for (scenario_key k = 0; k < KEY_COUNT; k++) {
        if ((k == KEY_FILE || k == KEY_EVERY) != output)
            continue;
        if (strcmp(name, scenario_keys[k].name) == 0)
            return read_value(s, k, line, value);
        names[count++] = scenario_keys[k].name;
    }
    if (output)
        return scenario_unknown(s, line, name, names, count);
    if (key_find_start(name, &start))
        return read_start(s, &start, line, value);
    if (strcmp(name, "parameters") == 0)
        return scenario_mapping(s, line, name, value, visit_parameter, NULL);
    if (strcmp(name, "output") == 0)
        return scenario_mapping(s, line, name, value, visit_key, s);
    names[count++] = "parameters";
    names[count++] = "output";
    const ph_kind *const *kind = ph_kinds(&kinds);
    for (size_t i = 0; i < kinds; i++) {
        names = memory_more(names, count + kind[i]->start_count, sizeof *names);
        for (size_t k = 0; k < kind[i]->start_count; k++) {
            const char *part = names[count] = kind[i]->start[k].name;
            size_t same = 0;
            while (strcmp(names[same], part) != 0)
                same++;
            count += same == count; /* kinds may share it */
        }
    }
    return scenario_unknown(s, line, name, names, count);
}

/* ---- the file -------------------------------------------------------------------- */

bool scenario_read(scenario *s, const char *path)
{
    s->path = text_of_path(path, "standard input");
    if (!read_document(s, path))
        return false;
    if (s->document->root == NULL)
        return scenario_wrong(s, 1, "the scenario is empty: write key: value");
    struct fy_node *root = s->document->root, *problem = NULL;
    if (fy_node_is_mapping(root))
        problem = fy_node_mapping_lookup_by_string(root, "problem", (size_t)-1);
    if (problem != NULL && fy_node_is_scalar(problem))
        time_unit_of(fy_node_get_scalar0(problem));
    return scenario_mapping(s, 1, "the scenario", root, visit_key, NULL);
}
