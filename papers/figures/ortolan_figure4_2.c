/* ortolan_figure4_2.c - Ortolan 2011, figure 4.2: errors in the well at T = 5.
 *
 * O11  Ortolan, thesis, Padova 2011, section 4.2.
 */
#include "cli/files/count.h"
#include "papers/convergence.h"

static const char *const METHODS[] = {"eln",  "tln",    "prk", "mcg",
                                      "new3", "liemid", "vlv", NULL};
static const char *const BETTER[] = {"prk", "mcg", "liemid", NULL};
static const char *const OTHERS[] = {"eln", "tln", "new3", "vlv", NULL};
static const char *const NOT_TLN[] = {"eln", "prk", "mcg", "new3", "liemid", "vlv", NULL};
static const char *const EXPLICIT[] = {"mcg", "liemid", NULL};

static const char W[] = "error_momentum", R[] = "error_attitude";
static const char *const COLUMN[] = {W, R}, *const PART[] = {"velocity", "attitude"};

static bool compute(figure_work *work, table *t)
{
    const convergence c = {.problem = "well",
                           .time = 5.0,
                           .methods = METHODS,
                           .coarsest = 5,
                           .halvings = (int)by_effort(work, 4, 9, 9),
                           .norms = NORMS_ORTOLAN};
    return convergence_compute(&c, work, t);
}

/* "The same accuracy" is within a factor of two. */
static void judge(const table *t, claims *out)
{
    quote(out, "4.2", "confirm that all the methods are second-order accurate");
    claim_order_2(t, out, "all", METHODS);
    quote(out, "figure 4.2",
          "PRK, MCG and LIEMID[EA] show a better accuracy than other "
          "methods");
    for (int k = 0; k < 2; k++)
        claim(out, best_error(t, OTHERS, COLUMN[k]) / worst_error(t, BETTER, COLUMN[k]),
              1.0, INFINITY,
              "PRK, MCG and LIEMID[EA] are more accurate than the others in the %s: "
              "error of "
              "the best other over the worst of the three",
              PART[k]);
    correction(out, best_error(t, EXPLICIT, R) / final_error(t, "eln", R), 1.0, INFINITY,
               "in the attitude PRK is followed by ELN: error of the better of MCG and "
               "LIEMID[EA] over that of ELN");
    quote(out, "4.2", "despite its implicitness, TLN shows the same accuracy than ELN");
    claim(out, error_ratio(t, "tln", "eln", R), 0.5, 2.0,
          "TLN shows the same accuracy as ELN in the attitude: their errors' ratio");
    correction(
        out, final_error(t, "tln", R) / worst_error(t, NOT_TLN, R), 1.0, INFINITY,
        "TLN is the least accurate of all, as the thesis says further on: its error "
        "in the attitude over the largest of the others");
    claim(out, error_ratio(t, "tln", "eln", W), 0.5, 2.0,
          "TLN shows the same accuracy as ELN in the velocity: their errors' ratio");
    correction(
        out, final_error(t, "tln", W) / worst_error(t, NOT_TLN, W), 1.0, INFINITY,
        "TLN is the least accurate of all: its error in the velocity over the largest "
        "of the others");
}

const ph_figure ph_figure_ortolan_figure4_2[1] = {
    FIGURE("ortolan_figure4_2", 0.2, 0.2, compute, judge, "ortolan_figure4_2", NULL),
};
