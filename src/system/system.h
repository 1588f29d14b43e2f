/* system.h - a system, inside. */
#ifndef POLHODE_SYSTEM_SYSTEM_H
#define POLHODE_SYSTEM_SYSTEM_H

#include "core/system.h"

enum { SYSTEM_NAME = 160 };

/* Sums over all times that were watched. All members are doubles or counts. */
typedef struct energy_sums {
    uint64_t count;
    double first, last, largest_error, mean_t, mean_e, spread_t, spread_both;
} energy_sums;

struct ph_system {
    const system_type *type;
    void *self;
    char problem[SYSTEM_NAME], integrator[SYSTEM_NAME];
    const ph_parameter *parameters;
    size_t parameter_count;
    const double *values;
    ph_field *fields;
    size_t field_count;
    ph_observable *observables;
    size_t observable_count;
    reading *readings; /* of the observables */
    double *saved;     /* the state, put aside */

    double h;
    uint64_t steps;
    double origin; /* the time is origin + (steps - origin_steps) h */
    uint64_t origin_steps;
    bool looking; /* at a time between two steps */
    double looked_at;
    bool stopped;      /* the observer has ended the run */
    ph_status refused; /* what is wrong with the state that the caller wrote last */
    const char *note;  /* the caller's, or NULL */
    bool watching;
    energy_sums energy;
};

/* What a snapshot says of the system it is of, in the bytes of the snapshot; made by
 * ph_snapshot_read(). */
typedef struct snapshot {
    const unsigned char *bytes;
    size_t size;
    char kind[SYSTEM_NAME], problem[SYSTEM_NAME], integrator[SYSTEM_NAME];
    size_t parameters, fields; /* where they begin */
    double h;
} snapshot;

/* PH_BAD_SNAPSHOT, PH_NEWER_SNAPSHOT. */
ph_status ph_snapshot_read(snapshot *out, const void *from, size_t size);

/* The values of a parameter, or the components of a field one after the other, `count` of
 * them to *to; false if it has none of that name and number. */
bool ph_snapshot_parameter(const snapshot *s, const char *name, int count, double *to);
bool ph_snapshot_field(const snapshot *s, const char *name, int width, size_t count,
                       double *const to[]);

/* The entries of a field, 0 if there is none. */
size_t ph_snapshot_count(const snapshot *s, const char *name);

/* Fields of the state were written: brings everything else in line. */
void ph_system_restored(ph_system *s);

#endif
