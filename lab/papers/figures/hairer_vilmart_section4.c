/* hairer_vilmart_section4.c - Hairer and Vilmart 2006, section 4: modified Hamiltonians and
 * modified equations; the note to table 2, and Remarks 2.4 and 3.1.
 *
 * HV  Hairer, Vilmart, Preprocessed discrete Moser-Veselov algorithm for the full dynamics
 *     of the rigid body, J. Phys. A 39 (2006).
 *
 * The section has no figure: this one shows what it says.
 */

#include "lab/measure/properties.h"
#include "lab/papers/experiments.h"
#include "motion/moser_veselov.h"
#include "motion/series.h"

static const char *const TRUNCATIONS[PH_TRUNCATIONS] = {"none", "to h^2", "to h^4"};

static const ph_vec3 J = {0.6, 0.8, 1.0};
static const ph_state START = {{1, 0, 0, 0}, {1.8, 0.4, -0.9}};

/* Of the run with modified Hamiltonians; of steps of DMV8 that are timed, one and ten; of
 * Remark 2.4. */
static const double RUN_STEP = 0.1, RUN_STEPS[] = {10, 100, 400}, TIMED_STEP = 0.05,
                    TIMED_STEPS[] = {1, 10}, REMARK_TIME = 10.0,
                    REMARK_STEPS[] = {50, 100, 200, 400}, COMPARED_STEPS = 200;

static ph_problem body_of_section3(void)
{
    ph_problem p = *find_problem("free");
    p.body = (ph_body)PH_MOMENTS(J.x, J.y, J.z);
    p.q = START.q;
    p.w = over(START.m, J);
    return p;
}

/* The modified Hamiltonian of SR2 along a run: the changes of the three truncations after each
 * step. */
static bool compute_run(figure_work *work, table *t)
{
    enum { MOST_STEPS = 400 };
    const double h = RUN_STEP;
    const int steps = (int)smaller_or_nan(AT_EFFORT(work, RUN_STEPS), MOST_STEPS);
    const ph_problem p = body_of_section3();
    const ph_system_settings with = {.own_problem = &p, .integrator = "sr2", .step = h};
    double energy[MOST_STEPS + 1][PH_TRUNCATIONS];
    ph_integrator i;
    ph_system *s = NULL;
    if (find_integrator(work, "sr2", &i))
        s = create_system(work, &with);
    bool good = s != NULL;
    for (int n = 0; n <= steps && good; n++) {
        const ph_state state = ph_system_state(s);
        good = ph_modified_energies(&i, &p, &state, h, energy[n]) == PH_OK &&
               ph_system_run(s, 1, NULL) == PH_OK;
    }
    ph_system_destroy(s);
    for (int k = 0; k < PH_TRUNCATIONS && good; k++) {
        for (int n = 1; n <= steps; n++)
            ROW(t, ("run", TRUNCATIONS[k]), h * n, fabs(energy[n][k] - energy[0][k]), NAN);
    }
    return good;
}

static void add_errors(table *t, const char *panel, const double *h,
                       double error[][PH_MODIFIED_STEPS])
{
    for (int k = 0; k < PH_TRUNCATIONS; k++) {
        for (int n = 0; n < PH_MODIFIED_STEPS; n++)
            ROW(t, (panel, TRUNCATIONS[k]), h[n], error[k][n], NAN);
    }
}

static bool compute_orders(figure_work *work, const char *name, table *t)
{
    ph_integrator i;
    ph_modified_measurement found;
    if (!find_integrator(work, name, &i) || ph_measure_modified(&i, &found) != PH_OK)
        return false;
    add_errors(t, name, found.h, found.error);
    if (found.bracket)
        add_errors(t, "bracket", found.h, found.bracket_defect);
    return true;
}

/* Steps of DMV8 with modified moments that are computed once. */
static void take_steps(void *context)
{
    enum { ORDERS = 3 }; /* powers of h^2 of DMV8 */
    const int steps = *(const int *)context;
    const double h = TIMED_STEP;
    const ph_vec3 j = over(vec3(1, 1, 1), J);
    ph_state s = START;
    const ph_series_at at = ph_series_invariants(j, s.m);
    const ph_modified c = ph_series_modified(ph_dmv_series, ORDERS, &at, h, false);
    const ph_vec3 I = over(vec3(1, 1, 1), add(scale(c.s, j), vec3(c.d, c.d, c.d)));
    for (int n = 0; n < steps && dmv_step(I, &s, h);)
        n++;
}

/* Remark 2.4 to order 6. By Lemma 4.1 a DMV step of h~ moves y as the exact motion does in
 * the time h~ dK/dH, and turns the body about y by h~ dK/dC |y| more than that. So
 *
 *   h~ = h (1 - a h^2 + (3 a^2 - b) h^4),   a = dK3/dH,  b = dK5/dH
 *   e~ = e + share I e,                     share = -(h~^2 dK3/dC + h~^4 dK5/dC)
 *
 * with e of the step, as I e is along y + y+. Of the time alone the share is 0. */
typedef struct transformed {
    double h, share;
} transformed;

static transformed transform(ph_vec3 y, double h, bool turned)
{
    const double I1 = J.x, I2 = J.y, I3 = J.z, d = I1 * I2 * I3, s1 = I1 + I2 + I3, s2 = dot(J, J),
                 r1 = 1 / I1 + 1 / I2 + 1 / I3, r2 = 1 / (I1 * I1) + 1 / (I2 * I2) + 1 / (I3 * I3),
                 tau = s1 * r1 - 3; /* tau_1,1 */
    const double H = 0.5 * dot(y, over(y, J)), C = 0.5 * dot(y, y), p = 3 * s1 + 2 * d * r2,
                 q = 7 + 3 * tau, r = (s2 + 4 * d * r1) / d;
    const double a = r1 / 3 * H - s1 / (6 * d) * C,
                 b = (3 * p * H * H - 2 * q * C * H + r * C * C) / (20 * d),
                 by_C3 = -s1 / (6 * d) * H + C / (3 * d),
                 by_C5 = (-q * H * H + 2 * r * C * H - 3 * s1 / d * C * C) / (20 * d);
    const double h2 = h * h, now = h * (1 - a * h2 + (3 * a * a - b) * h2 * h2), n2 = now * now;
    return (transformed){now, turned ? -n2 * (by_C3 + n2 * by_C5) : 0.0};
}

/* The errors at t = 10: of Q, and that of DMV6; of the time alone those of Q and y. */
static void add_transformed(table *t, int steps, bool turned)
{
    const double time = REMARK_TIME;
    const transformed w = transform(START.m, time / steps, turned);
    ph_state s = START, right;
    ph_vec3 e;
    bool good = free_exact(J, &START, time, &right);
    for (int n = 0; n < steps && good; n++) {
        good = ph_dmv_solve(J, s.m, w.h, &e);
        const ph_quat turn = ph_quat_unit(quat(1.0, add(e, scale(w.share, times(J, e)))));
        s = (ph_state){mul(s.q, turn), rotate(inverse(turn), s.m)};
    }
    double error_Q = NAN, error_y = NAN;
    if (good) {
        error_Q = free_error(J, &START, time, &s);
        error_y = norm(sub(s.m, right.m));
    }
    ROW(t, ("Remark 2.4", turned ? "turned Q" : "time Q"), time / steps, error_Q, NAN);
    if (!turned)
        ROW(t, ("Remark 2.4", "time y"), time / steps, error_y, NAN);
    s = START;
    if (turned && free_run("dmv6 by Newton", &s, J, time / steps, (uint64_t)steps))
        ROW(t, ("Remark 2.4", "DMV6 Q"), time / steps, free_error(J, &START, time, &s), NAN);
}

static bool compute_remarks(figure_work *work, table *t)
{
    static const char *const names[] = {"dmv4", "dmv_time4"};
    const ph_problem p = body_of_section3();
    for (size_t k = 0; k < COUNT(TIMED_STEPS); k++) {
        int steps = (int)TIMED_STEPS[k];
        const double seconds = best_seconds(work, take_steps, &steps);
        ROW(t, ("cost of DMV8", "steps"), steps, NAN, seconds);
    }
    for (size_t k = 0; k < COUNT(REMARK_STEPS); k++) {
        add_transformed(t, (int)REMARK_STEPS[k], true);
        add_transformed(t, (int)REMARK_STEPS[k], false);
    }
    for (int k = 0; k < 2; k++) {
        ph_integrator i;
        double error = NAN;
        if (!find_integrator(work, names[k], &i) ||
            ph_error_after(&i, &p, REMARK_TIME, (uint64_t)COMPARED_STEPS, &error) != PH_OK)
            return false;
        ROW(t, ("Remark 2.4", names[k]), REMARK_TIME / COMPARED_STEPS, error, NAN);
    }
    return true;
}

static bool compute(figure_work *work, table *t)
{
    static const char *const names[] = {"sr2", "dmv2", "imr2"};
    table_begin(t, "panel,terms,x,error,seconds");
    bool good = compute_run(work, t);
    for (int k = 0; k < 3 && good; k++)
        good = report_progress(work, 0.2 + 0.2 * k) && compute_orders(work, names[k], t);
    return good && report_progress(work, 0.9) && compute_remarks(work, t);
}

/* ---- what it says ---------------------------------------------------------------- */

static void claim_orders(const table *t, claims *out, const char *panel, int first, int count,
                         const char *words)
{
    const double within = 0.3, round_off = 2e-12;
    const table part = table_part(t, "panel", panel);
    for (int k = 0; k < count; k++)
        claim(out, table_order(&part, "terms", TRUNCATIONS[k], "x", "error", round_off),
              first + 2 * k - within, first + 2 * k + within, "%s, terms %s: its order, %d", words,
              TRUNCATIONS[k], first + 2 * k);
}

/* A number in the first of these rows over that in the second. */
static double ratio(const table *t, const char *panel, const char *key, const char *a,
                    const char *b, const char *column)
{
    const table part = table_part(t, "panel", panel);
    return table_ratio(&part, key, a, b, column);
}

static void judge(const table *t, claims *out)
{
    quote(out, "3",
          "symplectic integrator. In the context of backward error analysis (see Sect. "
          "4.3) this means that the modified differential equation is of the form");
    claim_orders(t, out, "sr2", 2, PH_TRUNCATIONS, "SR2 keeps a modified Hamiltonian");
    quote(out, "Lemma 4.1",
          "The numerical solution of the DMV algorithm is formally equal to the exact "
          "solution of (10)");
    claim_orders(t, out, "dmv2", 2, PH_TRUNCATIONS,
                 "DMV follows the motion of K, with K3 and K5 as printed");
    quote(out, "table 2, note 1", "IMR2r (r >= 1) is Poisson with respect to a different bracket");
    claim_orders(t, out, "bracket", 3, 2, "IMR keeps the bracket of g(y) hat(y)");
    quote(out, "Remark 3.1", "10 steps of DMV8 is only about 4 times more expensive than one step");
    const double about = 1.5; /* times more or less */
    claim(out, ratio(t, "cost of DMV8", "x", "10", "1", "seconds"), 4.0 / about, 4.0 * about,
          "ten steps of DMV8 with moments computed once: their time over one");
    quote(out, "Remark 2.4", "this modification of DMV is inferior to that of Algorithm 2.2");
    claim(out, ratio(t, "Remark 2.4", "terms", "dmv_time4", "dmv4", "error"), 1.0, INFINITY,
          "transformed time, order 4, over DMV4: errors at t = 10");
    claim(out, ratio(t, "Remark 2.4", "terms", "turned Q", "DMV6 Q", "error"), 1.0, INFINITY,
          "the same of order 6 over DMV6: errors of Q at t = 10, h = 0.2");
    const table remark = table_part(t, "panel", "Remark 2.4");
    static const struct {
        const char *words, *which, *text;
        double order;
    } orders[] = {
        {"It is possible to complement this time transformation to obtain high order "
         "also "
         "for the rotation matrix Q",
         "turned Q", "with the turn complemented Q", 6},
        {"improves the order of the DMV algorithm for the angular momentum y but not for "
         "the rotation matrix Q",
         "time y", "with the time transformation alone y", 6},
        {"improves the order of the DMV algorithm for the angular momentum y but not for "
         "the rotation matrix Q",
         "time Q", "with the time transformation alone Q", 2},
    };
    for (size_t k = 0; k < COUNT(orders); k++) {
        quote(out, k == 0 ? "Remark 2.4" : "1", orders[k].words);
        claim(out, table_order(&remark, "terms", orders[k].which, "x", "error", 1e-12),
              orders[k].order - 0.3, orders[k].order + 0.3, "%s has order %.0f: slope",
              orders[k].text, orders[k].order);
    }
}

static const figure_number USED[] = {{"inertia", &J.x, 3},
                                     {"momentum", &START.m.x, 3},
                                     NUMBER("step of the run", RUN_STEP),
                                     NUMBERS("steps of the run", RUN_STEPS),
                                     NUMBER("step that is timed", TIMED_STEP),
                                     NUMBERS("steps that are timed", TIMED_STEPS),
                                     NUMBER("time", REMARK_TIME),
                                     NUMBERS("steps in it", REMARK_STEPS),
                                     NUMBER("steps of order 4 in it", COMPARED_STEPS),
                                     {0}};

const ph_figure ph_figure_hairer_vilmart_section4[1] = {
    FIGURE_OF("hairer_vilmart_section4", 2, 3, compute, judge, "hairer_vilmart_section4", NULL,
              NULL, USED),
};
