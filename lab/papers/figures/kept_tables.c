/* kept_tables.c - Vilmart 2013, table 2, and Hairer and Vilmart 2006, table 2: what
 * integrators of the free body keep; Ortolan 2011, table 2.1: what those of a rigid body
 * keep, its question marks filled.
 *
 * V13  Vilmart, Rigid body dynamics, 2013, table 2.
 * HV   Hairer, Vilmart, J. Phys. A 39 (2006), table 2. A row of an order 2r stands for
 *      several methods here.
 * O11  Ortolan, thesis, Padova 2011, table 2.1. Algo_1 of Simo and Wong is taken to be
 *      imid, which has the same marks; Lewis and Simo's is not among ours.
 *
 * What "keeps" means, and how it is measured, is said in docs/check.md.
 */
#include <string.h>

#include "lab/measure/properties.h"
#include "lab/papers/figure.h"

/* What a paper says of a method: of V13 and HV the names of what it keeps, of O11 marks.
 * Free body: symplectic, energy, momentum; then the same in a field. y: yes or exact, n:
 * nearly (a bounded error), -: no, ?: not known. */
typedef struct row {
    const char *method, *printed;
    int order;         /* PH_ORDER_EXACT: exact */
    const char *name;  /* in O11 */
    const char *right; /* if some of the marks are wrong, what is right; else NULL */
} row;

/* How much is measured. Flows have no run in a field, and its time is the least. */
static const double STATES[] = {1, 20, 20}, STEPS[] = {40, 10000, 10000},
                    DRIFT_TIMES[] = {25, 10000, 10000}, STABLE_STEPS = 10.0;

/* Adds a row to a table for each of the rows, up to one without a method. */
static bool measure_all(figure_work *work, table *t, const ph_measure_settings *settings,
                        void (*add)(table *, const row *, const ph_measurement *))
{
    const double most = 12.0; /* rows of a table, or nearly so */
    const row *rows = work->figure->context;
    for (const row *r = rows; r->method != NULL; r++) {
        ph_integrator integrator;
        ph_measurement found;
        if (!report_progress(work, (double)(r - rows) / most) ||
            !find_integrator(work, r->method, &integrator))
            return false;
        ph_measure(&integrator, settings, &found);
        add(t, r, &found);
    }
    return true;
}

/* ---- V13 and HV ------------------------------------------------------------------ */

#define ALL "Qy, C, H, Poisson, symplectic"
static const row VILMART[] = {{"exact", ALL, PH_ORDER_EXACT, NULL, NULL},
                              {"sr2", "Qy, C, Poisson, symplectic", 2, NULL, NULL},
                              {"dmv2", ALL, 2, NULL, NULL},
                              {"imr2", "Qy, C, H", 2, NULL, NULL},
                              {"dmv4", "Qy, C, H, Poisson", 4, NULL, NULL},
                              {"dmv6", "Qy, C, H, Poisson", 6, NULL, NULL},
                              {0}};

static const row HAIRER_VILMART[] = {{"dmv4", "Qy, C, H, Poisson", 4, NULL, NULL},
                                     {"dmv6", "Qy, C, H, Poisson", 6, NULL, NULL},
                                     {"dmv8", "Qy, C, H, Poisson", 8, NULL, NULL},
                                     {"dmv2", ALL, 2, NULL, NULL},
                                     {"imr2", "Qy, C, H", 2, NULL, NULL},
                                     {"imr4", "Qy, C, H", 4, NULL, NULL},
                                     {"imr6", "Qy, C, H", 6, NULL, NULL},
                                     {"jem2", "C, H, Poisson", 2, NULL, NULL},
                                     {"jem4", "C, H, Poisson", 4, NULL, NULL},
                                     {"sr2", "Qy, C, Poisson, symplectic", 2, NULL, NULL},
                                     {"sr4", "Qy, C, Poisson, symplectic", 4, NULL, NULL},
                                     {"sr6", "Qy, C, Poisson, symplectic", 6, NULL, NULL},
                                     {0}};

/* What may be kept, and its column in the table. */
static const char *const PROPERTIES[] = {"Qy", "C", "H", "Poisson", "symplectic"};
static const char *const COLUMN[] = {"momentum_Qy", "casimir_C", "energy_H", "poisson",
                                     "symplectic"};

/* 1 and 0. */
static double yes(unsigned kept, unsigned bit)
{
    return (kept & bit) != 0;
}

static void add_kept(table *t, const row *r, const ph_measurement *found)
{
    const ph_properties *c = &found->free;
    const unsigned kept = ph_properties_keep(c);
    ROW(t, (r->method), found->exact ? PH_ORDER_EXACT : found->order, yes(kept, PH_MOMENTUM),
        yes(kept, PH_CASIMIR), yes(kept, PH_ENERGY), yes(kept, PH_POISSON),
        yes(kept, PH_SYMPLECTIC), c->step_error, c->momentum_error, c->casimir_error,
        larger_or_nan(c->energy_error[0], c->energy_error[1]), c->poisson_defect,
        c->symplectic_defect);
}

static bool compute_kept(figure_work *work, table *t)
{
    const ph_measure_settings settings = {.states = (int)AT_EFFORT(work, STATES),
                                          .steps = (uint64_t)AT_EFFORT(work, STEPS),
                                          .drift_time = DRIFT_TIMES[FIGURE_SMOKE],
                                          .stable_steps = (uint64_t)STABLE_STEPS};
    table_begin(t, "method,order,momentum_Qy,casimir_C,energy_H,poisson,symplectic,error_of_a_step,"
                   "momentum_error,casimir_error,energy_error,poisson_defect,symplectic_defect");
    return measure_all(work, t, &settings, add_kept);
}

/* How many of the properties are not as the paper has them. */
static double kept_differences(const table *t, const row *r)
{
    double count = 0.0;
    for (size_t i = 0; i < COUNT(PROPERTIES); i++) {
        const double printed = strstr(r->printed, PROPERTIES[i]) != NULL;
        count += fabs(table_first(t, "method", r->method, COLUMN[i]) - printed);
    }
    return count;
}

static void judge_kept(const table *t, claims *out)
{
    const double off = 0.3;         /* a slope is told from that of the next order */
    const double round_off = 1e-13; /* of a step, in both ways to compute it */
    quote(out, "table 2",
          out->context == VILMART ? "Geometric properties of free rigid body integrators"
                                  : "Geometric properties");
    for (const row *r = out->context; r->method != NULL; r++) {
        if (r->order == PH_ORDER_EXACT)
            claim(out, table_first(t, "method", r->method, "error_of_a_step"), 0.0, round_off,
                  "%s has no error: that of a step of 0.4", r->method);
        else
            claim(out, table_first(t, "method", r->method, "order"), r->order - off, r->order + off,
                  "%s is of order %d: the measured one", r->method, r->order);
        claim(out, kept_differences(t, r), 0.0, 0.0,
              "%s keeps %s of Qy, C, H, the Poisson and the symplectic structure, and "
              "nothing else: how many of the five are otherwise",
              r->method, r->printed);
    }
}

/* ---- O11 ------------------------------------------------------------------------- */

enum { MARKS = 6, HALF = 6 }; /* marks with spaces between, six characters of each */

static const row ORTOLAN[] = {{"eln", "? - - ? - -", 0, "Lie-Newmark explicit", NULL},
                              {"tln", "? - - ? - -", 0, "Lie-Newmark implicit", NULL},
                              {"imid", "- y - - ? -", 0, "Algo_1", NULL},
                              {"swc1", "- y y - ? ?", 0, "Algo_C1", NULL},
                              {"akw", "- y y - ? ?", 0, "Austin et al.", NULL},
                              {"rattle", "y y y y n y", 0, "RATTLE", NULL},
                              {"vlv", "y n y y n y", 0, "Variational", NULL},
                              {"liemid", "? - - ? - -", 0, "LIEMID[EA]", "? - y ? - y"},
                              {"prk", "? y y ? ? ?", 0, "PRK", NULL},
                              {"mcg", "? y - ? ? -", 0, "MCG", "? - y ? ? y"},
                              {"new3", "? - y ? - -", 0, "NEW3", "? - y ? - y"},
                              {0}};

static const char *const COLUMNS[MARKS] = {"free_symplectic",  "free_energy",  "free_momentum",
                                           "field_symplectic", "field_energy", "field_momentum"};

/* How an answer is kept in the table. */
enum { NO, NEARLY, YES };

static double answer(ph_answer a)
{
    if (a == PH_ANSWER_YES)
        return YES;
    return a == PH_ANSWER_NO ? NO : NAN;
}

static double energy(ph_energy_kind kind)
{
    if (kind == PH_ENERGY_EXACT)
        return YES;
    if (kind == PH_ENERGY_BOUNDED)
        return NEARLY;
    if (kind == PH_ENERGY_DRIFTS)
        return NO;
    return NAN;
}

static void add_marks(table *t, const row *r, const ph_measurement *found)
{
    const ph_properties *a = &found->free, *b = &found->field;
    const double m[MARKS] = {answer(a->symplectic), energy(a->energy), answer(a->momentum),
                             answer(b->symplectic), energy(b->energy), answer(b->momentum)};
    char text[] = "? ? ? ? ? ?"; /* the marks of the thesis' kind */
    for (size_t i = 0; i < MARKS; i++) {
        if (isnan(m[i]))
            text[2 * i] = '?';
        else
            text[2 * i] = "-ny"[(int)m[i]];
    }
    ROW(t, (r->name, r->method, r->printed, text), m[0], m[1], m[2], m[3], m[4], m[5],
        found->free.symplectic_defect, found->field.symplectic_defect, found->drift[0].slope,
        found->drift[1].slope);
}

static bool compute_marks(figure_work *work, table *t)
{
    const bool smoke = work->effort == FIGURE_SMOKE;
    const ph_measure_settings settings = {.states = (int)AT_EFFORT(work, STATES),
                                          .steps = (uint64_t)AT_EFFORT(work, STEPS),
                                          .drift_time = AT_EFFORT(work, DRIFT_TIMES),
                                          .drift_torques = smoke ? 1 : 0,
                                          .stable_steps = (uint64_t)STABLE_STEPS};
    table_begin(t, "thesis,method,printed,measured,free_symplectic,free_energy,free_"
                   "momentum,field_symplectic,field_energy,field_momentum,free_defect,"
                   "field_defect,slope_0.125,slope_0.25");
    return measure_all(work, t, &settings, add_marks);
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
        else
            count += marks[2 * i] == '-' && measured == YES;
    }
    return count;
}

static void judge_marks(const table *t, claims *out)
{
    for (const row *r = ORTOLAN; r->method != NULL; r++) {
        quote(out, "table 2.1",
              "Synoptic table of the rigid body integrators and their preserving "
              "properties");
        claim(out, differences(t, r, r->printed), 0.0, 0.0,
              "%s (%s) keeps what its marks say, %.5s free and %.5s in a field "
              "(symplectic form, energy, momentum): how many are otherwise",
              r->name, r->method, r->printed, r->printed + HALF);
        if (r->right != NULL)
            correction(out, differences(t, r, r->right), 0.0, 0.0,
                       "its marks are %.5s free and %.5s in a field: how many are otherwise",
                       r->right, r->right + HALF);
    }
}

static const figure_number USED[] = {NUMBERS("states", STATES),
                                     NUMBERS("steps", STEPS),
                                     NUMBERS("times", DRIFT_TIMES),
                                     NUMBER("stable steps", STABLE_STEPS),
                                     {0}};

const ph_figure ph_figure_kept_tables[3] = {
    FIGURE_OF("vilmart_table2", 3, 3, compute_kept, judge_kept, NULL, VILMART, "generic", USED),
    FIGURE_OF("hairer_vilmart_table2", 5, 5, compute_kept, judge_kept, NULL, HAIRER_VILMART,
              "generic", USED),
    FIGURE_OF("ortolan_table2_1", 25, 25, compute_marks, judge_marks, NULL, ORTOLAN, "generic",
              USED),
};
