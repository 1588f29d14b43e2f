/* part.h - some of many bodies. */
#pragma once

#include "base/arguments.h"
#include "base/parallel.h"
#include "polhode/batch.h"

/* Bodies that one thread does at a time: their arrays fit into a first-level cache. */
enum { BATCH_BLOCK = 256 };

/* Whether there are all arrays of a batch that has bodies. */
static inline bool batch_is_whole(const ph_batch *b)
{
    return b != NULL &&
           (b->n == 0 || !ANY_NULL(b->q[0], b->q[1], b->q[2], b->q[3], b->m[0], b->m[1],
                                   b->m[2], b->J[0], b->J[1], b->J[2]));
}

/* The bodies from the first on, n of them or as many as there are. */
static inline ph_batch batch_part(const ph_batch *b, size_t first, size_t n)
{
    return (ph_batch){
        b->n - first < n ? b->n - first : n,
        {b->q[0] + first, b->q[1] + first, b->q[2] + first, b->q[3] + first},
        {b->m[0] + first, b->m[1] + first, b->m[2] + first},
        {b->J[0] + first, b->J[1] + first, b->J[2] + first},
    };
}

/* The first body of a batch that failed; n and PH_OK if none did. */
typedef struct failure {
    size_t index;
    ph_status status;
} failure;

/* What one of several threads has to say of its bodies. */
static inline void note_failure(failure *first, failure f)
{
    if (f.status == PH_OK)
        return;
    ph_parallel_lock();
    if (f.index < first->index)
        *first = f;
    ph_parallel_unlock();
}
