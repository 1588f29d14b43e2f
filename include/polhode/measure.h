/* measure.h - what an integrator keeps, measured: its order, symmetries, invariants,
 * structures and drift, one function per property, and one that measures all of them.
 *
 * For anything that steps: what the catalog names, or a ph_method or ph_flow of your own,
 *
 *     ph_measurement found;
 *     const ph_integrator mine = {.method = &my_method};
 *     ph_measure(&mine, NULL, &found);
 *     if (found.field.symplectic != PH_ANSWER_YES)
 *         printf("defect %g\n", found.field.symplectic_defect);
 *
 * Everything in the frame of the body. Nothing here prints or keeps state. A call
 * that is repeated gives the same numbers, apart from the time a step takes.
 */
#ifndef POLHODE_MEASURE_H
#define POLHODE_MEASURE_H

#include "polhode/body.h"
#include "polhode/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors and order ------------------------------------------------------------ */

/* The largest difference of an element of R or a component of m. */
PH_API double ph_state_distance(const ph_state *a, const ph_state *b);

/* The integrator that such a problem is done with to round-off: `exact`, in a field
 * `s6_10+exact`, and where the torque depends on the velocity or there is an internal
 * momentum `mkrk_gl6`; a static string. */
PH_API const char *ph_reference_integrator(const ph_problem *p);

/* *s a time T later, the clock starting at 0, with that integrator. PH_BAD_TIME beyond
 * 1e12. */
PH_API ph_status ph_reference_solution(const ph_problem *p, double T, ph_state *s);

/* The distance from there after that many steps of T/steps from the problem's start.
 * PH_TOO_FEW_STEPS of none. */
PH_API ph_status ph_error_after(const ph_integrator *i, const ph_problem *p, double T,
                                uint64_t steps, double *error);

/* The order: the slope of these errors between the finest two numbers of steps, out of 4,
 * 5, 6, 8, 10, 12, 16 ... 256, both of whose errors are above 1e-12. NaN where there are
 * no two; *coarsest (if not NULL) is the error after 4 steps. */
PH_API ph_status ph_order_slope(const ph_integrator *i, const ph_problem *p, double T,
                                double *slope, double *coarsest);

/* ---- one step -------------------------------------------------------------------- */

/* The distance of Phi(-h) Phi(h) s from s: 0 if the step is symmetric in time. */
PH_API ph_status ph_symmetry_defect(const ph_integrator *i, const ph_problem *p,
                                    const ph_state *s, double h, double *defect);

/* With rho the reversal of the momentum: the distance of rho Phi(h) rho Phi(h) s from s,
 * 0 if the step is reversible, as the motion is in a field that does not change. */
PH_API ph_status ph_reversal_defect(const ph_integrator *i, const ph_problem *p,
                                    const ph_state *s, double h, double *defect);

/* What a step leaves of the structure of mechanics, by its derivative D. Left-trivialised
 * tangent vectors (xi, eta) move (q, m) to (q exp(s xi), m + s eta); the canonical form
 * is W(m) = [[-hat(m), 1], [-1, 0]]. D is the tangent map of a splitting of exact free motion,
 * to round-off; of others it is found by six-point central differences over 1e-3: a step that
 * keeps the structure leaves some 1e-12. PH_NO_CONVERGENCE where the step jumps within
 * these points, and has no derivative: one that divides itself by a rule does where the
 * number of its parts changes. */
typedef struct ph_structure_defects {
    double symplectic; /* max |D^T W(m+) D - W(m)| */
    double poisson;    /* of the momenta alone, max |D22 hat(m) D22^T - hat(m+)| */
} ph_structure_defects;

PH_API ph_status ph_measure_structure(const ph_integrator *i, const ph_problem *p,
                                      const ph_state *s, double h,
                                      ph_structure_defects *out);

/* ---- runs ------------------------------------------------------------------------ */

/* How far what is to be constant moves: the largest distance from the start, over a run
 * of that many steps of h from the problem's start. */
typedef struct ph_invariant_errors {
    double energy;
    double momentum; /* angular, in space */
    double vertical; /* its component along e3 */
    double casimir;  /* its length */
    double unit;     /* |q|, from 1 */
    uint64_t taken;  /* steps made before a failure, if there was one */
} ph_invariant_errors;

PH_API ph_status ph_measure_invariants(const ph_integrator *i, const ph_problem *p,
                                       double h, uint64_t steps,
                                       ph_invariant_errors *out);

/* The trend of the energy over such a run: the least-squares slope of E(t) over all
 * steps, and the standard error of a slope from the scatter of the means of PH_BLOCKS
 * equal parts of the run about their own line. NaN of a run that failed, or that has
 * fewer steps than parts. */
enum { PH_BLOCKS = 20 };

typedef struct ph_trend {
    double h;
    double initial;        /* the energy at the start */
    double max_error;      /* max |E - E0| */
    double slope;          /* energy per time */
    double standard_error; /* of the slope */
    uint64_t taken;        /* steps made */
    bool drifts;           /* the slope is above 6 standard errors; and what it makes of
                              the whole run above 2 % of the largest error, and above
                              1e-15 of the energy per step, which is round-off. Or the
                              run failed */
    bool exceeds_tenth;    /* the largest error is above 10 % of the energy */
} ph_trend;

PH_API ph_status ph_energy_trend(const ph_integrator *i, const ph_problem *p, double h,
                                 uint64_t steps, ph_trend *out);

/* The same of a system, which takes these steps; what it watches is watched. */
PH_API ph_status ph_system_energy_trend(ph_system *s, uint64_t steps, ph_trend *out);

/* Whether the energy drifts in a field, decided: a triaxial body in three fields, from four
 * starts in each, in runs that grow until the slope of one is resolved in three segments in
 * succession, or all are bounded by 1e-12 of the kinetic energy per unit of time
 * (docs/check.md). */
typedef enum ph_energy_kind {
    PH_ENERGY_DRIFTS,
    PH_ENERGY_BOUNDED,
    PH_ENERGY_EXACT,
    PH_ENERGY_UNDECIDED, /* in a field */
} ph_energy_kind;

typedef struct ph_energy_test {
    ph_energy_kind verdict; /* never PH_ENERGY_EXACT */
    const char *problem;    /* of the run that drifts, or has the widest bound */
    double slope;           /* energy per time in its last segment */
    double standard_error;  /* NaN: it was lost too soon */
    double kinetic;         /* its kinetic energy at the start */
    double horizon;         /* the time that it reached */
} ph_energy_test;

/* Stops, undecided, when a further segment would take more torques than that. */
PH_API ph_energy_test ph_energy_verdict(const ph_integrator *i, uint64_t most_torques);

/* The largest step of 2^(k/4), k = -20 ... 12, at which the energy stays within 10 % over
 * that many steps, found by bisection: it does there, and does not at the next, if there is
 * one. 0 if it does not at the smallest. */
PH_API double ph_stable_step(const ph_integrator *i, const ph_problem *p, uint64_t steps);

/* ---- chaos ----------------------------------------------------------------------- */

/* The largest Lyapunov exponent of a motion, per time, by the tangent map of its steps; its
 * standard error, at least log(1 + T)/T, which a regular motion shows; over the time T. */
typedef struct ph_lyapunov {
    double exponent, error, time;
} ph_lyapunov;

/* Of a system of any kind, from its state on, with a second system made as the first was;
 * both end anywhere. PH_TOO_FEW_STEPS of fewer than 176 steps, PH_NOT_APPLICABLE if they choose
 * their steps, or what these return. */
PH_API ph_status ph_system_lyapunov(ph_system *s, ph_system *twin, uint64_t steps,
                                    ph_lyapunov *out);

/* Of a body from the start of its problem; a method that chooses its steps cuts each of h,
 * to a tolerance of 1e-14. */
PH_API ph_status ph_measure_lyapunov(const ph_integrator *i, const ph_problem *p,
                                     double h, uint64_t steps, ph_lyapunov *out);

/* ---- modified Hamiltonians ------------------------------------------------------- */

/* How many truncations of a series in h^2 there are: H, with h^2, with h^4. */
enum { PH_TRUNCATIONS = 3, PH_MODIFIED_STEPS = 5 };

/* The modified Hamiltonian H + h^2 H3 + h^4 H5 of a splitting, truncated after each of its
 * terms, at a state. PH_NOT_APPLICABLE unless the integrator is a flow of order PH_ORDER_EXACT,
 * mr, sr2, sr4 or sr6, composed or not, alone or in a scheme, the whole composed or not. */
PH_API ph_status ph_modified_energies(const ph_integrator *i, const ph_problem *p,
                                      const ph_state *s, double h,
                                      double energy[PH_TRUNCATIONS]);

/* With steps of 0.4, 0.2 ... to the time 8, for each truncation: the largest change of the
 * modified Hamiltonian along the run; of dmv2 and imr2, which keep theirs, the distance at
 * the end from the motion of the modified equation. And the orders that these show, NaN
 * where they are round-off. */
typedef struct ph_modified_measurement {
    bool motion; /* dmv2, imr2 */
    double time;
    double h[PH_MODIFIED_STEPS];
    double error[PH_TRUNCATIONS][PH_MODIFIED_STEPS];
    double slope[PH_TRUNCATIONS];
    bool bracket; /* imr2: defect of one step in the bracket that it keeps */
    double bracket_defect[PH_TRUNCATIONS][PH_MODIFIED_STEPS];
    double bracket_slope[PH_TRUNCATIONS];
} ph_modified_measurement;

/* PH_NOT_APPLICABLE of an integrator whose modified Hamiltonian is not known. */
PH_API ph_status ph_measure_modified(const ph_integrator *i,
                                     ph_modified_measurement *out);

/* ---- all of it ------------------------------------------------------------------- */

typedef enum ph_answer {
    PH_ANSWER_NO,
    PH_ANSWER_YES,
    PH_ANSWER_UNRESOLVED, /* the measurement cannot tell */
} ph_answer;

/* How an integrator behaves on the free body, or in a field. */
typedef struct ph_properties {
    bool applies; /* it can do this; if not, nothing below has a meaning */
    ph_answer symmetric, reversible, symplectic, momentum;
    ph_answer poisson, casimir; /* in a field: of the whole; and no */
    ph_energy_kind energy;

    double symmetry_defect, reversal_defect; /* worst of the states, at h = 0.1 */
    double symplectic_defect;                /* worst of the states, at h = 0.4 */
    double poisson_defect;  /* of the momenta of a free body, at h = 0.4 */
    double step_error;      /* of one step of 0.4 */
    double energy_error[2]; /* at h = 0.1 and 0.5 */
    double momentum_error;  /* at h = 0.1: in a field, about its axis of symmetry */
    double casimir_error;   /* at h = 0.1 */
} ph_properties;

typedef struct ph_measurement {
    double order;              /* the slope; NaN: not resolved */
    bool exact;                /* no truncation error: then order is NaN */
    bool candidate;            /* not symplectic in a field, and yet bounded */
    ph_properties free, field; /* without and with torque; a flow has no field */
    double unit_error;         /* largest | |q| - 1 | in the runs for invariants */
    ph_energy_test test;       /* in a field: what its energy's word follows */
    ph_trend drift[2];         /* on the problem `well`, h = 0.125 and 0.25 */
    double stable_step;        /* on the well, in steps of 2^(k/4) */
    double torques;            /* per step on the well */
    double nanoseconds; /* per step there, or of the free body; NaN: not asked for */
} ph_measurement;

/* How much work goes into a measurement. A member that is 0 means its default. */
typedef struct ph_measure_settings {
    int states;             /* random states of the tests of one step: 20 */
    uint64_t steps;         /* of the runs for invariants: 10000 */
    double drift_time;      /* of the runs on the well: 10000 */
    uint64_t drift_torques; /* of the runs that decide on the energy: 4e7 */
    uint64_t stable_steps;  /* of the runs for the largest stable step: 10000 */
    double (*clock)(void);  /* seconds; NULL: no times are measured */

    /* Asked before every step whether to go on; NULL: always. From several threads at once
     * in ph_measure_all. */
    bool (*go_on)(void *context);
    void *context;
} ph_measure_settings;

/* Measures all of it; NULL is the default. The definitions are in docs/check.md. Random
 * states in which a step fails are left out; without any left, the number is NaN and the
 * answer PH_ANSWER_NO. In a run that fails nothing is kept. False if it was told not to go on;
 * then nothing in *out has a meaning. */
PH_API bool ph_measure(const ph_integrator *i, const ph_measure_settings *settings,
                       ph_measurement *out);

/* Measures many integrators, on all cores. `done` (or NULL) is called after each with the
 * number of those finished, by one thread at a time; if it returns false, no more are
 * begun, and those begun are finished. Returns whether all were measured. */
PH_API bool ph_measure_all(const ph_integrator *i, size_t count,
                           const ph_measure_settings *settings,
                           bool (*done)(void *context, size_t how_many), void *context,
                           ph_measurement *out);

/* What an integrator was seen to keep, as bits of ph_keeps. */
PH_API unsigned ph_properties_keep(const ph_properties *c);

/* In which bits a claim is not what was measured, in a field or on the free body. What was
 * kept without being claimed is no mismatch where a step is too near the motion to tell. */
PH_API unsigned ph_measurement_mismatches(const ph_measurement *s, bool field,
                                          unsigned claimed);

/* ---- how long the digits of a run hold --------------------------------------------- */

/* A run that chooses its steps is followed by a companion: the same problem, method and start at
 * PH_COMPANION times the tolerance, or the largest that there is, and displaced at the start by
 * that tolerance. The two part faster than the run parts from the motion. The digits that the tolerance asks for hold as long as
 * they are no further apart than a hundred times what the steps of the companion's tolerance,
 * as many as the run has taken, may add up to. */
#define PH_COMPANION 100.0

typedef struct ph_digits {
    ph_system *companion; /* the caller's; it moves along */
    double begin, end;    /* of the run */
    double held;          /* until when the digits hold, as far as is known */
    double apart;         /* how far the two are apart, at the last comparison */
    bool lost;            /* they do not hold any more */
    double next;          /* time of the next comparison */
    double tolerance;     /* the companion's */
} ph_digits;

/* Begins at the start of a run; PH_NOT_APPLICABLE unless the companion chooses its steps. Then
 * to be called after each step: compares at 512 times, about evenly spaced. The run is not
 * changed. What the companion's steps return. */
PH_API ph_status ph_digits_begin(ph_digits *d, ph_system *companion, double end);
PH_API ph_status ph_digits_follow(ph_digits *d, const ph_system *s);

/* ---- on one problem ---------------------------------------------------------------- */

#define PH_KEPT 1e-11 /* the relative error to which something is kept exactly */

/* What an integrator does on a problem of any kind of system, from its start. */
typedef struct ph_problem_measurement {
    double large_step; /* at which the reference of the kind is right to 1e-6 */
    double step;       /* an eighth of it */
    double order;      /* the slope of errors, of large steps and parts of them; or NaN */
    ph_answer symmetric; /* a large step and one back */
    double symmetry_defect;
    /* Over 10^4 steps; the energy is exact if it is over 1000 large ones too. Errors are
     * relative: of the energy, and the largest of other vectors that the exact motion keeps.
     * Undecided: it does not keep the energy; unresolved: there are no such vectors. */
    ph_energy_kind energy;
    ph_answer momentum;
    double energy_error, momentum_error;
    ph_trend drift;
} ph_problem_measurement;

/* The step of the settings does not count. PH_NOT_APPLICABLE of a method that chooses its
 * steps, PH_NO_CONVERGENCE if no step is right, and what ph_system_create() and steps
 * return. */
PH_API ph_status ph_measure_problem(const ph_system_settings *with,
                                    ph_problem_measurement *out);

/* ---- drift, predicted and measured ------------------------------------------------- */

enum { PH_DRIFT_STARTS = 50 }; /* of an ensemble; 8 if they agree to 1 % */

typedef struct ph_drift_slope {
    double step, slope, error; /* of the energy per time, and its standard error */
    uint64_t steps;            /* of each run */
    int starts;                /* neighbouring ones, over which it is the mean */
    int reserved;
} ph_drift_slope;

typedef struct ph_drift_measurement {
    double step;
    double predicted,
        predicted_error;        /* slope at that step, the first two powers of it */
    ph_drift_slope measured[2]; /* at that step, and at half of it */
    double power;               /* of the step, in the measured slopes */
    int order, predicted_power; /* of the larger term: the order, or one more */
} ph_drift_measurement;

/* The drift of the energy on a problem of any kind: what the leading error of single steps makes
 * of it in the mean over the exact motion, and what runs show. With step 0, a quarter of the
 * large step of ph_measure_problem(). PH_NOT_APPLICABLE of a method that chooses its steps or has
 * no order, and what ph_system_create() and steps return. */
PH_API ph_status ph_measure_drift(const ph_system_settings *with, double step,
                                  ph_drift_measurement *out);

/* ---- how large a step may be --------------------------------------------------------- */

enum { PH_SCAN_STEPS = 113 }; /* seven octaves of sixteen */

typedef struct ph_scan_row {
    double step, turn; /* h, and h times the rate */
    double error;      /* the largest relative error of the energy in 2000 steps */
    double power;      /* of h in it, over the octave below; NaN of the first octave */
    bool tongue;       /* an error above those of smaller and larger steps */
    char reserved[7];
} ph_scan_row;

typedef struct ph_step_scan {
    double rate;    /* |w| of a body at the start, else the inverse of the large step */
    double bounded; /* all errors up to this step are below a tenth; 0: none */
    double reduced; /* from this step on the power is less than order - 1; 0: nowhere */
    int order, tongues; /* how many there are */
    ph_scan_row row[PH_SCAN_STEPS];
} ph_step_scan;

/* Scans the steps of an integrator on a problem of any kind, from the step of the settings, or
 * (0) an eighth of the large step of ph_measure_problem(). Returns what that does. */
PH_API ph_status ph_scan_steps(const ph_system_settings *with, ph_step_scan *out);

/* ---- at a temperature ---------------------------------------------------------------- */

enum { PH_THERMAL_STEPS = 4, PH_THERMAL_AXES = 6 };

/* A mean over a run, with its standard error by blocking. */
typedef struct ph_mean {
    double value, error;
} ph_mean;

/* What a thermostat samples with steps of one length; NaN where there is nothing. */
typedef struct ph_thermal_row {
    double step;
    ph_mean kinetic[PH_THERMAL_AXES]; /* temperatures at the end of steps, of the momenta
                                       * along x, y, z and about the axes of the bodies */
    ph_mean within[2]; /* where the thermostat acts, of the momenta, of the rotations */
    ph_mean potential;
    double time; /* autocorrelation time of the potential */
} ph_thermal_row;

typedef struct ph_thermal {
    double temperature;
    double exact; /* mean of the potential of one body, by quadrature; else NaN */
    uint64_t samples;
    ph_thermal_row row[PH_THERMAL_STEPS]; /* of h, 3h/4, h/2, h/4 */
    /* The bias is fitted by a + b h^2 + c h^4. The limits are `a` over its standard error: of the worst
     * temperature, and of the potential against the exact mean, NaN where there is none. The
     * biases are b h^2 at the largest step, of temperatures the largest one. */
    double kinetic_limit, potential_limit;
    ph_mean kinetic_bias, potential_bias;
    ph_mean potential; /* for h -> 0 */
    ph_mean
        potential_power; /* of h in its bias, from h and h/2; NaN without an exact mean */
    ph_answer verdict;   /* yes: all limits are below 4, and known to 3 % of T */
} ph_thermal;

/* Runs a thermostat on a problem of any kind with the steps h, 3h/4, h/2 and h/4, on as many
 * threads, `samples` each (0: the default), after an eighth of the time that so many steps h
 * take. h is the step of the settings, 0: twice the large step of ph_measure_problem(), halved
 * while runs fail. Returns PH_NOT_APPLICABLE of an integrator without a thermostat,
 * PH_NO_CONVERGENCE if there is no such step, and what ph_system_create() and steps return.
 * `go_on`, or NULL, is called now and then with the part that is done, by one thread at a time;
 * false ends it all, and `samples` of *out is 0. */
PH_API ph_status ph_measure_thermal(const ph_system_settings *with, uint64_t samples,
                                    bool (*go_on)(void *context, double done),
                                    void *context, ph_thermal *out);

/* ---- in quadruple precision ---------------------------------------------------------- */

/* What a step of a free body keeps, where doubles cannot tell: by the same formulas, of dmv2 to
 * dmv16 and mr, composed or not, in numbers of 33 digits (18 where the compiler has no such). Of
 * other flows in doubles, with longer steps. */
typedef struct ph_precision {
    double step;
    double symplectic_defect, poisson_defect, energy_error; /* the worst of the states */
    ph_answer symplectic, poisson, energy;                  /* kept to 1e-20 */
    int states; /* random ones; those that the step cannot do undivided are left out */
    bool quadruple; /* or doubles, with a step so long that its error is plain */
} ph_precision;

/* PH_NOT_APPLICABLE of what is no flow, or an exact one. */
PH_API ph_status ph_measure_precisely(const ph_integrator *i, ph_precision *out);

#ifdef __cplusplus
}
#endif

#endif
