/* show.c - a system by its tables. */
#include "show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/extremes.h"
#include "io/json.h"
#include "io/xyz.h"

static double element(const ph_field *f, int component, size_t number)
{
    return f->data[component][number * f->stride];
}

/* The shown fields one after the other, from *i on; NULL after the last. */
static const ph_field *next_shown(const ph_system *s, size_t *i)
{
    size_t count;
    const ph_field *fields = ph_system_fields(s, &count);
    while (*i < count && !(fields[*i].use & PH_FIELD_SHOWN))
        ++*i;
    return *i < count ? &fields[(*i)++] : NULL;
}

/* ---- rows ------------------------------------------------------------------------ */

/* Numbers in a row. */
static size_t row_width(const ph_system *s)
{
    const bool each = kind_of(s)->rows_of_each;
    size_t width = each ? 3 : 2; /* time, number, energy */
    size_t at_field = 0;
    for (const ph_field *f = next_shown(s, &at_field); f != NULL;
         f = next_shown(s, &at_field)) {
        width += (size_t)f->width * (each ? 1 : f->count);
    }
    return width;
}

/* A list in one row has a name with a number for each of its entries: q1x. */
static char *name_list(char *at, const ph_field *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const char *column = f->columns;
        for (int k = 0; k < f->width; k++) {
            const size_t length = strcspn(column, ",");
            at += sprintf(at, ",%s%zu%.*s", f->name, i + 1, (int)length, column);
            column += length + (column[length] == ',');
        }
    }
    return at;
}

char *show_columns(const ph_system *s)
{
    enum { NAME = 48 }; /* bytes of a column's name, at most */
    const bool each = kind_of(s)->rows_of_each;
    char *text = malloc(row_width(s) * NAME), *at = text;
    if (text == NULL)
        return NULL;
    at += sprintf(at, each ? "t,body" : "t");
    size_t at_field = 0;
    for (const ph_field *f = next_shown(s, &at_field); f != NULL;
         f = next_shown(s, &at_field)) {
        if ((f->use & PH_FIELD_LIST) && !each)
            at = name_list(at, f);
        else
            at += sprintf(at, ",%s", f->columns);
    }
    (void)sprintf(at, ",energy");
    return text;
}

bool show_prepare(row_writer *w, const ph_system *s, record *rows)
{
    size_t first = 0;
    const ph_field *f = next_shown(s, &first);
    *w = (row_writer){.rows = rows, .row = calloc(row_width(s), sizeof *w->row)};
    if (w->row != NULL && rows->format == RECORD_XYZ)
        w->frame = malloc(xyz_size(f->count));
    return w->row != NULL && (w->frame != NULL || rows->format != RECORD_XYZ);
}

void show_release(row_writer *w)
{
    free(w->row);
    free(w->frame);
    *w = (row_writer){0};
}

/* The numbers of the fields: of one entry, or of all. */
static double *put_fields(double *x, const ph_system *s, size_t number, bool all)
{
    size_t at_field = 0;
    for (const ph_field *f = next_shown(s, &at_field); f != NULL;
         f = next_shown(s, &at_field)) {
        for (size_t i = all ? 0 : number; i < (all ? f->count : number + 1); i++) {
            for (int k = 0; k < f->width; k++)
                *x++ = element(f, k, i);
        }
    }
    return x;
}

void show_rows(row_writer *w, ph_system *s)
{
    const double t = ph_system_time(s), energy = ph_system_energy(s);
    if (w->rows->format == RECORD_XYZ) {
        xyz_write(w->rows->out, s, t, energy, w->frame);
        w->rows->count++;
        return;
    }
    const bool each = kind_of(s)->rows_of_each;
    size_t first = 0;
    const size_t entries = each ? next_shown(s, &first)->count : 1;
    for (size_t i = 0; i < entries; i++) {
        double *x = w->row;
        *x++ = t;
        if (each)
            *x++ = (double)i;
        x = put_fields(x, s, i, !each);
        *x = energy;
        record_add(w->rows, w->row);
    }
}

/* ---- for people ------------------------------------------------------------------ */

static void print_numbers(outfile *out, const char *name, const double *x, int count)
{
    outfile_print(out, "%-15s ", name);
    for (int k = 0; k < count; k++)
        outfile_print(out, "%s%.15g", k == 0 ? "" : ", ", x[k]);
    outfile_print(out, "\n");
}

void show_fields(outfile *out, const ph_system *s)
{
    enum { MOST = 16, NAME = 48 };
    size_t left = 0;
    size_t at_field = 0;
    for (const ph_field *f = next_shown(s, &at_field); f != NULL;
         f = next_shown(s, &at_field)) {
        left = f->count > MOST ? f->count - MOST : 0;
        for (size_t i = 0; i < f->count - left; i++) {
            char name[NAME];
            double x[PH_FIELD_WIDTH];
            for (int k = 0; k < f->width; k++)
                x[k] = element(f, k, i);
            if (f->use & PH_FIELD_LIST)
                (void)snprintf(name, sizeof name, "%s%zu", f->name, i + 1);
            else
                (void)snprintf(name, sizeof name, "%s", f->name);
            print_numbers(out, name, x, f->width);
        }
    }
    if (left > 0)
        outfile_print(out, "and %zu more, which --json and --out have\n", left);
}

void show_observable(outfile *out, ph_system *s, const char *name)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(o[i].name, name) == 0)
            print_numbers(out, o[i].label, o[i].now, o[i].width);
    }
}

void show_kept_line(outfile *out, const char *name, const char *value, double error)
{
    outfile_print(out, "%-15s %-42s ", name, value);
    if (isfinite(error))
        outfile_print(out, "kept to %.1e\n", error);
    else
        outfile_print(out, "too large to compare\n");
}

void show_kept(outfile *out, ph_system *s)
{
    size_t count;
    const ph_observable *all = ph_system_observables(s, &count);
    const int digits = kind_of(s)->rows_of_each ? 6 : 10; /* of a vector */
    for (size_t i = 0; i < count; i++) {
        const ph_observable *o = &all[i];
        char value[96];
        if (!o->watched || !o->conserved)
            continue;
        if (o->width == 3)
            (void)snprintf(value, sizeof value, "%.*g, %.*g, %.*g", digits, o->start[0],
                           digits, o->start[1], digits, o->start[2]);
        else
            (void)snprintf(value, sizeof value, "%.10g", o->start[0]);
        if (o->relative)
            show_kept_line(out, o->label, value, o->error);
        else if (i == 0) /* the energy, relative to itself */
            show_kept_line(out, o->label, value,
                           o->error == 0.0 ? 0.0 : o->error / fabs(o->start[0]));
        else
            outfile_print(out, "%-15s %-42s within %.1e\n", o->label, value, o->error);
    }
}

/* ---- JSON ------------------------------------------------------------------------ */

static json_t *entry_json(const ph_field *f, size_t i)
{
    json_t *one = json_array();
    for (int k = 0; k < f->width; k++)
        (void)json_array_append_new(one, json_real(element(f, k, i)));
    return one;
}

static json_t *field_json(const ph_field *f)
{
    if (!(f->use & PH_FIELD_LIST))
        return entry_json(f, 0);
    json_t *all = json_array();
    for (size_t i = 0; all != NULL && i < f->count; i++) {
        if (json_array_append_new(all, entry_json(f, i)) != 0) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

static json_t *value_json(const double *x, int width)
{
    return width == 1 ? json_finite(x[0]) : json_pack("[fff]", x[0], x[1], x[2]);
}

json_t *show_state_json(ph_system *s)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    json_t *object = json_object();
    size_t at_field = 0;
    for (const ph_field *f = next_shown(s, &at_field); f != NULL;
         f = next_shown(s, &at_field)) {
        (void)json_object_set_new(object, f->name, field_json(f));
    }
    for (size_t i = 1; i < count && kind_of(s)->rows_of_each; i++)
        (void)json_object_set_new(object, o[i].name, value_json(o[i].now, o[i].width));
    return object;
}

json_t *show_kept_json(ph_system *s)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    json_t *object = json_object(), *error = json_object();
    for (size_t i = 0; i < count; i++) {
        if (!o[i].watched)
            continue;
        if (!o[i].defect)
            (void)json_object_set_new(object, o[i].name,
                                      value_json(o[i].start, o[i].width));
        (void)json_object_set_new(error, o[i].name, json_finite(o[i].error));
    }
    (void)json_object_set_new(
        object, o[0].relative ? "largest_relative_error" : "largest_error", error);
    return object;
}

/* ---- two systems ----------------------------------------------------------------- */

/* The root of the sum of squares of what a field is off, over that of the field itself if
 * it has a size and is relative. Numbers count in units next to the largest. */
static double field_error(const ph_field *f, const ph_field *right, bool relative)
{
    double largest = 0.0, off = 0.0, size = 0.0;
    for (int k = 0; k < f->width; k++) {
        for (size_t i = 0; i < f->count; i++)
            largest = larger_or_nan(largest, fabs(element(right, k, i)));
    }
    if (largest == 0.0)
        largest = 1.0;
    for (int k = 0; k < f->width; k++) {
        for (size_t i = 0; i < f->count; i++) {
            const double x = element(right, k, i) / largest,
                         d = (element(f, k, i) - element(right, k, i)) / largest;
            off += d * d;
            size += x * x;
        }
    }
    return relative && size > 0.0 ? sqrt(off / size) : sqrt(off) * largest;
}

void show_errors(const ph_system *s, const ph_system *right, double error[ERROR_COUNT])
{
    size_t count;
    const ph_field *f = ph_system_fields(s, &count), *g = ph_system_fields(right, &count);
    const bool absolute = kind_of(s)->absolute_places;
    error[ERROR_SPEED] = error[ERROR_PLACE] = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!(f[i].use & PH_FIELD_SHOWN) || (f[i].use & PH_FIELD_DERIVED))
            continue;
        const bool place = (f[i].use & PH_FIELD_PLACE) != 0;
        double *largest = &error[place ? ERROR_PLACE : ERROR_SPEED];
        *largest =
            larger_or_nan(*largest, field_error(&f[i], &g[i], !(place && absolute)));
    }
}
