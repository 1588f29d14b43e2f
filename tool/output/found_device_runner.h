/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_DEVICE
#define PH_DEVICE 1
#endif
/* NOLINTBEGIN(readability-redundant-declaration) */
#if PH_DEVICE
extern const device_runner device_runner_opencl;
#endif
/* NOLINTEND(readability-redundant-declaration) */

static const device_runner *const device_runner_rows[] = {
#if PH_DEVICE
    &device_runner_opencl,
#endif
    NULL,
};
