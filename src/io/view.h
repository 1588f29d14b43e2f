/* view.h - curves on an ellipsoid, seen from far away, as data for gnuplot.
 *
 * A point of the ellipsoid is kept as a unit vector u and lies at semi u, componentwise;
 * its normal is u / semi, which tells whether it is in front or behind. The projection is
 * done here, so that what is behind can be drawn faint; gnuplot only draws in a plane.
 *
 * Data go into a script as blocks $NAMEi_front and $NAMEi_back.
 */
#ifndef POLHODE_IO_VIEW_H
#define POLHODE_IO_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "polhode/polhode.h"

typedef struct view {
    ph_vec3 right, up, toward; /* of the one who looks, orthonormal */
    ph_vec3 semi;              /* semi-axes of the ellipsoid */
} view;

/* The view, out of those around the third axis, from above or also from below, that shows
 * most points of the curves in front. Each curve has `count` points. */
view view_best(const ph_vec3 *const *curves, size_t curve_count, size_t count,
               ph_vec3 semi, bool from_below_too);

/* Positive in front, negative behind. */
double view_facing(const view *v, ph_vec3 u);

/* Half the height or half the width of the ellipsoid's outline, whichever is larger. */
double view_outline(const view *v);

/* A curve, parted in what is in front and what is behind. */
void put_curve(FILE *f, const char *name, int number, const view *v, const ph_vec3 *u,
               size_t count);

/* A point, in one of the two blocks. */
void put_mark(FILE *f, const char *name, int number, const view *v, ph_vec3 u);

/* Meridians and parallels, 30 degrees apart, and the outline as $NAMEi_edge. */
void put_grid(FILE *f, const char *name, int number, const view *v);

/* The circles that part the motions about the axis of the least moment from those about
 * the axis of the greatest. A symmetric body has none: false. */
bool put_separatrix(FILE *f, const char *name, int number, const view *v, ph_vec3 J);

#endif
