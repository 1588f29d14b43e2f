/* newton.c - how many Newton iterations a step takes, on the well of O11.
 *
 * O11, Figure 4.3, compares the cost of its methods, of which the iterations are the part
 * that does not depend on the machine. Known for a tolerance of 1e-12 at h = 0.125: ELN
 * 2.0, PRK 2.0, VLV 2.6, MCG 2.0, NEW3 2.8, LIEMID 4.0 in two solves, TLN 2.6. Here the
 * equations are solved to round-off; a correction below 1e-9 is the last, so the counts
 * are the same or up to one more for each solve.
 */
#include <math.h>
#include <stdio.h>

#include "catalog/find.h"
#include "polhode/polhode.h"

int main(void)
{
    static const struct {
        const char *name;
        double known, solves;
    } METHODS[] = {{"eln", 2.0, 1},  {"prk", 2.0, 1},    {"vlv", 2.6, 1}, {"mcg", 2.0, 1},
                   {"new3", 2.8, 1}, {"liemid", 4.0, 2}, {"tln", 2.6, 1}};
    const ph_problem *well = find_problem("well");
    const long steps = 2000;
    int wrong = 0;
    for (size_t i = 0; i < sizeof METHODS / sizeof METHODS[0]; i++) {
        ph_integrator method;
        ph_body body;
        if (ph_integrator_named(METHODS[i].name, &method) != PH_OK ||
            ph_body_from_moments(&body, well->body.J) != PH_OK)
            return 1;
        ph_state s = {well->q, ph_momentum(&body, well->w)};
        newton_iterations = 0;
        wrong +=
            ph_run_problem(&method, well, &s, 0.125, steps, NULL, NULL, NULL) != PH_OK;
        const double count = (double)newton_iterations / (double)steps;
        const double more = count - METHODS[i].known;
        printf("%-7s %.2f iterations a step, known %.1f\n", METHODS[i].name, count,
               METHODS[i].known);
        wrong += !(more > -0.7 && more < 1.1 * METHODS[i].solves);
    }
    printf("%d out of bounds\n", wrong);
    return wrong != 0;
}
