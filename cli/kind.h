/* kind.h - the kinds of system that the tool knows: one body, spheres, molecules.
 *
 * A kind says how its systems are read from a scenario and made, and how two of them are
 * compared; everything else is made from the tables of a system (show.h). What is read is an
 * input, a problem with its parameters and its start; only its kind knows what is inside. An
 * integrator is what a name stands for in a kind, memory of its own that free() releases.
 *
 * A new kind is a file with a descriptor, `const system_kind kind_NAME = {`; the build finds it.
 */
#ifndef POLHODE_CLI_KIND_H
#define POLHODE_CLI_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "entry.h"
#include "io/outfile.h"
#include "polhode/system.h"
#include "told.h"

/* What compare measures errors of: velocities or momenta, and positions or attitudes. */
enum { ERROR_SPEED, ERROR_PLACE, ERROR_COUNT };

typedef struct system_kind {
    const char *name;  /* in lists; of systems */
    const char *what;  /* in messages: "one body" */
    bool rows_of_each; /* a row for each entry, or frames of extended XYZ; and steps take
                        * long */

    /* ---- its problems and methods; the lists of all kinds say whose they are */
    entry (*problem)(size_t i);
    entry (*method)(size_t i);

    /* ---- an input, and integrators for it. These report what is wrong and return its
     * exit status, or 0. */
    int (*read)(const scenario *told, void **input); /* its problem is one of these */
    bool (*accepts_key)(
        scenario_key key); /* whether a start of this kind is told by it */
    void (*free)(void *input);
    int (*choose)(const void *input, const char *place, const char *name,
                  void **integrator);
    int (*order)(const void *integrator); /* PH_EXACT: no truncation error */

    /* ---- a system from the start of the input; options as for ph_system_of_body() */
    ph_status (*make)(const void *input, const void *integrator, double h,
                      unsigned options, ph_system **out);
    void (*print_state)(outfile *out, ph_system *s); /* for people */

    /* ---- comparing */
    const char *error_names[ERROR_COUNT]; /* "momentum", "attitude" */
    const char *error_text;               /* "|m - m*|/|m*| and |q - q*|" */
    bool absolute_places;                 /* errors of places are not relative */
    const char *(*reference_integrator)(const void *input);
    /* A system in the exact state at the time t, if there is one; or NULL. */
    ph_system *(*exact)(const void *input, double t);
    double (*round_off)(const void *input, const ph_system *end, double t);
    void (*describe)(const void *input, char *text, size_t size); /* for a picture */
} system_kind;

/* All, up to NULL. */
extern const system_kind *const kinds[];

/* The problems and the methods of all kinds, one kind after the other. */
entry kind_problem(size_t i);
entry kind_method(size_t i);

/* The kind of the problem that is told, and that problem's name: 0, or the exit status of
 * the error that was reported: there is no such problem, or something is told that does not
 * belong to it. */
int kind_find(const scenario *told, const system_kind **found, const char **problem);

/* The kind of a system. */
const system_kind *kind_of(const ph_system *s);

/* Sets the parameters of a problem as they are told; 0 or the exit status. */
int kind_parameters(const scenario *told, const char *problem,
                    const ph_parameter *parameters, int count, double *value);

/* An integrator that was found, in memory of its own; 0 or the exit status. */
int kind_keep(const void *found, size_t size, void **integrator);

/* The order of an integrator of bodies. */
int kind_order(const void *integrator);

#endif
