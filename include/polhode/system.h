/* system.h - systems: a problem, an integrator and a state, behind one interface.
 *
 * A system is one body, a set of spheres or a set of molecules. It contains the problem, the
 * integrator, the state with its low-order parts, the time and the number of steps.
 * ph_system_create() allocates all memory; steps allocate nothing. Only one thread at a time
 * may use a system.
 *
 *     ph_system *s;
 *     ph_system_settings with = {"heavy_top", .integrator = "s6_10+exact", .step = 0.01};
 *     if (ph_system_create(&with, &s) == PH_OK) {
 *         ph_system_run(s, 1000, NULL);
 *         printf("t = %g, energy %g\n", ph_system_time(s), ph_system_energy(s));
 *         ph_system_destroy(s);
 *     }
 *
 * Tables describe what a system contains: fields (the arrays of the state), observables (what
 * can be measured, with the values at the start) and parameters. File writers, viewers and
 * language bindings are generated from these tables.
 *
 * Runs may be interrupted at any step. Two runs of n steps give exactly the same bits as one run
 * of 2n steps. This is also true if the system was saved and restored in between, on any machine.
 */
#ifndef POLHODE_SYSTEM_H
#define POLHODE_SYSTEM_H

#include <stdint.h>

#include "polhode/body.h"
#include "polhode/expression.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A system. Its members are private to the library. */
typedef struct ph_system ph_system;

/* ---- creating a system ----------------------------------------------------------- */

/* Option of one body: the run is not compensated. The state has no low-order parts, and the
 * round-off of the steps remains. */
enum { PH_SYSTEM_UNCOMPENSATED = 1 };

/* Frees the tables and compiled expressions of a problem. A problem of the catalog has none.
 * `p` may be NULL. */
PH_API void ph_problem_release(ph_problem *p);

/* The variables of the derivatives of a motion, as bits. */
typedef enum ph_derivatives {
    /* theta1..3, a small rotation of the initial attitude in the body frame, and m1..3. */
    PH_DERIVATIVES_START = 1,
    /* J11, J22, J33, J12, J13, J23, in the body frame. */
    PH_DERIVATIVES_INERTIA = 2,
    /* Each number of the parameters of the problem. */
    PH_DERIVATIVES_PARAMETERS = 4
} ph_derivatives;

/* A named array of numbers: a parameter of the problem, a table over time (rows t, x, y, z) or a
 * part of the start (ph_start_array). A list has its entries one after the other. */
typedef struct ph_setting {
    const char *name;
    const double *values;
    size_t count; /* length of `values` */
} ph_setting;

/* The setting to which a message refers: an index into the settings, or one of these. */
enum {
    PH_SETTING_NONE = -1, /* no single setting */
    PH_SETTING_PROBLEM = -2,
    PH_SETTING_INTEGRATOR = -3,
    PH_SETTING_STEP = -4,
    PH_SETTING_TOLERANCE = -5,
    PH_SETTING_LONGEST_STEP = -6,
};

/* The size of the text of a message, in bytes. */
enum { PH_MESSAGE = 512 };

/* An error or a warning. */
typedef struct ph_message {
    int setting;           /* the setting to which it refers */
    char text[PH_MESSAGE]; /* one line: what is wrong and what to do */
} ph_message;

/* The settings of ph_system_create(). A member that is 0 or NULL has its default. */
typedef struct ph_system_settings {
    /* The name of a problem of the catalog, of any kind. */
    const char *problem;
    /* A problem of your own instead of `problem`; the function copies it. If it has a `force`, the
     * centre of mass moves, and the system is of the kind "orbiter". For a problem on spheres see
     * ph_system_create_on_spheres(). */
    const ph_problem *own_problem;
    /* The name of an integrator; the default is the integrator recommended for the problem. */
    const char *integrator;
    /* An integrator of your own; the function copies it. If `integrator` is also given,
     * own_integrator replaces only the part that it sets: the scheme, the composition of the
     * whole step, or the method. */
    const ph_integrator *own_integrator;
    /* The step size; negative to go back in time. An adaptive method uses its sign only. If step and
     * tolerance are 0 and a splitting scheme moves one body in a field, the tolerance is
     * PH_TOLERANCE_DEFAULT. */
    double step;
    /* The tolerance of an adaptive method. For a splitting scheme, the function finds the
     * largest constant step that meets the tolerance. It compares some steps from the start with
     * twice as many half steps (docs/adaptive.md). Unless `step` is 0, `step` is then a whole
     * number of these steps. Exact free motion meets every tolerance and reaches any time in one
     * step. If the torque changes at times that are known, as in the rows of a table, a run of a
     * splitting is divided at these times. Each part then has a step of its own. */
    double tolerance;
    /* The longest step of an adaptive method; infinite for no limit. By default there is no limit
     * if the torque cannot depend on time: there is no torque, or a potential conserves the
     * energy. Otherwise the limit is 1/PH_LONGEST_STEPS of the time of a run, so that a short
     * pulse of the torque is not missed. */
    double longest_step;
    const ph_setting *settings; /* each name at most once */
    size_t setting_count;
    size_t most_entries;  /* largest number of spheres or molecules; default: no limit */
    unsigned options;     /* PH_SYSTEM_UNCOMPENSATED or 0 */
    unsigned derivatives; /* bits of ph_derivatives to compute during a run */
    ph_message *message;  /* receives the error message, unless NULL */
    /* Called for a setting that is allowed but probably not intended, unless NULL. */
    void (*warn)(void *context, const ph_message *warning);
    void *context; /* passed to `warn` */
    uint64_t reserved[PH_RESERVED];
} ph_system_settings;

/* Creates a system and stores it in *out. Free it with ph_system_destroy(). The settings may be
 * freed when the function has returned.
 *
 * Returns PH_OK, or one of these:
 *
 * - PH_NULL_ARGUMENT if there is no problem, or if a setting has no name or no values;
 * - PH_UNKNOWN_NAME if a problem, kind, integrator or setting does not exist;
 * - PH_NOT_APPLICABLE if the integrator cannot solve the problem or does not have a setting;
 * - PH_BAD_PARAMETER if a value is out of its range, a setting occurs twice, or `options` or
 *   `derivatives` has an unknown bit;
 * - PH_BAD_INERTIA or PH_BAD_STATE if the body or its start is invalid;
 * - PH_BAD_STEP if the step is not finite;
 * - PH_BAD_LONGEST_STEP if the longest step is negative or NaN;
 * - PH_BAD_TOLERANCE if the tolerance is out of its range;
 * - PH_NO_CONVERGENCE if no step meets the tolerance;
 * - PH_BACKWARD if the step is negative and the integrator is a thermostat;
 * - PH_NEWER_MEMBER if an element of `reserved` of a structure is not 0;
 * - PH_NO_MEMORY if memory runs out;
 * - another status of the kind of system, such as PH_OVERLAP.
 *
 * On failure *out is unchanged, and settings->message (if not NULL) says what is wrong. */
PH_API ph_status ph_system_create(const ph_system_settings *settings, ph_system **out);

/* Destroys a system and frees its memory. `s` may be NULL. */
PH_API void ph_system_destroy(ph_system *s);

/* ---- the catalog of all kinds ------------------------------------------------------ */

/* A part of the start that a kind of system accepts as a setting. */
typedef struct ph_start_array {
    const char *name;    /* "attitude" */
    const char *other;   /* alternative that sets the same quantity, "rotvec"; or NULL */
    const char *unit;    /* in the units of the caller */
    const char *text;    /* description in one line */
    const char *columns; /* names of the numbers of an entry: "q0,q1,q2,q3" */
    int width;           /* numbers per entry */
    bool list;           /* true for one entry per body, false for one entry in all */
    const char *field;   /* name of the field with this quantity, or NULL */
} ph_start_array;

/* The description of a problem of any kind. All strings and arrays are static. */
typedef struct ph_problem_facts {
    const char *name, *title, *cite, *kind;
    const char *about;              /* description of the kind: "one body" */
    const char *equations;          /* the equations of motion, in lines for people */
    const ph_parameter *parameters; /* parameter_count rows */
    const ph_parameter *tables;     /* table_count rows: vectors over time */
    int parameter_count, table_count;
    const double *value;    /* default values of the parameters */
    const char *integrator; /* recommended integrator for the defaults */
    const char *drift;      /* the flow of splitting schemes: "exact" */
    bool is_free;           /* no force acts: the exact motion is known */
    bool first_order;       /* the velocities follow from the positions */
    const ph_start_array *start;
    size_t start_count;
    double time_unit; /* unit of time in seconds; 0 if the caller chooses it */
    uint64_t reserved[PH_RESERVED];
} ph_problem_facts;

/* The description of a method of any kind. All strings are static. */
typedef struct ph_method_facts {
    const char *name, *title, *cite, *kind;
    int order;
    unsigned keeps, keeps_free; /* bits of ph_keeps, with and without torque */
    bool adaptive;              /* chooses the step sizes */
    uint64_t reserved[PH_RESERVED];
} ph_method_facts;

/* Stores the description of problem i, counted from 0 over all kinds, in *out. Returns false if
 * there is no problem i; *out is then unspecified. */
PH_API bool ph_problem_at(size_t i, ph_problem_facts *out);

/* Stores the description of method i, counted from 0 over all kinds, in *out. Returns false if
 * there is no method i; *out is then unspecified. */
PH_API bool ph_method_at(size_t i, ph_method_facts *out);

/* Checks whether an integrator can solve a problem of the catalog, both given by name. Returns
 * PH_OK, or the status of ph_system_create(). */
PH_API ph_status ph_integrator_suits(const char *integrator, const char *problem);

/* ---- tables ---------------------------------------------------------------------- */

/* The largest number of components of an entry of an array. */
enum { PH_ARRAY_WIDTH = 4 };

/* The uses of an array, as bits. */
enum {
    PH_ARRAY_STATE = 1,     /* part of the state, stored in snapshots */
    PH_ARRAY_SHOWN = 2,     /* part of an output row; may be written unless derived */
    PH_ARRAY_PLACE = 4,     /* a position or an attitude, not a velocity or a momentum */
    PH_ARRAY_DERIVED = 8,   /* computed from other arrays; the caller must not write it */
    PH_ARRAY_CONSTANT = 16, /* a constant such as a mass, stored in snapshots */
    PH_ARRAY_LIST = 32,     /* one entry for each body of a system of many bodies */
};

/* An array (field) of a system. Component k of entry i is data[k][i * stride]. */
typedef struct ph_array {
    const char *name;     /* "attitude" */
    const char *unit;     /* in the units of the caller: "1", "I/t" or "mixed" */
    const char *text;     /* description in one line */
    const char *columns;  /* names of the components of an entry: "q0,q1,q2,q3" */
    unsigned use;         /* bits PH_ARRAY_... */
    int width;            /* components per entry */
    size_t count, stride; /* number of entries, and distance between two of them */
    double *data[PH_ARRAY_WIDTH];
} ph_array;

/* A quantity that can be measured at any time. */
typedef struct ph_observable {
    const char *name, *unit, *text;
    const char *label; /* short label for people: "|momentum|" */
    int width;         /* 1 for a number, 3 for a vector */
    bool watched;      /* ph_system_watch() records its deviation after every step */
    bool conserved;    /* the exact motion preserves it */
    bool relative;     /* the deviation is relative */
    bool defect;       /* it is itself a deviation from the ideal value `start` */
    double start[3], now[3];
    double error; /* largest deviation recorded by ph_system_watch() */
} ph_observable;

/* Returns the arrays of a system and stores their number in *count. The system owns them; they
 * are valid until it is destroyed. */
PH_API const ph_array *ph_system_arrays(const ph_system *s, size_t *count);

/* Measures all observables, returns them and stores their number in *count. The energy comes
 * first. The system owns them; they are valid until it is destroyed. */
PH_API const ph_observable *ph_system_observables(ph_system *s, size_t *count);

/* Returns the parameters of a system. Stores their number in *count and the array of all values
 * in *values. The system owns both; they are valid until it is destroyed. */
PH_API const ph_parameter *ph_system_parameters(const ph_system *s, size_t *count,
                                                const double **values);

/* Stores the array called `name` in *out. Returns PH_OK or PH_UNKNOWN_NAME. The system owns the
 * array. On failure *out is unchanged. */
PH_API ph_status ph_system_array_named(const ph_system *s, const char *name, const ph_array **out);

/* Measures all observables and stores the one called `name` in *out. Returns PH_OK or
 * PH_UNKNOWN_NAME. The system owns the observable. On failure *out is unchanged. */
PH_API ph_status ph_system_observable_named(ph_system *s, const char *name,
                                            const ph_observable **out);

/* Returns the kind of a system as a static string: "body", "orbiter", "spheres" or
 * "molecules". */
PH_API const char *ph_system_kind(const ph_system *s);

/* Returns the name of the problem, or "" for a problem of your own without a name. The string is
 * valid until the system is destroyed. */
PH_API const char *ph_system_problem_name(const ph_system *s);

/* Returns the name of the integrator, or "" for an integrator of your own without a name. The
 * string is valid until the system is destroyed. */
PH_API const char *ph_system_integrator_name(const ph_system *s);

/* Returns the time. After n steps of h it is n h. If h is the double nearest to a decimal number,
 * n h is the multiple of that number: three steps of 0.1 lead to 0.3. */
PH_API double ph_system_time(const ph_system *s);

/* Returns the number of steps taken so far. */
PH_API uint64_t ph_system_steps(const ph_system *s);

/* Returns the size of the next step. For an adaptive method only its sign has a meaning. If a run is
 * divided at the times at which the torque changes, returns the size of the shortest step so far. */
PH_API double ph_system_step(const ph_system *s);

/* Returns the energy of the present state, in the units of the caller. */
PH_API double ph_system_energy(ph_system *s);

/* Returns the number of evaluations of forces or torques so far. If the problem has a counter of
 * its own, this counts the evaluations of all systems with that counter. */
PH_API uint64_t ph_system_evaluations(const ph_system *s);

/* Returns true if the integrator is adaptive: it chooses its step sizes. */
PH_API bool ph_system_is_adaptive(const ph_system *s);

/* Returns the number of steps that an adaptive integrator has rejected so far. It is 0 if the steps
 * are fixed. */
PH_API uint64_t ph_system_rejected(const ph_system *s);

/* Returns the state of one body in the body frame. For a system without attitude and momentum,
 * all components are 0. */
PH_API ph_state ph_system_state(const ph_system *s);

/* Stores in *momentum the angular momentum that belongs to an angular velocity at the present
 * time. Both are in the body frame. Returns PH_OK, or PH_NOT_APPLICABLE if this kind of system
 * has no such relation. On failure *momentum is unchanged. */
PH_API ph_status ph_system_momentum(const ph_system *s, ph_vec3 velocity, ph_vec3 *momentum);

/* How to compare two systems of a kind. */
typedef struct ph_comparison {
    const char *speed, *place; /* names of the two errors: "momentum", "attitude" */
    bool absolute_places;      /* the error of `place` is absolute, else relative */
    const char *integrator;    /* integrator of reference solutions */
} ph_comparison;

/* Returns how systems of this kind are compared. All strings are static. */
PH_API ph_comparison ph_system_comparison(const ph_system *s);

/* Call this after you have written into arrays with PH_ARRAY_SHOWN. The function checks the new
 * state and discards the low-order parts. Derivatives begin anew.
 *
 * Returns PH_OK, or the cause if the state is invalid, such as PH_BAD_STATE if it is not finite.
 * Later runs then return the same status until a valid state is written or restored. */
PH_API ph_status ph_system_changed(ph_system *s);

/* Sets the size of all later steps to h and keeps the present time. An adaptive method uses the
 * sign of h only. Returns PH_OK, PH_BAD_STEP if h is not finite, or PH_IN_OBSERVER if an
 * observer of the system calls it; the step is then unchanged. */
PH_API ph_status ph_system_set_step(ph_system *s, double h);

/* ---- derivatives ------------------------------------------------------------------ */

/* The size of the name of a column, in bytes. */
enum { PH_COLUMN_NAME = 80 };

/* A column of the derivative of the state, with respect to one variable. The variables are the
 * initial attitude and momentum, the inertia and the parameters. They are independent: if the
 * settings give a velocity, a change of J does not change m. */
typedef struct ph_system_column {
    char name[PH_COLUMN_NAME];  /* "theta1", "m2", "J13", "strength", "up3" */
    ph_vec3 attitude;           /* small rotation in the body frame */
    ph_vec3 momentum, velocity; /* in the body frame */
} ph_system_column;

/* Returns the number of columns of the derivative. It is 0 if the system was created without
 * derivatives.
 *
 * A splitting scheme of exact free motion gives the derivatives of its steps. An adaptive method
 * integrates the variational equations. ph_system_create() refuses derivatives for other
 * integrators. Snapshots contain the derivatives. */
PH_API size_t ph_system_derivative_count(const ph_system *s);

/* Stores column number `column`, counted from 0, of the derivative of the present state in *out.
 * Returns PH_OK, or PH_NOT_APPLICABLE if there is no such column; *out is then unspecified. */
PH_API ph_status ph_system_derivative(const ph_system *s, size_t column, ph_system_column *out);

/* ---- running --------------------------------------------------------------------- */

/* An observer of a run. */
typedef struct ph_observer {
    /* Called at each of `times`. If `every` is not 0, also called at the start of a run and after
     * every `every` steps. It may call any function that reads the system and must not change the
     * system. Return false to end the run. */
    bool (*observe)(void *context, ph_system *s);
    void *context;  /* passed to `observe` */
    uint64_t every; /* number of steps between calls, or 0 */
    /* Times in the direction of the run; times before the run are ignored. With fixed steps, the
     * run reaches a time between two steps by a shorter step, which it then undoes. */
    const double *times;
    size_t count; /* number of times */
} ph_observer;

/* Takes `steps` steps. `o` may be NULL if no observer is wanted.
 *
 * Returns PH_OK, also if the observer ended the run. Returns PH_BAD_TIME if a step leads to a
 * time that is not finite, or if one of the times of the observer is NaN. Returns PH_IN_OBSERVER
 * if an observer or an event of the same system calls it. Returns PH_BACKWARD if
 * the step is negative and the thermostat cannot go back. Returns the status of
 * ph_system_changed() if the state is invalid. Otherwise it returns the status of the step that
 * failed, such as PH_NO_CONVERGENCE. The system then has its last valid state, and
 * ph_system_steps() returns the number of steps taken. */
PH_API ph_status ph_system_run(ph_system *s, uint64_t steps, const ph_observer *o);

/* Runs to the time `time`. `o` may be NULL if no observer is wanted.
 *
 * With fixed steps, `time` must be a whole number of steps ahead. A step that was found for a
 * tolerance is shortened so that it is. An adaptive method runs to any time, earlier or later.
 * It interpolates at the times of the observer, which does not change its steps.
 *
 * Returns PH_NOT_WHOLE_STEPS if `time` is not a whole number of steps ahead. Returns PH_BAD_TIME
 * if `time` is not finite or more than 9e15 steps away. In both cases nothing changes. Otherwise
 * it returns the statuses of ph_system_run(). */
PH_API ph_status ph_system_run_until(ph_system *s, double time, const ph_observer *o);

/* Sets the date of t = 0 for expressions that are compiled later, in days from J2000.0
 * (2000-01-01T12:00:00), which `sun` needs. Times are then in seconds. Returns PH_OK, or
 * PH_BAD_TIME if `days` is not finite; the date is then unchanged. Snapshots do not contain it. */
PH_API ph_status ph_system_set_epoch(ph_system *s, double days);

/* Compiles an expression of the state and the parameters of a system of one body. The names x1
 * to x3 and v1 to v3 exist if the centre of mass moves. Free *out with
 * ph_expression_destroy().
 *
 * Returns PH_OK. Returns PH_NOT_APPLICABLE if the system is not one body. Returns
 * PH_BAD_EXPRESSION if the text cannot be compiled; *why then has the reason, and `why` may be
 * NULL. Returns PH_NO_MEMORY if memory runs out. On failure *out is unchanged. */
PH_API ph_status ph_system_expression(const ph_system *s, const char *text, ph_expression_use use,
                                      ph_expression **out, ph_expression_error *why);

/* Returns the value of an expression of ph_system_expression() at the present state. The value of
 * a condition is a - b for a > b, and b - a for a < b. It is positive if the condition holds. */
PH_API double ph_system_evaluate(const ph_system *s, const ph_expression *e);

/* How far the search for an event can be trusted (docs/events.md). */
typedef enum ph_event_proof {
    PH_EVENT_PROVED,    /* the search proves that it finds all windows of the computed motion */
    PH_EVENT_ESTIMATED, /* the body is in a field: the bounds between evaluations are estimates */
    PH_EVENT_SAMPLED,   /* there are no bounds: a window between evaluations may be missing */
    PH_EVENT_UNFINISHED /* the search reached its largest number of evaluations */
} ph_event_proof;

/* An event: a function of the state and the time of a system becomes positive, or a condition
 * becomes true. */
typedef struct ph_event {
    /* Returns the value of the function. May be NULL if `condition` is given. */
    double (*value)(void *context, ph_system *s);
    void *context;        /* passed to `value` */
    bool met;             /* the run sets it to true if the event has occurred, else to false */
    ph_event_proof proof; /* the run sets it: the worst value of all steps */
    /* A condition of ph_system_expression(), or NULL. It replaces `value`. The search for it uses
     * its derivatives (docs/events.md). */
    const ph_expression *condition;
} ph_event;

/* Writes a sentence to `text` if something makes the result of a search doubtful, and returns whether
 * there is such a thing; call it after the run. An angle may be compared with more than 2 pi, as a
 * number in degrees. The search may have reached its largest number of evaluations. The derivatives
 * of a condition may be too large for the search. Returns false for NULL. */
PH_API bool ph_event_warning(const ph_event *event, char text[PH_MESSAGE]);

/* The least number of times in each adaptive step at which a run evaluates an event. */
enum { PH_EVENT_POINTS = 8 };

/* Runs to the time `time`, or to the first time at which the value of the event becomes positive
 * after it was not. `o` may be NULL if no observer is wanted.
 *
 * The time of the event is found to 1e-12 of the step. With fixed steps, the last step is replaced
 * by a shorter one. docs/events.md states which events are found. On free motion these are all
 * events of a condition. An event of a function is found if the function is convex or concave
 * between two evaluations.
 *
 * Returns the statuses of ph_system_run_until(). */
PH_API ph_status ph_system_run_event(ph_system *s, double time, const ph_observer *o,
                                     ph_event *event);

/* A time interval in which an event holds: its value is positive. */
typedef struct ph_window {
    size_t event; /* index of the event */
    /* Where the interval begins and ends. They are the start and the end of the run if the event
     * holds there. */
    double enter, leave;
    /* The time and the value of the extremum in the interval. For a function this is its largest
     * value. For a condition it is the extremum of the left minus the right side: the largest for
     * >, the smallest for <. */
    double extremum_time, extremum;
} ph_window;

/* A list of windows, which grows. It begins as zeros; free it with ph_window_list_free(). */
typedef struct ph_window_list {
    ph_window *windows;
    size_t count, room; /* windows in the list, and windows that there is memory for */
} ph_window_list;

/* Runs to the time `time` as ph_system_run_until() does, with the same result, and adds the windows
 * of `count` events to *list. They are in the order in which they end. The function searches as
 * ph_system_run_event() does. `o` may be NULL. The run sets `met` of each event that holds at some
 * time.
 *
 * Returns PH_NO_MEMORY if there is no memory for the list, or the statuses of
 * ph_system_run_until(). On failure the list contains all windows until then. */
PH_API ph_status ph_system_events(ph_system *s, double time, const ph_observer *o, ph_event *events,
                                  size_t count, ph_window_list *list);

/* Frees the memory of a list and empties it. */
PH_API void ph_window_list_free(ph_window_list *list);

/* Computes the derivative of the time of an event, at which a run has ended, with respect to each
 * variable of the derivatives. This is dt/dx = -g_x/g_t, where the value g of the event depends
 * on x through the state only. The result has about ten digits. `by` has room for
 * ph_system_derivative_count() numbers.
 *
 * Returns PH_OK, or PH_NOT_APPLICABLE if the system has no derivatives. Returns PH_NO_MEMORY if
 * memory runs out, or the status of a step that failed; `by` is then unspecified. The state of
 * the system is unchanged. */
PH_API ph_status ph_system_event_derivative(ph_system *s, const ph_event *event, double *by);

/* Calls `observe` with `context` and the system at the time `time`, then restores the present
 * state. With fixed steps the system takes one step of that length. An adaptive method interpolates
 * in its last step or takes as many steps as it needs.
 *
 * Returns PH_OK whatever `observe` returns. Returns PH_IN_OBSERVER if an observer calls it at a
 * time between two steps. Returns PH_BAD_TIME if `time` is not finite. Returns the status of
 * ph_system_changed() if the state is invalid, or the status of a step that failed. */
PH_API ph_status ph_system_observe_at(ph_system *s, double time,
                                      bool (*observe)(void *context, ph_system *s), void *context);

/* Switches the recording of errors on or off; the default is off. If it is on, each step records
 * the deviations of the watched observables and the energy. */
PH_API void ph_system_watch(ph_system *s, bool on);

/* The energy as ph_system_watch() recorded it. */
typedef struct ph_energy_record {
    double first, last;   /* at the first and the last recorded time */
    double largest_error; /* largest deviation from `first` */
    double slope;         /* least-squares slope over time */
} ph_energy_record;

/* Returns the record of the energy. All members are 0 if nothing was recorded. */
PH_API ph_energy_record ph_system_energy_record(const ph_system *s);

/* ---- how long the digits of a run hold ---------------------------------------------
 *
 * With a tolerance, the error of the attitude is at most 20 tolerances for each turn of the body.
 * The digits of a run hold as long as this is true.
 *
 * A companion follows an adaptive run. It has the same problem and start. Its tolerance is
 * PH_COMPANION times the tolerance of the run, so the distance between the two is about the error
 * of the run. The error is taken to be 1.5 times the distance, plus round-off. Near the smallest
 * tolerance the companion has the larger tolerance, and the distance is larger than the error.
 *
 * The companion uses the same method as the run, except that the companion of dop853 is gbs. Over a
 * long time two runs of dop853 with different tolerances may have almost the same error. */

#define PH_COMPANION 0.1

/* The comparison of a run with its companion. */
typedef struct ph_digits {
    ph_system *companion; /* owned by the caller; it moves with the run */
    double begin, end;    /* times at which the run begins and ends */
    double held;          /* latest time at which the digits are known to hold */
    double apart;         /* distance of the two at the last comparison, in radians */
    bool lost;            /* the digits no longer hold */
    double next;          /* time of the next comparison */
    double tolerance;     /* tolerance of the companion */
    double last;          /* time of the last call of ph_digits_follow() */
    double turned;        /* angle in radians by which the body has rotated until then */
} ph_digits;

/* Begins the comparison at the start of a run to the time `end`. The companion belongs to the
 * caller and must stay valid. Returns PH_OK, or PH_NOT_APPLICABLE if the companion is not
 * adaptive or estimates its own error, as the method `averaged` does. */
PH_API ph_status ph_digits_begin(ph_digits *d, ph_system *companion, double end);

/* Compares the run of the system s with its companion. Call it after each step; it compares at 512
 * times, about evenly spaced. The run is not changed. Returns PH_OK, or the status of a step of
 * the companion that failed. */
PH_API ph_status ph_digits_follow(ph_digits *d, const ph_system *s);

/* Writes a sentence to `text` if the digits no longer hold, and returns whether this is so; call it at
 * the end of the run. The sentence says until when they hold, how large the error is, and whether a
 * smaller tolerance helps. Returns false for NULL. */
PH_API bool ph_digits_warning(const ph_digits *d, char text[PH_MESSAGE]);

/* ---- snapshots -------------------------------------------------------------------
 *
 * A snapshot is an array of bytes. It contains a magic number, the version, the kind, and the names
 * of the problem and the integrator. The parameters, the time, the number of steps, all arrays of
 * the state, the recorded errors and a checksum follow. Numbers are little-endian on every
 * machine. */

/* Writes a snapshot of the system to the buffer `to` if its `size` is large enough. Returns the
 * size of the snapshot in bytes; call the function with (NULL, 0) to get it. Returns 0 if an
 * observer calls it at a time between two steps. */
PH_API size_t ph_system_save(const ph_system *s, void *to, size_t size);

/* Sets the note that later snapshots contain. The function does not copy the string: it must stay
 * valid until it is replaced or the system is destroyed. If `note` is NULL, snapshots have no
 * note. */
PH_API void ph_system_set_note(ph_system *s, const char *note);

/* Sets a system to the state in a snapshot, from which it continues as the saved system would.
 * Kind, problem, parameters and integrator must agree with the snapshot.
 *
 * Returns PH_OK. Returns PH_BAD_SNAPSHOT if the snapshot is truncated or altered or contains no
 * valid state. Returns PH_NEWER_SNAPSHOT if a newer version wrote it. Returns PH_OTHER_SNAPSHOT
 * if it belongs to another system. Returns PH_NO_MEMORY if memory runs out, or PH_IN_OBSERVER if
 * an observer of the system calls it. On failure the system is unchanged. */
PH_API ph_status ph_system_restore(ph_system *s, const void *from, size_t size);

/* Creates the system of a snapshot, which continues as the saved system would, and stores it in
 * *out. Free it with ph_system_destroy().
 *
 * Returns PH_UNKNOWN_NAME if the problem or the integrator is not in the catalog. Otherwise it
 * returns the statuses of ph_system_restore() and ph_system_create(). On failure *out is
 * unchanged. */
PH_API ph_status ph_system_from_snapshot(const void *from, size_t size, ph_system **out);

/* Creates the system of a snapshot whose problem `p` is your own, since a snapshot does not
 * contain functions. The values of the parameters come from the snapshot. `p` may be NULL for a
 * problem of the catalog.
 *
 * Returns PH_UNKNOWN_NAME if the problem of the snapshot is neither `p` nor in the catalog.
 * Returns PH_OTHER_SNAPSHOT if the names of the parameters differ from the names in the snapshot.
 * Otherwise it returns the statuses of ph_system_from_snapshot(). On failure *out is unchanged. */
PH_API ph_status ph_system_from_snapshot_of(const ph_problem *p, const void *from, size_t size,
                                            ph_system **out);

/* Returns a pointer into `from` to the note of a snapshot and stores its length in *length. The
 * note is not NUL-terminated. A snapshot without a note has a note of length 0. Returns NULL if
 * `from` is NULL or not a valid snapshot. */
PH_API const char *ph_snapshot_note(const void *from, size_t size, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
