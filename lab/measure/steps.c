/* steps.c - single steps: symmetry and reversibility, and what a step leaves of the symplectic and the
 * Poisson structure. */
#include <string.h>

#include "base/arguments.h"
#include "base/extremes.h"
#include "integrators/field.h"
#include "integrators/integrator.h"
#include "integrators/tangent.h"
#include "lab/measure/common.h"
#include "motion/state.h"
#include "motion/vec.h"
#include "system/find.h"
#include "system/run_body.h"

/* ---- a step there and back ------------------------------------------------------- */

/* Back with the momentum reversed, or the time. */
static ph_status there_and_back(double *defect, const ph_integrator *i, const ph_problem *p,
                                const ph_state *s, double h, bool reverse)
{
    if (ANY_NULL(defect, i, p, s))
        return PH_NULL_ARGUMENT;
    ph_state there = *s;
    const double sign = reverse ? -1 : 1;
    ph_status status = ph_integrator_step(i, p, &there, 0.0, h);
    there.m = scale(sign, there.m);
    if (status == PH_OK)
        status = ph_integrator_step(i, p, &there, reverse ? 0.0 : h, -sign * h);
    there.m = scale(sign, there.m);
    if (status == PH_OK)
        *defect = ph_state_distance(&there, s);
    return status;
}

ph_status ph_symmetry_defect(const ph_integrator *i, const ph_problem *p, const ph_state *s,
                             double h, double *defect)
{
    return there_and_back(defect, i, p, s, h, false);
}

ph_status ph_reversal_defect(const ph_integrator *i, const ph_problem *p, const ph_state *s,
                             double h, double *defect)
{
    return there_and_back(defect, i, p, s, h, true);
}

/* ---- structure ------------------------------------------------------------------- */

/* A step of which the tangent map is known has its derivative to round-off; any other is
 * differenced in six directions.
 *
 * With y(x) the image of the state moved by x along one direction, and d = 1e-3,
 *
 *   y' = ( 3/4 [y(d) - y(-d)] - 3/20 [y(2d) - y(-2d)] + 1/60 [y(3d) - y(-3d)] ) / d
 *
 * up to d^6 y^(7)/140. Four points would leave d^4 y^(5)/30, which in an implicit step near
 * the fold of its equation is more than round-off, 1e-12.
 *
 * A step that divides itself into parts by a rule (src/motion/moser_veselov.h) jumps where
 * their number changes, and has no derivative there. A jump by a between the points adds
 * a/60d to the sum, or more, and another amount to the first difference of the inner two
 * points, [y(d) - y(-d)]/2d: where the two disagree there is one. Else they differ by
 * d^2 y^(3)/6.
 *
 * A defect next to round-off may be that of the differences, where the step is composed of
 * larger ones: with d/4 their error is less by 4^6, and a true defect stays. */
enum { HALF = 3 };                             /* points on either side */
static const double DELTA = 1e-3, JUMP = 1e-3; /* d, and what is no disagreement yet */
static const double FINER = 0.25, DOUBTFUL = 1e-11, PLAIN = 1e-8; /* of a defect */

typedef struct one_step {
    const ph_integrator *i;
    const ph_problem *p;
    double h;
    ph_state from, to;
} one_step;

/* The image of `from` moved by x, as a tangent vector at the image of `from`. */
static ph_status image_of(const one_step *e, const double x[6], double y[6])
{
    ph_state s = {mul(e->from.q, ph_rotation_exp(vec3(x[0], x[1], x[2]))),
                  add(e->from.m, vec3(x[3], x[4], x[5]))};
    const ph_status status = ph_integrator_step(e->i, e->p, &s, 0.0, e->h);
    const ph_vec3 xi = ph_rotation_log(mul(inverse(e->to.q), s.q)), eta = sub(s.m, e->to.m);
    memcpy(y, (double[6]){xi.x, xi.y, xi.z, eta.x, eta.y, eta.z}, 6 * sizeof *y);
    return status;
}

/* One column: the differences of the six images at -3, -2, -1, 1, 2, 3 delta. False if they
 * are those of a jump. */
static bool column_of(double y[2 * HALF][6], int column, double delta, double D[6][6])
{
    static const double WEIGHT[HALF] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    bool smooth = true;
    for (int row = 0; row < 6; row++) {
        double sum = 0;
        for (int k = HALF - 1; k >= 0; k--)
            sum += WEIGHT[k] * (y[HALF + k][row] - y[HALF - 1 - k][row]);
        const double inner = (y[HALF][row] - y[HALF - 1][row]) / (2 * delta);
        D[row][column] = sum / delta;
        smooth = smooth && !(fabs(D[row][column] - inner) > JUMP);
    }
    return smooth;
}

bool ph_structure_is_sharp(const ph_integrator *i)
{
    return i->adaptive == NULL && ph_tangent_known(ph_real_integrator(i));
}

static ph_status by_tangents(const one_step *e, double D[6][6])
{
    ph_problem memory;
    tangent_run g;
    ph_tangent_begin(&g, e->p, PH_DERIVATIVES_START);
    body_in_field b = {.i = e->i,
                       .p = ph_problem_principal(e->p, &memory),
                       .s = to_principal(&e->p->body, e->from),
                       .tangents = &g};
    const ph_status status = ph_body_step(&b, 0.0, e->h, e->h);
    for (int c = 0; c < 6; c++) { /* those of the start */
        for (int row = 0; row < 6; row++)
            D[row][c] = g.now.x[row][c];
    }
    return status;
}

static ph_status derivative(const one_step *e, double delta, double D[6][6])
{
    if (ph_structure_is_sharp(e->i))
        return by_tangents(e, D);
    for (int column = 0; column < 6; column++) {
        double y[2 * HALF][6];
        for (int point = 0; point < 2 * HALF; point++) {
            double x[6] = {0};
            x[column] = (point < HALF ? point - HALF : point - HALF + 1) * delta;
            const ph_status status = image_of(e, x, y[point]);
            if (status != PH_OK)
                return status;
        }
        if (!column_of(y, column, delta, D))
            return PH_NO_CONVERGENCE;
    }
    return PH_OK;
}

/* The canonical form at momentum m: [[-hat(m), 1], [-1, 0]]. */
static void canonical_form(ph_vec3 m, double W[6][6])
{
    const ph_mat3 hat = ph_hat(m);
    memset(W, 0, 36 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        W[i][i + 3] = 1;
        W[i + 3][i] = -1;
        for (int j = 0; j < 3; j++)
            W[i][j] = -hat.a[i][j];
    }
}

static double symplectic_defect(double D[6][6], ph_vec3 m0, ph_vec3 m1)
{
    double W0[6][6], W1[6][6], worst = 0;
    canonical_form(m0, W0);
    canonical_form(m1, W1);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double sum = -W0[i][j];
            for (int k = 0; k < 6; k++) {
                for (int l = 0; l < 6; l++)
                    sum += D[k][i] * W1[k][l] * D[l][j];
            }
            worst = larger_or_nan(worst, fabs(sum));
        }
    }
    return worst;
}

static double poisson_defect(double D[6][6], ph_vec3 m0, ph_vec3 m1)
{
    const ph_mat3 h0 = ph_hat(m0), h1 = ph_hat(m1); /* or scaled ones */
    ph_mat3 d;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            d.a[i][j] = D[i + 3][j + 3];
    }
    return mat3_distance(matmul(matmul(d, h0), transpose(d)), h1);
}

static bool in_doubt(double defect)
{
    return defect > DOUBTFUL && defect < PLAIN;
}

ph_status ph_measure_structure(const ph_integrator *i, const ph_problem *p, const ph_state *s,
                               double h, ph_structure_defects *out)
{
    if (ANY_NULL(out, i, p, s))
        return PH_NULL_ARGUMENT;
    one_step e = {i, p, h, *s, *s};
    double D[6][6];
    ph_status status = ph_integrator_step(i, p, &e.to, 0.0, h);
    if (status == PH_OK)
        status = derivative(&e, DELTA, D);
    if (status != PH_OK)
        return status;
    out->symplectic = symplectic_defect(D, s->m, e.to.m);
    out->poisson = poisson_defect(D, s->m, e.to.m);
    if ((in_doubt(out->symplectic) || in_doubt(out->poisson)) &&
        derivative(&e, FINER * DELTA, D) == PH_OK) {
        out->symplectic = smaller_or_nan(out->symplectic, symplectic_defect(D, s->m, e.to.m));
        out->poisson = smaller_or_nan(out->poisson, poisson_defect(D, s->m, e.to.m));
    }
    return PH_OK;
}

ph_status ph_scaled_poisson_defect(const ph_integrator *i, const ph_problem *p, const ph_state *s,
                                   double h, double (*factor)(const void *context, ph_vec3 m),
                                   const void *context, double *defect)
{
    double D[6][6];
    one_step e = {i, p, h, *s, *s};
    ph_status status = ph_integrator_step(i, p, &e.to, 0.0, h);
    if (status == PH_OK)
        status = derivative(&e, FINER * DELTA, D);
    if (status == PH_OK)
        *defect = poisson_defect(D, scale(factor(context, s->m), s->m),
                                 scale(factor(context, e.to.m), e.to.m));
    return status;
}

/* ---- an integrator whose steps fail once a run is cancelled ----------------------- */

/* The status of a cancelled step. Nobody reads it: what is measured with it has no
 * meaning. */
static const ph_status CANCELLED = PH_NOT_APPLICABLE;

bool ph_cancelled(cancellation *cancel)
{
    cancel->cancelled = cancel->cancelled || (cancel->go_on && !cancel->go_on(cancel->context));
    return cancel->cancelled;
}

static ph_status flow_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    const cancellable *c = flow->data;
    if (ph_cancelled(c->cancel))
        return CANCELLED;
    return c->real.flow->step(c->real.flow, s, J, h);
}

/* An adaptive one takes as many steps as its tolerance asks for. */
static ph_status method_step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                             double h)
{
    const cancellable *c = method->data;
    if (ph_cancelled(c->cancel))
        return CANCELLED;
    if (c->real.method != NULL)
        return c->real.method->step(c->real.method, p, s, t, h);
    return ph_integrator_step(&c->real, p, s, t, h);
}

const ph_integrator *ph_real_integrator(const ph_integrator *i)
{
    if (i->flow != NULL && i->flow->step == flow_step)
        return &((const cancellable *)i->flow->data)->real;
    return i;
}

ph_integrator ph_cancellable(cancellable *c, const ph_integrator *i, cancellation *cancel)
{
    ph_integrator asking = *i;
    *c = (cancellable){.real = *i, .cancel = cancel};
    if (i->flow != NULL) {
        c->flow = *i->flow;
        c->flow.step = flow_step;
        c->flow.data = c;
        asking.flow = &c->flow;
    }
    if (i->adaptive != NULL) {
        c->method = (ph_method){.name = i->adaptive->name, .any_torque = true};
        asking = (ph_integrator){.method = &c->method};
    } else if (i->method != NULL) {
        c->method = *i->method;
        asking.method = &c->method;
    }
    c->method.step = method_step;
    c->method.data = c;
    return asking;
}
