/* gauss.cl - the flows `gauss6` to `gauss10`: src/motion/gauss.h, and for the bodies
 * that it leaves, in a program of their own, src/motion/celledoni.c. */
#define FORM ph_celledoni_quaternions
#include "device/cl/semi_exact.cl"
