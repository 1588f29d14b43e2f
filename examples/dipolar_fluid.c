/* dipolar_fluid.c - 343 dipolar spheres in a periodic box melt from a lattice.
 *
 * The parameters say how the lattice is made, and what the box is. Lattice energy turns into heat: Verlet's splitting with the exact free motion keeps the energy without
 * drift, and the total momentum to round-off. */
#include <stdio.h>

#include <polhode/system.h>

/* A line: the time and all observables that are one number, under their names. */
static bool look(void *context, ph_system *s)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    (void)context;
    if (ph_system_steps(s) == 0) {
        printf("  time");
        for (size_t i = 0; i < count; i++) {
            if (o[i].width == 1)
                printf(" %12s", o[i].name);
        }
        printf("\n");
    }
    printf("%6.2f", ph_system_time(s));
    for (size_t i = 0; i < count; i++) {
        if (o[i].width == 1)
            printf(" %12.4f", o[i].now[0]);
    }
    printf("\n");
    return true;
}

static int failed(const char *what, ph_status status)
{
    (void)fprintf(stderr, "%s: %s\n", what, ph_status_text(status));
    return 1;
}

int main(void)
{
    const ph_observer every_100 = {.observe = look, .every = 100};
    const double side = 7, spacing = 1.3, noise = 0.02, edge = side * spacing,
                 box[3] = {edge, edge, edge}, cutoff = 3;
    const ph_setting settings[] = {
        {"lattice", &side, 1}, {"spacing", &spacing, 1}, {"noise", &noise, 1},
        {"box", box, 3},       {"cutoff", &cutoff, 1},
    };
    const ph_system_settings with = {"dipolar_spheres", .integrator = "verlet+exact", .step = 0.002,
                                     .settings = settings,
                                     .setting_count = sizeof settings / sizeof settings[0]};
    ph_system *s;
    ph_status status = ph_system_create(&with, &s);
    if (status != PH_OK)
        return failed("the start", status);
    ph_system_watch(s, true);
    status = ph_system_run(s, 500, &every_100);
    if (status != PH_OK)
        return failed("the run", status);

    size_t count;
    bool kept = true;
    const ph_observable *o = ph_system_observables(s, &count);
    for (size_t i = 0; i < count; i++) {
        if (!o[i].conserved)
            continue;
        printf("%s kept to %.1e of its size\n", o[i].name, o[i].error);
        kept = kept && o[i].error < (i == 0 ? 1e-3 : 1e-14); /* the energy is the first */
    }
    ph_system_destroy(s);
    return kept ? 0 : 1;
}
