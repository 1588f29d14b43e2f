/* spin.c - the curve of m in the body, by elliptic functions, and the frequencies of the motion. */
#include "kinds/averaged/spin.h"

spin_body ph_spin_body(ph_vec3 J)
{
    const double moment[3] = {J.x, J.y, J.z};
    spin_body b = {.J = J, .axis = {0, 1, 2}};
    for (int i = 1; i < 3; i++) { /* insertion */
        for (int k = i; k > 0 && moment[b.axis[k]] < moment[b.axis[k - 1]]; k--) {
            const int other = b.axis[k];
            b.axis[k] = b.axis[k - 1];
            b.axis[k - 1] = other;
        }
    }
    for (int i = 0; i < 3; i++)
        b.I[i] = moment[b.axis[i]];
    b.range = (b.I[2] - b.I[0]) / (b.I[0] * b.I[2]);
    if (b.range == 0.0)
        b.divides = 1.0;
    else
        b.divides = (b.I[0] / b.I[1]) * ((b.I[2] - b.I[1]) / (b.I[2] - b.I[0]));
    return b;
}

/* ---- the polhode --------------------------------------------------------------------- */

/* The least 1 - k^2: the period is infinite on the separatrix. */
static const double PARAMETER_LEAST = 1e-24;

polhode_curve ph_spin_curve(const spin_body *b, const spin *s, bool above)
{
    polhode_curve c = {.about = 2, .third = 0, .side = s->side};
    double A2 = within_range(s->level, 0.0, b->divides);
    if (above) {
        c.about = 0;
        c.third = 2;
        A2 = 1.0 - within_range(s->level, b->divides, 1.0);
    }
    const double shape = ph_spin_room(b, above), C2 = 1.0 - A2;
    c.A = sqrt(A2);
    c.C = sqrt(C2);
    c.root_c = sqrt(shape);
    if (C2 > 0.0)
        c.parameter_c = within_range((shape - A2) / (shape * C2), PARAMETER_LEAST, 1.0);
    else
        c.parameter_c = 1.0;
    const double I1 = b->I[c.third], I2 = b->I[1], I3 = b->I[c.about],
                 growth = c.C * sqrt((I3 - I1) * (I3 - I2) / (I1 * I2)) / I3;
    c.period = 4.0 * ph_elliptic_k_c(c.parameter_c) / (growth * norm(s->H));
    return c;
}

ph_vec3 ph_spin_direction(const spin_body *b, const polhode_curve *c, ph_sncndn e)
{
    double x[3];
    x[b->axis[c->third]] = c->A * e.cn;
    x[b->axis[1]] = c->A * e.sn / c->root_c;
    x[b->axis[c->about]] = c->side * c->C * e.dn;
    return vec3(x[0], x[1], x[2]);
}

ph_vec3 ph_spin_momentum(const spin_body *b, const spin *s, const polhode_curve *c, double phase)
{
    const double length = norm(s->H);
    if (b->range == 0.0)
        return scale(length, s->direction);
    const ph_jacobi j = ph_jacobi_prepare_c(c->parameter_c);
    const ph_vec3 m = ph_spin_direction(b, c, ph_jacobi_at(&j, 4.0 * j.quarter * phase));
    return scale(length / norm(m), m);
}

double ph_spin_phase(const spin_body *b, const polhode_curve *c, ph_vec3 m)
{
    const double x[3] = {m.x, m.y, m.z};
    const double angle = ph_atan2(x[b->axis[1]] * c->root_c, x[b->axis[c->third]]);
    const double whole = ph_elliptic_k_c(c->parameter_c);
    if (b->range == 0.0)
        return 0.0;
    return ph_elliptic_f_inc(angle, 1.0 - c->parameter_c) / (4.0 * whole);
}

ph_quat ph_turn_to(ph_vec3 u, ph_vec3 h)
{
    ph_quat first = {1, 0, 0, 0};
    if (dot(u, h) < 0.0) { /* half a turn about an axis across u: u becomes -u */
        const ph_vec3 across = fabs(u.x) < 0.5 ? vec3(0, u.z, -u.y) : vec3(-u.z, 0, u.x);
        first = quat(0.0, scale(1.0 / norm(across), across));
        u = scale(-1.0, u);
    }
    return mul(of_unit_length(quat(1.0 + dot(u, h), cross(u, h))), first);
}

/* ---- frequencies ---------------------------------------------------------------------- */

frequencies ph_spin_frequencies(const spin_body *b, const spin *s, bool above)
{
    static const double ON_AXIS = 1e-12; /* the frequencies have a limit there */
    if (b->range == 0.0)
        return (frequencies){0.0, norm(s->H) / b->I[0]};
    spin off = *s;
    off.level = within_range(s->level, ON_AXIS, 1.0 - ON_AXIS);
    const polhode_curve c = ph_spin_curve(b, &off, above);
    const ph_body body = {.J = b->J, .axes = {1, 0, 0, 0}, .principal = true};
    const ph_state start = {{1, 0, 0, 0}, ph_spin_momentum(b, &off, &c, 0.0)};
    ph_motion motion;
    double precession = NAN;
    if (ph_motion_prepare(&motion, &body, &start) == PH_OK)
        precession = ph_motion_precession(&motion);
    return (frequencies){2.0 * PH_PI / c.period, precession};
}
