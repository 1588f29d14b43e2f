/* commandline.c - whole command lines, made of what there is.
 *
 * Bytes choose a command, then options of its table and values in the form that the table
 * shows, first those of a form that its usage shows: names out of the lists, numbers at the ends of their range, next to each other
 * and next to what was there before. What an option is not made for comes, too. A byte
 * more than the input has is 0.
 */
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/extremes.h"
#include "fuzz.h"
#include "system/find.h"
#include "system/kind.h"
#include "tool/files/scenario.h"
#include "tool/list/list_command.h"

enum { MOST_WORDS = 24, TEXT = 400, MOST_FILE = 2000 };

#define MOST_STEPS   500.0 /* of a run: longer ones are left out */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- the bytes ------------------------------------------------------------------- */

static const uint8_t *input, *input_end;

static unsigned next(void)
{
    return input < input_end ? *input++ : 0;
}

static size_t below(size_t count)
{
    const size_t high = count > UINT8_MAX ? next() : 0;
    return count == 0 ? 0 : (high << 8 | next()) % count;
}

static bool once_in(size_t count)
{
    return below(count) == 1; /* not at the end of the input */
}

/* ---- texts ----------------------------------------------------------------------- */

typedef struct text {
    size_t length;
    char bytes[MOST_FILE];
} text;

__attribute__((format(printf, 2, 3))) static void add(text *t, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(t->bytes + t->length, MOST_FILE - t->length, format, values);
    va_end(values);
    t->length += length < 0 ? 0 : (size_t)length;
    if (t->length >= MOST_FILE)
        t->length = MOST_FILE - 1;
}

/* Bytes as they come, but no way out of the folder. */
static void add_raw(text *t)
{
    for (size_t n = below(16); n > 0; n--) {
        const unsigned c = next();
        add(t, "%c", c == 0 || c == '/' ? '_' : (int)c);
    }
}

/* ---- numbers --------------------------------------------------------------------- */

/* What was drawn last, the last step, and what bounds the length of a run. */
static double last, before_last, step, shortest_step, longest_time;

static double from_bytes(void)
{
    unsigned char bytes[sizeof(double)];
    double x;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)next();
    memcpy(&x, bytes, sizeof x);
    return x;
}

static double draw_number(void)
{
    static const double special[] = {0.0,    -0.0,    1.0,    -1.0,    0.1,       1e-16,    1e16,
                                     1e-8,   1e8,     1e-100, 1e100,   1e-160,    1e160,    1e-300,
                                     1e300,  DBL_MIN, 0.5,    DBL_MAX, 0x1p-1074, 0x1p-537, 0x1p511,
                                     0x1p53, 2.0,     3.0,    NAN,     INFINITY,  -INFINITY};
    switch (below(16)) {
    case 0:
    case 13:
        return (double)below(10);
    case 1:
    case 14:
        return ((double)next() - 128.0) / 16.0;
    case 2:
        return special[below(COUNT(special))];
    case 3:
        return last;
    case 4:
        return nextafter(last, INFINITY);
    case 5:
        return nextafter(last, -INFINITY);
    case 6:
        return last + before_last;
    case 7:
        return nextafter(last + before_last, INFINITY);
    case 8:
        return last * (double)below(64);
    case 9:
        return -last;
    case 10:
        return ldexp((double)next() - 128.0, (int)(8 * next()) - 1100);
    case 11:
        return last / 2.0;
    default:
        return from_bytes();
    }
}

static double add_drawn(text *t, double x)
{
    before_last = last;
    last = x;
    if (once_in(32))
        add_raw(t);
    else
        add(t, once_in(8) ? "%a" : "%.17g", x);
    return x;
}

static double add_number(text *t)
{
    return add_drawn(t, draw_number());
}

static void add_numbers(text *t, size_t count, const char *between)
{
    for (size_t i = 0; i < count; i++) {
        add(t, "%s", i == 0 ? "" : between);
        (void)add_number(t);
    }
}

/* The number of an option or key. Steps and times are watched; most times are some
 * steps. */
static void add_number_of(text *t, const char *name)
{
    const bool time = strstr(name, "time") != NULL;
    const double x =
        time && step != 0.0 && !once_in(4) ? add_drawn(t, step * (double)below(64)) : add_number(t);
    if (time)
        longest_time = larger_or_nan(longest_time, fabs(x));
    if (strstr(name, "step") == NULL)
        return;
    step = isfinite(x) ? x : 0.0;
    if (x != 0.0)
        shortest_step = smaller_or_nan(shortest_step, fabs(x));
}

/* ---- names ----------------------------------------------------------------------- */

static const char *name_in(const list_kind *kind)
{
    size_t count = 0;
    while (kind->at(count).name != NULL)
        count++;
    return count > 0 ? kind->at(below(count)).name : kind->plural;
}

static const list_kind *any_kind(void)
{
    size_t count = 0;
    while (list_kind_at(count) != NULL)
        count++;
    return list_kind_at(below(count));
}

/* The kind that an option is about: --problem, --methods. */
static const list_kind *list_kind_of(const char *name)
{
    name += strspn(name, "-");
    const list_kind *kind;
    for (size_t k = 0; (kind = list_kind_at(k)) != NULL; k++) {
        if (strcmp(name, kind->name) == 0 || strcmp(name, kind->plural) == 0)
            return kind;
    }
    return NULL;
}

static const list_kind *kind_named(const char *name)
{
    const list_kind *kind = list_kind_of(name);
    require(kind != NULL, "there is a list of %s", name);
    return kind;
}

/* An integrator: what has a name of its own, and what is put together. */
static void add_integrator(text *t)
{
    const char *flow = name_in(kind_named("flow"));
    switch (below(8)) {
    case 0:
        add(t, "%s", name_in(kind_named("method")));
        break;
    case 1:
        add(t, "%s", flow);
        break;
    case 2:
        add(t, "%s:%s", flow, name_in(kind_named("composition")));
        break;
    case 3:
        add(t, "%s+circle", name_in(kind_named("scheme")));
        break;
    case 4:
        add(t, "%s+%s:%s", name_in(kind_named("scheme")), flow, name_in(kind_named("composition")));
        break;
    case 5:
        add(t, "%s@%s", name_in(kind_named("method")), name_in(kind_named("composition")));
        break;
    case 6:
        add(t, "%s+%s@%s", name_in(kind_named("scheme")), flow, name_in(kind_named("composition")));
        break;
    default:
        add(t, "%s+%s", name_in(kind_named("scheme")), flow);
        break;
    }
}

static void add_name(text *t, const list_kind *kind)
{
    if (once_in(32))
        add_raw(t);
    else if (kind == kind_named("method"))
        add_integrator(t);
    else
        add(t, "%s", name_in(kind));
}

/* ---- parameters ------------------------------------------------------------------ */

static const char *problem; /* the last one named, or NULL */

/* The name of a problem as the catalog has it, or NULL; and its parameters, unless they could
 * ask for very many bodies. */
static const char *problem_named(const char *name, const ph_parameter **parameters, size_t *count)
{
    ph_problem_facts p;
    *count = 0;
    for (size_t i = 0; name != NULL && ph_problem_at(i, &p); i++) {
        if (strcmp(p.name, name) != 0)
            continue;
        *parameters = p.parameters;
        *count = ph_kind_named(p.kind)->rows_of_each ? 0 : (size_t)p.parameter_count;
        return p.name;
    }
    return NULL;
}

/* A key of a scenario, or of the start of a body. */
static setting_key random_key(void)
{
    const ph_kind *body = ph_kind_named("body");
    const size_t k = below(KEY_COUNT + body->start_count);
    return k < KEY_COUNT ? scenario_keys[k] : key_of_start(&body->start[k - KEY_COUNT]);
}

static void add_parameter(text *t, const char *equals, const char *open, const char *close)
{
    size_t count;
    const ph_parameter *all = NULL;
    (void)problem_named(problem, &all, &count);
    if (count == 0 || once_in(16)) {
        const setting_key k = random_key();
        add(t, "%s%s", k.name, equals);
        add_numbers(t, k.count, ",");
        return;
    }
    const ph_parameter *p = &all[below(count)];
    add(t, "%s%s%s", p->name, equals, p->count > 1 ? open : "");
    add_numbers(t, once_in(16) ? below(8) : (size_t)p->count, ",");
    add(t, "%s", p->count > 1 ? close : "");
}

/* ---- files ----------------------------------------------------------------------- */

static const char scenario_name[] = "in.yaml", cases_name[] = "in.csv";

static void add_file(text *t)
{
    static const char *const names[] = {
        "-",        "out.csv", "out.npy",    "out.xyz", "out.svg",   "out",
        "none/out", "in.yaml", "in.csv",     ".",       "/dev/null", "/dev/full",
        "none",     "out.PNG", "/dev/stdin", "",
    };
    add(t, "%s", names[below(COUNT(names))]);
}

static void write_scenario(void)
{
    text t = {0};
    for (size_t n = below(12); n > 0; n--) {
        const setting_key k = random_key();
        if (once_in(12)) {
            add(&t, "parameters: {");
            add_parameter(&t, ": ", "[", "]");
            add(&t, "}\n");
            continue;
        }
        if (strcmp(k.name, "file") == 0 || strcmp(k.name, "every") == 0) {
            add(&t, "output: {file: ");
            add_file(&t);
            add(&t, ", every: ");
            add_numbers(&t, 1, "");
            add(&t, "}\n");
            continue;
        }
        const char *name = k.name;
        const size_t numbers = k.count;
        add(&t, "%s: %s", name, numbers > 1 ? "[" : "");
        if (numbers == 1)
            add_number_of(&t, name);
        else if (numbers > 1)
            add_numbers(&t, numbers, ", ");
        else if (list_kind_of(name) != NULL)
            add_name(&t, list_kind_of(name));
        else {
            add(&t, "[");
            for (size_t i = below(4) + 1; i > 0; i--) {
                add(&t, "[");
                add_numbers(&t, 3, ", ");
                add(&t, "]%s", i > 1 ? ", " : "]");
            }
        }
        add(&t, "%s\n", numbers > 1 ? "]" : "");
    }
    write_file(scenario_name, t.bytes, t.length);
}

static void write_cases(void)
{
    text t = {0};
    add(&t, "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3%s\n", once_in(2) ? ",t" : "");
    for (size_t n = below(4); n > 0; n--) {
        add_numbers(&t, once_in(2) ? 11 : 10, ",");
        add(&t, "\n");
    }
    write_file(cases_name, t.bytes, t.length);
}

/* ---- the words ------------------------------------------------------------------- */

static text words[MOST_WORDS];
static size_t count;

static text *new_word(void)
{
    text *t = &words[count < MOST_WORDS ? count++ : MOST_WORDS - 1];
    t->length = 0;
    t->bytes[0] = '\0';
    return t;
}

/* A list of instants, or start:end:count. */
static void add_instants(text *t, const char *name)
{
    const size_t n = 1 + below(4);
    if (once_in(3)) {
        add_numbers(t, 2, ":");
        add(t, ":%zu", below(100));
        return;
    }
    for (size_t i = 0; i < n; i++) {
        add(t, "%s", i == 0 ? "" : ",");
        add_number_of(t, name);
    }
}

/* A value in the form that the help shows, or in none. */
static const char *const column_words[] = {"t",
                                           "q",
                                           "q0",
                                           "qx",
                                           "m",
                                           "w",
                                           "I",
                                           "x",
                                           "body",
                                           "energy",
                                           "R",
                                           "euler",
                                           "euler_zyx",
                                           "euler_dock_xyx",
                                           "w1",
                                           "w_space",
                                           "q_dock",
                                           "m_dock2",
                                           "energy_error",
                                           "space_momentum",
                                           "rotvec3",
                                           "mass",
                                           "attitude",
                                           "q1",
                                           "q2x",
                                           "euler_xxz",
                                           "temperature",
                                           "momentum_error"};
static const char *const date_words[] = {"2026-01-01T00:00:00", "2024-366T23:59:59.999999999Z",
                                         "9999-12-31T23:59:59", "2026-02-30T00:00:00"};

static void add_value(text *t, const option *o)
{
    const list_kind *kind = list_kind_of(o->name);
    const bool several = strstr(o->value, "...") != NULL;
    size_t commas = 0;
    for (const char *c = o->value; *c != '\0'; c++)
        commas += *c == ',';
    if (once_in(24)) {
        add_raw(t);
    } else if (once_in(24)) {
        add_name(t, any_kind());
    } else if (strstr(o->value, "FILE") != NULL || strstr(o->value, "DIR") != NULL) {
        add_file(t);
    } else if (kind != NULL) {
        for (size_t n = commas > 0 ? below(3) + 1 : 1; n > 0; n--) {
            add_name(t, kind);
            add(t, "%s", n > 1 ? "," : "");
        }
    } else if (strcmp(o->value, "NAME") == 0) {
        size_t n = 0;
        const ph_kind *const *kinds = ph_kinds(&n);
        add(t, "%s", kinds[below(n)]->name);
    } else if (strcmp(o->value, "COLUMN,...") == 0) {
        for (size_t n = below(4) + 1; n > 0; n--)
            add(t, "%s%s", column_words[below(COUNT(column_words))], n > 1 ? "," : "");
    } else if (strcmp(o->value, "DATE") == 0) {
        add(t, "%s", date_words[below(COUNT(date_words))]);
    } else if (strncmp(o->value, "NAME=", strlen("NAME=")) == 0) {
        add(t, "dock=");
        add_numbers(t, once_in(24) ? below(8) : 4, ",");
    } else if (strchr(o->value, '=') != NULL) {
        add_parameter(t, "=", "", "");
    } else if (several) {
        add_instants(t, o->name);
    } else if (commas > 0) {
        add_numbers(t, once_in(24) ? below(8) : commas + 1, ",");
    } else {
        add_number_of(t, o->name);
    }
}

static void add_option(const option *o)
{
    text *word = new_word();
    add(word, "%s", o->name);
    if (o->value[0] == '\0')
        return;
    text *value = word;
    if (once_in(4))
        add(word, "=");
    else
        value = new_word();
    const size_t begin = value->length;
    add_value(value, o);
    if (list_kind_of(o->name) == kind_named("problem")) {
        const ph_parameter *unused;
        size_t unused_count;
        problem = problem_named(value->bytes + begin, &unused, &unused_count);
    }
}

/* The options that stand in one of the forms of the command, of those in brackets some;
 * and its operands, in capitals. */
static void add_form(const command *c)
{
    static const char head[] = "\nUsage:\n", indent[] = "    polhode ";
    char usage[1000], *rest;
    size_t option_count;
    const option *options = options_read(c, &option_count);
    size_t forms = 0;
    const char *form = strstr(c->help, head) + strlen(head);
    for (const char *at = form; *at == ' '; at = strchr(at, '\n') + 1)
        forms++;
    for (size_t skip = below(forms); skip > 0; skip--)
        form = strchr(form, '\n') + 1;
    form += strlen(indent);
    (void)snprintf(usage, sizeof usage, "%.*s", (int)strcspn(form, "\n"), form);
    (void)strtok_r(usage, " ", &rest); /* its name */
    for (char *word = strtok_r(NULL, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        const bool optional = *word == '[';
        word += optional;
        word[strcspn(word, "]")] = '\0';
        if (optional && !once_in(2))
            continue;
        for (const option *o = options; o < options + option_count; o++) {
            if (strcmp(o->name, word) == 0)
                add_option(o);
        }
        if (strncmp(word, "SCENARIO", 8) == 0)
            add(new_word(), "%s", scenario_name);
        else if (strcmp(word, "METHOD...") == 0)
            add_integrator(new_word());
    }
}

/* Most words are options; operands are a scenario, and names. */
static void add_words(const command *c)
{
    size_t option_count;
    const option *options = options_read(c, &option_count);
    switch (below(16)) {
    case 13:
        add(new_word(), "%s", scenario_name);
        break;
    case 14:
        add_name(new_word(), any_kind());
        break;
    case 15:
        switch (below(4)) {
        case 0:
            add_raw(new_word());
            break;
        case 1:
            add(new_word(), "%s", any_kind()->plural);
            break;
        case 2:
            add(new_word(), "--help");
            break;
        default:
            add(new_word(), "--");
            break;
        }
        break;
    default:
        if (option_count == 0)
            add(new_word(), "--help");
        else
            add_option(&options[below(option_count)]);
        break;
    }
}

static void add_command(const command **c)
{
    const command *const *all = tool_commands();
    size_t commands = 0;
    while (all[commands] != NULL)
        commands++;
    *c = all[below(commands)];
    if (!once_in(64))
        add(new_word(), "%s", (*c)->name);
    else if (once_in(2))
        add(new_word(), "help");
    else
        add_raw(new_word());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const command *c;
    input = data;
    input_end = data + size;
    count = 0;
    problem = NULL;
    last = 1.0;
    before_last = 1.0;
    step = 0.0;
    shortest_step = INFINITY;
    longest_time = 0.0;
    add_command(&c);
    if (!once_in(4))
        add_form(c);
    for (size_t n = below(8); n > 0 && count + 2 <= MOST_WORDS; n--)
        add_words(c);
    write_scenario();
    write_cases();
    const char *line[MOST_WORDS];
    for (size_t i = 0; i < count; i++)
        line[i] = words[i].bytes;
    if (!(longest_time / shortest_step > MOST_STEPS))
        (void)run_tool(count, line);
    empty_folder();
    return 0;
}
