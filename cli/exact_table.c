/* exact_table.c - the table of `polhode exact` for people, and the invariants below it. */
#include <math.h>
#include <stdio.h>

#include "core/vec.h"
#include "exact.h"

#define WIDTH  12 /* of a column */
#define DIGITS 9  /* significant, where they fit */

/* ---- invariants ------------------------------------------------------------------------ */

static double length_of(ph_vec3 v)
{
    return hypot(hypot(v.x, v.y), v.z);
}

/* |x - x0| / |x0|, and 0 for two zeros. */
static double relative(double difference, double size)
{
    return difference == 0.0 ? 0.0 : fabs(difference) / fabs(size);
}

/* The larger error; not a number where one is not. */
static double worse(double a, double b)
{
    return b <= a || isnan(a) ? a : b;
}

invariants invariants_of(const sample *start)
{
    return (invariants){.energy = start->energy,
                        .length = length_of(start->state.m),
                        .space = ph_space_momentum(&start->state)};
}

void invariants_watch(invariants *v, const sample *x)
{
    const ph_vec3 moved = sub(ph_space_momentum(&x->state), v->space);
    const double energy = relative(x->energy - v->energy, v->energy);
    const double length = relative(length_of(x->state.m) - v->length, v->length);
    const double space = relative(length_of(moved), v->length);
    v->energy_error = worse(v->energy_error, energy);
    v->length_error = worse(v->length_error, length);
    v->space_error = worse(v->space_error, space);
}

/* ---- cells ------------------------------------------------------------------------------ */

/* A column whose numbers are at most `size`: points under each other, and powers of ten
 * only where the size asks for them. */
static void print_cell(outfile *out, double x, double size)
{
    const double largest = 1e7, smallest = 1e-3; /* that fit with enough digits */
    if (size != 0.0 && !(size >= smallest && size < largest)) {
        outfile_print(out, " %*.*e", WIDTH, WIDTH - 7, x);
        return;
    }
    const int before = size < 1.0 ? 1 : (int)floor(log10(size)) + 1;
    outfile_print(out, " %*.*f", WIDTH, DIGITS + 1 - before, x);
}

/* A time as it would be typed, with as many digits as fit. */
static void print_time(outfile *out, double t)
{
    char text[WIDTH + 20];
    int digits = DIGITS;
    while (snprintf(text, sizeof text, "%.*g", digits, t) > WIDTH && digits > 1)
        digits--;
    outfile_print(out, "%*s", WIDTH, text);
}

/* ---- the table -------------------------------------------------------------------------- */

void table_head(outfile *out)
{
    static const char *const names[] = {"q0", "q1", "q2", "q3",
                                        "m1", "m2", "m3", "energy"};
    outfile_print(out, "%*s", WIDTH, "t");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        outfile_print(out, " %*s", WIDTH, names[i]);
    outfile_print(out, "\n");
}

void table_row(outfile *out, const sample *x, const invariants *scales)
{
    const double q[] = {x->state.q.w, x->state.q.x, x->state.q.y, x->state.q.z};
    const double m[] = {x->state.m.x, x->state.m.y, x->state.m.z};
    print_time(out, x->t);
    for (size_t i = 0; i < sizeof q / sizeof q[0]; i++)
        print_cell(out, q[i], 1.0);
    for (size_t i = 0; i < sizeof m / sizeof m[0]; i++)
        print_cell(out, m[i], scales->length);
    print_cell(out, x->energy, scales->energy);
    outfile_print(out, "\n");
}

static void print_kept(outfile *out, const char *name, const char *value, double error)
{
    outfile_print(out, "%-15s %-42s ", name, value);
    if (isfinite(error))
        outfile_print(out, "kept to %.1e\n", error);
    else
        outfile_print(out, "too large to compare\n");
}

void table_foot(outfile *out, const invariants *v)
{
    char energy[32], length[32], space[80];
    (void)snprintf(energy, sizeof energy, "%.10g", v->energy);
    (void)snprintf(length, sizeof length, "%.10g", v->length);
    (void)snprintf(space, sizeof space, "%.10g, %.10g, %.10g", v->space.x, v->space.y,
                   v->space.z);
    outfile_print(out,
                  "\nq attitude, body to space, scalar part first; m angular momentum "
                  "in the body frame\n");
    print_kept(out, "energy", energy, v->energy_error);
    print_kept(out, "|momentum|", length, v->length_error);
    print_kept(out, "space momentum", space, v->space_error);
    outfile_print(out, "(kept to: the largest relative deviation over these times)\n");
}
