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

#include "base/choice.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"
#include "tool/files/rows.h"

#ifdef POLHODE_HDF5
#include <hdf5.h>

enum {
    AHEAD = 512,
    MOST_WIDTH = 16,
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
    hid_t file, with_groups; /* links are made with the groups on their way */
    size_t sets;
    series *set;
    double *ahead; /* rows that wait, of `width` numbers, room for `batch` of them */
    size_t width, waiting, batch;
    unsigned long long written;
    bool broken;    /* HDF5 has failed: what it has written is not to be kept */
    off_t reserved; /* bytes of the file that have their room on the disk */
} hdf;

static void check(record *r, bool good)
{
    hdf *h = r->own;
    h->broken = h->broken || !good;
    if (!good && r->out->error == 0) {
        if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT)
            r->out->error = errno;
        else
            r->out->error = EIO;
    }
}

/* Hands over all there is, and reserves room for so many bytes more; else there is an error. */
static bool reserve(record *r, size_t bytes)
{
    hdf *h = r->own;
    hsize_t size = 0;
    if (h->file >= 0)
        check(r, H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0 && H5Fget_filesize(h->file, &size) >= 0);
    const off_t wanted = (off_t)(size + bytes + SPARE +
                                 SPARE_OF_EACH * (h->sets + r->about->parameters + r->first.fields +
                                                  r->first.observables));
    if (r->out->error == 0 && wanted > h->reserved) {
        const int error = posix_fallocate(r->out->fd, h->reserved, wanted - h->reserved);
        if (error == EINVAL || error == EOPNOTSUPP)
            r->out->error = 0;
        else
            r->out->error = error;
        h->reserved = wanted;
    }
    return r->out->error == 0;
}

/* ---- attributes, groups and datasets, by their paths ------------------------------ */

/* An attribute: one value, or `count` of them if that is not 0. */
static void put_attribute(record *r, const char *path, const char *name, hid_t type, hid_t memory,
                          hsize_t count, const void *x)
{
    const hdf *h = r->own;
    const hid_t space = H5Screate_simple(count > 0, &count, NULL),
                a = H5Acreate_by_name(h->file, path, name, type, space, H5P_DEFAULT, H5P_DEFAULT,
                                      H5P_DEFAULT);
    check(r, a >= 0 && H5Awrite(a, memory, x) >= 0);
    (void)H5Aclose(a);
    (void)H5Sclose(space);
}

/* Texts of `size` bytes each. */
static void put_texts(record *r, const char *path, const char *name, size_t size, hsize_t count,
                      const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    check(r, H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
    put_attribute(r, path, name, type, type, count, text);
    (void)H5Tclose(type);
}

static void put_text(record *r, const char *path, const char *name, const char *text)
{
    if (text != NULL)
        put_texts(r, path, name, strlen(text) + 1, 0, text);
}

static void put_group(record *r, const char *path)
{
    const hdf *h = r->own;
    const hid_t group = H5Gcreate2(h->file, path, h->with_groups, H5P_DEFAULT, H5P_DEFAULT);
    check(r, group >= 0);
    (void)H5Gclose(group);
}

/* A dataset; one that grows has chunks of so many rows, else 0. */
static hid_t create_set(record *r, const char *path, hid_t type, int rank, const hsize_t *size,
                        hsize_t rows, const char *unit, const char *text)
{
    const hdf *h = r->own;
    hsize_t most[3] = {H5S_UNLIMITED}, chunk[3] = {rows};
    for (int i = 1; i < rank; i++)
        most[i] = chunk[i] = size[i];
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE),
                space = H5Screate_simple(rank, size, rows > 0 ? most : NULL);
    check(r, rows == 0 || H5Pset_chunk(list, rank, chunk) >= 0);
    const hid_t set = H5Dcreate2(h->file, path, type, space, h->with_groups, list, H5P_DEFAULT);
    check(r, set >= 0);
    put_text(r, path, "units", unit);
    put_text(r, path, "description", text);
    (void)H5Pclose(list);
    (void)H5Sclose(space);
    return set;
}

static void put_array(record *r, const char *path, const char *unit, const char *text, int rank,
                      const hsize_t *size, const double *x)
{
    const hid_t set = create_set(r, path, H5T_IEEE_F64LE, rank, size, 0, unit, text);
    check(r, H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    (void)H5Dclose(set);
}

/* The numbers of a field, entry after entry. */
static void numbers_of(const ph_array *f, double *x)
{
    for (size_t i = 0; i < f->count; i++) {
        for (int k = 0; k < f->width; k++)
            *x++ = f->data[k][i * f->stride];
    }
}

static void put_field(record *r, const char *group, const char *name, const ph_array *f)
{
    hsize_t size[2];
    int rank = 0;
    if (f->count > 1 || (f->use & PH_ARRAY_LIST))
        size[rank++] = f->count;
    if (f->width > 1)
        size[rank++] = (hsize_t)f->width;
    double *x = memory_new(f->count * (size_t)f->width, sizeof *x);
    numbers_of(f, x);
    put_array(r, memory_text("%s/%s", group, name), f->unit, f->text, rank, size, x);
}

static void put_about(record *r)
{
    const file_about *about = r->about;
    put_text(r, "/", "program", "polhode");
    put_text(r, "/", "version", ph_version());
    put_text(r, "/", "command", about->command);
    put_text(r, "/", "problem", about->problem);
    put_text(r, "/", "method", about->method);
    put_text(r, "/", "epoch", about->epoch);
    put_text(r, "/", "object", about->origin.object);
    put_text(r, "/", "object_id", about->origin.object_id);
    put_text(r, "/", "frame", about->origin.frame);
    if (about->step != 0.0)
        put_attribute(r, "/", "step", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, &about->step);
    put_group(r, "parameters");
    for (size_t i = 0; i < about->parameters; i++) {
        const ph_parameter *p = &about->parameter[i];
        const hsize_t size = (hsize_t)p->count;
        put_array(r, memory_text("parameters/%s", p->name), p->unit, p->text, p->count > 1, &size,
                  about->value + p->first);
    }
    put_group(r, "constants");
    for (size_t i = 0; i < r->first.fields; i++) {
        const ph_array *f = &r->first.field[i];
        if (f->use & PH_ARRAY_CONSTANT)
            put_field(r, "constants", f->name, f);
    }
}

/* ---- datasets that grow ---------------------------------------------------------- */

/* Rows of `count` entries of `width` numbers, which come next in a row; a count of 0, for what is
 * no list, and a width of 1 are no dimension. */
static series *add_series(record *r, const char *path, hid_t type, size_t count, size_t width,
                          const char *unit, const char *text)
{
    hdf *h = r->own;
    series *s = &h->set[h->sets++];
    hsize_t size[3] = {0};
    int rank = 1;
    if (count > 0)
        size[rank++] = count;
    if (width > 1)
        size[rank++] = width;
    s->first = h->width;
    s->numbers = larger_size(count, 1) * width;
    h->width += s->numbers;
    s->set = create_set(r, path, type, rank, size, s->numbers > AHEAD ? 1 : AHEAD, unit, text);
    return s;
}

/* Adds the rows that wait to a dataset; x has room for its part of them. */
static void append(record *r, const series *s, double *x)
{
    const hdf *h = r->own;
    hsize_t size[3] = {0}, start[3] = {h->written}, count[3];
    for (size_t i = 0; i < h->waiting; i++)
        memcpy(x + i * s->numbers, h->ahead + i * h->width + s->first, s->numbers * sizeof *x);
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
        if (n > most)
            most = n;
    }
    if (!reserve(r, bytes))
        return;
    double *x = memory_block((h->batch * most + 1) * sizeof *x);
    for (size_t k = 0; k < h->sets && r->out->error == 0; k++)
        append(r, &h->set[k], x);
    free(x);
    h->written += h->waiting;
    h->waiting = 0;
}

/* Where the next row goes; it is added by end_row. */
static double *next_row(const record *r)
{
    const hdf *h = r->own;
    return h->ahead + h->waiting * h->width;
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
        const char *names = x->name;
        for (; i + n < c->count && n < MOST_WIDTH && strcmp(c->column[i + n].group, x->group) == 0;
             n++)
            names = memory_text("%s,%s", names, c->column[i + n].name);
        const char *name = n > 1 ? x->group : x->name;
        if (H5Lexists(h->file, name, H5P_DEFAULT) > 0) /* it was asked for twice */
            name = memory_text("%s_%zu", x->group, i);
        (void)add_series(r, name, H5T_IEEE_F64LE, 0, n, x->unit,
                         x->from == COLUMN_FIELD ? r->first.field[x->index].text : NULL);
        put_text(r, name, "columns", names);
    }
}

static void write_row(record *r, const double *row)
{
    memcpy(next_row(r), row, r->columns->count * sizeof *row);
    end_row(r);
}

/* ---- several bodies -------------------------------------------------------------- */

/* An element: its values, and links to the step and time of all, the first two. */
static series *add_element(record *r, const char *group, const char *name, size_t count,
                           size_t width, const char *unit, const char *text)
{
    static const char *const parts[] = {"step", "time"};
    const hdf *h = r->own;
    const char *path = memory_text("%s/%s", group, name);
    for (size_t i = 0; i < 2; i++)
        check(r, H5Olink(h->set[i].set, h->file, memory_text("%s/%s", path, parts[i]),
                         h->with_groups, H5P_DEFAULT) >= 0);
    return add_series(r, memory_text("%s/value", path), H5T_IEEE_F64LE, count, width, unit, text);
}

static void add_field(record *r, const char *name, const ph_array *f, bool velocity)
{
    const char *unit = f->unit, *text = f->text;
    if (velocity) {
        unit = "l/t";
        text = "Velocities in space";
    }
    series *s = add_element(r, "particles/all", name, f->count, (size_t)f->width, unit, text);
    s->field = f->name;
    s->velocity = velocity;
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

/* What H5MD asks for besides: who wrote it, and the box. */
static void put_h5md(record *r)
{
    const ph_array *box = instant_field(&r->first, "box");
    const bool periodic = box != NULL && *box->data[0] != 0.0;
    static const char words[2][3][9] = {{"none", "none", "none"},
                                        {"periodic", "periodic", "periodic"}};
    const int version[2] = {1, 1}, dimension = 3;
    put_group(r, "h5md/author");
    put_group(r, "h5md/creator");
    put_attribute(r, "h5md", "version", H5T_STD_I32LE, H5T_NATIVE_INT, 2, version);
    put_text(r, "h5md/author", "name", "unknown");
    put_text(r, "h5md/creator", "name", "polhode");
    put_text(r, "h5md/creator", "version", ph_version());
    put_group(r, "particles/all/box");
    put_texts(r, "particles/all/box", "boundary", sizeof words[0][0], 3, words[periodic][0]);
    put_attribute(r, "particles/all/box", "dimension", H5T_STD_I32LE, H5T_NATIVE_INT, 0,
                  &dimension);
    if (periodic)
        put_field(r, "particles/all/box", "edges", box);
}

static void begin_frames(record *r)
{
    const instant *first = &r->first;
    size_t entries = 0;
    for (size_t i = 0; i < first->fields && entries == 0; i++)
        if (first->field[i].use & PH_ARRAY_SHOWN)
            entries = first->field[i].count;
    put_h5md(r);
    (void)add_series(r, "step", H5T_STD_I64LE, 0, 1, NULL, "Number of the step");
    (void)add_series(r, "time", H5T_IEEE_F64LE, 0, 1, NULL, "Time");
    for (size_t i = 0; i < first->fields; i++) {
        const ph_array *f = &first->field[i];
        const char *name = element_name(f->name);
        if (f->use & PH_ARRAY_SHOWN) {
            /* unit vectors are the places that viewers look for */
            add_field(r, strcmp(f->name, "q") == 0 ? "position" : name, f, false);
            if (strcmp(f->name, "momenta") == 0 && instant_field(first, "masses") != NULL)
                add_field(r, "velocity", f, true);
        } else if ((f->use & (PH_ARRAY_CONSTANT | PH_ARRAY_LIST)) == PH_ARRAY_CONSTANT &&
                   f->count == entries && entries > 1) {
            put_field(r, "particles/all", name, f);
        }
    }
    put_group(r, "observables");
    for (size_t i = 0; i < first->observables; i++) {
        const ph_observable *o = &first->observable[i];
        add_element(r, "observables", o->name, 0, (size_t)o->width, o->unit, o->text)->observable =
            i;
    }
}

static void write_frame(record *r, const instant *now)
{
    const hdf *h = r->own;
    const double step = r->about->step;
    const ph_array *mass = instant_field(now, "masses");
    double *row = next_row(r);
    if (step == 0.0)
        row[0] = (double)r->count;
    else
        row[0] = round(now->t / step);
    row[1] = now->t;
    for (size_t k = 2; k < h->sets; k++) {
        const series *s = &h->set[k];
        double *x = row + s->first;
        if (s->field == NULL) {
            memcpy(x, now->observable[s->observable].now, s->numbers * sizeof *x);
            continue;
        }
        const ph_array *f = instant_field(now, s->field);
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
            return "cannot contain a column with a / in its name: rename the column";
    }
    return NULL;
}

/* Bytes of all fields, twice: the constants among them are written at the beginning, perhaps twice. */
static size_t fields_size(const record *r)
{
    size_t numbers = 0;
    for (size_t i = 0; i < r->first.fields; i++)
        numbers += r->first.field[i].count * (size_t)r->first.field[i].width;
    return 2 * numbers * sizeof(double);
}

static void begin_h5(record *r)
{
    hdf *h = r->own = memory_new(1, sizeof *h);
    h->set = memory_new(2 + r->columns->count + 2 * r->first.fields + r->first.observables,
                        sizeof *h->set);
    (void)H5dont_atexit();                       /* all is closed by then, or cannot be */
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* it prints nothing */
    h->file = H5I_INVALID_HID;
    errno = 0;
    if (!reserve(r, fields_size(r)))
        return;
    h->file = H5Fcreate(r->out->beside, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    h->reserved = 0; /* it was truncated */
    check(r, h->file >= 0);
    if (h->file < 0 || !reserve(r, fields_size(r)))
        return;
    h->with_groups = H5Pcreate(H5P_LINK_CREATE);
    check(r, H5Pset_create_intermediate_group(h->with_groups, 1) >= 0);
    put_about(r);
    if (record_frames(r))
        begin_frames(r);
    else
        begin_rows(r);
    const size_t fit = BATCH / (h->width * sizeof *h->ahead + 1);
    if (!record_frames(r) || fit > AHEAD)
        h->batch = AHEAD;
    else
        h->batch = fit + (fit == 0);
    h->ahead = memory_new(h->batch * h->width, sizeof *h->ahead);
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
    (void)H5Pclose(h->with_groups);
    /* HDF5 does not close a file while another object of it is open. */
    const bool whole = H5Fget_obj_count(h->file, H5F_OBJ_ALL) == 1 &&
                       H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0 &&
                       H5Fget_filesize(h->file, &size) >= 0,
               good = H5Fclose(h->file) >= 0 && whole && ftruncate(r->out->fd, (off_t)size) == 0;
    check(r, good);
    h->file = H5I_INVALID_HID;
    return good;
}

static void end(record *r)
{
    hdf *h = r->own;
    if (h->waiting > 0 && r->out->error == 0)
        write_ahead(r);
    if (close_file(r) && h->written > 0 && !h->broken)
        r->out->head = 0;
    else
        r->out->head = -1;
    r->out->whole = 1; /* what HDF5 has written */
}

static void free_own(record *r)
{
    (void)close_file(r);
}

#else

static const char *refuse(const record *r)
{
    (void)r;
    return "is not part of this tool, which was built without HDF5: install the package "
           "libhdf5-dev and run make again, or write .npz";
}

#endif

const file_format format_h5 = {
    .suffix = "h5",
    .text = "HDF5",
    .needs_file = true,
    .refuse = refuse,
#ifdef POLHODE_HDF5
    .begin = begin_h5,
    .row = write_row,
    .frame = write_frame,
    .end = end,
    .free = free_own,
#endif
};
