/* dmv_exact.c - discrete Moser-Veselov with the exact modified moments: exact motion.
 *
 * HV  Hairer, Vilmart, J. Phys. A 39 (2006), Theorem 2.1.
 *
 * With all the terms of the series (6) DMV is exact. The series has a sum, and it is
 * constant on the orbit. Take the step symmetric about the turning point y = (A, 0, C),
 * A^2 = m1^2 + c1 m2^2, C^2 = m3^2 + c2 m2^2; with q and y half a step later, started
 * there from q = 1, the Moser-Veselov equation is linear in the moments:
 *
 *   rho0 = q0^2 + q2^2 - q1^2 - q3^2,  rho1 = 2 (q0 q1 - q2 q3)
 *   rho3 = 2 (q0 q3 + q1 q2)
 *   1/I~1 = 2 rho0 rho1/(h y1),   1/I~3 = 2 rho0 rho3/(h y3)
 *   s = rho0^2 sn(w)/(w cn(w) dn(w)),  w = |lambda| h/2;   1/I~ = s/I + d
 *
 * d follows from axis 1 or 3, whichever m is farther from leaving; nothing is then 0/0
 * but sn(w)/w. lambda and the parameter are those of docs/exact.md. The equation is then
 * solved as in dmv; steps that turn by more than 1.2 rad are divided as there, up to
 * LONGEST.
 *
 * A solution of Hamilton's equations to round-off, hence it keeps everything.
 */
#include "base/extremes.h"
#include "motion/moser_veselov.h"
#include "motion/motion.h"

/* A step so small that the moments are modified, by the square of its angle, less than a
 * double can show; and what d would be the difference of has too few digits. */
#define UNMODIFIED 0x1p-27

/* The ratio of moments below which d, a difference of quantities of the order 1/I1, has
 * lost half the digits of 1/I3, and `exact` takes over. */
#define BREAKDOWN 0x1p-26

/* The angle of a step above which `exact` takes over, too. Of a start next to the unstable
 * axis, as near to it as a double can be, the motion comes by there again after 70 radians
 * or more, and what a step after another has lost of the distance to it is the next
 * way out. */
#define LONGEST 32.0

/* sn(w)/(w cn(w) dn(w)) for the orbit with squared amplitudes A2, C2. */
static double elliptic_quotient(ph_vec3 j, double c1, double c2, double A2, double C2, double h)
{
    const double D = j.x - j.z, from3 = c1 * C2, from1 = c2 * A2;
    const double larger = larger_or_nan(from3, from1), kc2 = fabs(from3 - from1) / larger;
    const double w = 0.5 * h * D * sqrt(larger); /* C sqrt((j1-j3)(j2-j3)), or A and j1-j2 */
    if (w == 0.0)
        return 1.0;
    const ph_sncndn e = ph_jacobi_sncndn_c(w, kc2);
    return e.sn / (w * e.cn * e.dn);
}

static bool planner(const ph_flow *flow, const scaled *z, double h, ph_dmv_plan *plan)
{
    (void)flow;
    const ph_vec3 j = z->j, m = z->m;
    const double D = j.x - j.z;
    if (fabs(h) * j.x < UNMODIFIED) {
        *plan = (ph_dmv_plan){.I = z->I, .h = h};
        return true;
    }
    const double c1 = quotient_or(1.0 - j.z, D, 1.0), c2 = quotient_or(j.x - 1.0, D, 0.0);
    const double A2 = m.x * m.x + c1 * m.y * m.y, C2 = m.z * m.z + c2 * m.y * m.y;
    ph_state half = {{1, 0, 0, 0}, {sqrt(A2), 0, sqrt(C2)}};
    if (ph_motion_step(&half, z->I, 0.5 * h) != PH_OK)
        return false;
    const ph_quat q = half.q;
    const double rho0 = q.w * q.w + q.y * q.y - q.x * q.x - q.z * q.z;
    const double s = rho0 * rho0 * elliptic_quotient(j, c1, c2, A2, C2, h);
    double d;
    if (A2 > C2)
        d = 4.0 * rho0 * (q.w * q.x - q.y * q.z) / (h * half.m.x) - s * j.x;
    else
        d = 4.0 * rho0 * (q.w * q.z + q.x * q.y) / (h * half.m.z) - s * j.z;
    const ph_vec3 I = {1.0 / (s * j.x + d), 1.0 / (s * j.y + d), 1.0 / (s * j.z + d)};
    plan->I = I;
    plan->h = h;
    return I.x > 0.0 && I.y > 0.0 && I.z > 0.0;
}

static ph_status divided_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    TAKE_DMV_STEPS(flow, s, J, h, planner, 1.2);
}

static ph_status step_dmv_exact(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    const double smallest = smaller_or_nan(J.x, smaller_or_nan(J.y, J.z));
    if (smallest <= BREAKDOWN * norm_max(J) || !(fabs(h) * (norm_max(s->m) / smallest) <= LONGEST))
        return ph_motion_step(s, J, h);
    return divided_step(flow, s, J, h);
}

const ph_flow ph_flow_dmv_exact = {
    .name = "dmv_exact",
    .title = "Discrete Moser-Veselov with the exact modified moments",
    .cite = "HV Theorem 2.1",
    .order = PH_ORDER_EXACT,
    .keeps = PH_KEEPS_ALL,
    .step = step_dmv_exact,
};
