/* xyz.h - a frame of molecules as extended XYZ, which ASE and OVITO read.
 *
 * The number of bodies, a line with the box (if there is one), the time and the energy,
 * and a line for each body: species (X), pos (3), momenta (3), quaternion (4: w x y z,
 * body to space), angular_momentum (3, body frame).
 */
#ifndef POLHODE_IO_XYZ_H
#define POLHODE_IO_XYZ_H

#include <stdbool.h>

#include "io/outfile.h"
#include "polhode/system.h"

/* Bytes that hold a frame of n bodies. */
size_t xyz_size(size_t n);

/* Writes a frame as one piece, with a buffer of that size. */
void xyz_write(outfile *out, const ph_system *s, double t, double energy, char *buffer);

#endif
