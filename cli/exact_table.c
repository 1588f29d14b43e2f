/* exact_table.c - the table of `polhode exact` for people, and the invariants below
 * it. */
#include <math.h>
#include <stdio.h>

#include "exact.h"

#define WIDTH  12 /* of a column */
#define DIGITS 9  /* significant, where they fit */

/* ---- cells ----------------------------------------------------------------------- */

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

/* ---- the table ------------------------------------------------------------------- */

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

void table_foot(outfile *out, const invariants *v)
{
    outfile_print(out,
                  "\nq attitude, body to space, scalar part first; m angular momentum "
                  "in the body frame\n");
    invariants_print(out, v, true);
    outfile_print(out, "(kept to: the largest relative deviation over these times)\n");
}
