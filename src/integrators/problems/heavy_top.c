/* heavy_top.c - a body with one point fixed in a uniform field; the tops of the papers.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, 3.3.1.
 * V13   Vilmart, Rigid body dynamics, 2013, Example 1.
 * K06   Krysl, Dynamically equivalent implicit algorithms, 2006, sections 5.2 and 5.3.
 *
 * With s the strength, u the direction up in space, c the centre of mass in the body,
 * and g = R^T u, which changes at the rate g x xi along the body's axis xi:
 *
 *   CFSZ (43)   U = s u . R c = s g . c
 *               torque = s g x c
 *               derivative = s ( (g . c) 1 - g c^T )
 *
 * CFSZ prints the torque of eps g . e3 as (g2, -g1, 0): the factor eps is missing.
 *
 * The starts: heavy_top that of our reference solutions; slow_top and fast_top K06, the
 * rotation vectors 0.05 e1 and 0.3 e1; vilmart_top V13, which gives no body and no start:
 * those of the book in its figure 1; perturbed_free CFSZ, where body, momentum and u are
 * random. Here they follow from the parameter seed, moments I1 < I2 < I3 = 1, the two
 * others directions, all uniform; seed 0 is that of our reference solution. The parameter
 * energy, if not 0, is the kinetic energy T0 at the start, which the paper varies.
 *
 * Two that are integrable. lagrange_top, J1 = J2 with the centre on the third axis: m3 is
 * kept, and the motion is known. kovalevskaya_top, J1 = J2 = 2 J3
 * with the centre on the first axis: with z = w1 + i w2, nu = s/J3 and g = R^T u, z^2 -
 * nu (g1 + i g2) turns at the rate -w3, and its square is kept,
 *
 *   (w1^2 - w2^2 - nu g1)^2 + (2 w1 w2 - nu g2)^2           Kovalevskaya, Acta Math. 12 (1889)
 *
 * In vectors, with g/2 = u/2 + w u x v + v x (v x u), q = (w, v), and C = 2 s c:  torque = g/2 x C.
 */
#include "polhode/body.h"

enum { STRENGTH, UP, CENTRE = UP + 3, SEED = CENTRE + 3, ENERGY };

#ifdef SIMD_VECTORS /* the torque in vectors */
#include "integrators/extrapolation.h"
#include "integrators/tangent_kernels.h"

/* C, u, and whether u is e3. */
static void set_constants(const ph_problem *p, double c[LANE_CONSTANTS])
{
    const double *up = p->value + UP;
    for (int i = 0; i < 3; i++) {
        c[i] = 2.0 * p->value[STRENGTH] * p->value[CENTRE + i];
        c[3 + i] = up[i];
    }
    c[6] = up[0] == 0.0 && up[1] == 0.0 && up[2] == 1.0;
}

PART void add_torque(const double *c, const vdouble *q, vdouble k, vdouble *m)
{
    const vdouble w = q[0], x = q[1], y = q[2], z = q[3];
    vdouble g[3] = {x * z - w * y, y * z + w * x, 0.5 - (x * x + y * y)};
    if (c[6] == 0.0) {
        const vdouble a = y * c[5] - z * c[4], b = z * c[3] - x * c[5],
                      d = x * c[4] - y * c[3]; /* v x u */
        g[0] = (0.5 * c[3] - w * a) + (y * d - z * b);
        g[1] = (0.5 * c[4] - w * b) + (z * a - x * d);
        g[2] = (0.5 * c[5] - w * d) + (x * b - y * a);
    }
    m[0] = m[0] + ((k * c[2]) * g[1] - (k * c[1]) * g[2]);
    m[1] = m[1] + ((k * c[0]) * g[2] - (k * c[2]) * g[0]);
    m[2] = m[2] + ((k * c[1]) * g[0] - (k * c[0]) * g[1]);
}

LANE_KERNELS(heavy_top)

EACH_KERNEL(heavy_top)
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble3 column[3];
        matrix_columns(lane_quaternion(&at->q[0][r]), column);
        const vdouble3 up = lane_vector(&p->value[UP][r]),
                       g = vec3(dot(column[0], up), dot(column[1], up), dot(column[2], up)),
                       arm = lane_vector(&p->value[CENTRE][r]);
        store_vector(&at->torque[0][r], scale(vload(&p->value[STRENGTH][r]), cross(g, arm)));
    }
}

/* A seed of 1 or more draws u: there is no derivative by it, and none by u. */
SLOPES_KERNEL(heavy_top)
{
    const double *value = x->p->value, s = value[STRENGTH];
    const bool drawn = fabs(value[SEED]) >= 1.0;
    const vdouble zero = vsplat(0.0), c0 = vsplat(value[CENTRE]), c1 = vsplat(value[CENTRE + 1]),
                  c2 = vsplat(value[CENTRE + 2]);
    const vdouble3 c = vec3(c0, c1, c2), sc = scale(vsplat(s), c), none = vec3(zero, zero, zero);
    torque_slopes *to = &x->slopes;
    for (int r = 0; r < x->count; r += LANES) {
        const vdouble4 q = {vload(&x->q[0][r]), vload(&x->q[1][r]), vload(&x->q[2][r]),
                            vload(&x->q[3][r])};
        const vdouble3 up = vec3(vsplat(value[UP]), vsplat(value[UP + 1]), vsplat(value[UP + 2])),
                       g = rotate_back(q, up);
        const vdouble gc = dot(g, sc);
        store_point_vector(&to->attitude[0], r, vec3(gc - g.x * sc.x, -g.x * sc.y, -g.x * sc.z));
        store_point_vector(&to->attitude[3], r, vec3(-g.y * sc.x, gc - g.y * sc.y, -g.y * sc.z));
        store_point_vector(&to->attitude[6], r, vec3(-g.z * sc.x, -g.z * sc.y, gc - g.z * sc.z));
        if (!(x->wanted & PH_DERIVATIVES_PARAMETERS))
            continue;
        const vdouble3 sg = scale(vsplat(s), g);
        vdouble3 column[3];
        matrix_columns(q, column);
        const vdouble3 row[3] = {vec3(column[0].x, column[1].x, column[2].x),
                                 vec3(column[0].y, column[1].y, column[2].y),
                                 vec3(column[0].z, column[1].z, column[2].z)};
        store_point_vector(to->value[STRENGTH], r, cross(g, c));
        for (int k = 0; k < 3; k++)
            store_point_vector(to->value[UP + k], r, drawn ? none : cross(row[k], sc));
        store_point_vector(to->value[CENTRE], r, vec3(zero, sg.z, -sg.y));
        store_point_vector(to->value[CENTRE + 1], r, vec3(-sg.z, zero, sg.x));
        store_point_vector(to->value[CENTRE + 2], r, vec3(sg.y, -sg.x, zero));
        store_point_vector(to->value[ENERGY], r, none);
        store_point_vector(to->value[SEED], r, scale(vsplat(drawn ? NAN : 0.0), sg));
    }
}

#else /* of one body */
#include "motion/vec.h"

static ph_vec3 up_in_body(const ph_problem *p, ph_mat3 R)
{
    const double *up = p->value + UP;
    return apply(transpose(R), vec3(up[0], up[1], up[2]));
}

static ph_vec3 centre(const ph_problem *p)
{
    const double *c = p->value + CENTRE;
    return vec3(c[0], c[1], c[2]);
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    return p->value[STRENGTH] * dot(up_in_body(p, now->R), centre(p));
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    return scale(p->value[STRENGTH], cross(up_in_body(p, now->R), centre(p)));
}

static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    const ph_vec3 g = up_in_body(p, now->R), c = scale(p->value[STRENGTH], centre(p));
    const double gc = dot(g, c);
    return rows(sub(vec3(gc, 0, 0), scale(g.x, c)), sub(vec3(0, gc, 0), scale(g.y, c)),
                sub(vec3(0, 0, gc), scale(g.z, c)));
}

#ifndef __OPENCL_VERSION__
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/named.h"
#include "base/random.h"
#include "polhode/elliptic.h"

static const ph_parameter PARAMETERS[] = {
    {"strength", STRENGTH, 1, "energy", "weight, times the unit of length of centre", PH_RANGE_ANY},
    {"up", UP, 3, "1", "up in space, of any length, which multiplies the strength", PH_RANGE_ANY},
    {"centre", CENTRE, 3, "1", "centre of mass from the fixed point, in the body", PH_RANGE_ANY},
};
static const ph_parameter PERTURBATION[] = {
    {"epsilon", STRENGTH, 1, "energy", "strength of the field", PH_RANGE_ANY},
    {"up", UP, 3, "1", "up in space, of any length, which multiplies epsilon", PH_RANGE_ANY},
    {"seed", SEED, 1, "1", "seed of a random body, momentum and direction up; 0: none",
     PH_RANGE_ANY},
    {"energy", ENERGY, 1, "energy", "initial kinetic energy; 0: from the velocity", PH_RANGE_ANY},
};

/* A direction, uniform on the sphere. */
static ph_vec3 direction(uint64_t *seed)
{
    const double z = between(seed, -1.0, 1.0), angle = between(seed, -PH_PI, PH_PI);
    const double r = sqrt(1.0 - z * z);
    return vec3(r * ph_cos(angle), r * ph_sin(angle), z);
}

/* Body, momentum and u from the seed, then the energy. All seeds from 2^53 on are one. */
static void prepare_perturbed(ph_problem *p)
{
    uint64_t seed = (uint64_t)smaller_or_nan(fabs(p->value[SEED]), 0x1p53);
    if (seed != 0) {
        const double a = between(&seed, 0.1, 1.0), b = between(&seed, 0.1, 1.0);
        p->body = (ph_body)PH_MOMENTS(smaller_or_nan(a, b), larger_or_nan(a, b), 1.0);
        p->w = over(direction(&seed), p->body.J);
        const ph_vec3 up = direction(&seed);
        p->value[UP] = up.x;
        p->value[UP + 1] = up.y;
        p->value[UP + 2] = up.z;
    }
    const double now = 0.5 * dot(p->w, ph_body_momentum(&p->body, p->w)), wanted = p->value[ENERGY];
    if (wanted > 0.0 && now > 0.0)
        p->w = scale(sqrt(wanted / now), p->w);
}

/* ---- integrable tops ------------------------------------------------------------- */

static double vertical_momentum(const ph_problem *p, const ph_instant *now)
{
    return dot(up_in_body(p, now->R), now->m);
}

static double axial_momentum(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    return now->m.z;
}

static double kovalevskaya(const ph_problem *p, const ph_instant *now)
{
    const ph_vec3 w = now->w, g = scale(p->value[STRENGTH] * p->value[CENTRE] / p->body.J.z,
                                        up_in_body(p, now->R));
    const double re = w.x * w.x - w.y * w.y - g.x, im = 2.0 * w.x * w.y - g.y;
    return re * re + im * im;
}

#define VERTICAL_MOMENTUM                                                                          \
    {                                                                                              \
        "vertical", "I/t", "Angular momentum about the vertical", vertical_momentum                \
    }

static const ph_invariant OF_LAGRANGE[] = {
    VERTICAL_MOMENTUM,
    {"axial", "I/t", "Angular momentum about the axis of the top", axial_momentum},
};
static const ph_invariant OF_KOVALEVSKAYA[] = {
    VERTICAL_MOMENTUM,
    {"kovalevskaya", "1/t^4", "Kovalevskaya's integral", kovalevskaya},
};

/* ---- the exact motion of Lagrange's top ------------------------------------------------------ */

/* In elliptic functions: Whittaker, Analytical Dynamics, sections 71 and 72. In Euler's angles, R = Rz(phi) Rx(theta)
 * Rz(psi), with u = cos(theta), the momenta p = m3 about the axis and L about the vertical,
 * and the energy E:
 *
 *   u'^2 = f(u) = (2/A) (E - p^2/(2C) - c u) (1 - u^2) - ((L - p u)/A)^2
 *        = (2c/A) (u - u1) (u - u2) (u - u3),     -1 <= u1 <= u2 <= 1 <= u3
 *   u = u1 + (u2 - u1) sn^2(k t + d),   k^2 = c (u3 - u1)/(2A),   m = (u2 - u1)/(u3 - u1)
 *   phi' = (L - p u)/(A (1 - u^2)),     psi' = p/C - u phi'
 *
 * In partial fractions phi and psi are integrals of 1/(1 - u) and 1/(1 + u), each of the
 * third kind, with the characteristics n = (u2 - u1)/(1 - u1) and -(u2 - u1)/(1 + u1).
 */

static const double UPRIGHT = 1e-12; /* of 1 - |u| */

static double clamp(double x, double least, double most)
{
    return larger_or_nan(least, smaller_or_nan(most, x));
}

/* The largest root of u^3 + b u^2 + c u + d, whose roots are all real; improved by Newton. */
static double largest_root(double b, double c, double d)
{
    enum { NEWTON = 3 };
    const double p = c - b * b / 3, q = 2 * b * b * b / 27 - b * c / 3 + d,
                 r = 2 * sqrt(larger_or_nan(0.0, -p / 3)),
                 cosine = r > 0.0 ? clamp(3 * q / (p * r), -1.0, 1.0) : 1.0;
    double u = r * ph_cos(ph_acos(cosine) / 3) - b / 3;
    for (int n = 0; n < NEWTON; n++) {
        const double f = ((u + b) * u + c) * u + d, slope = (3 * u + 2 * b) * u + c;
        if (fabs(f) < fabs(slope)) /* not at a double root */
            u -= f / slope;
    }
    return u;
}

/* weight times the integral of the third kind, nothing where the weight is: there n may be
 * 1. */
static double third_kind(double weight, double n, double from, double to, double m)
{
    if (weight == 0.0)
        return 0.0;
    return weight * (ph_elliptic_pi_inc(n, to, m) - ph_elliptic_pi_inc(n, from, m));
}

/* A body of moments A, A, C with one point fixed, and the energy c cos(theta) of its third
 * axis, which is theta from the vertical e3 in space; c > 0. The state a time t after
 * *start. PH_NOT_APPLICABLE unless A, C and c are positive, and where the axis is within
 * 1e-6 of the vertical: upright or upside down. */
static ph_status lagrange_top(double A, double C, double c, const ph_state *start, double t,
                              ph_state *out)
{
    const ph_quat q = start->q;
    const ph_vec3 m = start->m, g = rotate(inverse(q), vec3(0, 0, 1));
    const double u0 = g.z, p = m.z, L = dot(g, m);
    if (!(A > 0.0 && C > 0.0 && c > 0.0 && 1.0 - fabs(u0) > UPRIGHT))
        return PH_NOT_APPLICABLE;
    const double nutation = 0.5 * (m.x * m.x + m.y * m.y) / A + c * u0, /* E - p^2/2C */
        a3 = 2 * c / A;
    /* The two others lie about their mean; how far, the start tells without cancellation:
     * u'^2 = a3 (u0 - u1) (u2 - u0) (u3 - u0). */
    const double b = (-2 * nutation / A - p * p / (A * A)) / a3,
                 rising = (m.y * g.x - m.x * g.y) / A, /* u' */
        u3 = largest_root(b, -1 + 2 * L * p / (A * A) / a3,
                          (2 * nutation / A - L * L / (A * A)) / a3),
                 mean = -0.5 * (b + u3), away = u0 - mean,
                 half = sqrt(away * away + rising * rising / (a3 * (u3 - u0))), u1 = mean - half,
                 span = 2 * half, k = 0.5 * sqrt(a3 * (u3 - u1)),
                 modulus = clamp(span / (u3 - u1), 0.0, 1.0);
    const double share = span > 0.0 ? clamp((u0 - u1) / span, 0.0, 1.0) : 0.0;
    const double from = copysign(ph_asin(sqrt(share)), rising),
                 argument = k * t + ph_elliptic_f_inc(from, modulus);
    const ph_jacobi j = ph_jacobi_prepare(modulus);
    const double to = ph_jacobi_am(&j, argument);
    const ph_sncndn e = ph_jacobi_at(&j, argument);
    const double now = u1 + span * e.sn * e.sn, slope = 2 * span * k * e.sn * e.cn * e.dn;

    const double less = third_kind(0.5 * (L - p) / (A * k * (1 - u1)), span / (1 - u1), from, to,
                                   modulus),
                 more = third_kind(0.5 * (L + p) / (A * k * (1 + u1)), -span / (1 + u1), from, to,
                                   modulus);
    const double phi = less + more, psi = (p / C - p / A) * t - (less - more);
    const double sum = 2 * ph_atan2(q.z, q.w) + phi + psi,
                 difference = 2 * ph_atan2(q.y, q.x) + phi - psi;
    const double cosine = sqrt(0.5 * (1 + now)), sine = sqrt(0.5 * (1 - now)),
                 of_theta = 2 * sine * cosine, spin = 0.5 * (sum - difference),
                 turning = (L - p * now) / A / of_theta, /* phi' sin(theta) A/A */
        nodding = -slope / of_theta;
    out->q = (ph_quat){cosine * ph_cos(0.5 * sum), sine * ph_cos(0.5 * difference),
                       sine * ph_sin(0.5 * difference), cosine * ph_sin(0.5 * sum)};
    out->m = vec3(A * (turning * ph_sin(spin) + nodding * ph_cos(spin)),
                  A * (turning * ph_cos(spin) - nodding * ph_sin(spin)), p);
    return PH_OK;
}

/* Where the body and its field are those of Lagrange, and up is up. */
static ph_status exact(const ph_problem *p, const ph_state *start, double t, ph_state *out)
{
    const double *up = p->value + UP, *c = p->value + CENTRE;
    const ph_vec3 J = p->body.J;
    if (!(p->body.principal && J.x == J.y && up[0] == 0.0 && up[1] == 0.0 && c[0] == 0.0 &&
          c[1] == 0.0))
        return PH_NOT_APPLICABLE;
    return lagrange_top(J.x, J.z, p->value[STRENGTH] * up[2] * c[2], start, t, out);
}

/* ---- the tops --------------------------------------------------------------------------------- */

#define TOP_EQUATIONS  "U = strength * up . (R centre), torque = strength * (R^T up) x centre."
#define FREE_EQUATIONS "U = epsilon * up . (R e3), torque = epsilon * (R^T up) x e3."

#define FIELD(key, words, where, names, formulas)                                                  \
    .name = (key), .title = (words), .cite = (where), .equations = (formulas),                     \
    TABLE(parameter, names), .potential = potential, .torque = torque, .derivative = derivative

const ph_problem ph_problem_heavy_top[7] = {
    {FIELD("heavy_top", "Heavy top", "CFSZ section 3.3.1", PARAMETERS, TOP_EQUATIONS),
     .body = PH_MOMENTS(1, 1.6, 2.2),
     /* exp(0.4, -0.3, 0.2) */
     .q = {0.9639684818261636969378, 0.1975920786430693138506, -0.1481940589823019853880,
           0.09879603932153465692532},
     .w = {0.5, -0.5, 0.5}, .value = {1, 0, 0, 1, 0, 0, 1}},
    {FIELD("slow_top", "Slow Lagrangian top of Krysl", "K06 section 5.2", PARAMETERS,
           TOP_EQUATIONS),
     .body = PH_MOMENTS(5, 5, 1), .q = {0.9996875162757025862497, 0.02499739591471233066217, 0, 0},
     .w = {0, 0, 5}, .value = {20, 0, 0, 1, 0, 0, 1}},
    {FIELD("fast_top", "Fast Lagrangian top of Krysl", "K06 section 5.3", PARAMETERS,
           TOP_EQUATIONS),
     .body = PH_MOMENTS(5, 5, 1), .q = {0.9887710779360422867350, 0.1494381324735992214977, 0, 0},
     .w = {0, 0, 50}, .value = {20, 0, 0, 1, 0, 0, 1}},
    {FIELD("vilmart_top", "Heavy top of Vilmart", "V13 Example 1", PARAMETERS, TOP_EQUATIONS),
     .body = PH_MOMENTS(0.376, 0.627, 1), .q = {1, 0, 0, 0}, .w = {0, 0.6 / 0.627, -0.8},
     .value = {1, 0, 0, 1, 0, 0, 1}},
    {FIELD("perturbed_free", "Free body in a weak uniform field", "CFSZ (43)", PERTURBATION,
           FREE_EQUATIONS),
     .body = PH_MOMENTS(1, 1.6, 2.2), .q = {1, 0, 0, 0}, .w = {1, -0.7 / 1.6, 0.5 / 2.2},
     .value = {1e-3, 0.36, 0.48, 0.8, 0, 0, 1, 0, 0}, .prepare = prepare_perturbed},
    {FIELD("lagrange_top", "Lagrange's symmetric top", "Whittaker section 71", PARAMETERS,
           TOP_EQUATIONS),
     .body = PH_MOMENTS(1, 1, 0.5),
     /* exp(0.4, -0.3, 0.2) */
     .q = {0.9639684818261636969378, 0.1975920786430693138506, -0.1481940589823019853880,
           0.09879603932153465692532},
     .w = {0.3, -0.2, 3}, .value = {1, 0, 0, 1, 0, 0, 1}, TABLE(invariant, OF_LAGRANGE),
     .exact = exact},
    {FIELD("kovalevskaya_top", "Kovalevskaya's top", "Kovalevskaya 1889", PARAMETERS,
           TOP_EQUATIONS),
     .body = PH_MOMENTS(2, 2, 1),
     .q = {0.9639684818261636969378, 0.1975920786430693138506, -0.1481940589823019853880,
           0.09879603932153465692532},
     .w = {0.5, -0.6, 1.1}, .value = {1, 0, 0, 1, 1, 0, 0}, TABLE(invariant, OF_KOVALEVSKAYA)},
};
#endif
#endif
