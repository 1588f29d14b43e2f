/* problem.c - what a problem of molecules says, as a system, and the numbers of its law. */
#include <math.h>
#include <string.h>

#include "base/extremes.h"
#include "base/named.h"
#include "molecules/laws.h"
#include "molecules/system.h"
#include "rotation/vec.h"

const ph_parameter *ph_molecules_problem_parameter(const ph_molecules_problem *p,
                                                   const char *name)
{
    return ROW_NAMED(p->parameters, p->parameter_count, name);
}

void ph_molecules_set_problem(ph_molecules *s, const ph_molecules_problem *p)
{
    const double *x = p->value, *box = x + BOX;
    s->law = p->law;
    memcpy(s->constant, x + CONSTANTS, sizeof s->constant);
    s->box = vec3(box[0], box[1], box[2]);
    s->cutoff = x[CUTOFF] == 0.0
                    ? 0.5 * smaller_or_nan(box[0], smaller_or_nan(box[1], box[2]))
                    : x[CUTOFF];
    s->dielectric = x[DIELECTRIC];
    for (size_t i = 0; i < s->n; i++) {
        s->mass[i] = x[MASS];
        for (int k = 0; k < 3; k++)
            s->dipole[k][i] = x[DIPOLE + k];
    }
}

pair_numbers ph_pair_numbers_of(const ph_molecules *s)
{
    pair_numbers law = {.kind = PAIRS_OPEN};
    if (in_a_box(s)) {
        const double box[3] = {s->box.x, s->box.y, s->box.z};
        law.kind = PAIRS_CUT;
        for (int k = 0; k < 3; k++) {
            law.box[k] = box[k];
            law.per_box[k] = 1.0 / box[k];
            if (floor(box[k] / s->cutoff) < 3.0) /* too few cells to tell neighbours */
                law.kind = PAIRS_IMAGES;
        }
        law.cutoff = s->cutoff;
        law.cutoff2 = s->cutoff * s->cutoff;
    }
    s->law->prepare(&law, s->constant, s->dielectric);
    return law;
}
