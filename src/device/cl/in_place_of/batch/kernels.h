/* kernels.h - in place of src/batch/kernels.h on a device, where a body is alone. */
#define BATCH_KERNEL(name)
