/* ortolan_sphere_errors.c - Ortolan 2011, figures 7.3, 7.6 and 7.9: errors at T = 1 of
 * methods on two-spheres.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2.
 */
#include "core/vec.h"
#include "evidence/convergence.h"
#include "io/count.h"

static const char *const METHODS[] = {"eln", "rkmk4", "rkmkgl4", "rattle", NULL};
static const int ORDERS[] = {2, 4, 4, 2};
static const char *const LIE[] = {"eln", "rkmk4", "rkmkgl4", NULL};

static const char W[] = "error_velocity", Q[] = "error_position";

typedef struct experiment {
    const char *problem;
    int coarsest; /* steps in the time 1 */
} experiment;

enum { FINEST = 512, REFERENCE = 4 * FINEST };

/* ---- the numbers ----------------------------------------------------------------- */

/* Of the vectors of one field in two systems. */
static double distance(const ph_system *a, const ph_system *b, const char *field)
{
    const ph_field *x = ph_system_field(a, field), *y = ph_system_field(b, field);
    double sum = 0.0;
    for (size_t i = 0; i < x->count; i++) {
        const size_t at = i * x->stride;
        const ph_vec3 d =
            vec3(x->data[0][at] - y->data[0][at], x->data[1][at] - y->data[1][at],
                 x->data[2][at] - y->data[2][at]);
        sum += dot(d, d);
    }
    return sqrt(sum);
}

/* The system after so many steps, up to the time 1, to be freed; NULL: trouble. */
static ph_system *run(const char *problem, const char *method, work_part *part,
                      long steps, ph_status *status)
{
    ph_system *s = find_system(part->work, problem, method, 1.0 / (double)steps);
    const ph_observer o = part_observer(part);
    part->steps = steps;
    if (s != NULL)
        *status = ph_system_run(s, (uint64_t)steps, &o);
    return s;
}

static bool add_method(const experiment *e, const char *method, const ph_system *right,
                       work_part *part, table *t)
{
    const int finest = (int)by_effort(part->work, 2 * e->coarsest, FINEST, FINEST);
    bool good = true;
    for (int steps = e->coarsest; good && steps <= finest; steps *= 2) {
        ph_status status;
        ph_system *s = run(e->problem, method, part, steps, &status);
        if (s == NULL)
            return false;
        ROW(t, WORD(method), NUMBER(1.0 / steps),
            NUMBER(status == PH_OK ? distance(s, right, "q") : NAN),
            NUMBER(status == PH_OK ? distance(s, right, "w") : NAN));
        ph_system_free(s);
        good = !part->stopped;
    }
    part->before += part->share;
    return good;
}

static bool compute(const ph_figure *f, figure_work *work, table *t)
{
    const experiment *e = f->context;
    const double share = 0.2; /* of the reference, and of each of the four methods */
    work_part part = {.work = work, .share = share};
    ph_status status = PH_OK;
    table_begin(t, "method,h,error_position,error_velocity");
    ph_system *right = run(e->problem, "rkmkgl6", &part, REFERENCE, &status);
    if (status != PH_OK)
        work->trouble = "there is no reference solution";
    bool good = right != NULL && status == PH_OK && !part.stopped;
    part.before = share;
    for (const char *const *m = METHODS; good && *m != NULL; m++)
        good = add_method(e, *m, right, &part, t);
    ph_system_free(right);
    return good;
}

/* ---- what they say --------------------------------------------------------------- */

static void judge(const ph_figure *f, const table *t, findings *out)
{
    (void)f;
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

static const experiment PENDULUM = {"pendulum", 4}, DOUBLE = {"double_pendulum", 16},
                        MAGNETS = {"magnets", 16};

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
