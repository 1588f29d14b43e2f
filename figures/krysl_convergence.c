/* krysl_convergence.c - Krysl 2006, figures 1 to 3: second-order convergence of implicit
 * integrators for a free body, a slow and a fast top.
 *
 * K06  Krysl, Dynamically equivalent implicit algorithms for the integration of rigid
 *      body rotations, Commun. Numer. Meth. Engng 2006, section 5.1 to 5.3.
 */
#include "evidence/convergence.h"
#include "io/count.h"

/* The paper's own pairs, and those it compares them with. */
static const char *const METHODS[] = {"akw",  "bbtrap", "swc1",  "trap",
                                      "imid", "trapm",  "imidm", NULL};
static const char *const PRESENT[] = {"trap", "imid", "trapm", "imidm", NULL};
static const char *const MOMENTUM_PAIR[] = {"trapm", "imidm", NULL};
static const char *const OTHERS[] = {"akw", "bbtrap", "swc1", "trap", "imid", NULL};
/* But for AKW, of which the paper says that it has the momentum of IMID. */
static const char *const NOT_IMID[] = {"bbtrap", "swc1", "trap", "trapm", "imidm", NULL};

static const char M[] = "error_momentum", R[] = "error_attitude";

typedef struct experiment {
    const char *problem;
    double time;
    long coarsest; /* steps in that time */
} experiment;

/* ---- the numbers ----------------------------------------------------------------- */

static bool compute(figure_work *work, table *t)
{
    const experiment *e = work->figure->context;
    const convergence c = {.problem = e->problem,
                           .reference = "srkn6_14a+exact",
                           .time = e->time,
                           .methods = METHODS,
                           .coarsest = e->coarsest,
                           .halvings = (int)by_effort(work, 0, 4, 6),
                           .norms = NORMS_KRYSL};
    return convergence_compute(&c, work, t);
}

/* ---- what they say --------------------------------------------------------------- */

/* The paper's words as ratios of errors: what "matches" does so within 1 %, as far as
 * curves can be told apart; "an order of magnitude" is 5 to 50, "slightly less" is less
 * than that, "rather inaccurate" at least 10; what is "significantly" better is twice as
 * good, and what is "outstanding" the best or within a factor of 3 of it. Methods that
 * are the same differ by what is left of the solved equations, 1e-6 of their errors. */

static void judge_free(const table *t, findings *out)
{
    claim_order_2(t, out, "all seven", METHODS);
    claim(
        out, best_error(t, NOT_IMID, M) / final_error(t, "imid", M), 1.0, INFINITY,
        "IMID is the most accurate in the momentum: error of the next best over its own");
    claim(
        out, best_error(t, NOT_IMID, R) / final_error(t, "imid", R), 1.0, INFINITY,
        "IMID is the most accurate in the attitude: error of the next best over its own");
    correction(out, error_ratio(t, "trap", "imid", R), 0.8, 1.0,
               "TRAP is a little more accurate in the attitude than IMID: their errors' "
               "ratio");
    claim(out, error_ratio(t, "akw", "imid", M), 0.99, 1.01,
          "AKW matches IMID in the momentum: their errors' ratio");
    claim(out, error_ratio(t, "akw", "imid", R), 5.0, 50.0,
          "AKW is an order of magnitude less accurate in the attitude: ratio to IMID");
    claim(out, error_ratio(t, "trap", "imid", M), 1.0, 5.0,
          "TRAP is slightly less accurate in the momentum: ratio to IMID");
    claim(out, error_ratio(t, "bbtrap", "imid", M), 10.0, INFINITY,
          "BBTRAP and SWC1 are rather inaccurate in the momentum: ratio to IMID");
    claim(out, error_ratio(t, "bbtrap", "swc1", M), 1.0 - 1e-6, 1.0 + 1e-6,
          "BBTRAP and SWC1 are the same method without torque: their errors' ratio");
}

static void judge_slow(const table *t, findings *out)
{
    claim_order_2(t, out, "all seven", METHODS);
    claim(out, best_error(t, PRESENT, R) / best_error(t, METHODS, R), 1.0, 1.0,
          "the accuracy of the new methods is outstanding, in the attitude: error of the "
          "best of them over that of the best of all");
    claim(out, best_error(t, PRESENT, M) / best_error(t, METHODS, M), 1.0, 3.0,
          "the accuracy of the new methods is outstanding, in the momentum: error of the "
          "best of them over that of the best of all");
}

static void judge_fast(const table *t, findings *out)
{
    claim_order_2(t, out, "all seven", METHODS);
    claim(out, best_error(t, OTHERS, R) / worst_error(t, MOMENTUM_PAIR, R), 2.0, INFINITY,
          "IMIDM and TRAPM are significantly more accurate in the attitude: error of the "
          "best other over the worse of the two");
    claim(out, best_error(t, OTHERS, M) / worst_error(t, MOMENTUM_PAIR, M), 2.0, INFINITY,
          "IMIDM and TRAPM are significantly more accurate in the momentum: error of the "
          "best other over the worse of the two");
}

/* ---- the figures ----------------------------------------------------------------- */

static const experiment FREE = {"krysl_free", 100.0, 400}, SLOW = {"slow_top", 20.0, 400},
                        FAST = {"fast_top", 10.0, 1000};

#define STEPS                                                                            \
    "Steps are halved four times (quick) or six times (full). Implicit equations are "   \
    "solved to round-off. The paper's reference is a run with a small step; here it is " \
    "the exact motion, in a field a splitting of order 6 with a fourth of the smallest " \
    "step."

const ph_figure ph_figure_krysl_convergence[3] = {
    {.name = "krysl_figure1",
     .title = "Krysl, figure 1: a free body, errors at t = 100",
     .cite = "K06 figure 1",
     .claim =
         "All seven methods are of order 2 for a free body; IMID is the most accurate in "
         "momentum and attitude, AKW matches it in the momentum but is an order of "
         "magnitude worse in the attitude, and BBTRAP and SWC1 are rather inaccurate in "
         "the momentum.",
     .setup =
         "Moments 0.9144, 1.098, 1.66, velocity (0.45549, 0.82623, 0.03476), attitude 1, "
         "errors at t = 100, steps from 1/4. " STEPS,
     .seconds = {0.1, 2, 8},
     .context = &FREE,
     .compute = compute,
     .judge = judge_free,
     .plot = "krysl_convergence"},
    {.name = "krysl_figure2",
     .title = "Krysl, figure 2: a slow top, errors at t = 20",
     .cite = "K06 figure 2",
     .claim = "For the slow top all methods converge quadratically, and the accuracy of "
              "the new ones is outstanding.",
     .setup = "Moments 5, 5, 1, spatial torque -20 R e3 x e3, rotation vector 0.05 e1, "
              "velocity 5 e3, errors at t = 20, steps from 1/20. " STEPS,
     .seconds = {0.1, 2, 8},
     .context = &SLOW,
     .compute = compute,
     .judge = judge_slow,
     .plot = "krysl_convergence"},
    {.name = "krysl_figure3",
     .title = "Krysl, figure 3: a fast top, errors at t = 10",
     .cite = "K06 figure 3",
     .claim = "For the fast top IMIDM and TRAPM are significantly more accurate than the "
              "other methods.",
     .setup =
         "As the slow top, with rotation vector 0.3 e1 and velocity 50 e3. The paper "
         "does not say at which time; chosen: t = 10, steps from 1/100. " STEPS,
     .seconds = {0.1, 3, 12},
     .context = &FAST,
     .compute = compute,
     .judge = judge_fast,
     .plot = "krysl_convergence"},
};
