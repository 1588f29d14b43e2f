/* instructions.c - steps to be counted by slow_instructions.sh.
 *
 *     instructions                 names what there is to count
 *     instructions NAME PASSES     passes over it, of UNITS steps each
 *
 * A name is a flow, whose steps follow one another; or batch_FLOW, which steps as many
 * bodies at once, where the flow has a kernel for that. The body is that of Hairer and Vilmart (2006), the step 0.1; in a batch
 * each one is a little different.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/batch/part.h"
#include "polhode/batch.h"
#include "system/find.h"

#define BATCH "batch_"
enum { UNITS = 64, COLUMNS = 10, DECIMAL = 10 };

static const double STEP = 0.1;

static const ph_vec3 J = {0.6, 0.8, 1.0};
static const ph_state START = {{1.0, 0.0, 0.0, 0.0}, {1.8, 0.4, -0.9}};

static int step_one(const ph_flow *flow, long passes)
{
    ph_state s = START;
    for (long i = 0; i < passes * UNITS; i++) {
        if (flow->step(flow, &s, J, STEP) != PH_OK)
            return 1;
    }
    return 0;
}

static int step_many(const ph_flow *flow, long passes)
{
    static double c[COLUMNS][UNITS];
    for (int i = 0; i < UNITS; i++) {
        const double body[COLUMNS] = {START.q.w, START.q.x, START.q.y, START.q.z, START.m.x,
                                      START.m.y, START.m.z, J.x,       J.y,       J.z};
        for (int k = 0; k < COLUMNS; k++)
            c[k][i] = body[k];
        c[COLUMNS - 1][i] += 0.2 * i / UNITS; /* still no more than the sum of the others */
    }
    const ph_batch batch = {
        UNITS, {c[0], c[1], c[2], c[3]}, {c[4], c[5], c[6]}, {c[7], c[8], c[9]}};
    for (long i = 0; i < passes; i++) {
        if (ph_batch_step(flow, &batch, STEP, NULL) != PH_OK)
            return 1;
    }
    return 0;
}

static int list(void)
{
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    printf("%d\n", UNITS);
    for (size_t i = 0; i < count; i++)
        printf("%s\n", flows[i]->name);
    for (size_t i = 0; i < count; i++)
        if (ph_flow_kernel(flows[i]) != NULL)
            printf(BATCH "%s\n", flows[i]->name);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return list();
    const bool many = strncmp(argv[1], BATCH, strlen(BATCH)) == 0;
    const ph_flow *flow;
    const long passes = strtol(argv[2], NULL, DECIMAL);
    if (ph_flow_named(argv[1] + (many ? strlen(BATCH) : 0), &flow) != PH_OK)
        return 2;
    return many ? step_many(flow, passes) : step_one(flow, passes);
}
