/* generate.c - writes the cases of the test of rotation: cases/NAME.json, and all states in
 * cases.csv. `conformance/run --cases` compiles it with gcc and runs it.
 *
 *     generate FOLDER [NAME...]      all cases and FOLDER/cases.csv, or those named alone
 *
 * A case is a rigid body, perhaps with wheels and torques:
 *
 *     w = J^-1 (m - wheels),   m' = m x w + torque,   q' = q (0, w)/2          (body frame)
 *     torque = constant + amplitude sin(frequency t) - damping w
 *              + strength (R^T up) x centre            gravity on a top: U = strength up.(R centre)
 *              + 3 rate^2 u x J u                      gravity gradient in a circular orbit,
 *                                                      u = R^T (cos(rate t), sin(rate t), 0)
 *
 * Every state is computed twice in binary128 (34 digits), by two methods that share neither
 * formulas nor coordinates; the program fails unless they agree to 25 digits:
 *
 *   Taylor         series of order 44 for q, m and the vectors R^T up, u in the body, each step
 *                  as long as the series allows;
 *   extrapolation  Gragg, Bulirsch, Stoer with 10 columns for the matrix R and the angular
 *                  momentum in space, L' = R torque, with steps of its own.
 *
 * `condition` is the response of the attitude, in radians, to relative changes of the input: of
 * each moment, each component of the velocity, the time and the torque, summed, and 1 for the
 * attitude at the start. Input rounded to double alone causes an error of 1.1e-16 condition.
 * `velocity_condition` is the same response of the angular velocity, in its units.
 *
 * `radius` bounds the errors of the printed states. The tests prove it by an enclosure of the
 * solution in ball arithmetic, in which every number of the case is exact.
 *
 * `mistakes` has what programs with a usual mistake give, for the grader to recognise.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef _Float128 real;

/* An attitude within these radians has passed; so has a velocity within this part of the largest one. */
static const double BOUND = 1e-3;
static const double AGREEMENT = 1e-25;

/* ---- the cases --------------------------------------------------------------------- */

enum { TIMES = 10 };

typedef struct test_case {
    const char *name, *category, *title;
    double J[6]; /* moments; or the tensor xx, yy, zz, xy, xz, yz if one of the last is not 0 */
    double q[4]; /* to be normalised */
    double w[3];
    double time; /* of the last state; the others divide it evenly */
    double wheels[3], torque[3], amplitude[3], frequency, damping;
    double strength, up[3], centre[3], rate;
} test_case;

#define IDENTITY                                                                                   \
    {                                                                                              \
        1, 0, 0, 0                                                                                 \
    }
#define TURNED                                                                                     \
    {                                                                                              \
        0.6, -0.2, 0.5, 0.4                                                                        \
    }
#define TILTED                                                                                     \
    {                                                                                              \
        0.3, 0.8, -0.1, 0.5                                                                        \
    }
#define UPSIDE                                                                                     \
    {                                                                                              \
        -0.1, 0.7, 0.6, -0.2                                                                       \
    }

/* clang-format off */
static const test_case cases[] = {
    /* what each usual mistake changes most */
    {"detect_transposed_attitude", "detection", "an attitude written as space to body is wrong at once",
     {1, 1, 1}, TILTED, {0.1, 0.2, 0.3}, 1},
    {"detect_scalar_last", "detection", "a quaternion written as x, y, z, w is wrong at once",
     {1, 1, 1}, TURNED, {0.3, -0.2, 0.1}, 1},
    {"detect_space_velocity", "detection", "the velocity in space differs from that in the body from the start",
     {1, 2, 3}, UPSIDE, {0.5, 1, -0.7}, 1},
    {"detect_no_gyroscopic_term", "detection", "without the term w x Jw the velocity would stay",
     {1, 2, 3}, TURNED, {2, 1, 1.5}, 2},
    {"detect_left_handed", "detection", "turns about three axes, some of which a mirror reverses",
     {3, 1, 2}, {0.9, 0.1, 0.3, -0.2}, {1, -1.5, 2}, 2},
    {"detect_half_step", "detection", "the velocity changes fast: at another time it differs visibly",
     {1, 2.5, 3}, TILTED, {2, 3, 2.5}, 2},

    /* three different moments */
    {"brick", "triaxial", "a brick tumbles for a minute", {1, 2, 3}, IDENTITY, {0.4, 0.2, 2}, 60},
    {"brick_turned", "triaxial", "the brick from a general attitude", {1, 2, 3}, TURNED, {0.4, 0.2, 2}, 60},
    {"brick_ten_minutes", "triaxial", "the brick for ten minutes", {1, 2, 3}, TILTED, {0.4, 0.2, 2}, 600},
    {"brick_backward_order", "triaxial", "moments in descending order", {3, 2, 1}, UPSIDE, {2, 0.2, 0.4}, 60},
    {"first_axis", "triaxial", "next to the axis of the smallest moment", {1, 2, 3}, TILTED, {3, 0.1, 0.05}, 30},
    {"third_axis", "triaxial", "next to the axis of the largest moment", {1, 2, 3}, TURNED, {0.05, 0.1, 3}, 30},
    {"second_axis", "triaxial", "next to the middle axis: flips", {1, 2, 3}, UPSIDE, {0.01, 3, 0.02}, 20},
    {"racket", "triaxial", "a tennis racket thrown about its middle axis", {0.376, 0.627, 1}, IDENTITY, {0, 0.957, -0.08}, 40},
    {"racket_turned", "triaxial", "a tennis racket with another start", {0.376, 0.627, 1}, TURNED, {0.02, 4, 0.01}, 12},
    {"dzhanibekov", "triaxial", "1e-8 next to the unstable axis: a late flip", {1, 2, 3}, IDENTITY, {0, 2, 1e-8}, 30},
    {"spin_first", "triaxial", "about the first axis alone", {1, 2, 3}, TURNED, {2, 0, 0}, 10},
    {"spin_second", "triaxial", "about the unstable axis alone: stays there", {1, 2, 3}, TILTED, {0, 2, 0}, 6},
    {"spin_third", "triaxial", "about the third axis alone", {1, 2, 3}, UPSIDE, {0, 0, -2}, 10},
    {"separatrix", "triaxial", "exactly on the separatrix, 2 T J2 = |m|^2", {3, 4, 6}, TILTED, {2, 0.5, 1}, 8},
    {"satellite", "triaxial", "moments of a satellite in kg m^2", {17000, 37000, 54000}, TURNED, {0.15, -0.15, 0.15}, 300},
    {"cubesat", "triaxial", "moments of a small satellite in kg m^2", {0.0333, 0.0351, 0.0078}, UPSIDE, {0.2, -0.1, 0.5}, 120},
    {"water", "triaxial", "a water molecule, in u Angstrom^2 and ps", {0.615, 1.155, 1.77}, TILTED, {12, -7, 5}, 6},
    {"asteroid", "triaxial", "nearly equal moments, slow tumbling", {0.9, 0.95, 1}, TURNED, {0.3, 0.3, 0.1}, 240},

    /* two equal moments */
    {"prolate", "symmetric", "a long symmetric body", {2, 2, 1}, TURNED, {0.5, 0.3, 2}, 30},
    {"oblate", "symmetric", "a short symmetric body", {1, 1, 1.8}, TILTED, {0.5, -0.3, 2}, 30},
    {"prolate_about_first", "symmetric", "a long symmetric body whose axis is the first", {0.4, 1, 1}, UPSIDE, {4, 0.5, 0.2}, 30},
    {"disc", "symmetric", "a thin disc wobbles twice as fast as it spins", {1, 1, 2}, IDENTITY, {0.1, 0, 3}, 20},
    {"across_the_axis", "symmetric", "spins about an axis across that of symmetry", {1, 1, 1.6}, TURNED, {1.5, 1, 0}, 20},
    {"nearly_symmetric", "symmetric", "two moments 1e-4 apart", {1, 1.0001, 1.7}, TILTED, {0.4, 0.3, 2}, 60},
    {"barely_triaxial", "symmetric", "two moments 1e-8 apart", {1.00000001, 1, 0.6}, UPSIDE, {0.8, 0.3, 1}, 60},

    /* bodies at the ends of what there is */
    {"plate", "extreme", "flat: J1 + J2 = J3", {1, 1.5, 2.5}, TURNED, {0.7, 1.1, 0.3}, 30},
    {"needle", "extreme", "a needle, spinning about itself", {0.001, 1, 1.0005}, TILTED, {5, 0.3, 0.2}, 30},
    {"rod", "extreme", "a rod of nearly no thickness", {1e-4, 1, 1}, UPSIDE, {0.5, 1, -0.5}, 20},
    {"sphere", "extreme", "equal moments: the velocity stays", {1, 1, 1}, TURNED, {1, -0.5, 0.8}, 30},
    {"nearly_a_sphere", "extreme", "moments 1e-6 apart", {1, 1.000001, 0.999999}, TILTED, {1, 0.5, -0.8}, 60},
    {"at_rest", "extreme", "does not move", {1, 2, 3}, TURNED, {0, 0, 0}, 10},
    {"tiny_velocity", "extreme", "next to rest", {1, 2, 3}, UPSIDE, {1e-9, -2e-9, 3e-9}, 10},
    {"heavy_body", "extreme", "moments of 1e12", {1e12, 2e12, 2.5e12}, TILTED, {0.3, 0.6, 0.2}, 30},
    {"light_body", "extreme", "moments of 1e-12", {1e-12, 2e-12, 2.5e-12}, TURNED, {0.3, -0.6, 0.2}, 30},

    /* rates and times */
    {"fast", "rates", "100 rad/s", {1, 2, 3}, UPSIDE, {60, 20, 75}, 6},
    {"very_fast", "rates", "1000 rad/s", {1, 2, 3}, TURNED, {600, 200, 750}, 0.5},
    {"slow", "rates", "0.01 rad/s for twenty minutes", {1, 2, 3}, TILTED, {2e-3, 1e-3, 1e-2}, 1200},
    {"quarter_of_an_hour", "rates", "300 turns of a brick", {1, 2, 3}, TURNED, {0.4, 0.2, 2}, 900},
    {"long_time", "rates", "600 turns of a body", {1, 1.4, 2}, UPSIDE, {1, 0.8, 1.6}, 1800},

    /* full tensors of inertia */
    {"tensor", "tensor", "body axes that are not principal", {2, 3, 4, 0.3, -0.2, 0.5}, TURNED, {0.5, 1, -0.4}, 20},
    {"tensor_identity", "tensor", "body axes that are not principal, from the identity", {2, 3, 4, 0.3, -0.2, 0.5}, IDENTITY, {1, -0.3, 0.7}, 20},
    {"tensor_sign", "tensor", "large products of inertia: their sign counts", {2, 2.5, 3, -0.8, 0.6, 0.4}, TILTED, {0.2, 1.5, 0.6}, 20},
    {"tensor_symmetric", "tensor", "a symmetric body in other axes", {1.5, 1.5, 1.5, 0.25, 0.25, 0.25}, UPSIDE, {1, 0.2, -0.6}, 20},
    {"tensor_one_product", "tensor", "one product of inertia", {2, 3, 2.5, 0, 0, 0.7}, TURNED, {0.1, 2, 0.1}, 20},

    /* tops: gravity */
    {"lagrange_top", "top", "a symmetric top nutates", {5, 5, 1}, {0.97, 0.2, 0.1, 0}, {0, 0, 12}, 10,
     .strength = 8, .up = {0, 0, 1}, .centre = {0, 0, 1}},
    {"lagrange_cusps", "top", "a symmetric top released at rest but for its spin: cusps", {1, 1, 0.5}, {0.9, 0.4, 0, 0}, {0, 0, 10}, 6,
     .strength = 3, .up = {0, 0, 1}, .centre = {0, 0, 1}},
    {"regular_precession", "top", "a symmetric top precesses without nutation", {2, 2, 1},
     {0.8, 0.6, 0, 0}, {0, 0.96, 6.28}, 10, /* J3 w3 p - J1 p^2 cos(theta) = strength, p = 1, cos(theta) = 0.28 */
     .strength = 5.72, .up = {0, 0, 1}, .centre = {0, 0, 1}},
    {"sleeping_top", "top", "a fast top stays upright", {1, 1, 0.6}, IDENTITY, {0, 0, 8}, 5,
     .strength = 2, .up = {0, 0, 1}, .centre = {0, 0, 1}},
    {"waking_top", "top", "too slow to sleep, and disturbed: falls and rises", {1, 1, 0.6}, {1, 0.01, 0, 0}, {0, 0, 4}, 8,
     .strength = 2, .up = {0, 0, 1}, .centre = {0, 0, 1}},
    {"heavy_top", "top", "three moments, centre off all axes", {1, 1.6, 2.2}, TURNED, {0.5, -0.5, 0.5}, 10,
     .strength = 1.5, .up = {0, 0, 1}, .centre = {0.3, -0.2, 0.9}},
    {"hanging_body", "top", "a pendulum in three dimensions", {1, 1.2, 0.5}, {0.2, 0.95, 0.1, 0}, {0.3, 0.2, 0.5}, 10,
     .strength = 4, .up = {0, 0, 1}, .centre = {0, 0, 1}},

    /* wheels: a gyrostat */
    {"gyrostat", "wheels", "a satellite with a momentum wheel", {1, 2, 3}, TILTED, {0.1, 0.2, 0.3}, 30, .wheels = {0, 1.5, 0}},
    {"wheels_tumbling", "wheels", "a tumbling body with three wheels", {1, 1.5, 2}, TURNED, {1, -0.6, 0.8}, 20, .wheels = {0.4, -0.3, 0.7}},
    {"dual_spin", "wheels", "the wheel makes the middle axis stable", {1, 2, 3}, UPSIDE, {0.02, 1, 0.01}, 30, .wheels = {0, 3, 0}},

    /* gravity gradient in a circular orbit in the plane of x and y */
    {"gravity_gradient", "orbit", "a satellite librates", {1.2, 1, 0.7}, {0.99, 0.05, 0.08, 0.03}, {0.01, 0.02, 0.1}, 200, .rate = 0.1},
    {"gravity_gradient_pendulum", "orbit", "libration in the plane of the orbit: a pendulum", {0.5, 1, 1.2}, {0.95, 0, 0, 0.3}, {0, 0, 0.1}, 200, .rate = 0.1},
    {"gravity_gradient_tumbling", "orbit", "too fast to librate", {0.8, 1, 1.3}, TILTED, {0.3, -0.2, 0.1}, 100, .rate = 0.1},

    /* torques */
    {"body_torque", "torque", "a constant torque, fixed in the body", {1, 2, 3}, TURNED, {0.2, 0.1, -0.3}, 10, .torque = {0.1, 0.2, -0.1}},
    {"spin_up", "torque", "a thruster about the axis of a symmetric body", {1, 1, 1.5}, UPSIDE, {0.3, 0, 1}, 20, .torque = {0, 0, 0.15}},
    {"shaken", "torque", "a torque that oscillates", {1, 2, 3}, TILTED, {0.5, 0.5, 1}, 20, .amplitude = {0.3, -0.2, 0.5}, .frequency = 2},
    {"resonance", "torque", "a sphere driven about one axis", {1, 1, 1}, IDENTITY, {0, 0, 0}, 10, .amplitude = {0, 0.7, 0}, .frequency = 1.5},
    {"damped", "torque", "a drag torque -damping w", {1, 2, 3}, TURNED, {1, 0.5, 2}, 20, .damping = 0.2},
    {"damped_flip", "torque", "drag next to the middle axis", {1, 2, 3}, UPSIDE, {0.1, 3, 0.1}, 12, .damping = 0.1},
    {"everything", "torque", "wheels, gravity gradient, drag and an oscillating torque", {1, 1.4, 1.9}, TILTED, {0.4, -0.3, 0.5}, 20,
     .wheels = {0.1, 0.2, -0.1}, .torque = {0.02, 0, -0.01}, .amplitude = {0.1, 0, 0.1}, .frequency = 1, .damping = 0.05, .rate = 0.3},
};
/* clang-format on */

enum { CASES = sizeof cases / sizeof *cases };

/* ---- the body, in binary128 --------------------------------------------------------- */

enum mistake {
    NONE,
    NO_GYROSCOPIC,
    GYROSCOPIC_SIGN,
    ATTITUDE_SIGN,
    ATTITUDE_SIDE,
    VELOCITY_FRAME,
    MISTAKES
};

static const char *const mistake_names[MISTAKES] = {[NO_GYROSCOPIC] = "no gyroscopic term",
                                                    [GYROSCOPIC_SIGN] = "left handed",
                                                    [ATTITUDE_SIGN] = "left handed",
                                                    [ATTITUDE_SIDE] = "space velocity",
                                                    [VELOCITY_FRAME] = "space velocity"};

static const char *const mistake_words[MISTAKES] = {
    [NO_GYROSCOPIC] = "m' = torque",
    [GYROSCOPIC_SIGN] = "m' = w x m + torque",
    [ATTITUDE_SIGN] = "q' = -q (0, w)/2",
    [ATTITUDE_SIDE] = "q' = (0, w) q/2",
    [VELOCITY_FRAME] = "the velocity at the start is taken as that in space"};

typedef struct model {
    real J[3][3], inverse[3][3], q[4], w[3];
    real wheels[3], torque[3], amplitude[3], frequency, damping, strength, up[3], centre[3], rate;
    enum mistake mistake;
} model;

static real absolute(real x)
{
    return x < 0 ? -x : x;
}

static real root(real x)
{
    real y = (real)sqrt((double)x);
    for (int i = 0; i < 3 && y > 0; i++)
        y = (y + x / y) / 2;
    return y;
}

static void cross(const real a[3], const real b[3], real out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void apply(real a[3][3], const real v[3], real out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2];
}

/* The columns of R turn the body's axes to space. */
static void matrix(const real q[4], real R[3][3])
{
    const real w = q[0], x = q[1], y = q[2], z = q[3];
    const real rows[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    memcpy(R, rows, sizeof rows);
}

static void apply_transposed(real a[3][3], const real v[3], real out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[0][i] * v[0] + a[1][i] * v[1] + a[2][i] * v[2];
}

/* By the adjugate. */
static void invert(real a[3][3], real out[3][3])
{
    for (int i = 0; i < 3; i++) {
        real column[3];
        cross(a[(i + 1) % 3], a[(i + 2) % 3], column);
        const real over = 1 / (a[i][0] * column[0] + a[i][1] * column[1] + a[i][2] * column[2]);
        for (int k = 0; k < 3; k++)
            out[k][i] = column[k] * over;
    }
}

/* The case, with one of its inputs changed by a relative `delta`: 0 to 5 the tensor, 6 to 8 the
 * velocity, 9 the torques. */
enum { INPUTS = 10, NO_INPUT = -1 };
static model model_of(const test_case *c, int input, real delta, enum mistake mistake)
{
    model b = {.mistake = mistake};
    real J[6], length = 0;
    const real more = input == 9 ? 1 + delta : 1;
    for (int i = 0; i < 6; i++) {
        if (input == i)
            J[i] = c->J[i] * (1 + delta);
        else
            J[i] = (real)c->J[i];
    }
    const real full[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    memcpy(b.J, full, sizeof full);
    invert(b.J, b.inverse);
    for (int i = 0; i < 4; i++)
        length += (real)c->q[i] * c->q[i];
    for (int i = 0; i < 4; i++)
        b.q[i] = c->q[i] / root(length);
    for (int i = 0; i < 3; i++) {
        if (input == 6 + i)
            b.w[i] = c->w[i] * (1 + delta);
        else
            b.w[i] = (real)c->w[i];
        b.wheels[i] = c->wheels[i] * more;
        b.torque[i] = c->torque[i] * more;
        b.amplitude[i] = c->amplitude[i] * more;
        b.up[i] = c->up[i];
        b.centre[i] = c->centre[i];
    }
    b.frequency = c->frequency;
    b.damping = c->damping * more;
    b.strength = c->strength * more;
    b.rate = c->rate * more;
    if (mistake == VELOCITY_FRAME) {
        real R[3][3], w[3] = {b.w[0], b.w[1], b.w[2]};
        matrix(b.q, R);
        apply_transposed(R, w, b.w);
    }
    return b;
}

typedef struct state {
    real q[4], w[3], acceleration[3];
} state;

/* ---- Taylor series ------------------------------------------------------------------ */

/* The order of the states, and of what is needed to few digits. */
enum { ORDER = 44, ROUGH_ORDER = 16 };

enum { Q = 0, M = 4, G = 7, U = 10, V = 13, S = 16, C = 17, UNKNOWNS = 18 };

typedef struct series {
    const model *b;
    int order;
    real x[UNKNOWNS][ORDER + 1]; /* q, m, R^T up, u, R^T (z x u in space), sin, cos */
    real w[3][ORDER + 1], Ju[3][ORDER + 1];
} series;

static real convolve(const real *a, const real *b, int n)
{
    real sum = 0;
    for (int i = 0; i <= n; i++)
        sum += a[i] * b[n - i];
    return sum;
}

/* The coefficient n of (a x b)_i. */
static real convolve_cross(real (*a)[ORDER + 1], real (*b)[ORDER + 1], int i, int n)
{
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    return convolve(a[j], b[k], n) - convolve(a[k], b[j], n);
}

/* The coefficient n + 1 of everything. */
static void coefficient(series *y, int n)
{
    const model *b = y->b;
    const real rate2 = 3 * b->rate * b->rate;
    const bool gradient = b->rate != 0, top = b->strength != 0;
    const real side = b->mistake == ATTITUDE_SIDE ? -1 : 1;
    const real sense = b->mistake == ATTITUDE_SIGN ? -1 : 1;
    real gyroscopic = 1;
    if (b->mistake == NO_GYROSCOPIC)
        gyroscopic = 0;
    else if (b->mistake == GYROSCOPIC_SIGN)
        gyroscopic = -1;
    for (int i = 0; i < 3; i++) {
        y->w[i][n] = y->Ju[i][n] = 0;
        for (int k = 0; k < 3; k++) {
            y->w[i][n] += b->inverse[i][k] * (y->x[M + k][n] - (n == 0 ? b->wheels[k] : 0));
            y->Ju[i][n] += b->J[i][k] * y->x[U + k][n];
        }
    }
    const real over = (real)1 / (n + 1);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        real m = b->amplitude[i] * y->x[S][n] - b->damping * y->w[i][n];
        if (n == 0)
            m += b->torque[i];
        if (top)
            m += b->strength * (y->x[G + j][n] * b->centre[k] - y->x[G + k][n] * b->centre[j]);
        if (gradient)
            m += rate2 * convolve_cross(y->x + U, y->Ju, i, n);
        if (gyroscopic != 0)
            m += gyroscopic * convolve_cross(y->x + M, y->w, i, n);
        y->x[M + i][n + 1] = m * over;
        if (top)
            y->x[G + i][n + 1] = convolve_cross(y->x + G, y->w, i, n) * over;
        if (gradient) {
            y->x[U + i][n + 1] =
                (convolve_cross(y->x + U, y->w, i, n) + b->rate * y->x[V + i][n]) * over;
            y->x[V + i][n + 1] =
                (convolve_cross(y->x + V, y->w, i, n) - b->rate * y->x[U + i][n]) * over;
        }
        y->x[Q + 1 + i][n + 1] =
            sense * over / 2 *
            (convolve(y->x[Q], y->w[i], n) + side * convolve_cross(y->x + Q + 1, y->w, i, n));
    }
    real scalar = 0;
    for (int i = 0; i < 3; i++)
        scalar -= convolve(y->x[Q + 1 + i], y->w[i], n);
    y->x[Q][n + 1] = sense * scalar * over / 2;
    y->x[S][n + 1] = b->frequency * y->x[C][n] * over;
    y->x[C][n + 1] = -b->frequency * y->x[S][n] * over;
}

static void series_start(series *y, const model *b, int order)
{
    real R[3][3];
    memset(y, 0, sizeof *y);
    y->b = b;
    y->order = order;
    matrix(b->q, R);
    for (int i = 0; i < 4; i++)
        y->x[Q + i][0] = b->q[i];
    for (int i = 0; i < 3; i++) {
        y->x[M + i][0] = b->wheels[i];
        for (int k = 0; k < 3; k++) {
            y->x[M + i][0] += b->J[i][k] * b->w[k];
            y->x[G + i][0] += R[k][i] * b->up[k];
        }
        y->x[U + i][0] = R[0][i];
        y->x[V + i][0] = R[1][i];
    }
    y->x[C][0] = 1;
}

/* Moves by dt in steps that the last coefficients allow; returns the shortest. */
static real series_advance(series *y, real dt)
{
    const double tolerance = y->order == ORDER ? 1e-36 : 1e-12;
    real done = 0, shortest = dt;
    while (done < dt) {
        real h = dt - done;
        for (int n = 0; n < y->order; n++)
            coefficient(y, n);
        for (int n = y->order - 1; n <= y->order; n++) {
            double size = 0;
            for (int i = 0; i < UNKNOWNS; i++) {
                const bool momentum = i >= M && i < G;
                real scale = momentum ? 0 : 1;
                for (int k = M; momentum && k < G; k++)
                    scale += absolute(y->x[k][0]);
                if (scale > 0)
                    size = fmax(size, (double)(absolute(y->x[i][n]) / scale));
            }
            if (size > 0) {
                const real longest = (real)pow(tolerance / size, 1.0 / n);
                if (h > longest)
                    h = longest;
            }
        }
        if (h < dt - done && h < shortest)
            shortest = h;
        if (h >= dt - done)
            done = dt;
        else
            done = done + h;
        for (int i = 0; i < UNKNOWNS; i++) {
            real sum = y->x[i][y->order];
            for (int n = y->order - 1; n >= 0; n--)
                sum = sum * h + y->x[i][n];
            y->x[i][0] = sum;
        }
    }
    return shortest;
}

static state series_state(series *y)
{
    state s;
    coefficient(y, 0);
    for (int i = 0; i < 4; i++)
        s.q[i] = y->x[Q + i][0];
    for (int i = 0; i < 3; i++) {
        s.w[i] = y->w[i][0];
        s.acceleration[i] = 0;
        for (int k = 0; k < 3; k++)
            s.acceleration[i] += y->b->inverse[i][k] * y->x[M + k][1];
    }
    return s;
}

/* ---- extrapolation ------------------------------------------------------------------ */

enum { COLUMNS = 10, NUMBERS = 14 }; /* R by rows, L, sin, cos; the phase of the orbit is `t` */

typedef struct body {
    real R[3][3], L[3], sine, cosine;
} body;

typedef struct orbit {
    real cosine, sine;
} orbit;

/* cos and sin of an angle by their series, after halving. */
static orbit turn_of(real angle)
{
    int halvings = 0;
    while (absolute(angle) > (real)0.1) {
        angle /= 2;
        halvings++;
    }
    orbit o = {1, angle};
    real term = 1;
    o.sine = 0;
    for (int n = 1; n < 30; n++) {
        term *= angle / n;
        const real signed_term = n % 4 < 2 ? term : -term;
        if (n % 2 != 0)
            o.sine += signed_term;
        else
            o.cosine += signed_term;
    }
    for (; halvings > 0; halvings--)
        o = (orbit){o.cosine * o.cosine - o.sine * o.sine, 2 * o.sine * o.cosine};
    return o;
}

static void velocity(const model *b, const body *y, real w[3])
{
    real m[3];
    apply_transposed((real(*)[3])y->R, y->L, m);
    for (int i = 0; i < 3; i++)
        m[i] -= b->wheels[i];
    apply((real(*)[3])b->inverse, m, w);
}

static void slope(const model *b, real t, const body *y, body *d)
{
    real w[3], torque[3];
    velocity(b, y, w);
    for (int i = 0; i < 3; i++) {
        torque[i] = b->torque[i] + b->amplitude[i] * y->sine - b->damping * w[i];
        cross(y->R[i], w, d->R[i]); /* R' = R [w]: row r becomes r x w */
    }
    if (b->strength != 0) {
        real g[3], about[3];
        apply_transposed((real(*)[3])y->R, b->up, g);
        cross(g, b->centre, about);
        for (int i = 0; i < 3; i++)
            torque[i] += b->strength * about[i];
    }
    if (b->rate != 0) {
        const orbit o = turn_of(b->rate * t);
        const real space[3] = {o.cosine, o.sine, 0};
        real u[3], Ju[3], about[3];
        apply_transposed((real(*)[3])y->R, space, u);
        apply((real(*)[3])b->J, u, Ju);
        cross(u, Ju, about);
        for (int i = 0; i < 3; i++)
            torque[i] += 3 * b->rate * b->rate * about[i];
    }
    apply((real(*)[3])y->R, torque, d->L);
    d->sine = b->frequency * y->cosine;
    d->cosine = -b->frequency * y->sine;
}

static void add(body *out, const body *a, real h, const body *d)
{
    const real *x = (const real *)a, *y = (const real *)d;
    real *z = (real *)out;
    for (int i = 0; i < NUMBERS; i++)
        z[i] = x[i] + h * y[i];
}

static void extrapolate(const model *b, real t, body *y, real h)
{
    body row[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) {
        const int n = 2 * (j + 1);
        const real part = h / n;
        body before = *y, now, d, new;
        slope(b, t, y, &d);
        add(&now, y, part, &d);
        for (int i = 1; i < n; i++) { /* the midpoint rule */
            slope(b, t + i * part, &now, &d);
            add(&new, &before, 2 * part, &d);
            before = now;
            now = new;
        }
        /* Aitken and Neville in h^2: row[k] has the columns of the row before */
        body value = now;
        for (int k = 1; k <= j; k++) {
            const real ratio = (real)n / (2 * (j - k + 1)), over = 1 / (ratio * ratio - 1);
            real *last = (real *)&row[k - 1], *x = (real *)&value;
            for (int i = 0; i < NUMBERS; i++) {
                const real better = x[i] + (x[i] - last[i]) * over;
                last[i] = x[i];
                x[i] = better;
            }
        }
        row[j] = value;
    }
    *y = row[COLUMNS - 1];
}

static void body_start(body *y, const model *b)
{
    real m[3];
    matrix(b->q, y->R);
    apply((real(*)[3])b->J, b->w, m);
    for (int i = 0; i < 3; i++)
        m[i] += b->wheels[i];
    apply(y->R, m, y->L);
    y->sine = 0;
    y->cosine = 1;
}

/* ---- a case ------------------------------------------------------------------------- */

/* The angle between two attitudes, small or not. */
static double angle(const real a[4], const real b[4])
{
    const real w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    real off = 0;
    for (int i = 0; i < 4; i++) {
        const real d = b[i] - (w < 0 ? -a[i] : a[i]);
        off += d * d;
    }
    return 4 * asin(fmin(1, (double)root(off) / 2));
}

/* The time of state n, as it is printed. */
static double time_of(const test_case *c, int n)
{
    return c->time * (n + 1) / TIMES;
}

/* The time between state n and the one before. */
static real interval_of(const test_case *c, int n)
{
    if (n == 0)
        return (real)time_of(c, 0);
    return (real)time_of(c, n) - (real)time_of(c, n - 1);
}

/* The states at the times of the case, or at these times a factor. */
static void motion(const model *b, int order, const test_case *c, real factor, state out[TIMES],
                   real *shortest)
{
    series y;
    series_start(&y, b, order);
    for (int i = 0; i < TIMES; i++) {
        const real step = series_advance(&y, interval_of(c, i) * factor);
        if (shortest != NULL && step < *shortest)
            *shortest = step;
        out[i] = series_state(&y);
    }
}

/* Compares the states with those of the other method: the largest difference, of R and, relative
 * to the largest velocity, of w. */
static double agreement(const model *b, const test_case *c, const state s[TIMES], real shortest)
{
    body y;
    body_start(&y, b);
    real t = 0, fastest = 0, largest = 0, spin = 0;
    for (int n = 0; n < TIMES; n++)
        for (int i = 0; i < 3; i++)
            if (absolute(s[n].w[i]) > fastest)
                fastest = absolute(s[n].w[i]);
    const double part = 6, turn = 0.2; /* of the series' shortest step; radians, both at most */
    for (int n = 0; n < TIMES; n++) {
        const real interval = interval_of(c, n);
        const long steps = (long)ceil(
            fmax((double)(interval / shortest) * part, (double)(interval * fastest) / turn));
        real R[3][3], w[3];
        for (long i = 0; i < steps; i++) {
            extrapolate(b, t, &y, interval / steps);
            t += interval / steps;
        }
        matrix(s[n].q, R);
        velocity(b, &y, w);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                if (absolute(R[i][k] - y.R[i][k]) > largest)
                    largest = absolute(R[i][k] - y.R[i][k]);
            if (absolute(w[i] - s[n].w[i]) > spin)
                spin = absolute(w[i] - s[n].w[i]);
        }
    }
    if (fastest > 0 && spin / fastest > largest)
        largest = spin / fastest;
    return (double)largest;
}

/* The largest angular velocity at the start and at the times. */
static real fastest_of(const test_case *c, const state s[TIMES])
{
    real fastest = 0;
    for (int n = -1; n < TIMES; n++) {
        real speed2 = 0;
        for (int i = 0; i < 3; i++) {
            if (n < 0)
                speed2 += (real)c->w[i] * (real)c->w[i];
            else
                speed2 += s[n].w[i] * s[n].w[i];
        }
        if (speed2 > fastest * fastest)
            fastest = root(speed2);
    }
    return fastest;
}

/* The responses of a case to relative changes of its input. */
typedef struct response {
    double attitude, velocity;
} response;

/* Differences of neighbours, whose truncation errors cancel. */
static response condition(const test_case *c)
{
    const real delta = (real)1e-14;
    const model body = model_of(c, NO_INPUT, 0, NONE);
    state here[TIMES], other[TIMES];
    double sum[TIMES] = {0}, spin[TIMES] = {0};
    response largest = {0, 0};
    motion(&body, ROUGH_ORDER, c, 1, here, NULL);
    for (int input = 0; input <= INPUTS; input++) { /* the last is the time */
        const model b = model_of(c, input, delta, NONE);
        motion(&b, ROUGH_ORDER, c, input == INPUTS ? 1 + delta : 1, other, NULL);
        for (int n = 0; n < TIMES; n++) {
            real off2 = 0;
            for (int i = 0; i < 3; i++)
                off2 += (other[n].w[i] - here[n].w[i]) * (other[n].w[i] - here[n].w[i]);
            sum[n] += angle(here[n].q, other[n].q) / (double)delta;
            if (off2 > 0)
                spin[n] += (double)(root(off2) / delta);
        }
    }
    for (int n = 0; n < TIMES; n++) {
        largest.attitude = fmax(largest.attitude, sum[n]);
        largest.velocity = fmax(largest.velocity, spin[n]);
    }
    largest.attitude += 1;
    return largest;
}

/* The velocity that has passed may be off by this: a part of the largest velocity. A body at rest may turn by
 * BOUND until the last time. */
static double velocity_bound(const test_case *c, const state s[TIMES], double cond)
{
    const double fastest = (double)fastest_of(c, s), floor = 1e3 * 0x1p-52 * cond;
    if (fastest > 0)
        return fmax(BOUND * fastest, floor);
    return BOUND / c->time;
}

/* ---- files -------------------------------------------------------------------------- */

static bool is_tensor(const test_case *c)
{
    return c->J[3] != 0 || c->J[4] != 0 || c->J[5] != 0;
}

static bool any(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != 0)
            return true;
    return false;
}

static bool is_free(const test_case *c)
{
    return !any(c->wheels, 3) && !any(c->torque, 3) && !any(c->amplitude, 3) && c->damping == 0 &&
           c->strength == 0 && c->rate == 0;
}

/* Fifteen digits, or more if these do not give the same double back. */
static void put_number(FILE *out, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    fputs(text, out);
}

/* What stands before a part of a list: nothing before the first. */
static const char *unless_first(int number, const char *separator)
{
    return number == 0 ? "" : separator;
}

static void put_array(FILE *out, const double *x, int n)
{
    fputs("[", out);
    for (int i = 0; i < n; i++) {
        fputs(unless_first(i, ", "), out);
        put_number(out, x[i]);
    }
    fputs("]", out);
}

/* Numbers to 17 significant digits. */
static void put_digits(FILE *out, const real *x, int n, int digits)
{
    fputs("[", out);
    for (int i = 0; i < n; i++)
        fprintf(out, "%s%.*g", unless_first(i, ", "), digits, (double)x[i] + 0.0);
    fputs("]", out);
}

static void put_torque(FILE *out, const test_case *c)
{
    if (is_free(c)) {
        fputs("null", out);
        return;
    }
    const struct part {
        bool has;
        const char *words;
    } parts[] = {
        {any(c->wheels, 3), "wheels in the body with the constant angular momentum "
                            "`wheels`, m = J w + wheels"},
        {any(c->torque, 3), "the constant torque `torque` in the body"},
        {any(c->amplitude, 3), "the torque `amplitude` sin(`frequency` t) in the body"},
        {c->damping != 0, "the torque -`damping` w"},
        {c->strength != 0, "gravity: U = `strength` up.(R centre), a torque `strength` "
                           "(R^T up) x centre in the body"},
        {c->rate != 0,
         "gravity gradient in a circular orbit: the torque 3 rate^2 u x J u in the body, "
         "u = R^T (cos(rate t), sin(rate t), 0)"},
    };
    const struct value {
        const char *name;
        const double *x;
        int n;
    } values[] = {{"wheels", c->wheels, 3},
                  {"torque", c->torque, 3},
                  {"amplitude", c->amplitude, 3},
                  {"frequency", &c->frequency, 1},
                  {"damping", &c->damping, 1},
                  {"strength", &c->strength, 1},
                  {"up", c->up, 3},
                  {"centre", c->centre, 3},
                  {"rate", &c->rate, 1}};
    const char *before = "{\"words\": \"";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].has) {
            fprintf(out, "%s%s", before, parts[i].words);
            before = "; ";
        }
    before = "\",\n             \"parameters\": {";
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (any(values[i].x, values[i].n)) {
            fprintf(out, "%s\"%s\": ", before, values[i].name);
            before = ", ";
            if (values[i].n == 1)
                put_number(out, *values[i].x);
            else
                put_array(out, values[i].x, values[i].n);
        }
    fputs("}}", out);
}

/* Attitudes that a program with a mistake gives, where that is another motion; six digits. */
static void put_mistakes(FILE *out, const test_case *c, const state s[TIMES])
{
    int put = 0;
    fputs("[", out);
    for (enum mistake kind = NONE + 1; kind < MISTAKES; kind++) {
        if ((kind == ATTITUDE_SIGN || kind == ATTITUDE_SIDE) && (c->strength != 0 || c->rate != 0))
            continue; /* torques there depend on the attitude otherwise */
        const model b = model_of(c, NO_INPUT, 0, kind);
        state wrong[TIMES];
        double off = 0;
        motion(&b, ROUGH_ORDER, c, 1, wrong, NULL);
        for (int n = 0; n < TIMES; n++)
            off = fmax(off, angle(s[n].q, wrong[n].q));
        if (off < 10 * BOUND)
            continue;
        fprintf(out, "%s\n    {\"name\": \"%s\", \"words\": \"%s\",\n     \"attitudes\": [",
                unless_first(put++, ","), mistake_names[kind], mistake_words[kind]);
        for (int n = 0; n < TIMES; n++) {
            fputs(unless_first(n, n % 3 == 0 ? ",\n                   " : ", "), out);
            put_digits(out, wrong[n].q, 4, 6);
        }
        fputs("]}", out);
    }
    fputs("]", out);
}

/* How far the printed states are from the solution: components of the attitude, and components of the
 * velocity divided by the largest velocity, or by 1 of a body at rest. Rounded up; `apart` is how
 * far the two methods are apart. */
static double radius_of(const test_case *c, const state s[TIMES], double apart)
{
    real fastest = fastest_of(c, s), most = 0;
    if (fastest == 0)
        fastest = 1;
    for (int n = 0; n < TIMES; n++)
        for (int i = 0; i < 7; i++) {
            real x = s[n].q[i % 4], size = 1;
            if (i >= 4) {
                x = s[n].w[i - 4];
                size = fastest;
            }
            const real off = absolute((real)(double)x - x) / size;
            if (off > most)
                most = off;
        }
    return ceil(((double)most + 2 * apart) * 1e19) / 1e19;
}

static void write_case(FILE *out, const test_case *c, const state s[TIMES], response cond,
                       double apart)
{
    const double floor = 1e3 * 0x1p-52 * cond.attitude;
    fprintf(out, "{\n  \"name\": \"%s\",\n  \"category\": \"%s\",\n  \"title\": \"%s\",\n", c->name,
            c->category, c->title);
    const char *wheels = any(c->wheels, 3) ? " + wheels" : "";
    const char *torque = is_free(c) ? "" : " + torque";
    fprintf(out, "  \"equations\": \"m = J w%s; m' = m x w%s; q' = q (0, w)/2\",\n", wheels,
            torque);
    fprintf(out, "  \"%s\": ", is_tensor(c) ? "tensor" : "inertia");
    put_array(out, c->J, is_tensor(c) ? 6 : 3);
    fputs(",\n  \"attitude\": ", out);
    put_array(out, c->q, 4);
    fputs(",\n  \"velocity\": ", out);
    put_array(out, c->w, 3);
    fputs(",\n  \"torque\": ", out);
    put_torque(out, c);
    fprintf(out, ",\n  \"condition\": %.3g,\n  \"bound\": %.3g,\n", cond.attitude,
            fmax(BOUND, floor));
    fprintf(out, "  \"velocity_condition\": %.3g,\n  \"velocity_bound\": %.3g,\n", cond.velocity,
            velocity_bound(c, s, cond.velocity));
    fprintf(out, "  \"radius\": %.4g,\n  \"times\": [", radius_of(c, s, apart));
    for (int n = 0; n < TIMES; n++) {
        fputs(unless_first(n, ", "), out);
        put_number(out, time_of(c, n));
    }
    fputs("],\n  \"states\": [", out);
    for (int n = 0; n < TIMES; n++) {
        fprintf(out, "%s\n    {\"attitude\": ", unless_first(n, ","));
        put_digits(out, s[n].q, 4, 17);
        fputs(",\n     \"velocity\": ", out);
        put_digits(out, s[n].w, 3, 17);
        fputs(",\n     \"acceleration\": ", out);
        put_digits(out, s[n].acceleration, 3, 6);
        fputs("}", out);
    }
    fputs("],\n  \"mistakes\": ", out);
    put_mistakes(out, c, s);
    fputs("\n}\n", out);
}

static bool chosen(const char *name, char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0;
}

static FILE *create(const char *folder, const char *part, const char *name, const char *suffix)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s%s", folder, part, name, suffix);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "generate: cannot create %s: make its folder\n", path);
        exit(1);
    }
    return file;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: generate FOLDER [NAME...]\n", stderr);
        return 2;
    }
    FILE *all = NULL;
    if (argc == 2) {
        all = create(argv[1], "", "cases", ".csv");
        fputs("case,t,q0,q1,q2,q3,w1,w2,w3\n", all);
    }
    for (int i = 0; i < CASES; i++) {
        const test_case *c = &cases[i];
        if (!chosen(c->name, argv + 2, argc - 2))
            continue;
        const model b = model_of(c, NO_INPUT, 0, NONE);
        state s[TIMES];
        real shortest = (real)c->time / TIMES;
        motion(&b, ORDER, c, 1, s, &shortest);
        const double apart = agreement(&b, c, s, shortest);
        const response cond = condition(c);
        fprintf(stderr, "%-28s two methods %.1e apart, condition %.2g, of the velocity %.2g\n",
                c->name, apart, cond.attitude, cond.velocity);
        if (!(apart < AGREEMENT)) {
            fprintf(stderr, "generate: %s: the methods do not agree\n", c->name);
            return 1;
        }
        FILE *file = create(argv[1], "cases/", c->name, ".json");
        write_case(file, c, s, cond, apart);
        if (fclose(file) != 0)
            return 1;
        for (int n = 0; all != NULL && n < TIMES; n++) {
            fprintf(all, "%s,", c->name);
            put_number(all, time_of(c, n));
            for (int k = 0; k < 4; k++)
                fprintf(all, ",%.17g", (double)s[n].q[k] + 0.0);
            for (int k = 0; k < 3; k++)
                fprintf(all, ",%.17g", (double)s[n].w[k] + 0.0);
            fputc('\n', all);
        }
    }
    return all != NULL && fclose(all) != 0;
}
