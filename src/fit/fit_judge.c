/* fit_judge.c - what observations determine: the covariance, intervals, and what they do not show, in
 * words; the judgement of a solution; then the numbers that its rivals leave open.
 *
 * The noise by which the normal matrix is divided is 1 if sigma is known, else chi2 over the degrees of
 * freedom. With another loss rho(r^2), slope = rho', it is
 * (P. J. Huber, E. M. Ronchetti, Robust statistics, 2009, section 7.6)
 *
 *   noise = n/(n - p) mean of slope^2 r^2 / (mean of slope + 2 slope' r^2 / rows)^2.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "fit/fit_errors.h"
#include "fit/fit_model.h"
#include "motion/vec.h"

enum { MOST = PH_FIT_COLUMNS };
static const double ROUND_OFF = 1e-17;

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
    return matmul(transpose(A), matmul(symmetric(d), A));
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
    if (f->o->seen[PH_SEEN_AXIS] != NULL && ph_fit_part(f, v, OF_ATTITUDE) > 0.0 &&
        ph_fit_part(f, v, OF_ATTITUDE) < most && f->o->seen[PH_SEEN_ATTITUDE] == NULL &&
        f->o->seen[PH_SEEN_VELOCITY] == NULL) {
        PUT(text, "a rotation of the body's axes about the observed axis");
        return;
    }
    for (int kind = OF_ATTITUDE; kind <= OF_VELOCITY; kind++) {
        if (ph_fit_part(f, v, kind) > counts) {
            PUT(text, "%s%s", joined, seen_as[kind]);
            joined = ", ";
            const char *about = " about";
            for (int c = 0; c < f->columns && ph_fit_part(f, v, kind) < most; c++) {
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
    const bool common = along_J * along_J > 0.98 * J2 * ph_fit_part(f, v, OF_TENSOR);
    if (common && ph_fit_part(f, v, OF_TENSOR) > counts) {
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
    if (along >= 0 && ph_fit_part(f, v, OF_TENSOR) > counts)
        PUT(text, ": the body rotates about principal axis %d", along + 1);
}

/* ---- the judgement --------------------------------------------------------------------------- */

/* The variance of a residual over its sigma. */
static double noise_of(const fit_model *f, const double *r, const ph_fit *out, size_t known)
{
    const ph_observations *o = f->o;
    const double rest = fit_numbers_left(o, known);
    double squares = 0.0, slopes = 0.0;
    if (f->loss == PH_LOSS_SQUARES) {
        if (out->scaled)
            return out->chi2 / rest;
        return 1.0;
    }
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
    const double mean = slopes / (double)fit_numbers(o);
    return squares / rest / (mean * mean);
}

/* Two moments that are equal within their errors leave the axes in their plane open. */
static void name_symmetry(const fit_model *f, ph_fit *out)
{
    const double J[3] = {out->body.J.x, out->body.J.y, out->body.J.z}, errors = 2.0;
    for (int k = 0; k < 3 && (f->with->sought & PH_FIT_INERTIA) != 0 && !f->principal; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double sigma = ph_hypot(out->moment_sigma[a], out->moment_sigma[b]);
        if (fabs(J[a] - J[b]) < errors * sigma && sigma < FIT_TOO_WIDE * norm_max(out->body.J) &&
            out->unseen < PH_FIT_UNSEEN)
            (void)snprintf(out->unseen_text[out->unseen++], PH_FIT_TEXT,
                           "the directions of the principal axes %d and %d: their moments are "
                           "equal within the errors",
                           smaller_int(a, b) + 1, larger_int(a, b) + 1);
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
        double variance;
        if (c < n) {
            const double *value = from[f->column[c].kind];
            (void)snprintf(q->name, sizeof q->name, "%s", out->column[c]);
            variance = out->covariance[(size_t)c * (size_t)(n + 1)];
            q->value = value != NULL ? value[f->column[c].index] : 0.0;
        } else {
            (void)snprintf(q->name, sizeof q->name, "inertia%d", c - n + 1);
            variance = ph_fit_moment_variance(f, &out->body, c - n, out->covariance);
            q->value = J[c - n];
        }
        /* the largest moment is 1 by definition */
        const bool unit_moment = f->only_ratios && c >= n && J[c - n] == norm_max(out->body.J);
        q->determined = widest[c] <= FIT_TOO_WIDE * FIT_TOO_WIDE || unit_moment;
        if (unit_moment)
            q->sigma = 0.0;
        else
            q->sigma = sqrt(variance);
        for (int k = 0; k < 4; k++)
            q->interval[k / 2][k % 2] = NAN;
    }
}

/* Adds small changes by turns that the observations do not show to the errors. */
static void add_turns(const fit_model *f, const fit_point *x, const fit_directions *d, ph_fit *out)
{
    double turned[MOST];
    ph_fit_changes_by_turns(f, x, turned);
    for (int c = 0; c < f->columns; c++) {
        ph_fit_quantity *q = &out->quantity[c];
        const double by = turned[c] * d->unit[c];
        if (!(by > 0.0 && q->determined))
            continue;
        out->covariance[(size_t)c * (size_t)(f->columns + 1)] += by * by;
        q->sigma = ph_hypot(q->sigma, by);
        for (int i = 0; i < 4; i++)
            q->interval[i / 2][i % 2] -= alternating(i) * by;
    }
}

/* Marks a quantity as not determined, and takes it out of the covariance. */
static void hide(ph_fit *out, size_t quantity)
{
    const size_t n = out->columns;
    ph_fit_quantity *q = &out->quantity[quantity];
    q->determined = false;
    q->sigma = NAN;
    for (int k = 0; k < 4; k++)
        q->interval[k / 2][k % 2] = NAN;
    for (size_t k = 0; k < n && quantity < n; k++)
        out->covariance[quantity * n + k] = out->covariance[k * n + quantity] = NAN;
    if (quantity >= n) {
        out->moment_sigma[quantity - n] = NAN;
        for (int k = 0; k < 9; k++)
            out->over_trace_covariance[k] = NAN;
    }
}

/* Takes what is not determined out of the covariance, and sets the errors of the moments. */
static void finish(const fit_model *f, ph_fit *out)
{
    const int n = f->columns;
    const double J[3] = {out->body.J.x, out->body.J.y, out->body.J.z}, trace = J[0] + J[1] + J[2];
    double slope[3][MOST] = {{0}};
    (void)ph_fit_moment_slopes(f, &out->body, slope);
    for (int k = 0; k < 3; k++)
        out->over_trace[k] = J[k] / trace;
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
        out->over_trace_covariance[k] = sum / (trace * trace);
    }
    for (size_t c = 0; c < out->quantities; c++) {
        if (c >= (size_t)n)
            out->moment_sigma[c - (size_t)n] = out->quantity[c].sigma;
        if (!out->quantity[c].determined)
            hide(out, c);
    }
}

void ph_fit_judge(const fit_model *f, const fit_point *x, const double *r, bool posterior,
                  ph_fit *out)
{
    const int n = f->columns;
    const size_t seen = fit_numbers(f->o);
    double widest[MOST + 3] = {0}, noise = 1.0;
    size_t known = (size_t)n;
    fit_directions d;
    /* The noise depends on how many directions are hidden, and those on the noise. */
    for (int pass = 0; pass < 2; pass++) {
        noise = noise_of(f, r, out, known - f->only_ratios);
        noise = larger_or_nan(noise, ROUND_OFF * ROUND_OFF);
        if (!ph_fit_find_directions(f, x, &out->body, noise, &d))
            return;
        known = 0;
        for (int a = 0; a < n; a++)
            known += !fit_is_hidden(&d, a);
        if (seen > known - f->only_ratios)
            out->degrees_of_freedom = seen - (known - f->only_ratios);
        else
            out->degrees_of_freedom = 0;
    }
    for (int a = 0; a < n; a++) {
        if (fit_is_hidden(&d, a) && out->unseen < PH_FIT_UNSEEN) {
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
    if (!f->uniform || !ph_fit_average_bodies(f, x, noise, out->covariance, widest)) {
        ph_fit_add_covariance(f, x, &out->body, &d, 1.0, out->covariance);
        ph_fit_add_widest(f, x, &out->body, &d, widest);
    }
    bool turned = false;
    for (int c = 0; c < n; c++)
        turned = turned || isinf(widest[c]);
    if (turned && (f->principal || (f->with->sought & PH_FIT_INERTIA) == 0) &&
        out->unseen < PH_FIT_UNSEEN)
        (void)snprintf(out->unseen_text[out->unseen++], PH_FIT_TEXT,
                       "quarter or half turns of the body's axes about the observed axis");
    set_quantities(f, x, widest, out);
    if ((f->with->sought & PH_FIT_INERTIA) != 0 && !f->uniform)
        ph_fit_set_intervals(f, x, &d, noise, posterior, out);
    add_turns(f, x, &d, out);
    hide_open_axes(f, out);
    finish(f, out);
    name_symmetry(f, out);
}

/* ---- numbers that the rivals leave open ------------------------------------------------------ */

/* Each solution has its own errors, which know nothing of the other solutions. Two or three solutions with small
 * errors are alternatives, and each of them is worth its errors. But over a short arc, dozens of solutions
 * explain the observations, and their intervals together cover much of what is possible: then the number
 * is not determined, whatever the error of one of them.
 */

/* The share of the possible values that the intervals of all solutions may cover, and how many times as
 * much as that of one of them. */
static const double MOST_COVERED = 0.5, MOST_WIDER = 1.5;

/* Fewer rivals are alternatives. */
enum { MANY = 5 };

typedef struct span {
    double from, to;
} span;

/* A moment of inertia by its rank, or an element of the tensor. */
enum { RANKS = 3 };

/* The quantity of a solution that is the moment of a rank, 0 the least, or a column. */
static size_t place_of(const ph_fit *s, int what)
{
    const double J[RANKS] = {s->body.J.x, s->body.J.y, s->body.J.z};
    size_t k = 0;
    if (what >= RANKS)
        return (size_t)(what - RANKS);
    for (size_t i = 0; i < RANKS; i++) {
        int below = 0;
        for (size_t j = 0; j < RANKS; j++)
            below += J[j] < J[i] || (j < i && J[j] == J[i]);
        if (below == what)
            k = i;
    }
    return s->columns + k;
}

/* The interval of two sigma within that of all physical bodies; all of it if the number is not determined. */
static span span_of(const ph_fit_quantity *q, span possible)
{
    double from = q->interval[1][0], to = q->interval[1][1];
    if (!q->determined)
        return possible;
    if (isnan(from)) {
        from = q->value - 2.0 * q->sigma;
        to = q->value + 2.0 * q->sigma;
    }
    return (span){larger_or_nan(from, possible.from), smaller_or_nan(to, possible.to)};
}

static int by_start(const void *a, const void *b)
{
    const double x = ((const span *)a)->from, y = ((const span *)b)->from;
    return (x > y) - (x < y);
}

/* How much the intervals cover together. */
static double covered(span *all, size_t count)
{
    double sum = 0.0, end = -INFINITY;
    qsort(all, count, sizeof *all, by_start);
    for (size_t k = 0; k < count; k++) {
        const double from = larger_or_nan(all[k].from, end);
        if (all[k].to > from)
            sum += all[k].to - from, end = all[k].to;
    }
    return sum;
}

/* Solution k: the best, or a rival. */
static ph_fit *solution(ph_fit *best, ph_fit *rival, size_t k)
{
    return k > 0 ? &rival[k - 1] : best;
}

/* Hides one of them in each solution that has an error for it, if all together leave it open. */
static bool compare(ph_fit *best, ph_fit *rival, size_t rivals, int what, span possible)
{
    span own[FIT_MINIMA + 1], all[FIT_MINIMA + 1];
    bool open = false;
    for (size_t k = 0; k <= rivals; k++) {
        const ph_fit *s = solution(best, rival, k);
        own[k] = all[k] = span_of(&s->quantity[place_of(s, what)], possible);
    }
    const double together = covered(all, rivals + 1);
    if (together <= MOST_COVERED * (possible.to - possible.from))
        return false;
    for (size_t k = 0; k <= rivals; k++) {
        ph_fit *s = solution(best, rival, k);
        const size_t at = place_of(s, what);
        if (s->quantity[at].determined && s->quantity[at].sigma > 0.0 &&
            together > MOST_WIDER * (own[k].to - own[k].from)) {
            hide(s, at);
            open = open || k == 0;
        }
    }
    return open;
}

void ph_fit_compare(const fit_model *f, ph_fit *best, ph_fit *rival, size_t rivals)
{
    const double most = norm_max(best->body.J);
    const span moment = {0.0, most}, product = {-0.5 * most, 0.5 * most};
    bool open = false;
    if (rivals < MANY)
        return;
    for (int rank = 0; rank < RANKS && best->quantities > best->columns; rank++)
        open = compare(best, rival, rivals, rank, moment) || open;
    for (int c = 0; c < f->columns; c++) {
        if (f->column[c].kind == OF_TENSOR)
            open = compare(best, rival, rivals, RANKS + c,
                           f->column[c].index < 3 ? moment : product) ||
                   open;
    }
    if (open && best->unseen < PH_FIT_UNSEEN)
        (void)snprintf(best->unseen_text[best->unseen++], PH_FIT_TEXT,
                       "the inertia tensor: many solutions with different bodies are possible");
}
