/* claims.c - what numbers say about claims, and the verdict. */
#include "papers/claims.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void add_statement(claims *f, bool correction, double measured, double lower,
                   double upper, const char *format, ...)
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
    return i + 1 < f->count && next->correction && statement_holds(next) ? next : NULL;
}

verdict claims_verdict(const claims *f)
{
    verdict worst = f->count == 0           ? NOT_REPRODUCED
                    : f->other_data != NULL ? QUALITATIVE
                                            : REPRODUCED;
    for (size_t i = 0; i < f->count; i++) {
        if (f->at[i].correction || statement_holds(&f->at[i]))
            continue;
        const verdict v = instead_of(f, i) != NULL ? CORRECTED : NOT_REPRODUCED;
        worst = v > worst ? v : worst;
    }
    return worst;
}

const char *verdict_text(verdict v)
{
    static const char *const texts[] = {[REPRODUCED] = "reproduced",
                                        [QUALITATIVE] = "qualitative",
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
        (void)snprintf(text, BOUNDS_TEXT, "between %s and %s", low, high);
    return text;
}

/* Adds to the text as far as it goes. */
__attribute__((format(printf, 2, 3))) static void append(char text[REASON_TEXT],
                                                         const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, REASON_TEXT - used, format, arguments);
    va_end(arguments);
}

static void append_statement(char text[REASON_TEXT], const char *before,
                             const statement *x)
{
    char number[NUMBER_TEXT], bounds[BOUNDS_TEXT];
    append(text, "%s%s (measured %s, asked for %s)", before, x->text,
           number_text(x->measured, number), bounds_text(x, bounds));
}

const char *claims_reason(const claims *f, char text[REASON_TEXT])
{
    size_t count = 0, hold = 0;
    for (size_t i = 0; i < f->count; i++) {
        count += !f->at[i].correction;
        hold += !f->at[i].correction && statement_holds(&f->at[i]);
    }
    text[0] = '\0';
    if (hold == count)
        append(text,
               count == 1   ? "the claim holds"
               : count == 2 ? "both claims hold"
                            : "all %zu claims hold",
               count);
    else
        append(text, "%zu of %zu claims hold", hold, count);
    if (f->other_data != NULL)
        append(text, ", with other data than the paper's: %s", f->other_data);
    for (size_t i = 0; i < f->count; i++) {
        const statement *x = &f->at[i], *instead = instead_of(f, i);
        if (x->correction || statement_holds(x))
            continue;
        append(text, "; not: ");
        if (x->words != NULL)
            append(text, "\"%s\" (%s): ", x->words, x->where);
        append_statement(text, "", x);
        if (instead != NULL)
            append_statement(text, "; instead: ", instead);
    }
    return text;
}
