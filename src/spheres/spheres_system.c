/* spheres_system.c - spheres and a problem on them as a system. */
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "spheres/list.h"
#include "spheres/workspace.h"
#include "system/adapter.h"

typedef struct spheres_system {
    ph_spheres *spheres;
    ph_spheres_problem problem;
    ph_vec3 *q, *w;
    custom_parts own; /* what the integrator is made of that the catalog has not */
} spheres_system;

/* After the energy and the invariants of the problem: distances from the spheres. */
enum { MOST_INVARIANTS = 8, DEFECTS = 2 };

static ph_status step(void *self, double t, double h, double end)
{
    (void)t;
    (void)end;
    spheres_system *s = self;
    return ph_spheres_step(s->spheres, s->q, s->w, h);
}

static ph_status accept(void *self, double t)
{
    (void)t;
    spheres_system *s = self;
    ph_spheres_derive(s->spheres, s->q, s->w);
    return ph_spheres_project(ph_spheres_count(s->spheres), s->q, s->w, NULL);
}

static void observe(void *self, double t, reading *out)
{
    (void)t;
    spheres_system *s = self;
    const int kept = s->problem.invariant_count;
    const ph_spheres_defects defect =
        ph_spheres_defect(ph_spheres_count(s->spheres), s->q, s->w);
    out[0] = (reading){{ph_spheres_energy(s->spheres, s->q, s->w)}, 0.0};
    for (int k = 0; k < kept; k++)
        out[1 + k] =
            (reading){{ph_spheres_invariant_value(s->spheres, k, s->q, s->w)}, 0.0};
    out[1 + kept] = (reading){{defect.length}, 0.0};
    out[2 + kept] = (reading){{defect.orthogonality}, 0.0};
}

static void release(void *self)
{
    spheres_system *s = self;
    ph_spheres_free(s->spheres);
    free(s->q);
    free(s);
}

static const system_type TYPE = {
    .kind = "spheres",
    .step = step,
    .accept = accept,
    .observe = observe,
    .free = release,
};

#define INVARIANT(key, in_units, words, short_words)                                     \
    (ph_observable)                                                                      \
    {                                                                                    \
        .name = (key), .unit = (in_units), .text = (words), .label = (short_words),      \
        .width = 1, .watched = true, .conserved = true                                   \
    }

/* The system with its start; what it has so far is freed by the caller on failure. */
static ph_status prepare(spheres_system *s, const ph_spheres_problem *p,
                         const ph_spheres_integrator *i, const ph_vec3 *q,
                         const ph_vec3 *w)
{
    ph_spheres_integrator copy = *i;
    s->problem = *p;
    ph_status status = ph_custom_copy_scheme(&s->own, &copy.scheme);
    if (status == PH_OK)
        status = ph_custom_copy_composition(&s->own, CUSTOM_WHOLE, &copy.whole);
    if (status == PH_OK)
        status = ph_spheres_create(&s->spheres, p, &copy);
    if (status != PH_OK)
        return status;
    const size_t n = (size_t)ph_spheres_count(s->spheres);
    s->q = calloc(2 * n, sizeof *s->q);
    if (s->q == NULL)
        return PH_NO_MEMORY;
    s->w = s->q + n;
    ph_spheres_start(s->spheres, s->q, s->w);
    if (q != NULL)
        memcpy(s->q, q, n * sizeof *q);
    if (w != NULL && p->angular_velocity == NULL)
        memcpy(s->w, w, n * sizeof *w);
    return accept(s, 0.0);
}

ph_status ph_system_of_spheres(ph_system **out, const ph_spheres_problem *p,
                               const ph_spheres_integrator *i, const ph_vec3 *q,
                               const ph_vec3 *w, double h)
{
    if (ANY_NULL(out, p, i))
        return PH_NULL_ARGUMENT;
    if (p->invariant_count > MOST_INVARIANTS)
        return PH_BAD_PARAMETER;
    spheres_system *s = calloc(1, sizeof *s);
    if (s == NULL)
        return PH_NO_MEMORY;
    const ph_status status = prepare(s, p, i, q, w);
    if (status != PH_OK) {
        release(s);
        return status;
    }
    const size_t n = (size_t)ph_spheres_count(s->spheres);
    const unsigned use = PH_FIELD_STATE | PH_FIELD_SHOWN | PH_FIELD_LIST;
    const ph_field fields[] = {
        {"q", "1", "Unit vectors", "x,y,z", use | PH_FIELD_PLACE, 3, n, 3, FIELD3(*s->q)},
        {"w", "rad/t", "Angular velocities", "x,y,z", use, 3, n, 3, FIELD3(*s->w)},
        COEFFICIENTS_FIELD(s->own),
    };
    ph_observable observables[1 + MOST_INVARIANTS + DEFECTS] = {
        INVARIANT("energy", "", "Energy", "energy")};
    size_t count = 1;
    for (int k = 0; k < p->invariant_count; k++)
        observables[count++] = INVARIANT(
            p->invariants[k].name, "", "Invariant of the problem", p->invariants[k].name);
    observables[count] =
        INVARIANT("length", "1", "Largest deviation of |q| from 1", "|q|");
    observables[count].start[0] = 1.0;
    observables[count++].defect = true;
    observables[count] = INVARIANT("orthogonality", "rad/t", "Largest |q.w|", "q.w");
    observables[count++].defect = true;
    char name[PH_INTEGRATOR_NAME];
    return ph_system_make(
        out, &(system_parts){.type = &TYPE,
                             .self = s,
                             .h = h,
                             .problem = p->name ? p->name : "",
                             .integrator = ph_spheres_integrator_name(i, name),
                             .parameters = p->parameters,
                             .parameter_count = (size_t)p->parameter_count,
                             .values = s->problem.value,
                             .evaluations = &s->spheres->evaluations,
                             .fields = fields,
                             .field_count = sizeof fields / sizeof fields[0],
                             .observables = observables,
                             .observable_count = count});
}

static ph_status open(ph_system **out, const system_source *from)
{
    const ph_spheres_problem *named;
    ph_spheres_integrator i;
    custom_parts own = {0};
    if (!ph_snapshot_coefficients(from, &own))
        return PH_OTHER_SNAPSHOT;
    if (ph_spheres_problem_named(from->problem, &named) != PH_OK ||
        ph_spheres_custom(&own, from->integrator, &i) != PH_OK)
        return PH_UNKNOWN_NAME;
    ph_spheres_problem p = *named;
    if (from->bytes != NULL &&
        !ph_snapshot_parameters(from, p.parameters, p.parameter_count, p.value))
        return PH_OTHER_SNAPSHOT;
    return ph_system_of_spheres(out, &p, &i, NULL, NULL, from->h);
}

const ph_kind ph_kind_spheres = {
    .name = "spheres",
    .open = open,
};
