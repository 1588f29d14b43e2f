/* system.h - what an adapter supplies to make a system of what it knows how to move:
 * functions and tables. src/system does the rest.
 */
#ifndef POLHODE_CORE_SYSTEM_H
#define POLHODE_CORE_SYSTEM_H

#include "polhode/system.h"

/* The value of an observable, and what its error counts relative to; 0: its start. */
typedef struct reading {
    double value[3];
    double size;
} reading;

typedef struct system_type {
    const char *kind;

    /* One step from the time t to `end`, h later; the state is untouched unless PH_OK. */
    ph_status (*step)(void *self, double t, double h, double end);

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

    /* How often forces or torques were computed. */
    uint64_t (*evaluations)(const void *self);

    void (*free)(void *self);
} system_type;

/* Everything that an adapter knows of a system when it is made. Arrays are copied, but for
 * what pointers in them point to; self is taken over, and freed if there is no memory. */
typedef struct system_parts {
    const system_type *type;
    void *self;
    double h;
    const char *problem, *integrator; /* names; "" for one of the caller's own */
    const ph_parameter *parameters;
    size_t parameter_count;
    const double *values;
    const ph_field *fields;
    size_t field_count;
    const ph_observable *observables;
    size_t observable_count;
} system_parts;

/* PH_BAD_STEP unless h is finite, PH_NO_MEMORY. */
ph_status ph_system_make(ph_system **out, const system_parts *parts);

#endif
