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
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
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
    return count;
}
