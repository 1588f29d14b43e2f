/* splittings.h - schemes with the exact free motion and with one of second order, as
 * Celledoni et al. compare them: their names and kicks. */
#ifndef POLHODE_EVIDENCE_SPLITTINGS_H
#define POLHODE_EVIDENCE_SPLITTINGS_H

#include <stddef.h>

/* With which the schemes drift: "RB" and "McL2" of the paper. */
enum { SPLIT_EXACT, SPLIT_ROTATIONS, SPLIT_FLOWS };

/* The integrator of a scheme and one of these. */
enum { SPLIT_NAME = 32 };
void split_name(char name[SPLIT_NAME], const char *scheme, size_t flow);

/* The kicks of a step in a long run, where the last and the first of two steps are one;
 * 0 of no scheme. */
int split_kicks(const char *scheme);

#endif
