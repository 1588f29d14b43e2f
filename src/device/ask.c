/* ask.c - bodies drawn on a device from their numbers, and reduced there to a few numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/bodies.h"

ph_status ph_device_draw(ph_device_bodies *b, const char *source, uint64_t first,
                         size_t n)
{
    ph_device *d = b->device;
    const char *const texts[] = {"#include \"device/cl/prelude.cl\"\n"
                                 "#include \"device/cl/random.cl\"",
                                 source, "#include \"device/cl/draw.cl\"", NULL};
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

/* ---- questions ------------------------------------------------------------------- */

enum { PARTIALS = 3 }; /* sums, leasts and mosts */

/* Room for the partial results of all bodies, of groups of them, and for counts. */
typedef struct room {
    cl_memory partial[2][PARTIALS];
    cl_memory counts;
    uint32_t *host_counts;
} room;

static size_t groups_of(size_t n)
{
    return (n + DEVICE_GROUP - 1) / DEVICE_GROUP;
}

static ph_status make_room(ph_device *d, room *r, size_t n, size_t counts)
{
    ph_status status = PH_OK;
    const size_t groups = groups_of(n), size[2] = {groups, groups_of(groups)};
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < PARTIALS && status == PH_OK; k++)
            status =
                ph_device_memory(d, size[side] * sizeof(double), &r->partial[side][k]);
    }
    r->host_counts = calloc(counts, sizeof *r->host_counts);
    if (status == PH_OK && r->host_counts == NULL)
        status = PH_NO_MEMORY;
    if (status == PH_OK)
        status = ph_device_memory(d, counts * sizeof *r->host_counts, &r->counts);
    if (status == PH_OK)
        status = ph_device_write(d, r->counts, 0, counts * sizeof *r->host_counts,
                                 r->host_counts);
    return status;
}

static void free_room(ph_device *d, room *r)
{
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < PARTIALS; k++)
            ph_device_release(d, r->partial[side][k]);
    }
    ph_device_release(d, r->counts);
    free(r->host_counts);
}

#define BEFORE_EXPRESSION                                                                \
    "\nstatic double value_of(ulong i, ph_quat q, ph_vec3 m, ph_vec3 J)\n{\n    return "

/* The program of a question. */
static ph_status kernel_of(ph_device *d, const ph_device_question *question,
                           const char *name, cl_kernel *out)
{
    const char *const texts[] = {"#include \"device/cl/prelude.cl\"\n"
                                 "#include \"device/cl/random.cl\"",
                                 question->source == NULL ? "" : question->source,
                                 BEFORE_EXPRESSION,
                                 question->expression,
                                 ";\n}\n",
                                 "#include \"device/cl/ask.cl\"",
                                 NULL};
    return ph_device_kernel(d, texts, name, out);
}

/* The first launch: values, their partial results, counts. */
static ph_status ask_all(ph_device_bodies *b, const ph_device_question *question, room *r)
{
    const uint64_t n = b->n;
    const uint32_t bins = (uint32_t)question->bins;
    kernel_call call = {.device = b->device};
    const ph_status status = kernel_of(b->device, question, "ask", &call.kernel);
    if (status != PH_OK)
        return status;
    ph_device_arrays(&call, b, BODY_TIME);
    ARGUMENT(&call, b->first);
    ARGUMENT(&call, n);
    ARGUMENT(&call, question->low);
    ARGUMENT(&call, question->high);
    ARGUMENT(&call, bins);
    for (int k = 0; k < PARTIALS; k++)
        ARGUMENT(&call, r->partial[0][k]);
    ARGUMENT(&call, r->counts);
    return ph_device_launch(&call, b->n, DEVICE_GROUP);
}

/* The others: partial results of partial results, until one is left on side *side. */
static ph_status combine(ph_device *d, const ph_device_question *question, room *r,
                         size_t n, int *side)
{
    kernel_call call = {.device = d};
    ph_status status = kernel_of(d, question, "combine", &call.kernel);
    for (size_t count = groups_of(n); count > 1 && status == PH_OK;
         count = groups_of(count)) {
        const uint64_t parts = count;
        call.arguments = 0;
        for (int k = 0; k < PARTIALS; k++)
            ARGUMENT(&call, r->partial[*side][k]);
        ARGUMENT(&call, parts);
        for (int k = 0; k < PARTIALS; k++)
            ARGUMENT(&call, r->partial[1 - *side][k]);
        status = ph_device_launch(&call, count, DEVICE_GROUP);
        *side = 1 - *side;
    }
    return status;
}

ph_status ph_device_ask(ph_device_bodies *b, const ph_device_question *question,
                        ph_device_answer *answer, uint64_t *counts)
{
    ph_device *d = b->device;
    const size_t count = question->bins + 1; /* and of values that are not finite */
    room r = {0};
    double result[PARTIALS];
    int side = 0;
    if (b->n == 0) {
        *answer = (ph_device_answer){0};
        return PH_OK;
    }
    ph_status status = make_room(d, &r, b->n, count);
    if (status == PH_OK)
        status = ask_all(b, question, &r);
    if (status == PH_OK)
        status = combine(d, question, &r, b->n, &side);
    for (int k = 0; k < PARTIALS && status == PH_OK; k++)
        status = ph_device_read(d, r.partial[side][k], 0, sizeof(double), &result[k]);
    if (status == PH_OK)
        status =
            ph_device_read(d, r.counts, 0, count * sizeof *r.host_counts, r.host_counts);
    if (status == PH_OK) {
        *answer = (ph_device_answer){b->n, r.host_counts[question->bins], result[0],
                                     result[1], result[2]};
        for (size_t k = 0; k < question->bins; k++)
            counts[k] += r.host_counts[k];
    }
    free_room(d, &r);
    return status;
}
