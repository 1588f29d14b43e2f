/* grade.c - grades the results of any program on the cases of conformance/.
 *
 * A case (conformance/README.md) has a body, its start, and states at some times. Of the rows of a
 * case those at these times count. Errors of a row:
 *
 *     attitude   2 atan2(|v|, |s|), (s, v) = q_case^-1 q, in radians
 *     energy     |T - T_case| / max T_case,   T = w.Jw/2
 *     momentum   |L - L_case| / max |L_case|, L = R (J w + wheels)
 *
 * A mistake is recognised by what it predicts: a row q is compared with the attitude that a program
 * with this mistake gives. The transposed and the misordered quaternion may be read, written or
 * both; a mirror M makes (s, v) to (s, -M v); motions by wrong equations are in the case. A
 * velocity that is a half step off differs by a multiple of the acceleration.
 */
#include "rotation/vec.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "cli/files/csv.h"
#include "cli/files/memory.h"
#include "cli/output/loop.h"
#include "cli/tool/grid.h"
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
    for (size_t i = 0; i < CASES; i++) {
        *found = i;
        if (strcmp(case_rows[i].name, name) == 0)
            return 0;
        ph_nearest_add(&n, "%s", case_rows[i].name);
    }
    return fail_unknown(
        c ? memory_text("%.*s:%llu: ", text_cut(c->name, 200), c->name, c->number) : "",
        "case", &n, "polhode grade --list");
}

static void numbers(const json_t *array, double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = json_number_value(json_array_get(array, i));
}

static ph_vec3 vector_of(const json_t *object, const char *key)
{
    double x[3];
    numbers(json_object_get(object, key), x, 3);
    return vec3(x[0], x[1], x[2]);
}

static ph_quat attitude_of(const json_t *array)
{
    double x[4];
    numbers(array, x, 4);
    return of_unit_length((ph_quat){x[0], x[1], x[2], x[3]});
}

/* J w, J by moments or as a tensor. */
static ph_vec3 momentum_of(const json_t *c, ph_vec3 w)
{
    const json_t *tensor = json_object_get(c, "tensor");
    double x[6] = {0.0};
    numbers(tensor ? tensor : json_object_get(c, "inertia"), x, tensor ? 6 : 3);
    return vec3(x[0] * w.x + x[3] * w.y + x[4] * w.z,
                x[3] * w.x + x[1] * w.y + x[5] * w.z,
                x[4] * w.x + x[5] * w.y + x[2] * w.z);
}

/* ---- the rows of a program --------------------------------------------------------- */

typedef struct given_row {
    size_t of; /* case */
    double h;  /* 0: not given */
    double t;
    ph_quat q;
    ph_vec3 w;
} given_row;

typedef struct results {
    given_row *row;
    size_t count;
    bool has[CASES];
} results;

static const char *const column_names[] = {"t",  "q0", "q1", "q2", "q3",
                                           "w1", "w2", "w3", "h"};
enum { REQUIRED = 8, COLUMNS = 9 }; /* h need not be there */

/* Takes a row; `x` is in the order of these columns. */
static int add_row(results *r, const csv *c, const char *name, const double *x)
{
    given_row s = {.h = x[8], .t = x[0], .w = vec3(x[5], x[6], x[7])};
    const ph_quat q = {x[1], x[2], x[3], x[4]};
    TRY(case_find(c, name, &s.of));
    REFUSE_IF(!(dot4(q, q) > 0.0), "%.*s:%llu: the quaternion is zero: write a rotation",
              text_cut(c->name, 200), c->name, c->number);
    s.q = of_unit_length(q);
    if ((r->count & (r->count - 1)) == 0) /* room for twice as many */
        r->row = memory_more(r->row, 2 * r->count + 1, sizeof *r->row);
    r->row[r->count++] = s;
    r->has[s.of] = true;
    return 0;
}

static int read_rows(results *r, csv *c)
{
    size_t at[COLUMNS];
    const size_t name = csv_column(c, "case");
    csv_status status;
    REFUSE_IF(c->array || name == c->columns,
              WORDS ": no column case: write CSV, case,t,q0,q1,q2,q3,w1,w2,w3", c->name);
    for (size_t i = 0; i < COLUMNS; i++) {
        at[i] = csv_column(c, column_names[i]);
        REFUSE_IF(i < REQUIRED && at[i] == c->columns,
                  WORDS ": no column %s: write case,t,q0,q1,q2,q3,w1,w2,w3", c->name,
                  column_names[i]);
    }
    for (size_t i = 0; i < c->columns; i++)
        c->words[i] = true; /* all but those read below */
    for (size_t i = 0; i < COLUMNS; i++)
        if (at[i] < c->columns)
            c->words[at[i]] = false;
    double *row = memory_new(c->columns, sizeof *row), x[COLUMNS];
    while ((status = csv_row(c, row)) == CSV_OK) {
        for (size_t i = 0; i < COLUMNS; i++)
            x[i] = at[i] < c->columns ? row[at[i]] : 0.0;
        TRY(add_row(r, c, c->field[name], x));
    }
    REFUSE_IF(status == CSV_WRONG, "%s", c->message);
    REFUSE_IF(r->count == 0, WORDS ": no rows: write them", c->name);
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

/* ---- one case, at one step --------------------------------------------------------- */

enum { TIMES = 64 }; /* of a case, at most */

typedef struct comparison {
    const json_t *json; /* the case */
    size_t times;
    size_t matched; /* times with a row */
    double t[TIMES];
    ph_quat q[TIMES], exact[TIMES]; /* of the row, of the case */
    ph_vec3 w[TIMES], velocity[TIMES], acceleration[TIMES];
    size_t index[TIMES]; /* which time of the case */
    double h;            /* 0: not given */
} comparison;

static double apart(ph_quat a, ph_quat b)
{
    const ph_quat d = mul(inverse(a), b);
    return 2.0 * ph_atan2(norm(vec(d)), fabs(d.w));
}

/* Of several rows at a time the last one counts. */
static void compare_rows(comparison *c, const json_t *json, const results *r, size_t of,
                         double h)
{
    const json_t *times = json_object_get(json, "times");
    *c = (comparison){.json = json, .times = json_array_size(times), .h = h};
    for (size_t i = 0; i < c->times && i < TIMES; i++) {
        const double t = json_number_value(json_array_get(times, i));
        const given_row *found = NULL;
        for (size_t k = 0; k < r->count; k++) {
            const given_row *s = &r->row[k];
            if (s->of == of && s->h == h &&
                fabs(s->t - t) <= 1e-9 * larger_or_nan(1.0, fabs(t)))
                found = s;
        }
        if (found == NULL)
            continue;
        const json_t *state = json_array_get(json_object_get(json, "states"), i);
        const size_t n = c->matched++;
        c->t[n] = t;
        c->index[n] = i;
        c->q[n] = found->q;
        c->w[n] = found->w;
        c->exact[n] = attitude_of(json_object_get(state, "attitude"));
        c->velocity[n] = vector_of(state, "velocity");
        c->acceleration[n] = vector_of(state, "acceleration");
    }
}

typedef struct errors {
    double attitude, energy, momentum;
    double energy_drift, attitude_drift; /* for a unit of time */
} errors;

/* The slope of a straight line through points. */
static double slope_of(const double *x, const double *y, size_t n)
{
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return xx > 0.0 ? xy / xx : NAN;
}

static errors errors_of(const comparison *c)
{
    const ph_vec3 wheels = vector_of(
        json_object_get(json_object_get(c->json, "torque"), "parameters"), "wheels");
    double attitude[TIMES], energy[TIMES], momentum[TIMES], most = 0.0, largest = 0.0;
    errors e = {0.0, 0.0, 0.0, NAN, NAN};
    for (size_t i = 0; i < c->matched; i++) {
        const ph_vec3 m = momentum_of(c->json, c->w[i]),
                      exact = momentum_of(c->json, c->velocity[i]);
        const ph_vec3 L = rotate(c->exact[i], add(exact, wheels));
        attitude[i] = apart(c->exact[i], c->q[i]);
        energy[i] = 0.5 * (dot(m, c->w[i]) - dot(exact, c->velocity[i]));
        momentum[i] = norm(sub(rotate(c->q[i], add(m, wheels)), L));
        most = larger_or_nan(most, 0.5 * dot(exact, c->velocity[i]));
        largest = larger_or_nan(largest, norm(L));
    }
    for (size_t i = 0; i < c->matched; i++) {
        energy[i] /= most > 0.0 ? most : 1.0;
        e.attitude = larger_or_nan(e.attitude, attitude[i]);
        e.energy = larger_or_nan(e.energy, fabs(energy[i]));
        e.momentum =
            larger_or_nan(e.momentum, momentum[i] / (largest > 0.0 ? largest : 1.0));
    }
    e.energy_drift = slope_of(c->t, energy, c->matched);
    e.attitude_drift = slope_of(c->t, attitude, c->matched);
    return e;
}

/* ---- usual mistakes ---------------------------------------------------------------- */

typedef enum mistake {
    TRANSPOSED,
    SCALAR_LAST,
    SPACE_VELOCITY,
    NO_GYROSCOPIC_TERM,
    LEFT_HANDED,
    HALF_STEP,
    MISTAKES, /* none of them */
} mistake;

static const char *const mistake_names[MISTAKES] = {
    "transposed attitude", "scalar last", "space velocity",
    "no gyroscopic term",  "left handed", "half step"};

static mistake mistake_named(const char *name)
{
    mistake m = TRANSPOSED;
    while (m < MISTAKES && strcmp(mistake_names[m], name) != 0)
        m++;
    return m;
}

static ph_quat same(ph_quat q)
{
    return q;
}

static ph_quat write_scalar_last(ph_quat q)
{
    return (ph_quat){q.x, q.y, q.z, q.w};
}

static ph_quat read_scalar_last(ph_quat q)
{
    return (ph_quat){q.z, q.w, q.x, q.y};
}

/* What is done to the attitude at the start, and to each that is written. */
static const struct exchange {
    mistake is;
    ph_quat (*read)(ph_quat), (*write)(ph_quat);
} exchanges[] = {
    {TRANSPOSED, same, inverse},
    {TRANSPOSED, inverse, same},
    {TRANSPOSED, inverse, inverse},
    {SCALAR_LAST, same, write_scalar_last},
    {SCALAR_LAST, read_scalar_last, same},
    {SCALAR_LAST, read_scalar_last, write_scalar_last},
};

/* Mirrors: through a plane of two axes, or exchanging two axes; rows of M. */
static const double mirrors[][3][3] = {
    {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
    {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
    {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}},  {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
};

/* What fits best so far: the largest distance of the rows from what a mistake predicts. */
typedef struct guess {
    double distance;
    mistake is;
} guess;

static void consider(guess *g, mistake is, double distance)
{
    if (distance < g->distance)
        *g = (guess){distance, is};
}

static ph_quat mirrored(const double M[3][3], double sign, ph_quat q)
{
    double v[3];
    for (int i = 0; i < 3; i++)
        v[i] = sign * (M[i][0] * q.x + M[i][1] * q.y + M[i][2] * q.z);
    return (ph_quat){q.w, v[0], v[1], v[2]};
}

static void guess_attitude(guess *g, const comparison *c)
{
    const ph_quat start = attitude_of(json_object_get(c->json, "attitude"));
    const json_t *wrong;
    size_t k;
    for (size_t i = 0; i < COUNT(exchanges); i++) {
        double distance = 0.0;
        for (size_t n = 0; n < c->matched; n++) {
            const ph_quat turn = mul(inverse(start), c->exact[n]);
            const ph_quat q = exchanges[i].write(mul(exchanges[i].read(start), turn));
            distance = larger_or_nan(distance, apart(q, c->q[n]));
        }
        consider(g, exchanges[i].is, distance);
    }
    for (size_t i = 0; i < 2 * COUNT(mirrors); i++) {
        double distance = 0.0;
        for (size_t n = 0; n < c->matched; n++)
            distance = larger_or_nan(
                distance, apart(mirrored(mirrors[i / 2], i % 2 ? 1.0 : -1.0, c->exact[n]),
                                c->q[n]));
        consider(g, LEFT_HANDED, distance);
    }
    json_array_foreach(json_object_get(c->json, "mistakes"), k, wrong)
    {
        const json_t *attitudes = json_object_get(wrong, "attitudes");
        double distance = 0.0;
        for (size_t n = 0; n < c->matched; n++)
            distance = larger_or_nan(
                distance,
                apart(attitude_of(json_array_get(attitudes, c->index[n])), c->q[n]));
        consider(g, mistake_named(json_string_value(json_object_get(wrong, "name"))),
                 distance);
    }
}

/* The largest |w - sign R^n velocity|, n = 1: the velocity in space, of the row's attitude. */
static double velocity_distance(const comparison *c, bool in_space, double sign)
{
    double distance = 0.0;
    for (size_t n = 0; n < c->matched; n++) {
        const ph_vec3 v = in_space ? rotate(c->q[n], c->velocity[n]) : c->velocity[n];
        distance = larger_or_nan(distance, norm(sub(c->w[n], scale(sign, v))));
    }
    return distance;
}

/* The velocity at other times: w - velocity = s acceleration, with half a step for s. */
static bool is_half_step(const comparison *c, double off)
{
    const double low = 0.3, high = 0.7; /* steps */
    double xy = 0.0, xx = 0.0, rest = 0.0;
    for (size_t n = 0; n < c->matched; n++) {
        xx += dot(c->acceleration[n], c->acceleration[n]);
        xy += dot(c->acceleration[n], sub(c->w[n], c->velocity[n]));
    }
    const double s = xx > 0.0 ? xy / xx : 0.0;
    for (size_t n = 0; n < c->matched; n++)
        rest = larger_or_nan(
            rest, norm(sub(sub(c->w[n], c->velocity[n]), scale(s, c->acceleration[n]))));
    return rest < 0.2 * off &&
           (c->h == 0.0 || (fabs(s) > low * fabs(c->h) && fabs(s) < high * fabs(c->h)));
}

/* The mistake that explains the errors but for a tenth. */
static mistake mistake_of(const comparison *c, const errors *e)
{
    const double part = 0.1, most = 0.2; /* radians */
    const double bound = json_number_value(json_object_get(c->json, "bound"));
    const double off = velocity_distance(c, false, 1.0);
    double fastest = 0.0;
    for (size_t n = 0; n < c->matched; n++)
        fastest = larger_or_nan(fastest, norm(c->velocity[n]));
    if (e->attitude > bound) {
        guess g = {smaller_or_nan(part * e->attitude, most), MISTAKES};
        guess_attitude(&g, c);
        if (g.is == TRANSPOSED && velocity_distance(c, false, -1.0) < part * off)
            return LEFT_HANDED; /* both are reversed */
        if (g.is != MISTAKES)
            return g.is;
    }
    if (!(off > larger_or_nan(1e-6, 10.0 * e->attitude) * fastest) && e->attitude < bound)
        return MISTAKES;
    if (velocity_distance(c, true, 1.0) < part * off)
        return SPACE_VELOCITY;
    return e->attitude <= bound && is_half_step(c, off) ? HALF_STEP : MISTAKES;
}

/* ---- grades ------------------------------------------------------------------------ */

typedef struct grade {
    errors error;
    double bound, h, order; /* of the smallest step, 0: not given; NaN: unknown */
    size_t of, matched, times;
    mistake looks_like;
    bool passed;
} grade;

/* The steps of a case's rows, in ascending order; at most this many. */
enum { STEPS = 32 };
static size_t steps_of(const results *r, size_t of, double step[STEPS])
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        size_t at = 0;
        while (at < count && fabs(step[at]) < fabs(r->row[i].h))
            at++;
        if (r->row[i].of != of || (at < count && step[at] == r->row[i].h) ||
            count == STEPS)
            continue;
        for (size_t k = count++; k > at; k--)
            step[k] = step[k - 1];
        step[at] = r->row[i].h;
    }
    return count;
}

/* By the smallest step; the order by all with errors between round-off and a radian. */
static void grade_case(grade *g, const json_t *json, const results *r, size_t of)
{
    const double round_off = 1e-12, large = 1.0;
    double step[STEPS] = {0.0}, x[STEPS] = {0.0}, y[STEPS] = {0.0};
    const size_t steps = steps_of(r, of, step);
    size_t points = 0;
    comparison c = {.json = json};
    for (size_t i = steps; i-- > 0;) {
        compare_rows(&c, json, r, of, step[i]);
        g->error = errors_of(&c);
        if (step[i] != 0.0 && g->error.attitude > round_off &&
            g->error.attitude < large) {
            x[points] = ph_real_log(fabs(step[i]));
            y[points++] = ph_real_log(g->error.attitude);
        }
    }
    g->of = of;
    g->h = step[0];
    g->order = points > 1 ? slope_of(x, y, points) : NAN;
    g->bound = json_number_value(json_object_get(json, "bound"));
    g->matched = c.matched;
    g->times = c.times;
    g->passed = c.matched == c.times && g->error.attitude <= g->bound;
    g->looks_like = c.matched > 0 ? mistake_of(&c, &g->error) : MISTAKES;
}

/* ---- what is printed --------------------------------------------------------------- */

typedef struct report {
    grade *grade;
    size_t count, passed;
    outfile *out;
    bool json;
    pictures plots;
} report;

/* Why a case has not passed, or what is strange about it. */
static const char *reason_of(const grade *g)
{
    if (g->matched < g->times)
        return memory_text("%zu of %zu times have no row", g->times - g->matched,
                           g->times);
    if (g->looks_like != MISTAKES)
        return memory_text("looks like: %s", mistake_names[g->looks_like]);
    return g->passed ? ""
                     : memory_text("%.3g times the bound", g->error.attitude / g->bound);
}

static json_t *grade_json(const grade *g)
{
    const bool any = g->matched > 0;
    return json_pack("{so so so ss? so so so so sb ss sI sI}", "attitude_error",
                     json_finite(any ? g->error.attitude : NAN), "energy_error",
                     json_finite(any ? g->error.energy : NAN), "momentum_error",
                     json_finite(any ? g->error.momentum : NAN), "looks_like",
                     g->looks_like == MISTAKES ? NULL : mistake_names[g->looks_like],
                     "order", json_finite(g->order), "energy_drift",
                     json_finite(g->error.energy_drift), "attitude_drift",
                     json_finite(g->error.attitude_drift), "bound", json_finite(g->bound),
                     "passed", g->passed, "reason", reason_of(g), "times",
                     (json_int_t)g->times, "rows", (json_int_t)g->matched);
}

static int print_json(const report *r)
{
    json_t *of = json_object();
    for (size_t i = 0; i < r->count; i++)
        json_put(of, case_rows[r->grade[i].of].name, grade_json(&r->grade[i]));
    return put_json(r->out,
                    json_pack("{so sI sI}", "cases", of, "passed", (json_int_t)r->passed,
                              "of", (json_int_t)r->count),
                    JSON_INDENT(2));
}

static int print_text(const report *r)
{
    grid g = {.right = 0x1e};
    size_t looks[MISTAKES + 1] = {0};
    grid_add(&g, "case\tattitude\tenergy\tmomentum\torder\tpassed\treason");
    for (size_t i = 0; i < r->count; i++) {
        const grade *one = &r->grade[i];
        const double error[] = {one->error.attitude, one->error.energy,
                                one->error.momentum};
        looks[one->looks_like]++;
        grid_add(&g, "%s", case_rows[one->of].name);
        for (size_t k = 0; k < COUNT(error); k++)
            grid_add(&g, one->matched > 0 ? "%.1e" : "-", error[k]);
        grid_add(&g, isfinite(one->order) ? "%.1f" : "-", one->order);
        grid_add(&g, "%s", one->passed ? "yes" : "no");
        grid_add(&g, "%s", reason_of(one));
    }
    grid_print(&g, r->out, false);
    outfile_print(r->out, "\n%zu of %zu passed", r->passed, r->count);
    for (mistake m = TRANSPOSED; m < MISTAKES; m++)
        if (looks[m] > 0)
            outfile_print(r->out, "; %zu look%s like: %s", looks[m],
                          looks[m] == 1 ? "s" : "", mistake_names[m]);
    outfile_print(r->out, "\n");
    return 0;
}

static bool write_script(FILE *script, plot_format format, const void *context)
{
    const report *r = context;
    const double least = 1e-16; /* what is exact is drawn there */
    plot_begin(script, format, "attitude error of each case");
    plot_data_begin(script);
    (void)fprintf(script, "case,number,error,bound,passed\n");
    for (size_t i = 0; i < r->count; i++) {
        const grade *g = &r->grade[i];
        (void)fprintf(script, "%s,%zu,%.6g,%.6g,%d\n", case_rows[g->of].name,
                      r->count - i, larger_or_nan(g->error.attitude, least), g->bound,
                      g->passed);
    }
    plot_data_end(script);
    return plot_end(script, "grade");
}

static int grade_rows(report *r, const results *rows, const char *only)
{
    size_t one = CASES;
    TRY(only != NULL ? case_find(NULL, only, &one) : 0);
    REFUSE_IF(only != NULL && !rows->has[one], "no row of the case %s: add them", only);
    for (size_t i = 0; i < CASES; i++) {
        if (!rows->has[i] || (only != NULL && i != one))
            continue;
        json_t *json = case_json(i);
        if (json == NULL)
            return fail_memory();
        grade_case(&r->grade[r->count], json, rows, i);
        r->passed += r->grade[r->count++].passed;
        json_decref(json);
    }
    TRY(r->json ? print_json(r) : print_text(r));
    TRY(pictures_draw(&r->plots, write_script, r));
    return r->passed == r->count ? EXIT_DONE : EXIT_FAILED;
}

/* ---- the command ------------------------------------------------------------------- */

/* All cases, or one alone: as JSON the file itself. */
static int list_cases(outfile *out, const char *only, bool json)
{
    static const char *const key[] = {"name", "category", "condition", "title"};
    size_t first = 0, end = CASES;
    if (only != NULL) {
        TRY(case_find(NULL, only, &first));
        end = first + 1;
    }
    if (only != NULL && json)
        return put_json(out, case_json(first), JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    json_t *all = json_array();
    grid g = {.right = 0x4, .width = LINE_WIDTH};
    if (!json)
        grid_add(&g, "case\tcategory\tcondition\ttext");
    for (size_t i = first; i < end; i++) {
        json_t *c = case_json(i);
        json_object_del(c, "states");
        json_object_del(c, "mistakes");
        for (size_t k = 0; k < COUNT(key) && !json; k++) {
            const json_t *value = json_object_get(c, key[k]);
            if (json_is_string(value))
                grid_add(&g, "%s", json_string_value(value));
            else
                grid_add(&g, "%.2g", json_number_value(value));
        }
        json_add(all, c);
    }
    if (json)
        return put_json(out, all, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    json_decref(all);
    grid_print(&g, out, false);
    return 0;
}

static int run(const arguments *given, outfile *out)
{
    const char *only = argument(given, "--case");
    const bool json = argument(given, "--json") != NULL;
    if (argument(given, "--list") != NULL) {
        TRY(refuse_operands(given));
        TRY(refuse_both(given, "--list", "--case"));
        return list_cases(out, NULL, json);
    }
    if (given->operands == 0 && only != NULL)
        return list_cases(out, only, json);
    REFUSE_IF(given->operands != 1,
              "grade takes one file of results: name it, or give --list");
    results rows = {0};
    report r = {.grade = memory_new(CASES, sizeof *r.grade),
                .out = out,
                .json = json,
                .plots = {.given = given, .option = "--plot"}};
    r.plots.told = json ? NULL : out;
    TRY(results_read(&rows, given->operand[0]));
    TRY(pictures_open(&r.plots));
    return grade_rows(&r, &rows, only);
}

const command command_grade = {"grade", grade_help, run};
