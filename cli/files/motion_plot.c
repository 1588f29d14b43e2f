/* motion_plot.c - a free motion as a picture, sampled as finely as that needs. */
#include "cli/files/plot.h"

#include "base/extremes.h"
#include "rotation/vec.h"

#define MOST 6000 /* samples: some 40 turns; more would only be a blot */
#define TURN 0.04 /* rad between samples: a chord is a tenth of a pixel from its arc */

/* Where the principal axes point in space, and J^1/2 w in the principal frame, scaled to
 * length 1. */
typedef struct sample_point {
    ph_quat q; /* of the principal frame */
    ph_vec3 m; /* in it, of length 1 */
    ph_vec3 point[4];
} sample_point;

static ph_vec3 direction(ph_vec3 v)
{
    const double largest = norm_max(v);
    if (largest == 0.0)
        return v;
    const ph_vec3 w = over(v, vec3(largest, largest, largest));
    return scale(1.0 / norm(w), w);
}

static sample_point sample_of_state(const ph_body *body, ph_vec3 J, const ph_state *s)
{
    sample_point p = {.q = mul(s->q, body->axes),
                      .m = direction(ph_quat_unrotate(body->axes, s->m))};
    for (int k = 0; k < 3; k++)
        p.point[k] = rotate(p.q, vec3(k == 0, k == 1, k == 2));
    p.point[3] = direction(over(p.m, vec3(sqrt(J.x), sqrt(J.y), sqrt(J.z))));
    return p;
}

/* The longest way that one of the curves goes between two samples. */
static double longest_chord(const sample_point *a, const sample_point *b)
{
    double longest = 0.0;
    for (int k = 0; k < 4; k++)
        longest = larger_or_nan(longest, norm(sub(a->point[k], b->point[k])));
    return longest;
}

static void put_row(FILE *script, double t, const sample_point *p)
{
    if (script == NULL)
        return;
    (void)fprintf(script, "%.17g,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f\n", t, p->q.w, p->q.x,
                  p->q.y, p->q.z, p->m.x, p->m.y, p->m.z);
}

/* Writes the samples, unless the script is NULL, and returns the time of the last: the step follows the angular
 * velocity, and is halved where a curve is quicker still. */
static double put_samples(FILE *script, const ph_body *body, ph_vec3 J,
                          const ph_motion *motion, double begin, double end)
{
    double t = begin;
    ph_state s = ph_motion_at(motion, begin);
    const bool rest = norm_max(s.m) == 0.0;
    sample_point last = sample_of_state(body, J, &s);
    put_row(script, t, &last);
    for (int count = 1; t != end && count < MOST; count++) {
        const double step = TURN / norm_max(ph_body_velocity(body, s.m));
        double next = end;
        if (!rest && step < fabs(end - t))
            next = end > t ? t + step : t - step;
        s = ph_motion_at(motion, next);
        sample_point p = sample_of_state(body, J, &s);
        while (longest_chord(&last, &p) > 2.0 * TURN && next != t) {
            next = t + 0.5 * (next - t);
            s = ph_motion_at(motion, next);
            p = sample_of_state(body, J, &s);
        }
        if (next == t) /* no doubles are left between the times */
            break;
        t = next;
        last = p;
        put_row(script, t, &last);
    }
    return t;
}

double motion_plot_end(const ph_body *body, const ph_motion *motion, double begin,
                       double end)
{
    const double largest = norm_max(body->J);
    const ph_vec3 J = over(body->J, vec3(largest, largest, largest));
    return put_samples(NULL, body, J, motion, begin, end);
}

bool motion_plot(FILE *script, plot_format format, const ph_body *body,
                 const ph_motion *motion, double begin, double end)
{
    const double largest = norm_max(body->J);
    const ph_vec3 J = over(body->J, vec3(largest, largest, largest));
    char moments[96];
    (void)snprintf(moments, sizeof moments, "%.4g %.4g %.4g", body->J.x, body->J.y,
                   body->J.z);
    plot_begin(script, format, "");
    plot_text(script, "moments", moments);
    plot_number(script, "J1", J.x);
    plot_number(script, "J2", J.y);
    plot_number(script, "J3", J.z);
    plot_data_begin(script);
    (void)fputs("t,q0,q1,q2,q3,m1,m2,m3\n", script);
    const double drawn = put_samples(script, body, J, motion, begin, end);
    plot_data_end(script);
    plot_number(script, "cut", drawn != end);
    plot_number(script, "stacked", 1);
    return plot_end(script, "motion");
}
