/* double_pendulum.c - two pendulums, one hanging on the other, on a product of spheres.
 *
 * The mass matrix couples them; RATTLE keeps the momentum about the vertical to round-off
 * and the energy near its value, a Munthe-Kaas method of order 4 is more accurate and
 * lets both drift. The system watches what it can measure, and tells the largest errors. */
#include <stdio.h>

#include <polhode/system.h>

enum { ENERGY, MOMENTUM, SHOWN };

/* The largest errors over 20 seconds; false if a step fails. */
static bool swing(const char *method, double error[SHOWN])
{
    ph_system *s;
    size_t count;
    const ph_system_settings with = {"double_pendulum", .integrator = method, .step = 0.01};
    if (ph_system_create(&with, &s) != PH_OK)
        return false;
    ph_system_watch(s, true);
    const ph_status status = ph_system_run(s, 2000, NULL);
    const ph_observable *seen = ph_system_observables(s, &count);
    printf("%-6s", method);
    for (size_t i = 0; i < count; i++)
        printf("  %s to %.1e", seen[i].name, seen[i].error);
    printf("\n");
    for (size_t i = 0; i < SHOWN; i++)
        error[i] = seen[i].error;
    ph_system_destroy(s);
    return status == PH_OK;
}

int main(void)
{
    double rattle[SHOWN], rkmk4[SHOWN];
    if (!swing("rattle", rattle) || !swing("rkmk4", rkmk4))
        return 1;
    return rattle[MOMENTUM] < 1e-12 && rkmk4[MOMENTUM] > 1e-7 && rkmk4[ENERGY] < rattle[ENERGY] ? 0
                                                                                                : 1;
}
