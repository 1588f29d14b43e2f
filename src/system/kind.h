/* kind.h - what a kind of system supplies, as one descriptor in its folder: its problems and
 * methods, how a system is made from settings or from a snapshot, its steps, and what
 * comparisons need. src/system does the rest.
 */
#pragma once

#include "polhode/system.h"
#include "system/custom.h"

/* The value of an observable, and what its error counts relative to; 0: its start. */
typedef struct reading {
    double value[3];
    double size;
} reading;

/* Everything that a kind knows of a system when it is made. Arrays are copied, but for
 * what pointers in them point to; fields without entries are left out; self is taken over,
 * and freed if there is no memory. */
typedef struct system_parts {
    const struct ph_kind *kind;
    void *self;
    double h;
    const char *problem, *integrator; /* names; "" for one of the caller's own */
    int order;                        /* of the integrator */
    const ph_parameter *parameters;
    size_t parameter_count;
    const double *values;
    const uint64_t *evaluations;   /* how often forces or torques were computed */
    ph_adaptive_numbers *adaptive; /* of systems that choose their steps; or NULL */
    const ph_field *fields;
    size_t field_count;
    const ph_observable *observables;
    size_t observable_count;
} system_parts;

/* The data of a field that is a number, a vector or a quaternion. */
#define FIELD1(x)                                                                        \
    {                                                                                    \
        &(x)                                                                             \
    }
#define FIELD3(v)                                                                        \
    {                                                                                    \
        &(v).x, &(v).y, &(v).z                                                           \
    }
#define FIELD4(q)                                                                        \
    {                                                                                    \
        &(q).w, &(q).x, &(q).y, &(q).z                                                   \
    }

/* The field of the caller's own coefficients, which has no entries where there are none. */
#define COEFFICIENTS_FIELD(own)                                                          \
    {                                                                                    \
        "coefficients", "1", "Coefficients of the caller's own", "number",               \
            PH_FIELD_CONSTANT | PH_FIELD_LIST, 1, (own).count, 1, FIELD1(*(own).numbers) \
    }

/* PH_BAD_STEP unless h is finite, PH_NO_MEMORY. */
ph_status ph_system_make(ph_system **out, const system_parts *parts);

/* ---- systems from snapshots: snapshot.c --------------------------------------------- */

enum { SYSTEM_NAME = 160 };

/* What the system of a snapshot is made of: names and a step. */
typedef struct system_source {
    char kind[SYSTEM_NAME], problem[SYSTEM_NAME], integrator[SYSTEM_NAME];
    double h;
    const unsigned char *bytes;      /* of the snapshot */
    size_t size, parameters, fields; /* of the bytes, and where these begin in them */
    const ph_problem *own;           /* of the caller, of this name; or NULL */
} system_source;

/* The values of all parameters, or the components of a field one after the other, from a
 * snapshot; false if it has none of these names and numbers. */
bool ph_snapshot_parameters(const system_source *s, const ph_parameter *parameters,
                            int count, double *values);
bool ph_snapshot_field(const system_source *s, const char *name, int width, size_t count,
                       double *const to[]);

/* The entries of a field, 0 if there is none. */
size_t ph_snapshot_count(const system_source *s, const char *name);

/* The caller's own coefficients of a snapshot, if it has any; false if they are none. */
bool ph_snapshot_coefficients(const system_source *s, custom_parts *own);

/* ---- settings: settings.c ---------------------------------------------------------- */

/* Writes the message of the settings, if they have one, and returns `status`. The text of a
 * setting of the start, or of the tolerance, begins with its name. */
__attribute__((format(printf, 4, 5))) ph_status
ph_settings_refuse(const ph_system_settings *s, ph_status status, int setting,
                   const char *format, ...);

/* The same, where a value is wrong: its name, its numbers and `why`. */
ph_status ph_settings_refuse_value(const ph_system_settings *s, ph_status status,
                                   int setting, const char *why);

__attribute__((format(printf, 3, 4))) void
ph_settings_warn(const ph_system_settings *s, int setting, const char *format, ...);

/* The number of the setting of that name, PH_SETTING_NONE if there is none; and its numbers,
 * or NULL, with how many there are unless `count` is NULL. */
int ph_settings_find(const ph_system_settings *s, const char *name);
const double *ph_settings_values(const ph_system_settings *s, const char *name,
                                 size_t *count);

/* Checks the names and counts of all settings against a problem of a kind, and the ranges
 * of parameters, which are written to `value`. */
ph_status ph_settings_take(const ph_system_settings *s, const struct ph_kind *kind,
                           const ph_problem_facts *p, double *value);

/* Refuses more entries than the settings allow. */
ph_status ph_settings_limit(const ph_system_settings *s, const struct ph_kind *kind,
                            double entries);

/* Gives an integrator the tolerance and the longest step of the settings; NULL: none of this
 * kind takes them. */
ph_status ph_settings_tolerance(const ph_system_settings *s, ph_integrator *i);

/* The integrator of the settings, of bodies and molecules, or that of the name
 * `recommended`. `own` is all zero, and keeps the caller's own coefficients. */
ph_status ph_settings_integrator(const ph_system_settings *s, const char *recommended,
                                 custom_parts *own, ph_integrator *out);

/* As ph_custom_integrator(), with what is wrong with a name that stands for none; and what
 * is wrong with one that composes the whole step of what has this order and keeps this:
 * integrators.c. */
ph_status ph_integrator_find(const char *name, custom_parts *own, ph_integrator *out,
                             char text[PH_MESSAGE]);
void ph_say_not_composable(char text[PH_MESSAGE], const char *name, int order,
                           unsigned keeps);

/* ---- kinds ------------------------------------------------------------------------- */

/* Errors that comparisons tell apart: of velocities or momenta, of places or attitudes. */
enum { ERROR_SPEED, ERROR_PLACE, ERROR_COUNT };

/* A kind of system: one descriptor in each src/FOLDER/NAME_system.c, which the build finds. */
typedef struct ph_kind {
    const char *name;
    const char *what;       /* in messages: "one body" */
    const char *entries[2]; /* for people: one of its entries, and many: "spheres" */
    const char *state_note; /* what the state is made of */
    bool rows_of_each;      /* a row for each entry, or frames; and steps take long */
    const char *drift;      /* the flow that schemes stand over: "exact" */
    /* Problems of the caller's own, ph_problem, may be of this kind; with or without a
     * force, which moves the centre of mass. */
    bool own_problems, moving_centre;
    const ph_start_field *start; /* settings of the start that it takes */
    size_t start_count;

    /* ---- its problems and methods: the facts of number i but for the kind; false past the
     * last. Without methods schemes over flows are all there is. */
    bool (*problem)(size_t i, ph_problem_facts *out);
    bool (*method)(size_t i, ph_method_facts *out);

    /* Whether a name stands for an integrator of this kind alone; NULL: none does. */
    bool (*integrates)(const char *name);

    /* A system from settings, whose problem is one of this kind. */
    ph_status (*create)(const ph_system_settings *settings, ph_system **out);

    /* A system of the names, parameters and constants of a snapshot, its state not yet.
     * PH_UNKNOWN_NAME, PH_OTHER_SNAPSHOT. */
    ph_status (*open)(ph_system **out, const system_source *from);

    /* ---- of `self` */

    /* One step from the time t to `end`, h later; the state is untouched unless PH_OK. */
    ph_status (*step)(void *self, double t, double h, double end);

    /* Of systems that choose their steps, else NULL: one step from *t towards the time
     * `end`, not beyond it, after which *t is the time; the state is untouched unless
     * PH_OK. And the state at a time within the last step, where it stays, if `stay`, as
     * if the step had ended there; else it is taken back later. */
    ph_status (*advance)(void *self, double *t, double end);
    ph_status (*within)(void *self, double t, bool stay);

    /* Brings the fields that are shown up to date with those of the state; NULL: they are
     * the same. */
    void (*show)(void *self, double t);

    /* The shown fields were written by the caller: the state from them, or what is wrong
     * with them. */
    ph_status (*accept)(void *self, double t);

    /* Fields of the state were written, by a snapshot or to take a step back: forgets what
     * was computed of the old ones; or NULL. */
    void (*restored)(void *self);

    /* All observables at the time t; the first is the energy. */
    void (*observe)(void *self, double t, reading *out);

    void (*free)(void *self);

    /* The momentum of an angular velocity; NULL where the velocity is no derived field. */
    ph_vec3 (*momentum)(const void *self, double t, ph_vec3 velocity);

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

/* All kinds, in the order of tools/catalog.cmake: kinds.c. */
const ph_kind *const *ph_kinds(size_t *count);

/* The kind of that name, or NULL: settings.c. */
const ph_kind *ph_kind_named(const char *name);

/* The kind of a system, and what belongs to it. */
const ph_kind *ph_kind_of(const ph_system *s);
void *ph_system_self(const ph_system *s);
