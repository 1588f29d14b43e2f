/* systems.c - every kind, problem and integrator as a system, and systems compared. */
#include "support/systems.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/elementary.h"
#include "base/named.h"
#include "motion/composition.h"
#include "motion/vec.h"
#include "support/stepping.h"
#include "system/find.h"
#include "system/kind.h"
#include "system/run_body.h"

/* ---- making one ------------------------------------------------------------------ */

static ph_status body(const any_system *a, ph_system **out, double h)
{
    return ph_system_from_problem(a->problem, a->integrator, NULL, h, 0, out);
}

static ph_status plain_body(const any_system *a, ph_system **out, double h)
{
    return ph_system_from_problem(a->problem, a->integrator, NULL, h, PH_SYSTEM_UNCOMPENSATED, out);
}

static ph_status of_settings(const any_system *a, ph_system **out, double h)
{
    ph_system_settings with = a->with;
    with.step = h;
    return ph_system_create(&with, out);
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
#define OF_PROBLEM(p)                                                                              \
    .problem = (p), .parameters = (p)->parameters,                                                 \
    .parameter_count = (size_t)(p)->parameter_count, .value = (p)->value

static void try_one(system_test *test, any_system a, const char *problem, const char *integrator)
{
    ph_system *s = NULL;
    (void)snprintf(a.name, sizeof a.name, "%s by %s", problem, integrator);
    const ph_status status = a.make(&a, &s, a.h);
    if (status == PH_NOT_APPLICABLE || (a.make == of_settings && status == PH_UNKNOWN_NAME))
        return;
    ph_system_destroy(s);
    tested++;
    test(&a);
}

static const double BODY_STEP = 0.01, OTHER_STEP = 0.001;

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

/* ---- other kinds ------------------------------------------------------------------- */

/* Problems of other kinds than one body by an integrator, if they have it; those that begin
 * on a lattice with bodies of unequal masses in open space and in two boxes, and few molecules. */
enum { SIDE = 4, BODIES = SIDE * SIDE * SIDE };

static void try_problem(system_test *test, const ph_problem_facts *p, const char *by)
{
    static const struct {
        const char *name;
        double edge, cutoff;
    } boxes[] = {{"", 0, 0}, {" in cells of a box", 9, 3}, {" and images in a box", 6, 3}};
    const size_t parameters = (size_t)p->parameter_count;
    const bool lattice = ROW_NAMED(p->parameters, parameters, "lattice") != NULL,
               molecules = ROW_NAMED(p->parameters, parameters, "molecules") != NULL;
    for (size_t k = 0; k < (lattice ? sizeof boxes / sizeof boxes[0] : 1); k++) {
        const double e = boxes[k].edge, box[] = {e, e, e}, side = SIDE, spacing = 1.5, few = 8;
        double masses[BODIES];
        for (int i = 0; i < BODIES; i++)
            masses[i] = 1.0 + 0.1 * i;
        const ph_setting settings[] = {{"lattice", &side, 1},
                                       {"spacing", &spacing, 1},
                                       {"box", box, 3},
                                       {"cutoff", &boxes[k].cutoff, 1},
                                       {"masses", masses, BODIES}},
                         number = {"molecules", &few, 1};
        const size_t count = lattice ? sizeof settings / sizeof settings[0] : molecules ? 1 : 0;
        const any_system a = {.make = of_settings,
                              .with = {p->name, .integrator = by,
                                       .settings = lattice ? settings : &number,
                                       .setting_count = count},
                              OF_PROBLEM(p),
                              .named = true,
                              .h = OTHER_STEP};
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", p->name, boxes[k].name);
        try_one(test, a, name, by);
    }
}

/* All of them, by each of some integrators; with none by all methods of their kind, or of a
 * body where it has none, and by all schemes, composed, too. Each by one at least. */
static void try_other_kinds(system_test *test, const char *const *by, size_t count)
{
    ph_problem_facts p;
    ph_method_facts m;
    const ph_problem *body;
    size_t schemes;
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        const size_t before = tested;
        const ph_kind *kind = ph_kind_named(p.kind);
        char name[PH_INTEGRATOR_NAME];
        if (ph_problem_named(p.name, &body) == PH_OK)
            continue;
        for (size_t k = 0; k < count; k++)
            try_problem(test, &p, by[k]);
        for (size_t k = 0; count == 0 && ph_method_at(k, &m); k++) {
            if (kind->method != NULL && strcmp(m.kind, p.kind) != 0)
                continue;
            try_problem(test, &p, m.name);
            (void)snprintf(name, sizeof name, "%s@yoshida4", m.name);
            if (may_be_composed(m.order, m.keeps))
                try_problem(test, &p, name);
        }
        for (size_t k = 0; count == 0 && k < schemes; k++) {
            (void)snprintf(name, sizeof name, "%s+%s", scheme[k]->name, p.drift);
            try_problem(test, &p, name);
            (void)snprintf(name, sizeof name, "%s+%s@yoshida4", scheme[k]->name, p.drift);
            if (scheme[k]->order == 2)
                try_problem(test, &p, name);
        }
        if (tested == before)
            fail_msg("%s: no integrator can do it", p.name);
    }
}

/* ---- all, and some ----------------------------------------------------------------- */

size_t every_system(system_test *test)
{
    size_t flows, methods, schemes, compositions;
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_method *const *method = ph_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    const ph_composition *composition = ph_compositions(&compositions);
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
        if (scheme[k]->order == 2)
            try_bodies(test, &(ph_integrator){.flow = exact, .scheme = scheme[k], .whole = whole});
    }
    try_other_kinds(test, NULL, 0);
    assert_true(tested > flows * 3 + (methods + schemes) * 6);
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
    static const char *const others[] = {
        "rattle",       "rattle@yoshida4",       "rkmkgl4",
        "s4_6+circle",  "verlet+circle@suzuki4", "spherical_midpoint",
        "verlet+exact", "verlet+mr@yoshida4",    "mkrk_rk4"};
    tested = 0;
    for (size_t k = 0; k < sizeof bodies / sizeof bodies[0]; k++) {
        const ph_integrator i = integrator_of(bodies[k]);
        try_bodies(test, &i);
        if (i.scheme == NULL && i.method == NULL)
            try_free(test, &i);
    }
    try_other_kinds(test, others, sizeof others / sizeof others[0]);
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
