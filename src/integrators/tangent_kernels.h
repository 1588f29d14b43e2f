/* tangent_kernels.h - columns of derivatives in vector lanes: how a problem gives the derivatives
 * of its torque at several points at once, and how a method moves the columns over a step.
 *
 * A problem's file that is compiled as a kernel may have
 *
 *     SLOPES_KERNEL(heavy_top) {...}
 *
 * which writes x->slopes of the points of x. lanes.c finds the kernel by the torque. A method that
 * chooses its steps has a kernel that moves all columns over a step (tangent_step). Lanes of the
 * first are points, lanes of the second are columns. No lane depends on another, so that the bits
 * are the same with every instruction set.
 */
#pragma once

#include <string.h>

#include "base/isa.h"
#include "integrators/adaptive_run.h"
#include "polhode/system.h"

/* What a motion may be differentiated by: a small rotation and the momentum of the start, the
 * tensor J11, J22, J33, J12, J13, J23, the numbers of the parameters. */
enum {
    BY_ROTATION,
    BY_MOMENTUM = 3,
    BY_INERTIA = 6,
    BY_PARAMETERS = 12,
    TANGENT_COLUMNS = BY_PARAMETERS + PH_PARAMETER_VALUES,
    TANGENT_ROOM = (TANGENT_COLUMNS + PH_LANES - 1) / PH_LANES * PH_LANES /* whole vectors */
};

/* For each column the small rotation of the attitude in the body, and then the change of m. */
typedef struct tangent {
    double x[6][TANGENT_ROOM];
} tangent;

static inline ph_vec3 tangent_theta(const tangent *t, int column)
{
    return (ph_vec3){t->x[0][column], t->x[1][column], t->x[2][column]};
}

static inline ph_vec3 tangent_m(const tangent *t, int column)
{
    return (ph_vec3){t->x[3][column], t->x[4][column], t->x[5][column]};
}

/* Copies the first columns, and more up to whole vectors. */
static inline void copy_columns(tangent *to, const tangent *from, int columns)
{
    const size_t count = (size_t)(columns + PH_LANES - 1) / PH_LANES * PH_LANES;
    for (int k = 0; k < 6; k++)
        memcpy(to->x[k], from->x[k], count * sizeof(double));
}

struct tangent_points;

/* All in the frame of the problem's body, be it principal or not. */
typedef struct tangent_run {
    const ph_problem *p;
    int columns;
    int by[TANGENT_COLUMNS]; /* what a column is by */
    unsigned wanted;         /* bits of ph_derivatives */
    int sources;             /* columns from here on are by more than the start */
    /* The derivatives of the torque in lanes; NULL: one point at a time. */
    void (*slopes)(struct tangent_points *x);
    /* The first of the three parameters that are the momentum of wheels in the body; -1: there are
     * none, or the internal momentum depends on parameters in another way. */
    int wheels;
    double K[9]; /* J^-1 */
    tangent now;
    tangent start; /* where the last step of a method began that chooses its steps */
} tangent_run;

/* The most points at which a field is evaluated at once: the substeps of a column of gbs. */
enum { TANGENT_POINTS = 16 };

/* A number at each point. */
typedef double point_row[TANGENT_POINTS];

/* Derivatives of the torque at points, in the frame of the body: by the attitude and the momentum,
 * row by row, by J11, J22, J33, J12, J13, J23 at constant w, and by each parameter value. */
typedef struct torque_slopes {
    point_row attitude[9], momentum[9], inertia[6][3], value[PH_PARAMETER_VALUES][3];
} torque_slopes;

/* Points of a step, and the field there. A column (theta, m) has the rates
 *
 *   theta' = theta x w + K m + velocity,   m' = D theta + F m + torque,   K = J^-1
 *
 * `velocity` and `torque` belong to one column: they are 0 for columns of the start. All of these
 * are multiplied by a length of time, of which each point has its own; w is not, and wk is. */
typedef struct tangent_points {
    const tangent_run *g;
    const ph_problem *p; /* in the frame of its body */
    unsigned wanted;     /* bits of ph_derivatives: a kernel need not write the others */
    bool principal;      /* K is diagonal, and the diagonal of F is 0: no torque depends on m */
    int count;
    int cleared; /* the first so many points have zeros for columns without source; begin with 0 */
    VECTOR_ALIGNED point_row t;
    point_row q[4], m[3], w[3];
    point_row internal[3]; /* the internal momentum, if there is one */
    torque_slopes slopes;
    bool by_inertia; /* the torque contains J, and slopes.inertia is set */
    point_row length, wk[3], K[9], D[9], F[9];
    double velocity[TANGENT_POINTS][3][TANGENT_ROOM], torque[TANGENT_POINTS][3][TANGENT_ROOM];
} tangent_points;

/* The derivatives of the torque, by the kernel of a problem; and the two parts of the rest, which
 * tangent_field.c has: attitudes and velocities, and after the derivatives the matrices and what
 * columns have of their own. */
typedef void slopes_kernel(tangent_points *x);
KERNEL_DECLARE(slopes_kernel, tangent_states);
KERNEL_DECLARE(slopes_kernel, tangent_matrices);

#define SLOPES_KERNEL(name)                                                                        \
    slopes_kernel KERNEL(slopes_##name);                                                           \
    void KERNEL(slopes_##name)(tangent_points * x)

/* The columns of a step of h. */
typedef struct tangent_step {
    const tangent_points *at;
    int columns, sources; /* columns from `sources` on have a velocity and a torque of their own */
    const tangent *from;  /* the columns at the start */
    double unit;          /* of m in the size of a column */
    /* Of gbs: a column of so many substeps, whose first point this is, and its weights in the
     * result and in the error; the last column comes first, and with one the sums end. */
    int substeps, first;
    bool last, ends;
    double weight[2];
    VECTOR_ALIGNED tangent change;
    tangent error, end; /* sums over columns of substeps, and the end of the last one */
    /* The result, and its largest error relative to a column. */
    tangent *to;
    double worst;
} tangent_step;

/* Begins a step, of which nothing else is set. */
static inline void tangent_step_begin(tangent_step *x, const tangent_run *g,
                                      const tangent_points *at, const tangent *from, tangent *to)
{
    x->at = at;
    x->columns = g->columns;
    x->sources = g->sources;
    x->from = from;
    x->to = to;
    x->worst = 0.0;
}

/* Columns multiplied by a matrix whose rows are these, in place. */
typedef struct tangent_product {
    const double *row[6];
    int columns;
    tangent *x;
} tangent_product;

typedef void product_kernel(tangent_product *p);
KERNEL_DECLARE(product_kernel, tangent_multiply);

typedef void tangent_kernel(tangent_step *x);
KERNEL_DECLARE(tangent_kernel, tangent_dop853);
KERNEL_DECLARE(tangent_kernel, tangent_gbs);

#ifdef SIMD_VECTORS
#include "base/simd.h"

enum { TANGENT_ROWS = 6 };

PART vdouble dot_row(double a, double b, double c, const vdouble *y)
{
    return (a * y[0] + b * y[1]) + c * y[2];
}

/* The rates at the point i of the columns from c on, whose values are y, times the length. */
PART void tangent_change(const tangent_step *x, int i, int c, bool principal, const vdouble *y,
                         vdouble *change)
{
    const tangent_points *a = x->at;
    const double w0 = a->wk[0][i], w1 = a->wk[1][i], w2 = a->wk[2][i];
    const point_row *K = a->K, *D = a->D, *F = a->F;
    change[0] = y[1] * w2 - y[2] * w1;
    change[1] = y[2] * w0 - y[0] * w2;
    change[2] = y[0] * w1 - y[1] * w0;
    for (int r = 0; r < 3; r++) {
        const int n = 3 * r, j = (r + 1) % 3, k = (r + 2) % 3;
        change[r] +=
            principal ? K[n + r][i] * y[3 + r] : dot_row(K[n][i], K[n + 1][i], K[n + 2][i], y + 3);
        change[3 + r] = dot_row(D[n][i], D[n + 1][i], D[n + 2][i], y) +
                        (principal ? F[n + j][i] * y[3 + j] + F[n + k][i] * y[3 + k]
                                   : dot_row(F[n][i], F[n + 1][i], F[n + 2][i], y + 3));
    }
    /* without columns that have them, sources are not set */
    const bool sources = x->sources < x->columns && c + LANES > x->sources;
    for (int r = 0; r < 3 && sources; r++) {
        change[r] += vload(&a->velocity[i][r][c]);
        change[3 + r] += vload(&a->torque[i][r][c]);
    }
}

PART vdouble column_size(const tangent *t, int c, double unit)
{
    vdouble size[2] = {vsplat(0.0), vsplat(0.0)};
    for (int n = 0; n < TANGENT_ROWS; n++)
        size[n / 3] = vmax(size[n / 3], vabs(vload(&t->x[n][c])));
    return vmax(size[0], (1.0 / unit) * size[1]);
}

/* The larger one of `worst` and the errors of the columns from c on relative to these, NaN left
 * out: a column may be NaN. */
PART double worse_of(const tangent_step *x, int c, vdouble error, const tangent *to, double worst)
{
    const vdouble relative = error / column_size(to, c, x->unit);
    for (int i = 0; i < LANES && c + i < x->columns; i++)
        worst = relative[i] > worst ? relative[i] : worst;
    return worst;
}

/* Calls tangent_columns() for all columns, a vector at a time. */
#define EACH_TANGENT_VECTOR(x)                                                                     \
    for (int c = 0; c < (x)->columns; c += LANES) {                                                \
        if ((x)->at->principal)                                                                    \
            tangent_columns(x, c, true);                                                           \
        else                                                                                       \
            tangent_columns(x, c, false);                                                          \
    }

/* The vectors at a point in lanes, and at one place of a table of rows. */
PART vdouble3 point_vector(point_row *row, int r)
{
    return (vdouble3){vload(&row[0][r]), vload(&row[1][r]), vload(&row[2][r])};
}

PART void store_point_vector(point_row *row, int r, vdouble3 v)
{
    vstore(&row[0][r], v.x);
    vstore(&row[1][r], v.y);
    vstore(&row[2][r], v.z);
}

/* A matrix by its columns. */
PART void store_point_matrix(point_row *row, int r, const vdouble3 *column)
{
    for (int k = 0; k < 3; k++) {
        vstore(&row[k][r], column[k].x);
        vstore(&row[3 + k][r], column[k].y);
        vstore(&row[6 + k][r], column[k].z);
    }
}
#endif
