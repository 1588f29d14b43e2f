/* averages.c - averages over the second half of a run, with their errors. */
#include "averages.h"

#include <math.h>

#include "base/named.h"
#include "system/find.h"
#include "tool/files/memory.h"

average_steps average_blocks(uint64_t first, uint64_t last)
{
    const uint64_t middle = last / 2, length = (last - middle) / AVERAGE_BLOCKS;
    if (first > middle)
        return (average_steps){0};
    return (average_steps){last - length * AVERAGE_BLOCKS, length};
}

double average_of(const double block[AVERAGE_BLOCKS], double *error)
{
    double mean = 0.0, square = 0.0;
    for (int k = 0; k < AVERAGE_BLOCKS; k++)
        mean += block[k] / AVERAGE_BLOCKS;
    for (int k = 0; k < AVERAGE_BLOCKS; k++)
        square += (block[k] - mean) * (block[k] - mean);
    *error = sqrt(square / (AVERAGE_BLOCKS * (AVERAGE_BLOCKS - 1)));
    return mean;
}

/* ---- diffusion ------------------------------------------------------------------- */

/* The mean square displacement from the origin, without that of the centre of mass. */
static double displacement(const averages *a)
{
    const size_t n = a->places->count;
    double mass = 0.0, centre[3] = {0, 0, 0}, sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double m = a->masses->data[0][i * a->masses->stride];
        mass += m;
        for (size_t k = 0; k < 3; k++)
            centre[k] += m * (a->places->data[k][i * a->places->stride] - a->origin[3 * i + k]);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 3; k++) {
            const double x =
                a->places->data[k][i * a->places->stride] - a->origin[3 * i + k] - centre[k] / mass;
            sum += x * x;
        }
    }
    return sum / (double)n;
}

/* At the middle and at the end of a block its diffusion changes; then the next block begins. */
static void diffuse(averages *a, ph_system *s)
{
    const uint64_t step = ph_system_steps(s), length = a->steps.length, half = length / 2;
    if (a->places == NULL || step < a->steps.first)
        return;
    const uint64_t done = (step - a->steps.first) / length,
                   within = (step - a->steps.first) % length;
    const double times = 6.0 * (double)(length - half) * fabs(ph_system_step(s));
    if (within == half && done < AVERAGE_BLOCKS)
        a->diffusion[done] -= displacement(a) / times;
    if (within != 0)
        return;
    if (done > 0 && done <= AVERAGE_BLOCKS)
        a->diffusion[done - 1] += displacement(a) / times;
    for (size_t i = 0; i < a->places->count; i++) {
        for (size_t k = 0; k < 3; k++)
            a->origin[3 * i + k] = a->places->data[k][i * a->places->stride];
    }
}

/* ---- all of them ----------------------------------------------------------------- */

averages averages_begin(ph_system *s, uint64_t first, uint64_t last)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    averages a = {.steps = average_blocks(first, last), .count = count};
    if (a.steps.length == 0 || (ROW_NAMED(o, count, "conserved_energy") == NULL &&
                                ROW_NAMED(o, count, "pressure") == NULL))
        return (averages){0};
    a.sum = memory_new(count, sizeof(double[AVERAGE_BLOCKS]));
    const ph_array *places = find_field(s, "positions");
    a.masses = find_field(s, "masses");
    if (places != NULL && a.masses != NULL && places->count > 1 && a.steps.length > 1) {
        a.places = places;
        a.origin = memory_new(a.places->count, sizeof(double[3]));
    }
    diffuse(&a, s);
    return a;
}

void averages_add(averages *a, ph_system *s)
{
    size_t count;
    if (a->steps.length == 0)
        return;
    diffuse(a, s);
    if (ph_system_steps(s) <= a->steps.first)
        return;
    const size_t block = (size_t)(a->taken++ / a->steps.length);
    if (block >= AVERAGE_BLOCKS)
        return;
    const ph_observable *o = ph_system_observables(s, &count);
    for (size_t i = 0; i < a->count; i++)
        a->sum[i][block] += o[i].now[0] / (double)a->steps.length;
}

static void render_average(rendering *to, const char *name, const char *label,
                           const double block[AVERAGE_BLOCKS])
{
    double error;
    const double mean = average_of(block, &error);
    render_object(to, name);
    render_line(to, "- mean error", "%-15s %.6g +- %.2g\n", label, mean, error);
    render_close(to);
}

void averages_render(const averages *a, ph_system *s, rendering *to)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    if (a->steps.length == 0 || a->taken != a->steps.length * AVERAGE_BLOCKS)
        return; /* the run ended early */
    render_text(to, "\nAverages over the last %llu steps, and standard errors from %d blocks\n",
                (unsigned long long)a->taken, AVERAGE_BLOCKS);
    render_object(to, "averages");
    render_data(to, "steps", "%llu", (unsigned long long)a->taken);
    for (size_t i = 0; i < a->count; i++) {
        if (o[i].width == 1)
            render_average(to, o[i].name, o[i].label, a->sum[i]);
    }
    if (a->places != NULL) {
        const double h = fabs(ph_system_step(s));
        render_average(to, "diffusion", "diffusion", a->diffusion);
        render_line(to, "diffusion_time", "  over times up to %g\n", (double)a->steps.length * h);
    }
    render_close(to);
}
