/* common.h - what the measurements share: integrators that can be cancelled, lines through
 * means, derivatives of steps, series of operators, modified equations. */
#pragma once

#include "lab/measure/properties.h"
#include "system/kind.h"

/* ---- an integrator whose steps fail once a run is cancelled ---------------------- */

/* The function that is asked whether to go on, until it says no; NULL: it never does. */
typedef struct cancellation {
    bool (*go_on)(void *context);
    void *context;
    bool cancelled;
} cancellation;

/* A flow and a method in front of the real ones. */
typedef struct cancellable {
    ph_flow flow;
    ph_method method;
    ph_integrator real;
    cancellation *cancel;
} cancellable;

/* The integrator i, every step of which, also those of a composition and the drifts of a
 * scheme, asks before it begins, and fails once cancelled; an adaptive one as a method whose
 * step of h is made to its tolerance. It lives in *c, and needs *cancel and what i is made
 * of. */
ph_integrator ph_cancellable(cancellable *c, const ph_integrator *i, cancellation *cancel);

/* The integrator that one of these over a flow stands for; any other itself. */
const ph_integrator *ph_real_integrator(const ph_integrator *i);

/* Asks, unless the answer was no before. */
bool ph_cancelled(cancellation *cancel);

/* ---- regression ------------------------------------------------------------------ */

typedef struct regression_line {
    double slope, standard_error; /* from the scatter of the means about the line */
} regression_line;

/* With r_k the residuals of `count` means y_k at x_k:
 *
 *   standard error = sqrt( sum r_k^2 / (count - 2) / sum (x_k - mean)^2 ) */
regression_line ph_regression(const double *x, const double *y, int count);

/* Moves a system to a neighbouring start: all momenta or velocities times 1 + 1e-8 k. Returns the
 * status of ph_system_changed(). */
ph_status ph_neighbouring_start(ph_system *s, int k);

/* ---- structure of a step --------------------------------------------------------- */

/* Whether the derivative of its step is known to round-off, and not by differences. */
bool ph_structure_is_sharp(const ph_integrator *i);

/* max |D22 g(m) hat(m) D22^T - g(m+) hat(m+)|, the bracket of a scaled hat(m). */
ph_status ph_scaled_poisson_defect(const ph_integrator *i, const ph_problem *p, const ph_state *s,
                                   double h, double (*scale)(const void *context, ph_vec3 m),
                                   const void *context, double *defect);

/* The largest power of 2 up to which a step of the reference of a kind is right to 1e-6, and
 * changes the state by less than half of it; 0: none. */
double ph_large_step(const ph_system_settings *with, const char *reference);

/* ---- series of operators --------------------------------------------------------- */

/* A truncated power series in operators that do not commute, for the formula of Baker,
 * Campbell and Hausdorff: a coefficient for every word of up to BCH_DEGREE letters out of
 * `letters`, those of one letter after that of the empty word, and so on; words of one length
 * in the order of numbers whose first digit is the first letter. */
enum { BCH_DEGREE = 5, BCH_LETTERS = 4, BCH_MOST = 1365 };

typedef struct bch_series {
    int letters;
    double of[BCH_MOST];
} bch_series;

/* Where the words of a length begin, and how many there are. */
size_t ph_bch_begin(const bch_series *w, int length);
size_t ph_bch_count(const bch_series *w, int length);

/* The series 1; and a = a b. */
void ph_bch_one(bch_series *w, int letters);
void ph_bch_multiply(bch_series *a, const bch_series *b);

/* The exponential of a series without constant term, and the logarithm of one with the
 * constant term 1. */
void ph_bch_exp(bch_series *out, const bch_series *z);
void ph_bch_log(bch_series *out, const bch_series *a);

/* ---- modified Hamiltonians of splittings, modified equations of dmv2 and imr2 ---- */

/* Whether the parts of an integrator are known: an exact flow, mr, sr2, sr4, sr6, composed or
 * not, alone or in a scheme, the whole composed or not. */
bool ph_is_splitting(const ph_integrator *i);

/* A step of it part by part, without force gradients; for tests. */
ph_status ph_splitting_by_parts(const ph_integrator *i, const ph_problem *p, ph_state *s, double h);

typedef enum modified_equation { MODIFIED_UNKNOWN, MODIFIED_DMV, MODIFIED_IMR } modified_equation;

/* The modified Hamiltonian (of imr2: H), and the modified velocity s J^-1 m + d m, of the
 * first `powers` powers of h^2, up to 2. */
typedef struct modified_terms {
    double value, s, d;
} modified_terms;
modified_terms ph_modified_terms(modified_equation e, ph_vec3 J, ph_vec3 m, int powers, double h);

/* The motion of a modified equation, over the time T. */
typedef struct modified_motion {
    modified_equation equation;
    ph_vec3 J;
    double h; /* the step that it belongs to */
    int powers;
} modified_motion;
void ph_modified_run(const modified_motion *e, ph_state *s, double T);
