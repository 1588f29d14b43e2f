/* columns.c - which numbers of a system make a row, and their names. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/euler.h"
#include "cli/files/text.h"
#include "rotation/vec.h"

#define DEGREE (180.0 / PH_PI)

instant instant_of(ph_system *s)
{
    instant now = {.t = ph_system_time(s)};
    now.observable = ph_system_observables(s, &now.observables);
    now.field = ph_system_fields(s, &now.fields);
    return now;
}

static size_t field_number(const instant *now, const char *name)
{
    size_t i = 0;
    while (i < now->fields && strcmp(now->field[i].name, name) != 0)
        i++;
    return i;
}

const ph_field *instant_field(const instant *now, const char *name)
{
    const size_t i = field_number(now, name);
    return i < now->fields ? &now->field[i] : NULL;
}

/* ---- adding columns ---------------------------------------------------------------- */

/* What is being chosen. */
typedef struct choosing {
    column_set *c;
    const instant *now;
    nearest *near_by; /* takes every name that there is, where a word is none */
    bool failed;      /* no memory */
} choosing;

static void put(choosing *of, column x)
{
    if (of->near_by != NULL) {
        ph_nearest_add(of->near_by, "%s", x.name);
        return;
    }
    column_set *c = of->c;
    column *more = realloc(c->column, (c->count + 1) * sizeof *more);
    if (more == NULL) {
        of->failed = true;
        return;
    }
    c->column = more;
    c->column[c->count++] = x;
}

/* The name of component k of an entry: q0, or with the field's name and a number q1x. */
static void name_component(char name[COLUMN_NAME], const ph_field *f, bool listed,
                           size_t entry, int k)
{
    const char *at = f->columns;
    for (int i = 0; i < k; i++)
        at += strcspn(at, ",") + 1;
    const int whole = (int)strcspn(at, ","), cut = text_cut(at, COLUMN_NAME - 1),
              length = whole < cut ? whole : cut;
    if (listed)
        (void)snprintf(name, COLUMN_NAME, "%.20s%zu%.*s", f->name, entry + 1, length, at);
    else
        (void)snprintf(name, COLUMN_NAME, "%.*s", length, at);
}

/* Whether a field has a column of its own in a row. */
static bool in_rows(const choosing *of, const ph_field *f)
{
    const size_t entries = columns_rows(of->c, of->now);
    const bool list = (f->use & PH_FIELD_LIST) != 0 || f->count > 1;
    return (f->use & (PH_FIELD_SHOWN | PH_FIELD_CONSTANT | PH_FIELD_DERIVED)) != 0 &&
           (!of->c->choice.each || !list || f->count == entries);
}

/* Whether its columns are many, under names with a number. */
static bool is_listed(const choosing *of, const ph_field *f)
{
    return (f->use & PH_FIELD_LIST) != 0 && !of->c->choice.each;
}

/* The columns of a field that a word stands for, all if it is NULL: its name, that of a
 * column, or what the names of columns of an entry begin with. Returns how many. */
static size_t add_field(choosing *of, size_t index, const char *word)
{
    const ph_field *f = &of->now->field[index];
    const bool listed = is_listed(of, f),
               whole = word == NULL || strcmp(word, f->name) == 0;
    const size_t length = word == NULL ? 0 : strlen(word);
    size_t added = 0;
    for (size_t i = 0; i < (listed ? f->count : 1); i++) {
        for (int k = 0; k < f->width; k++) {
            column x = {.unit = f->unit,
                        .from = COLUMN_FIELD,
                        .index = index,
                        .entry = i,
                        .component = k};
            name_component(x.name, f, listed, i, k);
            const bool begins = length > 0 && strncmp(word, x.name, length) == 0;
            const bool part = begins && x.name[length] != '\0' &&
                              strchr("0123456789xyz", x.name[length]) != NULL &&
                              x.name[length + 1] == '\0' && f->width > 1;
            if (!whole && !part && !(begins && x.name[length] == '\0'))
                continue;
            const char *group = whole ? f->name : part ? word : x.name;
            (void)snprintf(x.group, COLUMN_NAME, "%.*s", text_cut(group, COLUMN_NAME - 1),
                           group);
            put(of, x);
            added++;
        }
    }
    return added;
}

/* The columns of an observable by its name, or of its deviation by NAME_error. */
static size_t add_observable(choosing *of, size_t index, const char *word)
{
    const ph_observable *o = &of->now->observable[index];
    const size_t length = strlen(o->name);
    if (word != NULL && strncmp(word, o->name, length) != 0)
        return 0;
    const bool error = word != NULL && strcmp(word + length, "_error") == 0;
    const int parts = error ? 1 : o->width;
    int one = -1;
    if (word != NULL && !error && parts > 1 && word[length] >= '1' &&
        word[length] < '1' + parts && word[length + 1] == '\0')
        one = word[length] - '1';
    else if (word != NULL && !error && word[length] != '\0')
        return 0;
    for (int k = 0; k < parts; k++) {
        column x = {.unit = error && o->relative ? "1" : o->unit,
                    .from = error ? COLUMN_ERROR : COLUMN_OBSERVABLE,
                    .index = index,
                    .component = k};
        (void)snprintf(x.group, COLUMN_NAME, "%.*s%s", text_cut(o->name, 40), o->name,
                       error ? "_error" : "");
        if (parts == 1)
            memcpy(x.name, x.group, sizeof x.name);
        else
            (void)snprintf(x.name, COLUMN_NAME, "%.40s%d", o->name, k + 1);
        if (one < 0 || one == k)
            put(of, x);
    }
    return 1;
}

/* ---- what follows from attitude and momentum --------------------------------------- */

static const struct quantity {
    const char *name, *unit;
    int parts;
    bool needs_frame; /* as in q_space; without one it is a field */
} quantities[] = {
    [BODY_Q] = {"q", "1", 4, true},
    [BODY_EULER] = {"euler", "rad", 3, false},
    [BODY_ROTVEC] = {"rotvec", "rad", 3, false},
    [BODY_MATRIX] = {"R", "1", 9, false},
    [BODY_W] = {"w", "rad/t", 3, false},
    [BODY_M] = {"m", "I/t", 3, true},
};
enum { QUANTITIES = COUNT(quantities), MATRIX = 9, SUFFIX = 12 };

/* Finds the frame of a name; false if there is none. */
static bool find_frame(const choosing *of, const char *name, column *x)
{
    const column_choice *choice = &of->c->choice;
    char field[FRAME_NAME + sizeof "_frame"];
    x->moving = of->now->fields;
    if (strcmp(name, "space") == 0) {
        x->frame = FRAME_SPACE;
        return true;
    }
    for (size_t i = 0; i < choice->frames; i++) {
        if (strcmp(name, choice->frame[i].name) == 0) {
            x->frame = (int)i;
            return true;
        }
    }
    (void)snprintf(field, sizeof field, "%.*s_frame", FRAME_NAME - 1, name);
    x->moving = field_number(of->now, field);
    return x->moving < of->now->fields && of->now->field[x->moving].width == 4;
}

/* What the name of component k ends in: 0 to 3, 1 to 3, or 11 to 33. */
static size_t component_suffix(char text[SUFFIX], body_quantity quantity, int k)
{
    const int number = quantities[quantity].parts == MATRIX ? 11 + 10 * (k / 3) + k % 3
                                                            : k + (quantity != BODY_Q);
    return (size_t)snprintf(text, SUFFIX, "%d", number);
}

/* Reads NAME[_FRAME][_SEQUENCE] into a column; false if it is none. */
static bool read_quantity(const choosing *of, const char *word, column *x)
{
    const struct quantity *q = &quantities[x->quantity];
    const size_t length = strlen(q->name);
    char rest[COLUMN_NAME];
    if (strncmp(word, q->name, length) != 0 || strlen(word) >= COLUMN_NAME)
        return false;
    (void)snprintf(rest, sizeof rest, "%s", word + length);
    x->frame = x->quantity == BODY_W || x->quantity == BODY_M ? FRAME_BODY : FRAME_SPACE;
    x->moving = of->now->fields;
    if (x->quantity == BODY_EULER) {
        char *sequence = strrchr(rest, '_');
        memcpy(x->sequence, "zxz", sizeof x->sequence);
        if (sequence != NULL && euler_sequence(sequence + 1)) {
            memcpy(x->sequence, sequence + 1, sizeof x->sequence);
            *sequence = '\0';
        }
    }
    if (rest[0] == '\0')
        return !q->needs_frame;
    return rest[0] == '_' && find_frame(of, rest + 1, x);
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

static size_t add_quantity(choosing *of, body_quantity quantity, const char *word)
{
    const struct quantity *q = &quantities[quantity];
    column x = {.unit = q->unit, .from = COLUMN_BODY, .quantity = quantity};
    char whole[COLUMN_NAME], suffix[SUFFIX];
    int one = -1;
    if (!has_body(of, quantity))
        return 0;
    (void)snprintf(whole, sizeof whole, "%s", word);
    bool found = read_quantity(of, whole, &x);
    for (int k = 0; k < q->parts && !found; k++) {
        const size_t length = strlen(word), end = component_suffix(suffix, quantity, k);
        if (length <= end || strcmp(word + length - end, suffix) != 0)
            continue;
        one = k;
        whole[length - end] = '\0';
        found = read_quantity(of, whole, &x);
        break;
    }
    if (!found)
        return 0;
    if (strcmp(x.unit, "rad") == 0 && of->c->choice.degrees)
        x.unit = "deg";
    for (int k = 0; k < q->parts; k++) {
        x.component = k;
        (void)snprintf(x.group, COLUMN_NAME, "%.60s", whole);
        (void)component_suffix(suffix, quantity, k);
        (void)snprintf(x.name, COLUMN_NAME, "%.40s%s", whole, suffix);
        if (one < 0 || one == k)
            put(of, x);
    }
    return 1;
}

/* ---- choosing ---------------------------------------------------------------------- */

static void add_time(choosing *of)
{
    put(of, (column){.name = "t", .group = "t", .unit = "t", .from = COLUMN_TIME});
}

static void add_number(choosing *of)
{
    put(of,
        (column){.name = "body", .group = "body", .unit = "1", .from = COLUMN_NUMBER});
}

/* The components of the attitude by letters, as where the scalar part is last. */
static size_t add_letter(choosing *of, const char *word)
{
    static const char letters[] = "wxyz";
    const column_set *c = of->c;
    if (c->attitude >= of->now->fields || strlen(word) != 2 || word[0] != 'q' ||
        strchr(letters, word[1]) == NULL)
        return 0;
    column x = {.unit = "1",
                .from = COLUMN_FIELD,
                .index = c->attitude,
                .component = (int)(strchr(letters, word[1]) - letters)};
    memcpy(x.name, word, strlen(word) + 1);
    memcpy(x.group, x.name, sizeof x.group);
    put(of, x);
    return 1;
}

static bool add_word(choosing *of, const char *word)
{
    const instant *now = of->now;
    size_t added = 0;
    if (strcmp(word, "t") == 0) {
        add_time(of);
        return true;
    }
    if (strcmp(word, "body") == 0 && of->c->choice.each) {
        add_number(of);
        return true;
    }
    for (size_t i = 0; i < now->fields && added == 0; i++)
        added = in_rows(of, &now->field[i]) ? add_field(of, i, word) : 0;
    for (size_t i = 0; i < now->observables && added == 0; i++)
        added = add_observable(of, i, word);
    if (added == 0)
        added = add_letter(of, word);
    for (size_t i = 0; i < QUANTITIES && added == 0; i++)
        added = add_quantity(of, (body_quantity)i, word);
    return added > 0;
}

/* The time, the shown fields, the energy; of each entry also its number, and what is constant
 * of it, so that a run can start from there. */
static void add_default(choosing *of)
{
    const instant *now = of->now;
    const bool each = of->c->choice.each;
    add_time(of);
    if (each)
        add_number(of);
    for (size_t i = 0; i < now->fields; i++) {
        if (now->field[i].use & PH_FIELD_SHOWN)
            (void)add_field(of, i, NULL);
    }
    if (now->observables > 0 && instant_field(now, now->observable[0].name) == NULL)
        (void)add_observable(of, 0, NULL);
    for (size_t i = 0; each && i < now->fields; i++) {
        const ph_field *f = &now->field[i];
        if ((f->use & (PH_FIELD_CONSTANT | PH_FIELD_LIST)) == PH_FIELD_CONSTANT &&
            f->count == columns_rows(of->c, now))
            (void)add_field(of, i, NULL);
    }
}

/* Every name there is, for the one that is none. */
static void suggest(choosing *of)
{
    const instant *now = of->now;
    add_time(of);
    for (size_t i = 0; i < now->fields; i++) {
        if (!in_rows(of, &now->field[i]))
            continue;
        ph_nearest_add(of->near_by, "%s", now->field[i].name);
        (void)add_field(of, i, NULL);
    }
    for (size_t i = 0; i < now->observables; i++) {
        (void)add_observable(of, i, NULL);
        ph_nearest_add(of->near_by, "%s_error", now->observable[i].name);
    }
    static const char *const others[] = {
        "euler_zxz", "euler_zyx", "w_space", "m_space", "rotvec", "qx", "qy", "qz", "qw"};
    for (size_t i = 0; i < COUNT(others); i++) {
        if (of->c->attitude < now->fields)
            ph_nearest_add(of->near_by, "%s", others[i]);
    }
}

bool columns_choose(column_set *c, const column_choice *choice, const instant *now,
                    char word[COLUMN_NAME], nearest *near_by)
{
    choosing of = {.c = c, .now = now};
    *c = (column_set){.choice = *choice};
    word[0] = '\0';
    c->attitude = field_number(now, choice->each ? "attitudes" : "attitude");
    c->momentum = field_number(now, choice->each ? "angular_momenta" : "momentum");
    c->velocity = field_number(now, "velocity");
    c->inertia = field_number(now, "inertias");
    if (choice->show == NULL) {
        add_default(&of);
        return !of.failed;
    }
    for (const char *at = choice->show;; at++) {
        const size_t length = strcspn(at, ",");
        (void)snprintf(word, COLUMN_NAME, "%.*s", (int)length, at);
        const bool whole = length < COLUMN_NAME;
        if (!whole || !add_word(&of, word)) {
            of.near_by = near_by;
            near_by->wrong = word;
            suggest(&of);
            return false;
        }
        at += length;
        if (*at == '\0')
            break;
    }
    word[0] = '\0';
    return !of.failed;
}

void columns_free(column_set *c)
{
    free(c->column);
    *c = (column_set){0};
}

char *columns_names(const column_set *c)
{
    char *text = malloc(c->count * COLUMN_NAME + 1), *at = text;
    if (text == NULL)
        return NULL;
    *at = '\0';
    for (size_t i = 0; i < c->count; i++)
        at += sprintf(at, "%s%s", i == 0 ? "" : ",", c->column[i].name);
    return text;
}

/* ---- rows -------------------------------------------------------------------------- */

size_t columns_rows(const column_set *c, const instant *now)
{
    if (!c->choice.each)
        return 1;
    size_t i = 0;
    while (i < now->fields && !(now->field[i].use & PH_FIELD_SHOWN))
        i++;
    return i < now->fields ? now->field[i].count : 0;
}

/* The attitude of the frame of a column. */
static ph_quat frame_of(const column_set *c, const instant *now, const column *x)
{
    if (x->moving < now->fields)
        return field_quat(&now->field[x->moving], 0);
    return x->frame >= 0 ? c->choice.frame[x->frame].q : (ph_quat){1.0, 0.0, 0.0, 0.0};
}

static double body_value(const column_set *c, const instant *now, size_t entry,
                         const column *x)
{
    const ph_field *f = now->field;
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
        return (c->choice.degrees ? DEGREE : 1.0) * part[x->component];
    case BODY_ROTVEC:
        v = scale(c->choice.degrees ? DEGREE : 1.0, ph_log(q));
        break;
    case BODY_MATRIX:
        v = rotate(
            q, vec3(x->component % 3 == 0, x->component % 3 == 1, x->component % 3 == 2));
        return x->component / 3 == 0 ? v.x : x->component / 3 == 1 ? v.y : v.z;
    case BODY_W:
        v = c->velocity < now->fields ? field_vector(&f[c->velocity], entry)
                                      : over(field_vector(&f[c->momentum], entry),
                                             field_vector(&f[c->inertia], entry));
        v = x->frame == FRAME_BODY ? v : rotate(q, v);
        break;
    case BODY_M:
        v = field_vector(&f[c->momentum], entry);
        v = x->frame == FRAME_BODY ? v : rotate(q, v);
        break;
    }
    return x->component == 0 ? v.x : x->component == 1 ? v.y : v.z;
}

/* How far an observable is from its start, over that where it counts so. */
static double error_of(const ph_observable *o)
{
    double off = 0.0, size = 0.0;
    for (int k = 0; k < o->width; k++) {
        off = hypot(off, o->now[k] - o->start[k]);
        size = hypot(size, o->start[k]);
    }
    return off == 0.0 || !o->relative || size == 0.0 ? off : off / size;
}

void columns_row(const column_set *c, const instant *now, size_t entry, double *row)
{
    for (size_t i = 0; i < c->count; i++) {
        const column *x = &c->column[i];
        const ph_field *f = x->from == COLUMN_FIELD ? &now->field[x->index] : NULL;
        switch (x->from) {
        case COLUMN_TIME:
            row[i] = now->t;
            break;
        case COLUMN_NUMBER:
            row[i] = (double)entry;
            break;
        case COLUMN_FIELD:
            row[i] =
                f->data[x->component][(f->count == 1 ? 0 : x->entry + entry) * f->stride];
            break;
        case COLUMN_OBSERVABLE:
            row[i] = now->observable[x->index].now[x->component];
            break;
        case COLUMN_ERROR:
            row[i] = error_of(&now->observable[x->index]);
            break;
        case COLUMN_BODY:
            row[i] = body_value(c, now, entry, x);
            break;
        }
    }
}
