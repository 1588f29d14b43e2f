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

/* ---- the numbers ----------------------------------------------------------------- */

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

/* ---- what they say --------------------------------------------------------------- */

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

/* ---- the pictures ---------------------------------------------------------------- */

static const experiment PENDULUM = {"pendulum", 4, 7},
                        DOUBLE = {"double_pendulum", 16, 5}, MAGNETS = {"magnets", 16, 5};

#define SET_UP                                                                           \
    "The start of the long runs; errors at T = 1 in the 2-norm over all spheres, h = "   \
    "2^i as in the thesis. It compares with ode45; here the reference is the "           \
    "Munthe-Kaas method on Gauss' tableau of order 6 with a fourth of the smallest "     \
    "step. The tableau of RKMK4 is printed with an entry too many (1/2 | 1/2 1/2). "

const ph_figure ph_figure_ortolan_sphere_errors[3] = {
    {.name = "ortolan_figure7_3",
     .title = "Ortolan, figure 7.3: errors of the spherical pendulum at T = 1",
     .cite = "O11 figure 7.3",
     .claim =
         "Each Lie method keeps its order on the sphere; RKMKGL4 has a smaller error "
         "than RKMK4, and RATTLE the largest.",
     .setup = SET_UP "i from -2 to -9.",
     .seconds = {0.05, 0.1, 0.1},
     .context = &PENDULUM,
     .compute = compute,
     .judge = judge,
     .plot = "ortolan_sphere_errors"},
    {.name = "ortolan_figure7_6",
     .title = "Ortolan, figure 7.6: errors of the double spherical pendulum at T = 1",
     .cite = "O11 figure 7.6",
     .claim = "ELN is of order 2 and the RKMK methods are of order 4, RKMKGL4 with the "
              "smallest error, and all are more accurate than RATTLE.",
     .setup = SET_UP "i from -4 to -9.",
     .seconds = {0.05, 0.2, 0.2},
     .context = &DOUBLE,
     .compute = compute,
     .judge = judge,
     .plot = "ortolan_sphere_errors"},
    {.name = "ortolan_figure7_9",
     .title = "Ortolan, figure 7.9: errors of the magnetic dipoles at T = 1",
     .cite = "O11 figure 7.9",
     .claim = "ELN is of order 2 and the RKMK methods are of order 4, and all Lie group "
              "methods are more accurate than RATTLE.",
     .setup =
         SET_UP "i from -4 to -9. With h = 1/16 the constraint of RATTLE has no real "
                "multiplier: there it has no point.",
     .seconds = {0.3, 1, 1},
     .context = &MAGNETS,
     .compute = compute,
     .judge = judge,
     .plot = "ortolan_sphere_errors"},
};
