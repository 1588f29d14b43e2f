/* celledoni_forms.h - the free motion as Celledoni et al. print it: momentum by Jacobi
 * functions with a phase, attitude through a moving frame in four forms. */
#pragma once

#include "motion/motion.h"
#include "motion/units.h"
#include "motion/vec.h"

/* A motion over one step in the paper's units: |m| = 1, moments ascending and in units of
 * the middle one, axes renamed (and the second flipped) so that they ascend. */
typedef struct ph_celledoni {
    int order;            /* of the quadrature of the third kind; PH_ORDER_EXACT: none */
    renaming roles;       /* ascending moments */
    double length;        /* |m| */
    double I1, I3;        /* I2 = 1 */
    double D21, D32, D31; /* I2 - I1, I3 - I2, I3 - I1 */
    double a, b, c;       /* m' = (a m2 m3, b m3 m1, c m1 m2): CFSZ (15) */
    double tau;           /* scaled time of the step */
    double T2;            /* 2 T */
    double a1, a3;        /* a1^2 = 2 T I3 - 1, a3^2 = 1 - 2 T I1: CFSZ (4) */
    double excess;        /* 1 - 2 T I2 */
    bool about3;          /* case (b): m encircles axis 3; else (a): axis 1 */
    double sign;          /* of the component of m along the axis it encircles */
    double lambda, k2;    /* CFSZ (5), (6) */
    double kc2;           /* 1 - k^2 */
    ph_sncndn e0, e;      /* sn, cn, dn at both ends */
    double s0, s;         /* sines of the amplitudes phi0, phi at both ends, each counted from */
    double half_turns;    /* the nearest half turn: 0 at the start, so many pi at the end */
    ph_vec3 m0, m;        /* momentum at both ends */
} ph_celledoni;

/* The motion over a step, from the start s; false where the formulas are not defined. The
 * third-kind integral by Gauss quadrature of the given order, 6, 8 or 10; PH_ORDER_EXACT: exactly. */
bool ph_celledoni_prepare(ph_celledoni *c, const ph_state *s, ph_vec3 J, double h, int order);

/* The state after the turn over the step, in the motion's axes. */
ph_status ph_celledoni_finish(const ph_celledoni *c, ph_quat turn, ph_state *s);

/* The step of a flow by one form of the attitude,
 *     bool form(const ph_celledoni *c, ph_quat *turn)
 * which is false where it is not defined: then by `exact`. */
#define CELLEDONI_STEP(name, form)                                                                 \
    static ph_status name(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)                   \
    {                                                                                              \
        ph_celledoni c;                                                                            \
        ph_quat turn;                                                                              \
        if (!ordinary_units(s->m, J))                                                              \
            return STEP_IN_UNITS(flow, s, J, h);                                                   \
        if (!ph_celledoni_prepare(&c, s, J, h, flow->order) || !form(&c, &turn))                   \
            return ph_motion_step(s, J, h);                                                        \
        return ph_celledoni_finish(&c, turn, s);                                                   \
    }

/* The forms: in the frame of m and m' by three rotation matrices or three quaternions, then
 * Kosenko's quaternion and that of van Zon and Schofield. */
bool ph_celledoni_matrices(const ph_celledoni *c, ph_quat *turn);
bool ph_celledoni_quaternions(const ph_celledoni *c, ph_quat *turn);
bool ph_celledoni_kosenko(const ph_celledoni *c, ph_quat *turn);
bool ph_celledoni_zon(const ph_celledoni *c, ph_quat *turn);
