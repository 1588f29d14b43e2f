/* free_tables.c - Vilmart 2013, table 2, and Hairer and Vilmart 2006, table 2: what
 * integrators of the free body keep.
 *
 * V13  Vilmart, Rigid body dynamics, 2013, table 2.
 * HV   Hairer, Vilmart, J. Phys. A 39 (2006), table 2. A row of an order 2r stands for
 *      several methods here.
 *
 * What "keeps" means, and how it is measured, is said in docs/check.md.
 */
#include <stdio.h>

#include "base/extremes.h"
#include "cli/files/count.h"
#include "papers/figure.h"
#include "polhode/measure.h"

/* What a paper says of a method. */
typedef struct row {
    const char *method;
    int order; /* PH_EXACT: exact */
    unsigned keeps;
} row;

#define INVARIANTS (PH_MOMENTUM | PH_CASIMIR | PH_ENERGY)
#define STRUCTURES (PH_POISSON | PH_SYMPLECTIC)
#define ALL        (INVARIANTS | STRUCTURES)

static const row VILMART[] = {{"exact", PH_EXACT, ALL},
                              {"sr2", 2, PH_MOMENTUM | PH_CASIMIR | STRUCTURES},
                              {"dmv2", 2, ALL},
                              {"imr2", 2, INVARIANTS},
                              {"dmv4", 4, INVARIANTS | PH_POISSON},
                              {"dmv6", 6, INVARIANTS | PH_POISSON},
                              {0}};

static const row HAIRER_VILMART[] = {{"dmv4", 4, INVARIANTS | PH_POISSON},
                                     {"dmv6", 6, INVARIANTS | PH_POISSON},
                                     {"dmv2", 2, ALL},
                                     {"imr2", 2, INVARIANTS},
                                     {"imr4", 4, INVARIANTS},
                                     {"imr6", 6, INVARIANTS},
                                     {"jem2", 2, PH_CASIMIR | PH_ENERGY | PH_POISSON},
                                     {"jem4", 4, PH_CASIMIR | PH_ENERGY | PH_POISSON},
                                     {"sr2", 2, PH_MOMENTUM | PH_CASIMIR | STRUCTURES},
                                     {"sr4", 4, PH_MOMENTUM | PH_CASIMIR | STRUCTURES},
                                     {0}};

/* The columns of the papers, and their names in the table. */
static const struct {
    unsigned bit;
    const char *column;
} PROPERTIES[] = {{PH_MOMENTUM, "momentum_Qy"},
                  {PH_CASIMIR, "casimir_C"},
                  {PH_ENERGY, "energy_H"},
                  {PH_POISSON, "poisson"},
                  {PH_SYMPLECTIC, "symplectic"}};
enum { PROPERTY_COUNT = COUNT(PROPERTIES) };

/* 1 and 0. */
static cell yes(unsigned kept, unsigned bit)
{
    return NUMBER((kept & bit) != 0 ? 1.0 : 0.0);
}

static bool compute(figure_work *work, table *t)
{
    const row *rows = work->figure->context;
    const bool smoke = work->effort == FIGURE_SMOKE;
    const ph_measure_settings settings = {.states = smoke ? 1 : 0, /* 0: the usual */
                                          .steps = smoke ? 40 : 0,
                                          .drift_time = 25, /* not of a flow */
                                          .stable_steps = 10};
    size_t count = 0;
    while (rows[count].method != NULL)
        count++;
    table_begin(t, "method,order,momentum_Qy,casimir_C,energy_H,poisson,symplectic,"
                   "error_of_a_step,momentum_error,casimir_error,energy_error,"
                   "poisson_defect,symplectic_defect");
    for (size_t i = 0; i < count; i++) {
        ph_integrator integrator;
        ph_sheet sheet;
        if (!report_progress(work, (double)i / (double)count) ||
            !find_integrator(work, rows[i].method, &integrator))
            return false;
        ph_measure(&sheet, &integrator, &settings);
        const ph_properties *c = &sheet.free;
        const unsigned kept = ph_properties_keep(c);
        ROW(t, WORD(rows[i].method), NUMBER(sheet.exact ? PH_EXACT : sheet.order),
            yes(kept, PH_MOMENTUM), yes(kept, PH_CASIMIR), yes(kept, PH_ENERGY),
            yes(kept, PH_POISSON), yes(kept, PH_SYMPLECTIC), NUMBER(c->step_error),
            NUMBER(c->momentum_error), NUMBER(c->casimir_error),
            NUMBER(larger_or_nan(c->energy_error[0], c->energy_error[1])),
            NUMBER(c->poisson_defect), NUMBER(c->symplectic_defect));
    }
    return true;
}

/* How many of the properties are not as the paper has them. */
static double differences(const table *t, const row *r)
{
    double count = 0.0;
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        const double kept = table_first(t, "method", r->method, PROPERTIES[i].column);
        const double printed = (r->keeps & PROPERTIES[i].bit) != 0 ? 1.0 : 0.0;
        count += fabs(kept - printed);
    }
    return count;
}

#define KEPT 80
static const char *kept_text(char text[KEPT], unsigned keeps)
{
    static const char *const names[] = {"Qy", "C", "H", "Poisson", "symplectic"};
    size_t used = 0;
    for (int i = 0; i < PROPERTY_COUNT && used < KEPT; i++) {
        if ((keeps & PROPERTIES[i].bit) != 0)
            used += (size_t)snprintf(text + used, KEPT - used, "%s%s",
                                     used == 0 ? "" : ", ", names[i]);
    }
    return text;
}

static void judge(const table *t, claims *out)
{
    const double off = 0.3;         /* a slope is told from that of the next order */
    const double round_off = 1e-13; /* of a step, in both ways to compute it */
    char text[KEPT];
    quote(out, "table 2",
          out->context == VILMART ? "Geometric properties of free rigid body integrators"
                                  : "Geometric properties");
    for (const row *r = out->context; r->method != NULL; r++) {
        if (r->order == PH_EXACT)
            claim(out, table_first(t, "method", r->method, "error_of_a_step"), 0.0,
                  round_off, "%s has no error: that of a step of 0.4", r->method);
        else
            claim(out, table_first(t, "method", r->method, "order"), r->order - off,
                  r->order + off, "%s is of order %d: the measured one", r->method,
                  r->order);
        claim(out, differences(t, r), 0.0, 0.0,
              "%s keeps %s of Qy, C, H, the Poisson and the symplectic structure, and "
              "nothing else: how many of the five are otherwise",
              r->method, kept_text(text, r->keeps));
    }
}

const ph_figure ph_figure_free_tables[2] = {
    FIGURE("vilmart_table2", 3, 3, compute, judge, NULL, VILMART),
    FIGURE("hairer_vilmart_table2", 5, 5, compute, judge, NULL, HAIRER_VILMART),
};
