/* system_output.c - a system by its tables: lines for people, JSON. */
#include "tool.h"

#include <math.h>

#include "cli/files/json.h"
#include "cli/files/memory.h"
#include "system/kind.h"

/* The shown field after another one, or the first after NULL; NULL after the last. */
static const ph_array *next_shown(const ph_system *s, const ph_array *f)
{
    size_t count;
    const ph_array *fields = ph_system_arrays(s, &count), *end = fields + count;
    f = f == NULL ? fields : f + 1;
    while (f < end && !(f->use & PH_ARRAY_SHOWN))
        f++;
    return f < end ? f : NULL;
}

static void print_numbers(outfile *out, const char *name, const double *x, int count)
{
    const int digits = count > 3 ? 11 : 13; /* that fit into a line */
    outfile_print(out, "%-15s ", name);
    for (int k = 0; k < count; k++)
        outfile_print(out, "%s%.*g", k == 0 ? "" : ", ", digits, x[k]);
    outfile_print(out, "\n");
}

static void print_fields(outfile *out, const ph_system *s)
{
    enum { MOST = 16 };
    size_t not_printed = 0;
    for (const ph_array *f = NULL; (f = next_shown(s, f)) != NULL;) {
        not_printed = f->count > MOST ? f->count - MOST : 0;
        for (size_t i = 0; i < f->count - not_printed; i++) {
            double x[PH_ARRAY_WIDTH];
            for (int k = 0; k < f->width; k++)
                x[k] = f->data[k][i * f->stride];
            print_numbers(out,
                          f->use & PH_ARRAY_LIST ? memory_text("%s%zu", f->name, i + 1) : f->name,
                          x, f->width);
        }
    }
    if (not_printed > 0)
        outfile_print(out, "and %zu more, which --json and --out have\n", not_printed);
}

void print_state(outfile *out, ph_system *s)
{
    const ph_kind *kind = ph_kind_of(s);
    size_t count, entries = next_shown(s, NULL)->count;
    const ph_observable *o = ph_system_observables(s, &count);
    if (entries > 1)
        outfile_print(out, "%zu ", entries);
    outfile_print(out, "%s at t = %g%s\n", kind->entries[entries > 1], ph_system_time(s),
                  kind->state_note);
    if (!kind->rows_of_each)
        print_fields(out, s);
    for (size_t i = 0; i < count && kind->rows_of_each; i++) {
        const ph_observable *x = &o[i < 2 ? 1 - i : i]; /* the energy with its parts */
        print_numbers(out, x->label, x->now, x->width);
    }
}

void print_invariants(outfile *out, const ph_observable *all, size_t count, int digits)
{
    for (const ph_observable *o = all; o < all + count; o++) {
        if (!o->watched || !o->conserved)
            continue;
        const char *value = o->width == 3 ? memory_text("%.*g, %.*g, %.*g", digits, o->start[0],
                                                        digits, o->start[1], digits, o->start[2])
                                          : memory_text("%.10g", o->start[0]);
        /* the energy, the first, counts relative to itself */
        const bool to_itself = o == all && !o->relative && o->error != 0.0;
        const double error = to_itself ? o->error / fabs(o->start[0]) : o->error;
        outfile_print(out, "%-15s %-42s ", o->label, value);
        if (!o->relative && o != all)
            outfile_print(out, "within %.1e\n", error);
        else if (isfinite(error))
            outfile_print(out, "kept to %.1e\n", error);
        else
            outfile_print(out, "too large to compare\n");
    }
}

static json_t *value_json(const double *x, int width)
{
    return width == 1 ? json_finite(x[0]) : json_pack("[fff]", x[0], x[1], x[2]);
}

json_t *state_json(ph_system *s)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    json_t *object = json_object();
    for (const ph_array *f = NULL; (f = next_shown(s, f)) != NULL;)
        json_put(object, f->name, field_json(f));
    for (size_t i = 1; i < count && ph_kind_of(s)->rows_of_each; i++)
        json_put(object, o[i].name, value_json(o[i].now, o[i].width));
    return object;
}

json_t *invariants_json(const ph_observable *all, size_t count)
{
    json_t *object = json_object(), *error = json_object();
    for (const ph_observable *o = all; o < all + count; o++) {
        if (!o->watched)
            continue;
        if (!o->defect)
            json_put(object, o->name, value_json(o->start, o->width));
        json_put(error, o->name, json_finite(o->error));
    }
    json_put(object, all->relative ? "largest_relative_error" : "largest_error", error);
    return object;
}
