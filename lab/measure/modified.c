/* modified.c - modified Hamiltonians of splittings, modified equations of the Moser-Veselov
 * algorithm and of the implicit midpoint rule, and how well both say what an integrator does.
 *
 * HLW  Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed. 2006, sections
 *      III.4, III.5 and IX.4.
 *
 * A step composed of flows of Hamiltonians X is the flow of another one, as a formal series
 * in h. With L_X F the derivative of F along the flow of X, functions of the state after
 * the step are
 *
 *   exp(c1 h L_X1) exp(c2 h L_X2) ... F = exp(h L_M) F,     X1 first
 *   h L_M = log( exp(c1 h L_X1) exp(c2 h L_X2) ... )        Baker, Campbell, Hausdorff
 *
 * The logarithm is a series in words of letters L_X, and one in their brackets: by Dynkin,
 * Specht and Wever a word of n letters with the coefficient c stands for c/n times its
 * brackets [w1, [w2, ... wn]], and these have the Hamiltonian L_w1 L_w2 ... H_wn. So
 *
 *   M = H + h^2 H3 + h^4 H5 + ...,   H_n = sum over words of n letters c_w/n L_w1 ... H_wn
 *
 * for a palindrome; else there are even terms too. The L are taken numerically, one inside
 * the other, along the flows of the parts, by six-point differences.
 *
 * Parts of a step: U, kicks; p = m.J^-1 m/2, of exact drifts; the rotations mj^2/(2 Ij) of
 * mr; R and S of sr2. A kick with force gradient h3 is one of U h + h3 {U, {p, U}}, a word
 * of three letters, as src/integrators/integrator.c has it.
 */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/choice.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "integrators/field.h"
#include "lab/measure/common.h"
#include "lab/measure/convergence.h"
#include "motion/composition.h"
#include "motion/renaming.h"
#include "motion/series.h"
#include "motion/state.h"
#include "motion/vec.h"
#include "system/find.h"
#include "system/run_body.h"

/* ---- series of operators --------------------------------------------------------- */

size_t ph_bch_count(const bch_series *w, int length)
{
    size_t count = 1;
    for (int n = 0; n < length; n++)
        count *= (size_t)w->letters;
    return count;
}

size_t ph_bch_begin(const bch_series *w, int length)
{
    size_t begin = 0;
    for (int n = 0; n < length; n++)
        begin += ph_bch_count(w, n);
    return begin;
}

void ph_bch_one(bch_series *w, int letters)
{
    *w = (bch_series){.letters = letters, .of = {1.0}};
}

void ph_bch_multiply(bch_series *a, const bch_series *b)
{
    bch_series product = {.letters = a->letters};
    for (int n = 0; n <= BCH_DEGREE; n++) {
        const size_t count_n = ph_bch_count(a, n);
        const double *left = a->of + ph_bch_begin(a, n);
        for (int m = 0; n + m <= BCH_DEGREE; m++) {
            const size_t count_m = ph_bch_count(a, m);
            const double *right = b->of + ph_bch_begin(a, m);
            double *to = product.of + ph_bch_begin(a, n + m);
            for (size_t u = 0; u < count_n; u++) {
                for (size_t v = 0; left[u] != 0.0 && v < count_m; v++)
                    to[u * count_m + v] += left[u] * right[v];
            }
        }
    }
    *a = product;
}

static void add_series(bch_series *sum, double c, const bch_series *a)
{
    const size_t count = ph_bch_begin(a, BCH_DEGREE + 1);
    for (size_t k = 0; k < count; k++)
        sum->of[k] += c * a->of[k];
}

void ph_bch_exp(bch_series *out, const bch_series *z)
{
    bch_series power = *z;
    double factor = 1.0;
    ph_bch_one(out, z->letters);
    for (int n = 1; n <= BCH_DEGREE; n++) {
        factor /= n;
        add_series(out, factor, &power);
        ph_bch_multiply(&power, z);
    }
}

void ph_bch_log(bch_series *out, const bch_series *a)
{
    bch_series z = *a, power;
    z.of[0] = 0.0;
    power = z;
    *out = (bch_series){.letters = a->letters};
    for (int n = 1; n <= BCH_DEGREE; n++) {
        add_series(out, (n % 2 == 1 ? 1.0 : -1.0) / n, &power);
        ph_bch_multiply(&power, &z);
    }
}

/* ---- the parts ------------------------------------------------------------------- */

/* U, or the kinetic energy sum of inverse_k m_k^2/2. */
typedef struct part {
    bool kick;
    ph_vec3 inverse;
} part;

typedef struct parts {
    const ph_problem *p; /* in principal axes, as all states here */
    const ph_flow *exact;
    int count, kicks; /* letters; the first `kicks`, 0 or 1, are U */
    part part[BCH_LETTERS];
} parts;

static void add_part(parts *y, ph_vec3 inverse)
{
    y->part[y->count++] = (part){.inverse = inverse};
}

/* The letters of the free motion of a flow; false if it is no splitting that is known. */
static bool add_drifts(parts *y, const ph_flow *flow)
{
    const ph_vec3 J = y->p->body.J, j = over(vec3(1, 1, 1), J);
    if (flow->order == PH_ORDER_EXACT) {
        add_part(y, j);
        return true;
    }
    if (strcmp(flow->name, "mr") == 0) {
        add_part(y, vec3(j.x, 0, 0));
        add_part(y, vec3(0, j.y, 0));
        add_part(y, vec3(0, 0, j.z));
        return true;
    }
    if (strncmp(flow->name, "sr", 2) != 0)
        return false;
    const renaming r = ascending(J);
    const ph_vec3 o = in_order(&r, j), middle = vec3(o.y, o.y, o.y);
    add_part(y, renamed_back(&r, vec3(o.x - o.y, 0, 0)));
    add_part(y, add(middle, renamed_back(&r, vec3(0, 0, o.z - o.y))));
    return true;
}

static bool find_parts(parts *y, const ph_integrator *i, const ph_problem *p)
{
    *y = (parts){.p = p, .exact = find_flow("exact"), .kicks = i->scheme != NULL};
    y->part[0].kick = true;
    y->count = y->kicks;
    return i->method == NULL && i->flow != NULL && add_drifts(y, i->flow);
}

static double energy_of(const parts *y, int letter, const ph_state *s)
{
    const part *x = &y->part[letter];
    if (!x->kick)
        return 0.5 * dot(times(x->inverse, s->m), s->m);
    const ph_instant now = instant_at(0.0, s->q);
    if (y->p->potential)
        return y->p->potential(y->p, &now);
    return 0.0;
}

/* The flow of a part over the time t. */
static ph_status move(const parts *y, int letter, double t, ph_state *s)
{
    const part *x = &y->part[letter];
    if (x->kick) {
        if (y->p->torque)
            return kick(y->p, s, 0.0, t);
        return PH_OK;
    }
    const ph_vec3 a = x->inverse;
    if (a.x > 0.0 && a.y > 0.0 && a.z > 0.0)
        return y->exact->step(y->exact, s, over(vec3(1, 1, 1), a), t);
    const ph_quat turn = ph_rotation_exp(scale(t, times(a, s->m))); /* about one axis */
    *s = (ph_state){mul(s->q, turn), rotate(inverse(turn), s->m)};
    return PH_OK;
}

/* ---- the stages of a step -------------------------------------------------------- */

/* Is told each stage: a letter, and its share of the step; and of h^3 for the gradient. */
typedef void stage_visitor(void *context, const parts *y, int letter, double c, double c3);

typedef struct visit {
    const parts *y;
    stage_visitor *tell;
    void *context;
} visit;

static void tell(const visit *v, int letter, double c)
{
    v->tell(v->context, v->y, letter, c, 0.0);
}

static void visit_flow(const visit *v, const ph_flow *flow, double c)
{
    const int first = v->y->kicks;
    if (flow->order == PH_ORDER_EXACT) {
        tell(v, first, c);
    } else if (strcmp(flow->name, "mr") == 0) {
        static const int AXES[] = {0, 1, 2, 1, 0};
        for (int k = 0; k < 5; k++)
            tell(v, first + AXES[k], k == 2 ? c : 0.5 * c);
    } else if (flow->data == NULL) { /* sr2 */
        tell(v, first, 0.5 * c);
        tell(v, first + 1, c);
        tell(v, first, 0.5 * c);
    } else { /* sr4, sr6 */
        const ph_composition *g = flow->data;
        for (int k = 0; k < g->stages; k++)
            visit_flow(v, find_flow("sr2"), c * composition_part(g, k));
    }
}

static void visit_drift(const visit *v, const ph_integrator *i, double c)
{
    const ph_composition *g = flow_composition(i);
    if (g == NULL)
        visit_flow(v, i->flow, c);
    for (int k = 0; g != NULL && k < g->stages; k++)
        visit_flow(v, i->flow, c * composition_part(g, k));
}

static void visit_plain(const visit *v, const ph_integrator *i, double c)
{
    const ph_scheme *s = i->scheme;
    for (int k = 0; s != NULL && k < s->stages; k++) {
        const int at = k <= s->stages / 2 ? k : s->stages - 1 - k;
        double gradient = 0.0;
        if (s->gradient)
            gradient = c * c * c * s->gradient[at];
        if (s->kick_first != (k % 2 == 0))
            visit_drift(v, i, c * s->half[at]);
        else
            v->tell(v->context, v->y, 0, c * s->half[at], gradient);
    }
    if (s == NULL)
        visit_drift(v, i, c);
}

static void visit_step(const visit *v, const ph_integrator *i)
{
    const ph_composition *g = flow_alone(i) ? NULL : i->whole;
    if (g == NULL)
        visit_plain(v, i, 1.0);
    for (int k = 0; g != NULL && k < g->stages; k++)
        visit_plain(v, i, composition_part(g, k));
}

/* ---- the series ------------------------------------------------------------------ */

/* [U, [d, U]] = 2 UdU - UUd - dUU for every drift d, times c. */
static void add_gradient(bch_series *z, const parts *y, double c)
{
    const size_t n = (size_t)y->count;
    double *of = z->of + ph_bch_begin(z, 3);
    for (size_t d = (size_t)y->kicks; d < n; d++) {
        of[d * n] += 2.0 * c;
        of[d] -= c;
        of[d * n * n] -= c;
    }
}

static void multiply(void *context, const parts *y, int letter, double c, double c3)
{
    bch_series z = {.letters = y->count}, e;
    z.of[1 + letter] = c;
    if (c3 != 0.0)
        add_gradient(&z, y, c3);
    ph_bch_exp(&e, &z);
    ph_bch_multiply(context, &e);
}

/* ---- brackets, numerically ------------------------------------------------------- */

enum { HALF = 3 }; /* points on either side */

/* The differences of words of a length, in radians of the motion or its like in a field. One
 * in the other they leave an error of d^6/140, times a derivative, and rounding leaves some
 * 1e-16 (1.8/d)^(length - 1): here the two are about equal. */
static const double TURN[BCH_DEGREE + 1] = {0.0, 0.0, 0.012, 0.025, 0.04, 0.055};

typedef struct bracket {
    const parts *y;
    double d;
    int length;
    ph_status status;
} bracket;

/* The sum over the words that begin with a prefix, `level` letters long: c L ... H at s. */
static double nested(bracket *b, const double *of, size_t count, int level, ph_state s)
{
    static const double WEIGHT[HALF] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const size_t letters = (size_t)b->y->count, below = count / letters;
    double sum = 0.0;
    for (size_t k = 0; k < letters; k++, of += below) {
        double largest = 0.0, slope = 0.0;
        for (size_t n = 0; n < below; n++)
            largest = larger_or_nan(largest, fabs(of[n]));
        if (largest == 0.0)
            continue;
        if (level == b->length - 1) {
            sum += *of * energy_of(b->y, (int)k, &s);
            continue;
        }
        for (int n = 0; n < 2 * HALF && b->status == PH_OK; n++) {
            const int place = n / 2;
            const double sign = alternating(n);
            ph_state moved = s;
            b->status = move(b->y, (int)k, sign * (place + 1) * b->d, &moved);
            if (b->status == PH_OK)
                slope += sign * WEIGHT[place] * nested(b, of, below, level + 1, moved);
        }
        sum += slope / b->d;
    }
    return sum;
}

/* Coefficients of one length, without those that are round-off, and without the words that
 * end with a letter twice: a Hamiltonian does not change along its own flow. */
static void prune(bch_series *w, int length)
{
    static const double ROUND_OFF = 1e-13;
    double *of = w->of + ph_bch_begin(w, length);
    const size_t count = ph_bch_count(w, length), letters = (size_t)w->letters;
    double largest = 1.0;
    for (size_t k = 0; k < count; k++)
        largest = larger_or_nan(largest, fabs(of[k]));
    for (size_t k = 0; k < count; k++) {
        const bool twice = length > 1 && k % letters == k / letters % letters;
        if (twice || fabs(of[k]) <= ROUND_OFF * largest)
            of[k] = 0.0;
    }
}

/* A time in which the body turns by a radian. */
static double unit_time(const parts *y, const ph_state *s)
{
    const ph_vec3 J = y->p->body.J;
    double push = 0.0;
    if (y->p->torque)
        push = norm(over(torque_at(y->p, 0.0, s->q), J));
    const double rate = norm(over(s->m, J)) + sqrt(push);
    if (rate > 0.0)
        return 1.0 / rate;
    return 1.0;
}

bool ph_is_splitting(const ph_integrator *i)
{
    const ph_problem any = {.body = PH_MOMENTS(1, 2, 3)};
    parts y;
    return find_parts(&y, i, &any);
}

/* A step under way: its length, and the state that it has led to. */
typedef struct split_step {
    double h;
    ph_state *s;
} split_step;

static void apply_stage(void *context, const parts *y, int letter, double c, double c3)
{
    (void)c3;
    const split_step *step = context;
    (void)move(y, letter, c * step->h, step->s);
}

ph_status ph_splitting_by_parts(const ph_integrator *i, const ph_problem *given, ph_state *s,
                                double h)
{
    ph_problem memory;
    parts y;
    if (!find_parts(&y, i, ph_problem_principal(given, &memory)))
        return PH_NOT_APPLICABLE;
    ph_state principal = to_principal(&given->body, *s);
    split_step step = {h, &principal};
    visit_step(&(visit){&y, apply_stage, &step}, i);
    *s = from_principal(&given->body, principal);
    return PH_OK;
}

ph_status ph_modified_energies(const ph_integrator *i, const ph_problem *given,
                               const ph_state *state, double h, double energy[PH_TRUNCATIONS])
{
    if (ANY_NULL(energy, i, given, state))
        return PH_NULL_ARGUMENT;
    ph_problem memory;
    parts y;
    bch_series product, series;
    if (ph_integrator_applies(i, given) != PH_OK ||
        !find_parts(&y, i, ph_problem_principal(given, &memory)))
        return PH_NOT_APPLICABLE;
    const ph_state s = to_principal(&given->body, *state);
    ph_bch_one(&product, y.count);
    visit_step(&(visit){&y, multiply, &product}, i);
    ph_bch_log(&series, &product);
    const double unit = unit_time(&y, &s);
    bracket b = {.y = &y};
    double sum = 0.0, power = 1.0, out[PH_TRUNCATIONS];
    for (int n = 1; n <= BCH_DEGREE && b.status == PH_OK; n++) {
        prune(&series, n);
        b.length = n;
        b.d = TURN[n] * unit;
        sum += power / n *
               nested(&b, series.of + ph_bch_begin(&series, n), ph_bch_count(&series, n), 0, s);
        if (n % 2 == 1)
            out[n / 2] = sum;
        power *= h;
    }
    if (b.status == PH_OK)
        memcpy(energy, out, sizeof out);
    return b.status;
}

/* ---- modified equations ------------------------------------------------------------ */

/* The modified equations of the Moser-Veselov algorithm and of the implicit
 * midpoint rule; and how well modified Hamiltonians and modified equations say what an
 * integrator does.
 *
 * HV  Hairer, Vilmart, J. Phys. A 39 (2006), section 4.
 *
 *   y' = y x v,   Q' = Q hat(v),   H = sum y_i^2/(2 I_i),   C = |y|^2/2           HV (10)
 *
 * DMV:  v = K_H I^-1 y + K_C y,   K = H + h^2 K3 + h^4 K5 + ...            HV (11), (12)
 *
 *   K3 = sigma_-1/6 H^2 - sigma_1/(6 delta) CH + 1/(6 delta) C^2
 *   K5 = (3 sigma_1 + 2 delta sigma_-2)/(20 delta) H^3 - (7 + 3 tau_11)/(20 delta) CH^2
 *        + (sigma_2 + 4 delta sigma_-1)/(20 delta^2) C^2 H - sigma_1/(20 delta^2) C^3
 *
 * here with p1 = sigma_-1, p2 = sigma_1/delta, p3 = 1/delta. K is the modified Hamiltonian;
 * as H and C are kept, so is it.
 *
 * IMR:  v = g I^-1 y + e y,   g = 1 + h^2 g3 + h^4 g5,   e = h^2 e3 + h^4 e5
 *
 * with polynomials in H, C and N = sum y_i^2/I_i^2, which are printed nowhere: they were
 * found as those of src/motion/series.c, by exact rational interpolation of the series of the step.
 * N is no function of H and C, so that no Hamiltonian of these two is behind it; but
 * y' = g hat(y) grad H: the rule is Poisson with respect to the bracket of g hat(y), with H
 * itself for Hamiltonian, as HV says in the note to Table 2.
 */

/* ---- DMV ------------------------------------------------------------------------- */

static double power(double x, int n)
{
    double product = 1.0;
    for (int k = 0; k < n; k++)
        product *= x;
    return product;
}

/* Adds c times a polynomial, of coefficients of H^(n-k) C^k, and its derivatives. */
static void add_polynomial(modified_terms *sum, double c, const double *p, int n, double H,
                           double C)
{
    for (int k = 0; k <= n; k++) {
        const double a = c * p[k];
        sum->value += a * power(H, n - k) * power(C, k);
        if (k < n)
            sum->s += a * (n - k) * power(H, n - k - 1) * power(C, k);
        if (k > 0)
            sum->d += a * k * power(H, n - k) * power(C, k - 1);
    }
}

static modified_terms dmv_terms(const ph_series_at *at, int powers, double h)
{
    const double H = at->value[SERIES_H], C = at->value[SERIES_C], p1 = at->value[SERIES_P1],
                 p2 = at->value[SERIES_P2], p3 = at->value[SERIES_P3],
                 sigma_minus2 = p1 * p1 - 2 * p2, tau_by_delta = p1 * p2 - 3 * p3,
                 sigma2 = p2 * p2 - 2 * p1 * p3;
    const double K3[] = {p1 / 6, -p2 / 6, p3 / 6},
                 K5[] = {(3 * p2 + 2 * sigma_minus2) / 20, -(7 * p3 + 3 * tau_by_delta) / 20,
                         (sigma2 + 4 * p1 * p3) / 20, -p2 * p3 / 20};
    modified_terms sum = {.value = H, .s = 1.0};
    if (powers > 0)
        add_polynomial(&sum, h * h, K3, 2, H, C);
    if (powers > 1)
        add_polynomial(&sum, h * h * h * h, K5, 3, H, C);
    return sum;
}

/* ---- IMR ------------------------------------------------------------------------- */

static const int G3[] = {-3, -2, 4}, E3[] = {4, -2}, G5[] = {15, 20, 6, 2, -40, -26, -6, 26, 2},
                 E5[] = {-30, -18, 15, 12, 24, -18, 12};

static const ph_series IMR_BACKWARD[] = {{1, H_RISES, 12, G3, E3}, {2, H_RISES, 120, G5, E5}};

static modified_terms imr_terms(const ph_series_at *at, int powers, double h)
{
    const ph_modified c = ph_series_modified(IMR_BACKWARD, powers, at, h, false);
    return (modified_terms){.value = at->value[SERIES_H], .s = c.s, .d = c.d};
}

/* ---- either ---------------------------------------------------------------------- */

static modified_equation equation_of(const ph_integrator *i)
{
    if (i->flow == NULL || i->scheme != NULL || i->method != NULL || i->composition != NULL ||
        i->whole != NULL)
        return MODIFIED_UNKNOWN;
    if (strcmp(i->flow->name, "dmv2") == 0)
        return MODIFIED_DMV;
    if (strcmp(i->flow->name, "imr2") == 0)
        return MODIFIED_IMR;
    return MODIFIED_UNKNOWN;
}

modified_terms ph_modified_terms(modified_equation e, ph_vec3 J, ph_vec3 m, int powers, double h)
{
    const ph_series_at at = ph_series_invariants(over(vec3(1, 1, 1), J), m);
    if (e == MODIFIED_DMV)
        return dmv_terms(&at, powers, h);
    return imr_terms(&at, powers, h);
}

static ph_vec3 velocity(const modified_motion *e, ph_vec3 m)
{
    const modified_terms c = ph_modified_terms(e->equation, e->J, m, e->powers, e->h);
    return add(scale(c.s, over(m, e->J)), scale(c.d, m));
}

/* q' = q (0, v)/2,   m' = m x v */
static ph_state slope(const modified_motion *e, const ph_state *s)
{
    const ph_vec3 v = velocity(e, s->m);
    return (ph_state){mul(s->q, quat(0.0, scale(0.5, v))), cross(s->m, v)};
}

static ph_state moved(const ph_state *s, double c, const ph_state *k)
{
    return (ph_state){
        {s->q.w + c * k->q.w, s->q.x + c * k->q.x, s->q.y + c * k->q.y, s->q.z + c * k->q.z},
        add(s->m, scale(c, k->m))};
}

/* The classical Runge-Kutta method, with steps so small that 1e-13 is left. */
void ph_modified_run(const modified_motion *e, ph_state *s, double T)
{
    const double most_step = 1.0 / 4096;
    const uint64_t steps = (uint64_t)ceil(fabs(T) / most_step);
    const double dt = T / (double)steps;
    for (uint64_t n = 0; n < steps; n++) {
        const ph_state k1 = slope(e, s), y2 = moved(s, 0.5 * dt, &k1), k2 = slope(e, &y2),
                       y3 = moved(s, 0.5 * dt, &k2), k3 = slope(e, &y3), y4 = moved(s, dt, &k3),
                       k4 = slope(e, &y4);
        *s = moved(s, dt / 6, &k1);
        *s = moved(s, dt / 3, &k2);
        *s = moved(s, dt / 3, &k3);
        *s = moved(s, dt / 6, &k4);
    }
    s->q = ph_quat_unit(s->q);
}

/* ---- what they say of an integrator ---------------------------------------------- */

static const double TIME = 8.0, LARGEST_STEP = 0.4, RESOLVED = 2e-12;
enum { SAMPLES = 10 }; /* energies of a run, from its start to its end */

/* The body and the start of HV section 3, for what moves a free body. */
static ph_problem free_problem(void)
{
    ph_problem p = *find_problem("free");
    p.body = (ph_body)PH_MOMENTS(0.6, 0.8, 1.0);
    p.q = (ph_quat){1, 0, 0, 0};
    p.w = (ph_vec3){1.8 / 0.6, 0.4 / 0.8, -0.9 / 1.0};
    return p;
}

/* The slope between the finest two steps whose errors are above round-off. */
static double slope_of(const double *h, const double *error)
{
    double found = NAN;
    for (int k = 1; k < PH_MODIFIED_STEPS && error[k] > RESOLVED; k++)
        found = ph_power_of(error[k - 1] / error[k], h[k - 1] / h[k]);
    return found;
}

/* ---- energies along a run of a splitting ----------------------------------------- */

static ph_status kept(double error[PH_TRUNCATIONS], const ph_integrator *i, const ph_problem *p,
                      double h)
{
    const uint64_t steps = (uint64_t)lround(TIME / h),
                   every = steps / SAMPLES > 0 ? steps / SAMPLES : 1;
    double first[PH_TRUNCATIONS], now[PH_TRUNCATIONS];
    ph_state s = ph_problem_start(p);
    memset(error, 0, PH_TRUNCATIONS * sizeof *error);
    ph_status status = ph_modified_energies(i, p, &s, h, first);
    for (uint64_t n = 0; n + every <= steps && status == PH_OK; n += every) {
        status = ph_run_body(i, p, &s, h, every, PH_SYSTEM_UNCOMPENSATED, NULL, NULL);
        if (status == PH_OK)
            status = ph_modified_energies(i, p, &s, h, now);
        for (int k = 0; k < PH_TRUNCATIONS && status == PH_OK; k++)
            error[k] = larger_or_nan(error[k], fabs(now[k] - first[k]));
    }
    return status;
}

/* ---- the motion of a modified equation ------------------------------------------- */

static ph_status followed(double error[PH_TRUNCATIONS], const ph_integrator *i, const ph_problem *p,
                          double h)
{
    ph_state s = ph_problem_start(p);
    const ph_status status =
        ph_run_body(i, p, &s, h, (uint64_t)lround(TIME / h), PH_SYSTEM_UNCOMPENSATED, NULL, NULL);
    for (int k = 0; k < PH_TRUNCATIONS && status == PH_OK; k++) {
        const modified_motion e = {equation_of(i), p->body.J, h, k};
        ph_state modified = ph_problem_start(p);
        ph_modified_run(&e, &modified, TIME);
        error[k] = ph_state_distance(&s, &modified);
    }
    return status;
}

/* How well a step keeps the bracket of g hat(y). */
static double bracket_scale(const void *context, ph_vec3 m)
{
    const modified_motion *e = context;
    return ph_modified_terms(e->equation, e->J, m, e->powers, e->h).s;
}

static ph_status bracket_defects(double defect[PH_TRUNCATIONS], const ph_integrator *i,
                                 const ph_problem *p, double h)
{
    const ph_state s = ph_problem_start(p);
    ph_status status = PH_OK;
    for (int k = 0; k < PH_TRUNCATIONS && status == PH_OK; k++) {
        const modified_motion e = {MODIFIED_IMR, p->body.J, h, k};
        status = ph_scaled_poisson_defect(i, p, &s, h, bracket_scale, &e, &defect[k]);
    }
    return status;
}

/* ---- all of it ------------------------------------------------------------------- */

ph_status ph_measure_modified(const ph_integrator *i, ph_modified_measurement *out)
{
    if (ANY_NULL(out, i))
        return PH_NULL_ARGUMENT;
    const ph_problem of_free = free_problem(), *p = i->scheme ? find_problem("generic") : &of_free;
    const modified_equation equation = equation_of(i);
    if (equation == MODIFIED_UNKNOWN && !ph_is_splitting(i))
        return PH_NOT_APPLICABLE;
    *out = (ph_modified_measurement){
        .motion = equation != MODIFIED_UNKNOWN, .bracket = equation == MODIFIED_IMR, .time = TIME};
    ph_status status = PH_OK;
    for (int n = 0; n < PH_MODIFIED_STEPS && status == PH_OK; n++) {
        const double h = ldexp(LARGEST_STEP, -n);
        double error[PH_TRUNCATIONS] = {0}, defect[PH_TRUNCATIONS] = {0};
        out->h[n] = h;
        if (out->motion)
            status = followed(error, i, p, h);
        else
            status = kept(error, i, p, h);
        if (status == PH_OK && out->bracket)
            status = bracket_defects(defect, i, p, h);
        for (int k = 0; k < PH_TRUNCATIONS; k++) {
            out->error[k][n] = error[k];
            out->bracket_defect[k][n] = defect[k];
        }
    }
    for (int k = 0; k < PH_TRUNCATIONS; k++) {
        out->slope[k] = slope_of(out->h, out->error[k]);
        if (out->bracket)
            out->bracket_slope[k] = slope_of(out->h, out->bracket_defect[k]);
        else
            out->bracket_slope[k] = NAN;
    }
    return status;
}
