/* fit_rivals.c - numbers that the rivals of a solution leave open.
 *
 * Each solution has its own errors, which know nothing of the other solutions. Two or three solutions with small
 * errors are alternatives, and each of them is worth its errors. But over a short arc, dozens of solutions
 * explain the observations, and their intervals together cover much of what is possible: then the number
 * is not determined, whatever the error of one of them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/extremes.h"
#include "fit/fit_model.h"
#include "motion/vec.h"

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
        k = below == what ? i : k;
    }
    return s->columns + k;
}

/* The interval of two sigma within that of all physical bodies; all of it if the number is not determined. */
static span span_of(const ph_fit_quantity *q, span possible)
{
    const bool normal = isnan(q->interval[1][0]);
    const double from = normal ? q->value - 2.0 * q->sigma : q->interval[1][0],
                 to = normal ? q->value + 2.0 * q->sigma : q->interval[1][1];
    if (!q->determined)
        return possible;
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

/* Hides one of them in each solution that has an error for it, if all together leave it open. */
static bool compare(ph_fit *best, ph_fit *rival, size_t rivals, int what, span possible)
{
    span own[FIT_MINIMA + 1], all[FIT_MINIMA + 1];
    bool open = false;
    for (size_t k = 0; k <= rivals; k++) {
        const ph_fit *s = k > 0 ? &rival[k - 1] : best;
        own[k] = all[k] = span_of(&s->quantity[place_of(s, what)], possible);
    }
    const double together = covered(all, rivals + 1);
    if (together <= MOST_COVERED * (possible.to - possible.from))
        return false;
    for (size_t k = 0; k <= rivals; k++) {
        ph_fit *s = k > 0 ? &rival[k - 1] : best;
        const size_t at = place_of(s, what);
        if (s->quantity[at].determined && s->quantity[at].sigma > 0.0 &&
            together > MOST_WIDER * (own[k].to - own[k].from)) {
            ph_fit_hide(s, at);
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
