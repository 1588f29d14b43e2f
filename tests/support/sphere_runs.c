/* sphere_runs.c - runs on spheres by the names of their integrators. */
#include "support/sphere_runs.h"
#include "base/extremes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kinds/spheres/spheres_list.h"
#include "kinds/spheres/workspace.h"
#include "motion/vec.h"
#include "system/find.h"

sphere_run sphere_run_new(const char *integrator, const ph_spheres_problem *p)
{
    ph_integrator i = {0};
    sphere_run r = {.s = NULL};
    if (ph_spheres_integrator_named(integrator, &i) != PH_OK)
        fail_msg("there is no %s", integrator);
    const ph_status status = ph_spheres_create(p, &i, &r.s);
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
    ph_spheres_destroy(r->s);
    r->s = NULL;
}

ph_status system_from_spheres(const ph_spheres_problem *p, const ph_integrator *i, const ph_vec3 *q,
                              const ph_vec3 *w, double h, ph_system **out)
{
    const size_t numbers = 3 * (size_t)p->count(p);
    const bool second_order = p->angular_velocity == NULL;
    const ph_setting start[] = {{"q", (const double *)q, numbers},
                                {"w", (const double *)w, numbers}};
    const ph_system_settings with = {.own_integrator = i,
                                     .step = h,
                                     .settings = start,
                                     .setting_count = q == NULL      ? 0
                                                      : second_order ? 2
                                                                     : 1};
    return ph_system_create_on_spheres(&with, p, out);
}

ph_system *sphere_system(const sphere_run *r, double h)
{
    ph_system *system = NULL;
    const ph_status status = system_from_spheres(&r->s->p, &r->s->i, r->q, r->w, h, &system);
    if (status != PH_OK)
        fail_msg("%s: %s", r->s->p.name, ph_status_text(status));
    return system;
}

void sphere_run_steps(sphere_run *r, double h, uint64_t steps)
{
    ph_system *system = sphere_system(r, h);
    const ph_status status = ph_system_run(system, (uint64_t)steps, NULL);
    if (status != PH_OK)
        fail_msg("after %llu steps of %g: %s", (unsigned long long)ph_system_steps(system), h,
                 ph_status_text(status));
    const size_t size = (size_t)r->n * sizeof *r->q;
    memcpy(r->q, find_field(system, "q")->data[0], size);
    memcpy(r->w, find_field(system, "w")->data[0], size);
    ph_system_destroy(system);
}

ph_spheres_problem sphere_problem_with(const char *name, const char *parameter, double value)
{
    const ph_spheres_problem *named = find_spheres_problem(name);
    assert_non_null(named);
    ph_spheres_problem p = *named;
    const ph_parameter *a = ph_spheres_problem_parameter(&p, parameter);
    assert_non_null(a);
    p.value[a->first] = value;
    return p;
}

static double largest(int n, const ph_vec3 *a, const ph_vec3 *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = larger_or_nan(worst, norm_max(sub(a[i], b[i])));
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
    return larger_or_nan(sphere_q_distance(a, b), sphere_w_distance(a, b));
}

static int
with_problems(const ph_spheres_problem *const *problems, const char *name, const ph_integrator *i,
              void (*test)(const char *name, const ph_integrator *i, const ph_spheres_problem *p))
{
    int count = 0;
    for (; *problems != NULL; problems++) {
        if (ph_spheres_applicable(i, *problems)) {
            test(name, i, *problems);
            count++;
        }
    }
    return count;
}

int sphere_each(const ph_spheres_problem *const *problems,
                void (*test)(const char *name, const ph_integrator *i, const ph_spheres_problem *p))
{
    size_t methods, schemes;
    const ph_method *const *method = ph_spheres_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    int count = 0;
    for (size_t k = 0; k < methods; k++) {
        const ph_integrator i = {.method = method[k]};
        count += with_problems(problems, method[k]->name, &i, test);
    }
    for (size_t k = 0; k < schemes; k++) {
        const ph_integrator i = {.scheme = scheme[k]};
        char name[64];
        (void)snprintf(name, sizeof name, "%s+circle", scheme[k]->name);
        count += with_problems(problems, name, &i, test);
    }
    return count;
}

/* Positive definite, and of no pattern. */
static double any_mass(const ph_spheres_problem *p, int i, int j)
{
    static const double M[3][3] = {{3.0, 0.7, -0.4}, {0.7, 2.0, 0.5}, {-0.4, 0.5, 1.5}};
    (void)p;
    return M[i][j];
}

const ph_spheres_problem *const *sphere_trials(void)
{
    static ph_spheres_problem grid, chain, row, vortices, coupled;
    static const ph_spheres_problem *list[7];
    grid = sphere_problem_with("magnets", "rows", 2);
    grid.value[1] = 3;
    chain = sphere_problem_with("chain", "count", 3);
    row = sphere_problem_with("spins", "count", 5);
    vortices = sphere_problem_with("vortices", "ratio", -0.8);
    list[0] = &grid;
    list[1] = &chain;
    list[2] = &row;
    list[3] = &vortices;
    list[4] = find_spheres_problem("double_pendulum");
    coupled = chain;
    coupled.name = "coupled";
    coupled.mass = any_mass;
    list[5] = &coupled;
    return list;
}

double sphere_moment(const ph_spheres_problem *p)
{
    if (strcmp(p->name, "magnets") == 0)
        return 0.2;
    return strcmp(p->name, "vortices") == 0 ? 4.0 : 0.8;
}
