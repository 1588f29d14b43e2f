#include "support/bodies.h"
#include "base/elementary.h"
#include "base/extremes.h"

#include "motion/vec.h"

const char *body_kind_text(enum body_kind kind)
{
    static const char *const texts[] = {
#define TEXT(code, text) text,
        BODY_KINDS(TEXT)
#undef TEXT
    };
    return texts[kind];
}

static double normal(uint64_t *seed)
{
    const double u = 1.0 - uniform(seed);
    return sqrt(-2.0 * ph_real_log(u)) * ph_cos(2.0 * PH_PI * uniform(seed));
}

static ph_vec3 direction(uint64_t *seed)
{
    const double x = normal(seed), y = normal(seed), z = normal(seed);
    const ph_vec3 v = {x, y, z};
    return scale(1.0 / norm(v), v);
}

/* The axes renamed at random: moments and momentum together. */
static void shuffle(double J[3], double m[3], uint64_t *seed)
{
    for (int i = 2; i > 0; i--) {
        const int k = (int)(uniform(seed) * (i + 1));
        const double tj = J[i], tm = m[i];
        J[i] = J[k], m[i] = m[k];
        J[k] = tj, m[k] = tm;
    }
}

static void random_moments(enum body_kind kind, double J[3], uint64_t *seed)
{
    const double a = between(seed, 0.5, 2.0), b = between(seed, 0.5, 2.0);
    const double small = log_between(seed, 1e-15, 1e-2);
    for (int i = 0; i < 3; i++)
        J[i] = between(seed, 0.5, 2.0);
    switch (kind) {
    case BODY_WIDE:
        for (int i = 0; i < 3; i++)
            J[i] = log_between(seed, 0.1, 10.0);
        break;
    case BODY_FLAT:
        J[2] = J[0] + J[1];
        break;
    case BODY_NEEDLE:
        J[0] = log_between(seed, 1e-6, 1e-2);
        break;
    case BODY_NEARLY_SYMMETRIC:
        J[0] = a, J[1] = a * (1.0 + small), J[2] = b;
        break;
    case BODY_SYMMETRIC:
        J[0] = J[1] = a;
        break;
    case BODY_SPHERE:
        J[0] = a;
        J[1] = uniform(seed) < 0.5 ? a : a * (1.0 + small);
        J[2] = uniform(seed) < 0.5 ? a : a * (1.0 - small);
        break;
    case BODY_MOLECULE:
        for (int i = 0; i < 3; i++)
            J[i] *= 1e-46;
        break;
    default:
        break;
    }
}

/* On the separatrix I1 (I3 - I2) m3^2 = I3 (I2 - I1) m1^2, for ascending moments. */
static ph_vec3 near_separatrix(double J[3], uint64_t *seed)
{
    const double lowest = smaller_or_nan(J[0], smaller_or_nan(J[1], J[2])),
                 highest = larger_or_nan(J[0], larger_or_nan(J[1], J[2]));
    const double middle = J[0] + J[1] + J[2] - lowest - highest;
    J[0] = lowest, J[1] = middle, J[2] = highest;
    const double ratio = sqrt(highest * (middle - lowest) / (lowest * (highest - middle)));
    const double sign = random_sign(seed), off = 1.0 + sign * log_between(seed, 1e-15, 1e-2);
    const double latitude = between(seed, -1.5, 1.5), r = ph_cos(latitude);
    const double m1 = r / ph_hypot(1.0, ratio), m3 = ratio * m1 * off;
    const double x = random_sign(seed) * m1;
    return vec3(x, ph_sin(latitude), random_sign(seed) * m3);
}

oracle_case random_motion(enum body_kind kind, uint64_t *seed, double angle)
{
    double J[3];
    random_moments(kind, J, seed);
    ph_vec3 x = direction(seed);
    if (kind == BODY_NEAR_SEPARATRIX)
        x = near_separatrix(J, seed);
    if (kind == BODY_NEAR_AXIS)
        x = scale(log_between(seed, 1e-15, 1e-2), x), x.z += random_sign(seed);
    const double size = log_between(seed, 0.1, 10.0) * (kind == BODY_MOLECULE ? 1e-34 : 1.0);
    double m[3] = {size * x.x, size * x.y, size * x.z};
    shuffle(J, m, seed);
    double energy = 0.0, fastest = 0.0;
    for (int i = 0; i < 3; i++) {
        energy += m[i] * (m[i] / J[i]);
        fastest = larger_or_nan(fastest, 1.0 / J[i]);
    }
    const double t = angle * between(seed, -1.0, 1.0) / (sqrt(energy) * sqrt(fastest));
    const ph_vec3 axis = direction(seed);
    return (oracle_case){
        .J = {J[0], J[1], J[2]},
        .start = {ph_rotation_exp(scale(between(seed, 0.0, PH_PI), axis)), {m[0], m[1], m[2]}},
        .t = t};
}
