/* solving.c - the search for the cheapest tolerance of a solver. */
#include <math.h>
#include <stdio.h>

#include "base/extremes.h"
#include "integrators/orbit.h"
#include "solvers.h"
#include "solving.h"
#include "stepping.h"

_Static_assert((int)CRAFT_ANOMALY == ANOMALY && (int)CRAFT_DIPOLE == DIPOLE &&
                   (int)CRAFT_EARTH == EARTH_DIPOLE && (int)CRAFT_DAMPING == DAMPING &&
                   (int)CRAFT_PLANE == PLANE,
               "ode.h knows the places of the values");

/* Tolerances tried: 1e-2, eight to the decade, down to 1e-16. */
static const double LARGEST = 1e-2;
enum { TO_THE_DECADE = 8, DECADES = 14 };

/* First step, in radians of rotation, for the solvers that do not find their own. */
static const double FIRST = 0.1;

static double length(ph_vec3 v)
{
    return hypot(hypot(v.x, v.y), v.z);
}

static ph_quat random_attitude(void)
{
    double v[4];
    for (int i = 0; i < 4; i++)
        v[i] = bench_random(-1.0, 1.0);
    return ph_quat_unit((ph_quat){v[0], v[1], v[2], v[3]});
}

solving solving_new(const ph_problem *p, double end, int points)
{
    solving s = {.problem = *p, .starts = SOLVING_STARTS, .end = end, .points = points};
    const ph_vec3 m = ph_body_momentum(&p->body, p->w);
    s.start[0] = (ph_state){p->q, m};
    bench_random_again();
    for (int i = 1; i < SOLVING_STARTS; i++) {
        s.start[i] = (ph_state){random_attitude(), m};
        s.start[i].m = ph_quat_rotate(random_attitude(), m);
    }
    return s;
}

solving solving_from(const solving *s, int start)
{
    solving one = *s;
    one.starts = 1;
    one.start[0] = s->start[start];
    for (int k = 0; k < s->points; k++)
        one.right[0][k] = s->right[start][k];
    return one;
}

static bench_ode equation(const solving *s)
{
    const ph_problem *p = &s->problem;
    const double unit = length(s->start[0].m);
    const ph_vec3 J = p->body.J;
    bench_ode ode = {.inverse = {unit / J.x, unit / J.y, unit / J.z},
                     .first = FIRST / length(p->w),
                     .problem = p->torque != NULL ? p : NULL,
                     .unit = 1.0 / unit};
    ode_prepare_inlined(&ode);
    return ode;
}

static bool solve(solving_entry *e, int start, double (*points)[ODE_SIZE])
{
    const ph_state *s = &e->on->start[start];
    const double u = e->ode.unit;
    const double y[ODE_SIZE] = {s->q.w, s->q.x, s->q.y, s->q.z, s->m.x * u, s->m.y * u, s->m.z * u};
    return e->solver->solve(e->handle, y, e->on->end, e->on->points, points);
}

double solving_pass(void *work)
{
    const solving_entry *e = work;
    static double points[SOLVING_POINTS][ODE_SIZE];
    double sum = 0.0;
    for (int i = 0; i < e->on->starts; i++) {
        (void)solve(work, i, points);
        sum += points[0][0];
    }
    return sum;
}

/* Error and cost of an open entry; the error is infinite if a run fails. */
static void measure(solving_entry *e)
{
    static double points[SOLVING_POINTS][ODE_SIZE];
    e->error = 0.0;
    e->evaluations = 0;
    for (int i = 0; i < e->on->starts; i++) {
        if (!solve(e, i, points)) {
            e->error = INFINITY;
            return;
        }
        e->evaluations += e->ode.evaluations;
        for (int k = 0; k < e->on->points; k++) {
            const double *y = points[k];
            const ph_quat q = {y[0], y[1], y[2], y[3]};
            const double error = attitude_error(q, e->on->right[i][k]);
            if (isnan(error))
                e->error = INFINITY;
            else
                e->error = larger_or_nan(e->error, error);
        }
    }
    e->evaluations /= e->on->starts;
}

static void shut(solving_entry *e)
{
    if (e->handle != NULL)
        e->solver->close(e->handle);
    e->handle = NULL;
}

/* The entry with a tolerance of the grid, measured and shut again. */
static solving_entry attempt(const bench_solver *solver, const solving *on, int number)
{
    solving_entry e = {.solver = solver, .ode = equation(on), .on = on};
    e.tolerance = LARGEST * pow(10.0, -(double)number / TO_THE_DECADE);
    e.error = INFINITY;
    e.handle = solver->open(solver, &e.ode, e.tolerance);
    if (e.handle != NULL)
        measure(&e);
    shut(&e);
    return e;
}

/* Decade by decade until the error is reached, then through the decade before. */
static solving_entry cheapest(const bench_solver *solver, const solving *on, double target)
{
    solving_entry best = {.error = INFINITY};
    int number = 0;
    for (; number <= TO_THE_DECADE * DECADES; number += TO_THE_DECADE) {
        const solving_entry e = attempt(solver, on, number);
        if (e.error < best.error || best.on == NULL)
            best = e;
        if (e.error <= target)
            break;
    }
    const int last = number;
    if (number > TO_THE_DECADE)
        number = number - TO_THE_DECADE;
    else
        number = 0;
    for (; number < last && number <= TO_THE_DECADE * DECADES; number++) {
        const solving_entry e = attempt(solver, on, number);
        const bool reached = best.error <= target;
        if (reached ? e.error <= target && e.evaluations < best.evaluations : e.error < best.error)
            best = e;
    }
    return best;
}

void solving_search_one(const bench_solver *solver, const solving *on, double target,
                        solving_entry *e)
{
    *e = cheapest(solver, on, target);
    if (e->error > target)
        return;
    e->ode = equation(on);
    e->handle = solver->open(solver, &e->ode, e->tolerance);
}

int solving_search(bench *b, const solving *on, double target, solving_entry *entries)
{
    int count = 0;
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        for (const bench_solver *s = solvers[i]; s->name != NULL; s++) {
            if (count == SOLVING_SOLVERS)
                return count;
            solving_search_one(s, on, target, &entries[count++]);
            bench_uses(b, s->uses);
        }
    }
    return count;
}

void solving_tell(bench *b, const solving_entry *entries, int count, double target)
{
    for (int i = 0; i < count; i++) {
        const solving_entry *e = &entries[i];
        if (e->handle == NULL)
            bench_note(b, "%s does not reach %.0e: its best is %.1e", e->solver->name, target,
                       e->error);
        else
            bench_note(b, "%s: tolerance %.1e, %ld right-hand sides, error %.1e", e->solver->name,
                       e->tolerance, e->evaluations, e->error);
    }
}

void solving_close(solving_entry *entries, int count)
{
    for (int i = 0; i < count; i++)
        shut(&entries[i]);
}
