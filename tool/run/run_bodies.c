/* run_bodies.c - what differs from body to body: columns of a file, or draws around one body. */
#define _POSIX_C_SOURCE 200809L
#include "request.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counter_random.h"
#include "base/hash.h"
#include "base/named.h"
#include "integrators/range.h"
#include "motion/vec.h"
#include "system/find.h"
#include "tool/base/tool.h"
#include "tool/files/columns.h"
#include "tool/files/memory.h"

int bodies_refuse(const body_list *b, const model *m, size_t body, const ph_message *why)
{
    const size_t own = m->settings.setting_count, k = (size_t)why->setting - own;
    const char *where = "";
    if (why->setting >= (int)own)
        where = memory_text(", %s", b->columns[k]);
    return fail_usage(WORDS " %s %llu%s: %s", b->place, b->word, b->first + body, where, why->text);
}

/* ---- what there is ------------------------------------------------------------------ */

/* A body of the model, and the keys that each body can have of its own. */
typedef struct base_body {
    const model *m;
    ph_system *system;
    const setting_key *keys;
    size_t count;
    const double *values; /* of its parameters */
} base_body;

static base_body base_of(const model *m, ph_system *system)
{
    base_body base = {.m = m, .system = system};
    size_t parameters;
    const ph_parameter *parameter = ph_system_parameters(system, &parameters, &base.values);
    base.keys = body_keys(m->kind, parameter, parameters, &base.count);
    return base;
}

/* Makes room for as many keys as there are. */
static void make_room(body_list *b, const base_body *base)
{
    b->each = memory_new(base->count + 1, sizeof *b->each);
    b->columns = memory_new(base->count + 1, sizeof *b->columns);
}

static void add_each(body_list *b, const setting_key *k, size_t count, const char *columns)
{
    b->columns[b->each_count] = columns;
    b->each[b->each_count++] = (ph_each){.name = k->name, .count = count, .across = 1};
}

/* Gives each key its numbers among `values`, of which a body has `width`. */
static void set_values(body_list *b, size_t width)
{
    size_t at = 0;
    for (size_t k = 0; k < b->each_count; at += b->each[k++].count) {
        b->each[k].values = b->values + at;
        b->each[k].along = width;
    }
}

/* ---- columns of a file ------------------------------------------------------------- */

static int read_cases(body_list *b, const base_body *base, const char *path)
{
    body_columns c;
    const wanted_columns wanted = {.keys = base->keys,
                                   .count = base->count,
                                   .time = TIME_REFUSED,
                                   .unnamed = BODY_COLUMNS,
                                   .degrees = base->m->input->degrees,
                                   .has_attitude = true};
    TRY(body_columns_open(&c, path, &wanted));
    make_room(b, base);
    for (size_t i = 0; i < c.parts; i++)
        add_each(b, c.part[i].key, c.part[i].count, c.part[i].columns);
    b->place = path;
    b->word = c.in->row;
    b->first = c.in->array ? 1 : 2;
    TRY(body_columns_rows(&c, field_quat(find_field(base->system, "attitude"), 0), &b->values, NULL,
                          &b->count));
    REFUSE_IF(b->count == 0, WORDS " has no bodies: write one line for each body", path);
    b->copied = c.copied;
    set_values(b, c.width);
    return 0;
}

enum { MOST_DRAWS = 1000 }; /* of a sample, until a body can have it */

/* How many numbers are drawn of a key: those of an attitude turn it. */
static size_t numbers_drawn(const setting_key *k)
{
    return strcmp(k->name, "attitude") == 0 ? 3 : k->count;
}

/* Adds what was drawn to the mean of a key; an attitude is turned by it. Returns false if no body
 * can have the result. */
static bool add_drawn(const setting_key *k, const double *mean, const double *drawn, double *out)
{
    const bool attitude = strcmp(k->name, "attitude") == 0;
    const size_t count = numbers_drawn(k);
    for (size_t i = 0; i < count; i++) {
        out[i] = (attitude ? 0.0 : mean[i]) + drawn[i];
        if (!isfinite(out[i]) ||
            (k->parameter != NULL && !ph_range_has(k->parameter->range, out[i])))
            return false;
    }
    if (attitude) {
        const ph_quat q = mul((ph_quat){mean[0], mean[1], mean[2], mean[3]},
                              ph_rotation_exp(vec3(out[0], out[1], out[2])));
        memcpy(out, &q, sizeof q);
    }
    ph_body body;
    ph_status status;
    if (strcmp(k->name, "inertia") == 0)
        status = ph_body_from_moments(&body, vec3(out[0], out[1], out[2]));
    else if (strcmp(k->name, "tensor") == 0)
        status = ph_body_from_tensor(&body, symmetric(out));
    else
        return true;
    return status == PH_OK && ph_body_physical(&body);
}

/* ---- draws around one body ----------------------------------------------------------- */

/* A key that is drawn: its mean, and how far each number is spread about it. */
typedef struct spread {
    const setting_key *of;
    setting_key set; /* `of`, or the tensor of moments in other axes */
    double mean[KEY_NUMBERS], deviation[KEY_NUMBERS];
    ph_quat axes; /* of the moments */
    bool turned, moments, attitude;
    double turn; /* of moments: how far each of the axes is spread, in radians */
    /* Moments near the triangle inequality: the second moments of the mass are spread instead, each
     * by this part of itself; 0: none. */
    double second;
} spread;

/* Draws normal numbers of sample k, by the name of what is drawn and the number of the draw. */
static void draw_numbers(uint64_t seed, size_t k, const char *name, uint64_t attempt, double *out,
                         size_t count)
{
    const uint64_t of = hash_bytes(HASH_BEGIN, name, strlen(name)) << 32 | attempt << 8;
    for (size_t i = 0; i < count; i += 2) {
        double two[2];
        normal_pair(seed, (const uint64_t[]){k, of | i / 2}, two);
        out[i] = two[0];
        if (i + 1 < count)
            out[i + 1] = two[1];
    }
}

/* The second moments of the mass along the axes: J_1 = s_2 + s_3 and so on. */
static void second_moments(const double *J, double s[3])
{
    for (int k = 0; k < 3; k++)
        s[k] = 0.5 * (J[(k + 1) % 3] + J[(k + 2) % 3] - J[k]);
}

/* Correlation of the logarithms of the second moments: half of what is not known is the mass. */
static const double SAME_MASS = 0.5;

/* The variance of a moment, the sum of two second moments that are each spread by `part`. */
static double moment_variance(double part, double s, double t)
{
    return part * part * (s * s + t * t + 2.0 * SAME_MASS * s * t);
}

/* If moments so spread would often be none of a body, the second moments of the mass are spread
 * instead: s exp(a x - a^2/2), x normal, which no draw makes negative. How far is such that the
 * moments have the deviations asked for, as a mean of their squares. */
static void choose_second_moments(spread *s)
{
    static const double FAR = 5.0; /* deviations that are as good as never exceeded */
    double of[3], sum = 0.0, variance = 0.0;
    bool near_limit = false;
    second_moments(s->mean, of);
    for (int k = 0; k < 3; k++)
        variance += 0.25 * s->deviation[k] * s->deviation[k];
    for (int k = 0; k < 3; k++) {
        const double share = moment_variance(1.0, of[(k + 1) % 3], of[(k + 2) % 3]);
        near_limit = near_limit || (s->deviation[k] > 0.0 && of[k] < FAR * sqrt(variance));
        sum += share / (s->deviation[k] * s->deviation[k]);
    }
    if (!near_limit || !(of[0] >= 0.0 && of[1] >= 0.0 && of[2] >= 0.0))
        return;
    s->second = sqrt(3.0 / sum);
    double per_cent[3];
    for (int k = 0; k < 3; k++)
        per_cent[k] =
            100.0 * sqrt(moment_variance(s->second, of[(k + 1) % 3], of[(k + 2) % 3])) / s->mean[k];
    warn("--scatter inertia: the moments are too close to the limit of the triangle inequality to "
         "be drawn one by one: the tool draws the second moments of the mass instead, so that the "
         "moments deviate by %.2g%%, %.2g%%, %.2g%%",
         per_cent[0], per_cent[1], per_cent[2]);
}

/* Moments of second moments that are spread by the normal numbers z, of which the last is that of
 * all. */
static void spread_second_moments(const spread *s, const double z[4], double J[3])
{
    const double a = sqrt(ph_real_log(1.0 + s->second * s->second));
    double of[3];
    second_moments(s->mean, of);
    for (int k = 0; k < 3; k++) {
        const double x = sqrt(SAME_MASS) * z[3] + sqrt(1.0 - SAME_MASS) * z[k];
        of[k] *= ph_real_exp(a * x - 0.5 * a * a);
    }
    for (int k = 0; k < 3; k++)
        J[k] = of[(k + 1) % 3] + of[(k + 2) % 3];
}

/* Draws the numbers of a sample. Returns false if no body can have them. */
static bool draw_sample(const spread *s, uint64_t seed, size_t k, uint64_t attempt, double *out)
{
    double x[KEY_NUMBERS], z[4];
    const size_t count = numbers_drawn(s->of);
    draw_numbers(seed, k, s->set.name, attempt, x, count);
    for (size_t i = 0; i < count; i++)
        x[i] *= s->deviation[i];
    if (s->second != 0.0) {
        draw_numbers(seed, k, s->set.name, attempt, z, 4);
        spread_second_moments(s, z, out);
    } else if (!add_drawn(s->of, s->mean, x, out)) {
        return false;
    }
    if (s->turned) {
        draw_numbers(seed, k, "axes", attempt, z, 3);
        ph_quat axes = s->axes;
        if (s->turn != 0.0)
            axes = mul(ph_rotation_exp(vec3(s->turn * z[0], s->turn * z[1], s->turn * z[2])), axes);
        const ph_mat3 A = ph_quat_matrix(axes);
        const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        memcpy(x, out, 3 * sizeof *x);
        for (int i = 0; i < 6; i++) {
            const double *a = A.a[at[i][0]], *c = A.a[at[i][1]];
            out[i] = a[0] * x[0] * c[0] + a[1] * x[1] * c[1] + a[2] * x[2] * c[2];
        }
    }
    return true;
}

/* Finds the key of a name, and its numbers of the base. */
static int find_spread(spread *s, const base_body *base, const char *name)
{
    nearest near_by = {.wrong = name};
    for (size_t i = 0; i < base->count; i++) {
        const setting_key *k = &base->keys[i];
        if (strcmp(k->name, "tensor") == 0 || strcmp(k->name, "rotvec") == 0)
            continue;
        ph_nearest_add(&near_by, "%s", k->name);
        if (strcmp(k->name, name) != 0)
            continue;
        const bool moments = strcmp(name, "inertia") == 0;
        const ph_array *f = find_field(base->system, moments ? "moments" : k->name),
                       *axes = find_field(base->system, "axes");
        *s = (spread){
            .of = k, .set = *k, .moments = moments, .attitude = strcmp(name, "attitude") == 0};
        REFUSE_IF((f == NULL && k->parameter == NULL) || k->count > KEY_NUMBERS,
                  "--scatter %s: this quantity cannot be drawn: remove it", name);
        for (size_t n = 0; n < k->count; n++) {
            if (k->parameter)
                s->mean[n] = base->values[k->parameter->first + (int)n];
            else
                s->mean[n] = *f->data[n];
        }
        if (s->moments && axes != NULL) {
            s->axes = field_quat(axes, 0);
            s->turned = vec(s->axes).x != 0.0 || vec(s->axes).y != 0.0 || vec(s->axes).z != 0.0;
        }
        if (s->turned) {
            s->set.name = "tensor";
            s->set.count = 6;
        }
        return 0;
    }
    return fail_unknown("--scatter: ", "quantity", &near_by, "`polhode help run`");
}

/* Reads 0.1% or a number, with a unit where it has one. */
static int read_deviation(spread *s, const char *name, const char *text, bool degrees)
{
    const size_t count = numbers_drawn(s->of);
    const char *at = text, *unit = NULL;
    double x, size = 0.0;
    const bool number = quantity_read(&at, &x, &unit) == NUMBER_OK && x >= 0.0,
               relative = number && unit == NULL && strcmp(at, "%") == 0;
    const char *of = s->attitude ? "rad" : s->of->unit;
    REFUSE_IF(!number || (!relative && (*at != '\0' || !quantity_convert(of, degrees, unit, &x))),
              "--scatter %s=" WORDS " is not a deviation: write 0.01, or per cent, 0.1%%", name,
              text);
    REFUSE_IF(relative && s->attitude,
              "--scatter attitude=" WORDS ": an angle cannot be in per cent: write radians", text);
    for (size_t k = 0; k < count; k++)
        size = hypot(size, s->mean[k]);
    for (size_t k = 0; k < count; k++) {
        if (relative)
            s->deviation[k] = x / 100.0 * (s->moments ? s->mean[k] : size);
        else
            s->deviation[k] = x;
    }
    return 0;
}

static int read_whole(const arguments *given, const char *name, double least, double *x)
{
    TRY(argument_numbers(given, name, 1, x));
    REFUSE_IF(!(*x >= least && *x < 0x1p53 && *x == floor(*x)),
              "%s " WORDS " is not a whole number from %g: write one", name, argument(given, name),
              least);
    return 0;
}

/* Reads a seed of 64 bits, exactly as it is written. */
static int read_seed(const arguments *given, uint64_t *seed)
{
    const char *text = argument(given, "--seed");
    double x = 0.0;
    *seed = 0;
    if (text == NULL)
        return 0;
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') { /* 1e6 */
        TRY(read_whole(given, "--seed", 0.0, &x));
        *seed = (uint64_t)x;
        return 0;
    }
    errno = 0;
    *seed = strtoull(text, NULL, 10);
    REFUSE_IF(errno != 0, "--seed " WORDS " is too large: write a whole number below 2^64", text);
    return 0;
}

/* Draws all samples of all keys. */
static int draw_all(body_list *b, const spread *all, size_t count, uint64_t seed)
{
    size_t width = 0, at = 0;
    for (size_t k = 0; k < count; k++)
        width += all[k].set.count;
    b->values = memory_new(b->count, width * sizeof *b->values);
    for (size_t k = 0; k < count; at += all[k++].set.count) {
        add_each(b, &all[k].set, all[k].set.count, all[k].set.name);
        for (size_t i = 0; i < b->count; i++) {
            uint64_t attempt = 0;
            while (attempt < MOST_DRAWS &&
                   !draw_sample(&all[k], seed, i, attempt, b->values + i * width + at))
                attempt++;
            REFUSE_IF(attempt == MOST_DRAWS,
                      "--scatter %s: none of %d draws of sample %zu is a possible body: use a "
                      "smaller deviation",
                      all[k].set.name, (int)MOST_DRAWS, i);
        }
    }
    set_values(b, width);
    return 0;
}

/* ---- draws of what a fit found ---------------------------------------------------------- */

enum { MOST_FITTED = 64 };

/* What `polhode fit --json` wrote. */
typedef struct fitted {
    const char *path;
    const json_t *from;
    size_t columns;
    const char *column[MOST_FITTED];
    bool known[MOST_FITTED]; /* columns that are of a key */
    double covariance[MOST_FITTED * MOST_FITTED];
    size_t keys, width; /* what differs from body to body, and its numbers */
    const setting_key *key[MOST_FITTED];
    const size_t *source[MOST_FITTED]; /* the column of each number of a key, or `columns` */
    double mean[MOST_FITTED];
} fitted;

#define FIT "--scatter " WORDS ": "

/* Reads `count` finite numbers of an array. Returns false if there are others. */
static bool json_doubles(const json_t *from, size_t count, double *to)
{
    bool good = json_array_size(from) == count;
    for (size_t k = 0; good && k < count; k++) {
        const json_t *x = json_array_get(from, k);
        to[k] = json_number_value(x);
        good = json_is_number(x) && isfinite(to[k]);
    }
    return good;
}

static size_t fitted_column(const fitted *f, const char *name)
{
    size_t k = 0;
    while (k < f->columns && strcmp(f->column[k], name) != 0)
        k++;
    return k;
}

static int read_covariance(fitted *f)
{
    static const double ROUND_OFF = 1e-9; /* of the two halves, relative to deviations */
    const json_t *covariance = json_object_get(f->from, "covariance"),
                 *names = json_object_get(covariance, "columns"),
                 *rows = json_object_get(covariance, "matrix");
    const size_t n = json_array_size(names);
    double *C = f->covariance;
    REFUSE_IF(n == 0 || n > MOST_FITTED || json_array_size(rows) != n,
              FIT "it has no covariance with columns and a matrix of as many rows: write it with "
                  "`polhode fit --json`",
              f->path);
    for (size_t k = 0; k < n; k++) {
        const char *name = json_string_value(json_array_get(names, k));
        REFUSE_IF(name == NULL || !text_is_plain(name),
                  FIT "column %zu of its covariance has no name: correct it", f->path, k);
        REFUSE_IF(fitted_column(f, name) < f->columns,
                  FIT "column " WORDS " of its covariance occurs twice: remove one", f->path, name);
        f->column[f->columns++] = name;
        REFUSE_IF(!json_doubles(json_array_get(rows, k), n, C + k * n),
                  FIT "row %zu of its covariance needs %zu numbers: correct it", f->path, k, n);
    }
    for (size_t i = 0; i < n * n; i++) {
        const double other = C[i % n * n + i / n],
                     size = sqrt(fabs(C[i / n * (n + 1)])) * sqrt(fabs(C[i % n * (n + 1)]));
        REFUSE_IF(!(fabs(C[i] - other) <= ROUND_OFF * size),
                  FIT "its covariance is not symmetric: correct it", f->path);
    }
    return 0;
}

/* Adds a key, whose means come after those there are. */
static void add_fitted(fitted *f, const setting_key *k, const size_t *from)
{
    f->source[f->keys] = from;
    f->key[f->keys++] = k;
    f->width += k->count;
}

/* Finds the columns of a key, and marks them as known. Returns which they are, with a number
 * f->columns for each that the fit does not have, and in *found how many it has. */
static const size_t *mark_columns(fitted *f, const char *columns, size_t *found)
{
    size_t *from = memory_new(list_length(columns), sizeof *from), *at = from;
    const char *name;
    *found = 0;
    for (; (name = memory_word(&columns)) != NULL; at++) {
        *at = fitted_column(f, name);
        if (*at < f->columns)
            f->known[*at] = ++*found > 0;
    }
    return from;
}

/* The columns that a fit has of a key, or NULL if it has none. */
static const char *columns_in_fit(const setting_key *k)
{
    static const char *const start[][2] = {{"attitude", "theta1,theta2,theta3"},
                                           {"velocity", "w1,w2,w3"},
                                           {"tensor", "J11,J22,J33,J12,J13,J23"}};
    for (size_t i = 0; i < COUNT(start); i++)
        if (strcmp(k->name, start[i][0]) == 0)
            return start[i][1];
    if (k->parameter != NULL)
        return k->columns;
    return NULL;
}

/* Reads the attitude, the velocity or the tensor of a fit, if it has one. */
static int read_fitted_start(fitted *f, const setting_key *q)
{
    const char *columns = columns_in_fit(q);
    if (columns == NULL)
        return 0;
    const json_t *x = json_object_get(f->from, q->name);
    size_t found;
    const size_t *from = mark_columns(f, columns, &found);
    if (x == NULL && found == 0)
        return 0;
    REFUSE_IF(!json_doubles(x, q->count, f->mean + f->width),
              FIT "its %s does not have %zu numbers: correct it", f->path, q->name, q->count);
    add_fitted(f, q, from);
    return 0;
}

/* ---- what a fit does not determine ------------------------------------------------------ */

/* The name of a key in --scatter. */
static const char *name_in_scatter(const setting_key *k)
{
    return strcmp(k->name, "tensor") == 0 ? "inertia" : k->name;
}

static bool is_in_list(const json_t *names, const char *name)
{
    const json_t *one;
    size_t i;
    json_array_foreach(names, i, one)
    {
        if (json_is_string(one) && strcmp(json_string_value(one), name) == 0)
            return true;
    }
    return false;
}

/* Whether a fit has a value for the column of that name. */
static bool has_value(const fitted *f, const setting_key *k, const char *name)
{
    if (k->parameter != NULL)
        return json_object_get(json_object_get(f->from, "parameters"), name) != NULL;
    return json_object_get(f->from, k->name) != NULL;
}

/* Sets the size to which a deviation of a key in per cent is relative. */
static void set_size(const fitted *f, spread *s, const double *values)
{
    const json_t *x = json_object_get(f->from, s->of->name);
    for (size_t i = 0; i < s->of->count; i++) {
        double number;
        if (s->of->parameter != NULL)
            number = values[s->of->parameter->first + (int)i];
        else
            number = json_number_value(json_array_get(x, i));
        if (strcmp(s->of->name, "tensor") != 0)
            s->mean[i] = number;
        else if (fabs(number) > s->mean[0])
            s->mean[0] = fabs(number);
    }
}

/* Adds a column to the covariance that depends on no other. */
static int add_column(fitted *f, const char *name, double deviation)
{
    const size_t n = f->columns;
    REFUSE_IF(n == MOST_FITTED, FIT "it has too many numbers: fit fewer quantities", f->path);
    for (size_t i = n + 1; i-- > 0;) {
        for (size_t k = n + 1; k-- > 0;) {
            double x = 0.0;
            if (i < n && k < n)
                x = f->covariance[i * n + k];
            f->covariance[i * (n + 1) + k] = x;
        }
    }
    f->covariance[(n + 1) * (n + 1) - 1] = deviation * deviation;
    f->column[f->columns++] = name;
    return 0;
}

/* Gives the columns of a key that the fit does not determine the spread of --scatter,
 * FILE.json,NAME=DEVIATION. */
static int spread_undetermined(fitted *f, const base_body *base, const setting_key *k,
                               const char *deviation)
{
    const json_t *names = json_object_get(f->from, "not_determined");
    const char *columns = columns_in_fit(k), *name, *missing = "";
    spread s = {.of = k, .set = *k, .attitude = strcmp(k->name, "attitude") == 0};
    bool has_any = false;
    set_size(f, &s, base->values);
    if (deviation != NULL)
        TRY(read_deviation(&s, name_in_scatter(k), deviation, base->m->input->degrees));
    for (size_t i = 0; (name = memory_word(&columns)) != NULL; i++) {
        if (!is_in_list(names, name) || fitted_column(f, name) < f->columns ||
            !has_value(f, k, name))
            continue;
        has_any = true;
        missing = memory_list(missing, name);
        if (deviation != NULL)
            TRY(add_column(f, name, s.deviation[i]));
    }
    REFUSE_IF(has_any && deviation == NULL,
              FIT "the fit does not determine %s: give the spread, as in --scatter " WORDS
                  ",%s=DEVIATION",
              f->path, missing, f->path, name_in_scatter(k));
    REFUSE_IF(!has_any && deviation != NULL,
              FIT "it does not contain %s as not determined: remove %s=" WORDS, f->path,
              name_in_scatter(k), name_in_scatter(k), deviation);
    return 0;
}

/* Reads `list`, NAME=DEVIATION,..., which must be of the keys that have undetermined columns. */
static int read_undetermined(fitted *f, const base_body *base, const char *list)
{
    const char **deviation = memory_new(base->count + 1, sizeof *deviation);
    char *word;
    while ((word = memory_word(&list)) != NULL) {
        char *equals = strchr(word, '=');
        nearest near_by = {.wrong = word};
        size_t i = 0;
        REFUSE_IF(equals == NULL, "--scatter " WORDS " is not valid: write NAME=DEVIATION,...",
                  word);
        *equals = '\0';
        for (; i < base->count; i++) {
            const setting_key *k = &base->keys[i];
            if (columns_in_fit(k) == NULL)
                continue;
            ph_nearest_add(&near_by, "%s", name_in_scatter(k));
            if (strcmp(name_in_scatter(k), word) == 0)
                break;
        }
        if (i == base->count)
            return fail_unknown("--scatter: ", "quantity", &near_by, "`polhode help run`");
        REFUSE_IF(deviation[i] != NULL, "--scatter: %s occurs twice: remove one", word);
        deviation[i] = equals + 1;
    }
    for (size_t i = 0; i < base->count; i++)
        if (columns_in_fit(&base->keys[i]) != NULL)
            TRY(spread_undetermined(f, base, &base->keys[i], deviation[i]));
    return 0;
}

/* Reads a parameter. A fit may have found some of its numbers; the others are those of `values`. */
static int read_fitted_parameter(fitted *f, const setting_key *q, const double *values,
                                 size_t *taken)
{
    const json_t *parameters = json_object_get(f->from, "parameters");
    const size_t before = *taken;
    size_t marked;
    const size_t *from = mark_columns(f, q->columns, &marked);
    const char *rest = q->columns, *name;
    for (size_t i = 0; (name = memory_word(&rest)) != NULL; i++) {
        const json_t *x = json_object_get(parameters, name);
        *taken += x != NULL;
        REFUSE_IF(x == NULL && from[i] < f->columns,
                  FIT "parameter " WORDS " has a covariance but no value: add its value", f->path,
                  name);
        REFUSE_IF(x != NULL && !(json_is_number(x) && isfinite(json_number_value(x))),
                  FIT "parameter " WORDS " is not a number: correct it", f->path, name);
        if (x)
            f->mean[f->width + i] = json_number_value(x);
        else
            f->mean[f->width + i] = values[q->parameter->first + (int)i];
    }
    if (marked > 0 || *taken > before)
        add_fitted(f, q, from);
    return 0;
}

/* Reads the file, and reports everything that is wrong with it, except what cannot be drawn. */
static int read_fitted(fitted *f, const base_body *base, const char *spreads)
{
    const json_t *problem = json_object_get(f->from, "problem"),
                 *parameters = json_object_get(f->from, "parameters");
    const char *name = model_problem(base->m);
    size_t taken = 0, brightness;
    REFUSE_IF(!json_is_object(f->from), FIT "it is not a fit: write it with `polhode fit --json`",
              f->path);
    REFUSE_IF(problem != NULL && (json_string_value(problem) == NULL ||
                                  strcmp(json_string_value(problem), name) != 0),
              FIT "it is a fit of the problem " WORDS ", not of %s: fit that problem", f->path,
              text_or(json_string_value(problem), ""), name);
    REFUSE_IF(parameters != NULL && !json_is_object(parameters),
              FIT "its parameters are not a list of names and numbers: correct it", f->path);
    TRY(read_covariance(f));
    TRY(read_undetermined(f, base, spreads));
    for (size_t i = 0; i < base->count; i++) {
        const setting_key *k = &base->keys[i];
        REFUSE_IF(f->keys == MOST_FITTED || f->width + k->count > MOST_FITTED,
                  FIT "it has too many numbers: fit fewer quantities", f->path);
        if (k->parameter != NULL)
            TRY(read_fitted_parameter(f, k, base->values, &taken));
        else
            TRY(read_fitted_start(f, k));
    }
    (void)mark_columns(f, "brightness,bias1,bias2,bias3",
                       &brightness); /* which no motion depends on */
    for (size_t k = 0; k < f->columns; k++)
        REFUSE_IF(!f->known[k],
                  FIT "column " WORDS " of its covariance is not a quantity of %s: correct it",
                  f->path, f->column[k], name);
    REFUSE_IF(taken != json_object_size(parameters),
              FIT "it has parameters that %s does not have: remove them", f->path, name);
    REFUSE_IF(f->width == 0, FIT "it has no quantity that can be drawn: fit at least one", f->path);
    return 0;
}

/* Computes the numbers of a key of a sample from its mean and what was drawn. Returns false if no
 * body can have them. */
static bool fitted_sample(const fitted *f, size_t which, const double *mean, const double *drawn,
                          double *out)
{
    double of_key[MOST_FITTED];
    const setting_key *k = f->key[which];
    const size_t *from = f->source[which], count = numbers_drawn(k);
    for (size_t i = 0; i < count; i++) {
        if (from[i] < f->columns)
            of_key[i] = drawn[from[i]];
        else
            of_key[i] = 0.0;
    }
    return add_drawn(k, mean, of_key, out);
}

/* Draws sample i until a body can have it. Adds 1 to *again if the first draw is none. */
static int draw_fitted_sample(const fitted *f, uint64_t seed, size_t i, double *out, size_t *again)
{
    double drawn[MOST_FITTED];
    for (uint64_t attempt = 0; attempt < MOST_DRAWS; attempt++) {
        const ph_status status = ph_draw_normal(f->covariance, f->columns, seed, i, attempt, drawn);
        if (status == PH_NO_MEMORY)
            return fail_memory();
        REFUSE_IF(status != PH_OK, FIT "its covariance is not positive semidefinite: correct it",
                  f->path);
        bool possible = true;
        for (size_t k = 0, at = 0; possible && k < f->keys; at += f->key[k++]->count)
            possible = fitted_sample(f, k, f->mean + at, drawn, out + at);
        if (possible) {
            *again += attempt > 0;
            return 0;
        }
    }
    return fail_usage(
        FIT "none of %d draws of sample %zu is a possible body: use a fit with smaller deviations",
        f->path, (int)MOST_DRAWS, i);
}

/* Draws bodies of the fit in a file. `spreads` has those of what the fit does not determine. */
static int draw_fitted(body_list *b, const base_body *base, uint64_t seed, const char *path,
                       const char *spreads)
{
    enum { LARGEST = 1 << 28 };
    fitted *f = memory_new(1, sizeof *f);
    json_error_t error;
    size_t length = 0;
    const char *why, *text = file_whole(path, LARGEST, &length, &why);
    REFUSE_IF(text == NULL, FIT "it cannot be read (%s): name a readable file", path, why);
    json_t *from = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    REFUSE_IF(from == NULL, FIT "line %d: %s: write it with `polhode fit --json`", path, error.line,
              error.text);
    memory_at_end(json_drop, from);
    f->path = path;
    f->from = from;
    TRY(read_fitted(f, base, spreads));
    for (size_t k = 0; k < f->keys; k++)
        add_each(b, f->key[k], f->key[k]->count, f->key[k]->name);
    b->values = memory_new(b->count, f->width * sizeof *b->values);
    size_t again = 0;
    for (size_t i = 0; i < b->count; i++)
        TRY(draw_fitted_sample(f, seed, i, b->values + i * f->width, &again));
    if (again > 0)
        warn(FIT "%zu of %zu samples were drawn again, because no body can have the values of the "
                 "first draw: the spread of the samples is smaller than the covariance",
             path, again, b->count);
    set_values(b, f->width);
    return 0;
}

/* The deviation of `axes`: an angle. */
static int read_turn(double *turn, const char *text, bool degrees)
{
    const char *at = text, *unit = NULL;
    REFUSE_IF(*turn != 0.0, "--scatter: axes occurs twice: remove one");
    REFUSE_IF(quantity_read(&at, turn, &unit) != NUMBER_OK || !(*turn > 0.0) || *at != '\0' ||
                  !quantity_convert("rad", degrees, unit, turn),
              "--scatter axes=" WORDS " is not an angle: write for example 0.01 or 1deg", text);
    return 0;
}

/* Spreads the principal axes of the moments, which may be spread too. */
static int spread_axes(spread *all, size_t *count, const base_body *base, double turn)
{
    spread *s = all;
    while (s < all + *count && !s->moments)
        s++;
    if (s == all + *count) {
        TRY(find_spread(s, base, "inertia"));
        ++*count;
    }
    s->turn = turn;
    s->turned = true;
    s->set.name = "tensor";
    s->set.count = 6;
    return 0;
}

/* Returns FILE.json of FILE.json or FILE.json,NAME=DEVIATION,... and advances *list to what follows.
 * NULL: the list does not begin with such a file. */
static const char *fit_path(const char **list)
{
    static const char suffix[] = ".json";
    const size_t end = strlen(suffix), length = strlen(*list);
    const char *at = *list;
    if (length > end && strcmp(at + length - end, suffix) == 0)
        at += length - end;
    else
        at = strstr(at, ".json,");
    if (at == NULL || at == *list)
        return NULL;
    const char *path = memory_text("%.*s", (int)(at - *list + (ptrdiff_t)end), *list);
    if (at[end] == ',')
        *list = at + end + 1;
    else
        *list = NULL;
    return path;
}

static int draw_samples(body_list *b, const base_body *base, const arguments *given)
{
    enum { MOST = 40 };
    spread *all = memory_new(MOST + 1, sizeof *all); /* and axes */
    double samples = 0.0, turn = 0.0;
    uint64_t seed;
    size_t count = 0;
    const char *names = argument(given, "--scatter"), *rest = names;
    char *word;
    const need needs[] = {{"--samples", argument(given, "--samples") != NULL}};
    TRY(refuse_missing(given, needs, 1));
    TRY(read_whole(given, "--samples", 1.0, &samples));
    TRY(read_seed(given, &seed));
    b->count = (size_t)samples;
    b->place = "--scatter";
    b->word = "sample";
    make_room(b, base);
    const char *fit = fit_path(&rest);
    if (fit != NULL) {
        file_read(fit);
        return draw_fitted(b, base, seed, fit, rest);
    }
    while ((word = memory_word(&rest)) != NULL) {
        char *equals = strchr(word, '=');
        REFUSE_IF(equals == NULL || count == MOST,
                  "--scatter " WORDS " is not valid: write NAME=DEVIATION,...", word);
        *equals = '\0';
        for (size_t k = 0; k < count; k++)
            REFUSE_IF(strcmp(all[k].of->name, word) == 0, "--scatter: %s occurs twice: remove one",
                      word);
        if (strcmp(word, "axes") == 0) {
            TRY(read_turn(&turn, equals + 1, base->m->input->degrees));
            continue;
        }
        TRY(find_spread(&all[count], base, word));
        TRY(read_deviation(&all[count], word, equals + 1, base->m->input->degrees));
        if (all[count].moments)
            choose_second_moments(&all[count]);
        count++;
    }
    if (turn > 0.0)
        TRY(spread_axes(all, &count, base, turn));
    return draw_all(b, all, count, seed);
}

int bodies_read(body_list *b, const model *m, ph_system *system, const arguments *given)
{
    const char *cases = argument(given, "--cases");
    const base_body base = base_of(m, system);
    if (cases != NULL)
        return read_cases(b, &base, cases);
    return draw_samples(b, &base, given);
}
