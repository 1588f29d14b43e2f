/* enclose_command.c - intervals that contain every motion of a free body whose inertia and start are uncertain.
 *
 * free_box.c computes them, where the build found Arb. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "enclose.help.h"
#include "tool/base/rendering.h"
#include "tool/files/memory.h"
#include "tool/output/loop.h"

#ifdef POLHODE_ARB
#include "free_box.h"

/* ---- what is read --------------------------------------------------------------------- */

/* Reads a number a or a+-b. */
static int read_uncertain(const arguments *given, const char *name, const char **text, uncertain *u)
{
    const char *const all = argument(given, name), *const form = option_named(given, name)->value;
    number_status status = number_read(text, &u->middle);
    u->width = 0.0;
    if (status == NUMBER_OK && strncmp(*text, "+-", 2) == 0) {
        *text += 2;
        status = number_read(text, &u->width);
    }
    REFUSE_IF(status != NUMBER_OK, "%s " WORDS ": `" WORDS "` %s: write %s", name, all, *text,
              number_problem(status), form);
    REFUSE_IF(u->width < 0.0, "%s " WORDS ": the width %g is negative: write +-%g", name, all,
              u->width, -u->width);
    return 0;
}

/* Reads n of them, separated by commas. */
static int read_all(const arguments *given, const char *name, size_t n, uncertain *u)
{
    const char *const all = argument(given, name), *text = all;
    const size_t count = list_length(all);
    REFUSE_IF(count != n, "%s " WORDS ": %zu numbers instead of %zu: write %s", name, all, count, n,
              option_named(given, name)->value);
    for (size_t i = 0; i < n; i++) {
        TRY(read_uncertain(given, name, &text, &u[i]));
        REFUSE_IF(*text != (i + 1 < n ? ',' : '\0'),
                  "%s " WORDS ": `" WORDS "` is not understood: write %s", name, all, text,
                  option_named(given, name)->value);
        text += i + 1 < n;
    }
    return 0;
}

static int read_box(const arguments *given, free_box *box)
{
    const char *const velocity = argument(given, "--velocity"), *const momentum =
                                                                    argument(given, "--momentum");
    double length = 0.0, width = 0.0;
    const need needs[] = {{"--inertia", argument(given, "--inertia") != NULL},
                          {"--velocity", velocity != NULL || momentum != NULL},
                          {"--time", argument(given, "--time") != NULL}};
    *box = (free_box){.attitude = {{1.0, 0.0}}, .momentum = momentum != NULL};
    TRY(refuse_missing(given, needs, COUNT(needs)));
    TRY(refuse_both(given, "--velocity", "--momentum"));
    TRY(read_all(given, "--inertia", 3, box->inertia));
    TRY(read_all(given, box->momentum ? "--momentum" : "--velocity", 3, box->spin));
    if (argument(given, "--attitude") != NULL)
        TRY(read_all(given, "--attitude", 4, box->attitude));
    for (int i = 0; i < 3; i++)
        REFUSE_IF(!(box->inertia[i].middle > box->inertia[i].width),
                  "--inertia: moment %d may be 0 or negative: write a smaller width", i + 1);
    for (int i = 0; i < 4; i++) {
        length = hypot(length, box->attitude[i].middle);
        width = hypot(width, box->attitude[i].width);
    }
    REFUSE_IF(!(length > width), "--attitude may be 0: write smaller widths");
    return 0;
}

/* ---- the bounds ------------------------------------------------------------------------ */

enum { FIELDS = 5, MOST_TIMES = 1000000 };

typedef struct job {
    time_list times;
    free_bounds *bounds; /* of each time */
    free_bounds now;     /* of the row */
    rows_file rows;
    show_request show;
    ph_array field[FIELDS];
    rendering to;
    bool table;
    size_t wide; /* times at which the box exceeds half a turn */
} job;

typedef struct timed_row {
    double t;
    size_t at;
} timed_row;

static int by_time(const void *a, const void *b)
{
    const double x = ((const timed_row *)a)->t, y = ((const timed_row *)b)->t;
    return (x > y) - (x < y);
}

/* Whether the box exceeds half a turn: its attitudes can be more than a quarter of a turn from the middle. */
static bool is_wide(const free_bounds *b)
{
    return b->angle > 1.5707963267948966;
}

/* The part of a time that is done; all of it if that is 0. */
static double part_of(double done, double t)
{
    if (t == 0.0)
        return 1.0;
    return done / t;
}

/* The bounds of the times that are given in order, away from 0: `step` is 1 or -1. */
static int follow(job *j, const free_box *box, const timed_row *of, size_t count, long step)
{
    free_motions m;
    free_motions_init(&m, box);
    for (size_t n = 0; n < count && !interrupted; n++, of += step) {
        while (!interrupted && free_motions_step(&m, of->t))
            progress_show(n, part_of(arf_get_d(arb_midref(m.set.t), ARF_RND_NEAR), of->t));
        free_motions_bounds(&m, &j->bounds[of->at]);
    }
    free_motions_clear(&m);
    if (interrupted)
        return stopped("interrupted: nothing was written");
    return 0;
}

/* Fills in all bounds. The times after 0 are followed forward, the others backward. */
static int compute(job *j, const free_box *box)
{
    const size_t count = (size_t)j->times.count;
    timed_row *of = memory_new(count, sizeof *of);
    size_t before = 0;
    j->bounds = memory_new(count, sizeof *j->bounds);
    for (size_t i = 0; i < count; i++)
        of[i] = (timed_row){times_at(&j->times, i), i};
    qsort(of, count, sizeof *of, by_time);
    while (before < count && of[before].t < 0.0)
        before++;
    progress_begin(false);
    TRY(follow(j, box, of + before, count - before, 1));
    if (before > 0)
        TRY(follow(j, box, of + before - 1, before, -1));
    progress_end();
    for (size_t i = 0; i < count; i++) {
        const free_bounds *b = &j->bounds[i];
        for (int k = 0; k < 3; k++)
            if (!isfinite(b->velocity[0][k]) || !isfinite(b->velocity[1][k]))
                return fail_run("the velocity at t = %g may exceed double: use other units",
                                times_at(&j->times, i));
        j->wide += is_wide(b);
    }
    return 0;
}

/* ---- what is printed --------------------------------------------------------------------- */

static int next_row(void *self, loop *l)
{
    job *j = self;
    if (l->rows == j->times.count || j->to.out->error != 0)
        return LOOP_END;
    l->now.t = times_at(&j->times, l->rows);
    j->now = j->bounds[l->rows];
    return 0;
}

static int begin_rows(void *self, loop *l)
{
    job *j = self;
    TRY(rows_begin(&j->rows, &l->now));
    if (j->rows.out == NULL)
        return 0;
    return times_refuse(&j->times, j->rows.rows);
}

static void render_interval(rendering *r, const char *key, const double *lower, const double *upper,
                            size_t n)
{
    render_object(r, key);
    render_value(r, "lower", json_numbers(lower, n, 1));
    render_value(r, "upper", json_numbers(upper, n, 1));
    render_close(r);
}

static void print_bounds(rendering *r, const char *const *names, const double *lower,
                         const double *upper, size_t n)
{
    for (size_t i = 0; i < n; i++)
        render_text(r, "    %s %24.17g %24.17g\n", names[i], lower[i], upper[i]);
}

static bool write_row(void *self, loop *l)
{
    job *j = self;
    rendering *r = &j->to;
    const free_bounds *b = &j->now;
    if (!rows_add(&j->rows, l))
        return false;
    if (r->as == AS_JSON) {
        render_item(r, "states");
        render_data(r, "time angle", "%g %g", l->now.t, b->angle);
        render_value(r, "exceeds_half_turn", json_boolean(is_wide(b)));
        render_object(r, "enclosure");
        render_interval(r, "attitude", b->attitude[0], b->attitude[1], 4);
        render_interval(r, "velocity", b->velocity[0], b->velocity[1], 3);
        render_close(r);
        render_close(r);
    } else if (j->table) {
        static const char *const name[] = {"q0", "q1", "q2", "q3", "w1", "w2", "w3"};
        render_text(r, "t = %.10g: attitudes are within %.3g rad of the middle\n", l->now.t,
                    b->angle);
        print_bounds(r, name, b->attitude[0], b->attitude[1], 4);
        print_bounds(r, name + 4, b->velocity[0], b->velocity[1], 3);
    }
    return true;
}

static int finish_rows(void *self, loop *l, int status)
{
    job *j = self;
    (void)l;
    const bool file = j->rows.out != NULL && j->rows.out != j->to.out;
    const int closed = rows_close(&j->rows, "");
    if (closed != 0)
        status = closed;
    if (status == 0)
        status = rows_refused(&j->rows, EXIT_FAILED, "");
    if (status == 0 && file && j->to.as == AS_TEXT)
        render_text(&j->to, "%llu rows written to %s\n", j->rows.rows->count, j->rows.path);
    if (status == 0 && j->wide > 0)
        warn("at %zu of %llu times the box exceeds half a turn, and little is known about the "
             "attitude: use smaller widths or earlier times",
             j->wide, j->times.count);
    return status;
}

/* The columns of a row. */
static void set_fields(job *j)
{
    free_bounds *b = &j->now;
#define ENDS(of, i)                                                                                \
    {                                                                                              \
        &(of)[i][0], &(of)[i][1], &(of)[i][2]                                                      \
    }
#define ENDS4(of, i)                                                                               \
    {                                                                                              \
        &(of)[i][0], &(of)[i][1], &(of)[i][2], &(of)[i][3]                                         \
    }
    const ph_array all[FIELDS] = {
        {"attitude_lower", "1", "Lower ends of the attitude", "q0_lower,q1_lower,q2_lower,q3_lower",
         PH_ARRAY_SHOWN, 4, 1, 1, ENDS4(b->attitude, 0)},
        {"attitude_upper", "1", "Upper ends of the attitude", "q0_upper,q1_upper,q2_upper,q3_upper",
         PH_ARRAY_SHOWN, 4, 1, 1, ENDS4(b->attitude, 1)},
        {"velocity_lower", "rad/t", "Lower ends of the velocity", "w1_lower,w2_lower,w3_lower",
         PH_ARRAY_SHOWN, 3, 1, 1, ENDS(b->velocity, 0)},
        {"velocity_upper", "rad/t", "Upper ends of the velocity", "w1_upper,w2_upper,w3_upper",
         PH_ARRAY_SHOWN, 3, 1, 1, ENDS(b->velocity, 1)},
        {"angle",
         "rad",
         "Distance of attitudes from the middle",
         "angle",
         PH_ARRAY_SHOWN,
         1,
         1,
         1,
         {&b->angle}},
    };
#undef ENDS
#undef ENDS4
    memcpy(j->field, all, sizeof all);
}

static int write_bounds(job *j)
{
    const observer rows = {j, begin_rows, write_row, NULL, finish_rows};
    loop l = {.observers = &rows, .count = 1, .now = {0.0, j->field, FIELDS, NULL, 0}};
    if (j->to.as == AS_JSON)
        render_item(&j->to, NULL);
    TRY(loop_each(&l, next_row, j));
    if (j->to.as == AS_JSON)
        return render_end(&j->to, true, JSON_INDENT(2));
    return 0;
}

static int enclose_run(const arguments *given, outfile *out)
{
    const char *path = argument(given, "--out");
    job j = {.rows = {.path = path, .standard = out}};
    j.to = render_begin(given, out);
    free_box box;
    TRY(refuse_operands(given));
    REFUSE_IF(j.to.as == AS_JSON && path != NULL && strcmp(path, "-") == 0,
              "--json cannot be used with --out -: remove one");
    TRY(read_box(given, &box));
    TRY(times_read(&j.times, given, "--time"));
    REFUSE_IF(j.times.count > MOST_TIMES, "--time: %llu times are too many: give at most %d",
              j.times.count, MOST_TIMES);
    j.table = j.to.as == AS_TEXT && path == NULL;
    j.rows.show = &j.show;
    j.rows.about = (file_about){.problem = "free", .method = "enclosure"};
    set_fields(&j);
    const int status = compute(&j, &box);
    flint_cleanup();
    if (status != 0)
        return status;
    return write_bounds(&j);
}

#else

static int enclose_run(const arguments *given, outfile *out)
{
    (void)given;
    (void)out;
    return fail_usage("enclose is not part of this tool, which was built without Arb: install "
                      "Arb (libflint-arb-dev) and build it again");
}

#endif

const command command_enclose = {"enclose", enclose_help, enclose_run};
