/* problem.c - what can be asked of any problem. */
#include <string.h>

#include "core/vec.h"
#include "polhode/polhode.h"

const ph_parameter *ph_problem_parameter(const ph_problem *p, const char *name)
{
    for (int i = 0; i < p->parameter_count; i++) {
        if (strcmp(p->parameters[i].name, name) == 0)
            return &p->parameters[i];
    }
    return NULL;
}

ph_state ph_problem_start(const ph_problem *p)
{
    return (ph_state){p->q, times(p->J, p->w)};
}

double ph_problem_energy(const ph_problem *p, const ph_state *s)
{
    const double kinetic = 0.5 * dot(s->m, over(s->m, p->J));
    return p->potential ? kinetic + p->potential(p, ph_matrix(s->q)) : kinetic;
}
