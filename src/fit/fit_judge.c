/* fit_judge.c - what observations determine: the covariance, intervals, and what they do not show.
 *
 * With N the normal matrix of squares at the minimum, the covariance is noise N^-1. The noise is 1 if
 * sigma is known, else chi2 over the degrees of freedom. With another loss rho(r^2), slope = rho', it is
 * (P. J. Huber, E. M. Ronchetti, Robust statistics, 2009, section 7.6)
 *
 *   noise = n/(n - p) mean of slope^2 r^2 / (mean of slope + 2 slope' r^2 / rows)^2.
 *
 * Units are those in which a change is as large as the physical range: a radian, |w|, the largest
 * moment, a parameter. Let v be the eigenvectors of N in these units, and 1/d^2 its eigenvalues over
 * the noise. A variable is not determined if its variance, the sum of v^2 d^2, is above UNSEEN^2;
 * the d of a direction that is not determined at all is taken as NO_IDEA. To the covariance of the
 * variables that are determined no direction contributes more than its range.
 *
 * A free motion does not change if the tensor is multiplied by a factor. The tensor is then over its
 * largest moment u . J u: with s the direction that only changes the scale, a change dx of what is
 * sought becomes dx - s (u . dJ u). Where the two largest moments are nearly equal, this is not linear
 * in dJ. Draws from the normal distribution show it. Then the errors are what 0.683 and 0.954 of
 * the draws differ by.
 *
 * If the loss is not quadratic within two standard deviations, draws of the posterior distribution over
 * physical bodies give the intervals: fit_sample.c.
 *
 * A body that turns uniformly shows one principal axis and no moment. Noise is then fitted by small
 * wobbles of some frequency, with a body to it, and the normal matrix of that minimum is deceptive. So
 * a uniform rotation is fitted, too, and compared with wobbles: fit.c. Its covariance is the mean over
 * bodies at random that have this principal axis.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "fit/fit_model.h"
#include "rotation/vec.h"

enum { MOST = PH_FIT_COLUMNS };
static const double UNSEEN = 0.6, NO_IDEA = 100.0, SINGULAR = 1e-14, ROUND_OFF = 1e-17;

/* ---- what cannot be seen, in words ---------------------------------------------------------- */

/* Adds words to a text. */
#define PUT(text, ...)                                                                             \
    ((void)snprintf((text) + strlen(text), PH_FIT_TEXT - strlen(text), __VA_ARGS__))

/* The change of the tensor of a direction, in principal axes. */
static ph_mat3 tensor_change(const fit_model *f, const ph_body *b, const double *v)
{
    double d[6] = {0};
    for (int c = 0; c < f->columns; c++) {
        if (f->column[c].kind == OF_TENSOR)
            d[f->column[c].index] = v[c];
    }
    const ph_mat3 A = ph_quat_matrix(b->axes);
    return matmul(transpose(A), matmul(fit_tensor(d), A));
}

static double part_of(const fit_model *f, const double *v, int kind)
{
    double sum = 0.0;
    for (int c = 0; c < f->columns; c++)
        sum += f->column[c].kind == kind ? v[c] * v[c] : 0.0;
    return sum;
}

/* Which axis of the body an angular velocity is along, -1 if none: within this angle. */
static int axis_along(const ph_body *b, ph_vec3 w)
{
    const double angle = 0.05;
    const ph_vec3 p = rotate_back(b->axes, w);
    const double x[3] = {fabs(p.x), fabs(p.y), fabs(p.z)};
    for (int k = 0; k < 3; k++) {
        if (ph_hypot(x[(k + 1) % 3], x[(k + 2) % 3]) <= angle * x[k])
            return k;
    }
    return -1;
}

/* A unit vector over the columns, in units of the things themselves, in words. */
static void describe(const fit_model *f, const fit_point *x, const ph_body *b, const double *v,
                     char text[PH_FIT_TEXT])
{
    static const char *const seen_as[] = {
        [OF_ATTITUDE] = "the attitude", [OF_VELOCITY] = "the velocity"};
    const double counts = 0.05, most = 0.9;
    const int along = axis_along(b, x->w);
    const char *joined = "";
    text[0] = '\0';
    if (f->o->seen[PH_SEEN_AXIS] != NULL && part_of(f, v, OF_ATTITUDE) > 0.0 &&
        part_of(f, v, OF_ATTITUDE) < most && f->o->seen[PH_SEEN_ATTITUDE] == NULL &&
        f->o->seen[PH_SEEN_VELOCITY] == NULL) {
        PUT(text, "a rotation of the body's axes about the observed axis");
        return;
    }
    for (int kind = OF_ATTITUDE; kind <= OF_VELOCITY; kind++) {
        if (part_of(f, v, kind) > counts) {
            PUT(text, "%s%s", joined, seen_as[kind]);
            joined = ", ";
            const char *about = " about";
            for (int c = 0; c < f->columns && part_of(f, v, kind) < most; c++) {
                if (f->column[c].kind == kind && v[c] * v[c] > counts) {
                    PUT(text, "%s axis %d", about, f->column[c].index + 1);
                    about = ",";
                }
            }
        }
    }
    const ph_mat3 d = tensor_change(f, b, v);
    const double J2 = dot(b->J, b->J),
                 along_J = d.a[0][0] * b->J.x + d.a[1][1] * b->J.y + d.a[2][2] * b->J.z;
    const bool common = along_J * along_J > 0.98 * J2 * part_of(f, v, OF_TENSOR);
    if (common && part_of(f, v, OF_TENSOR) > counts) {
        PUT(text, "%sa common factor of the moments", joined);
        joined = ", ";
    }
    for (int k = 0; k < 3 && !common; k++) {
        const double off = d.a[(k + 1) % 3][(k + 2) % 3];
        if (d.a[k][k] * d.a[k][k] > counts) {
            PUT(text, "%sthe moment about principal axis %d", joined, k + 1);
            joined = ", ";
        }
        if (2.0 * off * off > counts) {
            PUT(text, "%sthe directions of the principal axes about axis %d", joined, k + 1);
            joined = ", ";
        }
    }
    for (int c = 0; c < f->columns; c++) {
        if (f->column[c].kind >= OF_BIAS && v[c] * v[c] > counts) {
            PUT(text, "%s%s", joined, f->name[c]);
            joined = ", ";
        }
    }
    if (strchr(text, ',') != NULL)
        PUT(text, " (one combination of them)");
    if (along >= 0 && part_of(f, v, OF_TENSOR) > counts)
        PUT(text, ": the body rotates about principal axis %d", along + 1);
}

/* ---- directions -------------------------------------------------------------------------------- */

static void set_units(const fit_model *f, const fit_point *x, const ph_body *b, double unit[MOST])
{
    for (int c = 0; c < f->columns; c++) {
        const int kind = f->column[c].kind;
        unit[c] = kind == OF_VELOCITY    ? norm(x->w)
                  : kind == OF_BIAS      ? norm(x->w)
                  : kind == OF_TENSOR    ? norm_max(b->J)
                  : kind == OF_FACTOR    ? fabs(x->factor)
                  : kind == OF_PARAMETER ? fabs(x->parameter[f->column[c].index])
                                         : 1.0;
        unit[c] = unit[c] > 0.0 ? unit[c] : 1.0;
    }
}

/* Which moment is the largest, and the derivatives of each moment by the columns. */
static int moment_slopes(const fit_model *f, const ph_body *b, double slope[3][MOST])
{
    const ph_mat3 A = ph_quat_matrix(b->axes);
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < f->columns; c++) {
            const int i = f->column[c].index % 6, row = tensor_row[i], column = tensor_column[i];
            slope[k][c] = f->column[c].kind != OF_TENSOR
                              ? 0.0
                              : A.a[row][k] * A.a[column][k] * (row == column ? 1.0 : 2.0);
        }
    }
    return b->J.x >= b->J.y && b->J.x >= b->J.z ? 0 : b->J.y >= b->J.z ? 1 : 2;
}

/* The variance of a residual over its sigma. */
static double noise_of(const fit_model *f, const double *r, const ph_fit *out, size_t known)
{
    const ph_observations *o = f->o;
    const size_t all = fit_numbers(o);
    const double rest = (double)(all > known ? all - known : 1);
    double squares = 0.0, slopes = 0.0;
    if (f->loss == PH_LOSS_SQUARES)
        return out->scaled ? out->chi2 / rest : 1.0;
    for (size_t i = 0; i < o->count; i++) {
        for (int kind = 0; kind < PH_SEEN_KINDS; kind++) {
            if (o->seen[kind] == NULL)
                continue;
            const double step = 1e-6;
            double square = 0.0, slope, beyond;
            for (int k = 0; k < fit_rows[kind]; k++, r++)
                square += *r * *r;
            (void)ph_fit_loss_of(f->loss, square, fit_rows[kind], &slope);
            (void)ph_fit_loss_of(f->loss, square * (1.0 + step), fit_rows[kind], &beyond);
            squares += slope * slope * square;
            slopes += fit_freedom[kind] * slope + 2.0 * (beyond - slope) / step;
        }
    }
    const double mean = slopes / (double)all;
    return squares / rest / (mean * mean);
}

/* The eigenvectors of the normal matrix, in units, as rows, and its eigenvalues over the noise. The
 * scale of a tensor of which only ratios can be seen is held. */
typedef struct directions {
    double unit[MOST], value[MOST], V[MOST * MOST], most;
} directions;

static bool find_directions(const fit_model *f, const fit_point *x, const ph_body *body,
                            double noise, directions *d)
{
    const int n = f->columns;
    fit_model squares = *f;
    squares.loss = PH_LOSS_SQUARES;
    double N[MOST * MOST] = {0}, g[MOST] = {0}, by_scale[MOST] = {0}, length = 0.0;
    if (!isfinite(ph_fit_loss_at(&squares, x, N, g, NULL)))
        return false;
    set_units(f, x, body, d->unit);
    ph_fit_scale_direction(f, x, by_scale);
    d->most = 0.0;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++)
            N[a * n + b] *= d->unit[a] * d->unit[b] / noise;
        d->most = larger_or_nan(d->most, N[a * n + a]);
        length += by_scale[a] / d->unit[a] * (by_scale[a] / d->unit[a]);
    }
    for (int a = 0; a < n * n && f->only_ratios; a++)
        N[a] +=
            d->most * by_scale[a / n] / d->unit[a / n] * by_scale[a % n] / d->unit[a % n] / length;
    ph_eigenvectors(n, N, d->value, d->V);
    return true;
}

/* The variance of a direction, at most that of `range`. */
static double variance_of(const directions *d, int a, double range)
{
    return d->value[a] > SINGULAR * d->most && d->value[a] * range * range > 1.0 ? 1.0 / d->value[a]
                                                                                 : range * range;
}

bool ph_fit_is_vague(const fit_model *f, const fit_point *x, double noise)
{
    const double close = 0.05;
    bool vague = false;
    directions d;
    ph_body body;
    if (ph_body_from_tensor(&body, fit_tensor(x->tensor)) != PH_OK ||
        !find_directions(f, x, &body, noise, &d))
        return false;
    for (int a = 0; a < f->columns; a++)
        vague = vague || (part_of(f, d.V + (size_t)a * (size_t)f->columns, OF_TENSOR) > close &&
                          variance_of(&d, a, 1.0) > close * close);
    return vague;
}

/* Whether the observations do not determine a direction. */
static bool is_hidden(const directions *d, int a)
{
    return variance_of(d, a, UNSEEN) >= UNSEEN * UNSEEN;
}

/* Adds the covariance of the directions to C, such that the largest moment stays 1 if the tensor is
 * divided by it: C -> P C P^T with P = 1 - s u^T. */
static void add_covariance(const fit_model *f, const fit_point *x, const ph_body *body,
                           const directions *d, double range, double *to)
{
    const int n = f->columns;
    double C[MOST * MOST] = {0}, Cu[MOST] = {0}, uCu = 0.0, by_scale[MOST] = {0},
                    slope[3][MOST] = {{0}};
    for (int a = 0; a < n; a++) {
        const double *v = d->V + (size_t)a * (size_t)n, variance = variance_of(d, a, range);
        for (int k = 0; k < n * n; k++)
            C[k] += variance * v[k / n] * d->unit[k / n] * v[k % n] * d->unit[k % n];
    }
    const int largest = moment_slopes(f, body, slope);
    ph_fit_scale_direction(f, x, by_scale);
    for (int k = 0; k < n * n && f->only_ratios; k++)
        Cu[k / n] += C[k] * slope[largest][k % n];
    for (int k = 0; k < n; k++)
        uCu += slope[largest][k] * Cu[k];
    for (int k = 0; k < n * n; k++)
        to[k] += C[k] - by_scale[k / n] * Cu[k % n] - Cu[k / n] * by_scale[k % n] +
                 by_scale[k / n] * by_scale[k % n] * uCu;
}

/* The variance of a moment. */
static double moment_variance(const fit_model *f, const ph_body *body, int m, const double *C)
{
    const int n = f->columns;
    double slope[3][MOST] = {{0}}, sum = 0.0;
    (void)moment_slopes(f, body, slope);
    for (int k = 0; k < n * n; k++)
        sum += slope[m][k / n] * C[k] * slope[m][k % n];
    return larger_or_nan(sum, 0.0);
}

/* The direction of one axis does not show a turn of the body's axes about it. Widens what such a turn
 * changes, by whatever angle: the normal matrix knows of small ones alone. */
static void widen_by_turns(const fit_model *f, const fit_point *x, double *widest)
{
    enum { ANGLES = 16 };
    const ph_observations *o = f->o;
    const int n = f->columns;
    const double changes = 0.01; /* parts of a unit */
    if (o->seen[PH_SEEN_AXIS] == NULL || ph_fit_width(o) != 3 || f->principal)
        return;
    const ph_vec3 a = scale(1.0 / norm(o->axis), o->axis);
    const double along[3] = {a.x, a.y, a.z}, speed = norm(x->w);
    for (int k = 1; k < ANGLES; k++) {
        const ph_quat turn = turn_about(a, PH_PI * k / ANGLES);
        const ph_mat3 Q = ph_quat_matrix(turn),
                      J = matmul(Q, matmul(fit_tensor(x->tensor), transpose(Q)));
        const ph_vec3 w = rotate(turn, x->w);
        const double change[] = {w.x - x->w.x, w.y - x->w.y, w.z - x->w.z};
        for (int c = 0; c < n; c++) {
            const int kind = f->column[c].kind, i = f->column[c].index;
            const bool changed =
                kind == OF_ATTITUDE   ? fabs(along[i]) > changes
                : kind == OF_VELOCITY ? fabs(change[i]) > changes * speed
                : kind == OF_TENSOR
                    ? fabs(J.a[tensor_row[i]][tensor_column[i]] - x->tensor[i]) > changes
                    : false;
            widest[c] = changed ? INFINITY : widest[c];
        }
    }
}

/* Whether no observation shows a direction. */
static bool is_singular(const directions *d, int a)
{
    return !(d->value[a] > SINGULAR * d->most);
}

/* Adds to w the variances by which variables and moments count as determined, in squared units. Of
 * attitude, velocity and the like, directions that are seen at all count up to some units. */
static void add_widest(const fit_model *f, const fit_point *x, const ph_body *body,
                       const directions *d, double w[MOST + 3])
{
    const int n = f->columns;
    const double some = 3.0, largest = norm_max(body->J);
    double C[MOST * MOST] = {0};
    add_covariance(f, x, body, d, NO_IDEA, C);
    for (int c = 0; c < n; c++) {
        double sum = 0.0;
        for (int a = 0; a < n; a++)
            sum += d->V[a * n + c] * d->V[a * n + c] *
                   variance_of(d, a, is_singular(d, a) ? NO_IDEA : some);
        w[c] += f->column[c].kind == OF_TENSOR
                    ? C[(size_t)c * (size_t)(n + 1)] / (d->unit[c] * d->unit[c])
                    : sum;
    }
    for (int m = 0; m < 3; m++)
        w[n + m] += moment_variance(f, body, m, C) / (largest * largest);
    widen_by_turns(f, x, w);
}

/* ---- uniform rotations -------------------------------------------------------------------------- */

/* A tensor with a principal axis along w, by these moments, the last of which is about it. */
static void set_tensor_about(fit_point *x, ph_vec3 J, double angle)
{
    const ph_vec3 u = scale(1.0 / norm(x->w), x->w),
                  other = fabs(u.x) < 0.5 ? vec3(1, 0, 0) : vec3(0, 1, 0), across = cross(u, other);
    const ph_vec3 a = rotate(turn_about(u, 0.5 * angle), scale(1.0 / norm(across), across)),
                  b = cross(u, a);
    const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z}, s[3] = {u.x, u.y, u.z};
    for (int k = 0; k < 6; k++) {
        const int r = tensor_row[k], c = tensor_column[k];
        x->tensor[k] = J.x * p[r] * p[c] + J.y * q[r] * q[c] + J.z * s[r] * s[c];
    }
}

/* Takes a body at random that has the axis of the rotation: that of its largest moment, of its smallest
 * one, or, of a round body, one across the axis of symmetry. About the axis of a middle moment no body turns
 * uniformly for long. */
enum axis_kind { OF_LARGEST, OF_SMALLEST, OF_FLAT, OF_LONG, AXIS_KINDS };
static void set_body_about(fit_point *x, int kind, uint64_t *seed)
{
    const double b = between(seed, 0.25, 1.0), c = b * between(seed, 0.4, 1.0),
                 J[3] = {(b * b + c * c) / (1.0 + b * b), (1.0 + c * c) / (1.0 + b * b), 1.0};
    set_tensor_about(x,
                     kind == OF_LARGEST    ? vec3(J[0], J[1], J[2])
                     : kind == OF_SMALLEST ? vec3(J[1], J[2], J[0])
                     : kind == OF_FLAT     ? vec3(J[2], J[1], J[1])
                                           : vec3(J[0], J[2], J[2]),
                     between(seed, 0.0, PH_PI));
}

double ph_fit_uniform(const fit_model *f, const fit_minimum *best, fit_minimum *round)
{
    const ph_observations *o = f->o;
    const unsigned all = PH_FIT_ALL;
    *round = *best;
    if (!f->is_free || f->principal || (f->with->sought & all) != all)
        return 0.0;
    /* A sphere turns uniformly. */
    fit_minimum *found = array_create(FIT_MINIMA, sizeof *found);
    if (found == NULL)
        return 0.0;
    ph_fit_settings with = *f->with;
    fit_model sphere = *f;
    sphere.with = &with;
    with.sought &= ~(unsigned)PH_FIT_INERTIA;
    sphere.only_ratios = false;
    sphere.columns = 0;
    for (int c = 0; c < f->columns; c++) {
        if (f->column[c].kind != OF_TENSOR)
            sphere.column[sphere.columns++] = f->column[c];
    }
    for (int k = 0; k < 6; k++)
        round->x.tensor[k] = k < 3;
    const size_t count = ph_fit_search(&sphere, &round->x, found);
    memcpy(sphere.scale, f->scale, sizeof sphere.scale);
    round->loss = ph_fit_descend(&sphere, &round->x, 100);
    for (size_t k = 0; k < count && k < 2; k++) {
        found[k].loss = ph_fit_descend(&sphere, &found[k].x, 100);
        if (!(round->loss <= found[k].loss))
            *round = found[k];
    }
    free(found);
    set_tensor_about(&round->x, vec3(0.75, 0.75, 1.0), 0.0);
    return norm(round->x.w) * (o->t[o->count - 1] - o->t[0]) / (2.0 * PH_PI);
}

double ph_fit_wobble(const fit_model *f, int k, uint64_t *seed, fit_minimum *x)
{
    set_body_about(&x->x, k % AXIS_KINDS, seed);
    return x->loss = ph_fit_descend(f, &x->x, 16);
}

/* The covariance of a uniform rotation, over bodies that have its axis. */
static bool average_bodies(const fit_model *f, const fit_point *x, double noise, double *C,
                           double widest[MOST + 3])
{
    enum { BODIES = 24 };
    const int n = f->columns;
    uint64_t seed = 5;
    double mean[6] = {0}, square[36] = {0};
    memset(C, 0, (size_t)(n * n) * sizeof *C);
    for (int k = 0; k < BODIES; k++) {
        fit_point y = *x;
        directions d;
        ph_body body;
        set_body_about(&y, k % 2 == 0 ? OF_LARGEST : OF_SMALLEST, &seed);
        if (ph_body_from_tensor(&body, fit_tensor(y.tensor)) != PH_OK ||
            !find_directions(f, &y, &body, noise, &d))
            return false;
        add_covariance(f, &y, &body, &d, 1.0, C);
        add_widest(f, &y, &body, &d, widest);
        for (int i = 0; i < 6; i++)
            mean[i] += y.tensor[i] / BODIES;
        for (int i = 0; i < 36; i++)
            square[i] += y.tensor[i / 6] * y.tensor[i % 6] / BODIES;
    }
    for (int k = 0; k < n + 3; k++)
        widest[k] /= BODIES;
    for (int k = 0; k < n * n; k++) {
        const fit_column a = f->column[k / n], b = f->column[k % n];
        C[k] /= BODIES;
        if (a.kind == OF_TENSOR && b.kind == OF_TENSOR)
            C[k] += square[6 * a.index + b.index] - mean[a.index] * mean[b.index];
    }
    return true;
}

/* ---- draws -------------------------------------------------------------------------------------- */

enum { DRAWS = 1000, POSTERIOR = 200 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Draws changes of the variables from the normal distribution of the directions. */
static void draw_normal(const fit_model *f, const directions *d, double *dx)
{
    const int n = f->columns;
    uint64_t seed = 3;
    memset(dx, 0, (size_t)(DRAWS * n) * sizeof *dx);
    for (size_t k = 0; k < DRAWS; k++) {
        for (int a = 0; a < n; a++) {
            const double by =
                is_hidden(d, a) ? 0.0 : sqrt(variance_of(d, a, 1.0)) * ph_fit_gauss(&seed);
            for (int c = 0; c < n; c++)
                dx[k * (size_t)n + (size_t)c] += by * d->V[a * n + c] * d->unit[c];
        }
    }
}

/* How many moments are smaller than moment k. */
static int rank_of(const ph_body *b, int k)
{
    const double J[3] = {b->J.x, b->J.y, b->J.z};
    int rank = 0;
    for (int i = 0; i < 3; i++)
        rank += J[i] < J[k] || (i < k && J[i] == J[k]);
    return rank;
}

/* The tensor of a drawn point, as it is reported, and its moments in the order of those of `body`.
 * False if there is no such body. */
static bool reported(const fit_model *f, const ph_body *body, const fit_point *y, double tensor[6],
                     double J[3])
{
    ph_body b;
    if (ph_body_from_tensor(&b, fit_tensor(y->tensor)) != PH_OK || !ph_body_physical(&b))
        return false;
    const double by = f->only_ratios ? 1.0 / norm_max(b.J) : 1.0;
    double sorted[3] = {by * b.J.x, by * b.J.y, by * b.J.z};
    qsort(sorted, 3, sizeof *sorted, ascending);
    for (int k = 0; k < 3; k++)
        J[k] = sorted[rank_of(body, k)];
    for (int k = 0; k < 6; k++)
        tensor[k] = by * y->tensor[k];
    return true;
}

/* Sets the errors of the tensor and the moments, and with a posterior distribution those of all
 * variables, by draws of changes dx. */
static void take_draws(const fit_model *f, const fit_point *x, const double *dx, size_t draws,
                       bool posterior, ph_fit *out)
{
    static const double inside[2] = {0.6827, 0.9545}, differs = 0.12;
    const int n = f->columns;
    double *all = array_create(size_product(out->quantities, draws), sizeof *all);
    size_t count = 0;
    for (size_t k = 0; all != NULL && k < draws; k++) {
        const double *by = dx + k * (size_t)n;
        const fit_point y = ph_fit_moved(f, x, by);
        double tensor[6], J[3];
        if (!reported(f, &out->body, &y, tensor, J))
            continue;
        for (int c = 0; c < n + 3; c++)
            all[(size_t)c * draws + count] = c >= n ? J[c - n]
                                             : f->column[c].kind == OF_TENSOR
                                                 ? tensor[f->column[c].index]
                                                 : out->quantity[c].value + by[c];
        count++;
    }
    const int first = posterior ? 0 : n;
    for (int c = 0; count > DRAWS / 10 && c < n + 3; c++) {
        ph_fit_quantity *q = &out->quantity[c];
        double *v = all + (size_t)c * draws, half[2], sum = 0.0;
        const bool of_tensor = c >= n || f->column[c].kind == OF_TENSOR;
        if (!q->determined || (c < first && !of_tensor) || (c >= n && !(q->sigma > 0.0)))
            continue;
        for (size_t k = 0; k < count; k++) {
            sum += (v[k] - q->value) * (v[k] - q->value);
            v[k] = posterior ? v[k] : fabs(v[k] - q->value);
        }
        qsort(v, count, sizeof *v, ascending);
        for (int i = 0; i < 2; i++) {
            const double last = (double)(count - 1), low = 0.5 * (1.0 - inside[i]);
            const double from = posterior ? v[(size_t)(low * last)]
                                          : q->value - v[(size_t)(inside[i] * last)],
                         to = posterior ? v[(size_t)((1.0 - low) * last)]
                                        : q->value + v[(size_t)(inside[i] * last)];
            /* no element of a tensor is larger than its largest moment */
            q->interval[i][0] = from;
            q->interval[i][1] = f->only_ratios && of_tensor && to > 1.0 ? 1.0 : to;
            half[i] = 0.5 * (to - from);
        }
        const bool normal = fabs(half[0] / q->sigma - 1.0) < differs &&
                            fabs(half[1] / (2.0 * q->sigma) - 1.0) < differs;
        const bool constant = !(half[1] > 1e-15); /* round-off */
        if (constant || (normal && !posterior)) {
            for (int i = 0; i < 4; i++)
                q->interval[i / 2][i % 2] = NAN;
            q->sigma = constant && posterior ? 0.0 : q->sigma; /* 1 by definition */
            continue;
        }
        if (fabs(half[1] / (2.0 * half[0]) - 1.0) < differs && !posterior) {
            for (int i = 0; i < 4; i++)
                q->interval[i / 2][i % 2] = NAN;
        }
        const double sigma = posterior ? sqrt(sum / (double)count) : half[0];
        for (int k = 0; c < n && k < n; k++) {
            if (q->sigma > 0.0)
                out->covariance[c * n + k] *= sigma / q->sigma;
            if (q->sigma > 0.0)
                out->covariance[k * n + c] *= sigma / q->sigma;
        }
        if (c < n)
            out->covariance[(size_t)c * (size_t)(n + 1)] = sigma * sigma;
        q->sigma = sigma;
    }
    free(all);
}

/* Whether the loss is not quadratic within two standard deviations of a direction: there it must have
 * risen four times as much as within one, on both sides alike. Or whether a direction is seen and yet
 * hidden. */
static bool is_weak(const fit_model *f, const fit_point *x, const directions *d)
{
    const int n = f->columns;
    const double least = 2.8, most = 5.6;
    const double loss = ph_fit_loss_at(f, x, NULL, NULL, NULL);
    double by_scale[MOST] = {0};
    ph_fit_scale_direction(f, x, by_scale);
    for (int a = 0; a < n; a++) {
        const double *v = d->V + (size_t)a * (size_t)n, sigma = sqrt(variance_of(d, a, UNSEEN));
        double rise[4], dx[MOST], along = 0.0, length = 0.0;
        for (int c = 0; c < n; c++) {
            along += v[c] * by_scale[c] / d->unit[c];
            length += by_scale[c] / d->unit[c] * by_scale[c] / d->unit[c];
        }
        const bool is_scale = f->only_ratios && along * along > 0.5 * length;
        if (is_singular(d, a) || is_scale)
            continue;
        if (is_hidden(d, a))
            return true;
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < n; c++)
                dx[c] = (k % 2 ? -sigma : sigma) * (k < 2 ? 1.0 : 2.0) * v[c] * d->unit[c];
            const fit_point y = ph_fit_moved(f, x, dx);
            rise[k] = ph_fit_loss_at(f, &y, NULL, NULL, NULL) - loss;
        }
        for (int side = 0; side < 2; side++) {
            const double near = 0.5 * (rise[0] + rise[1]);
            if (!(rise[2 + side] > least * near && rise[2 + side] < most * near))
                return true;
        }
    }
    return false;
}

/* The part of a variable in directions that no observation shows. */
static double hidden_part(const directions *d, int n, int c)
{
    double sum = 0.0;
    for (int a = 0; a < n; a++)
        sum += is_singular(d, a) ? d->V[a * n + c] * d->V[a * n + c] : 0.0;
    return sum;
}

/* The errors by the posterior distribution. Attitude and velocity are determined if the draws are close
 * together. The tensor has bounds, so that its draws always are: it is determined if it is so for the
 * normal matrices at more of the draws than those where it is not, each without doubt. */
static void take_posterior(const fit_model *f, const fit_point *x, double noise, double *dx,
                           ph_fit *out)
{
    enum { LOOKS = 60 };
    const double close = 0.05, doubt = 3.0, hidden = UNSEEN * UNSEEN / (NO_IDEA * NO_IDEA);
    const int n = f->columns;
    const fit_minimum best = {*x, ph_fit_loss_at(f, x, NULL, NULL, NULL)};
    double unit[MOST];
    int seen[MOST + 3] = {0}, blind[MOST + 3] = {0}, looks = 0;
    const size_t draws = ph_fit_sample(f, &best, noise, POSTERIOR, dx);
    set_units(f, x, &out->body, unit);
    for (size_t k = 0; k < LOOKS && draws > LOOKS; k++) {
        fit_point y = ph_fit_moved(f, x, dx + draws * k / LOOKS * (size_t)n);
        double widest[MOST + 3] = {0};
        directions there;
        ph_body body;
        ph_fit_make_physical(f, &y);
        if (ph_body_from_tensor(&body, fit_tensor(y.tensor)) != PH_OK ||
            !find_directions(f, &y, &body, noise, &there))
            continue;
        add_widest(f, &y, &body, &there, widest);
        looks++;
        for (int c = 0; c < n + 3; c++) {
            int to = c; /* moments in the order of the best body */
            for (int m = 0; m < 3 && c >= n; m++)
                to = rank_of(&out->body, m) == rank_of(&body, c - n) ? n + m : to;
            seen[to] += (widest[c] * doubt * doubt < 1.0) - (widest[c] > doubt * doubt);
            blind[to] += c < n && hidden_part(&there, n, c) > hidden;
        }
    }
    for (size_t c = 0; c < out->quantities && looks > 0; c++)
        out->quantity[c].determined = true;
    take_draws(f, x, dx, draws, true, out);
    for (size_t c = 0; c < out->quantities && looks > 0; c++) {
        ph_fit_quantity *q = &out->quantity[c];
        const bool of_tensor = c >= (size_t)n || f->column[c].kind == OF_TENSOR;
        const double size = c < (size_t)n ? unit[c] : norm_max(out->body.J);
        q->determined = 2 * blind[c] <= looks &&
                        (of_tensor ? seen[c] > 0 || (seen[c] == 0 && q->sigma <= close * size)
                                   : q->sigma <= UNSEEN * size);
    }
}

/* ---- the judgement --------------------------------------------------------------------------- */

/* Two moments that are equal within their errors leave the axes in their plane open. */
static void name_symmetry(const fit_model *f, ph_fit *out)
{
    const double J[3] = {out->body.J.x, out->body.J.y, out->body.J.z}, errors = 2.0;
    for (int k = 0; k < 3 && (f->with->sought & PH_FIT_INERTIA) != 0 && !f->principal; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double sigma = ph_hypot(out->moment_sigma[a], out->moment_sigma[b]);
        if (fabs(J[a] - J[b]) < errors * sigma && sigma < UNSEEN * norm_max(out->body.J) &&
            out->unseen < PH_FIT_UNSEEN)
            (void)snprintf(out->unseen_text[out->unseen++], PH_FIT_TEXT,
                           "the directions of the principal axes %d and %d: their moments are "
                           "equal within the errors",
                           a < b ? a + 1 : b + 1, a < b ? b + 1 : a + 1);
    }
}

/* The axes of a body of which brightness alone is observed are the principal ones. If two of its moments are
 * equal within the errors, these are open, and with them the attitude and the velocity along them. */
static void hide_open_axes(const fit_model *f, ph_fit *out)
{
    const int n = f->columns;
    const double J[3] = {out->body.J.x, out->body.J.y, out->body.J.z}, errors = 2.0;
    for (int k = 0; k < 3 && f->light_only && out->quantities > (size_t)n; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double sigma = ph_hypot(out->quantity[n + a].sigma, out->quantity[n + b].sigma);
        const bool open = fabs(J[a] - J[b]) < errors * sigma;
        for (int c = 0; c < n && open; c++) {
            const int i = f->column[c].index;
            if (f->column[c].kind == OF_ATTITUDE ||
                (f->column[c].kind == OF_VELOCITY && (i == a || i == b)))
                out->quantity[c].determined = false;
        }
    }
}

/* Sets name, value and error of each quantity by its covariance, and by another one whether it is
 * determined. */
static void set_quantities(const fit_model *f, const fit_point *x, const double widest[MOST + 3],
                           ph_fit *out)
{
    const int n = f->columns, moments = (f->with->sought & PH_FIT_INERTIA) != 0 ? 3 : 0;
    const double J[3] = {out->body.J.x, out->body.J.y, out->body.J.z};
    const double *const from[] = {
        [OF_ATTITUDE] = NULL,   [OF_VELOCITY] = &x->w.x,  [OF_TENSOR] = x->tensor,
        [OF_BIAS] = &x->bias.x, [OF_FACTOR] = &x->factor, [OF_PARAMETER] = x->parameter};
    out->quantities = (size_t)n + (size_t)moments;
    for (int c = 0; c < n + moments; c++) {
        ph_fit_quantity *q = &out->quantity[c];
        const int kind = c < n ? f->column[c].kind : OF_TENSOR;
        const double variance = c < n ? out->covariance[(size_t)c * (size_t)(n + 1)]
                                      : moment_variance(f, &out->body, c - n, out->covariance);
        (void)snprintf(q->name, sizeof q->name, c < n ? "%s" : "inertia%.0s%d",
                       c < n ? out->column[c] : "", c - n + 1);
        q->value = c >= n ? J[c - n] : from[kind] != NULL ? from[kind][f->column[c].index] : 0.0;
        /* the largest moment is 1 by definition */
        const bool unit_moment = f->only_ratios && c >= n && J[c - n] == norm_max(out->body.J);
        q->determined = widest[c] <= UNSEEN * UNSEEN || unit_moment;
        q->sigma = unit_moment ? 0.0 : sqrt(variance);
        for (int k = 0; k < 4; k++)
            q->interval[k / 2][k % 2] = NAN;
    }
}

/* Takes what is not determined out of the covariance, and sets the errors of the moments. */
static void finish(const fit_model *f, ph_fit *out)
{
    const int n = f->columns;
    const double J[3] = {out->body.J.x, out->body.J.y, out->body.J.z}, trace = J[0] + J[1] + J[2];
    const bool inertia = (f->with->sought & PH_FIT_INERTIA) != 0;
    double slope[3][MOST] = {{0}};
    bool determined = true;
    (void)moment_slopes(f, &out->body, slope);
    for (int k = 0; k < 3; k++) {
        out->over_trace[k] = J[k] / trace;
        determined = determined && (!inertia || out->quantity[n + k].determined);
    }
    /* d(J_a / tr) = (dJ_a - J_a/tr sum of dJ) / tr */
    for (int k = 0; k < 9; k++) {
        double sum = 0.0;
        for (int i = 0; i < n * n; i++) {
            const int a = i / n, b = i % n;
            const double all_a = slope[0][a] + slope[1][a] + slope[2][a],
                         all_b = slope[0][b] + slope[1][b] + slope[2][b];
            sum += (slope[k / 3][a] - out->over_trace[k / 3] * all_a) * out->covariance[i] *
                   (slope[k % 3][b] - out->over_trace[k % 3] * all_b);
        }
        out->over_trace_covariance[k] = determined ? sum / (trace * trace) : NAN;
    }
    for (size_t c = 0; c < out->quantities; c++) {
        ph_fit_quantity *q = &out->quantity[c];
        const size_t m = c - (size_t)n;
        if (!q->determined)
            q->sigma = NAN;
        for (int k = 0; k < n && c < (size_t)n && !q->determined; k++)
            out->covariance[c * (size_t)n + (size_t)k] =
                out->covariance[(size_t)k * (size_t)n + c] = NAN;
        if (c >= (size_t)n)
            out->moment_sigma[m] = q->sigma;
    }
}

void ph_fit_judge(const fit_model *f, const fit_point *x, const double *r, bool posterior,
                  ph_fit *out)
{
    const int n = f->columns;
    const size_t seen = fit_numbers(f->o);
    double widest[MOST + 3] = {0}, noise = 1.0;
    size_t known = (size_t)n;
    directions d;
    /* The noise depends on how many directions are hidden, and those on the noise. */
    for (int pass = 0; pass < 2; pass++) {
        noise = noise_of(f, r, out, known - f->only_ratios);
        noise = larger_or_nan(noise, ROUND_OFF * ROUND_OFF);
        if (!find_directions(f, x, &out->body, noise, &d))
            return;
        known = 0;
        for (int a = 0; a < n; a++)
            known += !is_hidden(&d, a);
        out->degrees_of_freedom =
            seen > known - f->only_ratios ? seen - (known - f->only_ratios) : 0;
    }
    for (int a = 0; a < n; a++) {
        if (is_hidden(&d, a) && out->unseen < PH_FIT_UNSEEN) {
            const char *text = out->unseen_text[out->unseen++];
            describe(f, x, &out->body, d.V + (size_t)a * (size_t)n,
                     out->unseen_text[out->unseen - 1]);
            for (size_t k = 0; k + 1 < out->unseen; k++) /* it was said before */
                out->unseen -= strcmp(out->unseen_text[k], text) == 0;
        }
    }
    if (f->o->undirected && f->o->seen[PH_SEEN_AXIS] != NULL && ph_fit_width(f->o) == 3 &&
        out->unseen < PH_FIT_UNSEEN)
        (void)snprintf(
            out->unseen_text[out->unseen++], PH_FIT_TEXT,
            "the sign of the observed axis: half a turn about a perpendicular axis looks the same");
    if (!f->uniform || !average_bodies(f, x, noise, out->covariance, widest)) {
        add_covariance(f, x, &out->body, &d, 1.0, out->covariance);
        add_widest(f, x, &out->body, &d, widest);
    }
    set_quantities(f, x, widest, out);
    double *dx = array_create(size_product(DRAWS, (size_t)n), sizeof *dx);
    if ((f->with->sought & PH_FIT_INERTIA) != 0 && dx != NULL && !f->uniform) {
        if (posterior && f->is_free && is_weak(f, x, &d)) {
            take_posterior(f, x, noise, dx, out);
        } else {
            draw_normal(f, &d, dx);
            take_draws(f, x, dx, DRAWS, false, out);
        }
    }
    free(dx);
    hide_open_axes(f, out);
    finish(f, out);
    name_symmetry(f, out);
}
