/* run.c - many steps of a method on a problem. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "files.h"
#include "io/sample.h"
#include "molecules.h"
#include "report.h"
#include "run.h"
#include "span.h"
#include "start.h"

/* The options of the keys come first, in the order of the keys. */
enum {
    PROBLEM = SAY_PROBLEM,
    METHOD = SAY_METHOD,
    STEP = SAY_STEP,
    TIME = SAY_TIME,
    OUT = SAY_FILE,
    EVERY = SAY_EVERY,
    SET = SAY_OPTION_COUNT,
    JSON,
    CASES,
    CHECKPOINT,
    CHECKPOINT_EVERY,
};

static const option options[] = {
    START_OPTIONS,
    [PROBLEM] = {PROBLEM_OPTION},
    [METHOD] =
        {"--method", "M",
         "How: a method (polhode list methods); scheme+flow, free motion and kicks by\n"
         "turns (polhode list schemes, flows); for a free body a flow alone. For a\n"
         "flow may stand flow:composition, which raises the order of a symmetric one\n"
         "of order 2 (polhode list compositions). On spheres a method of theirs, or\n"
         "scheme+circle, great circles and kicks."},
    [STEP] = {"--step", "h", "The step; negative to go back."},
    [TIME] = {"--time", "T", "The time to reach, a whole number of steps."},
    [OUT] =
        {"--out", "FILE",
         "Write rows there, of a body " SAMPLE_COLUMNS ":\n"
         "CSV, or a NumPy array if the name ends in .npy; - is CSV on standard output.\n"
         "Of molecules: a row for each body,\n" MOLECULES_COLUMNS ", or frames of\n"
         "extended XYZ if the name ends in .xyz."},
    [EVERY] = {"--every", "n",
               "Of the rows: the start and then every n-th step. Default 1, all steps."},
    [SET] = {PARAMETER_OPTION},
    [JSON] = {JSON_OPTION},
    [CASES] =
        {"--cases", "FILE",
         "Many free bodies at once, one per line, from CSV with the columns I1,I2,I3,\n"
         "m1,m2,m3,q0,q1,q2,q3 named in its first line; - is standard input. The method\n"
         "is a flow, perhaps composed. Prints CSV m1,m2,m3,q0,q1,q2,q3, a line per "
         "body."},
    [CHECKPOINT] =
        {"--checkpoint", "FILE",
         "Keep a snapshot of the run there, from which `polhode resume FILE` goes on\n"
         "after a stop of any kind, to the same bytes."},
    [CHECKPOINT_EVERY] = {"--checkpoint-every", "n|60s",
                          "How often: every n steps, or so many seconds. Default 60s."},
    {0},
};

/* ---- what is told ---------------------------------------------------------------- */

/* The scenario, if one is named, with the options laid over it. */
static int read_told(scenario *told, const arguments *given)
{
    char message[YAML_MESSAGE];
    if (given->operands > 1)
        return fail_usage("`" WORDS "` is one scenario too many: name one, or none",
                          given->operand[1]);
    if (given->operands == 1 && !scenario_read(told, given->operand[0], message))
        return fail_usage("%s", message);
    if (given->operands == 1)
        file_read(given->operand[0]);
    int status = start_take(told, given);
    for (scenario_key key = SAY_START_COUNT; key < SAY_OPTION_COUNT && status == 0; key++)
        status = told_take(told, key, given, key);
    if (status == 0)
        status = told_take_parameters(told, given, SET);
    return status;
}

/* What a run cannot do without; of cases the problem is known. */
static int need_all(const scenario *told, bool cases)
{
    const setting *v = told->value;
    const need needs[] = {{PROBLEM, v[SAY_PROBLEM].said || cases},
                          {METHOD, v[SAY_METHOD].said},
                          {STEP, v[SAY_STEP].said},
                          {TIME, v[SAY_TIME].said}};
    return refuse_missing(options, needs, sizeof needs / sizeof needs[0]);
}

/* How often a snapshot is written: "60s" or a number of steps. */
static int read_checkpoint(run_request *r, const arguments *given)
{
    const char *every = argument(given, CHECKPOINT_EVERY);
    r->checkpoint = argument(given, CHECKPOINT);
    r->checkpoint_seconds = 60.0;
    if (every != NULL && r->checkpoint == NULL)
        return fail_usage("--checkpoint-every without --checkpoint: name a file for the "
                          "snapshots");
    if (r->checkpoint != NULL && strcmp(r->checkpoint, "-") == 0)
        return fail_usage("--checkpoint -: a snapshot is a file: name one");
    if (r->checkpoint != NULL && r->out != NULL &&
        (strcmp(r->out, "-") == 0 || file_same(r->out, r->checkpoint)))
        return fail_usage("--checkpoint goes with rows in a file of their own: name "
                          "another --out");
    if (every == NULL)
        return 0;
    char *end;
    const double x = strtod(every, &end);
    const bool seconds = strcmp(end, "s") == 0;
    if (end == every || !(seconds ? x > 0.0 && isfinite(x) : *end == '\0' && x >= 1.0) ||
        (!seconds && (x != floor(x) || x > 9e15)))
        return fail_usage("--checkpoint-every " WORDS ": write a whole number of steps, "
                          "or seconds as 60s",
                          every);
    r->checkpoint_seconds = seconds ? x : 0.0;
    r->checkpoint_steps = seconds ? 0 : (uint64_t)x;
    return 0;
}

/* The system in its start; everything that can be wrong with it is found here. */
static int make_system(run_request *r, const scenario *told)
{
    char place[PLACE];
    const setting *v = told->value;
    const system_kind *of;
    void *input = NULL, *integrator = NULL;
    int status = kind_find(told, &of, &r->problem);
    if (status == 0)
        status = of->read(told, &input);
    if (status == 0)
        status = of->choose(input, told_line(told, &v[SAY_METHOD], place),
                            v[SAY_METHOD].text, &integrator);
    if (status == 0) {
        const ph_status made = of->make(input, integrator, r->step, 0, &r->system);
        if (made != PH_OK)
            status = made == PH_NO_MEMORY ? fail_memory()
                                          : fail_usage("problem %s: %s: change its start",
                                                       r->problem, ph_status_text(made));
    }
    free(integrator);
    if (input != NULL)
        of->free(input);
    return status;
}

/* Everything that can be wrong is found here, before the first step. */
static int read_request(run_request *r, const scenario *told, const arguments *given)
{
    char place[PLACE];
    const setting *v = told->value;
    long steps = 0, every = 1;
    r->method = v[SAY_METHOD].text;
    r->step = v[SAY_STEP].x[0];
    r->time = v[SAY_TIME].x[0];
    r->out = v[SAY_FILE].said ? v[SAY_FILE].text : NULL;
    int status = make_system(r, told);
    if (status == 0)
        status =
            span_steps(told_line(told, &v[SAY_STEP], place), r->step, r->time, &steps);
    if (status == 0 && v[SAY_EVERY].said)
        status =
            span_every(told_place(told, SAY_EVERY, place), v[SAY_EVERY].x[0], &every);
    if (status == 0 && r->json && r->out != NULL && strcmp(r->out, "-") == 0)
        status = fail_usage("--json and --out - exclude each other: leave one out");
    if (status == 0)
        status = read_checkpoint(r, given);
    r->steps = (uint64_t)steps;
    r->every = (uint64_t)every;
    return status;
}

static int run_one(const scenario *told, const arguments *given)
{
    run_request r = {.json = argument(given, JSON) != NULL};
    int status = read_request(&r, told, given);
    if (status == 0)
        status = run_steps(&r);
    ph_system_free(r.system);
    return status;
}

static int run(const arguments *given)
{
    scenario told = {0};
    const char *cases = argument(given, CASES);
    int status = refuse_both(given, CASES, JSON);
    if (status == 0)
        status = refuse_both(given, CASES, CHECKPOINT);
    if (status == 0)
        status = read_told(&told, given);
    if (status == 0)
        status = need_all(&told, cases != NULL);
    if (status == 0)
        status = cases != NULL ? run_cases(&told, cases) : run_one(&told, given);
    scenario_free(&told);
    return status;
}

const command command_run = {
    .name = "run",
    .summary = "many steps of a method on a problem",
    .usage = "run [SCENARIO.yaml] [OPTION...]\n"
             "run --problem P --method M --step h --time T [OPTION...]\n"
             "run --cases FILE --method FLOW --step h --time T [--out FILE]",
    .notes =
        "A problem has a body and a start of its own; options replace them one by one. "
        "If\n"
        "only the inertia is changed, the angular velocity stays. Momentum and velocity\n"
        "are in the body frame. A quaternion keeps its sign continuously from the "
        "start.\n"
        "\nThe scenario is a file, or - for standard input; options override it:\n"
        "    problem: heavy_top\n"
        "    parameters: {strength: 12, up: [0, 0, 1]}\n"
        "    inertia: [5, 5, 1]             # or tensor: [xx, yy, zz, xy, xz, yz]\n"
        "    rotvec: [0.1, 0.05, 0]         # or attitude: [w, x, y, z]\n"
        "    velocity: [0, 0, 4]            # or momentum: [x, y, z]\n"
        "    method: srkn6_14a+exact\n"
        "    step: 0.001\n"
        "    time: 8\n"
        "    output: {file: top.csv, every: 10}\n"
        "Spheres begin with q: [[x, y, z], ...] and w: [[x, y, z], ...] instead of a "
        "body.\n"
        "\nMolecules are a lattice, lists, or a table with a row for each body:\n"
        "    problem: dipolar_spheres\n"
        "    lattice: 5                     # 5 x 5 x 5 bodies; and spacing, noise, "
        "seed\n"
        "    bodies: {positions: [[x, y, z], ...], momenta, rotvecs or attitudes,\n"
        "             angular_momenta, masses, inertias, dipoles}\n"
        "    bodies: start.csv              # x,y,z and perhaps px,py,pz, q0,q1,q2,q3,\n"
        "                                   # m1,m2,m3, mass, I1,I2,I3, d1,d2,d3\n"
        "    box: [15, 15, 15]              # periodic; and cutoff, dielectric\n"
        "--set takes sigma, epsilon, mass, dipole, and the numbers of lattice and box.\n"
        "\nCases are read, stepped on all cores and printed 16384 at a time, in their "
        "order: a\n"
        "file of any length takes 2 MB of memory. There is no column t, all run to "
        "--time. "
        "A\n"
        "bad line ends the run with status 2, a step that fails with status 1; the "
        "bodies\n"
        "before are printed.\n"
        "\nCSV and JSON have 17 digits, which read back exactly. JSON:\n"
        "    {\"problem\", \"method\", \"step\", \"steps\", \"time\",\n"
        "     \"final\": {\"attitude\": [w, x, y, z], \"momentum\": [x, y, z],\n"
        "               \"velocity\": [x, y, z]}, of spheres {\"q\": [[x, y, z], ...], "
        "\"w\"},\n"
        "     \"energy\": {\"initial\", \"final\", \"max_error\", \"slope\"}, "
        "\"seconds\",\n"
        "     \"invariants\": {...}}\n"
        "max_error is max |E - E0|, slope the least-squares slope of E(t), both over "
        "the\n"
        "start and all steps, whatever --every says. Files appear when they are "
        "complete;\n"
        "after Ctrl-C or a failed step the rows so far are there. If writing fails, an\n"
        "older file stays and the rows so far are in FILE.partial.\n"
        "\nExamples:\n"
        "    A million steps of a method that keeps the energy, and of one that does "
        "not:\n"
        "        polhode run --problem free --method dmv6 --step 0.1 --time 1e5\n"
        "        polhode run --problem free --method sr2 --step 0.1 --time 1e5\n"
        "    A method of order 2 composed to one of order 4, every tenth step as an "
        "array:\n"
        "        polhode run --problem free --method sr2:suzuki4 --step 0.05 --time 100 "
        "\\\n"
        "            --out free.npy --every 10\n"
        "    The scenario above, with another step:\n"
        "        polhode run top.yaml --step 0.002\n"
        "    A catalogue of bodies, a thousand steps each:\n"
        "        polhode run --cases bodies.csv --method dmv8 --step 0.1 --time 100 "
        "--out "
        "ends.csv\n"
        "    A satellite in the gradient of gravity, a method that keeps the energy in "
        "check:\n"
        "        polhode run --problem satellite --method srkn6_14a+exact --step 0.1 "
        "--time 400\n",
    .options = options,
    .run = run,
};
