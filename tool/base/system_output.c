/* system_output.c - a system by its tables, as part of a result. */
#include "rendering.h"

#include <math.h>

#include "system/kind.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"

/* The shown field after another one, or the first after NULL; NULL after the last. */
static const ph_array *next_shown(const ph_system *s, const ph_array *f)
{
    size_t count;
    const ph_array *fields = ph_system_arrays(s, &count), *end = fields + count;
    if (f == NULL)
        f = fields;
    else
        f = f + 1;
    while (f < end && !(f->use & PH_ARRAY_SHOWN))
        f++;
    return f < end ? f : NULL;
}

enum { LABEL = 15 }; /* width of the labels */

/* Prints numbers with as many digits as fit into a line. */
static void print_numbers(rendering *r, const char *name, const double *x, int count)
{
    render_numbers(r, NULL, name, LABEL, count > 3 ? 11 : 13, x, (size_t)count);
}

static void print_fields(rendering *r, const ph_system *s)
{
    enum { MOST = 16 };
    size_t not_printed = 0;
    for (const ph_array *f = NULL; (f = next_shown(s, f)) != NULL;) {
        if (f->count > MOST)
            not_printed = f->count - MOST;
        else
            not_printed = 0;
        for (size_t i = 0; i < f->count - not_printed; i++) {
            double x[PH_ARRAY_WIDTH];
            for (int k = 0; k < f->width; k++)
                x[k] = f->data[k][i * f->stride];
            const char *name = f->name;
            if (f->use & PH_ARRAY_LIST)
                name = memory_text("%s%zu", f->name, i + 1);
            print_numbers(r, name, x, f->width);
        }
    }
    if (not_printed > 0)
        render_text(r, "and %zu more, which --json and --out contain\n", not_printed);
}

static void print_state(rendering *r, ph_system *s)
{
    const ph_kind *kind = ph_kind_of(s);
    size_t count, entries = next_shown(s, NULL)->count;
    const ph_observable *o = ph_system_observables(s, &count);
    char about[PH_MESSAGE] = "";
    if (kind->rows_of_each && entries > 1)
        kind->describe(s, about, sizeof about);
    else if (entries > 1)
        render_text(r, "%zu ", entries);
    render_text(r, "%s at t = %g%s\n", *about != '\0' ? about : kind->entries[entries > 1],
                ph_system_time(s), kind->state_note);
    if (!kind->rows_of_each)
        print_fields(r, s);
    for (size_t i = 0; i < count && kind->one_of_many; i++) {
        if (!o[i].watched)
            print_numbers(r, o[i].label, o[i].now, o[i].width);
    }
    for (size_t i = 0; i < count && kind->rows_of_each; i++) {
        const ph_observable *x = &o[i < 2 ? 1 - i : i]; /* the energy with its parts */
        print_numbers(r, x->label, x->now, x->width);
    }
}

static void print_invariants(rendering *r, const ph_observable *all, size_t count, int digits)
{
    for (const ph_observable *o = all; o < all + count; o++) {
        if (!o->watched || !o->conserved)
            continue;
        const char *value;
        if (o->width == 3)
            value = memory_text("%.*g, %.*g, %.*g", digits, o->start[0], digits, o->start[1],
                                digits, o->start[2]);
        else
            value = memory_text("%.10g", o->start[0]);
        double error = o->error;
        if (o == all && !o->relative && error != 0.0) /* the energy counts relative to itself */
            error /= fabs(o->start[0]);
        render_text(r, "%-15s %-42s ", o->label, value);
        if (!o->relative && o != all)
            render_text(r, "within %.1e\n", error);
        else if (isfinite(error))
            render_text(r, "kept to %.1e\n", error);
        else
            render_text(r, "too large to compare\n");
    }
}

static json_t *value_json(const double *x, int width)
{
    if (width == 1)
        return json_finite(x[0]);
    return json_pack("[fff]", x[0], x[1], x[2]);
}

void render_state(rendering *r, const char *key, ph_system *s)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    if (r->as != AS_JSON) {
        print_state(r, s);
        return;
    }
    render_object(r, key);
    for (const ph_array *f = NULL; (f = next_shown(s, f)) != NULL;)
        render_value(r, f->name, field_json(f));
    const ph_kind *kind = ph_kind_of(s);
    const ph_array *same;
    for (size_t i = 1; i < count && (kind->rows_of_each || kind->one_of_many); i++) {
        if (kind->rows_of_each || ph_system_array_named(s, o[i].name, &same) != PH_OK)
            render_value(r, o[i].name, value_json(o[i].now, o[i].width));
    }
    render_close(r);
}

void render_invariants(rendering *r, const char *key, const ph_observable *all, size_t count,
                       int digits)
{
    if (r->as != AS_JSON) {
        print_invariants(r, all, count, digits);
        return;
    }
    json_t *error = json_object();
    render_object(r, key);
    for (const ph_observable *o = all; o < all + count; o++) {
        if (!o->watched)
            continue;
        if (!o->defect)
            render_value(r, o->name, value_json(o->start, o->width));
        json_put(error, o->name, json_finite(o->error));
    }
    render_value(r, all->relative ? "largest_relative_error" : "largest_error", error);
    render_close(r);
}
