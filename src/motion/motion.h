/* motion.h - the exact free motion for flows: over one step, or the momentum alone. */
#pragma once

#include "motion/renaming.h"
#include "polhode/body.h"

/* What a motion is; SPINNING about m is a stationary rotation. */
enum motion_kind { AT_REST, SPINNING, TURNING };

/* What a ph_motion holds: a body with its orbit. docs/exact.md derives it. */
typedef struct free_motion {
    ph_body body;
    ph_state start;           /* in the principal frame, the attitude of unit length */
    int kind;                 /* at rest, spinning about m, or turning */
    renaming roles;           /* axis 3 is the one that m encircles, 2 the middle one */
    double length, m_unit;    /* |m| = length m_unit, a power of two */
    double rate;              /* |m| / I2, I2 the middle moment: the unit of frequency; */
                              /* of a stationary rotation its frequency */
    int time_unit;            /* exponent of two that rate is still to be scaled by */
    ph_vec3 x;                /* m/|m| at the start, in role axes */
    double j1, j3;            /* I2/I1 and I2/I3 */
    double c1, c2, rc1;       /* shape of the ellipsoid, and sqrt(c1) */
    double A2, C2, C;         /* squared amplitudes about axes 1 and 3, and sqrt(C2) */
    double sign;              /* of x.z */
    double lambda;            /* growth of the elliptic argument, in units of rate */
    double kc, kc2;           /* complementary modulus of the elliptic functions, and its */
                              /* square */
    double characteristic;    /* r, minus the characteristic of the third-kind integral */
    double integral_factor;   /* what turns that integral into an angle */
    double half_period_angle; /* that angle over half a period */
    ph_jacobi jacobi;         /* sn, cn, dn of this orbit */
} free_motion;

_Static_assert(sizeof(free_motion) <= sizeof(ph_motion), "PH_MOTION_DOUBLES is too small");

/* The state a time h later, exactly; state and moments in the principal frame, the
 * moments valid. s is untouched unless PH_OK. */
ph_status ph_motion_step(ph_state *s, ph_vec3 J, double h);

/* The state a time h later without the fast formulas of addition.h: by those of motion.c
 * alone, which are right for every body. */
ph_status ph_motion_step_uniform(ph_state *s, ph_vec3 J, double h);

/* The orbit of the momentum through a state; state and moments in the principal frame,
 * the moments valid. */
void ph_motion_orbit(free_motion *f, ph_vec3 J, ph_state start);

/* The momentum a time t after the start, in the principal frame; not finite where the
 * angle turned through overflows. */
ph_vec3 ph_motion_momentum(const free_motion *f, double t);
