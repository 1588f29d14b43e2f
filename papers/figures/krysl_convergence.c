/* krysl_convergence.c - Krysl 2006, figures 1 to 3: second-order convergence of implicit
 * integrators for a free body, a slow and a fast top.
 *
 * K06  Krysl, Dynamically equivalent implicit algorithms for the integration of rigid
 *      body rotations, Commun. Numer. Meth. Engng 2006, section 5.1 to 5.3.
 */
#include "cli/files/count.h"
#include "papers/convergence.h"

/* The paper's own pairs, and those it compares them with. */
static const char *const METHODS[] = {"akw",  "bbtrap", "swc1",  "trap",
                                      "imid", "trapm",  "imidm", NULL};
static const char *const PRESENT[] = {"trap", "imid", "trapm", "imidm", NULL};
static const char *const MOMENTUM_PAIR[] = {"trapm", "imidm", NULL};
static const char *const OTHERS[] = {"akw", "bbtrap", "swc1", "trap", "imid", NULL};
/* But for AKW, of which the paper says that it has the momentum of IMID. */
static const char *const NOT_IMID[] = {"bbtrap", "swc1", "trap", "trapm", "imidm", NULL};

static const char *const NOT_THE_PAIR[] = {"akw",   "bbtrap", "swc1",
                                           "trapm", "imidm",  NULL};

static const char M[] = "error_momentum", R[] = "error_attitude";
static const char *const COLUMN[] = {M, R}, *const PART[] = {"momentum", "attitude"};

typedef struct experiment {
    const char *problem;
    double time;
    long coarsest; /* steps in that time */
} experiment;

static bool compute(figure_work *work, table *t)
{
    const experiment *e = work->figure->context;
    const convergence c = {.problem = e->problem,
                           .time = e->time,
                           .methods = METHODS,
                           .coarsest = e->coarsest,
                           .halvings = (int)by_effort(work, 0, 4, 6),
                           .norms = NORMS_KRYSL};
    return convergence_compute(&c, work, t);
}

/* The paper's words as ratios of errors: what "matches" does so within 1 %, as far as
 * curves can be told apart; "an order of magnitude" is 5 to 50, "slightly less" is less
 * than that, "rather inaccurate" at least 10; what is "significantly" better is twice as
 * good, and what is "outstanding" the best or within a factor of 3 of it. Methods that
 * are the same differ by what is left of the solved equations, 1e-6 of their errors. */

static void judge_free(const table *t, claims *out)
{
    quote(out, "5.1",
          "Figure 1 illustrates the second-order accuracy of all the algorithms");
    claim_order_2(t, out, "all seven", METHODS);
    quote(out, "5.1",
          "the most accurate algorithm both in the body-frame momentum and in the "
          "error in the attitude matrix is the energy-conserving IMID");
    for (int k = 0; k < 2; k++)
        claim(out, best_error(t, NOT_IMID, COLUMN[k]) / final_error(t, "imid", COLUMN[k]),
              1.0, INFINITY,
              "IMID is the most accurate in the %s: error of the next best over its own",
              PART[k]);
    correction(
        out, best_error(t, NOT_THE_PAIR, R) / final_error(t, "imid", R), 1.0, INFINITY,
        "IMID and its conjugate TRAP are: error of the best of the others over that "
        "of IMID, the less accurate of the two");
    quote(out, "5.1",
          "The algorithm AKW matches IMID in the body-frame momenta, but is in "
          "order of magnitude less accurate in the attitude matrix");
    claim(out, error_ratio(t, "akw", "imid", M), 0.99, 1.01,
          "AKW matches IMID in the momentum: their errors' ratio");
    claim(out, error_ratio(t, "akw", "imid", R), 5.0, 50.0,
          "AKW is an order of magnitude less accurate in the attitude: ratio to IMID");
    quote(out, "5.1",
          "The conjugate algorithm TRAP is slightly less accurate than IMID in the "
          "body-frame momenta");
    claim(out, error_ratio(t, "trap", "imid", M), 1.0, 5.0,
          "TRAP is slightly less accurate in the momentum: ratio to IMID");
    quote(out, "5.1",
          "The energy- and momentum-conserving pair BBTRAP/SWC1 is rather "
          "inaccurate in the body-frame momenta");
    claim(out, error_ratio(t, "bbtrap", "imid", M), 10.0, INFINITY,
          "BBTRAP and SWC1 are rather inaccurate in the momentum: ratio to IMID");
    quote(out, "4", "for torque-free motion it is identical");
    claim(out, error_ratio(t, "bbtrap", "swc1", M), 1.0 - 1e-6, 1.0 + 1e-6,
          "BBTRAP and SWC1 are the same method without torque: their errors' ratio");
}

/* Of an error, over the smallest: of the same size. */
static const double OUTSTANDING = 3.0;

static void judge_slow(const table *t, claims *out)
{
    quote(out, "5.2",
          "the present algorithm converges at a quadratic rate, as all the others "
          "algorithms do, and its absolute accuracy is also outstanding");
    claim_order_2(t, out, "all seven", METHODS);
    for (int k = 1; k >= 0; k--)
        claim(out, best_error(t, PRESENT, COLUMN[k]) / best_error(t, METHODS, COLUMN[k]),
              1.0, OUTSTANDING,
              "the accuracy of the new methods is outstanding, in the %s: error of the "
              "best of them over that of the best of all",
              PART[k]);
}

static void judge_fast(const table *t, claims *out)
{
    other_data(out, "its final time is not printed");
    ours(out); /* figure 3 shows it */
    claim_order_2(t, out, "all seven", METHODS);
    quote(out, "5.3",
          "The present IMIDM/TRAPM pair are significantly more accurate than the "
          "other algorithms");
    for (int k = 1; k >= 0; k--)
        claim(out,
              best_error(t, OTHERS, COLUMN[k]) / worst_error(t, MOMENTUM_PAIR, COLUMN[k]),
              2.0, INFINITY,
              "IMIDM and TRAPM are significantly more accurate in the %s: error of the "
              "best "
              "other over the worse of the two",
              PART[k]);
}

static const experiment FREE = {"krysl_free", 100.0, 400}, SLOW = {"slow_top", 20.0, 400},
                        FAST = {"fast_top", 10.0, 1000};

const ph_figure ph_figure_krysl_convergence[3] = {
    FIGURE("krysl_figure1", 2, 8, compute, judge_free, "krysl_convergence", &FREE),
    FIGURE("krysl_figure2", 2, 8, compute, judge_slow, "krysl_convergence", &SLOW),
    FIGURE("krysl_figure3", 3, 12, compute, judge_fast, "krysl_convergence", &FAST),
};
