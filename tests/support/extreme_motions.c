#include "support/extreme_motions.h"
#include "base/extremes.h"

#include <float.h>
#include <stdlib.h>

#include "motion/vec.h"
#include "support/random.h"

enum { LOWEST = -1074, HIGHEST = 1023 }; /* binary exponents of double */

static int whole_between(uint64_t *seed, int low, int high)
{
    return low + (int)(uniform(seed) * (double)(high - low + 1));
}

/* A number with an exponent between low and high, uniformly. Here and below each draw is a
 * statement of its own: compilers evaluate the draws of one in an order of their own. */
static double of_exponent(uint64_t *seed, int low, int high)
{
    const double fraction = 1.0 + uniform(seed);
    return ldexp(fraction, whole_between(seed, low, high));
}

static double of_either_sign(uint64_t *seed, int low, int high)
{
    const double size = of_exponent(seed, low, high);
    return random_sign(seed) * size;
}

/* x moved by up to four units in its last place. */
static double nudged(uint64_t *seed, double x)
{
    const int steps = whole_between(seed, -4, 4);
    for (int i = 0; i < abs(steps); i++)
        x = nextafter(x, steps < 0 ? 0.0 : INFINITY);
    return x;
}

static double direction_of(uint64_t *seed)
{
    return between(seed, -1.0, 1.0);
}

static void order(double J[3])
{
    for (int i = 0; i < 3; i++) {
        const int k = i % 2;
        const double low = smaller_or_nan(J[k], J[k + 1]), high = larger_or_nan(J[k], J[k + 1]);
        J[k] = low, J[k + 1] = high;
    }
}

/* ---- moments --------------------------------------------------------------------- */

enum shape { ANY, MATTER, WIDE, TWO_EQUAL, THREE_EQUAL, FLAT, NEEDLE, WHOLE, SHAPES };

/* Ratios of moments, ascending. */
static void shape_of(enum shape shape, double J[3], uint64_t *seed)
{
    const double a = between(seed, 0.5, 2.0), b = between(seed, 0.5, 2.0);
    const int decades[] = {-2, -8, -60, -1000};
    const int lowest = decades[whole_between(seed, 0, 3)];
    for (int i = 0; i < 3; i++)
        J[i] = between(seed, 0.5, 2.0);
    switch (shape) {
    case MATTER: { /* second moments of the distribution of mass along the axes */
        const double x = of_exponent(seed, lowest, 0), y = of_exponent(seed, lowest, 0),
                     z = of_exponent(seed, lowest, 0);
        J[0] = y + z, J[1] = z + x, J[2] = x + y;
        break;
    }
    case WIDE:
        for (int i = 0; i < 3; i++)
            J[i] = of_exponent(seed, lowest, 0);
        break;
    case TWO_EQUAL:
        J[0] = a, J[1] = nudged(seed, a);
        J[2] = uniform(seed) < 0.5 ? b : b * of_exponent(seed, lowest, -lowest / 2);
        break;
    case THREE_EQUAL:
        J[0] = a, J[1] = nudged(seed, a), J[2] = nudged(seed, a);
        break;
    case FLAT:
        J[2] = nudged(seed, J[0] + J[1]);
        break;
    case NEEDLE:
        J[0] = of_exponent(seed, lowest, -2);
        J[2] = uniform(seed) < 0.5 ? nudged(seed, J[1]) : J[2];
        break;
    case WHOLE:
        for (int i = 0; i < 3; i++)
            J[i] = of_exponent(seed, LOWEST, HIGHEST);
        break;
    default:
        break;
    }
    order(J);
}

/* A power of two that keeps the largest of three below infinity, and the smallest, unless
 * it is zero, above zero: 1, any, or next to one of the two ends. */
static int unit_of(const double v[3], uint64_t *seed)
{
    int low = HIGHEST, high = LOWEST;
    for (int i = 0; i < 3; i++) {
        if (v[i] != 0.0) {
            low = ilogb(v[i]) < low ? ilogb(v[i]) : low;
            high = ilogb(v[i]) > high ? ilogb(v[i]) : high;
        }
    }
    const int down = LOWEST - low, up = HIGHEST - high, margin = 60;
    switch (whole_between(seed, 0, 7)) {
    case 0:
    case 1:
        return 0;
    case 2:
        return up - whole_between(seed, 0, margin);
    case 3:
        return down + whole_between(seed, 0, margin);
    default:
        return down < up ? whole_between(seed, down, up) : 0;
    }
}

/* Some of the components of m underflow; moments must not. */
static void rescale(double v[3], int exponent)
{
    for (int i = 0; i < 3; i++)
        v[i] = ldexp(v[i], exponent);
}

/* ---- momenta --------------------------------------------------------------------- */

enum place {
    ANYWHERE,
    IN_PLANE,
    ON_AXIS,
    NEAR_AXIS,
    BESIDE_AXIS,
    SEPARATRIX,
    SPREAD,
    EQUAL_ENERGIES,
    PLACES
};

/* J[2] (J[1] - J[0]) m[0]^2 = J[0] (J[2] - J[1]) m[2]^2, up to a few units in the last
 * place. */
static void on_separatrix(const double J[3], double m[3], uint64_t *seed)
{
    const double side1 = sqrt(J[2]) * sqrt(J[1] - J[0]), side3 = sqrt(J[0]) * sqrt(J[2] - J[1]),
                 length = ph_hypot(side1, side3);
    if (length == 0.0)
        return;
    const double near2 = uniform(seed) < 0.5 ? 1.0 : of_exponent(seed, -100, 0);
    m[0] = random_sign(seed) * near2 * (side3 / length);
    m[2] = nudged(seed, random_sign(seed) * near2 * (side1 / length));
}

/* Ratios of components, the axes in the order of the moments. */
static void place_of(enum place place, const double J[3], double m[3], uint64_t *seed)
{
    const int axis = whole_between(seed, 0, 2), next = (axis + 1) % 3;
    for (int i = 0; i < 3; i++)
        m[i] = direction_of(seed);
    switch (place) {
    case IN_PLANE:
        m[axis] = 0.0;
        break;
    case ON_AXIS:
        m[axis] = m[next] = 0.0;
        break;
    case NEAR_AXIS:
        m[axis] = of_either_sign(seed, LOWEST, 0);
        m[next] = of_either_sign(seed, LOWEST, 0);
        break;
    case BESIDE_AXIS:
        m[axis] *= 8.0 * DBL_EPSILON;
        m[next] *= uniform(seed) < 0.3 ? 0.0 : 8.0 * DBL_EPSILON;
        break;
    case SEPARATRIX:
        on_separatrix(J, m, seed);
        break;
    case SPREAD:
        for (int i = 0; i < 3; i++)
            m[i] = of_either_sign(seed, LOWEST, 0);
        break;
    case EQUAL_ENERGIES:
        for (int i = 0; i < 3; i++)
            m[i] *= sqrt(J[i]) / sqrt(J[2]);
        break;
    default:
        break;
    }
}

/* ---- times ----------------------------------------------------------------------- */

static long double squared(long double x)
{
    return x * x;
}

static long double fastest(const double J[3], const double m[3])
{
    long double j[3], energy = 0.0L, most = 0.0L;
    for (int i = 0; i < 3; i++) {
        j[i] = 1.0L / (long double)J[i];
        energy += squared(m[i]) * j[i];
    }
    for (int i = 0; i < 3; i++) {
        const long double about =
            fabsl(j[(i + 1) % 3] - j[i]) * fabsl(j[(i + 2) % 3] - j[i]) * squared(m[i]);
        most = fmaxl(most, fmaxl(energy * j[i], about));
    }
    return sqrtl(most);
}

long double extreme_angle(const oracle_case *c)
{
    const double J[3] = {c->J.x, c->J.y, c->J.z}, m[3] = {c->start.m.x, c->start.m.y, c->start.m.z};
    return fabsl((long double)c->t) * fastest(J, m);
}

/* angle/Omega, above zero and below infinity. Omega is rounded, so that the time does not
 * depend on how long a long double is. */
static double time_through(double angle, long double Omega)
{
    int exponent = 0;
    const float rounded = Omega > 0.0L ? (float)frexpl(Omega, &exponent) : 1.0F;
    const double t = ldexp(angle / (double)rounded, -exponent);
    return smaller_or_nan(larger_or_nan(t, DBL_TRUE_MIN), DBL_MAX);
}

static double time_of(const double J[3], const double m[3], bool for_run, uint64_t *seed)
{
    double angle;
    switch (for_run ? whole_between(seed, 0, 5) : whole_between(seed, 0, 15)) {
    case 0:
        angle = log_between(seed, 1e-20, 1e-3);
        break;
    case 6:
    case 7:
        angle = log_between(seed, 16.0, 1e4);
        break;
    case 8:
        angle = log_between(seed, 1e4, 1e9);
        break;
    case 9:
        angle = log_between(seed, 1e9, 1e300);
        break;
    case 10:
        return of_either_sign(seed, LOWEST, HIGHEST);
    default:
        angle = log_between(seed, 1e-3, 16.0);
        break;
    }
    return random_sign(seed) * time_through(angle, fastest(J, m));
}

/* ---- all of it ------------------------------------------------------------------- */

oracle_case extreme_motion(uint64_t seed, uint64_t number, bool for_run)
{
    const uint64_t stride = 0xd1342543de82ef95U;
    uint64_t s = seed + number * stride;
    double J[3], m[3];
    const enum shape shape = (enum shape)whole_between(&s, 0, SHAPES - 1);
    shape_of(shape, J, &s);
    place_of((enum place)whole_between(&s, 0, PLACES - 1), J, m, &s);
    if (shape != WHOLE)
        rescale(J, unit_of(J, &s));
    rescale(m, unit_of(m, &s));
    for (int i = 2; i > 0; i--) { /* the axes in any order */
        const int k = whole_between(&s, 0, i);
        const double Ji = J[i], mi = m[i];
        J[i] = J[k], m[i] = m[k];
        J[k] = Ji, m[k] = mi;
    }
    const double x = direction_of(&s), y = direction_of(&s), z = direction_of(&s);
    return (oracle_case){
        .J = {J[0], J[1], J[2]},
        .start = {ph_rotation_exp(scale(PH_PI, vec3(x, y, z))), {m[0], m[1], m[2]}},
        .t = time_of(J, m, for_run, &s)};
}
