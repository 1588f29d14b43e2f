/* backward.c - the modified equations of the Moser-Veselov algorithm and of the implicit
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
 * found as those of motion/series.c, by exact rational interpolation of the series of the step.
 * N is no function of H and C, so that no Hamiltonian of these two is behind it; but
 * y' = g hat(y) grad H: the rule is Poisson with respect to the bracket of g hat(y), with H
 * itself for Hamiltonian, as HV says in the note to Table 2.
 */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "measure/common.h"
#include "motion/series.h"
#include "rotation/vec.h"
#include "system/find.h"
#include "system/run_body.h"

/* ---- DMV ------------------------------------------------------------------------- */

static double power(double x, int n)
{
    double product = 1.0;
    for (int k = 0; k < n; k++)
        product *= x;
    return product;
}

/* Adds c times a polynomial, of coefficients of H^(n-k) C^k, and its derivatives. */
static void add_polynomial(modified_terms *sum, double c, const double *p, int n,
                           double H, double C)
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
    const double H = at->value[SERIES_H], C = at->value[SERIES_C],
                 p1 = at->value[SERIES_P1], p2 = at->value[SERIES_P2],
                 p3 = at->value[SERIES_P3], sigma_minus2 = p1 * p1 - 2 * p2,
                 tau_by_delta = p1 * p2 - 3 * p3, sigma2 = p2 * p2 - 2 * p1 * p3;
    const double K3[] = {p1 / 6, -p2 / 6, p3 / 6},
                 K5[] = {(3 * p2 + 2 * sigma_minus2) / 20,
                         -(7 * p3 + 3 * tau_by_delta) / 20, (sigma2 + 4 * p1 * p3) / 20,
                         -p2 * p3 / 20};
    modified_terms sum = {.value = H, .s = 1.0};
    if (powers > 0)
        add_polynomial(&sum, h * h, K3, 2, H, C);
    if (powers > 1)
        add_polynomial(&sum, h * h * h * h, K5, 3, H, C);
    return sum;
}

/* ---- IMR ------------------------------------------------------------------------- */

static const int G3[] = {-3, -2, 4}, E3[] = {4, -2},
                 G5[] = {15, 20, 6, 2, -40, -26, -6, 26, 2},
                 E5[] = {-30, -18, 15, 12, 24, -18, 12};

static const ph_series IMR_BACKWARD[] = {{1, H_RISES, 12, G3, E3},
                                         {2, H_RISES, 120, G5, E5}};

static modified_terms imr_terms(const ph_series_at *at, int powers, double h)
{
    const ph_modified c = ph_series_modified(IMR_BACKWARD, powers, at, h, false);
    return (modified_terms){.value = at->value[SERIES_H], .s = c.s, .d = c.d};
}

/* ---- either ---------------------------------------------------------------------- */

modified_equation ph_modified_equation_of(const ph_integrator *i)
{
    if (i->flow == NULL || i->scheme != NULL || i->method != NULL ||
        i->composition != NULL || i->whole != NULL)
        return MODIFIED_UNKNOWN;
    return strcmp(i->flow->name, "dmv2") == 0   ? MODIFIED_DMV
           : strcmp(i->flow->name, "imr2") == 0 ? MODIFIED_IMR
                                                : MODIFIED_UNKNOWN;
}

modified_terms ph_modified_terms(modified_equation e, ph_vec3 J, ph_vec3 m, int powers,
                                 double h)
{
    const ph_series_at at = ph_series_invariants(over(vec3(1, 1, 1), J), m);
    return e == MODIFIED_DMV ? dmv_terms(&at, powers, h) : imr_terms(&at, powers, h);
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
    return (ph_state){{s->q.w + c * k->q.w, s->q.x + c * k->q.x, s->q.y + c * k->q.y,
                       s->q.z + c * k->q.z},
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
                       y3 = moved(s, 0.5 * dt, &k2), k3 = slope(e, &y3),
                       y4 = moved(s, dt, &k3), k4 = slope(e, &y4);
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
        found = ph_real_log(error[k - 1] / error[k]) / ph_real_log(h[k - 1] / h[k]);
    return found;
}

/* ---- energies along a run of a splitting ----------------------------------------- */

static ph_status kept(double error[PH_TRUNCATIONS], const ph_integrator *i,
                      const ph_problem *p, double h)
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

static ph_status followed(double error[PH_TRUNCATIONS], const ph_integrator *i,
                          const ph_problem *p, double h)
{
    ph_state s = ph_problem_start(p);
    const ph_status status = ph_run_body(i, p, &s, h, (uint64_t)lround(TIME / h),
                                         PH_SYSTEM_UNCOMPENSATED, NULL, NULL);
    for (int k = 0; k < PH_TRUNCATIONS && status == PH_OK; k++) {
        const modified_motion e = {ph_modified_equation_of(i), p->body.J, h, k};
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
    const ph_problem of_free = free_problem(),
                     *p = i->scheme ? find_problem("generic") : &of_free;
    const modified_equation equation = ph_modified_equation_of(i);
    if (equation == MODIFIED_UNKNOWN && !ph_is_splitting(i))
        return PH_NOT_APPLICABLE;
    *out = (ph_modified_measurement){.motion = equation != MODIFIED_UNKNOWN,
                                     .bracket = equation == MODIFIED_IMR,
                                     .time = TIME};
    ph_status status = PH_OK;
    for (int n = 0; n < PH_MODIFIED_STEPS && status == PH_OK; n++) {
        const double h = ldexp(LARGEST_STEP, -n);
        double error[PH_TRUNCATIONS] = {0}, defect[PH_TRUNCATIONS] = {0};
        out->h[n] = h;
        status = out->motion ? followed(error, i, p, h) : kept(error, i, p, h);
        if (status == PH_OK && out->bracket)
            status = bracket_defects(defect, i, p, h);
        for (int k = 0; k < PH_TRUNCATIONS; k++) {
            out->error[k][n] = error[k];
            out->bracket_defect[k][n] = defect[k];
        }
    }
    for (int k = 0; k < PH_TRUNCATIONS; k++) {
        out->slope[k] = slope_of(out->h, out->error[k]);
        out->bracket_slope[k] =
            out->bracket ? slope_of(out->h, out->bracket_defect[k]) : NAN;
    }
    return status;
}
