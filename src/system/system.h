/* system.h - a system, inside. */
#pragma once

#include "system/kind.h"

/* Sums over all times that were watched. All members are doubles or counts. */
typedef struct energy_sums {
    uint64_t count;
    double first, last, largest_error, mean_t, mean_e, spread_t, spread_both;
} energy_sums;

struct ph_system {
    const ph_kind *kind;
    void *self;
    char problem[SYSTEM_NAME], integrator[SYSTEM_NAME];
    int order; /* of the integrator */
    const ph_parameter *parameters;
    size_t parameter_count;
    const double *values;
    const uint64_t *evaluations;
    ph_adaptive_numbers *adaptive;
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
    bool between_steps; /* the system is shown at a time between two steps */
    double shown_time;  /* that time */
    bool stopped;       /* the observer has ended the run */
    ph_status refused;  /* what is wrong with the state that the caller wrote last */
    const char *note;   /* the caller's, or NULL */
    bool watching;
    energy_sums energy;
};

/* What a snapshot says of the system it is of. PH_BAD_SNAPSHOT, PH_NEWER_SNAPSHOT. */
ph_status ph_snapshot_read(system_source *out, const void *from, size_t size);

/* Fields of the state were written: brings everything else in line. */
void ph_system_restored(ph_system *s);
