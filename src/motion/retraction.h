/* retraction.h - exp and cay, their tangents, and how these change, for Newton.
 *
 *   d map_x u = c0 u + c1 x^ u + c2 x^ x^ u, coefficients of t = |x|^2 = theta^2
 *   exp   c0 = 1          c1 = (1 - cos theta)/t    c2 = (theta - sin theta)/theta^3
 *   cay   c0 = 4/(4 + t)  c1 = 2/(4 + t)            c2 = 0
 *
 * Trivialised from the left the tangent is that at -x:
 * R map(x + e) = R map(x) exp(d map_-x e) to first order.
 */
#pragma once

#include "motion/vec.h"

/* The coefficients, and their derivatives by t. */
typedef struct tangent {
    double c0, c1, c2;
    double by_t0, by_t1, by_t2;
} tangent;

static inline tangent exp_tangent(double t)
{
    /* Below this t the series sum (-t)^k/(2k+2)!, sum (-t)^k/(2k+3)! have converged. */
    static const double SMALL = 0.25;
    tangent c = {.c0 = 1.0};
    if (t > SMALL) {
        const double theta = sqrt(t), sine = ph_sin(0.5 * theta);
        c.c1 = 2.0 * sine * sine / t;
        c.c2 = (theta - ph_sin(theta)) / (t * theta);
        c.by_t1 = (1.0 - t * c.c2 - 2.0 * c.c1) / (2.0 * t);
        c.by_t2 = (c.c1 - 3.0 * c.c2) / (2.0 * t);
        return c;
    }
    static const double even[] = {1.0 / 2,       -1.0 / 24,        1.0 / 720,        -1.0 / 40320,
                                  1.0 / 3628800, -1.0 / 479001600, 1.0 / 87178291200};
    static const double odd[] = {
        1.0 / 6,        -1.0 / 120,        1.0 / 5040,         -1.0 / 362880,
        1.0 / 39916800, -1.0 / 6227020800, 1.0 / 1307674368000};
    for (int k = 6; k >= 0; k--) {
        c.by_t1 = c.c1 + t * c.by_t1;
        c.by_t2 = c.c2 + t * c.by_t2;
        c.c1 = even[k] + t * c.c1;
        c.c2 = odd[k] + t * c.c2;
    }
    return c;
}

static inline tangent cay_tangent(double t)
{
    const double d = 1.0 / (4.0 + t);
    return (tangent){.c0 = 4.0 * d, .c1 = 2.0 * d, .by_t0 = -4.0 * d * d, .by_t1 = -2.0 * d * d};
}

/* A map from rotation vectors to rotations, with its tangent. */
typedef struct retraction {
    ph_quat (*map)(ph_vec3 x);
    tangent (*at)(double t);
} retraction;

static const retraction EXPONENTIAL = {ph_rotation_exp, exp_tangent},
                        CAYLEY = {ph_cay, cay_tangent};

/* d map_x u. */
static inline ph_vec3 tangent_of(const tangent *c, ph_vec3 x, ph_vec3 u)
{
    const ph_vec3 xu = cross(x, u);
    return add(scale(c->c0, u), add(scale(c->c1, xu), scale(c->c2, cross(x, xu))));
}

/* d map_x as a matrix. */
static inline ph_mat3 tangent_matrix(const tangent *c, ph_vec3 x)
{
    return columns(tangent_of(c, x, vec3(1, 0, 0)), tangent_of(c, x, vec3(0, 1, 0)),
                   tangent_of(c, x, vec3(0, 0, 1)));
}

/* The derivative of d map_x u by x along e. */
static inline ph_vec3 tangent_along(const tangent *c, ph_vec3 x, ph_vec3 u, ph_vec3 e)
{
    const ph_vec3 xu = cross(x, u), eu = cross(e, u);
    const tangent by_t = {.c0 = c->by_t0, .c1 = c->by_t1, .c2 = c->by_t2};
    const ph_vec3 turned = add(cross(e, xu), cross(x, eu));
    return add(add(scale(c->c1, eu), scale(c->c2, turned)),
               scale(2.0 * dot(x, e), tangent_of(&by_t, x, u)));
}

/* The derivative of d map_x u by x, as a matrix. */
static inline ph_mat3 tangent_slope(const tangent *c, ph_vec3 x, ph_vec3 u)
{
    return columns(tangent_along(c, x, u, vec3(1, 0, 0)), tangent_along(c, x, u, vec3(0, 1, 0)),
                   tangent_along(c, x, u, vec3(0, 0, 1)));
}

/* J^-1 A. */
static inline ph_mat3 over_rows(ph_mat3 A, ph_vec3 J)
{
    const double by[3] = {J.x, J.y, J.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            A.a[i][k] /= by[i];
    }
    return A;
}

/* The linear maps v -> dexp_x v, dexp_x^-1 v, dcay_x v as matrices. */
static inline ph_mat3 matrix_of(ph_vec3 (*map)(ph_vec3 x, ph_vec3 v), ph_vec3 x)
{
    return columns(map(x, vec3(1, 0, 0)), map(x, vec3(0, 1, 0)), map(x, vec3(0, 0, 1)));
}

/* The derivative of dexp_x^-1 u by x. With t = |x|^2, k = t^(1/2)/2 cot(t^(1/2)/2):
 * dexp_x^-1 u = u - x^ u/2 + c x^ x^ u, c = (1 - k)/t, dc/dt = (1/8 - 3c/2 + t c^2/2)/t.
 * Where they cancel, the first terms of c = 1/12 + t/720 + ... */
static inline ph_mat3 dexp_inverse_slope(ph_vec3 x, ph_vec3 u)
{
    const double small = 1e-4;
    const double t = dot(x, x), half = 0.5 * sqrt(t);
    double c = 1.0 / 12 + t / 720, dc = 1.0 / 720;
    if (t > small) {
        c = (1.0 - half / ph_tan(half)) / t;
        dc = (0.125 - 1.5 * c + 0.5 * t * c * c) / t;
    }
    const ph_vec3 xu = cross(x, u), xxu = scale(2.0 * dc, cross(x, xu));
    /* along e: -e x u/2 + (2 dc x.e) x^ x^ u + c (e x (x x u) + x x (e x u)) */
    ph_mat3 A = add_to(add_to((ph_mat3){{{0}}}, 0.5, ph_hat(u)), -c, ph_hat(xu));
    A = add_to(A, -c, matmul(ph_hat(x), ph_hat(u)));
    const ph_mat3 outer = rows(scale(xxu.x, x), scale(xxu.y, x), scale(xxu.z, x));
    return add_to(A, 1.0, outer);
}
