/* device.h - many bodies on a GPU, or on another device with an OpenCL driver.
 *
 * The bodies of a batch are in the memory of the device. The caller uploads them, or a function on
 * the device generates them from their numbers. The device advances them by any number of steps
 * and reduces them to sums and histograms; the caller may download them.
 *
 * The result for a body is bitwise identical to that of batch.h and of a single step on the CPU,
 * on every device. docs/gpu.md explains how.
 *
 *     ph_device *gpu;
 *     ph_device_bodies *bodies;
 *     ph_status status = ph_device_create("any", &gpu);
 *     if (status == PH_OK)
 *         status = ph_device_bodies_create(gpu, n, NULL, &bodies);
 *     if (status == PH_OK)
 *         status = ph_device_upload(bodies, &batch);
 *     if (status == PH_OK)
 *         status = ph_device_advance(bodies, &(ph_device_run){.integrator = {.flow = exact},
 *                                    .step = 0.1, .steps = 1000}).status;
 *     if (status == PH_OK)
 *         status = ph_device_download(bodies, &batch);
 *     ph_device_bodies_destroy(bodies);
 *     ph_device_destroy(gpu);
 *
 * The library loads libOpenCL when a program asks for a device; without it there are no devices.
 * Only one thread at a time may use a device and its bodies.
 *
 * Every function that uses a device may return PH_NO_MEMORY if memory runs out, PH_DEVICE_BUILD if
 * the compiler of the device rejects a program, and PH_DEVICE_FAILED if the driver reports another
 * error. ph_device_log() then returns what the driver said.
 */
#ifndef POLHODE_DEVICE_H
#define POLHODE_DEVICE_H

#include "polhode/batch.h"
#include "polhode/ensemble.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices --------------------------------------------------------------------- */

/* The size of the name of a device, in bytes. */
enum { PH_DEVICE_NAME = 128 };

/* The description of a device. */
typedef struct ph_device_info {
    /* The name of the device, and the name of its driver. */
    char name[PH_DEVICE_NAME], platform[PH_DEVICE_NAME];
    uint64_t memory;       /* size of the memory in bytes */
    uint64_t largest;      /* size of the largest possible array in bytes */
    int units;             /* number of compute units */
    bool gpu;              /* true for a GPU, false for a CPU or another device */
    bool shares_memory;    /* the device and the CPU share memory */
    bool double_precision; /* without it the device cannot be opened */
} ph_device_info;

/* Stores the descriptions of up to `count` devices in info and returns the number of devices. It
 * is 0 if there is no libOpenCL. */
PH_API size_t ph_devices(ph_device_info *info, size_t count);

/* An open device. Its members are private to the library. */
typedef struct ph_device ph_device;

/* Opens the device called `name` and stores it in *out. The name "any" means the first GPU with
 * double precision, else the first device with double precision. Close the device with
 * ph_device_destroy().
 *
 * Returns PH_OK, or PH_NO_DEVICE if there is no such device with double precision. Returns
 * PH_NO_MEMORY or PH_DEVICE_FAILED if it cannot be opened. On failure *out is unchanged. */
PH_API ph_status ph_device_create(const char *name, ph_device **out);

/* Closes a device. Destroy its ph_device_bodies first. `d` may be NULL. */
PH_API void ph_device_destroy(ph_device *d);

/* Returns the description of an open device. It is valid until the device is closed. */
PH_API const ph_device_info *ph_device_about(const ph_device *d);

/* Returns what the driver said about the last error of the device, such as the messages of its
 * compiler, or "" if there was no error. The string is valid until the next error. */
PH_API const char *ph_device_log(const ph_device *d);

/* ---- bodies on a device ---------------------------------------------------------- */

/* Bodies in the memory of a device. Its members are private to the library. */
typedef struct ph_device_bodies ph_device_bodies;

/* Returns the largest number of bodies for which the device has memory. It is below 2^32. */
PH_API size_t ph_device_most_bodies(const ph_device *d);

/* Allocates memory for n bodies on a device and stores it in *out. Free it with
 * ph_device_bodies_destroy().
 *
 * `in_place` may be NULL. If it is a batch of n bodies and the device shares memory with the CPU,
 * the device uses the arrays of the batch themselves. They must then stay valid, and uploads and
 * downloads of this batch copy nothing.
 *
 * Returns PH_OK, PH_NO_MEMORY or PH_DEVICE_FAILED, and PH_NULL_ARGUMENT if the bodies of
 * `in_place` share their moments. On failure *out is unchanged. */
PH_API ph_status ph_device_bodies_create(ph_device *d, size_t n, const ph_batch *in_place,
                                         ph_device_bodies **out);

/* Frees the memory of bodies on a device. `b` may be NULL. */
PH_API void ph_device_bodies_destroy(ph_device_bodies *b);

/* Replaces the bodies on the device by the from->n bodies of a batch. Returns PH_OK,
 * PH_NO_MEMORY if from->n exceeds the allocated number, PH_NULL_ARGUMENT if the bodies share their
 * moments, or PH_DEVICE_FAILED. */
PH_API ph_status ph_device_upload(ph_device_bodies *b, const ph_batch *from);

/* Copies the attitudes and momenta of the first to->n bodies to a batch. Returns PH_OK,
 * PH_NO_MEMORY if the device has fewer bodies, or PH_DEVICE_FAILED. */
PH_API ph_status ph_device_download(ph_device_bodies *b, const ph_batch *to);

/* Adds h (x, y, z) to the momenta of all bodies, as ph_batch_kick() does. Returns PH_OK,
 * PH_BAD_STEP if h is not finite, or a status of the device. */
PH_API ph_status ph_device_kick(ph_device_bodies *b, const double *x, const double *y,
                                const double *z, double h);

/* ---- steps ----------------------------------------------------------------------- */

/* A run of ph_device_advance(). Members that are not used are 0 or NULL. */
typedef struct ph_device_run {
    ph_integrator integrator; /* a flow, composed or not, or a scheme with a flow */
    /* If true, each body advances by its own time with a flow; `step` and `steps` are
     * ignored. */
    bool timed;
    /* The times of the bodies, or NULL for the times with which they were generated. */
    const double *times;
    /* Step number n, counted from first_step, begins at the time start + n step. */
    double start, step;
    uint64_t steps, first_step; /* number of steps, and number of the first */
    /* Largest number of steps of a kernel launch; 0: about a fraction of a second. */
    uint64_t steps_per_launch;

    /* A problem of the library whose field acts on the bodies, or NULL for free bodies. */
    const ph_problem *field;
    /* PH_PARAMETER_VALUES pointers. Each is an array with the parameter value of every body, or
     * NULL for the value of the problem. */
    const double *const *each;
    /* The principal axes of each body in its body frame: four arrays with the components of the
     * quaternions. The states are in principal axes. NULL if the body frame is the principal
     * frame. */
    const double *const *axes;
    /* The source, in C, of a torque of your own, which replaces the torque of the problem:
     *
     *     static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
     *
     * For a scheme that needs the derivative of the torque the source also has this function:
     *
     *     static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
     *
     * The files in src/integrators/problems are examples. */
    const char *torque;

    ph_batch_observer *observer; /* called between launches, unless NULL */
    void *context;               /* passed to the observer */
} ph_device_run;

/* Checks whether devices support the integrator and the field of a run. Returns PH_OK or
 * PH_NOT_APPLICABLE. */
PH_API ph_status ph_device_applies(const ph_device_run *run);

/* Advances all bodies on a device. A body that fails stays at the beginning of the step that
 * failed; the others advance to the end.
 *
 * Returns the result as ph_batch_run() does. Its status is PH_NOT_APPLICABLE if devices do not
 * support the run, PH_BAD_STEP if the step is not finite, and PH_BAD_TIME if the start is not
 * finite. It may also be PH_NO_MEMORY, PH_DEVICE_BUILD or PH_DEVICE_FAILED. In these cases
 * `failed` is 0. After PH_DEVICE_FAILED the bodies on the device are lost. */
PH_API ph_batch_result ph_device_advance(ph_device_bodies *b, const ph_device_run *run);

/* Returns the number of bodies that the last ph_device_advance() advanced by the general kernel,
 * since the formulas of the fast kernel do not hold for them. */
PH_API size_t ph_device_fallbacks(const ph_device_bodies *b);

/* ---- ensembles ------------------------------------------------------------------------ */

/* Checks whether devices can run a body of an ensemble. Returns PH_OK or PH_NOT_APPLICABLE.
 * Devices support `dop853`, and schemes of flows with fixed steps. The problem must be a problem
 * of the catalog without tables, or a problem given by expressions. */
PH_API ph_status ph_device_takes(ph_system *s);

/* Runs an ensemble as ph_ensemble_run() does, with the steps taken on a device. The results are
 * bitwise identical. `o` may be NULL; several threads call its functions.
 *
 * Returns the statuses of ph_ensemble_run(). Returns PH_NOT_APPLICABLE if devices do not support
 * the first body. Returns PH_NO_MEMORY, PH_DEVICE_BUILD or PH_DEVICE_FAILED if the device fails;
 * each body is then at the time at which it was last observed. */
PH_API ph_status ph_device_run_ensemble(ph_device *d, ph_ensemble *e, double until,
                                        const ph_ensemble_observer *o);

/* ---- generated bodies and reductions -------------------------------------------------- */

/* Generates n bodies on a device from their numbers first, first + 1 and so on. `source` is the
 * text of a function of yours in C:
 *
 *     static void generate(ulong i, ph_state *s, ph_vec3 *J, double *time)
 *
 * It may call random_number(i, k), which returns random number k (0 to 15) of body i, uniform in
 * [0, 1). This is member 16 i + k of the sequence splitmix64 with the seed 0.
 *
 * Returns PH_OK, PH_NO_MEMORY if n exceeds the allocated number, PH_DEVICE_BUILD if the source
 * does not compile, or PH_DEVICE_FAILED. */
PH_API ph_status ph_device_generate(ph_device_bodies *b, const char *source, uint64_t first,
                                    size_t n);

/* A quantity of every body, and its histogram. */
typedef struct ph_device_reduction {
    /* `expression` is an expression in C, such as PH_DEVICE_ENERGY. It may use the number i, the
     * attitude q (q.w, q.x, q.y, q.z), the momentum m (m.x, m.y, m.z) and the moments J of a
     * body. `source` defines the static functions that it calls, or is NULL. */
    const char *expression, *source;
    /* The range of the histogram. Values outside count in the first or the last bin. */
    double low, high;
    size_t bins; /* 0 for no histogram */
} ph_device_reduction;

/* Expressions of the kinetic energy, and of the angular momentum in space. The latter is a vector:
 * append .x, .y or .z. */
#define PH_DEVICE_ENERGY         "0.5 * dot(m, over(m, J))"
#define PH_DEVICE_SPACE_MOMENTUM "rotate(q, m)"

/* The result of a reduction. */
typedef struct ph_device_statistics {
    size_t n, not_finite; /* number of bodies, and of values that are not finite */
    /* The sum of the finite values, in a fixed order: first sums of 64 neighbours, then sums of 64
     * of these sums, and so on. */
    double sum;
    double least, most; /* smallest and largest finite value */
} ph_device_statistics;

/* Reduces the bodies on a device: stores the statistics of a quantity in *out and adds its
 * histogram to `counts`, an array of reduction->bins numbers. `counts` may be NULL if there are no
 * bins.
 *
 * Returns PH_OK. Returns PH_BAD_PARAMETER if the range of the histogram is empty or not finite.
 * Returns PH_NO_MEMORY, PH_DEVICE_BUILD or PH_DEVICE_FAILED if the device fails. On failure *out
 * and counts are unchanged. */
PH_API ph_status ph_device_reduce(ph_device_bodies *b, const ph_device_reduction *reduction,
                                  ph_device_statistics *out, uint64_t *counts);

#ifdef __cplusplus
}
#endif

#endif
