/* fit_errors.c - the errors of a fit: directions that the normal equations determine, their variances and
 * the covariance; then draws of the posterior distribution, where the loss is not quadratic; then the
 * intervals of numbers whose errors are not normally distributed, by draws.
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
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fit/fit_errors.h"
#include "fit/fit_model.h"
#include "motion/vec.h"

enum { MOST = PH_FIT_COLUMNS };

/* ---- directions ------------------------------------------------------------------------------ */

double ph_fit_part(const fit_model *f, const double *v, int kind)
{
    double sum = 0.0;
    for (int c = 0; c < f->columns; c++) {
        if (f->column[c].kind == kind)
            sum += v[c] * v[c];
    }
    return sum;
}

/* The physical range of each variable. */
static void set_units(const fit_model *f, const fit_point *x, const ph_body *b, double unit[MOST])
{
    for (int c = 0; c < f->columns; c++) {
        const int kind = f->column[c].kind;
        if (kind == OF_VELOCITY || kind == OF_BIAS)
            unit[c] = norm(x->w);
        else if (kind == OF_TENSOR)
            unit[c] = norm_max(b->J);
        else if (kind == OF_FACTOR)
            unit[c] = fabs(x->factor);
        else if (kind == OF_PARAMETER)
            unit[c] = fabs(x->parameter[f->column[c].index]);
        else
            unit[c] = 1.0;
        if (!(unit[c] > 0.0))
            unit[c] = 1.0;
    }
}

/* Which moment is the largest, and the derivatives of each moment by the columns. */
int ph_fit_moment_slopes(const fit_model *f, const ph_body *b, double slope[3][MOST])
{
    const ph_mat3 A = ph_quat_matrix(b->axes);
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < f->columns; c++) {
            const int i = f->column[c].index % 6, row = tensor_row[i], column = tensor_column[i];
            if (f->column[c].kind != OF_TENSOR)
                slope[k][c] = 0.0;
            else
                slope[k][c] = A.a[row][k] * A.a[column][k] * tensor_times[i];
        }
    }
    if (b->J.x >= b->J.y && b->J.x >= b->J.z)
        return 0;
    return b->J.y >= b->J.z ? 1 : 2;
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
    const int n = f->columns;
    int held = f->principal ? 3 : 6; /* the first that may not change */
    if ((f->with->sought & PH_FIT_INERTIA) == 0)
        held = 0;
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
            double changed = 0.0;
            if (kind == OF_ATTITUDE)
                changed = PH_PI * fabs(along[i]);
            else if (kind == OF_VELOCITY)
                changed = fabs(change[i]) / speed;
            else if (kind == OF_TENSOR)
                changed = by[i];
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
        if (f->column[c].kind == OF_TENSOR)
            w[c] += C[(size_t)c * (size_t)(n + 1)] / (d->unit[c] * d->unit[c]);
        else
            w[c] += sum;
    }
    for (int m = 0; m < 3; m++)
        w[n + m] += ph_fit_moment_variance(f, body, m, C) / (largest * largest);
    double turned[MOST];
    ph_fit_changes_by_turns(f, x, turned);
    for (int c = 0; c < n; c++) { /* the normal matrix knows of small turns alone */
        if (turned[c] > FIT_TURNED)
            w[c] = INFINITY;
    }
}

/* ---- draws of the posterior distribution ----------------------------------------------------- */

/* Each draw is the minimum of the loss of disturbed observations plus
 *
 *   noise |J - J'|^2 / RANGE^2,   both tensors over their largest moment,
 *
 * where J' is a physical tensor at random, and the disturbance has the distribution of the noise
 * (D. S. Oliver, N. He, A. C. Reynolds, 5th European conference on the mathematics of oil recovery,
 * 1996). If the motion were linear in the unknowns, and J' normally distributed, this would be the
 * posterior distribution. Draws follow a curved valley of the loss to all its ends, as the descent
 * of each leads there from its own J'. Where that fails, it begins at the best minimum.
 *
 * But descents that would leave the physical bodies all end at their bound, in nearly one point. So the
 * draws then walk by differential evolution (C. J. F. ter Braak, Statistics and computing, 2006, 16,
 * 239), of which the stationary distribution is exp(-loss / 2 noise) over physical bodies:
 *
 *   x -> x + g (a - b),   a and b from the half of the draws that rests meanwhile.
 */

static const double RANGE = 0.5;

typedef struct sampling {
    const fit_model *f;
    const fit_minimum *best;
    double noise, *out;
    bool *good;
} sampling;

/* Draws sample i; it is not good if its descent ends far above the best minimum. */
static void draw(void *context, size_t i)
{
    enum { STEPS = 16 };
    const double far = 25.0;
    const sampling *s = context;
    const fit_model *f = s->f;
    const size_t n = (size_t)f->columns, numbers = f->o->count * ph_fit_width(f->o);
    uint64_t seed = 7919U * (i + 1);
    double *shift = array_create(numbers, sizeof *shift), prior[6], *out = s->out + i * n;
    fit_model disturbed = *f;
    fit_point y = s->best->x, away = y;
    if (shift == NULL || !fit_goes_on(f)) {
        free(shift);
        return;
    }
    for (size_t k = 0; k < numbers; k++)
        shift[k] = sqrt(s->noise) * ph_fit_gauss(&seed);
    ph_fit_draw_tensor(f, &seed, &y);
    memcpy(prior, y.tensor, sizeof prior);
    disturbed.shift = shift;
    disturbed.prior = prior;
    disturbed.prior_weight = s->noise / (RANGE * RANGE);
    /* The minima of long arcs and of brightness are narrow: from another body the descent ends
     * elsewhere, and begins again at the best minimum. */
    for (int try = f->light_only; try < 2 && !s->good[i]; try++) {
        if (try != 0)
            y = s->best->x;
        (void)ph_fit_descend(&disturbed, &y, STEPS);
        s->good[i] = ph_fit_loss_at(f, &y, NULL, NULL, NULL) <= s->best->loss + far * s->noise;
    }
    free(shift);
    /* The displacement of the columns. */
    const ph_vec3 turn = ph_rotation_log(mul(inverse(away.q), y.q)), none = {0.0, 0.0, 0.0};
    const double *const from[] = {&none.x,      &away.w.x,    away.tensor,
                                  &away.bias.x, &away.factor, away.parameter},
                        *const to[] = {&turn.x,   &y.w.x,    y.tensor,
                                       &y.bias.x, &y.factor, y.parameter};
    for (size_t c = 0; c < n; c++) {
        const fit_column k = f->column[c];
        out[c] = to[k.kind][k.index] - from[k.kind][k.index];
    }
}

/* ---- the walk to the physical bodies within the bound ----------------------------------------- */

typedef struct walk {
    const fit_model *f;
    const fit_minimum *best;
    double noise, largest; /* moment of the best body */
    double *out, *loss;    /* of each draw */
    uint64_t *seed;
    size_t from, count, rest; /* the draws that walk; the first of as many that rest */
} walk;

/* The loss of displaced columns, infinite if that is no physical body, NaN if there is no such motion: no
 * draw steps there. The scale of a tensor of which only ratios can be seen is nearly that of the best one. */
static double loss_of(const walk *w, const double *by)
{
    const double scale_free = 0.1;
    const fit_point y = ph_fit_moved(w->f, &w->best->x, by);
    ph_body b;
    if (ph_body_from_tensor(&b, symmetric(y.tensor)) != PH_OK || !ph_body_physical(&b) ||
        (w->f->only_ratios && fabs(norm_max(b.J) / w->largest - 1.0) > scale_free))
        return INFINITY;
    return ph_fit_loss_at(w->f, &y, NULL, NULL, NULL);
}

/* One step of draw i of those that walk. In a normal distribution 2.38 / sqrt(2 n) is best: twice that lets
 * draws leave a bound soon, and shorter ones follow a curved valley. At times the step is as long as the
 * difference, to another valley. */
static void step(void *context, size_t i)
{
    const double longest = 5.0, shorter = 2.0, whole = 0.1;
    const walk *w = context;
    const size_t n = (size_t)w->f->columns, own = w->from + i;
    uint64_t *seed = &w->seed[own];
    const size_t a = w->rest + random_bits(seed) % w->count,
                 b = w->rest + random_bits(seed) % w->count;
    const double part = uniform(seed), chance = uniform(seed);
    double length = longest / sqrt(2.0 * (double)n) * ph_real_exp(-shorter * part);
    if (uniform(seed) < whole)
        length = 1.0;
    double *x = w->out + own * n, y[PH_FIT_COLUMNS];
    if (!fit_goes_on(w->f))
        return;
    for (size_t c = 0; c < n; c++)
        y[c] = x[c] + length * (w->out[a * n + c] - w->out[b * n + c]);
    const double loss = loss_of(w, y);
    if (ph_real_log(1.0 - chance) < 0.5 * (w->loss[own] - loss) / w->noise) {
        memcpy(x, y, n * sizeof *x);
        w->loss[own] = loss;
    }
}

/* Lets the draws walk, so many steps that those at a bound spread as far as the loss allows. Without memory they stay where they are. */
static void walk_on(const fit_model *f, const fit_minimum *best, double noise, size_t draws,
                    double *out)
{
    enum { STEPS = 120 };
    const double *t = best->x.tensor;
    ph_body b;
    walk w = {.f = f, .best = best, .noise = noise, .out = out, .count = draws / 2};
    w.loss = array_create(draws, sizeof *w.loss);
    w.seed = array_create(draws, sizeof *w.seed);
    if (w.loss != NULL && w.seed != NULL && ph_body_from_tensor(&b, symmetric(t)) == PH_OK) {
        w.largest = norm_max(b.J);
        for (size_t k = 0; k < draws; k++) {
            w.seed[k] = 104729U * (k + 1);
            w.loss[k] = loss_of(&w, out + k * (size_t)f->columns);
        }
        for (int k = 0; k < 2 * STEPS; k++) {
            w.from = w.count * (size_t)(k % 2), w.rest = w.count - w.from;
            ph_parallel_for(w.count, true, step, &w);
        }
    }
    free(w.loss);
    free(w.seed);
}

/* Draws displacements of the columns from the posterior distribution over physical bodies, stores them
 * row by row, and returns how many: some of the `draws` may fail. `noise` is the variance of a residual
 * over its sigma. */
static size_t sample(const fit_model *f, const fit_minimum *best, double noise, size_t draws,
                     double *out)
{
    const size_t n = (size_t)f->columns;
    sampling s = {f, best, noise, out, array_create(draws, sizeof *s.good)};
    size_t count = 0;
    if (s.good == NULL)
        return 0;
    memset(s.good, 0, draws * sizeof *s.good);
    ph_parallel_for(draws, true, draw, &s);
    for (size_t k = 0; k < draws; k++) {
        if (s.good[k])
            memmove(out + n * count++, out + n * k, n * sizeof *out);
    }
    free(s.good);
    walk_on(f, best, noise, count, out);
    return count;
}

/* ---- intervals ------------------------------------------------------------------------------- */

/* Where the two largest moments are nearly equal, "the largest is 1" is not linear in the tensor. Draws
 * from the normal distribution show it. Then the errors are what 0.683 and 0.954 of the draws differ by.
 *
 * If the loss is not quadratic within two standard deviations, draws of the posterior distribution over
 * physical bodies give the intervals.
 */

enum { DRAWS = 1000, POSTERIOR = 200 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Draws changes of the variables from the normal distribution of the directions. */
static void draw_normal(const fit_model *f, const fit_directions *d, double *dx)
{
    const int n = f->columns;
    uint64_t seed = 3;
    memset(dx, 0, (size_t)(DRAWS * n) * sizeof *dx);
    for (size_t k = 0; k < DRAWS; k++) {
        for (int a = 0; a < n; a++) {
            double by = 0.0;
            if (!fit_is_hidden(d, a))
                by = sqrt(fit_variance(d, a, 1.0)) * ph_fit_gauss(&seed);
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
    if (ph_body_from_tensor(&b, symmetric(y->tensor)) != PH_OK || !ph_body_physical(&b))
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
        for (int c = 0; c < n + 3; c++) {
            double *drawn = &all[(size_t)c * draws + count];
            if (c >= n)
                *drawn = J[c - n];
            else if (f->column[c].kind == OF_TENSOR)
                *drawn = tensor[f->column[c].index];
            else
                *drawn = out->quantity[c].value + by[c];
        }
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
            if (!posterior)
                v[k] = fabs(v[k] - q->value);
        }
        qsort(v, count, sizeof *v, ascending);
        for (int i = 0; i < 2; i++) {
            const double last = (double)(count - 1), low = 0.5 * (1.0 - inside[i]),
                         apart = v[(size_t)(inside[i] * last)];
            double from = q->value - apart, to = q->value + apart;
            if (posterior) {
                from = v[(size_t)(low * last)];
                to = v[(size_t)((1.0 - low) * last)];
            }
            /* no element of a tensor is larger than its largest moment */
            q->interval[i][0] = from;
            if (f->only_ratios && of_tensor && to > 1.0)
                q->interval[i][1] = 1.0;
            else
                q->interval[i][1] = to;
            half[i] = 0.5 * (to - from);
        }
        const bool normal = fabs(half[0] / q->sigma - 1.0) < differs &&
                            fabs(half[1] / (2.0 * q->sigma) - 1.0) < differs;
        const bool constant = !(half[1] > 1e-15); /* round-off */
        if (constant || (normal && !posterior)) {
            for (int i = 0; i < 4; i++)
                q->interval[i / 2][i % 2] = NAN;
            if (constant && posterior)
                q->sigma = 0.0; /* 1 by definition */
            continue;
        }
        /* errors that are only larger than those of the normal equations are normal ones, too */
        const bool wider = fabs(half[1] / (2.0 * half[0]) - 1.0) < differs && !posterior;
        for (int i = 0; i < 4 && wider; i++)
            q->interval[i / 2][i % 2] = NAN;
        const double sigma = wider ? half[0] : sqrt(sum / (double)count);
        for (int k = 0; c < n && k < n && q->sigma > 0.0; k++) {
            out->covariance[c * n + k] *= sigma / q->sigma;
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
static bool is_weak(const fit_model *f, const fit_point *x, const fit_directions *d)
{
    const int n = f->columns;
    const double least = 2.8, most = 5.6;
    const double loss = ph_fit_loss_at(f, x, NULL, NULL, NULL);
    double by_scale[MOST] = {0};
    ph_fit_scale_direction(f, x, by_scale);
    for (int a = 0; a < n; a++) {
        const double *v = d->V + (size_t)a * (size_t)n,
                     sigma = sqrt(fit_variance(d, a, FIT_TOO_WIDE));
        double rise[4], dx[MOST], along = 0.0, length = 0.0;
        for (int c = 0; c < n; c++) {
            along += v[c] * by_scale[c] / d->unit[c];
            length += by_scale[c] / d->unit[c] * by_scale[c] / d->unit[c];
        }
        const bool is_scale = f->only_ratios && along * along > 0.5 * length;
        if (fit_is_singular(d, a) || is_scale)
            continue;
        if (fit_is_hidden(d, a))
            return true;
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < n; c++)
                dx[c] = alternating(k) * sigma * (k < 2 ? 1.0 : 2.0) * v[c] * d->unit[c];
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
static double hidden_part(const fit_directions *d, int n, int c)
{
    double sum = 0.0;
    for (int a = 0; a < n; a++) {
        if (fit_is_singular(d, a))
            sum += d->V[a * n + c] * d->V[a * n + c];
    }
    return sum;
}

/* Whether the error of a number of the tensor leaves open what is possible: a range as long as the largest
 * moment. If nothing were known, two thirds of the draws would lie within 0.68 of that, and the error would
 * be 0.29 about the middle and 0.58 about an end. */
static bool is_open(const ph_fit_quantity *q, double largest)
{
    const double most_covered = 0.6, widest = 0.45;
    return q->interval[0][1] - q->interval[0][0] > most_covered * largest ||
           q->sigma > widest * largest;
}

/* The errors by the posterior distribution. Attitude and velocity are determined if the draws are close
 * together. The tensor has bounds, so that its draws always are: it is determined if it is so for the
 * normal matrices at more of the draws than those where it is not, each without doubt, and its error does
 * not leave it open. */
static void take_posterior(const fit_model *f, const fit_point *x, double noise, double *dx,
                           ph_fit *out)
{
    enum { LOOKS = 60 };
    const double close = 0.05, doubt = 3.0,
                 hidden = FIT_TOO_WIDE * FIT_TOO_WIDE / (FIT_NO_IDEA * FIT_NO_IDEA);
    const int n = f->columns;
    const fit_minimum best = {*x, ph_fit_loss_at(f, x, NULL, NULL, NULL)};
    double unit[MOST];
    int seen[MOST + 3] = {0}, blind[MOST + 3] = {0}, looks = 0;
    const size_t draws = sample(f, &best, noise, POSTERIOR, dx);
    set_units(f, x, &out->body, unit);
    for (size_t k = 0; k < LOOKS && draws > LOOKS; k++) {
        fit_point y = ph_fit_moved(f, x, dx + draws * k / LOOKS * (size_t)n);
        double widest[MOST + 3] = {0};
        fit_directions there;
        ph_body body;
        ph_fit_make_physical(f, &y);
        if (ph_body_from_tensor(&body, symmetric(y.tensor)) != PH_OK ||
            !ph_fit_find_directions(f, &y, &body, noise, &there))
            continue;
        ph_fit_add_widest(f, &y, &body, &there, widest);
        looks++;
        for (int c = 0; c < n + 3; c++) {
            int to = c; /* moments in the order of the best body */
            for (int m = 0; m < 3 && c >= n; m++) {
                if (rank_of(&out->body, m) == rank_of(&body, c - n))
                    to = n + m;
            }
            seen[to] += (widest[c] * doubt * doubt < 1.0) - (widest[c] > doubt * doubt);
            blind[to] += c < n && (hidden_part(&there, n, c) > hidden || isinf(widest[c]));
        }
    }
    for (size_t c = 0; c < out->quantities && looks > 0; c++)
        out->quantity[c].determined = true;
    take_draws(f, x, dx, draws, true, out);
    for (size_t c = 0; c < out->quantities && looks > 0; c++) {
        ph_fit_quantity *q = &out->quantity[c];
        const bool of_tensor = c >= (size_t)n || f->column[c].kind == OF_TENSOR;
        const double size = c < (size_t)n ? unit[c] : norm_max(out->body.J);
        bool fine = q->sigma <= FIT_TOO_WIDE * size;
        if (of_tensor)
            fine = !is_open(q, size) && (seen[c] > 0 || (seen[c] == 0 && q->sigma <= close * size));
        q->determined = fine && 2 * blind[c] <= looks;
    }
}

void ph_fit_set_intervals(const fit_model *f, const fit_point *x, const fit_directions *d,
                          double noise, bool posterior, ph_fit *out)
{
    double *dx = array_create(size_product(DRAWS, (size_t)f->columns), sizeof *dx);
    if (dx == NULL)
        return;
    if (posterior && f->is_free && is_weak(f, x, d)) {
        take_posterior(f, x, noise, dx, out);
    } else {
        draw_normal(f, d, dx);
        take_draws(f, x, dx, DRAWS, false, out);
    }
    free(dx);
}
