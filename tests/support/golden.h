/* golden.h - numbers of today against those of a file in tests/vectors, of which each line
 * is a name, the sum of the sizes of what was computed under it, a checksum of all its bits,
 * which are the same on every machine (docs/bits.md), how many values there are, and a byte of the checksum
 * after the first of them, the second and so on at longer and longer distances: they tell which value is the
 * first that differs. */
#ifndef TESTS_SUPPORT_GOLDEN_H
#define TESTS_SUPPORT_GOLDEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "polhode/polhode.h"

enum { GOLDEN_PLACES = 100 };

typedef struct checksum {
    double size;
    uint64_t bits;
    uint64_t count; /* of values */
    size_t places;  /* of these, where there are a byte and the value itself: */
    unsigned char byte[GOLDEN_PLACES];
    double value[GOLDEN_PLACES];
} checksum;

void take(checksum *c, double x);
void take_vector(checksum *c, ph_vec3 v);
void take_vectors(checksum *c, int n, const ph_vec3 *v);
void take_matrix(checksum *c, ph_mat3 A);
void take_state(checksum *c, const ph_state *s);
void take_text(checksum *c, const char *text);

/* Compares the bits with the line of that name, a format; fails the test if they differ.
 * What has no line fails too: `make regenerate` writes them. To write: prints the line. */
void golden(const checksum *c, const char *name, ...) __attribute__((format(printf, 2, 3)));

/* Says which value is the first that differs, as nearly as the lines tell. */
enum { GOLDEN_TEXT = 200 };
void golden_difference(char text[GOLDEN_TEXT], const checksum *now, const checksum *before);

/* The main function of a test of such numbers: runs the tests, and finds lines of the file
 * that nothing asked for; or, with the argument `write`, prints the file anew. */
int golden_main(int argc, char **argv, const char *file, const struct CMUnitTest *tests,
                size_t count);

#endif
