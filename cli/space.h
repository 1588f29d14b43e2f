/* space.h - what can move: one body, spheres, molecules.
 *
 * `run`, `compare` and `list` know spaces only through this descriptor. A world is a
 * problem with its parameters and its start as told, the state that moves, and what is
 * watched in it; only its space knows what is inside. An integrator is what a name stands
 * for in a space, memory of its own that free() releases.
 *
 * A new space is a file with a descriptor, and a row of `spaces` in space.c.
 */
#ifndef POLHODE_CLI_SPACE_H
#define POLHODE_CLI_SPACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "entry.h"
#include "io/outfile.h"
#include "io/record.h"
#include "told.h"

/* Is told of the start of a run and of every step; the world holds the state. Returning
 * false ends the run there. */
typedef bool space_watcher(void *context, long step, double t);

/* What compare measures errors of: velocities or momenta, and positions or attitudes. */
enum { ERROR_SPEED, ERROR_PLACE, ERROR_COUNT };

typedef struct space {
    const char *name; /* in lists */
    const char *what; /* in messages: "one body" */
    bool frames;      /* can be written as extended XYZ; and its steps take long */

    /* ---- its problems and methods; the lists of all spaces say whose they are */
    entry (*problem)(size_t i);
    entry (*method)(size_t i);

    /* ---- a world, and integrators for it. These report what is wrong and return its
     * exit status, or 0. */
    int (*make)(const scenario *told, void **world); /* its problem is one of these */
    bool (*takes)(scenario_key key); /* whether a start in this space is told by it */
    void (*discard)(void *world);
    int (*choose)(const void *world, const char *place, const char *name,
                  void **integrator);
    int (*order)(const void *integrator); /* PH_EXACT: no truncation error */

    /* ---- moving: from the start of the world to its end state */
    ph_status (*run)(void *world, const void *integrator, double h, long steps,
                     space_watcher *watch, void *context, long *taken);
    double (*energy)(const void *world);
    bool (*watch)(void *world, double energy); /* its invariants, in the state as it is;
                                                  false if one is not finite */

    /* ---- what is shown: rows, the state, the invariants */
    const char *(*columns)(const void *world); /* comma-separated, the world's */
    void (*write)(const void *world, double t, double energy, record *rows);
    void (*print_state)(outfile *out, const void *world, double t);
    json_t *(*state_json)(const void *world);
    void (*print_kept)(outfile *out, const void *world);
    json_t *(*kept_json)(const void *world);

    /* ---- comparing */
    const char *error_names[ERROR_COUNT];   /* "momentum", "attitude" */
    const char *error_text;                 /* "|m - m*|/|m*| and |q - q*|" */
    const char *(*fine)(const void *world); /* the integrator of a reference solution */
    bool (*exact)(void *world,
                  double t);   /* or NULL: to the exact state, if there is one */
    void (*keep)(void *world); /* the state is the right one from now on */
    void (*errors)(const void *world, double error[ERROR_COUNT]); /* of the state */
    double (*rounding)(const void *world, double t); /* errors below are round-off */
    void (*count)(void *world, unsigned long long *kicks); /* them; NULL: no more */
    void (*describe)(const void *world, char *text, size_t size); /* for a picture */
} space;

/* All, up to NULL. */
extern const space *const spaces[];

/* The problems and the methods of all spaces, one space after the other. */
entry space_problem(size_t i);
entry space_method(size_t i);

/* The space of the problem that is told, and that problem's name: 0, or the exit status
 * of the error that was reported: there is no such problem, or something is told that
 * does not belong to it. */
int space_find(const scenario *told, const space **found, const char **problem);

/* Sets the parameters of a problem as they are told; 0 or the exit status. */
int space_parameters(const scenario *told, const char *problem,
                     const ph_parameter *parameters, int count, double *value);

/* An integrator that was found, in memory of its own; 0 or the exit status. */
int space_keep(const void *found, size_t size, void **integrator);

/* The order of an integrator of bodies. */
int space_order(const void *integrator);

/* Lines for people and JSON that all spaces have in common. */
void space_print_vector(outfile *out, const char *name, ph_vec3 v);
void space_print_kept(outfile *out, const char *name, const char *value, double error);

#endif
