/* bodies.c - what differs from body to body: columns of a file, or draws around one body. */
#define _POSIX_C_SOURCE 200809L
#include "bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counter_random.h"
#include "base/hash.h"
#include "base/named.h"
#include "cli/files/csv.h"
#include "cli/files/euler.h"
#include "cli/tool/tool.h"
#include "rotation/vec.h"
#include "system/find.h"

void bodies_free(body_list *b)
{
    free(b->each);
    free(b->columns);
    free(b->names);
    free(b->values);
}

int bodies_refuse(const body_list *b, const model *m, size_t body, const ph_message *why)
{
    const size_t own = m->settings.setting_count, k = (size_t)why->setting - own;
    const bool named = why->setting >= (int)own;
    return fail_usage(WORDS " %s %llu%s%s: %s", b->place, b->word, b->first + body,
                      named ? ", " : "", named ? b->columns[k] : "", why->text);
}

/* ---- what there is ------------------------------------------------------------------ */

/* A part of the start or a parameter that a body can have of its own. */
typedef struct quantity {
    const char *name, *unit;
    char columns[COLUMN_NAME]; /* "I1,I2,I3" */
    size_t count;
    const ph_parameter *parameter; /* or NULL */
} quantity;

/* Number i, from 0; false past the last. */
static bool quantity_at(const model *m, const ph_system *base, size_t i, quantity *out)
{
    size_t parameters;
    const double *values;
    const ph_parameter *p = ph_system_parameters(base, &parameters, &values);
    if (i < m->kind->start_count) {
        const ph_start_array *f = &m->kind->start[i];
        *out = (quantity){f->name, f->unit, "", f->list ? 0 : (size_t)f->width, NULL};
        (void)snprintf(out->columns, sizeof out->columns, "%s", f->columns);
        return true;
    }
    i -= m->kind->start_count;
    if (i >= parameters)
        return false;
    *out = (quantity){p[i].name, p[i].unit, "", (size_t)p[i].count, &p[i]};
    char word[COLUMN_NAME];
    for (int k = 1; k <= p[i].count; k++) {
        (void)snprintf(word, sizeof word, p[i].count > 1 ? "%s%d" : "%s", p[i].name, k);
        (void)snprintf(out->columns + strlen(out->columns),
                       sizeof out->columns - strlen(out->columns), "%s%s",
                       k > 1 ? "," : "", word);
    }
    return true;
}

/* Room for as many quantities as there are. */
static int make_room(body_list *b, const model *m, const ph_system *base)
{
    size_t most = 1;
    quantity q;
    while (quantity_at(m, base, most - 1, &q))
        most++;
    b->each = calloc(most, sizeof *b->each);
    b->columns = calloc(most, sizeof *b->columns);
    return b->each && b->columns ? 0 : fail_memory();
}

static void add_each(body_list *b, const quantity *q, const char *columns)
{
    (void)snprintf(b->columns[b->each_count], COLUMN_NAME, "%s", columns);
    b->each[b->each_count++] = (ph_each){.name = q->name, .count = q->count, .across = 1};
}

/* The numbers of all bodies: `values`, of `width` numbers a body. */
static void set_values(body_list *b, size_t width)
{
    size_t at = 0;
    for (size_t k = 0; k < b->each_count; at += b->each[k++].count) {
        b->each[k].values = b->values + at;
        b->each[k].along = width;
    }
}

/* ---- columns of a file ------------------------------------------------------------- */

typedef struct case_columns {
    csv *in;
    bool *taken;
    size_t from[CSV_COLUMNS]; /* which column of the file is which number */
    const char *unit[CSV_COLUMNS];
    size_t width;
    size_t
        euler; /* the first number of the attitude in Euler angles; none if too large */
    char sequence[4];
} case_columns;

/* Takes the columns of a quantity if there is one of them; then all have to be there. */
static int take_columns(body_list *b, case_columns *c, const quantity *q,
                        const char *columns)
{
    const csv *in = c->in;
    size_t found = 0, count = 0;
    char missing[COLUMN_NAME] = "";
    for (const char *at = columns; count < q->count; count++) {
        char name[COLUMN_NAME];
        const int length = (int)strcspn(at, ",");
        (void)snprintf(name, sizeof name, "%.*s", length, at);
        at += length + (at[length] == ',');
        const size_t k = csv_column(in, name);
        if (k == in->columns) {
            memcpy(missing, name, sizeof name);
            continue;
        }
        c->taken[k] = true;
        c->from[c->width + found] = k;
        c->unit[c->width + found++] = q->unit;
    }
    REFUSE_IF(found > 0 && found < count,
              WORDS " line 1: column %s is missing: write %s, or none of them", in->name,
              missing, columns);
    if (found > 0)
        add_each(b, q, columns);
    c->width += found;
    return 0;
}

/* Euler angles of any sequence are an attitude. */
static int take_euler(body_list *b, case_columns *c)
{
    const size_t prefix = strlen("euler_");
    char columns[COLUMN_NAME];
    c->euler = CSV_COLUMNS;
    for (size_t k = 0; k < c->in->columns; k++) {
        const char *name = c->in->column[k];
        if (strncmp(name, "euler_", prefix) != 0 || strlen(name) != prefix + 4)
            continue;
        memcpy(c->sequence, name + prefix, 3);
        if (!euler_sequence(c->sequence))
            continue;
        (void)snprintf(columns, sizeof columns, "euler_%s1,euler_%s2,euler_%s3",
                       c->sequence, c->sequence, c->sequence);
        c->euler = c->width;
        TRY(take_columns(b, c, &(quantity){"attitude", "rad", "", 3, NULL}, columns));
        c->from[c->width] = c->from[c->width - 1]; /* four numbers come out of three */
        c->unit[c->width++] = "1";
        b->each[b->each_count - 1].count = 4;
        return 0;
    }
    return 0;
}

static int take_all_columns(body_list *b, case_columns *c, const model *m,
                            const ph_system *base)
{
    nearest near_by = {0};
    quantity q;
    TRY(make_room(b, m, base));
    c->taken = calloc(c->in->columns + 1, sizeof *c->taken);
    if (c->taken == NULL)
        return fail_memory();
    TRY(take_euler(b, c));
    for (size_t i = 0; quantity_at(m, base, i, &q); i++)
        TRY(take_columns(b, c, &q, q.columns));
    for (size_t k = 0; k < c->in->columns; k++) {
        if (c->taken[k])
            continue;
        near_by.wrong = c->in->column[k];
        for (size_t i = 0; quantity_at(m, base, i, &q); i++) {
            char *next = q.columns;
            for (char *name = strtok_r(next, ",", &next); name != NULL;
                 name = strtok_r(NULL, ",", &next))
                ph_nearest_add(&near_by, "%s", name);
        }
        char place[CSV_MESSAGE];
        (void)snprintf(place, sizeof place, WORDS " line 1: ", c->in->name);
        return fail_unknown(place, "column", &near_by, "`polhode help run`");
    }
    return 0;
}

static int read_rows(body_list *b, case_columns *c, bool degrees)
{
    csv *in = c->in;
    double *rows = NULL;
    csv_status status = csv_rows(in, &rows, &b->count);
    if (status == CSV_END && b->count > 0)
        b->values = malloc(b->count * (c->width + 1) * sizeof *b->values);
    for (size_t i = 0; b->values != NULL && i < b->count; i++) {
        double *x = b->values + i * c->width;
        for (size_t k = 0; k < c->width; k++) {
            x[k] = rows[i * in->columns + c->from[k]];
            (void)quantity_convert(c->unit[k], degrees, NULL, &x[k]);
        }
        if (c->euler < c->width) {
            const ph_quat q = euler_attitude(c->sequence, &x[c->euler]);
            memcpy(&x[c->euler], &q, sizeof q);
        }
    }
    if (status == CSV_STOPPED)
        return EXIT_INTERRUPTED;
    REFUSE_IF(status == CSV_WRONG, "%s", in->message);
    REFUSE_IF(b->count == 0, WORDS " has no bodies: write a line for each", in->name);
    return b->values == NULL ? fail_memory() : 0;
}

static int read_cases(body_list *b, const model *m, const ph_system *base,
                      const char *path)
{
    static case_columns c;
    char message[CSV_MESSAGE];
    c = (case_columns){.in = csv_open(path, &interrupted, message)};
    REFUSE_IF(c.in == NULL, "%s", message);
    file_read(path);
    const csv_status head = csv_header(c.in);
    int status =
        head == CSV_STOPPED ? EXIT_INTERRUPTED
        : head == CSV_END
            ? fail_usage(WORDS " is empty: its first line names the columns", path)
        : head == CSV_WRONG ? fail_usage("%s", c.in->message)
        : c.in->unnamed
            ? fail_usage(WORDS " has columns without names: save records with fields "
                               "I1, w1 and so on",
                         path)
            : take_all_columns(b, &c, m, base);
    b->place = path;
    b->word = c.in->row;
    b->first = c.in->array ? 1 : 2;
    if (status == 0)
        status = read_rows(b, &c, m->input->degrees);
    set_values(b, c.width);
    free(c.taken);
    csv_close(c.in);
    return status;
}

/* ---- draws around one body ----------------------------------------------------------- */

/* A quantity that is drawn: its mean, and how far each number is spread about it. */
typedef struct spread {
    quantity of;
    double mean[KEY_NUMBERS], deviation[KEY_NUMBERS];
    ph_quat axes; /* of moments that are given as a tensor */
    bool turned, moments, attitude;
} spread;

/* Normal numbers of sample k, by the name of what is drawn and the number of the draw. */
static void draw(uint64_t seed, size_t k, const char *name, uint64_t attempt, double *out,
                 size_t count)
{
    const uint64_t of = hash_bytes(HASH_BEGIN, name, strlen(name)) << 32 | attempt << 8;
    for (size_t i = 0; i < count; i += 2) {
        double two[2];
        normal_pair(seed, (const uint64_t[]){k, of | i / 2}, two);
        out[i] = two[0];
        if (i + 1 < count)
            out[i + 1] = two[1];
    }
}

/* The numbers of a sample. False if no body can have them. */
static bool sample(const spread *s, uint64_t seed, size_t k, uint64_t attempt,
                   double *out)
{
    double x[KEY_NUMBERS];
    const size_t count = s->attitude || s->moments ? 3 : s->of.count;
    draw(seed, k, s->of.name, attempt, x, count);
    for (size_t i = 0; i < count; i++)
        x[i] = (s->attitude ? 0.0 : s->mean[i]) + s->deviation[i] * x[i];
    if (s->attitude) {
        const ph_quat q = mul((ph_quat){s->mean[0], s->mean[1], s->mean[2], s->mean[3]},
                              ph_exp(vec3(x[0], x[1], x[2])));
        memcpy(out, &q, sizeof q);
        return true;
    }
    memcpy(out, x, count * sizeof *x);
    for (size_t i = 0; i < count && s->of.parameter != NULL; i++) {
        if (!ph_range_has(s->of.parameter->range, x[i]))
            return false;
    }
    ph_body body;
    if (s->moments && (ph_body_from_moments(&body, vec3(x[0], x[1], x[2])) != PH_OK ||
                       !ph_body_physical(&body)))
        return false;
    if (s->moments && s->turned) {
        const ph_mat3 A = ph_quat_matrix(s->axes);
        const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        for (int i = 0; i < 6; i++) {
            const double *a = A.a[at[i][0]], *c = A.a[at[i][1]];
            out[i] = a[0] * x[0] * c[0] + a[1] * x[1] * c[1] + a[2] * x[2] * c[2];
        }
    }
    return true;
}

/* What NAME stands for: its numbers of the base. */
static int find_spread(spread *s, const model *m, ph_system *base, const char *name)
{
    nearest near_by = {.wrong = name};
    quantity q;
    for (size_t i = 0; quantity_at(m, base, i, &q); i++) {
        if (strcmp(q.name, "tensor") == 0 || strcmp(q.name, "rotvec") == 0 ||
            q.count == 0)
            continue;
        ph_nearest_add(&near_by, "%s", q.name);
        if (strcmp(q.name, name) != 0)
            continue;
        size_t count;
        const double *values;
        (void)ph_system_parameters(base, &count, &values);
        const ph_array *f = find_field(base,
                                       strcmp(name, "inertia") == 0 ? "moments" : q.name),
                       *axes = find_field(base, "axes");
        *s = (spread){.of = q,
                      .moments = strcmp(name, "inertia") == 0,
                      .attitude = strcmp(name, "attitude") == 0};
        REFUSE_IF((f == NULL && q.parameter == NULL) || q.count > KEY_NUMBERS,
                  "--scatter %s: it cannot be drawn: leave it out", name);
        for (size_t k = 0; k < q.count; k++)
            s->mean[k] = q.parameter ? values[q.parameter->first + (int)k] : *f->data[k];
        if (s->moments && axes != NULL) {
            s->axes =
                (ph_quat){*axes->data[0], *axes->data[1], *axes->data[2], *axes->data[3]};
            s->turned =
                vec(s->axes).x != 0.0 || vec(s->axes).y != 0.0 || vec(s->axes).z != 0.0;
        }
        if (s->turned) {
            s->of.name = "tensor";
            s->of.count = 6;
        }
        return 0;
    }
    return fail_unknown("--scatter: ", "quantity", &near_by, "`polhode help run`");
}

/* 0.1% or a number, with a unit where it has one. */
static int read_deviation(spread *s, const char *name, const char *text, bool degrees)
{
    const size_t count = s->attitude || s->moments ? 3 : s->of.count;
    const char *at = text, *unit = NULL;
    double x, size = 0.0;
    const bool number = quantity_read(&at, &x, &unit) == NUMBER_OK && x >= 0.0,
               relative = number && unit == NULL && strcmp(at, "%") == 0;
    REFUSE_IF(!number ||
                  (!relative &&
                   (*at != '\0' || !quantity_convert(s->attitude ? "rad" : s->of.unit,
                                                     degrees, unit, &x))),
              "--scatter %s=" WORDS ": write a deviation, 0.01, or in per cent, 0.1%%",
              name, text);
    REFUSE_IF(relative && s->attitude,
              "--scatter attitude=" WORDS ": an angle is not relative: write radians",
              text);
    for (size_t k = 0; k < count; k++)
        size = hypot(size, s->mean[k]);
    for (size_t k = 0; k < count; k++)
        s->deviation[k] = !relative    ? x
                          : s->moments ? x / 100.0 * s->mean[k]
                                       : x / 100.0 * size;
    return 0;
}

static int read_whole(const arguments *given, const char *name, double least, double *x)
{
    TRY(argument_numbers(given, name, 1, x));
    REFUSE_IF(!(*x >= least && *x <= 0x1p53 && *x == floor(*x)),
              "%s " WORDS ": write a whole number from %g", name, argument(given, name),
              least);
    return 0;
}

/* All samples of what is drawn. */
static int draw_all(body_list *b, const spread *all, size_t count, uint64_t seed)
{
    enum { MOST = 1000 }; /* draws for one that can be */
    size_t width = 0, at = 0;
    for (size_t k = 0; k < count; k++)
        width += all[k].of.count;
    b->values = malloc(b->count * width * sizeof *b->values + 1);
    if (b->values == NULL)
        return fail_memory();
    for (size_t k = 0; k < count; at += all[k++].of.count) {
        add_each(b, &all[k].of, all[k].of.name);
        for (size_t i = 0; i < b->count; i++) {
            uint64_t attempt = 0;
            while (attempt < MOST &&
                   !sample(&all[k], seed, i, attempt, b->values + i * width + at))
                attempt++;
            REFUSE_IF(
                attempt == MOST,
                "--scatter %s: of %d draws of sample %zu no body can have any: take "
                "a smaller deviation",
                all[k].of.name, (int)MOST, i);
        }
    }
    set_values(b, width);
    return 0;
}

static int draw_samples(body_list *b, const model *m, ph_system *base,
                        const arguments *given)
{
    enum { MOST = 40 };
    spread *all = calloc(MOST, sizeof *all);
    double samples = 0.0, seed = 0.0;
    size_t count = 0;
    b->names = strdup(argument(given, "--scatter"));
    if (all == NULL || b->names == NULL) {
        free(all);
        return fail_memory();
    }
    int status = refuse_missing(
        given, &(need){"--samples", argument(given, "--samples") != NULL}, 1);
    if (status == 0)
        status = read_whole(given, "--samples", 1.0, &samples);
    if (status == 0 && argument(given, "--seed") != NULL)
        status = read_whole(given, "--seed", 0.0, &seed);
    b->count = (size_t)samples;
    b->place = "--scatter";
    b->word = "sample";
    char *next = b->names;
    for (char *word = strtok_r(b->names, ",", &next); status == 0 && word != NULL;
         word = strtok_r(NULL, ",", &next)) {
        char *equals = strchr(word, '=');
        if (equals == NULL || count == MOST) {
            status = fail_usage("--scatter " WORDS ": write NAME=DEVIATION,...", word);
            break;
        }
        *equals = '\0';
        for (size_t k = 0; status == 0 && k < count; k++) {
            if (strcmp(all[k].of.name, word) == 0)
                status = fail_usage("--scatter: %s stands twice: leave one out", word);
        }
        if (status == 0)
            status = find_spread(&all[count], m, base, word);
        if (status == 0)
            status = read_deviation(&all[count++], word, equals + 1, m->input->degrees);
    }
    if (status == 0)
        status = make_room(b, m, base);
    if (status == 0)
        status = draw_all(b, all, count, (uint64_t)seed);
    free(all);
    return status;
}

int bodies_read(body_list *b, const model *m, ph_system *base, const arguments *given)
{
    const char *cases = argument(given, "--cases");
    return cases != NULL ? read_cases(b, m, base, cases)
                         : draw_samples(b, m, base, given);
}
