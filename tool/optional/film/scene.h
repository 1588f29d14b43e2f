/* scene.h - a body in a film: a box or a top with the moments of the body, its angular momentum and velocity, and
 * the path of an axis. */
#pragma once

#include <stdbool.h>

#include "polhode/rotation.h"
#include "tool/optional/film/raster.h"

/* The numbers of a frame: the time; the attitude of the principal frame; momentum and velocity in space. */
enum { FRAME_TIME, FRAME_ATTITUDE, FRAME_MOMENTUM = 5, FRAME_VELOCITY = 8, FRAME_WIDTH = 11 };

typedef struct scene {
    double edges
        [3]; /* of the box, in principal axes, the longest 2; or diameters of the disc of a top */
    ph_vec3 lift; /* of the centre from the point that the body turns about */
    int axle;     /* 1, 2, 3: a top, a disc on this axis; 0: a box */
    size_t count;
    const double *frame; /* count rows of FRAME_WIDTH */
    /* Set by scene_fit(). */
    double floor;            /* the row of pixels where what is drawn ends */
    double scale, left, top; /* pixels in a unit; the pixel of the point it turns about */
    double longest[2];       /* momentum, velocity */
    bool stands;             /* the top does not swing below the point it turns about */
    bool has_path;           /* the path is longer than a dot */
    point *path;             /* of all frames, in pixels */
} scene;

/* The colours of the arrows, the path and gravity. */
enum {
    INK_MOMENTUM = 0xB07A00,
    INK_VELOCITY = 0x0A7FB5,
    INK_PATH = 0xCC5200,
    INK_GRAVITY = 0x5B6673
};

/* Finds the scale with which all that is ever drawn fills a part of the picture, from these margins on. */
void scene_fit(scene *s, const raster *r, double beside, double above, double below);

/* Draws a frame over the background. */
void scene_draw(const scene *s, raster *r, size_t i);
