/* run_summary.c - what `polhode run` says at the end: for people, or as JSON. */
#include "io/json.h"
#include "run.h"
#include "show.h"

const char *run_rows_name(const run_request *r)
{
    return record_format_of(r->out) == RECORD_XYZ ? "frames" : "rows";
}

void run_print(outfile *out, const run_request *r, const run_result *done)
{
    outfile_print(out, "%s by %s: %llu steps of %g", r->problem, r->method,
                  (unsigned long long)done->steps, r->step);
    if (done->steps < r->steps)
        outfile_print(out, " of %llu", (unsigned long long)r->steps);
    outfile_print(out, "\n\n");
    kind_of(r->system)->print_state(out, r->system);

    outfile_print(out, "\nKept to: the largest relative deviation after any step\n");
    show_kept(out, r->system);
    outfile_print(out, "%-15s %.3g\n", "energy slope",
                  ph_system_energy_record(r->system).slope);
    outfile_print(out, "\n%.3g s", done->seconds);
    if (done->steps > 0 && done->seconds > 0.0)
        outfile_print(out, ", %.3g steps per second",
                      (double)done->steps / done->seconds);
    if (r->out != NULL)
        outfile_print(out, "; %llu %s written to %s", done->rows, run_rows_name(r),
                      r->out);
    outfile_print(out, "\n");
}

static json_t *energy_json(const ph_energy_record *e)
{
    return json_pack("{so so so so}", "initial", json_finite(e->first), "final",
                     json_finite(e->last), "max_error", json_finite(e->largest_error),
                     "slope", json_finite(e->slope));
}

bool run_print_json(outfile *out, const run_request *r, const run_result *done)
{
    const ph_energy_record energy = ph_system_energy_record(r->system);
    json_t *object = json_pack(
        "{ss ss sf sI sf so so sf so}", "problem", r->problem, "method", r->method,
        "step", r->step, "steps", (json_int_t)done->steps, "time", done->time, "final",
        show_state_json(r->system), "energy", energy_json(&energy), "seconds",
        done->seconds, "invariants", show_kept_json(r->system));
    if (object != NULL && done->steps < r->steps)
        (void)json_object_set_new(object, "interrupted", json_true());
    if (!json_write(out, object, 0))
        return false;
    outfile_print(out, "\n");
    return true;
}
