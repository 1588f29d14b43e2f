/* newton.c - how many Newton iterations a step takes. A wrong derivative, a poor start or a
 * pivot that is none leave the result as it is, and cost iterations.
 *
 * O11, Figure 4.3, compares the cost of its methods, of which the iterations are the part
 * that does not depend on the machine. Known for a tolerance of 1e-12 at h = 0.125: ELN
 * 2.0, PRK 2.0, VLV 2.6, MCG 2.0, NEW3 2.8, LIEMID 4.0 in two solves, TLN 2.6. Here the
 * equations are solved to round-off; a correction below 1e-9 is the last, so the counts
 * are the same or up to one more for each solve.
 *
 * The derivatives themselves are compared with differences of the equations.
 *
 * tests/vectors/newton.txt has the counts of everything that solves equations, written by
 *
 *     build/tests/newton write >tests/vectors/newton.txt
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/extremes.h"
#include "base/random.h"
#include "kinds/spheres/stepping.h"
#include "motion/newton.h"
#include "system/find.h"
#include "system/run_body.h"

static int wrong;

static void expect(bool holds, const char *what, const char *where)
{
    if (!holds)
        printf("%s: %s, %ld iterations in %ld solves\n", what, where, newton_iterations,
               newton_solves);
    wrong += !holds;
}

/* ---- on the well of O11 ---------------------------------------------------------- */

static void check_known(void)
{
    static const struct {
        const char *name;
        double known;
        long solves;
    } METHODS[] = {{"eln", 2.0, 1},  {"prk", 2.0, 1},    {"vlv", 2.6, 1}, {"mcg", 2.0, 1},
                   {"new3", 2.8, 1}, {"liemid", 4.0, 2}, {"tln", 2.6, 1}};
    const ph_problem *well = find_problem("well");
    const long steps = 2000;
    for (size_t k = 0; k < sizeof METHODS / sizeof METHODS[0]; k++) {
        ph_integrator method = {0};
        ph_state s = ph_problem_start(well);
        newton_iterations = newton_solves = 0;
        expect(ph_integrator_named(METHODS[k].name, &method) == PH_OK &&
                   ph_run_body(&method, well, &s, 0.125, steps, 0, NULL, NULL) == PH_OK,
               METHODS[k].name, "does not run");
        const double count = (double)newton_iterations / (double)steps;
        const double more = count - METHODS[k].known;
        printf("%-7s %.2f iterations a step, known %.1f\n", METHODS[k].name, count,
               METHODS[k].known);
        expect(newton_solves == METHODS[k].solves * steps, METHODS[k].name, "solves");
        expect(more > -0.7 && more < 1.1 * (double)METHODS[k].solves, METHODS[k].name,
               "iterations");
    }
}

/* ---- everything that solves equations -------------------------------------------- */

static bool writing;

/* The counts of earlier: what solved them, for which problem and step. */
static bool counted(const char *name, const char *problem, double h, long *iterations, long *solves)
{
    char line[160], wanted[160];
    FILE *file = fopen(TEST_DATA "/newton.txt", "r");
    bool found = false;
    (void)snprintf(wanted, sizeof wanted, "%s %s %g ", name, problem, h);
    const size_t length = strlen(wanted);
    while (!found && file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *end = line + length;
        if (strncmp(line, wanted, length) == 0) {
            *iterations = strtol(end, &end, 10);
            *solves = strtol(end, &end, 10);
            found = true;
        }
    }
    if (file != NULL)
        (void)fclose(file);
    return found;
}

/* Quadratic convergence: from a start within h of the root to round-off by three
 * iterations, by four in the longest steps; and by as many as ever: a derivative that is a little wrong
 * takes more. What has no line in the file is new. */
static void check_count(const char *name, const char *problem, double h)
{
    const double most = 4.0, round_off = 0.01;
    long iterations = newton_iterations, solves = newton_solves;
    if (newton_solves == 0)
        return;
    if (writing)
        printf("%s %s %g %ld %ld\n", name, problem, h, iterations, solves);
    else
        (void)counted(name, problem, h, &iterations, &solves);
    expect((double)newton_iterations <= most * (double)newton_solves, name, problem);
    expect(labs(newton_solves - solves) <= 1 &&
               fabs((double)(newton_iterations - iterations)) <= round_off * (double)newton_solves,
           name, "other counts than in newton.txt");
}

static void check_body(const char *name, const char *problem, double h)
{
    const ph_problem *p = find_problem(problem);
    ph_integrator i = {0};
    ph_state s = ph_problem_start(p);
    newton_iterations = newton_solves = 0;
    expect(ph_integrator_named(name, &i) == PH_OK &&
               ph_run_body(&i, p, &s, h, 200, 0, NULL, NULL) == PH_OK,
           name, "does not run");
    check_count(name, problem, h);
}

static void check_spheres(const ph_method *method, const ph_spheres_problem *p)
{
    const ph_integrator i = {.method = method};
    const double h = 0.002;
    ph_system *s = NULL;
    const ph_system_settings with = {.own_integrator = &i, .step = h};
    if (ph_system_create_on_spheres(&with, p, &s) != PH_OK)
        return;
    newton_iterations = newton_solves = 0;
    expect(ph_system_run(s, 100, NULL) == PH_OK, method->name, "does not run");
    ph_system_destroy(s);
    check_count(method->name, p->name, h);
}

static void check_all(void)
{
    size_t count, problems;
    const ph_method *const *methods = ph_methods(&count);
    for (size_t k = 0; k < count; k++) {
        check_body(methods[k]->name, "generic", 0.06);
        for (double h = 0.12; newton_solves > 0 && h < 0.3; h *= 2)
            check_body(methods[k]->name, "generic", h);
        check_body(methods[k]->name, "krysl_free", 0.016);
    }
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t k = 0; k < count; k++)
        for (double h = 0.016; fabs(h) < 0.3; h *= -4) /* forward and back by turns */
            check_body(flows[k]->name, "krysl_free", h);
    const ph_spheres_problem *const *spheres = ph_spheres_problems(&problems);
    const ph_method *const *on_spheres = ph_spheres_methods(&count);
    for (size_t k = 0; k < count; k++) {
        for (size_t j = 0; j < problems; j++)
            check_spheres(on_spheres[k], spheres[j]);
    }
}

/* ---- derivatives ------------------------------------------------------------------ */

/* A torque of time, attitude, momentum and velocity, and a wheel whose speed changes: every part of
 * a derivative has something to do. */
static ph_vec3 swirl(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    const double wind = 1.0 + ph_sin(now->t);
    const ph_vec3 u = {now->R.a[2][0], now->R.a[2][1], now->R.a[2][2]},
                  field = cross(u, vec3(0.3, -0.4, 0.7)), drag = cross(now->w, now->m);
    return add(scale(wind, field), add(scale(0.2, drag), scale(-0.3, now->w)));
}

static ph_vec3 wheel(const ph_problem *p, double t)
{
    (void)p;
    return vec3(0.3, 0.2 * ph_sin(t), -0.4);
}

static void check_slope(ph_system *s, uint64_t steps, const char *name, const char *problem)
{
    const double most =
        1e-8; /* that of central differences is some 1e-10, of those of differences more */
    newton_slope_error = 0.0;
    expect(ph_system_run(s, steps, NULL) == PH_OK, name, "does not run");
    if (!(newton_slope_error <= most))
        printf("%s, problem %s: the derivative in Newton's iteration is wrong by %.1e of "
               "its size\n",
               name, problem, newton_slope_error);
    wrong += !(newton_slope_error <= most);
    ph_system_destroy(s);
}

/* Newton's iteration converges with a wrong derivative, too, only more slowly. So the derivatives of
 * all equations are compared with differences of these, for every method in every problem. */
static void check_slopes(void)
{
    const double turn = 0.3; /* in a step */
    size_t methods, problems;
    const ph_method *const *method = ph_methods(&methods);
    const ph_problem *const *problem = ph_problems(&problems);
    ph_problem own = *find_problem("generic");
    own.torque = swirl;
    own.derivative = NULL;
    own.derivatives = NULL;
    own.internal = wheel;
    own.velocity_dependent = own.nonconservative = true;
    newton_differences = true;
    newton_solves = 0;
    for (size_t k = 0; k < methods; k++) {
        for (size_t j = 0; j <= problems; j++) {
            const ph_problem *p = j < problems ? problem[j] : &own;
            const ph_system_settings settings = {.own_problem = p,
                                                 .integrator = method[k]->name,
                                                 .step =
                                                     norm(p->w) > 0.0 ? turn / norm(p->w) : turn};
            ph_system *s = NULL;
            if (ph_system_create(&settings, &s) == PH_OK)
                check_slope(s, 3, method[k]->name, j < problems ? p->name : "swirl");
            expect(s != NULL || j < problems || !method[k]->any_torque, method[k]->name,
                   "does not take any torque");
        }
    }
    const ph_spheres_problem *const *sphere = ph_spheres_problems(&problems);
    method = ph_spheres_methods(&methods);
    for (size_t k = 0; k < methods; k++) {
        for (size_t j = 0; j < problems; j++) {
            const ph_integrator i = {.method = method[k]};
            const ph_system_settings settings = {.own_integrator = &i, .step = 0.01};
            ph_system *s = NULL;
            if (ph_system_create_on_spheres(&settings, sphere[j], &s) == PH_OK)
                check_slope(s, 2, method[k]->name, sphere[j]->name);
        }
    }
    expect(newton_solves > 0, "no method", "solves equations");
    newton_differences = false;
}

/* ---- steps that are divided ------------------------------------------------------ */

/* The largest |w| of a motion, over many of its periods. */
static double fastest(const ph_body *b, const ph_state *start)
{
    ph_motion motion;
    double most = 0.0;
    if (ph_motion_prepare(&motion, b, start) != PH_OK)
        return NAN;
    for (int k = 0; k < 6000; k++) {
        const ph_state s = ph_motion_at(&motion, 0.02 * k);
        most = larger_or_nan(most, norm(ph_body_velocity(b, s.m)));
    }
    return most;
}

/* A Moser-Veselov step is divided into as few parts as turn by 0.9 or 1.2 rad at most,
 * each with one equation. */
static void check_divisions(const char *name, double angle)
{
    const ph_flow *flow = find_flow(name);
    uint64_t seed = 7;
    for (int k = 0; k < 60; k++) {
        double x[6];
        for (int n = 0; n < 6; n++)
            x[n] = between(&seed, -1.0, 1.0);
        const ph_vec3 J = {1.5 + x[0], 1.5 + x[1], 1.5 + x[2]};
        const ph_state start = {{1, 0, 0, 0}, {x[3], x[4], x[5]}};
        ph_state s = start;
        ph_body b;
        expect(ph_body_from_moments(&b, J) == PH_OK, name, "a body");
        const double h = (k % 2 == 0 ? 12.0 : -5.0) / norm(start.m),
                     parts = fabs(h) * fastest(&b, &start) / angle;
        newton_iterations = newton_solves = 0;
        expect(ph_flow_step(flow, &b, &s, h) == PH_OK, name, "a long step");
        const double solves = (double)newton_solves;
        expect(solves >= parts && solves < 1.001 * parts + 1.0, name, "parts of a step");
    }
}

/* ---- many unknowns --------------------------------------------------------------- */

enum { MANY = 4 };

typedef struct linear {
    double A[MANY][MANY], b[MANY];
} linear;

static void residual(void *context, const double *x, double *F, double *dF)
{
    const linear *e = context;
    memcpy(dF, e->A, sizeof e->A);
    for (int i = 0; i < MANY; i++) {
        F[i] = -e->b[i];
        for (int j = 0; j < MANY; j++)
            F[i] += e->A[i][j] * x[j];
    }
}

/* Equations that cannot be eliminated without pivots: nothing on the diagonal; or so
 * little that as a pivot it loses all digits. */
static void check_pivots(void)
{
    static const double diagonals[] = {0.0, 1e-17, 1e-12};
    for (size_t k = 0; k < sizeof diagonals / sizeof diagonals[0]; k++) {
        linear e = {.A = {{0, 2, 1, -1}, {1, 0, 3, 1}, {2, -1, 0, 4}, {-3, 1, 1, 0}}};
        const double right[MANY] = {1, -2, 3, 0.5};
        double x[MANY] = {1, 1, 1, 1}, memory[NEWTON_MEMORY(MANY)];
        for (int i = 0; i < MANY; i++) {
            e.A[i][i] = diagonals[k];
            for (int j = 0; j < MANY; j++)
                e.b[i] += e.A[i][j] * right[j];
        }
        newton_iterations = 0;
        expect(ph_newton_n(residual, &e, MANY, x, memory) == PH_OK, "pivots", "solved");
        expect(newton_iterations == 2, "pivots", "the second has nothing to do");
        for (int i = 0; i < MANY; i++)
            expect(fabs(x[i] - right[i]) < 1e-15, "pivots", "the root");
    }
}

int main(int argc, char **argv)
{
    writing = argc > 1 && strcmp(argv[1], "write") == 0;
    if (writing) {
        check_all();
        return wrong != 0;
    }
    check_known();
    check_all();
    check_divisions("dmv2", 0.9);
    check_divisions("dmv6", 1.2);
    check_pivots();
    check_slopes();
    printf("%d out of bounds\n", wrong);
    return wrong != 0;
}
