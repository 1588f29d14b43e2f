/* measure.h - measures the properties of an integrator: order, symmetries, invariants, structures
 * and drift.
 *
 * ph_measure() measures any integrator: one of the catalog, or a ph_method or ph_flow of your own.
 *
 *     ph_measurement found;
 *     const ph_integrator mine = {.method = &my_method};
 *     ph_measure(&mine, NULL, &found);
 *     if (found.field.symplectic != PH_ANSWER_YES)
 *         printf("defect %g\n", found.field.symplectic_defect);
 *
 * States are in the body frame. No function here prints or keeps state. A repeated call gives the
 * same numbers, except for measured times.
 */
#ifndef POLHODE_MEASURE_H
#define POLHODE_MEASURE_H

#include "polhode/body.h"
#include "polhode/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- energy ---------------------------------------------------------------------- */

/* The number of equal parts of a run from whose means the error of a slope is computed. */
enum { PH_BLOCKS = 20 };

/* The trend of the energy over a run. The slope is the least-squares slope over all steps. Its
 * standard error follows from the scatter of the means of PH_BLOCKS equal parts of the run about
 * their own line. Both are NaN if the run failed or has fewer than PH_BLOCKS steps. */
typedef struct ph_trend {
    double h;              /* step size */
    double initial;        /* energy at the start */
    double max_error;      /* largest |E - E0| */
    double slope;          /* energy per time */
    double standard_error; /* standard error of the slope */
    uint64_t taken;        /* number of steps taken */
    /* True if the run failed, or if the slope exceeds 6 standard errors and is relevant. A slope is
     * relevant if it adds up over the run to more than 2 % of the largest error, and to more than
     * 1e-15 of the energy per step, which is round-off. */
    bool drifts;
    bool exceeds_tenth; /* the largest error exceeds 10 % of the energy */
} ph_trend;

/* The long-term behaviour of the energy. */
typedef enum ph_energy_kind {
    PH_ENERGY_DRIFTS,
    PH_ENERGY_BOUNDED,
    PH_ENERGY_EXACT,
    PH_ENERGY_UNDECIDED, /* the runs do not decide */
} ph_energy_kind;

/* The verdict on the drift of the energy in a field, and the run on which it rests. */
typedef struct ph_energy_test {
    ph_energy_kind verdict; /* never PH_ENERGY_EXACT */
    const char *problem;    /* problem of the run that drifts, or has the widest bound */
    double slope;           /* energy per time in the last segment of that run */
    double standard_error;  /* of the slope; NaN if the run ended too early */
    double kinetic;         /* kinetic energy at the start of that run */
    double horizon;         /* time that the run reached */
} ph_energy_test;

/* ---- all properties -------------------------------------------------------------- */

/* The answer of a measurement. */
typedef enum ph_answer {
    PH_ANSWER_NO,
    PH_ANSWER_YES,
    PH_ANSWER_UNRESOLVED, /* the measurement does not decide */
} ph_answer;

/* The properties of an integrator on the free body, or in a field. */
typedef struct ph_properties {
    bool applies; /* the integrator can solve it; else the other members have no meaning */
    ph_answer symmetric, reversible, symplectic, momentum;
    ph_answer poisson, casimir; /* in a field: of the whole step, and PH_ANSWER_NO */
    ph_energy_kind energy;

    double symmetry_defect, reversal_defect; /* worst of the states, at h = 0.1 */
    double symplectic_defect;                /* worst of the states, at h = 0.4 */
    double poisson_defect;                   /* for the momenta of a free body, at h = 0.4 */
    double step_error;                       /* error of one step of 0.4 */
    double energy_error[2];                  /* at h = 0.1 and 0.5 */
    double momentum_error;                   /* at h = 0.1; in a field about its axis of symmetry */
    double casimir_error;                    /* at h = 0.1 */
} ph_properties;

/* All measured properties of an integrator. */
typedef struct ph_measurement {
    double order;              /* measured order; NaN if it is not resolved */
    bool exact;                /* no truncation error; `order` is then NaN */
    bool candidate;            /* not symplectic in a field, but with a bounded energy */
    ph_properties free, field; /* without and with torque; a flow has no field */
    double unit_error;         /* largest | |q| - 1 | in the runs for invariants */
    ph_energy_test test;       /* in a field: the test behind field.energy */
    ph_trend drift[2];         /* on the problem `well`, h = 0.125 and 0.25 */
    double stable_step;        /* largest stable step on `well`, a power of 2^(1/4) */
    double torques;            /* evaluations of the torque per step on `well` */
    double nanoseconds;        /* per step on `well` or of the free body; NaN without a clock */
} ph_measurement;

/* The amount of work of a measurement. A member that is 0 has its default. */
typedef struct ph_measure_settings {
    int states;             /* random states for the tests of one step; default 20 */
    uint64_t steps;         /* steps of the runs for invariants; default 10000 */
    double drift_time;      /* time of the runs on `well`; default 10000 */
    uint64_t drift_torques; /* torques of the runs for field.energy; default 4e7 */
    uint64_t stable_steps;  /* steps of the runs for the stable step; default 10000 */
    double (*clock)(void);  /* returns seconds; NULL if no times are measured */

    /* Called before every step. Return false to end the measurement. NULL if it always
     * continues. */
    bool (*go_on)(void *context);
    void *context; /* passed to go_on */
} ph_measure_settings;

/* Measures all properties of an integrator and stores them in *out. `settings` may be NULL for the
 * defaults. The definitions are in docs/check.md.
 *
 * The function ignores random states in which a step fails. If none is left, the number is NaN and
 * the answer is PH_ANSWER_NO. If a run fails, the integrator preserves nothing. Returns true, or
 * false if go_on ended the measurement; the content of *out then has no meaning. */
PH_API bool ph_measure(const ph_integrator *i, const ph_measure_settings *settings,
                       ph_measurement *out);

/* ---- checksums ------------------------------------------------------------------- */

/* Receives the checksum of a part of the library, and returns whether to go on. */
typedef bool ph_bits_seen(void *context, const char *name, uint64_t sum);

/* The numbers of steps of the recorded checksums, and of a quick comparison. */
enum { PH_BITS_STEPS = 10000, PH_BITS_FEW_STEPS = 100 };

/* Computes checksums of the bits that the library computes, with which machines and compilers are
 * compared: of all flows, schemes, methods, compositions and problems, of spheres, molecules and
 * batches, and of elementary and elliptic functions. Each runs for that many steps or arguments, or
 * for a fixed part of them if it is slow. Returns a checksum of all of them. */
PH_API uint64_t ph_bits(uint64_t steps, ph_bits_seen *seen, void *context);

#ifdef __cplusplus
}
#endif

#endif
