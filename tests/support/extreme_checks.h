/* extreme_checks.h - steps, batches and runs of the flows on extreme motions: nothing off
 * the sphere, no invariant lost that a flow claims, nothing refused that can be done. */
#ifndef TESTS_SUPPORT_EXTREME_CHECKS_H
#define TESTS_SUPPORT_EXTREME_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "polhode/polhode.h"
#include "support/oracle_case.h"

/* How many motions, for `exact`, and for each other flow, kernel and instruction set; a
 * tenth of them over 100 steps. They are those of a seed, whichever flow takes them; of
 * `parts` that share them this is the part of that number, from 0 on. */
typedef struct extreme_search {
    uint64_t seed, part, parts;
    uint64_t exact, others;
    uint64_t series;      /* of `exact` against Taylor series in multiprecision */
    uint64_t derivatives; /* of it of each kind, against those of the equations of variation */
    bool details;         /* print what was done, also where nothing failed */
} extreme_search;

/* How many of so many passes, i parts + part for i = 0, 1, ..., the part has. */
static inline uint64_t extreme_share(const extreme_search *search, uint64_t passes)
{
    return (passes + search->parts - 1 - search->part) / search->parts;
}

/* Checks a flow in every way; the number of motions that failed, of which the first of each
 * kind is printed as arguments of extreme_case(). */
uint64_t extreme_flow(const ph_flow *flow, const extreme_search *search);

/* The same for the steps of a method without torque. */
uint64_t extreme_method(const ph_method *method, const extreme_search *search);

/* The exact motion, by one step and by ph_motion, against Taylor series: 4 u (1 +
 * condition). */
uint64_t extreme_series(const extreme_search *search);

/* Its derivatives, of motions of every kind: 8 u (1 + condition). */
uint64_t extreme_derivatives(const extreme_search *search);

/* Whether the exact motion is as near to the Taylor series, where it can be compared. */
bool extreme_near_series(const oracle_case *c, bool details);

/* Whether the flow `exact` may refuse the motion. */
bool extreme_beyond_double(const oracle_case *c);

/* One motion again: NAME WAY J1 J2 J3 q0 q1 q2 q3 m1 m2 m3 h, printed, as words or in a
 * line. Sets how much of it fails; the words print all that is measured. False if it cannot
 * be read. */
void extreme_print(const char *name, const char *way, const oracle_case *c);
bool extreme_case(int words, char **word, uint64_t *failed);
bool extreme_line(const char *line, uint64_t *failed);

#endif
