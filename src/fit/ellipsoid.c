/* ellipsoid.c - the brightness of a homogeneous ellipsoid in sunlight.
 *
 * Muinonen, Lumme, Astron. Astrophys. 584 (2015) A23. With A the diagonal matrix of the semi-axes,
 * a point A u of the surface, |u| = 1, has the normal A^-1 u and the element of area
 * det A |A^-1 u| du. With p = A^-1 observer, s = A^-1 sun and n = |A^-1 u| the brightness is
 *
 *   det A integral of f(u.p, u.s, n) du   where u.p > 0 and u.s > 0
 *   f = x y / (x + y)   Lommel-Seeliger,   f = x y / n   Lambert
 *
 * The domain is a lune. Its longitude and latitude are integrated by Gauss' rule, unless f is that of
 * Lommel and Seeliger, which is proportional to the cosine of the latitude: that integral is pi/2. The
 * other one is elementary. From the longitude l of p + s, |p + s| = d, p is at the angle A and s at -B:
 *
 *   u.p = P cos l + k sin l     P = |p| cos A     k = |p| sin A = |s| sin B
 *   u.s = Q cos l - k sin l     Q = |s| cos B     u.p + u.s = d cos l    A - pi/2 < l < pi/2 - B
 *
 * The integrals of cos l, sin l, 1/cos l and sin^3 l/cos^2 l over the lune are
 *
 *   C = cos A + cos B     S = sin A - sin B     E = -log(tan(A/2) tan(B/2))     1/sin B - 1/sin A - S
 *
 * f vanishes at the edges, so that derivatives can be taken below the integral. The moments J of a
 * homogeneous body give A^2 = tr(J)/2 - J, up to a factor.
 */
#include "fit/ellipsoid.h"
#include "motion/vec.h"
#include "polhode/fit.h"

enum { NODES = 6 }; /* of Gauss' rule of 12 points on [-1, 1], those above 0 */
static const double node[NODES] = {0.1252334085114689154724, 0.3678314989981801937527,
                                   0.5873179542866174472967, 0.7699026741943046870369,
                                   0.9041172563704748566785, 0.9815606342467192506905};
static const double weight[NODES] = {0.2491470458134027850006, 0.2334925365383548087608,
                                     0.2031674267230659217491, 0.1600783285433462263347,
                                     0.1069393259953184309603, 0.04717533638651182719462};

/* The integral, and those of its derivatives by p, s and A^-1 within n. */
typedef struct sums {
    double value;
    ph_vec3 by_p, by_s;
    double by_inverse[3][3];
} sums;

static void add_point(sums *out, const double k[3], ph_vec3 p, ph_vec3 s, ph_vec3 u, double part,
                      bool slopes)
{
    const double x = dot(u, p), y = dot(u, s);
    const double at[3] = {u.x, u.y, u.z},
                 n2 = k[0] * k[0] * u.x * u.x + k[1] * k[1] * u.y * u.y + k[2] * k[2] * u.z * u.z,
                 f = part / sqrt(n2);
    out->value += f * x * y;
    out->by_p = add(out->by_p, scale(f * y, u));
    out->by_s = add(out->by_s, scale(f * x, u));
    for (int i = 0; i < 3 && slopes; i++) {
        for (int j = 0; j < 3; j++)
            out->by_inverse[i][j] -= f * x * y / n2 * at[i] * k[j] * at[j];
    }
}

/* The integral of Lommel and Seeliger's law over the lune, whose edges are across p and s. */
static sums integrate_exactly(ph_vec3 p, ph_vec3 s)
{
    const ph_vec3 both = add(p, s);
    const double a = norm(s), b = norm(p), d = norm(both), tiny = 1e-150;
    if (!(d > 1e-15 * (a + b))) /* the sun is behind the body */
        return (sums){0};
    const double P = dot(p, both) / d, Q = dot(s, both) / d, k = norm(cross(p, s)) / d,
                 C = P / b + Q / a, S = k / b - k / a,
                 E = ph_real_log((b + P) / (k + tiny)) + ph_real_log((a + Q) / (k + tiny)),
                 over_k = 1.0 / b - 1.0 / a, cubed = a - b - k * S, by = 0.5 * PH_PI / (d * d);
    /* along p + s, and k times the unit vector across it: coefficients of that are over k */
    const ph_vec3 e1 = scale(1.0 / d, both), ke2 = sub(p, scale(P, e1));
    return (sums){.value = by * d * ((P * Q + k * k) * C + k * (Q - P) * S - k * k * E),
                  .by_p = scale(by, add(scale(Q * Q * C - 2.0 * Q * k * S + k * k * (E - C), e1),
                                        scale(Q * Q * over_k - 2.0 * Q * (E - C) + cubed, ke2))),
                  .by_s = scale(by, add(scale(P * P * C + 2.0 * P * k * S + k * k * (E - C), e1),
                                        scale(P * P * over_k + 2.0 * P * (E - C) + cubed, ke2)))};
}

/* The lune between the planes across s and p, in the axes e1 along s, e2 and e3 across both. */
static sums integrate(const double k[3], ph_vec3 p, ph_vec3 s, bool slopes)
{
    sums out = {0};
    const ph_vec3 e1 = scale(1.0 / norm(s), s), across = sub(p, scale(dot(p, e1), e1)),
                  other = fabs(e1.x) < 0.5 ? vec3(1, 0, 0) : vec3(0, 1, 0);
    const double sine = norm(across), tiny = 1e-12 * norm(p);
    ph_vec3 e2 = sine > tiny ? across : sub(other, scale(dot(other, e1), e1));
    e2 = scale(1.0 / norm(e2), e2);
    const ph_vec3 e3 = cross(e1, e2);
    const double angle = ph_atan2(sine, dot(p, e1)), half = 0.5 * (PH_PI - angle);
    for (int i = 0; i < 2 * NODES; i++) {
        double sin_longitude, cos_longitude;
        ph_sincos(0.5 * angle + (i % 2 ? half : -half) * node[i / 2], &sin_longitude,
                  &cos_longitude);
        const ph_vec3 equator = add(scale(cos_longitude, e1), scale(sin_longitude, e2));
        const double part = half * weight[i / 2];
        for (int j = 0; j < 2 * NODES; j++) {
            const double z = j % 2 ? node[j / 2] : -node[j / 2];
            const ph_vec3 u = add(scale(sqrt(1.0 - z * z), equator), scale(z, e3));
            add_point(&out, k, p, s, u, part * weight[j / 2], slopes);
        }
    }
    return out;
}

double ph_ellipsoid_brightness(ph_scattering law, ph_vec3 J, ph_vec3 observer, ph_vec3 sun,
                               double by[9])
{
    const double trace = J.x + J.y + J.z, a2 = 0.5 * trace - J.x, b2 = 0.5 * trace - J.y,
                 c2 = 0.5 * trace - J.z;
    if (!(a2 > 0.0 && b2 > 0.0 && c2 > 0.0))
        return NAN;
    const double volume = sqrt(a2 * b2 * c2),
                 k[3] = {1.0 / sqrt(a2), 1.0 / sqrt(b2), 1.0 / sqrt(c2)};
    const ph_vec3 p = {k[0] * observer.x, k[1] * observer.y, k[2] * observer.z},
                  s = {k[0] * sun.x, k[1] * sun.y, k[2] * sun.z};
    const sums all =
        law == PH_LOMMEL_SEELIGER ? integrate_exactly(p, s) : integrate(k, p, s, by != NULL);
    if (by == NULL)
        return volume * all.value;
    /* A turn of the body moves a direction v in it by v x turn. */
    const ph_vec3 gp = all.by_p, gs = all.by_s,
                  turn = add(cross(vec3(k[0] * gp.x, k[1] * gp.y, k[2] * gp.z), observer),
                             cross(vec3(k[0] * gs.x, k[1] * gs.y, k[2] * gs.z), sun));
    by[0] = volume * turn.x, by[1] = volume * turn.y, by[2] = volume * turn.z;
    /* A change dS of A^2 is one of A^-1 by -1/2 A^-1 dS A^-2, up to a turn of u. */
    const double of_p[3] = {gp.x, gp.y, gp.z}, of_s[3] = {gs.x, gs.y, gs.z},
                 e[3] = {observer.x, observer.y, observer.z}, d[3] = {sun.x, sun.y, sun.z};
    double by_square[3][3], spread = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            by_square[i][j] = -0.5 * volume * k[i] * k[j] * k[j] *
                              (of_p[i] * e[j] + of_s[i] * d[j] + all.by_inverse[i][j]);
        by_square[i][i] += 0.5 * volume * all.value * k[i] * k[i];
        spread += by_square[i][i];
    }
    for (int i = 0; i < 3; i++) {
        by[3 + i] = 0.5 * spread - by_square[i][i];
        const int row = i < 2 ? 0 : 1, column = i == 0 ? 1 : 2;
        by[6 + i] = -by_square[row][column] - by_square[column][row];
    }
    return volume * all.value;
}
