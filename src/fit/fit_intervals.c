/* fit_intervals.c - intervals of numbers whose errors are not normally distributed, by draws.
 *
 * Where the two largest moments are nearly equal, "the largest is 1" is not linear in the tensor. Draws
 * from the normal distribution show it. Then the errors are what 0.683 and 0.954 of the draws differ by.
 *
 * If the loss is not quadratic within two standard deviations, draws of the posterior distribution over
 * physical bodies give the intervals: fit_sample.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "fit/fit_directions.h"
#include "motion/vec.h"

enum { MOST = PH_FIT_COLUMNS };
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
            const double by =
                fit_is_hidden(d, a) ? 0.0 : sqrt(fit_variance(d, a, 1.0)) * ph_fit_gauss(&seed);
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
static double hidden_part(const fit_directions *d, int n, int c)
{
    double sum = 0.0;
    for (int a = 0; a < n; a++)
        sum += fit_is_singular(d, a) ? d->V[a * n + c] * d->V[a * n + c] : 0.0;
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
    const size_t draws = ph_fit_sample(f, &best, noise, POSTERIOR, dx);
    ph_fit_units(f, x, &out->body, unit);
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
            for (int m = 0; m < 3 && c >= n; m++)
                to = rank_of(&out->body, m) == rank_of(&body, c - n) ? n + m : to;
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
        q->determined = 2 * blind[c] <= looks && !(of_tensor && is_open(q, size)) &&
                        (of_tensor ? seen[c] > 0 || (seen[c] == 0 && q->sigma <= close * size)
                                   : q->sigma <= FIT_TOO_WIDE * size);
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
