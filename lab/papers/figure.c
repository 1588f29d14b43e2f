/* figure.c - the work of a figure: how much, how far, where its random numbers begin; and what
 * the numbers say about claims. */
#include "lab/papers/figure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

#include "figure_texts.h" /* text_rows, written by the build */

const char *figure_effort_text(figure_effort effort)
{
    static const char *const texts[] = {"smoke", "quick", "full"};
    return texts[effort];
}

double by_effort(const figure_work *work, double smoke, double quick, double full)
{
    if (work->effort == FIGURE_FULL)
        return full;
    return work->effort == FIGURE_QUICK ? quick : smoke;
}

bool report_progress(figure_work *work, double fraction)
{
    if (work->report != NULL)
        work->stopped = !work->report(work->context, work->before + work->share * fraction);
    return !work->stopped;
}

bool report_step(figure_work *work, uint64_t step, uint64_t steps)
{
    return step % REPORT_EVERY != 0 || report_progress(work, (double)step / (double)steps);
}

bool find_integrator(figure_work *work, const char *name, ph_integrator *integrator)
{
    if (ph_integrator_named(name, integrator) == PH_OK)
        return true;
    work->error = "a method is missing";
    return false;
}

ph_system *create_system(figure_work *work, const ph_system_settings *settings)
{
    ph_system *s;
    const ph_status status = ph_system_create(settings, &s);
    if (status == PH_OK)
        return s;
    work->error = ph_status_text(status);
    return NULL;
}

ph_system *find_system(figure_work *work, const char *problem, const char *integrator, double h)
{
    return create_system(work, &(ph_system_settings){problem, .integrator = integrator, .step = h});
}

uint64_t figure_seed(const char *name)
{
    uint64_t seed = 1; /* of all figures */
    for (; *name != '\0'; name++) {
        seed ^= (unsigned char)*name;
        seed = random_bits(&seed);
    }
    return seed;
}

const figure_text *figure_text_of(const ph_figure *f)
{
    static const figure_text none = {"", "", "", "", ""};
    for (size_t i = 0; i < COUNT(text_rows); i++) {
        if (strcmp(text_rows[i].name, f->name) == 0)
            return &text_rows[i];
    }
    return &none;
}

bool figure_compute(const ph_figure *f, figure_work *work, table *t)
{
    work->figure = f;
    work->seed = figure_seed(f->name);
    work->share = 1.0;
    return f->compute(work, t);
}

bool figure_draw(const ph_figure *f, const char *csv, FILE *script, plot_format format)
{
    plot_begin(script, format, figure_text_of(f)->title);
    plot_text(script, "figure", f->name);
    return plot_data_file(script, csv) && plot_end(script, f->plot);
}

/* ---- claims ---------------------------------------------------------------------- */

void add_statement(claims *f, bool correction, double measured, double lower, double upper,
                   const char *format, ...)
{
    if (f->count == CLAIMS_MOST)
        return;
    statement *x = &f->at[f->count++];
    *x = (statement){.words = f->words,
                     .where = f->where,
                     .measured = measured,
                     .lower = lower,
                     .upper = upper,
                     .correction = correction};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(x->text, sizeof x->text, format, arguments);
    va_end(arguments);
}

bool statement_holds(const statement *x)
{
    return x->measured >= x->lower && x->measured <= x->upper;
}

/* The correction of a claim, if that holds; or NULL. */
static const statement *instead_of(const claims *f, size_t i)
{
    const statement *next = &f->at[i + 1];
    if (i + 1 < f->count && next->correction && statement_holds(next))
        return next;
    return NULL;
}

verdict claims_verdict(const claims *f)
{
    verdict worst = f->other_data != NULL ? QUALITATIVE : REPRODUCED;
    if (f->count == 0)
        worst = NOT_REPRODUCED;
    else if (f->partly != NULL)
        worst = PARTLY;
    for (size_t i = 0; i < f->count; i++) {
        if (f->at[i].correction || statement_holds(&f->at[i]))
            continue;
        const verdict v = instead_of(f, i) != NULL ? CORRECTED : NOT_REPRODUCED;
        if (v > worst)
            worst = v;
    }
    return worst;
}

const char *verdict_text(verdict v)
{
    static const char *const texts[] = {[REPRODUCED] = "reproduced",
                                        [QUALITATIVE] = "qualitative",
                                        [PARTLY] = "partly",
                                        [CORRECTED] = "corrected",
                                        [NOT_REPRODUCED] = "not reproduced"};
    return texts[v];
}

const char *number_text(double x, char text[NUMBER_TEXT])
{
    if (isnan(x))
        (void)snprintf(text, NUMBER_TEXT, "nothing");
    else if (isinf(x))
        (void)snprintf(text, NUMBER_TEXT, x > 0 ? "infinite" : "minus infinite");
    else
        (void)snprintf(text, NUMBER_TEXT, "%.4g", x);
    return text;
}

const char *bounds_text(const statement *x, char text[BOUNDS_TEXT])
{
    char low[NUMBER_TEXT], high[NUMBER_TEXT];
    (void)number_text(x->lower, low);
    (void)number_text(x->upper, high);
    if (x->lower == x->upper)
        (void)snprintf(text, BOUNDS_TEXT, "exactly %s", low);
    else if (isinf(x->lower) && isinf(x->upper))
        (void)snprintf(text, BOUNDS_TEXT, "any number");
    else if (isinf(x->lower))
        (void)snprintf(text, BOUNDS_TEXT, "at most %s", high);
    else if (isinf(x->upper))
        (void)snprintf(text, BOUNDS_TEXT, "at least %s", low);
    else
        (void)snprintf(text, BOUNDS_TEXT, "%s to %s", low, high);
    return text;
}

/* Adds to the text as far as it goes. */
__attribute__((format(printf, 2, 3))) static void append(char text[REASON_TEXT], const char *format,
                                                         ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, REASON_TEXT - used, format, arguments);
    va_end(arguments);
}

static void append_statement(char text[REASON_TEXT], const char *before, const statement *x)
{
    char number[NUMBER_TEXT], bounds[BOUNDS_TEXT];
    append(text, "%s%s (measured %s, required %s)", before, x->text,
           number_text(x->measured, number), bounds_text(x, bounds));
}

const char *claims_reason(const claims *f, char text[REASON_TEXT])
{
    size_t count = 0, hold = 0;
    for (size_t i = 0; i < f->count; i++) {
        const bool counts = !f->at[i].correction && !f->at[i].datum;
        count += counts;
        hold += counts && statement_holds(&f->at[i]);
    }
    text[0] = '\0';
    if (hold == count && count == 1)
        append(text, "the claim holds");
    else if (hold == count && count == 2)
        append(text, "both claims hold");
    else if (hold == count)
        append(text, "all %zu claims hold", count);
    else
        append(text, "%zu of %zu claims hold", hold, count);
    if (f->other_data != NULL)
        append(text, ", with other data than the paper's: %s", f->other_data);
    if (f->partly != NULL)
        append(text, "; %s", f->partly);
    for (size_t i = 0; i < f->count; i++) {
        const statement *x = &f->at[i], *instead = instead_of(f, i);
        if (x->correction || statement_holds(x))
            continue;
        append(text, "; not: ");
        if (x->words != NULL)
            append(text, "(%s) ", x->where);
        append_statement(text, "", x);
        if (instead != NULL)
            append_statement(text, "; instead: ", instead);
    }
    return text;
}
