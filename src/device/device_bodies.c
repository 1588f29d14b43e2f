/* device_bodies.c - bodies in the memory of a device: made, filled, generated from their numbers,
 * kicked, read back, and reduced to a few numbers. */
#include "device/device.h"

#include <math.h>
#include <stdlib.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/choice.h"
#include "base/extremes.h"
#include "base/text.h"

/* BYTES_LEFT: bytes per body in each of the work arrays `left` and `list` of advance.cl.
 * BYTES_PER_BODY: bytes per body in all arrays. */
enum { BYTES_LEFT = sizeof(uint32_t), BYTES_PER_BODY = BODY_ARRAYS * 8 + 2 * BYTES_LEFT };

/* The part of a device's memory that bodies may take: the rest is for what else is there. */
static const double MEMORY_PART = 0.8;

static const size_t MOST_BODIES = UINT32_MAX - 2 * DEVICE_GROUP;

size_t ph_device_most_bodies(const ph_device *d)
{
    const double by_memory = MEMORY_PART * (double)d->info.memory / BYTES_PER_BODY,
                 by_array = (double)d->info.largest / (double)sizeof(double),
                 most = smaller_or_nan(by_memory, by_array);
    return most < (double)MOST_BODIES ? (size_t)most : MOST_BODIES;
}

/* The arrays of the caller's, in the order of ours; moments are not written to. */
typedef union caller_array {
    const double *read;
    double *write;
} caller_array;

static caller_array array_of(const ph_batch *b, int k)
{
    if (k < BODY_M)
        return (caller_array){.write = b->q[k]};
    if (k < BODY_J)
        return (caller_array){.write = b->m[k - BODY_M]};
    return (caller_array){.read = b->J[k - BODY_J]};
}

ph_status ph_device_bodies_create(ph_device *d, size_t n, const ph_batch *in_place,
                                  ph_device_bodies **out)
{
    if (ANY_NULL(d, out) || (in_place != NULL && n > 0 && ANY_NULL(in_place->J[1], in_place->J[2])))
        return PH_NULL_ARGUMENT;
    ph_device_bodies *b = n > MOST_BODIES ? NULL : calloc(1, sizeof *b);
    if (b == NULL)
        return PH_NO_MEMORY;
    b->device = d;
    b->capacity = larger_size(n, 1);
    d->status = PH_OK;
    for (int k = 0; k < BODY_ARRAYS; k++) {
        const bool callers = in_place != NULL && n > 0 && d->info.shares_memory && k < BODY_TIME;
        b->array[k] = ph_device_memory(d, b->capacity * sizeof(double),
                                       callers ? array_of(in_place, k).write : NULL);
    }
    b->left = ph_device_memory(d, b->capacity * BYTES_LEFT, NULL);
    b->list = ph_device_memory(d, (b->capacity + DEVICE_LIST_HEAD) * BYTES_LEFT, NULL);
    if (d->status == PH_OK)
        *out = b;
    else
        ph_device_bodies_destroy(b);
    return d->status;
}

void ph_device_bodies_destroy(ph_device_bodies *b)
{
    if (b == NULL)
        return;
    for (int k = 0; k < BODY_ARRAYS; k++)
        ph_device_release(b->device, b->array[k]);
    ph_device_release(b->device, b->left);
    ph_device_release(b->device, b->list);
    ph_device_release(b->device, b->values);
    free(b);
}

/* ---- to the device and back ------------------------------------------------------ */

ph_status ph_device_upload(ph_device_bodies *b, const ph_batch *from)
{
    if (ANY_NULL(b, from))
        return PH_NULL_ARGUMENT;
    if (from->n > b->capacity)
        return PH_NO_MEMORY;
    if (from->n > 0 && ANY_NULL(from->J[1], from->J[2])) /* shared moments */
        return PH_NULL_ARGUMENT;
    ph_device *d = b->device;
    d->status = PH_OK;
    for (int k = 0; k < BODY_TIME; k++)
        ph_device_write(d, b->array[k], 0, from->n * sizeof(double), array_of(from, k).read);
    if (d->status == PH_OK) {
        b->n = from->n;
        b->first = 0;
    }
    return d->status;
}

ph_status ph_device_download(ph_device_bodies *b, const ph_batch *to)
{
    if (ANY_NULL(b, to))
        return PH_NULL_ARGUMENT;
    b->device->status = ok_if(to->n <= b->n, PH_NO_MEMORY);
    for (int k = 0; k < BODY_J; k++)
        ph_device_read(b->device, b->array[k], 0, to->n * sizeof(double), array_of(to, k).write);
    return b->device->status;
}

ph_status ph_device_generate(ph_device_bodies *b, const char *source, uint64_t first, size_t n)
{
    if (ANY_NULL(b, source))
        return PH_NULL_ARGUMENT;
    ph_device *d = b->device;
    const char *const texts[] = {"#include \"device/cl/random.cl\"", source,
                                 "#include \"device/cl/generate.cl\"", NULL};
    const uint64_t count = n;
    if (n > b->capacity)
        return PH_NO_MEMORY;
    d->status = PH_OK;
    cl_kernel kernel = ph_device_kernel(d, texts, "fill");
    if (d->status != PH_OK)
        return d->status;
    b->n = n;
    b->first = first;
    if (n > 0)
        LAUNCH(b, kernel, n, BODY_ARRAYS, ARGUMENT(first), ARGUMENT(count));
    return d->status;
}

ph_status ph_device_kick(ph_device_bodies *b, const double *x, const double *y, const double *z,
                         double h)
{
    if (ANY_NULL(b, x, y, z))
        return PH_NULL_ARGUMENT;
    if (!isfinite(h))
        return PH_BAD_STEP;
    ph_device *d = b->device;
    const double *const torque[3] = {x, y, z};
    const char *const texts[] = {
        "#include \"device/cl/prelude.cl\"\n#include \"device/cl/kick.cl\"", NULL};
    const uint64_t n = b->n;
    d->status = PH_OK;
    if (n == 0)
        return PH_OK;
    cl_kernel kernel = ph_device_kernel(d, texts, "kick_all");
    cl_memory there = ph_device_memory(d, b->n * sizeof(double), NULL);
    for (int k = 0; k < 3; k++) {
        ph_device_write(d, there, 0, b->n * sizeof(double), torque[k]);
        LAUNCH(b, kernel, b->n, 0, ARGUMENT(b->array[BODY_M + k]), ARGUMENT(there), ARGUMENT(h),
               ARGUMENT(n));
    }
    CL_CALL(d, clFinish, d->queue);
    ph_device_release(d, there);
    return d->status;
}

/* ---- reductions ------------------------------------------------------------------ */

enum { PARTIALS = 3 }; /* sum, least and most */

static size_t groups_of(size_t n)
{
    return (n + DEVICE_GROUP - 1) / DEVICE_GROUP;
}

static cl_kernel kernel_of(ph_device *d, const ph_device_reduction *r, const char *name)
{
    static const char before[] = "static double value_of(ulong i, ph_quat q, ph_vec3 m, "
                                 "ph_vec3 J)\n{\n    return ";
    const char *const texts[] = {"#include \"device/cl/random.cl\"",
                                 text_or_empty(r->source),
                                 before,
                                 r->expression,
                                 ";\n}",
                                 "#include \"device/cl/reduce.cl\"",
                                 NULL};
    return ph_device_kernel(d, texts, name);
}

/* Values and their counts in the first launch; then partial results of groups of bodies, and of
 * groups of these, by turns in two arrays, until one is left, which is read. */
static void reduce(ph_device_bodies *b, const ph_device_reduction *r, double result[PARTIALS],
                   uint32_t *host_counts)
{
    ph_device *d = b->device;
    const size_t groups = groups_of(b->n), one = PARTIALS * sizeof *result,
                 count_bytes = (r->bins + 1) * sizeof *host_counts;
    const uint64_t n = b->n;
    const uint32_t bins = (uint32_t)r->bins;
    cl_memory partial[] = {ph_device_memory(d, groups * one, NULL),
                           ph_device_memory(d, groups_of(groups) * one, NULL)},
              counts = ph_device_memory(d, count_bytes, NULL);
    cl_kernel all = kernel_of(d, r, "reduce_values"), combine = kernel_of(d, r, "combine");
    int from = 0;
    ph_device_write(d, counts, 0, count_bytes, host_counts);
    LAUNCH(b, all, b->n, BODY_TIME, ARGUMENT(b->first), ARGUMENT(n), ARGUMENT(r->low),
           ARGUMENT(r->high), ARGUMENT(bins), ARGUMENT(partial[0]), ARGUMENT(counts));
    for (uint64_t parts = groups; parts > 1; parts = groups_of((size_t)parts), from = 1 - from)
        LAUNCH(b, combine, (size_t)parts, 0, ARGUMENT(partial[from]), ARGUMENT(parts),
               ARGUMENT(partial[1 - from]));
    ph_device_read(d, partial[from], 0, one, result);
    ph_device_read(d, counts, 0, count_bytes, host_counts);
    ph_device_release(d, partial[0]);
    ph_device_release(d, partial[1]);
    ph_device_release(d, counts);
}

ph_status ph_device_reduce(ph_device_bodies *b, const ph_device_reduction *reduction,
                           ph_device_statistics *out, uint64_t *counts)
{
    if (ANY_NULL(b, reduction, out) || reduction->expression == NULL ||
        (reduction->bins > 0 && counts == NULL))
        return PH_NULL_ARGUMENT;
    if (reduction->bins > 0 &&
        !(reduction->low < reduction->high && isfinite(reduction->high - reduction->low)))
        return PH_BAD_PARAMETER;
    if (reduction->bins >= UINT32_MAX)
        return PH_NO_MEMORY;
    ph_device *d = b->device;
    double result[PARTIALS];
    if (b->n == 0) {
        *out = (ph_device_statistics){0};
        return PH_OK;
    }
    uint32_t *found = array_create(reduction->bins + 1, sizeof *found); /* the last: not finite */
    if (found == NULL)
        return PH_NO_MEMORY;
    d->status = PH_OK;
    reduce(b, reduction, result, found);
    if (d->status == PH_OK) {
        *out =
            (ph_device_statistics){b->n, found[reduction->bins], result[0], result[1], result[2]};
        for (size_t k = 0; k < reduction->bins; k++)
            counts[k] += found[k];
    }
    free(found);
    return d->status;
}
