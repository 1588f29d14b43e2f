/* grade.c - grades the results of any program on the cases of conformance/.
 *
 * lab/measure/grade.c grades the rows of one case. This file reads the cases, which are part of the tool,
 * and the rows, and prints the grades.
 */
#include "lab/measure/grade.h"

#include <math.h>
#include <string.h>

#include "base/extremes.h"
#include "cli/files/csv.h"
#include "cli/files/memory.h"
#include "cli/output/loop.h"
#include "cli/tool/rendering.h"
#include "grade.help.h"

/* ---- the cases --------------------------------------------------------------------- */

typedef struct embedded_case {
    const char *name, *text;
} embedded_case;

#include "grade_cases.h" /* case_rows, written by the build */

enum { CASES = COUNT(case_rows) };

/* Parses a case that is part of the tool; NULL without memory. */
static json_t *case_json(size_t i)
{
    return json_loads(case_rows[i].text, 0, NULL);
}

/* Of a row of a file, or (NULL) of the command line. */
static int case_find(const csv *c, const char *name, size_t *found)
{
    nearest n = {.wrong = name};
    for (*found = 0; *found < CASES; (*found)++)
        if (strcmp(case_rows[*found].name, name) == 0)
            return 0;
    for (size_t i = 0; i < CASES; i++)
        ph_nearest_add(&n, "%s", case_rows[i].name);
    return fail_unknown(c ? memory_text("%.*s:%llu: ", text_cut(c->name, 200), c->name, c->number)
                          : "",
                        "case", &n, "polhode grade --list");
}

/* The numbers of an array; 0 for those that it does not have. */
static double *numbers(const json_t *array, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = json_number_value(json_array_get(array, i));
    return x;
}

static ph_vec3 vector_of(const json_t *array)
{
    double x[3];
    numbers(array, 3, x);
    return (ph_vec3){x[0], x[1], x[2]};
}

static ph_quat attitude_of(const json_t *array)
{
    double x[4];
    numbers(array, 4, x);
    return (ph_quat){x[0], x[1], x[2], x[3]};
}

/* Fills a case from its JSON. The arrays are memory of the command. */
static grade_case case_of(const json_t *json)
{
    const json_t *times = json_object_get(json, "times"), *tensor = json_object_get(json, "tensor"),
                 *torque = json_object_get(json, "torque"), *wrong;
    const size_t n = json_array_size(times);
    double *time = memory_new(n, sizeof *time);
    grade_state *state = memory_new(n, sizeof *state);
    grade_case c = {
        .attitude = attitude_of(json_object_get(json, "attitude")),
        .wheels = vector_of(json_object_get(json_object_get(torque, "parameters"), "wheels")),
        .bound = json_number_value(json_object_get(json, "bound")),
        .times = n,
        .time = numbers(times, n, time),
        .state = state,
    };
    numbers(tensor != NULL ? tensor : json_object_get(json, "inertia"), 6, c.tensor);
    for (size_t i = 0; i < n; i++) {
        const json_t *s = json_array_get(json_object_get(json, "states"), i);
        state[i] = (grade_state){attitude_of(json_object_get(s, "attitude")),
                                 vector_of(json_object_get(s, "velocity")),
                                 vector_of(json_object_get(s, "acceleration"))};
    }
    json_array_foreach(json_object_get(json, "mistakes"), c.mistakes, wrong)
    {
        ph_quat *q = memory_new(n, sizeof *q);
        for (size_t i = 0; i < n; i++)
            q[i] = attitude_of(json_array_get(json_object_get(wrong, "attitudes"), i));
        c.mistake[c.mistakes].attitude = q;
        c.mistake[c.mistakes].is =
            ph_grade_mistake_named(json_string_value(json_object_get(wrong, "name")));
    }
    return c;
}

/* ---- the rows of a program --------------------------------------------------------- */

/* The rows of each case. */
typedef struct results {
    struct {
        grade_row *row;
        size_t count;
    } of[CASES];
} results;

#define REQUIRED "t,q0,q1,q2,q3,w1,w2,w3"
enum { H = 8, COLUMNS = 9 }; /* h need not be there */

/* Reads a number of a program. One that is too large, not finite or left out is what programs
 * write once they diverged: NaN. */
static int number_of(csv *c, size_t at, double *x)
{
    const char *field = c->field[at], *end = field;
    const number_status status = number_read(&end, x);
    if (*field == '\0' || status == NUMBER_NOT_FINITE || status == NUMBER_TOO_LARGE)
        *x = NAN;
    else if (status != NUMBER_OK || *end != '\0')
        REFUSE_IF(csv_wrong(c, ": %.60s `%.100s` is not a number: write one", c->column[at], field),
                  "%s", c->message);
    return 0;
}

/* Takes a row; `x` is in the order of these columns. */
static void add_row(results *r, size_t of, const double *x)
{
    size_t *count = &r->of[of].count;
    if ((*count & (*count - 1)) == 0) /* room for twice as many */
        r->of[of].row = memory_more(r->of[of].row, 2 * *count + 1, sizeof(grade_row));
    r->of[of].row[(*count)++] =
        (grade_row){.t = x[0], .q = {x[1], x[2], x[3], x[4]}, .w = {x[5], x[6], x[7]}, .h = x[H]};
}

static int read_rows(results *r, csv *c)
{
    size_t at[COLUMNS], of, rows = 0;
    const size_t name = csv_column(c, "case");
    csv_status status;
    double x[COLUMNS] = {0.0};
    const char *missing;
    REFUSE_IF(c->array || name == c->columns, WORDS ": no column case: write CSV, case," REQUIRED,
              c->name);
    REFUSE_IF(csv_find(c, REQUIRED, H, at, &missing) < H,
              WORDS ": no column %s: write case," REQUIRED, c->name, missing);
    at[H] = csv_column(c, "h");
    for (; (status = csv_fields(c)) == CSV_OK; rows++) {
        TRY(case_find(c, c->field[name], &of));
        for (size_t i = 0; i < COLUMNS; i++)
            TRY(at[i] < c->columns ? number_of(c, at[i], &x[i]) : 0);
        REFUSE_IF(!isfinite(x[H]), "%.*s:%llu: the step h is not finite: write a number",
                  text_cut(c->name, 200), c->name, c->number);
        add_row(r, of, x);
    }
    REFUSE_IF(status == CSV_WRONG, "%s", c->message);
    REFUSE_IF(rows == 0 && status == CSV_END, WORDS ": no rows: write them", c->name);
    return status == CSV_STOPPED ? stopped("interrupted") : 0;
}

static int results_read(results *r, const char *path)
{
    char message[CSV_MESSAGE];
    file_read(path);
    csv *c = csv_open(path, &interrupted, message);
    REFUSE_IF(c == NULL, "%s", message);
    c->comments = true;
    const csv_status head = csv_header(c);
    REFUSE_IF(head == CSV_WRONG, "%s", c->message);
    REFUSE_IF(head != CSV_OK, WORDS ": no rows: write them", path);
    return read_rows(r, c);
}

/* ---- what is printed --------------------------------------------------------------- */

/* The grade of a case. */
typedef struct graded {
    size_t of;
    double bound;
    size_t times;
    grade grade;
} graded;

typedef struct report {
    graded *of;
    size_t count, passed;
    size_t wanted;       /* cases */
    bool missing[CASES]; /* wanted, and without a row */
    rendering to;
    pictures plots;
} report;

/* Why a case has not passed, or what is strange about it. */
static const char *reason_of(const graded *c)
{
    const grade *g = &c->grade;
    if (g->verdict == GRADE_DIVERGED)
        return isnan(g->diverged) ? "diverged" : memory_text("diverged at t = %.6g", g->diverged);
    if (g->verdict == GRADE_TIMES_MISSING)
        return memory_text("%zu of %zu times have no row", c->times - g->matched, c->times);
    if (g->looks_like != GRADE_NO_MISTAKE)
        return memory_text("looks like: %s", ph_grade_mistake_text(g->looks_like));
    if (g->verdict == GRADE_WRONG_LENGTH)
        return memory_text("the length of the quaternion is off by %.3g", g->length);
    if (g->verdict == GRADE_WRONG_ATTITUDE)
        return memory_text("%.3g times the bound", g->attitude / c->bound);
    return g->verdict == GRADE_WRONG_SPEED
               ? memory_text("the angular speed is off by %.3g of the largest", g->speed)
               : "";
}

static void render_case(rendering *r, const graded *c)
{
    const grade *g = &c->grade;
    render_object(r, case_rows[c->of].name);
    render_cells(r, "- attitude_error energy_error momentum_error order",
                 "%s\t%.1e\t%.1e\t%.1e\t%.1f", case_rows[c->of].name, g->attitude, g->energy,
                 g->momentum, isfinite(g->order) ? g->order : NAN);
    render_value(r, "looks_like", json_pack("s?", ph_grade_mistake_text(g->looks_like)));
    render_data(r, "length_error speed_error diverged energy_drift attitude_drift bound times rows",
                "%g %g %g %g %g %g %zu %zu", g->length, g->speed, g->diverged, g->energy_drift,
                g->attitude_drift, c->bound, c->times, g->matched);
    render_cells(r, "?passed reason", "%s\t%s", g->verdict == GRADE_PASSED ? "yes" : "no",
                 reason_of(c));
    render_close(r);
}

static int render_report(report *r)
{
    rendering *to = &r->to;
    size_t looks[GRADE_NO_MISTAKE + 1] = {0};
    to->table.right = 0x1e;
    render_item(to, NULL);
    render_object(to, "cases");
    render_words(to, "case\tattitude\tenergy\tmomentum\torder\tpassed\treason");
    for (size_t i = 0; i < r->count; i++) {
        looks[r->of[i].grade.looks_like]++;
        render_case(to, &r->of[i]);
    }
    render_close(to);
    render_table(to);
    if (r->count == r->wanted)
        render_text(to, "\n%zu of %zu passed", r->passed, r->count);
    else
        render_text(to, "\n%zu of %zu cases, %zu missing; %zu passed, %zu failed", r->count,
                    r->wanted, r->wanted - r->count, r->passed, r->count - r->passed);
    for (grade_mistake m = GRADE_TRANSPOSED; m < GRADE_NO_MISTAKE; m++)
        if (looks[m] > 0)
            render_text(to, "; %zu look%s like: %s", looks[m], looks[m] == 1 ? "s" : "",
                        ph_grade_mistake_text(m));
    render_text(to, "\n");
    render_data(to, "passed of missing", "%zu %zu %zu", r->passed, r->count, r->wanted - r->count);
    json_t *missing = json_array();
    for (size_t i = 0; i < CASES; i++)
        if (r->missing[i])
            json_add(missing, json_string(case_rows[i].name));
    render_value(to, "missing_cases", missing);
    return render_end(to, true, JSON_INDENT(2));
}

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const report *r = context;
    const double least = 1e-16;             /* what is exact is drawn there */
    const double most = 3.1415926535897932; /* what diverged is drawn there */
    plot_begin(script, format, "attitude error of each case");
    plot_data_begin(script);
    (void)fprintf(script, "case,number,error,bound,passed\n");
    for (size_t i = 0; i < r->count; i++) {
        const graded *c = &r->of[i];
        const double error = isnan(c->grade.attitude) ? most : c->grade.attitude;
        (void)fprintf(script, "%s,%zu,%.6g,%.6g,%d\n", case_rows[c->of].name, r->count - i,
                      larger_or_nan(error, least), c->bound, c->grade.verdict == GRADE_PASSED);
    }
    plot_data_end(script);
    return plot_end(script, "grade");
}

/* Finds the cases that are graded: all, or those of a list of names separated by commas. */
static int choose_cases(const char *names, bool chosen[CASES])
{
    size_t of;
    for (size_t i = 0; i < CASES; i++)
        chosen[i] = names == NULL;
    while (names != NULL) {
        const int length = (int)strcspn(names, ",");
        TRY(case_find(NULL, memory_text("%.*s", length, names), &of));
        chosen[of] = true;
        names = names[length] == ',' ? names + length + 1 : NULL;
    }
    return 0;
}

static int grade_results(report *r, const results *rows, const char *names)
{
    bool chosen[CASES];
    TRY(choose_cases(names, chosen));
    for (size_t i = 0; i < CASES; i++) {
        r->wanted += chosen[i];
        r->missing[i] = chosen[i] && rows->of[i].count == 0;
        if (!chosen[i] || r->missing[i])
            continue;
        json_t *json = case_json(i);
        if (json == NULL)
            return fail_memory();
        const grade_case c = case_of(json);
        json_decref(json);
        graded *g = &r->of[r->count++];
        *g = (graded){.of = i, .bound = c.bound, .times = c.times};
        if (ph_grade_rows(&c, rows->of[i].row, rows->of[i].count, &g->grade) != PH_OK)
            return fail_memory();
        r->passed += g->grade.verdict == GRADE_PASSED;
    }
    TRY(render_report(r));
    TRY(pictures_draw(&r->plots, write_script, r));
    return r->passed == r->wanted ? EXIT_DONE : EXIT_FAILED;
}

/* ---- the command ------------------------------------------------------------------- */

/* All cases, or one alone: as JSON the file itself. */
static int list_cases(rendering *r, const char *only)
{
    size_t first = 0, end = CASES;
    if (only != NULL) {
        TRY(case_find(NULL, only, &first));
        end = first + 1;
    }
    r->table = (grid){.right = 0x4, .width = LINE_WIDTH};
    render_words(r, "case\tcategory\tcondition\ttext");
    for (size_t i = first; i < end; i++) {
        const char *name, *category, *title;
        double condition;
        json_t *c = case_json(i);
        if (c == NULL || json_unpack(c, "{ss ss sF ss}", "name", &name, "category", &category,
                                     "condition", &condition, "title", &title) != 0)
            return fail_memory();
        render_words(r, "%s\t%s\t%.2g\t%s", name, category, condition, title);
        if (only == NULL) {
            json_object_del(c, "states");
            json_object_del(c, "mistakes");
        }
        if (r->as == AS_JSON)
            json_add(r->all, json_incref(c));
        json_decref(c);
    }
    render_table(r);
    return render_end(r, only != NULL, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
}

static int grade_run(const arguments *given, outfile *out)
{
    const char *only = argument(given, "--case");
    rendering to = render_begin(given, out);
    if (argument(given, "--list") != NULL) {
        TRY(refuse_operands(given));
        TRY(refuse_both(given, "--list", "--case"));
        return list_cases(&to, NULL);
    }
    if (given->operands == 0 && only != NULL)
        return list_cases(&to, only);
    REFUSE_IF(given->operands != 1, "grade takes one file of results: name it, or give --list");
    results rows = {0};
    report r = {.of = memory_new(CASES, sizeof *r.of),
                .to = to,
                .plots = {.given = given, .option = "--plot"}};
    r.plots.told = to.as == AS_JSON ? NULL : out;
    TRY(results_read(&rows, given->operand[0]));
    TRY(pictures_open(&r.plots, false));
    return grade_results(&r, &rows, only);
}

const command command_grade = {"grade", grade_help, grade_run};
