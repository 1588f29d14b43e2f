/* records.h - kernels that bring bodies from the caller's records to columns and back. */
#ifndef POLHODE_BATCH_RECORDS_H
#define POLHODE_BATCH_RECORDS_H

#include "base/isa.h"
#include "motion/batch/part.h"

/* Some bodies, in the lanes' order. */
typedef struct batch_columns {
    double q[4][BATCH_BLOCK], m[3][BATCH_BLOCK], J[3][BATCH_BLOCK];
} batch_columns;

/* Fills the columns from at most BATCH_BLOCK records; momenta turned into the body frames. */
typedef void gather_kernel(const ph_batch_strided *from, batch_columns *to);
KERNEL_DECLARE(gather_kernel, batch_gather);

/* Writes the attitudes of the columns to the records, and turns the vectors there from the
 * old attitude to the new. */
typedef void scatter_kernel(const batch_columns *from, const ph_batch_strided *to);
KERNEL_DECLARE(scatter_kernel, batch_scatter);

#endif
