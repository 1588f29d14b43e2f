/* kind.h - the kinds of system that the tool runs: one body, spheres, molecules.
 *
 * A kind says how its systems are read from a scenario and made, and how two of them are
 * compared; everything else is made from the tables of a system (system_output.h). What is
 * read is a model, a problem with its parameters and its start; only its kind knows what is
 * inside. An integrator is what a name stands for in a kind, memory of its own that free()
 * releases.
 *
 * A new kind is a file kinds/NAME.c with a descriptor, `const system_kind kind_NAME = {`; the
 * build finds it.
 */
#pragma once

#include "cli/list/list.h"
#include "input.h"
#include "polhode/system.h"

/* What compare measures errors of: velocities or momenta, and positions or attitudes. */
enum { ERROR_SPEED, ERROR_PLACE, ERROR_COUNT };

typedef struct system_kind {
    const char *name;  /* in lists; of systems */
    const char *what;  /* in messages: "one body" */
    bool rows_of_each; /* a row for each entry, or frames; and steps take long */

    /* ---- its problems and methods; lists of all kinds add the name of the kind */
    entry (*problem)(size_t i);
    entry (*method)(size_t i); /* NULL: schemes over flows are all there is */

    /* ---- a model, and integrators for it. These report what is wrong and return its exit
     * status, or 0. */
    bool (*accepts_key)(scenario_key key); /* whether the key sets a start of this kind */
    int (*read)(scenario *input, void **model); /* its problem is one of these */
    void (*free)(void *model);
    int (*choose)(const void *model, const char *place, const char *name,
                  custom_parts *own, /* the user's own coefficients, or NULL; they last
                                        until the system is made */
                  void **integrator, int *order); /* PH_EXACT: no truncation error */

    /* Whether an integrator chooses its own steps, to the tolerance and with the longest
     * step that are given where they are not 0; NULL: none does. */
    bool (*chooses_steps)(void *integrator, double tolerance, double longest_step);

    /* ---- a system from the start of the model */
    ph_status (*make)(const void *model, const void *integrator, double h,
                      ph_system **out);
    const char *entries[2]; /* for people: one of its entries, and many: "spheres" */
    const char *state_note; /* what the state is made of */

    /* ---- comparing */
    const char *error_names[ERROR_COUNT];          /* "momentum", "attitude" */
    const char *error_text;                        /* "|m - m*|/|m*| and |q - q*|" */
    bool absolute_places;                          /* errors of places are not relative */
    const char *(*recommended)(const void *model); /* method, for people who name none */
    const char *(*reference_integrator)(const void *model);
    /* A system in the exact state at the time t, if there is one; or NULL. */
    ph_system *(*exact)(const void *model, double t);
    /* What rounding leaves of a motion; NULL: 1e-13, where it begins to grow at once. */
    double (*round_off)(const void *model, const ph_system *end, double t);
    void (*describe)(const void *model, char *text, size_t size); /* for a picture */
    /* Measures the seconds that a free motion over a time h and a torque take in a splitting;
     * false for other integrators, and without a torque. NULL: not known. */
    bool (*costs)(const void *model, const void *integrator, double h, double *motion,
                  double *torque);
} system_kind;

/* The i-th kind, from 0; NULL past the last. */
const system_kind *kind_at(size_t i);

/* The kind of a system. */
const system_kind *kind_of(const ph_system *s);

/* The problems and the methods of all kinds, one kind after the other. */
entry kind_problem(size_t i);
entry kind_method(size_t i);

/* The functions below return 0, or the exit status of the error they reported. */

/* The kind of the problem that is set, and that problem's name. Fails if there is no such
 * problem, or something is set that does not belong to it. */
int kind_find(const scenario *input, const system_kind **found, const char **problem);

/* Sets the parameters of a problem; tables, which are files, are left alone. */
typedef struct kind_parameter_rows {
    const ph_parameter *parameters;
    int count;
    const ph_parameter *tables;
    int table_count;
} kind_parameter_rows;
int kind_parameters(const scenario *input, const char *problem,
                    const kind_parameter_rows *rows, double *value);

/* A copy of an integrator that was found, in memory of its own. */
int kind_copy(const void *found, size_t size, void **integrator);
