/* stop_and_go_on.c - a run that is stopped half way ends with the bits of one that is not.
 *
 * A snapshot holds all that a run goes on from: the state with its low-order parts, the
 * time, the number of steps, what was watched. Here it stays in memory; a file does as
 * well, on another day or another machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <polhode/system.h>

enum { HALF = 5000 };

typedef struct snapshot {
    size_t size;
    void *bytes; /* NULL: there is none */
} snapshot;

/* The system after so many steps more. It is freed; NULL gives no snapshot. */
static snapshot after(ph_system *s, uint64_t steps)
{
    snapshot out = {0, NULL};
    if (s != NULL && ph_system_run(s, steps, NULL) == PH_OK) {
        out.size = ph_system_save(s, NULL, 0);
        out.bytes = malloc(out.size);
        if (out.bytes != NULL)
            (void)ph_system_save(s, out.bytes, out.size);
    }
    ph_system_destroy(s);
    return out;
}

static ph_system *from_the_start(const char *problem, const char *integrator)
{
    ph_system *s;
    const ph_system_settings with = {problem, .integrator = integrator, .step = 0.01};
    return ph_system_create(&with, &s) == PH_OK ? s : NULL;
}

/* A new system that goes on as the one that was saved. */
static ph_system *from(snapshot half, const char *problem, const char *integrator)
{
    ph_system *s = from_the_start(problem, integrator);
    if (s != NULL && half.bytes != NULL && ph_system_restore(s, half.bytes, half.size) == PH_OK)
        return s;
    ph_system_destroy(s);
    return NULL;
}

static bool same_bits(const char *problem, const char *integrator)
{
    const snapshot whole = after(from_the_start(problem, integrator), 2ull * HALF),
                   half = after(from_the_start(problem, integrator), HALF),
                   end = after(from(half, problem, integrator), HALF);
    const bool same = whole.bytes != NULL && end.bytes != NULL && whole.size == end.size &&
                      memcmp(whole.bytes, end.bytes, end.size) == 0;
    printf("%-16s %-12s %zu bytes saved half way: the end is %s\n", problem, integrator, half.size,
           same ? "the same, bit by bit" : "another");
    free(whole.bytes);
    free(half.bytes);
    free(end.bytes);
    return same;
}

int main(void)
{
    const bool free_body = same_bits("free", "dmv6"),
               in_a_field = same_bits("heavy_top", "s6_10+exact"),
               on_spheres = same_bits("double_pendulum", "rattle");
    return free_body && in_a_field && on_spheres ? 0 : 1;
}
