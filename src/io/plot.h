/* plot.h - a free motion as a picture: the paths of the principal axes, and the
 * polhode. */
#ifndef POLHODE_IO_PLOT_H
#define POLHODE_IO_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "io/curves.h"
#include "io/script.h"
#include "polhode/polhode.h"

/* Writes the gnuplot script that draws the motion from time `begin` to `end` in two
 * panels: on the unit sphere in space, where the three principal axes point; and, on the
 * ellipsoid w . J w = 2 T in the body, the path of the angular velocity w. The motion is
 * sampled as finely as the picture needs; of a very long one only the beginning is drawn,
 * and the picture says so. False without memory, or if the script could not be written.
 */
bool plot_motion(FILE *script, plot_format format, const ph_body *body,
                 const ph_motion *motion, double begin, double end);

/* The same of curves that were sampled elsewhere, of a numerical motion say. */
bool plot_curves(FILE *script, plot_format format, const ph_body *body,
                 const curves *drawn);

#endif
