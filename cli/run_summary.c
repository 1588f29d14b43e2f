/* run_summary.c - what `polhode run` says at the end: for people, or as JSON. */
#include <string.h>

#include "io/json.h"
#include "io/sample.h"
#include "run.h"

static void print_vector(outfile *out, const char *name, ph_vec3 v)
{
    outfile_print(out, "%-15s %.15g, %.15g, %.15g\n", name, v.x, v.y, v.z);
}

void run_print(outfile *out, const run_request *r, const run_result *done)
{
    const ph_quat q = done->final.q;
    outfile_print(out, "%s by %s: %ld steps of %g", r->from.problem.name, r->method,
                  done->steps, r->step);
    if (done->steps < r->steps)
        outfile_print(out, " of %ld", r->steps);
    outfile_print(out, "\n\nThe body at t = %g, momentum and velocity in its frame\n",
                  done->time);
    outfile_print(out, "%-15s %.15g, %.15g, %.15g, %.15g\n", "attitude", q.w, q.x, q.y,
                  q.z);
    print_vector(out, "momentum", done->final.m);
    print_vector(out, "velocity", ph_velocity(&r->from.body, done->final.m));

    outfile_print(out, "\nKept to: the largest relative deviation after any step\n");
    invariants_print(out, &done->kept, !setup_in_field(&r->from));
    outfile_print(out, "%-15s %.3g\n", "energy slope", energy_slope(&done->energy));
    outfile_print(out, "\n%.3g s", done->seconds);
    if (done->steps > 0 && done->seconds > 0.0)
        outfile_print(out, ", %.3g steps per second",
                      (double)done->steps / done->seconds);
    if (r->out != NULL)
        outfile_print(out, "; %llu rows written to %s", done->rows, r->out);
    outfile_print(out, "\n");
}

bool run_print_json(outfile *out, const run_request *r, const run_result *done)
{
    const sample final = sample_of(&r->from.body, &done->final, done->time);
    json_t *object = json_pack(
        "{ss ss sf sI sf so so sf so}", "problem", r->from.problem.name, "method",
        r->method, "step", r->step, "steps", (json_int_t)done->steps, "time", done->time,
        "final", sample_json(&final), "energy", energy_json(&done->energy), "seconds",
        done->seconds, "invariants", invariants_json(&done->kept));
    if (object != NULL && done->steps < r->steps)
        (void)json_object_set_new(object, "interrupted", json_true());
    if (!json_write(out, object, 0))
        return false;
    outfile_print(out, "\n");
    return true;
}
