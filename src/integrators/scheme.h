/* scheme.h - the row of a splitting scheme. */
#pragma once

#include "polhode/polhode.h"

/* The members of a scheme of order p: coefficients of its first half, and in the same places
 * those of h^3 times the force gradient, or NULL. */
#define SCHEME(key, p, begins_with_kick, words, where, table, h3_table)                  \
    .name = (key), .title = (words), .cite = (where), .order = (p),                      \
    .kick_first = (begins_with_kick),                                                    \
    .stages = 2 * (int)(sizeof(table) / sizeof(table)[0]) - 1, .half = (table),          \
    .gradient = (h3_table)
