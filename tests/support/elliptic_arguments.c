/* elliptic_arguments.c - see elliptic_arguments.h. */
#include "support/elliptic_arguments.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "polhode/elliptic.h"
#include "support/random.h"

static const double HALF_PI = 1.57079632679489661923;

static int below(uint64_t *seed, int n)
{
    return (int)(random_bits(seed) % (uint64_t)n);
}

/* Uniform in the exponent, from 2^low to 2^high; subnormal numbers too. */
static double binade(uint64_t *seed, int low, int high)
{
    const double fraction = 1.0 + uniform(seed);
    return ldexp(fraction, low + below(seed, high - low));
}

static double signed_binade(uint64_t *seed, int low, int high)
{
    const double sign = random_sign(seed);
    return sign * binade(seed, low, high);
}

/* 1 - 2^-k with random digits, at least 2^-53 below 1. */
static double next_to_one(uint64_t *seed)
{
    const double x = 1.0 - binade(seed, -54, -1);
    return x < 1.0 ? x : 1.0 - 0x1p-53;
}

/* ---- Carlson --------------------------------------------------------------------- */

/* count numbers of one class; one of the first three may be zero. */
static void carlson(uint64_t *seed, double *x, int count)
{
    enum { UNIT, MODERATE, TINY, HUGE_, WIDE, SPREAD, CLOSE, ONE_SMALL, CLASSES };
    const int class = below(seed, CLASSES);
    const double base = binade(seed, -300, 300);
    for (int i = 0; i < count; i++) {
        switch (class) {
        case UNIT:
            x[i] = 1.0 - uniform(seed);
            break;
        case MODERATE:
        case ONE_SMALL:
            x[i] = binade(seed, -20, 20);
            break;
        case TINY:
            x[i] = binade(seed, -1074, -900);
            break;
        case HUGE_:
            x[i] = binade(seed, 900, 1024);
            break;
        case WIDE:
            x[i] = binade(seed, -600, 600);
            break;
        case SPREAD:
            x[i] = binade(seed, -1074, 1024);
            break;
        default:
            x[i] = base * (1.0 + signed_binade(seed, -53, -1));
        }
    }
    if (class == ONE_SMALL)
        x[below(seed, count)] = binade(seed, -1074, -20);
}

static void zero_sometimes(uint64_t *seed, double *x, int count)
{
    if (below(seed, 5) == 0)
        x[below(seed, count)] = 0.0;
}

/* ---- Legendre and Jacobi --------------------------------------------------------- */

/* In [0, 1). */
static double parameter(uint64_t *seed)
{
    switch (below(seed, 10)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return uniform(seed);
    case 4:
    case 5:
        return next_to_one(seed);
    case 6:
    case 7:
        return binade(seed, -60, -1);
    case 8:
        return binade(seed, -1074, -60);
    default:
        return 0.0;
    }
}

/* Below 1. */
static double characteristic(uint64_t *seed)
{
    switch (below(seed, 6)) {
    case 0:
        return uniform(seed);
    case 1:
        return next_to_one(seed);
    case 2:
        return -binade(seed, -10, 10);
    case 3: /* the largest rarely: they take the reference long */
        return below(seed, 20) ? -binade(seed, 0, 60) : -binade(seed, 60, 1024);
    case 4:
        return signed_binade(seed, -1074, -1);
    default:
        return -uniform(seed);
    }
}

static double amplitude(uint64_t *seed)
{
    const double sign = random_sign(seed);
    double x;
    switch (below(seed, 12)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return sign * HALF_PI * uniform(seed);
    case 4:
    case 5:
        return sign * HALF_PI * next_to_one(seed);
    case 6:
    case 7:
        return sign * binade(seed, -1074, 0);
    case 8:
        return sign * 100.0 * uniform(seed);
    case 9:
        x = sign * HALF_PI * below(seed, 50);
        return x * (1.0 + signed_binade(seed, -54, -2));
    case 10:
        return sign * binade(seed, 0, 40);
    default:
        return sign * binade(seed, 40, 1000);
    }
}

static double argument(uint64_t *seed, double K)
{
    const double sign = random_sign(seed), quarter = K < INFINITY ? K : 100.0;
    double x;
    switch (below(seed, 12)) {
    case 0:
    case 1:
    case 2:
        return sign * quarter * uniform(seed);
    case 3:
    case 4:
        return sign * 5.0 * uniform(seed);
    case 5:
    case 6:
        return sign * quarter * next_to_one(seed);
    case 7:
        return sign * binade(seed, -1074, 0);
    case 8:
        return sign * 20.0 * quarter * uniform(seed);
    case 9:
        x = sign * quarter * below(seed, 50);
        return x * (1.0 + signed_binade(seed, -54, -2));
    case 10:
        return sign * binade(seed, 0, 40);
    default:
        return sign * binade(seed, 40, 1000);
    }
}

void elliptic_draw(elliptic_family family, uint64_t *seed, double *x)
{
    switch (family) {
    case CARLSON:
        carlson(seed, x, 3);
        zero_sometimes(seed, x, 3);
        break;
    case CARLSON_RC:
        carlson(seed, x, 2);
        zero_sometimes(seed, x, 1);
        break;
    case CARLSON_RD:
        carlson(seed, x, 3);
        zero_sometimes(seed, x, 2);
        break;
    case CARLSON_RJ:
        carlson(seed, x, 4);
        zero_sometimes(seed, x, 3);
        break;
    case PARAMETER:
        x[0] = parameter(seed);
        break;
    case PARAMETER_C:
        do
            x[0] = parameter(seed);
        while (x[0] == 0.0);
        break;
    case COMPLETE:
        x[0] = characteristic(seed);
        x[1] = parameter(seed);
        break;
    case INCOMPLETE:
        do {
            x[0] = amplitude(seed);
            x[1] = below(seed, 20) == 0 ? 1.0 : parameter(seed);
        } while (x[1] == 1.0 && fabs(x[0]) > HALF_PI);
        break;
    case INCOMPLETE_THIRD:
        do {
            x[1] = amplitude(seed);
            x[2] = below(seed, 20) == 0 ? 1.0 : parameter(seed);
        } while (x[2] == 1.0 && fabs(x[1]) > HALF_PI);
        x[0] = characteristic(seed);
        if (fabs(x[1]) <= HALF_PI && below(seed, 3) == 0) {
            /* up to the pole, but for the doubles where its side is up to round-off */
            const double pole = 1.0 / (sin(x[1]) * sin(x[1]));
            const double part = below(seed, 2) ? uniform(seed) : 1.0 - binade(seed, -49, -1);
            if (part * pole < DBL_MAX)
                x[0] = part * pole;
        }
        break;
    case JACOBI:
        x[1] = below(seed, 20) == 0 ? 1.0 : parameter(seed);
        x[0] = argument(seed, ph_elliptic_k(x[1]));
        break;
    case JACOBI_C:
        x[1] = parameter(seed);
        x[0] = argument(seed, ph_elliptic_k_c(x[1]));
        break;
    }
}
