/* graph.h - curves, bands, bars and maps in one or more panels, as a gnuplot script. */
#ifndef POLHODE_IO_GRAPH_H
#define POLHODE_IO_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/script.h"

typedef enum graph_look {
    GRAPH_MARKED, /* lines with a mark at every point */
    GRAPH_LINE,   /* lines */
    GRAPH_POINTS, /* marks alone */
    GRAPH_DOTS,   /* small marks alone, for many of them */
    GRAPH_BAND,   /* filled from y to high */
    GRAPH_BARS,   /* one bar a curve, its name below it */
    GRAPH_MAP,    /* colours over x and y, the values in high; one curve */
} graph_look;

/* Points that are not finite (on a logarithmic axis: not positive) interrupt a curve. */
typedef struct graph_point {
    double x, y, high;
} graph_point;

/* How a curve looks: one of the colours that stay apart for the colour-blind and one of
 * the dashes, both counted from 0 and taken round and round; pale from 0 to 1; gnuplot's
 * number of a mark, and its size, 0 being the usual one. */
typedef struct graph_style {
    size_t hue;
    double pale;
    size_t dash;
    int mark;
    double size;
} graph_style;

typedef struct graph_curve {
    const char *name; /* in the legend, once for all panels */
    graph_style style;
    size_t count;
    const graph_point *point;
} graph_curve;

typedef struct graph_range {
    double low, high;
} graph_range;

typedef struct graph_panel {
    const char *title, *xlabel, *ylabel;
    const char *zlabel; /* of a map */
    graph_look look;
    bool log_x, log_y;
    graph_range x, y;  /* equal: what the points need */
    graph_range z;     /* of a map: values beyond are shown like the nearest */
    double floor;      /* below it all is round-off; 0: nowhere */
    const int *slopes; /* lines of these slopes are drawn, up to a 0; NULL: none */
    size_t curves;
    const graph_curve *curve;
} graph_panel;

typedef struct graph {
    const char *title;
    size_t columns; /* panels beside each other */
    size_t panels;
    const graph_panel *panel;
} graph;

/* The i-th of several curves as one tells them apart best. */
graph_style graph_style_at(size_t i);

/* Writes the script; false if that failed. */
bool graph_write(FILE *script, plot_format format, const graph *g);

#endif
