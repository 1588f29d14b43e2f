/* systems.c - systems by the names of their problem and integrator, and from snapshots. */
#include <string.h>

#include "catalog/find.h"
#include "core/vec.h"
#include "system/system.h"

ph_status ph_system_create(ph_system **out, const char *problem, const char *integrator,
                           double h)
{
    const ph_problem *body = find_problem(problem);
    const ph_spheres_problem *spheres = find_spheres_problem(problem);
    ph_integrator of_body;
    ph_spheres_integrator of_spheres;
    if (body != NULL)
        return ph_integrator_named(integrator, &of_body) == PH_OK
                   ? ph_system_of_body(out, body, &of_body, NULL, h, 0)
                   : PH_UNKNOWN_NAME;
    if (spheres == NULL || ph_spheres_integrator_named(integrator, &of_spheres) != PH_OK)
        return PH_UNKNOWN_NAME;
    return ph_system_of_spheres(out, spheres, &of_spheres, NULL, NULL, h);
}

/* ---- from a snapshot ------------------------------------------------------------- */

static bool take_parameters(const snapshot *s, const ph_parameter *parameters, int count,
                            double *value)
{
    bool all = true;
    for (int i = 0; i < count; i++)
        all = all && ph_snapshot_parameter(s, parameters[i].name, parameters[i].count,
                                           &value[parameters[i].first]);
    return all;
}

static ph_status open_body(ph_system **out, const snapshot *s)
{
    const ph_problem *named = find_problem(s->problem);
    ph_integrator i;
    ph_vec3 J = {0, 0, 0};
    ph_quat axes = {1, 0, 0, 0};
    double options = 0.0;
    double *const moments[] = {&J.x, &J.y, &J.z}, *const turn[] = {&axes.w, &axes.x,
                                                                   &axes.y, &axes.z};
    if (named == NULL || ph_integrator_named(s->integrator, &i) != PH_OK)
        return PH_UNKNOWN_NAME;
    ph_problem p = *named;
    if (!take_parameters(s, p.parameters, p.parameter_count, p.value) ||
        !ph_snapshot_field(s, "moments", 3, 1, moments) ||
        !ph_snapshot_field(s, "axes", 4, 1, turn) ||
        !ph_snapshot_field(s, "options", 1, 1, (double *const[]){&options}) ||
        !(options >= 0.0 && options <= (PH_PLAIN | PH_COUNTED)))
        return PH_OTHER_SNAPSHOT;
    if (p.prepare != NULL)
        p.prepare(&p);
    p.body = (ph_body){
        .J = J, .axes = axes, .principal = axes.w == 1.0 && norm_max(vec(axes)) == 0.0};
    return ph_system_of_body(out, &p, &i, NULL, s->h, (unsigned)options);
}

static ph_status open_spheres(ph_system **out, const snapshot *s)
{
    const ph_spheres_problem *named = find_spheres_problem(s->problem);
    ph_spheres_integrator i;
    if (named == NULL || ph_spheres_integrator_named(s->integrator, &i) != PH_OK)
        return PH_UNKNOWN_NAME;
    ph_spheres_problem p = *named;
    if (!take_parameters(s, p.parameters, p.parameter_count, p.value))
        return PH_OTHER_SNAPSHOT;
    return ph_system_of_spheres(out, &p, &i, NULL, NULL, s->h);
}

static ph_status open_molecules(ph_system **out, const snapshot *s)
{
    ph_integrator i;
    const ph_molecules_problem *p = find_molecules_problem(s->problem);
    const size_t n = ph_snapshot_count(s, "positions");
    if (p == NULL || ph_integrator_named(s->integrator, &i) != PH_OK)
        return PH_UNKNOWN_NAME;
    ph_molecules *m = n > 0 ? ph_molecules_create(n) : NULL;
    if (m == NULL)
        return n > 0 ? PH_NO_MEMORY : PH_OTHER_SNAPSHOT;
    const struct {
        const char *name;
        int width;
        size_t count;
        double *to[PH_FIELD_WIDTH];
    } fields[] = {
        {"positions", 3, n, {m->x[0], m->x[1], m->x[2]}},
        {"momenta", 3, n, {m->p[0], m->p[1], m->p[2]}},
        {"attitudes", 4, n, {m->q[0], m->q[1], m->q[2], m->q[3]}},
        {"angular_momenta", 3, n, {m->m[0], m->m[1], m->m[2]}},
        {"masses", 1, n, {m->mass}},
        {"inertias", 3, n, {m->J[0], m->J[1], m->J[2]}},
        {"dipoles", 3, n, {m->dipole[0], m->dipole[1], m->dipole[2]}},
        {"box", 3, 1, {&m->box.x, &m->box.y, &m->box.z}},
        {"cutoff", 1, 1, {&m->cutoff}},
        {"dielectric", 1, 1, {&m->dielectric}},
        {"law", 1, PH_LAW_CONSTANTS, {m->constant}},
    };
    ph_molecules_set_problem(m, p);
    bool all = true;
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++)
        all = all && ph_snapshot_field(s, fields[k].name, fields[k].width,
                                       fields[k].count, fields[k].to);
    const ph_status status =
        all ? ph_system_of_molecules(out, m, &i, s->h) : PH_OTHER_SNAPSHOT;
    if (status != PH_OK)
        ph_molecules_free(m);
    return status;
}

ph_status ph_system_open(ph_system **out, const void *from, size_t size)
{
    snapshot s;
    ph_system *system = NULL;
    ph_status status = ph_snapshot_read(&s, from, size);
    if (status == PH_OK)
        status = strcmp(s.kind, "body") == 0        ? open_body(&system, &s)
                 : strcmp(s.kind, "spheres") == 0   ? open_spheres(&system, &s)
                 : strcmp(s.kind, "molecules") == 0 ? open_molecules(&system, &s)
                                                    : PH_OTHER_SNAPSHOT;
    if (status == PH_OK)
        status = ph_system_restore(system, from, size);
    if (status == PH_OK)
        *out = system;
    else
        ph_system_free(system);
    return status;
}
