/* sphere_runs.c - runs on spheres by the names of their integrators. */
#include "support/sphere_runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "catalog/find.h"
#include "core/vec.h"

sphere_run sphere_run_new(const char *integrator, const ph_sphere_problem *p)
{
    ph_sphere_integrator i = {NULL, NULL};
    sphere_run r = {.s = NULL};
    if (ph_sphere_integrator_named(integrator, &i) != PH_OK)
        fail_msg("there is no %s", integrator);
    const ph_status status = ph_spheres_create(&r.s, p, &i);
    if (status != PH_OK) {
        fail_msg("%s on %s: %s", integrator, p->name, ph_status_text(status));
        abort(); /* fail_msg does not return, but does not say so */
    }
    r.n = ph_spheres_count(r.s);
    assert_true(r.n <= SPHERE_RUN_MOST);
    ph_spheres_start(r.s, r.q, r.w);
    return r;
}

void sphere_run_free(sphere_run *r)
{
    ph_spheres_free(r->s);
    r->s = NULL;
}

ph_sphere_report sphere_run_steps(sphere_run *r, double h, long steps)
{
    ph_sphere_report report;
    const ph_status status =
        ph_spheres_run(r->s, r->q, r->w, h, steps, NULL, NULL, &report);
    if (status != PH_OK)
        fail_msg("after %ld steps of %g: %s", report.taken, h, ph_status_text(status));
    assert_int_equal(steps, report.taken);
    return report;
}

ph_sphere_problem sphere_problem_with(const char *name, const char *parameter,
                                      double value)
{
    const ph_sphere_problem *named = find_sphere_problem(name);
    assert_non_null(named);
    ph_sphere_problem p = *named;
    const ph_parameter *a = ph_sphere_problem_parameter(&p, parameter);
    assert_non_null(a);
    p.value[a->first] = value;
    return p;
}

static double largest(int n, const ph_vec3 *a, const ph_vec3 *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, norm_max(sub(a[i], b[i])));
    return worst;
}

double sphere_q_distance(const sphere_run *a, const sphere_run *b)
{
    return largest(a->n, a->q, b->q);
}

double sphere_w_distance(const sphere_run *a, const sphere_run *b)
{
    return largest(a->n, a->w, b->w);
}

double sphere_distance(const sphere_run *a, const sphere_run *b)
{
    return fmax(sphere_q_distance(a, b), sphere_w_distance(a, b));
}

static int with_problems(const ph_sphere_problem *const *problems, const char *name,
                         const ph_sphere_integrator *i,
                         void (*test)(const char *name, const ph_sphere_integrator *i,
                                      const ph_sphere_problem *p))
{
    int count = 0;
    for (; *problems != NULL; problems++) {
        if (ph_sphere_applicable(i, *problems)) {
            test(name, i, *problems);
            count++;
        }
    }
    return count;
}

int sphere_each(const ph_sphere_problem *const *problems,
                void (*test)(const char *name, const ph_sphere_integrator *i,
                             const ph_sphere_problem *p))
{
    size_t methods, schemes;
    const ph_sphere_method *const *method = ph_sphere_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    int count = 0;
    for (size_t k = 0; k < methods; k++) {
        const ph_sphere_integrator i = {.method = method[k]};
        count += with_problems(problems, method[k]->name, &i, test);
    }
    for (size_t k = 0; k < schemes; k++) {
        const ph_sphere_integrator i = {.scheme = scheme[k]};
        char name[64];
        (void)snprintf(name, sizeof name, "%s+circle", scheme[k]->name);
        count += with_problems(problems, name, &i, test);
    }
    return count;
}

/* Positive definite, and of no pattern. */
static double any_mass(const ph_sphere_problem *p, int i, int j)
{
    static const double M[3][3] = {{3.0, 0.7, -0.4}, {0.7, 2.0, 0.5}, {-0.4, 0.5, 1.5}};
    (void)p;
    return M[i][j];
}

const ph_sphere_problem *const *sphere_trials(void)
{
    static ph_sphere_problem grid, chain, row, vortices, coupled;
    static const ph_sphere_problem *list[7];
    grid = sphere_problem_with("magnets", "rows", 2);
    grid.value[1] = 3;
    chain = sphere_problem_with("chain", "count", 3);
    row = sphere_problem_with("spins", "count", 5);
    vortices = sphere_problem_with("vortices", "ratio", -0.8);
    list[0] = &grid;
    list[1] = &chain;
    list[2] = &row;
    list[3] = &vortices;
    list[4] = find_sphere_problem("double_pendulum");
    coupled = chain;
    coupled.name = "coupled";
    coupled.mass = any_mass;
    list[5] = &coupled;
    return list;
}

double sphere_moment(const ph_sphere_problem *p)
{
    if (strcmp(p->name, "magnets") == 0)
        return 0.2;
    return strcmp(p->name, "vortices") == 0 ? 4.0 : 0.8;
}
