/* on_problem.h - how far apart two systems are. */
#pragma once

#include "system/kind.h"

/* Errors of speeds and of places of a system against the right one, of the same kind, and the
 * larger of them: for each field the root of the sum of squares, relative to that of the right
 * one where that counts. */
double ph_system_errors(const ph_system *s, const ph_system *right,
                        double error[ERROR_COUNT]);
