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
static inline vdouble3 modified(int order, vdouble3 j, vdouble3 y, vdouble h)
{
    const vdouble p1 = j.x + j.y + j.z, unit = 1.0 / p1, h2 = h * h * p1;
    const vdouble3 a = scale(unit, j);
    const vdouble H = 0.5 * h2 *
                      ((j.x * y.x) * y.x + ((j.y * y.y) * y.y + j.z * y.z * y.z)),
                  C = 0.5 * (h2 * p1) * dot(y, y);
    const dmv_moments c =
        dmv_moments_of(order, H, C, a.x * a.y + (a.y * a.z + a.z * a.x), a.x * a.y * a.z);
    const vdouble d = c.d * p1;
    return (vdouble3){c.s * j.x + d, c.s * j.y + d, c.s * j.z + d};
}

static inline vdouble largest(vdouble3 v)
{
    return vmax(vabs(v.x), vmax(vabs(v.y), vabs(v.z)));
}

/* One Newton update of e for F(e) = I e + e x I e - (1 + |e|^2) (h/2) y. */
static inline vdouble3 update(vdouble3 I, vdouble3 hy, vdouble3 e)
{
    const vdouble3 Ie = {I.x * e.x, I.y * e.y, I.z * e.z}, c = cross(e, Ie);
    const vdouble f = 0.5 * (1.0 + dot(e, e));
    const vdouble3 F = {(Ie.x + c.x) - f * hy.x, (Ie.y + c.y) - f * hy.y,
                        (Ie.z + c.z) - f * hy.z};
    /* rows of dF = I - hat(I e) + hat(e) I - h y e^T */
    const vdouble3 r0 = {I.x - hy.x * e.x, (Ie.z - e.z * I.y) - hy.x * e.y,
                         (e.y * I.z - Ie.y) - hy.x * e.z};
    const vdouble3 r1 = {(e.z * I.x - Ie.z) - hy.y * e.x, I.y - hy.y * e.y,
                         (Ie.x - e.x * I.z) - hy.y * e.z};
    const vdouble3 r2 = {(Ie.y - e.y * I.x) - hy.z * e.x, (e.x * I.y - Ie.x) - hy.z * e.y,
                         I.z - hy.z * e.z};
    const vdouble3 c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    return scale(1.0 / dot(r0, c0),
                 add(scale(F.x, c0), add(scale(F.y, c1), scale(F.z, c2))));
}

typedef struct moser_veselov {
    bodies s;
    vdouble3 over, I; /* inverses of the modified moments, and these */
    vdouble3 hy, e;   /* h y, and the unknown */
    vdouble start;    /* the size of the first guess */
    vdouble angle;    /* that the body can turn by at most */
    vmask active, done;
} moser_veselov;

/* The equation, and where Newton begins. */
static inline void begin(moser_veselov *w, int order)
{
    const bodies *s = &w->s;
    const vdouble3 j = {1.0 / s->J.x, 1.0 / s->J.y, 1.0 / s->J.z};
    const vdouble3 over = modified(order, j, s->m, s->h);
    w->angle = vabs(s->h) * vsqrt(dot(s->m, s->m)) * vmax(j.x, vmax(j.y, j.z));
    w->over = over;
    w->I = (vdouble3){1.0 / over.x, 1.0 / over.y, 1.0 / over.z};
    w->hy = scale(s->h, s->m);
    const vdouble3 half = scale(vsplat(0.5), w->hy),
                   first = {half.x * over.x, half.y * over.y, half.z * over.z},
                   c = cross(first, half);
    const vdouble more = 1.0 + dot(first, first);
    w->e = (vdouble3){over.x * (more * half.x - c.x), over.y * (more * half.y - c.y),
                      over.z * (more * half.z - c.z)};
    w->start = largest(first);
    w->active = w->start >= 0.0;
    w->done = w->start < 0.0;
}

static inline void iterate(moser_veselov *w)
{
    const vdouble3 u = update(w->I, w->hy, w->e);
    w->e.x = vselect(w->active, w->e.x - u.x, w->e.x);
    w->e.y = vselect(w->active, w->e.y - u.y, w->e.y);
    w->e.z = vselect(w->active, w->e.z - u.z, w->e.z);
    const vmask now = w->active & (largest(u) <= CLOSE * vmax(largest(w->e), w->start));
    w->done |= now;
    w->active &= ~now;
}

static inline void finish(const ph_batch *b, size_t i, const moser_veselov *w,
                          double largest_angle, unsigned char *not_done)
{
    const vdouble3 e = w->e, over = w->over;
    const vdouble e2 = dot(e, e), unit = 1.0 / vsqrt(1.0 + e2);
    const vdouble4 turn = {unit, unit * e.x, unit * e.y, unit * e.z};
    const vmask good = (over.x > 0.0) & (over.y > 0.0) & (over.z > 0.0) & w->done &
                       (e2 < 1.0) & (w->angle < 0.999 * largest_angle);
    store_turned_by(b, i, &w->s, turn, good, not_done);
}

batch_kernel KERNEL(batch_dmv);

void KERNEL(batch_dmv)(const ph_flow *flow, const ph_batch *b, const double *h,
                       bool h_each, unsigned char *not_done)
{
    const double largest_angle = DMV_LARGEST_ANGLE(flow->order);
    for (size_t i = 0; i < b->n; i += TOGETHER) {
        moser_veselov w[2];
        BOTH(w[k].s = load_bodies(b, i + at, h, h_each));
        BOTH(begin(&w[k], flow->order));
        for (int j = 0; j < ITERATIONS && vany(w[0].active | w[1].active); j++)
            BOTH(iterate(&w[k]));
        BOTH(finish(b, i + at, &w[k], largest_angle, not_done));
    }
}
