/* exact.c - the exact motion of a free body at any time. */
#include <stdlib.h>
#include <string.h>

#include "polhode/polhode.h"

#include "command.h"
#include "exact.h"
#include "report.h"
#include "start.h"

enum {
    TIME = SAY_START_COUNT,
    CASES,
    OUT,
    PLOT,
    JSON,
};

static const option options[] = {
    START_OPTIONS,
    [TIME] =
        {"--time", "t[,t...]",
         "The times asked for, in any order, also negative; or start:end:count, evenly\n"
         "spaced with both ends."},
    [CASES] = {"--cases", "FILE",
               "Many cases, one per line, from CSV with the columns I1,I2,I3,m1,m2,m3,\n"
               "q0,q1,q2,q3,t named in its first line; - is standard input. Prints CSV\n"
               "m1,m2,m3,q0,q1,q2,q3, a line per case."},
    [OUT] =
        {"--out", "FILE",
         "Write CSV there instead, " SAMPLE_COLUMNS ";\n"
         "- is standard output. A name that ends in .npy: the same columns as a NumPy\n"
         "array."},
    [PLOT] =
        {"--plot", "FILE.svg",
         "Draw the paths of the three axes in space, and the polhode. Or FILE.png; may\n"
         "be given several times. Needs gnuplot."},
    [JSON] = {JSON_OPTION},
    {0},
};

/* ---- the body and its start ------------------------------------------------------ */

/* One of the two keys of a pair. */
static int need_one(const scenario *told, scenario_key one)
{
    const scenario_key other = scenario_key_other(one);
    if (told->value[one].said || told->value[other].said)
        return 0;
    return fail_usage("neither %s nor %s is given: add %s %s", options[one].name,
                      options[other].name, options[one].name, options[one].value);
}

static int prepare(const arguments *given, states_request *r)
{
    scenario told = {0};
    ph_state start = {.q = {1.0, 0.0, 0.0, 0.0}};
    int status = start_take(&told, given);
    if (status == 0)
        status = need_one(&told, SAY_INERTIA);
    if (status == 0)
        status = need_one(&told, SAY_MOMENTUM);
    if (status == 0)
        status = start_body(&told, &r->body);
    if (status == 0)
        status = start_state(&told, &(const ph_problem){.body = r->body}, &start);
    if (status != 0)
        return status;
    const ph_status prepared = ph_motion_prepare(&r->motion, &r->body, &start);
    if (prepared != PH_OK)
        return fail_usage("the start cannot be used: %s", ph_status_text(prepared));
    return 0;
}

/* ---- the command ----------------------------------------------------------------- */

static int run_states(const arguments *given)
{
    const char **plot = calloc(given->count + 1, sizeof *plot);
    if (plot == NULL)
        return fail_memory();
    states_request r = {
        .json = argument(given, JSON) != NULL, .out = argument(given, OUT), .plot = plot};
    for (size_t i = 0; i < given->count; i++) {
        if (given->given[i].option == PLOT)
            plot[r.plots++] = given->given[i].value;
    }

    int status = prepare(given, &r);
    if (status == 0 && argument(given, TIME) == NULL)
        status = fail_usage("no time is given: add --time t[,t...] or start:end:count");
    if (status == 0) {
        status = instants_read(&r.times, given, TIME);
        if (status == 0)
            status = exact_states(&r);
        instants_free(&r.times);
    }
    free(plot);
    return status;
}

static int run(const arguments *given)
{
    const int words = refuse_operands(given, "exact");
    if (words != 0)
        return words;
    const char *out = argument(given, OUT), *cases = argument(given, CASES);
    const bool json = argument(given, JSON) != NULL;
    if (json && out != NULL && (cases != NULL || strcmp(out, "-") == 0))
        return fail_usage(
            "--json and --out " WORDS " exclude each other here: leave one out", out);
    if (cases == NULL)
        return run_states(given);

    for (size_t i = 0; i <= PLOT; i++) { /* the options of the other form */
        const bool shared = i == CASES || i == OUT;
        const int both = shared ? 0 : refuse_both(given, CASES, i);
        if (both != 0)
            return both;
    }
    return exact_cases(cases, out, json);
}

const command command_exact = {
    .name = "exact",
    .summary = "the exact motion of a free rigid body at any time",
    .usage = "exact --inertia a,b,c --momentum x,y,z --time t[,t...] [OPTION...]\n"
             "exact --cases FILE [--out FILE | --json]",
    .notes =
        "Any units that agree: with moments in kg m^2 and times in s, momenta are in\n"
        "kg m^2/s, velocities in rad/s, energies in J. Moments may come in any order, "
        "and\n"
        "bodies may be symmetric or spherical. The body frame is the one in which the\n"
        "inertia is given. The attitude is 1,0,0,0 unless given. A quaternion keeps its\n"
        "sign continuously from the start.\n"
        "\nCSV and JSON have 17 digits, which read back exactly. JSON:\n"
        "    {\"states\": [{\"time\": t, \"attitude\": [w, x, y, z],\n"
        "                 \"momentum\": [x, y, z], \"velocity\": [x, y, z],\n"
        "                 \"phase_digits\": d}, ...],\n"
        "     \"invariants\": {...}}\n"
        "Files appear when they are complete; Ctrl-C keeps the rows done so far.\n"
        "\nExamples:\n"
        "    A book that tumbles, after ten units of time:\n"
        "        polhode exact --inertia 0.376,0.627,1 --momentum 0,0.6,-0.8 --time 10\n"
        "    The same as a table and as pictures:\n"
        "        polhode exact --inertia 0.376,0.627,1 --momentum 0,0.6,-0.8 \\\n"
        "            --time 0:40:4001 --out book.csv --plot book.svg --plot book.png\n"
        "    Many bodies at once, from a pipe:\n"
        "        polhode exact --cases - < cases.csv > states.csv\n",
    .options = options,
    .run = run,
};
