/* compare_output.c - the rows of a comparison: for people, as CSV, as JSON. */
#include <math.h>
#include <stdio.h>

#include "compare.h"
#include "io/json.h"

/* ---- for people ------------------------------------------------------------------ */

void compare_print_head(outfile *out, const compare_request *r, bool exact)
{
    outfile_print(out,
                  "%s to t = %g\n"
                  "error: the larger of %s, where * is the %s\n",
                  r->problem, r->time, r->kind->error_text,
                  exact ? "exact motion" : "reference solution");
}

static void print_row(outfile *out, const compare_row *row)
{
    outfile_print(out, "  %12.6g %10ld", row->step->size, row->step->count);
    if (row->failed != 0) {
        outfile_print(out, "  failed in step %ld: %s\n", row->failed,
                      ph_status_text(row->status));
        return;
    }
    outfile_print(out, " %10.2e", row->error);
    if (row->floor)
        outfile_print(out, "  floor");
    else if (isnan(row->order))
        outfile_print(out, "       ");
    else
        outfile_print(out, " %6.2f", row->order);
    for (int i = 0; i < ERROR_COUNT; i++)
        outfile_print(out, " %10.2e", row->errors[i]);
    outfile_print(out, " %8llu %10.2e\n", row->kicks, row->seconds);
}

void compare_print(outfile *out, const compare_request *r, const compare_row *rows,
                   size_t count)
{
    const char *const *names = r->kind->error_names;
    const int order = r->kind->order(rows->method->integrator);
    if (order == PH_EXACT)
        outfile_print(out, "\n%s, exact\n", rows->method->name);
    else
        outfile_print(out, "\n%s, order %d\n", rows->method->name, order);
    outfile_print(out, "  %12s %10s %10s %6s %10s %10s %8s %10s\n", "step", "steps",
                  "error", "order", names[ERROR_SPEED], names[ERROR_PLACE], "kicks",
                  "seconds");
    for (size_t i = 0; i < count; i++)
        print_row(out, &rows[i]);
}

void compare_print_foot(outfile *out)
{
    outfile_print(
        out, "\norder: the slope from the row before; floor: the error is round-off\n"
             "kicks: evaluations of the torque; seconds: the best of several runs\n");
}

/* ---- for programs ---------------------------------------------------------------- */

#define CELL 32 /* bytes */

/* A number, or nothing. */
static const char *cell(char text[CELL], double x)
{
    text[0] = '\0';
    if (isfinite(x))
        (void)snprintf(text, CELL, "%.17g", x);
    return text;
}

void compare_write_csv_head(outfile *out, const compare_request *r)
{
    const char *const *names = r->kind->error_names;
    outfile_print(out,
                  "method,step,steps,error,error_%s,error_%s,kicks,seconds,order,note\n",
                  names[ERROR_SPEED], names[ERROR_PLACE]);
    outfile_begin_rows(out);
}

void compare_write_csv(outfile *out, const compare_row *row)
{
    char error[CELL], speed[CELL], place[CELL], seconds[CELL], order[CELL];
    char note[CELL * 2] = "";
    if (row->failed != 0)
        (void)snprintf(note, sizeof note, "failed in step %ld", row->failed);
    outfile_print(
        out, "%s,%.17g,%ld,%s,%s,%s,%llu,%s,%s,%s\n", row->method->name, row->step->size,
        row->step->count, cell(error, row->error), cell(speed, row->errors[ERROR_SPEED]),
        cell(place, row->errors[ERROR_PLACE]), row->kicks, cell(seconds, row->seconds),
        cell(order, row->order), row->floor ? "floor" : note);
}

static json_t *row_json(const compare_request *r, const compare_row *row)
{
    json_t *object = json_pack("{ss sf sI so}", "method", row->method->name, "step",
                               row->step->size, "steps", (json_int_t)row->step->count,
                               "error", json_finite(row->error));
    for (int i = 0; i < ERROR_COUNT && object != NULL; i++) {
        char name[CELL];
        (void)snprintf(name, sizeof name, "error_%s", r->kind->error_names[i]);
        (void)json_object_set_new(object, name, json_finite(row->errors[i]));
    }
    json_t *rest = json_pack("{sI so so sb}", "kicks", (json_int_t)row->kicks, "seconds",
                             json_finite(row->seconds), "order", json_finite(row->order),
                             "floor", (int)row->floor);
    (void)json_object_update(object, rest);
    json_decref(rest);
    if (object != NULL && row->failed != 0)
        (void)json_object_set_new(
            object, "failed",
            json_sprintf("step %ld: %s", row->failed, ph_status_text(row->status)));
    return object;
}

bool compare_write_json(outfile *out, const compare_request *r, const compare_row *rows,
                        size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        (void)json_array_append_new(array, row_json(r, &rows[i]));
    if (!json_write(out, array, JSON_INDENT(1)))
        return false;
    outfile_print(out, "\n");
    return true;
}
