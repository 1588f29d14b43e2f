/* systems.c - every kind, problem and integrator as a system, and systems compared. */
#include "support/systems.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/elementary.h"
#include "motion/composition.h"
#include "rotation/vec.h"
#include "support/stepping.h"
#include "system/find.h"

/* ---- making one ------------------------------------------------------------------ */

static ph_status body(const any_system *a, ph_system **out, double h)
{
    return ph_system_of_body(out, a->problem, a->integrator, NULL, h, 0);
}

static ph_status plain_body(const any_system *a, ph_system **out, double h)
{
    return ph_system_of_body(out, a->problem, a->integrator, NULL, h, PH_PLAIN);
}

static ph_status spheres(const any_system *a, ph_system **out, double h)
{
    return ph_system_of_spheres(out, a->problem, a->integrator, NULL, NULL, h);
}

ph_molecules *unequal_molecules(double edge)
{
    ph_molecules *m = ph_molecules_lattice(4, 1.5, 0.01, 1);
    if (m == NULL)
        return NULL;
    for (size_t i = 0; i < m->n; i++)
        m->mass[i] = 1.0 + 0.1 * (double)i;
    m->box = vec3(edge, edge, edge);
    m->cutoff = 3.0;
    return m;
}

static ph_status molecules(const any_system *a, ph_system **out, double h)
{
    ph_molecules *m = unequal_molecules(*(const double *)a->problem);
    const ph_status status =
        m ? ph_system_of_molecules(out, m, a->integrator, h) : PH_NO_MEMORY;
    if (status != PH_OK)
        ph_molecules_free(m);
    return status;
}

ph_system *system_made(const any_system *a)
{
    ph_system *s = NULL;
    const ph_status status = a->make(a, &s, a->h);
    if (status != PH_OK) {
        fail_msg("%s: %s", a->name, ph_status_text(status));
        abort(); /* fail_msg does not return, but does not say so */
    }
    return s;
}

/* ---- problems that are in no catalog --------------------------------------------- */

/* Time in the torque, so that it matters when a run goes on. */
static ph_vec3 pushed(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    return vec3(ph_sin(now->t), 0.3 * ph_cos(2 * now->t), 0.1 * now->t);
}

static ph_vec3 pushed_and_damped(const ph_problem *p, const ph_instant *now)
{
    return sub(pushed(p, now), scale(0.2, now->w));
}

static ph_vec3 wheel(const ph_problem *p, double t)
{
    (void)p;
    return vec3(0.1, 0.2 * t, -0.3);
}

#define START .q = {0.8, 0.4, -0.4, 0.2}, .w = {0.7, -0.6, 0.5}
enum { OWN = 3 };
static const ph_mat3 TENSOR = {{{2.0, 0.3, -0.2}, {0.3, 1.5, 0.1}, {-0.2, 0.1, 1.0}}};

static void own_problems(ph_problem own[OWN])
{
    const ph_body body = PH_MOMENTS(1.3, 2.1, 2.9);
    own[0] = (ph_problem){.name = "a push", .body = body, START, .torque = pushed};
    own[1] = (ph_problem){.name = "a wheel",
                          .body = body,
                          START,
                          .torque = pushed_and_damped,
                          .velocity_dependent = true,
                          .internal = wheel};
    own[2] = (ph_problem){.name = "a push in any axes", START, .torque = pushed};
    assert_int_equal(PH_OK, ph_body_from_tensor(&own[2].body, TENSOR));
}

/* ---- every one there is ---------------------------------------------------------- */

typedef void system_test(const any_system *a);

static size_t tested;

/* What a problem of any kind has of its own. */
#define OF_PROBLEM(p)                                                                    \
    .problem = (p), .parameters = (p)->parameters,                                       \
    .parameter_count = (size_t)(p)->parameter_count, .value = (p)->value

static void try_one(system_test *test, any_system a, const char *problem,
                    const char *integrator)
{
    ph_system *s = NULL;
    (void)snprintf(a.name, sizeof a.name, "%s by %s", problem, integrator);
    if (a.make(&a, &s, a.h) == PH_NOT_APPLICABLE)
        return;
    ph_system_free(s);
    tested++;
    test(&a);
}

static const double BODY_STEP = 0.01, SPHERE_STEP = 0.001;

static void try_bodies(system_test *test, const ph_integrator *i)
{
    char name[PH_INTEGRATOR_NAME];
    size_t count;
    const ph_problem *const *problems = ph_problems(&count);
    ph_problem own[OWN];
    own_problems(own);
    (void)ph_integrator_name(i, name);
    for (size_t k = 0; k < count + OWN; k++) {
        const ph_problem *p = k < count ? problems[k] : &own[k - count];
        const any_system a = {.make = body,
                              OF_PROBLEM(p),
                              .is_free = p->torque == NULL,
                              .integrator = i,
                              .named = k < count,
                              .h = BODY_STEP};
        try_one(test, a, p->name, name);
    }
}

static void try_free(system_test *test, const ph_integrator *i)
{
    char name[PH_INTEGRATOR_NAME];
    ph_problem tilted = *find_problem("free");
    assert_int_equal(PH_OK, ph_body_from_tensor(&tilted.body, TENSOR));
    (void)ph_integrator_name(i, name);
    const ph_problem *p = find_problem("free");
    const any_system plain = {.make = plain_body,
                              OF_PROBLEM(p),
                              .is_free = true,
                              .integrator = i,
                              .named = true,
                              .h = BODY_STEP};
    const any_system in_any_axes = {.make = body,
                                    OF_PROBLEM(&tilted),
                                    .is_free = true,
                                    .integrator = i,
                                    .named = true,
                                    .h = BODY_STEP};
    try_one(test, plain, "free, plain", name);
    try_one(test, in_any_axes, "free, in any axes", name);
}

static void try_molecules(system_test *test, const ph_integrator *i)
{
    static const double edges[] = {0.0, 9.0, 6.0};
    static const char *const names[] = {"molecules", "molecules in cells of a box",
                                        "molecules and images in a box"};
    char name[PH_INTEGRATOR_NAME];
    (void)ph_integrator_name(i, name);
    for (size_t k = 0; k < sizeof edges / sizeof edges[0]; k++) {
        const any_system a = {.make = molecules,
                              .problem = &edges[k],
                              .integrator = i,
                              .named = true,
                              .h = BODY_STEP};
        try_one(test, a, names[k], name);
    }
}

static void try_spheres(system_test *test, const ph_spheres_integrator *i)
{
    char name[PH_INTEGRATOR_NAME];
    size_t count;
    const ph_spheres_problem *const *problems = ph_spheres_problems(&count);
    (void)ph_integrator_name(i, name);
    for (size_t p = 0; p < count; p++) {
        const any_system a = {.make = spheres,
                              OF_PROBLEM(problems[p]),
                              .integrator = i,
                              .named = true,
                              .h = SPHERE_STEP};
        try_one(test, a, problems[p]->name, name);
    }
}

size_t every_system(system_test *test)
{
    size_t flows, methods, schemes, compositions, sphere_methods;
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_method *const *method = ph_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    const ph_composition *composition = ph_compositions(&compositions);
    const ph_spheres_method *const *sphere_method = ph_spheres_methods(&sphere_methods);
    const ph_flow *exact = integrator_of("exact").flow, *sr2 = integrator_of("sr2").flow;
    tested = 0;
    for (size_t k = 0; k < flows; k++) {
        const ph_integrator i = {.flow = flow[k]};
        try_bodies(test, &i);
        try_free(test, &i);
    }
    for (size_t k = 0; k < compositions; k++)
        try_bodies(test, &(ph_integrator){.flow = sr2, .composition = &composition[k]});
    const ph_composition *whole = find_composition("yoshida4");
    for (size_t k = 0; k < methods; k++) {
        try_bodies(test, &(ph_integrator){.method = method[k]});
        if (may_be_composed(method[k]->order, method[k]->keeps))
            try_bodies(test, &(ph_integrator){.method = method[k], .whole = whole});
    }
    for (size_t k = 0; k < schemes; k++) {
        const ph_integrator i = {.flow = exact, .scheme = scheme[k]};
        try_bodies(test, &i);
        try_molecules(test, &i);
        try_spheres(test, &(ph_spheres_integrator){.scheme = scheme[k]});
        if (scheme[k]->order != 2)
            continue;
        const ph_integrator composed = {
            .flow = exact, .scheme = scheme[k], .whole = whole};
        try_bodies(test, &composed);
        try_molecules(test, &composed);
        try_spheres(test, &(ph_spheres_integrator){.scheme = scheme[k], .whole = whole});
    }
    for (size_t k = 0; k < sphere_methods; k++) {
        ph_spheres_integrator i = {.method = sphere_method[k]};
        try_spheres(test, &i);
        i.whole = whole;
        if (may_be_composed(sphere_method[k]->order, sphere_method[k]->keeps))
            try_spheres(test, &i);
    }
    assert_true(tested > flows * 3 + (methods + schemes) * 5 + schemes + sphere_methods);
    return tested;
}

size_t adaptive_systems(system_test *test)
{
    size_t count;
    const ph_adaptive *const *adaptive = ph_adaptives(&count);
    tested = 0;
    for (size_t k = 0; k < count; k++) {
        ph_integrator i = {.adaptive = adaptive[k], .tolerance = 1e-8};
        try_bodies(test, &i);
        i.longest_step = 0.02;
        try_bodies(test, &i);
    }
    assert_true(tested >= 20 * count);
    return tested;
}

size_t some_systems(system_test *test)
{
    static const char *const bodies[] = {
        "dmv2",         "sr2:suzuki4",        "vlv",         "rattle@yoshida4",
        "verlet+exact", "verlet+mr@yoshida4", "sr2@suzuki4", "mkrk_rk4"};
    static const char *const of_spheres[] = {
        "rattle",      "rattle@yoshida4",       "rkmkgl4",
        "s4_6+circle", "verlet+circle@suzuki4", "spherical_midpoint"};
    tested = 0;
    for (size_t k = 0; k < sizeof bodies / sizeof bodies[0]; k++) {
        const ph_integrator i = integrator_of(bodies[k]);
        try_bodies(test, &i);
        if (i.scheme != NULL)
            try_molecules(test, &i);
        else if (i.method == NULL)
            try_free(test, &i);
    }
    for (size_t k = 0; k < sizeof of_spheres / sizeof of_spheres[0]; k++) {
        ph_spheres_integrator i;
        assert_true(ph_spheres_integrator_named(of_spheres[k], &i) == PH_OK);
        try_spheres(test, &i);
    }
    assert_true(tested > 30);
    return tested;
}

/* ---- runs and snapshots ---------------------------------------------------------- */

void run_system(const any_system *a, ph_system *s, uint64_t steps, const ph_observer *o)
{
    const ph_status status = ph_system_run(s, steps, o);
    if (status != PH_OK)
        fail_msg("%s: step %llu: %s", a->name, (unsigned long long)ph_system_steps(s),
                 ph_status_text(status));
}

bytes snapshot_of(const ph_system *s)
{
    bytes b = {.size = ph_system_save(s, NULL, 0)};
    b.at = malloc(b.size);
    assert_non_null(b.at);
    assert_int_equal(b.size, ph_system_save(s, b.at, b.size));
    return b;
}

void sign_snapshot(bytes b)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i + SNAPSHOT_CHECKSUM < b.size; i++)
        hash = (hash ^ b.at[i]) * 0x100000001b3u;
    for (size_t i = 0; i < SNAPSHOT_CHECKSUM; i++)
        b.at[b.size - SNAPSHOT_CHECKSUM + i] = (unsigned char)(hash >> (8 * i));
}

void assert_same_system(const any_system *a, const char *words, const ph_system *x,
                        const ph_system *y)
{
    char message[sizeof a->name + 64];
    (void)snprintf(message, sizeof message, "%s: %s", a->name, words);
    const bytes b = snapshot_of(x);
    assert_as_saved(message, b, y);
    free(b.at);
}

void assert_as_saved(const char *words, bytes b, const ph_system *s)
{
    const bytes now = snapshot_of(s);
    if (now.size != b.size || memcmp(now.at, b.at, b.size) != 0)
        fail_msg("%s", words);
    free(now.at);
}

ph_system *system_named(const char *problem, const char *integrator, double h)
{
    ph_system *s = NULL;
    const ph_status status = system_by_names(&s, problem, integrator, h);
    if (status != PH_OK) {
        fail_msg("%s by %s: %s", problem, integrator, ph_status_text(status));
        abort();
    }
    return s;
}

ph_system *system_of_molecules(double edge, double h)
{
    const ph_integrator verlet = integrator_of("verlet+exact");
    ph_system *s = NULL;
    assert_int_equal(PH_OK,
                     ph_system_of_molecules(&s, unequal_molecules(edge), &verlet, h));
    return s;
}
