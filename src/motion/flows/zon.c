/* zon.c - the exact attitude by the quaternion of van Zon and Schofield: Euler's angles
 * about the axis 3.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU: 2.4 (c).
 *
 *   CFSZ (27)  q = p(0)^-1 y p(t),   y = ( cos(psi/2), sin(psi/2) e3 )
 *              v = m x e3/|m x e3|,  r = |m x e3| = sqrt(m1^2 + m2^2)
 *              p3^2 = (1+m3)/4 (1 - m2/r),  p0^2 = (1+m3)/2 - p3^2
 *              sign(p0 p3) = sign(m1)
 *              p1 = (p3 m1 + p0 m2)/(1+m3),  p2 = (p3 m2 - p0 m1)/(1+m3)       (23), (24)
 *              psi of section 2.4 (c): src/motion/celledoni.c
 *
 * Not defined, and handed over to `exact`: next to m = +-e3, where v is not; next to the
 * separatrix; for symmetric bodies; without momentum.
 *
 * A solution of Hamilton's equations, hence it keeps everything, to round-off.
 */
#include "motion/celledoni.h"

/* r and 1 + m3, below which v and p are undetermined to half the digits. */
static const double SMALLEST_R = 0x1p-13;

static double radius(ph_vec3 m)
{
    return sqrt(m.x * m.x + m.y * m.y);
}

static ph_quat frame(ph_vec3 m, double r)
{
    const double sum = m.z >= 0.0 ? 1.0 + m.z : r * r / (1.0 - m.z); /* 1 + m3 */
    const double less = m.y > 0.0 ? m.x * m.x / (r + m.y) : r - m.y; /* r - m2 */
    const double more = m.y < 0.0 ? m.x * m.x / (r - m.y) : r + m.y; /* r + m2 */
    const double p0 = sqrt(sum * more / (4.0 * r));
    const double p3 = copysign(sqrt(sum * less / (4.0 * r)), m.x);
    return (ph_quat){p0, (p3 * m.x + p0 * m.y) / sum, (p3 * m.y - p0 * m.x) / sum, p3};
}

static bool attitude(const ph_celledoni *c, ph_quat *turn)
{
    const double r0 = radius(c->m0), r1 = radius(c->m);
    if (r0 < SMALLEST_R || r1 < SMALLEST_R)
        return false;
    double n, factor;
    const double psi = ph_celledoni_angle_of_axis(c, &n, &factor);
    const ph_quat y = turn_about(vec3(0, 0, 1), 0.5 * psi);
    const ph_quat frames = mul(mul(inverse(frame(c->m0, r0)), y), frame(c->m, r1));
    const ph_vec3 v0 = {c->m0.y / r0, -c->m0.x / r0, 0},
                  v1 = {c->m.y / r1, -c->m.x / r1, 0};
    *turn = ph_celledoni_continuous(c, frames, v0, v1, psi, c->about3 ? 1 : 0);
    return true;
}

CELLEDONI_STEP(step, attitude)

const ph_flow ph_flow_zon = {
    .name = "zon",
    .title = "Exact free motion, quaternion of van Zon and Schofield",
    .cite = "CFSZ section 2.4, case (c)",
    .order = PH_EXACT,
    .keeps = PH_KEEPS_ALL,
    .step = step,
};
