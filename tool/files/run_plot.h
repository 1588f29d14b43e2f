/* run_plot.h - a run as a picture: what moves in space, and columns over time; a free motion.
 *
 * Instants are added one after the other, in constant memory; the picture is a stack of panels
 * (tool/gnuplot/stack.gp). What is first for a kind of system, without columns that were asked for:
 *     a free body     the paths of its axes in space, angular velocity, energy
 *     another body    the path of its third axis, Euler angles, energy
 *     unit vectors    their paths on the sphere, energy
 *     molecules       where they are in the end, energies
 */
#pragma once

#include "tool/files/columns.h"
#include "tool/files/picture.h"

enum {
    RUN_PLOT_ROWS = 6000, /* that are kept, at most */
    RUN_PLOT_PATHS = 8,
};

/* Rows of numbers that stand for very many. */
typedef struct kept_rows {
    size_t width, count;
    double *row;
    unsigned long long seen, every; /* every so many of those that were seen is kept */
} kept_rows;

/* How large a picture is, for a column or a page of print or for a slide; and that its times are seconds. */
typedef struct run_plot_sheet {
    const char *name;
    double width, columns, height; /* pixels; the height 0 where it follows from what is drawn */
} run_plot_sheet;

/* The sheet of a name, NULL for the usual one; NULL: there is none. */
const run_plot_sheet *run_plot_sheet_named(const char *name);
#define RUN_PLOT_SHEETS "single, double or slide"

/* How times are shown: in units of so many of the run's. */
typedef struct time_scale {
    const char *unit; /* "h"; "" where it is unknown */
    double size;
    bool seconds; /* the times of the run are seconds */
} time_scale;

/* The unit in which the command wrote its longest time, "h" for "0:12h@5min"; without one, and if
 * times are seconds, a unit that suits this length of time. */
time_scale time_scale_of(const char *written, bool seconds, double length);

/* Sets the variables of the templates: time_size, time_unit and the label of the axis, time_text. */
void time_scale_write(const time_scale *t, FILE *script);

/* Returns what a column is, in words and with its unit: "yaw (deg)", "angular velocity w1 (rad/s)". */
const char *column_words(const column *x, bool seconds);

/* Keeps a row, or passes over it; where there is no room, every other one is given up, or the
 * rest, of rows that shall be the first. */
void kept_rows_add(kept_rows *k, const double *row, size_t width, bool only_first);

typedef struct run_plot {
    column_set series; /* columns over time, the time first */
    bool chosen;       /* they were asked for: nothing else is drawn */
    size_t paths;      /* unit vectors whose paths are drawn */
    size_t hidden;     /* others that are not */
    bool axes;         /* they are axes of a body */
    kept_rows first;   /* the first rows of paths, all of them */
    kept_rows path;    /* paths over the whole time */
    kept_rows rows;    /* series */
    double *row;       /* one of them */
    double begin, end; /* the times that were seen */
    size_t bodies;     /* in space, of the last instant: place and vector of each */
    double *cloud;
    size_t cloud_room;
    double cloud_time;
    const run_plot_sheet *sheet;
    const char *time; /* as the command has it, or NULL */
    bool seconds;     /* times are in them */
    bool listed;      /* bodies come one by one, in instants of the same time */
    double body;      /* the number of the first of them, whose columns are drawn */
} run_plot;

/* What is drawn of a system: words of columns, or NULL. `is_free`: no torque acts. False where
 * there is no such column, as columns_choose() has it. */
bool run_plot_begin(run_plot *p, const instant *now, const column_choice *choice, bool is_free,
                    nearest *near_by);

/* Adds an instant. */
void run_plot_add(run_plot *p, const instant *now);

/* Writes the script; false if it could not be written. */
bool run_plot_write(const run_plot *p, FILE *script, plot_format format, const char *title);

/* The time up to which paths are drawn; the end where that is all. */
double run_plot_path_end(const run_plot *p);

/* The time up to which motion_plot() draws. */
double motion_plot_end(const ph_body *body, const ph_motion *motion, double begin, double end);

/* Writes the gnuplot script that draws the motion from time `begin` to `end` (see
 * tool/gnuplot/motion.gp). The motion is sampled as finely as the picture needs; of a very long
 * one only the beginning is drawn, and the picture says so. False if the script could not
 * be written. */
bool motion_plot(FILE *script, plot_format format, const ph_body *body, const ph_motion *motion,
                 double begin, double end);
