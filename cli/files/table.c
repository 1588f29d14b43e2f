/* table.c - a file of rows as an instant after the other. */
#include "cli/files/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What runs write without names, by the number of columns. */
static const char *const rows_of_runs[] = {
    "t,q0,q1,q2,q3,m1,m2,m3,w1,w2,w3,energy",
    "t,body,x,y,z,px,py,pz,q0,q1,q2,q3,m1,m2,m3,energy,mass,I1,I2,I3,d1,d2,d3"};

/* Gives names to columns that have none. */
static bool name_columns(table *t)
{
    csv *c = t->in;
    if (!c->unnamed)
        return true;
    const size_t room = 32 * c->columns + LINE_LONGEST;
    const char *known = NULL;
    char *text = malloc(room), *at = text;
    if (text == NULL)
        return false;
    t->names = text;
    for (size_t i = 0; i < sizeof rows_of_runs / sizeof rows_of_runs[0]; i++) {
        size_t count = 1;
        for (const char *x = rows_of_runs[i]; *x != '\0'; x++)
            count += *x == ',';
        if (count == c->columns)
            known = rows_of_runs[i];
    }
    (void)snprintf(text, room, "%s", known != NULL ? known : "");
    for (size_t i = 0; i < c->columns && known == NULL; i++)
        at += sprintf(at, "%sc%zu", i == 0 ? "" : ",", i + 1);
    at = text;
    for (size_t i = 0; i < c->columns; i++) {
        c->column[i] = at;
        at += strcspn(at, ",");
        if (*at != '\0')
            *at++ = '\0';
    }
    c->unnamed = false;
    return true;
}

/* How many columns from one on are the components of a vector. */
static size_t components(const csv *c, size_t first)
{
    const char *name = c->column[first];
    static const char last[] = "0123456789xyz";
    size_t n = 1;
    if (name[0] == '\0' || strchr(last, name[strlen(name) - 1]) == NULL)
        return 1;
    const size_t stem = strlen(name) - 1;
    while (first + n < c->columns && n < PH_FIELD_WIDTH) {
        const char *next = c->column[first + n];
        if (strlen(next) != stem + 1 || strncmp(next, name, stem) != 0 ||
            next[stem] != name[stem] + (char)n)
            break;
        n++;
    }
    return n;
}

/* The name of the field that is made of columns that begin so. */
static const char *field_name(const char *first, size_t stem, size_t n, char *room)
{
    static const struct {
        const char *columns, *name;
        size_t width;
    } known[] = {{"q0", "attitude", 4},
                 {"m1", "momentum", 3},
                 {"w1", "velocity", 3},
                 {"x", "positions", 3}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (n == known[i].width && strcmp(first, known[i].columns) == 0)
            return known[i].name;
    }
    (void)sprintf(room, "%.*s", (int)(n == 1 ? stem + 1 : stem), first);
    return room;
}

static bool make_fields(table *t)
{
    csv *c = t->in;
    char *old = t->names;
    size_t length = 1;
    for (size_t i = 0; i < c->columns; i++)
        length += 2 * (strlen(c->column[i]) + 2);
    char *room = malloc(length);
    t->row = calloc(c->columns + 1, sizeof *t->row);
    t->field = calloc(c->columns + 1, sizeof *t->field);
    t->observable = calloc(c->columns + 1, sizeof *t->observable);
    if (room == NULL || t->row == NULL || t->field == NULL || t->observable == NULL) {
        free(room);
        return false;
    }
    char *at = room;
    t->now = (instant){.field = t->field, .observable = t->observable};
    for (size_t i = 0; i < c->columns;) {
        const size_t n = components(c, i), stem = strlen(c->column[i]) - 1;
        ph_field *f = &t->field[t->now.fields];
        char *columns_text = at;
        for (size_t k = 0; k < n; k++)
            at += sprintf(at, "%s%s", k == 0 ? "" : ",", c->column[i + k]);
        at++;
        *f = (ph_field){.name = field_name(c->column[i], stem, n, at),
                        .unit = "",
                        .text = "",
                        .columns = columns_text,
                        .use = PH_FIELD_SHOWN,
                        .width = (int)n,
                        .count = 1,
                        .stride = 1};
        at += strlen(f->name) + 1;
        for (size_t k = 0; k < n; k++)
            f->data[k] = &t->row[i + k];
        if (i != t->time)
            t->now.fields++;
        if (n == 1 && i != t->time)
            t->observable[t->now.observables++] = (ph_observable){
                .name = c->column[i], .unit = "", .width = 1, .relative = true};
        i += n;
    }
    /* names of columns without any stay where they are */
    t->names = room;
    t->kept = old;
    return true;
}

bool table_open(table *t, const char *path, const volatile sig_atomic_t *stop)
{
    *t = (table){0};
    t->in = csv_open(path, stop, t->message);
    if (t->in == NULL)
        return false;
    const csv_status status = csv_header(t->in);
    if (status != CSV_OK) {
        (void)snprintf(t->message, CSV_MESSAGE, "%s",
                       status == CSV_END ? "" : t->in->message);
        if (status == CSV_END)
            (void)snprintf(t->message, CSV_MESSAGE,
                           "%.100s is empty: its first line names the columns",
                           t->in->name);
        return false;
    }
    if (!name_columns(t)) {
        (void)snprintf(t->message, CSV_MESSAGE, "no memory left: close other programs");
        return false;
    }
    t->time = csv_column(t->in, "t");
    if (make_fields(t))
        return true;
    (void)snprintf(t->message, CSV_MESSAGE, "no memory left: close other programs");
    return false;
}

void table_close(table *t)
{
    csv_close(t->in);
    free(t->row);
    free(t->names);
    free(t->kept);
    free(t->field);
    free(t->observable);
}

/* Attitudes are of unit length, up to the digits of a file. */
static csv_status check_attitude(table *t)
{
    const double most = 1e-3;
    for (size_t i = 0; i < t->now.fields; i++) {
        const ph_field *f = &t->field[i];
        double square = 0.0;
        if (strcmp(f->name, "attitude") != 0)
            continue;
        for (int k = 0; k < f->width; k++)
            square += *f->data[k] * *f->data[k];
        if (!(fabs(square - 1.0) <= most))
            return csv_wrong(t->in,
                             ": q0 to q3 are not of unit length: write an attitude");
    }
    return CSV_OK;
}

csv_status table_next(table *t)
{
    csv_status status = csv_row(t->in, t->row);
    if (status == CSV_OK)
        status = check_attitude(t);
    if (status != CSV_OK) {
        (void)snprintf(t->message, CSV_MESSAGE, "%s", t->in->message);
        return status;
    }
    t->now.t = t->time < t->in->columns ? t->row[t->time] : (double)t->rows;
    for (size_t i = 0; i < t->now.observables; i++) {
        ph_observable *o = &t->observable[i];
        o->now[0] = t->row[csv_column(t->in, o->name)];
        if (t->rows == 0)
            o->start[0] = o->now[0];
    }
    t->rows++;
    return CSV_OK;
}

const char *table_epoch(const table *t, char text[EPOCH_TEXT])
{
    enum { DECIMALS = 9 };
    return t->in->is_message ? epoch_text(text, t->in->attitudes.zero, DECIMALS) : NULL;
}
