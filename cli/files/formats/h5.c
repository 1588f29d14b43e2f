/* h5.c - rows as HDF5: a dataset for each quantity, with units; what the file is about in the
 * attributes; several bodies after the conventions of H5MD.
 *
 * Attributes of the root: program, version, command, problem, method, step, epoch; groups
 * parameters and constants, a dataset each. Of one body t, attitude and so on are datasets, a
 * row for each time. Of several (H5MD 1.1, https://www.nongnu.org/h5md/h5md.html) groups h5md,
 * particles/all with box, position, velocity, mass and others, elements with step, time
 * and value, and observables. Needs libhdf5 when the tool is built.
 *
 * A file that HDF5 cannot write to its end is lost, and so may be the process. So the room for the
 * rows that come next, and for what closing takes, is reserved before HDF5 gets them: on a
 * full disk the rows so far make a whole file.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/rows.h"
#include "cli/files/text.h"

#ifdef POLHODE_HDF5
#include <hdf5.h>

enum {
    AHEAD = 512,
    MOST_WIDTH = 16,
    NAME = 96,
    SPARE = 1 << 15,         /* bytes that closing a file takes, at most */
    SPARE_OF_EACH = 1 << 12, /* and more for each dataset */
    BATCH = 1 << 20,         /* bytes of frames for which room is reserved at once */
};

/* A dataset that grows with the rows: of each so many numbers, from one on. */
typedef struct series {
    hid_t set;
    size_t first, numbers;
    const char *field; /* of a frame: the field's name; NULL: an observable */
    size_t observable;
    bool velocity; /* the field over the masses */
} series;

/* A row is the columns; or of a frame, of H5MD, step and time, which all elements share, then the
 * numbers of fields and observables. */
typedef struct hdf {
    hid_t file;
    size_t sets, room;
    series *set;
    double *
        ahead; /* rows that wait, of `width` numbers; for `batch` of them room is reserved */
    size_t width, waiting, batch;
    unsigned long long written;
    bool broken;    /* HDF5 has failed: what it has written is not to be kept */
    off_t reserved; /* bytes of the file that have their room on the disk */
} hdf;

static void check(record *r, bool good)
{
    hdf *h = r->own;
    h->broken = h->broken || !good;
    if (!good && r->out->error == 0)
        r->out->error =
            errno == ENOSPC || errno == EFBIG || errno == EDQUOT ? errno : EIO;
}

/* Hands over all there is, and reserves room for so many bytes more; else there is an error. */
static bool reserve(record *r, size_t bytes)
{
    hdf *h = r->own;
    hsize_t size = 0;
    if (h->file >= 0)
        check(r, H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0 &&
                     H5Fget_filesize(h->file, &size) >= 0);
    const off_t wanted =
        (off_t)(size + bytes + SPARE +
                SPARE_OF_EACH * (h->sets + r->about->parameters + r->first.fields +
                                 r->first.observables));
    if (r->out->error == 0 && wanted > h->reserved) {
        const int error = posix_fallocate(r->out->fd, h->reserved, wanted - h->reserved);
        r->out->error = error == EINVAL || error == EOPNOTSUPP ? 0 : error;
        h->reserved = wanted;
    }
    return r->out->error == 0;
}

/* ---- attributes and small datasets ----------------------------------------------- */

/* An attribute: one value, or `count` of them if that is not 0. */
static void put_attribute(record *r, hid_t at, const char *name, hid_t type, hid_t memory,
                          hsize_t count, const void *x)
{
    const hid_t space =
        count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    const hid_t a = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    check(r, a >= 0 && H5Awrite(a, memory, x) >= 0);
    (void)H5Aclose(a);
    (void)H5Sclose(space);
}

/* Texts of `size` bytes each. */
static void put_texts(record *r, hid_t at, const char *name, size_t size, hsize_t count,
                      const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    check(r, H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
    put_attribute(r, at, name, type, type, count, text);
    (void)H5Tclose(type);
}

static void put_text(record *r, hid_t at, const char *name, const char *text)
{
    if (text != NULL)
        put_texts(r, at, name, strlen(text) + 1, 0, text);
}

static hid_t put_group(record *r, hid_t at, const char *name)
{
    const hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    check(r, group >= 0);
    return group;
}

static void put_array(record *r, hid_t at, const char *name, const char *unit,
                      const char *text, int rank, const hsize_t *size, const double *x)
{
    const hid_t space =
        rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, size, NULL);
    const hid_t set = H5Dcreate2(at, name, H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT);
    check(r, set >= 0 &&
                 H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    put_text(r, set, "units", unit);
    put_text(r, set, "description", text);
    (void)H5Dclose(set);
    (void)H5Sclose(space);
}

/* The numbers of a field, entry after entry. */
static void numbers_of(const ph_field *f, double *x)
{
    for (size_t i = 0; i < f->count; i++) {
        for (int k = 0; k < f->width; k++)
            *x++ = f->data[k][i * f->stride];
    }
}

static void put_field(record *r, hid_t at, const char *name, const ph_field *f)
{
    const bool list = f->count > 1 || (f->use & PH_FIELD_LIST);
    hsize_t size[2];
    int rank = 0;
    if (list)
        size[rank++] = f->count;
    if (f->width > 1)
        size[rank++] = (hsize_t)f->width;
    double *x = malloc(f->count * (size_t)f->width * sizeof *x);
    if (x == NULL) {
        r->out->error = ENOMEM;
        return;
    }
    numbers_of(f, x);
    put_array(r, at, name, f->unit, f->text, rank, size, x);
    free(x);
}

static void put_about(record *r, hid_t file)
{
    const file_about *about = r->about;
    put_text(r, file, "program", "polhode");
    put_text(r, file, "version", ph_version());
    put_text(r, file, "command", about->command);
    put_text(r, file, "problem", about->problem);
    put_text(r, file, "method", about->method);
    put_text(r, file, "epoch", about->epoch);
    if (about->step != 0.0)
        put_attribute(r, file, "step", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0,
                      &about->step);
    hid_t group = put_group(r, file, "parameters");
    for (size_t i = 0; i < about->parameters; i++) {
        const ph_parameter *p = &about->parameter[i];
        const hsize_t size = (hsize_t)p->count;
        put_array(r, group, p->name, p->unit, p->text, p->count > 1, &size,
                  about->value + p->first);
    }
    (void)H5Gclose(group);
    group = put_group(r, file, "constants");
    for (size_t i = 0; i < r->first.fields; i++) {
        const ph_field *f = &r->first.field[i];
        if (f->use & PH_FIELD_CONSTANT)
            put_field(r, group, f->name, f);
    }
    (void)H5Gclose(group);
}

/* ---- datasets that grow ---------------------------------------------------------- */

/* Rows of `count` entries of `width` numbers, which come next in a row; a count of 0, for what is
 * no list, and a width of 1 are no dimension. NULL without memory. */
static series *add_series(record *r, hid_t at, const char *name, hid_t type, size_t count,
                          size_t width, const char *unit, const char *text)
{
    hdf *h = r->own;
    hsize_t now[3] = {0}, most[3] = {H5S_UNLIMITED}, chunk[3];
    int rank = 1;
    const size_t row = (count > 0 ? count : 1) * width;
    if (h->sets == h->room) {
        const size_t more = 2 * h->room + 16;
        series *set = realloc(h->set, more * sizeof *set);
        if (set == NULL) {
            r->out->error = ENOMEM;
            return NULL;
        }
        h->set = set;
        h->room = more;
    }
    chunk[0] = row > AHEAD ? 1 : AHEAD;
    if (count > 0)
        now[rank] = most[rank] = chunk[rank] = count, rank++;
    if (width > 1)
        now[rank] = most[rank] = chunk[rank] = width, rank++;
    const hid_t space = H5Screate_simple(rank, now, most),
                list = H5Pcreate(H5P_DATASET_CREATE);
    check(r, H5Pset_chunk(list, rank, chunk) >= 0);
    series *s = &h->set[h->sets++];
    *s = (series){.first = h->width, .numbers = row};
    h->width += row;
    s->set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    check(r, s->set >= 0);
    put_text(r, s->set, "units", unit);
    put_text(r, s->set, "description", text);
    (void)H5Pclose(list);
    (void)H5Sclose(space);
    return s;
}

/* Adds the rows that wait to a dataset; x has room for its part of them. */
static void append(record *r, const series *s, double *x)
{
    const hdf *h = r->own;
    hsize_t size[3] = {0}, start[3] = {h->written}, count[3];
    for (size_t i = 0; i < h->waiting; i++)
        memcpy(x + i * s->numbers, h->ahead + i * h->width + s->first,
               s->numbers * sizeof *x);
    hid_t space = H5Dget_space(s->set);
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    (void)H5Sclose(space);
    if (rank < 1) {
        check(r, false);
        return;
    }
    memcpy(count, size, sizeof count);
    count[0] = h->waiting;
    size[0] = h->written + h->waiting;
    check(r, H5Dset_extent(s->set, size) >= 0);
    space = H5Dget_space(s->set);
    const hid_t memory = H5Screate_simple(rank, count, NULL);
    check(r, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                 H5Dwrite(s->set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, x) >= 0);
    (void)H5Sclose(memory);
    (void)H5Sclose(space);
}

/* The rows that wait, in room that is reserved: a chunk of a dataset is AHEAD rows, or one. */
static void write_ahead(record *r)
{
    hdf *h = r->own;
    size_t bytes = 0, most = 0;
    for (size_t k = 0; k < h->sets; k++) {
        const size_t n = h->set[k].numbers;
        bytes += n * sizeof(double) * (n > AHEAD ? h->batch : AHEAD);
        most = n > most ? n : most;
    }
    if (!reserve(r, bytes))
        return;
    double *x = malloc(h->batch * most * sizeof *x);
    if (x == NULL)
        r->out->error = ENOMEM;
    for (size_t k = 0; k < h->sets && r->out->error == 0; k++)
        append(r, &h->set[k], x);
    free(x);
    h->written += h->waiting;
    h->waiting = 0;
}

/* Room for a row more, or NULL. */
static double *next_row(const record *r)
{
    const hdf *h = r->own;
    return r->out->error != 0 ? NULL : h->ahead + h->waiting * h->width;
}

static void end_row(record *r)
{
    hdf *h = r->own;
    if (++h->waiting == h->batch)
        write_ahead(r);
}

/* ---- one body -------------------------------------------------------------------- */

/* A dataset for each group of columns. */
static void begin_rows(record *r)
{
    const hdf *h = r->own;
    const column_set *c = r->columns;
    for (size_t i = 0, n = 1; i < c->count; i += n, n = 1) {
        const column *x = &c->column[i];
        while (i + n < c->count && n < MOST_WIDTH &&
               strcmp(c->column[i + n].group, x->group) == 0)
            n++;
        char name[NAME], names[MOST_WIDTH * COLUMN_NAME] = "";
        (void)snprintf(name, NAME, "%s", n > 1 ? x->group : x->name);
        if (H5Lexists(h->file, name, H5P_DEFAULT) > 0) /* it was asked for twice */
            (void)snprintf(name, NAME, "%.*s_%zu", text_cut(x->group, 60), x->group, i);
        const series *s =
            add_series(r, h->file, name, H5T_IEEE_F64LE, 0, n, x->unit,
                       x->from == COLUMN_FIELD ? r->first.field[x->index].text : NULL);
        if (s == NULL)
            return;
        for (size_t k = 0; k < n; k++)
            (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                           k == 0 ? "" : ",", c->column[i + k].name);
        put_text(r, s->set, "columns", names);
    }
}

static void write_row(record *r, const double *row)
{
    double *to = next_row(r);
    if (to == NULL)
        return;
    memcpy(to, row, r->columns->count * sizeof *row);
    end_row(r);
}

/* ---- several bodies -------------------------------------------------------------- */

/* An element: its values, and links to the step and time of all, the first two. */
static series *add_element(record *r, hid_t at, const char *name, size_t count,
                           size_t width, const char *unit, const char *text)
{
    const hdf *h = r->own;
    if (h->sets < 2)
        return NULL;
    const hid_t group = put_group(r, at, name);
    check(r, H5Olink(h->set[0].set, group, "step", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
                 H5Olink(h->set[1].set, group, "time", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    series *s = add_series(r, group, "value", H5T_IEEE_F64LE, count, width, unit, text);
    (void)H5Gclose(group);
    return s;
}

static void add_field(record *r, hid_t at, const char *name, const ph_field *f,
                      bool velocity)
{
    series *s =
        add_element(r, at, name, f->count, (size_t)f->width, velocity ? "l/t" : f->unit,
                    velocity ? "Velocities in space" : f->text);
    if (s != NULL) {
        s->field = f->name;
        s->velocity = velocity;
    }
}

static void put_box(record *r, hid_t particles)
{
    const ph_field *box = instant_field(&r->first, "box");
    const bool periodic = box != NULL && *box->data[0] != 0.0;
    const hid_t group = put_group(r, particles, "box");
    const char words[2][3][9] = {{"none", "none", "none"},
                                 {"periodic", "periodic", "periodic"}};
    const int dimension = 3;
    put_texts(r, group, "boundary", sizeof words[0][0], 3, words[periodic][0]);
    put_attribute(r, group, "dimension", H5T_STD_I32LE, H5T_NATIVE_INT, 0, &dimension);
    if (periodic)
        put_field(r, group, "edges", box);
    (void)H5Gclose(group);
}

/* Names of H5MD for fields that it knows. */
static const struct {
    const char *field, *element;
} known[] = {{"positions", "position"}, {"momenta", "momentum"},
             {"attitudes", "attitude"}, {"angular_momenta", "angular_momentum"},
             {"masses", "mass"},        {"inertias", "inertia"},
             {"dipoles", "dipole"}};

static const char *element_name(const char *field)
{
    for (size_t i = 0; i < COUNT(known); i++) {
        if (strcmp(known[i].field, field) == 0)
            return known[i].element;
    }
    return field;
}

static void put_h5md(record *r)
{
    const hdf *h = r->own;
    const int version[2] = {1, 1};
    const hid_t group = put_group(r, h->file, "h5md");
    put_attribute(r, group, "version", H5T_STD_I32LE, H5T_NATIVE_INT, 2, version);
    hid_t who = put_group(r, group, "author");
    put_text(r, who, "name", "unknown");
    (void)H5Gclose(who);
    who = put_group(r, group, "creator");
    put_text(r, who, "name", "polhode");
    put_text(r, who, "version", ph_version());
    (void)H5Gclose(who);
    (void)H5Gclose(group);
}

static void begin_frames(record *r)
{
    hdf *h = r->own;
    const instant *first = &r->first;
    size_t entries = 0;
    for (size_t i = 0; i < first->fields && entries == 0; i++)
        entries = (first->field[i].use & PH_FIELD_SHOWN) ? first->field[i].count : 0;
    put_h5md(r);
    (void)add_series(r, h->file, "step", H5T_STD_I64LE, 0, 1, NULL, "Number of the step");
    (void)add_series(r, h->file, "time", H5T_IEEE_F64LE, 0, 1, NULL, "Time");
    const hid_t particles = put_group(r, h->file, "particles"),
                all = put_group(r, particles, "all");
    put_box(r, all);
    for (size_t i = 0; i < first->fields; i++) {
        const ph_field *f = &first->field[i];
        const char *name = element_name(f->name);
        if (f->use & PH_FIELD_SHOWN) {
            /* unit vectors are the places that viewers look for */
            const bool place = strcmp(f->name, "q") == 0;
            add_field(r, all, place ? "position" : name, f, false);
            if (strcmp(f->name, "momenta") == 0 && instant_field(first, "masses") != NULL)
                add_field(r, all, "velocity", f, true);
        } else if ((f->use & (PH_FIELD_CONSTANT | PH_FIELD_LIST)) == PH_FIELD_CONSTANT &&
                   f->count == entries && entries > 1) {
            put_field(r, all, name, f);
        }
    }
    (void)H5Gclose(all);
    (void)H5Gclose(particles);
    const hid_t observables = put_group(r, h->file, "observables");
    for (size_t i = 0; i < first->observables; i++) {
        const ph_observable *o = &first->observable[i];
        series *s =
            add_element(r, observables, o->name, 0, (size_t)o->width, o->unit, o->text);
        if (s != NULL)
            s->observable = i;
    }
    (void)H5Gclose(observables);
}

static void write_frame(record *r, const instant *now)
{
    const hdf *h = r->own;
    const double step = r->about->step;
    const ph_field *mass = instant_field(now, "masses");
    double *row = next_row(r);
    if (row == NULL)
        return;
    row[0] = step == 0.0 ? (double)r->count : round(now->t / step);
    row[1] = now->t;
    for (size_t k = 2; k < h->sets; k++) {
        const series *s = &h->set[k];
        double *x = row + s->first;
        if (s->field == NULL) {
            memcpy(x, now->observable[s->observable].now, s->numbers * sizeof *x);
            continue;
        }
        const ph_field *f = instant_field(now, s->field);
        numbers_of(f, x);
        for (size_t i = 0; s->velocity && i < s->numbers; i++)
            x[i] /= mass->data[0][i / (size_t)f->width * mass->stride];
    }
    end_row(r);
}

/* ---- the file -------------------------------------------------------------------- */

static const char *refuse(const record *r)
{
    for (size_t i = 0; i < r->columns->count; i++) {
        if (strchr(r->columns->column[i].name, '/') != NULL)
            return "takes a / in the name of a column for a folder: rename it";
    }
    return NULL;
}

/* Bytes of the constants, which are written at the beginning, perhaps twice. */
static size_t constants_size(const record *r)
{
    size_t numbers = 0;
    for (size_t i = 0; i < r->first.fields; i++) {
        const ph_field *f = &r->first.field[i];
        if (f->use & PH_FIELD_CONSTANT)
            numbers += f->count * (size_t)f->width;
    }
    return 2 * numbers * sizeof(double);
}

static bool begin(record *r)
{
    hdf *h = calloc(1, sizeof *h);
    r->own = h;
    if (h == NULL)
        return false;
    (void)H5dont_atexit();                       /* all is closed by then, or cannot be */
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* it prints nothing */
    h->file = H5I_INVALID_HID;
    errno = 0;
    if (!reserve(r, constants_size(r)))
        return true;
    h->file = H5Fcreate(r->out->beside, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    h->reserved = 0; /* it was truncated */
    check(r, h->file >= 0);
    if (h->file < 0 || !reserve(r, constants_size(r)))
        return true;
    put_about(r, h->file);
    (record_frames(r) ? begin_frames : begin_rows)(r);
    const size_t fit = BATCH / (h->width * sizeof *h->ahead + 1);
    h->batch = !record_frames(r) || fit > AHEAD ? AHEAD : fit + (fit == 0);
    h->ahead = malloc(h->batch * h->width * sizeof *h->ahead);
    if (h->ahead == NULL)
        r->out->error = ENOMEM;
    return true;
}

/* Closes the file, and gives back what was reserved and not needed; false if that failed. */
static bool close_file(record *r)
{
    hdf *h = r->own;
    hsize_t size = 0;
    if (h->file < 0)
        return false;
    for (size_t i = 0; i < h->sets; i++)
        (void)H5Dclose(h->set[i].set);
    const bool whole = H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0 &&
                       H5Fget_filesize(h->file, &size) >= 0,
               good = H5Fclose(h->file) >= 0 && whole &&
                      ftruncate(r->out->fd, (off_t)size) == 0;
    check(r, good);
    h->file = H5I_INVALID_HID;
    return good;
}

static void end(record *r)
{
    hdf *h = r->own;
    if (h->waiting > 0 && r->out->error == 0)
        write_ahead(r);
    r->out->head = close_file(r) && h->written > 0 && !h->broken ? 0 : -1;
    r->out->whole = 1; /* what HDF5 has written */
}

static void free_own(record *r)
{
    hdf *h = r->own;
    (void)close_file(r);
    free(h->set);
    free(h->ahead);
}

#else

static const char *refuse(const record *r)
{
    (void)r;
    return "was left out when this tool was built, as HDF5 was not found: install "
           "libhdf5-dev and build again, or write .npz";
}

#endif

const file_format format_h5 = {
    .suffix = "h5",
    .text = "HDF5",
    .needs_file = true,
    .refuse = refuse,
#ifdef POLHODE_HDF5
    .begin = begin,
    .row = write_row,
    .frame = write_frame,
    .end = end,
    .free = free_own,
#endif
};
