/* molecules_table.c - bodies as lists of a scenario and as rows of a table. */
#include "molecules.h"

const molecules_group molecules_groups[GROUP_COUNT] = {
    [GROUP_POSITIONS] = {"positions", {"x", "y", "z"}, 3, true},
    [GROUP_MOMENTA] = {"momenta", {"px", "py", "pz"}, 3, false},
    [GROUP_ATTITUDES] = {"attitudes", {"q0", "q1", "q2", "q3"}, 4, false},
    [GROUP_ANGULAR_MOMENTA] = {"angular_momenta", {"m1", "m2", "m3"}, 3, false},
    [GROUP_MASSES] = {"masses", {"mass"}, 1, false},
    [GROUP_INERTIAS] = {"inertias", {"I1", "I2", "I3"}, 3, false},
    [GROUP_DIPOLES] = {"dipoles", {"d1", "d2", "d3"}, 3, false},
};

double *const *molecules_arrays(ph_molecules *s, int group)
{
    double *const *const arrays[GROUP_COUNT] = {
        [GROUP_POSITIONS] = s->x,    [GROUP_MOMENTA] = s->p,
        [GROUP_ATTITUDES] = s->q,    [GROUP_ANGULAR_MOMENTA] = s->m,
        [GROUP_MASSES] = &s->mass,   [GROUP_INERTIAS] = s->J,
        [GROUP_DIPOLES] = s->dipole,
    };
    return arrays[group];
}
