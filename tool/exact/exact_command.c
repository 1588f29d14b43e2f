/* exact_command.c - the exact motion of a free body: one at many instants, as a table, rows, JSON and
 * pictures; or many, each at its time. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/choice.h"
#include "base/extremes.h"
#include "exact.help.h"
#include "motion/vec.h"
#include "system/find.h"
#include "tool/base/rendering.h"
#include "tool/base/tool.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"
#include "tool/files/run_plot.h"
#include "tool/input/model.h"
#include "tool/output/cases.h"
#include "tool/output/loop.h"

#define FEW_DIGITS 3.0 /* of the phase: below, the state is hardly known */

#define SHORT_TABLE 9 /* rows shown when all of them go to a file */
#define WIDTH       9 /* of a column: eight fit into a line */
#define DIGITS      6 /* after the point of a number below 1 */

/* Of columns that were asked for: as many as fit into a line. */
enum { LINE = 80, MOST_COLUMNS = 8, LONGEST_COLUMN = 15 };

/* Fields of derivatives: of attitude, momentum and velocity, by each column. */
enum { DERIVATIVE_FIELDS = 3 * PH_DERIVATIVE_COLUMNS };

/* One body at many times. */
typedef struct job {
    ph_body body;
    ph_motion motion;
    time_list times;
    show_request show;
    bool json;
    rendering to; /* table, JSON, or CSV for `--out -` */
    rows_file rows;
    sample sample; /* of the instant */
    bool derivatives;
    ph_derivative derivative; /* of the instant, where they are asked for */
    ph_array field[SAMPLE_FIELDS + DERIVATIVE_FIELDS];
    double *row; /* of the columns, where they are asked for */
    pictures pictures;
    bool table; /* the table for people is printed */
    sample_invariants invariants;
    double phase_lost_from; /* a time at which few digits of the phase are left; or 0 */
} job;

/* ---- derivatives ------------------------------------------------------------------- */

/* d_m2_J12: how m2 at the time changes with J12. */
static void derivative_fields(ph_derivative *d, ph_array field[DERIVATIVE_FIELDS])
{
#define DATA(of)                                                                                   \
    {                                                                                              \
        &(of)[0][0], &(of)[1][0], &(of)[2][0]                                                      \
    }
#define DERIVED(of, letter, text, by)                                                              \
    {"d_" letter "_" #by,                                                                          \
     "mixed",                                                                                      \
     "Derivative of the " text " by " #by " at the start",                                         \
     "d_" letter "1_" #by ",d_" letter "2_" #by ",d_" letter "3_" #by,                             \
     PH_ARRAY_SHOWN | PH_ARRAY_DERIVED,                                                            \
     3,                                                                                            \
     1,                                                                                            \
     1,                                                                                            \
     DATA(d->of)},
#define FIELDS(by)                                                                                 \
    DERIVED(attitude, "theta", "small rotation", by)                                               \
    DERIVED(momentum, "m", "momentum", by) DERIVED(velocity, "w", "velocity", by)
    const ph_array all[DERIVATIVE_FIELDS] = {PH_DERIVATIVE_LIST(FIELDS)};
#undef FIELDS
#undef DERIVED
#undef DATA
    memcpy(field, all, sizeof all);
    for (int i = 0; i < DERIVATIVE_FIELDS; i++) {
        for (int k = 0; k < 3; k++)
            field[i].data[k] += i / 3;
    }
}

static json_t *matrix_json(const double x[3][PH_DERIVATIVE_COLUMNS])
{
    json_t *rows = json_array();
    for (int i = 0; i < 3; i++)
        json_add(rows, json_numbers(x[i], PH_DERIVATIVE_COLUMNS, 1));
    return rows;
}

#define MATRIX(x) matrix_json((const double(*)[PH_DERIVATIVE_COLUMNS])(x))

/* Adds "columns" and the three matrices. */
static void add_derivative(json_t *state, const ph_derivative *d)
{
    json_t *names = json_array();
    for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++)
        json_add(names, json_string(ph_derivative_column(k)));
    json_put(state, "derivatives",
             json_pack("{so so so so}", "columns", names, "attitude", MATRIX(d->attitude),
                       "momentum", MATRIX(d->momentum), "velocity", MATRIX(d->velocity)));
}

/* Below each state, unless they go to a file or other columns are asked for. */
static bool prints_derivatives(const job *j)
{
    return j->derivatives && j->rows.out == NULL && j->show.choice.show == NULL;
}

/* A line for each column. */
static void print_derivative(outfile *out, const ph_derivative *d)
{
    static const char *const of[] = {"theta1", "theta2", "theta3", "m1", "m2",
                                     "m3",     "w1",     "w2",     "w3"};
    const double(*const rows[])[PH_DERIVATIVE_COLUMNS] = {d->attitude, d->momentum, d->velocity};
    outfile_print(out, "\n%6s", "d");
    for (size_t i = 0; i < COUNT(of); i++)
        outfile_print(out, " %7s", of[i]);
    for (int k = 0; k < PH_DERIVATIVE_COLUMNS; k++) {
        outfile_print(out, "\n%6s", ph_derivative_column(k));
        for (size_t i = 0; i < COUNT(of); i++) {
            const double x = rows[i / 3][i % 3][k] + 0.0; /* no -0 */
            if (fabs(x) >= 999.5 || (x != 0.0 && fabs(x) < 1e-3))
                outfile_print(out, " %7.0e", x);
            else
                outfile_print(out, " %7.3g", x);
        }
    }
    outfile_print(out, "\n\n");
}

/* ---- the table for people -------------------------------------------------------- */

/* A column whose numbers are at most `size`: points under each other, and powers of ten
 * only where the size asks for them. */
static void print_cell(outfile *out, double x, double size)
{
    const double largest = 1e4, smallest = 1e-3; /* that fit with enough digits */
    if (size != 0.0 && !(size >= smallest && size < largest)) {
        outfile_print(out, " %*.*e", WIDTH, WIDTH - 7, x);
        return;
    }
    int before = 1;
    if (size >= 1.0)
        before = (int)floor(log10(size)) + 1;
    outfile_print(out, " %*.*f", WIDTH, DIGITS + 1 - before, x);
}

/* A number as it would be typed, with as many digits as fit. */
static void print_number(outfile *out, double x, int width)
{
    char text[LONGEST_COLUMN + 20];
    int digits = width - 1;
    while (snprintf(text, sizeof text, "%.*g", digits, x) > width && digits > 1)
        digits--;
    outfile_print(out, "%*s", width, text);
}

/* How many of the columns that were asked for fit beside each other, and how wide they are. */
static size_t fit_columns(const column_set *c, int *width)
{
    size_t n = smaller_size(c->count, MOST_COLUMNS);
    *width = LONGEST_COLUMN;
    for (; n > 1; n--) {
        size_t longest = 0;
        for (size_t i = 0; i < n; i++) {
            const size_t length = strlen(c->column[i].name);
            if (length > longest)
                longest = length;
        }
        *width = (int)((LINE + 1) / n - 1);
        if (longest <= (size_t)*width)
            break;
    }
    if (n <= 1 || *width > LONGEST_COLUMN)
        *width = LONGEST_COLUMN;
    return n;
}

static void print_head(const job *j)
{
    static const char *const names[] = {"t", "q0", "q1", "q2", "q3", "m1", "m2", "m3"};
    const column_set *c = &j->rows.columns;
    int width = WIDTH;
    const bool chosen = j->show.choice.show != NULL;
    size_t shown = COUNT(names);
    if (chosen)
        shown = fit_columns(c, &width);
    for (size_t i = 0; i < shown; i++)
        outfile_print(j->to.out, "%s%*s", before_item(i, " "), width,
                      chosen ? c->column[i].name : names[i]);
    outfile_print(j->to.out, "\n");
}

static void print_row(const job *j)
{
    outfile *out = j->to.out;
    const sample *x = &j->sample;
    const double q[] = {x->state.q.w, x->state.q.x, x->state.q.y, x->state.q.z},
                 m[] = {x->state.m.x, x->state.m.y, x->state.m.z};
    if (j->show.choice.show != NULL) {
        int width;
        const size_t shown = fit_columns(&j->rows.columns, &width);
        for (size_t i = 0; i < shown; i++) {
            outfile_print(out, "%s", before_item(i, " "));
            print_number(out, j->row[i], width);
        }
    } else {
        print_number(out, x->t, WIDTH);
        for (int i = 0; i < 4; i++)
            print_cell(out, q[i], 1.0);
        for (int i = 0; i < 3; i++)
            print_cell(out, m[i], j->invariants.all[SAMPLE_LENGTH].start[0]);
    }
    outfile_print(out, "\n");
    if (prints_derivatives(j))
        print_derivative(out, &j->derivative);
}

/* ---- the states ------------------------------------------------------------------ */

/* Brings the sample to a time; the status of its derivatives. */
static ph_status go_to(job *j, loop *l, double t)
{
    const ph_state s = ph_motion_at(&j->motion, t);
    ph_status status = PH_OK;
    if (j->derivatives)
        status = ph_motion_derivative_at(&j->motion, t, NULL, &j->derivative);
    j->sample = sample_of(&j->body, &s, t);
    l->now.t = t;
    sample_invariants_at(&j->invariants, &j->sample);
    return status;
}

static int next_state(void *self, loop *l)
{
    job *j = self;
    if (interrupted)
        return EXIT_INTERRUPTED;
    if (l->rows == j->times.count || j->to.out->error != 0)
        return LOOP_END; /* an error is reported when it is closed */
    const double t = times_at(&j->times, l->rows);
    const ph_status status = go_to(j, l, t);
    if (!sample_finite(&j->sample) || !isfinite(j->sample.energy))
        return fail_run("state %llu, at t = %g, is not finite: use times closer to 0", l->rows + 1,
                        t);
    if (status != PH_OK)
        return fail_run("state %llu, at t = %g, has no derivatives in double precision: remove "
                        "--derivatives, or use times closer to 0",
                        l->rows + 1, t);
    if (j->phase_lost_from == 0.0 && ph_motion_phase_digits(&j->motion, t) < FEW_DIGITS)
        j->phase_lost_from = t;
    return 0;
}

/* Whatever cannot be written is found before the first state. */
static int begin_states(void *self, loop *l)
{
    job *j = self;
    TRY(rows_begin(&j->rows, &l->now));
    j->row = memory_new(j->rows.columns.count, sizeof *j->row);
    if (j->rows.out != NULL)
        TRY(times_refuse(&j->times, j->rows.rows));
    TRY(pictures_open(&j->pictures, true));
    if (j->json)
        outfile_print(j->to.out, "{\"states\":[");
    if (j->table)
        print_head(j);
    progress_begin(j->json || j->rows.out == NULL || j->rows.out == j->to.out);
    return 0;
}

/* Whether row i belongs into the short table: evenly spaced, with the first and the
 * last. */
static bool in_short_table(unsigned long long i, unsigned long long count)
{
    if (count <= SHORT_TABLE)
        return true;
    const unsigned long long gaps = SHORT_TABLE - 1, last = count - 1;
    const unsigned long long row = (i * gaps + last - 1) / last;
    return i == row * last / gaps;
}

static bool write_state(void *self, loop *l)
{
    job *j = self;
    if (!rows_add(&j->rows, l))
        return false;
    columns_row(&j->rows.columns, &l->now, 0, j->row);
    if (j->json) {
        outfile_print(j->to.out, l->rows == 1 ? "\n" : ",\n");
        json_t *state = sample_json(&j->sample, ph_motion_phase_digits(&j->motion, l->now.t));
        if (state != NULL && j->show.choice.show != NULL)
            show_json(state, &j->rows.columns, j->row);
        if (state != NULL && j->derivatives)
            add_derivative(state, &j->derivative);
        if (!json_write(j->to.out, state, 0))
            j->to.out->error = ENOMEM;
    }
    if (j->table && (j->rows.out == NULL || in_short_table(l->rows - 1, j->times.count)))
        print_row(j);
    progress_show(l->rows, (double)l->rows / (double)j->times.count);
    return true;
}

/* ---- the rest of the output ------------------------------------------------------ */

static bool write_motion(FILE *script, plot_format format, const void *context)
{
    const job *j = context;
    const time_scale scale =
        time_scale_of(argument(j->pictures.given, "--time"), false, j->times.end - j->times.start);
    time_scale_write(&scale, script);
    return motion_plot(script, format, &j->body, &j->motion, j->times.start, j->times.end);
}

/* Adds the times asked for, or where these are few the time between, for columns and films. */
static int add_states(job *j, loop *l)
{
    const unsigned long long few = 1000;
    const time_list even = {.count = few, .start = j->times.start, .end = j->times.end},
                    *times = &j->times;
    if (times->count < few && times->list == NULL)
        times = &even;
    TRY(pictures_begin(&j->pictures, &l->now, true, "column"));
    for (unsigned long long i = 0; i < times->count && !interrupted; i++) {
        (void)go_to(j, l, times_at(times, i));
        if (!pictures_add(&j->pictures, l))
            break;
    }
    return 0;
}

static int draw_motion(job *j, loop *l)
{
    const bool columns = j->show.choice.show != NULL, any = pictures_any(&j->pictures);
    if (j->pictures.told != NULL && j->rows.path == NULL && any)
        outfile_print(j->to.out, "\n");
    if (any && (columns || j->pictures.film != NULL))
        TRY(add_states(j, l));
    if (columns) {
        if (any)
            return pictures_draw_plot(&j->pictures);
        return 0;
    }
    TRY(pictures_draw(&j->pictures, write_motion, j));
    TRY(pictures_draw_film(&j->pictures, "free motion"));
    const double end = motion_plot_end(&j->body, &j->motion, j->times.start, j->times.end);
    if (j->table && j->pictures.count > 0 && end != j->times.end)
        outfile_print(j->to.out, "(the picture shows only the beginning, t = %g to %g)\n",
                      j->times.start, end);
    return 0;
}

static void print_end(job *j)
{
    int width;
    outfile_print(j->to.out, "\nq attitude, body to space, scalar part first; m "
                             "angular momentum in the body\n");
    if (prints_derivatives(j))
        outfile_print(j->to.out, "d: each line contains the derivatives with respect to one "
                                 "component of the initial state,\nthe inertia or the time; theta "
                                 "is a small rotation in the body, w the angular velocity\n");
    if (j->show.choice.show != NULL &&
        fit_columns(&j->rows.columns, &width) < j->rows.columns.count)
        outfile_print(j->to.out, "--out and --json contain further columns.\n");
    show_units(&j->show, j->to.out);
    render_invariants(&j->to, NULL, j->invariants.all, SAMPLE_INVARIANTS, 10);
    outfile_print(j->to.out, "(kept to: the largest relative deviation at these times)\n");
}

static int finish_states(void *self, loop *l, int status)
{
    job *j = self;
    if (j->json) {
        outfile_print(j->to.out, "\n],\"invariants\":");
        render_item(&j->to, NULL);
        render_invariants(&j->to, "all", j->invariants.all, SAMPLE_INVARIANTS, 10);
        if (!json_write(j->to.out, json_incref(json_object_get(j->to.open[0], "all")), 0))
            status = fail_memory();
        outfile_print(j->to.out, "}\n");
    }
    if (j->table)
        print_end(j);
    const bool file = j->rows.out != NULL && j->rows.out != j->to.out;
    const int closed = rows_close(&j->rows, "");
    if (file && closed == 0 && j->table) {
        const unsigned long long rows = j->rows.rows->count;
        outfile_print(j->to.out, "\n%llu", rows);
        if (rows < j->times.count)
            outfile_print(j->to.out, " of %llu", j->times.count);
        outfile_print(j->to.out, " states written to %s\n", j->rows.path);
    }
    if (closed != 0)
        status = closed;
    if (status == 0)
        status = rows_refused(&j->rows, EXIT_FAILED, "");
    if (status == 0)
        status = draw_motion(j, l);
    if (status == 0 && j->phase_lost_from != 0.0)
        warn("from t = %g on, the phase has fewer than %g correct digits: the states lie on the "
             "right orbit, but their position on it is unknown",
             j->phase_lost_from, FEW_DIGITS);
    return status;
}

static int write_states(job *j, const arguments *given)
{
    const ph_state start = ph_motion_at(&j->motion, 0.0);
    const char *path = j->rows.path;
    const observer states = {j, begin_states, write_state, NULL, finish_states};
    loop l = {.observers = &states,
              .count = 1,
              .now = {0.0, j->field, SAMPLE_FIELDS + (j->derivatives ? DERIVATIVE_FIELDS : 0),
                      j->invariants.all, SAMPLE_INVARIANTS}};
    j->table = !j->json && (path == NULL || strcmp(path, "-") != 0);
    j->rows.standard = j->to.out;
    j->rows.show = &j->show;
    j->rows.about = (file_about){.problem = "free", .method = "exact"};
    j->pictures = (pictures){.given = given,
                             .option = "--plot",
                             .out = path,
                             .show = &j->show,
                             .title = "free motion",
                             .time = argument(given, "--time")};
    if (j->table)
        j->pictures.told = j->to.out;
    j->sample = sample_of(&j->body, &start, 0.0);
    sample_invariants_begin(&j->invariants, &j->sample);
    sample_fields(&j->sample, &j->body, j->field);
    derivative_fields(&j->derivative, j->field + SAMPLE_FIELDS);
    return loop_each(&l, next_state, j);
}

/* ---- the command line ------------------------------------------------------------ */

/* Refuses a start that has neither of two keys. */
static int need_one(const scenario *input, const arguments *given, const char *name,
                    const char *other)
{
    const char *one = memory_text("--%s", name);
    REFUSE_IF(scenario_start(input, name) == NULL && scenario_start(input, other) == NULL,
              "neither %s nor --%s is given: add %s %s", one, other, one,
              option_named(given, one)->value);
    return 0;
}

static int prepare_motion(scenario *input, const arguments *given, job *j)
{
    ph_state start = {0};
    const setting *v = input->value;
    TRY(input_read_scenario(input, given));
    TRY(input_take(input, given, true));
    input->degrees = argument(given, "--degrees") != NULL;
    TRY(model_free_body(input, "the exact motion is known only for a free body", "use polhode run",
                        &j->body, &start));
    TRY(need_one(input, given, "inertia", "tensor"));
    TRY(need_one(input, given, "momentum", "velocity"));
    start.q = ph_quat_unit(start.q);
    const ph_status prepared = ph_motion_prepare(&j->motion, &j->body, &start);
    REFUSE_IF(prepared != PH_OK, "the initial state cannot be used: %s", ph_status_text(prepared));
    if (j->rows.path == NULL && v[KEY_FILE].is_set)
        j->rows.path = v[KEY_FILE].text;
    if (argument(given, "--time") != NULL)
        return times_read(&j->times, given, "--time");
    REFUSE_IF(!v[KEY_TIME].is_set, "no time is given: add --time t[,t...] or start:end:count");
    double step = 0.0;
    if (v[KEY_STEP].is_set)
        step = v[KEY_STEP].x[0];
    return times_of_scenario(&j->times, step, v[KEY_TIME].x[0]);
}

static int run_states(const arguments *given, outfile *standard)
{
    job j = {.json = argument(given, "--json") != NULL,
             .derivatives = argument(given, "--derivatives") != NULL,
             .rows.path = argument(given, "--out"),
             .to = render_begin(given, standard)};
    scenario input = {0};
    TRY(show_read(&j.show, given));
    TRY(prepare_motion(&input, given, &j));
    return write_states(&j, given);
}

static int exact_run(const arguments *given, outfile *standard)
{
    const char *out = argument(given, "--out"), *cases = argument(given, "--cases");
    const bool json = argument(given, "--json") != NULL;
    REFUSE_IF(json && out != NULL && (cases != NULL || strcmp(out, "-") == 0),
              "--json and --out " WORDS " cannot be used together here: remove one", out);
    TRY(device_refuse(given));
    if (cases == NULL)
        return run_states(given, standard);
    TRY(refuse_operands(given));
    static const char *const shared[] = {"--cases",   "--out",   "--json",  "--show",
                                         "--degrees", "--frame", "--epoch", "--device"};
    for (size_t i = 0; i < given->options; i++) { /* the options of the other form */
        const char *name = given->option[i].name;
        size_t k = 0;
        while (k < COUNT(shared) && strcmp(name, shared[k]) != 0)
            k++;
        if (k == COUNT(shared))
            TRY(refuse_both(given, "--cases", name));
    }
    show_request show = {0};
    TRY(show_read(&show, given));
    const cases_job work = {.run = {.integrator = {.flow = find_flow("exact")}, .timed = true},
                            .json = json,
                            .show = &show,
                            .given = given};
    return cases_run(&work, out, standard);
}

const command command_exact = {"exact", exact_help, exact_run};
