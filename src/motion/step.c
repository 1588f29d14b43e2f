/* step.c - the exact motion over one step: by addition and doubling (addition.h) where
 * that is accurate, and else by the uniform solution (motion.c). */
#define SIMD_SCALAR
#include "motion/addition.h"

#include "core/roles.h"
#include "motion/motion.h"
#include "motion/ordinary_units.h"

/* Which axes play a, b, c for moments and momentum, and the signs that make the roles
 * right-handed and y_a positive. */
typedef struct parts {
    int a, b, c;
    double sign_a, sign_b;
} parts;

static inline parts prepare(addition_step *f, ph_vec3 J, ph_vec3 m, double h)
{
    const axis_roles r = ascending(J);
    const ph_vec3 I = ordered(r, J), M = ordered(r, m), j = over(vec3(1, 1, 1), I);
    const double D12 = (I.y - I.x) * (j.x * j.y), D13 = (I.z - I.x) * (j.x * j.z),
                 D23 = (I.z - I.y) * (j.y * j.z);
    const double y2 = M.y * M.y, E1 = D12 * y2 + D13 * (M.z * M.z),
                 E3 = D13 * (M.x * M.x) + D23 * y2;
    const bool about1 = D12 * E3 >= D23 * E1;
    const double Ma = about1 ? M.x : M.z, Mc = about1 ? M.z : M.x,
                 sign = Ma < 0.0 ? -1.0 : 1.0;
    const parts p = {about1 ? r.axis[0] : r.axis[2], r.axis[1],
                     about1 ? r.axis[2] : r.axis[0], sign,
                     about1 ? sign * r.flip : -(sign * r.flip)};
    f->Da = about1 ? D12 : D23;
    f->Dc = about1 ? D23 : D12;
    f->D = D13;
    f->ja = about1 ? j.x : j.z;
    f->jc = about1 ? j.z : j.x;
    f->ya = sign * Ma;
    f->yb = p.sign_b * M.y;
    f->yc = Mc;
    f->h = h;
    f->sigma_h = about1 ? h : -h;
    return p;
}

/* The one of three components in role axes that belongs to a principal axis. */
static inline double on_axis(parts p, int axis, double a, double b, double c)
{
    return p.a == axis ? a : p.b == axis ? b : c;
}

/* A vector in the principal axes from its components in role axes. */
static inline ph_vec3 from_parts(parts p, double a, double b, double c)
{
    a *= p.sign_a;
    b *= p.sign_b;
    return vec3(on_axis(p, 0, a, b, c), on_axis(p, 1, a, b, c), on_axis(p, 2, a, b, c));
}

ph_status ph_motion_step(ph_state *s, ph_vec3 J, double h)
{
    addition a;
    if (!ordinary_units(s->m, J))
        return ph_motion_step_uniform(s, J, h);
    const parts p = prepare(&a.f, J, s->m, h);
    addition_begin(&a, norm(s->m));
    for (int i = 0; a.n > i; i++)
        addition_double(&a, i);
    addition_carry(&a, ph_sincos);
    const addition_turn t = addition_finish(&a);
    const ph_vec3 v = from_parts(p, t.ra, t.rb, t.rc);
    const ph_quat q = of_unit_length(mul(s->q, quat(t.r0, v)));
    if (!t.good || !isfinite((q.w + q.x) + (q.y + q.z))) /* none is above 1 */
        return ph_motion_step_uniform(s, J, h);
    *s = (ph_state){q, from_parts(p, t.ya, t.yb, t.yc)};
    return PH_OK;
}
