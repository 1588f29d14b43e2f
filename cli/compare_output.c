/* compare_output.c - the rows of a comparison: for people, as CSV, as JSON. */
#include <math.h>
#include <stdio.h>

#include "compare.h"
#include "io/json.h"

/* ---- for people ------------------------------------------------------------------ */

void compare_print_head(outfile *out, const compare_request *r)
{
    outfile_print(out,
                  "%s to t = %g\n"
                  "error: the larger of |m - m*|/|m*| and |q - q*|, m*, q* the %s\n",
                  r->from.problem.name, r->time,
                  setup_in_field(&r->from) ? "reference solution" : "exact motion");
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
    outfile_print(out, " %10.2e %10.2e %8llu %10.2e\n", row->error_momentum,
                  row->error_attitude, row->kicks, row->seconds);
}

void compare_print(outfile *out, const compare_row *rows, size_t count)
{
    const int order = ph_integrator_order(&rows->method->integrator);
    if (order == PH_EXACT)
        outfile_print(out, "\n%s, exact\n", rows->method->name);
    else
        outfile_print(out, "\n%s, order %d\n", rows->method->name, order);
    outfile_print(out, "  %12s %10s %10s %6s %10s %10s %8s %10s\n", "step", "steps",
                  "error", "order", "momentum", "attitude", "kicks", "seconds");
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

void compare_write_csv(outfile *out, const compare_row *row)
{
    char error[CELL], momentum[CELL], attitude[CELL], seconds[CELL], order[CELL];
    char note[CELL * 2] = "";
    if (row->failed != 0)
        (void)snprintf(note, sizeof note, "failed in step %ld", row->failed);
    outfile_print(
        out, "%s,%.17g,%ld,%s,%s,%s,%llu,%s,%s,%s\n", row->method->name, row->step->size,
        row->step->count, cell(error, row->error), cell(momentum, row->error_momentum),
        cell(attitude, row->error_attitude), row->kicks, cell(seconds, row->seconds),
        cell(order, row->order), row->floor ? "floor" : note);
}

static json_t *row_json(const compare_row *row)
{
    json_t *object = json_pack(
        "{ss sf sI so so so sI so so sb}", "method", row->method->name, "step",
        row->step->size, "steps", (json_int_t)row->step->count, "error",
        json_finite(row->error), "error_momentum", json_finite(row->error_momentum),
        "error_attitude", json_finite(row->error_attitude), "kicks",
        (json_int_t)row->kicks, "seconds", json_finite(row->seconds), "order",
        json_finite(row->order), "floor", (int)row->floor);
    if (object != NULL && row->failed != 0)
        (void)json_object_set_new(
            object, "failed",
            json_sprintf("step %ld: %s", row->failed, ph_status_text(row->status)));
    return object;
}

bool compare_write_json(outfile *out, const compare_row *rows, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        (void)json_array_append_new(array, row_json(&rows[i]));
    if (!json_write(out, array, JSON_INDENT(1)))
        return false;
    outfile_print(out, "\n");
    return true;
}
