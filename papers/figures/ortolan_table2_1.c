/* ortolan_table2_1.c - Ortolan 2011, table 2.1: what integrators of a rigid body keep,
 * its question marks filled.
 *
 * O11  Ortolan, thesis, Padova 2011, table 2.1. Algo_1 of Simo and Wong is taken to be
 *      imid, which has the same marks; Lewis and Simo's is not among ours.
 *
 * What "keeps" means, and how it is measured, is said in docs/check.md.
 */
#include <string.h>

#include "cli/files/count.h"
#include "papers/figure.h"
#include "polhode/measure.h"

/* Free body: symplectic, energy, momentum; then the same in a field. y: yes or exact, n:
 * nearly (a bounded error), -: no, ?: not known. */
enum { MARKS = 6, HALF = 6, MARKS_TEXT = 2 * MARKS }; /* marks with spaces between */

typedef struct row {
    const char *thesis, *method;
    const char *printed; /* the marks */
    const char *right;   /* if some of them are wrong, what is right; else NULL */
} row;

static const row ROWS[] = {
    {"Lie-Newmark explicit", "eln", "? - - ? - -", NULL},
    {"Lie-Newmark implicit", "tln", "? - - ? - -", NULL},
    {"Algo_1", "imid", "- y - - ? -", NULL},
    {"Algo_C1", "swc1", "- y y - ? ?", NULL},
    {"Austin et al.", "akw", "- y y - ? ?", NULL},
    {"RATTLE", "rattle", "y y y y n y", NULL},
    {"Variational", "vlv", "y n y y n y", NULL},
    {"LIEMID[EA]", "liemid", "? - - ? - -", "? - y ? - y"},
    {"PRK", "prk", "? y y ? ? ?", NULL},
    {"MCG", "mcg", "? y - ? ? -", "? - y ? ? y"},
    {"NEW3", "new3", "? - y ? - -", "? - y ? - y"},
};
enum { ROW_COUNT = COUNT(ROWS) };

static const char *const COLUMNS[MARKS] = {"free_symplectic", "free_energy",
                                           "free_momentum",   "field_symplectic",
                                           "field_energy",    "field_momentum"};

/* How an answer is kept in the table. */
enum { NO, NEARLY, YES };

static double answer(ph_answer a)
{
    return a == PH_YES ? YES : a == PH_NO ? NO : NAN;
}

static double energy(ph_energy_kind kind)
{
    return kind == PH_ENERGY_EXACT     ? YES
           : kind == PH_ENERGY_BOUNDED ? NEARLY
           : kind == PH_ENERGY_DRIFTS  ? NO
                                       : NAN;
}

/* The marks of the thesis' kind. */
static void set_marks(char text[MARKS_TEXT], const double measured[MARKS])
{
    (void)memset(text, ' ', MARKS_TEXT);
    for (size_t i = 0; i < MARKS; i++)
        text[2 * i] = measured[i] == YES      ? 'y'
                      : measured[i] == NEARLY ? 'n'
                      : measured[i] == NO     ? '-'
                                              : '?';
    text[MARKS_TEXT - 1] = '\0';
}

static void add_row(table *t, const row *r, const ph_sheet *sheet)
{
    const ph_properties *c[] = {&sheet->free, &sheet->field};
    double m[MARKS];
    for (size_t i = 0; i < 2; i++) {
        m[3 * i] = answer(c[i]->symplectic);
        m[3 * i + 1] = energy(c[i]->energy);
        m[3 * i + 2] = answer(c[i]->momentum);
    }
    char text[MARKS_TEXT];
    set_marks(text, m);
    ROW(t, WORD(r->thesis), WORD(r->method), WORD(r->printed), WORD(text), NUMBER(m[0]),
        NUMBER(m[1]), NUMBER(m[2]), NUMBER(m[3]), NUMBER(m[4]), NUMBER(m[5]),
        NUMBER(sheet->free.symplectic_defect), NUMBER(sheet->field.symplectic_defect),
        NUMBER(sheet->drift[0].slope), NUMBER(sheet->drift[1].slope));
}

static bool compute(figure_work *work, table *t)
{
    const bool smoke = work->effort == FIGURE_SMOKE;
    const ph_measure_settings settings = {.states = smoke ? 1 : 20,
                                          .steps = smoke ? 40 : 10000,
                                          .drift_time = smoke ? 25 : 10000,
                                          .drift_torques = smoke ? 1 : 0,
                                          .stable_steps = 10};
    table_begin(t, ""
                   "thesis,method,printed,measured,free_symplectic,free_energy,free_"
                   "momentum,field_symplectic,field_energy,field_momentum,free_defect,"
                   "field_defect,slope_0.125,slope_0.25");
    for (int i = 0; i < ROW_COUNT; i++) {
        ph_integrator integrator;
        ph_sheet sheet;
        if (!report_progress(work, (double)i / ROW_COUNT) ||
            !find_integrator(work, ROWS[i].method, &integrator))
            return false;
        ph_measure(&sheet, &integrator, &settings);
        add_row(t, &ROWS[i], &sheet);
    }
    return true;
}

/* How many of the marks are not what was measured. No mark asks for no conservation;
 * where it stands for an energy, a bounded error is none. */
static double differences(const table *t, const row *r, const char *marks)
{
    double count = 0.0;
    for (size_t i = 0; i < MARKS; i++) {
        const double measured = table_first(t, "method", r->method, COLUMNS[i]);
        if (isnan(measured) && marks[2 * i] != '?')
            return NAN;
        if (marks[2 * i] == 'y')
            count += measured != YES;
        else if (marks[2 * i] == 'n')
            count += measured != NEARLY;
        else if (marks[2 * i] == '-')
            count += measured == YES;
    }
    return count;
}

static void judge(const table *t, claims *out)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        const row *r = &ROWS[i];
        quote(out, "table 2.1",
              "Synoptic table of the rigid body integrators and their preserving "
              "properties");
        claim(
            out, differences(t, r, r->printed), 0.0, 0.0,
            "%s (%s) keeps what its marks say, %.5s free and %.5s in a field (symplectic "
            "form, energy, momentum): how many are otherwise",
            r->thesis, r->method, r->printed, r->printed + HALF);
        if (r->right != NULL)
            correction(
                out, differences(t, r, r->right), 0.0, 0.0,
                "its marks are %.5s free and %.5s in a field: how many are otherwise",
                r->right, r->right + HALF);
    }
}

const ph_figure ph_figure_ortolan_table2_1[1] = {
    FIGURE("ortolan_table2_1", 25, 25, compute, judge, NULL, NULL),
};
