/* newton.h - in place of src/rotation/newton.h on a device, which has no pointers to functions.
 * src/device/advance.c checks that the number agrees. */
enum { NEWTON_ITERATIONS = 30 };
