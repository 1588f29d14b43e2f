/* properties.h - one measurement for each property of an integrator. polhode/measure.h has the one that
 * measures all properties, and the types that they share.
 *
 * States are in the body frame. On failure a function that returns a ph_status leaves a single
 * number unchanged. The content of a structure is then unspecified unless a comment says otherwise.
 */
#pragma once

#include "lab/measure/convergence.h"
#include "polhode/measure.h"

/* ---- one step -------------------------------------------------------------------- */

/* Stores in *defect the distance of Phi(-h) Phi(h) s from s, where Phi(h) is a step of h. It is 0 if
 * the step is symmetric in time. Returns PH_OK, or the status of a step that failed. */
ph_status ph_symmetry_defect(const ph_integrator *i, const ph_problem *p, const ph_state *s,
                             double h, double *defect);

/* Stores in *defect the distance of rho Phi(h) rho Phi(h) s from s, where rho reverses the momentum.
 * It is 0 if the step is reversible, as the motion is in a constant field. Returns PH_OK, or the
 * status of a step that failed. */
ph_status ph_reversal_defect(const ph_integrator *i, const ph_problem *p, const ph_state *s,
                             double h, double *defect);

/* The defects of the structures of mechanics after a step with the derivative D. Left-trivialised
 * tangent vectors (xi, eta) move (q, m) to (q exp(s xi), m + s eta). The canonical form is
 * W(m) = [[-hat(m), 1], [-1, 0]]. */
typedef struct ph_structure_defects {
    double symplectic; /* max |D^T W(m+) D - W(m)| */
    double poisson;    /* for the momenta alone, max |D22 hat(m) D22^T - hat(m+)| */
} ph_structure_defects;

/* Measures the defects of the structures for a step of h from the state s.
 *
 * For a splitting of exact free motion, D is the tangent map, exact to round-off. For other
 * integrators, D is computed by six-point central differences over 1e-3. A step that preserves the
 * structure then leaves a defect of about 1e-12.
 *
 * Returns PH_OK, or the status of a step that failed. Returns PH_NO_CONVERGENCE if the step is not
 * continuous between these points: a step that divides itself jumps where the number of its
 * parts changes. On failure *out is unchanged. */
ph_status ph_measure_structure(const ph_integrator *i, const ph_problem *p, const ph_state *s,
                               double h, ph_structure_defects *out);

/* ---- runs ------------------------------------------------------------------------ */

/* The largest deviations of invariants from their values at the start of a run. */
typedef struct ph_invariant_errors {
    double energy;
    double momentum; /* angular momentum in space */
    double vertical; /* its component along e3 */
    double casimir;  /* its length */
    double unit;     /* |q|, from 1 */
    uint64_t taken;  /* number of steps taken */
} ph_invariant_errors;

/* Measures the deviations of invariants in a run of `steps` steps of h from the start of the
 * problem. Returns PH_OK, or the status of the step that failed; *out then covers the steps before
 * it. */
ph_status ph_measure_invariants(const ph_integrator *i, const ph_problem *p, double h,
                                uint64_t steps, ph_invariant_errors *out);

/* Measures the trend of the energy in a run of `steps` steps of h from the start of the problem.
 * Returns PH_OK, a status of ph_system_create(), or the status of the step that failed. */
ph_status ph_energy_trend(const ph_integrator *i, const ph_problem *p, double h, uint64_t steps,
                          ph_trend *out);

/* Measures the trend of the energy of a system, which takes `steps` steps. Returns PH_OK, or the
 * status of the step that failed. */
ph_status ph_system_energy_trend(ph_system *s, uint64_t steps, ph_trend *out);

/* Decides whether the energy drifts in a field and returns the verdict.
 *
 * A triaxial body moves in three fields, from four starts in each. The runs are lengthened until
 * the slope of one is resolved in three consecutive segments, or until all slopes are below 1e-12
 * of the kinetic energy per unit of time (docs/check.md). The verdict is PH_ENERGY_UNDECIDED if
 * this would need more than most_torques evaluations of the torque. */
ph_energy_test ph_energy_verdict(const ph_integrator *i, uint64_t most_torques);

/* Returns the largest stable step: the energy stays within 10 % over `steps` steps. The function
 * tries steps of 2^(k/4), k = -20 to 12, by bisection. The next larger of these steps is not
 * stable. Returns 0 if the smallest step is not stable. */
double ph_stable_step(const ph_integrator *i, const ph_problem *p, uint64_t steps);

/* ---- chaos ----------------------------------------------------------------------- */

/* The largest Lyapunov exponent of a motion. */
typedef struct ph_lyapunov {
    double exponent; /* per time */
    double error;    /* standard error, at least log(1 + T)/T as for a regular motion */
    double time;     /* the time T over which it was measured */
} ph_lyapunov;

/* Measures the Lyapunov exponent of a system of any kind from its present state, over `steps`
 * steps. `twin` is a second system created with the same settings. The final states of both are
 * unspecified.
 *
 * Returns PH_OK. Returns PH_TOO_FEW_STEPS if `steps` is below 176. Returns PH_NOT_APPLICABLE if the
 * integrator is adaptive or the two systems differ. Otherwise it returns the status of the step
 * that failed. On failure *out is unchanged. */
ph_status ph_system_lyapunov(ph_system *s, ph_system *twin, uint64_t steps, ph_lyapunov *out);

/* Measures the Lyapunov exponent of a body from the start of its problem, over `steps` steps of h.
 * An adaptive method divides each step of h for a tolerance of 1e-14. Returns the statuses of
 * ph_system_lyapunov() and ph_system_create(). On failure *out is unchanged. */
ph_status ph_measure_lyapunov(const ph_integrator *i, const ph_problem *p, double h, uint64_t steps,
                              ph_lyapunov *out);

/* ---- modified Hamiltonians ------------------------------------------------------- */

/* The number of truncations of a series in h^2 (H, with h^2, with h^4), and the number of step sizes
 * of ph_measure_modified(). */
enum { PH_TRUNCATIONS = 3, PH_MODIFIED_STEPS = 5 };

/* Computes the modified Hamiltonian H + h^2 H3 + h^4 H5 of a splitting at the state s, truncated
 * after each of its terms.
 *
 * Returns PH_OK. Returns PH_NOT_APPLICABLE unless the integrator is a flow of order
 * PH_ORDER_EXACT, mr, sr2, sr4 or sr6, alone or in a scheme. The flow and the whole step may be
 * composed. Otherwise it returns the status of a step that failed. On failure `energy` is
 * unchanged. */
ph_status ph_modified_energies(const ph_integrator *i, const ph_problem *p, const ph_state *s,
                               double h, double energy[PH_TRUNCATIONS]);

/* How well an integrator follows its modified equation, for steps of 0.4, 0.2 and so on to the time
 * 8. For a splitting, `error` is the largest change of the truncated modified Hamiltonian along the
 * run. For dmv2 and imr2 it is the distance at the end from the motion of the modified equation. */
typedef struct ph_modified_measurement {
    bool motion; /* true for dmv2 and imr2 */
    double time;
    double h[PH_MODIFIED_STEPS];
    double error[PH_TRUNCATIONS][PH_MODIFIED_STEPS];
    double slope[PH_TRUNCATIONS]; /* order of the errors; NaN if they are round-off */
    bool bracket;                 /* true for imr2, which preserves a modified bracket */
    double bracket_defect[PH_TRUNCATIONS][PH_MODIFIED_STEPS]; /* defect of one step in it */
    double bracket_slope[PH_TRUNCATIONS];
} ph_modified_measurement;

/* Measures how well an integrator follows its modified equation. Returns PH_OK, PH_NOT_APPLICABLE if
 * its modified Hamiltonian is not known, or the status of a step that failed. */
ph_status ph_measure_modified(const ph_integrator *i, ph_modified_measurement *out);

/* ---- all properties -------------------------------------------------------------- */

/* Measures `count` integrators on all cores and stores the results in the array out. `settings` may
 * be NULL for the defaults. Several threads call settings->go_on at once.
 *
 * `done` may be NULL. If it is not, it is called after each integrator, by one thread at a time,
 * with the number of those finished. If it returns false, the measurements that have begun are
 * finished and no more begin. Returns true if all integrators were measured. */
bool ph_measure_all(const ph_integrator *i, size_t count, const ph_measure_settings *settings,
                    bool (*done)(void *context, size_t how_many), void *context,
                    ph_measurement *out);

/* Returns what an integrator was measured to preserve, as bits of ph_keeps. */
unsigned ph_properties_keep(const ph_properties *c);

/* Returns the bits of ph_keeps in which a claim differs from the measurement, in a field or on the
 * free body. A property that was measured but not claimed is no mismatch if the step is too near
 * to the exact motion to tell. */
unsigned ph_measurement_mismatches(const ph_measurement *s, bool field, unsigned claimed);

/* ---- on one problem ---------------------------------------------------------------- */

/* An invariant is exact if its relative error is below this number. */
#define PH_KEPT 1e-11

/* The properties of an integrator on a problem of any kind of system, from its start. */
typedef struct ph_problem_measurement {
    double large_step;      /* step at which the reference integrator has an error of 1e-6 */
    double step;            /* an eighth of large_step */
    double order;           /* slope of the errors of large steps and parts of them, or NaN */
    ph_answer symmetric;    /* a large step forward and back */
    double symmetry_defect; /* distance from the start after it */
    /* The energy over 10^4 steps. It is exact only if it is so over 1000 large steps too.
     * PH_ENERGY_UNDECIDED if the exact motion does not conserve the energy. */
    ph_energy_kind energy;
    /* The other vectors that the exact motion preserves, over 10^4 steps. PH_ANSWER_UNRESOLVED if
     * there are none. */
    ph_answer momentum;
    double energy_error, momentum_error; /* largest relative errors */
    ph_trend drift;
} ph_problem_measurement;

/* Measures an integrator on the problem of the settings `with`, whose step is ignored. Returns
 * PH_OK, PH_NOT_APPLICABLE if the method is adaptive, or PH_NO_CONVERGENCE if no step is accurate
 * enough. Otherwise it returns the statuses of ph_system_create() and ph_system_run(). */
ph_status ph_measure_problem(const ph_system_settings *with, ph_problem_measurement *out);

/* ---- drift, predicted and measured ------------------------------------------------- */

/* The number of starts of an ensemble of ph_measure_drift(). It is 8 if these agree to 1 %. */
enum { PH_DRIFT_STARTS = 50 };

/* The measured drift for one step size: the mean over neighbouring starts. */
typedef struct ph_drift_slope {
    double step, slope, error; /* slope of the energy per time, and its standard error */
    uint64_t steps;            /* number of steps of each run */
    int starts;                /* number of starts */
    int reserved;
} ph_drift_slope;

/* The predicted and the measured drift of the energy. */
typedef struct ph_drift_measurement {
    double step;
    double predicted, predicted_error; /* slope at `step` from the first two powers of it */
    ph_drift_slope measured[2];        /* at `step` and at half of it */
    double power;                      /* power of the step in the measured slopes */
    int order, predicted_power;        /* power of the larger term: the order, or one more */
} ph_drift_measurement;

/* Measures the drift of the energy on a problem of any kind. It predicts the drift from the leading
 * error of single steps, averaged over the exact motion, and measures it in runs. If `step` is not
 * positive, the step is a quarter of the large step of ph_measure_problem().
 *
 * Returns PH_OK, PH_NOT_APPLICABLE if the method is adaptive or has no order, or PH_NO_CONVERGENCE
 * if no step is accurate enough. Otherwise it returns the statuses of ph_system_create() and
 * ph_system_run(). */
ph_status ph_measure_drift(const ph_system_settings *with, double step, ph_drift_measurement *out);

/* ---- how large a step may be --------------------------------------------------------- */

/* The number of steps of a scan: seven octaves of sixteen. */
enum { PH_SCAN_STEPS = 113 };

/* The result for one step size. */
typedef struct ph_scan_row {
    double step, turn; /* h, and h times the rate */
    double error;      /* largest relative error of the energy in 2000 steps */
    double power;      /* power of h in the error over the octave below; NaN in the first one */
    bool tongue;       /* the error exceeds those of smaller and larger steps */
    char reserved[7];
} ph_scan_row;

/* The result of a scan. */
typedef struct ph_step_scan {
    double rate;        /* |w| of a body at the start, else 1 / large step */
    double bounded;     /* all errors up to this step are below a tenth; 0 if there is none */
    double reduced;     /* from this step on the power is below order - 1; 0 if nowhere */
    int order, tongues; /* order of the integrator, and number of tongues */
    ph_scan_row row[PH_SCAN_STEPS];
} ph_step_scan;

/* Scans the step sizes of an integrator on a problem of any kind. The smallest step is that of the
 * settings or, if it is 0, an eighth of the large step of ph_measure_problem(). Returns the
 * statuses of ph_measure_problem(). */
ph_status ph_scan_steps(const ph_system_settings *with, ph_step_scan *out);

/* ---- at a temperature ---------------------------------------------------------------- */

/* The number of step sizes, and of components of the momenta. */
enum { PH_THERMAL_STEPS = 4, PH_THERMAL_AXES = 6 };

/* A mean over a run, with its standard error by blocking. */
typedef struct ph_mean {
    double value, error;
} ph_mean;

/* What a thermostat samples with one step size. A value is NaN if it does not exist. */
typedef struct ph_thermal_row {
    double step;
    /* The temperatures at the ends of steps: of the momenta along x, y and z, and of the angular
     * momenta about the axes of the bodies. */
    ph_mean kinetic[PH_THERMAL_AXES];
    /* The temperatures where the thermostat acts: of the momenta, and of the angular momenta. */
    ph_mean within[2];
    ph_mean potential;
    double time; /* autocorrelation time of the potential */
} ph_thermal_row;

/* The result of ph_measure_thermal(). The bias of a mean is fitted by a + b h^2 + c h^4. */
typedef struct ph_thermal {
    double temperature;
    double exact; /* mean of the potential of one body by quadrature, else NaN */
    uint64_t samples;
    ph_thermal_row row[PH_THERMAL_STEPS]; /* for h, 3h/4, h/2, h/4 */
    /* The limits are `a` divided by its standard error: for the worst temperature, and for the
     * potential against its exact mean. The latter is NaN if there is no exact mean. */
    double kinetic_limit, potential_limit;
    /* The biases are b h^2 at the largest step; for temperatures the largest of them. */
    ph_mean kinetic_bias, potential_bias;
    ph_mean potential; /* extrapolated to h = 0 */
    /* The power of h in the bias of the potential, from h and h/2; NaN without an exact mean. */
    ph_mean potential_power;
    ph_answer verdict; /* yes: all limits are below 4 and known to 3 % of the temperature */
} ph_thermal;

/* Runs a thermostat on a problem of any kind with the steps h, 3h/4, h/2 and h/4, each on its own
 * thread. Each run takes `samples` samples (0: the default), after it has settled for an eighth of
 * the time of as many steps of h. h is the step of the settings. If that is 0, h is twice the large
 * step of ph_measure_problem(), halved as long as runs fail.
 *
 * `go_on` may be NULL. If it is not, it is called from time to time, by one thread at a time, with
 * the completed fraction of the work. If it returns false, the runs end, and out->samples is 0.
 *
 * Returns PH_OK, PH_NOT_APPLICABLE if the integrator has no thermostat, or PH_NO_CONVERGENCE if
 * there is no such step. Otherwise it returns the statuses of ph_system_create() and
 * ph_system_run(). */
ph_status ph_measure_thermal(const ph_system_settings *with, uint64_t samples,
                             bool (*go_on)(void *context, double done), void *context,
                             ph_thermal *out);

/* ---- in quadruple precision ---------------------------------------------------------- */

/* What a step of a free body preserves, where double precision cannot tell. */
typedef struct ph_precision {
    double step;
    double symplectic_defect, poisson_defect, energy_error; /* worst of the states */
    ph_answer symplectic, poisson, energy;                  /* yes: to 1e-20 */
    int states;     /* random states; those for which the step must divide are left out */
    bool quadruple; /* false: double precision, with a step long enough to show the error */
} ph_precision;

/* Measures what a step of a flow preserves. For dmv2 to dmv16 and mr, composed or not, it evaluates
 * the same formulas with 33 digits, or 18 if the compiler has no such numbers. For other flows it
 * uses double precision with longer steps.
 *
 * Returns PH_OK, PH_NOT_APPLICABLE if the integrator is not a flow or is exact, or PH_NO_CONVERGENCE
 * if no state is left. */
ph_status ph_measure_precisely(const ph_integrator *i, ph_precision *out);
