/* node_sums.c - sums over nodes of the free motion.
 *
 * With h = H/|H| and R = turn(h, f) B, the sums of torque, cos f torque and sin f torque are taken in
 * the body, and rotated once for all f:
 *
 *   sum R torque = h (h . B S0) + B Sc - h (h . B Sc) + h x B Ss
 */
#include "kinds/averaged/node_sums.h"

#include "integrators/field.h"
#include "integrators/lane_kernels.h"

node_frame ph_node_frame(const averaging *a, const spin *s)
{
    const double length = norm(s->H),
                 level = a->body.range == 0.0 ? 0.0 : within_range(s->level, 0.0, 1.0);
    return (node_frame){.a = a,
                        .h = scale(1.0 / length, s->H),
                        .length = length,
                        .per_inertia = 1.0 / a->body.I[2] + a->body.range * level};
}

void ph_node_torques(const node_frame *g, double t, ph_vec3 m, ph_vec3 w,
                     const double q[4][PH_LANES], double torque[3][PH_LANES])
{
    const ph_problem *p = g->a->p;
    if (p->velocity_dependent && p->damping == 0.0) {
        for (int i = 0; i < PH_LANES; i++) {
            const ph_quat at = {q[0][i], q[1][i], q[2][i], q[3][i]};
            const ph_vec3 x = torque_moving(p, t, at, m, w);
            torque[0][i] = x.x;
            torque[1][i] = x.y;
            torque[2][i] = x.z;
        }
        return;
    }
    const double at[PH_LANES] = {t, t, t, t, t, t, t, t};
    ph_torque_lanes(p, 0, PH_LANES, at, q, torque);
    const double drag[3] = {p->damping * w.x, p->damping * w.y, p->damping * w.z};
    for (int k = 0; k < 3 && p->damping != 0.0; k++) {
        for (int i = 0; i < PH_LANES; i++)
            torque[k][i] -= drag[k];
    }
}

static ph_vec3 vector_of(const double x[3])
{
    return vec3(x[0], x[1], x[2]);
}

void ph_node_fold(const node_frame *g, ph_vec3 m, ph_quat first, const turn_sums *about,
                  node_sums *sums)
{
    const ph_vec3 w = over(m, g->a->body.J), h = g->h, plain = vector_of(about->plain),
                  B0 = rotate(first, plain), Bc = rotate(first, vector_of(about->cosine)),
                  Bs = rotate(first, vector_of(about->sine)),
                  space = add(add(scale(dot(h, B0) - dot(h, Bc), h), Bc), cross(h, Bs));
    const double all[SUMS] = {
        [SPACE] = space.x, space.y, space.z, dot(plain, sub(w, scale(g->per_inertia, m))),
        dot(plain, w),     plain.x, plain.y, plain.z,
        about->square};
    for (int k = 0; k < SUMS; k++)
        sums->of[k] += all[k];
}

double ph_node_difference(const node_frame *g, const node_sums *x, const node_sums *y,
                          double torque)
{
    double largest = 0.0;
    for (int k = 0; k < SQUARE; k++) {
        const double unit = k == LEVEL || k == POWER ? g->length / g->a->body.I[0] : 1.0;
        largest = larger_or_nan(largest, fabs(x->of[k] - y->of[k]) / unit);
    }
    return torque > 0.0 ? largest / torque : largest;
}

averages ph_node_averages(const node_frame *g, const node_sums *mean)
{
    const spin_body *b = &g->a->body;
    return (averages){
        .H = vector_of(&mean->of[SPACE]),
        .level = b->range == 0.0 ? 0.0 : 2.0 * mean->of[LEVEL] / (g->length * g->length * b->range),
        .in_body = vector_of(&mean->of[BODY]),
        .torque = sqrt(mean->of[SQUARE])};
}
