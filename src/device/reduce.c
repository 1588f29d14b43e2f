/* reduce.c - bodies generated on a device from their numbers, and reduced there to a few numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "base/arguments.h"
#include "device/bodies.h"

ph_status ph_device_generate(ph_device_bodies *b, const char *source, uint64_t first,
                             size_t n)
{
    if (ANY_NULL(b, source))
        return PH_NULL_ARGUMENT;
    ph_device *d = b->device;
    const char *const texts[] = {"#include \"device/cl/random.cl\"", source,
                                 "#include \"device/cl/generate.cl\"", NULL};
    const uint64_t count = n;
    kernel_call call = {.device = d};
    if (n > b->capacity)
        return PH_NO_MEMORY;
    ph_status status = ph_device_kernel(d, texts, "fill", &call.kernel);
    if (status != PH_OK)
        return status;
    ph_device_arrays(&call, b, BODY_ARRAYS);
    ARGUMENT(&call, first);
    ARGUMENT(&call, count);
    b->n = n;
    b->first = first;
    return n == 0 ? PH_OK : ph_device_launch(&call, n, DEVICE_GROUP);
}

/* ---- reductions ------------------------------------------------------------------ */

enum { PARTIALS = 3 }; /* sum, least and most */

static size_t groups_of(size_t n)
{
    return (n + DEVICE_GROUP - 1) / DEVICE_GROUP;
}

/* The partial results of groups of bodies and of groups of these, by turns; and the counts. */
typedef struct room {
    cl_memory partial[2], counts;
    uint32_t *host_counts;
} room;

static ph_status make_room(ph_device *d, room *r, size_t n, size_t counts)
{
    const size_t one = PARTIALS * sizeof(double), groups = groups_of(n);
    r->host_counts = calloc(counts, sizeof *r->host_counts);
    ph_status status = r->host_counts == NULL ? PH_NO_MEMORY : PH_OK;
    if (status == PH_OK)
        status = ph_device_memory(d, groups * one, &r->partial[0]);
    if (status == PH_OK)
        status = ph_device_memory(d, groups_of(groups) * one, &r->partial[1]);
    if (status == PH_OK)
        status = ph_device_memory(d, counts * sizeof *r->host_counts, &r->counts);
    if (status == PH_OK)
        status = ph_device_write(d, r->counts, 0, counts * sizeof *r->host_counts,
                                 r->host_counts);
    return status;
}

static void free_room(ph_device *d, room *r)
{
    ph_device_release(d, r->partial[0]);
    ph_device_release(d, r->partial[1]);
    ph_device_release(d, r->counts);
    free(r->host_counts);
}

#define BEFORE_EXPRESSION                                                                \
    "static double value_of(ulong i, ph_quat q, ph_vec3 m, ph_vec3 J)\n{\n    return "

/* The program of a reduction. */
static ph_status kernel_of(ph_device *d, const ph_device_reduction *reduction,
                           const char *name, cl_kernel *out)
{
    const char *const texts[] = {"#include \"device/cl/random.cl\"",
                                 reduction->source == NULL ? "" : reduction->source,
                                 BEFORE_EXPRESSION,
                                 reduction->expression,
                                 ";\n}",
                                 "#include \"device/cl/reduce.cl\"",
                                 NULL};
    return ph_device_kernel(d, texts, name, out);
}

/* The first launch: values, their partial results, counts. */
static ph_status reduce_all(ph_device_bodies *b, const ph_device_reduction *reduction,
                            room *r)
{
    const uint64_t n = b->n;
    const uint32_t bins = (uint32_t)reduction->bins;
    kernel_call call = {.device = b->device};
    const ph_status status =
        kernel_of(b->device, reduction, "reduce_values", &call.kernel);
    if (status != PH_OK)
        return status;
    ph_device_arrays(&call, b, BODY_TIME);
    ARGUMENT(&call, b->first);
    ARGUMENT(&call, n);
    ARGUMENT(&call, reduction->low);
    ARGUMENT(&call, reduction->high);
    ARGUMENT(&call, bins);
    ARGUMENT(&call, r->partial[0]);
    ARGUMENT(&call, r->counts);
    return ph_device_launch(&call, b->n, DEVICE_GROUP);
}

/* The others: partial results of partial results, until one is left, which is read. */
static ph_status combine(ph_device *d, const ph_device_reduction *reduction, room *r,
                         size_t n, double result[PARTIALS])
{
    kernel_call call = {.device = d};
    int from = 0;
    ph_status status = kernel_of(d, reduction, "combine", &call.kernel);
    for (size_t count = groups_of(n); count > 1 && status == PH_OK;
         count = groups_of(count), from = 1 - from) {
        const uint64_t parts = count;
        call.arguments = 0;
        ARGUMENT(&call, r->partial[from]);
        ARGUMENT(&call, parts);
        ARGUMENT(&call, r->partial[1 - from]);
        status = ph_device_launch(&call, count, DEVICE_GROUP);
    }
    return status == PH_OK
               ? ph_device_read(d, r->partial[from], 0, PARTIALS * sizeof *result, result)
               : status;
}

ph_status ph_device_reduce(ph_device_bodies *b, const ph_device_reduction *reduction,
                           ph_device_statistics *out, uint64_t *counts)
{
    if (ANY_NULL(b, reduction, out))
        return PH_NULL_ARGUMENT;
    if (reduction->expression == NULL || (reduction->bins > 0 && counts == NULL))
        return PH_NULL_ARGUMENT;
    if (reduction->bins > 0 &&
        !(reduction->low < reduction->high && isfinite(reduction->high - reduction->low)))
        return PH_BAD_PARAMETER;
    if (reduction->bins >= UINT32_MAX)
        return PH_NO_MEMORY;
    ph_device *d = b->device;
    const size_t count = reduction->bins + 1; /* and of values that are not finite */
    room r = {0};
    double result[PARTIALS];
    if (b->n == 0) {
        *out = (ph_device_statistics){0};
        return PH_OK;
    }
    ph_status status = make_room(d, &r, b->n, count);
    if (status == PH_OK)
        status = reduce_all(b, reduction, &r);
    if (status == PH_OK)
        status = combine(d, reduction, &r, b->n, result);
    if (status == PH_OK)
        status =
            ph_device_read(d, r.counts, 0, count * sizeof *r.host_counts, r.host_counts);
    if (status == PH_OK) {
        *out = (ph_device_statistics){b->n, r.host_counts[reduction->bins], result[0],
                                      result[1], result[2]};
        for (size_t k = 0; k < reduction->bins; k++)
            counts[k] += r.host_counts[k];
    }
    free_room(d, &r);
    return status;
}
