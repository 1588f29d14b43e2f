/* dmv.c - the flows `dmv2` to `dmv10` for many bodies; src/flows/dmv.c and
 * src/motion/moser_veselov.h state the method.
 *
 * One Moser-Veselov step each, for bodies that cannot turn by more than the flow allows;
 * the others, whose steps are divided, are left. Newton begins where one fixed-point
 * iteration leads, and a body stands still when it has converged, so that its bits do not
 * depend on its neighbours.
 */
#include "batch/lanes.h"
#include "motion/dmv_moments.h"

enum { ITERATIONS = 8 };
#define CLOSE 1e-9 /* as in newton.h: the update after which the root is exact */

/* The inverses of the modified moments. */
static inline lanes3 modified(int order, lanes3 j, lanes3 y, lanes h)
{
    const lanes p1 = j.x + j.y + j.z, unit = 1.0 / p1, h2 = h * h * p1;
    const lanes3 a = scale(unit, j);
    const lanes H = 0.5 * h2 *
                    madd(j.x * y.x, y.x, madd(j.y * y.y, y.y, j.z * y.z * y.z)),
                C = 0.5 * (h2 * p1) * dot(y, y);
    const dmv_moments c = dmv_moments_of(
        order, H, C, madd(a.x, a.y, madd(a.y, a.z, a.z * a.x)), a.x * a.y * a.z);
    const lanes d = c.d * p1;
    return (lanes3){madd(c.s, j.x, d), madd(c.s, j.y, d), madd(c.s, j.z, d)};
}

static inline lanes largest(lanes3 v)
{
    return larger(magnitude(v.x), larger(magnitude(v.y), magnitude(v.z)));
}

/* One Newton update of e for F(e) = I e + e x I e - (1 + |e|^2) (h/2) y. */
static inline lanes3 update(lanes3 I, lanes3 hy, lanes3 e)
{
    const lanes3 Ie = {I.x * e.x, I.y * e.y, I.z * e.z}, c = cross(e, Ie);
    const lanes f = 0.5 * (1.0 + dot(e, e));
    const lanes3 F = {nmadd(f, hy.x, Ie.x + c.x), nmadd(f, hy.y, Ie.y + c.y),
                      nmadd(f, hy.z, Ie.z + c.z)};
    /* rows of dF = I - hat(I e) + hat(e) I - h y e^T */
    const lanes3 r0 = {nmadd(hy.x, e.x, I.x), nmadd(hy.x, e.y, nmadd(e.z, I.y, Ie.z)),
                       nmadd(hy.x, e.z, madd(e.y, I.z, -Ie.y))};
    const lanes3 r1 = {nmadd(hy.y, e.x, madd(e.z, I.x, -Ie.z)), nmadd(hy.y, e.y, I.y),
                       nmadd(hy.y, e.z, nmadd(e.x, I.z, Ie.x))};
    const lanes3 r2 = {nmadd(hy.z, e.x, nmadd(e.y, I.x, Ie.y)),
                       nmadd(hy.z, e.y, madd(e.x, I.y, -Ie.x)), nmadd(hy.z, e.z, I.z)};
    const lanes3 c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    return scale(1.0 / dot(r0, c0),
                 add(scale(F.x, c0), add(scale(F.y, c1), scale(F.z, c2))));
}

typedef struct moser_veselov {
    bodies s;
    lanes3 over, I; /* inverses of the modified moments, and these */
    lanes3 hy, e;   /* h y, and the unknown */
    lanes start;    /* the size of the first guess */
    lanes angle;    /* that the body can turn by at most */
    choice active, done;
} moser_veselov;

/* The equation, and where Newton begins. */
static inline void begin(moser_veselov *w, int order)
{
    const bodies *s = &w->s;
    const lanes3 j = {1.0 / s->J.x, 1.0 / s->J.y, 1.0 / s->J.z};
    const lanes3 over = modified(order, j, s->m, s->h);
    w->angle = magnitude(s->h) * root(dot(s->m, s->m)) * larger(j.x, larger(j.y, j.z));
    w->over = over;
    w->I = (lanes3){1.0 / over.x, 1.0 / over.y, 1.0 / over.z};
    w->hy = scale(s->h, s->m);
    const lanes3 half = scale(splat(0.5), w->hy),
                 first = {half.x * over.x, half.y * over.y, half.z * over.z},
                 c = cross(first, half);
    const lanes more = 1.0 + dot(first, first);
    w->e = (lanes3){over.x * (more * half.x - c.x), over.y * (more * half.y - c.y),
                    over.z * (more * half.z - c.z)};
    w->start = largest(first);
    w->active = w->start >= 0.0;
    w->done = w->start < 0.0;
}

static inline void iterate(moser_veselov *w)
{
    const lanes3 u = update(w->I, w->hy, w->e);
    w->e.x = select(w->active, w->e.x - u.x, w->e.x);
    w->e.y = select(w->active, w->e.y - u.y, w->e.y);
    w->e.z = select(w->active, w->e.z - u.z, w->e.z);
    const choice now =
        w->active & (largest(u) <= CLOSE * larger(largest(w->e), w->start));
    w->done |= now;
    w->active &= ~now;
}

static inline void finish(const ph_batch *b, size_t i, const moser_veselov *w,
                          double largest_angle, unsigned char *left)
{
    const lanes3 e = w->e, over = w->over;
    const lanes e2 = dot(e, e), unit = inverse_root(1.0 + e2);
    const lanes4 turn = {unit, unit * e.x, unit * e.y, unit * e.z};
    const choice good = (over.x > 0.0) & (over.y > 0.0) & (over.z > 0.0) & w->done &
                        (e2 < 1.0) & (w->angle < 0.999 * largest_angle);
    store_turned_by(b, i, &w->s, turn, good, left);
}

batch_kernel KERNEL(batch_dmv);

void KERNEL(batch_dmv)(const ph_flow *flow, const ph_batch *b, const double *h,
                       bool h_each, unsigned char *left)
{
    const double largest_angle = DMV_LARGEST_ANGLE(flow->order);
    for (size_t i = 0; i < b->n; i += TOGETHER) {
        moser_veselov w[2];
        BOTH(w[k].s = load_bodies(b, i + at, h, h_each));
        BOTH(begin(&w[k], flow->order));
        for (int j = 0; j < ITERATIONS && any(w[0].active | w[1].active); j++)
            BOTH(iterate(&w[k]));
        BOTH(finish(b, i + at, &w[k], largest_angle, left));
    }
}
