/* bodies.c - bodies in the memory of a device: made, filled, kicked, read back. */
#include "device/bodies.h"
#include "base/arguments.h"

#include <math.h>
#include <stdlib.h>

/* Of an array that no number of bodies needs more of: those of advance.cl. */
enum { BYTES_LEFT = sizeof(uint32_t), BYTES_PER_BODY = BODY_ARRAYS * 8 + 2 * BYTES_LEFT };

/* The part of a device's memory that bodies may take: the rest is for what else is there. */
static const double MEMORY_PART = 0.8;

/* ---- memory ---------------------------------------------------------------------- */

ph_status ph_device_memory(ph_device *d, size_t bytes, cl_memory *out)
{
    int32_t error;
    cl_memory memory =
        d->cl.clCreateBuffer(d->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    const ph_status status = ph_device_check(d, "clCreateBuffer", error);
    if (status == PH_OK)
        *out = memory;
    return status;
}

void ph_device_release(ph_device *d, cl_memory memory)
{
    if (memory != NULL)
        (void)d->cl.clReleaseMemObject(memory);
}

ph_status ph_device_write(ph_device *d, cl_memory to, size_t offset, size_t bytes,
                          const void *from)
{
    if (bytes == 0)
        return PH_OK;
    return ph_device_check(
        d, "clEnqueueWriteBuffer",
        d->cl.clEnqueueWriteBuffer(d->queue, to, 1, offset, bytes, from, 0, NULL, NULL));
}

ph_status ph_device_read(ph_device *d, cl_memory from, size_t offset, size_t bytes,
                         void *to)
{
    if (bytes == 0)
        return PH_OK;
    return ph_device_check(
        d, "clEnqueueReadBuffer",
        d->cl.clEnqueueReadBuffer(d->queue, from, 1, offset, bytes, to, 0, NULL, NULL));
}

/* ---- bodies ---------------------------------------------------------------------- */

size_t ph_device_most_bodies(const ph_device *d)
{
    const double by_memory = MEMORY_PART * (double)d->info.memory / BYTES_PER_BODY,
                 by_array = (double)d->info.largest / (double)sizeof(double),
                 by_number = (double)(UINT32_MAX - 2 * DEVICE_GROUP);
    const double most = by_memory < by_array ? by_memory : by_array;
    return (size_t)(most < by_number ? most : by_number);
}

/* The arrays of the caller's, in the order of ours; moments are not written to. */
typedef union caller_array {
    const double *read;
    double *write;
} caller_array;

static caller_array array_of(const ph_batch *b, int k)
{
    return k < BODY_J ? (caller_array){.write = k < BODY_M ? b->q[k] : b->m[k - BODY_M]}
                      : (caller_array){.read = b->J[k - BODY_J]};
}

static ph_status in_callers_memory(ph_device *d, size_t bytes, double *x, cl_memory *out)
{
    int32_t error;
    cl_memory memory = d->cl.clCreateBuffer(
        d->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, x, &error);
    const ph_status status = ph_device_check(d, "clCreateBuffer", error);
    if (status == PH_OK)
        *out = memory;
    return status;
}

static ph_status make_arrays(ph_device_bodies *b, const ph_batch *in_place)
{
    ph_device *d = b->device;
    ph_status status = PH_OK;
    const size_t bytes = b->capacity * sizeof(double);
    for (int k = 0; k < BODY_ARRAYS && status == PH_OK; k++) {
        if (in_place != NULL && d->info.shares_memory && k < BODY_TIME)
            status =
                in_callers_memory(d, bytes, array_of(in_place, k).write, &b->array[k]);
        else
            status = ph_device_memory(d, bytes, &b->array[k]);
    }
    if (status == PH_OK)
        status = ph_device_memory(d, b->capacity * BYTES_LEFT, &b->left);
    if (status == PH_OK) /* with a head of two numbers */
        status =
            ph_device_memory(d, (b->capacity + DEVICE_LIST_HEAD) * BYTES_LEFT, &b->list);
    return status;
}

ph_status ph_device_bodies_new(ph_device *d, size_t n, const ph_batch *in_place,
                               ph_device_bodies **out)
{
    if (d == NULL || out == NULL)
        return PH_NULL_ARGUMENT;
    if (n > UINT32_MAX - 2 * DEVICE_GROUP)
        return PH_NO_MEMORY;
    ph_device_bodies *b = calloc(1, sizeof *b);
    if (b == NULL)
        return PH_NO_MEMORY;
    b->device = d;
    b->capacity = n > 0 ? n : 1;
    const ph_status status = make_arrays(b, n > 0 ? in_place : NULL);
    if (status != PH_OK) {
        ph_device_bodies_free(b);
        return status;
    }
    *out = b;
    return PH_OK;
}

void ph_device_bodies_free(ph_device_bodies *b)
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
    ph_status status = from->n <= b->capacity ? PH_OK : PH_NO_MEMORY;
    for (int k = 0; k < BODY_TIME && status == PH_OK; k++)
        status = ph_device_write(b->device, b->array[k], 0, from->n * sizeof(double),
                                 array_of(from, k).read);
    if (status == PH_OK) {
        b->n = from->n;
        b->first = 0;
    }
    return status;
}

ph_status ph_device_download(ph_device_bodies *b, const ph_batch *to)
{
    if (ANY_NULL(b, to))
        return PH_NULL_ARGUMENT;
    ph_status status = to->n <= b->n ? PH_OK : PH_NO_MEMORY;
    for (int k = 0; k < BODY_J && status == PH_OK; k++)
        status = ph_device_read(b->device, b->array[k], 0, to->n * sizeof(double),
                                array_of(to, k).write);
    return status;
}

void ph_device_arrays(kernel_call *call, const ph_device_bodies *b, int count)
{
    for (int k = 0; k < count; k++)
        ARGUMENT(call, b->array[k]);
}

ph_status ph_device_kick(ph_device_bodies *b, const double *x, const double *y,
                         const double *z, double h)
{
    if (ANY_NULL(b, x, y, z))
        return PH_NULL_ARGUMENT;
    ph_device *d = b->device;
    const double *const torque[3] = {x, y, z};
    const char *const texts[] = {
        "#include \"device/cl/prelude.cl\"\n#include \"device/cl/kick.cl\"", NULL};
    const size_t bytes = b->n * sizeof(double);
    const uint64_t n = b->n;
    cl_memory there = NULL;
    kernel_call call = {.device = d};
    if (!isfinite(h))
        return PH_BAD_STEP;
    if (n == 0)
        return PH_OK;
    ph_status status = ph_device_kernel(d, texts, "kick_all", &call.kernel);
    if (status == PH_OK)
        status = ph_device_memory(d, bytes, &there);
    for (int k = 0; k < 3 && status == PH_OK; k++) {
        status = ph_device_write(d, there, 0, bytes, torque[k]);
        call.arguments = 0;
        ARGUMENT(&call, b->array[BODY_M + k]);
        ARGUMENT(&call, there);
        ARGUMENT(&call, h);
        ARGUMENT(&call, n);
        if (status == PH_OK)
            status = ph_device_launch(&call, b->n, DEVICE_GROUP);
    }
    if (status == PH_OK)
        status = ph_device_check(d, "clFinish", d->cl.clFinish(d->queue));
    ph_device_release(d, there);
    return status;
}
