/* system.h - what moves: one body, spheres or molecules, behind one interface.
 *
 * A system holds a problem, an integrator, the state with its low-order parts, the time and
 * the number of steps. It is made once, with all the memory it needs; steps allocate
 * nothing. One system belongs to one thread at a time.
 *
 *     ph_system *s;
 *     ph_system_settings with = {"heavy_top", .integrator = "s6_10+exact", .step = 0.01};
 *     if (ph_system_create(&with, &s) == PH_OK) {
 *         ph_system_run(s, 1000, NULL);
 *         printf("t = %g, energy %g\n", ph_system_time(s), ph_system_energy(s));
 *         ph_system_destroy(s);
 *     }
 *
 * What a system holds is told by tables, which files, viewers and other languages are made
 * from: fields (arrays of the state), observables (what can be measured, with the values at
 * the start) and parameters.
 *
 * Steps may be interrupted anywhere: n steps and then n steps give the bits of 2n steps,
 * also when the system was saved, closed and restored in between, on any machine that
 * computes the same bits.
 */
#ifndef POLHODE_SYSTEM_H
#define POLHODE_SYSTEM_H

#include <stdint.h>

#include "polhode/adaptive.h"
#include "polhode/expression.h"
#include "polhode/molecules.h"
#include "polhode/body.h"
#include "polhode/spheres.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ph_system ph_system;

/* ---- making one ------------------------------------------------------------------ */

/* An option of a body: a free one without low-order parts, round-off as the steps leave
 * it. */
enum { PH_SYSTEM_UNCOMPENSATED = 1 };

/* Gives a problem a table that it knows, such as wheels_table of spacecraft: `count` rows
 * t, x, y, z with t increasing, which are copied; none takes it away. PH_UNKNOWN_NAME,
 * PH_BAD_PARAMETER, PH_NULL_ARGUMENT, PH_NO_MEMORY. */
PH_API ph_status ph_problem_set_table(ph_problem *p, const char *name, const double *rows,
                                      size_t count);

/* Frees what a problem holds: tables, expressions. One of the catalog holds nothing. */
PH_API void ph_problem_release(ph_problem *p);

/* What a motion can be differentiated by; bits. */
typedef enum ph_derivatives {
    PH_DERIVATIVES_START =
        1, /* theta1..3, a small rotation of the attitude in the body; m1..3 */
    PH_DERIVATIVES_INERTIA =
        2, /* J11, J22, J33, J12, J13, J23, in the axes it was given in */
    PH_DERIVATIVES_PARAMETERS = 4 /* each number of the problem's parameters */
} ph_derivatives;

/* A named array of numbers: a parameter of the problem, a table over time (rows t, x, y, z),
 * or a part of the start (ph_start_array), a list entry by entry. */
typedef struct ph_setting {
    const char *name;
    const double *values;
    size_t count;
} ph_setting;

/* What is wrong, and what to do, in one line; and of which setting: its number, or one of
 * these. */
enum {
    PH_SETTING_NONE = -1, /* of no one alone */
    PH_SETTING_PROBLEM = -2,
    PH_SETTING_INTEGRATOR = -3,
    PH_SETTING_STEP = -4,
    PH_SETTING_TOLERANCE = -5,
    PH_SETTING_LONGEST_STEP = -6,
};
enum { PH_MESSAGE = 512 };
typedef struct ph_message {
    int setting;
    char text[PH_MESSAGE];
} ph_message;

/* What a system is made from. What is 0 or NULL has its default. */
typedef struct ph_system_settings {
    const char *problem; /* a name of the catalog, of any kind */
    const void
        *own_problem;       /* instead: the caller's own, copied: a ph_problem, or what */
    const char *own_kind;   /* this kind has; default "body" */
    const char *integrator; /* a name; default: what is recommended for the problem */
    /* The caller's own integrator, copied; or with a name its scheme, its composition of the
     * whole step or its method alone, each of which then stands for the part of the name in
     * its place. */
    const ph_integrator *own_integrator;
    /* Negative to go back; of a method that chooses its steps the sign counts. */
    double step;
    /* Of a method that chooses its steps. Or of a splitting, whose step is found before the
     * run and then constant: the largest of which some from the start are as near to twice as
     * many of half its length (docs/adaptive.md). `step`, unless 0, is a whole number of
     * those. */
    double tolerance;
    double longest_step;        /* of such a method, see ph_adaptive_step() */
    const ph_setting *settings; /* each name once */
    size_t setting_count;
    size_t most_entries;  /* more spheres or molecules are refused; default: no limit */
    unsigned options;     /* bits of the above */
    unsigned derivatives; /* bits of ph_derivatives: what is computed beside the state */
    ph_message *message;  /* receives what is wrong */
    /* Is called with what is allowed, but perhaps not meant. */
    void (*warn)(void *context, const ph_message *warning);
    void *context;
} ph_system_settings;

/* Makes a system. PH_UNKNOWN_NAME, PH_NOT_APPLICABLE, PH_BAD_PARAMETER, PH_BAD_INERTIA,
 * PH_BAD_STATE, PH_BAD_STEP (the step is not finite, or the longest step negative),
 * PH_BAD_TOLERANCE, PH_BACKWARD (a negative step with a thermostat), PH_NO_MEMORY and the like;
 * the message says more. */
PH_API ph_status ph_system_create(const ph_system_settings *settings, ph_system **out);

PH_API void ph_system_destroy(ph_system *s); /* NULL is allowed */

/* ---- the catalog of all kinds ------------------------------------------------------ */

/* A part of the start that a kind of system takes as a setting. */
typedef struct ph_start_array {
    const char *name;    /* "attitude" */
    const char *other;   /* that which sets the same in another way, "rotvec"; or NULL */
    const char *unit;    /* in the units of the caller */
    const char *text;    /* one line for people */
    const char *columns; /* of one entry, comma-separated: "q0,q1,q2,q3" */
    int width;           /* numbers of an entry */
    bool list;           /* of many entries; else there is one, or one for all */
    const char *field;   /* of the system, which has it then; or NULL */
} ph_start_array;

/* A problem, of any kind of system. */
typedef struct ph_problem_facts {
    const char *name, *title, *cite, *kind;
    const char *about;              /* what its kind is about: "one body" */
    const char *equations;          /* lines for people: what moves it */
    const ph_parameter *parameters; /* parameter_count of them */
    const ph_parameter *tables;     /* table_count of them: vectors over time */
    int parameter_count, table_count;
    const double *value;    /* the defaults of the parameters */
    const char *integrator; /* recommended, with these */
    const char *drift;      /* the flow that schemes stand over: "exact" */
    bool is_free;           /* nothing acts on it: the exact motion is known */
    bool first_order;       /* velocities follow from places */
    const ph_start_array *start;
    size_t start_count;
    double time_unit; /* its unit of time in seconds; 0: the caller's */
} ph_problem_facts;

/* A method, of any kind of system. */
typedef struct ph_method_facts {
    const char *name, *title, *cite, *kind;
    int order;
    unsigned keeps, keeps_free; /* bits of ph_keeps; the second without torque */
    bool adaptive;              /* it chooses its steps */
} ph_method_facts;

/* Number i from 0, one kind after the other; false past the last. */
PH_API bool ph_problem_at(size_t i, ph_problem_facts *out);
PH_API bool ph_method_at(size_t i, ph_method_facts *out);

/* PH_OK if an integrator can do a problem, both by name; else what ph_system_create()
 * returns. */
PH_API ph_status ph_integrator_suits(const char *integrator, const char *problem);

/* ---- tables ---------------------------------------------------------------------- */

enum { PH_ARRAY_WIDTH = 4 };

/* What a field is for; bits. */
enum {
    PH_ARRAY_STATE = 1,   /* needed to go on; is in a snapshot */
    PH_ARRAY_SHOWN = 2,   /* a column of a row, a part of the state for people */
    PH_ARRAY_PLACE = 4,   /* a position or attitude, not a velocity or momentum */
    PH_ARRAY_DERIVED = 8, /* follows from others, and cannot be written */
    PH_ARRAY_CONSTANT =
        16,             /* of a body, such as its mass: in a snapshot, never changed */
    PH_ARRAY_LIST = 32, /* of many entries, be it one; else of the one there is */
};

/* One array of a system: component k of entry i is data[k][i * stride]. */
typedef struct ph_array {
    const char *name;     /* "attitude" */
    const char *unit;     /* in the units of the caller: "1", "I/t", or "mixed" */
    const char *text;     /* one line for people */
    const char *columns;  /* of one entry, comma-separated: "q0,q1,q2,q3" */
    unsigned use;         /* bits of the above */
    int width;            /* components of an entry */
    size_t count, stride; /* entries, and how far apart they are */
    double *data[PH_ARRAY_WIDTH];
} ph_array;

/* What can be measured of a system at any time. */
typedef struct ph_observable {
    const char *name, *unit, *text;
    const char *label; /* short, for people: "|momentum|" */
    int width;         /* 1, or 3 for a vector */
    bool watched;      /* its deviation from the start is found after every step */
    bool conserved;    /* the exact motion keeps it */
    bool relative;     /* the deviation is over the size of what is measured */
    bool defect;       /* it is a deviation itself, from `start` as it should be */
    double start[3], now[3];
    double error; /* the largest deviation after any step that was watched */
} ph_observable;

PH_API const ph_array *ph_system_arrays(const ph_system *s, size_t *count);
PH_API const ph_observable *ph_system_observables(ph_system *s, size_t *count);
PH_API const ph_parameter *ph_system_parameters(const ph_system *s, size_t *count,
                                                const double **values);

/* A row of these tables by its name, the observable as it is now; *values are those of the
 * parameter alone. PH_UNKNOWN_NAME; PH_NULL_ARGUMENT if any pointer is NULL. */
PH_API ph_status ph_system_array_named(const ph_system *s, const char *name,
                                       const ph_array **out);
PH_API ph_status ph_system_observable_named(ph_system *s, const char *name,
                                            const ph_observable **out);
PH_API ph_status ph_system_parameter_named(const ph_system *s, const char *name,
                                           const ph_parameter **out,
                                           const double **values);

/* The kind of system: "body", "spheres", "molecules"; and what its entries are called. */
PH_API const char *ph_system_kind(const ph_system *s);

/* The names of its problem and integrator; "" for one of the caller's without a name. */
PH_API const char *ph_system_problem_name(const ph_system *s);
PH_API const char *ph_system_integrator_name(const ph_system *s);

/* The order of its integrator, PH_ORDER_EXACT if it has no truncation error. */
PH_API int ph_system_order(const ph_system *s);

/* Returns the time. After n steps of h it is n h. If h is the double nearest to a decimal number,
 * n h is the multiple of that number: three steps of 0.1 lead to 0.3. */
PH_API double ph_system_time(const ph_system *s);
PH_API uint64_t ph_system_steps(const ph_system *s);
PH_API double ph_system_step(const ph_system *s);
PH_API double ph_system_energy(ph_system *s);

/* How often forces or torques were computed: by the system, or where the problem has a
 * counter of its own, by all that use it. */
PH_API uint64_t ph_system_evaluations(const ph_system *s);

/* What a system counts that chooses its own steps, NULL of others: among it steps that were
 * rejected and evaluations of the torque. */
PH_API const ph_adaptive_numbers *ph_system_adaptive(const ph_system *s);

/* The state of one body, in its frame; of other systems zero. */
PH_API ph_state ph_system_state(const ph_system *s);

/* The momentum of an angular velocity now, of systems whose velocity follows from it; else
 * PH_NOT_APPLICABLE. */
PH_API ph_status ph_system_momentum(const ph_system *s, ph_vec3 velocity,
                                    ph_vec3 *momentum);

/* How systems of a kind are compared: what the errors are called of speeds and of places, and
 * whether the latter are absolute; and what reference solutions are computed by. */
typedef struct ph_comparison {
    const char *speed, *place; /* "momentum", "attitude" */
    bool absolute_places;
    const char *integrator;
} ph_comparison;
PH_API ph_comparison ph_system_comparison(const ph_system *s);

/* After the caller has written into shown fields: checks them, and forgets low-order parts.
 * PH_BAD_STATE and the like, with which runs are refused too until a state was written, or
 * restored, that can be. */
PH_API ph_status ph_system_changed(ph_system *s);

/* Sets the step size to h. PH_BAD_STEP if h is not finite. */
PH_API ph_status ph_system_set_step(ph_system *s, double h);

/* ---- derivatives ------------------------------------------------------------------ */

/* A column of the derivative of the state by what the settings ask for: its name, "theta1",
 * "m2", "J13", "strength", "up3", and what it changes. Attitude and momentum of the start and
 * the inertia are independent: a velocity that is given changes m with J. */
enum { PH_COLUMN_NAME = 80 };
typedef struct ph_system_column {
    char name[PH_COLUMN_NAME];
    ph_vec3 attitude;           /* a small rotation in the body */
    ph_vec3 momentum, velocity; /* in the body */
} ph_system_column;

/* How many columns there are, 0 of a system that was made without derivatives; and column
 * number i from 0, as it is now: PH_NOT_APPLICABLE past the last. Derivatives are those of the
 * steps of splittings of exact free motion, and those of the motion by the variational
 * equations for methods that choose their steps; others are refused when a system is made.
 * They begin anew with ph_system_changed(), and are in snapshots. */
PH_API size_t ph_system_derivative_count(const ph_system *s);
PH_API ph_status ph_system_derivative(const ph_system *s, size_t column,
                                      ph_system_column *out);

/* ---- running --------------------------------------------------------------------- */

/* Sees the system at the start of a run, then after every `every` steps (0: never), and at
 * given times, `count` of them in the order of the run; one between two steps is reached by
 * a step of its own from the last one, which is then taken back; those before the run are
 * left out. It may ask the system anything, and must not change it. Returning false ends
 * the run there. */
typedef struct ph_observer {
    bool (*observe)(void *context, ph_system *s);
    void *context;
    uint64_t every;
    const double *times;
    size_t count;
} ph_observer;

/* Takes steps, seen by an observer (or NULL). A step that fails leaves the system at the
 * last good state, and its status is returned; ph_system_steps() tells how far it came.
 * PH_BAD_TIME for a step to a time that is not finite, and for given times that are NaN;
 * PH_BACKWARD for a negative step of a thermostat that cannot go back. */
PH_API ph_status ph_system_run(ph_system *s, uint64_t steps, const ph_observer *o);

/* Takes steps up to a time, seen by an observer (or NULL). The time must be a whole number of
 * steps ahead; a step that was found for a tolerance is shortened so that it is. A system that
 * chooses its steps goes to any time, earlier or later; given times are then seen by the
 * method's own interpolation, which changes no step. PH_NOT_WHOLE_STEPS; PH_BAD_TIME if the time
 * is not finite or more than 9e15 steps away; both change nothing. Else as ph_system_run(). */
PH_API ph_status ph_system_run_until(ph_system *s, double time, const ph_observer *o);

/* Compiles an expression of the state of a system that is one body, with its parameters;
 * x and v are names where the centre of mass moves. PH_NOT_APPLICABLE of other systems, and
 * what ph_expression_create() returns. `why` may be NULL. And its value now. */
PH_API ph_status ph_system_expression(const ph_system *s, const char *text,
                                      ph_expression_use use, ph_expression **out,
                                      ph_expression_error *why);
PH_API double ph_system_evaluate(const ph_system *s, const ph_expression *e);

/* An event: a value, of the state and the time of a system, that becomes positive. */
typedef struct ph_event {
    double (*value)(void *context, ph_system *s);
    void *context;
    bool met; /* set by the run, to false if its arguments are wrong */
} ph_event;

/* The same, but the run ends where the value first becomes positive that was not before, at
 * a time found to 1e-12 of the step: by the method's interpolation where it chooses its
 * steps, there looked for at PH_EVENT_POINTS times of each; else by a step of that length in
 * place of the last one. What happens and is over within a step, or between these times,
 * goes unseen. `o` may be NULL. Returns what ph_system_run_until() does. */
enum { PH_EVENT_POINTS = 8 };
PH_API ph_status ph_system_run_event(ph_system *s, double time, const ph_observer *o,
                                     ph_event *event);

/* How the time of an event that a run ended at changes with each column of derivatives: dt/dx =
 * -g_x/g_t, where the event's own value g depends on x through the state alone, to some ten
 * digits. `by` has ph_system_derivative_count() numbers. PH_NOT_APPLICABLE without
 * derivatives. */
PH_API ph_status ph_system_event_derivative(ph_system *s, const ph_event *event,
                                            double *by);

/* Shows the system at a time, from its present state by one step of that length, which is
 * taken back. PH_IN_OBSERVER if an observer calls this at a time between two steps, PH_BAD_TIME
 * if the time is not finite, or what the step returns. */
PH_API ph_status ph_system_observe_at(ph_system *s, double time,
                                      bool (*observe)(void *context, ph_system *s),
                                      void *context);

/* Watch the observables: after every step their errors are found, and the slope of the
 * energy. Off at first. */
PH_API void ph_system_watch(ph_system *s, bool on);

/* The energy as it was watched: at the first and the last time, the largest deviation, and
 * its least-squares slope over time. */
typedef struct ph_energy_record {
    double first, last, largest_error, slope;
} ph_energy_record;
PH_API ph_energy_record ph_system_energy_record(const ph_system *s);

/* Whether all that was watched is finite so far. */
PH_API bool ph_system_finite(const ph_system *s);

/* ---- snapshots ------------------------------------------------------------------- */

/* The bytes of a snapshot: magic, version, kind and names of problem and integrator,
 * parameters, time, steps, all fields of the state with their low-order parts, the sums of
 * what is watched, and a checksum over all. Numbers are little-endian on every machine. */

/* Writes a snapshot to `size` bytes at `to`, if they are enough, and returns how many it
 * takes; 0 at a time between two steps, of which there are no snapshots. */
PH_API size_t ph_system_save(const ph_system *s, void *to, size_t size);

/* A text of the caller's that is kept in snapshots; it must last. NULL: none. */
PH_API void ph_system_set_note(ph_system *s, const char *note);

/* Sets a system to the state in a snapshot, from which it continues as the saved one would. Kind,
 * problem, parameters and integrator must be those of the snapshot. Returns PH_BAD_SNAPSHOT if the
 * snapshot is truncated or altered or holds no valid state, PH_NEWER_SNAPSHOT if a newer version
 * wrote it, PH_OTHER_SNAPSHOT if it is of another system, PH_NO_MEMORY if there is no memory for
 * a copy of the state. On failure the system is unchanged. */
PH_API ph_status ph_system_restore(ph_system *s, const void *from, size_t size);

/* Makes the system of a snapshot anew, from problems and integrators of this library, and
 * lets it go on. PH_UNKNOWN_NAME for others. */
PH_API ph_status ph_system_from_snapshot(const void *from, size_t size, ph_system **out);

/* The same for a body in a problem of the caller's own, whose functions a snapshot has not:
 * PH_OTHER_SNAPSHOT unless the names of problem and parameters are those of the snapshot. `p` may
 * be NULL: then as above. */
PH_API ph_status ph_system_from_snapshot_of(const ph_problem *p, const void *from,
                                            size_t size, ph_system **out);

/* The note of a snapshot, *length bytes without a zero at the end; NULL: it is none. */
PH_API const char *ph_snapshot_note(const void *from, size_t size, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
