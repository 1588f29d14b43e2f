/* adapter.h - what an adapter supplies to make a system of what it knows how to move:
 * functions and tables, and how one is made again by names or from a snapshot. src/system
 * does the rest.
 */
#pragma once

#include "polhode/system.h"
#include "system/custom.h"

/* The value of an observable, and what its error counts relative to; 0: its start. */
typedef struct reading {
    double value[3];
    double size;
} reading;

typedef struct system_type {
    const char *kind;

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
} system_type;

/* Everything that an adapter knows of a system when it is made. Arrays are copied, but for
 * what pointers in them point to; fields without entries are left out; self is taken over,
 * and freed if there is no memory. */
typedef struct system_parts {
    const system_type *type;
    void *self;
    double h;
    const char *problem, *integrator; /* names; "" for one of the caller's own */
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

/* ---- systems by names and from snapshots ----------------------------------------- */

enum { SYSTEM_NAME = 160 };

/* What a system is to be made of: names and a step; and the snapshot that they are from. */
typedef struct system_source {
    char kind[SYSTEM_NAME], problem[SYSTEM_NAME], integrator[SYSTEM_NAME];
    double h;
    const unsigned char *bytes;      /* of the snapshot; NULL: there is none */
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

/* A kind of system: one descriptor in each src/FOLDER/NAME_system.c. `open` makes a system of
 * names, with the parameters and constants of the snapshot if there is one, its state not
 * yet. PH_UNKNOWN_NAME where the problem is none of this kind; PH_OTHER_SNAPSHOT. */
typedef struct ph_kind {
    const char *name; /* as in system_type */
    ph_status (*open)(ph_system **out, const system_source *from);
} ph_kind;

/* All kinds, in the order of their files; src/system. */
const ph_kind *const *ph_kinds(size_t *count);
