/* snapshot.c - a system as bytes, and back.
 *
 *   "POLHODE" 0      magic
 *   version          32 bits
 *   length           64 bits, of the whole snapshot
 *   note             a text of the caller's
 *   h                step
 *   kind, problem, integrator, parameters and constant fields: must be those of the system
 *   origin, steps, what is watched, the fields of the state: are taken over
 *   checksum         64 bits, FNV-1a over all bytes before
 *
 * Integers and doubles have 64 bits, little-endian. One function, visit(), goes through all
 * parts in their order, to measure, write, check or read; so the four cannot disagree. A
 * text is its length and its bytes; a parameter its name, number and values; a field its
 * name, entries, components and values. FNV-1a is a bijection of its state for every byte:
 * one altered byte never goes unseen. Magic, version, length and checksum are in these
 * places in every version, so that a newer one is told from an altered one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/choice.h"
#include "base/hash.h"
#include "base/text.h"
#include "system/kind.h"

enum {
    MAGIC = 8,
    VERSION = 1,
    LENGTH_AT = MAGIC + 4,
    HEADER = LENGTH_AT + 8,
    WORD = 8,
    CHECKSUM = 8
};
static const char magic[MAGIC] = "POLHODE";

typedef enum pass { MEASURE, WRITE, CHECK, READ } pass;

typedef struct cursor {
    pass pass;
    unsigned char *bytes;
    size_t at, size; /* where it is, and how many there are; unless it measures */
    bool same;       /* so far everything belongs to this system */
} cursor;

static void put(unsigned char *to, uint64_t x, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(x >> (8 * i));
}

static uint64_t get(const unsigned char *from, int bytes)
{
    uint64_t x = 0;
    for (int i = 0; i < bytes; i++)
        x |= (uint64_t)from[i] << (8 * i);
    return x;
}

/* ---- one part after the other ---------------------------------------------------- */

/* Advances the cursor over `bytes` bytes and returns their address. Returns NULL while the snapshot is
 * measured, and at the end, where c->same becomes false. */
static unsigned char *next(cursor *c, uint64_t bytes)
{
    const size_t at = c->at;
    if (c->pass == MEASURE) {
        c->at += (size_t)bytes;
        return NULL;
    }
    if (bytes > c->size - at) {
        c->same = false;
        return NULL;
    }
    c->at += (size_t)bytes;
    return c->bytes + at;
}

static void integer(cursor *c, uint64_t *x, bool must_agree)
{
    unsigned char *place = next(c, WORD);
    if (place == NULL)
        return;
    if (c->pass == WRITE)
        put(place, *x, WORD);
    else if (must_agree)
        c->same = c->same && get(place, WORD) == *x;
    else if (c->pass == READ)
        *x = get(place, WORD);
}

static void number(cursor *c, double *x, bool must_agree)
{
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    integer(c, &bits, must_agree);
    if (c->pass == READ && !must_agree)
        memcpy(x, &bits, sizeof bits);
}

static void text(cursor *c, const char *words)
{
    uint64_t length = strlen(words);
    integer(c, &length, true);
    unsigned char *place = c->same ? next(c, length) : NULL;
    if (place == NULL)
        return;
    for (uint64_t i = 0; i < length; i++) {
        if (c->pass == WRITE)
            place[i] = (unsigned char)words[i];
        else
            c->same = c->same && place[i] == (unsigned char)words[i];
    }
}

/* The note is not compared. */
static void note(cursor *c, const char *words)
{
    uint64_t length = strlen(words);
    if (c->pass == CHECK || c->pass == READ) {
        length = 0;
        if (c->size - c->at >= WORD)
            length = get(c->bytes + c->at, WORD);
    }
    integer(c, &length, true);
    unsigned char *place = next(c, length);
    for (uint64_t i = 0; place != NULL && c->pass == WRITE && i < length; i++)
        place[i] = (unsigned char)words[i];
}

static void parameters(cursor *c, const ph_system *s)
{
    uint64_t count = s->parameter_count;
    integer(c, &count, true);
    for (size_t i = 0; i < s->parameter_count && c->same; i++) {
        const ph_parameter *p = &s->parameters[i];
        uint64_t values = (uint64_t)p->count;
        text(c, p->name);
        integer(c, &values, true);
        for (int k = 0; k < p->count; k++) {
            double value = s->values[p->first + k];
            number(c, &value, true);
        }
    }
}

static void field(cursor *c, const ph_array *f)
{
    const bool constant = (f->use & PH_ARRAY_CONSTANT) != 0;
    uint64_t count = f->count, width = (uint64_t)f->width;
    text(c, f->name);
    integer(c, &count, true);
    integer(c, &width, true);
    for (int k = 0; k < f->width && c->same; k++) {
        for (size_t i = 0; i < f->count && c->same; i++)
            number(c, &f->data[k][i * f->stride], constant);
    }
}

static bool is_kept(const ph_array *f)
{
    return (f->use & (PH_ARRAY_STATE | PH_ARRAY_CONSTANT)) != 0;
}

static void fields(cursor *c, const ph_system *s)
{
    uint64_t count = 0;
    for (size_t i = 0; i < s->field_count; i++)
        count += is_kept(&s->fields[i]);
    integer(c, &count, true);
    for (size_t i = 0; i < s->field_count && c->same; i++) {
        if (is_kept(&s->fields[i]))
            field(c, &s->fields[i]);
    }
}

static void watched(cursor *c, ph_system *s)
{
    energy_sums *e = &s->energy;
    double *const sums[] = {&e->first,  &e->last,     &e->largest_error, &e->mean_t,
                            &e->mean_e, &e->spread_t, &e->spread_both};
    /* What is watched has a start; of other systems the second bit says so. */
    enum { WATCHING = 1, BEGUN = 2 };
    uint64_t bits = 0;
    if (s->watching)
        bits |= WATCHING;
    if (s->begun && e->count == 0)
        bits |= BEGUN;
    integer(c, &bits, false);
    integer(c, &e->count, false);
    if (c->pass == READ) {
        s->watching = (bits & WATCHING) != 0;
        s->begun = (bits & BEGUN) != 0 || e->count > 0;
    }
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        number(c, sums[i], false);
    for (size_t i = 0; i < s->observable_count && c->same; i++) {
        ph_observable *o = &s->observables[i];
        text(c, o->name);
        for (int k = 0; k < 3; k++)
            number(c, &o->start[k], false);
        number(c, &o->error, false);
    }
}

static void visit(cursor *c, ph_system *s)
{
    note(c, text_or_empty(s->note));
    number(c, &s->h, false);
    text(c, s->kind->name);
    text(c, s->problem);
    text(c, s->integrator);
    parameters(c, s);
    fields(c, s);
    number(c, &s->origin, false);
    integer(c, &s->steps, false);
    integer(c, &s->origin_steps, false);
    watched(c, s);
}

/* ---- the whole ------------------------------------------------------------------- */

void ph_system_set_note(ph_system *s, const char *words)
{
    s->note = words;
}

size_t ph_system_save(const ph_system *s, void *to, size_t size)
{
    ph_system *system = (ph_system *)s; /* is read only */
    if (s->between_steps)
        return 0;
    cursor c = {.pass = MEASURE, .at = HEADER, .same = true};
    visit(&c, system);
    const size_t whole = c.at + CHECKSUM;
    if (size < whole)
        return whole;
    unsigned char *bytes = to;
    memcpy(bytes, magic, MAGIC);
    put(bytes + MAGIC, VERSION, LENGTH_AT - MAGIC);
    put(bytes + LENGTH_AT, whole, WORD);
    c = (cursor){WRITE, bytes, HEADER, whole - CHECKSUM, true};
    visit(&c, system);
    put(bytes + whole - CHECKSUM, hash_bytes(HASH_BEGIN, bytes, whole - CHECKSUM), CHECKSUM);
    return whole;
}

static ph_status is_whole(const unsigned char *bytes, size_t size)
{
    if (size < HEADER + CHECKSUM || memcmp(bytes, magic, MAGIC) != 0)
        return PH_BAD_SNAPSHOT;
    const size_t end = size - CHECKSUM;
    if (get(bytes + LENGTH_AT, WORD) != size ||
        get(bytes + end, CHECKSUM) != hash_bytes(HASH_BEGIN, bytes, end))
        return PH_BAD_SNAPSHOT;
    return ok_if(get(bytes + MAGIC, LENGTH_AT - MAGIC) <= VERSION, PH_NEWER_SNAPSHOT);
}

/* Reads everything, and brings the rest in line with it. */
static void read_all(ph_system *s, unsigned char *bytes, size_t end)
{
    cursor c = {READ, bytes, HEADER, end, true};
    visit(&c, s);
    ph_system_restored(s);
}

/* Whether a unit vector or quaternion is one, by the sum of its squares. Steps keep that to
 * round-off: what is farther from it comes from no run. */
static bool is_unit(double squares)
{
    static const double MOST = 1e-6;
    return fabs(squares - 1.0) <= MOST;
}

/* Whether what is shown is finite; attitudes, and places on spheres, are of unit length. */
static bool has_valid_fields(const ph_system *s)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const ph_array *f = &s->fields[i];
        const bool unit =
            (f->use & PH_ARRAY_PLACE) != 0 && f->width > 1 && strcmp(f->unit, "1") == 0;
        if ((f->use & (PH_ARRAY_SHOWN | PH_ARRAY_DERIVED)) != PH_ARRAY_SHOWN)
            continue;
        for (size_t n = 0; n < f->count; n++) {
            double squares = 0.0;
            for (int k = 0; k < f->width; k++) {
                const double x = f->data[k][n * f->stride];
                squares += x * x;
                if (!isfinite(x))
                    return false;
            }
            if (unit && !is_unit(squares))
                return false;
        }
    }
    return true;
}

/* The same of a system that chooses its steps, where it is and where its last step began. */
static bool has_valid_steps(const ph_adaptive_numbers *n)
{
    const double *const both[] = {n->y, n->start};
    for (int i = 0; i < 2; i++) {
        const double *y = both[i];
        if (!is_unit(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]) || !isfinite(y[4]) ||
            !isfinite(y[5]) || !isfinite(y[6]))
            return false;
    }
    return isfinite(n->t) && isfinite(n->from) && n->next > 0.0 && n->scale > 0.0;
}

/* The same of a run in parts. */
static bool has_valid_parts(const run_parts *p)
{
    return p->tolerance == 0.0 || (!isnan(p->end) && p->longest > 0.0 && p->smallest >= 0.0);
}

/* Whether the state that was read is one that steps or a caller can give. */
static bool is_valid(const ph_system *s)
{
    return isfinite(s->h) && isfinite(ph_system_time(s)) && s->steps >= s->origin_steps &&
           has_valid_fields(s) && has_valid_parts(&s->parts) &&
           (s->adaptive == NULL || has_valid_steps(s->adaptive));
}

ph_status ph_system_restore(ph_system *s, const void *from, size_t size)
{
    if (ANY_NULL(s, from))
        return PH_NULL_ARGUMENT;
    if (s->observed)
        return PH_IN_OBSERVER;
    unsigned char *bytes = (unsigned char *)from; /* is read only */
    const ph_status status = is_whole(bytes, size);
    if (status != PH_OK)
        return status;
    const size_t end = size - CHECKSUM;
    cursor c = {CHECK, bytes, HEADER, end, true};
    visit(&c, s);
    if (!c.same || c.at != end)
        return PH_OTHER_SNAPSHOT;
    c = (cursor){.pass = MEASURE, .at = HEADER, .same = true};
    visit(&c, s);
    unsigned char *before = array_create(c.at, 1);
    if (before == NULL)
        return PH_NO_MEMORY;
    const size_t before_end = c.at;
    c = (cursor){WRITE, before, HEADER, before_end, true};
    visit(&c, s);
    read_all(s, bytes, end);
    const bool valid = is_valid(s);
    if (!valid)
        read_all(s, before, before_end);
    free(before);
    if (!valid)
        return PH_BAD_SNAPSHOT;
    s->refused = PH_OK;
    return PH_OK;
}

void ph_system_return_to(ph_system *s, const void *saved, size_t size)
{
    read_all(s, (unsigned char *)saved, size - CHECKSUM);
    s->refused = PH_OK;
}

/* ---- a snapshot without its system ----------------------------------------------- */

const char *ph_snapshot_note(const void *from, size_t size, size_t *length)
{
    const unsigned char *bytes = from;
    if (bytes == NULL || is_whole(bytes, size) != PH_OK || size - CHECKSUM - HEADER < WORD)
        return NULL;
    const uint64_t there = get(bytes + HEADER, WORD);
    if (there > size - CHECKSUM - HEADER - WORD)
        return NULL;
    *length = (size_t)there;
    return (const char *)bytes + HEADER + WORD;
}

/* The next text, shorter than SYSTEM_NAME, with a zero at its end. */
static bool read_text(cursor *c, char to[SYSTEM_NAME])
{
    uint64_t length = 0;
    integer(c, &length, false);
    const unsigned char *place = c->same && length < SYSTEM_NAME ? next(c, length) : NULL;
    if (place == NULL)
        return false;
    memcpy(to, place, (size_t)length);
    to[length] = '\0';
    return true;
}

/* Adds the parts that follow, parameters with one count after their name or fields with two,
 * as settings after those there are; the values of an entry one after the other. */
static bool read_parts(cursor *c, int counts, snapshot_settings *to, double **values)
{
    uint64_t parts = 0;
    integer(c, &parts, false);
    for (; parts > 0; parts--) {
        const size_t at = to->with.setting_count;
        uint64_t entries = 0, width = 1;
        char *name = at < SNAPSHOT_PARTS ? to->name[at] : NULL;
        if (name == NULL || !read_text(c, name))
            return false;
        integer(c, &entries, false);
        if (counts == 2)
            integer(c, &width, false);
        const uint64_t most = (c->size - c->at) / WORD;
        if (width == 0 || width > PH_ARRAY_WIDTH || entries > most / width)
            return false;
        to->setting[at] = (ph_setting){name, *values, (size_t)(entries * width)};
        to->with.setting_count++;
        for (uint64_t k = 0; k < width; k++) {
            for (uint64_t i = 0; i < entries; i++)
                number(c, &(*values)[i * width + k], false);
        }
        *values += entries * width;
        if (counts == 2) {
            memmove(name + 1, name, SYSTEM_NAME - 1);
            name[0] = *FIELD_MARK;
            name[SYSTEM_NAME - 1] = '\0';
        }
    }
    return c->same;
}

ph_status ph_snapshot_settings(const void *from, size_t size, snapshot_settings **out)
{
    const ph_status status = is_whole(from, size);
    if (status != PH_OK)
        return status;
    snapshot_settings *to = array_create(size_sum(sizeof *to, size), 1);
    if (to == NULL)
        return PH_NO_MEMORY;
    double *values = to->values;
    cursor c = {READ, (unsigned char *)from, HEADER, size - CHECKSUM, true};
    to->with = (ph_system_settings){to->problem, .integrator = to->integrator,
                                    .settings = to->setting, .options = OPTION_OF_SNAPSHOT};
    note(&c, "");
    number(&c, &to->with.step, false);
    if (!read_text(&c, to->kind) || !read_text(&c, to->problem) || !read_text(&c, to->integrator)) {
        free(to);
        return PH_BAD_SNAPSHOT;
    }
    if (read_parts(&c, 1, to, &values)) /* what cannot be read is no part of a system */
        (void)read_parts(&c, 2, to, &values);
    *out = to;
    return PH_OK;
}
