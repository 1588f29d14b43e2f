/* loop.h - the one loop that writes: a motion goes from instant to instant, and observers see
 * it: rows in a file, pictures, the live page, snapshots, the summary.
 *
 * The motion is that of a system, which takes its steps, or comes from a function that gives
 * one instant after the other.
 */
#pragma once

#include "tool/base/tool.h"
#include "tool/files/run_plot.h"
#include "tool/input/input.h"
#include "tool/output/additions.h"

typedef struct loop loop;

/* What observes a motion; functions that are NULL have nothing to do. */
typedef struct observer {
    void *self;
    /* Before the first instant, which l->now is: 0, or the exit status of the error it reported. */
    int (*begin)(void *self, loop *l);
    /* Sees l->now, an instant asked for; and after every step of a system. False ends the loop. */
    bool (*row)(void *self, loop *l);
    bool (*step)(void *self, loop *l);
    /* Is called once after the last row. `status` is the exit status so far; returns the new one. An
     * earlier error must be kept. */
    int (*finish)(void *self, loop *l, int status);
} observer;

struct loop {
    const observer *observers;
    size_t count;

    ph_system *system;
    double time;                  /* where it goes */
    uint64_t steps;               /* that it has taken by then, unless it chooses them */
    uint64_t every;               /* steps from one row to the next */
    double interval;              /* between rows of one that chooses its steps; 0: each is one */
    const ph_expression *until;   /* ends the loop when it becomes true; or NULL */
    struct event_search *watched; /* events at which it goes on */
    size_t watched_count;
    bool seen; /* the first instant was seen before: it makes no row */
    bool over; /* there is nothing to do but to finish */

    /* Set by the loop. */
    instant now;             /* what observers see */
    const char *epoch;       /* the date of t = 0, of rows of a file; or NULL */
    file_origin origin;      /* of rows of a file */
    uint64_t first;          /* step */
    unsigned long long rows; /* made so far, and those before the loop */
    ph_status status, look;  /* of the steps, and of a row between two of them */
    ph_event event;          /* the condition: whether it is met */
    bool overflow;           /* a step was done, and what is to be written is not finite */
    bool cut;                /* rows of the last step are missing */
    bool progress;           /* is shown */
};

/* Runs the system of a loop with its observers; `shown`: rows go to standard output. Returns
 * the exit status. */
int loop_run(loop *l, bool shown);

/* The same for instants that `next` sets in l->now: it returns 0, LOOP_END after the last, or
 * the exit status of an error. Observers begin with the tables that l->now has before. */
enum { LOOP_END = -1 };
typedef int loop_next(void *context, loop *l);
int loop_each(loop *l, loop_next *next, void *context);

/* The same for the rows of a file, whose attitudes may be relative to the frames of `show`. */
int loop_table(loop *l, const char *path, const show_request *show);

/* The steps alone: nothing is begun or finished. */
ph_status loop_steps(loop *l);

/* ---- observers ------------------------------------------------------------------- */

/* Rows or frames in a file. */
typedef struct rows_file {
    const char *path;         /* "-" for standard output; NULL: there is none */
    outfile *standard;        /* where "-" leads */
    const show_request *show; /* what a row is made of */
    bool each;                /* a row for each entry */
    file_about about;
    /* Set by the functions. */
    column_set columns;
    outfile *out; /* NULL: none */
    record *rows;
    bool frames; /* the file holds frames */
    /* Of one body: its last row, and how far it turns from one row to the next, at most, in rad. */
    double last_time, last_speed, last_attitude[4], turn;
} rows_file;

/* Chooses the columns and opens the file, if there is one. */
int rows_begin(rows_file *f, const instant *first);
bool rows_add(void *f, loop *l);

/* Puts the file in its place; `when` says when writing failed. */
int rows_close(rows_file *f, const char *when);

/* Reports a row that the file could not hold, if there was one, with that exit status;
 * `after` ends the message. */
int rows_refused(const rows_file *f, int status, const char *after);

/* Pictures of the motion, as often as an option asks for one. */
typedef struct pictures {
    const arguments *given; /* NULL: there are none */
    const char *option;     /* "--plot" */
    const char *out;        /* another file that is written, or NULL */
    const show_request *show;
    const char *title;
    outfile *told;           /* where those that are drawn are named; or NULL */
    const ph_system *system; /* whose motion it is; NULL: unknown */
    const char *time;        /* as the command has it, or NULL */
    bool seconds;            /* the times are in them */
    /* Set by the functions. */
    size_t count;
    picture *picture;
    run_plot plot;
    void *film; /* of film_maker_find(); NULL: there is none */
} pictures;

/* Opens the files, and the film that the options ask for; `films`: the command has these options. Then begins the plot of a motion, of a body on which no torque acts if
 * `is_free`; messages call a column `what`. */
int pictures_open(pictures *p, bool films);
static inline bool pictures_any(const pictures *p)
{
    return p->count > 0 || p->film != NULL;
}

/* Whether the times of a system are seconds: its parameters have them in their units. */
bool in_seconds(const ph_system *s);
int pictures_begin(pictures *p, const instant *first, bool is_free, const char *what);
bool pictures_add(void *p, loop *l);

/* Draws all by a script of their own, or of the plot; and the film, if there is one. */
int pictures_draw(pictures *p, picture_script *write, const void *context);
int pictures_draw_film(pictures *p, const char *title);
int pictures_draw_plot(pictures *p);
