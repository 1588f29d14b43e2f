/* spacecraft.h - the orbit and the torque of src/integrators/problems/spacecraft.c, where the equations
 * are, for one body or in the lanes of vectors (base/simd.h). */
#pragma once

#include "base/elementary.h"
#include "base/simd_sincos.h"
#include "polhode/polhode.h"
#include "rotation/algebra.h"

/* Where the parameters are. */
enum {
    MU,
    SEMI_MAJOR_AXIS,
    ECCENTRICITY,
    INCLINATION,
    NODE,
    PERIGEE,
    ANOMALY,
    GRAVITY_GRADIENT,
    DIPOLE,
    EARTH_DIPOLE = DIPOLE + 3,
    TORQUE = EARTH_DIPOLE + 3,
    TORQUE_SPACE = TORQUE + 3,
    DAMPING = TORQUE_SPACE + 3,
    WHEELS,
    /* follow from these, by prepare() */
    MEAN_MOTION = WHEELS + 3,
    P_AXIS,
    Q_AXIS = P_AXIS + 3,
    VALUES = Q_AXIS + 3
};

enum { WHEELS_TABLE, TORQUE_TABLE };

static inline double mean_anomaly(const ph_problem *p, double t)
{
    return p->value[ANOMALY] + p->value[MEAN_MOTION] * t;
}

/* An angle without its whole turns. */
static inline double within_a_turn(double angle)
{
    return fabs(angle) < PH_PI ? angle : remainder(angle, 2.0 * PH_PI);
}

PART vdouble3 parameter(const ph_problem *p, int first)
{
    const double *x = p->value + first;
    return vec3(vsplat(x[0]), vsplat(x[1]), vsplat(x[2]));
}

/* Solves E - e sin E = M for 0 <= M <= pi: from above, where Newton's iteration descends,
 * as the function is convex. A lane that is done stays where it is. */
PART vdouble eccentric_anomaly(vdouble M, double e)
{
    enum { MOST = 60 };
    const vdouble above = M + e;
    vdouble E = vselect(above > PH_PI, vsplat(PH_PI), above), sine, cosine;
    for (int i = 0; i < MOST; i++) {
        vsincos(E, &sine, &cosine);
        const vdouble change = (E - e * sine - M) / (1.0 - e * cosine);
        const vmask descends = change > 0.0;
        if (!vany(descends))
            break;
        E = vselect(descends, E - change, E);
    }
    return E;
}

typedef struct place {
    vdouble cosine, sine; /* of E */
    vdouble r;
    vdouble3 u; /* in space */
} place;

/* Of a mean anomaly M, |M| <= pi. */
PART place place_of(const ph_problem *p, vdouble M)
{
    const double e = p->value[ECCENTRICITY], a = p->value[SEMI_MAJOR_AXIS];
    const vdouble E = vcopysign(eccentric_anomaly(vabs(M), e), M);
    place at;
    vsincos(E, &at.sine, &at.cosine);
    at.r = a * (1.0 - e * at.cosine);
    const vdouble x = a * (at.cosine - e) / at.r,
                  y = a * sqrt((1.0 - e) * (1.0 + e)) * at.sine / at.r;
    at.u = add(scale(x, parameter(p, P_AXIS)), scale(y, parameter(p, Q_AXIS)));
    return at;
}

/* R^T v, from the columns of R. */
PART vdouble3 into_body(const vdouble3 *column, vdouble3 v)
{
    return vec3(dot(column[0], v), dot(column[1], v), dot(column[2], v));
}

/* J v, as ph_body_momentum() has it. */
PART vdouble3 inertia_times(const ph_body *b, vdouble3 v)
{
    const vdouble3 J = vec3(vsplat(b->J.x), vsplat(b->J.y), vsplat(b->J.z));
    if (b->principal)
        return times(J, v);
    const vdouble4 axes = {vsplat(b->axes.w), vsplat(b->axes.x), vsplat(b->axes.y),
                           vsplat(b->axes.z)};
    return rotate(axes, times(J, rotate(inverse(axes), v)));
}

/* What is needed of an instant: u and B in the body, and 3 mu/r^3. */
typedef struct field {
    vdouble gradient;
    vdouble3 u, B;
} field;

PART field field_of(const ph_problem *p, const place *at, const vdouble3 *column)
{
    const double mu0_over_4pi = 1e-7; /* N/A^2 */
    const vdouble r3 = at->r * at->r * at->r;
    const vdouble3 D = parameter(p, EARTH_DIPOLE),
                   B = scale(mu0_over_4pi / r3,
                             sub(scale(3.0 * dot(D, at->u), at->u), D));
    field f;
    f.gradient = p->value[GRAVITY_GRADIENT] * 3.0 * p->value[MU] / r3;
    f.u = into_body(column, at->u);
    f.B = into_body(column, B);
    return f;
}

/* The torque without that of damping; `commanded` is that of the table. */
PART vdouble3 torque_of(const ph_problem *p, const field *f, const vdouble3 *column,
                        vdouble3 commanded)
{
    vdouble3 sum = scale(f->gradient, cross(f->u, inertia_times(&p->body, f->u)));
    sum = add(sum, cross(parameter(p, DIPOLE), f->B));
    sum = add(sum, parameter(p, TORQUE));
    sum = add(sum, into_body(column, parameter(p, TORQUE_SPACE)));
    return add(sum, commanded);
}
