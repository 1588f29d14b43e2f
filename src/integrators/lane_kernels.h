/* lane_kernels.h - the torque of a problem in vectors, inside the loops of an integrator: how
 * a problem offers it, and how an integrator asks.
 *
 * A problem's file is compiled once more for each instruction set, as a kernel, if it has a part
 * for that, written with the vectors of simd.h:
 *
 *     #ifdef SIMD_VECTORS
 *     #include "integrators/extrapolation.h"
 *     ... LANE_KERNELS(heavy_top)
 *     #endif
 *
 * or TORQUE_KERNEL(spacecraft) {...} alone. lanes.c finds them by the torque.
 */
#pragma once

/* Of dop853: up to so many times the tolerance is accepted. */
enum { DOP853_STAGES = 12, DOP853_ORDER = 8, DOP853_ACCEPTED = 8 };

#ifndef __OPENCL_VERSION__
#include "base/isa.h"
#include "integrators/adaptive_run.h"

enum { MOST_SUBSTEPS = 16, FEWEST_COLUMNS = 3 };

/* The numbers of substeps: all eight columns, or seven whose weights are smaller. */
typedef enum columns_sequence { SEQUENCE_LONG, SEQUENCE_CALM, SEQUENCES } columns_sequence;

/* 1/(2 J1) ..., and 1/J3 - 1/J2, 1/J1 - 1/J3, 1/J2 - 1/J1. */
typedef struct free_body {
    double half[3], euler[3];
} free_body;

static inline free_body free_body_of(ph_vec3 J)
{
    return (free_body){{0.5 / J.x, 0.5 / J.y, 0.5 / J.z},
                       {1.0 / J.z - 1.0 / J.y, 1.0 / J.x - 1.0 / J.z, 1.0 / J.y - 1.0 / J.x}};
}

/* A step that is asked for, and its result. */
typedef struct extrapolation {
    const ph_problem *p; /* in principal axes */
    free_body body;
    columns_sequence sequence;
    int columns; /* the first ones of the sequence */
    double t, h;
    const double *y;  /* PH_UNKNOWNS at the start */
    double torque[3]; /* there, for kernels that take it at even points */
    double change[PH_UNKNOWNS], estimate[PH_UNKNOWNS]; /* of y; of the error of that */
    step_points *points;                               /* where the points are stored; or NULL */
} extrapolation;

/* The torque of a problem of time and attitude alone in lanes: by its own function or one by one. The
 * attitudes are of unit length. adaptive.c */
void ph_torque_lanes(const ph_problem *p, int first, int last, const double *t,
                     const double (*q)[PH_LANES], double (*torque)[PH_LANES]);

typedef void extrapolation_kernel(extrapolation *x);
typedef void torque_lanes_kernel(const ph_problem *p, int first, int last, const double *t,
                                 const double (*q)[PH_LANES], double (*torque)[PH_LANES]);

/* ---- one body a lane ------------------------------------------------------------------ */

/* PH_LANES problems in principal axes, that differ in body and parameters alone; NULL: none. */
typedef struct lane_problems lane_problems;
typedef struct lane_instants lane_instants;

/* The torque of each, with the bits of the problem's function. It changes only p->derived and
 * p->ahead. */
typedef void torque_each_kernel(lane_problems *p, lane_instants *at);

/* The most numbers that a kernel derives from the values of a problem, and from a time. */
enum { LANE_DERIVED = 8, LANE_AHEAD = 7 };

struct lane_problems {
    const ph_problem *p[PH_LANES];
    const ph_problem *like; /* one of them, in the frame of its body */
    VECTOR_ALIGNED double value[PH_PARAMETER_VALUES][PH_LANES];
    double J[3][PH_LANES], axes[4][PH_LANES];
    bool turned; /* the axes are not those of the bodies, in whose frames the torque is that of: */
    torque_each_kernel *in_body;
    /* What the kernel has derived from the values; false after a change of these. */
    bool is_derived;
    VECTOR_ALIGNED double derived[LANE_DERIVED][PH_LANES];
    /* What it has derived from the times of a step's stages, and the first and last of these times. The
     * numbers of all stages are computed together, so that none waits for the quotients of another. */
    double ahead[DOP853_STAGES][LANE_AHEAD][PH_LANES], from[PH_LANES], to[PH_LANES];
};

/* Where they are: the attitude of unit length. */
struct lane_instants {
    VECTOR_ALIGNED double t[PH_LANES];
    double q[4][PH_LANES], m[3][PH_LANES], w[3][PH_LANES];
    double torque[3][PH_LANES]; /* the result */
    /* The stage of a step, and the times of all its stages, which begin with stage 0; or NULL. */
    int stage;
    double (*stages)[PH_LANES];
};

/* Steps that are tried, and their results. */
typedef struct lane_attempts {
    lane_problems problems;
    torque_each_kernel *torque; /* or NULL: none acts */
    bool internal;              /* one of them has a momentum inside */
    VECTOR_ALIGNED double t[PH_LANES];
    double h[PH_LANES], y[PH_UNKNOWNS][PH_LANES], tolerance[PH_LANES];
    double change[PH_UNKNOWNS][PH_LANES], error[PH_LANES]; /* as step_factor() has it */
} lane_attempts;

typedef void attempts_kernel(lane_attempts *a);
KERNEL_DECLARE(attempts_kernel, dop853);

#ifdef SIMD_VECTORS
#include "motion/algebra.h"

/* Vectors and quaternions whose first numbers are at x, and the others in the rows after it. */
PART vdouble3 lane_vector(const double *x)
{
    return vec3(vload(x), vload(x + PH_LANES), vload(x + (size_t)2 * PH_LANES));
}

PART vdouble4 lane_quaternion(const double *x)
{
    return quat(vload(x), lane_vector(x + PH_LANES));
}

PART void store_vector(double *x, vdouble3 v)
{
    vstore(x, v.x);
    vstore(x + PH_LANES, v.y);
    vstore(x + (size_t)2 * PH_LANES, v.z);
}

/* J v, as ph_body_momentum() has it, of the lanes from r on. */
PART vdouble3 lane_inertia_times(const lane_problems *p, int r, vdouble3 v)
{
    const vdouble3 J = lane_vector(&p->J[0][r]);
    const vdouble4 axes = lane_quaternion(&p->axes[0][r]);
    if (p->turned)
        return rotate(axes, times(J, rotate(inverse(axes), v)));
    return times(J, v);
}
#endif

#define EACH_KERNEL(name)                                                                          \
    torque_each_kernel KERNEL(each_##name);                                                        \
    void KERNEL(each_##name)(lane_problems * p, lane_instants * at)

/* The head of the kernel of a torque in lanes. */
#define TORQUE_KERNEL(name)                                                                        \
    torque_lanes_kernel KERNEL(torque_##name);                                                     \
    void KERNEL(torque_##name)(const ph_problem *p, int first, int last, const double *t,          \
                               const double(*q)[PH_LANES], double(*torque)[PH_LANES])
#endif
