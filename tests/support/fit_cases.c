/* fit_cases.c - synthetic observations of motions that are known. */
#include "fit_cases.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "fit/fit_model.h"
#include "motion/vec.h"
#include "support/random.h"

static double gauss(uint64_t *seed)
{
    const double size = sqrt(-2.0 * ph_real_log(1.0 - uniform(seed)));
    return size * ph_cos(2.0 * PH_PI * uniform(seed));
}

static ph_vec3 gauss_vector(uint64_t *seed)
{
    const double x = gauss(seed), y = gauss(seed);
    return vec3(x, y, gauss(seed));
}

static ph_quat random_attitude(uint64_t *seed)
{
    const ph_vec3 v = gauss_vector(seed);
    return ph_quat_unit(quat(gauss(seed), v));
}

/* Moments of an ellipsoid, ascending, the largest 1; the middle and the smallest semi-axis are
 * between these parts of the one before. */
static ph_vec3 random_moments(uint64_t *seed, double least, double most)
{
    const double b = between(seed, least, most), c = b * between(seed, least, most);
    return scale(1.0 / (1.0 + b * b), vec3(b * b + c * c, 1.0 + c * c, 1.0 + b * b));
}

void fit_case_make(fit_case *c, uint64_t which)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    uint64_t seed = 1000 + which;
    const ph_vec3 J = random_moments(&seed, 0.3, 1.0);
    c->body = (ph_body){J, random_attitude(&seed), false};
    const ph_mat3 A = ph_quat_matrix(c->body.axes);
    for (int k = 0; k < 6; k++) {
        const double *a = A.a[row[k]], *b = A.a[column[k]];
        c->tensor[k] = a[0] * J.x * b[0] + a[1] * J.y * b[1] + a[2] * J.z * b[2];
    }
    const ph_vec3 w = gauss_vector(&seed);
    c->start.q = random_attitude(&seed);
    c->start.m = ph_body_momentum(&c->body, scale(1.0 / norm(w), w));
    ph_motion motion;
    (void)ph_motion_prepare(&motion, &c->body, &c->start);
    for (size_t i = 0; i < FIT_TIMES; i++) {
        c->t[i] = 5.0 * 2.0 * PH_PI * (double)i / (FIT_TIMES - 1);
        c->sigma[i] = FIT_NOISE;
        const ph_state s = ph_motion_at(&motion, c->t[i]);
        const ph_quat q = mul(s.q, ph_rotation_exp(scale(FIT_NOISE, gauss_vector(&seed)))),
                      seen = random_sign(&seed) > 0.0 ? q : negate(q);
        const ph_vec3 velocity = add(ph_body_velocity(&c->body, s.m),
                                     scale(FIT_NOISE, gauss_vector(&seed))),
                      axis = add(rotate(s.q, vec3(0, 0, 1)), scale(FIT_NOISE, gauss_vector(&seed)));
        memcpy(&c->q[4 * i], &seen, sizeof seen);
        memcpy(&c->w[3 * i], &velocity, sizeof velocity);
        memcpy(&c->axis[3 * i], &axis, sizeof axis);
    }
}

fit_coverage fit_cases_cover(int cases)
{
    const double bad = 2.0; /* chi2 per degree of freedom */
    fit_coverage out = {.cases = cases};
    double within[2] = {0.0, 0.0}, count = 0.0;
    for (int k = 0; k < cases; k++) {
        fit_case c;
        ph_fit found;
        fit_case_make(&c, (uint64_t)k);
        const ph_observations o = {.count = FIT_TIMES, .t = c.t, .seen = {c.q}, .sigma = {c.sigma}};
        const ph_fit_settings with = {0};
        if (ph_fit_motion(&o, &with, NULL, &found) != PH_OK ||
            found.chi2 > bad * (double)found.degrees_of_freedom) {
            out.failed++;
            continue;
        }
        const ph_vec3 turn = ph_rotation_log(mul(inverse(found.attitude), c.start.q)),
                      w = sub(ph_body_velocity(&c.body, c.start.m), found.velocity);
        const double error[12] = {turn.x,
                                  turn.y,
                                  turn.z,
                                  w.x,
                                  w.y,
                                  w.z,
                                  c.tensor[0] - found.tensor[0],
                                  c.tensor[1] - found.tensor[1],
                                  c.tensor[2] - found.tensor[2],
                                  c.tensor[3] - found.tensor[3],
                                  c.tensor[4] - found.tensor[4],
                                  c.tensor[5] - found.tensor[5]};
        for (int n = 0; n < 12; n++) {
            const double z = fabs(error[n]) / sqrt(found.covariance[n * 12 + n]);
            within[0] += z < 1.0;
            within[1] += z < 1.96;
            count++;
        }
    }
    out.one = within[0] / count;
    out.two = within[1] / count;
    out.numbers = count * 11.0 / 12.0; /* the scale of the tensor is none */
    return out;
}

/* ---- light curves ------------------------------------------------------------------------ */

bool fit_light_curve(uint64_t which, double *seconds)
{
    enum { TIMES = 400 };
    static double t[TIMES], light[TIMES], sigma[TIMES], sun[3 * TIMES], observer[3 * TIMES];
    static ph_fit found;
    uint64_t seed = 7000 + which;
    /* a turn of a round body about its axis would not be seen */
    const ph_vec3 J = random_moments(&seed, 0.4, 0.9);
    const ph_body body = {J, {1, 0, 0, 0}, true};
    ph_vec3 m;
    do { /* no principal axis: two periods */
        m = gauss_vector(&seed);
        m = scale(1.0 / norm(m), m);
    } while (norm_max(m) > 0.97);
    const ph_state start = {random_attitude(&seed), m};
    ph_motion motion;
    (void)ph_motion_prepare(&motion, &body, &start);
    const double precession = 2.0 * PH_PI / ph_motion_precession(&motion),
                 polhode = ph_motion_period(&motion),
                 span = larger_or_nan(12.0 * precession, 4.0 * polhode),
                 phase = between(&seed, 0.3, 1.2), moves = 0.1;
    for (size_t i = 0; i < TIMES; i++) {
        t[i] = span * ((double)i + between(&seed, -0.45, 0.45)) / (TIMES - 1);
        const ph_quat q = ph_motion_at(&motion, t[i]).q;
        const ph_vec3 e = rotate(ph_rotation_exp(vec3(0, 0, moves * t[i] / span)), vec3(1, 0, 0)),
                      s = rotate(ph_rotation_exp(vec3(0.4 * phase, 0, phase)), e);
        memcpy(&observer[3 * i], &e, sizeof e);
        memcpy(&sun[3 * i], &s, sizeof s);
        light[i] = ph_ellipsoid_brightness(PH_LOMMEL_SEELIGER, J, rotate_back(q, e),
                                           rotate_back(q, s), NULL);
        sigma[i] = 0.02 * light[i];
        light[i] += sigma[i] * gauss(&seed);
    }
    const ph_observations o = {.count = TIMES,
                               .t = t,
                               .seen = {[PH_SEEN_BRIGHTNESS] = light},
                               .sigma = {[PH_SEEN_BRIGHTNESS] = sigma},
                               .sun = sun,
                               .observer = observer};
    const ph_fit_settings with = {0};
    const clock_t begun = clock();
    const ph_status status = ph_fit_motion(&o, &with, NULL, &found);
    *seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    const ph_state fitted = {found.attitude, ph_body_momentum(&found.body, found.velocity)};
    if (status != PH_OK || ph_motion_prepare(&motion, &found.body, &fitted) != PH_OK)
        return false;
    const double one = 2.0 * PH_PI / ph_motion_precession(&motion) / precession - 1.0,
                 two = ph_motion_period(&motion) / polhode - 1.0;
    (void)printf("light curve %d: periods %.5g and %.5g, off by %.2g and %.2g, chi2 %.0f, "
                 "%.1f s\n",
                 (int)which, precession, polhode, one, two, found.chi2, *seconds);
    return fabs(one) < 0.01 && fabs(two) < 0.01;
}
