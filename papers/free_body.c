/* free_body.c - random free bodies, integrated as Celledoni et al. do it. */
#include "papers/free_body.h"
#include "base/extremes.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "motion/moser_veselov.h"
#include "motion/series.h"
#include "rotation/vec.h"
#include "system/find.h"

enum { ITERATIONS = 100 }; /* of a step before it has failed */

ph_vec3 random_moments(uint64_t *seed)
{
    const double a = uniform(seed), b = uniform(seed);
    return vec3(smaller_or_nan(a, b), larger_or_nan(a, b), 1.0);
}

ph_state random_start(uint64_t *seed)
{
    const double x = uniform(seed), y = uniform(seed), z = uniform(seed);
    const ph_vec3 m = vec3(x, y, z);
    return (ph_state){{1, 0, 0, 0}, scale(1.0 / norm(m), m)};
}

static bool fixed_point_step(int order, ph_state *s, ph_vec3 J, double h)
{
    const ph_vec3 j = over(vec3(1, 1, 1), J);
    const ph_series_at at = ph_series_invariants(j, s->m);
    const ph_modified c = ph_series_modified(ph_dmv_series, order / 2 - 1, &at, h, false);
    const ph_vec3 ones = vec3(1, 1, 1),
                  I = over(ones, add(scale(c.s, j), scale(c.d, ones)));
    const ph_vec3 first = scale(0.5 * h, over(s->m, I));
    ph_vec3 e = first, cross_term = cross(times(I, e), e);
    double alpha = 1.0, change = INFINITY;
    for (int i = 0; i < ITERATIONS && change > 2.0 * DBL_EPSILON * norm_max(e); i++) {
        const ph_vec3 last = e;
        alpha = 1.0 + dot(e, e);
        e = add(scale(alpha, first), over(cross_term, I));
        cross_term = cross(times(I, e), e);
        change = norm_max(sub(e, last));
    }
    if (!(change <= 2.0 * DBL_EPSILON * norm_max(e)))
        return false;
    alpha = 1.0 + dot(e, e);
    s->m = add(s->m, scale(4.0 / (h * alpha), cross_term));
    const ph_quat turn = quat(1.0 / sqrt(alpha), scale(1.0 / sqrt(alpha), e));
    s->q = mul(s->q, turn);
    return finite3(s->m) && finite4(s->q);
}

bool free_run(const char *method, ph_state *s, ph_vec3 J, double h, uint64_t steps)
{
    char name[32];
    const bool newton = strstr(method, " by Newton") != NULL;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(method, " "), method);
    const int fixed_point =
        !newton && strncmp(name, "dmv", 3) == 0 ? (int)strtol(name + 3, NULL, 10) : 0;
    const ph_flow *flow = find_flow(name);
    bool good = flow != NULL;
    for (uint64_t i = 0; i < steps && good; i++)
        good = fixed_point > 0 ? fixed_point_step(fixed_point, s, J, h)
                               : flow->step(flow, s, J, h) == PH_OK;
    return good;
}

void free_timed_run(void *context)
{
    timed_run *r = context;
    r->end = r->start;
    r->good = free_run(r->method, &r->end, r->J, r->h, r->steps);
}

bool dmv_step(ph_vec3 I, ph_state *s, double h)
{
    ph_vec3 e;
    if (!ph_dmv_solve(I, s->m, h, &e))
        return false;
    const ph_quat turn = ph_quat_unit(quat(1.0, e));
    *s = (ph_state){mul(s->q, turn), rotate(inverse(turn), s->m)};
    return true;
}

bool free_exact(ph_vec3 J, const ph_state *start, double t, ph_state *s)
{
    ph_body b;
    ph_motion motion;
    if (ph_body_from_moments(&b, J) != PH_OK ||
        ph_motion_prepare(&motion, &b, start) != PH_OK)
        return false;
    *s = ph_motion_at(&motion, t);
    return true;
}

double free_error(ph_vec3 J, const ph_state *start, double t, const ph_state *s)
{
    ph_state right;
    if (!free_exact(J, start, t, &right))
        return NAN;
    const ph_mat3 A = ph_quat_matrix(s->q), B = ph_quat_matrix(right.q);
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += fabs(A.a[i][k] - B.a[i][k]);
        most = larger_or_nan(most, sum);
    }
    return most;
}

double free_digits(double error)
{
    const double log_of_10 = 2.302585092994045684018;
    return isnan(error)
               ? NAN
               : -ph_real_log(larger_or_nan(error, 0.5 * DBL_EPSILON)) / log_of_10;
}
