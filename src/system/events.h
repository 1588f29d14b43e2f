/* events.h - the search for the times at which a condition becomes true or false along a motion.
 *
 * The motion from one time to the next is divided until it is known how the value g of the condition
 * goes: events.c.
 */
#pragma once

#include "integrators/expression/expression.h"
#include "system/kind.h"

/* How a body moves on. */
typedef struct motion_rates {
    /* Those of the instant, m' and w', all in the body frame. */
    double numbers[VARIABLE_SECOND];
    double speed; /* |w| */
    /* A free motion: the largest |w|, and the largest |m'|, |w'|, |m''| and |w''| of each component,
     * at all times; they follow from J, |m| and the energy. */
    bool is_free;
    double most_speed, most[MOTION_VARIABLES - VARIABLE_RATE];
} motion_rates;

/* A time at which the condition was evaluated. */
typedef struct event_point {
    double t, value; /* positive: the condition is true */
    /* A value of the same sign, perhaps smoother, and its derivative in the direction of the run. */
    double g, slope;
    motion_rates motion;
} event_point;

typedef struct event_search {
    ph_event *event;
    size_t number;        /* of its windows */
    ph_window_list *list; /* takes the windows; or NULL */
    uint64_t count;       /* how often it became true, and when first; NaN: never */
    double first;

    /* Set by the functions. */
    bool stops, stopped;  /* the search ends where it becomes true */
    double stop;          /* there */
    double from, length;  /* the step */
    double phases;        /* by which the angles of the time in the condition change in it */
    double direction;     /* 1 or -1 */
    long left;            /* evaluations in this step */
    long unbounded;       /* intervals without bounds that the search may still divide */
    event_point last;     /* how far the search has come */
    event_point extremum; /* in the window that is open */
    double enter;         /* of it */
} event_search;

/* Begins at the present time of a system. */
ph_status ph_search_begin(ph_system *s, event_search *e);

/* Goes on to a time, within the last or the next step, which is `length` long and begins at
 * `from`. */
ph_status ph_search_step(ph_system *s, event_search *e, double from, double length, double to);

/* Ends at the time where the search is: closes the window that is open. */
ph_status ph_search_end(event_search *e);
