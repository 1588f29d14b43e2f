/* celledoni.h - the free motion as Celledoni et al. print it: momentum by Jacobi
 * functions with a phase, attitude through a moving frame. What their four forms of the
 * attitude share, and the two forms that also come with the angle by quadrature. */
#pragma once

#include "polhode/polhode.h"
#include "rotation/roles.h"
#include "rotation/vec.h"

/* A motion over one step in the paper's units: |m| = 1, moments ascending and in units of
 * the middle one, axes renamed (and the second flipped) so that they ascend. */
typedef struct ph_celledoni {
    int order;            /* of the quadrature of the third kind; PH_EXACT: none */
    axis_roles roles;     /* ascending moments */
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
    double s0, s; /* sines of the amplitudes phi0, phi at both ends, each counted from */
    double half_turns; /* the nearest half turn: 0 at the start, so many pi at the end */
    ph_vec3 m0, m;     /* momentum at both ends */
} ph_celledoni;

/* One form of the attitude: the turn over the step, in the motion's axes. False where the
 * form is not defined. */
typedef bool ph_celledoni_form(const ph_celledoni *c, ph_quat *turn);

/* The step of a form, by `exact` where the form is not defined. The third-kind integral by
 * Gauss quadrature of the flow's order, 6, 8 or 10; PH_EXACT: exactly. */
ph_status ph_celledoni_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h,
                            ph_celledoni_form *form);

/* The same with the third-kind integral by quadrature, which there is for many bodies too:
 * by src/motion/gauss.h for all but a few. */
ph_status ph_gauss_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h,
                        ph_celledoni_form *form);

/* The step of a descriptor from its form, by one of these two. */
#define PH_CELLEDONI_FLOW(form) CELLEDONI_STEP(ph_celledoni_step, form)
#define PH_GAUSS_FLOW(form)     CELLEDONI_STEP(ph_gauss_step, form)
#define CELLEDONI_STEP(step_of, form)                                                    \
    static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)         \
    {                                                                                    \
        return step_of(flow, s, J, h, form);                                             \
    }

/* The forms in the frame of m and m': three rotation matrices, and three quaternions. */
bool ph_celledoni_matrices(const ph_celledoni *c, ph_quat *turn);
bool ph_celledoni_quaternions(const ph_celledoni *c, ph_quat *turn);

/* The angle from x0 + i y0 to x + i y, both with x >= 0. */
double ph_celledoni_between(double x0, double y0, double x, double y);

/* The angle psi of frames that take m to e3 and m x e3 to e1, and the two constants of it
 * that Kosenko's angle shares: the characteristic n, and the factor of the integral. */
double ph_celledoni_angle_of_axis(const ph_celledoni *c, double *n, double *factor);

/* A turn p(0)^-1 y(psi) p(t) for frames p that take m to e3 and v to e1, v0 and v1 at
 * the two ends, with the sign that is continuous in time. `winding` says how often v
 * turns about m while m encircles its axis once: 1, or 0. */
ph_quat ph_celledoni_continuous(const ph_celledoni *c, ph_quat turn, ph_vec3 v0,
                                ph_vec3 v1, double psi, int winding);
