/* fit_cells.c - see fit_cells.h. The motion is that of the classical Runge-Kutta method. */
#include "fit_cells.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/extremes.h"
#include "support/random.h"

const char *const cell_kinds[CELL_KINDS] = {"attitude", "axis", "vectors", "rates", "brightness"};
const char *const cell_states[CELL_STATES] = {
    "about largest",  "about smallest", "separatrix", "spin largest", "spin smallest",
    "near symmetric", "symmetric",      "short arc",  "long arc",     "outliers"};

enum { TIMES = 400, NUMBERS = 12, MOST_ROWS = 6 * TIMES };

typedef struct truth {
    double J[6]; /* xx, yy, zz, xy, xz, yz; the largest moment is 1 */
    double q[4], w[3];
    double light; /* the factor of the brightness, 0 if that is not observed */
} truth;

typedef struct scene {
    int kind, count;
    /* Of brightness: sigma is a part of it. */
    double t[TIMES], sigma, axis[3], sun[3], field[3], turn; /* of the field about an axis, rad/s */
} scene;

/* ---- motion ------------------------------------------------------------------------------- */

static void tensor_times(const double J[6], const double w[3], double m[3])
{
    m[0] = J[0] * w[0] + J[3] * w[1] + J[4] * w[2];
    m[1] = J[3] * w[0] + J[1] * w[1] + J[5] * w[2];
    m[2] = J[4] * w[0] + J[5] * w[1] + J[2] * w[2];
}

static void tensor_solve(const double J[6], const double b[3], double x[3])
{
    const double a = J[0], d = J[1], f = J[2], p = J[3], r = J[4], s = J[5], A = d * f - s * s,
                 B = r * s - p * f, C = p * s - d * r, det = a * A + p * B + r * C;
    x[0] = (A * b[0] + B * b[1] + C * b[2]) / det;
    x[1] = (B * b[0] + (a * f - r * r) * b[1] + (p * r - a * s) * b[2]) / det;
    x[2] = (C * b[0] + (p * r - a * s) * b[1] + (a * d - p * p) * b[2]) / det;
}

/* The derivative of attitude and velocity: q' = q w / 2, J w' = J w x w. */
static void derivative(const double J[6], const double y[7], double d[7])
{
    const double *w = y + 4;
    double m[3], torque[3];
    tensor_times(J, w, m);
    torque[0] = m[1] * w[2] - m[2] * w[1];
    torque[1] = m[2] * w[0] - m[0] * w[2];
    torque[2] = m[0] * w[1] - m[1] * w[0];
    tensor_solve(J, torque, d + 4);
    d[0] = -0.5 * (y[1] * w[0] + y[2] * w[1] + y[3] * w[2]);
    d[1] = 0.5 * (y[0] * w[0] + y[2] * w[2] - y[3] * w[1]);
    d[2] = 0.5 * (y[0] * w[1] + y[3] * w[0] - y[1] * w[2]);
    d[3] = 0.5 * (y[0] * w[2] + y[1] * w[1] - y[2] * w[0]);
}

static void advance(const double J[6], double y[7], double time)
{
    const int steps = 1 + (int)(time / 0.02);
    const double h = time / steps;
    for (int n = 0; n < steps; n++) {
        double k[4][7], z[7];
        derivative(J, y, k[0]);
        for (int s = 1; s < 4; s++) {
            for (int i = 0; i < 7; i++)
                z[i] = y[i] + (s == 3 ? h : 0.5 * h) * k[s - 1][i];
            derivative(J, z, k[s]);
        }
        for (int i = 0; i < 7; i++)
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
    const double size = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    for (int i = 0; i < 4; i++)
        y[i] /= size;
}

/* The rotation of a vector to space, or back. */
static void turn(const double q[4], bool back, const double v[3], double out[3])
{
    const double s = back ? -1.0 : 1.0, x = s * q[1], y = s * q[2], z = s * q[3],
                 a = 2.0 * (y * v[2] - z * v[1]), b = 2.0 * (z * v[0] - x * v[2]),
                 c = 2.0 * (x * v[1] - y * v[0]);
    out[0] = v[0] + q[0] * a + y * c - z * b;
    out[1] = v[1] + q[0] * b + z * a - x * c;
    out[2] = v[2] + q[0] * c + x * b - y * a;
}

static void product(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* The rotation vector of a quaternion. */
static void rotation_vector(const double q[4], double out[3])
{
    const double s = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]),
                 angle = 2.0 * atan2(s, fabs(q[0])), by = s > 0.0 ? angle / s : 2.0;
    for (int i = 0; i < 3; i++)
        out[i] = (q[0] < 0.0 ? -by : by) * q[i + 1];
}

static void turned_by(const double q[4], const double v[3], double out[4])
{
    const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]),
                 by = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5,
                 d[4] = {cos(0.5 * angle), by * v[0], by * v[1], by * v[2]};
    product(q, d, out);
}

/* ---- observations --------------------------------------------------------------------------- */

typedef struct seen {
    double light[TIMES], q[4 * TIMES], w[3 * TIMES], axis[3 * TIMES], t[2 * TIMES], b[6 * TIMES],
        s[6 * TIMES], sigma[2 * TIMES];
} seen;

static double gauss(uint64_t *seed)
{
    const double size = sqrt(-2.0 * log(1.0 - uniform(seed)));
    return size * cos(2.0 * PH_PI * uniform(seed));
}

static void gauss_each(uint64_t *seed, double by, double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = by * gauss(seed);
}

static void unit_vector(uint64_t *seed, double x[3])
{
    gauss_each(seed, 1.0, x);
    const double size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < 3; i++)
        x[i] /= size;
}

/* The brightness of a homogeneous ellipsoid by Lommel and Seeliger's law, as a sum over facets. The body
 * has these moments in its own axes. */
static double brightness(const double J[3], const double observer[3], const double sun[3])
{
    enum { BELTS = 48, FACETS = 96 };
    const double half = 0.5 * (J[0] + J[1] + J[2]);
    double k[3], volume = 1.0, sum = 0.0;
    for (int i = 0; i < 3; i++) {
        k[i] = 1.0 / sqrt(half - J[i]);
        volume /= k[i];
    }
    for (int n = 0; n < BELTS * FACETS; n++) {
        const double z = (n / FACETS + 0.5) * 2.0 / BELTS - 1.0, across = sqrt(1.0 - z * z),
                     angle = 2.0 * PH_PI * (n % FACETS + 0.5) / FACETS,
                     u[3] = {across * cos(angle), across * sin(angle), z};
        double x = 0.0, y = 0.0;
        for (int i = 0; i < 3; i++) {
            x += u[i] * k[i] * observer[i];
            y += u[i] * k[i] * sun[i];
        }
        sum += x > 0.0 && y > 0.0 ? x * y / (x + y) : 0.0;
    }
    return volume * sum * 4.0 * PH_PI / (BELTS * FACETS);
}

/* What is seen without noise, as numbers, row by row; and the attitudes. */
static int predict(const scene *c, const truth *x, double *out, seen *all)
{
    double y[7];
    int n = 0;
    memcpy(y, x->q, sizeof x->q);
    memcpy(y + 4, x->w, sizeof x->w);
    for (int i = 0; i < c->count; i++) {
        if (i > 0)
            advance(x->J, y, c->t[i] - c->t[i - 1]);
        const double angle = c->turn * c->t[i],
                     field[3] = {cos(angle) * c->field[0] - sin(angle) * c->field[1],
                                 sin(angle) * c->field[0] + cos(angle) * c->field[1], c->field[2]};
        memcpy(all->q + 4 * i, y, 4 * sizeof *y);
        memcpy(all->w + 3 * i, y + 4, 3 * sizeof *y);
        turn(y, false, c->axis, all->axis + 3 * i);
        memcpy(all->s + 6 * i, c->sun, 3 * sizeof *y);
        memcpy(all->s + 6 * i + 3, field, sizeof field);
        turn(y, true, c->sun, all->b + 6 * i);
        turn(y, true, field, all->b + 6 * i + 3);
        if (c->kind ==
            CELL_BRIGHTNESS) { /* the axes are the principal ones; the field is the observer */
            all->light[i] = brightness(x->J, all->b + 6 * i + 3, all->b + 6 * i);
            out[n++] = all->light[i] *= x->light;
            continue;
        }
        const double *from = c->kind == CELL_RATES  ? all->w + 3 * i
                             : c->kind == CELL_AXIS ? all->axis + 3 * i
                                                    : all->b + 6 * i;
        for (int k = 0; k < (c->kind == CELL_VECTORS ? 6 : 3) && c->kind != CELL_ATTITUDE; k++)
            out[n++] = from[k];
        for (int k = 0; k < 3 && c->kind == CELL_ATTITUDE; k++)
            n++;
    }
    return n;
}

/* Adds noise, and to a tenth of the observations much. */
static void disturb(const scene *c, seen *all, bool outliers, uint64_t *seed)
{
    for (int i = 0; i < c->count; i++) {
        double noise[3], q[4];
        const double far = outliers && uniform(seed) < 0.1 ? 20.0 : 1.0;
        gauss_each(seed, far * c->sigma, noise);
        turned_by(all->q + 4 * i, noise, q);
        memcpy(all->q + 4 * i, q, sizeof q);
        gauss_each(seed, far * c->sigma, noise);
        for (int k = 0; k < 3; k++)
            all->w[3 * i + k] += noise[k];
        gauss_each(seed, far * c->sigma, noise);
        for (int k = 0; k < 3; k++)
            all->axis[3 * i + k] += noise[k];
        for (int n = 0; n < 2; n++) {
            gauss_each(seed, far * c->sigma, noise);
            for (int k = 0; k < 3; k++)
                all->b[6 * i + 3 * n + k] += noise[k];
            all->t[2 * i + n] = c->t[i];
            all->sigma[2 * i + n] = c->sigma;
        }
        if (c->kind == CELL_BRIGHTNESS) {
            all->sigma[i] = c->sigma * all->light[i];
            all->light[i] = fabs(all->light[i] + far * all->sigma[i] * gauss(seed));
            memcpy(all->axis + 3 * i, all->s + 6 * i, 3 * sizeof *noise);
            memcpy(all->w + 3 * i, all->s + 6 * i + 3, 3 * sizeof *noise);
        }
    }
}

static ph_observations observations(const scene *c, const seen *s)
{
    ph_observations o = {.count = (size_t)(c->kind == CELL_VECTORS ? 2 * c->count : c->count),
                         .t = c->kind == CELL_VECTORS ? s->t : c->t,
                         .axis = {c->axis[0], c->axis[1], c->axis[2]},
                         .space = s->s};
    static const int of[CELL_KINDS] = {PH_SEEN_ATTITUDE, PH_SEEN_AXIS, PH_SEEN_VECTOR,
                                       PH_SEEN_VELOCITY, PH_SEEN_BRIGHTNESS};
    const double *const from[CELL_KINDS] = {s->q, s->axis, s->b, s->w, s->light};
    o.sun = s->axis, o.observer = s->w;
    o.seen[of[c->kind]] = from[c->kind];
    o.sigma[of[c->kind]] = s->sigma;
    return o;
}

/* ---- bodies at random ------------------------------------------------------------------------ */

/* Moments ascending, the largest 1. */
static void draw_moments(int state, uint64_t *seed, double J[3])
{
    double b = between(seed, 0.35, 0.9), c = b * between(seed, 0.4, 0.9);
    if (state == CELL_NEARLY_SYMMETRIC)
        c = b * between(seed, 0.95, 0.999);
    if (state == CELL_SYMMETRIC)
        c = b;
    if ((state == CELL_NEARLY_SYMMETRIC || state == CELL_SYMMETRIC) && uniform(seed) < 0.5) {
        c = b;
        b = state == CELL_SYMMETRIC ? 1.0 : between(seed, 0.95, 0.999);
    }
    J[0] = (b * b + c * c) / (1.0 + b * b);
    J[1] = (1.0 + c * c) / (1.0 + b * b);
    J[2] = 1.0;
}

static void draw_case(int kind, int state, uint64_t *seed, scene *c, truth *x)
{
    double J[3], m[3], axes[4], v[3], r[9];
    draw_moments(state, seed, J);
    for (int tries = 1, good = false; !good; tries++) {
        if (tries % 1000 == 0) /* no motion of this body is of this state */
            draw_moments(state, seed, J);
        unit_vector(seed, m);
        if (state == CELL_SPIN_LARGEST || state == CELL_SPIN_SMALLEST) {
            for (int i = 0; i < 3; i++)
                m[i] = i == (state == CELL_SPIN_LARGEST ? 2 : 0);
            break;
        }
        const double from = (m[0] * m[0] / J[0] + m[1] * m[1] / J[1] + m[2] * m[2] / J[2]) * J[1] -
                            1.0; /* 0 at the separatrix */
        double most = fabs(m[0]);
        for (int i = 1; i < 3; i++)
            most = larger_or_nan(most, fabs(m[i]));
        good = most < 0.98 && (state == CELL_ABOUT_LARGEST    ? from < -0.03
                               : state == CELL_ABOUT_SMALLEST ? from > 0.03
                               : state == CELL_SEPARATRIX     ? fabs(from) < 0.01
                                                              : true);
    }
    unit_vector(seed, v);
    /* of brightness alone, the axes of the body are the principal ones */
    const double half = kind == CELL_BRIGHTNESS ? 0.0 : between(seed, 0.0, PH_PI);
    axes[0] = cos(half);
    for (int i = 0; i < 3; i++)
        axes[i + 1] = sin(half) * v[i];
    for (int i = 0; i < 3; i++) { /* columns: principal axes in the body */
        const double e[3] = {i == 0, i == 1, i == 2};
        double at[3];
        turn(axes, false, e, at);
        for (int k = 0; k < 3; k++)
            r[3 * k + i] = at[k];
    }
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        x->J[k] = 0.0;
        for (int i = 0; i < 3; i++)
            x->J[k] += r[3 * row[k] + i] * J[i] * r[3 * column[k] + i];
    }
    double own[3] = {m[0] / J[0], m[1] / J[1], m[2] / J[2]}, size = 0.0;
    turn(axes, false, own, x->w);
    for (int i = 0; i < 3; i++)
        size += x->w[i] * x->w[i];
    for (int i = 0; i < 3; i++)
        x->w[i] /= sqrt(size);
    unit_vector(seed, v);
    const double start = between(seed, 0.0, PH_PI);
    x->q[0] = cos(start);
    for (int i = 0; i < 3; i++)
        x->q[i + 1] = sin(start) * v[i];
    const bool light = kind == CELL_BRIGHTNESS;
    x->light = light ? 1.0 : 0.0;
    *c = (scene){.kind = kind,
                 .count = light                 ? (state == CELL_LONG ? 400 : 200)
                          : state == CELL_LONG  ? 150
                          : state == CELL_SHORT ? 31
                                                : 60};
    const double turns = light ? 15.0 : 1.0, /* light curves show less, and need longer arcs */
        arc = state == CELL_SHORT  ? turns * between(seed, 0.5, 1.5)
              : state == CELL_LONG ? 120.0
                                   : (light ? 2.0 : 1.0) * between(seed, 20.0, 40.0);
    for (int i = 0; i < c->count; i++)
        c->t[i] = arc * i / (c->count - 1);
    c->sigma = (light ? 3.0 : 1.0) * pow(10.0, between(seed, -3.0, -2.0));
    unit_vector(seed, c->axis);
    /* half of the observed axes are principal ones, which have twins; but not the axis of a spin */
    const bool principal = kind == CELL_AXIS && uniform(seed) < 0.5;
    const int drawn = principal ? (int)(3.0 * uniform(seed)) : 0,
              spins = state == CELL_SPIN_LARGEST    ? 2
                      : state == CELL_SPIN_SMALLEST ? 0
                                                    : -1,
              which = drawn == spins ? 1 : drawn;
    for (int i = 0; i < 3 && principal; i++)
        c->axis[i] = r[3 * i + which];
    unit_vector(seed, c->sun);
    unit_vector(seed, c->field);
    c->turn = light ? 0.2 / arc : 0.05;
    /* the observer sees the body from the side of the sun */
    const double side = c->sun[0] * c->field[0] + c->sun[1] * c->field[1] + c->sun[2] * c->field[2];
    for (int i = 0; i < 3 && light && side < 0.0; i++)
        c->field[i] = -c->field[i];
}

/* ---- what can be determined --------------------------------------------------------------------- */

/* The numbers that a fit reports: theta, w, the tensor over its largest moment, the moments. */
enum { REPORTED = NUMBERS + 3 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sorted_moments(const double J[6], double out[3])
{
    ph_body b = {.principal = false};
    (void)ph_body_from_tensor(
        &b, (ph_mat3){{{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}}});
    out[0] = b.J.x, out[1] = b.J.y, out[2] = b.J.z;
    qsort(out, 3, sizeof *out, ascending);
}

static void displace(const truth *x, int k, double h, truth *y)
{
    *y = *x;
    if (k < 3) {
        const double v[3] = {k == 0 ? h : 0.0, k == 1 ? h : 0.0, k == 2 ? h : 0.0};
        turned_by(x->q, v, y->q);
    } else if (k < 6) {
        y->w[k - 3] += h;
    } else if (k - 6 < (x->light > 0.0 ? 3 : 6)) {
        y->J[k - 6] += h;
    } else if (k == 9) {
        y->light += h;
    }
}

/* Predicted standard deviations of what a fit reports, by the information matrix at the truth: its
 * inverse by Gauss and Jordan, after a prior of 1000 for each number. */
static void predict_errors(const scene *c, const truth *x, double sigma[REPORTED])
{
    enum { N = NUMBERS };
    static double side[2][MOST_ROWS], D[N][MOST_ROWS];
    static seen s[2];
    double A[N][2 * N] = {{0}}, T[REPORTED][N] = {{0}};
    const double h = 1e-5;
    int rows = 0;
    for (int k = 0; k < N; k++) {
        truth y[2];
        double J[2][3];
        for (int i = 0; i < 2; i++) {
            displace(x, k, i ? h : -h, &y[i]);
            rows = predict(c, &y[i], side[i], &s[i]);
            sorted_moments(y[i].J, J[i]);
        }
        for (int i = 0; i < c->count && c->kind == CELL_ATTITUDE; i++) {
            const double *q = s[0].q + 4 * i, back[4] = {q[0], -q[1], -q[2], -q[3]};
            double d[4];
            product(back, s[1].q + 4 * i, d);
            rotation_vector(d, side[1] + 3 * i);
            side[0][3 * i] = side[0][3 * i + 1] = side[0][3 * i + 2] = 0.0;
        }
        for (int r = 0; r < rows; r++)
            D[k][r] = (side[1][r] - side[0][r]) / (2.0 * h * c->sigma) /
                      (x->light > 0.0 ? 0.5 * (side[1][r] + side[0][r]) : 1.0);
        for (int i = 0; i < 6; i++)
            T[i][k] = i == k;
        for (int i = 0; i < 6; i++)
            T[6 + i][k] = (y[1].J[i] / J[1][2] - y[0].J[i] / J[0][2]) / (2.0 * h);
        if (x->light > 0.0) /* a larger body is brighter */
            T[9][k] = (y[1].light * J[1][2] - y[0].light * J[0][2]) / (2.0 * h);
        for (int i = 0; i < 3; i++)
            T[N + i][k] = (J[1][i] / J[1][2] - J[0][i] / J[0][2]) / (2.0 * h);
    }
    for (int a = 0; a < N; a++) {
        for (int b = 0; b < N; b++) {
            for (int r = 0; r < rows; r++)
                A[a][b] += D[a][r] * D[b][r];
        }
        A[a][a] += 1e-6;
        A[a][N + a] = 1.0;
    }
    for (int p = 0; p < N; p++) { /* positive definite: no pivots */
        const double pivot = A[p][p];
        for (int k = 0; k < 2 * N; k++)
            A[p][k] /= pivot;
        for (int r = 0; r < N; r++) {
            const double by = A[r][p];
            for (int k = 0; k < 2 * N && r != p; k++)
                A[r][k] -= by * A[p][k];
        }
    }
    for (int i = 0; i < REPORTED; i++) {
        double sum = 0.0;
        for (int a = 0; a < N; a++) {
            for (int b = 0; b < N; b++)
                sum += T[i][a] * A[a][N + b] * T[i][b];
        }
        sigma[i] = sum > 0.0 ? sqrt(sum) : NAN; /* round-off: it says nothing */
    }
}

/* ---- comparison ---------------------------------------------------------------------------------- */

/* Which number of those that a fit can report quantity k is. */
static size_t reported(const ph_fit *f, size_t k)
{
    return k < f->columns ? k : k - f->columns + NUMBERS;
}

/* The errors in one choice of the body's axes, observed minus true. */
static void errors_in_axes(const ph_fit *f, const truth *x, double error[REPORTED])
{
    const ph_quat q = f->attitude;
    const double back[4] = {q.w, -q.x, -q.y, -q.z},
                 w[3] = {f->velocity.x, f->velocity.y, f->velocity.z};
    double d[4], J[3], found[3] = {f->body.J.x, f->body.J.y, f->body.J.z};
    product(back, x->q, d);
    rotation_vector(d, error);
    sorted_moments(x->J, J);
    for (int i = 0; i < 3; i++) {
        int rank = 0;
        error[i] = -error[i];
        error[3 + i] = w[i] - x->w[i];
        for (int k = 0; k < 3; k++)
            rank += found[k] < found[i] || (found[k] == found[i] && k < i);
        error[NUMBERS + i] = found[i] - J[rank];
    }
    for (int i = 0; i < 6; i++)
        error[6 + i] = f->tensor[i] - x->J[i];
    if (x->light > 0.0)
        error[9] = f->factor - x->light;
}

/* The error of each number that a fit can report. Brightness alone does not show which principal axis
 * of the body is the first, nor their signs: the choice nearest to the solution counts. */
static void errors_of(const ph_fit *f, const truth *x, double error[REPORTED])
{
    double least = INFINITY;
    for (int n = 0; n < (x->light > 0.0 ? 24 : 1); n++) {
        /* the choices: three axes in turn, an exchange of two of them, and half turns */
        static const double h = 0.70710678118654752440, third[3][4] = {{1, 0, 0, 0},
                                                                       {0.5, 0.5, 0.5, 0.5},
                                                                       {0.5, -0.5, -0.5, -0.5}};
        const double exchange[4] = {n / 3 % 2 ? h : 1.0, n / 3 % 2 ? h : 0.0, 0.0, 0.0},
                     half[4] = {n / 6 == 0, n / 6 == 1, n / 6 == 2, n / 6 == 3};
        double first[4], all[4], now[REPORTED], sum = 0.0;
        product(third[n % 3], exchange, first);
        product(first, half, all);
        truth y = *x;
        product(x->q, all, y.q);
        turn(all, true, x->w, y.w);
        for (int i = 0; i < 3 && x->light > 0.0; i++) {
            const double e[3] = {i == 0, i == 1, i == 2};
            double at[3];
            turn(all, false, e, at);
            y.J[i] = at[0] * at[0] * x->J[0] + at[1] * at[1] * x->J[1] + at[2] * at[2] * x->J[2];
        }
        errors_in_axes(f, &y, now);
        for (int i = 0; i < 9;
             i++) /* moments show the axes, then the velocity, then the attitude */
            sum += (i < 3 ? 1e-3 : i < 6 ? 1.0 : 100.0) * now[i] * now[i];
        if (sum < least)
            memcpy(error, now, sizeof now);
        least = sum < least ? sum : least;
    }
}

typedef struct count {
    double one, two, all, beyond;
} count;

/* How many numbers of a solution contain the truth. */
static count count_solution(const ph_fit *f, const truth *x, bool trace)
{
    double error[REPORTED];
    count c = {0};
    errors_of(f, x, error);
    bool equal = false; /* two moments, within 3 sigma: the tensor counts alone */
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < a; b++) {
            const double J[3] = {f->body.J.x, f->body.J.y, f->body.J.z};
            equal =
                equal || !(fabs(J[a] - J[b]) > 3.0 * hypot(f->moment_sigma[a], f->moment_sigma[b]));
        }
    }
    for (size_t k = 0; k < f->quantities; k++) {
        const ph_fit_quantity *q = &f->quantity[k];
        if (!q->determined || !(q->sigma > 0.0) || (k >= f->columns && equal))
            continue;
        const double off = error[reported(f, k)], true_value = q->value - off;
        bool in[2];
        for (int i = 0; i < 2; i++)
            in[i] = isnan(q->interval[i][0])
                        ? fabs(off) <= (i + 1) * q->sigma
                        : q->interval[i][0] <= true_value && true_value <= q->interval[i][1];
        c.one += in[0], c.two += in[1], c.all++;
        c.beyond += !in[1] && fabs(off) > 6.0 * q->sigma;
        if (trace)
            (void)printf("  %-9s %10.5f +- %8.5f  true %10.5f  %s%s\n", q->name, q->value, q->sigma,
                         true_value,
                         in[0]   ? ""
                         : in[1] ? "*"
                                 : "**",
                         isnan(q->interval[0][0]) ? "" : " interval");
    }
    return c;
}

/* The chi2 of a fit that begins at the truth. */
static double chi2_from_truth(const ph_observations *o, const ph_fit_settings *settings,
                              const truth *x)
{
    static ph_fit found;
    const ph_setting given[] = {{"tensor", x->J, 6}, {"attitude", x->q, 4}, {"velocity", x->w, 3}};
    const ph_system_settings start = {.problem = "free", .settings = given, .setting_count = 3};
    ph_fit_settings with = *settings;
    with.system = &start;
    with.rivals = NULL;
    return ph_fit_motion(o, &with, NULL, &found) == PH_OK ? found.chi2 : NAN;
}

cell_result cell_run(int kind, int state, uint64_t first, int fits, bool trace)
{
    enum { RIVALS = 40 };
    static ph_fit best, rival[RIVALS];
    static seen s;
    static double numbers[MOST_ROWS];
    cell_result out = {.fits = fits,
                       .uniform = state == CELL_SPIN_LARGEST || state == CELL_SPIN_SMALLEST};
    for (int n = 0; n < fits; n++) {
        uint64_t seed = 1000003U * (uint64_t)(kind * CELL_STATES + state) + first + (uint64_t)n;
        (void)random_bits(&seed);
        scene c;
        truth x;
        double predicted[REPORTED];
        draw_case(kind, state, &seed, &c, &x);
        (void)predict(&c, &x, numbers, &s);
        disturb(&c, &s, state == CELL_OUTLIERS, &seed);
        predict_errors(&c, &x, predicted);
        ph_observations o = observations(&c, &s);
        if (state == CELL_OUTLIERS && (first + (uint64_t)n) % 2 == 1) /* sigma is unknown */
            memset(o.sigma, 0, sizeof o.sigma);
        ph_message why = {0};
        const ph_fit_settings with = {.rivals = rival,
                                      .rival_room = RIVALS,
                                      .message = &why,
                                      .loss =
                                          state == CELL_OUTLIERS ? PH_LOSS_HUBER : PH_LOSS_SQUARES};
        const clock_t begun = clock();
        const ph_status status = ph_fit_motion(&o, &with, NULL, &best);
        out.seconds += (double)(clock() - begun) / CLOCKS_PER_SEC / fits;
        if (status != PH_OK) {
            out.failed++;
            if (trace)
                (void)printf("%llu: %s\n", (unsigned long long)first + (unsigned)n, why.text);
            continue;
        }
        count nearest = count_solution(&best, &x, false);
        size_t which = 0;
        for (size_t k = 0; k < best.rivals && k < RIVALS; k++) {
            const count other = count_solution(&rival[k], &x, false);
            if (other.two * nearest.all > nearest.two * other.all)
                nearest = other, which = k + 1;
            out.unphysical += !ph_body_physical(&rival[k].body);
        }
        out.unphysical += !ph_body_physical(&best.body);
        if (nearest.all > 0.0) {
            out.bodies++;
            out.one += nearest.one / nearest.all, out.two += nearest.two / nearest.all;
            out.numbers += nearest.all, out.beyond += nearest.beyond;
        }
        int claimed = 0, missed = 0;
        for (size_t k = 0; k < best.quantities; k++) {
            /* the range: 1 of moments and velocities, a radian */
            const double J[3] = {best.body.J.x, best.body.J.y, best.body.J.z};
            size_t rank = 0, at = reported(&best, k), own = at - NUMBERS;
            for (size_t i = 0; i < 3 && at >= NUMBERS; i++)
                rank += J[i] < J[own] || (J[i] == J[own] && i < own);
            const ph_fit_quantity *q = &best.quantity[k];
            const bool of_tensor = at >= NUMBERS || (at >= 6 && kind != CELL_BRIGHTNESS);
            if (of_tensor && q->determined)
                out.widest = larger_or_nan(out.widest, q->sigma);
            /* the axes of a body that only its brightness shows are in another order */
            if (kind == CELL_BRIGHTNESS && at < NUMBERS && at != 9)
                continue;
            /* the matrix knows small turns about an observed axis, and no turn of any angle shows */
            if (kind == CELL_AXIS && at < NUMBERS)
                continue;
            const double sigma = predicted[at < NUMBERS ? at : NUMBERS + rank];
            claimed += sigma > 3.0 && best.quantity[k].determined;
            missed += sigma < 1.0 / 3.0 && !best.quantity[k].determined;
            if (trace && ((sigma > 3.0 && best.quantity[k].determined) ||
                          (sigma < 1.0 / 3.0 && !best.quantity[k].determined)))
                (void)printf("  %s predicted %.3g, %s\n", best.quantity[k].name, sigma,
                             best.quantity[k].determined ? "claimed" : "missed");
        }
        out.claimed += claimed > 0, out.missed += missed > 0;
        if (trace) {
            (void)printf("%llu: chi2 %.1f, from the truth %.1f, of %zu, minima %zu, rivals %zu, "
                         "nearest %zu; two "
                         "sigma %.0f of %.0f\n",
                         (unsigned long long)first + (unsigned)n, best.chi2,
                         chi2_from_truth(&o, &with, &x), best.degrees_of_freedom, best.minima,
                         best.rivals, which, nearest.two, nearest.all);
            (void)count_solution(which > 0 ? &rival[which - 1] : &best, &x, true);
        }
    }
    if (out.bodies > 0.0)
        out.one /= out.bodies, out.two /= out.bodies;
    return out;
}

void cell_add(cell_result *to, const cell_result *some)
{
    const double bodies = to->bodies + some->bodies, fits = to->fits + some->fits;
    if (bodies > 0.0) {
        to->one = (to->one * to->bodies + some->one * some->bodies) / bodies;
        to->two = (to->two * to->bodies + some->two * some->bodies) / bodies;
    }
    to->seconds = (to->seconds * to->fits + some->seconds * some->fits) / fits;
    to->bodies = bodies;
    to->fits += some->fits, to->failed += some->failed;
    to->numbers += some->numbers, to->beyond += some->beyond;
    to->widest = larger_or_nan(to->widest, some->widest);
    to->claimed += some->claimed, to->missed += some->missed, to->unphysical += some->unphysical;
}

/* Whether a share is the expected one, within the limits of counting. */
static bool right_share(const cell_result *r, double share, double expected)
{
    const double limit = 3.29, wider = 0.04,
                 off = limit * sqrt(expected * (1.0 - expected) / r->bodies) + wider;
    return share >= expected - off && (r->uniform || share <= expected + off);
}

bool cell_good(const cell_result *r)
{
    return r->unphysical == 0 &&
           (r->bodies == 0.0 || (right_share(r, r->one, 0.683) && right_share(r, r->two, 0.954)));
}
