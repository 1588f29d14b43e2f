/* motion_plot.h - a free motion as a picture: the paths of the principal axes, and the
 * polhode. */
#ifndef POLHODE_IO_MOTION_PLOT_H
#define POLHODE_IO_MOTION_PLOT_H

#include "io/plot.h"
#include "polhode/polhode.h"

/* Writes the gnuplot script that draws the motion from time `begin` to `end` (see
 * plot/motion.gp). The motion is sampled as finely as the picture needs; of a very long
 * one only the beginning is drawn, and the picture says so. False if the script could not
 * be written. */
bool motion_plot(FILE *script, plot_format format, const ph_body *body,
                 const ph_motion *motion, double begin, double end);

#endif
