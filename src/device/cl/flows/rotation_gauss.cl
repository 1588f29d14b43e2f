/* rotation_gauss.cl - the flows `rotation_gauss6` to `rotation_gauss10`: src/motion/gauss.h, and for the bodies
 * that it leaves, in a program of their own, src/motion/celledoni.c. */
#define FORM ph_celledoni_matrices
#include "device/cl/semi_exact.cl"
