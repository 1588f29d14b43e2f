/* raster.h - pictures of pixels: polygons with smooth edges. */
#pragma once

#include <stddef.h>

/* Points are in pixels, from the upper left corner. */
typedef struct point {
    double x, y;
} point;

/* A picture, three bytes for each pixel: red, green, blue. */
typedef struct raster {
    int width, height;
    unsigned char *pixel;
    float *cover; /* by what was added, one column more than pixels; 0 after raster_fill() */
    int left, right, top, bottom; /* of what was added: from, and up to before */
} raster;

/* Makes a picture. */
raster raster_new(int width, int height);

/* Adds a polygon, or a line of that width through points, to what raster_fill() draws. Where they
 * overlap they are drawn once. */
void raster_polygon(raster *r, const point *p, size_t count);
void raster_line(raster *r, const point *p, size_t count, double width);

/* Draws what was added, in a colour 0xRRGGBB; `part` of 1 covers what is below it. */
void raster_fill(raster *r, unsigned colour, double part);

/* Writes the picture as video has it: a byte of brightness for each pixel, then two planes of colour with a byte
 * for four pixels, by ITU-R BT.709. Width and height are even. */
void raster_video(const raster *r, unsigned char *out);
