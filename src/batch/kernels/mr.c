/* mr.c - the flow `mr` for many bodies; the method is stated in src/flows/mr.c. */
#include "batch/lanes.h"
#include "core/simd_sincos.h"

typedef struct splitting {
    bodies s;
    vdouble3 j, m; /* 1/J, and the momentum between the turns */
    vdouble4 turn; /* so far */
    vdouble sine, cosine;
} splitting;

/* The next turn: sine and cosine of half its angle, h fraction m/J about its axis. */
static inline void half_turn(splitting *w, double fraction, vdouble m, vdouble j)
{
    simd_sincos((0.5 * fraction) * w->s.h * (m * j), &w->sine, &w->cosine);
}

/* What the turn does to the two other components of m, b and c in right-handed order. */
static inline void turn_momentum(const splitting *w, vdouble *b, vdouble *c)
{
    const vdouble C = 1.0 - (2.0 * w->sine) * w->sine, S = 2.0 * w->sine * w->cosine,
                  before = *b;
    *b = C * *b + S * *c;
    *c = C * *c - S * before;
}

/* The turn of the quaternion, whose component along the axis is a: (w + a) (cosine + sine). */
static inline void turn_attitude(splitting *s, vdouble *a, vdouble *b, vdouble *c)
{
    const vdouble sine = s->sine, cosine = s->cosine, w0 = s->turn.w, b0 = *b;
    s->turn.w = w0 * cosine - *a * sine;
    *a = w0 * sine + *a * cosine;
    *b = *c * sine + b0 * cosine;
    *c = *c * cosine - b0 * sine;
}

static inline void turn_x(splitting *w)
{
    turn_momentum(w, &w->m.y, &w->m.z);
    turn_attitude(w, &w->turn.x, &w->turn.y, &w->turn.z);
}

static inline void turn_y(splitting *w)
{
    turn_momentum(w, &w->m.z, &w->m.x);
    turn_attitude(w, &w->turn.y, &w->turn.z, &w->turn.x);
}

static inline void turn_z(splitting *w)
{
    turn_momentum(w, &w->m.x, &w->m.y);
    turn_attitude(w, &w->turn.z, &w->turn.x, &w->turn.y);
}

static inline void begin(splitting *w)
{
    w->j = (vdouble3){1.0 / w->s.J.x, 1.0 / w->s.J.y, 1.0 / w->s.J.z};
    w->m = w->s.m;
    half_turn(w, 0.5, w->m.x, w->j.x);
}

/* The first turn and the second, whose product is simple. */
static inline void begin_turns(splitting *w)
{
    const vdouble c = w->cosine, s = w->sine;
    turn_momentum(w, &w->m.y, &w->m.z);
    half_turn(w, 0.5, w->m.y, w->j.y);
    w->turn = (vdouble4){c * w->cosine, s * w->cosine, c * w->sine, s * w->sine};
    turn_momentum(w, &w->m.z, &w->m.x);
}

batch_kernel KERNEL(batch_mr);

void KERNEL(batch_mr)(const ph_flow *flow, const ph_batch *b, const double *h,
                      bool h_each, unsigned char *not_done)
{
    (void)flow;
    for (size_t i = 0; i < b->n; i += TOGETHER) {
        splitting w[2];
        BOTH(w[k].s = load_bodies(b, i + at, h, h_each));
        BOTH(begin(&w[k]));
        BOTH(begin_turns(&w[k]));
        BOTH(half_turn(&w[k], 1.0, w[k].m.z, w[k].j.z));
        BOTH(turn_z(&w[k]));
        BOTH(half_turn(&w[k], 0.5, w[k].m.y, w[k].j.y));
        BOTH(turn_y(&w[k]));
        BOTH(half_turn(&w[k], 0.5, w[k].m.x, w[k].j.x));
        BOTH(turn_x(&w[k]));
        BOTH(store_turned_by(b, i + at, &w[k].s, w[k].turn, turns_little(&w[k].s),
                             not_done));
    }
}
