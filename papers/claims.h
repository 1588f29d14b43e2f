/* claims.h - what the numbers of a figure say about the paper's claims, and the
 * verdict that follows from it.
 *
 * A claim rests on words of the paper, which it quotes, or is marked as ours; the number
 * that is measured for it, and the bounds where the words have none, are ours in any case.
 * It holds if the number lies within its bounds. One that does not may be followed by its
 * correction: a statement of its own, about another number, that may fail too. The
 * verdict is
 *
 *   reproduced       every claim holds
 *   qualitative      every claim holds, with other data than the paper's
 *   corrected        every claim that does not has a correction that does
 *   not reproduced   otherwise
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CLAIMS_MOST = 64, STATEMENT_TEXT = 240 };

typedef struct statement {
    char text[STATEMENT_TEXT]; /* what is measured, in words */
    const char *words;         /* of the paper, which stay; NULL: the claim is ours */
    const char *where;         /* they stand: section, figure, table */
    double measured, lower, upper;
    bool correction; /* of the claim before it */
} statement;

typedef struct claims {
    const void *context;       /* of the figure, for its judge */
    const char *words, *where; /* for the claims that follow */
    const char *other_data;    /* why the data are not the paper's; NULL: they are */
    size_t count;
    statement at[CLAIMS_MOST];
} claims;

/* The words of the paper that the claims after it rest on, and where they stand; or the claims
 * after it are ours: the paper shows it, or says it nowhere. */
#define quote(f, place, text) ((f)->where = (place), (f)->words = (text))
#define ours(f)               quote(f, "ours", NULL)

/* The data are not the paper's: why. */
#define other_data(f, why) ((f)->other_data = (why))

/* Adds a claim, or a correction of the claim before: what was measured, the bounds, and a
 * format with its arguments. A bound that is infinite is none; what was measured as NaN is
 * outside of all bounds. */
#define claim(f, ...)      add_statement((f), false, __VA_ARGS__)
#define correction(f, ...) add_statement((f), true, __VA_ARGS__)
__attribute__((format(printf, 6, 7))) void add_statement(claims *f, bool correction,
                                                         double measured, double lower,
                                                         double upper, const char *format,
                                                         ...);

typedef enum verdict {
    REPRODUCED,
    QUALITATIVE,
    CORRECTED,
    NOT_REPRODUCED,
    VERDICTS
} verdict;

bool statement_holds(const statement *x);

/* The verdict. No claim at all is NOT_REPRODUCED. */
verdict claims_verdict(const claims *f);

/* "reproduced", "qualitative", "corrected", "not reproduced" */
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
