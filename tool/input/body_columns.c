/* body_columns.c - keys in the columns of a file: finds them, and converts rows. */
#include "tool/input/body_columns.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "motion/vec.h"
#include "tool/base/tool.h"
#include "tool/files/columns.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"

const setting_key *body_keys(const ph_kind *kind, const ph_parameter *parameters,
                             size_t parameter_count, size_t *count)
{
    setting_key *keys = memory_new(kind->start_count + parameter_count, sizeof *keys);
    *count = 0;
    for (size_t i = 0; i < kind->start_count; i++) {
        const setting_key k = key_of_start(&kind->start[i]);
        if (k.count > 1) /* neither a list nor a number of a thermostat, which all bodies share */
            keys[(*count)++] = k;
    }
    for (size_t i = 0; i < parameter_count; i++)
        keys[(*count)++] = key_of_parameter(&parameters[i]);
    return keys;
}

/* ---- forms of columns -------------------------------------------------------------- */

/* How the numbers of a key follow from those of its columns. */
typedef enum column_form { AS_IT_IS, EULER, SCALAR_LAST, MATRIX, IN_SPACE } column_form;

/* The number of columns and of numbers of each form; 0 for as many as the key has. */
static const struct {
    size_t columns, numbers;
} forms[] = {[AS_IT_IS] = {0, 0},
             [EULER] = {3, 4},
             [SCALAR_LAST] = {4, 4},
             [MATRIX] = {9, 4},
             [IN_SPACE] = {3, 3}};

/* Returns the attitude of a matrix. Its scalar part is NaN if the matrix is no rotation, apart from
 * the rounding to a few digits. */
static ph_quat matrix_attitude(const double *y)
{
    const double rounding = 1e-6;
    ph_mat3 R;
    memcpy(R.a, y, sizeof R.a);
    ph_quat q = ph_quat_from_matrix(R);
    const ph_mat3 near = ph_quat_matrix(q);
    for (int i = 0; i < 9; i++)
        if (!(fabs(near.a[i / 3][i % 3] - y[i]) <= rounding))
            q.w = NAN;
    return q;
}

#define QUATERNION "q0,q1,q2,q3"
#define ROTVEC     "r1,r2,r3"

/* Other forms of keys that the table of keys has in certain columns; --show writes them. */
static const struct other_columns {
    const char *known, *columns, *unit;
    column_form form;
} other_columns[] = {
    {QUATERNION, "qx,qy,qz,qw", "1", SCALAR_LAST},
    {QUATERNION, "R11,R12,R13,R21,R22,R23,R31,R32,R33", "1", MATRIX},
    {QUATERNION, "euler1,euler2,euler3", "rad", EULER},
    {ROTVEC, "rotvec1,rotvec2,rotvec3", "rad", AS_IT_IS},
    {"m1,m2,m3", "m_space1,m_space2,m_space3", "I/t", IN_SPACE},
    {"w1,w2,w3", "w_space1,w_space2,w_space3", "rad/t", IN_SPACE},
};

/* ---- finding them ------------------------------------------------------------------ */

typedef struct finder {
    body_columns *to;
    const wanted_columns *wanted;
    bool *taken; /* which columns of the file are read */
} finder;

/* What numbers of a column are multiplied by: the file says their unit, or they have that of the key. */
static int find_factor(const finder *f, size_t i, const char *unit, double *factor)
{
    const csv *in = f->to->in;
    const char *given = in->unit[i];
    *factor = 1.0;
    REFUSE_IF(!quantity_convert(unit, f->wanted->degrees, given, factor),
              WORDS " line 1: column %s %s", in->name, in->column[i], unit_problem(unit, given));
    return 0;
}

/* Takes the columns of a key if there is one of them; then all have to be there. */
static int find_part(finder *f, const setting_key *k, const char *columns, const char *unit,
                     column_form form, const char *sequence)
{
    body_columns *c = f->to;
    size_t given = list_length(k->columns), count = given;
    if (form != AS_IT_IS) {
        given = forms[form].columns;
        count = forms[form].numbers;
    }
    const char *missing;
    size_t *from = memory_new(given, sizeof *from);
    const size_t found = csv_find(c->in, columns, given, from, &missing);
    if (found == 0)
        return 0;
    for (size_t i = 0; i < c->parts; i++) {
        const body_part *p = &c->part[i];
        REFUSE_IF(p->key == k || (k->other != NULL && strcmp(p->key->name, k->other) == 0),
                  WORDS " line 1: %s %s and %s %s cannot be used together: remove one", c->in->name,
                  p->key->name, p->columns, k->name, columns);
    }
    REFUSE_IF(found < given, WORDS " line 1: column %s is missing: write %s, or none of them",
              c->in->name, missing, columns);
    double *factor = memory_new(given, sizeof *factor);
    bool bare = false;
    for (size_t i = 0; i < given; i++) {
        f->taken[from[i]] = true;
        TRY(find_factor(f, from[i], unit, &factor[i]));
        bare = bare || c->in->unit[from[i]] == NULL;
    }
    c->part = memory_more(c->part, c->parts + 1, sizeof *c->part);
    body_part *p = &c->part[c->parts++];
    *p = (body_part){k, columns, c->width, given, count, (int)form, sequence, from, factor, false};
    p->bare_angle = bare && !f->wanted->degrees && strcmp(unit, "rad") == 0;
    c->in_space = c->in_space || form == IN_SPACE;
    c->width += count;
    return 0;
}

/* Finds Euler angles of any sequence: euler_zyx1 and so on. */
static int find_euler(finder *f, const setting_key *attitude)
{
    static const char prefix[] = "euler_";
    const size_t length = strlen(prefix);
    const csv *in = f->to->in;
    for (size_t k = 0; k < in->columns; k++) {
        const char *name = in->column[k], *s = name + length;
        if (f->taken[k] || strncmp(name, prefix, length) != 0 || strlen(s) != 4 || s[3] < '1' ||
            s[3] > '3')
            continue;
        const char *axes = memory_text("%.3s", s);
        REFUSE_IF(!euler_sequence(axes),
                  WORDS " line 1: %s does not name three axes, each different from the one before: "
                        "write for example euler_zyx1",
                  in->name, name);
        TRY(find_part(f, attitude, memory_text("euler_%s1,euler_%s2,euler_%s3", axes, axes, axes),
                      "rad", EULER, axes));
    }
    return 0;
}

/* Finds a key in all forms that its columns can have. */
static int find_key(finder *f, const setting_key *k)
{
    if (strcmp(k->columns, QUATERNION) == 0)
        TRY(find_euler(f, k));
    for (size_t i = 0; i < COUNT(other_columns); i++) {
        const struct other_columns *o = &other_columns[i];
        if (strcmp(o->known, k->columns) == 0)
            TRY(find_part(f, k, o->columns, o->unit, o->form, "zxz"));
    }
    return find_part(f, k, k->columns, k->unit, AS_IT_IS, NULL);
}

/* Refuses a column whose name is nearly that of a parameter. */
static int refuse_misspelt(const finder *f, const char *name)
{
    nearest near_by = {.wrong = name};
    for (size_t i = 0; i < f->wanted->count; i++) {
        const setting_key *k = &f->wanted->keys[i];
        const char *rest = k->parameter ? k->columns : NULL, *known;
        while ((known = memory_word(&rest)) != NULL)
            ph_nearest_add(&near_by, "%s", known);
    }
    if (near_by.count > 0 && 3 * near_by.distance[0] <= strlen(name))
        return fail_unknown(memory_text(WORDS " line 1: ", f->to->in->name), "column", &near_by,
                            "`polhode help run`");
    return 0;
}

static int find_copied(const finder *f)
{
    csv *in = f->to->in;
    copied_columns *c = &f->to->copied;
    c->from = memory_new(in->columns, sizeof *c->from);
    c->name = memory_new(in->columns, sizeof *c->name);
    c->word = memory_new(in->columns, sizeof *c->word);
    c->number = memory_new(in->columns, sizeof *c->number);
    c->whole = memory_new(in->columns, sizeof *c->whole);
    c->texts = json_array();
    memory_at_end(json_drop, c->texts);
    for (size_t k = 0; k < in->columns; k++) {
        in->words[k] = !f->taken[k];
        if (f->taken[k])
            continue;
        TRY(refuse_misspelt(f, in->column[k]));
        c->name[c->count] = text_or(in->label[k], in->column[k]);
        c->whole[c->count] = in->whole[k];
        c->from[c->count++] = k;
    }
    return 0;
}

int body_columns_open(body_columns *c, const char *path, const wanted_columns *wanted)
{
    const char *names = wanted->unnamed, *form = "names the columns";
    if (names != NULL)
        form = memory_text("names the columns, as %s", names);
    *c = (body_columns){0};
    TRY(file_columns(path, form, &c->in));
    csv *in = c->in;
    if (in->unnamed && names != NULL) {
        REFUSE_IF(in->columns != list_length(names),
                  WORDS " has %zu columns without names: save %zu columns, %s, or records with "
                        "fields of these names",
                  in->name, in->columns, list_length(names), names);
        csv_name_columns(in, names);
    }
    finder f = {c, wanted, memory_new(in->columns, sizeof *f.taken)};
    c->time = csv_column(in, "t");
    REFUSE_IF(wanted->time == TIME_REFUSED && c->time < in->columns,
              WORDS " line 1: column t cannot be used, as all cases run to --time: remove it",
              in->name);
    c->time_factor = 1.0;
    if (c->time < in->columns) {
        f.taken[c->time] = true;
        TRY(find_factor(&f, c->time, "t", &c->time_factor));
    }
    for (size_t i = 0; i < wanted->count; i++)
        TRY(find_key(&f, &wanted->keys[i]));
    bool attitude = wanted->has_attitude;
    for (size_t i = 0; i < c->parts; i++)
        attitude = attitude || strcmp(c->part[i].key->columns, QUATERNION) == 0;
    REFUSE_IF(c->in_space && !attitude,
              WORDS " line 1: a vector in space needs the attitude of its row: add " QUATERNION,
              in->name);
    REFUSE_IF(wanted->time == TIME_NEEDED && c->time == in->columns,
              WORDS " line 1: column t is missing: write %s", in->name, text_or(names, "it"));
    return find_copied(&f);
}

const body_part *body_columns_part(const body_columns *c, const char *name)
{
    for (size_t i = 0; i < c->parts; i++)
        if (strcmp(c->part[i].key->name, name) == 0)
            return &c->part[i];
    return NULL;
}

/* ---- rows -------------------------------------------------------------------------- */

/* Warns of an angle that is more than a turn: it may be in degrees. */
static void check_angles(body_columns *c, const body_part *p, const double *row)
{
    for (size_t k = 0; k < p->given; k++)
        if (p->bare_angle && !c->warned && c->in->unit[p->from[k]] == NULL &&
            fabs(row[p->from[k]]) > 2.0 * PH_PI) {
            c->warned = true;
            warn(WORDS " %s %llu, %s: %g " ANGLE_WARNING ": if these are degrees, add --degrees",
                 c->in->name, c->in->row, c->in->number, c->in->column[p->from[k]],
                 row[p->from[k]]);
        }
}

/* Computes the numbers of a part. Returns false if there are none. */
static bool take_part(const body_part *p, const double *row, ph_quat attitude, double *x)
{
    double y[9];
    ph_quat q;
    for (size_t k = 0; p->form == AS_IT_IS && k < p->count; k++)
        x[p->at + k] = p->factor[k] * row[p->from[k]];
    if (p->form == AS_IT_IS)
        return true;
    for (size_t k = 0; k < p->given; k++)
        y[k] = p->factor[k] * row[p->from[k]];
    if (p->form == IN_SPACE) {
        const ph_vec3 v = rotate_back(ph_quat_unit(attitude), vec3(y[0], y[1], y[2]));
        memcpy(x + p->at, &v, sizeof v);
        return !isnan(v.x);
    }
    if (p->form == EULER)
        q = euler_attitude(p->sequence, y);
    else if (p->form == MATRIX)
        q = matrix_attitude(y);
    else
        q = (ph_quat){y[3], y[0], y[1], y[2]};
    memcpy(x + p->at, &q, sizeof q);
    return !isnan(q.w);
}

const body_part *body_columns_take(body_columns *c, const double *row, ph_quat attitude, double *x)
{
    for (size_t i = 0; i < c->parts && c->in_space; i++) { /* they need the attitude */
        const body_part *p = &c->part[i];
        const double *y = x + p->at;
        if (strcmp(p->key->columns, QUATERNION) == 0 && take_part(p, row, attitude, x))
            attitude = (ph_quat){y[0], y[1], y[2], y[3]};
        if (strcmp(p->key->columns, ROTVEC) == 0 && take_part(p, row, attitude, x))
            attitude = ph_rotation_exp(vec3(y[0], y[1], y[2]));
    }
    for (size_t i = 0; i < c->parts; i++) {
        check_angles(c, &c->part[i], row);
        if (!take_part(&c->part[i], row, attitude, x))
            return &c->part[i];
    }
    return NULL;
}

int body_columns_rows(body_columns *c, ph_quat attitude, double **x, double **t, size_t *rows)
{
    static double row[CSV_COLUMNS];
    csv_status status;
    size_t room = 0;
    for (*rows = 0;;) {
        if (*rows == room) {
            room = 2 * room + 64;
            *x = memory_more(*x, room * c->width + 1, sizeof **x);
            if (t != NULL)
                *t = memory_more(*t, room, sizeof **t);
        }
        status = csv_row(c->in, row);
        if (status != CSV_OK)
            break;
        if (t != NULL && c->time < c->in->columns)
            (*t)[*rows] = c->time_factor * row[c->time];
        const body_part *wrong = body_columns_take(c, row, attitude, *x + (*rows)++ * c->width);
        REFUSE_IF(wrong != NULL, WORDS " %s %llu, %s: this is not a rotation: write one",
                  c->in->name, c->in->row, c->in->number, wrong->columns);
        copied_keep(&c->copied, c->in, row);
    }
    REFUSE_IF(status == CSV_WRONG, "%s", c->in->message);
    if (status == CSV_STOPPED)
        return stopped("interrupted: nothing was written");
    return 0;
}

/* ---- columns that are copied ---------------------------------------------------------- */

/* A field as text; a number of an array as one from which the same number is read. */
static json_t *field_text(const csv *in, const double *row, size_t k)
{
    if (!in->array)
        return json_string_nocheck(in->field[k]);
    if (in->whole[k])
        return json_sprintf("%" PRId64, in->integer[k]);
    return json_sprintf("%.17g", row[k]);
}

void copied_keep(copied_columns *c, const csv *in, const double *row)
{
    for (size_t k = 0; k < c->count; k++)
        json_add(c->texts, field_text(in, row, c->from[k]));
}

void copied_find_whole(copied_columns *c, size_t bodies)
{
    for (size_t k = 0; k < c->count; k++) {
        int64_t x;
        c->whole[k] = true;
        for (size_t i = 0; i < bodies && c->whole[k]; i++)
            c->whole[k] =
                integer_read(json_string_value(json_array_get(c->texts, i * c->count + k)), &x);
    }
}

/* Whether a double is not that integer. */
static bool is_rounded(int64_t x)
{
    static const double LARGEST = 0x1p63;
    const double rounded = (double)x;
    return rounded >= LARGEST || (int64_t)rounded != x;
}

int copied_show(copied_columns *c, size_t i, const file_format *format, const char *file,
                const char *row, unsigned long long number)
{
    const bool numbers = format != NULL && strcmp(format->suffix, "csv") != 0,
               integers = format != NULL && strcmp(format->suffix, "npz") == 0;
    for (size_t k = 0; k < c->count; k++) {
        int64_t integer;
        const char *end = json_string_value(json_array_get(c->texts, i * c->count + k));
        const bool whole = integer_read(end, &integer);
        c->word[k] = end;
        if (number_read(&end, &c->number[k]) != NUMBER_OK || *end != '\0')
            c->number[k] = NAN;
        REFUSE_IF(isnan(c->number[k]) && numbers,
                  WORDS " %s %llu: `" WORDS
                        "` is not a number, but %s contains only numbers: write a .csv file",
                  file, row, number, c->word[k], format->text);
        const bool kept = integers && c->whole[k] && whole;
        REFUSE_IF(numbers && !kept && whole && is_rounded(integer),
                  WORDS " %s %llu: `" WORDS
                        "` would be rounded in %s, whose numbers are doubles: write a .csv file",
                  file, row, number, c->word[k], format->text);
        if (kept)
            memcpy(&c->number[k], &integer, sizeof integer);
    }
    return 0;
}

void copied_fields(copied_columns *c, ph_array *field)
{
    for (size_t k = 0; k < c->count; k++)
        field[k] = number_field(c->name[k], &c->number[k]);
}

void copied_words(const copied_columns *c, size_t first, column_set *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        column *x = &columns->column[i];
        if (x->from != COLUMN_FIELD || x->index < first || x->index >= first + c->count)
            continue;
        x->words = &c->word[x->index - first];
        x->whole = c->whole[x->index - first];
    }
}
