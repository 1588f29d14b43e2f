/* part.h - many bodies, some at a time. */
#pragma once

#include "base/arguments.h"
#include "base/array.h"
#include "polhode/batch.h"

/* Bodies that one thread does at a time: their arrays fit into a first-level cache. */
enum { BATCH_BLOCK = 256 };

/* Whether all bodies have the same moments, which are then the three numbers from J[0] on. */
static inline bool batch_shares_moments(const ph_batch *b)
{
    return b->J[1] == NULL && b->J[2] == NULL;
}

/* The moments of body i. */
static inline ph_vec3 batch_moments(const ph_batch *b, size_t i)
{
    if (batch_shares_moments(b))
        return (ph_vec3){b->J[0][0], b->J[0][1], b->J[0][2]};
    return (ph_vec3){b->J[0][i], b->J[1][i], b->J[2][i]};
}

/* Returns PH_OK if there are all arrays of a batch that has bodies, else PH_NULL_ARGUMENT, or
 * PH_NO_MEMORY for a number of bodies that no array can have. */
static inline ph_status batch_check(const ph_batch *b)
{
    if (b == NULL ||
        (b->n > 0 &&
         ANY_NULL(b->q[0], b->q[1], b->q[2], b->q[3], b->m[0], b->m[1], b->m[2], b->J[0])) ||
        (b->n > 0 && (b->J[1] == NULL) != (b->J[2] == NULL)))
        return PH_NULL_ARGUMENT;
    return ok_if(array_possible(b->n, sizeof(double)), PH_NO_MEMORY);
}

/* The bodies from the first on, n of them or as many as there are. */
static inline ph_batch batch_part(const ph_batch *b, size_t first, size_t n)
{
    ph_batch part = {
        smaller_size(b->n - first, n),
        {b->q[0] + first, b->q[1] + first, b->q[2] + first, b->q[3] + first},
        {b->m[0] + first, b->m[1] + first, b->m[2] + first},
        {b->J[0], NULL, NULL},
    };
    for (int k = 0; k < 3 && !batch_shares_moments(b); k++)
        part.J[k] = b->J[k] + first;
    return part;
}

/* A kernel, as ph_flow.batch. */
typedef void batch_kernel(const ph_flow *flow, const ph_batch *b, const double *h, bool h_each,
                          unsigned char *not_done);

/* That of a flow of the library, or of a copy with its step, for the instruction set of this
 * machine; NULL if it has none. */
batch_kernel *ph_flow_kernel(const ph_flow *flow);

/* The first body that failed, at the step, from 0, that failed; n and PH_OK if none did. */
typedef struct failure {
    size_t index;
    ph_status status;
    uint64_t step;
} failure;

/* Takes n bodies from `start` on, which are one block, and counts from there in what it
 * returns. */
typedef failure block_function(void *context, size_t start, size_t n);

/* All blocks of n bodies, shared among threads if that is worth it, or `always`. */
failure ph_batch_blocks(size_t n, bool always, block_function *block, void *context);

/* Advances the bodies by h with the flow of an integrator, or the composition of it. If a
 * body fails, *failed (if not NULL) is its index and its status is returned: the bodies
 * before it are advanced all the same, those after it perhaps by a part of h. */
ph_status ph_batch_drift(const ph_integrator *i, const ph_batch *b, double h, size_t *failed);
