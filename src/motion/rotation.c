/* rotation.c - the maps of SO(3): exp, log, cay and their right-trivialised tangents.
 *
 * O11  Ortolan, thesis, Padova 2011, section 2.1.
 *
 *   theta = |x|
 *   exp(x)         = ( cos(theta/2), sin(theta/2)/theta x )
 *   cay(x)         = ( 1, x/2 ) / sqrt(1 + theta^2/4)
 *   dexp_x v       = v + (1 - cos theta)/theta^2 x^ v
 *                    + (theta - sin theta)/theta^3 x^ x^ v
 *                    corrected: O11 footnote 4 prints theta sin(theta) there
 *   dexp_x^-1 v    = v - x^ v / 2 + (1 - theta/2 cot(theta/2))/theta^2 x^ x^ v
 *   dcay_x v       = 2/(4 + theta^2) (2 v + x^ v)                               O11 (2.9)
 *   dcay_x^-1 v    = v - x^ v / 2 + x (x . v) / 4
 *
 * Near theta = 0 the last coefficients of dexp and its inverse cancel and a series
 * replaces them; 1 - cos theta is 2 sin^2(theta/2) and never cancels.
 */
#include "base/extremes.h"
#include "motion/vec.h"

/* Below this theta^2 the series below have converged to round-off. */
FILE_CONSTANT double SERIES_TO = 0.25;

/* Where squares of components neither overflow nor lose digits to underflow. */
FILE_CONSTANT double SQUARES_FROM = 1e-280, SQUARES_TO = 1e280;

/* |v| at any scale. */
static double length(ph_vec3 v)
{
    const double square = dot(v, v), largest = norm_max(v);
    if ((square > SQUARES_FROM && square < SQUARES_TO) || largest == 0.0)
        return sqrt(square);
    return largest * norm(vec3(v.x / largest, v.y / largest, v.z / largest));
}

/* c v/n; next to the largest numbers c/n alone would have lost its digits. */
static ph_vec3 times_over(double c, ph_vec3 v, double n)
{
    if (n < SQUARES_TO)
        return scale(c / n, v);
    const ph_vec3 cv = scale(0.25 * c, v); /* a quarter: c |v| may be above the largest */
    const double quarter = 0.25 * n;
    return vec3(cv.x / quarter, cv.y / quarter, cv.z / quarter);
}

/* The unit of v in which the terms of a linear map of it do not overflow: 1, unless v is
 * large. */
static double unit_of(ph_vec3 v)
{
    const double large = 0x1p500, enough = 0x1p600;
    return norm_max(v) > large ? enough : 1.0;
}

/* (theta - sin theta)/theta^3 from t = theta^2. */
FILE_CONSTANT double SINE_DEFECT[] = {1.0 / 6,       -1.0 / 120,     1.0 / 5040,
                                      -1.0 / 362880, 1.0 / 39916800, -1.0 / 6227020800};

static double sine_defect(double t)
{
    if (t > SERIES_TO) {
        const double theta = sqrt(t);
        return (theta - ph_sin(theta)) / (t * theta);
    }
    double sum = 0.0;
    for (int i = 5; i >= 0; i--)
        sum = SINE_DEFECT[i] + t * sum;
    return sum;
}

/* (1 - theta/2 cot(theta/2))/theta^2 from t = theta^2: the series is that of the
 * Bernoulli numbers, sum |B_2k| theta^(2k-2)/(2k)!. */
FILE_CONSTANT double COTANGENT_DEFECT[] = {1.0 / 12,         1.0 / 720,      1.0 / 30240,
                                           1.0 / 1209600,    1.0 / 47900160, 691.0 / 1307674368000,
                                           1.0 / 74724249600};

static double cotangent_defect(double t)
{
    if (t > SERIES_TO) {
        const double half = 0.5 * sqrt(t);
        return (1.0 - half / ph_tan(half)) / t;
    }
    double sum = 0.0;
    for (int i = 6; i >= 0; i--)
        sum = COTANGENT_DEFECT[i] + t * sum;
    return sum;
}

ph_quat ph_quat_product(ph_quat a, ph_quat b)
{
    return mul(a, b);
}

ph_quat ph_quat_unit(ph_quat q)
{
    const double largest = larger_or_nan(fabs(q.w), norm_max(vec(q)));
    const ph_quat r = {q.w / largest, q.x / largest, q.y / largest, q.z / largest};
    const double n = sqrt(dot4(r, r));
    return renormalize((ph_quat){r.w / n, r.x / n, r.y / n, r.z / n});
}

ph_vec3 ph_quat_rotate(ph_quat q, ph_vec3 v)
{
    return rotate(q, v);
}

ph_vec3 ph_quat_unrotate(ph_quat q, ph_vec3 v)
{
    return rotate(inverse(q), v);
}

ph_mat3 ph_quat_matrix(ph_quat q)
{
    ph_vec3 of[3];
    matrix_columns(q, of);
    return columns(of[0], of[1], of[2]);
}

/* The component of q that is largest is found from the diagonal, four times its square
 * being 1 + R11 + R22 + R33 or 1 + R_ii - R_jj - R_kk; the others from sums of elements.
 */
ph_quat ph_quat_from_matrix(ph_mat3 r)
{
    const double xx = r.a[0][0], yy = r.a[1][1], zz = r.a[2][2];
    const ph_vec3 axis = vec3(r.a[2][1] - r.a[1][2], r.a[0][2] - r.a[2][0], r.a[1][0] - r.a[0][1]);
    const double xy = r.a[0][1] + r.a[1][0], xz = r.a[0][2] + r.a[2][0], yz = r.a[1][2] + r.a[2][1];
    ph_quat q;
    if (xx + yy + zz >= larger_or_nan(xx, larger_or_nan(yy, zz)))
        q = quat(1 + xx + yy + zz, axis);
    else if (xx >= yy && xx >= zz)
        q = (ph_quat){axis.x, 1 + xx - yy - zz, xy, xz};
    else if (yy >= zz)
        q = (ph_quat){axis.y, xy, 1 - xx + yy - zz, yz};
    else
        q = (ph_quat){axis.z, xz, yz, 1 - xx - yy + zz};
    q = ph_quat_unit(q);
    if (q.w < 0.0)
        return negate(q);
    return q;
}

ph_mat3 ph_hat(ph_vec3 v)
{
    return (ph_mat3){{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}};
}

ph_quat ph_rotation_exp(ph_vec3 x)
{
    const ph_vec3 half = scale(0.5, x); /* its length does not overflow */
    const double angle = length(half);
    if (angle == 0.0)
        return quat(1.0, half);
    double sine, cosine;
    ph_sincos(angle, &sine, &cosine);
    return quat(cosine, times_over(sine, half, angle));
}

ph_vec3 ph_rotation_log(ph_quat q)
{
    const ph_vec3 v = vec(q);
    const double s = length(v);
    if (s == 0.0)
        return scale(2.0 / q.w, v);
    return scale(2.0 * ph_atan2(s, fabs(q.w)) / copysign(s, q.w), v);
}

ph_vec3 ph_rotation_log_matrix(ph_mat3 r)
{
    return ph_rotation_log(ph_quat_from_matrix(r));
}

ph_quat ph_cay(ph_vec3 x)
{
    const ph_vec3 half = scale(0.5, x);
    const double n = ph_hypot(1.0, length(half));
    return quat(1.0 / n, times_over(1.0, half, n));
}

ph_vec3 ph_cay_inverse(ph_quat q)
{
    if (fabs(q.w) > 1.0 / SQUARES_TO)
        return scale(2.0 / q.w, vec(q));
    return scale(2.0, vec3(q.x / q.w, q.y / q.w, q.z / q.w));
}

ph_vec3 ph_dexp(ph_vec3 x, ph_vec3 v)
{
    const double t = dot(x, x), half = 0.5 * sqrt(t), unit = unit_of(v);
    const double sinc = quotient_or(ph_sin(half), half, 1.0); /* (1-cos)/theta^2 = sinc^2/2 */
    const ph_vec3 u = scale(1.0 / unit, v), xu = cross(x, u);
    const ph_vec3 turned = add(scale(0.5 * sinc * sinc, xu), scale(sine_defect(t), cross(x, xu)));
    return scale(unit, add(u, turned));
}

ph_vec3 ph_dexp_inverse(ph_vec3 x, ph_vec3 v)
{
    const double unit = unit_of(v);
    const ph_vec3 u = scale(1.0 / unit, v), xu = cross(x, u);
    const ph_vec3 twice = scale(cotangent_defect(dot(x, x)), cross(x, xu));
    return scale(unit, add(sub(u, scale(0.5, xu)), twice));
}

ph_vec3 ph_dcay(ph_vec3 x, ph_vec3 v)
{
    const double t = dot(x, x), unit = unit_of(v);
    const ph_vec3 u = scale(1.0 / unit, v);
    if (t < SQUARES_TO)
        return scale(2.0 * unit / (4.0 + t), add(scale(2.0, u), cross(x, u)));
    const ph_vec3 half = scale(0.5, x); /* 1 is nothing beside |half|^2 */
    const double n = length(half);
    const ph_vec3 axis = times_over(1.0, half, n);
    return times_over(unit, add(times_over(1.0, u, n), cross(axis, u)), n);
}

ph_vec3 ph_dcay_inverse(ph_vec3 x, ph_vec3 v)
{
    const double unit = unit_of(v);
    const ph_vec3 u = scale(1.0 / unit, v);
    const ph_vec3 along_x = scale(0.25 * dot(x, u), x);
    return scale(unit, add(sub(u, scale(0.5, cross(x, u))), along_x));
}
