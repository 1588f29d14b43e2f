/* ortolan_sphere_errors.c - Ortolan 2011, figures 7.3, 7.6 and 7.9: errors at T = 1 of
 * methods on two-spheres.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2.
 */
#include "evidence/convergence.h"
#include "io/count.h"

static const char *const METHODS[] = {"eln", "rkmk4", "rkmkgl4", "rattle", NULL};
static const int ORDERS[] = {2, 4, 4, 2};
static const char *const LIE[] = {"eln", "rkmk4", "rkmkgl4", NULL};

static const char W[] = "error_velocity", Q[] = "error_position";

typedef struct experiment {
    const char *problem;
    long coarsest; /* steps in the time 1 */
    int halvings;
} experiment;

static bool compute(figure_work *work, table *t)
{
    const experiment *e = work->figure->context;
    const convergence c = {.problem = e->problem,
                           .reference = "rkmkgl6",
                           .time = 1.0,
                           .methods = METHODS,
                           .coarsest = e->coarsest,
                           .halvings = (int)by_effort(work, 1, e->halvings, e->halvings),
                           .norms = NORMS_SPHERES};
    return convergence_compute(&c, work, t);
}

static void judge(const table *t, findings *out)
{
    const double off = 0.3; /* a line of slope 4 is told from one of 3 */
    for (int i = 0; METHODS[i] != NULL; i++) {
        claim(out, final_order(t, METHODS[i], Q), ORDERS[i] - off, ORDERS[i] + off,
              "%s is of order %d in the positions: its slope", METHODS[i], ORDERS[i]);
        claim(out, final_order(t, METHODS[i], W), ORDERS[i] - off, ORDERS[i] + off,
              "%s is of order %d in the velocities: its slope", METHODS[i], ORDERS[i]);
    }
    claim(out, error_ratio(t, "rkmk4", "rkmkgl4", Q), 1.0, INFINITY,
          "RKMKGL4 has a smaller error than RKMK4, in the positions: the latter over the "
          "former");
    claim(
        out, final_error(t, "rattle", Q) / worst_error(t, LIE, Q), 1.0, INFINITY,
        "RATTLE has the largest error in the positions: over the largest of the others");
    claim(
        out, final_error(t, "rattle", W) / worst_error(t, LIE, W), 1.0, INFINITY,
        "RATTLE has the largest error in the velocities: over the largest of the others");
}

static const experiment PENDULUM = {"pendulum", 4, 7},
                        DOUBLE = {"double_pendulum", 16, 5}, MAGNETS = {"magnets", 16, 5};

const ph_figure ph_figure_ortolan_sphere_errors[3] = {
    FIGURE("ortolan_figure7_3", 0.05, 0.2, 0.2, compute, judge, "ortolan_sphere_errors",
           &PENDULUM),
    FIGURE("ortolan_figure7_6", 0.05, 0.2, 0.2, compute, judge, "ortolan_sphere_errors",
           &DOUBLE),
    FIGURE("ortolan_figure7_9", 0.3, 1, 1, compute, judge, "ortolan_sphere_errors",
           &MAGNETS),
};
