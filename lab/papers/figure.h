/* figure.h - a figure or table of a paper: what it claims, how its numbers are computed,
 * what they say about the claim, and how they are drawn.
 *
 * lab/papers/figures/NAME.c holds `const ph_figure ph_figure_NAME = {`, or a family of figures that
 * differ in a number, `const ph_figure ph_figure_NAME[3] = {`, each with a name of its
 * own. lab/papers/figures/NAME.md says what they are, lab/papers/figures/NAME.gp draws them.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/extremes.h"
#include "lab/papers/figure_table.h"
#include "system/find.h"
#include "tool/files/file_text.h"
#include "tool/files/picture.h"

/* ---- the work -------------------------------------------------------------------- */

typedef enum figure_effort {
    FIGURE_SMOKE, /* the least work: only that it runs is of interest */
    FIGURE_QUICK, /* all figures together within ten minutes on two cores */
    FIGURE_FULL,  /* as the paper did, or better */
    FIGURE_EFFORTS,
} figure_effort;

/* "quick", "full" */
const char *figure_effort_text(figure_effort effort);

/* What a computation gets: its figure, how much to do, where its random numbers begin,
 * and the function that reports its progress. */
typedef struct figure_work {
    const struct ph_figure *figure;
    figure_effort effort;
    uint64_t seed; /* the figure's own, for src/base/random.h: the same in every run */
    bool (*report)(void *context, double fraction);
    void *context;
    double before, share; /* the current part of the work: what was done before, its own */
    bool stopped;         /* by report() */
    const char *error;    /* why nothing could be computed; a static text */
} figure_work;

/* One of three numbers, by the effort. Those that a figure declares as its data are an array. */
double by_effort(const figure_work *work, double smoke, double quick, double full);
#define AT_EFFORT(work, numbers) ((numbers)[(work)->effort])

/* Says that this fraction of the current part is done; false: stop now and return false. To
 * be called every few milliseconds, at least ten times a second. */
bool report_progress(figure_work *work, double fraction);

/* The same of a run that is the current part, after some of its steps. */
enum { REPORT_EVERY = 64 }; /* steps: a millisecond at most */
bool report_step(figure_work *work, uint64_t step, uint64_t steps);

/* The integrator of that name; false, with work->error set, if there is none. */
bool find_integrator(figure_work *work, const char *name, ph_integrator *integrator);

/* The system of some settings, or of a problem and an integrator by their names, to be freed;
 * NULL, with work->error set, if there is none. */
ph_system *create_system(figure_work *work, const ph_system_settings *settings);
ph_system *find_system(figure_work *work, const char *problem, const char *integrator, double h);

/* The seed of a figure: of a name, so that figures do not depend on each other. */
uint64_t figure_seed(const char *name);

/* ---- claims, and the verdict that follows from them ------------------------------- */

/* A claim rests on words of the paper, which it quotes, or is marked as ours; the number
 * that is measured for it, and the bounds where the words have none, are ours in any case.
 * It holds if the number lies within its bounds. One that does not may be followed by its
 * correction: a statement of its own, about another number, that may fail too. The
 * verdict is
 *
 *   reproduced       every claim holds
 *   qualitative      every claim holds, with other data than the paper's
 *   partly           every claim holds, but a part of the figure is not judged
 *   corrected        every claim that does not has a correction that does
 *   not reproduced   otherwise; or a datum is not as printed (lab/papers/data.h) */
enum { CLAIMS_MOST = 128, STATEMENT_TEXT = 240 };

typedef struct statement {
    char text[STATEMENT_TEXT]; /* what is measured, in words */
    const char *words;         /* of the paper, which stay; NULL: the claim is ours */
    const char *where;         /* they stand: section, figure, table */
    double measured, lower, upper;
    bool correction; /* of the claim before it */
    bool datum;      /* of the data, not of the numbers */
} statement;

typedef struct claims {
    const void *context;       /* of the figure, for its judge */
    const char *words, *where; /* for the claims that follow */
    const char *other_data;    /* why the data are not the paper's; NULL: they are */
    const char *partly;        /* what is not judged; NULL: all is */
    size_t count;
    statement at[CLAIMS_MOST];
} claims;

/* The words of the paper that the claims after it rest on, and where they stand; or the claims
 * after it are ours: the paper shows it, or says it nowhere. */
#define quote(f, place, text) ((f)->where = (place), (f)->words = (text))
#define ours(f)               quote(f, "ours", NULL)

/* The data are not the paper's: why. */
#define other_data(f, why) ((f)->other_data = (why))

/* A part of the figure is not judged: which, and why. */
#define partly(f, what) ((f)->partly = (what))

/* Adds a claim, or a correction of the claim before: what was measured, the bounds, and a
 * format with its arguments. A bound that is infinite is none; what was measured as NaN is
 * outside of all bounds. */
#define claim(f, ...)      add_statement((f), false, __VA_ARGS__)
#define correction(f, ...) add_statement((f), true, __VA_ARGS__)
__attribute__((format(printf, 6, 7))) void add_statement(claims *f, bool correction,
                                                         double measured, double lower,
                                                         double upper, const char *format, ...);

typedef enum verdict {
    REPRODUCED,
    QUALITATIVE,
    PARTLY,
    CORRECTED,
    NOT_REPRODUCED,
    VERDICTS
} verdict;

bool statement_holds(const statement *x);

/* The verdict. No claim at all is NOT_REPRODUCED. */
verdict claims_verdict(const claims *f);

/* "reproduced", "qualitative", "partly", "corrected", "not reproduced" */
const char *verdict_text(verdict v);

/* A bound or a number for people. */
#define NUMBER_TEXT 32
const char *number_text(double x, char text[NUMBER_TEXT]);

/* What the bounds ask for: "at most 0.2", "between 1.9 and 2.1", "exactly 0". */
#define BOUNDS_TEXT 96
const char *bounds_text(const statement *x, char text[BOUNDS_TEXT]);

/* Why: how many claims hold, and of those that do not the words, what was measured and what
 * holds instead. */
#define REASON_TEXT 8192
const char *claims_reason(const claims *f, char text[REASON_TEXT]);

/* ---- the figure ------------------------------------------------------------------ */

/* A number that a figure uses and its problem does not have, or several: a step, a time, how
 * many bodies there are, a range from which moments are drawn, and three by effort. `value` is
 * where the figure itself reads them. lab/papers/data.c has them as the paper prints them. */
typedef struct figure_number {
    const char *name;
    const double *value;
    size_t count;
} figure_number;
#define NUMBERS(name, array)                                                                       \
    {                                                                                              \
        (name), (array), COUNT(array)                                                              \
    }
#define NUMBER(name, number)                                                                       \
    {                                                                                              \
        (name), &(number), 1                                                                       \
    }

typedef struct ph_figure ph_figure;
struct ph_figure {
    const char *name;               /* author_figureN or author_tableN; files and command line */
    double seconds[FIGURE_EFFORTS]; /* roughly, on one core: for the progress */

    /* Computes the numbers into a table that it begins itself. False: stopped, or
     * work->error says why. What a method could not do is NaN or infinite there. */
    bool (*compute)(figure_work *work, table *t);

    /* What the numbers say; reads nothing else. */
    void (*judge)(const table *t, claims *out);

    const char *plot;    /* the template that draws it (tool/files/picture.h); NULL: a table */
    const void *context; /* what tells the members of a family apart */

    /* For lab/papers/data.h: the problem, where no `convergence` or `long_runs` names it, and
     * numbers up to one without a name; NULL: there are none. */
    const char *problem;
    const figure_number *numbers;
};

/* A member of a family, with its seconds in a quick and in a full run. */
#define FIGURE(name, quick, full, compute, judge, plot, context)                                   \
    {                                                                                              \
        (name), {0, (quick), (full)}, (compute), (judge), (plot), (context), NULL, NULL            \
    }
#define FIGURE_OF(name, quick, full, compute, judge, plot, context, problem, numbers)              \
    {                                                                                              \
        (name), {0, (quick), (full)}, (compute), (judge), (plot), (context), (problem), (numbers)  \
    }

/* What is written about it in lab/papers/figures/NAME.md. */
typedef struct figure_text {
    const char *name;
    const char *title; /* one line for people */
    const char *cite;  /* paper and number */
    const char *claim; /* what the paper says, in one sentence */
    const char *setup; /* what was computed; what the paper leaves open and was chosen */
} figure_text;
const figure_text *figure_text_of(const ph_figure *f);

/* Computes the numbers, with the figure's own seed. */
bool figure_compute(const ph_figure *f, figure_work *work, table *t);

/* Writes the gnuplot script of the picture, of the numbers in a CSV file; false if that
 * failed. */
bool figure_draw(const ph_figure *f, const char *csv, FILE *script, plot_format format);
