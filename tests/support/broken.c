/* broken.c - integrators that are wrong in one place. */
#include "support/broken.h"

#include <string.h>

#include "integrators/field.h"
#include "motion/newton.h"
#include "system/find.h"

enum { ITERATIONS = 80 };

/* ---- O11 (4.11) ------------------------------------------------------------------ */

ph_vec3 vlv_side(ph_vec3 J, ph_vec3 v, ph_vec3 w, double h, double sign)
{
    const ph_vec3 m = times(J, w);
    const ph_vec3 inner = sub(cross(m, w), scale(sign * h / 2 * dot(w, m), w));
    return add(v, scale(h / 2, inner));
}

typedef struct vlv_equation {
    ph_vec3 J, v;
    double h, sign;
} vlv_equation;

static void vlv_system(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const vlv_equation *e = context;
    const ph_vec3 m = times(e->J, w), along = scale(-e->sign * e->h / 2, w);
    const double size = -e->sign * e->h / 2 * dot(w, m);
    const ph_mat3 outer = rows(scale(2 * along.x, m), scale(2 * along.y, m), scale(2 * along.z, m));
    const ph_mat3 unit = rows(vec3(size, 0, 0), vec3(0, size, 0), vec3(0, 0, size));
    *F = sub(w, over(vlv_side(e->J, e->v, w, e->h, e->sign), e->J));
    *dF = one_plus(-e->h / 2, e->J, add_to(add_to(gyration_slope(e->J, w), 1, outer), 1, unit));
}

static ph_status vlv_turn(ph_state *s, ph_vec3 J, double h, double sign)
{
    const vlv_equation e = {J, s->m, h, sign};
    ph_vec3 w = over(s->m, J);
    const ph_status status = newton(vlv_system, &e, &w);
    return status != PH_OK ? status
                           : commit_step(s, mul(s->q, ph_cay(scale(h, w))),
                                         vlv_side(J, times(J, w), w, h, -sign));
}

static ph_status signed_vlv_turn(const void *data, ph_state *s, ph_vec3 J, double h)
{
    return vlv_turn(s, J, h, *(const double *)data);
}

static const double RIGHT = 1, FLIPPED = -1;

const ph_method right_vlv = {.name = "right_vlv",
                             .step = kick_free_kick,
                             .data = &(const free_motion){signed_vlv_turn, &RIGHT}};
const ph_method flipped_vlv = {.name = "flipped_vlv",
                               .step = kick_free_kick,
                               .data = &(const free_motion){signed_vlv_turn, &FLIPPED}};

/* ---- O11 (4.9) ------------------------------------------------------------------- */

static ph_status mcg_step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                          double h)
{
    ph_state next = *s;
    ph_status status = kick(p, &next, t, h / 2);
    const ph_vec3 v = next.m, tau = sub(v, s->m);
    ph_vec3 w = over(v, p->body.J);
    for (int i = 0; i < ITERATIONS; i++)
        w = over(rotate(ph_rotation_exp(scale(-h / 2, w)), v), p->body.J);
    const ph_quat turn = ph_rotation_exp(scale(h, w));
    const ph_vec3 from = method == &printed_mcg ? add(times(p->body.J, w), tau) : v;
    if (status == PH_OK)
        status = commit_step(&next, mul(s->q, turn), rotate(inverse(turn), from));
    if (status == PH_OK)
        status = kick(p, &next, t + h, h / 2);
    if (status == PH_OK)
        *s = next;
    return status;
}

const ph_method right_mcg = {.name = "right_mcg", .step = mcg_step};
const ph_method printed_mcg = {.name = "printed_mcg", .step = mcg_step};

/* ---- kicks and drifts ------------------------------------------------------------ */

static ph_status uneven_step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                             double h)
{
    (void)method;
    const double first = 0.45;
    const ph_flow *exact = find_flow("exact");
    ph_state next = *s;
    ph_status status = kick(p, &next, t, first * h);
    if (status == PH_OK)
        status = exact->step(exact, &next, p->body.J, h);
    if (status == PH_OK)
        status = kick(p, &next, t + h, (1 - first) * h);
    if (status == PH_OK)
        *s = next;
    return status;
}

const ph_method uneven_verlet = {.name = "uneven_verlet", .step = uneven_step};

const ph_scheme *printed_s4_6(void)
{
    static double half[7];
    static ph_scheme printed;
    printed = *find_scheme("s4_6");
    memcpy(half, printed.half, sizeof half);
    half[3] = -half[3];
    half[5] = 0.5 - (half[1] + half[3]);
    printed.half = half;
    return &printed;
}
