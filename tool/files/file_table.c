/* file_table.c - a file of rows as an instant after the other. */
#include "tool/files/file_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/unit_names.h"
#include "motion/vec.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"

/* What runs write without names, by the number of columns. */
static const char *const rows_of_runs[] = {
    "t,q0,q1,q2,q3,m1,m2,m3,w1,w2,w3,energy",
    "t,body,x,y,z,px,py,pz,q0,q1,q2,q3,m1,m2,m3,energy,mass,I1,I2,I3,d1,d2,d3"};

/* Gives names to columns that have none. */
static void name_columns(csv *c)
{
    char names[LINE_LONGEST + 1] = "";
    size_t used = 0;
    for (size_t i = 0; i < COUNT(rows_of_runs); i++) {
        size_t count = 1;
        for (const char *x = rows_of_runs[i]; *x != '\0'; x++)
            count += *x == ',';
        if (count == c->columns) {
            csv_name_columns(c, rows_of_runs[i]);
            return;
        }
    }
    for (size_t i = 0; i < c->columns; i++) /* an array has at most 512 */
        used += (size_t)snprintf(names + used, sizeof names - used, "%sc%zu", before_item(i, ","),
                                 i + 1);
    csv_name_columns(c, names);
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
    while (first + n < c->columns && n < PH_ARRAY_WIDTH) {
        const char *next = c->column[first + n];
        if (strlen(next) != stem + 1 || strncmp(next, name, stem) != 0 ||
            next[stem] != name[stem] + (char)n || c->unit[first + n] != c->unit[first])
            break;
        n++;
    }
    return n;
}

/* The name of a field of n columns: that of the first; or a known one; or what they begin with. */
static const char *field_name(const char *first, size_t n)
{
    static const struct {
        const char *columns, *name;
        size_t width;
    } known[] = {
        {"q0", "attitude", 4}, {"m1", "momentum", 3}, {"w1", "velocity", 3}, {"x", "positions", 3}};
    for (size_t i = 0; i < COUNT(known); i++) {
        if (n == known[i].width && strcmp(first, known[i].columns) == 0)
            return known[i].name;
    }
    if (n == 1)
        return first;
    return memory_text("%.*s", (int)strlen(first) - 1, first);
}

/* The unit of a column in its field: angles keep that of the file, so that they are copied as they are. */
static const char *field_unit(const csv *c, size_t i, double *factor)
{
    const char *unit = c->unit[i], *known = column_quantity(c->column[i]);
    *factor = 1.0;
    if (unit == NULL)
        return text_or(known, "");
    const ph_unit *u = ph_unit_find(unit, strlen(unit), NULL);
    if (strcmp(u->of, "rad") == 0)
        return unit;
    *factor = u->factor;
    return u->of;
}

static void make_fields(table *t)
{
    csv *c = t->in;
    t->doubtful = c->columns;
    t->factor = memory_new(c->columns, sizeof *t->factor);
    t->row = memory_new(c->columns, sizeof *t->row);
    t->field = memory_new(c->columns, sizeof *t->field);
    t->observable = memory_new(c->columns, sizeof *t->observable);
    t->time = csv_column(c, "t");
    t->now = (instant){.field = t->field, .observable = t->observable};
    for (size_t i = 0, n; i < c->columns; i += n) {
        const char *unit = "";
        n = components(c, i);
        for (size_t k = n; k-- > 0;)
            unit = field_unit(c, i + k, &t->factor[i + k]);
        if (i == t->time)
            continue;
        const char *first = c->column[i], *columns = first;
        ph_array *f = &t->field[t->now.fields++];
        for (size_t k = 1; k < n; k++)
            columns = memory_text("%s,%s", columns, c->column[i + k]);
        *f = number_field(columns, NULL);
        f->name = field_name(first, n);
        f->unit = unit;
        f->width = (int)n;
        for (size_t k = 0; k < n; k++)
            f->data[k] = &t->row[i + k];
        if (n == 1)
            t->observable[t->now.observables++] =
                (ph_observable){.name = first, .unit = unit, .width = 1, .relative = true};
    }
}

bool table_open(table *t, const char *path, const volatile sig_atomic_t *stop,
                const column_choice *choice)
{
    *t = (table){0};
    t->in = csv_open(path, stop, t->message);
    if (t->in == NULL)
        return false;
    t->in->units = true;
    if (choice != NULL) {
        t->in->frame = choice->frame;
        t->in->frames = choice->frames;
    }
    const csv_status status = csv_header(t->in);
    if (status == CSV_OK && t->in->unnamed)
        name_columns(t->in);
    if (status == CSV_OK)
        make_fields(t);
    else if (status == CSV_END)
        (void)snprintf(t->message, CSV_MESSAGE,
                       "%.100s is empty: name the columns in its first line", t->in->name);
    else
        (void)snprintf(t->message, CSV_MESSAGE, "%s", t->in->message);
    return status == CSV_OK;
}

/* Makes the attitude a rotation, up to the digits of the file. */
static csv_status take_attitude(table *t)
{
    const ph_array *f = instant_field(&t->now, "attitude");
    if (f == NULL)
        return CSV_OK;
    ph_quat q = field_quat(f, 0);
    if (!attitude_of_file(&q))
        return csv_wrong(t->in, ": q0 to q3 do not have unit length: write a unit quaternion");
    *f->data[0] = q.w;
    *f->data[1] = q.x;
    *f->data[2] = q.y;
    *f->data[3] = q.z;
    return CSV_OK;
}

/* Brings the numbers to the units of their fields, and looks for angles that may be in degrees. */
static void take_units(table *t)
{
    const csv *c = t->in;
    for (size_t i = 0; i < c->columns; i++) {
        if (t->factor[i] != 1.0)
            t->row[i] *= t->factor[i];
        if (c->unit[i] == NULL && fabs(t->row[i]) > 2.0 * PH_PI && t->doubtful == c->columns &&
            column_quantity(c->column[i]) != NULL) {
            t->doubtful = i;
            t->doubt = t->row[i];
        }
    }
}

csv_status table_next(table *t)
{
    csv_status status = csv_row(t->in, t->row);
    if (status == CSV_OK)
        take_units(t);
    if (status == CSV_OK)
        status = take_attitude(t);
    if (status != CSV_OK) {
        (void)snprintf(t->message, CSV_MESSAGE, "%s", t->in->message);
        return status;
    }
    if (t->time < t->in->columns)
        t->now.t = t->row[t->time];
    else
        t->now.t = (double)t->rows;
    for (size_t i = 0; i < t->now.observables; i++) {
        ph_observable *o = &t->observable[i];
        o->now[0] = t->row[csv_column(t->in, o->name)];
        if (t->rows == 0)
            o->start[0] = o->now[0];
    }
    t->rows++;
    return CSV_OK;
}
