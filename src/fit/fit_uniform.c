/* fit_uniform.c - uniform rotations, and the small wobbles that look like them.
 *
 * A body that turns uniformly shows one principal axis and no moment. Noise is then fitted by small
 * wobbles of some frequency, with a body to it, and the normal matrix of that minimum is deceptive. So
 * a uniform rotation is fitted, too, and compared with wobbles: fit.c. Its covariance is the mean over
 * bodies at random that have this principal axis.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "fit/fit_directions.h"
#include "motion/vec.h"

enum { MOST = PH_FIT_COLUMNS };

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
bool ph_fit_average_bodies(const fit_model *f, const fit_point *x, double noise, double *C,
                           double widest[MOST + 3])
{
    enum { BODIES = 24 };
    const int n = f->columns;
    uint64_t seed = 5;
    double mean[6] = {0}, square[36] = {0};
    memset(C, 0, (size_t)(n * n) * sizeof *C);
    for (int k = 0; k < BODIES; k++) {
        fit_point y = *x;
        fit_directions d;
        ph_body body;
        set_body_about(&y, k % 2 == 0 ? OF_LARGEST : OF_SMALLEST, &seed);
        if (ph_body_from_tensor(&body, symmetric(y.tensor)) != PH_OK ||
            !ph_fit_find_directions(f, &y, &body, noise, &d))
            return false;
        ph_fit_add_covariance(f, &y, &body, &d, 1.0, C);
        ph_fit_add_widest(f, &y, &body, &d, widest);
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
