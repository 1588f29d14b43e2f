/* work_plot.h - work and precision of several methods as a picture. */
#ifndef POLHODE_IO_WORK_PLOT_H
#define POLHODE_IO_WORK_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/graph.h"

typedef struct work_point {
    double step, error, seconds; /* an error that is not finite: no point */
} work_point;

typedef struct work_curve {
    const char *method; /* of a family: the letters its name begins with */
    int order;          /* 0: exact */
    size_t count;
    const work_point *point;
} work_curve;

/* How one of several methods looks: colour and dashes tell the family (solid, dotted,
 * dashed, dash-dotted in the order of their first members), the marks the order. */
graph_style work_style(const work_curve *curves, size_t count, size_t i);

/* Writes the gnuplot script: the error against the step, with lines of the orders'
 * slopes, and against the computing time, both logarithmic. Below `floor` errors are
 * round-off. False if the script could not be
 * written. */
bool work_plot(FILE *script, plot_format format, const char *title,
               const work_curve *curves, size_t count, double floor);

#endif
