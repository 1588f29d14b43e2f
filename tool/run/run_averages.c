/* run_averages.c - averages over the second half of a run, with their errors. */
#include "run_averages.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/named.h"
#include "system/find.h"
#include "tool/files/memory.h"

average_steps average_blocks(uint64_t last)
{
    const uint64_t middle = last / 2, length = (last - middle) / AVERAGE_BLOCKS;
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

/* ---- the sums in a snapshot ------------------------------------------------------- */

enum { HEX_DIGITS = 16 }; /* of a double */

/* Returns the bits of numbers as hexadecimal digits. */
static json_t *bits_json(const double *x, size_t count)
{
    char *text = memory_block(count * HEX_DIGITS + 1);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        (void)snprintf(text + i * HEX_DIGITS, HEX_DIGITS + 1, "%016" PRIx64, bits);
    }
    json_t *all = json_string(text);
    free(text);
    return all;
}

/* Reads such digits. Returns false if they are not those of `count` numbers. */
static bool take_bits(const json_t *from, double *x, size_t count)
{
    const char *text = json_string_value(from);
    if (text == NULL || strlen(text) != count * HEX_DIGITS ||
        strspn(text, "0123456789abcdef") != count * HEX_DIGITS)
        return false;
    for (size_t i = 0; i < count; i++) {
        char digits[HEX_DIGITS + 1] = "";
        memcpy(digits, text + i * HEX_DIGITS, HEX_DIGITS);
        const uint64_t bits = strtoull(digits, NULL, HEX_DIGITS);
        memcpy(&x[i], &bits, sizeof bits);
    }
    return true;
}

static size_t origin_count(const averages *a)
{
    if (a->places == NULL)
        return 0;
    return 3 * a->places->count;
}

json_t *averages_save(const averages *a)
{
    if (a->steps.length == 0 || a->missed || a->seen <= a->steps.first)
        return NULL;
    const size_t origins = origin_count(a);
    return json_pack("{sI sI sI so so so}", "first", (json_int_t)a->steps.first, "length",
                     (json_int_t)a->steps.length, "taken", (json_int_t)a->taken, "sums",
                     bits_json(a->sum[0], a->count * AVERAGE_BLOCKS), "diffusion",
                     bits_json(a->diffusion, AVERAGE_BLOCKS), "origin",
                     bits_json(a->origin, origins));
}

static bool is_whole(const json_t *from, const char *key, uint64_t x)
{
    const json_t *found = json_object_get(from, key);
    return json_is_integer(found) && json_integer_value(found) >= 0 &&
           (uint64_t)json_integer_value(found) == x;
}

/* Takes the sums of a snapshot. Returns false if they are not those of these blocks at this step. */
static bool take_sums(averages *a, const json_t *saved)
{
    const uint64_t all = a->steps.length * AVERAGE_BLOCKS, done = a->seen - a->steps.first;
    const size_t origins = origin_count(a);
    a->taken = done < all ? done : all;
    return is_whole(saved, "first", a->steps.first) && is_whole(saved, "length", a->steps.length) &&
           is_whole(saved, "taken", a->taken) &&
           take_bits(json_object_get(saved, "sums"), a->sum[0], a->count * AVERAGE_BLOCKS) &&
           take_bits(json_object_get(saved, "diffusion"), a->diffusion, AVERAGE_BLOCKS) &&
           take_bits(json_object_get(saved, "origin"), a->origin, origins);
}

/* ---- all of them ----------------------------------------------------------------- */

averages averages_begin(ph_system *s, uint64_t last, const json_t *saved)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    averages a = {.steps = average_blocks(last), .count = count, .seen = ph_system_steps(s)};
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
    if (a.seen > a.steps.first)
        a.missed = !take_sums(&a, saved);
    else
        diffuse(&a, s);
    return a;
}

void averages_add(averages *a, ph_system *s)
{
    size_t count;
    const uint64_t step = ph_system_steps(s);
    if (a->steps.length == 0 || a->missed || step == a->seen)
        return;
    a->seen = step;
    diffuse(a, s);
    if (step <= a->steps.first)
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
    if (a->steps.length == 0 || a->missed || a->taken != a->steps.length * AVERAGE_BLOCKS)
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
