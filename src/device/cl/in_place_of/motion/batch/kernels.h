/* kernels.h - in place of src/motion/batch/kernels.h on a device, where a body is alone. */
#define BATCH_KERNEL(name)
