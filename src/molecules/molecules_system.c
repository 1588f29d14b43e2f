/* molecules_system.c - molecules as a system. */
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "molecules/system.h"
#include "rotation/vec.h"
#include "system/adapter.h"

typedef struct molecules_system {
    ph_molecules *m;
    ph_integrator integrator;
    custom_parts own; /* what it is made of that the catalog has not */
    bool owned;       /* m is freed with the system */
} molecules_system;

enum {
    ENERGY,
    TEMPERATURE,
    TRANSLATION,
    ROTATION,
    POTENTIAL,
    MOMENTUM,
    ANGULAR_MOMENTUM,
    OBSERVABLES
};

static ph_status step(void *self, double t, double h, double end)
{
    (void)t;
    (void)end;
    molecules_system *s = self;
    return ph_molecules_step(s->m, &s->integrator, h);
}

static ph_status accept(void *self, double t)
{
    (void)t;
    return ph_molecules_prepare(((molecules_system *)self)->m, NULL);
}

static void restored(void *self)
{
    ph_molecules_work *w = ((molecules_system *)self)->m->work;
    w->prepared = true; /* as the system was when it was made */
    w->fresh = false;
}

/* Momenta count relative to the sum of the sizes of their terms. */
static void observe(void *self, double t, reading *out)
{
    (void)t;
    ph_molecules *m = ((molecules_system *)self)->m;
    const ph_vec3 P = ph_molecules_momentum(m), L = ph_molecules_angular_momentum(m);
    double of_P = 0.0, of_L = 0.0;
    for (size_t i = 0; i < m->n; i++) {
        const ph_vec3 x = vec3_at(m->x, i), p = vec3_at(m->p, i);
        of_P += norm(p);
        of_L += norm(cross(x, p)) + norm(vec3_at(m->m, i));
    }
    const ph_molecules_energy e = ph_molecules_energies(m);
    out[ENERGY] = (reading){{e.total}, 0.0};
    out[TEMPERATURE] = (reading){{ph_molecules_temperature(m)}, 0.0};
    out[TRANSLATION] = (reading){{e.translation}, 0.0};
    out[ROTATION] = (reading){{e.rotation}, 0.0};
    out[POTENTIAL] = (reading){{e.potential}, 0.0};
    out[MOMENTUM] = (reading){{P.x, P.y, P.z}, of_P};
    out[ANGULAR_MOMENTUM] = (reading){{L.x, L.y, L.z}, of_L};
}

static void release(void *self)
{
    molecules_system *s = self;
    if (s->owned)
        ph_molecules_free(s->m);
    free(s);
}

static const system_type TYPE = {
    .kind = "molecules",
    .step = step,
    .accept = accept,
    .restored = restored,
    .observe = observe,
    .free = release,
};

#define ARRAYS3(v)                                                                       \
    {                                                                                    \
        (v)[0], (v)[1], (v)[2]                                                           \
    }
#define ARRAYS4(v)                                                                       \
    {                                                                                    \
        (v)[0], (v)[1], (v)[2], (v)[3]                                                   \
    }

enum { FIELDS = 12 };

static void describe(ph_molecules *m, ph_field out[FIELDS])
{
    const unsigned moving = PH_FIELD_STATE | PH_FIELD_SHOWN | PH_FIELD_LIST,
                   place = moving | PH_FIELD_PLACE, constant = PH_FIELD_CONSTANT;
    const size_t n = m->n;
    const ph_field fields[FIELDS] = {
        {"positions", "l", "Places in space", "x,y,z", place, 3, n, 1, ARRAYS3(m->x)},
        {"momenta", "m l/t", "Momenta in space", "px,py,pz", moving, 3, n, 1,
         ARRAYS3(m->p)},
        {"attitudes", "1", "Attitudes, body to space, scalar first", "q0,q1,q2,q3", place,
         4, n, 1, ARRAYS4(m->q)},
        {"angular_momenta", "I/t", "Angular momenta in the body frame", "m1,m2,m3",
         moving, 3, n, 1, ARRAYS3(m->m)},
        {"masses", "m", "Masses", "mass", constant, 1, n, 1, FIELD1(*m->mass)},
        {"inertias", "I", "Principal moments of inertia", "I1,I2,I3", constant, 3, n, 1,
         ARRAYS3(m->J)},
        {"dipoles", "d", "Dipoles in the body frame", "d1,d2,d3", constant, 3, n, 1,
         ARRAYS3(m->dipole)},
        {"box", "l", "Edges of the periodic box, zero in open space", "box1,box2,box3",
         constant, 3, 1, 1, FIELD3(m->box)},
        {"cutoff", "l", "Cutoff", "cutoff", constant, 1, 1, 1, FIELD1(m->cutoff)},
        {"dielectric", "1", "Dielectric constant beyond the cutoff", "dielectric",
         constant, 1, 1, 1, FIELD1(m->dielectric)},
        {"law", "1", "Constants of the pair law", "constant", constant | PH_FIELD_LIST, 1,
         PH_LAW_CONSTANTS, 1, FIELD1(*m->constant)},
        {"reference",
         "m l^2/t^2",
         "Energy at the start, and the change that is an explosion",
         "energy,tolerance",
         PH_FIELD_STATE,
         2,
         1,
         1,
         {&m->work->energy, &m->work->tolerance}},
    };
    memcpy(out, fields, sizeof fields);
}

ph_status ph_system_of_molecules(ph_system **out, ph_molecules *m, const ph_integrator *i,
                                 double h)
{
    if (ANY_NULL(out, m, i))
        return PH_NULL_ARGUMENT;
    if (!ph_molecules_applicable(i))
        return PH_NOT_APPLICABLE;
    const ph_status status = isfinite(h) ? ph_molecules_prepare(m, NULL) : PH_BAD_STEP;
    if (status != PH_OK)
        return status;
    molecules_system *s = calloc(1, sizeof *s);
    if (s == NULL)
        return PH_NO_MEMORY;
    s->m = m;
    const ph_status copied = ph_custom_copy(&s->own, i, &s->integrator);
    if (copied != PH_OK) {
        free(s);
        return copied;
    }
    ph_field fields[FIELDS + 1] = {[FIELDS] = COEFFICIENTS_FIELD(s->own)};
    describe(m, fields);
    const bool turns = !in_a_box(m); /* a rotation changes a box */
    const ph_observable observables[OBSERVABLES] = {
        [ENERGY] = {"energy", "m l^2/t^2", "Kinetic and potential energy", "energy", 1,
                    .watched = true, .conserved = true, .relative = true},
        [TEMPERATURE] = {"temperature", "m l^2/t^2",
                         "Temperature, less the motion of the centre of mass",
                         "temperature", .width = 1},
        [TRANSLATION] = {"translation", "m l^2/t^2", "Energy of the momenta",
                         "  translation", .width = 1},
        [ROTATION] = {"rotation", "m l^2/t^2", "Energy of the angular momenta",
                      "  rotation", .width = 1},
        [POTENTIAL] = {"potential", "m l^2/t^2", "Energy of the forces", "  potential",
                       .width = 1},
        [MOMENTUM] = {"momentum", "m l/t", "Sum of the momenta", "momentum", 3,
                      .watched = true, .conserved = true, .relative = true},
        [ANGULAR_MOMENTUM] = {"angular_momentum", "m l^2/t",
                              "Angular momentum about the origin", "angular m.", 3,
                              .watched = true, .conserved = turns, .relative = true},
    };
    char name[PH_INTEGRATOR_NAME];
    const ph_status made =
        ph_system_make(out, &(system_parts){.type = &TYPE,
                                            .self = s,
                                            .h = h,
                                            .problem = m->law->name,
                                            .integrator = ph_integrator_name(i, name),
                                            .evaluations = &m->work->evaluations,
                                            .fields = fields,
                                            .field_count = FIELDS + 1,
                                            .observables = observables,
                                            .observable_count = OBSERVABLES});
    if (made == PH_OK)
        s->owned = true;
    return made; // cppcheck-suppress memleak ; the system has taken it over
}

/* Molecules as a snapshot has them. */
static ph_status read_molecules(ph_molecules **out, const ph_molecules_problem *p,
                                const system_source *from)
{
    const size_t n = ph_snapshot_count(from, "positions");
    ph_molecules *m = n > 0 ? ph_molecules_create(n) : NULL;
    if (m == NULL)
        return n > 0 ? PH_NO_MEMORY : PH_OTHER_SNAPSHOT;
    ph_molecules_set_problem(m, p);
    ph_field fields[FIELDS];
    describe(m, fields);
    for (int k = 0; k < FIELDS; k++) {
        const ph_field *f = &fields[k];
        if (!ph_snapshot_field(from, f->name, f->width, f->count, f->data)) {
            ph_molecules_free(m);
            return PH_OTHER_SNAPSHOT;
        }
    }
    *out = m;
    return PH_OK;
}

static ph_status open(ph_system **out, const system_source *from)
{
    const ph_molecules_problem *p;
    ph_integrator i;
    custom_parts own = {0};
    ph_molecules *m;
    if (!ph_snapshot_coefficients(from, &own))
        return PH_OTHER_SNAPSHOT;
    if (ph_molecules_problem_named(from->problem, &p) != PH_OK ||
        ph_custom_integrator(&own, from->integrator, &i) != PH_OK)
        return PH_UNKNOWN_NAME;
    ph_status status =
        from->bytes ? read_molecules(&m, p, from) : ph_molecules_of_problem(&m, p);
    if (status != PH_OK)
        return status;
    status = ph_system_of_molecules(out, m, &i, from->h);
    if (status != PH_OK)
        ph_molecules_free(m);
    return status;
}

const ph_kind ph_kind_molecules = {
    .name = "molecules",
    .open = open,
};
