/* film.h - the motion of a body as a film: frames by gnuplot (plot/film.gp), put together by ffmpeg. */
#pragma once

#include "cli/files/run_plot.h"
#include "cli/tool/tool.h"

typedef struct film {
    const char *path; /* NULL: there is none */
    outfile *file;
    double size[2], rate; /* pixels; frames in a second */
    double edges[3];      /* of the box, in principal axes, the longest 2; or diameters */
    ph_vec3 lift;         /* of its centre from the point it turns about */
    double axle;          /* 1, 2, 3: a top, a disc on this axis; 0: a box */
    kept_rows rows;       /* t, attitude of the principal frame, momentum and velocity in space */
} film;

/* Reads --film, --size and --fps, and finds out that the programs are there. */
int film_open(film *f, const arguments *given);

/* Begins with what moves: fails unless it is one body. `system` (NULL: unknown) has the place of
 * its centre. */
int film_begin(film *f, const instant *now, const ph_system *system);
void film_add(film *f, const instant *now);

/* Draws and closes it. */
int film_draw(film *f, const char *title, outfile *told);
