/* system.c - calls of a system in any order.
 *
 * Two bytes choose a problem, of any kind, and an integrator; the others what is called
 * (tests/support/sequence.h). All is done twice, to the same bits.
 */
#include <stdio.h>

#include "fuzz.h"

#define SEQUENCE_REQUIRE(holds, words) require(holds, "%s", words)
#include "../support/sequence.h"
#include "integrators/adaptive_run.h"
#include "kinds/molecules/molecule_bodies.h"
#include "kinds/spheres/stepping.h"
#include "system/find.h"

static const char *problem_of(unsigned n)
{
    size_t bodies, spheres, molecules;
    const ph_problem *const *body = ph_problems(&bodies);
    const ph_spheres_problem *const *sphere = ph_spheres_problems(&spheres);
    const ph_molecules_problem *const *molecule = ph_molecules_problems(&molecules);
    const size_t k = n % (bodies + spheres + molecules);
    return k < bodies             ? body[k]->name
           : k < bodies + spheres ? sphere[k - bodies]->name
                                  : molecule[k - bodies - spheres]->name;
}

/* Names of integrators; what cannot do a problem is refused. */
static void integrator_of(unsigned n, char name[PH_INTEGRATOR_NAME])
{
    size_t flows, methods, schemes, adaptives, spheres;
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_method *const *method = ph_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    const ph_adaptive *const *adaptive = ph_adaptives(&adaptives);
    const ph_method *const *sphere = ph_spheres_methods(&spheres);
    const size_t counts[] = {flows, methods, adaptives, spheres, schemes, schemes};
    size_t all = 0, list = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        all += counts[i];
    size_t k = n % all;
    for (; k >= counts[list]; list++)
        k -= counts[list];
    const char *const found[] = {
        list == 0 ? flow[k]->name : "",     list == 1 ? method[k]->name : "",
        list == 2 ? adaptive[k]->name : "", list == 3 ? sphere[k]->name : "",
        list >= 4 ? scheme[k]->name : "",   list >= 4 ? scheme[k]->name : ""};
    (void)snprintf(name, PH_INTEGRATOR_NAME, "%s%s", found[list],
                   list == 4   ? "+exact"
                   : list == 5 ? "+circle"
                               : "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD = 2, MOST_BYTES = 300 };
    static const double H = 0.01;
    char name[PH_INTEGRATOR_NAME];
    uint64_t hash[2] = {0, 0};
    if (size < HEAD || size > MOST_BYTES)
        return 0;
    integrator_of(data[1], name);
    for (int k = 0; k < 2; k++) {
        ph_system *s = NULL;
        if (system_by_names(&s, problem_of(data[0]), name, H) != PH_OK)
            return 0;
        hash[k] = sequence_play(s, H, data + HEAD, size - HEAD);
        ph_system_destroy(s);
    }
    require(hash[0] == hash[1], "the same calls give the same bits");
    return 0;
}
