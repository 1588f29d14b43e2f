/* invariants.c - what a free motion keeps, and how well a computed one does. */
#include "invariants.h"

#include <math.h>
#include <stdio.h>

#include "core/extremes.h"
#include "core/vec.h"
#include "io/json.h"
#include "show.h"

/* A power of two that brings v to the size of 1, so that squares stay in range. */
static double unit_for(ph_vec3 v)
{
    const double largest = norm_max(v);
    const int most = 1000;
    int exponent = 0;
    if (largest > 0.0 && isfinite(largest))
        (void)frexp(largest, &exponent);
    return ldexp(1.0, exponent < -most ? most : -exponent);
}

/* |x - x0| / |x0|, and 0 for two zeros. */
static double relative(double difference, double size)
{
    return difference == 0.0 ? 0.0 : fabs(difference) / fabs(size);
}

invariants invariants_of(const ph_state *start, double energy)
{
    const double unit = unit_for(start->m), length = norm(scale(unit, start->m));
    return (invariants){.energy = energy,
                        .length = length / unit,
                        .space = ph_state_space_momentum(start),
                        .unit = unit,
                        .scaled_length = length};
}

void invariants_watch(invariants *v, const ph_state *s, double energy)
{
    const ph_vec3 moved = scale(v->unit, sub(ph_state_space_momentum(s), v->space));
    const double longer = norm(scale(v->unit, s->m)) - v->scaled_length;
    v->energy_error =
        larger_or_nan(v->energy_error, relative(energy - v->energy, v->energy));
    v->length_error = larger_or_nan(v->length_error, relative(longer, v->scaled_length));
    v->space_error =
        larger_or_nan(v->space_error, relative(norm(moved), v->scaled_length));
}

void invariants_print(outfile *out, const invariants *v, bool free_body)
{
    char energy[32], length[32], momentum[80];
    (void)snprintf(energy, sizeof energy, "%.10g", v->energy);
    (void)snprintf(length, sizeof length, "%.10g", v->length);
    (void)snprintf(momentum, sizeof momentum, "%.10g, %.10g, %.10g", v->space.x,
                   v->space.y, v->space.z);
    show_kept_line(out, "energy", energy, v->energy_error);
    if (!free_body)
        return;
    show_kept_line(out, "|momentum|", length, v->length_error);
    show_kept_line(out, "space momentum", momentum, v->space_error);
}

json_t *invariants_json(const invariants *v)
{
    return json_pack(
        "{so so s[fff] s{so so so}}", "energy", json_finite(v->energy), "momentum",
        json_finite(v->length), "space_momentum", v->space.x, v->space.y, v->space.z,
        "largest_relative_error", "energy", json_finite(v->energy_error), "momentum",
        json_finite(v->length_error), "space_momentum", json_finite(v->space_error));
}
