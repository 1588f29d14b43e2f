/* circular.c - sine, cosine and tangent of any number; the polynomials are in reduced_angle.h. */
#include "base/elementary.h"
#include "base/reduced_angle.h"
#include "base/sums.h"

/* The binary digits of 2/pi, as many as the largest double needs. */
FILE_CONSTANT uint32_t TWO_OVER_PI[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};

/* |x| beyond SINCOS_LARGEST less n quarter turns (Payne and Hanek 1983): of the binary
 * digits of 2/pi, those that a finite |x| makes whole multiples of four are left out, and
 * as many follow that the fraction, of which a double can make no fewer than 2^-62, has 128. */
static reduced_angle reduce_large_angle(double x)
{
    enum { WORDS = 7, MANTISSA = 53, WORD = 32 };
    int exponent;
    const uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(x), &exponent), MANTISSA);
    exponent -= MANTISSA;
    const int first = exponent > 2 ? (exponent - 2) / WORD : 0;
    /* mantissa times WORDS words, the smallest part first */
    uint32_t product[WORDS + 3] = {0};
    const uint64_t parts[2] = {mantissa & UINT32_MAX, mantissa >> WORD};
    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < WORDS; k++) {
            carry += parts[i] * TWO_OVER_PI[first + WORDS - 1 - k] + product[i + k];
            product[i + k] = (uint32_t)carry;
            carry >>= WORD;
        }
        product[i + WORDS] = (uint32_t)carry;
    }
    /* from the place of the quarter turns down: these, and the fraction in four words */
    const int units = WORD * (first + WORDS) - exponent;
    uint32_t word[5];
    for (int i = 0; i < 5; i++) {
        const int place = units - i * WORD;
        const uint64_t two = (uint64_t)product[place / WORD + 1] << WORD | product[place / WORD];
        word[i] = (uint32_t)(two >> place % WORD);
    }
    /* the fraction from -1/2 to 1/2 */
    const uint32_t negative = word[1] >> (WORD - 1) ? UINT32_MAX : 0;
    const double sign = negative ? -1.0 : 1.0;
    double part[4];
    for (int i = 0; i < 4; i++)
        part[i] = sign * ldexp((double)(word[i + 1] ^ negative), -WORD * (i + 1));
    const sum2 high = sum_ordered(part[0], part[1]);
    const sum2 fraction = sum_ordered(high.hi, high.lo + (part[2] + part[3]));
    const sum2 r = product2(fraction, QUARTER_TURN);
    return (reduced_angle){r.hi, r.lo, (vint)(word[0] + (negative & 1))};
}

static inline reduced_angle reduced(double x)
{
    return fabs(x) <= SINCOS_LARGEST ? reduce_angle(x) : reduce_large_angle(x);
}

void ph_sincos(double x, double *sine, double *cosine)
{
    if (fabs(x) <= SINCOS_LARGEST) {
        sincos_of_one(x, sine, cosine);
    } else if (isfinite(x)) {
        const reduced_angle a = reduce_large_angle(x);
        sincos_reduced(x, &a, sine, cosine);
    } else {
        *sine = *cosine = x - x;
    }
}

double ph_sin(double x)
{
    double sine, cosine;
    ph_sincos(x, &sine, &cosine);
    return sine;
}

double ph_cos(double x)
{
    double sine, cosine;
    ph_sincos(x, &sine, &cosine);
    return cosine;
}

double ph_tan(double x)
{
    if (!isfinite(x))
        return x - x;
    if (fabs(x) < TINY)
        return x;
    const reduced_angle a = reduced(x);
    const double r = a.r;
    const sum2 zz = product_of(r, r), most = sum_ordered(1.0, -0.5 * zz.hi);
    const double z = zz.hi, z2 = z * z, z4 = z2 * z2;
    const sum2 s = sum_ordered(r, (r * z) * sine_rest(z, z2, z4) + (a.rest - 0.5 * (z * a.rest)));
    const sum2 c =
        sum_ordered(most.hi, most.lo + (z2 * cosine_rest(z, z2, z4) - (r * a.rest + 0.5 * zz.lo)));
    const double size =
        rounded((a.quadrant & 1) != 0 ? quotient2((sum2){-c.hi, -c.lo}, s) : quotient2(s, c));
    return x < 0.0 ? -size : size;
}
