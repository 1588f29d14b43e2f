/* kind.h - a system, inside, and what a kind of system supplies, as one descriptor in its
 * folder: its problems and methods, how a system is made from settings, its steps, and what
 * comparisons need. src/system does the rest.
 */
#pragma once

#include "integrators/adaptive_run.h"
#include "integrators/thermostat.h"
#include "polhode/ensemble.h"
#include "system/custom.h"

/* The value of an observable, and what its error counts relative to; 0: its start. */
typedef struct reading {
    double value[3];
    double size;
} reading;

/* Sums over all times that were watched. All members are doubles or counts. */
typedef struct energy_sums {
    uint64_t count;
    double first, last, largest_error, mean_t, mean_e, spread_t, spread_both;
} energy_sums;

enum { SYSTEM_NAME = 160 };

struct event_search; /* events.h */
struct motion_rates;

/* The run of a splitting with a tolerance that is divided where the torque or the wheels change:
 * step_size.c. Snapshots have all but the first member. */
typedef struct run_parts {
    double tolerance; /* 0: the run is not divided */
    double end;       /* of the part, which may be infinite; the present time if none has begun */
    double longest;   /* the step that was found for the part */
    double smallest;  /* of the steps so far, but for those across a jump; 0: none was taken */
    double given;     /* 1: the caller has set the step since then */
} run_parts;
enum { PARTS_NUMBERS = 4 };

struct ph_system {
    const struct ph_kind *kind;
    void *self; /* what the kind keeps */

    /* The problem of the caller in the type of the kind, while the system is created; NULL if
     * the settings have the problem. */
    const void *own_problem;

    /* set by ph_settings_integrator() */
    ph_integrator by;
    custom_parts own; /* what it is made of that the catalog has not */
    thermostat bath;  /* of schemes with a thermostat */

    /* set by the kind */
    const uint64_t *evaluations; /* how often forces or torques were computed; or: */
    uint64_t counted;
    ph_adaptive_numbers *adaptive; /* of systems that choose their steps; or NULL */

    /* set by ph_system_describe() */
    char problem[SYSTEM_NAME], integrator[SYSTEM_NAME]; /* names; "": the caller's own */
    int order;                                          /* of the integrator */
    const ph_parameter *parameters;
    size_t parameter_count;
    const double *values;
    ph_array *fields;
    size_t field_count;
    ph_observable *observables;
    size_t observable_count;

    reading *readings; /* of the observables */
    double *saved;     /* the state, put aside */
    double h;
    double tolerance; /* for which the step of a splitting is found; 0: for none */
    double longest;   /* the step that was found for a tolerance; 0: it was given */
    bool divides;     /* the step divides one that was given, beside the tolerance */
    run_parts parts;
    uint64_t steps;
    double origin; /* the time is origin + (steps - origin_steps) h */
    uint64_t origin_steps;
    bool between_steps; /* the system is shown at a time between two steps */
    double shown_time;  /* that time */
    bool stopped;       /* the observer has ended the run */
    bool observed;      /* a function of the caller is called, which may only read the system */
    ph_status refused;  /* what is wrong with the state that the caller wrote last */
    const char *note;   /* the caller's, or NULL */
    double epoch;       /* days from J2000.0 to t = 0 */
    bool dated;         /* it is known */
    bool watching;
    bool begun; /* `start` of the observables is of the start of the first run */
    energy_sums energy;
};

/* ---- making one: system.c ----------------------------------------------------------- */

/* A system of a kind with zero bytes as `self`; NULL: no memory. */
ph_system *ph_system_begin(const struct ph_kind *kind, double h);

/* Completes the construction that ph_system_begin() began. Stores s in *out if `status` is PH_OK and
 * h is finite, else destroys s. Returns `status`, or PH_BAD_STEP if h is not finite. */
ph_status ph_system_complete(ph_system *s, ph_status status, ph_system **out);

/* Gives a system names, parameters, and tables, which are copied but for what pointers in them
 * point to; the values of the parameters are the system's own. Fields without entries are
 * left out; components without a pointer follow the one before, as those of a vector do. */
ph_status ph_system_describe(ph_system *s, const ph_problem_facts *p, const ph_array *fields,
                             size_t field_count, const ph_observable *observables,
                             size_t observable_count);

/* The data of a field, its first number. */
#define FIELD(x)                                                                                   \
    {                                                                                              \
        &(x)                                                                                       \
    }

/* The field of the caller's own coefficients, which has no entries where there are none. */
ph_array ph_system_coefficients(ph_system *s);

/* The settings of a thermostat, for tables of ph_start_array of kinds that can have one. */
#define THERMOSTAT_SETTINGS                                                                        \
    {"temperature", NULL, "energy", "Temperature, of methods such as baoab+exact",                 \
     "T",           1,    false,    NULL},                                                         \
    {                                                                                              \
        "friction", NULL, "1/t", "Rate of such a thermostat, default 1", "G", 1, false, NULL       \
    }
#define THERMOSTAT_SEED                                                                            \
    {                                                                                              \
        "seed", NULL, "1", "Seed of its noise", "n", 1, false, NULL                                \
    }

/* The thermostat of a system, NULL of one without. */
static inline thermostat *bath_of(ph_system *s)
{
    if (s->by.scheme != NULL && s->by.scheme->parts != NULL)
        return &s->bath;
    return NULL;
}

/* The facts that problems of all kinds have as members of the same names. */
#define PROBLEM_FACTS(p)                                                                           \
    .name = (p)->name ? (p)->name : "", .title = (p)->title, .cite = (p)->cite,                    \
    .equations = (p)->equations, .parameters = (p)->parameters,                                    \
    .parameter_count = (p)->parameter_count, .value = (p)->value
#define METHOD_FACTS(m)                                                                            \
    .name = (m)->name, .title = (m)->title, .cite = (m)->cite, .order = (m)->order,                \
    .keeps = (m)->keeps, .keeps_free = (m)->keeps_free

/* Returns the numbers of an adaptive run, or NULL if the steps are fixed. They belong to the
 * system. */
const ph_adaptive_numbers *ph_system_adaptive(const ph_system *s);

/* Returns true if every recorded energy error and deviation is finite, also if nothing was
 * recorded. */
bool ph_system_finite(const ph_system *s);

/* Returns the order of the integrator, or PH_ORDER_EXACT if it has no truncation error. */
int ph_system_order(const ph_system *s);

/* Stores the parameter called `name` in *out and a pointer to its first value in *values.
 * Returns PH_OK or PH_UNKNOWN_NAME. The system owns both. On failure *out and *values are
 * unchanged. */
ph_status ph_system_parameter_named(const ph_system *s, const char *name, const ph_parameter **out,
                                    const double **values);

/* ---- several systems at once, one per vector lane: run.c --------------------------------- */

/* Whether a system can have a lane; or be one of a group that takes the same steps. */
bool ph_system_has_lanes(const ph_system *s);
bool ph_system_has_group(const ph_system *s);

/* The systems of a run in lanes. */
typedef struct lane_feed {
    /* Returns the next system for a lane and fills *o, or returns NULL if none is left. */
    ph_system *(*next)(void *context, size_t lane, ph_observer *o);
    /* Is called with the final status when a system has finished. */
    void (*ended)(void *context, size_t lane, ph_status status);
    void *context;
} lane_feed;

/* Runs systems that can have lanes to a time, as ph_system_run_until() does each, to the bit. */
void ph_system_run_lanes(double end, const lane_feed *feed);

/* The same of systems that can be in groups, of one step and time. */
void ph_system_run_groups(double end, const lane_feed *feed);

/* A system on its way, whose steps others take. */
typedef struct course {
    const ph_observer *o;         /* or NULL */
    size_t next;                  /* of its times */
    struct event_search *end;     /* the event at which it ends, or NULL */
    struct event_search *watched; /* those at which it goes on */
    size_t watched_count;
} course;

/* Returns PH_OK if a run can lead to a time: PH_BAD_TIME or PH_NOT_WHOLE_STEPS as
 * ph_system_run_until(). */
ph_status ph_system_can_reach(const ph_system *s, double time);

/* Runs to a time with events that end it (or NULL) and that are watched: events.h. */
ph_status ph_system_search(ph_system *s, double time, const ph_observer *o,
                           struct event_search *end, struct event_search *watched, size_t count);

/* Starts a run: calls the observer for the rows that are due now, and sets *steps to the number of
 * fixed steps to `end`, 0 if the method is adaptive. Returns PH_BAD_TIME if `end` is not finite, or
 * PH_NOT_WHOLE_STEPS if fixed steps do not lead to it. */
ph_status ph_course_begin(ph_system *s, course *c, double end, uint64_t *steps);
/* Is called after others took `steps` steps. Calls the observer for the rows within the last step of
 * an adaptive method, or within the next fixed step; if `last`, for the rows that are due now. */
ph_status ph_course_after_steps(ph_system *s, course *c, uint64_t steps, bool last);
/* Takes steps itself, up to so many, of one by fixed steps. */
ph_status ph_course_alone(ph_system *s, course *c, uint64_t steps);
/* Where the next row is, or the end. */
double ph_course_next(const course *c, double end);

/* What steps others take of all bodies of an ensemble, in one thread: ensemble.c. The feed has up to
 * `lanes` bodies at once. go_on() is told which part of the bodies in lanes is done. */
typedef struct ensemble_mover {
    ph_status (*move)(void *context, double end, const lane_feed *feed,
                      bool (*go_on)(void *feed_context, double part));
    void *context;
    size_t lanes;
} ensemble_mover;
ph_status ph_ensemble_move(ph_ensemble *e, double until, const ph_ensemble_observer *o,
                           const ensemble_mover *by);

/* The worst proof of all bodies in the last search for events. */
ph_event_proof ph_ensemble_event_proof(const ph_ensemble *e);

/* Makes an ensemble of systems that can be in one, and takes them over; if there is no memory, they
 * are destroyed. */
ph_status ph_ensemble_of(ph_system *const *systems, size_t count, ph_ensemble **out);

/* Makes the companion of an adaptive system in its start, and stores it in *out: the same problem and
 * start to another tolerance, see PH_COMPANION. PH_NOT_APPLICABLE if the system is not adaptive or has
 * taken steps, PH_NO_MEMORY: settings.c. */
ph_status ph_system_companion(const ph_system *s, ph_system **out);

/* Calls an observer. While it is called, functions that move the system return PH_IN_OBSERVER. Returns
 * what it returns. */
bool ph_system_call(ph_system *s, bool (*observe)(void *context, ph_system *s), void *context);

/* Stores the values that the observables have at the start of the first run. */
void ph_system_note_start(ph_system *s);

/* Reads all observables; that of a thermostat is the last. */
void ph_system_read(ph_system *s);

/* ---- a system at other times: look.c -------------------------------------------------- */

/* Fields of the state were written: brings everything else in line. */
void ph_system_restored(ph_system *s);

/* Brings the shown fields up to date. */
void ph_system_show(ph_system *s);

/* Copies the state to s->saved, or back. */
void ph_system_put_aside(ph_system *s, bool back);

/* Goes on in steps of h, without a word about how they were found. */
void ph_system_go_by(ph_system *s, double h);

/* The time after more steps, rounded. */
static inline double time_after(const ph_system *s, uint64_t steps)
{
    return s->origin + (double)(s->steps + steps - s->origin_steps) * s->h;
}

/* The time that a system computes with: that of a step is origin + n h, rounded. ph_system_time() differs
 * from it by round-off at most. */
double ph_system_clock(const ph_system *s);

/* Whether the system is at a time: no step is left to it. The time of a fixed step is only known to
 * round-off. */
bool ph_system_is_at(const ph_system *s, double time);

/* ---- the settings of a snapshot: snapshot.c ------------------------------------------ */

/* A snapshot has its parameters as settings, and its fields, too: under the names that the
 * kind takes for its start, others with FIELD_MARK before their name. With this bit among
 * the options of the settings, fields are allowed that are not known, and the start need not
 * be valid, as the state is read later. */
#define FIELD_MARK "@"
enum { OPTION_OF_SNAPSHOT = 1 << 16, SNAPSHOT_PARTS = 64 };

typedef struct snapshot_settings {
    ph_system_settings with;
    char kind[SYSTEM_NAME], problem[SYSTEM_NAME], integrator[SYSTEM_NAME];
    ph_setting setting[SNAPSHOT_PARTS];
    char name[SNAPSHOT_PARTS][SYSTEM_NAME];
    double values[];
} snapshot_settings;

/* Reads the settings from a snapshot; the caller frees *out with free(). Returns PH_BAD_SNAPSHOT if
 * it is truncated or altered, PH_NEWER_SNAPSHOT if a newer version wrote it, or PH_NO_MEMORY. */
ph_status ph_snapshot_settings(const void *from, size_t size, snapshot_settings **out);

/* ---- settings: settings.c ---------------------------------------------------------- */

/* Returns PH_OK if the list of settings can be read, and has each name once. Else writes the
 * message and returns PH_NULL_ARGUMENT, PH_NO_MEMORY (the count is impossible) or
 * PH_BAD_PARAMETER. */
ph_status ph_settings_check(const ph_system_settings *s);

/* Writes the message of the settings, if they have one, and returns `status`. The text of a
 * setting of the start, or of the tolerance, begins with its name. */
__attribute__((format(printf, 4, 5))) ph_status ph_settings_refuse(const ph_system_settings *s,
                                                                   ph_status status, int setting,
                                                                   const char *format, ...);

/* The same, where a value is wrong: its name, its numbers and `why`. */
ph_status ph_settings_refuse_value(const ph_system_settings *s, ph_status status, int setting,
                                   const char *why);

/* What the warning says of a number that is an angle and may be in degrees. */
#define ANGLE_WARNING "rad is more than a turn"

__attribute__((format(printf, 3, 4))) void ph_settings_warn(const ph_system_settings *s,
                                                            int setting, const char *format, ...);

/* Warns if no matter has the moments of a body, and returns whether it has. */
bool ph_settings_physical(const ph_system_settings *s, const ph_body *body);

/* The number of the setting of that name, PH_SETTING_NONE if there is none; and its numbers,
 * or NULL, with how many there are unless `count` is NULL. */
int ph_settings_find(const ph_system_settings *s, const char *name);
const double *ph_settings_values(const ph_system_settings *s, const char *name, size_t *count);

/* Checks the names and counts of all settings against a problem of a kind, and the ranges
 * of parameters, which are written to `value`. */
ph_status ph_settings_take(const ph_system_settings *s, const struct ph_kind *kind,
                           const ph_problem_facts *p, double *value);

/* Refuses more entries than the settings allow. */
ph_status ph_settings_limit(const ph_system_settings *s, const struct ph_kind *kind,
                            double entries);

/* The numbers of a field of a snapshot, called FIELD_MARK NAME, which are to be so many; or
 * NULL. */
const double *ph_settings_field(const ph_system_settings *s, const char *name, size_t count);

/* Gives a system the integrator of the settings, or that of the name `recommended`, with its
 * tolerance. */
ph_status ph_settings_integrator(const ph_system_settings *s, ph_system *system,
                                 const char *recommended);

/* Says why an integrator of bodies does not suit a problem. `instead` are methods to take
 * where forces depend on velocities, else NULL. */
ph_status ph_settings_refuse_integrator(const ph_system_settings *s, const ph_integrator *i,
                                        const char *problem, const char *instead);

/* The integrator of that name, of a kind, as ph_integrator_named(); a part
 * in `own` (or NULL) stands for any name in its place. *text is what is wrong with a name
 * that stands for none: integrators.c. */
ph_status ph_integrator_find(const struct ph_kind *kind, const char *name, custom_parts *own,
                             ph_integrator *out, char text[PH_MESSAGE]);

/* ---- kinds ------------------------------------------------------------------------- */

/* Errors that comparisons tell apart: of velocities or momenta, of places or attitudes. */
enum { ERROR_SPEED, ERROR_PLACE, ERROR_COUNT };

/* A kind of system: one descriptor in each src/FOLDER/NAME_system.c, which scripts/lists finds. */
typedef struct ph_kind {
    const char *name;
    const char *what;       /* in messages: "one body" */
    const char *entries[2]; /* for people: one of its entries, and many: "spheres" */
    const char *state_note; /* what the state is made of */
    bool rows_of_each;      /* a row for each entry, or frames; and steps take long */
    bool one_of_many;       /* attitude and velocity are those of one of many motions */
    const char *drift;      /* the flow that schemes stand over: "exact" */
    /* Problems of the caller's own, ph_problem, may be of this kind; with or without a
     * force, which moves the centre of mass. */
    bool own_problems, moving_centre;
    const ph_start_array *start; /* settings of the start that it takes */
    size_t start_count;

    /* ---- its problems and methods: the facts of number i but for the kind; false past the
     * last. Without methods schemes over flows are all there is. */
    bool (*problem)(size_t i, ph_problem_facts *out);
    const char *(*recommended)(size_t i); /* its integrator, unless `problem` tells; or NULL */
    bool (*method)(size_t i, ph_method_facts *out);

    /* The step of a name of this kind alone, without `@composition`; NULL: its integrators
     * are those of bodies. */
    named_step *step_named;

    /* The name of a method with which problems of one body make systems of this kind; NULL: there
     * is none, and the kind has problems of its own. */
    const char *method_of_bodies;

    /* Makes the system of settings, whose problem is one of this kind, of one that is begun.
     * What `self` has on failure is freed, too. */
    ph_status (*create)(const ph_system_settings *settings, ph_system *s);

    /* ---- of `self` */
    size_t size; /* in bytes; it begins as zeros */

    /* One step from the time t to `end`, h later; the state is untouched unless PH_OK. */
    ph_status (*step)(void *self, double t, double h, double end);

    /* Of systems that choose their steps, else NULL: one step from *t towards the time
     * `end`, not beyond it, after which *t is the time; the state is untouched unless
     * PH_OK. And the state at a time within the last step, where it stays, if `stay`, as
     * if the step had ended there; else it is taken back later. */
    ph_status (*advance)(void *self, double *t, double end);
    ph_status (*within)(void *self, double t, bool stay);

    /* The run of such a system, whose steps others may take; and what follows a step of it that
     * others took. Or NULL. */
    ph_adaptive_run *(*adaptive_run)(void *self);
    void (*advanced)(void *self);
    /* The run of such a system, whoever takes its steps; or NULL. */
    ph_adaptive_run *(*own_run)(void *self);

    /* Of systems with fixed steps: whether several can take a step at once, and that step of up to
     * PH_BATCH_GROUP of them, each as `step` does it. Or NULL. */
    bool (*grouped)(const void *self);
    /* The problem of one body, and its state in principal axes, which others may write; NULL where
     * it is more than that. Or NULL. */
    ph_state *(*state)(void *self, const ph_problem **problem);
    /* The problem in which one body moves. NULL: none. */
    const ph_problem *(*field)(const void *self);
    void (*step_group)(void *const *self, size_t count, double t, double h, double end,
                       ph_status *status);

    /* Computes the PH_ARRAY_SHOWN fields from the PH_ARRAY_STATE fields. NULL if both are the same
     * memory. */
    void (*show)(void *self, double t);

    /* The shown fields were written by the caller: the state from them, or what is wrong
     * with them. */
    ph_status (*accept)(void *self, double t);

    /* Fields of the state were written, by a snapshot or to take a step back: forgets what
     * was computed of the old ones; or NULL. */
    void (*restored)(void *self);

    /* All observables at the time t; the first is the energy. */
    void (*observe)(void *self, double t, reading *out);

    /* How a body moves on in the state that is shown at the time t; NULL: events are sought without
     * that. */
    void (*rates)(void *self, double t, struct motion_rates *out);

    /* Its momenta, LINEAR or ANGULAR, false where it has none; NULL: it has no thermostats. */
    bool (*momenta)(void *self, int kind, momenta *out);

    /* Writes in a sentence why the run cannot go on, or what makes its results doubtful; "" if there
     * is nothing to say. Or NULL. */
    void (*caution)(const void *self, double t, char text[PH_MESSAGE]);

    void (*free)(void *self); /* what it points to; may be NULL */

    /* The momentum of an angular velocity; NULL where the velocity is no derived field. */
    ph_vec3 (*momentum)(const void *self, double t, ph_vec3 velocity);

    /* A column of derivatives, false past the last; NULL: there are none. */
    bool (*derivative)(const void *self, double t, size_t column, ph_system_column *out);

    /* ---- comparing: of systems in their start */
    const char *error_names[ERROR_COUNT]; /* "momentum", "attitude" */
    const char *error_text;               /* "|m - m*|/|m*| and |q - q*|" */
    bool absolute_places;                 /* errors of places are not relative */
    /* The name of the integrator of reference solutions. */
    const char *(*reference)(const ph_system *s);
    /* Puts a system into the exact state at the time t; false where it is not known. Or
     * NULL. */
    bool (*exact)(ph_system *s, double t);
    /* What rounding leaves of a motion; NULL: 1e-13, where it begins to grow at once. */
    double (*round_off)(const ph_system *start, const ph_system *end, double t);
    void (*describe)(const ph_system *s, char *text, size_t size); /* for a picture */
    /* Does what a splitting spends its time on: so many free motions over a time h, or
     * torques. False for other integrators, and without a torque. Or NULL. */
    bool (*spend)(const ph_system *s, bool torques, double h, int calls);
} ph_kind;

/* ---- numbers of systems ------------------------------------------------------------ */

/* How many numbers a field has, and the n-th of them, all of a component first. */
static inline size_t field_numbers(const ph_array *f)
{
    return (size_t)f->width * f->count;
}

static inline double *field_number(const ph_array *f, size_t n)
{
    return &f->data[n / f->count][n % f->count * f->stride];
}

/* Errors of speeds and of places of a system against the right one, of the same kind, and the
 * larger of them: for each field the root of the sum of squares, relative to that of the right
 * one where that counts. */
double ph_system_errors(const ph_system *s, const ph_system *right, double error[ERROR_COUNT]);

/* Does what ph_system_restore() does, with a snapshot that ph_system_save() has made of the same
 * system: it needs no memory, and cannot fail. */
void ph_system_return_to(ph_system *s, const void *saved, size_t size);

/* ---- a step for a tolerance: step_size.c ---------------------------------------------- */

/* Finds the size of the step of a splitting for a tolerance, by steps from where the system is, to
 * which it goes back. They have the sign of `sign`; `first` is the first size to try. If `length` is
 * finite, the size is a whole part of it, and no trial goes further. *found is 0 if there is none.
 * Returns PH_OK or PH_NO_MEMORY. */
ph_status ph_system_find_step(ph_system *s, double sign, double length, double first,
                              double tolerance, double *found);

/* Whether a run is divided where the torque or the wheels change. A part that is no longer than
 * ACROSS_JUMP times the time is that across a jump of the torque. */
static const double ACROSS_JUMP = 0x1p-46;
bool ph_system_has_parts(const ph_system *s);

/* Begins the next part of such a run, forward or backward: finds its end and its step. Returns
 * PH_OK, PH_NO_MEMORY, or PH_NO_CONVERGENCE if no step is short enough. */
ph_status ph_part_begin(ph_system *s, double direction);

/* ---- all kinds ------------------------------------------------------------------------ */

/* All kinds, in the order of scripts/lists: kinds.c. */
const ph_kind *const *ph_kinds(size_t *count);

/* The kind of that name, or NULL: settings.c. */
const ph_kind *ph_kind_named(const char *name);

/* Returns the kind of a problem of the caller: with a force the centre of mass moves. Returns NULL
 * if there is no such kind. */
const ph_kind *ph_kind_of_problem(const ph_problem *own);

/* Does what ph_system_create() does. If `kind` is not NULL, the system is of that kind, and `own`
 * is its problem, in the type of problems of that kind. */
ph_status ph_system_create_of_kind(const ph_kind *kind, const ph_system_settings *s,
                                   const void *own, ph_system **out);

/* Returns the kind of a system whose problem is of the kind `kind` and whose integrator has this
 * name: `kind`, or one that takes over the problems of one body for this method. `integrator` may
 * be NULL: settings.c. */
const ph_kind *ph_kind_for(const ph_kind *kind, const char *integrator);

/* The kind of a system. */
const ph_kind *ph_kind_of(const ph_system *s);
