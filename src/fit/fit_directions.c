/* fit_directions.c - what the normal equations determine: directions, their variances, the covariance.
 *
 * With N the normal matrix of squares at the minimum, the covariance is noise N^-1.
 *
 * Units are those in which a change is as large as the physical range: a radian, |w|, the largest
 * moment, a parameter. Let v be the eigenvectors of N in these units, and 1/d^2 its eigenvalues over
 * the noise. A variable is not determined if its variance, the sum of v^2 d^2, is above FIT_TOO_WIDE^2;
 * the d of a direction that is not determined at all is taken as FIT_NO_IDEA. To the covariance of the
 * variables that are determined no direction contributes more than its range.
 *
 * A free motion does not change if the tensor is multiplied by a factor. The tensor is then over its
 * largest moment u . J u: with s the direction that only changes the scale, a change dx of what is
 * sought becomes dx - s (u . dJ u).
 */
#include "fit/fit_directions.h"

#include <string.h>

#include "motion/vec.h"

enum { MOST = PH_FIT_COLUMNS };

double ph_fit_part(const fit_model *f, const double *v, int kind)
{
    double sum = 0.0;
    for (int c = 0; c < f->columns; c++)
        sum += f->column[c].kind == kind ? v[c] * v[c] : 0.0;
    return sum;
}

void ph_fit_units(const fit_model *f, const fit_point *x, const ph_body *b, double unit[MOST])
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
int ph_fit_moment_slopes(const fit_model *f, const ph_body *b, double slope[3][MOST])
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

bool ph_fit_find_directions(const fit_model *f, const fit_point *x, const ph_body *body,
                            double noise, fit_directions *d)
{
    const int n = f->columns;
    fit_model squares = *f;
    squares.loss = PH_LOSS_SQUARES;
    double N[MOST * MOST] = {0}, g[MOST] = {0}, by_scale[MOST] = {0}, length = 0.0;
    if (!isfinite(ph_fit_loss_at(&squares, x, N, g, NULL)))
        return false;
    ph_fit_units(f, x, body, d->unit);
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

bool ph_fit_is_vague(const fit_model *f, const fit_point *x, double noise)
{
    const double close = 0.05;
    bool vague = false;
    fit_directions d;
    ph_body body;
    if (ph_body_from_tensor(&body, symmetric(x->tensor)) != PH_OK ||
        !ph_fit_find_directions(f, x, &body, noise, &d))
        return false;
    for (int a = 0; a < f->columns; a++)
        vague = vague || (ph_fit_part(f, d.V + (size_t)a * (size_t)f->columns, OF_TENSOR) > close &&
                          fit_variance(&d, a, 1.0) > close * close);
    return vague;
}

/* Adds the covariance of the directions to C, such that the largest moment stays 1 if the tensor is
 * divided by it: C -> P C P^T with P = 1 - s u^T. */
void ph_fit_add_covariance(const fit_model *f, const fit_point *x, const ph_body *body,
                           const fit_directions *d, double range, double *to)
{
    const int n = f->columns;
    double C[MOST * MOST] = {0}, Cu[MOST] = {0}, uCu = 0.0, by_scale[MOST] = {0},
                    slope[3][MOST] = {{0}};
    for (int a = 0; a < n; a++) {
        const double *v = d->V + (size_t)a * (size_t)n, variance = fit_variance(d, a, range);
        for (int k = 0; k < n * n; k++)
            C[k] += variance * v[k / n] * d->unit[k / n] * v[k % n] * d->unit[k % n];
    }
    const int largest = ph_fit_moment_slopes(f, body, slope);
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
double ph_fit_moment_variance(const fit_model *f, const ph_body *body, int m, const double *C)
{
    const int n = f->columns;
    double slope[3][MOST] = {{0}}, sum = 0.0;
    (void)ph_fit_moment_slopes(f, body, slope);
    for (int k = 0; k < n * n; k++)
        sum += slope[m][k / n] * C[k] * slope[m][k % n];
    return larger_or_nan(sum, 0.0);
}

/* If the axes are principal, a turn must keep the products of inertia 0; if the body is known, its tensor.
 * Half turns and quarter turns can do that. */
void ph_fit_changes_by_turns(const fit_model *f, const fit_point *x, double most[MOST])
{
    enum { ANGLES = 24 };
    const ph_observations *o = f->o;
    const int n = f->columns, held = (f->with->sought & PH_FIT_INERTIA) == 0 ? 0
                                     : f->principal                          ? 3
                                                    : 6; /* the first that may not change */
    const double round_off = 1e-9;
    memset(most, 0, MOST * sizeof *most);
    if (o->seen[PH_SEEN_AXIS] == NULL || ph_fit_width(o) != 3)
        return;
    const ph_vec3 a = scale(1.0 / norm(o->axis), o->axis);
    const double along[3] = {a.x, a.y, a.z}, speed = norm(x->w);
    for (int k = 1; k < ANGLES; k++) {
        const ph_quat turn = turn_about(a, PH_PI * k / ANGLES);
        const ph_mat3 Q = ph_quat_matrix(turn),
                      J = matmul(Q, matmul(symmetric(x->tensor), transpose(Q)));
        const ph_vec3 w = rotate(turn, x->w);
        const double change[] = {w.x - x->w.x, w.y - x->w.y, w.z - x->w.z};
        double by[6];
        bool possible = true;
        for (int i = 0; i < 6; i++) {
            by[i] = fabs(J.a[tensor_row[i]][tensor_column[i]] - x->tensor[i]);
            possible = possible && (i < held || by[i] <= round_off * (J.a[0][0] + J.a[1][1]));
        }
        for (int c = 0; c < n && possible; c++) {
            const int kind = f->column[c].kind, i = f->column[c].index;
            const double changed = kind == OF_ATTITUDE   ? PH_PI * fabs(along[i])
                                   : kind == OF_VELOCITY ? fabs(change[i]) / speed
                                   : kind == OF_TENSOR   ? by[i]
                                                         : 0.0;
            most[c] = larger_or_nan(most[c], changed);
        }
    }
}

/* Adds to w the variances by which variables and moments count as determined, in squared units. Of
 * attitude, velocity and the like, directions that are seen at all count up to some units. */
void ph_fit_add_widest(const fit_model *f, const fit_point *x, const ph_body *body,
                       const fit_directions *d, double w[MOST + 3])
{
    const int n = f->columns;
    const double some = 3.0, largest = norm_max(body->J);
    double C[MOST * MOST] = {0};
    ph_fit_add_covariance(f, x, body, d, FIT_NO_IDEA, C);
    for (int c = 0; c < n; c++) {
        double sum = 0.0;
        for (int a = 0; a < n; a++)
            sum += d->V[a * n + c] * d->V[a * n + c] *
                   fit_variance(d, a, fit_is_singular(d, a) ? FIT_NO_IDEA : some);
        w[c] += f->column[c].kind == OF_TENSOR
                    ? C[(size_t)c * (size_t)(n + 1)] / (d->unit[c] * d->unit[c])
                    : sum;
    }
    for (int m = 0; m < 3; m++)
        w[n + m] += ph_fit_moment_variance(f, body, m, C) / (largest * largest);
    double turned[MOST];
    ph_fit_changes_by_turns(f, x, turned);
    for (int c = 0; c < n; c++) /* the normal matrix knows of small turns alone */
        w[c] = turned[c] > FIT_TURNED ? INFINITY : w[c];
}
