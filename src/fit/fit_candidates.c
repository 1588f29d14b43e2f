/* fit_candidates.c - many points from which a fit may begin: how good each is, its refinement, and bodies at
 * random.
 */
#include "fit/fit_candidates.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/random.h"
#include "motion/vec.h"

int ph_fit_by_loss(const void *a, const void *b)
{
    const double x = ((const fit_minimum *)a)->loss, y = ((const fit_minimum *)b)->loss;
    return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
}

/* Sets the factor of the brightness to the best for this motion; returns the loss. */
static double best_factor(const fit_model *f, fit_point *x)
{
    const ph_observations *o = f->o;
    const size_t width = ph_fit_width(o);
    if (o->seen[PH_SEEN_BRIGHTNESS] == NULL)
        return ph_fit_loss_at(f, x, NULL, NULL, NULL);
    double *r = array_create(size_product(f->used, width), sizeof *r), seen_model = 0.0,
           model = 0.0;
    if (r == NULL)
        return NAN;
    x->factor = 1.0;
    double loss = ph_fit_loss_at(f, x, NULL, NULL, r);
    for (size_t i = 0; i < f->used; i++) {
        const double *sigma = o->sigma[PH_SEEN_BRIGHTNESS],
                     seen = o->seen[PH_SEEN_BRIGHTNESS][i] /
                            (f->scale[PH_SEEN_BRIGHTNESS] * (sigma ? sigma[i] : 1.0)),
                     b = seen - r[(i + 1) * width - 1];
        seen_model += seen * b, model += b * b;
        loss -= r[(i + 1) * width - 1] * r[(i + 1) * width - 1] - seen * seen;
    }
    free(r);
    x->factor = seen_model / model;
    return f->loss == PH_LOSS_SQUARES ? loss - seen_model * seen_model / model
                                      : ph_fit_loss_at(f, x, NULL, NULL, NULL);
}

void ph_fit_score(void *context, size_t i)
{
    const fit_contest *all = context;
    all->c[i].loss = fit_goes_on(all->f) ? best_factor(all->f, &all->c[i].x) : NAN;
}

/* Refines over more and more observations. */
void ph_fit_refine(void *context, size_t i)
{
    const fit_contest *all = context;
    fit_model part = *all->f;
    for (part.used = all->first; part.used < all->f->used; part.used += part.used / 2)
        all->c[i].loss = ph_fit_descend(&part, &all->c[i].x, all->steps);
    part.used = all->f->used;
    (void)best_factor(&part, &all->c[i].x);
    all->c[i].loss = ph_fit_descend(&part, &all->c[i].x, 2 * all->steps);
}

bool ph_fit_good_enough(const fit_model *f, double loss)
{
    const double most = f->light_only ? 1.2 : 2.0; /* per number observed */
    return loss <= most * (double)(f->used * ph_fit_width(f->o));
}

ph_quat ph_fit_random_attitude(uint64_t *seed)
{
    ph_quat q;
    do {
        double x[4];
        draw_each(seed, -1.0, 1.0, 4, x);
        q = (ph_quat){x[0], x[1], x[2], x[3]};
    } while (!(dot4(q, q) < 1.0 && dot4(q, q) > 0.01));
    return ph_quat_unit(q);
}

/* Moments of an ellipsoid at random, ascending, the largest 1. */
ph_vec3 ph_fit_random_moments(uint64_t *seed)
{
    const double b = between(seed, 0.25, 1.0), c = b * between(seed, 0.4, 1.0);
    return scale(1.0 / (1.0 + b * b), vec3(b * b + c * c, 1.0 + c * c, 1.0 + b * b));
}

void ph_fit_set_tensor(fit_point *x, ph_vec3 J, ph_quat axes, double by)
{
    const ph_mat3 A = ph_quat_matrix(axes);
    for (int k = 0; k < 6; k++) {
        const double *r = A.a[tensor_row[k]], *c = A.a[tensor_column[k]];
        x->tensor[k] = by * (r[0] * J.x * c[0] + r[1] * J.y * c[1] + r[2] * J.z * c[2]);
    }
}

void ph_fit_draw_tensor(const fit_model *f, uint64_t *seed, fit_point *x)
{
    const ph_vec3 J = ph_fit_random_moments(seed);
    const ph_quat axes = ph_fit_random_attitude(seed);
    const uint64_t order = random_bits(seed) % 3;
    if (!f->principal)
        ph_fit_set_tensor(x, J, axes, 1.0);
    else
        ph_fit_set_tensor(x,
                          order == 0   ? J
                          : order == 1 ? vec3(J.y, J.z, J.x)
                                       : vec3(J.z, J.x, J.y),
                          (ph_quat){1, 0, 0, 0}, 1.0);
}

double ph_fit_gauss(uint64_t *seed)
{
    const double size = sqrt(-2.0 * ph_real_log(1.0 - uniform(seed)));
    return size * ph_cos(2.0 * PH_PI * uniform(seed));
}
