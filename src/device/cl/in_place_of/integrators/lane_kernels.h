/* lane_kernels.h - in place of src/integrators/lane_kernels.h on a device, where a body is alone. */
#define PROBLEM_KERNELS(name)
#define PROBLEM_LANES(name)
