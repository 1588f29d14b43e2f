/* fit_sample.c - draws of the posterior distribution of a fit, where its loss is not quadratic.
 *
 * Each draw is the minimum of the loss of disturbed observations plus
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
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fit/fit_model.h"
#include "motion/vec.h"

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
        y = try == 0 ? y : s->best->x;
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
    const double part = uniform(seed), chance = uniform(seed),
                 length = uniform(seed) < whole
                              ? 1.0
                              : longest / sqrt(2.0 * (double)n) * ph_real_exp(-shorter * part);
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
            w.from = k % 2 ? w.count : 0, w.rest = k % 2 ? 0 : w.count;
            ph_parallel_for(w.count, true, step, &w);
        }
    }
    free(w.loss);
    free(w.seed);
}

size_t ph_fit_sample(const fit_model *f, const fit_minimum *best, double noise, size_t draws,
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
