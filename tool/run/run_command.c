/* run_command.c - many steps of a method on a problem. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "request.h"
#include "resume.help.h"
#include "run.help.h"
#include "system/find.h"
#include "tool/output/cases.h"

/* --time 0:T:count or 0:T@interval: where the rows are, and the step unless one is set. */
static int take_times(scenario *input, const arguments *given)
{
    const char *text = argument(given, "--time");
    setting *v = input->value;
    time_list times;
    if (text == NULL || strchr(text, ':') == NULL) {
        if (text == NULL)
            return 0;
        return argument_durations(given, "--time", 1, v[KEY_TIME].x);
    }
    TRY(times_read(&times, given, "--time"));
    REFUSE_IF(times.start != 0.0, "--time " WORDS ": a run begins at t = 0: write 0:%.15g...", text,
              times.end);
    REFUSE_IF(times.count < 2, "--time " WORDS " is only the initial time: write more times", text);
    double interval = times.step;
    if (interval == 0.0)
        interval = times.end / (double)(times.count - 1);
    setting whole = {.is_set = true, .text = text, .count = 1, .x = {times.end}},
            part = {.is_set = true, .of_rows = true, .text = text, .count = 1, .x = {interval}};
    v[KEY_TIME] = whole;
    if (!v[KEY_STEP].is_set) {
        v[KEY_STEP] = part;
        return 0;
    }
    REFUSE_IF(argument(given, "--every") != NULL,
              "--every cannot be used with --time " WORDS ": remove one", text);
    uint64_t every;
    TRY(count_steps("--time: ", v[KEY_STEP].x[0], interval, &every));
    part.x[0] = (double)every;
    part.of_rows = false;
    v[KEY_EVERY] = part;
    return 0;
}

static bool method_is_adaptive(const char *name)
{
    ph_method_facts m;
    for (size_t i = 0; ph_method_at(i, &m); i++) {
        if (m.adaptive && strcmp(m.name, name) == 0)
            return true;
    }
    return false;
}

/* The scenario, if one is named, with the options laid over it. */
static int read_input(scenario *input, const arguments *given)
{
    TRY(input_read_scenario(input, given));
    TRY(input_take(input, given, true));
    TRY(take_times(input, given));
    input->degrees = argument(given, "--degrees") != NULL;
    const setting *v = input->value; /* the problem of cases is known */
    REFUSE_IF(v[KEY_METHODS].is_set && !v[KEY_METHOD].is_set,
              "%s is only for polhode compare: write method: NAME",
              input_place(input, KEY_METHODS));
    const bool chooses = v[KEY_METHOD].is_set && v[KEY_METHOD].text != NULL &&
                         method_is_adaptive(v[KEY_METHOD].text);
    const bool cases = argument(given, "--cases") != NULL, many = ensemble_is(input, given),
               later = (!cases || many) && v[KEY_PROBLEM].is_set &&
                       v[KEY_TIME].is_set; /* read_steps() */
    const bool tolerance = v[KEY_TOLERANCE].is_set && !cases;
    const need needs[] = {{"--problem", v[KEY_PROBLEM].is_set || cases},
                          {"--method", v[KEY_METHOD].is_set || !cases || many},
                          {"--step", v[KEY_STEP].is_set || chooses || later || tolerance},
                          {"--time", v[KEY_TIME].is_set}};
    return refuse_missing(given, needs, sizeof needs / sizeof needs[0]);
}

/* Refuses a file for snapshots that contains a run which is not finished. */
static int refuse_unfinished(const char *path)
{
    bool unfinished;
    if (file_is_snapshot(path))
        unfinished = checkpoint_is_unfinished(path);
    else
        unfinished = store_is(path) && ensemble_is_unfinished(path);
    REFUSE_IF(unfinished,
              WORDS
              " contains a run that is not finished: continue it with `polhode resume %s`, or "
              "begin a new run with --fresh",
              path, command_quote(path));
    return 0;
}

/* How often a snapshot is written: "60s" or a number of steps. */
static int read_checkpoint(run_request *r, const scenario *input, const arguments *given)
{
    const char *every = argument(given, "--checkpoint-every");
    const bool fresh = argument(given, "--fresh") != NULL;
    r->checkpoint = argument(given, "--checkpoint");
    r->checkpoint_seconds = 60.0;
    TRY(refuse_both(given, "--plot", "--checkpoint")); /* snapshots do not have its points */
    if (every != NULL && r->checkpoint == NULL)
        return fail_usage("--checkpoint-every needs --checkpoint: add --checkpoint FILE");
    if (r->checkpoint != NULL && strcmp(r->checkpoint, "-") == 0)
        return fail_usage("--checkpoint - is standard output: name a file");
    if (r->checkpoint != NULL && r->out != NULL &&
        (strcmp(r->out, "-") == 0 || file_same(r->out, r->checkpoint)))
        return fail_usage(
            "with --checkpoint, --out must be a file other than the snapshot: change --out");
    REFUSE_IF(fresh && r->checkpoint == NULL, "--fresh needs --checkpoint: remove it");
    if (r->checkpoint != NULL)
        TRY(checkpoint_refuse(r));
    if (r->checkpoint != NULL && !fresh)
        TRY(refuse_unfinished(r->checkpoint));
    REFUSE_IF(r->checkpoint != NULL && r->system != NULL && scenario_start(input, "seed") == NULL &&
                  find_field(r->system, "seed") != NULL,
              "with --checkpoint, a run with random noise needs a seed: add --seed");
    if (every == NULL)
        return 0;
    const double most = 9e15; /* steps: doubles count exactly */
    const char *end = every, *unit;
    double x;
    bool good = quantity_read(&end, &x, &unit) == NUMBER_OK && *end == '\0' &&
                quantity_convert("t", false, unit, &x);
    const bool seconds = unit != NULL;
    if (seconds)
        good = good && x > 0.0;
    else
        good = good && x >= 1.0 && x == floor(x) && x <= most;
    if (!good)
        return fail_usage("--checkpoint-every " WORDS
                          " is not valid: write a whole number of steps, or seconds as 60s",
                          every);
    r->checkpoint_seconds = 0.0;
    r->checkpoint_steps = 0;
    if (seconds)
        r->checkpoint_seconds = x;
    else
        r->checkpoint_steps = (uint64_t)x;
    return 0;
}

/* The steps of the run; of a method that chooses them, and of a splitting with a tolerance,
 * --step is the interval of the rows. */
static int read_steps(run_request *r, const scenario *input, const arguments *given)
{
    const setting *step = &input->value[KEY_STEP];
    const char *place = input_line(input, step);
    const bool found = r->system->longest != 0.0 && !chooses_steps(r);
    if (!chooses_steps(r) && !found) {
        TRY(refuse_missing(given, &(need){"--step", step->is_set}, 1));
        return count_steps(place, r->step, r->time, &r->steps);
    }
    r->steps = UINT64_MAX;
    r->tolerance = r->system->parts.tolerance;
    REFUSE_IF(step->is_set && !(r->step * r->time > 0.0 || (r->step != 0.0 && r->time == 0.0)),
              "%sthe time %g cannot be reached with the interval %g of the rows: use an interval "
              "of the same sign",
              place, r->time, r->step);
    if (!found)
        return 0;
    const double length = ph_system_step(r->system), interval = r->step;
    r->tolerance = r->system->tolerance;
    if (step->is_set || r->time == 0.0)
        r->step = length;
    else
        r->step = r->time / ceil(fabs(r->time / length));
    if (step->is_set)
        r->every = (uint64_t)rint(interval / length);
    else
        r->every = 1;
    (void)ph_system_set_step(r->system, r->step);
    return count_steps(place, r->step, r->time, &r->steps);
}

/* The text of a setting, or NULL. */
static const char *text_if_set(const setting *v)
{
    if (v->is_set)
        return v->text;
    return NULL;
}

/* Everything that can be wrong is found here, before the first step. */
static int read_request(run_request *r, scenario *input, const arguments *given)
{
    const setting *v = input->value;
    r->every = 1;
    r->method = v[KEY_METHOD].text;
    r->step = v[KEY_STEP].x[0];
    r->time = v[KEY_TIME].x[0];
    r->time_text = v[KEY_TIME].text;
    r->until = text_if_set(&v[KEY_UNTIL]);
    r->out = text_if_set(&v[KEY_FILE]);
    TRY(run_make_system(r, input));
    TRY(read_steps(r, input, given));
    TRY(until_read(r, input_place(input, KEY_UNTIL)));
    TRY(events_read(r));
    if (v[KEY_EVERY].is_set) {
        uint64_t rows;
        TRY(read_every(input_place(input, KEY_EVERY), v[KEY_EVERY].x[0], &rows));
        r->every *= rows;
    }
    if (r->json && r->out != NULL && strcmp(r->out, "-") == 0)
        return fail_usage("--json cannot be used with --out -: remove one");
    return read_checkpoint(r, input, given);
}

/* ---- many free bodies by steps of one flow ------------------------------------------ */

/* The steps are those of batch.h, a block on all cores. Nothing is carried along from step to
 * step as in a run of one body, so that the two agree to the round-off of the steps. */

/* Refuses what the file says: what the bodies are and how they start. */
static int refuse_bodies(const scenario *input)
{
    const char *wrong = NULL;
    for (scenario_key key = 0; key < KEY_COUNT; key++) {
        const bool needed = key == KEY_PROBLEM || key == KEY_METHOD || key == KEY_STEP ||
                            key == KEY_TIME || key == KEY_FILE;
        if (input->value[key].is_set && !needed)
            wrong = input_place(input, key);
    }
    for (size_t i = 0; i < input->named_count; i++)
        if (input->named[i].is_set && input->named[i].of_start)
            wrong = input_place_of(input, &input->named[i]);
    REFUSE_IF(wrong != NULL,
              "%s cannot be used with --cases, which reads each initial state and writes each "
              "final state: remove it",
              wrong);
    return 0;
}

static int run_cases(scenario *input, const arguments *given, const show_request *show,
                     outfile *standard)
{
    const setting *method = &input->value[KEY_METHOD], *step = &input->value[KEY_STEP],
                  *time = &input->value[KEY_TIME];
    cases_job job = {.run = {.step = step->x[0]}, .time = time->x[0], .show = show, .given = given};
    ph_integrator *integrator = &job.run.integrator;
    ph_body body;
    ph_state start;
    TRY(refuse_bodies(input));
    TRY(model_free_body(input, "--cases computes free bodies", "remove --cases", &body, &start));
    REFUSE_IF(method->text == NULL, "%s--cases needs the name of a flow: write method: exact",
              input_line(input, method));
    TRY(method_find(input_line(input, method), method->text, NULL, integrator));
    if (integrator->scheme != NULL || integrator->method != NULL)
        return fail_usage(
            "%s`" WORDS
            "` is not a flow, but --cases computes free bodies: use one of `polhode list flows`",
            input_line(input, method), method->text);
    TRY(count_steps(input_line(input, step), job.run.step, time->x[0], &job.run.steps));
    return cases_run(&job, text_if_set(&input->value[KEY_FILE]), standard);
}

/* Many bodies in a problem. */
static int run_ensemble(run_request *r, scenario *input, outfile *out)
{
    r->problem = input->value[KEY_PROBLEM].text;
    r->out = text_if_set(&input->value[KEY_FILE]);
    TRY(read_checkpoint(r, input, r->given));
    return ensemble_run(r, input, out);
}

/* The date of the scenario, unless --epoch gives one. */
static int take_date(run_request *r, const scenario *input)
{
    const setting *date = &input->value[KEY_EPOCH];
    epoch found;
    if (!date->is_set || r->show.epoch != NULL)
        return 0;
    r->show.epoch = date->text;
    if (epoch_read(&found, date->text))
        return 0;
    return fail_usage("%s " WORDS " is not a date: write for example 2026-01-01T00:00:00",
                      input_place(input, KEY_EPOCH), date->text);
}

static int run_command(const arguments *given, outfile *out)
{
    static const char *const of_one[] = {"--json",   "--checkpoint", "--serve",
                                         "--plot",   "--film",       "--summary",
                                         "--events", "--events-out", "--rdf"};
    scenario input = {0};
    run_request r = {.json = argument(given, "--json") != NULL,
                     .followed = argument(given, "--no-companion") == NULL &&
                                 argument(given, "--checkpoint") == NULL,
                     .given = given};
    TRY(show_read(&r.show, given));
    if (argument(given, "--scatter") == NULL)
        TRY(device_refuse(given));
    TRY(read_input(&input, given));
    TRY(take_date(&r, &input));
    if (ensemble_is(&input, given))
        return run_ensemble(&r, &input, out);
    for (size_t i = 0; i < COUNT(of_one); i++)
        TRY(refuse_both(given, "--cases", of_one[i]));
    if (argument(given, "--cases") != NULL)
        return run_cases(&input, given, &r.show, out);
    TRY(read_request(&r, &input, given));
    return run_steps(&r, out);
}

const command command_run = {"run", run_help, run_command};

/* ---- resume: a run that was stopped goes on from its snapshot --------------------- */

/* Of a method that chooses its steps: any time. */
static int later_time(run_request *r)
{
    const double now = ph_system_time(r->system);
    bool back = r->system->h < 0.0;
    if (ph_system_is_adaptive(r->system))
        back = now < ph_system_adaptive(r->system)->from;
    REFUSE_IF(!isfinite(r->time) || (back && r->time > now) || (!back && r->time < now),
              "the run is already at t = %.10g: choose a later time", now);
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
        return fail_usage("the run is already at t = %.10g: choose a later time",
                          ph_system_time(r->system));
    r->finished = r->steps == ph_system_steps(r->system);
    return 0;
}

static int resume(const arguments *given, outfile *out)
{
    static const char *const of_many[] = {"--summary", "--plot", "--device"};
    run_request r = {.given = given, .json = argument(given, "--json") != NULL};
    if (given->operands != 1)
        return fail_usage("resume needs one snapshot: name the file that --checkpoint wrote");
    const char *path = given->operand[0];
    if (store_is(path)) {
        REFUSE_IF(argument(given, "--time") != NULL,
                  "--time cannot change the end time of many bodies: remove it");
        r.resumed = true;
        r.checkpoint = path;
        return ensemble_resume(&r, out);
    }
    for (size_t i = 0; i < COUNT(of_many); i++)
        REFUSE_IF(argument_added(given, of_many[i]) != NULL,
                  "%s needs many bodies, and this run has one system: remove it", of_many[i]);
    TRY(checkpoint_read(path, argument(given, "--problem"), argument(given, "--out"), &r));
    if (argument(given, "--time") != NULL)
        TRY(later(&r, given));
    TRY(until_read(&r, "--until"));
    r.json = argument(given, "--json") != NULL;
    return run_steps(&r, out);
}

const command command_resume = {"resume", resume_help, resume};
