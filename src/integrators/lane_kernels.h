/* lane_kernels.h - the torque of a problem in vectors, inside the loops of an integrator: how
 * a problem offers it, and how an integrator asks.
 *
 * A problem's file is compiled once more for each instruction set, as a kernel, if it has a part
 * for that, written with the vectors of simd.h:
 *
 *     #ifdef SIMD_VECTORS
 *     #include "integrators/extrapolation.h"
 *     ... LANE_KERNELS(heavy_top)
 *     #else
 *     ... PROBLEM_KERNELS(heavy_top)
 *     ... .kernels = &kernels,
 *     #endif
 */
#pragma once

#include "base/isa.h"
#include "polhode/adaptive.h"

enum { MOST_SUBSTEPS = 16, FEWEST_COLUMNS = 3 };

/* The numbers of substeps: all eight columns, or seven whose weights are smaller. */
typedef enum columns_sequence {
    SEQUENCE_LONG,
    SEQUENCE_CALM,
    SEQUENCES
} columns_sequence;

/* 1/(2 J1) ..., and 1/J3 - 1/J2, 1/J1 - 1/J3, 1/J2 - 1/J1. */
typedef struct free_body {
    double half[3], euler[3];
} free_body;

static inline free_body free_body_of(ph_vec3 J)
{
    return (free_body){
        {0.5 / J.x, 0.5 / J.y, 0.5 / J.z},
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
} extrapolation;

/* The torque of a problem of time and attitude alone in lanes: by its own function or one by one. The
 * attitudes are of unit length. adaptive.c */
void ph_torque_lanes(const ph_problem *p, int first, int last, const double *t,
                     const double (*q)[PH_LANES], double (*torque)[PH_LANES]);

typedef void extrapolation_kernel(extrapolation *x);
typedef void torque_lanes_kernel(const ph_problem *p, int first, int last,
                                 const double *t, const double (*q)[PH_LANES],
                                 double (*torque)[PH_LANES]);

/* What a problem offers that knows its torque in vectors; only where the torque is still the
 * one that these are of. */
struct ph_lane_kernels {
    ph_vec3 (*of)(const ph_problem *p, const ph_instant *now);
    /* With the torque inside the loop, in principal axes, as the torque then is; or NULL. */
    extrapolation_kernel *columns;
    torque_lanes_kernel *torque; /* as torque_lanes of a problem */
};

static inline const struct ph_lane_kernels *kernels_of(const ph_problem *p)
{
    return p->kernels != NULL && p->kernels->of == p->torque ? p->kernels : NULL;
}

static inline extrapolation_kernel *columns_of_problem(const ph_problem *p)
{
    return kernels_of(p) != NULL ? kernels_of(p)->columns : NULL;
}

/* The function that has the torque in lanes; NULL: there is none. */
static inline torque_lanes_kernel *lanes_of(const ph_problem *p)
{
    return p->torque_lanes != NULL ? p->torque_lanes
           : kernels_of(p) != NULL ? kernels_of(p)->torque
                                   : NULL;
}

/* `kernels` of the file of a problem: these, for the instruction set of this machine. */
#define PROBLEM_KERNELS(name)                                                            \
    KERNEL_DECLARE(extrapolation_kernel, columns_##name);                                \
    KERNEL_DECLARE(torque_lanes_kernel, torque_##name);                                  \
    static void run_columns(extrapolation *x)                                            \
    {                                                                                    \
        static extrapolation_kernel *const sets[ISA_COUNT] =                             \
            KERNEL_TABLE(columns_##name);                                                \
        sets[ph_isa()](x);                                                               \
    }                                                                                    \
    TORQUE_IN_LANES(name)                                                                \
    static const struct ph_lane_kernels kernels = {torque, run_columns, torque_in_lanes};

/* The same of a problem without columns. */
#define PROBLEM_LANES(name)                                                              \
    KERNEL_DECLARE(torque_lanes_kernel, torque_##name);                                  \
    TORQUE_IN_LANES(name)                                                                \
    static const struct ph_lane_kernels kernels = {torque, NULL, torque_in_lanes};

#define TORQUE_IN_LANES(name)                                                            \
    static void torque_in_lanes(const ph_problem *p, int first, int last,                \
                                const double *t, const double(*q)[PH_LANES],             \
                                double(*torque)[PH_LANES])                               \
    {                                                                                    \
        static torque_lanes_kernel *const sets[ISA_COUNT] = KERNEL_TABLE(torque_##name); \
        sets[ph_isa()](p, first, last, t, q, torque);                                    \
    }
