/* resume.c - a run that was stopped goes on from its snapshot. */
#include <stddef.h>

#include "command.h"
#include "report.h"
#include "run.h"
#include "span.h"

enum { TIME, JSON };

static const option options[] = {
    [TIME] = {"--time", "T",
              "Go on to this later time, a whole number of steps from the start."},
    [JSON] = {JSON_OPTION},
    {0},
};

/* A time after that of the snapshot. */
static int later(run_request *r, const arguments *given)
{
    double time;
    long steps;
    int status = argument_numbers(given, TIME, 1, &time);
    if (status == 0)
        status = span_steps("", r->step, time, &steps);
    if (status != 0)
        return status;
    if ((uint64_t)steps < ph_system_steps(r->system))
        return fail_usage("the run is at t = %.10g already: choose a later time",
                          ph_system_time(r->system));
    r->finished = (uint64_t)steps == ph_system_steps(r->system);
    r->time = time;
    r->steps = (uint64_t)steps;
    return 0;
}

static int resume(const arguments *given)
{
    run_request r = {0};
    checkpoint *memory = NULL;
    if (given->operands != 1)
        return fail_usage("resume takes one snapshot: name the file that --checkpoint "
                          "wrote");
    int status = checkpoint_read(given->operand[0], &r, &memory);
    if (status == 0 && argument(given, TIME) != NULL)
        status = later(&r, given);
    if (status == 0) {
        r.json = argument(given, JSON) != NULL;
        status = run_steps(&r);
    }
    checkpoint_free(memory);
    return status;
}

const command command_resume = {
    .name = "resume",
    .summary = "a run that was stopped goes on",
    .usage = "resume SNAPSHOT [--time T] [--json]",
    .notes =
        "The snapshot, which `run --checkpoint` wrote, holds all that is needed: "
        "problem,\n"
        "method, state, where its rows are and how many. The rows written so far are "
        "kept,\n"
        "and at the end the file is byte for byte that of a run that was never stopped;\n"
        "so are energy and invariants, over the whole run. The snapshot is renewed as "
        "the\n"
        "run goes on. A run that is finished is printed again, or goes on to a later "
        "--time.\n"
        "\nExample:\n"
        "    polhode run --problem heavy_top --method s6_10+exact --step 0.01 --time 1e5 "
        "\\\n"
        "        --out top.csv --every 1000 --checkpoint top.snapshot\n"
        "    polhode resume top.snapshot      # after a power cut\n",
    .options = options,
    .run = resume,
};
