/* columns.c - which numbers of a system make a row, and their names. */
#define _POSIX_C_SOURCE 200809L
#include "tool/files/columns.h"

#include <math.h>
#include <string.h>

#include "base/choice.h"
#include "base/unit_names.h"
#include "motion/vec.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"

#define DEGREE (180.0 / PH_PI)
#define RADIAN (PH_PI / 180.0)

instant instant_of(ph_system *s)
{
    instant now = {.t = ph_system_time(s)};
    now.observable = ph_system_observables(s, &now.observables);
    now.field = ph_system_arrays(s, &now.fields);
    return now;
}

static size_t field_number(const instant *now, const char *name)
{
    size_t i = 0;
    while (i < now->fields && strcmp(now->field[i].name, name) != 0)
        i++;
    return i;
}

const ph_array *instant_field(const instant *now, const char *name)
{
    const size_t i = field_number(now, name);
    if (i < now->fields)
        return &now->field[i];
    return NULL;
}

bool attitude_of_file(ph_quat *q)
{
    const double square = dot4(*q, *q), most = 1e-3, round_off = 1e-12;
    if (!(fabs(square - 1.0) <= most))
        return false;
    if (fabs(square - 1.0) > round_off)
        *q = ph_quat_unit(*q);
    return true;
}

/* ---- all columns that there are ---------------------------------------------------- */

/* What is being chosen. */
typedef struct choosing {
    column_set *c;
    const instant *now;
    const char *word; /* that stands for a column or a group of them; NULL: all do */
    nearest *near_by; /* takes every name that there is, where a word is none */
    size_t added;
} choosing;

/* Angles are shown in radians or in degrees, whatever their field has them in. */
static void choose_unit(column *x, bool degrees)
{
    const ph_unit *given = ph_unit_find(x->unit, strlen(x->unit), "rad");
    const char *shown = degrees ? "deg" : "rad";
    x->factor = 1.0;
    if (given == NULL)
        return;
    if (strcmp(given->name, shown) != 0)
        x->factor = degrees ? DEGREE : RADIAN;
    x->unit = shown;
}

/* Takes a column if it is asked for by its name or that of its group. */
static void offer(choosing *of, column x)
{
    column_set *c = of->c;
    choose_unit(&x, c->choice.degrees);
    if (of->near_by != NULL)
        ph_nearest_add(of->near_by, "%s", x.name);
    else if (of->word == NULL || strcmp(of->word, x.name) == 0 || strcmp(of->word, x.group) == 0) {
        c->column = memory_more(c->column, c->count + 1, sizeof *c->column);
        c->column[c->count++] = x;
        of->added++;
    }
}

static void offer_plain(choosing *of, const char *name, const char *unit, column_source from,
                        size_t index, int component)
{
    offer(of, (column){.name = name,
                       .group = name,
                       .unit = unit,
                       .from = from,
                       .index = index,
                       .component = component});
}

/* Whether a field has a column of its own in a row. */
static bool in_rows(const choosing *of, const ph_array *f)
{
    const bool list = (f->use & PH_ARRAY_LIST) != 0 || f->count > 1;
    return (f->use & (PH_ARRAY_SHOWN | PH_ARRAY_CONSTANT | PH_ARRAY_DERIVED)) != 0 &&
           (!of->c->choice.each || !list || f->count == columns_rows(of->c, of->now));
}

/* The columns of a field: q0, or of a list with the field's name and a number q1x. A group of
 * them is the field, or what the names of an entry's columns begin with. */
static void offer_field(choosing *of, size_t index)
{
    const ph_array *f = &of->now->field[index];
    const bool listed = (f->use & PH_ARRAY_LIST) != 0 && !of->c->choice.each,
               whole = of->word == NULL || strcmp(of->word, f->name) == 0;
    const size_t length = strlen(text_or(of->word, "")), entries = listed ? f->count : 1;
    for (size_t i = 0; i < entries; i++) {
        const char *at = f->columns;
        for (int k = 0; k < f->width; k++, at += strcspn(at, ",") + 1) {
            column x = {.field = f->name,
                        .unit = f->unit,
                        .from = COLUMN_FIELD,
                        .index = index,
                        .entry = i,
                        .component = k};
            const int own = (int)strcspn(at, ","),
                      shown = smaller_int(own, text_cut(at, COLUMN_NAME - 1));
            if (listed)
                x.name = memory_text("%.20s%zu%.*s", f->name, i + 1, shown, at);
            else
                x.name = memory_text("%.*s", shown, at);
            const bool part = length > 0 && f->width > 1 && strlen(x.name) == length + 1 &&
                              strncmp(of->word, x.name, length) == 0 &&
                              strchr("0123456789xyz", x.name[length]) != NULL;
            if (whole)
                x.group = f->name;
            else
                x.group = part ? of->word : x.name;
            offer(of, x);
        }
    }
}

static void offer_observable(choosing *of, size_t index)
{
    const ph_observable *o = &of->now->observable[index];
    for (int k = 0; k < o->width; k++) {
        column x = {.unit = o->unit, .from = COLUMN_OBSERVABLE, .index = index, .component = k};
        x.group = o->name;
        if (o->width == 1)
            x.name = o->name;
        else
            x.name = memory_text("%s%d", o->name, k + 1);
        offer(of, x);
    }
}

/* Its deviation from the start. */
static void offer_error(choosing *of, size_t index)
{
    const ph_observable *o = &of->now->observable[index];
    offer_plain(of, memory_text("%s_error", o->name), o->relative ? "1" : o->unit, COLUMN_ERROR,
                index, 0);
}

/* ---- what follows from attitude and momentum --------------------------------------- */

static const struct quantity {
    const char *name, *unit;
    int parts, first; /* and what the name of the first ends in */
    bool needs_frame; /* as in q_space; without one it is a field */
    bool in_body;     /* without a frame it is that of the body, not of space */
} quantities[] = {
    [BODY_Q] = {"q", "1", 4, 0, true, false},
    [BODY_EULER] = {"euler", "rad", 3, 1, false, false},
    [BODY_ROTVEC] = {"rotvec", "rad", 3, 1, false, false},
    [BODY_MATRIX] = {"R", "1", 9, 11, false, false},
    [BODY_W] = {"w", "rad/t", 3, 1, false, true},
    [BODY_M] = {"m", "I/t", 3, 1, true, true},
};
enum { QUANTITIES = COUNT(quantities), MATRIX = 9 };

const char *column_quantity(const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || strchr("123", name[length - 1]) == NULL)
        return NULL;
    for (size_t i = 0; i < QUANTITIES; i++) {
        const size_t own = strlen(quantities[i].name);
        if (strcmp(quantities[i].unit, "rad") == 0 && strncmp(name, quantities[i].name, own) == 0 &&
            (own + 1 == length || name[own] == '_'))
            return quantities[i].unit;
    }
    return NULL;
}

/* The components of a quantity in the frame of column x, called "_FRAME"; and of Euler angles
 * of a sequence, "_zyx". */
static void offer_components(choosing *of, column x, const char *frame, const char *sequence)
{
    const struct quantity *q = &quantities[x.quantity];
    if (of->added > 0)
        return;
    x.group = memory_text("%s%s%s", q->name, frame, sequence);
    x.unit = q->unit;
    for (x.component = 0; x.component < q->parts; x.component++) {
        int number = x.component;
        if (q->parts == MATRIX)
            number = 10 * (number / 3) + number % 3;
        x.name = memory_text("%s%d", x.group, q->first + number);
        offer(of, x);
    }
}

static void offer_quantity(choosing *of, column x, const char *frame)
{
    offer_components(of, x, frame, "");
    for (int n = 0; n < 27 && x.quantity == BODY_EULER; n++) {
        const char name[] = {'_', (char)('x' + n / 9), (char)('x' + n / 3 % 3), (char)('x' + n % 3),
                             '\0'};
        memcpy(x.sequence, name + 1, sizeof x.sequence);
        if (euler_sequence(x.sequence))
            offer_components(of, x, frame, name);
    }
}

/* Whether the fields are there that it follows from. */
static bool has_body(const choosing *of, body_quantity quantity)
{
    const column_set *c = of->c;
    const size_t none = of->now->fields;
    if (quantity == BODY_W)
        return c->attitude < none &&
               (c->velocity < none || (c->momentum < none && c->inertia < none));
    return c->attitude < none && (quantity != BODY_M || c->momentum < none);
}

/* In no frame, in space, in frames that were named, and in those that fields NAME_frame are. */
static void offer_quantities(choosing *of, body_quantity quantity)
{
    const struct quantity *q = &quantities[quantity];
    const column_choice *choice = &of->c->choice;
    const instant *now = of->now;
    column x = {.from = COLUMN_BODY,
                .quantity = quantity,
                .sequence = "zxz",
                .frame = q->in_body ? FRAME_BODY : FRAME_SPACE,
                .moving = now->fields,
                .turning = now->fields};
    if (!has_body(of, quantity))
        return;
    if (!q->needs_frame)
        offer_quantity(of, x, "");
    x.frame = FRAME_SPACE;
    offer_quantity(of, x, "_space");
    for (x.frame = 0; x.frame < (int)choice->frames; x.frame++)
        offer_quantity(of, x, memory_text("_%s", choice->frame[x.frame].name));
    x.frame = FRAME_SPACE;
    for (x.moving = 0; x.moving < now->fields; x.moving++) {
        const char *name = now->field[x.moving].name, *end = strstr(name, "_frame");
        if (end == NULL || end[strlen("_frame")] != '\0' || now->field[x.moving].width != 4)
            continue;
        const char *turning = memory_text("%.*s_velocity", (int)(end - name), name);
        for (x.turning = 0; x.turning < now->fields; x.turning++) {
            if (strcmp(now->field[x.turning].name, turning) == 0)
                break;
        }
        offer_quantity(of, x, memory_text("_%.*s", (int)(end - name), name));
    }
}

/* ---- choosing ---------------------------------------------------------------------- */

/* Everything, up to the first that has columns which are asked for. The components of the
 * attitude have letters, too, as where the scalar part is last. */
static void offer_all(choosing *of)
{
    static const char *const letters[] = {"qw", "qx", "qy", "qz"}, *const others[] = {
                                                                       "euler_zxz", "euler_zyx",
                                                                       "w_space",   "m_space",
                                                                       "rotvec",    "qx",
                                                                       "qy",        "qz",
                                                                       "qw"};
    const instant *now = of->now;
    const bool body = of->c->attitude < now->fields, suggests = of->near_by != NULL;
    offer_plain(of, "t", "t", COLUMN_TIME, 0, 0);
    if (of->c->choice.each && !suggests)
        offer_plain(of, "body", "1", COLUMN_NUMBER, 0, 0);
    for (size_t i = 0; i < now->fields && of->added == 0; i++) {
        if (!in_rows(of, &now->field[i]))
            continue;
        if (suggests)
            ph_nearest_add(of->near_by, "%s", now->field[i].name);
        offer_field(of, i);
    }
    for (size_t i = 0; i < now->observables && of->added == 0; i++) {
        offer_observable(of, i);
        offer_error(of, i);
    }
    for (size_t i = 0; i < COUNT(others) && suggests && body; i++)
        ph_nearest_add(of->near_by, "%s", others[i]);
    for (int k = 0; k < 4 && body && !suggests && of->added == 0; k++)
        offer_plain(of, letters[k], "1", COLUMN_FIELD, of->c->attitude, k);
    for (int i = 0; i < QUANTITIES && !suggests && of->added == 0; i++)
        offer_quantities(of, (body_quantity)i);
}

/* The time, the shown fields, the energy; of each entry also its number, and what is constant
 * of it, so that a run can start from there. */
static void offer_default(choosing *of)
{
    const instant *now = of->now;
    const bool each = of->c->choice.each;
    offer_plain(of, "t", "t", COLUMN_TIME, 0, 0);
    if (each)
        offer_plain(of, "body", "1", COLUMN_NUMBER, 0, 0);
    for (size_t i = 0; i < now->fields; i++) {
        if (now->field[i].use & PH_ARRAY_SHOWN)
            offer_field(of, i);
    }
    if (now->observables > 0 && instant_field(now, now->observable[0].name) == NULL)
        offer_observable(of, 0);
    for (size_t i = 0; each && i < now->fields; i++) {
        const ph_array *f = &now->field[i];
        if ((f->use & (PH_ARRAY_CONSTANT | PH_ARRAY_LIST)) == PH_ARRAY_CONSTANT &&
            f->count == columns_rows(of->c, now))
            offer_field(of, i);
    }
}

bool columns_choose(column_set *c, const column_choice *choice, const instant *now,
                    nearest *near_by)
{
    choosing of = {.c = c, .now = now};
    *c = (column_set){.choice = *choice};
    c->attitude = field_number(now, choice->each ? "attitudes" : "attitude");
    c->momentum = field_number(now, choice->each ? "angular_momenta" : "momentum");
    c->velocity = field_number(now, "velocity");
    c->inertia = field_number(now, "inertias");
    if (choice->show == NULL)
        offer_default(&of);
    for (const char *rest = choice->show; (of.word = memory_word(&rest)) != NULL;) {
        of.added = 0;
        offer_all(&of);
        if (of.added == 0) {
            of.near_by = near_by;
            near_by->wrong = of.word;
            offer_all(&of);
            return false;
        }
    }
    return true;
}

/* ---- rows -------------------------------------------------------------------------- */

size_t columns_rows(const column_set *c, const instant *now)
{
    if (!c->choice.each)
        return 1;
    size_t i = 0;
    while (i < now->fields && !(now->field[i].use & PH_ARRAY_SHOWN))
        i++;
    if (i < now->fields)
        return now->field[i].count;
    return 0;
}

/* The attitude of the frame of a column. */
static ph_quat frame_of(const column_set *c, const instant *now, const column *x)
{
    if (x->moving < now->fields)
        return field_quat(&now->field[x->moving], 0);
    if (x->frame >= 0)
        return c->choice.frame[x->frame].q;
    return (ph_quat){1.0, 0.0, 0.0, 0.0};
}

/* The angular velocity of the frame of a column, in its own axes. */
static ph_vec3 frame_velocity(const instant *now, const column *x)
{
    if (x->turning < now->fields)
        return field_vector(&now->field[x->turning], 0);
    return vec3(0.0, 0.0, 0.0);
}

static double component_of(ph_vec3 v, int k)
{
    const double all[] = {v.x, v.y, v.z};
    return all[k];
}

static double body_value(const column_set *c, const instant *now, size_t entry, const column *x)
{
    const ph_array *f = now->field;
    const bool in_space = x->frame == FRAME_SPACE && x->moving >= now->fields;
    ph_quat q = field_quat(&f[c->attitude], entry);
    if (!in_space && x->frame != FRAME_BODY)
        q = mul(inverse(frame_of(c, now, x)), q);
    double part[MATRIX] = {q.w, q.x, q.y, q.z};
    ph_vec3 v = {0.0, 0.0, 0.0};
    switch (x->quantity) {
    case BODY_Q:
        return part[x->component];
    case BODY_EULER:
        euler_angles(q, x->sequence, part);
        return part[x->component];
    case BODY_ROTVEC:
        v = ph_rotation_log(q);
        break;
    case BODY_MATRIX:
        v = rotate(q, vec3(x->component % 3 == 0, x->component % 3 == 1, x->component % 3 == 2));
        return component_of(v, x->component / 3);
    case BODY_W:
        if (c->velocity < now->fields)
            v = field_vector(&f[c->velocity], entry);
        else
            v = over(field_vector(&f[c->momentum], entry), field_vector(&f[c->inertia], entry));
        if (x->frame != FRAME_BODY)
            v = sub(rotate(q, v), frame_velocity(now, x));
        break;
    case BODY_M:
        v = field_vector(&f[c->momentum], entry);
        if (x->frame != FRAME_BODY)
            v = rotate(q, v);
        break;
    }
    return component_of(v, x->component);
}

/* A number of a field; one entry alone is that of every row. */
static double field_value(const ph_array *f, const column *x, size_t entry)
{
    const size_t at = f->count == 1 ? 0 : x->entry + entry;
    return f->data[x->component][at * f->stride];
}

/* How far an observable is from its start, over that where it counts so. */
static double error_of(const ph_observable *o)
{
    double off = 0.0, size = 0.0;
    for (int k = 0; k < o->width; k++) {
        off = hypot(off, o->now[k] - o->start[k]);
        size = hypot(size, o->start[k]);
    }
    if (off == 0.0 || !o->relative || size == 0.0)
        return off;
    return off / size;
}

/* A number in the unit of its column. The bits of one that has this unit stay: it may be an integer. */
static double in_unit(const column *x, double number)
{
    if (x->factor == 1.0)
        return number;
    return x->factor * number;
}

void columns_row(const column_set *c, const instant *now, size_t entry, double *row)
{
    for (size_t i = 0; i < c->count; i++) {
        const column *x = &c->column[i];
        switch (x->from) {
        case COLUMN_TIME:
            row[i] = now->t;
            break;
        case COLUMN_NUMBER:
            row[i] = (double)entry;
            break;
        case COLUMN_FIELD:
            row[i] = in_unit(x, field_value(&now->field[x->index], x, entry));
            break;
        case COLUMN_OBSERVABLE:
            row[i] = in_unit(x, now->observable[x->index].now[x->component]);
            break;
        case COLUMN_ERROR:
            row[i] = in_unit(x, error_of(&now->observable[x->index]));
            break;
        case COLUMN_BODY:
            row[i] = in_unit(x, body_value(c, now, entry, x));
            break;
        }
    }
}

/* ---- Euler angles ----------------------------------------------------------------- */

static int axis_of(char letter)
{
    return letter - 'x';
}

bool euler_sequence(const char *sequence)
{
    return strlen(sequence) == 3 && strspn(sequence, "xyz") == 3 && sequence[0] != sequence[1] &&
           sequence[1] != sequence[2];
}

/* Into (-pi, pi]. */
static double wrapped(double angle)
{
    if (angle > PH_PI)
        return angle - 2.0 * PH_PI;
    if (angle <= -PH_PI)
        return angle + 2.0 * PH_PI;
    return angle;
}

void euler_angles(ph_quat q, const char *sequence, double angle[3])
{
    const double v[3] = {q.x, q.y, q.z};
    /* the same rotation about axes of space has them in the order k, j, i */
    const int i = axis_of(sequence[2]), j = axis_of(sequence[1]);
    const bool proper = sequence[0] == sequence[2];
    const int k = proper ? 3 - i - j : axis_of(sequence[0]);
    const double sign = 0.5 * ((i - j) * (j - k) * (k - i)); /* of the permutation i, j, k */
    double a = q.w, b = v[i], c = v[j], d = sign * v[k];
    if (!proper) {
        a = q.w - v[j];
        b = v[i] + sign * v[k];
        c = v[j] + q.w;
        d = sign * v[k] - v[i];
    }
    const double between = 2.0 * atan2(hypot(c, d), hypot(a, b));
    const double half_sum = atan2(b, a), half_difference = atan2(d, c);
    const double tiny = 1e-7; /* as far as the angle between is known next to 0 and pi */
    double first, third;
    if (between < tiny) {
        first = 2.0 * half_sum;
        third = 0.0;
    } else if (PH_PI - between < tiny) {
        first = 2.0 * half_difference;
        third = 0.0;
    } else {
        third = half_sum - half_difference;
        first = half_sum + half_difference;
    }
    angle[0] = wrapped(proper ? first : sign * first);
    if (proper)
        angle[1] = between;
    else
        angle[1] = between - 0.5 * PH_PI;
    angle[2] = wrapped(third);
}

ph_quat euler_attitude(const char *sequence, const double angle[3])
{
    ph_quat q = {1.0, 0.0, 0.0, 0.0};
    for (int n = 0; n < 3; n++) {
        const int axis = axis_of(sequence[n]);
        const ph_vec3 turn = vec3(axis == 0, axis == 1, axis == 2);
        q = mul(q, turn_about(turn, 0.5 * angle[n]));
    }
    return q;
}
