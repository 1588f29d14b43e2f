/* svg_checks.h - whether a picture that gnuplot drew as SVG can be read. */
#pragma once

#include <stddef.h>

/* Counts and prints the faults of a picture: texts that do not lie within it, and curves with different names in a
 * legend that look the same, in colour, dashes and mark. */
size_t unreadable(const char *name, const char *svg);
