/* findings.h - what the numbers of a figure say about the paper's claims, and the
 * verdict that follows from it.
 *
 * A claim holds if its measured number lies within its bounds. One that does not may be
 * followed by its correction: what holds instead. The verdict is
 *
 *   reproduced       every claim holds
 *   corrected        every claim that does not has a correction that does
 *   not reproduced   otherwise
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FINDINGS_MOST = 64, FINDING_TEXT = 240 };

typedef struct finding {
    char text[FINDING_TEXT]; /* the claim in words */
    double measured, lower, upper;
    bool correction; /* of the claim before it */
} finding;

typedef struct findings {
    const void *context; /* of the figure, for its judge */
    size_t count;
    finding at[FINDINGS_MOST];
} findings;

/* Adds a claim, and a correction of the claim before. A bound that is infinite is none;
 * what was measured as NaN is outside of all bounds. */
__attribute__((format(printf, 5, 6))) void
claim(findings *f, double measured, double lower, double upper, const char *format, ...);
__attribute__((format(printf, 5, 6))) void correction(findings *f, double measured,
                                                      double lower, double upper,
                                                      const char *format, ...);

typedef enum verdict { REPRODUCED, CORRECTED, NOT_REPRODUCED } verdict;

bool finding_holds(const finding *x);

/* The verdict. No claim at all is NOT_REPRODUCED. */
verdict findings_verdict(const findings *f);

/* "reproduced", "corrected", "not reproduced" */
const char *verdict_text(verdict v);

/* A bound or a number for people. */
#define NUMBER_TEXT 32
const char *number_text(double x, char text[NUMBER_TEXT]);

/* What the bounds ask for: "at most 0.2", "between 1.9 and 2.1", "exactly 0". */
#define BOUNDS_TEXT 96
const char *bounds_text(const finding *x, char text[BOUNDS_TEXT]);

/* Why: how many claims hold, and of those that do not what was measured and what holds
 * instead. */
#define REASON_TEXT 4096
const char *findings_reason(const findings *f, char text[REASON_TEXT]);
