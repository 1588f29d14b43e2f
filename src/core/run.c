/* run.c - the run loop: very many steps of one integrator, with an observer.
 *
 * Rounding q and m at every step would lose, at 10^7 steps, what the integrator keeps: a plain
 * update drifts linearly. The run carries low-order parts along (compensated summation, Vilmart
 * 2008): the integrator gives the turn of a step, and the same turn, as an increment, is added to
 * attitude and momentum. Both increments are of the size of the step, and so are their roundings.
 *
 *   turn (c, v),  c - 1 = -|v|^2/(1 + c), so that the turn is a rotation beyond round-off
 *   (all integrators here turn m by a rotation; most by that of the body)
 *   dm = 2 ( v x (v x m) - c v x m ),   dq = q (c - 1, v) + q (1 - |q|^2)/2
 *
 * For integrators that keep the energy the turn is first corrected by what its own rounding would
 * add to the energy: with m+ = m + dm, w+ = J^-1 m+, g = w+ x m+,
 *
 *   dH = sum dm_i (2 m_i + dm_i)/(2 J_i),   turned further by  -dH g/|g|^2
 *
 * damped where g is next to zero: there the energy is stationary, and the correction would be
 * noise.
 *
 * Times are step * h, never accumulated.
 */
#include "core/composition.h"
#include "core/state.h"

typedef struct precise_state {
    ph_state high, low;
} precise_state;

/* ---- compensated sums -------------------------------------------------------------------- */

/* *high + *low + increment as a rounded sum and what rounding lost: |high| >= |increment|. */
static void accumulate(double *high, double *low, double increment)
{
    const double small = *low + increment, sum = *high + small;
    *low = small - (sum - *high);
    *high = sum;
}

static void accumulate3(ph_vec3 *high, ph_vec3 *low, ph_vec3 d)
{
    accumulate(&high->x, &low->x, d.x);
    accumulate(&high->y, &low->y, d.y);
    accumulate(&high->z, &low->z, d.z);
}

static void accumulate4(ph_quat *high, ph_quat *low, ph_quat d)
{
    accumulate(&high->w, &low->w, d.w);
    accumulate(&high->x, &low->x, d.x);
    accumulate(&high->y, &low->y, d.y);
    accumulate(&high->z, &low->z, d.z);
}

/* ---- one step ---------------------------------------------------------------------------- */

static ph_quat plus(ph_quat a, ph_quat b)
{
    return (ph_quat){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}

static ph_quat times4(double c, ph_quat q)
{
    return (ph_quat){c * q.w, c * q.x, c * q.y, c * q.z};
}

/* A turn (c, v) of unit length beyond round-off; less = c - 1. */
typedef struct fine_turn {
    double less;
    ph_vec3 v;
} fine_turn;

static fine_turn refined(double c, ph_vec3 v)
{
    const double v2 = dot(v, v);
    return (fine_turn){c > 0.0 ? -v2 / (1.0 + sqrt(1.0 - v2)) : c - 1.0, v};
}

/* The change of m under the turn back. */
static ph_vec3 increment(ph_vec3 m, fine_turn t)
{
    const ph_vec3 vm = cross(t.v, m);
    return scale(2.0, sub(cross(t.v, vm), scale(1.0 + t.less, vm)));
}

/* The turn corrected so that m keeps its energy. */
static fine_turn keep_energy(fine_turn t, ph_vec3 m, ph_vec3 J)
{
    const ph_vec3 dm = increment(m, t), after = add(m, dm), w = over(after, J);
    const ph_vec3 g = cross(w, after);
    const double calm = 0.01, damping = calm * calm * dot(w, w) * dot(after, after);
    if (damping == 0.0)
        return t;
    const double dH = 0.5 * dot(over(dm, J), add(scale(2.0, m), dm)), c = 1.0 + t.less;
    const ph_vec3 half = scale(-0.5 * dH / (dot(g, g) + damping), g);
    return refined(c, add(t.v, add(scale(c, half), cross(t.v, half))));
}

/* The smallest turn that takes `after` to `before`, vectors of one length. */
static ph_quat smallest_turn(ph_vec3 after, ph_vec3 before)
{
    const double inverse_length = 1.0 / norm_max(before);
    const ph_vec3 a = scale(inverse_length, after), b = scale(inverse_length, before);
    if (!finite3(b))
        return (ph_quat){1, 0, 0, 0};
    return ph_quat_unit(quat(dot(b, b) + dot(a, b), cross(a, b)));
}

static ph_status one_step(const ph_integrator *i, ph_state *s, ph_vec3 J, double h)
{
    return i->composition ? ph_composition_step(i->composition, i->flow, s, J, h)
                          : i->flow->step(i->flow, s, J, h);
}

static ph_status precise_step(const ph_integrator *i, precise_state *p, ph_vec3 J,
                              double h)
{
    const unsigned keeps = ph_integrator_keeps(i);
    ph_state turned = {{1, 0, 0, 0}, p->high.m};
    const ph_status status = one_step(i, &turned, J, h);
    if (status != PH_OK)
        return status;
    /* The momentum is turned as the body is, or else by the smallest turn that carries it along. */
    const fine_turn body = refined(turned.q.w, vec(turned.q));
    fine_turn momentum = body;
    if (!(keeps & PH_MOMENTUM)) {
        const ph_quat turn = smallest_turn(turned.m, p->high.m);
        momentum = refined(turn.w, vec(turn));
    }
    if (keeps & PH_ENERGY)
        momentum = keep_energy(momentum, p->high.m, J);
    const ph_vec3 low_m = p->low.m;
    p->low.m = add(low_m, increment(low_m, momentum));
    accumulate3(&p->high.m, &p->low.m, increment(p->high.m, momentum));

    const fine_turn attitude = keeps & PH_MOMENTUM ? momentum : body;
    const ph_quat q = p->high.q, low_q = p->low.q,
                  change = quat(attitude.less, attitude.v);
    const double longer = 0.5 * shortness(q) - dot4(q, low_q);
    p->low.q = plus(low_q, mul(low_q, change));
    accumulate4(&p->high.q, &p->low.q, plus(mul(q, change), times4(longer, q)));
    return finite4(p->high.q) && finite3(p->high.m) ? PH_OK : PH_NOT_FINITE;
}

/* ---- the loop ---------------------------------------------------------------------------- */

int ph_integrator_order(const ph_integrator *i)
{
    return i->composition ? i->composition->order : i->flow->order;
}

unsigned ph_integrator_keeps(const ph_integrator *i)
{
    return i->flow->keeps;
}

ph_status ph_run(const ph_integrator *i, const ph_body *b, ph_state *s, double h,
                 long steps, ph_observer *observer, void *context, long *taken)
{
    long done = 0;
    ph_status status = ph_check(b, s);
    if (status == PH_OK && !isfinite(h))
        status = PH_BAD_STEP;
    if (status == PH_OK) {
        precise_state p = {.high = to_principal(b, (ph_state){ph_quat_unit(s->q), s->m})};
        bool go_on = observer == NULL || observer(context, 0, 0.0, s);
        while (status == PH_OK && go_on && done < steps) {
            precise_state next = p;
            status = precise_step(i, &next, b->J, h);
            if (status != PH_OK)
                break;
            p = next;
            done++;
            if (observer != NULL) {
                const ph_state seen = from_principal(b, p.high);
                go_on = observer(context, done, (double)done * h, &seen);
            }
        }
        if (done > 0)
            *s = from_principal(b, p.high);
    }
    if (taken != NULL)
        *taken = done;
    return status;
}
