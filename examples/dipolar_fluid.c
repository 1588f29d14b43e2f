/* dipolar_fluid.c - 343 dipolar spheres in a periodic box melt from a lattice.
 *
 * A system is made once, with all the memory it needs; its arrays are ours to fill. The
 * energy is watched while lattice energy turns into heat: Verlet's splitting with the
 * exact free motion keeps it without drift, and the total momentum to round-off. */
#include <math.h>
#include <stdio.h>

#include <polhode/molecules.h>

typedef struct record {
    double start, worst; /* energy at the start, and how far it went */
} record;

static bool look(void *context, long step, double t, ph_molecules *s)
{
    record *r = context;
    const ph_molecules_energy e = ph_molecules_energies(s);
    if (step == 0)
        r->start = e.total;
    const double error = fabs(e.total - r->start);
    if (!(error <= r->worst) && !isnan(r->worst)) /* NaN stays; fmax would lose it */
        r->worst = error;
    if (step % 100 == 0)
        printf("%6.2f %12.6f %12.4f %12.4f %12.4f %14.6f\n", t,
               ph_molecules_temperature(s), e.translation, e.rotation, e.potential,
               e.total);
    return true;
}

static int failed(const char *what, ph_status status)
{
    (void)fprintf(stderr, "%s: %s\n", what, ph_status_text(status));
    return 1;
}

int main(void)
{
    const double edge = 7 * 1.3;
    ph_molecules *s = ph_molecules_lattice(7, 1.3, 0.02, 1);
    ph_integrator verlet;
    record r = {0.0, 0.0};
    if (s == NULL || ph_integrator_named("verlet+exact", &verlet) != PH_OK)
        return 1;
    s->box = (ph_vec3){edge, edge, edge};
    s->cutoff = 3.0;
    s->dielectric = 0.0; /* a conductor around each body's sphere */
    ph_status status = ph_molecules_prepare(s, NULL);
    if (status != PH_OK)
        return failed("the start", status);
    printf("%6s %12s %12s %12s %12s %14s\n", "time", "temperature", "translation",
           "rotation", "potential", "energy");
    status = ph_molecules_run(s, &verlet, 0.002, 500, look, &r, NULL);
    if (status != PH_OK)
        return failed("the run", status);

    const ph_vec3 P = ph_molecules_momentum(s);
    const double momentum = hypot(hypot(P.x, P.y), P.z);
    printf("energy kept to %.1e of its size, momentum to %.1e\n", r.worst / r.start,
           momentum);
    ph_molecules_free(s);
    return r.worst < 1e-3 * fabs(r.start) && momentum < 1e-12 ? 0 : 1;
}
