/* problem.c - what can be asked of any problem, and the same problem in principal axes. */
#include "base/named.h"
#include "integrators/field.h"
#include "integrators/lanes.h"
#include "integrators/range.h"
#include "motion/state.h"

const ph_parameter *ph_problem_parameter(const ph_problem *p, const char *name)
{
    return ROW_NAMED(p->parameters, p->parameter_count, name);
}

const char *ph_range_text(ph_range range)
{
    static const char *const texts[] = {
#define RANGE_TEXT(code, text) text,
        PH_RANGE_LIST(RANGE_TEXT)
#undef RANGE_TEXT
    };
    return texts[range];
}

bool ph_range_has(ph_range range, double x)
{
    const double most_whole = 0x1p53;
    switch (range) {
    case PH_RANGE_ANY:
        break;
    case PH_RANGE_POSITIVE:
        return x > 0.0 && isfinite(x);
    case PH_RANGE_NOT_NEGATIVE:
        return x >= 0.0 && isfinite(x);
    case PH_RANGE_BELOW_ONE:
        return x >= 0.0 && x < 1.0;
    case PH_RANGE_WHOLE:
        return x >= 1.0 && x <= most_whole && x == floor(x);
    }
    return isfinite(x);
}

ph_vec3 ph_problem_velocity(const ph_problem *p, double t, ph_vec3 m)
{
    return ph_body_velocity(&p->body, without_internal(p, t, m));
}

ph_vec3 ph_problem_momentum(const ph_problem *p, double t, ph_vec3 w)
{
    return with_internal(p, t, ph_body_momentum(&p->body, w));
}

ph_state ph_problem_start(const ph_problem *p)
{
    return (ph_state){p->q, ph_problem_momentum(p, 0.0, p->w)};
}

double ph_problem_energy(const ph_problem *p, double t, const ph_state *s)
{
    const ph_state body = {s->q, without_internal(p, t, s->m)};
    const double kinetic = ph_body_energy(&p->body, &body);
    const ph_instant now = instant_at(t, s->q);
    if (p->potential)
        return kinetic + p->potential(p, &now);
    return kinetic;
}

ph_vec3 ph_problem_torque(const ph_problem *p, double t, const ph_state *s)
{
    return torque_moving(p, t, s->q, s->m, ph_problem_velocity(p, t, s->m));
}

/* ---- the same problem in principal axes ------------------------------------------ */

/* The problem that such a one stands for, and an instant as that one sees it: the attitude
 * is turned on by the axes of the body, and vectors have their components there. */
static const ph_problem *original(const ph_problem *p)
{
    return p->context;
}

static ph_instant in_body_frame(const ph_problem *p, const ph_instant *now)
{
    const ph_body *b = &original(p)->body;
    const ph_state s = from_principal(b, (ph_state){now->q, now->m});
    return (ph_instant){now->t, s.q,   ph_quat_matrix(s.q), s.m, rotate(b->axes, now->w),
                        now->x, now->v};
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    const ph_instant seen = in_body_frame(p, now);
    return original(p)->potential(original(p), &seen);
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    const ph_problem *of = original(p);
    const ph_instant seen = in_body_frame(p, now);
    return rotate(inverse(of->body.axes), of->torque(of, &seen));
}

/* A^T D A, A = R(axes) */
static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    const ph_problem *of = original(p);
    const ph_instant seen = in_body_frame(p, now);
    const ph_mat3 A = ph_quat_matrix(of->body.axes);
    return matmul(transpose(A), matmul(of->derivative(of, &seen), A));
}

static void torque_in_lanes(const ph_problem *p, int first, int last, const double *t,
                            const double (*q)[PH_LANES], double (*tau)[PH_LANES])
{
    const ph_problem *of = original(p);
    const ph_quat back = inverse(of->body.axes);
    double turned[4][PH_LANES] = {{0}};
    for (int i = first; i < last; i++) {
        const ph_quat at = mul((ph_quat){q[0][i], q[1][i], q[2][i], q[3][i]}, back);
        turned[0][i] = at.w;
        turned[1][i] = at.x;
        turned[2][i] = at.y;
        turned[3][i] = at.z;
    }
    ph_lanes_of(of)(of, first, last, t, (const double(*)[PH_LANES])turned, tau);
    for (int i = first; i < last; i++) {
        const ph_vec3 in_principal = rotate(back, vec3(tau[0][i], tau[1][i], tau[2][i]));
        tau[0][i] = in_principal.x;
        tau[1][i] = in_principal.y;
        tau[2][i] = in_principal.z;
    }
}

static ph_vec3 internal(const ph_problem *p, double t)
{
    const ph_problem *of = original(p);
    return rotate(inverse(of->body.axes), of->internal(of, t));
}

const ph_problem *ph_problem_original(const ph_problem *p)
{
    if (p->torque == torque || p->internal == internal)
        return original(p);
    return p;
}

const ph_problem *ph_problem_principal(const ph_problem *p, ph_problem *memory)
{
    if (p->body.principal)
        return p;
    *memory = *p;
    memory->body = (ph_body){.J = p->body.J, .axes = {1, 0, 0, 0}, .principal = true};
    memory->q = mul(p->q, p->body.axes);
    memory->w = rotate(inverse(p->body.axes), p->w);
    memory->context = (void *)p;
    memory->prepare = NULL;
    memory->potential = p->potential ? potential : NULL;
    memory->torque = p->torque ? torque : NULL;
    memory->derivative = p->derivative ? derivative : NULL;
    memory->derivatives = NULL;
    memory->torque_many = NULL;
    memory->internal = p->internal ? internal : NULL;
    memory->torque_lanes = NULL;
    if (ph_lanes_of(p) != NULL && ph_columns_of(p) == NULL)
        memory->torque_lanes = torque_in_lanes;
    return memory;
}
