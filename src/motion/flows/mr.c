/* mr.c - splitting into three rotations about the principal axes.
 *
 * McLachlan 1993, Reich 1994, Touma and Wisdom 1994; "McL2" of
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.3.
 *
 *   H = R1 + R2 + R3,  Rj = mj^2/(2 Ij);  the flow of Rj over h turns the body about
 *   its axis j by the angle h mj/Ij and leaves mj alone
 *   step = R1(h/2) R2(h/2) R3(h) R2(h/2) R1(h/2)
 *
 * Vilmart 2013 prints R3 R2 R1 R2 R1, which is not consistent; with the last factor R3 it
 * is this method with the axes in another order, and another method.
 *
 * A symmetric composition of flows of Hamiltonians: symmetric, symplectic, Poisson; each
 * turn keeps the momentum in space.
 */
#include "motion/bodies.h"
#include "motion/units.h"

typedef struct mr_bodies {
    bodies s;
    outcome out;
    vdouble3 j, m; /* 1/J, and the momentum between the turns */
    vdouble4 turn; /* so far */
    vdouble sine, cosine;
} mr_bodies;

/* The next turn: sine and cosine of half its angle, h fraction m/J about its axis. */
PART void half_turn(mr_bodies *w, bool little, double fraction, vdouble m, vdouble j)
{
    vsincos_little(little, vsplat(0.5 * fraction) * w->s.h * (m * j), &w->sine, &w->cosine);
}

/* What the turn does to the two other components of m, b and c in right-handed order. */
PART void turn_momentum(const mr_bodies *w, vdouble *b, vdouble *c)
{
    const vdouble C = 1.0 - (2.0 * w->sine) * w->sine, S = 2.0 * w->sine * w->cosine, before = *b;
    *b = C * *b + S * *c;
    *c = C * *c - S * before;
}

/* The turn of the quaternion, whose component along the axis is a: (w + a) (cosine + sine). */
PART void turn_attitude(mr_bodies *s, vdouble *a, vdouble *b, vdouble *c)
{
    const vdouble sine = s->sine, cosine = s->cosine, w0 = s->turn.w, b0 = *b;
    s->turn.w = w0 * cosine - *a * sine;
    *a = w0 * sine + *a * cosine;
    *b = *c * sine + b0 * cosine;
    *c = *c * cosine - b0 * sine;
}

PART void turn_x(mr_bodies *w)
{
    turn_momentum(w, &w->m.y, &w->m.z);
    turn_attitude(w, &w->turn.x, &w->turn.y, &w->turn.z);
}

PART void turn_y(mr_bodies *w)
{
    turn_momentum(w, &w->m.z, &w->m.x);
    turn_attitude(w, &w->turn.y, &w->turn.z, &w->turn.x);
}

PART void turn_z(mr_bodies *w)
{
    turn_momentum(w, &w->m.x, &w->m.y);
    turn_attitude(w, &w->turn.z, &w->turn.x, &w->turn.y);
}

PART void mr_begin(mr_bodies *w, bool little)
{
    w->m = w->s.m;
    half_turn(w, little, 0.5, w->m.x, w->j.x);
}

/* The first turn and the second, whose product is simple. */
PART void begin_turns(mr_bodies *w, bool little)
{
    const vdouble c = w->cosine, s = w->sine;
    turn_momentum(w, &w->m.y, &w->m.z);
    half_turn(w, little, 0.5, w->m.y, w->j.y);
    w->turn = (vdouble4){c * w->cosine, s * w->cosine, c * w->sine, s * w->sine};
    turn_momentum(w, &w->m.z, &w->m.x);
}

PART void mr_turns(mr_bodies w[VECTORS], bool little)
{
    BOTH(mr_begin(&w[k], little));
    BOTH(begin_turns(&w[k], little));
    BOTH(half_turn(&w[k], little, 1.0, w[k].m.z, w[k].j.z));
    BOTH(turn_z(&w[k]));
    BOTH(half_turn(&w[k], little, 0.5, w[k].m.y, w[k].j.y));
    BOTH(turn_y(&w[k]));
    BOTH(half_turn(&w[k], little, 0.5, w[k].m.x, w[k].j.x));
    BOTH(turn_x(&w[k]));
    BOTH(w[k].out = turned_by(&w[k].s, w[k].turn, sincos_can_all(&w[k].s)));
}

PART void mr_move(mr_bodies w[VECTORS], const ph_flow *flow)
{
    (void)flow;
    BOTH(w[k].j = inverses_of(w[k].s.J));
    if (both_turn_little(&w[0].s, &w[VECTORS - 1].s))
        mr_turns(w, true);
    else
        mr_turns(w, false);
}

FLOW_KERNEL(mr, mr_bodies, mr_move)

#ifndef SIMD_VECTORS
static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (!ordinary_units(s->m, J))
        return STEP_IN_UNITS(flow, s, J, h);
    return moved(flow, s, J, h) ? PH_OK : PH_NOT_FINITE;
}

#ifndef __OPENCL_VERSION__
const ph_flow ph_flow_mr = {
    .name = "mr",
    .title = "Splitting into three rotations",
    .cite = "CFSZ section 3.3",
    .order = 2,
    .keeps = PH_MOMENTUM | PH_CASIMIR | PH_SYMMETRIC | PH_POISSON | PH_SYMPLECTIC,
    .step = step,
};
#endif
#endif
