/* system.h - what a system of molecules keeps beside its public arrays. */
#pragma once

#include "kinds/molecules/laws.h"
#include "kinds/molecules/molecule_bodies.h"

/* ---- cells --------------------------------------------------------------------------- */

/* Bodies sorted into the cells of a grid, so that what is near is found near. Cell
 * (c0, c1, c2) is number c0 + count0 (c1 + count1 c2); its bodies are order[k] for
 * first[cell] <= k < first[cell + 1]. */

/* Three cells along each edge, in any case. */
enum { FEWEST_CELLS = 27 };

/* How many cells a grid of n bodies may have. */
static inline size_t cells_most(size_t n)
{
    return n + FEWEST_CELLS;
}

typedef struct cells {
    size_t count[3], total;
    double low[3], size[3]; /* the box that is divided */
    bool periodic;
    size_t *first; /* cells_most(n) + 1 of them */
    size_t *order; /* n */
    size_t *home;  /* n: the cell of each body */
} cells;

/* ---- a system ------------------------------------------------------------------------ */

/* Arrays of the state: x, p, q, m. */
enum { STATE_ARRAYS = 13 };

/* What a kick with a force gradient keeps: x, q, forces, torques. */
enum { KEPT_ARRAYS = 13 };

/* What ph_molecules_create() makes. */
typedef struct molecules_work {
    ph_molecules molecules; /* the first member */
    void *memory;           /* of all arrays */
    pairs_kernel *kernel;   /* of the law, for the instruction set of this machine */
    bool prepared;
    uint64_t evaluations; /* of the forces */
    bool fresh;           /* whether forces, torques and potential are those of the state */
    pair_numbers law;
    double energy, tolerance;     /* at the start, and how far it may go: a field */
    double *before[STATE_ARRAYS]; /* the state a step began with */
    double *kept[KEPT_ARRAYS];    /* of a kick with a force gradient */
    struct thermostat *bath;      /* or NULL */
    pair_bodies bodies;           /* in their own order */
    pair_bodies sorted;           /* the same in the order of the cells */
    pair_sums *sums;              /* of blocks or rows of cells */
    double virial;                /* of the centres, with the forces */
    cells grid;
} molecules_work;

static inline molecules_work *work_of(const ph_molecules *s)
{
    return (molecules_work *)s;
}

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

static inline void set_vec3(double *const to[3], size_t i, ph_vec3 v)
{
    to[0][i] = v.x;
    to[1][i] = v.y;
    to[2][i] = v.z;
}

static inline void set_quat(double *const to[4], size_t i, ph_quat q)
{
    to[0][i] = q.w;
    to[1][i] = q.x;
    to[2][i] = q.y;
    to[3][i] = q.z;
}

static inline bool in_a_box(const ph_molecules *s)
{
    return s->box.x != 0.0 || s->box.y != 0.0 || s->box.z != 0.0;
}

/* Its momenta, LINEAR or ANGULAR. */
struct momenta;
bool ph_molecules_momenta(const ph_molecules *s, int kind, struct momenta *out);

/* Whether an integrator is a scheme over a flow. */
bool ph_molecules_applicable(const ph_integrator *i);

/* Evaluates forces, torques and potential of the state. */
void ph_molecules_forces(ph_molecules *s);

/* The kinetic energy. */
double ph_molecules_kinetic(const ph_molecules *s);

/* The nearest of the pairs that are less than `below` apart; false if there is none. */
bool ph_molecules_nearest(ph_molecules *s, double below, ph_molecules_pair *out);
