/* golden.h - numbers of today against those of a file in tests/vectors, of which each line
 * is a name and the weighted sum of what was computed under it. */
#ifndef TESTS_SUPPORT_GOLDEN_H
#define TESTS_SUPPORT_GOLDEN_H

#include <stdbool.h>

#include "polhode/polhode.h"

/* A sum of numbers, each with a weight of its own between 1 and 2, and of their sizes. */
typedef struct checksum {
    int count;
    double sum, size;
    double tolerance; /* relative; 0: 1e-11 */
} checksum;

void take(checksum *c, double x);
void take_vector(checksum *c, ph_vec3 v);
void take_vectors(checksum *c, int n, const ph_vec3 *v);
void take_matrix(checksum *c, ph_mat3 A);
void take_state(checksum *c, const ph_state *s);

/* Compares the sum with the line of that name, a format, up to a part of its size; fails
 * the test if it differs. What has no line is new, and passes. To write: prints the line. */
void golden(const checksum *c, const char *name, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the file, or begins to write it; how many lines were not asked for. */
void golden_open(const char *file, bool write);
int golden_unused(void);

#endif
