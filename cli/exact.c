/* exact.c - the exact motion of a free body at any time. */
#include <stdlib.h>
#include <string.h>

#include "core/vec.h"
#include "polhode/polhode.h"

#include "command.h"
#include "exact.h"
#include "report.h"

enum {
    INERTIA,
    TENSOR,
    MOMENTUM,
    VELOCITY,
    ATTITUDE,
    ROTVEC,
    TIME,
    CASES,
    OUT,
    PLOT,
    JSON,
};

static const option options[] = {
    [INERTIA] = {"--inertia", "a,b,c", "The three principal moments of inertia."},
    [TENSOR] =
        {"--tensor", "xx,yy,zz,xy,xz,yz",
         "Instead: the inertia tensor in the body's frame, J_xy = -integral of x y dm."},
    [MOMENTUM] = {"--momentum", "x,y,z",
                  "Angular momentum at time 0, in the body frame."},
    [VELOCITY] =
        {"--velocity", "x,y,z",
         "Instead: angular velocity at time 0, in the body frame, rad per time."},
    [ATTITUDE] =
        {"--attitude", "w,x,y,z",
         "Attitude at time 0 as a quaternion; it is normalised. Default 1,0,0,0."},
    [ROTVEC] = {"--rotvec", "x,y,z",
                "Instead: attitude as axis times angle, in radians."},
    [TIME] =
        {"--time", "t[,t...]",
         "The times asked for, in any order, also negative; or start:end:count, evenly\n"
         "spaced with both ends."},
    [CASES] = {"--cases", "FILE",
               "Many cases, one per line, from CSV with the columns I1,I2,I3,m1,m2,m3,\n"
               "q0,q1,q2,q3,t named in its first line; - is standard input. Prints CSV\n"
               "m1,m2,m3,q0,q1,q2,q3, a line per case."},
    [OUT] = {"--out", "FILE",
             "Write CSV there instead, " SAMPLE_CSV_COLUMNS ";\n"
             "- is standard output."},
    [PLOT] =
        {"--plot", "FILE.svg",
         "Draw the paths of the three axes in space, and the polhode. Or FILE.png; may\n"
         "be given several times. Needs gnuplot."},
    [JSON] = {"--json", NULL, "One JSON document instead of text."},
    {0},
};

/* ---- the body and its start ------------------------------------------------------------- */

/* Exactly one of two options. */
static int need_one(const arguments *given, size_t one, size_t other)
{
    if (argument(given, one) == NULL && argument(given, other) == NULL)
        return fail_usage("neither %s nor %s is given: add %s %s", options[one].name,
                          options[other].name, options[one].name, options[one].value);
    return refuse_both(given, one, other);
}

static int read_body(const arguments *given, ph_body *body)
{
    double x[6];
    int status = need_one(given, INERTIA, TENSOR);
    if (status != 0)
        return status;

    ph_status made;
    size_t which;
    if (argument(given, INERTIA) != NULL) {
        which = INERTIA;
        status = argument_numbers(given, which, 3, x);
        if (status != 0)
            return status;
        made = ph_body_from_moments(body, vec3(x[0], x[1], x[2]));
    } else {
        which = TENSOR;
        status = argument_numbers(given, which, 6, x);
        if (status != 0)
            return status;
        made =
            ph_body_from_tensor(body, rows(vec3(x[0], x[3], x[4]), vec3(x[3], x[1], x[5]),
                                           vec3(x[4], x[5], x[2])));
    }
    if (made != PH_OK)
        return fail_usage("%s " WORDS ": %s", options[which].name, argument(given, which),
                          ph_status_text(made));
    if (!ph_body_physical(body))
        warn("no matter has the moments of inertia %g, %g, %g, as one is more than the "
             "sum "
             "of the others: check them",
             body->J.x, body->J.y, body->J.z);
    return 0;
}

static int read_attitude(const arguments *given, ph_quat *q)
{
    double x[4];
    int status = refuse_both(given, ATTITUDE, ROTVEC);
    if (status != 0)
        return status;
    if (argument(given, ATTITUDE) != NULL) {
        status = argument_numbers(given, ATTITUDE, 4, x);
        if (status != 0)
            return status;
        *q = (ph_quat){x[0], x[1], x[2], x[3]};
        if (q->w == 0.0 && norm_max(vec(*q)) == 0.0)
            return fail_usage("--attitude " WORDS " is the zero quaternion, no attitude: "
                              "write 1,0,0,0 for the identity",
                              argument(given, ATTITUDE));
    } else if (argument(given, ROTVEC) != NULL) {
        status = argument_numbers(given, ROTVEC, 3, x);
        *q = ph_exp(vec3(x[0], x[1], x[2]));
    } else {
        *q = (ph_quat){1.0, 0.0, 0.0, 0.0};
    }
    return status;
}

static int read_momentum(const arguments *given, const ph_body *body, ph_vec3 *m)
{
    int status = need_one(given, MOMENTUM, VELOCITY);
    if (status != 0)
        return status;
    const bool velocity = argument(given, VELOCITY) != NULL;
    double x[3];
    status = argument_numbers(given, velocity ? VELOCITY : MOMENTUM, 3, x);
    if (status != 0)
        return status;
    *m = vec3(x[0], x[1], x[2]);
    if (velocity)
        *m = ph_momentum(body, *m);
    return 0;
}

static int prepare(const arguments *given, states_request *r)
{
    ph_state start;
    int status = read_body(given, &r->body);
    if (status == 0)
        status = read_momentum(given, &r->body, &start.m);
    if (status == 0)
        status = read_attitude(given, &start.q);
    if (status != 0)
        return status;

    const sample first = sample_of(&r->body, &start, 0.0);
    if (!sample_finite(&first))
        return fail_usage(
            "the start overflows (momentum, velocity or attitude): use other "
            "units");
    const ph_status prepared = ph_motion_prepare(&r->motion, &r->body, &start);
    if (prepared != PH_OK)
        return fail_usage("the start cannot be used: %s", ph_status_text(prepared));
    return 0;
}

/* ---- the command ------------------------------------------------------------------------ */

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
    if (given->operands > 0)
        return fail_usage("`" WORDS
                          "` belongs to no option: write polhode exact --help for "
                          "the options",
                          given->operand[0]);
    const char *out = argument(given, OUT), *cases = argument(given, CASES);
    const bool json = argument(given, JSON) != NULL;
    if (json && out != NULL && (cases != NULL || strcmp(out, "-") == 0))
        return fail_usage(
            "--json and --out " WORDS " exclude each other here: leave one out", out);
    if (cases == NULL)
        return run_states(given);

    static const size_t of_states[] = {INERTIA,  TENSOR, MOMENTUM, VELOCITY,
                                       ATTITUDE, ROTVEC, TIME,     PLOT};
    for (size_t i = 0; i < sizeof of_states / sizeof of_states[0]; i++) {
        const int both = refuse_both(given, CASES, of_states[i]);
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
        "inertia is given. A quaternion keeps its sign continuously from the start.\n"
        "\nCSV and JSON have 17 digits, which read back exactly. JSON:\n"
        "    {\"states\": [{\"time\": t, \"attitude\": [w, x, y, z],\n"
        "                 \"momentum\": [x, y, z], \"velocity\": [x, y, z]}, ...],\n"
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
