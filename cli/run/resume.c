/* resume.c - a run that was stopped goes on from its snapshot. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "checkpoint.h"
#include "ensemble.h"
#include "ensemble_snapshot.h"
#include "resume.help.h"
#include "run_steps.h"

/* Of a method that chooses its steps: any time. */
static int later_time(run_request *r)
{
    const double now = ph_system_time(r->system),
                 before = ph_system_adaptive(r->system)->from;
    const bool back = now < before;
    REFUSE_IF(!isfinite(r->time) || (back ? r->time > now : r->time < now),
              "the run is at t = %.10g already: choose a later time", now);
    r->finished = r->time == now;
    return 0;
}

/* A time after that of the snapshot. */
static int later(run_request *r, const arguments *given)
{
    time_unit_of(ph_system_problem_name(r->system));
    TRY(argument_durations(given, "--time", 1, &r->time));
    if (chooses_steps(r))
        return later_time(r);
    TRY(count_steps("", r->step, r->time, &r->steps));
    if (r->steps < ph_system_steps(r->system))
        return fail_usage("the run is at t = %.10g already: choose a later time",
                          ph_system_time(r->system));
    r->finished = r->steps == ph_system_steps(r->system);
    return 0;
}

/* Many bodies: the command as it was, which takes what is done. */
static int resume_ensemble(const char *path, outfile *out)
{
    arguments given;
    int count;
    char **words = store_command(path, &count);
    if (words == NULL)
        return EXIT_USAGE;
    int status = arguments_read(&given, &command_run, count - 1, words + 1);
    if (status == 0)
        status = run_again(&given, out);
    free(words[0]);
    free((void *)words);
    return status;
}

static int resume(const arguments *given, outfile *out)
{
    run_request r = {0};
    checkpoint *memory = NULL;
    if (given->operands != 1)
        return fail_usage("resume takes one snapshot: name the file that --checkpoint "
                          "wrote");
    if (store_is(given->operand[0]))
        return resume_ensemble(given->operand[0], out);
    int status = checkpoint_read(given->operand[0], &r, &memory);
    if (status == 0 && argument(given, "--time") != NULL)
        status = later(&r, given);
    if (status == 0)
        status = until_read(&r, "--until");
    if (status == 0) {
        r.json = argument(given, "--json") != NULL;
        status = run_steps(&r, out);
    }
    ph_expression_destroy(r.condition);
    checkpoint_free(memory);
    return status;
}

const command command_resume = {
    .name = "resume",
    .help = resume_help,
    .run = resume,
};
