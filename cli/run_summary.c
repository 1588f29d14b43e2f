/* run_summary.c - what `polhode run` says at the end: for people, or as JSON. */
#include "io/json.h"
#include "run.h"

const char *run_rows_name(const run_request *r)
{
    return record_format_of(r->out) == RECORD_XYZ ? "frames" : "rows";
}

void run_print(outfile *out, const run_request *r, const run_result *done)
{
    outfile_print(out, "%s by %s: %ld steps of %g", r->problem, r->method, done->steps,
                  r->step);
    if (done->steps < r->steps)
        outfile_print(out, " of %ld", r->steps);
    outfile_print(out, "\n\n");
    r->space->print_state(out, r->world, done->time);

    outfile_print(out, "\nKept to: the largest relative deviation after any step\n");
    r->space->print_kept(out, r->world);
    outfile_print(out, "%-15s %.3g\n", "energy slope", energy_slope(&done->energy));
    outfile_print(out, "\n%.3g s", done->seconds);
    if (done->steps > 0 && done->seconds > 0.0)
        outfile_print(out, ", %.3g steps per second",
                      (double)done->steps / done->seconds);
    if (r->out != NULL)
        outfile_print(out, "; %llu %s written to %s", done->rows, run_rows_name(r),
                      r->out);
    outfile_print(out, "\n");
}

bool run_print_json(outfile *out, const run_request *r, const run_result *done)
{
    json_t *object = json_pack(
        "{ss ss sf sI sf so so sf so}", "problem", r->problem, "method", r->method,
        "step", r->step, "steps", (json_int_t)done->steps, "time", done->time, "final",
        r->space->state_json(r->world), "energy", energy_json(&done->energy), "seconds",
        done->seconds, "invariants", r->space->kept_json(r->world));
    if (object != NULL && done->steps < r->steps)
        (void)json_object_set_new(object, "interrupted", json_true());
    if (!json_write(out, object, 0))
        return false;
    outfile_print(out, "\n");
    return true;
}
