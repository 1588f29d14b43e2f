/* workspace.h - what a run on spheres carries along, and vectors in tangent planes. */
#pragma once

#include <stdint.h>

#include "polhode/spheres.h"
#include "rotation/vec.h"

/* Arrays of n vectors that a step may use as it likes. */
enum { SPHERE_VECTORS = 14 };

struct ph_spheres {
    ph_spheres_problem p;
    ph_spheres_integrator i;
    int n;
    void *block;     /* all arrays are parts of it */
    bool coupled;    /* by a mass matrix with elements off the diagonal */
    double *mass;    /* n elements on the diagonal; or all n x n */
    double *inverse; /* of a coupled mass matrix, n x n */
    double *factor;  /* Cholesky's of the reduced system, 2n x 2n; not for n = 2 */
    double *dense;   /* for Newton in n or 2n unknowns: DENSE_DOUBLES(n) */
    double *memory;  /* the problem's */
    ph_vec3 *frame;  /* two vectors that span each tangent plane */
    ph_vec3 *known_q, *gradient, *angular_velocity; /* forces at known_q, if known */
    double potential;
    bool known;
    uint64_t evaluations; /* of the forces */
    ph_vec3 *vectors[SPHERE_VECTORS];
    ph_vec3 *scratch;           /* of solve.c and spheres.c, not of methods */
    ph_vec3 *next_q, *next_w;   /* the new state, before it is one */
    ph_quat *turn;              /* the rotations of the last step */
    ph_vec3 *first_q, *first_w; /* where the stages of a composition began */
    ph_quat *whole_turn;        /* the rotations of its stages so far */
    bool turned;                /* the method gave them */
};

/* Enough for 2n unknowns with their matrix and n x n vectors. */
#define DENSE_DOUBLES(n) (8 * (n) * (n) + 16 * (n))

static inline double mass_of(const ph_spheres *s, int i, int j)
{
    return s->coupled ? s->mass[(size_t)i * (size_t)s->n + (size_t)j]
                      : (i == j ? s->mass[i] : 0.0);
}

/* w x q, the velocity; and v less its part along q. */
static inline ph_vec3 velocity_of(ph_vec3 q, ph_vec3 w)
{
    return cross(w, q);
}

static inline ph_vec3 tangential(ph_vec3 q, ph_vec3 v)
{
    return sub(v, scale(dot(q, v), q));
}

/* The w, orthogonal to q, with w x q = v. */
static inline ph_vec3 spin_of(ph_vec3 q, ph_vec3 v)
{
    return tangential(q, cross(q, v));
}

/* q brought to unit length, to first order: it is of unit length but for round-off. The
 * squares are taken from 1 one after the other, as their sum would be rounded to one side
 * of 1 more coarsely than to the other, and momenta would drift. */
static inline ph_vec3 renormalize_direction(ph_vec3 q)
{
    const double unit_defect = (1.0 - q.x * q.x) - (q.y * q.y + q.z * q.z);
    return add(q, scale(0.5 * unit_defect, q));
}
