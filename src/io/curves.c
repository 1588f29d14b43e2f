/* curves.c - the curves that a free motion draws, sampled as finely as a picture
 * needs. */
#include "io/curves.h"
#include "core/extremes.h"

#include <stdlib.h>

#include "core/vec.h"

#define MOST 6000 /* samples: some 40 turns; more would only be a blot */
#define TURN                                                                             \
    0.04 /* rad between samples: a chord is within a tenth of a pixel of its arc */

static ph_vec3 direction(ph_vec3 v)
{
    const double largest = norm_max(v);
    if (largest == 0.0)
        return v;
    const ph_vec3 w = over(v, vec3(largest, largest, largest));
    return scale(1.0 / norm(w), w);
}

void curves_take(curves *c, size_t i, const ph_body *body, const ph_state *s)
{
    for (int k = 0; k < 3; k++)
        c->axis[k][i] = rotate(s->q, rotate(body->axes, vec3(k == 0, k == 1, k == 2)));
    /* J^1/2 w = J^-1/2 m; the sizes of m and J cancel. */
    const double J = norm_max(body->J);
    const ph_vec3 roots =
        vec3(sqrt(body->J.x / J), sqrt(body->J.y / J), sqrt(body->J.z / J));
    c->polhode[i] = direction(over(direction(ph_quat_unrotate(body->axes, s->m)), roots));
}

/* The longest way that one of the curves goes between two samples. */
static double longest_chord(const curves *c, size_t i, size_t j)
{
    double longest = norm(sub(c->polhode[i], c->polhode[j]));
    for (int k = 0; k < 3; k++)
        longest = larger_or_nan(longest, norm(sub(c->axis[k][i], c->axis[k][j])));
    return longest;
}

bool curves_make(curves *c, size_t count)
{
    bool all = true;
    for (int k = 0; k < 3; k++) {
        c->axis[k] = malloc(count * sizeof *c->axis[k]);
        all = all && c->axis[k] != NULL;
    }
    c->polhode = malloc(count * sizeof *c->polhode);
    return all && c->polhode != NULL;
}

void curves_free(curves *c)
{
    for (int k = 0; k < 3; k++)
        free(c->axis[k]);
    free(c->polhode);
}

/* The step follows the angular velocity, and is halved where a curve is quicker still. */
bool curves_sample(curves *c, const ph_body *body, const ph_motion *motion, double begin,
                   double end)
{
    if (!curves_make(c, MOST))
        return false;
    ph_state s = ph_motion_at(motion, begin);
    c->momentum = direction(ph_state_space_momentum(&s));
    c->rest = norm_max(s.m) == 0.0;
    curves_take(c, 0, body, &s);
    c->count = 1;

    double t = begin;
    while (t != end && c->count < MOST) {
        const double step = TURN / norm_max(ph_body_velocity(body, s.m));
        double next = end;
        if (!c->rest && step < fabs(end - t))
            next = end > t ? t + step : t - step;
        s = ph_motion_at(motion, next);
        curves_take(c, c->count, body, &s);
        while (longest_chord(c, c->count - 1, c->count) > 2.0 * TURN && next != t) {
            next = t + 0.5 * (next - t);
            s = ph_motion_at(motion, next);
            curves_take(c, c->count, body, &s);
        }
        if (next == t) /* no doubles are left between the times */
            break;
        t = next;
        c->count++;
    }
    c->begin = begin;
    c->end = t;
    c->cut = t != end;
    return true;
}
