/* limits.c - what would take long is short: the linker puts these functions in the place
 * of those called without __wrap_.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "kinds/molecules/molecule_bodies.h"
#include "kinds/spheres/stepping.h"
#include "lab/measure/properties.h"
#include "tool/files/memory.h"
#include "tool/optional/serve/serve.h"

enum { MOST_MOLECULES = 125, MOST_SPHERES = 16 };

/* Systems of some bodies; of more, there is no memory for. */
__typeof__(ph_molecules_create) __real_ph_molecules_create, __wrap_ph_molecules_create;
ph_molecules *__wrap_ph_molecules_create(size_t n)
{
    return n > MOST_MOLECULES ? NULL : __real_ph_molecules_create(n);
}

__typeof__(ph_molecules_from_problem) __real_ph_molecules_from_problem,
    __wrap_ph_molecules_from_problem;
ph_status __wrap_ph_molecules_from_problem(const ph_molecules_problem *p, ph_molecules **out)
{
    const ph_parameter *lattice = ph_molecules_problem_parameter(p, "lattice"),
                       *molecules = ph_molecules_problem_parameter(p, "molecules");
    const double n = lattice ? pow(p->value[lattice->first], 3.0) : p->value[molecules->first];
    return n > MOST_MOLECULES ? PH_NO_MEMORY : __real_ph_molecules_from_problem(p, out);
}

__typeof__(ph_spheres_create) __real_ph_spheres_create, __wrap_ph_spheres_create;
ph_status __wrap_ph_spheres_create(const ph_spheres_problem *p, const ph_integrator *i,
                                   ph_spheres **out)
{
    return p->count(p) > MOST_SPHERES ? PH_NO_MEMORY : __real_ph_spheres_create(p, i, out);
}

/* Nothing is measured, and the sheets are empty. */
__typeof__(ph_measure_all) __wrap_ph_measure_all;
bool __wrap_ph_measure_all(const ph_integrator *i, size_t count,
                           const ph_measure_settings *settings,
                           bool (*done)(void *context, size_t how_many), void *context,
                           ph_measurement *out)
{
    (void)i;
    (void)settings;
    (void)done;
    (void)context;
    memset(out, 0, count * sizeof *out);
    return true;
}

/* A page with nothing in it but the place of a run. */
__typeof__(page_read) __wrap_page_read;
int __wrap_page_read(char **page)
{
    *page = memory_text("%s", FUZZ_PAGE_BEGIN "<!--run-->" FUZZ_PAGE_END);
    return 0;
}

/* A second passes from one look at the clock to the next: nothing is timed twice. */
double __wrap_clock_now(void);
double __wrap_clock_now(void)
{
    static double seconds;
    return seconds += 1.0;
}
