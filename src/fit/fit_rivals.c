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
#include "rotation/vec.h"

/* The share of the possible values that the intervals of all solutions may cover, and how many times as
 * much as that of the best one. */
static const double MOST_COVERED = 0.5, MOST_WIDER = 2.0;

typedef struct span {
    double from, to;
} span;

/* The quantity of a solution that is its moment of a rank: 0 the least. */
static ph_fit_quantity *moment_of(ph_fit *s, int rank)
{
    const double J[3] = {s->body.J.x, s->body.J.y, s->body.J.z};
    size_t k = 0;
    for (size_t i = 0; i < 3; i++) {
        int below = 0;
        for (size_t j = 0; j < 3; j++)
            below += J[j] < J[i] || (J[j] == J[i] && j < i);
        k = below == rank ? i : k;
    }
    return &s->quantity[s->columns + k];
}

/* The interval of two sigma within 0 ... most; all of it if the number is not determined. */
static span span_of(const ph_fit_quantity *q, double most)
{
    const bool normal = isnan(q->interval[1][0]);
    const double from = normal ? q->value - 2.0 * q->sigma : q->interval[1][0],
                 to = normal ? q->value + 2.0 * q->sigma : q->interval[1][1];
    if (!q->determined)
        return (span){0.0, most};
    return (span){larger_or_nan(from, 0.0), smaller_or_nan(to, most)};
}

static int by_start(const void *a, const void *b)
{
    const double x = ((const span *)a)->from, y = ((const span *)b)->from;
    return (x > y) - (x < y);
}

/* How much the intervals cover together. */
static double covered(span *all, size_t count)
{
    double sum = 0.0, end = 0.0;
    qsort(all, count, sizeof *all, by_start);
    for (size_t k = 0; k < count; k++) {
        const double from = larger_or_nan(all[k].from, end);
        if (all[k].to > from)
            sum += all[k].to - from, end = all[k].to;
    }
    return sum;
}

void ph_fit_compare(ph_fit *best, ph_fit *rival, size_t rivals)
{
    const double most = norm_max(best->body.J);
    bool open = false;
    span all[FIT_MINIMA + 1];
    for (int rank = 0; rank < 3 && best->quantities > best->columns; rank++) {
        ph_fit_quantity *q = moment_of(best, rank);
        if (!q->determined || !(q->sigma > 0.0))
            continue;
        const span own = all[0] = span_of(q, most);
        for (size_t k = 0; k < rivals; k++)
            all[k + 1] = span_of(moment_of(&rival[k], rank), most);
        const double together = covered(all, rivals + 1);
        if (together <= MOST_COVERED * most || together <= MOST_WIDER * (own.to - own.from))
            continue;
        open = true;
        ph_fit_hide(best, (size_t)(q - best->quantity));
        for (size_t k = 0; k < rivals; k++)
            ph_fit_hide(&rival[k], (size_t)(moment_of(&rival[k], rank) - rival[k].quantity));
    }
    if (open && best->unseen < PH_FIT_UNSEEN)
        (void)snprintf(best->unseen_text[best->unseen++], PH_FIT_TEXT,
                       "moments of inertia: many solutions with different bodies are possible");
}
