/* device.h - many bodies on a GPU, or on whatever else has a driver for OpenCL.
 *
 * The bodies of a batch live in the memory of the device: uploaded, or generated there from their
 * numbers; advanced by any number of steps; reduced to sums and histograms there; downloaded,
 * or not. A body has the same bits as by batch.h and by a step of one body on the CPU, on
 * every device, whatever its neighbours are: docs/gpu.md says how this is done.
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
 * libOpenCL is looked for when a device is asked for; without it there are no devices. What
 * the device needs is allocated. A device and its bodies are used by one thread at a time.
 */
#ifndef POLHODE_DEVICE_H
#define POLHODE_DEVICE_H

#include "polhode/batch.h"
#include "polhode/ensemble.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices --------------------------------------------------------------------- */

enum { PH_DEVICE_NAME = 128 };

typedef struct ph_device_info {
    char name[PH_DEVICE_NAME], platform[PH_DEVICE_NAME]; /* platform: of which driver */
    uint64_t memory;                                     /* bytes */
    uint64_t largest;                                    /* bytes of its largest array */
    int units;                                           /* compute units */
    bool gpu;              /* a GPU, not a CPU or something else */
    bool shares_memory;    /* with the CPU */
    bool double_precision; /* without it the device is listed, and cannot be opened */
} ph_device_info;

/* Fills info with the devices there are, `count` of them at most; returns how many there
 * are. */
PH_API size_t ph_devices(ph_device_info *info, size_t count);

typedef struct ph_device ph_device;

/* Opens a device by its name, or "any": the first GPU with double precision, else the first
 * device that has it. PH_NO_DEVICE where there is none, PH_NO_MEMORY, PH_DEVICE_FAILED;
 * PH_NULL_ARGUMENT. */
PH_API ph_status ph_device_create(const char *name, ph_device **out);

/* Closes it, after its bodies were freed. NULL is allowed. */
PH_API void ph_device_destroy(ph_device *d);

PH_API const ph_device_info *ph_device_about(const ph_device *d);

/* What the driver said about the last error of this device, such as the messages of its
 * compiler; "" if there was none. Valid until the next error. */
PH_API const char *ph_device_log(const ph_device *d);

/* ---- bodies on a device ---------------------------------------------------------- */

typedef struct ph_device_bodies ph_device_bodies;

/* The most bodies that ph_device_bodies_create() has memory for; less than 2^32. */
PH_API size_t ph_device_most_bodies(const ph_device *d);

/* Memory for n bodies. With a batch of n bodies as `in_place` its arrays, which must last, are
 * used themselves where the device shares memory with the CPU, and then uploads and
 * downloads of this batch copy nothing. PH_NO_MEMORY, PH_DEVICE_FAILED. */
PH_API ph_status ph_device_bodies_create(ph_device *d, size_t n, const ph_batch *in_place,
                                         ph_device_bodies **out);
PH_API void ph_device_bodies_destroy(ph_device_bodies *b);

/* All bodies to the device; attitudes and momenta back from it. As many as there is memory
 * for, or fewer, which then are all there are. */
PH_API ph_status ph_device_upload(ph_device_bodies *b, const ph_batch *from);
PH_API ph_status ph_device_download(ph_device_bodies *b, const ph_batch *to);

/* m += h (x, y, z), as ph_batch_kick(). */
PH_API ph_status ph_device_kick(ph_device_bodies *b, const double *x, const double *y,
                                const double *z, double h);

/* ---- steps ----------------------------------------------------------------------- */

/* What is to be done with bodies; what is left out is 0 or NULL. */
typedef struct ph_device_run {
    ph_integrator integrator; /* a flow, composed or not, or a scheme with one */
    bool timed; /* with a flow: each body over a time of its own, not step and steps, */
    const double
        *times; /* which are these, or if NULL those the bodies were generated with */
    double start, step; /* the time of the first step, and the length of each */
    uint64_t steps,
        first_step; /* how many; the number of the first, at start + first_step step */
    uint64_t steps_per_launch; /* at most; 0: as many as take a fraction of a second */

    /* The field of a problem of the library, with its parameters; those of each body where
     * `each` has an array for that place of its value[]. NULL: free bodies. */
    const ph_problem *field;
    const double *const *each; /* PH_PARAMETER_VALUES of them, each an array or NULL */
    /* The principal axes of each body in its frame, as the field sees it: four arrays of quaternions'
     * components. The states are those in principal axes. NULL: the frame is the principal one. */
    const double *const *axes;
    /* A torque of your own, in C: the definition of
     *     static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
     * as in src/integrators/problems, which it then replaces; with a scheme that needs its derivative,
     * also that of `static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)`. */
    const char *torque;

    ph_batch_observer *observer; /* between launches; or NULL */
    void *context;
} ph_device_run;

/* PH_OK, or PH_NOT_APPLICABLE for an integrator or a field that devices do not have. */
PH_API ph_status ph_device_applies(const ph_device_run *run);

/* Advances all bodies. The result is that of ph_batch_run(): a body that fails stays at
 * the beginning of the step that failed, the others are advanced to the end. Also
 * PH_NOT_APPLICABLE, PH_BAD_STEP (the step is not finite), PH_BAD_TIME (the start is not finite),
 * PH_NO_MEMORY, PH_DEVICE_BUILD and PH_DEVICE_FAILED: then of body 0, and the bodies on the device
 * are lost where it says PH_DEVICE_FAILED. */
PH_API ph_batch_result ph_device_advance(ph_device_bodies *b, const ph_device_run *run);

/* Bodies of the last ph_device_advance() that took the longer way: those for which a
 * kernel's formulas do not hold, done on the device as well. */
PH_API size_t ph_device_fallbacks(const ph_device_bodies *b);

/* ---- ensembles ------------------------------------------------------------------------ */

/* PH_OK, or PH_NOT_APPLICABLE for a body that devices do not move as one of an ensemble: they take
 * dop853, and schemes over flows at fixed steps, in problems of the catalog without tables and of
 * expressions. */
PH_API ph_status ph_device_takes(ph_system *s);

/* ph_ensemble_run() with the steps taken on a device, to the same bits. Bodies are seen by several
 * threads. `o` may be NULL. Also PH_NOT_APPLICABLE for the first body, PH_NO_MEMORY, PH_DEVICE_BUILD and
 * PH_DEVICE_FAILED: then bodies are where they were seen last. */
PH_API ph_status ph_device_run_ensemble(ph_device *d, ph_ensemble *e, double until,
                                        const ph_ensemble_observer *o);

/* ---- bodies from their numbers, and what is computed from them ------------------------ */

/* Fills the memory with n bodies, generated from their numbers `first` on by your function in C,
 *
 *     static void generate(ulong i, ph_state *s, ph_vec3 *J, double *time)
 *
 * which may call `random_number(i, k)`: number k, from 0 to 15, of body i, uniform in [0, 1):
 * member 16 i + k of splitmix64 begun at 0. */
PH_API ph_status ph_device_generate(ph_device_bodies *b, const char *source,
                                    uint64_t first, size_t n);

/* A value of every body, and how it is reduced. */
typedef struct ph_device_reduction {
    /* Of each body: an expression in C of the number i, the attitude q (q.w, q.x, q.y, q.z),
     * the momentum m and the moments J (m.x, ...), such as PH_DEVICE_ENERGY; and what it
     * calls, if that is not NULL: definitions of static functions, such as generate(). */
    const char *expression, *source;
    double low, high; /* of the histogram; what lies outside counts in its ends */
    size_t bins;      /* 0: none */
} ph_device_reduction;

#define PH_DEVICE_ENERGY         "0.5 * dot(m, over(m, J))"
#define PH_DEVICE_SPACE_MOMENTUM "rotate(q, m)" /* followed by .x, .y or .z */

typedef struct ph_device_statistics {
    size_t n,
        not_finite; /* bodies; and those whose value is not finite, left out below */
    double sum;     /* in a fixed order: sums of 64 neighbours, then of 64 of these... */
    double least, most;
} ph_device_statistics;

/* Reduces the bodies on the device. counts[bins], if there are bins, is added to.
 * PH_BAD_PARAMETER unless low < high, both finite, if there are bins. */
PH_API ph_status ph_device_reduce(ph_device_bodies *b,
                                  const ph_device_reduction *reduction,
                                  ph_device_statistics *out, uint64_t *counts);

#ifdef __cplusplus
}
#endif

#endif
