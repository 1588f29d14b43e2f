/* grade_command.c - grades the results of any program on the cases of conformance/.
 *
 * lab/measure/grade.c grades the rows of one case. This file reads the cases, which are part of the tool,
 * and the rows, and prints the grades.
 */
#include "polhode/grade.h"

#include <math.h>
#include <string.h>

#include "base/choice.h"
#include "base/extremes.h"
#include "grade.help.h"
#include "tool/base/rendering.h"
#include "tool/files/csv.h"
#include "tool/files/memory.h"
#include "tool/input/input.h"
#include "tool/output/loop.h"

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
    const char *place = "";
    if (c)
        place = memory_text("%.*s:%llu: ", text_cut(c->name, 200), c->name, c->number);
    return fail_unknown(place, "case", &n, "polhode grade --list");
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
static ph_grade_case case_of(const json_t *json)
{
    const json_t *times = json_object_get(json, "times"), *tensor = json_object_get(json, "tensor"),
                 *torque = json_object_get(json, "torque"), *wrong;
    const size_t n = json_array_size(times);
    double *time = memory_new(n, sizeof *time);
    ph_grade_state *state = memory_new(n, sizeof *state);
    ph_grade_case c = {
        .attitude = attitude_of(json_object_get(json, "attitude")),
        .wheels = vector_of(json_object_get(json_object_get(torque, "parameters"), "wheels")),
        .bound = json_number_value(json_object_get(json, "bound")),
        .velocity_bound = json_number_value(json_object_get(json, "velocity_bound")),
        .times = n,
        .time = numbers(times, n, time),
        .state = state,
    };
    if (tensor == NULL)
        tensor = json_object_get(json, "inertia");
    numbers(tensor, 6, c.tensor);
    for (size_t i = 0; i < n; i++) {
        const json_t *s = json_array_get(json_object_get(json, "states"), i);
        state[i] = (ph_grade_state){attitude_of(json_object_get(s, "attitude")),
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

/* Returns the bound of a quantity for programs that compute in single precision. A change of the input by half
 * a unit in the last place, 2^-24, changes the quantity by 2^-24 of its condition. The steps round as well:
 * 64 times that is allowed, but never more than `most`, nor less than the bound. */
static double bound_for_float(const json_t *condition, double bound, double most)
{
    return larger_or_nan(bound, smaller_or_nan(0x1p-18 * json_number_value(condition), most));
}

/* Replaces the bounds of a case by those for single precision: at most a tenth of a radian, and a twentieth of
 * the largest velocity, which is 50 times the bound of the velocity. */
static void set_bounds_for_float(ph_grade_case *c, const json_t *json)
{
    c->bound = bound_for_float(json_object_get(json, "condition"), c->bound, 0.1);
    c->velocity_bound = bound_for_float(json_object_get(json, "velocity_condition"),
                                        c->velocity_bound, 50.0 * c->velocity_bound);
}

/* ---- the rows of a program --------------------------------------------------------- */

/* The rows of each case. */
typedef struct results {
    struct {
        ph_grade_row *row;
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
        r->of[of].row = memory_more(r->of[of].row, 2 * *count + 1, sizeof(ph_grade_row));
    r->of[of].row[(*count)++] = (ph_grade_row){
        .t = x[0], .q = {x[1], x[2], x[3], x[4]}, .w = {x[5], x[6], x[7]}, .h = x[H]};
}

static int read_rows(results *r, csv *c)
{
    size_t at[COLUMNS], of, rows = 0;
    const size_t name = csv_column(c, "case");
    csv_status status;
    double x[COLUMNS] = {0.0};
    const char *missing;
    REFUSE_IF(c->array || name == c->columns,
              WORDS ": the column case is missing: write case," REQUIRED, c->name);
    REFUSE_IF(csv_find(c, REQUIRED, H, at, &missing) < H,
              WORDS ": the column %s is missing: write case," REQUIRED, c->name, missing);
    at[H] = csv_column(c, "h");
    for (; (status = csv_fields(c)) == CSV_OK; rows++) {
        TRY(case_find(c, c->field[name], &of));
        for (size_t i = 0; i < COLUMNS; i++)
            if (at[i] < c->columns)
                TRY(number_of(c, at[i], &x[i]));
        REFUSE_IF(!isfinite(x[H]), "%.*s:%llu: the step h is not finite: write a number",
                  text_cut(c->name, 200), c->name, c->number);
        add_row(r, of, x);
    }
    REFUSE_IF(status == CSV_WRONG, "%s", c->message);
    REFUSE_IF(rows == 0 && status == CSV_END, WORDS ": the file has no rows: write them", c->name);
    if (status == CSV_STOPPED)
        return stopped("interrupted");
    return 0;
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
    REFUSE_IF(head != CSV_OK, WORDS ": the file has no rows: write them", path);
    return read_rows(r, c);
}

/* ---- what is printed --------------------------------------------------------------- */

/* The grade of a case. */
typedef struct graded {
    size_t of;
    bool is_free; /* no torque acts */
    double bound, velocity_bound;
    size_t times;
    ph_grade grade;
} graded;

typedef struct report {
    graded *of;
    size_t count, passed;
    size_t wanted;       /* cases */
    bool missing[CASES]; /* wanted, and without a row */
    bool single;         /* bounds are those for single precision */
    rendering to;
    pictures plots;
} report;

/* Why a case has not passed, or what is strange about it. */
static const char *reason_of(const graded *c)
{
    const ph_grade *g = &c->grade;
    if (g->verdict == PH_GRADE_DIVERGED) {
        if (isnan(g->diverged))
            return "diverged";
        return memory_text("diverged at t = %.6g", g->diverged);
    }
    if (g->verdict == PH_GRADE_TIMES_MISSING) {
        const char *when = "";
        if (!isnan(g->cut))
            when = memory_text("diverged at t = %.6g, or was cut short there: ", g->cut);
        return memory_text("%s%zu of %zu times have no row", when, c->times - g->matched, c->times);
    }
    if (g->looks_like != PH_GRADE_NO_MISTAKE)
        return memory_text("looks like: %s", ph_grade_mistake_text(g->looks_like));
    if (g->verdict == PH_GRADE_WRONG_LENGTH)
        return memory_text("the length of the quaternion is off by %.3g", g->length);
    if (g->verdict == PH_GRADE_WRONG_ATTITUDE)
        return memory_text("%.3g times the bound", g->attitude / c->bound);
    if (g->verdict == PH_GRADE_WRONG_VELOCITY)
        return memory_text("the angular velocity is off by %.3g of the largest", g->velocity);
    return "";
}

static void render_case(rendering *r, const graded *c)
{
    const ph_grade *g = &c->grade;
    render_object(r, case_rows[c->of].name);
    render_cells(r, "- attitude_error energy_error momentum_error order",
                 "%s\t%.1e\t%.1e\t%.1e\t%.1f", case_rows[c->of].name, g->attitude, g->energy,
                 g->momentum, finite_or_nan(g->order));
    render_value(r, "looks_like", json_pack("s?", ph_grade_mistake_text(g->looks_like)));
    render_data(
        r,
        "length_error speed_error velocity_error diverged energy_drift attitude_drift bound "
        "velocity_bound times rows",
        "%g %g %g %g %g %g %g %g %zu %zu", g->length, g->speed, g->velocity, g->diverged,
        g->energy_drift, g->attitude_drift, c->bound, c->velocity_bound, c->times, g->matched);
    render_cells(r, "?passed reason", "%s\t%s", yes_or_no(g->verdict == PH_GRADE_PASSED),
                 reason_of(c));
    render_close(r);
}

/* ---- all cases together ------------------------------------------------------------ */

/* What the cases show of the method. */
typedef struct overview {
    double order;       /* NaN if unknown */
    const char *energy; /* "gains", "loses", "keeps", or NULL if it does neither */
    const char *method; /* what it looks like, or NULL */
    size_t diverged;    /* cases that diverged or were cut short, */
    double first;       /* the first of the times when they did */
} overview;

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the numbers, none of which is NaN. */
static double median_of(double *x, size_t n)
{
    qsort(x, n, sizeof *x, compare_numbers);
    if (n > 0)
        return 0.5 * (x[(n - 1) / 2] + x[n / 2]);
    return NAN;
}

/* Whether `part` is most of `all`: three quarters at least. */
static bool is_most(size_t part, size_t all)
{
    return all > 0 && 4 * part >= 3 * all;
}

/* The energy of free bodies. It grows if most of those whose energy changes end with at least half of
 * their largest error, and with its sign. */
static const char *energy_of(const report *r)
{
    const double round_off = 1e-9;
    size_t gains = 0, loses = 0, changes = 0, bodies = 0;
    for (size_t i = 0; i < r->count; i++) {
        const ph_grade *g = &r->of[i].grade;
        if (!r->of[i].is_free || !isfinite(g->energy))
            continue;
        bodies++;
        changes += g->energy > round_off;
        gains += g->energy > round_off && g->energy_end > 0.5 * g->energy;
        loses += g->energy > round_off && g->energy_end < -0.5 * g->energy;
    }
    if (is_most(bodies - changes, bodies))
        return "keeps";
    if (is_most(gains, changes))
        return "gains";
    if (is_most(loses, changes))
        return "loses";
    return NULL;
}

/* Whether the energies are those of explicit Euler (sign 1) or of implicit Euler (-1): with the step of the
 * file, or, where it is not known, with about the same step in half of the cases. */
static bool is_euler(const report *r, double sign)
{
    const double round_off = 1e-9,
                 least = 1e-5; /* a shorter step may be a method of higher order */
    double *x = memory_new(r->count, sizeof *x);
    size_t count = 0, close = 0;
    bool known = true;
    for (size_t i = 0; i < r->count; i++) {
        const ph_grade *g = &r->of[i].grade;
        if (!r->of[i].is_free || !isfinite(g->euler_step) || !(g->energy > round_off))
            continue;
        double h = fabs(g->h);
        if (h == 0.0) {
            known = false;
            h = 1.0;
        }
        x[count++] = sign * g->euler_step / h;
    }
    const double middle = median_of(x, count), unit = known ? 1.0 : middle;
    for (size_t i = 0; i < count; i++)
        close += x[i] > unit / 3.0 && x[i] < 3.0 * unit;
    return middle > least && 2 * close > count;
}

/* Methods by their order and what they do to the energy. */
static const struct method {
    double order;
    const char *energy, *name;
} methods[] = {
    {1.0, "gains", "explicit Euler"},
    {1.0, "loses", "implicit Euler"},
    {2.0, "gains", "explicit Runge-Kutta of order 2"},
    {4.0, "loses", "explicit Runge-Kutta of order 4"},
};

static overview overview_of(const report *r)
{
    const double tolerance = 0.3, least = 0.7; /* of an order */
    overview o = {.energy = energy_of(r), .first = INFINITY};
    double *order = memory_new(r->count, sizeof *order);
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        const ph_grade *g = &r->of[i].grade;
        const double when = isnan(g->diverged) ? g->cut : g->diverged;
        if (g->order > least) /* otherwise the errors do not come from the step */
            order[count++] = g->order;
        if (!isnan(when))
            o.diverged++;
        if (when < o.first)
            o.first = when;
    }
    o.order = median_of(order, count);
    if (count == 0 && o.energy != NULL && is_euler(r, strcmp(o.energy, "loses") == 0 ? -1.0 : 1.0))
        o.order = 1.0;
    for (size_t i = 0; i < COUNT(methods) && o.energy != NULL; i++)
        if (fabs(o.order - methods[i].order) <= tolerance &&
            strcmp(o.energy, methods[i].energy) == 0)
            o.method = methods[i].name;
    if (fabs(o.order - nearbyint(o.order)) <= tolerance)
        o.order = nearbyint(o.order);
    return o;
}

/* States it: "order 1, looks like explicit Euler, gains energy". Nothing is said of a program that passes
 * all cases and has no order. */
static void render_overview(rendering *to, const report *r, bool mistaken)
{
    overview o = overview_of(r);
    if (mistaken)
        o.method = NULL; /* other equations: their energy says nothing of the method */
    const bool any = !isnan(o.order) || (o.energy != NULL && r->passed < r->count);
    if (!isnan(o.order))
        render_text(to, "order %.2g, ", o.order);
    if (o.method != NULL)
        render_text(to, "looks like %s, ", o.method);
    if (any && o.energy != NULL)
        render_text(to, "%s energy\n", o.energy);
    else if (any)
        render_text(to, "energy oscillates\n");
    if (o.diverged > 0)
        render_text(to, "%zu diverged or cut short, the first at t = %.6g\n", o.diverged, o.first);
    render_data(to, "order", "%g", o.order);
    render_value(to, "energy", json_pack("s?", o.energy));
    render_value(to, "looks_like", json_pack("s?", o.method));
}

static int render_report(report *r)
{
    rendering *to = &r->to;
    size_t looks[PH_GRADE_NO_MISTAKE + 1] = {0};
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
    render_text(to, "\n");
    render_overview(to, r, 2 * (r->count - looks[PH_GRADE_NO_MISTAKE]) > r->count);
    if (r->count == r->wanted)
        render_text(to, "%zu of %zu passed", r->passed, r->count);
    else
        render_text(to, "%zu of %zu cases, %zu missing; %zu passed, %zu failed", r->count,
                    r->wanted, r->wanted - r->count, r->passed, r->count - r->passed);
    for (ph_grade_mistake m = PH_GRADE_TRANSPOSED; m < PH_GRADE_NO_MISTAKE; m++)
        if (looks[m] > 0)
            render_text(to, "; %zu look%s like: %s", looks[m], text_if(looks[m] == 1, "s"),
                        ph_grade_mistake_text(m));
    render_text(to, "%s\n", text_if(r->single, "; with bounds for float"));
    render_value(to, "precision", json_string(r->single ? "float" : "double"));
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
                      larger_or_nan(error, least), c->bound, c->grade.verdict == PH_GRADE_PASSED);
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
        if (names[length] == ',')
            names = names + length + 1;
        else
            names = NULL;
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
        ph_grade_case c = case_of(json);
        if (r->single)
            set_bounds_for_float(&c, json);
        graded *g = &r->of[r->count++];
        *g = (graded){.of = i,
                      .is_free = json_is_null(json_object_get(json, "torque")),
                      .bound = c.bound,
                      .velocity_bound = c.velocity_bound,
                      .times = c.times};
        json_decref(json);
        if (ph_grade_rows(&c, rows->of[i].row, rows->of[i].count, &g->grade) != PH_OK)
            return fail_memory();
        r->passed += g->grade.verdict == PH_GRADE_PASSED;
    }
    TRY(render_report(r));
    TRY(pictures_draw(&r->plots, write_script, r));
    if (r->passed < r->wanted)
        return EXIT_FAILED;
    return EXIT_DONE;
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

/* Returns a number of JSON, or the numbers of an array with commas between them. */
static const char *number_list(const json_t *values)
{
    const char *line = "";
    if (!json_is_array(values))
        line = shortest(json_number_value(values));
    for (size_t i = 0; i < json_array_size(values); i++)
        line = memory_text("%s%s%s", line, before_item(i, ","),
                           shortest(json_number_value(json_array_get(values, i))));
    return line;
}

/* Prints what a program needs to compute a case: the start and the times. */
static int print_start(rendering *r, const char *name)
{
    static const char *const keys[] = {"inertia", "tensor", "attitude", "velocity", "times"};
    size_t of;
    TRY(case_find(NULL, name, &of));
    json_t *c = case_json(of);
    if (c == NULL)
        return fail_memory();
    render_item(r, NULL);
    render_line(r, "name", "case %s\n", case_rows[of].name);
    for (size_t k = 0; k < COUNT(keys); k++) {
        json_t *values = json_object_get(c, keys[k]);
        if (values != NULL)
            render_text(r, "%s %s\n", keys[k], number_list(values));
        render_value(r, keys[k], json_incref(values));
    }
    json_t *torque = json_object_get(c, "torque"), *value;
    const char *key, *words = json_string_value(json_object_get(torque, "words"));
    render_text(r, "torque %s\n", text_or(words, "none"));
    json_object_foreach(json_object_get(torque, "parameters"), key, value)
    {
        render_text(r, "    %s %s\n", key, number_list(value));
    }
    render_value(r, "torque", json_incref(torque));
    json_decref(c);
    return render_end(r, true, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
}

static int grade_run(const arguments *given, outfile *out)
{
    const char *only = argument(given, "--case"), *precision = argument(given, "--precision");
    const bool start = argument(given, "--start") != NULL;
    rendering to = render_begin(given, out);
    REFUSE_IF(precision != NULL && strcmp(precision, "float") != 0 &&
                  strcmp(precision, "double") != 0,
              "--precision " WORDS " is not a precision: write float or double", precision);
    REFUSE_IF(start && (only == NULL || given->operands > 0),
              "--start prints the initial state of a case: add --case NAME, and no file");
    if (argument(given, "--list") != NULL) {
        TRY(refuse_operands(given));
        TRY(refuse_both(given, "--list", "--case"));
        return list_cases(&to, NULL);
    }
    if (given->operands == 0 && only != NULL) {
        if (start)
            return print_start(&to, only);
        return list_cases(&to, only);
    }
    REFUSE_IF(given->operands != 1, "grade needs one file of results: name it, or use --list");
    results rows = {0};
    report r = {.of = memory_new(CASES, sizeof *r.of),
                .single = precision != NULL && strcmp(precision, "float") == 0,
                .to = to,
                .plots = {.given = given, .option = "--plot"}};
    r.plots.told = render_told(&to);
    TRY(results_read(&rows, given->operand[0]));
    TRY(pictures_open(&r.plots, false));
    return grade_results(&r, &rows, only);
}

const command command_grade = {"grade", grade_help, grade_run};
