/* renaming.h - the principal axes of one body, or of the bodies in the lanes of vectors,
 * renamed, so that formulas may count on an order of the moments. A renaming that is an odd
 * permutation would turn a right-handed frame into a left-handed one; the second axis is then
 * flipped, so that the renamed axes are a rotation of the principal ones. */
#pragma once

#include "motion/algebra.h"

/* Whether exchanges are to be done. For one body this is a branch that goes the same way in all steps of
 * a motion, so that nothing waits for exchanges; for many bodies they are always done. */
PART bool possible(vmask where)
{
#if defined SIMD_VECTORS || defined __OPENCL_VERSION__
    (void)where;
    return true;
#else
    return where;
#endif
}

PART void exchange_where(vmask where, vdouble *a, vdouble *b)
{
    const vdouble first = *a;
    *a = vselect(where, *b, *a);
    *b = vselect(where, first, *b);
}

/* First x and y, then y and z, x and y, x and z exchanged where it says so; and the signs
 * that x and y of the renamed axes have. */
typedef struct renaming {
    vmask xy1, yz, xy2, xz;
    vdouble sign_x, sign_y;
} renaming;

PART void exchange_axes(vmask where, vdouble *I, vdouble *I2, vdouble *m, vdouble *m2,
                        vdouble *flip)
{
    exchange_where(where, I, I2);
    exchange_where(where, m, m2);
    *flip = vselect(where, -*flip, *flip);
}

/* Moments ascending, m along with them; right-handed with y times sign_y, which is left
 * to the caller. */
PART renaming rename_ascending(vdouble3 *I, vdouble3 *m)
{
    renaming r;
    vdouble flip = vsplat(1.0);
#if !defined SIMD_VECTORS && !defined __OPENCL_VERSION__
    if (I->x <= I->y && I->y <= I->z) /* a branch, as possible() has */
        return (renaming){.sign_x = 1.0, .sign_y = 1.0};
#endif
    r.xy1 = I->x > I->y;
    exchange_axes(r.xy1, &I->x, &I->y, &m->x, &m->y, &flip);
    r.yz = I->y > I->z;
    exchange_axes(r.yz, &I->y, &I->z, &m->y, &m->z, &flip);
    r.xy2 = I->x > I->y;
    exchange_axes(r.xy2, &I->x, &I->y, &m->x, &m->y, &flip);
    r.xz = r.xy1 & vnot(r.xy1);
    r.sign_x = vsplat(1.0);
    r.sign_y = flip;
    return r;
}

/* With moments that ascend. */
PART renaming ascending(vdouble3 J)
{
    vdouble3 along = J;
    return rename_ascending(&J, &along);
}

/* Three numbers, one for each principal axis, in the order of the renamed ones. */
PART vdouble3 in_order(const renaming *r, vdouble3 v)
{
    if (possible(r->xy1 | r->yz | r->xy2)) {
        exchange_where(r->xy1, &v.x, &v.y);
        exchange_where(r->yz, &v.y, &v.z);
        exchange_where(r->xy2, &v.x, &v.y);
    }
    if (possible(r->xz))
        exchange_where(r->xz, &v.x, &v.z);
    return v;
}

/* A vector in the renamed axes. */
PART vdouble3 renamed(const renaming *r, vdouble3 v)
{
    const vdouble3 o = in_order(r, v);
    return vec3(r->sign_x * o.x, r->sign_y * o.y, o.z);
}

/* Three numbers, one for each renamed axis, in the order of the principal ones. */
PART vdouble3 in_order_back(const renaming *r, vdouble3 v)
{
    if (possible(r->xz))
        exchange_where(r->xz, &v.x, &v.z);
    if (possible(r->xy1 | r->yz | r->xy2)) {
        exchange_where(r->xy2, &v.x, &v.y);
        exchange_where(r->yz, &v.y, &v.z);
        exchange_where(r->xy1, &v.x, &v.y);
    }
    return v;
}

/* A vector in the principal axes from its components in the renamed ones. */
PART vdouble3 renamed_back(const renaming *r, vdouble3 v)
{
    return in_order_back(r, vec3(r->sign_x * v.x, r->sign_y * v.y, v.z));
}

/* Products of two components, each in the place of the third, in the principal axes. */
PART vdouble3 products_renamed_back(const renaming *r, vdouble3 v)
{
    return in_order_back(r, vec3(r->sign_y * v.x, r->sign_x * v.y, (r->sign_x * r->sign_y) * v.z));
}
