/* workspace.h - what a run on spheres carries along, vectors in tangent planes, and what
 * methods share: forces kept from call to call, the mass matrix solved for accelerations, the
 * end of a step. */
#pragma once

#include <stdint.h>

#include "kinds/spheres/stepping.h"
#include "motion/vec.h"

/* Arrays of n vectors, one behind the other, that a step may use as it likes. */
enum { SPHERE_VECTORS = 15 };

struct ph_spheres {
    ph_spheres_problem p;
    ph_integrator i;
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

/* The whole number from 1 to `most` that a parameter is, or 0 if it is none. */
static inline int whole(double value, int most)
{
    if (value >= 1.0 && value <= most && value == (int)value)
        return (int)value;
    return 0;
}

static inline double mass_of(const ph_spheres *s, int i, int j)
{
    if (s->coupled)
        return s->mass[(size_t)i * (size_t)s->n + (size_t)j];
    return i == j ? s->mass[i] : 0.0;
}

/* v less its part along q. */
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

/* dV/dq at q: computed unless it was for the same q just before. And the rates g of a
 * first-order problem. The arrays live until the next call. */
const ph_vec3 *ph_spheres_gradient(ph_spheres *s, const ph_vec3 *q);
const ph_vec3 *ph_spheres_angular_velocity(ph_spheres *s, const ph_vec3 *q);

/* Prepares ph_spheres_solve for a configuration; false if it cannot be. */
bool ph_spheres_factor(ph_spheres *s, const ph_vec3 *q);

/* The tangential a_i with  P_i sum_j M_ij a_j = P_i r_i,  P_i = 1 - q_i q_i^T, at the q
 * that was prepared. a may be r. */
void ph_spheres_solve(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *r, ph_vec3 *a);

/* sum_j M_ij x_j */
ph_vec3 ph_spheres_mass_times(const ph_spheres *s, int i, const ph_vec3 *x);

/* The slope of the state: angular velocity and acceleration where there are both; for a
 * first-order problem u = g and a is not touched. u and a of w and q themselves. */
ph_status ph_spheres_slope(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, ph_vec3 *u,
                           ph_vec3 *a);

/* Makes next_q and next_w the state, PH_NOT_FINITE and the state untouched if they are
 * none. next_q is of unit length already: where the forces at it are known, they are
 * those of the next step. */
ph_status ph_spheres_commit_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w);

/* Whether no component is infinite or NaN. */
static inline bool finite_vectors(int n, const ph_vec3 *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i].x + v[i].y + v[i].z;
    return isfinite(sum);
}

/* ---- dense matrices, n x n and row-major, in the caller's memory ------------------ */

/* Overwrites the lower triangle of A with its Cholesky factor; false unless A is positive
 * definite to working precision. */
bool ph_cholesky(int n, double *A);

/* Overwrites b with the x that L L^T x = b. */
void ph_cholesky_solve(int n, const double *L, double *b);
