/* kernels.h - the kernels for many bodies, and how a flow offers one.
 *
 * A kernel is a file of the folder kernels, named after its flow or the first of several,
 * with one function of the type of ph_flow.batch. The flow's file says
 *
 *     BATCH_KERNEL(mr)
 *     ... .batch = batch,
 */
#pragma once

#include "base/isa.h"
#include "polhode/batch.h"

typedef void batch_kernel(const ph_flow *flow, const ph_batch *b, const double *h,
                          bool h_each, unsigned char *not_done);

/* The function `batch`: the kernel for the instruction set of this machine. */
#define BATCH_KERNEL(name)                                                               \
    KERNEL_DECLARE(batch_kernel, batch_##name);                                          \
    static void batch(const ph_flow *flow, const ph_batch *b, const double *h,           \
                      bool h_each, unsigned char *not_done)                              \
    {                                                                                    \
        static batch_kernel *const sets[ISA_COUNT] = KERNEL_TABLE(batch_##name);         \
        sets[ph_isa()](flow, b, h, h_each, not_done);                                    \
    }
