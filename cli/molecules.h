/* molecules.h - molecules as a scenario and options tell them. */
#ifndef POLHODE_CLI_MOLECULES_H
#define POLHODE_CLI_MOLECULES_H

#include "polhode/molecules.h"

#include "told.h"

/* The system, prepared and to be freed. Returns 0, or the exit status of the error it
 * reported. */
int molecules_make(const scenario *told, const char *problem, ph_molecules **out);

/* Whether it is told by a key. */
bool molecules_take(scenario_key key);

/* ---- one row for each body: molecules_table.c ------------------------------------ */

/* The arrays of a system that are columns of a table or lists of a scenario. */
typedef struct molecules_group {
    const char *list;      /* in a scenario: "positions" */
    const char *column[4]; /* in a table: "x", "y", "z" */
    int width;
    bool needed;
} molecules_group;

enum {
    GROUP_POSITIONS,
    GROUP_MOMENTA,
    GROUP_ATTITUDES,
    GROUP_ANGULAR_MOMENTA,
    GROUP_MASSES,
    GROUP_INERTIAS,
    GROUP_DIPOLES,
    GROUP_COUNT,
};
extern const molecules_group molecules_groups[GROUP_COUNT];

/* The arrays of a group, as many as it is wide. */
double *const *molecules_arrays(ph_molecules *s, int group);

/* The columns of the rows that a run writes. */
#define MOLECULES_COLUMNS "t,body,x,y,z,px,py,pz,q0,q1,q2,q3,m1,m2,m3,energy"

#endif
