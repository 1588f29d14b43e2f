/* kosenko.c - the exact attitude by Kosenko's quaternion: the smallest turn that takes m
 * to e3.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU: 2.4 (a).
 *
 *   CFSZ (27)  q = p(0)^-1 y p(t),   y = ( cos(psi/2), sin(psi/2) e3 )
 *              p = ( p0, m2/(2 p0), -m1/(2 p0), 0 ),  p0 = sqrt((1+m3)/2)      (22)-(24)
 *   CFSZ (38)  psi = the angle of section 2.4 (c) less the same factor times mu (F - F0);
 *              mu, n and that factor: src/motion/celledoni.c
 *     momentum case (a), m3 = mu cn u:    F = atan( sqrt(k^2-n) sn/dn )/sqrt(k^2-n)
 *     momentum case (b), m3 = s mu dn u:  F = s atan( sqrt(1-n) tan phi )/sqrt(1-n),
 *                                         continued beyond quarter turns
 *   Corrected: the paper prints (38) for (a) and says that (b) differs in xi2 alone.
 *
 * Not defined, and handed over to `exact`: next to m = -e3, where p vanishes; next to an
 * axis or the separatrix; for symmetric bodies; without momentum.
 *
 * A solution of Hamilton's equations, hence it keeps everything, to round-off.
 */
#include "motion/celledoni.h"

/* sqrt((1 + m3)/2), below which the turn to e3 is undetermined to half the digits. */
static const double SMALLEST_P0 = 0x1p-13;

static double p0_of(ph_vec3 m)
{
    const double sum = m.z >= 0.0 ? 1.0 + m.z : (m.x * m.x + m.y * m.y) / (1.0 - m.z);
    return sqrt(0.5 * sum);
}

static ph_quat frame(ph_vec3 m, double p0)
{
    return (ph_quat){p0, m.y / (2.0 * p0), -m.x / (2.0 * p0), 0};
}

static bool attitude(const ph_celledoni *c, ph_quat *turn)
{
    const double p0 = p0_of(c->m0), p1 = p0_of(c->m);
    if (p0 < SMALLEST_P0 || p1 < SMALLEST_P0)
        return false;
    double n, factor, F;
    const double angle = ph_celledoni_angle_of_axis(c, &n, &factor);
    const double mu = c->a3 * sqrt(c->I3 / c->D31);
    if (c->about3) {
        const double r = sqrt(1.0 - n);
        F = c->sign / r *
            (ph_celledoni_between(fabs(c->e0.cn), r * c->s0, fabs(c->e.cn), r * c->s) +
             PH_PI * c->half_turns);
    } else {
        const double r = sqrt(c->k2 - n);
        F = ph_celledoni_between(c->e0.dn, r * c->e0.sn, c->e.dn, r * c->e.sn) / r;
    }
    const double psi = angle - factor * mu * F;
    const ph_quat y = turn_about(vec3(0, 0, 1), 0.5 * psi);
    *turn = mul(mul(inverse(frame(c->m0, p0)), y), frame(c->m, p1));
    return true;
}

CELLEDONI_STEP(step, attitude)

const ph_flow ph_flow_kosenko = {
    .name = "kosenko",
    .title = "Exact free motion, Kosenko's quaternion",
    .cite = "CFSZ (38)",
    .order = PH_EXACT,
    .keeps = PH_KEEPS_ALL,
    .step = step,
};
