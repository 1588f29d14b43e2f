/* system.h - what a system of molecules keeps beside its public arrays. */
#pragma once

#include "molecules/cells.h"
#include "molecules/pairs.h"
#include "polhode/molecules.h"

/* Arrays of the state: x, p, q, m. */
enum { STATE_ARRAYS = 13 };

struct ph_molecules_work {
    void *memory;         /* of all arrays */
    pairs_kernel *kernel; /* of the law, for the instruction set of this machine */
    bool prepared;
    uint64_t evaluations; /* of the forces */
    bool fresh; /* whether forces, torques and potential are those of the state */
    pair_numbers law;
    double energy, tolerance;     /* at the start, and how far it may go */
    double *before[STATE_ARRAYS]; /* the state a step began with */
    pair_bodies bodies;           /* in their own order */
    pair_bodies sorted;           /* the same in the order of the cells */
    double *energies;             /* of blocks or rows of cells */
    cells grid;
};

/* The arrays of the state in their order. */
static inline void state_arrays(const ph_molecules *s, double *out[STATE_ARRAYS])
{
    for (int k = 0; k < 3; k++) {
        out[k] = s->x[k];
        out[3 + k] = s->p[k];
        out[6 + k] = s->m[k];
    }
    for (int k = 0; k < 4; k++)
        out[9 + k] = s->q[k];
}

static inline ph_vec3 vec3_at(double *const from[3], size_t i)
{
    return (ph_vec3){from[0][i], from[1][i], from[2][i]};
}

static inline ph_quat quat_at(double *const from[4], size_t i)
{
    return (ph_quat){from[0][i], from[1][i], from[2][i], from[3][i]};
}

static inline bool in_a_box(const ph_molecules *s)
{
    return s->box.x != 0.0 || s->box.y != 0.0 || s->box.z != 0.0;
}

/* Whether an integrator is a scheme over a flow, without a force gradient. */
bool ph_molecules_applicable(const ph_integrator *i);

/* Evaluates forces, torques and potential of the state. */
void ph_molecules_forces(ph_molecules *s);

/* The kinetic energy. */
double ph_molecules_kinetic(const ph_molecules *s);

/* The nearest of the pairs that are less than `below` apart; false if there is none. */
bool ph_molecules_nearest(ph_molecules *s, double below, ph_molecules_pair *out);
