/* check_sheet.c - everything that was measured of one integrator, for people. */
#include <math.h>

#include "check.h"

static void print_line(outfile *out, const char *label, const char *word, double number,
                       const char *what)
{
    outfile_print(out, "  %-18s %-8s %s %.1e\n", label, word, what, number);
}

static void print_properties(outfile *out, const ph_properties *c, const char *momentum)
{
    print_line(out, "symmetric", check_answer(c->symmetric), c->symmetry_defect,
               "there and back with -h, h = 0.1: defect");
    print_line(out, "reversible", check_answer(c->reversible), c->reversal_defect,
               "there and back with -m, h = 0.1: defect");
    print_line(out, "symplectic", check_answer(c->symplectic), c->symplectic_defect,
               "canonical form, h = 0.4: defect");
    outfile_print(out, "  %-18s %-8s at h = 0.1: largest error %.1e; at 0.5: %.1e\n",
                  "energy", check_energy(c->energy), c->energy_error[0],
                  c->energy_error[1]);
    print_line(out, "momentum", check_momentum(c->momentum), c->momentum_error, momentum);
}

static void print_free(outfile *out, const ph_properties *c)
{
    outfile_print(out, "\nfree body\n");
    print_properties(out, c, "in space, h = 0.1: largest error");
    print_line(out, "its length", check_momentum(c->casimir), c->casimir_error,
               "Casimir, h = 0.1: largest error");
    print_line(out, "Poisson", check_answer(c->poisson), c->poisson_defect,
               "of the momenta, h = 0.4: defect");
    if (c->poisson == PH_UNRESOLVED || c->symplectic == PH_UNRESOLVED)
        outfile_print(out,
                      "  ? the step is nearly exact, its error %.0e: no structure can be "
                      "told\n",
                      c->step_error);
}

static void print_field(outfile *out, const ph_sheet *s)
{
    outfile_print(out, "\nin a field\n");
    print_properties(out, &s->field, "map, about the vertical, h = 0.1: largest error");
    for (int k = 0; k < 2; k++) {
        const ph_trend *t = &s->drift[k];
        outfile_print(out, "  %-18s %-8s h = %g: ", k == 0 ? "drift in the well" : "",
                      t->drifts ? "yes" : "none", t->h);
        if (isnan(t->slope))
            outfile_print(out, "the run failed after %ld steps\n", t->taken);
        else
            outfile_print(out, "energy %+.2e +- %.0e per time, largest error %.1e\n",
                          t->slope, t->standard_error, t->max_error);
    }
    outfile_print(out, "  %-18s %-8.3g %s\n", "largest step", s->stable_step,
                  "in the well: energy within 10 % over 10^4 steps");
    if (s->candidate)
        outfile_print(out, "  not symplectic, and yet without drift: it may be conjugate "
                           "to a symplectic one,\n"
                           "  or its drift is too small for this test\n");
}

void check_sheet(outfile *out, const check_row *row)
{
    const ph_sheet *s = &row->sheet;
    char order[CHECK_ORDER], mismatches[CHECK_MISMATCHES];
    outfile_print(out, "%s - %s (%s)\n", row->name, row->title, row->cite);
    outfile_print(out, "  %-18s %-8s ", "order", check_order(s, order));
    if (isnan(s->order))
        outfile_print(out, "%s\n",
                      s->exact ? "no error above 1e-12"
                               : "not resolved between its errors and round-off");
    else
        outfile_print(out, "slope %.3f on the problem generic%s\n", s->order,
                      s->field.applies ? "" : ", without torque");
    print_free(out, &s->free);
    if (s->field.applies)
        print_field(out, s);
    outfile_print(out, "\n  %-18s %-8.1e %s\n", "attitude", s->unit_error,
                  "largest distance of |q| from 1");
    outfile_print(out, "  %-18s %.0f ns per step", "cost", s->nanoseconds);
    if (s->field.applies)
        outfile_print(out, ", torques per step %.3g", s->torques);
    outfile_print(out, "\n  %-18s %s%s\n", "its claims",
                  check_mismatches(row, mismatches)[0] == '\0' ? "hold" : "do not hold: ",
                  mismatches);
}
