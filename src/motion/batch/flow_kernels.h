/* Written by scripts/lists. */
/* clang-format off */
#ifndef PH_LAB
#define PH_LAB 0
#endif
#if PH_LAB
#define FLOW_KERNELS_OF_LAB(X) X(gauss) X(rotation_gauss)
#else
#define FLOW_KERNELS_OF_LAB(X)
#endif
#define FLOW_KERNELS(X) X(dmv) X(exact) X(mr) X(sr) FLOW_KERNELS_OF_LAB(X)
