/* observe.c - energies, temperature and momenta of a system. */
#include "molecules/system.h"
#include "rotation/vec.h"

static double translation(const ph_molecules *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const ph_vec3 p = vec3_at(s->p, i);
        sum += dot(p, p) / s->mass[i];
    }
    return 0.5 * sum;
}

static double rotation(const ph_molecules *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const ph_vec3 m = vec3_at(s->m, i);
        sum += dot(m, over(m, vec3_at(s->J, i)));
    }
    return 0.5 * sum;
}

double ph_molecules_kinetic(const ph_molecules *s)
{
    return translation(s) + rotation(s);
}

ph_molecules_energy ph_molecules_energies(ph_molecules *s)
{
    if (!s->work->prepared)
        s->potential = NAN;
    else if (!s->work->fresh)
        ph_molecules_forces(s);
    ph_molecules_energy e = {translation(s), rotation(s), s->potential, 0.0};
    e.total = e.translation + e.rotation + e.potential;
    return e;
}

double ph_molecules_temperature(const ph_molecules *s)
{
    double mass = 0.0;
    for (size_t i = 0; i < s->n; i++)
        mass += s->mass[i];
    const ph_vec3 P = ph_molecules_momentum(s);
    const double kinetic = ph_molecules_kinetic(s) - 0.5 * dot(P, P) / mass;
    return 2.0 * kinetic / (6.0 * (double)s->n - 3.0);
}

ph_vec3 ph_molecules_momentum(const ph_molecules *s)
{
    ph_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < s->n; i++)
        sum = add(sum, vec3_at(s->p, i));
    return sum;
}

ph_vec3 ph_molecules_angular_momentum(const ph_molecules *s)
{
    ph_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < s->n; i++) {
        const ph_vec3 spin = rotate(quat_at(s->q, i), vec3_at(s->m, i));
        sum = add(sum, add(cross(vec3_at(s->x, i), vec3_at(s->p, i)), spin));
    }
    return sum;
}
